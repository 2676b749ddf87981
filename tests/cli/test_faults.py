"""A library that returns wrong results, or fails: what the program says then."""

import csv
import io
import json
import math
import os
import re
import shutil
import subprocess

import numpy
import pytest
from support import (FAILURE, PROGRAM, ROOT, SUCCESS, environment, hashes, one_error, progression, report,
                     wavefold)

RUNGS = wavefold("rungs", "--names").stdout.split()
KINDS = {rung["name"]: rung["kind"] for rung in json.loads(wavefold("rungs", "--json", "-").stdout)}
SCANS = [name for name in RUNGS if KINDS[name] == "scans"]
SORTS = [name for name in RUNGS if KINDS[name].startswith("sorts")]
ROWS = [name for name in RUNGS if KINDS[name] in ("rows", "columns", "segments")]
PAIRS = [name for name in RUNGS if KINDS[name] == "sorts_pairs"]


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not compiler and not os.environ.get("CI"):
        pytest.skip("no C compiler")
    if "libwavefold" not in subprocess.run(["ldd", PROGRAM], capture_output=True, text=True).stdout:
        pytest.skip("the library is linked into the program, so that its functions cannot be replaced")
    library = tmp_path_factory.mktemp("faults") / "faults.so"
    source = ROOT / "tests/cli/faults.c"
    subprocess.run([compiler, "-std=c11", "-shared", "-fPIC", "-I", ROOT / "include",
                    "-I", ROOT / "tests/support", "-o", library, source, "-ldl"],
                   check=True)
    return lambda fault: environment(LD_PRELOAD=str(library), WAVEFOLD_FAULT=fault)


def verdicts(got):
    return {rung["name"]: rung["verdict"] for rung in got["rungs"]}


@pytest.mark.parametrize(
    "fault, arguments, named",
    [
        ("value", [], ["the result is", "expected", "exceeds the bound"]),
        ("nan", [], ["the result is nan, expected"]),
        ("infinity", [], ["the result is inf, expected"]),
        ("late", ["--repeat", "5"], ["the result is", "exceeds the bound"]),
        ("value", ["--type", "i32"], ["the result is", "expected"]),
        ("value", ["--type", "i64", "--op", "max"], ["the result is", "expected"]),
        ("value", ["--type", "f64", "--op", "min"], ["the result is", "expected"]),
        ("probe", [], ["the probe", "i32 weights", "exactly once"]),
        ("probe", ["--type", "f64"], ["the probe", "i64 weights", "exactly once"]),
        ("probe", ["--op", "max"], ["the probe", "i32 weights", "exactly once"]),
    ],
)
def test_wrong_result(faults, fault, arguments, named):
    env = faults(f"{fault}:tiled_2")
    got = report(*arguments, "--family", "all", n=1000, env=env, status=FAILURE)
    chosen = [rung["name"] for rung in got["rungs"]]
    assert verdicts(got) == {name: "WRONG" if name == "tiled_2" else "verified" for name in chosen}
    wrong = next(rung for rung in got["rungs"] if rung["name"] == "tiled_2")
    reason = wrong["reason"]
    # Integers are right, or nothing is said of how far off they are.
    assert (wrong["ulps"] is None) == (fault == "nan" or (fault == "value" and arguments[1:2] in (["i32"], ["i64"])))
    few = [*arguments, "--rungs", "sequential,tiled_1,tiled_2"]
    done = progression(*few, n=1000, env=env)
    assert done.returncode == FAILURE
    assert "2 of 3 rungs verified" in done.stdout
    line = next(line for line in done.stdout.splitlines() if line.startswith("tiled_2: "))
    for fragment in named:
        assert fragment in line and fragment in reason
    assert done.stdout.count("WRONG") == 1
    assert progression(*few, "--quiet", n=1000, env=env).returncode == FAILURE


def test_an_element_counted_twice_for_another(faults):
    """What a probe of equal elements would not see, nor a sum of floats that are all nearly the same."""
    got = report("--rungs", "sequential,tiled_2", n=1000, env=faults("probe_twice:tiled_2"), status=FAILURE)
    assert verdicts(got) == {"sequential": "verified", "tiled_2": "WRONG"}
    assert "the probe" in got["rungs"][1]["reason"] and "the result" not in got["rungs"][1]["reason"]


