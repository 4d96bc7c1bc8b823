#!/usr/bin/env python3
"""The page and the plots of bench_solves on made-up results.

usage: table_test.py [FOLDER]    the plots are left in FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(BENCH))
from solves import table
from solves.results import read
from support.report import KINDS, PRECISIONS


def timed(us, limit=50.0, start=1.0):
    return {"microseconds": us, "with_start_microseconds": us * start, "interval": 32,
            "samples": 4, "bytes": 4e6 * limit, "limit_microseconds": limit, "share": limit / us,
            "peak_bytes": 1000}


def matrix(name, kind, double=55.0, dd=60.0, rows=3_000_000, textbook=200.0, graph=100.0,
           start=1.0, **more):
    return {"name": name, "kind": kind, "note": "made up", "rows": rows, "columns": rows,
            "entries": 7 * rows, "stored_as": "slices", "interval": 32,
            "compared_iterations": 8, "residual": 0.1, "double": timed(double, start=start),
            "double-double": timed(dd, start=start), "textbook": {"microseconds": textbook},
            "graph": {"microseconds": graph, "iterations_per_graph": 8}, **more}


def of_set(*matrices):
    return {"date": "2000-01-01", "ddla": "0", "processor": "one", "device": {"name": "a device"},
            "cuda": {"runtime": "13.0", "cusparse": 12600},
            "copy": {"gigabytes_per_second": 4000.0}, "matrices": list(matrices)}


def point(method, precision, edge, us, threads=0):
    return {"method": method, "precision": precision, "edge": edge, "rows": edge ** 3,
            "entries": 7 * edge ** 3, "stored_as": "csr", "threads": threads, **timed(us, us / 2)}


def of_curve(place, points, threads=(), rivals=()):
    return {"date": "2000-01-01", "ddla": "0", "processor": "one", "place": place,
            "device": {"name": "a device"},
            "copy": [{"threads": t, "gigabytes_per_second": 20.0 * t} for t in (1, 2)],
            "curve": list(points), "threads": list(threads), "rivals": list(rivals)}


def some_points(place="host"):
    points = [point(m, p, edge, edge ** 3 / 100, 2)
              for m in ("bicgstab", "cg") for p in PRECISIONS for edge in (10, 20, 30)]
    threads = [point(m, p, 32, 100 / t, t)
               for m in ("bicgstab", "cg") for p in PRECISIONS for t in (1, 2)]
    return of_curve(place, points, threads if place == "host" else ())


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def read(self, everything):
        file = pathlib.Path(self.folder.name, "results.json")
        file.write_text(json.dumps(everything))
        return read([file])

    def lines(self, everything):
        return list(table.page(self.read(everything), None))

    def row(self, start, everything):
        return next(line for line in self.lines(everything) if line.startswith(start))

    def test_targets_met(self):
        lines = self.lines(of_set(matrix("one", "stencil")))
        self.assertFalse([line for line in lines if "missed" in line])
        self.assertIn("| double-double / (a), geometric mean | ≤ 0.80 | 0.30 | met |", lines)
        self.assertIn("| double / the faster, geometric mean | ≤ 0.60 | 0.55 | met |", lines)

    def test_each_target_can_be_missed(self):
        slow = matrix("slow", "web", double=150.0, dd=400.0)
        fast = matrix("fast", "stencil", double=50.0, dd=100.0)
        lines = self.lines(of_set(slow, fast))
        for what, measured in (("double-double / (a), geometric mean", "1.00"),
                               ("double-double / the faster of (a) and (b), geometric mean",
                                "2.00"),
                               ("double-double / the faster, worst", "4.00 (slow)"),
                               ("double / the faster, geometric mean", "0.87"),
                               ("double: share of the traffic limit, n ≥ 2·10^6", "33 % (slow"),
                               ("double-double: share of the traffic limit, n ≥ 2·10^6",
                                "12 % (slow")):
            row = next(line for line in lines if line.startswith(f"| {what} |"))
            self.assertIn("missed", row)
            self.assertIn(f"| {measured}", row)

    def test_the_faster_rival_counts(self):
        row = self.row("| one |", of_set(matrix("one", "web", dd=60.0, textbook=50.0)))
        self.assertIn("| 1.20 | 1.20 | 1.10 |", row)

    def test_starts_of_solves_count_apart(self):
        lines = self.lines(of_set(matrix("one", "web", dd=90.0, start=1.5)))
        self.assertIn("| double-double / the faster, worst | ≤ 1.15 | 0.90 (one) | met |", lines)
        self.assertIn("| double-double / the faster, worst, counting the start of a solve | ≤ 1.15 "
                      "| 1.35 (one) | **missed** |", lines)

    def test_small_systems_have_no_share_to_reach(self):
        lines = self.lines(of_set(matrix("one", "web", rows=1000)))
        self.assertFalse([line for line in lines if "share of the traffic limit" in line])

    def test_what_was_not_measured_is_told(self):
        lines = self.lines(of_set(
            {"name": "wide", "kind": "long rows", "skipped": "6 x 9, not square"},
            {"name": "broken", "kind": "web", "failed": "why"},
            matrix("short", "random", interval=8, limited_by="double: breakdown at rho"),
            matrix("wild", "random", compared_iterations=0)))
        self.assertIn("- wide: not measured: 6 x 9, not square", lines)
        self.assertIn("- **broken failed**: why", lines)
        self.assertIn("- short: samples of 8 iterations, for a longer solve ends: "
                      "double: breakdown at rho", lines)
        self.assertIn("- Residuals of rivals not compared, rounding decides them: wild", lines)

    def test_nothing_measured(self):
        self.assertTrue(self.lines(of_set({"name": "two", "kind": "web", "failed": "why"})))
        self.assertTrue(self.lines(of_curve("host", ())))

    def test_sizes_and_threads(self):
        lines = self.lines(some_points())
        self.assertIn("| 20³ | 8000 | 56000 |" + " 80.0 (50 %) |" * 4, lines)
        self.assertIn("| 32³ | CG | double-double | 100.0 (1.0) | 50.0 (2.0) |", lines)

    def test_rivals_on_the_curve(self):
        curve = some_points("device")
        curve["rivals"] = [{"edge": 20, "rows": 8000, "textbook": {"microseconds": 320.0},
                            "graph": {"microseconds": 160.0}}]
        self.assertTrue(self.row("| 20³ |", curve).endswith("| 320.0 | 160.0 | 0.50 |"))
        self.assertTrue(self.row("| 10³ |", curve).endswith("| – | – | – |"))

    def test_steps_are_told(self):
        points = [point("cg", "double", edge, us) for edge, us in ((10, 10), (20, 80), (30, 540))]
        lines = self.lines(of_curve("device", points))
        self.assertEqual([line for line in lines if "Step" in line],
                         ["- Step: CG, double, 20³ to 30³: 2.00 times as long for each unknown"])

    def test_sizes_that_were_not_measured(self):
        points = [point("cg", "double", 10, 10),
                  {"method": "cg", "precision": "double", "edge": 20, "rows": 8000,
                   "skipped": "breakdown at rho after 3 iterations"}]
        self.assertIn("- 20³, CG, double: not measured: breakdown at rho after 3 iterations",
                      self.lines(of_curve("device", points)))

    def test_plots(self):
        file = pathlib.Path(self.folder.name, "results.json")
        folder = sys.argv[1] if len(sys.argv) > 1 else self.folder.name
        rivals = [{"edge": e, "rows": e ** 3, "textbook": {"microseconds": 200.0},
                   "graph": {"microseconds": 90.0}} for e in (10, 20)]
        with_rivals = some_points("device")
        with_rivals["rivals"] = rivals
        of_many = of_set(*(matrix(f"{kind} {k}", kind, dd=60.0 + 20 * k) for kind in KINDS
                           for k in range(5)))
        for everything, names in ((of_many, ("set_ratios.png", "set_share.png")),
                                  (some_points(), ("scaling_host.png", "threads.png")),
                                  (with_rivals, ("scaling_device.png",))):
            file.write_text(json.dumps(everything))
            said = subprocess.run([sys.executable, BENCH / "plot", "solves", file, folder],
                                  check=True, capture_output=True, text=True)
            for name in names:
                self.assertTrue(name in said.stdout or "no plots" in said.stderr, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
