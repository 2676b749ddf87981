"""bincount, histogram and scatter_add."""
from wavefold import _core, _extremes, _inputs, _reduce, _types


def _indices(x, name):
    taken = _inputs.take(x, name)
    if _types.is_float(taken.type) or taken.type == "bool":
        raise TypeError(f"'{name}' has elements of type {_types.NAMES[taken.type]}: it must be an array of integers")
    if len(taken.shape) != 1:
        raise ValueError(f"'{name}' has {len(taken.shape)} dimensions: it must have one")
    return _contiguous(taken, name)


def _contiguous(taken, name):
    if taken.array.is_contiguous:
        return taken
    if taken.array.backend != 0:
        raise BufferError(f"'{name}' has gaps, and would have to be copied: make it contiguous")
    return _inputs.again(taken, taken.library.contiguous(taken.value), name)


def _values(indices, values, name):
    taken = _contiguous(_inputs.same_library(indices, values, name), name)
    if taken.shape != indices.shape:
        raise ValueError(f"'{name}' has the shape {taken.shape}, but there are {indices.shape[0]} indices")
    return taken


def bincount(x, weights=None, minlength=0, *, accuracy="exact"):
    """How often each number from 0 on stands in x, or the sum of its weights, each sum exact and rounded once.

    x: integers of one dimension, none negative. weights: floats (integers become float64 on the CPU); the result is
    float64, else int64. It has max(x) + 1 elements, at least minlength: finding the greatest waits for the device.
    Raises ValueError for a negative number, TypeError for floats in x.

    >>> import numpy, wavefold
    >>> wavefold.bincount(numpy.array([0, 2, 2, 5]))
    array([1, 0, 2, 0, 0, 1])
    """
    _reduce.check_accuracy(accuracy)
    taken = _indices(x, "x")
    bins = int(minlength)
    if bins < 0:
        raise ValueError(f"minlength={minlength}: it must not be negative")
    if taken.shape[0] != 0:
        least, greatest = (int(extreme) for extreme in _extremes.minmax(x))
        if least < 0:
            raise ValueError(f"'x' has the element {least}: none may be negative")
        bins = greatest + 1 if greatest >= bins else bins
    if weights is None:
        return _scatter(taken, None, bins, "i64", "", accuracy, None)
    of = _values(taken, weights, "weights")
    if not _types.is_float(of.type):
        of = _reduce.converted(of, "f64", "weights")
    return _scatter(taken, of, bins, "f64", "" if of.type == "f64" else "f64", accuracy, None)


def scatter_add(indices, values, bins=None, *, onto=None, accuracy="exact"):
    """Adds each values[i] to bin indices[i]. Sums are exact: rounded once, with the same bits for any order.

    indices: integers of one dimension; those outside of the bins are left out. values: as many numbers.
    bins: how many bins there are, which begin as 0. onto: in place of it an array of values' type, whose elements the
    sums begin with; it is not changed. Returns an array with an element for each bin, of values' type, or int64 and
    uint64 for integers without onto. Raises TypeError and ValueError for arrays that do not fit.

    >>> import numpy, wavefold
    >>> wavefold.scatter_add(numpy.array([1, 0, 1]), numpy.array([1e16, 5.0, 1.0]), 3)
    array([5.e+00, 1.e+16, 0.e+00])
    """
    _reduce.check_accuracy(accuracy)
    if (bins is None) == (onto is None):
        raise TypeError("scatter_add takes either bins or onto")
    taken = _indices(indices, "indices")
    of = _values(taken, values, "values")
    if of.type == "bool":
        raise TypeError("'values' has elements of type bool: use bincount, or convert it")
    if onto is None:
        if bins < 0:
            raise ValueError(f"bins={bins}: it must not be negative")
        final = _types.wide(of.type)
        return _scatter(taken, of, bins, final, "" if _types.is_float(final) else final, accuracy, None)
    begin = _inputs.same_library(taken, onto, "onto")
    if begin.type != of.type or len(begin.shape) != 1:
        raise ValueError("'onto' must have one dimension, and elements of the type of 'values'")
    if of.type in ("i8", "i16", "u8", "u16") or (accuracy == "fast" and of.type in ("f16", "bf16")):
        raise NotImplementedError(f"'onto' of {_types.NAMES[of.type]}: sums have another type; use bins, and add them")
    return _scatter(taken, of, begin.shape[0], of.type, "", accuracy, onto)


