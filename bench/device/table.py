#!/usr/bin/env python3
"""Merge the results of bench_device and python_rivals.py, and print BiCGStab's table as Markdown.

usage: bench/device/table.py MERGED.json RESULTS.json [MORE.json ...]
"""
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from report import numbers_in


def merged(files):
    """The first file, with the others' lists appended to its own."""
    everything = {}
    for name in files:
        for key, value in numbers_in(name).items():
            if isinstance(value, list) and key in everything:
                everything[key] += value
            else:
                everything.setdefault(key, value)
    return everything


def label(record):
    return record["who"] + (f", {record['precision']}" if record["who"] == "ddla" else "")


def table(records):
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


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    everything = merged(sys.argv[2:])
    with open(sys.argv[1], "w") as file:
        json.dump(everything, file, indent=1)
    if not everything.get("bicgstab"):
        return
    for line in table(everything["bicgstab"]):
        print(line)
    print("\nIn parentheses: how many iterations of ddla in double, in double-double, fit into one.")


if __name__ == "__main__":
    main()
