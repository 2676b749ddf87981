"""Exact sums, whole and in parts (`reduce --accuracy`, `reduce --state`, `merge`), beside rational numbers."""

import itertools
import json
import math
import os
import pty
import random
import resource
import signal
import subprocess
from fractions import Fraction

import numpy
import pytest
from support import FAILURE, PROGRAM, SUCCESS, USAGE, environment, one_error, round_once, same, wavefold

BYTES = 608 # 600 of the state, and 8 of the operator's name
# Of each type: digits and bits of the exponent; and what support.py calls it.
LAYOUTS = {"f16": (11, 5), "bf16": (8, 8), "f32": (24, 8), "f64": (53, 11)}
ROUNDED = {"f16": "f2", "bf16": "bf16", "f32": "f4", "f64": "f8"}
TERMS = {"sum": Fraction, "mean": Fraction, "asum": lambda x: abs(Fraction(x)), "sumsq": lambda x: Fraction(x)**2}


def bits_of(kind, generator, count):
    """Any finite numbers of the type, -0 and subnormals too."""
    digits, exponent_bits = LAYOUTS[kind]
    exponent = generator.integers(0, 2**exponent_bits - 1, count, dtype="u8")
    rest = generator.integers(0, 2**(digits - 1), count, dtype="u8") * generator.integers(0, 2, count, dtype="u8")
    sign = generator.integers(0, 2, count, dtype="u8") << numpy.uint64(digits - 1 + exponent_bits)
    return (sign | exponent << numpy.uint64(digits - 1) | rest).astype(f"u{(digits + exponent_bits) // 8}")


def values_of(kind, bits):
    if kind == "bf16":
        return (bits.astype("u4") << 16).view("f4").astype("f8")
    return bits.view(ROUNDED[kind]).astype("f8")


def run(*arguments, **options):
    """What is printed, in words."""
    done = wavefold(*arguments, **options)
    assert done.returncode == SUCCESS and done.stderr == "", done.stderr
    return done.stdout.split()


def state_of(path, kind, bits, op="sum"):
    """The file of its state. One element more is in the file and left out, so that bits may be empty."""
    numpy.append(bits, bits.dtype.type(1)).tofile(path)
    run("reduce", path, "--type", kind, "--n", len(bits), "--op", op, "--state", f"{path}.state", "--device", "host")
    assert os.path.getsize(f"{path}.state") == BYTES
    return f"{path}.state"


def state_of_values(path, values, kind="f64"):
    return state_of(path, kind, numpy.array(values, ROUNDED[kind]).view(f"u{numpy.dtype(ROUNDED[kind]).itemsize}"))


def merged(states, kind="f64", op="sum"):
    count, number = run("merge", *states, "--type", kind, "--op", op)[1::2]
    return int(count), float(number)


@pytest.mark.parametrize("kind, op", sorted(set(itertools.product(LAYOUTS, TERMS)) - {("f64", "sumsq")}))
def test_parts_come_to_the_whole(tmp_path, kind, op):
    generator = numpy.random.default_rng(7)
    bits = bits_of(kind, generator, 500)
    whole = state_of(tmp_path / "whole", kind, bits, op)
    cuts = sorted(generator.integers(0, bits.size, 4)) + [bits.size, bits.size] # the last part is empty
    parts = [state_of(tmp_path / f"part{i}", kind, bits[begin:end], op)
             for i, (begin, end) in enumerate(zip([0, *cuts], cuts))]
    for seed in range(3):
        random.Random(seed).shuffle(parts)
        run("merge", *parts, "--state", tmp_path / "merged")
        assert (tmp_path / "merged").read_bytes() == open(whole, "rb").read()
    exact = sum(map(TERMS[op], values_of(kind, bits).tolist()))
    for to, rounding in ROUNDED.items():
        count, total = merged([whole], to)
        assert count == bits.size and same(total_of(total, rounding), round_once(exact, rounding))
        mean = merged(parts, to, "mean")[1]
        assert same(total_of(mean, rounding), round_once(exact / bits.size, rounding))


def total_of(number, rounding):
    """Printed with as few digits as the type needs: the number of the type that they stand for."""
    return number if not math.isfinite(number) or number == 0 else round_once(Fraction(number), rounding)


