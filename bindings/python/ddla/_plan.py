"""plan_solve(): what a solve will do, before it does it."""
from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Unpack, overload

import numpy as np

from . import _core
from ._array import Doubles
from ._complex import is_complex
from ._device import place_of, require_one_place
from ._matrix import csr_matrix, require_vector, vector_words
from ._options import FactorPrecision, SolveOptions, in_own_names, named
from ._solve import (_is_operator, _precision, _preconditioner, _real_system, _require_four_words, _require_words,
                     _square_function)


class PlannedStage(NamedTuple):
    """A stage of a solve: it follows if the goal is not met yet and its condition, `follows`, holds.

    `starts_from`: which x it starts from, `judged` what x is judged by after it; None if it does nothing to
    x.  `work` in multiplications with a subtraction in double, `bytes` beside A, b, x: counted before
    any work, or at most a limit; infinite without one, None where A is a function.  `entries` of factors
    whose work and bytes are counted, else None; `limit`: the one that these would pass.  `most_iterations`
    is None where it does not iterate.  Reports name it if `is_reported`.
    """

    name: str
    does: str
    follows: str
    starts_from: str | None
    judged: str | None
    work: float | None
    work_is_at_most: bool
    bytes: float | None
    bytes_are_at_most: bool
    entries: int | None
    limit: str | None
    most_iterations: int | None
    is_reported: bool


class Plan(Sequence[PlannedStage]):
    """The stages of a solve in order; printed, a table of them for people.

    ``to_dict()`` is what ``ddla solve --dry-run --json`` prints, ``json`` its text.
    """

    def __init__(self, text: str) -> None:
        self.json = text
        self._fields: dict[str, Any] = json.loads(text)
        # A number that is not there is without a limit, but not known of a function.
        is_known = self._fields["matrix"]["nonzeros"] > 0
        self._stages = [_stage(s, is_known) for s in self._fields["plans"][0]["stages"]]

    def to_dict(self) -> dict[str, Any]:
        return dict(self._fields)

    def __len__(self) -> int:
        return len(self._stages)

    @overload
    def __getitem__(self, at: int) -> PlannedStage: ...
    @overload
    def __getitem__(self, at: slice) -> list[PlannedStage]: ...
    def __getitem__(self, at: int | slice) -> PlannedStage | list[PlannedStage]:
        return self._stages[at]

    def __repr__(self) -> str:
        return "\n".join(f"{k + 1:3}  {_text(s)}" for k, s in enumerate(self._stages))


def _stage(s: dict[str, Any], is_known: bool) -> PlannedStage:
    def amount(name: str) -> float | None:
        value = s[name]["amount"]
        return value if value is not None else math.inf if is_known else None

    return PlannedStage(s["stage"], s["does"], s["follows"], s["from"], s["judged"],
                        amount("work"), s["work"]["at_most"], amount("bytes"), s["bytes"]["at_most"],
                        s["entries"], s["limit"], s["most_iterations"], s["reported"])


def _amount(value: float | None, at_most: bool, form: str) -> str:
    if value is None:
        return "not known"
    if math.isinf(value):
        return "without limit"
    return ("at most " if at_most else "") + format(value, form)


def _text(s: PlannedStage) -> str:
    lines = [s.name, s.does, f"if: {s.follows}"]
    if s.starts_from is not None:
        lines.append(f"from {s.starts_from}; judged by {s.judged}")
    cost = f"entries: {s.entries}, " if s.entries is not None else ""
    cost += f"work: {_amount(s.work, s.work_is_at_most, '.2e')}, bytes: {_amount(s.bytes, s.bytes_are_at_most, ',.0f')}"
    if s.most_iterations is not None:
        cost += f", iterations: at most {s.most_iterations}"
    lines.append(cost)
    if s.limit is not None:
        lines.append(f"too large: {s.limit}")
    return "\n       ".join(lines)


@named(SolveOptions)
def plan_solve(A: Any, b: Any, x0: Any = None, *, method: str = "auto", M: Any = None,
               M_is_positive: bool = False, precision: str = "dd", solution_words: int | None = None,
               factors: FactorPrecision | None = None, callback: Any = None, **options: Unpack[SolveOptions]) -> Plan:
    """What ``solve`` with the same arguments will do, stage by stage, before any work.

    It refuses what that refuses before any work, and changes nothing.  Functions of A and M are not
    called.  Of b with shape (n, k): the plan of each system.  A, b and x0 are on the host.  There is no
    plan of a solve with ``factors=``: it refines with them, and has no other stage.

    >>> import scipy.sparse as sp
    >>> A = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(3, 3))
    >>> plan_solve(A, [1.0, 0.0, 0.0], method="cg")
      1  cg
           cg in double-double
           if: always
           from the guess; judged by its recomputed residual
           work: at most 7.00e+05, bytes: 144, iterations: at most 10000
    """
    if factors is not None and not isinstance(factors, str):
        raise TypeError("plan_solve takes no factors: a solve with them has one stage, refine")
    if not _is_operator(A):
        A = csr_matrix(A)
    require_vector(b, "b")
    _require_words(solution_words)
    _precision(precision)
    if isinstance(A, csr_matrix) and A.place != "host":
        raise ValueError(f"A is on {A.place}, plan_solve works on the host: take A.to_host()")
    for name, x in (("b", b), ("x0", x0)):
        if x is not None:
            require_one_place(**{"A": "host", name: place_of(x, name)})
    complex_system = any(is_complex(part) for part in (A, b, x0, M))
    if complex_system:
        A, b, x0, M = _real_system(A, b, x0, M)
    own = {"method": method, "callback": None, "factors": factors, **in_own_names({**options}, b, A.shape[0])}
    systems = _columns(b, x0)
    if not systems:
        raise ValueError("b has no columns")
    rows, columns = A.shape
    b_words = [vector_words(column, rows, "b", precision) for column, _ in systems]
    x_words = [vector_words(np.zeros(columns) if x is None else x, columns, "x0", precision) for _, x in systems]
    return Plan(_plan_all(A, b_words, x_words, M, M_is_positive, precision, solution_words, own, complex_system))


def _columns(b: Any, x0: Any) -> list[tuple[Any, Any]]:
    """Each system's b and guess."""
    if np.ndim(b) != 2:
        return [(b, x0)]
    if x0 is not None and np.shape(x0)[1:] != np.shape(b)[1:]:
        raise ValueError(f"x0 has shape {np.shape(x0)}, b has {np.shape(b)}: as many columns are needed")
    return [(b[:, j], None if x0 is None else x0[:, j]) for j in range(np.shape(b)[1])]


def _plan_all(A: Any, b: list[Doubles], x: list[Doubles], M: Any, M_is_positive: bool, precision: str,
              solution_words: int | None, options: dict[str, Any], complex_system: bool) -> str:
    """The text of the plan of all these systems."""
    k, options["precond"] = _preconditioner(M, A.shape[0], precision, M_is_positive)
    if solution_words == 4:
        _require_four_words(A, M, None, precision)
        return str([_core.plan_four_words(A._core, one, guess, options, complex_system)
                    for one, guess in zip(b, x, strict=True)][-1])
    if isinstance(A, csr_matrix):
        return str(_core.plan(A._core, k, np.concatenate(b, axis=-1), np.concatenate(x, axis=-1), len(b),
                              precision, options, complex_system))
    function = _square_function(A, precision)
    return str([_core.plan_function(A.shape[0], function, k, one, guess, precision, options)
                for one, guess in zip(b, x, strict=True)][-1])