@pytest.mark.parametrize("op", ["argmin", "argmax"])
@pytest.mark.parametrize("fault, probe, meaning", [
    ("half", "one extreme", "the extreme is not found where it stands"),
    ("tie", "many extremes", "the first of equal extremes is not found"),
])
def test_what_takes_a_probe_of_its_own(faults, op, fault, probe, meaning):
    """The first of many extremes stands in the first half, and of one there is no last."""
    got = report("--op", op, "--seed", 2, "--rungs", "wavefold", n=1000, env=faults(f"probe_{fault}:wavefold"),
                 status=FAILURE)
    reason = got["rungs"][0]["reason"]
    assert f"elements with {probe}, gives" in reason and reason.endswith(meaning)


def test_no_weight_is_zero(faults):
    got = report("--type", "i8", "--seed", 7, "--rungs", "wavefold", n=1000, env=faults("probe:wavefold"),
                 status=FAILURE)
    weights = [number % 255 + 1 for number in hashes(2**64 - 1 - 7, 1000)]
    assert f"u8 weights, gives {sum(weights) ^ 1}, expected {sum(weights)}: " in got["rungs"][0]["reason"]


@pytest.mark.parametrize("data", [[math.nan, 1], [math.inf, 1], [-math.inf, 1], [math.inf, -math.inf], [5, 6]])
@pytest.mark.parametrize("op", ["sum", "max"])
def test_zero_for_what_is_not_zero(faults, tmp_path, data, op):
    numpy.save(tmp_path / "a.npy", numpy.array(data, "f4"))
    got = report("--input", tmp_path / "a.npy", "--op", op, "--rungs", "tiled_2", env=faults("zero:tiled_2"),
                 status=FAILURE)
    assert got["rungs"][0]["verdict"] == "WRONG"


@pytest.mark.parametrize("rung, op, data", [
    ("wavefold", "product", [-0.0, 3]),
    ("wavefold", "min", [0, -0.0]),
    ("tiled_2", "min", [0, -0.0]),
    ("exact", "sum", [-0.0, -0.0]),
])
def test_zero_of_the_other_sign(faults, tmp_path, rung, op, data):
    numpy.save(tmp_path / "a.npy", numpy.array(data, "f4"))
    arguments = ("--input", tmp_path / "a.npy", "--op", op, "--rungs", rung)
    assert verdicts(report(*arguments)) == {rung: "verified"}
    assert verdicts(report(*arguments, env=faults(f"zero:{rung}"), status=FAILURE)) == {rung: "WRONG"}


@pytest.mark.parametrize("fault, data, verdict", [
    # 3e38 + 3e38 overflows, so that an infinity says nothing against a rung; a NaN neither: it may be inf - inf.
    ("infinity", [3e38, 3e38, -3e38], "verified"),
    ("nan", [3e38, 3e38, -3e38], "verified"),
    ("zero", [3e38, 3e38, -3e38], "WRONG"),
    ("infinity", [1e38, 1e38, -1e38], "WRONG"),
    ("nan", [math.inf, 1], "WRONG"),
    ("nan", [math.inf, 3e38, 3e38], "verified"),
    ("infinity", [-math.inf, 1], "WRONG"),
    ("infinity", [math.nan, 1], "WRONG"),
])
def test_overflow_is_accepted_only_where_it_can_be(faults, tmp_path, fault, data, verdict):
    numpy.save(tmp_path / "a.npy", numpy.array(data, "f4"))
    got = report("--input", tmp_path / "a.npy", "--rungs", "tiled_2", env=faults(f"{fault}:tiled_2"),
                 status=SUCCESS if verdict == "verified" else FAILURE)
    assert got["rungs"][0]["verdict"] == verdict
    assert (got["rungs"][0]["ulps"] is None) == (fault == "nan" or math.isnan(data[0]))


def test_overflow_of_a_mean(faults, tmp_path):
    """Its sum's."""
    for data, status in (([3e38, 3e38, -3e38], SUCCESS), ([1e38, 1e38, -1e38], FAILURE)):
        numpy.save(tmp_path / "a.npy", numpy.array(data, "f4"))
        report("--input", tmp_path / "a.npy", "--op", "mean", "--rungs", "wavefold", env=faults("infinity:wavefold"),
               status=status)


