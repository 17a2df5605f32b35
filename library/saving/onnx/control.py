"""Branches and loops: `cond` as If, `while_loop` as Loop, `scan` as Scan; and draws of random numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....compiler.ir.graph import Graph, Node
from ....compiler.ir.types import TensorType
from ....runtime import dtypes
from .shapes import cut
from .writer import NoForm, Rule, Writer

Names = Sequence[str]
BOOL, INDEX = TensorType(dtypes.bool_, ()), TensorType(dtypes.int64, ())


def cond(w: Writer, node: Node, test: str, *operands: str, then: Graph, orelse: Graph) -> Any:
    def branch(graph: Graph) -> Any:
        types = [output.type for output in graph.outputs]
        return w.block(graph.name or "branch", lambda: ((), list(zip(w.graph(graph, operands), types, strict=True))))

    if not node.outputs:
        return ()
    blocks = {"then_branch": branch(then), "else_branch": branch(orelse)}
    return _several(w.add("If", test, count=len(node.outputs), **blocks))


def _several(found: Any) -> tuple[str, ...]:
    return found if isinstance(found, tuple) else (found,)


def _fresh(w: Writer, graph: Graph, first: int, count: int) -> list[tuple[str, TensorType]]:
    """Names and types for some of a body's parameters."""
    return [(w.unique(value.name or "state"), value.type) for value in graph.parameters[first : first + count]]


def while_loop(w: Writer, node: Node, *operands: str, test: Graph, body: Graph, carried: int) -> Any:
    state, constants = operands[:carried], operands[carried:]
    (begin,) = w.graph(test, operands)

    def write() -> Any:
        trip, before = w.unique("trip"), w.unique("before")
        inner = _fresh(w, body, 0, carried)
        results = w.graph(body, [*[name for name, _ in inner], *constants])
        (again,) = w.graph(test, [*results[:carried], *constants])
        count = w.add("Add", trip, w.constant(1, np.int64))
        types = [output.type for output in body.outputs]
        outputs = list(zip(results, types, strict=True))
        counted = (w.unique("trips"), INDEX)
        return (
            [(trip, INDEX), (before, BOOL), *inner, counted],
            [(again, BOOL), *outputs[:carried], (count, INDEX), *outputs[carried:]],
        )

    zero = w.constant(0, np.int64)
    return _several(w.add("Loop", "", begin, *state, zero, count=len(node.outputs), body=w.block("body", write)))


def scan(
    w: Writer, node: Node, count: str, *operands: str,
    body: Graph, carried: int, scanned: int, length: int | None, reverse: bool,
) -> Any:  # fmt: skip
    state, rows, constants = operands[:carried], operands[carried : carried + scanned], operands[carried + scanned :]
    types = [output.type for output in body.outputs]
    if not node.outputs:
        return ()

    def write() -> Any:
        index = (w.unique("index"), INDEX)
        inner, slices = _fresh(w, body, 1, carried), _fresh(w, body, 1 + carried, scanned)
        names = [name for name, _ in (index, *inner, *slices)]
        results = w.graph(body, [*names, *constants])
        return [*inner, index, *slices], list(zip(results, types, strict=True))

    if not length:  # runtimes refuse a Scan of no iterations
        return _counted(w, node, count, state, rows, constants)
    stacks = len(node.outputs) - carried
    return _several(
        w.add(
            "Scan", *state, w.constant(np.arange(length)), *rows, count=len(node.outputs),
            body=w.block("body", write), num_scan_inputs=1 + scanned,
            scan_input_directions=[int(reverse)] * (1 + scanned),
            scan_output_directions=[int(reverse)] * stacks if stacks else None,
        )
    )  # fmt: skip


def _counted(w: Writer, node: Node, count: str, state: Names, rows: Names, constants: Names) -> tuple[str, ...]:
    """A scan of a length that only the run knows, as a Loop that reads the rows itself."""
    body, carried, reverse = node.attrs["body"], node.attrs["carried"], node.attrs["reverse"]

    def write() -> Any:
        trip, before = w.unique("trip"), w.unique("before")
        inner = _fresh(w, body, 1, carried)
        one = w.constant(1, np.int64)
        index = w.add("Sub", w.add("Sub", count, one), trip) if reverse else trip
        slices = [w.add("Gather", row, index, axis=0) for row in rows]
        results = w.graph(body, [index, *[name for name, _ in inner], *slices, *constants])
        types = [output.type for output in body.outputs]
        outputs = list(zip(results, types, strict=True))
        return [(trip, INDEX), (before, BOOL), *inner], [(before, BOOL), *outputs]

    always = w.constant(True)
    found = _several(w.add("Loop", count, always, *state, count=len(node.outputs), body=w.block("body", write)))
    if not reverse:
        return found
    return (*found[:carried], *[cut(w, stack, [(0, None, None, -1)]) for stack in found[carried:]])


def along(combine: str, neutral: float) -> Any:
    """The rule of running results along an axis: a Scan over its elements."""

    def rule(w: Writer, node: Node, x: str, *, axis: int, exclusive: bool, reverse: bool) -> Any:
        start = w.add("Mul", w.add("Gather", x, w.constant(0, np.int64), axis=axis), w.like(node.inputs[0], 0))
        start = w.add("Add", start, w.like(node.inputs[0], neutral))
        return _running(w, node, combine, start, x, axis, exclusive, reverse)

    return rule


