"""The tables of CRS-T (2012) and CRS-vector (2013)."""
from papers.results import mean_and_range, rank_correlation, rule_found
from papers.tables.common import comparison, halves
from support.report import PRECISIONS, geometric_mean, table


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
