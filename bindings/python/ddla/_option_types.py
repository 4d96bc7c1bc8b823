"""Keywords of options with their types, for type checkers and for inspect.

scripts/write-options writes this file from the descriptions of the options in include/ddla.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

FactorPrecision = Literal["auto", "double", "dd"]


class _EveryFactor(TypedDict, total=False):
    ordering: Literal["auto", "natural", "amd", "colamd", "rcm", "multicolour", "dissection"] | None
    scale: bool | None
    match: bool | None
    most_work: float | None
    most_memory: int | None


class FactorOptions(_EveryFactor, total=False):
    """Of lu_factors (docs/hard-systems.md)."""

    factors: FactorPrecision | None


class CheckOptions(FactorOptions, total=False):
    """Of check."""

    digits: int | None
    normwise: bool | None
    certify: bool | None


class _Building(_EveryFactor, total=False):
    fill: int | None
    drop: float | None
    block_rows: int | None
    blocks: Sequence[int] | None
    pivots: Literal["shift", "refuse"] | None
    polynomial: Literal["neumann", "chebyshev"] | None
    degree: int | None
    eigenvalue_ratio: float | None
    most_fill: float | None


class PreconditionerOptions(_Building, total=False):
    """Of Preconditioner (docs/preconditioners.md)."""

    factors: FactorPrecision | None


class SolveOptions(_Building, total=False):
    """Of solve and plan_solve, beside their own arguments; the last three are scipy's names."""

    tolerance: float | None
    max_iterations: int | None
    restart: int | None
    l: int | None
    s: int | None
    check_every: int | None
    digits: int | None
    normwise: bool | None
    certify: bool | None
    rtol: float | None
    atol: float | None
    maxiter: int | None
