"""Reads the AMD code objects. Every kernel is there for every target, for the target's wave width alone, with no
spills, no scratch, no generic (flat) addressing, and no instruction that a compiler is known to get wrong.

WAVEFOLD_CODE_OBJECTS: the folder with one <target>.co per target. WAVEFOLD: the program, which lists the rungs.
"""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

import pytest

FOLDER = pathlib.Path(os.environ["WAVEFOLD_CODE_OBJECTS"])
TARGETS = os.environ["WAVEFOLD_AMD_ARCHITECTURES"].split(",")
OTHER_RUNGS = {"sequential", "wavefold", "exact"}  # no kernel, and two with operators of their own
OTHER_FAMILIES = {"scan", "sort"}
TYPES = {"f32": "float", "f64": "double", "i32": "int", "i64": "long"}
OPS = ["sum", "min", "max"]
PACKED_SHIFTS = ("v_pk_lshlrev_", "v_pk_lshrrev_", "v_pk_ashrrev_")
NO_SCALAR_RESULT = ("v_cmpx_", "s_cmp_", "s_bitcmp", "s_cbranch_", "s_wait_", "s_delay_alu", "s_clause", "s_nop",
                    "s_barrier_", "s_sleep", "s_sendmsg", "s_set")
READS_ITS_RESULT = ("s_addk_", "s_mulk_", "s_cmov", "s_fmac_", "s_bitset")
MEMORY = ("buffer_", "s_load_", "s_buffer_load_")  # those behind which compilers take no wait to be needed


def tool(name):
    for candidate in (f"{name}-19", f"{name}-15", name, f"/opt/rocm/llvm/bin/{name}"):
        found = shutil.which(candidate)
        if found:
            return found
    pytest.fail(f"{name} is missing: install llvm-19")


def output_of(*command, **options):
    """Through a file: what LLVM's tools print comes line by line, and each would be a read of a pipe."""
    with tempfile.TemporaryFile("w+") as printed:
        subprocess.run(command, stdout=printed, text=True, check=True, **options)
        printed.seek(0)
        return printed.read()


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


@pytest.fixture(scope="module")
def code(target, tmp_path_factory):
    """The instructions of each kernel, by its symbol."""
    binary = tmp_path_factory.mktemp("code") / target
    output_of(tool("llvm-objcopy"), "-O", "binary", "--only-section=.text", FOLDER / f"{target}.co", binary)
    return disassembled(binary.read_bytes(), target)


def same_for_same_bytes(function):
    """Some targets have another one's code (docs/amd.md): it need not be read twice."""
    read = {}
    return lambda binary, target: read[binary] if binary in read else read.setdefault(binary, function(target))


@same_for_same_bytes
def disassembled(target):
    text = output_of(tool("llvm-objdump"), "-d", "--no-show-raw-insn", FOLDER / f"{target}.co")
    functions = re.split(r"^[0-9a-f]+ <(\S+)>:$", text, flags=re.MULTILINE)[1:]
    return {symbol: [line.split("//")[0].strip() for line in body.split("\n") if line.startswith("\t")]
            for symbol, body in zip(functions[::2], functions[1::2])}


def wave_width(kernels):
    """As the metadata tell, the same for all: no name of a target tells it (gfx1250 is of CDNA, and 32 wide)."""
    width, = {fields["wavefront_size"] for fields in kernels.values()}
    return width


def has_kernel(kernels, start):
    return any(name.replace(" >", ">").startswith(start) for name in kernels)


def rungs():
    listed = json.loads(output_of(os.environ["WAVEFOLD"], "rungs", "--json", "-"))
    return [rung["name"] for rung in listed if rung["name"] not in OTHER_RUNGS and rung["family"] not in OTHER_FAMILIES]


@pytest.mark.parametrize("rung", rungs())
def test_every_kernel_is_there(kernels, rung):
    kernel = re.sub(r"_v\d$", "", rung)  # the load width is a template argument
    for ctype in TYPES.values():
        for op in OPS:
            start = f"void wf::{kernel}<{ctype}, wf::{op}<{ctype}>"
            assert has_kernel(kernels, start), start


@pytest.mark.parametrize("rung", ["hillis_steele", "blelloch", "add_prefixes", "look_back"])
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
    found = [name for name in kernels if name.startswith("void wf::reduce<")]
    for op in ["adds", "multiplies", "bits_or", "bits_xor", "extreme", "extremes", "first_extreme"]:
        assert has_kernel(found, f"void wf::reduce<wf::{op}<"), op
    assert len(found) >= 90
    for op in ["adds", "extreme", "extremes", "first_extreme"]:
        assert has_kernel(kernels, f"void wf::reduce_single_tile<wf::{op}<"), op


