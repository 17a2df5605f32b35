"""Rolled loops: a long `for` over a range, or a `while` on a counter, becomes one `scan` in place of a copy per round.

A round is traced with the round's number as a run-time int. Whatever cannot be so, or would leave anything behind that
the rounds one by one do not, gives up, puts everything back, and the rounds are traced one by one.
"""

from __future__ import annotations

import dis
import types
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.interpret import interpret
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Literal, Operand, Value, literal
from ...compiler.transforms.symbolic import Symbol
from ...runtime import dtypes
from ..errors.classes import GraphBreak
from ..source.policy import should_convert
from ..tracing.trace import Trace
from ..values.cell import Cell
from ..values.parameter import Parameter
from ..values.tensor import Tensor, TracedTensor, wrap
from .blocks import ROLL_TRIES
from .branches import BranchRaised, TracedMixed, split
from .join import number_kind
from .loops import GOING_ON, MAX_ATTEMPTS, Attempt, Carried, Loops, Place, TracedRange
from .outside import Outside
from .state import UNDEFINED, Loop, fall_through

__all__ = ["Rolling"]

Settled = TypeVar("Settled")

MIN_ROUNDS = 40  # shorter loops run faster when traced round by round, gradients above all
MAX_COUNTED = 100_000  # rounds of a while loop that are counted before it runs
_INDEX = TensorType(dtypes.int64, ())
_ROUND_LIMIT = 2**31


