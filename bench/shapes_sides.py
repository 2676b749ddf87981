"""What bench/shapes.py measures, on every device: the reductions, wavefold by ctypes, and how sides take turns."""
import ctypes
import math
import typing

WAVEFOLD = "wavefold"
# Name: number in wavefold.h, bytes of an element, roundoff of the type (None: exact).
TYPES = {"f32": (0, 4, 2**-24), "f64": (1, 8, 2**-53), "bf16": (11, 2, 2**-8), "i32": (2, 4, None), "u8": (8, 1, None)}
OPERATORS = {"sum": 0, "max": 2, "argmax": 7}
ROWS, COLUMNS = 1, 0  # the axis that is reduced
PATIENCE = 30  # a peer that takes longer than this many calls of wavefold is measured once
POOL_BYTES = 1 << 30  # calls read arrays of a pool in turn, so that small ones are in no cache


class Cell(typing.NamedTuple):
    """A reduction of a matrix along an axis."""
    operator: str
    type: str
    axis: int
    rows: int
    columns: int

    @property
    def number_of_type(self):
        return TYPES[self.type][0]

    @property
    def elements(self):
        return self.rows * self.columns

    @property
    def array_bytes(self):
        return self.elements * TYPES[self.type][1]

    @property
    def results(self):
        return self.rows if self.axis == ROWS else self.columns

    @property
    def reduced(self):
        """Elements of one result."""
        return self.columns if self.axis == ROWS else self.rows

    @property
    def result_type(self):
        return "u64" if (self.operator, self.type) == ("sum", "u8") else self.type

    @property
    def is_rounded(self):
        return self.operator == "sum" and TYPES[self.type][2] is not None

    def __str__(self):
        return f"{self.operator} of {self.type}, {self.rows} x {self.columns} along axis {self.axis}"


class Side(typing.NamedTuple):
    """One implementation of a cell. launch(array) computes or queues it; values(launch's result) are flat."""
    launch: typing.Callable
    values: typing.Callable


class Timer(typing.NamedTuple):
    """seconds() of a call; note: what is unusual about the timing."""
    seconds: typing.Callable
    note: str = ""


class Missing(Exception):
    """A peer that does not compute a cell, and why."""


class ReduceSpec(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("type", "op", "accumulator", "nan", "accuracy")] + [
        ("reserved", ctypes.c_uint32 * 3)]


class Axes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("dimensions", "reduced", "has_strides", "has_result_strides")] + [
        ("counts", ctypes.c_uint64 * 8), ("strides", ctypes.c_int64 * 8), ("result_strides", ctypes.c_int64 * 8),
        ("reserved", ctypes.c_uint32 * 8)]


class Wavefold:
    """A context of libwavefold.so. Sums are exact ones, in the default accumulator."""

    def __init__(self, path, device):
        try:
            self.library = ctypes.CDLL(str(path))
        except OSError as error:
            raise SystemExit(f"{error}: build the library, or name it with --library") from error
        self.library.wf_last_error.restype = ctypes.c_char_p
        self.library.wf_version.restype = ctypes.c_char_p
        self.library.wf_reduce_axes_async.argtypes = [ctypes.c_void_p] * 5 + [ctypes.c_size_t, ctypes.c_void_p]
        self.library.wf_context_forget_stream.argtypes = [ctypes.c_void_p] * 2
        self.context = ctypes.c_void_p()
        self.check(self.library.wf_context_create(ctypes.byref(self.context), device.encode()))

    def fail(self):
        raise SystemExit(f"bench/shapes.py: wavefold: {self.library.wf_last_error().decode()}")

    def check(self, status):
        if status != 0:
            self.fail()

    @property
    def version(self):
        return self.library.wf_version().decode()

    def result_bytes(self, cell):
        """Of one result."""
        info = (ctypes.c_uint32 * 16)()  # more than a wf_reduction_info
        self.check(self.library.wf_reduction_get_info(ctypes.byref(self.spec(cell)), info))
        return info[6]

    def spec(self, cell):
        return ReduceSpec(cell.number_of_type, OPERATORS[cell.operator])

    def reduction(self, cell, stream=None):
        """A function of the addresses of the array and of the results."""
        spec, axes = self.spec(cell), Axes(dimensions=2, reduced=1 << cell.axis)
        axes.counts[:2] = cell.rows, cell.columns
        all_bytes = cell.results * self.result_bytes(cell)
        queue, context, at_spec, at_axes = (self.library.wf_reduce_axes_async, self.context, ctypes.addressof(spec),
                                            ctypes.addressof(axes))

        def reduce(array, results, kept=(spec, axes)):
            queue(context, at_spec, at_axes, array, results, all_bytes, stream) and self.fail()
        return reduce

    def forget(self, stream):
        """Releases the workspaces of a stream whose graphs are not replayed any more."""
        self.library.wf_context_forget_stream(self.context, stream)


