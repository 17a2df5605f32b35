"""Dropped functions are freed at once, with their graphs, Parameters and arenas, without Python's garbage collector."""

from __future__ import annotations

import gc
import linecache
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import nn
from mycel.frontend.source.template import is_converted, template_of

X, Y = ms.Tensor(np.ones((2, 8), np.float32)), ms.Tensor(np.ones((2, 4), np.float32))


@pytest.fixture(autouse=True)
def _no_collector() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Counting(nn.Cell):
    """A Cell that writes an attribute of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(8, 4)
        self.last = ms.Tensor(0.0)

    def construct(self, x: Any) -> Any:
        found = self.dense(x).sum()
        if found > 100:
            found = found * 2
        self.last = found
        return found


def one_step(optimizer: Callable[..., Any], net: Any = None) -> list[Any]:
    net = net or nn.Dense(8, 4)
    made = optimizer(net.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), made)
    step(X, Y)
    step(X, Y)
    return [made, step]


def a_model() -> list[Any]:
    net = nn.Dense(8, 4)
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    model = ms.Model(net, nn.MSELoss(), optimizer)
    data = ms.dataset.NumpySlicesDataset({"x": np.ones((4, 8), np.float32), "y": np.ones((4, 4), np.float32)}).batch(2)
    model.train(2, data)
    return [net, optimizer, model]


def an_optimizer() -> list[Any]:
    net = nn.Dense(8, 4)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    optimizer(tuple(map(ms.ops.ones_like, optimizer.parameters)))
    return [net, optimizer, optimizer.moments[0]]


def a_jitted() -> list[Any]:
    net = nn.Dense(8, 4)
    f = ms.jit(lambda x: net(x).sum())
    f(X)
    f(X)
    return [net, f, net.weight]


def a_gradient() -> list[Any]:
    net = nn.Dense(8, 4)
    f = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    f(X)
    return [net, f, net.weight]


def a_method() -> list[Any]:
    class Model:
        def __init__(self) -> None:
            self.w = ms.Parameter(ms.ops.ones(8), name="w")

        @ms.jit
        def run(self, x: Any) -> Any:
            return x * self.w

    model = Model()
    model.run(X)
    return [model, model.w]


def a_cell() -> list[Any]:
    cell = Counting()
    cell.compile_and_run(X)
    cell.compile_and_run(X)
    return [cell, cell.dense, cell.dense.weight]


def a_batched() -> list[Any]:
    net = nn.Dense(8, 4)
    f = ms.vmap(net)
    f(X)
    return [net, f]


MAKERS = {
    "SGD": lambda: one_step(nn.SGD),
    "Momentum": lambda: one_step(lambda parameters, rate: nn.Momentum(parameters, rate, 0.9)),
    "Adam": lambda: one_step(nn.Adam),
    "model": a_model,
    "optimizer": an_optimizer,
    "jit": a_jitted,
    "gradient": a_gradient,
    "method": a_method,
    "cell": a_cell,
    "vmap": a_batched,
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_what_has_been_compiled_goes_with_the_last_reference(make: Callable[[], list[Any]]) -> None:
    gone = [weakref.ref(item) for item in make()]
    assert [reference() for reference in gone] == [None] * len(gone)


def test_a_replaced_optimizer_frees_its_moments() -> None:
    net = nn.Dense(8, 4)
    gone = []
    for _ in range(8):
        made = one_step(nn.Adam, net)
        gone += [weakref.ref(item) for item in (*made, *made[0].moment1, *made[0].moment2)]
        del made
    assert not [reference() for reference in gone if reference() is not None]


def test_programs_that_are_gone_are_forgotten_by_linecache() -> None:
    def programs() -> int:
        return sum(name.startswith("<mycel here_only") for name in linecache.cache)

    def here_only(x: Any) -> Any:
        return x * 3 + 1

    f = ms.jit(here_only)
    f(X)
    assert programs() == 1
    del f
    assert programs() == 0


def test_the_code_and_texts_of_functions_that_are_gone_are_freed() -> None:
    file = "<here only>"
    text = "def here_alone(x):\n    return (lambda y: y * 3)(x) + 1\n"

    def texts() -> int:
        return sum("dispatch of here_alone" in name for name in linecache.cache)

    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names: dict[str, Any] = {}
    exec(compile(text, file, "exec"), names)
    code = names["here_alone"].__code__
    converted: Any = weakref.ref(template_of(names["here_alone"]).code)  # type: ignore[arg-type]
    f = ms.jit(names.pop("here_alone"))
    f(X)
    f(X)
    assert is_converted(converted())
    assert not is_converted(code)
    assert texts() == 1
    del f, code, linecache.cache[file]
    assert converted() is None
    assert texts() == 0


def test_a_graph_is_kept_by_what_still_runs_it() -> None:
    run = ms.jit(lambda x: x + 1)
    called = run.__call__
    del run
    assert (called(X).asnumpy() == 2).all()
    gradient = ms.grad(lambda x: (x * x).sum()).__call__
    assert (gradient(X).asnumpy() == 2).all()
    assert ms.grad(ms.grad(lambda x: x * x * x))(ms.Tensor(2.0)).asnumpy() == 12


@pytest.mark.usefixtures("collects_own")
def test_a_compilation_leaves_nothing_to_the_collector() -> None:
    net = nn.SequentialCell(nn.Dense(8, 4), nn.LayerNorm((4,)), nn.ReLU())

    def loss(x: Any, y: Any) -> Any:
        found = ((net(x) - y) ** 2).mean(1)
        if found.max() > 2:
            found = ms.ops.cumsum(found, 0) / 2
        for row in range(50):
            found = found * 0.9 + row
        return found.sum()

    def compiled() -> Any:
        step = ms.jit(ms.value_and_grad(loss, None, net.trainable_params()))
        step(X, Y)
        return step

    compiled()  # what is made once
    gc.collect()
    kept = compiled()
    assert gc.collect() < 100
    assert kept


@pytest.mark.parametrize("frozen", [False, True])
def test_the_collector_does_not_visit_what_a_compilation_has_made(frozen: bool) -> None:
    code = f"""
import gc
import mycel as ms
assert gc.isenabled()
if {frozen}:
    gc.freeze()
f = ms.jit(lambda x: (x * 2).sum())
x = ms.Tensor([1.0])
seen = []
gc.set_threshold(200)
gc.collect(0)  # what was made before would have the collector called in f
gc.callbacks.append(lambda phase, info: seen.append(info["generation"]))
f(x)
gc.callbacks.clear()
assert gc.isenabled() and bool(gc.get_freeze_count()) == {frozen}
assert bool(seen) == {frozen}, seen
"""
    subprocess.run([sys.executable, "-c", code], check=True)
