#!/usr/bin/env python3
"""Measures wf_scan and wf_sort on an NVIDIA GPU beside CUB and torch, in one run. Writes one table for each.

    bench/scans_sorts.py [--log2n 10 28] [--step 2] [--out results] [--samples 9]
                         [--library build/lib/libwavefold.so] [--peers build/bench/libbench-scans_sorts.so]

Times are device times of calls in a CUDA graph, each on another array. Small arrays may lie in a cache, for all sides
alike. Keys are random, and copied anew before each sample, since wf_sort sorts in place. Results are
compared: sorts with torch's, scans of integers with torch's, and scans of floats with an f64 scan, within the bound of
a running sum. Writes <out>/<device>/scans_sorts.json and .md. Needs torch.
"""
import argparse
import ctypes
import pathlib
import statistics

from about import cub_version, device_folder, output_of, results_folder, write_json
from shapes_gpu import captured, torch

# Name: number in wavefold.h, torch's type of the same size, bytes, roundoff (None: exact).
TYPES = {"f32": (0, "float32", 4, 2**-24), "f64": (1, "float64", 8, 2**-53), "i32": (2, "int32", 4, None),
         "i64": (3, "int64", 8, None), "u32": (4, "int32", 4, None), "u64": (5, "int64", 8, None),
         "u8": (8, "uint8", 1, None), "u16": (9, "int16", 2, None)}
SCANS = ["f32", "f64", "i32", "i64"]
SORTS = [("u32", False), ("f32", False), ("u64", False), ("u8", False), ("u16", False), ("u32", True)]
GRAPH_BYTES, MOST_CALLS = 1 << 29, 32


class ReduceSpec(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("type", "op", "accumulator", "nan", "accuracy", "a", "b", "c")]


class ScanSpec(ctypes.Structure):
    _fields_ = [("reduce", ReduceSpec), ("flags", ctypes.c_uint32 * 6), ("initial", ctypes.c_void_p)]


class SortSpec(ctypes.Structure):
    _fields_ = [("type", ctypes.c_uint32), ("descending", ctypes.c_uint32), ("value_bytes", ctypes.c_uint32),
                ("rest", ctypes.c_uint32 * 5)]


def address(array):
    return ctypes.c_void_p(array.data_ptr() if array is not None else None)


