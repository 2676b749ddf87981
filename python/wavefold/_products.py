"""dot, vdot and norm."""
from wavefold import _axes, _core, _inputs, _reduce, _types


def _pair(a, b):
    x = _inputs.take(a, "a")
    y = _inputs.same_library(x, b, "b")
    if x.type != y.type:
        if _types.is_float(x.type) and _types.is_float(y.type) and x.array.backend == 0:
            wider = x.type if _types.BYTES[x.type] > _types.BYTES[y.type] else y.type
            return _reduce.converted(x, wider, "a"), _reduce.converted(y, wider, "b")
        raise TypeError(f"'a' has elements of {_types.NAMES[x.type]} and 'b' of {_types.NAMES[y.type]}: convert one")
    return x, y


def dot(a, b, out=None, *, accuracy="exact"):
    """The sum of the products of two arrays along their last axis: a has any shape, b one dimension or a's shape.

    float16, bfloat16, float32: the real sum of the real products, rounded once. float64: each product is rounded, then
    their sum once. Integers wrap in their own type, as NumPy's do; of bool it is whether any pair is True.
    Raises ValueError for shapes that do not fit (products of matrices are left to the array's library), TypeError for
    arrays of different types.

    >>> import numpy, wavefold
    >>> float(wavefold.dot(numpy.array([1e8, 1.0, -1e8], numpy.float32), numpy.ones(3, numpy.float32)))
    1.0
    """
    _reduce.check_accuracy(accuracy)
    x, y = _pair(a, b)
    if len(x.shape) == 0 or len(y.shape) == 0 or x.shape[-1] != y.shape[-1] or (
            len(y.shape) > 1 and y.shape != x.shape):
        raise ValueError(f"shapes {x.shape} and {y.shape} do not fit: 'b' must have one dimension as long as the last "
                         "of 'a', or the shape of 'a'")
    other = y.array
    if len(y.shape) < len(x.shape):
        other = other.with_shape(x.shape, (0,) * (len(x.shape) - 1) + other.strides)
    return _products(x, other, (len(x.shape) - 1,), out, accuracy)


def vdot(a, b, *, accuracy="exact"):
    """The sum of the products of all elements of two arrays of one shape. Otherwise as dot.

    >>> import numpy, wavefold
    >>> int(wavefold.vdot(numpy.array([[1, 2], [3, 4]]), numpy.array([[1, 1], [2, 2]])))
    17
    """
    _reduce.check_accuracy(accuracy)
    x, y = _pair(a, b)
    if x.shape != y.shape:
        raise ValueError(f"shapes {x.shape} and {y.shape} differ: ravel both arrays")
    return _products(x, y.array, tuple(range(len(x.shape))), None, accuracy)


def _products(x, other, axes, out, accuracy):
    final = x.type
    is_whole = x.array.is_contiguous and other.is_contiguous and len(axes) == len(x.shape)
    if is_whole and final not in ("bool", "i8", "i16", "u8", "u16"):
        return _reduce.finish(x, _whole_dot(x, other, accuracy), axes, False, out)
    result = _reduce.run(x, "sum", accuracy=accuracy, axes=axes, second=other, is_mask=False,
                         final=None if final == "bool" else final)
    if final == "bool":
        result = result != 0
    return _reduce.finish(x, result, axes, False, out)


def _whole_dot(x, other, accuracy):
    written = _core.result_info(x.type, "sum", "", accuracy)[0]
    result = x.library.empty((), written, x.value)
    _core.dot(x.array, other, "", accuracy, x.library.import_array(result, "out"), x.library.stream(x.array))
    return result if written == x.type else x.library.cast(result, x.type)


def norm(x, ord=None, axis=None, keepdims=False, *, accuracy="exact"):
    """The norm of vectors: ord None or 2 is the Euclidean norm, 1 the sum of magnitudes, infinity the greatest one.

    axis: None takes all elements as one vector (the Frobenius norm of a matrix). float16, bfloat16, float32: the sum is
    exact and neither overflows nor underflows. float64: within two units in the last place; along an axis squares may
    overflow. Integers on the CPU become float64. Raises ValueError for another ord.

    >>> import numpy, wavefold
    >>> f"{wavefold.norm(numpy.array([3e200, 4e200])):.6g}"
    '5e+200'
    """
    _reduce.check_accuracy(accuracy)
    taken = _inputs.take(x, "x")
    if not _types.is_float(taken.type):
        taken = _reduce.converted(taken, "f64", "x")
    axes = _axes.normalise(axis, len(taken.shape))
    type_ = taken.type
    if ord in (None, 2):
        if type_ == "f64" and len(axes) == len(taken.shape) and taken.array.is_contiguous:
            result = taken.library.empty((), type_, taken.value)
            _core.norm(taken.array, taken.library.import_array(result, "out"), taken.library.stream(taken.array))
        else:
            squares = _reduce.run(taken, "sumsq", accumulator="" if type_ == "f64" else "f64", accuracy=accuracy,
                                  axes=axes)
            result = taken.library.cast(squares ** 0.5, type_)
    elif ord == 1:
        result = _reduce.run(taken, "asum", accuracy=accuracy, axes=axes)
    elif ord == float("inf"):
        _reduce.require_elements(taken, axes, "max")
        both = _reduce.run(taken, "minmax", axes=axes, final=type_, trailing=(2,))
        result = abs(both).max(-1)
        result = getattr(result, "values", result)  # torch
    else:
        raise ValueError(f"ord={ord!r}: wavefold has the norms None, 2, 1 and infinity")
    return _reduce.finish(taken, result, axes, keepdims, None)
