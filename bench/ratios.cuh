// What bench-ratios measures of one element type; ratios_of_type.cu is compiled once for each.
#ifndef WAVEFOLD_BENCH_RATIOS_CUH
#define WAVEFOLD_BENCH_RATIOS_CUH

#include "graph.cuh"

#include <jansson.h>

struct ratio_bench {
    wf_context *context;
    cudaStream_t stream;
    void *results; // device memory
    char *pool;    // cache_bytes longer than pool_bytes
    size_t pool_bytes;
    size_t samples;
    unsigned largest_log2;
    json_t *cells;
};

using cub_call = cudaError_t (*)(void *temporary, size_t &bytes, const arrays &, cudaStream_t);

void measure_operation(const ratio_bench &bench, const wf_reduce_spec &spec, cub_call cub);

#endif
