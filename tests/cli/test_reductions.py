"""Every operator on every type, against NumPy and whole numbers."""

import csv
import functools
import io
import itertools
import json
import math
import operator
from fractions import Fraction

import numpy
import pytest
from support import (ALL_DTYPES, FAILURE, SUCCESS, hashes, one_error, parse_value, progression, report, round_once,
                     same, wavefold)

TABLE = json.loads(wavefold("operators", "--json", "-").stdout)
FLOATS = ("f32", "f64", "f16", "bf16")
BITS = {"f32": 24, "f64": 53}
KINDS = [*ALL_DTYPES, "bf16"]
NAN, INF = math.nan, math.inf


def row_of(op, kind):
    return next((row for row in TABLE if (row["operator"], row["type"]) == (op, kind)), None)


def widen_bf16(bits):
    return (bits.astype("u4") << 16).view("f4")


def narrow(data, kind):
    if kind == "bf16":
        return (data.astype("f4").view("u4") >> 16).astype("u2")
    return data.astype(ALL_DTYPES[kind])


def values_of(data, kind):
    """As numbers that NumPy can calculate with."""
    return widen_bf16(data) if kind == "bf16" else data


def draw(kind, count, seed, special=False):
    """Pseudo-random elements of the whole range; floats of both signs, and with special values if asked for."""
    rng = numpy.random.default_rng(seed)
    if kind not in FLOATS:
        info = numpy.iinfo(ALL_DTYPES[kind])
        return rng.integers(info.min, info.max, count, dtype=ALL_DTYPES[kind], endpoint=True)
    data = (rng.standard_normal(count) * numpy.exp2(rng.integers(-9, 3, count))).astype("f8")
    if special and count:
        places = rng.integers(0, count, 1 + count // 8)
        data[places] = rng.choice([0.0, -0.0, INF, -INF, NAN, 2.0**-130, -(2.0**-20)], len(places))
    return narrow(data, kind)


def save(folder, data, kind):
    """The arguments that read it."""
    if kind == "bf16":
        data.tofile(folder / "a.bin")
        return ["--input", folder / "a.bin", "--type", "bf16"]
    numpy.save(folder / "a.npy", data)
    return ["--input", folder / "a.npy"]


# Two that fold every operator. What the others come to is test_made_data's, and tests/ladder/'s at every size.
TWO = ("--rungs", "sequential,wavefold")
TWO_IN_ORDER = ("--rungs", "sequential,last_block_ordered")


def fold_of(got, kind):
    """Of a report: the exact result, and those of the rungs that fold, which are all verified."""
    assert got["type"] == kind
    results = [rung["result"] for rung in got["rungs"] if rung["kind"] == "reduces"]
    assert all(rung["verdict"] == "verified" for rung in got["rungs"]) and len(results) > 1
    return got["exact"]["value"], results


def wrap(number, kind):
    bits = 8 * numpy.dtype(ALL_DTYPES[kind]).itemsize
    number %= 2**bits
    return number - 2**bits if kind[0] == "i" and number >= 2 ** (bits - 1) else number


SIZES = (1, 33, 1003)
TERMS = {"asum": abs, "sumsq": lambda x: x * x}  # what a sum adds of each element


@pytest.mark.parametrize("op, kind", [(op, kind) for op in ("sum", "asum", "sumsq", "product", "and", "or", "xor")
                                      for kind in KINDS if kind not in FLOATS])
def test_integers(tmp_path, op, kind):
    row = row_of(op, kind)
    for count, accumulator in itertools.product(SIZES, row["accumulators"] or [None]):
        data = draw(kind, count, count)
        if op == "product":
            data |= 1
        chosen = ["--accumulator", accumulator] if accumulator else []
        exact, results = fold_of(report(*save(tmp_path, data, kind), *TWO, "--op", op, *chosen), kind)
        numbers = [TERMS.get(op, operator.pos)(int(x)) for x in data]
        step = {"product": operator.mul, "and": operator.and_, "or": operator.or_, "xor": operator.xor}.get(
            op, operator.add)
        expected = wrap(functools.reduce(step, numbers), accumulator or kind)
        assert int(exact) == expected and all(int(result) == expected for result in results)


def extremes(values, ignore):
    """NumPy's, but that -0 is less than +0: ((least, its index), (largest, its index))."""
    nan = numpy.isnan(values) if values.dtype.kind == "f" else numpy.zeros(len(values), bool)
    if nan.any() and not ignore:
        return ((NAN, int(nan.argmax())),) * 2
    if nan.all():
        return ((NAN, None),) * 2 if len(values) else None
    order = [(float(x) if values.dtype.kind == "f" else int(x), not numpy.signbit(x), i)
             for i, (x, bad) in enumerate(zip(values, nan)) if not bad]
    least, largest = min(order), max(order, key=lambda key: (key[0], key[1], -key[2]))
    return (values[least[2]], least[2]), (values[largest[2]], largest[2])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("op", ["min", "max", "minmax", "argmin", "argmax"])
@pytest.mark.parametrize("rule", ["propagate", "ignore"])
def test_extremes(tmp_path, op, kind, rule):
    cases = [draw(kind, count, count, special) for i, count in enumerate(SIZES)
             for special in ((True,) if (i + len(op) + len(rule)) % 2 else (False,))]
    if kind in FLOATS:
        small = [[NAN], [NAN, NAN], [0.0, -0.0, 0.0], [-0.0, 0.0, -0.0], [1, NAN, 2], [INF, -INF]]
        cases += [narrow(numpy.array(x, "f8"), kind) for x in small]
    else:
        cases.append(numpy.array([3, 1, 1, 3, 2], ALL_DTYPES[kind]))
    for data in cases:
        values = values_of(data, kind)
        (least, first), (largest, last) = extremes(values, rule == "ignore")
        wanted = {"min": [least], "max": [largest], "minmax": [least, largest], "argmin": [least],
                  "argmax": [largest]}[op]
        index = {"argmin": first, "argmax": last}.get(op)
        exact, results = fold_of(report(*save(tmp_path, data, kind), *TWO, "--op", op, "--nan", rule), kind)
        for result in [exact, *results]:
            if op.startswith("arg"):
                assert result["index"] == index
                result = result["value"]
            result = result if isinstance(result, list) else [result]
            dtype = "f4" if kind == "bf16" else ALL_DTYPES[kind]
            assert all(same(parse_value(a, dtype), dtype_of(b, dtype)) for a, b in zip(result, wanted, strict=True))


def dtype_of(number, dtype):
    return numpy.dtype(dtype).type(number)


@pytest.mark.parametrize("kind, accumulator", [(row["type"], accumulator) for row in TABLE for accumulator in
                                               row["accumulators"] if row["operator"] == "mean"])
@pytest.mark.parametrize("op", ["sum", "mean", "asum", "sumsq"])
def test_float_accumulators(tmp_path, op, kind, accumulator):
    if accumulator not in row_of(op, kind)["accumulators"]:
        return
    for count in SIZES:
        data = draw(kind, count, 7 * count)
        if kind[0] in "iu":
            data //= 4 * count if data.dtype.itemsize >= 4 else 1
        numbers = [Fraction(float(x)) if kind in FLOATS else int(x) for x in values_of(data, kind)]
        exact_sum = sum(TERMS.get(op, operator.pos)(x) for x in numbers)
        got = report(*save(tmp_path, data, kind), *TWO, "--op", op, "--accumulator", accumulator)
        assert got["accumulator"] == accumulator
        result_type = got["result_type"]
        assert result_type == (accumulator if op != "mean" or accumulator in FLOATS else "f64")
        exact, results = fold_of(got, kind)
        truth = Fraction(exact_sum) / count if op == "mean" else Fraction(exact_sum)
        if result_type not in FLOATS:
            assert int(exact) == truth and all(int(result) == truth for result in results)
            continue
        expected = round_once(truth, ALL_DTYPES[result_type])
        if accumulator in FLOATS:
            assert float(exact) == expected
        for result, rung in zip(results, (rung for rung in got["rungs"] if rung["kind"] == "reduces")):
            error = abs(Fraction(float(result)) - truth)
            assert error <= Fraction(rung["bound"]) or error == 0
            assert math.isclose(rung["error"], float(error), rel_tol=1e-12, abs_tol=1e-300) or accumulator not in FLOATS
            u = 2.0 ** -BITS[accumulator] if accumulator in FLOATS else 0
            magnitudes = float(sum(abs(TERMS.get(op, operator.pos)(x)) for x in numbers))
            tight = math.expm1((rung["depth"] + 1) * u) * magnitudes / (count if op == "mean" else 1)
            division = 4 * max(u, 2.0**-53) * abs(float(truth)) if op == "mean" else 0
            assert rung["bound"] <= 1.01 * (tight + division) + 2.0**-148
            # Beside additions, elements may be rounded and squares are.
            steps = rung["depth"] + (kind not in FLOATS) + (op == "sumsq")
            division = 3 * u * abs(result) if op == "mean" and u else 0
            assert rung["bound"] >= math.expm1(steps * u) * magnitudes / (count if op == "mean" else 1) + division


@pytest.mark.parametrize("op, kind, data, error", [
    ("sumsq", "f32", [2.0**-75] * 100, 100 * 2.0**-150),
    ("affine", "f32", [[1, 2.0**-140], [2.0**-20, 0]], 2.0**-160),
    ("matmul", "f32", [[2.0**-140, 0, 0, 1], [2.0**-20, 0, 0, 1]], 2.0**-160),
])
def test_underflow(tmp_path, op, kind, data, error):
    """What is lost below the smallest number is allowed for, and little more."""
    numpy.save(tmp_path / "a.npy", numpy.array(data, ALL_DTYPES[kind]))
    got = report("--input", tmp_path / "a.npy", *(TWO if op == "sumsq" else TWO_IN_ORDER), "--op", op)
    for rung in got["rungs"]:
        assert rung["error"] == error and error <= rung["bound"] <= 128 * len(data) * 2.0**-149
        if op != "sumsq":  # 12 operations for each, and 4 times what folds before and after come to, at the most
            assert rung["bound"] == pytest.approx(48 * len(data) * 2.0**-149, rel=1e-3, abs=0)


@pytest.mark.parametrize("data", [[1e200, 1], [-INF, 1]])
def test_squares_beyond_doubles(tmp_path, data):
    numpy.save(tmp_path / "a.npy", numpy.array(data, "f8"))
    exact, results = fold_of(report("--input", tmp_path / "a.npy", *TWO, "--op", "sumsq"), "f64")
    assert exact == "inf" and all(result == "inf" for result in results)


def test_underflow_beside_large_factors(tmp_path):
    """What a fold of neighbours loses is multiplied by what stands before them."""
    data = numpy.array([[2.0**100, 0], [1, 0], [2.0**-80, 0], [2.0**-80, 0]], "f4")
    numpy.save(tmp_path / "a.npy", data)
    got = report("--input", tmp_path / "a.npy", *TWO_IN_ORDER, "--op", "affine")
    assert [rung["result"][0] for rung in got["rungs"]] == [2.0**-60, 0]
    assert got["rungs"][1]["error"] == 2.0**-60
    numpy.save(tmp_path / "a.npy", data[::-1])  # or behind them
    got = report("--input", tmp_path / "a.npy", *TWO_IN_ORDER, "--op", "affine")
    assert [(rung["result"][0], rung["error"]) for rung in got["rungs"]] == [(0, 2.0**-60)] * 2


def test_signs_of_a_long_product(tmp_path):
    """More factors than a core multiplies at a time, negative ones among the first and the last."""
    data = numpy.ones(2**16 + 5, "f4")
    data[[0, -1]] = -1
    assert fold_of(report(*save(tmp_path, data, "f32"), *TWO, "--op", "product"), "f32") == ("1", [1, 1])


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_bound_of_a_chain(tmp_path, kind):
    """Of matrices whose products are themselves, so that of every component it is the same."""
    count, u = 1000, 2.0 ** -BITS[kind]
    numpy.save(tmp_path / "a.npy", numpy.full((count, 4), 0.5, ALL_DTYPES[kind]))
    for rung in report("--input", tmp_path / "a.npy", *TWO_IN_ORDER, "--op", "matmul")["rungs"]:
        reference = 2 * math.expm1(4 * (count + 1) * 2.0**-63)  # long double's epsilon
        bound = math.expm1((count + rung["depth"]) * u + reference) / 2
        assert rung["error"] == 0 and rung["bound"] == pytest.approx(bound, rel=1e-6, abs=0)


def test_bound_is_of_the_value_nearest_to_it(tmp_path):
    """Of several without an error the largest."""
    bounds = []
    for corners in ([8, 1], [1, 8]):
        numpy.save(tmp_path / "a.npy", numpy.array([[corners[0], 0, 0, corners[1]]] * 2, "f4"))
        got = report("--input", tmp_path / "a.npy", *TWO_IN_ORDER, "--op", "matmul")
        bounds += [(rung["error"], rung["bound"]) for rung in got["rungs"]]
    assert bounds[:2] == bounds[2:] and {error for error, _ in bounds} == {0}


@pytest.mark.parametrize("kind", FLOATS)
def test_float_products(tmp_path, kind):
    for count in SIZES:
        data = draw(kind, count, count)
        values = values_of(data, kind).astype("f8")
        values[values == 0] = 1
        sizes = numpy.log2(numpy.abs(values))
        values = numpy.sign(values) * numpy.exp2((sizes - sizes.mean()) / 40)
        data = narrow(values, kind)
        truth = math.prod(Fraction(float(x)) for x in values_of(data, kind))
        got = report(*save(tmp_path, data, kind), *TWO, "--op", "product")
        exact, results = fold_of(got, kind)
        result_type = ALL_DTYPES[got["result_type"]]
        assert math.isclose(float(exact), round_once(truth, result_type), rel_tol=1e-15)
        for rung in got["rungs"]:
            if rung["kind"] == "reduces":
                assert rung["compared"] and rung["bound"] <= 1e-3 * abs(float(exact))
                assert abs(Fraction(rung["result"]) - truth) <= Fraction(rung["bound"])


@pytest.mark.parametrize("data, expected, compared", [
    ([2.0, 0.0, 3.0], 0.0, True),
    ([2.0, -0.0, 3.0], -0.0, True),
    ([-2.0, INF], -INF, True),
    ([0.0, INF], NAN, True),
    ([NAN, 1e30, 1e30], NAN, True),
    ([-1.0, -1.0, -1.0], -1.0, True),
    ([1e30, 1e30, 1e-30, 1e-30], None, False),
    ([1e-30, 1e-30], None, False),
    ([1e-40], None, False),
    ([0.0, 1e30, 1e30], None, False),
])
def test_products_of_special_values(tmp_path, data, expected, compared):
    numpy.save(tmp_path / "a.npy", numpy.array(data, "f4"))
    arguments = ("--input", tmp_path / "a.npy", "--op", "product", *TWO)
    for rung in report(*arguments)["rungs"]:
        if rung["kind"] == "reduces":
            assert rung["compared"] == compared and rung["verdict"] == "verified"
            assert not compared or same(float(rung["result"]), expected)
    assert ("not compared" in progression(*arguments, "--quiet").stdout) is False
    assert ("not compared" in progression(*arguments).stdout) == (not compared)


def chain(elements, op):
    """Exactly."""
    if op == "matmul":
        a, b, c, d = 1, 0, 0, 1
        for e, f, g, h in elements:
            a, b, c, d = a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h
        return [a, b, c, d]
    a, b = 1, 0
    for c, d in elements:
        a, b = c * a, c * b + d
    return [a, b]


@pytest.mark.parametrize("op, width", [("matmul", 4), ("affine", 2)])
@pytest.mark.parametrize("kind", ["i32", "f32", "f64"])
def test_chains(tmp_path, op, width, kind):
    rng = numpy.random.default_rng(3)
    for count in SIZES:
        if kind == "i32":
            data = draw(kind, count * width, count).reshape(count, width)
            data[:, ::3] |= 1
        else:
            # As near the identity as keeps the products' magnitudes, and so each element's part in them, near 1; of few
            # bits, so that the exact products stay short.
            identity = numpy.array([1, 0, 0, 1] if op == "matmul" else [1, 0])
            steps = rng.integers(-(2**12), 2**12, (count, width))
            data = (identity + steps / 2.0 ** (12 + count.bit_length())).astype(ALL_DTYPES[kind])
        got = report(*save(tmp_path, data, kind), *TWO_IN_ORDER, "--op", op)
        exact, results = fold_of(got, kind)
        truth = chain([[int(x) if kind == "i32" else Fraction(float(x)) for x in row] for row in data], op)
        if kind == "i32":
            truth = [wrap(x, kind) for x in truth]
            assert [int(x) for x in exact] == truth and all(result == truth for result in results)
            continue
        u = 2.0 ** -BITS[kind]
        assert all(abs(Fraction(x) - y) <= 2 * u * abs(y) for x, y in zip(exact, truth, strict=True))
        most = float(max(chain([[abs(Fraction(float(x))) for x in row] for row in data], op)))
        for rung in got["rungs"]:
            errors = [abs(Fraction(x) - y) for x, y in zip(rung["result"], truth, strict=True)]
            assert max(errors) <= rung["bound"] <= 1.01 * math.expm1((count + rung["depth"]) * u) * most


@pytest.mark.parametrize("op, shapes", [("matmul", [(6, 4), (6, 2, 2), (24,), (2, 3, 4), (2, 3, 2, 2)]),
                                        ("affine", [(12, 2), (24,), (3, 4, 2)])])
def test_shapes_of_elements(tmp_path, op, shapes):
    data = numpy.arange(24, dtype="i4") * 7 + 1
    expected = [wrap(x, "i32") for x in chain(data.reshape(-1, 4 if op == "matmul" else 2).tolist(), op)]
    for shape in shapes:
        numpy.save(tmp_path / "a.npy", data.reshape(shape))
        got = report("--input", tmp_path / "a.npy", *TWO_IN_ORDER, "--op", op)
        assert got["n"] == (6 if op == "matmul" else 12) and [int(x) for x in got["exact"]["value"]] == expected
    got = report("--input", tmp_path / "a.npy", *TWO_IN_ORDER, "--op", op, n=2)
    assert got["n"] == 2
    for shape in [(4, 6), (24, 1), (4, 3, 2) if op == "matmul" else (4, 2, 3)]:
        numpy.save(tmp_path / "b.npy", data.reshape(shape))
        one_error(progression("--input", tmp_path / "b.npy", "--op", op), FAILURE, "b.npy", str(shape), "(n, ")
    numpy.save(tmp_path / "b.npy", data[:23])
    one_error(progression("--input", tmp_path / "b.npy", "--op", op), FAILURE, "(23,)", "multiple of")
    data[:23].tofile(tmp_path / "b.bin")
    one_error(progression("--input", tmp_path / "b.bin", "--type", "i32", "--op", op), FAILURE, "92 bytes", op)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['operator']}-{row['type']}")