@pytest.mark.parametrize("ctype", TYPES.values())
def test_wave_folds_without_tile_memory(kernels, code, ctype):
    """wave_atomic has no tile memory of its own: a ds_ instruction would be a shuffle that goes through it."""
    for op in OPS:
        start = f"void wf::wave_atomic<{ctype}, wf::{op}<{ctype}>, {wave_width(kernels)}u, 1u>"
        symbol, = (fields["name"] for name, fields in kernels.items() if name.replace(" >", ">").startswith(start))
        assembly = "\n".join(code[symbol])
        assert "row_ror" in assembly and "v_readlane" in assembly
        assert re.findall(r"\bds_\w+", assembly) == []


def test_no_kernel_for_another_width(kernels, code):
    """The wave's width is the first number among the template's arguments; a kernel for another would be empty."""
    widths = [re.search(r"\b(32|64)u\b", re.sub(r"\(.*", "", name)) for name in kernels]
    found = {width[1] for width in widths if width}
    assert found == {wave_width(kernels)}
    assert sum(width is not None for width in widths) > 400
    assert {symbol for symbol, instructions in code.items() if len(instructions) < 10} == set()


def packed_shifts_too_far(instructions):
    """Shifts of two 16-bit numbers in one register, but for those by a constant below 16.

    The hardware takes an amount's low 4 bits. A compiler that means "none of this half is needed" by 255 shifts by 15,
    and clang 19 then forgets to mask the half. An amount in a register may be anything, and nothing here needs one.
    """
    shifts = [re.split(r"[ ,]+", each) for each in instructions if each.startswith(PACKED_SHIFTS)]
    return [" ".join(shift) for shift in shifts if not (shift[2].isdecimal() and int(shift[2]) < 16)]


def test_packed_shifts(code):
    wrong = {symbol: packed_shifts_too_far(instructions) for symbol, instructions in code.items()}
    assert {symbol: shifts for symbol, shifts in wrong.items() if shifts} == {}


def test_packed_shifts_are_found():
    """What clang 19 made for bf16 at odd addresses, in assembly and in code objects; and what would be right."""
    assert len(packed_shifts_too_far(["v_pk_lshrrev_b16 v7, 0x800ff, v3", "v_lshl_or_b32 v5, v7, 8, v5"])) == 1
    assert len(packed_shifts_too_far(["s_mov_b32 s12, 0x800ff", "v_pk_lshrrev_b16 v7, s12, v3"])) == 1
    assert len(packed_shifts_too_far(["v_pk_lshlrev_b16 v7, 16, v3 op_sel_hi:[0,1]"])) == 1
    assert packed_shifts_too_far(["v_pk_ashrrev_i16 v7, 8, v3 op_sel_hi:[0,1]", "v_lshrrev_b32_e32 v1, 24, v1"]) == []


def scalars_in(operands):
    """Scalar registers by number, and vcc as "vcc"."""
    found = set()
    for first, last, vcc in re.findall(r"\bs\[?(\d+)(?::(\d+))?|\b(vcc)", ",".join(operands)):
        found |= {vcc} if vcc else set(range(int(first), int(last or first) + 1))
    return found


def scalars_of(instruction):
    """Those that it reads, and those that it writes; of two that are issued as one, both's."""
    reads, writes = set(), set()
    for each in instruction.split("::"):
        name, *operands = re.split(r",? +", each.strip())
        results = 0 if name.startswith(NO_SCALAR_RESULT) else 2 if "_co_" in name or "div_scale" in name else 1
        if name.startswith("s_"):
            results = min(results, 1)
        writes |= scalars_in(operands[:results])
        reads |= scalars_in(operands if name.startswith(READS_ITS_RESULT) else operands[results:])
        if name.startswith(("s_cbranch_vcc", "v_dual_cndmask", "v_div_fmas")):
            reads.add("vcc")
    return reads, writes


def waits_for(operands, field, bits):
    """Whether it is an s_wait_alu for this, whose field then is 0: newer tools print fields by name."""
    return f"{field}(0)" in operands if "(" in operands else int(operands, 0) & bits == 0


