"""wavefold try: files whose names, branches or templates mislead a reader of their text."""

import json

import pytest
from support import FAILURE, SUCCESS, wavefold
from tried_programs import TREE

WINDOWS = """
__global__ void maxima(const int *in, int *max, int n, int window) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < window && i + window <= n; k++)
        sum += in[i + k];
    if (i + window <= n)
        atomicMax(max, sum);
}
void solve(const int *input, int *output, int N, int window_size) {
    int least = INT_MIN;
    cudaMemcpy(output, &least, sizeof(int), cudaMemcpyHostToDevice);
    maxima<<<(N + 63) / 64, 64>>>(input, output, N, window_size);
}
"""
MERGE = """
__global__ void put(const float *a, const float *b, float *c, int m, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m + n)
        c[i] = i < m ? a[i] : b[i - m];
}
void solve(const float *A, const float *B, float *C, int M, int N) {
    put<<<(M + N + 63) / 64, 64>>>(A, B, C, M, N);
}
"""
SEGMENTS = """
__global__ void scan(const float *values, const int *flags, float *output, int n) {
    float sum = 0;
    for (int i = 0; i < n && threadIdx.x + blockIdx.x == 0; i++) {
        sum = flags[i] != 0 ? 0 : sum;
        output[i] = sum;
        sum += values[i];
    }
}
void solve(const float *values, const int *flags, float *output, int N) {
    scan<<<1, 32>>>(values, flags, output, N);
}
"""
SECOND_LEVEL = """
__global__ void tile_scan(const float *in, float *out, float *sums, int n) {
    __shared__ float cells[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    cells[threadIdx.x] = i < n ? in[i] : 0;
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        float before = threadIdx.x >= d ? cells[threadIdx.x - d] : 0;
        __syncthreads();
        cells[threadIdx.x] += before;
    }
    if (i < n)
        out[i] = cells[threadIdx.x];
    if (threadIdx.x == 255 && sums != nullptr)
        sums[blockIdx.x] = cells[255];
}
__global__ void add(float *out, const float *sums, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += sums[blockIdx.x - 1];
}
void solve(const float *input, float *output, int N) {
    int tiles = (N + 255) / 256;
    float *sums;
    cudaMalloc(&sums, tiles * sizeof(float));
    tile_scan<<<tiles, 256>>>(input, output, sums, N);
    tile_scan<<<1, 256>>>(sums, sums, nullptr, tiles < 256 ? tiles : 256);
    add<<<tiles, 256>>>(output, sums, N);
    cudaFree(sums);
}
"""
LARGE = """
__global__ void tile_sums(const float *in, float *sums, int n) {
    __shared__ float cells[512];
    int i = blockIdx.x * 512 + threadIdx.x;
    cells[threadIdx.x] = i < n ? in[i] : 0;
    for (int d = 256; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d)
            cells[threadIdx.x] += cells[threadIdx.x + d];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = cells[0];
}
void solve(const float *input, float *output, int N) {
    int tiles = (N + 511) / 512;
    float *sums;
    cudaMalloc(&sums, tiles * sizeof(float));
    tile_sums<<<tiles, 512>>>(input, sums, N);
    tile_sums<<<1, 512>>>(sums, output, tiles);
    cudaFree(sums);
}
"""
POOL = """
__global__ void pool(const float *in, float *out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] / 2 + in[i / stride * stride];
}
void solution(const float *input, int stride, float *output, size_t H) {
    pool<<<(H / stride + stride * 64) / 64, 64>>>(input, output, H, stride);
}
"""
DOT = """#include <cstdio>
__global__ void dot(const float *a, const float *b, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, a[i] * b[i]);
}
int main() {
    for (int n = 2; n < 200; n *= 3) {
        float host[200], *a, *b, *out, zero = 0;
        cudaMalloc(&a, n * sizeof(float));
        cudaMalloc(&b, n * sizeof(float));
        cudaMalloc(&out, sizeof(float));
        for (int i = 0; i < n; i++)
            host[i] = i * 0.5f - 3;
        cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice);
        for (int i = 0; i < n; i++)
            host[i] = 7 - i;
        cudaMemcpy(b, host, n * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(out, &zero, sizeof(float), cudaMemcpyHostToDevice);
        dot<<<(n + 63) / 64, 64>>>(a, b, out, n);
        cudaMemcpy(&zero, out, sizeof(float), cudaMemcpyDeviceToHost);
        printf("%g\\n", zero);
        cudaFree(a);
        cudaFree(b);
        cudaFree(out);
    }
}
"""
IN_PLACE = """#include <cstdio>
__global__ void sort(int *a, int n) {
    for (int step = 0; step < n; step++) {
        int i = 2 * threadIdx.x + step % 2, low = i + 1 < n ? a[i] : 0, high = i + 1 < n ? a[i + 1] : 0;
        if (low > high) {
            a[i] = high;
            a[i + 1] = low;
        }
        __syncthreads();
    }
}
int main() {
    int host[63], *a;
    for (int i = 0; i < 63; i++)
        host[i] = i * 37 % 61;
    cudaMalloc(&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    sort<<<1, 32>>>(a, 63);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\\n", host[0], host[62]);
    cudaFree(a);
}
"""
ONES = """#include <cstdio>
__global__ void first(const float *in, float *parts) {
    if (threadIdx.x == 0)
        parts[blockIdx.x] = blockIdx.x * in[0];
}
int main() {
    float host[512], *in, *parts;
    for (float &each : host)
        each = 1;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&parts, 4 * sizeof(float));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    first<<<4, 128>>>(in, parts);
    cudaMemcpy(host, parts, 4 * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\\n", host[3]);
    cudaFree(in);
    cudaFree(parts);
}
"""
INSTANCES = """#include <cstdio>
template <class T, int N>
__global__ void reversed(T *a) {
    __shared__ T cells[N];
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        cells[i] = a[i];
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        a[i] = cells[N - 1 - i];
}
template <class T, int N>
T first() {
    static T host[N];
    T *a;
    for (int i = 0; i < N; i++)
        host[i] = T(i);
    cudaMalloc(&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    reversed<T, N><<<1, 256>>>(a);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(a);
    return host[0];
}
int main() {
    printf("%d %g %lld\\n", first<int, 4096>(), first<double, 4095>(), first<long long, 4097>());
    return cudaGetLastError() != cudaSuccess;
}
"""
# solve() functions whose results fit a task by chance, or by a name.
CHANCES = {
    "an element by its index": """
__global__ void pick(const int *in, int *out, int i) { *out = in[i]; }
void solve(const int *input, int *output, int N, int index) { pick<<<1, 1>>>(input, output, index); }
""",
    "a count of smaller ones": """
__global__ void count_less(const int *in, int *out, int n, int k) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && in[i] < k)
        atomicAdd(out, 1);
}
void solve(const int *input, int *output, int N, int K) { count_less<<<(N + 255) / 256, 256>>>(input, output, N, K); }
""",
    "a histogram between two numbers": """
__global__ void histogram_kernel(const float *in, unsigned *h, int n, int bins, float low, float high) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] >= low && in[i] < high)
        atomicAdd(&h[int((in[i] - low) / (high - low) * bins)], 1);
}
void solve(const float *input, unsigned *histogram, int N, int num_bins, float low, float high) {
    histogram_kernel<<<(N + 255) / 256, 256>>>(input, histogram, N, num_bins, low, high);
}
""",
    "the first step of an unnamed sort": """
__global__ void step(float *a, int n) {
    for (int j = n - 1; j > 0; j--)
        if (a[j - 1] > a[j]) {
            float t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
}
void solve(float *data, int N) { step<<<1, 1>>>(data, N); }
""",
}
RIGHT = {
    "a histogram of bytes, in arrays of the host": ("""
__global__ void histogram_kernel(const unsigned char *in, int n, int *h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&h[in[i]], 1);
}
void histogramCUDA(const unsigned char *in, int n, int *h) {
    unsigned char *d_in;
    int *d_h;
    cudaMalloc(&d_in, n);
    cudaMalloc(&d_h, 256 * sizeof(int));
    cudaMemcpy(d_in, in, n, cudaMemcpyHostToDevice);
    cudaMemset(d_h, 0, 256 * sizeof(int));
    histogram_kernel<<<(n + 255) / 256, 256>>>(d_in, n, d_h);
    cudaMemcpy(h, d_h, 256 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_h);
}
""", "histogram"),
    "a histogram of bytes": ("""
__global__ void histogram_kernel(const unsigned char *in, int n, int *h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 256 + n && i == 0; k++)
        h[k < 256 ? k : in[k - 256]] = k < 256 ? 0 : h[in[k - 256]] + 1;
}
void solve(const unsigned char *in, int *h, int n) { histogram_kernel<<<1, 32>>>(in, n, h); }
""", "histogram"),
}
FAULTS = {
    "the first step of a sort": (CHANCES["the first step of an unnamed sort"].replace("step", "bubble_sort"),
                                 "of the ascending sort is"),
    "a histogram without its last bin": ("""
__global__ void histogram_kernel(const int *in, int *h, int n, int bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&h[in[i] % (bins - 1)], 1);
}
void solve(const int *input, int *histogram, int N, int num_bins) {
    histogram_kernel<<<(N + 255) / 256, 256>>>(input, histogram, N, num_bins);
}
""", "of the histogram is"),
    "partial sums": ("""
__global__ void sum(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&out[blockIdx.x], in[i]);
}
void solve(const float *input, float *output, int N) { sum<<<(N + 255) / 256, 256>>>(input, output, N); }
""", "the sum of the first 256 elements"),
    "a sum with another number": ("""
__global__ void sum(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        atomicAdd(out, in[i]);
}
void solve(const float *input, float *output, int N, int iterations) {
    sum<<<(N + 255) / 256, 256>>>(input, output, N);
}
""", "the sum is"),
}
# Programs whose results equal those of a task by chance: of { } in the kernel, of numbers i * 7 % MODULUS.
PROGRAM = """#include <cstdio>
__global__ void k(int *in, int *out) { int i = threadIdx.x; KERNEL }
int main() {
    int host[64], *in, *out;
    for (int i = 0; i < 64; i++)
        host[i] = NUMBER;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(in, out);
    cudaMemcpy(host, RESULT, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\\n", host[3]);
    cudaFree(in);
    cudaFree(out);
}
"""
HIDDEN_MAIN = TREE.format("float") + """
void solve(const float *input, float *output, int N) {
    total<<<(N + 255) / 256, 256>>>((float *)input, output, N);
}
#ifdef TEST_MAIN
int main() {
    return 0;
}
#endif
"""


