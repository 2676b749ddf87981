"""SumState: the same bits for any partition, in processes, as bytes."""
import concurrent.futures
import multiprocessing
import pickle

import numpy
import pytest
from arrays import exact_sum, fill
from hypothesis import given
from hypothesis import strategies as st

import wavefold


@given(st.lists(st.integers(0, 50), max_size=6), st.sampled_from(("float16", "float32", "float64")),
       st.integers(0, 999))
def test_partitions(lengths, dtype, seed):
    values = fill((sum(lengths),), dtype, seed)
    state, begin = wavefold.SumState(), 0
    for k, length in enumerate(lengths):
        part = values[begin:begin + length]
        if k % 2:
            state += part
        else:
            state += wavefold.SumState(part[::-1])
        begin += length
    assert state == wavefold.SumState(values)
    assert hash(state) == hash(wavefold.SumState(values))
    assert state.sum() == exact_sum(values.astype("float64"))
    assert state.count == len(values)
    assert pickle.loads(pickle.dumps(state)) == state
    assert wavefold.SumState.from_bytes(bytes(state)) == state
    assert len(bytes(state)) == 600


def test_kinds():
    values = fill((100,), "float32", 1)
    assert wavefold.SumState(values, of="asum").sum() == wavefold.norm(values.astype("f8"), 1)
    assert wavefold.SumState(values, of="sumsq").sum("float32") == wavefold.dot(values, values)
    assert wavefold.SumState(values).mean(numpy.float32) == wavefold.mean(values)
    assert numpy.isnan(wavefold.SumState().mean())
    assert wavefold.SumState(values) != 3
    assert "count=100" in repr(wavefold.SumState(values))
    copy = wavefold.SumState(values).copy()
    copy += values
    assert copy != wavefold.SumState(values)


def test_refused():
    with pytest.raises(TypeError, match="a state sums floats"):
        wavefold.SumState(numpy.arange(3))
    with pytest.raises(ValueError, match="600 bytes"):
        wavefold.SumState.from_bytes(b"short")
    with pytest.raises(ValueError):
        wavefold.SumState.from_bytes(b"\xff" * 600)
    with pytest.raises(ValueError, match="of="):
        wavefold.SumState(of="max")
    with pytest.raises(NotImplementedError):
        wavefold.SumState(numpy.ones(3), of="sumsq")
    with pytest.raises(TypeError, match="float64 or float32"):
        wavefold.SumState().sum(int)


@pytest.mark.parametrize("method", ("spawn", "fork"))
def test_workers(method):
    """Also after a fork: the parent has used the CPU's threads before."""
    values = fill((100_000,), "float64", 5)
    expected = wavefold.SumState(values)
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context(method)) as workers:
        parts = list(workers.map(wavefold.SumState, numpy.array_split(values, 7)))
    assert sum(parts, wavefold.SumState()) == expected


def test_one_state_of_many_threads():
    """Each part is added once, also while other threads add, read and copy, with and without a GIL."""
    values = fill((200_000,), "float64", 7)
    parts = numpy.array_split(values, 200)
    state = wavefold.SumState()

    def work(k):
        if k % 2:
            state.add(parts[k])
        else:
            state.add(wavefold.SumState(parts[k]))
        return state.copy().count + len(bytes(state)) >= 600 and state.sum() is not None
    with concurrent.futures.ThreadPoolExecutor(8) as workers:
        assert all(workers.map(work, range(len(parts))))
    assert state == wavefold.SumState(values)


def test_threads():
    values = fill((300_000,), "float32", 6)
    with concurrent.futures.ThreadPoolExecutor(8) as workers:
        found = list(workers.map(lambda _: (wavefold.sum(values), wavefold.sort(values)[0],
                                            wavefold.scatter_add(values.view("u4") % 64, values, 64)[5],
                                            wavefold.cumsum(values)[-1]), range(40)))
    assert len(set(found)) == 1