def test_made_data(row):
    """Pattern and random, of no element, one and many: what is run is right, and the results mean something."""
    request = ("--op", row["operator"], "--type", row["type"])
    few = TWO_IN_ORDER if row["operator"] in ("matmul", "affine") else TWO
    for count, seed in ((0, ["--seed", 5]), (1, []), (1000, []), (1000, ["--seed", 5])):
        got = report(*request, *seed, *(few if count < 1000 else ()), n=count)
        assert all(rung["verdict"] == "verified" for rung in got["rungs"])
        hexadecimal = got["exact"]["hex"]
        if count and row["operator"] in ("product", "matmul", "affine"):
            assert all(rung["compared"] for rung in got["rungs"])
            assert "inf" not in str(hexadecimal) and "nan" not in str(hexadecimal)
            assert any(word not in ("0x0p+0", "0x00000000") for word in numpy.ravel(hexadecimal))
    assert progression(*request, *few, n=100).returncode == SUCCESS


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in FLOATS])
def test_integers_in_hexadecimal(tmp_path, kind):
    """All of their digits, of the two's complement."""
    for number in (numpy.iinfo(ALL_DTYPES[kind]).min + 10, numpy.iinfo(ALL_DTYPES[kind]).max):
        got = report(*save(tmp_path, numpy.array([number], ALL_DTYPES[kind]), kind), *TWO, "--op", "max")["exact"]
        bits = 8 * numpy.dtype(ALL_DTYPES[kind]).itemsize
        assert (got["value"], got["hex"]) == (str(number), f"0x{number % 2**bits:0{bits // 4}x}")


