"""Generated systems, by family.  Each is made from a random.Random alone: the same everywhere."""
import math

from deceptive import DECEPTIVE
from systems import System

LEAST = 5e-324


class Builder:
    """Collects entries; a second value at one place is added, exactly or not at all."""

    def __init__(self, rows, columns=None):
        self.rows, self.columns, self.at = rows, columns or rows, {}

    def add(self, i, j, value):
        self.at[i, j] = self.at.get((i, j), 0.0) + value

    def entries(self):
        return [(i, j, v) for (i, j), v in sorted(self.at.items()) if v != 0]

    def times(self, x):
        """A x in floating point: exact for small integers."""
        b = [0.0] * self.rows
        for (i, j), v in sorted(self.at.items()):
            b[i] += v * x[j]
        return b

    def system(self, b):
        return System("", "", self.rows, self.columns, self.entries(), [float(v) for v in b])


def integers_with_zeros(rng, n, most=9, zeros=0.5):
    x = [0 if rng.random() < zeros else rng.choice((-1, 1)) * rng.randint(1, most) for _ in range(n)]
    if not any(x):
        x[rng.randrange(n)] = 1
    return x


def blocks_of(rng, n):
    """Blocks of constants and zeros."""
    x, at = [0.0] * n, 0
    while at < n:
        length = rng.randint(1, max(1, n // 3))
        value = rng.choice((0, 0, 1, -1, 2, 3))
        for i in range(at, min(n, at + length)):
            x[i] = float(value)
        at += length
    if not any(x):
        x[rng.randrange(n)] = 1.0
    return x


def any_right_side(rng, a):
    """A x for x of integers and zeros or of blocks, sparse, ones, integers, or decimals."""
    n, kind = a.rows, rng.randrange(6)
    if kind == 0:
        return a.times([float(v) for v in integers_with_zeros(rng, a.columns)])
    if kind == 1:
        return a.times(blocks_of(rng, a.columns))
    if kind == 2:
        b = [0.0] * n
        for _ in range(rng.randint(1, 3)):
            b[rng.randrange(n)] = float(rng.choice((-1, 1, 2)))
        return b if any(b) else [1.0] * n
    if kind == 3:
        return [1.0] * n
    if kind == 4:
        return integers_with_zeros(rng, n, zeros=rng.choice((0.0, 0.5, 0.8)))
    return [rng.randint(-999, 999) / 100 for _ in range(n)]


def linear_program(rng):
    """A basis as the simplex method meets it: slacks, and columns of a few small integers."""
    n = rng.randint(3, 60)
    a, slacks = Builder(n), rng.choice((0.2, 0.4, 0.6))
    rows = list(range(n))
    rng.shuffle(rows)  # a transversal that is not zero, but for chance
    values = rng.choice(((1, -1), (1, 1, 1, -1), (1, -1, 2, -2, 3), (1, -1, 5, 10, 0.5, 12)))
    for j in range(n):
        a.add(rows[j], j, float(rng.choice(values)))
        if rng.random() < slacks:
            continue
        for i in rng.sample(range(n), min(n, rng.randint(1, 5))):
            if i != rows[j]:
                a.at[i, j] = float(rng.choice(values))
    return a.system(any_right_side(rng, a))


def graph(rng):
    """0/±1: trees and cycles as incidence, Laplacians less a vertex, adjacency and the identity."""
    n, kind = rng.randint(3, 50), rng.randrange(4)
    a = Builder(n)
    edges = {(rng.randrange(v), v) for v in range(1, n + 1)}
    if kind == 0:  # a tree's incidence less the root
        for e, (u, v) in enumerate(sorted(edges)):
            a.add(v - 1, e, 1.0)
            if u > 0:
                a.add(u - 1, e, -1.0)
        return a.system(any_right_side(rng, a))
    for _ in range(rng.randint(0, 2 * n)):
        u, v = sorted((rng.randrange(n + 1), rng.randrange(n + 1)))
        if u != v:
            edges.add((u, v))
    for u, v in sorted(edges):
        if kind == 1:  # Laplacian less vertex 0
            for s, t in ((u, v), (v, u)):
                if s > 0:
                    a.add(s - 1, s - 1, 1.0)
                    if t > 0:
                        a.add(s - 1, t - 1, -1.0)
        elif u > 0:  # adjacency, of a digraph for kind 3
            a.add(u - 1, v - 1, 1.0)
            if kind == 2 or rng.random() < 0.5:
                a.add(v - 1, u - 1, 1.0)
    for i in range(n if kind != 1 else 0):
        if rng.random() < 0.8:
            a.at[i, i] = rng.choice((1.0, -1.0))
    return a.system(any_right_side(rng, a))


def grid(rng):
    """5-point grids, with convection or a reaction; x of blocks and zeros, or point sources."""
    p, q = rng.randint(2, 14), rng.randint(2, 14)
    a = Builder(p * q)
    wind = rng.choice(((0, 0), (0, 0), (0.5, 0), (0.25, -0.75), (2, 1), (3, -3)))
    centre = 4.0 + rng.choice((0, 0, 0.125, -0.5, 1))
    for i in range(p):
        for j in range(q):
            k = i * q + j
            a.add(k, k, centre)
            for di, dj, part in ((1, 0, -1 + wind[0]), (-1, 0, -1 - wind[0]), (0, 1, -1 + wind[1]), (0, -1, -1 - wind[1])):
                if 0 <= i + di < p and 0 <= j + dj < q:
                    a.add(k, k + di * q + dj, float(part))
    if rng.random() < 0.7:
        return a.system(a.times(blocks_of(rng, p * q)))
    return a.system(any_right_side(rng, a))


def dense(rng):
    n, most = rng.randint(2, 25), rng.choice((1, 3, 9, 99))
    a = Builder(n)
    for i in range(n):
        for j in range(n):
            a.add(i, j, float(rng.randint(-most, most)))
    return a.system(any_right_side(rng, a))


def chain(rng):
    """Bidiagonal, each component a small multiple of the one before, until it underflows."""
    n = rng.randint(2, 40)
    a = Builder(n)
    decimals, factor = rng.random() < 0.5, rng.choice((1, 1, 2, 5, 50))
    if rng.random() < 0.7:  # a range below 1e30, somewhere
        n = rng.randint(2, max(2, 24 // factor))
        a = Builder(n)
    order = list(range(n))
    if rng.random() < 0.5:
        rng.shuffle(order)
    for k in range(n):
        a.add(order[k], order[k], float(rng.choice((1, 2, 3))))
        if k > 0:
            f = 10.0 ** -rng.randint(1, factor) if decimals else 2.0 ** -rng.randint(1, 3 * factor)
            a.add(order[k], order[k - 1], rng.choice((-1, 1)) * f * rng.randint(1, 9))
    b = [0.0] * n
    b[order[0]] = float(rng.choice((1, 7, 1e-150, 1e-280, 1e-290, 1e-300, 1e-310, 1e300)))
    if rng.random() < 0.3:
        b[order[rng.randrange(n)]] = 1.0
    return a.system(b)


def tiny(rng):
    """A tame A and b near the lower end of the range: x is tiny, subnormal, or no double at all."""
    a = rng.choice((linear_program, dense, graph, grid))(rng)
    shift = rng.choice((-900, -1000, -1022, -1040, -1060, -1070))
    b = [math.ldexp(v, shift) for v in a.b]
    if rng.random() < 0.5:  # some parts of b of usual size
        b = [v if rng.random() < 0.5 else w for v, w in zip(a.b, b)]
    return System("", "", a.rows, a.columns, a.entries, b if any(b) else a.b)


def cancelling(rng):
    """x with components far below the others, not zero, by cancellation: A x with integers beside
    small parts that b has exactly."""
    n = rng.randint(2, 20)
    a = Builder(n)
    for i in range(n):
        for j in rng.sample(range(n), min(n, 4)):
            a.at[i, j] = float(rng.choice((-2, -1, 1, 2, 3)))
        a.at[i, i] = float(rng.choice((3, 4, 5, -5)))
    x = integers_with_zeros(rng, n, zeros=0.3)
    b = a.times([float(v) for v in x])
    for _ in range(rng.randint(1, 2)):
        i = rng.randrange(n)
        if b[i] == 0:
            b[i] = rng.choice((-1, 1)) * 10.0 ** -rng.choice((5, 12, 20, 40, 100, 250, 300, 320))
    return a.system(b)


def block_system(rng):
    """Blocks, some coupled one way, permuted; b is zero in some: what b cannot reach is zero."""
    sizes = [rng.randint(1, 12) for _ in range(rng.randint(2, 5))]
    n = sum(sizes)
    a, order, begin = Builder(n), list(range(n)), [sum(sizes[:k]) for k in range(len(sizes) + 1)]
    rng.shuffle(order)
    for k, size in enumerate(sizes):
        inside = range(begin[k], begin[k + 1])
        for i in inside:
            for j in inside:
                if rng.random() < 0.6 or i == j:
                    a.add(order[i], j, rng.choice((rng.randint(-9, 9), rng.randint(-99, 99) / 10)) * 1.0)
            if k > 0 and rng.random() < 0.4:
                a.add(order[i], rng.randrange(begin[k]), 1.0)
    b = [0.0] * n
    for k in range(len(sizes)):
        if rng.random() < 0.5:
            for i in range(begin[k], begin[k + 1]):
                b[order[i]] = float(rng.randint(-9, 9))
    if not any(b):
        b[order[0]] = 1.0
    return a.system(b)


def hard(rng):
    """Conditions to 1e30: Hilbert's matrix as stored, Vandermonde's, nearly dependent rows."""
    n, kind = rng.randint(3, 14), rng.randrange(3)
    a = Builder(n)
    points = rng.sample(range(-12, 13), n)
    for i in range(n):
        for j in range(n):
            if kind == 0:
                a.add(i, j, 1.0 / (i + j + 1))
            elif kind == 1:
                a.add(i, j, float(points[i]) ** j)
            else:
                a.add(i, j, float(rng.randint(-9, 9)))
    if kind == 2:
        for j in range(n):
            other = sum(a.at[i, j] for i in range(n - 1))
            a.at[n - 1, j] = other + (rng.choice((-1, 0, 1)) * 2.0 ** -rng.choice((10, 20, 40, 45)))
    return a.system(any_right_side(rng, a))


def scaled(rng):
    """Any of the others with rows and columns multiplied by powers of two."""
    s = rng.choice((linear_program, dense, grid, block_system))(rng)
    most = rng.choice((3, 20, 60))
    row = [rng.randint(-most, most) for _ in range(s.rows)]
    column = [rng.randint(-most, most) for _ in range(s.columns)]
    entries = [(i, j, math.ldexp(v, row[i] + column[j])) for i, j, v in s.entries]
    return System("", "", s.rows, s.columns, entries, [math.ldexp(v, row[i]) for i, v in enumerate(s.b)])


def rectangle(rng, rows, columns):
    a, kind = Builder(rows, columns), rng.randrange(3)
    for i in range(rows):
        for j in range(columns):
            if kind == 0:
                a.add(i, j, float(rng.randint(-9, 9)))
            elif kind == 1 and rng.random() < 0.4:
                a.add(i, j, float(rng.choice((-1, 1))))
            elif kind == 2:
                a.add(i, j, float((i - rows // 2)) ** j if j < 4 else rng.randint(-9, 9) / 10)
    return a


def consistent(rng):
    """More rows than columns, b = A x for x of integers and zeros."""
    columns = rng.randint(1, 15)
    a = rectangle(rng, columns + rng.randint(1, 15), columns)
    x = integers_with_zeros(rng, columns) if rng.random() < 0.7 else blocks_of(rng, columns)
    return a.system(a.times([float(v) for v in x]))


def inconsistent(rng):
    """More rows than columns, any b; sometimes x has zeros: b = A x + r with A^T r = 0."""
    columns = rng.randint(1, 12)
    rows = columns + rng.randint(1, 15)
    a = rectangle(rng, rows, columns)
    if rng.random() < 0.5:
        return a.system(integers_with_zeros(rng, rows, zeros=0.3))
    b = a.times([float(v) for v in integers_with_zeros(rng, columns)])
    twice = Builder(2 * rows, columns)  # the rows of A twice, r and -r
    for (i, j), v in a.at.items():
        twice.at[i, j] = twice.at[rows + i, j] = v
    r = [rng.randint(-9, 9) for _ in range(rows)]
    return twice.system([b[i] + r[i] for i in range(rows)] + [b[i] - r[i] for i in range(rows)])


def least_norm(rng):
    """More columns than rows; b zero or not in each row, so that x may have zeros."""
    rows = rng.randint(1, 10)
    a = rectangle(rng, rows, rows + rng.randint(1, 12))
    return a.system(integers_with_zeros(rng, rows, zeros=0.5))


def extreme(rng):
    """Small systems with a row, b or x near either end of the range of doubles."""
    n, kind = rng.randint(1, 8), rng.randrange(3)
    a = Builder(n)
    for i in range(n):
        for j in range(n):
            a.add(i, j, float(rng.randint(-3, 3)))
    if kind == 0:  # x from 1e-300 to 1e300, b rounded
        x = [rng.choice((0, 1, -1, rng.uniform(1, 2))) * 2.0 ** rng.randint(-1000, 1000) for _ in range(n)]
        return a.system([math.fsum(a.at[i, j] * x[j] for j in range(n)) for i in range(n)])
    if kind == 1:
        i, power = rng.randrange(n), rng.choice((-1000, -500, 500, 1000))
        for j in range(n):
            a.at[i, j] = math.ldexp(a.at[i, j], power)
    return a.system([rng.choice((0, 1, 1e-300, 1e300, 1e-150, 1e150)) for _ in range(n)])


def polynomial_columns(rng):
    """1, x, x^2, … at equidistant x: about 0, far from it, or of tiny or huge size."""
    columns = rng.randint(3, 13)
    rows, middle = columns + rng.randint(1, 12), rng.choice((0.0, 0.5, 20.0, 1e3, 1e6, 1.7e9))
    step = rng.choice((1.0, 0.1, 0.125, 60.0)) if middle else rng.choice((1e-6, 0.1, 1.0, 1e4))
    a = Builder(rows, columns)
    for i in range(rows):
        x = middle + step * i
        for j in range(columns):
            a.add(i, j, x ** j)
    return a


def hilbert_columns(rng):
    """Of 1 / (i + j + 1); what decimals have of it, or single precision."""
    columns, bits = rng.randint(4, 18), rng.choice((53, 53, 40))
    a = Builder(columns + rng.randint(1, 10), columns)
    for i in range(a.rows):
        for j in range(columns):
            a.add(i, j, math.ldexp(round(math.ldexp(1 / (i + j + 1), bits)), -bits))
    return a


def dependent_columns(rng):
    """Integers, the last column the sum of others but for a few tiny entries."""
    columns = rng.randint(2, 9)
    a = Builder(columns + rng.randint(1, 12), columns)
    shift = rng.choice((14, 28, 42, 46))
    for i in range(a.rows):
        for j in range(columns - 1):
            a.add(i, j, float(rng.randint(-9, 9)))
        other = sum(a.at[i, j] for j in range(columns - 1))
        a.at[i, columns - 1] = other + rng.choice((-1, 0, 0, 1)) * 2.0 ** -shift
    return a


def fit(rng):
    """Least squares of conditions to 1e28: consistent, nearly, or not; a few of least norm."""
    a = rng.choice((polynomial_columns, polynomial_columns, hilbert_columns, dependent_columns))(rng)
    kind = rng.randrange(4)
    if kind == 0:  # of one column, without rounding
        j, factor = rng.randrange(a.columns), rng.choice((-3.0, 1.0, 2.0)) if rng.random() < 0.5 else 0.5
        return a.system([factor * a.at.get((i, j), 0.0) for i in range(a.rows)])
    if kind == 1:
        return a.system(a.times([float(v) for v in integers_with_zeros(rng, a.columns)]))
    b = [rng.randint(-999, 999) / 100 for _ in range(a.rows)]
    if kind == 2:
        return a.system([v + 0.001 * e for v, e in zip(a.times([1.0] * a.columns), b)])
    if rng.random() < 0.7:
        return a.system(b)
    turned = Builder(a.columns, a.rows)
    turned.at = {(j, i): v for (i, j), v in a.at.items()}
    return turned.system(b[:a.columns])


#: Name for the command, what tables call it, maker.
FAMILIES = {
    "programs": ("bases of linear programs", linear_program), "graphs": ("0/±1 graphs", graph),
    "grids": ("grids", grid), "dense": ("dense small integers", dense),
    "chains": ("chains of tiny numbers", chain), "tiny": ("b near the end of the range", tiny),
    "cancelling": ("tiny components by cancellation", cancelling),
    "blocks": ("blocks, b with zeros", block_system), "hard": ("conditions to 1e30", hard),
    "scaled": ("scaled rows and columns", scaled), "extreme": ("extreme range", extreme),
    "consistent": ("least squares, consistent", consistent),
    "inconsistent": ("least squares, inconsistent", inconsistent), "norm": ("least norm", least_norm),
    "fits": ("least squares, conditions to 1e28", fit),
} | DECEPTIVE
