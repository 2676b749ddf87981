"""The sides of bench/shapes.py on an NVIDIA GPU: wavefold, torch, CuPy and CUB, all on one stream of torch's."""
import ctypes

from about import cub_version
from shapes_sides import OPERATORS, ROWS, TYPES, WAVEFOLD, Missing, Side, Timer, Wavefold

try:
    import torch
except ImportError:
    torch = None
try:
    import cupy
except Exception:  # CuPy without its CUDA libraries raises more than ImportError
    cupy = None

TORCH_NAMES = {"f32": "float32", "f64": "float64", "bf16": "bfloat16", "i32": "int32", "u8": "uint8", "u64": "int64"}
CUPY_NAMES = {"f32": "float32", "f64": "float64", "i32": "int32", "u8": "uint8", "u64": "uint64"}
CALLS = range(2, 65)  # of a graph
GRAPH_BYTES = 1 << 30  # that the calls of a graph read
BLOCK = 4096  # arrays of a pool begin at multiples of it
FLUSHED_BYTES = 512 << 20  # more than the caches of any GPU today hold
COPIED_BYTES = 1 << 30


def is_there():
    return torch is not None and torch.cuda.is_available()


def dtype_of(name):
    return getattr(torch, TORCH_NAMES[name])


def captured(queue):
    """A graph of the calls that queue() queues."""
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    graph.capture_begin(capture_error_mode="relaxed")  # CuPy may take memory from the driver
    try:
        queue()
    finally:
        graph.capture_end()
    return graph


