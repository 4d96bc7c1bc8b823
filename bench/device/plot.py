"""Plots of bench_device.

vectors.png:   share of the copy's bandwidth against n
bicgstab.png:  time of an iteration for each solver and size
"""


def label(record):
    return f"{record['who']}, {record['precision']}"


def vectors(plt, results):
    records, title = results.vectors, results.where()
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


def bicgstab(plt, results):
    records, title = results.iterations, results.where()
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


def drawings(results):
    return ([("vectors", vectors)] if results.vectors else []) + (
        [("bicgstab", bicgstab)] if results.iterations else [])


def texts(_):
    return []
