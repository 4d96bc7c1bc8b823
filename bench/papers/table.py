"""The tables of the papers' pages, of the parts whose results are given."""
import math

from papers.results import (OPERATIONS, TABLE1, TABLE2, mean_and_range, ran, rank_correlation,
                            ratios, rule_found)
from support.report import PRECISIONS, geometric_mean, percent, table


def claimed(solve):
    """Iterations, if its own residual reached the tolerance: what the papers counted."""
    reported = solve["relative_residual"]
    met = reported is not None and reported <= solve.get("tolerance", 1e-12)
    return solve["iterations"] if met else None


def text(x):
    return "–" if x is None else f"{x:.2f}" if isinstance(x, float) else str(x)


def of_table(reports, paper, widths):
    for name in paper:
        if name not in reports:
            continue
        double, dd = (claimed(s) for s in reports[name]["solves"])
        ratio = dd / double if double and dd else None
        yield (name, text(double), text(dd), text(ratio), *map(text, paper[name][-widths:]))


def table1(results):
    reports = results.parts["table1"]
    yield "## Table 1: iterations without a preconditioner"
    yield ""
    rows = ((*row, f"{row[-1] and int(row[-1]) / int(row[-2]):.2f}")
            for row in of_table(reports, TABLE1, 2))
    yield from table(("matrix", "double", "DD", "ratio", "paper: double", "quad", "ratio"), rows)
    missing = [name for name in TABLE1 if name not in reports]
    yield f"Not to be had: {', '.join(missing)}."
    yield ""


def table2(results):
    yield "## Table 2: iterations with ILU(0)"
    yield ""
    yield from table(("matrix", "double", "DD", "ratio", "Lis: double", "quad"),
                     of_table(results.parts["table2"], TABLE2, 2))


def ended(solve):
    """Its iterations, or how it ended without meeting the tolerance by its own residual."""
    iterations = claimed(solve)
    if iterations is not None:
        return str(iterations)
    limit = solve["status"] == "iteration_limit"
    return "–" if limit else f"– ({solve['status'].replace('_', ' ')} at {solve['iterations']})"


def blocks(results):
    records = results.records("blocks")
    yield "## ILU(0) of blocks on the diagonal: iterations in double, DD"
    yield ""
    numbers = sorted({r["blocks"] for r in records if "blocks" in r})
    of_lis = {name: ", ".join(map(text, TABLE2[name][-2:])) for name in TABLE2}
    by_name = {name: {r["blocks"]: r for r in records if r["name"] == name and "blocks" in r}
               for name in TABLE2}
    rows = [(name, *(", ".join(ended(mine[n][p]) for p in PRECISIONS) if n in mine else "–"
                     for n in numbers), of_lis[name]) for name, mine in by_name.items() if mine]
    yield from table(("matrix", *(f"{n} block{'s' * (n > 1)}" for n in numbers), "Lis in the paper"), rows)
    drawn = sorted((r for r in records if "least_diagonal" in r), key=lambda r: r["least_diagonal"])
    yield "### wathen120 by its densities, without a preconditioner"
    yield ""
    yield from table(("least diagonal entry", "double", "DD"),
                     ((f"{r['least_diagonal']:.3f}", *(ended(r[p]) for p in PRECISIONS)) for r in drawn))


def times_of(records, ours, theirs):
    return [theirs(r) / ours(r) for r in records]


def figures_3_and_6(results, records):
    rows = []
    for what in ("spmv", "dot", "axpy"):
        rows.append((what,
                     mean_and_range(r["nvidia"]["operations"][what] / r["double"]["operations"][what]
                                    for r in records),
                     mean_and_range(ratios(r, what) for r in records)))
    for what in ("nrm2", "axpyz", "xpay"):
        rows.append((what, "–" if what != "nrm2" else
                     mean_and_range(r["nvidia"]["operations"][what] / r["double"]["operations"][what]
                                    for r in records),
                     mean_and_range(ratios(r, what) for r in records)))
    rows.append(("spmv, A in DD", "–", mean_and_range(
        r["spmv_with_dd_values"] / r["double"]["operations"]["spmv"] for r in records)))
    yield from table(("operation", "figure 3: NVIDIA's time / ours, double",
                      "figure 6: time in DD / double"), rows)


