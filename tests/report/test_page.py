"""The page that `wavefold report` makes, as a file."""

import html
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time

import pytest
import words
from support import FAILURE, PROGRAM, ROOT, SUCCESS, USAGE, environment, one_error, wavefold

FIXTURES = sorted((pathlib.Path(__file__).parent / "fixtures").glob("*.json"))
H200 = ROOT / "results/nvidia-h200"
LADDER = H200 / "progression.json"


def report(*arguments, **changes):
    return wavefold("report", *arguments, env=environment(**changes))


@pytest.fixture(scope="module")
def ladder_run(tmp_path_factory):
    """What this program writes today."""
    path = tmp_path_factory.mktemp("run") / "host.json"
    wavefold("progression", "--device", "host:32", "--n", 1000, "--family", "all", "--repeat", 1, "--json", path)
    return path


@pytest.fixture(scope="module")
def usual():
    """The ladder's page as it is made for most people: what a setting must not change. It takes seconds to draw."""
    done = report(LADDER, "-o", "-")
    assert done.returncode == SUCCESS and done.stdout.startswith("<!doctype html>"), done.stderr
    return done.stdout


def test_interrupted_it_says_nothing(tmp_path):
    """While it waits for a result; standard error has no trace of Python."""
    with subprocess.Popen([PROGRAM, "report", "-", "-o", tmp_path / "page.html"], env=environment(),
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        said, complained = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT and said == b"" and complained == b""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["rungs"], ["report", LADDER, "-o", "-"]], ids=lambda command: command[0])
def test_a_reader_that_has_had_enough(command):
    """As of all commands, SIGPIPE ends it."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nowhere:
        done = subprocess.run([PROGRAM, *command], env=environment(), stdout=nowhere, stderr=subprocess.PIPE)
    assert done.returncode == -signal.SIGPIPE and done.stderr == b""


def test_interrupted_it_leaves_nothing_behind(tmp_path):
    """When the page has been written, and does not have its name yet."""
    program = f"""import os, signal, sys
