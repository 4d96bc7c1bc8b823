"""The tables of threads a row: the rule, T fixed for all matrices, and what measuring T costs."""
from papers.results import rule_found
from papers.tables.common import halves, median_and_range, median_of
from support.report import PRECISIONS, geometric_mean, table


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
                      "time / the fastest's: geometric mean", "where it is not", "most"), rows)


def fixed(matrices):
    """SpMV4GPU has 16 threads a row, the CRS-vector of Bell and Garland 32, CRS-T a T for each matrix."""
    threads = (1, 2, 4, 8, 16, 32)
    rows = [(precision, size, len(mine),
             *(f"{geometric_mean(m.threads_of_paper('crs_t', precision)[t] / m.tuned(precision) for m in mine):.2f} "
               f"({sum(m.threads_of_paper('crs_t', precision)[t] <= 1.01 * m.tuned(precision) for m in mine)})"
               for t in threads))
            for precision in PRECISIONS for size, mine in halves(matrices)]
    yield "### CRS-T with one T for all matrices: time / that with the fastest T, geometric mean"
    yield ""
    yield "In brackets: on how many matrices this T is the fastest, within 1 %."
    yield ""
    yield from table(("precision", "matrices", "number", *(f"T = {t}" for t in threads)), rows)


def doubling(matrices):
    """What twice the threads a row take: about 1 where they have work, 2 where they have none."""
    threads = (1, 2, 4, 8, 16)
    rows = [(name, precision, size, len(mine),
             *(f"{geometric_mean(of(m, precision)[2 * t] / of(m, precision)[t] for m in mine):.2f}" for t in threads))
            for name, of in (("the papers' kernel, Ver. 4", lambda m, p: m.threads_of_paper("ver4", p)),
                             ("ddla's crs_vector", lambda m, p: m.threads_of_ours(p)))
            for precision in PRECISIONS for size, mine in halves(matrices)]
    yield "### Time with 2 T threads a row / with T, geometric mean"
    yield ""
    yield from table(("kernel", "precision", "matrices", "number", *(f"T = {t}" for t in threads)), rows)


def tuning(matrices):
    """What set_format(crs_t) costs, and after how many products it has paid."""
    matrices = [m for m in matrices if m.tuning_seconds()]
    if not matrices:
        return
    rivals = (("T by the rule", lambda m: m.threads_of_ours()[m.rule]),
              ("T = 32", lambda m: m.threads_of_ours().get(32)), ("cuSPARSE's CSR", lambda m: m.rival_csr))
    costs, paid = [], []
    for size, mine in halves(matrices):
        costs.append((size, len(mine), median_and_range(1e3 * m.tuning_seconds() for m in mine),
                      median_and_range(1e6 * m.tuning_seconds() / m.ours("crs_t") for m in mine)))
        for name, time in rivals:
            after = [1e6 * m.tuning_seconds() / (time(m) - m.ours("crs_t")) for m in mine
                     if time(m) and time(m) > m.ours("crs_t")]
            paid.append((size, name, f"{len(after)} of {len(mine)}", median_of(after)))
    yield "### ddla's set_format(crs_t): the cost of measuring T, in double"
    yield ""
    yield from table(("matrices", "number", "ms: median (least to most)", "in products: median (least to most)"),
                     costs)
    yield "It has paid after so many products, where ddla's crs_t is faster:"
    yield ""
    yield from table(("matrices", "than", "faster on", "products: median"), paid)
