"""Rematerialization in kernels: a kernel computes cheap values again that another one would store for it.

    %m, %n = kernel(%x) {                          %m, %r = kernel(%x) {
      %m = subtract(%x, %mean)                       %m = subtract(%x, %mean)
      %n = multiply(%m, %r)                          ...
      return %m, %r, %n                              return %m, %r
    }                                              }
    %y = kernel(%m, %r, %n) { ... }                %y = kernel(%m, %r) { %n = multiply(%m, %r) ... }

That takes fewer passes over memory, and less of it: much of what a backward graph reads is one operation away from
something else that it reads. A value may also be computed from a smaller one, such as a mask of floats from bools.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from ...runtime.native.stages import MOST_AGAIN
from .. import ops
from ..analysis.updates import find_updates
from ..ir.graph import Graph, Node, substitute
from ..ir.values import Operand, Value
from ..kernels.groups import has_kernel
from .cse import eliminate_common_subexpressions
from .dce import eliminate_dead_code

SMALLEST = 1 << 12  # elements; smaller values are read again from the nearest cache
SMALLER = 2  # times that what is stored instead must be smaller, at least
MORE = 1.25  # times that a reader may read more bytes at most: numbers for each row beside the rows
MOST_NODES = 200  # of a kernel


def rematerialize(graph: Graph, inner: bool = False) -> Graph:
    """Let kernels compute again what they can from values that they read, or that live as long. `inner`: whether the
    graph is inside of another."""
    kernels = [node for node in graph.nodes if node.op is ops.kernel]
    if len(kernels) < 2 or not [1 for node in kernels for x in node.outputs if x.type.known_size >= SMALLEST]:
        return graph
    # Nearly all kernels that come out fit, those on the way are many more: they are looked at only if one does not.
    for careful in (False, True):
        search = _Search(graph, inner, careful)
        while search.run():
            pass
        if careful or all(map(fits, set(search.nodes).difference(graph.nodes))):
            break
    if not search.changes:
        return graph
    changed = set(search.nodes).difference(graph.nodes)
    nodes = [
        _once(node) if node in changed else node for node in search.nodes if node.outputs or node.op is not ops.kernel
    ]
    return graph.with_nodes(tuple(nodes))


def _once(node: Node) -> Node:
    """A kernel without the common subexpressions of the values that it computes again."""
    body = eliminate_common_subexpressions(node.attrs["body"])
    if len(body.nodes) == len(node.attrs["body"].nodes) or len({*body.outputs}) < len(body.outputs):
        return node
    return replace(node, attrs={**node.attrs, "body": body})


class _Search:
    """The nodes of a graph, while values move.

    Attributes:
        nodes: the nodes now.
        careful: whether each new kernel is translated, and what leads to one that machine code has no form for is left.
        readers: the positions of the nodes that read a value, and that behind all for a result.
        lasting: values that live as long as the program runs.
        updated: values that are written to Parameters.
        updates: nodes that run last, to do so. They, and kernels of the former, read and store no more than they did.
        plain: what `in_order` has found.
        changes: how often a value has moved.
        tried: how often one had, when a value that stayed was tried. It stays until another moves.
    """

    def __init__(self, graph: Graph, inner: bool, careful: bool) -> None:
        self.nodes = list(graph.nodes)
        self.careful = careful
        self.readers: dict[Operand, set[int]] = {}
        for position, node in enumerate(graph.nodes):
            for operand in node.inputs:
                self.readers.setdefault(operand, set()).add(position)
        for operand in graph.outputs:
            self.readers.setdefault(operand, set()).add(len(graph.nodes))
        self.lasting: set[Operand] = set() if inner else set(graph.parameters)
        self.lasting -= {graph.parameters[position] for position in graph.donated.values()}
        self.updated = {graph.outputs[position] for position in graph.donated}
        self.updates = find_updates(graph)
        self.plain: dict[Node, frozenset[Operand]] = {}
        self.changes = 0
        self.tried: dict[Value, int] = {}

    def run(self) -> bool:
        """Try each output of each kernel; whether one has gone."""
        before = self.changes
        for position, node in enumerate(self.nodes):
            for value in node.outputs if self.is_open(node) else ():
                if value.type.is_static and value.type.size >= SMALLEST and self.tried.get(value) != self.changes:
                    if self.remove(position, value):
                        self.changes += 1
                    else:
                        self.tried[value] = self.changes
        return self.changes != before

    def remove(self, position: int, value: Value) -> bool:
        """Let all readers of a kernel's output compute it; whether they can."""
        readers = sorted(self.readers.get(value, ()))
        if not readers or readers[-1] == len(self.nodes) or any(not self.computes(each, value) for each in readers):
            return False
        source = _Source(self.nodes[position])
        found: list[_Cut] = []
        for each in readers:
            cut = source.cut(value, self.nodes[each], partial(self.is_free, each))
            if cut is None:
                return False
            found.append(cut)
        stored = {leaf: leaf.type.nbytes for _, leaves in found for leaf in leaves}
        if SMALLER * sum(stored.values()) > value.type.nbytes:
            return False
        new = {position: source.without(value, stored)}
        for each, (again, _) in zip(readers, found, strict=True):
            new[each] = _with(self.nodes[each], value, again, source)
        if self.careful and not all(map(fits, new.values())):
            return False
        for each, node in new.items():
            for operand in self.nodes[each].inputs:
                self.readers[operand].discard(each)
            for operand in node.inputs:
                self.readers.setdefault(operand, set()).add(each)
            self.nodes[each] = node
        return True

    def is_open(self, node: Node) -> bool:
        """Whether a node is a kernel that may change."""
        return node.op is ops.kernel and node not in self.updates and self.updated.isdisjoint(node.outputs)

    def computes(self, position: int, value: Value) -> bool:
        """Whether a node is a kernel that may compute a value which it reads."""
        node = self.nodes[position]
        return self.is_open(node) and value in self.in_order(node)

    def in_order(self, node: Node) -> frozenset[Operand]:
        """The inputs of a kernel of which it reads the elements in their order."""
        found = self.plain.get(node)
        if found is None:
            body: Graph = node.attrs["body"]
            moved: set[Operand] = set()
            for each in body.nodes:
                if each.op.kind != "elementwise" and (each.op.kind != "reduction" or each.op.scan):
                    moved.update(each.inputs)
            pairs = zip(node.inputs, body.parameters, strict=True)
            read = [outside for outside, inside in pairs if inside not in moved]
            once = [each for each in read if node.inputs.count(each) == 1] if len(body.nodes) < MOST_NODES else ()
            found = self.plain[node] = frozenset(once)
        return found

    def is_free(self, position: int, leaf: Operand) -> bool:
        """Whether a value need not be stored for the node at a position."""
        return leaf in self.lasting or max(self.readers.get(leaf, ()), default=-1) >= position


