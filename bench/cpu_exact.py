#!/usr/bin/env python3
"""Runs bench-cpu-exact, which measures exact sums on the CPU beside fast ones and reading; writes the results as files.

    bench/cpu_exact.py [--program build/bench/bench-cpu-exact] [--n 2^26] [--samples 21] [--out results]

Writes <out>/<CPU>/exact.json (least, median and most of the samples) and exact.md. Needs Python's standard library
alone, and bench-cpu-exact, which -DWF_BENCH=ON builds.
"""
import argparse
import time

from about import condensed, cpu_and_cores, device_folder, measured_by, output_of, results_folder, size_text, write_json
from reduce import median, table

SPEEDS = ("exact", "fast", "read ceiling")


def rows(results, choose):
    for result in results:
        time_of = {name: choose(result["cold"][name]) for name in SPEEDS}
        yield [result["type"], result["data"], size_text(result["n"]),
               *[f"{1e-9 * result['bytes'] / time_of[name]:.1f}" for name in SPEEDS],
               f"{time_of['fast'] / time_of['exact']:.2f}", f"{time_of['read ceiling'] / time_of['exact']:.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bench/bench-cpu-exact")
    parser.add_argument("--n", default="2^26")
    parser.add_argument("--samples", type=int, default=21)
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--note", default="", help="a sentence for the results, such as what else the machine did")
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()

    base, _, power = arguments.n.partition("^")
    results = measured_by(arguments.program, "--n", int(base) ** int(power or 1), "--samples", arguments.samples)
    cpu, cores = cpu_and_cores()
    about = {"device": cpu, "cores": cores, "compiler": output_of("c++", "--version").split("\n")[0],
             "commit": arguments.commit, "date": time.strftime("%Y-%m-%d"),
             "command": f"bench/cpu_exact.py --n {arguments.n} --samples {arguments.samples}"}
    folder = device_folder(arguments.out, cpu)
    write_json(folder / "exact.json", condensed({"about": about, "results": results}))
    head = ["type", "data", "n", *[f"{name} GB/s" for name in SPEEDS], "exact / fast", "exact / read ceiling"]
    parts = [f"# Exact sums on the CPU: {cpu}, {cores} cores",
             f"{arguments.samples} calls of wf_reduce, `WF_ACCURACY_EXACT` and `WF_ACCURACY_FAST`, and of "
             f"wf_read_ceiling, in turn in one run, each on another part of 2 GiB. Ratios are of speeds. \"All "
             f"exponents\" are random bits, of finite numbers alone. Sums of f16 and bf16 are rounded into f32. "
             f"Compiler {about['compiler']}, commit {about['commit']}, {about['date']}. Made by `{about['command']}`.",
             *([arguments.note] if arguments.note else []),
             "## Medians\n\n" + table(head, rows(results, median)),
             "## The fastest call of each\n\nWhat else the machine does meanwhile counts least here.\n\n" +
             table(head, rows(results, min))]
    (folder / "exact.md").write_text("\n\n".join(parts) + "\n")
    print((folder / "exact.md").read_text())


if __name__ == "__main__":
    main()
