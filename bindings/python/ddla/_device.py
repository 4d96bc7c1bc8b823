"""Arrays on a device: what of CuPy, PyTorch, JAX and others ddla reads, and device_array, what it returns."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._array import ddarray, words_from
from ._dd import dd
from ._place import is_on_device
from .errors import ResourceError

LEGACY_STREAM = 1  # CUDA's default stream, in both protocols


def place_of(x: Any, name: str = "the array") -> str:
    """ "host", "device 0", …"""
    if not is_on_device(x, name):
        return "host"
    return f"device {memory_of(x, name).device}"


class Memory(NamedTuple):
    """An array of another library, where it is; `owner` keeps it there."""

    pointer: int
    dtype: str
    shape: tuple[int, ...]
    is_contiguous: bool
    device: int
    owner: Any

    def require(self, name: str, *dtypes: str) -> None:
        """TypeError or ValueError, with the name, unless ddla can read it without a copy."""
        if self.dtype not in dtypes:
            raise TypeError(f"{name} on device {self.device} has dtype {self.dtype}: {' or '.join(dtypes)} is needed")
        if not self.is_contiguous:
            raise ValueError(f"{name} on device {self.device}, of shape {self.shape}, is not C-contiguous: "
                             "ddla copies nothing there by itself")


def _require_device(name: str) -> None:
    if _core.devices() == 0:
        raise ResourceError(f"{name} is on a device, and ddla sees none: {_core.why_no_device()}")


def memory_of(x: Any, name: str) -> Memory:
    """What x exports, by DLPack, else by __cuda_array_interface__; its producer's work is done, or
    ordered before what CUDA's default stream does next."""
    _require_device(name)
    if isinstance(x, device_array):
        x = x._core
    if isinstance(x, _core.device_words):
        return Memory(x.pointer, "float64", tuple(x.shape), True, x.device, x)
    return _from_dlpack(x) if hasattr(x, "__dlpack__") else _from_cuda_interface(x, name)


def _from_dlpack(x: Any) -> Memory:
    try:
        capsule = x.__dlpack__(stream=LEGACY_STREAM, max_version=(1, 1))
    except TypeError:  # from before DLPack 1.0
        capsule = x.__dlpack__(stream=LEGACY_STREAM)
    found = _core.import_capsule(capsule)
    _core.wait_for_device(found.device)
    return Memory(found.pointer, found.dtype, tuple(found.shape), found.is_contiguous, found.device, found)


def _is_contiguous(shape: tuple[int, ...], strides: Any, item: int) -> bool:
    if strides is None or 0 in shape:
        return True
    for n, stride in zip(reversed(shape), reversed(strides)):
        if n != 1 and stride != item:
            return False
        item *= n
    return True


def _from_cuda_interface(x: Any, name: str) -> Memory:
    given = x.__cuda_array_interface__
    version = given.get("version")
    if version not in (2, 3):
        raise ValueError(f"{name} has version {version} of __cuda_array_interface__: 2 and 3 are read")
    if given.get("mask") is not None:
        raise TypeError(f"{name} has a mask: ddla has no numbers that are missing")
    dtype, shape, pointer = np.dtype(given["typestr"]), tuple(given["shape"]), int(given["data"][0])
    device = 0
    if pointer:
        device = _core.place_of_memory(pointer)
        if device < 0:
            raise ValueError(f"{name}.__cuda_array_interface__ has an address of the host, which no device reaches")
    stream = given.get("stream")
    if stream == 0:
        raise ValueError(f"{name}.__cuda_array_interface__ has stream 0, which the protocol forbids")
    if stream is not None:
        _core.wait_for_stream(device, int(stream))
    native = dtype.isnative
    return Memory(pointer, dtype.name if native else dtype.str, shape,
                  _is_contiguous(shape, given.get("strides"), dtype.itemsize), device, x)


def words_there(x: Any, name: str, n: int | None = None) -> Any:
    """Numbers on a device as the core takes them: float64 of shape (n), or (2, n) hi before lo."""
    found = memory_of(x, name)
    found.require(name, "float64")
    shape = found.shape
    is_dd = len(shape) == 2 and shape[0] == 2
    if not (is_dd or len(shape) == 1) or n is not None and shape[-1] != n:
        size = "n" if n is None else n
        raise ValueError(f"{name} on device {found.device} has shape {shape}: ({size},), or (2, {size}) for "
                         "double-double, is needed")
    if isinstance(found.owner, _core.device_words):
        return found.owner
    return _core.words_at(found.pointer, 2 if is_dd else 1, shape[-1], found.device, found.owner)


