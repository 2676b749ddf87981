"""How ranks of each MPI are started on one machine, more of them than it has cores: for tests, benches and tables."""
import os
import pathlib
import shutil
import subprocess

RANKS = (1, 2, 3, 4, 7, 8)
PROGRAMS = {"openmpi": ("mpirun.openmpi", "orterun"), "mpich": ("mpiexec.mpich", "mpiexec.hydra")}
NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}
# Waiting ranks let others run; containers may start ranks as root, and may forbid reading another process's memory.
OPENMPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
           "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


def start_ranks(build, engine, ranks, program, *arguments, seconds=180, folder="tests"):
    """Runs FOLDER/PROGRAM-ENGINE of the build; gives what subprocess.run gives. After so many seconds the
    job is ended, which is a failure."""
    launcher = next(filter(None, map(shutil.which, PROGRAMS[engine])))
    build = pathlib.Path(build)
    if engine == "openmpi":
        options = ["--oversubscribe", "--bind-to", "none", "-n", ranks]
    else:
        options = ["-n", ranks, "-env", "LD_PRELOAD", build / "tests/libyields.so"]
    command = [launcher, *options, build / folder / f"{program}-{engine}", *arguments]
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **OPENMPI}) as job:
        try:
            printed, errors = job.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            job.terminate()  # not killed: it ends its ranks
            printed, errors = job.communicate(timeout=20)
            errors += f"\nnot done after {seconds} seconds: {' '.join(map(str, command))}"
    return subprocess.CompletedProcess(command, job.returncode, printed, errors)