sys.path.insert(0, {str(ROOT / "report")!r})
import whole_file
replace = os.replace
os.replace = lambda *names: (os.kill(os.getpid(), signal.SIGTERM), replace(*names))
whole_file.write_whole({str(tmp_path / "page.html")!r}, "all of it")
"""
    done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True)
    assert done.returncode == -signal.SIGTERM and done.stderr == b""
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_all_of_it(tmp_path, ladder_run):
    page, summary = tmp_path / "page.html", tmp_path / "summary.json"
    inputs = [LADDER, H200 / "reduce.json", H200 / "exact.json", ROOT / "results/amd-epyc/exact.json",
              *ROOT.glob("results/*/cpu.json"), ladder_run, *FIXTURES]
    done = report(*inputs, "-o", page, "--json", summary)
    assert done.returncode == SUCCESS and done.stderr == "", done.stderr
    assert page.stat().st_size < 3e6
    assert done.stdout.startswith(f"{page}: ") and f"from {len(inputs)} files" in done.stdout
    told = json.loads(summary.read_text())
    assert told["bytes"] == page.stat().st_size and [one["file"] for one in told["inputs"]] == [*map(str, inputs)]
    text = page.read_text()
    # No address is fetched: what looks like one names a namespace of SVG.
    assert set(re.findall(r"https?://[\w./-]+", text)) <= {"http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg"}
    assert not re.search(r'(?:src|href)="(?!#|data:)', text) and "@import" not in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    # Everything that is referred to is there.
    assert set(re.findall(r'href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text)) <= set(ids)
    for heading in ("Ladder", "Accuracy", "Beside the sources", "wf_reduce beside its peers", "Exact sums", "Rungs"):
        assert f">{heading}</h2>" in text
    assert "hip/progression/05_tiled_3.hip" in text and "hip/reduce/exact/exact.hip" in text
    assert "DejaVu" not in text
    # Every placeholder of a colour was given to the style sheet.
    assert not re.search(r"#0[1-6]0[1-6]0[1-3]", text)


def test_rungs_of_every_size_are_in_the_table(tmp_path):
    result = json.loads(LADDER.read_text())
    [tiled] = [rung for rung in result["runs"][0]["rungs"] if rung["name"] == "tiled_1"]
    tiled["verdict"] = "WRONG"
    result["runs"][-1]["rungs"] = [rung for rung in result["runs"][-1]["rungs"] if rung["name"] != "tiled_1"]
    (tmp_path / "run.json").write_text(json.dumps(result))
    text = report(tmp_path / "run.json", "-o", "-").stdout
    table = text[text.index("All sizes in figures"):]
    row = table[table.index('href="#rung-tiled_1"'):]
    assert re.findall("<td>(.*?)</td>", row[:row.index("</tr>")]) == ["WRONG", "412", "–", "–"]
    of_rung = rows_of(text, 'aria-label="Measured, tiled_1"')
    assert [row[3:5] for row in of_rung if row[-1] == "WRONG"] == [["–", "–"]] and len(of_rung) > 1


def rows_of(text, begins):
    """The cells of the first table behind what begins there."""
    table = text[text.index(begins):]
    rows = table[table.index("<tbody>"):table.index("</tbody>")].split("<tr>")[1:]
    cells = [re.findall("<t[hd].*?</t[hd]>", row, re.DOTALL) for row in rows]
    return [[html.unescape(re.sub("<.*?>", "", cell)).strip() for cell in row] for row in cells]


def test_the_tables_of_an_explanation():
    [path] = [path for path in FIXTURES if path.name == "explain_tiled_3.json"]
    told, text = json.loads(path.read_text()), report(path, "-o", "-").stdout
    total, figure = told["total"], words.figure
    device, tile = total["global"], total["tile_memory"]
    wanted = [[f"device memory, {side}", *(figure(device[side][key]) for key in (
        "elements", "accesses", "lines32", "lines64", "lines128")), "–"] for side in ("loads", "stores")]
    wanted += [[f"tile memory, {side}", figure(tile[side]["cells"]), figure(tile[side]["accesses"]), "–", "–", "–",
                figure(tile[side]["extra_passes"])] for side in ("loads", "stores")]
    assert rows_of(text, "<caption>Memory</caption>") == wanted
    assert rows_of(text, "<caption>What the source claims") == [
        [claim["quantity"], claim["claim"], claim["source"], figure(claim["measured"], 4),
         "yes" if claim["holds"] else "no"] for claim in told["claims"]]
    assert rows_of(text, "<summary>Steps of the first tile") == [
        [str(step["step"]), step["ends"], f"{step['active_lanes']} of {step['lanes']}",
         *(str(step[key]) for key in ("full_waves", "divergent_waves", "idle_waves"))] for step in told["steps"]]
    assert rows_of(text, "<summary>Line by line") == [
        [f"{line['file']}:{line['line']}", line["what"], *(figure(line[key]) for key in (
            "accesses", "lanes", "extra_passes", "lines128"))] for line in told["lines"]]
    counters = dict(re.findall("<li>([a-z ]+) <b>(.*?)</b>", text))
    assert counters == {
        "launches": figure(total["launches"]), "barriers": figure(total["barriers"]),
        "barriers of waves": figure(total["wave_barriers"]), "shuffles": figure(total["shuffles"]),
        "atomics": figure(total["atomics"]["count"]), "divergent steps": figure(total["divergent_steps"]),
        "idle lanes": words.percent(total["idle_lane_share"])}


@pytest.mark.parametrize("rung, n", [("sequential", 1000), ("simple_1", 1)])
def test_an_explanation_without_a_launch(tmp_path, rung, n):
    assert wavefold("explain", rung, "--n", n, "--json", tmp_path / "told.json").returncode == SUCCESS
    text = report(tmp_path / "told.json", "-o", "-").stdout
    assert "<p>No kernel is launched, and there is nothing to count.</p>" in text
    assert "<caption>Memory</caption>" not in text and "counters" not in text[text.index("<main"):]


def test_the_tables_of_what_was_measured():
    text = report(LADDER, H200 / "reduce.json", H200 / "exact.json", "-o", "-").stdout
    runs = json.loads(LADDER.read_text())["runs"]
    cascades = [(run["n"], next(rung for rung in run["rungs"] if rung["name"] == "cascade")) for run in runs]
    assert rows_of(text, 'aria-label="Measured, cascade"') == [
        ["NVIDIA H200: sum of f32", words.size(n), words.duration(rung["seconds"]["median"]),
         words.figure(rung["gb_per_s"]), words.percent(rung["share_of_ceiling"]), words.figure(rung["launches"]),
         words.figure(rung["ulps"]), "verified"] for n, rung in cascades]
    measured = [one for one in json.loads((H200 / "reduce.json").read_text())["results"]
                if (one["operation"], one["type"]) == ("argmin", "i8")]
    largest = max(measured, key=lambda one: one["n"])
    ours, cub = (statistics.median(largest["device cold"][side]) for side in ("wavefold", "cub"))
    assert ["argmin of i8", words.size(largest["n"]), words.figure(largest["bytes"] / ours / 1e9), "CUB",
            words.figure(largest["bytes"] / cub / 1e9), words.figure(cub / ours)] in rows_of(
                text, 'aria-label="Largest arrays, NVIDIA H200"')
    exact = [one for one in json.loads((H200 / "exact.json").read_text())["results"]
             if (one["clock"], one["type"], one["data"]) == ("device", "f64", "normal")]
    largest = max(exact, key=lambda one: one["n"])
    times = [statistics.median(largest[side]) for side in ("exact", "fast")]
    assert ["device", "f64", "normal", words.size(largest["n"]), *map(words.duration, times),
            words.figure(times[0] / times[1])] in rows_of(text, 'aria-label="Exact and fast sums, NVIDIA H200"')


def test_times_of_an_emulator_have_an_axis_of_their_own(ladder_run, usual):
    """And the page says why, and what to look at instead; a GPU's have not."""
    emulated = report(ladder_run, "-o", "-").stdout
    for text in ("these times do not rank the rungs as a GPU does", "The axis is logarithmic.",
                 "GB/s, on a logarithmic axis"):
        assert text in emulated and text not in usual


