"""report/instructions.py: which kernel is which rung's, and of what kind an instruction is."""

import json
import os
import pathlib
import subprocess
import sys

import instructions
import pytest
from results import read_all
from support import ROOT

CODE = sorted(path for path in pathlib.Path(os.environ.get("WAVEFOLD_CODE_OBJECTS") or ROOT / "none").glob("gfx*.co"))


def test_rungs():
    names = ["tiled_1<float,wf::sum<float>>", "tiled_1<double,wf::sum<double>>", "tiled_1<float,wf::max<float>>",
             *(f"unrolled_full<float,wf::sum<float>,32u,{tile}u>" for tile in (64, 256, 512)),
             *(f"wave_atomic<float,wf::sum<float>,32u,{loads}u>" for loads in (1, 2, 4)),
             "wave_atomic<float,wf::sum<float>,64u,1u>", "look_back<float,wf::sum<float>,32u,256u>",
             "wave_all_reduce<float,wf::sum<float>,32u,4u>", "add_prefixes<float,wf::sum<float>>",
             "reduce<wf::adds<float,float,(wf_term)0>,32u,true>", "reduce<wf::adds<float,float,(wf_term)1>,32u,true>",
             *(f"{kernel}<wf::exact_policy<wf::thread_terms<float,false,{in_f64},32u>,true,wf::{extra}<float>>>"
               for in_f64 in ("false", "true") for extra in ("sum_alone", "describes_floats")
               for kernel in ("exact", "exact_or_short", "exact_cluster"))]
    found = instructions.rungs_of({name: name for name in names}, "gfx1100")
    assert found == {
        "tiled_1": names[0], "unrolled_full": names[4], "wave_atomic": names[6], "wave_atomic_v2": names[7],
        "wave_atomic_v4": names[8], "look_back": names[10], "wave_all_reduce": names[11], "wavefold": names[13],
        "exact": names[15],
    }


def test_kinds_on_amd():
    code = ("s_load_b32 v_mov_b32_e32 s_waitcnt global_load_b32 ds_store_b32 s_barrier v_add_f32_dpp ds_bpermute_b32 "
            "v_readlane_b32 s_cbranch_vccnz s_and_saveexec_b32 global_atomic_add_f32 global_store_b32 s_endpgm s_nop "
            "s_code_end v_readfirstlane_b32 buffer_gl0_inv").split()
    assert instructions.mix_of(code, instructions.AMD) == {
        "arithmetic": 1, "scalar": 2, "control": 5, "stores": 1, "loads": 1, "atomics": 1, "tile memory": 1,
        "shuffles": 3, "barriers": 1,
    }


def test_kinds_on_nvidia():
    code = "LDC S2R IMAD FADD LDG STG LDS STS SHFL BAR ATOMG RED REDUX BRA EXIT ULDC NOP".split()
    assert instructions.mix_of(code, instructions.NVIDIA) == {
        "arithmetic": 2, "scalar": 3, "control": 2, "stores": 1, "loads": 1, "atomics": 2, "tile memory": 2,
        "shuffles": 2, "barriers": 1,
    }


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-B", ROOT / "report/instructions.py", *map(str, arguments)],
                          capture_output=True, text=True, **options)


