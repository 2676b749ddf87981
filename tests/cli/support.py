"""What the tests of the program `wavefold` share: how to run it, and exact arithmetic to compare with."""

import json
import os
import pathlib
import subprocess
from fractions import Fraction

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WAVEFOLD", ROOT / "build/bin/wavefold")).resolve()

SUCCESS, FAILURE, USAGE = 0, 1, 2
DTYPES = {"f32": "f4", "f64": "f8", "i32": "i4", "i64": "i8"}
# All that NumPy has; bf16 it has not.
ALL_DTYPES = DTYPES | {"u32": "u4", "u64": "u8", "i8": "i1", "i16": "i2", "u8": "u1", "u16": "u2", "f16": "f2"}


def environment(**changes):
    """The tests' own, with nothing in it that changes what is printed."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "NO_COLOR", "TERM"))}
    return kept | {"LC_ALL": "C.UTF-8"} | changes


def wavefold(*arguments, **options):
    options = {"capture_output": True, "text": True, "timeout": 60, "env": environment()} | options
    return subprocess.run([PROGRAM, *map(str, arguments)], **options)


def progression(*arguments, device="host:32", n=None, **options):
    size = () if n is None else ("--n", n)
    return wavefold("progression", "--device", device, "--repeat", 1, *size, *arguments, **options)


def report(*arguments, status=SUCCESS, **options):
    """The JSON report, parsed strictly: NaN and Infinity are no JSON."""
    done = progression("--json", "-", *arguments, **options)
    assert done.returncode == status, done.stderr

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    return read_back(json.loads(done.stdout, parse_constant=refuse))


def read_as(number, kind):
    """A result of this type in a report as the value that it stands for: JSON has the fewest digits that give it."""
    if isinstance(number, list):
        return [read_as(one, kind) for one in number]
    if isinstance(number, dict):
        return number | {"value": read_as(number["value"], kind)}
    if number is None or kind not in ("f32", "f16", "bf16"):
        return number
    value = float(number)
    if numpy.isfinite(value) and value != 0:
        value = round_once(Fraction(value), {"f32": "f4", "f16": "f2"}.get(kind, kind))
    return f"{value:.17g}" if isinstance(number, str) else value


def read_back(got):
    """A report with its results read as their type."""
    kind = got["result_type"]
    got["exact"]["value"] = read_as(got["exact"]["value"], kind)
    for rung in got["rungs"]:
        if "result" in rung:
            rung["result"] = read_as(rung["result"], kind)
    return got


def reductions(got):
    """Of a report: the rungs whose result is not an array."""
    return [rung for rung in got["rungs"] if rung["kind"] == "reduces"]


def one_error(done, status, *fragments):
    """Failed as it should: with one message of at most two lines, naming what it must name, and no output."""
    assert done.returncode == status, done.stderr
    lines = done.stderr.splitlines()
    assert all(line.isprintable() for line in lines), done.stderr
    assert 1 <= len(lines) <= 2, done.stderr
    assert lines[0].startswith("wavefold: ")
    for fragment in fragments:
        assert fragment in done.stderr, done.stderr
    assert done.stdout == ""


def parse_value(number, dtype):
    """A result or exact value of a report, which may be a string, as a NumPy scalar."""
    return numpy.dtype(dtype).type(float(number) if dtype[0] == "f" else int(number))


def same(a, b):
    """Equal to the sign of zero, or both NaN."""
    if numpy.isnan(a) or numpy.isnan(b):
        return bool(numpy.isnan(a) and numpy.isnan(b))
    return bool(a == b) and bool(numpy.signbit(a) == numpy.signbit(b))


def round_once(fraction, dtype):
    """The nearest number of the type, ties to even: by whole numbers alone, unlike the program."""
    bits, lowest, beyond = {"f2": (11, -24, 16), "bf16": (8, -133, 128), "f4": (24, -149, 128),
                            "f8": (53, -1074, 1024)}[dtype]
    if fraction == 0:
        return 0.0
    magnitude = abs(fraction)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - bits + 1, lowest)
    rounded = round(magnitude / unit) * unit
    sign = -1.0 if fraction < 0 else 1.0
    return sign * (float("inf") if rounded >= Fraction(2) ** beyond else float(rounded))


def exact_sum(array):
    """The sum, rounded once, of an array of floats."""
    dtype = array.dtype.str[1:]
    if numpy.isnan(array).any() or (numpy.isposinf(array).any() and numpy.isneginf(array).any()):
        return float("nan")
    if numpy.isinf(array).any():
        return float(array[numpy.isinf(array)][0])
    if array.size and (array == 0).all() and numpy.signbit(array).all():
        return -0.0
    return round_once(sum(map(Fraction, array.astype("f8").tolist()), Fraction(0)), dtype)


def hashes(seed, count):
    """SplitMix64's first outputs."""
    mask = 2**64 - 1
    numbers = []
    for i in range(count):
        z = (seed + (i + 1) * 0x9E3779B97F4A7C15) & mask
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        numbers.append(z ^ (z >> 31))
    return numbers
