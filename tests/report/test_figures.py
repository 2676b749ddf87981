"""scripts/write_progression.py: the figures of docs/progression.md, and the picture of the ladder."""

import json

import pytest
import write_progression
from plots import description_of
from test_reading import EXPLAINED
from write_progression import Figures, picture, written


@pytest.fixture(scope="module")
def figures():
    return Figures()


def test_written(figures):
    text = "It is <!-- times simple_2 simple_1 -->9.9<!-- end --> times as fast; <!-- a note --> stays."
    assert written(text, figures) == text.replace("9.9", "2.35")


@pytest.mark.parametrize("marker", ["speed nothing", "nothing", "times simple_1", "share"])
def test_a_marker_that_means_nothing(figures, marker):
    with pytest.raises(SystemExit, match=f"progression.md:2: no figure for '{marker}'"):
        written(f"\n<!-- {marker} -->1<!-- end -->", figures)


@pytest.mark.parametrize("marker", ["speed: tiled_1", "speed  tiled_1", "exact-share 2^24"])
def test_what_is_no_marker(figures, marker):
    """What it says would be compared with nothing."""
    with pytest.raises(SystemExit, match="progression.md:3: no marker stands before '<!-- end -->'"):
        written(f"<!-- speed tiled_1 -->1\n<!-- end -->\n<!-- {marker} -->1<!-- end -->", figures)


def test_counters_come_in(figures, monkeypatch):
    monkeypatch.setitem(figures.explained, "tiled_3", json.loads(EXPLAINED.read_text()))
    said = figures.rung("tiled_3")
    assert "- Counted: n = 2^16, waves of 32: 1 loads and stores per element, 43 % of lanes idle" in said
    assert '"about 3" (C++ AMP sample) does not hold' in said


def test_every_rung_has_its_lines(figures):
    text = write_progression.TEXT.read_text()
    for rung in figures.run.rungs:
        if rung.group == "reduces":
            name = rung.name.split("_v")[0]
            assert f"**{name}**" in text and f"<!-- rung {name}" in text


def test_picture(figures):
    svg = picture(figures)
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg"') and "prefers-color-scheme: dark" in svg
    assert "tiled_1 417, 9.2 %" in description_of(svg) and "exact 4" in description_of(svg)