@pytest.mark.parametrize("fault, rung, op", [("zero", "tiled_2", "sum"), ("zero", "wavefold", "mean"),
                                             ("largest", "wavefold", "mean"), ("twice", SCANS[0], "sum")])
def test_finite_results_of_magnitudes_beyond_doubles(faults, tmp_path, fault, rung, op):
    """What overflows in no order says nothing against a finite result, which must be right all the same."""
    large = [1.5e308, -1.5e308, 1.5e308, -1.5e308, 1.5e308]
    numpy.save(tmp_path / "a.npy", numpy.array(large if rung != SCANS[0] else [1e300, 1e283, *large[:2], 1e300]))
    arguments = ("--input", tmp_path / "a.npy", "--op", op, "--rungs", rung)
    assert verdicts(report(*arguments)) == {rung: "verified"}
    assert verdicts(report(*arguments, env=faults(f"{fault}:{rung}"), status=FAILURE)) == {rung: "WRONG"}


def test_mean_whose_product_with_the_count_is_beyond_doubles(tmp_path):
    """A third of the largest double is rounded up."""
    numpy.save(tmp_path / "a.npy", numpy.array([numpy.finfo("f8").max, 0, 0]))
    got = report("--input", tmp_path / "a.npy", "--op", "mean", "--rungs", "wavefold")
    assert verdicts(got) == {"wavefold": "verified"} and 0 < got["rungs"][0]["error"] <= got["rungs"][0]["bound"]


def test_wrong_result_is_the_one_shown(faults):
    """Not the right ones of the runs before and after it."""
    got = report("--repeat", "5", "--rungs", "tiled_2", n=1600, env=faults("late:tiled_2"), status=FAILURE)
    rung = got["rungs"][0]
    assert abs(rung["result"] - 121) < 0.01 and 0.99 < rung["error"] < 1.01 and rung["ulps"] > 1000


def test_large_ulps_are_short(faults):
    done = progression("--rungs", "tiled_2", n=100, env=faults("value:tiled_2"))
    row = next(line for line in done.stdout.splitlines() if line.startswith("tiled_2 "))
    mantissa, exponent = row.split()[-2].split("e")
    assert 1 <= float(mantissa) < 10 and int(exponent) >= 4


@pytest.mark.parametrize("when", ["", "probe_", "late_"])
@pytest.mark.parametrize("status", ["KERNEL_FAULT", "UNSUPPORTED", "DEVICE_ERROR"])
def test_failing_rung(faults, tmp_path, when, status):
    env = faults(f"{when}{status}:tiled_2")
    path = tmp_path / "a.csv"
    got = report("--family", "all", "--repeat", 3, "--csv", path, n=500, env=env, status=FAILURE)
    assert verdicts(got)["tiled_2"] == "failed"
    row = next(rung for rung in got["rungs"] if rung["name"] == "tiled_2")
    assert row["reason"] == "the injected fault" and "result" not in row
    before = RUNGS[: RUNGS.index("tiled_2")] if status == "DEVICE_ERROR" else RUNGS
    if when == "probe_" and status == "DEVICE_ERROR":
        before = []
    for name in RUNGS:
        if name != "tiled_2":
            assert verdicts(got)[name] == ("verified" if name in before else "not run")
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline=""), strict=True))
    assert {row["name"]: row["verdict"] for row in rows} == verdicts(got)
    assert next(row for row in rows if row["name"] == "tiled_2")["result"] == ""
    done = progression("--rungs", "sequential,tiled_2", "--repeat", 3, n=500, env=env)
    assert done.returncode == FAILURE and "tiled_2: the injected fault" in done.stdout


@pytest.mark.parametrize("fault", ["upload", "ceiling", "context"])
def test_failing_call_keeps_old_reports(faults, tmp_path, fault):
    path = tmp_path / "report"
    path.write_text("old")
    one_error(progression("--json", path, n=100, env=faults(fault)), FAILURE, "the injected fault")
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["report"]


