"""Views that become results, or are reshaped, are copied by kernels where their neighbours lie apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.kernels import eligible
from mycel.compiler.passes.materialize import materialize_views

pytestmark = pytest.mark.skipif(not eligible.is_available(), reason="no machine code here")

X = np.random.default_rng(0).standard_normal((60, 80)).astype(np.float32)
IMAGES = np.random.default_rng(1).standard_normal((4, 6, 20, 16)).astype(np.float32)
VIEWS = {
    "transpose": (lambda x: x.T, np.tile(X, (2, 2)), "turned"),
    "transpose of rows of a vector": (lambda x: x.T, np.tile(X.reshape(-1, 8), (4, 1)), "turned"),
    "transpose of shorter rows": (lambda x: x.T, np.tile(X.reshape(-1, 5), (4, 1)), "copied"),
    "channels last": (lambda x: x.transpose(0, 2, 3, 1), IMAGES, "copied"),
    "channels last, flat": (lambda x: x.transpose(0, 2, 3, 1).reshape(4, -1), IMAGES, "copied"),
    "channels shuffled": (lambda x: x.reshape(4, 2, 3, 320).swapaxes(1, 2).reshape(4, 6, 20, 16), IMAGES, "copied"),
    "channels swapped": (lambda x: x.swapaxes(0, 1), IMAGES, None),
    "channels swapped, of many": (lambda x: x.swapaxes(0, 1), np.tile(IMAGES, (1, 8, 2, 1)), "copied"),
    "repeated rows, of many": (lambda x: x.repeat_interleave(2, 0), np.tile(X, (12, 4)), None),
    "reversed": (lambda x: x[:, ::-1], X, "copied"),
    "repeated": (lambda x: x.repeat_interleave(3, 1), X, None),
    "repeated, of a result": (lambda x: ops.tanh(x).repeat_interleave(2, 1), X, None),
    "every second": (lambda x: x[:, ::2], np.tile(X, (2, 2)), "copied"),
    "a column for all": (lambda x: ops.broadcast_to(x[:, :1], (60, 90)), X, "copied"),
    "a transpose of a transpose": (lambda x: x.T.reshape(80, 6, 10).transpose(1, 2, 0).reshape(60, 80), X, None),
    "reversed rows": (lambda x: x[::-1], X, None),
    "reversed short rows": (lambda x: x[::-1], X.reshape(-1, 3), "copied"),
    "some columns of bools": (lambda x: x[:, 1:], X.reshape(-1, 4) > 0, "copied"),
    "long rows of bools, swapped": (lambda x: x.swapaxes(0, 1), X.reshape(-1, 2, 60) > 0, None),
    "bools, reversed": (lambda x: x[:, ::-1], X > 0, "copied"),
    "a part": (lambda x: x[2:, 3:], np.tile(X, (2, 2)), None),
    "small": (lambda x: x[:4, ::-1], X, None),
    "halves": (lambda x: x[:, ::-1], X.astype(np.float16), "copied"),
}


def stages(compiled: Any, x: Tensor) -> tuple[Graph, Graph]:
    """The graph before and after the pass."""
    found = compiled.stages(x).passes
    names = list(found)
    return found[names[names.index("materialize") - 1]], found["materialize"]


@pytest.mark.parametrize("name", VIEWS)
def test_what_is_copied(name: str) -> None:
    function, x, op = VIEWS[name]
    compiled = ms.jit(function)
    result = compiled(Tensor(x))
    with ms.disable_jit():
        wanted = function(Tensor(x))
    np.testing.assert_allclose(result.asnumpy(), wanted.asnumpy(), 1e-5)
    before, after = stages(compiled, Tensor(x))
    assert {each.name for each in after.ops} - {each.name for each in before.ops} == ({op} if op else set())
    copies = [sum(node.op.name in ("copied", "turned") for node in graph.nodes) for graph in (before, after)]
    assert copies[1] - copies[0] == (op is not None)
    assert materialize_views(after) is after
    without = ms.jit(function, passes_off=["materialize"])
    np.testing.assert_array_equal(without(Tensor(x)).asnumpy(), result.asnumpy())


PIXELS = np.random.default_rng(3).integers(0, 256, (2, 40, 50, 3)).astype(np.uint8)
SCALE = np.array([0.2, 0.3, 0.4], np.float32)
PLANES = {  # and whether their transpose is computed, not copied
    "normalised": (lambda x: ((x / 255 - 0.5) / Tensor(SCALE)).transpose(0, 3, 1, 2), True),
    "flipped": (lambda x: (ops.flip(x.astype(ms.float32), (2,)) * 0.5).transpose(0, 3, 1, 2), True),
    "used twice": (lambda x: (x.astype(ms.float32) * x.astype(ms.float32)).transpose(0, 3, 1, 2), True),
    "of a product": (lambda x: (ops.matmul(x / 255, Tensor(np.diag(SCALE))) + 1).transpose(0, 3, 1, 2), True),
    "shifted": (lambda x: (ops.roll(x / 255, 1, 2) * 2).transpose(0, 3, 1, 2), False),
    "far apart": (lambda x: (x / 255).transpose(3, 0, 2, 1), False),
}


@pytest.mark.parametrize("name", PLANES)
def test_planes_are_computed_from_pixels(name: str) -> None:
    function, computed = PLANES[name]
    compiled: Any = ms.jit(function)
    found = compiled(Tensor(PIXELS)).asnumpy()
    with ms.disable_jit():
        np.testing.assert_allclose(found, function(Tensor(PIXELS)).asnumpy(), 1e-5, 1e-5)
    optimized = str(compiled.stages(Tensor(PIXELS)).optimized)
    assert ("copied(" in optimized or "turned(" in optimized) is not computed


LARGE = np.tile(X, (3, 4))
TURNED = {  # and whether their transpose is computed, not copied
    "one": (lambda x: (ops.relu(x * 2 + 1) + ops.exp(x)).T, True),
    "and a vector": (lambda x: (x * x[0]).T, True),
    "and numbers of the rows": (lambda x: (x / x.sum(1, keepdims=True)).T, True),
    "of a product": (lambda x: (ops.matmul(x, x.T) * 0.5).T, True),
    "two": (lambda x: (x * ops.cumsum(x, 1)).T, False),
    "read elsewhere": (lambda x: (ops.exp(x).T, ops.exp(x).sum()), False),
}


@pytest.mark.parametrize("name", TURNED)
def test_large_transposes_are_computed_of_one_input(name: str) -> None:
    function, computed = TURNED[name]
    compiled: Any = ms.jit(function)
    found = compiled(Tensor(LARGE))
    with ms.disable_jit():
        wanted = function(Tensor(LARGE))
    for one, other in zip(*[each if isinstance(each, tuple) else (each,) for each in (found, wanted)], strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-5, 1e-4)
    optimized = str(compiled.stages(Tensor(LARGE)).optimized)
    assert ("turned(" in optimized) is not computed


MIRRORED: dict[str, Any] = {
    "turned left": lambda x: ops.rot90(x, 1, (0, 1)),
    "turned right": lambda x: ops.rot90(x, -1, (0, 1)),
    "mirrored first": lambda x: x[:, ::-1].T,
    "read by a kernel": lambda x: x.T[::-1] * 2 + 1,
    "images": lambda x: ops.rot90(x.reshape(2, 90, -1), 1, (1, 2)),
    "both axes": lambda x: x[::-1, ::-1].T - 1,
    "read twice": lambda x: (x.T[::-1] * 2).sum(0) + (x.T[::-1] * 3).amax(0),
}


@pytest.mark.parametrize("name", MIRRORED)
def test_mirrored_transposes_are_mirrored_copies(name: str) -> None:
    """Elements that are far apart in two ways are brought together in registers first."""
    compiled: Any = ms.jit(MIRRORED[name])
    found = compiled(Tensor(LARGE)).asnumpy()
    with ms.disable_jit():
        np.testing.assert_allclose(found, MIRRORED[name](Tensor(LARGE)).asnumpy(), 1e-5)
    if name != "read twice":  # a reduction chooses the order of its loops
        assert "turned(" in str(compiled.stages(Tensor(LARGE)).optimized)


def test_results_are_arrays_of_their_own() -> None:
    x = Tensor(X.copy())
    result = ms.jit(lambda x: (x.T, x.T, x[:, ::-1]))(x)
    kept = [each.asnumpy().copy() for each in result]
    x[:] = 0
    for each, was in zip(result, kept, strict=True):
        np.testing.assert_array_equal(each.asnumpy(), was)


def test_views_behind_a_barrier() -> None:
    """A block that the backward pass computes again reads views through barriers."""

    def attention(q: Tensor, k: Tensor) -> Tensor:
        return ops.matmul(ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)), -1), k)

    def loss(q: Tensor, k: Tensor, again: bool) -> Tensor:
        result: Tensor = ms.recompute(attention, q, k) if again else attention(q, k)
        return ops.square(result.swapaxes(1, 2).reshape(4, 200, -1)).sum()

    rng = np.random.default_rng(2)
    q, k = (Tensor(rng.standard_normal((4, 4, 200, 32)).astype(np.float32)) for _ in range(2))
    gradient = ms.jit(ms.grad(loss, (0, 1)))
    for ours, wanted in zip(gradient(q, k, True), gradient(q, k, False), strict=True):
        np.testing.assert_allclose(ours.asnumpy(), wanted.asnumpy(), 1e-4, 1e-4)


def test_bools_are_reversed_by_a_kernel() -> None:
    x = np.tile(X > 0, (2, 1))
    compiled = ms.jit(lambda x: x[:, ::-1])
    np.testing.assert_array_equal(compiled(Tensor(x)).asnumpy(), x[:, ::-1])
    assert "compile_kernel" in compiled.stages(Tensor(x)).program


def test_planes_of_pixels_and_a_turned_row() -> None:
    """The row has fewer dimensions, and is broadcast behind its own view."""

    def planes(x: Any, y: Any) -> Any:
        return ops.transpose(x * 2 + (y * 3)[::-1], (2, 0, 1))

    random = np.random.default_rng(5)
    x, y = random.integers(9, size=(65, 16, 3)), random.integers(9, size=(16, 3))
    np.testing.assert_array_equal(
        ms.jit(planes)(Tensor(x), Tensor(y)).asnumpy(), np.moveaxis(x * 2 + (y * 3)[::-1], 2, 0)
    )


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_planes_of_bfloat16(dtype: type) -> None:
    """What computes bits is not computed of what has other bits."""
    x = (np.arange(17 * 17 * 3) % 100).reshape(17, 17, 3).astype(dtype)
    found = ms.jit(lambda x: ops.transpose(x.astype(ms.bfloat16), (2, 0, 1)))(Tensor(x))
    np.testing.assert_array_equal(found.astype(ms.float32).asnumpy(), np.moveaxis(x, 2, 0))


def test_transposes_of_complex_numbers() -> None:
    """They have eight bytes, as float64 has. Those of sixteen are copied by NumPy."""
    for dtype in (np.complex64, np.complex128):
        for shape, axes in (((130, 257), (1, 0)), ((5, 70, 61), (0, 2, 1))):
            parts = np.random.default_rng(0).standard_normal((2, *shape))
            x = (parts[0] + 1j * parts[1]).astype(dtype)
            function = ms.jit(lambda x, axes=axes: ops.transpose(x, axes))
            np.testing.assert_array_equal(function(Tensor(x)).asnumpy(), x.transpose(axes))
            if eligible.is_available():
                assert ("turned(" in str(function.stages(Tensor(x)).optimized)) == (dtype == np.complex64)


def test_results_of_one_number_are_filled() -> None:
    """A kernel fills them in each run: no constant is kept and copied."""

    @ms.jit
    def filled(x: Tensor) -> tuple[Tensor, ...]:
        return ops.full((60, 80), 2.5, dtype=ms.float32), ops.zeros((60, 80), ms.bfloat16), ops.zeros((2, 3)) + x[0, 0]

    first, zeros, _ = filled(Tensor(X))
    first[0, 0] = 1
    assert filled(Tensor(X))[0].asnumpy().tolist() == np.full((60, 80), 2.5).tolist()
    assert not zeros.astype(ms.float32).asnumpy().any()
    program = str(filled.stages(Tensor(X)).program)
    assert "full_1.copy()" not in program
    assert "full((60, 80)" not in program


@pytest.mark.parametrize("offset", [0, 2, -59])
def test_what_a_node_changes_in_place_is_filled(offset: int) -> None:
    compiled = ms.jit(lambda x: ops.diag_embed(x, offset))
    row = Tensor(X[0])
    names = [node.op.name for node in compiled.stages(row).passes["materialize"].nodes]
    assert "copied" in names[: names.index("diagonal_scatter")]
    np.testing.assert_array_equal(compiled(row), np.diag(X[0], offset))