def test_types_mixed(tmp_path):
    generator = numpy.random.default_rng(3)
    data = {kind: bits_of(kind, generator, 200) for kind in LAYOUTS}
    states = [state_of(tmp_path / kind, kind, bits) for kind, bits in data.items()]
    exact = sum(Fraction(x) for kind, bits in data.items() for x in values_of(kind, bits).tolist())
    written = set()
    for order in itertools.permutations(states):
        run("merge", *order, "-q", "--state", tmp_path / "out")
        written.add((tmp_path / "out").read_bytes())
    assert len(written) == 1 and merged(states) == (800, round_once(exact, "f8"))
    assert merged([states[0], states[3]])[0] == 400


MOST = float(numpy.finfo("f8").max)


@pytest.mark.parametrize(
    "parts, total",
    [([[1], [math.nan]], "nan"), ([[math.inf], [1]], "inf"), ([[-math.inf], [-math.inf, 5]], "-inf"),
     ([[math.inf], [-math.inf]], "nan"), ([[-0.0], [-0.0, -0.0]], "-0"), ([[-0.0], [0.0]], "0"), ([[1], [-1]], "0"),
     ([[], []], "0"), ([[], [-0.0]], "-0"), ([[MOST], [MOST], [-MOST]], "1.7976931348623157e+308"),
     ([[MOST], [MOST]], "inf"), ([[1e300, 1], [-1e300]], "1"), ([[5e-324], [-1, 1]], "5e-324")],
    ids=str)
def test_special(tmp_path, parts, total):
    states = [state_of_values(tmp_path / str(i), part) for i, part in enumerate(parts)]
    whole = sum(parts, [])
    for order in itertools.permutations(states):
        assert run("merge", *order) == ["count", str(len(whole)), "sum", total]
    numpy.save(tmp_path / "whole.npy", numpy.array(whole, "f8"))
    for more in ([], ["--accuracy", "exact"]):
        assert run("reduce", tmp_path / "whole.npy", *more) == [total]


def test_mean_of_nothing(tmp_path):
    state = state_of_values(tmp_path / "a", [])
    assert run("merge", state, "--op", "mean") == ["count", "0", "mean", "nan"]
    assert json.loads(wavefold("merge", state, "--op", "mean", "--json", "-").stdout)["result"] == "nan"


def test_result_is_the_state_rounded(tmp_path):
    """In whatever order the elements are, on whatever device."""
    generator = numpy.random.default_rng(2)
    data = (generator.standard_normal(3000) * 2.0**generator.integers(-80, 80, 3000)).astype("f4")
    exact = sum(map(Fraction, data.tolist()))
    states = set()
    for device in ("host", "host:32", "host:64:random=3"):
        generator.shuffle(data)
        numpy.save(tmp_path / "a.npy", data)
        alike = [[], ["--state", tmp_path / "s"], ["--accuracy", "exact"],
                 ["--state", tmp_path / "s", "--accuracy", "exact"]]
        for more in alike:
            command = ["reduce", tmp_path / "a.npy", "--device", device, *more]
            assert float(run(*command)[0]) == round_once(exact, "f8")
            narrow = run(*command, "--accumulator", "f32")[0]
            assert numpy.float32(narrow) == round_once(exact, "f4")
            mean = float(run(*command, "--op", "mean")[0])
            assert mean == round_once(exact / data.size, "f8")
        states.add((tmp_path / "s").read_bytes())
    assert len(states) == 1


def test_accuracy_in_json(tmp_path):
    numpy.save(tmp_path / "a.npy", numpy.array([1e8, 1, -1e8], "f4"))
    numpy.save(tmp_path / "i.npy", numpy.array([1, 2], "i4"))

    def accuracy(name, *more):
        return json.loads(wavefold("reduce", tmp_path / name, "--json", "-", *more).stdout)["accuracy"]

    for op in ("sum", "mean", "asum", "sumsq"):
        assert accuracy("a.npy", "--op", op) == accuracy("a.npy", "--op", op, "--accuracy", "exact") == "exact"
        assert accuracy("a.npy", "--op", op, "--accuracy", "fast") == "fast"
        assert accuracy("a.npy", "--op", op, "--state", tmp_path / "s") == "exact"
    numpy.save(tmp_path / "d.npy", numpy.array([1, 2], "f8"))
    assert accuracy("d.npy", "--op", "sumsq") == "fast" and accuracy("d.npy", "--accumulator", "f32") == "exact"
    assert accuracy("a.npy", "--op", "product") == accuracy("a.npy", "--op", "product", "--accuracy", "fast") == "fast"
    for more in (["--op", "max"], ["--op", "max", "--accuracy", "exact"], ["--op", "describe"], ["--op", "affine"]):
        assert accuracy("a.npy" if "affine" not in more else "i.npy", *more) is None
    for more in ([], ["--accuracy", "exact"], ["--accuracy", "fast"], ["--op", "mean"]):
        assert accuracy("i.npy", *more) is None


