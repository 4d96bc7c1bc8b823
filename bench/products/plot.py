"""Plots of bench_products.

speed_up.png:  cuSPARSE's best time / ddla's, matrix by matrix
share.png:     share of the traffic limit, matrix by matrix
threads.png:   the best number of threads a row against the mean length (with --threads)
formats.png:   speed-up of every format on every matrix (with --formats all)
"""
import math

from support.report import (KINDS, PRECISIONS, colour, geometric_mean, kinds_legend, names_below,
                            plain_ticks)


def speed_up(plt, results):
    """As in the papers: sorted, so that the share of matrices won is where the bars cross 1."""
    matrices = sorted(results.auto, key=lambda m: m.speed_up)
    at = range(len(matrices))
    figure, panel = plt.subplots(figsize=(14, 6), layout="constrained")
    panel.bar(at, [m.speed_up for m in matrices], color=[colour(plt, m.kind) for m in matrices])
    panel.plot(at, [1 / m.dd_ratio for m in matrices], "k_", markersize=7, label="double-double")
    panel.axhline(1, color="black", linewidth=0.8)
    mean = geometric_mean(m.speed_up for m in matrices)
    panel.axhline(mean, color="grey", linestyle="--", linewidth=0.8,
                  label=f"geometric mean in double, {mean:.2f}")
    panel.set(yscale="log", ylabel="time of cuSPARSE in double / time of ddla",
              title=results.where())
    plain_ticks(panel.yaxis, (0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 8))
    names_below(panel, matrices)
    kinds_legend(plt, panel, matrices, loc="upper left", ncols=3)
    return figure


def share(plt, results):
    matrices = sorted(results.auto, key=lambda m: (KINDS.index(m.kind), m.share()))
    at = range(len(matrices))
    figure, panels = plt.subplots(2, 1, figsize=(14, 9), sharex=True, layout="constrained")
    for panel, precision in zip(panels, PRECISIONS):
        panel.bar(at, [m.share(precision) for m in matrices],
                  color=[colour(plt, m.kind) for m in matrices])
        panel.plot(at, [m.share(precision, by_rows=True) for m in matrices], "k_", markersize=7,
                   label="by the bytes of plain rows")
        for level, what in ((1, "the limit"), (0.85, "85 %"), (1 / 3, "3 times the limit")):
            panel.axhline(level, color="grey", linewidth=0.8, linestyle="--")
            panel.annotate(what, (1.003, level), xycoords=("axes fraction", "data"),
                           fontsize="x-small", va="center")
        panel.set(ylabel=f"{precision}: time at copy speed / time")
        names_below(panel, matrices)
    panels[0].set_title(results.where())
    kinds_legend(plt, panels[0], matrices, loc="upper left", ncols=3)
    return figure


def rule(mean):
    """Mukunoki and Takahashi 2013."""
    return max(1, min(32, 2 ** math.ceil(math.log2(max(mean, 1)))))


def threads(plt, results):
    """Left: the best number of threads and the rule's.  Right: what other numbers cost."""
    matrices = [m for m in results.matrices if m.record.get("threads")]
    if not matrices:
        return None
    figure, (left, right) = plt.subplots(1, 2, figsize=(14, 6), layout="constrained")
    longest = max(max(m.record["mean"] for m in matrices), 64)
    lengths = [0.5 * (2 * longest) ** (k / 400) for k in range(401)]
    left.plot(lengths, [rule(x) for x in lengths], color="grey", label="the rule")
    for m in matrices:
        times = {t["threads"]: t["microseconds"] for t in m.record["threads"]}
        best = min(times, key=times.get)
        left.plot(m.record["mean"], best, "o", color=colour(plt, m.kind), alpha=0.6)
        line = sorted((t, time / times[best]) for t, time in times.items())
        right.plot(*zip(*line), color=colour(plt, m.kind), linewidth=0.8)
    left.set(xlabel="mean length of the rows", ylabel="fastest number of threads a row")
    left.set_xscale("log")
    left.set_yscale("log", base=2)
    plain_ticks(left.yaxis, (1, 2, 4, 8, 16, 32))
    right.set(xlabel="threads a row", ylabel="time / that of the fastest number")
    right.set_xscale("log", base=2)
    right.set_yscale("log")
    plain_ticks(right.xaxis, (1, 2, 4, 8, 16, 32))
    plain_ticks(right.yaxis, (1, 1.2, 1.5, 2, 3, 5, 10, 20, 50))
    kinds_legend(plt, left, matrices, loc="lower right")
    figure.suptitle("crs_vector in double: " + results.where())
    return figure


def formats(plt, results):
    names = results.format_names()
    if len(names) < 3:
        return None
    matrices = sorted(results.matrices, key=lambda m: KINDS.index(m.kind))
    cells = [[math.log2(m.rival / m.time(f)) if f in m.formats else math.nan for m in matrices]
             for f in names]
    figure, panel = plt.subplots(figsize=(14, 5), layout="constrained")
    image = panel.imshow(cells, cmap="RdBu", vmin=-2, vmax=2, aspect="auto")
    panel.set_yticks(range(len(names)), names)
    panel.set_xticks(range(len(matrices)), [m.name for m in matrices], rotation=90,
                     fontsize="x-small")
    for x, m in enumerate(matrices):
        if m.fastest("double"):
            panel.plot(x, names.index(m.fastest("double")), "k.", markersize=4)
    bar = figure.colorbar(image, ticks=[-2, -1, 0, 1, 2])
    bar.ax.set_yticklabels(["1/4", "1/2", "1", "2", "4"])
    bar.set_label("speed-up over cuSPARSE, double; dot: the fastest")
    panel.set_title(results.where())
    return figure


def drawings(results):
    always = [("threads", threads), ("formats", formats)]
    return always + ([("speed_up", speed_up), ("share", share)] if results.auto else [])


def texts(_):
    return []
