#!/usr/bin/env python3
"""The page of bench_hard on results made by hand."""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(BENCH))
from hard import plot, table
from hard.results import merged, read


def solve(method, claims=True, digits=None, residual=1e-20, seconds=0.01, **more):
    record = {"method": method, "end": "ok", "claims": claims, "status": "", "seconds": seconds,
              "factor_seconds": None, "peak_bytes": 1e6, "own_bytes": None, "own_error": None,
              "true_relative_residual": residual}
    if digits is not None:
        error = 10.0 ** -digits
        record |= {"componentwise_error": error, "normwise_error": error, "worst_digits": digits,
                   "normwise_digits": digits}
    return record | more


def system(matrix, solves, rhs="ones", answered=True):
    return {"matrix": matrix, "rhs": rhs, "n": 10, "nonzeros": 20, "generated": False,
            "answered": answered, "kappa1": None, "skeel": 1e3, "solves": solves}


def results(*systems):
    head = {"date": "2026-01-01T00:00:00Z", "ddla": "0", "processor": "p", "others": ["KLU 1"],
            "missing": ["Lis"], "blas": "none", "limit_seconds": 20, "systems": systems}
    plain = json.dumps(head).encode()
    both = []
    for suffix, data in ((".json", plain), (".json.gz", gzip.compress(plain))):
        with tempfile.NamedTemporaryFile(suffix=suffix) as file:
            file.write(data)
            file.flush()
            both.append(read([file.name]))
    assert both[0].all == both[1].all
    return both[1]


def row(lines, first):
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith(f"| {first} |")]
    return cells[0]


class Page(unittest.TestCase):
    def setUp(self):
        self.results = results(
            system("a", [solve("ddla auto DD", digits=30), solve("KLU", digits=3)]),
            system("b", [solve("ddla auto DD", digits=11.9), solve("KLU", digits=8)]),
            system("c", [solve("ddla auto DD", claims=False, residual=1),
                         solve("KLU", end="crash 11", claims=False, residual=None, seconds=None)],
                   answered=False))

    def test_counts_digits_where_there_is_an_answer(self):
        lines = list(table.digits_table(self.results))
        self.assertEqual(row(lines, "ddla auto DD")[1:11],
                         ["2", "2", "2", "2", "1", "2", "1", "0", "1", "0"])
        self.assertEqual(row(lines, "KLU")[1:11],
                         ["2", "2", "2", "1", "0", "1", "0", "1", "2", "1"])

    def test_failures_count_at_the_limit(self):
        pairs = self.results.of("KLU", table.answered)
        self.assertEqual([self.results.time(r, table.six_digits) for _, r in pairs], [20, 0.01])

    def test_names_false_successes_and_crashes(self):
        lines = "\n".join(table.false_successes(self.results))
        self.assertIn("1 false successes", lines)
        self.assertIn("b (ones: 11.9 digits)", lines)
        self.assertEqual(row(table.ones_table(self.results), "KLU")[1:8],
                         ["3", "2", "2", "0", "0", "0", "1"])

    def test_lists_wrong_lu(self):
        lines = list(table.wrong_doubles(self.results))
        self.assertEqual(row(lines, "a")[5:7], ["–", "1e-03 / 1e-03"])
        self.assertFalse([line for line in lines if line.startswith("| b |")])

    def test_says_where_no_factorisation_was_measured(self):
        self.assertEqual(len(list(table.factorisation_table(self.results))), 1)
        both = [solve(m, factor_seconds=s) for m, s in (("ddla", 0.03), ("KLU", 0.01))]
        measured = results(system("a", both) | {"factorisations": both})
        self.assertEqual(row(table.factorisation_table(measured), "elsewhere"),
                         ["elsewhere", "KLU", "1", "3.00", "3.00", "3.0 (a)"])

    def test_merges_shares(self):
        first = {"blas": "x", "systems": [system("b", [solve("KLU", digits=3)]),
                                          system("a", [solve("KLU", digits=8)])]}
        second = {"blas": "x", "systems": [
            system("b", [solve("KLU", digits=3), solve("UMFPACK", digits=4)])]}
        both = merged([first, second])
        self.assertEqual([s["matrix"] for s in both["systems"]], ["a", "b"])
        self.assertEqual([[r["method"] for r in s["solves"]] for s in both["systems"]],
                         [["KLU"], ["KLU", "UMFPACK"]])

    def test_commands_print_merge_and_draw(self):
        with tempfile.TemporaryDirectory() as folder:
            parts = [pathlib.Path(folder, f"{k}.json") for k in (1, 2)]
            for part, digits, method in zip(parts, (3, 8), ("KLU", "UMFPACK")):
                part.write_text(json.dumps(self.results.all | {
                    "systems": [system("a", [solve(method, digits=digits)])]}))
            both = pathlib.Path(folder, "hard.json.gz")
            page = subprocess.run([sys.executable, BENCH / "table", "hard", *parts, "--merged", both,
                                   "--commit", "abcdef1", "--note", "Idle."],
                                  check=True, capture_output=True, text=True).stdout
            self.assertIn("commit abcdef1", page)
            self.assertIn("Idle.", page)
            self.assertEqual(row(page.splitlines(), "UMFPACK")[1:5], ["1", "1", "1", "1"])
            kept = read([both]).all["systems"]
            self.assertEqual([[r["method"] for r in s["solves"]] for s in kept],
                             [["KLU", "UMFPACK"]])
            subprocess.run([sys.executable, BENCH / "plot", "hard", both, folder], check=True,
                           capture_output=True)
            self.assertTrue(pathlib.Path(folder, "hard.svg").read_text().startswith("<svg"))

    def test_draws(self):
        svg = plot.profiles(self.results)
        self.assertTrue(svg.startswith("<svg") and svg.count("<polyline") == 4)


if __name__ == "__main__":
    unittest.main()
