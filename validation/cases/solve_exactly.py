#!/usr/bin/env python3
"""The exact x of the systems in this folder: NAME.x.txt from NAME.mtx and NAME.b.mtx (else ones).

    validation/cases/solve_exactly.py NAME...

By elimination in rational numbers, on the doubles that a reader gets.  A line is a component, p/q,
or * where it is not the same in every x that solves the system.  Ends with an error if there is none.
"""
import pathlib
import sys
from fractions import Fraction

FOLDER = pathlib.Path(__file__).resolve().parent
MIRRORED = {"symmetric": 1, "skew-symmetric": -1}


def read(file):
    """Rows of fractions; entries at one place are added in double, as readers of such files do."""
    banner, *lines = [line.split() for line in file.read_text().splitlines() if line.strip()]
    layout, symmetry = banner[2], banner[4]
    sizes, *lines = [words for words in lines if not words[0].startswith("%")]
    rows, columns = int(sizes[0]), int(sizes[1])
    a = [[0.0] * columns for _ in range(rows)]
    first = {"symmetric": lambda j: j, "skew-symmetric": lambda j: j + 1}.get(symmetry, lambda j: 0)
    if layout == "array":
        places = [(i, j) for j in range(columns) for i in range(first(j), rows)]
        entries = [(i, j, words[0]) for (i, j), words in zip(places, lines, strict=True)]
    else:
        entries = [(int(i) - 1, int(j) - 1, value) for i, j, value in lines]
    for i, j, value in entries:
        a[i][j] += float(value)
        if symmetry in MIRRORED and i != j:
            a[j][i] += MIRRORED[symmetry] * float(value)
    return [[Fraction(v) for v in row] for row in a]


def solve(a, b):
    """The x, None for components that differ, by Gauss-Jordan elimination."""
    columns, pivots = len(a[0]), []
    m = [row + [value] for row, value in zip(a, b, strict=True)]
    for c in range(columns):
        r = len(pivots)
        p = next((i for i in range(r, len(m)) if m[i][c] != 0), None)
        if p is None:
            continue
        m[r], m[p] = m[p], m[r]
        m[r] = [v / m[r][c] for v in m[r]]
        for i in range(len(m)):
            if i != r and m[i][c] != 0:
                m[i] = [v - m[i][c] * w for v, w in zip(m[i], m[r])]
        pivots.append(c)
    if any(row[columns] != 0 for row in m[len(pivots):]):
        sys.exit("no x solves the system")
    x = [None] * columns
    for row, c in zip(m, pivots):
        if all(row[k] == 0 for k in range(columns) if k not in pivots):
            x[c] = row[columns]
    return x


for name in sys.argv[1:]:
    a, right = read(FOLDER / f"{name}.mtx"), FOLDER / f"{name}.b.mtx"
    b = [row[0] for row in read(right)] if right.exists() else [Fraction(1)] * len(a)
    (FOLDER / f"{name}.x.txt").write_text("".join(f"{'*' if v is None else v}\n" for v in solve(a, b)))