class device_array:
    """Numbers on a device, in double-double or double; what solves with device data return.

    ``device_array(x, device=0)`` copies numbers of the host there, ``from_words`` reads an array of
    another library where it is, ``to_host()`` copies back.  ``x.words`` is the memory, float64 of
    shape (2, n), hi before lo, or (n,) in double, for ``cupy.asarray``, ``torch.from_dlpack``,
    ``jax.dlpack.from_dlpack`` and ``numba.cuda.as_cuda_array``, without a copy; they may also take x.
    """

    __slots__ = ("_core",)
    __array_ufunc__ = None  # numpy's operators leave it alone
    __hash__ = None  # type: ignore[assignment]
    _core: Any

    def __init__(self, x: Any, device: int = 0) -> None:
        if is_on_device(x, "x"):
            raise TypeError("x is on a device already: take device_array.from_words(x), which copies nothing")
        double = not isinstance(x, ddarray) and isinstance(x, np.ndarray) and x.dtype == np.float64
        words = np.ascontiguousarray(x if double else words_from(x, "x"))
        if words.ndim != (1 if double else 2):
            raise ValueError(f"x has shape {words.shape if double else words.shape[1:]}: one dimension is needed")
        _require_device("device_array")
        self._core = _core.copy_there(words, device)

    @classmethod
    def from_words(cls, words: Any) -> device_array:
        """The memory of an array on a device, float64 of shape (2, n) or (n,), without a copy.

        Each hi must be hi + lo rounded; that is not checked.
        """
        if not is_on_device(words, "words"):
            raise TypeError(f"words is on the host, a {type(words).__name__}: device_array(x) copies x to a device")
        return cls._of(words_there(words, "words"))

    @classmethod
    def _of(cls, core: Any) -> device_array:
        x = object.__new__(cls)
        x._core = core
        return x

    @property
    def words(self) -> Any:
        """The memory, with ``__cuda_array_interface__`` (version 3) and ``__dlpack__``."""
        return self._core

    @property
    def hi(self) -> device_array:
        """The nearest doubles; a view."""
        return device_array._of(self._core.part(0))

    @property
    def lo(self) -> device_array:
        """What hi leaves; a view."""
        if not self._core.is_dd:
            raise ValueError("an array in double has no low words")
        return device_array._of(self._core.part(1))

    @property
    def shape(self) -> tuple[int, ...]:
        return (self._core.size,)

    @property
    def ndim(self) -> int:
        return 1

    @property
    def size(self) -> int:
        return int(self._core.size)

    @property
    def precision(self) -> str:
        """ "double" or "dd"."""
        return "dd" if self._core.is_dd else "double"

    @property
    def device(self) -> int:
        """The number of the device."""
        return int(self._core.device)

    def __len__(self) -> int:
        return self.size

    def to_host(self) -> Any:
        """A copy: a ddarray, or a float64 array of an array in double."""
        words = self._core.to_host()
        return ddarray._view(words) if self._core.is_dd else words

    def dot(self, y: Any) -> Any:
        """Sum of x_i y_i by ddla's summation rule; y on the same device.  A dd, or a float of doubles."""
        if not is_on_device(y, "y"):
            raise ValueError(f"x is on device {self.device}, y is on the host: bring them to one place")
        other = words_there(y, "y", self.size)
        require_one_place(x=f"device {self.device}", y=f"device {other.device}")
        return self._number(_core.device_dot(self._core, other), other.is_dd)

    def __matmul__(self, y: Any) -> Any:
        return self.dot(y)

    def nrm2(self) -> Any:
        """The 2-norm."""
        return self._number(_core.device_nrm2(self._core))

    def asum(self) -> Any:
        """The sum of absolute values."""
        return self._number(_core.device_asum(self._core))

    def _number(self, words: tuple[float, float], in_dd: bool = False) -> Any:
        return dd._make(*words) if in_dd or self._core.is_dd else words[0]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return dict(self._core.__cuda_array_interface__)

    def __dlpack__(self, **arguments: Any) -> Any:
        return self._core.__dlpack__(**arguments)

    def __dlpack_device__(self) -> tuple[int, int]:
        kind, index = self._core.__dlpack_device__()
        return kind, index

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise TypeError("a device_array is not copied to the host silently: take x.to_host()")

    def __repr__(self) -> str:
        return f"<device_array of {self.precision}: {self.size} numbers on device {self.device}>"


def require_one_place(**places: str) -> None:
    """ValueError that names all, unless all places are one."""
    if len(set(places.values())) > 1:
        texts = [f"{name} is on {'the host' if place == 'host' else place}" for name, place in places.items()]
        raise ValueError(f"{', '.join(texts)}: bring them to one place")
