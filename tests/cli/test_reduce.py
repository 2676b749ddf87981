"""`wavefold reduce`: its answers beside NumPy's."""

import math
import re
import struct

import numpy
import pytest
from reduced import FLOATS, INTEGERS, answer, data_of, described, reduce, words
from support import ALL_DTYPES, FAILURE, SUCCESS, one_error, wavefold


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
