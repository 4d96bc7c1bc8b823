#!/usr/bin/env python3
"""The page and the figures of the papers' parts on made-up results."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(BENCH))
from papers.judge import residuals_agree
from papers.results import CrsMatrix, rank_correlation, read, rule_found
from support import svg

ENVIRONMENT = {"date": "2000-01-01T00:00:00Z", "ddla": "0", "device": {"name": "a device"},
               "cuda": {"runtime": "13.0", "cusparse": 12600}}


def part(name, *records):
    return {"part": name, "complete": True, "environment": ENVIRONMENT,
            "copy": {"gigabytes_per_second": 4000.0}, "records": list(records)}


def crs_matrix(name, entries, paper=20.0, ours=10.0):
    threads = [2 ** k for k in range(6)]

    def times(t):
        return {"double": paper * (1 + abs(t - 8) / 8), "double-double": 2 * paper}

    papers = [{"version": v, "threads": t, **times(t)} for v in ("crs_t", "ver4") for t in threads]
    papers += [{"version": f"ver{k}", "threads": 8, "double": 2 * paper, "double-double": 3 * paper}
               for k in range(4)]
    ddla = [{"format": f, "threads": 8, "double": ours, "double-double": 2 * ours}
            for f in ("auto", "crs_t")]
    ddla += [{"format": "crs_vector", "threads": t, "double": ours * (1 + (t == 8)),
              "double-double": 2 * ours} for t in threads]
    return {"name": name, "kind": "own size", "note": "", "rows": entries // 7, "columns": entries // 7,
            "entries": entries, "mean": 7.0, "longest": 9, "rule": 8, "bytes": {"double": 12.0 * entries,
                                                            "double-double": 20.0 * entries},
            "cusparse": [{"algorithm": "ALG1", "microseconds": 40.0},
                         {"algorithm": "SELL", "microseconds": 30.0}],
            "papers": papers, "ddla": ddla}


def operations(factor):
    return {w: factor for w in ("spmv", "dot", "axpy", "axpyz", "xpay", "nrm2")}


def solved(factor):
    return {"operations": operations(factor), "separate": 20 * factor,
            "iteration": {"microseconds": 10 * factor, "iterations": 128},
            "solve": {"iterations": 100, "seconds": factor, "relative_residual": 1e-13}}


def bicgstab_matrix(name):
    return {"name": name, "kind": "own size", "entries": 1000, "iterations": 128,
            "nvidia": {"operations": operations(2.0), "textbook": 40.0, "graph": 20.0},
            "double": solved(1.0), "double-double": solved(1.5), "spmv_with_dd_values": 1.7}


def vectors_of(n):
    layouts = [{"layout": name, "dot": 3.0, "axpy": 4.0 + k}
               for k, name in enumerate(("SoA", "AoS, 16-byte pairs", "AoS, words"))]
    return {"name": str(n), "kind": "vectors", "n": n, "cublas": operations(2.0),
            "double": operations(1.0), "double-double": operations(1.25), "layouts": layouts}


def evc_matrix(name, mean):
    times = {"in_order": 12.5, "permuted": 10.0, "no_x": 7.0, "no_a": 6.0, "neither": 2.0,
             "x_without_read_only_path": 11.0, "auto": 8.0}
    both = {"double": times, "double-double": times}
    return {"name": name, "kind": "own size", "rows": 100, "entries": 100 * mean, "mean": mean,
            "layout": {"split": 96, "entries_of_ell": 75 * mean, "entries_of_csr": 25 * mean,
                       "slots": 101 * mean},
            "hyb": {"width": 3, "list_entries": 7, "microseconds": 15.0},
            "paper": both, "ddla": {**both, "conversion_seconds": 1.25e-4},
            "cusparse": [{"algorithm": "ALG1", "microseconds": 20.0},
                         {"algorithm": "SELL", "skipped": "padding"}]}


MEMORY = ({"name": "STREAM", "kind": "memory", "copy": 4000.4, "scale": 3999.0, "add": 1.0, "triad": 2.0},
          {"name": "latency", "kind": "memory",
           "cycles": [{"bytes": 2 ** k, "plain": 30.0 + k, "read_only": 31.0, "past_l1": 200.0}
                      for k in (13, 14)]})


def report(double, dd):
    return {"solves": [{"iterations": n, "relative_residual": 1e-13, "tolerance": 1e-12}
                       for n in (double, dd)]}


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def written(self, **parts):
        files = []
        for name, data in parts.items():
            files.append(pathlib.Path(self.folder.name, f"{name}.json"))
            files[-1].write_text(json.dumps(data))
        return files

    def run_tool(self, tool, *arguments):
        return subprocess.run([sys.executable, BENCH / tool, "papers", *arguments], check=True,
                              capture_output=True, text=True).stdout

    def test_crs_tables(self):
        files = self.written(crs=part("crs", crs_matrix("small", 7000), crs_matrix("large", 7000000)))
        page = self.run_tool("table", *files)
        self.assertIn("| CRS-vector 2013 / cuSPARSE's CSR | 2 | 2.00 | 2.00 | 100 % |", page)
        self.assertIn("| ddla auto / cuSPARSE's best | 2 | 3.00 |", page)
        self.assertIn("below 10^5 entries", page)
        self.assertIn("10^6 to 10^7", page)
        self.assertIn("| double | all | 2 |" + 3 * " 1.00 (1.00 to 1.00) |" + " 2.00 (2.00 to 2.00) |", page)
        self.assertIn("| double | below 5·10^6 entries | 1 |", page)
        self.assertIn("| the papers' kernel, Ver. 4 | double | all | 2 of 2 | 1.00 | – | 1.00 |", page)
        self.assertIn("| ddla's crs_vector | double | 5·10^6 and more | 0 of 1 | 2.00 | 2.00 | 2.00 |", page)

    def test_failed_records_are_left_out(self):
        failed = {"name": "bad", "kind": "own size", "failed": "no memory"}
        results = read(self.written(crs=part("crs", crs_matrix("small", 7000), failed)))
        self.assertEqual([m.name for m in results.crs()], ["small"])

    def test_bicgstab_answers_in_one_sentence(self):
        page = self.run_tool("table", *self.written(bicgstab=part("bicgstab", bicgstab_matrix("a"))))
        self.assertIn("A DD iteration costs 1.50 times a double one of ddla, 0.38 times one of cuSPARSE "
                      "and cuBLAS in a textbook's loop, and 0.75 times", page)
        self.assertIn("two products take 20 % in double and 20 % in DD", page)
        self.assertIn("| double | 10 % | 20 % | 15 % | 10 % | 5 % | 5 % | 35 % |", page)

    def test_matrices_of_the_paper(self):
        record = bicgstab_matrix("Pd")
        page = self.run_tool("table", *self.written(bicgstab=part("bicgstab", bicgstab_matrix("a"), record)))
        self.assertIn("| Pd | 1000 | 2.00 | 2.00 | 2.00 | 1.50 | 1.50 | 1.50 | 1.50 | 1.50 |", page)
        self.assertNotIn("| a | 1000 |", page)

    def test_cg_by_size(self):
        def record(entries, microseconds):
            return {"name": "a", "kind": "own size", "entries": entries, "solvers": [
                {"who": who, "precision": "double", "microseconds": t}
                for who, t in (("cuSPARSE + cuBLAS", 6.0), ("ddla, auto", microseconds))]}

        page = self.run_tool("table", *self.written(cg=part("cg", record(1000, 2.0), record(10 ** 7, 12.0))))
        self.assertIn("| solver | below 5·10^6 entries: 1 | 5·10^6 and more: 1 | all: 2 |", page)
        self.assertIn("| ddla, auto, double | 3.00 (3.00 to 3.00) | 0.50 (0.50 to 0.50) | 1.22 (0.50 to 3.00) |",
                      page)

    def test_breakdowns_are_not_timed(self):
        broken = bicgstab_matrix("broken")
        broken["double"]["iteration"] = {"microseconds": 1000.0, "iterations": 3}
        page = self.run_tool("table", *self.written(
            bicgstab=part("bicgstab", bicgstab_matrix("a"), broken)))
        self.assertIn("A DD iteration costs 1.50 times", page)
        self.assertIn("| an iteration | 1 | 1.50 (1.50 to 1.50) |", page)

    def test_table_1_takes_its_own_residual(self):
        not_met = report(200, 150)
        not_met["solves"][0]["relative_residual"] = 1e-3
        page = self.run_tool("table", *self.written(table1={"Pd": report(206, 178), "add20": not_met,
                                                            "unknown": report(1, 1)}))
        self.assertIn("| Pd | 206 | 178 | 0.86 | 229 | 161 | 0.70 |", page)
        self.assertIn("| add20 | – | 150 | – | 822 | 743 | 0.90 |", page)
        self.assertNotIn("unknown", page)
        self.assertIn("Not to be had: atmosmodl, wathen120", page)

    def test_evc_tables(self):
        page = self.run_tool("table", *self.written(evc=part("evc", *MEMORY, evc_matrix("a", 10))))
        self.assertIn("| 4000 | 3999 | 1 | 2 |", page)
        self.assertIn("| 2^13 | 43 | 31 | 200 |", page)
        self.assertIn("| paper | double | 2.00 (2.00 to 2.00) | 1.60 (1.60 to 1.60) | 20 % (20 % to 20 %) |",
                      page)
        self.assertIn("HYB's time / that of the paper's kernel, permuted, in double: 1.50 (1.50 to 1.50) on 1",
                      page)
        self.assertIn("| a | 10.0 | 0.1 | 0.1 | 0.2 | 0.2 | 0.3 | 0.3 | 0.2 | 0.2 |", page)
        # T_A 5, T_X 4, T_Y 2 of a sum of 11; 10 us at 4 million bytes a us.
        self.assertIn("| a | 100 | 1000 | 10.0 | 96 | 75.00 | 25.00 | 1.00 | 20 % | 45 % | 36 % | 18 % | 1.10 |",
                      page)
        self.assertIn("Time without the read-only path / with it: 1.10", page)
        self.assertNotIn("| 3 to 12 |", page)  # matrices that lie in a cache are not in that table

    def test_evc_by_entries_a_row(self):
        large = evc_matrix("a", 10)
        large["entries"] *= 10 ** 5
        page = self.run_tool("table", *self.written(evc=part("evc", large)))
        row = ("20 % (20 % to 20 %) | 20 % (20 % to 20 %) | 2.00 (2.00 to 2.00) | 2.00 (2.00 to 2.00) | "
               "45 % (45 % to 45 %) | 36 % (36 % to 36 %) | 18 % (18 % to 18 %) |")
        self.assertIn(f"| 3 to 12 | 1 | {row}", page)
        self.assertIn(f"| all | 1 | {row}", page)

    def test_counters(self):
        record = {k: evc_matrix("a", 10)[k] for k in ("name", "kind", "rows", "entries", "mean", "layout")}
        counts = {"dram__bytes_read.sum": "17,720", "dram__bytes_write.sum": "4,000",
                  "lts__t_sectors_op_read.sum": "1,626.25", "lts__t_sectors_op_read_lookup_hit.sum": "813.125",
                  "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "400",
                  "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum": "100",
                  "gpu__time_duration.sum": "1,000"}
        lines = ["==PROF== Connected", '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"']
        for launch, sectors in enumerate(("1,626.25", "1,000")):
            for name, value in {**counts, "lts__t_sectors_op_read.sum": sectors}.items():
                lines.append(f'"{launch}","evc_kernel","{name}","","{value}"')
        counted, = self.written(counted=part("counted", record))
        log = pathlib.Path(self.folder.name, "counted.csv")
        log.write_text("\n".join(lines))
        join = [sys.executable, BENCH / "papers" / "counted.py", counted, log]
        subprocess.run(join, check=True)
        page = self.run_tool("table", counted, *self.written(evc=part("evc", evc_matrix("a", 10))))
        # 21720 bytes, of which 12 * 1010 and 16 * 100 are not x: 8000 of 8 * 1000.
        # 626.25 sectors without 4 * 1010 / 32 of columns: 500 of 1000 entries.
        self.assertIn("| a | 1000 | 10.0 | 1.00 | 0.50 | 25 % | 50 % | 22 | 0.0 | 10.0 | 1841.62 |", page)
        log.write_text("\n".join(lines[:9]))
        refused = subprocess.run(join, capture_output=True, text=True)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("1 matrices have 2 launches, but ncu counted 1", refused.stderr)

    def test_figures_are_well_formed(self):
        files = self.written(crs=part("crs", crs_matrix("a", 7000), crs_matrix("b", 70000, 30.0)),
                             bicgstab=part("bicgstab", bicgstab_matrix("a")),
                             vectors=part("vectors", vectors_of(1000), vectors_of(2000)),
                             evc=part("evc", *MEMORY, evc_matrix("a", 10), evc_matrix("b", 20)))
        self.run_tool("plot", *files, self.folder.name)
        for name in ("crs_speed", "crs_rows", "crs_ablation", "bicgstab", "axpy", "evc"):
            text = pathlib.Path(self.folder.name, f"{name}.svg").read_text()
            xml.etree.ElementTree.fromstring(text)
            self.assertNotIn("nan", text)

    def test_blocks(self):
        def solve(iterations, status="converged", residual=1e-13):
            return {"iterations": iterations, "status": status, "relative_residual": residual}

        def record(count, double, dd):
            return {"name": "memplus", "kind": f"{count} blocks", "blocks": count, "double": double,
                    "double-double": dd}

        page = self.run_tool("table", *self.written(blocks={"part": "blocks", "records": [
            record(1, solve(465, "stagnated"), solve(488)),
            record(8, solve(170, "breakdown", 0.1), solve(10000, "iteration_limit", 0.1)),
            {"name": "wathen120", "kind": "densities 1", "least_diagonal": 0.25, "double": solve(343),
             "double-double": solve(348)}]}))
        self.assertIn("| memplus | 465, 488 | – (breakdown at 170), – | 170, 1345 |", page)
        self.assertIn("| 0.250 | 343 | 348 |", page)

    def test_residuals(self):
        for one, other in ((1e-5, 1.09e-5), (1.09e-5, 1e-5), (1.6e-14, 8.3e-31), (0, 1.0e-14)):
            self.assertTrue(residuals_agree(one, other))
        for one, other in ((1e-5, 1.2e-5), (1.2e-5, 1e-5), (1e-14, 1e-11), (1e-11, 1e-14),
                           (float("nan"), 1e-14), (1e-5, None)):
            self.assertFalse(residuals_agree(one, other))

    def test_cg_is_judged_anew(self):
        def solvers(*residuals):
            return {"name": "a", "solvers": [{"residual": r} for r in residuals]}

        def judged(*records):
            file, = self.written(cg={**part("cg", *records), "disagreements": 4})
            run = subprocess.run([sys.executable, BENCH / "papers" / "judge.py", file])
            data = json.loads(file.read_text())
            return run.returncode, data["disagreements"], data.get("disagreements_when_run")

        solved, skipped = solvers(1e-14, 1.6e-14, 8e-31), {"name": "b", "skipped": "not symmetric"}
        self.assertEqual(judged(solved, skipped), (0, 0, 4))
        self.assertEqual(judged(solved, solvers(1e-5, 1e-5, 2e-5), {"name": "c", "failed": "memory"}),
                         (1, 2, 4))
        self.assertEqual(judged(*[solvers(1e-5, 2e-5)] * 4), (1, 4, None))

    def test_rank_correlation(self):
        self.assertAlmostEqual(rank_correlation([1, 2, 3], [10, 20, 50]), 1)
        self.assertAlmostEqual(rank_correlation([1, 2, 3], [9, 5, -1]), -1)
        # Ranks 1, 2, 3, 4 and 1, 2.5, 2.5, 4: 4.5 / sqrt(5 * 4.5).
        self.assertAlmostEqual(rank_correlation([1, 2, 3, 4], [1, 7, 7, 9]), 4.5 / (5 * 4.5) ** 0.5)
        self.assertTrue(math.isnan(rank_correlation([1, 2], [3, 3])))

    def test_density(self):
        self.assertAlmostEqual(CrsMatrix(crs_matrix("a", 7000)).density, 0.7)  # 7000 of 10^6

    def test_rule(self):
        self.assertEqual(rule_found({4: 16.0, 8: 16.125}, 8), (True, 1.0078125))
        self.assertEqual(rule_found({4: 10.0, 8: 20.0}, 8), (False, 2.0))

    def test_axes(self):
        axis = svg.Axis([1, 100], 10)
        self.assertAlmostEqual(axis.at(10), 0.5)
        self.assertEqual(axis.ticks(), [1, 10, 100])
        self.assertAlmostEqual(svg.Axis([0, 10], None).at(5.2), 0.5)


if __name__ == "__main__":
    unittest.main()