def test_json_of_merge(tmp_path):
    states = [state_of_values(tmp_path / "a", [0.1, 3], "f16"), state_of_values(tmp_path / "b", [5], "f64")]
    done = wavefold("merge", *states, "--type", "f32", "--json", tmp_path / "out")
    got = json.loads((tmp_path / "out").read_text())
    assert done.stdout.split()[1] == "3" and got == json.loads(wavefold("merge", *states, "--type", "f32", "--json",
                                                                        "-").stdout)
    assert numpy.float32(got.pop("result")) == numpy.float32(float(numpy.float16(0.1)) + 8) and got.pop("wavefold")
    assert got == {"inputs": states, "n": 3, "op": "sum", "result_type": "f32", "accuracy": "exact"}


def test_standard_streams(tmp_path):
    states = [state_of_values(tmp_path / name, [0.1, 7]) for name in "ab"]
    whole = open(states[0], "rb").read()
    done = wavefold("reduce", tmp_path / "a", "--type", "f64", "--n", 2, "--state", "-", text=False)
    assert (done.returncode, done.stdout, done.stderr) == (SUCCESS, whole, b"")
    done = wavefold("merge", "-", states[1], text=False, input=whole)
    assert done.stdout.split() == [b"count", b"4", b"sum", b"14.2"]
    done = wavefold("merge", "-", "--state", "-", text=False, input=whole)
    assert (done.returncode, done.stdout) == (SUCCESS, whole)
    done = wavefold("merge", "-", "--json", "-", text=False, input=whole)
    assert json.loads(done.stdout)["inputs"] == ["-"]


def on_terminal(*arguments):
    """The status, and what arrives at a terminal that standard output and standard error are."""
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=slave, stderr=slave, env=environment())
    os.close(slave)
    received = b""
    try:
        while piece := os.read(master, 65536):
            received += piece
    except OSError:
        pass
    os.close(master)
    return process.wait(timeout=60), received.decode().splitlines()


def test_terminal(tmp_path):
    numpy.save(tmp_path / "a.npy", numpy.array([0.1, 7], "f4"))
    command = ["reduce", tmp_path / "a.npy"]
    assert on_terminal(*command) == (SUCCESS, ["7.100000001490116  (exact, f64)"])
    assert on_terminal(*command, "--accuracy", "exact", "--accumulator", "f32") == (SUCCESS, ["7.1  (exact, f32)"])
    assert on_terminal(*command, "--accuracy", "fast", "--accumulator", "f32") == (SUCCESS, ["7.1  (fast, f32)"])
    assert on_terminal(*command, "--op", "max", "--accuracy", "exact") == (SUCCESS, ["7"])
    for refused in ([*command, "--state", "-"], ["merge", state_of_values(tmp_path / "b", [1]), "--state", "-"]):
        status, (line,) = on_terminal(*refused)
        assert status == FAILURE and line.startswith("wavefold: --state -") and "terminal" in line and "608" in line


def changed(data, index, value):
    return data[:index] + bytes([value]) + data[index + 1:]


BAD_STATES = {
    "empty": (lambda whole: b"", ["0 bytes, not 608"]),
    "short": (lambda whole: whole[:-1], ["607 bytes, not 608"]),
    "long": (lambda whole: whole + b"\n", ["more than 608 bytes"]),
    "two": (lambda whole: whole + whole, ["more than 608 bytes"]),
    "version": (lambda whole: changed(whole, 0, 2), ["version", "is 2", "reads version 1"]),
    "old": (lambda whole: changed(whole, 0, 0), ["version", "is 0"]),
    "high": (lambda whole: changed(whole, 7, 1), ["version"]),
    "limb": (lambda whole: changed(whole, 56 + 8 * 40 + 7, 1), ["limb 40"]),
    "random": (lambda whole: random.Random(5).randbytes(600), ["cannot be merged"]),
    "zeros": (lambda whole: bytes(600), ["cannot be merged", "0 states"]),
    "no operator": (lambda whole: whole[:600] + bytes(8), ["name none of sum, asum and sumsq"]),
    "another operator": (lambda whole: whole[:600] + b"max".ljust(8, b"\0"), ["name none of sum, asum and sumsq"]),
    "a longer name": (lambda whole: whole[:600] + b"sum\0\0\0\0!", ["name none of sum, asum and sumsq"]),
}


