"""Names for one tensor or another: after a traced if, updating such a tensor in place has to reach the one it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import logic
from .errors import GraphBreak
from .tensor import Tensor, wrap
from .trace import Trace

__all__ = ["Aliases"]

MAX_WORK = 2000
Flag = Any  # a bool, or a 0-d boolean tensor: whether one tensor is the other
Links = dict[int, dict[int, Flag]]  # both ways, by identity


class Aliases:
    """Which tensors may be which others, and under what condition."""

    def __init__(self) -> None:
        self.busy = False
        self.of: dict[int, dict[int, tuple[Tensor, Flag]]] = {}  # both ways, by identity
        self.alive: list[Tensor] = []

    def copy(self) -> Aliases:
        """The same links, to add to for a while."""
        new = Aliases()
        if self.of:
            new.of = {key: dict(links) for key, links in self.of.items()}
            new.alive = list(self.alive)
        return new

    def link(self, tensor: Tensor, other: Tensor, flag: Flag) -> None:
        """One tensor may be another."""
        self.of.setdefault(id(tensor), {})[id(other)] = (other, flag)
        self.of.setdefault(id(other), {})[id(tensor)] = (tensor, flag)
        self.alive += [tensor, other]

    def same(self, tensor: Any, passes: Callable[[Any], bool] | None = None) -> list[tuple[Tensor, Flag]]:
        """What a tensor may be, itself included: directly, or by way of others that `passes` allows."""
        tensors, links, ends = self._around(tensor, passes)
        start = id(tensor)
        # Those on the way are taken out one by one, the ones with the fewest links first: their neighbours are linked
        # to each other where they were by way of them. Then what each may be is read off in the opposite order.
        taken: list[tuple[int, dict[int, Flag]]] = []
        work = 0
        left = [key for key in tensors if key not in ends and key != start]
        while left:
            key = min(left, key=lambda item: len(links[item]))
            left.remove(key)
            around = links.pop(key)
            for place, (one, flag) in enumerate(around.items()):
                del links[one][key]
                for other, link in list(around.items())[:place]:
                    work += 1
                    links[one][other] = links[other][one] = _or(links[one].get(other, False), _and(flag, link))
            taken.append((key, around))
            if work > MAX_WORK:
                raise GraphBreak("a tensor that is updated in place may be one of too many others")
        flags: dict[int, Flag] = {start: True, **links[start]}
        for key, around in reversed(taken):
            flags[key] = False
            for other, link in around.items():
                if other not in ends:
                    flags[key] = _or(flags[key], _and(flags[other], link))
        return [(tensors[key], flag) for key, flag in flags.items()]

    def _around(self, start: Any, passes: Callable[[Any], bool] | None) -> tuple[dict[int, Tensor], Links, set[int]]:
        """The tensors that links lead to from one of them, the links between them, and those that lead no further."""
        tensors: dict[int, Tensor] = {id(start): start}
        ends: set[int] = set()
        links: Links = {id(start): {}}
        queue = [start]
        for tensor in queue:
            if tensor is not start and passes is not None and not passes(tensor):
                ends.add(id(tensor))
                continue
            for key, (other, flag) in self.of.get(id(tensor), {}).items():
                if key not in tensors:
                    tensors[key] = other
                    queue.append(other)
                links[id(tensor)][key] = flag
                links.setdefault(key, {})[id(tensor)] = flag
        return tensors, links, ends

    def wrote(self, trace: Trace, tensor: Any) -> None:
        """A tensor was updated in place: so are those that it may be, where it is one of them."""
        if self.busy or id(tensor) not in self.of:
            return
        self.busy = True
        try:
            now = wrap(trace.read(tensor))
            for other, flag in self.same(tensor)[1:]:
                trace.write(other, trace.read(logic.where(flag, now, wrap(trace.read(other)))))
        finally:
            self.busy = False


def _and(one: Flag, other: Flag) -> Flag:
    """Both."""
    if one is True or other is False:
        return other
    return one if other is True or one is False else logic.logical_and(one, other)


def _or(one: Flag, other: Flag) -> Flag:
    """One of both."""
    if one is False or other is True:
        return other
    return one if other is False or one is True else logic.logical_or(one, other)
