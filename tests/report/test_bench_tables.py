"""The tables that scripts of bench/ make of what was measured; and that all scripts start."""

import ctypes
import itertools
import json
import pathlib
import re
import subprocess
import sys

import about
import cpu
import exact
import numpy
import peers
import progression
import pytest
import ranks_mpi
import ratios
import reduce
from support import PROGRAM, ROOT

H200 = ROOT / "results/nvidia-h200"


def h200_runs(**changes):
    """What was measured there, with changes to the rung simple_1 of the largest n."""
    runs = json.loads((H200 / "progression.json").read_text())["runs"]
    next(rung for rung in runs[-1]["rungs"] if rung["name"] == "simple_1").update(changes)
    return runs


def row(text, name):
    return next(line for line in text.splitlines() if line.startswith(f"| {name} |")).split(" | ")[1:]


def test_the_ladder_as_committed():
    assert progression.table(h200_runs()) + "\n" in (H200 / "progression.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("changes, said", [
    ({"verdict": "WRONG"}, ["WRONG", "– |"]), ({"gb_per_s": None, "share_of_ceiling": None}, ["–", "– |"]),
    ({"share_of_ceiling": None, "gb_per_s": 700.2}, ["700", "– |"]), ({"gb_per_s": "inf"}, ["–", "24.0 % |"]),
])
def test_the_ladder_where_a_speed_says_nothing(changes, said):
    assert row(progression.table(h200_runs(**changes)), "simple_1")[-2:] == said


def test_the_ladder_of_rungs_that_were_not_timed():
    runs = h200_runs()
    runs[0]["rungs"] = [{"name": "simple_1", "kind": "reduces", "verdict": "failed", "reason": "no memory"}]
    runs[0]["read_ceiling"] = None
    text = progression.table(runs)
    assert row(text, "simple_1")[0] == "failed" and row(text, "tiled_1")[0] == "–"
    assert row(text, "*read ceiling*")[0] == "–"


