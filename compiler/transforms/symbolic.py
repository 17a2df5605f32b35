"""Symbolic recording: ordinary code over ops runs on symbols, and a recorder writes the nodes of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from ...runtime.dtypes import DType
from ...runtime.records import NamedTuple
from ...runtime.shown import standard
from ..ir.graph import Graph, Node, make_node, walk
from ..ir.naming import ValueNames, plain_name
from ..ir.op import ACTIVE, Op
from ..ir.types import Shape, TensorType
from ..ir.values import Literal, Location, Operand, Value, literal
from ..ops.composite import Operators


class Symbol(Operators):
    """A value of a graph under construction. Arithmetic on symbols records nodes in the active recorder."""

    __slots__ = ("operand", "recorder")

    def __init__(self, operand: Operand, recorder: Recorder) -> None:
        self.operand = operand
        self.recorder = recorder

    @property
    def type(self) -> TensorType:
        """The type of the value."""
        return self.operand.type

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.operand.type.dtype

    @property
    def shape(self) -> Shape:
        """The shape; `?` dimensions are None."""
        return self.operand.type.shape

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.operand.type.shape)

    def __repr__(self) -> str:
        return f"<symbol {self.operand!r}>"

    def __bool__(self) -> bool:
        raise TypeError(f"{self!r} has no value before the program runs")


Locate = Callable[[], "Location | None"]


class Naming(NamedTuple):
    """The name for the values of the next node, and the call that it belongs to. A later node of the same call takes
    the name."""

    names: tuple[str, ...]
    call: object


UNNAMED = Naming((), None)
"""Values that get a name later."""


class Recorder:
    """Collects the nodes of one graph. Symbols of an enclosing recorder become parameters when they are used."""

    def __init__(
        self,
        name: str,
        parent: Recorder | None = None,
        locate: Locate | None = None,
        names: ValueNames | None = None,
        naming: Callable[[], Naming | None] | None = None,
    ) -> None:
        self.name = name
        self.parent = parent
        self.names: ValueNames = names if names is not None else parent.names if parent is not None else ValueNames()
        given: Callable[[], Naming | None] | None = parent.naming if parent is not None else None
        self.naming: Callable[[], Naming | None] | None = naming if naming is not None else given
        self._named: tuple[object, Node] | None = None  # the node that was named last, and by which call
        inherited: Locate | None = parent.locate if parent is not None else None
        self.locate: Locate | None = locate if locate is not None else inherited
        self.parameters: list[Value] = []
        self.nodes: list[Node] = []
        self.captures: dict[Value, Value] = {}  # value of the parent -> parameter here
        self.closed = False
        self._previous: list[Any] = []

    def __enter__(self) -> Recorder:
        self._previous.append(ACTIVE.recorder)
        ACTIVE.recorder = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        previous = self._previous.pop()
        if ACTIVE.recorder is self:  # a generator that an interrupt left half-way may end long after
            ACTIVE.recorder = previous
        self._named = None  # the call is a frame, which would keep its variables alive

    def forget(self) -> None:
        """Release the frames of the last named calls, here and in the recorders around this one."""
        each: Recorder | None = self
        while each is not None:
            each._named = None
            each = each.parent

    def inner(self, name: str) -> Recorder:
        """A recorder for an inner graph, which may read the values of this one."""
        return type(self)(name, parent=self)

    def apart(self, name: str) -> Recorder:
        """A recorder for a graph that reads no values of this one."""
        return type(self)(name, locate=self.locate, names=self.names, naming=self.naming)

    def symbol(self, operand: Operand) -> Symbol:
        """The symbol of an operand of this recorder."""
        return Symbol(operand, self)

    def parameter(self, type: TensorType, name: str = "", own: bool = False) -> Symbol:
        """A new parameter of the graph. In an inner graph it has the name of the value outside that is given for it,
        unless it gets a name of its `own`."""
        value = Value(type, name)
        if not name:
            self.names.number(value, "p")
        elif own or self.parent is None:
            self.names.give(value, name)
        else:  # the name of its value
            value.name = plain_name(name)
        self.parameters.append(value)
        return Symbol(value, self)

    def further(self, type: TensorType, name: str) -> Value:
        """A further output of a node, with a name of its own like `name`."""
        value = Value(type)
        self.names.give(value, name)
        return value

    def lift(self, symbol: Symbol) -> Operand:
        """The operand of this recorder for a symbol of this recorder or of an enclosing one."""
        operand, parent = symbol.operand, self.parent
        if symbol.recorder is self or operand.__class__ is Literal:
            return operand
        if parent is None:
            raise LeakedSymbolError(symbol, self)
        outer = operand if symbol.recorder is parent else parent.lift(symbol)
        return self.capture(outer) if isinstance(outer, Value) else outer

    def capture(self, outer: Value) -> Value:
        """The parameter here that stands for a value of the parent."""
        inner = self.captures.get(outer)
        if inner is None:
            inner = self.captures[outer] = Value(outer.type, outer.name)
            self.parameters.append(inner)
        return inner

    def apply(self, op: Op, operands: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
        """Record a node. Returns a symbol for one output, a tuple for several, None for none."""
        given: list[Operand] = []
        for item in operands:
            if item.__class__ is Symbol:
                given.append(item.operand if item.recorder is self else self.lift(item))
            else:
                given.append(item if item.__class__ is Literal else _number(item, operands))
        outputs = self.append(op, given, attrs).outputs
        if len(outputs) == 1:
            return Symbol(outputs[0], self)
        return tuple([Symbol(value, self) for value in outputs]) or None

    def operands(self, items: Iterable[Any]) -> list[Operand]:
        """Operands for symbols and numbers. Numbers take the dtype of the first operand that is not boolean."""
        items = list(items)
        lift = self.lift
        return [lift(x) if x.__class__ is Symbol else x if x.__class__ is Literal else _number(x, items) for x in items]

    def append(
        self,
        op: Op,
        operands: Iterable[Operand],
        attrs: Mapping[str, Any],
        name: str = "",
        location: Location | None = None,
        types: Sequence[TensorType] | None = None,
    ) -> Node:
        """Record a node on operands of this recorder. The types of its outputs are inferred where none are given."""
        locate = self.locate
        if location is None and locate is not None:
            location = locate()
        if types is None:
            node = make_node(op, operands, attrs, location)
        else:
            node = Node(op, tuple(operands), tuple(map(Value, types)), attrs, location)
        self.nodes.append(node)
        if name:
            for value in node.outputs:
                self.names.give(value, name)
        else:
            self._name(node)
        return node

    def _name(self, node: Node) -> None:
        """Name the outputs of a node: by the variable that they are assigned to, or by the op."""
        ask = self.naming
        naming = ask() if ask is not None else None
        if naming is UNNAMED:
            return
        names, outputs = self.names, node.outputs
        if naming is None or len(naming.names) != len(outputs):
            for value in outputs:
                names.number(value, node.op.name)
            return
        before = self._named
        if before is not None and before[0] is naming.call and len(before[1].outputs) == len(outputs):
            for value, old in zip(outputs, before[1].outputs, strict=True):
                names.take_over(value, old, before[1].op.name)
        else:
            for place, name in enumerate(naming.names):
                names.give(outputs[place], name)
        self._named = (naming.call, node)

    def inline(self, graph: Graph, arguments: Sequence[Any]) -> tuple[Symbol, ...]:
        """Record a graph's nodes here, with these arguments. Returns symbols for its outputs."""
        mapping = self.inline_values(graph, arguments)
        return tuple([Symbol(mapping.get(operand, operand), self) for operand in graph.outputs])

    def inline_values(self, graph: Graph, arguments: Sequence[Any]) -> dict[Operand, Operand]:
        """Record a graph's nodes here, with these arguments. Returns the new value for each of its values.

        TypeError for arguments of other types than the graph's parameters.
        """
        operands = self.operands(arguments)
        for parameter, operand in zip(graph.parameters, operands, strict=True):
            if not operand.type.fits(parameter.type):
                raise TypeError(f"graph {graph.name} takes {parameter!r}, but is given {operand.type}")
        mapping: dict[Operand, Operand] = dict(zip(graph.parameters, operands, strict=True))
        for node in graph.nodes:
            inputs = tuple([mapping.get(operand, operand) for operand in node.inputs])
            outputs = tuple([Value(value.type) for value in node.outputs])
            for value, copy in zip(node.outputs, outputs, strict=True):
                self.names.copied(copy, value)
                mapping[value] = copy
            self.nodes.append(Node(node.op, inputs, outputs, node.attrs, node.location))
        return mapping

    def adopt(self, graph: Graph, arguments: Sequence[Symbol]) -> dict[Operand, Operand]:
        """Record a graph's nodes here, with these arguments: as they are, not copies as `inline_values`. So this may be
        done once with a graph. Returns the values that take the place of its parameters.

        TypeError for arguments of other types than the graph's parameters.
        """
        mapping: dict[Operand, Operand] = {}
        for parameter, symbol in zip(graph.parameters, arguments, strict=True):
            if symbol.recorder is not self and self.parent is not None:
                outer = self.parent.lift(symbol)
                if isinstance(outer, Value) and outer not in self.captures and outer.type is parameter.type:
                    parameter.name = outer.name
                    self.captures[outer] = parameter
                    self.parameters.append(parameter)
                    continue
            operand = self.lift(symbol)
            if not operand.type.fits(parameter.type):
                raise TypeError(f"graph {graph.name} takes {parameter!r}, but is given {operand.type}")
            mapping[parameter] = operand
        if not mapping:
            self.nodes += graph.nodes
            return mapping
        parameters = mapping.keys()
        for node in graph.nodes:
            if not parameters.isdisjoint(node.inputs):
                node = node.with_inputs(map(mapping.get, node.inputs, node.inputs))
            self.nodes.append(node)
        return mapping

    def discard(self, marks: dict[str, int]) -> None:
        """Free the names of what was recorded, which is thrown away; see `ValueNames.release`."""
        nodes = [inner for node in self.nodes for graph in node.subgraphs for inner in walk(graph)]
        inside = [value for node in nodes for graph in node.subgraphs for value in graph.parameters]
        outputs = [value for node in (*self.nodes, *nodes) for value in node.outputs]
        self.names.release([*self.parameters, *inside, *outputs], marks)

    def finish(self, outputs: Iterable[Any]) -> Graph:
        """The recorded graph with these outputs."""
        result = self.lifted(outputs)  # which may add parameters
        return Graph(self.name, tuple(self.parameters), tuple(self.nodes), result)

    def lifted(self, items: Iterable[Any]) -> tuple[Operand, ...]:
        """Operands of this recorder for symbols; operands stay."""
        return tuple([self.lift(item) if isinstance(item, Symbol) else item for item in items])


