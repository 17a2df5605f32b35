"""May-alias analysis: after run-time control flow a name may stand for one tensor or another.

An update in place of such a name must reach the tensor that it stands for. Links between tensors say which may be the
same object, and under what condition.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ..errors.classes import GraphBreak
from ..state import STATE
from ..tracing.trace import Trace
from ..values import logic
from ..values.dispatch import apply
from ..values.parameter import Parameter
from ..values.tensor import Tensor
from ..values.traced_tensor import wrap

MAX_WORK = 2000
MOST_FACTS = 16
Flag = Any  # a bool, a 0-d boolean tensor, a Condition, or UNKNOWN: whether one tensor is the other


class _Unknown:
    """A condition that no value of the graph tells."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()


class Condition:
    """A condition that is recorded where a graph needs it: most are never asked for."""

    __slots__ = ("combine", "facts", "made", "parts")

    def __init__(
        self, combine: Callable[..., Tensor], parts: tuple[Flag, ...], facts: frozenset[tuple[int, bool]]
    ) -> None:
        self.combine = combine
        self.parts = parts  # tensors and conditions
        self.facts = facts  # some tensors, by identity, and whether they hold if this does
        self.made: Any = (None, None)  # a recorder, and what it recorded last


Links = dict[int, dict[int, Flag]]  # both ways, by identity


class Aliases:
    """Links: which tensors may be which others, and under what condition."""

    def __init__(self) -> None:
        self.busy = False
        self.of: dict[int, dict[int, tuple[Tensor, Flag]]] = {}  # both ways, by identity
        self._shared = False  # whether copies have the same links so far
        self._found: dict[Any, list[tuple[Tensor, Flag]]] = {}  # results of `same`

    def copy(self) -> Aliases:
        """A copy, to which links can be added for a while."""
        new = Aliases()
        if self.of:
            new.of = self.of
            new._shared = self._shared = True
        return new

    def link(self, tensor: Tensor, other: Tensor, flag: Flag) -> None:
        """Link two tensors, under a condition that is known or that a function computes when asked."""
        earlier = self.of.get(id(tensor), {}).get(id(other))
        if earlier is not None:  # as in max(x, x)
            flag = functools.partial(_either_asked, earlier[1], flag)
        if self._shared:
            self.of, self._shared = dict(self.of), False
        self._found.clear()
        for one, two in ((tensor, other), (other, tensor)):
            self.of[id(one)] = {**self.of.get(id(one), {}), id(two): (two, flag)}

    def reached(self, tensor: Tensor, passes: Callable[[Any], bool]) -> list[Tensor]:
        """The tensors of `same`, without their conditions, which may have to be computed."""
        found = {id(tensor): tensor}
        queue = [tensor]
        for each in queue:
            if each is tensor or passes(each):
                fresh = {key: other for key, (other, _) in self.of.get(id(each), {}).items() if key not in found}
                found.update(fresh)
                queue += fresh.values()
        return queue

    def same(self, tensor: Any, passes: Callable[[Any], bool] | None = None) -> list[tuple[Tensor, Flag]]:
        """The tensors that a tensor may be, including itself: directly, or through others that `passes` allows."""
        if id(tensor) not in self.of:
            return [(tensor, True)]
        if passes is not None:
            return self._search(tensor, passes)
        assert STATE.trace is not None
        key = id(tensor), STATE.trace.recorder
        if key not in self._found:
            self._found[key] = self._search(tensor, None)
        return self._found[key]

    def _search(self, tensor: Any, passes: Callable[[Any], bool] | None) -> list[tuple[Tensor, Flag]]:
        """The tensors of `same`, by vertex elimination: those between are removed one by one, and their neighbours are
        linked to each other. The conditions are computed in the opposite order."""
        tensors, links, ends = self._around(tensor, passes)
        start = id(tensor)
        ages = {key: age for age, key in enumerate(self.of) if key in tensors and key not in ends and key != start}
        # Those with the fewest links first. Of these the oldest: names that two branches bind to the same tensors, each
        # to another one, have no link left then.
        queue = [(len(links[key]), age, key) for key, age in ages.items()]
        heapq.heapify(queue)
        taken: dict[int, dict[int, Flag]] = {}
        work = 0
        while queue:
            count, _, key = heapq.heappop(queue)
            if key in taken or count != len(links[key]):
                continue
            around = taken[key] = links.pop(key)
            for place, (one, flag) in enumerate(around.items()):
                del links[one][key]
                for other, link in list(around.items())[:place]:
                    new = either(links[one].get(other, False), both(flag, link))
                    if new is not False:
                        work += 1
                        links[one][other] = links[other][one] = new
            for one in around.keys() & ages.keys():
                heapq.heappush(queue, (len(links[one]), ages[one], one))
            if work > MAX_WORK:
                raise GraphBreak("a tensor that is updated in place may be one of too many others")
        flags: dict[int, Flag] = {start: True, **links[start]}
        for key, around in reversed(taken.items()):
            flags[key] = False
            for other, link in around.items():
                if other not in ends:
                    flags[key] = either(flags[key], both(flags[other], link))
        return [(tensors[key], flag) for key, flag in flags.items() if flag is not False]

    def _around(self, start: Any, passes: Callable[[Any], bool] | None) -> tuple[dict[int, Tensor], Links, set[int]]:
        """The tensors that links reach, the links between them, and the tensors where the search stops."""
        tensors: dict[int, Tensor] = {id(start): start}
        ends: set[int] = set()
        links: Links = {id(start): {}}
        queue = [start]
        for tensor in queue:
            if tensor is not start and passes is not None and not passes(tensor):
                ends.add(id(tensor))
                continue
            for key, (other, given) in self.of.get(id(tensor), {}).items():
                flag = links.get(key, {}).get(id(tensor))
                if flag is None:
                    flag = _asked(given)
                if key not in tensors:
                    tensors[key] = other
                    queue.append(other)
                links[id(tensor)][key] = flag
                links.setdefault(key, {})[id(tensor)] = flag
        return tensors, links, ends

    def wrote(self, trace: Trace, tensor: Any) -> None:
        """A tensor was updated in place: update each tensor that it may be, under the condition of the link."""
        if self.busy or id(tensor) not in self.of:
            return
        self.busy = True
        try:
            others = self.same(tensor)[1:]
            if any(flag is UNKNOWN for _, flag in others):
                raise GraphBreak(
                    "a tensor is updated in place that may be another one, which the graph does not know",
                    "Give the new numbers a name of their own: `y = x + 1` in place of `x += 1`",
                )
            before: Tensor = wrap(trace.read(tensor))
            now: Any = before
            for other, flag in () if isinstance(tensor, Parameter) else others:
                if isinstance(other, Parameter):  # gradients end at its assignment
                    new = apply(prims.assign, other, now)
                    now = new if flag is True else logic.where(recorded(flag), new, now)
            if now is not before:
                trace.write(tensor, trace.read(now))
            for other, flag in others:
                new = now if flag is True else logic.where(recorded(flag), now, wrap(trace.read(other)))
                trace.write(other, trace.read(new))
        finally:
            self.busy = False