def read_too_early(instructions):
    """What reads a scalar register that was written behind a vector instruction that read it, with no wait between, nor
    access to memory of some kinds: gfx12 may read what was there before (cmake/wait_for_scalars.cmake). Registers are
    in pairs for that. Along the instructions, up to where they do not go on: compilers look along branches, too."""
    def pair_of(register):
        return register if register == "vcc" else register // 2

    early, read, of_scalar, of_vector = [], set(), set(), set()
    for each in instructions:
        name, _, operands = each.partition(" ")
        if name in ("s_branch", "s_endpgm"):
            read, of_scalar, of_vector = set(), set(), set()
        elif name.startswith(MEMORY):
            of_scalar, of_vector = set(), set()
        elif name == "s_wait_alu":
            of_scalar = set() if waits_for(operands, "sa_sdst", 1) else of_scalar
            of_vector -= {"vcc"} if waits_for(operands, "va_vcc", 2) else set()
            of_vector &= {"vcc"} if waits_for(operands, "va_sdst", 0xe00) else of_vector
        elif name.startswith(("s_", "v_")):
            is_vector = name.startswith("v_")
            reads, writes = scalars_of(each)
            if reads & of_scalar or (is_vector and reads & of_vector):
                early.append(each)
            if is_vector:
                read |= {pair_of(register) for register in reads}
            else:  # it waits for vector instructions by itself
                of_vector -= {"vcc"} if "vcc" in reads else set()
                of_vector &= {"vcc"} if reads - {"vcc"} else of_vector
            hazards = {register for register in writes if pair_of(register) in read}
            of_scalar = of_scalar - hazards if is_vector else of_scalar | hazards
            of_vector = of_vector | hazards if is_vector else of_vector - hazards
    return early


def test_scalars_are_waited_for(target, code):
    if not re.match("gfx12[^5]", target):
        pytest.skip("others wait by themselves")
    early = {symbol: read_too_early(instructions) for symbol, instructions in code.items()}
    assert {symbol: reads[:3] for symbol, reads in early.items() if reads} == {}


def test_scalars_that_are_not_waited_for_are_found():
    add, carry = "v_add_co_u32 v0, vcc_lo, v0, v2", "v_add_co_ci_u32_e32 v1, vcc_lo, v1, v3, vcc_lo"
    assert read_too_early([add, carry, add, carry]) == [carry]
    assert read_too_early([add, carry, add, "s_wait_alu 0xfffd", carry]) == []
    assert read_too_early([add, carry, add, "s_wait_alu 0xfffe", carry]) == [carry]
    use, write, other = "v_mov_b32_e32 v0, s5", "s_mov_b32 s4, 0", "v_cmp_eq_u32_e64 s4, v0, v1"
    read = "s_add_co_i32 s6, s4, 1"
    assert read_too_early([use, write, read]) == [read] and read_too_early([write, use, read]) == []
    assert read_too_early([use, write, "s_wait_alu 0xfffe", read]) == []
    assert read_too_early([use, write, "s_wait_alu depctr_va_vcc(0) depctr_sa_sdst(0)", read]) == []
    assert read_too_early([use, write, "buffer_load_b32 v1, v0, s[8:11], 0 offen", read]) == []
    assert read_too_early([use, write, "global_load_b32 v1, v0, s[8:9]", read]) == [read]
    assert read_too_early([use, other, read]) == [] and read_too_early([use, other, "v_mov_b32_e32 v1, s4"]) != []
    assert read_too_early([use, other, "s_wait_alu 0xf1ff", "v_mov_b32_e32 v1, s4"]) == []
    assert read_too_early([use, "s_branch 4", write, read]) == []
    for reads_first in ("v_cmpx_eq_u32_e64 s4, v0", "s_addk_co_i32 s4, 0x2a", "s_mulk_i32 s4, 0x2a",
                        "s_cmov_b32 s4, s9", "s_fmac_f32 s4, s9, s10", "s_bitset0_b32 s4, 31"):
        assert read_too_early([use, write, reads_first]) == [reads_first]
    pair = "v_dual_cndmask_b32 v5, v5, v7 :: v_dual_mov_b32 v6, s4"
    assert read_too_early([use, write, pair]) == [pair] and read_too_early([pair, "s_mov_b32 vcc_lo, s9", pair]) != []


def not_waited_for(instructions):
    """Barriers with no wait for stores to tile memory right before: another wave may not see them. And caches that are
    written back for others than the tile, with no wait for that right behind: who is told of what was stored may not
    find it. See cmake/wait_at_fences.cmake."""
    before = {"s_barrier": "s_waitcnt lgkmcnt(0)", "s_barrier_signal": "s_wait_dscnt 0x0"}
    behind = {"buffer_wbl2": "s_waitcnt vmcnt(0)", "global_wb": "s_wait_storecnt 0x0"}
    wrong = []
    for previous, each, following in zip(["", *instructions], instructions, [*instructions[1:], ""]):
        name = each.split(" ")[0]
        if name in before and previous != before[name]:
            wrong.append(each)
        if name in behind and not each.endswith("SCOPE_SE") and not following.startswith(behind[name]):
            wrong.append(each)
    return wrong


