#!/usr/bin/env python3
"""Counts the disagreements of a file of the part cg anew, from the residuals in it.

usage: bench/papers/judge.py CG.json[.gz]

Times do not depend on the criterion, so a run need not be repeated when the criterion changes. The
file is written if the count does: `disagreements_when_run` keeps the first one. Exit status: 0
without disagreements, 1 with some.
"""
import gzip
import json
import pathlib
import sys

# As in residuals.hpp; table_test.py and papers_test.cpp test the same numbers.
ROUNDING_LEVEL = 512 * sys.float_info.epsilon
TENTH = 1.1


def residuals_agree(one, other):
    """Within a tenth of each other, or both rounding errors of a solved system; NaN never does."""
    if one is None or other is None:  # what JSON makes of NaN
        return False
    if one <= ROUNDING_LEVEL and other <= ROUNDING_LEVEL:
        return True
    return one <= TENTH * other and other <= TENTH * one


def disagreements(part):
    """Records that failed, and residuals that do not agree with the first of their record."""
    count = 0
    for record in part["records"]:
        count += "failed" in record
        solvers = record.get("solvers", [])
        count += sum(not residuals_agree(s["residual"], solvers[0]["residual"]) for s in solvers)
    return count


def main(name):
    file = pathlib.Path(name)
    data = file.read_bytes()
    is_compressed = file.suffix == ".gz"
    part = json.loads(gzip.decompress(data) if is_compressed else data)
    if part.get("part") != "cg":
        sys.exit(f"{file} does not hold results of the part cg")
    count, before = disagreements(part), part["disagreements"]
    if count != before:
        print(f"{file}: {count} disagreements, {before} before")
        part.setdefault("disagreements_when_run", before)
        part["disagreements"] = count
        text = (json.dumps(part, indent=1) + "\n").encode()
        file.write_bytes(gzip.compress(text, mtime=0) if is_compressed else text)
    return 1 if count else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
