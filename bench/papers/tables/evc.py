"""The tables of EVC-HYB by times: figures 3 to 5, 8 and 11 to 15, tables 2 and 3."""
import statistics

from papers.results import TABLE3, mean_and_range
from papers.tables.common import ROWS, halves, heading, large, mean_percent, median_of
from support.report import PRECISIONS, geometric_mean, percent, table


def memory(results):
    for r in results.records("evc"):
        if r["name"] == "STREAM":
            yield "### Table 2: STREAM, 2·10⁷ doubles, GB/s"
            yield ""
            yield from table(("copy", "scale", "add", "triad"),
                             [[f"{r[k]:.0f}" for k in ("copy", "scale", "add", "triad")]])
        elif r["name"] == "latency":
            yield "### Figure 8: cycles of a load from so many bytes"
            yield ""
            yield from table(("bytes", "through L1", "read-only path", "past L1"),
                             ((f"2^{one['bytes'].bit_length() - 1}",
                               *(f"{one[k]:.0f}" for k in ("plain", "read_only", "past_l1")))
                              for one in r["cycles"]))


def evc_summary(matrices):
    rows = []
    for who in ("paper", "ddla"):
        for precision in PRECISIONS:
            gains = {what: [m.rival / m.time(who, what, precision) for m in matrices]
                     for what in ("in_order", "permuted")}
            losses = [m.loss(who, precision) for m in matrices]
            rows.append((who, precision, mean_and_range(gains["permuted"]),
                         mean_and_range(gains["in_order"]),
                         mean_percent(losses)))
    yield "### Figures 3 and 4"
    yield ""
    yield from table(("kernel", "precision", "speed-up over cuSPARSE's best in double, permuted: geometric mean",
                      "in order", "loss by reordering: arithmetic mean"), rows)
    with_hyb = [m for m in matrices if m.hyb]
    if with_hyb:
        gains = [m.hyb / m.time("paper", "permuted") for m in with_hyb]
        yield (f"HYB's time / that of the paper's kernel, permuted, in double: {mean_and_range(gains)} on "
               f"{len(with_hyb)} matrices.")
        yield ""
    for size, mine in halves(matrices):
        plain = (m.time("paper", "x_without_read_only_path") / m.time("paper", "permuted") for m in mine)
        yield f"Time without the read-only path / with it, {size}: {mean_and_range(plain)}."
    yield ""


def against_csr_and_hyb(matrices):
    """The paper's own comparison."""
    rows = []
    for size, mine in halves(matrices):
        for who, name in (("paper", "the paper's kernel"), ("ddla", "ddla")):
            gains = [[m.csr_or_hyb / m.time(who, what) for m in mine] for what in ("permuted", "in_order")]
            rows.append((size, len(mine), name, *map(mean_and_range, gains),
                         *(sum(g > 1 for g in one) for one in gains)))
    yield "### Figure 3 as in the paper: speed-up over the better of CSR and HYB, in double"
    yield ""
    yield "CSR is cuSPARSE's, HYB is ours. Geometric mean (least to most)."
    yield ""
    yield from table(("matrices", "number", "kernel", "permuted", "in order", "faster, permuted", "in order"), rows)


def medians(results, matrices):
    """Of figure 5, of the alpha that would explain the time, and of conversions."""
    speed = 1e3 * results.parts["evc"]["copy"]["gigabytes_per_second"]
    times = (lambda m: m.rival, lambda m: m.hyb, lambda m: m.time("paper", "in_order"),
             lambda m: m.time("paper", "permuted"), lambda m: m.time("ddla", "permuted"),
             lambda m: m.time("ddla", "auto"))
    rows = [(size, len(mine), *(median_of(2e-3 * m.entries / t(m) if t(m) else None for m in mine) for t in times))
            for size, mine in halves(matrices)]
    yield "### Figure 5: medians of GFLOPS in double"
    yield ""
    yield from table(("matrices", "number", "cuSPARSE's best", "HYB", "EVC-HYB in order", "permuted",
                      "ddla evc_hyb, permuted", "ddla auto"), rows)
    alphas = [m.alpha_of(m.time("paper", "permuted"), speed) for m in large(matrices)]
    if len(alphas) > 1:
        low, middle, high = statistics.quantiles(alphas, n=4, method="inclusive")
        yield (f"Alpha that would explain the time, 5·10^6 entries and more: quartiles {low:.2f}, {middle:.2f}, "
               f"{high:.2f}.")
        yield ""


def conversions(matrices):
    def products(m, who, seconds):
        return 1e6 * seconds / m.time(who, "in_order")

    rows = []
    for size, mine in halves(matrices):
        ours = [products(m, "ddla", m.record["ddla"]["conversion_seconds"]) for m in mine]
        theirs = [products(m, "paper", m.record["paper_conversion_seconds"]) for m in mine
                  if "paper_conversion_seconds" in m.record]
        rows.append((size, len(mine), *(f"{geometric_mean(v):.0f} ({min(v):.0f} to {max(v):.0f})" if v else "–"
                                        for v in (ours, theirs))))
    yield "### Conversion, in products in order: geometric mean (least to most)"
    yield ""
    yield from table(("matrices", "number", "ddla, on the device", "the paper's layout, a thread of the host"), rows)


