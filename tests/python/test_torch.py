"""torch: tensors of every kind in, operators under autograd, fake tensors, torch.compile and CUDA graphs."""
import numpy
import pytest
from arrays import fill

torch = pytest.importorskip("torch")

import wavefold  # noqa: E402
import wavefold.torch  # noqa: E402

ops = torch.ops.wavefold


@pytest.fixture
def device(request):
    return request.config.getoption("device")


def tensor(shape, device, dtype="float64", seed=1):
    return torch.from_numpy(numpy.asarray(fill(shape, dtype, seed))).to(device)


def test_kinds_of_tensors(device):
    x = tensor((6, 8), device)
    assert wavefold.sum(x) == wavefold.sum(x.cpu().numpy())
    assert wavefold.sum(x.T[::2]).item() == wavefold.sum(x.cpu().numpy().T[::2])
    assert wavefold.sum(x.requires_grad_()).requires_grad is False
    assert wavefold.sum(x.to(torch.bfloat16)).dtype == torch.bfloat16
    assert wavefold.max(x.to(torch.bfloat16), 0).dtype == torch.bfloat16
    assert wavefold.sum(torch.zeros((), device=device)).shape == ()
    assert wavefold.sum(torch.zeros((0, 3), device=device), 0).tolist() == [0, 0, 0]
    assert wavefold.sum(x > 0).item() == (x > 0).sum().item()
    if device == "cpu":  # a mask of another library, and one that must be broadcast
        assert wavefold.sum(x, where=numpy.arange(8) < 3).item() == wavefold.sum(x[:, :3]).item()
    out = torch.empty(8, device=device, dtype=torch.float64)
    assert wavefold.sum(x, 0, out=out) is out


@pytest.mark.parametrize("dtype", ("float32", "float64", "float16", "int32", "uint8", "bool"))
def test_items(dtype, device):
    x = tensor((31, 7), device, dtype)
    for view in (x, x.T[::2], x[:1, 0]):
        for function in (wavefold.sum, wavefold.mean, wavefold.min, wavefold.max):
            assert function(view, item=True) == function(view).item()
            assert type(function(view, item=True)) is type(function(view).item())
    side = torch.cuda.Stream() if device == "cuda" else None
    with torch.cuda.stream(side):
        y = torch.cumsum(torch.ones(1 << 20, device=device), 0)
        assert wavefold.max(y, item=True) == 1 << 20
    with pytest.raises((ValueError, RuntimeError)):
        wavefold.sum(x, 0, item=True)


def test_refused(device):
    with pytest.raises(TypeError, match="complex64"):
        wavefold.sum(torch.zeros(3, dtype=torch.complex64, device=device))
    with pytest.raises(TypeError, match="to_dense"):
        wavefold.sum(torch.eye(3, device=device).to_sparse())
    with pytest.raises(BufferError, match="meta"):
        wavefold.sum(torch.zeros(3, device="meta"))
    if device == "cuda":
        with pytest.raises(ValueError, match="another device"):
            wavefold.dot(torch.zeros(3, device=device), torch.zeros(3))
        with pytest.raises(BufferError, match="would have to be copied"):
            wavefold.sum(torch.zeros(3, dtype=torch.int64, device=device), dtype=torch.float64)


CALLS = {
    "sum": (lambda x: ops.sum(x), lambda x: x.sum()),
    "sum of columns": (lambda x: ops.sum(x, [0], True), lambda x: x.sum(0, keepdim=True)),
    "mean": (lambda x: ops.mean(x, [1]), lambda x: x.mean(1)),
    "sumsq": (lambda x: ops.sumsq(x, [-1]), lambda x: (x * x).sum(-1)),
    "dot": (lambda x: ops.dot(x[0], x[1]), lambda x: x[0] @ x[1]),
    "cumsum": (lambda x: ops.cumsum(x, 1), lambda x: x.cumsum(1)),
    "sort": (lambda x: ops.sort(x, 1)[0], lambda x: x.sort(1)[0]),
    "sort, descending": (lambda x: ops.sort(x, 0, True)[0], lambda x: x.sort(0, True)[0]),
    "scatter_add": (lambda x: ops.scatter_add(torch.arange(8, device=x.device) % 3, x[0], 3),
                    lambda x: torch.zeros(3, dtype=x.dtype, device=x.device).index_add(
                        0, torch.arange(8, device=x.device) % 3, x[0])),
}