def test_no_ceiling(faults):
    got = report(n=100, env=faults("no_ceiling"))
    assert got["read_ceiling"] is None and got["rungs"][0]["share_of_ceiling"] is None
    done = progression(n=100, env=faults("no_ceiling"))
    assert done.returncode == SUCCESS and "not measured" in done.stdout


def test_device_memory(faults):
    env = faults("small_gpu")
    margin, free = 64 << 20, 100 << 20
    most = (free - margin) // 8
    amp = ("--family", "amp")
    one_error(progression(*amp, n=most + 1, env=env), FAILURE, f"{most + 1} elements of f32",
              str(margin + 8 * most + 8), "device memory", str(free), f"largest --n that fits is {most}")
    one_error(progression(*amp, "--type", "f64", n=most, env=env), FAILURE, f"largest --n that fits is {most // 2}")
    matrices = ("--op", "matmul", "--rungs", "sequential")
    one_error(progression(*matrices, n=most, env=env), FAILURE, f"largest --n that fits is {most // 4}")
    for name, bytes_ in [*((name, 12) for name in SCANS), *((name, 16 if name in PAIRS else 12) for name in SORTS)]:
        one_error(progression("--rungs", name, n=most, env=env), FAILURE, "their results",
                  f"largest --n that fits is {(free - margin) // bytes_}")
    assert progression("--rungs", "sequential", n=most, env=env).returncode == SUCCESS


def test_tiles_beyond_the_device(faults):
    done = progression("--tiles", 100, n=100, env=faults("small_gpu"))
    one_error(done, FAILURE, "--tiles 100", "host:32", "take 99 or less")


def test_gpu_defaults(faults):
    """Those of wavefold --help."""
    done = wavefold("--device", "host:32", "--rungs", "sequential", "--json", "-", env=faults("free_gpu"))
    got = json.loads(done.stdout)
    assert got["n"] == 16 * 1024 * 1024 and got["repeat"] == 11


def test_long_runs_are_fewer(faults, tmp_path):
    """Unless --repeat says how many."""
    arguments = ("--device", "host:32", "--rungs", "look_back", "--op", "matmul", "--type", "f64", "--n", "2^20",
                 "--csv", tmp_path / "a.csv", "--json", "-")
    done = wavefold(*arguments, env=faults("free_gpu"))
    got = json.loads(done.stdout)
    runs = len(got["rungs"][0]["seconds"]["all"])
    assert got["repeat"] == 11 and 3 <= runs < 11
    row, = csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text()))
    assert int(row["repeat"]) == runs


REDUCTIONS = [
    # fault, arguments, what the reason says
    *[("value", ["--op", op, "--type", kind], ["the result is", "expected"])
      for op in ("sum", "product", "mean", "minmax", "argmin") for kind in ("i8", "u32", "f16", "f64")],
    *[("value", ["--op", op, "--type", "u16"], ["the result is"]) for op in ("and", "or", "xor")],
    *[("value", ["--op", op, "--type", kind], ["the result is", "expected"])
      for op in ("matmul", "affine") for kind in ("i32", "f32", "f64")],
    *[("second", ["--op", op], ["the result is", "expected"]) for op in ("minmax", "matmul", "affine")],
    *[("index", ["--op", op, "--type", kind], ["the result is", " @ "]) for op in ("argmin", "argmax")
      for kind in ("i32", "f16")],
    ("value", ["--accumulator", "f64"], ["exceeds the bound"]),
    ("value", ["--op", "mean", "--type", "i32"], ["exceeds the bound"]),
    ("value", ["--op", "mean", "--type", "i8"], ["exceeds the bound"]),
    ("value", ["--op", "product"], ["exceeds the bound"]),
    ("value", ["--op", "matmul"], ["exceeds the bound", "[", ";"]),
    ("nan", ["--op", "product"], ["the result is nan"]),
    ("nan", ["--op", "mean", "--type", "i8"], ["the result is nan"]),
    ("nan", ["--op", "matmul"], ["the result is [nan"]),
    ("infinity", ["--op", "affine"], ["the result is inf x"]),
    ("zero", ["--op", "mean"], ["the result is 0, expected"]),
    ("probe", ["--op", "product"], ["the probe", "odd factors", "exactly once"]),
    ("probe", ["--type", "i8"], ["the probe", "u8 weights"]),
    ("probe_twice", ["--op", "product"], ["the probe", "odd factors"]),
    ("probe_twice", ["--op", "xor", "--type", "i16"], ["the probe", "u16 weights"]),
    ("probe_twice", ["--op", "matmul"], ["the probe", "do not commute", "in its place"]),
    ("probe_swap", ["--op", "matmul"], ["the probe", "do not commute", "in its place"]),
    ("probe_swap", ["--op", "affine", "--type", "f64"], ["the probe", "do not commute"]),
    ("probe", ["--op", "argmin", "--type", "f32"], ["one extreme", "where it stands"]),
]


