"""Python's own arithmetic of floats, rounded to nearest whatever mode other modules have left."""
from __future__ import annotations

import functools
from typing import Callable, ParamSpec, TypeVar

from . import _core

P = ParamSpec("P")
R = TypeVar("R")


def in_own_mode(f: Callable[P, R]) -> Callable[P, R]:
    """f, with subnormal numbers and rounded to nearest; then the thread has its mode again."""
    @functools.wraps(f)
    def exactly(*args: P.args, **named: P.kwargs) -> R:
        with _core.exact_mode():
            return f(*args, **named)

    return exactly
