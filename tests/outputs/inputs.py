"""The small files that the cases read: written anew for each run, in the folder where they run."""

import gzip
import pathlib

HEAD = "%%MatrixMarket matrix "
EXAMPLES = ("494_bus.mtx", "oscil_dcop_24.mtx")

GENERATED = {
    "grid.mtx": "poisson2d 20",
    "cube.mtx": "poisson3d 7",
    "wind.mtx": "convection-diffusion 7 --convection 20",
    "toeplitz.mtx": "toeplitz 200 --gamma 1.5",
    "band.mtx": "hilbert-like 60",
    "random.mtx": "random 150 --per-row 6 --seed 3",
    "skewed.mtx": "skewed 150 --per-row 6 --seed 3",
    "long.mtx": "poisson2d 64",
}


def hilbert(n):
    entries = [f"{i} {j} {1 / (i + j - 1)!r}" for j in range(1, n + 1) for i in range(j, n + 1)]
    return f"{HEAD}coordinate real symmetric\n{n} {n} {len(entries)}\n" + "\n".join(entries) + "\n"


def dense(rows, field="real"):
    values = "\n".join(str(row[j]) for j in range(len(rows[0])) for row in rows)
    return f"{HEAD}array {field} general\n{len(rows)} {len(rows[0])}\n{values}\n"


def vector(values, field="real"):
    return dense([[v] for v in values], field)


TEXTS = {
    "hilbert10.mtx": hilbert(10),
    "hilbert14.mtx": hilbert(14),
    "two.mtx": dense([[4, 1], [1, 3]]),
    "zeros.mtx": dense([[2, 1, 0], [1, 2, 1], [1, 1, 3]]),
    "zeros_b.mtx": vector([2, 1, 1]),
    "singular.mtx": dense([[1, 2, 3], [4, 5, 6], [7, 8, 9]]),
    "singular_b.mtx": vector([6, 15, 24]),
    "zero_row.mtx": f"{HEAD}coordinate real general\n3 3 3\n1 1 1\n2 2 1\n1 3 4\n",
    "indefinite.mtx": dense([[0, 2, 1], [2, 0, 3], [1, 3, -1]]),
    "skew.mtx": f"{HEAD}coordinate real skew-symmetric\n4 4 3\n2 1 1\n3 2 2\n4 3 5\n",
    "fit.mtx": dense([[1, 0], [1, 1], [1, 2], [1, 3], [1, 4]]),
    "fit_b.mtx": vector([1, 3, 2, 5, 4]),
    "fit_exact_b.mtx": vector([1, 3, 5, 7, 9]),
    "wide.mtx": dense([[1, 2, 3, 4], [0, 1, 1, 2]]),
    "wide_b.mtx": vector([1, 1]),
    "columns_b.mtx": dense([[1, 2], [3, 4]]),
    "complex.mtx": dense([["4 1", "0 2"], ["1 0", "3 -1"]], "complex"),
    "complex_b.mtx": vector(["1 0", "0 1"], "complex"),
    "hermitian.mtx": f"{HEAD}coordinate complex hermitian\n2 2 3\n1 1 3 0\n2 1 1 1\n2 2 4 0\n",
    "pattern.mtx": f"{HEAD}coordinate pattern general\n3 3 4\n1 1\n2 2\n3 3\n1 3\n",
    "integer.mtx": f"{HEAD}coordinate integer symmetric\n3 3 4\n1 1 5\n2 2 5\n3 3 5\n3 1 2\n",
    "ranged.mtx": f"{HEAD}coordinate real general\n2 2 2\n1 1 1e200\n2 2 1e-200\n",
    "tiny_b.mtx": vector(["1e-310", "1e-310"]),
    "underflow.mtx": f"{HEAD}coordinate real general\n2 2 3\n1 1 1\n2 2 1\n1 2 1e-400\n",
    "tenths.mtx": f"{HEAD}coordinate real general\n2 2 4\n1 1 .1\n1 2 .2\n2 1 .3\n2 2 .7\n",
    "decimals_b.mtx": vector(["0.1", "0.12345678901234567890123456789"]),
    "right_x.mtx": vector(["1.818181818181818181818181818181818e-01",
                           "2.727272727272727272727272727272727e-01"]),
    "wrong_x.mtx": vector(["0.1818", "0.2727"]),
    "zero_x.mtx": vector([0, 0]),
    "long_x.mtx": vector([1, 2, 3]),
    "fit_x.mtx": vector(["1.4", "0.8"]),
    # What is refused.
    "empty.mtx": "",
    "no_banner.mtx": "1 1 1\n1 1 1\n",
    "bad_banner.mtx": "%%MatrixMarket matrix sparse real general\n1 1 1\n1 1 1\n",
    "bad_size.mtx": f"{HEAD}coordinate real general\n2 x 1\n1 1 1\n",
    "bad_index.mtx": f"{HEAD}coordinate real general\n2 2 1\n3 1 1\n",
    "bad_value.mtx": f"{HEAD}coordinate real general\n2 2 1\n1 1 1.2.3\n",
    "nan.mtx": f"{HEAD}coordinate real general\n1 1 1\n1 1 nan\n",
    "overflow.mtx": f"{HEAD}coordinate real general\n1 1 1\n1 1 1e400\n",
    "too_few.mtx": f"{HEAD}coordinate real general\n2 2 3\n1 1 1\n2 2 1\n",
    "too_many.mtx": f"{HEAD}coordinate real general\n2 2 1\n1 1 1\n2 2 1\n",
    "upper.mtx": f"{HEAD}coordinate real symmetric\n2 2 2\n1 1 1\n1 2 1\n",
    "list.txt": "1\n2\n3\n",
}


def write(folder: pathlib.Path, examples: pathlib.Path, generate):
    """All inputs, into `folder`; `generate(arguments)` calls `ddla generate`."""
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    for name in EXAMPLES:
        (folder / name).write_bytes((examples / name).read_bytes())
    for name, arguments in GENERATED.items():
        generate([*arguments.split(), "--output", name])
    packed = gzip.compress((folder / "two.mtx").read_bytes(), mtime=0)
    (folder / "two.mtx.gz").write_bytes(packed)
    (folder / "cut.mtx.gz").write_bytes(packed[:-9])
