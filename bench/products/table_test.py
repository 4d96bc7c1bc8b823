#!/usr/bin/env python3
"""The page and the plots of bench_products on made-up results."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(BENCH))
from products import table
from products.results import read
from support.report import KINDS, geometric_mean


def timed(us, rival, limit):
    return {"microseconds": us, "bytes": 4e6 * limit, "limit_microseconds": limit,
            "share": limit / us, "bytes_by_rows": 4e6 * limit, "share_by_rows": 1.2 * limit / us,
            "speed_up": rival / us, "same_bits": True}


def stored(name, stored_as, rival, speed_up, dd_ratio, limit):
    return {"format": name, "stored_as": stored_as, "threads_per_row": 8,
            "reason": "made up", "conversion_seconds": 1e-3, "conversion_in_products": 9.0,
            "padding": 1.25, "extra_bytes": 0, "product_bytes": 1000,
            "double": timed(rival / speed_up, rival, limit),
            "double-double": timed(rival * dd_ratio, rival, limit)}


def matrix(name, kind, speed_up=2.0, dd_ratio=0.75, limit=45.0, formats=("auto",)):
    rival = 100.0
    factors = {"auto": 1.0, "csr": 0.5, "slices": 1.1}
    return {"name": name, "kind": kind, "note": "made up", "rows": 10, "columns": 10,
            "entries": 70, "shortest": 6, "longest": 7, "mean": 7.0, "deviation": 0.1,
            "cusparse": [{"algorithm": "ALG1", "microseconds": rival},
                         {"algorithm": "ALG2", "microseconds": 2 * rival},
                         {"algorithm": "SELL", "skipped": "too much padding"}],
            "cusparse_best": {"algorithm": "ALG1", "microseconds": rival},
            "threads": [{"threads": 2 ** k, "microseconds": 100.0 + 50 * abs(k - 3)}
                        for k in range(6)],
            "formats": [stored(f, "slices" if f == "auto" else f, rival, speed_up * factors[f],
                               dd_ratio / factors[f], limit) for f in formats]}


def results(*matrices):
    return {"date": "2000-01-01", "ddla": "0", "device": {"name": "a device"},
            "cuda": {"runtime": "13.0", "cusparse": 12600}, "quick": True,
            "copy": {"bytes": 1, "microseconds": 1.0, "gigabytes_per_second": 4000.0},
            "matrices": list(matrices)}


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def read(self, *matrices):
        file = pathlib.Path(self.folder.name, "results.json")
        file.write_text(json.dumps(results(*matrices)))
        return read([file])

    def lines(self, *matrices):
        return list(table.summary(self.read(*matrices)))

    def target(self, what, *matrices):
        return next(line for line in self.lines(*matrices) if line.startswith(f"| {what}"))

    def test_targets_met(self):
        lines = self.lines(matrix("7-point 200^3", "stencil", limit=48.0))
        missed = [line for line in lines if "missed" in line]
        self.assertFalse([line for line in missed if "double-double: share" not in line])
        self.assertIn("| double-double: 7-point 200^3 | ≤ 0.78 | 0.75 | met |", lines)

    def test_targets_missed(self):
        slow = matrix("slow", "web", speed_up=0.5, dd_ratio=2.0, limit=10.0)
        fast = matrix("fast", "stencil")
        for what in ("double: matrices won", "double: worst", "double-double: worst",
                     "double: share of the limit, bytes of the format, time / limit"):
            self.assertIn("missed", self.target(what, slow, fast), what)
        self.assertIn("1.00", self.target("double: speed-up, geometric mean", slow, fast))
        self.assertIn("slow", self.target("double: worst", slow, fast))
        self.assertIn("90 %", self.target(
            "double: share of the limit, bytes of the format, stencils", slow, fast))

    def test_winners(self):
        one = matrix("one", "real", formats=("auto", "csr", "slices"))
        one["formats"].append({"format": "tiles", "skipped": "no room"})
        lines = self.lines(one)
        row = next(line for line in lines if line.startswith("| slices |"))
        self.assertTrue(row.startswith("| slices | 1 | 0 | 1 | 1 | 2.20 |"), row)
        self.assertIn("- tiles refuses 1 of 1: one", lines)
        self.assertIn("- SELL of cuSPARSE refuses 1 of 1: one", lines)

    def test_permuted(self):
        one, two = (matrix(n, "real", 1.0, 1.0, formats=("auto", "csr")) for n in ("one", "two"))
        one["formats"].append(stored("evc_hyb", "evc_hyb", 100.0, 1.0, 2.0, 45.0))
        self.assertFalse(any("permuted" in line for line in self.lines(one, two)))
        one["formats"][-1]["permuted"] = {"double": 75.0, "double-double": 100.0}
        line = next(line for line in self.lines(one, two) if "permuted" in line)
        self.assertIn("0.75 in double (least 0.75, most 0.75), 0.50 in double-double", line)

    def test_failures_are_told(self):
        lines = self.lines(matrix("one", "real"), {"name": "two", "kind": "web", "failed": "why"})
        self.assertIn("- **two failed**: why", lines)

    def test_without_auto(self):
        self.assertTrue(self.lines(matrix("one", "real", formats=("csr",))))
        self.assertTrue(self.lines({"name": "two", "kind": "web", "failed": "why"}))

    def test_model_has_a_row_for_each_matrix_and_format(self):
        everything = self.read(matrix("one", "real", formats=("auto", "csr")), matrix("two", "web"))
        self.assertEqual(len(list(table.model(everything))), 2 + 3 + 1)

    def test_geometric_mean(self):
        self.assertAlmostEqual(geometric_mean([1, 4]), 2)

    def test_plots(self):
        file = pathlib.Path(self.folder.name, "results.json")
        file.write_text(json.dumps(results(*(
            matrix(f"{kind} {k}", kind, 0.8 + 0.1 * k, formats=("auto", "csr", "slices"))
            for kind in KINDS for k in range(5)))))
        folder = sys.argv[1] if len(sys.argv) > 1 else self.folder.name
        said = subprocess.run([sys.executable, BENCH / "plot", "products", file, folder], check=True,
                              capture_output=True, text=True)
        self.assertTrue("threads.png" in said.stdout or "no plots" in said.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
