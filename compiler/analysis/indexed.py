"""Which dimensions a node reads or writes at positions that only the run knows: for the messages of wrong positions.

Passes read tensors in other shapes than the user wrote, a transpose in that of its operand, say. The graph from before
them has the user's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import ops
from ..ir.graph import Graph, Node, walk
from ..ir.types import Shape
from ..ir.values import Location, Operand
from ..ops.index_batching import OPERAND, inputs_of


def indexed_at(
    graph: Graph, location: Location, size: int, positions: str, found: tuple[int | None, tuple[int, ...]]
) -> tuple[int | None, tuple[int, ...]]:
    """The dimension of this size that a line indexes, and the shape of its tensor: by a value of a name, if it indexes
    several. `found` if it is one of these, or if there are none; no dimension if they differ."""
    nodes = [node for node in walk(graph) if node.location == location]
    makers: dict[Operand, Node] = {
        node.outputs[0]: node for node in nodes if node.op is ops.reshape or node.op is ops.slice
    }
    items = [(*_before_parts(x, axis, makers), by) for node in nodes for axis, x, by in _indexed_by(node)]
    items = [item for item in items if item[1][item[0]] == size]
    named = [item for item in items if getattr(item[2], "name", "") == positions]
    places = {(axis, tuple(size or 0 for size in shape)) for axis, shape, _ in named or items if None not in shape}
    if not places or found in places:
        return found
    return places.pop() if len(places) == 1 else (None, ())


def _before_parts(x: Operand, axis: int, makers: Mapping[Operand, Node]) -> tuple[int, Shape]:
    """The dimension and the shape that an index expression had, whose numbers and slices are taken first."""
    while x in makers:
        source, shape, after = makers[x].inputs[0], makers[x].inputs[0].type.shape, x.type.shape
        if makers[x].op is ops.reshape:
            if source not in makers or makers[source].op is ops.reshape:
                break
            kept = [place for place, size in enumerate(shape) if size != 1]
            if [shape[place] for place in kept] != [size for size in after if size != 1] or after[axis] == 1:
                break
            axis = kept[sum(size != 1 for size in after[:axis])]
        elif shape[axis] != after[axis]:
            break
        x = source
    return axis, x.type.shape


def _indexed_by(node: Node) -> Iterator[tuple[int, Operand, Operand]]:
    """Each dimension that is indexed by a tensor of positions, the tensor that has it, and the positions."""
    x, attrs = node.inputs[0] if node.inputs else None, node.attrs
    if x is None:
        return
    if node.op.gathers and "axis" in attrs:
        yield attrs["axis"], x, node.inputs[-1]
    elif isinstance(attrs.get("spec"), tuple):
        spec, axis = attrs["spec"], 0
        bounds = list(inputs_of(spec))
        given = iter(zip(bounds, node.inputs[len(node.inputs) - len(bounds) :], strict=True))
        for entry in spec:
            if isinstance(entry, tuple):
                for _ in range(entry.count(OPERAND)):
                    next(given)
            if entry == OPERAND:
                _, operand = next(given)
                if operand.type.dtype.is_bool:
                    axis += operand.type.rank
                    continue
                yield axis, x, operand
            axis += entry is not None and entry is not True
