"""The exact sum that results are compared with, on inputs that are hard to round, and the rung that gives it."""

import csv
import json
import math
from fractions import Fraction

import numpy
import pytest
from support import (DTYPES, SUCCESS, exact_sum, parse_value, progression, read_back, reductions, report, round_once,
                     same)

BITS = {"f4": 24, "f8": 53}
MAX = {"f4": float(numpy.finfo("f4").max), "f8": float(numpy.finfo("f8").max)}
TINY = {"f4": 2.0**-149, "f8": 2.0**-1074}
NORMAL = {"f4": 2.0**-126, "f8": 2.0**-1022}
# Half the distance from MAX to the next power of two: where overflow begins.
HALF = {"f4": 2.0**103, "f8": 2.0**970}
INF, NAN = math.inf, math.nan


def hard(d):
    """name: elements"""
    u, big, tiny, half, normal = 2.0 ** -BITS[d], MAX[d], TINY[d], HALF[d], NORMAL[d]
    rng = numpy.random.default_rng(5)
    spread = {"f4": (-149, 127), "f8": (-1074, 1000)}[d]
    wild = [math.ldexp(float(m), int(e)) for m, e in zip(rng.uniform(-1, 1, 400), rng.integers(*spread, 400))]
    return {
        "empty": [],
        "zero": [0.0],
        "minus zero": [-0.0],
        "minus zeros": [-0.0] * 5,
        "zeros of both signs": [-0.0, 0.0],
        "cancelling": [1.0, -1.0],
        "cancelling negative first": [-1.0, 1.0, -0.0],
        "one survives": [1e12, 1.0, -1e12],
        "one half ulp survives": [big, tiny, -big],
        "tie to even below": [1.0, u],
        "tie to even above": [1.0 + 2 * u, u],
        "just above a tie": [1.0, u, tiny],
        "just above a tie in its limb": [1.0, u, {"f4": 2.0**-50, "f8": 2.0**-82}[d]],
        "just above a tie in the limb below": [1.0, u, {"f4": 2.0**-60, "f8": 2.0**-100}[d]],
        "just below a tie": [1.0, u, -tiny],
        "tie of a negative": [-1.0, -u],
        "negative above a tie": [-1.0, -u, -tiny],
        "carry into a new exponent": [2.0 - 2 * u, u],
        "below a power of two": [1.0, -u / 2],
        "tie below a power of two": [1.0, -u / 4],
        "just off it": [1.0, -u / 4, -tiny],
        "tiny": [tiny],
        "tinies": [tiny] * 3,
        "negative tinies": [-tiny] * 7,
        "subnormal to normal": [normal - tiny, tiny],
        "normal to subnormal": [normal, -tiny],
        "tie of small ones to even below": [2 * normal, tiny],
        "tie of small ones to even above": [2 * normal, tiny, tiny, tiny],
        "subnormals cancel": [normal - tiny, -normal],
        "largest": [big],
        "largest thrice": [big, big, -big],
        "negative largest thrice": [-big, -big, big],
        "largest twice": [big, big],
        "minus largest twice": [-big, -big],
        "overflow threshold": [big, half],
        "below the threshold": [big, half, -tiny],
        "far below the threshold": [big, half / 2],
        "negative threshold": [-big, -half],
        "negative below the threshold": [-big, -half, tiny],
        "infinity": [INF, 1.0],
        "minus infinity": [-INF, -1.0],
        "infinity and largest": [INF, -big, -big],
        "infinities": [INF, -INF],
        "same infinities": [INF, INF],
        "nan": [1.0, NAN],
        "nan and infinity": [NAN, INF],
        "all bits of a limb": [2.0**32 - 256, 2.0**31, 2.0**31, 256.0],
        "wild": wild,
        "wild and back": wild + [-x for x in wild[1:]],
        "many ties": [1.0] + [u / 2] * 64,
        "thousand": [0.1] * 1000,
    }


CASES = [(dtype, name) for dtype in ("f4", "f8") for name in hard(dtype)]


