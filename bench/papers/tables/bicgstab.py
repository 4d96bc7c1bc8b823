"""The tables of quadruple-precision BiCGStab (2012): iterations, figures 3 to 6, vectors."""
from papers.results import OPERATIONS, SIZES1, TABLE1, TABLE2, mean_and_range, ran, ratios
from papers.tables.common import heading, text
from support.report import PRECISIONS, geometric_mean, percent, table


def claimed(solve):
    """Iterations, if its own residual reached the tolerance: what the papers counted."""
    reported = solve["relative_residual"]
    met = reported is not None and reported <= solve.get("tolerance", 1e-12)
    return solve["iterations"] if met else None


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
    rows = ((*row, f"{int(row[-1]) / int(row[-2]):.2f}", *map(text, TABLE2[row[0]][:2]))
            for row in of_table(reports, TABLE1, 2))
    yield from table(("matrix", "double", "DD", "ratio", "paper: double", "quad", "ratio", "its Lis: double", "quad"),
                     rows)
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
    yield from table(("operation", "figure 3: NVIDIA's time / ours, double: geometric mean (least to most)",
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
    yield from table(("figure 5: share of an iteration, geometric mean", *OPERATIONS, "waits and others"), rows)
    products = {p: percent(geometric_mean(2 * r[p]["operations"]["spmv"] / iteration(r, p)
                                          for r in records if ran(r))) for p in PRECISIONS}
    yield (f"Of ddla's own iteration two products take {products['double']} in double and "
           f"{products['double-double']} in DD.")
    yield ""


def figure_5_of_the_paper(records):
    """Of its matrices that are at hand."""
    for r in records:
        for precision in PRECISIONS if r["name"] in TABLE1 else ():
            shares = [share(r, precision, what) for what in OPERATIONS]
            yield (r["name"], precision, *map(percent, shares), percent(max(0, 1 - sum(shares))))


def iteration(record, precision):
    return record[precision]["iteration"]["microseconds"]


def both_claim(record):
    return all("solve" in record[p] and claimed(record[p]["solve"]) for p in PRECISIONS)


def figure_4(records):
    solved = [r for r in records if both_claim(r)]
    yield from table(
        ("figure 4: DD / double", "matrices", "geometric mean (least to most)"),
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


def faster_solves(records):
    """Whether double-double wins by its fewer iterations."""
    solved = [r for r in records if both_claim(r)]
    if not solved:
        return
    ratios_of = {r["name"]: r["double-double"]["solve"]["seconds"] / r["double"]["solve"]["seconds"] for r in solved}
    least = min(ratios_of, key=ratios_of.get)
    alone = [r["name"] for r in records if "solve" in r["double"] and claimed(r["double"]["solve"]) is None
             and claimed(r["double-double"]["solve"]) is not None]
    yield (f"Of {len(solved)} matrices that both solve, DD is faster on {sum(x < 1 for x in ratios_of.values())}; the "
           f"least DD / double is {ratios_of[least]:.2f} ({least}). DD alone solves {len(alone)}: "
           f"{', '.join(alone) or '–'}.")
    for name in ("textbook", "graph"):
        faster = sum(r["double-double"]["solve"]["seconds"]
                     < 1e-6 * claimed(r["double"]["solve"]) * r["nvidia"][name] for r in solved)
        yield f"ddla's DD solve is faster than double's iterations by NVIDIA's {name} on {faster} of {len(solved)}."
    yield ""


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


def balance(rows, entries, words):
    """Byte/Flop of an iteration: A in double, each element of x once, a multiply-add as two operations."""
    word = 8 * words
    product = 12 * entries + (4 + 2 * word) * rows
    vectors = word * rows * (2 * OPERATIONS["dot"] + OPERATIONS["nrm2"]
                             + 3 * sum(OPERATIONS[w] for w in ("axpy", "axpyz", "xpay")))
    others = sum(count for what, count in OPERATIONS.items() if what != "spmv")
    return (2 * product + vectors) / (2 * (2 * entries + others * rows))


def balances():
    """Section 4.1.1; for all 16, by the sizes that the paper gives."""
    both = {name: [balance(*size, words) for words in (1, 2)] for name, size in SIZES1.items()}
    yield "### Section 4.1.1: Byte/Flop of an iteration of BiCGStab, counted"
    yield ""
    rows = [(name, *SIZES1[name], *(f"{b:.1f}" for b in both[name])) for name in SIZES1]
    rows.append(("mean (arithmetic)", "", "", *(f"{sum(b[k] for b in both.values()) / len(both):.1f}" for k in (0, 1))))
    rows.append(("the paper's mean", "", "", "4.0", "8.1"))
    yield from table(("matrix", "n", "entries", "Byte/Flop in double", "Byte/DDFlop"), rows)


def bicgstab(results):
    yield from heading("BiCGStab: figures 3 to 6", results.where("bicgstab") + ".")
    records = results.records("bicgstab")
    for kind in dict.fromkeys(r["kind"] for r in records):
        mine = [r for r in records if r["kind"] == kind]
        yield f"### {kind}: {len(mine)} matrices"
        yield ""
        yield from answer(mine)
        yield from figures_3_and_6(results, mine)
        yield from figure_4(mine)
        yield from faster_solves(mine)
        yield from figure_5(mine)
        yield from table(("figure 5, matrix of the paper", "precision", *OPERATIONS, "waits and others"),
                         figure_5_of_the_paper(mine))
        yield from table(("matrix of the paper", "entries", "figure 3: spmv", "dot", "axpy",
                          "figure 4: iteration", "whole", "figure 6: spmv", "dot", "axpy"),
                         of_the_paper(mine))
    yield from balances()


def vectors(results):
    records = results.records("vectors")
    yield from heading("Section 2.3 and 4.1.3: layouts, and ratios over n",
                       results.where("vectors") + ". Microseconds.")

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
