"""Matrices, solves, checks, factors: the bits of the library, and errors that name what is wrong."""
import json
import os
import pickle
import subprocess
import threading

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as spl

import ddla
from ddla import dd, ddarray
from methods import METHODS

COMMAND = os.environ.get("DDLA_COMMAND", "")


def bus(examples):
    return ddla.read_matrix(examples / "494_bus.mtx")


def laplace(n):
    return sp.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(n, n), format="csr")


@pytest.fixture
def command():
    if not COMMAND or not os.path.exists(COMMAND):
        pytest.skip("the ddla command is not built (DDLA_COMMAND)")
    return COMMAND


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("precision", ["dd", "double"])
def test_bits_are_those_of_the_command(command, examples, tmp_path, method, precision):
    report = tmp_path / "report.json"
    subprocess.run([command, "solve", examples / "494_bus.mtx", "--method", method, "--precision", precision,
                    "--place", "host", "--max-iterations", "150", "--report", report], capture_output=True, check=False)
    its = json.loads(report.read_text())["solves"][0]
    a = bus(examples)
    mine = ddla.solve(a, np.ones(494), method=method, precision=precision, max_iterations=150)
    assert mine.solution_hash == its["solution_hash"] and mine.iterations == its["iterations"]
    assert mine.status == its["status"] and mine.true_relative_residual == its["true_relative_residual"]
    if precision == "dd":
        assert mine.x.hash_of() == mine.solution_hash


def test_a_solve_has_32_digits_and_a_report(examples):
    a = bus(examples)
    result = ddla.solve(a, np.ones(494))
    assert result.converged and result.success and result.digits > 12 and isinstance(result.x, ddarray)
    assert result.to_dict()["status"] == "converged" and "plan" in dir(result)
    text, page = repr(result), result._repr_html_()
    assert [line.split("  ")[0] for line in text.splitlines()][:5] == [
        "status", "digits of x", "digits of data", "true residual", "time"]
    assert "converged" in text and "digits of x" in text and "<svg" in page and "polyline" in page
    with pytest.raises(AttributeError, match="no 'speed'"):
        result.speed
    assert ddla.check(a, np.ones(494), result.x, digits=20)
    rough = ddla.check(a, np.ones(494), result.x.hi, digits=30)
    assert not rough and rough.verdict.startswith("FAIL") and "FAIL" in repr(rough)


def test_singular_matrices_are_named_with_their_null_vectors():
    a = sp.csr_array([[1.0, 2.0], [2.0, 4.0]])
    solved, unsolved = ddla.solve(a, [1.0, 2.0]), ddla.solve(a, [1.0, 1.0])
    assert (solved.status, unsolved.status) == ("converged", "singular")
    for result in (solved, unsolved):
        assert result.rank["value"] == 1 and result.rank["numerically_singular"] is True
        for weights in (result.rank["row_weights"], result.rank["column_weights"]):
            assert weights[0] == -2 * weights[1] and abs(weights[0]) == 0.5
        assert "1, almost certain: A is singular" in repr(result)
    assert "other x solve the system, too" in repr(solved) and "no x solves" in repr(unsolved)
    near = ddla.solve(sp.csr_array([[1.0, 1.0], [1.0, 1 + 2**-52]]), [1.0, 1.0])
    assert near.rank["row_weights"] is None and "proved; numerically singular in double" in repr(near)
    regular = ddla.solve(sp.csr_array([[2.0, 1.0], [1.0, 2.0]]), [1.0, 1.0])
    assert regular.rank is None and "rank" not in repr(regular)


@pytest.mark.parametrize("method", ["auto", "cg", "fgmres"])
@pytest.mark.parametrize("precision", ["dd", "double"])
def test_columns_are_solved_as_if_alone(examples, method, precision):
    a = bus(examples)
    b = np.arange(494.0 * 3).reshape(494, 3) % 17
    b = ddarray(b) / 3 if precision == "dd" else b
    x0 = np.ones((494, 3))
    together = ddla.solve(a, b, x0, method=method, precision=precision, max_iterations=60)
    assert len(together) == 3
    for j, one in enumerate(together):
        alone = ddla.solve(a, b[:, j], x0[:, j], method=method, precision=precision, max_iterations=60)
        assert (one.solution_hash, one.status, one.iterations) == (alone.solution_hash, alone.status, alone.iterations)
        assert np.all(one.x == alone.x) and np.all(one.history == alone.history)


