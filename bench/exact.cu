// Measures exact sums beside fast ones of the same data, and beside CUB's deterministic sum, whose bits are the same on
// all GPUs, where CCCL has that (CMake's WF_CCCL names a newer one than CUDA's). All in one run, sides in turn.
//
// usage: bench-exact [--quick]
//
// Device time: as bench-reduce takes it, on arrays that no cache holds. Host time: of one blocking call, on one array.
// Sums of 2-byte types are rounded into f32, which is what the fast ones of them are.
// Writes JSON to standard output, samples in seconds; bench/exact.py makes tables of it.
#include "graph.cuh"
#include "peers.cuh"

#include <cuda_bf16.h>

#if __has_include(<cuda/execution.determinism.h>)
#include <cuda/execution.determinism.h>
#include <cuda/execution.require.h>
#include <cuda/memory_resource>
#include <cuda/std/execution>
#define BENCH_HAS_GPU_TO_GPU
#endif

#include <cmath>
#include <cstring>
#include <map>
#include <string>

namespace {

// ---- Data -----------------------------------------------------------------------------------------------------------

template <class T>
__global__ void fill_normal(T *data, size_t count) {
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
        const double radius = sqrt(-2 * log((double(mix(2 * i) >> 11) + 0.5) * 0x1p-53));
        data[i] = T(radius * cospi(double(mix(2 * i + 1) >> 11) * 0x1p-52));
    }
}

// Any bits that are a finite number: one exponent has all bits set, and loses the highest.
template <class Bits>
__global__ void fill_exponents(Bits *data, size_t count, Bits exponent) {
    const auto highest = Bits((exponent >> 1 ^ exponent) & exponent);
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
        const auto bits = Bits(mix(i));
        data[i] = (bits & exponent) == exponent ? Bits(bits ^ highest) : bits;
    }
}

// ---- What is summed -------------------------------------------------------------------------------------------------

using cub_call = cudaError_t (*)(const array_pool &temporary, const void *in, void *out, size_t count, cudaStream_t);

struct element_type {
    wf_type type;
    wf_accumulator accumulator;
    size_t largest; // log2 of the longest array
    void (*normal)(void *data, size_t count);
    void (*exponents)(void *data, size_t count);
    cub_call cub; // may be null
};

#ifdef BENCH_HAS_GPU_TO_GPU
// Memory that is there already: without it CUB would allocate some in each call.
struct given_memory {
    array_pool pool;

    void *allocate_sync(size_t bytes, size_t) {
        if (bytes > pool.bytes)
            fail("CUB's temporary memory", "more than was allocated");
        return pool.memory;
    }
    void deallocate_sync(void *, size_t, size_t) noexcept {}
    void *allocate(cuda::stream_ref, size_t bytes, size_t alignment) { return allocate_sync(bytes, alignment); }
    void deallocate(cuda::stream_ref, void *, size_t, size_t) noexcept {}
    bool operator==(const given_memory &other) const { return pool.memory == other.pool.memory; }
    bool operator!=(const given_memory &other) const { return !(*this == other); }
};

template <class T>
cudaError_t cub_deterministic(const array_pool &temporary, const void *in, void *out, size_t count,
                              cudaStream_t stream) {
    const auto how = cuda::std::execution::env{
        cuda::execution::require(cuda::execution::determinism::gpu_to_gpu), cuda::stream_ref{stream},
        cuda::std::execution::prop{cuda::mr::get_memory_resource, given_memory{temporary}}};
    return cub::DeviceReduce::Sum(static_cast<const T *>(in), static_cast<T *>(out), count, how);
}

constexpr cub_call cub_f32 = cub_deterministic<float>, cub_f64 = cub_deterministic<double>;
#else
constexpr cub_call cub_f32 = nullptr, cub_f64 = nullptr;
#endif

