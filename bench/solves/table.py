"""The page of bench_solves.

Of the set: targets, kinds, matrices.  Of a curve: time by size, steps, time by threads.
"""
from solves.results import LARGE, METHODS, Set
from support.report import PRECISIONS, geometric_mean, judged, percent, table

STEP = 1.3  # what the time for each unknown may grow by, from one size to the next, unremarked


def at_most(what, asked, measured, note=""):
    return judged(what, f"≤ {asked:.2f}", f"{measured:.2f}", measured <= asked, note)


def targets_of_time(matrices, with_start=False):
    def mean(ratio, precision):
        return geometric_mean(ratio(m, precision, with_start) for m in matrices)

    to_best, to_textbook = type(matrices[0]).to_best, type(matrices[0]).to_textbook
    when = ", counting the start of a solve" if with_start else ""
    yield at_most(f"double-double / (a), geometric mean{when}", 0.8,
                  mean(to_textbook, "double-double"))
    yield at_most(f"double-double / the faster of (a) and (b), geometric mean{when}", 1.0,
                  mean(to_best, "double-double"))
    worst = max(matrices, key=lambda m: m.to_best("double-double", with_start))
    yield at_most(f"double-double / the faster, worst{when}", 1.15,
                  worst.to_best("double-double", with_start), worst.name)
    yield at_most(f"double / the faster, geometric mean{when}", 0.6, mean(to_best, "double"))


def targets_of_share(matrices):
    large = [m for m in matrices if m.rows >= LARGE]
    for precision in PRECISIONS if large else ():
        lowest = min(large, key=lambda m: m.share(precision))
        mean = geometric_mean(m.share(precision) for m in large)
        yield judged(f"{precision}: share of the traffic limit, n ≥ {LARGE / 1e6:.0f}·10^6",
                     "≥ 80 %", percent(lowest.share(precision)), lowest.share(precision) >= 0.8,
                     f"{lowest.name}; mean {percent(mean)}")


def targets(matrices):
    rows = [*targets_of_time(matrices), *targets_of_share(matrices),
            *targets_of_time(matrices, with_start=True)]
    yield from table(("target", "asked", "measured", ""), rows)


def kinds(results):
    def ratios(mine, precision):
        worst = max(mine, key=lambda m: m.to_best(precision))
        return (f"{geometric_mean(m.to_best(precision) for m in mine):.2f}",
                f"{worst.to_best(precision):.2f} ({worst.name})")

    def row(name, mine):
        return (name, len(mine),
                f"{geometric_mean(m.to_textbook('double-double') for m in mine):.2f}",
                *ratios(mine, "double-double"), *ratios(mine, "double"),
                *(percent(geometric_mean(m.share(p) for m in mine)) for p in PRECISIONS))

    rows = [row(kind, mine) for kind, mine in results.kinds()]
    yield from table(("kind", "matrices", "DD / (a)", "DD / the faster", "worst",
                      "double / the faster", "worst", "double: share of the limit", "DD: share"),
                     rows + [row("**all**", results.matrices)])


def stored_as(r):
    """In double, and in double-double."""
    both = (r["stored_as"], r.get("stored_as_dd", r["stored_as"]))
    return both[0] if both[0] == both[1] else ", ".join(both)


def matrices(results):
    def row(m):
        r = m.record
        times = [f"{t:.1f}" for t in (m.textbook, m.graph, m.time("double"),
                                      m.time("double-double"))]
        return (m.name, m.kind, m.rows, r["entries"], *times[:2],
                r["graph"]["iterations_per_graph"], *times[2:],
                f"{m.to_textbook('double-double'):.2f}", f"{m.to_best('double-double'):.2f}",
                f"{m.to_best('double'):.2f}",
                *(f"{r[p]['bytes'] / 1e6:.1f}" for p in PRECISIONS),
                *(percent(m.share(p)) for p in PRECISIONS), r["interval"], stored_as(r))

    yield from table(("matrix", "kind", "n", "entries", "(a) µs", "(b) µs", "in a graph",
                      "double µs", "DD µs", "DD / (a)", "DD / the faster", "double / the faster",
                      "double: MB", "DD: MB", "double: share", "DD: share", "iterations a sample",
                      "stored as"), map(row, results.matrices))


