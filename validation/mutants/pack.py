"""Packs the mutants of device code, to be run where there is a GPU.

    validation/mutants/run --device ['NAME*'...]     into WORK/packed

One build of device_suite holds all mutants, each beside what it replaces: a build for each would
take 15 minutes of a processor and 33 MB.  A number says which of the two runs: host code reads it
from the environment, device code from a constant that packed/run writes into its copy of the
program (mutant.py).  So code for the GPU is stored as it is, for one architecture, and the whole is
compressed.  The optimisation is that of the release: with another one the kernels would be others.
Copy WORK/packed to a machine with a GPU of that architecture and Python 3; run packed/run there.
"""
import json
import lzma
import os
import shutil
import subprocess
import sys

from mutant import CHOICE, CHOICE_ON_DEVICE, MARK, ROOT, copy_sources

FLAGS = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DDDLA_CUDA=ON", "-DDDLA_TESTS=ON",
         "-DDDLA_TOOLS=OFF", "-DCMAKE_CUDA_ARCHITECTURES=90-real", "-DCMAKE_CUDA_FLAGS=--no-compress"]
HERE = ROOT / "validation/mutants"
DEVICE = "src/device/"


def fault_in(file):
    """What holds the number of the mutant in this file, and the text that defines it."""
    if file.endswith(".cpp"):
        return CHOICE, "ddla_seeded_fault"
    if file.startswith("include/"):
        return CHOICE_ON_DEVICE, "DDLA_FAULT_AT_RUN_TIME"
    return CHOICE_ON_DEVICE, "DDLA_FAULT" if file.startswith(DEVICE) else "DDLA_FAULT_ON_DEVICE"


def seeded(mutants):
    """The text of each file that has a fault.  Numbers begin with 1: 0 is the original."""
    changed = {}
    for number, mutant in enumerate(mutants, 1):
        text = changed.get(mutant.file) or (ROOT / mutant.file).read_text()
        changed[mutant.file] = mutant.as_choice(text, number, *fault_in(mutant.file))
    return changed


class DeviceBuild:
    """A build of the copy of the sources.  Headers with faults of the device alone are in a second
    copy, of which only nvcc knows: what g++ compiles is as in any other build, and ccache has it."""

    def __init__(self, work, mutants, jobs):
        self.tree, of_nvcc, self.jobs = work / "source", work / "device_only", jobs
        self.folder = self.tree / "build"  # as in the sources: ccache knows what was built there
        changed = seeded(mutants)
        copy_sources(self.tree, {f: text for f, text in changed.items() if f.startswith(DEVICE)})
        copy_sources(of_nvcc, changed, ("include", "src/steps", "src/formats"))
        first = f"-I{of_nvcc}/include -I{of_nvcc}/src"
        self.environment = dict(os.environ, NVCC_PREPEND_FLAGS=first)

    def must(self, *command):
        done = subprocess.run(list(map(str, command)), env=self.environment)
        if done.returncode != 0:
            sys.exit("the mutants of device code do not build")

    def suite(self):
        """The stripped program."""
        names = ("CXX", "CUDA") if shutil.which("ccache") else ()
        launchers = [f"-DCMAKE_{name}_COMPILER_LAUNCHER=ccache" for name in names]
        self.must("cmake", "-S", self.tree, "-B", self.folder, *FLAGS, *launchers)
        self.must("ninja", "-C", self.folder, "-j", self.jobs, "device_suite")
        stripped = self.folder / "device_suite.stripped"
        self.must("strip", "-o", stripped, self.folder / "tests/device/device_suite")
        return stripped.read_bytes()


def pack(mutants, options):
    """True, or it exits."""
    options.work.mkdir(parents=True, exist_ok=True)
    packed = options.work / "packed"
    packed.mkdir(exist_ok=True)
    program = DeviceBuild(options.work, mutants, options.jobs).suite()
    if MARK not in program:
        sys.exit("device code of the program does not hold the number of a mutant")
    (packed / "device_suite.xz").write_bytes(lzma.compress(program, preset=3))
    listed = [{"number": number, "name": m.name, "file": m.file, "cases": m.tests}
              for number, m in enumerate(mutants, 1)]
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--exclude", "*"],
                            capture_output=True, text=True).stdout.strip()
    described = {"commit": commit, "mark": list(MARK), "mutants": listed}
    (packed / "mutants.json").write_text(json.dumps(described, indent=1))
    shutil.copy(HERE / "report.py", packed)
    shutil.copy(HERE / "run_packed", packed / "run")
    print(f"Copy {packed} to a machine with a GPU and run packed/run there.")
    return True
