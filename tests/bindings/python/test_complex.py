"""Complex systems: Gaussian integers, whose products numpy has exactly; numpy's own solver; files."""
import os
import pickle
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp

import ddla
from ddla import complex_ddarray, dd, ddarray

COMMAND = os.environ.get("DDLA_COMMAND", "")


def gaussian(shape, seed):
    random = np.random.default_rng(seed)
    return random.integers(-9, 10, shape) + 1j * random.integers(-9, 10, shape)


def system(n=40, seed=1):
    """A sparse A, some of whose parts are zero, x and b = A x of Gaussian integers."""
    random = np.random.default_rng(seed)
    a = gaussian((n, n), seed) * (random.random((n, n)) < 0.1) + 70 * np.eye(n)
    x = gaussian(n, seed + 1)
    return sp.csr_array(a), x, a @ x


def error(x, truth):
    return max(float(abs(x.real - truth.real).hi.max()), float(abs(x.imag - truth.imag).hi.max()))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dense", "ours"])
def test_x_has_the_digits_of_double_double(form):
    a, x, b = system()
    given = {"dense": a.toarray, "ours": lambda: ddla.csr_matrix(a)}.get(form, lambda: a.asformat(form))()
    result = ddla.solve(given, b)
    assert result.converged and isinstance(result.x, complex_ddarray) and result.x.shape == (40,)
    assert error(result.x, x) < 1e-28
    assert result.solution_hash == ddla.real_form(result.x).hash_of()


def test_an_answer_that_double_cannot_hold():
    x = ddla.solve(np.array([[3 + 0j]]), [1 + 2j]).x
    assert x.real[0] == dd(1) / 3 and x.imag[0] == dd(2) / 3
    z = np.linalg.solve(system()[0].toarray(), gaussian(40, 9))
    assert np.allclose(ddla.solve(system()[0], gaussian(40, 9)).x.to_complex(), z, rtol=1e-12, atol=0)


def test_precision_double_gives_complex128():
    a, x, b = system()
    result = ddla.solve(a, b, precision="double")
    assert result.x.dtype == np.complex128 and np.allclose(result.x, x, rtol=1e-12)
    with pytest.raises(TypeError, match="double-double"):
        ddla.solve(a, complex_ddarray(ddarray(["0.1"] * 40), np.zeros(40)), precision="double")


def test_one_complex_part_makes_the_system_complex():
    a, x, _ = system()
    real = sp.csr_array(a.real)
    assert error(ddla.solve(real, real @ x).x, x) < 1e-28
    ones = np.ones(40)
    assert error(ddla.solve(a, a @ ones, x0=ones).x, ones + 0j) < 1e-28
    assert error(ddla.solve(real, real @ ones, x0=ones + 0j).x, ones + 0j) < 1e-28
    near = sp.eye_array(40) * ((1 + 0.1j) / 70)
    assert error(ddla.solve(real, real @ ones, method="bicgstab", tolerance=1e-28, M=near).x, ones + 0j) < 1e-26
    assert isinstance(ddla.solve(real, real @ ones).x, ddarray)


def test_several_columns_and_four_words():
    a, _, _ = system()
    x = gaussian((40, 3), 5)
    results = ddla.solve(a, a @ x)
    assert len(results) == 3 and all(error(r.x, x[:, k]) < 1e-28 for k, r in enumerate(results))
    alone = ddla.solve(a, (a @ x)[:, 1])
    assert alone.solution_hash == results[1].solution_hash
    four = ddla.solve(sp.csr_array(np.array([[3 + 0j]])), [1j], solution_words=4)
    assert isinstance(four.x_low, complex_ddarray)
    assert four.x_low.imag[0] != 0 and four.x.imag[0] == dd(1) / 3


@pytest.mark.parametrize("method", [ddla.bicgstab, ddla.gmres, ddla.bicgstabl, ddla.idr])
def test_methods_under_the_names_of_scipy(method):
    a, x, b = system()
    got, info = method(a, b, rtol=1e-28)
    assert info == 0 and error(got, x) < 1e-26
    got, info = method(a, b, rtol=0, atol=1e-3 * np.linalg.norm(b), maxiter=200)
    assert info == 0 and error(got, x) > 1e-26
    for m in ("ilu", ddla.Preconditioner("ilu", a), ddla.lu_factors(a), sp.eye_array(40) * (1 / 70 + 0j)):
        got, info = method(a, b, rtol=1e-25, M=m)
        assert info == 0 and error(got, x) < 1e-22


@pytest.mark.parametrize("method", [ddla.cg, ddla.minres])
def test_hermitian_positive_definite(method):
    a, x, _ = system(20)
    h = sp.csr_array(a.conj().T @ a)
    got, info = method(h, h @ x, rtol=1e-26)
    assert info == 0 and error(got, x) < 1e-20


