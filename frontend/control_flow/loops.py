"""Traced loops: the body runs on symbols that stand for any round, until it is known what a round changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.graph import Graph
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Value, literal
from ...compiler.transforms.symbolic import Recorder, Symbol
from ...runtime import dtypes
from ..errors.classes import GraphBreak
from ..tracing.trace import Trace
from ..values import tree
from ..values.tensor import Tensor, TracedTensor, wrap
from .branches import (
    CONTINUE,
    NEXT,
    RETURN,
    Branches,
    TracedMixed,
    as_outcome,
    code_item,
    is_kind,
    split,
    symbol_of,
)
from .join import ABSENT, describe, number_item, number_kind, same_number
from .loop_aliases import CarriedAliases, LoopAliases
from .outside import contents, replace_contents
from .shared import read_variable, write_variable
from .state import UNDEFINED, Loop, Mixed, Variables, fall_through

__all__ = ["Loops", "TracedRange"]

MAX_ATTEMPTS = 50  # attempts to find out what a body changes; each adds at least one value
GOING_ON = frozenset((NEXT, CONTINUE))


class TracedRange:
    """range() with bounds that only the run knows."""

    _is_traced_tensor = True

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    def __iter__(self) -> Iterator[Any]:
        raise GraphBreak(
            "a range with run-time bounds is iterated over outside of a for statement",
            "Loop over it with for, directly",
        )

    def __len__(self) -> int:
        raise GraphBreak("the length of a range with run-time bounds is known only at run time")


class Place:
    """Something a body may change: a variable, an attribute or the contents of a container."""

    def __init__(self, what: str, value: Any, get: Callable[[], Any], put: Callable[[Any], None]) -> None:
        self.what = what
        self.value = value  # before the loop
        self.get = get
        self.put = put


@dataclass
class Carried:
    """What is known so far about what a body changes, and so has to be handed from round to round."""

    places: dict[Any, Place]
    leaves: set[tuple[Any, tuple[int, ...]]] = field(default_factory=set)  # place and path in its value
    targets: dict[int, tuple[Any, Symbol]] = field(default_factory=dict)  # tensors updated in place, symbol before
    kinds: frozenset[int] = frozenset()  # how the loop may end, besides by its test
    going: frozenset[int] = frozenset((NEXT,))  # how rounds may end that the test follows
    returned: list[tuple[TensorType, type | None]] = field(default_factory=list)  # the tensors of a value returned
    unbound: set[str] = field(default_factory=set)  # variables that only the body binds
    aliases: CarriedAliases = field(default_factory=CarriedAliases)


class Loops(Branches):
    """The part of the builder that runs loops."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.rebound: dict[Any, set[Any]] = {}  # what a body was seen to change, for the next time it is traced

    def while_loop(self, test: Any, loop: Loop) -> Any:
        """A while whose test, evaluated once, gave a traced value; gives the outcome of the loop."""
        return self._while(self.condition_symbol(test), loop, fall_through)

    def while_after(self, outcome: Mixed, loop: Loop) -> Any:
        """The rounds of a while after one that ended with a mixed outcome."""
        assert isinstance(outcome, TracedMixed)
        go_on, _ = self.test_after(outcome, loop)
        return self._while(go_on, loop, outcome)

    def for_traced(self, iterable: Any, loop: Loop) -> Any:
        """A for over a traced value: the rows of a tensor one by one, a range in a loop of the graph."""
        if not isinstance(iterable, TracedRange):
            length = iterable._type.shape[0] if iterable._type.shape else None
            if length is not None or not iterable._type.shape:
                return self._for_items(iter(iterable), loop, fall_through)
            return self._counted(TracedRange(0, iterable.shape[0], 1), loop, lambda index: iterable[index])
        return self._counted(iterable, loop, lambda index: index)

    def for_after(self, outcome: Mixed, items: Iterator[Any], loop: Loop, rounds: range | None = None) -> Any:
        """The rounds of a for over static items (of a range, if given) after one that ended with a mixed outcome."""
        return self._for_items(items, loop, outcome)

    def _for_items(self, items: Iterator[Any], loop: Loop, outcome: Any) -> Any:
        """The rounds over items that are known, each under the condition that the loop still goes on."""
        for item in items:
            kinds, code, _ = split(outcome)
            if not kinds & GOING_ON:
                break
            if kinds <= GOING_ON:
                outcome = loop.run_body(item)
                continue
            before = outcome

            def body(item: Any = item) -> Any:
                return loop.run_body(item)

            def over(before: Any = before, kinds: frozenset[int] = kinds) -> Any:
                return as_outcome(kinds - GOING_ON, *split(before)[1:])

            outcome = self.choose_outcome(self._goes_on(kinds, code), body, over, loop.variables)
        return self._after_loop(outcome, loop)

    def _goes_on(self, kinds: frozenset[int], code: Any) -> Any:
        """Whether a loop goes on after an outcome, as a traced condition."""
        going = [is_kind(code, kind) for kind in sorted(kinds & GOING_ON)]
        return going[0] if len(going) == 1 else going[0] | going[1]

    def _after_loop(self, outcome: Any, loop: Loop) -> Any:
        """The outcome of a whole loop, its else clause included."""
        kinds, code, value = split(outcome)
        if loop.orelse is not None and kinds & GOING_ON:
            if kinds <= GOING_ON:
                return loop.run_else()
            broken = as_outcome(kinds - GOING_ON, code, value)
            outcome = self.choose_outcome(
                self._goes_on(kinds, code), loop.run_else, lambda: self._after_break(broken), loop.variables
            )
            return outcome
        return self._after_break(outcome)

    def _after_break(self, outcome: Any) -> Any:
        """Leaving a loop by break, or at its end, means going on behind it."""
        kinds, code, value = split(outcome)
        if RETURN not in kinds:
            return fall_through
        if kinds == {RETURN}:
            return outcome
        return self.choose_outcome(is_kind(code, RETURN), lambda: value, lambda: fall_through, Variables((), ()))

    # A loop of the graph

    def _counted(self, bounds: TracedRange, loop: Loop, item: Callable[[Any], Any]) -> Any:
        """A for over a run-time range, as a while that counts."""
        counting = self.counting(bounds, loop, item)
        assert counting.test is not None
        return self._while(self.condition_symbol(counting.test()), counting, fall_through)

    def counting(self, bounds: TracedRange, loop: Loop, item: Callable[[Any], Any]) -> Loop:
        """The while that a for over a range is."""
        _range_index: Any = self._run_time_int(bounds.start)
        step = bounds.step

        def goes_on() -> Any:
            if isinstance(step, Tensor):
                return ((step > 0) & (_range_index < bounds.stop)) | ((step < 0) & (_range_index > bounds.stop))
            return _range_index < bounds.stop if step > 0 else _range_index > bounds.stop

        def body() -> Any:
            nonlocal _range_index
            index, _range_index = _range_index, _range_index + step
            return loop.run_body(item(index))

        own = Variables(("_range_index",), (body, goes_on))
        orelse = None if loop.orelse is None else loop.run_else
        counting = Loop(body, orelse, own.union(loop.variables), True, goes_on, "for")
        counting.key = loop.key
        return counting

    def _run_time_int(self, value: Any) -> Any:
        """A bound of a range as a run-time int."""
        if isinstance(value, Tensor):
            if not value.dtype.is_integer:
                raise TypeError(f"range() should get integers, but got {describe(value)}")
            return wrap(self.trace.read(self.cast_int(value)), int)
        return wrap(Symbol(number_item(int(value)), self.trace.root), int)

    @staticmethod
    def cast_int(value: Any) -> Any:
        """An integer tensor of one element as a 0-d Int64 one."""
        whole = value.astype(dtypes.int64)
        return whole.reshape(()) if whole.ndim else whole

    def _while(self, go_on: Any, loop: Loop, outcome: Any) -> Any:
        """A loop of the graph that starts with a condition and the outcome so far; gives the outcome of the loop."""
        attempt = self.settle(loop, outcome)
        return self._after_loop(attempt.record(go_on, split(outcome)[1]), loop)

    def settle(self, loop: Loop, outcome: Any) -> Attempt:
        """Trace the body of a loop, which follows on an outcome, until it is known what a round changes."""
        carried = Carried({name: self._variable(loop.variables, name) for name in loop.variables.names})
        kinds, _, value = split(outcome)
        carried.kinds = kinds - GOING_ON
        carried.going |= kinds & GOING_ON
        known = self.rebound.setdefault(loop.key, set())
        carried.leaves |= {(name, path) for name, path in known if name in carried.places}
        for _ in range(MAX_ATTEMPTS):
            attempt = Attempt(self, loop, carried, value)
            if not attempt.run():
                known |= {(name, path) for name, path in carried.leaves if isinstance(name, str)}
                return attempt
        raise GraphBreak("what a run-time loop changes differs from round to round")

    @staticmethod
    def _variable(variables: Variables, name: str) -> Place:
        """A variable of the user's function as a place."""
        one = variables.only(name)
        return Place(f"'{name}'", one.get()[0], lambda: one.get()[0], lambda value: one.set((value,)))

    def attribute_place(self, owner: Any, name: str) -> Place:
        """An attribute as a place."""
        return Place(
            f"attribute '{name}'",
            self.attribute(owner, name),
            lambda: self.attribute(owner, name),
            lambda value: self.trace.set_attribute(owner, name, value),
        )

    def container_place(self, container: Any, before: Any) -> Place:
        """The contents of a container as a place."""

        def put(value: Any) -> None:
            self.touch(container)
            replace_contents(container, value)

        return Place(f"the {type(container).__name__}", before, lambda: contents(container), put)

    def test_after(self, outcome: Any, loop: Loop) -> tuple[Any, bool]:
        """Whether another round follows, as an operand; and whether the test alone would never end the loop."""
        kinds, code, _ = split(outcome)
        assert loop.test is not None
        test = loop.test
        if not kinds & GOING_ON:
            return literal(False, dtypes.bool_), False
        if kinds <= GOING_ON:
            value = self.lift(test())
            return self.condition_symbol(value), not isinstance(value, Tensor) and bool(value)
        endless = False

        def again() -> Any:
            nonlocal endless
            value = self.lift(test())
            endless = not isinstance(value, Tensor) and bool(value)
            return self.constant(self.condition_symbol(value))

        going = self._goes_on(kinds, code)
        variables = loop.variables.kept()  # a test gives a value, but does not return from the function
        result = self.choose_outcome(going, again, lambda: self.constant(literal(False, dtypes.bool_)), variables)
        return self.trace.read(result), endless

    def constant(self, item: Any) -> Tensor:
        """A traced tensor for an operand."""
        return wrap(item if isinstance(item, Symbol) else Symbol(item, self.trace.root))


