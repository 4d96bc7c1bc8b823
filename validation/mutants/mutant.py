"""What a mutant is, and how it is put into a copy of the sources."""
import fnmatch
import pathlib
import shutil
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]


CHOICE = """#ifndef DDLA_SEEDED_FAULT
#define DDLA_SEEDED_FAULT
#include <cstdlib>
/// The number of the mutant that this process is.
inline const int ddla_seeded_fault =
    std::getenv("DDLA_MUTANT") ? std::atoi(std::getenv("DDLA_MUTANT")) : 0;
#endif
"""


def chosen_between(old, new, number):
    """C++ that is `new` in mutant `number`, else `old`: statements, conditions or expressions."""
    here = f"ddla_seeded_fault == {number}"
    if not new.strip():
        return f"if (!({here})) {{\n{old}\n}}\n"
    if old.startswith("if (") and new.startswith("if (") and old[-1] == new[-1] == ")":
        return f"if ({here} ? bool({new[4:-1]}) : bool({old[4:-1]}))"
    if old.rstrip().endswith(";"):
        return f"if ({here}) {{\n{new}\n}} else {{\n{old}\n}}\n"
    return f"({here} ? ({new}) : ({old}))"


class Mutant(NamedTuple):
    """A seeded fault: `old` occurs once in `file` and becomes `new`; one of `tests` must fail."""
    name: str
    file: str   # from the root of the sources
    old: str
    new: str
    tests: str  # names of ctest, or test cases of device_suite; the most likely or quickest first

    def fault(self, root):
        """What is wrong with this entry of the list; empty if nothing is."""
        path = root / self.file
        if not path.is_file():
            return f"{self.file} does not exist"
        count = path.read_text().count(self.old)
        if count != 1:
            return f"its old text occurs {count} times in {self.file}, not once"
        return "its new text is its old text" if self.old == self.new else ""

    def apply(self, tree):
        path = tree / self.file
        path.write_text(path.read_text().replace(self.old, self.new))

    def apply_as_choice(self, tree, number):
        """The fault beside what it replaces; CHOICE says which of the two runs."""
        path = tree / self.file
        text = path.read_text()
        if text.count(self.old) != 1:
            raise SystemExit(f"{self.name}: overlaps another mutant; run it by itself")
        text = text.replace(self.old, chosen_between(self.old, self.new, number))
        path.write_text(text if CHOICE in text else CHOICE + text)

    def restore(self, tree):
        shutil.copyfile(ROOT / self.file, tree / self.file)


def faults_of(mutants):
    """A line for each entry that cannot be used."""
    names = [m.name for m in mutants]
    twice = [f"{name}: this name occurs twice" for name in sorted(set(names)) if names.count(name) > 1]
    return twice + [f"{m.name}: {m.fault(ROOT)}" for m in mutants if m.fault(ROOT)]


def selected(mutants, patterns):
    """Those whose name or file matches one of the patterns; all if there are none."""
    def matches(m):
        return any(fnmatch.fnmatch(text, p) for p in patterns for text in (m.name, m.file))
    return [m for m in mutants if not patterns or matches(m)]


def copy_sources(tree):
    """Makes `tree` the sources as they are now.  Files that have not changed keep their time, so
    that nothing is built again for them."""
    def names(top):
        skip = lambda path: path.parts[0].startswith(("build", ".")) or "__pycache__" in path.parts
        files = (f.relative_to(top) for f in top.rglob("*") if f.is_file())
        return {f for f in files if not skip(f)} if top == tree else \
            {f.relative_to(top) for entry in top.iterdir()
             if not entry.name.startswith(("build", "."))
             for f in ([entry] if entry.is_file() else entry.rglob("*"))
             if f.is_file() and not skip(f.relative_to(top))}

    wanted = names(ROOT)
    for file in names(tree) - wanted if tree.exists() else ():
        (tree / file).unlink()
    for file in wanted:
        source, target = ROOT / file, tree / file
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
