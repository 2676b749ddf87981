#!/usr/bin/env python3
"""Runs bench-cub, which measures rungs beside CUB in one run, and writes the results as files.

    bench/peers.py [--program build/bench/bench-cub] [--n 2^20 2^24 2^28] [--repeat 21] [--out results]

Writes <out>/<device>/peers.json (least, median and most of the samples) and peers.md. That has a table for each
operation: median device time, GB/s of the input, and how fast each side is relative to CUB. Needs Python's standard
library alone.
"""
import argparse
import statistics

from about import condensed, cub_version, device_folder, measured_by, output_of, results_folder, write_json


def parse_count(text):
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent or 1)


def title(result):
    return f"{result['operation']} of {result['type']}"


def table(results):
    """One operation on one type: a row per side, two columns per n."""
    head = "| |" + "".join(f" n = {result['n']} | | |" for result in results)
    lines = [head, "|---" * (1 + 3 * len(results)) + "|",
             "| side |" + " µs | GB/s | of CUB's speed |" * len(results)]
    for side in results[-1]["seconds"]:
        cells = []
        for result in results:
            median = {name: statistics.median(samples) for name, samples in result["seconds"].items()}
            cells += [f"{1e6 * median[side]:.1f}", f"{1e-9 * result['bytes'] / median[side]:.0f}",
                      "" if side in ("cub", "read ceiling") else f"{median['cub'] / median[side]:.2f}"]
        lines.append(f"| {side} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bench/bench-cub")
    parser.add_argument("--n", nargs="+", default=["2^20", "2^24", "2^28"])
    parser.add_argument("--repeat", type=int, default=21)
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()

    measured = measured_by(arguments.program, "--repeat", arguments.repeat, "--n", *map(parse_count, arguments.n))
    about = {
        "device": measured["device"],
        "driver": output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split("\n")[0],
        "compiler": output_of("nvcc", "--version").split("\n")[-1],
        "cub": measured["cub"],
        "commit": arguments.commit,
        "command": f"bench/peers.py --n {' '.join(arguments.n)} --repeat {arguments.repeat}",
    }
    operations = {}
    for result in measured["results"]:
        operations.setdefault(title(result), []).append(result)
    folder = device_folder(arguments.out, measured["device"])
    write_json(folder / "peers.json", condensed({"about": about, "results": measured["results"]}))
    (folder / "peers.md").write_text(
        f"# Beside CUB {cub_version(about['cub'])} on {about['device']}\n\n"
        f"Device time, median of {arguments.repeat}, every side timed in turn in one run, of data that no cache holds; "
        "GB/s are those of\nthe input."
        "\n"
        f"Driver {about['driver']}, compiler {about['compiler']}, commit {about['commit']}. Made by "
        f"`{about['command']}`.\n\n"
        + "\n\n".join(f"## {name}\n\n{table(results)}" for name, results in operations.items()) + "\n")
    print((folder / "peers.md").read_text())


if __name__ == "__main__":
    main()
