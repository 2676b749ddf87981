"""wavefold's reductions as functions of JAX: under jit, vmap and grad, on the CPU and on GPUs, on JAX's own stream.

Results are JAX's in type: without jax_enable_x64, sums of integers are int32. Sums of floats are exact, so they have
the same bits in every run and on every device.

| function | arguments | gradient |
|---|---|---|
| sum, mean, sumsq | x, axis=None, keepdims=False | yes |
| min, max | x, axis=None, keepdims=False | shared by equal elements |
| dot | x, y: of one dimension | yes |
| argmax, argmin | x, axis=None, keepdims=False | |
| cumsum | x, axis | yes |
| sort, argsort | x, axis=-1, descending=False | of the sorted values |
| scatter_add | indices, values, bins | of values |

>>> import jax, numpy, wavefold.jax
>>> float(jax.jit(wavefold.jax.sum)(numpy.array([1e8, 1.0, -1e8], numpy.float32)))
1.0
"""
import functools

import jax
import numpy
from jax import numpy as jnp

from wavefold import _axes, _core, _types

if not hasattr(jax, "ffi"):
    raise ImportError(f"wavefold.jax needs JAX 0.5 or newer, and this is {jax.__version__}: pip install -U jax")

for _platform, _handlers in _core.xla_handlers().items():
    for _name, _handler in _handlers.items():
        jax.ffi.register_ffi_target(_name, _handler, platform=_platform)


def _compiled(*static):
    """Compiles a function once for each shape: a call then costs what one of JAX's own does."""
    return functools.partial(jax.jit, static_argnames=static)


def _call(name, shape, dtype, *arguments, batches="broadcast_all", aliases=None, **attributes):
    attributes = {key: value if isinstance(value, str) else numpy.int64(value) for key, value in attributes.items()}
    result = jax.ShapeDtypeStruct(shape, dtype)
    return jax.ffi.ffi_call(name, result, vmap_method=batches, input_output_aliases=aliases)(*arguments, **attributes)


def _type(x):
    return _types.named(x.dtype)


def _mask(x, axes):
    """The reduced dimensions, counted from the last one."""
    return functools.reduce(int.__or__, (1 << (x.ndim - 1 - d) for d in axes), 0)


def _reduce(x, op, axes, dtype, accumulator=""):
    return _call("wavefold_reduce", _axes.result_shape(x.shape, axes, False), dtype, x, op=op,
                 accumulator=accumulator, reduced=_mask(x, axes))


def _wide(x):
    """The type of JAX's own sums."""
    return jax.eval_shape(jnp.sum, x).dtype


def _index_type():
    return jax.eval_shape(jnp.argmax, jax.ShapeDtypeStruct((1,), "float32")).dtype


def _accumulator(x, final):
    return "" if _types.is_float(_type(x)) else _types.named(final)


def _spread(gradient, x, axes):
    """The gradient of a reduction for each element."""
    shape = _axes.result_shape(x.shape, axes, True)
    return jnp.broadcast_to(gradient.reshape(shape), x.shape).astype(x.dtype)


# ---- sum, mean, sumsq ----------------------------------------------------------------------------------------------

@functools.partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def _total(x, op, axes):
    final = _wide(x)
    return _reduce(x, op, axes, final, _accumulator(x, final))


def _total_forward(x, op, axes):
    return _total(x, op, axes), x


def _total_backward(op, axes, x, gradient):
    spread = _spread(gradient, x, axes)
    return (2 * x * spread if op == "sumsq" else spread,)


_total.defvjp(_total_forward, _total_backward)


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def _mean(x, axes):
    return _reduce(x, "mean", axes, x.dtype)


def _mean_backward(axes, x, gradient):
    count = 1
    for d in axes:
        count *= x.shape[d]
    return (_spread(gradient, x, axes) / count,)


_mean.defvjp(lambda x, axes: (_mean(x, axes), x), _mean_backward)


def _with_axes(x, axis):
    x = jnp.asarray(x)
    if _type(x) == "bool":
        x = x.astype(jnp.int8)
    return x, _axes.normalise(axis, x.ndim)


