"""Names for one tensor or another: after a traced if, updating such a tensor in place has to reach the one it is."""

from __future__ import annotations

from typing import Any

from . import ops
from .errors import GraphBreak
from .tensor import Tensor
from .trace import Trace, wrap

__all__ = ["Aliases"]

MAX_PATH = 12
Flag = Any  # a 0-d boolean tensor: whether one tensor is the other


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

    def targets(self, tensor: Any) -> dict[int, tuple[Tensor, Flag]]:
        """What a tensor may be."""
        return self.of.get(id(tensor), {})

    def wrote(self, trace: Trace, tensor: Any) -> None:
        """A tensor was updated in place: so are those that it may be, where it is one of them."""
        if self.busy or id(tensor) not in self.of:
            return
        self.busy = True
        try:
            self._spread(trace, tensor, wrap(trace.read(tensor)), None, (id(tensor),))
        finally:
            self.busy = False

    def _spread(self, trace: Trace, source: Any, now: Tensor, flag: Any, path: tuple[int, ...]) -> None:
        """Give the new numbers to all that the updated tensor may be, by way of what it may be."""
        if len(path) > MAX_PATH:
            raise GraphBreak("a tensor that is updated in place may be one of too many others")
        for key, (other, link) in self.targets(source).items():
            if key not in path:
                here = link if flag is None else ops.logical_and(flag, link)
                trace.write(other, trace.read(ops.where(here, now, wrap(trace.read(other)))))
                self._spread(trace, other, now, here, (*path, key))
