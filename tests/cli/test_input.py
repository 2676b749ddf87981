"""Input files: every kind that is read, and every kind that is refused."""

import io
import itertools
import os
import shlex
import struct
import subprocess
import sys

import numpy
import pytest
from support import DTYPES, FAILURE, USAGE, one_error, parse_value, progression, report, same, wavefold

MAGIC = b"\x93NUMPY"


def npy(header, data=b"", version=(1, 0)):
    """A .npy file with this header, good or bad."""
    text = header if isinstance(header, bytes) else header.encode("latin1")
    length = struct.pack("<H" if version[0] == 1 else "<I", len(text) + 1)
    return MAGIC + bytes(version) + length + text + b"\n" + data


def header(descr="'<f4'", order="False", shape="(2,)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


TWO = struct.pack("<2f", 1.5, 2.25)

BAD_NPY = {
    "header cut": (MAGIC + b"\x01\x00\xff", ["truncated"]),
    "only magic": (MAGIC, ["truncated"]),
    "version 4": (npy(header(), TWO, (4, 0)), ["4.0", "1.0, 2.0 and 3.0"]),
    "version 0": (npy(header(), TWO, (0, 0)), ["0.0"]),
    "version 1.1": (npy(header(), TWO, (1, 1)), ["1.1"]),
    "header beyond the file": (MAGIC + b"\x01\x00\xff\xff{", ["truncated", "65545"]),
    "header too large": (MAGIC + b"\x02\x00" + struct.pack("<I", 2**31) + b"{", ["2147483648", "limit is 1048576"]),
    "data cut": (npy(header(), TWO[:-1]), ["truncated", "2 elements of 4 bytes", "7 bytes"]),
    "no data": (npy(header(), b""), ["truncated"]),
    "f16": (npy(header("'<f16'"), TWO), ["'<f16'", "f2, f4, f8, i1, i2, i4, i8, u1, u2, u4 and u8"]),
    "a terminal's commands": (npy(header("'<f\x1b[2J\xc2\x9b4'"), TWO), ["'<f?[2J??4'"]),
    "c16": (npy(header("'<c16'"), TWO), ["'<c16'"]),
    "no byte order that i2 has": (npy(header("'|i2'"), TWO), ["'|i2'"]),
    "c8": (npy(header("'<c8'"), TWO), ["'<c8'"]),
    "bool of two bytes": (npy(header("'|b2'"), TWO), ["'|b2'"]),
    "neither true nor false": (npy(header("'|b1'"), b"\1\2"), ["bool", "byte 1", "is 2", "--type u8", "view('u1')"]),
    "object": (npy(header("'|O'"), TWO), ["'|O'"]),
    "f4 and more": (npy(header("'<f44'"), TWO), ["'<f44'"]),
    "no byte order that there is": (npy(header("'|f4'"), TWO), ["'|f4'"]),
    "structured": (npy(header("[('a', '<f4'), ('b', '<i4')]"), TWO), ["[('a', '<f4'), ('b', '<i4')]"]),
    "shape overflows": (npy(header(shape=f"({2**33}, {2**33})"), TWO), ["product of 'shape'"]),
    "size overflows": (npy(header(shape=f"({2**62},)"), TWO), ["truncated", str(2**62)]),
    "dimension overflows": (npy(header(shape=f"({2**64},)"), TWO), ["dimension beyond 2^64"]),
    "negative dimension": (npy(header(shape="(-2,)"), TWO), ["negative"]),
    "number for shape": (npy(header(shape="2"), TWO), ["tuple"]),
    "list for shape": (npy(header(shape="[2]"), TWO), ["tuple"]),
    "shape without comma": (npy(header(shape="(2)"), TWO), ["comma"]),
    "shape with two commas": (npy(header(shape="(2,,)"), TWO), ["shape"]),
    "shape with leading zero": (npy(header(shape="(02,)"), TWO), ["leading zero"]),
    "shape with two suffixes": (npy(header(shape="(2LL,)"), TWO), ["comma"]),
    "shape with a suffix alone": (npy(header(shape="(L,)"), TWO), ["whole numbers"]),
    "shape with missing comma": (npy(header(shape="(1 2)"), TWO), ["comma"]),
    "shape that does not end": (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,", TWO), ["malformed"]),
    "fractional dimension": (npy(header(shape="(2.0,)"), TWO), ["malformed"]),
    "order 0": (npy(header(order="0"), TWO), ["True nor False"]),
    "order true": (npy(header(order="true"), TWO), ["True nor False"]),
    "order Falsehood": (npy(header(order="Falsehood"), TWO), ["malformed"]),
    "descr a number": (npy(header("4"), TWO), ["'descr'"]),
    "descr without end": (npy("{'descr': '<f4"), ["'descr'"]),
    "descr too long": (npy(header("'" + "f" * 200 + "'"), TWO), ["'descr'"]),
    "descr with escape": (npy(header(r"'<f\x34'"), TWO), ["'descr'"]),
    "descr with zero byte": (npy(header("'<f4\0'"), TWO), ["'descr'"]),
    "no dictionary": (npy("hello", TWO), ["does not begin with {"]),
    "empty header": (npy("", TWO), ["does not begin with {"]),
    "dictionary without end": (npy(header()[:-1], TWO), ["malformed"]),
    "after the dictionary": (npy(header() + " x", TWO), ["follows the closing }"]),
    "missing key": (npy("{'descr': '<f4', 'shape': (2,)}", TWO), ["lacks"]),
    "extra key": (npy(header()[:-1] + "'x': 1}", TWO), ["key"]),
    "key twice": (npy(header()[:-1] + "'descr': '<f4'}", TWO), ["twice"]),
    "no comma between": (npy("{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}", TWO), ["comma"]),
    "no colon": (npy("{'descr' '<f4'}", TWO), ["colon"]),
    "quotes that differ": (npy("{'descr\": '<f4', 'fortran_order': False, 'shape': (2,)}", TWO), ["malformed"]),
}


@pytest.mark.parametrize("name", BAD_NPY)
def test_bad_npy(tmp_path, name):
    path = tmp_path / "bad.npy"
    content, named = BAD_NPY[name]
    path.write_bytes(content)
    one_error(progression("--input", path), FAILURE, str(path), *named)


def test_missing_file(tmp_path):
    one_error(progression("--input", tmp_path / "none.npy"), FAILURE, "none.npy", "No such file")


def test_directory(tmp_path):
    one_error(progression("--input", tmp_path), FAILURE, str(tmp_path), "directory")


def test_fifo(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    one_error(progression("--input", tmp_path / "fifo"), FAILURE, "no regular file")


@pytest.mark.parametrize("name", ["empty.npy", "empty.bin"])
def test_empty_file(tmp_path, name):
    (tmp_path / name).touch()
    one_error(progression("--input", tmp_path / name, "--type", "f32"), FAILURE, name, "empty", "--n 0")


def test_npy_by_name_only(tmp_path):
    (tmp_path / "text.npy").write_text("not an array, 1")
    one_error(progression("--input", tmp_path / "text.npy", "--type", "f32"), FAILURE, "text.npy", "no .npy file",
              "--raw")


def test_raw_needs_type(tmp_path):
    (tmp_path / "a.bin").write_bytes(TWO)
    one_error(progression("--input", tmp_path / "a.bin"), FAILURE, "a.bin", "--type")


TEXTS = {
    "csv": (b"1.5,2.25\n-3,4e5\n", "delimiter=','"),
    "header": (b"height,age\n" + b"1,2\n" * 100, "delimiter=','"),
    "semicolons": (b"1;2\r\n3;4\r\n", "delimiter=';'"),
    "blanks": (b"  1 2\n\t3 4\n", "loadtxt(sys.argv[1])"),
    "a number": (b"3.14\n", "loadtxt"),
    "long": (b"1.5\n" * 5000, "loadtxt"),
    "UTF-8": ("größe, n\n1, 2\n".encode() * 100, "loadtxt"),
    "a mark of UTF-8": (b"\xef\xbb\xbf1,2\n", "loadtxt"),
    "a character across the KiB": (b"1, " + b"x" * 1020 + "ß\n".encode(), "loadtxt"),
    "binary after the KiB": (b"1, " + b"x" * 1021 + bytes(100), "loadtxt"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text(tmp_path, name):
    """Its letters are no numbers: summed as bits they would be some number all the same."""
    content, command = TEXTS[name]
    for path in (tmp_path / "a.csv", tmp_path / "a.bin"):
        path.write_bytes(content + b"\n" * (-len(content) % 8))
        for kind in ("f32", "i64", "u16", "bf16"):
            one_error(wavefold("reduce", path, "--type", kind), FAILURE, str(path), "looks like text", "numpy.save(",
                      command.format(path=path), "--raw")
        one_error(wavefold("reduce", path), FAILURE, str(path), "looks like text", command.format(path=path))
        one_error(progression("--input", path, "--type", "f32"), FAILURE, str(path), "looks like text", "--raw")
        whole = path.read_bytes()
        for kind, dtype in (("u8", "u1"), ("i8", "i1")):
            assert wavefold("reduce", path, "--type", kind).stdout.strip() == str(
                numpy.frombuffer(whole, dtype).sum(dtype="i8"))
        assert wavefold("reduce", path, "--type", "i64", "--raw", "--op", "max").stdout.strip() == str(
            numpy.frombuffer(whole, "i8").max())
        assert int(report("--input", path, "--type", "i64", "--raw", "--op", "max")["exact"]["value"]) == (
            numpy.frombuffer(whole, "i8").max())


@pytest.mark.parametrize("content", [
    "1.5,2.25\n-3,4e5\n", "1.5;2.25\n-3;4e5\n", "1.5\t2.25\n-3 4e5\n", "height,age\n1.5,2.25\n-3,4e5\n",
    "[[1.5, 2.25],\n [-3, 4e5]]\n"])
@pytest.mark.parametrize("name", ["a.txt", "$(touch bad) it's \"a\".csv"])
def test_text_is_converted(tmp_path, content, name):
    """By the command that the message shows, whatever the file is called."""
    path = tmp_path / name
    path.write_text(content)
    message = wavefold("reduce", path).stderr
    command = message.partition("convert it: python3")[2]
    subprocess.run(f"{shlex.quote(sys.executable)} {command}", shell=True, check=True, cwd=tmp_path)
    assert wavefold("reduce", f"{path}.npy").stdout == "400000.75\n"
    assert sorted(os.listdir(tmp_path)) == sorted([name, f"{name}.npy"])


NO_TEXTS = {
    "no digit": b"what, then\n\n",
    "no separator": b"12345678",
    "a zero byte": b"1 2 3 4\0",
    "a byte 7f": b"1 2 3 4\x7f",
    "no UTF-8": b"1 2 3 4\xe4",
    "UTF-8 that goes on as ASCII": b"1 2 3\xc3 4",
    "UTF-8 that begins in its middle": b"1 2 3 4\x80",
    "UTF-8 that ends too early": b"1 2 3 \xe2\x82",
    "a control character": b"1 2 3 4\x1b",
    "binary at the end of the KiB": b"1 2 " * 255 + b"123\0",
}


@pytest.mark.parametrize("name", NO_TEXTS)
def test_raw_that_has_letters(tmp_path, name):
    path = tmp_path / "a.bin"
    path.write_bytes(NO_TEXTS[name] + b"x" * (-len(NO_TEXTS[name]) % 8))
    done = wavefold("reduce", path, "--type", "u64")
    assert done.stdout.strip() == str(numpy.fromfile(path, "u8").sum()), done.stderr
    one_error(wavefold("reduce", path), FAILURE, "raw binary", "--type f32")


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "a.csv"])
def test_raw_whatever_the_name(tmp_path, name):
    numpy.arange(4.0).tofile(tmp_path / name)
    assert wavefold("reduce", tmp_path / name, "--type", "f64", "--raw").stdout == "6\n"
    numpy.save(tmp_path / "b.npy", numpy.arange(4.0))
    whole = (tmp_path / "b.npy").read_bytes()
    assert wavefold("reduce", tmp_path / "b.npy", "--type", "u8", "--raw").stdout == f"{sum(whole)}\n"


@pytest.mark.parametrize("kind", DTYPES)
def test_raw_of_a_wrong_size(tmp_path, kind):
    (tmp_path / "a.bin").write_bytes(bytes(17))
    one_error(progression("--input", tmp_path / "a.bin", "--type", kind), FAILURE, "17 bytes", kind)


def test_type_that_is_not_the_file_s(tmp_path):
    numpy.save(tmp_path / "a.npy", numpy.ones(3, "f8"))
    one_error(progression("--input", tmp_path / "a.npy", "--type", "f32"), FAILURE, "f64", "f32", "--type")
    assert report("--input", tmp_path / "a.npy", "--type", "f64")["type"] == "f64"


@pytest.mark.parametrize("name", ["a.npy", "a.bin"])
def test_n_limits_the_file(tmp_path, name):
    data = numpy.arange(1000, dtype="i4")
    numpy.save(tmp_path / "a.npy", data)
    data.tofile(tmp_path / "a.bin")
    arguments = ("--input", tmp_path / name, "--type", "i32")
    assert report(*arguments)["n"] == 1000
    some = report(*arguments, n=10)
    assert some["n"] == 10 and some["exact"]["value"] == "45"
    assert report(*arguments, n=0)["exact"]["value"] == "0"
    one_error(progression(*arguments, n=1001), FAILURE, name, "1000", "1001", "--n")


def random_array(dtype, shape, seed=1):
    generator = numpy.random.default_rng(seed)
    if numpy.dtype(dtype).kind == "f":
        return generator.standard_normal(shape).astype(dtype)
    info = numpy.iinfo(dtype)
    return generator.integers(info.min, info.max, shape, dtype=numpy.dtype(dtype).newbyteorder("=")).astype(dtype)


@pytest.mark.parametrize("version, order, kind", itertools.product([(1, 0), (2, 0), (3, 0)], "<>=", DTYPES))
def test_npy_formats(tmp_path, version, order, kind):
    data = random_array(order + DTYPES[kind], 1003)
    buffer = io.BytesIO()
    numpy.lib.format.write_array(buffer, data, version=version)
    path = tmp_path / "good.npy"
    path.write_bytes(buffer.getvalue())
    # The maximum and the sum: each byte order gives other ones.
    for op, expected in (("max", data.max()), ("min", data.min())):
        got = report("--input", path, "--op", op, "--rungs", "tiled_3")
        assert (got["data"], got["input"], got["type"], got["n"]) == ("file", str(path), kind, 1003)
        assert parse_value(got["exact"]["value"], DTYPES[kind]) == expected
        assert parse_value(got["rungs"][0]["result"], DTYPES[kind]) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        (header(), 3.75),
        (header().replace("'", '"'), 3.75),
        ("{'shape':(2,),'fortran_order':False,'descr':'<f4'}", 3.75),
        ("  {\t'fortran_order' : True ,\n 'descr' : \"<f4\" , 'shape' : ( 2 , ) , }  ", 3.75),
        (header(shape="()"), 1.5),
        (header(shape="(1,)"), 1.5),
        (header(shape="(0,)"), 0.0),
        (header(shape="(2, 1, 1)"), 3.75),
        (header(shape="(1, 2)"), 3.75),
        (header(shape="(1, 2,)", order="True"), 3.75),
        (header(shape="(0, 5, 5)", order="True"), 0.0),
        (header(shape=f"({2**40}, {2**40}, 0)"), 0.0),
        (header(shape="(2L,)"), 3.75),  # of Python 2
        (header(shape="(1L, 2L)"), 3.75),
        (header(shape="(0L,)"), 0.0),
        (header("'f4'"), 3.75),
        (header("'=f4'"), 3.75),
    ],
)
def test_headers_that_python_can_read(tmp_path, text, expected):
    # Data that no header ends before at a multiple of 4 are read as well.
    for padding in range(4):
        path = tmp_path / f"{padding}.npy"
        path.write_bytes(npy(text + " " * padding, TWO))
        assert float(report("--input", path, "--rungs", "sequential")["exact"]["value"]) == expected


@pytest.mark.parametrize("shape", [(), (7,), (3, 5), (2, 3, 4), (1, 9), (0,)])
def test_shapes(tmp_path, shape):
    data = random_array("i8", shape)
    numpy.save(tmp_path / "a.npy", data)
    got = report("--input", tmp_path / "a.npy")
    assert got["n"] == data.size and int(got["exact"]["value"]) == int(data.sum())


@pytest.mark.parametrize("dtype", ["<f8", ">i4"])
def test_fortran_order(tmp_path, dtype):
    """In C order: the largest number by its index, and a scan, whose every element is checked."""
    data = random_array(dtype, (7, 40, 2))
    numpy.save(tmp_path / "a.npy", numpy.asfortranarray(data))
    got = report("--input", tmp_path / "a.npy", "--op", "argmax", "--rungs", "wavefold")
    assert got["exact"]["value"]["index"] == data.argmax() == got["rungs"][0]["result"]["index"]
    numpy.save(tmp_path / "c.npy", data)
    for more in (["--n", 100], ["--op", "affine", "--n", 101], ["--family", "scan"]):
        reports = [report("--input", tmp_path / name, *more) for name in ("a.npy", "c.npy")]
        assert reports[0]["exact"] == reports[1]["exact"] and reports[0]["n"] == reports[1]["n"]
        assert [rung["verdict"] for rung in reports[0]["rungs"]] == ["verified"] * len(reports[0]["rungs"])


def test_standard_input(tmp_path):
    data = random_array("f4", 1003)
    numpy.save(tmp_path / "a.npy", data)
    for more in ([], ["--n", 100]):
        with open(tmp_path / "a.npy", "rb") as file:
            got = report("--input", "-", *more, stdin=file)
        cat = subprocess.Popen(["cat", tmp_path / "a.npy"], stdout=subprocess.PIPE)
        also = report("--input", "-", *more, stdin=cat.stdout)
        assert cat.wait() == 0
        assert got["input"] == also["input"] == "-" and got["n"] == also["n"] == len(data[: 100 if more else None])
        assert got["exact"] == also["exact"] == report("--input", tmp_path / "a.npy", *more)["exact"]
    with open(tmp_path / "a.npy", "rb") as file:
        done = progression("--input", "-", "--csv", tmp_path / "a.npy", stdin=file)
        one_error(done, USAGE, "would replace the input")
    one_error(progression("--input", "-", stdin=subprocess.DEVNULL), FAILURE, "input '-' is empty")


@pytest.mark.parametrize("kind", DTYPES)
def test_raw(tmp_path, kind):
    data = random_array(DTYPES[kind], 777)
    data.tofile(tmp_path / "a.bin")
    got = report("--input", tmp_path / "a.bin", "--type", kind, "--op", "max")
    assert got["n"] == 777 and parse_value(got["exact"]["value"], DTYPES[kind]) == data.max()


def test_bool(tmp_path):
    """As u8."""
    data = numpy.arange(1003) % 3 == 0
    numpy.save(tmp_path / "a.npy", data)
    for more in ([], ["--type", "u8"]):
        got = report("--input", tmp_path / "a.npy", *more)
        assert (got["type"], got["n"], int(got["exact"]["value"])) == ("u8", 1003, data.sum())
    one_error(progression("--input", tmp_path / "a.npy", "--type", "i8"), FAILURE, "holds bool", "i8")


def test_chunks_join(tmp_path):
    """More than the 16 MiB that are staged at a time, swapped, from an address that is no multiple of 4."""
    count = (16 << 20) // 4 + 5
    data = numpy.arange(count, dtype=">i4") * 7
    path = tmp_path / "long.npy"
    path.write_bytes(npy(header("'>i4'", shape=f"({count},)") + " ", data.tobytes()))
    got = report("--input", path, "--rungs", "sequential")
    expected = int(data.astype("i8").sum()) % 2**32
    assert int(got["exact"]["value"]) == expected - 2**32 * (expected >= 2**31)
    assert int(got["rungs"][0]["result"]) == int(got["exact"]["value"])


SPECIAL = [0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), float("nan")]


@pytest.mark.parametrize("op, dtype", itertools.product(["min", "max"], ["f4", "f8"]))
def test_extremes_of_special_values(tmp_path, op, dtype):
    path = tmp_path / "a.npy"
    for data in itertools.chain(itertools.product(SPECIAL, repeat=2), [(1.0, float("nan"), 2.0, -0.0, 0.0)]):
        numpy.save(path, numpy.array(data, dtype))
        got = report("--input", path, "--op", op, "--rungs", "sequential")
        # The order of IEEE 754's minimum and maximum: any NaN wins, and -0 is less than +0.
        ordered = sorted(data, key=lambda x: (x, numpy.copysign(1, x)))
        expected = float("nan") if numpy.isnan(data).any() else ordered[0 if op == "min" else -1]
        assert same(float(got["exact"]["value"]), expected), data
        assert got["rungs"][0]["ulps"] == 0