@pytest.mark.parametrize("kind", BAD_STATES)
def test_bad_states(tmp_path, kind):
    good = state_of_values(tmp_path / "good", [1, 2.5])
    make, named = BAD_STATES[kind]
    (tmp_path / "bad.state").write_bytes(make(open(good, "rb").read()))
    (tmp_path / "out").write_text("kept")
    for order in ([good, tmp_path / "bad.state"], [tmp_path / "bad.state", good]):
        done = wavefold("merge", *order, "--state", tmp_path / "out", "--json", tmp_path / "new")
        one_error(done, FAILURE, "bad.state", "of --state", *named)
    assert (tmp_path / "out").read_text() == "kept" and not (tmp_path / "new").exists()


def test_operators_do_not_mix(tmp_path):
    """A sum of sums and of squares has no meaning; a mean's state is its sum's, and older files name no operator."""
    values = numpy.array([3, -4.5], "f4").view("u4")
    states = {op: state_of(tmp_path / op, "f32", values, op) for op in TERMS}
    (tmp_path / "old").write_bytes(open(states["asum"], "rb").read()[:600])
    (tmp_path / "out").write_text("kept")
    for first, second in itertools.permutations(["sum", "asum", "sumsq"], 2):
        done = wavefold("merge", states[first], tmp_path / "old", states[second], "--state", tmp_path / "out")
        one_error(done, FAILURE, f"{first}.state' is a state of {first}, ", f"{second}.state' of {second}: ",
                  "merge states of one operator")
    assert (tmp_path / "out").read_text() == "kept"
    assert open(states["mean"], "rb").read() == open(states["sum"], "rb").read()
    assert run("merge", states["mean"], states["sum"]) == ["count", "4", "sum", "-3"]
    for op, total in {"asum": "15", "sumsq": "58.5"}.items():
        assert run("merge", states[op], states[op]) == ["count", "4", op, total]
        document = json.loads(wavefold("merge", states[op], "--json", "-").stdout)
        assert document["op"] == op
    assert run("merge", states["sumsq"], "--op", "mean") == ["count", "2", "mean", "14.625"]
    assert run("merge", tmp_path / "old") == ["count", "2", "sum", "7.5"]
    run("merge", tmp_path / "old", states["asum"], "--state", tmp_path / "all.state")
    assert run("merge", tmp_path / "all.state") == ["count", "4", "asum", "15"]


def test_no_states(tmp_path):
    good = state_of_values(tmp_path / "good", [1])
    one_error(wavefold("merge", good, tmp_path), FAILURE, "cannot read", str(tmp_path), "Is a directory")
    one_error(wavefold("merge", good, tmp_path / "none"), FAILURE, "cannot read", "none", "No such file")
    if os.geteuid() != 0: # root may read everywhere
        os.chmod(good, 0)
        one_error(wavefold("merge", good), FAILURE, "cannot read", "good.state", "Permission denied")


