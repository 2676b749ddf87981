"""Whatever holds an array comes in: each protocol, types without one, layouts, errors by name and remedy."""
import array
import ctypes
import gc
import weakref

import numpy
import pytest
from arrays import fill

import wavefold


class OnlyDlpack:
    """An array that speaks DLPack and nothing else. version: None for capsules of version 0."""

    def __init__(self, values, versioned=False):
        self.values, self.versioned = values, versioned

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.values.__dlpack__(max_version=(1, 0)) if self.versioned else self.values.__dlpack__()


class OnlyInterface:
    """An array with __array_interface__ alone."""

    def __init__(self, values):
        self.values = values
        self.__array_interface__ = values.__array_interface__


@pytest.mark.parametrize("versioned", (False, True))
@pytest.mark.parametrize("dtype", ("float16", "float32", "int8", "uint64", "bool"))
def test_dlpack(dtype, versioned):
    values = fill((4, 6), dtype, 1)
    for view in (values, values[::2, ::-1], values.T, values[:0], values[1, 2]):
        held = numpy.asarray(view)
        found = wavefold.sum(OnlyDlpack(held, versioned))
        assert found == wavefold.sum(held)
    if versioned:
        values.flags.writeable = False
        assert wavefold.sum(OnlyDlpack(values, True)) == wavefold.sum(values)


def test_dlpack_releases_its_memory():
    values = numpy.ones(1000)
    gone = weakref.ref(values)
    holder = OnlyDlpack(values)
    wavefold.sum(holder)
    del holder, values
    gc.collect()
    assert gone() is None


def test_interface():
    values = fill((4, 6), "float32", 1)
    assert wavefold.sum(OnlyInterface(values[:, ::-2])) == wavefold.sum(values[:, ::-2])


@pytest.mark.parametrize("code", "bBhHiIlLqQfd")
def test_buffers(code):
    values = array.array(code, range(100))
    assert wavefold.sum(values) == 4950
    assert wavefold.max(memoryview(values)[::-3]) == 99
    assert isinstance(wavefold.sum(values), numpy.number)


def test_bytes_and_ctypes():
    assert wavefold.sum(b"\x01\x02\xff") == 258
    assert wavefold.sum((ctypes.c_double * 3)(1, 2, 3)) == 6.0


def test_numbers_and_lists():
    assert wavefold.sum([1.0, 2.0]) == 3.0
    assert wavefold.mean([[1, 2], [3, 4]], axis=0).tolist() == [2.0, 3.0]
    assert wavefold.sum(7) == 7
    assert wavefold.max(numpy.float32(3)) == 3


def test_other_byte_order():
    for dtype in (">f4", ">f8", ">i2", ">u8"):
        values = fill((30,), numpy.dtype(dtype).newbyteorder("="), 5).astype(dtype)
        assert wavefold.sum(values) == wavefold.sum(values.astype(values.dtype.newbyteorder("=")))


def test_odd_layouts():
    record = numpy.zeros(10, dtype=[("a", "u1"), ("b", "f4"), ("c", "u1")])
    record["b"] = numpy.arange(10)
    assert wavefold.sum(record["b"]) == 45  # strides of 6 bytes, unaligned
    assert wavefold.sum(numpy.broadcast_to(numpy.float32(2), (3, 1000))) == 6000
    assert wavefold.sum(numpy.zeros((0, 3)), 1).shape == (0,)
    assert wavefold.sum(numpy.zeros((3, 0)), 1).tolist() == [0, 0, 0]
    values = fill((3,) * 10, "float32", 1)  # ten dimensions, of which some merge
    numpy.testing.assert_array_equal(wavefold.max(values, (0, 1, 8, 9)), values.max((0, 1, 8, 9)))
    with pytest.raises(NotImplementedError, match="dimensions that do not merge"):
        wavefold.max(values, (1, 3, 5, 7, 9))
    read_only = numpy.ones(5)
    read_only.flags.writeable = False
    assert wavefold.sum(read_only) == 5


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    values = fill((5, 40), "float32", 2).astype(ml_dtypes.bfloat16)
    found = wavefold.sum(values, 1)
    assert found.dtype == ml_dtypes.bfloat16
    numpy.testing.assert_array_equal(found, wavefold.sum(values.astype("f4"), 1, dtype="f8").astype(ml_dtypes.bfloat16))
    assert wavefold.argmax(values) == numpy.argmax(values.astype("f4"))
    assert wavefold.sort(values).dtype == ml_dtypes.bfloat16
    assert wavefold.max(values) == values.astype("f4").max()


@pytest.mark.parametrize("value,kind,words", (
    ("text", TypeError, "is a str"),
    (object(), TypeError, "is a object"),
    (None, TypeError, "is a NoneType"),
    (numpy.array(["a"]), TypeError, "elements of type <U1"),
    (numpy.array([None]), TypeError, "elements of type object"),
    (numpy.zeros(3, complex), TypeError, "elements of type complex128"),
    (numpy.zeros(3, "M8[s]"), TypeError, "elements of type datetime64"),
    (numpy.zeros(3, numpy.longdouble), TypeError, "elements of type"),
    (numpy.ma.masked_array([1.0, 2.0], [True, False]), TypeError, "masked array"),
    ({1: 2}, TypeError, "is a dict"),
))
def test_refused_inputs(value, kind, words):
    for function in (wavefold.sum, wavefold.argmin, wavefold.cumsum, wavefold.sort, wavefold.var):
        with pytest.raises(kind, match=words):
            function(value)


def test_refused_arguments():
    values = numpy.ones((3, 4))
    for function in (wavefold.sum, wavefold.min, wavefold.argmax, wavefold.var, wavefold.sort):
        with pytest.raises((IndexError, ValueError), match="axis 2 is out of bounds"):
            function(values, 2)
        with pytest.raises(TypeError):
            function(values, 1.5)
    with pytest.raises(ValueError, match="twice"):
        wavefold.sum(values, (0, 0))
    with pytest.raises(TypeError, match="None or one axis"):
        wavefold.argmin(values, (0, 1))
    with pytest.raises(ValueError, match="accuracy='best'"):
        wavefold.sum(values, accuracy="best")
    with pytest.raises(TypeError, match="array of bool"):
        wavefold.sum(values, where=numpy.ones(4))
    with pytest.raises(ValueError, match="does not broadcast"):
        wavefold.sum(values, where=numpy.ones(3, bool))
    with pytest.raises(TypeError, match="no such type"):
        wavefold.sum(values, dtype=complex)
    with pytest.raises(ValueError, match="do not fit"):
        wavefold.dot(values, values.T)
    with pytest.raises(ValueError, match="none may be negative"):
        wavefold.bincount(numpy.array([1, -2]))
    with pytest.raises(TypeError, match="array of integers"):
        wavefold.bincount(numpy.array([1.0]))
    with pytest.raises(ValueError, match="ord=3"):
        wavefold.norm(values, 3)


def test_gpu_arrays_of_unknown_libraries():
    class OnGpu:
        __cuda_array_interface__ = {"shape": (3,), "typestr": "<f4", "data": (0, False), "version": 3}

    import sys
    if "cupy" in sys.modules or "torch" in sys.modules:
        pytest.skip("a library that can hold results is imported")
    with pytest.raises(BufferError, match="neither CuPy nor torch"):
        wavefold.sum(OnGpu())
