"""Builds the examples of examples/ranks from an installation, as users do, and runs them on several numbers of ranks:
what wavefold sums has the same digits on all, what MPI_SUM sums has not. Then the program in docs/ranks.md.

WAVEFOLD_BUILD: the build tree, with libwavefold-mpi. CMAKE: the cmake that made it.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from start_ranks import RANKS, THROUGH_MEMORY  # noqa: E402

BUILD = pathlib.Path(os.environ.get("WAVEFOLD_BUILD", ROOT / "build")).resolve()
CMAKE = os.environ.get("CMAKE", "cmake")
STRICT = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
MORE_RANKS = {**THROUGH_MEMORY, "OMPI_MCA_rmaps_base_oversubscribe": "1"}  # more ranks than cores


def run(*command, status=0):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WAVEFOLD_")}
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60,
                          env=kept | MORE_RANKS)
    assert done.returncode == status, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def cached(folder, name):
    """A variable of a build tree."""
    return re.search(rf"^{name}:\w+=(.*)$", (folder / "CMakeCache.txt").read_text(), flags=re.MULTILINE)[1]


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    run(CMAKE, "--install", BUILD, "--prefix", folder)
    return folder


@pytest.fixture(scope="module")
def programs(prefix, tmp_path_factory):
    """The folder of the built programs, and its mpiexec."""
    folder = tmp_path_factory.mktemp("ranks")
    [source] = prefix.glob("share/doc/*/examples/ranks")
    run(CMAKE, "-S", source, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DMPI_C_COMPILER={cached(BUILD, 'MPI_C_COMPILER')}", f"-DCMAKE_C_FLAGS={STRICT}")
    run(CMAKE, "--build", folder)
    return folder, cached(folder, "MPIEXEC_EXECUTABLE")


def outputs(programs, name):
    folder, mpiexec = programs
    return [run(mpiexec, "-n", ranks, folder / name) for ranks in RANKS]


def columns(text, line):
    """The columns of a table's line; two blanks are between its name and them."""
    [found] = [row for row in text.splitlines() if row.startswith(line)]
    return re.split(r" {2,}", found, maxsplit=1)[1].split()


def all_equal(values):
    return all(value == values[0] for value in values)


def test_field_mean(programs):
    printed = outputs(programs, "field-mean")
    for field, mean, others in (("temperature", 291.5837, 0.05), ("imbalance", 38.4916, 1e-3)):
        exact, usual = zip(*(columns(text, field) for text in printed))
        assert all_equal(exact) and not all_equal(usual)
        assert abs(float(exact[0]) - mean) < 1e-3 and all(abs(float(one) - mean) < others for one in usual)
    coldest = [columns(text, "coldest") for text in printed]
    assert all_equal(coldest) and 230 < float(coldest[0][0]) < 250


def test_conjugate_gradient(programs):
    printed = outputs(programs, "conjugate-gradient")
    exact, usual = ([[line for line in text.splitlines() if line.startswith(name)] for text in printed]
                    for name in ("exact: ", "MPI_SUM: "))
    assert all_equal(exact) and not all_equal(usual)
    for lines in exact + usual:
        assert len(lines) > 3 and "converged after" in lines[-1] and "not" not in lines[-1]


def test_a_device_that_no_rank_has(programs):
    folder, mpiexec = programs
    done = subprocess.run([mpiexec, "-n", "2", folder / "field-mean", "hots"], capture_output=True, text=True,
                          timeout=60, env=os.environ | MORE_RANKS)
    assert done.returncode != 0 and "rank 0" in done.stderr and "did you mean 'host'" in done.stderr
    assert done.stdout == "" or "mean" not in done.stdout


def test_the_program_of_the_docs(prefix, tmp_path):
    text = (ROOT / "docs/ranks.md").read_text()
    [program] = [block for block in re.findall(r"```c\n(.*?)```", text, flags=re.DOTALL) if "int main" in block]
    (tmp_path / "joined.c").write_text(program)
    [library] = prefix.rglob("libwavefold.so")
    run(cached(BUILD, "CMAKE_C_COMPILER"), "-std=c11", *STRICT.split(), "-I", prefix / "include", tmp_path / "joined.c",
        "-L", library.parent, "-lwavefold", f"-Wl,-rpath,{library.parent}", "-o", tmp_path / "joined")
    assert f"It prints `{run(tmp_path / 'joined').strip()}`" in text
