"""Memoized derivatives of branches: what the derivative of a cond records is kept as a template, and copied for each
further cond whose graphs have the same structure.

%y = cond(%p, %x) { multiply(%x, 0.9) }      [p, x, y, dy] -> cond(p, dy) { multiply(dy, 0.9) }

A template is recorded from a cond of stand-ins, when a second cond of its structure is met. The names of these say
which values of another cond give the names of the copies, and their locations say where the copies stand.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...runtime.records import NamedTuple
from ..ir.dependence import live_nodes
from ..ir.graph import Graph, Node, attrs_key, copy_nodes
from ..ir.naming import ValueNames
from ..ir.op import Op
from ..ir.rules import Derivative
from ..ir.types import TensorType
from ..ir.values import Literal, Location, Operand, Value
from ..ops.control import BOOL
from .rules import fitted
from .symbolic import Recorder, Symbol

MOST_TEMPLATES = 512

Reverse = Callable[[Graph, Sequence[int], Sequence[int], ValueNames, Recorder], Derivative]
"""The derivative of a graph, by the parameters and of the outputs at these positions."""


class NodeTemplate(NamedTuple):
    """A node of a template.

    Attributes:
        hints: the values of the cond that its outputs are the cotangents of; an output without one is named by the op.
        source: the node that it has the location of, among `nodes_of` the cond.
        blocks: the graphs among its attributes.
    """

    op: Op
    inputs: tuple[int, ...]
    attrs: Mapping[str, Any]
    types: tuple[TensorType, ...]
    hints: tuple[int | None, ...]
    source: int | None
    blocks: tuple[tuple[str, GraphTemplate], ...]


class GraphTemplate(NamedTuple):
    """A graph, `recorded` for stand-ins. Its values are numbered: parameters, numbers of its own, outputs of its
    nodes."""

    recorded: Graph
    numbers: tuple[Literal, ...]
    nodes: tuple[NodeTemplate, ...]
    outputs: tuple[int, ...]


class Extension(NamedTuple):
    """What a graph of the forward cond gains: nodes that define what it does not have, and outputs, which are numbered:
    parameters, outputs of its nodes, those of the nodes added."""

    nodes: tuple[tuple[Op, Mapping[str, Any], TensorType], ...]
    outputs: tuple[int, ...]


class BranchTemplate(NamedTuple):
    """The derivative of a cond. The values of its body are numbered: inputs of the cond, its outputs, cotangents, and
    the body's own.

    Attributes:
        further: the outputs that the cond gains: their types, and the values that give their names.
        extensions: for each graph of the cond what it gains.
        reads: the inputs and outputs that the body reads, in the order in which it captures them.
        body: the nodes to record, and the cotangents of the inputs.
        results: which of these the body gives, in order.
        is_whole: whether it uses each cotangent that it is given, and gives each that is wanted.
    """

    further: tuple[tuple[TensorType, int], ...]
    extensions: tuple[tuple[str, Extension], ...]
    reads: tuple[int, ...]
    body: GraphTemplate
    results: tuple[bool, ...]
    is_whole: bool

    def forward(self, node: Node, names: ValueNames) -> Node:
        """The cond with the outputs that its derivative reads."""
        if not self.further:
            return node
        known = values_of(node)
        extra = []
        for type, place in self.further:
            extra.append(Value(type))
            names.give(extra[-1], known[place].name)
        attrs = {key: _extended(node.attrs[key], extension) for key, extension in self.extensions}
        return Node(node.op, node.inputs, (*node.outputs, *extra), attrs, node.location)


_NOT_MET: Any = object()
_MET_ONCE: Any = object()
_templates: dict[Hashable, BranchTemplate | None] = {}  # by structure


def branch_template(
    node: Node,
    wanted: Sequence[bool],
    douts: Sequence[Operand | None],
    recorder: type[Recorder],
    reverse: Reverse,
) -> BranchTemplate | None:
    """The template for the cotangents that are wanted; None for a cond whose structure is met for the first time, or
    holds more than plain nodes.

    Args:
        node: the cond.
        wanted: which of its inputs have cotangents.
        douts: the cotangents of its outputs.
        recorder: the class of recorders that derivatives run in.
        reverse: differentiates the graphs of the cond.
    """
    given: list[Any] = [operand for operand in (*node.inputs, *douts) if operand is not None]
    if len(set(given)) < len(given) or Literal in map(type, given):
        return None
    key: list[Hashable] = [node.op, *wanted]
    key += [operand.type for operand in node.inputs]
    key += [None if dout is None else dout.type for dout in douts]
    for graph in node.subgraphs:
        if not _add_structure(graph, key):
            return None
    structure = tuple(key)
    found = _templates.get(structure, _NOT_MET)  # another thread may clear them
    if found is _NOT_MET:  # most are not met again
        if len(_templates) >= MOST_TEMPLATES:
            _templates.clear()
        _templates[structure] = _MET_ONCE
        return None
    if found is _MET_ONCE:
        found = _templates[structure] = _record(node, wanted, douts, recorder, reverse)
    return found


def _add_structure(graph: Graph, key: list[Hashable]) -> bool:
    """Add what the derivative of a graph depends on; whether its nodes are plain."""
    order: dict[Operand, int] = dict(zip(graph.parameters, itertools.count(), strict=False))
    get = order.get
    for node in graph.nodes:
        op = node.op
        attrs = attrs_key(node.attrs) if node.attrs else ()
        if attrs is None or op.holds_graphs or op.has_effect or op.crosses:
            return False
        key.append(op)
        key.append(attrs)
        key += map(get, node.inputs, node.inputs)
        for value in node.outputs:
            key.append(value.type)
            order[value] = len(order)
    key.append(len(graph.outputs))
    key += map(get, graph.outputs, graph.outputs)
    return True


def values_of(node: Node) -> list[Any]:
    """The values that a cond reads, makes and holds."""
    found: list[Any] = [*node.inputs, *node.outputs]
    for graph in node.subgraphs:
        found += graph.parameters
        for inner in graph.nodes:
            found += inner.outputs
    return found


def nodes_of(node: Node) -> list[Node]:
    """A cond and the nodes that it holds."""
    found = [node]
    for graph in node.subgraphs:
        found += graph.nodes
    return found


def _extended(graph: Graph, extension: Extension) -> Graph:
    added = tuple([Node(op, (), (Value(type),), attrs, None) for op, attrs, type in extension.nodes])
    nodes = (*graph.nodes, *added)
    values = [*graph.parameters, *[value for node in nodes for value in node.outputs]]
    return graph.with_nodes(nodes, (*graph.outputs, *[values[place] for place in extension.outputs]))


class Copies:
    """Copies of a template's nodes for one cond."""

    def __init__(self, node: Node, names: ValueNames) -> None:
        self.names = names
        self.known = values_of(node)
        self.sources = nodes_of(node)

    def nodes(self, graph: GraphTemplate, values: list[Any]) -> list[Node]:
        """The nodes of a graph whose parameters are `values`. These gain its numbers, and what the nodes compute."""
        names, known = self.names, self.known
        values += graph.numbers
        made: list[Node] = []
        for op, places, attrs, types, hints, source, blocks in graph.nodes:
            inputs = tuple(map(values.__getitem__, places))
            if blocks:
                attrs = {**attrs, **{key: self.graph(block, inputs[1:]) for key, block in blocks}}
            outputs = tuple(map(Value, types))
            for place, hint in enumerate(hints):  # sooner than a strict zip
                if hint is None:
                    names.number(outputs[place], op.name)
                else:
                    names.give(outputs[place], f"d_{known[hint].name}")
            made.append(Node(op, inputs, outputs, attrs, None if source is None else self.sources[source].location))
            values += outputs
        return made

    def graph(self, graph: GraphTemplate, outer: Sequence[Operand]) -> Graph:
        """A graph inside a node that gives it the values `outer`."""
        recorded = graph.recorded
        pairs = zip(recorded.parameters, outer, strict=True)
        parameters = tuple([Value(value.type, each.name) for value, each in pairs])  # type: ignore[union-attr]
        values: list[Any] = list(parameters)
        nodes = tuple(self.nodes(graph, values))
        made = Graph(recorded.name, parameters, nodes, tuple(map(values.__getitem__, graph.outputs)))
        made.share_facts(recorded)
        return made