def test_the_calls_of_the_readme():
    """In microseconds, each rounded to the digits that it has there."""
    measured = json.loads((H200 / "reduce.json").read_text())
    sums = {one["n"]: one for one in measured["results"] if (one["operation"], one["type"]) == ("sum", "f32")}
    torch = {one["n"]: one["seconds"]["torch"] for one in measured["python"]["results"]}
    rows = re.findall(r"^\| 2\^(\d+) \| (.* µs) \|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == 5
    for power, cells in rows:
        n = 2**int(power)
        host, cold = sums[n]["host"], sums[n]["device cold"]
        samples = (host["wavefold"], host["cub"], torch[n], cold["wavefold"], cold["cub"])
        shown = [cell.removesuffix(" µs") for cell in cells.split(" | ")]
        digits = [len(cell.partition(".")[2]) for cell in shown]
        assert shown == [f"{1e6 * reduce.median(one):.{behind}f}" for one, behind in zip(samples, digits)], power


@pytest.mark.parametrize("n, said", [(2**20, "2^20"), (3 * 2**10, "3·2^10"), (10**6, "1000000"), (0, "0"), (1, "2^0")])
def test_a_size_is_called_what_it_is(n, said):
    assert about.size_text(n) == said


def test_a_size_in_tables():
    heat = {"wavefold": [1e-3], "wavefold beside NumPy": [1e-3], "wavefold (ctypes)": [3e-3], "NumPy": [2e-3]}
    result = {"operation": "sum", "type": "f32", "n": 10**6, "bytes": 4 * 10**6, "rounds": 1, "cold": heat, "hot": heat}
    assert "| 1000000 | 1000 |" in cpu.table([result], "hot")
    sides = {"cub": [2e-3], "wavefold": [1e-3], "thrust": [1e-3]}
    row = {"n": 10**6, "device cold": sides, "host": sides}
    assert "| 1000000 | 1000.0 |" in reduce.every_size([row])
    measured = json.loads((H200 / "reduce.json").read_text())["results"]
    sums = [one for one in measured if (one["operation"], one["type"]) == ("sum", "f32")]
    assert reduce.every_size(sums) in (H200 / "reduce.md").read_text(encoding="utf-8")


def test_what_a_cpu_is_compared_with():
    """NumPy with calls from C in turn with it, TBB with those of the other process; a loop counts apart."""
    heat = {"wavefold": [4.0], "TBB": [8.0], "a loop": [1.0],
            "wavefold beside NumPy": [3.0], "wavefold (ctypes)": [6.0], "NumPy": [5.0]}
    rows = [{"operation": "sum", "type": "f32", "n": n, "bytes": 4 * n, "rounds": 1, "cold": heat, "hot": heat}
            for n in (16, 32)]
    rows[1] = rows[1] | {"hot": heat | {"a loop": [4.0], "NumPy": [2.0]}}
    assert cpu.beside_others(rows[0], "hot") == 5 / 3
    told = cpu.summary(rows)
    assert "3 of 4 cells" in told and "sum of f32, hot, 2^5 (0.67)" in told
    assert "of a loop, or above, hot: sum of f32 from 2^5 on." in told
    assert "both called from Python, or above, hot: sum of f32 at none of these n." in told


@pytest.mark.parametrize("script", sorted([*ROOT.glob("bench/*.py"), *ROOT.glob("scripts/*.py")]),
                         ids=lambda path: path.name)
def test_each_script_says_what_it_is_for(script):
    """And so finds all that it takes from the others."""
    done = subprocess.run([sys.executable, "-B", script, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def run_bench(script, *arguments, **options):
    return subprocess.run([sys.executable, "-B", ROOT / f"bench/{script}.py", *arguments], capture_output=True,
                          text=True, **options)


MISSING = [(name, ["--program", "nothing"], "cannot run nothing: No such file or directory; a build with -DWF_BENCH=ON")
           for name in ("cpu_exact", "describe", "exact", "peers", "ranks_nccl", "reduce", "streams")] + [
    ("progression", ["--wavefold", "nothing"], "cannot run nothing: No such file or directory; say --wavefold"),
    ("cpu", ["--build", "nothing"], "a build with -DWF_BENCH=ON has it: say --build"),
    ("shapes", ["--device", "cpu", "--library", "nothing"], "build the library, or name it with --library"),
    ("ratios", ["--folder", "nothing"], "nothing has no bench-ratios: configure with -DWF_BENCH=ON"),
    ("ranks_mpi", ["--build", "nothing"], "nothing/bench has no bench-ranks-*: build with -DWF_BENCH=ON"),
    ("amd_instructions", ["--code-object", "nothing/gfx90a.co"], "nothing/gfx90a.compiler is missing")]


@pytest.mark.parametrize("script, arguments, said", MISSING, ids=[script for script, *_ in MISSING])
def test_a_program_that_is_missing(tmp_path, script, arguments, said):
    done = run_bench(script, *arguments, "--out", "results", cwd=tmp_path)
    assert done.returncode != 0 and said in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert not list(tmp_path.glob("results/*"))


def test_a_program_that_fails(tmp_path):
    """Nothing is written, and what it said can be read."""
    done = run_bench("exact", "--program", "false", "--out", tmp_path)
    assert done.returncode == 1 and done.stderr.startswith("false ended with status 1"), done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("script", [script for script, *_ in MISSING])
def test_a_folder_that_cannot_be_made(tmp_path, script):
    """Is told before anything is measured."""
    (tmp_path / "file").touch()
    done = run_bench(script, *dict((name, arguments) for name, arguments, _ in MISSING)[script], "--out",
                     tmp_path / "file/results")
    assert done.returncode == 2 and f"cannot make the folder '{tmp_path}/file/results'" in done.stderr, done.stderr


def by_title(results):
    sections = {}
    for one in results:
        sections.setdefault(f"{one['operation']} of {one['type']}", []).append(one)
    return sections


def tables_of_peers():
    yield from (peers.table(of_one) for of_one in by_title(samples_in(H200 / "peers.json")).values())


def tables_of_ratios():
    measured = ratios.unpacked(json.loads((H200 / "ratios.json").read_text()))
    assert ratios.unpacked(ratios.packed(measured)) == measured
    yield ratios.summary(measured)
    for cells, kind in itertools.product(measured.values(), ("cold", "hot")):
        for is_power in (True, False):
            yield ratios.table(ratios.rows_of(cells, kind), lambda n: (about.power_of(n) is not None) == is_power)


def tables_of_a_cpu(folder):
    results = samples_in(folder / "cpu.json")
    yield cpu.summary(results)
    for heat, of_one in itertools.product(("hot", "cold"), by_title(results).values()):
        yield cpu.table(of_one, heat)


def tables_of_ranks():
    runs = json.loads((ROOT / "results/amd-epyc/ranks-mpi.json").read_text())["runs"]
    head = ["engine", "ranks", "call", "us", "times one double"]
    yield from (reduce.table(head, ranks_mpi.rows(runs, choose)) for choose in (reduce.median, min))


def samples_in(path):
    return json.loads(path.read_text())["results"]


@pytest.mark.parametrize("text, tables", [
    (H200 / "peers.md", tables_of_peers()), (H200 / "ratios.md", tables_of_ratios()),
    (ROOT / "results/amd-epyc/ranks-mpi.md", tables_of_ranks()),
    *((path.with_suffix(".md"), tables_of_a_cpu(path.parent)) for path in sorted(ROOT.glob("results/*/cpu.json"))),
], ids=lambda value: "-".join(value.parts[-2:]) if isinstance(value, pathlib.Path) else "")
def test_the_other_tables_as_committed(text, tables):
    """Of scripts that run more than one program."""
    committed, found = text.read_text(encoding="utf-8") + "\n", list(tables)
    assert found and all(f"\n\n{table}\n\n" in committed for table in found)


def test_reductions_as_committed():
    """Of bench/reduce.py all, word for word."""
    measured = json.loads((H200 / "reduce.json").read_text())
    again = "\n\n".join(reduce.sections(measured["about"], measured, measured["python"])) + "\n"
    assert again == (H200 / "reduce.md").read_text(encoding="utf-8")


def test_aims_that_are_missed():
    """By the least, or the most, of what was measured; what is aimed at is met."""
    def row(kind, n, **seconds):
        return {"type": kind, "n": n} | {name: [value] for name, value in seconds.items()}

    large = [row(kind, 2**26, exact=1.0, fast=0.98) for kind in exact.TYPES] + [row("f64", 2**27, exact=1.0, fast=0.9)]
    beside_cub = [row("f32", 2**22, exact=1.0, cub=3.0), row("f64", 2**22, exact=1.0, cub=1.9)]
    calls = [row("f32", 16, exact=2.0e-6, fast=1e-6), row("f64", 16, exact=3.0e-6, fast=1e-6)]
    found = exact.aims({"f32": [1.0, 1.4], "f64": [1.0, 1.41], "bf16": [1.26, 1.26]}, large,
                       [row("f32", 2**26, exact=2.0, fast=1.0), row("f64", 2**26, exact=2.1, fast=1.0)], beside_cub,
                       calls)
    assert [(what.split(",")[0].split(":")[0], said, met) for what, _, said, met in found] == [
        ("f32", "1.183", "met"), ("f32", "1.400", "met"), ("f64", "1.187", "met"), ("f64", "1.410", "missed"),
        ("bf16", "1.260", "missed"), ("bf16", "1.260", "met"), ("f32", "0.980", "met"), ("f64", "0.900", "missed"),
        ("f16", "0.980", "met"), ("bf16", "0.980", "met"), ("f32", "0.500", "met"), ("f64", "0.476", "missed"),
        ("2^22", "1.90", "missed"), ("blocking call", "2.00 µs", "missed")]


def test_what_is_kept_of_samples():
    """Nothing of other lists is lost, and nothing of a few samples."""
    kept = about.condensed({"n": [1, 2, 3, 4, 5], "sides": [{"cub": [4.0, 1.0, 3.0, 2.5]}, {"cub": [2.0, 1.0]}],
                            "seconds": {"median": 2.0, "all": [1.0, 2.0]}, "names": ["a", "b", "c", "d"]})
    assert kept == {"n": [1, 2, 3, 4, 5], "sides": [{"cub": [1.0, 2.75, 4.0]}, {"cub": [2.0, 1.0]}],
                    "seconds": {"median": 2.0}, "names": ["a", "b", "c", "d"]}


def test_how_a_cpu_is_measured():
    """Seconds of one call, of several in a row where the array is small; hot ones all of one array, cold ones of
    others."""
    asked = {"one": [], "other": []}
    pool = numpy.arange(1000, dtype=numpy.float32)

    def side(name, seconds):
        def timed(array, address, count, calls):
            assert (address, count, len(array)) == (array.ctypes.data, 100, 100)
            asked[name].append((int(array[0]), calls))
            return seconds * calls
        return timed

    times = cpu.measure({"one": side("one", 2.0), "other": side("other", 3.0)}, pool, 100, 3)
    assert times == {heat: {"one": [2.0] * 3, "other": [3.0] * 3} for heat in ("hot", "cold")}
    for calls in asked.values():
        hot, cold = ([place for place, batch in calls if batch == many] for many in (16, 1))
        assert hot == [0] * 3 and len({place for place in cold if place != 0}) > 1


@pytest.mark.parametrize("kind", cpu.TYPES)
@pytest.mark.parametrize("op", cpu.OPS)
def test_a_cpu_is_asked_for_what_numpy_is(kind, op):
    number, dtype = cpu.TYPES[kind]
    values, result = numpy.array([3, -7, 5, 11, -2], dtype), numpy.zeros(4, numpy.uint64)
    library, context = ctypes.CDLL(PROGRAM.parents[1] / "lib/libwavefold.so"), ctypes.c_void_p()
    assert library.wf_context_create(ctypes.byref(context), b"host") == 0
    spec = cpu.Reduction(number, cpu.OPS[op][0], accuracy=cpu.FAST)
    status = library.wf_reduce(context, ctypes.byref(spec), ctypes.c_void_p(values.ctypes.data),
                               ctypes.c_size_t(values.size), ctypes.c_void_p(result.ctypes.data),
                               ctypes.c_size_t(16 if op == "argmin" else values.itemsize))
    library.wf_context_destroy(context)
    found = result[1] if op == "argmin" else result.view(dtype)[0]  # an index stands 8 bytes behind the result
    assert status == 0 and found == cpu.OPS[op][1](values)


def results_of(path):
    """What the program had printed of which a script made these."""
    measured = json.loads(path.read_text())
    del measured["about"]
    return measured["results"] if path.parent.name == "amd-epyc" else measured


@pytest.mark.parametrize("script, name", [
    ("exact", "nvidia-h200/exact"), ("exact", "nvidia-h100-80gb-hbm3/exact"), ("describe", "nvidia-h200/describe"),
    ("streams", "nvidia-h200/streams"), ("ranks_nccl", "nvidia-h100-80gb-hbm3/ranks-2"),
    ("ranks_nccl", "nvidia-h100-80gb-hbm3/ranks-4"), ("cpu_exact", "amd-epyc/exact"),
])
def test_the_tables_as_committed(script, name, tmp_path):
    """Again from the same samples; all behind what says what they were taken on, and how."""
    committed = ROOT / f"results/{name}"
    (tmp_path / "printed").write_text(json.dumps(results_of(committed.with_suffix(".json"))))
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ncat '{tmp_path}/printed'\n")
    program.chmod(0o755)
    subprocess.run([sys.executable, "-B", ROOT / f"bench/{script}.py", "--program", program, "--out",
                    tmp_path / "results"], check=True, capture_output=True)
    (written,) = (tmp_path / "results").glob("*/*.md")
    again, before = (path.read_text(encoding="utf-8").partition("\n## ")[2]
                     for path in (written, committed.with_suffix(".md")))
    assert again and again == before
    abouts = [json.loads(path.with_suffix(".json").read_text())["about"] for path in (written, committed)]
    for key in ("cub", "nccl"):
        assert len({about.get(key) for about in abouts}) == 1, key
