"""Cells that are made inside compiled code: constants of the graph, as in MindSpore."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.common.initializer import Sparse
from mycel.frontend.control_flow import moving

X = np.array([[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]], np.float32)


class Scale(nn.Cell):
    """One Parameter."""

    def __init__(self, factor: float = 2.0) -> None:
        super().__init__()
        self.w = Parameter(Tensor([factor]), name="w")

    def construct(self, x: Any) -> Any:
        """Scaled."""
        return x * self.w


class Ones(nn.Cell):
    """A layer made in construct."""

    def construct(self, x: Any) -> Any:
        """Sums of rows."""
        return nn.Dense(3, 1, weight_init="ones", bias_init="zeros")(x)


@pytest.fixture(autouse=True)
def _no_fallback() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error", ms.FallbackWarning)
        yield


def test_a_cell_made_in_a_compiled_function() -> None:
    @ms.jit
    def function(x: Tensor) -> Tensor:
        return nn.SequentialCell(Scale(3.0), nn.ReLU())(x - 2)

    x = Tensor(X)
    np.testing.assert_allclose(function(x).asnumpy(), np.maximum(X - 2, 0) * 3)
    np.testing.assert_allclose(ms.grad(function)(x).asnumpy(), (X > 2) * 3.0)


def test_it_is_made_once_for_each_graph() -> None:
    made = []

    class Counted(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)
            self.dense = nn.Dense(3, 2)

        def construct(self, x: Any) -> Any:
            return self.dense(x)

    @ms.jit
    def function(x: Tensor) -> Tensor:
        net = Counted()
        return net(x) + net(x)

    first = function(Tensor(X)).asnumpy()
    np.testing.assert_array_equal(function(Tensor(X)).asnumpy(), first)
    assert len(made) == len(function.explain().traces) == 1
    function(Tensor(X[:1]))
    assert len(made) == 2


@pytest.mark.parametrize("make", [
    lambda: nn.Dense(3, 2, weight_init="normal"), lambda: nn.Dense(3, 2, weight_init=Sparse(0.5)),
    lambda: nn.RNNCell(3, 2), lambda: nn.RNNCell(2, 3), lambda: nn.LSTM(3, 2),  # the second draws an odd number
])  # fmt: skip
def test_initial_values_are_constants_and_other_draws_are_not(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "is_alone", lambda: True)  # threads that other tests have left do not draw
    state = np.random.get_state()

    @ms.jit
    def function(x: Tensor) -> Tensor:
        make()
        return x + 1

    @ms.jit
    def drawing(x: Tensor) -> Tensor:
        make()
        number = np.random.rand()
        make()
        return x + number

    @ms.jit
    def reading(x: Tensor) -> Tensor:
        make()
        number = float(x.asnumpy().sum()) + np.random.rand()
        make()
        return x + number

    function(Tensor(X))
    assert len(function.explain().traces) == 1
    for run, why in ((drawing, "draws from a random generator"), (reading, "asnumpy")):
        np.random.set_state(state)
        with pytest.warns(ms.FallbackWarning, match=why):
            run(Tensor(X))
        after = np.random.randn()
        np.random.set_state(state)
        make()
        np.random.rand()
        make()
        assert np.random.randn() == after


def test_a_layer_made_in_construct() -> None:
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Ones()
        for _ in range(2):
            assert net(Tensor(X)).asnumpy().tolist() == [[8], [13]]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert net(Tensor(X)).asnumpy().tolist() == [[8], [13]]


def test_cells_made_in_a_loop_are_different_ones() -> None:
    @ms.jit
    def function(x: Tensor) -> Tensor:
        for number in range(6):
            x = Scale(float(number + 1))(x)
        return x

    assert function(Tensor([1.0])).item() == 720


def test_a_cell_made_with_arguments_that_are_cells() -> None:
    inner = Scale(5.0)

    @ms.jit
    def function(x: Tensor) -> Tensor:
        return nn.SequentialCell([inner, nn.ReLU()])(x)

    assert function(Tensor([2.0])).item() == 10
    inner.w.set_data(Tensor([7.0]))
    assert function(Tensor([2.0])).item() == 14


def test_plain_python_makes_a_new_cell_in_each_call() -> None:
    """Under a gradient outside of graph mode the code is Python: it falls back, and says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ms.FallbackWarning)
        assert ms.grad(Ones())(Tensor(X)).asnumpy().tolist() == [[1, 1, 1], [1, 1, 1]]
    with pytest.warns(ms.FallbackWarning, match="each call makes a new Dense with Parameters of its own"):
        ms.grad(Ones())(Tensor(X))


def test_a_cell_made_of_a_traced_tensor_falls_back() -> None:
    @ms.jit
    def function(x: Tensor) -> Tensor:
        return Scale(x.sum())(x)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ms.FallbackWarning)
        assert function(Tensor([3.0])).asnumpy().tolist() == [9]


def test_a_parameter_alone_is_refused() -> None:
    @ms.jit
    def function(x: Tensor) -> Tensor:
        return ops.mul(x, Parameter(Tensor([1.0]), name="p"))

    with pytest.raises(ValueError, match="creating a Parameter is not supported"):
        function(Tensor([1.0]))


def test_an_attribute_may_be_given_the_cell_that_it_holds() -> None:
    class Router(nn.Cell):
        """As in libraries that cast a layer whenever they call it."""

        def __init__(self) -> None:
            super().__init__()
            self.classifier = Scale()

        def construct(self, x: Tensor) -> Tensor:
            self.classifier = self.classifier.to_float(ms.float32)
            return self.classifier(x)

    net = Router()
    assert ms.jit(net.construct, fullgraph=True)(Tensor([3.0])).asnumpy().tolist() == [6]