def tried(folder, text, *options):
    path = folder / "mine.cu"
    path.write_text(text)
    done = wavefold("try", path, "--json", folder / "report.json", "--wave", "32", *options)
    assert (folder / "report.json").exists(), done.stderr
    return done, json.loads((folder / "report.json").read_text())["widths"][0]


@pytest.mark.parametrize("text", (WINDOWS, MERGE, SEGMENTS), ids=("windows", "merge", "segments"))
def test_names_of_other_tasks(tmp_path, text):
    done, answer = tried(tmp_path, text)
    assert done.returncode == SUCCESS and answer["judged"]["outcome"] == "unknown", done.stdout


def test_a_second_level_that_ends(tmp_path):
    done, _ = tried(tmp_path, SECOND_LEVEL, "--seconds", "100")
    assert done.returncode == FAILURE and "right up to element 65791" in done.stdout, done.stdout


def test_more_than_tiles_of_tiles(tmp_path):
    done, _ = tried(tmp_path, LARGE, "--seconds", "100")
    assert done.returncode == FAILURE and "elements 262144 and on were never added" in done.stdout, done.stdout


def test_a_stride_is_no_zero(tmp_path):
    done, answer = tried(tmp_path, POOL)
    assert done.returncode == SUCCESS and answer["judged"]["outcome"] == "unknown", done.stdout


