"""Which rungs are run, and that none is left out because of its tile."""

import json
import re

import numpy
import pytest
from support import FAILURE, SUCCESS, USAGE, one_error, progression, report, wavefold

RUNGS = json.loads(wavefold("rungs", "--json", "-").stdout)
FAMILIES = list(dict.fromkeys(rung["family"] for rung in RUNGS))
DEVICES = [("host:32", 32), ("host:64", 64)]


def names(keep=lambda rung: True):
    return [rung["name"] for rung in RUNGS if keep(rung)]


def run(*arguments, **options):
    """Names of the rungs that were run, all of which were verified."""
    return [rung["name"] for rung in report(*arguments, n=300, **options)["rungs"] if rung["verdict"] == "verified"]


def test_families():
    assert FAMILIES[:6] == ["amp", "code", "wave", "grid", "ordered", "one_wave"]
    text = " ".join(wavefold("progression", "--help").stdout.split())
    listed = re.search("family that support the request: (.*?); or all", text)[1].replace(" or ", ", ").split(", ")
    assert set(FAMILIES) <= set(listed)


@pytest.mark.parametrize("device", ["host:32", "host:64"])
@pytest.mark.parametrize("family", FAMILIES)
def test_one_family(family, device):
    assert run("--family", family, device=device) == names(lambda rung: rung["family"] == family)


@pytest.mark.parametrize("device", ["host:32", "host:64"])
def test_all_families(device):
    assert run("--family", "all", device=device) == names()


@pytest.mark.parametrize("device", ["host:32", "host:64"])
def test_highlights_are_the_default(device):
    chosen = run(device=device)
    assert chosen == names(lambda rung: rung["highlight"])
    assert set(names(lambda rung: rung["family"] == "amp")) <= set(chosen)
    for family in FAMILIES[1:]:
        best = names(lambda rung: rung["family"] == family and rung["highlight"])
        assert len(best) == 1 or best == ["wavefold", "exact"]
    assert f"{len(chosen)} of {len(chosen)} rungs verified" in progression(n=300, device=device).stdout


def test_last_family_counts():
    assert run("--family", "wave", "--family", "code") == run("--family", "code")


@pytest.mark.parametrize("device, width", DEVICES)
@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung["name"])
def test_tile_of_less_than_a_wave(rung, device, width):
    tile = width // 2
    if not rung["whole_waves"]:
        assert run("--rungs", rung["name"], "--tile", tile, device=device) == [rung["name"]]
        return
    done = progression("--rungs", rung["name"], "--tile", tile, n=300, device=device)
    one_error(done, FAILURE, f"--tile {tile} is less than the {width} threads of a wave on {device}",
              f"and {rung['name']} needs whole waves", f"take --tile {width} or more, or name other rungs with --rungs")
    assert run("--rungs", rung["name"], "--tile", width, device=device) == [rung["name"]]