def wrong_rung(arguments):
    """One that is not sequential; ordered operators have others than the rest."""
    ordered = "matmul" in arguments or "affine" in arguments
    return "last_block_ordered" if ordered else "wavefold"


@pytest.mark.parametrize("fault, arguments, named", REDUCTIONS)
def test_wrong_reductions(faults, fault, arguments, named):
    name = wrong_rung(arguments)
    seed = () if fault.startswith("probe") else ("--seed", 4)
    got = report(*arguments, *seed, "--rungs", f"sequential,{name}", n=1000, env=faults(f"{fault}:{name}"),
                 status=FAILURE)
    # What was changed in the probe's input stays there for no rung that runs after.
    assert verdicts(got) == {"sequential": "verified", name: "WRONG"}
    wrong = got["rungs"][1]
    for fragment in named:
        assert fragment in wrong["reason"], wrong["reason"]
    if not fault.startswith("probe"):
        is_float = got["result_type"] in ("f32", "f64", "f16", "bf16")
        assert (wrong["ulps"] is None) == (fault in ("nan", "index") or not is_float)
        assert (wrong["error"] is None) == ("exceeds the bound" not in wrong["reason"])


@pytest.mark.parametrize("kind, op, data, fault, ulps", [
    ("f4", "sum", [-0.5], "value", 2 * 0x3f000000), ("f8", "sum", [-0.5], "value", 2 * 0x3fe0000000000000),
    ("f4", "sum", [0.5], "zero", 0x3f000000), ("f4", "sum", [-0.5], "zero", 0x3f000000),
    ("f8", "max", [0.5], "zero", 0x3fe0000000000000), ("f2", "max", [0.5], "zero", 0x3800)])
def test_ulps_of_a_wrong_result(faults, tmp_path, kind, op, data, fault, ulps):
    """Up and down, and across 0."""
    numpy.save(tmp_path / "a.npy", numpy.array(data, kind))
    got = report("--input", tmp_path / "a.npy", "--op", op, "--rungs", "wavefold", env=faults(f"{fault}:wavefold"),
                 status=FAILURE)
    assert got["rungs"][0]["ulps"] == ulps


def test_wrong_zero_has_no_error(faults, tmp_path):
    """That of a product is exact."""
    numpy.save(tmp_path / "a.npy", numpy.array([0, 3], "f4"))
    arguments = ("--input", tmp_path / "a.npy", "--op", "product", "--rungs", "wavefold")
    assert [report(*arguments)["rungs"][0][key] for key in ("error", "bound")] == [0, 0]
    assert report(*arguments, env=faults("value:wavefold"), status=FAILURE)["rungs"][0]["error"] is None


def test_flushed_additions(faults, tmp_path):
    """Of a device that takes subnormal numbers for 0 in f32."""
    for kind, bound in (("f4", 3 * 2.0**-126 * 1000), ("f8", 0)):
        numpy.save(tmp_path / "a.npy", numpy.zeros(9, kind))
        got = report("--input", tmp_path / "a.npy", "--rungs", "tiled_2", env=faults("flushes:tiled_2"))
        assert got["rungs"][0]["bound"] == pytest.approx(bound, rel=1e-4, abs=0)


