#!/usr/bin/env python3
"""Writes the tables of docs/reductions.md, between its markers, from the output of wavefold operators.

    scripts/write_reductions.py WAVEFOLD [--check]

WAVEFOLD is the built program; --check changes nothing, and fails if the tables differ.
"""
import argparse
import json
import pathlib
import subprocess
import sys

FILE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "reductions.md"
BEGIN = "<!-- From the program's own table, by scripts/write_reductions.py: do not edit. -->\n"
BETWEEN = "Other reductions, and these with `WF_ACCURACY_FAST`, round at each step:"
END = "<!-- End of the tables. -->\n"


def cells(row):
    """All of a row but the operator and the type: rows with equal cells become one."""
    chosen = row["accumulators"]
    accumulator = "; ".join([chosen[0], ", ".join(chosen[1:])] if len(chosen) > 1 else chosen) or "the type"
    averages_integers = row["operator"] == "mean" and row["type"][0] in "iu"
    kind = row["result_type"] if averages_integers else "the accumulator" if chosen else "the type"
    number = {1: "", 2: "two of ", 4: "four of "}[row["result_values"]]
    result = number + kind + (", and its index (u64)" if row["has_index"] else "")
    return accumulator, result, row["of_no_elements"]


def exact_lines(rows):
    yield "| exact by default | types | result (default; others) |"
    yield "|---|---|---|"
    of_operator, of_body = {}, {}
    for row in rows:
        if row["default_accuracy"] == "exact":
            of_operator.setdefault(row["operator"], []).append(row)
    for operator, exact in of_operator.items():
        chosen = sorted({kind for row in exact for kind in row["exact_results"][1:]})
        assert all(row["exact_results"][0] == row["type"] for row in exact)
        of_body.setdefault((", ".join(row["type"] for row in exact), ", ".join(chosen)), []).append(operator)
    for (types, chosen), operators in of_body.items():
        yield f"| {', '.join(operators)} | {types} | the type; {chosen} |"


def lines(rows):
    yield "| operator | types | accumulator (default; others) | result | of an empty array |"
    yield "|---|---|---|---|---|"
    by_operator = {}
    for row in rows:
        by_operator.setdefault(row["operator"], {}).setdefault(cells(row), []).append(row["type"])
    of_body = {}
    all_types = {row["type"] for row in rows}
    for operator, groups in by_operator.items():
        body = tuple(("all" if set(types) == all_types else ", ".join(types), *cell) for cell, types in groups.items())
        of_body.setdefault(body, []).append(operator)
    for body, operators in of_body.items():
        for i, (types, accumulator, result, identity) in enumerate(body):
            yield f"| {', '.join(operators) if i == 0 else ''} | {types} | {accumulator} | {result} | {identity} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wavefold")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    command = [arguments.wavefold, "operators", "--json", "-"]
    listed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    text = FILE.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{FILE}: the markers of the tables must occur once each")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    rows = json.loads(listed.stdout)
    tables = "\n".join([*exact_lines(rows), "", BETWEEN, "", *lines(rows)])
    written = f"{before}{BEGIN}\n{tables}\n\n{END}{after}"
    if not arguments.check:
        FILE.write_text(written)
    elif written != text:
        sys.exit(f"{FILE} differs from the program: run scripts/write_reductions.py {arguments.wavefold}")


if __name__ == "__main__":
    main()
