"""cumulative_sum and cumsum."""
from wavefold import _axes, _core, _inputs, _reduce, _types


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False, out=None):
    """The sums of the elements up to each one, along an axis (which may be None for arrays of one dimension).

    Rounded at each step, in an order that is the same on every device: the same bits everywhere. There are no exact
    scans, so accuracy is no argument. float16 and bfloat16
    are added as float32. dtype: None, or float64 for float32, else the result is converted. include_initial: a 0
    comes first. Returns an array of x's library with x's shape. Raises ValueError for an axis that does not fit.

    >>> import numpy, wavefold
    >>> wavefold.cumulative_sum(numpy.array([1, 2, 3], numpy.int8), include_initial=True)
    array([0, 1, 3, 6])
    """
    taken = _inputs.take(x, "x")
    if axis is None:
        if len(taken.shape) != 1:
            raise ValueError(f"axis=None, but 'x' has {len(taken.shape)} dimensions: name one, or use cumsum")
        axis = 0
    axis = _axes.one(axis, len(taken.shape))
    result = _scan(taken, axis, dtype, include_initial)
    return taken.library.copy_to(out, result) if out is not None else taken.library.finish(result)


def cumsum(a, axis=None, dtype=None, out=None):
    """cumulative_sum by NumPy's name: axis None takes the flattened array.

    >>> import numpy, wavefold
    >>> wavefold.cumsum(numpy.array([[1.0, 2.0], [3.0, 4.0]]))
    array([ 1.,  3.,  6., 10.])
    """
    taken = _inputs.take(a)
    if axis is None and len(taken.shape) != 1:
        if not taken.array.is_contiguous and taken.array.backend != 0:
            raise BufferError("'a' would have to be copied to be flattened: make it contiguous, or name an axis")
        taken = _inputs.again(taken, taken.library.contiguous(taken.value).reshape(-1), "a")
    axis = _axes.one(0 if axis is None else axis, len(taken.shape))
    result = _scan(taken, axis, dtype, False)
    return taken.library.copy_to(out, result) if out is not None else taken.library.finish(result)


def _scan(taken, axis, dtype, include_initial):
    library, type_ = taken.library, taken.type
    final = _types.named(dtype) if dtype is not None else _types.wide(type_)
    if _types.is_float(final) != _types.is_float(type_):
        taken = _reduce.converted(taken, final, "x")
        type_ = taken.type
    accumulator, as_elements = "", False
    stored = final
    if not _types.is_float(type_):
        stored = "u64" if type_[0] == "u" or type_ == "bool" else "i64"
        accumulator = stored
        if not _types.is_float(final) and _types.BYTES[final] == 8:
            stored = final
    elif type_ == "f32" and final == "f64":
        accumulator = "f64"
    elif final == type_:
        as_elements = type_ in ("f16", "bf16")
    else:
        stored = "f64" if type_ == "f64" else "f32"
    shape = list(taken.shape)
    shape[axis] += include_initial
    result = library.empty(tuple(shape), stored, taken.value)
    part = result
    if include_initial:
        front = (slice(None),) * axis
        result[front + (0,)] = 0
        part = result[front + (slice(1, None),)]
    _core.scan(taken.array, "sum", accumulator, axis, as_elements, library.import_array(part, "out"),
               library.stream(taken.array))
    return result if stored == final else library.cast(result, final)
