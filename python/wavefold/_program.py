"""The program `wavefold`, which lies in the package."""
import json
import os
import pathlib
import subprocess


def path():
    """The program's file. Raises RuntimeError if this package came without it."""
    found = os.environ.get("WAVEFOLD_PROGRAM") or str(pathlib.Path(__file__).parent / "bin" / "wavefold")
    if not os.access(found, os.X_OK):
        raise RuntimeError(f"{found} is no program: this package was built without it; set WAVEFOLD_PROGRAM")
    return found


def run(*arguments, may_fail=False):
    """What the program prints. Raises RuntimeError with its sentence if it fails."""
    done = subprocess.run([path(), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0 and not may_fail:
        raise RuntimeError(done.stderr.strip() or f"wavefold {arguments[0]} ended with status {done.returncode}")
    return done.stdout


def run_json(*arguments, may_fail=False):
    return json.loads(run(*arguments, may_fail=may_fail))
