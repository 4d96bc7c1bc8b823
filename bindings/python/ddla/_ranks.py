"""distributed_matrix: rows that are shared among ranks of MPI."""
from __future__ import annotations

import json
import sys
from typing import Any, Callable, Unpack

import numpy as np

from . import _core
from ._advice import after_solve
from ._array import ddarray
from ._dd import dd
from ._matrix import array_of, csr_matrix, vector_words
from ._options import SolveOptions, in_own_names, named
from ._result import SolveResult, from_zero
from ._solve import Progress, _asked, _precision, _watch


class _Messages:
    """What the core asks of a communicator of mpi4py: it moves bytes, and never adds."""

    _piece = 1 << 30  # bytes of a message of MPI, at most

    def __init__(self, comm: Any) -> None:
        self._comm = comm.Dup()  # messages of ddla and of others never meet
        self._requests: list[Any] = []

    def all_gather(self, mine: memoryview, everything: memoryview, counts: list[int]) -> None:
        if len(everything) < 2 * self._piece:
            self._comm.Allgatherv(mine, [everything, counts])
            return
        at = np.concatenate([[0], np.cumsum(counts)])
        me = self._comm.Get_rank()
        everything[at[me]:at[me + 1]] = mine
        others = [r for r in range(len(counts)) if r != me]
        self.start_exchange([(r, mine) for r in others], [(r, everything[at[r]:at[r + 1]]) for r in others])
        self.finish_exchange()

    def start_exchange(self, sent: list[tuple[int, memoryview]], received: list[tuple[int, memoryview]]) -> None:
        for begin, messages in ((self._comm.Irecv, received), (self._comm.Isend, sent)):
            for rank, memory in messages:
                for at in range(0, len(memory), self._piece):
                    self._requests.append(begin(memory[at:at + self._piece], rank))

    def fail(self, why: str) -> None:
        """An error of this rank alone: the others would wait for it."""
        if self._comm.Get_size() > 1:
            print(f"ddla: {why} (rank {self._comm.Get_rank()})", file=sys.stderr, flush=True)
            self._comm.Abort(3)

    def finish_exchange(self) -> None:
        for request in self._requests:
            request.Wait()
        self._requests.clear()


class distributed_matrix:
    """A, of which each rank of an mpi4py communicator has some rows (docs/ranks.md).

    ``distributed_matrix(MPI.COMM_WORLD, rows)``: rows is what csr_matrix takes, this rank's rows, which
    follow those of the ranks before it; its columns are those of the whole matrix.  Vectors are
    the parts of this rank: b has the elements of its rows, x those of `own_columns`, which are the
    rows where A is square.  Results have the same bits for any number of ranks.  Every rank makes the
    same calls.

    alignment: inside, ranks begin at multiples of it; blocks of M="block_jacobi" divide it.
    Raises as csr_matrix; what is wrong on one rank is raised on all.
    """

    def __init__(self, comm: Any, rows: Any, *, alignment: int = 256) -> None:
        own = csr_matrix(rows)
        if own.is_complex:
            raise TypeError("a distributed_matrix is real")
        messages = _Messages(comm)
        rank, size = int(comm.Get_rank()), int(comm.Get_size())
        mine, counts = own.shape[0].to_bytes(8, "little"), bytearray(8 * size)
        messages.all_gather(memoryview(mine), memoryview(counts), [8] * size)
        rows_of_all = sum(int.from_bytes(counts[8 * r:8 * r + 8], "little") for r in range(size))
        self._core = _core.share_rows(messages, rank, size, own._on_host("a distributed_matrix"), rows_of_all, alignment)
        all_rows, columns, self.nnz, first, count, first_column, own_columns = self._core.shape()
        self.shape = (all_rows, columns)
        self.own_rows, self.own_columns = range(first, first + count), range(first_column, first_column + own_columns)

    def __matmul__(self, x: Any) -> Any:
        """A x, in double where x is."""
        precision, words = self._words(x, "x", len(self.own_columns))
        return array_of(self._core.multiply(words, precision, False))

    def rmatvec(self, x: Any) -> Any:
        """A^T x; the first call makes A^T."""
        precision, words = self._words(x, "x", len(self.own_rows))
        return array_of(self._core.multiply(words, precision, True))

    def dot(self, x: Any, y: Any) -> dd | float:
        """The sum of x_i y_i over all ranks, of vectors with the elements of own_rows."""
        both = isinstance(x, ddarray) or isinstance(y, ddarray)
        precision = "dd" if both else "double"
        n = len(self.own_rows)
        return self._number(self._core.dot(vector_words(x, n, "x", precision), vector_words(y, n, "y", precision), precision))

    def nrm2(self, x: Any) -> dd | float:
        """The square root of dot(x, x), without overflow."""
        precision, words = self._words(x, "x", len(self.own_rows))
        return self._number(self._core.nrm2(words, precision))

    @named(SolveOptions)
    def solve(self, b: Any, x0: Any = None, *, method: str = "auto", M: str | None = None, precision: str = "dd",
              callback: Callable[[Progress], Any] | None = None, **options: Unpack[SolveOptions]) -> SolveResult:
        """As ddla.solve, of parts of b and x0; the result has this rank's part of x, and the hash of all.

        M: None, "jacobi", "block_jacobi" or "polynomial".  A callback that ends the solve on one rank
        ends it on all.
        """
        _precision(precision)
        own = in_own_names(dict(options), b, len(self.own_rows))
        asked = _asked({"method": method, "precision": precision, "x0": x0, "M": M, "callback": callback} | own)
        columns = len(self.own_columns)
        b_words = vector_words(b, len(self.own_rows), "b", precision)
        x_words = vector_words(np.zeros(columns) if x0 is None else x0, columns, "x0", precision)
        x, history, report = self._core.solve(b_words, x_words, precision, {
            "method": method, "callback": _watch(callback), "precond": M or "none", **own})
        fields = from_zero(json.loads(report)["solves"][0])
        return SolveResult(array_of(x), None, history, fields, after_solve(fields, asked, False, self.shape[1]))

    def _words(self, x: Any, name: str, n: int) -> tuple[str, Any]:
        precision = "dd" if isinstance(x, ddarray) else "double"
        if self._is_dd and precision == "double":
            precision = "dd"
        return precision, vector_words(x, n, name, precision)

    @property
    def _is_dd(self) -> bool:
        return bool(self._core.is_dd)

    @staticmethod
    def _number(words: Any) -> dd | float:
        value = array_of(words)[0]
        return value if isinstance(value, dd) else float(value)
