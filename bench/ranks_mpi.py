#!/usr/bin/env python3
"""Runs bench-ranks-openmpi and bench-ranks-mpich, which time reductions over ranks beside the MPI_Allreduce of one
number, on 2, 4 and 8 ranks of this machine; writes the results as files.

    bench/ranks_mpi.py [--build build] [--ranks 2 4 8] [--out results]

Writes <out>/<CPU>/ranks-mpi.json (least, median and most of the samples) and ranks-mpi.md. Needs Python's standard
library alone, and the programs, which -DWF_BENCH=ON builds for the MPIs that pkg-config finds.
"""
import argparse
import json
import pathlib
import re
import sys
import time

from about import condensed, cpu_and_cores, device_folder, output_of, results_folder, write_json
from reduce import median, table

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from start_ranks import PROGRAMS, SETTINGS, start_ranks  # noqa: E402

ENOUGH_CORES, TOO_FEW = (501, 20), (101, 5)  # samples, and calls of each
ONE, STATE = "allreduce of 1 double", "allreduce of 75 uint64, a state"


def measured(build, engine, ranks, cores):
    numbers = ENOUGH_CORES if ranks <= cores else TOO_FEW
    done = start_ranks(build, engine, ranks, "bench-ranks", *numbers, seconds=300, folder="bench",
                       settings=SETTINGS)
    if done.returncode != 0:
        sys.exit(f"bench-ranks-{engine} on {ranks} ranks: {done.stderr}")
    run = json.loads(done.stdout)
    run["engine"] = re.sub(r"\s*Version:\s*", " ", run["engine"])
    return run


def times_of(run):
    return {side["name"]: side["seconds"] for side in run["sides"]}


def rows(runs, choose):
    for run in runs:
        times = {name: choose(seconds) for name, seconds in times_of(run).items()}
        for name, seconds in times.items():
            yield [run["engine"], str(run["ranks"]), name, f"{1e6 * seconds:.4g}", f"{seconds / times[ONE]:.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--ranks", default=[2, 4, 8], type=int, nargs="+")
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--note", default="", help="a sentence for the results, such as what else the machine did")
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()

    cpu, cores = cpu_and_cores()
    engines = [engine for engine in PROGRAMS if (arguments.build / f"bench/bench-ranks-{engine}").exists()]
    if not engines:
        parser.error(f"{arguments.build}/bench has no bench-ranks-*: build with -DWF_BENCH=ON, and say --build")
    runs = [measured(arguments.build.resolve(), engine, ranks, cores) for engine in engines
            for ranks in arguments.ranks]

    about = {"device": cpu, "cores": cores, "compiler": output_of("cc", "--version").split("\n")[0],
             "commit": arguments.commit, "date": time.strftime("%Y-%m-%d"), "command": "bench/ranks_mpi.py"}
    folder = device_folder(arguments.out, cpu)
    write_json(folder / "ranks-mpi.json", condensed({"about": about, "runs": runs}))
    head = ["engine", "ranks", "call", "us", "times one double"]
    crowded = [run["ranks"] for run in runs if run["ranks"] > cores]
    ratios = [f"{run['engine']}, {run['ranks']} ranks: "
              f"{median(times_of(run)[STATE]) / median(times_of(run)[ONE]):.2f}" for run in runs]
    parts = [f"# Reductions over ranks by MPI, in the memory of one machine: {cpu}, {cores} cores",
             "All sides in turn in one run, on MPI_COMM_WORLD; a sample is the time of a call on the slowest rank. "
             "\"wf_mpi_reduce\" folds f32 on the host device, agrees, sends the message, and rounds; its parts are in "
             f"the cache. Compiler {about['compiler']}, commit {about['commit']}, {about['date']}. Made by "
             f"`{about['command']}`.",
             *([f"{cores} cores are fewer than {' and '.join(map(str, sorted(set(crowded))))} ranks: ranks then wait "
                "for each other's turns, and only ratios say something. Ranks that wait let others run: Open MPI's by "
                "mpi_yield_when_idle, MPICH's by tests/mpi/yields.c."] if crowded else []),
             *([arguments.note] if arguments.note else []),
             "**The state's 600 bytes, over one double** (medians): " + "; ".join(ratios) + ".",
             "## Medians\n\n" + table(head, rows(runs, median)),
             "## The fastest sample of each\n\nWhat else the machine does meanwhile counts least here.\n\n" +
             table(head, rows(runs, min))]
    (folder / "ranks-mpi.md").write_text("\n\n".join(parts) + "\n")
    print((folder / "ranks-mpi.md").read_text())


if __name__ == "__main__":
    main()