def _kept(result, x, axes, keepdims):
    return result.reshape(_axes.result_shape(x.shape, axes, True)) if keepdims else result


@_compiled("axis", "keepdims")
def sum(x, axis=None, keepdims=False):
    """The exact sum, rounded once; of integers, in the type of jax.numpy.sum, modulo its range."""
    x, axes = _with_axes(x, axis)
    return _kept(_total(x, "sum", axes), x, axes, keepdims)


@_compiled("axis", "keepdims")
def mean(x, axis=None, keepdims=False):
    """The exact mean of floats, rounded once; integers become floats first, as in jax.numpy.mean."""
    x, axes = _with_axes(x, axis)
    if not _types.is_float(_type(x)):
        x = x.astype(jax.eval_shape(jnp.mean, x).dtype)
    return _kept(_mean(x, axes), x, axes, keepdims)


@_compiled("axis", "keepdims")
def sumsq(x, axis=None, keepdims=False):
    """The exact sum of squares, rounded once."""
    x, axes = _with_axes(x, axis)
    return _kept(_total(x, "sumsq", axes), x, axes, keepdims)


# ---- min, max ------------------------------------------------------------------------------------------------------

@functools.partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def _extreme(x, op, axes):
    return _reduce(x, op, axes, x.dtype)


def _extreme_forward(x, op, axes):
    extreme = _extreme(x, op, axes)
    return extreme, (x, extreme)


def _extreme_backward(op, axes, kept, gradient):
    x, extreme = kept
    equal = (x == _spread(extreme, x, axes)).astype(x.dtype)
    return (equal * _spread(gradient, x, axes) / equal.sum(axes, keepdims=True),)


_extreme.defvjp(_extreme_forward, _extreme_backward)


def _extreme_of(op, x, axis, keepdims):
    given = jnp.asarray(x)
    x, axes = _with_axes(given, axis)
    if any(x.shape[d] == 0 for d in axes):
        raise ValueError(f"zero-size array to {op}, which has no identity: give it at least one element")
    return _kept(_extreme(x, op, axes), x, axes, keepdims).astype(given.dtype)


@_compiled("axis", "keepdims")
def min(x, axis=None, keepdims=False):
    """The least element; NaN if there is one."""
    return _extreme_of("min", x, axis, keepdims)


@_compiled("axis", "keepdims")
def max(x, axis=None, keepdims=False):
    """The greatest element; NaN if there is one."""
    return _extreme_of("max", x, axis, keepdims)


# ---- dot -----------------------------------------------------------------------------------------------------------

@jax.custom_vjp
def _dot(x, y):
    return _call("wavefold_dot", (), x.dtype, x, y, batches="sequential")


_dot.defvjp(lambda x, y: (_dot(x, y), (x, y)), lambda both, gradient: (gradient * both[1], gradient * both[0]))


@_compiled()
def dot(x, y):
    """The exact dot product of two arrays of floats of one dimension and type, rounded once."""
    x, y = jnp.asarray(x), jnp.asarray(y)
    if x.ndim != 1 or x.shape != y.shape or x.dtype != y.dtype or not _types.is_float(_type(x)):
        raise ValueError(f"dot takes two arrays of floats of one dimension, length and type: not {x.dtype}{x.shape} "
                         f"and {y.dtype}{y.shape}")
    return _dot(x, y)


# ---- argmax, argmin ------------------------------------------------------------------------------------------------

def _arg(op, x, axis, keepdims):
    x, axes = _with_axes(jax.lax.stop_gradient(x), None if axis is None else _axes.one(axis, jnp.ndim(x)))
    if any(x.shape[d] == 0 for d in axes):
        raise ValueError(f"attempt to get {op} of an empty sequence")
    shape = _axes.result_shape(x.shape, axes, False)
    # The C library's results: a value, and an index of 64 bits from byte 8 on.
    found = _call("wavefold_reduce", (*shape, 4), jnp.uint32, x, op=op, accumulator="", reduced=_mask(x, axes))
    index = found[..., 2].astype(_index_type())
    if index.dtype.itemsize == 8:
        index |= found[..., 3].astype(index.dtype) << 32
    return _kept(index, x, axes, keepdims)


