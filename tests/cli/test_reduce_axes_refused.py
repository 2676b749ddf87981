"""`wavefold reduce --axis`: what it refuses, what it leaves of files, and arrays that it reduces in pieces."""

import os
import pty
import subprocess

import numpy
import pytest
from reduced import npy_header, reduce
from support import FAILURE, PROGRAM, SUCCESS, USAGE, environment, one_error, wavefold

BAD_USAGE = [
    (["--axis", "x"], ["--axis 'x' is no list of dimensions", "0,2"]),
    (["--axis", ""], ["--axis ''"]),
    (["--axis", "0,"], ["--axis '0,'"]),
    (["--axis", "1;2"], ["--axis '1;2'"]),
    (["--axis", "--1"], ["--axis '--1'"]),
    (["--axis", " 1"], ["--axis ' 1'"]),
    (["--axis", "9999999"], ["--axis '9999999'"]),
    (["--axis", "0,1,2,3,4,5,6,7,8"], ["names more than 8 dimensions"]),
    (["--keepdims"], ["--keepdims", "add --axis"]),
    (["--output", "out.npy"], ["--output", "add --axis", "--json out.npy"]),
    (["--axis", "0", "--output", "--op"], ["--output takes a file", "'--op' looks like an option"]),
    (["--axis", "0", "--output", "a.npy"], ["the output 'a.npy' would replace the input", "another file"]),
    (["--axis", "0", "--output", "b", "--json", "b"], ["--json and --output both write 'b'", "two files"]),
    (["--axis", "0", "--output", "-", "--json", "-"], ["--json and --output both write '-'"]),
    (["--axis", "0", "--op", "describe"], ["--axis is not for describe", "--op mean"]),
    (["--axis", "0", "--state", "s"], ["--axis and --state exclude each other", "leave one out"]),
    (["--axis", "0", "--n", "3"], ["--axis and --n exclude each other", "leave one out"]),
    (["--axis", "0", "--raw", "--type", "f32"], ["--axis and --raw exclude each other", "numpy.save"]),
    (["b.npy", "--axis", "0"], ["'b.npy' is one argument too many"]),
]


@pytest.mark.parametrize("arguments, named", BAD_USAGE, ids=lambda value: " ".join(value))
def test_bad_usage(arguments, named):
    one_error(wavefold("reduce", "a.npy", *arguments), USAGE, *named)


SHAPES = [
    ((3, 4), "2", ["has 2 dimensions", "--axis 2 is out of range", "from -2 to 1"]),
    ((3, 4), "0,-3", ["--axis -3 is out of range", "from -2 to 1"]),
    ((3,), "1", ["has 1 dimension,", "from -1 to 0"]),
    ((3, 4), "1,1", ["names dimension 1 twice", "once"]),
    ((3, 4), "1,0,-1", ["names dimension 1 twice"]),
    ((), "0", ["no dimension", "leave it out"]),
    ((1,) * 9, "0", ["has 9 dimensions", "at most 8", "reshape"]),
    ((2,) * 9, "0", ["has 9 dimensions", "at most 8", "reshape"]),
    ((1,) * 30, "0", ["has 30 dimensions", "at most 8"]),
]


@pytest.mark.parametrize("shape, axes, named", SHAPES, ids=str)
@pytest.mark.parametrize("order", "CF")
def test_bad_axes(saved, shape, axes, named, order):
    one_error(reduce(saved(numpy.ones(shape, order=order)), "--axis", axes), FAILURE, "input '", "a.npy'", *named)


def test_elements_without_a_dimension(saved):
    one_error(reduce(saved(numpy.ones((2, 2))), "--axis", 0, "--op", "matmul"), FAILURE, "a.npy", "no dimension")
    one_error(reduce(saved(numpy.ones((3, 4))), "--axis", 1, "--op", "matmul"), FAILURE, "has 1 dimension,",
              "--axis 1 is out of range")
    one_error(reduce(saved(numpy.ones((0, 3))), "--axis", 0, "--op", "affine"), FAILURE, "a.npy", "end it in 2")
    one_error(reduce(saved(numpy.ones((0, 3))), "--axis", 0, "--op", "matmul"), FAILURE, "a.npy", "2, 2 or in 4")
    one_error(reduce(saved(numpy.ones((4, 3))), "--axis", 0, "--op", "affine"), FAILURE, "shape (4, 3)", "pairs")


def test_what_reduce_refuses(saved, tmp_path):
    """Of the file, with --axis as without."""
    one_error(reduce(saved(numpy.ones((2, 3), "c8")), "--axis", 0), FAILURE, "a.npy", "'<c8'", "astype")
    one_error(reduce(saved(numpy.ones((2, 3), "f4")), "--axis", 0, "--op", "xor"), FAILURE, "a.npy", "xor of f32")
    one_error(reduce(saved(numpy.full((2, 3), 2, "u1").view("?")), "--axis", 0), FAILURE, "byte 0", "is 2")
    one_error(reduce(saved(numpy.ones((2, 3))), "--axis", 0, "--device", "nvidia:77"), FAILURE, "nvidia")
    one_error(reduce(tmp_path / "none.npy", "--axis", 0), FAILURE, "none.npy", "No such file")
    (tmp_path / "raw").write_bytes(bytes(range(240, 256)))
    one_error(reduce(tmp_path / "raw", "--axis", 0, "--type", "f32"), FAILURE, "raw binary", "no shape", "numpy.save")


