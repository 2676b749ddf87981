#!/usr/bin/env python3
"""Writes results/exact-bits.md: the exact sums of hard inputs, as every device at hand finds them, side by side.

    scripts/write_exact_bits.py BUILD [--check]

BUILD is the folder of a build that has tests/exact_bits. Columns of devices that are not at hand stay as they are in
the file, unless the inputs are others. --check changes nothing, leaves GPUs out, and fails if the file is not as it
would be written.
"""
import argparse
import os
import pathlib
import struct
import subprocess
import sys

FILE = pathlib.Path(__file__).resolve().parent.parent / "results" / "exact-bits.md"
NO_DEVICE = 77
COUNTED = "bits counted"
HEAD = """# The bits of exact sums, device by device

`tests/exact/exact_bits.c` makes the inputs and sums them on one device; `scripts/write_exact_bits.py` puts the devices
side by side, and a test compares the columns of the CPU and the emulator with what they find now. A column has the bits
of the sum, and the first 8 digits of the FNV-1a of its normalised state's 600 bytes. Each device found them in three
ways: the array as it is; from its end to its start, off by an element; three parts, their states merged from the last.
"Bits counted" is the tests' own arithmetic (`tests/support/big_sum.c`), which has a counter for each bit and shares
nothing with the library. "Emulated" are the GPUs' kernels, on the host device.
"""


def found_by(build, device, may_lack=False, **environment):
    """(the device's name, {(input, type): cell}), or None where there is no such device, if that may be."""
    done = subprocess.run([build / "tests" / "exact_bits", device], env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == NO_DEVICE and may_lack:
        return None
    if done.returncode != 0:
        sys.exit(f"exact_bits {device}: {done.stderr}")
    name, *lines = done.stdout.splitlines()
    cells = {}
    for line in lines:
        kind, what, bits, state = line.split("\t")
        cells[what, kind] = f"{bits} {state[:8]}"
    return name, cells


def on_the_host(build):
    """Pairs of a column's head and what was found."""
    yield COUNTED, found_by(build, "counted")
    for cpu in ("plain", "avx2", "avx512"):
        yield f"CPU, {cpu}", found_by(build, "host", may_lack=cpu != "plain", WAVEFOLD_CPU=cpu)
    kernels = {"WAVEFOLD_BACKEND_PATH": str(build / "tests" / "wrapped"), "WAVEFOLD_WRAP": "no-native",
               "WAVEFOLD_WRAPPED": str(build / "lib" / "wavefold" / "libwavefold-host.so")}
    for lanes in (64, 32):
        yield f"emulated, {lanes} lanes", found_by(build, f"host:{lanes}", **kernels)


def on_gpus(build):
    for backend in ("nvidia", "amd"):
        if found := found_by(build, f"{backend}:0", may_lack=True):
            yield found[0], found


def in_the_file():
    """{head: {(input, type): cell}}, in the order of the file."""
    if not FILE.exists():
        return {}
    head, _, *rows = [[cell.strip().strip("`") for cell in line.split("|")[1:-1]]
                      for line in FILE.read_text().splitlines() if line.startswith("|")]
    return {name: {(row[0], row[1]): row[i] for row in rows} for i, name in enumerate(head) if i >= 3}


def value_of(bits, kind):
    number = bytes.fromhex(bits)
    if kind == "f64":
        return repr(struct.unpack(">d", number)[0])
    form, digits = {"f16": (">e", 5), "bf16": (">f", 4), "f32": (">f", 9)}[kind]
    return f"{struct.unpack(form, number.ljust(4, bytes(1)) if kind == 'bf16' else number)[0]:.{digits}g}"


def differences(columns):
    return [f"{name}: {what}, {kind}" for name, cells in columns.items() for (what, kind), cell in cells.items()
            if cell != columns[COUNTED][what, kind]]


def text_of(columns):
    yield HEAD
    expected, others = columns[COUNTED], differences(columns)
    yield (f"**All {len(columns)} columns are equal, in each of {len(expected)} rows.**" if not others
           else f"**Not equal to the bits counted: {'; '.join(others)}.**")
    yield ""
    yield f"| input | type | sum | {' | '.join(columns)} |"
    yield "|---" * (3 + len(columns)) + "|"
    for what, kind in expected:
        cells = " | ".join(f"`{cells[what, kind]}`" for cells in columns.values())
        yield f"| {what} | {kind} | {value_of(expected[what, kind].split()[0], kind)} | {cells} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    build, check = asked.build.resolve(), asked.check
    before, columns = in_the_file(), {}
    for name, found in on_the_host(build):
        if found:
            columns[name] = found[1]
        elif name in before:
            columns[name] = before[name]
    if not check:
        columns.update((name, found[1]) for name, found in on_gpus(build))
    columns = {**columns, **{name: cells for name, cells in before.items() if name not in columns}}
    columns = {name: cells for name, cells in columns.items() if cells.keys() == columns[COUNTED].keys()}
    text = "\n".join(text_of(columns)) + "\n"
    if not check:
        FILE.write_text(text)
        print(FILE)
    elif not FILE.exists() or text != FILE.read_text():
        sys.exit(f"{FILE} is not what the devices find: run scripts/write_exact_bits.py {build}")
    if others := differences(columns):
        sys.exit("not equal to the bits counted: " + "; ".join(others))


if __name__ == "__main__":
    main()
