"""wavefold try: files with host code, as their authors write them: main(), solve() and launches of all kinds."""

import pytest
from support import FAILURE, SUCCESS, USAGE, one_error, wavefold
from tried_kernels import changed, line_of
from tried_programs import FUNCTIONS, MAIN, MAXIMUM, SHUFFLES, TREE

BOTH = ("--wave", "both")


@pytest.fixture
def attempt_cuda(tmp_path):
    """Runs the text as mine.cu: the program's end, and its answers by width."""
    import json

    def run(text, *arguments, **options):
        path = tmp_path / "mine.cu"
        path.write_text(text)
        report = tmp_path / "report.json"
        done = wavefold("try", path, "--json", report, *arguments, **options)
        widths = json.loads(report.read_text())["widths"] if report.exists() else []
        return done, {of["wave"]: of for of in widths}

    return run


# ---- solve() ----


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "a maximum"])  # it has waves of 32
def test_right_functions(attempt_cuda, name):
    text, task, _, _ = FUNCTIONS[name]
    done, answers = attempt_cuda(text, *BOTH)
    assert done.returncode == SUCCESS, done.stdout + done.stderr
    for answer in answers.values():
        assert answer["judged"]["outcome"] == "right" and answer["judged"]["task"] == task
        assert answer["findings"] == [] and answer["sums"] > 20
    assert done.stdout.count("right: the") == 2


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_functions(attempt_cuda, name):
    text, _, change, said = FUNCTIONS[name]
    done, answers = attempt_cuda(changed(text, change), *BOTH)
    assert done.returncode == FAILURE, done.stdout
    for answer in answers.values():
        assert not answer["right"] or answer["findings"], done.stdout
    assert said in done.stdout, done.stdout


def test_a_maximum_of_waves_of_32(attempt_cuda):
    done, answers = attempt_cuda(MAXIMUM)
    assert done.returncode == SUCCESS and answers[32]["judged"]["task"] == "max", done.stdout


def test_a_wave_of_64_breaks_it(attempt_cuda):
    """A CUDA file is judged with waves of 32, and the other width is one sentence."""
    done, answers = attempt_cuda(SHUFFLES)
    assert done.returncode == SUCCESS and answers[32]["judged"]["outcome"] == "right", done.stdout
    done, _ = attempt_cuda(SHUFFLES, "--wave", "64")
    assert done.returncode == (SUCCESS if answers[64]["right"] else FAILURE)


def test_a_task_that_is_named(attempt_cuda):
    done, _ = attempt_cuda(MAXIMUM, "--task", "sum")
    assert done.returncode == FAILURE and "wrong: at n = " in done.stdout, done.stdout


def test_several_launchers(attempt_cuda):
    text = TREE.format("float") + "".join(
        f"void {name}(float *in, float *out, int n) {{\n    total<<<1, 256>>>(in, out, n);\n}}\n"
        for name in ("first", "second"))
    done, _ = attempt_cuda(text)
    one_error(done, FAILURE, "first, second", "solve")


@pytest.mark.parametrize("text, line", [
    (TREE.format("float"), "WF_TRY_ATOMIC_ELEMENTS(total, 256, 256)"),
    (TREE.format("float").replace("atomicAdd(out, cells[0])", "out[blockIdx.x] = cells[0]"), "WF_TRY(total, 256, 256)"),
])
def test_a_kernel_alone(attempt_cuda, text, line):
    """The error has the line that is missing."""
    done, _ = attempt_cuda(text)
    one_error(done, FAILURE, "no host code", line)
    done, answers = attempt_cuda(text + line + "\n", *BOTH)
    assert done.returncode == SUCCESS, done.stdout
    assert answers[32]["adds"] == ("ATOMIC" in line)


# ---- main() ----


def test_a_program(attempt_cuda):
    done, answers = attempt_cuda(MAIN, *BOTH)
    assert done.returncode == SUCCESS, done.stdout + done.stderr
    assert done.stdout.count("the sum of 1000 is ") == 1
    for answer in answers.values():
        assert answer["mode"] == "program" and answer["findings"] == [] and answer["launch_count"] == 1
        assert answer["recognised"] == ["'d_out' equals the sum of 'd_in'"]


def test_arguments_of_a_program(attempt_cuda):
    done, _ = attempt_cuda(MAIN, "--", "300")
    assert done.returncode == SUCCESS and "the sum of 300 is " in done.stdout, done.stdout
    done, _ = attempt_cuda(SHUFFLES, "--", "300")
    one_error(done, USAGE, "main()", "--")


