"""The page of bench_products: targets, kinds, formats, matrices; with --model bytes, limit and share of
every format.
"""
from support.report import PRECISIONS, geometric_mean, judged, median, percent, table


def targets_of_speed(matrices):
    mean = geometric_mean(m.speed_up for m in matrices)
    won = sum(m.speed_up > 1 for m in matrices) / len(matrices)
    worst = min(matrices, key=lambda m: m.speed_up)
    yield judged("double: speed-up, geometric mean", "≥ 1.25", f"{mean:.2f}", mean >= 1.25)
    yield judged("double: matrices won", "≥ 85 %", percent(won), won >= 0.85)
    yield judged("double: worst speed-up", "≥ 0.9", f"{worst.speed_up:.2f}",
                 worst.speed_up >= 0.9, worst.name)
    ratio = geometric_mean(m.dd_ratio for m in matrices)
    slowest = max(matrices, key=lambda m: m.dd_ratio)
    yield judged("double-double: time to cuSPARSE's double, geometric mean", "≤ 1.0",
                 f"{ratio:.2f}", ratio <= 1)
    for m in matrices:
        if m.name.startswith("7-point 200^3"):
            yield judged(f"double-double: {m.name}", "≤ 0.78", f"{m.dd_ratio:.2f}",
                         m.dd_ratio <= 0.78)
    yield judged("double-double: worst", "≤ 1.6", f"{slowest.dd_ratio:.2f}",
                 slowest.dd_ratio <= 1.6, slowest.name)


def targets_of_share(matrices, precision, by_rows):
    share = {m: m.share(precision, by_rows) for m in matrices}
    bytes_of = "plain rows" if by_rows else "the format"
    what = f"{precision}: share of the limit, bytes of {bytes_of}"
    regular = [m for m in matrices if m.kind in ("stencil", "FEM blocks")]
    if regular:
        lowest = min(regular, key=share.get)
        yield judged(f"{what}, stencils and FEM blocks", "≥ 85 %", percent(share[lowest]),
                     share[lowest] >= 0.85,
                     f"{lowest.name}; mean {percent(geometric_mean(share[m] for m in regular))}")
    mean = geometric_mean(share.values())
    lowest = min(matrices, key=share.get)
    yield judged(f"{what}, geometric mean", "≥ 60 %", percent(mean), mean >= 0.6)
    yield judged(f"{what}, time / limit at most", "≤ 3", f"{1 / share[lowest]:.2f}",
                 share[lowest] >= 1 / 3, lowest.name)


def targets(matrices):
    rows = list(targets_of_speed(matrices))
    for precision in PRECISIONS:
        for by_rows in (False, True):
            rows += targets_of_share(matrices, precision, by_rows)
    yield from table(("target", "asked", "measured", ""), rows)


def kinds(results):
    def row(name, mine):
        worst = min(mine, key=lambda m: m.speed_up)
        return (name, len(mine), f"{geometric_mean(m.speed_up for m in mine):.2f}",
                f"{worst.speed_up:.2f} ({worst.name})",
                percent(sum(m.speed_up > 1 for m in mine) / len(mine)),
                f"{geometric_mean(m.dd_ratio for m in mine):.2f}",
                f"{max(m.dd_ratio for m in mine):.2f}",
                *(percent(geometric_mean(m.share(p, r) for m in mine))
                  for p in PRECISIONS for r in (False, True)))

    rows = [row(kind, mine) for kind, mine in results.kinds()]
    yield from table(("auto against the best of cuSPARSE", "matrices", "double: speed-up", "worst",
                      "won", "DD: time / cuSPARSE's double", "worst",
                      "double: share of the limit", "by plain rows", "DD: share", "by plain rows"),
                     rows + [row("**all**", results.auto)])


def formats(results):
    rows = []
    for name in results.format_names():
        mine = [m for m in results.matrices if name in m.formats]
        records = [m.formats[name] for m in mine]
        refused = sum(name in m.refused for m in results.matrices)
        winner = [sum(m.fastest(p) == name for m in mine) for p in PRECISIONS]
        behind = [m.time(name) / m.time(m.fastest("double")) for m in mine if m.fastest("double")]
        rows.append((
            name, len(mine), refused, *(winner if name != "auto" else ("–", "–")),
            f"{geometric_mean(r['double']['speed_up'] for r in records):.2f}",
            f"{geometric_mean(behind):.2f}, {max(behind):.2f}" if behind else "–",
            f"{median(r['conversion_in_products'] for r in records):.1f}, "
            f"{max(r['conversion_in_products'] for r in records):.0f}",
            f"{geometric_mean(r['padding'] for r in records):.2f}, "
            f"{max(r['padding'] for r in records):.2f}"))
    yield from table(("format", "matrices", "refused", "fastest in double", "fastest in DD",
                      "double: speed-up over cuSPARSE", "time / that of the fastest: mean, worst",
                      "conversion, in products: median, most", "padding: mean, most"), rows)


