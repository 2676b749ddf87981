"""The launch table of a device: measured, kept, shown. The host device presents itself as a GPU (wrapped_module.c)."""

import json
import os
import re

import pytest
from support import FAILURE, SUCCESS, USAGE, environment, one_error, wavefold

WRAPPED = os.environ.get("WAVEFOLD_WRAPPED_FOLDER")
needs_wrapped = pytest.mark.skipif(not WRAPPED, reason="WAVEFOLD_WRAPPED_FOLDER names no wrapped module")


@pytest.fixture
def run(tmp_path):
    def tune(*arguments, wrap="timed-512", device="host:32", **changes):
        env = environment(WAVEFOLD_BACKEND_PATH=WRAPPED or "", WAVEFOLD_WRAP=wrap,
                          WAVEFOLD_CACHE=str(tmp_path / "cache"), **changes)
        return wavefold("tune", "--device", device, *arguments, env=env)

    return tune


def files(tmp_path):
    return [path for path in tmp_path.rglob("*") if path.is_file()]


@needs_wrapped
def test_kept(run, tmp_path):
    done = run("--most", "16Ki")
    assert done.returncode == SUCCESS and done.stderr == ""
    [file] = files(tmp_path)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("host:32, ") and lines[0].endswith("a tuned table is used, which this context measured")
    assert lines[1] == f"file: {file}"
    head = "Launches by the array's size. Beyond the most tiles, each thread loads more:"
    assert lines[3] == head
    assert re.split(" {2,}", lines[4]) == ["arrays up to", "threads per tile", "16-byte loads per thread",
                                           "tiles per multiprocessor, at most"]
    assert [line.split() for line in lines[5:]] == [["8", "KiB", "512", "1", "1"], ["16", "KiB", "512", "2", "1"],
                                                    ["any", "size", "256", "4", "8"]]
    shown = run("--show")
    assert shown.stdout.splitlines()[1:] == lines[1:]
    assert "a tuned table is used" in shown.stdout


@needs_wrapped
def test_dry_run(run, tmp_path):
    got = json.loads(run("--most=4096", "--dry-run", "--json", "-").stdout)
    assert files(tmp_path) == []
    assert got["is_tuned"] is True and got["status"] == "WF_OK" and "did not keep" in got["detail"]
    assert got["path"].startswith(str(tmp_path)) and got["device"]["id"] == "host:32"
    assert got["rows"][0] == {"bytes": 4096, "tile_size": 512, "loads": 1, "tiles_per_processor": 1}
    assert got["rows"][-1]["bytes"] is None


@needs_wrapped
def test_ignored(run, tmp_path):
    assert run("--most", "4Ki").returncode == SUCCESS
    [file] = files(tmp_path)
    text = file.read_text()
    file.write_text(text.replace("library ", "library 9"))
    got = json.loads(run("--show", "--json", "-").stdout)
    assert got["is_tuned"] is False and got["status"] == "WF_UNSUPPORTED"
    file.write_text(text[:-1])
    done = run("--show")
    assert done.returncode == SUCCESS and "was ignored: line" in done.stdout and str(file) in done.stdout
    assert run("--most", "4Ki").returncode == SUCCESS # tuning again is the remedy
    assert file.read_text() == text


@needs_wrapped
def test_failures(run, tmp_path):
    one_error(run("--most", "4Ki", wrap="timed-fails"), FAILURE, "launching on host:32")
    assert files(tmp_path) == []
    (tmp_path / "cache").rmdir()
    (tmp_path / "cache").touch()
    one_error(run("--most", "4Ki"), FAILURE, "cannot write the table", "Not a directory", "WAVEFOLD_CACHE")


@needs_wrapped
def test_report_spares_the_table(run, tmp_path):
    assert run("--most", "4.096k").returncode == SUCCESS
    [file] = files(tmp_path)
    text = file.read_text()
    (tmp_path / "link").symlink_to(file)
    for path in (file, tmp_path / "link"):
        for more in (["--show"], ["--most", "8Ki"]):
            one_error(run(*more, "--json", path), FAILURE, f"'{path}' would replace the table", "another file")
    assert file.read_text() == text