@pytest.mark.parametrize("change, said", [
    (("return sum ==", "return sum !="), "its main() ended with status 1"),
    (("free(in);", "abort();"), "it crashed (Aborted)"),
    (("free(in);", "exit(7);"), "its main() ended with status 7"),
    (("free(in);", "_Exit(0);"), "it ended without an answer (exit status 0)"),
    (("free(in);", "*(volatile int *)8 = 1;"), "it crashed (Segmentation fault)"),
    (("        __syncthreads();\n    }\n", "    }\n"), "race"),
    (("i < n ? in[i] : 0", "in[i]"), "beyond the end of 'd_in', which has 1000"),
    (("<<<(n + 255) / 256, 256>>>", "<<<(n + 255) / 256, 2048>>>"), "2048 threads"),
    (("cudaMemcpy(d_in, in", "cudaMemcpy(in, d_in"), "exchange the pointers"),
    (("printf(\"the sum", "sum = d_out[0];\n    printf(\"the sum"), "d_out"),
    (("total<<<(n + 255) / 256, 256>>>(d_in", "total<<<(n + 255) / 256, 256>>>(in"), "the host's memory"),
])
def test_broken_programs(attempt_cuda, change, said):
    done, _ = attempt_cuda(changed(MAIN, change), *BOTH)
    assert done.returncode == FAILURE and said in done.stdout, done.stdout + done.stderr


def test_findings_name_the_line(attempt_cuda):
    text = changed(MAIN, ("        __syncthreads();\n    }\n", "    }\n"))
    done, _ = attempt_cuda(text)
    assert f"(mine.cu:{line_of(text, 'cells[t] += ')})" in done.stdout, done.stdout


def test_an_endless_program(attempt_cuda):
    done, _ = attempt_cuda(changed(MAIN, ("free(in);", "for (volatile int k = 0; k >= 0; k = 1);")), "--seconds", 1)
    assert done.returncode == FAILURE and "it did not end within 1 s" in done.stdout, done.stdout


PRINTING = """
#include <cstdio>
__device__ int last;
__global__ void leave() {{
    {0}
}}
int main() {{
    int who = 0;
    leave<<<1, 64>>>();
    cudaMemcpyFromSymbol(&who, last, sizeof who);
    printf("the last one is %d{1}\\n", who);
}}
"""


@pytest.mark.parametrize("body, unit, is_found", [
    ("atomicExch(&last, threadIdx.x);", "", True),
    ("atomicExch(&last, threadIdx.x);", " ms", False),
    ("atomicMax(&last, threadIdx.x);", "", False),
    ("printf(\"%d\\n\", threadIdx.x);", "", False),
])
def test_output_by_the_order_of_lanes(attempt_cuda, body, unit, is_found):
    done, answers = attempt_cuda(PRINTING.format(body, unit))
    found = [each["text"] for each in answers[32]["findings"]]
    assert any("depends on the order of the lanes" in each for each in found) == is_found, done.stdout
    assert (done.returncode == SUCCESS) == (not is_found)


def test_a_large_launch_is_sampled(attempt_cuda):
    done, answers = attempt_cuda(MAIN, "--", 2**20)
    assert done.returncode == SUCCESS and answers[32]["sampled_launches"] == 1, done.stdout
    assert "only some blocks were checked" in done.stdout
    unset = changed(MAIN, ("cudaMemcpy(d_out, &sum, sizeof(float), cudaMemcpyHostToDevice);\n    total", "total"))
    done, _ = attempt_cuda(unset, "--", 2**20)
    assert done.returncode == FAILURE and "element 0 of 'd_out' of device memory, which was never" in done.stdout


# ---- Files ----


def test_own_headers(tmp_path):
    """Also with launches, in other folders, and by each other."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/kernels.cuh").write_text("#pragma once\n#include \"../size.h\"\n" + TREE.format("float"))
    launch = "#include \"kernels.cuh\"\ninline void launch(float *in, float *out, int n) {\n" \
             "    total<<<(n + SIZE - 1) / SIZE, SIZE>>>(in, out, n);\n}\n"
    (tmp_path / "sub/launch.cuh").write_text(launch)
    (tmp_path / "size.h").write_text("#define SIZE 256\n")
    main = "#include \"sub/launch.cuh\"\nextern \"C\" void solve(const float *input, float *output, int N) {\n" \
           "    launch((float *)input, output, N);\n}\n"
    (tmp_path / "mine.cu").write_text(main)
    done = wavefold("try", "mine.cu", cwd=tmp_path)
    assert done.returncode == SUCCESS and "right: the sum" in done.stdout, done.stdout + done.stderr
    (tmp_path / "sub/launch.cuh").write_text(launch.replace("(in, out", "(inn, out"))
    done = wavefold("try", "mine.cu", cwd=tmp_path)
    assert done.returncode == FAILURE and "launch.cuh:3:" in done.stderr and "inn" in done.stderr, done.stderr


def test_host_code_beside_a_line(attempt_cuda):
    """The line says what runs."""
    text = MAIN.replace("atomicAdd(out, cells[0])", "out[blockIdx.x] = cells[0]") + "WF_TRY(total, 256, 256)\n"
    done, answers = attempt_cuda(text, *BOTH)
    assert done.returncode == SUCCESS and answers[32]["mode"] == "line", done.stdout + done.stderr
