"""The results of bench_solves, as table.py and plot.py look at them."""
from support.report import KINDS, only

METHODS = {"bicgstab": "BiCGStab", "cg": "CG"}
LARGE = 2_000_000  # unknowns from which on memory traffic is the limit


class Matrix:
    """A matrix of the set: microseconds an iteration of BiCGStab."""

    def __init__(self, record):
        self.record = record
        self.name, self.kind, self.rows = record["name"], record["kind"], record["rows"]
        self.textbook = record["textbook"]["microseconds"]
        self.graph = record["graph"]["microseconds"]
        self.best = min(self.textbook, self.graph)

    def time(self, precision, with_start=False):
        return self.record[precision]["with_start_microseconds" if with_start else "microseconds"]

    def to_best(self, precision, with_start=False):
        return self.time(precision, with_start) / self.best

    def to_textbook(self, precision, with_start=False):
        return self.time(precision, with_start) / self.textbook

    def share(self, precision):
        return self.record[precision]["share"]


class Set:
    def __init__(self, everything):
        self.all = everything
        records = everything["matrices"]
        self.failed = [r for r in records if "failed" in r]
        self.skipped = [r for r in records if "skipped" in r]
        self.matrices = [Matrix(r) for r in records if "failed" not in r and "skipped" not in r]

    def kinds(self):
        """Kinds in the order of the tables, each with its matrices."""
        for kind in KINDS:
            mine = [m for m in self.matrices if m.kind == kind]
            if mine:
                yield kind, mine

    def where(self):
        return (f"{self.all['device']['name']}, CUDA {self.all['cuda']['runtime']}, "
                f"cuSPARSE {self.all['cuda']['cusparse']}, ddla {self.all['ddla']}, "
                f"copy {self.all['copy']['gigabytes_per_second']:.0f} GB/s")


class Curve:
    """Time of an iteration against the number of unknowns, and against threads on the host."""

    def __init__(self, everything):
        self.all = everything
        self.on_host = everything["place"] == "host"
        self.points = [r for r in everything["curve"] if "skipped" not in r]
        self.of_threads = [r for r in everything.get("threads", []) if "skipped" not in r]
        self.skipped = [r for r in everything["curve"] + everything.get("threads", [])
                        if "skipped" in r]
        self.rivals = {r["rows"]: r for r in everything.get("rivals", [])}

    def lines(self):
        """(method, precision) and its records by size."""
        return grouped(self.points, lambda r: (r["method"], r["precision"]), "rows")

    def lines_of_threads(self):
        """(method, precision, edge) and its records by number of threads."""
        return grouped(self.of_threads, lambda r: (r["method"], r["precision"], r["edge"]),
                       "threads")

    def where(self):
        name = self.all["processor"] if self.on_host else self.all["device"]["name"]
        copies = self.all["copy"]
        if not self.on_host:
            return f"{name}, ddla {self.all['ddla']}, copy {speed(copies[0])} GB/s"
        by_threads = {c["threads"]: speed(c) for c in copies}
        text = ", ".join(f"{s} on {t}" for t, s in sorted(by_threads.items()))
        return f"{name}, ddla {self.all['ddla']}, copy in GB/s by threads: {text}"


def speed(copy):
    return f"{copy['gigabytes_per_second']:.0f}"


def grouped(records, key, order):
    groups = {}
    for r in records:
        groups.setdefault(key(r), []).append(r)
    return {k: sorted(rs, key=lambda r: r[order]) for k, rs in groups.items()}


def read(files):
    everything = only(files)
    return Set(everything) if "matrices" in everything else Curve(everything)
