"""One number has one value in every form; a result is true where it converged; singular factors raise."""
import ctypes
import decimal
import fractions
import platform

import numpy as np
import pytest
import scipy.sparse as sp

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


class Mode:
    """The floating-point mode of this thread, set through glibc's fenv_t: MXCSR is its last word."""
    BITS = 0xE040  # flush to zero, the rounding, denormals are zeros

    def __init__(self, bits):
        self.libm, self.wanted, self.env = ctypes.CDLL("libm.so.6"), bits, (ctypes.c_uint32 * 8)()

    def get(self):
        now = (ctypes.c_uint32 * 8)()
        self.libm.fegetenv(now)
        return now[7] & self.BITS

    def set(self, bits):
        now = (ctypes.c_uint32 * 8)()
        self.libm.fegetenv(now)
        now[7] = now[7] & ~self.BITS | bits
        self.libm.fesetenv(now)

    def __enter__(self):
        self.set(self.wanted)
        return self

    def __exit__(self, *_):
        self.set(0)


x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="the bits are those of x86-64")
TINY = 2.0**-1030  # a subnormal number


@x86
def test_modes_are_set_and_seen():
    with Mode(0x8040) as mode:  # what the tests below set does change arithmetic outside of ddla
        seen = mode.get()
        lost = np.array([TINY]) * 2 + 0
    assert (seen, lost[0], mode.get()) == (0x8040, 0, 0)


@x86
@pytest.mark.parametrize("bits", [0x2000, 0x4000, 0x6000, 0x8000, 0x0040, 0x8040, 0xE040])
def test_the_mode_of_the_process_changes_no_bit(bits):
    n = 100
    a = ddla.csr_matrix(sp.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(n, n), format="csr"))
    x, tiny, b = ddla.ddarray(np.full(n, 0.1)), ddla.ddarray(np.full(n, TINY)), np.full(n, 1 / 3)
    other = np.array([1e-310, 5e-324])
    own = ddla.LinearOperator((n, n), lambda r: r / 2.5)
    f, k = ddla.lu_factors(a), ddla.Preconditioner("ilu", a)

    def everything():
        yield x.dot(x), x.nrm2(), tiny.asum(), ddla.ddarray(other) * 2
        yield x * x / 3, x - 1 / x, x.sqrt(), tiny + tiny, tiny * 2, tiny - 3 * tiny
        yield ddla.dd("1e-310"), ddla.dd("0.1") * ddla.dd("0.3"), str(ddla.dd("0.1") / 3), ddla.dd(5e-324) + ddla.dd(5e-324)
        yield ddla.dd(fractions.Fraction(1, 10)), ddla.dd(1 / 3, 1e-17), ddla.dd(10**40 + 1), ddla.dd(decimal.Decimal("0.1"))
        yield ddla.dd(TINY) == 0, ddla.dd(TINY) > 0, bool(ddla.dd(TINY)), ddla.dd(1, 5e-324) > 1, (tiny == 0).any(), bool(tiny[:1]), hash(ddla.dd("0.1"))
        yield ddla.ddarray(x.hi, x.hi / 2**55), ddla.ddarray(["0.1", fractions.Fraction(1, 3)]), ddla.ddarray(np.longdouble("0.1"))
        yield a @ x, f.solve(b), f.solve(x), k @ x
        yield ddla.solve(a, b).x, ddla.solve(a, b, factors=f).x, ddla.solve(a, b, solution_words=4).x
        yield ddla.solve(a, b, method="refine", M=k).x, ddla.solve(a, b, method="cg", M=own, tolerance=1e-25).x
        yield ddla.solve(a, np.full(n, TINY)).x, ddla.solve(a, np.ones((n, 2)))[1].x
        yield ddla.check(a, b, np.ones(n)).digits_worst, ddla.lu_factors(a).about["growth"]

    want = [repr(part) for part in everything()]
    got, modes = [], set()
    with Mode(bits) as mode:
        for part in everything():
            modes.add(mode.get())
            got.append(part)
        for wrong in (lambda: ddla.solve(a, np.ones(3)), lambda: ddla.dd("one"), lambda: ddla.lu_factors(np.zeros((2, 2))).solve(b[:2])):
            with pytest.raises(ValueError):
                wrong()
            modes.add(mode.get())
    assert modes == {bits}
    assert [repr(part) for part in got] == want


@x86
def test_what_callbacks_leave_is_undone():
    n, mode, seen = 100, Mode(0), []
    a = sp.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(n, n), format="csr")

    def spoil(*_):
        seen.append(mode.get())
        mode.set(0xE040)

    def matvec(r):
        spoil()
        return r / 2.5

    want = ddla.solve(a, np.ones(n), method="cg", M=ddla.LinearOperator((n, n), lambda r: r / 2.5), tolerance=1e-25).x
    with Mode(0x2000):
        got = ddla.solve(a, np.ones(n), method="cg", M=ddla.LinearOperator((n, n), matvec), tolerance=1e-25,
                         callback=spoil).x
        after = mode.get()
    assert after == 0x2000 and len(seen) > 10 and set(seen) == {0}
    assert repr(got) == repr(want)
