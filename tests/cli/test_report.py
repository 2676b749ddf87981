"""What a run reports: table, JSON and CSV."""

import csv
import datetime
import io
import itertools
import json
import math
import re
from fractions import Fraction

import numpy
import pytest
from support import (DTYPES, SUCCESS, environment, exact_sum, hashes, parse_value, progression, read_back, reductions,
                     report, wavefold)

RUNGS = wavefold("rungs", "--names").stdout.split()
KINDS = ("reduces", "scans", "sorts", "sorts_pairs", "rows", "columns", "segments")


def takers(kind="f32", op="sum"):
    """The rungs, but exact where nothing of the fold rounds."""
    return [name for name in RUNGS if name != "exact" or (kind[0] == "f" and op == "sum")]


def pattern(dtype, count):
    steps = numpy.arange(count) % 16
    return (steps * 0.01).astype(dtype) if dtype[0] == "f" else steps.astype(dtype)


def random(dtype, count, seed):
    bits = hashes(seed, count)
    if dtype == "f4":
        return numpy.array([Fraction(b >> 40, 2**23) - 1 for b in bits], "f8").astype("f4")
    if dtype == "f8":
        return numpy.array([float(Fraction(b >> 11, 2**52) - 1) for b in bits], "f8")
    shift = 32 if dtype == "i4" else 0
    return numpy.array([b >> shift for b in bits], "u" + dtype[1]).view(dtype)


def fold(data, op):
    if op != "sum":
        return data.min() if op == "min" else data.max()
    if data.dtype.kind == "f":
        return exact_sum(data)
    with numpy.errstate(over="ignore"):
        return data.sum(dtype=data.dtype)


@pytest.mark.parametrize("kind, op, seed", itertools.product(DTYPES, ["sum", "min", "max"], [None, 7]))
def test_values(kind, op, seed):
    dtype = DTYPES[kind]
    arguments = [] if seed is None else ["--seed", seed]
    got = report("--type", kind, "--op", op, "--family", "all", *arguments, n=1001)
    data = pattern(dtype, 1001) if seed is None else random(dtype, 1001, seed)
    assert parse_value(got["exact"]["value"], dtype) == fold(data, op)
    assert (got["type"], got["op"], got["n"]) == (kind, op, 1001)
    assert (got["data"], got["seed"], got["input"]) == ("pattern" if seed is None else "random", seed, None)
    assert [rung["name"] for rung in got["rungs"]] == takers(kind, op)
    assert all(rung["verdict"] == "verified" and rung["reason"] is None for rung in got["rungs"])
    for rung in reductions(got):
        if op != "sum" or dtype[0] == "i":
            assert parse_value(rung["result"], dtype) == fold(data, op) and rung["ulps"] == 0 and rung["error"] == 0
        else:
            assert rung["error"] <= rung["bound"] < 1


