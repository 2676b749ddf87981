"""Kernels that the tests of wavefold try write to a file: right ones, and each mistake planted in one."""

LADDER = """#include "operators.hpp"
#include "tile.hpp"
#include "wave.hpp"
using namespace wf;
template <class T, class Op{more}>
__global__ void mine(array_view<const T> source, array_view<T> partials) {{
    const tiled_index tidx;
    const tile_static<T> cells(tidx);
    const Op fold;
    const unsigned t = tidx.local;
{body}}}
#ifdef WF_TRY
{launch}
#endif
"""
PLAIN = """#include <hip/hip_runtime.h>
__global__ void mine(const float *in, float *out, {count} n) {{
    {cells}
    const unsigned t = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + t;
{body}}}
#ifdef WF_TRY
{launch}
#endif
"""
LADDER_TREE = """    cells[t] = tidx.global < source.size() ? source[tidx.global] : Op::identity();
    tidx.barrier.wait();
    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {
        if (t < s)
            cells[t] = fold(cells[t], cells[t + s]);
        tidx.barrier.wait();
    }
    if (t == 0)
        partials[tidx.tile] = cells[0];
"""
PLAIN_TREE = """    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            cells[t] += cells[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = cells[0];
"""
LAUNCH = "WF_TRY(mine, 256, 256)"
ATOMIC = "WF_TRY_ATOMIC(mine, 256, 8)"


def changed(text, *changes):
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after)
    return text


def ladder(*changes, launch=LAUNCH, more=""):
    return LADDER.format(body=changed(LADDER_TREE, *changes), launch=launch, more=more)


def plain(*changes, launch=LAUNCH, cells="__shared__ float cells[256];", count="size_t"):
    return PLAIN.format(body=changed(PLAIN_TREE, *changes), launch=launch, cells=cells, count=count)


SHUFFLES = """    float sum = i < n ? in[i] : 0;
    for (unsigned d = warpSize / 2; d > 0; d /= 2)
        sum += __shfl_down_sync(~0ull, sum, d);
    if (t % warpSize == 0)
        atomicAdd(out, sum);
"""
STRIDED = ("cells[t] = i < n ? in[i] : 0;",
           "cells[t] = 0; for (size_t k = i; k < n; k += size_t(gridDim.x) * blockDim.x) cells[t] += in[k];")