def standin(folder, name, text, status=0):
    """An environment with a program that says this, or with another status complains so; NAME.asked has what it was
    asked."""
    (folder / f"{name}.text").write_text(text)
    program = folder / name
    stream = 2 if status else 1
    program.write_text(f'#!/bin/sh\necho "$@" > {program}.asked\ncat {program}.text >&{stream}\nexit {status}\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


# As cuobjdump and llvm-objdump print it: what is no instruction, of two kernels and of what is none of this project's.
SASS = """
\t\tFunction : _ZN2wf7tiled_1IfNS_3sumIfEEEEvNS_10array_viewIKT_EENS3_IS4_EE
        /*0000*/                   LDC R1, c[0x0][0x28] ;   /* 0x00000a00ff017b82 */
                                                            /* 0x000fe20000000800 */
        /*0010*/              @!P0 LDG.E R2, [R2.64] ;      /* 0x0000000402020981 */
        /*0020*/           @!UP0 UIADD3 UR4, UR4, 0x1 ;     /* 0x0000000404048290 */
        /*0030*/                   NOP ;                    /* 0x0000000000007918 */
\t\t..........
\t\tFunction : somebody_elses
        /*0000*/                   EXIT ;                   /* 0x000000000000794d */
"""
DISASSEMBLED = """
gfx1100.co:\tfile format elf64-amdgpu

0000000000001900 <_ZN2wf7tiled_1IfNS_3sumIfEEEEvNS_10array_viewIKT_EENS3_IS4_EE>:
\ts_load_b64 s[0:1], s[0:1], 0x0                            // 000000001900: F4040000
\tglobal_load_b32 v1, v0, s[0:1]                            // 000000001908: DC520000
\ts_endpgm                                                  // 000000001910: BFB00000
"""


@pytest.mark.parametrize("tool, text, name, target, asked, kinds", [
    ("cuobjdump", SASS, "libwavefold-nvidia.so", "sm_90", "-sass -arch sm_90", {"loads": 1, "scalar": 2}),
    ("llvm-objdump-19", DISASSEMBLED, "gfx1100.co", "gfx1100", "-d --no-show-raw-insn",
     {"scalar": 1, "loads": 1, "control": 1}),
], ids=["NVIDIA", "AMD"])
def test_what_disassemblers_print(tmp_path, tool, text, name, target, asked, kinds):
    code, with_it = tmp_path / name, standin(tmp_path, tool, text)
    code.touch()
    done = run(code, "-o", tmp_path / "mix.json", env=with_it)
    assert done.returncode == 0, done.stderr
    [mix] = read_all([tmp_path / "mix.json"]).mixes
    assert (mix.target, mix.rung, mix.what, mix.kinds) == (target, "tiled_1", "sum of f32", kinds)
    assert (tmp_path / f"{tool}.asked").read_text() == f"{asked} {code}\n"


def test_code_that_is_none(tmp_path):
    """What the disassembler says of it is passed on; and code of other projects has no rung."""
    code = tmp_path / "gfx1100.co"
    code.touch()
    with_it = standin(tmp_path, "llvm-objdump-19", "warning: odd\nerror: not an object\n", 1)
    done = run(code, "-o", tmp_path / "mix.json", env=with_it)
    assert done.returncode == 1
    assert done.stderr == f"instructions.py: {tmp_path}/llvm-objdump-19 {code}: error: not an object\n"
    with_it = standin(tmp_path, "llvm-objdump-19", DISASSEMBLED.replace("_ZN2wf", "_ZN2xy"))
    done = run(code, "-o", tmp_path / "mix.json", env=with_it)
    assert done.returncode == 1 and "has none of the ladder's kernels for gfx1100: is it built for" in done.stderr
    assert not (tmp_path / "mix.json").exists()


def test_of_which_width_the_kernels_are():
    """That of the most of them; where a GPU is fast in f64, exact sums use that."""
    def name(width, in_f64, kernel):
        return (f"{kernel}<wf::exact_policy<wf::thread_terms<float,false,{in_f64},{width}u>,true,"
                "wf::sum_alone<float>>>")

    fast, slow = ("true", "exact_or_short"), ("false", "exact")
    names = [name(width, *how) for width in (32, 64) for how in (fast, slow)]
    for target, width, how in (("gfx90a", 64, fast), ("sm_90", 32, fast), ("sm_89", 32, slow), ("sm_100", 32, fast),
                               ("gfx1100", 32, slow)):
        most = [f"wave_atomic<float,wf::max<float>,{width}u,1u>", f"wave_tile<float,wf::max<float>,{width}u>"]
        found = instructions.rungs_of({one: one for one in [*names, *most]}, target)
        assert found == {"exact": name(width, *how)}, target


def test_no_code(tmp_path):
    done = run(tmp_path / "gfx1100.co", "-o", tmp_path / "mix.json")
    assert done.returncode == 1 and "gfx1100.co" in done.stderr and not (tmp_path / "mix.json").exists()


# Of either wave's width. Where CI is set, missing code is a failure.
@pytest.mark.skipif(not CODE and not os.environ.get("CI"), reason="WAVEFOLD_CODE_OBJECTS has no code objects")
@pytest.mark.parametrize("which", [0, -1])
def test_built_code(tmp_path, which):
    done = run(CODE[which], "-o", tmp_path / "mix.json")
    assert done.returncode == 0, done.stderr
    mixes = {mix.rung: mix for mix in read_all([tmp_path / "mix.json"]).mixes}
    listed = json.loads(subprocess.run([os.environ["WAVEFOLD"], "rungs", "--json", "-"], check=True,
                                       stdout=subprocess.PIPE).stdout)
    # sequential has no kernel, and sorts have no operator.
    assert set(mixes) == {rung["name"] for rung in listed if not rung["kind"].startswith("sorts")} - {"sequential"}
    # A tree's step has two loads and a store in tile memory; a launch of simple_1 has no tile memory at all.
    assert mixes["tiled_3"].kinds["tile memory"] >= 4 and "tile memory" not in mixes["simple_1"].kinds
    assert mixes["wave_two_pass"].kinds["shuffles"] >= 5 and mixes["wave_atomic"].kinds["atomics"] == 1
