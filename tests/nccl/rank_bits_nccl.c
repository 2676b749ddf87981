/* Prints the exact sums of hard inputs that are divided among GPUs: columns of results/rank-bits.md, as
 * tests/mpi/rank_bits.c finds those of MPI ranks.
 *
 * usage: rank_bits_nccl GPUS
 *
 * Each line has three fields with tabs between them: type, input, bits. Every GPU must find the same, for parts of one
 * length and for parts that grow with the rank, or it fails. */
#include "hard_floats.h"
#include "result_bytes.h"

#include <wavefold_nccl.h>

#include <cuda_runtime.h>
#include <nccl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_GPUS = 8 };

static const wf_type types[] = {WF_F16, WF_BF16, WF_F32, WF_F64};

static int gpus;
static wf_context *contexts[MOST_GPUS];
static wf_nccl *ranks[MOST_GPUS];
static void *streams[MOST_GPUS], *parts[MOST_GPUS], *results[MOST_GPUS];

static void stop(const char *spec, const char *why) {
    fprintf(stderr, "rank_bits_nccl: %s: %s\n", spec, why);
    exit(1);
}

static void require(wf_status status) {
    if (status != WF_OK)
        stop(wf_status_name(status), wf_last_error());
}

static void require_cuda(cudaError_t error) {
    if (error != cudaSuccess)
        stop("CUDA", cudaGetErrorString(error));
}

static size_t start_of(int which, size_t count, bool grows) {
    const size_t r = (size_t)which, n = (size_t)gpus;
    return grows ? count * r * r / (n * n) : count * r / n;
}

static uint64_t sum_of(size_t input, wf_type type, bool grows, unsigned char *elements) {
    const size_t size = wf_type_size(type), all = input < HARD_INPUTS ? hard_count(input) : 0;
    const wf_reduce_spec spec = {.type = type, .op = WF_SUM, .accuracy = WF_ACCURACY_EXACT};
    for (size_t i = 0; i < all; i++)
        hard_put(input, type, i, elements + i * size);
    require(wf_nccl_group_start());
    for (int g = 0; g < gpus; g++) {
        const size_t start = start_of(g, all, grows), count = start_of(g + 1, all, grows) - start;
        if (count != 0)
            require(wf_copy_to_device(contexts[g], parts[g], elements + start * size, count * size));
        require(wf_nccl_reduce_async(ranks[g], &spec, parts[g], count, results[g], bytes_of_result(&spec), streams[g]));
    }
    require(wf_nccl_group_end());
    require(wf_nccl_wait_all(ranks, (size_t)gpus, streams));
    uint64_t first = 0;
    for (int g = 0; g < gpus; g++) {
        uint64_t bits = 0;
        require(wf_copy_to_host(contexts[g], &bits, results[g], size));
        if (g == 0)
            first = bits;
        else if (bits != first)
            stop(hard_name(input), "the sum has other bits on another GPU");
    }
    return first;
}

static void open_gpus(void) {
    ncclComm_t comms[MOST_GPUS];
    if (ncclCommInitAll(comms, gpus, NULL) != ncclSuccess)
        stop("NCCL", ncclGetLastError(NULL));
    for (int g = 0; g < gpus; g++) {
        char device[32];
        snprintf(device, sizeof device, "nvidia:%d", g);
        require_cuda(cudaSetDevice(g));
        require_cuda(cudaStreamCreate((cudaStream_t *)&streams[g]));
        require(wf_context_create(&contexts[g], device));
        require(wf_nccl_create(&ranks[g], contexts[g], comms[g]));
        require(wf_malloc(contexts[g], &parts[g], (size_t)HARD_MOST * 8));
        require(wf_malloc(contexts[g], &results[g], 8));
    }
}

int main(int argc, char **argv) {
    gpus = argc == 2 ? atoi(argv[1]) : 0;
    unsigned char *const elements = malloc((size_t)HARD_MOST * 8);
    if (gpus < 1 || gpus > MOST_GPUS || elements == NULL)
        stop("usage", "rank_bits_nccl GPUS, from 1 to 8");
    open_gpus();
    for (size_t input = 0; input <= HARD_INPUTS; input++) /* the last: no element on any rank */
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            const uint64_t sum = sum_of(input, types[t], false, elements);
            if (sum_of(input, types[t], true, elements) != sum)
                stop(wf_type_name(types[t]), "the sum has other bits in other parts");
            printf("%s\t%s\t%0*llx\n", wf_type_name(types[t]), input < HARD_INPUTS ? hard_name(input) : "no element",
                   (int)(2 * wf_type_size(types[t])), (unsigned long long)sum);
        }
    free(elements);
    return 0;
}
