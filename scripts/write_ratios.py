#!/usr/bin/env python3
"""Writes the table of ratios in docs/performance.md, between its markers, from results/nvidia-h200/ratios.json.

    scripts/write_ratios.py [--check]

--check changes nothing, and fails if the table is not as it would be written.
"""
import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bench"))

from ratios import MEAN_OF, cell_text, mean_of, power_of, size_text, unpacked  # noqa: E402

TEXT, MEASURED = ROOT / "docs/performance.md", ROOT / "results/nvidia-h200/ratios.json"
MARKER = re.compile(r"(?<=<!-- ratios -->\n).*?(?=<!-- end -->)", flags=re.DOTALL)
ROWS = ("sum f32", "sum f64", "sum bf16", "sum i8", "min f32", "min f64", "argmin f32", "argmin i64", "minmax i32")
SIZES = [2**k for k in (4, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 30)]


def table():
    by_cub = unpacked(json.loads(MEASURED.read_text()))
    newest = max(by_cub, key=lambda cub: [int(part) for part in cub.split()[1].split(".")])
    cells = {(f"{cell['operation']} {cell['type']}", cell["n"]): cell["cold"][1] / cell["cold"][0]
             for cell in by_cub[newest]}
    lines = [f"| times as fast as {newest} | " + " | ".join(map(size_text, SIZES)) + " | mean |",
             "|---" * (len(SIZES) + 2) + "|"]
    for row in ROWS:
        mean = mean_of([value for (of, n), value in cells.items() if of == row and power_of(n) in MEAN_OF])
        shown = [cell_text(cells[row, n]) if (row, n) in cells else "" for n in SIZES]
        lines.append(f"| {row} | " + " | ".join(shown) + f" | {mean:.2f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    text = TEXT.read_text(encoding="utf-8")
    if len(MARKER.findall(text)) != 1:
        raise SystemExit(f"{TEXT} has no table between <!-- ratios --> and <!-- end -->, or several")
    written = MARKER.sub(lambda _: table(), text)
    if not check and written != text:
        TEXT.write_text(written, encoding="utf-8")
    elif written != text:
        raise SystemExit("the ratios of docs/performance.md are not those of results/: run scripts/write_ratios.py")


if __name__ == "__main__":
    main()
