// Each of the two elements of a thread may lie beyond the end: each is asked for itself.
#include <hip/hip_runtime.h>

__global__ void total(const float *in, float *out, size_t n) {
    __shared__ float cells[256];
    const unsigned t = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * 2 * blockDim.x + t;

    cells[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            cells[t] += cells[t + s];
        __syncthreads();
    }

    if (t == 0)
        out[blockIdx.x] = cells[0];
}

#ifdef WF_TRY
WF_TRY(total, 256, 512)
#endif
