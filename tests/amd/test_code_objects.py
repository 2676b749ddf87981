"""Reads the AMD code objects: every kernel is there for every target, with the right wave width, no spills, no scratch,
and no generic (flat) addressing.

WAVEFOLD_CODE_OBJECTS: the folder with one <target>.co per target. WAVEFOLD: the program, which lists the rungs.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

FOLDER = pathlib.Path(os.environ["WAVEFOLD_CODE_OBJECTS"])
TARGETS = os.environ["WAVEFOLD_AMD_ARCHITECTURES"].split(",")
OTHER_RUNGS = {"sequential", "wavefold"}  # no kernel, and one with operators of its own
OTHER_FAMILIES = {"scan", "sort"}
TYPES = {"f32": "float", "f64": "double", "i32": "int", "i64": "long"}
OPS = ["sum", "min", "max"]


def tool(name):
    for candidate in (f"{name}-19", f"{name}-15", name, f"/opt/rocm/llvm/bin/{name}"):
        found = shutil.which(candidate)
        if found:
            return found
    pytest.fail(f"{name} is missing: install llvm-19")


def output_of(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def kernels_of(target):
    """The metadata of each kernel, by its demangled name."""
    notes = output_of(tool("llvm-readelf"), "--notes", FOLDER / f"{target}.co")
    kernels = {}
    for block in re.split(r"^  - \.", notes, flags=re.MULTILINE)[1:]:
        fields = dict(re.findall(r"^ *\.?(\w+): +(\S+)$", "." + block, flags=re.MULTILINE))
        kernels[fields["name"]] = fields
    names = output_of(tool("llvm-cxxfilt"), input="\n".join(kernels)).split("\n")
    return dict(zip(names, kernels.values()))


@pytest.fixture(scope="module", params=TARGETS)
def target(request):
    return request.param


@pytest.fixture(scope="module")
def kernels(target):
    return kernels_of(target)


def has_kernel(kernels, start):
    return any(name.replace(" >", ">").startswith(start) for name in kernels)


def rungs():
    listed = json.loads(output_of(os.environ["WAVEFOLD"], "rungs", "--json"))
    return [rung["name"] for rung in listed if rung["name"] not in OTHER_RUNGS and rung["family"] not in OTHER_FAMILIES]


@pytest.mark.parametrize("rung", rungs())
def test_every_kernel_is_there(kernels, rung):
    kernel = re.sub(r"_v\d$", "", rung)  # the load width is a template argument
    for ctype in TYPES.values():
        for op in OPS:
            start = f"void wf::{kernel}<{ctype}, wf::{op}<{ctype}>"
            assert has_kernel(kernels, start), start


@pytest.mark.parametrize("rung", ["hillis_steele", "blelloch", "fold_prefixes", "look_back"])
def test_every_scan_is_there(kernels, rung):
    folds = [(ctype, f"{op}<{ctype}>") for ctype in TYPES.values() for op in OPS]
    for ctype in ["float", "double", "int"]:
        folds += [(f"wf::matrix<{ctype}>", f"matmul<{ctype}>"), (f"wf::affine_map<{ctype}>", f"affine<{ctype}>")]
    for element, op in folds:
        assert has_kernel(kernels, f"void wf::{rung}<{element}, wf::{op}"), (element, op)


@pytest.mark.parametrize("rung", ["single_block_ordered", "last_block_ordered", "wave_tile_ordered", "wave_registers"])
@pytest.mark.parametrize("ctype", ["float", "double", "int"])
def test_ordered_kernels_are_there(kernels, rung, ctype):
    for element, op in [("matrix", "matmul"), ("affine_map", "affine")]:
        start = f"void wf::{rung}<wf::{element}<{ctype}>, wf::{op}<{ctype}>"
        assert has_kernel(kernels, start), start


def test_wide_kernels_are_there(kernels):
    """The rung wavefold: as many instances as the table of reductions needs, less those that serve two types."""
    found = [name for name in kernels if name.startswith("void wf::fold<")]
    for op in ["adds", "multiplies", "bits_or", "bits_xor", "extreme", "extremes", "first_extreme"]:
        assert has_kernel(found, f"void wf::fold<wf::{op}<"), op
    assert len(found) >= 90


@pytest.mark.parametrize("ctype", TYPES.values())
def test_wave_folds_without_tile_memory(target, kernels, ctype):
    """wave_atomic has no tile memory of its own: a ds_ instruction would be a shuffle that goes through it."""
    width = "64" if target.startswith("gfx9") else "32"
    for op in OPS:
        start = f"void wf::wave_atomic<{ctype}, wf::{op}<{ctype}>, {width}u, 1u>"
        symbol, = (fields["name"] for name, fields in kernels.items() if name.replace(" >", ">").startswith(start))
        assembly = output_of(tool("llvm-objdump"), "-d", f"--disassemble-symbols={symbol}", FOLDER / f"{target}.co")
        assert "row_ror" in assembly and "v_readlane" in assembly
        assert re.findall(r"\bds_\w+", assembly) == []


def test_wavefront_size(target, kernels):
    expected = "64" if target.startswith("gfx9") else "32"
    assert {fields["wavefront_size"] for fields in kernels.values()} == {expected}


@pytest.mark.parametrize("field", ["private_segment_fixed_size", "vgpr_spill_count", "sgpr_spill_count"])
def test_no_spills_and_no_scratch(kernels, field):
    assert {name: fields[field] for name, fields in kernels.items() if fields[field] != "0"} == {}


def test_tiles_of_1024(kernels):
    """But for kernels with a tile size of their own."""
    assert {fields["max_flat_workgroup_size"] for name, fields in kernels.items() if "_held_" not in name} == {"1024"}


@pytest.mark.parametrize("key", ["unsigned int", "unsigned long"])
@pytest.mark.parametrize("value", ["wf::no_value", "unsigned int", "unsigned long"])
@pytest.mark.parametrize("kernel", ["held_sort", "held_merge", "held_across", "tile", "step"])
def test_every_sort_is_there(kernels, kernel, key, value):
    expected = kernel.startswith("held") or value != "unsigned long"
    start = f"void wf::bitonic_{kernel}<{key}, {value}"
    assert any(name.startswith(start) for name in kernels) == expected, start


def test_no_generic_addressing(target):
    """Tile memory is reached by ds_ and arrays by global_ instructions; flat_ would be both at once, and slower."""
    assembly = output_of(tool("llvm-objdump"), "-d", FOLDER / f"{target}.co")
    assert "ds_" in assembly and "global_load" in assembly
    assert re.findall(r"\b(?:flat|scratch|buffer)_(?:load|store|atomic)\w*", assembly) == []


def test_the_module_holds_every_target():
    module = pathlib.Path(os.environ["WAVEFOLD_AMD_MODULE"]).read_bytes()
    for target in TARGETS:
        assert f"hipv4-amdgcn-amd-amdhsa--{target}".encode() in module
