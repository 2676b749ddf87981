// Measures wf_reduce beside CUB and thrust, the peers that come with nvcc, in one run.
//
// usage: bench-reduce [--quick]
//
// Device time: that of a replayed graph of launches, one after the other, over their number.
// Hot: all launches fold one array. Cold: each folds the next of several arrays, whose data were driven out of the
// caches before. Host time: from the call to the result, one call after the other, hot.
// Sides take turns within each repetition; the first repetition warms up.
//
// Sums of floats are wavefold's fast ones, which round as CUB's and thrust's do: in their accumulator.
//
// Writes JSON to standard output: for each case and n the samples of each side in seconds, the time of an empty launch
// in such a graph, and that of reading the same bytes. bench/reduce.py makes tables of it.
#include "compare.cuh"
#include "graph.cuh"
#include "peers.cuh"
#include "read_ceiling.hip"

#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/reduce.h>

#include <jansson.h>

#include <cstring>
#include <string>

namespace {

struct reduce_case {
    const char *operation;
    wf_reduce_spec spec;
    bool at_every_size;
    std::function<cudaError_t(void *, size_t &, const arrays &, cudaStream_t)> cub_on;
    std::function<double(const arrays &)> thrust; // blocks; null: thrust has none
    std::function<void(const arrays &, cudaStream_t)> fill_in;
};

template <class T, class Accumulator = T>
reduce_case sum_of(wf_type type, bool at_every_size = false) {
    const auto run_thrust = [](const arrays &data) {
        const auto *const begin = static_cast<const T *>(data.in);
        return double(
            thrust::reduce(thrust::device, begin, begin + data.count, Accumulator(0), cuda::std::plus<Accumulator>()));
    };
    const wf_reduce_spec spec = {type, WF_SUM, WF_ACCUMULATE_DEFAULT, WF_NAN_PROPAGATE, WF_ACCURACY_FAST};
    return {"sum", spec, at_every_size, cub_sum<T, Accumulator>, run_thrust, fill_with<T>};
}

template <class T>
reduce_case min_of(wf_type type) {
    const auto run_thrust = [](const arrays &data) {
        const auto *const begin = static_cast<const T *>(data.in);
        const T *const least = thrust::min_element(thrust::device, begin, begin + data.count);
        T value;
        require(cudaMemcpy(&value, least, sizeof value, cudaMemcpyDeviceToHost), "cudaMemcpy");
        return double(value);
    };
    return {"min", {type, WF_MIN}, false, cub_min<T>, run_thrust, fill_with<T>};
}

template <class T>
reduce_case argmin_of(wf_type type) {
    const auto run_thrust = [](const arrays &data) {
        const auto *const begin = static_cast<const T *>(data.in);
        return double(thrust::min_element(thrust::device, begin, begin + data.count) - begin);
    };
    return {"argmin", {type, WF_ARGMIN}, false, cub_argmin<T>, run_thrust, fill_with<T>};
}

std::vector<reduce_case> cases() {
    return {
        sum_of<float>(WF_F32, true),
        sum_of<double>(WF_F64),
        sum_of<__half, float>(WF_F16),
        sum_of<int8_t, int64_t>(WF_I8),
        sum_of<int16_t, int64_t>(WF_I16),
        sum_of<int32_t>(WF_I32),
        sum_of<int64_t>(WF_I64),
        sum_of<uint8_t, uint64_t>(WF_U8),
        sum_of<uint16_t, uint64_t>(WF_U16),
        sum_of<uint32_t>(WF_U32),
        sum_of<uint64_t>(WF_U64),
        min_of<float>(WF_F32),
        min_of<double>(WF_F64),
        min_of<int8_t>(WF_I8),
        min_of<int16_t>(WF_I16),
        min_of<int32_t>(WF_I32),
        min_of<int64_t>(WF_I64),
        argmin_of<float>(WF_F32),
        argmin_of<double>(WF_F64),
        argmin_of<int8_t>(WF_I8),
        argmin_of<int32_t>(WF_I32),
        argmin_of<int64_t>(WF_I64),
    };
}

struct bench {
    wf_context *context = nullptr;
    cudaStream_t stream = nullptr;
    void *results = nullptr; // device memory
    bool quick = false;

    void note(json_t *sides, const char *side, size_t repetition, double seconds) const {
        if (json_object_get(sides, side) == nullptr)
            json_object_set_new(sides, side, json_array());
        if (repetition > 0)
            json_array_append_new(json_object_get(sides, side), json_real(seconds));
    }

