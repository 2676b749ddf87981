// A fence orders the sum before the count, and a second one the count before the reads of the other tiles' sums.
#include <hip/hip_runtime.h>

__device__ float partials[1024];
__device__ unsigned done;

__device__ float sum_of_tile(float *cells, float mine) {
    const unsigned t = threadIdx.x;
    cells[t] = mine;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            cells[t] += cells[t + s];
        __syncthreads();
    }
    return cells[0];
}

__global__ void total(const float *in, float *out, int n) {
    __shared__ float cells[256];
    __shared__ bool is_last;
    const unsigned t = threadIdx.x, width = gridDim.x * blockDim.x;

    float mine = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += width)
        mine += in[i];
    const float sum = sum_of_tile(cells, mine);

    if (t == 0) {
        partials[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicAdd(&done, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!is_last)
        return;

    mine = 0;
    for (unsigned tile = t; tile < gridDim.x; tile += blockDim.x)
        mine += partials[tile];
    const float all = sum_of_tile(cells, mine);
    if (t == 0) {
        *out = all;
        done = 0;
    }
}

void solve(const float *input, float *output, int n) {
    const int tiles = n < 262144 ? (n + 255) / 256 : 1024;
    total<<<tiles, 256>>>(input, output, n);
}
