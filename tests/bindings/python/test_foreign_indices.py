"""Arrays of scipy's matrices that scipy itself does not check: index types, indices, offsets, NaN."""
import numpy as np
import pytest
import scipy.sparse as sp

import ddla

TYPES = [np.int8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


def with_arrays(kind, indices, indptr, data):
    """2 x 2; scipy takes arrays that are set later as they are."""
    a = kind((2, 2))
    a.indices, a.indptr, a.data = np.array(indices), np.array(indptr), np.array(data)
    return a


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.csr_matrix, sp.csc_matrix])
@pytest.mark.parametrize("dtype", TYPES)
def test_every_integer_type_of_indices_is_taken(kind, dtype):
    # Unsorted, and one place twice: (4 1; 2 3 + 2), or its transpose.
    a = with_arrays(kind, np.array([1, 0, 1, 0, 1], dtype), np.array([0, 2, 5], dtype), [1.0, 4.0, 3.0, 2.0, 2.0])
    right = [[4.0, 1.0], [2.0, 5.0]]
    assert np.array_equal(ddla.csr_matrix(a).to_scipy().toarray(), right if a.format == "csr" else np.transpose(right))


def test_index_types_of_coordinates_and_arrays():
    for dtype in TYPES:
        i = np.array([0, 1], dtype)
        assert ddla.csr_matrix.from_coordinates(i, i, [1.0, 2.0], (2, 2)).nnz == 2
        assert ddla.csr_matrix.from_arrays(np.array([0, 1, 2], dtype), i, [1.0, 2.0], (2, 2)).nnz == 2
    for wrong in (np.array([0.0, 1.0]), np.array([False, True])):
        with pytest.raises(TypeError, match="indices have dtype .*: integers are taken"):
            ddla.csr_matrix.from_coordinates(wrong, [0, 1], [1.0, 2.0], (2, 2))


@pytest.mark.parametrize("kind, name", [(sp.csr_array, "column"), (sp.csc_array, "row")])
@pytest.mark.parametrize("index", [2, 70000, -1, 2**40, np.uint64(2**63 - 1)])
def test_indices_out_of_range_are_named(kind, name, index):
    a = with_arrays(kind, np.array([0, index], type(index) if isinstance(index, np.uint64) else None), [0, 1, 2], [1.0, 1.0])
    with pytest.raises(ddla.InputError, match=rf"^{name} {index} of entry 1 is not in 0 \.\.\. 1$"):
        ddla.solve(a, [1.0, 1.0])
    arrays = (a.indices, [0, 1]) if name == "row" else ([0, 1], a.indices)
    with pytest.raises(ddla.InputError, match=rf"^{name} {index} of entry 1 is not in 0 \.\.\. 1$"):
        ddla.csr_matrix.from_coordinates(*arrays, [1.0, 1.0], (2, 2))


def test_an_index_beyond_64_bits_is_named():
    a = with_arrays(sp.csr_array, np.array([0, 2**64 - 1], np.uint64), [0, 1, 2], [1.0, 1.0])
    with pytest.raises(ValueError, match=r"^index 18446744073709551615 of entry 1 is beyond 2\^31 - 1$"):
        ddla.csr_matrix(a)


@pytest.mark.parametrize("kind, names", [(sp.csr_array, "rows"), (sp.csc_array, "columns")])
@pytest.mark.parametrize("offsets", [[0, 9, 2], [0, 1, 9], [1, 1, 2], [0, 2, 1], [0, 2], [0, 1, 2, 2], [0, -1, 2]])
def test_offsets_that_do_not_fit_are_refused(kind, names, offsets):
    a = with_arrays(kind, [0, 1], offsets, [1.0, 1.0])
    with pytest.raises(ValueError, match=rf"^A.indptr must have {names} \+ 1 = 3 ascending offsets from 0 to 2$"):
        ddla.csr_matrix(a)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dense"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite_are_named_by_row_and_column(form, bad):
    dense = np.array([[4.0, 1.0, 0.0], [0.0, 4.0, bad], [0.0, 1.0, 4.0]])
    a = dense if form == "dense" else sp.csr_array(dense).asformat(form)
    calls = {"solve": lambda: ddla.solve(a, np.ones(3)), "check": lambda: ddla.check(a, np.ones(3), np.ones(3)),
             "factors": lambda: ddla.lu_factors(a)}
    for name, call in calls.items():
        with pytest.raises(ddla.InputError, match=f"^{name}: the value of A in row 1, column 2 is Inf or NaN$"):
            call()
