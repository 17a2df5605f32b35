"""Arenas of programs: each program has those that no run uses, and large ones share memory.

A function has a program for each shape of its arguments, and seldom do two of them run at once. So a block of memory
is bound to several programs, and goes from one to the other when that has no arena. When a larger block is needed,
smaller ones that nobody uses are freed first: a process keeps about as much as its largest program takes.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from .arena import Arena

SHARED = 1 << 20
"""Bytes from which arenas share memory. It takes 2 microseconds to get a block from another program."""


class ArenaMemory:
    """Memory that programs share. One of them holds it: it runs on it, or has it among its free arenas.

    Attributes:
        arena: the memory.
        bound: what each program has bound to it, by its arenas.
        holder: gives the arenas of the program that holds it; None once that is gone.
    """

    __slots__ = ("arena", "bound", "holder")

    def __init__(self, nbytes: int) -> None:
        self.arena = Arena(nbytes)
        self.bound: weakref.WeakKeyDictionary[Arenas, Any] = weakref.WeakKeyDictionary()
        self.holder: Callable[[], Arenas | None] = lambda: None

    def take(self) -> bool:
        """Take it from its holder, and out of the blocks; whether no run uses it. `list.remove` is atomic, so one of
        several threads succeeds; another finds it gone, or unbound."""
        holder = self.holder()
        try:
            if holder is not None:
                holder.free.remove(self.bound[holder])
            _blocks.remove(self)
        except (ValueError, KeyError):
            return False
        return True


_blocks: list[ArenaMemory] = []  # those that programs hold


class Arenas:
    """The arenas of one program.

    Args:
        nbytes: the bytes of each.
        bind: makes what runs the program on an arena.

    Attributes:
        free: what runs the program on an arena that no run uses.
    """

    __slots__ = ("__weakref__", "bind", "free", "nbytes")

    def __init__(self, nbytes: int, bind: Callable[[Arena], Any]) -> None:
        self.nbytes, self.bind = nbytes, bind
        self.free: list[Any] = []

    def another(self) -> Any:
        """What runs the program on one more arena, which is not among the free ones."""
        if self.nbytes < SHARED:
            return self.bind(Arena(self.nbytes))
        block = self._block()
        own = block.bound.get(self)
        if own is None:
            own = block.bound[self] = self.bind(Arena(self.nbytes, block.arena.memory))
        block.holder = weakref.ref(self)
        _blocks.append(block)
        return own

    def _block(self) -> ArenaMemory:
        blocks = sorted(_blocks, key=lambda block: block.arena.nbytes)
        for block in blocks:
            if block.arena.nbytes >= self.nbytes and block.take():
                return block
        for block in blocks:
            if block.arena.nbytes < self.nbytes and block.take():
                block.bound.clear()
        return ArenaMemory(self.nbytes)


def trim() -> None:
    """Free the memory of programs that are gone, if it is far too large for the others that are bound to it."""
    for block in list(_blocks):
        bound = [reference() for reference in block.bound.keyrefs()]  # in one step, as other threads bind more
        most = max([each.nbytes for each in bound if each is not None], default=0)
        if 2 * most < block.arena.nbytes and block.take():
            block.bound.clear()
