"""wavefold's reductions as operators of torch: torch.ops.wavefold.sum(x, [0]), usable under torch.compile and autograd.

Import this module to register them. Every operator is deterministic: sums of floats are exact, so they have the same
bits in every run and on every device; torch.use_deterministic_algorithms changes nothing.

| operator | arguments | gradient |
|---|---|---|
| sum, mean, sumsq | x, dim=None, keepdim=False | yes |
| dot | x, y: of one dimension | yes |
| argmax | x, dim=None, keepdim=False | |
| cumsum | x, dim | yes |
| sort | x, dim=-1, descending=False: values and indices | of the values |
| scatter_add | indices, values, bins | of values |

>>> import torch, wavefold.torch
>>> torch.ops.wavefold.sum(torch.tensor([1e16, 1.0, -1e16], dtype=torch.float64)).item()
1.0
"""
from typing import List, Optional, Tuple

import torch
from torch import Tensor

import wavefold
from wavefold import _reduce

_define = torch.library.custom_op


def _dims(x, dim):
    return tuple(range(x.ndim)) if dim is None else tuple(sorted(d % x.ndim if x.ndim else 0 for d in dim))


def _reduced(x, dim, keepdim, dtype):
    dims = _dims(x, dim)
    shape = [1 if d in dims else n for d, n in enumerate(x.shape)] if keepdim else (
        [n for d, n in enumerate(x.shape) if d not in dims])
    return x.new_empty(shape, dtype=dtype)


def _spread(gradient, shape, dims, keepdim):
    """The gradient of a reduction, with the reduced dimensions back, for each element."""
    if not keepdim:
        for d in dims:
            gradient = gradient.unsqueeze(d)
    return gradient.expand(shape)


def _wide(dtype):
    return dtype if dtype.is_floating_point else torch.int64


def _axis(dim):
    return None if dim is None else tuple(dim)


# ---- sum, mean, sumsq ----------------------------------------------------------------------------------------------

@_define("wavefold::sum", mutates_args=())
def sum(x: Tensor, dim: Optional[List[int]] = None, keepdim: bool = False) -> Tensor:
    return wavefold.sum(x, _axis(dim), keepdims=keepdim, dtype=_wide(x.dtype))


@sum.register_fake
def _(x, dim=None, keepdim=False):
    return _reduced(x, dim, keepdim, _wide(x.dtype))


@_define("wavefold::mean", mutates_args=())
def mean(x: Tensor, dim: Optional[List[int]] = None, keepdim: bool = False) -> Tensor:
    return wavefold.mean(x, _axis(dim), keepdims=keepdim)


@mean.register_fake
def _(x, dim=None, keepdim=False):
    return _reduced(x, dim, keepdim, x.dtype if x.dtype.is_floating_point else torch.float64)


@_define("wavefold::sumsq", mutates_args=())
def sumsq(x: Tensor, dim: Optional[List[int]] = None, keepdim: bool = False) -> Tensor:
    return _reduce.reduce_sum(x, "sumsq", _axis(dim), _wide(x.dtype), None, keepdim, None, "exact", name="x")


@sumsq.register_fake
def _(x, dim=None, keepdim=False):
    return _reduced(x, dim, keepdim, _wide(x.dtype))


def _keep_shape(ctx, inputs, output):
    x, ctx.dim, ctx.keepdim = inputs
    ctx.shape = x.shape
    ctx.dims = _dims(x, ctx.dim)


def _keep_x(ctx, inputs, output):
    _keep_shape(ctx, inputs, output)
    ctx.save_for_backward(inputs[0])


def _sum_backward(ctx, gradient):
    return _spread(gradient, ctx.shape, ctx.dims, ctx.keepdim), None, None


def _mean_backward(ctx, gradient):
    count = 1
    for d in ctx.dims:
        count *= ctx.shape[d]
    return _spread(gradient, ctx.shape, ctx.dims, ctx.keepdim) / count, None, None


