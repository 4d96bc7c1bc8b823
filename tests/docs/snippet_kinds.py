"""What tests/docs/snippets does with a block of each language."""
import os
import re
import shlex
import subprocess
import textwrap

# Commands that another test runs, and which.
ELSEWHERE = [
    (r"^\./scripts/test( release)?$|^cmake --preset release && cmake --build --preset release$|^ctest --preset release -R name$",
     "scripts/test"),
    (r"^cmake --install build", "package_find_package"),
    (r"\$\(pkg-config ", "package_pkg_config"),
    (r"^scripts/package-deb|^apt install \./build-deb", "package_deb"),
    (r"^ctest -R arithmetic$", "arithmetic"),
]
# Commands that no test runs, and why.
NOT_HERE = [
    (r"^\./scripts/start|^pip install|scripts/build-docs|scripts/python-venv", "installs packages and builds the whole project"),
    (r"^\./scripts/test thread|scripts/coverage|cmake (--preset|-S)", "builds the whole project once more"),
    (r"check-format --fix", "changes files of the project"),
    (r"--device|on_device|packed/run", "needs a GPU"),
    (r"FOLDER|MATRICES", "needs a folder of matrices"),
    (r"validation/validate_", "a long run"),
    (r"build/bench/", "a benchmark, which needs -DDDLA_BENCH=ON and minutes"),
]
# What differs from run to run.
TIMES = re.compile(r"\d+(\.\d+)?(e[-+]?\d+)? (s|ms|us|ns|microseconds)\b|\d+ threads?\b")
FLAGS = ["-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable",
         "-Wno-unused-but-set-variable", "-Wno-unused-parameter"]


def same_output(shown, said):
    def plain(text):
        return [" ".join(TIMES.sub("*", line).split()) for line in text.rstrip("\n").splitlines()]

    return plain(shown) == plain(said)


def is_program(block):
    return re.search(r"\bmain\s*\(|^program \w+", block.text, re.M) is not None


