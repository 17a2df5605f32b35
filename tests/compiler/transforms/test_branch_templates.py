"""Memoized derivatives of branches: a copy of the template is what differentiating the cond would have given."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from gradcheck import type_of

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, walk
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.values import Location
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.dce import eliminate_dead_code
from mycel.compiler.transforms import branch_templates, differentiate as module
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import Recorder, Symbol

X = np.array([0.3, -0.7, 1.1], np.float32)
Y = np.array([[0.2, 0.4, -0.9], [1.5, -0.1, 0.6]], np.float32)


def total(x: Symbol) -> Any:
    """The sum of all elements."""
    return ops.sum(x, axis=tuple(range(x.rank)), keepdims=False)


def random_graph(random: Random) -> Graph:
    """Conds one after the other, of which many have the same structure; each node on a line of its own."""
    recorder = Recorder("f")
    lines = iter(range(1, 10_000))
    recorder.locate = lambda: Location("program.py", next(lines))
    shapes = [random.choice((X, Y)) for _ in range(2)]
    kinds = [random.randrange(1 << 30) for _ in range(3)]
    with recorder:
        values: list[Any] = [recorder.parameter(type_of(each), f"x{k}") for k, each in enumerate(shapes)]
        for k in range(8):
            a, b = values[-1], random.choice(values)
            if random.random() < 0.3:
                a = ops.multiply(a, 0.5 + k % 2)
            kind, condition = random.choice(kinds), ops.greater(total(a), 0.1 * k)
            sides = [_side(Random(kind + side), a, b) for side in range(2)]
            found = ops.record_cond(condition, *sides)
            values += [each for each in found if each.type is values[-1].type] or [ops.multiply(total(found[0]), a)]
        return recorder.finish([values[-1], values[random.randrange(len(values))]])


def _side(random: Random, a: Symbol, b: Symbol) -> Any:
    """A branch of two outputs of the type of `a`."""

    def side(_: Any) -> list[Symbol]:
        found = [a, ops.add(total(b), a) if random.random() < 0.5 else a]
        for _ in range(random.randrange(4)):
            one = random.choice(found)
            choices = [
                lambda x: ops.tanh(x),
                lambda x: ops.multiply(x, found[0]),
                lambda x: ops.multiply(x, 0.9),
                lambda x: ops.subtract(found[-1], x),
                lambda x: ops.stop_gradient(x),
                lambda x: ops.add(ops.sum(x, axis=(x.rank - 1,), keepdims=True), x),
            ]
            found.append(random.choice(choices)(one))
        return [found[-1], random.choice(found)]

    return side


def derivative_texts(graph: Graph) -> list[str]:
    """Forward and backward, as they are printed."""
    made = differentiate(graph, [0, 1], [0, 1])
    joint = verify(made.append([0, 1]))
    for node in walk(joint):
        for each in node.subgraphs:  # whose facts are those of the template
            anew = Graph(each.name, each.parameters, each.nodes, each.outputs)
            for name in ("ops", "holders", "has_effect", "read_parameters"):
                assert getattr(each, name) == getattr(anew, name)
    assert str(parse(str(joint), ops.OPS)) == str(joint)
    return [str(made.forward), str(made.backward), str(joint)]


# Every fourth one by default, all of them among the slow tests.
@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed % 4)) for seed in range(60)])
def test_copies_are_what_differentiating_gives(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(Random(seed))
    with monkeypatch.context() as patch:
        patch.setattr(branch_templates, "branch_template", lambda *arguments: None)
        expected = derivative_texts(graph)
    for _ in range(3):  # structures are met, recorded, copied
        assert derivative_texts(graph) == expected


@pytest.mark.parametrize("seed", range(20))
def test_branches_without_dead_code_stay(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(Random(seed))
    joint = differentiate(graph, [0, 1], [0, 1]).append([0, 1])
    found = str(verify(eliminate_dead_code(joint)))
    monkeypatch.setattr(Graph, "read_parameters", property(lambda _: None))  # then all are looked at
    assert str(eliminate_dead_code(joint)) == found


def test_conds_of_one_structure_are_differentiated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def graph(scale: float) -> Graph:
        recorder = Recorder("f")
        with recorder:
            x = y = recorder.parameter(type_of(X), "x")
            for k in range(6):
                condition = ops.greater(total(x), 0.1 * k)
                (y,) = ops.record_cond(
                    condition, lambda _, y=y: [ops.tanh(y * scale)], lambda _, y=y: [ops.negative(y)]
                )
            return recorder.finish([y])

    runs: list[int] = []
    recorded = module._Reverse.recorded
    monkeypatch.setattr(module._Reverse, "recorded", lambda *given: runs.append(1) or recorded(*given))
    for scale, count in ((0.123, 1), (0.123, 0), (0.456, 1)):
        runs.clear()
        differentiate(graph(scale), [0], [0])
        assert len(runs) == count
