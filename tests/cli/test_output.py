"""Where output goes: files, full disks, terminals."""

import json
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import stat
import subprocess
import tempfile

import pytest
from support import FAILURE, PROGRAM, SUCCESS, USAGE, environment, one_error, progression, wavefold

BOTH = pytest.mark.parametrize("form", ["--json", "--csv"])


@BOTH
def test_writes_and_replaces(tmp_path, form):
    path = tmp_path / "report"
    for _ in range(2):
        done = progression(form, path, n=100)
        assert done.returncode == SUCCESS and "rungs verified" in done.stdout
        assert path.read_text().startswith("{" if form == "--json" else "name,")
        path.write_text("old\n" * 10000)
    assert os.listdir(tmp_path) == ["report"]


@BOTH
def test_keeps_permissions_and_links(tmp_path, form):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to("target")
    assert progression(form, link, n=100).returncode == SUCCESS
    assert link.is_symlink() and target.read_text() != "old"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@BOTH
def test_permissions_of_a_new_file(tmp_path, form):
    mask = os.umask(0o027)
    try:
        assert progression(form, tmp_path / "new", n=100).returncode == SUCCESS
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


@BOTH
def test_unwritable_is_known_before_the_run(tmp_path, form):
    (tmp_path / "file").write_text("kept")
    for path, reason in [
        (tmp_path / "none/report", "No such file or directory"),
        (tmp_path, "Is a directory"),
        (tmp_path / "file/report", "Not a directory"),
        (f"{tmp_path}/new/", "Is a directory"),
        ("", "No such file"),
        ("/proc/report", ""),
    ]:
        # A count that no machine can run: the report's path is what is complained about.
        one_error(progression(form, path, n="2^62"), FAILURE, "cannot write", str(path), reason)
    assert (tmp_path / "file").read_text() == "kept"


@BOTH
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_protected(tmp_path, form):
    (tmp_path / "file").write_text("kept")
    (tmp_path / "file").chmod(0o444)
    one_error(progression(form, tmp_path / "file", n=100), FAILURE, "Permission denied")
    tmp_path.chmod(0o555)
    one_error(progression(form, tmp_path / "new", n=100), FAILURE, "Permission denied")
    tmp_path.chmod(0o755)
    assert (tmp_path / "file").read_text() == "kept"


@BOTH
@pytest.mark.parametrize(
    "bad", [["--input", "/none.npy"], ["--device", "tpu"], ["--n", "2^60"], ["--tile", "2^30"], ["--tile", "4"]])
def test_failure_keeps_the_old_file(tmp_path, form, bad):
    path = tmp_path / "report"
    path.write_text("old")
    assert progression(form, path, *bad).returncode == FAILURE
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["report"]


def little_space(most=1000):
    """No file may grow beyond so many bytes, as on a disk that is nearly full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


@BOTH
def test_half_a_report_is_thrown_away(tmp_path, form):
    path = tmp_path / "report"
    path.write_text("old")
    done = progression("--quiet", form, path, n=100, preexec_fn=little_space)
    one_error(done, FAILURE, "cannot write", str(path), "File too large")
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["report"]


@pytest.mark.parametrize("stopped", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("call", ["mkostemp", "fsync"])
def test_interrupted_it_leaves_nothing_behind(tmp_path, stopped, call):
    """The signal comes right behind the call, when there is a file beside the report."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not compiler and not os.environ.get("CI"):
        pytest.skip("no C compiler")
    folder, library = tmp_path / "folder", tmp_path / "interrupting.so"
    folder.mkdir()
    parameters, arguments = ("char *a, int b", "a, b") if call == "mkostemp" else ("int a", "a")
    source = f"""#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>
int {call}({parameters}) {{
    const int result = ((int (*)({parameters}))dlsym(RTLD_NEXT, "{call}"))({arguments});
    kill(getpid(), {int(stopped)});
    return result;
}}"""
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, "-x", "c", "-", "-ldl"], input=source, text=True,
                   check=True)
    done = wavefold("devices", "-q", "--json", folder / "report", env=environment(LD_PRELOAD=str(library)))
    assert done.returncode == -stopped and done.stderr == ""
    assert os.listdir(folder) == ([] if call == "mkostemp" else ["report"])


@BOTH
def test_never_replaces_the_input(tmp_path, form):
    path = tmp_path / "data.bin"
    path.write_bytes(bytes(64))
    (tmp_path / "link").symlink_to(path)
    for output in (path, tmp_path / "link"):
        one_error(progression("--input", path, "--type", "f32", form, output), USAGE, "would replace the input")
    assert path.read_bytes() == bytes(64)


