"""The methods under scipy's names: ``x, info = bicgstab(A, b, rtol=1e-20)``."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._matrix import csr_matrix, require_vector, vector_words
from ._array import ddarray
from ._complex import is_complex, real_form
from ._device import device_array
from ._place import is_on_device
from ._result import SolveResult
from ._solve import Progress, _is_operator, solve


class Info(int):
    """0: converged; positive: the iterations of a solve that did not; negative: it broke down.

    `report` is the whole report.
    """

    report: SolveResult


def _info(report: SolveResult) -> Info:
    ends = {"converged": 0, "breakdown": -10, "not_finite": -11, "singular": -12}
    info = Info(ends.get(report.status, max(1, report.iterations)))
    info.report = report
    return info


def _method(name: str, method: str, about: str, extra: tuple[str, ...] = ()) -> Callable[..., tuple[Any, Info]]:
    def call(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0,
             maxiter: int | None = None, M: Any = None,
             callback: Callable[[Progress], Any] | None = None, precision: str = "dd",
             **options: Any) -> tuple[Any, Info]:
        for option in options:
            if option not in extra:
                raise TypeError(f"{name}() got an unexpected keyword argument {option!r}")
        require_vector(b, "b")
        if not _is_operator(A):
            A = csr_matrix(A)
        if np.ndim(b) == 2 and np.shape(b)[1] != 1:
            raise ValueError(f"b has shape {np.shape(b)}, A needs ({A.shape[0]},): solve() takes several")
        tolerance = rtol
        if atol > 0 and is_complex(b):
            tolerance = max(rtol, atol / float(ddarray(real_form(b, "b")).nrm2() or 1))
        elif atol > 0:
            size = float(device_array.from_words(b).nrm2() if is_on_device(b, "b") else
                         ddarray._view(vector_words(b, A.shape[0], "b", "dd")).nrm2())
            tolerance = max(rtol, atol / size) if size > 0 else rtol
        limit = 10 * A.shape[0] if maxiter is None else maxiter
        report = solve(A, b, x0, method=method, M=M, precision=precision, callback=callback,
                       tolerance=tolerance, max_iterations=limit, **options)
        return report.x, _info(report)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"""{about}

    Converged means ||b - A x|| <= max(rtol ||b||, atol) for the recomputed residual.  x is a
    ddarray, in ``precision="double"`` a float64 array, of complex systems both are complex; info 0 if converged, and info.report has
    the report.  callback gets a Progress, not x.  maxiter counts iterations, 10 n unless given.
    Other options: {", ".join(extra) or "none"}.  See solve() for A, b and M.
    """
    return call


bicgstab = _method("bicgstab", "bicgstab", "BiCGStab (van der Vorst 1992), for any square A.")
cg = _method("cg", "cg", "Conjugate gradients (Hestenes and Stiefel 1952), for symmetric or Hermitian positive definite A and M.")
gmres = _method("gmres", "fgmres", "Restarted flexible GMRES (Saad 1993), for any square A.", ("restart",))
minres = _method("minres", "minres", "MINRES (Paige and Saunders 1975), for symmetric or Hermitian A.")
bicgstabl = _method("bicgstabl", "bicgstabl", "BiCGStab(l) (Sleijpen and Fokkema 1993), for any square A.", ("l",))
idr = _method("idr", "idr", "IDR(s) (van Gijzen and Sonneveld 2011), for any square A.", ("s",))