@pytest.mark.parametrize("seed, says", [(4, "expected 15.242033004760742"), (5, "exceeds the bound")], ids=["tie", ""])
def test_exact_may_not_be_off_at_all(faults, seed, says):
    """The number beside the right one, which the bound of another rung allows, is wrong of exact; at a tie, too."""
    arguments = ("--seed", seed, "--rungs", "wavefold,exact")
    got = report(*arguments, n=1000, env=faults("ulp:wavefold"))
    assert verdicts(got) == {"wavefold": "verified", "exact": "verified"} and got["rungs"][0]["ulps"] > 0
    got = report(*arguments, n=1000, env=faults("ulp:exact"), status=FAILURE)
    assert verdicts(got) == {"wavefold": "verified", "exact": "WRONG"} and got["rungs"][1]["ulps"] == 1
    assert says in got["rungs"][1]["reason"]
    assert ("exceeds" in got["rungs"][1]["reason"]) == (says == "exceeds the bound")
    got = report(*arguments, n=1000, env=faults("infinity:exact"), status=FAILURE)
    assert "gives" not in got["rungs"][1]["reason"] and got["rungs"][1]["error"] is None


def test_probe_judges_what_cannot_be_compared(faults, tmp_path):
    numpy.save(tmp_path / "a.npy", numpy.full(100, 1e30, "f4"))
    arguments = ("--input", tmp_path / "a.npy", "--op", "product", "--rungs", "wavefold")
    assert report(*arguments, env=faults("value:wavefold"))["rungs"][0]["compared"] is False
    got = report(*arguments, env=faults("probe_twice:wavefold"), status=FAILURE)
    assert verdicts(got) == {"wavefold": "WRONG"}


def last_row(name):
    """The last result of 1000 elements in rows of 64."""
    return 63 if KINDS[name] == "columns" else 15


ARRAYS = [
    *[(name, fault, arguments, named) for name in SCANS for fault, arguments, named in [
        ("value", [], ["element 0 of the result is", "expected", "exceeds the bound"]),
        ("last", [], ["element 999 of the result is", "expected", "exceeds the bound"]),
        ("last", ["--type", "i64"], ["element 999 of the result is", "expected"]),
        ("last", ["--op", "max"], ["element 999 of the result is", "expected"]),
        ("last", ["--op", "matmul"], ["element 999 of the result is [", "expected ["]),
        ("last", ["--exclusive"], ["element 999 of the result is", "expected"]),
        ("value", ["--exclusive"], ["element 0 of the result is 1, expected 0"]),
        ("unwritten", [], ["element 0 of the result is", "expected"]),
        ("twice", ["--type", "i32"], ["element 999 of the result is", "expected"]),
        ("probe", [], ["the probe", "i32 weights", "element 0 of the result is", "exactly once"]),
        ("probe_twice", ["--op", "min"], ["the probe", "i32 weights", "element 1 of the result is"]),
        ("probe_swap", ["--op", "affine"], ["the probe", "do not commute", "element 0 of the result is"]),
    ]],
    *[(name, fault, arguments, named) for name in ROWS for fault, arguments, named in [
        ("value", [], ["element 0 of the result is", "expected", "exceeds the bound"]),
        ("last", [], [f"element {last_row(name)} of the result is", "expected", "exceeds the bound"]),
        ("last", ["--type", "i64"], [f"element {last_row(name)} of the result is", "expected"]),
        ("last", ["--op", "max", "--type", "i32"], [f"element {last_row(name)} of the result is", "expected"]),
        ("last", ["--row-length", "1000000"], ["of the result is", "expected"]),
        ("unwritten", [], ["element 0 of the result is", "expected"]),
        ("probe", [], ["the probe", "i32 weights", "element 0 of the result is", "exactly once"]),
    ]],
    *[(name, fault, arguments, named) for name in SORTS for fault, arguments, named in [
        ("swap", [], ["of the result is", "expected"]),
        ("swap", ["--descending", "--type", "u64"], ["of the result is", "expected"]),
        ("unwritten", [], ["the result"]),
        ("last", [], ["of the"]),
        ("last", ["--type", "i64"], ["of the"]),
        ("twice", [], ["of the data"]),
    ]],
    *[(name, "swap", arguments, ["element 1 of the result is", "expected", word, "which is the element before it"])
      for name in SORTS if name not in PAIRS
      for arguments, word in [([], "or more"), (["--descending", "--type", "u64"], "or less")]],
    *[(name, fault, [], named) for name in PAIRS for fault, named in [
        ("positions", ["element 0 of the result is", "of the data"]),
        ("again", ["position 1 of the result is", "second time"]),
        ("beyond", ["position 1 of the result is 1000, expected one below 1000"]),
        ("twice", ["element 999 of the result is", "of the data"]),
    ]],
]