def test_to_standard_output():
    done = report(FIXTURES[0], "-o", "-")
    assert done.returncode == SUCCESS and done.stdout.startswith("<!doctype html>") and done.stderr == ""
    assert done.stdout.endswith("</html>\n")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_to_the_file_that_a_stream_appends_to(tmp_path, stream):
    """A page is no reason to lose a log."""
    log = tmp_path / "log"
    log.write_text("before\n")
    with open(log, "a") as file:
        done = subprocess.run([PROGRAM, "report", FIXTURES[0], "-q", "-o", f"/dev/{stream}"], env=environment(),
                              **{stream: file})
        file.write("after\n")
    assert done.returncode == SUCCESS
    text = log.read_text()
    assert text.startswith("before\n<!doctype html>") and text.endswith("</html>\nafter\n")


@pytest.mark.parametrize("name", ["page.pdf", "page.PNG", "page.svg"])
def test_a_name_of_what_is_no_page(tmp_path, name):
    one_error(report(FIXTURES[0], "-o", tmp_path / name), FAILURE, name, "one page of HTML", "from a browser")
    assert os.listdir(tmp_path) == []


def test_standard_input_is_closed(tmp_path):
    done = subprocess.run(["sh", "-c", '"$0" report - -o "$1" <&-', PROGRAM, tmp_path / "page.html"], text=True,
                          capture_output=True, env=environment())
    one_error(done, FAILURE, "cannot read standard input: it is closed")


def test_a_terminal_without_the_characters_of_a_name(tmp_path):
    done = report(FIXTURES[0], "-o", tmp_path / "größe.html", PYTHONIOENCODING="ascii")
    assert done.returncode == SUCCESS and "gr??e.html" in done.stdout, done.stderr


def test_a_name_in_other_letters(tmp_path):
    """The browser has a font for it; that matplotlib's has not is nothing to be told of."""
    run = json.loads(LADDER.read_text())["runs"][0]
    (tmp_path / "run.json").write_text(json.dumps(run | {"input": "高さ.npy"}))
    done = report(tmp_path / "run.json", "-o", "-")
    assert done.returncode == SUCCESS and done.stderr == "" and "sum of f32, elements of 高さ.npy</text>" in done.stdout


def test_files_are_read_as_what_they_are(usual):
    """Whatever a locale would have them be: without UTF-8 anywhere, the page is the same."""
    done = report(LADDER, "-o", "-", LC_ALL="POSIX", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="utf-8")
    assert done.returncode == SUCCESS and done.stdout == usual, done.stderr


def test_what_a_user_has_set_for_matplotlib(tmp_path, usual):
    (tmp_path / "matplotlibrc").write_text("axes.grid: True\nlines.dashed_pattern: 9, 9\nsvg.fonttype: path\n")
    assert report(LADDER, "-o", "-", MATPLOTLIBRC=str(tmp_path / "matplotlibrc")).stdout == usual


def test_from_standard_input(tmp_path):
    done = wavefold("report", "-", "-q", "-o", tmp_path / "page.html", input=LADDER.read_text())
    assert done.returncode == SUCCESS and done.stdout == ""
    assert "standard input" in (tmp_path / "page.html").read_text()


def test_what_comes_from_files_is_escaped(tmp_path):
    result = json.loads(LADDER.read_text())
    evil = '<script>alert("x")</script> $\\frac{1}{$ & Co'
    for run in result["runs"]:
        run["device"]["name"] = evil
        run["rungs"][3].update(name=evil, verdict="WRONG", reason=evil)
    (tmp_path / "evil.json").write_text(json.dumps(result))
    done = report(tmp_path / "evil.json", "-o", "-")
    assert done.returncode == SUCCESS, done.stderr
    assert "<script>alert" not in done.stdout and "&lt;script&gt;alert" in done.stdout


