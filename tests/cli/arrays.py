"""What the tests of `wavefold scan`, `sort` and `count` share."""

import json
import os
import pathlib
import pty
import signal
import subprocess
import time

import numpy
from support import PROGRAM, SUCCESS, USAGE, environment, one_error, wavefold

# What all three refuse, with what the message must name; FILE stands for an array of floats of two dimensions.
REFUSED = [
    ([], USAGE, ["needs an input file", "FILE; see wavefold"]),
    (["FILE", "more"], USAGE, ["'more' is one argument too many", "takes one file"]),
    (["FILE", "--output", "FILE"], USAGE, ["would replace the input"]),
    (["FILE", "--json", "FILE"], USAGE, ["the report", "would replace the input"]),
    (["FILE", "--json", "x", "--output", "x"], USAGE, ["--json and --output both write 'x'"]),
    (["FILE", "--output", "--json"], USAGE, ["--output takes a file", "./--json"]),
    (["FILE", "--raw"], USAGE, ["--raw needs the type"]),
    (["FILE", "--type", "i32"], 1, ["holds f64, but --type says i32"]),
    (["FILE", "--n", "7"], 1, ["has 6 elements, fewer than --n 7"]),
    (["FILE", "--device", "nvidia:77"], 1, []),
    (["FILE", "--output", "none/out.npy"], 1, ["cannot write 'none/out.npy'", "No such"]),
    (["none.npy"], 1, ["cannot open input 'none.npy'"]),
]
# And those with --axis.
REFUSED_AXES = [
    (["FILE", "--axis", "0,1"], USAGE, ["--axis names 2 dimensions", "one"]),
    (["FILE", "--axis", "x"], USAGE, ["--axis 'x' is no list"]),
    (["FILE", "--axis", "0", "--n", "1"], USAGE, ["--axis and --n exclude each other"]),
    (["FILE", "--axis", "0", "--raw", "--type", "f32"], USAGE, ["--axis and --raw exclude each other"]),
    (["FILE", "--axis", "2"], 1, ["has 2 dimensions", "--axis 2 is out of range", "from -2 to 1"]),
    (["FILE", "--axis", "-3"], 1, ["--axis -3 is out of range"]),
]


def run(subcommand, *arguments, device="host:32", **options):
    return wavefold(subcommand, "--device", device, *arguments, **options)


def written(subcommand, path, *arguments):
    """The array that the subcommand writes."""
    output = pathlib.Path(path).with_name("out.npy")
    done = run(subcommand, path, "--output", output, "-q", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (SUCCESS, "", "")
    return numpy.load(output, allow_pickle=False)


def lines(subcommand, *arguments):
    done = run(subcommand, *arguments)
    assert done.returncode == SUCCESS and done.stderr == "", done.stderr
    return done.stdout.splitlines()


def document(subcommand, *arguments):
    done = run(subcommand, *arguments, "--json", "-")
    assert done.returncode == SUCCESS and done.stderr == "", done.stderr
    return json.loads(done.stdout)


def same_array(got, expected):
    """Of the same dtype, shape and bits; NaN of any bits."""
    expected = numpy.asarray(expected)
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    if got.dtype.kind == "f":
        assert numpy.array_equal(numpy.isnan(got), numpy.isnan(expected))
        assert (numpy.signbit(got) == numpy.signbit(expected))[~numpy.isnan(got)].all()
        got, expected = numpy.nan_to_num(got), numpy.nan_to_num(expected)
    assert numpy.array_equal(got, expected)


def refused(subcommand, folder, arguments, status, named):
    """Nothing is left, and the input stays."""
    path = folder / "a.npy"
    numpy.save(path, numpy.arange(6.0).reshape(2, 3))
    before = path.read_bytes()
    arguments = [str(path) if argument == "FILE" else argument for argument in arguments]
    device = [] if "--device" in arguments else ["--device", "host:32"]
    one_error(wavefold(subcommand, *device, *arguments, cwd=folder), status, *named)
    assert path.read_bytes() == before and os.listdir(folder) == ["a.npy"]


def on_terminal(stream, *arguments):
    """The status, and the text on the terminal that this stream of the program is."""
    master, slave = pty.openpty()
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | {stream: slave}
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], env=environment(TERM="xterm"), **streams)
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


def interrupted(folder, *arguments):
    """Ends the program by a signal as soon as it writes a temporary file; that file must not remain."""
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], env=environment(), stderr=subprocess.PIPE)
    while process.poll() is None and not list(folder.glob(".wavefold.*")):
        time.sleep(0.001)
    process.send_signal(signal.SIGTERM)
    _, message = process.communicate(timeout=60)
    assert (process.returncode, message) == (-signal.SIGTERM, b"")
    assert not list(folder.glob(".wavefold.*"))
