"""wavefold try: files that hide main() from its reader, outputs that are compared, processes that are left."""

import pathlib
import time

import pytest
from support import FAILURE, SUCCESS, environment, one_error, wavefold

SUM = """
__global__ void sum(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, in[i]);
}
"""
MAIN = """#include <cstdio>
#include <stdexcept>
int main() {
    float host[300], total = 0, *in, *out;
    for (int i = 0; i < 300; i++)
        host[i] = i * 0.5f;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof(float));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(float));
    sum<<<2, 256>>>(in, out, 300);
    if (cudaGetLastError() != cudaSuccess)
        throw std::runtime_error("a launch failed");
    cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
    printf("total %g\\n", total);
    cudaFree(in);
    cudaFree(out);
}
"""


def tried(folder, text, *arguments, encoding="utf-8"):
    path = folder / "mine.cu"
    path.write_text(text, encoding=encoding)
    return wavefold("try", path, *arguments)


def right(done):
    assert done.returncode == SUCCESS, done.stdout + done.stderr
    assert "total 22425" in done.stdout and "equals the sum" in done.stdout


def test_operators_before_main(tmp_path):
    operators = """struct pair { float value; int index; };
__host__ __device__ bool operator==(pair a, pair b) { return a.index == b.index; }
__host__ __device__ bool operator<(const pair &a, const pair &b) { return a.value < b.value; }
"""
    right(tried(tmp_path, operators + SUM + MAIN))


def test_a_macro_without_a_semicolon(tmp_path):
    text = "#define DEFINE(name) __global__ void name(int *a) { *a = 1; }\n" + SUM + "DEFINE(one)\n"
    right(tried(tmp_path, text + MAIN))


def test_branches_that_open_one_brace_twice(tmp_path):
    branches = """#ifdef USE_DOUBLE
__global__ void k(double *a) {
#else
__global__ void k(float *a) {
#endif
    *a = 7;
}
"""
    right(tried(tmp_path, branches + SUM + MAIN))


def test_qualifiers_twice_and_a_mark_of_utf_8(tmp_path):
    text = "inline __device__ __forceinline__ float twice(float x) { return 2 * x; }\n" + SUM.replace("in[i]",
                                                                                              "twice(in[i]) / 2")
    right(tried(tmp_path, text + MAIN, encoding="utf-8-sig"))


def test_a_launcher_with_a_stream(tmp_path):
    launcher = """
void run(const float *input, float *output, int n, cudaStream_t stream = 0) {
    sum<<<(n + 255) / 256, 256, 0, stream>>>(input, output, n);
}
"""
    done = tried(tmp_path, SUM + launcher)
    assert done.returncode == SUCCESS, done.stdout + done.stderr
    assert tried(tmp_path, SUM.replace("i < n", "i + 1 < n") + launcher).returncode == FAILURE


def test_a_changed_array_is_no_minimum(tmp_path):
    text = """#include <cstdio>
__global__ void triple(int *a, int n) { int i = threadIdx.x; if (i < n) a[i] *= 3; }
int main() {
    int host[100], *a;
    for (int i = 0; i < 100; i++) host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    triple<<<1, 128>>>(a, 100);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\\n", host[99]);
    cudaFree(a);
}
"""
    done = tried(tmp_path, text)
    assert done.returncode == SUCCESS and "equals" not in done.stdout, done.stdout


WINNER = """#include <cstdio>
__global__ void race(int *a) { atomicExch(a, int(threadIdx.x)); }
int main() {
    int host = 0, *a;
    cudaMalloc(&a, sizeof host);
    cudaMemset(a, 0, sizeof host);
    race<<<1, 64>>>(a);
    cudaMemcpy(&host, a, sizeof host, cudaMemcpyDeviceToHost);
    printf("second winner: %d\\n", host);
    cudaFree(a);
}
"""


def test_a_winner_that_depends_on_the_order(tmp_path):
    assert tried(tmp_path, WINNER).returncode == FAILURE


def is_running(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_child_does_not_outlive_its_trial(tmp_path):
    child = """
    if (fork() == 0) {
        FILE *list = fopen("LIST", "a");
        fprintf(list, "%d\\n", int(getpid()));
        fclose(list);
        sleep(100);
        _exit(0);
    }
""".replace("LIST", str(tmp_path / "children"))
    text = "#include <unistd.h>\n" + SUM + MAIN.replace("int main() {", "int main() {" + child)
    tried(tmp_path, text, "--seconds", "2", "--wave", "32")
    children = (tmp_path / "children").read_text().split()
    assert children
    deadline = time.monotonic() + 20  # a killed process ends when it is next scheduled; these sleep for 100 s
    while any(is_running(process) for process in children):
        assert time.monotonic() < deadline, children
        time.sleep(0.05)


@pytest.mark.parametrize("line, is_excused", (("%d ms", True), ("took %d milliseconds", True), ("Runtime: %d", True),
                                             ("%d s", True), ("thread's winner: %d", False), ("second: %d", False)))
def test_lines_that_measure(tmp_path, line, is_excused):
    done = tried(tmp_path, WINNER.replace("second winner: %d", line))
    assert done.returncode == (SUCCESS if is_excused else FAILURE), done.stdout


@pytest.mark.parametrize("said, status", (("Test FAILED", FAILURE), ("0 mismatches", SUCCESS)))
def test_a_program_that_finds_its_results_wrong(tmp_path, said, status):
    unknown = SUM.replace("in[i])", "in[i] * 3 + 1)")
    done = tried(tmp_path, unknown + MAIN.replace("total %g", said), "--wave", "32")
    assert done.returncode == status, done.stdout
    assert ("its own check fails: line 1 is '" + said in done.stdout) == (status == FAILURE)


def test_a_right_result_that_its_program_refuses(tmp_path):
    """Only rounding may be the program's fault."""
    refused = MAIN.replace("total %g", "total %g: FAILED")
    done = tried(tmp_path, SUM + refused, "--wave", "32")
    assert done.returncode == FAILURE and "its own check fails: line 1" in done.stdout, done.stdout
    done = tried(tmp_path, SUM + refused.replace("i * 0.5f", "i * 0.1f"), "--wave", "32")
    assert done.returncode == SUCCESS and "maybe by a tolerance that is too tight" in done.stdout, done.stdout


def test_output_that_is_cut_is_named(tmp_path):
    many = WINNER.replace('    printf("second winner: %d\\n", host);',
                          '    for (int i = 0; i < 50000; i++) printf("line %d\\n", i);')
    done = tried(tmp_path, many)
    assert done.returncode == SUCCESS and "more than 256 KiB" in done.stdout, done.stdout[-500:]


def test_a_compiler_of_too_many_words(tmp_path):
    path = tmp_path / "mine.cu"
    path.write_text(SUM + MAIN)
    done = wavefold("try", path, env=environment(CXX="g++ " + "-g " * 70))
    one_error(done, FAILURE, "more than 64 words", "CXX")
