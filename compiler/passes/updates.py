"""Horizontal (multi-tensor) fusion: equal updates of many small Parameters become one update of a vector that holds
them all.

    %a: f32[4] = subtract(%p, %g)            %v: f32[10] = pack(%p, %q)
    %b: f32[2, 3] = subtract(%q, %h)         %d: f32[10] = concatenate(%g, %h)
                                             %w: f32[10] = subtract(%v, %d)
                                             %a: f32[4], %b: f32[2, 3] = unpack(%w)

An optimizer updates every parameter by the same few elementwise operations. For small parameters each operation takes
as long to call as to compute. So their arrays are packed (`pack`), updated at once, and unpacked (`unpack`). If the
parameters are adjacent in memory, as optimizers arrange it, nothing is copied: see `runtime/packing.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Any

from ...runtime.packing import SMALL
from ...runtime.records import dataclass
from .. import ops
from ..analysis.updates import find_updates
from ..ir.graph import Graph, Node, make_node
from ..ir.values import Literal, Operand, Value

Signature = tuple[Any, ...]


@dataclass
class _Update:
    """The elementwise nodes that update parameters of one shape together.

    Attributes:
        nodes: in order.
        leaves: their inputs from outside, without numbers and scalars.
        targets: for each output of the graph that they compute, its position.
        signature: the same for updates that do the same to other parameters.
    """

    nodes: list[Node]
    leaves: list[Value] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    signature: Signature | None = None


def pack_updates(graph: Graph) -> Graph:
    """Update small parameters together, if their updates are the same, and if that saves calls."""
    updating = find_updates(graph)
    if len(updating) < 2:
        return graph
    describe = _Describer(graph, updating)
    found = _connected([node for node in graph.nodes if node in updating and node.op.kind == "elementwise"])
    for update in found:
        describe(update)
    outputs = list(graph.outputs)
    gone: set[Node] = set()
    new: list[Node] = []
    for updates in _neighbours(found):
        if _pays(updates):
            new += _together(updates, graph, outputs)
            gone.update(node for update in updates for node in update.nodes)
    if not gone:
        return graph
    kept = tuple(node for node in graph.nodes if node not in gone)
    return graph.with_nodes((*kept, *new), tuple(outputs))


def _neighbours(updates: Sequence[_Update]) -> list[list[_Update]]:
    """Equal updates of small parameters that follow one another, in the order of the parameters: optimizers lay small
    ones of a dtype side by side. One that is updated in another way lies between the others and ends a group."""
    groups: list[list[_Update]] = []
    last: dict[Any, list[_Update]] = {}  # by dtype
    for update in sorted(updates, key=lambda update: update.targets):
        type = update.nodes[-1].output.type
        if not update.targets or type.nbytes > SMALL:
            continue
        before = last.get(type.dtype)
        if before is not None and update.signature is not None and before[0].signature == update.signature:
            before.append(update)
        else:
            last[type.dtype] = [update]
            groups.append(last[type.dtype])
    return groups


def _connected(nodes: Sequence[Node]) -> list[_Update]:
    """The nodes in groups that share only scalars."""
    group: dict[Node, list[Node]] = {}
    producers: dict[Value, Node] = {}
    for node in nodes:
        if node.output.type.shape == ():
            continue  # values that are the same for all parameters, such as a power of Adam's betas
        mine = [node]
        group[node] = mine
        producers[node.output] = node
        for operand in node.inputs:
            other = group.get(producers[operand]) if operand in producers else None
            if other is not None and other is not mine:
                larger, smaller = (other, mine) if len(other) >= len(mine) else (mine, other)
                larger += smaller
                for member in smaller:
                    group[member] = larger
                mine = larger
    order = {node: position for position, node in enumerate(nodes)}
    distinct = {id(members): members for members in group.values()}
    return [_Update(sorted(members, key=order.__getitem__)) for members in distinct.values()]


class _Describer:
    """Computes what updates read and write, and the signatures of those that may be packed."""

    def __init__(self, graph: Graph, updating: Collection[Node]) -> None:
        self.graph = graph
        self.parameters = frozenset(graph.parameters)
        self.positions: dict[Operand, list[int]] = {}
        for position, output in enumerate(graph.outputs):
            self.positions.setdefault(output, []).append(position)
        others = [node for node in updating if node.op.kind != "elementwise"]
        self.read_by_others = {operand for node in others for operand in node.inputs}

    def __call__(self, update: _Update) -> None:
        """Describe one update."""
        update.targets = sorted(place for node in update.nodes for place in self.positions.get(node.output, ()))
        shape, size = update.nodes[0].output.type.shape, max(node.output.type.nbytes for node in update.nodes)
        if not 0 < size <= SMALL or any(node.output.type.shape != shape for node in update.nodes):
            return
        inside: dict[Operand, int] = {}
        places: dict[Value, int] = {}
        signature: list[Any] = []
        for number, node in enumerate(update.nodes):
            inputs = tuple(_describe(operand, inside, places) for operand in node.inputs)
            signature.append((node.op, tuple(sorted(node.attrs.items())), node.output.type.dtype, inputs))
            inside[node.output] = number
        if any(leaf.type.shape != shape for leaf in places):
            return
        update.leaves = list(places)
        written = [self.graph.parameters[self.graph.donated[position]] for position in update.targets]
        read = self.parameters.intersection(update.leaves)
        # Each parameter that is read is updated here, and by no other node. So all can be updated in place.
        if not read.issubset(written) or len(set(written)) < len(written) or not self.read_by_others.isdisjoint(inside):
            return
        for position, parameter in zip(update.targets, written, strict=True):
            signature.append((inside[self.graph.outputs[position]], places.get(parameter)))
        try:
            hash(tuple(signature))
        except TypeError:  # an attribute that has no hash
            return
        update.signature = tuple(signature)


def _describe(operand: Operand, inside: Mapping[Operand, int], places: dict[Value, int]) -> tuple[Any, ...]:
    """The description of an update's input: one of its nodes, a number, a scalar, or a leaf, which gets an index."""
    if operand in inside:
        return "node", inside[operand]
    if isinstance(operand, Literal):
        return operand.type.dtype, operand.type.shape, repr(operand.value)
    if operand.type.shape == ():
        return "scalar", operand
    return "leaf", places.setdefault(operand, len(places)), operand.type.dtype


