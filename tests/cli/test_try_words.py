"""wavefold try: kernels in each family of the device words, right ones and a planted misuse of each."""

import pytest
from support import FAILURE, SUCCESS
from tried_kernels import LOADED, findings, line_of

KERNEL = """#include <cuda_runtime.h>
{includes}
__global__ void mine(const float *in, float *out, unsigned n) {{
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
{body}}}
{launch}
"""
EACH = "    float x = i < n ? in[i] : 0;\n"
TREE = """    __shared__ float cells[256];
    cells[t] = x;
    for (unsigned s = 128; s > 0; s /= 2) {
        __syncthreads();
        if (t < s)
            cells[t] += cells[t + s];
    }
    if (t == 0)
        out[blockIdx.x] = cells[0];
"""
GROUPS = "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;"


def kernel(body, *includes, launch="WF_TRY(mine, 256, 256)"):
    return KERNEL.format(body=body, includes="\n".join(includes), launch=launch)


def tree(condition, *includes, more=""):
    """Sums the elements if a word's condition holds in each thread."""
    return kernel(f"{EACH}{more}    if (!({condition}))\n        x = 0.25f;\n{TREE}", *includes)


SEGMENTS = EACH + """    const unsigned lane = t % warpSize;
    if (lane % 16 < 8) { // the first half of each 16 lanes sums for both
        const unsigned long long mine = 0xffull << lane / 16 * 16;
        x += __shfl_sync(mine, i + 8 < n ? in[i + 8] : 0, lane);
        for (unsigned by = 4; by > 0; by /= 2)
            x += __shfl_xor_sync(mine, x, by);
        if (lane % 8 == 0)
            atomicAdd(out, x);
    }
"""
TILES = EACH + """    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    __shared__ float sums[8];
    x = cg::reduce(tile, x, cg::plus<float>());
    if (tile.thread_rank() == 0)
        sums[tile.meta_group_rank()] = x;
    cg::sync(cg::this_thread_block());
    if (tile.meta_group_rank() == 0) {
        x = tile.thread_rank() < 8 ? sums[tile.thread_rank()] : 0;
        for (int by = 16; by > 0; by /= 2)
            x += tile.shfl_down(x, by);
        if (tile.thread_rank() == 0)
            out[blockIdx.x] = x;
    }
"""
BLOCK = EACH + """    using reduce = cub::BlockReduce<float, 256>;
    __shared__ reduce::TempStorage storage;
    const float sum = reduce(storage).Sum(i % 2 == 0 ? x : 0);
    __syncthreads();
    const float more = reduce(storage).Sum(i % 2 == 1 ? x : 0);
    if (t == 0)
        out[blockIdx.x] = sum + more;
"""
ATOMICS = """    __shared__ double sum;
    __shared__ unsigned long long count;
    __shared__ half2 halves;
    if (t == 0) {
        sum = 0;
        count = ~0ull;
        halves = __float2half2_rn(0);
    }
    __syncthreads();
    if (i < n)
        atomicAdd_block(&sum, double(in[i]));
    atomicMin(&count, 1ull << 40);
    atomicAnd(&count, ~(1ull << t % 64 / 2));
    atomicAdd(&halves, __floats2half2_rn(1, -1));
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = count == 1ull << 40 && __low2float(halves) == 256 && __hlt(halves.y, half(-255)) ? sum : 0;
"""
GUESSES = """    __shared__ float most, sums[8];
    if (t < 8)
        sums[t] = 0;
    if (t == 0)
        most = 0;
    __syncthreads();
    if (i < n) {
        int *const bits = reinterpret_cast<int *>(&sums[t % 8]);
        int old = *bits, expected;
        do {
            expected = old;
            old = atomicCAS(bits, expected, __float_as_int(in[i] + __int_as_float(expected)));
        } while (old != expected);
    }
    __syncthreads();
    if (t == 0)
        for (int k = 0; k < 8; k++)
            most += sums[k];
    if (t == 0)
        out[blockIdx.x] = most;
"""
LAST = """    __shared__ bool is_last;
    __shared__ cub::BlockReduce<float, 256>::TempStorage storage;
    float sum = 0;
    for (size_t k = i; k < n; k += 8 * 256)
        sum += in[k];
    sum = cub::BlockReduce<float, 256>(storage).Sum(sum);
    if (t == 0) {
        partials[blockIdx.x] = sum;
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(ticket);
        is_last = tickets.fetch_add(1, cuda::memory_order_acq_rel) == 7;
    }
    __syncthreads();
    if (is_last && t == 0) {
        for (unsigned k = 0; k < 8; k++)
            out[0] += partials[k];
        ticket = 0;
    }
"""
DEVICE = ("#include <cub/cub.cuh>", "#include <cuda/atomic>", "__device__ unsigned ticket;",
          "__device__ float partials[8];")
