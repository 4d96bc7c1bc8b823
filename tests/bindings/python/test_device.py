"""Data on a device: the bits of the host, nothing copied, what is wrong refused.  Needs a GPU; each
library that is not there is skipped."""
import gc
import os
import signal
import threading

import numpy as np
import pytest

import ddla
from ddla import _core, dd, ddarray, device_array
from device_libraries import NAMES, Library, matrix_there, require_device
from methods import METHODS



@pytest.fixture(autouse=True)
def device():
    require_device()


@pytest.fixture(params=NAMES)
def library(request):
    return Library(request.param)


def laplace(n, dense_row=False, values=None):
    """On the host; with a row of n entries, longer than a tile of sums, if asked."""
    i = np.arange(n)
    row, column = np.r_[i, i[1:], i[:-1]], np.r_[i, i[1:] - 1, i[:-1] + 1]
    value = np.r_[np.full(n, 2.5), np.full(2 * (n - 1), -1.0)]
    if dense_row:
        row, column = np.r_[row, np.full(n, n // 2)], np.r_[column, i]
        value = np.r_[value, np.full(n, 1 / (4 * n))]
    return ddla.csr_matrix.from_coordinates(row, column, value if values is None else values(value), (n, n))


def bits(x):
    """Words as integers: signs of zeros and NaN count."""
    words = x.words if isinstance(x, ddarray) else x
    return np.ascontiguousarray(words).view(np.int64)


def same_bits(x, y):
    return bits(x).shape == bits(y).shape and bool(np.all(bits(x) == bits(y)))


def same_solve(mine, its):
    """A solve on a device, and on the host."""
    assert isinstance(mine.x, device_array) and mine.x.device == 0
    assert mine.solution_hash == its.solution_hash and mine.status == its.status
    assert mine.iterations == its.iterations and same_bits(mine.history, its.history)
    assert mine.true_relative_residual == its.true_relative_residual
    assert same_bits(mine.x.to_host(), its.x)


@pytest.mark.parametrize("precision", ["dd", "double"])
@pytest.mark.parametrize("method", METHODS)
def test_bits_are_those_of_the_host(library, method, precision):
    n = 700
    a, b = laplace(n), np.linspace(1, 2, n)
    given = {"method": method, "precision": precision, "max_iterations": 60}
    there = ddla.csr_matrix.from_arrays(*matrix_there(library, a), a.shape)
    mine = ddla.solve(there, library.put(b), **given)
    same_solve(mine, ddla.solve(a, b, **given))
    assert mine.x.precision == precision and mine.place == "device 0"


@pytest.mark.parametrize("precond", ["jacobi", "ilu", "polynomial", "lu"])
def test_preconditioners_by_name(precond):
    a, b = laplace(500), np.ones(500)
    mine = ddla.solve(a.to_device(), device_array(b), method="bicgstab", M=precond, tolerance=1e-25)
    same_solve(mine, ddla.solve(a, b, method="bicgstab", M=precond, tolerance=1e-25))
    assert mine.converged


@pytest.mark.parametrize("wide", [False, True])
def test_values_and_vectors_in_double_double(library, wide):
    n = 300
    a = laplace(n, values=lambda v: ddarray(v) / 3)
    b, guess = ddarray(np.arange(n) + 1.0) / 7, ddarray(np.ones(n)) / 9
    there = ddla.csr_matrix.from_arrays(*matrix_there(library, a, wide), a.shape)
    assert there.precision == "dd" and there.place == "device 0" and there.nnz == a.nnz
    given = {"method": "bicgstab", "tolerance": 1e-28, "max_iterations": 40}
    mine = ddla.solve(there, library.put(b.words), library.put(guess.words), **given)
    same_solve(mine, ddla.solve(a, b, guess, **given))
    mine = ddla.solve(there, library.put(b.words), library.put(guess.hi), **given)
    same_solve(mine, ddla.solve(a, b, guess.hi, **given))
    assert same_bits((there @ library.put(b.words)).to_host(), a @ b)
    with pytest.raises(TypeError, match="double-double"):
        ddla.solve(there, library.put(b.hi), precision="double")
    with pytest.raises(TypeError, match="b is in double-double, the work is in double"):
        ddla.solve(laplace(n).to_device(), library.put(b.words), precision="double")


def test_nothing_is_copied(library):
    a = laplace(400)
    for values in (lambda v: v, lambda v: ddarray(v) / 3):
        arrays = matrix_there(library, laplace(400, values=values))
        there = ddla.csr_matrix.from_arrays(*arrays, a.shape)
        assert there._core.pointers == tuple(library.pointer(x) for x in arrays)
    for b in (np.ones(400), np.ones((2, 400))):
        b = library.put(b)
        assert device_array.from_words(b).words.pointer == library.pointer(b)
    for precision in ("dd", "double"):
        x = ddla.solve(a.to_device(), device_array(np.ones(400)), precision=precision).x
        for source in (x, x.words):
            taken = library.take(source)
            assert library.pointer(taken) == x.words.pointer
            assert library.to_numpy(taken).shape == ((2, 400) if precision == "dd" else (400,))
            host = x.to_host()
            assert same_bits(library.to_numpy(taken), host.words if precision == "dd" else host)
    assert ddla.csr_matrix(there) is not there and ddla.csr_matrix(there)._core is there._core


def test_matrices_of_cupy():
    sparse = pytest.importorskip("cupyx.scipy.sparse", reason="there is no CuPy")
    library, a = Library("cupy"), laplace(600, dense_row=True)
    begin, column, value = matrix_there(library, a)
    theirs = sparse.csr_matrix((value, column, begin), shape=a.shape)
    there = ddla.csr_matrix(theirs)
    assert there._core.pointers == (theirs.indptr.data.ptr, theirs.indices.data.ptr, theirs.data.data.ptr)
    b = np.linspace(0, 1, 600)
    same_solve(ddla.solve(theirs, library.put(b), method="bicgstab"), ddla.solve(a, b, method="bicgstab"))
    for other in (theirs.tocsc(), theirs.tocoo()):
        with pytest.raises(ValueError, match=f"in the format {other.format}: take A.tocsr()"):
            ddla.solve(other, library.put(b))
    with pytest.raises(TypeError, match="dense array on a device, a ndarray"):
        ddla.solve(theirs.toarray(), library.put(b))


def test_tensors_of_pytorch():
    library, a = Library("torch"), laplace(600)
    torch, b = library.torch, np.linspace(0, 1, 600)
    begin, column, value = matrix_there(library, a)
    theirs = torch.sparse_csr_tensor(begin, column, value, a.shape)
    there = ddla.csr_matrix(theirs)
    assert there._core.pointers == (theirs.crow_indices().data_ptr(), theirs.col_indices().data_ptr(),
                                    theirs.values().data_ptr())
    same_solve(ddla.solve(theirs, library.put(b), method="cg"), ddla.solve(a, b, method="cg"))
    wide = torch.sparse_csr_tensor(begin.long(), column.long(), value, a.shape)
    with pytest.raises(TypeError, match="A.indices on device 0 has dtype int64: column numbers have 32 bits"):
        ddla.solve(wide, library.put(b))
    with pytest.raises(ValueError, match="layout torch.sparse_coo: take A.to_sparse_csr()"):
        ddla.solve(theirs.to_sparse_coo(), library.put(b))


def test_matrices_of_jax():
    library, a = Library("jax"), laplace(600)
    from jax.experimental import sparse

    begin, column, value = matrix_there(library, a)
    theirs = sparse.BCSR((value, column, begin), shape=a.shape)
    b = np.linspace(0, 1, 600)
    same_solve(ddla.solve(theirs, library.put(b), method="cg"), ddla.solve(a, b, method="cg"))


def summed(terms):
    """By ddla's summation rule, in double (docs/design.md)."""
    while True:
        sums = []
        for first in range(0, len(terms), 256):
            tile = terms[first:first + 256].copy()
            for h in (128, 64, 32, 16, 8, 4, 2, 1):
                upper = tile[h:2 * h]
                tile[:len(upper)] += upper
            sums.append(tile[0])
        if len(sums) == 1:
            return sums[0]
        terms = np.array(sums)


@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 70000])
def test_products_and_sums(library, n):
    a = laplace(n, dense_row=n > 300)
    there = ddla.csr_matrix.from_arrays(*matrix_there(library, a), a.shape)
    x, y = ddarray(np.arange(n) - 3.0) / 7, np.linspace(-1, 1, n)
    assert same_bits((there @ library.put(x.words)).to_host(), a @ x)
    assert same_bits((there @ library.put(y)).to_host(), a @ y)
    u, v = device_array.from_words(library.put(x.words)), device_array.from_words(library.put(y))
    assert u.dot(library.put(y)) == x.dot(y) == v.dot(u) and u @ u == x.dot(x)
    assert u.nrm2() == x.nrm2() and u.asum() == x.asum() and isinstance(u.nrm2(), dd)
    z = np.cos(np.arange(n))
    assert v.dot(library.put(z)) == summed(y * z) and v.asum() == summed(np.abs(y))
    assert v.nrm2() == np.sqrt(summed(y * y)) and type(v.nrm2()) is float
    assert same_bits(u.hi.to_host(), x.hi) and same_bits(u.lo.to_host(), x.lo)


