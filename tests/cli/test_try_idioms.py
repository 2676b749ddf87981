"""wavefold try: idioms of public files, each with a change that breaks it."""

import json

import pytest
from support import FAILURE, SUCCESS, wavefold
from tried_kernels import changed
from tried_programs import TREE

SOLVE = TREE.format("float") + """
void solve(const float *input, float *output, int N) {
    int blocks = (N + 255) / 256;
    total << <blocks, 256>> > ((float *)input, output, N);
}
"""
OWN_NUMBER = """
__device__ float atomicMax(float *cell, float value) {
    int *bits = (int *)cell, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__global__ void largest(const float *in, float *max, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax(max, in[i]);
}
void solve(const float *input, float *output, int N) {
    float least = -INFINITY;
    cudaMemcpy(output, &least, sizeof(float), cudaMemcpyHostToDevice);
    largest<<<(N + 63) / 64, 64>>>(input, output, N);
}
"""
EARLY_END = """
__device__ void raise(float *cell, float value) {
    int *bits = (int *)cell;
    int old = *bits;
    while (__int_as_float(old) < value) {
        int assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(value));
        if (old == assumed)
            break;
    }
}
__global__ void largest(const float *in, float *max, int n) {
    __shared__ float of_block;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        of_block = -INFINITY;
    __syncthreads();
    if (i < n)
        raise(&of_block, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        raise(max, of_block);
}
void solve(const float *input, float *output, int N) {
    float least = -INFINITY;
    cudaMemcpy(output, &least, sizeof(float), cudaMemcpyHostToDevice);
    largest<<<(N + 63) / 64, 64>>>(input, output, N);
}
"""
INLINE_ARRAY = """
__inline__ __device__ float sum_of_block(float sum) {
    static __shared__ float shared[32];
    for (int d = warpSize / 2; d > 0; d /= 2)
        sum += __shfl_down_sync(~0ull, sum, d);
    if (threadIdx.x % warpSize == 0)
        shared[threadIdx.x / warpSize] = sum;
    __syncthreads();
    float all = 0;
    for (int w = 0; w < blockDim.x / warpSize; w++)
        all += shared[w];
    return all;
}
__global__ void total(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = sum_of_block(i < n ? in[i] : 0);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
void solve(const float *input, float *output, int N) {
    total<<<(N + 127) / 128, 128>>>(input, output, N);
}
"""
LAST_TILE = """
__device__ float parts[4096];
__device__ unsigned done;
__global__ void total(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ bool is_last;
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float all = 0;
        for (int b = 0; b < gridDim.x; b++)
            all += parts[b];
        *out = all;
    }
}
void solve(const float *input, float *output, int N) {
    int blocks = (N + 127) / 128;
    void *arguments[] = {&input, &output, &N};
    cudaLaunchKernel((void *)total, dim3(blocks), dim3(128), arguments, 0, 0);
}
"""
SHAPE = """
__global__ void total(const float *in, size_t n, float *out) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(out, in[i]);
}
extern "C" void solution(const float *input, float *output, const size_t *shape, size_t ndim) {
    size_t lengths[8], n = 1;
    cudaMemcpy(lengths, shape, ndim * sizeof(size_t), cudaMemcpyDeviceToHost);
    for (size_t d = 0; d < ndim; d++)
        n *= lengths[d];
    total<<<8, 64>>>(input, n, output);
}
"""
IDIOMS = {  # the text, its task, a change, what is said of it
    "launches with blanks": (SOLVE, "sum", ("(N + 255) / 256", "N / 256 + (N < 256)"), "wrong: at n = "),
    "a number of its own, swapped in a loop": (OWN_NUMBER, "max", ("-INFINITY", "0"), "wrong: at n = "),
    "no swap in that loop": (OWN_NUMBER, "max", ("atomicCAS(bits, assumed, ", "atomicExch(bits, "), "orders them"),
    "a loop that ends early, plain": (EARLY_END, "max", ("raise(max, of_block)", "*max = of_block"), "orders them"),
    "no barrier before it": (EARLY_END, "max", ("-INFINITY;\n    __syncthreads();", "-INFINITY;"), "of tile memory"),
    "no barrier behind it": (EARLY_END, "max", ("in[i]);\n    __syncthreads();", "in[i]);"), "race in tile memory"),
    "a cell of that loop that is never written": (EARLY_END, "max", ("raise(max, of_block);", """{
        __shared__ float other;
        raise(&other, -INFINITY);
        raise(max, of_block);
    }"""), "of 'other' of tile memory, which was never written"),
    "a store behind that loop": (EARLY_END, "max", ("raise(max, of_block);", """{
        raise(max, of_block);
        of_block = INFINITY;
    }
    raise(&of_block, 1);"""), "race in tile memory"),
    "a static array in a function": (INLINE_ARRAY, "sum", ("__syncthreads();", ""), "of 'shared' of tile memory"),
    "the last tile, of a launch by address": (LAST_TILE, "sum", ("__threadfence();", ""), "of 'parts', which tile 0"),
    "a shape": (SHAPE, "sum", ("n *= lengths[d]", "n = lengths[d] - 1"), "wrong: at n = "),
}
SOFTMAX = """
__global__ void extreme(const float *in, float *most, int n) {
    for (int i = 0; i < n && threadIdx.x + blockIdx.x == 0; i++)
        *most = i == 0 ? in[0] : fmaxf(*most, in[i]);
}
__global__ void powers(const float *in, float *out, const float *most, float *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, out[i] = expf(in[i] - *most));
}
__global__ void divide(float *out, const float *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] /= *sum;
}
void solve(const float *input, float *output, int N) {
    float *numbers;
    cudaMalloc(&numbers, 2 * sizeof(float));
    cudaMemset(numbers, 0, 2 * sizeof(float));
    extreme<<<1, 32>>>(input, numbers, N);
    powers<<<(N + 127) / 128, 128>>>(input, output, numbers, numbers + 1, N);
    divide<<<(N + 127) / 128, 128>>>(output, numbers + 1, N);
    cudaFree(numbers);
}
"""
MEAN_SQUARED_ERROR = """
__global__ void errors(const float *a, const float *b, float *mse, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float d = i < n ? a[i] - b[i] : 0;
    if (i < n)
        atomicAdd(mse, d * d / n);
}
void solve(const float *predictions, const float *targets, float *mse, int N) {
    errors<<<(N + 127) / 128, 128>>>(predictions, targets, mse, N);
}
"""
IDIOMS |= {
    "softmax": (SOFTMAX, "softmax", ("in[i] - *most", "in[i]"), "subtract the maximum"),
    "a mean squared error": (MEAN_SQUARED_ERROR, "mse", ("d * d / n", "d * d"), "not divided by n"),
}
# Right, of no known task.
OTHERS = {
    "rows of a matrix": """
__global__ void rows_of(const float *x, float *y, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int c = 0; c < cols; c++)
            y[r * cols + c] = x[r * cols + c] / (1 + fabsf(x[r * cols]));
}
void solve(const float *x, float *y, int rows, int cols) {
    rows_of<<<(rows + 63) / 64, 64>>>(x, y, rows, cols);
}
""",
    "logarithms": """
__global__ void logarithms_of(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = logf(1 + fabsf(in[i]));
}
void solve(const float *input, float *output, int N) {
    logarithms_of<<<(N + 127) / 128, 128>>>(input, output, N);
}
""",
}


