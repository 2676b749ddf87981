#!/usr/bin/env python3
"""Writes tests/golden/explain.json: the counts of every rung, from `wavefold explain RUNG --json`.

    scripts/write_explanations.py PROGRAM [--check | --to FOLDER]

A rung's row has its totals and claims, and a digest of each long part. The counts of source lines are left out: lines
move. --check changes nothing and fails if a row differs. --to writes the whole explanations instead, as
FOLDER/RUNG.json, which `wavefold report` reads; those of the ladder's main rungs have the tree of a tile.
"""
import argparse
import hashlib
import json
import pathlib
import subprocess
import sys

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "tests/golden/explain.json"
LONG = ("launches", "steps", "trace")


def output_of(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def explained(program, rung):
    name = rung["name"]
    counted = json.loads(output_of(program, "explain", name, "--json", "-")) | {"lines": []}
    if is_traced(rung):
        counted["trace"] = json.loads(output_of(program, "explain", name, "--trace", "--json", "-"))["trace"]
    return counted


def is_traced(rung):
    return rung["highlight"] and rung["kind"] == "reduces" and rung["name"] not in ("sequential", "exact")


def digest(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def row_of(counted):
    left_out = ("wavefold", "idea", "limit", "seed", "lines", *LONG)
    digests = {part: digest(counted[part]) for part in LONG if part in counted}
    return {key: value for key, value in counted.items() if key not in left_out} | {"digests": digests}


def differences(before, after):
    """What --check reports: "RUNG: PART, PART"."""
    for name in sorted(before.keys() | after.keys()):
        old, new = ({**row, **row["digests"], "digests": None} if row else {}
                    for row in (before.get(name), after.get(name)))
        parts = [part for part in {**old, **new} if old.get(part) != new.get(part)]
        if parts:
            yield f"{name}: {', '.join(parts)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--check", action="store_true")
    chosen.add_argument("--to", type=pathlib.Path, metavar="FOLDER")
    arguments = parser.parse_args()
    rungs = json.loads(output_of(arguments.program, "rungs", "--json", "-"))
    counted = {rung["name"]: explained(arguments.program, rung) for rung in rungs}
    if arguments.to is not None:
        arguments.to.mkdir(parents=True, exist_ok=True)
        for name, explanation in counted.items():
            text = json.dumps(explanation, ensure_ascii=False)
            (arguments.to / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        return
    rows = {name: row_of(explanation) for name, explanation in counted.items()}
    if arguments.check:
        found = list(differences(json.loads(GOLDEN.read_text(encoding="utf-8")), rows))
        if found:
            sys.exit("\n".join([f"{GOLDEN} differs from the counts of {arguments.program}:", *found,
                                "to accept them, run scripts/write_explanations.py PROGRAM"]))
        return
    lines = [f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in rows.items()]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