class _Hints(ValueNames):
    """Names that say what values are to be named by: as they are given, none twice made different."""

    def give(self, value: Value, hint: str) -> None:
        value.name = hint

    def number(self, value: Value, op: str) -> None:
        value.name = ""

    def improve(self, operand: Operand, hint: str) -> None:
        if isinstance(operand, Value) and not operand.name:
            operand.name = hint

    def copied(self, value: Value, source: Value) -> None:
        value.name = source.name


def _record(
    node: Node, wanted: Sequence[bool], douts: Sequence[Operand | None], kind: type[Recorder], reverse: Reverse
) -> BranchTemplate | None:
    """The derivative of stand-ins for a cond and its graphs."""
    names = _Hints()
    scope = Recorder("scope", names=names)
    recorder = kind("rule", scope)
    stand = _stand_in(node)
    recorder.locate = lambda: stand.location
    cotangents = [None if dout is None else Value(dout.type, "dout") for dout in douts]
    inputs = [Symbol(operand, scope) for operand in stand.inputs]
    with recorder:
        assert node.op.linearize is not None
        present = [dout is not None for dout in douts]
        linear = node.op.linearize(stand, wanted, present, lambda graph, by, of: reverse(graph, by, of, names, scope))
        outputs = [Symbol(value, scope) for value in linear.node.outputs]
        given = [None if dout is None else Symbol(dout, recorder) for dout in cotangents]
        found = fitted(stand, inputs, linear.backward(inputs, outputs, given), wanted)
    results = [None if symbol is None else recorder.lift(symbol) for symbol in found]
    hints = {value.name: place for place, value in enumerate(values_of(stand))}
    outer = [*stand.inputs, *linear.node.outputs]
    given_back = tuple([result for result in results if result is not None])
    kept, used = live_nodes(recorder.nodes, given_back)
    inner = [each.op for made in kept for block in made.subgraphs for each in block.nodes]
    if any(op.holds_graphs for op in (*inner, *[made.op for made in kept if made.op is not node.op])):
        return None
    further = [(value.type, hints[value.name]) for value in linear.node.outputs[len(stand.outputs) :]]
    extensions = [(key, _extension(graph, linear.node.attrs[key])) for key, graph in stand.blocks.items()]
    own = [recorder.captures.get(value, value) for value in outer]
    parameters = (*own, *[dout or Value(BOOL) for dout in cotangents])
    body = Graph("body", parameters, tuple(kept), given_back)
    return BranchTemplate(
        tuple(further),
        tuple(extensions),
        tuple([outer.index(value) for value, captured in recorder.captures.items() if captured in used]),
        _template(body, hints),
        tuple([result is not None for result in results]),
        used.issuperset([dout for dout in cotangents if dout is not None])
        and all(not want or result is not None for want, result in zip(wanted, results, strict=True)),
    )


