"""solve(), check(), factors, preconditioners."""
from __future__ import annotations

import json
from typing import Any, Callable, NamedTuple, Unpack, overload

import numpy as np

from . import _core
from ._array import ddarray
from ._complex import complex_form, complex_place, is_complex, real_form
from ._device import device_array, place_of, require_one_place, words_there
from ._matrix import LinearOperator, array_of, csr_matrix, require_vector, vector_words
from ._options import (CheckOptions, FactorOptions, FactorPrecision, PreconditionerOptions, SolveOptions, in_own_names,
                       named, refuse_foreign)
from ._place import is_on_device, require_host
from ._advice import after_check, after_solve
from ._result import CheckResult, SolveResult, from_zero
from .errors import InputError


class Progress(NamedTuple):
    """What a callback sees; `done` is the part of the stage from 0 to 1, or None."""

    iterations: int
    relative_residual: float
    stage: str
    done: float | None


def _is_operator(a: Any) -> bool:
    return hasattr(a, "matvec") and hasattr(a, "shape")


def _precision(name: str) -> str:
    if name not in ("dd", "double"):
        raise ValueError(f'precision is "dd" or "double", not {name!r}')
    return name


def _watch(callback: Callable[[Progress], Any] | None) -> Any:
    if callback is None:
        return None

    def look(*seen: Any) -> bool:
        try:
            callback(Progress(*seen))
        except StopIteration:
            return False
        return True

    return look


def _function(operator: Any, n: int, precision: str, name: str, may_round: bool) -> Callable[[Any], Any]:
    """matvec over words; an A must work in the precision of the solve, an M may in double."""
    foreign = type(operator).__module__.split(".")[0] == "scipy"
    if foreign and precision == "dd" and not may_round:
        raise TypeError(f"{name} is a LinearOperator of scipy, which computes in double: take "
                        "ddla.LinearOperator, whose matvec gets a ddarray, or precision=\"double\"")
    rounds = foreign and precision == "dd"

    def apply(words: Any) -> Any:
        x = array_of(words)
        y = operator.matvec(x.hi.copy() if rounds else x)
        if precision == "dd" and not may_round and not isinstance(y, ddarray):
            raise TypeError(f"{name}.matvec returned {type(y).__name__}: in double-double it must return a ddarray")
        return vector_words(y, n, f"{name}.matvec(x)", precision)

    return apply


class Preconditioner:
    """``z = M @ r``, about A^-1 r: jacobi, ilu, ilut, ic, block_jacobi or polynomial, built once.

    Options are those of C++ (docs/preconditioners.md): fill, drop, block_rows, blocks, polynomial,
    degree, …; pivots="refuse" makes a zero or tiny pivot a ValueError with its row.
    """

    @named(PreconditionerOptions)
    def __init__(self, kind: str, a: Any, *, precision: str = "dd", **options: Unpack[PreconditionerOptions]) -> None:
        refuse_foreign(options)
        self._core = _core.build_preconditioner(kind, csr_matrix(a)._on_host("a Preconditioner"), _precision(precision), options)

    @property
    def name(self) -> str:
        return str(self._core.name)

    @property
    def built(self) -> dict[str, Any]:
        """Seconds, bytes, fill, operations, smallest pivot and its row, shifts and the first shifted
        row; rows count from 0."""
        return dict(self._core.built())

    def __matmul__(self, r: Any) -> Any:
        precision = "dd" if self._core.is_dd else "double"
        return array_of(self._core.apply(vector_words(r, len(r), "r", precision)))


