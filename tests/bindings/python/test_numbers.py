"""dd and ddarray against exact rationals."""
import copy
import decimal
import fractions
import math
import pickle
import random

import numpy as np
import pytest

import ddla
from ddla import dd, ddarray

F = fractions.Fraction


def exact(x):
    return x.to_fraction()


def random_dd(generator):
    hi = generator.uniform(-1, 1) * 2.0 ** generator.randint(-60, 60)
    return dd(hi, hi * generator.uniform(-1, 1) * 2.0**-54)


@pytest.mark.parametrize("name, bound", [("add", 3), ("sub", 3), ("mul", 5), ("truediv", 10)])
def test_operations_err_by_a_few_units(name, bound):
    generator = random.Random(17)
    for _ in range(300):
        x, y = random_dd(generator), random_dd(generator)
        got = exact(getattr(x, f"__{name}__")(y))
        true = getattr(exact(x), f"__{name}__")(exact(y))
        assert abs(got - true) <= abs(true) * bound * F(2) ** -105


@pytest.mark.parametrize("operation", ["__add__", "__sub__", "__mul__", "__truediv__"])
def test_arrays_and_scalars_have_the_same_bits(operation):
    generator = random.Random(3)
    x, y = ([random_dd(generator) for _ in range(50)] for _ in range(2))
    z = getattr(ddarray(x), operation)(ddarray(y))
    d = getattr(ddarray(x), operation)(np.array([float(v) for v in y]))
    for i in range(50):
        assert z[i] == getattr(x[i], operation)(y[i])
        assert d[i] == getattr(x[i], operation)(float(y[i]))


def test_strings_are_rounded_right_and_read_back():
    tenth = dd("0.1")
    assert tenth.hi == 0.1
    assert tenth.lo == float(F(1, 10) - F(0.1))
    generator = random.Random(5)
    for _ in range(100):
        x = random_dd(generator)
        assert dd(str(x)) == x and dd(repr(x)[4:-2]) == x
    with pytest.raises(ddla.InputError):
        dd("0.1 apples")


def test_fractions_and_decimals_convert_exactly_both_ways():
    generator = random.Random(7)
    for _ in range(100):
        x = random_dd(generator)
        assert dd(x.to_fraction()) == x
        assert dd(x.to_decimal()) == x and F(x.to_decimal()) == x.to_fraction()
        assert F(*x.as_integer_ratio()) == x.to_fraction()
    third = dd(F(1, 3))
    assert abs(exact(third) - F(1, 3)) < F(2) ** -107


def test_decimal_contexts_round_nothing():
    with decimal.localcontext() as context:
        context.prec = 3
        assert F((dd(1) / 3).to_decimal()) == (dd(1) / 3).to_fraction()


def test_integers_are_exact():
    n = 2**120 + 2**60 + 1
    assert int(dd(n)) != n and int(dd(2**100 + 2**50)) == 2**100 + 2**50
    assert dd(np.int64(2**62 + 1)) == 2**62 + 1 and dd(np.uint64(2**64 - 1)) == 2**64 - 1
    for n in (2**53 - 1, 2**53, 2**53 + 1, -(2**62) - 3, -(2**63)):
        assert ddarray(np.array([n]))[0] == n


def test_mpmath_converts_exactly_both_ways():
    mpmath = pytest.importorskip("mpmath", reason="mpmath is not installed")
    x = dd(1) / 7
    with mpmath.workprec(300):
        assert dd(mpmath.mpf(x)) == x and dd(x.to_mpmath()) == x
        assert dd(mpmath.mpf(1) / 7) == dd(F(1, 7))
        assert math.isnan(dd(mpmath.nan).hi) and dd(-mpmath.inf).hi == -math.inf


def test_quaddtype_converts_both_ways():
    quad = pytest.importorskip("numpy_quaddtype", reason="numpy_quaddtype is not installed")
    x = ddarray(["0.1", "1e20", "-3.25"])
    assert np.all(ddarray(x.to_quad()) == x)
    assert dd(x[0].to_quad()) == x[0]
    assert x.to_quad().dtype == quad.QuadPrecDType()


def test_longdouble_is_exact():
    v = np.array([1, 3], dtype=np.longdouble) / np.longdouble(7)
    x = ddarray(v)
    assert np.all(x.hi.astype(np.longdouble) + x.lo == v)


