#!/usr/bin/env python3
"""Runs bench-reduce, which measures wf_reduce beside CUB and thrust; then measures it beside PyTorch and CuPy, where
Python has them. All in one run; writes the results as files.

    bench/reduce.py [--program build/bench/bench-reduce] [--library build/lib/libwavefold.so] [--quick] [--out results]

Writes <out>/<device>/reduce.json (least, median and most of the samples) and reduce.md (medians). PyTorch and CuPy are
timed from Python, and wf_reduce beside them by ctypes, which costs it about a microsecond. Needs Python's standard
library alone.
"""
import argparse
import ctypes
import math
import pathlib
import statistics
import time

from about import (condensed, cub_version, device_folder, measured_by, output_of, power_of, results_folder, size_text,
                   write_json)

GEOMEAN_OF = range(12, 23)
PYTHON_COUNTS = [2**k for k in (4, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28)]


def median(samples):
    return statistics.median(samples)


def python_peers(library, repeat):
    """Seconds from the call to the result of a sum of f32, of each side in turn."""
    sides = {}
    try:
        import torch
        if torch.cuda.is_available():
            sides["torch"] = lambda data: data["torch"].sum().item()
    except ImportError:
        return None
    if not sides:
        return None
    try:
        import cupy
        sides["cupy"] = lambda data: data["cupy"].sum().item()
    except Exception:  # CuPy without its CUDA libraries raises more than ImportError
        cupy = None
    wavefold = ctypes.CDLL(str(library))
    wavefold.wf_reduce.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p,
                                   ctypes.c_size_t]
    context = ctypes.c_void_p()
    if wavefold.wf_context_create(ctypes.byref(context), b"nvidia:0") != 0:
        return None
    fast = 1  # WF_ACCURACY_FAST, as all that this measures
    sum_of_f32, result = (ctypes.c_int * 8)(0, 0, 0, 0, fast), ctypes.c_float()

    def reduce(data):
        if wavefold.wf_reduce(context, sum_of_f32, data["pointer"], data["n"], ctypes.byref(result), 4) != 0:
            raise RuntimeError("wf_reduce failed")

    sides["wavefold by ctypes"] = reduce
    measured = []
    for n in PYTHON_COUNTS:
        tensor = torch.rand(n, device="cuda") - 0.5
        torch.cuda.synchronize()
        data = {"torch": tensor, "pointer": tensor.data_ptr(), "n": n, "cupy": cupy.asarray(tensor) if cupy else None}
        seconds = {name: [] for name in sides}
        calls = 20 if n <= 2**22 else 3
        for repetition in range(repeat + 1):
            for name, call in sides.items():
                begin = time.perf_counter()
                for _ in range(calls):
                    call(data)
                if repetition:
                    seconds[name].append((time.perf_counter() - begin) / calls)
        measured.append({"n": n, "seconds": seconds})
    versions = {"torch": torch.__version__, **({"cupy": cupy.__version__} if cupy else {})}
    return {"versions": versions, "results": measured}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def micro(samples):
    return f"{1e6 * median(samples):.2f}" if median(samples) < 1e-4 else f"{1e6 * median(samples):.1f}"


def times(sides, peer, ours="wavefold"):
    return f"{median(sides[peer]) / median(sides[ours]):.2f}"


def every_size(results):
    rows = []
    for result in results:
        cold, hot, host = result["device cold"], result.get("device hot"), result["host"]
        rows.append([size_text(result["n"]), micro(cold["wavefold"]), micro(cold["cub"]), times(cold, "cub"),
                     *([micro(hot["wavefold"]), micro(hot["cub"]), times(hot, "cub")] if hot else ["", "", ""]),
                     micro(host["wavefold"]), micro(host["cub"]), times(host, "cub"), micro(host["thrust"]),
                     times(host, "thrust")])
    return table(["n", "cold µs", "CUB", "×", "hot µs", "CUB", "×", "call µs", "CUB + copy", "×", "thrust", "×"], rows)


def large(results):
    rows = []
    for result in results:
        cold = result["device cold"]
        rows.append([f"{result['operation']} {result['type']}", size_text(result["n"]),
                     f"{1e-9 * result['bytes'] / median(result['read']):.0f}",
                     f"{1e-9 * result['bytes'] / median(cold['wavefold']):.0f}",
                     f"{100 * median(result['read']) / median(cold['wavefold']):.1f} %",
                     f"{1e-9 * result['bytes'] / median(cold['cub']):.0f}", times(cold, "cub"),
                     times(result["host"], "cub")])
    return table(["", "n", "ceiling GB/s", "wavefold GB/s", "of the ceiling", "CUB GB/s", "× CUB", "call × CUB"], rows)


