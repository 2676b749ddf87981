// Measures wf_describe beside a sum by wf_reduce, in one run.
//
// usage: bench-describe
//
// Device time: that of a replayed graph of calls, one after the other, over their number, on data that no cache holds.
// Sides take turns within each repetition; the first repetition warms up. The sums are fast ones: in their accumulator.
//
// Writes JSON to standard output: for each type and n the samples of each side in seconds, and those of reading the
// same bytes. bench/describe.py makes a table of it.
#include "graph.cuh"
#include "read_ceiling.hip"

#include <jansson.h>

namespace {

struct described_type {
    wf_type type;
    void (*fill_in)(const arrays &, cudaStream_t);
};

constexpr described_type types[] = {
    {WF_I8, fill_with<int8_t>},    {WF_I16, fill_with<int16_t>}, {WF_I32, fill_with<int32_t>},
    {WF_U32, fill_with<uint32_t>}, {WF_I64, fill_with<int64_t>}, {WF_U64, fill_with<uint64_t>},
    {WF_F16, fill_with<__half>},   {WF_F32, fill_with<float>},   {WF_F64, fill_with<double>}};
constexpr size_t repeat = 21;

json_t *measure(wf_context *context, const described_type &of, size_t count, uint32_t multiprocessors, void *results,
                cudaStream_t stream) {
    const size_t bytes = count * wf_type_size(of.type);
    const size_t pool_bytes = bytes < size_t(64) << 20 ? size_t(512) << 20 : 2 * bytes;
    char *pool = nullptr;
    require(cudaMalloc(&pool, pool_bytes + cache_bytes + 256), "cudaMalloc");
    of.fill_in({pool, nullptr, pool_bytes / wf_type_size(of.type)}, stream);
    require(cudaDeviceSynchronize(), "filling");
    const wf_describe_spec description = {of.type, WF_NAN_PROPAGATE};
    const wf_reduce_spec sum = {of.type, WF_SUM, WF_ACCUMULATE_DEFAULT, WF_NAN_PROPAGATE, WF_ACCURACY_FAST};
    const std::vector<timed_side> sides = {
        {"describe",
         [&](void *in, cudaStream_t on) {
             require(wf_describe_async(context, &description, in, count, static_cast<wf_description *>(results), on),
                     "wf_describe_async");
         }},
        {"sum",
         [&](void *in, cudaStream_t on) {
             require(wf_reduce_async(context, &sum, in, count, results, bytes_of_result(sum), on), "wf_reduce_async");
         }},
        {"read", [&](void *in, cudaStream_t on) {
             wf::read_all<<<2 * multiprocessors, wf::read_tile, 0, on>>>(static_cast<const uint4 *>(in),
                                                                         bytes / sizeof(uint4), nullptr);
         }}};
    json_t *const measured = json_object(), *const samples = json_object();
    json_object_set_new(measured, "type", json_string(wf_type_name(of.type)));
    json_object_set_new(measured, "n", json_integer(static_cast<json_int_t>(count)));
    json_object_set_new(measured, "bytes", json_integer(static_cast<json_int_t>(bytes)));
    for (const timed_side &side : sides)
        json_object_set_new(samples, side.name, json_array());
    replay_in_turn(stream, sides, {pool, pool_bytes}, bytes, size_t(1) << 28, true, repeat,
                   [&](const char *side, size_t repetition, double seconds) {
                       if (repetition > 0)
                           json_array_append_new(json_object_get(samples, side), json_real(seconds));
                   });
    json_object_set_new(measured, "seconds", samples);
    wf_context_forget_stream(context, stream); // the graphs are gone
    require(cudaFree(pool), "cudaFree");
    return measured;
}

} // namespace

int main() {
    wf_context *context = nullptr;
    cudaStream_t stream = nullptr;
    void *results = nullptr;
    wf_device_info device;
    require(wf_context_create(&context, "nvidia:0"), "opening nvidia:0");
    require(wf_context_get_device(context, &device), "asking for the device");
    require(cudaStreamCreate(&stream), "cudaStreamCreate");
    require(cudaMalloc(&results, cache_bytes), "cudaMalloc");
    warm_up(stream, results);
    json_t *const rows = json_array();
    for (const described_type &of : types)
        for (unsigned log2 = 10; log2 <= 30; log2 += log2 < 22 ? 1 : 2)
            if (wf_type_size(of.type) << log2 <= size_t(1) << 32)
                json_array_append_new(rows,
                                      measure(context, of, size_t(1) << log2, device.multiprocessors, results, stream));
    json_t *const document = json_object();
    json_object_set_new(document, "device", json_string(device.name));
    json_object_set_new(document, "results", rows);
    const bool written =
        json_dumpf(document, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0 && std::puts("") >= 0;
    json_decref(document);
    wf_context_destroy(context);
    return written && std::fclose(stdout) == 0 ? 0 : 1;
}
