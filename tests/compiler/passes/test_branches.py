"""If-conversion: what becomes a choice, and what stays a branch; results are those of eager mode."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler import ops as prims
from mycel.compiler.ir.graph import Graph, Node, walk
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import Value
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.branches import _Conversion, choose
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import Recorder
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

VECTOR = TensorType(dtypes.float32, (3,))


def _loop(then: str, orelse: str = "return %h", more: str = "") -> str:
    given = "%h: f32[4], %i: i64[], %x: f32[9, 4]"
    return (
        "(%x: f32[9, 4], %p: bool[9], %h: f32[4]) { %y: f32[4] = scan(9, %h, %p, %x, carried=1, scanned=1, length=9,"
        " reverse=False) { body = graph body(%i: i64[], %h: f32[4], %q: bool[], %x: f32[9, 4]) {"
        f" %z: f32[4] = cond(%q, %h, %i, %x) {{ then = graph then({given}) {{ {then} }}"
        f" orelse = graph orelse({given}) {{ {orelse} }} }} return %z }} }} return %y }}"
    )


def _converted(text: str) -> Any:
    return verify(choose(verify(parse(f"graph f{text}", prims.OPS))))


def test_both_sides_are_computed() -> None:
    """A small branch becomes a select; a branch inside of a side, too."""
    inner = (
        "%c: bool[] = less(%i, 5) %t: f32[4] = cond(%c, %h) { then = graph a(%h: f32[4]) { %u: f32[4] = tanh(%h)"
        " return %u } orelse = graph b(%h: f32[4]) { return %h } } return %t"
    )
    for then, count in (("%t: f32[4] = tanh(%h) return %t", 1), (inner, 2)):
        found = [node.op for node in walk(_converted(_loop(then)))]
        assert prims.cond not in found
        assert found.count(prims.select) == count


def test_branches_outside_of_loops() -> None:
    """A branch inside of one that stays becomes a select, too; copies of a graph get values of their own."""
    small = "%t: f32[4] = tanh(%h) return %t"
    work = "%b: f32[900, 4] = broadcast_to(%h, shape=(900, 4)) %e: f32[900, 4] = exp(%b)"
    inner = f"cond(%p, %h) {{ then = graph a(%h: f32[4]) {{ {small} }} orelse = graph b(%h: f32[4]) {{ return %h }} }}"
    then = (
        f"{work} %s: f32[4] = sum(%e, axis=(0,), keepdims=False) %u: f32[4] = {inner}"
        " %z: f32[4] = add(%s, %u) return %z"
    )
    cond = (
        f"%y: f32[4] = cond(%p, %h, %p) {{ then = graph then(%h: f32[4], %p: bool[]) {{ {then} }}"
        " orelse = graph orelse(%h: f32[4], %p: bool[]) { return %h } }"
    )
    found = [node.op for node in walk(_converted(f"(%h: f32[4], %p: bool[]) {{ {cond} return %y }}"))]
    assert found.count(prims.cond) == found.count(prims.select) == 1
    graph = verify(parse(f"graph f(%h: f32[4], %p: bool[]) {{ %y: f32[4] = {inner} return %y }}", prims.OPS))
    (node,) = graph.nodes
    again = Node(node.op, (node.inputs[0], node.outputs[0]), (Value(node.outputs[0].type, "z"),), node.attrs, None)
    twice = verify(choose(graph.with_nodes((node, again), again.outputs)))
    assert [node.op for node in twice.nodes] == [prims.tanh, prims.select] * 2


def test_rows_of_an_iteration_are_scanned() -> None:
    """A row that a side takes at the iteration's number becomes a row of the loop; both sides share it."""
    side = "%r: f32[4] = take(%x, %i, axis=0) %t: f32[4] = {}(%h, %r) return %t"
    graph = _converted(_loop(side.format("add"), side.format("multiply")))
    (loop,) = graph.nodes
    assert loop.attrs["scanned"] == 2
    assert {node.op for node in walk(graph)} == {prims.scan, prims.add, prims.multiply, prims.select}