def is_position(position: Any, place: int, length: int) -> Any:
    """Whether an index is that of one place of a sequence, counted from either end."""
    return (position == place) | (position == place - length)


def is_extreme(better: Any, values: list[Any], place: int) -> Any:
    """Whether Python's min or max of some values is the value at a position."""
    best: Any = values[0]
    chosen: Any = place == 0
    for number, value in enumerate(values[1:], start=1):
        beats: Any = better(value, best)
        if not isinstance(beats, Tensor):
            best = value if beats else best
            stays: Any = not beats
        else:
            best = logic.where(beats, value, best)
            stays = logic.logical_not(beats)
        if number == place:
            chosen = beats
        elif number > place:
            chosen = recorded(both(chosen, stays))
    return chosen.reshape(()) if isinstance(chosen, Tensor) and chosen.ndim else chosen


def _asked(flag: Any) -> Flag:
    """The condition; if it is a function, its result."""
    return flag() if callable(flag) else flag


def _either_asked(one: Any, other: Any) -> Flag:
    return either(_asked(one), _asked(other))


def negation(condition: Tensor) -> Condition:
    """The condition that another one does not hold."""
    return Condition(logic.logical_not, (condition,), frozenset({(id(condition), False)}))


def both(one: Flag, other: Flag) -> Flag:
    """The condition that two conditions hold."""
    return _combined(one, other, True, logic.logical_and)


def either(one: Flag, other: Flag) -> Flag:
    """The condition that one of two conditions holds."""
    return _combined(one, other, False, logic.logical_or)


def _combined(one: Flag, other: Flag, neutral: bool, combine: Callable[[Any, Any], Tensor]) -> Flag:
    """Two conditions combined; one that is `neutral` gives the other, its opposite decides alone."""
    if one is neutral or other is (not neutral) or one is other:
        return other
    if other is neutral or one is (not neutral):
        return one
    if one is UNKNOWN or other is UNKNOWN:
        return UNKNOWN
    facts, others = _facts(one), _facts(other)
    if neutral and any((key, not holds) in others for key, holds in facts):
        return False
    together = facts | others if neutral else facts & others
    return Condition(combine, (one, other), together if len(together) <= MOST_FACTS else facts)


def _facts(flag: Flag) -> frozenset[tuple[int, bool]]:
    """Of which tensors a condition says whether they hold, if it does."""
    return flag.facts if isinstance(flag, Condition) else frozenset({(id(flag), True)})


def recorded(flag: Flag) -> Flag:
    """A condition as a tensor of the graph that is being recorded."""
    if not isinstance(flag, Condition):
        return flag
    assert STATE.trace is not None
    recorder = STATE.trace.recorder
    stack = [flag]
    while stack:  # they may be nested deeply
        now = stack[-1]
        missing = [part for part in now.parts if isinstance(part, Condition) and part.made[0] is not recorder]
        stack += missing
        if not missing:
            stack.pop()
            if now.made[0] is not recorder:
                parts = [part.made[1] if isinstance(part, Condition) else part for part in now.parts]
                now.made = recorder, now.combine(*parts)
    return flag.made[1]
