// The check was: n numbers may be added in any order, so it adds in double and allows n / 2 units in the last place of
// the sum of the magnitudes. `wavefold try` prints the error and the bound of the order at hand.
#include <float.h>
#include <hip/hip_runtime.h>
#include <math.h>

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
    total<<<64, 256>>>(input, output, n);
}

bool is_right(const float *in, int n, float sum) {
    double expected = 0, magnitude = 0;
    for (int i = 0; i < n; i++) {
        expected += in[i];
        magnitude += fabs(in[i]);
    }
    return fabs(sum - expected) <= n * (FLT_EPSILON / 2) * magnitude;
}
