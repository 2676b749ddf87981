// CUB's side of bench-ratios for one type: RATIO_TYPE (wf_type), RATIO_ELEMENT, RATIO_SUM (what sums are added in).
#include "ratios.cuh"

#include <cuda_bf16.h>

namespace {

using element = RATIO_ELEMENT;
using sum_type = RATIO_SUM;

struct pair {
    element low, high;
};

struct as_pair {
    __device__ pair operator()(element x) const { return {x, x}; }
};

struct join_pairs {
    __device__ pair operator()(const pair &a, const pair &b) const {
        return {b.low < a.low ? b.low : a.low, a.high < b.high ? b.high : a.high};
    }
};

// Called with counts of 32 bits where they do.
template <class Call>
cudaError_t by_count(const arrays &data, const Call &call) {
    return data.count <= size_t(INT32_MAX) ? call(int32_t(data.count)) : call(int64_t(data.count));
}

const element *input(const arrays &data) {
    return static_cast<const element *>(data.in);
}

cudaError_t sum(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream) {
    using plus = cuda::std::plus<std::conditional_t<std::is_same_v<element, sum_type>, void, sum_type>>;
    return by_count(data, [&](auto count) {
        return cub::DeviceReduce::Reduce(temporary, bytes, input(data), static_cast<sum_type *>(data.out), count,
                                         plus(), sum_type(0), stream);
    });
}

cudaError_t min(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream) {
    return by_count(data, [&](auto count) {
        return cub::DeviceReduce::Min(temporary, bytes, input(data), static_cast<element *>(data.out), count, stream);
    });
}

cudaError_t max(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream) {
    return by_count(data, [&](auto count) {
        return cub::DeviceReduce::Max(temporary, bytes, input(data), static_cast<element *>(data.out), count, stream);
    });
}

// CUB takes 64 bits here, and folds in parts that 32 bits count.
int64_t *index_of(const arrays &data) {
    return reinterpret_cast<int64_t *>(static_cast<char *>(data.out) + 8);
}

cudaError_t argmin(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream) {
    return cub::DeviceReduce::ArgMin(temporary, bytes, input(data), static_cast<element *>(data.out), index_of(data),
                                     int64_t(data.count), stream);
}

cudaError_t argmax(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream) {
    return cub::DeviceReduce::ArgMax(temporary, bytes, input(data), static_cast<element *>(data.out), index_of(data),
                                     int64_t(data.count), stream);
}

cudaError_t minmax(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream) {
    const pair none = {cuda::std::numeric_limits<element>::max(), cuda::std::numeric_limits<element>::lowest()};
    return by_count(data, [&](auto count) {
        return cub::DeviceReduce::TransformReduce(temporary, bytes, input(data), static_cast<pair *>(data.out), count,
                                                  join_pairs(), as_pair(), none, stream);
    });
}

} // namespace

#define RATIO_JOIN_(a, b) a##b
#define RATIO_JOIN(a, b) RATIO_JOIN_(a, b)

void RATIO_JOIN(measure_, RATIO_TYPE)(const ratio_bench &bench) {
    fill_with<element>({bench.pool, nullptr, bench.pool_bytes / sizeof(element)});
    require(cudaDeviceSynchronize(), "filling");
    const wf_reduce_spec fast_sum = {RATIO_TYPE, WF_SUM, WF_ACCUMULATE_DEFAULT, WF_NAN_PROPAGATE, WF_ACCURACY_FAST};
    measure_operation(bench, fast_sum, sum);
    measure_operation(bench, {RATIO_TYPE, WF_MIN}, min);
    measure_operation(bench, {RATIO_TYPE, WF_MAX}, max);
    measure_operation(bench, {RATIO_TYPE, WF_ARGMIN}, argmin);
    measure_operation(bench, {RATIO_TYPE, WF_ARGMAX}, argmax);
    measure_operation(bench, {RATIO_TYPE, WF_MINMAX}, minmax);
}