def test_scipys_names(library):
    a, b = laplace(100), np.linspace(1, 2, 100)
    there, words = ddla.csr_matrix.from_arrays(*matrix_there(library, a), a.shape), library.put(b)
    for method in (ddla.bicgstab, ddla.cg, ddla.gmres, ddla.minres, ddla.bicgstabl, ddla.idr):
        for given in ({"rtol": 1e-25}, {"atol": 1e-3}, {"maxiter": 3}, {"M": "jacobi", "precision": "double"}):
            if method is ddla.minres and "M" in given:
                given = {"precision": "double"}
            x, info = method(there, words, **given)
            y, expected = method(a, b, **given)
            assert info == expected
            same_solve(info.report, expected.report)
            assert isinstance(x, device_array)


def test_what_is_refused(library):
    a = laplace(6)
    there, b = ddla.csr_matrix.from_arrays(*matrix_there(library, a), a.shape), library.put(np.ones(6))
    refused = [
        (lambda: ddla.solve(there, np.ones(6)), ValueError, "A is on device 0, b is on the host"),
        (lambda: ddla.solve(there, b, np.ones(6)), ValueError, "A is on device 0, x0 is on the host"),
        (lambda: ddla.solve(a, b), ValueError, "A is on the host, b is on device 0"),
        (lambda: there @ np.ones(6), ValueError, "A is on device 0, x is on the host"),
        (lambda: a @ b, ValueError, "A is on the host, x is on device 0"),
        (lambda: ddla.solve(there, library.put(np.ones(5))), ValueError, r"b on device 0 has shape \(5,\): \(6,\)"),
        (lambda: ddla.solve(there, library.put(np.ones((6, 2)))), ValueError, r"has shape \(6, 2\)"),
        (lambda: ddla.solve(there, library.put(np.ones(6, "f4"))), TypeError, "b on device 0 has dtype float32"),
        (lambda: ddla.solve(there, library.put(np.ones(6, "i4"))), TypeError, "has dtype int32: float64"),
        (lambda: ddla.solve(there, b, M=ddla.Preconditioner("ilu", a)), TypeError, "M is a Preconditioner"),
        (lambda: ddla.solve(there, b, factors=ddla.lu_factors(a)), ValueError, "factors works on the host"),
        (lambda: ddla.solve(there, b, solution_words=4), ValueError, "solution_words works on the host"),
        (lambda: ddla.lu_factors(there), ValueError, "A is on device 0, lu_factors works on the host"),
        (lambda: ddla.Preconditioner("ilu", there), ValueError, "works on the host"),
        (lambda: ddla.check(there, np.ones(6), np.ones(6)), ValueError, "A is on device 0, b is on the host"),
        (lambda: there.T, ValueError, "the transpose works on the host"),
        (lambda: there.to_scipy(), ValueError, "to_scipy works on the host"),
        (lambda: ddla.solve(there, library.put(np.full(6, np.nan))), ddla.InputError, "element 0 of b is Inf or NaN"),
        (lambda: ddla.solve(there, b, M="sor"), ValueError, "sor"),
        (lambda: ddla.solve(ddla.LinearOperator((6, 6), lambda x: x), b), ValueError, "A is on the host"),
    ]
    for way, kind, text in refused:
        with pytest.raises(kind, match=text):
            way()
    assert ddla.solve(there, b).converged


