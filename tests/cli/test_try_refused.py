"""wavefold try: what it refuses, by name and remedy."""

import os
import subprocess

import pytest
from support import FAILURE, ROOT, SUCCESS, USAGE, environment, one_error, wavefold
from tried_kernels import RIGHT, changed, line_of, plain


def test_does_not_compile(attempt):
    done, report = attempt(plain(("in[i]", "inn[i]")))
    assert done.returncode == FAILURE and done.stdout == ""
    assert not report["clean"] and report["error"]["line"] == line_of(plain(), "in[i]")
    first, last = done.stderr.splitlines()[0], done.stderr.splitlines()[-1]
    assert "mine.hip" in first and not first.startswith("wavefold") and "inn" in done.stderr
    assert last.startswith("wavefold: ") and "does not compile" in last


def test_a_name_that_std_has_too(attempt):
    text = ("#include <numeric>\nusing namespace std;\n" + plain()).replace("mine(", "reduce(")
    done, report = attempt(text.replace("(mine", "(::reduce"))
    assert done.returncode == SUCCESS and report["clean"], done.stderr


@pytest.mark.parametrize("launch", ["WF_TRY(total<128, true>, 128, 128)", "WF_TRY_ATOMIC(total<128, true>, 128, 8)"])
def test_a_comma_without_parentheses(attempt, launch):
    text = changed(RIGHT["a comma between arguments of the template"], ("WF_TRY((total<128, true>), 128, 128)", launch))
    done, _ = attempt(text)
    assert done.returncode == FAILURE and f"mine.hip:{line_of(text, launch)}:" in done.stderr
    assert "/* a comma in the kernel's name: WF_TRY" in done.stderr and "((total<128, float>)," in done.stderr


@pytest.mark.parametrize("host, compiles", [
    ("void run(float *a, float *b) { mine<<<4, 256>>>(a, b, 1024); }\n", True),
    ("int main() {\n    return 0;\n}\n", True),
    ("int sum_of_main; // main() { mine<<<4, 256>>>(a, b, 1024); }\nno C++\n", False),
])
def test_what_launches_the_kernel_on_a_gpu(attempt, host, compiles):
    """It may stand beside the line, which says what runs."""
    done, _ = attempt(plain() + host)
    assert (done.returncode == SUCCESS) == compiles
    done, report = attempt(plain() + "#ifndef WF_TRY\n" + host + "#endif\n")
    assert done.returncode == SUCCESS and report["clean"]


@pytest.mark.parametrize("text", [
    plain(("i < n", "i < 5")).replace("const float *in, float *out, size_t n", "const float *in, float *out"),
    plain().replace("const float *in, float *out", "float *out, const float *in").replace("in[", "out["),
    plain().replace("__global__", "template <unsigned Size>\n__global__"),
    ("#include <numeric>\nusing namespace std;\n" + plain()).replace("mine(", "reduce(").replace("(mine", "(reduce"),
    plain().replace("__global__", "template <class T>\n__global__").replace("const float *in", "const T *in"),
])
def test_another_signature(attempt, text):
    done, _ = attempt(text)
    assert done.returncode == FAILURE and "unresolved" not in done.stderr
    if "template" in text or "std" in text:
        assert "takes (const float *in, float *out, size_t n); of a template WF_TRY names all arg" in done.stderr
        assert "with using namespace std it names ::reduce" in done.stderr
    else:
        one_error(done, FAILURE, f"line {line_of(text, '__global__')}: ", "expected")


