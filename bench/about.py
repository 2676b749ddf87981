"""What the benches share: what ran, and where its results go."""
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