def test_arrays_with_strides_are_refused():
    for name in ("cupy", "torch"):
        library = Library(name)
        b = library.put(np.ones((12, 2)))
        for strided in (b[:6, 0], b[::2, 1], b.T[:, :6]):
            with pytest.raises(ValueError, match="b on device 0, .*is not C-contiguous"):
                ddla.solve(laplace(6).to_device(), strided)


def test_wrong_rows_are_refused_before_the_device_reads_them(library):
    a = laplace(300)
    begin, column, value = a.arrays()
    begin = begin.astype(np.int32)
    for change, text in ((lambda: (begin + 1, column), "number 0 is 1"),
                         (lambda: (begin[::-1].copy(), column), "number 0 is"),
                         (lambda: (np.where(np.arange(301) == 9, 10**6, begin).astype(np.int32), column), "number 9 is 1000000"),
                         (lambda: (np.where(np.arange(301) == 9, begin[7], begin).astype(np.int32), column), "number 9 is"),
                         (lambda: (begin, np.where(np.arange(a.nnz) == 70, 300, column).astype(np.int32)), "entry 70 of A.indices is 300"),
                         (lambda: (begin, np.where(np.arange(a.nnz) == 70, -1, column).astype(np.int32)), "entry 70 of A.indices is -1")):
        arrays = [library.put(x) for x in (*change(), value)]
        with pytest.raises(ddla.InputError, match=text):
            ddla.csr_matrix.from_arrays(*arrays, a.shape)
    assert ddla.solve(a.to_device(), device_array(np.ones(300))).converged


