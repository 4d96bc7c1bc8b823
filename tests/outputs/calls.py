"""Calls of ddla in Python, printed: `calls.py METHOD` with a method, or `other` for all else."""

import json
import sys

import ddla
import numpy as np


def show(call):
    """What `call` returns, as a user sees it; or the error."""
    try:
        print(call())
    except Exception as error:  # every kind is what is to be shown
        print(f"{type(error).__name__}: {error}")


def solves(method):
    for name in ("grid.mtx", "oscil_dcop_24.mtx"):
        a = ddla.read_matrix(name)
        b = np.ones(a.shape[0])
        for precision in ("double", "dd"):
            result = ddla.solve(a, b, method=method, precision=precision, max_iterations=300)
            print(result)
            print(repr(result))
            print(json.dumps(result.to_dict()))


def numbers():
    x = ddla.ddarray(["0.1", "1e-20", 3])
    for call in (lambda: x, lambda: repr(x), lambda: x[0], lambda: x.dot(x), lambda: x.nrm2(),
                 lambda: x[0].to_text(20), lambda: ddla.dd("1") / 3, lambda: np.asarray(x),
                 lambda: ddla.dd("one"), lambda: ddla.dd(True), lambda: x @ x, lambda: 1 + x):
        show(call)


def systems():
    two, singular = ddla.read_matrix("two.mtx"), ddla.read_matrix("singular.mtx")
    fit, one = ddla.read_matrix("fit.mtx"), np.ones(2)
    for call in (
            lambda: two, lambda: two @ one, lambda: ddla.solve(two, one), lambda: ddla.solve(two, [1]),
            lambda: ddla.solve(two, np.eye(2)), lambda: ddla.solve(two, one, digits=50),
            lambda: ddla.solve(two, one, digits=10, method="cg"), lambda: ddla.solve(two, one, method="x"),
            lambda: ddla.solve(two, one, certify=True), lambda: ddla.solve(two, one, nonsense=1),
            lambda: ddla.solve(two, one, tol=-1), lambda: ddla.solve(two, one, M="ilu", method="bicgstab"),
            lambda: ddla.solve(singular, np.ones(3)), lambda: ddla.solve(singular, [6.0, 15.0, 24.0]),
            lambda: ddla.solve(fit, [1.0, 3, 2, 5, 4]), lambda: ddla.check(two, one, [0.1818, 0.2727]),
            lambda: ddla.check(two, one, [0.18181818181818182, 0.2727272727272727], digits=12),
            lambda: ddla.cg(two, one)[1], lambda: ddla.lu_factors(two).solve(one),
            lambda: ddla.lu_factors(singular).solve(np.ones(3)),
            lambda: ddla.Preconditioner(two, "ilu").built, lambda: ddla.read_matrix("missing.mtx"),
            lambda: ddla.read_matrix("bad_index.mtx"), lambda: ddla.csr_matrix(np.array([[True]])),
            lambda: ddla.solve(np.array([[4, 1j], [1, 3]]), [1, 1j])):
        show(call)


if sys.argv[1] == "other":
    numbers()
    systems()
else:
    solves(sys.argv[1])
