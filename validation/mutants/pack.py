"""Packs the mutants of device code, to be run where there is a GPU.

    validation/mutants/run --device ['NAME*'...]     into WORK/packed

A folder for each mutant holds its device_suite, linked statically; `original` holds that of the
sources as they are.  Copy WORK/packed to a machine with a GPU and Python 3, and run packed/run there.
"""
import json
import shutil
import subprocess
import sys

from mutant import ROOT, copy_sources

FLAGS = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DDDLA_CUDA=ON", "-DDDLA_TESTS=ON"]
CASES_OF = ROOT / "validation/mutants"


class DeviceBuild:
    def __init__(self, work, jobs):
        self.tree, self.jobs = work / "source", jobs
        self.folder = self.tree / "build"  # as in the sources: ccache knows what was built there
        copy_sources(self.tree)
        names = ("CXX", "CUDA") if shutil.which("ccache") else ()
        launchers = [f"-DCMAKE_{name}_COMPILER_LAUNCHER=ccache" for name in names]
        done = subprocess.run(["cmake", "-S", self.tree, "-B", self.folder, *FLAGS, *launchers])
        if done.returncode != 0:
            sys.exit("the build with device code cannot be configured")

    def suite_into(self, folder):
        """Builds device_suite, and puts it stripped into `folder`; whether it compiled."""
        done = subprocess.run(["ninja", "-C", self.folder, "-j", str(self.jobs), "device_suite"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stdout[-2000:])
            return False
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["strip", "-o", folder / "device_suite",
                        self.folder / "tests/device/device_suite"], check=True)
        return True


def pack(mutants, options):
    """Builds them one after the other; whether all compiled."""
    options.work.mkdir(parents=True, exist_ok=True)
    packed = options.work / "packed"
    build = DeviceBuild(options.work, options.jobs)
    if not build.suite_into(packed / "original"):
        sys.exit("does not build without a mutant")
    built = []
    for number, mutant in enumerate(mutants, 1):
        folder = f"mutant-{number:02}"
        mutant.apply(build.tree)
        try:
            compiled = build.suite_into(packed / folder)
        finally:
            mutant.restore(build.tree)
        print(f"{number}/{len(mutants)} {mutant.name}:", "packed" if compiled else "does not compile",
              flush=True)
        if compiled:
            built.append({"folder": folder, "name": mutant.name, "file": mutant.file,
                          "cases": mutant.tests})
    (packed / "mutants.json").write_text(json.dumps(built, indent=1))
    shutil.copy(CASES_OF / "report.py", packed)
    shutil.copy(CASES_OF / "run_packed", packed / "run")
    print(f"Copy {packed} to a machine with a GPU and run packed/run there.")
    return len(built) == len(mutants)
