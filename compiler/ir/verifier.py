"""The verifier: each value is defined once, before it is read, and each node has the attributes and types of its op."""

from __future__ import annotations

from typing import Any, NoReturn

from .graph import Graph, Node, infer_types
from .types import TensorType
from .values import IRError, Literal, Operand, Value

MOST_DIMENSIONS = 64  # as NumPy 2 has them
MOST_BYTES = 1 << 47  # the address space of a process


def check_type(type: TensorType) -> None:
    """Raise ValueError for a type that no array can have: of negative sizes, too many dimensions or too many bytes."""
    nbytes = type.dtype.np.itemsize
    for size in type.shape:
        if size is None:
            continue
        if not isinstance(size, int) or size < 0:
            raise ValueError(f"{type} has a size that is no whole number from 0")
        nbytes *= max(size, 1)
    if type.rank > MOST_DIMENSIONS or nbytes > MOST_BYTES:
        raise ValueError(
            f"{type} is larger than any array: at most {MOST_DIMENSIONS} dimensions and {MOST_BYTES} bytes are possible"
        )


def check_node(node: Node) -> None:
    """Raise an error if a node's attributes are not those that its op declares, or its types are not the inferred ones.

    The types of sub-graphs are not checked again.
    """
    node.op.check_operands(len(node.inputs))
    node.op.check_attrs(node.attrs)
    types = infer_types(node.op, [operand.type for operand in node.inputs], node.attrs)
    for type in types:
        check_type(type)
    if types != tuple(value.type for value in node.outputs):
        raise TypeError(f"{node.op.name} should have type {', '.join(map(str, types)) or 'none'}")


def check_donated(graph: Graph) -> None:
    """Raise ValueError if a donated output has another type than its parameter, or a parameter gets two outputs."""
    for output, parameter in graph.donated.items():
        if not (0 <= output < len(graph.outputs) and 0 <= parameter < len(graph.parameters)):
            raise ValueError(f"there is no output {output} or no parameter {parameter} to write it to")
        given, wanted = graph.outputs[output].type, graph.parameters[parameter].type
        if given != wanted:
            raise ValueError(
                f"output {output} of type {given} cannot be written to parameter {parameter} of type {wanted}"
            )
    if len(set(graph.donated.values())) < len(graph.donated):
        raise ValueError("two outputs cannot be written to one parameter")


def verify(graph: Graph, checked: set[Node] | None = None) -> Graph:
    """Check definitions, types and attributes, also in sub-graphs. IRError shows the offending node in its graph.

    `checked` collects nodes between calls. Nodes are immutable, so the attributes, types and sub-graphs of one that is
    there are not checked again.
    """
    try:
        check_donated(graph)
    except ValueError as error:
        raise IRError(f"{error}\n{graph}") from None
    return _verify(graph, set() if checked is None else checked)


def _verify(graph: Graph, checked: set[Node]) -> Graph:
    check = _Verification(graph, checked)
    for value in graph.parameters:
        check.define(value)
        check_type(value.type)
    for node in graph.nodes:
        check.node(node)
    for operand in graph.outputs:
        check.operand(operand, None)
    if check.begun:
        check.fail(f"nothing waits for {', '.join(map(repr, check.begun))} in graph {graph.name}")
    return graph


class _Verification:
    """A walk over the nodes of a graph: which values are defined so far, and which are still being computed."""

    def __init__(self, graph: Graph, checked: set[Node]) -> None:
        self.graph = graph
        self.checked = checked
        self.defined: set[Value] = set()
        self.begun: set[Operand] = set()

    def where(self, node: Node | None) -> str:
        """The node as an error names it; None stands for the outputs. Only errors spend the time for this text."""
        return (
            f"the outputs of graph {self.graph.name}" if node is None else f"node {node!r} in graph {self.graph.name}"
        )

    def fail(self, message: str) -> NoReturn:
        """An IRError that shows the graph."""
        raise IRError(f"{message}\n{self.graph}")

    def define(self, value: Value) -> None:
        """A value from here on."""
        if value in self.defined:
            self.fail(f"value {value!r} is defined twice in graph {self.graph.name}")
        self.defined.add(value)

    def operand(self, operand: Any, node: Node | None) -> None:
        """Something that a node reads, or that is an output."""
        if isinstance(operand, Literal):
            if operand.type.shape != () or not isinstance(operand.value, (bool, int, float, complex)):
                self.fail(f"{self.where(node)} has a malformed literal {operand!r}")
        elif not isinstance(operand, Value):
            self.fail(f"{self.where(node)} has an operand that is no value: {operand!r}")
        elif operand not in self.defined:
            self.fail(f"{self.where(node)} reads {operand!r} before it is defined")

    def node(self, node: Node) -> None:
        """The next node."""
        for operand in node.inputs:
            self.operand(operand, node)
        if node.op.ends and not self.begun.issuperset(node.inputs):
            self.fail(f"{self.where(node)} waits for what nothing has begun, or what was waited for already")
        if not node.op.ends and not self.begun.isdisjoint(node.inputs):
            self.fail(f"{self.where(node)} reads what is not complete: a node has to wait for it first")
        self.begun.difference_update(node.inputs)
        if node not in self.checked:
            self.alone(node)
            self.checked.add(node)
        for value in node.outputs:
            self.define(value)
        if node.op.begins:
            self.begun.update(node.outputs)

    def alone(self, node: Node) -> None:
        """The node without the graph around it."""
        for inner in node.subgraphs:
            if inner.donated:
                self.fail(f"{self.where(node)} holds a graph with donated outputs; only a whole program has such")
            _verify(inner, self.checked)
        try:
            check_node(node)
        except Exception as error:  # whatever `infer` meets: it is made for attributes that make sense
            raise IRError(f"{self.where(node)} does not type: {error}\n{self.graph}") from error