def test_the_arrays_of_a_dot_product(tmp_path):
    """Among them is the result's, which the host has set to 0, and those of earlier calls."""
    done, answer = tried(tmp_path, DOT)
    assert answer["recognised"] == ["'out' equals the dot of 'a' and 'b'"], done.stdout


def test_an_array_sorted_in_place(tmp_path):
    """Its first element is the minimum, too."""
    done, answer = tried(tmp_path, IN_PLACE)
    assert answer["recognised"] == ["'a' equals the sort-ascending of its elements before"], done.stdout


def test_equal_numbers_have_no_place(tmp_path):
    done, answer = tried(tmp_path, ONES)
    assert done.returncode == SUCCESS and not answer["right"] and "equals the" not in done.stdout, done.stdout


def test_static_arrays_of_instances(tmp_path):
    done, answer = tried(tmp_path, INSTANCES)
    assert done.returncode == SUCCESS and answer["launch_count"] == 3, done.stdout
    assert "4095 4094 4096" in done.stdout
    large = INSTANCES.replace("int, 4096", "double, 9000").replace("4097", "9001").replace("4095", "9002")
    done, _ = tried(tmp_path, large)
    assert "is invalid: 72000 bytes of shared memory" in done.stdout, done.stdout


@pytest.mark.parametrize("name", CHANCES)
def test_results_that_fit_by_chance(tmp_path, name):
    done, answer = tried(tmp_path, CHANCES[name])
    assert done.returncode == SUCCESS and answer["judged"]["outcome"] == "unknown", done.stdout


@pytest.mark.parametrize("name", RIGHT)
def test_right_functions(tmp_path, name):
    text, task = RIGHT[name]
    done, answer = tried(tmp_path, text)
    assert done.returncode == SUCCESS and answer["judged"]["task"] == task and answer["right"], done.stdout


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_named_functions(tmp_path, name):
    text, said = FAULTS[name]
    done, answer = tried(tmp_path, text)
    assert done.returncode == FAILURE and said in done.stdout, done.stdout


@pytest.mark.parametrize("kernel, number, result",
                         (("in[i] = 0;", "i", "in"), ("out[i] = in[i];", "2 * i", "out"),
                          ("out[i] = in[i] * in[i];", "i - 9", "out"), ("out[i] = in[0];", "1 + i * 7 % 61", "out")),
                         ids=("cleared", "copied", "squared", "first"))
def test_programs_that_fit_by_chance(tmp_path, kernel, number, result):
    text = PROGRAM.replace("KERNEL", kernel).replace("NUMBER", number).replace("RESULT", result)
    done, answer = tried(tmp_path, text)
    assert done.returncode == SUCCESS and not answer["right"] and "equals the" not in done.stdout, done.stdout


def test_main_for_another_build(tmp_path):
    done, answer = tried(tmp_path, HIDDEN_MAIN)
    assert done.returncode == SUCCESS and answer["judged"]["task"] == "sum", done.stdout
    done, answer = tried(tmp_path, "#define TEST_MAIN\n" + HIDDEN_MAIN)
    assert answer["mode"] == "program", done.stdout
