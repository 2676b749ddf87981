"""Axes as NumPy names them, and shapes with as few dimensions as they have (the C library takes eight)."""
import operator

MOST_DIMENSIONS = 8


def normalise(axis, dimensions):
    """The axes as sorted numbers from 0; None: all. Raises as NumPy does."""
    if axis is None:
        return tuple(range(dimensions))
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = []
    for one in given:
        number = operator.index(one)
        if not -dimensions <= number < dimensions:
            raise axis_error(number, dimensions)
        found.append(number % dimensions if dimensions else 0)
    if len(set(found)) != len(found):
        raise ValueError(f"axis={axis!r} names an axis twice")
    return tuple(sorted(found))


def one(axis, dimensions):
    """A single axis, as a number from 0."""
    number = operator.index(axis)
    if not -dimensions <= number < dimensions:
        raise axis_error(number, dimensions)
    return number % dimensions


def axis_error(axis, dimensions):
    sentence = f"axis {axis} is out of bounds for array of dimension {dimensions}"
    try:
        from numpy.exceptions import AxisError
        return AxisError(axis, dimensions)
    except ImportError:
        return ValueError(sentence)


def collapse(shape, strides, reduced):
    """Merges neighbouring dimensions that are both kept or both reduced, and lie without gaps in every array.

    strides has a tuple for each array. Returns the shape, the strides of each array, and the mask of reduced
    dimensions.
    """
    kept = []  # (count, strides of the arrays, whether it is reduced), the outermost first
    for d, count in enumerate(shape):
        here = [of[d] for of in strides]
        is_reduced = d in reduced
        if count == 1:
            continue
        if kept:
            outer, outer_strides, outer_reduced = kept[-1]
            if outer_reduced == is_reduced and all(o == i * count for o, i in zip(outer_strides, here)):
                kept[-1] = (outer * count, here, is_reduced)
                continue
        kept.append((count, here, is_reduced))
    mask = sum(1 << d for d, (_, _, is_reduced) in enumerate(kept) if is_reduced)
    return [count for count, _, _ in kept], [[of[k] for _, of, _ in kept] for k in range(len(strides))], mask


def result_shape(shape, axes, keepdims):
    if keepdims:
        return tuple(1 if d in axes else count for d, count in enumerate(shape))
    return tuple(count for d, count in enumerate(shape) if d not in axes)
