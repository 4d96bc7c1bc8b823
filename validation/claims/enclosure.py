"""x of a sparse system of doubles to a proven number of bits, for n where rational answers take too long.

A is equilibrated by powers of two.  SuperLU's factors in double give corrections; x and the residual
are integers times a power of two, the residual exact, so x gets as many bits as one likes.  Proof:
for any matrix R with |I - R A| <= alpha < 1 (row sums), A is not singular and
|x - x~| <= |R| |b - A x~| / (1 - alpha).  R is made of the same factors, some rows at a time, and
I - R A judged with bounds of all roundings.

A zero needs more: that b does not reach the component, or that x~, cut to few bits, solves the
system exactly, or that the bound is below the least number that Cramer's rule leaves, its numerator
an integer and the determinant within Hadamard's bound.
"""
import math
from dataclasses import dataclass

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg

from exact import odd_and_exponent

BITS = 320        #: of each component that is not zero
ROUNDING = 2.0 ** -53
ROWS_AT_ONCE = 64
MOST_BITS = 60000  #: of x~, to prove zeros


class Unproved(Exception):
    """Why x is not known."""


@dataclass
class Scaled:
    """scaled.tocsr()_ij = a_ij 2^(row_i + column_j); integers times 2^exponent, by rows."""

    a: scipy.sparse.csr_array
    row: np.ndarray
    column: np.ndarray
    integers: np.ndarray
    exponent: int


def equilibrated(a):
    """Largest entries of rows and columns near 1, by powers of two, exactly."""
    a = scipy.sparse.csr_array(a)
    a.sort_indices()
    fraction, power = np.frexp(a.data)
    power = power.astype(np.int64)
    rows = np.repeat(np.arange(a.shape[0]), np.diff(a.indptr))
    row, column = np.zeros(a.shape[0], np.int64), np.zeros(a.shape[1], np.int64)
    for _ in range(6):
        for at, scale in ((rows, row), (a.indices, column)):
            now = power + row[rows] + column[a.indices]
            most = np.full(len(scale), np.iinfo(np.int64).min)
            np.maximum.at(most, at, now)
            scale -= np.where(most == np.iinfo(np.int64).min, 0, most)
    power = power + row[rows] + column[a.indices]
    if power.min(initial=0) < -900:
        raise Unproved("entries too far apart")
    odd = np.ldexp(fraction, 53).astype(np.int64).astype(object)
    least = int(power.min(initial=0)) - 53
    integers = np.array([int(v) << int(e) - 53 - least for v, e in zip(odd, power)], dtype=object)
    scaled = scipy.sparse.csr_array((np.ldexp(fraction, power.astype(np.int32)), a.indices, a.indptr), shape=a.shape)
    return Scaled(scaled, row, column, integers, least)


def times(s, x):
    """Integers of A times integers x, exactly."""
    products = s.integers * x[s.a.indices]
    return np.add.reduceat(products, s.a.indptr[:-1])


def factored(s):
    if np.any(np.diff(s.a.indptr) == 0) or scipy.sparse.csgraph.structural_rank(s.a) < s.a.shape[0]:
        raise Unproved("singular by its structure")
    try:
        return scipy.sparse.linalg.splu(s.a.tocsc())
    except RuntimeError as error:
        raise Unproved("SuperLU finds a zero pivot") from error


