"""The results of bench_preconditioned, as table.py looks at them."""
from support.report import numbers_in

METHODS = {"bicgstab": "BiCGStab", "cg": "CG", "fgmres": "FGMRES"}


class Contender:
    def __init__(self, record):
        self.all = record
        self.key = (record["who"], record["place"], record["precision"], record.get("threads"))
        self.factors = {f["kind"]: f for f in record["factors"]}
        self.solves = {(s["method"], s["tolerance"]): s for s in record["solves"]}

    def factor(self, kind, what):
        """Seconds of factors, or None."""
        return self.factors.get(kind, {}).get(what)

    def seconds(self, method, tolerance, asked="reached", with_factors=False):
        """Of a solve that is what was asked for, 'reached' or 'claims'; or None."""
        s = self.solves.get((method, tolerance))
        if not s or not s.get(asked):
            return None
        more = self.factor(s["factors"], "seconds") if with_factors else 0
        return None if more is None else s["seconds"] + more


class System:
    def __init__(self, record):
        self.name, self.kind = record["name"], record["kind"]
        self.rows, self.entries = record["rows"], record["entries"]
        self.contenders = {}
        self.add(record)

    def add(self, record):
        for c in map(Contender, record["contenders"]):
            self.contenders[c.key] = c

    def get(self, who, place, precision, threads=None):
        return self.contenders.get((who, place, precision, threads))

    def methods(self):
        return [m for m in METHODS
                if any(k[0] == m for c in self.contenders.values() for k in c.solves)]


class Results:
    """The first file's heading, and the systems of all; systems of one name together."""

    def __init__(self, heads):
        self.all = heads[0]
        found = {}
        for record in (s for head in heads for s in head["systems"]):
            if record["name"] in found:
                found[record["name"]].add(record)
            else:
                found[record["name"]] = System(record)
        self.systems = list(found.values())


def read(files):
    return Results([numbers_in(f) for f in files])
