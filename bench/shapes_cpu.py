"""The sides of bench/shapes.py on a CPU: wavefold, NumPy and torch."""
import concurrent.futures
import time

import numpy
from about import cpu_and_cores
from shapes_sides import WAVEFOLD, Missing, Side, Timer, Wavefold

try:
    import torch
except ImportError:
    torch = None

# bf16 as its bits: NumPy has no such type.
NUMPY_NAMES = {"f32": "float32", "f64": "float64", "bf16": "uint16", "i32": "int32", "u8": "uint8", "u64": "uint64"}
TORCH_SUMS = {"f32": "float32", "f64": "float64", "bf16": "bfloat16", "i32": "int32", "u8": "int64"}
BATCH_BYTES = 1 << 20  # small arrays are reduced several times between two looks at the clock
COPIED_BYTES = 512 << 20


def widened(array):
    """Elements of bf16, from their bits, as f32."""
    return (array.astype(numpy.uint32) << 16).view(numpy.float32)


class Cpu:
    kind = "cpu"
    time = "Time of calls; small arrays are up to 64 in turn, which caches may hold"

    def __init__(self, library):
        self.wavefold = Wavefold(library, "host")
        self.device, self.cores = cpu_and_cores()
        self.peers, self.missing = {WAVEFOLD: self.wavefold.version, "NumPy": numpy.__version__}, {}
        self.sides = {WAVEFOLD: self.side_of_wavefold, "NumPy": self.side_of_numpy}
        if torch is None:
            self.missing["torch"] = "not installed"
        else:
            self.peers["torch"] = torch.__version__
            self.sides["torch"] = self.side_of_torch

    # ---- Data --------------------------------------------------------------------------------------------------------

    def fill(self, kind, size):
        """Integers from their whole range, floats from [-1, 1). A block of random elements is repeated."""
        random = numpy.random.default_rng(1)
        dtype = numpy.dtype(NUMPY_NAMES[kind])
        count = -(-size // dtype.itemsize)
        block_length = min(count, (1 << 20) - 3)
        if kind in ("i32", "u8"):
            limits = numpy.iinfo(dtype)
            block = random.integers(limits.min, limits.max, block_length, dtype, endpoint=True)
        else:
            block = random.random(block_length) * 2 - 1
            block = (block.astype(numpy.float32).view(numpy.uint32) >> 16 if kind == "bf16" else block).astype(dtype)
        self.pool = numpy.resize(block, count)

    def arrays(self, cell):
        places = min(max(self.pool.size // cell.elements, 1), 64)
        return [self.pool[i * cell.elements:(i + 1) * cell.elements].reshape(cell.rows, cell.columns)
                for i in range(places)]

    # ---- Sides -------------------------------------------------------------------------------------------------------

    def side_of_wavefold(self, cell):
        reduce = self.wavefold.reduction(cell)
        results = numpy.full(cell.results * self.wavefold.result_bytes(cell), 255, numpy.uint8)
        address = results.ctypes.data

        def launch(array):
            reduce(array.ctypes.data, address)
            return results

        def values(found):
            if cell.operator == "argmax":
                return found.view(numpy.uint64)[1::2]  # the index stands 8 bytes behind the value
            return self.number(cell, found.view(NUMPY_NAMES[cell.result_type]))
        return Side(launch, values)

    def number(self, cell, values):
        return widened(values) if cell.type == "bf16" else values

    def side_of_numpy(self, cell):
        if cell.type == "bf16":
            raise Missing("has no bf16")
        axis, dtype = cell.axis, NUMPY_NAMES[cell.result_type]
        launch = {"sum": lambda array: numpy.add.reduce(array, axis, dtype),
                  "max": lambda array: numpy.maximum.reduce(array, axis),
                  "argmax": lambda array: array.argmax(axis)}[cell.operator]
        return Side(launch, lambda found: found)

    def side_of_torch(self, cell):
        axis, dtype = cell.axis, getattr(torch, TORCH_SUMS[cell.type])
        call = {"sum": lambda array: torch.sum(array, dim=axis, dtype=dtype),
                "max": lambda array: torch.amax(array, dim=axis),
                "argmax": lambda array: torch.argmax(array, dim=axis)}[cell.operator]
        is_bits = cell.type == "bf16"

        def launch(array):
            tensor = torch.from_numpy(array.view(numpy.int16) if is_bits else array)
            return call(tensor.view(torch.bfloat16) if is_bits else tensor)

        def values(found):
            return (found.float() if found.dtype == torch.bfloat16 else found).numpy()
        return Side(launch, values)

    # ---- Results -----------------------------------------------------------------------------------------------------

    def reference(self, cell, array):
        return numpy.add.reduce(self.number(cell, array), cell.axis, numpy.float64)

    def agree(self, found, reference, absolute, relative):
        if absolute == 0:
            return numpy.array_equal(found, reference)
        error = numpy.abs(found.astype(numpy.float64) - reference)
        return bool((error <= absolute + relative * numpy.abs(reference)).all())

    # ---- Time --------------------------------------------------------------------------------------------------------

    def seconds_of_a_call(self, launch, array):
        begin = time.perf_counter_ns()
        launch(array)
        return 1e-9 * (time.perf_counter_ns() - begin)

    def timer(self, launch, arrays, cell):
        """Each call reads the next array."""
        calls = min(max(BATCH_BYTES // cell.array_bytes, 1), 64)
        place = 0

        def seconds():
            nonlocal place
            begin = time.perf_counter_ns()
            for _ in range(calls):
                place = (place + 1) % len(arrays)
                launch(arrays[place])
            return 1e-9 * (time.perf_counter_ns() - begin) / calls
        return Timer(seconds)

    def forget_cell(self):
        pass

    def copy_speed(self, repetitions):
        """Bytes read and written in a second by copies of one part for each core: samples."""
        source, target = (numpy.zeros(COPIED_BYTES, numpy.uint8) for _ in range(2))
        parts = list(zip(*(numpy.array_split(array, self.cores) for array in (target, source))))
        samples = []
        with concurrent.futures.ThreadPoolExecutor(self.cores) as threads:
            for _ in range(repetitions + 1):
                begin = time.perf_counter_ns()
                list(threads.map(lambda part: numpy.copyto(*part), parts))
                samples.append(2e9 * source.nbytes / (time.perf_counter_ns() - begin))
        return samples[1:]