def _scatter(indices, values, bins, type_, accumulator, accuracy, onto):
    library = indices.library
    if onto is not None:
        result = library.copy(onto)
    else:
        result = library.empty((bins,), type_, indices.value)
    # Fast sums of small floats are float32.
    _core.scatter(indices.array, values.array if values else None, "sum", accumulator, accuracy, onto is not None,
                  False, library.import_array(result, "out"), library.stream(indices.array))
    return library.finish(result)


def histogram(a, bins=10, range=None, density=None, weights=None, *, accuracy="exact"):
    """Counts of the elements that lie between edges, and the edges, as NumPy's: the last bin has both its edges.

    a: numbers of any shape. bins: how many bins of one width between the extremes (or range), or their edges, or for
    NumPy a method's name that numpy.histogram_bin_edges takes. density: counts are divided by their sum and the widths.
    weights: numbers that are added (exactly) in place of 1. Returns (counts, edges). Edges are found with the library's
    searchsorted; for bins without edges the extremes are read back, which waits for the device.
    Raises ValueError for edges that decrease, and for a range that is not finite.

    >>> import numpy, wavefold
    >>> wavefold.histogram(numpy.array([1.0, 2.0, 1.0, 4.0]), bins=[0.0, 2.0, 4.0])
    (array([2, 2]), array([0., 2., 4.]))
    """
    _reduce.check_accuracy(accuracy)
    taken = _inputs.take(a)
    library = taken.library
    if library.name not in ("numpy", "torch", "cupy"):
        raise NotImplementedError(f"histogram of arrays of {library.name}: pass numpy.asarray(a)")
    value = taken.value
    if taken.type == "bool":
        value = library.cast(value, "u8")
    value = value.reshape(-1)
    edges = _edges(library, value, bins, range)
    weighs = None
    if weights is not None:
        weighs = _inputs.same_library(taken, weights, "weights")
        if weighs.shape != taken.shape:
            raise ValueError(f"'weights' has the shape {weighs.shape}, but 'a' has {taken.shape}")
        weighs = weighs.value.reshape(-1)
    count = len(edges) - 1
    places = library.searchsorted(edges, value) - 1
    places[value == edges[-1]] = count - 1
    places[(value < edges[0]) | (value > edges[-1]) | (value != value)] = -1
    of = None
    indices = _inputs.take(places)
    if weighs is not None:
        of = _contiguous(_inputs.take(weighs, "weights"), "weights")
        if not _types.is_float(of.type):
            of = _reduce.converted(of, "f64", "weights")
    counts = _scatter(indices, of, count, "i64" if of is None else "f64",
                      "" if of is None or of.type == "f64" else "f64", accuracy, None)
    if density:
        widths = edges[1:] - edges[:-1]
        counts = counts / widths / counts.sum()
    return counts, edges


def _edges(library, value, bins, between):
    module = library.module
    if isinstance(bins, str):
        if library.name != "numpy":
            raise NotImplementedError(f"bins={bins!r} of arrays of {library.name}: pass a number of bins, or edges")
        return module.histogram_bin_edges(value, bins, between)
    if not isinstance(bins, int):
        edges = bins if _inputs.library_of(bins) is library else library.module.asarray(bins)
        if edges.ndim != 1 or bool((edges[1:] < edges[:-1]).any()):
            raise ValueError("'bins' must have one dimension, and must not decrease")
        return edges
    if bins < 1:
        raise ValueError(f"bins={bins}: there must be one at least")
    if between is not None:
        least, greatest = between
    elif value.shape[0] == 0:
        least, greatest = 0, 1
    else:
        least, greatest = (extreme.item() for extreme in _extremes.minmax(value))
    if not (abs(least) < float("inf") and abs(greatest) < float("inf")):
        raise ValueError(f"the range from {least} to {greatest} is not finite: pass range")
    if least > greatest:
        raise ValueError(f"range=({least}, {greatest}): the first must not be greater")
    if least == greatest:
        least, greatest = least - 0.5, greatest + 0.5
    type_ = library.types.get(value.dtype)
    edge = library.dtype(type_ if type_ in ("f32", "f64") else "f64")
    if library.name == "torch":
        return module.linspace(least, greatest, bins + 1, dtype=edge, device=value.device)
    return module.linspace(least, greatest, bins + 1, dtype=edge)
