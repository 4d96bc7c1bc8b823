"""What results advise: each call is made, and brings what it says.  Rows count from 0."""
import re

import numpy as np
import pytest
import scipy.sparse as sp

import ddla
from ddla import _result
from ddla._advice import after_solve
from ddla import check, solve  # noqa: F401  the calls name them
from test_options import HEADERS

LAPLACE = sp.diags_array([-1.0, 2, -1.0], offsets=[-1, 0, 1], shape=(400, 400)).tocsr()
ONES = np.ones(400)
SINGULAR = sp.csr_array(np.array([[1.0, -1, 0], [-1, 1, 0], [0, 0, 1]]))
HILBERT = np.array([[1.0 / (i + j + 1) for j in range(25)] for i in range(25)])
FUNCTION = ddla.LinearOperator((400, 400), ddla.csr_matrix(LAPLACE).__matmul__)


def line_of(result):
    lines = [line for line in repr(result).splitlines() if line.startswith("try: ")]
    assert lines == ([f"try: {result.advice}"] if result.advice else [])
    assert ("<th style='text-align:left'>try</th>" in result._repr_html_()) == bool(result.advice)
    return lines[0] if lines else ""


def made(result, A, b, **names):
    """The result of the call that is advised."""
    call = re.match(r"try: (\w+\(.*?\))(, .*)?$", line_of(result)).group(1)
    return eval(call, globals(), {"A": A, "b": b, **names})


CASES = {
    "too few iterations": (LAPLACE, ONES, {"method": "cg", "max_iterations": 3}, "solve(A, b), which factors A and refines x"),
    "too few of a function": (FUNCTION, ONES, {"method": "cg", "maxiter": 50}, 'solve(A, b, method="cg", max_iterations=500)'),
    "stuck in double": (LAPLACE, ONES, {"method": "bicgstab", "rtol": 1e-20, "precision": "double"},
                        'solve(A, b, method="bicgstab", tolerance=1e-20, precision="dd")'),
    "singular": (SINGULAR, [3.0, 4, 12], {"digits": 3}, 'solve(A, b, method="lsmr"), which finds least squares'),
    "singular with a guess": (SINGULAR, [3.0, 4, 12], {"x0": [1.0, 2, 3], "most_work": 3.0},
                              'solve(A, b, method="lsmr"), which finds least squares'),
    "factors too large": (LAPLACE, ONES, {"digits": 12, "most_work": 1e-9}, "solve(A, b, digits=12, most_work=4.0), for factors"),
    "one of many": (SINGULAR, [3.0, -3, 12], {"digits": 12},
                    "solve(A, b), x is one of many, and none has right digits of its own"),
    "a residual beyond double": (LAPLACE, ONES, {"method": "refine", "rtol": 1e-40, "precision": "double"}, None),
}


@pytest.mark.parametrize("case", CASES)
def test_advice_is_a_call_that_brings_more(case):
    A, b, options, advice = CASES[case]
    result = ddla.solve(A, b, **options)
    if advice is None:
        advice = result.advice
        assert not result.converged or not advice
    assert result.advice == advice
    if advice:
        assert not result.converged and made(result, A, b).converged


def test_who_converges_gets_none():
    for A, b in ((LAPLACE, ONES), (LAPLACE, np.ones((400, 2)))):
        for result in np.atleast_1d(np.array(ddla.solve(A, b), dtype=object)):
            assert result.converged and result.advice == "" and line_of(result) == ""


def test_digits_that_are_there():
    b = HILBERT @ np.ones(25)
    fields = ddla.solve(HILBERT, b).to_dict() | {"status": "stagnated", "digits": 7.9, "normwise_digits": 9.5}
    assert after_solve(fields, {"factors": "double", "digits": 20}, False, 25) == "solve(A, b, digits=20)"
    asked = {"digits": 20, "most_work": 8.0}
    assert after_solve(fields, asked, False, 25) == "solve(A, b, most_work=8.0, digits=7), as many as are right"
    fields["digits"] = None
    assert after_solve(fields, asked, False, 25) == (
        "solve(A, b, most_work=8.0, normwise=True, digits=9), which asks for digits of the largest component")
    assert after_solve(fields | {"normwise_digits": None}, asked, False, 25) == ""
    at_floor = fields | {"status": "at_floor", "true_relative_residual": 3e-31}
    assert after_solve(at_floor, {}, False, 25) == "solve(A, b, solution_words=4)"
    assert after_solve(at_floor, {"M": "ilu"}, False, 25) == 'solve(A, b, M="ilu", tolerance=6e-31), which this x meets'
    assert after_solve(at_floor, {"several": True}, False, 25) == "solve(A, b, tolerance=6e-31), which this x meets"
    stuck = at_floor | {"status": "stagnated", "relative_residual": 0.1, "goal": "residual", "digits": None}
    assert after_solve(stuck, {"method": "gmres"}, False, 500) == 'solve(A, b, method="gmres", restart=200)'


def test_objects_stay_in_the_call():
    looks = []
    m = ddla.Preconditioner("jacobi", LAPLACE)
    result = ddla.solve(FUNCTION, ONES, method="cg", M=m, max_iterations=50, callback=looks.append)
    assert result.advice == 'solve(A, b, method="cg", M=M, callback=callback, max_iterations=500)'
    assert made(result, FUNCTION, ONES, M=m, callback=looks.append).converged


def test_columns_and_complex_systems_have_it():
    for result in ddla.solve(LAPLACE, np.ones((400, 2)), method="cg", maxiter=3):
        assert result.advice == "solve(A, b), which factors A and refines x"
    result = ddla.solve(LAPLACE * (1 + 1j), ONES, method="bicgstab", maxiter=1, M="ilut", drop=0.9, factors="dd")
    assert result.advice == 'solve(A, b, factors="dd"), which factors A and refines x'
    assert made(result, LAPLACE * (1 + 1j), ONES).converged


def test_checks_advise_a_solve():
    x = np.linalg.solve(LAPLACE.toarray(), ONES)
    found = ddla.check(LAPLACE, ONES, x, digits=25)
    assert not found and found.advice == "solve(A, b, digits=25)" and made(found, LAPLACE, ONES).converged
    assert not (good := ddla.check(LAPLACE, ONES, x, digits=5)).advice and "try:" not in repr(good)


def test_rows_count_from_0():
    rank = ddla.solve(SINGULAR, [3.0, 4, 12]).rank  # A x = 0 and A^T y = 0 of (1, 1, 0)
    assert rank["combined_rows"] == rank["combined_columns"] == [0, 1]
    assert rank["dependent_rows"] in ([0], [1]) and rank["dependent_columns"] in ([0], [1])
    assert rank["row_weights"][0] == rank["row_weights"][1] != 0
    a = sp.csr_array(np.array([[4.0, 1, 0], [1, 4, 1], [0, 1, 1 / 15 * 4]]))
    built = ddla.Preconditioner("ilu", a).built
    used = ddla.solve(a, [1.0, 2, 3], method="bicgstab", M="ilu").preconditioner
    assert used["smallest_pivot_row"] == built["smallest_pivot_row"] and used["bad_row"] == built["bad_row"]
    wrong = np.array([1.0, 1, 1])
    found = ddla.check(np.diag([1.0, 2, 4]), np.array([1.0, 2, 5]), wrong)
    assert [one["index"] for one in found.worst_components][0] == 2


def test_all_counted_fields_are_known():
    named = set()
    for header in HEADERS.glob("*.hpp"):
        named |= set(re.findall(r'\.name = "(\w+)"[^}]*\.counts = true', header.read_text()))
    assert named and named | {"first", "index"} == set(_result._counted)
