#!/usr/bin/env python3
"""Compares ddla::read_matrix with fast_matrix_market on one file, alternating, in one run.

    pip install fast_matrix_market scipy
    cmake -B build -DDDLA_BENCH=ON && cmake --build build --target bench_reader
    bench/reader/compare.py build/bench/reader/bench_reader [--megabytes 250] [--rounds 7]

Three generated files: `stencil` (entries column by column, as collections store them, values of 16
to 17 digits), `random` (entries anywhere, such values), `short` (entries anywhere, small integers).
ddla gives compressed rows; the peer is shown twice, for its list of entries (coo) and with the
conversion to compressed rows (csr).  Each time is the best of the rounds; a ratio above 1 says that
ddla is faster.
"""
import argparse
import os
import subprocess
import tempfile
import time

import fast_matrix_market


def read_ddla(program, file, threads, precision):
    words = subprocess.run([program, "read", file, str(threads), precision], check=True,
                           capture_output=True, text=True).stdout.split()
    return float(words[0])


def read_peer(file, threads):
    start = time.perf_counter()
    entries = fast_matrix_market.mmread(file, parallelism=threads)
    parsed = time.perf_counter()
    entries.tocsr()
    return parsed - start, time.perf_counter() - start


def compare(program, kind, file, threads, rounds):
    ddla, wide, coo, csr = [], [], [], []
    for _ in range(rounds):
        ddla.append(read_ddla(program, file, threads, "double"))
        one, other = read_peer(file, threads)
        coo.append(one)
        csr.append(other)
        wide.append(read_ddla(program, file, threads, "dd"))
    megabytes = os.path.getsize(file) / 1e6
    best = [min(times) for times in (ddla, wide, coo, csr)]
    speeds = "".join(f"{megabytes / seconds:11.0f}" for seconds in best)
    print(f"{kind:8}{threads:8}{speeds}{best[2] / best[0]:9.2f}{best[3] / best[0]:9.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--megabytes", type=int, default=250)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print(f"MB/s, best of {options.rounds}; fast_matrix_market {fast_matrix_market.__version__}")
    print("file     threads    ddla csr    ddla dd   peer coo   peer csr  to coo  to csr")
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("stencil", "random", "short"):
            file = os.path.join(folder, kind + ".mtx")
            subprocess.run([options.program, "generate", kind, file, str(options.megabytes)],
                           check=True)
            for threads in (1, 2):
                compare(options.program, kind, file, threads, options.rounds)
            os.remove(file)


if __name__ == "__main__":
    main()
