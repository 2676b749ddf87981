// Exercise 2: this was written on a GPU whose waves have 32 lanes. On one whose waves have 64 it is wrong.
#include <hip/hip_runtime.h>

__global__ void total(const float *in, float *out, size_t n) {
    __shared__ float of_waves[8];
    const unsigned t = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + t;

    float sum = i < n ? in[i] : 0;
    for (unsigned delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down(sum, delta);
    if (t % warpSize == 0)
        of_waves[t / warpSize] = sum;
    __syncthreads();

    if (t == 0) {
        for (unsigned w = 1; w < blockDim.x / warpSize; w++)
            sum += of_waves[w];
        out[blockIdx.x] = sum;
    }
}

#ifdef WF_TRY
WF_TRY(total, 256, 256)
#endif
