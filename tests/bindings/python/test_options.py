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
    for name, value in {"l": 17, "s": 0, "restart": 0, "check_every": -1, "tolerance": 1.0}.items():
        with pytest.raises(ValueError, match=f"{name} must be"):
            ddla.solve(A, np.ones(3), method="bicgstab", **{name: value})
    for kind, name, value in (("ilut", "drop", 1.0), ("polynomial", "degree", 1001), ("polynomial", "eigenvalue_ratio", 1.0),
                              ("block_jacobi", "block_rows", 100), ("ilu", "fill", -1), ("ilu", "most_fill", 0.0)):
        with pytest.raises(ValueError, match=f"{name} must be"):
            ddla.Preconditioner(kind, A, **{name: value})


def test_there_is_no_other():
    with pytest.raises(TypeError, match="there is no option 'record_history'"):
        ddla.solve(A, np.ones(3), record_history=True)