class lu_factors:
    """P R A C Q = L U in "double" or "dd"; options: ordering, scale, match, most_work, most_memory.

    For ``solve(..., factors=f)``, which refines; ``f.solve(b)``, which does not; and as M.
    """

    @named(FactorOptions)
    def __init__(self, a: Any, precision: str = "double", **options: Unpack[FactorOptions]) -> None:
        refuse_foreign(options)
        a = csr_matrix(a)
        self._core = _core.factor(a._on_host("lu_factors"), _precision(precision), options)
        self.shape, self._is_complex = a.shape, a.is_complex

    @property
    def about(self) -> dict[str, Any]:
        """Entries, operations, bytes, rank, smallest pivot, growth, seconds."""
        return dict(self._core.about())

    def solve(self, b: Any, trans: str = "N") -> Any:
        """x of A x = b, with trans="T" of A^T x = b; b of shape (n) or, k systems, (n, k)."""
        if trans not in ("N", "T"):
            raise ValueError(f'trans is "N" or "T", not {trans!r}')
        require_vector(b, "b")
        if self._is_complex or is_complex(b):
            raise TypeError("f.solve takes real systems: ddla.solve(A, b, factors=f) solves complex ones")
        require_host(b, "b")
        if (rank := self.about["rank"]) < self.shape[0]:
            raise InputError(f"the factors have no pivot in {self.shape[0] - rank} of {self.shape[0]} columns: A is singular, as "
                             "they see it; ddla.solve(A, b) tells whether the system has a solution")
        n, precision = self.shape[0], "dd" if isinstance(b, ddarray) else "double"
        b = b if isinstance(b, ddarray) else np.asarray(b)
        if b.ndim != 2:
            return array_of(self._core.solve(vector_words(b, n, "b", precision), trans == "T"))
        k = b.shape[1]
        if b.shape[0] != n:
            raise ValueError(f"b has shape {b.shape}, A needs ({n}, k)")
        words = vector_words(b.T.reshape(-1), n * k, "b", precision)  # one system after the other
        return array_of(self._core.solve(words, trans == "T")).reshape(k, n).T

    def refactor(self, a: Any) -> bool:
        """New values on the same pattern, by the analysis that is there; False, and nothing changed, if
        that does not serve: then factor anew."""
        return bool(self._core.refactor(csr_matrix(a)._on_host("refactor")))


def _preconditioner(m: Any, n: int, precision: str, positive: bool) -> tuple[Any, str]:
    """The core's object, and the name for options.precond."""
    if m is None or isinstance(m, str):
        if positive:
            raise ValueError("M_is_positive is said of an object or a function, M is " + (f'the name "{m}"' if m else "None"))
        return None, m or "none"
    k = _preconditioner_object(m, n, precision)
    return k.symmetric_positive() if positive else k, "none"


def _preconditioner_object(m: Any, n: int, precision: str) -> Any:
    if isinstance(m, Preconditioner):
        return m._core
    if isinstance(m, lu_factors):
        return _core.preconditioner_of_factors(m._core, precision)
    if not _is_operator(m):
        matrix = csr_matrix(m)
        m = LinearOperator(matrix.shape, matrix.__matmul__)
    if tuple(m.shape) != (n, n):
        raise ValueError(f"M has shape {tuple(m.shape)}, A needs ({n}, {n})")
    function = _function(m, n, precision, "M", True)
    return _core.preconditioner_of_function(n, function, precision)


def _solve_on_device(A: csr_matrix, b: Any, x0: Any, M: Any, precision: str, rest: dict[str, Any],
                     options: dict[str, Any], asked: dict[str, Any]) -> SolveResult:
    """A, b and x0 on one device; x stays there."""
    if M is not None and not isinstance(M, str):
        raise TypeError(f"A is on {A.place}, M is a {type(M).__name__} on the host: name a preconditioner, as M=\"ilu\"")
    for name, value in rest.items():
        if value is not None:
            raise ValueError(f"A is on {A.place}, {name} works on the host: take A.to_host()")
    vectors = {"b": (b, A.shape[0])} | ({} if x0 is None else {"x0": (x0, A.shape[1])})
    for name, (x, _) in vectors.items():
        if not is_on_device(x, name):
            require_one_place(**{"A": A.place, name: "host"})
    words = {name: words_there(x, name, n) for name, (x, n) in vectors.items()}
    require_one_place(A=A.place, **{name: f"device {w.device}" for name, w in words.items()})
    for name, w in words.items():
        if w.is_dd and precision == "double":
            raise TypeError(f"{name} is in double-double, the work is in double: take its high words, or precision=\"dd\"")
    options["precond"] = M or "none"
    x, _, history, report = _core.solve_there(A._core, words["b"], words.get("x0"), precision, options)
    fields = from_zero(json.loads(report)["solves"][0])
    return SolveResult(device_array._of(x), None, history, fields,
                       after_solve(fields, asked | {"several": True}, False, A.shape[1]))


