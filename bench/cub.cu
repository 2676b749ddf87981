// Measures rungs beside CUB, the peer that comes with nvcc, in one run: each repetition times every side once, in turn.
//
// usage: bench-cub [--n COUNT...] [--repeat COUNT]
//
// Times are device time by events around the launches, of data that are on the device and in no cache: what the side
// before has left there is driven out first. CUB's counts have 32 bits where those do. In the repetition that warms up,
// sums and scans of integers, and sorts, are compared with CUB's, bit by bit.
// Writes JSON to standard output: for each case and n the samples of each side in seconds. bench/peers.py makes tables
// of it.
#include "graph.cuh"
#include "peers.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "hold.hip"

#include <jansson.h>

#include <cstring>
#include <string>
#include <vector>
#include <wavefold_ladder.h>

namespace {

struct bench_case {
    const char *name; // of the operation
    wf_rung_options options;
    std::vector<const char *> rungs;
    peer cub;
    std::function<void(const arrays &, cudaStream_t)> fill_in;
};

template <class T>
bench_case sum_of(wf_type type) {
    const auto cub = [](void *temporary, size_t &bytes, const arrays &data) {
        return cub_sum<T>(temporary, bytes, data);
    };
    return {"sum",
            {type, WF_SUM},
            {"cascade", "wave_two_pass_v4", "block_atomic_v4", "last_block_v4", "wavefold"},
            cub,
            fill_with<T>};
}

template <class T>
bench_case scan_of(wf_type type) {
    const auto cub = [](void *temporary, size_t &bytes, const arrays &data) {
        return by_count(data, [&](auto count) {
            return cub::DeviceScan::InclusiveSum(temporary, bytes, input<T>(data), static_cast<T *>(data.out), count);
        });
    };
    return {"inclusive sum",
            {type, WF_SUM},
            {"hillis_steele", "blelloch", "look_back", "scan_fixed_order"},
            cub,
            fill_with<T>};
}

template <class T>
bench_case sort_of(wf_type type) {
    const auto cub = [](void *temporary, size_t &bytes, const arrays &data) {
        return by_count(data, [&](auto count) {
            return cub::DeviceRadixSort::SortKeys(temporary, bytes, input<T>(data), static_cast<T *>(data.out), count);
        });
    };
    return {"sort", {type, WF_SUM}, {"bitonic", "bitonic_registers", "radix"}, cub, fill_with<T>};
}

template <class T>
bench_case sort_pairs_of(wf_type type) {
    const auto cub = [](void *temporary, size_t &bytes, const arrays &data) {
        // The values' contents do not change what the sort does: the input's own bits serve.
        auto *const values = reinterpret_cast<uint32_t *>(static_cast<T *>(data.out) + data.count);
        return by_count(data, [&](auto count) {
            return cub::DeviceRadixSort::SortPairs(temporary, bytes, input<T>(data), static_cast<T *>(data.out),
                                                   static_cast<const uint32_t *>(data.in), values, count);
        });
    };
    return {"sort with positions", {type, WF_SUM}, {"bitonic_pairs"}, cub, fill_with<T>};
}

std::vector<bench_case> cases() {
    return {
        sum_of<float>(WF_F32),        sum_of<double>(WF_F64),          sum_of<int32_t>(WF_I32),
        sum_of<int64_t>(WF_I64),      scan_of<float>(WF_F32),          scan_of<double>(WF_F64),
        scan_of<int32_t>(WF_I32),     scan_of<int64_t>(WF_I64),        sort_of<float>(WF_F32),
        sort_of<uint32_t>(WF_U32),    sort_of<double>(WF_F64),         sort_of<uint64_t>(WF_U64),
        sort_pairs_of<float>(WF_F32), sort_pairs_of<uint64_t>(WF_U64),
    };
}

class stopwatch {
  public:
    stopwatch() {
        require(cudaEventCreate(&begin_), "cudaEventCreate");
        require(cudaEventCreate(&end_), "cudaEventCreate");
    }
    // Behind what holds the queue, as the library's own clock starts: no side waits for the host.
    void start() {
        wf::launch_on(cudaStream_t(nullptr), wf::hold, 1, 1, 0, wf::hold_steps, static_cast<unsigned *>(nullptr));
        require(cudaEventRecord(begin_), "cudaEventRecord");
    }
    double stop() {
        float milliseconds = 0;
        require(cudaEventRecord(end_), "cudaEventRecord");
        require(cudaEventSynchronize(end_), "cudaEventSynchronize");
        require(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
        return 1e-3 * double(milliseconds);
    }

  private:
    cudaEvent_t begin_, end_;
};

bool makes_an_array(size_t rung) {
    wf_rung_info info;
    require(wf_rung_get_info(rung, &info), "wf_rung_get_info");
    return info.kind != WF_RUNG_REDUCES;
}

__global__ void mix_all(const char *data, size_t count, unsigned bytes, unsigned long long *mixed) {
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
        uint64_t element = 0;
        memcpy(&element, data + i * bytes, bytes);
        atomicAdd(mixed, mix(element ^ mix(i)));
    }
}

// A number that differs, all but certainly, if any element of what is on the device does. Those that are sorted with
// positions are the keys alone: of equal ones CUB's values are others.
uint64_t mixed(const void *data, size_t count, size_t element) {
    unsigned long long *on_device, number;
    require(cudaMalloc(&on_device, sizeof number), "cudaMalloc");
    require(cudaMemset(on_device, 0, sizeof number), "cudaMemset");
    mix_all<<<1024, 256>>>(static_cast<const char *>(data), count, unsigned(element), on_device);
    require(cudaMemcpy(&number, on_device, sizeof number, cudaMemcpyDeviceToHost), "comparing");
    require(cudaFree(on_device), "cudaFree");
    return number;
}

// What must be CUB's bits: whatever is not rounded.
bool is_the_same_for_all(const bench_case &spec) {
    const bool is_float = spec.options.type == WF_F32 || spec.options.type == WF_F64;
    return !is_float || std::strncmp(spec.name, "sort", 4) == 0;
}

// Every side's samples, in seconds; the first repetition warms up and is left out. other: cache_bytes of memory.
json_t *measure(wf_context *context, const bench_case &spec, const arrays &data, const void *other, size_t repeat) {
    json_t *const sides = json_object();
    const size_t element = wf_type_size(spec.options.type);
    const auto empty_caches = [other] {
        drive_out<<<264, 1024>>>(static_cast<const uint4 *>(other), cache_bytes / sizeof(uint4), nullptr);
        require(cudaDeviceSynchronize(), "emptying the caches");
    };
    size_t temporary_bytes = 0;
    void *temporary = nullptr;
    require(spec.cub(nullptr, temporary_bytes, data), "asking CUB for its temporary memory");
    require(cudaMalloc(&temporary, temporary_bytes), "cudaMalloc");
    spec.fill_in(data, nullptr);
    require(cudaDeviceSynchronize(), "filling");
    static stopwatch watch;
    const auto note = [&](const char *side, size_t repetition, double seconds) {
        if (json_object_get(sides, side) == nullptr)
            json_object_set_new(sides, side, json_array());
        if (repetition > 0)
            json_array_append_new(json_object_get(sides, side), json_real(seconds));
    };
    std::vector<uint64_t> results; // mixed, of the repetition that warms up
    for (size_t repetition = 0; repetition <= repeat; repetition++) {
        const bool compares = repetition == 0 && is_the_same_for_all(spec);
        size_t in_result = 1;
        for (const char *name : spec.rungs) {
            size_t rung;
            uint64_t result[4];
            wf_rung_report report;
            require(wf_rung_find(name, &rung), name);
            const bool is_array = makes_an_array(rung);
            in_result = is_array ? data.count : 1;
            empty_caches();
            require(wf_rung_run(context, rung, &spec.options, data.in, data.count, is_array ? data.out : result,
                                in_result * element, &report),
                    name);
            note(name, repetition, report.device_seconds);
            if (compares && !is_array)
                require(cudaMemcpy(data.out, result, element, cudaMemcpyHostToDevice), "cudaMemcpy");
            if (compares)
                results.push_back(mixed(data.out, in_result, element));
        }
        empty_caches();
        watch.start();
        require(spec.cub(temporary, temporary_bytes, data), "running CUB");
        note("cub", repetition, watch.stop());
        for (size_t side = 0; compares && side < results.size(); side++)
            if (results[side] != mixed(data.out, in_result, element))
                fail(spec.rungs[side], "its result is not CUB's");
        double seconds;
        empty_caches();
        require(wf_read_ceiling(context, data.in, data.count * element, &seconds), "reading");
        note("read ceiling", repetition, seconds);
    }
    require(cudaFree(temporary), "cudaFree");
    return sides;
}

} // namespace

