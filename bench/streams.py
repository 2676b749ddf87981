#!/usr/bin/env python3
"""Runs bench-streams, which measures what a sum adds to queued work, beside CUB's; writes the results.

    bench/streams.py [--program build/bench/bench-streams] [--quick] [--out results]

Writes <out>/<device>/streams.json (least, median and most of the samples) and streams.md (medians). Needs Python's
standard library alone. -DWF_BENCH=ON builds the program, with the CUB of CMake's WF_CCCL if that is set.
"""
from about import size_text, write_results
from reduce import geometric_mean, median, table

SUMS = ("fast", "exact", "CUB")


def added(row, name):
    """Seconds that a sum adds to the kernel that wrote its array."""
    return median(row[f"write, {name}"]) - median(row["write"])


def times(rows, seconds):
    """Microseconds of each sum by n, and how many times as long CUB's takes as the fast one."""
    body = [[size_text(row["n"]), *[f"{1e6 * seconds(row, name):.2f}" for name in SUMS],
             f"{seconds(row, 'CUB') / seconds(row, 'fast'):.2f}"] for row in rows]
    ratios = [seconds(row, "CUB") / seconds(row, "fast") for row in rows]
    body.append(["geometric mean", "", "", "", f"{geometric_mean(ratios):.2f}"])
    return table(["n", "fast µs", "exact µs", "CUB µs", "CUB / fast"], body)


def sections(measured, about):
    yield f"# Sums in a stream on {about['device']}"
    yield (f"Medians of {measured['repeat']} samples, sums of f32. Driver {about['driver']}, compiler "
           f"{about['compiler']}, CUB {about['cub']}, commit {about['commit']}. Made by `{about['command']}`. Device "
           "time of one of 64 calls that were queued before the first one began, on one array, by `wf_reduce_async` "
           "(fast: `WF_ACCURACY_FAST`) and `cub::DeviceReduce::Sum`, in turn in one run.")
    for where, title in (("stream", "Launched into a stream"), ("graph", "In a graph")):
        rows = [row for row in measured["results"] if row["where"] == where]
        yield (f"## {title}\n\nBehind a kernel of the program's own that writes the array: what the sum adds to that "
               f"kernel's time.\n\n{times(rows, added)}")
        yield f"Behind another such sum:\n\n{times(rows, lambda row, name: median(row[name]))}"


if __name__ == "__main__":
    write_results("streams", __doc__, sections)