def tried(folder, text):
    path = folder / "mine.cu"
    path.write_text(text)
    done = wavefold("try", path, "--json", folder / "report.json", "--wave", "both")
    return done, json.loads((folder / "report.json").read_text())


@pytest.mark.parametrize("name", IDIOMS)
def test_right_idioms(tmp_path, name):
    text, task, _, _ = IDIOMS[name]
    done, report = tried(tmp_path, text)
    assert done.returncode == SUCCESS and report["clean"], done.stdout + done.stderr
    assert [of["judged"]["task"] for of in report["widths"]] == [task, task]


@pytest.mark.parametrize("name", IDIOMS)
def test_broken_idioms(tmp_path, name):
    text, _, change, said = IDIOMS[name]
    done, report = tried(tmp_path, changed(text, change))
    assert done.returncode == FAILURE and not report["clean"]
    assert said in done.stdout, done.stdout


@pytest.mark.parametrize("name", OTHERS)
def test_results_of_no_task(tmp_path, name):
    done, report = tried(tmp_path, OTHERS[name])
    assert done.returncode == SUCCESS and report["clean"], done.stdout + done.stderr
    for of in report["widths"]:
        assert of["judged"]["outcome"] == "unknown" and not of["right"] and of["findings"] == []
    assert "not judged: " in done.stdout


def test_what_a_grid_leaves_out(attempt):
    done, found = attempt("""
__global__ void k(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, in[i]);
}
WF_TRY_ATOMIC(k, 256, 8)
""")
    assert done.returncode == FAILURE
    assert "sum of the first 2048 elements: elements 2048 and on were never added" in done.stdout
    assert "2048" in found["widths"][0]["wrong"]["hint"]


SWAP = """
__global__ void k(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int *bits = (int *)out, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(in[i] + __int_as_float(assumed)));
    } while (old != assumed);
}
WF_TRY_ATOMIC_ELEMENTS(k, 256, 256)
"""


def test_a_load_between_the_first_read_and_the_swap(attempt):
    done, found = attempt(SWAP)
    assert done.returncode == SUCCESS and found["clean"], done.stdout
    done, found = attempt(changed(SWAP, ("do {", "out[0] = in[i];\n    do {")))
    assert done.returncode == FAILURE and not found["clean"]
