#!/usr/bin/env python3
"""Draw the results of bench/device/run.

usage: bench/device/plot.py MERGED.json FOLDER

vectors.png, .svg:   share of the copy's bandwidth against n
bicgstab.png, .svg:  time of an iteration for each solver and size
Without matplotlib nothing is drawn, and said so.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from report import numbers_in


def label(record):
    return f"{record['who']}, {record['precision']}"


def save(figure, folder, name):
    for kind in ("png", "svg"):
        figure.savefig(folder / f"{name}.{kind}", dpi=150, bbox_inches="tight")
        print(folder / f"{name}.{kind}")


def vectors(plt, records, title):
    operations = list(dict.fromkeys(r["operation"] for r in records))
    figure, panels = plt.subplots(1, len(operations), figsize=(13, 4), sharey=True, squeeze=False,
                                  layout="constrained")
    for panel, operation in zip(panels[0], operations):
        mine = [r for r in records if r["operation"] == operation]
        for name in dict.fromkeys(label(r) for r in mine):
            line = [(r["n"], r["share_of_copy"]) for r in mine if label(r) == name]
            panel.plot(*zip(*line), marker="o", markersize=4, label=name)
        panel.axhline(1, color="grey", linewidth=0.8)
        panel.set(title=operation, xlabel="n")
        panel.set_xscale("log", base=2)
    panels[0][0].set_ylabel("bytes moved / bandwidth of a copy")
    panels[0][0].legend()
    figure.suptitle(title)
    return figure


def bicgstab(plt, records, title):
    matrices = list(dict.fromkeys(r["matrix"] for r in records))
    solvers = list(dict.fromkeys(label(r) for r in records))
    figure, panel = plt.subplots(figsize=(13, 6), layout="constrained")
    width = 0.85 / len(solvers)
    for k, solver in enumerate(solvers):
        time = {r["matrix"]: r["microseconds"] for r in records if label(r) == solver}
        at = [i + (k - (len(solvers) - 1) / 2) * width for i, m in enumerate(matrices) if m in time]
        panel.bar(at, [time[m] for m in matrices if m in time], width, label=solver)
    panel.set(yscale="log", ylabel="microseconds an iteration", title=title)
    panel.set_xticks(range(len(matrices)), matrices)
    panel.set_axisbelow(True)
    panel.grid(axis="y", which="both", linewidth=0.3)
    figure.legend(fontsize="small", loc="outside lower center", ncols=4)  # over no bar
    return figure


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        import matplotlib
    except ImportError:
        print("matplotlib is not installed: no plots")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    results = numbers_in(sys.argv[1])
    folder = pathlib.Path(sys.argv[2])
    where = f"{results['device']['name']}, ddla {results['ddla']}"
    for name, draw in (("vectors", vectors), ("bicgstab", bicgstab)):
        if results.get(name):
            save(draw(pyplot, results[name], where), folder, name)


if __name__ == "__main__":
    main()
