"""`wavefold reduce`: what it refuses, and what it leaves of files and streams."""

import io
import json
import os
import pty
import resource
import subprocess

import numpy
import pytest
from reduced import answer, reduce, words
from support import FAILURE, PROGRAM, SUCCESS, USAGE, environment, one_error, wavefold

BAD_USAGE = [
    ([], ["reduce needs an input file", "wavefold reduce FILE"]),
    (["a.npy", "b.npy"], ["'b.npy'", "one argument too many", "'a.npy'"]),
    (["--json", "a.npy"], ["--json took 'a.npy'", "wavefold reduce FILE --json a.npy", "--json -"]),
    (["--json", "-"], ["reduce needs an input file", "wavefold reduce FILE;"]),
    (["a.npy", "--json", "a.npy"], ["'a.npy' would replace the input", "another file"]),
    (["a.npy", "--json", "--op"], ["--json takes a file", "'--op' looks like an option", "--json -", "./--op"]),
    (["a.npy", "--op", "smu"], ["operator", "did you mean 'sum'", "describe"]),
    (["a.npy", "--op", "descrbe"], ["did you mean 'describe'"]),
    (["a.npy", "--type", "f33"], ["type", "did you mean 'f32'"]),
    (["a.bin", "--raw"], ["--raw needs the type", "--type f32"]),
    (["a.npy", "--n", "1.5"], ["--n", "'1.5'"]),
    (["a.npy", "--nan", "skip"], ["rule for NaN", "propagate"]),
    (["a.npy", "--type", "f32", "--op", "xor"], ["xor of f32", "wavefold operators"]),
    (["a.npy", "--type", "f32", "--nan", "ignore"], ["sum cannot ignore NaN", "argmin"]),
    (["a.npy", "--op", "describe", "--accumulator", "f64"], ["--accumulator", "describe", "leave it out"]),
    (["a.npy", "--accumulator", "f16"], ["accumulator", "'f16'"]),
    (["a.npy", "--accuracy", "exatc"], ["unknown accuracy", "did you mean 'exact'", "best, fast and exact"]),
    (["a.npy", "--op", "product", "--type", "f32", "--accuracy", "exact"],
     ["no exact product of f32", "sum, mean and asum of f16", "write --accuracy fast"]),
    (["a.npy", "--op", "describe", "--accuracy", "fast"], ["--accuracy fast", "describe", "leave it out"]),
    (["a.npy", "--type", "f32", "--op", "xor", "--accuracy", "exact"], ["xor of f32", "wavefold operators"]),
    (["a.npy", "--type", "f64", "--accumulator", "f32", "--accuracy", "fast"], ["narrower"]),
]


@pytest.mark.parametrize("arguments, named", BAD_USAGE, ids=lambda value: " ".join(value) or "nothing")
def test_bad_usage(arguments, named):
    one_error(wavefold("reduce", *arguments), USAGE, *named)


@pytest.mark.parametrize(
    "option, words, name",
    [("--op", "MAX Maximum amax", "max"), ("--op", "avg AVERAGE Mean", "mean"), ("--op", "add Sum SMU", "sum"),
     ("--op", "std stddev var variance count Describe", "describe"), ("--op", "prod mul", "product"),
     ("--op", "ALL", "all"), ("--op", "norm l2", "sumsq"), ("--op", "l1", "asum"), ("--op", "range", "minmax"),
     ("--type", "float32 float F32 single f4", "f32"), ("--type", "double float64", "f64"), ("--type", "int", "i32"),
     ("--type", "long INT64", "i64"), ("--type", "uint8 uint8_t byte bool", "u8"), ("--type", "half", "f16"),
     ("--type", "bfloat16", "bf16"), ("--nan", "IGNORE", "ignore")],
)
def test_names_of_other_programs(option, words, name):
    for word in words.split():
        one_error(wavefold("reduce", "a.npy", option, word), USAGE, f"'{word}'; did you mean '{name}'?")


def test_no_name_for_what_is_not_there():
    """median is spelled like mean, and is another thing."""
    one_error(wavefold("reduce", "a.npy", "--op", "median"), USAGE, "unknown operator 'median'; there are sum")
    one_error(wavefold("merge", "a.state", "--op", "avg"), USAGE, "did you mean 'mean'?")


