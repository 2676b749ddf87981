"""Scans, sorts and bins beside NumPy's."""
import math

import numpy
import pytest
from arrays import FLOATS, INTEGERS, TYPES, fill, layouts
from hypothesis import given
from hypothesis import strategies as st

import wavefold

cases = given(layouts(most=3), st.data(), st.integers(0, 999))


@pytest.mark.parametrize("dtype", TYPES)
@cases
def test_cumulative_sum(library, dtype, layout, data, seed):
    shape, view = layout
    if not library.takes(dtype) or not shape:
        return
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    values = view(lambda full: fill(full, dtype, seed))
    found = library.numpy(wavefold.cumulative_sum(library.array(values), axis=axis))
    assert found.shape == values.shape
    if dtype in FLOATS:
        assert found.dtype == dtype
        expected = values.astype("f8").cumsum(axis)
        numpy.testing.assert_allclose(found, expected, rtol=1e-2 if dtype == "float16" else 1e-4,
                                      atol=2.0 if dtype == "float16" else 1e-2)
    else:
        numpy.testing.assert_array_equal(found, values.cumsum(axis).astype(found.dtype))


def test_cumsum_of_flattened(library):
    values = fill((3, 4, 5), "int32", 2).transpose(2, 0, 1)
    if library.name == "torch" and library.on_gpu:  # no array there is copied to be flattened
        with pytest.raises(BufferError, match="make it contiguous"):
            wavefold.cumsum(library.array(values))
        values = numpy.ascontiguousarray(values)
    found = library.numpy(wavefold.cumsum(library.array(values)))
    numpy.testing.assert_array_equal(found, values.cumsum().astype(found.dtype))
    initial = library.numpy(wavefold.cumulative_sum(library.array(values), axis=1, include_initial=True))
    assert initial.shape == (5, 4, 4)
    assert not initial[:, 0].any()
    with pytest.raises(ValueError, match="axis=None"):
        wavefold.cumulative_sum(library.array(values))


@pytest.mark.parametrize("dtype", TYPES)
@cases
def test_sort(library, dtype, layout, data, seed):
    shape, view = layout
    if not library.takes(dtype) or not shape:
        return
    axis, descending = data.draw(st.sampled_from((None, *range(-len(shape), len(shape))))), data.draw(st.booleans())
    values = view(lambda full: fill(full, dtype, seed, special=True))
    array = library.array(values)
    found = library.numpy(wavefold.sort(array, axis, descending=descending))
    expected = numpy.sort(values, axis, kind="stable")
    turned = numpy.flip(expected, -1 if axis is None else axis) if descending else expected
    numpy.testing.assert_array_equal(found, turned)
    if not descending:
        places = library.numpy(wavefold.argsort(array, axis))
        numpy.testing.assert_array_equal(places, numpy.argsort(values, axis, kind="stable"))


@pytest.mark.parametrize("dtype", ("float32", "int16", "uint8"))
@given(st.integers(0, 4), st.integers(0, 30), st.data(), st.integers(0, 999))
def test_topk(library, dtype, rows, length, data, seed):
    values = fill((rows, length), dtype, seed)
    k, largest = data.draw(st.integers(0, length)), data.draw(st.booleans())
    found, places = wavefold.topk(library.array(values), k, largest=largest)
    found, places = library.numpy(found), library.numpy(places)
    expected = numpy.sort(values, 1)
    expected = expected[:, ::-1][:, :k] if largest else expected[:, :k]
    numpy.testing.assert_array_equal(found, expected)
    numpy.testing.assert_array_equal(numpy.take_along_axis(values, places.astype("i8"), 1), expected)
    with pytest.raises(ValueError, match="k="):
        wavefold.topk(library.array(values), length + 1)


@pytest.mark.parametrize("dtype", (">i2", ">f4", ">i8"))
def test_sorts_in_the_other_byte_order(dtype):
    values = numpy.array([3, 9, 1, 7], dtype)
    numpy.testing.assert_array_equal(wavefold.sort(values), [1, 3, 7, 9])
    numpy.testing.assert_array_equal(wavefold.argsort(values), [2, 0, 3, 1])
    found, places = wavefold.topk(values, 2)
    numpy.testing.assert_array_equal(found, [9, 7])
    numpy.testing.assert_array_equal(places, [1, 3])


@pytest.mark.parametrize("dtype", INTEGERS)
@given(st.integers(0, 100), st.integers(0, 9), st.integers(0, 999))
def test_bincount(library, dtype, n, minlength, seed):
    if not library.takes(dtype):
        return
    values = numpy.random.default_rng(seed).integers(0, 20, n).astype(dtype)
    array = library.array(values)
    found = library.numpy(wavefold.bincount(array, minlength=minlength))
    numpy.testing.assert_array_equal(found, numpy.bincount(values.astype("i8"), minlength=minlength))
    if library.name == "jax":
        return
    weights = fill((n,), "float32", seed)
    found = library.numpy(wavefold.bincount(array, library.array(weights), minlength))
    assert found.dtype == "float64"
    expected = [math.fsum(weights[values == i].astype("f8")) for i in range(len(found))]
    numpy.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", ("float32", "float64", "int32", "uint8"))
