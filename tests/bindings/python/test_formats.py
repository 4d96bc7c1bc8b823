"""Text, powers, rounding and sums of double-double against float's own formats, Decimal and Fraction."""
import decimal
import math
import random
import statistics
from fractions import Fraction

import numpy as np
import pytest

import ddla
from ddla import dd, ddarray


def numbers(count, seed, most=60):
    generator = random.Random(seed)
    for _ in range(count):
        hi = generator.uniform(-1, 1) * 2.0 ** generator.randint(-most, most)
        yield dd(hi, hi * generator.uniform(-1, 1) * 2.0**-54)


SPECS = [f"{fill}{sign}{alternate}{zero}{width}{group}{precision}{kind}"
         for fill in ("", "<", "*^", "x=") for sign in ("", "+", " ", "z") for alternate in ("", "#") for zero in ("", "0")
         for width in ("", "9", "24") for group in ("", ",", "_") for precision in ("", ".0", ".1", ".5", ".17", ".40")
         for kind in "eEfFgG"]


def test_doubles_have_the_formats_of_floats():
    generator = random.Random(11)
    values = [0.0, -0.0, 0.5, 2.5, -1.5, 1e16, 9.995, 999999.5, 1e-5, 123456.0, 5e-324, 1.7976931348623157e308, math.inf, -math.nan]
    values += [generator.uniform(-1, 1) * 10.0 ** generator.randint(-30, 30) for _ in range(30)]
    for spec in generator.sample(SPECS, 1500):
        for x in generator.sample(values, 5):
            assert format(dd(x), spec) == format(x, spec), (x, spec)
    for x in (1e-4, 0.00025, 9.9996e-05, 9.5e-5, 1e6, 999999.5, 99.5, 0.0):  # where g changes its form
        for precision in range(9):
            assert f"{dd(x):.{precision}g}" == f"{x:.{precision}g}" and f"{dd(x):#.{precision}G}" == f"{x:#.{precision}G}"
    # float's % rounds twice, this does not.
    assert f"{dd('0.125'):.1%}" == "12.5%" and f"{dd(1) / 3:+.28%}" == "+33." + "3" * 28 + "%"
    assert [f"{dd('0.1'):{spec}}" for spec in ("6", "<6", "+", "^6", "*>5")] == ["   0.1", "0.1   ", "+0.1", " 0.1  ", "**0.1"]
    assert [f"{dd(x):.2}" for x in (0.5, 12, 1234)] == ["0.5", "12", "1.2e+03"]


def test_all_digits_are_rounded_once_from_the_exact_value():
    for x in numbers(200, 23, most=300):
        exact = decimal.Context(prec=2500).add(decimal.Decimal(x.hi), decimal.Decimal(x.lo))
        for digits in (0, 5, 25, 60):
            with decimal.localcontext() as context:
                context.prec, context.rounding = 1100, decimal.ROUND_HALF_EVEN
                text = f"{x:.{digits}e}"
                scale = decimal.Decimal(1).scaleb(exact.adjusted() - digits)
                assert decimal.Decimal(text) == exact.quantize(scale)
                assert decimal.Decimal(f"{x:.{digits}f}") == exact.quantize(decimal.Decimal(1).scaleb(-digits))
                assert decimal.Decimal(f"{x:.{digits + 1}g}") == decimal.Decimal(text)
    # Just above a tie that hi alone would round to even.
    assert f"{dd(0.5, 1e-30):.0f}" == "1" and f"{dd(0.5):.0f}" == "0" and f"{dd(2.5, -1e-30):.0e}" == "2e+00"
    assert f"{dd(1) - dd('1e-30'):.25f}" == "1." + "0" * 25 and f"{dd(1) - dd('1e-30'):.30f}" == "0." + "9" * 30
    assert f"{dd(1) / 3:.25e}" == "3.3333333333333333333333333e-01"


def test_formats_do_not_depend_on_the_context_of_decimal():
    with decimal.localcontext() as context:
        context.prec, context.rounding = 3, decimal.ROUND_UP
        assert f"{dd(1) / 3:.10f}" == "0.3333333333"


def test_wrong_specifications_are_refused():
    for spec in ("d", ".3x", "s", ".e", "10.5n", "+-3f"):
        with pytest.raises(ValueError, match="invalid format specification"):
            format(dd(1), spec)
    with pytest.raises(TypeError, match=r"shape \(1, 2\) has no format"):
        format(ddarray([[1, 2]]), ".3e")


def test_vectors_are_formatted_by_their_numbers():
    assert f"{ddarray(['0.1', '-2']):+.2f}" == "[+0.10, -2.00]"
    assert f"{ddarray(np.arange(9.0)):.0f}" == "[0, 1, 2, ..., 6, 7, 8]"
    x = ddarray(["0.1"])
    assert f"{x}" == str(x) and f"{x[0]}" == "0.1"


