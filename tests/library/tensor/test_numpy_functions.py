"""NumPy's functions and operators on tensors, and memory that is shared with arrays."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops

NUMBERS = np.array([[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]], np.float32)


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "std", "var", "prod", "amax", "amin"])
@pytest.mark.parametrize("named", [{}, {"axis": 1}, {"axis": 0, "keepdims": True}])
def test_reductions_of_numpy_take_tensors(name: str, named: dict[str, object]) -> None:
    found = getattr(np, name)(Tensor(NUMBERS), **named)
    np.testing.assert_allclose(np.asarray(found), getattr(np, name)(NUMBERS, **named), rtol=1e-5)


def test_numpy_gives_a_dtype_and_a_correction() -> None:
    assert np.sum(Tensor([1, 2], ms.int32), dtype=np.float64).dtype is ms.float64  # type: ignore[attr-defined]
    np.testing.assert_allclose(np.asarray(np.std(Tensor(NUMBERS), axis=1, ddof=1)), NUMBERS.std(1, ddof=1), rtol=1e-5)
    assert bool(np.all(Tensor([True, True])))
    assert not np.any(Tensor([False, False]))
    with pytest.raises(TypeError, match="'out' should be None"):
        np.sum(Tensor(NUMBERS), axis=0, out=np.zeros(3, np.float32))


def test_an_array_before_a_tensor_gives_an_array() -> None:
    x = Tensor(NUMBERS)
    numbers = NUMBERS.copy()
    for found in (numbers == x, numbers < x, numbers + x, numbers * x, numbers @ x.T):
        assert type(found) is np.ndarray
    assert np.all(numbers == x)
    assert not (numbers != x).any()
    assert isinstance(x + NUMBERS, Tensor)
    assert isinstance(np.float32(2) * x, Tensor)
    array = NUMBERS.copy()
    array -= x
    assert not array.any()
    assert type(np.exp(x)) is np.ndarray


def test_an_array_before_a_tensor_in_a_graph_gives_a_tensor() -> None:
    numbers = NUMBERS.copy()

    def function(x: Tensor) -> Tensor:
        return (numbers * x).sum() + ops.cast(numbers > x, ms.float32).sum()

    x = Tensor(NUMBERS * 0 + 2)
    for run in (ms.grad(function), ms.jit(ms.grad(function))):
        np.testing.assert_allclose(run(x).asnumpy(), NUMBERS)
    assert ms.jit(function)(x).item() == 46


def test_numpy_functions_of_traced_tensors_are_named() -> None:
    with pytest.raises(ms.GraphError, match=r"numpy\.exp\(\) of a traced tensor needs its numbers"):
        ms.jit(lambda x: Tensor(np.exp(x)), fullgraph=True)(Tensor(NUMBERS))


def test_from_numpy_shares_memory() -> None:
    array = np.zeros(3, np.float32)
    x = Tensor.from_numpy(array)
    array[0] = 7
    assert x.asnumpy().tolist() == [7, 0, 0]
    x[1] = 5
    assert array.tolist() == [7, 5, 0]
    assert ms.jit(lambda x: x * 2)(x).asnumpy().tolist() == [14, 10, 0]
    array[2] = 1
    assert ms.jit(lambda x: x * 2)(x).asnumpy().tolist() == [14, 10, 2]
    copied = ms.from_numpy(np.zeros((2, 4), np.float32)[:, ::2])
    assert copied.shape == (2, 2)


@pytest.mark.parametrize("compiled", [False, True])
def test_an_update_in_place_reaches_the_array_and_no_other_tensor(compiled: bool) -> None:
    def update(x: Tensor) -> tuple[Tensor, Tensor]:
        turned, first = x.T, x.copy()
        x += 1
        x[0] = 7
        return turned, first

    for call in [ms.jit(update)] * 3 if compiled else [update]:
        array = np.arange(6, dtype=np.float32).reshape(3, 2)
        x, other = Tensor.from_numpy(array), Tensor.from_numpy(array)
        assert [part.asnumpy().tolist() for part in call(x)] == [[[0, 2, 4], [1, 3, 5]], [[0, 1], [2, 3], [4, 5]]]
        assert array.tolist() == x.tolist() == other.tolist() == [[7, 7], [3, 4], [5, 6]]
        array[1] = 0
        assert x[1].tolist() == [0, 0]


def test_an_axis_by_place_means_numpys_in_graphs() -> None:
    """`x.max(1)` is a pair outside of graphs and the largest elements inside, in MindSpore as here."""
    x = Tensor(NUMBERS)

    def by_place(x: Tensor) -> object:
        return x.max(1), x.min(0, True)

    def by_name(x: Tensor) -> object:
        return x.max(1, keepdim=True), x.min(axis=0), x.max(axis=1, return_indices=True)

    (values, positions), (least, _) = by_place(x)
    assert (values.asnumpy().tolist(), positions.asnumpy().tolist(), least.shape) == ([5, 6], [1, 2], (1, 3))
    largest, smallest = ms.jit(by_place)(x)
    assert (largest.asnumpy().tolist(), smallest.asnumpy().tolist()) == ([5, 6], [[1, 3, 2]])
    for run in (by_name, ms.jit(by_name)):
        pair, alone, both = run(x)
        assert (len(pair), alone.shape, len(both)) == (2, (3,), 2)

    def differentiated(x: Tensor) -> Tensor:
        return x.max(1)[0].sum()

    assert ms.grad(differentiated)(x).asnumpy().sum() == 2  # Python, which takes the pair's values
    assert ms.grad(ms.jit(differentiated))(x).asnumpy().sum() == 1  # a graph, which takes the first of the largest
