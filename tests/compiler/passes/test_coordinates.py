"""Short axes that are read element by element: values, gradients and graphs of programs on points and boxes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler import ops as prims
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.passes.coordinates import compute_by_coordinates
from mycel.runtime.machine.executable import unavailable


def overlaps(a: Any, b: Any) -> Any:
    """Sides of all pairs of boxes, whose parts are slices of slices."""
    low, high = ops.maximum(a[:, None, :2], b[None, :, :2]), ops.minimum(a[:, None, 2:], b[None, :, 2:])
    sides = ops.relu(high - low + 1.0)
    return (sides[..., 0] * sides[..., 1]).sum() + sides[1:, :, 0].amax()


def first_axis(a: Any, b: Any) -> Any:
    """Coordinates are the first axis, and turned to the last one."""
    d = a.swapaxes(0, 1)[:, :, None] - b.swapaxes(0, 1)[:, None]
    e = ops.tanh(d.transpose(1, 2, 0))
    return (e[..., 3] * e[..., 0] + e[..., 1]).mean()


def sums(a: Any, b: Any) -> Any:
    """All pairs of points, of which only sums are read: over coordinates and over points."""
    d = ops.sin(a[:, None] * b[None])
    return ops.sqrt((d * d).sum(-1) + 0.5).mean() + (d.amax(-1) * d.prod(-1)).sum() + d.sum((0, 1)).amax()


def distances(a: Any, b: Any) -> Any:
    """All pairs of points by coordinates, whose gradients are sums over points."""
    d = a[:, None] - b[None]
    return (ops.sqrt((d * d).sum(-1) + 0.5) * d[..., 1]).mean()


def joined(a: Any, b: Any) -> Any:
    """Coordinates are joined, and read again by what follows."""
    r = ops.stack((a[:, 0] * b[0, 1] - a[:, 1], a[:, 0] + a[:, 1] * b[0, 2], a[:, 2]), -1)
    r = r / ops.sqrt((r * r).sum(-1, keepdims=True) + 0.1)
    return (r[:, 1] * r.amax(-1)).sum() + ops.square(r.sum(0)).sum()


def broadcast(a: Any, b: Any) -> Any:
    """One coordinate for all, and every second row."""
    z = ops.broadcast_to(ops.exp(-a[:, :1]), a.shape) * b[0] + a
    return (z[::2, 1] * z[1::2, 2]).sum() + z[:, 3].amin()


PROGRAMS = overlaps, first_axis, sums, distances, joined, broadcast
OFF = ["coordinates", "kernels", "simplify"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_values_and_gradients(program: Any) -> None:
    random = np.random.default_rng(7)
    given = [Tensor(random.standard_normal((rows, 4)).astype(np.float32)) for rows in (22, 34)]
    found, gradients = ms.jit(ms.value_and_grad(program, (0, 1)))(*given)
    expected, others = ms.jit(ms.value_and_grad(program, (0, 1)), passes_off=OFF)(*given)
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), 2e-5)
    np.testing.assert_allclose(found.asnumpy(), program(*given).asnumpy(), 2e-5)
    for one, other in zip(gradients, others, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-4, 1e-5)


@pytest.mark.parametrize("program", [overlaps, sums, joined])
def test_what_is_no_number_stays(program: Any) -> None:
    arrays = [np.random.default_rng(rows).standard_normal((rows, 4)).astype(np.float32) for rows in (22, 34)]
    for number in (np.nan, np.inf, -0.0):
        arrays[0][3, 1] = number
        given = list(map(Tensor, arrays))
        found = ms.jit(program)(*given).asnumpy()
        np.testing.assert_allclose(found, ms.jit(program, passes_off=OFF)(*given).asnumpy(), 2e-5)


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.parametrize("program", [overlaps, first_axis, distances, ms.grad(distances, (0, 1))])
def test_pairs_have_no_short_axis(program: Any) -> None:
    """All pairs are computed in rows of 34 columns, which read what lies side by side."""
    stages = ms.jit(program).stages(*[Tensor(np.ones((rows, 4), np.float32)) for rows in (22, 34)])
    text = str(stages.optimized)
    assert all(shape not in text for shape in ("[22, 34, 2]", "[22, 34, 4]", "[4, 22, 34]"))
    kernels = [kernel for kernel in stages.program.split("'''") if "over 22 34\n" in kernel]
    read = [line for kernel in kernels for line in kernel.splitlines() if line.startswith("in ")]
    assert {line.split(" ")[4] for line in read} == {"0", "4"}


def lines(*nodes: str, returned: str = "%r") -> str:
    """The text of a graph on matrices of pairs."""
    return "\n".join(["graph f(%x: f32[9, 2], %y: f32[30, 2]) {", *[f"  {node}" for node in nodes],
                      f"  return {returned}", "}"])  # fmt: skip


PAIRS = (
    "%z: f32[9, 1, 2] = reshape(%x, shape=(9, 1, 2))",
    "%d: f32[9, 30, 2] = subtract(%z, %y)",
    "%s: f32[9, 30, 1] = slice(%d, start=(0, 0, 0), stop=(9, 30, 1), step=(1, 1, 1))",
)


@pytest.mark.parametrize(
    ("nodes", "returned"),
    [
        ((*PAIRS, "%t: f32[9, 30, 2] = exp(%d)"), "%s, %t"),  # is read whole
        ((*PAIRS, "%t: f32[9, 30, 2] = reverse(%d, axes=(2,))"), "%s, %t"),
        ((*PAIRS[:2], "%t: f32[9, 15, 2] = slice(%d, start=(0, 0, 0), stop=(9, 30, 2), step=(1, 2, 1))"), "%t"),
        (("%m: f32[9, 2] = exp(%x)", "%r: f32[2] = sum(%m, axis=(0,), keepdims=False)"), "%r"),  # lies side by side
        (("%m: f32[2, 9] = transpose(%x, axes=(1, 0))",), "%m"),
    ],
)
def test_what_is_read_whole_is_computed_whole(nodes: tuple[str, ...], returned: str) -> None:
    graph = parse(lines(*nodes, returned=returned), prims.OPS)
    assert compute_by_coordinates(graph) is graph


def test_elements_are_computed_once() -> None:
    twice = "%t: f32[4, 30, 1] = slice(%d, start=(0, 0, 0), stop=(7, 30, 1), step=(2, 1, 1))"
    graph = compute_by_coordinates(parse(lines(*PAIRS, twice, returned="%s, %t"), prims.OPS))
    assert [node.op.name for node in graph.nodes].count("subtract") == 1
    assert all(node.output.type.shape[-1] == 1 for node in graph.nodes if node.op.kind == "elementwise")
    assert compute_by_coordinates(graph) is graph


def test_iterations_that_read_the_same_array_are_divided_each_by_itself() -> None:
    """Their elements are more than are computed for one region."""

    @ms.jit
    def f(x: Tensor) -> Tensor:
        y = x[:5]
        for _ in range(15):
            near = ms.ops.softmax(-(((x.expand_dims(1) - y) ** 2 + 1.0) * 0.5 - 0.1).sum(-1), -1)
            y = near.T @ x
        return y

    x = Tensor(np.random.default_rng(0).standard_normal((30, 3)).astype(np.float32))
    assert "[30, 5, 3]" not in str(f.stages(x).optimized)


def test_a_slice_is_divided_along_another_axis_than_what_it_slices() -> None:
    """It has one element of what is divided, and is read element by element itself."""
    graph = parse(
        """graph f(%m: f64[1, 1], %k: f64[1, 1], %y: f64[2, 1]) {
        %a: f64[3, 2] = broadcast_to(%m, shape=(3, 2)) %b: f64[3, 2] = broadcast_to(%k, shape=(3, 2))
        %c: f64[3, 2] = add(%a, %b) %p: f64[2, 1] = slice(%c, start=(1, 1), stop=(3, 2), step=(1, 1))
        %q: f64[2, 1] = add(%y, %p) %s: f64[] = sum(%q, axis=(0, 1), keepdims=False) return %s }""",
        prims.OPS,
    )
    arrays = [np.full((1, 1), 2.0), np.full((1, 1), 3.0), np.array([[7.0], [11.0]])]
    divided = compute_by_coordinates(graph)
    assert divided is not graph
    assert interpret(divided, arrays)[0] == 28


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_what_is_the_same_along_a_middle_axis_is_computed_once() -> None:
    x = Tensor(np.random.default_rng(3).standard_normal((16, 32, 40)).astype(np.float32))
    loss = ms.jit(ms.value_and_grad(lambda x: ops.square(ops.log_softmax(x, 1)).mean()))
    (kernel,) = [kernel for kernel in loss.stages(x).program.split("'''") if "= log(" in kernel]
    assert "over 640\n" in kernel
    found, expected = loss(x), ms.value_and_grad(lambda x: ops.square(ops.log_softmax(x, 1)).mean())(x)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-5, 1e-8)
