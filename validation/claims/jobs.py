"""Runs parts of the claims in processes of their own, some at a time, and joins their tallies."""
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import time

from tally import Tally


def part(look, pipe):
    os.setsid()  # to be ended together with its children
    tally = Tally()
    for _ in look(tally):
        pipe.send(tally)


class Part:
    """A process that looks at one matrix, and what it has told so far."""

    def __init__(self, name, look):
        self.name, self.tally = name, Tally()
        self.pipe, there = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.get_context("fork").Process(target=part, args=(look, there))
        self.process.start()
        there.close()

    def has_ended(self):
        """Takes what was sent.  Raises RuntimeError where the process failed."""
        try:
            self.tally = self.pipe.recv()
            return False
        except EOFError:
            self.process.join()
            if self.process.exitcode:
                raise RuntimeError(f"{self.name}: its process failed") from None
            return True

    def end(self):
        while self.pipe.poll() and not self.has_ended():
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.join()


def joined(parts, jobs, seconds):
    """The tally of all parts, (name, generator function of a tally) each, `jobs` at a time, begun in
    their order.  After `seconds` (None: no limit) no part begins, and those that run are ended: they
    count as far as they came, and as skipped."""
    until = time.monotonic() + seconds if seconds else None
    left = lambda: max(0.0, until - time.monotonic()) if until else None  # noqa: E731
    waiting, running, whole = list(parts), {}, Tally()
    while (waiting or running) and left() != 0:
        while waiting and len(running) < jobs:
            new = Part(*waiting.pop(0))
            running[new.pipe] = new
        for pipe in multiprocessing.connection.wait(list(running), left()):
            if running[pipe].has_ended():
                whole.join(running.pop(pipe).tally)
    for one in running.values():
        one.end()
        whole.join(one.tally)
        whole.skip("matrices", "ended by --seconds")
        print(f"{one.name}: ended by --seconds", flush=True, file=sys.stderr)
    for _ in waiting:
        whole.skip("matrices", "not begun in --seconds")
    return whole