def share(record, precision, what):
    """Of the iteration an operation at a time, as the paper has it."""
    one = record[precision]
    return OPERATIONS[what] * one["operations"][what] / one["separate"]


def figure_5(records):
    rows = [(p, *(percent(geometric_mean(share(r, p, what) for r in records)) for what in OPERATIONS),
             percent(max(0, 1 - sum(geometric_mean(share(r, p, what) for r in records)
                                    for what in OPERATIONS))))
            for p in PRECISIONS]
    yield from table(("figure 5: share of an iteration", *OPERATIONS, "waits and others"), rows)
    products = {p: percent(geometric_mean(2 * r[p]["operations"]["spmv"] / iteration(r, p)
                                          for r in records if ran(r))) for p in PRECISIONS}
    yield (f"Of ddla's own iteration two products take {products['double']} in double and "
           f"{products['double-double']} in DD.")
    yield ""


def iteration(record, precision):
    return record[precision]["iteration"]["microseconds"]


def both_claim(record):
    return all("solve" in record[p] and claimed(record[p]["solve"]) for p in PRECISIONS)


def figure_4(records):
    solved = [r for r in records if both_claim(r)]
    yield from table(
        ("figure 4: DD / double", "matrices", "mean (least to most)"),
        [("an iteration", sum(map(ran, records)),
          mean_and_range(iteration(r, "double-double") / iteration(r, "double") for r in records
                         if ran(r))),
         ("an iteration, an operation at a time", len(records),
          mean_and_range(r["double-double"]["separate"] / r["double"]["separate"] for r in records)),
         ("the whole solve", len(solved),
          mean_and_range(r["double-double"]["solve"]["seconds"] / r["double"]["solve"]["seconds"]
                         for r in solved)),
         ("iterations", len(solved),
          mean_and_range(claimed(r["double-double"]["solve"]) / claimed(r["double"]["solve"])
                         for r in solved))])


def of_the_paper(records):
    """Figures 3, 4 and 6 of those of the paper's matrices that are at hand."""
    for r in records:
        if r["name"] not in TABLE1 or not ran(r):
            continue
        double, dd = r["double"], r["double-double"]
        nvidia = r["nvidia"]["operations"]
        whole = dd["solve"]["seconds"] / double["solve"]["seconds"] if both_claim(r) else None
        yield (r["name"], r["entries"],
               *(text(nvidia[w] / double["operations"][w]) for w in ("spmv", "dot", "axpy")),
               text(iteration(r, "double-double") / iteration(r, "double")), text(whole),
               *(text(ratios(r, w)) for w in ("spmv", "dot", "axpy")))


def answer(records):
    records = [r for r in records if ran(r)]
    dd_to = {name: geometric_mean(iteration(r, "double-double") / of(r) for r in records)
             for name, of in (("double", lambda r: iteration(r, "double")),
                              ("textbook", lambda r: r["nvidia"]["textbook"]),
                              ("graph", lambda r: r["nvidia"]["graph"]))}
    yield (f"A DD iteration costs {dd_to['double']:.2f} times a double one of ddla, "
           f"{dd_to['textbook']:.2f} times one of cuSPARSE and cuBLAS in a textbook's loop, and "
           f"{dd_to['graph']:.2f} times one of theirs in a CUDA graph.")
    yield ""


def bicgstab(results):
    yield "## BiCGStab: figures 3 to 6"
    yield ""
    yield results.where("bicgstab") + "."
    yield ""
    records = results.records("bicgstab")
    for kind in dict.fromkeys(r["kind"] for r in records):
        mine = [r for r in records if r["kind"] == kind]
        yield f"### {kind}: {len(mine)} matrices"
        yield ""
        yield from answer(mine)
        yield from figures_3_and_6(results, mine)
        yield from figure_4(mine)
        yield from figure_5(mine)
        yield from table(("matrix of the paper", "entries", "figure 3: spmv", "dot", "axpy",
                          "figure 4: iteration", "whole", "figure 6: spmv", "dot", "axpy"),
                         of_the_paper(mine))