def test_what_only_the_file_tells(saved):
    path = saved(numpy.ones(3, "f4"))
    one_error(reduce(path, "--op", "xor"), FAILURE, "a.npy", "xor of f32", "wavefold operators")
    one_error(reduce(path, "--accumulator", "i64"), FAILURE, "a.npy", "sum of f32", "i64")
    one_error(reduce(path, "--type", "f64"), FAILURE, "a.npy", "f32", "f64", "--type")
    one_error(reduce(path, "--n", 4), FAILURE, "a.npy", "3", "--n 4")


def test_bad_files(tmp_path, saved):
    one_error(reduce(tmp_path / "none.npy"), FAILURE, "none.npy", "No such file")
    one_error(reduce(tmp_path), FAILURE, str(tmp_path), "directory")
    os.mkfifo(tmp_path / "fifo")
    one_error(reduce(tmp_path / "fifo"), FAILURE, "fifo", "no regular file", "pipe it to wavefold as -")
    one_error(wavefold("reduce", "/dev/stdin", stdin=subprocess.PIPE), FAILURE, "/dev/stdin", "no regular file", " -")
    (tmp_path / "empty").touch()
    one_error(reduce(tmp_path / "empty", "--type", "f32"), FAILURE, "empty", "--n 0")
    one_error(reduce(saved(numpy.ones(3, "c8"))), FAILURE, "a.npy", "c8", "astype")
    whole = saved(numpy.ones(9, "f8")).read_bytes()
    (tmp_path / "cut.npy").write_bytes(whole[:-1])
    one_error(reduce(tmp_path / "cut.npy"), FAILURE, "cut.npy", "truncated", "9 elements of 8 bytes")
    (tmp_path / "a.bin").write_bytes(bytes(17))
    one_error(reduce(tmp_path / "a.bin"), FAILURE, "a.bin", "--type")
    one_error(reduce(tmp_path / "a.bin", "--type", "i32"), FAILURE, "a.bin", "17 bytes", "i32")


@pytest.mark.parametrize("device", ["hots", "host:48", "nvidia:99", ""])
def test_bad_device(saved, device):
    one_error(reduce(saved(numpy.ones(3)), device=device), FAILURE)


