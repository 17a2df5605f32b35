"""Tensors that a counted loop fills row by row: the loop stacks the rows, and hands on the last ones that it reads.

    scan(8, %y) {                                         %ys = scan(8, %y[1]) {
      %j = add(%i, 2)                                       %row = multiply(0.5, %last)
      %k = add(%i, 1)                                       return %row, %row
      %last = take(%y, %k, axis=0)                        }
      %row = multiply(0.5, %last)                         %y = index_update(%y, %ys[1], spec=((2, 10, 1),))
      %y = index_update(%y, %row, %j, spec=(OPERAND,))
      return %y
    }

So no iteration carries the whole tensor, and neither does an iteration of the backward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from ...compiler import ops as prims
from ...compiler.analysis.affine import Affine, affine_numbers
from ...compiler.ir.graph import Graph, Node, make_node
from ...compiler.ir.values import Literal, Operand, Value
from ...runtime.records import dataclass
from .loop_rows import rows_at

_WRITES = {prims.index_update, prims.dynamic_update_slice}
MOST_BEHIND = 4  # iterations: a row that was written before these is read from the whole


@dataclass(frozen=True)
class Filled:
    """A tensor that the iterations fill.

    Attributes:
        slot: which carried value it was.
        place: which row each iteration writes.
        ahead: which rows they read that are not written yet, in the order of the body's parameters.
        behind: the rows before the first iteration that the body's states begin with, the latest first.
        axis: along which these rows follow each other.
        size: of the blocks that are written in place of single rows, one after the other; else 0.
    """

    slot: int
    place: Affine
    ahead: tuple[Affine, ...]
    behind: tuple[int, ...]
    axis: int
    size: int

    def put(self, whole: Operand, stack: Value, count: int, outside: Callable[..., Value]) -> Value:
        """The tensor with what all iterations have written. `outside`: see `scan_rows`."""
        axis, rows = self.axis, rows_at(self.place, count)
        if axis:
            stack = outside(prims.transpose, stack, axes=(*range(1, axis + 1), 0, *range(axis + 1, stack.type.rank)))
        if self.size:
            rows = slice(rows.start, rows.start + count * self.size, 1)
            shape = stack.type.static_shape
            stack = outside(prims.reshape, stack, shape=(*shape[:axis], count * self.size, *shape[axis + 2 :]))
        full = [(0, size, 1) for size in whole.type.static_shape[:axis]]
        return outside(prims.index_update, whole, stack, spec=(*full, (rows.start, rows.stop, rows.step)))


@dataclass
class _Tensor:
    """What an iteration does with a carried tensor: the node that writes; those that read, with how many iterations
    later their rows are written; and those that read what was just written."""

    slot: int
    write: Node
    place: Affine
    reads: list[tuple[Node, int]]
    own: list[Node]
    axis: int
    size: int = 0


def stack_rows(graph: Graph, carried: int, scanned: int, count: int, reverse: bool) -> tuple[Graph, list[Filled]]:
    """Let the iterations stack the rows of carried tensors that they only fill.

    Args:
        graph: the body: the counter, carried values, scanned ones, captures.
        carried: the number of carried values.
        scanned: the number of scanned ones.
        count: the number of iterations.
        reverse: whether they count down.

    Returns:
        The body, whose carried values are the others and the rows that later iterations read, and whose scanned ones
        are followed by the rows that are not written yet. Its last outputs are the rows that are written.
    """
    found = [tensor for slot in range(carried) if (tensor := _filled(graph, carried, slot, count, reverse))]
    if not found:
        return graph, []
    dropped = {node for tensor in found for node in (tensor.write, *tensor.own, *[node for node, _ in tensor.reads])}
    renamed: dict[Operand, Operand] = {}
    registers: list[Value] = []
    following: list[Operand] = []  # what the registers are in the next iteration
    ahead: list[Value] = []
    rows: list[Operand] = []
    casts: list[Node] = []
    filled: list[Filled] = []
    for tensor in found:
        whole = tensor.write.output.type
        row = tensor.write.inputs[1]
        type = row.type if tensor.size else whole.without_axis(tensor.axis)
        if row.type.shape != type.shape:
            casts.append(make_node(prims.broadcast_to, [row], {"shape": type.static_shape}, tensor.write.location))
            row = casts[-1].output
        behind = max([-distance for _, distance in tensor.reads], default=0)
        kept = [Value(type, f"{tensor.write.output.name}_last") for _ in range(max(behind, 0))]
        new = {distance: Value(type, "row") for _, distance in tensor.reads if distance >= 0}
        for node, distance in tensor.reads:
            renamed[node.output] = new[distance] if distance >= 0 else kept[-distance - 1]
        renamed |= {node.output: row for node in tensor.own}
        registers += kept
        following += [row, *kept][: len(kept)]
        ahead += new.values()
        rows.append(row)
        filled.append(_places(tensor, new, len(kept), count, reverse))

    def current(operands: Iterable[Operand]) -> list[Operand]:
        found = list(operands)
        while not renamed.keys().isdisjoint(found):
            found = [renamed.get(operand, operand) for operand in found]
        return found

    slots = {tensor.slot for tensor in found}
    parameters, stop = graph.parameters, 1 + carried + scanned
    states = [state for slot, state in enumerate(parameters[1 : 1 + carried]) if slot not in slots]
    kept_outputs = [output for slot, output in enumerate(graph.outputs[:carried]) if slot not in slots]
    nodes = [node.with_inputs(current(node.inputs)) for node in (*graph.nodes, *casts) if node not in dropped]
    outputs = current((*kept_outputs, *following, *graph.outputs[carried:], *rows))
    given = (parameters[0], *states, *registers, *parameters[1 + carried : stop], *ahead, *parameters[stop:])
    return replace(graph, parameters=given, nodes=tuple(nodes), outputs=tuple(outputs)), filled


def _places(tensor: _Tensor, ahead: Iterable[int], kept: int, count: int, reverse: bool) -> Filled:
    """A tensor with the rows that are read before they are written, and those that are there before the first."""
    factor, offset = tensor.place
    step = -1 if reverse else 1
    first = offset + (factor * (count - 1) if reverse else 0)
    before = tuple(first - step * factor * distance for distance in range(1, kept + 1))
    places = tuple((factor, offset + step * factor * distance) for distance in ahead)
    return Filled(tensor.slot, tensor.place, places, before, tensor.axis, tensor.size)


def _filled(graph: Graph, carried: int, slot: int, count: int, reverse: bool) -> _Tensor | None:
    """A carried tensor of which each iteration writes one row, and reads rows at fixed distances, if it is one."""
    state, end = graph.parameters[1 + slot], graph.outputs[slot]
    written = [node for node in graph.nodes if end in node.outputs and node.op in _WRITES]
    others = sum(output in (state, end) for output in graph.outputs)
    if len(written) != 1 or others != 1 or not state.type.is_static or not state.type.rank:
        return None
    (write,) = written
    numbers = affine_numbers(graph.parameters[0], graph.nodes)
    if write.inputs[0] is state and write.op is prims.dynamic_update_slice:
        return _filled_by_blocks(graph, slot, write, numbers, count)
    if write.inputs[0] is not state or len(write.inputs) != 3 or write.inputs[2] not in numbers:
        return None
    spec, row = write.attrs["spec"], write.inputs[1]
    axis = spec.index("operand")
    size, sizes = state.type.static_shape[axis], state.type.without_axis(axis).shape
    if any(entry != (0, n, 1) for entry, n in zip(spec[:axis] + spec[axis + 1 :], sizes, strict=False)):
        return None
    if isinstance(row, Literal) or row.type.rank > len(sizes) or sum(state is each for each in write.inputs) != 1:
        return None
    place = numbers[write.inputs[2]]
    factor, offset = place
    ends = offset, factor * (count - 1) + offset
    if not factor or min(ends) < 0 or max(ends) >= size:
        return None
    reads: list[tuple[Node, int]] = []
    own: list[Node] = []
    for node in graph.nodes:
        if node is write or not {state, end}.intersection(node.inputs):
            continue
        distance = _distance(node, numbers, place, reverse, axis)
        if distance is None or distance < -MOST_BEHIND:
            return None
        if distance or state in node.inputs:
            reads.append((node, distance))
        elif row.type.shape == sizes:
            own.append(node)
        else:
            return None
    steps = {distance for _, distance in reads} | {min([0, *[distance for _, distance in reads]])}
    first, last = ends[::-1] if reverse else ends
    sign = -factor if reverse else factor
    if any(not 0 <= (first if n < 0 else last) + sign * n < size for n in steps):
        return None
    return _Tensor(slot, write, place, reads, own, axis)


def _filled_by_blocks(
    graph: Graph, slot: int, write: Node, numbers: Mapping[Operand, Affine], count: int
) -> _Tensor | None:
    """The same for blocks that follow each other, of a tensor that is not read."""
    state, block, *starts = write.inputs
    moving = [axis for axis, start in enumerate(starts) if start in numbers]
    if len(moving) != 1 or sum({state, write.output} & {*node.inputs} != set() for node in graph.nodes) != 1:
        return None
    (axis,) = moving
    size, (factor, offset) = block.type.static_shape[axis], numbers[starts[axis]]
    if block.type.without_axis(axis) != state.type.without_axis(axis) or factor != size or offset < 0:
        return None
    if offset + count * size > state.type.static_shape[axis]:
        return None
    return _Tensor(slot, write, (factor, offset), [], [], axis, size)


def _distance(node: Node, numbers: dict[Operand, Affine], place: Affine, reverse: bool, axis: int) -> int | None:
    """How many iterations after a node reads a row of its first input the row is written; None if that changes."""
    if len(node.inputs) != 2 or node.inputs[1] not in numbers:
        return None
    row = node.op is prims.take and node.attrs.get("axis") == axis
    if not row and (axis or not (node.op is prims.index and node.attrs["spec"] == ("operand",))):
        return None
    (factor, offset), (own, other) = place, numbers[node.inputs[1]]
    steps, rest = divmod(other - offset, factor)
    return None if own != factor or rest else -steps if reverse else steps