def test_fences_are_waited_at(code):
    wrong = {symbol: not_waited_for(instructions) for symbol, instructions in code.items()}
    assert {symbol: fences for symbol, fences in wrong.items() if fences} == {}


def test_fences_that_are_not_waited_at_are_found():
    """As clang 19 told the host that a sum of bf16 is there, on gfx942, and as it made blelloch's loop for matrices, on
    gfx10-3-generic; and what would be right."""
    tell = "global_store_dwordx2 v2, v[0:1], s[26:27] sc0 sc1"
    assert not_waited_for(["s_waitcnt vmcnt(0)", "buffer_wbl2 sc0 sc1", "buffer_inv sc0 sc1", tell]) != []
    assert not_waited_for(["buffer_wbl2 sc0 sc1", "s_waitcnt vmcnt(0)", "buffer_inv sc0 sc1", tell]) == []
    assert not_waited_for(["buffer_wbl2", "s_waitcnt vmcnt(1)", "buffer_invl2"]) == ["buffer_wbl2"]
    for scope in ("SCOPE_DEV", "SCOPE_SYS"):
        assert not_waited_for([f"global_wb scope:{scope}", f"global_inv scope:{scope}"]) == [f"global_wb scope:{scope}"]
        assert not_waited_for([f"global_wb scope:{scope}", "s_wait_storecnt 0x0", f"global_inv scope:{scope}"]) == []
    assert not_waited_for(["s_mov_b32 s8, exec_lo", "s_waitcnt_vscnt null, 0x0", "s_barrier"]) == ["s_barrier"]
    assert not_waited_for(["s_waitcnt_vscnt null, 0x0", "s_waitcnt lgkmcnt(0)", "s_barrier", "buffer_gl0_inv"]) == []
    signal = ["s_barrier_signal -1", "s_barrier_wait -1", "global_inv scope:SCOPE_SE"]
    assert not_waited_for(["global_wb scope:SCOPE_SE", *signal]) == ["s_barrier_signal -1"]
    assert not_waited_for(["global_wb scope:SCOPE_SE", "s_wait_dscnt 0x0", *signal]) == []


@pytest.mark.parametrize("field", ["private_segment_fixed_size", "vgpr_spill_count", "sgpr_spill_count"])
def test_no_spills_and_no_scratch(kernels, field):
    """Scalar registers may be spilled to lanes of vector registers by kernels along axes and scans, which have long
    arguments, and by radix sorts, which hold the ballots of several keys: some instructions each, no memory."""
    spilled = {name: int(fields[field]) for name, fields in kernels.items() if fields[field] != "0"}
    if field == "sgpr_spill_count":
        may = ("axes_", "radix", "wf::scan_")
        spilled = {name: count for name, count in spilled.items() if count > 128 or not any(m in name for m in may)}
    assert spilled == {}


def test_float_modes(target, kernels):
    """Kernels start in the mode that their descriptors name: all round to nearest even, and take no subnormal number
    for 0. Exact sums count on both, and no kernel sets a mode."""
    binary = (FOLDER / f"{target}.co").read_bytes()
    symbols = output_of(tool("llvm-readelf"), "--symbols", "--wide", FOLDER / f"{target}.co")
    places = {int(place, 16) for place in re.findall(r": (\w+) +64 OBJECT .*\.kd$", symbols, flags=re.MULTILINE)}
    assert len(places) == len(kernels)  # by address, which is the place in the file
    registers = [struct.unpack_from("<I", binary, place + 48)[0] for place in places]  # COMPUTE_PGM_RSRC1
    assert {register >> 12 & 0xff for register in registers} == {0xf0}


def test_no_mode_is_set(code):
    assembly = "\n".join("\n".join(instructions) for instructions in code.values())
    assert re.findall(r"\bs_(?:setreg|round_mode|denorm_mode)\w*", assembly) == []