@BOTH
@pytest.mark.parametrize("device", ["/dev/null", "/dev/full"])
def test_devices_are_written_not_replaced(form, device):
    before = os.stat(device)
    done = progression(form, device, n=100)
    after = os.stat(device)
    assert stat.S_ISCHR(after.st_mode) and after.st_ino == before.st_ino
    if device == "/dev/full":
        assert done.returncode == FAILURE and "No space left" in done.stderr and device in done.stderr
    else:
        assert done.returncode == SUCCESS and done.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["progression", "--help"],
        ["devices"],
        ["devices", "--json", "-"],
        ["rungs"],
        ["rungs", "--json", "-"],
        ["operators", "--json", "-"],
        ["--device", "host:32", "--n", "100"],
        ["--device", "host:32", "--n", "100", "--json", "-"],
        ["--device", "host:32", "--n", "100", "--csv", "-"],
    ],
    ids=" ".join,
)
def test_full_standard_output(arguments):
    with open("/dev/full", "w") as full:
        done = wavefold(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == FAILURE and "cannot write standard output" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("arguments", [["-o", "-"], ["-o", "page.html"], ["-o", "page.html", "--json", "-"]],
                         ids=" ".join)
def test_full_standard_output_of_a_report(tmp_path, arguments, buffered):
    """Python's own buffer must not try again when the program ends, and complain in its own words."""
    (tmp_path / "a.json").write_text(wavefold("--device", "host:32", "--n", "100", "--json", "-").stdout)
    python = environment(PYTHONUNBUFFERED="" if buffered else "1")
    with open("/dev/full", "w") as full:
        done = wavefold("report", "a.json", *arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE,
                        cwd=tmp_path, env=python)
    assert done.returncode == FAILURE
    assert done.stderr == "wavefold: cannot write standard output: No space left on device\n"


def test_a_link_to_nothing_is_followed(tmp_path):
    (tmp_path / "link.json").symlink_to("made/there.json")
    (tmp_path / "made").mkdir()
    assert progression("--rungs", "cascade", "--json", tmp_path / "link.json", "-q", n=10).returncode == SUCCESS
    assert (tmp_path / "link.json").is_symlink() and json.loads((tmp_path / "made/there.json").read_text())


def test_two_names_of_a_file_that_is_not_there_yet(tmp_path):
    (tmp_path / "link").symlink_to("new")
    for names in (("new", "link"), ("link", "new")):
        done = progression("--rungs", "cascade", "--json", tmp_path / names[0], "--csv", tmp_path / names[1], n=10)
        one_error(done, USAGE, "both write")
        assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_file_that_a_stream_writes_to_is_continued(tmp_path, stream):
    """As by (echo before; wavefold ... --json /dev/stdout; echo behind) > out."""
    out = tmp_path / "out"
    with open(out, "wb") as file:
        file.write(b"before\n")
        file.flush()
        done = progression("--rungs", "cascade", "-q", "--json", "/dev/" + stream, n=10, capture_output=False,
                           **{stream: file})
        file.write(b"behind\n")
    assert done.returncode == SUCCESS
    text = out.read_text()
    assert text.startswith("before\n{") and text.endswith("}\nbehind\n")


NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}


def nobody_can_run_it():
    if os.geteuid() != 0:
        return False
    try:
        return wavefold("--version", **NOBODY).returncode == SUCCESS
    except PermissionError:
        return False