@pytest.mark.parametrize("dtype, name", CASES, ids=lambda value: value.replace(" ", "-"))
def test_exact_sum(tmp_path, dtype, name):
    data = numpy.array(hard(dtype)[name], dtype)
    numpy.save(tmp_path / "a.npy", data)
    got = report("--input", tmp_path / "a.npy", "--rungs", "sequential,tiled_3,exact")
    expected = exact_sum(data)
    assert same(float(got["exact"]["value"]), expected)
    hexadecimal = got["exact"]["hex"]
    assert same(NAN if hexadecimal == "nan" else float.fromhex(hexadecimal), expected)

    finite = data[numpy.isfinite(data)].astype("f8").tolist()
    magnitudes = sum(map(abs, map(Fraction, finite)), Fraction(0))
    said = got["exact"]["sum_of_magnitudes"]
    if said == "inf":
        assert magnitudes > Fraction(MAX["f8"])
    else:
        assert 0 <= Fraction(said) - magnitudes <= max(magnitudes / 2**52, 0)
    for rung in got["rungs"]:
        check_rung(rung, data, expected, dtype)
    assert same(parse_value(got["rungs"][2]["result"], dtype), expected)


def check_rung(rung, data, expected, dtype):
    """error, bound and ulps of a rung are what they should be."""
    result = parse_value(rung["result"], dtype)
    if not math.isfinite(result) or not numpy.isfinite(data).all():
        assert rung["error"] is None
    else:
        exact = sum(map(Fraction, data.astype("f8").tolist()), Fraction(0))
        assert rung["error"] == round_once(abs(Fraction(float(result)) - exact), "f8")
        magnitudes = sum(map(abs, map(Fraction, data.astype("f8").tolist())), Fraction(0))
        growth = Fraction(1 + Fraction(1, 2 ** BITS[dtype])) ** rung["depth"] - 1
        if rung["name"] == "exact":
            assert rung["bound"] == rung["error"] and rung["depth"] == 0
        elif rung["bound"] != "inf":
            assert Fraction(rung["bound"]) >= round_once(growth * magnitudes, "f8")
            assert rung["bound"] <= float(growth * magnitudes) * (1 + 1e-3) + 2 * TINY["f8"]
            assert rung["error"] <= rung["bound"]
    if math.isnan(result) and math.isnan(expected):
        assert rung["ulps"] == 0
    elif math.isnan(result) or math.isnan(expected):
        assert rung["ulps"] is None
    else:
        assert rung["ulps"] == steps_between(result, expected, dtype)


def steps_between(a, b, dtype):
    """Representable values from a to b, by their bits."""
    kind, sign = {"f4": ("i4", 2**31), "f8": ("i8", 2**63)}[dtype]

    def place(x):
        bits = int(numpy.array(x, dtype).view(kind))
        return bits if bits >= 0 else -(bits + sign)

    return abs(place(a) - place(b))


