"""JAX's arrays on the CPU: in, out, and what is refused."""
import numpy
import pytest
from arrays import fill

jax = pytest.importorskip("jax")

import wavefold  # noqa: E402


def test_types():
    values = fill((6, 8), "float32", 1)
    x = jax.numpy.asarray(values)
    found = wavefold.sum(x, 1)
    assert isinstance(found, jax.Array)
    numpy.testing.assert_array_equal(found, wavefold.sum(values, 1))
    assert wavefold.sum(x.astype("bfloat16")).dtype == "bfloat16"
    assert wavefold.sum(jax.numpy.arange(5)).dtype == "int32"  # without jax_enable_x64
    assert int(wavefold.argmax(x)) == values.argmax()


def test_refused():
    with pytest.raises(TypeError, match="traced by jax.jit"):
        jax.jit(wavefold.sum)(jax.numpy.ones(3))
    with pytest.raises(TypeError, match="cannot be written"):
        wavefold.sum(jax.numpy.ones(3), out=jax.numpy.ones(()))


def test_pure_callback():
    def total(x):
        return jax.pure_callback(lambda a: numpy.asarray(wavefold.sum(numpy.asarray(a))),
                                 jax.ShapeDtypeStruct((), "float32"), x)
    assert jax.jit(total)(jax.numpy.ones(7)) == 7
