"""wavefold try --wave: by which widths of waves a file is judged."""

import json

import pytest
from support import FAILURE, SUCCESS, USAGE, one_error, wavefold
from tried_kernels import ladder, plain

ALL = "WF_TRY_ATOMIC(mine, 64, 4)"
# A sum over 32 lanes that takes its neighbours beyond them in waves of 64.
NARROW = """{include}
__global__ void mine(const float *in, float *out, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = i; k < n; k += gridDim.x * blockDim.x)
        sum += in[k];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down(sum, d);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(out, sum);
}}
""" + ALL
CUDA, HIP = "#include <cuda_runtime.h>", "#include <hip/hip_runtime.h>"
RIGHT = NARROW.replace("int d = 16", "int d = warpSize / 2")


@pytest.fixture
def judge(tmp_path):
    def run(text, *arguments, name="mine.cu"):
        (tmp_path / name).write_text(text)
        done = wavefold("try", tmp_path / name, "--json", tmp_path / "report.json", *arguments)
        return done, json.loads((tmp_path / "report.json").read_text())

    return run


CASES = [
    (NARROW.format(include=CUDA), "a.cu", [], [32], SUCCESS),
    (NARROW.format(include=""), "a.cu", [], [32], SUCCESS),
    (NARROW.format(include=CUDA), "a.cpp", [], [32], SUCCESS),
    (NARROW.format(include=CUDA), "a.cu", ["--wave", "both"], [32, 64], FAILURE),
    (NARROW.format(include=CUDA), "a.cu", ["--wave", "64"], [64], FAILURE),
    (NARROW.format(include=HIP), "a.cu", [], [32, 64], FAILURE),
    (NARROW.format(include=HIP), "a.hip", ["--wave", "32"], [32], SUCCESS),
    (NARROW.format(include=""), "a.hip", [], [32, 64], FAILURE),
    (RIGHT.format(include=CUDA), "a.cu", [], [32], SUCCESS),
    (ladder(), "a.cu", [], [32, 64], SUCCESS),
    (plain(), "a.cu", [], [32, 64], SUCCESS),
]


@pytest.mark.parametrize("text, name, arguments, judged, status", CASES, ids=range(len(CASES)))
def test_judged_waves(judge, text, name, arguments, judged, status):
    done, report = judge(text, *arguments, name=name)
    assert done.returncode == status, done.stdout + done.stderr
    assert report["judged_waves"] == judged and report["clean"] == (status == SUCCESS)
    assert [of["wave"] for of in report["widths"]] == [32, 64]
    assert report["widths"][1]["right"] == ("warpSize / 2" in text or text in (ladder(), plain()))
    for width in (32, 64):
        shown = [line for line in done.stdout.splitlines() if line.startswith(f" {width} lanes: ")]
        assert len([line for line in shown if "right: " in line or "wrong: " in line]) == (width in judged), shown


def test_one_sentence_on_the_other_width(judge):
    done, _ = judge(NARROW.format(include=CUDA))
    [line] = [line for line in done.stdout.splitlines() if line.startswith(" 64 lanes: ")]
    assert line.startswith(" 64 lanes: such waves, which AMD's GPUs have, would break it: ")
    done, _ = judge(RIGHT.format(include=CUDA))
    assert "\n 64 lanes: it would work, too\n" in done.stdout
    done, _ = judge(NARROW.format(include=CUDA), "--wave", "32")
    assert " 64 lanes" not in done.stdout and "64 lanes " not in done.stdout


@pytest.mark.parametrize("arguments, said", [
    (["a.cu", "--wave", "16"], ["width of waves '16'", "32, 64 and both"]),
    (["a.cu", "--task", "summ"], ["unknown task 'summ'", "did you mean 'sum'"]),
    (["--new", "a", "--wave", "32"], ["--new", "leave --wave out"]),
    (["--new", "a", "--task", "sum"], ["--new", "leave --task out"]),
    (["--new", "a", "--verbose"], ["--new", "leave --verbose out"]),
])
def test_bad_usage(arguments, said):
    one_error(wavefold("try", *arguments), USAGE, *said)
