"""Bash completion, driven as bash drives it."""

import json
import os
import subprocess

import pytest
from support import PROGRAM, ROOT, environment, wavefold

# Splits the line as readline does, at blanks and at COMP_WORDBREAKS' = and :, and prints what is offered.
DRIVER = r"""
source "$1"
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDS=()
while IFS= read -r word; do [[ -n $word ]] && COMP_WORDS+=("$word"); done < <(sed 's/[=:]/\n&\n/g; s/ /\n/g' <<<"$2")
[[ $2 == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
read -r _ _ function name <<<"$(complete -p "${COMP_WORDS[0]}")"
"$function" "$name"
printf '%s\n' "${COMPREPLY[@]}"
"""

RUNGS = wavefold("rungs", "--names").stdout.split()
REDUCING = [rung["name"] for rung in json.loads(wavefold("rungs", "--json", "-").stdout) if rung["kind"] == "reduces"]
FAMILIES = {rung["family"] for rung in json.loads(wavefold("rungs", "--json", "-").stdout)}
DEVICES = wavefold("devices", "--names").stdout.split()


def complete(line, folder="/"):
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", DRIVER, "bash", ROOT / "completions/wavefold.bash", line],
                          capture_output=True, text=True, cwd=folder, env=environment(PATH=path), timeout=60)
    assert done.returncode == 0 and done.stderr == ""
    return sorted(word.rstrip() for word in done.stdout.split("\n") if word)


OPTIONS = sorted("--" + word for word in
                 "n type op accumulator nan exclusive descending input raw seed device rungs family tile tiles window "
                 "row-length repeat json csv quiet help usage version".split())
SUBCOMMANDS = "progression reduce scan sort count merge devices rungs explain operators tune try report".split()
LISTING = ["--help", "--json", "--quiet", "--usage", "--version"]