def test_powers_are_products():
    for x in numbers(40, 5, most=6):
        assert x**2 == x * x and x**3 == x * x * x and x**1 == x and x**0 == 1 and x**-1 == 1 / x
        for n in (2, 3, 7, 12, 50, -2, -5, -30):
            true = x.to_fraction() ** n
            assert abs((x**n).to_fraction() - true) <= abs(true) * 20 * abs(n) * Fraction(2) ** -105
    x = ddarray(list(numbers(20, 6, most=3)))
    for n in (0, 1, 2, 5, -3, np.int64(4)):
        assert [a for a in x**n] == [a**n for a in x]
    assert dd(2)**1000 == 2.0**1000 and dd(-2) ** -3 == -0.125 and dd(math.nan) ** 0 == 1
    for n in (0.5, 2.0, dd(2), Fraction(1, 2)):
        with pytest.raises(TypeError, match="powers are integers"):
            dd(2) ** n
    with pytest.raises(TypeError):
        dd(2) ** True
    with pytest.raises(TypeError):
        pow(dd(2), 3, 5)


def test_rounding_is_exact():
    for x in numbers(100, 7):
        exact = x.to_fraction()
        assert round(x) == round(exact) and math.floor(x) == math.floor(exact) and math.ceil(x) == math.ceil(exact)
        assert int(x) == math.trunc(x) == math.trunc(exact)
        for digits in (-2, 0, 1, 20):
            assert round(x, digits) == dd(round(exact, digits))
    assert round(dd(0.5)) == 0 and round(dd(0.5, 1e-30)) == 1 and isinstance(round(dd(1)), int)
    assert str(round(dd("-0.01"), 1)) == str(dd(-0.0))
    assert round(dd(math.inf), 3) == math.inf
    with pytest.raises(OverflowError):
        round(dd(math.inf))
    x = ddarray([["0.125", "-2.5"], ["1e30", "0.375"]])
    assert x.round(2).tolist() == [[dd("0.12"), dd("-2.5")], [dd("1e30"), dd("0.38")]]
    assert round(x[0]).tolist() == [0, -2] and np.round(x, 1)[0, 0] == dd("0.1")


def by_the_rule(terms):
    """summation.hpp: halves of a tile of 256 folded onto each other; then the sums of the tiles."""
    if not terms:
        return dd(0)
    if len(terms) > 256:
        return by_the_rule([by_the_rule(terms[k:k + 256]) for k in range(0, len(terms), 256)])
    terms, h = list(terms), 128
    while h:
        for i in range(min(h, max(0, len(terms) - h))):
            terms[i] = terms[i] + terms[i + h]
        h //= 2
    return terms[0]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 100, 255, 256, 257, 1000, 70000])
def test_sums_follow_the_rule(n):
    terms = list(numbers(n, n + 1, most=30))
    x = ddarray(terms) if n else ddarray.zeros(0)
    total = x.sum()
    rule = by_the_rule(terms)
    assert (total.hi, total.lo) == (rule.hi, rule.lo)
    true = sum((t.to_fraction() for t in terms), Fraction())
    size = sum((abs(t.to_fraction()) for t in terms), Fraction())
    assert abs(total.to_fraction() - true) <= size * 60 * Fraction(2) ** -105
    if n:
        assert x.mean() == total / n
        values = [t.to_fraction() for t in terms]
        assert x.min().to_fraction() == min(values) and x.max().to_fraction() == max(values)


def test_reductions_under_the_names_of_python_and_numpy():
    x = ddarray([["0.1", "0.2", "0.3"], ["1", "-2", "1e-30"]])
    assert np.sum(x) == x.sum() and np.max(x) == 1 and np.min(x) == -2 and np.mean(x) == x.sum() / 6
    assert x.sum(axis=0).tolist() == [x[0, j] + x[1, j] for j in range(3)]
    assert x.sum(axis=-1)[1] == x[1].sum() and x.max(axis=1).tolist() == [dd("0.3"), 1] and x.mean(1)[0] == x[0].sum() / 3
    assert x.min(axis=0).tolist() == [dd("0.1"), -2, dd("1e-30")]
    assert sum(x[1]) == dd(1) + dd(-2) + dd("1e-30") and min(x[0]) == dd("0.1") and max(x[0]) == dd("0.3")
    near = ddarray([1.0, 1.0, 1.0], [0.0, 1e-30, -1e-30])  # they differ in lo alone
    assert near.max() == near[1] and near.min() == near[2]
    assert math.isnan(float(ddarray([1.0, math.nan]).max())) and math.isnan(float(ddarray([math.nan, 1.0]).min()))
    for wrong in (lambda: ddarray.zeros(0).mean(), lambda: ddarray.zeros(0).min(), lambda: x.sum(axis=2), lambda: x.sum(axis=(0, 1))):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError, match="neither dtype= nor out="):
        x.sum(dtype=float)
    assert statistics.fmean([1, 2]) == float(ddarray([1, 2]).mean())