@pytest.mark.parametrize("name, fault, arguments, named", ARRAYS)
def test_wrong_arrays(faults, name, fault, arguments, named):
    seed = () if fault.startswith("probe") else ("--seed", 4)
    got = report(*arguments, *seed, "--rungs", name, n=1000, env=faults(f"{fault}:{name}"), status=FAILURE)
    assert verdicts(got) == {name: "WRONG"}
    for fragment in named:
        assert fragment in got["rungs"][0]["reason"], got["rungs"][0]["reason"]
    done = progression(*arguments, *seed, "--rungs", name, n=1000, env=faults(f"{fault}:{name}"))
    assert done.returncode == FAILURE and "WRONG" in done.stdout
    assert (re.search(r"not all \d+ elements", done.stdout) is not None) == (not fault.startswith("probe"))


def test_pieces_in_the_wrong_order(faults):
    """Each is in order, and all have the elements of the data."""
    name = next(name for name in SORTS if name not in PAIRS)
    got = report("--rungs", name, "--type", "i32", "--seed", 4, n=2**15, env=faults(f"halves:{name}"), status=FAILURE)
    assert "element 16384 of the result is" in got["rungs"][0]["reason"]


def test_blocks_in_the_wrong_order(faults, tmp_path):
    """8 MiB are copied to the host at a time; what was the last of them is known of the next."""
    name = next(name for name in SORTS if name not in PAIRS)
    numpy.save(tmp_path / "a.npy", numpy.arange(2**21, 0, -1))
    got = report("--input", tmp_path / "a.npy", "--rungs", name, "--repeat", 1, env=faults(f"sorted_halves:{name}"),
                 status=FAILURE)
    assert got["rungs"][0]["reason"].startswith("element 1048576 of the result is 1, expected 2097152 or more")


def test_two_equal_elements_for_two_others(faults, tmp_path):
    """In order, and nothing to an exclusive or."""
    name = next(name for name in SORTS if name not in PAIRS)
    numpy.save(tmp_path / "a.npy", numpy.array([1, 1, 2, 2], "i4"))
    got = report("--input", tmp_path / "a.npy", "--rungs", name, env=faults(f"last_two:{name}"), status=FAILURE)
    assert got["rungs"][0]["reason"] == "the result is in order, but its elements are not those of the data"


@pytest.mark.parametrize("name", SORTS)
def test_zeros_in_the_wrong_order(faults, tmp_path, name):
    numpy.save(tmp_path / "a.npy", numpy.array([0.0, -0.0], "f4"))
    arguments = ("--input", tmp_path / "a.npy", "--rungs", name)
    assert verdicts(report(*arguments)) == {name: "verified"}
    got = report(*arguments, env=faults(f"swap:{name}"), status=FAILURE)
    assert "element 1 of the result is -0, expected 0 or more" in got["rungs"][0]["reason"] or name in PAIRS


@pytest.mark.parametrize("names", [SCANS, [name for name in SORTS if name not in PAIRS]])
def test_what_another_rung_left_verifies_nothing(faults, names):
    first, *_, last = names
    got = report("--rungs", f"{first},{last}", "--seed", 4, n=1000, env=faults(f"unwritten:{last}"), status=FAILURE)
    assert verdicts(got) == {first: "verified", last: "WRONG"}


@pytest.mark.parametrize("name", SCANS + SORTS)
def test_late_wrong_array(faults, name):
    """The runs before it gave the right bits. The third run is the last; or others follow, all of the same bits."""
    exact = ("--type", "i32") if name in SCANS else ()
    for arguments, reason in ((("--repeat", 2), "of the result"), (("--repeat", 5, *exact), "run 3 of 6 left another")):
        got = report("--rungs", name, *arguments, "--seed", 4, n=1000, env=faults(f"late:{name}"), status=FAILURE)
        assert verdicts(got) == {name: "WRONG"} and reason in got["rungs"][0]["reason"]


