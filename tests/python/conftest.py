"""What the tests of the Python package share: the libraries whose arrays are tried, and where they lie.

pytest tests/python [--device cuda]: with cuda, arrays of torch and CuPy on the GPU; else those of NumPy, torch and JAX
on the CPU, as far as they are installed.
torch and JAX are large: .ci/run has neither, the release check has both.
"""
import importlib
import os

import numpy
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("wavefold", max_examples=int(os.environ.get("WAVEFOLD_TEST_EXAMPLES", "25")),
                          deadline=None, derandomize=True,
                          suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
settings.load_profile("wavefold")


def pytest_addoption(parser):
    parser.addoption("--device", default="cpu", choices=("cpu", "cuda"), help="where arrays of torch and CuPy lie")


def pytest_sessionfinish(session, exitstatus):
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:  # a file whose library is not installed
        session.exitstatus = 77  # ctest takes it as skipped


class Library:
    """A library under test: arrays from NumPy's, and back."""

    def __init__(self, name, device):
        self.name, self.device = name, device
        self.on_gpu = device == "cuda"
        self.module = importlib.import_module(name)

    def array(self, values):
        values = numpy.asarray(values)
        if self.name == "numpy":
            return values
        if self.name == "torch":
            if not values.flags.writeable or any(s < 0 for s in values.strides):
                values = values.copy()
            return self.module.from_numpy(values).to(self.device)
        return (self.module.numpy if self.name == "jax" else self.module).asarray(values)

    def numpy(self, result):
        if self.name == "torch":
            assert isinstance(result, self.module.Tensor), type(result)
            assert result.device.type == self.device
            return result.detach().cpu().numpy()
        if self.name == "cupy":
            return self.module.asnumpy(result)
        if self.name == "jax":
            assert isinstance(result, self.module.Array), type(result)
        return numpy.asarray(result)

    def takes(self, dtype):
        """JAX has no 64 bits by default; torch does little with unsigned integers."""
        dtype = numpy.dtype(dtype)
        if self.name == "jax":
            return dtype.itemsize < 8
        return not (self.name == "torch" and dtype.kind == "u" and dtype.itemsize > 1)


def pytest_generate_tests(metafunc):
    if "library" not in metafunc.fixturenames:
        return
    device = metafunc.config.getoption("device")
    names = ("torch", "cupy") if device == "cuda" else ("numpy", "torch", "jax")
    found = [name for name in names if importlib.util.find_spec(name)]
    metafunc.parametrize("library", found, indirect=True)


@pytest.fixture(scope="session")
def library(request):
    return Library(request.param, request.config.getoption("device"))