def ill_conditioned(kind, count=700):
    """Elements whose sum is small beside them, as stored, and as doubles."""
    rng = numpy.random.default_rng(11)
    half = rng.uniform(-1, 1, count // 2) * numpy.exp2(rng.integers(-6, 6, count // 2))
    values = rng.permutation(numpy.concatenate([half, -half * (1 - 2.0**-7)]))
    if kind == "bf16":
        stored = (values.astype("f4").view("u4") >> 16).astype("u2")
        return stored, (stored.astype("u4") << 16).view("f4").astype("f8")
    stored = values.astype({"f16": "f2", "f32": "f4", "f64": "f8"}[kind])
    return stored, stored.astype("f8")


TERMS = {"sum": lambda x: x, "asum": abs, "sumsq": lambda x: x * x}


@pytest.mark.parametrize("kind", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("op", TERMS)
@pytest.mark.parametrize("accumulator", [(), ("--accumulator", "f64")], ids=["", "in_f64"])
def test_ulps_are_those_from_the_exact_sum(tmp_path, kind, op, accumulator):
    """Of every rung that adds floats, in the type of its result; and exact has none."""
    stored, values = ill_conditioned(kind)
    stored.tofile(tmp_path / "a.bin")
    done = progression("--type", kind, "--op", op, *accumulator, "--input", tmp_path / "a.bin", "--family", "all",
                       "--json", tmp_path / "a.json", "--csv", tmp_path / "a.csv")
    assert done.returncode == SUCCESS, done.stderr
    got = read_back(json.loads((tmp_path / "a.json").read_text()))
    dtype = DTYPES[got["result_type"]]
    assert got["result_type"] == ("f64" if kind == "f64" or accumulator else "f32")
    real = sum(map(TERMS[op], map(Fraction, values.tolist())), Fraction(0))
    expected = round_once(real, dtype)
    assert float(got["exact"]["value"]) == expected
    rungs = {rung["name"]: rung for rung in reductions(got)}
    for rung in rungs.values():
        result = parse_value(rung["result"], dtype)
        assert rung["ulps"] == steps_between(result, expected, dtype), rung["name"]
        assert rung["error"] == round_once(abs(Fraction(float(result)) - real), "f8"), rung["name"]
    assert ("exact" in rungs) == ((kind, op) != ("f64", "sumsq"))
    assert accumulator or rungs["sequential"]["ulps"] > 0
    if "exact" in rungs:
        assert (rungs["exact"]["ulps"], rungs["exact"]["result"]) == (0, expected)
    with open(tmp_path / "a.csv", newline="", encoding="utf-8") as file:
        assert {row["name"]: int(row["ulps"]) for row in csv.DictReader(file) if row["kind"] == "reduces"} == {
            name: rung["ulps"] for name, rung in rungs.items()}
    heading = next(line for line in done.stdout.splitlines() if line.startswith("rung "))
    end = heading.index("ulps") + len("ulps")
    for line in done.stdout.splitlines():
        if (rung := rungs.get(line.split(" ")[0])) is not None and rung["ulps"] < 10000:
            assert line[:end].split()[-1] == str(rung["ulps"])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("seed", range(4))
def test_random_sums(tmp_path, dtype, seed):
    """Many sums of few terms of near exponents, where every rounding case occurs, against math.fsum as well."""
    rng = numpy.random.default_rng(seed)
    scale = numpy.exp2(rng.integers(-BITS[dtype] - 4, 5, 300))
    data = (rng.uniform(-1, 1, 300) * scale).astype(dtype)
    numpy.save(tmp_path / "a.npy", data)
    got = float(report("--input", tmp_path / "a.npy", "--rungs", "sequential")["exact"]["value"])
    assert same(got, exact_sum(data))
    if dtype == "f8":
        assert got == math.fsum(data)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_means_are_rounded_once(tmp_path, dtype):
    """Of the quotient itself: ties to even, also where the sum is beyond the largest number, and subnormals."""
    u, big, tiny, normal = 2.0 ** -BITS[dtype], MAX[dtype], TINY[dtype], NORMAL[dtype]
    for data in ([1, 1 + 2 * u], [1 + 2 * u, 1 + 4 * u], [-1 - 2 * u, -1 - 4 * u], [1, 1, 1 + 2 * u], [0.25, -0.25],
                 [big, big], [big, big, -big / 2], [-big, -big, 0], [big] * 7 + [big / 2], [-0.0, -0.0],
                 [tiny, 0], [tiny, tiny, 0], [2 * tiny, tiny], [-tiny, 0], [normal - tiny, normal],
                 [3 * tiny, 0, 0, 0, 0], [5 * tiny] + [0] * 8):
        numpy.save(tmp_path / "a.npy", numpy.array(data, dtype))
        got = float(report("--input", tmp_path / "a.npy", "--op", "mean", "--rungs", "sequential")["exact"]["value"])
        mean = sum(map(Fraction, data), Fraction(0)) / len(data)
        if mean != 0:
            assert same(got, round_once(mean, dtype)), data
        else:
            assert got == 0


def test_sum_in_parts():
    """More elements than a core adds up at a time: the parts' sums carry."""
    for seed in (5, 6):
        got = report("--type", "f64", "--seed", seed, "--rungs", "wavefold,exact", n=300000)
        assert all(rung["verdict"] == "verified" for rung in got["rungs"])


@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_integer_sums_wrap(tmp_path, dtype):
    info = numpy.iinfo(dtype)
    data = numpy.array([info.max, 1, info.max, info.min, info.min, -5], dtype)
    numpy.save(tmp_path / "a.npy", data)
    got = report("--input", tmp_path / "a.npy", "--family", "all")
    bits = info.bits
    wrapped = (sum(map(int, data)) + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
    assert int(got["exact"]["value"]) == wrapped
    assert int(got["exact"]["hex"], 16) == wrapped % 2**bits
    for rung in reductions(got):
        assert rung["result"] == wrapped and rung["ulps"] == 0