int main(int argc, char **argv) {
    std::vector<size_t> counts;
    size_t repeat = 21;
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--repeat") == 0 && i + 1 < argc)
            repeat = std::strtoull(argv[++i], nullptr, 10);
        else if (std::strcmp(argv[i], "--n") != 0)
            counts.push_back(std::strtoull(argv[i], nullptr, 10));
    }
    if (counts.empty())
        counts = {size_t(1) << 20, size_t(1) << 24, size_t(1) << 28};

    wf_context *context = nullptr;
    require(wf_context_create(&context, "nvidia:0"), "opening nvidia:0");
    void *other = nullptr;
    require(cudaMalloc(&other, cache_bytes), "cudaMalloc");
    require(cudaMemset(other, 0, cache_bytes), "cudaMemset");
    json_t *const results = json_array();
    for (const size_t count : counts)
        for (const bench_case &spec : cases()) {
            arrays data = {nullptr, nullptr, count};
            const size_t element = wf_type_size(spec.options.type);
            require(wf_malloc(context, &data.in, count * element), "allocating");
            require(wf_malloc(context, &data.out, count * (element + sizeof(uint32_t))), "allocating");
            json_t *const result = json_object();
            json_object_set_new(result, "operation", json_string(spec.name));
            json_object_set_new(result, "type", json_string(wf_type_name(spec.options.type)));
            json_object_set_new(result, "n", json_integer(static_cast<json_int_t>(count)));
            json_object_set_new(result, "bytes", json_integer(static_cast<json_int_t>(count * element)));
            json_object_set_new(result, "seconds", measure(context, spec, data, other, repeat));
            json_array_append_new(results, result);
            wf_free(context, data.in);
            wf_free(context, data.out);
        }
    json_t *const document = json_object();
    wf_device_info device;
    require(wf_context_get_device(context, &device), "asking for the device");
    json_object_set_new(document, "device", json_string(device.name));
    json_object_set_new(document, "cub", json_integer(CUB_VERSION));
    json_object_set_new(document, "repeat", json_integer(static_cast<json_int_t>(repeat)));
    json_object_set_new(document, "results", results);
    const bool written =
        json_dumpf(document, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0 && std::puts("") >= 0;
    json_decref(document);
    wf_context_destroy(context);
    return written && std::fclose(stdout) == 0 ? 0 : 1;
}