def piped(content, *arguments, **options):
    done = wavefold("reduce", "--device", "host:32", "-", *arguments, input=content, text=False, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("count", [0, 1, 1003, (1 << 20) // 8, (5 << 20) // 8 + 7])
def test_standard_input(saved, tmp_path, count):
    """A pipe, a file, and a file of which the shell has read a part."""
    data = numpy.random.default_rng(count).standard_normal(count)
    path = saved(data)
    for more in (["--op", "argmax"], ["--op", "describe"], ["--n", count // 2]):
        expected = (SUCCESS, reduce(path, *more).stdout, "")
        assert piped(path.read_bytes(), *more) == expected
        with open(path, "rb") as file:
            done = wavefold("reduce", "-", *more, stdin=file)
            assert (done.returncode, done.stdout, done.stderr) == expected
    (tmp_path / "b").write_bytes(b"12345" + path.read_bytes())
    with open(tmp_path / "b", "rb") as file:
        os.lseek(file.fileno(), 5, os.SEEK_SET)
        assert wavefold("reduce", "-", stdin=file).stdout == reduce(path).stdout
    if count > 0:
        assert piped(data.tobytes(), "--type", "f64")[1] == reduce(path).stdout
        got = json.loads(piped(path.read_bytes(), "--json", "-", "--op", "max")[1])
        assert (got["input"], got["n"]) == ("-", count) and got["result"] == data.max()


def test_standard_input_that_comes_in_pieces(saved):
    path = saved(numpy.arange(1000, dtype="i4"))
    slow = f"(head -c 7 {path}; sleep 0.1; tail -c +8 {path}) | {PROGRAM} reduce -"
    done = subprocess.run(["sh", "-c", slow], capture_output=True, text=True, timeout=60, env=environment())
    assert (done.stdout, done.stderr) == ("499500\n", "")


def test_bad_standard_input(saved, tmp_path):
    whole = saved(numpy.ones(9, "f8")).read_bytes()
    for content, more, named in ((b"", [], "is empty"), (whole[:-1], [], "truncated"), (b"\0" * 8, [], "--type f32"),
                                 (b"1.5,2.5\n", ["--type", "f32"], "'/dev/stdin' 'numbers.npy'"),
                                 (whole, ["--n", 10], "fewer than --n 10")):
        status, printed, message = piped(content, *more)
        assert (status, printed) == (FAILURE, "") and message.startswith("wavefold: input '-'") and named in message
    one_error(wavefold("reduce", "-", preexec_fn=lambda: os.close(0)), FAILURE, "input '-'", "Bad file descriptor")
    folder = os.open(tmp_path, os.O_RDONLY)
    one_error(wavefold("reduce", "-", stdin=folder), FAILURE, "input '-' is a directory")
    os.close(folder)
    master, slave = pty.openpty()
    one_error(wavefold("reduce", "-", stdin=slave), FAILURE, "input '-'", "terminal", "redirect")
    os.close(slave)
    os.close(master)


def test_standard_input_is_not_replaced(saved, tmp_path):
    path = saved(numpy.ones(3, "f4"))
    before = path.read_bytes()
    for option in ("--json", "--state"):
        with open(path, "rb") as file:
            one_error(wavefold("reduce", "-", option, path, stdin=file), USAGE, f"'{path}' would replace the input")
    assert path.read_bytes() == before


def test_standard_input_beyond_the_memory():
    """An endless one, in an address space with room for some MiB of it."""
    with open("/dev/zero", "rb") as zeros:
        done = wavefold("reduce", "-", "--type", "f32", stdin=zeros, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (1 << 28, 1 << 28)))
    one_error(done, FAILURE, "input '-' is longer than the", "bytes", "save it to a file")


@pytest.mark.parametrize("fortran", [False, True])
def test_no_memory_for_a_copy(tmp_path, fortran):
    """A file of zeros that takes no room, in the other byte order, or in Fortran order, and twice as large as the
    machine's memory."""
    count = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    buffer = io.BytesIO()
    shape = (2, count // 2) if fortran else (count,)
    numpy.lib.format.write_array_header_1_0(buffer, {"descr": "<f8" if fortran else ">f8", "fortran_order": fortran,
                                                     "shape": shape})
    path = tmp_path / "sparse.npy"
    path.write_bytes(buffer.getvalue())
    try:
        os.truncate(path, len(buffer.getvalue()) + 8 * count)
    except OSError:
        pytest.skip("no sparse files here")
    more = ["--op", "argmax"] if fortran else []
    one_error(reduce(path, *more), FAILURE, "sparse.npy", "Fortran" if fortran else "byte order", str(8 * count), "--n")
    assert words(path, "--n", 1000) == ["0"]


@pytest.mark.parametrize("more", [[], ["--json", "-"], ["--op", "describe"]], ids=" ".join)
def test_full_standard_output(saved, more):
    with open("/dev/full", "w") as full:
        done = wavefold("reduce", "--device", "host", saved(numpy.ones(3)), *more, capture_output=False, stdout=full,
                        stderr=subprocess.PIPE)
    assert done.returncode == FAILURE and "cannot write standard output" in done.stderr
    assert done.stderr.count("\n") == 1


def test_json_file(saved, tmp_path):
    path, out = saved(numpy.array([1, 2, 4], "f4")), tmp_path / "out.json"
    out.write_text("old\n" * 10000)
    for quiet, text in ([], "7\n"), (["-q"], ""):
        done = reduce(path, "--json", out, *quiet)
        assert (done.returncode, done.stdout, done.stderr) == (SUCCESS, text, "")
        got, printed = json.loads(out.read_text()), answer(path)
        assert got.pop("seconds") >= 0 and printed.pop("seconds") >= 0
        assert got == printed and got["result"] == 7


def test_never_replaces_the_input(saved, tmp_path):
    path = saved(numpy.ones(3, "f4"))
    before = path.read_bytes()
    (tmp_path / "link").symlink_to(path)
    for output in (path, tmp_path / "link"):
        one_error(reduce(path, "--json", output), USAGE, f"'{output}' would replace the input")
    assert path.read_bytes() == before


def test_failure_keeps_the_old_report(saved, tmp_path):
    (tmp_path / "out.json").write_text("old")
    for arguments in ([tmp_path / "none.npy"], [saved(numpy.ones(3, "f4")), "--op", "xor"]):
        one_error(reduce(*arguments, "--json", tmp_path / "out.json"), FAILURE)
    assert (tmp_path / "out.json").read_text() == "old"


def test_help():
    done = wavefold("reduce", "--help")
    assert done.returncode == SUCCESS and "Usage: wavefold reduce [OPTION...] FILE" in done.stdout
    for option in ("op", "type", "raw", "accumulator", "nan", "accuracy", "n", "device", "state", "axis", "keepdims",
                   "output", "json", "quiet"):
        assert f"--{option}" in done.stdout