@needs_wrapped
def test_unwritable_report_is_known_before_tuning(run, tmp_path):
    one_error(run("--most", "4Ki", "--json", tmp_path / "none/r"), FAILURE, "cannot write", "none/r", "No such file")
    assert files(tmp_path) == []


@needs_wrapped
def test_threads(run, tmp_path):
    """Helpers take a made-up time here, on four CPUs, which may be more than there are."""
    cpus = len(os.sched_getaffinity(0))
    done = run("--most", "100k", wrap="timed-threads")
    if cpus < 4:
        one_error(done, FAILURE, f"may run on {cpus} of 4 CPUs", "taskset")
        assert files(tmp_path) == []
    else:
        assert done.returncode == SUCCESS and files(tmp_path) != []


def test_host_device(tmp_path):
    env = environment(WAVEFOLD_CACHE=str(tmp_path))
    if len(os.sched_getaffinity(0)) < max(os.cpu_count(), 2):
        one_error(wavefold("tune", "--device", "host", env=env), FAILURE, "CPU")
        return
    shown = wavefold("tune", "--device", "host", "--show", env=env)
    assert "this device is not tuned yet (wf_tune, wavefold tune)" in shown.stdout
    lines = shown.stdout.splitlines()
    assert lines[-4] == "The CPU's threads share a reduction if each gets at least this many bytes of the array:"
    assert [re.split(" {2,}", line) for line in lines[-3:]] == [
        ["threads", "bytes for each, at least"], ["awake, just after another reduction", "48 KiB"],
        ["asleep, to be woken", "2 MiB"]]
    done = wavefold("tune", "--device", "host", "--most", "100k", env=env)
    assert done.returncode == SUCCESS and done.stderr == ""
    [file] = files(tmp_path)
    assert done.stdout.splitlines()[1] == f"file: {file}"
    got = json.loads(wavefold("tune", "--device", "host", "--show", "--json", "-", env=env).stdout)
    assert (got["is_tuned"], got["status"], got["path"], got["rows"]) == (True, "WF_OK", str(file), [])
    lines = file.read_text().splitlines()
    assert lines[-2:] == [f"{key} {value}" for key, value in got["threads"].items()]
    assert 1024 <= got["threads"]["awake_bytes"] <= 192 << 10 and 1024 <= got["threads"]["asleep_bytes"] <= 2 << 20
    one_error(wavefold("tune", "--device", "host", "--most", "4Ki", env=env), FAILURE, "--most 4096", "host:64",
              "16384 or more, or leave it out")
    assert wavefold("tune", "--device", "host", "--most", "16Ki", "--dry-run", env=env).returncode == 0
    others = json.loads(wavefold("tune", "--device", "watched", "--show", "--json", "-", env=env).stdout)
    assert others["threads"] is None and others["rows"] != []


@pytest.mark.parametrize(
    "arguments, status, named",
    [
        (["extra"], USAGE, ["extra", "wavefold tune"]),
        (["--most", "4095"], USAGE, ["--most", "from 4096 to 268435456"]),
        (["--most", "257Mi"], USAGE, ["--most"]),
        (["--most", "x"], USAGE, ["--most"]),
        (["--most", "0.3G"], USAGE, ["--most 0.3G", "from 4096 to 268435456"]),
        (["--show", "--dry-run"], USAGE, ["--show", "--dry-run"]),
        (["--most=4Ki", "--show"], USAGE, ["--show", "--most"]),
        (["--device", "hots"], FAILURE, ["did you mean 'host'"]),
    ],
)
def test_misuse(arguments, status, named):
    one_error(wavefold("tune", *arguments), status, *named)


def test_help():
    done = wavefold("tune", "--help")
    assert done.returncode == SUCCESS and done.stdout.startswith("Usage: wavefold tune")
    for option in ("--device", "--most", "--dry-run", "--show", "--json", "--quiet", "Exit status"):
        assert option in done.stdout
    assert "tune" in wavefold("--help").stdout
