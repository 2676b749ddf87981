"""`wavefold reduce`: its answers beside NumPy's, and what it refuses."""

import io
import json
import math
import os
import pty
import re
import resource
import struct
import subprocess

import numpy
import pytest
from support import ALL_DTYPES, FAILURE, PROGRAM, SUCCESS, USAGE, environment, one_error, wavefold

INTEGERS = [kind for kind in ALL_DTYPES if kind[0] != "f"]
FLOATS = [kind for kind in ALL_DTYPES if kind[0] == "f"]


def reduce(*arguments, device="host:32", **options):
    return wavefold("reduce", "--device", device, *arguments, **options)


def words(*arguments):
    done = reduce(*arguments)
    assert done.returncode == SUCCESS and done.stderr == "", done.stderr
    assert done.stdout.endswith("\n")
    return done.stdout.split()


def answer(*arguments):
    """The JSON, parsed strictly: NaN and Infinity are no JSON."""
    done = reduce("--json", "-", *arguments)
    assert done.returncode == SUCCESS and done.stderr == "", done.stderr

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    return json.loads(done.stdout, parse_constant=refuse)


def described(*arguments):
    lines = [line.split() for line in reduce("--op", "describe", *arguments).stdout.splitlines()]
    assert [line[0] for line in lines] == ["count", "sum", "min", "max", "argmin", "argmax", "mean", "variance"]
    return {line[0]: line[1] for line in lines}


def data_of(kind, shape=1003, order="="):
    generator = numpy.random.default_rng(5)
    dtype = numpy.dtype(ALL_DTYPES[kind])
    if dtype.kind == "f":
        return generator.standard_normal(shape).astype(dtype).astype(dtype.newbyteorder(order))
    info = numpy.iinfo(dtype)
    return generator.integers(info.min, info.max, shape, dtype=dtype, endpoint=True).astype(dtype.newbyteorder(order))


@pytest.fixture
def saved(tmp_path):
    def save(array, name="a.npy"):
        numpy.save(tmp_path / name, array)
        return tmp_path / name

    return save


def whole_sum(data):
    """In 64 bits, as NumPy adds narrower integers too."""
    return int(data.sum(dtype=numpy.int64 if data.dtype.kind == "i" else numpy.uint64))


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("kind", INTEGERS)
def test_integers(saved, kind, order):
    data = data_of(kind, order=order)
    path = saved(data)
    with numpy.errstate(over="ignore"):
        assert words(path) == words(path, "--op", "sum") == [str(whole_sum(data))]
    assert words(path, "--op", "min") == [str(data.min())]
    assert words(path, "--op", "max") == [str(data.max())]
    assert words(path, "--op", "minmax") == [str(data.min()), str(data.max())]
    assert words(path, "--op", "argmin") == [str(data.argmin())]
    assert words(path, "--op", "argmax") == [str(data.argmax())]
    assert words(path, "--op", "xor") == [str(numpy.bitwise_xor.reduce(data))]
    assert words(path, "--op", "and") == [str(numpy.bitwise_and.reduce(data))]
    assert words(path, "--op", "or") == [str(numpy.bitwise_or.reduce(data))]
    assert float(words(path, "--op", "mean")[0]) == pytest.approx(data.mean(dtype="f8"), rel=1e-13)


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("kind", FLOATS)
def test_floats(saved, kind, order):
    data = data_of(kind, order=order)
    path = saved(data)
    exact = math.fsum(data.astype("f8").tolist())
    assert float(words(path)[0]) == exact
    assert float(words(path, "--accuracy", "fast")[0]) == pytest.approx(exact, rel=1e-12)
    assert float(words(path, "--op", "mean")[0]) == pytest.approx(exact / data.size, rel=1e-15)
    assert float(words(path, "--op", "mean", "--accuracy", "fast")[0]) == pytest.approx(exact / data.size, rel=1e-12)
    # As few digits as NumPy needs.
    assert float(words(path, "--op", "max")[0]) == float(str(data.max()))
    assert [float(word) for word in words(path, "--op", "minmax")] == [float(str(data.min())), float(str(data.max()))]
    assert words(path, "--op", "argmin") == [str(data.argmin())]
    assert words(path, "--op", "argmax") == [str(data.argmax())]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("kind", ALL_DTYPES)
