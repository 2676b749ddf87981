"""wavefold try --watch: runs again when the file changes."""

import os
import signal
import subprocess
import threading
import time

import pytest
from support import FAILURE, PROGRAM, USAGE, environment, one_error, wavefold
from tried_kernels import plain

WRONG = plain(("i < n", "i + 1 < n"))
DEADLINE = 30  # seconds


class Watched:
    """The program, with a thread that collects what it prints."""

    def __init__(self, path, folder, *arguments):
        def restore():
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        self.process = subprocess.Popen([PROGRAM, "try", "--watch", path, *arguments], text=True, preexec_fn=restore,
                                        env=environment(TMPDIR=str(folder)), stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)
        self.lines = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(iter(self.process.stdout.readline, "")))
        self.reader.start()

    def count(self, text):
        return sum(text in line for line in self.lines)

    def wait_for(self, text, count):
        end = time.monotonic() + DEADLINE
        while self.count(text) < count and time.monotonic() < end:
            time.sleep(0.02)
        assert self.count(text) == count, "".join(self.lines)

    def end(self, by=signal.SIGINT):
        self.process.send_signal(by)
        status = self.process.wait(DEADLINE)
        self.reader.join()
        return status


@pytest.fixture
def watch(tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    started = []

    def run(text, *arguments):
        path = tmp_path / "mine.hip"
        path.write_text(text)
        started.append(Watched(path, folder, *arguments))
        return started[-1], path, folder

    yield run
    for each in started:
        each.process.kill()
        each.process.wait()


def test_changes(watch):
    watched, path, folder = watch(plain())
    watched.wait_for("lanes: right", 2)
    path.write_text(WRONG)
    watched.wait_for("lanes: wrong", 2)
    other = path.with_name("new.hip")  # as editors do
    other.write_text(plain(("in[i]", "inn[i]")))
    os.replace(other, path)
    watched.wait_for("does not compile", 1)
    path.write_text(plain())
    watched.wait_for("lanes: right", 4)
    assert watched.count("---- ") == 4
    assert watched.end() == -signal.SIGINT
    assert list(folder.iterdir()) == []


def test_an_interrupted_run(watch):
    watched, _, folder = watch(plain(("__syncthreads();", "while (n != 0) out[0] = in[0];")))
    end = time.monotonic() + DEADLINE
    while not list(folder.glob("*/.kernel")) and time.monotonic() < end:
        time.sleep(0.02)
    assert watched.end() == -signal.SIGINT
    assert list(folder.iterdir()) == []


def test_a_folder_that_is_removed(watch, tmp_path):
    watched, path, _ = watch(plain())
    watched.wait_for("lanes: right", 2)
    os.rename(tmp_path, tmp_path.with_name("moved"))
    try:
        assert watched.process.wait(DEADLINE) == FAILURE
    finally:
        os.rename(tmp_path.with_name("moved"), tmp_path)
    watched.reader.join()
    assert watched.count("moved or removed") == 1


def test_bad_usage(tmp_path):
    one_error(wavefold("try", "a.hip", "--watch", "--json", "-"), USAGE, "--watch", "give --json a file")
    one_error(wavefold("try", "--watch"), USAGE, "--new")
    done = wavefold("try", "--watch", tmp_path / "missing" / "a.hip")
    assert done.returncode == FAILURE and "cannot watch" in done.stderr