def test_results_beyond_the_memory(tmp_path):
    path = tmp_path / "a.npy"
    path.write_bytes(npy_header((0, 2**50)))
    one_error(reduce(path, "--axis", 0), FAILURE, "a.npy", f"{2**50} results of 8 bytes", "reduce more dimensions")
    path.write_bytes(npy_header((0, 2**40, 2**40)))
    one_error(reduce(path, "--axis", 0), FAILURE, "a.npy", "more than 2^64")
    assert reduce(path, "--axis", "1,2").stdout == "no results: shape (0,)\n"
    assert reduce(path, "--axis", 1).stdout == f"no results: shape (0, {2**40})\n"


def test_more_results_than_json_lists(saved, tmp_path):
    path, output = saved(numpy.ones((65537, 1), "u1")), tmp_path / "out.npy"
    one_error(reduce(path, "--axis", 1, "--json", "-"), FAILURE, "a.npy", "at most 65536 results", "65537", "--output")
    assert reduce(path, "--axis", 1, "--json", "-", "--output", output).returncode == SUCCESS
    assert numpy.load(output).shape == (65537,)


def test_never_replaces_the_input(saved, tmp_path):
    path = saved(numpy.ones((3, 4)))
    before = path.read_bytes()
    (tmp_path / "link").symlink_to(path)
    os.link(path, tmp_path / "hard")
    for output in (path, tmp_path / "link", tmp_path / "hard"):
        one_error(reduce(path, "--axis", 0, "--output", output), USAGE, f"'{output}' would replace the input")
    with open(path, "rb") as file:
        one_error(wavefold("reduce", "-", "--axis", 0, "--output", path, stdin=file), USAGE, "would replace the input")
    assert path.read_bytes() == before


def test_failure_keeps_the_old_output(saved, tmp_path):
    path, output = saved(numpy.ones((3, 4))), tmp_path / "out.npy"
    output.write_text("old")
    for arguments in (["--axis", "7"], ["--axis", "0", "--op", "xor"], ["--axis", "0", "--device", "nvidia:77"]):
        one_error(reduce(path, *arguments, "--output", output), FAILURE)
    assert output.read_text() == "old"
    one_error(reduce(path, "--axis", 0, "--output", tmp_path / "none" / "out.npy"), FAILURE, "cannot write", "No such")
    one_error(reduce(path, "--axis", 0, "--output", tmp_path), FAILURE, "cannot write", "directory")
    one_error(reduce(path, "--axis", 0, "--output", "/dev/full"), FAILURE, "cannot write '/dev/full'", "No space")
    assert sorted(os.listdir(tmp_path)) == ["a.npy", "out.npy"]
    assert reduce(path, "--axis", 0, "--output", output).returncode == SUCCESS
    assert numpy.load(output).tolist() == [3] * 4 and sorted(os.listdir(tmp_path)) == ["a.npy", "out.npy"]


def on_terminal(stream, *arguments):
    """The status, and the text on the terminal that this stream of the program is."""
    master, slave = pty.openpty()
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | {stream: slave}
    process = subprocess.Popen([PROGRAM, "reduce", *arguments], env=environment(TERM="xterm"), **streams)
    os.close(slave)
    received = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError: # the other end is closed
            break
        received += piece
    os.close(master)
    return process.wait(timeout=60), received.decode()


def test_binary_output_on_a_terminal(saved):
    path = saved(numpy.ones((3, 4)))
    assert on_terminal("stdout", path, "--axis", "0", "--output", "-") == (FAILURE, "")
    status, text = on_terminal("stderr", path, "--axis", "0", "--output", "-")
    assert (status, text) == (SUCCESS, "")


def test_pieces(long_array, tmp_path):
    """Rows are reduced in pieces of 64 MiB, with a bar on a terminal, to the results of one piece."""
    ones = [(0, 5), (3, 0), (3, 1), (4, 2**25 - 1)]
    path, output = long_array((5, 2**25), ones), tmp_path / "out.npy"
    status, text = on_terminal("stderr", path, "--axis", "1", "--output", output)
    assert status == SUCCESS and text.startswith("\r[") and " %  reducing" in text and text.endswith("\r\x1b[K")
    assert numpy.load(output).tolist() == [1, 0, 0, 2, 1]
    assert on_terminal("stderr", path, "--axis", "1", "-q") == (SUCCESS, "")
    assert reduce(path, "--axis", 1, "--op", "argmax").stdout.split()[1::2] == ["5", "0", "0", "0", str(2**25 - 1)]


def test_pieces_of_inner_dimensions(long_array):
    """Dimensions of 1 in front do not keep the array whole, and each piece has several results."""
    path = long_array((1, 5, 2**24, 2), [(0, 2, 9, 1), (0, 4, 3, 0)])
    assert reduce(path, "--axis", "0,2").stdout.splitlines() == [
        f"({i}, {j}) {int((i, j) in ((2, 1), (4, 0)))}" for i in range(5) for j in range(2)]
    assert reduce(path, "--axis", "1,2").stdout.splitlines() == ["(0, 0) 1", "(0, 1) 1"]
