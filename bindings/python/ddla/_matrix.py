"""csr_matrix: a sparse matrix as ddla keeps it; operators of the caller's code."""
from __future__ import annotations

import collections.abc
import os
from typing import Any, Callable

import numpy as np

from . import _core
from ._array import Doubles, as_array, ddarray, exact_doubles, words_from
from ._complex import complex_ddarray, complex_form, is_complex, real_form
from ._device import device_array, memory_of, require_one_place, words_there
from ._place import is_on_device, require_host


def _is_sparse(x: Any) -> bool:
    return hasattr(x, "toarray") and hasattr(x, "nnz")


def require_vector(x: Any, name: str) -> Any:
    """x; TypeError, with what to write instead, for what numpy would take for one object."""
    kind = type(x).__name__
    if x is None:
        raise TypeError(f"{name} is None: a vector of numbers is needed")
    if isinstance(x, (str, bytes, os.PathLike)):
        raise TypeError(f"{name} is a {kind}: a vector of numbers is needed; ddla.read_vector reads one from a file")
    if isinstance(x, collections.abc.Iterator):
        raise TypeError(f"{name} is a {kind}, which can be read only once: take list({name})")
    if isinstance(x, (collections.abc.Set, collections.abc.Mapping)):
        raise TypeError(f"{name} is a {kind}: a list or an array of numbers is needed")
    if _is_sparse(x):
        raise TypeError(f"{name} is sparse, a {kind}: a dense vector is needed: take {name}.toarray()")
    if isinstance(x, csr_matrix):
        raise TypeError(f"{name} is a matrix: a vector of numbers is needed")
    return x


def _from_lists(rows: Any) -> Any:
    """Nested lists as an array of numpy, or as a ddarray where doubles do not hold the numbers."""
    if not all(isinstance(row, (list, tuple, np.ndarray, ddarray)) for row in rows):
        raise ValueError("A is a list of numbers: a list of rows is needed")
    sizes = [len(row) for row in rows]
    for k, size in enumerate(sizes):
        if size != sizes[0]:
            raise ValueError(f"A is a list whose row {k} has {size} numbers, row 0 has {sizes[0]}")
    if not any(isinstance(row, ddarray) for row in rows):
        a = np.asarray(rows)
        if a.dtype.kind not in "UO":
            return a
    return ddarray._view(np.stack([words_from(row, "A") for row in map(_row_of, rows)], axis=1))


def _row_of(row: Any) -> Any:
    row = row if isinstance(row, ddarray) else as_array(row)
    if row.ndim != 1:
        raise ValueError(f"A must have two dimensions, not {row.ndim + 1}")
    return row


def _dense_core(a: ddarray) -> Any:
    """The matrix of the numbers that are not zero."""
    if a.ndim != 2:
        raise ValueError(f"A must have two dimensions, not {a.ndim}")
    row, column = np.nonzero(a.hi)
    return _core.from_coordinates(*a.shape, row.astype(np.int64), column.astype(np.int64), _values(a[row, column]))


def _values(data: Any, name: str = "A") -> Doubles:
    """Values as the core takes them: (n) where all are doubles, else (2, n)."""
    if isinstance(data, ddarray):
        return np.ascontiguousarray(data.words)
    require_host(data, name)
    data = np.asarray(data)
    if data.dtype == object:
        raise TypeError(f"{name} has dtype object: give double-double values as a ddarray, by from_coordinates")
    words = words_from(data, name)
    return np.ascontiguousarray(words if np.any(words[1]) else words[0])


def _index_arrays(*arrays: Any) -> list[Any]:
    """Both int32 or both int64, native and contiguous; nothing is narrowed but uint64 that fits."""
    for a in arrays:
        require_host(a, "an array of indices")
        if np.asarray(a).dtype.kind not in "iu":
            raise TypeError(f"indices have dtype {np.asarray(a).dtype}: integers are taken")
        if np.asarray(a).dtype == np.uint64 and np.any(np.asarray(a) > np.uint64(2**63 - 1)):
            k = int(np.argmax(np.asarray(a)))
            raise ValueError(f"index {np.asarray(a)[k]} of entry {k} is beyond 2^31 - 1")
    small = all(np.can_cast(np.asarray(a).dtype, np.int32) for a in arrays)
    return [np.ascontiguousarray(a, dtype=np.int32 if small else np.int64) for a in arrays]