TEMPLATE = """#include <hip/hip_runtime.h>
__device__ __forceinline__ float fold(float a, float b) { return a + b; }
template <unsigned Size>
__global__ void __launch_bounds__(Size) total(const float *__restrict__ in, float *__restrict__ out, unsigned n) {
    __shared__ float cells[2][Size];
    __shared__ double more[8];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    cells[1][t] = i < n ? in[i] : 0;
    __syncthreads();
#pragma unroll
    for (unsigned s = Size / 2; s > 0; s >>= 1) {
        if (t < s)
            cells[1][t] = fold(cells[1][t], cells[1][t + s]);
        __syncthreads();
    }
    if (t == 0) {
        more[7] = cells[1][0];
        out[blockIdx.x] = float(more[7]);
    }
}
WF_TRY(total<128>, 128, 128)
"""
LAST_BLOCK = PLAIN.format(cells="__shared__ float cells[256]; __shared__ bool last;", count="size_t", launch=ATOMIC,
                          body="""
    float sum = 0;
    for (size_t k = i; k < n; k += size_t(gridDim.x) * blockDim.x)
        sum += in[k];
    cells[t] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            cells[t] += cells[t + s];
        __syncthreads();
    }
    if (t == 0) {
        partials[blockIdx.x] = cells[0];
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0)
        for (unsigned k = 0; k < gridDim.x; k++)
            out[0] += partials[k];
""").replace("__global__", "__device__ unsigned ticket;\n__device__ float partials[8];\n__global__", 1)
# Each thread adds its element if all that it asks is as on GPUs. 48 threads do not fill their waves.
WORDS = """#include <hip/hip_runtime.h>
__constant__ double one = 1;
__shared__ float cells[128];
struct of_thread { float x; __device__ of_thread() {} };
__device__ void keep(unsigned t, float x) {
    extern __shared__ __align__(16) float kept[];
    kept[t] = x;
}
__global__ void mine(const float *in, float *out, unsigned n) {
    extern __shared__ __align__(16) float kept[];
    __shared__ of_thread own[48];
    __shared__ float total;
    const auto t = threadIdx.x;
    const unsigned i = blockIdx.x * blockDim.x + t, first = t / warpSize * warpSize;
    if (n == 1 && t == 1)
        printf("/* %u of %u, %d\\n", threadIdx.x, blockDim.x, warpSize);
    bool is_right = i < n && t < min(blockDim.x, n - blockIdx.x * 48) && max(int(t) - warpSize, -64) < int(t);
    is_right &= (int(t) - warpSize < 0) == (first == 0);
    is_right &= __popcll(__ballot(true)) == min(warpSize, int(48 - first));
    is_right &= __shfl(threadIdx.x, 0) == first && __shfl_xor(t, 16, 16) == (t / 16 % 2 == 1 ? t - 16 : t);
    is_right &= __any(t == first) && !__any_sync(~0ull, t == 48) && !__all(t == first) && __all_sync(~0ull, t < 48);
    is_right &= __popcll(__activemask()) == min(warpSize, int(48 - first));
    is_right &= __ffs(0) == 0 && __ffs(48) == 5 && __ffsll(__ballot(t >= first + 3)) == 4 && __ffsll(1ull << 40) == 41;
    if (t == 0) {
        memset(cells, 0, sizeof cells);
        atomicExch(&total, 0.0f);
    }
    __syncthreads();
    keep(t, i < n ? float(__longlong_as_double(__double_as_longlong(in[i])) * one) : 0);
    memcpy(&cells[127 - t], &kept[t], sizeof(float));
    own[t].x = cells[127 - t];
    __syncthreads();
    if (is_right)
        atomicAdd(&total, own[t].x + cells[t]);
    __syncthreads();
    if (t == 0)
        atomicExch(&out[blockIdx.x], total);
}
WF_TRY(mine, 48, 48)
"""
# Each thread adds its elements if it gets the values that lanes of its group have, of groups of every width, and what
# was in its cell.
ANSWERS = PLAIN.format(cells="__shared__ unsigned own[256];", count="size_t", launch=ATOMIC, body="""
    const unsigned lane = t % warpSize;
    own[t] = t;
    bool is_right = atomicExch(&own[t], 7) == t && own[t] == 7;
    for (unsigned width = 1; width <= unsigned(warpSize); width *= 2)
        for (unsigned by = 0; by < 6; by++) {
            const unsigned first = lane / width * width;
            is_right &= __shfl_up(lane, by, width) == (lane - first >= by ? lane - by : lane);
            is_right &= __shfl_down(lane, by, width) == (lane - first + by < width ? lane + by : lane);
            is_right &= __shfl_xor(lane, by, width) == ((lane ^ by) < first + width ? lane ^ by : lane);
            is_right &= __shfl(lane, by, width) == first + by % width;
        }
    for (size_t k = i; is_right && k < n; k += size_t(gridDim.x) * blockDim.x)
        atomicAdd(out, in[k]);
""")
# Between a struct's members lies what nobody writes, and what copies the struct reads.
PADDING = PLAIN.format(cells="__shared__ term cells[256], copies[256];", count="size_t", launch=LAUNCH, body="""
    cells[t].more = i < n;
    cells[t].value = i < n ? in[i] : 0;
    __syncthreads();
    copies[t] = cells[255 - t];
    __syncthreads();
    float sum = 0;
    for (unsigned k = 0; t == 0 && k < 256; k++)
        sum += copies[k].more ? float(copies[k].value) : 0;
    if (t == 0)
        out[blockIdx.x] = sum;
""").replace("__global__", "struct term {\n    char more;\n    double value;\n};\n__global__", 1)
# Four lanes write the bytes of one word.
BYTES = PLAIN.format(cells="__shared__ float cells[4];", count="size_t", launch="WF_TRY(mine, 4, 4)", body="""
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    const unsigned bits = __float_as_uint(cells[0] + cells[1] + cells[2] + cells[3]);
    ((unsigned char *)&out[blockIdx.x])[t] = bits >> 8 * t;
""")
# Two numbers and four, of each type there is, by each way to one: from numbers, of another, in place of another.
VECTORS = """constexpr float2 minus_one = {-1, 0};
__device__ float4 sum_of(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ float half_of(float4 v) {
    const int4 whole = make_int4(int(v.x * 2), int(v.y * 2), int(v.z * 2), int(v.w * 2));
    const int2 pair = make_int2(whole.x + whole.y, whole.z + whole.w);
    const uint4 same = {unsigned(pair.x), unsigned(pair.y)};
    uint2 last = make_uint2(same.z, 1);
    last = uint2{same.x + same.y + last.x, 0};
    return int(last.x + last.y) * 0.5f;
}
__global__ void mine(const float *in, float *out, size_t n) {
    __shared__ float4 cells[64];
    __shared__ float2 sums[1];
    __shared__ double2 total;
    const unsigned t = threadIdx.x;
    const size_t first = size_t(blockIdx.x) * 256 + 4 * t;
    float4 own = {};
    if (first + 3 < n)
        own = reinterpret_cast<const float4 *>(in)[first / 4];
    else
        for (size_t i = first; i < n; i++)
            own.x += __ldg(&in[i]);
    cells[t] = own;
    __syncthreads();
    for (unsigned s = 32; s > 0; s /= 2) {
        if (t < s)
            cells[t] = sum_of(cells[t], cells[t + s]);
        __syncthreads();
    }
    if (t == 0) {
        sums[0] = make_float2(half_of(cells[0]), minus_one.x);
        total = make_double2(sums[0].x, sums[0].y);
        const double2 copied = total;
        out[blockIdx.x] = float(copied.x);
    }
}
#ifdef WF_TRY
WF_TRY(mine, 64, 256)
#endif
"""
# An array that begins aligned though its bytes are no multiple of 16.
FLOATS_AS_VECTORS = plain(("    __syncthreads();\n    for", """    __syncthreads();
    float4 *const vectors = reinterpret_cast<float4 *>(cells);
    if (t < 64)
        vectors[t] = float4(vectors[t]);
    __syncthreads();
    for"""), cells="__shared__ float cells[257];")