def test_describe(saved, kind, order):
    data = data_of(kind, order=order)
    path = saved(data)
    text, got = described(path), answer(path, "--op", "describe", "--accuracy", "exact")
    assert text["count"] == "1003" and text["argmin"] == str(data.argmin()) and text["argmax"] == str(data.argmax())
    number = int if data.dtype.kind in "iu" else float
    assert number(text["min"]) == number(str(data.min())) and number(text["max"]) == number(str(data.max()))
    if number is int:
        with numpy.errstate(over="ignore"):
            assert int(text["sum"]) == whole_sum(data)
    else:
        assert float(text["sum"]) == pytest.approx(math.fsum(data.astype("f8").tolist()), rel=1e-12)
    wide = data.astype(numpy.longdouble)
    assert float(text["mean"]) == pytest.approx(float(wide.mean()), rel=1e-12, abs=1e-12)
    assert float(text["variance"]) == pytest.approx(float(wide.var()), rel=1e-11)
    result = got.pop("result")
    assert result["count"] == 1003 and result["argmin"] == data.argmin() and result["argmax"] == data.argmax()
    for name in ("sum", "mean", "variance"):
        assert float(result[name]) == pytest.approx(float(text[name]), rel=1e-15)
    native = data.dtype.newbyteorder("=").type
    assert native(result["min"]) == data.min() and native(result["max"]) == data.max()
    assert (got["op"], got["result_type"]) == ("describe", None)
    assert got["accumulator"] == {"f": "f64", "i": "i64", "u": "u64"}[data.dtype.kind]


def test_json(saved):
    path = saved(numpy.array([[2.5, -1.5], [4, -1.5]], "f4"))
    got = answer(path, "--op", "argmin")
    assert got["result"] == {"value": -1.5, "index": 1}
    assert (got["op"], got["type"], got["accumulator"], got["result_type"]) == ("argmin", "f32", "f32", "f32")
    assert (got["n"], got["input"], got["nan"]) == (4, str(path), "propagate")
    assert got["device"]["id"] == "host:32" and got["device"]["backend"] == "host"
    assert 0 <= got["seconds"] < 60 and got["wavefold"]
    assert answer(path)["result"] == 3.5 and answer(path)["accumulator"] == "f64"
    assert answer(path, "--op", "minmax")["result"] == [-1.5, 4.0]
    assert answer(path, "--op", "affine")["result"] == [10.0, -7.5]
    assert answer(saved(numpy.array([2**64 - 1], "u8")), "--op", "max")["result"] == str(2**64 - 1)


@pytest.mark.parametrize(
    "number, dtype, text",
    [(0.1, "f4", "0.1"), (0.1, "f8", "0.1"), (1e6, "f4", "1000000"), (2.0**-149, "f4", "1e-45"),
     (1 / 3, "f2", "0.3333"), (1 / 3, "f8", "0.3333333333333333"), (1e22, "f8", "1e+22"), (1.5e-5, "f8", "1.5e-05"),
     (-0.0, "f4", "-0"), (float("inf"), "f4", "inf"), (float("-inf"), "f2", "-inf"), (float("nan"), "f8", "nan"),
     (123456.7, "f4", "123456.7"), (3e15, "f8", "3000000000000000"), (1e16, "f8", "1e+16"), (2e-4, "f8", "0.0002"),
     (1.7976931348623157e308, "f8", "1.7976931348623157e+308"), (5e-324, "f8", "5e-324"), (65504, "f2", "65504"),
     (16777216, "f4", "16777216"), (9007199254740993, "i8", "9007199254740993")],
)
def test_digits(saved, number, dtype, text):
    """No more than are needed to read the same number again."""
    path = saved(numpy.array([number], dtype))
    assert words(path, "--op", "max") == [text]
    if dtype != "i8":
        again = numpy.dtype(dtype).type(text)
        assert again == numpy.dtype(dtype).type(number) or numpy.isnan(again)


