"""Structured statements that Python itself runs: try, with and match keep their form, with converted blocks inside."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import gast

from ...runtime.records import NamedTuple
from . import nodes
from .liveness import Liveness
from .nodes import Conversion, Span, span
from .scope import Facts, NameTable, Scope

EVERY_NAME = -1
"""The set of all names: what is bound behind a statement that control does not get past."""

_JUMPS_BY_CALL = (gast.If, gast.While, gast.For)  # a jump inside of these is an outcome of their call


class Mode(NamedTuple):
    """The position of a block: at the end of a function, or inside a statement that keeps its form."""

    explicit: bool  # whether falling off the end has to be said, because the outcome is looked at
    outcome: str | None = None  # inside a try, with or match: the variable that takes outcomes


BODY = Mode(explicit=False)
JUMPING = Mode(explicit=True)
INLINE = Mode(explicit=False)


class BlockConverter(Protocol):
    """The converter of a statement's parts (`statements.FunctionConverter`)."""

    conversion: Conversion
    scope: Scope
    names: NameTable
    facts: dict[Any, Facts]
    live: Liveness
    assigned: int
    final: int
    native: Any

    def visit(self, node: Any) -> Any:
        """Convert an expression."""

    def helper(self, function: str, at: Span) -> ast.Attribute:
        """A reference to a function of the helper module."""

    def call(
        self, function: str, arguments: list[ast.expr], at: Span, keywords: list[ast.keyword] | None = None
    ) -> ast.Call:
        """A call of a helper."""

    def thunk(self, body: ast.expr, at: Span) -> ast.Lambda:
        """A lambda without parameters."""

    def store(self, mask: int) -> Any:
        """Note that names are bound."""

    def inline(self, body: list[Any], mode: Mode) -> list[ast.stmt]:
        """A block inside a statement that keeps its form."""

    def generated(self, identifier: str, statements: list[Any], mode: Mode, live_out: int, at: Span) -> ast.FunctionDef:
        """A function around some statements."""

    def state(self, call: ast.Call, keyword: str, mask: int, at: Span) -> None:
        """Pass the variables that a call may change to it."""

    def take_outcome(self, variable: str, value: ast.expr, at: Span, out: list[ast.stmt]) -> None:
        """Store an outcome, and leave at once if it is a jump."""

    def plain_target(self, target: Any, stores: list[ast.stmt]) -> ast.expr:
        """A target that Python assigns to."""


def _is_named(kind: Any) -> bool:
    """Whether the class of an except clause, or each of several, is a name, which has no effects when it is read."""
    if isinstance(kind, gast.Tuple):
        return all(map(_is_named, kind.elts))
    while isinstance(kind, gast.Attribute):
        kind = kind.value
    return isinstance(kind, gast.Name)