@pytest.mark.parametrize(
    "then",
    [
        "print_(%i, template=(0,)) return %h",
        "%j: i64[] = add(%i, 3) %t: f32[4] = take(%x, %j, axis=0) return %t",  # out of range in some iterations
        "%w: f32[4, 9] = transpose(%x, axes=(1, 0)) %m: f32[4, 4] = matmul(%w, %x)"
        " %t: f32[4] = matmul(%m, %h) return %t",
        "%b: f32[900, 4] = broadcast_to(%h, shape=(900, 4)) %e: f32[900, 4] = exp(%b)"
        " %t: f32[4] = sum(%e, axis=(0,), keepdims=False) return %t",
    ],
)
def test_effects_errors_and_work_stay_in_branches(then: str) -> None:
    """A side stays where it is if it has effects, may raise, or takes long."""
    before = parse(f"graph f{_loop(then)}", prims.OPS)
    assert choose(before).structure == before.structure


def test_results_and_gradients() -> None:
    """The converted loop gives the values and gradients of the branches, in numbers where a side is nan as well."""

    def missing(w: Tensor, y: Tensor, seen: Tensor) -> Tensor:
        m = p = total = Tensor(1.0)
        for t in range(20):
            p = p + w
            if seen[t] > 0:
                k = p / (p + 1.0)
                m, p = m + k * (y[t] - m), (1 - k) * p
                total = total + ops.sqrt(y[t])
        return total + m

    generator = np.random.default_rng(0)
    seen = np.array([0, 1] * 10, np.int32)
    y = np.where(seen, generator.random(20), -1.0).astype(np.float32)  # whose roots are nan where nothing is seen
    given = Tensor(0.1), Tensor(y), Tensor(seen)
    kept = ms.jit(ms.value_and_grad(missing), passes_off=["branches"])
    made = ms.jit(ms.value_and_grad(missing))
    for ours, theirs in zip(made(*given), kept(*given), strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.asnumpy(), rtol=1e-5)
        assert np.isfinite(ours.asnumpy()).all()
    assert "cond(" not in str(made.stages(*given).optimized)
    assert "cond(" in str(kept.stages(*given).optimized)


def test_what_is_not_chosen_gives_no_nan() -> None:
    """Outside of loops a side that is nan, with its gradient, has no part in the result of the other one."""

    def root(x: Tensor) -> Tensor:
        y = ops.sqrt(x) if x.sum() > 0 else x * 2.0
        return (y * y).sum()

    gradient = ms.jit(ms.value_and_grad(root))
    for numbers, value, slope in (([-1.0, -2.0], 20.0, [-8.0, -16.0]), ([1.0, 4.0], 5.0, [1.0, 1.0])):
        found = gradient(Tensor(numbers))
        assert found[0].item() == value
        np.testing.assert_allclose(found[1].asnumpy(), slope, rtol=1e-6)
    assert "cond(" not in str(gradient.stages(Tensor([1.0, 4.0])).optimized)


def _in_a_row(random: Random) -> Graph:
    """The derivative of conditions in a row, of which many have the same structure, also where they read one value
    twice: their derivatives are copies of templates, and known to be alike."""
    recorder = Recorder("f")
    kinds = [random.randrange(1 << 30) for _ in range(3)]
    with recorder:
        x = recorder.parameter(VECTOR, "x")
        values: list[Any] = [x]
        for k in range(12):
            kind = Random(random.choice(kinds))
            a, b = values[-1], random.choice((values[-1], values[0], random.choice(values)))

            def side(_: Any, kind: Random = kind, a: Any = a, b: Any = b) -> list[Any]:
                made = a
                for _ in range(kind.randrange(3)):
                    made = kind.choice((prims.add, prims.multiply, prims.maximum))(made, kind.choice((b, 0.5)))
                return [made, kind.choice((a, made))]

            condition = prims.greater(prims.sum(x, axis=(0,), keepdims=False), 0.3 * k - 1)
            values += prims.record_cond(condition, side, side)
        outputs = [prims.sum(each, axis=(0,), keepdims=False) for each in values[-3:]]
        graph = recorder.finish(outputs)
    return differentiate(graph, [0], range(3)).append([0])


