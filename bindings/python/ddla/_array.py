"""ddarray: numbers in double-double as two arrays of doubles."""
from __future__ import annotations

from typing import Any, Callable, Iterator

import numpy as np
import numpy.typing as npt

from . import _core
from ._dd import Arithmetic, dd, words_of
from ._mode import in_own_mode
from ._place import require_host

Doubles = npt.NDArray[np.float64]


def exact_doubles(a: Any, name: str = "the array") -> Doubles | None:
    """`a` as native doubles where each value is one; None where double-double is needed.

    Raises TypeError for what is no real number.
    """
    a = np.asarray(a)
    if a.dtype.kind == "f" and a.dtype.itemsize <= 8:
        doubles: Doubles = a.astype(np.float64, copy=False)
        return doubles
    if a.dtype.kind in "iu":
        d: Doubles = a.astype(np.float64)
        # 2^53 may be a rounded 2^53 + 1.
        return d if a.dtype.itemsize < 8 or bool(np.all(np.abs(d) < 2.0**53)) else None
    if a.dtype.kind == "f" or a.dtype == object:
        return None
    reason = {"c": "real numbers are needed here: take real and imaginary parts, or complex_ddarray",
              "b": f"convert it with {name}.astype(float)"}.get(a.dtype.kind, "it has no real numbers")
    raise TypeError(f"{name} has dtype {a.dtype}: {reason}")


def as_array(a: Any) -> Any:
    """numpy's array; numbers that stand beside texts do not become texts, which are decimal."""
    array = np.asarray(a)
    return np.asarray(a, dtype=object) if array.dtype.kind == "U" and isinstance(a, (list, tuple)) else array


@in_own_mode
def words_from(a: Any, name: str = "the array") -> Doubles:
    """The words, shape (2, ...), of anything of real numbers; exact but for decimal text."""
    if isinstance(a, ddarray):
        return a.words
    if isinstance(a, dd):
        return np.array([a.hi, a.lo])
    if isinstance(a, (str, int)) and not isinstance(a, bool):
        return np.array(words_of(a))
    require_host(a, name)
    a = as_array(a)
    if type(a.dtype).__name__ == "QuadPrecDType":
        hi = a.astype(np.float64)
        lo = (a - hi.astype(a.dtype)).astype(np.float64)
        return np.stack([hi + lo, lo - ((hi + lo) - hi)])
    if a.dtype.kind in "UO":
        pairs = np.array([words_of(x) for x in a.ravel()], dtype=np.float64).reshape(-1, 2)
        return np.ascontiguousarray(pairs.T).reshape((2, *a.shape))
    d = exact_doubles(a, name)
    if d is not None:
        return np.stack([d, np.zeros_like(d)])
    if a.dtype.kind in "iu":
        pairs = np.array([words_of(int(x)) for x in a.ravel()]).reshape(-1, 2)
        return np.ascontiguousarray(pairs.T).reshape((2, *a.shape))
    with np.errstate(invalid="ignore", over="ignore"):
        hi = a.astype(np.float64)
        lo = np.where(np.isfinite(hi), a - hi, 0).astype(np.float64)
        wrong = np.isfinite(hi) & (hi.astype(a.dtype) + lo != a)
    if np.any(wrong):
        raise ValueError(f"{name} has values of dtype {a.dtype} with more digits than double-double")
    return np.stack([hi, lo])