def test_columns_that_do_not_fit(examples):
    a = bus(examples)
    with pytest.raises(ValueError, match=r"b has shape \(493, 2\), \(494, k\) is needed"):
        ddla.solve(a, np.ones((493, 2)))
    with pytest.raises(ValueError, match=r"x0 has shape \(494, 3\), \(494, 2\) is needed"):
        ddla.solve(a, np.ones((494, 2)), np.ones((494, 3)))
    with pytest.raises(ValueError, match="takes a matrix, neither factors"):
        ddla.solve(a, np.ones((494, 2)), factors=ddla.lu_factors(a))


def test_four_words(examples):
    result = ddla.solve(bus(examples), np.ones(494), solution_words=4, digits=40)
    assert result.solution_words == 4 and result.x_low.shape == (494,) and result.digits > 40


def test_matrices_that_are_not_square():
    line = sp.csr_array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [1.0, 3.0]])
    fit = ddla.solve(line, [1.0, 3.0, 4.0, 4.0])
    assert fit.converged and fit.digits > 30 and fit.normal_residual < 1e-30
    assert np.allclose(fit.x.hi, [1.5, 1.0], rtol=1e-15)
    assert "digits of x" in repr(fit)
    least = ddla.solve(sp.csr_array([[3.0, 4.0]]), [25.0], method="refine", precision="double")
    assert least.converged and least.goal == "least_squares" and list(least.x) == [3.0, 4.0]
    for one, b in zip(ddla.solve(line, np.eye(4, 2)), np.eye(4, 2).T):
        assert one.solution_hash == ddla.solve(line, b).solution_hash
    words = ddla.solve(line, [1.0, 3.0, 4.0, 5.0], solution_words=4, digits=40)
    assert words.converged and words.x_low.shape == (2,)
    twice = ddla.solve(sp.csr_array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]), np.ones(3))
    assert twice.converged and twice.limit == "A has rank 1, less than its 2 columns"
    with pytest.raises(ValueError, match="least squares take no preconditioner"):
        ddla.solve(line, np.ones(4), method="refine", M="ilu")


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"])
@pytest.mark.parametrize("make", [sp.csr_array, sp.csr_matrix])
def test_each_format_of_scipy_is_the_same_matrix(form, make):
    a = make(laplace(20))
    x = ddarray(np.arange(20.0)) / 7
    assert np.all(ddla.csr_matrix(a.asformat(form)) @ x == ddla.csr_matrix(a) @ x)


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f8", "i2", "i8", "u4", np.longdouble])
def test_dtypes_that_convert_exactly(dtype):
    dense = np.array([[3, 1], [0, 2]], dtype=dtype)
    for a in [dense] + ([sp.csr_array(dense)] if dtype not in ("f2", ">f8") else []):
        assert list(ddla.csr_matrix(a) @ np.array([1.0, 2.0])) == [5.0, 4.0]


def test_dtypes_that_are_refused():
    for a in (np.eye(2, dtype=bool), sp.csr_array(np.eye(2, dtype=bool)), sp.coo_array(np.eye(2, dtype=bool))):
        with pytest.raises(TypeError, match="bool"):
            ddla.csr_matrix(a)
    with pytest.raises(TypeError, match="b has dtype bool"):
        ddla.solve(laplace(2), np.ones(2, dtype=bool))


def test_integers_beyond_double_become_double_double():
    a = ddla.csr_matrix(sp.csr_array(np.array([[2**62 + 1]])))
    assert a.precision == "dd" and (a @ ddarray([1.0]))[0] == 2**62 + 1
    with pytest.raises(TypeError, match="double-double"):
        a @ np.ones(1)
    with pytest.raises(ValueError, match="round"):
        a.to_scipy()


