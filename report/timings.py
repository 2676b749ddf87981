"""Results of bench/reduce.py, bench/cpu.py, bench/exact.py and bench/cpu_exact.py: medians of the times, against n."""

from dataclasses import dataclass
from statistics import median

# What the peers are called in the files, and what a reader should know them as.
NAMES = {
    "wavefold": "wavefold",
    "cub": "CUB",
    "thrust": "thrust",
    "torch": "PyTorch",
    "cupy": "CuPy",
    "read": "reading alone",
    "read ceiling": "reading alone",
}
# How bench/cpu.py calls it in turn with NumPy; files before 2026-11-27 have the last alone.
BESIDE_NUMPY = ("wavefold beside NumPy", "wavefold (ctypes)")
CLOCKS = {
    "device cold": "device time, data in no cache",
    "device hot": "device time, data in cache",
    "host": "from call to result",
    "cold": "time of a call, data in no cache",
    "hot": "time of a call, data in cache",
}
READING = "reading alone"
LOOP = "a loop"  # of bench/cpu.py: what a program has without any library
# bench/reduce.cu times reading two arrays in turn without emptying the caches between. Two of this many bytes are more
# than any GPU's caches hold; smaller ones may be read from there, and are then no ceiling of data in no cache.
READ_FROM_MEMORY = 2**27


@dataclass
class Timing:
    """The medians of one reduction of n elements, by clock and by whose it is."""

    n: int
    bytes: int
    seconds: dict


@dataclass
class Beside:
    """wavefold and the fastest of its peers on an array."""

    n: int
    gb_per_s: float
    peer: str
    peer_gb_per_s: float
    times: float  # as fast as the peer


@dataclass
class Reduction:
    device: str
    operation: str
    type: str
    timings: list

    @property
    def title(self):
        return f"{self.device}: {self.operation} of {self.type}"

    @property
    def clock(self):
        """That of data in no cache, of which every file has times."""
        return next(clock for clock in ("device cold", "cold", *CLOCKS) if self.series(clock))

    @property
    def largest(self):
        """Beside the fastest peer, of the largest array that both folded; None for none. NumPy is compared with
        wavefold as it was called in turn with it; of descriptions there is nothing else."""
        for timing in reversed(self.timings):
            seconds = timing.seconds.get(self.clock, {})
            peers = {name: value for name, value in seconds.items()
                     if name not in (READING, LOOP) and "wavefold" not in name}
            if not peers:
                continue
            peer = min(peers, key=peers.get)
            own = BESIDE_NUMPY if peer == "NumPy" else ("wavefold", *BESIDE_NUMPY)
            ours = next((seconds[name] for name in own if name in seconds), None)
            if ours is not None:
                return Beside(timing.n, timing.bytes / ours / 1e9, peer, timing.bytes / peers[peer] / 1e9,
                              peers[peer] / ours)
        return None

    def series(self, clock):
        """{name: [(n, seconds)]}"""
        found = {}
        for timing in self.timings:
            for name, seconds in timing.seconds.get(clock, {}).items():
                found.setdefault(name, []).append((timing.n, seconds))
        return found


def medians(part):
    """{name: median} of an object of samples."""
    return {NAMES.get(name, name): median(part.samples(name)) for name, _ in part.members()}


def read_n(part):
    n = part.count("n")
    if n == 0:
        part.get("n").fail("is 0, and no elements take no time")
    return n


def read_timing(part):
    all_clocks = {clock: medians(part.object(clock)) for clock in CLOCKS if part.has(clock)}
    seconds = {clock: of_each for clock, of_each in all_clocks.items() if of_each}
    size = part.count("bytes")
    reading = median(part.samples("read")) if part.has("read") else None
    if reading is not None and size >= READ_FROM_MEMORY and "device cold" in seconds:
        seconds["device cold"][READING] = reading
    return Timing(read_n(part), size, seconds)


def add_python_peers(part, reductions):
    """bench/reduce.py times PyTorch and CuPy apart, and for the sum of f32 alone."""
    sums = next((r for r in reductions if (r.operation, r.type) == ("sum", "f32")), None)
    by_n = {timing.n: timing for timing in sums.timings} if sums else {}
    for row in part.list("results"):
        timing = by_n.get(row.count("n"))
        if timing and "host" in timing.seconds:
            timing.seconds["host"].update(medians(row.object("seconds")))


def read_reductions(part):
    device = part.object("about").text("device")
    found = {}
    for row in part.filled_list("results"):
        what = (row.text("operation"), row.text("type"))
        timing = read_timing(row)
        if not timing.seconds:
            row.fail("has no times")
        found.setdefault(what, Reduction(device, *what, [])).timings.append(timing)
    python = part.known("python", type(part).object)  # null where bench/reduce.py found no PyTorch
    if python is not None:
        add_python_peers(python, found.values())
    return list(found.values())


def latest(values, key):
    """Of those that have one key the last, in the place of the first."""
    return list({key(value): value for value in values}.values())


def joined(reductions):
    """One of each device, operation and type, by n."""
    found = {}
    for one in reductions:
        what = (one.device, one.operation, one.type)
        into = found.setdefault(what, Reduction(*what, []))
        into.timings = sorted(latest(into.timings + one.timings, lambda timing: timing.n), key=lambda timing: timing.n)
    return list(found.values())


@dataclass
class ExactTiming:
    """An exact and a fast sum of the same data."""

    device: str
    clock: str
    type: str
    data: str
    n: int
    exact: float
    fast: float

    @property
    def what(self):
        return self.device, self.clock, self.type, self.data, self.n

    @property
    def ratio(self):
        return self.exact / self.fast


def read_exact(part):
    device = part.object("about").text("device")
    found = []
    for row in part.filled_list("results"):
        what = (row.text("type"), row.text("data"), read_n(row))
        if row.has("clock"):  # bench/exact.py
            sides = [(row.text("clock"), row)]
        else:  # bench/cpu_exact.py
            sides = [(clock, row.object(clock)) for clock in ("cold", "hot") if row.has(clock)]
        if not sides:
            row.fail("has no times")
        for clock, side in sides:
            times = (median(side.samples("exact")), median(side.samples("fast")))
            found.append(ExactTiming(device, clock, *what, *times))
    return found