def _coordinates_of(a: Any) -> tuple[Any, Any, Any]:
    """Rows, columns and values of a matrix of scipy, which does not check its arrays itself."""
    if a.format == "csc":
        begin, row = _index_arrays(a.indptr, a.indices)
        size = np.diff(begin)
        if begin.shape != (a.shape[1] + 1,) or begin[0] != 0 or begin[-1] != row.size or np.any(size < 0):
            raise ValueError(f"A.indptr must have columns + 1 = {a.shape[1] + 1} ascending offsets from 0 to {row.size}")
        return row, np.repeat(np.arange(a.shape[1], dtype=row.dtype), size), a.data
    if a.format == "bsr":
        a.check_format()
    c = a.tocoo(copy=False)
    row, column = _index_arrays(c.row, c.col)
    return row, column, c.data


def _device_rows(a: Any) -> tuple[Any, Any, Any, tuple[int, int]] | None:
    """indptr, indices, data, shape of a matrix of another library on a device; None if it is none.

    CuPy's csr_matrix, PyTorch's sparse_csr tensors, JAX's BCSR, and what looks like them.
    """
    layout = str(getattr(a, "layout", ""))
    if layout.startswith("torch.sparse"):
        if not a.is_cuda:
            raise TypeError(f"A is a {layout} tensor on the host: give its arrays to csr_matrix.from_arrays")
        if layout != "torch.sparse_csr":
            raise ValueError(f"A has the layout {layout}: take A.to_sparse_csr()")
        return a.crow_indices(), a.col_indices(), a.values(), tuple(a.shape)
    if type(a).__module__.split(".")[0] == "cupyx" and getattr(a, "format", "csr") != "csr":
        raise ValueError(f"A is a matrix of cupyx in the format {a.format}: take A.tocsr()")
    if all(hasattr(a, part) for part in ("indptr", "indices", "data", "shape")) and is_on_device(a.data, "A.data"):
        return a.indptr, a.indices, a.data, tuple(a.shape)
    if is_on_device(a, "A"):
        raise TypeError(f"A is a dense array on a device, a {type(a).__name__}: a sparse matrix, compressed by rows, "
                        "is needed there")
    return None


def _rows_on_device(indptr: Any, indices: Any, data: Any, shape: tuple[int, int]) -> Any:
    """The core of a matrix whose arrays stay where they are."""
    names = {"A.indptr": indptr, "A.indices": indices, "A.data": data}
    if not all(is_on_device(x, name) for name, x in names.items()):
        require_one_place(**{name: "a device" if is_on_device(x, name) else "host" for name, x in names.items()})
    begin, column = memory_of(indptr, "A.indptr"), memory_of(indices, "A.indices")
    begin.require("A.indptr", "int32", "int64")
    if column.dtype == "int64":
        raise TypeError(f"A.indices on device {column.device} has dtype int64: column numbers have 32 bits, "
                        "convert them to int32 (offsets, A.indptr, may stay int64)")
    column.require("A.indices", "int32")
    value = words_there(data, "A.data")
    require_one_place(**{"A.indptr": f"device {begin.device}", "A.indices": f"device {column.device}",
                         "A.data": f"device {value.device}"})
    rows, columns = (int(n) for n in shape)
    if not 0 <= rows < 2**31 or not 0 <= columns < 2**31:
        raise ValueError(f"A has shape {(rows, columns)}: 2^31 - 1 rows and columns at most")
    if begin.shape != (rows + 1,) or column.shape != (value.size,):
        raise ValueError(f"A with {rows} rows has A.indptr of shape {begin.shape}, A.indices of {column.shape}, "
                         f"{value.size} values: they do not fit together")
    make = _core.rows_there_32 if begin.dtype == "int32" else _core.rows_there_64
    return make(rows, columns, begin.pointer, column.pointer, value, (begin.owner, column.owner))


