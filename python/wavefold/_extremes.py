"""min, max, minmax, argmin and argmax."""
from collections import namedtuple

from wavefold import _axes, _core, _inputs, _reduce

_min, _max, _all, _item = _core.MIN, _core.MAX, _core.reduce_all, _core.reduce_item


class MinMax(namedtuple("MinMax", "min max")):
    """The result of minmax."""
    __slots__ = ()


def min(a, axis=None, out=None, keepdims=False, initial=None, where=None, *, item=False):
    """The least element, or initial if that is less; NaN if there is one. Arguments are those of sum. Raises ValueError
    for no elements without initial.

    >>> import numpy, wavefold
    >>> wavefold.min(numpy.array([[3, 1], [2, 5]]), axis=0)
    array([2, 1])
    """
    if axis is None and out is None and initial is None and where is None and keepdims is False:
        result = _item(a, _min) if item else _all(a, _min)
        if result is not None:
            return result
    result = _reduce.reduce_extreme(a, "min", axis, out, keepdims, initial, where)
    return result.item() if item else result


def max(a, axis=None, out=None, keepdims=False, initial=None, where=None, *, item=False):
    """The greatest element, or initial if that is greater; NaN if there is one. Arguments are those of sum. Raises
    ValueError for no elements without initial.

    >>> import numpy, wavefold
    >>> wavefold.max(numpy.array([[3, 1], [2, 5]]), axis=0)
    array([3, 5])
    """
    if axis is None and out is None and initial is None and where is None and keepdims is False:
        result = _item(a, _max) if item else _all(a, _max)
        if result is not None:
            return result
    result = _reduce.reduce_extreme(a, "max", axis, out, keepdims, initial, where)
    return result.item() if item else result


def minmax(a, axis=None, *, keepdims=False, where=None):
    """The least and the greatest element in one pass: a named tuple of arrays as min and max return them.

    >>> import numpy, wavefold
    >>> least, greatest = wavefold.minmax(numpy.array([3.0, 1.0, 2.0]))
    >>> float(least), float(greatest)
    (1.0, 3.0)
    """
    taken = _inputs.take(a)
    axes = _axes.normalise(axis, len(taken.shape))
    _reduce.require_elements(taken, axes, "minmax")
    both = _reduce.run(taken, "minmax", axes=axes, second=_reduce.mask_of(taken, where), final=taken.type,
                       trailing=(2,))
    return MinMax(*(_reduce.finish(taken, both[..., k], axes, keepdims, None) for k in range(2)))


def argmin(a, axis=None, out=None, *, keepdims=False):
    """The index of the least element, the first one if there are several, along an axis or, for None, in the flattened
    array; that of the first NaN if there is one. int64. Raises ValueError for no elements.

    >>> import numpy, wavefold
    >>> int(wavefold.argmin(numpy.array([3.0, 1.0, 1.0])))
    1
    """
    return _index_of("argmin", a, axis, out, keepdims)


def argmax(a, axis=None, out=None, *, keepdims=False):
    """The index of the greatest element, as argmin.

    >>> import numpy, wavefold
    >>> wavefold.argmax(numpy.array([[3, 9], [8, 4]]), axis=1)
    array([1, 0])
    """
    return _index_of("argmax", a, axis, out, keepdims)


def _index_of(op, a, axis, out, keepdims):
    taken = _inputs.take(a)
    if isinstance(axis, (tuple, list)):
        raise TypeError(f"axis={axis!r}: {op} takes None or one axis")
    axes = _axes.normalise(axis, len(taken.shape))
    _reduce.require_elements(taken, axes, op)
    # A value and an index: 16 bytes, of which the second half is the index.
    both = _reduce.run(taken, op, axes=axes, final="i64", trailing=(2,))
    index = both[..., 1]
    if taken.array.backend == 0:
        index = _first_zeros(taken, op, axes, both, index)
    return _reduce.finish(taken, index, axes, keepdims, out)


def _first_zeros(taken, op, axes, both, index):
    """NumPy takes zeros of both signs as equal; the C library takes -0 as less. So an earlier zero may be first."""
    if taken.type not in ("f16", "bf16", "f32", "f64"):
        return index
    import numpy
    is_torch = taken.library.name == "torch"
    both, index = (both.numpy(), index.numpy()) if is_torch else (both, index)
    negative_zero = {"f16": 0x8000, "bf16": 0x8000, "f32": 0x80000000, "f64": 0x8000000000000000}[taken.type]
    bits = both[..., 0].view(numpy.uint64) & numpy.uint64(2 * negative_zero - 1)
    doubtful = bits == numpy.uint64(negative_zero if op == "argmin" else 0)
    if doubtful.any():
        value = taken.value
        if is_torch:
            value = value.detach().float() if taken.type == "bf16" else value.detach()
        elements = value.numpy() if is_torch else numpy.asarray(value)
        kept = [d for d in range(elements.ndim) if d not in axes]
        rows = elements.transpose(*kept, *axes).reshape(*(elements.shape[d] for d in kept), -1)
        first = (rows == 0).argmax(axis=-1)
        index = numpy.where(doubtful, first, index)
    return taken.library.module.from_numpy(numpy.array(index)) if is_torch else index
