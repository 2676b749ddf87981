"""What the benches share: what ran, and where its results go."""
import pathlib
import re
import subprocess


def output_of(*command):
    """What a command prints, or "unknown" where it is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def device_folder(out, name):
    """The folder for a device's results, made if it is not there."""
    folder = out / re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def cpu_and_cores():
    """The processor's name, and how many cores of it the system has."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().split("\n")
    cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown CPU")
    return cpu, sum(line.startswith("processor") for line in lines)