def _stand_in(node: Node) -> Node:
    """A cond of the same structure, in which each value is named by its place among `values_of`, and each node has as
    line its place among `nodes_of`."""
    lines = itertools.count()
    location, attrs = Location("", next(lines)), dict(node.attrs)
    for key, graph in node.blocks.items():
        parameters = tuple([Value(value.type) for value in graph.parameters])
        copied, outputs = copy_nodes(graph, parameters)
        nodes = tuple([replace(each, location=Location("", next(lines))) for each in copied])
        attrs[key] = Graph(graph.name, parameters, nodes, outputs)
    inputs = tuple([Value(operand.type) for operand in node.inputs])
    made = Node(node.op, inputs, tuple([Value(value.type) for value in node.outputs]), attrs, location)
    for place, value in enumerate(values_of(made)):
        value.name = f"v{place}"
    return made


def _extension(before: Graph, after: Graph) -> Extension:
    """What a graph has gained."""
    added, outputs = after.nodes[len(before.nodes) :], after.outputs[len(before.outputs) :]
    values: list[Operand] = [*after.parameters, *[value for node in after.nodes for value in node.outputs]]
    nodes = tuple([(node.op, node.attrs, node.output.type) for node in added])
    return Extension(nodes, tuple([values.index(value) for value in outputs]))


def _template(graph: Graph, hints: Mapping[str, int]) -> GraphTemplate:
    """The template of a graph whose nodes are named and located by stand-ins."""
    read = [operand for node in graph.nodes for operand in node.inputs]
    numbers = tuple(dict.fromkeys([each for each in (*read, *graph.outputs) if isinstance(each, Literal)]))
    values: list[Operand] = [*graph.parameters, *numbers, *[value for node in graph.nodes for value in node.outputs]]
    places = {value: place for place, value in enumerate(values)}
    nodes = []
    for node in graph.nodes:
        nodes.append(
            NodeTemplate(
                node.op,
                tuple([places[operand] for operand in node.inputs]),
                node.attrs,
                tuple([value.type for value in node.outputs]),
                tuple([hints.get(value.name[2:]) for value in node.outputs]),
                None if node.location is None else node.location.line,
                tuple([(key, _template(block, hints)) for key, block in node.blocks.items()]),
            )
        )
    return GraphTemplate(graph, numbers, tuple(nodes), tuple([places[each] for each in graph.outputs]))
