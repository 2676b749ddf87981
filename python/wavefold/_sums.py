"""sum, mean, prod and count_nonzero."""
from wavefold import _core, _inputs, _reduce

_sum, _mean, _all, _item = _core.SUM, _core.MEAN, _core.reduce_all, _core.reduce_item


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, *, accuracy="exact",
        item=False):
    """Adds elements. The sum of floats is exact: the real sum, rounded once, whatever their order.

    a: an array of any shape, of bool, integers or floats. axis: None (all), an axis or a tuple of axes.
    dtype: the type of the result. None: that of floats; int64 or uint64 for integers and bool.
    out: an array of the result's shape, which is written and returned. keepdims: reduced axes stay, with length 1.
    initial: a number that is added to each result, after that was rounded.
    where: an array of bool that broadcasts to a; elements where it is False are left out.
    accuracy: "exact", or "fast": rounded at each step, in the order that suits the device.
    item: True returns a Python number, as .item() of the result does; on GPUs in one launch that writes it to the host.

    Returns an array of a's library on its device, for NumPy without dimensions a number. Raises TypeError for other
    elements, ValueError for axes and shapes that do not fit, BufferError for memory that would have to be copied.

    >>> import numpy, wavefold
    >>> float(wavefold.sum(numpy.array([1e16, 1.0, -1e16])))
    1.0
    >>> wavefold.sum(numpy.ones((2, 3), numpy.float32), axis=1)
    array([3., 3.], dtype=float32)
    """
    if (axis is None and dtype is None and out is None and initial is None and where is None and keepdims is False
            and accuracy == "exact"):
        result = _item(a, _sum) if item else _all(a, _sum)
        if result is not None:
            return result
    result = _reduce.reduce_sum(a, "sum", axis, dtype, out, keepdims, where, accuracy, initial)
    return result.item() if item else result


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None, accuracy="exact", item=False):
    """The exact sum divided by the count, rounded once; of integers a float64. Of no elements it is NaN, without a
    warning. Arguments, result and errors are those of sum.

    >>> import numpy, wavefold
    >>> float(wavefold.mean(numpy.array([1e16, 1.0, 1.0, -1e16])))
    0.5
    """
    if axis is None and dtype is None and out is None and where is None and keepdims is False and accuracy == "exact":
        result = _item(a, _mean) if item else _all(a, _mean)
        if result is not None:
            return result
    result = _reduce.reduce_sum(a, "mean", axis, dtype, out, keepdims, where, accuracy)
    return result.item() if item else result


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """Multiplies elements, and initial; rounded at each step. Arguments, result and errors are those of sum. Of no
    elements it is 1.

    >>> import numpy, wavefold
    >>> int(wavefold.prod(numpy.array([2, 3, 7], numpy.int8)))
    42
    """
    return _reduce.reduce_sum(a, "product", axis, dtype, out, keepdims, where, "exact", initial)


def count_nonzero(a, axis=None, *, keepdims=False):
    """Counts the elements that are not 0, NaN among them, as int64. An array of bool is counted where it lies; of
    others the comparison with 0 is made first, a byte for each element.

    >>> import numpy, wavefold
    >>> int(wavefold.count_nonzero(numpy.array([0.0, 2.0, float("nan")])))
    2
    """
    taken = _inputs.take(a)
    if taken.type != "bool":
        taken = _inputs.again(taken, taken.library.nonzero(taken.value), "a")
    return _reduce.reduce_sum(taken, "sum", axis, None, None, keepdims, None, "exact")