def _pays(updates: Sequence[_Update]) -> bool:
    """Whether packing saves time if all parameters have to be copied to the vector and back. A copy costs half a
    call."""
    first = updates[0]
    copies = len(first.targets) + len(first.leaves)
    return (len(updates) - 1) * len(first.nodes) > len(updates) * copies / 2


def _together(updates: Sequence[_Update], graph: Graph, outputs: list[Operand]) -> list[Node]:
    """The nodes that make all these updates at once. Their outputs replace the old ones."""
    first = updates[0]
    location = first.nodes[0].location
    producers = {value: node for node in graph.nodes for value in node.outputs}
    new: list[Node] = []

    def add(node: Node, hint: str = "") -> Value:
        new.append(node)
        if hint:
            node.output.name = hint
        return node.output

    inside: dict[Operand, Operand] = {}
    for number in range(len(first.targets)):
        parts = [graph.parameters[graph.donated[update.targets[number]]] for update in updates]
        hint = f"packed_{parts[0].name}" if parts[0].name else ""
        inside[parts[0]] = add(make_node(ops.pack, parts, {}, location), hint)
    for place, leaf in enumerate(first.leaves):
        if leaf not in inside:
            whole = _one_slice([update.leaves[place] for update in updates], producers)
            if whole is not None:
                inside[leaf] = add(whole)
                continue
            flat = [
                part
                if part.type.rank == 1
                else add(make_node(ops.reshape, [part], {"shape": (part.type.size,)}, location))
                for part in (update.leaves[place] for update in updates)
            ]
            inside[leaf] = add(make_node(ops.concatenate, flat, {"axis": 0}, location))
    for node in first.nodes:
        inputs = [inside.get(operand, operand) for operand in node.inputs]
        inside[node.output] = add(make_node(node.op, inputs, node.attrs, node.location))
    for number, target in enumerate(first.targets):
        positions = [update.targets[number] for update in updates]
        shapes = tuple(outputs[position].type.static_shape for position in positions)
        node = make_node(ops.unpack, [inside[graph.outputs[target]]], {"shapes": shapes}, location)
        new.append(node)
        for position, value in zip(positions, node.outputs, strict=True):
            value.name = getattr(graph.outputs[position], "name", "")
            outputs[position] = value
    return new


def _one_slice(parts: Sequence[Value], producers: Mapping[Value, Node]) -> Node | None:
    """The slice of a vector that consists of these tensors, one after another; None if there is none."""
    first: Node | None = None
    end = 0
    for part in parts:
        node = producers.get(part)
        while node is not None and node.op.keeps_order and isinstance(node.inputs[0], Value):
            node = producers.get(node.inputs[0])
        if node is None or node.op is not ops.slice or node.output.type.rank != 1 or node.attrs["step"] != (1,):
            return None
        if node.output.type.dtype is not part.type.dtype or node.attrs["stop"][0] is None:
            return None
        if first is None:
            first = node
        elif node.inputs != first.inputs or node.attrs["start"] != (end,):
            return None
        end = node.attrs["stop"][0]
    if first is None:
        return None
    return make_node(ops.slice, first.inputs, {**first.attrs, "stop": (end,)}, first.location)