def test_every_float_reads_as_itself(saved):
    bits = numpy.random.default_rng(3).integers(0, 2**32, 40, dtype="u4").view("f4")
    for number in bits[numpy.isfinite(bits)]:
        (text,) = words(saved(numpy.array([number])), "--op", "max")
        assert numpy.float32(text) == number
        assert len(text.replace("-", "").replace(".", "").split("e")[0].strip("0")) <= 9 or abs(number) < 1e16


@pytest.mark.parametrize(
    "number, dtype, text",
    [(0.1, "f4", "0.1"), (0.1, "f8", "0.1"), (1 / 3, "f2", "0.3333"), (1e6, "f4", "1000000.0"), (-0.0, "f4", "-0.0"),
     (2.0**-149, "f4", "1e-45"), (1e22, "f8", "1e+22"), (123456.7, "f4", "123456.7"),
     (1 / 3, "f8", "0.3333333333333333"),
     (123456792, "f4", "123456792.0"), (5e-324, "f8", "5e-324"), (float("inf"), "f2", '"inf"')],
)
def test_digits_of_json(saved, number, dtype, text):
    """As the text has them, and a real in any case."""
    path = saved(numpy.array([number], dtype))
    for op, name in (("max", "result"), ("describe", "min"), ("argmin", "value")):
        got = re.search(rf'"{name}": ([^{{]+?),?\n', reduce(path, "--op", op, "--json", "-").stdout)
        assert got[1] == text, op


def test_digits_of_json_in_raw_and_merged_results(tmp_path, saved):
    (tmp_path / "a.bin").write_bytes(struct.pack("<H", 0x3DCD)) # about 0.1
    done = reduce(tmp_path / "a.bin", "--type", "bf16", "--op", "minmax", "--json", "-")
    assert '"result": [\n    0.1,\n    0.1\n  ]\n' in done.stdout
    assert reduce(saved(numpy.array([0.1], "f4")), "--state", tmp_path / "a.state").returncode == SUCCESS
    assert '"result": 0.1\n' in wavefold("merge", tmp_path / "a.state", "--type", "f32", "--json", "-").stdout


def test_digits_read_through_a_double(saved):
    """7.038531e-26 is this number if it is read as an f32, and the next one if it is read as a double first."""
    number = numpy.array([0x15AE43FE - 1, 0x15AE43FE], "u4").view("f4")
    for one in number:
        path = saved(numpy.array([one]))
        (text,), got = words(path, "--op", "max"), answer(path, "--op", "max")["result"]
        assert numpy.float32(text) == numpy.float32(float(text)) == numpy.float32(got) == one


def test_integers_do_not_wrap_by_default(saved):
    path = saved(numpy.full(5, 2**31 - 1, "i4"))
    assert words(path) == [str(5 * (2**31 - 1))]
    assert words(path, "--accumulator", "i32") == ["2147483643"]
    assert answer(path)["accumulator"] == "i64"
    assert words(saved(numpy.full(3, 255, "u1"))) == ["765"]
    assert words(saved(numpy.array([2**64 - 1, 2], "u8"))) == ["1"]
    assert words(saved(numpy.array([100, 100, 100], "i1")), "--op", "product") == ["1000000"]


def test_nan(saved):
    path = saved(numpy.array([2, numpy.nan, 1, numpy.nan, 3], "f8"))
    for op in ("sum", "min", "max", "mean", "product"):
        assert words(path, "--op", op) == ["nan"]
    assert words(path, "--op", "argmin") == words(path, "--op", "argmax") == ["1"]
    assert answer(path, "--op", "argmin")["result"] == {"value": "nan", "index": 1}
    assert words(path, "--op", "min", "--nan", "ignore") == ["1"]
    assert words(path, "--op", "argmax", "--nan", "ignore") == ["4"]
    ignoring = described(path, "--nan", "ignore")
    assert (ignoring["count"], ignoring["sum"], ignoring["mean"], ignoring["argmin"]) == ("3", "6", "2", "2")
    passing = described(path)
    assert (passing["count"], passing["sum"], passing["min"], passing["argmin"]) == ("5", "nan", "nan", "1")
    nothing = saved(numpy.array([numpy.nan], "f4"))
    assert words(nothing, "--op", "argmin", "--nan", "ignore") == ["none"]
    assert answer(nothing, "--op", "argmin", "--nan", "ignore")["result"] == {"value": "nan", "index": None}


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0, 5)])
def test_no_elements(saved, shape):
    path = saved(numpy.zeros(shape, "f4"))
    assert words(path) == ["0"]
    assert words(path, "--op", "product") == ["1"]
    assert words(path, "--op", "min") == ["inf"]
    assert words(path, "--op", "argmin") == ["none"]
    assert answer(path, "--op", "argmin")["result"] == {"value": "inf", "index": None}
    assert words(path, "--op", "mean") == ["nan"]
    empty = described(path)
    assert (empty["count"], empty["sum"], empty["argmin"], empty["argmax"]) == ("0", "0", "none", "none")
    assert (empty["mean"], empty["variance"]) == ("nan", "nan")
    assert words(saved(numpy.zeros(shape, ">i4")), "--op", "max") == [str(-(2**31))]


