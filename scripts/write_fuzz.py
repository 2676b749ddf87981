#!/usr/bin/env python3
"""Adds up the tables that runs of scripts/fuzz.sh left, and writes results/fuzz.md.

    scripts/write_fuzz.py TABLE...      (build-fuzz/run/fuzz.md, of as many runs as there were; results/fuzz.md, to add
                                        to it)
"""
import argparse
import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEAD = """# Fuzzing

Written by `scripts/write_fuzz.py` from {runs} runs of `scripts/fuzz.sh`, each target under AddressSanitizer and
UndefinedBehaviorSanitizer. Edges and features are libFuzzer's, of the run that reached most.

| target | seconds | executions | edges | features | outcome |
|---|---|---|---|---|---|
"""


def rows(path):
    for line in pathlib.Path(path).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) in (6, 7) and cells[1].isdigit():
            target, seconds, executions, edges, features = cells[:5]
            outcome = cells[-1]
            if outcome != "no crash":
                raise SystemExit(f"{path}: {target} {outcome.strip('*')}: mend it, and run it again")
            if not all(cell.isdigit() for cell in cells[1:5]):
                raise SystemExit(f"{path}: {target} does not say what it did; run it again")
            yield target, [int(seconds), int(executions)], [int(edges), int(features)]


def runs_in(path):
    """What results/fuzz.md says of itself; a run's own table is one."""
    told = re.search(r"from (\d+) runs", pathlib.Path(path).read_text())
    return int(told[1]) if told else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+")
    tables = parser.parse_args().tables
    sums, most = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
    for path in tables:
        of_path = list(rows(path))
        if not of_path:
            raise SystemExit(f"{path}: no table of scripts/fuzz.sh is in it")
        for target, added, reached in of_path:
            sums[target] = [a + b for a, b in zip(sums[target], added)]
            most[target] = [max(a, b) for a, b in zip(most[target], reached)]
    text = HEAD.format(runs=sum(map(runs_in, tables)))
    for target, (seconds, executions) in sums.items():
        text += f"| {target} | {seconds} | {executions} | {most[target][0]} | {most[target][1]} | no crash |\n"
    (ROOT / "results" / "fuzz.md").write_text(text)


if __name__ == "__main__":
    main()
