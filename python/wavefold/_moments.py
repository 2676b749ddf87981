"""var, std and describe."""
from collections import namedtuple
from math import prod

from wavefold import _axes, _core, _inputs, _reduce, _types


class Description(namedtuple("Description", "count sum min max argmin argmax mean var")):
    """The result of describe: arrays, or for NumPy without dimensions numbers."""
    __slots__ = ()


_FIELDS = ("count", "sum", "min", "max", "argmin", "argmax", "mean", "variance")  # of wf_description, 8 bytes each


def _fields(taken, axes, types):
    """The named fields of each row's wf_description, with its bits taken as the type that is given for each."""
    views, mask = _reduce.in_few_dimensions(taken, [taken.array], axes)
    shape = _axes.result_shape(taken.shape, axes, False)
    result = taken.library.empty(shape + (8,), "f64", taken.value)
    _core.describe(views[0], mask, taken.library.import_array(result, "out"), taken.library.stream(taken.array))
    integers = result.view(taken.library.dtype("i64"))
    unsigned = result.view(taken.library.dtype("u64")) if "u64" in types.values() else None
    of_type = {"f64": result, "i64": integers, "u64": unsigned}
    return {name: of_type[type_][..., _FIELDS.index(name)] for name, type_ in types.items()}


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    """The variance: the mean square of the distances from the mean, divided by count - ddof.

    ddof (NumPy) and correction (the array API) are two names of one number. The result has the type of floats, and
    float64 for integers. NaN if count - ddof is not positive, without a warning. mean: the distances are those from
    this number, or from these, whose shape is the result's with keepdims. The other arguments are those of sum. The
    error is a few units in the last place, also for a large mean. where and mean take a copy of a in float64.

    >>> import numpy, wavefold
    >>> float(wavefold.var(numpy.array([1.0, 2.0, 3.0, 4.0])))
    1.25
    """
    return _variance(a, axis, dtype, out, ddof if correction is None else correction, keepdims, where, mean, False)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    """The standard deviation: the root of var. Arguments are those of var.

    >>> import numpy, wavefold
    >>> float(wavefold.std(numpy.array([1.0, 3.0]), ddof=1)) == 2 ** 0.5
    True
    """
    return _variance(a, axis, dtype, out, ddof if correction is None else correction, keepdims, where, mean, True)


def _variance(a, axis, dtype, out, correction, keepdims, where, mean, takes_root):
    taken = _inputs.take(a)
    mask = _reduce.mask_of(taken, where)
    axes = _axes.normalise(axis, len(taken.shape))
    final = _types.named(dtype) if dtype is not None else taken.type if _types.is_float(taken.type) else "f64"
    if not _types.is_float(final):
        raise TypeError(f"dtype={dtype!r}: a variance is a float")
    if mask is None and mean is None:
        result, count = _fields(taken, axes, {"variance": "f64"})["variance"], prod(taken.shape[d] for d in axes)
    else:
        result, count = _masked_variance(taken, axes, mask, mean)
    if mask is not None:
        result = taken.library.ratio(result * count, count - correction)
    elif correction != 0:
        left = count - correction
        result = result * (count / left) if left > 0 else result * float("nan")
    if takes_root:
        result = result ** 0.5
    result = taken.library.cast(result, final) if final != "f64" else result
    return _reduce.finish(taken, result, axes, keepdims, out)


def _masked_variance(taken, axes, mask, mean):
    """The mean square of the distances from a mean, and the count of elements, of each row."""
    library = taken.library
    count = prod(taken.shape[d] for d in axes)
    if mask is not None:
        count = _reduce.count_of(taken, mask, axes)
    if mean is None:
        wide = _types.accumulator(taken.type, "mean", "f64")
        centre = _reduce.run(taken, "mean", accumulator=wide, axes=axes, second=mask)
        centre = centre.reshape(_axes.result_shape(taken.shape, axes, True))
    else:
        centre = _inputs.same_library(taken, mean, "mean").value
    distances = library.distances(taken.value, centre)
    if tuple(distances.shape) != taken.shape:
        raise ValueError(f"'mean' has a shape that does not broadcast to {taken.shape}")
    distances = _inputs.again(taken, distances, "a")
    squares = _reduce.run(distances, "sumsq", axes=axes, second=mask)
    if mean is None:  # which was rounded
        left = _reduce.run(distances, "sum", axes=axes, second=mask)
        squares = squares - left * library.ratio(left, count)
    return library.ratio(squares, count), count


def describe(a, axis=None, *, keepdims=False, where=None):
    """Count, sum, extremes with their indices, mean and variance: in one pass, or with where in several.

    Returns a named tuple: count is an int (with where an array of int64), the others are arrays of a's library. mean
    and var are float64; sum, min and max of floats float64, of integers int64 or uint64. A row in which where is
    nowhere True has the index -1. Raises ValueError for no elements.

    >>> import numpy, wavefold
    >>> d = wavefold.describe(numpy.array([1.0, 5.0, 3.0]))
    >>> d.count, float(d.sum), int(d.argmax), float(d.mean)
    (3, 9.0, 1, 3.0)
    """
    taken = _inputs.take(a)
    axes = _axes.normalise(axis, len(taken.shape))
    _reduce.require_elements(taken, axes, "min")
    number = "f64" if _types.is_float(taken.type) else _types.wide(taken.type)
    if taken.type == "bool":
        number = "i64"
    mask = _reduce.mask_of(taken, where)
    if mask is not None:
        fields = _masked_fields(taken, axes, mask, number)
        return Description(*(_reduce.finish(taken, field, axes, keepdims, None) for field in fields))
    fields = _fields(taken, axes, {"sum": number, "min": number, "max": number, "argmin": "i64", "argmax": "i64",
                                   "mean": "f64", "variance": "f64"})
    finished = [_reduce.finish(taken, field, axes, keepdims, None) for field in fields.values()]
    return Description(prod(taken.shape[d] for d in axes), *finished)


def _masked_fields(taken, axes, mask, number):
    library = taken.library
    wide = _types.accumulator(taken.type, "sum", number)
    yield _reduce.count_of(taken, mask, axes)
    yield _reduce.run(taken, "sum", accumulator=wide, axes=axes, second=mask, final=number)
    for op in ("min", "max"):
        yield library.cast(_reduce.run(taken, op, axes=axes, second=mask, final=taken.type), number)
    for op in ("argmin", "argmax"):
        yield _reduce.run(taken, op, axes=axes, second=mask, final="i64", trailing=(2,))[..., 1]
    yield _reduce.run(taken, "mean", accumulator=_types.accumulator(taken.type, "mean", "f64"), axes=axes, second=mask,
                      final="f64")
    yield _masked_variance(taken, axes, mask, None)[0]