@pytest.mark.parametrize("name", CALLS)
def test_values_and_gradients(name, device):
    ours, theirs = CALLS[name]
    x = tensor((6, 8), device).requires_grad_()
    y = x.detach().clone().requires_grad_()
    found, expected = ours(x), theirs(y)
    torch.testing.assert_close(found, expected)
    weights = tensor(tuple(found.shape), device, seed=2)
    (found * weights).sum().backward()
    (expected * weights).sum().backward()
    torch.testing.assert_close(x.grad, y.grad)
    if name != "sumsq":
        assert torch.autograd.gradcheck(ours, (x,), nondet_tol=0)


def test_argmax(device):
    x = tensor((6, 8), device)
    assert ops.argmax(x, 1).tolist() == x.argmax(1).tolist()
    assert ops.argmax(x).item() == x.argmax().item()
    assert ops.argmax(x, 0, True).shape == (1, 8)


@pytest.mark.parametrize("call", (
    (ops.sum, (None, False)), (ops.sum, ([1], True)), (ops.mean, ([0], False)), (ops.sumsq, ([0, 1], False)),
    (ops.argmax, (1, False)), (ops.cumsum, (0,)), (ops.sort, (1, False))), ids=str)
def test_opcheck(call, device):
    operator, arguments = call
    x = tensor((4, 5), device).requires_grad_(operator is not ops.argmax)
    torch.library.opcheck(operator.default, (x, *arguments))


def test_opcheck_of_pairs(device):
    x, y = tensor((5,), device).requires_grad_(), tensor((5,), device, seed=2).requires_grad_()
    torch.library.opcheck(ops.dot.default, (x, y))
    indices = torch.tensor([0, 2, 1, 2, 7], device=device)
    torch.library.opcheck(ops.scatter_add.default, (indices, x, 3))


def test_compile(device):
    backend = "inductor" if device == "cuda" else "aot_eager"  # inductor compiles with C++, which takes a minute

    @torch.compile(backend=backend, fullgraph=True)
    def step(x):
        return ops.sum(torch.sin(x), [1]) * 2
    x = tensor((6, 8), device)
    torch.testing.assert_close(step(x), torch.sin(x).sum(1) * 2)


def test_streams_and_graphs(device):
    if device != "cuda":
        pytest.skip("needs a GPU")
    x = tensor((1000, 1000), device, "float32")
    expected = wavefold.sum(x, 1)
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        x = x * 1
        found = wavefold.sum(x, 1)
    torch.cuda.current_stream().wait_stream(side)
    assert torch.equal(found, expected)
    with torch.cuda.stream(side):
        wavefold.sum(x, 1), wavefold.cumsum(x, 1), wavefold.sort(x)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        rows = ops.sum(x, [1])
        total = ops.sum(rows)
    x.mul_(2)
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(rows, 2 * expected)
    assert total.item() == wavefold.sum(2 * expected).item()


def test_no_synchronisation(device):
    if device != "cuda":
        pytest.skip("needs a GPU")
    x = tensor((1000, 1000), device, "float32")
    torch.cuda.set_sync_debug_mode("error")
    try:
        for function in (wavefold.sum, wavefold.argmax, wavefold.var, wavefold.cumsum, wavefold.sort):
            function(x)
    finally:
        torch.cuda.set_sync_debug_mode("default")


def test_fork_after_gpu(device):
    if device != "cuda":
        pytest.skip("needs a GPU")
    import os
    x = tensor((10,), device)
    wavefold.sum(x)
    seen, out = wavefold._inputs.take(x).array, wavefold._inputs.take(x[:1]).array
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            wavefold._core.reduce(seen, "sum", "", "exact", 1, None, True, out, 0)
            os.write(writer, b"no error")
        except RuntimeError as error:
            os.write(writer, str(error).encode())
        os._exit(0)
    os.close(writer)
    assert b"before this process was forked" in os.read(reader, 1000)


def test_no_leak(device):
    """Objects, and the GPU's memory."""
    import sys
    x = tensor((100,), device)
    before = torch.cuda.memory_allocated() if device == "cuda" else 0
    count = sys.getrefcount(x)
    for _ in range(2000):
        wavefold.sum(x)
    assert sys.getrefcount(x) == count
    assert (torch.cuda.memory_allocated() if device == "cuda" else 0) <= before


def test_numbers_match_numpy(device):
    values = fill((50, 70), "float32", 3)
    x = torch.from_numpy(values).to(device)
    for op in ("sum", "mean"):
        numpy.testing.assert_array_equal(getattr(wavefold, op)(x, 1).cpu().numpy(), getattr(wavefold, op)(values, 1))
