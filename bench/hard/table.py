"""The page of bench_hard."""
from support.report import geometric_mean, median, table

PLOT = "hard.svg"  # of plot.py, beside the page
RIGHT = 1e-12  # a true residual that counts as solved where there is no answer
ENOUGH = 6     # digits of the worst component that count as solved where there is one
CIRCUITS = ("circuit_", "add20", "memplus", "rajat", "adder_dcop", "oscil_dcop", "fpga_dcop")
DOUBLES = ("SuperLU", "UMFPACK", "KLU")
OURS = "ddla auto DD"


def small_residual(r):
    residual = r["true_relative_residual"]
    return residual is not None and residual <= RIGHT


def six_digits(r):
    return r.get("worst_digits", 0) >= ENOUGH


def solved(r):
    """By the answer where there is one: the residual of a right x in double may be large."""
    return six_digits(r) if "worst_digits" in r else small_residual(r)


def scientific(x):
    return "–" if x is None else "inf" if x >= 1e300 else f"{x:.0e}" if x else "0"


def milliseconds(x):
    return "–" if x is None else f"{1e3 * x:.3g}"


def record(system, method, part="solves"):
    return next((r for r in system.get(part, []) if r["method"] == method), None)


def answered(system):
    return system["answered"]


def ones(system):
    return system["rhs"] == "ones"


def count(pairs, condition):
    return sum(1 for _, r in pairs if condition(r))


def least(key, digits):
    return lambda r: r.get(key, 0) >= digits


def false_success(digits, key="worst_digits"):
    return lambda r: r["claims"] and r.get(key, 0) < digits


def megabytes(values):
    values = [v for v in values if v is not None]
    return f"{median(values) / 1e6:.2g}" if values else "–"


def costs(results, pairs, success):
    """Of programs that tell their time."""
    pairs = [(s, r) for s, r in pairs if not success(r) or r["seconds"] is not None]
    times = [r["seconds"] for _, r in pairs if success(r)]
    return [milliseconds(median([results.time(r, success) for _, r in pairs])),
            milliseconds(median(times)) if times else "–",
            megabytes([r["peak_bytes"] for _, r in pairs]),
            megabytes([r["own_bytes"] for _, r in pairs])]


COSTS = ["median ms, failures at the limit", "median ms of the solved", "median MB",
         "median MB, own count"]


def digits_table(results):
    heading = ["method", "systems", "says solved", "residual ≤ 1e-12", "6 digits", "12 digits",
               "6 normwise", "12 normwise", "says solved, < 6 right", "says solved, < 12 right",
               "says solved, < 6 normwise", *COSTS]
    rows = []
    for m in results.methods:
        p = results.of(m, answered)
        rows.append([m, len(p), count(p, lambda r: r["claims"]),
                     count(p, small_residual), count(p, six_digits), count(p, least("worst_digits", 12)),
                     count(p, least("normwise_digits", 6)), count(p, least("normwise_digits", 12)),
                     count(p, false_success(6)), count(p, false_success(12)),
                     count(p, false_success(6, "normwise_digits")),
                     *costs(results, p, six_digits)])
    yield from table(heading, rows)


def ones_table(results):
    heading = ["method", "matrices", "says solved", "residual ≤ 1e-12", "says solved, > 1e-12",
               "says solved, > 1e-6", "time limit", "crash, hang", *COSTS]
    rows = []
    for m in results.methods:
        p = results.of(m, ones)
        p = [(s, r) for s, r in p if not s["generated"]]

        def claims_above(most):
            return lambda r: r["claims"] and not (r["true_relative_residual"] is not None
                                                  and r["true_relative_residual"] <= most)
        rows.append([m, len(p), count(p, lambda r: r["claims"]), count(p, small_residual),
                     count(p, claims_above(RIGHT)), count(p, claims_above(1e-6)),
                     count(p, lambda r: r["end"] == "time limit"),
                     count(p, lambda r: r["end"] not in ("ok", "time limit")),
                     *costs(results, p, small_residual)])
    yield from table(heading, rows)


