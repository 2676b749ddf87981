#!/usr/bin/env python3
"""Runs bench-ratios, which measures wf_reduce beside CUB in every cell: types, operators, sizes, cold and hot; with
each CUB for which there is a program. Writes one table of ratios.

    bench/ratios.py [--folder build/bench] [--samples 7] [--log2 32] [--out results]

Writes <out>/<device>/ratios.json and ratios.md. Needs Python's standard library alone.
"""
import argparse
import collections
import math
import pathlib
import statistics

from about import (condensed, cub_version, device_folder, measured_by, output_of, power_of, results_folder, size_text,
                   write_json)

PROGRAMS = ("bench-ratios", "bench-ratios-cccl")
TYPES = ("f32", "f64", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
MEAN_OF = range(12, 23)  # powers of two


def ratio(seconds):
    ours, cub = seconds
    return cub / ours


def cell_text(value):
    return f"{value:.2f}" if value >= 1 else f"**{value:.2f}**"


def mean_of(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else math.nan


def rows_of(cells, kind):
    rows = collections.defaultdict(dict)
    for cell in cells:
        if kind in cell:
            rows[cell["operation"], cell["type"]][cell["n"]] = ratio(cell[kind])
    return rows


def table(rows, chosen):
    sizes = sorted({n for row in rows.values() for n in row if chosen(n)})
    lines = ["| | " + " | ".join(map(size_text, sizes)) + " | mean |", "|---" * (len(sizes) + 2) + "|"]
    for (operation, kind), row in rows.items():
        mean = mean_of([value for n, value in row.items() if power_of(n) in MEAN_OF])
        lines.append(f"| {operation} {kind} | " +
                     " | ".join(cell_text(row[n]) if n in row else "" for n in sizes) + f" | {mean:.2f} |")
    return "\n".join(lines)


def summary(measured):
    lines = ["| beside | cells | at least 1.00 | 0.97 to 1.00 | below 0.97 | the least | mean of all |",
             "|---|---|---|---|---|---|---|"]
    for cub, cells in measured.items():
        for kind in ("cold", "hot"):
            every = [(ratio(cell[kind]), cell) for cell in cells if kind in cell]
            values = [value for value, _ in every]
            least, where = min(every, key=lambda one: one[0])
            lines.append(f"| {cub}, {kind} | {len(values)} | {sum(v >= 1 for v in values)} | "
                         f"{sum(0.97 <= v < 1 for v in values)} | {sum(v < 0.97 for v in values)} | {least:.2f} "
                         f"({where['operation']} {where['type']}, {size_text(where['n'])}) | {mean_of(values):.2f} |")
    return "\n".join(lines)


COLUMNS = ["n", "cold wavefold", "cold CUB", "hot wavefold", "hot CUB"]  # of the file; times in nanoseconds


def packed(measured):
    """The cells as the file has them: {CUB: {"sum f32": [[n, time, ...], ...]}}."""
    times = {cub: collections.defaultdict(list) for cub in measured}
    for cub, cells in measured.items():
        for cell in cells:
            seconds = [*cell["cold"], *cell.get("hot", [])]
            times[cub][f"{cell['operation']} {cell['type']}"].append([cell["n"], *(round(1e9 * s, 4) for s in seconds)])
    return {"columns": COLUMNS, "nanoseconds": times}


def unpacked(document):
    """The cells of a file."""
    measured = {}
    for cub, of_cub in document["nanoseconds"].items():
        measured[cub] = []
        for what, rows in of_cub.items():
            operation, kind = what.split()
            for n, *times in rows:
                seconds = [time / 1e9 for time in times]
                sides = {"cold": seconds[:2], "hot": seconds[2:]}
                measured[cub].append({"operation": operation, "type": kind, "n": n} |
                                     {heat: pair for heat, pair in sides.items() if pair})
    return measured


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default="build/bench", type=pathlib.Path, help="where the programs are")
    parser.add_argument("--samples", default=7, type=int, help="of each side of a cell")
    parser.add_argument("--log2", default=32, type=int, help="of the largest number of elements")
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()

    programs = [arguments.folder / name for name in PROGRAMS if (arguments.folder / name).exists()]
    if not programs:
        parser.error(f"{arguments.folder} has no {PROGRAMS[0]}: configure with -DWF_BENCH=ON -DWF_NVIDIA=ON, and "
                     "build it")
    measured, device, empty = collections.defaultdict(list), None, []
    for program in programs:
        for of in TYPES:  # a process each: the longer one runs, the likelier its launches take longer (graph.cuh)
            document = measured_by(program, arguments.samples, arguments.log2, of)
            device = document["device"]
            measured[f"CUB {cub_version(document['cub'])}"] += document["cells"]
            empty += document["empty launch"]
    about = {
        "device": device,
        "driver": output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split("\n")[0],
        "compiler": output_of("nvcc", "--version").split("\n")[-1],
        "commit": arguments.commit,
        "samples": arguments.samples,
        "empty launch": empty,
    }
    folder = device_folder(arguments.out, device)
    write_json(folder / "ratios.json", {"about": condensed(about), **packed(measured)})
    parts = [
        f"# How many times as fast as CUB, on {device}",
        f"Device time in a graph of launches; medians of {arguments.samples}, sides in turn. Cold: data that no cache "
        f"holds; hot: one array. Driver {about['driver']}, compiler {about['compiler']}, commit {about['commit']}. "
        "Made by `bench/ratios.py`. Sums of floats are fast ones (WF_ACCURACY_FAST). Bold cells are below 1. The mean "
        f"is the geometric one of 2^{MEAN_OF[0]} to 2^{MEAN_OF[-1]}. An empty launch in such a graph took "
        f"{1e6 * min(empty):.2f} to {1e6 * max(empty):.2f} µs.",
        summary(measured),
    ]
    for cub, cells in measured.items():
        for kind in ("cold", "hot"):
            rows = rows_of(cells, kind)
            parts += [f"## Beside {cub}, {kind}", table(rows, lambda n: power_of(n) is not None),
                      table(rows, lambda n: power_of(n) is None)]
    (folder / "ratios.md").write_text("\n\n".join(parts) + "\n")
    print("\n\n".join(parts[:3]))


if __name__ == "__main__":
    main()
