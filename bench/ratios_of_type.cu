// CUB's side of bench-ratios for one type: RATIO_TYPE (wf_type), RATIO_ELEMENT, RATIO_SUM (what sums are added in).
#include "peers.cuh"
#include "ratios.cuh"

#include <cuda_bf16.h>

namespace {

using element = RATIO_ELEMENT;

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

cudaError_t minmax(void *temporary, size_t &bytes, const arrays &data, cudaStream_t stream) {
    const pair none = {cuda::std::numeric_limits<element>::max(), cuda::std::numeric_limits<element>::lowest()};
    return by_count(data, [&](auto count) {
        return cub::DeviceReduce::TransformReduce(temporary, bytes, input<element>(data), static_cast<pair *>(data.out),
                                                  count, join_pairs(), as_pair(), none, stream);
    });
}

} // namespace

#define RATIO_JOIN_(a, b) a##b
#define RATIO_JOIN(a, b) RATIO_JOIN_(a, b)

void RATIO_JOIN(measure_, RATIO_TYPE)(const ratio_bench &bench) {
    fill_with<element>({bench.pool, nullptr, bench.pool_bytes / sizeof(element)}, bench.stream);
    require(cudaDeviceSynchronize(), "filling");
    const wf_reduce_spec fast_sum = {RATIO_TYPE, WF_SUM, WF_ACCUMULATE_DEFAULT, WF_NAN_PROPAGATE, WF_ACCURACY_FAST};
    measure_operation(bench, fast_sum, cub_sum<element, RATIO_SUM>);
    measure_operation(bench, {RATIO_TYPE, WF_MIN}, cub_min<element>);
    measure_operation(bench, {RATIO_TYPE, WF_MAX}, cub_max<element>);
    measure_operation(bench, {RATIO_TYPE, WF_ARGMIN}, cub_argmin<element>);
    measure_operation(bench, {RATIO_TYPE, WF_ARGMAX}, cub_argmax<element>);
    measure_operation(bench, {RATIO_TYPE, WF_MINMAX}, minmax);
}
