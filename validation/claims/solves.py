"""ddla's answers, in the ways that a system can be asked for."""
from fractions import Fraction

import numpy as np

import ddla

from judge import Answer


def is_complex(system):
    return system.notes.get("complex", False)


def matrix_of(system):
    if is_complex(system):
        dense = system.dense()
        return dense[::2, ::2] + 1j * dense[1::2, ::2]
    values, rows, columns = system.arrays()
    return ddla.csr_matrix.from_coordinates(rows, columns, values, (system.rows, system.columns))


def right_side_of(system):
    b = np.array(system.b)
    return b[::2] + 1j * b[1::2] if is_complex(system) else b


def arrays_of(x):
    """The words of x, each as an array; of a complex x of its real form."""
    if isinstance(x, ddla.complex_ddarray) or isinstance(x, np.ndarray) and np.iscomplexobj(x):
        return [np.stack(pair, axis=-1).reshape(-1) for pair in zip(arrays_of(x.real), arrays_of(x.imag))]
    return [np.asarray(x.hi), np.asarray(x.lo)] if isinstance(x, ddla.ddarray) else [np.asarray(x)]


def words_of(x, low):
    """For each component its words, high ones first."""
    arrays = arrays_of(x) + ([] if low is None else arrays_of(low))
    return list(zip(*(a.tolist() for a in arrays)))


def answer_of(result):
    return Answer(words_of(result.x, result.x_low), result.to_dict())


def solve(system, options, a=None):
    a = matrix_of(system) if a is None else a
    return answer_of(ddla.solve(a, right_side_of(system), **options))


def solve_in_several(system, options, a):
    """As the second of three right-hand sides."""
    b = right_side_of(system)
    return answer_of(ddla.solve(a, np.column_stack([np.ones(b.size), b, b[::-1]]), **options)[1])


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
    given = np.array(x[::2]) + 1j * np.array(x[1::2]) if is_complex(system) else np.array(x)
    found = ddla.check(a, right_side_of(system), given, digits=12)
    return Answer([(v,) for v in x], found.to_dict())