HIP = """    __shared__ float4 cells[64];
    const float4 *const fours = reinterpret_cast<const float4 *>(in);
    if (t < 64) {
        const unsigned k = blockIdx.x * 64 + t;
        cells[t] = float4(0, 0, 0, 0);
        if (4 * k + 3 < n)
            cells[t] += fours[k] * 2.0f;
        else
            for (unsigned e = 4 * k; e < n; e++)
                cells[t].x += 2 * in[e];
    }
    for (unsigned s = 32; s > 0; s /= 2) {
        __syncthreads();
        if (t < s)
            cells[t] = cells[t] + cells[t + s];
    }
    if (t == 0)
        out[blockIdx.x] = (cells[0].x + cells[0].y + cells[0].z + cells[0].w) / 2;
"""
RIGHT = {
    "masks of parts": kernel(SEGMENTS, launch="WF_TRY_ATOMIC(mine, 256, 256 + 1)"),
    "tiles": kernel(TILES, GROUPS),
    "CUB": kernel(BLOCK, "#include <cub/cub.cuh>"),
    "atomics": kernel(ATOMICS, "#include <cuda_fp16.h>"),
    "an order that releases": kernel(LAST, *DEVICE, launch="WF_TRY_ATOMIC(mine, 256, 8)"),
    "a first guess of what to swap": kernel(GUESSES),
    "HIP's vectors": kernel(HIP, "#include <hip/hip_runtime.h>"),
    "counting barriers": tree("all && some && count == 100", more="""
    const int all = __syncthreads_and(t < 256), some = __syncthreads_or(t == 77), count = __syncthreads_count(t < 100);
"""),
    "activemask in a branch": tree("together == 128", more="""
    unsigned together = 128;
    if (t % 2 == 0)
        together = 256 / warpSize * __popcll(__activemask());
"""),
    "floats of 16 bits": tree("float(h) == float(__float2half_rn(x)) && float(b) <= float(b + nv_bfloat16(0.0f)) && "
                              "__half2float(__hfma(h, half(2), -h)) == float(h)", "#include <cuda_bf16.h>",
                              "#include <cuda_fp16.h>", more="    const half h = x;\n    const nv_bfloat16 b = x;\n"),
    "numbers": tree("__clz(int(i)) == 32 - (i == 0 ? 0 : int(log2f(i)) + 1) && __brev(__brev(i)) == i && "
                    "__fmul_rn(__fadd_rn(x, 1), 2) == 2 * x + 2 && __byte_perm(i, 0, 0x0123) == __builtin_bswap32(i)"),
    "hints": kernel("    float x = i < n ? __ldcs(in + i) : 0;\n" + TREE.replace(
        "out[blockIdx.x] = cells[0];", "__stcg(&out[blockIdx.x], cells[0]);")),
}
WRONG = {
    "a mask without its caller": (kernel(SEGMENTS.replace("0xffull", "0x7full"),
                                         launch="WF_TRY_ATOMIC(mine, 256, 257)"),
                                  "__shfl_sync", "calls with the mask 0x7f, which does not name it"),
    "masks that differ": (kernel(EACH + "    x += __shfl_xor_sync(t % 2 == 0 ? ~0ull : ~1ull, x, 1);\n" + TREE),
                          "__shfl_xor", "lane 0 waits for its wave"),
    "a tile of which lanes stay away": (kernel(TILES.replace(
        "x = tile.thread_rank() < 8 ?",
        "if (tile.thread_rank() < 8)\n            x = tile.shfl(x, 0);\n        x = tile.thread_rank() < 8 ?"), GROUPS),
                                        "tile.shfl(x", "lane 0 waits for "),
    "a tile wider than a wave": (kernel(TILES.replace("partition<32>", "partition<128>"), GROUPS),
                                 "tiled_partition", "makes tiles of 128 lanes, in a wave of "),
    "TempStorage used again with no barrier": (kernel(BLOCK.replace("    __syncthreads();\n", ""),
                                                      "#include <cub/cub.cuh>"), "float more", "race in tile memory"),
    "a pair of halves that is not set": (kernel(ATOMICS.replace("        halves = __float2half2_rn(0);\n", ""),
                                                "#include <cuda_fp16.h>"), "atomicAdd(&halves", "was never written"),
    "a store beside atomic ones": (kernel(ATOMICS.replace("    atomicMin(", "    count = 1;\n    atomicMin("),
                                          "#include <cuda_fp16.h>"), "count = 1", "race in tile memory"),
    "a load of what others swap": (kernel(GUESSES.replace("    }\n    __syncthreads();", "    }")), "most += sums",
                                   "race in tile memory"),
    "an order that releases nothing": (kernel(LAST.replace("acq_rel", "relaxed"), *DEVICE,
                                              launch="WF_TRY_ATOMIC(mine, 256, 8)"), "+= partials",
                                       "with nothing that orders them"),
    "a value of a lane that has returned": (kernel("    if (t % 64 == 63)\n        return;\n" + EACH + """
    x += __shfl_down(x, 1);
    atomicAdd(out, x);
""", launch="WF_TRY_ATOMIC(mine, 256, 257)"), "__shfl_down", "by a shuffle, which has returned"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right(attempt, name):
    done, report = attempt(RIGHT[name], *LOADED)
    assert done.returncode == SUCCESS and report["clean"], done.stdout + done.stderr


@pytest.mark.parametrize("name", WRONG)
def test_wrong(attempt, name):
    text, at, said = WRONG[name]
    done, report = attempt(text, *LOADED)
    assert done.returncode == FAILURE, done.stdout + done.stderr
    for width in (32, 64):
        found = findings(report, width)
        assert any(said in each and f"mine.hip:{line_of(text, at)}" in each for each in found), found


def test_a_grid_has_no_barrier(attempt):
    text = kernel(TILES.replace("cg::sync(cg::this_thread_block())", "cg::this_grid().sync()"), GROUPS)
    done, report = attempt(text)
    assert done.returncode == FAILURE
    for of in report["widths"]:
        assert f"it called grid.sync() (mine.hip:{line_of(text, 'this_grid')}): the host" in of["stopped"]["why"]


def test_a_trap_is_told(attempt):
    text = kernel(EACH + "    if (i + 1 == n && n > 60000)\n        __trap();\n" + TREE)
    _, report = attempt(text)
    for of in report["widths"]:
        assert f"it called __trap() (mine.hip:{line_of(text, '__trap')})" in of["stopped"]["why"]