@pytest.mark.skipif(not nobody_can_run_it(), reason="acts as two users")
def test_a_report_that_could_not_be_replaced_is_refused_early():
    """Another's file, in a folder of everybody's that is sticky."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o1777)
        path = pathlib.Path(folder) / "x.json"
        path.write_text("kept")
        path.chmod(0o666)
        done = progression("--rungs", "cascade", "-q", "--json", path, n="2^62", **NOBODY)
        one_error(done, FAILURE, f"cannot write '{path}': Operation not permitted")
        assert path.read_text() == "kept" and os.listdir(folder) == ["x.json"]


def closed_output():
    os.close(1)


def test_closed_standard_output(tmp_path):
    """Matters only to who writes to it."""
    path = tmp_path / "a.bin"
    path.write_bytes(b"abcdefgh")
    quiet = ["reduce", path, "--device", "host", "--type", "f32", "--json", tmp_path / "a.json", "-q"]
    assert wavefold(*quiet, preexec_fn=closed_output).returncode == SUCCESS
    one_error(wavefold("reduce", path, "--device", "host", "--type", "f32", preexec_fn=closed_output), FAILURE,
              "cannot write standard output: Bad file descriptor")
    made = wavefold("--device", "host:32", "--n", "100", "--json", "-")
    (tmp_path / "b.json").write_text(made.stdout)
    one_error(wavefold("report", tmp_path / "b.json", "-o", "-", preexec_fn=closed_output), FAILURE,
              "cannot write standard output: it is closed")


def test_names_do_not_steer_the_terminal(tmp_path):
    path = tmp_path / "a\x1b[2J.bin"
    path.write_bytes(b"abcdefgh")
    done = wavefold("--device", "host:32", "--input", path, "--type", "f32")
    assert done.returncode == SUCCESS and "a?[2J.bin" in done.stdout and "\x1b" not in done.stdout


LISTINGS = ["devices", "rungs", "operators"]
# Subcommands that write JSON without data or a GPU.
WRITERS = pytest.mark.parametrize(
    "command", [*([name] for name in LISTINGS), ["tune", "--show", "--device", "host"]], ids=lambda command: command[0])


def without_memory(text):
    """What devices says of memory that is free changes from call to call."""
    return re.sub(r"[0-9.]+ GiB|\"memory_free_bytes\": [0-9]+", "", text)


@WRITERS
def test_json_of_every_subcommand(tmp_path, command):
    """Beside the text in a file, or alone on standard output; no text if it is to be quiet."""
    path = tmp_path / "report"
    text, alone = wavefold(*command).stdout, wavefold(*command, "--json", "-").stdout
    assert json.loads(alone) and text and "{" not in text
    for more, printed in ([], text), (["--quiet"], ""), (["-q"], ""):
        path.write_text("old\n" * 100000)
        done = wavefold(*command, "--json", path, *more)
        assert (done.returncode, without_memory(done.stdout), done.stderr) == (SUCCESS, without_memory(printed), "")
        assert without_memory(path.read_text()) == without_memory(alone)
    assert without_memory(wavefold(*command, "-q", "--json", "-").stdout) == without_memory(alone)
    assert (wavefold(*command, "-q").stdout, os.listdir(tmp_path)) == ("", ["report"])


@WRITERS
def test_every_subcommand_keeps_what_it_cannot_replace(tmp_path, command):
    path = tmp_path / "report"
    path.write_text("old")
    done = wavefold(*command, "-q", "--json", path, preexec_fn=lambda: little_space(100))
    one_error(done, FAILURE, "cannot write", str(path), "File too large")
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["report"]
    one_error(wavefold(*command, "--json", tmp_path / "none/report"), FAILURE, "cannot write", "No such file")
    one_error(wavefold(*command, "--json", tmp_path), FAILURE, "cannot write", "Is a directory")


@pytest.mark.parametrize("subcommand", LISTINGS)
def test_names_beside_json(tmp_path, subcommand):
    names = wavefold(subcommand, "--names").stdout
    assert wavefold(subcommand, "--names", "--json", tmp_path / "a").stdout == names != ""
    assert json.loads((tmp_path / "a").read_text())
    assert json.loads(wavefold(subcommand, "--names", "--json", "-").stdout)


def on_terminal(*arguments, stdout=True, stderr=True, **changes):
    """What arrives at a terminal that standard output, standard error or both are."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, "--device", "host:32", "--n", "3000", *arguments],
        stdout=slave if stdout else subprocess.DEVNULL,
        stderr=slave if stderr else subprocess.DEVNULL,
        env=environment(**({"TERM": "xterm"} | changes)),
    )
    os.close(slave)
    received = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        received += piece
    os.close(master)
    return process.wait(timeout=60), received.decode()


def test_progress_on_a_terminal():
    status, text = on_terminal(stdout=False)
    assert status == SUCCESS
    assert text.startswith("\r[") and "%" in text
    assert text.endswith("\r\x1b[K") and "\n" not in text
    assert on_terminal("--quiet") == (SUCCESS, "")


def test_progress_is_erased_before_an_error():
    status, text = on_terminal("--input", "/none.npy", stdout=False)
    assert status == FAILURE and text.startswith("wavefold: ")


def test_colour_on_a_terminal():
    coloured = "\x1b[32mverified\x1b[0m"
    assert coloured in on_terminal(stderr=False)[1]
    assert coloured in on_terminal(stderr=False, NO_COLOR="")[1]
    assert "\x1b" not in on_terminal(stderr=False, NO_COLOR="1")[1]
    assert "\x1b" not in on_terminal(stderr=False, TERM="dumb")[1]


def test_nothing_of_it_without_a_terminal(tmp_path):
    done = progression("--json", tmp_path / "a", n=1000)
    assert done.stderr == "" and "\x1b" not in done.stdout and "\r" not in done.stdout
    json.loads((tmp_path / "a").read_text())
