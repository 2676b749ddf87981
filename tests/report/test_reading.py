"""What report/ reads of each kind of result, and how it refuses what is none."""

import copy
import json
import pathlib

import document
import ladder_plot
import pytest
import seeds
import tree
import words
from failure import Failure
from results import read_all
from support import ROOT

RESULTS = ROOT / "results"
FIXTURES = pathlib.Path(__file__).parent / "fixtures"
LADDER = RESULTS / "nvidia-h200/progression.json"
EXPLAINED = FIXTURES / "explain_tiled_3.json"


def test_ladder():
    [ladder] = read_all([LADDER]).ladders
    assert (ladder.device, ladder.type, ladder.op, ladder.is_emulated) == ("NVIDIA H200", "f32", "sum", False)
    assert [run.n for run in ladder.runs] == [2**24, 2**26, 2**28]
    cascade = ladder.largest.rung("cascade")
    assert cascade.gb_per_s == pytest.approx(4321, abs=1) and cascade.ulps == 94 and cascade.group == "reduces"
    assert ladder.largest.rung("bitonic_pairs").group == "sorts" and ladder.largest.rung("nothing") is None


def test_the_later_of_two_runs_is_kept(tmp_path):
    document = json.loads(LADDER.read_text())["runs"][0]
    later = copy.deepcopy(document)
    later["date"] = "2099-01-01T00:00:00Z"
    later["rungs"][0]["ulps"] = 5
    for name, content in (("a.json", later), ("b.json", document)):
        (tmp_path / name).write_text(json.dumps(content))
    [ladder] = read_all([tmp_path / "a.json", tmp_path / "b.json"]).ladders
    assert [run.rungs[0].ulps for run in ladder.runs] == [5]


def written(folder, *contents):
    """The results as files of a folder, in this order."""
    paths = [folder / f"{i}.json" for i in range(len(contents))]
    for path, content in zip(paths, contents):
        path.write_text(json.dumps(content))
    return paths


def one_run(**changes):
    return json.loads(LADDER.read_text())["runs"][0] | changes


def test_runs_of_other_rungs_are_joined(tmp_path):
    run = one_run()
    scans = [rung for rung in run["rungs"] if rung["kind"] == "scans"]
    later = run | {"rungs": [run["rungs"][0] | {"ulps": 5}, *scans], "date": "2099-01-01T00:00:00Z"}
    earlier = run | {"rungs": run["rungs"][:3], "read_ceiling": None}
    larger = run | {"rungs": [scans[-1]], "n": 2**30}
    [ladder] = read_all(written(tmp_path, larger, later, earlier)).ladders
    assert [rung.name for rung in ladder.runs[0].rungs] == [rung["name"] for rung in run["rungs"][:3] + scans]
    assert ladder.runs[0].rungs[0].ulps == 5 and ladder.runs[0].ceiling == run["read_ceiling"]["gb_per_s"]
    assert ladder.rung_names[0] == scans[-1]["name"] and len(ladder.rung_names) == 3 + len(scans)


@pytest.mark.parametrize("change, said", [
    ({"seed": 7}, "seed 7"), ({"input": "a.npy"}, "elements of a.npy"), ({"nan": "ignore"}, "nan ignore"),
    ({"accumulator": "f64"}, "accumulated in f64"), ({"exclusive": True}, "exclusive"),
    ({"parameters": {"tile_size": 512, "tiles": None, "window": None}}, "tiles of 512"),
    ({"parameters": {"tile_size": None, "tiles": 64, "window": 4}}, "tiles: 64, window 4"),
])
def test_runs_of_other_settings_stand_apart(tmp_path, change, said):
    plain, other = read_all(written(tmp_path, one_run(), one_run(**change))).ladders
    assert plain.title == "NVIDIA H200: sum of f32" and other.title == f"{plain.title}, {said}"
    assert [len(ladder.runs) for ladder in (plain, other)] == [1, 1]


