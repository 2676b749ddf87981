"""Arrays of any library, taken in: which library's they are, and the core's view of their memory."""
import sys

from wavefold import _core, _libraries


class Taken:
    """An array that came in: its library, what that library has (value), and the core's view of it (array)."""
    __slots__ = ("library", "value", "array")

    def __init__(self, library, value, array):
        self.library, self.value, self.array = library, value, array

    @property
    def type(self):
        return self.array.type

    @property
    def shape(self):
        return self.array.shape


def take(value, name="a"):
    """Takes an array in. Raises TypeError for what is none, BufferError for memory that would have to be copied."""
    library = library_of(value)
    if library is not None:
        return Taken(library, value, library.import_array(value, name))
    return _foreign(value, name)


def again(taken, value, name):
    """Another array of the library that the first one came from, whose arrays results shall be."""
    return Taken(taken.library, value, taken.library.import_array(value, name))


_by_type = {}  # the libraries of types that came in before


def library_of(value):
    """The library whose array a value is; None: another one's, or no array."""
    found = _by_type.get(type(value))
    if found is None:
        found = _find_library(type(value))
        if found is not None:
            _by_type[type(value)] = found
    return found


def _find_library(type_):
    for kind in type_.__mro__:
        root = kind.__module__.partition(".")[0]
        if root == "numpy" and kind.__name__ == "ndarray":
            return _libraries.named("numpy")
        if root == "torch" and kind.__name__ == "Tensor":
            return _libraries.named("torch")
        if root == "cupy" and kind.__name__ == "ndarray":
            return _libraries.named("cupy")
        if root in ("jax", "jaxlib") and kind.__name__ in ("ArrayImpl", "Array", "Tracer"):
            return _libraries.named("jax")
    return None


def _foreign(value, name):
    numpy = _libraries.named("numpy")
    if isinstance(value, (int, float, list, tuple)) or type(value).__module__ == "numpy":
        return _of_numpy(numpy, numpy.module.asarray(value), name)
    if hasattr(value, "__cuda_array_interface__"):
        return _of_gpu(value, name)
    if hasattr(value, "__dlpack__"):
        if value.__dlpack_device__()[0] not in (1, 3, 11):
            return _of_gpu(value, name)
        return _of_numpy(numpy, numpy.module.from_dlpack(value), name)
    if isinstance(value, str):
        raise TypeError(f"'{name}' is a str, not an array of numbers")
    try:
        return _of_numpy(numpy, numpy.module.asarray(value if hasattr(value, "__array_interface__")
                                                     else memoryview(value)), name)
    except TypeError as error:
        raise TypeError(f"'{name}' is a {type(value).__name__}: {error}; wavefold takes arrays with __dlpack__, "
                        "__cuda_array_interface__, __array_interface__ or the buffer protocol") from None


def _of_numpy(numpy, value, name):
    return Taken(numpy, value, numpy.import_array(value, name))


def _of_gpu(value, name):
    """Memory on a GPU of a library that cannot allocate results for us: seen through CuPy or torch, without a copy."""
    for root, view in (("cupy", lambda module: module.asarray(value) if hasattr(value, "__cuda_array_interface__")
                        else module.from_dlpack(value)),
                       ("torch", lambda module: module.as_tensor(value) if hasattr(value, "__cuda_array_interface__")
                        else module.from_dlpack(value))):
        if root in sys.modules:
            library = _libraries.named(root)
            seen = view(sys.modules[root])
            return Taken(library, seen, library.import_array(seen, name))
    raise BufferError(f"'{name}' is a {type(value).__name__} on a GPU, and neither CuPy nor torch is imported to hold "
                      "results: import one of them")


def same_library(taken, value, name):
    """Takes a second array in, which belongs to a first one: of its library, on its device."""
    other = take(value, name)
    if (other.array.backend, other.array.ordinal) != (taken.array.backend, taken.array.ordinal):
        raise ValueError(f"'{name}' is on another device: move both arrays to one")
    return other