IDENTITY = {"sum": "0", "asum": "0", "sumsq": "0", "product": "1", "mean": "nan", "xor": "0", "or": "0",
            "matmul": ["1", "0", "0", "1"], "affine": ["1", "0"]}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['operator']}-{row['type']}")
def test_identity(row):
    for rule in row["nan"]:
        got = report("--op", row["operator"], "--type", row["type"], "--nan", rule, n=0)
        assert all([rung[key] for key in ("error", "bound", "ulps")] == [0, 0, 0] for rung in got["rungs"])
        got = got["exact"]["value"]
        if row["operator"] in IDENTITY:
            assert got == IDENTITY[row["operator"]]
            continue
        kind = row["type"]
        if kind in FLOATS:
            least, largest = ("nan", "nan") if rule == "ignore" else ("inf", "-inf")
        else:
            info = numpy.iinfo(ALL_DTYPES[kind])
            least, largest = str(info.max), str(info.min)
        all_set = "-1" if kind[0] == "i" else least
        assert got == {"min": least, "max": largest, "minmax": [least, largest], "and": all_set,
                       "argmin": {"value": least, "index": None}, "argmax": {"value": largest, "index": None}}[
                           row["operator"]]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['operator']}-{row['type']}")
def test_several_parts(row):
    """The reference is folded in parts, on several cores; the sequential rung's fold is not."""
    got = report("--op", row["operator"], "--type", row["type"], "--rungs", "sequential", "--seed", 3, n=2**17 + 7)
    assert got["rungs"][0]["compared"] or row["operator"] == "product"


