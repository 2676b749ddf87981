"""Exact sums, and fast reductions, scans and sorts of arrays of NumPy, torch, CuPy and JAX, where they lie.

>>> import numpy, wavefold
>>> float(wavefold.sum(numpy.array([1e16, 1.0, -1e16])))
1.0
"""
from wavefold._bins import bincount, histogram, scatter_add
from wavefold._core import version as __version__
from wavefold._extremes import argmax, argmin, max, min, minmax
from wavefold._moments import describe, std, var
from wavefold._products import dot, norm, vdot
from wavefold._scans import cumsum, cumulative_sum
from wavefold._sorts import argsort, sort, topk
from wavefold._sum_state import SumState
from wavefold._sums import count_nonzero, mean, prod, sum

__all__ = ["SumState", "__version__", "argmax", "argmin", "argsort", "bincount", "count_nonzero", "cumsum",
           "cumulative_sum", "describe", "dot", "explain", "histogram", "max", "mean", "min", "minmax", "norm", "prod",
           "progression", "scatter_add", "sort", "std", "sum", "topk", "try_kernel", "var", "vdot"]


def __getattr__(name):
    if name in ("explain", "progression", "try_kernel"):
        from wavefold import _ladder
        return getattr(_ladder, name)
    raise AttributeError(f"module 'wavefold' has no attribute '{name}'")