def test_values_may_change_between_solves():
    library, a = Library("cupy"), laplace(200)
    begin, column, value = matrix_there(library, a)
    there, b = ddla.csr_matrix.from_arrays(begin, column, value, a.shape), np.linspace(1, 2, 200)
    same_solve(ddla.solve(there, library.put(b), method="cg"), ddla.solve(a, b, method="cg"))
    value *= 2
    twice = ddla.csr_matrix.from_arrays(*a.arrays()[:2], 2 * a.arrays()[2], a.shape)
    same_solve(ddla.solve(there, library.put(b), method="cg"), ddla.solve(twice, b, method="cg"))
    value[7] = np.inf
    with pytest.raises(ddla.InputError, match="the value of A in row 2, column 3 is Inf or NaN"):
        ddla.solve(there, library.put(b), method="cg")


@pytest.mark.parametrize("name", ["cupy", "interface", "torch"])
def test_work_of_other_streams_is_waited_for(name):
    library, n = Library(name), 1 << 20
    there = ddla.csr_matrix.from_coordinates(np.arange(n), np.arange(n), np.ones(n), (n, n)).to_device()
    start = Library(name if name != "interface" else "cupy").put(np.zeros(n))
    if name == "torch":
        torch, stream = library.torch, library.torch.cuda.Stream()
        context = torch.cuda.stream(stream)
        torch.cuda.synchronize()
    else:
        cupy, stream = library.cupy, library.cupy.cuda.Stream(non_blocking=True)
        context = stream
        cupy.cuda.Device().synchronize()
    with context:
        b = start
        for _ in range(400):  # some milliseconds, all of them before b is ready
            b = b + 1.0
        if name == "interface":
            from device_libraries import Cuda

            assert b.__cuda_array_interface__["stream"] == stream.ptr
            b = Cuda(b, b.__cuda_array_interface__)
        y = there @ b
    assert np.all(y.to_host() == 400.0)


