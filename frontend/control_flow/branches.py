"""Traced conditions: both branches run, each into a graph of its own, and what they leave behind is joined."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ...compiler.ir.values import Literal, Location, literal
from ...compiler.transforms.symbolic import Recorder, Symbol
from ...runtime import dtypes
from ..errors.classes import GraphBreak
from ..errors.user_files import is_user_file
from ..tracing.trace import Trace
from ..values import logic, tree
from ..values.inplace import is_number
from ..values.tensor import Tensor, TracedTensor, ambiguous, wrap
from . import calls as control
from .aliases import UNKNOWN, Aliases
from .effects import record_raise
from .join import ABSENT, Join, Side
from .outside import contents, replace_contents
from .shared import SharedVariables, read_variable, write_variable
from .state import UNDEFINED, Mixed, Variables, break_, continue_, fall_through

__all__ = [
    "BREAK",
    "CONTINUE",
    "NEXT",
    "RETURN",
    "BranchRaised",
    "Branches",
    "TracedMixed",
    "as_outcome",
    "code_item",
    "split",
    "symbol_of",
]

NEXT, BREAK, CONTINUE, RETURN = range(4)
MAX_DEPTH = 64  # traced conditions inside one another: more means a recursion that only the run can end
INLINE_NODES = 8  # operands of and/or of up to this many nodes are computed in any case

_KINDS = {fall_through: NEXT, break_: BREAK, continue_: CONTINUE}
_OUTCOMES = {kind: outcome for outcome, kind in _KINDS.items()}
_CODE = dtypes.int32


class BranchRaised(BaseException):
    """Both branches of a condition raise: what comes after is never run."""


class TracedMixed(Mixed):
    """An outcome that the run will know: a code, and the value where the code says return."""

    def __init__(self, kinds: frozenset[int], code: Symbol, value: Any) -> None:
        super().__init__("mixed")
        self.kinds = kinds
        self.code = code
        self.value = value
        self.may_fall_through = NEXT in kinds


def code_item(kind: int) -> Literal:
    """A kind of outcome as an operand."""
    return literal(kind, _CODE)


def is_kind(code: Symbol, kind: int) -> Any:
    """Whether an outcome is of a kind, as a traced condition."""
    return logic.equal(wrap(code), kind)


def split(outcome: Any) -> tuple[frozenset[int], Any, Any]:
    """The kinds an outcome may be, its code as an operand, and the value returned."""
    if isinstance(outcome, TracedMixed):
        return outcome.kinds, outcome.code, outcome.value
    kind = _KINDS.get(outcome) if isinstance(outcome, type(fall_through)) else None
    if kind is None:
        return frozenset((RETURN,)), code_item(RETURN), outcome
    return frozenset((kind,)), code_item(kind), ABSENT


def as_outcome(kinds: frozenset[int], code: Any, value: Any) -> Any:
    """The outcome that may be one of some kinds."""
    if len(kinds) > 1:
        return TracedMixed(kinds, code, value)
    (kind,) = kinds
    return value if kind == RETURN else _OUTCOMES[kind]


class Branches:
    """The part of the builder that runs branches."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.depth = 0
        self.handlers = 0  # blocks, one in the other, out of which exceptions may be caught
        self.passed: GraphBreak | None = None  # the first one that left such a block
        self.errors: list[Any] = []  # exceptions the user's code raises itself
        self.journals: list[dict[int, tuple[Any, Any]]] = []  # containers changed, with their contents before
        self.shared = SharedVariables()
        self.aliases = Aliases()
        self.merged: dict[int, Any] = {}  # containers that are one or another: which one only the run knows
        self.reasons: dict[int, tuple[Any, str]] = {}  # why a variable is unbound, by its cell

    # Conditions

    def lift(self, value: Any) -> Any:
        """The traced form of a tensor that tracing meets from outside; any other value as it is."""
        if isinstance(value, Tensor) and not value._is_traced_tensor and not self.trace.is_known(value):
            return wrap(self.trace.read(value))
        return value

    def condition(self, value: Any, what: str = "the condition of an if or while") -> TracedTensor:
        """A one-element tensor or run-time number as a 0-d boolean; ValueError for other tensors."""
        tensor: Any = value
        if getattr(tensor, "_present", None) is not None:
            raise GraphBreak(f"{what} is a tensor or None, which only the run knows", "Compare it with None first")
        if any(size not in (1, None) for size in tensor._type.shape):
            raise ambiguous(tensor.shape, what)
        if not tensor.dtype.is_bool:
            tensor = tensor != 0
        if tensor.ndim:
            tensor = tensor.reshape(())
        return tensor

    def condition_symbol(self, value: Any) -> Any:
        """A condition, traced or a Python value, as an operand."""
        value = self.lift(value)
        if isinstance(value, TracedTensor):
            return self.trace.read(self.condition(value))
        return literal(bool(value), dtypes.bool_)

    # Branches

    def enter(self) -> None:
        """Go into a branch or loop body."""
        if self.depth >= MAX_DEPTH:
            raise GraphBreak(
                f"more than {MAX_DEPTH} run-time conditions stand inside one another, as in a recursion that only the "
                "run ends",
                "Write the recursion as a while loop",
            )
        self.depth += 1

    def leave(self) -> None:
        """Come out of a branch or loop body."""
        self.depth -= 1

    def run(self, side: Side, function: Callable[[], Any], variables: Variables) -> None:
        """Run (or go on with) one branch, note what it leaves behind, and undo it."""
        trace = self.trace
        start = variables.snapshot()
        written = set(trace.guards.written)
        aliases, self.aliases = self.aliases, (side.aliases if side.has_run else self.aliases.copy())
        self.enter()
        try:
            with (
                self.shared.region() as region,
                self.journal() as journal,
                trace.scope(side.name, side.recorder) as scope,
            ):
                self._resume(side, variables)
                try:
                    side.outcome = function()
                except BaseException as error:
                    if not self.records_raise(error):
                        raise
                    side.raised = True
                side.values = dict(zip(variables.names, variables.get(), strict=True))
                side.shared, side.born = region.changes(variables), region.born
                side.attributes = {key: trace.attributes[key] for key in scope.attributes if key in trace.attributes}
                side.containers = {key: (container, contents(container)) for key, (container, _) in journal.items()}
                for target, before in scope.written.values():
                    updates = side.own_updates if before.recorder is side.recorder else side.updates
                    updates[id(target)] = (target, symbol_of(target))
                self._note_symbols(side)
        finally:
            self.leave()
            side.aliases, self.aliases = self.aliases, aliases
            trace.guards.written = written
            variables.restore(start)

    def _resume(self, side: Side, variables: Variables) -> None:
        """Go back to where a branch ended, to go on with its continuation."""
        if not side.has_run:
            side.has_run = True
            return
        variables.set(tuple(side.values[name] for name in variables.names))
        self.shared.resume(side.born)
        for place, name, value in side.shared.values():
            write_variable(place, name, value)
        for target, symbol in (*side.updates.values(), *side.own_updates.values()):
            self.trace.write_target(target, symbol)
        for (_, name), (owner, value) in side.attributes.items():
            self.trace.set_attribute(owner, name, value)
        for container, items in side.containers.values():
            self.touch(container)
            replace_contents(container, items)

    def _note_symbols(self, side: Side) -> None:
        """Read every tensor of a branch's results while the branch is still going on."""
        _, _, value = split(side.outcome)
        roots = [value, *side.values.values(), *(item for _, item in side.attributes.values())]
        roots.extend(item for _, _, item in side.shared.values())
        roots.extend(items for _, items in side.containers.values())
        for root in roots:
            for tensor in tree.tensors(root):
                side.symbols[id(tensor)] = self.trace.read(tensor)
                self.trace.fresh.append(tensor)

    def records_raise(self, error: BaseException) -> bool:
        """Make an exception that the user's code raises an effect of the branch."""
        if self.handlers and not isinstance(error, GraphBreak):
            raise GraphBreak(
                f"{type(error).__name__} is raised under a run-time condition, inside of a try or with statement that "
                "may catch it",
                "Choose between values in its place",
            ) from error
        if isinstance(error, BranchRaised):
            return True
        if any(error is known for known in self.errors) or isinstance(error, AssertionError):
            record_raise(self.trace, error)
            return True
        return False

    def passes(self, error: BaseException | None) -> None:
        """An exception leaves a block and may be caught; what ends the trace does so even then."""
        if isinstance(error, GraphBreak) and self.passed is None:
            self.passed = error

    @contextmanager
    def journal(self) -> Iterator[dict[int, tuple[Any, Any]]]:
        """Keep the contents of containers that change inside, and put them back at the end."""
        journal: dict[int, tuple[Any, Any]] = {}
        self.journals.append(journal)
        try:
            yield journal
        finally:
            self.journals.pop()
            for container, before in journal.values():
                replace_contents(container, before)

    def touch(self, container: Any) -> None:
        """A list, dictionary or set is about to change in place."""
        self.check_merged(container)
        if self.journals:
            self.journals[-1].setdefault(id(container), (container, contents(container)))

    def check_merged(self, container: Any) -> None:
        """GraphBreak for a container, about to change, that is one of several."""
        if id(container) in self.merged:
            raise GraphBreak(
                f"a {type(container).__name__} changes in place that is one of several: which one only the run knows",
                "Make a new one in its place",
            )

    def side(self, name: str, function: Callable[..., Any] | None) -> Side:
        """A new branch below the innermost recorder."""
        code = getattr(function, "__code__", None)
        outer = self.trace.recorder
        line = None
        if code is not None and is_user_file(code.co_filename):
            line = Location(code.co_filename, code.co_firstlineno)
        elif outer.locate is not None:
            line = outer.locate()
        return Side(Recorder(name, parent=outer), name, line)

    def cond(
        self,
        test: Any,
        then: Callable[[], Any],
        orelse: Callable[[], Any] | None,
        joins: Variables,
        rest: Callable[[], Any] | None,
        exits: Variables,
    ) -> Any:
        """An if on a traced condition; rest is None where the branches have no outcome; gives the outcome."""
        outcomes = rest is not None
        condition = self.trace.read(self.condition(test))
        both = joins.union(exits)
        sides = self.side("then", then), self.side("orelse", orelse or then)
        before = self.containers_of(both)
        for side, function in zip(sides, (then, orelse), strict=True):
            self.run(side, _branch(function, outcomes), both)
        went_on = rest is None
        if rest is not None:
            left, right = (self._may_go_on(side) for side in sides)
            if left and right and all(side.outcome is fall_through or side.raised for side in sides):
                self.join(condition, sides, joins, before)
                return rest()
            for side, here, other in zip(sides, (left, right), (right, left), strict=True):
                if here and not other and side.outcome is fall_through:
                    self.run(side, rest, both)
                    went_on = True
        outcome = self.join(condition, sides, both if rest is not None else joins, before)
        if went_on or rest is None:
            return outcome
        if outcome is fall_through:
            return rest()
        if isinstance(outcome, TracedMixed) and outcome.may_fall_through:
            return self.proceed(outcome, rest, exits)
        return outcome

    @staticmethod
    def _may_go_on(side: Side) -> bool:
        """Whether control may fall through a branch; a branch that raises does not mind."""
        return side.raised or NEXT in split(side.outcome)[0]

    def proceed(self, outcome: Mixed, rest: Callable[[], Any], exits: Variables) -> Any:
        """Go on where an outcome fell through."""
        assert isinstance(outcome, TracedMixed)
        left = as_outcome(outcome.kinds - {NEXT}, outcome.code, outcome.value)
        return self.choose_outcome(is_kind(outcome.code, NEXT), rest, lambda: left, exits)

    def choose_outcome(
        self, condition: Any, then: Callable[[], Any], orelse: Callable[[], Any], variables: Variables
    ) -> Any:
        """One of two outcomes."""
        symbol = self.trace.read(self.condition(condition))
        sides = self.side("then", then), self.side("orelse", orelse)
        before = self.containers_of(variables)
        for side, function in zip(sides, (then, orelse), strict=True):
            self.run(side, function, variables)
        return self.join(symbol, sides, variables, before)

    def containers_of(self, variables: Variables) -> dict[int, Any]:
        """The lists, dictionaries and objects that variables of the user hold, by identity."""
        return self._containers_in([value for _, value in variables.snapshot()[0]])

    @staticmethod
    def _containers_in(values: list[Any]) -> dict[int, Any]:
        """The lists, dictionaries and objects in some values, by identity."""
        found: dict[int, Any] = {}
        stack = list(values)
        while stack:
            value = stack.pop()
            parts = None if isinstance(value, Tensor) or id(value) in found else tree.children(value)
            if parts is not None:
                found[id(value)] = value
                stack.extend(parts[0])
        return found

    def join(
        self, condition: Symbol, sides: tuple[Side, Side], variables: Variables, before: Mapping[int, Any] | None = None
    ) -> Any:
        """Record the cond of two finished branches, and let what they leave behind be so; gives the outcome.

        Args:
            condition: which branch runs.
            sides: the branches.
            variables: what code behind them may read.
            before: the containers that there were before, which other names may hold, too.
        """
        then, orelse = sides
        trace = self.trace
        join = Join(trace, functools.partial(self._call_chosen, wrap(condition)), then, orelse)
        join.before = before or {}
        if then.raised and orelse.raised:
            join.record(condition)
            raise BranchRaised
        self._finish_own_containers(sides)
        for side in sides:
            side.returns = not side.raised and split(side.outcome)[0] == {RETURN}
        kinds, code, value = frozenset[int](), None, None
        parts = [split(side.outcome) for side in sides if not side.raised]
        kinds = kinds.union(*(part[0] for part in parts))
        if len(parts) == 2 and len(kinds) > 1:
            code = join.column(parts[0][1], parts[1][1])
        returned = [ABSENT if side.raised else split(side.outcome)[2] for side in sides]
        value = join.values(returned[0], returned[1], "what they return")
        fills = self._join_variables(join, sides, variables)
        shared = self._join_shared(join, sides)
        updates = self._join_updates(join, sides)
        attributes = self._join_attributes(join, sides)
        containers = self._join_containers(join, sides)
        join.relate()
        results = join.record(condition)
        variables.set(tuple(fill(results) for fill in fills))
        self._note_reasons(join, variables)
        for place, name, fill in shared:
            write_variable(place, name, fill(results))
        for target, position in updates:
            trace.write_target(target, results[position])
        for owner, name, fill in attributes:
            trace.set_attribute(owner, name, fill(results))
        for container, fill in containers:
            self.touch(container)
            replace_contents(container, fill(results))
        joined = value(results)
        self.merged.update(join.merged)
        for tensor, other, flag in join.linked(wrap(condition), results):
            self.aliases.link(tensor, other, flag)
        if len(kinds) == 1 or len(parts) == 1:
            return as_outcome(kinds, parts[0][1], joined)
        assert code is not None
        return TracedMixed(kinds, results[code], joined)

    def wrote(self, tensor: Any) -> None:
        """A tensor was updated in place."""
        self.aliases.wrote(self.trace, tensor)

    def same(self, tensor: Tensor) -> list[tuple[Tensor, Any]]:
        """What a tensor may be, itself included, and under what condition.

        Raises:
            GraphBreak: if the graph does not know the condition.
        """
        found = self.aliases.same(tensor)
        if any(flag is UNKNOWN for _, flag in found):
            raise GraphBreak("which of several tensors a name stands for is something that the graph does not know")
        return found

    def _join_variables(self, join: Join, sides: tuple[Side, Side], variables: Variables) -> list[Any]:
        """Pair the values of variables."""
        pairs: list[Any] = []
        for name in variables.names:
            # behind a return nothing reads the variables of the function, but for functions that captured them
            a, b = (
                ABSENT if side.raised or (side.returns and name not in variables.keeps) else side.values[name]
                for side in sides
            )
            if a is ABSENT and b is ABSENT:
                pairs.append(functools.partial(_first, variables.only(name).get()))
            else:
                pairs.append(join.variable(name, a, b))
        return pairs

    def _join_shared(self, join: Join, sides: tuple[Side, Side]) -> list[tuple[Any, str, Any]]:
        """Pair the values of variables that calls in the branches have rebound."""
        changed = {key: variable[:2] for side in sides for key, variable in side.shared.items()}
        now = {key: read_variable(place, name) for key, (place, name) in changed.items()}
        join.before = {**join.before, **self._containers_in(list(now.values()))}
        pairs = []
        for key, (place, name) in changed.items():
            values = []
            for side in sides:
                value = side.shared[key][2] if key in side.shared else now[key]
                self._note_end(side, value)
                values.append(ABSENT if side.raised else value)
            if (values[0] is UNDEFINED) is not (values[1] is UNDEFINED) and ABSENT not in values:
                raise GraphBreak(
                    f"'{name}' is bound by a call in one branch of a run-time condition and unbound otherwise",
                    "Give it a value before",
                )
            pairs.append((place, name, join.values(values[0], values[1], f"'{name}'")))
        return pairs

    def _join_updates(self, join: Join, sides: tuple[Side, Side]) -> list[tuple[Any, int]]:
        """Pair the numbers of tensors that were updated in place."""
        targets = {key: target for side in sides for key, (target, _) in side.updates.items()}
        pairs = []
        for key, target in targets.items():
            items = []
            for side in sides:
                symbol = side.updates[key][1] if key in side.updates else symbol_of(target)
                items.append(symbol.type if side.raised else symbol)
            pairs.append((target, join.column(items[0], items[1])))
        return pairs

    def _join_attributes(self, join: Join, sides: tuple[Side, Side]) -> list[tuple[Any, str, Any]]:
        """Pair the values of attributes that were written."""
        keys = dict.fromkeys(key for side in sides for key in side.attributes)
        pairs = []
        for key in keys:
            owner = next(side.attributes[key][0] for side in sides if key in side.attributes)
            name = key[1]
            values = []
            for side in sides:
                value = side.attributes[key][1] if key in side.attributes else self.attribute(owner, name)
                self._note_end(side, value)
                values.append(ABSENT if side.raised else value)
            if values[0] is UNDEFINED or values[1] is UNDEFINED:
                raise GraphBreak(
                    f"attribute '{name}' of {type(owner).__name__} is set in one branch of a run-time condition "
                    "and does not exist otherwise",
                    "Set it in __init__",
                )
            pairs.append((owner, name, join.values(values[0], values[1], f"attribute '{name}'")))
        return pairs

    def _note_end(self, side: Side, value: Any) -> None:
        """Note the symbols that tensors from outside of a branch had at its end."""
        for tensor in tree.tensors(value):
            target = self.trace.target(tensor)
            updated = side.updates.get(id(target))
            side.symbols.setdefault(id(tensor), symbol_of(target) if updated is None else updated[1])

    def attribute(self, owner: Any, name: str) -> Any:
        """An attribute as the trace sees it now."""
        found, value = self.trace.get_attribute(owner, name)
        if not found:
            value = getattr(owner, name, UNDEFINED)
            if value is not UNDEFINED:
                self.trace.guards.read_attribute(owner, name, value)
        return value

    @staticmethod
    def _finish_own_containers(sides: tuple[Side, Side]) -> None:
        """Let containers that a branch made, and changed afterwards, have the contents that it left them with.

        They were put back when the branch ended, like those from outside, to what stands in no other branch.
        """
        for side in sides:
            for key, (container, items) in list(side.containers.items()):
                if any(side.is_born_inside(tensor) for tensor in tree.tensors(contents(container))):
                    replace_contents(container, items)
                    del side.containers[key]

    def _join_containers(self, join: Join, sides: tuple[Side, Side]) -> list[tuple[Any, Any]]:
        """Pair the contents of containers that were changed in place."""
        found = {key: container for side in sides for key, (container, _) in side.containers.items()}
        pairs = []
        for key, container in found.items():
            items = []
            for side in sides:
                now = side.containers[key][1] if key in side.containers else contents(container)
                self._note_end(side, now)
                items.append(ABSENT if side.raised else now)
            what = f"the {type(container).__name__} changed in a branch"
            pairs.append((container, join.values(items[0], items[1], what)))
        return pairs

    def _note_reasons(self, join: Join, variables: Variables) -> None:
        """Remember why variables are unbound."""
        for name, reason in join.undefined.items():
            self.note_unbound(variables, name, reason)

    def note_unbound(self, variables: Variables, name: str, reason: str) -> None:
        """Remember why a variable is unbound."""
        cell = variables.cell(name)
        if cell is not None:
            self.reasons[id(cell)] = (cell, reason)

    def why_unbound(self, cell: Any) -> str | None:
        """Why a traced branch or loop left a variable unbound."""
        found = self.reasons.get(id(cell))
        return None if found is None else found[1]

    def _call_chosen(self, condition: Any, then: Any, orelse: Any, arguments: Any, keywords: Any) -> Any:
        """Call one of two functions."""
        return self.ternary(
            condition,
            lambda: control.call(then, *arguments, **keywords),
            lambda: control.call(orelse, *arguments, **keywords),
            Variables((), ()),
        )

    # Operators

    def ternary(self, test: Any, then: Callable[[], Any], orelse: Callable[[], Any], joins: Variables) -> Any:
        """A conditional expression on a traced condition."""
        return self.choose_outcome(test, then, orelse, joins)

    def and_(self, value: Any, others: tuple[Callable[[], Any], ...], joins: Variables) -> Any:
        """`value and …` with a traced value."""
        return self._shortcut(value, others, joins, stop=False)

    def or_(self, value: Any, others: tuple[Callable[[], Any], ...], joins: Variables) -> Any:
        """`value or …` with a traced value."""
        return self._shortcut(value, others, joins, stop=True)

    def _shortcut(self, value: Any, others: tuple[Callable[[], Any], ...], joins: Variables, stop: bool) -> Any:
        """`and` and `or`: the operand that decides, computed without a branch where that is cheap."""
        condition = self.condition(value, "an operand of 'and' or 'or'")
        going_on, stopping = self.side("operand", others[0]), self.side("decided", others[0])
        chain, logical = (control.or_, logic.logical_or) if stop else (control.and_, logic.logical_and)
        before = dict(zip(joins.names, joins.get(), strict=True))
        self.run(going_on, lambda: chain(others[0](), *others[1:], joins=joins.names), joins)
        binds = any(going_on.values[name] is not value for name, value in before.items())
        inlined = None if binds else self._inlined(value, going_on)
        if inlined is not None:
            result = logical(condition, inlined)
            number = is_number(value) and (type(inlined) is bool or is_number(inlined))
            return wrap(self.trace.read(result), bool) if number else result
        self.run(stopping, lambda: value, joins)
        sides = (stopping, going_on) if stop else (going_on, stopping)
        return self.join(self.trace.read(condition), sides, joins)

    def _inlined(self, value: Any, side: Side) -> Any:
        """The boolean that a small operand gives, computed in any case; None where a branch is needed."""
        nodes = side.recorder.nodes
        other = side.outcome
        changes = side.raised or side.updates or side.attributes or side.containers or side.shared
        if changes or len(nodes) > INLINE_NODES or any(node.has_effect or node.subgraphs for node in nodes):
            return None
        if not value.dtype.is_bool or type(other) is bool:
            return other if value.dtype.is_bool else None
        if not isinstance(other, Tensor) or not other._type.dtype.is_bool or other._type.shape not in ((), (1,)):
            return None
        (result,) = self._recorded_again(side, [other])
        flag = wrap(result)
        return wrap(self.trace.read(flag.reshape(()) if flag.ndim else flag), bool if is_number(other) else None)

    def _recorded_again(self, side: Side, tensors: list[Tensor]) -> tuple[Symbol, ...]:
        """What gives tensors of a branch, recorded outside of it, so that it is computed in any case."""
        with side.recorder:
            graph = side.recorder.finish([side.symbol(tensor) for tensor in tensors])
        outer = self.trace.recorder
        return outer.inline(graph, [Symbol(captured, outer) for captured in side.recorder.captures])

    def items_left(self, values: Iterator[Any]) -> list[Any]:
        """The items of a lazy sequence that all() or any() may not get to, computed in any case.

        Raises:
            GraphBreak: if making them does more than giving a value.
        """
        side = self.side("items", None)
        self.run(side, lambda: list(values), Variables((), ()))
        changes = side.raised or side.updates or side.attributes or side.containers or side.shared
        if changes or any(node.has_effect for node in side.recorder.nodes):
            raise GraphBreak(
                "only the run knows whether all() or any() gets to an item, and the code that gives the item changes "
                "something or has an effect",
                "Make a list of the items first",
            )
        inside = [item for item in side.outcome if side.is_born_inside(item)]
        again = iter(self._recorded_again(side, inside))
        return [wrap(next(again), item._number) if side.is_born_inside(item) else item for item in side.outcome]


def _first(values: tuple[Any, ...], results: Any) -> Any:
    """The first of some values, whatever the results are."""
    return values[0]


def symbol_of(target: Any) -> Symbol:
    """The symbol of a tensor that may be updated in place, as the trace keeps it."""
    return target._symbol if isinstance(target, TracedTensor) else target.symbol


def _branch(function: Callable[[], Any] | None, outcomes: bool) -> Callable[[], Any]:
    """A branch as a function that gives an outcome."""
    if function is None:
        return fall_through
    if outcomes:
        return function

    def branch() -> Any:
        function()
        return fall_through

    return branch