def test_order_and_index_width_change_nothing():
    a = laplace(300)
    shuffled = sp.csr_array((a.data.copy(), a.indices.copy(), a.indptr.copy()), shape=a.shape)
    for i in range(300):
        part = slice(shuffled.indptr[i], shuffled.indptr[i + 1])
        shuffled.indices[part] = shuffled.indices[part][::-1].copy()
        shuffled.data[part] = shuffled.data[part][::-1].copy()
    wide = sp.csr_array(a)
    wide.indices, wide.indptr = a.indices.astype(np.int64), a.indptr.astype(np.int64)
    x = ddarray(np.arange(300.0)) / 3
    for other in (shuffled, wide):
        assert np.all(ddla.csr_matrix(other) @ x == ddla.csr_matrix(a) @ x)


def test_duplicates_are_summed_and_bad_structures_refused():
    twice = sp.coo_array(([1.0, 2.0, 4.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert list(ddla.csr_matrix(twice) @ np.array([1.0, 1.0])) == [3.0, 4.0]
    dd_values = ddla.csr_matrix.from_coordinates([0, 1], [0, 1], ddarray(["0.1", "0.2"]), (2, 2))
    assert (dd_values @ ddarray([1.0, 1.0]))[0] == dd("0.1")
    with pytest.raises(TypeError, match="float64"):
        ddla.csr_matrix.from_coordinates([0.5], [0], [1.0], (1, 1))
    with pytest.raises(ValueError):
        ddla.csr_matrix.from_coordinates([5], [0], [1.0], (2, 2))
    with pytest.raises(ValueError, match="2147483648"):
        ddla.csr_matrix.from_coordinates(np.array([2**31]), np.array([0]), [1.0], (2**31 - 1, 1))
    bad = laplace(3)
    bad.indptr[1] = 99
    with pytest.raises(ddla.InputError, match="indptr"):
        ddla.csr_matrix(bad)


def test_vectors_of_every_kind_of_memory():
    a, n = laplace(50), 50
    b = np.linspace(0, 1, n)
    wanted = ddla.solve(a, b).solution_hash
    strided = np.zeros(2 * n)
    strided[::2] = b
    locked = b.copy()
    locked.flags.writeable = False
    for same in (strided[::2], locked, b.astype(">f8"), b.reshape(n, 1), list(b), ddarray(b)):
        assert ddla.solve(a, same).solution_hash == wanted
    assert np.array_equal(locked, b)


def test_shapes_and_places_are_named():
    a = laplace(4)
    with pytest.raises(ValueError, match=r"b has shape \(3,\), A needs \(4,\)"):
        ddla.solve(a, np.ones(3))
    with pytest.raises(ValueError, match="x0 has shape"):
        ddla.cg(a, np.ones(4), np.ones((4, 2)))
    with pytest.raises(ValueError, match="two dimensions"):
        ddla.csr_matrix(np.ones(3))
    with pytest.raises(TypeError, match="not set"):
        ddla.csr_matrix({1.0})
    with pytest.raises(TypeError, match="no option 'tol'"):
        ddla.solve(a, np.ones(4), tol=1e-3)
    with pytest.raises(ValueError, match='"sor" is none of auto'):
        ddla.solve(a, np.ones(4), method="sor")
    with pytest.raises(TypeError, match="digits cannot be 'many'"):
        ddla.solve(a, np.ones(4), digits="many")
    with pytest.raises(ddla.InputError, match="element 1 of b is Inf or NaN"):
        ddla.solve(a, [1.0, np.nan, 0, 0])
    with pytest.raises(TypeError, match="in double"):
        ddla.solve(a, ddarray(["0.1"] * 4), precision="double")
    with pytest.raises(FileNotFoundError):
        ddla.read_matrix("no-such-file.mtx")


def test_reading_within_a_limit_of_memory(tmp_path):
    file = tmp_path / "a.mtx"
    file.write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n")
    least = 2 * 8 + 2 * 28  # docs/faq.md
    assert ddla.read_matrix(file, memory_limit=least).shape == (2, 2)
    with pytest.raises(ddla.ResourceError, match=f"a.mtx:2: the sizes 2 x 2 and 2 entries take at least {least} bytes"):
        ddla.read_matrix(file, memory_limit=least - 1)


def test_empty_systems():
    a = sp.csr_array((0, 0))
    assert ddla.csr_matrix(a).shape == (0, 0)
    assert len(ddla.csr_matrix(a) @ np.zeros(0)) == 0
    assert list(ddla.csr_matrix(sp.csr_array((3, 2))) @ np.ones(2)) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("method", [ddla.bicgstab, ddla.cg, ddla.gmres, ddla.minres, ddla.bicgstabl, ddla.idr])
def test_scipys_names(method):
    a, b = laplace(100), np.linspace(1, 2, 100)
    x, info = method(a, b, rtol=1e-25)
    assert info == 0 and isinstance(info, int) and info.report.true_relative_residual <= 1e-25
    r = ddarray(b) - ddla.csr_matrix(a) @ x
    assert r.nrm2() <= ddarray(b).nrm2() * 1.01e-25
    x, info = method(a, b, rtol=1e-25, maxiter=3)
    assert info == 3
    x, info = method(a, b, atol=1.0, precision="double")
    assert info == 0 and isinstance(x, np.ndarray)
    assert method(a, np.zeros(100))[1] == 0
    with pytest.raises(TypeError, match="unexpected keyword"):
        method(a, b, tol=1e-3)


def test_operators_of_the_caller():
    a = ddla.csr_matrix(laplace(60))
    b = np.ones(60)
    kinds = []

    def product(x):
        kinds.append(type(x))
        return a @ x

    x, info = ddla.bicgstab(ddla.LinearOperator(a.shape, product), b, rtol=1e-22)
    assert info == 0 and np.all(x == ddla.bicgstab(a, b, rtol=1e-22)[0]) and set(kinds) == {ddarray}
    x, info = ddla.cg(spl.aslinearoperator(laplace(60)), b, precision="double", rtol=1e-12)
    assert info == 0
    with pytest.raises(TypeError, match="scipy, which computes in double"):
        ddla.cg(spl.aslinearoperator(laplace(60)), b)
    with pytest.raises(TypeError, match="must return a ddarray"):
        ddla.cg(ddla.LinearOperator((60, 60), lambda x: x.hi), b)
    with pytest.raises(ValueError, match="has shape"):
        ddla.cg(ddla.LinearOperator((60, 60), lambda x: x[:5]), b)
    with pytest.raises(ZeroDivisionError):
        ddla.cg(ddla.LinearOperator((60, 60), lambda x: 1 / 0), b)


def test_callbacks_see_progress_and_may_end_or_fail():
    a, b = laplace(200), np.ones(200)
    seen = []
    ddla.cg(a, b, rtol=1e-20, callback=seen.append)
    assert [p.iterations for p in seen] == sorted(p.iterations for p in seen) and seen[0].stage == "iterate"

    def stop(progress):
        if progress.iterations >= 5:
            raise StopIteration

    result = ddla.solve(a, b, method="cg", tolerance=1e-30, callback=stop)
    assert result.interrupted and result.iterations < 10

    def fail(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ddla.solve(a, b, method="cg", callback=fail)


def test_other_threads_run_during_a_solve_and_bits_stay():
    a, b = ddla.csr_matrix(laplace(3000)), np.linspace(0, 1, 3000)
    wanted = ddla.solve(a, b, method="bicgstab", tolerance=1e-25).solution_hash
    found = []
    threads = [threading.Thread(target=lambda: found.append(
        ddla.solve(a, b, method="bicgstab", tolerance=1e-25).solution_hash)) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [wanted] * 4


@pytest.mark.parametrize("precision", ["double", "dd"])
def test_factors(precision):
    a = sp.csr_array(laplace(40) + sp.diags_array([0.25], offsets=[3], shape=(40, 40)))
    b = ddarray(np.arange(40.0))
    f = ddla.lu_factors(a, precision, ordering="colamd")
    limit = 1e-28 if precision == "dd" else 1e-13
    assert float((ddla.csr_matrix(a) @ f.solve(b) - b).nrm2()) < limit * 100
    assert float((ddla.csr_matrix(a).T @ f.solve(b, "T") - b).nrm2()) < limit * 100
    many = f.solve(ddarray(np.stack([b.hi, 2 * b.hi], axis=1)))
    assert many.shape == (40, 2)
    assert np.all(many[:, 0] == f.solve(b)) and np.all(many[:, 1] == f.solve(2 * b))
    doubles = np.stack([b.hi, b.hi + 1, -b.hi], axis=1)
    assert np.array_equal(f.solve(doubles, "T")[:, 1], f.solve(b.hi + 1, "T"))
    assert f.solve(np.zeros((40, 0))).shape == (40, 0)
    with pytest.raises(ValueError, match=r"b has shape \(2, 40\), A needs \(40, k\)"):
        f.solve(doubles.T[:2])
    assert f.about["n"] == 40 == f.about["rank"]
    refined = ddla.solve(a, b, factors=f)
    assert refined.converged and refined.digits > 12
    assert f.refactor(a * 2) and float((2 * (ddla.csr_matrix(a) @ f.solve(b)) - b).nrm2()) < limit * 100
    assert not f.refactor(sp.csr_array(np.ones((40, 40))))
    with pytest.raises(TypeError, match="no option 'order'"):
        ddla.lu_factors(a, order="amd")


def test_large_factors_take_new_values_by_their_analysis():
    line = sp.diags_array([-1.25, 2.0, -0.75], offsets=[-1, 0, 1], shape=(18, 18))
    eye = sp.eye_array(18)
    a = sp.csr_array(sp.kron(sp.kron(line, eye), eye) + sp.kron(sp.kron(eye, line), eye) +
                     sp.kron(sp.kron(eye, eye), line))
    b = np.ones(18**3)
    f = ddla.lu_factors(a)
    x = f.solve(b)
    # By supernodes, as a plan counts them.
    assert f.about["entries"] == ddla.plan_solve(a, b, precision="double")[0].entries
    assert f.refactor(a * 2) and np.array_equal(2 * f.solve(b), x)
    assert f.refactor(a) and np.array_equal(f.solve(b), x)
    assert not f.refactor(a * 0) and np.array_equal(f.solve(b), x)


def test_matrices_pickle_and_go_to_files(tmp_path, examples):
    a = bus(examples)
    twin = pickle.loads(pickle.dumps(a))
    x = ddarray(np.ones(494)) / 3
    assert np.all(twin @ x == a @ x)
    ddla.write_matrix(tmp_path / "a.mtx.gz", a)
    assert np.all(ddla.read_matrix(tmp_path / "a.mtx.gz") @ x == a @ x)
    assert np.all(ddla.csr_matrix(a.to_scipy()) @ x == a @ x)
    assert "494 x 494" in repr(a)


def test_threads_change_no_bit(examples):
    a, b = bus(examples), np.ones(494)
    usual, hashes = ddla.host_threads(), set()
    for threads in (1, 2, 5):
        ddla.set_host_threads(threads)
        hashes.add(ddla.solve(a, b).solution_hash)
    ddla.set_host_threads(usual)
    assert len(hashes) == 1
    with pytest.raises(ValueError):
        ddla.set_host_threads(0)


def test_limits_that_would_be_passed_are_named():
    a = laplace(400)
    ways = {"work": lambda: ddla.lu_factors(a, most_work=1e-9), "memory": lambda: ddla.lu_factors(a, most_memory=100),
            "fill": lambda: ddla.solve(a, np.ones(400), method="fgmres", M="ilu", fill=4, most_fill=0.5)}
    for limit, way in ways.items():
        with pytest.raises(ddla.LimitError, match="most_" + limit) as refused:
            way()
        assert refused.value.limit == limit and isinstance(refused.value, ddla.ResourceError)
        twin = pickle.loads(pickle.dumps(refused.value))
        assert twin.limit == limit and str(twin) == str(refused.value)
    with pytest.raises(ddla.ResourceError) as refused:
        ddla.write_matrix("/no/such/folder/a.mtx", a)
    assert not isinstance(refused.value, ddla.LimitError)


def test_gmres_has_both_of_its_names(examples):
    a, b = bus(examples), np.ones(494)
    short, long = (ddla.solve(a, b, method=name, M="lu", callback=None) for name in ("gmres", "fgmres"))
    assert short.method == long.method == "fgmres" and short.solution_hash == long.solution_hash
