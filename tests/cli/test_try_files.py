"""wavefold try: new kernels, names of files, and what is left behind."""

import json
import os
import resource
import signal
import subprocess
import time

import pytest
from support import FAILURE, PROGRAM, SUCCESS, environment, one_error, wavefold
from tried_kernels import IN_RANGE, plain


def test_a_name_that_commands_a_terminal(tmp_path):
    path = tmp_path / "a\033[2J.hip"
    path.write_text(plain(("        __syncthreads();\n    }", "    }")))
    done = wavefold("try", path)
    assert done.returncode == FAILURE and "a?[2J.hip:" in done.stdout and "\033" not in done.stdout


@pytest.mark.parametrize("words", [[], ["--plain"]])
def test_new(tmp_path, words):
    name = tmp_path / "first_try"
    assert wavefold("try", "--new", name, *words).returncode == SUCCESS
    written = (tmp_path / "first_try.hip").read_text()
    assert ("threadIdx" in written) == bool(words) and len(written.splitlines()) < 40
    began = time.monotonic()
    done = wavefold("try", tmp_path / "first_try.hip", "--against", "tiled_4")
    assert done.returncode == SUCCESS and time.monotonic() - began < 20  # 5 s on a machine that does nothing else
    again = wavefold("try", "--new", tmp_path / "first_try.hip", *words)
    one_error(again, FAILURE, "first_try.hip", "already")
    assert (tmp_path / "first_try.hip").read_text() == written


def test_new_is_quiet(tmp_path):
    done = wavefold("try", "--new", tmp_path / "mine", "-q")
    assert done.returncode == SUCCESS and done.stdout == done.stderr == ""
    assert (tmp_path / "mine.hip").exists()


def test_new_by_a_name_that_the_other_words_have(tmp_path):
    assert wavefold("try", "--new", tmp_path / "sum", "--plain").returncode == SUCCESS
    done = wavefold("try", tmp_path / "sum.hip", "-q")
    assert done.returncode == SUCCESS, done.stderr


def test_half_a_new_kernel_is_thrown_away(tmp_path):
    def little_space():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = wavefold("try", "--new", tmp_path / "mine", preexec_fn=little_space)
    one_error(done, FAILURE, "cannot write", "mine.hip", "File too large")
    assert list(tmp_path.iterdir()) == []


def test_leaves_nothing_behind(attempt, tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    for text in (plain(), plain(IN_RANGE), "no C++\nWF_TRY(a, 2, 2)"):
        attempt(text, env=environment(TMPDIR=str(folder)))
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("closed", [(1,), (0, 1), (0, 1, 2)])
def test_with_standard_streams_closed(tmp_path, closed):
    (tmp_path / "mine.hip").write_text(plain())
    report = tmp_path / "report.json"

    def close():
        for stream in closed:
            os.close(stream)

    done = wavefold("try", tmp_path / "mine.hip", "-q", "--json", report, preexec_fn=close)
    assert done.returncode == SUCCESS
    assert json.loads(report.read_text())["clean"] is True


def wait_for(folder, pattern):
    for _ in range(300):
        if list(folder.glob(pattern)):
            return
        time.sleep(0.1)
    raise AssertionError(f"no {pattern} after 30 s")


# While it compiles, and while the kernel runs.
@pytest.mark.parametrize("stopped, made", [(signal.SIGINT, "wavefold-try-*"), (signal.SIGTERM, "*/.kernel"),
                                           (signal.SIGHUP, "*/.kernel")])
def test_interrupted_it_leaves_nothing_behind(tmp_path, stopped, made):
    folder, file = tmp_path / "temporary", tmp_path / "endless.hip"
    folder.mkdir()
    file.write_text(plain(("__syncthreads();", "for (volatile int go = 1; go;)\n ;")))
    # nohup and shells' & start tests that ignore some of them, and so would the program.
    with subprocess.Popen([PROGRAM, "try", file], env=environment(TMPDIR=str(folder)), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(stopped, signal.SIG_DFL)) as process:
        wait_for(folder, made)
        time.sleep(0.2)
        process.send_signal(stopped)
        said, complained = process.communicate(timeout=30)
    assert process.returncode == -stopped and said == b"" and complained == b""
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name, shown", [(b"\xff.hip", b"?.hip"), ("\u00e4.hip".encode(), "\u00e4.hip".encode())])
def test_file_names(tmp_path, name, shown):
    path = os.path.join(os.fsencode(tmp_path), name)
    with open(path, "w") as file:
        file.write(plain(("out[blockIdx.x]", "out[n + 9]")))
    done = subprocess.run([PROGRAM, "try", path], env=environment(), capture_output=True, timeout=60)
    assert done.returncode == FAILURE and done.stderr == b""
    assert b"(" + shown + b":14)" in done.stdout


@pytest.mark.parametrize("name", ["-mine.hip", "@mine.hip"])
def test_file_names_that_compilers_take_for_something_else(tmp_path, name):
    (tmp_path / name).write_text(plain())
    (tmp_path / "mine.hip").write_text("-DNO_KERNEL\n")
    done = wavefold("try", "--", name, cwd=tmp_path)
    assert done.returncode == SUCCESS, done.stderr
