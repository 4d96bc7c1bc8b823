"""What is known of each mutant, kept in a file, so that a table can be gathered in several runs."""
import hashlib
import json
import pathlib
import re
import subprocess
import time

from mutant import ROOT


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def commit_of_sources():
    done = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--exclude", "*"],
                          capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def sources_of_tests():
    """The files of tests/ that each test program is made of, without what they include."""
    found = {}
    for listing in sorted((ROOT / "tests").rglob("CMakeLists.txt")):
        programs = r"\b(?:ddla_test|add_executable)\((\w+)\s([^)]*)\)"
        for name, rest in re.findall(programs, listing.read_text()):
            files = re.findall(r"[\w./-]+\.(?:cpp|c)\b", rest)
            found[name] = [(listing.parent / f).resolve() for f in files]
    return found


def with_includes(files):
    """These files and those of tests/ that they include, directly or not."""
    found, left = set(), list(files)
    while left:
        file = left.pop()
        if file in found or not file.is_file():
            continue
        found.add(file)
        for name in re.findall(r'^#include "([^"]+)"', file.read_text(), re.M):
            left += [(file.parent / name).resolve(), ROOT / "tests" / name]
    return sorted(found)


class Record:
    """Results by name of the mutant.  One is forgotten when its fault changes, the file that it is
    put into, or a file of the tests that may catch it."""

    NOT_RUN = "not run"

    def __init__(self, file, keep):
        self.file = file
        self.known = json.loads(file.read_text()) if keep and file.is_file() else {}
        self.sources = sources_of_tests()
        self.commit, self.of_file = commit_of_sources(), {}

    def digest_of_file(self, path):
        if path not in self.of_file:
            self.of_file[path] = digest(path.read_text())
        return self.of_file[path]

    def state_of(self, mutant):
        """What the result depends on, as far as it is looked at."""
        files = with_includes(f for test in mutant.tests.split() for f in self.sources.get(test, []))
        return {"fault": digest(*mutant[1:]), "file": self.digest_of_file(ROOT / mutant.file),
                "tests": digest(*map(self.digest_of_file, files))}

    def add(self, mutant, said):
        self.put(mutant.name, self.state_of(mutant), said, self.commit)

    def put(self, name, state, said, commit):
        """What was said when the sources were in this state, at this commit."""
        today = time.strftime("%Y-%m-%d", time.gmtime())
        self.known[name] = state | {"said": said, "commit": commit, "date": today}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        aside = self.file.with_suffix(".new")
        aside.write_text(json.dumps(self.known, indent=1, sort_keys=True) + "\n")
        aside.replace(self.file)

    def entry_of(self, mutant):
        entry = self.known.get(mutant.name, {})
        state = self.state_of(mutant)
        return entry if all(entry.get(k) == v for k, v in state.items()) else {}

    def of(self, mutant):
        return self.entry_of(mutant).get("said", self.NOT_RUN)

    def rows(self, mutants):
        return [(m.name, m.file, self.of(m)) for m in mutants]

    def runs(self, mutants):
        """How many of them were run when and at which commit, a text for each."""
        count = {}
        for entry in filter(None, map(self.entry_of, mutants)):
            when = entry["date"], entry["commit"]
            count[when] = count.get(when, 0) + 1
        return [f"{n} on {date} at commit {commit}" for (date, commit), n in sorted(count.items())]