RIGHT = {
    "vectors": VECTORS,
    "floats as vectors": FLOATS_AS_VECTORS,
    "an array that is not const": plain().replace("const float *in", "float *in"),
    "HIP's names of its first years": changed(
        plain(STRIDED, ("out[blockIdx.x] = cells[0]", "atomicAdd(&out[hipBlockIdx_x / hipGridDim_x], cells[0])"),
              launch=ATOMIC, cells="HIP_DYNAMIC_SHARED(float, cells)"),
        ("threadIdx.x", "hipThreadIdx_x"), ("blockIdx.x", "hipBlockIdx_x"), ("blockDim.x", "hipBlockDim_x")),
    "headers of CUDA": plain().replace(
        "<hip/hip_runtime.h>", "<cuda.h>\n#include <cuda_runtime.h>\n#include \"device_launch_parameters.h\""),
    "a result that is volatile": plain().replace("float *out", "volatile float *out"),
    "bytes of one word": BYTES,
    "words of GPUs": WORDS,
    "what shuffles and exchanges answer": ANSWERS,
    "a template, device functions": TEMPLATE,
    "the last block, variables of the device": LAST_BLOCK,
    "a struct that is copied with its padding": PADDING,
    "ladder": ladder(),
    "ladder with a width": LADDER.format(
        more=", unsigned Width", launch=LAUNCH,
        body="""    T sum = tidx.global < source.size() ? source[tidx.global] : Op::identity();
    sum = tile_reduce<Width>(tidx, cells, sum, fold);
    if (t == 0)
        partials[tidx.tile] = sum;
"""),
    "plain": plain(),
    "plain with an int": plain(count="int"),
    "plain with an unsigned": plain(count="unsigned"),
    "memory of the launch": plain(cells="extern __shared__ float cells[];"),
    "memory of the launch, declared over lines": plain(cells="extern __shared__ __align__(16)\n    float cells[];"),
    "memory of the launch by two names": plain(("cells[t] = i", "same[t] = i"),
                                               cells="extern __shared__ float cells[], same[];"),
    "memory of the launch, in a namespace": plain(cells="extern __shared__ float cells[];").replace(
        "__global__", "namespace kernels {\n__global__").replace("#ifdef", "}\n#ifdef").replace(
            "TRY(", "TRY(kernels::"),
    "memory of the launch, for a template": plain(cells="float *const cells = launched<float>();").replace(
        "__global__", """template <class T>
__device__ inline T *launched() {
    extern __shared__ __align__(16) unsigned char all[];
    return reinterpret_cast<T *>(all);
}
__global__""", 1),
    "a comma between arguments of the template": changed(
        TEMPLATE, ("<unsigned Size>", "<unsigned Size, bool Full>"), ("total<128>,", "(total<128, true>),")),
    "a volatile cell": plain(("cells[t] += cells[t + s]", "((volatile float *)cells)[t] += cells[t + s]")),
    "atomic": plain(STRIDED, ("out[blockIdx.x] = cells[0]", "atomicAdd(out, cells[0])"), launch=ATOMIC),
    "compare and swap": plain(STRIDED, ("out[blockIdx.x] = cells[0];", """{
        unsigned *const word = (unsigned *)out;
        unsigned old = __float_as_uint(0), seen;
        while ((seen = atomicCAS(word, old, __float_as_uint(__uint_as_float(old) + cells[0]))) != old)
            old = seen;
    }"""), launch=ATOMIC),
    "shuffles": PLAIN.format(cells="", count="size_t", body=SHUFFLES, launch="WF_TRY_ATOMIC(mine, 256, 256)"),
    "atomic in tile memory": PLAIN.format(cells="__shared__ float sum[1];", count="size_t", launch=LAUNCH, body="""
    if (t == 0)
        sum[0] = 0;
    __syncthreads();
    atomicAdd(sum, i < n ? in[i] : 0);
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = sum[0];
"""),
    "functions of floats": plain(("in[i] : 0;", """abs(in[i]) * (signbit(in[i]) ? -1 : 1) : 0;
    if (isnan(cells[t]) || fabsf(sqrt(cells[t] * cells[t]) - abs(cells[t])) > 0)
        return;""")),
    "functions of floats in the ladder's words": ladder(
        ("? source[tidx.global]", "? abs(source[tidx.global] + 0) * (signbit(source[tidx.global] + 0) ? -1 : 1)")),
    "a quote as a character": "__device__ const char quotes[] = {'\"', '\\\"'}; // of a tiled_index\n" + plain(),
    "a string that lies": "__device__ const char *const word = \"tiled_index\";\n" + plain(),
    "a comment that lies behind another one": "/* A *//* tiled_index *//*/ array_view */\n" + plain(),
    "an array a byte larger than the launch's memory can be": plain(
        ("cells[t] = i", "for (unsigned k = t; k < sizeof bytes; k += 256)\n        bytes[k] = 0;\n    cells[t] = i"),
        ("in[i] : 0", "in[i] + bytes[t + 2048] : 0"),
        cells="__shared__ char bytes[4097]; __shared__ float cells[256];"),
    "comments that lie": "// tiled_index WF_TRY(other, 1, 2) extern __shared__ float no[];\n" + plain(),
}


