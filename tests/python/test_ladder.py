"""explain, try_kernel and progression: tables and pictures that Jupyter shows."""
import pytest

import wavefold
from wavefold import _program



def test_explain():
    found = wavefold.explain("tiled_1", against="tiled_2", n=4096)
    counts = {row["count"]: row for row in found}
    assert counts["barriers"]["here"] == 144
    assert counts["barriers"]["beside"] > 0
    assert "<table>" in found._repr_html_() and "tiled_2" in found._repr_html_()
    assert found._repr_svg_().startswith("<svg")
    assert found._repr_svg_() in found._repr_html_()
    assert "barriers" in repr(found)
    with pytest.raises(RuntimeError, match="nothing"):
        wavefold.explain("nothing")


def test_progression():
    found = wavefold.progression(n=4096, repeat=2, device="host")
    assert all(row["verdict"] == "verified" for row in found)
    assert found._repr_svg_().count("<rect") > len(found) // 2
    assert "GB/s" in found._repr_html_()
    with pytest.raises(RuntimeError):
        wavefold.progression(type="f128")


def test_try_kernel(tmp_path):
    _program.run("try", "--new", tmp_path / "mine")
    found = wavefold.try_kernel(tmp_path / "mine.hip")
    assert found.right
    assert [row["wave"] for row in found] == [32, 64]
    (tmp_path / "wrong.hip").write_text((tmp_path / "mine.hip").read_text().replace("cells[t + s]", "cells[t]"))
    assert not wavefold.try_kernel(tmp_path / "wrong.hip").right
    with pytest.raises(RuntimeError):
        wavefold.try_kernel(tmp_path / "missing.hip")
