"""What type checkers see of the package: mypy, where it is installed."""
import pathlib
import re

import pytest

import ddla

api = pytest.importorskip("mypy.api")

PROGRAM = '''
import numpy as np
import scipy.sparse as sp
import ddla

A = sp.csr_array(np.eye(3))
result = ddla.solve(A, [1.0, 2.0, 3.0])
reveal_type(result)
reveal_type(result.converged)
reveal_type(ddla.solve(A, np.ones((3, 2))))
x, info = ddla.bicgstab(A, np.ones(3), rtol=1e-20, M="jacobi")
reveal_type(info)
reveal_type(ddla.check(A, np.ones(3), x))
reveal_type(ddla.dd("0.1").sqrt())
reveal_type(ddla.ddarray([1, 2]).dot([1, 2]))
reveal_type(ddla.read_matrix("a.mtx"))
'''
SEEN = ["ddla._result.SolveResult", "bool", "list[ddla._result.SolveResult]", "ddla._krylov.Info",
        "ddla._result.CheckResult", "ddla._dd.dd", "ddla._dd.dd", "ddla._matrix.csr_matrix"]


def mypy(tmp_path, monkeypatch, *arguments):
    monkeypatch.setenv("MYPYPATH", str(pathlib.Path(ddla.__file__).parents[1]))
    out, err, status = api.run(["--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"),
                                *arguments])
    assert err == ""
    return out, status


def test_the_package_itself_is_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out, status = mypy(tmp_path, monkeypatch, "-p", "ddla")
    assert status == 0, out


def test_programs_see_types(tmp_path, monkeypatch):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    out, status = mypy(tmp_path, monkeypatch, str(program))
    assert status == 0, out
    seen = re.findall(r'Revealed type is "(?:builtins\.)?([^"]*)"', out.replace("builtins.", ""))
    assert seen == SEEN
    program.write_text(PROGRAM + 'ddla.solve(A, np.ones(3), solution_words="four")\n')
    out, status = mypy(tmp_path, monkeypatch, str(program))
    assert status == 1 and "solution_words" in out