def test_json_is_complete():
    before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    arguments = ["--family", "all", "--tile", 64, "--tiles", 5, "--window", 4, "--row-length", 9, "--repeat", 4]
    got = report(*arguments, n="16Ki", device="host:64")
    date = datetime.datetime.strptime(got["date"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
    assert before <= date <= before + datetime.timedelta(minutes=2)
    assert got["wavefold"] == "0.3.0" and got["repeat"] == 4
    listed = json.loads(wavefold("devices", "--json", "-").stdout)["devices"]
    told = next(device for device in listed if device["id"] == "host:64")
    assert got["device"] == {key: told[key] for key in (
        "id", "name", "backend", "wave_width", "multiprocessors", "memory_bytes", "capability_major",
        "capability_minor", "driver_version", "runtime_version")}
    assert got["parameters"] == {"tile_size": 64, "tiles": 5, "window": 4, "row_length": 9}
    ceiling = got["read_ceiling"]
    assert math.isclose(ceiling["gb_per_s"] * ceiling["seconds"]["min"], 2**16 / 1e9)
    rungs = {rung["name"]: rung for rung in got["rungs"]}
    for rung in got["rungs"]:
        seconds = rung["seconds"]
        assert len(seconds["all"]) == 4
        assert (seconds["min"], seconds["max"]) == (min(seconds["all"]), max(seconds["all"]))
        assert math.isclose(seconds["median"], float(numpy.median(seconds["all"])))
        assert math.isclose(rung["gb_per_s"] * seconds["median"], 2**16 / 1e9)
        assert math.isclose(rung["share_of_ceiling"], rung["gb_per_s"] / ceiling["gb_per_s"])
        assert rung["launches"] >= (rung["name"] != "sequential")
        assert rung["threads"] >= 1 and rung["total_seconds"] > 0
        assert (rung["depth"] == 0) == (rung["kind"].startswith("sorts") or rung["name"] == "exact")
    for rung in reductions(got):
        base = rungs["simple_1"]["seconds"]["median"]
        assert math.isclose(rung["speedup_over_simple_1"], base / rung["seconds"]["median"])
    assert rungs["simple_2"]["window"] == 4
    assert rungs["tiled_1"]["tile_size"] == 64
    assert rungs["cascade"]["tiles"] == 5


def test_defaults():
    got = report(n=100)
    assert (got["type"], got["op"], got["data"], got["repeat"]) == ("f32", "sum", "pattern", 1)
    assert got["parameters"] == {"tile_size": None, "tiles": None, "window": None, "row_length": None}
    got = json.loads(wavefold("progression", "--device", "host:32", "--n", "100", "--json", "-").stdout)
    assert got["repeat"] == 5 and all(3 <= len(rung["seconds"]["all"]) <= 101 for rung in got["rungs"])


def test_short_runs_are_repeated():
    """The loop over 100 elements takes less than a microsecond, and is run as often as any."""
    done = wavefold("progression", "--device", "host:32", "--n", "100", "--rungs", "sequential")
    assert "; median of 101 runs, half of\n          them within ± (" in done.stdout
    assert "; median of 1 run, half of\n" in progression("--rungs", "sequential", n=100).stdout


@pytest.mark.parametrize("count", [3, 4])
def test_no_ceiling_of_few_bytes(tmp_path, count):
    """Reading 16 bytes times the call, not the memory: nothing is a share of that."""
    done = progression("--json", tmp_path / "a.json", "--csv", tmp_path / "a.csv", n=count)
    head = "\nceiling   none: n is too small; reading the data takes little longer than reading 16 bytes\n"
    assert done.returncode == SUCCESS and head in done.stdout
    got = json.loads((tmp_path / "a.json").read_text())
    assert got["read_ceiling"]["gb_per_s"] is None and got["read_ceiling"]["seconds"]["min"] >= 0
    assert all(rung["share_of_ceiling"] is None for rung in got["rungs"])
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text()), strict=True))
    assert {(row["ceiling_gb_per_s"], row["share_of_ceiling"]) for row in rows} == {("", "")}


def test_emulated_times_rank_no_rungs():
    line = "          emulated: the times do not rank the rungs as a GPU would; counts that do: wavefold explain RUNG"
    assert progression("--rungs", "tiled_1", n=100).stdout.splitlines()[1] == line
    watched = wavefold("progression", "--device", "watched", "--rungs", "tiled_1", "--n", 100, "--repeat", 1)
    assert watched.returncode == SUCCESS and line in watched.stdout and "\nceiling   not measured\n" in watched.stdout


def test_csv_says_the_same(tmp_path):
    done = progression("--family", "all", "--json", tmp_path / "a.json", "--csv", tmp_path / "a.csv", n=20000)
    assert done.returncode == SUCCESS
    text = (tmp_path / "a.csv").read_bytes().decode()
    assert text.count("\r\n") == text.count("\n") == len(RUNGS) + 1
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    got = read_back(json.loads((tmp_path / "a.json").read_text()))
    assert len(rows) == len(got["rungs"])
    for row, rung in zip(rows, got["rungs"]):
        assert None not in row and None not in row.values()
        for key in ("name", "verdict"):
            assert row[key] == rung[key]
        for key in ("launches", "threads", "tile_size", "tiles", "window", "depth", "ulps"):
            assert int(row[key]) == rung[key]
        for key in ("total_seconds", "gb_per_s", "share_of_ceiling", "error", "bound"):
            assert float(row[key]) == rung[key]
        assert row["kind"] == rung["kind"]
        if rung["kind"] == "reduces":
            assert float(row["result"]) == rung["result"]
            assert float(row["speedup_over_simple_1"]) == rung["speedup_over_simple_1"]
        for key in ("median", "min", "max"):
            assert float(row[f"seconds_{key}"]) == rung["seconds"][key]
        assert float(row["ceiling_gb_per_s"]) == got["read_ceiling"]["gb_per_s"]
        assert (row["device"], row["device_name"]) == (got["device"]["id"], got["device"]["name"])
        assert (row["n"], row["type"], row["op"], row["data"]) == ("20000", "f32", "sum", "pattern")
        assert (row["repeat"], row["reason"]) == ("1", "")
        assert row["exact"] == (got["exact"]["value"] if rung["kind"] == "reduces" else "")


