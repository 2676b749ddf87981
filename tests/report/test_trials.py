"""The report's section of trials: what it reads of `wavefold try --json`, and how it refuses what is none."""

import copy
import json

import pytest
from failure import Failure
from results import read_all
from trials import Width

LINE = {"kernel": "mine", "file": "a.cu", "line": 5, "what": "load", "accesses": 2056, "lanes": 65792, "bytes": 263168,
        "lines128": 2056, "extra_passes": 0}
WIDTH = {"wave": 32, "clean": True, "right": True, "kernel": "mine", "sums": 27, "findings": [], "lines": [LINE]}
TRIAL = {"wavefold": "0.3.0", "file": "a.cu", "words": "plain", "mode": "line", "clean": True, "judged_waves": [32],
         "widths": [WIDTH, WIDTH | {"wave": 64, "clean": False, "findings": [
             {"n": 33, "schedule": "reverse", "text": "lane 3 <b>waits</b> (a.cu:7)"}],
             "wrong": {"n": 33, "schedule": "reverse", "expected": 12.5, "got": "nan"}}]}
JUDGED = {"outcome": "wrong", "sentence": "wrong: at n = 31 the sum is 54, not 22.5", "notes": ["a note"]}
FUNCTION = TRIAL | {"mode": "function", "function": "solve", "clean": False,
                    "widths": [WIDTH | {"clean": False, "judged": JUDGED}]}
ERROR = {"wavefold": "0.3.0", "file": "b.cu", "clean": False,
         "error": {"text": "'inn' was not declared", "line": 7, "more": 2, "shown": "b.cu:7:1: error: 'inn' <i>"}}
UNSUPPORTED = {"wavefold": "0.3.0", "file": "c.cu", "clean": False, "unsupported": [
    {"line": 3, "what": "textures (tex2D)", "remedy": "read the array by a pointer"}]}


@pytest.fixture
def read(tmp_path):
    def of(*documents):
        paths = [tmp_path / f"{i}.json" for i in range(len(documents))]
        for path, document in zip(paths, documents):
            path.write_text(json.dumps(document))
        return read_all(paths)

    return of


def test_a_kernel(read):
    results = read(TRIAL)
    [trial] = results.trials
    assert (trial.file, trial.title, trial.is_clean) == ("a.cu", "kernel mine", True)
    narrow, wide = trial.widths
    assert narrow == Width(32, True, True, "right", "27 sums", [], [], [LINE])
    assert (wide.is_judged, wide.verdict) == (False, "wrong")
    assert wide.sentence == "at n = 33 the sum is 12.5, not nan"
    assert wide.findings == [("lane 3 <b>waits</b> (a.cu:7)", 33, "reverse")]
    assert trial.lines == (32, [LINE]) and results.inputs[0][1] == "a trial"


def test_a_function(read):
    [trial] = read(FUNCTION).trials
    assert trial.title == "solve(), with arrays made by the trial"
    assert (trial.widths[0].verdict, trial.widths[0].sentence, trial.widths[0].notes) == (
        "wrong", JUDGED["sentence"], ["a note"])


def test_a_program(read):
    notes = [{"text": "its own check fails: line 2 is 'FAILED'"}, {"text": "'a' was not freed", "schedule": "forward"}]
    program = TRIAL | {"mode": "program", "widths": [{"wave": 32, "clean": True, "right": True, "findings": [],
                                                      "recognised": ["'b' equals the sum of 'a'"], "notes": notes}]}
    [trial] = read(program).trials
    assert trial.widths[0].notes == ["'b' equals the sum of 'a'", "its own check fails: line 2 is 'FAILED'",
                                     "'a' was not freed"]


def test_files_that_could_not_run(read):
    error, unsupported = read(ERROR, UNSUPPORTED).trials
    assert error.refusals == [(7, "'inn' was not declared (2 more errors)")] and "error: 'inn'" in error.shown
    assert unsupported.refusals == [(3, "a trial cannot run textures (tex2D): read the array by a pointer")]


def test_the_last_trial_of_a_file_is_shown(read):
    assert [trial.is_clean for trial in read(TRIAL, TRIAL | {"clean": False}).trials] == [False]


@pytest.mark.parametrize("change, said", [
    (lambda it: it["widths"][0].pop("clean"), "widths[0].clean is missing"),
    (lambda it: it["widths"][0]["lines"][0].update(bytes=-1), "lines[0].bytes must be a whole number"),
    (lambda it: it.update(widths=[]), "widths is empty"),
    (lambda it: it.update(wavefold="0.1.0"), "reads results of"),
    (lambda it: it["widths"][0].update(judged={"outcome": "fine"}), "outcome is none of right, wrong, unknown"),
    (lambda it: it["widths"][1]["findings"][0].pop("text"), "findings[0].text is missing"),
])
def test_no_trial(read, change, said):
    damaged = copy.deepcopy(TRIAL)
    change(damaged)
    with pytest.raises(Failure, match=".*") as failure:
        read(damaged)
    assert said in str(failure.value)


def test_the_page(read):
    page = pytest.importorskip("page")
    text = page.render(read(TRIAL, FUNCTION | {"file": "d.cu"}, ERROR, UNSUPPORTED), {})
    assert 'href="#trials"' in text and "<code>a.cu</code>: kernel mine" in text
    assert "&lt;b&gt;waits&lt;/b&gt;" in text and "<b>waits" not in text and "error: &#39;inn&#39; &lt;i&gt;" in text
    assert "a.cu:5" in text and "263\u202f168" in text and "Line 3:" in text