def notes(results):
    for r in results.skipped:
        yield f"- {r['name']}: not measured: {r['skipped']}"
    for m in results.matrices:
        if "limited_by" in m.record:
            yield (f"- {m.name}: samples of {m.record['interval']} iterations, for a longer solve "
                   f"ends: {m.record['limited_by']}")
    unknown = [m.name for m in results.matrices if m.record["compared_iterations"] == 0]
    if unknown:
        yield f"- Residuals of rivals not compared, rounding decides them: {', '.join(unknown)}"
    for r in results.failed:
        yield f"- **{r['name']} failed**: {r['failed']}"


def of_set(results):
    yield f"{results.where()}; {results.all['date']}; {len(results.matrices)} matrices."
    yield ""
    yield ("BiCGStab, microseconds an iteration. (a) cuBLAS + cuSPARSE as in a textbook, "
           "(b) the same in a CUDA graph without waits, both in double.")
    yield ""
    if results.matrices:
        yield from targets(results.matrices)
        yield from kinds(results)
        yield from matrices(results)
    yield from notes(results)


def sizes(curve):
    lines = curve.lines()
    rows_of = {k: {r["rows"]: r for r in rs} for k, rs in lines.items()}
    has_rivals = ("(a) µs", "(b) µs", "DD / the faster") if curve.rivals else ()

    def cell(record):
        return f"{record['microseconds']:.1f} ({percent(record['share'])})" if record else "–"

    def rivals(n):
        if not has_rivals:
            return ()
        if n not in curve.rivals:
            return ("–",) * 3
        a, b = (curve.rivals[n][k]["microseconds"] for k in ("textbook", "graph"))
        mine = rows_of.get(("bicgstab", "double-double"), {}).get(n)
        return (f"{a:.1f}", f"{b:.1f}", f"{mine['microseconds'] / min(a, b):.2f}" if mine else "–")

    def row(n, one):
        return (f"{one['edge']}³", n, one["entries"], *(cell(rows_of[k].get(n)) for k in lines),
                *rivals(n))

    all_sizes = {r["rows"]: r for r in sorted(curve.points, key=lambda r: r["rows"])}
    heading = [f"{METHODS[method]}, {precision}" for method, precision in lines]
    yield "Microseconds an iteration (share of the traffic limit)."
    yield ""
    yield from table(("grid", "n", "entries", *heading, *has_rivals),
                     (row(n, one) for n, one in all_sizes.items()))


def steps(curve):
    """Sizes at which an unknown takes longer than at the size before."""
    for (method, precision), records in curve.lines().items():
        for one, next_one in zip(records, records[1:]):
            growth = (next_one["microseconds"] / next_one["rows"]
                      / (one["microseconds"] / one["rows"]))
            if growth > STEP:
                yield (f"- Step: {METHODS[method]}, {precision}, {one['edge']}³ to "
                       f"{next_one['edge']}³: {growth:.2f} times as long for each unknown")
    yield ""


def threads(curve):
    lines = curve.lines_of_threads()
    numbers = sorted({r["threads"] for r in curve.of_threads})

    def row(key, records):
        method, precision, edge = key
        time = {r["threads"]: r["microseconds"] for r in records}
        first = time[min(time)]
        cells = (f"{time[t]:.1f} ({first / time[t]:.1f})" if t in time else "–" for t in numbers)
        return f"{edge}³", METHODS[method], precision, *cells

    yield f"Microseconds an iteration by threads (speed-up over {numbers[0]})."
    yield ""
    yield from table(("grid", "method", "precision", *map(str, numbers)),
                     (row(k, rs) for k, rs in lines.items()))


def of_curve(curve):
    yield f"{curve.where()}; {curve.all['date']}; 7-point grids."
    yield ""
    if curve.points:
        yield from sizes(curve)
        yield from steps(curve)
    if curve.of_threads:
        yield from threads(curve)
    for r in curve.skipped:
        yield (f"- {r['edge']}³, {METHODS[r['method']]}, {r['precision']}: not measured: "
               f"{r['skipped']}")


def page(results, _):
    return of_set(results) if isinstance(results, Set) else of_curve(results)
