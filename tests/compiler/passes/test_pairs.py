"""Products of BFloat16 by pairs: the numbers of float64, rounded once, whatever the layout; and where they pay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.kernels.products import matmul_of_pairs
from mycel.runtime.machine.product import has_pairs

ml_dtypes = pytest.importorskip("ml_dtypes")
needs_pairs = pytest.mark.skipif(not has_pairs(), reason="the processor has no AVX512_BF16, or it is switched off")

PRODUCTS: list[tuple[Callable[..., Any], tuple[int, ...], tuple[int, ...]]] = [
    (lambda a, b: a @ b, (33, 40), (40, 50)),
    (lambda a, b: a @ b, (33, 41), (41, 50)),
    (lambda a, b: a @ b.T, (33, 40), (50, 40)),
    (lambda a, b: a @ b.T, (200, 41), (210, 41)),
    (lambda a, b: a.T @ b, (40, 33), (40, 50)),
    (lambda a, b: (a.T @ b.T).T, (41, 33), (50, 41)),
    (lambda a, b: a @ b.swapaxes(-1, -2), (2, 3, 33, 40), (2, 3, 50, 40)),
    (lambda a, b: ops.matmul(a, b).swapaxes(-1, -2) + 0.0, (2, 3, 33, 40), (3, 40, 50)),
    (lambda a, b: a[:, 1:] @ b, (33, 41), (40, 50)),
    (lambda a, b: a[:, 2:] @ b[::2], (33, 42), (80, 50)),
    (lambda a, b: a[2] @ b.transpose(1, 2, 0)[3], (3, 33, 40), (50, 4, 40)),
    (lambda a, b: ops.dense(a, b), (4, 20, 64), (50, 64)),
    (lambda a, b: a.astype(ms.float32) @ b.astype(ms.float32), (256, 300), (300, 256)),
]


def _drawn(*shape: int) -> Tensor:
    random = np.random.default_rng(sum(shape))
    return Tensor(random.standard_normal(shape, dtype=np.float32)).astype(ms.bfloat16)


def _ops_of(function: Any, *inputs: Tensor) -> list[str]:
    return [node.op.name for node in function.stages(*inputs).optimized.all_nodes]


@pytest.mark.parametrize(("product", "a", "b"), PRODUCTS)
def test_numbers(product: Callable[..., Any], a: tuple[int, ...], b: tuple[int, ...]) -> None:
    compiled, inputs = ms.jit(product), (_drawn(*a), _drawn(*b))
    found = compiled(*inputs)
    if has_pairs():
        assert "paired_matmul" in _ops_of(compiled, *inputs)
    wanted = product(*[Tensor(x.asnumpy().astype(np.float64)) for x in inputs]).asnumpy()
    exact = wanted.astype(np.float32).astype(found.asnumpy().dtype).astype(np.float64)
    single = found.dtype == ms.float32
    step = np.maximum(np.abs(exact), 1.0 if single else 0.01) * (1e-5 if single else 2.0**-7)
    assert (np.abs(found.asnumpy().astype(np.float64) - exact) <= step).all()
    same = found.asnumpy() == exact.astype(found.asnumpy().dtype)
    assert single or same.mean() > 0.99  # rounded once


def test_gradients() -> None:
    """Those of two layers are those in float32, to rounding."""

    def loss(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
        return (ops.relu(ops.dense(x, w)) @ v).astype(ms.float32).square().mean()

    inputs = _drawn(34, 40), _drawn(50, 40), _drawn(50, 64)
    gradient = ms.jit(ms.grad(loss, (0, 1, 2)))
    found = gradient(*inputs)
    wanted = ms.jit(ms.grad(loss, (0, 1, 2)))(*[x.astype(ms.float32) for x in inputs])
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == ms.bfloat16
        numbers = other.asnumpy()
        error = np.abs(one.asnumpy().astype(np.float32) - numbers).max()
        assert error <= 0.03 * np.abs(numbers).max()
    if has_pairs():
        names = _ops_of(gradient, *inputs)
        assert names.count("paired_matmul") == 6  # and none is computed twice
        assert "matmul" not in names


def test_layers_on_more_dimensions_have_one_product_for_their_weights() -> None:
    gradient = ms.jit(ms.grad(lambda x, w: ops.dense(x, w).astype(ms.float32).square().sum(), 1))
    inputs = _drawn(3, 34, 40), _drawn(50, 40)
    found, wanted = (
        each.asnumpy().astype(np.float32)
        for each in (gradient(*inputs), gradient(*[x.astype(ms.float32) for x in inputs]))
    )
    assert np.abs(found - wanted).max() <= 0.02 * np.abs(wanted).max()
    assert len([name for name in _ops_of(gradient, *inputs) if name.endswith("matmul")]) == 2


@needs_pairs
def test_kernels_read_pairs_and_round_products_through_views() -> None:
    """Arrays whose rows lie apart are no copies."""
    compiled = ms.jit(lambda a, b: (a.swapaxes(1, 2) @ b.swapaxes(1, 2)).swapaxes(1, 2) * 2)
    stages = compiled.stages(_drawn(5, 16, 3, 40), _drawn(5, 40, 3, 48))
    names = {node.op.name for node in stages.optimized.nodes}
    assert names <= {"kernel", "bitcast", "transpose", "slice", "paired_matmul", "pairs"}
    lines = stages.program.splitlines()
    assert any(line.startswith("in ") and "uint16[5,40,3,48] 11520 96 576 2" in line for line in lines)
    assert any(line.startswith("in ") and "float32[5,3,16,48] 9216 192 3072 4" in line for line in lines)


@needs_pairs
@pytest.mark.parametrize("shapes", [((1, 400), (400, 400)), ((4, 4), (4, 4))])
def test_small_products_and_vectors_stay(shapes: tuple[tuple[int, int], ...]) -> None:
    compiled = ms.jit(lambda a, b: a @ b)
    assert "paired_matmul" not in _ops_of(compiled, *[_drawn(*shape) for shape in shapes])


CONVOLUTIONS: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((4, 16, 12, 12), (24, 16, 3, 3), {"padding": 1}),
    ((6, 8, 13, 11), (20, 8, 3, 3), {"stride": 2}),
    ((2, 32, 9, 9), (32, 8, 3, 3), {"padding": 1, "groups": 4}),
    ((4, 16, 14, 14), (16, 16, 3, 3), {"dilation": 2}),
    ((4, 16, 30), (24, 16, 5), {"padding": 2}),
    ((3, 6, 12, 12), (7, 6, 3, 3), {}),  # neither images nor outputs are pairs
    ((4, 5, 12, 12), (8, 5, 3, 3), {}),
]


@pytest.mark.parametrize(("x", "w", "windows"), CONVOLUTIONS)
def test_convolutions(x: tuple[int, ...], w: tuple[int, ...], windows: dict[str, Any]) -> None:
    """The numbers of a convolution and of its gradients are those of float64, rounded once."""
    apply, windows = ops.conv1d if len(x) == 3 else ops.conv2d, {"pad_mode": "pad", **windows}

    def convolution(x: Tensor, w: Tensor, y: Tensor) -> Tensor:
        return (apply(x, w, **windows) * y).sum()

    inputs = [_drawn(*x), _drawn(*w)]
    inputs.append(_drawn(*apply(*inputs, **windows).shape))
    compiled = ms.jit(lambda x, w, y: (apply(x, w, **windows), *ms.grad(convolution, (0, 1))(x, w, y)))
    found = compiled(*inputs)
    wanted = compiled(*[Tensor(each.asnumpy().astype(np.float64)) for each in inputs])
    for one, other in zip(found, wanted, strict=True):
        exact = other.asnumpy()
        error = np.abs(one.asnumpy().astype(np.float64) - exact)
        assert (error <= np.maximum(np.abs(exact), 0.01 * np.abs(exact).max()) * 2.0**-8 * 1.01).all()
    if has_pairs():
        nodes = compiled.stages(*inputs).optimized.all_nodes
        paired = [node for node in nodes if node.attrs.get("pairs")]
        assert len(paired) == sum((x[1] % 2 == 0, w[0] % 2 == 0, x[0] % 2 == 0))


@needs_pairs
def test_pairs_of_convolutions_with_infinite_weights() -> None:
    """Zeros around the gradient are not multiplied by them."""
    x, w = _drawn(2, 8, 10, 10), _drawn(8, 8, 3, 3).asnumpy()
    w[3, 2, 1, 1] = np.inf
    inputs = x, Tensor(w), _drawn(2, 8, 8, 8)
    gradient = ms.jit(ms.grad(lambda x, w, y: (ops.conv2d(x, w, pad_mode="valid") * y).sum(), 0))
    assert any(node.attrs.get("pairs") for node in gradient.stages(*inputs).optimized.all_nodes)
    found = gradient(*inputs).asnumpy().astype(np.float32)
    wanted = gradient(*[each.astype(ms.float32) for each in inputs])
    np.testing.assert_allclose(found, wanted.asnumpy(), rtol=0.02, atol=0.05)


@pytest.mark.parametrize("between", [ms.int32, ms.float16, ms.float64])
def test_other_numbers_stay(between: Any) -> None:
    compiled = ms.jit(lambda a, b: a.astype(between).astype(ms.float32) @ b.astype(ms.float32))
    a, b = _drawn(33, 40) * 3, _drawn(40, 50)
    wanted = a.astype(between).asnumpy().astype(np.float64) @ b.asnumpy().astype(np.float64)
    np.testing.assert_allclose(compiled(a, b).asnumpy(), wanted, rtol=1e-4, atol=1e-4)
    single = ms.jit(lambda a, b: a.astype(ms.float32) @ b)
    assert "paired_matmul" not in _ops_of(single, a, b.astype(ms.float32))
    double = ms.jit(lambda a, b: a.astype(ms.float64) @ b.astype(ms.float64))
    assert "paired_matmul" not in _ops_of(double, a, b)


def test_without_machine_code() -> None:
    """NumPy computes the same."""
    a, b = _drawn(3, 7, 10).asnumpy(), _drawn(9, 10).asnumpy()
    found = matmul_of_pairs(a.view(np.float32), b.view(np.float32).T)
    np.testing.assert_allclose(found, a.astype(np.float32) @ b.astype(np.float32).T, rtol=1e-5, atol=1e-5)
    apart = matmul_of_pairs(a.view(np.float32)[..., ::-1], b.view(np.float32).T[::-1], threads=2)
    np.testing.assert_allclose(apart, found, rtol=1e-5, atol=1e-5)


def test_programs_without_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processors that have no instruction for pairs, or a slow one, compute in float32."""
    monkeypatch.setenv("MYCEL_BF16", "off")
    assert not has_pairs()
    for product, a, b in PRODUCTS[:3] + PRODUCTS[-2:]:
        compiled, inputs = ms.jit(product), (_drawn(*a), _drawn(*b))
        found = compiled(*inputs).asnumpy().astype(np.float64)
        assert "paired_matmul" not in _ops_of(compiled, *inputs)
        exact = product(*[Tensor(x.asnumpy().astype(np.float64)) for x in inputs]).asnumpy()
        assert (np.abs(found - exact) <= np.maximum(np.abs(exact), 0.01) * 2.0**-8 * 1.01).all()
    x, w = _drawn(2, 16, 9, 9), _drawn(8, 16, 3, 3)
    convolved = ms.jit(lambda x, w: ops.conv2d(x, w, pad_mode="same"))
    found = convolved(x, w).asnumpy().astype(np.float32)
    exact = ops.conv2d(x.astype(ms.float32), w.astype(ms.float32), pad_mode="same").asnumpy()
    np.testing.assert_allclose(found, exact, rtol=2.0**-7, atol=0.01)
