"""Plans of solves: those that the command prints, and what reports say was done."""
import json
import math

import numpy as np
import pytest
import scipy.sparse as sp

import ddla


def grid(n=12):
    line = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    return ddla.csr_matrix(sp.csr_array(sp.kron(line, sp.eye_array(n)) + sp.kron(sp.eye_array(n), line)))


def test_a_plan_has_the_stages_that_a_solve_reports():
    a, b = grid(), np.ones(144)
    for keywords in ({}, {"method": "cg", "M": "ic"}, {"method": "refine", "M": "ic"}, {"precision": "double"},
                     {"solution_words": 4}):
        plan = ddla.plan_solve(a, b, **keywords)
        names = [s.name for s in plan if s.is_reported]
        for stage in ddla.solve(a, b, **keywords).plan:
            assert stage["stage"] in names
    assert len(plan) == len(list(plan)) and plan[0].name == "factor in double, L L^T"


def test_a_plan_tells_limits_and_what_is_counted():
    a, b = grid(), np.ones(144)
    plan = ddla.plan_solve(a, b, most_work=0.25, most_memory=5000)
    assert (plan[1].work, plan[1].work_is_at_most, plan[1].bytes) == (0.25e9, True, 5000)
    assert plan[1].entries is None and plan[1].limit is None
    assert plan[0].entries > 144 and not plan[0].work_is_at_most and not plan[0].bytes_are_at_most
    assert plan[0].limit.startswith("factors need more memory than most_memory allows, 5000 bytes")
    assert f"entries: {plan[0].entries}, work: " in repr(plan) and "too large: factors need more" in repr(plan)
    assert plan[0].starts_from is None and plan[0].judged is None and plan[0].most_iterations is None
    cg = ddla.plan_solve(a, b, method="cg", max_iterations=7)
    assert len(cg) == 1 and cg[0].most_iterations == 7
    assert cg[0].work == 7 * 10 * a.nnz and not cg[0].bytes_are_at_most
    assert math.isinf(ddla.plan_solve(a, b, most_work=math.inf)[1].work)
    shown = repr(cg).splitlines()
    assert shown[0] == "  1  cg" and shown[-1].strip().endswith("iterations: at most 7")


def test_the_json_of_a_plan_is_a_document():
    a, b = grid(), np.ones(144)
    plan = ddla.plan_solve(a, b, method="cg", M="jacobi")
    told = json.loads(plan.json)
    assert told == plan.to_dict()
    assert told["matrix"] == {"rows": 144, "columns": 144, "nonzeros": a.nnz, "complex": False, "file": None}
    assert (told["method"], told["preconditioner"], told["plans"][0]["precision"]) == ("cg", "jacobi", "dd")
    assert [s["stage"] for s in told["plans"][0]["stages"]] == ["cg"]


def test_functions_are_planned_and_not_called():
    def never(x):
        raise AssertionError("called")

    f = ddla.LinearOperator((144, 144), never)
    b = np.ones(144)
    plan = ddla.plan_solve(f, b, M=f)
    assert plan[0].name == "bicgstab" and plan[0].work is None and plan[0].bytes > 0
    assert "work: not known" in repr(plan)
    with pytest.raises(ddla.InputError, match="refinement needs a matrix"):
        ddla.plan_solve(f, b, method="refine")


def test_several_systems_and_complex_ones_have_plans():
    a = grid()
    assert ddla.plan_solve(a, np.ones((144, 3))).json == ddla.plan_solve(a, np.ones(144)).json
    with pytest.raises(ddla.InputError, match="element 0 of b is Inf or NaN"):
        ddla.plan_solve(a, np.array([[1.0, math.nan]] * 144))
    plan = ddla.plan_solve(sp.eye_array(3) * (1 + 1j), np.ones(3))
    assert plan.to_dict()["matrix"]["complex"] and plan.to_dict()["matrix"]["rows"] == 6


@pytest.mark.parametrize("keywords", [{"method": "cg", "digits": 5}, {"tolerance": -1.0}, {"method": "none"},
                                      {"solution_words": 3}, {"precision": "half"}, {"no_option": 1}])
def test_a_plan_refuses_what_its_solve_refuses(keywords):
    a, b = grid(), np.ones(144)
    with pytest.raises((TypeError, ValueError)) as planned:
        ddla.plan_solve(a, b, **keywords)
    with pytest.raises((TypeError, ValueError)) as solved:
        ddla.solve(a, b, **keywords)
    assert str(planned.value) == str(solved.value)
    with pytest.raises(TypeError, match="takes no factors"):
        ddla.plan_solve(a, b, factors=ddla.lu_factors(a))


@pytest.mark.parametrize("b", [np.ones(4), np.ones((4, 2)), np.ones((1, 3, 1))])
def test_a_plan_refuses_shapes_of_complex_systems_as_its_solve_does(b):
    a = sp.eye_array(3) * (1 + 1j)
    with pytest.raises(ValueError, match="A needs \\(3,\\)") as planned:
        ddla.plan_solve(a, b)
    with pytest.raises(ValueError) as solved:
        ddla.solve(a, b)
    assert str(planned.value) == str(solved.value)
