"""dd: one number in double-double."""
from __future__ import annotations

import decimal
import fractions
import math
import numbers
import re
from typing import Any

import numpy as np

from . import _core
from ._format import format_number
from ._mode import in_own_mode
from .errors import InputError


def _two_sum(a: float, b: float) -> tuple[float, float]:
    """a + b rounded, and what that leaves; exact for finite sums."""
    s = a + b
    if not math.isfinite(s):
        return s, 0.0
    t = s - a
    return s, (a - (s - t)) + (b - t)


_out_of_range = "the number is out of the range of double, whose largest is about 1.8e308"
# digits, a point among them, an exponent: what Python, and Decimal, write.
_decimal = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)


def _from_text(text: str) -> tuple[float, float]:
    """The number of a text: what is too small is the nearest double, as float() has it."""
    text = text.strip()
    if _decimal.fullmatch(text):
        if math.isinf(float(text)):
            raise OverflowError(_out_of_range)
        if float(text) == 0.0:
            return float(text), 0.0
    unsigned = text[1:] if text.startswith("+") else text
    if unsigned.startswith(("+", "-")) and unsigned != text:
        raise InputError(f"{text!r} is not a number")
    return _core.parse(unsigned)


def _from_ratio(top: int, bottom: int) -> tuple[float, float]:
    """The double nearest to top / bottom, and the one nearest to what that leaves."""
    try:
        hi = top / bottom
    except OverflowError:
        raise OverflowError(_out_of_range) from None
    rest = fractions.Fraction(top, bottom) - fractions.Fraction(hi)
    return _two_sum(hi, rest.numerator / rest.denominator)


@in_own_mode
def words_of(x: Any) -> tuple[float, float]:
    """hi and lo of any number that dd() takes."""
    if isinstance(x, dd):
        return x.hi, x.lo
    if isinstance(x, (bool, np.bool_)):
        raise TypeError("a bool is not a number here: write int(x)")
    if type(x).__name__ == "QuadPrecision":
        hi = float(x)
        return _two_sum(hi, float(x - type(x)(hi)) if math.isfinite(hi) else 0.0)
    if isinstance(x, np.longdouble):
        return _from_longdouble(x)
    if isinstance(x, (float, np.floating)):
        return float(x), 0.0
    if isinstance(x, numbers.Rational):  # int, numpy's integers, Fraction
        return _from_ratio(int(x.numerator), int(x.denominator))
    if isinstance(x, str):
        return _from_text(x)
    if isinstance(x, decimal.Decimal):
        if not x.is_finite():
            return float(x), 0.0
        return _from_text(str(x))
    if hasattr(x, "_mpf_"):
        return _from_mpf(x._mpf_)
    if isinstance(x, numbers.Complex):
        raise TypeError("complex numbers have no double-double here: take real and imaginary parts")
    raise TypeError(f"{type(x).__name__} does not convert to dd")


def _from_longdouble(x: Any) -> tuple[float, float]:
    hi = float(x)
    if math.isinf(hi) and not np.isinf(x):
        raise OverflowError(_out_of_range)
    lo = float(x - np.longdouble(hi)) if math.isfinite(hi) else 0.0
    if math.isfinite(hi) and np.longdouble(hi) + np.longdouble(lo) != x:
        raise ValueError(f"{x!r} has more digits than double-double")
    return _two_sum(hi, lo)


def _from_mpf(mpf: tuple[int, int, int, int]) -> tuple[float, float]:
    sign, mantissa, exponent, _ = mpf
    if not mantissa and exponent:  # mpmath's inf and nan
        return {-456: math.inf, -789: -math.inf}.get(exponent, math.nan), 0.0
    value = fractions.Fraction(int(mantissa)) * fractions.Fraction(2) ** int(exponent)
    return _from_ratio(*(-value if sign else value).as_integer_ratio())


