#!/usr/bin/env python3
"""Counts the instructions with which wf_reduce folds 16 bytes of an array on an AMD GPU, from the assembly. Needs no
GPU.

    bench/amd_instructions.py [--target gfx90a] [--code-object build/amd/gfx90a.co] [--out results]

Needs the build's AMD backend and llvm-objdump (19, or ROCm's). Writes <out>/amd-<target>/instructions.md.
"""
import argparse
import pathlib
import re
import shlex
import shutil
import subprocess

from about import output_of, results_folder

# The operator of wf::reduce, as C++ mangles it.
OURS = {
    "sum of f32": "4addsIffL7wf_term0E", "sum of f64": "4addsIddL7wf_term0E", "sum of i32": "4addsIiiL7wf_term0E",
    "sum of f16": "4addsINS_3f16EfL7wf_term0E", "sum of bf16": "4addsINS_4bf16EfL7wf_term0E",
    "sum of i16 in i64": "4addsIslL7wf_term0E", "sum of u8 in u64": "4addsIhmL7wf_term0E",
    "product of f32": "10multipliesIff", "min of f32": "7extremeIf", "min of f64": "7extremeId",
    "argmin of f32": "13first_extremeIf", "argmin of i32": "13first_extremeIi",
}
LOAD_BYTES = {"dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16, "b32": 4, "b64": 8, "b96": 12, "b128": 16}


def tool(name):
    for candidate in (f"{name}-19", f"{name}-15", name, f"/opt/rocm/llvm/bin/{name}"):
        if shutil.which(candidate):
            return candidate
    raise SystemExit(f"{name} is missing: install llvm-19")


def instructions(code_object, symbol):
    """(address, mnemonic, address that it branches to) of each."""
    text = subprocess.run([tool("llvm-objdump"), "-d", f"--disassemble-symbols={symbol}", code_object], check=True,
                          capture_output=True, text=True).stdout
    found = []
    start = None
    for line in text.split("\n"):
        match = re.match(r"\s+(\w+).*// ([0-9A-F]+):.*?(?:<\S+?\+0x([0-9a-f]+)>)?$", line)
        if match:
            address = int(match[2], 16)
            start = address if start is None else start
            found.append((address, match[1], start + int(match[3], 16) if match[3] else None))
    return found


def loaded(mnemonics):
    """Bytes for each lane."""
    loads = (re.fullmatch(r"(?:global|flat|buffer)_load_(\w+)", m) for m in mnemonics)
    return sum(LOAD_BYTES.get(load[1], 0) for load in loads if load)


def inner_loop(code):
    """The mnemonics of the loop that loads most; all of the kernel's where none loads."""
    loops = [[m for a, m, _ in code if to <= a <= at] for at, _, to in code if to is not None and to < at]
    loops = [loop for loop in loops if loaded(loop)]
    if loops:
        return max(loops, key=lambda loop: (loaded(loop), -len(loop))), True
    return [m for _, m, _ in code], False


def notes(code_object, field, value):
    """What the metadata say of each kernel in this field."""
    text = subprocess.run([tool("llvm-readelf"), "--notes", code_object], check=True, capture_output=True,
                          text=True).stdout
    return re.findall(rf"^\s+\.{field}:\s+({value})$", text, flags=re.MULTILINE)


def symbols(code_object):
    return notes(code_object, "name", r"_Z\S+")


def row(of, code_object, symbol):
    mnemonics, is_loop = inner_loop(instructions(code_object, symbol))
    packs = loaded(mnemonics) / 16
    kinds = [sum(m.startswith(prefix) for m in mnemonics) for prefix in ("v_", "s_", "global_load", "ds_")]
    return [of, "loop" if is_loop else "whole kernel: it has no loop", f"{16 * packs:.0f}",
            *(f"{count / packs:.1f}" for count in kinds), f"{len(mnemonics) / packs:.1f}"]


def version_of(compiler):
    lines = output_of(compiler[0], "--version").splitlines()
    return next((line for line in lines if "clang version" in line), "unknown")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="gfx90a")
    parser.add_argument("--code-object", type=pathlib.Path)
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()
    ours = arguments.code_object or pathlib.Path("build/amd") / f"{arguments.target}.co"
    built_by = ours.parent / f"{arguments.target}.compiler"
    if not built_by.exists():
        raise SystemExit(f"{built_by} is missing: the build writes it beside {ours.name}, with the compiler that made "
                         "that")
    compiler = shlex.split(built_by.read_text())
    width, = set(notes(ours, "wavefront_size", "32|64"))

    rows = []
    for of, operator in OURS.items():
        mine, = (s for s in symbols(ours) if s.startswith(f"_ZN2wf6reduceINS_{operator}EELj{width}ELb1E"))
        rows.append(row(of, ours, mine))
    head = ["", "counted", "bytes a lane loads there", "vector", "scalar", "loads", "tile memory", "all"]
    folder = arguments.out / f"amd-{arguments.target}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "instructions.md").write_text(
        f"# Instructions for each 16 bytes that a lane loads, {arguments.target}\n\n"
        f"From the assembly; nothing was run. {version_of(compiler)}, commit {arguments.commit}. Made by "
        f"`bench/amd_instructions.py --target {arguments.target}`. A kernel without a loop takes a tile's elements "
        "once, so its count holds what is done once for a tile too: the fold of its waves, and the branch for a tile "
        "that is not full.\n\n"
        + "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|"] +
                    ["| " + " | ".join(cells) + " |" for cells in rows]) + "\n")
    print((folder / "instructions.md").read_text())


if __name__ == "__main__":
    main()
