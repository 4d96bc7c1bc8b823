"""Matrices of ranks: one rank without MPI here, several in tests/ranks/mpi_test."""
import numpy as np
import pytest
import scipy.sparse as sp

import ddla


class OneRank:
    """What is asked of a communicator of mpi4py, where there is nobody to talk to."""

    def Dup(self):
        return self

    def Get_rank(self):
        return 0

    def Get_size(self):
        return 1

    def Allgatherv(self, mine, everything):
        memory, counts = everything
        assert counts == [len(mine)]
        memory[:] = mine

    def Irecv(self, memory, rank):
        raise AssertionError("nobody sends")

    Isend = Irecv


N = 700
A = sp.diags_array([-1.0, 2.5, -1.25], offsets=[-1, 0, 1], shape=(N, N)).tocsr()


def test_one_rank_has_the_bits_of_solve():
    a = ddla.distributed_matrix(OneRank(), A)
    assert a.shape == (N, N) and a.nnz == A.nnz
    assert a.own_rows == a.own_columns == range(N)
    b = ddla.ddarray(np.ones(N))
    for options in ({"method": "bicgstab"}, {}, {"method": "fgmres", "M": "jacobi", "rtol": 1e-20}):
        alone, shared = ddla.solve(A, b, **options), a.solve(b, **options)
        assert shared.status == alone.status == "converged"
        assert (shared.x.words == alone.x.words).all()
        assert shared.iterations == alone.iterations


def test_products_and_sums():
    a = ddla.distributed_matrix(OneRank(), A)
    x = ddla.ddarray(np.arange(1.0, N + 1)) / 3
    assert ((a @ x).words == (ddla.csr_matrix(A) @ x).words).all()
    assert ((a.rmatvec(x)).words == (ddla.csr_matrix(A.T.tocsr()) @ x).words).all()
    ones = np.ones(N)
    assert isinstance(a @ ones, np.ndarray)
    assert a.dot(ones, ones) == N
    assert float(a.nrm2(x)) ** 2 == pytest.approx(float(a.dot(x, x)))


def test_double_double_values():
    third = ddla.ddarray(np.eye(3)) / 3
    a = ddla.distributed_matrix(OneRank(), third)
    assert ((a @ np.ones(3)).words == third.words.sum(axis=2)).all()


def test_what_is_wrong():
    with pytest.raises(ValueError, match="alignment"):
        ddla.distributed_matrix(OneRank(), A, alignment=100)
    with pytest.raises(TypeError, match="real"):
        ddla.distributed_matrix(OneRank(), A * 1j)
    a = ddla.distributed_matrix(OneRank(), A)
    with pytest.raises(ValueError):
        a.solve(np.ones(3))
    with pytest.raises(ValueError, match="ilu"):
        a.solve(np.ones(N), method="bicgstab", M="ilu")
    with pytest.raises(ZeroDivisionError):
        a.solve(np.ones(N), method="bicgstab", callback=lambda now: 1 / 0)


def test_a_callback_ends_it():
    a = ddla.distributed_matrix(OneRank(), A)

    def stop(now):
        if now.iterations >= 3:
            raise StopIteration

    result = a.solve(np.ones(N), method="bicgstab", tolerance=1e-30, callback=stop)
    assert result.interrupted and result.iterations <= 5
