"""The results of bench_hard, as table.py and plot.py look at them."""
from support.report import numbers_in


class Results:
    def __init__(self, everything):
        self.all = everything
        self.systems = [s for s in self.all["systems"] if s.get("solves")]
        self.limit = self.all["limit_seconds"]
        found = {r["method"] for s in self.systems for r in s["solves"]}
        first = [r["method"] for s in self.systems for r in s["solves"]]
        self.methods = sorted(found, key=first.index)

    def of(self, method, choose=lambda s: True):
        """(system, record) of the chosen systems that this method was given."""
        return [(s, r) for s in self.systems if choose(s) for r in s["solves"]
                if r["method"] == method]

    def time(self, r, success):
        """Failures count at the limit."""
        return r["seconds"] if success(r) else self.limit


def merged(parts):
    """One object of results, of a system those of all parts, each once; heads as in the last part."""
    systems = {}
    for part in parts:
        for system in part["systems"]:
            one = systems.setdefault((system["matrix"], system["rhs"]), {})
            for key, value in system.items():
                if key not in ("solves", "factorisations"):
                    one[key] = value
                    continue
                there = one.setdefault(key, [])
                names = {r["method"] for r in there}
                there += [r for r in value if r["method"] not in names]
    result = dict(parts[-1])
    result["systems"] = [systems[key] for key in sorted(systems)]
    return result


def read(files):
    return Results(merged([numbers_in(name) for name in files]))
