"""A value has one name in every stage, from the trace to the program."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from name_agreement import defined, disagreements, names

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.compiler.ir.graph import walk
from mycel.runtime.machine.executable import unavailable


class Net(nn.Cell):
    """Two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.fc1, self.fc2 = nn.Dense(4, 8), nn.Dense(8, 3)

    def construct(self, x: Any) -> Any:
        h = ops.relu(self.fc1(x))
        return self.fc2(h)


X = Tensor(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))


def training_step() -> Any:
    net = Net()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)

    def forward(x: Any) -> Any:
        logits = net(x)
        loss = (logits * logits).sum()
        return loss

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(x: Any) -> Any:
        loss, grads = gradient(x)
        optimizer(grads)
        return loss

    return step


def test_a_value_has_one_name_in_every_stage() -> None:
    stages = training_step().stages(X)
    assert stages.backward is not None
    joint = names(stages.joint)
    assert {"x", "h", "logits", "loss", "fc1_weight", "d_fc1_weight", "d_h", "d_logits", "d_loss"} <= joint
    for graph in (stages.forward, stages.backward):
        assert names(graph) <= joint
        assert defined(str(graph)) == names(graph)
    residuals = {value.name for value in stages.backward.parameters} - {"d_loss"}
    assert residuals
    assert residuals <= names(stages.forward)
    types: dict[str, str] = {}
    for name, graph in [("joint", stages.joint), *stages.passes.items()]:
        assert defined(str(graph)) == names(graph), name
        for node in walk(graph):
            for value in node.outputs:
                assert types.setdefault(value.name, str(value.type)) == str(value.type), (name, value)


def test_what_each_pass_names_is_what_a_text_shows() -> None:
    """In a graph no two values have one name, but those of a kernel and what it gives."""
    for graph in training_step().stages(X).passes.values():
        outside = [value.name for node in graph.nodes for value in node.outputs]
        assert len(set(outside)) == len(outside)


def test_plan_and_program_have_the_names() -> None:
    stages = training_step().stages(X)
    known = names(stages.optimized)
    for buffer in stages.plan.buffers:
        assert buffer.name in known or re.sub("_(copy|scratch|sums)$", "", buffer.name) in known
    for name in ("x", "h", "logits", "loss", "d_h", "d_logits"):
        if not unavailable() or name != "logits":
            assert re.search(rf"\b{name}\b", stages.program), name


def test_names_are_the_same_each_time() -> None:
    one, other = training_step().stages(X), training_step().stages(X)
    assert str(one.joint) == str(other.joint)
    assert one.program == other.program
    assert str(one.optimized) == str(other.optimized)


@pytest.mark.parametrize("kind", ["two", "starred", "augmented", "chained", "global", "cell"])
def test_variables_of_every_kind_name_values(kind: str) -> None:
    def two(x: Any) -> Any:
        wanted, other = ops.topk(x, 2)
        return wanted * other

    def starred(x: Any) -> Any:
        wanted = helper(x)
        return wanted + 1

    def helper(x: Any) -> Any:
        return ops.tanh(x * 2)

    def augmented(x: Any) -> Any:
        wanted = ops.exp(x)
        wanted += 1
        return wanted

    def chained(x: Any) -> Any:
        wanted = other = ops.exp(x)
        return wanted * other

    def with_global(x: Any) -> Any:
        global WANTED
        wanted = ops.exp(x)
        return wanted

    def cell(x: Any) -> Any:
        wanted = ops.exp(x)
        return (lambda: wanted + 1)()

    functions = {"two": two, "starred": starred, "augmented": augmented, "chained": chained, "global": with_global}
    stages = ms.jit(functions.get(kind, cell)).stages(X)
    assert "wanted" in names(stages.joint)


def test_names_that_programs_use_themselves() -> None:
    @ms.jit
    def f(x: Any, arena: Any) -> Any:
        np = ops.exp(x)
        range = ops.tanh(np + arena)
        add = ops.matmul(range, x.T)
        kernels = ops.matmul(add, x)
        return kernels + add.sum()

    given = np.eye(4, dtype=np.float32)
    want = f.function(Tensor(given), Tensor(given))
    assert np.allclose(f(Tensor(given), Tensor(given)).asnumpy(), want.asnumpy(), rtol=1e-5)


def test_results_are_not_called_as_their_caller_calls_them() -> None:
    @ms.jit
    def f(x: Any) -> Any:
        return ops.tanh(x)

    mine = f(X)
    stages = f.stages(X)
    assert mine.shape == X.shape
    assert not {"mine", "stages"} & names(stages.joint)


def test_a_loop_that_python_unrolls_numbers_its_variable() -> None:
    @ms.jit
    def f(x: Any) -> Any:
        for _ in range(3):
            h = ops.tanh(x)
            x = x + h
        return x

    assert {"h", "h_1", "h_2", "x", "x_1", "x_2", "x_3"} <= names(f.stages(X).joint)


def test_branches_and_loops_have_the_names_of_variables() -> None:
    def f(x: Any, w: Any) -> Any:
        h = ops.tanh(x * w)
        if h.sum() > 0:
            y = h * 2
        else:
            y = h - 1
        total = y
        while total.sum() < 10:
            step = ops.exp(total) * 0.5
            total = total + step * step
        return (total * y).sum()

    x = Tensor([0.1, 0.2, 0.3])
    stages = ms.value_and_grad(f, (0, 1)).stages(x, x)
    assert stages.backward is not None
    assert {"h", "y", "y_1", "y_2", "total", "total_1", "total_2", "step", "again", "iterations"} <= names(stages.joint)
    assert {"d_h", "d_y_2", "d_total", "d_total_2", "d_step"} <= names(stages.backward)
    text = str(stages.joint)
    assert not re.search(r"%(while_loop|cond|p|row|dstate)_?\d*:", text)
    assert "then = graph then(%h: f32[3])" in text  # inside a branch, a value has the name that it has outside
    assert "total = arena.array" in stages.program
    assert disagreements(stages) == []


def test_discarded_traces_of_a_loop_leave_no_gaps_in_the_numbers() -> None:
    @ms.jit
    def f(x: Any) -> Any:
        while x.sum() < 10:
            a = x * 2
            b = x + 1
            x = a * b
        return x

    joint = names(f.stages(Tensor([1.0, 2.0])).joint)
    assert {"a", "b", "x", "x_1", "x_2"} <= joint
    assert not {"a_1", "b_1"} & joint
