#!/usr/bin/env python3
"""Tabulate and draw the results of validate_sums.

usage: validation/plot_sums.py RESULTS.json PLOT.png

Prints the tables of bench/results/sums.md.  The plot, above: the error of SpMV, rows of 1000
entries, against the condition number, with the bound.  Below: the largest error over bound at every
length.  Without matplotlib nothing is drawn, and said so.
"""
import math
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
from support.report import numbers_in, pyplot, table

PRECISIONS = ("double", "DD, matrix in double", "DD")
OPERATIONS = {"dot": "DOT", "spmv": "SpMV", "residual": "b - A x", "asum": "ASUM", "nrm2": "NRM2",
              "axpy": "AXPY"}
COLOURS = dict(zip(PRECISIONS, ("tab:blue", "tab:green", "tab:red")))
DECADES = (0, 8, 16, 24, 32, 40, 48, 56, 60)


def largest(entries, operation, precision, least=0, most=float("inf")):
    """Of the part of the bound, over lengths from `least` to `most`; None if there is none."""
    return max((e["used"] for e in entries if (e["operation"], e["precision"]) ==
                (operation, precision) and least <= e.get("n", 0) <= most), default=None)


def number(x):
    return "–" if x is None else f"{x:.2g}"


def parts_of_bounds(results):
    """Error over bound: the operations with lengths, then those over the range."""
    steps = ((1, 1), (2, 16), (17, 300), (301, 5000), (5001, 200000), (200001, results["longest"]))
    rows = []
    for operation in ("dot", "spmv", "residual"):
        for precision in PRECISIONS:
            if largest(results["lengths"], operation, precision) is not None:
                rows.append([OPERATIONS[operation], precision] +
                            [number(largest(results["lengths"], operation, precision, *step))
                             for step in steps])
    yield from table(["operation", "precision"] + [f"n = {a:,}" if a == b else f"{a:,} to {b:,}"
                                                   for a, b in steps], rows)
    yield from table(["operation", *PRECISIONS[::2]],
                     [[OPERATIONS[operation]] + [number(largest(results["ranges"], operation, p))
                                                 for p in PRECISIONS[::2]]
                      for operation in ("asum", "nrm2", "axpy")])


def errors(results):
    """The relative error at some condition numbers."""
    rows = []
    for precision in PRECISIONS:
        points = sorted((p for p in results["points"] if (p["operation"], p["precision"]) ==
                         ("spmv", precision)), key=lambda p: p["condition"])
        for what in ("error", "bound"):
            nearest = [min(points, key=lambda p: abs(math.log10(p["condition"]) - d))
                       for d in DECADES]
            rows.append([precision, what] + [f"{p[what]:.0e}" for p in nearest])
    yield from table(["precision", "relative"] + [f"about 1e{d}" for d in DECADES], rows)


def draw_points(panel, results):
    for precision in PRECISIONS:
        points = sorted((p["condition"], p["error"], p["bound"]) for p in results["points"]
                        if p["operation"] == "spmv" and p["precision"] == precision)
        condition, error, bound = zip(*points)
        # An error of 0 has no place on a logarithmic axis.
        panel.plot(condition, [e or 1e-34 for e in error], "o", markersize=3,
                   color=COLOURS[precision], label=f"{precision}: error")
        panel.plot(condition, bound, "-", linewidth=0.9, color=COLOURS[precision],
                   label=f"{precision}: bound")
    panel.axhline(1, color="black", linewidth=0.8)
    panel.set(xscale="log", yscale="log", xlabel="condition number 2 |a|·|x| / |a·x|",
              ylabel="relative error", title="SpMV, rows of 1000 entries")
    panel.set_ylim(1e-34, 1e3)  # above 1 no digit is right
    panel.legend(fontsize="x-small", ncols=3)


def draw_lengths(panel, results):
    for precision in PRECISIONS:
        lengths = sorted({e["n"] for e in results["lengths"] if e["n"] > 0})
        used = [max(largest(results["lengths"], operation, precision, n, n) or 0
                    for operation in ("dot", "spmv", "residual")) for n in lengths]
        panel.plot(lengths, used, "o", markersize=3, color=COLOURS[precision], label=precision)
    panel.axhline(1, color="black", linewidth=0.8, label="the bound")
    panel.set(xscale="log", yscale="log", xlabel="number of terms",
              ylabel="largest error / bound", title="DOT, SpMV, b - A x; condition 2 to 1e60")
    panel.set_ylim(1e-4, 2)
    panel.legend(fontsize="small", loc="lower left")


def draw(results, file):
    plt = pyplot()
    if not plt:
        return
    figure, panels = plt.subplots(2, 1, figsize=(9, 10), layout="constrained")
    draw_points(panels[0], results)
    draw_lengths(panels[1], results)
    for panel in panels:
        panel.grid(linewidth=0.3)
    figure.savefig(file, dpi=120)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    results = numbers_in(sys.argv[1])
    print(f"{results['checked']:,} numbers, {results['outside']} outside the bound\n")
    for line in (*parts_of_bounds(results), *errors(results)):
        print(line)
    draw(results, sys.argv[2])


if __name__ == "__main__":
    main()
