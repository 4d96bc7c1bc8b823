"""Matrices and vectors from and to files."""
from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from . import _core
from ._array import as_array, ddarray, words_from
from ._complex import complex_form, is_complex, real_form
from ._matrix import array_of, csr_matrix, require_vector
from ._place import require_host

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def _name(file: Path) -> bytes:
    """As the system has it; TypeError for what is no name, as an open file or its number."""
    name = os.fsencode(file)
    if b"\0" in name:
        raise ValueError(f"the name of a file has no zero bytes: {os.fsdecode(file)!r}")
    return name


def write_text(file: Path, text: str) -> None:
    """Whole or not at all: beside the target first, but into a pipe or a device directly."""
    name = _name(file)
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "w", encoding="utf-8") as there:
            there.write(text)
        return
    part = os.path.realpath(name) + b".part-%d" % os.getpid()
    try:
        with open(part, "x", encoding="utf-8") as beside:
            beside.write(text)
        os.replace(part, os.path.realpath(name))
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise


def _warn_of_losses(file: Path, underflowed: int, subnormal: int) -> None:
    for count, what in ((underflowed, "too small for a double and became 0"),
                        (subnormal, "so small that they keep fewer digits than the file has")):
        if count:
            warnings.warn(f"{os.fsdecode(file)}: values that are {what}: {count}", RuntimeWarning, stacklevel=3)


def read_matrix(file: Path, precision: str = "double", memory_limit: int = 0) -> csr_matrix:
    """A Matrix Market or Harwell-Boeing file (also .gz); values correctly rounded to "double" or "dd".

    What it takes at least is compared with memory_limit bytes, 0: what the machine has, before it is allocated.
    A RuntimeWarning tells how many values are too small for a double and became 0, or keep fewer digits."""
    os.stat(_name(file))
    matrix, of_complex, underflowed, subnormal = _core.read_matrix(_name(file), precision, memory_limit)
    _warn_of_losses(file, underflowed, subnormal)
    return csr_matrix._of(matrix, of_complex)


def write_matrix(file: Path, a: Any) -> None:
    """A Matrix Market file that reads back with the same bits; whole or not at all.  Of real values."""
    a = csr_matrix(a)
    a._require_real("write_matrix")
    _core.write_matrix(a._on_host("write_matrix"), _name(file))


def read_vector(file: Path, precision: str = "dd", memory_limit: int = 0, part: str = "right_hand_side") -> Any:
    """The vector of a file, as a ddarray, or with precision="double" as float64; correctly rounded.

    The file: a Matrix Market array or coordinate file, a vector of Lis, a list of numbers, also .gz, or a
    file with a matrix and vectors, of which `part` is "right_hand_side", "guess" or "solution".  A file of
    k > 1 columns gives shape (n, k), a complex one a complex_ddarray or complex128.  Limits and warnings are
    those of read_matrix.
    """
    os.stat(_name(file))
    words, count, of_complex, underflowed, subnormal = _core.read_vector(_name(file), precision, memory_limit, part)
    _warn_of_losses(file, underflowed, subnormal)
    x = array_of(words)
    if count != 1:
        x = x.reshape(count, x.size // count).T if count else x.reshape(0, 0)
    return complex_form(x) if of_complex else x


def write_vector(file: Path, x: Any, comment: str = "") -> None:
    """A Matrix Market file of real or complex numbers, shape (n,), or (n, k) for k columns; whole or not at all.

    All numbers have the digits of double-double: they read back with the same bits in both precisions.
    """
    of_complex = is_complex(x)
    if of_complex:
        x = real_form(x, "x")
    if not isinstance(x, ddarray):
        require_host(x, "x")
        x = as_array(require_vector(x, "x"))
    if x.ndim not in (1, 2):
        raise ValueError(f"x has shape {x.shape}, (n,) or (n, k) is needed")
    words = words_from(x, "x")
    count = 1 if x.ndim == 1 else x.shape[1]
    columns = np.ascontiguousarray(words.reshape(2, -1, count).transpose(0, 2, 1)).reshape(2, -1)
    _core.write_vector(_name(file), columns, count, of_complex, comment)