@pytest.mark.parametrize(
    "arguments, named",
    [
        ([], ["cascade_unrolled, block_atomic_v4, last_block_v4 and", "need whole waves", "--family amp"]),
        (["--family", "all"], ["unrolled_wave, unrolled_full, cascade_unrolled and", "others need", "--family amp"]),
        (["--family", "code"],
         ["unrolled_wave, unrolled_full and cascade_unrolled need", "name other rungs with --rungs"]),
        (["--family", "grid"], ["last_block and last_block_v4 need", "name other rungs with --rungs"]),
        (["--family", "one_wave"], ["and block_by_waves needs", "name other rungs with --rungs"]),
        (["--rungs", "tiled_1,last_block,cascade"], ["and last_block needs", "leave it out of --rungs"]),
        (["--rungs", "last_block,tiled_1,block_atomic"],
         ["last_block and block_atomic need", "leave them out of --rungs"]),
    ],
    ids=lambda value: " ".join(value) or "default",
)
@pytest.mark.parametrize("device, width", DEVICES)
def test_whole_waves(arguments, named, device, width):
    """What is wrong, before any data are made; and every remedy is one."""
    for tile in (2, width // 2):
        said = [f"--tile {tile} is less than the {width} threads of a wave on {device}", f"take --tile {width} or more"]
        one_error(progression(*arguments, "--tile", tile, n="2^62", device=device), FAILURE, *said, *named)
    for tile in (width, 2 * width):
        assert run(*arguments, "--tile", tile, device=device) == run(*arguments, device=device)


@pytest.mark.parametrize("device, width", DEVICES)
@pytest.mark.parametrize("family", FAMILIES)
def test_families_and_small_tiles(family, device, width):
    """Refused if one of the family needs whole waves, else run, every rung of it."""
    needing = names(lambda rung: rung["family"] == family and rung["whole_waves"])
    done = progression("--family", family, "--tile", 4, n=300, device=device)
    assert done.returncode == (FAILURE if needing else SUCCESS)
    if needing:
        one_error(done, FAILURE, needing[0])
    else:
        assert run("--family", family, "--tile", 4, device=device) == names(lambda rung: rung["family"] == family)
    rest = names(lambda rung: rung["family"] == family and not rung["whole_waves"])
    if rest:
        assert run("--rungs", ",".join(rest), "--tile", 4, device=device) == rest


def test_the_remedy_of_the_default():
    assert "amp" not in {rung["family"] for rung in RUNGS if rung["whole_waves"]}
    assert run("--family", "amp", "--tile", 2) == names(lambda rung: rung["family"] == "amp")


def test_tiles_of_exact():
    """Smaller than others': refused where the rung is named, else it is left out, and the program says so."""
    refusal = "tile size 1024: exact takes tiles of up to 512 threads on host:32"
    one_error(progression("--tile", 1024, "--rungs", "exact,cascade", n="2^62"), FAILURE,
              refusal + ", or leave it out of --rungs")
    one_error(progression("--tile", 1024, "--rungs", "exact", n=300), FAILURE, refusal + ", or name other rungs")
    assert run("--tile", 512, "--rungs", "exact,cascade") == ["exact", "cascade"]
    assert stderr_of("--tile", 1024).splitlines() == ["wavefold: left out exact: " + refusal]
    assert "exact" not in run("--tile", 1024) and "wavefold" in run("--tile", 1024)


@pytest.mark.parametrize("arguments", [("--type", "i32"), ("--op", "max")], ids=" ".join)
def test_exact_is_left_out_by_name(arguments):
    """Of what does not round there is no exact sum, and the ladder says so."""
    said = "wavefold: left out exact: exact takes sum and asum of f16, bf16, f32 and f64, and sumsq of the first three"
    for family in ([], ["--family", "all"]):
        lines = stderr_of(*arguments, *family).splitlines()
        assert len(lines) == 1 and lines[0].startswith(said) and lines[0].endswith("; all other rungs of its kind do")
    one_error(progression("--rungs", "exact", *arguments, n=300), USAGE, "--rungs: exact takes")


def test_the_limit_of_the_tile_goes_first():
    one_error(progression("--tile", "2^20"), FAILURE, "--tile 1048576 is beyond the limit of host:32")


def stderr_of(*arguments, **options):
    done = progression(*arguments, n=300, **options)
    assert done.returncode == SUCCESS, done.stderr
    return done.stderr


def takers(op, kind="f32"):
    """Rungs that fold it, by the table that the program prints."""
    table = json.loads(wavefold("operators", "--json", "-").stdout)
    row = next(row for row in table if (row["operator"], row["type"]) == (op, kind))
    reduces = {rung["name"] for rung in RUNGS if rung["kind"] == "reduces"}
    return [name for name in row["rungs"] if name in reduces]


@pytest.mark.parametrize("op, kind", [("product", "f32"), ("matmul", "i32"), ("sum", "i8"), ("argmax", "f16")])
def test_default_of_what_few_can(op, kind):
    """At least the loop and one other; and the table's rest is named, on one line."""
    request = ("--op", op, "--type", kind)
    chosen = [rung["name"] for rung in report(*request, n=300)["rungs"]]
    able = takers(op, kind)
    assert chosen[0] == "sequential" and len(set(chosen) & set(able)) > 1
    lines = stderr_of(*request).splitlines()
    assert len(lines) == 1 and lines[0].startswith("wavefold: left out simple_1, ") and "rungs that" in lines[0]
    for name in names(lambda rung: rung["family"] == "amp" and rung["name"] != "sequential"):
        assert name in lines[0] and name not in chosen
    assert stderr_of(*request, "--quiet") == ""


@pytest.mark.parametrize("op", ["product", "matmul"])
def test_all_that_can(op):
    done = progression("--family", "all", "--op", op, "--json", "-", n=300)
    chosen = [rung["name"] for rung in json.loads(done.stdout)["rungs"]]
    reduces = {rung["name"] for rung in RUNGS if rung["kind"] == "reduces"}
    assert [name for name in chosen if name in reduces] == takers(op)
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("wavefold: left out ")


@pytest.mark.parametrize("arguments, named", [
    (["--rungs", "sequential,tiled_1", "--op", "product"],
     ["--rungs: tiled_1 takes sum", "rungs that do: sequential"]),
    (["--rungs", "cascade", "--type", "u32"], ["cascade takes", "rungs that do: sequential"]),
    (["--rungs", "cascade", "--type", "f32", "--accumulator", "f64"], ["cascade takes"]),
    (["--rungs", "cascade", "--op", "min", "--nan", "ignore"], ["cascade takes"]),
    (["--rungs", "wave_tile", "--op", "matmul"], ["wave_tile", "rungs that keep the order", "wave_tile_ordered"]),
    (["--family", "code", "--op", "mean"], ["--family code", "unrolled_wave", "rungs that do: sequential"]),
    (["--family", "wave", "--op", "affine"], ["--family wave", "rungs that keep the order"]),
])
def test_rungs_that_cannot(tmp_path, arguments, named):
    """Refused by name: usage if the command line shows it, a failure if only the file does."""
    one_error(progression(*arguments, n=300), USAGE, *named)
    if "--type" in arguments:
        return
    path = tmp_path / "a.npy"
    numpy.save(path, numpy.ones((8, 4) if "matmul" in arguments else (8, 2), "f4"))
    one_error(progression(*arguments, "--input", path), FAILURE, *named)


def test_type_of_the_file_decides(tmp_path):
    numpy.save(tmp_path / "a.npy", numpy.ones(100, "i1"))
    one_error(progression("--rungs", "tiled_1", "--input", tmp_path / "a.npy"), FAILURE, "tiled_1 takes sum", "of i8")
    numpy.save(tmp_path / "b.npy", numpy.ones(100, "f4"))
    one_error(progression("--op", "xor", "--input", tmp_path / "b.npy"), FAILURE, "xor of f32")
