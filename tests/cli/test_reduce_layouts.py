"""`wavefold reduce`: arrays in Fortran's order, and arrays of bool."""

import struct

import numpy
import pytest
from reduced import answer, described, reduce, words
from support import FAILURE, USAGE, one_error

SHAPES = [(4, 5), (300, 200), (1, 5), (2, 2), (33, 31), (32, 64), (5, 1000), (1000, 5), (4100, 3), (3, 4, 5),
          (3, 1, 70, 1, 40), (2,) * 10, (3, 2, 1, 4, 5, 2), (40, 2, 33)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["<f8", ">f4", "<i2", "u1", "?"])
def test_fortran_order(saved, shape, dtype):
    """Indices and parts are of C order, as numpy.ravel gives the elements."""
    data = numpy.random.default_rng(len(shape)).integers(0, 2 if dtype == "?" else 99, shape).astype(dtype)
    path, flat = saved(numpy.asfortranarray(data)), data.ravel()
    assert float(words(path)[0]) == data.sum(dtype="f8")
    assert words(path, "--op", "argmax") == [str(data.argmax())]
    assert words(path, "--op", "argmin") == [str(data.argmin())]
    got = described(path)
    assert got == described(saved(numpy.ascontiguousarray(data), "c.npy"))
    assert (got["argmin"], got["argmax"], got["count"]) == (str(data.argmin()), str(data.argmax()), str(data.size))
    for n in {0, 1, 2, shape[-1], shape[-1] + (data.size > shape[-1]), data.size // 2, data.size - 1, data.size}:
        assert float(words(path, "--n", n)[0]) == flat[:n].sum(dtype="f8"), n
        if n > 0:
            assert words(path, "--n", n, "--op", "argmax") == [str(flat[:n].argmax())], n


def test_fortran_order_of_all_elements(saved):
    """Each in its place: with one that is larger than all others, wherever it is."""
    data = numpy.zeros((5, 4, 3), "f4", order="F")
    for index in numpy.ndindex(data.shape):
        data[index] = 1
        assert words(saved(data), "--op", "argmax") == [str(numpy.ravel_multi_index(index, data.shape))]
        data[index] = 0


def test_fortran_order_with_nan(saved):
    data = numpy.zeros((3, 4), order="F")
    data[2, 1] = data[0, 3] = numpy.nan
    data[1, 0] = 5
    path = saved(data)
    assert words(path, "--op", "argmax") == words(path, "--op", "argmin") == ["3"] == [str(data.argmax())]
    assert words(path, "--op", "argmax", "--nan", "ignore") == ["4"] == [str(numpy.nanargmax(data))]
    assert described(path)["argmin"] == "3" and described(path, "--nan", "ignore")["argmax"] == "4"


def test_fortran_order_of_ordered_operators(saved, tmp_path):
    generator = numpy.random.default_rng(4)
    for shape, op in (((9, 2, 2), "matmul"), ((9, 4), "matmul"), ((50, 2), "affine")):
        data = generator.integers(-3, 4, shape).astype("i4")
        for order in "<>":
            assert words(saved(numpy.asfortranarray(data).astype(order + "i4")), "--op", op) == words(
                saved(data, "c.npy"), "--op", op)
    # Behind a header of odd length: nothing is aligned.
    data = numpy.asfortranarray(generator.integers(-3, 4, (30, 40)).astype("f8"))
    head = f"{{'descr': '<f8', 'fortran_order': True, 'shape': {data.shape}, }}\n".encode()
    assert len(head) % 2 == 1
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data.tobytes("F"))
    assert words(tmp_path / "a.npy", "--op", "argmin") == [str(data.argmin())]
    assert float(words(tmp_path / "a.npy", "--n", 41)[0]) == data.ravel()[:41].sum()


def bools(count, share=3):
    return numpy.random.default_rng(share).integers(0, share, count) == 0


@pytest.mark.parametrize("data", [bools(1003), bools((7, 9, 5)), bools(200_001, 100), numpy.ones(5, "?"),
                                  numpy.zeros(5, "?"), bools(1), numpy.zeros(0, "?")], ids=lambda data: str(data.shape))
