"""Fixtures of the program's tests."""

import json
import math
import os

import numpy
import pytest
from reduced import npy_header
from support import wavefold


@pytest.fixture
def saved(tmp_path):
    def save(array, name="a.npy"):
        numpy.save(tmp_path / name, array)
        return tmp_path / name

    return save


@pytest.fixture
def long_array(tmp_path):
    """A long array of bytes: zeros, which take no room in the file, and some ones."""

    def make(shape, ones):
        path, header = tmp_path / "long.npy", npy_header(shape)
        path.write_bytes(header)
        try:
            os.truncate(path, len(header) + math.prod(shape))
        except OSError:
            pytest.skip("no sparse files here")
        array = numpy.load(path, mmap_mode="r+")
        for index in ones:
            array[index] = 1
        array.flush()
        return path

    return make


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