def test_factors_are_used_and_refused():
    a, x, b = system()
    f = ddla.lu_factors(a)
    assert f.shape == (40, 40) and error(ddla.solve(a, b, factors=f).x, x) < 1e-28
    with pytest.raises(TypeError, match="factors=f"):
        f.solve(b)


def test_check_tells_the_part():
    a, x, b = system()
    assert ddla.check(a, b, x, digits=12)
    wrong = x.astype(complex)
    wrong[7] += 1e-3j
    found = ddla.check(a, b, wrong)
    worst = found.worst_components[0]
    assert not found and (worst["index"], worst["part"]) == (7, "imaginary")
    assert ddla.check(sp.csr_array(a.real), a.real @ x, ddla.solve(sp.csr_array(a.real), a.real @ x).x, digits=25)


def test_the_matrix():
    a, x, b = system()
    m = ddla.csr_matrix(a)
    assert m.is_complex and m.shape == (40, 40) and "complex double" in repr(m)
    assert np.array_equal(m @ x, b) and np.array_equal((m @ complex_ddarray(x)).to_complex(), b)
    assert np.array_equal(m.H @ x, a.conj().T @ x)
    assert np.array_equal(ddla.csr_matrix(sp.csr_array(a.real)) @ x, a.real @ x)
    assert abs(m.to_scipy() - a).max() == 0
    copy = pickle.loads(pickle.dumps(m))
    assert copy.is_complex and np.array_equal(copy @ x, b)
    twice = ddla.csr_matrix(sp.coo_array(([1j, 2 - 1j], ([0, 0], [0, 0])), shape=(1, 1)))
    assert (twice @ np.array([1.0]))[0] == 2
    for refused in (lambda: m.T, lambda: m.to_device(), lambda: ddla.write_matrix("x.mtx", m)):
        with pytest.raises(TypeError, match="A is complex|complex one"):
            refused()


def test_numbers():
    x = complex_ddarray(ddarray(["0.1", "2"]), [0, -1])
    assert x[0] == (dd("0.1"), dd(0)) and x[1:].imag[0] == -1 and len(x) == x.size == 2
    with pytest.raises(TypeError, match="to_complex"):
        np.asarray(x)
    assert list(x == np.array([0.1, 2 - 1j])) == [False, True]
    back = ddla.complex_form(ddla.real_form(x))
    assert np.all(back == x) and np.all(pickle.loads(pickle.dumps(x)) == x)
    assert complex_ddarray(np.array([3 + 4j])).nrm2() == 5
    if np.dtype(np.clongdouble).itemsize == 32:
        third = np.longdouble(1) / 3
        assert complex_ddarray(np.array([third + 0j], np.clongdouble)).real[0] != float(third)
    with pytest.raises(ValueError, match="imaginary part"):
        complex_ddarray([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="even"):
        ddla.complex_form(np.ones(3))
    with pytest.raises(TypeError, match="real numbers are needed"):
        ddarray(np.array([1j]))


def test_refusals_name_what_is_wrong():
    a, _, b = system()
    with pytest.raises(ValueError, match=r"b has shape \(39,\), A needs \(40,\)"):
        ddla.solve(a, b[:39])
    operator = ddla.LinearOperator((40, 40), lambda x: x)
    with pytest.raises(TypeError, match="need the entries of A"):
        ddla.solve(operator, b)
    with pytest.raises(TypeError, match="not an operator"):
        ddla.bicgstab(a, b, M=operator)


def test_files_and_the_command(tmp_path):
    scipy_io = pytest.importorskip("scipy.io")
    a, x, b = system()
    scipy_io.mmwrite(tmp_path / "a.mtx", sp.coo_array(a))
    m = ddla.read_matrix(tmp_path / "a.mtx")
    assert m.is_complex and abs(m.to_scipy() - a).max() == 0
    if not COMMAND or not os.path.exists(COMMAND):
        pytest.skip("the ddla command is not built (DDLA_COMMAND)")
    scipy_io.mmwrite(tmp_path / "b.mtx", b.reshape(-1, 1))
    subprocess.run([COMMAND, "solve", tmp_path / "a.mtx", "--rhs", tmp_path / "b.mtx", "--quiet",
                    "--output", tmp_path / "x.mtx", "--report", tmp_path / "r.json"], check=True)
    assert np.array_equal(scipy_io.mmread(tmp_path / "x.mtx").ravel(), ddla.solve(m, b).x.to_complex())
    assert ddla.solve(m, b).solution_hash in (tmp_path / "r.json").read_text()
