"""Views that kernels cannot read where they lie are copied by kernels, not by NumPy in each call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.compiler.kernels import eligible
from mycel.compiler.passes.unreadable_views import copy_unreadable
from mycel.runtime.native import codegen

pytestmark = pytest.mark.skipif(not eligible.is_available(), reason="no machine code here")

X = np.random.default_rng(0).standard_normal((20, 30)).astype(np.float32)
CUBE = np.random.default_rng(1).standard_normal((12, 6, 8)).astype(np.float32)


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The kernels whose arguments NumPy has copied."""
    found: list[Any] = []
    by_copies = codegen.by_copies

    def noted(kernel: Any, *arguments: Any) -> None:
        found.append(kernel)
        by_copies(kernel, *arguments)

    monkeypatch.setattr(codegen, "by_copies", noted)
    return found


def reversed_pieces(x: Tensor) -> Tensor:
    return ops.tanh(ops.cat((x[:, :10], ops.flip(x[:, :12], (1,)), x[:, ::3]), axis=1))


def padded_transpose(x: Tensor) -> Tensor:
    return ops.exp(ops.pad(x.transpose(2, 1, 0), (0, 3, 1, 0)))


def sums_of_columns(x: Tensor) -> Tensor:
    return (x[:, 3] * x[:, 7]).sum() + x.T[5]


def sorted_columns(x: Tensor) -> Tensor:
    return ops.sort(x.T, 0)[0] * 2.0 + 1.0


def running_rows(x: Tensor) -> Tensor:
    state = ops.zeros_like(x[:, 0])
    rows = []
    for step in range(x.shape[1]):
        state = ops.tanh(state.matmul(ops.ones((8, 8), ms.float32)) * 0.1 + x[:, step])
        rows.append(state)
    return ops.stack(rows, 1)


def slices_as_rows(x: Tensor) -> Tensor:
    """Rows of bools, which no kernel copies, and rows that the loop reshapes and hands on."""
    x = ops.cat([x] * 6, 1)
    mask, state, out = x[:, :, 0] > 0, ops.zeros_like(x[:, 0]), ops.zeros((12, 72, 8), ms.float32)
    for step in range(x.shape[1]):
        state = ops.where(mask[:, step][:, None], ops.tanh(state * 0.5 + x[:, step]), state)
        out[:, 2 * step : 2 * step + 2] = ops.tanh(x[:, step : step + 1]) + state[:, None]
    return out


def turned_again(x: Tensor) -> Tensor:
    """Transposes of reshapes that copy a transpose."""
    y, z = ((x * n).reshape(64, 2, 2).transpose(1, 0, 2).reshape(128, 2, 1).transpose(1, 0, 2) for n in (2.0, 3.0))
    y, z = y.reshape(2, 128), z.reshape(2, 128)
    return ops.cat((y, z), 1).reshape(4, 128) @ ops.cat((y.T, z.T), 1)


PROGRAMS = {
    "reversed pieces": (reversed_pieces, X),
    "a padded transpose": (padded_transpose, CUBE),
    "sums of columns": (sums_of_columns, X),
    "sorted columns": (sorted_columns, X),
    "rows of the second axis": (running_rows, CUBE),
    "slices and rows of bools": (slices_as_rows, CUBE),
    "views of copies": (turned_again, CUBE.reshape(-1)[:256]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_numpy_copies_nothing(name: str, copied: list[Any]) -> None:
    function, x = PROGRAMS[name]

    def both(x: Tensor) -> tuple[Tensor, Tensor]:
        y = function(x)
        return (y * y).sum(), y

    compiled = ms.value_and_grad(both, has_aux=True)
    (_, y), gradient = ms.jit(compiled)(Tensor(x))
    assert not copied
    with ms.disable_jit():
        (_, wanted), wanted_gradient = compiled(Tensor(x))
    np.testing.assert_allclose(y.asnumpy(), wanted.asnumpy(), 1e-5, 1e-6)
    np.testing.assert_allclose(gradient.asnumpy(), wanted_gradient.asnumpy(), 1e-4, 1e-5)


def test_sequences_with_the_batch_first(copied: list[Any]) -> None:
    net = nn.LSTM(8, 5, batch_first=True)
    step = ms.jit(ms.value_and_grad(lambda x: net(x)[0].sum(), None, net.trainable_params()))
    step(Tensor(CUBE))
    assert not copied


@pytest.mark.parametrize(("rows", "kernels"), [(200, 1), (1200, 2)])
def test_one_kernel_makes_small_copies_of_one_shape(rows: int, kernels: int) -> None:
    def nearest(x: Tensor) -> Tensor:
        return ops.maximum(x[:, None, 0] - x[None, :, 0], x[:, None, 1] * x[None, :, 1])

    x = np.random.default_rng(2).standard_normal((rows, 4)).astype(np.float32)
    compiled = ms.jit(nearest)
    graph = compiled.stages(Tensor(x)).passes["kernels"]
    copies = [str(node.attrs.get("body", "")).count(" = copied(") for node in graph.nodes]
    assert (sum(copies), len(copies) - copies.count(0)) == (2, kernels)
    expected = np.maximum(x[:, None, 0] - x[None, :, 0], x[:, None, 1] * x[None, :, 1])
    np.testing.assert_array_equal(compiled(Tensor(x)).asnumpy(), expected)


def test_short_rows_of_which_a_kernel_reads_each_column_are_copied_once() -> None:
    def difference(x: Tensor, y: Tensor) -> Tensor:
        return x - y[:, ::-1]

    random = np.random.default_rng(3)
    x, y = random.standard_normal((16, 133, 2)), random.standard_normal((133, 2))
    compiled = ms.jit(difference)
    np.testing.assert_array_equal(compiled(Tensor(x), Tensor(y)).asnumpy(), x - y[:, ::-1])
    graph = compiled.stages(Tensor(x), Tensor(y)).passes["kernels"]
    assert sum(str(node.attrs.get("body", "")).count(" = copied(") for node in graph.nodes) == 1


def test_what_is_copied_stays() -> None:
    compiled = ms.jit(reversed_pieces)
    graph = compiled.stages(Tensor(X)).passes["kernels"]
    assert sum("copied" in str(node.attrs.get("body", "")) for node in graph.nodes) == 2
    assert copy_unreadable(graph) is graph


@pytest.mark.parametrize("size", [3, 20])
def test_right_hand_sides_that_are_transposed_views(size: int) -> None:
    """Machine code solves for arrays in C order."""
    random = np.random.default_rng(size)
    a, b = random.standard_normal((size, size)) + 9 * np.eye(size), random.standard_normal((4, size))
    compiled = ms.jit(lambda a, b: ops.solve(a, b.swapaxes(0, 1)))
    np.testing.assert_allclose(compiled(Tensor(a), Tensor(b)).asnumpy(), np.linalg.solve(a, b.T), 1e-10)
    graph = compiled.stages(Tensor(a), Tensor(b)).passes["kernels"]
    assert sum("copied" in str(node.attrs.get("body", "")) for node in graph.nodes) == 1