template <class T, class Bits, Bits exponent>
element_type type_of(wf_type type, size_t largest, cub_call cub) {
    const auto normal = [](void *data, size_t count) { fill_normal<<<1024, 256>>>(static_cast<T *>(data), count); };
    const auto exponents = [](void *data, size_t count) {
        fill_exponents<<<1024, 256>>>(static_cast<Bits *>(data), count, exponent);
    };
    return {type, sizeof(T) == 2 ? WF_ACCUMULATE_F32 : WF_ACCUMULATE_DEFAULT, largest, normal, exponents, cub};
}

// ---- Measuring ------------------------------------------------------------------------------------------------------

struct bench {
    wf_context *context = nullptr;
    cudaStream_t stream = nullptr;
    void *out = nullptr; // device memory
    array_pool pool = {}, temporary = {};
    size_t repeat = 31, calls = 301;
    bool is_first = true;

    static wf_reduce_spec sum_of(const element_type &of, wf_accuracy accuracy) {
        wf_reduce_spec spec = {};
        spec.type = of.type;
        spec.accumulator = of.accumulator;
        spec.accuracy = accuracy;
        return spec;
    }

    using samples = std::map<std::string, std::vector<double>>;

    void print(const char *clock, const element_type &of, const char *data, size_t count, const samples &sides) {
        std::printf("%s\n{\"clock\": \"%s\", \"type\": \"%s\", \"data\": \"%s\", \"n\": %zu", is_first ? "" : ",",
                    clock, wf_type_name(of.type), data, count);
        for (const auto &[name, seconds] : sides) {
            std::printf(", \"%s\": [", name.c_str());
            for (size_t i = 0; i < seconds.size(); i++)
                std::printf("%s%.4g", i == 0 ? "" : ", ", seconds[i]);
            std::printf("]");
        }
        std::printf("}");
        is_first = false;
    }

    std::vector<timed_side> sides_of(const element_type &of, size_t count, bool with_cub) const {
        const auto ours = [this, of, count](wf_accuracy accuracy) {
            return [this, count, spec = sum_of(of, accuracy)](void *in, cudaStream_t on) {
                require(wf_reduce_async(context, &spec, in, count, out, bytes_of_result(spec), on), "wf_reduce_async");
            };
        };
        std::vector<timed_side> sides = {{"exact", ours(WF_ACCURACY_EXACT)}, {"fast", ours(WF_ACCURACY_FAST)}};
        if (with_cub && of.cub != nullptr)
            sides.push_back({"cub", [this, of, count](void *in, cudaStream_t on) {
                                 require(of.cub(temporary, in, out, count, on), "CUB's deterministic sum");
                             }});
        return sides;
    }

