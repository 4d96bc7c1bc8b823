"""What files lose, how far b is from the range, and checks of least squares."""
import numpy as np
import pytest

import ddla


def test_a_file_whose_values_underflow_warns(tmp_path):
    file = tmp_path / "a.mtx"
    file.write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e-400\n2 2 1e-310\n")
    with pytest.warns(RuntimeWarning) as warned:
        ddla.read_matrix(file)
    assert [str(w.message).split(": ", 1)[1] for w in warned] == [
        "values that are too small for a double and became 0: 1",
        "values that are so small that they keep fewer digits than the file has: 1"]


def test_the_distance_of_b_from_the_range_is_told():
    a = ddla.csr_matrix.from_coordinates([0, 0, 1, 1, 2], [0, 1, 0, 1, 2], [1.0, -1, -1, 1, 1], (3, 3))
    r = ddla.solve(a, np.array([3.0, 4, 12]))  # the null vector is (1, 1, 0)
    assert abs(r.rank["distance_of_b"] - 7 / np.sqrt(2) / 13) < 1e-15
    assert 'b is 3.8e-01 of its norm from the range of A; solve(A, b, method="lsmr")' in repr(r)
    assert ddla.solve(a, np.array([3.0, 4, 12]), method="lsmr").converged


def test_least_squares_are_checked():
    a = ddla.csr_matrix.from_coordinates([0, 1, 2, 1, 2], [0, 0, 0, 1, 1], [1.0, 1, 1, 1, 2], (3, 2))
    b = np.array([2.0, 1, 6])
    assert ddla.check(a, b, np.array([1.0, 2]), digits=30)
    assert not ddla.check(a, b, np.array([1.0, 2.01]))
