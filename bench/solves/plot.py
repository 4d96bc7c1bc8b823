"""Plots of bench_solves.

set_ratios.png:       time of an iteration / that of the fastest rival, matrix by matrix
set_share.png:        share of the traffic limit, matrix by matrix
scaling_PLACE.png:    time of an iteration against the number of unknowns, and for each unknown
threads.png:          speed-up against threads
"""
from solves.results import LARGE, METHODS, Set
from support.report import (KINDS, PRECISIONS, colour, geometric_mean, kinds_legend, names_below,
                            plain_ticks)

COLOURS = dict(zip(PRECISIONS, ("tab:blue", "tab:red")))
RIVALS = {"textbook": ("tab:grey", "(a) cuBLAS + cuSPARSE, double"),
          "graph": ("black", "(b) the same in a graph")}


def ratios(plt, results):
    matrices = sorted(results.matrices, key=lambda m: m.to_best("double-double"))
    at = range(len(matrices))
    figure, panel = plt.subplots(figsize=(14, 6), layout="constrained")
    panel.bar(at, [m.to_best("double-double") for m in matrices],
              color=[colour(plt, m.kind) for m in matrices])
    panel.plot(at, [m.to_best("double") for m in matrices], "k_", markersize=7, label="double")
    panel.plot(at, [m.to_textbook("double-double") for m in matrices], "kx", markersize=4,
               label="double-double / (a)")
    panel.axhline(1, color="black", linewidth=0.8)
    mean = geometric_mean(m.to_best("double-double") for m in matrices)
    panel.axhline(mean, color="grey", linestyle="--", linewidth=0.8,
                  label=f"geometric mean in double-double, {mean:.2f}")
    panel.set(yscale="log", ylabel="time of an iteration in double-double / fastest rival",
              title=f"BiCGStab: {results.where()}")
    plain_ticks(panel.yaxis, (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5))
    names_below(panel, matrices)
    kinds_legend(plt, panel, matrices, loc="upper left", ncols=3)
    return figure


def share(plt, results):
    matrices = sorted(results.matrices, key=lambda m: (KINDS.index(m.kind), m.rows))
    at = range(len(matrices))
    figure, panels = plt.subplots(2, 1, figsize=(14, 9), sharex=True, layout="constrained")
    for panel, precision in zip(panels, PRECISIONS):
        panel.bar(at, [m.share(precision) for m in matrices],
                  color=[(*colour(plt, m.kind)[:3], 1 if m.rows >= LARGE else 0.4)
                         for m in matrices])
        for level in (0.8, 1):
            panel.axhline(level, color="grey", linewidth=0.8, linestyle="--")
        panel.set(ylabel=f"{precision}: time at copy speed / time")
        names_below(panel, matrices)
    panels[0].set_title(f"{results.where()}; pale: fewer than {LARGE:,} unknowns")
    kinds_legend(plt, panels[0], matrices, loc="upper left", ncols=3)
    return figure


def curve_panels(panels, method, lines, rivals):
    """Above, the time of an iteration with what its bytes take; below, the time an unknown."""
    above, below = panels
    for precision in PRECISIONS:
        records = lines.get((method, precision), [])
        n = [r["rows"] for r in records]
        for panel, scale in ((above, lambda r: 1), (below, lambda r: 1e3 / r["rows"])):
            panel.plot(n, [r["microseconds"] * scale(r) for r in records], "o-", markersize=4,
                       color=COLOURS[precision], label=precision)
            panel.plot(n, [r["limit_microseconds"] * scale(r) for r in records], "--",
                       color=COLOURS[precision], linewidth=0.9,
                       label=f"{precision}: bytes at copy speed")
    for who, (its_colour, label) in RIVALS.items() if method == "bicgstab" else ():
        line = sorted((n, r[who]["microseconds"]) for n, r in rivals.items())
        if line:
            above.plot(*zip(*line), "^:", markersize=4, color=its_colour, label=label)
            below.plot([n for n, _ in line], [1e3 * us / n for n, us in line], "^:", markersize=4,
                       color=its_colour)
    above.set(title=METHODS[method], ylabel="microseconds an iteration")
    below.set(xlabel="unknowns", ylabel="nanoseconds an iteration and unknown")
    above.legend(fontsize="x-small")


def sizes(plt, curve):
    if not curve.points:
        return None
    lines = curve.lines()
    figure, panels = plt.subplots(2, len(METHODS), figsize=(13, 9), sharex=True, sharey="row",
                                  layout="constrained")
    for k, method in enumerate(METHODS):
        curve_panels(panels[:, k], method, lines, curve.rivals)
    for panel in panels.flat:
        panel.set(xscale="log", yscale="log")
        panel.grid(which="both", linewidth=0.3)
    plain_ticks(panels[1][0].yaxis, [k * 10 ** e for e in range(-4, 5) for k in (1, 2, 5)])
    figure.suptitle(f"7-point grids: {curve.where()}")
    return figure


def threads(plt, curve):
    lines = curve.lines_of_threads()
    numbers = sorted({r["threads"] for r in curve.of_threads})
    if len(numbers) < 2:
        return None
    figure, panels = plt.subplots(len(PRECISIONS), len(METHODS), figsize=(12, 9), sharex=True,
                                  sharey=True, layout="constrained")
    copies = {c["threads"]: c["gigabytes_per_second"] for c in curve.all["copy"]}
    for row, precision in zip(panels, PRECISIONS):
        for panel, method in zip(row, METHODS):
            for (m, p, edge), records in lines.items():
                if (m, p) == (method, precision):
                    first = records[0]["microseconds"] * records[0]["threads"]
                    panel.plot([r["threads"] for r in records],
                               [first / r["microseconds"] for r in records], "o-", markersize=4,
                               label=f"{edge}³")
            panel.plot(numbers, numbers, color="black", linewidth=0.8, label="as many threads")
            panel.plot(numbers, [numbers[0] * copies[t] / copies[numbers[0]] for t in numbers],
                       color="grey", linestyle="--", linewidth=0.9, label="copies")
            panel.set(xscale="log", yscale="log", title=f"{METHODS[method]}, {precision}")
            for axis in (panel.xaxis, panel.yaxis):
                plain_ticks(axis, numbers)
            panel.grid(linewidth=0.3)
    panels[0][0].legend(fontsize="small")
    figure.supxlabel("threads")
    figure.supylabel("speed-up")
    figure.suptitle(f"{curve.all['processor']}, ddla {curve.all['ddla']}")
    return figure


def drawings(results):
    if isinstance(results, Set):
        return [("set_ratios", ratios), ("set_share", share)] if results.matrices else []
    return [(f"scaling_{results.all['place']}", sizes), ("threads", threads)]


def texts(_):
    return []