def test_largest_tiles(kernels):
    """All but those with a tile size of their own: wf_describe's, the exact sums' and radix sorts' kernels are given
    smaller ones; a message's tile is a wave."""
    sizes = {}
    for name, fields in kernels.items():
        if "_registers_" not in name:
            kinds = {"wf::axes_": "axes", "<wf::describes<": "describe", "wf::exact_policy<": "exact",
                     "wf::message_": "message", "wf::radix_count<": "count", "radix<": "radix", "wf::scan_": "scan",
                     "wf::mark_begins<": "scan", "wf::rank_rows<": "rows", "wf::number_rows<": "rows",
                     "wf::move_values<": "rows", "wf::longest_segment<": "rows", "wf::count_runs<": "by key",
                     "wf::write_runs<": "by key", "wf::lengths_of_segments<": "by key", "wf::check_indices<": "by key",
                     "wf::count_indices<": "by key", "wf::bins_of_indices<": "by key", "wf::join_arrays<": "by key",
                     "wf::offsets_of_bins<": "by key"}
            kind = next((kinds[start] for start in kinds if start in name), "other")
            sizes.setdefault(kind, set()).add(fields["max_flat_workgroup_size"])
    assert sizes.pop("message") == {wave_width(kernels)}
    assert sizes == {"other": {"1024"}, "axes": {"256"}, "describe": {"512"}, "exact": {"256"}, "count": {"256"},
                     "radix": {"384"}, "scan": {"256"}, "rows": {"256"}, "by key": {"256"}}


@pytest.mark.parametrize("key", ["unsigned int", "unsigned long"])
@pytest.mark.parametrize("value", ["wf::no_value", "unsigned int", "unsigned long"])
@pytest.mark.parametrize("kernel", ["registers_sort", "registers_merge", "registers_across", "tile", "step"])
def test_every_sort_is_there(kernels, kernel, key, value):
    expected = kernel.startswith("registers") or value != "unsigned long"
    start = f"void wf::bitonic_{kernel}<{key}, {value}"
    assert any(name.startswith(start) for name in kernels) == expected, start


@pytest.mark.parametrize("key", ["unsigned char", "unsigned short", "unsigned int", "unsigned long"])
@pytest.mark.parametrize("kernel", ["radix_count<{}, ", "radix<{}, false, ", "radix<{}, true, ",
                                    "short_radix<{}, true, ", "rank_rows<{}, "])
def test_every_radix_sort_is_there(kernels, kernel, key):
    start = f"void wf::{kernel.format(key)}"
    assert any(name.startswith(start) for name in kernels), start


def test_no_generic_addressing(code):
    """Tile memory is reached by ds_ and arrays by global_ instructions; flat_ would be both at once, and slower.
    Kernels along axes still have such (docs/amd.md)."""
    assembly = "\n".join("\n".join(instructions) for symbol, instructions in code.items() if "axes_" not in symbol)
    along_axes = "\n".join("\n".join(instructions) for symbol, instructions in code.items() if "axes_" in symbol)
    assert "ds_" in assembly and "global_load" in assembly
    assert re.findall(r"\b(?:flat|scratch|buffer)_(?:load|store|atomic)\w*", assembly) == []
    assert re.findall(r"\b(?:scratch|buffer)_(?:load|store|atomic)\w*", along_axes) == []


def test_code_object_version(target):
    """4 is what every runtime loads; a generic target's code is of version 6, and those that load it know that."""
    version = re.search(r"^ +ABI Version: +(\d+)$", output_of(tool("llvm-readelf"), "-h", FOLDER / f"{target}.co"),
                        flags=re.MULTILINE)[1]
    assert int(version) + 2 == (6 if target.endswith("-generic") else 4)  # ELF counts on from version 2


def bundled():
    """The bundle in the module, as runtimes read it: {entry: its code object}. Compressed, it begins with other bytes,
    which runtimes of ROCm 5 do not know."""
    module = pathlib.Path(os.environ["WAVEFOLD_AMD_MODULE"]).read_bytes()
    magic = b"__CLANG_OFFLOAD_BUNDLE__"
    start, = (match.start() for match in re.finditer(magic, module) if match.start() % 4096 == 0)  # as it is aligned
    bundle = module[start:]
    place, entries = len(magic) + 8, {}
    for _ in range(int.from_bytes(bundle[len(magic):place], "little")):
        offset, size, length = struct.unpack_from("<3Q", bundle, place)
        place += 24
        entries[bundle[place:place + length].decode()] = bundle[offset:offset + size]
        place += length
    assert place <= 4096  # runtimes since ROCm 5 look no further for entries
    return entries


def test_the_module_holds_every_target():
    entries = bundled()
    assert [entry.partition("-")[0] for entry in entries] == ["host", *["hipv4"] * len(TARGETS)]
    for target in TARGETS:
        assert entries[f"hipv4-amdgcn-amd-amdhsa--{target}"] == (FOLDER / f"{target}.co").read_bytes()