def _sumsq_backward(ctx, gradient):
    (x,) = ctx.saved_tensors
    return 2 * x * _spread(gradient, ctx.shape, ctx.dims, ctx.keepdim), None, None


sum.register_autograd(_sum_backward, setup_context=_keep_shape)
mean.register_autograd(_mean_backward, setup_context=_keep_shape)
sumsq.register_autograd(_sumsq_backward, setup_context=_keep_x)


# ---- dot -----------------------------------------------------------------------------------------------------------

@_define("wavefold::dot", mutates_args=())
def dot(x: Tensor, y: Tensor) -> Tensor:
    return wavefold.dot(x, y)


@dot.register_fake
def _(x, y):
    return x.new_empty(())


def _keep_both(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def _dot_backward(ctx, gradient):
    x, y = ctx.saved_tensors
    return gradient * y, gradient * x


dot.register_autograd(_dot_backward, setup_context=_keep_both)


# ---- argmax --------------------------------------------------------------------------------------------------------

@_define("wavefold::argmax", mutates_args=())
def argmax(x: Tensor, dim: Optional[int] = None, keepdim: bool = False) -> Tensor:
    return wavefold.argmax(x, dim, keepdims=keepdim).clone()


@argmax.register_fake
def _(x, dim=None, keepdim=False):
    return _reduced(x, None if dim is None else [dim], keepdim, torch.int64)


# ---- cumsum --------------------------------------------------------------------------------------------------------

@_define("wavefold::cumsum", mutates_args=())
def cumsum(x: Tensor, dim: int) -> Tensor:
    return wavefold.cumulative_sum(x, axis=dim, dtype=_wide(x.dtype))


@cumsum.register_fake
def _(x, dim):
    return torch.empty(x.shape, dtype=_wide(x.dtype), device=x.device)


def _keep_dim(ctx, inputs, output):
    ctx.dim = inputs[1]


def _cumsum_backward(ctx, gradient):
    return cumsum(gradient.flip(ctx.dim), ctx.dim).flip(ctx.dim), None


cumsum.register_autograd(_cumsum_backward, setup_context=_keep_dim)


# ---- sort ----------------------------------------------------------------------------------------------------------

@_define("wavefold::sort", mutates_args=())
def sort(x: Tensor, dim: int = -1, descending: bool = False) -> Tuple[Tensor, Tensor]:
    indices = wavefold.argsort(x, dim, descending=descending).contiguous()
    return x.gather(dim, indices), indices


@sort.register_fake
def _(x, dim=-1, descending=False):
    values = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    return values, torch.empty(x.shape, dtype=torch.int64, device=x.device)


def _keep_indices(ctx, inputs, output):
    ctx.dim = inputs[1]
    ctx.save_for_backward(output[1])
    ctx.mark_non_differentiable(output[1])


def _sort_backward(ctx, gradient, _):
    (indices,) = ctx.saved_tensors
    return torch.zeros_like(gradient).scatter(ctx.dim, indices, gradient), None, None


sort.register_autograd(_sort_backward, setup_context=_keep_indices)


# ---- scatter_add ---------------------------------------------------------------------------------------------------

@_define("wavefold::scatter_add", mutates_args=())
def scatter_add(indices: Tensor, values: Tensor, bins: int) -> Tensor:
    return wavefold.scatter_add(indices, values, bins)


@scatter_add.register_fake
def _(indices, values, bins):
    return values.new_empty((bins,), dtype=_wide(values.dtype))


def _keep_bins(ctx, inputs, output):
    ctx.bins = inputs[2]
    ctx.save_for_backward(inputs[0])


def _scatter_backward(ctx, gradient):
    (indices,) = ctx.saved_tensors
    inside = (indices >= 0) & (indices < ctx.bins)
    return None, torch.where(inside, gradient[torch.where(inside, indices, 0)], 0), None


scatter_add.register_autograd(_scatter_backward, setup_context=_keep_bins)