def permuted(results):
    """EVC-HYB without undoing its permutation, where it was measured."""
    records = [m.formats["evc_hyb"] for m in results.matrices
               if "permuted" in m.formats.get("evc_hyb", {})]
    if not records:
        return
    parts = []
    for p in PRECISIONS:
        ratios = [r["permuted"][p] / r[p]["microseconds"] for r in records]
        parts.append(f"{geometric_mean(ratios):.2f} in {p} (least {min(ratios):.2f}, "
                     f"most {max(ratios):.2f})")
    yield ("evc_hyb with the result in permuted order takes, of the time in original order, " +
           ", ".join(parts) + ".")
    yield ""


def stored_as(record):
    """In double, and in double-double."""
    both = (record["stored_as"], record["double-double"].get("stored_as", record["stored_as"]))
    return both[0] if both[0] == both[1] else ", ".join(both)


def choices(results):
    chosen = [stored_as(m.auto) for m in results.auto]
    counts = sorted({c: chosen.count(c) for c in chosen}.items(), key=lambda kv: -kv[1])
    yield ("auto chose (in double, and in double-double where that differs): " +
           "; ".join(f"{name}: {count}" for name, count in counts) + ".")
    yield ""


def matrices(results):
    def times_of_rivals(m):
        times = {c["algorithm"]: c.get("microseconds") for c in m.record["cusparse"]}
        return [f"{times[a]:.1f}" if times.get(a) else "–" for a in ("ALG1", "ALG2", "SELL")]

    def row(m):
        r = m.record
        return (m.name, m.kind, r["rows"], r["entries"], f"{r['mean']:.1f}, {r['longest']}",
                *times_of_rivals(m), stored_as(m.auto), f"{m.time('auto'):.1f}",
                f"{m.speed_up:.2f}", f"{m.time('auto', 'double-double'):.1f}",
                f"{m.dd_ratio:.2f}", m.fastest("double") or "–",
                m.fastest("double-double") or "–", r["note"])

    yield from table(("matrix", "kind", "rows", "entries", "a row: mean, most", "ALG1 µs", "ALG2",
                      "SELL", "auto is", "double µs", "speed-up", "DD µs", "DD / cuSPARSE",
                      "fastest in double", "in DD", "made of"), map(row, results.auto))


def model(results):
    """Bytes that must move, the time of a copy for them, the time measured, their ratio."""
    def row(m, name):
        r = m.formats[name]
        cells = [m.name, name if name == stored_as(r) else f"{name} ({stored_as(r)})"]
        for p in PRECISIONS:
            cells += [f"{r[p]['bytes'] / 1e6:.1f}", f"{r[p]['limit_microseconds']:.1f}",
                      f"{r[p]['microseconds']:.1f}", percent(r[p]["share"]),
                      percent(r[p]["share_by_rows"])]
        return cells

    heading = ["MB", "limit µs", "measured µs", "share", "by plain rows"]
    yield from table(["matrix", "format", "double: " + heading[0], *heading[1:],
                      "DD: " + heading[0], *heading[1:]],
                     (row(m, name) for m in results.matrices for name in m.formats))


def refusals(results):
    """Which matrices a format or an algorithm refused; the JSON has the reason of each."""
    names = {}
    for m in results.matrices:
        for r in (c for c in m.record["cusparse"] if "skipped" in c):
            names.setdefault(f"{r['algorithm']} of cuSPARSE", []).append(m.name)
        for name in m.refused:
            names.setdefault(name, []).append(m.name)
    for what, refused in names.items():
        yield f"- {what} refuses {len(refused)} of {len(results.matrices)}: {'; '.join(refused)}"


def summary(results):
    real = sum(m.kind == "real" for m in results.matrices)
    yield (f"{results.where()}; {results.all['date']}; {len(results.matrices)} matrices, "
           f"{real} of them real.")
    yield ""
    if results.auto:
        yield from targets(results.auto)
        yield from kinds(results)
        yield from choices(results)
    yield from formats(results)
    yield from permuted(results)
    if results.auto:
        yield from matrices(results)
    yield from refusals(results)
    for r in results.failed:
        yield f"- **{r['name']} failed**: {r['failed']}"


def page(results, asked):
    return model(results) if asked.model else summary(results)
