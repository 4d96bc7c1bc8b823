"""One number has one value in every form; a result is true where it converged; singular factors raise."""
import ctypes
import decimal
import fractions

import numpy as np
import pytest

import ddla


@pytest.mark.parametrize("forms", [
    ("1", "+1", " +1.0 ", 1, decimal.Decimal("+1"), np.int64(1), np.str_("+1")),
    ("1e-400", fractions.Fraction(1, 10**400), decimal.Decimal("1e-400"), 0.0),
    ("0.1", "+.1", fractions.Fraction(1, 10), decimal.Decimal("0.1")),
])
def test_forms_of_a_number_have_one_value(forms):
    first = ddla.dd(forms[0])
    for x in forms:
        assert (ddla.dd(x).hi, ddla.dd(x).lo) == (first.hi, first.lo), repr(x)


@pytest.mark.parametrize("x", ["1e400", "+1e400", "-1e400", 10**400, -(10**400), fractions.Fraction(10**400),
                               decimal.Decimal("1e400"), np.longdouble("1e400")])
def test_numbers_out_of_range_are_refused(x):
    with pytest.raises(OverflowError, match="out of the range of double"):
        ddla.dd(x)


@pytest.mark.parametrize("x", ["+-1", "++1", "", "1_0", "one"])
def test_what_is_no_number_is_refused(x):
    with pytest.raises(ValueError, match="is not a number"):
        ddla.dd(x)


def test_a_result_is_true_where_it_converged():
    a = np.diag([2.0, 3.0, 5.0]) + 1
    assert ddla.solve(a, np.ones(3))
    assert not ddla.solve(np.ones((3, 3)), np.array([1.0, 2.0, 3.0]))


@pytest.mark.parametrize("b", [np.ones(2), np.ones((2, 3))])
def test_singular_factors_do_not_solve(b):
    f = ddla.lu_factors(np.array([[1.0, 2.0], [2.0, 4.0]]))
    with pytest.raises(ddla.errors.InputError, match="no pivot in 1 of 2 columns"):
        f.solve(b)


@pytest.mark.parametrize("direction", [0x400, 0x800, 0xC00])  # of x86: down, up, towards zero
def test_rounding_of_the_process_changes_no_bit(direction):
    libm = ctypes.CDLL("libm.so.6")
    x = ddla.ddarray(np.full(100, 0.1))
    want = (x.dot(x), x * x / 3)
    libm.fesetround(direction)
    try:
        got = (x.dot(x), x * x / 3)
        mode = libm.fegetround()
    finally:
        libm.fesetround(0)
    assert mode == direction
    assert got[0] == want[0] and np.array_equal(got[1].hi, want[1].hi) and np.array_equal(got[1].lo, want[1].lo)
