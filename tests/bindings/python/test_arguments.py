"""What people give for A and b: lists are taken, what is no vector is refused in words that help."""
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

import ddla
from ddla import dd, ddarray

A = sp.csr_array([[4.0, 1.0], [1.0, 3.0]])
CALLS = {"solve": lambda b: ddla.solve(A, b), "check": lambda b: ddla.check(A, b, [1.0, 1.0]),
         "plan_solve": lambda b: ddla.plan_solve(A, b), "cg": lambda b: ddla.cg(A, b),
         "f.solve": lambda b: ddla.lu_factors(A).solve(b)}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("b, cause", [
    (sp.csr_array([[1.0], [2.0]]), r"b is sparse, a csr_array: a dense vector is needed: take b.toarray\(\)"),
    (sp.coo_matrix([[1.0, 2.0], [1.0, 2.0]]), "b is sparse, a coo_matrix"),
    ((x for x in (1.0, 2.0)), r"b is a generator, which can be read only once: take list\(b\)"),
    (map(float, "12"), "b is a map, which"),
    ({1.0, 2.0}, "b is a set: a list or an array of numbers is needed"),
    ({0: 1.0, 1: 2.0}, "b is a dict: a list"),
    ("b.mtx", "b is a str: a vector of numbers is needed; ddla.read_vector reads one from a file"),
    (b"b.mtx", "b is a bytes: a vector"),
    (None, "b is None: a vector of numbers is needed"),
    (ddla.csr_matrix(A), "b is a matrix: a vector of numbers is needed"),
])
def test_what_is_no_vector_is_refused(call, b, cause):
    with pytest.raises(TypeError, match=cause):
        CALLS[call](b)


def test_other_vectors_are_named():
    with pytest.raises(TypeError, match="x0 is sparse"):
        ddla.solve(A, [1.0, 2.0], sp.csr_array([[1.0], [2.0]]))
    with pytest.raises(TypeError, match="x is a generator"):
        ddla.check(A, [1.0, 2.0], (x for x in (1.0, 2.0)))
    assert ddla.solve(A, sp.csr_array([[1.0], [2.0]]).toarray()).converged


@pytest.mark.parametrize("rows", [[[4, 1], [1, 3]], [(4.0, 1.0), (1.0, 3.0)], ([4, 1], [1, 3]), [np.array([4, 1]), [1, 3.0]],
                                  [[Fraction(4), dd(1)], ["1", 3]], [ddarray([4, 1]), [1, 3]], ddarray([[4, 1], [1, 3]])])
def test_lists_of_rows_are_matrices(rows):
    a = ddla.csr_matrix(rows)
    assert a.shape == (2, 2) and (a @ ddarray([1, 10])).hi.tolist() == [14, 31]
    r = ddla.solve(rows, [1, 2])
    # By Cramer: x = (1/11, 7/11).
    assert all(abs(x.to_fraction() - true) < Fraction(2) ** -104 for x, true in zip(r.x, (Fraction(1, 11), Fraction(7, 11))))
    assert ddla.cg(rows, [1, 2], rtol=1e-25)[1] == 0


def test_lists_keep_their_digits_and_drop_zeros():
    a = ddla.csr_matrix([["0.1", 0], [0, 2**70 + 1]])
    assert a.precision == "dd" and a.nnz == 2
    value = a.arrays()[2]
    assert value[0] == dd("0.1") and value[1].to_fraction() == 2**70 + 1
    beside = ddla.csr_matrix([["0.1", 0.1]]).arrays()[2]
    assert beside[0] == dd("0.1") and beside[1] == dd(0.1) != beside[0]
    assert ddarray(["0.1", 0.1])[1] == 0.1
    assert ddla.csr_matrix([[1j, 0], [0, 2]]).is_complex
    assert ddla.csr_matrix([[0.0, 1.0]]).shape == (1, 2)


@pytest.mark.parametrize("a, kind, cause", [
    ([[1.0, 2.0], [3.0]], ValueError, "A is a list whose row 1 has 1 numbers, row 0 has 2"),
    ([1.0, 2.0], ValueError, "A is a list of numbers: a list of rows is needed"),
    ([[[1.0]]], ValueError, "A must have two dimensions, not 3"),
    ([[True, False], [False, True]], TypeError, "A has dtype bool"),
    ([[None, 1], [1, 2]], TypeError, "NoneType does not convert"),
    ("a.mtx", TypeError, "A is a str: ddla.read_matrix reads a matrix from a file"),
    ((row for row in ([1.0], [2.0])), TypeError, "a list of rows, not generator"),
])
def test_what_is_no_matrix_is_refused(a, kind, cause):
    with pytest.raises(kind, match=cause):
        ddla.solve(a, [1.0, 2.0])
