"""wavefold try: the compiler's messages, cut to the first error, and arguments that do not fit."""

import os
import shutil

import pytest
from support import FAILURE, SUCCESS, environment, one_error
from tried_kernels import line_of, plain

COMPILERS = [name for name in ("g++", "clang++-19") if shutil.which(name)]


@pytest.fixture(params=COMPILERS)
def compiler(request):
    return environment(CXX=request.param)


def test_the_first_error(attempt, compiler):
    text = plain(("in[i]", "inn[i]"), ("__syncthreads();", "__syncthread();"))
    done, report = attempt(text, env=compiler)
    lines = done.stderr.splitlines()
    assert done.returncode == FAILURE and done.stdout == ""
    assert f"mine.hip:{line_of(text, 'inn')}:" in lines[0] and "'inn'" in lines[0]
    assert lines[1].lstrip().startswith(f"{line_of(text, 'inn')} |") and "inn[i]" in lines[1] and "^~~" in lines[2]
    assert "__syncthread" not in done.stderr
    assert any("more error" in line and line.endswith("; --verbose prints all") for line in lines)
    assert lines[-1].endswith("does not compile: the compiler's own message is above")
    assert report["error"]["line"] == line_of(text, "inn") and "'inn'" in report["error"]["text"]
    assert report["error"]["more"] >= 1 and "inn[i]" in report["error"]["shown"] and not report["clean"]


def test_one_more_error(attempt):
    done, report = attempt(plain(("in[i]", "inn[i]"), ("out[b", "outt[b")))
    assert "\n1 more error; --verbose prints all\n" in done.stderr and report["error"]["more"] == 1
    done, report = attempt(plain(("in[i]", "inn[i]")))
    assert "more error" not in done.stderr and report["error"]["more"] == 0


def test_all_messages(attempt, compiler):
    done, _ = attempt(plain(("in[i]", "inn[i]"), ("out[b", "outt[b")), "--verbose", env=compiler)
    assert done.returncode == FAILURE and "'inn'" in done.stderr and "'outt'" in done.stderr
    assert "more error" not in done.stderr


def test_warnings(attempt):
    text = plain().replace("__global__", '#warning "mind this"\n__global__')
    done, _ = attempt(text)
    assert done.returncode == SUCCESS and done.stderr == ""
    done, _ = attempt(text, "--verbose")
    assert done.returncode == SUCCESS and "mind this" in done.stderr


@pytest.mark.skipif(not os.path.exists("/usr/share/locale/de/LC_MESSAGES"), reason="no other language here")
def test_another_language(attempt):
    done, report = attempt(plain(("in[i]", "inn[i]")), env=environment(LC_ALL="de_DE.UTF-8", LANGUAGE="de"))
    assert "error: " in done.stderr and report["error"]["line"] != 0


@pytest.mark.parametrize("parameters, said", [
    ("const float *in, int *out, size_t n", "parameter 2 of mine is 'int *out', and 'float *out' is expected"),
    ("const double *in, float *out, size_t n", "parameter 1 of mine is 'const double *in', and 'const float *in'"),
    ("const float *in, const float *out, size_t n", "parameter 2 of mine is 'const float *out', and 'float *out'"),
    ("const float *in, float *out", "mine has 2 parameters, and three are expected"),
    ("const float *in, float *out, int n, int m", "mine has 4 parameters, and three are expected"),
    ("", "mine has 0 parameters, and three are expected"),
])
def test_a_parameter_that_does_not_fit(attempt, compiler, parameters, said):
    text = f"\n__global__ void mine({parameters}) {{}}\nWF_TRY(mine, 256, 256)\n"
    done, _ = attempt(text, env=compiler)
    one_error(done, FAILURE, "mine.hip' does not compile: line 2: ", said)


@pytest.mark.parametrize("call, said", [
    ("part(out, 1)", "argument 1 of part is 'float"),
    ("part(1)", "part"),
])
def test_an_argument_that_does_not_fit(attempt, compiler, call, said):
    text = plain().replace("__global__", "__device__ void part(int *x, float y) { x[0] = y; }\n__global__", 1)
    text = text.replace("__syncthreads();", f"{call};", 1)
    done, _ = attempt(text, env=compiler)
    assert done.returncode == FAILURE and said in done.stderr and str(line_of(text, call)) in done.stderr


def test_a_missing_header(attempt, compiler):
    done, report = attempt('#include "timer.h"\n' + plain(), env=compiler)
    assert done.returncode == FAILURE and "timer.h" in done.stderr.splitlines()[0]
    last = done.stderr.splitlines()[-1]
    assert last.endswith("includes 'timer.h', which is not there: put it beside the file, or leave the include and its "
                         "uses out")
    assert report["error"]["line"] == 1


def test_a_function_without_a_body(attempt, compiler):
    text = plain().replace("__global__", "__device__ float absent(float);\n__global__", 1)
    text = text.replace("in[i]", "absent(in[i])")
    done, report = attempt(text, env=compiler)
    assert done.returncode == FAILURE and "undefined reference" in done.stderr and "absent" in done.stderr
    assert report["error"]["line"] == line_of(text, "absent(in[i])") and "/wavefold-try-" not in done.stderr
    assert report["error"]["more"] == 0
