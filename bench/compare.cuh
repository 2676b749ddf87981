// What is timed beside a peer must be right: where nothing is rounded, all sides have the same bits.
#ifndef WAVEFOLD_BENCH_COMPARE_CUH
#define WAVEFOLD_BENCH_COMPARE_CUH

#include "graph.cuh"

#include <array>
#include <string>

// Runs each side once more; fails if a result is not the first one's. results: where all sides leave theirs. Sums of
// floats are not compared: each side adds in an order of its own.
inline void require_same_results(const wf_reduce_spec &spec, const std::vector<timed_side> &sides, void *in,
                                 void *results, cudaStream_t stream) {
    const bool is_float = spec.type == WF_F16 || spec.type == WF_BF16 || spec.type == WF_F32 || spec.type == WF_F64;
    if (is_float && spec.op == WF_SUM)
        return;
    wf_reduction_info info;
    require(wf_reduction_get_info(&spec, &info), "wf_reduction_get_info");
    std::vector<std::array<uint64_t, 4>> found;
    for (const timed_side &side : sides) {
        std::array<uint64_t, 4> result = {};
        require(cudaMemsetAsync(results, 0, sizeof result, stream), "cudaMemsetAsync");
        side.launch(in, stream);
        require(cudaMemcpyAsync(result.data(), results, info.result_bytes, cudaMemcpyDeviceToHost, stream),
                "copying a result");
        require(cudaStreamSynchronize(stream), "comparing results");
        found.push_back(result);
        if (result != found.front())
            fail(side.name, (std::string("its ") + wf_op_name(spec.op) + " of " + wf_type_name(spec.type) +
                             " is not that of " + sides.front().name)
                                .c_str());
    }
}

#endif
