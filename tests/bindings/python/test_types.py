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
    out, err, status = api.run(["--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path.parent / "mypy-cache"),
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


@pytest.mark.parametrize("call, cause", [
    ("ddla.solve(A, [1.0, 2.0, 3.0], rtol=1e-9, maxiter=3, fill=2, ordering='amd', factors='dd', blocks=[0, 3])", None),
    ("ddla.gmres(A, [1.0, 2.0, 3.0], restart=5); ddla.check(A, [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], digits=3)", None),
    ("ddla.solve(A, [1.0, 2.0, 3.0], tolerence=1e-9)", "tolerence"),
    ("ddla.solve(A, [1.0, 2.0, 3.0], ordering='amdd')", "ordering"),
    ("ddla.plan_solve(A, [1.0, 2.0, 3.0], most_work='4')", "most_work"),
    ("ddla.cg(A, [1.0, 2.0, 3.0], restart=5)", "restart"),
    ("ddla.lu_factors(A, most_memori=4)", "most_memori"),
    ("ddla.Preconditioner('ilu', A, fill=1.5)", "fill"),
    ("ddla.check(A, [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], tolerance=3)", "tolerance"),
])
def test_wrong_options_are_seen(tmp_path, monkeypatch, call, cause):
    program = tmp_path / "program.py"
    program.write_text(f"import numpy as np\nimport ddla\n\nA = np.eye(3)\n{call}\n")
    monkeypatch.chdir(tmp_path)
    out, status = mypy(tmp_path, monkeypatch, str(program))
    assert (status == 0) if cause is None else (status == 1 and cause in out), out
