// What the benches share: an end where something fails, and data.
#ifndef WAVEFOLD_BENCH_DATA_CUH
#define WAVEFOLD_BENCH_DATA_CUH

#include <wavefold.h>

#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

[[noreturn]] inline void fail(const char *call, const char *why) {
    std::fprintf(stderr, "bench: %s: %s\n", call, why);
    std::exit(1);
}

inline void require(cudaError_t error, const char *call) {
    if (error != cudaSuccess)
        fail(call, cudaGetErrorString(error));
}

inline void require(wf_status status, const char *call) {
    if (status != WF_OK)
        fail(call, wf_last_error());
}

// The result_bytes of a reduction.
inline size_t bytes_of_result(const wf_reduce_spec &spec) {
    wf_reduction_info info;
    require(wf_reduction_get_info(&spec, &info), "wf_reduction_get_info");
    return info.result_bytes;
}

struct arrays {
    void *in, *out;
    size_t count;
};

// splitmix64's finaliser.
inline __device__ uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Integers from their whole range, floats from [-1, 1).
template <class T>
__global__ void fill(T *data, size_t count) {
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
        const uint64_t random = mix(i);
        if constexpr (std::is_integral_v<T>)
            data[i] = T(random);
        else
            data[i] = T(float(int64_t(random)) * 0x1p-63f);
    }
}

template <class T>
void fill_with(const arrays &data, cudaStream_t stream) {
    fill<<<1024, 256, 0, stream>>>(static_cast<T *>(data.in), data.count);
}

#endif