def offsets(results):
    rows = []
    for result in results:
        sides = result.get("misaligned", {})
        shares = [f"{name[7:]}: {median(sides[name]) / median(sides[name[7:]]):.3f}"
                  for name in sides if name.startswith("aligned")]
        if shares:
            rows.append([f"{result['operation']} {result['type']}", size_text(result["n"]), ", ".join(shares)])
    return table(["", "n", "speed at so many bytes' offset, of aligned"], rows)


def beside_python(measured):
    names = list(measured["results"][0]["seconds"])
    rows = [[size_text(result["n"])] + [micro(result["seconds"][name]) for name in names] +
            [times(result["seconds"], name, "wavefold by ctypes") for name in names if name != "wavefold by ctypes"]
            for result in measured["results"]]
    return table(["n"] + [f"{name} µs" for name in names] +
                 [f"× {name}" for name in names if name != "wavefold by ctypes"], rows)


def geometric_mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else math.nan


def geomean(results):
    ratios = [median(result["device cold"]["cub"]) / median(result["device cold"]["wavefold"]) for result in results
              if power_of(result["n"]) in GEOMEAN_OF]
    return geometric_mean(ratios)


def sections(about, measured, beside):
    results = measured["results"]
    sums = [result for result in results if result["operation"] == "sum" and result["type"] == "f32"]
    peers = ", ".join(f"{name} {version}" for name, version in about["python"].items())
    parts = [
        f"# wf_reduce on {about['device']}",
        f"Medians. Driver {about['driver']}, compiler {about['compiler']}, CUB {about['cub']}"
        f"{', ' + peers if peers else ''}, commit {about['commit']}. Made by `{about['command']}`. Sums of floats are "
        "fast ones (WF_ACCURACY_FAST). × is how many times as fast wf_reduce is as the peer before it. Cold and hot "
        "are device time in a graph of launches, on data that no cache holds or on one array; call is host time from "
        "the call to the result, hot. An empty launch in such "
        f"a graph takes {micro(measured['empty launch'])} µs.",
        f"## Sum of f32\n\nCold, n = 2^{GEOMEAN_OF[0]} to 2^{GEOMEAN_OF[-1]}: {geomean(sums):.2f} times as fast as CUB "
        f"in the geometric mean.\n\n{every_size(sums)}",
        "## Large arrays\n\nDevice time, cold, against reading the same bytes in the same run.\n\n"
        + large([result for result in results if result["n"] in (2**28, 2**30)]),
        "## At any byte offset\n\n" + offsets(results),
        "## Other operators and types\n\n"
        + table(["", "n", "cold µs", "CUB", "×", "call µs", "CUB + copy", "×"],
                [[f"{r['operation']} {r['type']}", size_text(r["n"]), micro(r["device cold"]["wavefold"]),
                  micro(r["device cold"]["cub"]), times(r["device cold"], "cub"), micro(r["host"]["wavefold"]),
                  micro(r["host"]["cub"]), times(r["host"], "cub")]
                 for r in results if r not in sums and r["n"] < 2**28]),
    ]
    if beside:
        parts.append("## Beside Python's\n\nSum of f32, from the call to the result, hot.\n\n" + beside_python(beside))
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bench/bench-reduce")
    parser.add_argument("--library", default="build/lib/libwavefold.so", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="3 samples of each, and no n above 2^28")
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()

    measured = measured_by(arguments.program, *(["--quick"] if arguments.quick else []))
    beside = python_peers(arguments.library, 3 if arguments.quick else 21)
    about = {
        "device": measured["device"],
        "driver": output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split("\n")[0],
        "compiler": output_of("nvcc", "--version").split("\n")[-1],
        "cub": cub_version(measured["cub"]),
        "python": beside["versions"] if beside else {},
        "commit": arguments.commit,
        "command": "bench/reduce.py" + (" --quick" if arguments.quick else ""),
    }
    folder = device_folder(arguments.out, measured["device"])
    write_json(folder / "reduce.json", condensed({"about": about, **measured, "python": beside}))
    (folder / "reduce.md").write_text("\n\n".join(sections(about, measured, beside)) + "\n")
    print((folder / "reduce.md").read_text())


if __name__ == "__main__":
    main()