def test_what_is_not_verified_has_no_speed(tmp_path):
    run = one_run()
    for rung in run["rungs"]:
        if rung["name"] in ("tiled_1", "grid_stride_atomic"):
            rung["verdict"] = "WRONG"
    ladders = read_all(written(tmp_path, run)).ladders
    rung = ladders[0].largest.rung
    assert [ladder_plot.speed(rung(name)) for name in ("tiled_1", "tiled_2", "nothing")] == ["WRONG", "639", "–"]
    assert ladder_plot.label(rung("tiled_1")) == "WRONG"
    _, ours = seeds.lecture_steps(ladders)
    assert ours.gb_per_s[0] is None and ours.gb_per_s[1] > 0 and set(ours.times) == {None}
    assert seeds.student_ratios(ladders) == []


def test_reductions():
    reductions = read_all([RESULTS / "nvidia-h200/reduce.json"]).reductions
    sums = next(r for r in reductions if (r.operation, r.type) == ("sum", "f32"))
    calls = sums.series("host")
    assert {"wavefold", "CUB", "thrust", "PyTorch", "CuPy"} <= calls.keys()
    tables = (RESULTS / "nvidia-h200/reduce.md").read_text().splitlines()  # which says the same: of n, in microseconds
    rows = {n: next(line for line in tables if line.startswith(f"| {n} |")).split("|") for n in ("2^20", "2^28")}
    assert dict(calls["wavefold"])[2**28] == pytest.approx(float(rows["2^28"][8]) * 1e-6, rel=1e-3)
    assert dict(sums.series("device cold")["CUB"])[2**20] == pytest.approx(float(rows["2^20"][3]) * 1e-6, rel=1e-2)


CPU = RESULTS / "intel-r-xeon-r-processor/cpu.json"


def test_reductions_on_a_cpu():
    sums = next(r for r in read_all([CPU]).reductions if (r.operation, r.type) == ("sum", "f32"))
    assert sums.clock == "cold" and {"wavefold", "TBB", "OpenMP"} <= sums.series("hot").keys()
    beside = sums.largest
    assert beside.n == 2**24 and beside.gb_per_s > 0 and beside.peer != "wavefold"
    assert beside.times == pytest.approx(beside.gb_per_s / beside.peer_gb_per_s)


def timings_file(path, command, *rows, **more):
    path.write_text(json.dumps({"about": {"device": "D", "command": command}, "results": rows} | more))
    return path


def timed(command="bench/cpu.py", **changes):
    """A file of one row."""
    row = {"operation": "sum", "type": "f32", "data": "normal", "n": 8, "bytes": 32} | changes
    return {"about": {"device": "D", "command": command}, "results": [row]}


def cpu_row(n=1000, **seconds):
    return {"operation": "sum", "type": "f32", "n": n, "bytes": 4 * n,
            "cold": {name: [value] for name, value in seconds.items()}}


@pytest.mark.parametrize("sides, peer, times", [
    ({"wavefold": 1, "wavefold (ctypes)": 2, "NumPy": 8, "TBB": 9}, "NumPy", 4),
    ({"wavefold": 1, "wavefold (ctypes)": 2, "NumPy": 8, "TBB": 7}, "TBB", 7),
    ({"wavefold (ctypes)": 2, "NumPy": 8}, "NumPy", 4),  # as descriptions are
    ({"wavefold (ctypes)": 2, "TBB": 8}, "TBB", 4),
    ({"wavefold": 1, "wavefold beside NumPy": 4, "wavefold (ctypes)": 2, "NumPy": 8, "a loop": 7}, "NumPy", 2),
])
def test_a_peer_is_compared_with_what_was_timed_beside_it(tmp_path, sides, peer, times):
    [reduction] = read_all([timings_file(tmp_path / "cpu.json", "bench/cpu.py", cpu_row(**sides))]).reductions
    assert (reduction.largest.peer, reduction.largest.times) == (peer, times)


