"""The options of C++ as keywords: for type checkers, for inspect, and under scipy's names."""
from __future__ import annotations

import inspect
import math
from typing import Any, Callable, TypeVar, get_type_hints

import numpy as np

from ._array import ddarray
from ._complex import is_complex, real_form
from ._device import device_array
from ._matrix import vector_words
# None has the meaning of an option that is not given.
from ._option_types import CheckOptions as CheckOptions, FactorOptions as FactorOptions, FactorPrecision as FactorPrecision
from ._option_types import PreconditionerOptions as PreconditionerOptions, SolveOptions as SolveOptions
from ._place import is_on_device

F = TypeVar("F", bound=Callable[..., Any])


def named(options: type) -> Callable[[F], F]:
    """For inspect.signature, help() and editors: **options of the function as keywords."""
    def with_names(function: F) -> F:
        signature = inspect.signature(function)
        parameters = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        parameters += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
                       for name, hint in get_type_hints(options).items()]
        function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return function

    return with_names


# Names of scipy, and of others, that say something else here.
_elsewhere = {
    "tol": "take tolerance, or scipy's rtol", "btol": "take tolerance: lsmr has one, of its residual",
    "conlim": "conditions do not end a solve: take max_iterations", "damp": "A x = b is solved as it is",
    "show": "print(result), or callback=print", "disp": "print(result), or callback=print",
    "maxit": "take max_iterations", "max_iter": "take max_iterations", "restrt": "take restart",
    "callback_type": "callback gets a Progress", "precond": "take M", "preconditioner": "take M", "P": "take M",
    "M1": "take M, one map near A^-1", "M2": "take M, one map near A^-1", "x_0": "take x0", "shift": "solve with A - shift I",
    "permc_spec": "take ordering", "use_umfpack": "factors are ddla's own", "outer_k": "method=\"gmres\" has restart",
    "inner_m": "method=\"gmres\" has restart", "k": "method=\"gmres\" has restart", "drop_tol": "take drop, with M=\"ilut\"",
    "fill_factor": "take fill, with M=\"ilut\"", "fill_in": "take fill", "threads": "see set_host_threads",
}


def refuse_foreign(options: Any) -> None:
    """TypeError that names ours for a name that other programs have."""
    for name in options:
        if name in _elsewhere:
            raise TypeError(f"there is no option {name!r}: {_elsewhere[name]}")


def in_own_names(options: dict[str, Any], b: Any, rows: int) -> dict[str, Any]:
    """The options with tolerance and max_iterations in place of rtol, atol and maxiter."""
    refuse_foreign(options)
    own = dict(options)
    rtol, atol, maxiter = (own.pop(name, None) for name in ("rtol", "atol", "maxiter"))
    for theirs, value, ours in (("rtol", rtol, "tolerance"), ("atol", atol, "tolerance"), ("maxiter", maxiter, "max_iterations")):
        if value is not None and own.get(ours) is not None:
            raise TypeError(f"{theirs} is scipy's name for what {ours} says: give one of them")
    if maxiter is not None:
        own["max_iterations"] = maxiter
    if atol is not None:
        rtol = _with_absolute(rtol, atol, b, rows)
    if rtol is not None:
        own["tolerance"] = rtol
    return own


def _with_absolute(rtol: float | None, atol: float, b: Any, rows: int) -> float | None:
    """The relative tolerance with the meaning ||b - A x|| <= max(rtol ||b||, atol)."""
    if not (0 <= atol < math.inf):
        raise ValueError(f"atol must be a number from 0, not {atol!r}")
    if atol == 0:
        return rtol
    if np.ndim(b) == 2 and np.shape(b)[1] != 1 and not is_on_device(b, "b"):
        raise ValueError(f"atol is of one b, which has shape {np.shape(b)}: take rtol, which is relative to each column")
    if is_complex(b):
        size = float(ddarray(real_form(b, "b")).nrm2())
    elif is_on_device(b, "b"):
        size = float(device_array.from_words(b).nrm2())
    else:
        size = float(ddarray._view(vector_words(b, rows, "b", "dd")).nrm2())
    if size == 0:
        return rtol
    return max(rtol or 0.0, atol / size)
