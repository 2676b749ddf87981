// The peers' calls, of the benches beside CUB.
#ifndef WAVEFOLD_BENCH_PEERS_CUH
#define WAVEFOLD_BENCH_PEERS_CUH

#include "data.cuh"

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

#include <functional>

// What CUB runs: once to ask for its temporary memory, then with that.
using peer = std::function<cudaError_t(void *temporary, size_t &bytes, const arrays &)>;

// Called with counts of 32 bits where they do: CUB is faster with those than with a size_t.
template <class Call>
cudaError_t by_count(const arrays &data, const Call &call) {
    return data.count <= size_t(INT32_MAX) ? call(int32_t(data.count)) : call(int64_t(data.count));
}

template <class T>
const T *input(const arrays &data) {
    return static_cast<const T *>(data.in);
}

// CUB's sum in the accumulator that wavefold takes by default.
template <class T, class Accumulator = T>
cudaError_t cub_sum(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream = nullptr) {
    using plus = cuda::std::plus<std::conditional_t<std::is_same_v<T, Accumulator>, void, Accumulator>>;
    return by_count(data, [&](auto count) {
        return cub::DeviceReduce::Reduce(temporary, bytes, input<T>(data), static_cast<Accumulator *>(data.out), count,
                                         plus(), Accumulator(0), stream);
    });
}

template <class T>
cudaError_t cub_min(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream = nullptr) {
    return by_count(data, [&](auto count) {
        return cub::DeviceReduce::Min(temporary, bytes, input<T>(data), static_cast<T *>(data.out), count, stream);
    });
}

template <class T>
cudaError_t cub_max(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream = nullptr) {
    return by_count(data, [&](auto count) {
        return cub::DeviceReduce::Max(temporary, bytes, input<T>(data), static_cast<T *>(data.out), count, stream);
    });
}

// CUB takes 64 bits here, and folds in parts that 32 bits count.
inline int64_t *index_of(const arrays &data) {
    return reinterpret_cast<int64_t *>(static_cast<char *>(data.out) + 8);
}

template <class T>
cudaError_t cub_argmin(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream = nullptr) {
    return cub::DeviceReduce::ArgMin(temporary, bytes, input<T>(data), static_cast<T *>(data.out), index_of(data),
                                     int64_t(data.count), stream);
}

template <class T>
cudaError_t cub_argmax(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream = nullptr) {
    return cub::DeviceReduce::ArgMax(temporary, bytes, input<T>(data), static_cast<T *>(data.out), index_of(data),
                                     int64_t(data.count), stream);
}

#endif
