"""What to try after a solve or a check that has not brought what was asked for: a call, and why.

The same as the command says (src/cli/report/next_try.cpp), in the words of Python.
"""
from __future__ import annotations

import json
import math
from typing import Any

from . import _core

_usual: dict[str, Any] = _core.usual_options()
_for_digits = ("digits", "normwise", "certify", "solution_words")
_for_iterations = ("M", "M_is_positive", "restart", "l", "s", "max_iterations", "fill", "drop", "block_rows", "blocks", "pivots",
                   "polynomial", "degree", "eigenvalue_ratio", "most_fill")
_for_factors = ("factors", "ordering", "scale", "match", "most_work", "most_memory")


def _text(value: Any, name: str) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    return repr(value) if isinstance(value, (int, float)) else name


def _call(asked: dict[str, Any], why: str = "", without: tuple[str, ...] = (), function: str = "solve(A, b", **changed: Any) -> str:
    """The call again, with other options."""
    options = {k: v for k, v in asked.items() if k not in without and k not in changed} | changed
    shown = [f"{name}={_text(value, name)}" for name, value in options.items() if value is not None and name != "several"]
    return ", ".join([function, *shown]) + ")" + (f", {why}" if why else "")


def _of(asked: dict[str, Any], name: str) -> Any:
    return _usual[name] if asked.get(name) is None else asked[name]


def _more(limit: str, asked: dict[str, Any], why: str = "", **call: Any) -> str:
    """A limit that was passed, raised."""
    name = "most_memory" if limit == "memory" else "most_work"
    now, usual = _of(asked, name), _usual[name]
    if now < usual:
        more = usual
    elif name == "most_memory":
        more = 10 * now
    else:  # what was counted is less than factors take: after ten times, as good as none
        more = 10 * usual if now < 10 * usual else max(1e12, 10 * now)
    changed: dict[str, Any] = {name: more, **call}
    return _call(asked, why, **changed)


def _limit_at_the_end(plan: list[dict[str, Any]]) -> str | None:
    passed = [s for s in plan if s["passed"] and (s is plan[-1] or s["stage"].startswith("rank"))]
    return passed[-1]["passed"] if passed else None


def _limit_of_factors(plan: list[dict[str, Any]]) -> str | None:
    return next((s["passed"] for s in plan if s["passed"]), None)


def _met_tolerance(f: dict[str, Any], asked: dict[str, Any]) -> str:
    residual = f["true_relative_residual"]
    if residual is None or not 2 * residual < 0.95:
        return ""
    return _call(asked, "which this x meets", tolerance=float(f"{max(2 * residual, 1e-307):.0e}"))


# "several" in what was asked: several systems, or one on a device, where x has two words.


def _factors(asked: dict[str, Any], is_function: bool) -> bool:
    return asked.get("method", "auto") in ("auto", "refine") and asked.get("M") is None and not is_function


def _smaller_residual(f: dict[str, Any], asked: dict[str, Any], is_function: bool) -> str:
    fits = _factors(asked, is_function) and asked.get("factors") is None and not asked.get("several")
    if fits and f["solution_words"] == 2 and f["precision"] == "dd":
        return _call(asked, solution_words=4)
    return _met_tolerance(f, asked)


def _after_factors(f: dict[str, Any], asked: dict[str, Any]) -> str:
    wanted = _of(asked, "digits")
    limit = _limit_at_the_end(f["plan"])
    if f["rank"] is not None and f["rank"]["dependent_columns"]:
        return _least_squares(asked)
    if limit:
        return _more(limit, asked)
    if f["precision"] == "double":
        return _call(asked, precision="dd")
    if asked.get("factors") == "double":
        return _call(asked, without=("factors",))
    if f["goal"] == "residual" or f["digits"] is not None and f["digits"] >= wanted:
        return _smaller_residual(f, asked, False)
    if f["digits"] is not None and f["digits"] >= 1:
        return _call(asked, "as many as are right", digits=math.floor(f["digits"]))
    normwise = f["normwise_digits"]
    if normwise is not None and normwise >= 1 and not asked.get("normwise"):
        fewer: dict[str, Any] = {"digits": math.floor(normwise)} if normwise < wanted else {}
        return _call(asked, "which asks for digits of the largest component", normwise=True, **fewer)
    return ""


def _after_iterations(f: dict[str, Any], asked: dict[str, Any], is_function: bool, n: int) -> str:
    method, limit = asked.get("method", "auto"), _limit_of_factors(f["plan"])
    more_iterations: dict[str, Any] = {"max_iterations": 10 * _of(asked, "max_iterations")}
    if f["goal"] == "least_squares" and f["status"] == "iteration_limit" or is_function and f["status"] == "iteration_limit":
        return _call(asked, **more_iterations)
    if f["goal"] == "least_squares":
        return _call(asked, precision="dd") if f["precision"] == "double" else _met_tolerance(f, asked)
    if method == "auto":
        return _more(limit, asked, "for factors") if limit else ""
    is_stuck = f["status"] == "stagnated" and (f["relative_residual"] or 1) > _of(asked, "tolerance")
    restart = _of(asked, "restart")
    if is_stuck and method in ("gmres", "fgmres") and restart < n:
        return _call(asked, restart=min(n, 4 * restart))
    if f["status"] == "stagnated" and f["precision"] == "double":
        return _call(asked, precision="dd")
    return "" if is_function else _call(asked, "which factors A and refines x", without=("method", *_for_iterations))


def _least_squares(asked: dict[str, Any]) -> str:
    if asked.get("method") == "lsmr":
        return ""
    return _call(asked, "which finds least squares", without=(*_for_digits, *_for_iterations, *_for_factors, "x0"), method="lsmr")


def after_solve(f: dict[str, Any], asked: dict[str, Any], is_function: bool, n: int) -> str:
    """Of a result that has not converged; empty where nothing better is known."""
    status, limit = f["status"], _limit_of_factors(f["plan"])
    if status == "converged" or f["interrupted"]:
        return ""
    if status == "singular":
        return _least_squares(asked)
    if status == "at_floor":
        return _call(asked, precision="dd") if f["precision"] == "double" else _smaller_residual(f, asked, is_function)
    if status == "residual_only":
        return (_more(limit, asked, "for factors") if limit else
                _call(asked, "x is one of many, and none has right digits of its own", without=("digits", "normwise")))
    if status == "not_finite":
        known = not is_function and asked.get("method", "auto") not in ("auto", "refine")
        return _call(asked, "which scales and factors A", without=("method", *_for_iterations)) if known else ""
    if _factors(asked, is_function) and (f["goal"] == "digits" or f["digits"] is not None or asked.get("method") == "refine"):
        return _after_factors(f, asked)
    return _after_iterations(f, asked, is_function, n)


def after_check(f: dict[str, Any], asked: dict[str, Any]) -> str:
    """Of an x that has not passed."""
    if f["passed"]:
        return ""
    if f["rank"] is not None and f["rank"]["dependent_columns"]:
        return 'solve(A, b, method="lsmr"), which finds least squares'
    if f["digits_worst"] is None and not asked.get("normwise"):
        limit = _limit_at_the_end(f["plan"])
        return _more(limit, asked, function="check(A, b, x") if limit else ""
    return f"solve(A, b, digits={f['digits_asked']}{', normwise=True' if asked.get('normwise') else ''})"
