#!/usr/bin/env python3
"""Puts what ncu counted into the records of the part `counted`, in the order of launches.

usage: bench/papers/counted.py COUNTED.json COUNTED.csv

Each record has two launches of the paper's kernel: with all loads, and without x and its columns.
"""
import csv
import json
import pathlib
import sys

LAUNCHES = ("all", "no_x")


def launches_in(text):
    """Metrics of each launch, of ncu's CSV with a line a metric; lines before its head are its log."""
    lines = text.splitlines()
    begin = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    launches = {}
    for row in csv.DictReader(lines[begin:]):
        if row.get("Metric Name"):
            value = float(row["Metric Value"].replace(",", ""))
            launches.setdefault(int(row["ID"]), {})[row["Metric Name"]] = value
    return [launches[k] for k in sorted(launches)]


def joined(part, launches):
    records = [r for r in part["records"] if "failed" not in r]
    if len(launches) != len(LAUNCHES) * len(records):
        sys.exit(f"{len(records)} matrices have {len(LAUNCHES) * len(records)} launches, "
                 f"but ncu counted {len(launches)}: run the part anew")
    for k, record in enumerate(records):
        record["counted"] = dict(zip(LAUNCHES, launches[2 * k:]))
    return part


def main(file, counts):
    part = json.loads(pathlib.Path(file).read_text())
    text = json.dumps(joined(part, launches_in(pathlib.Path(counts).read_text())), indent=1)
    pathlib.Path(file).write_text(text + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