# What is planted, the line's text, and what must be said.
IN_RANGE = ("i < n ? in[i] : 0", "in[i]")
BROKEN = {
    "race": (ladder(("        tidx.barrier.wait();\n    }", "    }")), "cells[t + s]", "race in tile memory"),
    "plain race": (plain(("        __syncthreads();\n    }", "    }")), "cells[t + s]", "cell 1 of 'cells'"),
    "unwritten tile memory": (plain(("cells[t] = i < n ? in[i] : 0;", "if (i < n) cells[t] = in[i];")), "cells[t + s]",
                              "of 'cells' of tile memory, which was never written"),
    "a barrier that is missing behind the load": (plain(("0;\n    __syncthreads();", "0;")), "cells[t + s]",
                                                  "of 'cells' of tile memory, which was never written"),
    "an update of unwritten memory": (
        plain(("out[blockIdx.x] = cells[0]", "atomicAdd(&out[blockIdx.x], cells[0])")), "atomicAdd",
        "updated element 0 of 'out' of device memory, which was never written"),
    "an unwritten half of a struct": (changed(PADDING, ("    cells[t].value = i < n ? in[i] : 0;\n", "")),
                                      "copies[t] =", "of 'cells' of tile memory, which was never written"),
    "an unwritten part of a large struct": (
        changed(PADDING, ("    double value;", "    double value, other;")), "copies[t] =",
        "of 'cells' of tile memory, which was never written"),
    "beyond the array": (plain(IN_RANGE), "in[i]", "lane 1 read 1 element beyond the end of 'in', which has 1"),
    "before the array": (plain(("in[i] : 0", "in[i - 2] : 0")), "in[i - 2]",
                         "lane 0 read 2 elements before the beginning of 'in', which has 1"),
    "an index that overflows": (plain(("in[i] : 0", "in[short(i)] : 0")), "in[short(i)]",
                                "lane 0 read 32768 elements before the beginning of 'in', which has 65536"),
    "an access of two elements": (
        plain(STRIDED, ("out[blockIdx.x] = cells[0]", "atomicAdd((double *)out, cells[0])"), launch=ATOMIC),
        "(double *)", "updated 1 element beyond the end of 'out', which has 1"),
    "a vector that is not aligned": (
        changed(VECTORS, ("(in)[first / 4]", "(in + 1)[first / 4]"), ("first + 3 < n", "first + 4 < n")),
        "(in + 1)", "lane 0 read 16 bytes at once at an address that is no multiple of 16"),
    "a vector in tile memory that is not aligned": (
        changed(FLOATS_AS_VECTORS, ("(cells)", "(cells + 1)")), "vectors[t] =",
        "lane 0 read 16 bytes at once at an address that is no multiple of 16"),
    "a vector beyond the array": (changed(VECTORS, ("first + 3 < n", "first < n")), "[first / 4]",
                                  "lane 0 read 3 elements beyond the end of 'in', which has 1"),
    "an unwritten vector in tile memory": (
        changed(VECTORS, ("cells[t] = own", "if (first < n) cells[t] = own")), "cells[t] = sum_of",
        "of 'cells' of tile memory, which was never written"),
    "wrote to an array that is not const": (
        plain(("    cells[t] = i", "    if (i < n)\n        in[i] *= 2;\n    cells[t] = i"), ("? in[i]", "? in[i] / 2"))
        .replace("const float *in", "float *in"), "*= 2", "lane 0 wrote element 0 of 'in', which is to stay as it is"),
    "wrote what is const": (plain(("    cells[t] = i", "    if (i < n)\n        const_cast<float *>(in)[i] *= 2;\n"
                                   "    cells[t] = i"), ("? in[i]", "? in[i] / 2")), "const_cast",
                            "lane 0 wrote element 0 of 'in', which is to stay as it is"),
    "beyond the result": (plain(("out[blockIdx.x] =", "out[blockIdx.x + 3] =")), "+ 3]",
                          "wrote 3 elements beyond the end of 'out', which has 1"),
    "beyond tile memory": (plain(("cells[t + s]", "cells[t + s + 1]")), "+ 1]",
                           "lane 127 read 1 element beyond the end of 'cells', which has 256 cells"),
    "wrote beyond tile memory": (plain(cells="__shared__ float cells[255];"), "cells[t] = i",
                                 "lane 255 wrote 1 element beyond the end of 'cells', which has 255 cells"),
    "beyond the launch's memory": (plain(("cells[t + s]", "cells[t + s + 1]"),
                                         cells="extern __shared__ float cells[];"), "+ 1]",
                                   "beyond the end of 'cells', which has 256 cells of tile memory: 4 bytes for each "
                                   "thread, as it has no size of its own ("),
    "an array that has a type's code for a name": (
        plain(("cells[", "f["), ("        __syncthreads();\n    }", "    }"), cells="extern __shared__ float f[];"),
        "f[t + s]", "cell 1 of 'f'"),
    "two names of the launch's memory, as if they were two arrays": (
        plain(("    __syncthreads();\n    for", "    counts[(t + 1) % 256] = 1;\n    __syncthreads();\n    for"),
              ("t == 0)\n", "t == 0 && counts[7] == 1)\n"),
              cells="extern __shared__ float cells[];\n    extern __shared__ int counts[];"),
        "cells[t] = i", "race in tile memory: lane 1 wrote cell 1 of 'c"),
    "beyond a cell of tile memory": (
        PLAIN.format(cells="__shared__ float sum[1];", count="size_t", launch=ATOMIC, body="""
    if (t == 0)
        sum[0] = i < n ? in[i] : 0;
    if (t == 0)
        out[0] = (sum + blockDim.x / 256)[0];
"""), "(sum + blockDim", "read 1 element beyond the end of 'sum', which has 1 cell of tile memory"),
    "beyond an array view of one element": (ladder(("    if (t == 0)\n", ""), ("tidx.tile]", "t]")), "partials[t]",
                                            "lane 1 used index 1 of 'out', an array view of 1 element: 1 beyond"),
    "beyond an array view": (ladder(("tidx.global < source.size() ? source[tidx.global] : Op::identity()",
                                     "source[tidx.global]")), "source[tidx.global]", "'in'"),
    "divergent barrier": (plain(("        if (t < s)\n            cells[t] += cells[t + s];\n        __syncthreads();",
                                 "        if (t < s) {\n            cells[t] += cells[t + s];\n"
                                 "            __syncthreads();\n        }"),
                                ("    if (t == 0)\n", "    __syncthreads();\n    if (t == 0)\n")),
                          "            __syncthreads", "divergent"),
    "bytes of one word, written twice": (changed(BYTES, (")[t] =", ")[(t + 1) / 2] =")), "bits >>",
                                         "lane 2 wrote element 0 of 'out', which tile 0, lane 1 has written"),
    "bytes of one word, and all of it": (changed(BYTES, (">> 8 * t;", ">> 8 * t;\n    if (t == 3 && out[i / 4] == 0)\n"
                                                         "        printf(\"0\");")), "bits >>",
                                         "lane 2 wrote element 0 of 'out', which tile 0, lane 3 has read"),
    "lost update": (plain(STRIDED, ("out[blockIdx.x] = cells[0]", "out[0] += cells[0]"), launch=ATOMIC), "out[0]",
                    "with nothing that orders them"),
    "deadlock": (plain(("    if (t == 0)", """    if (t == 0)
        while (blockIdx.x == 0 && atomicAdd(&cells[1], 0) != 1e9f)
            ;
    if (t == 0)""")), "while", "deadlock"),
    "deadlock on what another tile writes": (plain(STRIDED, ("    if (t == 0)", """    if (t == 0)
        while (blockIdx.x == 0 && ((volatile float *)out)[0] == 0)
            ;
    if (t == 0)"""), ("out[blockIdx.x] = cells[0]", "atomicAdd(out, cells[0])"), launch=ATOMIC), "while", "deadlock"),
    "far beyond tile memory": (plain(("cells[t + s]", "cells[t + s + 1600]")), "+ 1600]",
                               "lane 0 read 1473 elements beyond the end of 'cells', which has 256 cells"),
    "misaligned": (plain(("i < n ? in[i]", "i + 1 < n ? float(*(const double *)(in + i % 2))")), "double",
                   "lane 1 read 8 bytes at once at an address that is no multiple of 8"),
    "compared by a word of its own": (plain(("        if (t < s)", "        cells[t] = max(cells[t], cells[t ^ 1]);\n"
                                             "        if (t < s)")), "max(", "race in tile memory"),
    "compared by a word of the C++ library": (
        plain(("        if (t < s)", "        cells[t] = std::max(cells[t], cells[t ^ 1]);\n        if (t < s)")),
        "std::max(", "race in tile memory"),
    "atomic updates beside what sets their cell": (plain(("    __syncthreads();\n    for", """    if (t == 0)
        cells[0] = 0;
    atomicAdd(&cells[0], 1);
    __syncthreads();
    for""")), "atomicAdd", "race in tile memory: lane 1 wrote cell 0 of 'cells', which lane 0 uses"),
    "the library's words, of many cells": (
        plain(("    __syncthreads();\n    for", "    if (t == 9)\n        memset(&cells[5], 0, sizeof(float[200]));\n"
               "    __syncthreads();\n    for")), "memset", "lane 9 wrote cell 5 of 'cells', which lane 5 uses"),
    "the library's words, beyond an array": (plain(("cells[t] = i", "if (t == 9)\n        memset(&cells[100], 0, "
                                                    "sizeof cells);\n    cells[t] = i")), "memset",
                                             "wrote 100 elements beyond the end of 'cells', which has 256 cells"),
    "the library's words": (plain(("    __syncthreads();\n    for", "    memset(cells, 0, 4);\n    __syncthreads();\n"
                                   "    for")), "memset", "lane 1 wrote cell 0 of 'cells', which lane 0 uses"),
    "deadlock on a variable of the device": (plain(("    if (t == 0)", """    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    __syncthreads();
    if (t == 0)"""), launch="WF_TRY_ATOMIC(mine, 64, 1)").replace("__global__", "__device__ int lock;\n__global__"),
                                             "while", "deadlock"),
    "shuffle wider than the wave": (PLAIN.format(
        cells="", count="size_t", launch=LAUNCH,
        body="    float x = i < n ? in[i] : 0;\n    x += __shfl_xor(x, 1, 128);\n    out[blockIdx.x] = x;\n"),
        "128", "shuffles in groups of 128 lanes"),
}

LOADED = ("--seconds", 30)  # what a kernel that ends may take where much else runs


def line_of(text, fragment):
    return next(number for number, line in enumerate(text.splitlines(), 1) if fragment in line)


def findings(report, width=None):
    return [each["text"] for of in report["widths"] if width in (None, of["wave"]) for each in of["findings"]]