@pytest.mark.parametrize("shape", [(), (1,), (7,), (3, 5), (2, 3, 4)])
def test_shapes(saved, shape):
    data = data_of("i16", shape)
    path = saved(data)
    assert words(path) == [str(data.sum())]
    assert words(path, "--op", "argmax") == [str(data.argmax())]
    assert answer(path)["n"] == data.size


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


def test_ordered(saved, tmp_path):
    generator = numpy.random.default_rng(2)
    matrices = generator.integers(-3, 4, (9, 2, 2)).astype("i4")
    expected = [str(x) for x in numpy.linalg.multi_dot(list(matrices.astype("i8"))).astype("i4").ravel()]
    assert words(saved(matrices), "--op", "matmul") == expected
    assert words(saved(matrices.astype(">i4")), "--op", "matmul") == expected
    # Behind a header of odd length: nothing is aligned.
    head = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {matrices.shape}, }}".encode()
    for padding in range(4):
        text = head + b" " * padding + b"\n"
        path = tmp_path / f"{padding}.npy"
        path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + matrices.tobytes())
        assert words(path, "--op", "matmul") == expected
        assert words(path, "--op", "max") == [str(matrices.max())]
    one_error(reduce(saved(numpy.ones((4, 3), "f4")), "--op", "affine"), FAILURE, "a.npy", "(4, 3)", "pairs")


@pytest.mark.parametrize("kind", ALL_DTYPES)
def test_raw(tmp_path, kind):
    data = data_of(kind, 101)
    data.tofile(tmp_path / "a.bin")
    assert words(tmp_path / "a.bin", "--type", kind, "--op", "argmax") == [str(data.argmax())]
    assert words(tmp_path / "a.bin", "--type", kind, "--op", "argmax", "--n", 10) == [str(data[:10].argmax())]


def test_bf16(tmp_path):
    (tmp_path / "a.bin").write_bytes(struct.pack("<3H", 0x3F80, 0x4040, 0x3DCD)) # 1, 3 and about 0.1
    assert words(tmp_path / "a.bin", "--type", "bf16", "--op", "max") == ["3"]
    assert words(tmp_path / "a.bin", "--type", "bf16", "--op", "min") == ["0.1"]


def test_devices_agree(saved):
    path = saved(data_of("i64"))
    assert len({reduce(path, device=device).stdout for device in ("host", "host:64", "host:64:random=3")}) == 1


