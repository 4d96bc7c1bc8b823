"""The tables of EVC-HYB by counters: figures 6 to 14, table 4."""
from papers.results import mean_and_range
from papers.tables.common import heading, of, share_of
from support.report import table


def by_mean(matrices):
    return sorted(matrices, key=lambda m: m.mean)


def throughput(matrices):
    yield "### Figures 6, 7 and 10: throughput and hit rates by counters"
    yield ""
    yield from table(
        ("matrix", "entries", "a row", "GB/s from memory", "L2", "L2 for x", "L1", "hits in L1, x", "in L2, x",
         "in L2, A and y", "alpha", "with y written once", "bytes a flop"),
        ((m.name, m.entries, f"{m.mean:.1f}", of(m.gigabytes("memory_read"), ".0f"),
          of(m.gigabytes("l2_read"), ".0f"), of(sectors_of_x(m), ".0f"), of(m.gigabytes("l1_load"), ".0f"),
          share_of(m.hits_of_x("l1_load")), share_of(m.hits_of_x("l2_read")),
          share_of(m.hits_of_rest("l2_read")), of(m.alpha), of(m.alpha_with_y_once), of(m.balance))
         for m in by_mean(matrices)))


def sectors_of_x(m, launch="all"):
    """GB/s."""
    sectors, time = m.of_x("l2_read", launch), m.count("nanoseconds", launch)
    return None if sectors is None or not time else 32 * sectors / time


def rest_of_x(m, launch):
    """GB/s of the L2 that are not for x."""
    all_reads, x = m.gigabytes("l2_read", launch), sectors_of_x(m, launch)
    return None if None in (all_reads, x) else all_reads - x


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
    yield f"Measured / predicted: geometric mean {mean_and_range(ratios)}."
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
                both([sectors_of_x(m, k) for k in launches], ".0f"),
                both([rest_of_x(m, k) for k in launches], ".0f"),
                both([100 * (m.hits_of_x("l1_load", k) or 0) for k in launches], ".0f"),
                both([100 * (m.hits_of_x("l2_read", k) or 0) for k in launches], ".0f"))

    yield "### Table 4: with and without the read-only path"
    yield ""
    yield from table(("matrix", "GFLOPS", "GB/s from memory", "L2", "of it for x", "for A and y",
                      "% hits in L1, x", "in L2, x"),
                     map(row, by_mean(matrices)))


def counted(results):
    part, matrices = results.parts["counted"], results.counted()
    yield from heading("EVC-HYB by counters", results.where("counted") + ".")
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