class Arithmetic:
    """The operators, by _binary(other, kernel, swapped) of the class."""

    __slots__ = ()

    def _binary(self, other: Any, operation: Any, swapped: bool = False) -> Any:
        raise NotImplementedError

    def _one(self) -> Any:
        raise NotImplementedError

    def __pow__(self, n: Any) -> Any:
        """Integer powers, by products: squares of powers, and a product with x at each binary digit 1.

        x ** 2 is x * x, x ** -n is (1 / x) ** n, and x ** 0 is 1.
        """
        if not isinstance(n, (int, np.integer)) or isinstance(n, bool):
            if isinstance(n, (float, numbers.Number)):
                raise TypeError(f"powers are integers, not {n!r}; roots are x.sqrt()")
            return NotImplemented
        base: Any = self if n > 0 else 1 / self
        power = self._one()
        for k, bit in enumerate(bin(abs(int(n)))[2:]):
            power = power * power if k else power
            if bit == "1":
                power = power * base if k else +base
        return power

    def __add__(self, y: Any) -> Any:
        return self._binary(y, _core.add)

    def __radd__(self, y: Any) -> Any:
        return self._binary(y, _core.add, True)

    def __sub__(self, y: Any) -> Any:
        return self._binary(y, _core.subtract)

    def __rsub__(self, y: Any) -> Any:
        return self._binary(y, _core.subtract, True)

    def __mul__(self, y: Any) -> Any:
        return self._binary(y, _core.multiply)

    def __rmul__(self, y: Any) -> Any:
        return self._binary(y, _core.multiply, True)

    def __truediv__(self, y: Any) -> Any:
        return self._binary(y, _core.divide)

    def __rtruediv__(self, y: Any) -> Any:
        return self._binary(y, _core.divide, True)


