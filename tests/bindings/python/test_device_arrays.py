"""Arrays on a device without one: what their protocols say is read and refused, nothing is touched."""
import numpy as np
import pytest

import ddla
from ddla import _core, ddarray, device_array


class Fake:
    """An array with __cuda_array_interface__; its memory is on the host."""

    def __init__(self, array, **changes):
        self.array = array
        self.interface = {"shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, False),
                          "strides": None if array.flags.c_contiguous else array.strides, "version": 3, **changes}

    @property
    def __cuda_array_interface__(self):
        return self.interface


class FakeDLPack:
    def __init__(self, kind, index=0):
        self.place = (kind, index)

    def __dlpack_device__(self):
        return self.place

    def __dlpack__(self, **arguments):
        raise AssertionError("nobody may ask")


def laplace(n=4):
    i = np.arange(n)
    value = np.r_[np.full(n, 2.5), np.full(2 * (n - 1), -1.0)]
    return ddla.csr_matrix.from_coordinates(np.r_[i, i[1:], i[:-1]], np.r_[i, i[:-1], i[1:]], value, (n, n))


@pytest.fixture
def no_device():
    if _core.devices():
        pytest.skip("there is a device: what happens without one is not seen here")
    return _core.why_no_device()


@pytest.fixture
def feigned_device(monkeypatch):
    """Addresses count as those of device 0; returned are the streams that were waited for."""
    waited = []
    monkeypatch.setattr(_core, "devices", lambda: 1)
    monkeypatch.setattr(_core, "place_of_memory", lambda pointer: 0)
    monkeypatch.setattr(_core, "wait_for_stream", lambda device, stream: waited.append((device, stream)))
    monkeypatch.setattr(_core, "wait_for_device", lambda device: waited.append((device, "default")))
    return waited


def test_without_a_device_each_way_in_says_so(no_device):
    a, fake = laplace(), Fake(np.ones(4))
    numbers = [Fake(x) for x in a.arrays()]
    ways = {"b is": lambda: ddla.solve(a, fake), "x0 is": lambda: ddla.solve(a, np.ones(4), fake),
            "x is": lambda: a @ fake, "words is": lambda: device_array.from_words(fake),
            "A.indptr is": lambda: ddla.csr_matrix.from_arrays(*numbers, (4, 4)),
            "b is on": lambda: ddla.cg(a, FakeDLPack(2)), "device_array is": lambda: device_array(np.ones(4)),
            "x is on": lambda: ddla.check(a, np.ones(4), fake)}
    for words, way in ways.items():
        with pytest.raises(ddla.ResourceError) as refused:
            way()
        assert words in str(refused.value) and no_device in str(refused.value)
    with pytest.raises(ddla.ResourceError):
        a.to_device()


def test_devices_of_others_are_named():
    for way in (lambda x: ddla.solve(laplace(), x), lambda x: device_array.from_words(x)):
        with pytest.raises(ValueError, match="device 3 of type 10 of DLPack"):
            way(FakeDLPack(10, 3))


def test_an_array_of_the_host_is_none_of_a_device():
    with pytest.raises(TypeError, match="words is on the host, a ndarray"):
        device_array.from_words(np.ones(3))
    with pytest.raises(ValueError, match=r"x has shape \(2, 2\)"):
        device_array(np.ones((2, 2)))


def test_what_works_on_the_host_takes_no_array_of_a_device():
    class Willing(FakeDLPack):  # as JAX, which copies where numpy asks
        def __array__(self, *given, **more):
            raise AssertionError("nobody may ask")

    a, b = laplace(), Willing(2)
    f = ddla.lu_factors(a)
    for way in (lambda: f.solve(b), lambda: ddarray(b), lambda: ddarray(b, b), lambda: ddarray(np.ones(4)).dot(b),
                lambda: ddla.csr_matrix.from_coordinates(b, b, b, (4, 4)),
                lambda: ddla.csr_matrix.from_coordinates([0], [0], b, (4, 4)),
                lambda: ddla._matrix.vector_words(b, 4, "r", "dd")):
        with pytest.raises(TypeError, match="on a device, this works on the host"):
            way()