class Bench:
    def __init__(self, arguments):
        self.samples = arguments.samples
        self.stream = torch.cuda.Stream()
        torch.cuda.set_stream(self.stream)
        self.handle = ctypes.c_void_p(self.stream.cuda_stream)
        self.library, self.cub = ctypes.CDLL(str(arguments.library)), ctypes.CDLL(str(arguments.peers))
        self.library.wf_last_error.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.call("wf_context_create", ctypes.byref(self.context), b"nvidia:0")

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments) != 0:
            raise SystemExit(f"{name}: {self.library.wf_last_error().decode()}")

    def of_cub(self, function, number, count, arrays_of_call):
        """Launches of a function of CUB, by the arrays of each call."""
        size = ctypes.c_size_t()

        def call(temporary, arrays):
            status = function(number, temporary, ctypes.byref(size), *map(address, arrays), ctypes.c_uint64(count),
                              self.handle)
            if status != 0:
                raise SystemExit(f"CUB: status {status}")
        call(None, arrays_of_call[0])
        memory = torch.empty(max(size.value, 1), dtype=torch.uint8, device="cuda")
        return lambda k: call(address(memory), arrays_of_call[k])

    def random(self, kind, count):
        dtype = getattr(torch, TYPES[kind][1])
        if dtype.is_floating_point:
            return torch.rand(count, dtype=dtype, device="cuda") * 2 - 1
        limits = torch.iinfo(dtype)
        low, high = (limits.min, limits.max) if dtype != torch.int64 else (-2**62, 2**62)
        return torch.randint(low, high, (count,), dtype=dtype, device="cuda")

    def measured(self, sides, calls, prepare):
        """Seconds of a call of each side: least, median and most. Sides take turns."""
        graphs = {}
        for name, call in sides.items():
            prepare()
            call(0)  # workspaces are made
            torch.cuda.synchronize()
            graphs[name] = captured(lambda call=call: [call(k) for k in range(calls)])
        taken = {name: [] for name in sides}
        for _ in range(self.samples):
            for name, graph in graphs.items():
                prepare()
                begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                torch.cuda.synchronize()
                begin.record()
                graph.replay()
                end.record()
                end.synchronize()
                taken[name].append(1e-3 * begin.elapsed_time(end) / calls)
        del graphs  # whose captures have workspaces of their own
        torch.cuda.synchronize()
        self.library.wf_context_forget_stream(self.context, self.handle)
        return {name: [float(f"{x:.4g}") for x in (min(of), statistics.median(of), max(of))]
                for name, of in taken.items()}

    def scan(self, kind, count):
        number, name, size, roundoff = TYPES[kind]
        dtype = getattr(torch, name)
        calls = max(2, min(MOST_CALLS, GRAPH_BYTES // (count * size)))
        ins = [self.random(kind, count) for _ in range(calls)]
        out = torch.empty(count, dtype=dtype, device="cuda")
        spec = ScanSpec(reduce=ReduceSpec(type=number))

        def wavefold(k):
            self.call("wf_scan_async", self.context, ctypes.byref(spec), address(ins[k]), ctypes.c_size_t(count),
                      address(out), self.handle)
        sides = {"wavefold": wavefold,
                 "CUB": self.of_cub(self.cub.bench_scan, number, count, [(array, out) for array in ins]),
                 "torch": lambda k: torch.cumsum(ins[k], 0, dtype=dtype, out=out)}
        expected = torch.cumsum(ins[0], 0, dtype=torch.float64 if roundoff else dtype)
        for side, call in sides.items():
            call(0)
            if roundoff:
                bound = roundoff * count * torch.cumsum(ins[0].abs(), 0, dtype=torch.float64)
                is_right = bool(((out.double() - expected).abs() <= bound).all())
            else:
                is_right = torch.equal(out, expected)
            if not is_right:
                raise SystemExit(f"{side}: the scan of {count} {kind} is wrong")
        return self.measured(sides, calls, lambda: None)

    def sort(self, kind, has_values, count):
        number, name, size, _ = TYPES[kind]
        dtype = getattr(torch, name)
        calls = max(2, min(MOST_CALLS, GRAPH_BYTES // (count * size)))
        sources = [self.random(kind, count) for _ in range(calls)]
        keys, out = [source.clone() for source in sources], torch.empty(count, dtype=dtype, device="cuda")
        values, own, moved = [torch.arange(count, dtype=torch.int32, device="cuda") if has_values else None
                              for _ in range(3)]
        spec = SortSpec(type=number, value_bytes=4 if has_values else 0)

        def prepare():
            for key, source in zip(keys, sources):
                key.copy_(source)

        def wavefold(k):
            self.call("wf_sort_async", self.context, ctypes.byref(spec), address(keys[k]), address(own),
                      ctypes.c_size_t(count), self.handle)
        sides = {"wavefold": wavefold,
                 "CUB": self.of_cub(self.cub.bench_sort, number, count,
                                    [(source, out, values, moved) for source in sources])}
        if dtype.is_floating_point and not has_values:
            sides["torch"] = lambda k: torch.sort(sources[k])
        sides["wavefold"](0)
        sides["CUB"](0)
        is_right = torch.equal(keys[0].view(torch.uint8), out.view(torch.uint8))
        if not is_right or (has_values and not torch.equal(own, moved)):
            raise SystemExit(f"the sorts of {count} {kind} differ")
        return self.measured(sides, calls, prepare)


def table(title, cells):
    names = [name for name in ("wavefold", "CUB", "torch") if any(name in cell["seconds"] for cell in cells)]
    lines = [f"## {title}", "", "| n | " + " | ".join(f"{name}, us" for name in names) + " | CUB / wavefold |",
             "|---" * (len(names) + 2) + "|"]
    for cell in cells:
        medians = {name: seconds[1] for name, seconds in cell["seconds"].items()}
        row = [f"2^{cell['log2n']}", *(f"{1e6 * medians[name]:.1f}" if name in medians else "" for name in names),
               f"{medians['CUB'] / medians['wavefold']:.2f}"]
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--log2n", type=int, nargs=2, default=(10, 28))
    parser.add_argument("--step", type=int, default=2)
    parser.add_argument("--samples", type=int, default=9)
    parser.add_argument("--out", type=results_folder, default=pathlib.Path("results"))
    parser.add_argument("--library", default="build/lib/libwavefold.so")
    parser.add_argument("--peers", default="build/bench/libbench-scans_sorts.so")
    parser.add_argument("--commit", default=output_of("git", "rev-parse", "--short", "HEAD"))
    arguments = parser.parse_args()
    if torch is None or not torch.cuda.is_available():
        raise SystemExit("bench/scans_sorts.py: a GPU is measured beside torch, and torch is missing or has no GPU")
    bench, cells = Bench(arguments), []
    name = torch.cuda.get_device_name()
    folder = device_folder(arguments.out, name)
    cases = [("scan", kind, False) for kind in SCANS] + [("sort", *case) for case in SORTS]
    document = {"about": {"device": name, "commit": arguments.commit, "samples": arguments.samples,
                          "driver": output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")},
                "peers": {"CUB": cub_version(bench.cub.bench_cub_version()), "torch": torch.__version__},
                "cells": cells}
    tables = []
    for what, kind, has_values in cases:
        mine = []
        for log2n in range(arguments.log2n[0], arguments.log2n[1] + 1, arguments.step):
            seconds = bench.scan(kind, 2**log2n) if what == "scan" else bench.sort(kind, has_values, 2**log2n)
            mine.append({"what": what, "type": kind, "values": has_values, "log2n": log2n, "seconds": seconds})
            torch.cuda.empty_cache()
        cells += mine
        title = f"Inclusive sum of {kind}" if what == "scan" else f"Sort of {kind}"
        title += " with values of 4 bytes" if has_values else ""
        tables.append(table(title, mine))
        print(tables[-1], flush=True)
        write_json(folder / "scans_sorts.json", document)
        about = document["about"]
        (folder / "scans_sorts.md").write_text(
            f"# Scans and sorts\n\n{about['device']}, driver {about['driver']}, commit {about['commit']}; CUB "
            f"{document['peers']['CUB']}, torch {document['peers']['torch']}. Device time of a call in a CUDA graph, "
            f"medians of {about['samples']}, by `bench/scans_sorts.py`.\n\n" + "\n".join(tables))


if __name__ == "__main__":
    main()
