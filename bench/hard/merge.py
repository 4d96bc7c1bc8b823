#!/usr/bin/env python3
"""Merge results of bench_hard that shared the matrices.

usage: bench/hard/merge.py PART.json ... > RESULTS.json

Of a system that several parts have, the records of all methods are kept, each once.
"""
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from report import numbers_in


def merged(parts):
    """One object of results; heads as in the last part."""
    systems = {}
    for part in parts:
        for system in part["systems"]:
            one = systems.setdefault((system["matrix"], system["rhs"]), {})
            for key, value in system.items():
                if key not in ("solves", "factorisations"):
                    one[key] = value
                    continue
                there = one.setdefault(key, [])
                names = {r["method"] for r in there}
                there += [r for r in value if r["method"] not in names]
    result = dict(parts[-1])
    result["systems"] = [systems[key] for key in sorted(systems)]
    return result


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    json.dump(merged([numbers_in(name) for name in sys.argv[1:]]), sys.stdout, indent=1)
    print()