class _Try:
    """One try statement. The names bound at each point are tracked through its blocks."""

    def __init__(self, converter: BlockConverter, node: Any, mode: Mode) -> None:
        self.converter = converter
        self.node = node
        self.outcome = mode.outcome
        self.mode = mode if mode.outcome is not None else INLINE
        self.before = converter.assigned

    def convert(self, out: list[ast.stmt]) -> None:
        """Write the converted statement."""
        converter, node = self.converter, self.node
        around = converter.final
        if node.finalbody and not converter.native:
            converter.final |= converter.live.before[node.finalbody[0]]
        body = converter.inline(node.body, self.mode)
        if node.handlers:
            body = self._caught(body, kinds=[handler.type for handler in node.handlers])
        at_end = converter.assigned
        handlers, after = self._handlers()
        converter.assigned = at_end
        orelse = self._else() if node.orelse else []
        after &= converter.assigned
        converter.final = around
        final: list[ast.stmt] = []
        own = None
        if node.finalbody:
            own, final = self._finally(out)
            after |= converter.assigned
        converter.assigned = after
        at = span(node)
        kind = getattr(ast, node.__class__.__name__)
        if node.finalbody:
            # a jump of the clause drops an exception, as does one that it raises
            drops = any(
                converter.facts[part].jumps or any(isinstance(each, gast.Raise) for each in gast.walk(part))
                for part in node.finalbody
            )
            body = self._caught([kind(body, handlers, orelse, [], **at)] if handlers else body, drops)
            handlers, orelse = [], []
        out.append(kind(body, handlers, orelse, final, **at))
        if own is not None and self.outcome is not None:  # its own outcome counts first, that of the body after it
            rest = nodes.keyword("rest", converter.thunk(nodes.name(self.outcome, at), at), at)
            proceed = converter.call("proceed", [nodes.name(own, at)], at, [rest])
            out.append(nodes.assign(self.outcome, proceed, at))

    def _caught(self, body: list[ast.stmt], drops: bool = True, kinds: Sequence[Any] = ()) -> list[ast.stmt]:
        """Statements whose exceptions may be dropped: those of some classes, if these are names; else all."""
        at = span(self.node.body[0])
        arguments: list[ast.expr] = [nodes.constant(drops, at)]
        if kinds and all(map(_is_named, kinds)):
            named: list[ast.expr] = [self.converter.visit(kind) for kind in kinds]
            arguments.append(self.converter.thunk(ast.Tuple(named, ast.Load(), **at), at))
        catching = self.converter.call("catching", arguments, at)
        return [ast.With([ast.withitem(catching, None)], body, **at)]

    def _handlers(self) -> tuple[list[ast.ExceptHandler], int]:
        """The except clauses, and the names bound after all of them."""
        converter = self.converter
        after = EVERY_NAME
        handlers = []
        for handler in self.node.handlers:
            converter.assigned = self.before & ~converter.scope.deleted
            kind = converter.visit(handler.type) if handler.type is not None else None
            name = None
            if handler.name is not None:
                name = handler.name.id
                converter.store(converter.names.bit(name))
            handlers.append(ast.ExceptHandler(kind, name, converter.inline(handler.body, self.mode), **span(handler)))
            if name is not None and converter.assigned != EVERY_NAME:
                converter.assigned &= ~converter.names.bit(name)
            after &= converter.assigned
        return handlers, after

    def _else(self) -> list[ast.stmt]:
        """The else clause. If the body has an outcome, it runs if that falls through."""
        converter, node = self.converter, self.node
        if self.outcome is None or not _jumps_inside(converter, node.body):
            return converter.inline(node.orelse, self.mode)
        out: list[ast.stmt] = []
        at = span(node.orelse[0])
        live_out = converter.live.outs[node]
        identifier = converter.conversion.function("rest")
        out.append(converter.generated(identifier, node.orelse, JUMPING, live_out, at))
        continuation = nodes.keyword("rest", nodes.name(identifier, at), at)
        call = converter.call("proceed", [nodes.name(self.outcome, at)], at, [continuation])
        writes = converter.scope.shared
        for statement in node.orelse:
            writes |= converter.facts[statement].writes
        converter.state(call, "exits", writes & live_out, at)
        converter.take_outcome(self.outcome, call, at, out)
        return out

    def _finally(self, out: list[ast.stmt]) -> tuple[str | None, list[ast.stmt]]:
        """The finally clause, and the variable of its own outcome, if it has one."""
        converter, node = self.converter, self.node
        converter.assigned = self.before & ~converter.scope.deleted
        if self.outcome is None or not _jumps_inside(converter, node.finalbody):
            return None, converter.inline(node.finalbody, self.mode)
        own = converter.conversion.fresh("outcome")
        out.append(nodes.assign(own, converter.helper("fall_through", span(node)), span(node)))
        final = converter.inline(node.finalbody, self.mode._replace(outcome=own))
        pends = converter.call("pends", [nodes.name(own, span(node))], span(node))
        return own, [*final, ast.Expr(pends, **span(node))]


def _jumps_inside(converter: BlockConverter, body: list[Any]) -> bool:
    """Whether a block has an if or a loop with a jump out of the block."""
    facts = converter.facts
    return any(facts[part].nested or (facts[part].jumps and part.__class__ in _JUMPS_BY_CALL) for part in body)


def _convert_try(converter: BlockConverter, node: Any, out: list[ast.stmt], mode: Mode = BODY) -> None:
    """Convert a try statement. `mode` says how its blocks treat outcomes."""
    _Try(converter, node, mode).convert(out)


def _convert_with(converter: BlockConverter, node: Any, out: list[ast.stmt], mode: Mode = BODY) -> None:
    """Convert a with statement."""
    inline = mode if mode.outcome is not None else INLINE
    items = []
    prologue: list[ast.stmt] = []
    for item in node.items:
        context = converter.visit(item.context_expr)
        if isinstance(node, gast.With) and not converter.native:
            context = converter.call("managed", [context], span(item.context_expr))
        target = converter.plain_target(item.optional_vars, prologue) if item.optional_vars is not None else None
        items.append(ast.withitem(context, target))
    entered = converter.assigned
    body = prologue + converter.inline(node.body, inline)
    # an exception may end the body early and be swallowed
    converter.assigned = entered & ~converter.scope.deleted
    out.append(getattr(ast, node.__class__.__name__)(items, body, **span(node)))


def _convert_match(converter: BlockConverter, node: Any, out: list[ast.stmt], mode: Mode = BODY) -> None:
    """Convert a match statement: Python matches, the bodies are converted."""
    inline = mode if mode.outcome is not None else INLINE
    subject = converter.visit(node.subject)
    before = after = converter.assigned
    cases = []
    for case in node.cases:
        converter.assigned = before
        for part in gast.walk(case.pattern):
            name = part.rest if isinstance(part, gast.MatchMapping) else getattr(part, "name", None)
            if isinstance(name, str):
                converter.store(converter.names.bit(name))
        guard = converter.visit(case.guard) if case.guard is not None else None
        cases.append(ast.match_case(converter.visit(case.pattern), guard, converter.inline(case.body, inline)))
        after &= converter.assigned
    converter.assigned = after
    out.append(ast.Match(subject, cases, **span(node)))


KEPT: dict[type, Callable[..., None]] = {
    gast.Try: _convert_try,
    gast.TryStar: _convert_try,
    gast.With: _convert_with,
    gast.AsyncWith: _convert_with,
    gast.Match: _convert_match,
}
"""The statements that keep their form: called with the converter, the statement, what to write to, and the mode."""
