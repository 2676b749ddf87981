"""JAX: arrays on the CPU in and out, what is refused, and wavefold.jax under jit, vmap and grad, on GPUs too."""
import doctest
import math

import numpy
import pytest
from arrays import fill

jax = pytest.importorskip("jax")

import wavefold  # noqa: E402
import wavefold.jax  # noqa: E402

jnp = jax.numpy


@pytest.fixture
def on_cpu():
    with jax.default_device(jax.devices("cpu")[0]):
        yield


@pytest.fixture(autouse=True)
def device(request):
    """JAX takes a GPU where there is one."""
    found = jax.devices()[0].platform
    if request.config.getoption("device") == "cuda":
        assert found == "gpu"
    return found


def test_types(on_cpu):
    values = fill((6, 8), "float32", 1)
    x = jnp.asarray(values)
    found = wavefold.sum(x, 1)
    assert isinstance(found, jax.Array)
    numpy.testing.assert_array_equal(found, wavefold.sum(values, 1))
    assert wavefold.sum(x.astype("bfloat16")).dtype == "bfloat16"
    assert wavefold.sum(x > 0) == int((values > 0).sum())
    assert wavefold.sum(jnp.arange(5)).dtype == "int32"  # without jax_enable_x64
    assert int(wavefold.argmax(x)) == values.argmax()
    numpy.testing.assert_array_equal(wavefold.sort(x, 0), numpy.sort(values, 0))


def test_refused(on_cpu):
    with pytest.raises(TypeError, match="wavefold.jax"):
        jax.jit(wavefold.sum)(jnp.ones(3))
    with pytest.raises(TypeError, match="cannot be written"):
        wavefold.sum(jnp.ones(3), out=jnp.ones(()))


def test_refused_on_gpus(device):
    if device == "cpu":
        pytest.skip("needs a GPU")
    with pytest.raises(BufferError, match="wavefold.jax"):
        wavefold.sum(jnp.ones(3))


def test_pure_callback():
    def total(x):
        return jax.pure_callback(lambda a: numpy.asarray(wavefold.sum(numpy.asarray(a))),
                                 jax.ShapeDtypeStruct((), "float32"), x)
    assert jax.jit(total)(jnp.ones(7)) == 7


@pytest.mark.parametrize("dtype", ("float32", "float16", "int32", "int8", "uint16", "bool"))
@pytest.mark.parametrize("shape, axis", (((), None), ((1,), 0), ((33,), None), ((7, 65), 0), ((7, 65), -1),
                                         ((3, 4, 5), (0, 2)), ((2, 0, 3), 1), ((1000, 300), 0), ((1000, 300), None)))
def test_sums(dtype, shape, axis):
    values = fill(shape, dtype, 1)
    x = jnp.asarray(values)
    found = jax.jit(wavefold.jax.sum, static_argnums=1)(x, axis)
    assert isinstance(found, jax.Array) and found.dtype == x.sum().dtype and found.devices() == x.devices()
    expected = numpy.asarray(wavefold.sum(values, axis)).astype(found.dtype)
    numpy.testing.assert_array_equal(found, expected)
    kept = wavefold.jax.sum(x, axis, keepdims=True)
    numpy.testing.assert_array_equal(kept.reshape(found.shape), expected)
    assert kept.shape == values.sum(axis, keepdims=True).shape
    if dtype != "bool" and numpy.prod(shape) != 0:
        mean = wavefold.jax.mean(x, axis)
        assert mean.dtype == x.mean().dtype
        numpy.testing.assert_allclose(mean, values.mean(axis, dtype="f8"), rtol=2e-3, atol=1e-3)


def test_sum_is_exact():
    values = numpy.array([1e8, 1.0, -1e8, 2.0 ** -120] * 5, "float32")
    assert float(jax.jit(wavefold.jax.sum)(values)) == numpy.float32(math.fsum(values.astype("f8")))
    assert math.isnan(wavefold.jax.sum(jnp.asarray([math.inf, -math.inf])))


def test_others():
    values = fill((6, 80), "float32", 2)
    x = jnp.asarray(values)
    numpy.testing.assert_array_equal(wavefold.jax.argmax(x, 1), values.argmax(1))
    assert wavefold.jax.argmin(x) == values.argmin()
    assert wavefold.jax.argmax(x, 0, keepdims=True).shape == (1, 80)
    numpy.testing.assert_allclose(wavefold.jax.sumsq(x, 0), (values.astype("f8") ** 2).sum(0), rtol=1e-6)
    for axis in (None, 0, (0, 1)):
        numpy.testing.assert_array_equal(wavefold.jax.min(x, axis), values.min(axis))
        numpy.testing.assert_array_equal(wavefold.jax.max(x > 0, axis), (values > 0).max(axis))
    assert math.isnan(wavefold.jax.max(x.at[3, 3].set(math.nan)))
    assert wavefold.jax.dot(x[0], x[1]) == wavefold.dot(values[0], values[1])
    for axis in (0, 1):
        numpy.testing.assert_array_equal(wavefold.jax.cumsum(x, axis), wavefold.cumulative_sum(values, axis=axis))
        numpy.testing.assert_array_equal(wavefold.jax.sort(x, axis), numpy.sort(values, axis))
        numpy.testing.assert_array_equal(wavefold.jax.argsort(x, axis), numpy.argsort(values, axis))
        turned = wavefold.jax.sort(x, axis, descending=True)
        numpy.testing.assert_array_equal(turned, numpy.flip(numpy.sort(values, axis), axis))
    indices = numpy.array([2, 0, 2, -1, 3] * 16, "int32")
    numpy.testing.assert_array_equal(wavefold.jax.scatter_add(indices, x[0], 3),
                                     wavefold.scatter_add(indices, values[0], 3))
    numpy.testing.assert_array_equal(x, values)  # sort works on a copy