def running_extremum(combine: str) -> Any:
    """The rule of running maxima and minima: a Scan that begins with the first element."""

    def rule(w: Writer, node: Node, x: str, *, axis: int, exclusive: bool, reverse: bool) -> Any:
        if exclusive:
            raise NoForm("its running extremes take the element itself in")
        start = w.add("Gather", x, w.constant(-1 if reverse else 0, np.int64), axis=axis)
        return _running(w, node, combine, start, x, axis, exclusive, reverse)

    return rule


def _running(w: Writer, node: Node, combine: str, start: str, x: str, axis: int, exclusive: bool, reverse: bool) -> Any:
    """A Scan that combines each part along an axis with those before, from `start` on."""
    inner = node.inputs[0].type.without_axis(axis)

    def write() -> Any:
        before, item = w.unique("before"), w.unique("item")
        after = w.add(combine, before, item)
        return [(before, inner), (item, inner)], [(after, inner), (before if exclusive else after, inner)]

    return _moved_scan(w, start, (x,), axis, write, reverse)


def _moved_scan(w: Writer, start: str, rows: Sequence[str], axis: int, write: Any, reverse: bool) -> Any:
    given = {"scan_input_axes": [axis] * len(rows), "scan_output_axes": [axis]}
    given |= {"scan_input_directions": [int(reverse)] * len(rows), "scan_output_directions": [int(reverse)]}
    block = w.block("body", write)
    return w.add("Scan", start, *rows, count=2, body=block, num_scan_inputs=len(rows), **given)[1]


def linear_recurrence(w: Writer, node: Node, a: str, b: str, *, axis: int, reverse: bool) -> Any:
    inner = node.output.type.without_axis(axis)
    if any(operand.type.shape != node.output.type.shape for operand in node.inputs):
        shape = w.ints(*w.static(node.output))
        a, b = w.add("Expand", a, shape), w.add("Expand", b, shape)
    start = w.add("Mul", w.add("Gather", b, w.constant(0, np.int64), axis=axis), w.like(node.inputs[0], 0))

    def write() -> Any:
        before, factor, term = w.unique("before"), w.unique("factor"), w.unique("term")
        after = w.add("Add", w.add("Mul", before, factor), term)
        return [(before, inner), (factor, inner), (term, inner)], [(after, inner), (after, inner)]

    return _moved_scan(w, start, (a, b), axis, write, reverse)


# Random numbers: of the same distributions, from the runtime's own generator


def _uniform(w: Writer, node: Node, operands: Sequence[str], shape: Any, low: float = 0.0, high: float = 1.0) -> Any:
    to = w.dtype(node.output.type.dtype if node.output.type.dtype.is_float else dtypes.float32)
    return _drawn(w, "RandomUniform", operands, shape, dtype=to, low=low, high=high)


def _drawn(w: Writer, kind: str, operands: Sequence[str], shape: Any, **attrs: Any) -> Any:
    """Random numbers of a shape, or of that of the first operand."""
    if shape is None:
        return w.add(f"{kind}Like", operands[0], **attrs)
    return w.add(kind, shape=list(shape), **attrs)


def random_uniform(w: Writer, node: Node, *operands: str, shape: Any, low: float, high: float, **other: Any) -> Any:
    return _uniform(w, node, operands, shape, low, high)


def random_normal(w: Writer, node: Node, *operands: str, shape: Any, mean: float, std: float, **other: Any) -> Any:
    return _drawn(w, "RandomNormal", operands, shape, dtype=w.dtype(node.output.type.dtype), mean=mean, scale=std)


def random_bernoulli(
    w: Writer, node: Node, *operands: str, shape: Any, scale: Any, probability: float | None = None, **other: Any
) -> Any:
    if probability is None:
        raise NoForm("its probability is a tensor")
    draw = _uniform(w, node, operands, shape)
    kind = dtypes.float32.np if not node.output.type.dtype.is_float else node.output.type.dtype.np
    here = w.add("Less", draw, w.constant(probability, kind))
    own = node.output.type.dtype.np
    return w.add("Where", here, w.constant(scale, own), w.constant(0, own))


def random_exponential(w: Writer, node: Node, *operands: str, shape: Any, rate: float, **other: Any) -> Any:
    draw = w.add("Sub", w.like(node.output, 1), _uniform(w, node, operands, shape))
    return w.add("Div", w.add("Neg", w.add("Log", draw)), w.like(node.output, rate))


RULES: dict[str, Rule] = {
    "cond": cond, "while_loop": while_loop, "scan": scan, "linear_recurrence": linear_recurrence,
    "cumprod": along("Mul", 1), "running_maximum": running_extremum("Max"), "running_minimum": running_extremum("Min"),
    "random_uniform": random_uniform, "random_normal": random_normal,
    "random_bernoulli": random_bernoulli, "random_exponential": random_exponential,
}  # fmt: skip
