"""The libraries whose arrays on a device the tests take, one text for all of them."""
import os

import numpy as np
import pytest

import ddla
from ddla import _core

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else JAX takes most of the memory


class Cuda:
    """A class of somebody's with nothing but __cuda_array_interface__."""

    def __init__(self, array, interface):
        self.array, self.__cuda_array_interface__ = array, interface


class Library:
    """put(array of numpy) is on device 0; pointer(array); take(x) is x of ddla as an array there."""

    def __init__(self, name):
        self.name = name
        if name in ("cupy", "interface"):
            self.cupy = pytest.importorskip("cupy", reason=f"{name}: there is no CuPy")
        elif name == "torch":
            self.torch = pytest.importorskip("torch", reason="there is no PyTorch")
            if not self.torch.cuda.is_available():
                pytest.skip("this PyTorch sees no device")
        elif name == "jax":
            self.jax = pytest.importorskip("jax", reason="there is no JAX")
            self.jax.config.update("jax_enable_x64", True)
            if self.jax.default_backend() != "gpu":
                pytest.skip("this JAX sees no device")

    def put(self, array):
        array = np.ascontiguousarray(array)
        if self.name == "cupy":
            return self.cupy.asarray(array)
        if self.name == "interface":
            there = self.cupy.asarray(array)
            return Cuda(there, there.__cuda_array_interface__)
        if self.name == "torch":
            return self.torch.from_numpy(array.copy()).cuda()
        return self.jax.device_put(array, self.jax.devices()[0])

    def pointer(self, a):
        if self.name in ("cupy", "interface"):
            return a.data.ptr if self.name == "cupy" else a.array.data.ptr
        return a.data_ptr() if self.name == "torch" else a.unsafe_buffer_pointer()

    def take(self, x):
        if self.name == "cupy":
            return self.cupy.from_dlpack(x)
        if self.name == "interface":
            there = self.cupy.asarray(x)
            return Cuda(there, there.__cuda_array_interface__)
        return self.torch.from_dlpack(x) if self.name == "torch" else self.jax.dlpack.from_dlpack(x)

    def to_numpy(self, a):
        if self.name in ("cupy", "interface"):
            return self.cupy.asnumpy(a if self.name == "cupy" else a.array)
        return a.cpu().numpy() if self.name == "torch" else np.asarray(a)


NAMES = ("cupy", "interface", "torch", "jax")


def require_device():
    if _core.devices() == 0:
        pytest.skip(f"there is no device: {_core.why_no_device()}")


def matrix_there(library, a, wide=False):
    """The arrays of a matrix of ddla, as a library has them on the device."""
    begin, column, value = a.arrays()
    words = value.words if isinstance(value, ddla.ddarray) else value
    return [library.put(x) for x in (begin if wide else begin.astype(np.int32), column, words)]
