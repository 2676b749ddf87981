"""Runs test_mpi on several numbers of ranks of one MPI, and kills a rank.

WAVEFOLD_BUILD: the build tree. WAVEFOLD_MPI: openmpi or mpich.
"""
import os
import pathlib
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from start_ranks import RANKS, start_ranks  # noqa: E402

BUILD = os.environ.get("WAVEFOLD_BUILD", "build")
ENGINE = os.environ["WAVEFOLD_MPI"]


@pytest.mark.parametrize("ranks", RANKS)
def test_reductions_and_errors(ranks):
    done = start_ranks(BUILD, ENGINE, ranks, "test_mpi")
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    compared, _, *rest = done.stdout.splitlines()[-1].split()
    assert int(compared) > 5000 and rest == ["on", "each", "of", str(ranks), "ranks"]


def test_a_rank_that_is_killed():
    """Neither the others nor the one who started them wait for it."""
    start = time.monotonic()
    done = start_ranks(BUILD, ENGINE, 3, "test_mpi", "dies", seconds=30)
    assert done.returncode != 0 and time.monotonic() - start < 20
