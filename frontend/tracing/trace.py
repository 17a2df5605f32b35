"""Tracing: a function runs once on traced tensors, and its operations on tensors are recorded as a graph."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...compiler import ops
from ...compiler.ir.equality import find
from ...compiler.ir.graph import Graph, Node, walk
from ...compiler.ir.op import Op
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Literal, Operand, Value, literal
from ...compiler.transforms.symbolic import Recorder, Symbol
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..state import STATE
from ..values import logic
from ..values.dispatch import cast, check
from ..values.inplace import assign_parameter
from ..values.parameter import Layouts, Parameter
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor, wrap
from .guards import Guards
from .sites import Sites

FOLD_ELEMENTS = 1024  # operations on small tensors that the traced code made from numbers run at once


class TensorState:
    """The symbol for a concrete tensor's current numbers during a trace."""

    __slots__ = ("commits", "initial", "symbol", "tensor")

    def __init__(self, tensor: Tensor, symbol: Symbol, commits: bool) -> None:
        self.tensor = tensor
        self.symbol = symbol
        self.initial = symbol
        self.commits = commits  # whether a change is written back after each run


class TraceScope:
    """One recorder on a trace's stack, and what was updated in place while it was the innermost. As a context it puts
    the recorder there; at the end the updates are undone."""

    __slots__ = ("attributes", "recorder", "trace", "written")

    def __init__(self, trace: Trace, recorder: Recorder) -> None:
        self.trace = trace
        self.recorder = recorder
        self.written: dict[int, tuple[Any, Symbol]] = {}  # id -> (tensor or state, symbol before)
        self.attributes: dict[tuple[int, str], tuple[Any, Any]] = {}  # -> (object, entry before)

    def __enter__(self) -> TraceScope:
        self.trace.scopes.append(self)
        self.recorder.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        trace = self.trace
        self.recorder.__exit__(*error)
        trace.scopes.pop()
        for target, before in self.written.values():
            trace._put(target, before)
        for key, (_, previous) in self.attributes.items():
            if previous is None:
                trace.attributes.pop(key, None)
            else:
                trace.attributes[key] = previous


class ApartScope(TraceScope):
    """A scope at whose end nothing links its tensors to others. It is no generator: one that an interrupt leaves
    suspended would end where the collector finds it."""

    __slots__ = ("aliases",)

    def __enter__(self) -> TraceScope:
        flow: Any = self.trace.builder.flow
        self.aliases = flow.aliases
        flow.aliases = flow.aliases.copy()
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        flow: Any = self.trace.builder.flow
        flow.aliases = self.aliases
        super().__exit__(*error)


