"""Where arrays of any library are."""
from __future__ import annotations

from typing import Any

import numpy as np

CUDA = (2, 13)  # kDLCUDA, kDLCUDAManaged of DLPack
HOST = (1, 3)  # kDLCPU, kDLCUDAHost


def is_on_device(x: Any, name: str = "the array") -> bool:
    """Whether x is an array in the memory of a CUDA device; ValueError for other devices."""
    if isinstance(x, (np.ndarray, np.generic, str, list, tuple, int, float)):
        return False
    if not hasattr(x, "__dlpack_device__"):
        return hasattr(x, "__cuda_array_interface__")
    kind, index = x.__dlpack_device__()
    if kind not in CUDA + HOST:
        raise ValueError(f"{name} is on device {index} of type {int(kind)} of DLPack: "
                         "ddla works on the host and on CUDA devices")
    return kind in CUDA


def require_host(x: Any, name: str) -> None:
    """TypeError for an array on a device: some libraries would copy it where numpy asks."""
    if is_on_device(x, name):
        raise TypeError(f"{name} is on a device, this works on the host: copy it there yourself")
