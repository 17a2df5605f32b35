"""The intermediate representation: immutable nodes and graphs on typed values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from ...runtime.dtypes import DType
from ...runtime.records import cached_property, dataclass
from .op import Op
from .types import TensorType
from .values import Literal, Location, Operand, Value, type_of

_NO_ATTRS: Mapping[str, Any] = MappingProxyType({})


@dataclass(eq=False, init=False)
class Node:
    """One use of an op.

    Attributes:
        is_settled: set once all of `Op.rewrites`, which see nothing but the node, were tried and none applied.
    """

    __slots__ = ("_subgraphs", "attrs", "inputs", "is_settled", "location", "op", "outputs")
    op: Final[Op]
    inputs: Final[tuple[Operand, ...]]
    outputs: Final[tuple[Value, ...]]
    attrs: Final[Mapping[str, Any]]
    location: Final[Location | None]

    def __init__(
        self,
        op: Op,
        inputs: tuple[Operand, ...],
        outputs: tuple[Value, ...],
        attrs: Mapping[str, Any],
        location: Location | None,
    ) -> None:
        self.op = op
        self.inputs = inputs
        self.outputs = outputs
        self.attrs = attrs
        self.location = location
        self.is_settled = False

    @property
    def output(self) -> Value:
        """The only output."""
        (value,) = self.outputs
        return value

    @property
    def flops(self) -> int:
        """Floating-point operations of products and convolutions; 0 for sizes that only the run knows."""
        if self.op.flops is None:
            return 0
        given, results = [operand.type for operand in self.inputs], [value.type for value in self.outputs]
        return self.op.flops(given, results, **self.attrs)

    @property
    def windows(self) -> Sequence[Any] | None:
        """The inputs of which the output is made, and where they lie in it (`Op.windows`); None of other nodes."""
        return None if self.op.windows is None else self.op.windows(self)

    @property
    def is_speculatable(self) -> bool:
        """Whether it may be computed where the program would not: there sizes that only the run knows may not fit."""
        return self.op.is_speculatable and all(x.type.is_static for x in (*self.inputs, *self.outputs))

    @property
    def has_effect(self) -> bool:
        """Whether the node, or one in its sub-graphs, must be kept and stay in order."""
        if self.op.has_effect or not self.op.holds_graphs:
            return self.op.has_effect
        return any(graph.has_effect for graph in self.subgraphs)

    @property
    def blocks(self) -> dict[str, Graph]:
        """The graphs among the attributes, by the attributes' names."""
        return {key: value for key, value in self.attrs.items() if isinstance(value, Graph)}

    @property
    def subgraphs(self) -> tuple[Graph, ...]:
        """The graphs among the attributes."""
        if not self.op.holds_graphs:
            return ()
        try:
            return self._subgraphs
        except AttributeError:  # passes ask again and again
            self._subgraphs: tuple[Graph, ...] = tuple(
                [each for each in self.attrs.values() if isinstance(each, Graph)]
            )
        return self._subgraphs

    def with_inputs(self, inputs: Iterable[Operand]) -> Node:
        """The same node with other inputs of the same types."""
        return Node(self.op, tuple(inputs), self.outputs, self.attrs, self.location)

    def __repr__(self) -> str:
        return f"{', '.join(map(repr, self.outputs))} = {self.op.name}({', '.join(map(repr, self.inputs))})"


_PLAIN = frozenset((int, str, type(None), DType))  # equal values of which mean the same

_inferred: dict[Hashable, tuple[TensorType, ...]] = {}
MOST_INFERRED = 4096


def attrs_key(attrs: Mapping[str, Any]) -> Hashable | None:
    """A key that only equal attributes share; None for attributes of other kinds than numbers, texts, dtypes and
    tuples."""
    found: list[Hashable] = []
    for name, value in attrs.items():
        kind = type(value)
        if kind is bool or kind is float:
            value = kind, repr(value)
        elif kind not in _PLAIN and not (kind is tuple and _PLAIN.issuperset(map(type, value))):
            return None
        found.append((name, value))
    return tuple(found)