class csr_matrix:
    """A sparse matrix compressed by rows, values in double or double-double: a copy on the host, or
    the arrays of another library on a device, where they are.

    From any of scipy.sparse's matrices and arrays of two dimensions, a dense array or ddarray, or a list
    of rows, whose numbers may be all that a ddarray takes; zeros of dense ones are not stored.  Real dtypes
    of up to 64 bits, where each value is a double, and longdouble convert exactly; integers beyond
    2^53 make values in double-double; bool and object raise TypeError.  Of a complex matrix the real
    form of twice the size is kept, on the host (docs/complex.md).  Rows are sorted by column and
    duplicates summed in stored order by ddla's summation rule, so that the order of storage
    changes no bit.  Cost: a pass over the entries, and a sort where rows are not sorted.

    On a device: from a csr_matrix of CuPy, a sparse_csr tensor of PyTorch, a BCSR of JAX, or
    `from_arrays`.  Nothing is copied; offsets and columns are read once, to check them.  Rows are
    summed as they are stored.  Values may change later, offsets and columns must not.

    >>> import scipy.sparse as sp
    >>> a = csr_matrix(sp.eye_array(3) * 0.5)
    >>> a @ ddarray(["0.1", "0.2", "0.3"])
    ddarray(['0.05', '0.1', '0.15'])
    """

    __slots__ = ("_core", "is_complex")
    _core: Any
    is_complex: bool  #: then _core is the real form
    __array_ufunc__ = None  # leaves the product with numpy's arrays to this class

    def __init__(self, a: Any) -> None:
        self.is_complex = False
        if isinstance(a, csr_matrix):
            self._core, self.is_complex = a._core, a.is_complex
            return
        if isinstance(a, (list, tuple)):
            a = _from_lists(a)
        if isinstance(a, ddarray):
            self._core = _dense_core(a)
            return
        if isinstance(a, (str, bytes, os.PathLike)):
            raise TypeError(f"A is a {type(a).__name__}: ddla.read_matrix reads a matrix from a file")
        if is_complex(a):
            self._core, self.is_complex = _core.real_form(csr_matrix(a.real)._core, csr_matrix(a.imag)._core), True
            return
        arrays = _device_rows(a)
        if arrays is not None:
            self._core = _rows_on_device(*arrays)
            return
        import scipy.sparse as sp

        if not sp.issparse(a):
            if not isinstance(a, np.ndarray):
                raise TypeError("A must be a sparse matrix of scipy, a csr_matrix, an array or a list of rows, "
                                f"not {type(a).__name__}")
            if a.ndim != 2:
                raise ValueError(f"A must have two dimensions, not {a.ndim}")
            if a.dtype == object:
                _values(a)  # refuses it
            doubles = exact_doubles(a, "A")  # scipy knows neither half precision nor foreign byte orders
            a = sp.coo_array(a if doubles is None else doubles)
        if a.ndim != 2:
            raise ValueError(f"A must have two dimensions, not {a.ndim}")
        if a.format == "csr":
            begin, column = _index_arrays(a.indptr, a.indices)
            self._core = _core.from_rows(*a.shape, begin, column, _values(a.data))
            return
        row, column, data = _coordinates_of(a)
        self._core = _core.from_coordinates(*a.shape, row, column, _values(data))

    @classmethod
    def _of(cls, core: Any, is_complex: bool = False) -> csr_matrix:
        a = object.__new__(cls)
        a._core, a.is_complex = core, is_complex
        return a

    def _real_form(self) -> csr_matrix:
        """Of twice the size: the matrix that is solved where one part of a system is complex."""
        core = self._on_host("a complex system")
        return csr_matrix._of(core if self.is_complex else _core.real_form(core))

    @classmethod
    def from_coordinates(cls, row: Any, column: Any, value: Any, shape: tuple[int, int]) -> csr_matrix:
        """From entries in any order, those at one place summed; `value` may be a ddarray."""
        r, c = _index_arrays(row, column)
        v = _values(value, "value")
        if not r.ndim == c.ndim == 1 or not r.size == c.size == v.shape[-1]:
            raise ValueError(f"{r.size} rows, {c.size} columns and {v.shape[-1]} values do not fit together")
        return cls._of(_core.from_coordinates(*shape, r, c, v))

    @classmethod
    def from_arrays(cls, indptr: Any, indices: Any, data: Any, shape: tuple[int, int]) -> csr_matrix:
        """From row offsets, columns and values, all on the host or all on one device.

        On a device without a copy: offsets int32 or int64, columns int32, values float64 of shape
        (nnz,), or (2, nnz) for double-double; from ``__cuda_array_interface__`` or DLPack.  On the
        host as from scipy's csr_array; `data` may be a ddarray.
        """
        if any(is_on_device(x) for x in (indptr, indices, data)):
            return cls._of(_rows_on_device(indptr, indices, data, shape))
        begin, column = _index_arrays(indptr, indices)
        return cls._of(_core.from_rows(*shape, begin, column, _values(data)))

    def _on_host(self, what: str) -> Any:
        """The core, for what works on the host."""
        if self.place != "host":
            raise ValueError(f"A is on {self.place}, {what} works on the host: take A.to_host()")
        return self._core

    @property
    def place(self) -> str:
        """ "host", "device 0", …"""
        return "host" if isinstance(self._core, _core.matrix) else f"device {self._core.device}"

    def to_host(self) -> csr_matrix:
        """A copy on the host, rows sorted and duplicates summed; itself, if it is there."""
        return self if self.place == "host" else csr_matrix._of(self._core.to_host())

    def to_device(self, device: int = 0) -> csr_matrix:
        """A copy on a device, of a real matrix on the host."""
        self._require_real("to_device")
        return csr_matrix._of(_core.matrix_there(self._on_host("to_device"), device))

    @property
    def shape(self) -> tuple[int, int]:
        parts = 2 if self.is_complex else 1
        return self._core.rows // parts, self._core.columns // parts

    def _require_real(self, what: str) -> None:
        if self.is_complex:
            raise TypeError(f"A is complex: {what} takes real matrices")

    @property
    def nnz(self) -> int:
        """Stored entries; of a complex matrix those of its real form."""
        return int(self._core.nonzeros)

    @property
    def precision(self) -> str:
        """Of the values: "double" or "dd"."""
        return "dd" if self._core.is_dd else "double"

    @property
    def T(self) -> csr_matrix:
        """The transpose, a new matrix; of a complex one take H."""
        self._require_real("T")
        return csr_matrix._of(self._on_host("the transpose").transposed())

    @property
    def H(self) -> csr_matrix:
        """The conjugate transpose, a new matrix."""
        return csr_matrix._of(self._on_host("the transpose").transposed(), self.is_complex)

    def __matmul__(self, x: Any) -> Any:
        """A x in the precision of x: a ddarray gives a ddarray, an array of doubles doubles; on a
        device a device_array."""
        if is_on_device(x, "x"):
            words = words_there(x, "x", self.shape[1])
            require_one_place(A=self.place, x=f"device {words.device}")
            return device_array._of(self._core.product(words))
        if self.place != "host" and isinstance(x, (ddarray, np.ndarray)):
            require_one_place(A=self.place, x="host")
        if not isinstance(x, (ddarray, complex_ddarray, np.ndarray)):
            return NotImplemented
        if self.is_complex or is_complex(x):
            return complex_form(self._real_form() @ real_form(x))
        words = vector_words(x, self.shape[1], "x", "dd" if isinstance(x, ddarray) else "double")
        return array_of(self._core.product(words, False))

    def to_scipy(self) -> Any:
        """A scipy csr_array in double; ValueError where values are in double-double."""
        import scipy.sparse as sp

        if self.is_complex:
            form = self._real_form().to_scipy()
            return sp.csr_array(form[0::2, 0::2] + 1j * form[1::2, 0::2])
        begin, column, value = self._on_host("to_scipy").arrays()
        if value.ndim == 2:
            raise ValueError("A has values in double-double, which scipy would round: see arrays()")
        return sp.csr_array((value, column, begin), shape=self.shape)

    def arrays(self) -> tuple[Any, Any, Any]:
        """Copies of row offsets, columns, and values (a ddarray if they are in double-double); of a
        complex matrix those of its real form."""
        begin, column, value = self._on_host("arrays").arrays()
        return begin, column, array_of(value)

    def __reduce__(self) -> Any:
        return _rebuild, ((self._core.rows, self._core.columns), *self.arrays(), self.is_complex)

    def __repr__(self) -> str:
        kind = "complex " if self.is_complex else ""
        return (f"<csr_matrix of {kind}{self.precision}: {self.shape[0]} x {self.shape[1]}, {self.nnz} entries"
                f"{'' if self.place == 'host' else ' on ' + self.place}>")


