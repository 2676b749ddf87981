"""`wavefold count`: the values and counts against numpy.unique."""

import numpy
import pytest
from arrays import REFUSED, document, lines, on_terminal, refused, run, written
from reduced import data_of
from support import ALL_DTYPES, FAILURE, SUCCESS, USAGE, one_error


def same_counts(got, data):
    values, counts = numpy.unique(data, return_counts=True)
    assert got.dtype == numpy.dtype([("value", data.dtype.newbyteorder("=")), ("count", "<u8")])
    assert numpy.array_equal(got["value"], values, equal_nan=data.dtype.kind == "f")
    assert got["count"].tolist() == counts.tolist()


@pytest.mark.parametrize("kind", list(ALL_DTYPES))
def test_every_type(saved, kind):
    for number, shape in enumerate([(0,), (1,), (1003,), (33, 70), (4, 3, 2)]):
        data = numpy.asarray(data_of(kind, shape, "=>"[number % 2]), order="CF"[number // 2 % 2])
        same_counts(written("count", saved(data)), data)
        few = (numpy.arange(data.size) * 31 % 7).astype(data.dtype) # each value often
        few = few - few.dtype.type(3) if kind[0] in "if" else few
        same_counts(written("count", saved(few)), few)


def test_zeros_and_nan(saved):
    """-0 and +0 are one value, and all NaN."""
    for dtype in ("f2", "f4", "f8"):
        bits = numpy.dtype(dtype.replace("f", "u"))
        data = numpy.array([0.0, numpy.nan, -0.0, 1, numpy.inf, -numpy.nan, -numpy.inf, -0.0], dtype)
        odd = data.copy()
        odd.view(bits)[1] ^= bits.type(1) # another NaN
        got = written("count", saved(odd))
        same_counts(got, data)
        assert not numpy.signbit(got["value"][1]) and got["count"].tolist() == [1, 3, 1, 1, 2]


def test_order_and_top(saved):
    data = numpy.repeat(numpy.array([5, -3, 7, 0, 2], "i2"), [2, 4, 1, 4, 2])
    assert written("count", saved(data), "--by", "count").tolist() == [(-3, 4), (0, 4), (2, 2), (5, 2), (7, 1)]
    assert written("count", saved(data), "--by", "value").tolist() == [(-3, 4), (0, 4), (2, 2), (5, 2), (7, 1)]
    assert written("count", saved(data), "--top", 3).tolist() == [(-3, 4), (0, 4), (2, 2)]
    data = numpy.repeat(numpy.array([5, -3, 7], "i2"), [1, 2, 3])
    assert written("count", saved(data), "--top", 2).tolist() == [(7, 3), (-3, 2)]
    assert written("count", saved(data), "--top", 2, "--by", "value").tolist() == [(-3, 2), (5, 1)]
    assert written("count", saved(data), "--top", 9).tolist() == [(7, 3), (-3, 2), (5, 1)]


def test_bool(saved):
    data = numpy.array([True, False, True])
    same_counts(written("count", saved(data)), data)
    assert lines("count", saved(data)) == ["value  count", "false      1", " true      2"]
    assert document("count", saved(data))["counts"] == [{"value": False, "count": 1}, {"value": True, "count": 2}]


def test_text(saved, tmp_path):
    assert lines("count", saved(numpy.array([3, 1, 3], "f4"))) == ["value  count", "    1      1", "    3      2"]
    many = lines("count", saved(numpy.arange(23)))
    assert len(many) == 22 and many[20].split() == ["19", "1"]
    assert many[21] == "3 more values; --output FILE.npy writes all of them"
    assert lines("count", saved(numpy.arange(21)))[-1].startswith("1 more value;")
    assert len(lines("count", saved(numpy.arange(20)))) == 21
    assert len(lines("count", saved(numpy.arange(50)), "--top", 30)) == 32
    assert lines("count", saved(numpy.zeros((0, 3)))) == ["no values"]
    assert lines("count", saved(numpy.uint8(7))) == ["value  count", "    7      1"]
    output = tmp_path / "out.npy"
    assert lines("count", saved(numpy.arange(3, dtype="u1")), "--output", output) == [
        f"{output}: shape (3,), dtype [('value', '|u1'), ('count', '<u8')]"]


def test_json(saved, tmp_path):
    data = numpy.array([2, 1, 2, numpy.nan], "f4")
    got = document("count", saved(data))
    assert list(got) == ["wavefold", "input", "n", "type", "device", "seconds", "by", "distinct", "counts"]
    assert (got["n"], got["by"], got["distinct"]) == (4, "value", 3)
    assert got["counts"] == [{"value": 1, "count": 1}, {"value": 2, "count": 2}, {"value": "nan", "count": 1}]
    got = document("count", saved(data), "--top", 1)
    assert (got["by"], got["distinct"], got["counts"]) == ("count", 3, [{"value": 2, "count": 2}])
    output = tmp_path / "out.npy"
    assert document("count", saved(data), "--output", output)["output"] == {
        "path": str(output), "shape": [3], "dtype": "[('value', '<f4'), ('count', '<u8')]"}
    one_error(run("count", saved(numpy.arange(65537)), "--json", "-"), FAILURE, "at most 65536 values", "--top")


def test_raw(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"wavefold folds waves")
    got = written("count", tmp_path / "a.bin", "--type", "u8", "--top", 1)
    assert got.tolist() == [(ord(" "), 2)]
    one_error(run("count", tmp_path / "a.bin", "--type", "bf16", "--raw", "--output", tmp_path / "o.npy"), FAILURE,
              "bf16", "f32")
    assert lines("count", tmp_path / "a.bin", "--type", "u8", "--n", 1) == ["value  count", "  119      1"]


@pytest.mark.parametrize("arguments, status, named", REFUSED + [
    (["FILE", "--by", "size"], USAGE, ["unknown order 'size'", "value and count"]),
    (["FILE", "--top", "0"], USAGE, ["--top 0 is out of range"]),
])
def test_refused(tmp_path, arguments, status, named):
    refused("count", tmp_path, arguments, status, named)


def test_pieces(long_array, tmp_path):
    """Counts of pieces are merged; values that only one piece has, too."""
    path = long_array((2**27 + 9,), [(1,), (2**26,), (2**27 + 8,)])
    array = numpy.load(path, mmap_mode="r+")
    array[7], array[2**27] = 9, 200
    array.flush()
    output = tmp_path / "out.npy"
    status, text = on_terminal("stderr", "count", path, "--device", "host", "--output", output)
    assert status == SUCCESS and text.startswith("\r[") and text.endswith("\r\x1b[K")
    assert numpy.load(output).tolist() == [(0, 2**27 + 4), (1, 3), (9, 1), (200, 1)]
    assert lines("count", path, "--top", 2) == ["value      count", "    0  134217732", "    1          3",
                                               "2 more values; --output FILE.npy writes all of them"]


def test_pieces_of_floats(tmp_path):
    """Signed floats and NaN, in three pieces: lists of different lengths are merged."""
    often = numpy.random.default_rng(4).standard_normal(2**14).round(3)
    often[:5] = [-0.0, numpy.nan, -numpy.inf, numpy.inf, 0.0]
    rest = numpy.concatenate([often[::-3], numpy.arange(-50, 50, 0.125)])
    path = tmp_path / "a.npy"
    numpy.save(path, numpy.concatenate([numpy.tile(often, 2**10), rest]))
    got = written("count", path)
    values, which = numpy.unique(numpy.concatenate([often, rest]), return_inverse=True)
    counts = numpy.bincount(which, numpy.concatenate([numpy.full(often.size, 2**10), numpy.ones(rest.size)]))
    assert numpy.array_equal(got["value"], values, equal_nan=True) and numpy.array_equal(got["count"], counts)
