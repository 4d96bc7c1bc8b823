"""BiCGStab's table of bench_device and python_rivals.py."""


def label(record):
    return record["who"] + (f", {record['precision']}" if record["who"] == "ddla" else "")


def times(records):
    """Microseconds an iteration, and how often ddla's double and double-double fit into them."""
    matrices = list(dict.fromkeys(r["matrix"] for r in records))
    solvers = list(dict.fromkeys(label(r) for r in records))
    time = {(label(r), r["matrix"]): r["microseconds"] for r in records}

    def cell(solver, matrix):
        if (solver, matrix) not in time:
            return "–"
        us, text = time[solver, matrix], f"{time[solver, matrix]:.1f}"
        ours = [time.get((f"ddla, {p}", matrix)) for p in ("double", "double-double")]
        if not solver.startswith("ddla") and all(ours):
            text += f" ({us / ours[0]:.1f}, {us / ours[1]:.1f})"
        return text

    yield "| BiCGStab, µs an iteration | " + " | ".join(matrices) + " |"
    yield "|---|" + "---|" * len(matrices)
    for solver in solvers:
        yield f"| {solver} | " + " | ".join(cell(solver, m) for m in matrices) + " |"


def page(results, _):
    if results.iterations:
        yield from times(results.iterations)
        yield ""
        yield ("In parentheses: how many iterations of ddla in double, in double-double, fit into "
               "one.")
