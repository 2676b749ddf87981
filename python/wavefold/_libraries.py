"""The libraries whose arrays come in: where results are allocated, and on which stream work is queued.

Nothing is imported that the caller has not imported, but NumPy for arrays on the CPU of no known library.
"""
import sys

from wavefold import _core, _types

HOST, NVIDIA, AMD = range(3)
_COMBINE = {"sum": "add", "product": "multiply", "min": "minimum", "max": "maximum"}  # of NumPy, torch and CuPy


class Numpy:
    """NumPy, also for other arrays in host memory."""
    name = "numpy"

    def __init__(self):
        try:
            import numpy
        except ImportError as error:
            raise ImportError("results of this array are NumPy's: pip install numpy") from error
        self.module = numpy
        self.types = {numpy.dtype(name): type_ for type_, name in _types.NAMES.items() if type_ != "bf16"}
        scalars = {type_: dtype.type for dtype, type_ in self.types.items()}
        _core.know_numpy(numpy.ndarray, scalars)

    def dtype(self, type_):
        if type_ == "bf16":
            import ml_dtypes
            return self.module.dtype(ml_dtypes.bfloat16)
        return self.module.dtype(_types.NAMES[type_])

    def empty(self, shape, type_, like):
        return self.module.empty(shape, self.dtype(type_))

    def stream(self, array):
        return 0

    def wait(self, array):
        """Waits for the work that an array comes from, before a call that blocks reads it in a queue of its own."""

    def import_array(self, value, name):
        """The core's array of an ndarray; arrays in the other byte order, or with odd strides, are copied."""
        numpy = self.module
        if type(value) is not numpy.ndarray and isinstance(value, numpy.ma.MaskedArray):
            raise TypeError(f"'{name}' is a masked array: pass its data, and where=~numpy.ma.getmaskarray({name})")
        type_ = self.types.get(value.dtype)
        if type_ is None:
            if not value.dtype.isnative:
                value = value.astype(value.dtype.newbyteorder("="))
            type_ = "bf16" if value.dtype.name == "bfloat16" else self.types.get(value.dtype)
        if type_ is None:
            raise TypeError(f"'{name}' has elements of type {value.dtype}, which wavefold does not have: "
                            f"{_types.TAKEN}")
        if not value.flags.forc:
            size = value.itemsize
            if not value.flags.aligned or any(s % size for s, n in zip(value.strides, value.shape) if n > 1):
                value = value.copy()
        elif not value.flags.aligned:
            value = value.copy()
        if type_ == "bf16":
            return _core.from_buffer(value.view(numpy.uint16)).as_type("bf16")
        return _core.from_buffer(value)

    def cast(self, array, type_):
        with self.module.errstate(all="ignore"):
            return array.astype(self.dtype(type_))

    def finish(self, result):
        """Numbers, not arrays without dimensions."""
        return result[()] if result.ndim == 0 else result

    def copy_to(self, out, result):
        if out.shape != result.shape:
            raise ValueError(f"'out' has the shape {out.shape}, but the result has {result.shape}")
        self.module.copyto(out, result, casting="same_kind")
        return out

    def copy(self, array):
        """In C order and in this machine's byte order."""
        return self.module.array(array, dtype=array.dtype.newbyteorder("="), order="C", copy=True)

    def contiguous(self, array):
        return self.module.ascontiguousarray(array)

    def broadcast_to(self, array, shape):
        return self.module.broadcast_to(array, shape)

    def nonzero(self, array):
        return array != 0

    def merge_equal(self, keys):
        """Makes -0 to 0, and every NaN to one. By their bits: CuPy's arithmetic takes subnormal numbers as 0."""
        size = keys.dtype.itemsize
        bits = keys.view(f"u{size}")
        bits[bits == 1 << (8 * size - 1)] = 0
        keys[keys != keys] = float("nan")

    def searchsorted(self, edges, values):
        return self.module.searchsorted(edges, values, side="right")

    def combine(self, op, result, initial, type_):
        """A result, combined with a number that becomes one of the type first, as NumPy's initial does."""
        with self.module.errstate(all="ignore"):
            return getattr(self.module, _COMBINE[op])(result, self.module.full((), initial, self.dtype(type_)))

    def distances(self, array, centre):
        """array - centre as float64."""
        module = self.module
        with module.errstate(all="ignore"):
            return module.asarray(module.subtract(module.asarray(array).astype("f8"), module.asarray(centre)))

    def ratio(self, x, y):
        """x / y, and NaN where y is not positive."""
        with self.module.errstate(all="ignore"):
            return x / self.module.where(y > 0, y, float("nan"))

    def moved_last(self, array, axis):
        return self.module.moveaxis(array, axis, -1)

    def moved_back(self, array, axis):
        return self.module.moveaxis(array, -1, axis)


