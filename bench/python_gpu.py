#!/usr/bin/env python3
"""Measures the Python package beside torch, CuPy and JAX on a GPU; writes a table to a file.

    PYTHONPATH=build/python bench/python_gpu.py --commit COMMIT results/nvidia-h200/python.md

Blocking sums: seconds until the number is in Python. Other calls are queued ten times, and then waited for: seconds of
each. The libraries take turns, in each of which a call is repeated; medians of turns.
"""
import argparse
import ctypes
import pathlib
import platform
import statistics
import subprocess
import tempfile
import time

BLOCKING = [1 << k for k in (4, 10, 14, 16, 18, 20, 22, 24, 26, 28)]
BINS, BINNED = 1_000_000, 1 << 24


def text(seconds):
    return f"{seconds * 1e6:.1f}" if seconds < 1e-4 else f"{seconds * 1e6:.0f}"


class Libraries:
    """The four libraries, with arrays of the same numbers."""

    def __init__(self):
        import cupy
        import jax
        import torch

        import wavefold
        import wavefold.jax
        self.torch, self.cupy, self.jax, self.wavefold = torch, cupy, jax, wavefold
        self.sum_of_jax = jax.jit(jax.numpy.sum)

    def arrays(self, shape):
        t = self.torch.randn(shape, device="cuda")
        return t, self.cupy.from_dlpack(t), self.jax.dlpack.from_dlpack(t)

    def wait(self):
        self.torch.cuda.synchronize()


def medians(calls, wait, turns, repeats):
    """The median seconds of each call."""
    times = [[] for _ in calls]
    for turn in range(turns + 1):
        for call, of in zip(calls, times):
            call()
            wait()
            begin = time.perf_counter()
            for _ in range(repeats):
                call()
            wait()
            if turn > 0:
                of.append((time.perf_counter() - begin) / repeats)
    return [statistics.median(of) for of in times]


def blocking(of, turns):
    """The sum of f32 as a Python float."""
    rows = ["| n | C | wavefold, `item=True` | wavefold, then `.item()` | torch | wavefold, CuPy's array | CuPy "
            "| wavefold.jax | JAX |", "|---|---|---|---|---|---|---|---|---|"]
    w, j = of.wavefold, of.wavefold.jax
    loop = Loop(of)
    for n in BLOCKING:
        t, c, x = of.arrays(n)
        calls = (lambda: w.sum(t, item=True), lambda: w.sum(t).item(), lambda: t.sum().item(), lambda: float(w.sum(c)),
                 lambda: float(c.sum()), lambda: float(j.sum(x)), lambda: float(of.sum_of_jax(x)))
        in_c = statistics.median(loop.blocking(t, 20) for _ in range(turns))
        seconds = [in_c, *medians(calls, of.wait, turns, 20)]
        name = f"2^{n.bit_length() - 1}"
        rows.append(f"| {name} | " + " | ".join(text(one) for one in seconds) + " |")
    return rows


LOOP = """
#include <time.h>
#include <wavefold.h>
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
double blocking(wf_context *context, const float *in, size_t count, int calls) {
    const wf_reduce_spec spec = {.type = WF_F32};
    float sum;
    const double begin = now();
    for (int i = 0; i < calls; i++)
        wf_reduce(context, &spec, in, count, &sum, sizeof sum);
    return (now() - begin) / calls;
}
double queued(wf_context *context, const float *in, size_t count, float *result, int calls) {
    const wf_reduce_spec spec = {.type = WF_F32};
    const double begin = now();
    for (int i = 0; i < calls; i++)
        wf_reduce_async(context, &spec, in, count, result, sizeof *result, NULL);
    return (now() - begin) / calls;
}
"""


class Loop:
    """Calls of the C API in a loop, in C."""

    def __init__(self, of):
        library = next(line.split()[-1] for line in open("/proc/self/maps") if "libwavefold.so" in line)
        root = pathlib.Path(__file__).resolve().parent.parent
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-x", "c", "-", "-o", f"{folder}/loop.so",
                            f"-I{root}/include", "-x", "none", library], input=LOOP, text=True, check=True)
            code = ctypes.CDLL(f"{folder}/loop.so")
        self.context = ctypes.c_void_p()
        if ctypes.CDLL(library).wf_context_create(ctypes.byref(self.context), b"nvidia:0") != 0:
            raise SystemExit("bench/python_gpu.py: wf_context_create fails for nvidia:0")
        code.blocking.restype = code.queued.restype = ctypes.c_double
        code.blocking.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        code.queued.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int]
        self.code, self.out = code, of.torch.empty((), device="cuda")

    def blocking(self, tensor, calls):
        return self.code.blocking(self.context, tensor.data_ptr(), tensor.numel(), calls)

    def queued(self, tensor, calls):
        return self.code.queued(self.context, tensor.data_ptr(), tensor.numel(), self.out.data_ptr(), calls)


