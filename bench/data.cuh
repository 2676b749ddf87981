// What the benches share: an end where something fails, and data.
#ifndef WAVEFOLD_BENCH_DATA_CUH
#define WAVEFOLD_BENCH_DATA_CUH

#include <wavefold.h>

#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

[[noreturn]] inline void fail(const char *what, const char *why) {
    std::fprintf(stderr, "bench: %s: %s\n", what, why);
    std::exit(1);
}

inline void require(cudaError_t error, const char *what) {
    if (error != cudaSuccess)
        fail(what, cudaGetErrorString(error));
}

inline void require(wf_status status, const char *what) {
    if (status != WF_OK)
        fail(what, wf_last_error());
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