class Gpu:
    kind = "gpu"
    time = "Device time of calls in a CUDA graph, on data that no cache holds"

    def __init__(self, library, peers):
        self.stream = torch.cuda.Stream()
        torch.cuda.set_stream(self.stream)
        self.wavefold = Wavefold(library, f"nvidia:{torch.cuda.current_device()}")
        self.device = torch.cuda.get_device_name()
        self.other = torch.zeros(FLUSHED_BYTES // 4, device="cuda")
        self.peers, self.missing = {WAVEFOLD: self.wavefold.version, "torch": torch.__version__}, {}
        self.sides = {WAVEFOLD: self.side_of_wavefold, "torch": self.side_of_torch}
        self.add_cupy()
        self.add_cub(peers)

    def add_cupy(self):
        if cupy is None:
            self.missing["CuPy"] = "not installed, or not loaded"
            return
        self.peers["CuPy"] = cupy.__version__
        self.sides["CuPy"] = self.side_of_cupy

    def add_cub(self, path):
        try:
            self.cub = ctypes.CDLL(str(path))
        except OSError as error:
            self.missing["CUB"] = f"{error}: build bench-shapes, or name it with --peers"
            return
        self.cub.bench_shapes_error.restype = ctypes.c_char_p
        self.cub.bench_shapes_argmax_bytes.restype = ctypes.c_size_t
        self.cub.bench_shapes_reduce_rows.argtypes = [ctypes.c_int] * 3 + [ctypes.c_void_p] * 4 + [
            ctypes.c_int64] * 2 + [ctypes.c_void_p]
        self.peers["CUB"] = cub_version(self.cub.bench_shapes_cub_version())
        self.sides["CUB fixed"] = lambda cell: self.side_of_cub(cell, True)
        self.sides["CUB offsets"] = lambda cell: self.side_of_cub(cell, False)

    # ---- Data --------------------------------------------------------------------------------------------------------

    def fill(self, kind, size):
        """Integers from their whole range, floats from [-1, 1)."""
        self.pool = None  # the old one is freed first
        random = torch.Generator(device="cuda").manual_seed(1)
        element, options = TYPES[kind][1], {"device": "cuda", "generator": random}
        count = -(-size // element)
        if kind in ("i32", "u8"):
            low, high = (-2**31, 2**31) if kind == "i32" else (0, 256)
            self.pool = torch.randint(low, high, (count,), dtype=dtype_of(kind), **options)
        elif kind == "bf16":
            self.pool = torch.empty(count, dtype=dtype_of(kind), device="cuda").uniform_(-1, 1, generator=random)
        else:
            self.pool = torch.rand(count, dtype=dtype_of(kind), **options).mul_(2).sub_(1)

    def arrays(self, cell):
        element = TYPES[cell.type][1]
        apart = -(-cell.array_bytes // BLOCK) * BLOCK // element
        places = min(max(self.pool.numel() // apart, 1), CALLS[-1])
        return [self.pool[i * apart:i * apart + cell.elements].view(cell.rows, cell.columns) for i in range(places)]

    # ---- Sides -------------------------------------------------------------------------------------------------------

    def side_of_wavefold(self, cell):
        handle = self.stream.cuda_stream
        reduce = self.wavefold.reduction(cell, handle)
        results = torch.full((cell.results * self.wavefold.result_bytes(cell),), 255, dtype=torch.uint8, device="cuda")

        def launch(array):
            reduce(array.data_ptr(), results.data_ptr())
            return results

        def values(found):
            is_indexed = cell.operator == "argmax"  # the index stands 8 bytes behind the value
            return found.view(torch.int64)[1::2] if is_indexed else found.view(dtype_of(cell.result_type))
        return Side(launch, values)

    def side_of_torch(self, cell):
        """Sums in wavefold's result type. Without dtype, torch gives i64 for i32 and for u8."""
        axis, dtype = cell.axis, dtype_of(cell.result_type)
        launch = {"sum": lambda array: torch.sum(array, dim=axis, dtype=dtype),
                  "max": lambda array: torch.amax(array, dim=axis),
                  "argmax": lambda array: torch.argmax(array, dim=axis)}[cell.operator]
        return Side(launch, lambda found: found)

    def side_of_cupy(self, cell):
        if cell.type not in CUPY_NAMES:
            raise Missing(f"has no {cell.type}")
        axis, dtype, stream = cell.axis, CUPY_NAMES[cell.result_type], cupy.cuda.ExternalStream(self.stream.cuda_stream)
        call = {"sum": lambda array: array.sum(axis=axis, dtype=dtype), "max": lambda array: array.max(axis=axis),
                "argmax": lambda array: array.argmax(axis=axis)}[cell.operator]

        def launch(array):
            with stream:
                return call(cupy.asarray(array))

        def values(found):
            return torch.as_tensor(found.view("int64") if found.dtype == "uint64" else found, device="cuda")
        return Side(launch, values)

    def side_of_cub(self, cell, is_fixed):
        if cell.axis != ROWS:
            raise Missing("reduces rows only")
        results = self.results_of_cub(cell)
        size = ctypes.c_size_t()

        def call(temporary, array):
            status = self.cub.bench_shapes_reduce_rows(OPERATORS[cell.operator], cell.number_of_type, is_fixed,
                                                       temporary, ctypes.addressof(size), array, results.data_ptr(),
                                                       cell.rows, cell.columns, self.stream.cuda_stream)
            if status != 0:
                raise Missing(self.cub.bench_shapes_error(status).decode())

        call(None, None)
        temporary = torch.empty(max(size.value, 1), dtype=torch.uint8, device="cuda")

        def launch(array):
            call(temporary.data_ptr(), array.data_ptr())
            return results

        def values(found):
            return found.view(cell.results, -1)[:, 0].long() if cell.operator == "argmax" else found
        return Side(launch, values)

    def results_of_cub(self, cell):
        """Of argmax as words of 32 bits, the first of which is the index."""
        if cell.operator != "argmax":
            return torch.empty(cell.results, dtype=dtype_of(cell.result_type), device="cuda")
        words = self.cub.bench_shapes_argmax_bytes(cell.number_of_type) // 4
        return torch.full((cell.results * words,), -1, dtype=torch.int32, device="cuda")

    # ---- Results -----------------------------------------------------------------------------------------------------

    def reference(self, cell, array):
        return torch.sum(array, dim=cell.axis, dtype=torch.float64)

    def agree(self, found, reference, absolute, relative):
        if absolute == 0:
            return torch.equal(found, reference)
        error = (found.double() - reference).abs_()
        return bool((error <= absolute + relative * reference.abs()).all())

    # ---- Time --------------------------------------------------------------------------------------------------------

    def seconds_of(self, queue, calls):
        """Of one of the calls that queue() queues, on data that no cache holds. The host queues them while the GPU
        reads other memory, so that the GPU does not wait for the host."""
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.other.sum()
        begin.record()
        queue()
        end.record()
        end.synchronize()
        return 1e-3 * begin.elapsed_time(end) / calls

    def seconds_of_a_call(self, launch, array):
        return self.seconds_of(lambda: launch(array), 1)

    def timer(self, launch, arrays, cell):
        """A graph of several calls, each of the next array. Calls that cannot be captured are queued one by one."""
        calls = min(max(GRAPH_BYTES // cell.array_bytes, CALLS[0]), CALLS[-1])
        last_result = []

        def queue():
            for k in range(calls):
                last_result[:] = [launch(arrays[k % len(arrays)])]

        try:
            graph = captured(queue)
        except RuntimeError:
            queue()  # a failure is reported here, not while the sides take turns
            return Timer(lambda: self.seconds_of(queue, calls), "timed without a graph")

        def seconds(written_by_the_graph=last_result):
            return self.seconds_of(graph.replay, calls)
        return Timer(seconds)

    def forget_cell(self):
        """After the graphs of a cell are gone."""
        torch.cuda.synchronize()
        self.wavefold.forget(self.stream.cuda_stream)
        torch.cuda.empty_cache()
        if cupy is not None:
            cupy.get_default_memory_pool().free_all_blocks()

    def copy_speed(self, repetitions):
        """Bytes read and written in a second by copies from device to device: samples."""
        source, target = (torch.zeros(COPIED_BYTES // 4, device="cuda") for _ in range(2))
        samples = [self.seconds_of(lambda: target.copy_(source), 1) for _ in range(repetitions + 1)]
        return [2 * source.nbytes / seconds for seconds in samples[1:]]
