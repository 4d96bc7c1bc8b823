"""What a mutant is, and how it is put into a copy of the sources."""
import fnmatch
import pathlib
import re
import shutil
import struct
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
# The same number; 0 where a constexpr function is computed by the compiler.
FAULT_ON_HOST = "(__builtin_is_constant_evaluated() ? 0 : ddla_seeded_fault)"

# Device code reads its number behind this mark, where the pack's run script writes it into a copy of
# the program: no call of CUDA sets it, so it holds on every device, in every context and while a
# stream is captured.
MARK = struct.pack("<3i", 0x6c646461, 0x75616621, 0x3a74)
CHOICE_ON_DEVICE = CHOICE + """#if defined(__CUDACC__) && !defined(DDLA_SEEDED_FAULT_OF_DEVICE)
#define DDLA_SEEDED_FAULT_OF_DEVICE
[[maybe_unused]] static __constant__ int ddla_fault_of_device[4] = {%d, %d, %d, 0};
#if defined(__CUDA_ARCH__)
#define DDLA_FAULT ddla_fault_of_device[3]
#define DDLA_FAULT_ON_DEVICE ddla_fault_of_device[3]
#else
#define DDLA_FAULT ddla_seeded_fault
#define DDLA_FAULT_ON_DEVICE 0
#endif
/// In a constexpr function.
#define DDLA_FAULT_AT_RUN_TIME (__builtin_is_constant_evaluated() ? 0 : DDLA_FAULT_ON_DEVICE)
#endif
""" % struct.unpack("<3i", MARK)


def begins_statement(before):
    """Whether a statement begins behind this text."""
    code = re.sub(r"//[^\n]*(?=\n|$)", "", before).rstrip()
    return code.endswith((";", "{", "}", ")", "else"))


def chosen_between(old, new, here, before=";"):
    """C++ that is `new` where `here` holds, else `old`: statements, conditions or expressions,
    behind `before`."""
    if old[-1] == new[-1:] == ";" and not begins_statement(before):
        return chosen_between(old[:-1], new[:-1], here) + ";"
    if old.endswith(" {") and new.endswith(" {"):
        return chosen_between(old[:-2], new[:-2], here) + " {"
    if not new.strip():
        return f"if (!({here})) {{\n{old}\n}}\n"
    if old.startswith("if (") and new.startswith("if (") and old[-1] == new[-1] == ")":
        return f"if ({here} ? bool({new[4:-1]}) : bool({old[4:-1]}))"
    if old.rstrip().endswith(";"):
        return f"if ({here}) {{\n{new}\n}} else {{\n{old}\n}}\n"
    return f"({here} ? ({new}) : ({old}))"


def is_whole(text):
    """Whether it may be a statement, condition or expression beside another one: no declaration, no
    head of a loop, no bracket or half of ?: without the other."""
    text = text.strip().removesuffix(" {")
    if re.match(r"(const|constexpr|auto|static)\b", text):
        return False
    if text.startswith(("for (", "while (")) and not text.endswith(";"):
        return False
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}")) and \
        text.count("?") == text.replace("::", "").count(":")


def is_declared(before, text):
    """Whether a text as `x(1)` declares x: it stands behind a type."""
    type_before = re.search(r"[\w>] $", before) and not re.search(r"\b(return|else|throw) $", before)
    return bool(re.match(r"\w+\(", text) and type_before)


class Mutant(NamedTuple):
    """A seeded fault: `old` becomes `new`; one of `tests` must fail.  `old` occurs once in `file` or,
    if that is given, in `within`, which does."""
    name: str
    file: str   # from the root of the sources
    old: str
    new: str
    tests: str  # names of ctest, or test cases of device_suite; the most likely or quickest first
    within: str = ""

    def fault(self, root):
        """What is wrong with this entry of the list; empty if nothing is."""
        path = root / self.file
        if not path.is_file():
            return f"{self.file} does not exist"
        text = path.read_text()
        for part, whole in ((self.within or self.old, text), (self.old, self.within or text)):
            if whole.count(part) != 1:
                return f"its old text occurs {whole.count(part)} times in {self.file}, not once"
        return "its new text is its old text" if self.old == self.new else ""

    def changed(self, text, new):
        """`text` with `new` for what the fault replaces."""
        place = self.within or self.old
        if text.count(place) != 1:
            raise SystemExit(f"{self.name}: overlaps another mutant; run it by itself")
        return text.replace(place, place.replace(self.old, new))

    def before(self, text):
        """What stands in `text` before what the fault replaces."""
        place = self.within or self.old
        return text[:text.find(place)] + place[:place.find(self.old)]

    def apply(self, tree):
        path = tree / self.file
        path.write_text(self.changed(path.read_text(), self.new))

    def as_choice(self, text, number, choice=CHOICE, fault="ddla_seeded_fault"):
        """`text` with the fault beside what it replaces; `choice`, which defines `fault`, says which
        of the two runs."""
        here = f"{fault} == {number}"
        text = self.changed(text, chosen_between(self.old, self.new, here, self.before(text)))
        return text if choice in text else choice + text

    def can_be_choice(self, text):
        """Whether it need not be built by itself; `text` may have others."""
        whole = is_whole(self.old) and is_whole(self.new)
        return whole and not is_declared(self.before(text), self.old) and \
            text.count(self.within or self.old) == 1

    def restore(self, tree):
        shutil.copyfile(ROOT / self.file, tree / self.file)


def faults_of(mutants):
    """A line for each entry that cannot be used."""
    names = [m.name for m in mutants]
    twice = [f"{name}: this name occurs twice" for name in sorted(set(names)) if names.count(name) > 1]
    return twice + [f"{m.name}: {m.fault(ROOT)}" for m in mutants if m.fault(ROOT)]


def faults_of_choices(mutants):
    """The same for those that are all in one build, each beside what it replaces."""
    return [f"{m.name}: it is no whole statement, condition or expression" for m in mutants
            if not m.fault(ROOT) and not m.can_be_choice((ROOT / m.file).read_text())]


def selected(mutants, patterns):
    """Those whose name or file matches one of the patterns; all if there are none."""
    def matches(m):
        return any(fnmatch.fnmatch(text, p) for p in patterns for text in (m.name, m.file))
    return [m for m in mutants if not patterns or matches(m)]


def copy_sources(tree, changed={}, parts=("",)):
    """Makes `tree` the sources as they are now, or those folders, but for files with a text in
    `changed`.  Files that do not become others keep their time, so that nothing is built again for
    them."""
    def names(top):
        skip = lambda path: path.parts[0].startswith(("build", ".")) or "__pycache__" in path.parts
        files = (f.relative_to(top) for f in top.rglob("*") if f.is_file())
        return {f for f in files if not skip(f)} if top == tree else \
            {f.relative_to(top) for entry in top.iterdir()
             if not entry.name.startswith(("build", "."))
             for f in ([entry] if entry.is_file() else entry.rglob("*"))
             if f.is_file() and not skip(f.relative_to(top))}

    wanted = {f for f in names(ROOT) if str(f).startswith(tuple(parts))}
    for file in names(tree) - wanted if tree.exists() else ():
        (tree / file).unlink()
    for file in wanted:
        source, target = ROOT / file, tree / file
        text = changed[str(file)].encode() if str(file) in changed else source.read_bytes()
        if target.is_file() and target.read_bytes() == text:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
        target.write_bytes(text)
