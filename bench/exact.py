#!/usr/bin/env python3
"""Runs bench-exact, which measures exact sums beside fast ones and CUB's deterministic ones; writes the results.

    bench/exact.py [--program build/bench/bench-exact] [--quick] [--out results]

Writes <out>/<device>/exact.json (least, median and most of the samples) and exact.md (medians, and what was aimed at).
Needs Python's standard library alone. -DWF_BENCH=ON builds the program, with CUB's sums if CMake's WF_CCCL is the
folder include/cccl of the wheel nvidia-cuda-cccl, unpacked, or of a CUDA toolkit that is new enough.
"""
from about import size_text, write_results
from reduce import geometric_mean, median, micro, table

TYPES = ("f32", "f64", "f16", "bf16")
SMALL, LARGE = range(10, 23), range(26, 31)  # exponents of n
LARGE_SPEED = 0.97  # of the fast sum's, at least
SMALL_MEAN, SMALL_WORST = 1.25, 1.4  # times the fast sum's time, at most
CUB_SPEED = {22: 2, 30: 1.25}  # by exponents of n: of CUB's, at least
EXPONENTS_SPEED = 0.5  # of the fast sum's, at least
CALL_MORE = 1.5e-6  # seconds more than a fast call, at most


def longer(row):
    """How many times as long as the fast sum."""
    return median(row["exact"]) / median(row["fast"])


def met(does):
    return "met" if does else "missed"


def size_of(row):
    return row["n"].bit_length() - 1


def bytes_of(row):
    return row["n"] * {"f32": 4, "f64": 8}.get(row["type"], 2)


def times(rows):
    return [[row["type"], size_text(row["n"]), micro(row["exact"]), micro(row["fast"]), f"{longer(row):.3f}",
             f"{1 / longer(row):.3f}", f"{1e-9 * bytes_of(row) / median(row['exact']):.0f}"] for row in rows]


def small(rows):
    """A row for each n, a pair of columns for each type, and what they come to."""
    of = {(row["type"], size_of(row)): row for row in rows}
    body = [[f"2^{k}", *[cell for kind in TYPES for cell in
                         (f"{micro(of[kind, k]['exact'])} / {micro(of[kind, k]['fast'])}",
                          f"{longer(of[kind, k]):.2f}")]] for k in SMALL]
    found = {kind: [longer(of[kind, k]) for k in SMALL] for kind in TYPES}
    body.append(["geometric mean", *[cell for kind in TYPES for cell in ("", f"{geometric_mean(found[kind]):.3f}")]])
    body.append(["longest", *[cell for kind in TYPES for cell in ("", f"{max(found[kind]):.3f}")]])
    head = ["n", *[cell for kind in TYPES for cell in (f"{kind}, exact / fast µs", "ratio")]]
    return table(head, body), found


def aims(of_small, large, exponents, beside_cub, calls):
    for kind, found in of_small.items():
        mean, worst = geometric_mean(found), max(found)
        yield [f"{kind}, 2^10 to 2^22: time / fast, geometric mean", f"<= {SMALL_MEAN}", f"{mean:.3f}",
               met(mean <= SMALL_MEAN)]
        yield [f"{kind}, 2^10 to 2^22: the longest", f"<= {SMALL_WORST}", f"{worst:.3f}", met(worst <= SMALL_WORST)]
    for kind in TYPES:
        least = min(1 / longer(row) for row in large if row["type"] == kind)
        yield [f"{kind}, n >= 2^26: speed / fast, the least", f">= {LARGE_SPEED}", f"{least:.3f}",
               met(least >= LARGE_SPEED)]
    for row in exponents:
        yield [f"{row['type']}, all exponents: speed / fast", f">= {EXPONENTS_SPEED}", f"{1 / longer(row):.3f}",
               met(1 / longer(row) >= EXPONENTS_SPEED)]
    for exponent, aim in CUB_SPEED.items():
        found = [median(row["cub"]) / median(row["exact"]) for row in beside_cub if row["n"] == 1 << exponent]
        if found:
            yield [f"2^{exponent}: speed / CUB's deterministic sum, the least", f">= {aim}", f"{min(found):.2f}",
                   met(min(found) >= aim)]
    more = max(median(row["exact"]) - median(row["fast"]) for row in calls)
    yield ["blocking call: more than a fast one, the most", f"<= {1e6 * CALL_MORE:.1f} µs", f"{1e6 * more:.2f} µs",
           met(more <= CALL_MORE)]


def sections(measured, about):
    device = [row for row in measured["results"] if row["clock"] == "device"]
    normal = [row for row in device if row["data"] == "normal"]
    exponents = [row for row in device if row["data"] == "exponents"]
    calls = [row for row in measured["results"] if row["clock"] == "call"]
    large = [row for row in normal if size_of(row) in LARGE]
    beside_cub = [row for row in normal if "cub" in row]
    small_table, of_small = small([row for row in normal if size_of(row) in SMALL])
    head = ["type", "n", "exact µs", "fast µs", "time / fast", "speed / fast", "exact GB/s"]
    yield f"# Exact sums on {about['device']}"
    yield (f"Medians of {measured['repeat']} samples. Driver {about['driver']}, compiler {about['compiler']}, CUB "
           f"{about['cub']}, commit {about['commit']}. Made by `{about['command']}`. Exact and fast are sums of the "
           "same elements by wf_reduce, `WF_ACCURACY_EXACT` and `WF_ACCURACY_FAST`, in turn in one run; those of f16 "
           "and bf16 are rounded into f32. Times are device time in a graph of launches, on data that no cache holds, "
           "where nothing else is said. Normal data have mean 0 and variance 1.")
    yield "## What was aimed at\n\n" + table(["", "aim", "measured", ""],
                                             aims(of_small, large, exponents, beside_cub, calls))
    yield f"## Normal data, large\n\n{table(head, times(large))}"
    yield f"## Normal data, 2^{SMALL[0]} to 2^{SMALL[-1]}\n\n{small_table}"
    yield ("## All exponents\n\nRandom bits, of finite numbers alone: sums of f32, f64 and bf16 that are not exact "
           f"overflow.\n\n{table(head, times(exponents))}")
    if beside_cub:
        yield ("## Beside CUB's deterministic sum\n\n`cub::DeviceReduce::Sum` with "
               "`cuda::execution::determinism::gpu_to_gpu`, its memory allocated before. × is how many times as fast "
               "the exact sum is.\n\n" +
               table(["type", "n", "exact µs", "CUB µs", "×"],
                     [[row["type"], size_text(row["n"]), micro(row["exact"]), micro(row["cub"]),
                       f"{median(row['cub']) / median(row['exact']):.2f}"] for row in beside_cub]))
        for row in (row for row in beside_cub if "cub_wrong" in row):
            got, exactly = row["cub_wrong"]
            yield (f"CUB's sum of 2^{size_of(row)} {row['type']} was {got:.6g} here, where the exact one is "
                   f"{exactly:.6g}.")
    else:
        yield "CUB was not measured: this CCCL has no deterministic sum."
    yield (f"## The blocking call\n\nwf_reduce from the call to the result, on one array; medians of "
           f"{measured['calls']} calls.\n\n" +
           table(["type", "n", "exact µs", "fast µs", "more, µs"],
                 [[row["type"], size_text(row["n"]), micro(row["exact"]), micro(row["fast"]),
                   f"{1e6 * (median(row['exact']) - median(row['fast'])):.2f}"] for row in calls]))


if __name__ == "__main__":
    write_results("exact", __doc__, sections)