    void reduce(const reduce_case &of, const arrays &data, cudaStream_t on) const {
        require(wf_reduce_async(context, &of.spec, data.in, data.count, results, bytes_of_result(of.spec), on),
                "wf_reduce_async");
    }

    json_t *device_times(const reduce_case &of, size_t count, size_t element, const array_pool &pool, bool cold,
                         size_t repeat) const {
        size_t temporary_bytes = 0;
        void *temporary = nullptr;
        require(of.cub_on(nullptr, temporary_bytes, {pool.memory, results, count}, stream),
                "asking CUB for its temporary memory");
        require(cudaMalloc(&temporary, temporary_bytes + 256), "cudaMalloc");
        const std::vector<timed_side> sides = {
            {"wavefold",
             [&](void *in, cudaStream_t on) {
                 reduce(of, {in, results, count}, on);
             }},
            {"cub", [&](void *in, cudaStream_t on) {
                 require(of.cub_on(temporary, temporary_bytes, {in, results, count}, on), "capturing CUB");
             }}};
        json_t *const samples = json_object();
        replay_in_turn(
            stream, sides, pool, count * element, size_t(1) << 28, cold, repeat,
            [&](const char *side, size_t repetition, double seconds) { note(samples, side, repetition, seconds); });
        require_same_results(of.spec, sides, pool.memory, results, stream);
        require(cudaFree(temporary), "cudaFree");
        wf_context_forget_stream(context, stream); // the graphs are gone
        return samples;
    }

    json_t *host_times(const reduce_case &of, const arrays &data, size_t repeat) const {
        size_t temporary_bytes = 0;
        void *temporary = nullptr;
        require(of.cub_on(nullptr, temporary_bytes, data, stream), "asking CUB for its temporary memory");
        require(cudaMalloc(&temporary, temporary_bytes + 256), "cudaMalloc");
        wf_reduction_info info;
        require(wf_reduction_get_info(&of.spec, &info), "wf_reduction_get_info");
        const size_t calls = data.count <= size_t(1) << 22 ? 20 : 3;
        json_t *const sides = json_object();
        uint64_t result[4];
        for (size_t repetition = 0; repetition <= repeat; repetition++) {
            note(sides, "wavefold", repetition, host_seconds(calls, [&] {
                     require(wf_reduce(context, &of.spec, data.in, data.count, result, info.result_bytes), "wf_reduce");
                 }));
            note(sides, "cub", repetition, host_seconds(calls, [&] {
                     require(of.cub_on(temporary, temporary_bytes, data, stream), "running CUB");
                     require(cudaMemcpyAsync(result, data.out, info.result_bytes, cudaMemcpyDeviceToHost, stream),
                             "cudaMemcpyAsync");
                     require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
                 }));
            if (of.thrust)
                note(sides, "thrust", repetition, host_seconds(calls, [&] { (void)of.thrust(data); }));
        }
        require(cudaFree(temporary), "cudaFree");
        return sides;
    }

    // The ceiling: the kernel that wf_read_ceiling runs, timed as the others are.
    json_t *read_times(const char *pool, size_t bytes, size_t repeat) const {
        wf_device_info device;
        require(wf_context_get_device(context, &device), "asking for the device");
        graph reads(stream, 2, [&](size_t k, cudaStream_t on) {
            wf::read_all<<<2 * device.multiprocessors, wf::read_tile, 0, on>>>(
                reinterpret_cast<const uint4 *>(pool + k * bytes), bytes / sizeof(uint4), nullptr);
        });
        json_t *const samples = json_array();
        for (size_t repetition = 0; repetition <= repeat; repetition++) {
            const double seconds = reads.replay();
            if (repetition > 0)
                json_array_append_new(samples, json_real(seconds));
        }
        return samples;
    }

    // 1, 2, 4 and 8 bytes behind the start of the array, against its start.
    json_t *misaligned_times(const reduce_case &of, const arrays &data, size_t repeat) const {
        json_t *const sides = json_object();
        graph aligned(stream, 2, [&](size_t, cudaStream_t on) { reduce(of, {data.in, data.out, data.count - 1}, on); });
        for (const size_t offset : {1, 2, 4, 8}) {
            if (offset >= wf_type_size(of.spec.type) * 4)
                break;
            const std::string name = "+" + std::to_string(offset);
            graph off(stream, 2, [&](size_t, cudaStream_t on) {
                const arrays there = {static_cast<char *>(data.in) + offset, data.out,
                                      data.count -
                                          (offset + wf_type_size(of.spec.type) - 1) / wf_type_size(of.spec.type)};
                reduce(of, there, on);
            });
            for (size_t repetition = 0; repetition <= repeat; repetition++) {
                note(sides, ("aligned" + name).c_str(), repetition, aligned.replay());
                note(sides, name.c_str(), repetition, off.replay());
            }
        }
        wf_context_forget_stream(context, stream);
        return sides;
    }

