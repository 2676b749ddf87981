"""What the benches share: what ran, and where its results go."""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess


def output_of(*command):
    """What a command prints, or "unknown" where it is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def measured_by(program, *arguments):
    """What a program that measures prints, which is JSON."""
    try:
        done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    except OSError as error:
        raise SystemExit(f"cannot run {program}: {error.strerror}; a build with -DWF_BENCH=ON has it") from error
    if done.returncode != 0:
        raise SystemExit(f"{program} ended with status {done.returncode}; what it said is above; nothing is written")
    return json.loads(done.stdout)


def cub_version(number):
    """Of CUB_VERSION: 3.5.0 of 300500."""
    return f"{number // 100000}.{number // 100 % 1000}.{number % 100}"


def power_of(n):
    """2^k as k; None of what is no power of two."""
    return n.bit_length() - 1 if n > 0 and n & (n - 1) == 0 else None


def size_text(n):
    """2^k, 3·2^k, or the number itself."""
    for factor, text in ((1, ""), (3, "3·")):
        if n % factor == 0 and power_of(n // factor) is not None:
            return f"{text}2^{power_of(n // factor)}"
    return str(n)


def results_folder(text):
    """What --out names. It is made before anything is measured: what took an hour must not be lost then."""
    folder = pathlib.Path(text)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot make the folder '{text}': {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise argparse.ArgumentTypeError(f"cannot write into the folder '{text}'")
    return folder


def device_folder(out, name):
    """The folder for a device's results, made if it is not there."""
    folder = out / re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def cpu_and_cores():
    """The processor's name, and how many cores this process may run on; if those are not all, the name says so."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().split("\n")
    cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown CPU")
    there, ours = sum(line.startswith("processor") for line in lines), len(os.sched_getaffinity(0))
    return f"{cpu} ({ours} of {there} cores)" if ours < there else cpu, ours


def condensed(value):
    """Each list of samples in it as [least, median, most], and no list where a summary of it stands beside it. Tables
    and `wavefold report` need no more, and results/ stays small."""
    if isinstance(value, dict):
        return {key: condensed(part) for key, part in value.items() if key != "all" or "median" not in value}
    if not isinstance(value, list):
        return value
    are_samples = all(isinstance(one, (int, float)) for one in value) and any(isinstance(one, float) for one in value)
    if are_samples and len(value) > 3:
        return [min(value), statistics.median(value), max(value)]
    return [condensed(one) for one in value]


def write_json(path, document):
    path.write_text(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def write_results(name, doc, sections):
    """Runs build/bench/bench-<name>, or --program, which prints JSON; writes <name>.json, which is that with its
    samples condensed, and <name>.md: sections(measured, about)."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=f"build/bench/bench-{name}")
    parser.add_argument("--quick", action="store_true", help="3 samples of each")
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()

    quick = ["--quick"] if arguments.quick else []
    measured = measured_by(arguments.program, *quick)
    about = {
        "device": measured["device"],
        "driver": output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split("\n")[0],
        "compiler": measured["compiler"],
        "cub": cub_version(measured["cub"]),
        "commit": arguments.commit,
        "command": " ".join([f"bench/{name}.py", *quick]),
    }
    folder = device_folder(arguments.out, measured["device"])
    write_json(folder / f"{name}.json", condensed({"about": about, **measured}))
    (folder / f"{name}.md").write_text("\n\n".join(sections(measured, about)) + "\n")
    print((folder / f"{name}.md").read_text())