    double result_of(const timed_side &side, wf_type type) const {
        uint64_t bits = 0;
        float single;
        double real;
        side.launch(pool.memory, stream);
        require(cudaMemcpyAsync(&bits, out, sizeof bits, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
        require(cudaStreamSynchronize(stream), "a sum");
        std::memcpy(&single, &bits, sizeof single);
        std::memcpy(&real, &bits, sizeof real);
        return type == WF_F64 ? real : double(single);
    }

    void time_on_device(const element_type &of, const char *data, size_t count, bool with_cub) {
        const std::vector<timed_side> sides = sides_of(of, count, with_cub);
        // Sums of normal data are off by their order; over all exponents sums that are not exact may overflow.
        const double exact = result_of(sides[0], of.type);
        samples times;
        for (const timed_side &side : sides) {
            const double got = result_of(side, of.type);
            if (std::strcmp(data, "normal") != 0 || std::abs(got - exact) <= 1e-6 * double(count) + 1e-3)
                continue;
            if (std::strcmp(side.name, "cub") != 0)
                fail(side.name, ("a sum of " + std::to_string(count) + " is " + std::to_string(got) + ", exactly " +
                                 std::to_string(exact))
                                    .c_str());
            times["cub_wrong"] = {got, exact}; // a peer's result is told, and its time counts
        }
        replay_in_turn(stream, sides, pool, count * wf_type_size(of.type), size_t(1) << 31, true, repeat,
                       [&](const char *side, size_t repetition, double seconds) {
                           if (repetition > 0)
                               times[side].push_back(seconds);
                       });
        wf_context_forget_stream(context, stream); // the graphs are gone
        print("device", of, data, count, times);
    }

    void time_calls(const element_type &of, size_t count) {
        samples times;
        for (size_t repetition = 0; repetition < calls + 20; repetition++)
            for (const wf_accuracy accuracy : {WF_ACCURACY_EXACT, WF_ACCURACY_FAST}) {
                const wf_reduce_spec spec = sum_of(of, accuracy);
                const double seconds = host_seconds(1, [&] {
                    uint64_t result;
                    require(wf_reduce(context, &spec, pool.memory, count, &result, sizeof result), "wf_reduce");
                });
                if (repetition >= 20)
                    times[accuracy == WF_ACCURACY_EXACT ? "exact" : "fast"].push_back(seconds);
            }
        print("call", of, "normal", count, times);
    }

    void measure(const element_type &of) {
        const size_t element = wf_type_size(of.type);
        pool.bytes = std::max<size_t>(size_t(2) << 30, 2 * (element << of.largest));
        void *memory = nullptr;
        require(cudaMalloc(&memory, pool.bytes + cache_bytes), "cudaMalloc");
        pool.memory = static_cast<char *>(memory);
        of.normal(memory, pool.bytes / element);
        require(cudaDeviceSynchronize(), "normal data");
        for (size_t log2 = 10; log2 <= of.largest; log2++)
            if (log2 <= 22 || log2 == 26 || log2 == 28 || log2 == 30)
                time_on_device(of, "normal", size_t(1) << log2, log2 >= 22);
        for (const size_t log2 : {10, 14, 20})
            time_calls(of, size_t(1) << log2);
        of.exponents(memory, pool.bytes / element);
        require(cudaDeviceSynchronize(), "data over all exponents");
        time_on_device(of, "exponents", size_t(1) << 26, false);
        require(cudaFree(memory), "cudaFree");
    }
};

} // namespace

int main(int argc, char **argv) {
    bench of;
    if (argc > 1 && std::strcmp(argv[1], "--quick") == 0) {
        of.repeat = 3;
        of.calls = 21;
    }
    require(wf_context_create(&of.context, "nvidia:0"), "opening nvidia:0");
    require(cudaStreamCreate(&of.stream), "cudaStreamCreate");
    require(cudaMalloc(&of.out, 4096), "cudaMalloc");
    void *temporary = nullptr;
    of.temporary.bytes = size_t(16) << 20;
    require(cudaMalloc(&temporary, of.temporary.bytes), "cudaMalloc");
    of.temporary.memory = static_cast<char *>(temporary);
    wf_device_info device;
    require(wf_context_get_device(of.context, &device), "asking for the device");

    const element_type types[] = {
        type_of<float, uint32_t, 0x7f800000>(WF_F32, 30, cub_f32),
        type_of<double, uint64_t, (UINT64_C(0x7ff) << 52)>(WF_F64, 28, cub_f64),
        type_of<__half, uint16_t, 0x7c00>(WF_F16, 28, nullptr),
        type_of<__nv_bfloat16, uint16_t, 0x7f80>(WF_BF16, 28, nullptr),
    };
    std::printf("{\"device\": \"%s\", \"compiler\": \"nvcc %d.%d.%d\", \"cub\": %d, \"repeat\": %zu, \"calls\": %zu, "
                "\"results\": [",
                device.name, __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__, CUB_VERSION, of.repeat,
                of.calls);
    for (const element_type &each : types)
        of.measure(each);
    std::printf("\n]}\n");
    wf_context_destroy(of.context);
    return std::fclose(stdout) == 0 ? 0 : 1;
}