def vectors(results):
    records = results.records("vectors")
    yield "## Section 2.3 and 4.1.3: layouts, and ratios over n"
    yield ""
    yield results.where("vectors") + ". Microseconds."
    yield ""

    def row(r):
        soa, pairs, words = r["layouts"]
        return (r["n"], *(f"{r['double-double'][w] / r['double'][w]:.2f}" for w in ("dot", "axpy")),
                *(f"{r['cublas'][w] / r['double'][w]:.2f}" for w in ("dot", "axpy")),
                *(f"{one[w]:.2f}" for w in ("dot", "axpy") for one in (soa, pairs, words)))

    yield from table(("n", "DD / double: dot", "axpy", "cuBLAS / ours: dot", "axpy", "dot: SoA",
                      "AoS pairs", "AoS words", "axpy: SoA", "AoS pairs", "AoS words"),
                     (row(r) for r in records if r["kind"] == "vectors"))
    products = [r for r in records if r["kind"] != "vectors"]
    yield from table(("product in DD, 8 threads a row", "SoA", "AoS pairs", "AoS words"),
                     ((r["name"], *(f"{one['spmv']:.1f}" for one in r["layouts"])) for r in products))


def comparison(name, mine, of, to):
    """Times of `to` / times of `of`, as the papers' speed-ups."""
    gains = [to(m) / of(m) for m in mine]
    best, worst = max(range(len(mine)), key=gains.__getitem__), min(range(len(mine)),
                                                                    key=gains.__getitem__)
    return (name, len(mine), f"{geometric_mean(gains):.2f}", f"{sum(gains) / len(gains):.2f}",
            percent(sum(g > 1 for g in gains) / len(gains)),
            f"{gains[best]:.2f} ({mine[best].name})", f"{gains[worst]:.2f} ({mine[worst].name})")


PAIRS = (
    ("CRS-vector 2013 / cuSPARSE's CSR", lambda m: m.of_paper("ver4"), lambda m: m.rival_csr),
    ("CRS-T 2012 / cuSPARSE's CSR", lambda m: min(m.threads_of_paper("crs_t").values()),
     lambda m: m.rival_csr),
    ("ddla crs_vector / CRS-vector 2013", lambda m: m.ours("crs_vector"), lambda m: m.of_paper("ver4")),
    ("ddla crs_t / CRS-T 2012", lambda m: m.ours("crs_t"),
     lambda m: min(m.threads_of_paper("crs_t").values())),
    ("ddla auto / cuSPARSE's best", lambda m: m.ours("auto"), lambda m: m.rival),
    ("ddla auto / CRS-vector 2013", lambda m: m.ours("auto"), lambda m: m.of_paper("ver4")),
)
PAIRS_DD = (
    ("ddla crs_vector / CRS-vector 2013", lambda m: m.ours("crs_vector", "double-double"),
     lambda m: m.of_paper("ver4", precision="double-double")),
    ("ddla auto / CRS-vector 2013", lambda m: m.ours("auto", "double-double"),
     lambda m: m.of_paper("ver4", precision="double-double")),
)


def speeds(results, matrices):
    heading = ("speed-up of", "matrices", "geometric mean", "mean", "faster", "best", "worst")
    for name, mine in results.by_size(matrices):
        yield f"### Double, {name}"
        yield ""
        yield from table(heading, (comparison(n, mine, of, to) for n, of, to in PAIRS))
    yield "### Double-double, all"
    yield ""
    yield from table(heading, (comparison(n, matrices, of, to) for n, of, to in PAIRS_DD))


def halves(matrices, entries_of=lambda m: m.entries):
    """Those that lie in a cache of today's GPUs, and those that do not."""
    limit = 5e6
    for name, mine in (("below 5·10^6 entries", [m for m in matrices if entries_of(m) < limit]),
                       ("5·10^6 and more", [m for m in matrices if entries_of(m) >= limit]),
                       ("all", matrices)):
        if mine:
            yield name, mine


