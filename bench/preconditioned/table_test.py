#!/usr/bin/env python3
"""The page of bench_preconditioned on made-up results."""
import json
import pathlib
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from preconditioned import table
from preconditioned.results import read


def factors(kind="ILU(0)", seconds=0.5, apply=1e-3, **more):
    return {"kind": kind, "seconds": seconds, "fill": 1.0, "shifts": 0, "apply_seconds": apply,
            **more}


def solve(seconds, tolerance=1e-12, method="bicgstab", reached=True, claims=True, **more):
    return {"method": method, "factors": "ILU(0)", "tolerance": tolerance, "status": "converged",
            "claims": claims, "iterations": 40, "seconds": seconds,
            "true_relative_residual": tolerance / 2 if reached else 3e-11, "reached": reached,
            **more}


def contender(who, place, precision, of_factors, solves, threads=None, **more):
    record = {"who": who, "place": place, "precision": precision, "factors": list(of_factors),
              "solves": list(solves), **more}
    return record | ({"threads": threads} if threads else {})


def rival(apply=1e-3, seconds=2.0, **more):
    return contender("cuSPARSE + cuBLAS", "device", "double", [factors(apply=apply)],
                     [solve(seconds, **more)])


def mine(apply=1.2e-3, seconds=1.0, **more):
    return contender("ddla", "device", "double-double", [factors(apply=apply)],
                     [solve(seconds, **more), solve(1.5, 1e-20)])


def lis(seconds, threads=1, **more):
    return contender("Lis", "host", "quad", [factors(apply=None, seconds=0.0)],
                     [solve(seconds, **more)], threads)


def at_host(seconds, threads=1):
    return contender("ddla", "host", "double-double", [factors(seconds=0.0)], [solve(seconds)],
                     threads)


def system(name, *contenders):
    return {"name": name, "kind": "7-point", "rows": 10, "entries": 70, "symmetric": True,
            "contenders": list(contenders)}