def test_of_two_explanations_of_one_thing_the_last_is_kept(tmp_path):
    first = json.loads(EXPLAINED.read_text())
    again, other = first | {"idea": "again"}, copy.deepcopy(first)
    for launch in other["launches"]:
        launch["tile_size"] *= 2
    found = read_all(written(tmp_path, first, other, again, first | {"wave_width": 64})).explanations
    assert [(one.idea, one.wave_width, one.tile_size // first["launches"][0]["tile_size"]) for one in found] == [
        ("again", 32, 1), (first["idea"], 32, 2), (first["idea"], 64, 1)]


def test_of_two_files_the_later_is_kept(tmp_path):
    """Of each array that both have; what one has alone stays."""
    first = timings_file(tmp_path / "1.json", "bench/cpu.py", cpu_row(10, TBB=1), cpu_row(30, TBB=3))
    second = timings_file(tmp_path / "2.json", "bench/cpu.py", cpu_row(20, TBB=5), cpu_row(10, TBB=4))
    [reduction] = read_all([first, second]).reductions
    assert reduction.series("cold") == {"TBB": [(10, 4), (20, 5), (30, 3)]}
    row = {"type": "f32", "data": "normal", "n": 10, "clock": "device", "fast": [1]}
    exact = [timings_file(tmp_path / f"{seconds}.json", "bench/exact.py", row | {"exact": [seconds]})
             for seconds in (5, 4)]
    assert [timing.exact for timing in read_all(exact).exact] == [4]
    mixes = written(tmp_path, *({"instructions": 1, "kernels": [{"target": "t", "rung": "r", "what": "w", "kinds":
                                                                 {"loads": loads}}]} for loads in (1, 2)))
    assert [mix.total for mix in read_all(mixes).mixes] == [2]


def test_descriptions_are_beside_their_peer():
    reductions = read_all([CPU]).reductions
    described = [r for r in reductions if r.operation == "describe"]
    assert described and all(r.largest.peer == "NumPy" and r.largest.times > 1 for r in described)


def test_without_the_peers_of_python(tmp_path):
    path = tmp_path / "reduce.json"
    path.write_text(changed(RESULTS / "nvidia-h200/reduce.json", lambda d: d.update(python=None)))
    assert "PyTorch" not in read_all([path]).reductions[0].series("host")


def test_reading_from_a_cache_is_no_ceiling():
    """The files have times of reading at every n; of 2^27 bytes and more they are of memory."""
    for reduction in read_all([RESULTS / "nvidia-h200/reduce.json"]).reductions:
        bytes_of = {timing.n: timing.bytes for timing in reduction.timings}
        read = reduction.series("device cold")["reading alone"]
        assert {n for n, _ in read} == {n for n in bytes_of if bytes_of[n] >= 2**27}


@pytest.mark.parametrize("device, clocks", [("nvidia-h200", {"device", "call"}), ("amd-epyc", {"cold", "hot"})])
def test_exact(device, clocks):
    timings = read_all([RESULTS / device / "exact.json"]).exact
    assert {timing.clock for timing in timings} == clocks
    assert all(timing.ratio > 0 for timing in timings)


def test_explanation():
    [explanation] = read_all([EXPLAINED]).explanations
    assert explanation.rung == "tiled_3" and explanation.total["launches"] == 1 and len(explanation.claims) == 2
    drawn = tree.draw(explanation.trace)
    assert [len(step.words) for step in drawn.steps] == [64, 32, 16, 8, 4, 2, 1, 1]
    assert drawn.steps[1].words[0] == "lane 0: cell 0 + cell 32 to cell 0, 2 elements"
    assert drawn.steps[7].summary == "step 7: 1 lane at work, then return"


def test_the_lecture_and_ours():
    theirs, ours = seeds.lecture_steps(read_all([LADDER]).ladders)
    assert ours.n == 2**26 and theirs.times[-1] == pytest.approx(11.8, abs=0.1)
    assert ours.gb_per_s[0] == pytest.approx(412, abs=1) and ours.times[0] == 1
    [(_, n, times)] = seeds.student_ratios(read_all([LADDER]).ladders)
    assert n == 2**24 and times == pytest.approx(3313 / 4.74, rel=0.01)


@pytest.mark.parametrize("text, said", [
    (words.size(2**28), "2²⁸"), (words.size(1000), "1\u202f000"), (words.size(64), "64"), (words.figure(None), "–"),
    (words.figure(18454938), "18\u202f454\u202f938"), (words.figure(4.8362), "4.84"), (words.figure(1.004, 4), "1.004"),
    (words.size(1024), "2¹⁰"), (words.size(512), "512"), (words.size(1025), "1\u202f025"), (words.figure(90.7), "90.7"),
    (words.figure(999.6), "1\u202f000"), (words.percent(None), "–"), (words.percent(0.0005), "0.1 %"),
    (words.percent(0.0994), "9.9 %"), (words.percent(0.0995), "10 %"), (words.percent(0.19), "19 %"),
    (words.percent(2.5), "250 %"), (words.duration(None), "–"), (words.percent(0.945), "94 %"),
    (words.percent(0.0002), "< 0.1 %"), (words.percent(0), "0.0 %"),
    (words.duration(2.4e-6), "2.4 µs"), (words.duration(9.996e-7), "1 µs"), (words.duration(9.994e-7), "999 ns"),
    (words.duration(0.9996e-3), "1 ms"), (words.duration(0.9996), "1 s"), (words.duration(3), "3 s"),
    (words.duration(1234.5), "1\u202f234 s"), (words.duration(2.5e6), "2\u202f500\u202f000 s"),
])
def test_words(text, said):
    assert text == said


# ---- What is refused ----


def changed(path, change):
    content = json.loads(path.read_text())
    change(content)
    return json.dumps(content)


def in_ladder(change):
    return changed(LADDER, change)


def in_explained(change):
    return changed(EXPLAINED, change)


def test_both_rungs_that_were_explained(tmp_path):
    """explain --against tells of the other rung all that it tells of the first."""
    explained = json.loads(EXPLAINED.read_text())
    explained["against"] = explained | {"rung": "tiled_2"}
    first, other = read_all(written(tmp_path, explained)).explanations
    assert (first.rung, other.rung) == ("tiled_3", "tiled_2") and first.total == other.total


REFUSED = {
    "nothing": ("", ["is no JSON", "line 1, column 1"]),
    "cut off": ('{"wavefold": "0.2.0",\n "n": [1, 2', ["is no JSON", "line 2, column 12"]),
    "bytes": (b"\x93NUMPY", ["byte 0 is not UTF-8"]),
    "a constant": ('{"n": NaN}', ["NaN", "no JSON"]),
    "a key twice": ('{"m": 0, "n": 1, "n": 2}', ["the key 'n' twice"]),
    "too deep": ("[" * 100000, ["nested too deeply"]),
    "an array": ("[]", ["none of wavefold's results", "wavefold progression --json"]),
    "another program's": ('{"about": {"command": "make"}, "results": []}', ["none of wavefold's results"]),
    "no command": ('{"about": {}, "results": []}', ["about.command is missing"]),
    "another version": (in_ladder(lambda d: d["runs"][1].update(wavefold="0.4.0")),
                        ["runs[1].wavefold is 0.4.0", "reads results of 0.2 and 0.3"]),
    "one run of another version": (json.dumps(one_run(wavefold="0.4.0")), ["wavefold is 0.4.0, and"]),
    "an explanation of another version": (in_explained(lambda d: d.update(wavefold="0.20.1")), ["wavefold is 0.20.1"]),
    "no version": (in_ladder(lambda d: d["runs"][1].pop("wavefold")), ["runs[1].wavefold is missing"]),
    "a text for a number": (in_ladder(lambda d: d["runs"][0]["rungs"][3].update(gb_per_s="fast")),
                            ["runs[0].rungs[3].gb_per_s must be a number"]),
    "a missing time": (in_ladder(lambda d: d["runs"][0]["rungs"][3]["seconds"].pop("median")),
                       ["runs[0].rungs[3].seconds.median is missing"]),
    "a flag for a count": (in_ladder(lambda d: d["runs"][0].update(n=True)), ["runs[0].n must be a number"]),
    "a negative count": (in_ladder(lambda d: d["runs"][0].update(n=-1)), ["runs[0].n must be a whole number"]),
    "a number beyond all": ('{"explain": 1' + 400 * "0" + ', "wavefold": "0.2.0"}', ["explain is beyond 1e+30"]),
    "an infinite number": ('{"explain": 1e999, "wavefold": "0.2.0"}', ["explain is beyond 1e+30"]),
    "a number that no plot can show": (in_ladder(lambda d: d["runs"][0]["rungs"][3].update(gb_per_s=1.7e308)),
                                       ["runs[0].rungs[3].gb_per_s is beyond 1e+30"]),
    "a number below all": (in_ladder(lambda d: d["runs"][0]["rungs"][3].update(gb_per_s=1e-300)),
                           ["runs[0].rungs[3].gb_per_s must be 0, or from 1e-30"]),
    "a negative speed": (in_ladder(lambda d: d["runs"][0]["read_ceiling"].update(gb_per_s=-4)),
                         ["runs[0].read_ceiling.gb_per_s must be 0, or from 1e-30"]),
    "a count beyond 64 bits": (in_ladder(lambda d: d["runs"][0].update(n=2**64)),
                               ["runs[0].n must be a whole number from 0 to 2^64 - 1"]),
    "another kind of rung": (in_ladder(lambda d: d["runs"][0]["rungs"][3].update(kind="dances")),
                             ["runs[0].rungs[3].kind is dances; known kinds are reduces, scans, sorts and rows"]),
    "half a character": (in_ladder(lambda d: d["runs"][0]["rungs"][3].update(name="a\ud800")),
                         ["runs[0].rungs[3].name has half a character"]),
    "half a character in a key": ('{"about": {"\\udc00": 1}}', ["has the key '?' with half a character"]),
    "half a character in a finding": (in_explained(lambda d: d["findings"].append("\udfff")),
                                      ["findings[0] has half a character"]),
    "no runs": ('{"runs": []}', ["runs is empty"]),
    "no exact sums": ('{"about": {"command": "bench/exact.py", "device": "D"}, "results": []}', ["results is empty"]),
    "no reductions": ('{"about": {"command": "bench/cpu.py", "device": "D"}, "results": []}', ["results is empty"]),
    "no kernels": ('{"instructions": 1, "kernels": []}', ["kernels is empty"]),
    "a run that is none": ('{"runs": [[]]}', ["runs[0] must be an object"]),
    "a text for an object": (in_ladder(lambda d: d["runs"][0].update(device="H200")),
                             ["runs[0].device must be an object"]),
    "a text for a flag": (in_explained(lambda d: d["claims"][1].update(holds="yes")),
                          ["claims[1].holds must be true or false"]),
    "times of nothing": (json.dumps(timed(n=0)), ["results[0].n is 0, and no elements take no time"]),
    "exact times of nothing": (json.dumps(timed("bench/exact.py", n=0)), ["results[0].n is 0"]),
    "neither hot nor cold": (json.dumps(timed("bench/cpu_exact.py")), ["results[0] has no times"]),
    "a time of 0": (json.dumps(timed(cold={"TBB": [1e-6, 0]})), ["results[0].cold.TBB must be an array of times"]),
    "an endless time": (json.dumps(timed(cold={"TBB": [1e-6, 1e16]})), ["of 1e-15 to 1e15 each"]),
    "an object for an array": (in_ladder(lambda d: d.update(runs={})), ["runs must be an array"]),
    "another explanation": (in_explained(lambda d: d.update(explain=2)), ["explain is 2, and 1 is what"]),
    "no counters": (in_explained(lambda d: d["total"].pop("global")), ["total.global is missing"]),
    "a claim without": (in_explained(lambda d: d["claims"][1].pop("holds")), ["claims[1].holds is missing"]),
    "a finding": (in_explained(lambda d: d["findings"].append(7)), ["findings[0] must be a text"]),
    "a trace": (in_explained(lambda d: d["trace"]["steps"][2]["lanes"][1]["to"].update(index="x")),
                ["trace.steps[2].lanes[1].to.index must be a number"]),
    "a terminal's commands": (in_ladder(lambda d: d["runs"][0].update(wavefold="\x1b[2J")), ["is ?[2J, and"]),
    "what it was put against": (in_explained(lambda d: d.update(against=d | {"idea": 7})),
                                ["against.idea must be a text"]),
    "a trace without end": (in_explained(lambda d: d["trace"].update(elements=10**9)),
                            ["trace.elements is 1000000000, and 1024 is the most"]),
    "none of the times": (changed(RESULTS / "nvidia-h200/reduce.json", lambda d: d["results"][0].update(
        {clock: {} for clock in ("device cold", "device hot", "host")})), ["results[0] has no times"]),
    "no times": (changed(RESULTS / "nvidia-h200/reduce.json", lambda d: d["results"][0].update(read=[])),
                 ["results[0].read must be an array of times"]),
}


@pytest.mark.parametrize("content, fragments", REFUSED.values(), ids=REFUSED)
def test_refused(tmp_path, content, fragments):
    path = tmp_path / "result.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(Failure) as failure:
        read_all([str(path)])
    message = str(failure.value)
    for fragment in (str(path), *fragments):
        assert fragment in message
    assert "\n" not in message


def test_what_json_has_no_number_for(tmp_path):
    path = tmp_path / "result.json"
    path.write_text(in_ladder(lambda d: d["runs"][0]["rungs"][0].update(gb_per_s="inf", ulps=None)))
    rung = read_all([path]).ladders[0].runs[0].rungs[0]
    assert rung.gb_per_s is None and rung.ulps is None


def test_the_largest_count(tmp_path):
    path = tmp_path / "result.json"
    path.write_text(in_ladder(lambda d: d["runs"][0].update(n=2**64 - 1)))
    assert read_all([path]).ladders[0].largest.n == 2**64 - 1


def test_how_inputs_were_made(tmp_path):
    """As far as they say it."""
    about = {"device": "D", "driver": "1.2", "compiler": "cc", "commit": "abc", "date": "2026-11-28",
             "command": "bench/cpu.py --quick"}
    row = timed(cold={"TBB": [1e-6]})["results"]
    paths = written(tmp_path, {"about": about, "results": row}, one_run(date="2026-11-27T01:02:03Z"), timed(
        "bench/exact.py", clock="device", exact=[2], fast=[1]), json.loads(EXPLAINED.read_text()), json.loads(
            (FIXTURES / "mix.json").read_text()), {"runs": [one_run()]})
    assert read_all(paths).inputs == [(str(path), *told) for path, told in zip(paths, [
        ("reductions beside their peers",
         ["driver 1.2", "compiler cc", "commit abc", "date 2026-11-28", "made by bench/cpu.py --quick"]),
        ("a run of the ladder", ["2026-11-27T01:02:03Z", "wavefold 0.2.0"]),
        ("exact sums", ["made by bench/exact.py"]), ("an explanation", ["wavefold 0.2.0"]),
        ("instruction mixes", []), ("several runs of the ladder", [])])]


def test_reading_alone_is_a_median(tmp_path):
    """And is drawn beside times of data in no cache alone."""
    row = {"n": 2**25, "bytes": 2**27, "read": [1e-3, 2e-3, 9e-3], "host": {"cub": [1e-3]}}
    cold = {"device cold": {"cub": [4e-3, 5e-3, 9e-3]}}
    one, other = (read_all([timings_file(tmp_path / "reduce.json", "bench/reduce.py", row | {
        "operation": "sum", "type": "f32"} | more)]).reductions[0] for more in (cold, {}))
    assert one.series("device cold") == {"CUB": [(2**25, 5e-3)], "reading alone": [(2**25, 2e-3)]}
    assert other.clock == "host" and other.series("host") == {"CUB": [(2**25, 1e-3)]}
    assert one.clock == "device cold" and one.title == "D: sum of f32"


def test_a_byte_order_mark_is_no_mistake(tmp_path):
    path = tmp_path / "result.json"
    path.write_text("\ufeff" + LADDER.read_text())
    assert document.read(str(path)).has("runs")
