#!/usr/bin/env python3
"""Measures the ladder on one device and writes the results as files.

    bench/progression.py [--wavefold build/bin/wavefold] [--device auto] [--n 2^24 2^26 2^28] [--family all]
                         [--repeat 21] [--out results]

Each n is one run of `wavefold progression`, which verifies every rung, and measures the read ceiling in the same run.
Writes <out>/<device>/progression.json (what the program prints but for the samples, with device, driver, compiler,
commit and date) and progression.md (a table of GB/s). Needs Python's standard library alone. Exit status 0 only if
every rung was verified.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from about import condensed, device_folder, output_of, results_folder, write_json


def measure(arguments, n):
    """One run of the ladder: its JSON, and whether every rung was verified."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.json"
        command = [arguments.wavefold, "progression", "--quiet", "--device", arguments.device, "--n", n,
                   "--type", arguments.type, "--family", arguments.family, "--repeat", str(arguments.repeat),
                   "--json", str(file)]
        try:
            status = subprocess.run(command).returncode
        except OSError as error:
            sys.exit(f"bench/progression.py: cannot run {arguments.wavefold}: {error.strerror}; say --wavefold")
        if not file.exists():
            sys.exit(f"bench/progression.py: {' '.join(command)} ended with {status} and wrote nothing")
        return json.loads(file.read_text()), status == 0


def known(values, key):
    """A number of a run, None where it was not measured: JSON has null for it, "inf", or nothing at all."""
    value = (values or {}).get(key)
    return value if isinstance(value, (int, float)) else None


def speed(values):
    """GB/s in words, of a rung or the ceiling."""
    value = known(values, "gb_per_s")
    return "–" if value is None else f"{value:.0f}" if value >= 10 else f"{value:.3g}"


def cells(rung):
    """(speed, share of the ceiling), the verdict for a speed where it is another than verified."""
    if rung is None:
        return "–", "–"
    if rung["verdict"] != "verified":
        return rung["verdict"], "–"
    share = known(rung, "share_of_ceiling")
    return speed(rung), "–" if share is None else f"{100 * share:.1f} %"


def table(runs):
    """GB/s of every rung at every n, as Markdown."""
    columns = [f"n = {run['n']}" for run in runs]
    lines = ["| rung | " + " | ".join(columns) + " | of ceiling |", "|---" * (len(runs) + 2) + "|"]
    rungs = [{rung["name"]: rung for rung in run["rungs"]} for run in runs]
    for name in dict.fromkeys(name for of_run in reversed(rungs) for name in of_run):
        found = [cells(of_run.get(name)) for of_run in rungs]
        lines.append(f"| {name} | " + " | ".join(said for said, _ in found) + f" | {found[-1][1]} |")
    lines.append("| *read ceiling* | " + " | ".join(speed(run["read_ceiling"]) for run in runs) + " | |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wavefold", default="build/bin/wavefold")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--n", nargs="+", default=["2^24", "2^26", "2^28"])
    parser.add_argument("--type", default="f32")
    parser.add_argument("--family", default="all")
    parser.add_argument("--repeat", type=int, default=21)
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()

    results = [measure(arguments, n) for n in arguments.n]
    runs = [run for run, _ in results]
    device = runs[0]["device"]
    compiler = ({"nvidia": "nvcc", "amd": "hipcc"}.get(device["backend"], "c++"), "--version")
    about = {
        "device": device,
        "driver": output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split("\n")[0],
        "compiler": output_of(*compiler).split("\n")[-1 if compiler[0] == "nvcc" else 0],
        "commit": arguments.commit,
        # What was measured, without where: paths of a machine mean nothing to another.
        "command": f"bench/progression.py --device {arguments.device} --n {' '.join(arguments.n)} "
                   f"--type {arguments.type} --family {arguments.family} --repeat {arguments.repeat}",
    }
    folder = device_folder(arguments.out, device["name"])
    write_json(folder / "progression.json", condensed({"about": about, "runs": runs}))
    (folder / "progression.md").write_text(
        f"# The ladder on {device['name']}\n\n"
        f"{arguments.type} sum, GB/s of the input over device time, median of {arguments.repeat}; the last column "
        f"is the share\nof the read ceiling at the largest n. Driver {about['driver']}, compiler {about['compiler']}, "
        f"commit {about['commit']},\n{runs[0]['date']}. Made by `{about['command']}`.\n\n{table(runs)}\n",
        encoding="utf-8")
    print((folder / "progression.md").read_text(encoding="utf-8"))
    sys.exit(0 if all(verified for _, verified in results) else 1)


if __name__ == "__main__":
    main()