def test_memory_lives_as_long_as_it_is_used(library):
    n = 4000
    a, b = laplace(n), np.linspace(1, 2, n)
    wanted = ddla.solve(a, b, method="cg", tolerance=1e-20)
    there = ddla.csr_matrix.from_arrays(*matrix_there(library, a), a.shape)
    words = device_array.from_words(library.put(b))
    gc.collect()
    noise = [library.put(np.full(n, float(k))) for k in range(50)]  # would get the memory that went
    result = ddla.solve(there, words, method="cg", tolerance=1e-20)
    same_solve(result, wanted)
    taken = library.take(result.x)
    del result, noise
    gc.collect()
    more = [device_array(np.full(2 * n, float(k))) for k in range(50)]
    assert same_bits(library.to_numpy(taken), wanted.x.words)
    del more


def test_copies_there_and_back():
    a = laplace(500, values=lambda v: ddarray(v) / 3)
    there = a.to_device()
    assert there.place == "device 0" and "on device 0" in repr(there)
    back = there.to_host()
    for mine, its in zip(back.arrays(), a.arrays()):
        assert same_bits(mine, its) if not isinstance(mine, np.ndarray) or mine.dtype == np.float64 else np.all(mine == its)
    x = ddarray(["0.1", "-0.0", "1e-300"])
    assert same_bits(device_array(x).to_host(), x) and device_array(x).to_host().hash_of() == x.hash_of()
    assert device_array(np.zeros(0)).to_host().shape == (0,) and "3 numbers on device 0" in repr(device_array(x))
    with pytest.raises(ddla.ResourceError, match="no device 99"):
        device_array(x, 99)
    with pytest.raises(TypeError, match="already"):
        device_array(device_array(x))


def test_unsorted_rows_and_duplicates_come_to_the_host_in_order():
    library = Library("cupy")
    arrays = [library.put(np.array(x, dtype)) for x, dtype in
              (([0, 3, 4], "i4"), ([1, 0, 1], "i4"), ([1.0, 2.0, 4.0], "f8"))]
    arrays[0] = library.put(np.array([0, 3, 3], "i4"))
    there = ddla.csr_matrix.from_arrays(*arrays, (2, 2))
    assert list((there @ library.put(np.array([1.0, 10.0]))).to_host()) == [52.0, 0.0]
    begin, column, value = there.to_host().arrays()
    assert list(begin) == [0, 2, 2] and list(column) == [0, 1] and list(value) == [2.0, 5.0]


def test_ctrl_c_and_callbacks():
    n = 200_000
    poisson = laplace(n, values=lambda v: np.where(v > 0, 2.0, v))
    there, b = poisson.to_device(), device_array(np.linspace(-1, 1, n) ** 3 + 1)
    # Takes millions of iterations: those of n = 2,000 are 12,000, of n = 20,000 more than 300,000.
    endless = {"method": "cg", "tolerance": 0, "max_iterations": 10**8}
    timer = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ddla.solve(there, b, **endless)
    timer.join()

    def stop(progress):
        raise StopIteration

    assert ddla.solve(there, b, callback=stop, **endless).interrupted

    def fail(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ddla.solve(there, b, callback=fail, **endless)


def test_other_threads_solve_meanwhile(library):
    a, b = laplace(3000), np.linspace(0, 1, 3000)
    there, words = ddla.csr_matrix.from_arrays(*matrix_there(library, a), a.shape), library.put(b)
    wanted = ddla.solve(a, b, method="bicgstab", tolerance=1e-25).solution_hash
    found = []
    threads = [threading.Thread(target=lambda: found.append(
        ddla.solve(there, words, method="bicgstab", tolerance=1e-25).solution_hash)) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [wanted] * 4


def test_two_devices_are_named():
    if _core.devices() < 2:
        pytest.skip("there is one device: two are needed")
    a, b = laplace(50), np.ones(50)
    with pytest.raises(ValueError, match="A is on device 0, b is on device 1"):
        ddla.solve(a.to_device(0), device_array(b, 1))
    mine = ddla.solve(a.to_device(1), device_array(b, 1), method="cg")
    assert mine.x.device == 1 and same_bits(mine.x.to_host(), ddla.solve(a, b, method="cg").x)
