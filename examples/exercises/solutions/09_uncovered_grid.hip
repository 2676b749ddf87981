// Each lane adds every element that is a grid's width away from its first, so that any grid covers the array.
#include <hip/hip_runtime.h>

__global__ void total(const float *in, float *out, int n) {
    __shared__ float cells[256];
    const int t = threadIdx.x, width = gridDim.x * blockDim.x;

    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += width)
        sum += in[i];
    cells[t] = sum;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            cells[t] += cells[t + s];
        __syncthreads();
    }

    if (t == 0)
        atomicAdd(out, cells[0]);
}

void solve(const float *input, float *output, int n) {
    total<<<8, 256>>>(input, output, n);
}
