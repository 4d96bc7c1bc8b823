"""The methods under scipy's names: ``x, info = bicgstab(A, b, rtol=1e-20)``."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._matrix import csr_matrix, require_vector
from ._options import in_own_names
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


def _solved(method: str, A: Any, b: Any, x0: Any, rtol: float, atol: float, maxiter: int | None, M: Any,
            callback: Callable[[Progress], Any] | None, precision: str, **options: Any) -> tuple[Any, Info]:
    require_vector(b, "b")
    if not _is_operator(A):
        A = csr_matrix(A)
    if np.ndim(b) == 2 and np.shape(b)[1] != 1:
        raise ValueError(f"b has shape {np.shape(b)}, A needs ({A.shape[0]},): solve() takes several")
    limit = 10 * A.shape[0] if maxiter is None else maxiter
    own = in_own_names({"rtol": rtol, "atol": atol, "maxiter": limit}, b, A.shape[0])
    report = solve(A, b, x0, method=method, M=M, precision=precision, callback=callback, **own, **options)
    assert isinstance(report, SolveResult)
    return report.x, _info(report)


_about = """

    Converged means ||b - A x|| <= max(rtol ||b||, atol) for the recomputed residual.  x is a
    ddarray, in ``precision="double"`` a float64 array, of complex systems both are complex; info 0 if converged, and info.report has
    the report.  callback gets a Progress, not x.  maxiter counts iterations, 10 n unless given.
    See solve() for A, b and M.
    """


def bicgstab(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None,
             M: Any = None, callback: Callable[[Progress], Any] | None = None, precision: str = "dd") -> tuple[Any, Info]:
    """BiCGStab (van der Vorst 1992), for any square A."""
    return _solved("bicgstab", A, b, x0, rtol, atol, maxiter, M, callback, precision)


def cg(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None,
       M: Any = None, callback: Callable[[Progress], Any] | None = None, precision: str = "dd") -> tuple[Any, Info]:
    """Conjugate gradients (Hestenes and Stiefel 1952), for symmetric or Hermitian positive definite A and M."""
    return _solved("cg", A, b, x0, rtol, atol, maxiter, M, callback, precision)


def gmres(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None,
          M: Any = None, callback: Callable[[Progress], Any] | None = None, precision: str = "dd", restart: int | None = None) -> tuple[Any, Info]:
    """Restarted flexible GMRES (Saad 1993), for any square A.  restart: iterations of a cycle."""
    return _solved("fgmres", A, b, x0, rtol, atol, maxiter, M, callback, precision, restart=restart)


def minres(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None,
           M: Any = None, callback: Callable[[Progress], Any] | None = None, precision: str = "dd") -> tuple[Any, Info]:
    """MINRES (Paige and Saunders 1975), for symmetric or Hermitian A."""
    return _solved("minres", A, b, x0, rtol, atol, maxiter, M, callback, precision)


def bicgstabl(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None,
              M: Any = None, callback: Callable[[Progress], Any] | None = None, precision: str = "dd", l: int | None = None) -> tuple[Any, Info]:
    """BiCGStab(l) (Sleijpen and Fokkema 1993), for any square A.  l: the degree of its polynomials."""
    return _solved("bicgstabl", A, b, x0, rtol, atol, maxiter, M, callback, precision, l=l)


def idr(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None,
        M: Any = None, callback: Callable[[Progress], Any] | None = None, precision: str = "dd", s: int | None = None) -> tuple[Any, Info]:
    """IDR(s) (van Gijzen and Sonneveld 2011), for any square A.  s: the dimension of its shadow space."""
    return _solved("idr", A, b, x0, rtol, atol, maxiter, M, callback, precision, s=s)


for _function in (bicgstab, cg, gmres, minres, bicgstabl, idr):
    _function.__doc__ = str(_function.__doc__) + _about
