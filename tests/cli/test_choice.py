"""Which rungs are run, and that none is left out because of its tile."""

import json

import pytest
from support import FAILURE, SUCCESS, one_error, progression, report, wavefold

RUNGS = json.loads(wavefold("rungs", "--json").stdout)
FAMILIES = list(dict.fromkeys(rung["family"] for rung in RUNGS))
DEVICES = [("host:32", 32), ("host:64", 64)]


def names(keep=lambda rung: True):
    return [rung["name"] for rung in RUNGS if keep(rung)]


def run(*arguments, **options):
    """Names of the rungs that were run, all of which were verified."""
    return [rung["name"] for rung in report(*arguments, n=300, **options)["rungs"] if rung["verdict"] == "verified"]


def test_families():
    assert FAMILIES == ["amp", "code", "wave", "grid", "one_wave"]
    text = " ".join(wavefold("progression", "--help").stdout.split())
    assert "family: " + ", ".join(FAMILIES[:-1]) + f" or {FAMILIES[-1]}; or all" in text


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
        assert len([rung for rung in RUNGS if rung["family"] == family and rung["highlight"]]) == 1
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
        ([], ["cascade_unrolled, block_atomic_v4, last_block_v4 and block_by_waves need whole waves", "--family amp"]),
        (["--family", "all"], ["unrolled_wave, unrolled_full, cascade_unrolled and 15 others need", "--family amp"]),
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
    """What is wrong, before any data are made or looked for; and every remedy is one."""
    for tile in (2, width // 2):
        said = [f"--tile {tile} is less than the {width} threads of a wave on {device}", f"take --tile {width} or more"]
        one_error(progression(*arguments, "--tile", tile, n="2^62", device=device), FAILURE, *said, *named)
        bad_input = ["--input", "/none.npy"]
        one_error(progression(*arguments, *bad_input, "--tile", tile, device=device), FAILURE, *said, *named)
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


def test_the_limit_of_the_tile_goes_first():
    one_error(progression("--tile", "2^20"), FAILURE, "--tile 1048576 is beyond the limit of host:32")