class Torch:
    """torch, on the CPU and on GPUs."""
    name = "torch"

    def __init__(self):
        self.module = torch = sys.modules["torch"]
        self.types = {getattr(torch, name): type_ for type_, name in _types.NAMES.items() if hasattr(torch, name)}
        self.dtypes = {type_: dtype for dtype, type_ in self.types.items()}
        self.backend = AMD if getattr(torch.version, "hip", None) else NVIDIA
        api = getattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
        if api is not None:
            _core.know_torch(torch.Tensor, api)

    def dtype(self, type_):
        return self.dtypes[type_]

    def empty(self, shape, type_, like):
        return self.module.empty(shape, dtype=self.dtypes[type_], device=like.device)

    def stream(self, array):
        return self.module._C._cuda_getCurrentRawStream(array.ordinal) if array.backend != HOST else 0

    def wait(self, array):
        if array.backend != HOST:
            self.module.cuda.current_stream(array.ordinal).synchronize()

    def import_array(self, value, name):
        return _core.array_of_tensor(value) or self._import_slowly(value, name)

    def _import_slowly(self, value, name):
        """Tensors of older versions of torch, and those that must be refused."""
        type_ = self.types.get(value.dtype)
        if type_ is None:
            raise TypeError(f"'{name}' has elements of type {value.dtype}, which wavefold does not have: "
                            f"{_types.TAKEN}")
        device = value.device
        if value.layout != self.module.strided:
            raise TypeError(f"'{name}' is a tensor of layout {value.layout}: wavefold takes strided ones; call "
                            "to_dense")
        if device.type not in ("cpu", "cuda"):
            raise BufferError(f"'{name}' is on the device {device}, which wavefold does not have: move it to the CPU, "
                              "a CUDA or a ROCm device")
        if value.requires_grad:
            value = value.detach()
        if value.is_neg():
            value = value.resolve_neg()
        size = value.element_size()
        return _core.from_address(value.data_ptr(), type_, value.shape, [size * s for s in value.stride()], True,
                                  HOST if device.type == "cpu" else self.backend, device.index or 0, value)

    def cast(self, array, type_):
        return array.to(self.dtypes[type_])

    def finish(self, result):
        return result

    def copy_to(self, out, result):
        if out.shape != result.shape:
            raise ValueError(f"'out' has the shape {tuple(out.shape)}, but the result has {tuple(result.shape)}")
        return out.copy_(result)

    def copy(self, array):
        return array.detach().clone(memory_format=self.module.contiguous_format)

    def contiguous(self, array):
        return array.detach().contiguous()

    def broadcast_to(self, array, shape):
        return array.expand(shape)

    def nonzero(self, array):
        return array != 0

    def merge_equal(self, keys):
        """Makes -0 to 0, and every NaN to one."""
        keys += 0
        keys.masked_fill_(keys != keys, float("nan"))

    def searchsorted(self, edges, values):
        return self.module.searchsorted(edges, values.to(edges.dtype).contiguous(), right=True)

    def combine(self, op, result, initial, type_):
        first = self.module.full((), initial, dtype=self.dtypes[type_], device=result.device)
        return getattr(self.module, _COMBINE[op])(result, first)

    def distances(self, array, centre):
        return array.detach().double() - centre

    def ratio(self, x, y):
        if not isinstance(y, self.module.Tensor):
            return x / (y if y > 0 else float("nan"))
        return x / self.module.where(y > 0, y, float("nan"))

    def moved_last(self, array, axis):
        return array.movedim(axis, -1)

    def moved_back(self, array, axis):
        return array.movedim(-1, axis)