def test_a_file_larger_than_a_chunk(saved):
    data = (numpy.arange((16 << 20) // 2 + 3) * 7).astype(">i2")
    path = saved(data)
    assert words(path) == [str(data.sum(dtype="i8"))]
    assert words(path, "--op", "argmin") == [str(data.argmin())]


BAD_USAGE = [
    ([], ["reduce needs a file", "wavefold reduce FILE"]),
    (["a.npy", "b.npy"], ["'b.npy'", "one argument too many", "'a.npy'"]),
    (["--json", "a.npy"], ["--json took 'a.npy'", "wavefold reduce FILE --json a.npy", "--json -"]),
    (["--json", "-"], ["reduce needs a file", "wavefold reduce FILE;"]),
    (["a.npy", "--json", "a.npy"], ["'a.npy' would replace the input", "another file"]),
    (["a.npy", "--json", "--op"], ["--json takes a file", "'--op' looks like an option", "--json -", "./--op"]),
    (["a.npy", "--op", "smu"], ["operator", "did you mean 'sum'", "describe"]),
    (["a.npy", "--op", "descrbe"], ["did you mean 'describe'"]),
    (["a.npy", "--type", "f33"], ["type", "did you mean 'f32'"]),
    (["a.bin", "--raw"], ["--raw needs the type", "--type f32"]),
    (["a.npy", "--n", "1.5"], ["--n", "'1.5'"]),
    (["a.npy", "--nan", "skip"], ["rule for NaN", "propagate"]),
    (["a.npy", "--type", "f32", "--op", "xor"], ["xor of f32", "wavefold operators"]),
    (["a.npy", "--type", "f32", "--nan", "ignore"], ["sum cannot ignore NaN", "argmin"]),
    (["a.npy", "--op", "describe", "--accumulator", "f64"], ["--accumulator", "describe", "leave it out"]),
    (["a.npy", "--accumulator", "f16"], ["accumulator", "'f16'"]),
    (["a.npy", "--accuracy", "exatc"], ["unknown accuracy", "did you mean 'exact'", "best, fast and exact"]),
    (["a.npy", "--op", "product", "--type", "f32", "--accuracy", "exact"],
     ["no exact product of f32", "sum, mean and asum of f16", "write --accuracy fast"]),
    (["a.npy", "--op", "describe", "--accuracy", "fast"], ["--accuracy fast", "describe", "leave it out"]),
    (["a.npy", "--type", "f32", "--op", "xor", "--accuracy", "exact"], ["xor of f32", "wavefold operators"]),
    (["a.npy", "--type", "f64", "--accumulator", "f32", "--accuracy", "fast"], ["narrower"]),
]


@pytest.mark.parametrize("arguments, named", BAD_USAGE, ids=lambda value: " ".join(value) or "nothing")
def test_bad_usage(arguments, named):
    one_error(wavefold("reduce", *arguments), USAGE, *named)


@pytest.mark.parametrize(
    "option, words, name",
    [("--op", "MAX Maximum amax", "max"), ("--op", "avg AVERAGE Mean", "mean"), ("--op", "add Sum SMU", "sum"),
     ("--op", "std stddev var variance count Describe", "describe"), ("--op", "prod mul", "product"),
     ("--op", "ALL", "all"), ("--op", "norm l2", "sumsq"), ("--op", "l1", "asum"), ("--op", "range", "minmax"),
     ("--type", "float32 float F32 single f4", "f32"), ("--type", "double float64", "f64"), ("--type", "int", "i32"),
     ("--type", "long INT64", "i64"), ("--type", "uint8 uint8_t byte bool", "u8"), ("--type", "half", "f16"),
     ("--type", "bfloat16", "bf16"), ("--nan", "IGNORE", "ignore")],
)
def test_names_of_other_programs(option, words, name):
    for word in words.split():
        one_error(wavefold("reduce", "a.npy", option, word), USAGE, f"'{word}'; did you mean '{name}'?")


def test_no_name_for_what_is_not_there():
    """median is spelled like mean, and is another thing."""
    one_error(wavefold("reduce", "a.npy", "--op", "median"), USAGE, "unknown operator 'median'; there are sum")
    one_error(wavefold("merge", "a.state", "--op", "avg"), USAGE, "did you mean 'mean'?")


def test_what_only_the_file_tells(saved):
    path = saved(numpy.ones(3, "f4"))
    one_error(reduce(path, "--op", "xor"), FAILURE, "a.npy", "xor of f32", "wavefold operators")
    one_error(reduce(path, "--accumulator", "i64"), FAILURE, "a.npy", "sum of f32", "i64")
    one_error(reduce(path, "--type", "f64"), FAILURE, "a.npy", "f32", "f64", "--type")
    one_error(reduce(path, "--n", 4), FAILURE, "a.npy", "3", "--n 4")


def test_bad_files(tmp_path, saved):
    one_error(reduce(tmp_path / "none.npy"), FAILURE, "none.npy", "No such file")
    one_error(reduce(tmp_path), FAILURE, str(tmp_path), "directory")
    os.mkfifo(tmp_path / "fifo")
    one_error(reduce(tmp_path / "fifo"), FAILURE, "fifo", "no regular file", "pipe it to wavefold as -")
    one_error(wavefold("reduce", "/dev/stdin", stdin=subprocess.PIPE), FAILURE, "/dev/stdin", "no regular file", " -")
    (tmp_path / "empty").touch()
    one_error(reduce(tmp_path / "empty", "--type", "f32"), FAILURE, "empty", "--n 0")
    one_error(reduce(saved(numpy.ones(3, "c8"))), FAILURE, "a.npy", "c8", "astype")
    whole = saved(numpy.ones(9, "f8")).read_bytes()
    (tmp_path / "cut.npy").write_bytes(whole[:-1])
    one_error(reduce(tmp_path / "cut.npy"), FAILURE, "cut.npy", "truncated", "9 elements of 8 bytes")
    (tmp_path / "a.bin").write_bytes(bytes(17))
    one_error(reduce(tmp_path / "a.bin"), FAILURE, "a.bin", "--type")
    one_error(reduce(tmp_path / "a.bin", "--type", "i32"), FAILURE, "a.bin", "17 bytes", "i32")


@pytest.mark.parametrize("device", ["hots", "host:48", "nvidia:99", ""])
def test_bad_device(saved, device):
    one_error(reduce(saved(numpy.ones(3)), device=device), FAILURE)


def piped(content, *arguments, **options):
    done = wavefold("reduce", "--device", "host:32", "-", *arguments, input=content, text=False, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("count", [0, 1, 1003, (1 << 20) // 8, (5 << 20) // 8 + 7])
def test_standard_input(saved, tmp_path, count):
    """A pipe, a file, and a file of which the shell has read a part."""
    data = numpy.random.default_rng(count).standard_normal(count)
    path = saved(data)
    for more in (["--op", "argmax"], ["--op", "describe"], ["--n", count // 2]):
        expected = (SUCCESS, reduce(path, *more).stdout, "")
        assert piped(path.read_bytes(), *more) == expected
        with open(path, "rb") as file:
            done = wavefold("reduce", "-", *more, stdin=file)
            assert (done.returncode, done.stdout, done.stderr) == expected
    (tmp_path / "b").write_bytes(b"12345" + path.read_bytes())
    with open(tmp_path / "b", "rb") as file:
        os.lseek(file.fileno(), 5, os.SEEK_SET)
        assert wavefold("reduce", "-", stdin=file).stdout == reduce(path).stdout
    if count > 0:
        assert piped(data.tobytes(), "--type", "f64")[1] == reduce(path).stdout
        got = json.loads(piped(path.read_bytes(), "--json", "-", "--op", "max")[1])
        assert (got["input"], got["n"]) == ("-", count) and got["result"] == data.max()


def test_standard_input_that_comes_in_pieces(saved):
    path = saved(numpy.arange(1000, dtype="i4"))
    slow = f"(head -c 7 {path}; sleep 0.1; tail -c +8 {path}) | {PROGRAM} reduce -"
    done = subprocess.run(["sh", "-c", slow], capture_output=True, text=True, timeout=60, env=environment())
    assert (done.stdout, done.stderr) == ("499500\n", "")


def test_bad_standard_input(saved, tmp_path):
    whole = saved(numpy.ones(9, "f8")).read_bytes()
    for content, more, named in ((b"", [], "is empty"), (whole[:-1], [], "truncated"), (b"\0" * 8, [], "--type f32"),
                                 (b"1.5,2.5\n", ["--type", "f32"], "'/dev/stdin' 'numbers.npy'"),
                                 (whole, ["--n", 10], "fewer than --n 10")):
        status, printed, message = piped(content, *more)
        assert (status, printed) == (FAILURE, "") and message.startswith("wavefold: input '-'") and named in message
    one_error(wavefold("reduce", "-", preexec_fn=lambda: os.close(0)), FAILURE, "input '-'", "Bad file descriptor")
    folder = os.open(tmp_path, os.O_RDONLY)
    one_error(wavefold("reduce", "-", stdin=folder), FAILURE, "input '-' is a directory")
    os.close(folder)
    master, slave = pty.openpty()
    one_error(wavefold("reduce", "-", stdin=slave), FAILURE, "input '-'", "terminal", "redirect")
    os.close(slave)
    os.close(master)


def test_standard_input_is_not_replaced(saved, tmp_path):
    path = saved(numpy.ones(3, "f4"))
    before = path.read_bytes()
    for option in ("--json", "--state"):
        with open(path, "rb") as file:
            one_error(wavefold("reduce", "-", option, path, stdin=file), USAGE, f"'{path}' would replace the input")
    assert path.read_bytes() == before


def test_standard_input_beyond_the_memory():
    """An endless one, in an address space with room for some MiB of it."""
    with open("/dev/zero", "rb") as zeros:
        done = wavefold("reduce", "-", "--type", "f32", stdin=zeros, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (1 << 28, 1 << 28)))
    one_error(done, FAILURE, "input '-' is longer than the", "bytes", "save it to a file")


@pytest.mark.parametrize("fortran", [False, True])
def test_no_memory_for_a_copy(tmp_path, fortran):
    """A file of zeros that takes no room, in the other byte order, or in Fortran order, and twice as large as the
    machine's memory."""
    count = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    buffer = io.BytesIO()
    shape = (2, count // 2) if fortran else (count,)
    numpy.lib.format.write_array_header_1_0(buffer, {"descr": "<f8" if fortran else ">f8", "fortran_order": fortran,
                                                     "shape": shape})
    path = tmp_path / "sparse.npy"
    path.write_bytes(buffer.getvalue())
    try:
        os.truncate(path, len(buffer.getvalue()) + 8 * count)
    except OSError:
        pytest.skip("no sparse files here")
    more = ["--op", "argmax"] if fortran else []
    one_error(reduce(path, *more), FAILURE, "sparse.npy", "Fortran" if fortran else "byte order", str(8 * count), "--n")
    assert words(path, "--n", 1000) == ["0"]


@pytest.mark.parametrize("more", [[], ["--json", "-"], ["--op", "describe"]], ids=" ".join)
def test_full_standard_output(saved, more):
    with open("/dev/full", "w") as full:
        done = wavefold("reduce", "--device", "host", saved(numpy.ones(3)), *more, capture_output=False, stdout=full,
                        stderr=subprocess.PIPE)
    assert done.returncode == FAILURE and "cannot write standard output" in done.stderr
    assert done.stderr.count("\n") == 1


def test_json_file(saved, tmp_path):
    path, out = saved(numpy.array([1, 2, 4], "f4")), tmp_path / "out.json"
    out.write_text("old\n" * 10000)
    for quiet, text in ([], "7\n"), (["-q"], ""):
        done = reduce(path, "--json", out, *quiet)
        assert (done.returncode, done.stdout, done.stderr) == (SUCCESS, text, "")
        got, printed = json.loads(out.read_text()), answer(path)
        assert got.pop("seconds") >= 0 and printed.pop("seconds") >= 0
        assert got == printed and got["result"] == 7


def test_never_replaces_the_input(saved, tmp_path):
    path = saved(numpy.ones(3, "f4"))
    before = path.read_bytes()
    (tmp_path / "link").symlink_to(path)
    for output in (path, tmp_path / "link"):
        one_error(reduce(path, "--json", output), USAGE, f"'{output}' would replace the input")
    assert path.read_bytes() == before


def test_failure_keeps_the_old_report(saved, tmp_path):
    (tmp_path / "out.json").write_text("old")
    for arguments in ([tmp_path / "none.npy"], [saved(numpy.ones(3, "f4")), "--op", "xor"]):
        one_error(reduce(*arguments, "--json", tmp_path / "out.json"), FAILURE)
    assert (tmp_path / "out.json").read_text() == "old"


def test_help():
    done = wavefold("reduce", "--help")
    assert done.returncode == SUCCESS and "Usage: wavefold reduce [OPTION...] FILE" in done.stdout
    for option in ("op", "type", "raw", "accumulator", "nan", "accuracy", "n", "device", "state", "json", "quiet"):
        assert f"--{option}" in done.stdout
