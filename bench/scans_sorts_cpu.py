#!/usr/bin/env python3
"""Measures wf_scan, wf_sort and reductions by index on the host device beside TBB and NumPy, in one run.

    bench/scans_sorts_cpu.py [--log2n 10 24] [--samples 9] [--build build] [--out results]

All sides take turns; a sort sorts a copy of random keys, and the copy is not timed. Results are compared with NumPy's.
Writes <out>/<CPU>/scans_sorts.json and .md. Needs NumPy, and a build with -DWF_BENCH=ON.
"""
import argparse
import ctypes
import pathlib
import statistics
import time

import numpy

from about import cpu_and_cores, device_folder, output_of, results_folder, write_json
from scans_sorts import ReduceSpec, ScanSpec, SortSpec

TYPES = {"f32": (0, numpy.float32), "f64": (1, numpy.float64), "i64": (3, numpy.int64), "u32": (4, numpy.uint32)}
CASES = [("scan", "f32"), ("scan", "f64"), ("scan", "i64"), ("sort", "f32"), ("sort", "f64"), ("sort", "u32"),
         ("count", "u32"), ("scatter", "f64")]
TITLES = {"scan": "Inclusive sum of {}", "sort": "Stable sort of {}", "count": "Counts of n {} indices in n / 16 bins",
          "scatter": "Sums of n {} numbers in n / 16 bins"}


class Scatter(ctypes.Structure):
    _fields_ = [("bins", ctypes.c_uint64), ("index_type", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32 * 4)]


def address(array):
    return ctypes.c_void_p(array.ctypes.data)


class Bench:
    def __init__(self, build, samples):
        self.samples = samples
        try:
            self.library = ctypes.CDLL(build / "lib/libwavefold.so")
            self.tbb = ctypes.CDLL(build / "bench/libbench-scans_sorts_cpu.so")
        except OSError as error:
            raise SystemExit(f"{error}; a build with -DWF_BENCH=ON has it: say --build") from error
        self.library.wf_last_error.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.call("wf_context_create", ctypes.byref(self.context), b"host")
        self.random = numpy.random.default_rng(1)

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments) != 0:
            raise SystemExit(f"{name}: {self.library.wf_last_error().decode()}")

    def device_array(self, count, dtype):
        """An array in the context's memory, which scans and sorts need on the host device, too."""
        memory = ctypes.c_void_p()
        bytes_of_it = count * numpy.dtype(dtype).itemsize
        self.call("wf_malloc", self.context, ctypes.byref(memory), ctypes.c_size_t(bytes_of_it))
        return numpy.frombuffer((ctypes.c_char * bytes_of_it).from_address(memory.value), dtype)

    def numbers(self, dtype, count):
        if numpy.issubdtype(dtype, numpy.floating):
            return (self.random.random(count) * 2 - 1).astype(dtype)
        return self.random.integers(0, 2**31, count).astype(dtype)

    def sides_of_scan(self, kind, count):
        number, dtype = TYPES[kind]
        source, out, own = self.numbers(dtype, count), numpy.empty(count, dtype), self.device_array(count, dtype)
        own_in = self.device_array(count, dtype)
        own_in[:] = source
        spec = ScanSpec(reduce=ReduceSpec(type=number))
        tbb = getattr(self.tbb, f"tbb_scan_{kind}")
        sides = {"wavefold": lambda: self.call("wf_scan", self.context, ctypes.byref(spec), address(own_in),
                                               ctypes.c_size_t(count), address(own)),
                 "TBB": lambda: tbb(address(source), address(out), ctypes.c_size_t(count)),
                 "NumPy": lambda: numpy.cumsum(source, out=out)}
        sides["wavefold"]()
        exact = numpy.cumsum(source, dtype=numpy.float64 if kind == "f32" else dtype)
        bound = numpy.finfo(dtype).eps * count * numpy.cumsum(abs(source), dtype=numpy.float64) \
            if numpy.issubdtype(dtype, numpy.floating) else 0
        if not (abs(own - exact) <= bound).all():
            raise SystemExit(f"the scan of {count} {kind} is wrong")
        return sides, lambda: None

    def sides_of_sort(self, kind, count):
        number, dtype = TYPES[kind]
        source, keys, own = self.numbers(dtype, count), numpy.empty(count, dtype), self.device_array(count, dtype)
        spec = SortSpec(type=number)
        tbb = getattr(self.tbb, f"tbb_sort_{kind}")

        def prepare():
            keys[:], own[:] = source, source
        sides = {"wavefold": lambda: self.call("wf_sort", self.context, ctypes.byref(spec), address(own), None,
                                               ctypes.c_size_t(count)),
                 "TBB": lambda: tbb(address(keys), ctypes.c_size_t(count)),
                 "NumPy": lambda: keys.sort(kind="stable")}
        prepare()
        sides["wavefold"]()
        if not numpy.array_equal(own, numpy.sort(source)):
            raise SystemExit(f"the sort of {count} {kind} is wrong")
        return sides, prepare

    def sides_by_index(self, kind, count, has_weights):
        number, dtype = TYPES[kind]
        bins = count // 16
        source = self.random.integers(0, bins, count).astype(numpy.uint32)
        indices = self.device_array(count, numpy.uint32)
        indices[:] = source
        weights = self.numbers(dtype, count)
        own = self.device_array(count, dtype)
        own[:] = weights
        out = self.device_array(bins, dtype if has_weights else numpy.uint64)
        spec, scatter = ReduceSpec(type=number), Scatter(bins=bins, index_type=4)
        sides = {"wavefold": lambda: self.call("wf_scatter_reduce", self.context,
                                               ctypes.byref(spec) if has_weights else None, ctypes.byref(scatter),
                                               address(indices), address(own) if has_weights else None,
                                               ctypes.c_size_t(count), address(out), ctypes.c_size_t(out.nbytes)),
                 "NumPy": lambda: numpy.bincount(source, weights if has_weights else None, bins)}
        sides["wavefold"]()
        if not numpy.allclose(out, sides["NumPy"](), rtol=0, atol=1e-9):
            raise SystemExit(f"reducing {count} {kind} by index is wrong")
        return sides, lambda: None

    def measured(self, what, kind, count):
        """Seconds of a call of each side: least, median and most."""
        if what in ("scan", "sort"):
            sides, prepare = getattr(self, f"sides_of_{what}")(kind, count)
        else:
            sides, prepare = self.sides_by_index(kind, count, what == "scatter")
        taken = {name: [] for name in sides}
        for _ in range(self.samples):
            for name, call in sides.items():
                prepare()
                begin = time.perf_counter()
                call()
                taken[name].append(time.perf_counter() - begin)
        return {name: [float(f"{x:.4g}") for x in (min(of), statistics.median(of), max(of))]
                for name, of in taken.items()}


