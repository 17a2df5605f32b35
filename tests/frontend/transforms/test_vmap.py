"""`vmap`: batches agree with loops over rows, for values and gradients; axes, control flow, Cells, random numbers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops

GENERATOR = np.random.default_rng(3)
X = Tensor(GENERATOR.normal(size=(5, 4)).astype(np.float32))
POSITIVE = ops.abs(X) + 0.5


def by_rows(function: Callable[..., Any], *batches: Tensor) -> np.ndarray:
    """The function's results for each row, one after the other."""
    return np.stack([function(*[batch[row] for batch in batches]).asnumpy() for row in range(len(batches[0]))])


def nodes_of(function: Any, *args: Any) -> list[str]:
    """The names of the ops in the graph as it was traced."""
    return [node.op.name for node in function.stages(*args).joint.nodes]


def branch(x: Tensor) -> Tensor:
    if x.sum() > 0:
        return ops.sqrt(ops.abs(x)) * 2
    return ops.exp(x)


def branch_that_would_fail(x: Tensor) -> Tensor:
    if x.sum() > 0:
        y = ops.log(x.sum()) * x
    else:
        y = x * 3
    return y


def branch_on_the_way(x: Tensor) -> Tensor:
    y = x * 2
    if y.max() > 2:
        if y.min() < -1:
            y = y * y
        y = y + 1
    return y * x


def double_until_large(x: Tensor) -> Tensor:
    while ops.abs(x).sum() < 40:
        x = x * 1.5 + 0.25
    return x


def newton(x: Tensor) -> Tensor:
    guess = x
    step = x
    while ops.abs(step).max() > 1e-3:
        step = (guess * guess - x) / (guess * 2)
        guess = guess - step
    return guess


def collatz(n: Tensor) -> Tensor:
    steps = ms.Tensor(0)
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps = steps + 1
    return steps


def with_break(x: Tensor) -> Tensor:
    total = x * 0
    for step in range(20):
        total = total + x * x * step
        if total.sum() > 30:
            break
    return total


def counted(x: Tensor) -> Tensor:
    for _ in range(30):
        x = ops.sin(x) + x * 0.1
    return x


def nested_loops(x: Tensor) -> Tensor:
    outer = ops.abs(x) * 0.3 + 0.1
    while outer.sum() < 30:
        inner = outer
        while inner.max() < 3:
            inner = inner * 2 + 0.5
        outer = outer + inner
    return outer


def updates_in_place(x: Tensor) -> Tensor:
    y = x * 1
    y[0] = x[1] * 2
    y[x > 1] = 0
    return y * x


def indexes(x: Tensor) -> Tensor:
    order = ops.argsort(x)
    return x[order[0]] * x[order] + x[ms.Tensor([3, 0, 2, 1])]


