"""The tables of CRS-T (2012) and CRS-vector (2013)."""
from papers.results import mean_and_range, rank_correlation
from papers.tables.common import ROWS, comparison, halves, heading, large, median_of
from papers.tables.threads import doubling, fixed, rule, tuning
from support.report import PRECISIONS, table


# Speed-up of one over another; each has a function of a matrix and a precision.
PAIRS = (
    ("8 threads 2012 / cuSPARSE's CSR", lambda m, p: m.eight_threads(p), lambda m, _: m.rival_csr),
    ("CRS-vector 2013 / cuSPARSE's CSR", lambda m, p: m.of_paper("ver4", precision=p), lambda m, _: m.rival_csr),
    ("CRS-T 2012 / cuSPARSE's CSR", lambda m, p: m.tuned(p), lambda m, _: m.rival_csr),
    ("ddla crs_vector / CRS-vector 2013", lambda m, p: m.ours("crs_vector", p),
     lambda m, p: m.of_paper("ver4", precision=p)),
    ("ddla crs_t / CRS-T 2012", lambda m, p: m.ours("crs_t", p), lambda m, p: m.tuned(p)),
    ("ddla auto / cuSPARSE's best", lambda m, p: m.ours("auto", p), lambda m, _: m.rival),
    ("ddla auto / CRS-vector 2013", lambda m, p: m.ours("auto", p), lambda m, p: m.of_paper("ver4", precision=p)),
)


def speeds(results, matrices):
    """cuSPARSE has no double-double, so no pair with it is in double-double."""
    heading = ("speed-up of", "matrices", "geometric mean", "arithmetic mean", "faster", "best", "worst")
    for precision in PRECISIONS:
        pairs = [pair for pair in PAIRS if precision == "double" or "cuSPARSE" not in pair[0]]
        for name, mine in results.by_size(matrices):
            yield f"### {precision.capitalize()}, {name}"
            yield ""
            yield from table(heading, (
                comparison(n, mine, lambda m, of=of: of(m, precision), lambda m, to=to: to(m, precision))
                for n, of, to in pairs if of(mine[0], precision)))


#: Who has a speed; cuSPARSE has no double-double.
SPEEDS = (
    ("cuSPARSE's best", lambda m, p: m.rival if p == "double" else None),
    ("cuSPARSE's CSR", lambda m, p: m.rival_csr if p == "double" else None),
    ("8 threads 2012", lambda m, p: m.eight_threads(p)),
    ("CRS-T 2012", lambda m, p: m.tuned(p)),
    ("CRS-vector 2013", lambda m, p: m.of_paper("ver4", precision=p)),
    ("ddla crs_t", lambda m, p: m.ours("crs_t", p)),
    ("ddla crs_vector", lambda m, p: m.ours("crs_vector", p)),
    ("ddla auto", lambda m, p: m.ours("auto", p)),
)


def medians(matrices):
    def speed_of(mine, time, precision):
        mine = [m for m in mine if time(m, precision)]
        return (median_of([m.gflops(time(m, precision)) for m in mine]),
                median_of([m.gigabytes(time(m, precision), precision) for m in mine]))

    rows = [(size, len(mine), name, *(cell for p in PRECISIONS for cell in speed_of(mine, time, p)))
            for size, mine in halves(matrices) for name, time in SPEEDS]
    yield "### Medians of GFLOPS and GB/s"
    yield ""
    yield ("GFLOPS are 2 entries / time in DD, too. GB/s count compressed rows with 32-bit offsets. "
           "cuSPARSE has no DD.")
    yield ""
    yield from table(("matrices", "number", "kernel", "double: GFLOPS", "GB/s", "DD: GFLOPS", "GB/s"), rows)


def gains(mine, precision):
    versions = ("ver1", "ver2", "ver3", "ver4")
    return [mean_and_range(m.of_paper("ver0", precision=precision) / m.of_paper(version, precision=precision)
                           for m in mine) for version in versions]


def ablation(matrices):
    matrices = [m for m in matrices if m.of_paper("ver0")]
    names = ("Ver. 1: geometric mean (least to most)", "Ver. 2", "Ver. 3", "Ver. 4")
    yield "### Figure 8: gain over Ver. 0"
    yield ""
    yield from table(("precision", "matrices", "number", *names),
                     ((precision, name, len(mine), *gains(mine, precision))
                      for precision in PRECISIONS for name, mine in halves(matrices)))
    yield "### Figure 8 by entries a row, 5·10^6 entries and more"
    yield ""
    by_row = [(name, [m for m in large(matrices) if low <= m.mean < high]) for low, high, name in ROWS]
    yield from table(("precision", "entries a row", "number", *names),
                     ((precision, name, len(mine), *gains(mine, precision))
                      for precision in PRECISIONS for name, mine in by_row if mine))


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


def crs_matrices(matrices):
    shown = ("cuSPARSE's best", "CRS-T 2012", "CRS-vector 2013", "ddla auto")
    for precision in PRECISIONS:
        times = [(name, time) for name, time in SPEEDS if name in shown and time(matrices[0], precision)]

        def row(m):
            mine = [time(m, precision) for _, time in times]
            return (m.name, m.kind, m.entries, f"{m.mean:.1f}", m.rule, *(f"{m.gflops(t):.1f}" for t in mine),
                    *(f"{m.gigabytes(t, precision):.0f}" for t in mine))

        names = [name for name, _ in times]
        yield f"### Each matrix in {precision}"
        yield ""
        yield from table(("matrix", "kind", "entries", "a row", "NT", "GFLOPS: " + names[0], *names[1:],
                          "GB/s: " + names[0], *names[1:]),
                         map(row, sorted(matrices, key=lambda m: -m.gflops(m.ours("auto")))))


def crs(results):
    matrices = results.crs()
    yield from heading("CRS-T and CRS-vector", results.where("crs") + ".")
    for lines in (speeds(results, matrices), medians(matrices), properties(matrices), ablation(matrices),
                  rule(matrices), doubling(matrices), fixed(matrices), tuning(matrices), crs_matrices(matrices)):
        yield from lines


def cg(results):
    records = results.records("cg")
    yield from heading("CG", results.where("cg") +
                       ". Time of cuSPARSE + cuBLAS / time, an iteration: geometric mean (least to most).")

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
