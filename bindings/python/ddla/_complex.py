"""Complex numbers in double-double, and what becomes of them in a solve: see docs/complex.md."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._array import ddarray, words_from
from ._dd import dd
from ._place import require_host


class complex_dd(NamedTuple):
    """One number of a complex_ddarray, exactly."""

    real: dd
    imag: dd


class complex_ddarray:
    """Complex numbers in double-double: ``x.real`` and ``x.imag`` are ddarrays of one shape.

    From anything of numbers: ``complex_ddarray(real, imag)``, or ``complex_ddarray(z)`` of a numpy
    array, exactly.  For arithmetic take the parts.  numpy must not round it silently:
    ``np.asarray(x)`` raises TypeError; ``x.to_complex()`` rounds to complex128.

    >>> x = complex_ddarray(["0.1", "2"], [0.0, -1.0])
    >>> x[1], x[:1].real
    (complex_dd(real=dd('2'), imag=dd('-1')), ddarray(['0.1']))
    """

    __slots__ = ("real", "imag")
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None
    real: ddarray
    imag: ddarray

    def __init__(self, real: Any, imag: Any = None) -> None:
        if imag is None:
            real, imag = _parts(real, "x")
        real, imag = ddarray(real), ddarray(imag)
        if real.shape != imag.shape:
            raise ValueError(f"the real part has shape {real.shape}, the imaginary part {imag.shape}")
        self.real, self.imag = real, imag

    @property
    def shape(self) -> tuple[int, ...]:
        return self.real.shape

    @property
    def ndim(self) -> int:
        return self.real.ndim

    @property
    def size(self) -> int:
        return self.real.size

    def __len__(self) -> int:
        return len(self.real)

    def __getitem__(self, key: Any) -> Any:
        real, imag = self.real[key], self.imag[key]
        return complex_dd(real, imag) if isinstance(real, dd) else complex_ddarray(real, imag)

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, (complex_ddarray, np.ndarray, ddarray)):
            return NotImplemented
        real, imag = _parts(other, "x")
        return (self.real == real) & (self.imag == imag)

    @property
    def T(self) -> complex_ddarray:
        """The dimensions in reverse order; nothing is conjugated."""
        return complex_ddarray(self.real.T, self.imag.T)

    def nrm2(self) -> dd:
        """The 2-norm, of all elements."""
        norm: dd = real_form(self).nrm2()
        return norm

    def to_complex(self) -> Any:
        """The nearest complex128."""
        return self.real.hi + 1j * self.imag.hi

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise TypeError("a complex_ddarray is not rounded silently: take x.to_complex(), x.real, x.imag")

    def __reduce__(self) -> Any:
        return complex_ddarray, (self.real, self.imag)

    def __repr__(self) -> str:
        return f"complex_ddarray(real={self.real!r}, imag={self.imag!r})"


def is_complex(x: Any) -> bool:
    """Whether x holds complex numbers: an array, a sparse matrix, a list."""
    if isinstance(x, complex_ddarray) or getattr(x, "is_complex", None) is True:
        return True
    if isinstance(x, (list, tuple)):
        x = np.asarray(x)
    dtype = getattr(x, "dtype", None)
    return getattr(dtype, "kind", "") == "c"


def _parts(x: Any, name: str) -> tuple[Any, Any]:
    """Real and imaginary parts; those of real numbers are zero."""
    if isinstance(x, complex_ddarray):
        return x.real, x.imag
    if not isinstance(x, ddarray):
        require_host(x, name)
        x = np.asarray(x)
        if x.dtype.kind == "c":
            return x.real, x.imag
    return x, np.zeros(x.shape)


def real_form(x: Any, name: str = "x") -> Any:
    """Components 2 k and 2 k + 1 are the real and the imaginary part of component k; columns stay.

    float64 of complex128 and of doubles, else a ddarray.

    >>> real_form(np.array([1 + 2j, 3]))
    array([1., 2., 3., 0.])
    """
    parts = [words_from(part, name) for part in _parts(x, name)]
    if parts[0].ndim < 2:
        raise ValueError(f"{name} has shape (), a vector is needed")
    words = np.stack(parts, axis=2)
    words = words.reshape(2, -1, *words.shape[3:])
    return ddarray._view(words) if isinstance(x, (ddarray, complex_ddarray)) or np.any(words[1]) else words[0]


def complex_form(x: Any) -> Any:
    """The complex numbers of a real form: a complex_ddarray of a ddarray, complex128 of doubles.

    >>> complex_form(np.array([1.0, 2.0, 3.0, 0.0]))
    array([1.+2.j, 3.+0.j])
    """
    if x.shape[0] % 2 != 0:
        raise ValueError(f"a real form has an even size, not {x.shape[0]}")
    if isinstance(x, ddarray):
        return complex_ddarray(x[0::2], x[1::2])
    z = np.empty((x.shape[0] // 2, *x.shape[1:]), np.complex128)
    z.real, z.imag = x[0::2], x[1::2]
    return z


def complex_place(first: int) -> dict[str, Any]:
    """Where component `first` of the real form is in the complex vector."""
    return {"first": first // 2, "part": "imaginary" if first % 2 else "real"}