@pytest.mark.parametrize("change", [
    {"rungs": []}, {"read_ceiling": None}, {"n": 0},
    {"rungs": [{"name": "simple_1", "kind": "reduces", "verdict": "failed", "reason": "no memory"}]},
])
def test_little_to_show(tmp_path, change):
    result = json.loads(LADDER.read_text())["runs"][0]
    (tmp_path / "little.json").write_text(json.dumps(result | change))
    assert report(tmp_path / "little.json", "-o", tmp_path / "page.html").returncode == SUCCESS


@pytest.mark.parametrize("content, fragments", [
    ("{", ["line 1, column 2"]), ("{}", ["none of wavefold's results"]),
    (LADDER.read_text().replace('"wavefold":"0.2.0"', '"wavefold":"0.9.1"'), ["runs[0].wavefold is 0.9.1"]),
], ids=["broken", "another's", "another version"])
def test_a_bad_file_leaves_nothing(tmp_path, content, fragments):
    (tmp_path / "bad.json").write_text(content)
    (tmp_path / "page.html").write_text("before")
    for page in ("page.html", "new.html"):
        one_error(report(LADDER, tmp_path / "bad.json", "-o", tmp_path / page), FAILURE, "bad.json", *fragments)
    assert (tmp_path / "page.html").read_text() == "before"
    assert sorted(os.listdir(tmp_path)) == ["bad.json", "page.html"]


def test_names_that_are_no_text(tmp_path):
    page, result = os.fsencode(tmp_path) + b"/\xff.html", os.fsencode(tmp_path) + b"/\xfe.json"
    with open(result, "wb") as file:
        file.write(FIXTURES[0].read_bytes())
    for names, status in (((result, "-o", page), SUCCESS), ((page, "-o", result), FAILURE)):
        done = subprocess.run([PROGRAM, "report", *names], capture_output=True, env=environment())
        assert done.returncode == status and b"Traceback" not in done.stderr


def test_a_file_that_is_not_there(tmp_path):
    one_error(report("nothing.json", "-o", tmp_path / "page.html"), FAILURE, "nothing.json", "No such file")


@pytest.mark.parametrize("page", ["missing/page.html", ".", "/dev/full"])
def test_a_page_that_cannot_be_written(tmp_path, page):
    one_error(report(FIXTURES[0], "-o", tmp_path / page), FAILURE, f"cannot write '{tmp_path / page}'")
    assert os.listdir(tmp_path) == []


def test_a_link_keeps_linking(tmp_path):
    (tmp_path / "page.html").touch(mode=0o640)
    (tmp_path / "link.html").symlink_to("page.html")
    assert report(FIXTURES[0], "-o", tmp_path / "link.html").returncode == SUCCESS
    assert (tmp_path / "link.html").is_symlink() and (tmp_path / "page.html").stat().st_size > 1000
    assert (tmp_path / "page.html").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("arguments, named", [
    ([], ["wavefold report RESULT.json..."]),
    (["a.json"], ["--output PAGE.html"]),
    (["a.json", "-o", "-q"], ["--output takes a file", "'-q'"]),
    (["a.json", "-o", "same", "--json", "same"], ["--json and --output both write 'same'"]),
    (["a.json", "-o", "a.json"], ["'a.json' would replace an input"]),
    (["a.json", "-o", "page.html", "--json", "a.json"], ["'a.json' would replace an input"]),
])
def test_usage(arguments, named):
    one_error(report(*arguments), USAGE, *named)


def test_without_python(tmp_path):
    one_error(report(FIXTURES[0], "-o", tmp_path / "page.html", PATH=str(tmp_path)), FAILURE, "python3-jinja2",
              "python3-matplotlib")


@pytest.mark.parametrize("library", ["jinja2", "matplotlib"])
def test_without_a_library(tmp_path, library):
    (tmp_path / f"{library}.py").write_text(f"raise ModuleNotFoundError('not here', name='{library}')\n")
    done = report(FIXTURES[0], "-o", tmp_path / "page.html", PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1")
    one_error(done, FAILURE, f"needs {library}", "python3-jinja2", "python3-matplotlib")
    assert os.listdir(tmp_path) == [f"{library}.py"]


def test_with_a_library_that_is_broken(tmp_path):
    (tmp_path / "jinja2.py").write_text("raise ImportError('another architecture')\n")
    done = report(FIXTURES[0], "-o", tmp_path / "page.html", PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1")
    one_error(done, FAILURE, "needs Jinja2 and matplotlib (another architecture)")