FUNCTIONS = [
    branch, branch_that_would_fail, branch_on_the_way, double_until_large, with_break, counted, updates_in_place,
    indexes, nested_loops,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_rows_that_go_different_ways(function: Callable[..., Any]) -> None:
    expected = by_rows(ms.jit(function), X)
    np.testing.assert_allclose(ms.vmap(function)(X).asnumpy(), expected, rtol=1e-5, atol=1e-6)

    def loss(x: Tensor) -> Tensor:
        return (function(x) * ops.cos(x)).sum()

    gradients = by_rows(ms.grad(loss), X)
    assert np.isfinite(gradients).all()
    np.testing.assert_allclose(ms.vmap(ms.grad(loss))(X).asnumpy(), gradients, rtol=1e-4, atol=1e-5)
    after = ms.grad(lambda x: ms.vmap(loss)(x).sum())(X).asnumpy()
    np.testing.assert_allclose(after, gradients, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_rows_op_by_op(function: Callable[..., Any]) -> None:
    with ms.disable_jit():
        found = ms.vmap(function)(X).asnumpy()
    np.testing.assert_allclose(found, ms.vmap(function)(X).asnumpy(), rtol=1e-5, atol=1e-6)


def test_loops_whose_rows_need_different_numbers_of_rounds() -> None:
    np.testing.assert_allclose(ms.vmap(newton)(POSITIVE).asnumpy(), np.sqrt(POSITIVE.asnumpy()), rtol=1e-3)
    numbers = Tensor([6, 1, 27, 7])
    assert ms.vmap(collatz)(numbers).asnumpy().tolist() == [8, 0, 111, 16]


def test_rows_not_on_a_branch_cannot_fail_there() -> None:
    def f(x: Tensor) -> Tensor:
        if x.sum() < 0:
            raise ValueError(f"negative: {x.sum()}")
        return x * 2

    np.testing.assert_allclose(ms.vmap(f)(POSITIVE).asnumpy(), POSITIVE.asnumpy() * 2)
    with pytest.raises(ValueError, match="negative"):
        ms.vmap(f)(-POSITIVE)


def test_one_graph_of_the_batch() -> None:
    weight = Tensor(GENERATOR.normal(size=(4, 3)).astype(np.float32))
    layer = ms.vmap(lambda x: ops.tanh(x @ weight).sum())
    assert nodes_of(layer, X) == ["matmul", "tanh", "sum"]
    np.testing.assert_allclose(layer(X).asnumpy(), np.tanh(X.asnumpy() @ weight.asnumpy()).sum(1), rtol=1e-5)
    shared = ms.vmap(lambda x: x + ops.exp(weight).sum())
    types = [str(node.output.type) for node in shared.stages(X).joint.nodes]
    assert types[:2] == ["f32[4, 3]", "f32[]"]  # what rows share is computed once


def test_true_in_an_index() -> None:
    """It makes a dimension, at its place among the index tensors."""
    x, i = np.arange(120.0, dtype=np.float32).reshape(2, 3, 4, 5), np.array([1, 2])

    def select(x: Any, i: Any) -> Any:
        return (
            x[True, :, i],
            x[:, True, i],
            x[:, i, True],
            x[i, True, :, 1],
            x[:, :, True, i],
            x[:, True, None, i],
            x[0, True],
            x[None, True, ..., i],
            x[True, i],
            x[:, None, True],
        )

    for axes, rows in (((0, 0), [(x[0], 1), (x[1], 2)]), ((None, 0), [(x[0], 1), (x[0], 2)])):
        found = ms.vmap(select, axes)(Tensor(x if axes[0] == 0 else x[0]), Tensor(i))
        for position, result in enumerate(found):
            np.testing.assert_array_equal(result.asnumpy(), np.stack([select(*row)[position] for row in rows]))


def test_axes() -> None:
    a, b = ops.ones((2, 3, 4), ms.float32), Tensor(np.arange(12.0).reshape(4, 3).astype(np.float32))
    assert ms.vmap(lambda x: x.sum(0), in_axes=1, out_axes=-1)(a).shape == (4, 3)
    assert ms.vmap(lambda x, y: x * y, in_axes=(-1, 0))(a, b).shape == (4, 2, 3)
    assert ms.vmap(lambda x, y: (x * y, y), (2, None), (1, None))(a, b[0])[0].shape == (2, 4, 3)
    assert ms.vmap(lambda p, q: p[0] * p[1] + q["w"], ((0, None), {"w": 0}))((b, b[0]), {"w": b}).shape == (4, 3)
    assert ms.vmap(lambda p: {"s": p["a"].sum(), "n": 2}, ({"a": 1},), {"s": 0, "n": None})({"a": b})["n"] == 2
    same = ms.vmap(lambda x: (x, 3, True, 0.5))(b)
    assert [item.asnumpy().tolist() for item in same[1:]] == [[3] * 4, [True] * 4, [0.5] * 4]
    assert str(same[1].dtype) == "Int64"
    assert ms.vmap(lambda x, scale: x * scale)(b, scale=Tensor([1.0, 2.0, 3.0, 4.0])).asnumpy()[3].tolist() == [
        36,
        40,
        44,
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ms.vmap(ops.sin, None), "cannot be a single None"),
        (lambda: ms.vmap(ops.sin, 0, None), "cannot be a single None"),
        (lambda: ms.vmap(3), "must be a 'Function' or 'Cell'"),
        (lambda: ms.vmap(ops.sin, True), "ints or None"),
        (lambda: ms.vmap(ops.sin, "a"), "ints or None"),
        (lambda: ms.vmap(ops.sin, 4)(X), "out of range for 2 dimensions"),
        (lambda: ms.vmap(ops.sin, 0, 4)(X), "out_axes 4"),
        (lambda: ms.vmap(ops.add)(X, X.T), "one length, but differ: 5"),
        (lambda: ms.vmap(ops.add, (0,))(X, X), "entry for each of the 2"),
        (lambda: ms.vmap(ops.add, (None, None))(X, X), "nothing to map over"),
        (lambda: ms.vmap(ops.mul)(X, 2), "no tensor: give None"),
        (lambda: ms.vmap(ops.sin, 0, (None,))(X), "out_axes"),
        (lambda: ms.vmap(lambda x: (x, x), 0, (0, None))(X), "differs from row to row"),
        (lambda: ms.vmap(nn.CellList([nn.ReLU()])), "two Cells or more"),
        (lambda: ms.vmap(nn.CellList([nn.ReLU(), nn.ReLU()]))(X), "number of Cells"),
    ],
)
def test_axes_that_do_not_fit(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        make()


def test_vmap_of_vmap_in_jit_and_of_gradients() -> None:
    outer = ms.vmap(ms.vmap(lambda a, b: a * b, (None, 0)), (0, None))
    a, b = Tensor([1.0, 2.0]), Tensor([3.0, 4.0, 5.0])
    np.testing.assert_array_equal(outer(a, b).asnumpy(), np.outer(a.asnumpy(), b.asnumpy()))
    inside = ms.jit(lambda a, b: outer(a, b).sum() + ms.vmap(lambda x: x * x)(a).sum())
    assert float(inside(a, b)) == 36 + 5
    per_sample = ms.vmap(ms.grad(lambda w, x, y: ops.square((w * x).sum() - y), 0), (None, 0, 0))
    w, y = Tensor([1.0, -1.0, 0.5, 2.0]), Tensor([1.0, 2.0, 3.0, 4.0, 5.0])
    residual = X.asnumpy() @ w.asnumpy() - y.asnumpy()
    np.testing.assert_allclose(per_sample(w, X, y).asnumpy(), 2 * residual[:, None] * X.asnumpy(), rtol=1e-4)
    second = ms.vmap(ms.grad(ms.grad(lambda x: (x**3).sum())))(a)
    np.testing.assert_allclose(second.asnumpy(), [6.0, 12.0])


class Layer(nn.Cell):
    def __init__(self, size: int = 3) -> None:
        super().__init__()
        self.dense = nn.Dense(4, size)
        self.norm = nn.LayerNorm((size,))

    def construct(self, x: Tensor) -> Tensor:
        return ops.relu(self.norm(self.dense(x)))


def test_cells_and_weights() -> None:
    layer = Layer()
    batch = Tensor(GENERATOR.normal(size=(5, 2, 4)).astype(np.float32))
    np.testing.assert_allclose(ms.vmap(layer)(batch).asnumpy(), layer(batch).asnumpy(), rtol=1e-5, atol=1e-6)
    weights = layer.trainable_params()
    each = ms.vmap(ms.grad(lambda x: layer(x).sum(), None, weights))(batch)
    for row in range(5):
        expected = ms.grad(lambda x: layer(x).sum(), None, weights)(batch[row])
        for found, want in zip(each, expected, strict=True):
            np.testing.assert_allclose(found[row].asnumpy(), want.asnumpy(), rtol=1e-4, atol=1e-5)


def test_ensembles_of_cells() -> None:
    cells = nn.CellList([Layer() for _ in range(3)])
    shared = ms.vmap(cells, None)
    expected = np.stack([cell(X).asnumpy() for cell in cells])
    np.testing.assert_allclose(shared(X).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    assert nodes_of(shared, X).count("matmul") == 1
    batch = Tensor(GENERATOR.normal(size=(3, 2, 4)).astype(np.float32))
    expected = np.stack([cell(batch[row]).asnumpy() for row, cell in enumerate(cells)])
    np.testing.assert_allclose(ms.vmap(cells, 0)(batch).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    with ms.disable_jit():
        np.testing.assert_allclose(ms.vmap(cells, 0)(batch).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    weights = cells.trainable_params()
    found = ms.grad(lambda x: (shared(x) ** 2).sum(), None, weights)(X)
    want = ms.grad(lambda x: sum((cell(x) ** 2).sum() for cell in cells), None, weights)(X)
    for one, other in zip(found, want, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-4, atol=1e-5)


def test_cells_of_an_ensemble_may_differ() -> None:
    class Scale(nn.Cell):
        def __init__(self, by: float) -> None:
            super().__init__()
            self.by = by

        def construct(self, x: Tensor) -> Tensor:
            return x * self.by

    assert ms.vmap([Scale(1.0), Scale(3.0)], None)(Tensor(2.0)).asnumpy().tolist() == [2.0, 6.0]


def test_statistics_of_an_ensemble() -> None:
    cells = nn.CellList([nn.BatchNorm1d(4, momentum=0.5) for _ in range(2)])
    cells.set_train()
    batch = Tensor(GENERATOR.normal(size=(2, 6, 4)).astype(np.float32))
    ms.vmap(cells)(batch)
    for cell, rows in zip(cells, batch.asnumpy(), strict=True):
        np.testing.assert_allclose(cell.moving_mean.asnumpy(), rows.mean(0) / 2, rtol=1e-4, atol=1e-6)


def test_updates() -> None:
    count = Parameter(Tensor(0.0), name="count")

    def f(x: Tensor) -> Tensor:
        count.set_data(count + 1)
        return x * count

    assert ms.vmap(f)(Tensor([1.0, 2.0])).asnumpy().tolist() == [1.0, 2.0]
    assert float(count) == 1.0

    def g(x: Tensor) -> Tensor:
        count.set_data(count + x)
        return x

    with pytest.raises(RuntimeError, match="count has no mapped axis"):
        ms.vmap(g)(Tensor([1.0, 2.0]))
    assert float(count) == 1.0


@pytest.mark.parametrize("way", ["compiled", "op by op"])
def test_rows_updated_in_place(way: str) -> None:
    def f(x: Tensor, y: Tensor) -> Tensor:
        x += y.sum()
        return x * 2

    batch, other = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([5.0, 6.0])
    with ms.disable_jit() if way == "op by op" else contextlib.nullcontext():
        found = ms.vmap(f, (1, None), 1)(batch, other)
    assert found.asnumpy().tolist() == [[24.0, 26.0], [28.0, 30.0]]
    assert batch.asnumpy().tolist() == [[12.0, 13.0], [14.0, 15.0]]
    assert other.asnumpy().tolist() == [5.0, 6.0]


def test_each_row_draws_its_own_numbers() -> None:
    ms.set_seed(1)
    drop = nn.Dropout(p=0.5).set_train()
    batch = ops.ones((6, 64), ms.float32)
    masks = ms.vmap(drop)(batch).asnumpy()
    assert len({row.tobytes() for row in masks}) == 6
    assert set(np.unique(masks)) == {0.0, 2.0}
    draws = ms.vmap(lambda x: x * 0 + ops.standard_normal((100,)))(Tensor([1.0, 2.0, 3.0])).asnumpy()
    assert abs(np.corrcoef(draws)[0, 1]) < 0.4
    below = ms.vmap(lambda low, high: ops.uniform((50,), low, high))(Tensor([0.0, 10.0]), Tensor([1.0, 20.0])).asnumpy()
    assert below[0].max() < 1 < 10 <= below[1].min()


def test_printing_goes_row_by_row(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Tensor) -> Tensor:
        print("first", x)
        print("second")
        return x + 1

    assert ms.vmap(f)(Tensor([1, 2])).asnumpy().tolist() == [2, 3]
    words = capsys.readouterr().out.split()
    assert words == ["first", "1", "second", "first", "2", "second"]


def test_numbers_read_on_the_way_run_the_rows_one_by_one() -> None:
    def f(x: Tensor) -> Tensor:
        return x * float(x.asnumpy().sum())

    with pytest.warns(UserWarning, match="runs eagerly"):
        found = ms.vmap(f)(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert found.asnumpy().tolist() == [[3.0, 6.0], [21.0, 28.0]]


def test_sizes_that_only_a_row_knows() -> None:
    def positive_sum(x: Tensor) -> Tensor:
        return ops.masked_select(x, x > 1).sum() + ops.unique(x)[0].sum()

    assert ms.vmap(positive_sum)(Tensor([[1.0, 0.0], [2.0, 2.0]])).asnumpy().tolist() == [1.0, 6.0]
    with pytest.warns(UserWarning, match="sizes may differ from row to row"):
        found = ms.vmap(lambda x: ops.nonzero(x)[:, 0])(Tensor([[1, 0], [0, 3]]))
    assert found.asnumpy().tolist() == [[0], [1]]
    ragged = ms.vmap(lambda x: ops.nonzero(x)[:, 0])
    with (
        pytest.warns(UserWarning, match="sizes may differ"),
        pytest.raises(RuntimeError, match="should have one shape"),
    ):
        ragged(Tensor([[1, 0], [2, 3]]))


def test_custom_gradients_and_recomputation() -> None:
    class Clipped(nn.Cell):
        def construct(self, x: Tensor, w: Tensor) -> Tensor:
            return x * w

        def bprop(self, x: Tensor, w: Tensor, out: Tensor, dout: Tensor) -> Any:
            return dout * 10, (dout * x).sum() * 100

    cell = Clipped()
    a, w = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor(2.0)
    mapped = ms.vmap(cell, (0, None))
    dx, dw = ms.grad(lambda a, w: mapped(a, w).sum(), (0, 1))(a, w)
    assert dx.asnumpy().tolist() == [[10.0, 10.0], [10.0, 10.0]]
    assert float(dw) == 1000.0

    block = Layer()
    plain = ms.vmap(ms.grad(lambda x: block(x).sum()))(X).asnumpy()
    block.recompute()
    np.testing.assert_allclose(ms.vmap(ms.grad(lambda x: block(x).sum()))(X).asnumpy(), plain, rtol=1e-5, atol=1e-6)


def test_convolution_nets_per_sample() -> None:
    net = nn.SequentialCell(nn.Conv2d(2, 3, 3), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(12, 2))
    images = Tensor(GENERATOR.normal(size=(3, 1, 2, 4, 4)).astype(np.float32))
    weights = net.trainable_params()

    def gradients(x: Tensor) -> Any:
        return ms.grad(lambda x: (net(x) ** 2).sum(), None, weights)(x)

    each = ms.vmap(gradients)(images)
    for row in range(3):
        for found, want in zip(each, gradients(images[row]), strict=True):
            np.testing.assert_allclose(found[row].asnumpy(), want.asnumpy(), rtol=1e-3, atol=1e-4)


def test_looking_inside() -> None:
    square = ms.vmap(lambda x: x * x)
    assert square(X).shape == X.shape
    assert "multiply" in str(square.stages(X).program)
    assert "1 trace" in str(square.explain())
    assert square.profile(X).lines[0].seconds > 0
    assert "vmap of" in repr(square)