def norm_of_inverse(s, factors):
    """A bound of the norm of A^-1 by rows, proved; Unproved if A is too near to singular."""
    n = s.a.shape[0]
    size = abs(s.a)
    # A sum of k products in any order errs by at most k u / (1 - k u) of the sum of their sizes.
    gamma = 1.01 * (int(np.diff(s.a.tocsc().indptr).max()) + 2) * ROUNDING
    alpha, norm = 0.0, 0.0
    for begin in range(0, n, ROWS_AT_ONCE):
        count = min(ROWS_AT_ONCE, n - begin)
        unit = np.zeros((n, count))
        unit[begin + np.arange(count), np.arange(count)] = 1
        with np.errstate(all="ignore"):
            r = np.ascontiguousarray(factors.solve(unit, trans="T").T)
            off = r @ s.a
            off[np.arange(count), begin + np.arange(count)] -= 1
            bound = np.abs(off) + gamma * (np.abs(r) @ size) + n * 2.0 ** -1000
        part = bound.sum(axis=1).max() * (1 + 2 * n * ROUNDING)
        if not part < 0.5:
            raise Unproved(f"rows of |I - R A| with sum {part:.1e}")
        alpha, norm = max(alpha, part), max(norm, np.abs(r).sum(axis=1).max() * (1 + 2 * n * ROUNDING))
    return norm / (1 - alpha) * 1.01


class Lifted:
    """x~ = y 2^-bits and b - A x~ = rest 2^(exponent of A - bits), in integers, of the scaled system."""

    def __init__(self, s, factors, norm, b):
        self.s, self.factors, self.norm = s, factors, norm
        parts = [odd_and_exponent(v) for v in b]
        powers = [e + int(p) for (_, e), p in zip(parts, s.row)]
        least = min(p for (odd, _), p in zip(parts, powers) if odd)
        self.bits = max(0, s.exponent - least)
        self.rest = np.array([odd << p + self.bits - s.exponent if odd else 0
                              for (odd, _), p in zip(parts, powers)], dtype=object)
        self.right, self.right_bits = self.rest.copy(), self.bits
        self.y = np.zeros(len(b), dtype=int).astype(object)

    def size_of_rest(self):
        """max |rest| < 2^this; None for zero."""
        return max(int(v).bit_length() for v in self.rest) if any(self.rest) else None

    def step(self):
        size = self.size_of_rest()
        if size is None:
            self.y, self.bits = self.y << 64, self.bits + 64
            return
        cut = max(0, size - 200)
        r = np.array([float(int(v) >> cut) for v in self.rest]) * 2.0 ** -(size - cut)
        d = self.factors.solve(r)
        most = np.abs(d).max()
        if not 0 < most < math.inf:
            raise Unproved("corrections are not finite")
        # A correction is d 2^(size + exponent - bits); its largest part gets 52 bits.
        shift = 52 - math.frexp(most)[1] - size - self.s.exponent
        before = size - self.bits
        whole = np.array([int(v) for v in np.rint(np.ldexp(d, 52 - math.frexp(most)[1]))], dtype=object)
        if shift < 0:  # b has bits far below the largest x
            whole, shift = whole << -shift, 0
        self.y = (self.y << shift) + whole
        self.rest = (self.rest << shift) - times(self.s, whole)
        self.bits += shift
        size = self.size_of_rest()
        if size is not None and size - self.bits > before - 3:
            raise Unproved("corrections do not converge")

    def error(self):
        """e so that |x - x~| <= 2^e, of the scaled system; None if x~ is exact."""
        size = self.size_of_rest()
        return None if size is None else size + self.s.exponent - self.bits + math.frexp(self.norm)[1]

    def small(self):
        """Components without the bits."""
        error = self.error()
        if error is None:
            return []
        return [i for i, v in enumerate(self.y) if int(v).bit_length() - 1 - self.bits < error + BITS]

    def solves_exactly(self, x, bits):
        """Whether x 2^-bits is the answer."""
        product = times(self.s, x)
        most = max(bits, self.right_bits)
        return np.array_equal(product << most - bits, self.right << most - self.right_bits)


def reached(a, b):
    """Which components can differ from zero, by the places of entries alone."""
    match = scipy.sparse.csgraph.maximum_bipartite_matching(a, perm_type="column")  # of each row its column
    by_columns = a.tocsc()
    seen = np.zeros(a.shape[0], bool)
    todo = [int(match[i]) for i, v in enumerate(b) if v != 0]
    seen[todo] = True
    while todo:
        j = todo.pop()
        for i in by_columns.indices[by_columns.indptr[j]:by_columns.indptr[j + 1]]:
            if not seen[match[i]]:
                seen[match[i]] = True
                todo.append(int(match[i]))
    return seen


