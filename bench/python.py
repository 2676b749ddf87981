#!/usr/bin/env python3
"""Measures the Python package beside NumPy on the CPU; writes a table to a file.

    PYTHONPATH=build/python bench/python.py results/amd-epyc/python.md

Calls of both are interleaved, and each time is the least of many, so that other work of the machine counts little.
"""
import argparse
import ctypes
import math
import pathlib
import platform
import subprocess
import timeit

import numpy

try:
    import wavefold
except ImportError:
    wavefold = None

CASES = (  # the name, wavefold's call, NumPy's, the types, the sizes
    ("sum", "w.sum(a)", "n.sum(a)", ("float32", "float64"), (16, 1 << 14, 1 << 18, 1 << 22)),
    ("mean", "w.mean(a)", "n.mean(a)", ("float32",), (1 << 22,)),
    ("sum of rows of 1000", "w.sum(m, axis=1)", "n.sum(m, axis=1)", ("float32", "float64"), (1 << 22,)),
    ("sum of columns", "w.sum(m, axis=0)", "n.sum(m, axis=0)", ("float32",), (1 << 22,)),
    ("max", "w.max(a)", "n.max(a)", ("float32",), (1 << 22,)),
    ("minmax", "w.minmax(a)", "(n.min(a), n.max(a))", ("float32",), (1 << 22,)),
    ("argmax", "w.argmax(a)", "n.argmax(a)", ("float32",), (1 << 22,)),
    ("var", "w.var(a)", "n.var(a)", ("float32", "float64"), (1 << 22,)),
    ("dot", "w.dot(a, a)", "n.dot(a, a)", ("float32",), (1 << 22,)),
    ("norm", "w.norm(a)", "n.linalg.norm(a)", ("float32",), (1 << 22,)),
    ("cumsum", "w.cumsum(a)", "n.cumsum(a)", ("float32", "int64"), (1 << 22,)),
    ("sort", "w.sort(a)", "n.sort(a)", ("float32", "int64"), (1 << 20,)),
    ("argsort, stable", "w.argsort(a)", "n.argsort(a, kind='stable')", ("float32",), (1 << 20,)),
    ("bincount, weights", "w.bincount(i, a)", "n.bincount(i, a)", ("float32",), (1 << 20,)),
)


def least(statements, names, repeats=40):
    """Seconds of each statement: the least of several runs, which take turns."""
    timers = [timeit.Timer(statement, globals=names) for statement in statements]
    counts = [max(1, int(2e-3 / max(timer.timeit(1), 1e-9))) for timer in timers]
    times = [math.inf] * len(timers)
    for _ in range(repeats):
        for k, (timer, count) in enumerate(zip(timers, counts)):
            times[k] = min(times[k], timer.timeit(count) / count)
    return times


def text(seconds):
    return f"{seconds * 1e9:.0f} ns" if seconds < 1e-6 else (
        f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms")


def table():
    lines = ["| call | type | n | wavefold | NumPy | wavefold / NumPy |", "|---|---|---|---|---|---|"]
    rng = numpy.random.default_rng(1)
    for name, ours, theirs, dtypes, sizes in CASES:
        for dtype in dtypes:
            for n in sizes:
                a = rng.standard_normal(n)
                a = (a * 1e6).astype(dtype) if dtype[0] == "i" else a.astype(dtype)
                names = {"w": wavefold, "n": numpy, "a": a, "m": a[:n // 1000 * 1000].reshape(-1, 1000)
                         if n >= 1000 else a, "i": rng.integers(0, 1024, n)}
                here, there = least((ours, theirs), names)
                size = f"2^{n.bit_length() - 1}" if n > 1000 else str(n)
                lines.append(f"| {name} | {dtype} | {size} | {text(here)} | {text(there)} | {here / there:.2f} |")
    return lines


LOOP = """
#include <time.h>
#include <wavefold.h>
double seconds_of_a_call(wf_context *context, const float *in, size_t count, int calls) {
    struct timespec a, b;
    float sum;
    const wf_reduce_spec spec = {.type = WF_F32};
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < calls; i++)
        wf_reduce(context, &spec, in, count, &sum, sizeof sum);
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (double)(b.tv_sec - a.tv_sec + 1e-9 * (double)(b.tv_nsec - a.tv_nsec)) / calls;
}
"""


def cost_of_a_call(root, library):
    """A loop in C beside the Python call, for 16 numbers; and the same of a tensor on the CPU."""
    folder = pathlib.Path(library).parent
    loop = folder / "python_bench_loop.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-x", "c", "-", "-o", loop, f"-I{root}/include", "-x", "none",
                    library, f"-Wl,-rpath,{folder}"], input=LOOP, text=True, check=True)
    context = ctypes.c_void_p()
    ctypes.CDLL(library).wf_context_create(ctypes.byref(context), b"host")
    call = ctypes.CDLL(loop).seconds_of_a_call
    call.restype = ctypes.c_double
    call.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    a = numpy.arange(16, dtype="float32")
    in_c = min(call(context, a.ctypes.data, 16, 100_000) for _ in range(15))
    names = {"w": wavefold, "a": a}
    rows = [("C", in_c), ("Python, of NumPy", least(("w.sum(a)",), names)[0])]
    try:
        import torch
        names["t"] = torch.arange(16, dtype=torch.float32)
        rows += [("Python, of torch (CPU)", least(("w.sum(t)",), names)[0]),
                 ("torch's own t.sum()", least(("t.sum()",), names)[0])]
    except ImportError:
        pass
    rows.append(("numpy.sum", least(("numpy.sum(a)",), {"numpy": numpy, "a": a})[0]))
    return ["| sum of 16 float32 | time | beyond C |", "|---|---|---|"] + [
        f"| {name} | {text(seconds)} | {text(seconds - in_c) if k else ''} |" for k, (name, seconds) in enumerate(rows)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path)
    given = parser.parse_args()
    if wavefold is None:
        raise SystemExit("bench/python.py: no module 'wavefold': build with -DWF_PYTHON=ON and set "
                         "PYTHONPATH=build/python")
    root = pathlib.Path(__file__).resolve().parent.parent
    library = next(line.split()[-1] for line in open("/proc/self/maps") if "libwavefold.so" in line)
    processor = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    threads = len(__import__("os").sched_getaffinity(0))
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    about = (f"{processor}, {threads} CPUs, Python {platform.python_version()}, NumPy {numpy.__version__}, commit "
             f"{commit.stdout.strip()}. Least of 40 runs, of both in turn; the machine had other work.")
    again = "Again: `PYTHONPATH=build/python bench/python.py results/amd-epyc/python.md`."
    calls = cost_of_a_call(root, library)
    lines = ["# The Python package beside NumPy", "", *table(), "", *calls, "", about, "", again]
    given.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