def shared_place(place: Any, name: str, before: Any) -> Place:
    """A variable that calls in a body rebind as a place."""
    return Place(
        f"'{name}'", before, lambda: read_variable(place, name), lambda value: write_variable(place, name, value)
    )


class Attempt:
    """One trace of a loop's body, on what is known so far about what it changes."""

    may_not_run = True  # whether there may be no round at all

    def __init__(self, builder: Loops, loop: Loop, carried: Carried, returned: Any) -> None:
        self.builder = builder
        self.trace = builder.trace
        self.loop = loop
        self.carried = carried
        self.first_returned = returned  # by a round before the loop
        self.side = builder.side("body", loop.body)
        self.initial: list[Any] = []
        self.outputs: list[Any] = []
        self.numbers: list[type | None] = []
        self.slots: dict[Any, int] = {}
        self.parameters: list[Symbol] = []
        self.grown = False
        self.endless = False
        self.value: Any = ABSENT
        self.aliases = LoopAliases(self.trace, self.side.recorder, carried.aliases, builder.aliases)

    # Before the body

    def slot(self, key: Any, initial: Any, number: type | None = None) -> Symbol:
        """One more value that is handed on: its symbol inside the body."""
        self.slots[key] = len(self.initial)
        self.initial.append(initial)
        self.numbers.append(number)
        type = initial if isinstance(initial, TensorType) else initial.type
        self.parameters.append(self.side.recorder.parameter(type))
        self.outputs.append(self.parameters[-1])
        return self.parameters[-1]

    def substitute(self, key: Any, value: Any, path: tuple[int, ...] = ()) -> Any:
        """A value before the loop with what is handed on replaced by its symbols; the same object if nothing is."""
        if (key, path) in self.carried.leaves:
            _check_present(self.carried.places[key], value)
            item = self.trace.read(value) if isinstance(value, Tensor) else number_item(value)
            number = number_kind(value)
            start = wrap(self.slot((key, path), item, number), number)
            if isinstance(value, Tensor) and number is None:
                self.aliases.start((key, path), value, start)
            return start
        parts = tree.children(value)
        if parts is None or not self._carries(key, path):
            return value
        items = [self.substitute(key, item, (*path, position)) for position, item in enumerate(parts[0])]
        return self._merged(value, parts[1](items))

    def _carries(self, key: Any, path: tuple[int, ...]) -> bool:
        """Whether a part of a value is handed on: an update of another name of its tensor changes it, too."""
        return any(at == key and way[: len(path)] == path for at, way in self.carried.leaves)

    def _merged(self, value: Any, new: Any) -> Any:
        """A container with what is handed on, which may be the container before the loop under another name."""
        if not isinstance(value, tuple):
            self.builder.merged.update({id(value): value, id(new): new})
        return new

    def run(self) -> bool:
        """Trace the body once; whether it changes more than was known."""
        builder, trace, loop = self.builder, self.trace, self.loop
        start = loop.variables.snapshot()
        guarded = set(trace.guards.written)
        written_attributes: list[Any] = []
        aliases, builder.aliases = builder.aliases, builder.aliases.copy()
        builder.enter()
        try:
            with (
                builder.shared.region() as region,
                builder.journal() as journal,
                trace.scope("body", self.side.recorder) as scope,
            ):
                inside = self._start()
                outcome = self._body()
                self._note_outcome(outcome)
                self._note_places(inside)
                self._note_targets(scope)
                self._note_aliases()
                for written in scope.attributes:
                    if ("attribute", written) not in self.carried.places:
                        written_attributes.append((written, trace.attributes[written][0]))
                for variable, (place, name, _) in region.changes(loop.variables).items():
                    key: Any = ("shared", variable)
                    if key not in self.carried.places:
                        self.grown = True
                        self.carried.places[key] = shared_place(place, name, region.before[variable][2])
                for container, before in journal.values():
                    key = ("container", id(container))
                    if key not in self.carried.places:
                        self.grown = True
                        self.carried.places[key] = builder.container_place(container, before)
        finally:
            builder.leave()
            builder.aliases = aliases
            trace.guards.written = guarded
            loop.variables.restore(start)
        self.grown |= self.aliases.grow(scope.written)
        for written, owner in written_attributes:
            # now that the body is undone the attribute is what it was before
            self.carried.places["attribute", written] = builder.attribute_place(owner, written[1])
            self.grown = True
        return self.grown

    def _start(self) -> dict[Any, Any]:
        """Put symbols in the places of what is handed on; the values the body starts with."""
        carried = self.carried
        self.slot("go", TensorType(dtypes.bool_, ()))
        if carried.kinds:
            self.slot("code", TensorType(dtypes.int32, ()))
        for position, (type, number) in enumerate(carried.returned):
            self.slot(("returned", position), type, number)
        inside = {}
        for key, place in carried.places.items():
            inside[key] = value = self.substitute(key, place.value)
            if value is not place.value:
                place.put(value)
        self._start_targets()
        return inside

    def _start_targets(self) -> None:
        """Put symbols in the places of tensors that are updated in place, and link the names that may share one."""
        for key, (target, before) in self.carried.targets.items():
            self.trace.write_target(target, self.slot(("target", key), before))
        for pair in self.carried.aliases.pairs:
            flag = self.slot(("same", pair), TensorType(dtypes.bool_, ()))
            self.aliases.link(self.builder.aliases, pair, wrap(flag), self.aliases.starts)

    def _body(self) -> Any:
        """Run the body and the test after it."""
        try:
            outcome = self.loop.run_body()
            self.outputs[0], self.endless = self.builder.test_after(outcome, self.loop)
        except BaseException as error:
            if not self.builder.records_raise(error):
                raise
            self.outputs[0] = literal(False, dtypes.bool_)
            self.side.raised = True
            return fall_through
        return outcome

    # After the body

    def _note_outcome(self, outcome: Any) -> None:
        """How the round ended, and what it returned."""
        kinds, code, value = split(outcome)
        carried = self.carried
        carried.going |= kinds & GOING_ON
        if not kinds - GOING_ON <= carried.kinds:
            carried.kinds |= kinds - GOING_ON
            self.grown = True
        elif carried.kinds:
            self.outputs[self.slots["code"]] = code
        if value is ABSENT:
            self.value = ABSENT
            return
        self.value = value = tree.map_tree(_same, value)  # containers in it may be put back to what they were
        items: list[Any] = []
        types: list[tuple[TensorType, type | None]] = []

        def note(leaf: Any, first: Any) -> Any:
            if isinstance(leaf, Tensor):
                self.aliases.returned[len(items)] = leaf
            items.append(self.trace.read(leaf) if isinstance(leaf, Tensor) else number_item(leaf))
            types.append((items[-1].type, number_kind(leaf)))
            return leaf

        returned_tree(value, self.first_returned, note)
        if types != carried.returned:
            carried.returned = types
            self.grown = True
            return
        for position, item in enumerate(items):
            self.outputs[self.slots["returned", position]] = item

    def _note_places(self, inside: dict[Any, Any]) -> None:
        """What the body changed in the places known."""
        for key, place in self.carried.places.items():
            if key in inside:
                self._compare(key, place, inside[key], place.get(), ())

    def _compare(self, key: Any, place: Place, start: Any, end: Any, path: tuple[int, ...]) -> None:
        """What the body changed in a value: known leaves get their outputs, new ones are noted."""
        position = self.slots.get((key, path))
        if position is not None:
            self.outputs[position] = self._carried_item(place, start, end)
            if isinstance(end, Tensor) and (key, path) in self.aliases.starts:
                self.aliases.ends[key, path] = end
            return
        if end is start and not self._carries(key, path):
            return
        kind = number_kind(start)
        if isinstance(start, Tensor) or kind is not None:
            if kind is not number_kind(end) or not (isinstance(end, Tensor) or number_kind(end) is not None):
                self._changes_type(place, start, end)
            if isinstance(end, Tensor) or isinstance(start, Tensor) or end != start:
                self.carried.leaves.add((key, path))
                self.grown = True
            return
        if start is UNDEFINED or end is UNDEFINED:
            if not isinstance(key, str):
                raise GraphBreak(f"{place.what} does not exist before a run-time loop that sets it", "Set it before it")
            self.carried.unbound.add(key)
            return
        parts, ends = tree.children(start), tree.children(end)
        if parts is None or ends is None or type(start) is not type(end) or len(parts[0]) != len(ends[0]):
            if type(start) is type(end) and parts is None and not callable(start) and start == end:
                return
            raise GraphBreak(
                f"{place.what} is {describe(start)} before a round of a run-time loop and {describe(end)} after it; "
                "only tensors and numbers can change from round to round",
                "Give it its final structure before the loop",
            )
        for number, (item, last) in enumerate(zip(parts[0], ends[0], strict=True)):
            self._compare(key, place, item, last, (*path, number))

    def _carried_item(self, place: Place, start: Any, end: Any) -> Any:
        """What is handed to the next round."""
        if number_kind(start) is not number_kind(end) or end is UNDEFINED:
            self._changes_type(place, start, end)
        _check_present(place, end)
        if not isinstance(end, Tensor):
            if number_kind(end) is None:
                self._changes_type(place, start, end)
            return number_item(end)
        symbol = self.trace.read(end)
        if symbol.type.dtype is not start.dtype:
            self._changes_type(place, start, end)
        if symbol.type.shape != start._type.shape:
            raise GraphBreak(
                f"{place.what} has shape {start.shape} before a round of a run-time loop and {end.shape} after it; "
                "shapes may not change from round to round"
            )
        return symbol

    def _changes_type(self, place: Place, start: Any, end: Any) -> Any:
        """A value that does not keep its type from round to round."""
        raise TypeError(
            f"Cannot join the return values of different branches, before and after a round of a run-time loop: "
            f"{place.what} is {describe(start)} before and "
            f"{describe(end) if end is not UNDEFINED else 'unbound'} after it (loop body at {self.side.line}). A value "
            "that a loop changes has to keep its kind and dtype; cast it inside or before the loop"
        )

    def _note_targets(self, scope: Any) -> None:
        """Tensors that the body updated in place."""
        for target, before in scope.written.values():
            if before.recorder is self.side.recorder and id(target) not in self.carried.targets:
                continue
            if id(target) in self.carried.targets:
                symbol = symbol_of(target)
                if symbol.type != self.carried.targets[id(target)][1].type:
                    raise GraphBreak("a tensor that is updated in place changes its shape in a run-time loop")
                self.outputs[self.slots["target", id(target)]] = symbol
            else:
                self.carried.targets[id(target)] = (target, before)
                self.grown = True

    def _note_aliases(self) -> None:
        """Which of the names that a round hands on share a tensor at its end."""
        self.aliases.look(self.builder.aliases)
        for pair in self.carried.aliases.pairs:
            self.outputs[self.slots["same", pair]] = self.aliases.final(pair)

    # The node

    def _fill_aliases(self) -> None:
        """Which names share a tensor before the loop."""
        for pair in self.carried.aliases.pairs:
            self.initial[self.slots["same", pair]] = self.aliases.initial(pair)

    def record(self, go_on: Any, code: Any) -> Any:
        """Record the while_loop; the outcome the loop ends with."""
        outer = self.trace.recorder
        carried = self.carried
        self.initial[0] = go_on
        self._fill_aliases()
        if carried.kinds:
            self.initial[self.slots["code"]] = code
        for position, first in enumerate(self._firsts()):
            slot = self.slots["returned", position]
            self.initial[slot] = _undefined(outer, self.initial[slot]) if first is ABSENT else first
        recorder = self.side.recorder
        with recorder:
            body = recorder.finish(self.outputs)
        copies = tuple(Value(value.type, value.name) for value in body.parameters)
        test = Graph("test", copies, (), (copies[0],))
        operands = [*outer.operands(self.initial), *recorder.captures]
        attrs = {"test": test, "body": body, "carried": len(self.initial)}
        node = outer.append(prims.while_loop, operands, attrs)
        outputs = node.outputs[: len(self.initial)]
        results = [wrap(Symbol(value, outer), number) for value, number in zip(outputs, self.numbers, strict=True)]
        self._finish(results)
        if isinstance(go_on, Symbol) and not carried.aliases.tracked:
            self.aliases.link_unrun(wrap(go_on))
        # a last round may have ended with continue
        kinds = carried.kinds if self.endless else carried.kinds | carried.going
        returned = iter([results[self.slots["returned", position]] for position in range(len(carried.returned))])
        value = ABSENT
        if RETURN in carried.kinds:
            known = self.first_returned if self.value is ABSENT else self.value
            value = returned_tree(known, self.first_returned, lambda leaf, first: next(returned))
            for position, first in enumerate(self._returned_tensors()):
                result = results[self.slots["returned", position]]
                self.aliases.link_returned(position, result, first)
        symbol = results[self.slots["code"]]._symbol if carried.kinds else code_item(NEXT)
        return as_outcome(kinds, symbol, value)

    def _firsts(self) -> list[Any]:
        """What an earlier round returned, leaf by leaf, as operands."""
        firsts: list[Any] = []

        def note(leaf: Any, first: Any) -> Any:
            if first is ABSENT:
                firsts.append(ABSENT)
            elif isinstance(leaf, Tensor) and isinstance(first, Tensor) and leaf.dtype is not first.dtype:
                self._changes_type(Place("what it returns", None, lambda: None, lambda value: None), first, leaf)
            else:
                firsts.append(self.trace.read(first) if isinstance(first, Tensor) else number_item(first))
            return leaf

        if self.carried.returned:
            returned_tree(self.value, self.first_returned, note)
        return firsts

    def _returned_tensors(self) -> list[Any]:
        """What an earlier round returned in the places of what the loop returns."""
        firsts: list[Any] = []
        known = self.first_returned if self.value is ABSENT else self.value
        returned_tree(known, self.first_returned, lambda leaf, first: firsts.append(first) or leaf)  # type: ignore[func-returns-value]
        return firsts

    def _finish(self, results: list[TracedTensor]) -> None:
        """Let everything that was handed on be what the loop leaves."""
        carried = self.carried
        for key, place in carried.places.items():
            value = self._result(key, place.value, (), results)
            if value is not place.value:
                place.put(value)
        for key, (target, _) in carried.targets.items():
            self.trace.write_target(target, results[self.slots["target", key]]._symbol)
        for leaf in self.aliases.starts:
            self.aliases.finish(leaf, results[self.slots[leaf]])
        for pair in carried.aliases.pairs:
            flag = results[self.slots["same", pair]]
            self.aliases.link(self.builder.aliases, pair, flag, self.aliases.results)
        for name in carried.unbound:
            carried.places[name].put(UNDEFINED)
            word = self.loop.word
            self.builder.note_unbound(
                self.loop.variables,
                name,
                f"The local variable '{name}' defined in the '{word}' loop body cannot be used outside of the loop "
                f"body. Please define variable '{name}' before '{word}'",
            )

    def _result(self, key: Any, value: Any, path: tuple[int, ...], results: list[TracedTensor]) -> Any:
        """A value before the loop with what was handed on replaced by the results; the same object if nothing was."""
        position = self.slots.get((key, path))
        if position is not None:
            return results[position]
        parts = tree.children(value)
        if parts is None:
            return value
        items = [self._result(key, item, (*path, number), results) for number, item in enumerate(parts[0])]
        if all(a is b for a, b in zip(items, parts[0], strict=True)):
            return value
        new = parts[1](items)
        return self._merged(value, new) if self.may_not_run else new