def ablation(matrices):
    rows = []
    for precision in PRECISIONS:
        for name, mine in halves([m for m in matrices if m.of_paper("ver0")]):
            gains = ([m.of_paper("ver0", precision=precision) / m.of_paper(version, precision=precision)
                      for m in mine] for version in ("ver1", "ver2", "ver3", "ver4"))
            rows.append((precision, name, len(mine), *map(mean_and_range, gains)))
    yield "### Figure 8: gain over Ver. 0"
    yield ""
    yield from table(("precision", "matrices", "number", "Ver. 1: mean (least to most)", "Ver. 2", "Ver. 3",
                      "Ver. 4"), rows)


def rule(matrices):
    rows = []
    for name, of in (("the papers' kernel, Ver. 4", lambda m, p: m.threads_of_paper("ver4", p)),
                     ("the papers' kernel, CRS-T", lambda m, p: m.threads_of_paper("crs_t", p)),
                     ("ddla's crs_vector", lambda m, p: m.threads_of_ours(p))):
        for precision in PRECISIONS:
            for size, mine in halves(matrices):
                found = [rule_found(of(m, precision), m.rule) for m in mine]
                costs, missed = [c for _, c in found], [c for ok, c in found if not ok]
                rows.append((name, precision, size, f"{sum(ok for ok, _ in found)} of {len(found)}",
                             f"{geometric_mean(costs):.2f}",
                             f"{geometric_mean(missed):.2f}" if missed else "–", f"{max(costs):.2f}"))
    yield "### The rule: NT = max(1, min(32, 2^ceil(log2(nnz / rows))))"
    yield ""
    yield from table(("kernel", "precision", "matrices", "NT is the fastest T (within 1 %)",
                      "time / the fastest's: mean", "mean where it is not", "most"), rows)


def properties(matrices):
    """Of figures 6 and 7."""
    columns = (("rows", lambda m: m.record["rows"]), ("entries", lambda m: m.entries),
               ("share of entries", lambda m: m.density), ("entries a row", lambda m: m.mean),
               ("NT", lambda m: m.rule))
    rows = []
    for name, mine in (("below 10^6 entries", [m for m in matrices if m.entries < 1e6]),
                       ("10^7 and more", [m for m in matrices if m.entries >= 1e7])):
        if mine:
            speeds = [m.gflops(m.of_paper("ver4")) for m in mine]
            rows.append((name, len(mine), *(f"{rank_correlation(speeds, [of(m) for m in mine]):.2f}"
                                            for _, of in columns)))
    yield "### Figures 6 and 7: rank correlation with the GFLOPS of CRS-vector 2013"
    yield ""
    yield from table(("matrices", "number", *(name for name, _ in columns)), rows)


def crs(results):
    matrices = results.crs()
    yield "## CRS-T and CRS-vector"
    yield ""
    yield results.where("crs") + "."
    yield ""
    yield from speeds(results, matrices)
    yield from properties(matrices)
    yield from ablation(matrices)
    yield from rule(matrices)

    def row(m):
        ours, theirs = m.ours("auto"), m.of_paper("ver4")
        return (m.name, m.kind, m.entries, f"{m.mean:.1f}", m.rule,
                *(f"{m.gflops(t):.1f}" for t in (m.rival, theirs, ours)),
                *(f"{m.gigabytes(t):.0f}" for t in (m.rival, theirs, ours)),
                f"{m.gflops(m.of_paper('ver4', precision='double-double')):.1f}",
                f"{m.gflops(m.ours('auto', 'double-double')):.1f}")

    yield from table(("matrix", "kind", "entries", "a row", "NT", "GFLOPS: cuSPARSE", "CRS-vector 2013",
                      "ddla auto", "GB/s: cuSPARSE", "CRS-vector 2013", "ddla auto",
                      "DD GFLOPS: CRS-vector 2013", "ddla auto"),
                     map(row, sorted(matrices, key=lambda m: -m.gflops(m.ours("auto")))))


