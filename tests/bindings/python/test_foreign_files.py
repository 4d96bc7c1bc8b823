"""Files of other programs: what scipy writes is read, and the commands in refusals convert."""
import bz2
import lzma
import shlex
import subprocess
import sys
import zipfile

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import ddla


@pytest.fixture
def matrix():
    random = np.random.default_rng(5)
    a = scipy.sparse.random(40, 40, 0.1, random_state=random, data_rvs=random.standard_normal)
    return (a + scipy.sparse.eye(40)).tocsc()


def dense(file):
    return ddla.read_matrix(file).to_scipy().toarray()


@pytest.mark.filterwarnings("ignore")
def test_what_scipy_writes_as_harwell_boeing_is_read(tmp_path, matrix):
    for power in (0, 30, -30):
        a = matrix * 10.0**power
        scipy.io.hb_write(tmp_path / "a.rua", a)
        assert (dense(tmp_path / "a.rua") == a.toarray()).all()
        assert (scipy.io.hb_read(tmp_path / "a.rua").toarray() == a.toarray()).all()


def convert(file):
    """Runs the command that the refusal of a file names, beside it."""
    with pytest.raises(ddla.InputError, match="which is not read: convert it by ") as refusal:
        ddla.read_matrix(file)
    command = str(refusal.value).split("convert it by ", 1)[1]
    subprocess.run(command.replace("python3", shlex.quote(sys.executable)), shell=True, check=True,
                   cwd=file.parent)


def test_the_named_commands_convert(tmp_path, matrix):
    market = tmp_path / "ref.mtx"
    scipy.io.mmwrite(market, matrix, precision=17)
    text = market.read_bytes()
    (tmp_path / "bz.mtx.bz2").write_bytes(bz2.compress(text))
    (tmp_path / "xz.mtx.xz").write_bytes(lzma.compress(text))
    with zipfile.ZipFile(tmp_path / "zip.zip", "w") as archive:
        archive.writestr("zip.mtx", text)
    (tmp_path / "wide.mtx").write_bytes(text.decode().encode("utf-16"))
    scipy.sparse.save_npz(tmp_path / "sparse.npz", matrix)
    scipy.sparse.save_npz(tmp_path / "coo.npz", matrix.tocoo(), compressed=False)
    np.savez(tmp_path / "array.npz", a=matrix.toarray())
    np.save(tmp_path / "array.npy", matrix.toarray())
    scipy.io.savemat(tmp_path / "mat.mat", {"A": matrix})
    scipy.io.savemat(tmp_path / "suite.mat", {"Problem": {"A": matrix, "title": "a"}})
    for file, result in (("bz.mtx.bz2", "bz.mtx"), ("xz.mtx.xz", "xz.mtx"), ("zip.zip", "zip.mtx"),
                         ("wide.mtx", "wide-utf8.mtx"), ("sparse.npz", "sparse.mtx"),
                         ("coo.npz", "coo.mtx"), ("mat.mat", "mat.mtx"), ("suite.mat", "suite.mtx")):
        convert(tmp_path / file)
        assert (dense(tmp_path / result) == matrix.toarray()).all(), file
    for file, result in (("array.npz", "array.mtx"), ("array.npy", "array.mtx")):
        (tmp_path / result).unlink(missing_ok=True)
        convert(tmp_path / file)
        assert (dense(tmp_path / result) == matrix.toarray()).all(), file


def test_the_command_for_hdf5_converts(tmp_path, matrix):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.mat", "w") as file:  # as MATLAB -v7.3 stores a sparse matrix
        group = file.create_group("A")
        group.attrs["MATLAB_sparse"] = matrix.shape[0]
        for name, values in (("data", matrix.data), ("ir", matrix.indices), ("jc", matrix.indptr)):
            group[name] = values
    convert(tmp_path / "a.mat")
    assert (dense(tmp_path / "a.mtx") == matrix.toarray()).all()


def test_the_command_for_a_vector_converts(tmp_path):
    np.save(tmp_path / "b.npy", np.array([0.1, -2.5e-300, 3.0]))
    convert(tmp_path / "b.npy")
    assert dense(tmp_path / "b.mtx").ravel().tolist() == [0.1, -2.5e-300, 3.0]