@pytest.mark.parametrize(
    "line, offered",
    [
        ("wavefold ", sorted([*SUBCOMMANDS, "help", "version"])),
        ("wavefold help ", sorted(SUBCOMMANDS)),
        ("wavefold help re", ["reduce", "report"]),
        ("wavefold help reduce ", []),
        ("wavefold operators ", LISTING),
        ("wavefold tune ", sorted("--" + word for word in "device most dry-run show json quiet help usage "
                                                          "version".split())),
        ("wavefold try -", sorted("--" + word for word in "against seconds new plain wave task watch verbose json "
                                                          "quiet help usage version".split())),
        ("wavefold try a.hip --against ", sorted(REDUCING)),
        ("wavefold try a.hip --against tiled_4", ["tiled_4"]),
        ("wavefold try a.hip --wave ", ["32", "64", "both"]),
        ("wavefold try a.hip --task arg", ["argmax", "argmin"]),
        ("wavefold explain -", sorted("--" + word for word in "against lines n row-length svg tile trace wave json "
                                                             "quiet help usage version".split())),
        ("wavefold explain ", sorted(RUNGS)),
        ("wavefold explain tiled_2 --against tiled_4", ["tiled_4"]),
        ("wavefold explain tiled_2 --wave=", ["32", "64"]),
        ("wavefold report -", ["--help", "--json", "--output", "--quiet", "--usage", "--version"]),
        ("wavefold tune --device a", ["auto"]),
        ("wavefold tune --most ", []),
        ("wavefold p", ["progression"]),
        ("wavefold -", OPTIONS),
        ("wavefold progression ", OPTIONS),
        ("wavefold progression --ti", ["--tile", "--tiles"]),
        ("wavefold --type f32 --o", ["--op"]),
        ("wavefold devices --", LISTING),
        ("wavefold rungs ", LISTING),
        ("wavefold rungs --j", ["--json"]),
        ("wavefold progression --type ", sorted("f32 f64 i32 i64 u32 u64 i8 i16 u8 u16 f16 bf16".split())),
        ("wavefold --type i", ["i16", "i32", "i64", "i8"]),
        ("wavefold --type=f", ["f16", "f32", "f64"]),
        ("wavefold --accumulator i", ["i32", "i64"]),
        ("wavefold --nan ", ["ignore", "propagate"]),
        ("wavefold -t f6", ["f64"]),
        ("wavefold --op=m", ["matmul", "max", "mean", "min", "minmax"]),
        ("wavefold --op ", sorted(wavefold("operators", "--names").stdout.split())),
        ("wavefold --n ", []),
        ("wavefold frobnicate --", []),
        ("wavefold --rungs ", sorted(RUNGS)),
        ("wavefold --rungs=seq", ["sequential"]),
        ("wavefold --rungs sequential,si", sorted("sequential," + name for name in RUNGS if name.startswith("si"))),
        ("wavefold --rungs=simple_1,sim", ["simple_1,simple_2"]),
        ("wavefold --family ", sorted(FAMILIES | {"scan", "sort", "all"})),
        ("wavefold progression --family=a", ["all", "amp"]),
        ("wavefold progression --fam", ["--family"]),
        ("wavefold --family o", ["one_wave", "ordered"]),
        ("wavefold --family x", []),
        ("wavefold reduce -", sorted("--" + word for word in "op type accumulator nan accuracy n raw device state axis "
                                                            "keepdims output json quiet help usage version".split())),
        ("wavefold reduce --axis ", []),
        ("wavefold reduce --accuracy ", ["best", "exact", "fast"]),
        ("wavefold reduce --accuracy=e", ["exact"]),
        ("wavefold scan -", sorted("--" + word for word in "op accumulator nan axis exclusive reverse initial "
                                                          "as-elements type n raw device output json quiet help "
                                                          "usage version".split())),
        ("wavefold scan --op ", "affine argmax argmin matmul max min product sum".split()),
        ("wavefold scan a.npy --op=a", ["affine", "argmax", "argmin"]),
        ("wavefold scan a.npy --initial ", []),
        ("wavefold scan a.npy --accumulator f", ["f32", "f64"]),
        ("wavefold sort -", sorted("--" + word for word in "axis descending positions type n raw device output json "
                                                          "quiet help usage version".split())),
        ("wavefold sort --device a", ["auto"]),
        ("wavefold sort --axis ", []),
        ("wavefold count -", sorted("--" + word for word in "by top type n raw device output json quiet help usage "
                                                           "version".split())),
        ("wavefold count --by ", ["count", "value"]),
        ("wavefold count --top ", []),
        ("wavefold merge -", sorted("--" + word for word in "op type state json quiet help usage version".split())),
        ("wavefold merge --op ", ["mean", "sum"]),
        ("wavefold merge -t ", ["bf16", "f16", "f32", "f64"]),
        ("wavefold merge a.state --type=b", ["bf16"]),
        ("wavefold reduce --op d", ["describe"]),
        ("wavefold reduce --op al", ["all"]),
        ("wavefold reduce a.npy --op=m", ["matmul", "max", "mean", "min", "minmax"]),
        ("wavefold reduce --nan ", ["ignore", "propagate"]),
        ("wavefold reduce --n ", []),
        ("wavefold --op d", []),
        ("wavefold --device ", sorted(["auto", "host", *DEVICES])),
        ("wavefold --device a", ["auto"]),
        ("wavefold --device host:3", [name[5:] for name in DEVICES if name.startswith("host:3")]),
        ("wavefold --device=host:", sorted(name[5:] for name in DEVICES if name.startswith("host:"))),
        ("wavefold-mpi ", ["--help", "--usage", "--version", "help", "reduce", "version"]),
        ("wavefold-mpi help ", ["reduce"]),
        ("wavefold-mpi help reduce ", []),
        ("wavefold-mpi merge -", []),
        ("wavefold-mpi reduce -", sorted("--" + word for word in "op type accumulator nan accuracy n raw device "
                                                                "state json quiet check progress help usage "
                                                                "version".split())),
        ("wavefold-mpi reduce --op=d", ["describe"]),
        ("wavefold-mpi reduce a.npy --nan ", ["ignore", "propagate"]),
        ("wavefold-mpi reduce --device ", sorted(["auto", "host", *DEVICES])),
    ],
)
def test_completion(line, offered):
    assert complete(line) == offered


@pytest.mark.parametrize("option", ["--input ", "--json ", "--csv=", "-i ", "reduce ", "reduce --op sum ",
                                    "scan ", "scan a.npy --output ", "sort --output=", "count --json ", "count -q ",
                                    "reduce --json ", "reduce --json=", "reduce --state ", "reduce --output ", "merge ",
                                    "merge a --state=",
                                    "merge --json ", "tune --json ", "try ", "report ", "report -o ",
                                    "report a --output=", "explain a --svg ", "explain --json=",
                                    "devices --json ",
                                    "rungs --json=", "operators -q --json "])
def test_files(tmp_path, option):
    for name in ("one.npy", "other.bin", "three"):
        (tmp_path / name).touch()
    assert complete(f"wavefold {option}o", tmp_path) == ["one.npy", "other.bin"]
    if option.startswith("reduce "):
        assert complete(f"wavefold-mpi {option}o", tmp_path) == ["one.npy", "other.bin"]
