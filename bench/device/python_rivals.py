#!/usr/bin/env python3
"""BiCGStab by JAX and by CuPy on the systems that bench_device solved.

usage: bench/device/python_rivals.py RESULTS.json OUTPUT.json [--any-platform]

RESULTS.json is what bench_device wrote: it names the sizes, the numbers of iterations, and the
residual that a correct solver in double has after a few iterations.  The same matrices and right-hand
sides are made here by formula.  OUTPUT.json gets one record for each rival and size.  A package that
is missing, or that sees no GPU (unless --any-platform), is skipped and said to be.

The exit status is 1 if a rival's residual is far from ddla's, else 0.
"""
import inspect
import json
import os
import statistics
import sys
import time

SAMPLES = 5
AGREEMENT = 1.1  # the factor by which residuals may differ


def convection_diffusion(np, size, convection=0.3):
    """Compressed rows of ddla::generate::convection_diffusion(size, size, size, convection, 0)."""
    i = np.arange(size ** 3, dtype=np.int32)
    x, y, z = i % size, i // size % size, i // size // size
    last = size - 1
    offset = np.array([-size * size, -size, -1, 0, 1, size, size * size], dtype=np.int32)
    value = np.array([-1, -1, -1 - convection, 6, -1 + convection, -1, -1])
    there = np.stack([z > 0, y > 0, x > 0, x >= 0, x < last, y < last, z < last], axis=1)
    column = (i[:, None] + offset)[there]
    begin = np.zeros(i.size + 1, dtype=np.int32)
    np.cumsum(there.sum(axis=1), out=begin[1:])
    return np.broadcast_to(value, there.shape)[there], column, begin


def random_vector(np, n, seed=4):
    """bench::random_vector in data.cpp; the seed is that of solvers.cpp."""
    def word(hexadecimal):
        return np.uint64(int(hexadecimal, 16))
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * word("9e3779b97f4a7c15")
        z = (z ^ (z >> np.uint64(30))) * word("bf58476d1ce4e5b9")
        z = (z ^ (z >> np.uint64(27))) * word("94d049bb133111eb")
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0 ** -52 - 1


def relative_residual(np, matrix, b, x):
    value, column, begin = matrix
    product = np.add.reduceat(value * x[column], begin[:-1])  # no row is empty
    return float(np.linalg.norm(b - product) / np.linalg.norm(b))


def textbook(a, b, iterations):
    """BiCGStab as one writes it with arrays; the scalars stay on the device."""
    x = 0 * b
    r, r0, p = b.copy(), b.copy(), b.copy()
    rho = r0 @ r
    for _ in range(iterations):
        v = a @ p
        alpha = rho / (r0 @ v)
        s = r - alpha * v
        t = a @ s
        omega = (t @ s) / (t @ t)
        x = x + alpha * p + omega * s
        r = s - omega * t
        next_rho = r0 @ r
        beta = (next_rho / rho) * (alpha / omega)
        p = r + beta * (p - omega * v)
        rho = next_rho
    return x


class skipped(Exception):
    pass