def _rebuild(shape: tuple[int, int], begin: Any, column: Any, value: Any, is_complex: bool = False) -> csr_matrix:
    column = column.astype(np.int64)
    return csr_matrix._of(_core.from_rows(*shape, begin, column, _values(value)), is_complex)


class LinearOperator:
    """A x by code of yours: ``matvec(x)`` returns A x in the precision of the solve.

    In double-double x is a ddarray and so must be the result; in double both are float64 arrays.
    Exceptions pass through the solve.
    """

    def __init__(self, shape: tuple[int, int], matvec: Callable[[Any], Any]) -> None:
        self.shape = (int(shape[0]), int(shape[1]))
        self.matvec = matvec

    def __matmul__(self, x: Any) -> Any:
        return self.matvec(x)


def array_of(words: Doubles) -> Any:
    """What the core returns, as users see it."""
    return ddarray._view(words) if words.ndim == 2 else words


def vector_words(x: Any, n: int, name: str, precision: str) -> Doubles:
    """A vector as the core takes it; TypeError or ValueError that names it."""
    if not isinstance(x, ddarray):
        require_host(require_vector(x, name), name)
        x = as_array(x)
        if x.dtype.kind in "cb" or x.dtype.kind not in "fiuOU" and type(x.dtype).__name__ != "QuadPrecDType":
            raise TypeError(f"{name} has dtype {x.dtype}: real numbers are needed")
    if x.ndim == 2 and x.shape[1] == 1:
        x = x.reshape(-1)
    if x.shape != (n,):
        raise ValueError(f"{name} has shape {x.shape}, A needs ({n},)")
    words = words_from(x, name)
    if precision == "dd":
        return np.ascontiguousarray(words)
    if isinstance(x, ddarray) or np.any(words[1]):
        raise TypeError(f"{name} is in double-double, the work is in double: take {name}.hi, or precision=\"dd\"")
    return np.ascontiguousarray(words[0])
