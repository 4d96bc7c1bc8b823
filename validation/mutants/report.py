"""How a run tells whether a test has failed, and the table of results.  Needs no sources: a pack
for a device takes it along."""
import os
import re
import signal
import subprocess
import tempfile


def failure_of(name, command, folder, limit, **variables):
    """Who noticed that something is wrong; empty if the test passes."""
    # The C library fills freed memory: what a fault leaves out is not there by chance.
    environment = dict(os.environ, MALLOC_PERTURB_="165", **variables)
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, cwd=folder, env=environment,
                                   start_new_session=True)
        status = status_within(process, limit)
        output.seek(0)
        return said_of(name, status, output.read().decode(errors="replace"), limit)


def said_of(name, status, output, limit):
    """Who noticed that something is wrong; empty if nobody did.  No status: the limit has ended it."""
    if status is None:
        return f"`{name}`: time limit of {limit:.0f} s"
    return f"`{name}`: {failed_case(output) or last_line(status, output)}" if status else ""


def status_within(process, limit):
    """Its exit status; None if it is still running after `limit` seconds, and so is killed with all
    that it has started."""
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
    try:
        # The driver ends kernels first.  Should it not, the others are run nevertheless.
        process.wait(30)
    except subprocess.TimeoutExpired:
        print(f"process {process.pid} cannot be killed", flush=True)
    return None


def failed_case(output):
    """The case of Catch2 that failed first: between two lines of dashes, sections indented."""
    before = output.split(": FAILED:")[0] if ": FAILED:" in output else ""
    headers = re.findall(r"^-{79}\n(.+?)\n-{79}$", before, re.M | re.S)
    lines = headers[-1].splitlines() if headers else []
    return " ".join(line.strip() for line in lines if not line.startswith("  "))


def last_line(status, output):
    if status < 0:
        return f"signal {-status}"
    return (output.strip().splitlines() or [f"status {status}"])[-1]


def table_of(rows):
    """Markdown, of (name, file, what the last column says)."""
    bar = lambda text: text.replace("|", "\\|")
    head = ["| mutant | file | caught by |", "|---|---|---|"]
    return head + [f"| {bar(name)} | `{file}` | {bar(said)} |" for name, file, said in rows]