def jax_rivals(any_platform):
    """(name, function that makes a solver of a system); the solver waits for its result."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # CuPy needs memory, too
    try:
        import jax
        from jax.experimental import sparse
        from jax.scipy.sparse.linalg import bicgstab
    except ImportError as e:
        raise skipped(f"JAX is not installed ({e})")
    jax.config.update("jax_enable_x64", True)
    if jax.default_backend() != "gpu" and not any_platform:
        raise skipped(f"JAX {jax.__version__} sees no GPU")

    def system(matrix, b, cusparse):
        jax.config.update("jax_bcoo_cusparse_lowering", cusparse)
        jax.clear_caches()
        arrays = tuple(jax.device_put(part) for part in matrix)
        a = sparse.BCSR(arrays, shape=(b.size, b.size), indices_sorted=True, unique_indices=True)
        b = jax.device_put(b)
        compiled = jax.jit(lambda a, b, times: bicgstab(lambda x: a @ x, b, tol=0.0, atol=0.0,
                                                        maxiter=times)[0])
        return lambda times: compiled(a, b, times).block_until_ready()

    yield (f"JAX {jax.__version__} bicgstab, BCSR, jitted", lambda m, b: system(m, b, False))
    yield (f"JAX {jax.__version__} bicgstab, BCSR, jitted, products by cuSPARSE",
           lambda m, b: system(m, b, True))


def cupy_rivals(_):
    try:
        import cupy
        from cupyx.scipy import sparse
        from cupyx.scipy.sparse import linalg
        devices = cupy.cuda.runtime.getDeviceCount()
    except ImportError as e:
        raise skipped(f"CuPy is not installed ({e})")
    except Exception as e:  # CuPy's own kinds of errors; without a driver the first call raises
        raise skipped(f"CuPy sees no GPU ({e})")
    if devices == 0:
        raise skipped("CuPy sees no GPU")
    own = getattr(linalg, "bicgstab", None)
    if own:
        tolerance = "rtol" if "rtol" in inspect.signature(own).parameters else "tol"

    def system(matrix, b):
        a = sparse.csr_matrix(tuple(cupy.asarray(part) for part in matrix), shape=(b.size, b.size))
        b = cupy.asarray(b)

        def solve(times):
            x = (own(a, b, maxiter=times, atol=0.0, **{tolerance: 0.0})[0] if own
                 else textbook(a, b, times))
            cupy.cuda.get_current_stream().synchronize()
            return x
        return solve

    yield (f"CuPy {cupy.__version__} " + ("bicgstab" if own else
           "arrays, a textbook's loop (this CuPy has no bicgstab)"), system)


def measure(np, wanted, matrix, b, make):
    """The record of one rival on one system."""
    solve = make(matrix, b)
    few = wanted["compared_iterations"]
    x = solve(few)
    x = np.asarray(x.get() if hasattr(x, "get") else x)  # CuPy's arrays do not convert by themselves
    solve(wanted["iterations"])
    times = []
    for _ in range(SAMPLES):
        begin = time.perf_counter()
        solve(wanted["iterations"])
        times.append((time.perf_counter() - begin) * 1e6 / wanted["iterations"])
    return {"precision": "double", "microseconds": statistics.median(times),
            "compared_iterations": few, "residual": relative_residual(np, matrix, b, x)}


def agrees(record, wanted):
    ratio = record["residual"] / wanted["residual"]
    if 1 / AGREEMENT <= ratio <= AGREEMENT:
        return True
    print(f"DISAGREEMENT: {wanted['matrix']}: residual {record['residual']:.3e} by {record['who']}, "
          f"{wanted['residual']:.3e} by ddla", flush=True)
    return False


def measure_all(np, systems, rivals):
    records, right = [], True
    for wanted in systems:
        matrix = convection_diffusion(np, wanted["size"])
        b = random_vector(np, wanted["rows"])
        for name, make in rivals:
            same = {key: wanted[key] for key in ("matrix", "size", "rows", "iterations")}
            try:
                records.append({**same, "who": name, **measure(np, wanted, matrix, b, make)})
            except Exception as e:  # a rival that cannot is not measured; the others go on
                print(f"{wanted['matrix']}: {name} failed: {e!r:.300}", flush=True)
                continue
            print(f"{wanted['matrix']:14} {records[-1]['microseconds']:10.2f} us  {name}", flush=True)
            right = agrees(records[-1], wanted) and right
    return records, right


def main():
    positional = [a for a in sys.argv[1:] if a != "--any-platform"]
    if len(positional) != 2:
        sys.exit(__doc__)
    with open(positional[0]) as file:
        solved = json.load(file).get("bicgstab", [])
    systems = [r for r in solved if r["who"] == "ddla" and r["precision"] == "double"]
    records, right, left_out = [], True, []
    try:
        import numpy as np
        for rivals in (jax_rivals, cupy_rivals):
            try:
                some = measure_all(np, systems, list(rivals("--any-platform" in sys.argv)))
                records, right = records + some[0], right and some[1]
            except skipped as e:
                left_out.append(str(e))
    except ImportError as e:
        left_out.append(f"NumPy is not installed ({e})")
    for reason in left_out:
        print("skipped:", reason)
    with open(positional[1], "w") as file:
        json.dump({"bicgstab": records, "skipped": left_out}, file, indent=1)
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
