"""Packs the mutants of the host, to be run on a machine with more cores.

    validation/mutants/run --together --pack FOLDER ['NAME*'...]
    FOLDER/run --jobs 32 --results FILE           there: needs bash and coreutils
    validation/mutants/run --pack FOLDER --merge FILE [--table FILE]

FOLDER gets the test programs with all mutants in one build, every library that they load (that of C
and its loader, too: the other machine may have older ones), and the files that they read.
pack.json keeps what a result depends on as it was when the pack was made.
"""
import json
import re
import shutil
import subprocess

from mutant import ROOT
from record import digest
from report import said_of

FILES = "."  # where the test programs find what they read: FOLDER, where they are run
READ = ("examples", "validation/reference/answers")


def libraries_of(program):
    """The files that the loader takes, and itself."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    if "not found" in said:
        raise SystemExit(f"{program}:\n{said}")
    return re.findall(r"(?:=> |^\s+)(/\S+) \(", said, re.M)


def tabbed(file, rows):
    file.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))


def pack(folder, build, tests, numbered, record):
    """Writes the pack; `numbered` are the mutants of the build with their numbers."""
    for part in ("programs", "lib"):
        shutil.rmtree(folder / part, ignore_errors=True)
        (folder / part).mkdir(parents=True)
    for part in READ:
        shutil.copytree(ROOT / part, folder / part, dirs_exist_ok=True)
    known = build.listed()
    rows = []
    for name in tests:
        program, *rest = known[name]["command"]
        subprocess.run(["strip", "-o", folder / "programs" / name, program], check=True)
        rows.append((name, *rest))
        for library in libraries_of(program):
            shutil.copy(library, folder / "lib")
    tabbed(folder / "tests", rows)
    tabbed(folder / "mutants", [(number, m.tests, m.name) for number, m in numbered])
    states = {str(number): {"name": m.name} | record.state_of(m) for number, m in numbered}
    text = json.dumps({"commit": record.commit, "mutants": states}, indent=1)
    (folder / "pack.json").write_text(text + "\n")
    (folder / "id").write_text(digest(text) + "\n")
    shutil.copy(ROOT / "validation/mutants/run_packed_host", folder / "run")


def results(file):
    """(number, test, status, seconds, limit, output) of each process that the file tells of."""
    output = []
    for line in file.read_text(errors="replace").split("\n"):
        if line.startswith("| "):
            output.append(line[2:])
        elif line.startswith("mutant "):
            _, number, test, status, seconds, limit = line.split(" ")
            yield number, test, int(status), int(seconds), int(limit), "\n".join(output)
            output = []


def verdict(test, status, seconds, limit, output):
    """As `run` says it; empty if the test has passed."""
    if status == 137 and seconds >= limit:
        return said_of(test, None, output, limit)
    return said_of(test, 128 - status if status > 128 else status, output, limit)


def merge(folder, file, record, survived):
    """Puts the results of a run of the pack into the record; how many there were."""
    expected = (folder / "id").read_text().strip()
    if f"pack {expected}" not in file.read_text(errors="replace").splitlines():
        raise SystemExit(f"{file} is not of the pack {folder}")
    described = json.loads((folder / "pack.json").read_text())
    count = 0
    for number, *result in results(file):
        said = verdict(*result)
        if number == "0":
            if said:
                print(f"fails without a mutant: {said}")
            continue
        state = dict(described["mutants"][number])
        record.put(state.pop("name"), state, said or survived, described["commit"])
        count += 1
    return count