def little_space():
    """No file may grow beyond so many bytes, as on a disk that is nearly full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES - 1, BYTES - 1))


@pytest.fixture(params=["reduce", "merge"])
def writer(request, tmp_path):
    """A command line that writes a state, but for where; and its input."""
    state = state_of_values(tmp_path / "a", [1, 2])
    if request.param == "merge":
        return ["merge", "-q", state]
    return ["reduce", "-q", "--type", "f64", "--device", "host", str(tmp_path / "a")]


def test_failure_keeps_the_old_state(writer, tmp_path):
    path, before = tmp_path / "kept", sorted([*os.listdir(tmp_path), "kept"])
    path.write_text("old")
    done = wavefold(*writer, "--state", path, preexec_fn=little_space)
    one_error(done, FAILURE, "cannot write", str(path), "File too large")
    one_error(wavefold(*writer, "--state", path, "--json", tmp_path / "none/report"), FAILURE, "none/report")
    one_error(wavefold(*writer[:-1], tmp_path / "none", "--state", path), FAILURE, "none")
    assert path.read_text() == "old" and sorted(os.listdir(tmp_path)) == before
    assert run(*writer, "--state", path) == [] and os.path.getsize(path) == BYTES


def test_where_no_state_can_be_written(writer, tmp_path):
    one_error(wavefold(*writer, "--state", "/dev/full"), FAILURE, "cannot write '/dev/full'", "No space left")
    one_error(wavefold(*writer, "--state", tmp_path), FAILURE, "cannot write", "Is a directory")
    one_error(wavefold(*writer, "--state", tmp_path / "none/s"), FAILURE, "cannot write", "No such file")
    with open("/dev/full", "w") as full:
        done = wavefold(*writer, "--state", "-", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == FAILURE and "cannot write standard output" in done.stderr


def test_one_file_for_one_thing(tmp_path):
    state = state_of_values(tmp_path / "a", [1, 2])
    before = open(state, "rb").read()
    reduce = ["reduce", tmp_path / "a", "--type", "f64"]
    one_error(wavefold(*reduce, "--state", tmp_path / "a"), USAGE, "would replace the input", "another file")
    one_error(wavefold(*reduce, "--state", state, "--json", state), USAGE, "--json and --state both write", "two files")
    one_error(wavefold(*reduce, "--state", "-", "--json", "-"), USAGE, "--json and --state both write '-'")
    one_error(wavefold("merge", state, "--json", state), USAGE, "would replace an input", "another file")
    one_error(wavefold("merge", state, "--json", "x", "--state", "x"), USAGE, "both write 'x'")
    assert open(state, "rb").read() == before
    assert run("merge", state, state, "--state", state) == ["count", "4", "sum", "6"] # a running sum
    assert run("merge", state) == ["count", "4", "sum", "6"]


LIMIT = ["sum, mean and asum of f16, bf16, f32 and f64", "sumsq of f16, bf16 and f32", "leave it out"]


@pytest.mark.parametrize("arguments, named", [
    (["reduce", "a", "--state", "s", "--op", "min"], ["min has no state", *LIMIT]),
    (["reduce", "a", "--state", "s", "--op", "product"], ["product has no state", *LIMIT]),
    (["reduce", "a", "--state", "s", "--op", "describe"], ["describe has no state", *LIMIT]),
    (["reduce", "a", "--state", "s", "--type", "i32"], ["sum of i32 has no state", *LIMIT]),
    (["reduce", "a", "--state", "s", "--type", "u8", "--op", "mean"], ["mean of u8 has no state", *LIMIT]),
    (["reduce", "a", "--state", "s", "--type", "f64", "--op", "sumsq"], ["sumsq of f64 has no state", *LIMIT]),
    (["reduce", "a", "--state", "s", "--accuracy", "fast"], ["--state and --accuracy fast exclude each other"]),
    (["reduce", "a", "--state", "--op"], ["--state takes a file", "'--op' looks like an option"]),
    (["reduce", "a", "--state", "s", "--type", "f64", "--accumulator", "i64"], ["sum of f64", "i64", "another kind"]),
    (["merge"], ["merge needs states", "wavefold merge STATE..."]),
    (["merge", "-", "a", "-"], ["- is given 2 times", "standard input", "give files"]),
    (["merge", "a", "--op", "min"], ["operator of a state 'min'", "sum and mean"]),
    (["merge", "a", "--type", "i32"], ["type of a state's sum 'i32'", "f16, bf16, f32 and f64"]),
    (["merge", "a", "--state", "-q"], ["--state takes a file", "'-q' looks like an option"]),
], ids=lambda value: " ".join(value))
def test_bad_usage(tmp_path, arguments, named):
    one_error(wavefold(*arguments, cwd=tmp_path), USAGE, *named)
    assert os.listdir(tmp_path) == []


def test_what_only_the_file_tells(tmp_path):
    numpy.save(tmp_path / "i.npy", numpy.arange(3, dtype="i4"))
    numpy.save(tmp_path / "d.npy", numpy.arange(3.0))
    state = tmp_path / "s"
    one_error(wavefold("reduce", tmp_path / "i.npy", "--state", state), FAILURE, "i.npy", "sum of i32 has no state",
              *LIMIT)
    one_error(wavefold("reduce", tmp_path / "d.npy", "--state", state, "--op", "sumsq"), FAILURE, "d.npy",
              "sumsq of f64 has no state", *LIMIT)
    one_error(wavefold("reduce", tmp_path / "d.npy", "--accuracy", "exact", "--op", "product"), FAILURE, "d.npy",
              "no exact product of f64", "write --accuracy fast")
    assert not state.exists()


def test_byte_order_and_fortran_order(tmp_path):
    data = numpy.random.default_rng(1).standard_normal((5, 7))
    states = set()
    for array in (data, data.astype(">f8"), numpy.asfortranarray(data)):
        numpy.save(tmp_path / "a.npy", array)
        run("reduce", tmp_path / "a.npy", "--state", tmp_path / "s")
        states.add((tmp_path / "s").read_bytes())
    assert len(states) == 1