class Runner:
    def __init__(self, top, work, options):
        self.top, self.work, self.options = top, work, options
        self.passed, self.failed, self.skipped, self.elsewhere = [], [], [], []
        self.parts, self.sessions = {}, {}
        self.build = os.path.realpath(options.build)
        for name, target in (("build", self.build), ("examples", f"{top}/examples"), ("scripts", f"{top}/scripts")):
            os.symlink(target, os.path.join(work, name))
        self.environment = dict(os.environ, PATH=f"{self.build}/bin:{os.environ['PATH']}",
                                LIBRARY_PATH=f"{self.build}/bindings/c",
                                LD_LIBRARY_PATH=f"{self.build}/src:{self.build}/bindings/c",
                                PYTHONPATH=f"{self.build}/python", PYTHONDONTWRITEBYTECODE="1")
        os.makedirs(f"{work}/share/ddla")
        os.symlink(f"{top}/bindings/fortran", f"{work}/share/ddla/fortran")
        self.has_device = "0  " in self.run(["build/bin/ddla", "devices"]).stdout
        self.make_files()

    def make_files(self):
        """The names that pages give to a matrix, a right-hand side, an answer and a program."""
        with open(os.path.join(self.work, "program.f90"), "w", encoding="utf-8") as file:
            file.write("use ddla\nprint *, ddla_text(dd(1) / dd(3))\nend\n")
        for name in ("A.mtx", "a.mtx"):
            os.symlink("examples/494_bus.mtx", os.path.join(self.work, name))
        self.run(["bash", "-c", "gzip -c examples/494_bus.mtx > A.mtx.gz && (echo '%%MatrixMarket matrix array real "
                  "general'; echo 494 1; yes 1 | head -494) > b.mtx && build/bin/ddla solve A.mtx --quiet --output x.mtx"])

    # ---- One block ---------------------------------------------------------------------------

    def add(self, block):
        kind, rest = block.mark or ("", "")
        if kind == "skip":
            self.skipped.append((block.name, rest))
        elif kind == "by":
            self.by(block, rest)
        elif kind == "file":
            with open(os.path.join(self.work, rest), "w", encoding="utf-8") as file:
                file.write(block.text)
        elif block.language == "cmake":
            self.elsewhere.append((block.name, "package_find_package"))
        elif block.language in ("sh", "console"):
            for command, shown in self.commands(block):
                self.command(block, command, shown)
        elif block.language == "python":
            self.sessions.setdefault(block.page, []).append(block)
        elif is_program(block):
            self.program(block, shlex.split(rest) if kind == "run" else ["A.mtx"])
        else:
            self.parts.setdefault((block.language, kind), []).append(block)

    def finish(self):
        for page, blocks in self.sessions.items():
            self.session(page, blocks)
        for (language, frame), blocks in self.parts.items():
            self.compile_parts(language, frame, blocks)

    def check(self, name, done, good=True):
        if done.returncode == 0 and good:
            self.passed.append(name)
        else:
            self.failed.append((name, f"exit status {done.returncode}\n{done.stdout}{done.stderr}"))

    def run(self, command, **more):
        return subprocess.run(command, cwd=self.work, env=self.environment, capture_output=True, text=True,
                              timeout=300, check=False, stdin=subprocess.DEVNULL, **more)

    def by(self, block, test):
        listed = []
        for folder, _, names in os.walk(f"{self.top}/tests"):
            listed += [open(os.path.join(folder, n), encoding="utf-8").read() for n in names if n == "CMakeLists.txt"]
        part = test.removeprefix("package_")
        if any(f"NAME {test}" in text or f"({test} " in text or f"package_test({part})" in text for text in listed):
            self.elsewhere.append((block.name, test))
        else:
            self.failed.append((block.name, f"there is no test {test}"))

    # ---- Commands ----------------------------------------------------------------------------

    @staticmethod
    def commands(block):
        """Each command, and in console blocks what is shown after it."""
        if block.language == "sh":
            joined = block.text.replace("\\\n", " ")
            return [(line, None) for line in joined.splitlines() if line.strip() and not line.startswith("#")]
        found = []
        for line in block.text.splitlines():
            if line.startswith("$ "):
                found.append([line[2:], ""])
            else:
                found[-1][1] += line + "\n"
        return found

    def command(self, block, command, shown):
        name = f"{block.name}: {command.split('  #')[0].strip()}"
        plain = re.sub(r"\s+#.*", "", command)
        for pattern, test in ELSEWHERE:
            if re.search(pattern, plain):
                self.elsewhere.append((name, test))
                return
        for pattern, why in NOT_HERE:
            if re.search(pattern, plain):
                self.skipped.append((name, why))
                return
        if "--place device" in command and not self.has_device:
            self.skipped.append((name, "needs a GPU"))
            return
        program = os.path.join(self.work, command.split()[0])
        if command.startswith("build/") and not os.path.exists(program):
            self.skipped.append((name, f"{command.split()[0]} is not built here"))
            return
        done = self.run(["bash", "-o", "pipefail", "-c", command])
        self.picture(name, command)
        if shown is None:
            self.check(name, done)
        elif same_output(shown, done.stdout):
            self.passed.append(name)
        else:
            self.failed.append((name, f"shown:\n{shown}\nsaid:\n{done.stdout}{done.stderr}"))

    def picture(self, name, command):
        """A picture that the command has drawn, beside the one of that name that the pages show."""
        drawn = re.search(r"--plot (\S+\.svg)", command)
        kept = os.path.join(self.top, "docs", drawn[1]) if drawn else ""
        if not os.path.exists(kept):
            return
        with open(kept, "rb") as shown, open(os.path.join(self.work, drawn[1]), "rb") as now:
            same = shown.read() == now.read()
        (self.passed if same else self.failed).append(
            f"{name}: picture" if same else (name, f"docs/{drawn[1]} is not what the command draws"))

    # ---- Programs ----------------------------------------------------------------------------

    def compiler(self, language):
        """The command up to the source, what comes after it, and why not."""
        library = [f"-L{self.build}/src", f"-L{self.build}/bindings/c"]
        if language == "cpp":
            return ["c++", "-std=c++20", "-I", f"{self.top}/include", "-I", f"{self.build}/include", *FLAGS], [
                *library, "-lddla"]
        if language == "c":
            return ["cc", "-std=c11", "-I", f"{self.top}/bindings/c", *FLAGS], [*library, "-lddla_c", "-lm"]
        return ["gfortran", "-ffp-contract=off", "-J", self.work, "-I", f"{self.build}/bindings/fortran/modules"], [
            f"-L{self.build}/bindings/fortran", "-lddla_fortran", *library, "-lddla_c"]

    def compile(self, language, text, more=(), link=True):
        """The program of a text, and what the compiler said."""
        before, after = self.compiler(language)
        source = os.path.join(self.work, "shown." + {"cpp": "cpp", "c": "c", "fortran": "f90"}[language])
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        out = ["-o", os.path.join(self.work, "shown"), *after] if link else ["-fsyntax-only"]
        return self.run([*before, *more, source, *out])

    def built_for(self, language):
        """Why programs in it cannot be compiled here, or nothing."""
        needs = {"cpp": "src/libddla.so", "c": "bindings/c/libddla_c.so", "fortran": "bindings/fortran/modules/ddla.mod"}[language]
        return "" if os.path.exists(f"{self.build}/{needs}") else f"this build has no {needs}"

    def program(self, block, arguments):
        if why := self.built_for(block.language):
            self.skipped.append((block.name, why))
            return
        done = self.compile(block.language, block.text)
        if done.returncode == 0:
            done = self.run([os.path.join(self.work, "shown"), *arguments])
        self.check(block.name, done)

    def compile_parts(self, language, frame, blocks):
        """All parts of a frame as functions of one program, which calls them in order."""
        link, more = True, []
        why = self.built_for(language)
        if frame == "petsc":
            link, more = False, (self.options.petsc or "").split() + ["-I", f"{self.top}/examples/petsc"]
            why = why or ("" if self.options.petsc else "needs PETSc")
        if frame == "cuda":
            link, more = False, ["-I", self.options.cuda or ""]
            why = why or ("" if self.options.cuda else "needs a CUDA toolkit")
        if why:
            self.skipped += [(b.name, why) for b in blocks]
            return
        text = self.framed(language, frame, blocks)
        done = self.compile(language, text, more, link)
        if done.returncode == 0 and link:
            done = self.run([os.path.join(self.work, "shown")])
        for block in blocks:
            self.check(block.name, done)

    def framed(self, language, frame, blocks):
        suffix = {"cpp": "cpp", "c": "c", "fortran": "f90"}[language]
        with open(f"{self.top}/tests/docs/frames/{frame or 'plain'}.{suffix}.in", encoding="utf-8") as file:
            whole = file.read()
        head, body, tail = re.split(r"^.*PARTS.*\n", whole, flags=re.M)
        shown = [block.given + block.text for block in blocks]
        text = "".join(sorted({f"{line}\n" for part in shown for line in re.findall(r"^#include .*", part, re.M)})) + head
        for i, part in enumerate(shown):
            inside = textwrap.indent(re.sub(r"^#include .*\n", "", part, flags=re.M), "    ")
            text += body.replace("NAME", f"part_{i}").replace("    TEXT;\n", inside)
        calls = "".join(f"    call part_{i}\n" if language == "fortran" else f"    part_{i}();\n"
                        for i in range(len(blocks)))
        return text + tail.replace("    CALLS;\n", calls)

    # ---- Python ------------------------------------------------------------------------------

    def session(self, page, blocks):
        """All blocks of a page in one process; statements count one case, examples each."""
        if not self.options.python:
            self.skipped += [(b.name, "this build has no ddla for Python") for b in blocks]
            return
        text = "\n\f\n".join(f"{b.line}\n{b.given}{b.text}" for b in blocks)
        done = self.run([self.options.python, f"{self.top}/tests/docs/python_session.py", text])
        failures = dict(re.findall(r"^\x01(\d+)\n(.*?)^\x02$", done.stdout, re.M | re.S))
        for block in blocks:
            said = failures.get(str(block.line))
            if said is None and (done.returncode == 0 or failures):
                self.passed.append(block.name)
            else:
                self.failed.append((block.name, said or done.stdout + done.stderr))