def test_bool(saved, data):
    """Sums are NumPy's integers, and what is an element of the array is true or false."""
    path = saved(data)
    text = {True: "true", False: "false"}
    assert words(path) == words(path, "--op", "sum") == [str(data.sum())]
    assert words(path, "--op", "all") == words(path, "--op", "and") == words(path, "--op", "min") == [text[data.all()]]
    assert words(path, "--op", "any") == words(path, "--op", "or") == words(path, "--op", "max") == [text[data.any()]]
    assert words(path, "--op", "minmax") == [text[data.all()], text[data.any()]]
    assert words(path, "--op", "xor") == [text[bool(data.sum() % 2)]]
    assert words(path, "--op", "product") == [str(data.prod(dtype="i8"))]
    assert words(path, "--op", "sum", "--n", min(5, data.size)) == [str(data.ravel()[:5].sum())]
    got = described(path)
    assert (got["count"], got["sum"], got["min"], got["max"]) == (
        str(data.size), str(data.sum()), text[data.all()], text[data.any()])
    if data.size:
        assert float(words(path, "--op", "mean")[0]) == int(data.sum()) / data.size
        assert words(path, "--op", "argmax") == [str(data.argmax())] and got["argmax"] == str(data.argmax())
        assert words(path, "--op", "argmin") == [str(data.argmin())] and got["argmin"] == str(data.argmin())
        assert float(got["variance"]) == pytest.approx(data.var(), rel=1e-12, abs=1e-15)


def test_bool_in_json(saved):
    path = saved(numpy.array([False, True, True]))
    got = answer(path, "--op", "any")
    assert (got["type"], got["op"], got["accumulator"], got["result_type"]) == ("bool", "any", "bool", "bool")
    assert got["result"] is True and answer(path, "--op", "min")["result"] is False
    assert answer(path, "--op", "minmax")["result"] == [False, True]
    assert answer(path, "--op", "argmax")["result"] == {"value": True, "index": 1}
    assert answer(path, "--op", "argmax")["result"]["value"] is True
    got = answer(path)
    assert (got["type"], got["accumulator"], got["result_type"], got["result"]) == ("bool", "u64", "u64", 2)
    got = answer(path, "--op", "describe")["result"]
    assert got["min"] is False and got["max"] is True and got["sum"] == 2 and got["sum"] is not True
    got = answer(path, "--type", "u8", "--op", "max")
    assert (got["type"], got["result_type"], got["result"]) == ("u8", "u8", 1) and got["result"] is not True


@pytest.mark.parametrize("descr", ["|b1", "?", "|?", "b1", "<b1"])
def test_bool_of_any_spelling(tmp_path, descr):
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': (3,), }}\n".encode()
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + b"\1\0\1")
    assert words(tmp_path / "a.npy") == ["2"] and words(tmp_path / "a.npy", "--op", "any") == ["true"]


@pytest.mark.parametrize("count, place", [(1, 0), (5, 4), (65536, 65535), (65537, 65536), (200_000, 70_000)])
def test_bool_that_is_neither(saved, count, place):
    """NumPy takes any byte but 0 for true; a sum of the bytes would be wrong without a word."""
    data = bools(count).view("u1")
    data[place] = 255
    path = saved(data.view("?"))
    for more in ([], ["--op", "any"], ["--op", "describe"]):
        one_error(reduce(path, *more), FAILURE, "a.npy", f"byte {place} ", "is 255", "view('u1')", "--type u8")
    assert words(path, "--type", "u8") == [str(data.sum())]
    if place > 0:
        assert words(path, "--n", place) == [str(data[:place].sum())]


def test_all_and_any_of_bool_alone(saved):
    path = saved(numpy.array([1, 2], "i4"))
    one_error(reduce(path, "--op", "all"), FAILURE, "a.npy", "holds i32", "--op all is for bool", "--op and")
    one_error(reduce(path, "--op", "any", "--type", "i32"), USAGE, "--op any is for files of bool", "--type i32",
              "--op or")
    assert words(path, "--op", "any", "--op", "or") == ["3"]
    one_error(reduce(saved(bools(5)), "--type", "i8"), FAILURE, "holds bool", "i8", "leave --type out")
    one_error(reduce(saved(bools(4)), "--op", "matmul"), FAILURE, "a.npy", "matmul of u8")
