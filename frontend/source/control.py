"""Branches and loops: each becomes a call of a helper, with generated functions for its blocks."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from typing import Any, Protocol

import gast

from . import kept_blocks, nodes
from .kept_blocks import BODY, EVERY_NAME, JUMPING, Mode
from .nodes import FunctionNames, Span, span
from .scope import Facts


class ControlConverter(kept_blocks.BlockConverter, Protocol):
    """The parts of the converter (`statements.FunctionConverter`) that branches and loops use."""

    breaks: list[int]
    depth: int
    frame: FunctionNames
    hoisted: list[ast.stmt] | None
    local: int
    sides: dict[Hashable, tuple[str, int, int]]

    def block(self, statements: list[Any], mode: Mode) -> list[ast.stmt]:
        """Convert a list of statements."""

    def close_frame(
        self, identifier: str, parameters: tuple[str, ...], body: list[ast.stmt], outer: FunctionNames, at: Span
    ) -> ast.FunctionDef:
        """Finish a generated function."""

    def generated(
        self, identifier: str, statements: list[Any], mode: Mode, live_out: int, at: Span, target: Any = None
    ) -> ast.FunctionDef:
        """A function around some statements."""

    def walrus_names(self, expressions: list[Any]) -> list[str]:
        """The names that walrus operators in some expressions bind in this function."""


def _convert_if(converter: ControlConverter, node: Any, facts: Facts, out: list[ast.stmt]) -> ast.Call:
    """The call for an if statement. The functions of its branches are added to `out`."""
    at = span(node)
    mode = JUMPING if facts.jumps else BODY
    test = converter.visit(node.test)
    if node.orelse and mode is BODY:
        return _convert_if_else(converter, node, facts, test, out)
    before = converter.assigned
    then = converter.conversion.function("then")
    orelse = converter.conversion.twin(then, "else")
    arguments = [test]
    after = EVERY_NAME
    for label, body in ((then, node.body), (orelse, node.orelse)):
        converter.assigned = before
        if body:
            out.append(converter.generated(label, body, mode, converter.live.outs[node], span(body[0])))
            arguments.append(nodes.name(label, at))
        after &= converter.assigned
    converter.assigned = after
    joins = (facts.writes | converter.scope.shared) & converter.live.after[node]
    call = converter.call("if_", arguments, at)
    converter.state(call, "joins", joins, at)
    return call


def _convert_if_else(
    converter: ControlConverter, node: Any, facts: Facts, test: ast.expr, out: list[ast.stmt]
) -> ast.Call:
    """The call for an if with an else, without jumps: one function has both branches, and takes the choice. Python
    compiles one faster than two. An if whose branches have the text of those of another one has its function, lines
    further down."""
    at, live = span(node), converter.live
    begin, end = node.body[0], node.orelse[-1].end_lineno
    first = min([begin.lineno, *[each.lineno for each in getattr(begin, "decorator_list", ())]])
    text = converter.conversion.text(first, end) if first > node.test.end_lineno else ""
    begins = live.before[node.body[0]], live.before[node.orelse[0]]
    unbound = (begins[0] | begins[1] | live.always) & ~converter.assigned
    key = text, unbound, *[mask & facts.writes for mask in (*begins, live.outs[node])]
    sides, line, gained = converter.sides.get(key, ("", 0, 0)) if text else ("", 0, 0)
    joins = (facts.writes | converter.scope.shared) & live.after[node]
    if sides:
        converter.assigned |= gained
        call = converter.call("if_else", [test, nodes.name(sides, at)], at)
        converter.state(call, "joins", joins, at)
        call.keywords.append(nodes.keyword("lines", nodes.constant(first - line, at), at))
        return call
    sides, holds = converter.conversion.function("sides"), converter.conversion.fresh_name("holds")
    inside = begins[0] | begins[1] | live.outs[node] | live.always
    outer, converter.frame = converter.frame, FunctionNames(facts.writes & ~inside & converter.local)
    converter.depth += 1
    before, after = converter.assigned, EVERY_NAME
    branches = []
    for body in (node.body, node.orelse):
        converter.assigned = before
        branches.append(converter.block(body, BODY) or [nodes.made(ast.Pass, span(body[0]))])
        after &= converter.assigned
    converter.assigned = after
    converter.sides[key] = sides, first, after & ~before
    converter.depth -= 1
    choice = nodes.made(ast.If, at, test=nodes.name(holds, at), body=branches[0], orelse=branches[1])
    out.append(converter.close_frame(sides, (holds,), [choice], outer, at))
    call = converter.call("if_else", [test, nodes.name(sides, at)], at)
    converter.state(call, "joins", joins, at)
    return call


def _convert_while(converter: ControlConverter, node: Any, facts: Facts, out: list[ast.stmt]) -> ast.Call:
    """The call for a while loop."""
    at = span(node.test)
    converter.assigned &= ~converter.scope.deleted
    if converter.walrus_names([node.test]):
        label = converter.conversion.function("test")
        outer, converter.frame = converter.frame, FunctionNames(0)
        converter.depth += 1
        outside, converter.hoisted = converter.hoisted, []
        value = converter.visit(node.test)
        body = [*converter.hoisted, ast.Return(value, **at)]
        converter.hoisted = outside
        converter.depth -= 1
        out.append(converter.close_frame(label, (), body, outer, at))
        test: ast.expr = nodes.name(label, at)
    else:
        converter.depth += 1
        test = converter.thunk(converter.visit(node.test), at)
        converter.depth -= 1
    return _convert_loop(converter, "while_", test, node, facts, None, out)


def _convert_for(converter: ControlConverter, node: Any, facts: Facts, out: list[ast.stmt]) -> ast.Call:
    """The call for a for loop."""
    iterable = converter.visit(node.iter)
    converter.assigned &= ~converter.scope.deleted
    return _convert_loop(converter, "for_", iterable, node, facts, node.target, out)


def _convert_loop(
    converter: ControlConverter, helper: str, head: ast.expr, node: Any, facts: Facts, target: Any, out: list[ast.stmt]
) -> ast.Call:
    """The common part of for and while."""
    at = span(node)
    live = converter.live
    jumps = any(converter.facts[statement].jumps for statement in node.body) or bool(facts.jumps)
    mode = JUMPING if jumps else BODY
    before = converter.assigned
    converter.breaks.append(EVERY_NAME)
    body = converter.conversion.function("body")
    out.append(
        converter.generated(body, node.body, mode, live.heads[node] | live.outs[node], span(node.body[0]), target)
    )
    at_breaks = converter.breaks.pop()
    converter.assigned = before
    keywords: list[ast.keyword] = []
    if node.orelse:
        orelse = converter.conversion.twin(body, "else")
        out.append(converter.generated(orelse, node.orelse, mode, live.outs[node], span(node.orelse[0])))
        keywords.append(nodes.keyword("orelse", nodes.name(orelse, at), at))
    endless = isinstance(node, gast.While) and isinstance(node.test, gast.Constant) and bool(node.test.value)
    converter.assigned = at_breaks if endless else converter.assigned & at_breaks
    carries = (facts.writes | converter.scope.shared) & (live.heads[node] | live.outs[node])
    if jumps:
        keywords.append(nodes.keyword("jumps", nodes.constant(True, at), at))
    call = converter.call(helper, [head, nodes.name(body, at)], at, keywords)
    converter.state(call, "carries", carries, at)
    return call


CONTROL: dict[type, Callable[[Any, Any, Facts, list[ast.stmt]], ast.Call]] = {
    gast.If: _convert_if,
    gast.While: _convert_while,
    gast.For: _convert_for,
}
"""The calls for branches and loops: made of the converter, the statement, its facts, and what to write to."""