# What type checkers see: arrays that they know to have two axes are several systems.
@overload
def solve(A: Any, b: np.ndarray[tuple[int, int], Any], x0: Any = None, *, method: str = "auto", M: Any = None,
          M_is_positive: bool = False, precision: str = "dd", factors: lu_factors | FactorPrecision | None = None, solution_words: int | None = None,
          callback: Callable[[Progress], Any] | None = None, **options: Unpack[SolveOptions]) -> list[SolveResult]: ...
@overload
def solve(A: Any, b: Any, x0: Any = None, *, method: str = "auto", M: Any = None,
          M_is_positive: bool = False, precision: str = "dd", factors: lu_factors | FactorPrecision | None = None, solution_words: int | None = None,
          callback: Callable[[Progress], Any] | None = None, **options: Unpack[SolveOptions]) -> SolveResult: ...
@named(SolveOptions)
def solve(A: Any, b: Any, x0: Any = None, *, method: str = "auto", M: Any = None,
          M_is_positive: bool = False, precision: str = "dd", factors: lu_factors | FactorPrecision | None = None, solution_words: int | None = None,
          callback: Callable[[Progress], Any] | None = None, **options: Any) -> SolveResult | list[SolveResult]:
    """Solve A x = b and say how many digits of x are right.

    A: scipy.sparse, csr_matrix, array, list of rows, or LinearOperator.  b, x0: vectors of numbers, or of
    shape (n, k) for k systems: then a list of k results, each as solved alone, from one
    factorisation or with products that read A once for eight systems.  x is a ddarray, or with
    ``precision="double"`` a float64 array.  method: a name of docs/methods.md;
    auto, refine and lsmr find least squares of an A that is not square.  M: the name of a preconditioner, a
    Preconditioner, lu_factors, a matrix or LinearOperator near A^-1; one of scipy's gets vectors
    rounded to double, which changes the preconditioner, not the system.  M_is_positive: it is no name
    and is known to be symmetric positive definite, as A is; refine then corrects by CG, not by BiCGStab.
    solution_words=4: x + x_low, about 64 digits.  callback(Progress) at each look; StopIteration ends the solve, other exceptions
    and Ctrl-C pass through it.  Other options: tolerance; digits (of auto; None: 12, or no demand where only
    a residual can be judged), normwise, certify; max_iterations, restart, l, s; fill, drop, … of
    preconditioners; factors="auto", "double" or "dd", ordering, scale, match, most_work, most_memory of
    factors.  scipy's names: rtol is tolerance, maxiter is max_iterations, and atol ends where
    ||b - A x|| <= max(rtol ||b||, atol).

    If A, b, x0 or M is complex, the system is solved as a real one of twice the size (docs/complex.md):
    x is a complex_ddarray, in double complex128; errors and digits are those of the parts.

    A, b and x0 may be on a device (csr_matrix, device_array say how): then x is a device_array, and M
    a name.  auto and refine without M factor on the host, from a copy; all else works on the device.

    Raises TypeError and ValueError for wrong data, ResourceError where limits are passed.  A solve
    that does not converge is no error: see `status`.  The GIL is released.

    >>> import scipy.sparse as sp
    >>> A = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(3, 3))
    >>> solve(A, [1.0, 0.0, 0.0]).x
    ddarray(['0.75', '0.5', '0.25'])
    """
    if not _is_operator(A):
        A = csr_matrix(A)
    rows, columns = A.shape
    require_vector(b, "b")
    _require_words(solution_words)
    _precision(precision)
    options = in_own_names(options, b, rows)
    if isinstance(factors, str):
        options, factors = {"factors": factors, **options}, None
    if any(is_complex(part) for part in (A, b, x0, M)):
        options = {**options, "factors": factors or options.get("factors")}
        return _solve_complex(A, b, x0, M, dict(method=method, precision=precision, callback=callback,
                                                solution_words=solution_words, M_is_positive=M_is_positive, **options))
    asked = _asked({"method": method, "precision": precision, "x0": x0, "M": M, "M_is_positive": M_is_positive, "factors": factors,
                    "solution_words": solution_words, "callback": callback} | options)
    options = {"method": method, "callback": _watch(callback), **options}
    if isinstance(A, csr_matrix) and A.place != "host":
        four = None if solution_words == 2 else solution_words
        return _solve_on_device(A, b, x0, M, precision, {"factors": factors, "solution_words": four,
                                                         "M_is_positive": M_is_positive or None}, options, asked)
    for name, x in (("b", b), ("x0", x0)):
        if is_on_device(x, name):
            require_one_place(**{"A": "host", name: place_of(x, name)})
    if np.ndim(b) == 2 and np.shape(b)[1] != 1:
        if not isinstance(A, csr_matrix) or factors is not None or solution_words == 4:
            raise ValueError("b of shape (n, k) takes a matrix, neither factors nor solution_words=4")
        return _solve_columns(A, b, x0, M, M_is_positive, precision, options, asked)
    b_words = vector_words(b, rows, "b", precision)
    x_words = vector_words(np.zeros(columns) if x0 is None else x0, columns, "x0", precision)
    k, options["precond"] = _preconditioner(M, rows, precision, M_is_positive)
    if solution_words == 4:
        _require_four_words(A, M, factors, precision)
        done = _core.solve_four_words(A._core, b_words, x_words, options)
    elif not isinstance(A, csr_matrix):
        function = _square_function(A, precision)
        done = _core.solve_function(rows, function, k, b_words, x_words, precision, options)
    elif factors is not None:
        if not isinstance(factors, lu_factors):
            raise TypeError(f"factors must be lu_factors, not {type(factors).__name__}")
        done = _core.solve_with(A._core, factors._core, b_words, x_words, precision, options)
    else:
        done = _core.solve(A._core, k, b_words, x_words, precision, options)
    return _result(*done, asked=asked, is_function=not isinstance(A, csr_matrix))