def infer_types(op: Op, inputs: Sequence[TensorType], attrs: Mapping[str, Any]) -> tuple[TensorType, ...]:
    """The types of an op's outputs. Errors name the op, as in MindSpore."""
    given = attrs_key(attrs) if attrs else ()
    if given is None:
        return _infer_anew(op, inputs, attrs)
    key = op, *inputs, given
    found = _inferred.get(key)
    if found is None:
        found = _infer_anew(op, inputs, attrs)
        if len(_inferred) >= MOST_INFERRED:
            _inferred.clear()
        _inferred[key] = found
    return found


def _infer_anew(op: Op, inputs: Sequence[TensorType], attrs: Mapping[str, Any]) -> tuple[TensorType, ...]:
    try:
        inferred = op.infer(*inputs, **attrs)
    except (TypeError, ValueError) as error:
        text = str(error)
        if text.startswith(f"{op.name}:") or "For '" in text:
            raise
        raise type(error)(f"For '{op.name}', {text}") from None
    return inferred if isinstance(inferred, tuple) else (inferred,)


def make_node(
    op: Op,
    inputs: Iterable[Operand],
    attrs: Mapping[str, Any] | None = None,
    location: Location | None = None,
    name: str = "",
) -> Node:
    """A node with freshly inferred output values."""
    inputs = tuple(inputs)
    attrs = attrs or _NO_ATTRS
    types = None if attrs else _inferred.get((op, *map(type_of, inputs), ()))
    if types is None:
        types = infer_types(op, tuple(map(type_of, inputs)), attrs)
    outputs = (Value(types[0], name),) if len(types) == 1 else tuple([Value(type, name) for type in types])
    return Node(op, inputs, outputs, attrs, location)


def block_node(op: Op, block: Graph, location: Location | None, **attrs: Any) -> Node:
    """A node that runs a graph, its block. It reads and makes values that are the graph's, too."""
    outputs: Any = block.outputs  # no literals
    return Node(op, block.parameters, outputs, {"body": block, **attrs}, location)


class Replacement:
    """The nodes that take the place of one, or follow it.

    Attributes:
        node: the one.
        nodes: the new nodes.
    """

    def __init__(self, node: Node) -> None:
        self.node = node
        self.nodes: list[Node] = []

    def add(self, op: Op, *inputs: Operand, **attrs: Any) -> Value:
        """The output of a new node."""
        self.nodes.append(make_node(op, inputs, attrs, self.node.location))
        return self.nodes[-1].output


_NONE: Mapping[Any, Any] = MappingProxyType({})