@pytest.mark.parametrize("factors, result", [
    ({65535: 1e30, 65536: 1e30, 140000: 0}, "nan"),
    ({60000: 1e20, 100000: 1e15, 140000: 1e10, 190000: 0}, "nan"),
    ({66000: 1e-30, 66001: 1e-30, 70000: 1e30, 70001: 1e30, 80000: 1e-30, 80001: 1e-30}, 0),
])
def test_chains_that_overflow_in_parts(tmp_path, factors, result):
    """Neighbours whose product is beyond f32: in two parts, in three, in one that begins and ends with small ones."""
    data = numpy.tile(numpy.array([1, 0], "f4"), (200000, 1))
    data[list(factors), 0] = list(factors.values())
    numpy.save(tmp_path / "a.npy", data)
    got = report("--input", tmp_path / "a.npy", "--op", "affine", "--rungs", "sequential")
    assert got["rungs"][0]["result"][0] == result and not got["rungs"][0]["compared"]


@pytest.mark.parametrize("op", ["argmin", "minmax"])
@pytest.mark.parametrize("where, index, ignored", [
    ({70000: -1, 150000: -1}, 70000, 70000),
    ({3: -1, 70000: -1}, 3, 3),
    ({70000: math.nan, 3: -1, 140000: math.nan}, 70000, 3),
    ({70000: -0.0, 140000: -0.0}, 70000, 70000),
])
def test_extremes_of_several_parts(tmp_path, op, where, index, ignored):
    data = numpy.zeros(200000, "f4")
    data[list(where)] = list(where.values())
    numpy.save(tmp_path / "a.npy", data)
    for rule, expected in (("propagate", index), ("ignore", ignored)):
        got = report("--input", tmp_path / "a.npy", "--op", op, "--nan", rule, "--rungs", "sequential,wavefold")
        if op == "argmin":
            assert got["exact"]["value"]["index"] == expected