def pool_bytes(cells):
    """Memory for the largest array, or for 64 small ones."""
    return max(max(cell.array_bytes, min(64 * cell.array_bytes, POOL_BYTES)) for cell in cells)


def error_bound(cell, side):
    """Of a sum of `reduced` elements in [-1, 1): the error of the side and of the reference in f64, and the relative
    error of the result. The rounding errors of n additions grow like sqrt(n) (Higham and Mary, 2019, "A new approach to
    probabilistic rounding error analysis"; 8 standard deviations), and at most like n. wavefold rounds once."""
    rounding = TYPES[cell.type][2]
    accumulated = 0 if side == WAVEFOLD else min(rounding, 2**-24)
    return (accumulated + 2**-53) * min(cell.reduced, 8 * math.sqrt(cell.reduced)) * cell.reduced, 2 * rounding


def measure(bench, cell, samples):
    """Seconds of a call of each side, and notes on peers that failed. All sides take turns; the first turn warms up."""
    arrays, notes = bench.arrays(cell), {}
    sides = compared_sides(bench, cell, arrays[0], notes)
    timers = timers_of(bench, cell, sides, arrays, notes)
    seconds = {name: [] for name in timers}
    for turn in range(samples + 1):
        for name, timer in timers.items():
            taken = timer.seconds()
            if turn > 0:
                seconds[name].append(taken)
    return seconds, notes


def attempt(name, cell, notes, action):
    """action's result. None if a peer fails, which is noted; wavefold must not fail."""
    try:
        return action()
    except Exception as error:  # a peer may raise anything; the others are still measured
        notes[name] = str(error).split("\n")[0] or type(error).__name__
        if name == WAVEFOLD:
            raise SystemExit(f"bench/shapes.py: {cell}: wavefold: {notes[name]}") from error
        return None


def compared_sides(bench, cell, array, notes):
    """The sides that compute the cell, all with the same results."""
    sides, values = {}, {}
    for name, make in bench.sides.items():
        def start():
            side = make(cell)
            return side, side.values(side.launch(array))
        if (started := attempt(name, cell, notes, start)) is not None:
            sides[name], values[name] = started
    require_same_results(bench, cell, array, values)
    return sides


def timers_of(bench, cell, sides, arrays, notes):
    timers, patience = {}, math.inf
    for name, side in sides.items():
        def take_time():
            once = bench.seconds_of_a_call(side.launch, arrays[0])
            return once, bench.timer(side.launch, arrays, cell) if once < patience else Timer(lambda: once)
        if (timed := attempt(name, cell, notes, take_time)) is not None:
            once, timers[name] = timed
            patience = PATIENCE * once if name == WAVEFOLD else patience
            notes.update({name: timers[name].note} if timers[name].note else {})
    return timers


def require_same_results(bench, cell, array, values):
    """Ends the program if two sides differ: exact results at all, sums of floats by more than their error."""
    reference = bench.reference(cell, array) if cell.is_rounded else values[WAVEFOLD]
    for name, found in values.items():
        absolute, relative = error_bound(cell, name) if cell.is_rounded else (0, 0)
        if not bench.agree(found, reference, absolute, relative):
            other = "the sum in f64" if cell.is_rounded else "wavefold's"
            raise SystemExit(f"bench/shapes.py: {cell}: the result of {name} is not {other}; nothing more is measured")
