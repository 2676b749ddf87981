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
             *(f"exact<float,false,{in_f64},32u,true,wf::{beside}<float>,{arrays}u>" for in_f64 in ("false", "true")
               for beside in ("nothing_beside", "describes_floats") for arrays in (0, 1, 2))]
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


def run(*arguments):
    return subprocess.run([sys.executable, "-B", ROOT / "report/instructions.py", *map(str, arguments)],
                          capture_output=True, text=True)


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
    assert set(mixes) == {rung["name"] for rung in listed if rung["kind"] in ("reduces", "scans")} - {"sequential"}
    # A tree's step has two loads and a store in tile memory; a launch of simple_1 has no tile memory at all.
    assert mixes["tiled_3"].kinds["tile memory"] >= 4 and "tile memory" not in mixes["simple_1"].kinds
    assert mixes["wave_two_pass"].kinds["shuffles"] >= 5 and mixes["wave_atomic"].kinds["atomics"] == 1