@numbers.Number.register
class dd(Arithmetic):
    """A number as the sum of two doubles, ``hi + lo``: about 32 digits.  Cannot be changed.

    From float, int, Fraction, Decimal, str, mpmath's mpf, numpy's scalars, QuadPrecision: the
    double nearest to the number, and the double nearest to what that leaves.  ``dd(hi, lo)`` is
    the sum of two doubles.  Operations have the bits of ddla's C++ (docs/arithmetic.md); a float
    operand is exact, any other becomes a dd first.

    >>> dd(1) / 3
    dd('0.333333333333333333333333333333332')
    >>> dd(0.1) == 0.1, dd("0.1") == 0.1
    (True, False)
    """

    __slots__ = ("hi", "lo")
    __array_ufunc__ = None  # numpy's scalars leave the operation to this class
    hi: float
    lo: float

    @in_own_mode
    def __init__(self, x: Any = 0.0, lo: float | None = None) -> None:
        hi, low = words_of(x) if lo is None else _two_sum(float(x), float(lo))
        object.__setattr__(self, "hi", hi)
        object.__setattr__(self, "lo", low)

    @classmethod
    def _make(cls, hi: float, lo: float) -> dd:
        x = object.__new__(cls)
        object.__setattr__(x, "hi", float(hi))
        object.__setattr__(x, "lo", float(lo))
        return x

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a dd cannot be changed")

    def __reduce__(self) -> Any:
        return dd._make, (self.hi, self.lo)

    def __copy__(self) -> dd:
        return self

    def __deepcopy__(self, memo: Any) -> dd:
        return self

    # Operations, by the kernels of arrays.

    def _binary(self, other: Any, operation: Any, swapped: bool = False) -> Any:
        from ._array import ddarray

        if isinstance(other, np.ndarray):
            return ddarray(self)._binary(other, operation, swapped)
        if isinstance(other, (ddarray, str)):
            return NotImplemented
        if isinstance(other, (float, np.float64)):
            right = np.array([float(other)])
        else:
            try:
                right = np.array([[w] for w in words_of(other)])
            except TypeError:
                return NotImplemented
        left = np.array([[self.hi], [self.lo]])
        z = operation(right, left) if swapped else operation(left, right)
        return dd._make(z[0, 0], z[1, 0])

    def _one(self) -> dd:
        return dd._make(1.0, 0.0)

    def __neg__(self) -> dd:
        return dd._make(-self.hi, -self.lo)

    def __pos__(self) -> dd:
        return self

    def __abs__(self) -> dd:
        return -self if math.copysign(1.0, self.hi) < 0 else self

    def sqrt(self) -> dd:
        """Square root; NaN below zero."""
        z = _core.sqrt(np.array([[self.hi], [self.lo]]))
        return dd._make(z[0, 0], z[1, 0])

    # Comparisons are of exact values; equal numbers have equal hashes.

    def _order(self, y: Any) -> Any:
        """self - y as something whose sign is right; NotImplemented for what is no number."""
        if isinstance(y, (bool, np.bool_, str)):
            return NotImplemented
        if isinstance(y, dd):
            return (self.hi - y.hi) if self.hi != y.hi else (self.lo - y.lo)
        if isinstance(y, (float, np.floating)) and not isinstance(y, np.longdouble):
            y = float(y)
            return (self.hi - y) if self.hi != y else self.lo
        if isinstance(y, (numbers.Rational, decimal.Decimal)):
            if not math.isfinite(self.hi) or isinstance(y, decimal.Decimal) and not y.is_finite():
                return self.hi - float(y)
            return self.to_fraction() - fractions.Fraction(y)
        return NotImplemented

    @in_own_mode
    def __eq__(self, y: object) -> bool:
        d = self._order(y)
        if d is NotImplemented:
            return NotImplemented
        same_infinity = isinstance(y, (dd, float)) and math.isinf(self.hi) and self.hi == float(y)
        return bool(d == 0) or same_infinity

    @in_own_mode
    def __lt__(self, y: Any) -> bool:
        d = self._order(y)
        return d if d is NotImplemented else bool(d < 0)

    @in_own_mode
    def __le__(self, y: Any) -> bool:
        d = self._order(y)
        return d if d is NotImplemented else bool(d < 0) or self == y

    @in_own_mode
    def __gt__(self, y: Any) -> bool:
        d = self._order(y)
        return d if d is NotImplemented else bool(d > 0)

    @in_own_mode
    def __ge__(self, y: Any) -> bool:
        d = self._order(y)
        return d if d is NotImplemented else bool(d > 0) or self == y

    @in_own_mode
    def __hash__(self) -> int:
        return hash(self.hi) if self.lo == 0 or not math.isfinite(self.hi) else hash(self.to_fraction())

    @in_own_mode
    def __bool__(self) -> bool:
        return self.hi != 0

    # To other numbers.

    def __float__(self) -> float:
        """The nearest double: hi."""
        return self.hi

    def __int__(self) -> int:
        return int(self.to_fraction())

    def __trunc__(self) -> int:
        return int(self)

    def __floor__(self) -> int:
        return math.floor(self.to_fraction())

    def __ceil__(self) -> int:
        return math.ceil(self.to_fraction())

    @in_own_mode
    def __round__(self, ndigits: int | None = None) -> Any:
        """The nearest int, or the dd nearest to the nearest number of so many decimals; ties to even.

        >>> round(dd("2.675"), 2), round(dd("-1e20") - dd("0.5"))
        (dd('2.68'), -100000000000000000000)
        """
        if ndigits is None:
            return round(self.to_fraction())
        if not math.isfinite(self.hi):
            return self
        rounded = dd(round(self.to_fraction(), ndigits))
        return rounded if rounded.hi else dd._make(math.copysign(0.0, self.hi), 0.0)

    def as_integer_ratio(self) -> tuple[int, int]:
        return self.to_fraction().as_integer_ratio()

    def to_fraction(self) -> fractions.Fraction:
        """Exact; ValueError or OverflowError for what is not finite."""
        return fractions.Fraction(self.hi) + fractions.Fraction(self.lo)

    def to_decimal(self) -> decimal.Decimal:
        """Exact: all digits, whatever the context says."""
        if not math.isfinite(self.hi):
            return decimal.Decimal(self.hi)
        if self.lo == 0:
            return decimal.Decimal(self.hi)  # also -0
        wide = decimal.Context(prec=2500, Emin=-4000, Emax=4000)
        return wide.add(decimal.Decimal(self.hi), decimal.Decimal(self.lo))

    @property
    def _mpf_(self) -> tuple[int, int, int, int]:
        import mpmath.libmp as libmp

        words: tuple[int, int, int, int] = libmp.mpf_add(libmp.from_float(self.hi), libmp.from_float(self.lo))
        return words

    def to_mpmath(self) -> Any:
        """An mpf, exact; ``mpmath.mpf(x)`` does the same.  Needs mpmath."""
        import mpmath

        return mpmath.mp.make_mpf(self._mpf_)

    def to_quad(self) -> Any:
        """numpy_quaddtype's nearest number: exact where both words lie within 113 bits."""
        from numpy_quaddtype import QuadPrecision

        return QuadPrecision(self.hi) + QuadPrecision(self.lo)

    def to_text(self, digits: int) -> str:
        """So many significant digits, rounded from the exact value.

        >>> dd("0.1").to_text(5)
        '1.0000e-01'
        """
        return str(_core.to_string(self.hi, self.lo, digits))

    @in_own_mode
    def __format__(self, spec: str) -> str:
        """As of a float, with all digits that are asked for, rounded from the exact value, ties to even.

        >>> f"{dd(1) / 3:.25e}", f"{dd('0.1'):+10.3f}"
        ('3.3333333333333333333333333e-01', '    +0.100')
        """
        if not math.isfinite(self.hi):
            return format(self.hi, spec)
        return format_number(self.to_decimal(), str(self), spec, "dd")

    def __str__(self) -> str:
        """The fewest digits that read back with the same bits."""
        return str(_core.to_string(self.hi, self.lo))

    def __repr__(self) -> str:
        return f"dd('{self}')"