def test_csv_quotes_what_it_must(tmp_path):
    path = tmp_path / 'odd, "name"\n.bin'
    path.write_bytes(bytes(8))
    done = progression("--input", path, "--type", "f32", "--family", "all", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(done.stdout, newline=""), strict=True))
    assert len(rows) == len(RUNGS) and rows[0]["data"] == str(path)


def test_names_that_are_no_utf8(tmp_path):
    path = bytes(tmp_path) + b"/\xff\xfe.bin"
    with open(path, "wb") as file:
        file.write(bytes(8))
    got = report("--type", "f32", "--input", path.decode("utf8", "surrogateescape"))
    assert got["input"].endswith("/??.bin")


@pytest.mark.parametrize("kind, op", itertools.product(DTYPES, ["sum", "min", "max"]))
def test_no_elements(kind, op):
    """The identity, and no division by zero anywhere."""
    got = report("--type", kind, "--op", op, "--family", "all", n=0)
    assert [rung["name"] for rung in got["rungs"]] == takers(kind, op)
    info = {"f": lambda d: (math.inf, -math.inf), "i": lambda d: (numpy.iinfo(d).max, numpy.iinfo(d).min)}
    largest, smallest = info[kind[0]](DTYPES[kind])
    expected = {"sum": 0, "min": largest, "max": smallest}[op]
    assert parse_value(got["exact"]["value"], DTYPES[kind]) == expected
    assert got["read_ceiling"]["gb_per_s"] == 0
    for rung in got["rungs"]:
        assert rung["verdict"] == "verified" and rung["gb_per_s"] == 0 and rung["share_of_ceiling"] is None
    for rung in reductions(got):
        assert parse_value(rung["result"], DTYPES[kind]) == expected
    done = progression("--type", kind, "--op", op, "--family", "all", n=0)
    assert done.returncode == SUCCESS and "verified" in done.stdout


@pytest.mark.parametrize("count", [1, 2, 3, 5, 31, 33, 255, 257, 1023])
def test_odd_counts(count):
    got = report("--seed", 3, "--type", "i32", "--family", "all", n=count)
    assert parse_value(got["exact"]["value"], "i4") == fold(random("i4", count, 3), "sum")


def test_chosen_rungs_in_their_order():
    got = report("--rungs", "tiled_2,sequential", n=100)
    assert [rung["name"] for rung in got["rungs"]] == ["tiled_2", "sequential"]
    assert all(rung["speedup_over_simple_1"] is None for rung in got["rungs"])
    assert "2 of 2 rungs verified" in progression("--rungs", "tiled_2,sequential", n=100).stdout


def table_rows(text):
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("rung "))
    return lines[start], lines[start + 1 : start + 1 + len(RUNGS)]


def test_table():
    done = progression("--family", "all", n=20000)
    assert done.returncode == SUCCESS and done.stderr == ""
    assert max(map(len, done.stdout.splitlines())) <= 120
    heading, rows = table_rows(done.stdout)
    assert re.split(r"\s{2,}", heading) == [
        "rung", "launches", "threads", "time", "GB/s", "ceiling", "speed-up", "result", "ulps", "verdict"]
    assert [row.split()[0] for row in rows] == RUNGS
    assert all(row.endswith("verified") for row in rows)
    result_end = heading.index("result") + len("result")
    assert all(row[result_end - 1].isalnum() and row[result_end : result_end + 2] == "  " for row in rows)
    assert f"{len(RUNGS)} of {len(RUNGS)} rungs verified" in done.stdout
    assert "host:32" in done.stdout and "n         20000\n" in done.stdout and " GB/s: the fastest read" in done.stdout
    assert "\x1b" not in done.stdout


def rounds_to(shown, value):
    return abs(float(shown) - value) <= 0.5001 * 10.0 ** -len(shown.partition(".")[2])


def test_json_has_the_shortest_digits():
    text = progression("--rungs", "sequential", "--json", "-", n=1000).stdout
    result, exact = re.search(r'"result": (\S+),', text)[1], re.search(r'"value": "(\S+)"', text)[1]
    for number in (result, exact):
        assert number == str(numpy.float32(number)) and len(number) <= len("74.680008")


