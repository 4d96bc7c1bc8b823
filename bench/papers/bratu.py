#!/usr/bin/env python3
"""The outputs of examples/petsc/bratu_speed as the results of the part `bratu`, to standard output.

usage: bench/papers/bratu.py OUTPUT.txt... WHERE

OUTPUT.txt: of one size each; one that was cut short has the solves that ended.
WHERE: one line that names the machine.
"""
import json
import pathlib
import re
import sys

PRODUCT = re.compile(r"product  (?P<who>.{26}) +(?P<microseconds>\S+) us, in place (?P<in_place>\S+) us, "
                     r"differs by (?P<difference>[^\s,]+)")
SOLVE = re.compile(r"solve    (?P<who>.{26}) +(?P<seconds>\S+) s, linear (?P<linear>[^,]+), of it copies "
                   r"(?P<copies>[^,]+), steps (?P<steps>\d+), iterations (?P<iterations>\d+), "
                   r"\|\|F\|\| (?P<residual>[^,]+), again (?P<again>[^,]+), u in the middle (?P<middle>[^\s,]+)")


def fields(match):
    return {name: text.strip() if name == "who" else int(text) if text.isdigit() else float(text)
            for name, text in match.groupdict().items()}


def size_of(output):
    if "WRONG" in output:
        sys.exit("a result is wrong: " + next(line for line in output.splitlines() if "WRONG" in line))
    n = re.search(r"^(\d+)\^3 unknowns", output, re.M)
    size = {"n": int(n[1]) if n else 0, "products": [fields(m) for m in PRODUCT.finditer(output)],
            "solves": [fields(m) for m in SOLVE.finditer(output)]}
    if not n or not size["products"] or not size["solves"]:
        sys.exit("this is not the output of bratu_speed")
    return size


def part_of(outputs, where):
    return {"part": "bratu", "where": where, "records": [], "sizes": [size_of(text) for text in outputs]}


def main(*arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    *files, where = arguments
    print(json.dumps(part_of([pathlib.Path(f).read_text() for f in files], where), indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
