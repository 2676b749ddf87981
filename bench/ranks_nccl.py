#!/usr/bin/env python3
"""Runs bench-ranks-nccl, which measures exact sums over the GPUs of this host beside NCCL's own; writes the results.

    bench/ranks_nccl.py [--program build/bench/bench-ranks-nccl] [--quick] [--out results]

Writes <out>/<device>/ranks-<GPUs>.json (least, median and most of the samples) and ranks-<GPUs>.md (medians, and what
was aimed at). Needs Python's standard library alone. -DWF_BENCH=ON builds the program, where NCCL is.
"""
import argparse

from about import (condensed, cub_version, device_folder, measured_by, output_of, results_folder, size_text,
                   write_json)
from reduce import median, micro, table

SCALING = {4: 3.8, 2: 1.9}  # times one GPU's speed, at least, by GPUs
AT_A_MILLION = 1.5  # times CUB's sum and ncclAllReduce of a float, at most, at 2^20 elements of each GPU
FIELDS = 64
MANY_FIELDS = 2  # times the message of one, at most


def seconds(measured, group, side, parameter=None):
    """The samples of a side."""
    return next(row["seconds"] for row in measured["results"]
                if row["group"] == group and row["side"] == side and parameter in (None, row["parameter"]))


def parameters(measured, group):
    return sorted({row["parameter"] for row in measured["results"]
                   if row["group"] == group and row["side"] == "exact"})


def met(does):
    return "met" if does else "missed"


def message_of(measured, n):
    """Seconds that a message of n fields takes: with the folds, less the folds."""
    return (median(seconds(measured, "fields", "exact", n)) -
            median(seconds(measured, "fields", "exact, local", n)))


def aims(measured):
    gpus = measured["ranks"]
    faster = median(seconds(measured, "large", "one GPU, exact")) / median(seconds(measured, "large", "exact"))
    if gpus in SCALING:
        yield ["2^32 f32 in all: speed / one GPU's", f">= {SCALING[gpus]}", f"{faster:.2f}",
               met(faster >= SCALING[gpus])]
    longer = (median(seconds(measured, "small", "exact", 1 << 20)) /
              median(seconds(measured, "small", "CUB, ncclAllReduce", 1 << 20)))
    yield ["2^20 f32 of each GPU: time / CUB and ncclAllReduce of a float", f"<= {AT_A_MILLION}", f"{longer:.2f}",
           met(longer <= AT_A_MILLION)]
    many = message_of(measured, FIELDS) / message_of(measured, 1)
    yield [f"{FIELDS} fields in one message: time / one", f"<= {MANY_FIELDS}", f"{many:.2f}", met(many <= MANY_FIELDS)]


def sections(measured, about):
    yield f"# Exact sums over {measured['ranks']} GPUs: {about['device']}"
    yield (f"Medians of {measured['repeat']} samples. Driver {about['driver']}, compiler {about['compiler']}, NCCL "
           f"{about['nccl']}, CUB {about['cub']}, commit {about['commit']}. Made by `{about['command']}`"
           f"{about['set']}. One process, a thread and a stream for each GPU. Times are device time in a graph of "
           "launches, of the ranks' the longest; sides in turn in one run. The bits of the sum were those of one GPU.")
    yield "## What was aimed at\n\n" + table(["", "aim", "measured", ""], aims(measured))
    yield "## 2^32 f32 in all\n\n" + table(
        ["", "ms", "GB/s, all GPUs"],
        [[side, f"{1e3 * median(seconds(measured, 'large', side)):.3f}",
          f"{1e-9 * 4 * (1 << 32) / median(seconds(measured, 'large', side)):.0f}"]
         for side in ("one GPU, exact", "exact", "CUB, ncclAllReduce")])
    rows = []
    for n in parameters(measured, "small"):
        sides = [seconds(measured, "small", side, n)
                 for side in ("exact", "CUB, ncclAllReduce", "exact, local", "CUB, local")]
        rows.append([size_text(n), *map(micro, sides), f"{median(sides[0]) / median(sides[1]):.2f}"])
    yield ("## f32 of each GPU\n\n`wf_nccl_reduce_async`, beside `cub::DeviceReduce::Sum` and `ncclAllReduce` of one "
           "float; and what of that is the sum of one GPU's part.\n\n" +
           table(["n", "exact µs", "CUB, ncclAllReduce µs", "exact, local µs", "CUB, local µs", "exact / CUB"], rows))
    rows = []
    for n in parameters(measured, "fields"):
        whole, folds = (seconds(measured, "fields", side, n) for side in ("exact", "exact, local"))
        rows.append([str(n), micro(whole), micro(folds), f"{1e6 * message_of(measured, n):.2f}",
                     micro(seconds(measured, "fields", "ncclAllReduce of words", 2 + 75 * n)),
                     micro(seconds(measured, "fields", "ncclAllReduce of floats", n))])
    yield ("## Many fields of 1024 f32 in one message\n\nThe message is what the folds do not take. Beside it "
           "`ncclAllReduce` alone, of as many words of 64 bits, and of a float for each field.\n\n" +
           table(["fields", "all µs", "folds µs", "message µs", "ncclAllReduce of the words µs",
                  "ncclAllReduce of floats µs"], rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bench/bench-ranks-nccl")
    parser.add_argument("--quick", action="store_true", help="3 samples of each")
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()

    measured = measured_by(arguments.program, *(["--quick"] if arguments.quick else []))
    nccl = measured["nccl"]
    about = {
        "device": measured["device"],
        "driver": output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split("\n")[0],
        "compiler": measured["compiler"],
        "nccl": f"{nccl // 10000}.{nccl // 100 % 100}.{nccl % 100}",
        "cub": cub_version(measured["cub"]),
        "commit": arguments.commit,
        "command": "bench/ranks_nccl.py" + (" --quick" if arguments.quick else ""),
        "set": "".join(f", with {line}" for line in output_of("env").split("\n") if line.startswith("NCCL_")),
    }
    folder, name = device_folder(arguments.out, measured["device"]), f"ranks-{measured['ranks']}"
    write_json(folder / f"{name}.json", condensed({"about": about, **measured}))
    (folder / f"{name}.md").write_text("\n\n".join(sections(measured, about)) + "\n")
    print((folder / f"{name}.md").read_text())


if __name__ == "__main__":
    main()
