"""Families that deceive estimates of errors: each kind once got false claims of digits.

Numbers so round that arithmetic with them shows no rounding; entries, rows and right-hand sides far
apart, where corrections vanish; couplings so weak that residuals hide what they do; complex numbers
with parts far apart.
"""
import math

from systems import System


def system_of(a, b, **notes):
    entries = [(i, j, float(v)) for i, row in enumerate(a) for j, v in enumerate(row) if v != 0]
    return System("", "", len(a), len(a[0]), entries, [float(v) for v in b], notes)


def is_usable(a, b):
    return all(math.isfinite(v) for row in a for v in row) and all(map(math.isfinite, b)) and any(map(any, a))


def until_usable(make):
    """Tries again where numbers overflowed."""
    def maker(rng):
        while True:
            a, b = make(rng)
            if is_usable(a, b):
                return system_of(a, b)
    return maker


def integers(rng, rows, columns, most=9):
    return [[float(rng.randint(-most, most)) for _ in range(columns)] for _ in range(rows)]


def times(a, x):
    return [math.fsum(v * w for v, w in zip(row, x)) for row in a]


def far_values(rng, n):
    """Of usual size, or near 1e±150 and 1e±300."""
    return [rng.choice((0, 1, 1e-300, 1e300, 1e-150, 1e150, 1e-310)) for _ in range(n)]


def some_right_side(rng, a):
    n, kind = len(a), rng.randrange(6)
    if kind == 0:
        return times(a, [rng.choice((0, 1, -1, rng.uniform(1, 2))) * 10.0 ** rng.choice((0, 0, rng.randint(-30, 30)))
                         for _ in a[0]])
    if kind == 1:
        return [float(rng.randint(-9, 9)) for _ in range(n)]
    if kind == 2:
        return [row[0] for row in a]
    if kind == 3:
        return far_values(rng, n)
    if kind == 4:
        b = [0.0] * n
        b[rng.randrange(n)] = rng.choice((1.0, 1e-200, 1e200))
        return b
    j, k, part = rng.randrange(n), rng.randrange(n), rng.choice((1, 1, 1e-20))
    return [row[j] + part * row[k] for row in a]


def rescaled(rng, a, b, most):
    """Rows and columns times powers of two."""
    row = [2.0 ** rng.randint(-most, most) if rng.random() < 0.7 else 1.0 for _ in a]
    column = [2.0 ** rng.randint(-most, most) for _ in a[0]]
    return ([[v * r * c for v, c in zip(line, column)] for line, r in zip(a, row)],
            [v * r for v, r in zip(b, row)])


@until_usable
def near_powers(rng):
    """Blocks [M, M + 1; M - 1, M] with M a power of two, of determinant one, and couplings."""
    power, n = 2.0 ** rng.randint(20, 52), 2 * rng.randint(1, 3)
    a = [[0.0] * n for _ in range(n)]
    for t in range(0, n, 2):
        a[t][t], a[t][t + 1] = power, power + 1
        a[t + 1][t] = power + rng.choice((-1, -1, 1))
        a[t + 1][t + 1] = power + rng.choice((0, 0, 2))
        if t:
            a[t][t - 1] = rng.choice((0, 1.0, power * power))
            a[t + 1][t - 2] = rng.choice((0.0, 1.0, power))
            a[t - 1][t] = rng.choice((0.0, 1.0, 1e-30, power))
    return a, some_right_side(rng, a)


@until_usable
def weak_borders(rng):
    """A singular block of integers, made regular by a border of tiny entries."""
    n = rng.randint(2, 6)
    tiny = 10.0 ** -rng.choice((16, 20, 40, 60, 80, 100, 200, 290))
    if rng.random() < 0.5:  # the last row is the sum of the others
        a = integers(rng, n, n)
        a[n - 1] = [sum(row[j] for row in a[:n - 1]) for j in range(n)]
        a = [row + [tiny * rng.choice((0, 1, -1, 1))] for row in a]
        a.append([rng.choice((0.0, 1.0, tiny, -1.0)) for _ in range(n + 1)])
        return a, some_right_side(rng, a)
    n = min(n, 4)  # rank one
    u, v = ([float(rng.randint(1, 9)) for _ in range(n)] for _ in range(2))
    border = [[tiny * (i == j) * rng.randint(1, 3) for j in range(n)] for i in range(n)]
    a = [[u[i] * v[j] for j in range(n)] + border[i] for i in range(n)] + [line + [0.0] * n for line in border]
    return a, some_right_side(rng, a)


@until_usable
def growing_chains(rng):
    """Each component a large multiple of the next, some of them in a circle; or of Kahan's kind."""
    n = rng.randint(2, 6)
    if rng.random() < 0.5:
        growth = 10.0 ** rng.randint(5, 60)
        a = [[1.0 if i == j else -growth * rng.uniform(1, 2) * (j == i + 1) for j in range(n)] for i in range(n)]
        if rng.random() < 0.5:
            a[n - 1][0] = rng.choice((1.0, 1e-30, growth))
        return a, some_right_side(rng, a)
    c = rng.choice((0.9, 0.5, 1e3, 1e10))
    a = [[1.0 if i == j else -c if j > i else rng.choice((0.0, 0.0, 1e-60, 1e-200)) for j in range(n)]
         for i in range(n)]
    return a, some_right_side(rng, a)


