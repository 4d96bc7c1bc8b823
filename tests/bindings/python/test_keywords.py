"""Every option is a keyword that inspect and type checkers see, and scipy's names work."""
import inspect
import re
import typing

import numpy as np
import pytest
import scipy.sparse as sp

import ddla
from ddla import _options
from test_options import HEADERS, keywords

A = sp.diags_array([-1.0, 4.0, -1.5], offsets=[-1, 0, 1], shape=(40, 40)).tocsr()
B = np.arange(1.0, 41)
KINDS = {"yes_or_no": bool, "numbers": float, "whole_numbers": int, "ends_of_parts": typing.Sequence[int]}
SCIPY = {"rtol", "atol", "maxiter"}


def names_of(enumeration):
    """The names of values, from the headers."""
    for header in HEADERS.glob("*.hpp"):
        found = re.search(rf"named<{enumeration}> \w+\[\] = \{{(.*?)\}};", header.read_text(), re.S)
        if found:
            return re.findall(r'\{"(\w+)"', found.group(1))
    raise AssertionError(enumeration)


def kinds(*headers):
    """The type of each described option."""
    found = {}
    for header in headers:
        for kind, name in re.findall(r'option<([\w<>:]+)>\{\s*\.name = "(\w+)"', (HEADERS / header).read_text()):
            enumeration = re.fullmatch(r"names<(\w+)>", kind)
            found[name] = typing.Literal[tuple(names_of(enumeration.group(1)))] if enumeration else KINDS[kind]
    return found


def seen(function):
    return inspect.signature(function).parameters


SOLVE = keywords("solve_options.hpp", "factorisation.hpp", "preconditioner_options.hpp")


def test_signatures_have_the_described_options_and_no_other():
    own = {"A", "b", "x0", "method", "M", "M_is_positive", "precision", "factors", "solution_words", "callback"}
    assert set(seen(ddla.solve)) == own | set(SOLVE) - {"precond"} | SCIPY  # M is it
    assert set(seen(ddla.plan_solve)) == set(seen(ddla.solve))
    assert set(seen(ddla.check)) == {"A", "b", "x", "callback"} | set(keywords("check.hpp", "factorisation.hpp"))
    assert set(seen(ddla.lu_factors)) == {"a", "precision"} | set(keywords("factorisation.hpp"))
    assert set(seen(ddla.Preconditioner)) == {"kind", "a", "precision"} | set(keywords("preconditioner_options.hpp"))
    for function in (ddla.solve, ddla.check, ddla.lu_factors, ddla.Preconditioner, ddla.cg, ddla.gmres):
        assert all(p.kind is not p.VAR_KEYWORD for p in seen(function).values())
    assert seen(ddla.gmres)["restart"].default is None and "restart" not in seen(ddla.cg)


@pytest.mark.parametrize("options, headers", [
    (_options.SolveOptions, ["solve_options.hpp", "factorisation.hpp", "preconditioner_options.hpp"]),
    (_options.CheckOptions, ["check.hpp", "factorisation.hpp"]), (_options.FactorOptions, ["factorisation.hpp"]),
    (_options.PreconditionerOptions, ["preconditioner_options.hpp"])])
def test_their_types_are_those_of_the_descriptions(options, headers):
    described_kinds = kinds(*headers)
    hints = typing.get_type_hints(options)
    assert len(hints) >= 6
    for name, hint in hints.items():
        if name not in SCIPY:
            rest = [t for t in typing.get_args(hint) if t is not type(None)]
            true = described_kinds[name]
            is_list = true == typing.Sequence[int]
            assert len(rest) == 1 and (str(rest[0]).endswith("Sequence[int]") if is_list else rest[0] == true), name


@pytest.mark.parametrize("method", ["cg", "gmres", "bicgstab", "refine", "auto"])
def test_names_of_scipy_work_in_solve(method):
    symmetric = A if method != "cg" else sp.csr_array(A + A.T)
    r = ddla.solve(symmetric, B, method=method, rtol=1e-20, maxiter=300)
    same = ddla.solve(symmetric, B, method=method, tolerance=1e-20, max_iterations=300)
    assert r.true_relative_residual <= 1e-20 and r.tolerance == 1e-20
    assert r.solution_hash == same.solution_hash and r.iterations == same.iterations
    assert ddla.plan_solve(symmetric, B, method=method, rtol=1e-20, maxiter=300).json == ddla.plan_solve(
        symmetric, B, method=method, tolerance=1e-20, max_iterations=300).json


