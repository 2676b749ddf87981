"""wavefold try: what a trial cannot run is named with its line before anything is compiled."""

import pytest
from support import FAILURE, SUCCESS, environment, wavefold
from tried_kernels import plain

CALL = "__global__ void other(float *x) {{ {} }}\n"


@pytest.mark.parametrize("text, what, remedy", [
    (CALL.format("x[0] = tex2D<float>(image, 0, 0);"), "textures and surfaces (tex2D)", "by a pointer"),
    (CALL.format("x[0] = tex1Dfetch(image, 0);"), "textures and surfaces (tex1Dfetch)", "by a pointer"),
    ("texture<float, 1> image;\n", "textures and surfaces (texture)", "by a pointer"),
    (CALL.format("surf2Dwrite(x[0], s, 0, 0);"), "textures and surfaces (surf2Dwrite)", "by a pointer"),
    (CALL.format('asm volatile("mov.u32 %0, %laneid;" : "=r"(x[0]));'), "inline assembly (asm)", "in C++"),
    (CALL.format("child<<<1, 32>>>(x);"), "kernels that launch kernels (other)", "from host code"),
    ("#include <torch/extension.h>\n", "PyTorch's extensions (<torch/extension.h>)", "keep the kernel"),
    ("PYBIND11_MODULE(name, m) {}\n", "PyTorch's extensions (PYBIND11_MODULE)", "keep the kernel"),
    ("#include <thrust/reduce.h>\n", "Thrust (<thrust/reduce.h>)", "leave these calls out"),
    ("float f(float *x) { return thrust::reduce(x, x + 1); }\n", "Thrust (thrust)", "leave these calls out"),
    ("void f() { cublasCreate(&handle); }\n", "cuBLAS and its kin (cublasCreate)", "leave these calls out"),
    ("#include <cudnn.h>\n", "cuDNN (<cudnn.h>)", "leave these calls out"),
    ("#include <mma.h>\n", "matrix units (<mma.h>)", "leave these kernels out"),
    (CALL.format("nvcuda::wmma::fill_fragment(f, 0);"), "matrix units (nvcuda)", "leave these kernels out"),
    ("#include <nvrtc.h>\n", "compilation at run time (<nvrtc.h>)", "with the file"),
    ("#include <curand_kernel.h>\n", "cuRAND (<curand_kernel.h>)", "rand()"),
])
def test_named(attempt, text, what, remedy):
    done, report = attempt("\n" + text + plain(), env=environment(CXX="/missing"))
    assert done.returncode == FAILURE and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("wavefold: ") and f"mine.hip:2: a trial cannot run {what}: " in line and remedy in line
    assert not report["clean"]
    [found] = report["unsupported"]
    assert found["line"] == 2 and found["what"] == what and remedy in found["remedy"]


def test_several(attempt):
    text = "#include <thrust/sort.h>\n" + plain() + CALL.format('asm("exit;");') + CALL.format("asm(\"exit;\");")
    done, report = attempt(text)
    assert [found["what"].split(" ")[0] for found in report["unsupported"]] == ["Thrust", "inline"]
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize("text", [
    "// asm volatile tex2D<float>(a) thrust::reduce\n/* #include <thrust/sort.h>\n#include <mma.h> */\n",
    'const char *const words = "tex2D<float>(a) thrust::";\n',
    "#if 0\n#include <cublas_v2.h>\nvoid f() { cublasCreate(0); }\n#endif\n",
    "#ifdef __CUDACC__\n#include <cub/cub.cuh>\n#include <thrust/sort.h>\n#endif\n",
    "struct image { int texture, surface; };\n__device__ int f(image i) { return i.texture + i.surface; }\n",
    "int mass_of(int torch) { return torch + 1; }\n",
    "__device__ void f() { asm volatile(\"\" ::: \"memory\"); }\n",
])
def test_not_named(attempt, text):
    done, report = attempt(text + plain())
    assert done.returncode == SUCCESS and report["clean"], done.stderr
    assert "unsupported" not in report


def test_no_report(tmp_path):
    (tmp_path / "a.hip").write_text("#include <thrust/sort.h>\n" + plain())
    done = wavefold("try", tmp_path / "a.hip")
    assert done.returncode == FAILURE and "Thrust" in done.stderr