def _number(item: Any, items: Iterable[Any]) -> Literal:
    """A number among operands, in the dtype of the first of them that is not boolean."""
    found: DType | None = None
    for other in items:
        if other.__class__ is Symbol or other.__class__ is Literal:
            dtype = other.type.dtype
            if found is None or (found.is_bool and not dtype.is_bool):
                found = dtype
    if found is None or not (type(item) is int or isinstance(item, (float, int, complex, np.generic))):
        raise TypeError(f"cannot use {item!r} as an operand")
    return literal(item, found)  # type: ignore[arg-type]


@standard
class LeakedSymbolError(RuntimeError):
    """A traced tensor is used after, or outside of, the trace that made it.

    Attributes:
        inner: the same trace made it, in an inner graph.
    """

    def __init__(self, symbol: Symbol, user: Recorder) -> None:
        super().__init__(
            f"a traced tensor ({symbol.type}) is used outside the trace that made it. A tensor computed inside a "
            "compiled function has no value until the program runs: return it as a result in place of storing it "
            "elsewhere"
        )
        maker: Recorder | None = symbol.recorder
        while maker is not None and maker is not user:
            maker = maker.parent
        self.inner = maker is user


def record(name: str, types: Iterable[TensorType], function: Callable[..., Any], names: Iterable[str] = ()) -> Graph:
    """The graph of `function` run on symbols of `types`."""
    recorder = Recorder(name)
    hints = list(names)
    types = list(types)
    hints += [""] * (len(types) - len(hints))
    with recorder:
        result = function(*[recorder.parameter(type, hint) for type, hint in zip(types, hints, strict=True)])
        outputs = result if isinstance(result, (tuple, list)) else (result,)
        return recorder.finish(outputs)
