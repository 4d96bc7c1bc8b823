"""The Bratu problem of examples/petsc on 3^3 points, solved in 60 digits."""
import decimal

decimal.getcontext().prec = 60
D = decimal.Decimal
N, LAMBDA = 3, D(6)


def solved(a, b):
    """x of A x = b by elimination with pivots; A and b are destroyed."""
    n = len(b)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[p], b[k], b[p] = a[p], a[k], b[p], b[k]
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            if factor:
                a[i] = [x - factor * y for x, y in zip(a[i], a[k])]
                b[i] -= factor * b[k]
    for k in reversed(range(n)):
        b[k] = (b[k] - sum(a[k][j] * b[j] for j in range(k + 1, n))) / a[k][k]
    return b


def bratu():
    """u of all points, by Newton's method from zero."""
    points = [(i, j, k) for i in range(N) for j in range(N) for k in range(N)]
    number = {p: m for m, p in enumerate(points)}
    h = 1 / D(N + 1)
    near = [[number[q] for q in ((i + 1, j, k), (i - 1, j, k), (i, j + 1, k), (i, j - 1, k),
                                 (i, j, k + 1), (i, j, k - 1)) if q in number]
            for i, j, k in points]
    u = [D(0)] * len(points)
    for _ in range(12):
        f = [h * (6 * u[m] - sum(u[q] for q in near[m])) - LAMBDA * h**3 * u[m].exp()
             for m in range(len(u))]
        a = [[D(0)] * len(u) for _ in u]
        for m in range(len(u)):
            a[m][m] = 6 * h - LAMBDA * h**3 * u[m].exp()
            for q in near[m]:
                a[m][q] = -h
        u = [x - d for x, d in zip(u, solved(a, f))]
    return u
