"""sort, argsort and topk."""
from collections import namedtuple

from wavefold import _axes, _core, _inputs, _types


class TopK(namedtuple("TopK", "values indices")):
    """The result of topk."""
    __slots__ = ()


def _rows(a, axis, name="a"):
    """The array's library, a copy of it in which the axis is the last one and rows have no gaps, and the axis."""
    taken = _inputs.take(a, name)
    if axis is None:
        value, axis = taken.library.contiguous(taken.value).reshape(-1), 0
    else:
        value, axis = taken.value, _axes.one(axis, len(taken.shape))
    return taken, taken.library.copy(taken.library.moved_last(value, axis)), axis


def _check_kind(kind, order):
    """NumPy's names of algorithms: every sort here is stable, which all of them allow."""
    if kind not in (None, "quicksort", "heapsort", "mergesort", "stable"):
        raise ValueError(f"kind={kind!r}: it is None, \"quicksort\", \"heapsort\", \"mergesort\" or \"stable\"")
    if order is not None:
        raise TypeError(f"order={order!r}: wavefold has no structured arrays")


def sort(a, axis=-1, kind=None, order=None, *, descending=False, stable=True):
    """A sorted copy, along an axis or, for None, of the flattened array. NaN come last; descending: first.

    Of floats -0 comes before 0, and NaN are ordered by their bits. kind, stable: every sort is stable. order: None.
    Raises ValueError for an axis that does not fit, TypeError for elements that wavefold does not have.

    >>> import numpy, wavefold
    >>> wavefold.sort(numpy.array([[3, 1, 2], [6, 5, 4]]))
    array([[1, 2, 3],
           [4, 5, 6]])
    """
    _check_kind(kind, order)
    taken, keys, axis = _rows(a, axis)
    array = taken.library.import_array(keys, "a")
    _core.sort(array, bool(descending), taken.library.stream(array))
    return taken.library.finish(taken.library.moved_back(keys, axis))


def argsort(a, axis=-1, kind=None, order=None, *, descending=False, stable=True):
    """The positions of the elements in sorted order, as int64: stable, as NumPy's with stable=True. Arguments are those
    of sort.

    Zeros of both signs are equal, and all NaN are.

    >>> import numpy, wavefold
    >>> wavefold.argsort(numpy.array([3.0, 1.0, 2.0]))
    array([1, 2, 0])
    """
    _check_kind(kind, order)
    taken, keys, axis = _rows(a, axis)
    return taken.library.finish(taken.library.moved_back(_positions(taken, keys, descending), axis))


def _positions(taken, keys, descending):
    library = taken.library
    if _types.is_float(taken.type):
        library.merge_equal(keys)
    positions = library.empty(tuple(keys.shape), "i64", keys)
    array = library.import_array(keys, "a")
    _core.argsort(array, library.import_array(positions, "out"), bool(descending), library.stream(array))
    return positions


def topk(x, k, axis=-1, *, largest=True):
    """The k greatest (or least) elements along an axis in sorted order, and their indices (int64), as a named tuple.

    Of equal elements the one of the lowest index comes first. NaN count as the greatest, and 0 as greater than -0.
    Raises ValueError for a k that is negative, or longer than the axis.

    >>> import numpy, wavefold
    >>> values, indices = wavefold.topk(numpy.array([3.0, 9.0, 5.0]), 2)
    >>> values, indices
    (array([9., 5.]), array([1, 2]))
    """
    taken, rows, axis = _rows(x, axis, "x")
    library = taken.library
    if not 0 <= k <= rows.shape[-1]:
        raise ValueError(f"k={k}: the axis has {rows.shape[-1]} elements")
    values = library.copy(rows[..., :k])
    positions = library.empty(tuple(values.shape), "i64", rows)
    array = library.import_array(rows, "x")
    _core.top_k(array, bool(largest), library.import_array(values, "values"),
                library.import_array(positions, "indices"), library.stream(array))
    return TopK(library.finish(library.moved_back(values, axis)), library.finish(library.moved_back(positions, axis)))