def cg(results):
    records = results.records("cg")
    yield "## CG"
    yield ""
    yield results.where("cg") + ". Time of cuSPARSE + cuBLAS / time, an iteration."
    yield ""

    def gains(record):
        times = {(s["who"], s["precision"]): s["microseconds"] for s in record["solvers"]}
        rival = times["cuSPARSE + cuBLAS", "double"]
        return {key: rival / t for key, t in times.items()}

    all_gains = {size: [gains(r) for r in mine]
                 for size, mine in halves(records, lambda r: r["entries"])}
    solvers = all_gains["all"][0] if records else ()
    rows = [(f"{who}, {precision}",
             *(mean_and_range(g[who, precision] for g in mine) for mine in all_gains.values()))
            for who, precision in solvers]
    yield from table(("solver", *(f"{size}: {len(mine)}" for size, mine in all_gains.items())), rows)


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
    yield from table(("kernel", "precision", "speed-up over cuSPARSE's best in double, permuted",
                      "in order", "loss by reordering: mean"), rows)
    with_hyb = [m for m in matrices if m.hyb]
    if with_hyb:
        gains = [m.hyb / m.time("paper", "permuted") for m in with_hyb]
        yield (f"HYB's time / that of the paper's kernel, permuted, in double: {mean_and_range(gains)} on "
               f"{len(with_hyb)} matrices.")
        yield ""
    plain = [m.time("paper", "x_without_read_only_path") / m.time("paper", "permuted")
             for m in matrices]
    yield f"Time without the read-only path / with it: {mean_and_range(plain)}."
    yield ""


def mean_percent(shares):
    shares = list(shares)
    return f"{percent(sum(shares) / len(shares))} ({percent(min(shares))} to {percent(max(shares))})"


#: Entries a row, as the paper tells of its losses by reordering.
ROWS = ((0, 3, "below 3"), (3, 12, "3 to 12"), (12, 18, "12 to 18"), (18, 119.5, "18 to 119"),
        (119.5, math.inf, "more"))


def evc_by_row(matrices):
    """Of matrices that do not lie in a cache: a launch is most of the time of the others."""
    large = dict(halves(matrices)).get("5·10^6 and more", [])
    rows = []
    for low, high, name in (*ROWS, (0, math.inf, "all")):
        mine = [m for m in large if low <= m.mean < high]
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
    yield from table(("entries a row", "matrices", "loss by reordering: the paper's kernel", "ddla",
                      "permuted, speed-up over cuSPARSE's best: the paper's kernel", "ddla", "T_A", "T_X",
                      "T_Y"), rows)


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

    def speeds_of(m):
        times = (m.rival, m.hyb, *(m.time("paper", what) for what in ("in_order", "permuted", "no_x", "no_a")),
                 m.time("ddla", "permuted"), m.time("ddla", "auto"))
        return (m.name, f"{m.mean:.1f}", *(f"{2e-3 * m.entries / t:.1f}" if t else "–" for t in times))

    yield "### Figures 5 and 14: GFLOPS in double"
    yield ""
    yield from table(("matrix", "a row", "cuSPARSE's best", "HYB", "EVC-HYB in order", "permuted", "x constant",
                      "A constant", "ddla evc_hyb, permuted", "ddla auto"),
                     map(speeds_of, sorted(matrices, key=lambda m: m.mean)))
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
    yield "## EVC-HYB"
    yield ""
    yield results.where("evc") + "."
    yield ""
    yield from memory(results)
    if matrices:
        yield from evc_summary(matrices)
        yield from evc_by_row(matrices)
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


def by_mean(matrices):
    return sorted(matrices, key=lambda m: m.mean)


def of(value, style=".2f"):
    return "–" if value is None else format(value, style)


def share_of(value):
    return "–" if value is None else percent(value)


