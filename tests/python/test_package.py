"""The package itself: what its import costs and imports, the program, docstrings, stubs."""
import doctest
import importlib
import inspect
import os
import pathlib
import subprocess
import sys

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
    code = ("import time; begin = time.perf_counter(); import wavefold; "
            "print(time.perf_counter() - begin)")
    assert min(float(run(code)) for _ in range(5)) < 0.1


def test_exit_after_use():
    assert run("import numpy, wavefold; print(wavefold.sum(numpy.ones(1 << 20)))").strip() == "1048576.0"


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


def test_versions_agree():
    root = FOLDER.resolve()
    for folder in (*root.parents, pathlib.Path(__file__).resolve().parent.parent.parent):
        if (folder / "pyproject.toml").exists():
            assert f'version = "{wavefold.__version__}"' in (folder / "pyproject.toml").read_text()
            return
    pytest.skip("an installed package without its source")
