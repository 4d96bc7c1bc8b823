"""Vectors from and to files; names of files as Python has them."""
import decimal
import gzip
import os
import pathlib
from fractions import Fraction

import numpy as np
import pytest

import ddla
from ddla import ddarray

# 34 digits each: the nearest sum of two doubles has an error below 2^-106 of it.
TEXTS = ["0.1", "3.141592653589793238462643383279502884", "-2.718281828459045235360287471352662e-40", "1e300"]


def array_file(file, texts, kind="real", columns=1):
    file.write_text(f"%%MatrixMarket matrix array {kind} general\n{len(texts) // columns} {columns}\n" + "\n".join(texts) + "\n")


def test_all_digits_of_double_double_are_read(tmp_path):
    array_file(tmp_path / "b.mtx", TEXTS)
    x = ddla.read_vector(tmp_path / "b.mtx")
    assert isinstance(x, ddarray) and x.shape == (4,)
    for text, got in zip(TEXTS, x):
        true = Fraction(decimal.Decimal(text))
        assert got.hi == float(true) and got.lo == float(true - Fraction(got.hi))
    rounded = ddla.read_vector(tmp_path / "b.mtx", precision="double")
    assert rounded.dtype == np.float64 and rounded.tolist() == [float(text) for text in TEXTS]


@pytest.mark.filterwarnings("ignore:.*keep fewer digits")
@pytest.mark.parametrize("name", ["x.mtx", "x.mtx.gz"])
def test_what_is_written_reads_back_in_both_precisions(tmp_path, name):
    x = ddarray(TEXTS) / 3
    ddla.write_vector(tmp_path / name, x, "a third")
    back = ddla.read_vector(tmp_path / name)
    assert (back.hi == x.hi).all() and (back.lo == x.lo).all()
    text = (gzip.open if name.endswith("gz") else open)(tmp_path / name, "rt").read()
    assert text.startswith("%%MatrixMarket matrix array real general\n% a third\n")
    doubles = np.array([0.1, -2.0, 5e-324, 1e-310, 1.7e308])
    ddla.write_vector(tmp_path / name, doubles)
    assert ddla.read_vector(tmp_path / name, "double").tolist() == doubles.tolist()
    again = ddla.read_vector(tmp_path / name)
    assert again.hi.tolist() == doubles.tolist() and not again.lo.any()
    ddla.write_vector(tmp_path / name, [1, Fraction(1, 4)])
    assert ddla.read_vector(tmp_path / name, "double").tolist() == [1.0, 0.25]


def test_columns_and_complex_numbers(tmp_path):
    file = tmp_path / "x.mtx"
    array_file(file, ["1", "2", "3", "4", "5", "6"], columns=2)
    assert ddla.read_vector(file, "double").tolist() == [[1, 4], [2, 5], [3, 6]]
    many = ddarray([["0.1", "0.2"], ["0.3", "0.4"], ["0.5", "0.6"]])
    ddla.write_vector(file, many)
    assert bool((ddla.read_vector(file) == many).all())
    array_file(file, ["1 2", "3 -4"], "complex")
    assert ddla.read_vector(file, "double").tolist() == [1 + 2j, 3 - 4j]
    z = ddla.complex_ddarray(["0.1", "0.2"], ["0.3", "-0.4"])
    ddla.write_vector(file, z)
    back = ddla.read_vector(file)
    assert isinstance(back, ddla.complex_ddarray) and bool((back == z).all())
    ddla.write_vector(file, np.array([[1j, 2], [3, 4]]))
    assert ddla.read_vector(file, "double").tolist() == [[1j, 2], [3, 4]]


def test_a_part_of_a_file_with_a_matrix(tmp_path):
    # Lis's extended form: 1 1 behind the entries' number tells of b and x.
    (tmp_path / "a.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 2 1 1\n1 1 2\n2 2 4\n"
                                    "1 6\n2 8\n1 3\n2 2\n")
    assert ddla.read_vector(tmp_path / "a.mtx", "double").tolist() == [6, 8]
    assert ddla.read_vector(tmp_path / "a.mtx", "double", part="solution").tolist() == [3, 2]
    with pytest.raises(ValueError, match='part "x" is none of right_hand_side, guess, solution'):
        ddla.read_vector(tmp_path / "a.mtx", part="x")
    (tmp_path / "list.txt").write_text("1 2\n0.1\n")
    assert ddla.read_vector(tmp_path / "list.txt")[2] == ddla.dd("0.1")


def test_what_no_file_has_is_refused(tmp_path):
    for x, cause in ((np.array([1.0, np.nan]), "nan"), (np.array([np.inf]), "inf")):
        with pytest.raises(ddla.InputError, match=cause):
            ddla.write_vector(tmp_path / "x.mtx", x)
    with pytest.raises(ValueError, match=r"x has shape \(\), \(n,\) or \(n, k\) is needed"):
        ddla.write_vector(tmp_path / "x.mtx", 3.0)
    with pytest.raises(ddla.InputError, match="x.npy"):
        ddla.write_vector(tmp_path / "x.npy", [1.0])
    with pytest.raises(FileNotFoundError):
        ddla.read_vector(tmp_path / "none.mtx")
    assert list(tmp_path.iterdir()) == []
    array_file(tmp_path / "b.mtx", ["1e-400", "1"])
    with pytest.warns(RuntimeWarning, match="b.mtx: values that are too small for a double and became 0: 1"):
        ddla.read_vector(tmp_path / "b.mtx")
    array_file(tmp_path / "b.mtx", ["1", "x"])
    with pytest.raises(ddla.InputError, match="b.mtx:4: "):
        ddla.read_vector(tmp_path / "b.mtx")


def test_names_of_files_may_be_bytes(tmp_path):
    name = os.fsencode(tmp_path) + b"/v\xff.mtx"  # no UTF-8
    ddla.write_vector(name, [1.0, 2.0])
    for file in (name, os.fsdecode(name), pathlib.Path(os.fsdecode(name))):
        assert ddla.read_vector(file, "double").tolist() == [1, 2]
    matrix = os.fsencode(tmp_path) + b"/a.mtx"
    ddla.write_matrix(matrix, np.eye(2))
    assert ddla.read_matrix(matrix).shape == (2, 2)
    with open(name, "w") as file:
        file.write("%%MatrixMarket matrix array real general\n1 1\nx\n")
    with pytest.raises(ddla.InputError, match="mtx:3"):
        ddla.read_vector(name)
    with pytest.raises(TypeError, match="not int"):
        ddla.read_vector(3)
    with pytest.raises(ValueError, match="zero bytes"):
        ddla.write_vector("a\0b.mtx", [1.0])
