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
    papers += [{"version": v, "threads": 8, "double": 2 * paper, "double-double": 3 * paper}
               for v in ("bicgstab", "ver0", "ver1", "ver2", "ver3")]
    ddla = [{"format": f, "threads": 8, "double": ours, "double-double": 2 * ours}
            for f in ("auto", "crs_t")]
    ddla[1]["conversion_seconds"] = 1e-3
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

    def test_speeds_and_threads(self):
        files = self.written(crs=part("crs", crs_matrix("small", 7000), crs_matrix("large", 7000000)))
        page = self.run_tool("table", *files)
        self.assertIn("| 8 threads 2012 / cuSPARSE's CSR | 2 | 1.00 |", page)
        # 0.7 and 700 GFLOPS: the median of two is between them.  cuSPARSE has no double-double.
        self.assertIn("| all | 2 | CRS-T 2012 | 350 | 2102 | 175 | 1752 |", page)
        self.assertIn("| 5·10^6 and more | 1 | cuSPARSE's CSR | 350 | 2100 | – | – |", page)
        dd = page.partition("### Double-double, **all**")[2].partition("###")[0]
        self.assertNotIn("cuSPARSE", dd)
        self.assertIn("| ddla crs_t / CRS-T 2012 | 2 | 2.00 |", dd)
        self.assertIn("| double | 3 to 12 | 1 | 1.00 (1.00 to 1.00) |", page)
        self.assertIn("| double | all | 2 | 1.88 (0) | 1.75 (0) | 1.50 (0) | 1.00 (2) | 2.00 (0) | 4.00 (0) |", page)
        self.assertIn("| the papers' kernel, Ver. 4 | double | all | 2 | 0.93 | 0.86 | 0.67 | 2.00 | 2.00 |", page)
        # 1000 us, ddla's product 10 us; the rule's T takes 20, cuSPARSE 40, T = 32 as long as crs_t.
        self.assertIn("| all | 2 | 1 (1 to 1) | 100 (100 to 100) |", page)
        self.assertIn("| all | T by the rule | 2 of 2 | 100 |", page)
        self.assertIn("| all | T = 32 | 0 of 2 | – |", page)
        self.assertIn("| all | cuSPARSE's CSR | 2 of 2 | 33 |", page)

    def test_page_of_the_kept_records(self):
        page = (BENCH / "results" / "papers_h200.md").read_text()
        names = page.partition("papers_{")[2].partition("}")[0].split(",")
        made = self.run_tool("table", *(BENCH / "results" / f"papers_{name}.json.gz" for name in names))
        self.assertEqual(page[page.index("\n## ") + 1:].rstrip("\n"), made.rstrip("\n"))

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
        self.assertIn("DD is faster on 0; the least DD / double is 1.50 (a). DD alone solves 0: –.", page)
        # 2 (12 * 13036 + 20 * 8081) + 8081 (8 * 8 + 6 * 24 + 8) bytes of 2 (2 * 13036 + 11 * 8081) flops.
        self.assertIn("| Pd | 8081 | 13036 | 10.4 | 19.1 |", page)

    def test_matrices_of_the_paper(self):
        record = bicgstab_matrix("Pd")
        page = self.run_tool("table", *self.written(bicgstab=part("bicgstab", bicgstab_matrix("a"), record)))
        self.assertIn("| Pd | 1000 | 2.00 | 2.00 | 2.00 | 1.50 | 1.50 | 1.50 | 1.50 | 1.50 |", page)
        self.assertIn("| Pd | double | 10 % | 20 % | 15 % | 10 % | 5 % | 5 % | 35 % |", page)
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
        self.assertIn("| Pd | 206 | 178 | 0.86 | 229 | 161 | 0.70 | 233 | 166 |", page)
        self.assertIn("| add20 | – | 150 | – | 822 | 743 | 0.90 | 895 | 799 |", page)
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
        # HYB takes 15 us, cuSPARSE's CSR 20.
        self.assertIn("| all | 1 | the paper's kernel | 1.50 (1.50 to 1.50) | 1.20 (1.20 to 1.20) | 1 | 1 |", page)
        self.assertIn("| all | 1 | 10 (10 to 10) | – |", page)
        self.assertIn("Time without the read-only path / with it, all: 1.10", page)
        self.assertNotIn("| 3 to 12 |", page)  # matrices that lie in a cache are not in that table

    def test_evc_by_entries_a_row(self):
        large = evc_matrix("a", 10)
        large["entries"] *= 10 ** 5
        page = self.run_tool("table", *self.written(evc=part("evc", large)))
        row = ("20 % (20 % to 20 %) | 20 % (20 % to 20 %) | 2.00 (2.00 to 2.00) | 2.00 (2.00 to 2.00) | "
               "45 % (45 % to 45 %) | 36 % (36 % to 36 %) | 18 % (18 % to 18 %) |")
        self.assertIn(f"| 3 to 12 | 1 | {row}", page)
        self.assertIn(f"| all | 1 | {row}", page)

    def test_metrics_that_a_device_has(self):
        query = pathlib.Path(self.folder.name, "metrics.txt")
        query.write_text("""Device NVIDIA H200 (GH100)
------------------------- ---------- -------------- -------------------------------------
Metric Name               Metric Type Metric Unit    Metric Description
dram__bytes_read          Counter    byte           # of bytes read from DRAM
gpu__time_duration        Counter    ns             incremental duration in nanoseconds
lts__t_sectors_srcunit_tex_op_read Counter sector   # of LTS sectors accessed for reads from unit TEX
lts__t_sectors_op_read    Counter    sector         # of LTS sectors accessed for reads
lts__t_sectors_op_read_lookup_hit Counter sector    # of LTS sectors accessed for reads that hit
lts__t_sector_hit_rate    Ratio      %              # of sector hits per sector
""")
        ask = [sys.executable, BENCH / "papers" / "counted.py", query]
        done = subprocess.run(ask, check=True, capture_output=True, text=True)
        # Reads of all units: hits are counted of those alone.
        self.assertEqual(done.stdout, "dram__bytes_read.sum,lts__t_sectors_op_read.sum,"
                         "lts__t_sectors_op_read_lookup_hit.sum,lts__t_sector_hit_rate.pct,gpu__time_duration.sum\n")
        self.assertIn("not on this device: memory_write, l1_load, l1_load_hit, l1_hit_percent", done.stderr)
        query.write_text("==ERROR== Profiling is not supported\n")
        done = subprocess.run(ask, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no counter of bytes from memory", done.stderr)

    #: With all loads, without x, A, both, and without the read-only path; HYB's two kernels.
    LAUNCHES = ({"dram__bytes_read.sum": "17,720", "dram__bytes_write.sum": "4,000",
                 "lts__t_sectors_srcunit_tex_op_read.sum": "1,626.25",
                 "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum": "650",
                 "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "2,126.25",
                 "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum": "500",
                 "gpu__time_duration.sum": "1,000"},
                {"dram__bytes_read.sum": "9,000", "lts__t_sectors_srcunit_tex_op_read.sum": "1,000",
                 "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum": "250",
                 "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "1,000",
                 "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum": "0", "gpu__time_duration.sum": "700"},
                {"dram__bytes_read.sum": "10,000", "gpu__time_duration.sum": "600"},
                {"dram__bytes_read.sum": "1,000", "gpu__time_duration.sum": "200"},
                {"gpu__time_duration.sum": "1,250"},
                {"dram__bytes_read.sum": "8,000", "gpu__time_duration.sum": "400"},
                {"dram__bytes_read.sum": "9,600", "gpu__time_duration.sum": "400"})
    #: As ncu 2025 writes it: https://docs.nvidia.com/nsight-compute/NsightComputeCli
    HEAD = ('"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",'
            '"Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"')
    KERNEL = ('"421","bench_papers","127.0.0.1","void evc_kernel<(evc_loads)0, double>(view, evc_product<T2>)","1",'
              '"13","(256, 1, 1)","(4, 1, 1)","0","9.0"')

    def counted_by(self, lines):
        """The joined file."""
        record = {k: evc_matrix("a", 10)[k] for k in ("name", "kind", "rows", "entries", "mean", "layout")}
        record["launches"] = ["all", "no_x", "no_a", "neither", "x_without_read_only_path", "hyb_ell", "hyb_list"]
        failed = {"name": "bad", "kind": "own size", "failed": "no memory"}
        counted, = self.written(counted=part("counted", failed, record))
        log = pathlib.Path(self.folder.name, "counted.csv")
        log.write_text("\n".join(lines) + "\n")
        return counted, subprocess.run([sys.executable, BENCH / "papers" / "counted.py", counted, log],
                                       capture_output=True, text=True)

    def lines_of_launches(self):
        return ["==PROF== Connected to process 421 (bench_papers)", self.HEAD,
                *(f'"{k}",{self.KERNEL},"Command line profiler metrics","{name}","byte","{value}"'
                  for k, launch in enumerate(self.LAUNCHES)
                  for name, value in {"dram__bytes_write.sum": "4,000", **launch}.items()),
                '"6",' + self.KERNEL + ',"","","",""', "==WARNING== Found outstanding GPU clock reset"]

    def test_counters(self):
        counted, done = self.counted_by(self.lines_of_launches())
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.run_tool("table", counted, *self.written(evc=part("evc", evc_matrix("a", 10))))
        self.assertIn("Not counted on this device: l2_hit_percent, l1_hit_percent.", page)
        # 21720 bytes, of which 12 * 1010 and 16 * 100 are not x: 8000 of 8 * 1000.  4040 bytes of columns are
        # 126.25 sectors: 500 of the L2's are for x, 400 found; 1000 of the L1's, 500 found; 2300 flops.  4000 bytes
        # are written, y has 800.
        self.assertIn("| a | 1000 | 10.0 | 18 | 52 | 16 | 68 | 50 % | 80 % | 25 % | 1.00 | 0.60 | 9.44 |", page)
        # The copy takes 21720 bytes in 0.00543 us; events say 10 us, ncu 1.
        self.assertIn("| a | 10.0 | – | – | 0 | 368 | 0.0 | 10.0 | 1.0 | 1841.62 |", page)
        # A 0.5, x 0.4, y 0.2 of 1.1 us; 8000 bytes of A, 9000 of x and its columns, 5000 of the rest.
        self.assertIn("| a | 10.0 | 1.0 | 0.5 | 0.4 | 0.2 | 45 % | 36 % | 18 % | 1.10 | 0.0 | 0.0 | 0.0 | 3 | 3 |",
                      page)
        self.assertIn("| a | 2 / 2 | 18 / – |", page)
        self.assertIn("alpha: 1.00 to 1.00, median 1.00.\nwith y written once: 0.60 to 0.60, median 0.60.\n", page)
        self.assertIn("| a | 2 | 2 | 18 / 20 / 24 | 52 / – / – | 68 / – / – |", page)

    def test_cycles_by_hit_rates(self):
        sizes = [{"bytes": 1 << k, "plain": 1.0, "read_only": t, "past_l1": 1.0}
                 for k, t in ((14, 40.0), (24, 280.0), (28, 700.0))]
        counted, done = self.counted_by(self.lines_of_launches())
        latency = {"name": "latency", "kind": "memory", "cycles": sizes}
        page = self.run_tool("table", counted, *self.written(evc=part("evc", latency, evc_matrix("a", 10))))
        # 40 / 2 + (280 * 0.8 + 700 * 0.2) / 2; 280 * 0.25 + 700 * 0.75
        self.assertIn("| a | 10.0 | 202 | 595 |", page)

    def test_a_line_a_launch(self):
        """The other page of ncu: a column a metric, and units below."""
        names = list(self.LAUNCHES[0])
        head = ["ID", "Kernel Name", *names]
        lines = [",".join(f'"{h}"' for h in head), ",".join('""' for _ in head)]
        lines += [",".join(f'"{v}"' for v in (k, "evc_kernel", *(launch.get(n, "n/a") for n in names)))
                  for k, launch in enumerate(self.LAUNCHES)]
        counted, done = self.counted_by(lines)
        self.assertEqual(done.returncode, 0, done.stderr)
        launches = json.loads(counted.read_text())["records"][1]["counted"]
        self.assertEqual(launches["all"]["memory_read"], 17720)
        self.assertEqual(launches["no_a"], {"memory_read": 10000.0, "nanoseconds": 600.0})
        self.assertEqual(launches["x_without_read_only_path"], {"nanoseconds": 1250.0})

    def test_missing_launches_are_refused(self):
        _, done = self.counted_by(self.lines_of_launches()[:9])
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 matrices have 7 launches, but ncu counted 1", done.stderr)

    def test_densities(self):
        one = {**evc_matrix("density 100, 5 %", 10), "kind": "density", "note": "5 % of all entries"}
        page = self.run_tool("table", *self.written(densities=part("densities", one)))
        self.assertIn("| 100 | 5 % of all entries | 1000 | 10.00 % | 0 | 0 | 0 | 0 | 0 | 0 |", page)
        # A later part of their own counts, not the same matrix in the part of all.
        old = {**one, "entries": 500}
        results = read(self.written(evc=part("evc", old), densities=part("densities", one)))
        self.assertEqual([m.entries for m in results.densities()], [1000])

    def test_bratu(self):
        output = pathlib.Path(self.folder.name, "out.txt")
        output.write_text(
            "200^3 unknowns\n"
            "product  PETSc                         40000.0 us, in place 40000.0 us, differs by 0e+00\n"
            "product  ddla evc_hyb, device 0         4000.0 us, in place 200.0 us, differs by 2e-17\n"
            "solve    ddla, device 0                  2.500 s, linear 1.500, of it copies 0.750, steps 4, "
            "iterations 900, ||F|| 1.200e-09, again 1.300e-09, u in the middle 0.123456789012\n"
            "solve    PETSc                          90.000 s, linear 80.000, of it copies 0.000, steps 4, "
            "iterations 901, ||F|| 1.200e-09, again 1.200e-09, u in the middle 0.123456789012\n")
        join = [sys.executable, BENCH / "papers" / "bratu.py", output, "a machine"]
        done = subprocess.run(join, check=True, capture_output=True, text=True)
        page = self.run_tool("table", *self.written(bratu=json.loads(done.stdout)))
        self.assertIn("in PETSc\n\na machine.\n\n### 200³ points\n", page)
        self.assertIn("| ddla evc_hyb, device 0 | 4000 | 200 | 10.00 | 200.00 |", page)
        self.assertIn("| ddla, device 0 | 4 | 900 | 2.50 | 1.50 | 0.75 | 1.00 | 1.3e-09 | 36.00 |", page)
        cut = pathlib.Path(self.folder.name, "cut.txt")
        cut.write_text(output.read_text().partition("solve    PETSc")[0].replace("200^3", "300^3"))
        done = subprocess.run([*join[:2], output, cut, "a machine"], check=True, capture_output=True, text=True)
        page = self.run_tool("table", *self.written(bratu=json.loads(done.stdout)))
        self.assertIn("### 200³ points", page)
        self.assertIn("1.3e-09 | 36.00 |", page)
        self.assertIn("1.3e-09 | – |", page.partition("### 300³ points")[2])
        # 80 and 10 s, by 27 / 8 of the points.
        self.assertIn("PETSc, 300³, not run: extrapolated from 200³ by points and iterations (900 for 901), linear "
                      "solves 270 s, all 303 s.", page)
        output.write_text(output.read_text().replace("0e+00", "1e-03, WRONG"))
        refused = subprocess.run(join, capture_output=True, text=True)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("a result is wrong: product  PETSc", refused.stderr)

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
            self.assertEqual("2012, M2050" in text, name in ("bicgstab", "axpy"))

    def test_bands_of_others(self):
        text = svg.figure(svg.Panel("", "", "", [svg.Series("ours", [(0, 0), (10, 10)])],
                                    bands=[svg.Band("range", 2.6, 5.2, 5, 10), svg.Band("line", 5.2, 5.2)]))
        # The axis ends at 10.4, so 2.6 is at a quarter of 260 and 5.2 at half; x has 760 for 10.4.
        x, width = 70 + 760 * 5 / 10.4, 760 * 5 / 10.4
        self.assertIn(f'<rect x="{x:.1f}" y="164.0" width="{width:.1f}" height="65.0" fill="url(#hatching0)"', text)
        self.assertIn('<line x1="70.0" y1="164.0" x2="830.0" y2="164.0" stroke="#404040"', text)

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
