"""`wavefold scan`: the results against NumPy."""

import os
import struct

import numpy
import pytest
from arrays import (REFUSED, REFUSED_AXES, document, interrupted, lines, on_terminal, refused, run, same_array,
                    written)
from reduced import FLOATS, INTEGERS, data_of, npy_header
from support import ALL_DTYPES, FAILURE, SUCCESS, USAGE, one_error, wavefold

SHAPES = [(0,), (1,), (7,), (1003,), (3, 5), (5, 3), (1, 6), (6, 1), (2, 0, 3), (4, 3, 2), (33, 70), (2, 3, 1, 2)]


def accumulated(function, data, axis):
    return function.accumulate(data.ravel() if axis is None else data, axis=0 if axis is None else axis)


def wide(kind):
    return "u8" if kind[0] == "u" else "i8"


@pytest.mark.parametrize("kind", list(ALL_DTYPES))
def test_every_type(saved, kind):
    for number, shape in enumerate(SHAPES if kind in ("f32", "i16") else SHAPES[3::2]):
        data = numpy.asarray(data_of(kind, shape, "=>"[number % 2]), order="CF"[number // 2 % 2])
        native = data.astype(ALL_DTYPES[kind])
        path = saved(data)
        for axis in (None, *range(-1, len(shape))):
            along = [] if axis is None else ["--axis", axis]
            op, function = [("min", numpy.minimum), ("max", numpy.maximum)][number % 2]
            same_array(written("scan", path, *along, "--op", op), accumulated(function, native, axis))
            if kind in INTEGERS:
                same_array(written("scan", path, *along), native.cumsum(axis=axis, dtype=wide(kind)))


@pytest.mark.parametrize("kind", FLOATS)
def test_sums_of_floats(saved, kind):
    """Results of whole numbers are exact; those of others near."""
    result = {"f16": "f4"}.get(kind, ALL_DTYPES[kind])
    whole = numpy.random.default_rng(1).integers(-9, 9, (40, 30)).astype(ALL_DTYPES[kind])
    others = data_of(kind, (40, 30))
    for axis in (0, 1):
        same_array(written("scan", saved(whole), "--axis", axis), whole.cumsum(axis=axis, dtype=result))
        expected = others.cumsum(axis=axis, dtype="f8")
        assert written("scan", saved(others), "--axis", axis) == pytest.approx(expected, rel=1e-4, abs=1e-4)
        if kind != "f64":
            got = written("scan", saved(others), "--axis", axis, "--as-elements")
            assert got.dtype == ALL_DTYPES[kind] and got == pytest.approx(expected, rel=1e-2, abs=1e-2)
    if kind == "f32":
        assert written("scan", saved(others), "--accumulator", "f64").dtype == "f8"


def test_exclusive_reverse_and_initial(saved):
    data = numpy.array([[3, -1, 4], [1, -5, 9]], "i4")
    path = saved(data)
    for axis, flat in ((None, data.ravel()), (1, data)):
        along = [] if axis is None else ["--axis", axis]
        sums = flat.cumsum(axis=-1, dtype="i8")
        same_array(written("scan", path, *along, "--exclusive"), sums - flat)
        same_array(written("scan", path, *along, "--exclusive", "--initial", -7), sums - flat - 7)
        back = flat[..., ::-1].cumsum(axis=-1, dtype="i8")[..., ::-1]
        same_array(written("scan", path, *along, "--reverse"), back)
        same_array(written("scan", path, *along, "--reverse", "--exclusive", "--initial", 5), back - flat + 5)
    same_array(written("scan", path, "--op", "max", "--initial", 3), numpy.array([3, 3, 4, 4, 4, 9], "i4"))
    same_array(written("scan", path, "--op", "product", "--initial", "2"),
               numpy.array([6, -6, -24, -24, 120, 1080], "i8"))
    same_array(written("scan", path, "--op", "min", "--exclusive"),
               numpy.array([2**31 - 1, 3, -1, -1, -1, -5], "i4"))
    same_array(written("scan", saved(data.astype("f4")), "--initial", "0.5"),
               data.ravel().cumsum().astype("f4") + numpy.float32(0.5))
    same_array(written("scan", saved(data.astype("f4")), "--op", "max", "--initial", "inf"),
               numpy.full(6, numpy.inf, "f4"))


def test_as_elements_wraps(saved):
    data = numpy.array([100, 100, 100, -7], "i1")
    same_array(written("scan", saved(data), "--as-elements"), data.cumsum(dtype="i1"))
    data = numpy.array([2**31 - 1, 1, 5], "i4")
    same_array(written("scan", saved(data)), data.cumsum(dtype="i8"))
    same_array(written("scan", saved(data), "--accumulator", "i32"), data.cumsum(dtype="i4"))


def running_index(row, better):
    best, indices = 0, []
    for i, x in enumerate(row):
        best = i if better(x, row[best]) else best
        indices.append(best)
    return indices


@pytest.mark.parametrize("order", "CF")
def test_indices(saved, order):
    data = numpy.asarray(numpy.random.default_rng(2).integers(0, 5, (6, 9)).astype("f4"), order=order)
    for op, better in (("argmin", lambda a, b: a < b), ("argmax", lambda a, b: a > b)):
        same_array(written("scan", saved(data), "--op", op, "--axis", 1),
                   numpy.array([running_index(row, better) for row in data]))
        same_array(written("scan", saved(data), "--op", op, "--axis", 0),
                   numpy.array([running_index(row, better) for row in data.T]).T)
        same_array(written("scan", saved(data), "--op", op), numpy.array(running_index(data.ravel(), better)))
    assert written("scan", saved(data), "--op", "argmax", "--exclusive", "--axis", 1)[:, 0].tolist() == [-1] * 6


def test_nan(saved):
    nan = numpy.nan
    data = numpy.array([nan, 3, -0.0, nan, 0.0, -1], "f4")
    same_array(written("scan", saved(data), "--op", "min"), numpy.full(6, nan, "f4"))
    same_array(written("scan", saved(data), "--op", "min", "--nan", "ignore"),
               numpy.array([nan, 3, -0.0, -0.0, -0.0, -1], "f4"))
    same_array(written("scan", saved(data[1:])), numpy.array([3, 3, nan, nan, nan], "f4"))


def test_bool(saved):
    data = numpy.random.default_rng(1).integers(0, 2, (5, 7)) == 0
    same_array(written("scan", saved(data)), data.cumsum(dtype="u8"))
    same_array(written("scan", saved(data), "--op", "max", "--axis", 0), numpy.logical_or.accumulate(data, axis=0))
    same_array(written("scan", saved(data), "--op", "min", "--type", "u8"),
               numpy.minimum.accumulate(data.view("u1").ravel()))
    assert lines("scan", saved(data[0, :2]), "--op", "min")[0] == f"(0,) {str(bool(data[0, 0])).lower()}"
    one_error(run("scan", saved(data), "--op", "max", "--initial", 2), FAILURE, "--initial '2' is no bool")


@pytest.mark.parametrize("order", "CF")
def test_elements_of_several_numbers(saved, order):
    data = numpy.random.default_rng(7).integers(-3, 4, (3, 4, 2, 2)).astype("i4")
    expected = data.copy()
    for i in range(1, 3):
        expected[i] = expected[i - 1] @ data[i]
    path = saved(numpy.asarray(data, order=order))
    same_array(written("scan", path, "--op", "matmul", "--axis", 0), expected)
    flat = data.reshape(12, 2, 2).copy()
    for i in range(1, 12):
        flat[i] = flat[i - 1] @ flat[i]
    same_array(written("scan", path, "--op", "matmul"), flat)
    maps = numpy.array([[2, 1], [3, -1], [0, 4]], "i4")
    same_array(written("scan", saved(numpy.asarray(maps, order=order)), "--op", "affine"),
               numpy.array([[2, 1], [6, 2], [0, 4]], "i4"))
    assert lines("scan", saved(maps.ravel()), "--op", "affine")[1] == "(1,) 6 2"


def test_no_elements_and_no_dimension(saved):
    same_array(written("scan", saved(numpy.float32(5))), numpy.array([5], "f4"))
    assert written("scan", saved(numpy.zeros((0, 3))), "--axis", 0).shape == (0, 3)
    assert written("scan", saved(numpy.zeros((3, 0)))).shape == (0,)
    one_error(run("scan", saved(numpy.float32(5)), "--axis", 0), FAILURE, "no dimension")
    assert lines("scan", saved(numpy.zeros((0, 3))), "--axis", 0) == ["no results: shape (0, 3)"]


def test_raw_archives_and_pipes(saved, tmp_path):
    data = data_of("u16", 100)
    data.tofile(tmp_path / "a.bin")
    expected = data.cumsum(dtype="u8")
    same_array(written("scan", tmp_path / "a.bin", "--type", "u16"), expected)
    same_array(written("scan", tmp_path / "a.bin", "--type", "u16", "--n", 40), expected[:40])
    (tmp_path / "b.bin").write_bytes(struct.pack("<3H", 0x3f80, 0x4000, 0xc000)) # 1, 2, -2
    assert lines("scan", tmp_path / "b.bin", "--type", "bf16") == ["(0,) 1", "(1,) 3", "(2,) 1"]
    assert lines("scan", tmp_path / "b.bin", "--type", "bf16", "--op", "min")[2] == "(2,) -2"
    same_array(written("scan", tmp_path / "b.bin", "--type", "bf16"), numpy.array([1, 3, 1], "f4"))
    one_error(run("scan", tmp_path / "b.bin", "--type", "bf16", "--op", "min", "--output", tmp_path / "o.npy"), FAILURE,
              "bf16", "f32")
    numpy.savez_compressed(tmp_path / "a.npz", first=data, second=data[::-1])
    assert lines("scan", f"{tmp_path}/a.npz:first") == lines("scan", saved(data))
    done = wavefold("scan", "-", "--device", "host", "--output", "-", input=saved(data).read_bytes(), text=False)
    (tmp_path / "piped.npy").write_bytes(done.stdout)
    same_array(numpy.load(tmp_path / "piped.npy"), expected)
    assert on_terminal("stdout", "scan", saved(data), "--output", "-") == (FAILURE, "")


def test_the_first_elements_of_fortran_order(saved):
    data = numpy.asfortranarray(data_of("i32", (5, 4)))
    same_array(written("scan", saved(data), "--n", 7), data.ravel()[:7].cumsum(dtype="i8"))
    assert lines("scan", saved(data[:3]), "--axis", 0)[5] == f"(1, 1) {data[:2, 1].sum(dtype='i8')}"
    got = document("scan", saved(data), "--axis", 0)
    assert got["results"] == data.cumsum(axis=0, dtype="i8").ravel().tolist()


def test_unaligned_elements(tmp_path):
    data = data_of("f64", 20)
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {data.shape}}}\n".encode()
    assert len(head) % 2 == 1
    (tmp_path / "b.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data.tobytes())
    same_array(written("scan", tmp_path / "b.npy", "--op", "max"), numpy.maximum.accumulate(data))


def test_text(saved, tmp_path):
    data = numpy.arange(6, dtype="i4").reshape(2, 3)
    assert lines("scan", saved(data), "--axis", 1) == ["(0, 0) 0", "(0, 1) 1", "(0, 2) 3", "(1, 0) 3", "(1, 1) 7",
                                                      "(1, 2) 12"]
    assert lines("scan", saved(data), "--op", "argmax", "--exclusive")[:2] == ["(0,) none", "(1,) 0"]
    assert lines("scan", saved(numpy.arange(17))) == [
        "(0,) 0", "(1,) 1", "(2,) 3", "(3,) 6", "...", "(13,) 91", "(14,) 105", "(15,) 120", "(16,) 136",
        "17 results, shape (17,); --output FILE.npy writes all of them"]
    output = tmp_path / "out.npy"
    assert lines("scan", saved(data), "--output", output) == [f"{output}: shape (6,), dtype <i8"]
    assert lines("scan", saved(data), "-q") == []


def test_json(saved, tmp_path):
    data = numpy.arange(6, dtype="f4").reshape(2, 3)
    got = document("scan", saved(data), "--axis", -1, "--exclusive")
    assert list(got) == ["wavefold", "input", "n", "type", "device", "seconds", "op", "accumulator", "nan", "exclusive",
                         "reverse", "axis", "result_type", "result_shape", "results"]
    assert (got["n"], got["type"], got["op"], got["accumulator"], got["nan"]) == (6, "f32", "sum", "f32", "propagate")
    assert (got["exclusive"], got["reverse"], got["axis"], got["result_type"]) == (True, False, 1, "f32")
    assert (got["result_shape"], got["results"]) == ([2, 3], [0, 0, 1, 0, 3, 7]) and got["seconds"] > 0
    got = document("scan", saved(data), "--op", "argmax")
    assert got["axis"] is None and got["results"][5] == {"value": 5, "index": 5}
    output = tmp_path / "out.npy"
    got = document("scan", saved(data), "--output", output)
    assert got["output"] == {"path": str(output), "shape": [6], "dtype": "<f4"} and "results" not in got


def test_most_results_without_a_file(saved, tmp_path):
    data = numpy.ones(65536, "u1")
    assert document("scan", saved(data))["results"] == list(range(1, 65537))
    one_error(run("scan", saved(numpy.ones(65537, "u1"))), FAILURE, "at most 65536 results", "65537", "--output FILE")


@pytest.mark.parametrize("arguments, status, named", REFUSED + REFUSED_AXES + [
    (["FILE", "--op", "mean"], USAGE, ["no scan by mean", "sum, product"]),
    (["FILE", "--op", "smu"], USAGE, ["did you mean 'sum'"]),
    (["FILE", "--op", "max", "--as-elements"], USAGE, ["--as-elements is for sum and product"]),
    (["FILE", "--op", "argmin", "--initial", "1"], USAGE, ["--initial is for sum, product, min and max"]),
    (["FILE", "--initial", "x"], USAGE, ["--initial 'x' is no number"]),
    (["FILE", "--initial", ""], USAGE, ["--initial ''"]),
    (["FILE", "--initial", "1e999"], USAGE, ["is beyond the largest f64"]),
    (["FILE", "--type", "u8", "--initial", "-1"], USAGE, ["is no u64", "from 0 to 18446744073709551615"]),
    (["FILE", "--type", "i8", "--op", "min", "--initial", "128"], USAGE, ["is no i8", "from -128 to 127"]),
    (["FILE", "--type", "i32", "--initial", "1.5"], USAGE, ["is no i64", "whole number"]),
    (["FILE", "--accumulator", "f32"], 1, ["f64", "f32", "narrower"]),
    (["FILE", "--accumulator", "i64"], 1, ["another kind"]),
    (["FILE", "--op", "max", "--accumulator", "f32"], 1, ["max keeps the element's type"]),
    (["FILE", "--nan", "ignore"], 1, ["sum cannot ignore NaN"]),
    (["FILE", "--op", "matmul"], 1, ["holds no 2x2 matrices"]),
])
def test_refused(tmp_path, arguments, status, named):
    refused("scan", tmp_path, arguments, status, named)


def test_failure_keeps_the_old_output(saved, tmp_path):
    path, output = saved(numpy.ones((3, 4))), tmp_path / "out.npy"
    output.write_text("old")
    one_error(run("scan", path, "--axis", 7, "--output", output), FAILURE)
    one_error(run("scan", path, "--output", "/dev/full"), FAILURE, "cannot write '/dev/full'", "No space")
    assert output.read_text() == "old" and sorted(os.listdir(tmp_path)) == ["a.npy", "out.npy"]
    assert run("scan", path, "--output", output).returncode == SUCCESS
    assert sorted(os.listdir(tmp_path)) == ["a.npy", "out.npy"]


def test_pieces_of_a_long_row(long_array, tmp_path):
    """With a bar, and carried from piece to piece; a reverse scan is not cut."""
    count = 2**26 + 2**24 + 5
    ones, output = [(9,), (2**26,), (count - 1,)], tmp_path / "out.npy"
    path = long_array((count,), ones)
    status, text = on_terminal("stderr", "scan", path, "--as-elements", "--device", "host", "--output", output)
    assert status == SUCCESS and text.startswith("\r[") and " %  " in text and text.endswith("\r\x1b[K")
    expected = numpy.zeros(count, "u1")
    for i, index in enumerate(ones):
        expected[index[0]:] = i + 1
    assert numpy.array_equal(numpy.load(output), expected)
    assert run("scan", path, "--op", "max", "--output", output).returncode == SUCCESS
    assert numpy.array_equal(numpy.load(output), expected > 0)
    assert run("scan", path, "--as-elements", "--reverse", "--exclusive", "--output", output).returncode == SUCCESS
    assert numpy.array_equal(numpy.load(output), 3 - expected)


def test_pieces_have_the_bits_of_one_scan(tmp_path):
    """A column is scanned in one piece: its bits are those of a row with the same elements."""
    column = numpy.random.default_rng(3).standard_normal(2**24 + 2**20 + 3).astype("f4")
    path, pair, output = tmp_path / "a.npy", tmp_path / "pair.npy", tmp_path / "out.npy"
    numpy.save(path, column)
    numpy.save(pair, numpy.stack([column, column], axis=1))
    for options in ([], ["--exclusive", "--initial", "0.125"]):
        assert run("scan", pair, "--axis", 0, *options, "--output", output).returncode == SUCCESS
        expected = numpy.load(output)[:, 1].copy()
        assert run("scan", path, *options, "--output", output).returncode == SUCCESS
        assert numpy.load(output).tobytes() == expected.tobytes()


def test_pieces_of_rows(long_array, tmp_path):
    """Several rows in each piece, and in the last one fewer."""
    output = tmp_path / "out.npy"
    path = long_array((5, 2**23, 2), [(0, 5, 1), (3, 7, 0), (4, 2**23 - 1, 1)])
    assert run("scan", path, "--axis", 1, "--op", "max", "--output", output).returncode == SUCCESS
    got = numpy.load(output)
    assert got.sum() == 2**23 - 5 + 2**23 - 7 + 1 and got[0, 5:, 1].all() and got[3, 7:, 0].all() and got[4, -1, 1] == 1


def test_interruption_leaves_no_file(tmp_path):
    path = tmp_path / "long.npy"
    path.write_bytes(npy_header((2**30,)))
    os.truncate(path, path.stat().st_size + 2**30)
    interrupted(tmp_path, "scan", path, "--op", "max", "--device", "host", "--output", tmp_path / "out.npy")
    assert os.listdir(tmp_path) == ["long.npy"]
