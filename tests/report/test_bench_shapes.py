"""The table of bench/shapes.py, of a recorded run; and its CPU mode on small arrays."""

import json
import subprocess
import sys

import pytest
import shapes
import shapes_sides
import shapes_tables
from support import PROGRAM, ROOT

LIBRARY = PROGRAM.parents[1] / "lib/libwavefold.so"


def cell(operator="sum", kind="f32", axis=1, rows=1, columns=8, small=False, **seconds):
    return {"operator": operator, "type": kind, "axis": axis, "rows": rows, "columns": columns, "small": small,
            "floor": 1e-6, "seconds": {name: [value] * 3 for name, value in seconds.items()}}


RECORDED = {
    "about": {"device": "A GPU", "driver": "1", "compiler": "nvcc", "commit": "abc", "samples": 7,
              "time": "Device time", "command": "bench/shapes.py --log2n 3"},
    "copy": [1e12, 2e12, 3e12], "peers": {"wavefold": "0.3.0", "torch": "2.11"}, "missing": {"CuPy": "not installed"},
    "failed": {"CUB fixed": {"reduces rows only": 1}},
    "cells": [
        cell(wavefold=2e-6, torch=3e-6, CUB=1e-6),
        cell(axis=0, wavefold=1e-6, torch=4e-6),
        cell(rows=8, columns=1, wavefold=5e-6),
        cell(kind="u8", rows=8, columns=1, wavefold=400e-6, torch=800e-6),
        cell("argmax", "bf16", rows=8, columns=129280, small=True, wavefold=4e-6, torch=10e-6),
    ]}


def test_the_table_of_a_recorded_run():
    text = "\n\n".join(shapes_tables.sections(json.loads(json.dumps(RECORDED))))
    assert "| 2^0 x 2^3 | 50 % / **0.50** |  | 100 % / 4.00 |  |" in text
    assert "| 2^3 x 2^0 | 20 % / – | 0.2 % / 2.00 |  |  |" in text
    assert "| argmax bf16 | 8 x 129280 | 4.00 | 25 % | torch | 10.00 | 2.50 |" in text
    assert "ahead of every peer in 3 of 4 cells; the geometric mean of the ratios is 1.78." in text
    assert "Least ratios: sum f32, rows of 2^0 x 2^3 (0.50, CUB); " in text
    assert "- Not measured: CuPy (not installed)." in text and "- CUB fixed: reduces rows only (1 cells)." in text
    assert "A copy moves 2000 GB/s" in text


def test_runs_are_joined(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).write_text(json.dumps(RECORDED))
    document = shapes.joined([tmp_path / "one", tmp_path / "two"])
    assert document["cells"] == RECORDED["cells"]
    assert document["failed"] == {"CUB fixed": {"reduces rows only": 2}}
    (tmp_path / "two").write_text(json.dumps(RECORDED | {"about": RECORDED["about"] | {"device": "another"}}))
    with pytest.raises(SystemExit, match="several devices: A GPU, another"):
        shapes.joined([tmp_path / "one", tmp_path / "two"])


class StandIn:
    """A device on which a peer's sum is off by one, or a peer fails."""

    def __init__(self, **sides):
        self.sides = {name: (lambda cell, launch=launch: shapes_sides.Side(launch, lambda found: found))
                      for name, launch in sides.items()}

    def arrays(self, cell):
        return [list(range(cell.columns))]

    def seconds_of_a_call(self, launch, array):
        return 1.0

    def timer(self, launch, arrays, cell):
        return shapes_sides.Timer(lambda: 1.0)

    def agree(self, found, reference, absolute, relative):
        return found == reference


SUM = shapes_sides.Cell("sum", "i32", shapes_sides.ROWS, 1, 8)


def test_a_result_that_differs_ends_the_program():
    with pytest.raises(SystemExit, match="sum of i32, 1 x 8 along axis 1: the result of torch is not wavefold's"):
        shapes_sides.measure(StandIn(wavefold=sum, torch=lambda array: sum(array) + 1), SUM, 7)


def test_a_peer_that_fails_is_named():
    seconds, notes = shapes_sides.measure(StandIn(wavefold=sum, torch=lambda array: 1 // 0), SUM, 7)
    assert seconds == {"wavefold": [1.0] * 7} and notes == {"torch": "integer division or modulo by zero"}
    with pytest.raises(SystemExit, match="wavefold: integer division"):
        shapes_sides.measure(StandIn(wavefold=lambda array: 1 // 0, torch=sum), SUM, 7)


def test_shapes_on_a_cpu(tmp_path):
    """Every side's results are compared there."""
    pytest.importorskip("numpy")
    options = ["--device", "cpu", "--log2n", "6", "--step", "3", "--large-only", "--library", LIBRARY]
    done = subprocess.run([sys.executable, "-B", ROOT / "bench/shapes.py", *options, "--out", tmp_path],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (written,) = tmp_path.glob("*/shapes.json")
    document = json.loads(written.read_text())
    assert len(document["cells"]) == 5 * 3 * 2 * 3 and document["failed"]["NumPy"] == {"has no bf16": 18}
    assert all("NumPy" in one["seconds"] for one in document["cells"] if one["type"] != "bf16")
    assert "## argmax" in written.with_suffix(".md").read_text(encoding="utf-8")
