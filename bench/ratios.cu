// Measures wf_reduce beside CUB: every type, sum, min, max, argmin, argmax and minmax, at every power of two and at
// three times every power of two, on data that no cache holds and on one array (graph.cuh).
//
// usage: bench-ratios [SAMPLES [LOG2 [TYPE...]]]
//   SAMPLES  of each side (default: 7)
//   LOG2     of the largest number of elements (default: 32; as memory allows)
//   TYPE     f32, say (default: all)
//
// Sums of floats are wavefold's fast ones. CUB's counts have 32 bits where those do, but for argmin and argmax, which
// take 64. It has no minmax: that is a TransformReduce to pairs there, with no rule for NaN.
//
// Writes JSON to standard output: the median seconds of both sides in each cell, and those of an empty launch, before
// all of them and after. bench/ratios.py makes a table of it.
#include "compare.cuh"
#include "ratios.cuh"

#include <cub/version.cuh>

#include <cstring>

namespace {

double median(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
}

json_t *times_of(const ratio_bench &bench, const wf_reduce_spec &spec, cub_call cub, size_t count, bool cold) {
    void *temporary = nullptr;
    size_t temporary_bytes = 0;
    require(cub(nullptr, temporary_bytes, {bench.pool, bench.results, count}, bench.stream),
            "asking CUB for its temporary memory");
    require(cudaMalloc(&temporary, temporary_bytes + 256), "cudaMalloc");
    const std::vector<timed_side> sides = {
        {"wavefold",
         [&](void *in, cudaStream_t on) {
             require(wf_reduce_async(bench.context, &spec, in, count, bench.results, bytes_of_result(spec), on),
                     "wf_reduce_async");
         }},
        {"cub", [&](void *in, cudaStream_t on) {
             require(cub(temporary, temporary_bytes, {in, bench.results, count}, on), "capturing CUB");
         }}};
    std::vector<double> ours, theirs;
    replay_in_turn(bench.stream, sides, {bench.pool, bench.pool_bytes}, count * wf_type_size(spec.type),
                   size_t(1) << 27, cold, bench.samples, [&](const char *side, size_t repetition, double seconds) {
                       if (repetition > 0)
                           (std::strcmp(side, "cub") == 0 ? theirs : ours).push_back(seconds);
                   });
    require_same_results(spec, sides, bench.pool, bench.results, bench.stream);
    require(cudaFree(temporary), "cudaFree");
    wf_context_forget_stream(bench.context, bench.stream); // the graphs are gone
    return json_pack("[ff]", median(ours), median(theirs));
}

struct type_of_bench {
    wf_type type;
    void (*measure)(const ratio_bench &);
};

} // namespace

void measure_operation(const ratio_bench &bench, const wf_reduce_spec &spec, cub_call cub) {
    const size_t element = wf_type_size(spec.type);
    for (unsigned log2 = 2; log2 <= bench.largest_log2; log2++)
        for (const size_t count : {size_t(1) << log2, size_t(3) << log2}) {
            if (2 * count * element > bench.pool_bytes || count > size_t(1) << bench.largest_log2)
                continue;
            json_t *const cell = json_pack("{s:s,s:s,s:I}", "operation", wf_op_name(spec.op), "type",
                                           wf_type_name(spec.type), "n", static_cast<json_int_t>(count));
            json_object_set_new(cell, "cold", times_of(bench, spec, cub, count, true));
            if (count * element <= size_t(32) << 20)
                json_object_set_new(cell, "hot", times_of(bench, spec, cub, count, false));
            json_array_append_new(bench.cells, cell);
        }
}

#define RATIO_TYPES(X)                                                                                                 \
    X(WF_F32)                                                                                                          \
    X(WF_F64) X(WF_F16) X(WF_BF16) X(WF_I8) X(WF_I16) X(WF_I32) X(WF_I64) X(WF_U8) X(WF_U16) X(WF_U32) X(WF_U64)
#define RATIO_DECLARE(type) void measure_##type(const ratio_bench &);
RATIO_TYPES(RATIO_DECLARE)

int main(int argc, char **argv) {
#define RATIO_ROW(type) {type, measure_##type},
    static const type_of_bench types[] = {RATIO_TYPES(RATIO_ROW)};
    ratio_bench bench = {};
    bench.samples = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 7;
    bench.largest_log2 = argc > 2 ? unsigned(std::strtoul(argv[2], nullptr, 10)) : 32;
    if (bench.samples < 1 || bench.largest_log2 < 2 || bench.largest_log2 > 40)
        fail("usage", "bench-ratios [SAMPLES [LOG2 [TYPE...]]], at least 1 sample, and a LOG2 of 2 to 40");
    for (int named = 3; named < argc; named++)
        if (std::none_of(std::begin(types), std::end(types), [&](const type_of_bench &each) {
                return std::strcmp(argv[named], wf_type_name(each.type)) == 0;
            }))
            fail(argv[named], "it must be a type of wf_type_name: f32, f64, f16, bf16, i8 to i64, u8 to u64");
    wf_device_info device;
    require(wf_context_create(&bench.context, "nvidia:0"), "opening nvidia:0");
    require(wf_context_get_device(bench.context, &device), "asking for the device");
    require(cudaStreamCreate(&bench.stream), "cudaStreamCreate");
    require(cudaMalloc(&bench.results, 4096), "cudaMalloc");
    // Twice the largest array, so that a cold one follows.
    bench.pool_bytes = std::max<size_t>(size_t(512) << 20, size_t(16) << bench.largest_log2);
    bench.pool_bytes = std::min<size_t>(bench.pool_bytes, device.memory_free_bytes / 10 * 9 / 4096 * 4096);
    require(cudaMalloc(&bench.pool, bench.pool_bytes + cache_bytes + 256), "cudaMalloc");
    bench.cells = json_array();
    warm_up(bench.stream, bench.pool);
    const double empty_before = median(empty_launches(bench.stream));
    for (const type_of_bench &each : types) {
        const auto is_named = [&](const char *name) { return std::strcmp(name, wf_type_name(each.type)) == 0; };
        if (argc <= 3 || std::any_of(argv + 3, argv + argc, is_named))
            each.measure(bench);
    }
    json_t *const document =
        json_pack("{s:s,s:i,s:[ff],s:o}", "device", device.name, "cub", CUB_VERSION, "empty launch", empty_before,
                  median(empty_launches(bench.stream)), "cells", bench.cells);
    const bool written = json_dumpf(document, stdout, JSON_COMPACT | JSON_REAL_PRECISION(5)) == 0 && std::puts("") >= 0;
    json_decref(document);
    wf_context_destroy(bench.context);
    return written && std::fclose(stdout) == 0 ? 0 : 1;
}