def test_their_limits_are_kept():
    assert ddla.solve(A, B, method="bicgstab", rtol=1e-25, maxiter=2).iterations == 2
    size = float(np.linalg.norm(B))
    r = ddla.solve(A, B, method="bicgstab", atol=1e-8)
    assert r.tolerance == pytest.approx(1e-8 / size, rel=1e-14) and r.converged
    assert ddla.solve(A, B, method="bicgstab", rtol=1e-3, atol=1e-8).tolerance == 1e-3
    assert ddla.solve(A, B, method="bicgstab", rtol=1e-25, atol=1e-8).tolerance == pytest.approx(1e-8 / size, rel=1e-14)
    assert ddla.solve(A, B * (1 + 1j), method="bicgstab", atol=1e-8).tolerance == pytest.approx(1e-8 / size / 2**0.5, rel=1e-14)
    assert ddla.solve(A, 0 * B, method="bicgstab", atol=1e-8).converged
    x0 = np.linalg.solve(A.toarray(), B)
    looks = []
    r = ddla.solve(A, B, x0, method="bicgstab", rtol=1e-10, atol=0.0, M="jacobi", callback=looks.append)
    assert r.iterations == 0 and r.converged and r.precond == "jacobi"
    assert all(one.converged for one in ddla.solve(A, np.stack([B, B], 1), method="bicgstab", rtol=1e-9))


@pytest.mark.parametrize("given, kind, cause", [
    ({"tol": 1e-3}, TypeError, "there is no option 'tol': take tolerance, or scipy's rtol"),
    ({"precond": "ilu"}, TypeError, "there is no option 'precond': take M"),
    ({"restrt": 5}, TypeError, "'restrt': take restart"), ({"damp": 1.0}, TypeError, "'damp': A x = b is solved as it is"),
    ({"rtol": 1e-3, "tolerance": 1e-3}, TypeError, "rtol is scipy's name for what tolerance says"),
    ({"atol": 1e-3, "tolerance": 1e-3}, TypeError, "atol is scipy's name"),
    ({"maxiter": 3, "max_iterations": 3}, TypeError, "maxiter is scipy's name for what max_iterations says"),
    ({"atol": -1.0}, ValueError, "atol must be a number from 0, not -1.0"), ({"atol": np.nan}, ValueError, "atol must be"),
    ({"rtol": 1.0}, ValueError, "tolerance must be"), ({"nothing": 1}, TypeError, "there is no option 'nothing'"),
])
def test_what_has_no_meaning_is_refused(given, kind, cause):
    for call in (ddla.solve, ddla.plan_solve):
        with pytest.raises(kind, match=cause):
            call(A, B, method="bicgstab", **given)


def test_atol_is_of_one_b():
    with pytest.raises(ValueError, match=r"atol is of one b, which has shape \(40, 2\): take rtol"):
        ddla.solve(A, np.stack([B, B], 1), method="bicgstab", atol=1e-8)


def test_the_precision_of_factors_reaches_solve():
    for precision, stage in (("double", "factor in double"), ("dd", "factor in double-double")):
        for matrix, b in ((A, B), (A * (1 + 1j), B)):
            assert ddla.solve(matrix, b, method="refine", factors=precision).plan[0]["stage"] == stage
            assert ddla.plan_solve(matrix, b, method="refine", factors=precision)[0].name == stage
    with pytest.raises(ValueError, match='factors "half" is none of auto, double, dd'):
        ddla.solve(A, B, factors="half")
    with pytest.raises(TypeError, match="factors must be lu_factors, not int"):
        ddla.solve(A, B, factors=3)


def test_checks_call_back():
    looks = []
    assert ddla.check(A, B, ddla.solve(A, B).x, callback=looks.append)
    assert all(isinstance(p, ddla.Progress) for p in looks)
