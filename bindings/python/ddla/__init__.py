"""ddla: sparse linear systems in double-double, about 32 digits.

>>> import ddla, scipy.sparse as sp
>>> A = sp.csr_array([[4.0, 1.0], [1.0, 3.0]])
>>> result = ddla.solve(A, [1.0, 2.0])
>>> result.status, result.x[0]
('converged', dd('0.090909090909090909090909090909091'))
"""
from . import _core
from ._array import ddarray
from ._complex import complex_dd, complex_ddarray, complex_form, real_form
from ._dd import dd
from ._device import device_array
from ._files import read_matrix, read_vector, write_matrix, write_vector
from ._krylov import Info, bicgstab, bicgstabl, cg, gmres, idr, minres
from ._matrix import LinearOperator, csr_matrix
from ._plan import Plan, PlannedStage, plan_solve
from ._ranks import distributed_matrix
from ._result import CheckResult, SolveResult
from ._solve import Preconditioner, Progress, check, lu_factors, solve
from .errors import Error, InputError, InternalError, LimitError, ResourceError

__version__: str = _core.version


def host_threads() -> int:
    """The number of threads that work on the host may use: DDLA_NUM_THREADS, or the processors."""
    return int(_core.host_threads())


def set_host_threads(threads: int) -> None:
    """1 to 1024; never changes a bit of a result."""
    _core.set_host_threads(threads)


__all__ = [
    "CheckResult", "Error", "Info", "InputError", "InternalError", "LimitError", "LinearOperator",
    "Plan", "PlannedStage", "Preconditioner", "Progress", "ResourceError", "SolveResult", "bicgstab",
    "bicgstabl", "cg", "check", "complex_dd", "complex_ddarray", "complex_form", "csr_matrix", "dd", "ddarray",
    "device_array", "distributed_matrix", "gmres", "host_threads", "idr", "lu_factors", "minres", "plan_solve", "read_matrix",
    "read_vector", "real_form", "set_host_threads", "solve", "write_matrix", "write_vector",
]