def table(title, cells):
    names = list(cells[0]["seconds"])
    lines = [f"## {title}", "",
             "| n | " + " | ".join(f"{name}, us" for name in names) + " | fastest other / wavefold |",
             "|---" * (len(names) + 2) + "|"]
    for cell in cells:
        medians = {name: seconds[1] for name, seconds in cell["seconds"].items()}
        other = min(seconds for name, seconds in medians.items() if name != "wavefold")
        lines.append(f"| 2^{cell['log2n']} | " + " | ".join(f"{1e6 * medians[name]:.1f}" for name in names)
                     + f" | {other / medians['wavefold']:.2f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--log2n", type=int, nargs=2, default=(10, 24))
    parser.add_argument("--samples", type=int, default=9)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--out", type=results_folder, default=pathlib.Path("results"))
    arguments = parser.parse_args()
    bench, cells, tables = Bench(arguments.build, arguments.samples), [], []
    name, cores = cpu_and_cores()
    commit = output_of("git", "rev-parse", "--short", "HEAD")
    for what, kind in CASES:
        mine = [{"what": what, "type": kind, "log2n": log2n, "seconds": bench.measured(what, kind, 2**log2n)}
                for log2n in range(arguments.log2n[0], arguments.log2n[1] + 1, 2)]
        cells += mine
        tables.append(table(TITLES[what].format(kind), mine))
        print(tables[-1], flush=True)
    folder = device_folder(arguments.out, name)
    write_json(folder / "scans_sorts.json",
               {"about": {"device": name, "cores": cores, "commit": commit, "samples": arguments.samples,
                          "NumPy": numpy.__version__}, "cells": cells})
    (folder / "scans_sorts.md").write_text(
        f"# Scans, sorts and reductions by index\n\n{name}, {cores} cores, commit {commit}; NumPy {numpy.__version__}. "
        f"Time of a call, medians of {arguments.samples}, by `bench/scans_sorts_cpu.py`.\n\n" + "\n".join(tables))


if __name__ == "__main__":
    main()
