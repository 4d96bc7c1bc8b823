"""validation/claims tells right claims from wrong ones."""
import importlib.machinery
import importlib.util
import pathlib
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import ddla

TOP = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def claims(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader = importlib.machinery.SourceFileLoader("claims", str(TOP / "validation/claims"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("claims", loader))
    loader.exec_module(module)
    return module


def test_the_examples_have_no_wrong_claim(claims, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["claims", str(TOP / "examples"), "--certify"])
    threads = ddla.host_threads()
    assert claims.main() == 0
    ddla.set_host_threads(threads)
    out, err = capsys.readouterr()
    assert "| ones | dd | 2 |" in out and "proved right" in out
    assert len(err.splitlines()) == 2 * 4 * 2


@pytest.mark.parametrize("factor, end", [(1 + 1e-13, "right"), (1 + 1e-11, "wrong"), (0, "wrong")])
def test_a_wrong_component_is_found(claims, factor, end):
    a = ddla.read_matrix(str(TOP / "examples/494_bus.mtx"))
    b = np.ones(494)
    x = ddla.solve(a, b).x.hi.copy()
    x[7] *= factor
    said = SimpleNamespace(x=x, converged=True, goal="digits", status="converged")
    assert claims.judge(said, claims.Truth(a, b, False)) == end


def test_a_component_that_is_zero_must_be_tiny(claims):
    a = ddla.csr_matrix(np.eye(2))
    truth = claims.Truth(a, [1.0, 0.0], False)
    for value, end in ((0.0, "right"), (1e-310, "right"), (1e-300, "wrong")):
        said = SimpleNamespace(x=np.array([1.0, value]), converged=True, goal="digits", status="converged")
        assert claims.judge(said, truth) == end
