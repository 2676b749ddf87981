#!/usr/bin/env python3
"""Measures reductions of every shape along an axis: on an NVIDIA GPU beside torch, CuPy and CUB, on a CPU beside NumPy
and torch. Writes one table for each operator.

    bench/shapes.py [--device gpu|cpu] [--log2n 28] [--step 1] [--out results]
                    [--library build/lib/libwavefold.so] [--peers build/bench/libbench-shapes.so]
    bench/shapes.py --join RUN/shapes.json... [--out results]

Matrices of 2^k rows and 2^(log2n - k) columns, for every step-th k, are reduced along their rows and along their
columns; some small ones along their rows. Writes <out>/<device>/shapes.json (least, median and most of the samples) and
shapes.md after each type, so that a run that is cut short keeps what it measured; --join makes one table of several
runs. A GPU needs torch, a CPU needs NumPy. A result that differs between sides ends the program. WAVEFOLD_BACKEND_PATH
names the folder of the library's modules, if that is not wavefold/ next to it.
"""
import argparse
import collections
import json
import pathlib
import statistics
import sys

from about import device_folder, output_of, results_folder, write_json
from shapes_sides import COLUMNS, OPERATORS, ROWS, TYPES, Cell, measure, pool_bytes
from shapes_tables import sections, summary

LOG2N = {"gpu": 28, "cpu": 26}
LEAST_SAMPLES = 7
SMALL = [("sum", (1, 8, 64, 512), 4096), ("argmax", (1, 8, 128), 129280)]  # rows and columns of bf16


def large_cells(operators, kind, log2n, step):
    return [Cell(operator, kind, axis, 2**k, 2**(log2n - k))
            for operator in operators for axis in (ROWS, COLUMNS) for k in range(0, log2n + 1, step)]


def small_cells(operators, kind):
    if kind != "bf16":
        return []
    return [Cell(operator, kind, ROWS, rows, columns)
            for operator, counts, columns in SMALL if operator in operators for rows in counts]


def bench_of(device, library, peers):
    """The sides of a device: "gpu", "cpu", or None: a GPU if torch has one."""
    if device != "cpu":
        import shapes_gpu
        if shapes_gpu.is_there():
            return shapes_gpu.Gpu(library, peers)
        if device == "gpu":
            raise SystemExit("bench/shapes.py: a GPU is measured by torch, and torch is missing or has no GPU")
    try:
        import shapes_cpu
    except ImportError as error:
        raise SystemExit(f"bench/shapes.py: a CPU is measured beside NumPy: {error}") from error
    return shapes_cpu.Cpu(library)


def summarised(samples):
    """Least, median and most, of four digits."""
    return [float(f"{value:.4g}") for value in (min(samples), statistics.median(samples), max(samples))]


def measured_cell(bench, cell, is_small, copy_speed, samples, failed):
    seconds, failed_here = measure(bench, cell, samples)
    bench.forget_cell()
    for name, why in failed_here.items():
        failed[name][why] += 1
    moved = cell.array_bytes + cell.results * bench.wavefold.result_bytes(cell)
    return {**cell._asdict(), "small": is_small, "floor": float(f"{moved / copy_speed:.4g}"),
            "seconds": {name: summarised(taken) for name, taken in seconds.items()}}


def command_of(arguments):
    """With the options that choose cells, where they are not the defaults."""
    words = ["bench/shapes.py", "--log2n", arguments.log2n]
    words += ["--step", arguments.step] if arguments.step > 1 else []
    for name, every in (("types", TYPES), ("operators", OPERATORS)):
        chosen = getattr(arguments, name)
        words += [f"--{name}", *chosen] if chosen != list(every) else []
    return " ".join(map(str, words + ["--large-only"] * arguments.large_only))


def about_run(bench, arguments):
    return {
        "device": bench.device,
        "driver": output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split("\n")[0],
        "compiler": output_of("nvcc", "--version").split("\n")[-1],
        "commit": arguments.commit,
        "samples": arguments.samples,
        "time": bench.time,
        "command": command_of(arguments),
    }


def run(bench, arguments, write):
    """Measures every cell, type by type."""
    copy, failed = bench.copy_speed(arguments.samples), collections.defaultdict(collections.Counter)
    document = {"about": about_run(bench, arguments), "copy": summarised(copy), "peers": bench.peers,
                "missing": bench.missing, "failed": failed, "cells": []}
    for kind in arguments.types:
        large = large_cells(arguments.operators, kind, arguments.log2n, arguments.step)
        small = [] if arguments.large_only else small_cells(arguments.operators, kind)
        bench.fill(kind, pool_bytes(large + small))
        for cells, is_small in ((large, False), (small, True)):
            document["cells"] += [measured_cell(bench, cell, is_small, statistics.median(copy), arguments.samples,
                                                failed) for cell in cells]
        write(document)
        print(f"{kind}: {len(large) + len(small)} cells measured", file=sys.stderr, flush=True)
    return document


def joined(paths):
    """One document of several runs on one device: the first one's head, and all cells; the last of each."""
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    devices = {document["about"]["device"] for document in documents}
    if len(devices) > 1:
        raise SystemExit(f"bench/shapes.py: these runs are of several devices: {', '.join(sorted(devices))}")
    failed = collections.defaultdict(collections.Counter)
    for document in documents:
        for name, reasons in document["failed"].items():
            failed[name].update(reasons)
    cells = {(*map(cell.get, Cell._fields), cell["small"]): cell
             for document in documents for cell in document["cells"]}
    return {**documents[0], "failed": failed, "cells": list(cells.values())}


def writer(out):
    def write(document):
        folder = device_folder(out, document["about"]["device"])
        write_json(folder / "shapes.json", document)
        (folder / "shapes.md").write_text("\n\n".join(sections(document)) + "\n", encoding="utf-8")
    return write


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("gpu", "cpu"), help="default: a GPU if torch has one")
    parser.add_argument("--log2n", type=int, help="of the elements; default: 28 on a GPU, 26 on a CPU")
    parser.add_argument("--step", default=1, type=int, help="measures every STEP-th k")
    parser.add_argument("--samples", default=LEAST_SAMPLES, type=int, help=f"of each side, {LEAST_SAMPLES} or more")
    parser.add_argument("--types", nargs="+", choices=TYPES, default=list(TYPES))
    parser.add_argument("--operators", nargs="+", choices=OPERATORS, default=list(OPERATORS))
    parser.add_argument("--large-only", action="store_true", help="leaves out the small arrays")
    parser.add_argument("--library", default="build/lib/libwavefold.so", type=pathlib.Path)
    parser.add_argument("--peers", default="build/bench/libbench-shapes.so", type=pathlib.Path, help="CUB's library")
    parser.add_argument("--join", nargs="+", type=pathlib.Path, metavar="FILE", help="measures nothing")
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()
    if arguments.step < 1 or arguments.samples < LEAST_SAMPLES:
        parser.error(f"--step is at least 1, --samples at least {LEAST_SAMPLES}")
    if arguments.log2n is not None and not 0 <= arguments.log2n <= 40:
        parser.error("--log2n is 0 to 40")
    return arguments


def main():
    arguments = parse_arguments()
    write = writer(arguments.out)
    if arguments.join:
        document = joined(arguments.join)
        write(document)
    else:
        bench = bench_of(arguments.device, arguments.library.absolute(), arguments.peers.absolute())
        if arguments.log2n is None:
            arguments.log2n = LOG2N[bench.kind]
        document = run(bench, arguments, write)
    print(summary(document["cells"]))


if __name__ == "__main__":
    main()
