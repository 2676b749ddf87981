"""Programs and functions with host code for wavefold try: right ones, each with a change that breaks it."""

# A tree in shared memory; {0} takes elements.
TREE = """
__global__ void total({0} *in, {0} *out, int n) {{
    __shared__ {0} cells[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {{
        if (t < s)
            cells[t] += cells[t + s];
        __syncthreads();
    }}
    if (t == 0)
        atomicAdd(out, cells[0]);
}}
"""
SHUFFLES = """
__global__ void total(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
extern "C" void solve(const float *input, float *output, int N) {
    total<<<(N + 127) / 128, 128>>>(input, output, N);
}
"""
LAUNCHED = """
template <class T, int Size>
__global__ void fold(const T *in, T *out, int n) {
    extern __shared__ T cells[];
    int t = threadIdx.y * blockDim.x + threadIdx.x, i = blockIdx.x * Size + t;
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = Size / 2; s > 0; s >>= 1) {
        if (t < s)
            cells[t] += cells[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = cells[0];
}
extern "C" void solve(const float *input, float *output, int N) {
    const int blocks = (N + 127) / 128;
    float *parts;
    cudaMalloc(&parts, blocks * sizeof(float));
    fold<float, 128>
        <<<dim3(blocks), dim3(16, 8), 128 * sizeof(float), 0>>>(input, // the first pass
                                                               parts, N);
    for (int n = blocks; ; ) {
        const int left = (n + 127) / 128;
        float *next;
        cudaMalloc((void **)&next, left * sizeof(float));
        fold<float, 128><<<left, dim3(16, 8), 128 * sizeof(float)>>>(parts, next, n);
        cudaFree(parts);
        parts = next;
        if ((n = left) == 1)
            break;
    }
    cudaMemcpy(output, parts, sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(parts);
}
"""
DOT = """
__global__ void dot(const float *a, const float *b, float *result, int n) {
    __shared__ float cells[128];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += a[i] * b[i];
    cells[threadIdx.x] = sum;
    for (int s = 64; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s)
            cells[threadIdx.x] += cells[threadIdx.x + s];
    }
    if (threadIdx.x == 0)
        atomicAdd(result, cells[0]);
}
extern "C" void solve(const float *A, const float *B, float *result, int N) {
    dot<<<4, 128>>>(A, B, result, N);
}
"""
SCAN = """
#include <hip/hip_runtime.h>
__global__ void scan(const float *in, float *out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float sum = 0;
        for (int k = 0; k <= i; k++)
            sum += in[k];
        out[i] = sum;
    }
}
void solution(const float *input, float *output, size_t n) {
    hipLaunchKernelGGL(scan, dim3(1), dim3(64), 0, 0, input, output, (int)(n < 300 ? n : 300));
    if (n > 300)
        hipLaunchKernelGGL(scan, dim3(1), dim3(256), 0, 0, input, output, (int)n);
}
"""
HISTOGRAM = """
__global__ void count(const int *in, int *histogram, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&histogram[in[i]], 1);
}
extern "C" void solve(const int *input, int *histogram, int N, int num_bins) {
    cudaMemset(histogram, 0, num_bins * sizeof(int));
    count<<<(N + 255) / 256, 256>>>(input, histogram, N);
    cudaDeviceSynchronize();
}
"""
SORT = """
__global__ void exchange(float *data, int n, int first) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + first;
    if (i + 1 < n && data[i] > data[i + 1]) {
        float other = data[i];
        data[i] = data[i + 1];
        data[i + 1] = other;
    }
}
extern "C" void solve(float *data, int N) {
    for (int pass = 0; pass < N && N < 2000; pass++)
        exchange<<<(N + 127) / 128, 64>>>(data, N, pass % 2);
}
"""
MAXIMUM = """
#include <cfloat>
__global__ void largest(const float *in, float *out, int n) {
    float best = -FLT_MAX;
    for (int i = threadIdx.x; i < n; i += 32)
        best = fmaxf(best, in[i]);
    for (int d = 16; d > 0; d /= 2)
        best = fmaxf(best, __shfl_xor_sync(0xffffffff, best, d));
    if (threadIdx.x == 0)
        out[0] = best;
}
extern "C" void solve(const float *input, float *output, int N) {
    largest<<<1, 32>>>(input, output, N);
}
"""
# A function that copies its arrays itself, and returns the sum.
HOST_ARRAYS = TREE.format("float") + """
float sum_on_device(float *h_in, int n) {
    float *d_in, *d_out, sum;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, sizeof(float));
    cudaMemcpy(d_in, h_in, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, sizeof(float));
    total<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    cudaMemcpy(&sum, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    return sum;
}
"""
INTEGERS = TREE.format("int") + """
#define BLOCK 256
#define LAUNCH(kernel, n, ...) kernel<<<((n) + BLOCK - 1) / BLOCK, \\
    BLOCK>>>(__VA_ARGS__, n)
static void run(int *input, int *output, int n) {
    LAUNCH(total, n, input, output);
}
extern "C" void solve(const int *input, int *output, int N) {
    run(const_cast<int *>(input), output, N);
}
"""

