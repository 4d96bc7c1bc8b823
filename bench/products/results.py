"""The results of bench_products, as table.py and plot.py look at them."""
from support.report import KINDS, only


class Matrix:
    """One matrix: `formats` by name, those that were refused left out."""

    def __init__(self, record):
        self.record = record
        self.name, self.kind = record["name"], record["kind"]
        self.rival = record["cusparse_best"]["microseconds"]
        self.formats = {f["format"]: f for f in record["formats"] if "skipped" not in f}
        self.refused = {f["format"]: f["skipped"] for f in record["formats"] if "skipped" in f}

    def time(self, format, precision="double"):
        return self.formats[format][precision]["microseconds"]

    def fastest(self, precision):
        """Of the named formats; None where only auto was measured."""
        named = [f for f in self.formats if f != "auto"]
        return min(named, key=lambda f: self.time(f, precision), default=None)

    @property
    def auto(self):
        return self.formats.get("auto")

    @property
    def speed_up(self):
        return self.rival / self.time("auto")

    @property
    def dd_ratio(self):
        """Time in double-double to cuSPARSE's best in double."""
        return self.time("auto", "double-double") / self.rival

    def share(self, precision="double", by_rows=False):
        return self.auto[precision]["share_by_rows" if by_rows else "share"]


class Results:
    def __init__(self, everything):
        self.all = everything
        records = self.all["matrices"]
        self.failed = [r for r in records if "failed" in r]
        self.matrices = [Matrix(r) for r in records if "failed" not in r]
        #: those that the targets are about
        self.auto = [m for m in self.matrices if m.auto]

    def kinds(self):
        """Kinds in the order of the tables, each with its matrices."""
        for kind in KINDS:
            mine = [m for m in self.auto if m.kind == kind]
            if mine:
                yield kind, mine

    def format_names(self):
        return list(dict.fromkeys(f for m in self.matrices for f in m.formats))

    def where(self):
        return (f"{self.all['device']['name']}, CUDA {self.all['cuda']['runtime']}, "
                f"cuSPARSE {self.all['cuda']['cusparse']}, ddla {self.all['ddla']}, "
                f"copy {self.all['copy']['gigabytes_per_second']:.0f} GB/s")


def read(files):
    return Results(only(files))
