#!/usr/bin/env python3
"""Runs bench-describe, which measures wf_describe beside a sum; writes the results.

    bench/describe.py [--program build/bench/bench-describe] [--out results]

Writes <out>/<device>/describe.json (least, median and most of the samples) and describe.md (medians, and what was aimed
at). Needs Python's standard library alone. -DWF_BENCH=ON builds the program.
"""
import argparse

from about import condensed, device_folder, measured_by, output_of, results_folder, size_text, write_json
from reduce import geometric_mean, median, micro, table

SMALL = range(10, 23)  # exponents of n
SMALL_LONGEST = 1.3  # times the sum's time, at most
LARGE_LEAST = 0.95  # of the read ceiling at 2^28, at least, for elements of 4 and 8 bytes


def size_of(row):
    return row["n"].bit_length() - 1


def longer(row):
    """How many times as long as the sum."""
    return median(row["seconds"]["describe"]) / median(row["seconds"]["sum"])


def share(row):
    """Of the read ceiling."""
    return median(row["seconds"]["read"]) / median(row["seconds"]["describe"])


def small(rows, kinds):
    of = {(row["type"], size_of(row)): row for row in rows}
    body = [[f"2^{k}", *[cell for kind in kinds for cell in
                         (f"{micro(of[kind, k]['seconds']['describe'])} / {micro(of[kind, k]['seconds']['sum'])}",
                          f"{longer(of[kind, k]):.2f}")]] for k in SMALL]
    means = [geometric_mean([longer(of[kind, k]) for k in SMALL]) for kind in kinds]
    body.append(["geometric mean", *[cell for mean in means for cell in ("", f"{mean:.2f}")]])
    return table(["n", *[cell for kind in kinds for cell in (f"{kind}, describe / sum µs", "ratio")]], body)


def large(rows):
    return table(["type", "n", "describe µs", "sum µs", "describe GB/s", "of the ceiling"],
                 [[row["type"], size_text(row["n"]), micro(row["seconds"]["describe"]), micro(row["seconds"]["sum"]),
                   f"{1e-9 * row['bytes'] / median(row['seconds']['describe']):.0f}", f"{100 * share(row):.1f} %"]
                  for row in rows if size_of(row) > SMALL[-1]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bench/bench-describe")
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()
    measured = measured_by(arguments.program)
    about = {"driver": output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split("\n")[0],
             "compiler": output_of("nvcc", "--version").split("\n")[-1], "commit": arguments.commit,
             "command": "bench/describe.py"}
    rows = measured["results"]
    kinds = list(dict.fromkeys(row["type"] for row in rows))
    folder = device_folder(arguments.out, measured["device"])
    write_json(folder / "describe.json", condensed({"about": about, **measured}))
    (folder / "describe.md").write_text("\n\n".join([
        f"# wf_describe on {measured['device']}",
        f"Medians of device time in a graph of calls, on data that no cache holds. Driver {about['driver']}, compiler "
        f"{about['compiler']}, commit {about['commit']}. Made by `{about['command']}`. The sums are wf_reduce's, fast "
        "ones of floats (WF_ACCURACY_FAST).",
        f"## Small arrays\n\nAimed at: no longer than {SMALL_LONGEST} times the sum.\n\n{small(rows, kinds)}",
        f"## Large arrays\n\nAimed at: {LARGE_LEAST:.0%} of the speed of reading the same bytes, at 2^28, for elements "
        f"of 4 and 8 bytes.\n\n{large(rows)}"]) + "\n")
    print((folder / "describe.md").read_text())


if __name__ == "__main__":
    main()