def _check_present(place: Place, value: Any) -> None:
    """GraphBreak for a value that may be None."""
    if getattr(value, "_present", None) is not None:
        raise GraphBreak(
            f"{place.what} is a tensor or None, which only the run knows, and a run-time loop hands it on",
            "Give it a tensor in every case",
        )


def returned_tree(value: Any, first: Any, leaf: Callable[[Any, Any], Any]) -> Any:
    """A value that a loop returns, with `leaf` applied to what only the run knows of it: its tensors, and numbers that
    are others in the value `first` that an earlier round returned."""
    if isinstance(value, Tensor):
        return leaf(value, first)
    if first is not ABSENT and number_kind(value) is not None and number_kind(first) is number_kind(value):
        return value if same_number(value, first) else leaf(value, first)
    parts, others = tree.children(value), tree.children(first)
    if parts is None:
        if first is not ABSENT and first is not value and (type(first) is not type(value) or first != value):
            raise GraphBreak(f"a run-time loop returns {describe(first)} or {describe(value)}")
        return value
    if first is ABSENT:
        return parts[1]([returned_tree(item, ABSENT, leaf) for item in parts[0]])
    if others is None or type(value) is not type(first) or len(others[0]) != len(parts[0]):
        raise GraphBreak(f"a run-time loop returns {describe(first)} or {describe(value)}")
    return parts[1]([returned_tree(item, other, leaf) for item, other in zip(parts[0], others[0], strict=True)])


def _same(value: Any) -> Any:
    """The value."""
    return value


def _undefined(outer: Recorder, type: TensorType) -> Symbol:
    """A symbol for a value that nothing reads."""
    return outer.apply(prims.undefined, (), {"shape": type.shape, "dtype": type.dtype})