def test_bad_arguments():
    with pytest.raises(ValueError, match="one dimension, length and type"):
        wavefold.jax.dot(jnp.ones(3), jnp.ones(4))
    with pytest.raises(ValueError, match="empty sequence"):
        wavefold.jax.argmax(jnp.ones(0))
    with pytest.raises(TypeError, match="array of integers"):
        wavefold.jax.scatter_add(jnp.ones(3), jnp.ones(3), 2)
    with pytest.raises(TypeError, match="no such type"):
        wavefold.jax.sum(jnp.ones(3, "complex64"))
    with pytest.raises(jax.errors.JaxRuntimeError, match="more than 8 dimensions"):
        wavefold.jax.sum(jnp.ones((1,) * 9)).block_until_ready()


def test_vmap():
    values = fill((4, 6, 5), "float32", 3)
    x = jnp.asarray(values)
    numpy.testing.assert_array_equal(jax.vmap(wavefold.jax.sum)(x), wavefold.sum(values, (1, 2)))
    numpy.testing.assert_array_equal(jax.vmap(lambda a: wavefold.jax.sum(a, 0), in_axes=2)(x),
                                     wavefold.sum(values, 0).T)
    numpy.testing.assert_array_equal(jax.vmap(jax.vmap(wavefold.jax.argmax))(x), values.argmax(2))
    numpy.testing.assert_array_equal(jax.vmap(wavefold.jax.sort)(x), numpy.sort(values))
    numpy.testing.assert_array_equal(jax.vmap(lambda a: wavefold.jax.cumsum(a, 0))(x),
                                     wavefold.cumulative_sum(values, axis=1))
    assert jax.vmap(wavefold.jax.dot)(x[:, 0], x[:, 1]).shape == (4,)


PAIRS = {
    "sum": (lambda x: wavefold.jax.sum(x, 0), lambda x: x.sum(0)),
    "mean": (lambda x: wavefold.jax.mean(x, 1), lambda x: x.mean(1)),
    "sumsq": (lambda x: wavefold.jax.sumsq(x, 1), lambda x: (x * x).sum(1)),
    "max": (lambda x: wavefold.jax.max(jnp.round(x), 1), lambda x: jnp.round(x).max(1)),
    "min of clipped": (lambda x: wavefold.jax.min(jnp.clip(x, 0), 1), lambda x: jnp.clip(x, 0).min(1)),
    "dot": (lambda x: wavefold.jax.dot(x[0], x[1]), lambda x: (x[0] * x[1]).sum()),
    "cumsum": (lambda x: wavefold.jax.cumsum(x, 1), lambda x: x.cumsum(1)),
    "sort": (lambda x: wavefold.jax.sort(x, 0), lambda x: jnp.sort(x, 0)),
    "scatter_add": (lambda x: wavefold.jax.scatter_add(jnp.arange(8) % 3, x[0], 2),
                    lambda x: jnp.zeros(2).at[jnp.arange(8) % 3].add(x[0], mode="drop")),
}


@pytest.mark.parametrize("name", PAIRS)
def test_gradients(name):
    ours, theirs = PAIRS[name]
    x = jnp.asarray(fill((6, 8), "float32", 4))
    weights = jnp.asarray(fill(ours(x).shape, "float32", 5))
    found = jax.jit(jax.grad(lambda a: (ours(a) * weights).sum()))(x)
    expected = jax.grad(lambda a: (theirs(a) * weights).sum())(x)
    numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_in_a_program_of_jax():
    """Between operations of XLA, in a loop that it compiles, and queued many times."""
    @jax.jit
    def step(x):
        return jax.lax.fori_loop(0, 5, lambda _, a: jnp.sin(a) + wavefold.jax.sum(a, 0) / 100, x)
    x = jnp.asarray(fill((50, 30), "float32", 6))
    expected = numpy.asarray(x)
    for _ in range(5):
        expected = numpy.sin(expected) + wavefold.sum(expected, 0) / numpy.float32(100)
    numpy.testing.assert_allclose(step(x), expected, rtol=1e-3, atol=1e-4)
    many = [wavefold.jax.sum(x + i) for i in range(200)]
    assert float(many[100]) == float(wavefold.jax.sum(x + 100))


def test_doctests():
    failed, tried = doctest.testmod(wavefold.jax)
    assert tried > 0 and failed == 0