def test_table_says_the_same(tmp_path):
    done = progression("--family", "all", "--repeat", 3, "--json", tmp_path / "a.json", n=20000)
    got = read_back(json.loads((tmp_path / "a.json").read_text()))
    units = {"µs": 1e6, "ms": 1e3, "s": 1}
    ceiling = re.search(r"^ceiling +(\S+) GB/s: ", done.stdout, re.MULTILINE)[1]
    assert rounds_to(ceiling, got["read_ceiling"]["gb_per_s"])
    for row, rung in zip(table_rows(done.stdout)[1], got["rungs"], strict=True):
        name, launches, threads, time, unit, spread, speed, less, share, speedup, result, ulps, verdict = re.fullmatch(
            r"(\S+) +(\d+) +(\d+) +(\S+) (µs|ms|s) +±(\S+)% +(\S+) +(<?)(\S+)% +(-|\S+×) +(.+?) +(\d+) +(\w+)",
            row).groups()
        seconds = rung["seconds"]
        assert (name, int(launches), int(threads), int(ulps), verdict) == tuple(
            rung[key] for key in ("name", "launches", "threads", "ulps", "verdict"))
        assert rounds_to(time, units[unit] * seconds["median"])
        distances = [abs(one - seconds["median"]) for one in seconds["all"]]
        assert rounds_to(spread, 100 * float(numpy.median(distances)) / seconds["median"])
        assert rounds_to(speed, rung["gb_per_s"])
        if less:
            assert share == "0.1" and rung["share_of_ceiling"] < 0.0005
        else:
            assert rounds_to(share, 100 * rung["share_of_ceiling"])
        if rung["kind"] == "reduces":
            assert float(result) == pytest.approx(rung["result"], rel=1e-8)
            assert rounds_to(speedup.removesuffix("×"), rung["speedup_over_simple_1"])
        else:
            results = {"rows": 313, "columns": 64, "segments": 313}.get(rung["kind"], 20000)
            assert (result, speedup) == (f"all {results} elements", "-")


@pytest.mark.parametrize(
    "arguments, shape",
    [
        (["--family", "amp", "--tile", 4, "--tiles", 3, "--window", 5],
         "4 threads; 3 tiles where their number is fixed; window of 5 (simple_2)"),
        (["--rungs", "tiled_1", "--tile", 2], "2 threads"),
        (["--rungs", "block_by_waves,wave_tile"], "256 threads"),
        (["--rungs", "simple_2"], "-; window of 8 (simple_2)"),
        (["--rungs", "sequential,wave_tile"], "-"),
        (["--rungs", "row_per_thread"], "256 threads; rows of 64"),
        (["--rungs", "columns", "--tiles", 2, "--row-length", 3],
         "256 threads; 2 tiles where their number is fixed; rows of 3"),
    ],
)
def test_table_tells_the_shape(arguments, shape):
    assert f"\ntile      {shape}\n" in progression(*arguments, n=100).stdout


@pytest.mark.parametrize("kind, op", [("i64", "sum"), ("f64", "sum"), ("f64", "min"), ("i64", "min")])
def test_table_with_long_numbers(kind, op):
    done = progression("--type", kind, "--op", op, "--seed", 1, "--rungs", ",".join(takers(kind, op)), n=3000)
    assert done.returncode == SUCCESS and done.stderr == ""
    assert max(map(len, done.stdout.splitlines())) <= 124


@pytest.mark.parametrize("kind, op, shown", [
    ("f8", "sum", "0.333333333333"), ("f4", "sum", "0.333333343"), ("f2", "min", "0.33325"),
    ("f8", "minmax", "0.333333 .. 0.333333"), ("f4", "minmax", "0.333333 .. 0.333333"),
    ("f2", "minmax", "0.33325 .. 0.33325")])
def test_digits_in_the_table(tmp_path, kind, op, shown):
    """What a number of the type has at least; of several a few."""
    numpy.save(tmp_path / "a.npy", numpy.array([1 / 3], kind))
    text = progression("--input", tmp_path / "a.npy", "--op", op, "--rungs", "sequential").stdout
    assert f"  {shown}  " in text


def test_table_in_ascii():
    done = progression(n=100, env=environment(LC_ALL="C"))
    assert done.returncode == SUCCESS and done.stdout.isascii()
    assert "µs" in progression(n=100).stdout


