#!/usr/bin/env python3
"""The output of examples/petsc/bratu_speed as the results of the part `bratu`, to standard output.

usage: bench/papers/bratu.py OUTPUT.txt WHERE

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


def part_of(output, where):
    if "WRONG" in output:
        sys.exit("a result is wrong: " + next(line for line in output.splitlines() if "WRONG" in line))
    size = re.search(r"^(\d+)\^3 unknowns", output, re.M)
    part = {"part": "bratu", "n": int(size[1]) if size else 0, "where": where, "records": [],
            "products": [fields(m) for m in PRODUCT.finditer(output)],
            "solves": [fields(m) for m in SOLVE.finditer(output)]}
    if not size or not part["products"] or not part["solves"]:
        sys.exit("this is not the output of bratu_speed")
    return part


if __name__ == "__main__":
    print(json.dumps(part_of(pathlib.Path(sys.argv[1]).read_text(), sys.argv[2]), indent=1))
