"""Branches on traced conditions: both run, each into a graph of its own, and then their effects are joined."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...compiler.transforms.symbolic import Recorder, Symbol
from ..errors.user_files import is_user_file
from ..tracing.trace import Trace
from ..values import tree
from ..values.traced_tensor import TracedTensor, wrap
from . import calls as control
from .flow import Flow, Region
from .join import Side
from .outcomes import NEXT, TracedMixed, as_outcome, is_kind, split
from .outside import contents, replace_contents
from .phis import containers_in, join_sides
from .state import Mixed, Snapshot, Variables, fall_through, write_variable


class Branches:
    """Runs the branches of traced conditions."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.trace = flow.trace

    def run(
        self, side: Side, function: Callable[[], Any], variables: Variables, start: Snapshot | None = None,
        jumps: bool = True,
    ) -> None:  # fmt: skip
        """Run (or continue) one branch, store its effects, and undo them.

        Args:
            side: the branch.
            function: its code.
            variables: what the code may change for later code.
            start: a snapshot of the variables as they are now; None: nobody has made one.
            jumps: the function returns an outcome.
        """
        trace, flow = self.trace, self.flow
        aliases = side.aliases if side.has_run else flow.aliases.copy()
        region = Region(flow, variables, side.recorder, aliases, start)
        with region:
            if side.has_run:
                self._resume(side, variables)
            side.has_run = True
            try:
                outcome = function()
                side.outcome = outcome if jumps else fall_through
            except BaseException as error:
                if not flow.records_raise(error):
                    raise
                side.raised = True
            region.settle()
            side.values = dict(zip(variables.names, variables.get(), strict=True))
            if region.shared.before:
                side.shared = region.shared.changes(variables)
            side.born = region.shared.born
            if written := region.scope.attributes:
                side.attributes = {key: trace.attributes[key] for key in written if key in trace.attributes}
            if region.journal:
                side.containers = {key: (each, contents(each)) for key, (each, _) in region.journal.items()}
            if region.scope.written:
                self._note_updates(side, region.scope.written.values())
            self._note_symbols(side)
        side.aliases = region.aliases

    def _resume(self, side: Side, variables: Variables) -> None:
        """Restore the state at the end of a branch, to run its continuation."""
        variables.set(tuple(side.values[name] for name in variables.names))
        self.flow.shared.resume(side.born)
        for holder, name, value in side.shared.values():
            write_variable(holder, name, value)
        for target, symbol in (*side.updates.values(), *side.own_updates.values()):
            self.trace.write_target(target, symbol)
        for (_, name), (owner, value) in side.attributes.items():
            self.trace.set_attribute(owner, name, value)
        for container, items in side.containers.values():
            self.flow.touch(container)
            replace_contents(container, items)

    @staticmethod
    def _note_updates(side: Side, written: Iterable[tuple[Any, Symbol]]) -> None:
        """Store what a branch has updated in place, as pairs of the object and its symbol before."""
        side.updates, side.own_updates = {**side.updates}, {**side.own_updates}
        for target, before in written:
            updates = side.own_updates if before.recorder is side.recorder else side.updates
            updates[id(target)] = (target, Trace.symbol_of(target))

    def _note_symbols(self, side: Side) -> None:
        """Read every tensor in the results of a branch before the branch ends."""
        roots = list(side.values.values())
        if side.outcome is not fall_through:
            roots.append(split(side.outcome)[2])
        if not side.is_quiet:
            roots += [item for _, item in side.attributes.values()]
            roots += [item for _, _, item in side.shared.values()]
            roots += [items for _, items in side.containers.values()]
        symbols, trace = side.symbols, self.trace
        for root in roots:
            if type(root) is TracedTensor:
                symbols[id(root)] = root._symbol
                trace.fresh.append(root)
                continue
            for tensor in tree.tensors(root):
                symbols[id(tensor)] = trace.read(tensor)
                trace.fresh.append(tensor)

    def side(self, name: str, function: Callable[..., Any] | None) -> Side:
        """A new branch inside the innermost recorder."""
        code = getattr(function, "__code__", None)
        outer = self.trace.recorder
        line: Any = None
        if code is not None and is_user_file(code.co_filename):
            line = code
        elif outer.locate is not None:
            line = outer.locate()
        return Side(Recorder(name, parent=outer), name, line)

    def cond(
        self, test: Any, then: Callable[[], Any], orelse: Callable[[], Any] | None, joins: Variables,
        rest: Callable[[], Any] | None, exits: Variables,
    ) -> Any:  # fmt: skip
        """An if on a traced condition. `rest` is None if the branches have no outcome. Returns the outcome."""
        condition = self.trace.read(self.flow.condition(test))
        sides = self.side("then", then), self.side("orelse", orelse or then)
        both = joins if rest is None else joins.union(exits)
        start = both.snapshot()  # each branch leaves everything as it was
        before = containers_in(start.held)
        self.run(sides[0], then, both, start, rest is not None)
        self.run(sides[1], orelse or fall_through, both, start, rest is not None)
        if rest is None:
            return self.join(condition, sides, joins, before)
        went_on = False
        left, right = (self._may_go_on(side) for side in sides)
        if left and right and all(side.outcome is fall_through or side.raised for side in sides):
            self.join(condition, sides, joins, before)
            return rest()
        for side, here, other in zip(sides, (left, right), (right, left), strict=True):
            if here and not other and side.outcome is fall_through:
                self.run(side, rest, both)
                went_on = True
        outcome = self.join(condition, sides, both, before)
        if went_on:
            return outcome
        if outcome is fall_through:
            return rest()
        if isinstance(outcome, TracedMixed) and outcome.may_fall_through:
            return self.proceed(outcome, rest, exits)
        return outcome

    def both(self, test: Any, function: Callable[[bool], Any], joins: Variables) -> None:
        """An if with an else on a traced condition, without jumps; the function runs one or the other."""
        condition = self.trace.read(self.flow.condition(test))
        sides = self.side("then", function), self.side("orelse", function)
        start = joins.snapshot()
        for side, holds in zip(sides, (True, False), strict=True):
            side.choice = holds
            self.run(side, functools.partial(function, holds), joins, start, jumps=False)
        self.join(condition, sides, joins, containers_in(start.held))

    @staticmethod
    def _may_go_on(side: Side) -> bool:
        """Whether control may fall through a branch. A branch that raises counts as such."""
        return side.raised or NEXT in split(side.outcome)[0]

    def proceed(self, outcome: Mixed, rest: Callable[[], Any], exits: Variables) -> Any:
        """Run the rest if an outcome falls through."""
        assert isinstance(outcome, TracedMixed)
        left = as_outcome(outcome.kinds - {NEXT}, outcome.code, outcome.value)
        return self.choose_outcome(is_kind(outcome.code, NEXT), rest, lambda: left, exits)

    def choose_outcome(
        self, condition: Any, then: Callable[[], Any], orelse: Callable[[], Any], variables: Variables
    ) -> Any:
        """One of two outcomes."""
        symbol = self.trace.read(self.flow.condition(condition))
        sides = self.side("then", then), self.side("orelse", orelse)
        start = variables.snapshot()
        for side, function in zip(sides, (then, orelse), strict=True):
            self.run(side, function, variables, start)
        return self.join(symbol, sides, variables, containers_in(start.held))

    def _call_chosen(self, condition: Symbol, then: Any, orelse: Any, arguments: Any, keywords: Any) -> Any:
        """Call the one of two functions that the condition chooses."""
        return self.ternary(
            wrap(condition),
            lambda: control.call(then, *arguments, **keywords),
            lambda: control.call(orelse, *arguments, **keywords),
            Variables((), ()),
        )

    def ternary(self, test: Any, then: Callable[[], Any], orelse: Callable[[], Any], joins: Variables) -> Any:
        """A conditional expression on a traced condition."""
        return self.choose_outcome(test, then, orelse, joins)

    def join(
        self, condition: Symbol, sides: tuple[Side, Side], variables: Variables, before: Mapping[int, Any] | None = None
    ) -> Any:
        """Join two finished branches. Returns the outcome. See `join_sides`."""
        return join_sides(self.flow, self._call_chosen, condition, sides, variables, before)