def test_random_data_of_narrow_types():
    """What the manual promises: floats are uniform in [-1, 1) in steps of their last place, integers take all bits."""
    bits = hashes(9, 1000)
    for kind, digits in (("f16", 11), ("bf16", 8)):
        got = report("--type", kind, "--op", "minmax", "--seed", 9, n=1000)["exact"]["value"]
        numbers = [(b >> (64 - digits)) / 2 ** (digits - 1) - 1 for b in bits]
        assert [float(x) for x in got] == [min(numbers), max(numbers)]
    got = report("--type", "u8", "--op", "sum", "--seed", 9, n=1000)["exact"]["value"]
    assert int(got) == sum(b >> 56 for b in bits)


def test_table_of_results():
    """As they are shown: several values, an index, what is folded in what."""
    def line(text, name="sequential"):
        return next(line for line in text.splitlines() if line.startswith(name))

    assert " 0 .. 0.15  " in line(progression("--op", "minmax", n=100).stdout)
    assert " 0.150000006 @ 15  " in line(progression("--op", "argmax", n=100).stdout)
    assert " inf @ none  " in line(progression("--op", "argmin", n=0).stdout)
    assert " [1 0; 2 3]  " in line(progression("--op", "matmul", "--type", "i32", n=1).stdout)
    assert " 3 x + 6  " in line(progression("--op", "affine", "--type", "i32", n=2).stdout)
    text = progression("--op", "mean", "--type", "i8", n=100).stdout
    assert "type, op  i8, mean, accumulated in i64, the result f64\n" in text
    assert "type, op  f32, min, skipping NaN\n" in progression("--op", "min", "--nan", "ignore", n=100).stdout
    assert "type, op  f32, sum\n" in progression(n=100).stdout
    assert "an n-th of the pattern" in progression("--op", "product", n=100).stdout


