"""Assigned elements: reads of tensors with known assignments, and assignments one after the other, by text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rewriting import assert_fires, assert_stays

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler import ops as prims
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.passes import assigned
from mycel.compiler.passes.dce import eliminate_dead_code
from mycel.compiler.passes.simplify import simplify


def simplified(text: str) -> Any:
    graph = parse("graph f" + text, vars(prims))
    found = eliminate_dead_code(simplify(graph))
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(value.type.static_shape).astype(np.float32) for value in graph.parameters]
    for ours, known in zip(interpret(found, arrays), interpret(graph, arrays), strict=True):
        np.testing.assert_array_equal(ours, known)
    return found


def names(graph: Any) -> list[str]:
    return [node.op.name for node in graph.nodes]


def test_a_slice_beside_what_is_assigned() -> None:
    found = simplified("""(%x: f32[4, 3], %a: f32[3]) {
      %y: f32[4, 3] = index_update(%x, %a, spec=(1,))
      %s: f32[2, 3] = slice(%y, start=(2, 0), stop=(4, 3), step=(1, 1))
      return %s
    }""")
    assert names(found) == ["slice"]
    assert found.nodes[0].inputs == (found.parameters[0],)


def test_a_slice_of_what_is_assigned() -> None:
    found = simplified("""(%x: f32[4, 3], %a: f32[3]) {
      %y: f32[4, 3] = index_update(%x, %a, spec=(-1,))
      %s: f32[1, 3] = slice(%y, start=(3, 0), stop=(4, 3), step=(1, 1))
      return %s
    }""")
    assert names(found) == ["reshape"]


@pytest.mark.parametrize("taken", ["start=(0, 0), stop=(2, 3), step=(1, 1)", "start=(3, 0), stop=(0, 3), step=(-1, 1)"])
def test_a_slice_with_both_stays(taken: str) -> None:
    shape = "2, 3" if "-1" not in taken else "3, 3"
    found = simplified(f"""(%x: f32[4, 3], %a: f32[3]) {{
      %y: f32[4, 3] = index_update(%x, %a, spec=(1,))
      %z: f32[4, 3] = tanh(%y)
      %s: f32[{shape}] = slice(%y, {taken})
      return %s, %z
    }}""")
    assert "slice" in names(found)


def test_assigned_rows_are_joined() -> None:
    found = simplified("""(%x: f32[5, 2], %a: f32[2], %b: f32[2, 2], %c: f32[]) {
      %t: f32[5, 2] = tanh(%x)
      %y: f32[5, 2] = index_update(%t, %a, spec=(1,))
      %z: f32[5, 2] = index_update(%y, %b, spec=((2, 4, 1),))
      %w: f32[5, 2] = index_update(%z, %c, spec=(-1, (None, None, 1)))
      return %w
    }""")
    assert "index_update" not in names(found)
    assert names(found).count("concatenate") == 1


def test_an_index_at_known_positions_is_a_slice() -> None:
    found = simplified("""(%x: f32[4, 5]) {
      %y: f32[2] = index(%x, spec=(2, (0, 4, 2)))
      return %y
    }""")
    assert names(found) == ["slice", "reshape"]


@pytest.mark.parametrize("places", [[0, 2], [1, 2, 3], [3, 1], [0, 1, 3], [1, 1], [-4, -2]])
def test_rows_equally_far_apart_are_a_slice(places: list[int]) -> None:
    x = Tensor(np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32))

    @ms.jit
    def function(x: Tensor) -> Tensor:
        return ops.gather(x, ms.numpy.array(places), 1)

    apart = places[1] > places[0] >= 0 and len({*np.diff(places)}) == 1
    assert ("slice" in names(function.stages(x).optimized)) == apart
    np.testing.assert_array_equal(function(x).asnumpy(), x.asnumpy()[:, places])


@pytest.mark.parametrize("number", [0, 1.5])
@pytest.mark.parametrize("size", [2, 5])
def test_a_small_box_in_one_number_is_padded(size: int, number: float) -> None:
    found = simplified(f"""(%a: f32[{size}]) {{
      %x: f32[5, 7] = full(shape=(5, 7), value={number}, dtype=f32)
      %y: f32[5, 7] = index_update(%x, %a, spec=((1, 3, 1), (2, {2 + size}, 1)))
      return %y
    }}""")
    assert ("pad" in names(found)) == (size == 2)


@pytest.mark.parametrize("value", [0.5, "row", "column"])
@pytest.mark.parametrize("where", [1, -1, slice(1, 3), (slice(None), 2), (2, 1), (slice(0, 4, 2), 3), slice(3, 0, -1)])
def test_programs_agree_with_numpy(where: Any, value: Any) -> None:
    x = np.random.default_rng(1).standard_normal((4, 5)).astype(np.float32)
    assigned = {"row": x[0] * 2, "column": x[:, 1] * 2}.get(value, np.float32(0.5))
    expected = np.tanh(x)
    try:
        expected[where] = assigned
    except ValueError:
        return  # NumPy does not broadcast it

    @ms.jit
    def function(x: Any, assigned: Any) -> Any:
        y = ops.tanh(x)
        y[where] = assigned
        return y, y[1], y.sum(0)

    whole, row, total = function(Tensor(x), Tensor(assigned))
    np.testing.assert_allclose(whole.asnumpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(row.asnumpy(), expected[1], rtol=1e-6)
    np.testing.assert_allclose(total.asnumpy(), expected.sum(0), rtol=1e-5, atol=1e-6)


def _of_greatest(x: Any, v: Any) -> Any:
    return ops.tensor_scatter_elements(x, ops.topk(ops.abs(x), 7)[1], v[:, :7], 1)


def _across(x: Any, v: Any) -> Any:
    return ops.tensor_scatter_elements(ops.zeros((40, 40)), ops.topk(ops.abs(x), 7)[1], v[:, :7], 0)


def _in_order(x: Any, v: Any) -> Any:
    y = x * 1.0
    y[ops.argsort(x[:, 0])] = v
    return y * x


def _columns_in_order(x: Any, v: Any) -> Any:
    y = x * 1.0
    y[:, ops.sort(x[0])[1]] = v
    return y * x


def _in_order_of_bytes(x: Any, v: Any) -> Any:
    y = x.reshape(-1) * 1.0
    y[ops.argsort(x.reshape(-1)).astype(ms.int8)] = v.reshape(-1)  # 1,200 positions become 256
    return y * x.reshape(-1)


@pytest.mark.parametrize(
    ("program", "stay"),
    [(_of_greatest, True), (_across, False), (_in_order, True), (_columns_in_order, True), (_in_order_of_bytes, False)],
)
def test_positions_of_a_sort_are_all_different(program: Any, stay: bool) -> None:
    """The gradient of what is assigned there asks no more which assignment is the last."""
    rng = np.random.default_rng(0)
    x, v = (Tensor(rng.standard_normal((30, 40)).astype(np.float32)) for _ in range(2))
    gradient = ms.grad(lambda *given: (program(*given) ** 3).sum(), (0, 1))
    compiled = ms.jit(gradient)
    asked = [name for name in names(compiled.stages(x, v).optimized) if name.endswith("_last")]
    assert bool(asked) != stay
    for found, expected in zip(compiled(x, v), gradient(x, v), strict=True):
        np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), 1e-5, 1e-6)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_ranks(axis: int, descending: bool) -> None:
    """An order of an order, and of a sort's positions; neither from the end, nor along another axis, nor of a part."""
    order = f"argsort(%x, axis={axis}, descending={descending}, dtype=i32)"
    text = "(%x: f32[4, 3, 5]) {{ {} %r: i64[4, 3, 5] = argsort(%p, axis={}, descending={}, dtype=i64) return %r }}"
    for made in (f"%p: i32[4, 3, 5] = {order}", f"%s: f32[4, 3, 5], %p: i32[4, 3, 5] = {order.replace('arg', '')}"):
        assert_fires(assigned.RULES, "ranks", text.format(made, axis, False))
        assert_stays(assigned.RULES, "ranks", text.format(made, axis, True))
        assert_stays(assigned.RULES, "ranks", text.format(made, (axis + 1) % 3, False))
    part = "%s: f32[4, 3, 2], %p: i32[4, 3, 2] = topk(%x, k=2, axis=2, largest=True, dtype=i32)"
    assert_stays(assigned.RULES, "ranks", text.format(part, 2, False).replace("i64[4, 3, 5]", "i64[4, 3, 2]"))
