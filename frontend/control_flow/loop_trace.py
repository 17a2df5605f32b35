"""Fixed-point tracing of a loop's body: it runs on symbols until all values that an iteration changes are known.

A first trace takes every value as constant. Each value that it changes becomes one that the loop carries, and the body
is traced again, until a trace changes nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.graph import Graph
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Value, literal
from ...compiler.transforms.symbolic import Recorder, Symbol
from ...runtime import dtypes
from ..errors.classes import GraphBreak
from ..tracing.trace import TraceScope
from ..values import tree
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor, wrap
from .branches import Branches
from .flow import Region
from .growing import is_alone
from .join import ABSENT, describe, differing, is_flag, number_item, number_kind, same_number
from .loop_aliases import LoopAliases
from .lvalues import Carried, Lvalue, attribute_lvalue, check_present, container_lvalue, shared_lvalue
from .outcomes import GOING_ON, NEXT, RETURN, as_outcome, code_item, goes_on, split
from .shared import SharedRegion
from .state import UNDEFINED, SourceLoop, fall_through, identity


class LoopTrace:
    """One trace of a loop's body. It carries the values that earlier traces have seen the body change."""

    may_not_run = True  # whether there may be no iteration at all

    def __init__(self, branches: Branches, loop: SourceLoop, carried: Carried, returned: Any) -> None:
        self.branches = branches
        self.flow = branches.flow
        self.trace = branches.trace
        self.loop = loop
        self.carried = carried
        self.first_returned = returned  # by an iteration before the loop
        self.side = branches.side("body", loop.body)
        self._marks = self.side.recorder.names.marks()
        self.initial: list[Any] = []
        self.outputs: list[Any] = []
        self.numbers: list[type | None] = []
        self.names: list[str] = []
        self.slots: dict[Any, int] = {}
        self.parameters: list[Symbol] = []
        self.grown = False
        self.endless = False
        self.value: Any = ABSENT
        self.aliases = LoopAliases(
            self.trace, self.side.recorder, carried.aliases, self.flow.aliases, not self.may_not_run
        )

    # Before the body

    def slot(self, key: Any, initial: Any, number: type | None = None, name: str = "") -> Symbol:
        """Add a carried value. Returns its symbol inside the body.

        Args:
            key: what it is found by later.
            initial: its operand before the loop, or its type.
            number: the type of a Python number that only the run knows.
            name: of the user's variable.
        """
        self.slots[key] = len(self.initial)
        self.initial.append(initial)
        self.numbers.append(number)
        type = initial if isinstance(initial, TensorType) else initial.type
        self.names.append(name)
        self.parameters.append(self.side.recorder.parameter(type, name, own=True))
        self.outputs.append(self.parameters[-1])
        return self.parameters[-1]

    def substitute(self, key: Any, value: Any, path: tuple[int, ...] = ()) -> Any:
        """A value before the loop, with symbols for its carried parts; the same object if it has none."""
        if (key, path) in self.carried.leaves:
            check_present(self.carried.lvalues[key], value)
            item = self.trace.read(value) if isinstance(value, Tensor) else number_item(value)
            number = number_kind(value)
            kind = None if (key, path) in self.carried.flags else number
            start = wrap(self.slot((key, path), item, kind, self.carried.lvalues[key].name), kind)
            if isinstance(value, Tensor) and number is None:
                self.aliases.start((key, path), value, start)
            return start
        parts = tree.children(value)
        if parts is None or not self._carries(key, path):
            return value
        items = [self.substitute(key, item, (*path, position)) for position, item in enumerate(parts[0])]
        return self._merged(value, parts[1](items))

    def _carries(self, key: Any, path: tuple[int, ...]) -> bool:
        """Whether a part of a value is carried. An update of another name of its tensor changes it, too."""
        return any(at == key and way[: len(path)] == path for at, way in self.carried.leaves)

    def _merged(self, value: Any, new: Any) -> Any:
        """A container with carried parts. It may be the container before the loop under another name."""
        if not isinstance(value, tuple):
            self.flow.merged.update({id(value): value, id(new): new})
        return new

    def run(self) -> bool:
        """Trace the body once. Returns whether it changes more than was known."""
        flow, trace, loop = self.flow, self.trace, self.loop
        region = Region(flow, loop.variables, self.side.recorder, flow.aliases.copy())
        with flow.outside.moving.holding(loop.body, loop.test), region:
            inside = self._start()
            outcome = self._body()
            region.settle()
            self._note_outcome(outcome)
            self._note_lvalues(inside)
            self._note_targets(region.scope)
            self._note_aliases()
            written = [(key, trace.attributes[key][0]) for key in region.scope.attributes]
            self._note_shared(region.shared)
        self.grown |= self.aliases.grow(region.scope.written)
        self._note_attributes(written)
        inside = {}
        trace.sites.forget()
        trace.recorder.forget()  # a constant may have been recorded outside, in a call of the body
        self._note_containers(region.journal)
        return self.grown

    def discard(self) -> None:
        """Free the names in this trace, which another one replaces."""
        self.side.recorder.discard(self._marks)

    def _start(self) -> dict[Any, Any]:
        """Replace carried values by symbols. Returns the values with which the body starts."""
        carried = self.carried
        self.slot("go", TensorType(dtypes.bool_, ()), name="again")
        if carried.kinds:
            self.slot("code", TensorType(dtypes.int32, ()))
        for position, (type, number) in enumerate(carried.returned):
            self.slot(("returned", position), type, number)
        inside = {}
        for key, lvalue in carried.lvalues.items():
            inside[key] = value = self.substitute(key, lvalue.value)
            if value is not lvalue.value:
                lvalue.put(value)
        self._start_targets()
        return inside

    def _start_targets(self) -> None:
        """Replace the numbers of tensors that are updated in place by symbols, and link the names that may share a
        tensor."""
        for key, (target, before) in self.carried.targets.items():
            name = before.operand.name if isinstance(before.operand, Value) else ""
            self.trace.write_target(target, self.slot(("target", key), before, name=name))
        for pair in self.carried.aliases.pairs:
            flag = self.slot(("same", pair), TensorType(dtypes.bool_, ()))
            self.aliases.link(self.flow.aliases, pair, wrap(flag), self.aliases.starts)

    def _body(self) -> Any:
        """Run the body and the test after it."""
        try:
            outcome = self.loop.run_body()
            self.outputs[0], self.endless = test_after(self.branches, outcome, self.loop)
        except BaseException as error:
            if not self.flow.records_raise(error):
                raise
            self.outputs[0] = literal(False, dtypes.bool_)
            self.side.raised = True
            return fall_through
        return outcome

    # After the body

    def _note_outcome(self, outcome: Any) -> None:
        """Store how the iteration ended, and the value that it returned."""
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
        self.value = value = tree.map_tree(identity, value)  # containers in it may be restored
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

    def _note_lvalues(self, inside: dict[Any, Any]) -> None:
        """Store what the body changed in the known lvalues."""
        for key, lvalue in self.carried.lvalues.items():
            if key in inside:
                self._compare(key, lvalue, inside[key], lvalue.get(), ())

    def _compare(self, key: Any, lvalue: Lvalue, start: Any, end: Any, path: tuple[int, ...]) -> None:
        """Compare a value with that before the body: known leaves get their outputs, new ones are stored."""
        position = self.slots.get((key, path))
        if position is not None:
            if self._becomes_flag(start, end):
                self.carried.flags.add((key, path))
                self.grown = True
                return
            self.outputs[position] = self._carried_item(lvalue, start, end)
            if isinstance(end, Tensor) and number_kind(end) is None and (key, path) in self.aliases.starts:
                self.aliases.ends[key, path] = end
            return
        if end is start and not self._carries(key, path):
            return
        if isinstance(start, Tensor) or number_kind(start) is not None:
            self._compare_leaf(key, lvalue, start, end, path)
        elif start is UNDEFINED or end is UNDEFINED:
            if not isinstance(key, str):
                raise GraphBreak(
                    f"{lvalue.what} does not exist before a run-time loop that sets it", "Set it before it"
                )
            self.carried.unbound.add(key)
        else:
            self._compare_parts(key, lvalue, start, end, path)

    def _compare_leaf(self, key: Any, lvalue: Lvalue, start: Any, end: Any, path: tuple[int, ...]) -> None:
        """Compare a tensor or number that is not known to change."""
        kind = number_kind(start)
        if self._becomes_flag(start, end):
            self.carried.flags.add((key, path))
        elif not (is_flag(start) and is_flag(end)) and (
            kind is not number_kind(end) or not (isinstance(end, Tensor) or number_kind(end) is not None)
        ):
            self._changes_type(lvalue, start, end)
        if isinstance(end, Tensor) or isinstance(start, Tensor) or end != start:
            self.carried.leaves.add((key, path))
            self.grown = True

    def _compare_parts(self, key: Any, lvalue: Lvalue, start: Any, end: Any, path: tuple[int, ...]) -> None:
        """Compare a container, part by part."""
        parts, ends = tree.children(start), tree.children(end)
        other_keys = isinstance(start, dict) and isinstance(end, dict) and [*start] != [*end]
        if not parts or not ends or type(start) is not type(end) or len(parts[0]) != len(ends[0]) or other_keys:
            if type(start) is type(end) and parts is None and not callable(start) and start == end:
                return
            raise GraphBreak(
                f"{lvalue.what} is {describe(start)} before an iteration of a run-time loop and {describe(end)} after "
                "it; only tensors and numbers can change from iteration to iteration",
                "Give it its final structure before the loop",
            )
        for number, (item, last) in enumerate(zip(parts[0], ends[0], strict=True)):
            self._compare(key, lvalue, item, last, (*path, number))

    def _becomes_flag(self, start: Any, end: Any) -> bool:
        """Whether a bool is a Bool tensor after an iteration. Then it is one from the first iteration on."""
        return number_kind(start) is bool and number_kind(end) is None and is_flag(end)

    def _carried_item(self, lvalue: Lvalue, start: Any, end: Any) -> Any:
        """The item that is passed to the next iteration."""
        if is_flag(start) and number_kind(end) is bool:
            return self.trace.read(end) if isinstance(end, Tensor) else number_item(end)
        if number_kind(start) is not number_kind(end) or end is UNDEFINED:
            self._changes_type(lvalue, start, end)
        check_present(lvalue, end)
        if not isinstance(end, Tensor):
            if number_kind(end) is None:
                self._changes_type(lvalue, start, end)
            return number_item(end)
        symbol = self.trace.read(end)
        if symbol.type.dtype is not start.dtype:
            self._changes_type(lvalue, start, end)
        if symbol.type.shape != start._type.shape:
            raise GraphBreak(
                f"{lvalue.what} has shape {start.shape} before an iteration of a run-time loop and {end.shape} after "
                "it; shapes may not change from iteration to iteration"
            )
        return symbol

    def _changes_type(self, lvalue: Lvalue, start: Any, end: Any) -> Any:
        """The error for a value whose type changes from iteration to iteration."""
        raise differing(
            (start, end),
            f"Cannot join the return values of different branches, before and after an iteration of a run-time loop: "
            f"{lvalue.what} is {describe(start)} before and "
            f"{describe(end) if end is not UNDEFINED else 'unbound'} after it (loop body at {self.side.line}). A value "
            "that a loop changes has to keep its kind and dtype; cast it inside or before the loop",
        )

    def _note_targets(self, scope: TraceScope) -> None:
        """Store the tensors that the body updated in place."""
        for target, before in scope.written.values():
            if before.recorder is self.side.recorder and id(target) not in self.carried.targets:
                continue
            if id(target) in self.carried.targets:
                symbol = self.trace.symbol_of(target)
                if symbol.type != self.carried.targets[id(target)][1].type:
                    raise GraphBreak("a tensor that is updated in place changes its shape in a run-time loop")
                self.outputs[self.slots["target", id(target)]] = symbol
            else:
                self.carried.targets[id(target)] = (target, before)
                self.grown = True

    def _note_aliases(self) -> None:
        """Store which carried names share a tensor at the end of an iteration."""
        self.aliases.look(self.flow.aliases)
        for pair in self.carried.aliases.pairs:
            self.outputs[self.slots["same", pair]] = self.aliases.final(pair)

    def _note_shared(self, region: SharedRegion) -> None:
        """Store the variables that calls in the body rebound."""
        for variable, (holder, name, _) in region.changes(self.loop.variables).items():
            self._carry(("shared", variable), shared_lvalue, holder, name, region.before[variable][2])

    def _note_containers(self, journal: dict[int, tuple[Any, Any]]) -> None:
        """Store the containers that the body changed, unless they are gone with it."""
        for container, before in [item for key, item in journal.items() if not is_alone(journal, key)]:
            self._carry(("container", id(container)), container_lvalue, self.flow, container, before)

    def _note_attributes(self, written: list[tuple[Any, Any]]) -> None:
        """Store the attributes that the body wrote. It has been undone, so each has its value from before."""
        for key, owner in written:
            self._carry(("attribute", key), attribute_lvalue, self.flow, owner, key[1])

    def _carry(self, key: Any, make: Callable[..., Lvalue], *what: Any) -> None:
        """Carry one more lvalue, if it is not carried yet."""
        if key not in self.carried.lvalues:
            self.carried.lvalues[key] = make(*what)
            self.grown = True

    # The node

    def _fill_aliases(self) -> None:
        """Store which names share a tensor before the loop."""
        for pair in self.carried.aliases.pairs:
            self.initial[self.slots["same", pair]] = self.aliases.initial(pair)

    def record(self, go_on: Any, code: Any) -> Any:
        """Record the while_loop. Returns the outcome of the loop."""
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
        for output, name in zip(node.outputs, [*self.names, "iterations"], strict=True):
            if name:
                outer.names.improve(output, name)
        results = [wrap(Symbol(value, outer), number) for value, number in zip(outputs, self.numbers, strict=True)]
        self._finish(results)
        if isinstance(go_on, Symbol) and not carried.aliases.tracked:
            self.aliases.link_unrun(wrap(go_on))
        # a last iteration may have ended with continue
        kinds = carried.kinds if self.endless else carried.kinds | carried.going
        returned = iter([results[self.slots["returned", position]] for position in range(len(carried.returned))])
        value = self.first_returned if RETURN in carried.kinds else ABSENT  # by an iteration before, alone
        if RETURN in carried.kinds and self.value is not ABSENT:
            value = returned_tree(self.value, self.first_returned, lambda leaf, first: next(returned))
            for position, first in enumerate(self._returned_tensors()):
                result = results[self.slots["returned", position]]
                self.aliases.link_returned(position, result, first)
        symbol = results[self.slots["code"]]._symbol if carried.kinds else code_item(NEXT)
        return as_outcome(kinds, symbol, value)

    def _firsts(self) -> list[Any]:
        """The returned value of an earlier iteration, leaf by leaf, as operands."""
        firsts: list[Any] = []

        def note(leaf: Any, first: Any) -> Any:
            if first is ABSENT:
                firsts.append(ABSENT)
            elif isinstance(leaf, Tensor) and isinstance(first, Tensor) and leaf.dtype is not first.dtype:
                self._changes_type(Lvalue("what it returns", None, lambda: None, lambda value: None), first, leaf)
            else:
                firsts.append(self.trace.read(first) if isinstance(first, Tensor) else number_item(first))
            return leaf

        if self.carried.returned:
            returned_tree(self.value, self.first_returned, note)
        return firsts

    def _returned_tensors(self) -> list[Any]:
        """The tensors that an earlier iteration returned, for the leaves of the loop's returned value."""
        firsts: list[Any] = []
        returned_tree(self.value, self.first_returned, lambda leaf, first: firsts.append(first) or leaf)  # type: ignore[func-returns-value]
        return firsts

    def _finish(self, results: list[TracedTensor]) -> None:
        """Write the final carried values back."""
        carried = self.carried
        for key, lvalue in carried.lvalues.items():
            value = self._result(key, lvalue.value, (), results)
            if value is not lvalue.value:
                lvalue.put(value)
        for key, (target, _) in carried.targets.items():
            self.trace.write_target(target, results[self.slots["target", key]]._symbol)
        for leaf in self.aliases.starts:
            self.aliases.finish(leaf, results[self.slots[leaf]])
        for pair in carried.aliases.pairs:
            flag = results[self.slots["same", pair]]
            self.aliases.link(self.flow.aliases, pair, flag, self.aliases.results)
        for name in carried.unbound:
            carried.lvalues[name].put(UNDEFINED)
            word = self.loop.word
            self.flow.note_unbound(
                self.loop.variables,
                name,
                f"The local variable '{name}' defined in the '{word}' loop body cannot be used outside of the loop "
                f"body. Please define variable '{name}' before '{word}'",
            )

    def _result(self, key: Any, value: Any, path: tuple[int, ...], results: list[TracedTensor]) -> Any:
        """A value before the loop with its carried parts replaced by the results; the same object if it has none."""
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