def test_csv_of_results():
    for op, text in (("minmax", "0 .. 15"), ("argmax", "15 @ 15"), ("matmul", None)):
        done = progression("--op", op, "--type", "i32", "--csv", "-", n=100)
        rows = list(csv.DictReader(io.StringIO(done.stdout, newline=""), strict=True))
        assert all(None not in row and None not in row.values() for row in rows)
        for row in rows:
            if row["kind"] == "reduces":
                assert row["result"] == row["exact"] and (text is None or row["result"] == text)
                assert (row["accumulator"], row["result_type"], row["nan"]) == ("i32", "i32", "propagate")


def test_operators():
    done = wavefold("operators")
    assert done.returncode == SUCCESS and max(map(len, done.stdout.splitlines())) <= 120
    lines = done.stdout.splitlines()
    types = lines[0].split()[1:]
    for line in lines[1 : 1 + len({row["operator"] for row in TABLE})]:
        op, *cells = line.split()
        floats = ("f16", "bf16", "f32") if op == "sumsq" else ("f16", "bf16", "f32", "f64")
        exact = {kind for kind in floats if op in ("sum", "mean", "asum", "sumsq")}
        assert {kind for kind, cell in zip(types, cells) if cell == "exact"} == exact
        for row in TABLE:
            if row["operator"] == op:
                is_exact = row["type"] in exact
                results = [row["type"], *sorted({"f32", "f64"} - {row["type"]})] if is_exact else []
                assert (row["exact"], row["exact_results"]) == (is_exact, results)
                assert row["default_accuracy"] == ("exact" if is_exact else "fast")
        assert [cell != "-" for cell in cells] == [row_of(op, kind) is not None for kind in types]
    for row in TABLE:
        if row["operator"] in ("sum", "mean"):
            assert f"{row['type']}" in done.stdout and ", ".join(row["accumulators"]) in done.stdout
    assert {row["type"] for row in TABLE} == set(KINDS)


def test_large_unsigned_results_are_exact(tmp_path):
    numpy.save(tmp_path / "a.npy", numpy.array([2**64 - 3, 1], "u8"))
    got = report("--input", tmp_path / "a.npy", "--op", "max")
    assert got["exact"]["value"] == str(2**64 - 3)
    assert all(int(rung["result"]) == 2**64 - 3 for rung in got["rungs"] if rung["kind"] == "reduces")