class Trace:
    """One run of a function on traced tensors.

    Attributes:
        captured: the tensors read that are no arguments, in the order of their graph parameters (after the arguments').
        seen: the tensors from outside, with the arrays that they had when they were first seen.
        guards: conditions on Python values that the trace has read; while they hold the graph may be used again.
        attributes: attribute writes to make after each run: (object, name) to the value.
    """

    def __init__(self, name: str) -> None:
        self.sites = Sites()
        self.root = Recorder(graph_name(name), locate=self.sites.locate, naming=self.sites.naming)
        self.scopes: list[TraceScope] = [TraceScope(self, self.root)]
        self.states: dict[int, TensorState] = {}
        self.captured: list[Tensor] = []
        self.seen: list[tuple[Tensor, np.ndarray]] = []
        self.guards = Guards()
        self.arguments: dict[int, tuple[Any, tuple[Any, ...]]] = {}  # lists and dicts that were given, and their places
        self.held: dict[int, tuple[Any, Any]] = {}  # containers from outside that leave unchanged: the place of each
        self.attributes: dict[tuple[int, str], tuple[Any, Any]] = {}
        self.derivatives: list[Any] = []
        self.strict = False  # whether the function must be a graph as a whole
        self.is_python = False  # whether the function would otherwise run as plain Python
        self.calls: list[tuple[Any, Recorder, int, int]] = []  # (function, recorder, its nodes, length of the log)
        self.log: list[tuple[Any, Symbol, Symbol]] = []  # (updated object, its symbol before, after)
        self.origins: dict[Any, Symbol] = {}  # symbols that stand in for others of the same numbers
        self.fresh: list[Any] = []  # keeps objects alive whose ids are keys
        self.backward: set[Value] = set()  # values of backward passes, for the search of nan and inf
        self.cells: dict[int, tuple[Any, str]] = {}  # Cells, by identity, and their paths
        self.asks_identity = False  # whether the traced code has asked if two tensors are one
        self.detached = 0  # nested blocks through whose operations no gradient flows
        self.shown = 0  # how often the text of a traced value was asked for
        self.builder: Any = None  # takes the control flow of converted code
        self._previous: Trace | None = None

    def __enter__(self) -> Trace:
        self._previous = STATE.trace
        STATE.set_trace(self)
        self.sites.outside = sys._getframe(1)
        self.root.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.root.__exit__(None, None, None)
        STATE.set_trace(self._previous)
        self.sites.clear()
        # References back to the trace would keep it and all that it has read alive until a garbage collection.
        self.builder = self._previous = None
        self.scopes.clear()
        for known in (self.states, self.fresh, self.calls, self.log, self.attributes, self.arguments, self.origins):
            known.clear()
        self.held.clear()

    @property
    def recorder(self) -> Recorder:
        """The innermost recorder."""
        return self.scopes[-1].recorder

    def scope(self, name: str, recorder: Recorder | None = None) -> TraceScope:
        """A context that records into a sub-graph's recorder (or continues with one). At its end its in-place updates
        are undone (see `updates`), and nothing links its tensors to others."""
        return ApartScope(self, recorder or Recorder(graph_name(name), parent=self.recorder))

    def updates(self, scope: TraceScope) -> list[tuple[Any, Symbol]]:
        """Inside a scope, at its end: pairs (updated object, its current symbol) in order of the first update."""
        return [(target, self.symbol_of(target)) for target, _ in scope.written.values()]

    def set_attribute(self, owner: Any, name: str, value: Any) -> None:
        """Set an attribute within the trace. It is written to the object after each run."""
        key = (id(owner), name)
        scope = self.scopes[-1]
        if len(self.scopes) > 1:
            scope.attributes.setdefault(key, (owner, self.attributes.get(key)))
        self.attributes[key] = (owner, value)
        self.guards.wrote_attribute(owner, name)
        self.fresh.append(owner)

    def get_attribute(self, owner: Any, name: str) -> tuple[bool, Any]:
        """Whether the trace has set this attribute, and its value."""
        found = self.attributes.get((id(owner), name))
        return (False, None) if found is None else (True, found[1])

    def attribute_writes(self) -> list[tuple[Any, str, Any]]:
        """Triples (object, attribute name, value) for every attribute that was set."""
        return [(owner, name, value) for (_, name), (owner, value) in self.attributes.items()]

    # Tensors to symbols

    def read(self, tensor: Tensor) -> Symbol:
        """The symbol for the tensor's current numbers. A tensor from outside becomes an input of the graph."""
        if isinstance(tensor, TracedTensor):
            return tensor._symbol
        return self._state(tensor).symbol

    def _state(self, tensor: Tensor) -> TensorState:
        state = self.states.get(id(tensor))
        if state is None:
            if tensor._birth is self:
                state = TensorState(tensor, self.constant(tensor._data), commits=False)
            else:
                name = getattr(tensor, "name", None) or ""
                with Layouts.lock:  # the type of the array that was seen
                    state = TensorState(tensor, self.root.parameter(tensor._type, str(name)), commits=True)
                    self.seen.append((tensor, tensor._data))
                self.captured.append(tensor)
            self.states[id(tensor)] = state
            self.fresh.append(tensor)
        return state

    def is_undisturbed(self) -> bool:
        """Whether the tensors from outside still have the arrays that they had when they were first seen."""
        return all(tensor._data is array for tensor, array in self.seen)

    def bind(self, tensor: Tensor, symbol: Symbol) -> TensorState:
        """Let a tensor stand for a symbol from now on. Assignments to it are not written back."""
        state = self.states[id(tensor)] = TensorState(tensor, symbol, commits=False)
        self.fresh.append(tensor)
        return state

    def constant(self, array: np.ndarray) -> Symbol:
        """A symbol for numbers that are constants of the program."""
        if array.ndim == 0:
            return Symbol(literal(array.item(), dtypes.of_numpy(array.dtype)), self.root)
        node = self.root.append(ops.constant, (), {"value": array.copy()})
        return Symbol(node.output, self.root)

    def write(self, tensor: Tensor, symbol: Symbol) -> None:
        """Give the tensor new numbers (in-place update, Parameter assignment)."""
        if isinstance(tensor, Parameter):
            self.root.names.improve(symbol.operand, f"new_{tensor.name}")
        self.write_target(self.target(tensor), symbol)
        if self.builder is not None:
            self.builder.flow.wrote(tensor)

    def target(self, tensor: Tensor) -> Any:
        """The object that holds the tensor's symbol."""
        return tensor if isinstance(tensor, TracedTensor) else self._state(tensor)

    def write_target(self, target: Any, symbol: Symbol) -> None:
        """`write` for an object of `updates`."""
        before = self.symbol_of(target)
        self.scopes[-1].written.setdefault(id(target), (target, before))
        self.log.append((target, before, symbol))
        self.fresh.append(target)
        self._put(target, symbol)

    @staticmethod
    def symbol_of(target: Any) -> Symbol:
        """The current symbol of a tensor, or of its state."""
        return target._symbol if isinstance(target, TracedTensor) else target.symbol

    @staticmethod
    def _put(target: Any, symbol: Symbol) -> None:
        if isinstance(target, TracedTensor):
            target._symbol = symbol
        else:
            target.symbol = symbol

    def stand_in(self, target: Any, symbol: Symbol) -> None:
        """Replace the symbol of an object by another one with the same numbers. This is no update of the tensor."""
        self.origins[symbol.operand] = self.origin(self.symbol_of(target))
        self.fresh.append(target)
        self._put(target, symbol)

    def origin(self, symbol: Symbol) -> Symbol:
        """The symbol that this one replaces, or itself."""
        return self.origins.get(symbol.operand, symbol)

    def went_back(self, nodes: Iterable[Node]) -> None:
        """Store that nodes belong to a backward pass."""
        for node in nodes:
            for inner in (node, *[inner for graph in node.subgraphs for inner in walk(graph)]):
                self.backward.update(inner.outputs)

    def called(self, function: Any) -> None:
        """Store that the traced code is about to call a function."""
        recorder = self.recorder
        self.calls.append((function, recorder, len(recorder.nodes), len(self.log)))

    def insert(self, index: int, node: Node) -> None:
        """Insert a node before one that is already recorded, in the innermost recorder."""
        recorder = self.recorder
        recorder.nodes.insert(index, node)
        self.calls[:] = [
            (function, where, start + (where is recorder and start > index), logged)
            for function, where, start, logged in self.calls
        ]

    def earlier_call(
        self, function: Any, graph: Graph, given: Mapping[Value, Symbol]
    ) -> tuple[dict[Operand, Operand], list[int]] | None:
        """The position at which the latest call of a function recorded this graph in the innermost recorder; see
        `equality.find`.

        Tensors that the call has updated in place may have been read before the update.

        Args:
            function: the function that was called.
            graph: the graph of a call.
            given: the current operands for the graph's parameters.
        """
        recorder = self.recorder
        stop = len(recorder.nodes)
        operands: dict[Operand, Operand] = {value: symbol.operand for value, symbol in given.items()}
        for called, where, start, logged in reversed(self.calls):
            if where is not recorder or called != function:
                continue
            before: dict[int, Operand] = {}
            instead: dict[Operand, Operand] = {}
            for target, old, new in self.log[logged:]:
                before.setdefault(id(target), old.operand)
                instead[new.operand] = before[id(target)]
            found = find(graph, recorder.nodes, start, stop, operands, instead)
            if found is not None:
                return found
            stop = start
        return None

    def is_known(self, tensor: Tensor) -> bool:
        """Whether the trace knows the tensor's numbers: the traced code made it from Python values, and has not updated
        it since."""
        if tensor._birth is not self:
            return False
        state = self.states.get(id(tensor))
        return state is None or state.symbol is state.initial

    def same(self, tensor: Tensor) -> list[tuple[Tensor, Any]]:
        """The tensors that a tensor may be, including itself, and under what conditions: bools or tensors."""
        found: list[tuple[Tensor, Any]] = [(tensor, True)] if self.builder is None else self.builder.flow.same(tensor)
        return found

    def item(self, tensor: Tensor, index: Any) -> Any:
        """`tensor.item(index)` as a run-time number; None if the trace knows it."""
        return self.builder.numbers.item(tensor, index)

    def check(self, holds: Callable[[], Any], message: str, exception: str) -> None:
        """Raise an error in a run where this does not hold of run-time numbers."""
        if self.builder is not None:
            self.builder.numbers.check(holds, message, exception)

    def may_fail(self, kind: type[Exception], what: str) -> None:
        """An operation, `what`, is about to be recorded whose error the traced code may want to catch."""
        if self.builder is not None:
            self.builder.numbers.may_fail(kind, what)

    def block(self, tensor: Tensor, key: Any) -> Any:
        """The block that `tensor[key]` is, if the bounds of a slice move with a loop; else None."""
        return None if self.builder is None else self.builder.containers.block(tensor, key)

    def assign(self, parameter: Parameter, value: Any) -> Parameter:
        """As `ops.assign`."""
        return assign_parameter(parameter, value)

    def convert(self, data: Any, dtype: Any = None) -> Tensor:
        """`Tensor(data, dtype)` of a traced tensor, or of a sequence that contains one."""
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        if isinstance(data, Tensor):
            own: Tensor = wrap(self.read(data))  # updates of it do not change the original
            return own if wanted is None else cast(own, wanted)
        items = [self.convert(item) if isinstance(item, (Tensor, list, tuple)) else Tensor(item) for item in data]
        if wanted is None:
            wanted = _common_dtype([item.dtype for item in items])
        return logic.stack([cast(item, wanted) for item in items])

    def apply(self, op: Op, operands: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
        """Record an op on tensors and numbers; traced tensors of its outputs."""
        for item in operands:
            if item.__class__ is TracedTensor:
                break
        else:
            if not (op.has_effect or op.holds_graphs or op.kind == "creation") and _all_known(self, operands):
                return self._fold(op, operands, attrs)
        symbols = []
        for item in operands:
            if item.__class__ is TracedTensor:
                item = item._symbol
            elif isinstance(item, Tensor):
                item = self.read(item)
            symbols.append(item)
        result = self.scopes[-1].recorder.apply(op, symbols, attrs)
        if self.detached and not op.has_effect:
            result = self._detach(result)
        if result.__class__ is Symbol:
            return wrap(result)
        return None if result is None else tuple([wrap(symbol) for symbol in result])

    def _detach(self, result: Any) -> Any:
        """The outputs of an op as values that have no gradient."""
        if result.__class__ is not Symbol:
            return tuple(map(self._detach, result)) if result else result
        if not (result.type.dtype.is_float or result.type.dtype.is_complex):
            return result
        return self.scopes[-1].recorder.apply(ops.stop_gradient, (result,), {})

    def _fold(self, op: Op, operands: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
        kinds = [item._data.dtype for item in operands if isinstance(item, Tensor)]
        dtype = next((kind for kind in kinds if kind.kind != "b"), kinds[0])  # the dtype of numbers among the operands
        arrays = [item._data if isinstance(item, Tensor) else np.asarray(item, dtype) for item in operands]
        check(op, arrays, attrs)
        with np.errstate(all="ignore"):  # as where the same op runs in a program
            result = op.kernel(*arrays, **attrs)
        results = tuple(Tensor._wrap(item) for item in (result if isinstance(result, tuple) else (result,)))
        for tensor in results:
            tensor._birth = self
        return results if isinstance(result, tuple) else results[0]


def _common_dtype(kinds: Sequence[DType]) -> DType:
    """The dtype of a tensor made of tensors of these dtypes. It is Float64 only if one of them is."""
    found = kinds[0]
    for kind in kinds[1:]:
        found = dtypes.of_numpy(np.result_type(found.np, kind.np)) if kind is not found else found
    return dtypes.float32 if found is dtypes.float64 and found not in kinds else found


def graph_name(name: str) -> str:
    """A function's name in a form that a graph and its files may have: `<lambda>` becomes lambda."""
    return re.sub(r"\W+", "_", name).strip("_") or "graph"


def _all_known(trace: Trace, operands: Sequence[Any]) -> bool:
    some = False
    for item in operands:
        if isinstance(item, Tensor):
            if not trace.is_known(item) or item._data.size > FOLD_ELEMENTS:
                return False
            some = True
        elif isinstance(item, (Symbol, Literal)):
            return False
    return some


def placeholder(trace: Trace, type: TensorType, name: str = "", number: Any = None) -> TracedTensor:
    """A traced tensor for a new parameter of the innermost graph."""
    return wrap(trace.recorder.parameter(type, name), number)
