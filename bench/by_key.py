#!/usr/bin/env python3
"""Measures reductions by index and by key, sorts of rows and top-k on an NVIDIA GPU beside torch, in one run.

    bench/by_key.py [--samples 9] [--library build/lib/libwavefold.so]
                    [--peers build/bench/libbench-scans_sorts.so] [--out results]

Times are device times of calls in a CUDA graph. torch's index_add is measured with its atomics, whose bits change from
run to run, and with its deterministic algorithm. Results are compared: sums with sums in f64, all others with torch's.
Writes <out>/<device>/by_key.json and .md. Needs torch.
"""
import argparse
import ctypes
import pathlib

from about import device_folder, output_of, results_folder, write_json
from scans_sorts import TYPES, Bench, ReduceSpec, SortSpec, address
from scans_sorts_cpu import Scatter
from shapes_gpu import torch

BINS = [(20, 1000), (20, 10**6), (24, 1000), (24, 10**6)]  # log2 of the elements, and bins
ROWS = [(1, 129280), (8, 129280), (128, 129280), (4096, 1024), (2**18, 64), (2**20, 16), (16, 2**20)]
TOP = [(1, 129280, 1), (1, 129280, 50), (8, 129280, 50), (128, 129280, 50), (4096, 1024, 8), (1, 2**26, 100)]


class Segments(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint64), ("offset_bytes", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("begins", ctypes.c_void_p), ("ends", ctypes.c_void_p), ("reserved", ctypes.c_uint32 * 8)]


class TopK(ctypes.Structure):
    _fields_ = [("type", ctypes.c_uint32), ("smallest", ctypes.c_uint32), ("k", ctypes.c_uint64),
                ("position_bytes", ctypes.c_uint32), ("reserved", ctypes.c_uint32 * 3)]


def size(n):
    return ctypes.c_size_t(n)


def deterministic(call):
    def called(k):
        torch.use_deterministic_algorithms(True)
        try:
            call(k)
        finally:
            torch.use_deterministic_algorithms(False)
    return called


class ByKey(Bench):
    def scatter(self, log2n, bins):
        count = 2**log2n
        indices = torch.randint(0, bins, (count,), dtype=torch.int64, device="cuda")
        values, out = self.random("f32", count), torch.zeros(bins, dtype=torch.float32, device="cuda")
        other = torch.zeros_like(out)
        spec, scatter = ReduceSpec(type=TYPES["f32"][0]), Scatter(bins=bins, index_type=TYPES["i64"][0])

        def wavefold(k):
            self.call("wf_scatter_reduce_async", self.context, ctypes.byref(spec), ctypes.byref(scatter),
                      address(indices), address(values), size(count), address(out), size(4 * bins), self.handle)

        def torchs(k):
            other.zero_()
            other.index_add_(0, indices, values)
        wavefold(0)
        exact = torch.zeros(bins, dtype=torch.float64, device="cuda").index_add_(0, indices, values.double())
        if not bool(((out.double() - exact).abs() <= 2**-24 * exact.abs() + 1e-12).all()):
            raise SystemExit(f"scattering {count} elements to {bins} bins is wrong")
        sides = {"wavefold, exact": wavefold, "torch, atomics": torchs, "torch, deterministic": deterministic(torchs)}
        return self.measured(sides, 2, lambda: None)

    def counts(self, log2n, bins):
        count = 2**log2n
        indices = torch.randint(0, bins, (count,), dtype=torch.int32, device="cuda")
        out, ones = torch.zeros(bins, dtype=torch.int64, device="cuda"), torch.ones(count, dtype=torch.int64,
                                                                                   device="cuda")
        other, long = torch.zeros_like(out), indices.long()
        scatter = Scatter(bins=bins, index_type=TYPES["i32"][0])

        def wavefold(k):
            self.call("wf_scatter_reduce_async", self.context, None, ctypes.byref(scatter), address(indices), None,
                      size(count), address(out), size(8 * bins), self.handle)

        def torchs(k):
            other.zero_()
            other.scatter_add_(0, long, ones)
        wavefold(0)
        if not torch.equal(out, torch.bincount(indices, minlength=bins)):
            raise SystemExit(f"counting {count} elements in {bins} bins is wrong")
        return self.measured({"wavefold": wavefold, "torch, atomics": torchs}, 2, lambda: None)

    def by_key(self, log2n, length):
        count = 2**log2n
        keys = torch.arange(count, dtype=torch.int32, device="cuda") // length
        values, runs = self.random("f32", count), (count + length - 1) // length
        out, unique = torch.empty(runs, device="cuda"), torch.empty(runs, dtype=torch.int32, device="cuda")
        found, of_segments = torch.zeros(1, dtype=torch.int64, device="cuda"), torch.empty(runs, device="cuda")
        offsets = torch.clamp(torch.arange(runs + 1, dtype=torch.int64, device="cuda") * length, max=count)
        spec = ReduceSpec(type=TYPES["f32"][0])
        segments = Segments(count=runs, offset_bytes=8, begins=offsets.data_ptr())

        def wavefold(k):
            self.call("wf_reduce_by_key_async", self.context, ctypes.byref(spec), TYPES["i32"][0], address(keys),
                      address(values), size(count), address(unique), address(out), size(4 * runs), address(found),
                      self.handle)

        def by_segments(k):
            self.call("wf_reduce_segments_async", self.context, ctypes.byref(spec), ctypes.byref(segments),
                      address(values), size(count), address(of_segments), size(4 * runs), self.handle)
        wavefold(0)
        by_segments(0)
        if found.item() != runs or not torch.equal(out, of_segments):
            raise SystemExit(f"reducing {count} elements by key is wrong")
        return self.measured({"wavefold": wavefold, "wf_reduce_segments": by_segments}, 2, lambda: None)

    def sort_rows(self, rows, length):
        source = self.random("f32", rows * length).reshape(rows, length)
        keys, spec = source.clone(), SortSpec(type=TYPES["f32"][0])

        def wavefold(k):
            self.call("wf_sort_rows_async", self.context, ctypes.byref(spec), address(keys), None, size(rows),
                      size(length), self.handle)
        wavefold(0)
        if not torch.equal(keys, torch.sort(source)[0]):
            raise SystemExit(f"the sort of {rows} rows of {length} is wrong")
        return self.measured({"wavefold": wavefold, "torch": lambda k: torch.sort(source)}, 1,
                             lambda: keys.copy_(source))

    def top_k(self, rows, length, k):
        source = self.random("f32", rows * length).reshape(rows, length)
        values = torch.empty(rows, k, device="cuda")
        positions = torch.empty(rows, k, dtype=torch.int64, device="cuda")
        spec = TopK(type=TYPES["f32"][0], k=k, position_bytes=8)

        def wavefold(_):
            self.call("wf_top_k_async", self.context, ctypes.byref(spec), address(source), size(rows), size(length),
                      address(values), address(positions), self.handle)
        wavefold(0)
        if not torch.equal(values, torch.topk(source, k)[0]) or not torch.equal(source.gather(1, positions), values):
            raise SystemExit(f"the top {k} of {rows} rows of {length} are wrong")
        return self.measured({"wavefold": wavefold, "torch": lambda _: torch.topk(source, k)}, 4, lambda: None)