@pytest.mark.parametrize("arguments, status, said", [
    (["missing.hip"], FAILURE, ["missing.hip", "No such file"]),
    ([ROOT], FAILURE, ["directory"]),
    ([], USAGE, ["--new"]),
    (["a.hip", "b.hip"], USAGE, ["one file"]),
    (["a.hip", "--plain"], USAGE, ["--new"]),
    (["a.hip", "--new", "b"], USAGE, ["--new"]),
    (["--new", "a", "--json", "b"], USAGE, ["--new", "leave --json out"]),
    (["--new", "a", "--seconds", "5"], USAGE, ["--new", "leave --seconds out"]),
    (["--new", "a", "--against", "tiled_4"], USAGE, ["--new", "leave --against out"]),
    (["a.hip", "--seconds", "0"], USAGE, ["--seconds"]),
    (["a.hip", "--against", "tiled_44"], USAGE, ["tiled_44", "did you mean 'tiled_4'"]),
    (["a.hip", "--against", "look_back"], FAILURE, ["look_back"]),
    (["a.hip", "--json", "/missing/folder/x"], FAILURE, ["/missing/folder"]),
    (["--new", "3x"], FAILURE, ["3x"]),
    (["--new", "int"], FAILURE, ["'int'", "C++"]),
    (["--new", "constexpr"], FAILURE, ["'constexpr'", "C++"]),
    (["--new", "sum"], FAILURE, ["'sum'", "take another"]),
    (["--new", "host"], FAILURE, ["'host'", "take another"]),
    (["--new", "tried"], FAILURE, ["'tried'", "take another"]),
    (["--new", "max", "--plain"], FAILURE, ["'max'", "take another"]),
    (["--new", "float4", "--plain"], FAILURE, ["'float4'", "take another"]),
    (["--new", "memmove", "--plain"], FAILURE, ["'memmove'", "take another"]),
    (["--new", "tried", "--plain"], FAILURE, ["'tried'", "take another"]),
    (["--new", "threadIdx", "--plain"], FAILURE, ["'threadIdx'", "take another"]),
    (["--new", "/missing/x"], FAILURE, ["/missing/x.hip"]),
])
def test_bad_usage(arguments, status, said):
    one_error(wavefold("try", *arguments), status, *said)


@pytest.mark.parametrize("printed", ["", "{}", "[1]", "no JSON"])
def test_no_trial(attempt, printed):
    """A program that tries nothing, whatever it prints."""
    done, report = attempt(f"#include <cstdio>\nint main() {{ puts(\"{printed}\"); }}\n"
                           "#if 0\nWF_TRY(a, 2, 2)\n#endif\n")
    assert done.returncode == FAILURE and not report["clean"]
    for of in report["widths"]:
        assert of["stopped"]["why"] == "its main() launched no kernel" and not of["right"]


def test_no_launch(tmp_path):
    (tmp_path / "a.hip").write_text("int x; // WF_TRY(x, 1, 2)\n")
    one_error(wavefold("try", tmp_path / "a.hip"), FAILURE, "a.hip", "no kernel", "--new")


def test_no_file_of_source(tmp_path):
    """What can be read once is refused before anybody waits for it."""
    os.mkfifo(tmp_path / "pipe")
    one_error(wavefold("try", tmp_path / "pipe"), FAILURE, "pipe", "no regular file", "save it")
    one_error(wavefold("try", "/dev/stdin", stdin=subprocess.PIPE), FAILURE, "/dev/stdin", "no regular file")
    (tmp_path / "a.hip").write_text(plain() + " " * 2**20)
    one_error(wavefold("try", tmp_path / "a.hip"), FAILURE, "a.hip", "more than 1048576 bytes")
    (tmp_path / "a.hip").write_text(plain() + "\0")
    one_error(wavefold("try", tmp_path / "a.hip"), FAILURE, "a.hip", "no file of source")


@pytest.mark.parametrize("changes", [{"CXX": "no-such-compiler"}, {"PATH": "/missing"}])
def test_no_compiler(tmp_path, changes):
    (tmp_path / "a.hip").write_text(plain())
    one_error(wavefold("try", tmp_path / "a.hip", env=environment(**changes)), FAILURE, "no C++ compiler", "g++")


def test_a_compiler_that_writes_nothing(tmp_path):
    (tmp_path / "a.hip").write_text(plain())
    done = wavefold("try", tmp_path / "a.hip", env=environment(CXX="true"))
    one_error(done, FAILURE, "no object file", "name another compiler in CXX")
    assert "does not compile" not in done.stderr