def cost_of_a_call(of, turns):
    """The time until a sum of 16 numbers is queued."""
    t, c, _ = of.arrays(16)
    loop = Loop(of)
    rows = []

    def measured(name, run):
        times = []
        for _ in range(turns):
            of.wait()
            times.append(run())
        rows.append((name, statistics.median(times)))

    def calls(call):
        begin = time.perf_counter()
        for _ in range(200):
            call()
        return (time.perf_counter() - begin) / 200
    measured("C", lambda: loop.queued(t, 200))
    for name, call in (("Python, of torch", lambda: of.wavefold.sum(t)), ("torch's own t.sum()", lambda: t.sum()),
                       ("Python, of CuPy", lambda: of.wavefold.sum(c)), ("CuPy's own c.sum()", lambda: c.sum()),
                       ("Python, of torch, `axis=0`", lambda: of.wavefold.sum(t, axis=0))):
        measured(name, lambda call=call: calls(call))
    in_c = rows[0][1]
    return ["| sum of 16 f32, queued | time | beyond C |", "|---|---|---|"] + [
        f"| {name} | {text(one)} | {text(one - in_c) if k else ''} |" for k, (name, one) in enumerate(rows)]


def queued_calls(of):
    """Name, wavefold's call, torch's, CuPy's, JAX's (None: it has none)."""
    w, torch, cupy, jax = of.wavefold, of.torch, of.cupy, of.jax
    jnp = jax.numpy
    t, c, x = of.arrays((1 << 16, 1 << 10))
    for name, axis in (("sums of 2^16 rows of 2^10", 1), ("sums of 2^10 columns of 2^16", 0)):
        along = jax.jit(lambda a, axis=axis: jnp.sum(a, axis))
        yield (name, lambda a=axis: w.sum(t, axis=a), lambda a=axis: t.sum(a), lambda a=axis: c.sum(a),
               lambda f=along: f(x))
    t, c, x = of.arrays(1 << 26)
    scan, order = jax.jit(jnp.cumsum), jax.jit(jnp.sort)
    yield ("cumsum of 2^26", lambda: w.cumsum(t), lambda: t.cumsum(0), lambda: c.cumsum(), lambda: scan(x))
    yield ("sort of 2^26", lambda: w.sort(t), lambda: t.sort(), lambda: cupy.sort(c), lambda: order(x))
    t, c, x = of.arrays(BINNED)
    i = torch.randint(0, BINS, (BINNED,), device="cuda")
    where, indices = cupy.from_dlpack(i), jax.dlpack.from_dlpack(i)
    bins = jax.jit(lambda k, v: jnp.zeros(BINS, "float32").at[k].add(v))
    yield ("scatter_add of 2^24 in 10^6 bins", lambda: w.scatter_add(i, t, BINS),
           lambda: torch.zeros(BINS, device="cuda").index_add_(0, i, t),
           lambda: cupy.bincount(where, c, BINS), lambda: bins(indices, x))

    def deterministic():
        torch.use_deterministic_algorithms(True)
        torch.zeros(BINS, device="cuda").index_add_(0, i, t)
        torch.use_deterministic_algorithms(False)
    yield ("the same, torch deterministic", lambda: w.scatter_add(i, t, BINS), deterministic, None, None)


def queued(of, turns):
    rows = ["| call, f32 | wavefold | torch | CuPy | JAX |", "|---|---|---|---|---|"]
    for name, *calls in queued_calls(of):
        present = [call for call in calls if call is not None]
        seconds = iter(medians(present, of.wait, turns, 10))
        rows.append(f"| {name} | " + " | ".join(text(next(seconds)) if call else "" for call in calls) + " |")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--commit", default="")
    parser.add_argument("--turns", type=int, default=11)
    given = parser.parse_args()
    try:
        of = Libraries()
    except ImportError as error:
        raise SystemExit(f"bench/python_gpu.py: {error}: it needs torch, CuPy, JAX, and wavefold from a build with "
                         "-DWF_PYTHON=ON, by PYTHONPATH=build/python") from error
    driver = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True,
                            text=True, check=True).stdout.split()[0]
    lines = ["# The Python package beside torch, CuPy and JAX", "",
             f"{of.torch.cuda.get_device_name()}, driver {driver}, Python {platform.python_version()}, torch "
             f"{of.torch.__version__}, CuPy {of.cupy.__version__}, JAX {of.jax.__version__}, commit {given.commit}; "
             "medians, in microseconds. Again: `bench/python_gpu.py`.", "",
             "## A sum of f32, until it is a Python float", "", *blocking(of, given.turns), "",
             "## Queued calls", "", *queued(of, given.turns), "",
             "## The cost of a call", "", *cost_of_a_call(of, given.turns), ""]
    given.output.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
