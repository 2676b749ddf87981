// Waves and lanes are counted with warpSize, too: with 5 and 31, lane 32 of a wave of 64 adds half of it a second time.
#include <hip/hip_runtime.h>

__device__ float sum_of_wave(float sum) {
    for (int delta = warpSize / 2; delta > 0; delta /= 2)
        sum += __shfl_down(sum, delta);
    return sum;
}

__global__ void total(const float *in, float *out, int n) {
    __shared__ float of_waves[32];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, wave = t / warpSize, lane = t % warpSize;

    const float sum = sum_of_wave(i < n ? in[i] : 0);
    if (lane == 0)
        of_waves[wave] = sum;
    __syncthreads();

    if (t == 0) {
        float all = 0;
        for (int w = 0; w < blockDim.x / warpSize; w++)
            all += of_waves[w];
        atomicAdd(out, all);
    }
}

void solve(const float *input, float *output, int n) {
    total<<<(n + 255) / 256, 256>>>(input, output, n);
}