class Rolling(Loops):
    """The part of the builder that rolls loops whose number of rounds is known."""

    outside: Outside

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.rolling = 0  # attempts that stand inside one another
        self.refused = False  # whether the innermost attempt met what only rounds one by one can have
        self.unrolled: dict[int, Any] = {}  # bodies, by their code, that cannot be rolled
        self.unrolled_exits: dict[int, Any] = {}  # those that cannot be even after a round that may have left the loop

    def for_traced(self, iterable: Any, loop: Loop) -> Any:
        """A for over a traced value: the rows of a tensor are rolled where they are many."""
        shape = iterable._type.shape if isinstance(iterable, Tensor) else ()
        if not shape or shape[0] is None or shape[0] < MIN_ROUNDS:
            return super().for_traced(iterable, loop)
        rounds = range(shape[0])
        outcome: Any = fall_through
        for position in range(ROLL_TRIES):
            if self.roll_range(rounds[position:], loop, position == ROLL_TRIES - 1, iterable.__getitem__):
                return loop.run_else()
            outcome = loop.run_body(iterable[position])
            if not split(outcome)[0] <= GOING_ON:
                break
        left = rounds[position + 1 :]
        return self.for_after(outcome, (iterable[number] for number in left), loop, left, iterable.__getitem__)

    def for_after(
        self,
        outcome: Any,
        items: Iterator[Any],
        loop: Loop,
        rounds: range | None = None,
        item_at: Callable[[Any], Any] | None = None,
    ) -> Any:
        """The rounds of a for after some traced one by one: a loop of the graph, if they are many."""
        if isinstance(outcome, TracedMixed) and rounds is not None and self._is_long(rounds):
            kinds, code, _ = split(outcome)
            counting = self.counting(TracedRange(rounds.start, rounds.stop, rounds.step), loop, item_at or _same)
            body: Any = getattr(loop.body, "__code__", None)
            if kinds & GOING_ON and body is not None and id(body) not in self.unrolled_exits:
                attempt = None if _catches(body) else self._attempted(loop, lambda: self._settled(counting, outcome))
                if attempt is not None:
                    return self._after_loop(attempt.record(self.test_after(outcome, counting)[0], code), counting)
                self.unrolled_exits[id(body)] = body
        return super().for_after(outcome, items, loop)

    def _settled(self, loop: Loop, outcome: Any) -> Attempt:
        """As `settle`; gives up where a body does what has to be done round by round."""
        with self._guarded():
            return self.settle(loop, outcome)

    @staticmethod
    def _is_long(rounds: range) -> bool:
        """Whether a range has so many rounds that they should be one node, and few enough to be counted."""
        return len(rounds) >= MIN_ROUNDS and max(abs(rounds.start), abs(rounds.stop)) <= _ROUND_LIMIT

    def roll_range(self, rounds: range, loop: Loop, last: bool, item_at: Callable[[Any], Any] | None = None) -> bool:
        """Record the rounds of a for as one node, if they can be; last says that nobody will ask again.

        The body gets the number of the round, or what item_at gives for it.
        """
        return self._is_long(rounds) and self._roll(rounds, loop, last, item_at or _same)

    def roll_while(self, test: Any, loop: Loop, last: bool) -> bool:
        """Record the rounds of a while, whose test has given a known tensor, as one node, if they can be."""
        return isinstance(test, Tensor) and test.size == 1 and bool(test) and self._roll(None, loop, last)

    def _roll(self, rounds: range | None, loop: Loop, last: bool, item_at: Callable[[Any], Any] | None = None) -> bool:
        """Try to record the rounds as one node."""
        code = getattr(loop.body, "__code__", None)
        if code is None or id(code) in self.unrolled:
            return False
        done = not _catches(code) and self._rolled(rounds, loop, item_at)
        if not done and last:
            self.unrolled[id(code)] = code
        return done

    def _rolled(self, rounds: range | None, loop: Loop, item_at: Callable[[Any], Any] | None) -> bool:
        """Trace a round until it is known what it changes, and record the node; False where that cannot be."""
        attempt = self._attempted(loop, lambda: self._settled_round(rounds, loop, item_at))
        if attempt is not None:
            attempt.record_scan()
        return attempt is not None

    def _attempted(self, loop: Loop, settle: Callable[[], Settled]) -> Settled | None:
        """What a function gives; None where it fails, with everything put back."""
        derivatives = len(self.trace.derivatives)
        try:
            return settle()
        except (Exception, BranchRaised):
            # Whatever it is, it is the business of the rounds one by one, which will meet it too if it is an error.
            self.rebound.pop(loop.key, None)
            del self.trace.derivatives[derivatives:]
            return None

    def _settled_round(self, rounds: range | None, loop: Loop, item_at: Callable[[Any], Any] | None) -> Round:
        """Trace a round until it is known what it changes."""
        carried = Carried({name: self._variable(loop.variables, name) for name in loop.variables.names})
        finals: set[Any] = set()
        known = self.rebound.setdefault(loop.key, set())
        carried.leaves |= {(name, path) for name, path in known if name in carried.places}
        for _ in range(MAX_ATTEMPTS):
            with self._guarded():
                attempt = Round(self, loop, carried, rounds, item_at, finals)
                grown = attempt.run()
            if not grown:
                attempt.check()
                known |= {(name, path) for name, path in carried.leaves if isinstance(name, str)}
                return attempt
        raise GraphBreak("what the loop changes differs from round to round")

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Give up where something was refused inside."""
        refused, self.refused = self.refused, False
        self.rolling += 1
        try:
            yield
            if self.refused:
                raise GraphBreak("something in the body of the loop can only be done round by round")
        finally:
            self.rolling -= 1
            self.refused = refused

    def refuse(self, what: str) -> GraphBreak:
        """The error for what can only be done round by round."""
        self.refused = True
        return GraphBreak(f"{what} in the body of a loop that is recorded once")

    def check_callee(self, function: Any) -> None:
        """Inside of an attempt: give up on calls that may have effects which cannot be undone."""
        if self.rolling and not _is_repeatable(function):
            raise self.refuse(f"a call of {function!r}")


class Round(Attempt):
    """One trace of the body of a loop whose number of rounds is known."""

    may_not_run = False

    def __init__(
        self,
        builder: Rolling,
        loop: Loop,
        carried: Carried,
        rounds: range | None,
        item_at: Callable[[Any], Any] | None,
        finals: set[Any],
    ) -> None:
        super().__init__(builder, loop, carried, None)
        self.rounds: Any = rounds  # None for a while
        self.item_at: Any = item_at
        self.finals = finals  # variables that hold the item of the round at its end
        self.known: dict[int, Any] = {}  # slot -> its numbers before the loop, where tracing knows them
        self.static: dict[int, Any] = {}  # slot -> its numbers after the loop, likewise
        self.index = self.side.recorder.parameter(_INDEX, "i")
        self.number: Any = None  # of the round: a run-time int
        self.item: Any = None  # what the body gets
        self.go: Any = None

    # The body

    def substitute(self, key: Any, value: Any, path: tuple[int, ...] = ()) -> Any:
        """As for other loops; notes what tracing knows."""
        if (key, path) in self.carried.leaves:
            if number_kind(value) is not None:
                raise GraphBreak("the loop changes a Python number, which stays one when its rounds run one by one")
            if not isinstance(value, TracedTensor) and self.trace.is_known(value):
                self.known[len(self.initial)] = value._data
        return super().substitute(key, value, path)

    def _start(self) -> dict[Any, Any]:
        """Put symbols in the places of what is handed on; the values the body starts with."""
        carried = self.carried
        if self.rounds is not None:
            number: Any = wrap(self.index, int)
            if self.rounds.step != 1:
                number = number * self.rounds.step
            self.number = number if self.rounds.start == 0 else number + self.rounds.start
        inside = {}
        for key, place in carried.places.items():
            if key in self.finals:
                place.put(UNDEFINED)  # to notice it when the body reads the item of the round before
                inside[key] = UNDEFINED
                continue
            inside[key] = value = self.substitute(key, place.value)
            if value is not place.value:
                place.put(value)
        self._start_targets()
        if self.rounds is not None:
            self.item = self.item_at(self.number)  # which may be of a tensor that the rounds update
        return inside

    def _body(self) -> Any:
        """Run the body, and the test after it."""
        loop = self.loop
        outcome = loop.run_body() if self.rounds is None else loop.run_body(self.item)
        if not split(outcome)[0] <= GOING_ON:
            raise GraphBreak("the loop may be left early")
        if self.rounds is None:
            assert loop.test is not None
            test = self.builder.lift(loop.test())
            if not isinstance(test, Tensor):
                raise GraphBreak("the condition of the loop is a tensor only at first")
            self.go = self.trace.read(self.builder.condition(test))
        return fall_through

    def _compare(self, key: Any, place: Place, start: Any, end: Any, path: tuple[int, ...]) -> None:
        """What the body changed in a value."""
        if key in self.finals:
            if end is not self.item:
                raise GraphBreak("the variable of the loop is another at its end")
        elif end is self.item and self.item is not None and not path and isinstance(key, str):
            self.finals.add(key)
            self.grown = True
        elif start is UNDEFINED and end is not UNDEFINED:
            raise GraphBreak("a variable is first bound in the loop")
        elif number_kind(start) is not None and (type(end) is not type(start) or repr(end) != repr(start)):
            raise GraphBreak("the loop changes a Python number, which stays one when its rounds run one by one")
        else:
            super()._compare(key, place, start, end, path)

    # What the trace has shown

    def check(self) -> None:
        """Give up where the node would not do what the rounds one by one do; counts the rounds of a while."""
        recorder = self.side.recorder
        if self.carried.unbound or not self.initial:
            raise GraphBreak("the loop hands on no tensor")
        if all(value.type.is_static for value in recorder.parameters) and not all(
            value.type.is_static for node in recorder.nodes for value in node.outputs
        ):
            raise GraphBreak("shapes depend on the round")
        with recorder:
            self.operands = [recorder.lift(item) if isinstance(item, Symbol) else item for item in self.outputs]
            go = recorder.lift(self.go) if self.go is not None else None
        taken, static = self._depends()
        if self.rounds is not None:
            if static:
                raise GraphBreak("the loop computes numbers that are known when its rounds are traced one by one")
            _check_numbers([node for node in recorder.nodes if not taken.intersection(node.inputs)], self.index.operand)
            self.count = len(self.rounds)
        elif go in taken or not static:
            raise GraphBreak("only the run knows the condition of the loop")
        else:
            self._count_rounds(go, taken, static)

    def _depends(self) -> tuple[set[Operand], list[int]]:
        """What depends on values that only the run knows; and the slots that do not, in any round."""
        recorder = self.side.recorder
        slots = [symbol.operand for symbol in self.parameters]
        static = [slot for slot in range(len(slots)) if slot in self.known]
        while True:
            free = {self.index.operand, *(slots[slot] for slot in static)}
            taken: set[Operand] = {value for value in recorder.parameters if value not in free}
            for node in recorder.nodes:
                own = node.op.holds_graphs or node.has_effect
                if own or taken.intersection(node.inputs):
                    taken.update(node.outputs)
            left = [slot for slot in static if self.operands[slot] not in taken]
            if left == static:
                return taken, static
            static = left

    def _count_rounds(self, go: Any, taken: set[Operand], static: list[int]) -> None:
        """Run what the condition of a while depends on, which is known, to count the rounds."""
        recorder = self.side.recorder
        parameters: Any = tuple(self.parameters[slot].operand for slot in static)
        nodes = [node for node in recorder.nodes if not taken.intersection((*node.inputs, *node.outputs))]
        outputs = (go, *(self.operands[slot] for slot in static))
        graph = Graph("count", parameters, tuple(_needed(nodes, outputs)), outputs)
        numbers = [np.asarray(self.known[slot]) for slot in static]
        again: Any = True
        count = 0
        while again:
            again, *numbers = interpret(graph, numbers)
            count += 1
            if count > MAX_COUNTED:
                raise GraphBreak("the loop has too many rounds to count")
        if count < MIN_ROUNDS:
            raise GraphBreak("the loop is short")
        self.count = count
        self.static = dict(zip(static, numbers, strict=True))

    # The node

    def record_scan(self) -> None:
        """Record the scan, and let everything that was handed on be what the loop leaves."""
        self._fill_aliases()
        outer, recorder = self.trace.recorder, self.side.recorder
        captures = dict(zip(recorder.captures.values(), recorder.captures, strict=True))
        own: Any = [symbol.operand for symbol in (self.index, *self.parameters)]
        graph = Graph(recorder.name, (*own, *captures), tuple(recorder.nodes), tuple(self.operands))
        graph, rows = self._scan_rows(graph, captures)
        operands = [literal(self.count, dtypes.int64), *outer.operands(self.initial), *rows, *captures.values()]
        carried = len(self.initial)
        attrs = {"body": graph, "carried": carried, "scanned": len(rows), "length": self.count, "reverse": False}
        node = outer.append(prims.scan, operands, attrs)
        results: list[Any] = [wrap(Symbol(value, outer)) for value in node.outputs[:carried]]
        for slot, numbers in self.static.items():
            results[slot] = Tensor._wrap(numbers)
            results[slot]._birth = self.trace
        self._finish(results)
        for key in self.finals:
            self.carried.places[key].put(self.item_at(self.rounds[-1]))

    def _scan_rows(self, graph: Graph, captures: dict[Value, Value]) -> tuple[Graph, list[Operand]]:
        """Rows `x[i]` of tensors from outside as scanned operands, so that no round, forwards or backwards, handles
        all of x; what is left of captures stays."""
        if self.rounds is None:
            return graph, []
        outer, rounds = self.trace.recorder, self.rounds
        found: dict[Any, Value] = {}
        rows: list[Operand] = []
        nodes: list[Node] = []
        renamed: dict[Operand, Operand] = {}
        for node in graph.nodes:
            source = node.inputs[0] if node.inputs else None
            if not self._is_row(node) or source not in captures:
                nodes.append(node)
                continue
            row = found.get(source)
            if row is None:
                tensor: Any = wrap(Symbol(captures[source], outer))  # type: ignore[index]
                length = tensor.shape[0]
                if (rounds.start, rounds.step, len(rounds)) != (0, 1, length):
                    stop = rounds.start + rounds.step * len(rounds)
                    tensor = tensor[rounds.start : (stop if stop >= 0 else None) : rounds.step]
                rows.append(outer.lift(self.trace.read(tensor)))
                row = found[source] = Value(node.output.type, "row")
            renamed[node.output] = row
        nodes = [node.with_inputs([renamed.get(item, item) for item in node.inputs]) for node in nodes]
        read = {item for node in nodes for item in node.inputs} | set(graph.outputs)
        for value in found:
            if value not in read:
                del captures[value]
        first = 1 + len(self.initial)
        parameters = (*graph.parameters[:first], *found.values(), *captures)
        outputs = tuple(renamed.get(item, item) for item in graph.outputs)
        return replace(graph, parameters=parameters, nodes=tuple(nodes), outputs=outputs), rows

    def _is_row(self, node: Node) -> bool:
        """Whether a node takes the row of the round out of a tensor that has all of them."""
        if node.op is not prims.take or node.attrs.get("axis") != 0 or node.inputs[1] != self.number._symbol.operand:
            return False
        length = node.inputs[0].type.shape[0]
        return length is not None and min(self.rounds) >= 0 and max(self.rounds) < length


def _same(value: Any) -> Any:
    """The value."""
    return value


def _needed(nodes: list[Node], outputs: tuple[Operand, ...]) -> list[Node]:
    """The nodes that outputs depend on."""
    wanted = set(outputs)
    kept: list[Node] = []
    for node in reversed(nodes):
        if wanted.intersection(node.outputs):
            wanted.update(node.inputs)
            kept.append(node)
    return kept[::-1]


def _check_numbers(nodes: list[Node], index: Operand) -> None:
    """Give up on floats computed from the number of the round, which Python computes in double precision, unless the
    result is the same: ints as floats, and quotients of these, rounded once."""
    exact: set[Operand] = {index}
    derived: set[Operand] = {index}
    for node in nodes:
        if not derived.intersection(node.inputs):
            continue
        derived.update(node.outputs)
        inputs = [item in exact or item not in derived for item in node.inputs]
        floats = any(value.type.dtype.is_float for value in node.outputs)
        whole = all(not isinstance(item, Literal) or _is_whole(item.value) for item in node.inputs)
        if not all(inputs) or (floats and not (node.op is prims.cast or (node.op is prims.divide and whole))):
            raise GraphBreak("the loop computes floats from the number of the round")
        if not floats or node.op is prims.cast:
            exact.update(node.outputs)


def _is_whole(value: Any) -> bool:
    """Whether a number is an integer."""
    return isinstance(value, (bool, int)) or (isinstance(value, float) and value.is_integer())


# Calls that may be made once in place of once a round

_POP_EXCEPT = dis.opmap["POP_EXCEPT"]
_PACKAGE = __name__.split(".")[0]
_PLAIN_OWNERS = (str, bytes, int, float, complex, tuple, list, dict, set, frozenset, bytearray, deque, type(None))
_LASTING = frozenset(("next", "iter", "input", "open", "exec", "eval", "compile", "globals", "locals", "vars", "id",
                      "anext", "aiter", "__import__", "breakpoint"))  # fmt: skip


def _catches(code: types.CodeType) -> bool:
    """Whether code, or code inside it, handles exceptions: it might take the end of an attempt for one of its own."""
    inner = (item for item in code.co_consts if isinstance(item, types.CodeType))
    return _POP_EXCEPT in code.co_code[::2] or any(map(_catches, inner))


def _is_repeatable(function: Any) -> bool:
    """Whether a call does nothing that one trace of a body could not stand for, or that could not be undone."""
    while isinstance(function, (types.MethodType,)) or type(function).__name__ == "partial":
        if isinstance(function, types.MethodType) and isinstance(function.__self__, type):
            return _is_ours(function.__func__) or should_convert(function.__func__)  # type: ignore[arg-type]
        function = function.__func__ if isinstance(function, types.MethodType) else function.func
    if isinstance(function, types.FunctionType):
        return _is_ours(function) or (should_convert(function) and not _catches(function.__code__))
    if isinstance(function, types.BuiltinFunctionType):
        owner = function.__self__
        if isinstance(owner, types.ModuleType):
            return owner.__name__ in ("math", "_operator", "builtins") and function.__name__ not in _LASTING
        return type(owner) in _PLAIN_OWNERS
    if isinstance(function, type):
        return not issubclass(function, (Cell, Parameter))
    return not isinstance(function, (types.WrapperDescriptorType, types.MethodWrapperType))


def _is_ours(function: Any) -> bool:
    """Whether a function is of this package."""
    return str(getattr(function, "__module__", "") or "").split(".")[0] == _PACKAGE