@pytest.mark.parametrize("seed", range(40))
def test_branches_of_one_structure_become_what_they_become_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = verify(_in_a_row(Random(seed)))
    found = verify(choose(graph))
    assert prims.cond not in found.ops
    with monkeypatch.context() as patch:
        patch.setattr(Graph, "pattern", property(lambda self: self))  # then none is known to be like another
        assert str(found) == str(verify(choose(graph)))
    for x in ([0.4, -0.2, 0.9], [-1.0, 0.5, 0.1]):
        given = [np.array(x, np.float32), *[np.float32(1.5)] * 3]
        for left, right in zip(interpret(found, given), interpret(graph, given), strict=True):
            np.testing.assert_array_equal(left, right)


def _row(scales: Sequence[float]) -> Graph:
    """Forward and backward of conditions that scale a value, or leave it."""
    recorder = Recorder("f")
    with recorder:
        x, p = recorder.parameter(VECTOR, "x"), recorder.parameter(TensorType(dtypes.bool_, ()), "p")
        y = prims.tanh(x)
        for scale in scales:
            (y,) = prims.record_cond(p, lambda _, y=y, k=scale: [prims.multiply(y, k)], lambda _, y=y: [y])
        graph = recorder.finish([y])
    return differentiate(graph, [0], [0]).append([0])


def test_branches_of_one_structure_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for scales in ((0.515625,) * 3, (0.265625,) * 3):
        _row(scales)  # the templates are made
    looked: list[Node] = []
    both = _Conversion.both
    monkeypatch.setattr(_Conversion, "both", lambda self, node: looked.append(node) or both(self, node))
    for scales, count in (((0.515625,) * 6, 7), ((0.515625, 0.265625) * 3, 8)):  # backward: once for each scale
        looked.clear()
        choose(_row(scales))
        assert len(looked) == count


def test_a_value_that_no_side_defines_is_not_chosen() -> None:
    recorder = Recorder("f")
    with recorder:
        x, p = recorder.parameter(VECTOR, "x"), recorder.parameter(TensorType(dtypes.bool_, ()), "p")
        y = prims.tanh(x)
        for _ in range(3):
            (y,) = prims.record_cond(p, lambda _, y=y: [y], lambda _: [x])
        none = [lambda _: [prims.undefined(shape=VECTOR.shape, dtype=VECTOR.dtype)]] * 2
        (u,) = prims.record_cond(p, *none)
        (z,) = prims.record_cond(p, lambda _: [u], lambda _: [y])
        graph = recorder.finish([z])
    first, *others = [node for node in graph.holders if len(node.inputs) == 3]
    for node in others:
        for side, pattern in zip(node.subgraphs, first.subgraphs, strict=True):
            side.share_facts(pattern)
    assert [node.op for node in choose(graph).nodes].count(prims.select) == 3


@pytest.mark.usefixtures("numpy_only")
def test_without_machine_code_branches_stay() -> None:
    """A choice would be three calls of NumPy, beside those of both sides."""
    sides = "then = graph t(%x: f32[3]) { %h: f32[3] = tanh(%x) return %h } orelse = graph e(%x: f32[3]) { return %x }"
    text = f"graph f(%p: bool[], %x: f32[3]) {{ %y: f32[3] = cond(%p, %x) {{ {sides} }} return %y }}"
    graph = parse(text, prims.OPS)
    assert choose(graph) is graph


@pytest.mark.parametrize("numbers", [[0, 1, 0], [1, 1, 0], [1, 1, 1]])
def test_what_does_not_fit_where_it_is_not_chosen_stays_in_its_branch(numbers: list[int]) -> None:
    def second(x: Tensor) -> Tensor:
        places, found = x.nonzero(), Tensor(7)
        if len(places) > 1:
            found = places[1].reshape(())
        return found

    def moved(x: Tensor) -> Tensor:
        places, found = x.nonzero().flatten(), Tensor([7, 7])
        if len(places) == 2:
            found = places + Tensor([1, 2])
        return found

    def added_up(x: Tensor) -> Tensor:
        places, total, i = x.nonzero(), Tensor(0), Tensor(0)
        while i < x.sum() - 1:
            total, i = total + places[1].reshape(()), i + 1
        return total

    for function in (second, moved, added_up):
        x = Tensor(numbers)
        assert ms.jit(function, fullgraph=True)(x).asnumpy().tolist() == function(x).asnumpy().tolist()