def results(*systems, device=True, **more):
    head = {"date": "2000-01-01T00:00:00Z", "ddla": "0", "processor": "one", "processors": 2,
            "quick": False, "limit_seconds": 60.0, "max_iterations": 10000, "missing": [],
            "systems": list(systems), **more}
    if device:
        head["device"] = {"name": "a device"}
        head["cuda"] = {"runtime": "13.0", "cusparse": 12600, "cublas": 130000}
    return head


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def lines(self, *everything):
        files = []
        for k, one in enumerate(everything):
            files.append(pathlib.Path(self.folder.name, f"{k}.json"))
            files[-1].write_text(json.dumps(one))
        return list(table.page(read(files), types.SimpleNamespace(commit="abcdef1")))

    def row(self, start, *everything):
        return next(line for line in self.lines(*everything) if line.startswith(start))

    def test_targets_met(self):
        lines = self.lines(results(system(table.MARK, rival(), mine(), lis(4.0), at_host(1.0))))
        self.assertFalse([line for line in lines if "missed" in line])
        self.assertEqual(len([line for line in lines if line.endswith("| met |")]), 5)

    def test_the_marked_solve_has_a_limit_of_its_own(self):
        slow = results(system(table.MARK, rival(), mine(apply=2e-3)))
        self.assertIn("| 2.00 | **missed** |", self.row(f"| triangular solve, {table.MARK}", slow))
        self.assertIn("met", self.row("| triangular solve, ILU(0), worst", slow))
        slower = results(system("another", rival(), mine(apply=2.6e-3)))
        self.assertIn("2.60 (another; geometric mean 2.60) | **missed** |",
                      self.row("| triangular solve, ILU(0), worst", slower))

    def test_factors_count_where_the_row_says_so(self):
        late = mine(seconds=1.0)
        late["factors"][0]["seconds"] = 9.0
        everything = results(system("one", rival(seconds=2.0), late))
        self.assertIn("| 0.50 (one; geometric mean 0.50) | met |",
                      self.row("| solve, BiCGStab", everything))
        self.assertIn("| 4.00 (one; geometric mean 4.00) | **missed** |",
                      self.row("| factors and solve, BiCGStab, to a true", everything))

    def test_systems_that_the_rival_misses_do_not_count(self):
        everything = results(system("one", rival(reached=False), mine(seconds=50.0)))
        self.assertFalse([line for line in self.lines(everything) if line.startswith("| solve")])
        self.assertIn("claimed, 3e-11; 2 (40)", self.row("| one | claimed", everything))

    def test_refining_is_judged_beside_dd_and_the_rivals(self):
        refining = at_host(0.25) | {"who": "ddla refining"}
        here = system("one", lis(2.0), at_host(1.0), refining)
        there = mine(seconds=0.5) | {"who": "ddla refining"}
        lines = "\n".join(self.lines(results(here)))
        self.assertIn("| solve, BiCGStab, to a true 1e-12, 1 thread, worst: DD refining / DD | < "
                      "1.00 | 0.25 (one", lines)
        self.assertIn("1 thread, least: Lis quad with ILU(0) / DD refining | ≥ 3.00 | 8.00", lines)
        self.assertIn("1 thread, least: Lis quad with ILU(0) / DD | ≥ 3.00 | 2.00", lines)
        self.assertIn("ddla refining DD, 1 thread", lines)
        lines = "\n".join(self.lines(results(system("one", rival(seconds=0.4), mine(), there))))
        self.assertIn("worst: DD refining / cuSPARSE + cuBLAS in double | < 1.00 | 1.25", lines)
        self.assertIn("to a true 1e-12, device, worst: DD refining / DD | < 1.00 | 0.50", lines)
        self.assertIn("to a true 1e-20, device, worst: DD refining / DD | < 1.00 | 1.00", lines)

    def test_lis_counts_what_it_claims_by_threads(self):
        everything = results(system("one", lis(2.0, reached=False), at_host(1.0), lis(7.0, 8),
                                    at_host(1.0, 8)), device=False)
        self.assertIn("| 2.00 (one", self.row(
            "| factors and solve, BiCGStab, 1e-12, 1 thread", everything))
        self.assertIn("**missed**", self.row(
            "| factors and solve, BiCGStab, 1e-12, 1 thread", everything))
        self.assertIn("| 7.00 (one", self.row(
            "| factors and solve, BiCGStab, 1e-12, 8 threads", everything))

    def test_failures_are_listed(self):
        bad = rival()
        bad["factors"] = [{"kind": "ILU(0)", "failed": "zero pivot in row 3"}]
        bad["solves"] = []
        lost = contender("ddla", "device", "double", [], [], failed="no memory")
        lines = self.lines(results(system("one", bad, mine(), lost)))
        self.assertIn("- one, cuSPARSE + cuBLAS double, device, ILU(0): zero pivot in row 3", lines)
        self.assertIn("- one, ddla double, device, all: no memory", lines)
        self.assertTrue([line for line in lines if line.startswith("| one") and "failed" in line])

    def test_ends_of_solves(self):
        slow = mine(reached=False, claims=False, status="time limit")
        text = self.row("| one | time limit", results(system("one", slow)))
        self.assertIn("time limit, 3e-11; 1 (40)", text)
        slow["solves"][0]["true_relative_residual"] = None
        self.assertTrue(self.row("| one | time limit, not finite", results(system("one", slow))))

    def test_runs_are_put_together(self):
        there = results(system("one", rival(), mine()))
        here = results(system("one", lis(4.0), at_host(1.0)), system("two", lis(4.0)),
                       device=False)
        lines = self.lines(there, here)
        self.assertIn("Lis quad, 1 thread", "\n".join(lines))
        rows = [line for line in lines if line.startswith("| one | 10 |")]
        self.assertEqual(len(rows), 1)
        self.assertIn("a device, one, 2 processors", lines[0])

    def test_what_is_left_out_is_said(self):
        lines = self.lines(results(device=False, missing=["Lis"], quick=True))
        self.assertIn("Left out in this build: Lis.", lines)
        self.assertIn("Small grids, to try the program: no times to report.", lines)

    def test_processor_time_is_said(self):
        said = "Seconds are those of the processor; ddla's solves include the recomputed residual."
        self.assertIn(said, self.lines(results(device=False, processor_time=True)))
        self.assertNotIn(said, self.lines(results(device=False)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
