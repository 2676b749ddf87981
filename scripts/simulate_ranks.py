#!/usr/bin/env python3
"""Writes results/ranks-simulated.md: sums over 1 to 64 ranks as MPI_SUM adds floats, and as states of exact sums add.

    scripts/simulate_ranks.py [--check]

It shares nothing with the library but the format of the state (docs/exact.md), which it builds from Python's integers.
--check changes nothing, and fails if the file is not as it would be written.
"""
import argparse
import pathlib
import random
import struct
import sys
from fractions import Fraction

import numpy

FILE = pathlib.Path(__file__).resolve().parent.parent / "results" / "ranks-simulated.md"
ELEMENTS, MOST_RANKS = 4099, 64
LIMBS, RADIX, UNIT = 68, 32, 1074  # a state is the sum of limb[k] 2^(32 k - 1074)
TYPES = {"f32": numpy.float32, "f64": numpy.float64}


def kinds():
    """(name, element i by a source of random numbers r): what is summed, before it is rounded to the type."""
    def sign(r):
        return r.choice((-1, 1))

    return [
        ("uniform in [0, 1)", lambda r, i: r.random()),
        ("uniform in [-1, 1)", lambda r, i: 2 * r.random() - 1),
        ("close to 1", lambda r, i: 1 + r.random() / 1024),
        ("close to 300, as kelvin", lambda r, i: 270 + 60 * r.random()),
        ("harmonic, 1 / i", lambda r, i: 1 / (i + 1)),
        ("harmonic, from its end", lambda r, i: 1 / (ELEMENTS - i)),
        ("alternating, (-1)^i / i", lambda r, i: (-1) ** i / (i + 1)),
        ("powers of two, 2^-30 to 2^30", lambda r, i: sign(r) * 2.0 ** r.randint(-30, 30)),
        ("exponents -60 to 60", lambda r, i: sign(r) * (1 + r.random()) * 2.0 ** r.randint(-60, 60)),
        ("a large one among small", lambda r, i: 2.0 ** 30 if i == 1234 else r.random()),
        ("pairs that cancel, and 1 at the end",
         lambda r, i: 1 if i == ELEMENTS - 1 else (-1) ** i * (1 + (i // 2 * 0.6180339887) % 1) * 2.0 ** (i // 2 % 40)),
        ("whole numbers below 100", lambda r, i: r.randint(-99, 99)),
        ("1e8 and ones in turn", lambda r, i: 1e8 if i % 2 == 0 else 1),
        ("subnormals of f32", lambda r, i: sign(r) * r.randint(1, 2 ** 20) * 2.0 ** -149),
        ("sorted, growing", lambda r, i: (i / ELEMENTS) ** 3),
    ]


def elements(make, kind):
    source = random.Random(1)
    return numpy.array([make(source, i) for i in range(ELEMENTS)]).astype(TYPES[kind])


def parts(ranks):
    """Where each rank's part begins, and the last one's end."""
    return [ELEMENTS * rank // ranks for rank in range(ranks + 1)]


def usual_sum(values, ranks):
    """Each rank adds from its first element to its last; then neighbours add theirs, twice as far apart each time."""
    ends = parts(ranks)
    sums = [numpy.add.accumulate(values[first:end], dtype=values.dtype)[-1] for first, end in zip(ends, ends[1:])]
    while len(sums) > 1:
        sums = [sums[i] + sums[i + 1] if i + 1 < len(sums) else sums[i] for i in range(0, len(sums), 2)]
    return sums[0]


def state_of(total):
    """Normalised: limbs but the last are in [0, 2^32), the last has the sign. total: an integer in units of 2^-1074."""
    limbs = [(total >> (RADIX * k)) & (2 ** RADIX - 1) for k in range(LIMBS - 1)]
    return numpy.array([*limbs, total >> (RADIX * (LIMBS - 1))], dtype=numpy.int64)


def total_of(state):
    return sum(int(limb) << (RADIX * k) for k, limb in enumerate(state))


def merged_state(prefix, ranks, order):
    """States of ranks, added number by number in 64 bits: in turn, from the last, or as a tree."""
    ends = parts(ranks)
    states = [state_of(prefix[end] - prefix[first]) for first, end in zip(ends, ends[1:])]
    if order == "from the last":
        states.reverse()
    while order == "tree" and len(states) > 1:
        states = [sum(states[i:i + 2]) for i in range(0, len(states), 2)]
    return sum(states)


def rounded(total, kind):
    """The nearest number of the type, of two the even one."""
    value = Fraction(total, 2 ** UNIT)
    if kind == "f64":
        return float(value)  # Python divides integers so
    place = Fraction(2) ** -149  # f32's smallest; doubled until 24 digits are enough
    while abs(value) >= 2 ** 24 * place:
        place *= 2
    return float(round(value / place) * place)


def bits(value, kind):
    return struct.pack(">f" if kind == "f32" else ">d", value).hex()


def rows():
    for name, make in kinds():
        for kind in TYPES:
            values = elements(make, kind)
            prefix = [0]
            for value in values.tolist():
                prefix.append(prefix[-1] + int(Fraction(value) * 2 ** UNIT))
            usual = [bits(usual_sum(values, ranks), kind) for ranks in range(1, MOST_RANKS + 1)]
            exact = {bits(rounded(total_of(merged_state(prefix, ranks, order)), kind), kind)
                     for ranks in range(1, MOST_RANKS + 1) for order in ("in turn", "from the last", "tree")}
            one = bits(rounded(prefix[-1], kind), kind)
            if exact != {one}:
                sys.exit(f"{name}, {kind}: the states come to {exact}, the elements to {one}")
            right = usual.count(one)
            yield [name, kind, len(set(usual)), f"{right} of {MOST_RANKS}", len(exact), f"`{one}`"]


def text_of(found):
    differ = sum(row[2] > 1 for row in found)
    head = ["data", "type", "sums by additions of floats", "of them right", "sums by states", "the sum's bits"]
    return "\n".join([
        "# Sums over 1 to 64 ranks, simulated",
        "",
        f"{ELEMENTS} elements are divided among 1, 2, ... {MOST_RANKS} ranks. *By additions of floats*: each rank adds "
        "its part from the first element to the last, then ranks add in a binary tree, which is what MPI_SUM may do. "
        "*By states*: each rank has the state of its part; states are added number by number in signed 64 bits, in the "
        "ranks' order, from the last rank to the first, and in a tree; the result is carried and rounded once. The "
        "columns count different results; a right one is the real sum, rounded. Made by `scripts/simulate_ranks.py`, "
        "which shares nothing with the library but the state's format; nothing here is measured.",
        "",
        f"**{differ} of {len(found)} rows have several sums by additions of floats, none by states.** Where every "
        "partial sum fits the type, as of whole numbers here, there is one sum either way.",
        "",
        f"| {' | '.join(head)} |",
        "|---" * len(head) + "|",
        *(f"| {' | '.join(str(cell) for cell in row)} |" for row in found)]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    text = text_of(list(rows()))
    if not check:
        FILE.write_text(text)
        print(FILE)
    elif not FILE.exists() or FILE.read_text() != text:
        sys.exit(f"{FILE}: not as it would be written: run scripts/simulate_ranks.py")


if __name__ == "__main__":
    main()
