// Exercise 4: right, but in nearly every step each wave has a few lanes that work, while the others wait for them.
// Look at the divergent steps. Which lanes should work, so that whole waves rest?
#include <hip/hip_runtime.h>

__global__ void total(const float *in, float *out, size_t n) {
    __shared__ float cells[256];
    const unsigned t = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + t;

    cells[t] = i < n ? in[i] : 0;
    __syncthreads();

    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0)
            cells[t] += cells[t + s];
        __syncthreads();
    }

    if (t == 0)
        out[blockIdx.x] = cells[0];
}

#ifdef WF_TRY
WF_TRY(total, 256, 256)
#endif