def least_bits(s, lifted):
    """k so that a component of the scaled x that is not zero is at least 2^-k."""
    a, rows = s.a, np.repeat(np.arange(s.a.shape[0]), np.diff(s.a.indptr))
    trailing = np.array([(v & -v).bit_length() - 1 for v in s.integers.tolist()])
    row = np.full(a.shape[0], np.iinfo(np.int64).max)
    np.minimum.at(row, rows, trailing)
    column = np.full(a.shape[0], np.iinfo(np.int64).max)
    np.minimum.at(column, a.indices, trailing - row[rows])
    # A = 2^exponent diag(2^row) N diag(2^column), N of integers.
    powers = -s.exponent - row[rows] - column[a.indices]
    with np.errstate(divide="ignore"):
        sizes = 2 * (np.log2(np.abs(a.data)) + powers)
    by_row, by_column = np.full(a.shape[0], -np.inf), np.full(a.shape[0], -np.inf)
    np.logaddexp2.at(by_row, rows, sizes)
    np.logaddexp2.at(by_column, a.indices, sizes)
    determinant = min(by_row.sum(), by_column.sum()) / 2 + 1
    # x = diag(2^-column) N^-1 diag(2^-row) rest 2^-bits at the start.
    right = [(int(v) & -int(v)).bit_length() - 1 - int(row[i]) for i, v in enumerate(lifted.right) if v]
    return math.ceil(determinant) + int(column.max()) - min(right) + lifted.right_bits + 1


def cut(lifted, zeros):
    """x~ with zeros there, and to 64 bits a component: (integers, bits)."""
    y = lifted.y.copy()
    for i in zeros:
        y[i] = 0
    for i, v in enumerate(y):
        drop = abs(int(v)).bit_length() - 64
        if drop > 0:
            y[i] = (int(v) + (1 << drop - 1) >> drop) << drop
    return y, lifted.bits


def solve(s, factors, norm, b):
    """The scaled answer as (integers, bits): each is x 2^bits to BITS bits, or zero exactly."""
    lifted = Lifted(s, factors, norm, b)
    seen = reached(s.a, b)
    least = None
    while True:
        lifted.step()
        error, small = lifted.error(), lifted.small()
        open_ones = [i for i in small if seen[i]]
        if not open_ones:
            break
        if lifted.bits - lifted.right_bits < 1400 and error > -1400:
            continue
        if least is None:
            y, bits = cut(lifted, small)
            if lifted.solves_exactly(y, bits):
                return y, bits
            least = least_bits(s, lifted)
            if least > MOST_BITS:
                raise Unproved(f"{len(open_ones)} components, zero or tiny, need {least} bits")
        # Below the least size it is zero; above the error it is not, and gets its bits.
        if error < -least - 2 and all(int(lifted.y[i]).bit_length() - lifted.bits <= error for i in open_ones):
            break
    for i in range(len(seen)):
        if not seen[i]:
            lifted.y[i] = 0
    for i in small:
        lifted.y[i] = 0
    return lifted.y, lifted.bits


def answers(a, b_columns):
    """For each b the list of (integer, exponent), x to BITS bits, or the Unproved that it meets."""
    s = equilibrated(a)
    factors = factored(s)
    norm = norm_of_inverse(s, factors)
    for b in b_columns:
        try:
            y, bits = solve(s, factors, norm, b)
        except Unproved as why:
            yield why
            continue
        yield [(0, 0) if v == 0 else shortened(int(v), int(c) - bits) for v, c in zip(y, s.column)]


def shortened(v, exponent):
    drop = max(0, abs(v).bit_length() - BITS - 20)
    return v >> drop, exponent + drop