def _asked(given: dict[str, Any]) -> dict[str, Any]:
    """What the caller has said, beside A and b, for the advice."""
    usual = {"method": "auto", "precision": "dd", "M_is_positive": False}
    return {name: value for name, value in given.items()
            if value is not None and not (name in usual and value == usual[name])}


def _require_words(solution_words: int | None) -> None:
    if solution_words not in (None, 2, 4):
        raise ValueError(f"solution_words is 2 or 4, not {solution_words}")


def _require_four_words(A: Any, M: Any, factors: Any, precision: str) -> None:
    if not isinstance(A, csr_matrix) or factors is not None or M is not None or precision != "dd":
        raise ValueError("solution_words=4 takes a matrix, double-double, neither M nor factors")


def _square_function(A: Any, precision: str) -> Any:
    rows, columns = A.shape
    if rows != columns:
        raise ValueError(f"A has shape {tuple(A.shape)}, a square operator is needed")
    return _function(A, rows, precision, "A", False)


def _real_system(A: Any, b: Any, x0: Any, M: Any) -> tuple[Any, Any, Any, Any]:
    """The real form of a complex system."""
    if not isinstance(A, csr_matrix):
        raise TypeError(f"complex systems need the entries of A, which is a {type(A).__name__}")
    for name, x in (("b", b), ("x0", x0)):
        if np.ndim(x) not in (0, 1, 2) or x is not None and np.shape(x)[:1] != (A.shape[name == "x0"],):
            raise ValueError(f"{name} has shape {np.shape(x)}, A needs ({A.shape[name == 'x0']},)")
    if _is_operator(M) and not isinstance(M, csr_matrix):
        raise TypeError("in complex systems M is a name, a Preconditioner, lu_factors or a matrix, not an operator")
    if M is not None and not isinstance(M, (str, Preconditioner, lu_factors)):
        M = csr_matrix(M)._real_form()
    return A._real_form(), real_form(b, "b"), None if x0 is None else real_form(x0, "x0"), M


