"""The examples run, and sums have one value; the notebook's cells run in order."""
import json
import pathlib
import subprocess
import sys

import pytest

from wavefold import _table

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "python"


def lines_of(name):
    done = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_processes():
    assert len({line.split()[-1] for line in lines_of("processes.py")}) == 1


def test_dask():
    pytest.importorskip("dask.array")
    assert len({line.split()[-1] for line in lines_of("dask_sum.py")}) == 1


def test_mpi():
    pytest.importorskip("mpi4py")
    assert "ranks" in lines_of("mpi_sum.py")[0]


def test_notebook():
    """Without Jupyter: each cell's last expression must be something that Jupyter shows."""
    names, shown = {}, []
    for cell in json.loads((EXAMPLES / "ladder.ipynb").read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        *before, last = "".join(cell["source"]).split("\n")
        exec("\n".join(before), names)
        shown.append(eval(last, names))
    tables = [one for one in shown if hasattr(one, "_repr_html_")]
    assert len(tables) == 7
    assert all("<table>" in table._repr_html_() for table in tables)
    assert [one.right for one in tables[-2:]] == [True, False]
    assert all(row["verdict"] == "verified" for row in tables[4])
    assert isinstance(tables[0], _table.Table)