@pytest.mark.parametrize("count, closed", [(1600, "n/16·1.2 is 120;"), (1603, "floor(n/16)·1.2 + the rest is 120.03;")])
def test_pattern_is_explained(count, closed):
    text = progression(n=count).stdout
    assert closed in text
    exact = float(re.search(r"sum to ([0-9.]+)\.\n", text)[1])
    assert math.isclose(exact, exact_sum(pattern("f4", count)), rel_tol=1e-11)
    off, side = re.search(r"sequential comes out (\S+)% too (low|high)", text).groups()
    sequential = report("--rungs", "sequential", n=count)["rungs"][0]["result"]
    assert math.isclose(float(off) * (1 if side == "high" else -1), 100 * (sequential / exact - 1), rel_tol=0.06)
    for other in (["--seed", 1], ["--type", "i32"], ["--op", "max"], ["--rungs", "tiled_1"]):
        assert "sequential comes out" not in progression(*other, n=count).stdout


def test_default_count_is_explained():
    text = wavefold("--device", "host:32", "--rungs", "sequential", "--repeat", 1).stdout
    assert re.search(r"n +262144 \(the host device emulates every lane; pass --n for more\)", text)
    assert "pass --n" not in progression(n=100).stdout


def test_quiet():
    done = progression("--quiet", n=100)
    assert (done.returncode, done.stdout, done.stderr) == (SUCCESS, "", "")


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_report_on_standard_output_is_alone(form):
    assert "rungs verified" not in progression(form, "-", n=100).stdout


@pytest.mark.parametrize("device", ["host", "host:32:reverse", "host:64:random", "host:32:random=5"])
def test_devices_by_name(device):
    assert report("--rungs", "tiled_3", n=300, device=device)["device"]["backend"] == "host"


def test_devices():
    done = wavefold("devices")
    got = json.loads(wavefold("devices", "--json", "-").stdout)
    assert done.returncode == SUCCESS
    assert wavefold("devices", "--names").stdout.split() == [device["id"] for device in got["devices"]]
    assert any(device["backend"] == "host" for device in got["devices"])
    heading, *rows = done.stdout.splitlines()[:1 + len(got["devices"])]
    assert re.split(" {2,}", heading) == ["id", "waves of", "units", "memory", "free", "max tile", "name"]
    for row, device in zip(rows, got["devices"], strict=True):
        # A device's name may have such blanks.
        name, waves, units, memory, free, tile, called = re.split(" {2,}", row, maxsplit=6)
        assert (name, called) == (device["id"], device["name"])
        assert [int(waves), int(units), int(tile)] == [
            device[key] for key in ("wave_width", "multiprocessors", "max_tile_size")]
        assert rounds_to(memory.removesuffix(" GiB"), device["memory_bytes"] / 2**30)
        # What is free changes from call to call.
        assert float(free.removesuffix(" GiB")) == pytest.approx(device["memory_free_bytes"] / 2**30, rel=0.2)
    for backend in got["backends"]:
        assert backend["status"].startswith("WF_")
        assert (f"backend {backend['name']} offers no device: {backend['detail']}" in done.stdout) == (
            backend["devices"] == 0)


def test_rungs():
    done = wavefold("rungs")
    got = json.loads(wavefold("rungs", "--json", "-").stdout)
    assert [rung["name"] for rung in got] == RUNGS
    shown = re.split(r"^(?=\S)", done.stdout, flags=re.MULTILINE)[1:]
    assert [text.split()[0] for text in shown] == RUNGS
    for rung, text in zip(got, shown):
        assert set(rung["parameters"]) <= {"tile", "tiles", "window", "exclusive", "descending", "row-length"}
        assert rung["accesses"] is None or rung["accesses"] > 0
        accesses = "depend on n" if rung["accesses"] is None else f"{rung['accesses']:.4g} per element"
        assert f"  accesses   {accesses}\n" in text
        assert rung["kind"] in KINDS and f"kind       {rung['kind'][:4]}" in text
        for key in ("name", "idea", "limit", "seed", "family"):
            assert rung[key] and rung[key] in text
        assert isinstance(rung["whole_waves"], bool) and isinstance(rung["highlight"], bool)
        assert ("--tile (whole waves)" in text) == rung["whole_waves"]
        assert not rung["whole_waves"] or "tile" in rung["parameters"]
        heeded = re.findall("--([a-z-]+)", text)
        assert heeded == rung["parameters"] and ("no parameters" in text) == (heeded == [])
    assert {rung["name"]: rung["parameters"] for rung in got}["simple_2"] == ["window"]