def _solve_complex(A: Any, b: Any, x0: Any, M: Any, options: dict[str, Any]) -> SolveResult | list[SolveResult]:
    """The same of the real form, with complex x."""
    real, rhs, guess, map_ = _real_system(A, b, x0, M)
    done: SolveResult | list[SolveResult] = solve(real, rhs, guess, M=map_, **options)
    for result in done if isinstance(done, list) else [done]:
        result.x = complex_form(result.x)
        unsettled = result.to_dict()["unsettled"]
        if unsettled is not None:
            unsettled.update(complex_place(unsettled["first"]))
        result.x_low = None if result.x_low is None else complex_form(result.x_low)
    return done


def _result(x: Any, low: Any, history: Any, report: str, *, asked: dict[str, Any], is_function: bool = False) -> SolveResult:
    x = array_of(x)
    fields = from_zero(json.loads(report)["solves"][0])
    advice = after_solve(fields, asked, is_function, x.size)
    return SolveResult(x, None if low is None else array_of(low), history, fields, advice)


def _column_words(b: Any, rows: int, count: int | None, name: str, precision: str) -> tuple[Any, int]:
    """The words of the columns, one column after the other, and how many there are."""
    b = b if isinstance(b, ddarray) else np.asarray(b)
    if b.ndim != 2 or b.shape[0] != rows or count not in (None, b.shape[1]):
        raise ValueError(f"{name} has shape {b.shape}, ({rows}, {'k' if count is None else count}) is needed")
    return vector_words(b.T.reshape(-1), rows * b.shape[1], name, precision), b.shape[1]


def _solve_columns(A: csr_matrix, b: Any, x0: Any, M: Any, M_is_positive: bool, precision: str,
                   options: dict[str, Any], asked: dict[str, Any]) -> list[SolveResult]:
    rows, columns = A.shape
    b_words, count = _column_words(b, rows, None, "b", precision)
    x_words, _ = _column_words(np.zeros((columns, count)) if x0 is None else x0, columns, count, "x0", precision)
    k, options["precond"] = _preconditioner(M, rows, precision, M_is_positive)
    return [_result(*one, asked=asked | {"several": True}) for one in _core.solve_columns(A._core, k, b_words, x_words, count, precision, options)]


@named(CheckOptions)
def check(A: Any, b: Any, x: Any, *, callback: Callable[[Progress], Any] | None = None,
          **options: Unpack[CheckOptions]) -> CheckResult:
    """How many digits of x are right, whoever computed it: beside a better one, solved anew.

    Options: digits (asked for, 6), normwise, certify, and those of factors.  The result is true
    if so many digits are right.  A is a matrix; x of doubles or a ddarray.  If one of them is complex,
    so is the system, and digits are those of real and imaginary parts.  Cost: that of solve().
    """
    A = csr_matrix(A)
    refuse_foreign(options)
    require_vector(b, "b")
    require_vector(x, "x")
    complex_system = any(is_complex(part) for part in (A, b, x))
    if complex_system:
        A, b, x = A._real_form(), real_form(b, "b"), real_form(x, "x")
    require_one_place(A=A.place, b=place_of(b, "b"), x=place_of(x, "x"))
    report = _core.check(A._on_host("check"), vector_words(b, A.shape[0], "b", "dd"),
                         vector_words(x, A.shape[1], "x", "dd"), "dd", {"callback": _watch(callback), **options},
                         complex_system)
    fields = from_zero(json.loads(report))
    return CheckResult(fields, after_check(fields, dict(options)))
