"""`wavefold sort`: the results against NumPy."""

import numpy
import pytest
from arrays import REFUSED, REFUSED_AXES, document, lines, on_terminal, refused, run, same_array, written
from reduced import data_of
from support import ALL_DTYPES, FAILURE, SUCCESS, one_error

SHAPES = [(0,), (1,), (2,), (1003,), (3, 5), (5, 3), (1, 6), (6, 1), (2, 0, 3), (4, 3, 2), (33, 70), (2, 3, 1, 2)]


def positions(data, axis, descending=False):
    """Of a stable sort: equal elements keep their order."""
    ranks = numpy.unique(data, return_inverse=True)[1].reshape(data.shape)
    return numpy.argsort(-ranks if descending else ranks, axis=axis, kind="stable")


@pytest.mark.parametrize("kind", list(ALL_DTYPES))
def test_every_type(saved, kind):
    for number, shape in enumerate(SHAPES if kind in ("f32", "i16") else SHAPES[3::2]):
        data = data_of(kind, shape, "=>"[number % 2])
        if number % 3 == 0: # some are equal; zeros have no sign
            data = (data * 4).round() + 0 if kind[0] == "f" else data % 7
            data = data.astype(data_of(kind, 0, "=>"[number % 2]).dtype)
        data = numpy.asarray(data, order="CF"[number // 2 % 2])
        native, path = data.astype(ALL_DTYPES[kind]), saved(data)
        for axis in (None, *range(-1, len(shape))):
            along = [] if axis is None else ["--axis", axis]
            flat = native.ravel() if axis is None else native
            same_array(written("sort", path, *along), numpy.sort(flat, axis=-1 if axis is None else axis))
            same_array(written("sort", path, *along, "--descending"),
                       numpy.flip(numpy.sort(flat, axis=-1 if axis is None else axis), -1 if axis is None else axis))
            if native.size:
                descending = number % 2 == 1
                same_array(written("sort", path, *along, "--positions", *(["--descending"] if descending else [])),
                           positions(flat, -1 if axis is None else axis, descending).astype("<i8"))


def test_zeros_and_nan(saved):
    nan, inf = numpy.nan, numpy.inf
    data = numpy.array([0.0, nan, -0.0, inf, -nan, -inf, 1, -0.0], "f4")
    same_array(written("sort", saved(data)), numpy.array([-inf, -0.0, -0.0, 0.0, 1, inf, nan, nan], "f4"))
    same_array(written("sort", saved(data), "--descending"),
               numpy.array([nan, nan, inf, 1, 0.0, -0.0, -0.0, -inf], "f4"))
    assert written("sort", saved(data), "--positions").tolist()[:4] == [5, 2, 7, 0]
    assert sorted(written("sort", saved(data), "--positions").tolist()[6:]) == [1, 4]


def test_bool(saved):
    data = numpy.array([[True, False, True], [False, False, True]])
    same_array(written("sort", saved(data)), numpy.sort(data, axis=None))
    same_array(written("sort", saved(data), "--axis", 0, "--descending"), numpy.array([[1, 0, 1], [0, 0, 1]]) == 1)
    same_array(written("sort", saved(data), "--positions"), numpy.array([1, 3, 4, 0, 2, 5]))
    assert lines("sort", saved(data))[3] == "(3,) true"


def test_no_dimension(saved):
    same_array(written("sort", saved(numpy.int16(5))), numpy.array([5], "i2"))
    same_array(written("sort", saved(numpy.int16(5)), "--positions"), numpy.array([0]))


def test_raw(tmp_path):
    data = data_of("i64", 300)
    data.tofile(tmp_path / "a.bin")
    same_array(written("sort", tmp_path / "a.bin", "--type", "i64", "--n", 100), numpy.sort(data[:100]))
    one_error(run("sort", tmp_path / "a.bin", "--type", "bf16", "--output", tmp_path / "o.npy"), FAILURE, "bf16", "f32")
    assert written("sort", tmp_path / "a.bin", "--type", "bf16", "--positions").shape == (1200,)


def test_the_order_of_fortran(saved):
    data = numpy.asfortranarray(data_of("u8", (9, 5)))
    same_array(written("sort", saved(data), "--positions"), positions(data.ravel(), 0).astype("<i8"))
    same_array(written("sort", saved(data), "--n", 7), numpy.sort(data.ravel()[:7]))
    got = document("sort", saved(data), "--axis", 1)
    assert got["results"] == numpy.sort(data, axis=1).ravel().tolist()
    assert written("sort", saved(data), "--axis", 0).flags.f_contiguous


def test_text_and_json(saved, tmp_path):
    data = numpy.array([3, 1, 2], "f4")
    assert lines("sort", saved(data)) == ["(0,) 1", "(1,) 2", "(2,) 3"]
    assert lines("sort", saved(data), "--positions") == ["(0,) 1", "(1,) 2", "(2,) 0"]
    got = document("sort", saved(data), "--descending")
    assert list(got) == ["wavefold", "input", "n", "type", "device", "seconds", "descending", "positions", "axis",
                         "result_type", "result_shape", "results"]
    assert (got["descending"], got["positions"], got["axis"], got["result_type"]) == (True, False, None, "f32")
    assert (got["result_shape"], got["results"]) == ([3], [3, 2, 1])
    output = tmp_path / "out.npy"
    got = document("sort", saved(data), "--positions", "--output", output)
    assert got["result_type"] == "i64" and got["output"] == {"path": str(output), "shape": [3], "dtype": "<i8"}
    one_error(run("sort", saved(numpy.ones(65537, "u1"))), FAILURE, "at most 65536 results", "--output FILE")


@pytest.mark.parametrize("arguments, status, named", REFUSED + REFUSED_AXES)
def test_refused(tmp_path, arguments, status, named):
    refused("sort", tmp_path, arguments, status, named)


def test_more_than_the_memory(long_array, tmp_path):
    """Nothing is allocated, and no file begun."""
    output = tmp_path / "out.npy"
    path = long_array((2**40,), [])
    one_error(run("sort", path, "--output", output), FAILURE, "long.npy", f"sorting {2**40} elements at once needs",
              "bytes of memory of host:32, but", "are available")
    one_error(run("scan", path, "--op", "argmax", "--output", output), FAILURE, f"scanning {2**40} elements at once")
    path = long_array((2**20, 2**20), [])
    one_error(run("sort", path, "--axis", 0, "--output", output), FAILURE, f"sorting {2**40} elements at once")
    assert not output.exists()


def test_pieces(long_array, tmp_path):
    """Rows of 32 MiB: two in a piece. Rows that lie apart: each outer index is a piece."""
    output = tmp_path / "out.npy"
    path = long_array((5, 2**25), [(0, 5), (3, 0), (3, 1), (4, 2**25 - 1)])
    status, text = on_terminal("stderr", "sort", path, "--axis", "1", "--device", "host", "--output", output)
    assert status == SUCCESS and text.startswith("\r[") and text.endswith("\r\x1b[K")
    got = numpy.load(output)
    assert got.sum(axis=1).tolist() == [1, 0, 0, 2, 1] and got[:, -1].tolist() == [1, 0, 0, 1, 1] and got[3, -2] == 1
    path = long_array((3, 2**24, 2), [(0, 5, 0), (2, 9, 1), (2, 8, 1)])
    assert run("sort", path, "--axis", 1, "--descending", "--output", output).returncode == SUCCESS
    got = numpy.load(output)
    assert got.sum() == 3 and got[0, 0].tolist() == [1, 0] and got[2, :2].tolist() == [[0, 1], [0, 1]]
