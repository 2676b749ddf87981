#!/usr/bin/env python3
"""Writes results/rank-bits.md: the exact sums of hard inputs that are divided among ranks, by each MPI at hand.

    scripts/write_rank_bits.py BUILD [--check | FILE...]

BUILD is the folder of a build that has tests/rank_bits-openmpi or tests/rank_bits-mpich. Columns of an MPI that it does
not have stay as they are in the file. --check changes nothing and fails if the file's exact sums are not what is found
now, or if any column differs from the others. FILE is what tests/rank_bits_nccl GPUS printed on a machine with so many
GPUs, named nccl-GPUS; without it the columns of GPUs stay as they are. It prints the table. Where CI is set, both MPIs
must be there.
"""
import argparse
import os
import pathlib
import subprocess
import sys

from start_ranks import NAMES, RANKS, SETTINGS, start_ranks

FILE = pathlib.Path(__file__).resolve().parent.parent / "results" / "rank-bits.md"
COUNTED, NOTHING = "bits counted", "no element"
HEAD = """# The bits of exact sums, by ranks and MPI

`tests/mpi/rank_bits.c` divides the inputs of [exact-bits.md](exact-bits.md), and one without elements, among 1 to 8
ranks, and sums them by `wf_mpi_reduce`, in parts of one length and in parts that grow with the rank; every rank must
find the same. `scripts/write_rank_bits.py` runs it and puts the bits of the sums side by side; a test compares them
with what is found now. Columns of GPUs are what `tests/nccl/rank_bits_nccl.c` found on H200s. "Bits counted" is the
tests' own arithmetic (`tests/support/big_sum.c`), in one process.
"""
HEAD_OF_OTHERS = """
## Beside it: MPI_SUM

What a program gets without this: each rank's part summed in the type itself (`WF_ACCURACY_FAST`), and MPI's `MPI_SUM`
of those, for parts of one length. The rows are the inputs whose bits are not the same in all columns. They are those of
one machine: others, and other versions of an MPI, may find other bits, so no test compares them.
"""


def counted(build):
    """{(input, type): bits}, in the order of the table."""
    done = subprocess.run([build / "tests" / "exact_bits", "counted"], text=True, capture_output=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()[1:]]
    none = {(NOTHING, kind): "0" * len(bits) for kind, _, bits, _ in rows}
    return {**{(what, kind): bits for kind, what, bits, _ in rows}, **none}


def found_by(build, engine, ranks):
    """The exact sums and those by MPI_SUM: {(input, type): bits}, twice."""
    done = start_ranks(build, engine, ranks, "rank_bits", settings=SETTINGS)
    if done.returncode != 0:
        sys.exit(f"rank_bits on {ranks} ranks of {NAMES[engine]}: {done.stderr}")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return ({(what, kind): bits for kind, what, bits, _ in rows},
            {(what, kind): bits for kind, what, _, bits in rows if bits})


def found_by_nccl(path):
    return {(what, kind): bits for kind, what, bits in (line.split("\t") for line in path.read_text().splitlines())}


def tables_of_the_file():
    """[{head: {(input, type): bits}}], one for each table of the file."""
    if not FILE.exists():
        return [{}, {}]
    tables = []
    for part in FILE.read_text().split("## Beside it"):
        head, _, *rows = [[cell.strip().strip("`") for cell in line.split("|")[1:-1]]
                          for line in part.splitlines() if line.startswith("|")]
        tables.append({name: {(row[0], row[1]): row[i] for row in rows if row[i] != "-"}
                       for i, name in enumerate(head) if i >= 2})
    return tables


def differing(columns):
    """The keys of rows in which not all columns that have them are equal."""
    rows = dict.fromkeys(key for cells in columns.values() for key in cells)
    return [key for key in rows if len({cells[key] for cells in columns.values() if key in cells}) > 1]


def table(columns, rows):
    yield f"| input | type | {' | '.join(columns)} |"
    yield "|---" * (2 + len(columns)) + "|"
    for key in rows:
        cells = " | ".join(f"`{cells.get(key, '-')}`" for cells in columns.values())
        yield f"| {key[0]} | {key[1]} | {cells} |"


def text_of(exact, by_mpi):
    yield HEAD
    others = differing(exact)
    yield (f"**All {len(exact)} columns are equal, in each of {len(exact[COUNTED])} rows.**" if not others
           else f"**Not equal: {'; '.join(', '.join(key) for key in others)}.**")
    yield ""
    yield from table(exact, exact[COUNTED])
    yield HEAD_OF_OTHERS
    yield from table(by_mpi, differing(by_mpi))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    build, check = asked.build.resolve(), asked.check
    engines = [engine for engine in NAMES if (build / "tests" / f"rank_bits-{engine}").exists()]
    if not engines or (os.environ.get("CI") and len(engines) < len(NAMES)):
        sys.exit(f"{build} has tests over ranks for {', '.join(engines) or 'no MPI'} alone: install "
                 "libopenmpi-dev, openmpi-bin, libmpich-dev and mpich, and configure it anew")
    before_exact, before_by_mpi = tables_of_the_file()
    exact, by_mpi = {COUNTED: counted(build)}, {}
    for engine in NAMES:
        for ranks in RANKS:
            name = f"{NAMES[engine]}, {ranks} rank{'s' if ranks > 1 else ''}"
            if engine in engines:
                exact[name], by_mpi[name] = found_by(build, engine, ranks)
            elif name in before_exact:
                exact[name], by_mpi[name] = before_exact[name], before_by_mpi[name]
    exact |= {name: cells for name, cells in before_exact.items() if "GPU" in name}
    for path in asked.files:
        exact[f"NCCL, {path.name.removeprefix('nccl-')} GPUs"] = found_by_nccl(path)
    exact = {name: cells for name, cells in exact.items() if cells.keys() == exact[COUNTED].keys()}
    text = "\n".join(text_of(exact, by_mpi)) + "\n"
    print(text)
    if not check:
        FILE.write_text(text)
    elif exact != before_exact:
        sys.exit(f"{FILE} is not what the ranks find: run scripts/write_rank_bits.py {build}")
    if others := differing(exact):
        sys.exit("not equal: " + "; ".join(", ".join(key) for key in others))


if __name__ == "__main__":
    main()