def false_successes(results):
    """Of ddla: it says 12 digits of every component."""
    for m in results.methods:
        if not m.startswith("ddla auto"):
            continue
        wrong = [f"{s['matrix']} ({s['rhs']}: {r['worst_digits']:.1f} digits)"
                 for s, r in results.of(m, answered) if false_success(12)(r)]
        crashed = [f"{s['matrix']} ({s['rhs']}: {r['end']})" for s, r in results.of(m)
                   if r["end"] not in ("ok", "time limit")]
        yield (f"- **{m}**: {len(wrong)} false successes (says 12 digits of every component, has "
               f"fewer)" + (": " + ", ".join(wrong) if wrong else "") + f"; {len(crashed)} crashes"
               + (": " + ", ".join(crashed) if crashed else "") + ".")
    yield ""


def both_errors(r):
    if r is None or "normwise_error" not in r:
        return "–" if r is None or r["end"] == "ok" else r["end"]
    return f"{scientific(r['normwise_error'])} / {scientific(r['componentwise_error'])}" + \
        ("" if r["claims"] else " (no)")


def wrong_doubles(results):
    """Where a double LU that says solved has fewer than 6 digits, relative to the largest."""
    rows = []
    for s in results.systems:
        if not answered(s):
            continue
        errors = [r["normwise_error"] for m in DOUBLES if (r := record(s, m)) and
                  false_success(6, "normwise_digits")(r) and "normwise_error" in r]
        if errors:
            rows.append([s["matrix"], s["rhs"], s["n"], scientific(s["skeel"]),
                         *(both_errors(record(s, m)) for m in (*DOUBLES, OURS))])
    yield (f"{len(rows)} of the systems with answers, {sum(r[1] == 'ones' for r in rows)} of them "
           "with b = ones:")
    yield ""
    yield from table(["matrix", "b", "n", "cond(A, x)", *DOUBLES, OURS], rows)


def digits_cost(results):
    rows = []
    for mine in ("ddla auto DD", "ddla auto double"):
        for other in ("SuperLU", "UMFPACK", "KLU", "Lis quad ILU(0)"):
            pairs = [(a, b) for s in results.systems
                     if (a := record(s, mine)) and (b := record(s, other))
                     and solved(a) and solved(b) and a["seconds"] and b["seconds"]]
            ratios = [a["seconds"] / b["seconds"] for a, b in pairs]
            more = [1e3 * (a["seconds"] - b["seconds"]) for a, b in pairs]
            if ratios:
                rows.append([mine, other, len(ratios), f"{geometric_mean(ratios):.2f}",
                             f"{median(ratios):.2f}", f"{median(more):.2g}"])
    yield from table(["method", "beside", "systems that both solve", "time, geometric mean of ratios",
                      "median ratio", "median of the difference, ms"], rows)


def factorisation_table(results):
    rows = []
    for other, where in (("KLU", "circuits"), ("UMFPACK", "elsewhere"), ("KLU", "elsewhere"),
                         ("UMFPACK", "circuits")):
        ratios, seconds = [], []
        for s in results.systems:
            a, b = (record(s, m, "factorisations") for m in ("ddla", other))
            is_circuit = s["matrix"].startswith(CIRCUITS)
            if s["generated"] or not a or not b or is_circuit != (where == "circuits"):
                continue
            if a["claims"] and b["claims"] and a["end"] == b["end"] == "ok":
                ratios.append(a["factor_seconds"] / b["factor_seconds"])
                seconds.append((s["matrix"], ratios[-1]))
        if ratios:
            worst = max(seconds, key=lambda x: x[1])
            rows.append([where, other, len(ratios), f"{geometric_mean(ratios):.2f}",
                         f"{median(ratios):.2f}", f"{worst[1]:.1f} ({worst[0]})"])
    if not rows:
        yield "Not measured: no matrix was factored by ddla and by another."
        return
    yield from table(["matrices", "beside", "factored by both", "time of ddla / theirs, geometric mean",
                      "median ratio", "largest"], rows)


def estimates_table(results):
    rows = []
    for m, key, kind in (("ddla auto DD", "componentwise_error", "componentwise"),
                         ("ddla auto double", "componentwise_error", "componentwise"),
                         ("SuperLU", "normwise_error", "normwise (FERR)")):
        p = [(r["own_error"], r[key]) for _, r in results.of(m, answered)
             if r["own_error"] is not None and r.get(key) is not None]
        over = [e / t for e, t in p if 0 < t < 1e300]
        if p:
            rows.append([m, kind, len(p), sum(e < t / 10 for e, t in p), f"{median(over):.2g}",
                         f"{max(over):.1e}"])
    yield from table(["method", "estimate", "systems", "below a tenth of the error",
                      "median of estimate / error", "largest"], rows)