@until_usable
def far_entries(rng):
    """Entries of all sizes, or of usual ones with rows and columns far apart."""
    n = rng.randint(2, 6)
    if rng.random() < 0.5:
        most = rng.choice((20, 60, 100, 150, 300))
        a = [[0.0 if rng.random() < 0.3 else rng.choice((-1, 1)) * rng.uniform(1, 2) * 10.0 ** rng.uniform(-most, most)
              for _ in range(n)] for _ in range(n)]
        return a, some_right_side(rng, a)
    a = integers(rng, n, n)
    return rescaled(rng, a, some_right_side(rng, a), rng.choice((30, 150, 400)))


def nearly_dependent(rng):
    """Columns that depend on each other but for some last bits."""
    n, kind = rng.randint(2, 6), rng.randrange(4)
    rows = n + rng.randint(1, 5)
    if kind == 0:
        a, tiny, c = integers(rng, rows, n), 2.0 ** -rng.choice((20, 40, 46, 48)), rng.randrange(n)
        for row in a:
            row[c] = sum(v for j, v in enumerate(row) if j != c) + rng.choice((-1, 0, 0, 1)) * tiny
        return a
    if kind == 1:
        factors = [rng.uniform(-1, 1) for _ in range(rows)]
        return [[u * rng.choice((1.0, 1.0, 1 + 2.0 ** -52)) for _ in range(n)] for u in factors]
    if kind == 2:
        rank = rng.randint(1, max(1, n - 1))
        left = [[rng.uniform(-1, 1) for _ in range(rank)] for _ in range(rows)]
        right = [[rng.uniform(-1, 1) for _ in range(n)] for _ in range(rank)]
        return [[sum(u * right[t][j] for t, u in enumerate(row)) for j in range(n)] for row in left]
    tiny = 2.0 ** -rng.choice((26, 30, 50, 80, 100, 200, 500))  # Lauchli's
    return [[1.0] * n] + [[tiny * (i == j) for j in range(n)] for i in range(n)]


@until_usable
def far_fits(rng):
    """Least squares with nearly dependent columns, often with rows and columns far apart."""
    a = nearly_dependent(rng)
    if rng.random() < 0.3:
        a = [[0.0 if rng.random() < 0.3 else v for v in row] for row in a]
    x, kind = [rng.choice((0, 0, 1, -1, 2, 3.0)) for _ in a[0]], rng.randrange(4)
    if kind == 0:
        b = times(a, x)
    elif kind == 1:
        b = [float(rng.randint(-9, 9)) for _ in a]
    elif kind == 2:
        b = [v + 1e-10 * rng.uniform(-1, 1) for v in times(a, x)]
    else:  # r orthogonal to the columns, without rounding
        r, b = [float(rng.randint(-9, 9)) for _ in a], times(a, x)
        a, b = a + [list(row) for row in a], [u + v for u, v in zip(b, r)] + [u - v for u, v in zip(b, r)]
    most = rng.choice((0, 0, 0, 10, 60, 300, 450))
    if most:
        a, b = rescaled(rng, a, b, most)
    if rng.random() < 0.12:
        a, b = [list(column) for column in zip(*a)], b[:len(a[0])]
    return a, b


def complex_number(rng):
    def part():
        return float(rng.randint(-9, 9)) if rng.random() < 0.7 else rng.uniform(-1, 1) * 10.0 ** rng.randint(-40, 40)
    kind = rng.randrange(6)
    return (0j if kind == 0 else complex(part(), 0) if kind < 3 else complex(0, part()) if kind == 3
            else complex(part(), part()))


def in_real_numbers(a, b):
    """[Re, -Im; Im, Re] for each entry; (Re, Im) for each component."""
    rows = []
    for row in a:
        rows.append([w for v in row for w in (v.real, -v.imag)])
        rows.append([w for v in row for w in (v.imag, v.real)])
    return rows, [w for v in b for w in (v.real, v.imag)]


def complex_parts(rng):
    """Complex systems, in real numbers; `solves.py` asks for them as complex ones."""
    n = rng.randint(1, 4)
    a = [[complex_number(rng) for _ in range(n)] for _ in range(n)]
    if rng.random() < 0.3 and n > 1:
        tiny = 10.0 ** -rng.choice((14, 16))
        a[n - 1] = [sum(row[j] for row in a[:n - 1]) * rng.choice((1, 1j)) + rng.choice((0, tiny, 1j * tiny))
                    for j in range(n)]
    kind = rng.randrange(4)
    if kind == 0:
        b = [complex_number(rng) for _ in range(n)]
    elif kind == 1:
        x = [rng.choice((0, 1, 1j, -1, 2 - 1j, -3j)) for _ in range(n)]
        b = [sum(v * w for v, w in zip(row, x)) for row in a]
    elif kind == 2:
        b = [row[0] * rng.choice((1, 1j)) for row in a]
    else:
        b = [complex(rng.randint(-3, 3), 0) for _ in range(n)]
    if rng.random() < 0.2:
        for _ in range(rng.randint(1, 2)):
            a.append([complex_number(rng) for _ in range(n)])
            b.append(complex_number(rng))
    rows, right = in_real_numbers(a, b)
    return system_of(rows, right, complex=True) if is_usable(rows, right) else complex_parts(rng)


#: As FAMILIES of families.py.
DECEPTIVE = {
    "powers": ("integers near powers of two", near_powers),
    "borders": ("singular but for tiny borders", weak_borders),
    "growing": ("growing chains", growing_chains),
    "far": ("entries far apart", far_entries),
    "far-fits": ("least squares, nearly dependent columns, rows far apart", far_fits),
    "complex": ("complex, parts far apart", complex_parts),
}
