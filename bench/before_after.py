#!/usr/bin/env python3
"""Compares wf_reduce's device time of two builds, each measured by several runs of its bench-reduce, on one GPU.

    bench/before_after.py --before NAME RUN.json... --after NAME RUN.json... [--out results]

NAME says which commit it is; a RUN is what bench-reduce printed, the builds run in turn. Writes
<out>/<device>/before-after.md: of each cell the median of the runs' medians. The spread is what runs of one build
differ by: what lies within it says nothing.
"""
import argparse
import collections
import json
import math
import pathlib
import statistics

from about import device_folder, output_of, results_folder

LISTED = 12


def load(path):
    try:
        text = pathlib.Path(path).read_text()
        return json.loads(text[text.index("{"):])
    except (OSError, ValueError) as error:
        raise SystemExit(f"cannot take '{path}' for what bench-reduce printed: {error}") from error


def medians(run):
    return {(row["operation"], row["type"], row["n"], key): statistics.median(row[key]["wavefold"])
            for row in run["results"] for key in ("device cold", "device hot") if key in row}


def cells(before, after):
    """(ratio, spread, cell, before, after), the worst first."""
    before, after = [medians(run) for run in before], [medians(run) for run in after]
    found = []
    for cell in before[0]:
        sides = [[run[cell] for run in runs] for runs in (before, after)]
        old, new = (statistics.median(side) for side in sides)
        spread = max(max(side) / min(side) for side in sides) - 1
        found.append((new / old, spread, cell, old, new))
    return sorted(found, reverse=True)


def geometric_mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def lines(device, names, runs, found):
    yield f"# wf_reduce before and after, on {device}"
    yield ""
    yield (f"Device time of {names[1]} over that of {names[0]}: below 1 is faster. {runs} runs of bench-reduce each, "
           f"in turn on one GPU, made by bench/before_after.py; {output_of('nvcc', '--version').splitlines()[-1]}.")
    yield ""
    ratios = [ratio for ratio, *_ in found]
    slower = sum(ratio > 1.02 for ratio in ratios)
    yield (f"{len(found)} cells: geometric mean {geometric_mean(ratios):.3f}; more than 2 % slower {slower}, more than "
           f"2 % faster {sum(ratio < 0.98 for ratio in ratios)}.")
    yield ""
    yield "| operator | type | geometric mean | slowest cell |"
    yield "|---|---|---|---|"
    kinds = collections.defaultdict(list)
    for ratio, _, (operation, kind, *_), *_ in found:
        kinds[operation, kind].append(ratio)
    for (operation, kind), of_kind in sorted(kinds.items()):
        yield f"| {operation} | {kind} | {geometric_mean(of_kind):.3f} | {max(of_kind):.3f} |"
    yield ""
    yield f"The {LISTED} slowest cells:"
    yield ""
    yield "| operator | type | n | caches | before | after | ratio | spread |"
    yield "|---|---|---|---|---|---|---|---|"
    for ratio, spread, (operation, kind, n, key), old, new in found[:LISTED]:
        yield (f"| {operation} | {kind} | {n} | {key.split()[1]} | {old * 1e6:.2f} µs | {new * 1e6:.2f} µs "
               f"| {ratio:.3f} | {spread:.1%} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", nargs="+", required=True, metavar="NAME RUN")
    parser.add_argument("--after", nargs="+", required=True, metavar="NAME RUN")
    parser.add_argument("--out", type=results_folder, default="results")
    args = parser.parse_args()
    if min(len(args.before), len(args.after)) < 2:
        parser.error("--before and --after take a name and the runs of at least one file each")
    before, after = [load(path) for path in args.before[1:]], [load(path) for path in args.after[1:]]
    device = before[0]["device"]
    if any(run["device"] != device for run in before + after):
        parser.error("the runs are of different devices: measure both builds on one")
    runs = min(len(before), len(after))
    text = "\n".join(lines(device, (args.before[0], args.after[0]), runs, cells(before, after)))
    path = device_folder(args.out, device) / "before-after.md"
    path.write_text(text + "\n")
    print(path)


if __name__ == "__main__":
    main()
