"""If-conversion of positions that depend on the number of an iteration alone: elements are chosen by rows of a mask.

    scan(8, %x, %a) {                                      %masks: bool[8, 8] = constant(...)
      %y: f32[8] = index_update(%x, %v, %i, spec=(OPERAND,))   scan(8, %x, %masks, %a) {
      ...                                                    %y: f32[8] = select(%mask, %v, %x)

So an iteration that assigns an element of a short vector, and reads all of it, is part of a kernel, and so may all
iterations be.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.naming import take_name
from ..ir.op import Op
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Literal, Operand, Value, literal
from ..kernels.loops import known_by_number
from ..ops.index_batching import OPERAND

MOST_CHOSEN = 2048  # elements of a tensor that an iteration computes anew
MOST_READ = 256  # elements of a vector of which one is read
LARGEST_TABLE = 1 << 16  # bytes of the masks

_DTYPES = ("float32", "float64", "int32", "int64")


def _is_concerned(op: Op) -> bool:
    """Whether an op reads or assigns elements at positions along the first axis."""
    return op is ops.index or op is ops.index_update or op is ops.take


def choose_by_masks(graph: Graph) -> Graph:
    """Choose by masks in all counted loops of a graph."""
    if not any(map(_is_concerned, graph.ops)):
        return graph
    nodes: list[Node] = []
    for node in graph.nodes:
        node = map_subgraphs(node, choose_by_masks)
        nodes += _chosen(node) if node.op is ops.scan else [node]
    return graph.with_nodes(tuple(nodes), graph.outputs)


def _chosen(node: Node) -> list[Node]:
    """A counted loop, behind the masks that it reads."""
    loop = Loop.of(node)
    if loop.length is None or not any(_is_concerned(inner.op) for inner in loop.body.nodes):
        return [node]
    known, _ = known_by_number(loop.body, loop.length)
    tables: dict[tuple[Any, ...], tuple[Node, Value]] = {}

    def mask(positions: np.ndarray, size: int, rank: int) -> Value:
        key = positions.tobytes(), size, rank
        if key not in tables:
            table = (positions[:, None] % size == np.arange(size)).reshape(len(positions), size, *[1] * (rank - 1))
            made = make_node(ops.constant, (), {"value": table}, node.location)
            type = made.output.type
            tables[key] = made, Value(type.with_shape(type.shape[1:]), "chosen")
        return tables[key][1]

    nodes: list[Node] = []
    renamed: dict[Operand, Operand] = {}
    for inner in loop.body.nodes:
        inner = inner.with_inputs(renamed.get(operand, operand) for operand in inner.inputs)
        positions = _positions(inner, known, loop)
        if positions is None:
            nodes.append(inner)
            continue
        x = inner.inputs[0]
        chosen = mask(positions, x.type.static_shape[0], x.type.rank)
        if inner.op is ops.index_update:
            nodes.append(make_node(ops.select, (chosen, inner.inputs[1], x), {}, inner.location))
        else:
            lowest = literal(ops.identity("maximum", x.type.dtype.np), x.type.dtype)
            nodes.append(make_node(ops.select, (chosen, x, lowest), {}, inner.location))
            attrs = {"axis": (0,), "keepdims": False}
            nodes.append(make_node(ops.max, (nodes[-1].output,), attrs, inner.location))
        take_name(nodes[-1].output, inner.output)
        renamed[inner.output] = nodes[-1].output
    if not tables:
        return [node]
    outputs = tuple(renamed.get(operand, operand) for operand in loop.body.outputs)
    stop = loop.rows.stop
    given = loop.body.parameters
    parameters = (*given[:stop], *[row for _, row in tables.values()], *given[stop:])
    body = replace(loop.body, parameters=parameters, nodes=tuple(nodes), outputs=outputs)
    inputs = (*node.inputs[:stop], *[made.output for made, _ in tables.values()], *node.inputs[stop:])
    attrs = {**node.attrs, "body": body, "scanned": loop.scanned + len(tables)}
    return [*[made for made, _ in tables.values()], replace(node, inputs=inputs, attrs=attrs)]


def _positions(node: Node, known: dict[Operand, np.ndarray], loop: Loop) -> np.ndarray | None:
    """The position in each iteration at which a node reads or assigns what masks choose; None for other nodes."""
    if not _is_concerned(node.op) or node.inputs[-1] not in known or isinstance(node.inputs[0], Literal):
        return None
    x, positions = node.inputs[0], known[node.inputs[-1]]
    if not x.type.is_static or not x.type.size or x.type.dtype.numpy_name not in _DTYPES or positions.ndim != 1:
        return None
    size, *rest = x.type.static_shape
    if size * len(positions) > LARGEST_TABLE or positions.dtype.kind != "i":
        return None
    if positions.min() < -size or positions.max() >= size:
        return None
    if node.op is ops.index_update:
        whole, *others = node.attrs["spec"]
        fits = len(node.inputs) == 3 and x.type.size <= MOST_CHOSEN and node.inputs[1].type.rank <= len(rest)
        everything = all(other in ((None, None, 1), (0, n, 1)) for other, n in zip(others, rest, strict=False))
        return positions if fits and whole == OPERAND and everything else None
    by_row = node.attrs["spec"] == (OPERAND,) if node.op is ops.index else node.attrs["axis"] == 0
    inside = x not in loop.body.parameters[loop.rows.stop :]
    return positions if by_row and inside and not rest and size <= MOST_READ and len(node.inputs) == 2 else None