def throughput(matrices):
    yield "### Figures 6, 7 and 10: throughput and hit rates by counters"
    yield ""
    yield from table(
        ("matrix", "entries", "a row", "GB/s from memory", "L2", "L2 for x", "L1", "hits in L1, x", "in L2, x",
         "in L2, A and y", "alpha", "with y written once", "bytes a flop"),
        ((m.name, m.entries, f"{m.mean:.1f}", of(m.gigabytes("memory_read"), ".0f"),
          of(m.gigabytes("l2_read"), ".0f"), of(sectors_of_x(m), ".0f"), of(m.gigabytes("l1_load"), ".0f"),
          share_of(m.hits_of_x("l1_load")), share_of(m.hits_of_x("l2_read")),
          share_of(m.hits_of_rest("l2_read")), of(m.alpha), of(m.alpha_with_y_once), of(m.balance)) for m in by_mean(matrices)))


def sectors_of_x(m):
    """GB/s."""
    sectors, time = m.of_x("l2_read"), m.count("nanoseconds")
    return None if sectors is None or not time else 32 * sectors / time


def predicted(results, matrices):
    speed = 1e3 * results.parts["counted"]["copy"]["gigabytes_per_second"]
    events = {(m.name, m.kind): m.time("paper", "permuted") for m in results.evc()}
    cycles = results.cycles_of_load()

    def row(m):
        limit = None if m.volume() is None else m.volume() / speed
        ncu = m.count("nanoseconds")
        time = events.get((m.name, m.kind)) or (ncu and 1e-3 * ncu)
        averages = m.cycles(cycles) if cycles else (None, None)
        return (m.name, f"{m.mean:.1f}", of(averages[0], ".0f"), of(averages[1], ".0f"),
                of(time and 2e-3 * m.entries / time, ".0f"), of(limit and 2e-3 * m.entries / limit, ".0f"),
                of(limit, ".1f"), of(time, ".1f"), of(ncu and 1e-3 * ncu, ".1f"),
                of(time / limit if time and limit else None))

    yield "### Figures 8 and 11: cycles of a load by hit rates, and the model with the measured alpha"
    yield ""
    yield from table(("matrix", "a row", "C_X", "C_A", "GFLOPS", "GFLOPS of the model", "predicted µs",
                      "measured µs", "by ncu", "measured / predicted"), map(row, by_mean(matrices)))
    ratios = [float(r[-1]) for r in map(row, matrices) if r[-1] != "–"]
    for name, alphas in (("alpha", [m.alpha for m in matrices]),
                         ("with y written once", [m.alpha_with_y_once for m in matrices])):
        alphas = sorted(a for a in alphas if a is not None)
        if alphas:
            yield f"{name}: {alphas[0]:.2f} to {alphas[-1]:.2f}, median {alphas[len(alphas) // 2]:.2f}."
    yield f"Measured / predicted: {mean_and_range(ratios)}."
    yield ""


def parts_by_counters(matrices):
    def row(m):
        times = {launch: m.count("nanoseconds", launch) for launch in ("all", "no_x", "no_a", "neither")}
        y = times["neither"]
        a, x = (None if None in (times[k], y) else times[k] - y for k in ("no_x", "no_a"))
        whole = None if None in (a, x, y) else a + x + y
        return (m.name, f"{m.mean:.1f}", *(of(t and 1e-3 * t, ".1f") for t in (times["all"], a, x, y)),
                *(share_of(t / whole if whole else None) for t in (a, x, y)),
                of(whole / times["all"] if whole and times["all"] else None),
                *(of((v := m.volume_of(k)) and 1e-6 * v, ".1f") for k in "axy"),
                of(m.gflops("no_x"), ".0f"), of(m.gflops("no_a"), ".0f"))

    yield "### Figures 12 to 14: T_A, T_X and T_Y by ncu, and what memory moves for each"
    yield ""
    yield from table(("matrix", "a row", "T µs", "T_A", "T_X", "T_Y", "T_A", "T_X", "T_Y", "sum / T", "MB of A",
                      "of x and columns", "of y", "GFLOPS, x constant", "A constant"),
                     map(row, by_mean(matrices)))