def table(title, head, cells):
    names = list(cells[0][1])
    lines = [f"## {title}", "", f"| {head} | " + " | ".join(f"{name}, us" for name in names) + " |",
             "|---" * (len(names) + 1) + "|"]
    for label, seconds in cells:
        lines.append(f"| {label} | " + " | ".join(f"{1e6 * seconds[name][1]:.1f}" for name in names) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--samples", type=int, default=9)
    parser.add_argument("--out", type=results_folder, default=pathlib.Path("results"))
    parser.add_argument("--library", default="build/lib/libwavefold.so")
    parser.add_argument("--peers", default="build/bench/libbench-scans_sorts.so")
    parser.add_argument("--commit", default=output_of("git", "rev-parse", "--short", "HEAD"))
    arguments = parser.parse_args()
    if torch is None or not torch.cuda.is_available():
        raise SystemExit("bench/by_key.py: a GPU is measured beside torch, and torch is missing or has no GPU")
    bench, name = ByKey(arguments), torch.cuda.get_device_name()
    of_bins = [(f"2^{log2n} in {bins}", (log2n, bins)) for log2n, bins in BINS]
    cases = [("Sums of f32 by index", "elements in bins", bench.scatter, of_bins),
             ("Counts by index", "elements in bins", bench.counts, of_bins),
             ("Sums of f32 by key, 2^26 elements", "elements of a key", bench.by_key,
              [(length, (26, length)) for length in (1, 4, 16, 100, 10000)]),
             ("Sorts of rows of f32", "rows x length", bench.sort_rows, [(f"{r} x {n}", (r, n)) for r, n in ROWS]),
             ("Top k of rows of f32", "rows x length, k", bench.top_k, [(f"{r} x {n}, {k}", (r, n, k))
                                                                       for r, n, k in TOP])]
    about = {"device": name, "commit": arguments.commit, "samples": arguments.samples, "torch": torch.__version__,
             "driver": output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")}
    folder, document, tables = device_folder(arguments.out, name), {"about": about, "cells": {}}, []
    for title, head, measure, of in cases:
        cells = [(label, measure(*parameters)) for label, parameters in of]
        document["cells"][title] = dict(map(lambda cell: (str(cell[0]), cell[1]), cells))
        tables.append(table(title, head, cells))
        print(tables[-1], flush=True)
        write_json(folder / "by_key.json", document)
        (folder / "by_key.md").write_text(
            f"# Reductions by index and by key, sorts of rows, top k\n\n{name}, driver {about['driver']}, commit "
            f"{about['commit']}; torch {about['torch']}. Device time of a call in a CUDA graph, medians of "
            f"{about['samples']}, by `bench/by_key.py`.\n\n" + "\n".join(tables))
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