class Cupy(Numpy):
    """CuPy, on GPUs."""
    name = "cupy"

    def __init__(self):
        self.module = cupy = sys.modules["cupy"]
        self.types = {cupy.dtype(name): type_ for type_, name in _types.NAMES.items() if type_ != "bf16"}
        self.backend = AMD if cupy.cuda.runtime.is_hip else NVIDIA

    def empty(self, shape, type_, like):
        with like.device:
            return self.module.empty(shape, self.dtype(type_))

    def stream(self, array):
        stream = self.module.cuda.get_current_stream(array.ordinal)
        return stream.ptr

    def wait(self, array):
        self.module.cuda.get_current_stream(array.ordinal).synchronize()

    def import_array(self, value, name):
        type_ = "bf16" if value.dtype.name == "bfloat16" else self.types.get(value.dtype)
        if type_ is None:
            raise TypeError(f"'{name}' has elements of type {value.dtype}, which wavefold does not have: "
                            f"{_types.TAKEN}")
        if any(s % value.itemsize for s, n in zip(value.strides, value.shape) if n > 1):
            raise BufferError(f"'{name}' has strides that are no multiples of an element: copy it by "
                              "cupy.ascontiguousarray")
        return _core.from_address(value.data.ptr, type_, value.shape, value.strides, True, self.backend,
                                  value.device.id, value)

    def cast(self, array, type_):
        return array.astype(self.dtype(type_))

    def finish(self, result):
        return result

    def nonzero(self, array):
        """By its bits, for CuPy's comparisons take subnormal numbers as 0."""
        if array.dtype.kind not in "fV":
            return array != 0
        return array.view(f"u{array.dtype.itemsize}") << 1 != 0

    def copy_to(self, out, result):
        if out.shape != result.shape:
            raise ValueError(f"'out' has the shape {out.shape}, but the result has {result.shape}")
        self.module.copyto(out, result, casting="same_kind")
        return out

    def distances(self, array, centre):
        return array.astype("f8") - centre

    def ratio(self, x, y):
        return x / self.module.where(self.module.asarray(y) > 0, y, float("nan"))

    def combine(self, op, result, initial, type_):
        with result.device:
            return getattr(self.module, _COMBINE[op])(result, self.module.full((), initial, self.dtype(type_)))


class Jax(Numpy):
    """JAX's arrays on the CPU: results come from NumPy, and become JAX's without their 64 bits unless JAX has them."""
    name = "jax"

    def __init__(self):
        super().__init__()
        self.jax = sys.modules["jax"]

    def import_array(self, value, name):
        if isinstance(value, (self.module.ndarray, self.module.generic)):  # a result, before finish
            return super().import_array(self.module.asarray(value), name)
        if isinstance(value, self.jax.core.Tracer):
            raise TypeError(f"'{name}' is traced by jax.jit, grad or vmap: call the functions of wavefold.jax, or "
                            "others by jax.pure_callback")
        if any(device.platform != "cpu" for device in value.devices()):
            raise BufferError(f"'{name}' is an array of JAX on a GPU: call the functions of wavefold.jax, which queue "
                              f"on JAX's stream; for others pass torch.from_dlpack({name}) or "
                              f"cupy.from_dlpack({name})")
        return super().import_array(self.module.asarray(value), name)

    def finish(self, result):
        return self.jax.numpy.asarray(result)

    def nonzero(self, array):
        return self.module.asarray(array) != 0  # JAX itself takes subnormal numbers as 0

    def copy_to(self, out, result):
        raise TypeError("'out' is an array of JAX, which cannot be written: leave it out")

    def copy(self, array):
        return self.module.array(array, order="C", copy=True)

    def moved_last(self, array, axis):
        return self.module.moveaxis(self.module.asarray(array), axis, -1)


_known = {}


def named(name):
    """The one object of a library, made when the first of its arrays comes in."""
    found = _known.get(name)
    if found is None:
        found = _known[name] = {"numpy": Numpy, "torch": Torch, "cupy": Cupy, "jax": Jax}[name]()
    return found
