#!/usr/bin/env python3
"""The tables of docs/ranks-model.md: times of an iteration on many GPUs, from what was measured on one and
two (bench/results/ranks.md) and from published latencies.

    bench/ranks/model.py
"""
import math

ROWS = 200 ** 3          # of a GPU
NUMBER = 16              # bytes of a double-double
LINK = 25e3              # bytes a microsecond, of a network of 200 Gbit/s
ADD = 0.006              # microseconds of an addition in double-double on a host
NODE = 256
MOST = 2000              # numbers of a sum that go to all ranks

# microseconds on one GPU, on two beyond one; sums and halos of an iteration.  Double-double.
METHODS = {"CG": (446.0, 568.7 - 446.0, 2, 1), "BiCGStab": (797.0, 982.9 - 797.0, 3, 2)}


def latency(ranks):
    """Of an all-reduce of 8 bytes by MPI, a rank a node: 2.6, 7.5, 13.3 us on 4, 64, 128 nodes were
    published; between and beyond, by the logarithm."""
    return 0.0 if ranks <= 2 else 1.3 * math.log2(ranks) * (1 if ranks <= 64 else 1.5)


def sum_time(ranks, rows=1.0):
    """Stages with owners, and an all-gather, beyond those of two ranks."""
    numbers, stages = ranks * rows * ROWS / NODE / NODE, 0
    while numbers > MOST:
        numbers, stages = numbers / NODE, stages + 1
    stages += 1 if stages else 0  # tiles at the ends of ranges, before the nodes
    gather = latency(ranks) + (numbers * NUMBER + ranks * 8) / LINK + numbers * ADD
    return stages * 3.0 + gather, numbers


def ghosts(ranks, natural):
    """Elements of other ranks that one reads; the grid is a cube of all of them."""
    if not natural:
        return 6 * 200 ** 2
    return 2 * (200 * ranks ** (1 / 3)) ** 2


def iteration(name, ranks, rows=1.0, natural=False):
    one, beyond, sums, halos = METHODS[name]
    messages = halos * ghosts(ranks, natural) * NUMBER * rows ** (2 / 3) / LINK
    hidden = 0.5 * one * rows
    exposed = max(0.0, messages - hidden)
    return one * rows, one * rows + (beyond + sums * sum_time(ranks, rows)[0] if ranks > 1 else 0) + exposed


def main():
    print("| GPUs | numbers of a sum | CG | BiCGStab | 8 times the rows, BiCGStab | natural order, BiCGStab |")
    print("|---|---|---|---|---|---|")
    for ranks in (1, 4, 16, 64, 256, 1024, 4096):
        cells = []
        for name, rows, natural in (("CG", 1, False), ("BiCGStab", 1, False), ("BiCGStab", 8, False),
                                    ("BiCGStab", 1, True)):
            one, all_of_it = iteration(name, ranks, rows, natural)
            cells.append(f"{one / all_of_it:.2f}")
        numbers = math.ceil(sum_time(ranks)[1]) if ranks > 1 else 1
        print(f"| {ranks:,} | {numbers:,} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
