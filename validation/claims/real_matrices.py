"""The square real matrices of a folder, with right-hand sides; the truth is found in a process
of its own, which ends at a time limit: rational answers, or proved bits of larger systems."""
import multiprocessing
import random
import time

import numpy as np
import scipy.io
import scipy.sparse.csgraph
import scipy.sparse.linalg

import enclosure
import exact
from systems import System

RHS = ("ones", "random", "one entry", "a column of A", "large x")
RATIONAL = 250        #: rows for which rational answers are the quicker ones
MOST_RATIONAL = 1000  #: rows for which they are tried where enclosure proves nothing


def large(a, rng):
    """Two steps of inverse iteration with A A^T, by SuperLU in double; None if that fails."""
    if scipy.sparse.csgraph.structural_rank(a.tocsr()) < a.shape[0]:
        return None  # where SuperLU has zero pivots
    try:
        factors = scipy.sparse.linalg.splu(a.tocsc())
    except RuntimeError:
        return None
    w = factors.solve(np.array([rng.randint(-99, 99) / 64 for _ in range(a.shape[0])]), trans="T")
    with np.errstate(all="ignore"):
        w = factors.solve(factors.solve(w / np.abs(w).max()), trans="T")
        most = np.abs(w).max()
    return (w / most).tolist() if np.isfinite(most) and most > 0 else None


def right_sides(a, seed):
    """By name, in doubles.  A column of A has x with one 1 and zeros."""
    n, rng = a.shape[0], random.Random(f"{seed}/{a.shape}/{a.nnz}")
    column = a.tocsc()[:, [rng.randrange(n)]].toarray()[:, 0].tolist()
    found = {"ones": [1.0] * n, "random": [rng.randint(-2**20, 2**20) / 2**20 for _ in range(n)],
             "one entry": [float(i == n // 2) for i in range(n)], "a column of A": column, "large x": large(a, rng)}
    return {name: b for name, b in found.items() if b is not None and any(b)}


def to_pipe(pipe, a, entries, columns):
    """Rational answers of small systems; of others, bits proved by enclosure, a list or a reason for each b."""
    n = a.shape[0]
    try:
        if n > RATIONAL:
            try:
                for x in enclosure.answers(a, columns):
                    pipe.send(f"not proved: {x}" if isinstance(x, enclosure.Unproved) else x)
                return
            except enclosure.Unproved as why:
                if n > MOST_RATIONAL:
                    pipe.send(f"not proved: {why}")
                    return
        for x in exact.solve(n, n, entries, columns):
            pipe.send([exact.shortened(v) for v in x])
    except exact.Singular:
        pipe.send("singular")
    except MemoryError:
        pipe.send("out of memory")


def answers_within(seconds, a, entries, columns):
    """For each b the exact answer to 300 bits or more, or why there is none."""
    here, there = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=to_pipe, args=(there, a, entries, columns))
    child.start()
    there.close()
    until, found = time.monotonic() + seconds, []
    try:
        while len(found) < len(columns):
            if not here.poll(max(0, until - time.monotonic())):
                found.append("not lifted in the time limit")
                break
            found.append(here.recv())
    except EOFError:
        if not found or not isinstance(found[-1], str):
            found.append("out of memory")
    child.kill()
    child.join()
    found += found[-1:] * (len(columns) - len(found)) if isinstance(found[-1], str) else []
    return [x if isinstance(x, str) else [exact.lengthened(v) for v in x] for x in found]


def files_of(folder):
    """The smallest ones first."""
    files = [file for file in folder.glob("*.mtx*") if file.name.endswith((".mtx", ".mtx.gz"))]
    return sorted(files, key=lambda file: (scipy.io.mminfo(file)[2], file.name))


def matrix_of(file):
    """A real matrix, or None."""
    a = scipy.io.mmread(file)
    if not scipy.sparse.issparse(a) or np.iscomplexobj(a):
        return None
    a = scipy.sparse.coo_array(a.tocsr(), dtype=np.float64)
    a.eliminate_zeros()
    return a


def systems_of(file, a, seed):
    """One for each right-hand side."""
    entries = list(zip(a.row.tolist(), a.col.tolist(), a.data.tolist()))
    name = file.name.split(".mtx")[0]
    return [System(f"{name}/{what}", f"real matrices, b: {what}", *a.shape, entries, b)
            for what, b in right_sides(a, seed).items()]
