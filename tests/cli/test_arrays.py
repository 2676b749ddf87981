"""Scans and sorts: what is run, told and accepted. That wrong arrays are found is test_faults.py's."""

import csv
import io
import itertools
import json
import math

import numpy
import pytest
from support import USAGE, one_error, progression, report, wavefold

RUNGS = json.loads(wavefold("rungs", "--json", "-").stdout)
SCANS = [rung["name"] for rung in RUNGS if rung["kind"] == "scans"]
SORTS = [rung["name"] for rung in RUNGS if rung["kind"] in ("sorts", "sorts_pairs")]
SIZES = (0, 1, 2, 65, 1009, 4097)
SPECIAL = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 2.0**-149, -(2.0**-149), 3e38]

pytestmark = pytest.mark.skipif(not SCANS and not SORTS, reason="no rung scans or sorts")


def run(*arguments, **options):
    got = report(*arguments, **options)
    assert all(rung["verdict"] == "verified" for rung in got["rungs"]), got
    return got["rungs"]


# What is asked for besides, each pair of choices at half of the sizes: all of them together are the library's tests'.
HALVES = (((), ("--seed", 3)), (("--seed", 3), ()))
DEVICES = ("host:32:reverse", "host:64:random=5")


@pytest.mark.parametrize("kind, op", itertools.product(["f32", "f64", "i32", "i64"], ["sum", "min", "max"]))
def test_scans(kind, op):
    for i, (count, exclusive) in enumerate(itertools.product(SIZES, ([], ["--exclusive"]))):
        seed = HALVES[i // 2 % 2][i % 2]
        rungs = run("--family", "scan", "--type", kind, "--op", op, *exclusive, *seed, n=count,
                    device=DEVICES[i // 4 % 2])
        assert [rung["name"] for rung in rungs] == SCANS
        for rung in rungs:
            assert rung["result"] is None and rung["compared"] and rung["error"] <= rung["bound"]
            assert rung["bound"] == 0 or (kind[0] == "f" and op == "sum")


@pytest.mark.parametrize("kind, op", itertools.product(["f32", "f64", "i32"], ["matmul", "affine"]))
def test_scans_in_order(kind, op):
    for count, exclusive in itertools.product(SIZES, ([], ["--exclusive"])):
        for rung in run("--family", "scan", "--type", kind, "--op", op, *exclusive, "--seed", 3, n=count):
            assert rung["compared"] and (rung["bound"] > 0 or kind == "i32" or count < 2)


@pytest.mark.parametrize("kind", ["f32", "f64", "i32", "i64", "u32", "u64"])
def test_sorts(kind):
    for i, (count, descending) in enumerate(itertools.product(SIZES, ([], ["--descending"]))):
        seed = HALVES[i // 2 % 2][i % 2]
        rungs = run("--family", "sort", "--type", kind, *descending, *seed, n=count, device=DEVICES[i // 4 % 2])
        assert [rung["name"] for rung in rungs] == SORTS
        assert all((rung["error"], rung["bound"], rung["ulps"], rung["result"]) == (0, 0, 0, None) for rung in rungs)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("direction", [[], ["--exclusive", "--descending"]])
def test_special_values(tmp_path, dtype, direction):
    """NaN of either sign, infinities, zeros of both signs, subnormals, and sums that overflow."""
    rng = numpy.random.default_rng(1)
    for count in (3, 700):
        data = rng.choice(SPECIAL, count).astype(dtype)
        data[::5] = -numpy.abs(data[::5])
        numpy.save(tmp_path / "a.npy", data)
        for family, op in (("sort", "sum"), ("scan", "sum"), ("scan", "min"), ("scan", "max")):
            run("--family", family, "--op", op, *direction, "--input", tmp_path / "a.npy")
    large = 0.9 * float(numpy.finfo(dtype).max)
    numpy.save(tmp_path / "a.npy", numpy.array([large, large, -large, -large] * 50, dtype))
    run("--family", "scan", *direction, "--input", tmp_path / "a.npy")


@pytest.mark.parametrize("special", [math.inf, -math.inf, math.nan])
def test_special_values_in_an_earlier_part(tmp_path, special):
    """What the elements so far come to is joined of those of each core."""
    data = numpy.ones(40000, "f4")
    data[5] = special
    numpy.save(tmp_path / "a.npy", data)
    run("--rungs", "look_back", "--input", tmp_path / "a.npy")


def test_swapped_file(tmp_path):
    """Positions point into a file that is not in this machine's byte order."""
    numpy.save(tmp_path / "a.npy", numpy.random.default_rng(1).integers(-9, 9, 3000).astype(">i4"))
    run("--family", "sort", "--input", tmp_path / "a.npy")
    run("--family", "scan", "--input", tmp_path / "a.npy")


def test_scans_of_wild_matrices_are_not_compared(tmp_path):
    numpy.save(tmp_path / "a.npy", numpy.random.default_rng(1).standard_normal((3000, 2, 2)).astype("f4"))
    arguments = ("--family", "scan", "--op", "matmul", "--input", tmp_path / "a.npy")
    assert all(not rung["compared"] for rung in run(*arguments))
    assert "not compared" in progression(*arguments).stdout


def test_what_has_no_error_is_not_hidden(tmp_path):
    """An infinity has none, whatever stands before it."""
    numpy.save(tmp_path / "a.npy", numpy.array([0.1, 0.2, numpy.inf], "f4"))
    assert {rung["error"] for rung in run("--family", "scan", "--input", tmp_path / "a.npy")} == {None}


@pytest.mark.parametrize("arguments, status, named", [
    (["--family", "sort", "--type", "i8"], USAGE, ["--family sort", "4 and 8 bytes"]),
    (["--family", "sort", "--op", "matmul"], USAGE, ["--family sort", "several"]),
    (["--rungs", ",".join(SORTS[:1]), "--type", "f16"], USAGE, ["--rungs", "4 and 8 bytes"]),
    (["--family", "scan", "--op", "product"], USAGE, ["--family scan", "product"]),
])
def test_what_they_cannot(arguments, status, named):
    one_error(progression(*arguments, n=100), status, *named)


def test_table_of_arrays():
    text = progression("--family", "all", "--exclusive", "--descending", n=1000).stdout
    assert "type, op  f32, sum, scans exclusive, sorts descending\n" in text
    rows = {line.split()[0]: line for line in text.splitlines() if "  verified" in line}
    for name in SCANS + SORTS:
        assert " all 1000 elements  " in rows[name] and "×" not in rows[name]
    text = progression("--family", "sort", n=1000).stdout
    assert "\ntype      f32\n" in text and "closed form" not in text


def test_reports_of_arrays(tmp_path):
    path = tmp_path / "a.csv"
    got = report("--family", "scan", "--exclusive", "--csv", path, n=1000)
    assert got["exclusive"] is True and got["descending"] is False
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline=""), strict=True))
    for row, rung in zip(rows, got["rungs"], strict=True):
        assert None not in row and None not in row.values()
        assert (row["kind"], row["result"], row["exact"]) == ("scans", "all 1000 elements", "")
        assert rung["kind"] == "scans" and rung["speedup_over_simple_1"] is None
        assert math.isclose(rung["gb_per_s"] * rung["seconds"]["median"], 4000 / 1e9)


def test_several_chunks():
    """More elements than a core checks at a time, and than are copied to the host at a time."""
    run("--rungs", "look_back", "--op", "matmul", "--type", "f64", "--seed", 2, n=2**18 + 5)
    run("--rungs", "look_back", "--type", "f32", "--seed", 2, n=2**15 + 5)
    count = 3 * 2**16 + 5
    run("--rungs", ",".join(SCANS[-1:]), "--type", "i64", "--seed", 2, n=count)
    run("--rungs", ",".join(name for name in SORTS if name.endswith("pairs")), "--type", "i32", "--seed", 2, n=count)
