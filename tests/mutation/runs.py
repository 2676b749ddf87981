"""One test run, with no mutant on or with one, under limits of time and memory."""
import math
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time

MEMORY = 16 << 30


def environment_of(check, folder):
    given = {key: value for key, value in os.environ.items() if not key.startswith(("WAVEFOLD", "XDG_"))}
    given.update(check.environment)
    if "WAVEFOLD_BACKEND_PATH" in given:
        given["WAVEFOLD_BACKEND_PATH"] = str(folder / given["WAVEFOLD_BACKEND_PATH"])
    elif "WAVEFOLD_WRAP" in given:
        watched = check.program == "test_orders"
        given["WAVEFOLD_BACKEND_PATH"] = str(folder / ("tests/wrapped-watched" if watched else "tests/wrapped"))
        given["WAVEFOLD_WRAPPED"] = str(folder / f"lib/wavefold/libwavefold-{'watched' if watched else 'host'}.so")
    if check.program == "test_exact":
        given["WAVEFOLD_GOLDEN"] = str(folder.parent / "tree/tests/golden/exact.txt")
    return given


def run(check, folder, mutant=0, reached=None, cpu_seconds=60.0):
    """(exit status or "timed out", seconds of CPU)"""
    folder = pathlib.Path(folder)
    given = environment_of(check, folder)
    if mutant:
        given["WAVEFOLD_MUTANT"] = str(mutant)
    if reached is not None:
        given["WAVEFOLD_MUTANTS_REACHED"] = str(reached)
    home = tempfile.mkdtemp(prefix="mutant-")
    given.update(HOME=home, TMPDIR=home)

    seconds = math.ceil(cpu_seconds)
    limits = {resource.RLIMIT_CPU: (seconds, seconds + 1), resource.RLIMIT_AS: (MEMORY, MEMORY),
              resource.RLIMIT_CORE: (0, 0)}
    try:
        child = subprocess.Popen([folder / "tests" / check.program, *check.arguments], env=given, cwd=home,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 start_new_session=True)
        try:
            for which, limit in limits.items():
                resource.prlimit(child.pid, which, limit)
        except ProcessLookupError:
            pass  # it has ended
        until, pause = time.monotonic() + 10 + 5 * cpu_seconds, 0.002
        while True:
            done, code, used = os.wait4(child.pid, os.WNOHANG)
            if done != 0:
                break
            if time.monotonic() > until:
                os.killpg(child.pid, signal.SIGKILL)
            time.sleep(pause)
            pause = min(1.5 * pause, 0.02)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    child.returncode = status = os.waitstatus_to_exitcode(code)
    return ("timed out" if status in (-signal.SIGXCPU, -signal.SIGKILL) else status), used.ru_utime + used.ru_stime