@_compiled("axis", "keepdims")
def argmax(x, axis=None, keepdims=False):
    """The position of the first greatest element; NaN count as greater than all others."""
    return _arg("argmax", x, axis, keepdims)


@_compiled("axis", "keepdims")
def argmin(x, axis=None, keepdims=False):
    """The position of the first least element; NaN count as less than all others."""
    return _arg("argmin", x, axis, keepdims)


# ---- cumsum --------------------------------------------------------------------------------------------------------

@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def _cumsum(x, axis):
    final = _wide(x)
    return _call("wavefold_scan", x.shape, final, x, op="sum", accumulator=_accumulator(x, final),
                 reduced=_mask(x, (axis,)))


_cumsum.defvjp(lambda x, axis: (_cumsum(x, axis), None),
               lambda axis, _, gradient: (jnp.flip(_cumsum(jnp.flip(gradient, axis), axis), axis),))


@_compiled("axis")
def cumsum(x, axis):
    """The sums up to each element along an axis, rounded at each step in one order: the same bits on every device."""
    x, axes = _with_axes(x, _axes.one(axis, jnp.ndim(x)))
    return _cumsum(x, axes[0])


# ---- sort ----------------------------------------------------------------------------------------------------------

@_compiled("axis", "descending")
def argsort(x, axis=-1, descending=False):
    """The positions of the elements in sorted order: stable; -0 comes before 0, and NaN are ordered by their bits."""
    x, axes = _with_axes(jax.lax.stop_gradient(x), _axes.one(axis, jnp.ndim(x)))
    rows = jnp.moveaxis(x, axes[0], -1)
    positions = _call("wavefold_argsort", rows.shape, _index_type(), rows, descending=bool(descending))
    return jnp.moveaxis(positions, -1, axes[0])


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def _sorted_rows(rows, descending):
    return _call("wavefold_sort", rows.shape, rows.dtype, rows, aliases={0: 0}, descending=descending)


def _sort_forward(rows, descending):
    positions = argsort(rows, -1, descending)
    return jnp.take_along_axis(rows, positions, -1), positions


def _sort_backward(descending, positions, gradient):
    back = jnp.zeros_like(gradient)
    return (jnp.put_along_axis(back, positions, gradient, -1, inplace=False),)


_sorted_rows.defvjp(_sort_forward, _sort_backward)


@_compiled("axis", "descending")
def sort(x, axis=-1, descending=False):
    """A sorted copy along an axis: -0 comes before 0, NaN last (descending: first)."""
    x = jnp.asarray(x)
    axis = _axes.one(axis, x.ndim)
    return jnp.moveaxis(_sorted_rows(jnp.moveaxis(x, axis, -1), bool(descending)), -1, axis)


# ---- scatter_add ---------------------------------------------------------------------------------------------------

@functools.partial(jax.custom_vjp, nondiff_argnums=(2,))
def _scatter(indices, values, bins):
    final = _wide(values)
    return _call("wavefold_scatter_add", (bins,), final, indices, values, batches="sequential", op="sum",
                 accumulator=_accumulator(values, final))


def _scatter_backward(bins, indices, gradient):
    inside = (indices >= 0) & (indices < bins)
    return None, jnp.where(inside, gradient[jnp.where(inside, indices, 0)], 0)


_scatter.defvjp(lambda indices, values, bins: (_scatter(indices, values, bins), indices), _scatter_backward)


@_compiled("bins")
def scatter_add(indices, values, bins):
    """Adds each values[i] to bin indices[i]: exact sums of floats, each rounded once; other indices are left out."""
    indices, values = jnp.asarray(indices), jnp.asarray(values)
    if _types.is_float(_type(indices)) or _type(indices) == "bool" or indices.ndim != 1:
        raise TypeError(f"'indices' is {indices.dtype}{indices.shape}: it must be an array of integers of one "
                        "dimension")
    if values.shape != indices.shape or _type(values) == "bool":
        raise ValueError(f"'values' is {values.dtype}{values.shape}: it must have one number for each index")
    return _scatter(indices, values, int(bins))
