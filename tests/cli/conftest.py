"""Fixtures of the program's tests."""

import json

import numpy
import pytest
from support import wavefold


@pytest.fixture
def saved(tmp_path):
    def save(array, name="a.npy"):
        numpy.save(tmp_path / name, array)
        return tmp_path / name

    return save


@pytest.fixture
def attempt(tmp_path):
    """Runs the text as mine.hip: the program's end, and its JSON."""

    def run(text, *arguments, **options):
        path = tmp_path / "mine.hip"
        path.write_text(text)
        report = tmp_path / "report.json"
        done = wavefold("try", path, "--json", report, *arguments, **options)
        return done, json.loads(report.read_text()) if report.exists() else None

    return run
