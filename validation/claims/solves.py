"""ddla's answers, in the ways that a system can be asked for."""
from fractions import Fraction

import numpy as np

import ddla

from judge import Answer


def matrix_of(system):
    values, rows, columns = system.arrays()
    return ddla.csr_matrix.from_coordinates(rows, columns, values, (system.rows, system.columns))


def words_of(x, low):
    """For each component its words, high ones first."""
    arrays = []
    for part in (x, low):
        if part is not None:
            arrays += [part.hi, part.lo] if isinstance(part, ddla.ddarray) else [part]
    return list(zip(*(np.asarray(a).tolist() for a in arrays)))


def answer_of(result):
    return Answer(words_of(result.x, result.x_low), result.to_dict())


def solve(system, options, a=None):
    a = matrix_of(system) if a is None else a
    return answer_of(ddla.solve(a, np.array(system.b), **options))


def solve_in_several(system, options, a):
    """As the second of three right-hand sides."""
    b = np.array(system.b)
    return answer_of(ddla.solve(a, np.column_stack([np.ones(system.rows), b, b[::-1]]), **options)[1])


def solve_with_kept_factors(system, options, a):
    return solve(system, options | {"factors": ddla.lu_factors(a)}, a)


def nearest(value):
    """The double nearest to a rational number, or a neighbour."""
    return float(Fraction(int(value.p), int(value.q)))


def check(system, truth, a, rng):
    """ddla.check of the exact x in doubles, in half of the cases with one component changed."""
    x = [nearest(v) for v in truth]
    if rng.random() < 0.5:
        i = rng.randrange(len(x))
        x[i] = x[i] * (1 + 10.0 ** -rng.randint(2, 15)) if x[i] else rng.choice((1e-320, 1e-310, 1e-30))
    found = ddla.check(a, np.array(system.b), np.array(x), digits=12)
    return Answer([(v,) for v in x], found.to_dict())