@pytest.mark.parametrize("fault", ["reduce", "context"])
@pytest.mark.parametrize("more", [[], ["--json", "-"], ["--op", "describe"], ["--state", "-"], ["--axis", "0"],
                                  ["--axis", "0", "--output", "-"]], ids=" ".join)
def test_reduce_without_an_answer(faults, tmp_path, fault, more):
    numpy.save(tmp_path / "a.npy", numpy.ones(3))
    done = wavefold("reduce", tmp_path / "a.npy", "--device", "host", *more, env=faults(fault))
    one_error(done, FAILURE, "the injected fault")


@pytest.mark.parametrize("order", "CF")
def test_axes_on_a_device_that_is_no_cpu(faults, tmp_path, order):
    """The array and the results are copied; here the device's memory is the host's."""
    data, env = numpy.arange(60.0).reshape(3, 4, 5), faults("free_gpu")
    numpy.save(tmp_path / "a.npy", numpy.asarray(data, order=order))
    numpy.save(tmp_path / "empty.npy", data[:, :0])
    for axes, axis in (("0", 0), ("0,2", (0, 2)), ("-1", 2)):
        done = wavefold("reduce", tmp_path / "a.npy", "--axis", axes, "--output", tmp_path / "out.npy", env=env)
        assert (done.returncode, done.stderr) == (SUCCESS, "")
        assert numpy.array_equal(numpy.load(tmp_path / "out.npy"), data.sum(axis=axis))
    assert wavefold("reduce", tmp_path / "empty.npy", "--axis", "1,2", env=env).stdout == "(0,) 0\n(1,) 0\n(2,) 0\n"
    assert wavefold("reduce", tmp_path / "empty.npy", "--axis", 0, env=env).stdout == "no results: shape (0, 5)\n"


def test_pieces_of_an_array_on_a_device(faults, long_array):
    path = long_array((5, 2**25), [(0, 5), (3, 0), (3, 1), (4, 2**25 - 1)])
    done = wavefold("reduce", path, "--axis", 1, env=faults("free_gpu"))
    assert done.stdout.split()[1::2] == ["1", "0", "0", "2", "1"] and done.stderr == ""


def test_axes_without_a_copy_on_the_device(faults, tmp_path):
    numpy.save(tmp_path / "a.npy", numpy.ones((3, 4)))
    done = wavefold("reduce", tmp_path / "a.npy", "--axis", 0, env=faults("gpu_upload"))
    one_error(done, FAILURE, "a.npy", "the injected fault")


@pytest.mark.parametrize("fault, rung", [
    ("probe", "tiled_2"), ("probe", "look_back"), ("probe", "bitonic"), ("probe", "bitonic_pairs"),
    ("probe_again", "bitonic_pairs")])
def test_explain_finds_a_wrong_result(faults, fault, rung):
    """Its one run has no report, as a probe's."""
    env = faults(f"{fault}:{rung}")
    done = wavefold("explain", rung, "-n", 50, "--json", "-", env=env)
    assert done.returncode == FAILURE and not json.loads(done.stdout)["is_right"]
    assert done.stderr == f"wavefold: {rung}: the result is wrong\n"


@pytest.mark.parametrize("rung", ["tiled_2", "look_back"])
@pytest.mark.parametrize("arguments", [[], ["--trace"], ["--against", "tiled_1"]])
def test_explain_tells_a_wrong_result(faults, rung, arguments):
    env = faults(f"probe:{rung}")
    done = wavefold("explain", rung, "-n", 50, *arguments, env=env)
    assert done.returncode == FAILURE and done.stderr == ""
    assert done.stdout.endswith(f"{rung}: the result is wrong\n")
    one_error(wavefold("explain", rung, "-n", 50, "-q", *arguments, env=env), FAILURE, f"{rung}: the result is wrong")


def test_explain_tells_a_wrong_result_beside(faults):
    arguments = ["explain", "tiled_1", "--against", "tiled_2", "-n", 50]
    done = wavefold(*arguments, env=faults("probe:tiled_2"))
    assert done.returncode == FAILURE and done.stdout.endswith("tiled_2: the result is wrong\n")
    one_error(wavefold(*arguments, "-q", env=faults("probe:tiled_2")), FAILURE, "tiled_2: the result is wrong")
