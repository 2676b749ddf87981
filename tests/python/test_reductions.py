"""Reductions of random arrays beside NumPy's: types, shapes, strides, axes, masks; sums beside fractions."""
import contextlib
import math
import warnings

import numpy
import pytest
from arrays import FLOATS, INTEGERS, TYPES, axes_of, exact_sum, fill, layouts
from hypothesis import given
from hypothesis import strategies as st

import wavefold


def same(found, expected, close=0.0):
    found, expected = numpy.asarray(found), numpy.asarray(expected)
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    if close:
        numpy.testing.assert_allclose(found.astype(float), expected.astype(float), rtol=close, atol=close)
    else:
        numpy.testing.assert_array_equal(found, expected)


def at_rows(function, values, axis, keepdims, dtype):
    """A function of one row at a time, as NumPy's apply over axes does."""
    axes = tuple(range(values.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(d % values.ndim if values.ndim else 0 for d in axes)
    kept = [d for d in range(values.ndim) if d not in axes]
    rows = values.transpose(*kept, *axes)
    shape = tuple(values.shape[d] for d in kept)
    result = numpy.empty(shape, dtype)
    for index in numpy.ndindex(*shape):
        result[index] = function(rows[index])
    if keepdims:
        result = result.reshape([1 if d in axes else values.shape[d] for d in range(values.ndim)])
    return result


@contextlib.contextmanager
def quiet():
    """NumPy warns of overflow, and of means of nothing."""
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


cases = given(layouts(), st.data(), st.integers(0, 999))


@pytest.mark.parametrize("dtype", TYPES)
@cases
def test_sum(library, dtype, layout, data, seed):
    if not library.takes(dtype):
        return
    shape, view = layout
    axis, keepdims = data.draw(axes_of(shape)), data.draw(st.booleans())
    values = view(lambda full: fill(full, dtype, seed))
    found = library.numpy(wavefold.sum(library.array(values), axis, keepdims=keepdims))
    if dtype in FLOATS:
        expected = at_rows(exact_sum, values, axis, keepdims, dtype)
    else:
        expected = values.sum(axis, keepdims=keepdims)
        if library.name == "jax":
            expected = expected.astype(found.dtype)
    if library.name == "torch" and found.dtype == "uint64":
        expected = expected.astype(found.dtype)
    same(found, expected)


@pytest.mark.parametrize("dtype", FLOATS)
@cases
def test_special_sums(library, dtype, layout, data, seed):
    """NaN, infinities of one and of both signs, zeros, subnormals: as math.fsum has them."""
    if not library.takes(dtype):
        return
    shape, view = layout
    axis = data.draw(axes_of(shape))
    values = view(lambda full: fill(full, dtype, seed, special=True))

    def expected_of(row):
        row = [float(value) for value in row.reshape(-1)]
        if any(math.isnan(v) for v in row) or (math.inf in row and -math.inf in row):
            return math.nan
        if math.inf in row or -math.inf in row:
            return sum(v for v in row if math.isinf(v))
        return exact_sum(numpy.array(row, dtype))
    found = library.numpy(wavefold.sum(library.array(values), axis))
    same(found, at_rows(expected_of, values, axis, False, dtype))


@pytest.mark.parametrize("dtype", TYPES)
@cases
def test_mean(library, dtype, layout, data, seed):
    if not library.takes(dtype) or library.name == "jax":
        return
    shape, view = layout
    axis, keepdims = data.draw(axes_of(shape)), data.draw(st.booleans())
    values = view(lambda full: fill(full, dtype, seed))
    found = library.numpy(wavefold.mean(library.array(values), axis, keepdims=keepdims))
    with quiet():
        expected = values.mean(axis, keepdims=keepdims, dtype=None if dtype != "float16" else "float32")
    assert found.dtype == (dtype if dtype in FLOATS else "float64")
    close = {"float16": 2e-3, "float32": 2e-5}.get(dtype, 1e-12)
    same(found.astype("float64"), numpy.asarray(expected).astype("float64"), close * max(1, abs(float(
        numpy.nan_to_num(numpy.max(numpy.abs(values.astype(float)), initial=0))))))


@pytest.mark.parametrize("op", ("min", "max", "argmin", "argmax"))
@pytest.mark.parametrize("dtype", TYPES)
@cases
def test_extremes(library, op, dtype, layout, data, seed):
    if not library.takes(dtype):
        return
    shape, view = layout
    axis = data.draw(axes_of(shape, single=op.startswith("arg")))
    keepdims = data.draw(st.booleans())
    values = view(lambda full: fill(full, dtype, seed, special=True))
    array = library.array(values)
    try:
        expected = getattr(numpy, op)(values, axis, keepdims=keepdims)
    except ValueError:
        with pytest.raises(ValueError, match="zero-size|empty sequence"):
            getattr(wavefold, op)(array, axis, keepdims=keepdims)
        return
    found = library.numpy(getattr(wavefold, op)(array, axis, keepdims=keepdims))
    if op.startswith("arg"):
        same(found.astype("int64"), expected)
    else:
        same(found, expected)
        if op == "min":
            least, greatest = wavefold.minmax(array, axis, keepdims=keepdims)
            same(library.numpy(least), expected)
            same(library.numpy(greatest), values.max(axis, keepdims=keepdims))


@pytest.mark.parametrize("dtype", FLOATS)
def test_first_of_equal_zeros(library, dtype):
    """-0 and 0 are equal, so the first one is the least and the greatest. On GPUs -0 is less."""
    if not library.takes(dtype) or library.device == "cuda":
        return
    low = numpy.array([[3, 0.0, -0.0, 1], [3, -0.0, 0.0, -0.0], [-1, 0.0, -0.0, 2], [0.0, 0.0, -0.0, 0.0]], dtype)
    for values in (low, -low, low.T, numpy.asfortranarray(low)):
        array = library.array(values)
        for axis in (None, 0, 1):
            for op in ("argmin", "argmax"):
                found = library.numpy(getattr(wavefold, op)(array, axis))
                numpy.testing.assert_array_equal(found, getattr(numpy, op)(values, axis))


@pytest.mark.parametrize("dtype", INTEGERS + ("bool",))
@cases
def test_prod(library, dtype, layout, data, seed):
    if not library.takes(dtype) or library.name == "jax":
        return
    shape, view = layout
    axis = data.draw(axes_of(shape))
    values = view(lambda full: fill(full, dtype, seed))
    found = library.numpy(wavefold.prod(library.array(values), axis))
    same(found, values.prod(axis).astype(found.dtype))


@pytest.mark.parametrize("dtype", ("int32", "uint8", "float32", "float64"))
@pytest.mark.parametrize("name", ("var", "std"))
@cases
def test_variance(library, name, dtype, layout, data, seed):
    if not library.takes(dtype) or library.name == "jax":
        return
    shape, view = layout
    axis, ddof = data.draw(axes_of(shape)), data.draw(st.integers(0, 2))
    values = view(lambda full: fill(full, dtype, seed))
    found = library.numpy(getattr(wavefold, name)(library.array(values), axis, ddof=ddof))
    with quiet():
        expected = getattr(numpy, name)(values.astype("float64"), axis, ddof=ddof)
    expected = numpy.where(numpy.isfinite(expected), expected, numpy.nan)
    assert found.dtype == (dtype if dtype in FLOATS else "float64")
    numpy.testing.assert_allclose(found, expected, rtol=1e-5 if dtype == "float32" else 1e-9, atol=1e-13)


@pytest.mark.parametrize("dtype", ("int16", "float32", "float64", "bool"))
@pytest.mark.parametrize("op", ("sum", "mean", "max"))
@cases
def test_where(library, op, dtype, layout, data, seed):
    if not library.takes(dtype) or library.name == "jax":
        return
    shape, view = layout
    axis = data.draw(axes_of(shape))
    values = view(lambda full: fill(full, dtype, seed))
    mask = fill(shape, "bool", seed + 1)
    if data.draw(st.booleans()) and shape:
        mask = mask[..., :1] if shape[-1] else mask
    array, where = library.array(values), library.array(mask)
    if op == "max":
        if values.size == 0 or dtype == "bool":
            return
        found = wavefold.max(array, axis, where=where)
        least = -numpy.inf if dtype in FLOATS else numpy.iinfo(dtype).min
        same(library.numpy(found), values.max(axis, where=mask, initial=least))
        return
    found = library.numpy(getattr(wavefold, op)(array, axis, where=where))
    with quiet():
        wide = values.astype("float64") if dtype in FLOATS else values
        expected = getattr(numpy, op)(wide, axis, where=mask)
    numpy.testing.assert_allclose(found.astype(float), numpy.asarray(expected).astype(float), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("dtype", ("int16", "float32", "float64", "bool"))
@pytest.mark.parametrize("op", ("sum", "prod", "min", "max"))
@cases
def test_initial(library, op, dtype, layout, data, seed):
    """Also with a mask, and of no elements, for which extremes need one."""
    if not library.takes(dtype) or library.name == "jax":
        return
    shape, view = layout
    axis, keepdims = data.draw(axes_of(shape)), data.draw(st.booleans())
    initial = data.draw(st.sampled_from((0, 1) if dtype == "bool" else (0, -3, 77)))
    values = view(lambda full: fill(full, dtype, seed))
    mask = fill(shape, "bool", seed + 1) if data.draw(st.booleans()) else True
    found = library.numpy(getattr(wavefold, op)(library.array(values), axis, keepdims=keepdims, initial=initial,
                                                where=mask if mask is True else library.array(mask)))
    wide = values.astype("float64") if dtype in FLOATS and op in ("sum", "prod") else values
    with quiet():
        expected = getattr(numpy, op)(wide, axis, keepdims=keepdims, initial=initial, where=mask)
    if dtype not in FLOATS or op in ("min", "max"):
        same(found, expected)
    else:
        with quiet():
            expected = numpy.asarray(expected).astype(dtype)
        numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3 if op == "sum" else 1e-30)


def test_bools_of_nothing(library):
    """Their bytes are 0 or 1."""
    values, mask = library.array(numpy.zeros((2, 3), bool)), library.array(numpy.zeros((2, 3), bool))
    assert library.numpy(wavefold.min(values, 1, where=mask)).view("u1").tolist() == [1, 1]
    assert library.numpy(wavefold.max(values, 1, where=mask)).view("u1").tolist() == [0, 0]


@pytest.mark.parametrize("dtype", ("int32", "uint8", "float32", "float64", "bool"))
@pytest.mark.parametrize("name", ("var", "std"))
@cases
def test_variance_where(library, name, dtype, layout, data, seed):
    if not library.takes(dtype) or library.name == "jax":
        return
    shape, view = layout
    axis, ddof, keepdims = data.draw(axes_of(shape)), data.draw(st.integers(0, 2)), data.draw(st.booleans())
    values = view(lambda full: fill(full, dtype, seed))
    mask = fill(shape, "bool", seed + 1)
    found = library.numpy(getattr(wavefold, name)(library.array(values), axis, ddof=ddof, keepdims=keepdims,
                                                  where=library.array(mask)))
    with quiet():
        expected = getattr(numpy, name)(values.astype("float64"), axis, ddof=ddof, keepdims=keepdims, where=mask)
    expected = numpy.where(numpy.isfinite(expected), expected, numpy.nan)
    assert found.shape == expected.shape
    assert found.dtype == (dtype if dtype in FLOATS else "float64")
    numpy.testing.assert_allclose(found, expected, rtol=1e-5 if dtype == "float32" else 1e-9, atol=1e-13)


def test_variance_about_a_mean(library):
    values = fill((7, 50), "float32", 4)
    mean = values.mean(1, keepdims=True) + 1
    mask = fill((7, 50), "bool", 5)
    for where in (True, mask):
        found = wavefold.var(library.array(values), 1, ddof=1, mean=library.array(mean),
                             where=where if where is True else library.array(where))
        numpy.testing.assert_allclose(library.numpy(found), values.astype("f8").var(1, ddof=1, mean=mean, where=where),
                                      rtol=1e-5)
    with pytest.raises((ValueError, RuntimeError)):
        wavefold.var(library.array(values), 1, mean=library.array(numpy.ones(3, "float32")))


@cases
def test_count_nonzero(library, layout, data, seed):
    shape, view = layout
    dtype = data.draw(st.sampled_from(("float32", "int8", "bool")))
    axis = data.draw(axes_of(shape))
    values = view(lambda full: fill(full, dtype, seed, special=True))
    found = library.numpy(wavefold.count_nonzero(library.array(values), axis))
    numpy.testing.assert_array_equal(found, numpy.count_nonzero(values, axis))


@pytest.mark.parametrize("dtype", ("float32", "float64", "int32", "int8", "bool"))
@given(st.integers(0, 5), st.integers(0, 40), st.integers(0, 999))
def test_dot(library, dtype, rows, length, seed):
    if not library.takes(dtype):
        return
    a, b = fill((rows, length), dtype, seed), fill((length,), dtype, seed + 1)
    found = library.numpy(wavefold.dot(library.array(a), library.array(b)))
    if dtype == "float32":  # each product is exact in f64
        expected = at_rows(lambda row: math.fsum(row.reshape(-1)), a.astype("f8") * b.astype("f8"), -1, False, "f8")
        same(found, expected.astype("f4"))
    elif dtype == "float64":
        numpy.testing.assert_allclose(found, a @ b, rtol=1e-10, atol=1e-9)
    else:
        same(found, a @ b)
    other = fill((rows, length), dtype, seed + 2)
    found = library.numpy(wavefold.vdot(library.array(a[::-1]), library.array(other)))
    numpy.testing.assert_allclose(found.astype(float), numpy.vdot(a[::-1], other).astype(float), rtol=1e-4, atol=1e-3)


def rows_of(kind, dtype, n, seed):
    """Three rows whose exponents lie near, far apart or at an end, or which are zeros, or cancel."""
    rng = numpy.random.default_rng(seed)
    values, info = rng.standard_normal((3, n)), numpy.finfo(dtype)
    if kind == "bits":
        return rng.integers(0, 1 << info.bits, (3, n), dtype=f"u{info.bits // 8}", endpoint=False).view(dtype)
    if kind == "far":
        values *= 2.0 ** rng.integers(info.minexp, info.maxexp - 4, (3, n))
    elif kind == "subnormal":
        values *= float(info.tiny)
    elif kind == "zeros":
        values[:] = -0.0
        values[0, n // 2] = 0.0
        values[1, n // 2] = 1.0
    elif kind == "cancel":
        values = numpy.concatenate([values[:, :n // 2], -values[:, :n // 2], values[:, :n % 2] * 0], 1)
    elif kind == "special":
        values[:, ::97] = rng.choice((numpy.inf, numpy.nan, -numpy.inf, 0.0), (3, len(values[0, ::97])))
    with quiet():
        return values.astype(dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kind", ("near", "far", "subnormal", "zeros", "cancel", "special", "bits"))
@pytest.mark.parametrize("n", (15, 16, 32, 127, 128, 1000, 2049))
def test_long_rows_and_columns(library, dtype, kind, n):
    """Beside sums of each row as an array of its own, bit by bit: signs of zeros, too. Of jax no subnormals."""
    if not library.takes(dtype) or library.name == "jax" and kind != "near":
        return
    rows = rows_of(kind, dtype, n, n)
    tall = numpy.ascontiguousarray(rows.T)
    for op in ("sum", "mean", "norm"):
        options = {"ord": 1} if op == "norm" else {}
        function = getattr(wavefold, op)
        expected = numpy.array([function(row.copy(), **options) for row in rows])
        for array, axis in ((rows, 1), (tall, 0), (numpy.tile(tall, 30), 0)):
            found = library.numpy(function(library.array(array), axis=axis, **options))
            numpy.testing.assert_array_equal(found, numpy.resize(expected, found.shape))
            numpy.testing.assert_array_equal(numpy.signbit(found[found == 0]),
                                             numpy.signbit(numpy.resize(expected, found.shape)[found == 0]))


@pytest.mark.parametrize("special", (False, True))
@pytest.mark.parametrize("n", (0, 1, 1000, 65535, 65536, 65537, 200_001))
def test_whole_dot(library, n, special):
    """Beside sums of rows, which take another way."""
    a, b = fill((n,), "float32", n, special), fill((n,), "float32", n + 1, special)
    x, y = library.array(a), library.array(b)
    found = library.numpy(wavefold.dot(x, y))
    rows = library.numpy(wavefold.dot(library.array(a[None]), y))
    numpy.testing.assert_array_equal(found, rows[0])
    apart = library.array(numpy.repeat(a, 2))[::2]  # which takes another way
    numpy.testing.assert_array_equal(found, library.numpy(wavefold.dot(apart, y)))
    if not special:
        assert found == numpy.float32(math.fsum(a.astype("f8") * b.astype("f8")))


@pytest.mark.parametrize("dtype", ("float32", "float64", "int16"))
@pytest.mark.parametrize("ord", (None, 1, 2, numpy.inf))
def test_norm(library, dtype, ord):
    if not library.takes(dtype) or (library.name == "jax" and dtype == "int16"):
        return
    if dtype == "int16" and library.device == "cuda":
        return
    values = fill((7, 50), dtype, 3)
    array = library.array(values)
    for axis in (0, 1):
        found = library.numpy(wavefold.norm(array, ord, axis=axis))
        numpy.testing.assert_allclose(found, numpy.linalg.norm(values.astype("f8"), ord, axis=axis), rtol=1e-6)
    found = library.numpy(wavefold.norm(array, ord))
    numpy.testing.assert_allclose(found, numpy.linalg.norm(values.astype("f8").ravel(), ord), rtol=1e-6)


def test_describe(library):
    values = fill((5, 300), "float32", 8)
    d = wavefold.describe(library.array(values), axis=1)
    assert d.count == 300
    numpy.testing.assert_array_equal(library.numpy(d.argmax), values.argmax(1))
    numpy.testing.assert_array_equal(library.numpy(d.min), values.min(1))
    numpy.testing.assert_allclose(library.numpy(d.var), values.astype("f8").var(1), rtol=1e-6)
    numpy.testing.assert_allclose(library.numpy(d.sum), [math.fsum(row) for row in values], rtol=1e-6)


@pytest.mark.parametrize("dtype", ("float32", "float64", "int16", "uint64", "bool"))
def test_describe_where(library, dtype):
    if not library.takes(dtype) or (library.name == "jax" and dtype == "bool"):
        return
    values, mask = fill((5, 30), dtype, 8), fill((5, 30), "bool", 9)
    mask[3] = False
    d = wavefold.describe(library.array(values), 1, keepdims=True, where=library.array(mask))
    whole = wavefold.describe(library.array(values[:, :20].copy()), 1, keepdims=True)
    cut = wavefold.describe(library.array(values), 1, keepdims=True, where=library.array(numpy.arange(30) < 20))
    for name in whole._fields[1:]:
        one, other = library.numpy(getattr(whole, name)), library.numpy(getattr(cut, name))
        assert one.dtype == other.dtype and one.shape == other.shape == (5, 1)
        numpy.testing.assert_allclose(one, other, rtol=1e-12)
    assert whole.count == 20 and (library.numpy(cut.count) == 20).all()
    numpy.testing.assert_array_equal(library.numpy(d.count)[:, 0], mask.sum(1))
    for k in (0, 1, 2, 4):
        row = numpy.where(mask[k])[0]
        assert library.numpy(d.argmax)[k, 0] == row[values[k][row].argmax()]
        assert library.numpy(d.min)[k, 0] == values[k][row].min()
    assert library.numpy(d.argmin)[3, 0] == -1 and numpy.isnan(library.numpy(d.var)[3, 0])


def test_large_mean_keeps_digits():
    values = numpy.arange(1000.0) % 7 + 1e9
    assert wavefold.var(values) == pytest.approx(numpy.var(values - 1e9), rel=1e-12)
    assert wavefold.var(values, where=values > 0) == pytest.approx(numpy.var(values - 1e9), rel=1e-12)


def test_arguments_are_those_of_numpy():
    """Of one name, in one order: a call that names none of wavefold's own arguments works with both."""
    import inspect
    missing = {}
    for name in ("sum", "mean", "prod", "min", "max", "argmin", "argmax", "var", "std", "count_nonzero", "dot", "vdot",
                 "norm", "cumsum", "cumulative_sum", "sort", "argsort", "bincount", "histogram"):
        theirs = getattr(numpy.linalg if name == "norm" else numpy, name)
        try:
            theirs = list(inspect.signature(theirs).parameters.values())
        except ValueError:  # written in C
            continue
        ours = inspect.signature(getattr(wavefold, name)).parameters
        missing[name] = [one.name for one in theirs if one.name not in ours]
        positional = [one.name for one in theirs if one.kind is not one.KEYWORD_ONLY]
        assert list(ours)[:len(positional)] == positional, name
    assert not any(missing.values()), missing


@pytest.mark.parametrize("dtype,wanted", (("float32", "float64"), ("float16", "float32"), ("float64", "float32"),
                                          ("int32", "float64"), ("int64", "float64"), ("float32", "int64"),
                                          ("int8", "int8"), ("uint8", "int64"), ("bool", "float32")))
def test_dtype(dtype, wanted):
    values = fill((4, 33), dtype, 4)
    found = wavefold.sum(values, 1, dtype=wanted)
    assert found.dtype == wanted
    if wanted == "float64" or dtype[0] != "f":
        numpy.testing.assert_allclose(found, values.sum(1, dtype=wanted), rtol=1e-12)
    assert wavefold.mean(values, dtype=wanted if wanted[0] == "f" else "float64").dtype.kind == "f"


def test_out():
    values = fill((4, 33), "float32", 4)
    out = numpy.zeros(4)
    assert wavefold.sum(values, 1, out=out) is out
    numpy.testing.assert_array_equal(out, wavefold.sum(values, 1).astype(float))
    with pytest.raises(ValueError, match="'out' has the shape"):
        wavefold.sum(values, 0, out=out)
    with pytest.raises(TypeError):
        wavefold.sum(values, 1, out=numpy.zeros(4, int))


@pytest.mark.parametrize("n", (1, 7, 1000, 4095, 65537, 1 << 20))
@pytest.mark.parametrize("dtype", TYPES)
def test_whole_arrays(dtype, n):
    """The case that C++ takes alone, beside the general one."""
    values = fill((n,), dtype, n)
    for op in ("sum", "mean", "min", "max"):
        fast, general = getattr(wavefold, op)(values), getattr(wavefold, op)(values, axis=(0,))
        assert type(fast) is type(general)
        assert fast.dtype == general.dtype
        numpy.testing.assert_array_equal(fast, general)
