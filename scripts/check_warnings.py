#!/usr/bin/env python3
"""Has a compiler read every source of a configured build, and fails if it warns. Nothing is built, so it takes seconds.

    scripts/check_warnings.py BUILD [SOURCE...]    (a folder that CMake has configured with that compiler)
    scripts/check_warnings.py BUILD --heeding MACRO

With sources, those alone, each of which the build must have; one that is compiled in several ways is read once. With a
macro, those alone that name it, or include a file of the project that does: to others it makes no difference.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys


ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:["<](?:[^">]*/)?([^">/]+)[">])?', re.MULTILINE)


def heeding(macro):
    """The names of the project's files in which the macro stands, and of what includes them, one through the other.
    Files of one name count as one; what names no file to include may include any."""
    texts = collections.defaultdict(str)
    for folder in ("bench", "examples", "hip", "include", "src", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".c", ".h", ".cpp", ".hpp", ".hip", ".cu"}:
                texts[path.name] += path.read_text()
    includes = {name: set(INCLUDE.findall(text)) for name, text in texts.items()}
    found = {name for name, text in texts.items() if re.search(rf"\b{macro}\b", text) or "" in includes[name]}
    while more := {name for name in includes if includes[name] & found} - found:
        found |= more
    return found


def fails(entry):
    command = shlex.split(entry["command"])
    output = command.index("-o")
    del command[output:output + 2]
    reading = ["-fsyntax-only", "-Werror"]
    if pathlib.Path(command[0]).name == "nvcc":
        reading = ["-fdevice-syntax-only", "-Xcompiler=-fsyntax-only", "--Werror", "all-warnings", "-o", os.devnull]
    return subprocess.run([*command, *reading], cwd=entry["directory"]).returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("sources", nargs="*", type=pathlib.Path)
    parser.add_argument("--heeding", metavar="MACRO")
    asked = parser.parse_args()
    entries = json.loads((asked.build / "compile_commands.json").read_text())
    wanted = {str(source.resolve()) for source in asked.sources}
    if missing := wanted - {entry["file"] for entry in entries}:
        raise SystemExit(f"the build does not have {' '.join(sorted(missing))}")
    if asked.heeding:
        names = heeding(asked.heeding)
        entries = [entry for entry in entries if pathlib.Path(entry["file"]).name in names]
    if wanted:
        entries = list({entry["file"]: entry for entry in entries if entry["file"] in wanted}.values())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [entry["file"] for entry, bad in zip(entries, pool.map(fails, entries)) if bad]
    print(f"{len(entries)} sources read, {len(failed)} with warnings: {' '.join(failed)}".rstrip(": "))
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
