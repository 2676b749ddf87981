"""The general case of all reductions: any axes, strides, types, a mask, a result that is given."""
from math import prod

from wavefold import _axes, _core, _inputs, _types

EXTREMES = {"min": "minimum", "max": "maximum", "minmax": "minimum", "argmin": "argmin", "argmax": "argmax"}


def check_accuracy(accuracy):
    if accuracy not in ("exact", "fast"):
        raise ValueError(f"accuracy={accuracy!r}: it is \"exact\" or \"fast\"")


def in_few_dimensions(taken, views, axes, name="a"):
    """The core's views, with merged dimensions if there are more than the C library takes, and the mask of the reduced
    ones."""
    if len(taken.shape) <= _axes.MOST_DIMENSIONS:
        return views, sum(1 << d for d in axes)
    shape, strides, mask = _axes.collapse(taken.shape, [view.strides for view in views], axes)
    if len(shape) > _axes.MOST_DIMENSIONS:
        raise NotImplementedError(f"'{name}' has {len(shape)} dimensions that do not merge: wavefold takes "
                                  f"{_axes.MOST_DIMENSIONS}; copy it into C order, or reduce it in two steps")
    return [view.with_shape(shape, of) for view, of in zip(views, strides)], mask


def mask_of(taken, where):
    """The core's view of a mask, broadcast to the array's shape."""
    if where is True or where is None:
        return None
    mask = _inputs.same_library(taken, where, "where")
    if mask.type != "bool":
        raise TypeError(f"'where' has elements of type {_types.NAMES[mask.type]}: it must be an array of bool")
    if mask.shape != taken.shape:
        try:
            value = mask.library.broadcast_to(mask.value, taken.shape)
        except (ValueError, RuntimeError) as error:
            raise ValueError(f"'where' has the shape {mask.shape}, which does not broadcast to "
                             f"{taken.shape}") from error
        mask = _inputs.again(mask, value, "where")
    return mask.array


def converted(taken, type_, name):
    """The array with elements of another type, as NumPy converts them before it adds: a copy, on the CPU alone."""
    if taken.array.backend != 0:
        raise BufferError(f"'{name}' has elements of {_types.NAMES[taken.type]}, which would have to be copied as "
                          f"{_types.NAMES[type_]}: convert it first")
    return _inputs.again(taken, taken.library.cast(taken.library.contiguous(taken.value), type_), name)


def run(taken, op, *, accumulator="", accuracy="exact", axes, second=None, is_mask=True, final=None, trailing=()):
    """Reduces, and returns an array of the library's of the shape of the kept dimensions (and trailing ones).

    final: the type of the result's elements, if it is not the C library's.
    """
    array = taken.array
    views, mask = in_few_dimensions(taken, [array] if second is None else [array, second], axes)
    type_, written = array.type.replace("bool", "u8"), None
    written = final if trailing else _core.result_info(type_, op, accumulator, accuracy)[0]
    final = final or written
    if array.type == "bool" and final == "bool":
        stored = "bool" if second is None else "u8"  # min of nothing is 255, which is no bool
    elif _types.BYTES[final] == _types.BYTES[written] and not _types.is_float(final):
        stored = final  # u64 as i64: the same bits
    else:
        stored = written
    shape = _axes.result_shape(taken.shape, axes, False)
    result = taken.library.empty(shape + trailing, stored, taken.value)
    out = taken.library.import_array(result, "out")
    _core.reduce(views[0], op, accumulator, accuracy, mask, views[1] if second is not None else None, is_mask, out,
                 taken.library.stream(array))
    return result if stored == final else taken.library.cast(result, final)


def count_of(taken, mask, axes):
    """How many elements of each row a mask takes, as int64."""
    return run(_inputs.Taken(taken.library, taken.value, mask), "sum", accumulator="u64", axes=axes, final="i64")


def finish(taken, result, axes, keepdims, out):
    """Puts kept dimensions back, writes into out, makes numbers of NumPy's results without dimensions."""
    if keepdims:
        result = result.reshape(_axes.result_shape(taken.shape, axes, True))
    if out is not None:
        if type(out) is not type(result) and _inputs.library_of(out) is not taken.library:
            raise TypeError(f"'out' is a {type(out).__name__}: it must be an array of the library of 'a'")
        return taken.library.copy_to(out, result)
    return taken.library.finish(result)


def require_elements(taken, axes, op):
    """NumPy's ValueError for extremes of nothing."""
    if prod(taken.shape[d] for d in axes) == 0:
        if op in ("argmin", "argmax"):
            raise ValueError(f"attempt to get {op} of an empty sequence")
        raise ValueError(f"zero-size array to reduction operation {EXTREMES[op]} which has no identity")


def reduce_sum(a, op, axis, dtype, out, keepdims, where, accuracy, initial=None, name="a"):
    """sum, mean, product, asum and sumsq, in NumPy's types."""
    check_accuracy(accuracy)
    taken = a if isinstance(a, _inputs.Taken) else _inputs.take(a, name)
    mask = mask_of(taken, where)
    wanted = _types.named(dtype) if dtype is not None else None
    if wanted is not None and _types.is_float(wanted) != _types.is_float(taken.type) and (
            taken.type in ("i64", "u64") or not _types.is_float(wanted)):
        taken = converted(taken, wanted, name)
    axes = _axes.normalise(axis, len(taken.shape))
    if op == "mean":
        final = wanted or (taken.type if _types.is_float(taken.type) else "f64")
    else:
        final = wanted or _types.wide(taken.type)
    result = run(taken, op, accumulator=_types.accumulator(taken.type, op, final), accuracy=accuracy, axes=axes,
                 second=mask, final=final)
    if initial is not None:
        result = taken.library.combine(op, result, initial, final)
    return finish(taken, result, axes, keepdims, out)


def reduce_extreme(a, op, axis, out, keepdims, initial, where, name="a"):
    taken = _inputs.take(a, name)
    mask = mask_of(taken, where)
    axes = _axes.normalise(axis, len(taken.shape))
    if initial is None:
        require_elements(taken, axes, op)
    result = run(taken, op, axes=axes, second=mask, final=taken.type)
    if initial is not None:
        result = taken.library.combine(op, result, initial, taken.type)
    return finish(taken, result, axes, keepdims, out)