def test_an_address_of_the_host_is_refused(monkeypatch):
    monkeypatch.setattr(_core, "devices", lambda: 1)
    monkeypatch.setattr(_core, "place_of_memory", lambda pointer: -1)
    with pytest.raises(ValueError, match="b.__cuda_array_interface__ has an address of the host"):
        ddla.solve(laplace(), Fake(np.ones(4)))


@pytest.mark.parametrize("change, kind, text", [
    ({"version": 1}, ValueError, "version 1 of __cuda_array_interface__"),
    ({"version": 4}, ValueError, "version 4"),
    ({"mask": object()}, TypeError, "mask"),
    ({"stream": 0}, ValueError, "stream 0, which the protocol forbids"),
    ({"typestr": "<f4"}, TypeError, "words on device 0 has dtype float32: float64 is needed"),
    ({"typestr": ">f8"}, TypeError, "dtype >f8"),
    ({"typestr": "<c16"}, TypeError, "dtype complex128"),
    ({"strides": (16,)}, ValueError, r"of shape \(4,\), is not C-contiguous"),
    ({"shape": (2, 2), "strides": (8, 16)}, ValueError, "not C-contiguous"),
    ({"shape": (4, 1)}, ValueError, r"has shape \(4, 1\): \(n,\), or \(2, n\)"),
    ({"shape": (1, 2, 2)}, ValueError, r"has shape \(1, 2, 2\)"),
])
def test_what_the_cuda_interface_says_is_checked(feigned_device, change, kind, text):
    with pytest.raises(kind, match=text):
        device_array.from_words(Fake(np.ones(4), **change))


def test_the_stream_of_the_cuda_interface_is_waited_for(feigned_device):
    for stream, waited in ((None, []), (1, [(0, 1)]), (2, [(0, 2)]), (4711, [(0, 4711)])):
        feigned_device.clear()
        device_array.from_words(Fake(np.ones(4), stream=stream))
        assert feigned_device == waited
    device_array.from_words(Fake(np.ones(4), version=2))


@pytest.mark.parametrize("words", [np.arange(6.0), np.arange(12.0).reshape(2, 6), np.ones((2, 1)), np.ones(1)])
def test_memory_is_passed_on_as_it_is(feigned_device, words):
    x = device_array.from_words(Fake(words))
    assert x.shape == (words.shape[-1],) == (len(x),) and x.device == 0
    assert x.precision == ("dd" if words.ndim == 2 else "double")
    for export in (x, x.words):
        interface = export.__cuda_array_interface__
        assert interface["data"] == (words.ctypes.data, False) and interface["version"] == 3
        assert interface["shape"] == words.shape and interface["typestr"] == "<f8"
        assert interface["strides"] is None and interface["stream"] is None
        assert export.__dlpack_device__() == (2, 0)
        for given in ({}, {"stream": 1}, {"stream": None, "max_version": (1, 0)}, {"max_version": (1, 1), "copy": False}):
            back = _core.import_capsule(export.__dlpack__(**given))
            assert (back.pointer, back.dtype, tuple(back.shape)) == (words.ctypes.data, "float64", words.shape)
        with pytest.raises(BufferError):
            export.__dlpack__(copy=True)
    assert device_array.from_words(x).words is x.words
    assert x.hi.words.pointer == words.ctypes.data and x.hi.precision == "double"
    if words.ndim == 2:
        assert x.lo.words.pointer == words.ctypes.data + 8 * words.shape[1]
    else:
        with pytest.raises(ValueError, match="no low words"):
            x.lo
    with pytest.raises(TypeError, match="to_host"):
        np.asarray(x)


def test_dlpack_is_asked_for_the_default_stream(feigned_device):
    asked = []

    class Producer:
        def __init__(self, old):
            self.old, self.words = old, device_array.from_words(Fake(np.ones(4))).words

        def __dlpack_device__(self):
            return (2, 0)

        def __dlpack__(self, **given):
            asked.append(given)
            if self.old and "max_version" in given:
                raise TypeError("from before DLPack 1.0")
            return self.words.__dlpack__(**given)

    for old in (False, True):
        producer = Producer(old)
        x = device_array.from_words(producer)
        assert x.words.pointer == producer.words.pointer
    assert asked == [{"stream": 1, "max_version": (1, 1)}] * 2 + [{"stream": 1}]
    assert feigned_device[-1] == (0, "default")


