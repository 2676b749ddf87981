#!/usr/bin/env python3
"""Runs bench-ranks-openmpi and bench-ranks-mpich, which time reductions over ranks beside the MPI_Allreduce of one
number, on 2, 4 and 8 ranks of this machine; writes the results as files.

    bench/ranks_mpi.py [--programs build/bench] [--ranks 2 4 8] [--out results]

Writes <out>/<CPU>/ranks-mpi.json (every sample) and ranks-mpi.md. Needs Python's standard library alone, and the
programs, which -DWF_BENCH=ON builds for the MPIs that pkg-config finds.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import time

from about import cpu_and_cores, device_folder, output_of
from reduce import median, table

# Ranks that wait let others run, where the engine can; as root, Open MPI wants to be told twice.
SETTINGS = {"OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# The program's starter, and (samples, calls of each) where each rank has a core and where it has not. MPICH's ranks
# spin until their time slice ends: a call takes as long as several of these.
ENGINES = {"openmpi": (["mpirun.openmpi", "--oversubscribe"], (501, 20), (201, 10)),
           "mpich": (["mpiexec.mpich"], (501, 20), (31, 1))}
ONE, STATE = "allreduce of 1 double", "allreduce of 75 uint64, a state"


def measured(program, engine, ranks, cores):
    start, enough, crowded = ENGINES[engine]
    samples, calls = enough if ranks <= cores else crowded
    command = [*start, "-n", str(ranks), str(program), str(samples), str(calls)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=300,
                          env={**os.environ, **SETTINGS})
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
    parser.add_argument("--programs", default="build/bench", type=pathlib.Path)
    parser.add_argument("--ranks", default=[2, 4, 8], type=int, nargs="+")
    parser.add_argument("--out", default="results", type=pathlib.Path)
    parser.add_argument("--note", default="", help="a sentence for the results, such as what else the machine did")
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()

    cpu, cores = cpu_and_cores()
    programs = {engine: arguments.programs / f"bench-ranks-{engine}" for engine in ENGINES}
    there = {engine: program for engine, program in programs.items() if program.exists()}
    if not there:
        parser.error(f"{arguments.programs} has no bench-ranks-*: build with -DWF_BENCH=ON, and say --programs")
    runs = [measured(program, engine, ranks, cores) for engine, program in there.items() for ranks in arguments.ranks]

    about = {"device": cpu, "cores": cores, "compiler": output_of("cc", "--version").split("\n")[0],
             "commit": arguments.commit, "date": time.strftime("%Y-%m-%d"), "command": "bench/ranks_mpi.py"}
    folder = device_folder(arguments.out, cpu)
    (folder / "ranks-mpi.json").write_text(json.dumps({"about": about, "runs": runs}) + "\n")
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
                "for each other's time slices, and only ratios say something. MPICH's ranks spin meanwhile, so a call "
                "takes tens of milliseconds."] if crowded else []),
             *([arguments.note] if arguments.note else []),
             "**The state's 600 bytes, over one double** (medians): " + "; ".join(ratios) + ".",
             "## Medians\n\n" + table(head, rows(runs, median)),
             "## The fastest sample of each\n\nWhat else the machine does meanwhile counts least here.\n\n" +
             table(head, rows(runs, min))]
    (folder / "ranks-mpi.md").write_text("\n\n".join(parts) + "\n")
    print((folder / "ranks-mpi.md").read_text())


if __name__ == "__main__":
    main()