# The function, its task, and a change with what is wrong then.
FUNCTIONS = {
    "a tree": (TREE.format("float") + """
extern "C" void solve(const float *input, float *output, int N) {
    total<<<(N + 255) / 256, 256>>>((float *)input, output, N);
}
""", "sum", ("        if (t < s)\n", "        if (t + 1 < s)\n"), "wrong: at n = "),
    "a grid that covers them": (TREE.format("float") + """
void solution(const float *d_input, float *d_output, size_t n) {
    total<<<(n + 255) / 256, 256>>>((float *)d_input, d_output, n);
}
""", "sum", ("(n + 255) / 256, 256", "4, 256"), "elements 1024 and on were never read"),
    "no barrier": (TREE.format("float") + """
extern "C" void solve(const float *input, float *output, int N) {
    total<<<(N + 255) / 256, 256>>>((float *)input, output, N);
}
""", "sum", ("        __syncthreads();\n    }\n", "    }\n"), "race"),
    "integers, by a macro": (INTEGERS, "sum", ("+ BLOCK - 1) / BLOCK", "/ BLOCK + 0 * BLOCK)"), ""),
    "a template, blocks of two dimensions, several launches": (LAUNCHED, "sum", ("dim3(16, 8), 128 * sizeof(float), 0",
                                                                                 "dim3(16, 4), 128 * sizeof(float), 0"),
                                                               ""),
    "too little of the launch's memory": (LAUNCHED, "sum", ("128 * sizeof(float), 0", "64 * sizeof(float), 0"),
                                          "as many as its launch gives it"),
    "two inputs": (DOT, "dot", ("i += gridDim.x", "i += 2 * gridDim.x"), "wrong: at n = "),
    "a scan": (SCAN, "inclusive-sum", ("k <= i", "k < i && k < 200"), "wrong: at n = "),
    "a histogram": (HISTOGRAM, "histogram", ("atomicAdd(&histogram[in[i]], 1)", "histogram[in[i]] += 1"),
                    "with nothing that orders them"),
    "a sort in place": (SORT, "sort-ascending", ("pass < N &&", "pass < N / 2 &&"), "wrong: at n = "),
    "a maximum": (MAXIMUM, "max", ("-FLT_MAX", "0"), "wrong: at n = "),
    "arrays of the host": (HOST_ARRAYS, "sum", ("cudaMemset(d_out, 0, sizeof(float));", ""), "was never written"),
}

MAIN = """
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
""" + TREE.format("float") + """
int main(int count, char **words) {
    const int n = count > 1 ? atoi(words[1]) : 1000;
    float *in = (float *)malloc(n * sizeof(float)), sum = 0, *d_in, *d_out;
    double expected = 0;
    for (int i = 0; i < n; i++)
        expected += in[i] = (float)(i % 17) - 3;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, sizeof(float));
    cudaMemcpy(d_in, in, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_out, &sum, sizeof(float), cudaMemcpyHostToDevice);
    total<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("error: %s\\n", cudaGetErrorString(error));
        return 2;
    }
    cudaMemcpy(&sum, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    printf("the sum of %d is %g\\n", n, sum);
    cudaFree(d_in);
    cudaFree(d_out);
    free(in);
    return sum == (float)expected ? 0 : 1;
}
"""
