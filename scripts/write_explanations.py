#!/usr/bin/env python3
"""Writes results/host/explain/RUNG.json: what `wavefold explain RUNG --json` counts of every rung, which
docs/progression.md and `wavefold report` show.

    scripts/write_explanations.py PROGRAM [--check]

What each line of the source did is left out: lines move. The rest depends on the kernels alone. Of the ladder's main
rungs the tree of a tile comes with it. --check changes
nothing, and fails if a file is not as it would be written. Needs Python's standard library alone.
"""
import argparse
import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parents[1] / "results/host/explain"


def output_of(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def explained(program, rung, traces):
    counted = json.loads(output_of(program, "explain", rung, "--json", "-")) | {"lines": []}
    if traces:
        counted["trace"] = json.loads(output_of(program, "explain", rung, "--trace", "--json", "-"))["trace"]
    return json.dumps(counted, indent=1, ensure_ascii=False) + "\n"


def is_traced(rung):
    return rung["highlight"] and rung["kind"] == "reduces" and rung["name"] not in ("sequential", "exact")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    there = {path.stem: path for path in FOLDER.glob("*.json")}
    rungs = json.loads(output_of(arguments.program, "rungs", "--json", "-"))
    wanted = {rung["name"]: is_traced(rung) for rung in rungs}
    stale = [str(there[name]) for name in there if name not in wanted]
    for rung, traces in wanted.items():
        text, path = explained(arguments.program, rung, traces), FOLDER / f"{rung}.json"
        if path.is_file() and path.read_text() == text:
            continue
        stale.append(str(path))
        if not arguments.check:
            path.write_text(text)
    if arguments.check and stale:
        sys.exit(f"{', '.join(stale)}: not what the program counts; run scripts/write_explanations.py PROGRAM")
    for name in set(there) - set(wanted):
        there[name].unlink()


if __name__ == "__main__":
    main()
