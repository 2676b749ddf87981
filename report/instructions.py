#!/usr/bin/env python3
"""Counts the instructions of each rung's kernel, by kind, in built code: one more input of `wavefold report`.

    report/instructions.py build/amd/gfx1100.co build/lib/wavefold/libwavefold-nvidia.so --output mix.json

Code of AMD GPUs (.co, one target each) is read by llvm-objdump, code of NVIDIA's (the module) by cuobjdump, which comes
with the CUDA toolkit. Counted is what the compiler wrote for the sum of f32, each instruction once, however often a
loop runs it.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

from failure import Failure
from instruction_mix import VERSION
from whole_file import write_whole

NOTHING = re.compile(r"s_nop|s_code_end|NOP")  # fills what lies behind a kernel
# The first that matches a mnemonic is its kind; what matches none is arithmetic.
AMD = (
    ("barriers", r"s_barrier"),
    ("shuffles", r"ds_b?permute|ds_swizzle|v_permlane|v_readlane|v_writelane|v_\w+_dpp"),
    ("tile memory", r"ds_"),
    ("atomics", r"(global|flat|buffer)_atomic"),
    ("loads", r"(global|flat|buffer)_load"),
    ("stores", r"(global|flat|buffer)_store"),
    ("control", r"s_(waitcnt|wait_|delay_alu|branch|cbranch|endpgm|sleep|clause|\w+_saveexec)|(buffer|global)_\w*inv"),
    ("scalar", r"s_|v_readfirstlane"),
)
NVIDIA = (
    ("barriers", r"BAR|WARPSYNC|MEMBAR|ERRBAR|CCTL"),
    ("shuffles", r"SHFL|VOTE|MATCH|REDUX"),
    ("tile memory", r"LDS|STS|ATOMS"),
    ("atomics", r"ATOM|RED"),
    ("loads", r"LDG|LD\b"),
    ("stores", r"STG|ST\b"),
    ("control", r"BRA|BRX|EXIT|BSSY|BSYNC|BREAK|CALL|RET|NANOSLEEP|YIELD|BPT|KILL"),
    ("scalar", r"U[A-Z]|S2R|S2UR|CS2R|R2UR|LDC"),
)
NO_RUNGS = {"add_prefixes", "join_segments"}  # launched in addition to the kernel of the rung
# Of kernels with an instance for each size of a tile, the one of the default.
TILE = "256"
# The instances of what wf_reduce runs that the rungs wavefold and exact launch on an aligned array.
WHOLE = {"reduce<wf::adds<float,float,(wf_term)0>,{width}u,true>": "wavefold",
         "{exact}<wf::exact_policy<wf::thread_terms<float,false,{in_f64},{width}u>,true,wf::sum_alone<float>>>":
             "exact",
         "scan_fixed_order<wf::scan_floats<float,float,false>,{width}u,4u>": "scan_fixed_order"}
# NVIDIA's GPUs that are fast in f64, on which exact sums use it: those for data centres. AMD's code has the kernel that
# uses it where waves have 64 lanes, and the other one where they have 32.
FAST_IN_F64 = re.compile(r"sm_[6-9]0|sm_100")


def tool(*names, install):
    found = next((path for path in map(shutil.which, names) if path), None)
    if found is None:
        raise Failure(f"{names[0]} is missing: install {install}")
    return found


def output_of(*command, **options):
    done = subprocess.run(command, capture_output=True, encoding="utf-8", **options)
    if done.returncode != 0:
        told = done.stderr.strip().splitlines() or ["failed"]
        raise Failure(f"{command[0]} {command[-1]}: {told[-1]}")
    return done.stdout


def functions(text, head):
    """{symbol: its lines}"""
    parts = re.split(head, text, flags=re.MULTILINE)[1:]
    return {symbol: body.splitlines() for symbol, body in zip(parts[::2], parts[1::2])}


def amd_mnemonics(path):
    objdump = tool("llvm-objdump-19", "llvm-objdump", "/opt/rocm/llvm/bin/llvm-objdump", install="llvm-19")
    text = output_of(objdump, "-d", "--no-show-raw-insn", str(path))
    for symbol, lines in functions(text, r"^[0-9a-f]+ <(\S+)>:$").items():
        yield symbol, [line.split()[0] for line in lines if line.startswith("\t")]


def nvidia_mnemonics(path, architecture):
    cuobjdump = tool("cuobjdump", "/usr/local/cuda/bin/cuobjdump", install="the CUDA toolkit's cuobjdump and nvdisasm")
    text = output_of(cuobjdump, "-sass", "-arch", architecture, str(path))
    for symbol, lines in functions(text, r"^\s*Function : (\S+)$").items():
        found = (re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ +)?([A-Z]\w*)", line) for line in lines)
        yield symbol, [match[1] for match in found if match]


def demangled(symbols):
    """{symbol: template and arguments, without blanks}, of the kernels of this project."""
    names = output_of(tool("c++filt", "llvm-cxxfilt-19", install="binutils"), input="\n".join(symbols)).splitlines()
    short = (re.match(r"void wf::(.*?)\(wf::(?!.*\)\(wf::)", name) for name in names)
    return {symbol: match[1].replace(" ", "") for symbol, match in zip(symbols, short) if match}


def rungs_of(names, target):
    """{rung: symbol} of the sums of f32."""
    found, of_kernel = {}, {}
    # The wave's width is the first number among a template's arguments, and nearly all kernels name the target's.
    named = (re.search(r"\b(32|64)u\b", name) for name in names.values())
    (width, _), = collections.Counter(match[1] for match in named if match).most_common(1) or [("32", 0)]
    in_f64 = width == "64" or FAST_IN_F64.match(target)
    parameters = {"{width}": width, "{in_f64}": "true" if in_f64 else "false",
                  "{exact}": "exact_or_short" if in_f64 else "exact"}
    for symbol, name in names.items():
        for whole, rung in WHOLE.items():
            for parameter, value in parameters.items():
                whole = whole.replace(parameter, value)
            if name.startswith(whole):
                found[rung] = symbol
        match = re.match(rf"(\w+)<float,wf::sum<float>(?:,{width}u)?(?:,(\d+)u)?>$", name)
        if match and match[1] not in NO_RUNGS:
            of_kernel.setdefault(match[1], {})[match[2]] = symbol
    for kernel, instances in of_kernel.items():
        if TILE in instances and len(instances) > 1:  # the number is a tile's size
            instances = {None: instances[TILE]}
        base = min(instances, key=lambda number: int(number or 1))  # else how wide loads are, from the narrowest
        found.update((kernel if number == base else f"{kernel}_v{number}", symbol)
                     for number, symbol in instances.items())
    return found


def mix_of(mnemonics, kinds):
    counts = {kind: 0 for kind in ("arithmetic", *(kind for kind, _ in reversed(kinds)))}
    for mnemonic in mnemonics:
        if not NOTHING.match(mnemonic):
            counts[next((kind for kind, pattern in kinds if re.match(pattern, mnemonic)), "arithmetic")] += 1
    return {kind: count for kind, count in counts.items() if count}


def kernels_of(path, architecture):
    """What the document holds of one file."""
    if not path.is_file():
        raise Failure(f"cannot read '{path}': there is no such file")
    is_amd = path.suffix == ".co"
    target = path.stem if is_amd else architecture
    code = dict(amd_mnemonics(path) if is_amd else nvidia_mnemonics(path, architecture))
    found = rungs_of(demangled(list(code)), target)
    if not found:
        raise Failure(f"'{path}' has none of the ladder's kernels for {target}: is it built for another GPU?")
    kinds = AMD if is_amd else NVIDIA
    return [{"target": target, "rung": rung, "what": "sum of f32", "kinds": mix_of(code[symbol], kinds)}
            for rung, symbol in sorted(found.items())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("code", nargs="+", type=pathlib.Path)
    parser.add_argument("--output", "-o", required=True)
    parser.add_argument("--nvidia-architecture", default="sm_90", help="which code of the NVIDIA module (sm_90)")
    arguments = parser.parse_args()
    try:
        kernels = [kernel for path in arguments.code for kernel in kernels_of(path, arguments.nvidia_architecture)]
        write_whole(arguments.output, json.dumps({"instructions": VERSION, "kernels": kernels}, indent=1) + "\n")
    except Failure as failure:
        sys.exit(f"instructions.py: {failure}")


if __name__ == "__main__":
    main()
