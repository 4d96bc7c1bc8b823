"""Inputs of the kinds that users of scipy reported, in scipy's matrices: validation/cases/README.md."""
import pathlib
from fractions import Fraction

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

import ddla

CASES = pathlib.Path(__file__).resolve().parents[3] / "validation" / "cases"

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="validation/cases is not there")


def right_values(name):
    return [None if word == "*" else Fraction(word) for word in (CASES / f"{name}.x.txt").read_text().split()]


@pytest.mark.parametrize("name", ["near-largest", "skew-array", "smallest-double", "rounding-for-zeros", "penalty",
                                  "pascal", "not-symmetric"])
def test_the_same_x_from_each_form_of_scipy(name):
    a, b = scipy.io.mmread(CASES / f"{name}.mtx"), scipy.io.mmread(CASES / f"{name}.b.mtx").ravel()
    first = None
    for form in ("csr", "csc", "coo"):
        result = ddla.solve(sp.csr_array(a).asformat(form), b)
        assert result.converged and result.digits > 31
        for found, right in zip(result.x, right_values(name)):
            assert abs(found.to_fraction() - right) <= abs(right) * Fraction(10) ** -31
        first = first or result.solution_hash
        assert result.solution_hash == first


@pytest.mark.parametrize("name, rank", [("last-diagonal-zero", 3), ("stored-zeros", 2), ("empty-row-and-column", 2),
                                        ("constraint-twice", 3), ("entries-in-parts", 2), ("equal-rows", 3),
                                        ("identity-with-corners", 5)])
def test_singular_systems_get_one_x_and_the_rank(name, rank):
    a, b = sp.csc_array(scipy.io.mmread(CASES / f"{name}.mtx")), scipy.io.mmread(CASES / f"{name}.b.mtx").ravel()
    result = ddla.solve(a, b)
    assert result.converged and result.digits is None and result.rank["value"] == rank and result.rank["consistent"]
    for found, right in zip(result.x, right_values(name)):
        assert right is None or abs(found.to_fraction() - right) <= Fraction(10) ** -31


def test_the_identity_with_a_zero_at_its_end():
    result = ddla.solve(sp.diags_array([1.0] * 9 + [0.0]).tocsc(), np.zeros(10))
    assert result.converged and not np.any(result.x.hi)
    ones = ddla.solve(sp.diags_array([1.0] * 9 + [0.0]).tocsc(), np.ones(10))
    assert ones.status == "singular" and ones.rank["value"] == 9 and ones.rank["dependent_rows"] == [9]
