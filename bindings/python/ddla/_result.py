"""What solves and checks return."""
from __future__ import annotations

import html
import math
import os
from typing import Any

from ._array import Doubles
from ._files import Path, write_text
from .errors import InputError


# In the text of the library these count from 1.
_counted = ("dependent_rows", "dependent_columns", "combined_rows", "combined_columns", "smallest_pivot_row",
            "smallest_pivot_column", "bad_row", "first", "index")


def from_zero(fields: Any) -> Any:
    """The fields of a report, rows and components counted as Python counts."""
    if isinstance(fields, list):
        return [from_zero(one) for one in fields]
    if not isinstance(fields, dict):
        return fields
    changed = {name: from_zero(value) for name, value in fields.items()}
    for name in set(_counted) & set(fields):
        value = fields[name]
        if value is not None:
            changed[name] = [k - 1 for k in value] if isinstance(value, list) else value - 1
    return changed


def _short(x: Any, form: str = ".2e") -> str:
    return "not known" if x is None else format(x, form)


def _singular_text(rank: dict[str, Any]) -> str:
    """What follows for A x = b, and for A in double."""
    if rank["dependent_rows"]:
        if rank["consistent"]:
            return ": A is singular, other x solve the system, too"
        distance = rank["distance_of_b"]
        return ": A is singular, no x solves the system" + (
            "" if distance is None else f": b is {distance:.1e} of its norm from the range of A") + (
            "; solve(A, b, method=\"lsmr\") gives least squares")
    return "; numerically singular in double" if rank["numerically_singular"] else ""


def _component(unsettled: dict[str, Any]) -> str:
    return str(unsettled["first"]) + (f", {unsettled['part']} part" if "part" in unsettled else "")


def _claims(f: dict[str, Any]) -> list[tuple[str, str]]:
    """Digits of x, zeros, and components without a claim; components count from 0."""
    rows = []
    if f["digits"] is not None:
        how = "proved" if f["digits_proved"] else "as estimated"
        rows.append(("digits of x", f"{f['digits']:.1f} right, {how}"))
    elif f["normwise_digits"] is not None:
        rows.append(("digits of x", f"{f['normwise_digits']:.1f} of the largest component right, as estimated"))
    elif f["goal"] == "least_squares" and f["status"] == "converged":
        rows.append(("digits of x", "not known: only the residual was judged"))
    zeros = [f"{f[name + '_zeros']} {how}" for name, how in (("proved", "proved"), ("certain", "almost certain"))
             if f[name + "_zeros"]]
    if zeros:
        rows.append(("zeros", ", ".join(zeros)))
    if f["unsettled"] is not None:
        u = f["unsettled"]
        why = f": {u['why']}" if u["why"] else ""
        rows.append(("no claim", f"of {u['count']} components, the first is {_component(u)}{why}"))
    return rows


def _built_text(built: dict[str, Any]) -> str:
    """What building a preconditioner took and gave."""
    text = f"{built['name']}, built in {built['seconds']:.3g} s"
    if built["fill"] is not None:
        text += f", fill {built['fill']:.2f} of A"
    if built["shifts"]:
        text += f", {built['shifts']} pivots shifted, the first in row {built['bad_row']}"
    return text


class Report:
    """The fields of ddla's report (docs/ddla.1, REPORTS) as attributes; ``to_dict()`` has them all.

    Rows, columns and components count from 0.  ``advice`` is a call to try where the goal was not met; empty
    where nothing better is known.
    """

    def __init__(self, fields: dict[str, Any], advice: str = "") -> None:
        self._fields, self.advice = fields, advice

    def __getattr__(self, name: str) -> Any:
        if name == "_fields" or name not in self._fields:
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        return self._fields[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._fields})

    def to_dict(self) -> dict[str, Any]:
        return dict(self._fields)

    def _rows(self) -> list[tuple[str, str]]:
        raise NotImplementedError

    def __repr__(self) -> str:
        rows = self._rows()
        width = max(len(name) for name, _ in rows)
        lines = [f"{name:<{width}}  {value}" for name, value in rows]
        return "\n".join(lines + ([f"try: {self.advice}"] if self.advice else []))

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(n)}</th>"
                       f"<td style='text-align:left'>{html.escape(v)}</td></tr>" for n, v in self._rows() + ([("try", self.advice)] if self.advice else []))
        return f"<table>{rows}</table>"


