"""Every option of C++ is a keyword of Python, or its description says why not."""
import os
import pathlib
import re

import numpy as np
import pytest

import ddla

HEADERS = pathlib.Path(os.environ.get("DDLA_SOURCE", pathlib.Path(__file__).parents[3])) / "include" / "ddla"
OPTION = re.compile(r'option<[\w<>:]+>\{\s*\.name = "(\w+)"(.*?)\},\s*o\.', re.S)


def described(header):
    """Name and description of each option."""
    found = dict(OPTION.findall((HEADERS / header).read_text()))
    assert len(found) >= 3, header
    return found


def keywords(*headers):
    return [name for header in headers for name, about in described(header).items() if "not_in_python" not in about]


A = np.diag([1.0, 2.0, 4.0])
SOLVE = keywords("solve_options.hpp", "factorisation.hpp", "preconditioner_options.hpp")


def test_all_descriptions_are_seen():
    assert {"l", "s", "restart", "check_every", "certify", "eigenvalue_ratio", "blocks", "most_work"} <= set(SOLVE)
    assert "record_history" not in SOLVE


@pytest.mark.parametrize("name", sorted(set(SOLVE) - {"method", "precond"}))
def test_solve_takes_it(name):
    assert ddla.solve(A, np.ones(3), **{name: None}).success


@pytest.mark.parametrize("name", keywords("check.hpp", "factorisation.hpp"))
def test_check_takes_it(name):
    assert ddla.check(A, np.ones(3), np.array([1.0, 0.5, 0.25]), **{name: None})


@pytest.mark.parametrize("name", sorted(set(keywords("preconditioner_options.hpp"))))
def test_preconditioners_take_it(name):
    assert ddla.Preconditioner("ilu", A, **{name: None}).name == "ilu"


@pytest.mark.parametrize("name", keywords("factorisation.hpp"))
def test_factors_take_it(name):
    f = ddla.lu_factors(A, **{name: None})
    assert f.about["nonzeros"] == 3 and f.about["ordering"] in ("amd", "colamd")


def test_values_reach_the_library():
    for method, name, value in (("bicgstabl", "l", 17), ("idr", "s", 0), ("gmres", "restart", 0), ("cg", "check_every", -1),
                                ("cg", "tolerance", 1.0)):
        with pytest.raises(ValueError, match=f"{name} must be"):
            ddla.solve(A, np.ones(3), method=method, **{name: value})
    for kind, name, value in (("ilut", "drop", 1.0), ("polynomial", "degree", 1001), ("polynomial", "eigenvalue_ratio", 1.0),
                              ("block_jacobi", "block_rows", 100), ("ilu", "fill", -1), ("ilu", "most_fill", 0.0)):
        with pytest.raises(ValueError, match=f"{name} must be"):
            ddla.Preconditioner(kind, A, **{name: value})


def test_there_is_no_other():
    with pytest.raises(TypeError, match="there is no option 'record_history'"):
        ddla.solve(A, np.ones(3), record_history=True)


@pytest.mark.parametrize("given, said", [
    ({"method": "cg", "restart": 30}, 'restart has no effect with method="cg": it is for method="gmres" and method="auto"'),
    ({"method": "bicgstab", "M": "jacobi", "fill": 2}, 'fill has no effect with method="bicgstab" and M="jacobi": it is for M="ilu" and M="ilut"'),
    ({"method": "bicgstab", "most_work": 2.0}, 'most_work has no effect with method="bicgstab": it is for factors of A'),
    ({"method": "gmres", "M": "polynomial", "eigenvalue_ratio": 9.0},
     'eigenvalue_ratio has no effect with method="fgmres" and M="polynomial", polynomial="neumann": it is for polynomial="chebyshev"'),
    ({"M": "ilu"}, 'M has no effect with method="auto": it is for methods that iterate and method="refine"'),
    ({"l": 4}, 'l has no effect with method="auto": it is for method="bicgstabl"'),
])
def test_what_has_no_effect_is_refused(given, said):
    for function in (ddla.solve, ddla.plan_solve):
        with pytest.raises(ValueError, match=re.escape(said)):
            function(A, np.ones(3), **given)


@pytest.mark.parametrize("given", [
    {"method": "gmres", "restart": 2}, {"restart": 2}, {"method": "bicgstabl", "l": 1}, {"method": "refine", "most_work": 1.0},
    {"method": "refine", "M": "ilu", "fill": 1}, {"method": "bicgstab", "M": "lu", "ordering": "natural"},
    {"method": "bicgstab", "M": "polynomial", "polynomial": "chebyshev", "eigenvalue_ratio": 9.0},
    {"method": "cg", "restart": None, "fill": None},
])
def test_what_has_an_effect_is_taken(given):
    assert ddla.solve(A, np.ones(3), **given).success


def test_a_preconditioner_object_leaves_no_factors_to_refine_by():
    k = ddla.Preconditioner("jacobi", A)
    with pytest.raises(ValueError, match='most_work has no effect with method="refine" and this M'):
        ddla.solve(A, np.ones(3), method="refine", M=k, most_work=1.0)
    assert ddla.solve(A, np.ones(3), M=k, most_work=1.0).success