def test_after(branches: Branches, outcome: Any, loop: SourceLoop) -> tuple[Any, bool]:
    """Whether another iteration follows, as an operand; and whether the test alone would never end the loop."""
    flow = branches.flow
    kinds, code, _ = split(outcome)
    assert loop.test is not None
    test = loop.test
    if not kinds & GOING_ON:
        return literal(False, dtypes.bool_), False
    if kinds <= GOING_ON:
        value = flow.lift(test())
        return flow.condition_symbol(value), not isinstance(value, Tensor) and bool(value)
    endless = False

    def again() -> Any:
        nonlocal endless
        value = flow.lift(test())
        endless = not isinstance(value, Tensor) and bool(value)
        return flow.constant(flow.condition_symbol(value))

    going = goes_on(kinds, code)
    variables = loop.variables.kept()  # a test gives a value, but does not return from the function
    result = branches.choose_outcome(going, again, lambda: flow.constant(literal(False, dtypes.bool_)), variables)
    return branches.trace.read(result), endless


def returned_tree(value: Any, first: Any, leaf: Callable[[Any, Any], Any]) -> Any:
    """A value that a loop returns, with `leaf` applied to the parts that only the run knows: tensors, and numbers that
    differ in the value `first` of an earlier iteration."""
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


def _undefined(outer: Recorder, type: TensorType) -> Symbol:
    """A symbol for a value that nothing reads."""
    return outer.apply(prims.undefined, (), {"shape": type.shape, "dtype": type.dtype})