def test_an_array_lives_as_long_as_what_reads_it(feigned_device):
    import gc
    import weakref

    fake = Fake(np.ones(4))
    gone = weakref.ref(fake)
    x = device_array.from_words(fake)
    capsule, part = x.__dlpack__(), x.hi
    del fake, x
    gc.collect()
    assert gone() is not None
    del part
    gc.collect()
    assert gone() is not None
    del capsule
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("change, kind, text", [
    ({"indices": np.int64}, TypeError, "A.indices on device 0 has dtype int64: column numbers have 32 bits"),
    ({"indices": np.uint32}, TypeError, "A.indices on device 0 has dtype uint32: int32 is needed"),
    ({"indptr": np.float64}, TypeError, "A.indptr on device 0 has dtype float64: int32 or int64 is needed"),
    ({"data": np.float32}, TypeError, "A.data on device 0 has dtype float32"),
    ({"shape": (5, 4)}, ValueError, r"A with 5 rows has A.indptr of shape \(5,\)"),
    ({"shape": (4, 2**31)}, ValueError, r"2\^31 - 1 rows and columns at most"),
])
def test_arrays_of_a_matrix_are_named(feigned_device, change, kind, text):
    a = laplace()
    arrays = [Fake(np.ascontiguousarray(x, dtype=change.get(name, x.dtype)))
              for name, x in zip(("indptr", "indices", "data"), a.arrays())]
    with pytest.raises(kind, match=text):
        ddla.csr_matrix.from_arrays(*arrays, change.get("shape", (4, 4)))


def test_a_matrix_in_two_places_is_refused(feigned_device):
    a = laplace()
    begin, column, value = a.arrays()
    with pytest.raises(ValueError, match="A.indptr is on a device, A.indices is on the host, A.data is on a device"):
        ddla.csr_matrix.from_arrays(Fake(begin), column, Fake(value), (4, 4))
    with pytest.raises(ValueError, match="A is on the host, b is on device 0: bring them to one place"):
        ddla.solve(a, Fake(np.ones(4)))
    with pytest.raises(ValueError, match="A is on the host, x0 is on device 0"):
        ddla.cg(a, np.ones(4), Fake(np.ones(4)))
    with pytest.raises(ValueError, match="A is on the host, x is on device 0"):
        a @ device_array.from_words(Fake(np.ones(4)))
    with pytest.raises(ValueError, match="x is on device 0, y is on the host"):
        device_array.from_words(Fake(np.ones(4))).dot(np.ones(4))


def test_matrices_that_are_not_compressed_by_rows_are_named(feigned_device):
    class Tensor:
        is_cuda, shape = True, (4, 4)

        def __init__(self, layout):
            self.layout = layout

    class Other(Fake):
        format = "csc"

    Other.__module__ = "cupyx.scipy.sparse"
    with pytest.raises(ValueError, match="layout torch.sparse_coo: take A.to_sparse_csr()"):
        ddla.solve(Tensor("torch.sparse_coo"), np.ones(4))
    on_host = Tensor("torch.sparse_csr")
    on_host.is_cuda = False
    with pytest.raises(TypeError, match="sparse_csr tensor on the host"):
        ddla.csr_matrix(on_host)
    with pytest.raises(ValueError, match="in the format csc: take A.tocsr()"):
        ddla.csr_matrix(Other(np.ones(4)))
    with pytest.raises(TypeError, match="A is a dense array on a device, a Fake"):
        ddla.csr_matrix(Fake(np.ones((4, 4))))


def test_arrays_of_the_host_make_a_matrix_of_the_host():
    a = laplace(9)
    x = ddarray(np.arange(9.0)) / 3
    begin, column, value = a.arrays()
    made = ddla.csr_matrix.from_arrays(begin, column, value, a.shape)
    assert made.place == "host" and np.all(made @ x == a @ x) and made.to_host() is made
    in_dd = ddla.csr_matrix.from_arrays(begin, column, ddarray(value) / 3, a.shape)
    assert in_dd.precision == "dd"