    size_t repeats(size_t bytes) const { return quick ? 3 : bytes >= size_t(1) << 32 ? 5 : 21; }

    json_t *measure(const reduce_case &of, size_t count) const {
        const size_t element = wf_type_size(of.spec.type), bytes = count * element, repeat = repeats(bytes);
        const size_t pool_bytes =
            std::max<size_t>((bytes + 4095) / 4096 * 4096, bytes < size_t(64) << 20 ? size_t(512) << 20 : 2 * bytes);
        char *pool = nullptr;
        require(cudaMalloc(&pool, pool_bytes + cache_bytes + 256), "cudaMalloc");
        of.fill_in({pool, nullptr, pool_bytes / element}, stream);
        require(cudaDeviceSynchronize(), "filling");
        json_t *const measured = json_object();
        json_object_set_new(measured, "operation", json_string(of.operation));
        json_object_set_new(measured, "type", json_string(wf_type_name(of.spec.type)));
        json_object_set_new(measured, "n", json_integer(static_cast<json_int_t>(count)));
        json_object_set_new(measured, "bytes", json_integer(static_cast<json_int_t>(bytes)));
        json_object_set_new(measured, "read", read_times(pool, bytes / 16 * 16, repeat));
        json_object_set_new(measured, "device cold",
                            device_times(of, count, element, {pool, pool_bytes}, true, repeat));
        if (bytes <= size_t(64) << 20)
            json_object_set_new(measured, "device hot",
                                device_times(of, count, element, {pool, pool_bytes}, false, repeat));
        if (bytes >= size_t(1) << 28 && bytes < size_t(1) << 32)
            json_object_set_new(measured, "misaligned", misaligned_times(of, {pool, results, count}, repeat));
        require(cudaFree(pool), "cudaFree");
        return measured;
    }

    void measure_calls(const reduce_case &of, size_t count, json_t *measured) const {
        const size_t element = wf_type_size(of.spec.type), bytes = count * element;
        void *data = nullptr;
        require(cudaMalloc(&data, bytes), "cudaMalloc");
        of.fill_in({data, nullptr, count}, stream);
        require(cudaDeviceSynchronize(), "filling");
        json_object_set_new(measured, "host", host_times(of, {data, results, count}, repeats(bytes)));
        require(cudaFree(data), "cudaFree");
    }
};

} // namespace

int main(int argc, char **argv) {
    bench of;
    of.quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    require(wf_context_create(&of.context, "nvidia:0"), "opening nvidia:0");
    require(cudaStreamCreate(&of.stream), "cudaStreamCreate");
    require(cudaMalloc(&of.results, 4096), "cudaMalloc");
    wf_device_info device;
    require(wf_context_get_device(of.context, &device), "asking for the device");

    struct chosen_size {
        reduce_case of;
        size_t count;
    };
    std::vector<chosen_size> chosen;
    for (const reduce_case &each : cases())
        for (unsigned log2 = 4; log2 <= 33; log2++) {
            const size_t bytes = wf_type_size(each.spec.type) << log2;
            const bool wanted =
                each.at_every_size || log2 == 12 || log2 == 16 || log2 == 20 || log2 == 24 || log2 == 28 || log2 == 30;
            // Twice the array, so that a cold one follows, and half as much to spare.
            if (wanted && bytes <= size_t(1) << 35 && 3 * bytes < device.memory_free_bytes && !(of.quick && log2 > 28))
                chosen.push_back({each, size_t(1) << log2});
        }
    json_t *const results = json_array();
    for (const chosen_size &each : chosen)
        json_array_append_new(results, of.measure(each.of, each.count));
    json_t *const empty = json_array();
    for (const double seconds : empty_launches(of.stream))
        json_array_append_new(empty, json_real(seconds));
    // Behind all that is timed on the device: calls use streams of their own (see empty_launches()).
    for (size_t k = 0; k < chosen.size(); k++)
        of.measure_calls(chosen[k].of, chosen[k].count, json_array_get(results, k));

    json_t *const document = json_object();
    json_object_set_new(document, "device", json_string(device.name));
    json_object_set_new(document, "cub", json_integer(CUB_VERSION));
    json_object_set_new(document, "empty launch", empty);
    json_object_set_new(document, "results", results);
    const bool written =
        json_dumpf(document, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0 && std::puts("") >= 0;
    json_decref(document);
    wf_context_destroy(of.context);
    return written && std::fclose(stdout) == 0 ? 0 : 1;
}
