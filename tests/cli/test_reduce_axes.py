"""`wavefold reduce --axis`: the results against NumPy, on the terminal, in JSON and in .npy files."""

import itertools
import json
import math
import struct
from fractions import Fraction

import numpy
import pytest
from reduced import FLOATS, answer, data_of, reduce, words
from support import ALL_DTYPES, SUCCESS, round_once, wavefold

SHAPES = [shape for dimensions in (1, 2, 3) for shape in itertools.product(range(4), repeat=dimensions)]


@pytest.fixture
def along(saved, tmp_path):
    """The array that the program writes for an array and a list of axes."""

    def run(data, axes, *arguments):
        path, output = saved(data), tmp_path / "out.npy"
        done = reduce(path, "--axis", ",".join(map(str, axes)), "--output", output, "-q", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (SUCCESS, "", "")
        return numpy.load(output, allow_pickle=False)

    return run


def subsets(dimensions):
    return [axes for count in range(1, dimensions + 1) for axes in itertools.combinations(range(dimensions), count)]


def same_array(got, expected):
    """Of the same dtype, shape and bits; NaN of any bits."""
    expected = numpy.asarray(expected)
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    if got.dtype.kind == "f":
        assert numpy.array_equal(numpy.isnan(got), numpy.isnan(expected))
        assert (numpy.signbit(got) == numpy.signbit(expected))[~numpy.isnan(got)].all()
        got, expected = numpy.nan_to_num(got), numpy.nan_to_num(expected)
    assert numpy.array_equal(got, expected)


def rows(data, axes):
    """A row for each index that is kept, and the kept shape."""
    kept = [d for d in range(data.ndim) if d not in axes]
    shape = [data.shape[d] for d in kept]
    length = math.prod(data.shape[d] for d in axes)
    return data.transpose([*kept, *axes]).reshape(math.prod(shape), length), shape


@pytest.mark.parametrize("first", range(0, len(SHAPES), 12))
def test_every_small_shape(along, first):
    """Distinct elements, so that each result names those that it is made of."""
    for shape in SHAPES[first:first + 12]:
        for number, axes in enumerate(subsets(len(shape))):
            data = 2 ** numpy.arange(math.prod(shape), dtype="i8").reshape(shape)
            if (number + sum(shape)) % 2:
                data = numpy.asfortranarray(data)
            given = [d - len(shape) if number % 3 == 1 else d for d in axes][::-1]
            keepdims = number % 2 == 1
            same_array(along(data, given, *(["--keepdims"] if keepdims else [])),
                       data.sum(axis=axes, keepdims=keepdims))


LAYOUTS = [((3, 2, 5), (1,)), ((3, 2, 5), (0, 2)), ((4, 3), (0,)), ((4, 3), (1,)), ((2, 3, 1, 2), (1, 2)),
           ((33, 70), (0,)), ((7,), (0,))]
WITH_INDEX = {"argmin": numpy.argmin, "argmax": numpy.argmax}


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("kind", list(ALL_DTYPES))
def test_every_type(along, kind, order):
    for number, (shape, axes) in enumerate(LAYOUTS):
        data = numpy.asarray(data_of(kind, shape, "=>"[number % 2]), order=order)
        native = data.astype(ALL_DTYPES[kind])
        flat, kept = rows(native, axes)
        same_array(along(data, axes, "--op", "min"), native.min(axis=axes))
        same_array(along(data, axes, "--op", "minmax"), numpy.stack([native.min(axis=axes), native.max(axis=axes)], -1))
        for op, function in WITH_INDEX.items():
            same_array(along(data, axes, "--op", op), function(flat, axis=1).reshape(kept).astype("<i8"))
        if kind in FLOATS:
            same_array(along(data, axes), numpy.array([math.fsum(row) for row in flat.astype("f8")]).reshape(kept))
        else:
            wide = "u8" if kind[0] == "u" else "i8"
            same_array(along(data, axes), native.sum(axis=axes, dtype=wide))
            same_array(along(data, axes, "--op", "xor"), numpy.bitwise_xor.reduce(flat, axis=1).reshape(kept))


@pytest.mark.parametrize("kind", ["f32", "f64", "i32", "u16"])
def test_more_operators(along, kind):
    data = data_of(kind, (4, 3, 5))
    if kind == "i32":
        data %= 100
    for axes in subsets(3):
        flat, kept = rows(data, axes)
        length = flat.shape[1]
        exact = [sum(map(Fraction, row.tolist()), Fraction(0)) for row in flat]
        means = numpy.array([round_once(total / length, "f8") for total in exact]).reshape(kept)
        got = along(data, axes, "--op", "mean")
        if kind in FLOATS:
            same_array(got, means)
            same_array(along(data, axes, "--op", "asum"),
                       numpy.array([math.fsum(abs(row.astype("f8"))) for row in flat]).reshape(kept))
        else:
            assert got == pytest.approx(means, rel=1e-15) and got.shape == means.shape
            squares = data.astype("i8" if kind == "i32" else "u8")**2
            same_array(along(data, axes, "--op", "sumsq"), squares.sum(axis=axes))
            same_array(along(data, axes, "--op", "or"), numpy.bitwise_or.reduce(flat, axis=1).reshape(kept))
    powers = numpy.array([[1, 2, -3], [4, -1, 2]], data.dtype if kind != "u16" else "i2")
    got = along(powers, (1,), "--op", "product")
    assert got.tolist() == [-6, -8]


def test_an_accumulator(along):
    data = data_of("f64", (6, 5)) * 1000
    got = along(data, (0,), "--accumulator", "f64", "--accuracy", "fast")
    assert got == pytest.approx(data.sum(axis=0)) and got.dtype == "f8"
    integers = data_of("i8", (6, 5))
    same_array(along(integers, (0,), "--accumulator", "i32"), integers.sum(axis=0, dtype="i4"))
    same_array(along(data.astype("f4"), (1,), "--accumulator", "f32"),
               numpy.array([round_once(sum(map(Fraction, row.tolist())), "f4") for row in data.astype("f4")], "f4"))


@pytest.mark.parametrize("order", "CF")
def test_nan_and_zeros(along, order):
    nan = numpy.nan
    data = numpy.array([[1, nan, -0.0, nan], [nan, 2, 0.0, nan], [3, 4, -0.0, nan]], "f4", order=order)
    same_array(along(data, (0,), "--op", "min"), numpy.array([nan, nan, -0.0, nan], "f4"))
    same_array(along(data, (0,), "--op", "min", "--nan", "ignore"), numpy.array([1, 2, -0.0, nan], "f4"))
    same_array(along(data, (0,), "--op", "max", "--nan", "ignore"), numpy.array([3, 4, 0.0, nan], "f4"))
    same_array(along(data, (0,), "--op", "argmax"), numpy.array([1, 0, 1, 0]))
    same_array(along(data, (0,), "--op", "argmin", "--nan", "ignore"), numpy.array([0, 1, 0, -1]))
    same_array(along(data, (0,)), numpy.array([nan, nan, 0.0, nan]))
    same_array(along(numpy.array([[-0.0, -0.0], [-0.0, 0.0]], order=order), (1,)), numpy.array([-0.0, 0.0]))


@pytest.mark.parametrize("shape", [(5, 7), (3, 4, 5), (2, 1, 3)])
def test_bool(along, shape):
    data = numpy.random.default_rng(1).integers(0, 2, shape) == 0
    for axes in subsets(len(shape)):
        same_array(along(data, axes), data.sum(axis=axes, dtype="u8"))
        same_array(along(data, axes, "--op", "all"), data.all(axis=axes))
        same_array(along(numpy.asfortranarray(data), axes, "--op", "any"), data.any(axis=axes))
        same_array(along(data, axes, "--op", "max", "--type", "u8"), data.view("u1").max(axis=axes))


def test_no_elements(along):
    """What is reduced, or what is kept, has no element."""
    assert along(numpy.zeros((2, 0)), (1,)).tolist() == [0, 0]
    assert along(numpy.zeros((2, 0)), (1,), "--op", "product").tolist() == [1, 1]
    assert along(numpy.zeros((2, 0)), (1,), "--op", "min").tolist() == [numpy.inf] * 2
    assert along(numpy.zeros((2, 0)), (1,), "--op", "argmin").tolist() == [-1, -1]
    for keepdims, shape in ([], (0,)), (["--keepdims"], (0, 1)):
        assert along(numpy.zeros((0, 3)), (1,), *keepdims).shape == shape
        assert along(numpy.zeros((0, 3)), (1,), "--op", "minmax", *keepdims).shape == (*shape, 2)


def product_of(matrices):
    product = numpy.eye(2, dtype="i4") # and wraps
    for matrix in matrices:
        product = product @ matrix.reshape(2, 2)
    return product


def composed(maps):
    """The map that applies all, the first one first."""
    slope, constant = 1, 0
    for a, b in maps.tolist():
        slope, constant = slope * a, constant * a + b
    return [slope, constant]


@pytest.mark.parametrize("order", "CF")
def test_elements_of_several_numbers(along, order):
    """Results end in the dimensions of an element."""
    generator = numpy.random.default_rng(7)
    data = generator.integers(-3, 4, (3, 4, 2, 2)).astype("i4")
    expected = {axis: numpy.array([product_of(row) for row in numpy.moveaxis(data, axis, 1)]) for axis in (0, 1)}
    for axis, products in expected.items():
        same_array(along(numpy.asarray(data, order=order), (axis,), "--op", "matmul"), products)
        same_array(along(numpy.asarray(data.reshape(3, 4, 4), order=order), (axis,), "--op", "matmul"),
                   products.reshape(-1, 4))
    same_array(along(numpy.asarray(data, order=order), (0, 1), "--op", "matmul", "--keepdims"),
               product_of(data.reshape(12, 4)).reshape(1, 1, 2, 2))
    maps = generator.integers(-3, 4, (5, 3, 2)).astype("i4")
    same_array(along(numpy.asarray(maps, order=order), (0,), "--op", "affine"),
               numpy.array([composed(maps[:, i]) for i in range(3)], "i4"))
    same_array(along(maps.reshape(-1), (0,), "--op", "affine"), numpy.array(composed(maps.reshape(15, 2)), "i4"))
    same_array(along(numpy.zeros((2, 0, 2), "i4"), (1,), "--op", "affine"), numpy.array([[1, 0], [1, 0]], "i4"))


def test_eight_dimensions(along):
    data = numpy.arange(2**8).reshape((2,) * 8)
    same_array(along(data, (1, 3, -1)), data.sum(axis=(1, 3, 7)))
    data = (numpy.arange(2**8 * 4).reshape((2,) * 8 + (2, 2)) % 3).astype("i4")
    assert along(data, range(8), "--op", "matmul").shape == (2, 2)


def test_unaligned_elements(tmp_path):
    data = data_of("f64", (6, 7))
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {data.shape} }}\n".encode()
    assert len(head) % 2 == 1
    (tmp_path / "b.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data.tobytes())
    assert words(tmp_path / "b.npy", "--axis", 1, "--op", "argmax")[1::2] == [str(i) for i in data.argmax(axis=1)]


def test_archives_and_standard_input(saved, tmp_path):
    data = data_of("i32", (3, 4))
    numpy.savez_compressed(tmp_path / "a.npz", first=data, second=-data)
    expected = reduce(saved(-data), "--axis", 0).stdout
    assert reduce(f"{tmp_path}/a.npz:second", "--axis", 0).stdout == expected
    with open(saved(-data), "rb") as file:
        content = file.read()
    assert wavefold("reduce", "-", "--axis", 0, input=content, text=False).stdout.decode() == expected


def test_text(saved, tmp_path):
    def lines(data, *arguments):
        done = reduce(saved(data), *arguments)
        assert done.returncode == SUCCESS and done.stderr == "", done.stderr
        return done.stdout.splitlines()

    data = numpy.arange(12, dtype="f4").reshape(3, 4)
    assert lines(data, "--axis", 1) == ["(0,) 6", "(1,) 22", "(2,) 38"]
    assert lines(data, "--axis", 1, "--keepdims")[1] == "(1, 0) 22"
    assert lines(data, "--axis", 1, "--op", "minmax")[2] == "(2,) 8 11"
    assert lines(data, "--axis", 0, "--op", "argmax")[3] == "(3,) 2"
    assert lines(data, "--axis", "0,1") == ["66"]
    assert lines(data > 5, "--axis", 1, "--op", "any") == ["(0,) false", "(1,) true", "(2,) true"]
    assert lines(numpy.zeros((2, 0)), "--axis", 1, "--op", "argmin")[0] == "(0,) none"
    assert lines(numpy.zeros((0, 2)), "--axis", 1) == ["no results: shape (0,)"]
    assert len(lines(numpy.ones((1, 16)), "--axis", 0)) == 16
    assert lines(numpy.arange(34).reshape(17, 2), "--axis", 1) == [
        "(0,) 1", "(1,) 5", "(2,) 9", "(3,) 13", "...", "(13,) 53", "(14,) 57", "(15,) 61", "(16,) 65",
        "17 results, shape (17,); --output FILE.npy writes all of them"]
    output = tmp_path / "out.npy"
    assert lines(data, "--axis", 0, "--output", output) == [f"{output}: shape (4,), dtype <f8"]
    assert lines(data, "--axis", 0, "-q") == []
    assert lines(data, "--axis", 0, "--axis", 1)[0] == "(0,) 6" # the last one counts


def test_json(saved, tmp_path):
    data = numpy.arange(12, dtype="f4").reshape(3, 4)
    got = answer(saved(data), "--axis", -1)
    assert (got["shape"], got["axes"], got["result_shape"], got["results"]) == ([3, 4], [1], [3], [6, 22, 38])
    assert (got["op"], got["n"], got["type"], got["result_type"]) == ("sum", 12, "f32", "f64") and got["seconds"] >= 0
    got = answer(saved(data), "--axis", "1,0", "--keepdims", "--op", "argmax")
    assert (got["axes"], got["result_shape"], got["results"]) == ([0, 1], [1, 1], [{"value": 11, "index": 11}])
    got = answer(saved(data > 5), "--axis", 0, "--op", "minmax")
    assert got["results"] == [[False, True]] * 4 and got["result_shape"] == [4]
    output = tmp_path / "out.npy"
    got = answer(saved(data), "--axis", 0, "--output", output, "--op", "minmax")
    assert got["output"] == {"path": str(output), "shape": [4, 2], "dtype": "<f4"} and "results" not in got
    report = tmp_path / "out.json"
    assert reduce(saved(data), "--axis", 1, "--json", report).stdout.startswith("(0,) 6\n")
    assert json.loads(report.read_text())["results"] == [6, 22, 38]


def test_json_of_the_most_results(saved):
    data = numpy.arange(65536, dtype="u2").reshape(-1, 1)
    assert answer(saved(data), "--axis", 1)["results"] == data[:, 0].tolist()


def test_output_on_a_pipe(saved, tmp_path):
    data = data_of("i32", (3, 4))
    done = reduce(saved(data), "--axis", 0, "--output", "-", text=False)
    (tmp_path / "piped.npy").write_bytes(done.stdout)
    assert done.stderr == b"" and numpy.load(tmp_path / "piped.npy").tolist() == data.sum(axis=0).tolist()


def test_the_header_is_numpys(along, tmp_path):
    """Version 1.0, with elements at a multiple of 64 bytes."""
    for shape in ((1, 2), (3, 4, 5), (10**6, 1), (1, 2) * 4):
        along(numpy.zeros(shape, "u1"), (0,))
        content = (tmp_path / "out.npy").read_bytes()
        assert content[:8] == b"\x93NUMPY\x01\x00"
        end = 10 + struct.unpack("<H", content[8:10])[0]
        assert end % 64 == 0 and content[end - 1:end] == b"\n"
        assert eval(content[10:end]) == {"descr": "<u8", "fortran_order": False, "shape": shape[1:]}