def table3_of_the_paper():
    yield "### Table 3 of the paper"
    yield ""
    yield from table(("matrix", "entries a row", "split", "% ELL", "% vCSR", "% padding", "the best of cuSPARSE 2014"),
                     ((name, f"{mean:.1f}", f"{split} of {rows}", f"{ell:.2f}", f"{100 - ell:.2f}", f"{padding:.2f}",
                       best) for name, (mean, split, rows, ell, padding, best) in TABLE3.items()))


def evc_by_row(matrices):
    """Of matrices that do not lie in a cache: a launch is most of the time of the others."""
    rows = []
    for low, high, name in ROWS:
        mine = [m for m in large(matrices) if low <= m.mean < high]
        if not mine:
            continue
        shares = [[t / sum(m.parts()[:3]) for t in m.parts()[:3]] for m in mine]
        rows.append((name, len(mine), mean_percent(m.loss("paper") for m in mine),
                     mean_percent(m.loss("ddla") for m in mine),
                     mean_and_range(m.rival / m.time("paper", "permuted") for m in mine),
                     mean_and_range(m.rival / m.time("ddla", "permuted") for m in mine),
                     *(mean_percent(s[k] for s in shares) for k in range(3))))
    if not rows:
        return
    yield "### Figures 3, 4 and 13 by entries a row, 5·10^6 entries and more"
    yield ""
    yield from table(("entries a row", "matrices", "loss by reordering, arithmetic mean: the paper's kernel", "ddla",
                      "permuted, speed-up over cuSPARSE's best, geometric mean: the paper's kernel", "ddla",
                      "T_A", "T_X", "T_Y"), rows)


def evc_speeds(matrices):
    def speeds_of(m):
        times = (m.rival, m.hyb, *(m.time("paper", what) for what in ("in_order", "permuted", "no_x", "no_a")),
                 m.time("ddla", "permuted"), m.time("ddla", "auto"))
        return (m.name, f"{m.mean:.1f}", *(f"{2e-3 * m.entries / t:.1f}" if t else "–" for t in times))

    yield "### Figures 5 and 14: GFLOPS in double"
    yield ""
    yield from table(("matrix", "a row", "cuSPARSE's best", "HYB", "EVC-HYB in order", "permuted", "x constant",
                      "A constant", "ddla evc_hyb, permuted", "ddla auto"),
                     map(speeds_of, sorted(matrices, key=lambda m: m.mean)))


def evc_matrices(results, matrices):
    speed = 1e3 * results.parts["evc"]["copy"]["gigabytes_per_second"]

    def row(m):
        of_ell = m.layout["entries_of_ell"] / m.entries
        a, x, y, together = m.parts()
        total = a + x + y
        alpha = m.rows / m.entries  # each element of x once
        time = m.time("paper", "permuted")
        return (m.name, m.rows, m.entries, f"{m.mean:.1f}", m.layout["split"], f"{100 * of_ell:.2f}",
                f"{100 - 100 * of_ell:.2f}", f"{100 * (m.layout['slots'] / m.entries - 1):.2f}",
                percent(m.loss("paper")), *(percent(t / total) for t in (a, x, y)),
                f"{together:.2f}", f"{m.bytes(alpha) / speed:.1f}", f"{time:.1f}",
                f"{m.alpha_of(time, speed):.2f}",
                f"{m.record['ddla']['conversion_seconds'] * 1e6 / m.time('ddla', 'in_order'):.0f}")

    yield "### Table 3, figures 4, 11 and 13, and the model"
    yield ""
    yield ("`alpha` is what would explain the time at the speed of a copy, not what a counter says.  The limit has "
           "each element of x once.")
    yield ""
    yield from table(("matrix", "rows", "entries", "a row", "split", "% ELL", "% vCSR", "% padding",
                      "loss by reordering", "T_A", "T_X", "T_Y", "sum / T", "limit µs", "T µs", "alpha",
                      "ddla: conversion in products"), map(row, sorted(matrices, key=lambda m: m.mean)))


def evc(results):
    matrices = results.evc()
    yield from heading("EVC-HYB", results.where("evc") + ".")
    yield from memory(results)
    yield from table3_of_the_paper()
    if matrices:
        yield from evc_summary(matrices)
        yield from against_csr_and_hyb(matrices)
        yield from medians(results, matrices)
        yield from conversions(matrices)
        yield from evc_by_row(matrices)
        yield from evc_speeds(matrices)
        yield from evc_matrices(results, matrices)
        if "densities" not in results.parts:
            yield from densities(results)


def densities(results):
    matrices = results.densities()
    if not matrices:
        return
    yield "### Figure 15: random rows, GFLOPS in double"
    yield ""
    if "densities" in results.parts:
        yield results.where("densities") + "."
        yield ""

    def row(m):
        times = (m.rival, m.hyb, m.time("paper", "in_order"), m.time("paper", "permuted"),
                 m.time("ddla", "permuted"), m.time("ddla", "auto"))
        return (f"{m.rows:,}", m.record.get("note", ""), m.entries, f"{100 * m.entries / m.rows ** 2:.2f} %",
                *(f"{2e-3 * m.entries / t:.0f}" if t else "–" for t in times))

    yield from table(("n", "rows", "entries", "of n^2", "cuSPARSE's best", "HYB", "EVC-HYB in order", "permuted",
                      "ddla evc_hyb, permuted", "ddla auto"), map(row, matrices))
