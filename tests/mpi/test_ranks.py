"""Runs test_mpi on several numbers of ranks of one MPI, and kills a rank.

WAVEFOLD_BUILD: the build tree. WAVEFOLD_MPI: openmpi or mpich.
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from start_ranks import RANKS, end, start_ranks  # noqa: E402

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


def test_no_launcher(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"there is no (mpirun\.openmpi|mpiexec\.mpich) and no .* on PATH.*: install "):
        start_ranks(BUILD, ENGINE, 1, "test_mpi")


@pytest.mark.parametrize("word", ["SIG_DFL", "SIG_IGN"])
def test_a_job_that_is_not_done(word):
    """Also one that does not heed that it shall end."""
    program = f"import signal, time\nsignal.signal(signal.SIGTERM, signal.{word})\nprint('so far', flush=True)\n"
    with subprocess.Popen([sys.executable, "-c", program + "time.sleep(60)"], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.PIPE) as job:
        with pytest.raises(subprocess.TimeoutExpired):
            job.communicate(timeout=1)
        assert end(job, seconds=1)[0] == "so far\n"
    assert job.returncode == -(signal.SIGTERM if word == "SIG_DFL" else signal.SIGKILL)
