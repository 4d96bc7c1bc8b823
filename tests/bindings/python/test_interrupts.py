"""Ctrl-C ends long work by KeyboardInterrupt, and leaves what was there."""
import os
import signal
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp

import ddla


def laplace(n):
    return sp.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(n, n), format="csr")


@pytest.mark.parametrize("watched", [False, True])
def test_ctrl_c_ends_a_solve(watched):
    a, b = laplace(200_000), np.ones(200_000)
    timer = threading.Timer(0.3, signal.raise_signal if watched else os.kill,
                            [signal.SIGINT] if watched else [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ddla.solve(a, b, method="bicgstab", tolerance=0, max_iterations=10**8,
                   callback=(lambda p: None) if watched else None)
    timer.join()
    assert ddla.solve(laplace(5), np.ones(5)).converged


def grid(n):
    d = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    e = sp.eye_array(n)
    return sp.csr_array(sp.kron(sp.kron(d, e), e) + sp.kron(sp.kron(e, d), e) + sp.kron(sp.kron(e, e), d))


def seconds_to_end(work):
    """From a Ctrl-C after 0.3 s to its KeyboardInterrupt."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    timer.join()
    return time.monotonic() - sent[0]


@pytest.mark.parametrize("make", [
    lambda a: ddla.lu_factors(a, precision="dd", most_work=1e6),
    lambda a: ddla.Preconditioner("ilu", a, fill=60, most_work=1e6, most_fill=1e6),
    lambda a: ddla.Preconditioner("ilut", a, drop=1e-30, fill=100_000, most_work=1e6, most_fill=1e6),
    lambda a: ddla.Preconditioner("block_jacobi", a, block_rows=64_000, most_work=1e6, most_fill=1e6),
])
def test_ctrl_c_ends_factors_in_the_making(make):
    # Without it each takes a minute or more; 0.2 s on a machine that does nothing else.
    assert seconds_to_end(lambda: make(ddla.csr_matrix(grid(40)))) < 10
    assert ddla.lu_factors(laplace(5)).solve(np.ones(5)).shape == (5,)


def test_ctrl_c_ends_solves_with_factors():
    f, b = ddla.lu_factors(grid(20), "dd"), np.ones((8000, 1000))
    assert seconds_to_end(lambda: f.solve(b)) < 10  # some 10 s without


def test_ctrl_c_ends_reading_of_a_pipe_that_nobody_writes(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)
    try:
        assert seconds_to_end(lambda: ddla.read_matrix(pipe)) < 10
    finally:
        os.close(writer)