_Cut = tuple[list[Node], list[Operand]]
"""The nodes that compute a value, in order, and the values that must be stored for them."""


class _Source:
    """A kernel whose outputs others may compute."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.body: Graph = node.attrs["body"]
        self.producers = {value: inner for inner in self.body.nodes for value in inner.outputs}
        self.outside: dict[Operand, Value] = dict(zip(self.body.outputs, node.outputs, strict=True))
        self.outside.update(zip(self.body.parameters, node.inputs, strict=True))  # type: ignore[arg-type]

    def cut(self, value: Value, reader: Node, is_free: Callable[[Operand], bool]) -> _Cut | None:
        """How a reader computes an output, with the fewest bytes stored for it; None if it would read more than it
        does."""
        taken: dict[Node, None] = {}
        best: _Cut | None = None
        fewest = value.type.nbytes
        pending: list[Operand] = [self.body.outputs[self.node.outputs.index(value)]]
        while pending and len(taken) < MOST_AGAIN:
            node = self.producers.get(pending[0])
            if node is None or node.op.kind != "elementwise" or not node.op.cheap:
                break
            taken[node] = None
            leaves = [each for inner in taken for each in inner.inputs if self.producers.get(each) not in taken]
            read = [each for each in dict.fromkeys(leaves) if isinstance(each, Value)]
            pending = [each for each in read if each not in self.outside or not is_free(self.outside[each])]
            size = sum([each.type.nbytes for each in pending])
            if size < fewest:
                more = sum([each.type.nbytes for each in read if self.outside.get(each) not in reader.inputs])
                if more <= MORE * value.type.nbytes:
                    fewest, best = size, ([each for each in self.body.nodes if each in taken], pending)
        return best

    def without(self, value: Value, stored: Collection[Operand]) -> Node:
        """The kernel without an output, and with others; `outside` gets them."""
        body, node = self.body, self.node
        kept = [(inside, each) for inside, each in zip(body.outputs, node.outputs, strict=True) if each is not value]
        for inside in stored:
            if isinstance(inside, Value) and inside not in self.outside:
                self.outside[inside] = Value(inside.type, inside.name)
                kept.append((inside, self.outside[inside]))
        inner = eliminate_dead_code(replace(body, outputs=tuple(inside for inside, _ in kept)))
        return _made(node, inner, node.inputs, [each for _, each in kept])


def _with(node: Node, value: Value, again: list[Node], source: _Source) -> Node:
    """A kernel that computes a value which it reads. `again` are the nodes of another kernel that do so."""
    body: Graph = node.attrs["body"]
    inputs = list(node.inputs)
    parameters = list(body.parameters)
    # A value of its own: the other kernel may still have this one, and both may become part of one graph.
    inside = Value(value.type, value.name)
    body = substitute(body, {parameters[inputs.index(value)]: inside})
    mapping: dict[Operand, Operand] = {}
    made: list[Node] = []
    for each in again:
        for operand in each.inputs:
            if operand in mapping or not isinstance(operand, Value):
                continue
            outside = source.outside[operand]
            if outside not in inputs:
                inputs.append(outside)
                parameters.append(Value(operand.type, operand.name))
            mapping[operand] = parameters[inputs.index(outside)]
        output = inside if each is again[-1] else Value(each.output.type, each.output.name)
        mapping[each.output] = output
        made.append(
            Node(each.op, tuple([mapping.get(x, x) for x in each.inputs]), (output,), each.attrs, each.location)
        )
    kept = [each for each in zip(inputs, parameters, strict=True) if each[0] is not value]
    # Where it is first read: so kernels of equal steps are equal, also those that had the nodes themselves.
    first = next((place for place, each in enumerate(body.nodes) if inside in each.inputs), 0)
    nodes = (*body.nodes[:first], *made, *body.nodes[first:])
    graph = replace(body, parameters=tuple(each for _, each in kept), nodes=nodes)
    return _made(node, graph, [operand for operand, _ in kept], node.outputs)


def _made(node: Node, body: Graph, inputs: Sequence[Operand], outputs: Sequence[Value]) -> Node:
    """A kernel with another body, without inputs that nothing reads."""
    read = {operand for inner in body.nodes for operand in inner.inputs} | {*body.outputs}
    kept = [pair for pair in zip(inputs, body.parameters, strict=True) if pair[1] in read]
    if len(kept) < len(body.parameters):
        body = replace(body, parameters=tuple([each for _, each in kept]))
    read_outside = tuple([operand for operand, _ in kept])
    return Node(node.op, read_outside, tuple(outputs), {**node.attrs, "body": body}, node.location)


def fits(node: Node) -> bool:
    """Whether machine code can compute a kernel, if it gives anything."""
    return not node.outputs or has_kernel(node.attrs["body"])