@dataclass(eq=False, init=False)
class Graph:
    """A function on tensors: parameters, nodes in an order in which they can run, and outputs.

    Attributes:
        notes: shown as comments above the text; they mean nothing.
        donated: positions of outputs to positions of parameters. Once a program has computed everything, it writes
            such an output into the array that was given for the parameter. Printed as `return %loss, %new into %p`.
        headings: comments that stand above a node; they mean nothing.
    """

    __slots__ = (
        "__dict__", "__weakref__", "donated", "headings", "name", "nodes", "notes", "outputs", "parameters",
    )  # fmt: skip
    name: Final[str]
    parameters: Final[tuple[Value, ...]]
    nodes: Final[tuple[Node, ...]]
    outputs: Final[tuple[Operand, ...]]
    notes: Final[Mapping[str, str]]
    donated: Final[Mapping[int, int]]
    headings: Final[Mapping[Node, tuple[str, ...]]]

    def __init__(
        self,
        name: str,
        parameters: tuple[Value, ...],
        nodes: tuple[Node, ...],
        outputs: tuple[Operand, ...],
        notes: Mapping[str, str] = _NONE,
        donated: Mapping[int, int] = _NONE,
        headings: Mapping[Node, tuple[str, ...]] = _NONE,
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.nodes = nodes
        self.outputs = outputs
        self.notes = notes
        self.donated = donated
        self.headings = headings

    def __str__(self) -> str:
        from .printer import print_graph  # late, as what draws: few programs show their graphs

        return print_graph(self)

    def __repr__(self) -> str:
        return f"<graph {self.name}: {len(self.nodes)} nodes>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))  # in a notebook

    def dot(self, depth: int | None = None) -> str:
        """The graph as text for Graphviz; graphs deeper inside than `depth` are one box."""
        from .drawing import dot

        return dot(self, depth)

    def mermaid(self, depth: int | None = None) -> str:
        """The graph as text for Mermaid, a flowchart; graphs deeper inside than `depth` are one box."""
        from .drawing import mermaid

        return mermaid(self, depth)

    def with_nodes(self, nodes: tuple[Node, ...], outputs: tuple[Operand, ...] | None = None) -> Graph:
        """The graph with other nodes, and perhaps outputs; itself if these are the same."""
        outputs = self.outputs if outputs is None else outputs
        if nodes == self.nodes and outputs == self.outputs:
            return self
        return Graph(self.name, self.parameters, nodes, outputs, self.notes, self.donated, self.headings)

    @property
    def types(self) -> tuple[TensorType, ...]:
        """Types of the outputs."""
        return tuple(output.type for output in self.outputs)

    @cached_property
    def ops(self) -> frozenset[Op]:
        """The ops of all nodes, those of sub-graphs included, but not those of kernels."""
        own = frozenset([node.op for node in self.nodes])
        self.is_plain = True not in [op.holds_graphs for op in own]
        if self.is_plain:
            return own
        return own.union(*[graph.ops for node in self.holders for graph in node.subgraphs])

    @cached_property
    def is_plain(self) -> bool:
        """Whether no node holds graphs."""
        return True not in [node.op.holds_graphs for node in self.nodes]

    @cached_property
    def holders(self) -> tuple[Node, ...]:
        """The nodes that hold graphs which passes look into: not those that run as machine code."""
        if self.is_plain:
            return ()
        return tuple([node for node in self.nodes if node.op.holds_graphs and not node.op.is_native])

    @cached_property
    def all_nodes(self) -> list[Node]:
        """Every node of the graph and of its sub-graphs."""
        found: list[Node] = []
        _collect(self, found)
        return found

    @cached_property
    def value_types(self) -> frozenset[TensorType]:
        """The types of the parameters and of all that nodes compute, those of sub-graphs included, but not those of
        kernels."""
        nodes = self.all_nodes if self.holders else self.nodes
        values = chain(self.parameters, *[node.outputs for node in nodes])
        return frozenset(map(type_of, values))

    @cached_property
    def readers(self) -> Mapping[Operand, list[Node | None]]:
        """The nodes of this graph that read each operand, in order; None stands for an output."""
        found: dict[Operand, list[Node | None]] = {}
        for node in self.nodes:
            for operand in node.inputs:
                if operand in found:
                    found[operand].append(node)
                else:
                    found[operand] = [node]
        for operand in self.outputs:
            found.setdefault(operand, []).append(None)
        return found

    @cached_property
    def producers(self) -> Mapping[Operand, Node]:
        """The node of this graph that computes each value."""
        return {value: node for node in self.nodes for value in node.outputs}

    @cached_property
    def order(self) -> Mapping[Node, int]:
        """The position of each node."""
        return dict(zip(self.nodes, count(), strict=False))

    @cached_property
    def has_effect(self) -> bool:
        """Whether a node, also of a sub-graph, has an effect."""
        return True in [op.has_effect for op in self.ops]

    @cached_property
    def read_parameters(self) -> frozenset[int] | None:
        """The positions of the parameters that are read. None for a graph with nodes that nothing reads, that may be
        others if only some outputs are read, or that are more than plain."""
        live: set[Operand] = set(self.outputs)
        for node in reversed(self.nodes):
            op = node.op
            if op.holds_graphs or op.has_effect or op.alone is not None or live.isdisjoint(node.outputs):
                return None
            live.update(node.inputs)
        return frozenset([position for position, value in enumerate(self.parameters) if value in live])

    @cached_property
    def structure(self) -> Hashable:
        """A key that is equal for graphs that compute the same, whatever the names of values."""
        order: dict[Operand, int] = {value: number for number, value in enumerate(self.parameters)}
        rows: list[Hashable] = [value.type for value in self.parameters]
        get = order.get
        for node in self.nodes:
            rows.append(node.op)
            rows += map(type_of, node.outputs)
            # There is one literal for each number and type.
            rows += map(get, node.inputs, node.inputs)
            if node.attrs:
                rows.append(tuple([(name, freeze(value)) for name, value in sorted(node.attrs.items())]))
            for value in node.outputs:
                order[value] = len(order)
        rows += map(get, self.outputs, self.outputs)
        return len(self.parameters), len(self.outputs), *rows, *sorted(self.donated.items())

    @cached_property
    def _facts(self) -> dict[str, Any]:
        names = "ops", "is_plain", "holders", "has_effect", "read_parameters"
        return {name: getattr(self, name) for name in names}

    def share_facts(self, other: Graph) -> None:
        """Take over what passes ask of a graph of the same structure, with other values; it holds no graphs."""
        known = vars(self)
        known.update(other._facts)
        known["_pattern"] = other.pattern

    @property
    def pattern(self) -> Graph:
        """One graph for all those that are known to have the same structure: what a pass has found out about it, it
        knows of these. The graph itself if no other is known."""
        found: Graph = vars(self).get("_pattern", self)
        return found

    def share_structure(self, other: Graph) -> None:
        """Take over the `structure` of a graph of the same nodes, with other values."""
        vars(self)["structure"] = other.structure

    def count_nodes(self) -> int:
        """Number of nodes, those of sub-graphs included."""
        return len(self.all_nodes)


def _collect(graph: Graph, found: list[Node]) -> None:
    nodes, start = graph.nodes, 0
    for place in () if graph.is_plain else [place for place, node in enumerate(nodes) if node.op.holds_graphs]:
        found += nodes[start : place + 1]
        start = place + 1
        for inner in nodes[place].subgraphs:
            if inner.is_plain:
                found += inner.nodes
            else:
                _collect(inner, found)
    found += nodes[start:]


def walk(graph: Graph) -> Iterator[Node]:
    """Every node of the graph and of its sub-graphs."""
    return iter(graph.all_nodes)


def uses(graph: Graph) -> dict[Operand, int]:
    """How often nodes and outputs of this graph read each value."""
    counts: dict[Operand, int] = Counter(chain(*[node.inputs for node in graph.nodes], graph.outputs))
    for operand in [operand for operand in counts if operand.__class__ is Literal]:
        del counts[operand]
    return counts


def substitute(graph: Graph, mapping: Mapping[Value, Operand]) -> Graph:
    """The graph with operands replaced."""
    if not mapping:
        return graph

    def swapped(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple([mapping.get(each, each) if isinstance(each, Value) else each for each in operands])

    read = mapping.keys()
    nodes = [each if read.isdisjoint(each.inputs) else each.with_inputs(swapped(each.inputs)) for each in graph.nodes]
    return graph.with_nodes(tuple(nodes), swapped(graph.outputs))


def copy_nodes(graph: Graph, arguments: Iterable[Operand]) -> tuple[list[Node], tuple[Operand, ...]]:
    """Fresh copies of the graph's nodes, with `arguments` in place of its parameters, and the copied outputs."""
    mapping: dict[Operand, Operand] = dict(zip(graph.parameters, arguments, strict=True))
    get = mapping.get
    nodes = []
    for node in graph.nodes:
        inputs = tuple(map(get, node.inputs, node.inputs))
        outputs = tuple([Value(value.type, value.name) for value in node.outputs])
        nodes.append(Node(node.op, inputs, outputs, node.attrs, node.location))
        mapping.update(zip(node.outputs, outputs, strict=True))
    return nodes, tuple([get(operand, operand) for operand in graph.outputs])


def copy_graph(graph: Graph) -> Graph:
    """The same graph with new values."""
    parameters = tuple([Value(value.type, value.name) for value in graph.parameters])
    nodes, outputs = copy_nodes(graph, parameters)
    copy = Graph(graph.name, parameters, tuple(nodes), outputs, graph.notes, graph.donated, graph.headings)
    if "structure" in vars(graph):
        copy.share_structure(graph)
    return copy


def freeze(value: Any) -> Any:
    """A hashable key for an attribute value: equal keys mean equal attributes."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple and _PLAIN.issuperset(map(type, value)):
        return ("tuple", *value)
    if kind is bool:
        return ("bool", value)
    if isinstance(value, np.ndarray):
        return ("array", value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, float):
        return ("float", "nan" if math.isnan(value) else repr(value))
    if isinstance(value, complex):
        return ("complex", repr(value))
    if isinstance(value, (tuple, list)):
        return (type(value).__name__, *map(freeze, value))
    if isinstance(value, Graph):
        return value.structure
    return value
