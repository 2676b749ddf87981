#!/usr/bin/env python3
"""Measures the Python package beside torch, CuPy and JAX on a GPU; writes a table to a file.

    PYTHONPATH=build/python bench/python_gpu.py --commit COMMIT results/nvidia-h200/python.md

Blocking sums: seconds until the number is in Python. Other calls are queued several times, and then waited for: seconds
of each. Medians; the libraries take turns.
"""
import argparse
import pathlib
import platform
import statistics
import subprocess
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


def medians(calls, wait, repeats, queued):
    """The median seconds of each call, which take turns; queued: as often before each wait."""
    for call in calls:
        call()
    wait()
    times = [[] for _ in calls]
    for _ in range(repeats):
        for call, of in zip(calls, times):
            begin = time.perf_counter()
            for _ in range(queued):
                call()
            if queued > 1:
                wait()
            of.append((time.perf_counter() - begin) / queued)
    return [statistics.median(of) for of in times]


def blocking(of, repeats):
    """The sum of f32 as a Python float."""
    rows = ["| n | wavefold, torch's tensor | torch | wavefold, CuPy's array | CuPy | wavefold.jax | JAX |",
            "|---|---|---|---|---|---|---|"]
    w, j = of.wavefold, of.wavefold.jax
    for n in BLOCKING:
        t, c, x = of.arrays(n)
        calls = (lambda: w.sum(t).item(), lambda: t.sum().item(), lambda: float(w.sum(c)), lambda: float(c.sum()),
                 lambda: float(j.sum(x)), lambda: float(of.sum_of_jax(x)))
        seconds = medians(calls, of.wait, repeats, 1)
        name = f"2^{n.bit_length() - 1}"
        rows.append(f"| {name} | " + " | ".join(text(one) for one in seconds) + " |")
    return rows


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


def queued(of, repeats):
    rows = ["| call, f32 | wavefold | torch | CuPy | JAX |", "|---|---|---|---|---|"]
    for name, *calls in queued_calls(of):
        present = [call for call in calls if call is not None]
        seconds = iter(medians(present, of.wait, repeats, 10))
        rows.append(f"| {name} | " + " | ".join(text(next(seconds)) if call else "" for call in calls) + " |")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--commit", default="")
    parser.add_argument("--repeats", type=int, default=101)
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
             "## A sum of f32, until it is a Python float", "", *blocking(of, given.repeats), "",
             "## Queued calls", "", *queued(of, max(3, given.repeats // 10)), ""]
    given.output.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
