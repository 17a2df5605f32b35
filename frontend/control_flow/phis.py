"""Phi placement: the effects of the two sides of a branch become results of one cond.

Variables, attributes, containers and the numbers of tensors get a result each if they differ between the sides.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...compiler.transforms.symbolic import Symbol
from ...runtime.records import NamedTuple
from ..errors.classes import GraphBreak
from ..tracing.trace import Trace
from ..values import tree
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor
from .flow import BranchRaised, Flow
from .join import ABSENT, Fill, Join, Side
from .outcomes import RETURN, TracedMixed, as_outcome, split
from .outside import contents, replace_contents
from .state import GLOBAL, UNDEFINED, Variables, fall_through, read_variable, write_variable

Sides = tuple[Side, Side]


class _Phis(NamedTuple):
    """How to build the joined effects of both sides from the results of the cond."""

    variables: list[Fill]
    shared: list[tuple[Any, str, Fill]]  # the cell or the globals, the name
    updates: list[tuple[Any, int]]  # (holder of a tensor's symbol, result)
    attributes: list[tuple[Any, str, Fill]]  # the object, the name
    containers: list[tuple[Any, Fill]]


class _Outcome(NamedTuple):
    """The outcome of both sides, as far as it is known before the cond."""

    kinds: frozenset[int]
    only: Any  # the code of the one side that has an outcome, or of the first
    code: int | None  # the result that has the code, where the sides end in more than one way
    value: Fill


class Joining:
    """Joins the sides of one branch."""

    def __init__(self, flow: Flow, join: Join) -> None:
        self.flow = flow
        self.trace = flow.trace
        self.join = join
        self.sides = join.sides

    def finish(self, variables: Variables) -> Any:
        """Record the cond, and apply the joined effects. Returns the outcome."""
        join = self.join
        then, orelse = self.sides
        if then.raised and orelse.raised:
            join.record()
            raise BranchRaised
        is_quiet = then.is_quiet and orelse.is_quiet
        if not is_quiet:
            self._finish_own_containers()  # which the outcome may hold
        outcome = None
        if then.outcome is not fall_through or orelse.outcome is not fall_through:
            parts = [split(side.outcome) for side in self.sides]
            for side, (kinds, _, _) in zip(self.sides, parts, strict=True):
                side.returns = not side.raised and kinds == {RETURN}
            outcome = self._outcome(parts)
        if is_quiet:
            phis = _Phis(self._variables(variables), [], [], [], [])
        else:
            phis = _Phis(
                self._variables(variables), self._shared(), self._updates(), self._attributes(), self._containers()
            )
        join.relate()
        results = join.record()
        self._write(phis, variables, results)
        value = None if outcome is None else outcome.value(results)
        if join.merged:
            self.flow.merged.update(join.merged)
        if join.links:
            for tensor, other, flag in join.linked(results):
                self.flow.aliases.link(tensor, other, flag)
        if outcome is None:
            return fall_through
        if outcome.code is None:
            return as_outcome(outcome.kinds, outcome.only, value)
        return TracedMixed(outcome.kinds, results[outcome.code], value)

    def _outcome(self, parts: list[Any]) -> _Outcome:
        """Pair the outcomes, if the sides have one."""
        here = [part for side, part in zip(self.sides, parts, strict=True) if not side.raised]
        kinds = here[0][0] | here[-1][0]
        codes = [part[1].type if side.raised else part[1] for side, part in zip(self.sides, parts, strict=True)]
        code = self.join.column(codes[0], codes[1]) if len(kinds) > 1 else None
        then, orelse = (ABSENT if side.raised else part[2] for side, part in zip(self.sides, parts, strict=True))
        return _Outcome(kinds, here[0][1], code, self.join.values(then, orelse, "what they return"))

    def _write(self, phis: _Phis, variables: Variables, results: list[Symbol]) -> None:
        """Write the results to variables, attributes, containers and tensors."""
        joined = tuple([fill(results) for fill in phis.variables])
        names = self.trace.recorder.names
        for name, value in zip(variables.names, joined, strict=True):
            if isinstance(value, TracedTensor):
                names.improve(value._symbol.operand, name.removeprefix(GLOBAL))
        variables.set(joined)
        for name, reason in self.join.undefined.items():
            self.flow.note_unbound(variables, name, reason)
        for holder, name, fill in phis.shared:
            write_variable(holder, name, fill(results))
        for target, position in phis.updates:
            self.trace.write_target(target, results[position])
        for owner, name, fill in phis.attributes:
            value = fill(results)
            if isinstance(value, TracedTensor):
                names.improve(value._symbol.operand, name)
            self.trace.set_attribute(owner, name, value)
        for container, fill in phis.containers:
            self.flow.touch(container)
            replace_contents(container, fill(results))

    def _variables(self, variables: Variables) -> list[Any]:
        """Pair the values of variables."""
        then, orelse = self.sides
        if not (then.raised or then.returns or orelse.raised or orelse.returns):
            return [self.join.variable(name, then.values[name], orelse.values[name]) for name in variables.names]
        pairs: list[Any] = []
        for name in variables.names:
            # After a return only functions that captured the variables read them.
            a, b = (
                ABSENT if side.raised or (side.returns and name not in variables.keeps) else side.values[name]
                for side in self.sides
            )
            if a is ABSENT and b is ABSENT:
                pairs.append(functools.partial(_first, variables.only(name).get()))
            else:
                pairs.append(self.join.variable(name, a, b))
        return pairs

    def _shared(self) -> list[tuple[Any, str, Any]]:
        """Pair the values of variables that calls in the branches have rebound."""
        changed = {key: variable[:2] for side in self.sides for key, variable in side.shared.items()}
        if not changed:
            return []
        now = {key: read_variable(holder, name) for key, (holder, name) in changed.items()}
        self.join.before = {**self.join.before, **containers_in(list(now.values()))}
        pairs = []
        for key, (holder, name) in changed.items():
            values = self._ends(side.shared[key][2] if key in side.shared else now[key] for side in self.sides)
            if (values[0] is UNDEFINED) is not (values[1] is UNDEFINED) and ABSENT not in values:
                raise GraphBreak(
                    f"'{name}' is bound by a call in one branch of a run-time condition and unbound otherwise",
                    "Give it a value before",
                )
            pairs.append((holder, name, self.join.values(values[0], values[1], f"'{name}'")))
        return pairs

    def _updates(self) -> list[tuple[Any, int]]:
        """Pair the numbers of tensors that were updated in place."""
        targets = {key: target for side in self.sides for key, (target, _) in side.updates.items()}
        pairs = []
        for key, target in targets.items():
            items = []
            for side in self.sides:
                symbol = side.updates[key][1] if key in side.updates else Trace.symbol_of(target)
                items.append(symbol.type if side.raised else symbol)
            pairs.append((target, self.join.column(items[0], items[1])))
        return pairs

    def _attributes(self) -> list[tuple[Any, str, Any]]:
        """Pair the values of attributes that were written."""
        keys = dict.fromkeys(key for side in self.sides for key in side.attributes)
        pairs = []
        for key in keys:
            owner = next(side.attributes[key][0] for side in self.sides if key in side.attributes)
            name = key[1]
            values = self._ends(
                side.attributes[key][1] if key in side.attributes else self.flow.attribute(owner, name)
                for side in self.sides
            )
            if values[0] is UNDEFINED or values[1] is UNDEFINED:
                raise GraphBreak(
                    f"attribute '{name}' of {type(owner).__name__} is set in one branch of a run-time condition "
                    "and does not exist otherwise",
                    "Set it in __init__",
                )
            pairs.append((owner, name, self.join.values(values[0], values[1], f"attribute '{name}'")))
        return pairs

    def _containers(self) -> list[tuple[Any, Any]]:
        """Pair the contents of containers that were changed in place."""
        found = {key: container for side in self.sides for key, (container, _) in side.containers.items()}
        pairs = []
        for key, container in found.items():
            items = self._ends(
                side.containers[key][1] if key in side.containers else contents(container) for side in self.sides
            )
            what = f"the {type(container).__name__} changed in a branch"
            pairs.append((container, self.join.values(items[0], items[1], what)))
        return pairs

    def _ends(self, values: Iterable[Any]) -> list[Any]:
        """A value at the end of each side, ABSENT if the side raises. Stores the symbols of the tensors in it."""
        found = []
        for side, value in zip(self.sides, values, strict=True):
            for tensor in tree.tensors(value):
                target = self.trace.target(tensor)
                updated = side.updates.get(id(target))
                side.symbols.setdefault(id(tensor), Trace.symbol_of(target) if updated is None else updated[1])
            found.append(ABSENT if side.raised else value)
        return found

    def _finish_own_containers(self) -> None:
        """Give containers that a branch made, and changed afterwards, their final contents.

        They were restored when the branch ended, like containers from outside.
        """
        for side in self.sides:
            for key, (container, items) in list(side.containers.items()):
                if any(side.is_born_inside(tensor) for tensor in tree.tensors(contents(container))):
                    replace_contents(container, items)
                    del side.containers[key]


def join_sides(
    flow: Flow,
    choose: Callable[..., Any],
    condition: Symbol,
    sides: Sides,
    variables: Variables,
    before: Mapping[int, Any] | None = None,
) -> Any:
    """Record the cond of two finished branches, and apply their joined effects. Returns the outcome.

    Args:
        flow: the trace's control flow.
        choose: calls one of two functions, as a condition says.
        condition: which branch runs.
        sides: the branches.
        variables: the names that later code may read.
        before: the containers that there were before, which other names may hold, too.
    """
    join = Join(flow.trace, choose, condition, *sides)
    join.before = before or {}
    return Joining(flow, join).finish(variables)


def containers_in(values: list[Any]) -> dict[int, Any]:
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


def _first(values: tuple[Any, ...], results: Any) -> Any:
    """The first of some values, whatever the results are."""
    return values[0]
