"""ddla's answers, in the ways that a system can be asked for."""
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
