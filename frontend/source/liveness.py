"""Liveness analysis: the names that a later statement may read. Branches and loops pass these on."""

from __future__ import annotations

from typing import Any

import gast

from ...runtime.records import NamedTuple
from .scope import BREAK, CONTINUE, RETURN, Facts, Scope


class _Around(NamedTuple):
    """The names that are live at the targets of a statement's jumps."""

    ambient: int  # where an exception would be caught
    broken: int  # after the loop around
    head: int  # at the next iteration of the loop around


class Liveness:
    """Sets of live names around every statement of one function (as bits of Scope.names)."""

    def __init__(self, scope: Scope, body: list[Any]) -> None:
        self.facts = scope.facts
        self.always = scope.always
        self.before: dict[Any, int] = {}  # when the statement starts
        self.after: dict[Any, int] = {}  # after the statement
        self.outs: dict[
            Any, int
        ] = {}  # wherever the inside of the statement may go: behind it, by a jump, by an exception
        self.ends: dict[Any, int] = {}  # wherever control may go from the statement to the end of its block
        self.heads: dict[Any, int] = {}  # at every test of a loop
        self._block(body, self.always, _Around(self.always, self.always, self.always))

    def _block(self, body: list[Any], out: int, around: _Around) -> int:
        """Walk a block backwards. Returns the live names at its start."""
        live = out
        jumps = 0
        ends = out | around.ambient
        for statement in reversed(body):
            facts = self.facts[statement]
            self.after[statement] = live
            self.outs[statement] = live | around.ambient
            if facts.jumps:
                jumps |= facts.jumps
                self.outs[statement] |= self._targets(facts.jumps, around)
                ends = out | around.ambient | self._targets(jumps, around)
            self.ends[statement] = ends
            live = self._statement(statement, facts, live, around) | around.ambient
            self.before[statement] = live
        return live

    def _targets(self, jumps: int, around: _Around) -> int:
        """The live names at the targets of some kinds of jumps."""
        live = self.always if jumps & RETURN else 0
        if jumps & BREAK:
            live |= around.broken
        if jumps & CONTINUE:
            live |= around.head
        return live

    def _statement(self, node: Any, facts: Facts, out: int, around: _Around) -> int:
        """The live names before a statement, from those after it."""
        kind = node.__class__
        if kind is gast.If:
            return facts.reads | self._block(node.body, out, around) | self._block(node.orelse, out, around)
        if kind is gast.While or kind is gast.For or kind is gast.AsyncFor:
            return self._loop(node, facts, out, around)
        if kind is gast.Try or kind is gast.TryStar:
            return self._try(node, out, around)
        if kind is gast.With or kind is gast.AsyncWith:
            inside = around._replace(ambient=around.ambient | out)
            return facts.reads | self._block(node.body, out, inside)
        if kind is gast.Match:
            live = facts.reads | out
            for case in node.cases:
                live |= self._block(case.body, out, around)
            return live
        if not facts.completes:
            out = self._targets(facts.jumps, around)
        return (out & ~facts.kills) | facts.reads | around.ambient

    def _loop(self, node: Any, facts: Facts, out: int, around: _Around) -> int:
        """A loop. Names that its body reads are also live at its head."""
        head = self._block(node.orelse, out, around) | facts.reads
        # the second walk knows the names that are live at the head
        for _ in range(2):
            body = self._block(node.body, head, _Around(around.ambient, out, head))
            head |= body & ~facts.kills
        self.heads[node] = head
        return head

    def _try(self, node: Any, out: int, around: _Around) -> int:
        """A try statement. An exception may occur at any point of its body."""
        if node.finalbody:
            final = self._block(node.finalbody, out, around)
            out |= final
            around = _Around(around.ambient | final, around.broken | final, around.head | final)
        caught = 0
        for handler in node.handlers:
            head = self.facts[handler]
            caught |= (self._block(handler.body, out, around) & ~head.kills) | head.reads
        orelse = self._block(node.orelse, out, around)
        return caught | self._block(node.body, orelse, around._replace(ambient=around.ambient | caught))