class SolveResult(Report):
    """x, and how far it can be trusted.

    `x` is a ddarray (float64 in a solve in double; of a complex system a complex_ddarray or
    complex128), `x_low` what it leaves of an x in four words
    or None; `history` the relative residuals after 0, 1, … iterations.  `status` is one of
    converged, iteration_limit, breakdown, stagnated, not_finite, singular, at_floor, and
    residual_only: digits were asked for, and only the residual could be judged;
    `true_relative_residual` was recomputed from x with at least twice the digits of the solve.
    """

    def __init__(self, x: Any, x_low: Any, history: Doubles, fields: dict[str, Any], advice: str = "") -> None:
        super().__init__(fields, advice)
        self.x, self.x_low, self.history = x, x_low, history

    @property
    def converged(self) -> bool:
        return bool(self._fields["status"] == "converged")

    def __bool__(self) -> bool:
        return self.converged

    @property
    def success(self) -> bool:
        """Converged, or at the floor: as good as x can be in its precision."""
        return self._fields["status"] in ("converged", "at_floor")

    def _rows(self) -> list[tuple[str, str]]:
        f = self._fields
        status = f["status"] + (f": {f['breakdown']}" if f["breakdown"] else "")
        if f["status"] == "residual_only":
            status += ": digits were asked for, and only the residual was judged"
        # First what a person needs, as in the report of the command.
        rows = [("status", status + (" (interrupted)" if f["interrupted"] else "")), *_claims(f)]
        if f["certified"] is not None:
            rows.append(("bound", f"proved, {_short(f['error_bound']['normwise'])} of the largest component"
                         if f["certified"] else f"not proved: {f['not_certified_because']}"))
        if f["data_digits"] is not None:
            rows.append(("digits of data", f"{f['data_digits']:.1f} survive rounding of A and b to double"))
        rows += [("true residual", f"{_short(f['true_relative_residual'])} relative to b"),
                 ("time", f"{f['seconds']:.3g} s, {f['threads']} threads, {f['place']}"),
                 ("method", f"{f['method']}, {f['precision']}, preconditioner {f['precond']}"),
                 ("iterations", str(f["iterations"]))]
        if f["preconditioner"] is not None:
            rows.append(("preconditioner", _built_text(f["preconditioner"])))
        if f["rank"] is not None:
            rows.append(("rank", f"{f['rank']['value']}, {f['rank']['certainty']}" + _singular_text(f["rank"])))
        rows.append(("hash of x", f["solution_hash"]))
        return rows

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.plot()

    def plot(self, file: Path | None = None, *, width: int = 480, height: int = 240) -> str:
        """The history as SVG, logarithmic: the text, and with a name of a file, as "h.svg", that file.

        The text is empty if there are fewer than two positive residuals; a file is then refused.
        """
        text = self._drawing(width, height)
        if file is None:
            return text
        if not os.fsdecode(file).lower().endswith(".svg"):
            raise InputError(f"{os.fsdecode(file)}: plot writes SVG, whose files are named *.svg")
        if not text:
            raise InputError("there is no history to draw: it needs two positive residuals, and this solve, by "
                             f"{self._fields['method']}, has {sum(r > 0 for r in self.history)}")
        write_text(file, text)
        return text

    def _drawing(self, width: int, height: int) -> str:
        points = [(k, math.log10(r)) for k, r in enumerate(self.history) if r > 0 and math.isfinite(r)]
        if len(points) < 2:
            return ""
        low, high = math.floor(min(y for _, y in points)), math.ceil(max(y for _, y in points))
        high = max(high, low + 1)
        last = points[-1][0]
        left, bottom, top = 52, height - 28, 10

        def at(k: float, y: float) -> tuple[float, float]:
            return (left + (width - left - 10) * k / last, bottom - (bottom - top) * (y - low) / (high - low))

        step = max(1, math.ceil((high - low) / 8))
        lines = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
                 f"viewBox='0 0 {width} {height}' font-family='sans-serif' font-size='11'>",
                 "<title>Relative residual by iteration</title>"]
        for y in range(low, high + 1, step):
            v = at(0, y)[1]
            lines.append(f"<line x1='{left}' x2='{width - 10}' y1='{v:.1f}' y2='{v:.1f}' stroke='#ddd'/>"
                         f"<text x='{left - 6}' y='{v + 4:.1f}' text-anchor='end' fill='#666'>1e{y}</text>")
        path = " ".join(f"{u:.1f},{v:.1f}" for u, v in (at(*p) for p in points))
        lines.append(f"<polyline points='{path}' fill='none' stroke='#1f6fb2' stroke-width='1.5'/>")
        lines.append(f"<text x='{width - 10}' y='{height - 8}' text-anchor='end' fill='#666'>{last} steps</text>")
        return "".join(lines) + "</svg>"


class CheckResult(Report):
    """How many digits of an x are right: `passed`, `verdict`, `digits_worst`, `worst_components`, …"""

    def __bool__(self) -> bool:
        return bool(self._fields["passed"])

    def _rows(self) -> list[tuple[str, str]]:
        f = self._fields
        return [("verdict", f["verdict"]), ("worst component", _short(f["digits_worst"], ".1f") + " digits"),
                ("median", _short(f["digits_median"], ".1f") + " digits"),
                ("true residual", _short(f["true_relative_residual"]) + " relative to b"),
                ("time", f"{f['seconds']:.3g} s")]