def test_comparisons_and_hashes_are_of_exact_values():
    assert dd(0.1) == 0.1 and dd("0.1") != 0.1 and dd("0.1") < dd(0.1)
    assert dd(0.5) == F(1, 2) == dd(decimal.Decimal("0.5")) and hash(dd(0.5)) == hash(F(1, 2))
    third = dd(1) / 3
    assert hash(third) == hash(third.to_fraction()) and third == third.to_fraction()
    assert dd(math.nan) != dd(math.nan) and dd(math.inf) == math.inf and not dd(math.inf) < math.inf
    assert dd(3) > 2 and dd(3) >= 3 and not dd(3) == "3"
    with pytest.raises(TypeError):
        hash(ddarray([1.0]))


@pytest.mark.parametrize("wrong", [True, 1j, None, [1.0], b"1"])
def test_what_is_no_real_number_is_refused(wrong):
    with pytest.raises(TypeError):
        dd(wrong)


def test_arrays_of_other_dtypes():
    for dtype in ("f2", "f4", ">f8", "i1", "u4", ">i4", "i8"):
        assert list(ddarray(np.array([1, 2], dtype=dtype)).hi) == [1.0, 2.0]
    with pytest.raises(TypeError, match="dtype complex128: real numbers"):
        ddarray(np.array([1j]))
    with pytest.raises(TypeError, match="dtype bool"):
        ddarray(np.array([True]))


def test_numpy_never_rounds_an_array_silently():
    x = ddarray(["0.1", "0.2"])
    for convert in (np.asarray, lambda a: np.asarray(a, dtype=float), np.linalg.norm):
        with pytest.raises(TypeError):
            convert(x)
    assert np.asarray(x, dtype=object)[0] == dd("0.1")
    y = np.array([1.0, 2.0]) + x
    assert isinstance(y, ddarray) and y[0] == dd("0.1") + 1.0
    z = np.array([1.0, 2.0]) * dd("0.1")
    assert isinstance(z, ddarray) and z[1] == 2.0 * dd("0.1") == (dd("0.1") * np.array([1.0, 2.0]))[1]
    assert isinstance(np.float64(1) - x, ddarray) and isinstance(np.float64(1) - x[0], dd)


def test_slices_are_views_and_copies_are_not():
    x = ddarray(np.arange(10.0))
    odd = x[1::2]
    odd[0] = dd("0.1")
    assert x[1] == dd("0.1")
    for twin in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), pickle.loads(pickle.dumps(odd))):
        assert np.all(twin == (x if len(twin) == 10 else odd))
        twin[0] = 99.0
        assert x[0] == 0.0
    assert pickle.loads(pickle.dumps(dd("0.1"))) == dd("0.1")
    assert np.all(odd + odd == 2.0 * odd)


def test_sums_follow_the_library():
    x = ddarray(np.linspace(-1, 2, 1001)) / 3
    assert abs(exact(x.dot(x)) - sum(exact(v) ** 2 for v in x)) < F(10) ** -27
    assert x.nrm2() == x.dot(x).sqrt() or abs(exact(x.nrm2()) ** 2 - exact(x.dot(x))) < F(10) ** -27
    assert ddarray([]).dot(ddarray([])) == 0 and len(ddarray([])) == 0
    with pytest.raises(ValueError, match="differ in size"):
        x.dot(x[:5])


def test_dlpack_shares_the_memory():
    x = ddarray(["0.1", "0.2"])
    words = np.from_dlpack(x)
    assert words.shape == (2, 2) and np.shares_memory(words, x.words)
    y = ddarray.from_words(x.words)
    y[0] = 5.0
    assert x[0] == 5.0
    with pytest.raises(ValueError, match="normalised"):
        ddarray.from_words(np.ones((2, 3)))
    with pytest.raises(TypeError, match="float64"):
        ddarray.from_words(np.ones((2, 3), dtype=np.float32))


def test_broadcasting_and_shapes():
    x = ddarray(np.ones((3, 2)))
    assert (x + ddarray([1.0, 2.0])).shape == (3, 2) and x.reshape(6).shape == (6,)
    with pytest.raises(ValueError):
        x + ddarray([1.0, 2.0, 3.0])
