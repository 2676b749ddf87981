"""How ranks of each MPI are started on one machine, more of them than it has cores: for tests, benches and tables."""
import atexit
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

RANKS = (1, 2, 3, 4, 7, 8)
PROGRAMS = {"openmpi": ("mpirun.openmpi", "orterun"), "mpich": ("mpiexec.mpich", "mpiexec.hydra")}
PACKAGES = {"openmpi": "openmpi-bin", "mpich": "mpich"}  # of Debian and Ubuntu
NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}
# Open MPI 4's jobs of one user share a folder, which one that ends removes while another one begins: a process that
# starts them has one of its own.
SESSIONS = tempfile.mkdtemp(prefix="ranks-")
atexit.register(shutil.rmtree, SESSIONS, ignore_errors=True)
# Waiting ranks let others run; containers may start ranks as root, and may forbid reading another process's memory.
SETTINGS = {"TMPDIR": SESSIONS, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
# For tests: ranks talk through memory, and look for no networks, which takes longer than what most tests do. MPICH's
# ranks of one machine meet at a barrier that spins when they start and end: each counts as a machine of its own, but
# where ranks are to share one (five ranks on two cores took 0.39 CPU seconds to start and end, and take 0.22).
THROUGH_MEMORY = {**SETTINGS, "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader", "UCX_TLS": "posix,sysv,self",
                  "HWLOC_COMPONENTS": "linux,stop", "MPIR_CVAR_NOLOCAL": "1"}
ON_ONE_MACHINE = {"MPIR_CVAR_NOLOCAL": "0"}


def find_launcher(engine):
    """What starts ranks of this MPI."""
    for name in PROGRAMS[engine]:
        if path := shutil.which(name):
            return path
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: there is no {' and no '.join(PROGRAMS[engine])} on PATH, which starts "
             f"ranks of {NAMES[engine]}: install {PACKAGES[engine]}")


def end(job, seconds=20):
    """What a job has printed that was not done in time. It is asked to end, so that it ends its ranks, and killed if it
    does not."""
    for stop in (job.terminate, job.kill):
        stop()
        try:
            return job.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            pass
    return "", "what it has printed is lost: a rank that outlived it holds the pipe"


def start_ranks(build, engine, ranks, program, *arguments, seconds=180, folder="tests", settings=THROUGH_MEMORY):
    """Runs FOLDER/PROGRAM-ENGINE of the build; gives what subprocess.run gives. After so many seconds the
    job is ended, which is a failure."""
    launcher = find_launcher(engine)
    build = pathlib.Path(build)
    if engine == "openmpi":
        options = ["--oversubscribe", "--bind-to", "none", "-n", ranks]
    else:
        options = ["-n", ranks, "-env", "LD_PRELOAD", build / "tests/libyields.so"]
    command = [launcher, *options, build / folder / f"{program}-{engine}", *arguments]
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **settings}) as job:
        try:
            printed, errors = job.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            printed, errors = end(job)
            errors += f"\nnot done after {seconds} seconds: {' '.join(map(str, command))}"
    return subprocess.CompletedProcess(command, job.returncode, printed, errors)
