"""Functions over functions and containers: HyperMap, Map, MultitypeFuncGraph, partial, clipping, loops as functions."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, ParameterTuple, Tensor, nn, ops

Point = namedtuple("Point", "x y")


def double(x):
    return x * 2


@pytest.mark.parametrize("run", [lambda function: function, ms.jit])
def test_hyper_map_goes_into_containers_and_keeps_their_kind(run):
    @run
    def function(x):
        return ops.HyperMap()(double, [x, (x + 1, {"a": x + 2}), Point(x, 3)])

    result = function(Tensor([1.0]))
    first, (second, inner), point = result
    assert isinstance(result, list)
    assert [t.asnumpy().item() for t in (first, second, inner["a"], point.x)] == [2, 4, 6, 2]
    assert point.y == 6


def test_map_hands_inner_containers_over_whole():
    assert ops.Map()(lambda pair: pair[0] * 10, ((1, 2), (3, 4))) == (10, 30)
    assert ops.Map()(lambda a, b: a + b, [1, 2], [3, 4]) == [4, 6]


def test_reverse_takes_items_from_the_last():
    seen = []
    assert ops.HyperMap(reverse=True)(lambda x: seen.append(x) or x, (1, 2, 3)) == (1, 2, 3)
    assert seen == [3, 2, 1]


@pytest.mark.parametrize("run", [lambda function: function, ms.jit])
def test_functions_with_control_flow_on_tensors(run):
    def shrink(limit, x):
        if x.sum() > limit:
            return x / 2
        return x

    @run
    def function(x, y):
        return ops.HyperMap()(ops.partial(shrink, 3.0), (x, y))

    small, large = function(Tensor([1.0, 1.0]), Tensor([4.0, 4.0]))
    assert small.asnumpy().tolist() == [1, 1]
    assert large.asnumpy().tolist() == [2, 2]


def test_gradient_through_a_hyper_map():
    def function(x, y):
        squares = ops.HyperMap()(lambda a, b: a * b, (x, y), (x, x))
        return squares[0].sum() + squares[1].sum()

    dx, dy = ms.grad(function, (0, 1))(Tensor([2.0]), Tensor([3.0]))
    assert (dx.asnumpy().item(), dy.asnumpy().item()) == (7, 2)


def test_errors_of_maps():
    with pytest.raises(RuntimeError, match="same length"):
        ops.HyperMap()(lambda a, b: a, (1, 2), (1,))
    with pytest.raises(TypeError, match="MultitypeFuncGraph"):
        ops.HyperMap(double)
    with pytest.raises(RuntimeError, match="argument 1 should be a sequence"):
        ops.Map()(lambda a, b: a, (1, 2), 3)


kind = ops.MultitypeFuncGraph("kind")
for _name in ("Number", "Int", "Float", "Bool", "Tensor", "String", "Tuple", "List", "Dictionary", "None"):
    kind.register(_name)(lambda value, name=_name: name)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, "Int"),
        (1.5, "Float"),
        (True, "Bool"),
        (1j, "Number"),
        ("a", "String"),
        ((1,), "Tuple"),
        ([1], "List"),
        ({}, "Dictionary"),
        (None, "None"),
        (ms.mutable(3), "Int"),
        (Tensor([1.0]), "Tensor"),
        (Parameter(Tensor([1.0]), "p"), "Tensor"),
    ],
)
def test_dispatch_on_the_kind_of_value(value, expected):
    assert kind(value) == expected


def test_dispatch_in_a_graph_on_tensors_and_numbers():
    join = ops.MultitypeFuncGraph("join")
    join.register("Tensor", "Number")(lambda a, b: a * b)
    join.register("Number", "Tensor")(lambda a, b: a - b)
    run = ms.jit(lambda x: (join(x, 2), join(2, x)))
    assert [t.asnumpy().item() for t in run(Tensor([3.0]))] == [6, -1]
    with pytest.raises(ValueError, match=r"cannot find fn match given args, of types \(Tensor, Tensor\)"):
        join(Tensor([1.0]), Tensor([1.0]))
    with pytest.raises(ValueError, match="no type name"):
        join.register("Sausage")


def test_a_single_implementation_takes_anything():
    only = ops.MultitypeFuncGraph("only")
    only.register("Number", "Number")(lambda a, b: a + b)
    assert only(Tensor([1.0]), Tensor([2.0])).asnumpy().item() == 3
    with pytest.raises(ValueError, match="cannot find fn match"):
        only(1)


def test_updates_of_parameters_through_a_hyper_map():
    update = ops.MultitypeFuncGraph("update")

    @update.register("Number", "Tensor", "Tensor")
    def _(rate, parameter, gradient):
        return ops.depend(True, ops.assign_sub(parameter, gradient * rate))

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Parameter(Tensor([1.0]), name="a")
            self.b = Parameter(Tensor([2.0]), name="b")
            self.all = ParameterTuple([self.a, self.b])
            self.map = ops.HyperMap()

        def construct(self, gradients):
            return self.map(ops.partial(update, 0.5), self.all, gradients)

    net = Net()
    assert ms.jit(net)((Tensor([1.0]), Tensor([2.0]))) == (True, True)
    assert (net.a.asnumpy().item(), net.b.asnumpy().item()) == (0.5, 1.0)


def test_clip_by_global_norm():
    x, y = Tensor([3.0, 0.0]), Tensor([[4.0]])
    clipped = ops.clip_by_global_norm([x, y], 1.0)
    assert isinstance(clipped, list)
    assert np.allclose(clipped[0].asnumpy(), [0.6, 0])
    assert np.allclose(clipped[1].asnumpy(), [[0.8]])
    same = ops.clip_by_global_norm((x, y), 10.0)
    assert np.allclose(same[1].asnumpy(), 4)
    half = ops.clip_by_global_norm((ops.cast(x, ms.float16),), 1.0)[0]
    assert half.dtype == ms.float16
    with pytest.raises(ValueError, match="positive"):
        ops.clip_by_global_norm((x,), 0)
    with pytest.raises(TypeError, match="tuple or list"):
        ops.clip_by_global_norm(x)


def test_clip_by_norm():
    x = Tensor([3.0, 4.0])
    assert np.allclose(ops.clip_by_norm(x, 1.0).asnumpy(), [0.6, 0.8], atol=1e-5)
    assert np.allclose(ops.clip_by_norm([x], 1.0, 1.0)[0].asnumpy(), np.array([3, 4]) / 7, atol=1e-5)
    assert np.allclose(ops.clip_by_norm(x, 2.0, float("inf")).asnumpy(), [1.5, 2.0], atol=1e-5)
    with pytest.raises(RuntimeError, match="neither a number nor finite"):
        ops.clip_by_norm(Tensor([float("inf")]), 1.0, error_if_nonfinite=True)


@pytest.mark.parametrize("run", [lambda function: function, ms.jit])
def test_loops_as_functions(run):
    @run
    def function(x):
        grown = ops.WhileLoop()(lambda v: v.sum() < 10, lambda v: v * 2, x)
        total = ops.ForiLoop()(0, 3, lambda i, v: v + i, x)
        last, outputs = ops.Scan()(lambda v, item: (v + item, v), x, [1, 2])
        return grown, total, last, outputs

    grown, total, last, outputs = function(Tensor([1.0]))
    assert [t.asnumpy().item() for t in (grown, total, last, *outputs)] == [16, 4, 4, 1, 2]


def test_constexpr_partial_tail():
    @ops.constexpr
    def pair(n):
        return [i for i in range(n) if i % 2]

    assert ms.jit(lambda x: x + len(pair(5)))(Tensor([1.0])).asnumpy().item() == 3
    assert ops.partial(lambda a, b: a - b, 10)(3) == 7
    assert ops.tail((1, 2, 3)) == (2, 3)
    with pytest.raises(TypeError, match="function first"):
        ops.partial(3)
    with pytest.raises(ValueError, match="empty"):
        ops.tail(())


def test_scan_is_a_loop_of_the_graph() -> None:
    """Over rows of a tensor, over tensors of a list and without items: the outputs are a list, and gradients agree."""
    x = Tensor(np.random.default_rng(0).standard_normal((40, 3)).astype(np.float32))

    def over_rows(x: Tensor) -> Tensor:
        def step(state: tuple[Tensor, Tensor], row: Tensor) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
            value, total = state
            return (value * 0.5 + row, total + row.sum()), (value * row, total)

        (last, total), outputs = ops.Scan()(step, (x[0], x.sum()), x)
        assert isinstance(outputs, list)
        assert len(outputs) == 40
        return (last**2).sum() + ops.stack([output[0] for output in outputs]).mean() + outputs[3][1] + total

    def without_items(x: Tensor) -> Tensor:
        last, outputs = ops.Scan()(lambda v, item: (v * 0.9, item), x, None, 40)
        assert outputs == [None] * 40
        return (last**2).sum()

    def over_a_list(x: Tensor) -> Tensor:
        last, outputs = ops.Scan()(lambda v, item: (v * item, v + item), x[0], [x[i] for i in range(30)])
        return (last + outputs[7] * outputs[-1]).sum()

    for function in (over_rows, without_items, over_a_list):
        compiled = ms.jit(ms.value_and_grad(function), fullgraph=True)
        value, gradient = ms.value_and_grad(function)(x)
        found, found_gradient = compiled(x)
        np.testing.assert_allclose(found.asnumpy(), value.asnumpy(), rtol=1e-5)
        np.testing.assert_allclose(found_gradient.asnumpy(), gradient.asnumpy(), rtol=1e-4, atol=1e-6)
        step = np.zeros((40, 3), np.float32)
        step[0, 1] = 1e-2
        slope = (function(x + Tensor(step)) - function(x - Tensor(step))).item() / 2e-2
        np.testing.assert_allclose(found_gradient.asnumpy()[0, 1], slope, rtol=1e-2, atol=1e-2)
        assert len(ms.jit(function).stages(x).forward.nodes) < 40 or function is over_a_list