def against_hyb(matrices):
    """HYB's first kernel has ELL, its second a list."""
    def row(m):
        launches = [k for k in ("all", "hyb_ell", "hyb_list") if k in m.record["counted"]]
        times = [m.count("nanoseconds", k) for k in launches[1:]]
        hyb = None if None in times else sum(times)
        return (m.name, of(m.gflops(), ".0f"), of(hyb and 2 * m.entries / hyb, ".0f"),
                *(" / ".join(of(m.gigabytes(counter, k), ".0f") for k in launches)
                  for counter in ("memory_read", "l2_read", "l1_load")))

    with_hyb = [m for m in matrices if "hyb_ell" in m.record["counted"]]
    if with_hyb:
        yield "### Figure 9: EVC-HYB and the kernels of HYB, GB/s"
        yield ""
        yield from table(("matrix", "GFLOPS: EVC-HYB", "HYB", "from memory: EVC-HYB / ELL / list", "L2", "L1"),
                         map(row, by_mean(with_hyb)))


def read_only_path(matrices):
    def row(m):
        def both(values, style):
            return " / ".join(of(v, style) for v in values)

        launches = ("all", "x_without_read_only_path")
        return (m.name, both([m.gflops(k) for k in launches], ".0f"),
                both([m.gigabytes("memory_read", k) for k in launches], ".0f"),
                both([m.gigabytes("l2_read", k) for k in launches], ".0f"),
                both([100 * (m.hits_of_x("l1_load", k) or 0) for k in launches], ".0f"),
                both([100 * (m.hits_of_x("l2_read", k) or 0) for k in launches], ".0f"))

    yield "### Table 4: with and without the read-only path"
    yield ""
    yield from table(("matrix", "GFLOPS", "GB/s from memory", "L2", "% hits in L1, x", "in L2, x"),
                     map(row, by_mean(matrices)))


def counted(results):
    part, matrices = results.parts["counted"], results.counted()
    yield "## EVC-HYB by counters"
    yield ""
    yield results.where("counted") + "."
    yield ""
    if part.get("missing"):
        yield f"Not counted on this device: {', '.join(part['missing'])}."
        yield ""
    yield f"Metrics: {', '.join(part.get('metrics', {}).values())}."
    yield ""
    if matrices:
        yield from throughput(matrices)
        yield from predicted(results, matrices)
        yield from parts_by_counters(matrices)
        yield from read_only_path(matrices)
        yield from against_hyb(matrices)


def bratu(results):
    part = results.parts["bratu"]
    yield "## Figure 16: the Bratu problem in PETSc"
    yield ""
    yield part["where"] + "."
    yield ""
    for size in part["sizes"]:
        yield f"### {size['n']}³ points"
        yield ""
        yield from bratu_products(size)
        yield from bratu_solves(size)


def bratu_products(size):
    petsc = next(p["microseconds"] for p in size["products"] if p["who"] == "PETSc")
    yield from table(("product", "µs in PETSc", "µs of vectors in place", "PETSc's / in PETSc", "in place"),
                     ((p["who"], f"{p['microseconds']:.0f}", f"{p['in_place']:.0f}",
                       f"{petsc / p['microseconds']:.2f}", f"{petsc / p['in_place']:.2f}")
                      for p in size["products"]))


def bratu_solves(size):
    petsc = next((s["seconds"] for s in size["solves"] if s["who"] == "PETSc"), None)
    yield from table(("solver", "Newton steps", "iterations", "the whole solve, s", "linear solves", "of it copies",
                      "all else", "‖F‖", "PETSc's time / its"),
                     ((s["who"], s["steps"], s["iterations"], f"{s['seconds']:.2f}", f"{s['linear']:.2f}",
                       f"{s['copies']:.2f}", f"{s['seconds'] - s['linear']:.2f}", f"{s['again']:.1e}",
                       of(petsc and petsc / s["seconds"]))
                      for s in size["solves"]))


PARTS = {"table1": table1, "table2": table2, "blocks": blocks, "bicgstab": bicgstab, "vectors": vectors,
         "crs": crs, "cg": cg, "evc": evc, "densities": densities, "counted": counted, "bratu": bratu}


def page(results, _):
    for part, lines in PARTS.items():
        if part in results.parts:
            yield from lines(results)
