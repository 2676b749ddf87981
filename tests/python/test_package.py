"""The package itself: what its import costs and imports, the program, docstrings, stubs."""
import ast
import doctest
import importlib
import inspect
import os
import pathlib
import subprocess
import sys
import sysconfig

import pytest

import wavefold

MODULES = ("_bins", "_extremes", "_moments", "_products", "_scans", "_sorts", "_sum_state", "_sums", "_ladder")
FOLDER = pathlib.Path(wavefold.__file__).parent


def run(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, **environment}).stdout


def test_import_is_light():
    heavy = run("import sys, wavefold; print([m for m in ('numpy', 'torch', 'jax', 'cupy', 'ml_dtypes') "
                "if m in sys.modules])")
    assert heavy.strip() == "[]"
    assert int(run("import sys; before = len(sys.modules); import wavefold; print(len(sys.modules) - before)")) < 40


def test_exit_after_use():
    assert run("import numpy, wavefold; print(wavefold.sum(numpy.ones(1 << 20)))").strip() == "1048576.0"


@pytest.mark.parametrize("when", ("in calls", "in threads", "at exit"))
def test_exit_with_work(when):
    """The interpreter ends while threads are in calls, or calls come when modules are torn down."""
    prepare = {
        "in calls": """
for _ in range(4):
    threading.Thread(target=lambda: [wavefold.sort(a) for _ in range(10**6)], daemon=True).start()
time.sleep(0.2)""",
        "in threads": "threading.Thread(target=lambda: print(wavefold.sum(wavefold.sort(a)))).start()",
        "at exit": """
class Last:
    def __del__(self, add=wavefold.sum):
        print(add(a))
a = numpy.ones(1 << 20); last = Last(); atexit.register(lambda: wavefold.cumsum(a))"""}[when]
    code = f"import atexit, threading, time, numpy, wavefold; a = numpy.ones(1 << 20); wavefold.sum(a)\n{prepare}"
    done = subprocess.run([sys.executable, "-c", code],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.split() == ([] if when == "in calls" else ["1048576.0"])


def test_no_lock_where_python_has_none():
    """A free-threaded Python stays free-threaded after the import."""
    code = "import sys, wavefold; print(getattr(sys, '_is_gil_enabled', lambda: True)())"
    assert run(code).strip() == str(not sysconfig.get_config_var("Py_GIL_DISABLED"))


CALLS = {
    "sum": "wavefold.sum(a)", "rows": "wavefold.sum(m, axis=1)", "mask": "wavefold.mean(m, 0, where=m > 3)",
    "var": "wavefold.var(m, 1)", "argmax": "wavefold.argmax(m, 1)", "sort": "wavefold.sort(m)",
    "cumsum": "wavefold.cumsum(m, 1)", "bincount": "wavefold.bincount(i, a)", "state": "wavefold.SumState(a)",
    "list": "wavefold.sum([1.0, 2.0])",
}


@pytest.mark.parametrize("name", (*CALLS, "torch", "error"))
def test_no_growth(name):
    """Memory of the process after thousands of calls: results, views and errors are freed."""
    call = CALLS.get(name, "wavefold.sum(t)")
    prepare = ""
    if name == "torch":
        pytest.importorskip("torch")
        prepare = "import torch; t = torch.arange(100.0)"
    elif name == "error":
        prepare = """
class Refused:
    __array_interface__ = a.astype(complex).__array_interface__
t = Refused()"""
    code = f"""
import gc, numpy, wavefold
a = numpy.arange(100, dtype="float32")
m, i = a.reshape(10, 10), numpy.arange(100) % 7
{prepare}
def kib():
    gc.collect()
    return 4 * int(open("/proc/self/statm").read().split()[1])
def calls(count):
    for _ in range(count):
        try:
            {call}
        except TypeError:
            pass
calls(3000)
before = kib()
calls(10000)
print(kib() - before)
"""
    assert int(run(code)) < 256  # a leak of 32 bytes in each call is 312


def test_program():
    version = subprocess.run([sys.executable, "-m", "wavefold", "--version"], capture_output=True, text=True)
    assert version.returncode == 0
    assert wavefold.__version__ in version.stdout
    refused = subprocess.run([sys.executable, "-m", "wavefold", "nothing"], capture_output=True, text=True)
    assert refused.returncode == 2


def test_missing_program():
    refused = subprocess.run([sys.executable, "-m", "wavefold"], capture_output=True, text=True,
                             env={**os.environ, "WAVEFOLD_PROGRAM": "/nowhere"})
    assert "set WAVEFOLD_PROGRAM" in refused.stderr


@pytest.mark.parametrize("name", ("", *MODULES))
def test_doctests(name):
    module = importlib.import_module(f"wavefold.{name}" if name else "wavefold")
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0


def test_every_function_is_documented():
    for name in wavefold.__all__:
        value = getattr(wavefold, name)
        if name == "__version__":
            continue
        assert value.__doc__, name
        if name not in ("progression", "try_kernel"):
            assert ">>>" in value.__doc__, name


def test_stubs():
    """The stub of the extension names all that it has."""
    from wavefold import _core
    stub = (FOLDER / "_core.pyi").read_text()
    for name, value in vars(_core).items():
        if not name.startswith("__"):
            assert f"{name}" in stub, name
            if inspect.isclass(value):
                for member in vars(value):
                    if not member.startswith("_"):
                        assert f"{member}" in stub, f"{name}.{member}"
    assert (FOLDER / "py.typed").exists()


def test_stub_of_the_package():
    """Every function and class, with the arguments and defaults that it has; mypy's stubtest looks closer."""
    found = {}
    for node in ast.parse((FOLDER / "__init__.pyi").read_text()).body:
        if isinstance(node, ast.FunctionDef):
            arguments = node.args.posonlyargs + node.args.args
            first = len(arguments) - len(node.args.defaults)
            given = [inspect.Parameter.empty] * first + [ast.literal_eval(d) for d in node.args.defaults]
            named = list(zip(arguments + node.args.kwonlyargs, given + [ast.literal_eval(d)
                                                                        for d in node.args.kw_defaults]))
            found[node.name] = [(argument.arg, default) for argument, default in named]
    functions = [name for name in wavefold.__all__ if inspect.isfunction(getattr(wavefold, name))]
    assert sorted(found) == sorted(functions)
    for name in functions:
        parameters = inspect.signature(getattr(wavefold, name)).parameters.values()
        assert found[name] == [(one.name, one.default) for one in parameters], name


def test_versions_agree():
    root = FOLDER.resolve()
    for folder in (*root.parents, pathlib.Path(__file__).resolve().parent.parent.parent):
        if (folder / "pyproject.toml").exists():
            assert f'version = "{wavefold.__version__}"' in (folder / "pyproject.toml").read_text()
            return
    pytest.skip("an installed package without its source")
