"""The results of bench_device and of python_rivals.py."""
from support.report import numbers_in


class Results:
    def __init__(self, everything):
        self.all = everything
        self.iterations = everything.get("bicgstab") or []
        self.vectors = everything.get("vectors") or []

    def where(self):
        return f"{self.all['device']['name']}, ddla {self.all['ddla']}"


def merged(files):
    """The first file, with the others' lists appended to its own."""
    everything = {}
    for name in files:
        for key, value in numbers_in(name).items():
            if isinstance(value, list) and key in everything:
                everything[key] += value
            else:
                everything.setdefault(key, value)
    return everything


def read(files):
    return Results(merged(files))
