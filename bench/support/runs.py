"""Solves by the command, for the benchmarks that run it."""
import dataclasses
import json
import pathlib
import resource
import subprocess
import tempfile


@dataclasses.dataclass
class Run:
    """`report` is None where none was written; `status` where the time was over."""

    report: dict | None
    status: int | None
    said: str  # on the standard error
    seconds: float  # of the processor

    @property
    def solve(self):
        """The report of the first solve; empty without one."""
        return self.report["solves"][0] if self.report else {}


def solve(ddla, matrix, *options, most_seconds=None):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        try:
            run = subprocess.run([ddla, "solve", matrix, "--report", report, *options],
                                 timeout=most_seconds, capture_output=True, text=True, check=False)
            status, said = run.returncode, run.stderr.strip()
        except subprocess.TimeoutExpired:
            status, said = None, ""
        taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        found = json.loads(report.read_text()) if report.exists() else None
    return Run(found, status, said, taken)


def iterations(solve):
    """The number of iterations, and how the solve ended where it did not converge."""
    ended = "" if solve["status"] == "converged" else f" ({solve['status'].replace('_', ' ')})"
    return f"{solve['iterations']}{ended}"


def matrices_in(folder):
    return sorted(p for p in folder.iterdir() if p.name.endswith((".mtx", ".mtx.gz")))