@given(st.integers(0, 200), st.integers(0, 9), st.integers(0, 999))
def test_scatter_add(library, dtype, n, bins, seed):
    if not library.takes(dtype):
        return
    indices = numpy.random.default_rng(seed).integers(-2, bins + 3, n)
    indices = indices.astype("int32")
    values = fill((n,), dtype, seed)
    found = library.numpy(wavefold.scatter_add(library.array(indices), library.array(values), bins))
    for i in range(bins):
        here = values[indices == i]
        expected = math.fsum(here.astype("f8")) if dtype in FLOATS else here.sum()
        assert found[i] == numpy.asarray(expected).astype(found.dtype)
    if dtype in ("float32", "float64", "int32"):
        onto = fill((bins,), dtype, seed + 1)
        found = library.numpy(wavefold.scatter_add(library.array(indices), library.array(values),
                                                   onto=library.array(onto)))
        for i in range(bins):
            here = numpy.append(values[indices == i], onto[i])
            expected = math.fsum(here.astype("f8")) if dtype in FLOATS else here.sum()
            assert found[i] == numpy.asarray(expected).astype(found.dtype)


@given(st.integers(0, 300), st.data(), st.integers(0, 999))
def test_histogram(library, n, data, seed):
    if library.name == "jax":
        return
    values = fill((n,), data.draw(st.sampled_from(("float64", "float32", "int8"))), seed)
    bins = data.draw(st.sampled_from((1, 10, 17, [-1.0, 0.0, 0.0, 2.0], [0.0, 1.0])))
    between = data.draw(st.sampled_from((None, (-1.0, 2.0)))) if isinstance(bins, int) else None
    given_bins = library.array(numpy.array(bins)) if isinstance(bins, list) else bins
    found, edges = wavefold.histogram(library.array(values), given_bins, between)
    expected, expected_edges = numpy.histogram(values, bins, between)
    numpy.testing.assert_allclose(library.numpy(edges), expected_edges, rtol=1e-5, atol=1e-5)
    if numpy.array_equal(library.numpy(edges), expected_edges):  # else one is a rounding away
        numpy.testing.assert_array_equal(library.numpy(found), expected)
    assert int(library.numpy(found).sum()) == expected.sum()
    if n:
        found, _ = wavefold.histogram(library.array(values), 5, (-2.0, 2.0), density=True)
        numpy.testing.assert_allclose(library.numpy(found), numpy.histogram(values, 5, (-2.0, 2.0), density=True)[0])


def test_names_of_bins_and_sorts():
    values, weights = fill((100,), "float64", 3), fill((100,), "float32", 4)
    for bins in ("auto", "fd", "sqrt"):
        found, expected = wavefold.histogram(values, bins), numpy.histogram(values, bins)
        numpy.testing.assert_array_equal(found[0], expected[0])
        numpy.testing.assert_array_equal(found[1], expected[1])
    found, _ = wavefold.histogram(values, 7, None, True, weights)
    numpy.testing.assert_allclose(found, numpy.histogram(values, 7, None, True, weights)[0])
    numpy.testing.assert_allclose(wavefold.histogram(values, 7, weights=weights, accuracy="fast")[0],
                                  numpy.histogram(values, 7, weights=weights)[0])
    for kind in (None, "quicksort", "heapsort", "mergesort", "stable"):
        numpy.testing.assert_array_equal(wavefold.sort(values, -1, kind), numpy.sort(values))
        numpy.testing.assert_array_equal(wavefold.argsort(values, kind=kind), numpy.argsort(values))
    with pytest.raises(ValueError, match="kind="):
        wavefold.sort(values, kind="bogo")
    with pytest.raises(TypeError, match="order="):
        wavefold.argsort(values, order="x")


@pytest.mark.parametrize("n", (1 << 16, (1 << 18) + 3))
def test_long_arrays(library, n):
    values = fill((n,), "float32", n)
    array = library.array(values)
    numpy.testing.assert_array_equal(library.numpy(wavefold.sort(array)), numpy.sort(values))
    numpy.testing.assert_array_equal(library.numpy(wavefold.argsort(array)), numpy.argsort(values, kind="stable"))
    numpy.testing.assert_allclose(library.numpy(wavefold.cumsum(array)), values.astype("f8").cumsum(), rtol=1e-3,
                                  atol=0.1)
