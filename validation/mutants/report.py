"""How a run tells whether a test has failed, and the table of results.  Needs no sources: a pack
for a device takes it along."""
import os
import re
import subprocess


def failure_of(name, command, folder, limit, **variables):
    """Who noticed that something is wrong; empty if the test passes."""
    # The C library fills freed memory: what a fault leaves out is not there by chance.
    environment = dict(os.environ, MALLOC_PERTURB_="165", **variables)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              cwd=folder, env=environment, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"`{name}`: time limit of {limit:.0f} s"
    return f"`{name}`: {failed_case(done.stdout) or last_line(done)}" if done.returncode else ""


def failed_case(output):
    """The case of Catch2 that failed first: between two lines of dashes, sections indented."""
    before = output.split(": FAILED:")[0] if ": FAILED:" in output else ""
    headers = re.findall(r"^-{79}\n(.+?)\n-{79}$", before, re.M | re.S)
    lines = headers[-1].splitlines() if headers else []
    return " ".join(line.strip() for line in lines if not line.startswith("  "))


def last_line(done):
    if done.returncode < 0:
        return f"signal {-done.returncode}"
    return ((done.stdout + done.stderr).strip().splitlines() or [f"status {done.returncode}"])[-1]


def table_of(rows):
    """Markdown, of (name, file, what the last column says)."""
    bar = lambda text: text.replace("|", "\\|")
    head = ["| mutant | file | caught by |", "|---|---|---|"]
    return head + [f"| {bar(name)} | `{file}` | {bar(said)} |" for name, file, said in rows]
