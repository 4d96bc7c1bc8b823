"""A program of mpi4py: the hash of x on its ranks, if that is the one of ddla.solve."""
import numpy as np
import scipy.sparse as sp
from mpi4py import MPI

import ddla

N = 5000
ranks = MPI.COMM_WORLD
A = sp.diags_array([-1.0, 2.5 + 1 / np.arange(1.0, N + 1), -1.25], offsets=[-1, 0, 1], shape=(N, N)).tocsr()
begin = [N * r * r // ranks.size ** 2 for r in (ranks.rank, ranks.rank + 1)]
a = ddla.distributed_matrix(ranks, A[begin[0]:begin[1]])
b = ddla.ddarray(np.ones(begin[1] - begin[0]))
here = a.solve(b, method="bicgstab")
product = a @ np.ones(len(a.own_columns))
assert (product == (ddla.csr_matrix(A) @ np.ones(N))[begin[0]:begin[1]]).all()
if ranks.rank == 0 and here.solution_hash == ddla.solve(A, np.ones(N), method="bicgstab").solution_hash:
    print(here.solution_hash)