class ddarray(Arithmetic):
    """Numbers in double-double, about 32 digits each: ``words[0]`` are hi, ``words[1]`` lo.

    From arrays and lists of float, int, Fraction, Decimal, str, mpf, dd; or ``ddarray(hi, lo)``.
    Slices are views.  ``+ - * /`` and ``sqrt`` have the bits of ddla's C++, also with a float.
    numpy must not round it silently: ``np.asarray(x)`` raises TypeError; take ``x.hi``.

    >>> x = ddarray(["0.1", "0.25"])
    >>> x + 1
    ddarray(['1.1', '1.25'])
    >>> x[1:].dot(x[1:])
    dd('0.0625')
    """

    __slots__ = ("words",)
    __hash__ = None  # type: ignore[assignment]
    words: Doubles

    @in_own_mode
    def __init__(self, x: Any, lo: Any = None) -> None:
        if lo is None:
            self.words = np.array(words_from(x))
            return
        require_host(x, "x")
        require_host(lo, "lo")
        a, b = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(lo, dtype=np.float64))
        s = a + b
        t = s - a
        with np.errstate(invalid="ignore"):
            low = np.where(np.isfinite(s), (a - (s - t)) + (b - t), 0.0)
        self.words = np.stack([s, low])

    @classmethod
    @in_own_mode
    def from_words(cls, words: Any) -> ddarray:
        """The memory of a float64 array of shape (2, ...), hi before lo, without a copy.

        `words` may be anything that numpy takes by DLPack.  ValueError unless each hi is hi + lo
        rounded.
        """
        if not isinstance(words, np.ndarray):
            words = np.from_dlpack(words)
        if words.dtype != np.float64 or words.ndim < 1 or words.shape[0] != 2:
            raise TypeError(f"words must be float64 of shape (2, ...), not {words.dtype} {words.shape}")
        hi, lo = words
        if not bool(np.all((hi + lo == hi) | ~np.isfinite(hi))):
            raise ValueError("words must be normalised: hi is hi + lo rounded; use ddarray(hi, lo)")
        return cls._view(words)

    @classmethod
    def _view(cls, words: Doubles) -> ddarray:
        x = object.__new__(cls)
        x.words = words
        return x

    @classmethod
    def zeros(cls, shape: Any) -> ddarray:
        shape = (shape,) if np.ndim(shape) == 0 else tuple(shape)
        return cls._view(np.zeros((2, *shape)))

    @property
    def hi(self) -> Doubles:
        """The nearest doubles; a view."""
        hi: Doubles = self.words[0]
        return hi

    @property
    def lo(self) -> Doubles:
        """What hi leaves; a view."""
        lo: Doubles = self.words[1]
        return lo

    @property
    def shape(self) -> tuple[int, ...]:
        return self.words.shape[1:]

    @property
    def ndim(self) -> int:
        return self.words.ndim - 1

    @property
    def size(self) -> int:
        return int(self.words[0].size)

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("this ddarray has no dimension")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        hi, lo = self.hi[key], self.lo[key]
        if np.ndim(hi) == 0:
            return dd._make(float(hi), float(lo))
        if np.may_share_memory(hi, self.words):
            k = key if isinstance(key, tuple) else (key,)
            return ddarray._view(self.words[(slice(None), *k)])
        return ddarray._view(np.stack([hi, lo]))

    def __setitem__(self, key: Any, value: Any) -> None:
        w = words_from(value)
        self.hi[key], self.lo[key] = w[0], w[1]

    def copy(self) -> ddarray:
        return ddarray._view(self.words.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> ddarray:
        return self.copy()

    def __reduce__(self) -> Any:
        return ddarray._view, (np.ascontiguousarray(self.words),)

    def reshape(self, *shape: Any) -> ddarray:
        s = shape[0] if len(shape) == 1 and np.ndim(shape[0]) else shape
        return ddarray._view(self.words.reshape((2, *s)))

    @property
    def T(self) -> ddarray:
        """The dimensions in reverse order; a view."""
        return ddarray._view(self.words.transpose(0, *range(self.ndim, 0, -1)))

    # Operations.

    def _binary(self, other: Any, operation: Any, swapped: bool = False) -> Any:
        if isinstance(other, (float, np.float64)) or (
            isinstance(other, np.ndarray) and other.dtype.kind in "fiu" and exact_doubles(other) is not None
        ):
            d = np.asarray(exact_doubles(other))
            shape = np.broadcast_shapes(self.shape, d.shape)
            right = np.ascontiguousarray(np.broadcast_to(d, shape)).ravel()
        else:
            try:
                w = words_from(other)
            except TypeError:
                return NotImplemented
            shape = np.broadcast_shapes(self.shape, w.shape[1:])
            right = _flat(w, shape)
        left = _flat(self.words, shape)
        z = operation(right, left) if swapped else operation(left, right)
        return ddarray._view(z.reshape((2, *shape)))

    def __neg__(self) -> ddarray:
        return ddarray._view(-self.words)

    def __pos__(self) -> ddarray:
        return self.copy()

    def __abs__(self) -> ddarray:
        return ddarray._view(np.where(np.signbit(self.hi), -self.words, self.words))

    def _one(self) -> ddarray:
        return ddarray._view(np.stack([np.ones(self.shape), np.zeros(self.shape)]))

    def sqrt(self) -> ddarray:
        z = _core.sqrt(_flat(self.words, self.shape))
        return ddarray._view(z.reshape(self.words.shape))

    def dot(self, y: Any) -> dd:
        """Sum of x_i y_i by ddla's summation rule; both have one dimension."""
        w = words_from(y)
        if self.ndim != 1 or w.ndim != 2:
            raise ValueError("dot takes vectors, of one dimension")
        return dd._make(*_core.dot(_flat(self.words, self.shape), _flat(w, w.shape[1:])))

    def __matmul__(self, y: Any) -> Any:
        return self.dot(y) if isinstance(y, (ddarray, np.ndarray)) else NotImplemented

    def nrm2(self) -> dd:
        """The 2-norm, of all elements."""
        return dd._make(*_core.nrm2(_flat(self.words, self.shape)))

    def asum(self) -> dd:
        """The sum of absolute values."""
        return dd._make(*_core.asum(_flat(self.words, self.shape)))

    # Reductions, under numpy's names: np.sum(x) and others come here.

    def _reduced(self, one: Callable[[Doubles], tuple[float, float]], axis: Any, dtype: Any, out: Any) -> Any:
        """one(words) of all numbers, or of those along an axis."""
        if dtype is not None or out is not None:
            raise TypeError("a ddarray has neither dtype= nor out= here: the result is in double-double")
        if axis is None:
            return dd._make(*one(_flat(self.words, self.shape)))
        if not isinstance(axis, (int, np.integer)) or not -self.ndim <= axis < self.ndim:
            raise ValueError(f"axis is an integer from {-self.ndim} to {self.ndim - 1}, or None, not {axis!r}")
        last = np.moveaxis(self.words, int(axis) % self.ndim + 1, -1)
        rows = np.ascontiguousarray(last).reshape(2, -1, last.shape[-1])
        results = [one(np.ascontiguousarray(rows[:, k])) for k in range(rows.shape[1])]
        if self.ndim == 1:
            return dd._make(*results[0])
        words = np.array(results, dtype=np.float64).reshape(-1, 2).T
        return ddarray._view(np.ascontiguousarray(words).reshape(2, *last.shape[1:-1]))

    def sum(self, axis: int | None = None, dtype: None = None, out: None = None) -> Any:
        """By ddla's summation rule: a dd, along an axis a ddarray."""
        return self._reduced(_core.sum, axis, dtype, out)

    def mean(self, axis: int | None = None, dtype: None = None, out: None = None) -> Any:
        """sum() / n."""
        n = self.size if axis is None else self.shape[axis]
        if n == 0:
            raise ValueError("the mean of no numbers is not known")
        return self.sum(axis, dtype, out) / n

    def min(self, axis: int | None = None, out: None = None) -> Any:
        """The smallest; NaN if one is NaN."""
        return self._reduced(lambda words: _least(words, 1.0), axis, None, out)

    def max(self, axis: int | None = None, out: None = None) -> Any:
        """The largest; NaN if one is NaN."""
        return self._reduced(lambda words: _least(words, -1.0), axis, None, out)

    def round(self, decimals: int = 0, out: None = None) -> ddarray:
        """Each rounded to so many decimals from its exact value, ties to even."""
        if out is not None:
            raise TypeError("a ddarray has no out= here")
        rounded = [round(dd._make(h, l), decimals) for h, l in zip(self.hi.ravel(), self.lo.ravel())]
        words = np.array([(x.hi, x.lo) for x in rounded], dtype=np.float64).reshape(-1, 2).T
        return ddarray._view(np.ascontiguousarray(words).reshape(self.words.shape))

    def __round__(self, ndigits: int | None = None) -> ddarray:
        return self.round(ndigits or 0)

    def hash_of(self) -> str:
        """ddla's hash of the bits, the same as in reports."""
        return f"{_core.hash_of(_flat(self.words, self.shape)):016x}"

    # Comparisons, elementwise.

    @in_own_mode
    def _compare(self, y: Any, word: Any, low: Any) -> Any:
        try:
            hi, lo = words_from(y)
        except TypeError:
            return NotImplemented
        return word(self.hi, hi) | ((self.hi == hi) & low(self.lo, lo))

    def __eq__(self, y: object) -> Any:
        return self._compare(y, lambda a, b: np.zeros(np.broadcast_shapes(a.shape, b.shape), bool), np.equal)

    def __ne__(self, y: object) -> Any:
        equal = self.__eq__(y)
        return equal if equal is NotImplemented else ~equal

    def __lt__(self, y: Any) -> Any:
        return self._compare(y, np.less, np.less)

    def __le__(self, y: Any) -> Any:
        return self._compare(y, np.less, np.less_equal)

    def __gt__(self, y: Any) -> Any:
        return self._compare(y, np.greater, np.greater)

    def __ge__(self, y: Any) -> Any:
        return self._compare(y, np.greater, np.greater_equal)

    @in_own_mode
    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("the truth value of several numbers is ambiguous")
        return bool(self.hi.ravel()[0])

    # numpy and others.

    __array_ufunc__ = None  # numpy's arrays leave + - * / to this class

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if dtype is not None and np.dtype(dtype) == object:
            return np.array([dd._make(h, l) for h, l in zip(self.hi.ravel(), self.lo.ravel())],
                            dtype=object).reshape(self.shape)
        raise TypeError("a ddarray is not rounded to double silently: take x.hi, or dtype=object for dd")

    def __dlpack__(self, **arguments: Any) -> Any:
        """As float64 of shape (2, ...): hi before lo, without a copy."""
        return self.words.__dlpack__(**arguments)

    def __dlpack_device__(self) -> Any:
        return self.words.__dlpack_device__()

    def tolist(self) -> list[Any]:
        return [x if isinstance(x, dd) else x.tolist() for x in self]

    def to_quad(self) -> Any:
        """numpy_quaddtype's array of the nearest numbers."""
        from numpy_quaddtype import QuadPrecDType

        return self.hi.astype(QuadPrecDType()) + self.lo.astype(QuadPrecDType())

    def __format__(self, spec: str) -> str:
        """Each number of a vector by `spec`; of more than 8 the first and the last three.

        >>> f"{ddarray(['0.1', '2']):.3e}"
        '[1.000e-01, 2.000e+00]'
        """
        if not spec:
            return str(self)
        if self.ndim != 1:
            raise TypeError(f"a ddarray of shape {self.shape} has no format: format its elements")
        shown = [format(x, spec) for x in (self if self.size <= 8 else self[:3])]
        if self.size > 8:
            shown += ["...", *(format(x, spec) for x in self[-3:])]
        return f"[{', '.join(shown)}]"

    def __repr__(self) -> str:
        if self.ndim != 1:
            return f"ddarray of shape {self.shape}, hi =\n{self.hi!r}"
        shown = [repr(str(x)) for x in (self if self.size <= 8 else self[:3])]
        if self.size > 8:
            shown += ["..."] + [repr(str(x)) for x in self[-3:]]
        return f"ddarray([{', '.join(shown)}])"


def _least(words: Doubles, sign: float) -> tuple[float, float]:
    """The words of the smallest number, or with sign -1 of the largest."""
    hi, lo = sign * words[0], sign * words[1]
    if hi.size == 0:
        raise ValueError("no numbers have no smallest and no largest one")
    first = hi.min()
    if np.isnan(first):
        return first, 0.0
    k = np.flatnonzero(hi == first)
    at = k[np.argmin(lo[k])]
    return words[0, at], words[1, at]


def _flat(words: Doubles, shape: tuple[int, ...]) -> Doubles:
    """Contiguous words of shape (2, n), broadcast."""
    missing = len(shape) + 1 - words.ndim
    words = words.reshape((2,) + (1,) * missing + words.shape[1:])
    return np.ascontiguousarray(np.broadcast_to(words, (2, *shape))).reshape(2, -1)