def not_twelve(results):
    rows = [[s["matrix"], s["rhs"], s["n"], scientific(s["skeel"]), r["end"] if r["end"] != "ok"
             else r["status"], scientific(r["true_relative_residual"]),
             f"{r.get('worst_digits', 0):.1f}", f"{r.get('normwise_digits', 0):.1f}"]
            for s, r in results.of(OURS, answered) if r.get("worst_digits", 0) < 12]
    yield from table(["matrix", "b", "n", "cond(A, x)", "ends as", "residual", "digits",
                      "normwise"], rows)


def cell(r):
    if r is None:
        return ""
    if r["end"] != "ok":
        return r["end"]
    text = scientific(r["true_relative_residual"])
    if "worst_digits" in r:
        text += f"; {r['worst_digits']:.0f}, {r['normwise_digits']:.0f}"
    text += f"; {milliseconds(r['seconds'])}"
    return text if r["claims"] else f"({text})"


def all_ones(results):
    rows = [[s["matrix"], s["n"], *(cell(record(s, m)) for m in results.methods)]
            for s in results.systems if ones(s) and not s["generated"]]
    yield from table(["matrix", "n", *results.methods], rows)


def head(results, commit, note):
    a = results.all
    yield "# Hard systems: how many digits are right\n"
    yield "```sh"
    yield "cmake --preset release -DDDLA_BENCH=ON -DDDLA_LIS_ROOT=PREFIX    # Lis: bench/host/README.md"
    yield "cmake --build --preset release --target bench_hard"
    yield "bench/run hard bench/results --matrices FOLDER    # of NAME.mtx and NAME.mtx.gz; hard.{json.gz,md,svg}"
    yield "```\n"
    missing = ", ".join(a["missing"])
    yield (f"Measured {a['date'][:10]}, commit {commit}, ddla {a['ddla']}, {a['processor']}, one "
           f"thread each, gcc's optimised builds; {', '.join(a['others'])}; BLAS: {a['blas']}. "
           f"Limit {results.limit:.0f} s of the processor. "
           + (f"Left out for want of the library: {missing}. " if missing else "") + note + "\n")
    yield ("Seconds are of the processor, from the matrix in memory to x; ddla's have the error "
           "estimates in them. [bench/hard/README.md](../hard/README.md) says what is measured, and "
           "how to add a line for cuDSS.\n")
    yield f"![Systems against right digits and against time]({PLOT})\n"


def page(results, asked):
    return "\n".join(lines_of(results, asked)).rstrip().split("\n")


def lines_of(results, asked):
    yield from head(results, asked.commit, asked.note)
    yield "## In short\n"
    yield from false_successes(results)
    known = [s for s in results.systems if answered(s)]
    yield f"## The {len(known)} systems with reference answers\n"
    yield ("Digits of x against the answers, of the worst component or relative to the largest one "
           "(normwise). \"Says solved\": its own status. Solved, for the medians: 6 digits of the worst "
           "component.\n")
    yield from digits_table(results)
    yield "## Every matrix, b = ones\n"
    yield ("By the true residual of the x that is returned; that of the exact x rounded to double may "
           "be larger than 1e-12. Some matrices are singular.\n")
    yield from ones_table(results)
    yield "## Where LU in double says solved and is wrong\n"
    yield ("Fewer than 6 digits of the largest component right. Errors: normwise / worst component; "
           "\"(no)\": it says itself that it has not solved the system.\n")
    yield from wrong_doubles(results)
    yield "## What the digits cost\n"
    yield from digits_cost(results)
    yield "## Analysis and factorisation alone, in double\n"
    yield from factorisation_table(results)
    yield "## Estimates of the error beside the error\n"
    yield from estimates_table(results)
    yield "## Where ddla auto in double-double has fewer than 12 digits\n"
    yield from not_twelve(results)
    yield "## Matrix by matrix, b = ones\n"
    yield ("True residual; right digits, worst component and normwise, where there is an answer; "
           "milliseconds. In brackets where the method itself does not say solved.\n")
    yield from all_ones(results)
