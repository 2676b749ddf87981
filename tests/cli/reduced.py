"""What the tests of `wavefold reduce` share: its answers, and data to fold."""

import io
import json

import numpy
from support import ALL_DTYPES, SUCCESS, wavefold

INTEGERS = [kind for kind in ALL_DTYPES if kind[0] != "f"]
FLOATS = [kind for kind in ALL_DTYPES if kind[0] == "f"]


def reduce(*arguments, device="host:32", **options):
    return wavefold("reduce", "--device", device, *arguments, **options)


def words(*arguments):
    done = reduce(*arguments)
    assert done.returncode == SUCCESS and done.stderr == "", done.stderr
    assert done.stdout.endswith("\n")
    return done.stdout.split()


def answer(*arguments):
    """The JSON, parsed strictly: NaN and Infinity are no JSON."""
    done = reduce("--json", "-", *arguments)
    assert done.returncode == SUCCESS and done.stderr == "", done.stderr

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    return json.loads(done.stdout, parse_constant=refuse)


def described(*arguments):
    lines = [line.split() for line in reduce("--op", "describe", *arguments).stdout.splitlines()]
    assert [line[0] for line in lines] == ["count", "sum", "min", "max", "argmin", "argmax", "mean", "variance"]
    return {line[0]: line[1] for line in lines}


def data_of(kind, shape=1003, order="="):
    generator = numpy.random.default_rng(5)
    dtype = numpy.dtype(ALL_DTYPES[kind])
    if dtype.kind == "f":
        return generator.standard_normal(shape).astype(dtype).astype(dtype.newbyteorder(order))
    info = numpy.iinfo(dtype)
    return generator.integers(info.min, info.max, shape, dtype=dtype, endpoint=True).astype(dtype.newbyteorder(order))


def npy_header(shape, dtype="|u1"):
    buffer = io.BytesIO()
    numpy.lib.format.write_array_header_1_0(buffer, {"descr": dtype, "fortran_order": False, "shape": shape})
    return buffer.getvalue()
