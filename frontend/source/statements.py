"""Statement rewriting: branches and loops become functions for the helpers, and jumps become results of these
functions.

A generated function returns its *outcome*: `fall_through`, `break_`, `continue_`, or the returned value of the user's
function. The code after a statement that may jump becomes a function, too (`rest`), so that each path has its own
continuation.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from typing import Any

import gast

from . import nodes
from .control import CONTROL
from .gast_tree import KeptAssign, from_gast, to_gast
from .kept_blocks import BODY, EVERY_NAME, JUMPING, KEPT, Mode
from .liveness import Liveness
from .nodes import Conversion, FunctionNames, Span, copied, span
from .scope import Facts, Scope
from .targets import TargetConverter


class FunctionConverter(TargetConverter):
    """Converts the body of one function (or the body of a class inside one)."""

    def __init__(self, conversion: Conversion, scope: Scope, class_name: str | None) -> None:
        super().__init__(conversion, scope, class_name)
        self.facts = scope.facts
        self.live: Liveness
        self.breaks: list[int] = []  # names bound at every break of the loops around
        self.in_class = False
        self.sides: dict[Hashable, tuple[str, int, int]] = {}  # those of ifs before in the block (`control.py`)

    def function_body(self, node: Any) -> list[ast.stmt]:
        """The converted body of a function statement."""
        body = node.body
        out: list[ast.stmt] = []
        if self.native:
            self._native_block(body, out)
            return [*self._owned(span(body[0])), *out]
        self.live = Liveness(self.scope, body)
        rest = body
        if (
            isinstance(body[0], gast.Expr)
            and isinstance(body[0].value, gast.Constant)
            and isinstance(body[0].value.value, str)
        ):
            out.append(self.generic(body[0]))
            rest = body[1:]
        at = span(body[0])
        for kind, mask in ((ast.Global, self.scope.globals), (ast.Nonlocal, self.scope.nonlocals)):
            if mask:
                out.append(kind(list(self.names.names(mask)), **at))
        converted = [*self._owned(at), *self.block(rest, BODY)]
        # unreachable statements are left out, but their names are local nevertheless
        missing = (self.frame.needed & ~self.frame.stores) | ~self.emitted
        missing &= self.local & ~self.scope.parameters
        out.extend(self.bindings(missing, at))
        out.extend(converted)
        return out or [ast.Pass(**at)]

    def _owned(self, at: Span) -> list[ast.stmt]:
        """Tell the trace which variables inner functions rebind. Branches that call such functions join them."""
        owned = self.scope.shared & self.local
        if not owned:
            return []
        names = ast.Tuple([nodes.name(name, at) for name in self.names.names(owned)], nodes.LOAD, **at)
        return [ast.Expr(self.call("owns", [self.thunk(names, at)], at), **at)]

    # Blocks

    def block(self, statements: list[Any], mode: Mode) -> list[ast.stmt]:
        """Convert a list of statements."""
        outer, self.sides = self.sides, {}
        try:
            return self._block(statements, mode)
        finally:
            self.sides = outer

    def _block(self, statements: list[Any], mode: Mode) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for position, statement in enumerate(statements):
            facts = self.facts[statement]
            if facts.jumps and statement.__class__ in CONTROL:
                self._jumping(statement, facts, statements[position + 1 :], mode, out)
                return out
            if facts.nested:
                self._jumping_native(statement, facts, statements[position + 1 :], mode, out)
                return out
            self.statement(statement, out)
            if not facts.completes:
                self.assigned = EVERY_NAME
                return out
        if mode.explicit and mode.outcome is None and statements:
            at = span(statements[-1])
            out.append(ast.Return(self.helper("fall_through", at), **at))
        return out

    def statement(self, node: Any, out: list[ast.stmt]) -> None:
        """Convert one statement, with the definitions that its expressions need before it."""
        outer, self.hoisted = self.hoisted, []
        handler = _STATEMENTS.get(node.__class__)
        converted: list[ast.stmt] = []
        if handler is not None:
            handler(self, node, converted)
        else:
            converted.append(self.generic(node))
        out.extend(self.hoisted)
        out.extend(converted)
        self.hoisted = outer

    def _jumping(self, node: Any, facts: Facts, rest: list[Any], mode: Mode, out: list[ast.stmt]) -> None:
        """An if or a loop that may jump: the rest of the block becomes its continuation."""
        at = span(node)
        outer, self.hoisted = self.hoisted, []
        definitions: list[ast.stmt] = []
        call = CONTROL[node.__class__](self, node, facts, definitions)
        out.extend(self.hoisted)
        out.extend(definitions)
        self.hoisted = outer
        if facts.completes and rest:
            self._rest(call, node, facts, rest, mode, out)
        elif facts.completes and mode is BODY:
            call.keywords.append(nodes.keyword("rest", self.helper("return_none", at), at))
        else:
            call.keywords.append(nodes.keyword("rest", self.helper("fall_through", at), at))
            # what is read behind a break, but not after the statement: an else clause of the loop binds it anew
            left = facts.writes & self.live.ends[node] & ~self.live.after[node]
            self.state(call, "exits", left, at)
        if mode.outcome is None or not facts.completes:
            out.append(ast.Return(call, **at))
            if not facts.completes:
                self.assigned = EVERY_NAME
        else:
            self.take_outcome(mode.outcome, call, at, out)

    def take_outcome(self, variable: str, value: ast.expr, at: Span, out: list[ast.stmt]) -> None:
        """Store an outcome inside a native statement, and leave at once if it is a jump."""
        out.append(nodes.assign(variable, value, at))
        jumped = self.call("jumped", [nodes.name(variable, at)], at)
        fields: dict[str, Any] = {"test": jumped, "body": [ast.Return(nodes.name(variable, at), **at)], "orelse": []}
        out.append(ast.If(**fields, **at))

    def _rest(self, call: ast.Call, node: Any, facts: Facts, rest: list[Any], mode: Mode, out: list[ast.stmt]) -> None:
        """Define the continuation of a statement, and pass it to the statement's call."""
        at = span(rest[0])
        ends = self.live.ends[node]
        inner = JUMPING if mode.outcome is not None else mode
        identifier = self.conversion.function("rest")
        out.append(self.generated(identifier, rest, inner, ends, at))
        call.keywords.append(nodes.keyword("rest", nodes.name(identifier, at), at))
        # names that a native statement has bound are shared with all later code
        writes = (facts.writes if node.__class__ in CONTROL else 0) | self.scope.shared
        for statement in rest:
            writes |= self.facts[statement].writes
        self.state(call, "exits", writes & ends, at)

    def _jumping_native(self, node: Any, facts: Facts, rest: list[Any], mode: Mode, out: list[ast.stmt]) -> None:
        """A try, with or match with a jump inside a branch or loop. The code after it checks its outcome."""
        at = span(node)
        variable = self.conversion.fresh("outcome")
        out.append(nodes.assign(variable, self.helper("fall_through", at), at))
        outer, self.hoisted = self.hoisted, []
        converted: list[ast.stmt] = []
        KEPT[node.__class__](self, node, converted, Mode(explicit=True, outcome=variable))
        out.extend(self.hoisted)
        out.extend(converted)
        self.hoisted = outer
        if not facts.completes:
            self.assigned = EVERY_NAME
            return
        outcome: ast.expr = nodes.name(variable, at)
        if rest:
            outcome = call = self.call("proceed", [outcome], at)
            self._rest(call, node, facts, rest, mode, out)
        elif mode is BODY:
            keywords = [nodes.keyword("rest", self.helper("return_none", at), at)]
            outcome = self.call("proceed", [outcome], at, keywords)
        if mode.outcome is None:
            out.append(ast.Return(outcome, **at))
        else:
            self.take_outcome(mode.outcome, outcome, at, out)

    # Generated functions

    def generated(
        self,
        identifier: str,
        statements: list[Any],
        mode: Mode,
        live_out: int,
        at: Span,
        target: Any = None,
    ) -> ast.FunctionDef:
        """A function around some statements. Names that nothing else uses become its own."""
        writes = target_names = 0
        for statement in statements:
            writes |= self.facts[statement].writes
        live_in = self.live.before[statements[0]]
        parameters: tuple[str, ...] = ()
        if target is not None:
            target_names = self.names.mask(
                name.id
                for name in gast.walk(target)
                if isinstance(name, gast.Name) and isinstance(name.ctx, gast.Store)
            )
            writes |= target_names
        owned = writes & ~(live_in & ~target_names) & ~live_out & ~self.live.always & self.local
        outer, self.frame = self.frame, FunctionNames(owned)
        self.depth += 1
        prologue: list[ast.stmt] = []
        if target is not None:
            if isinstance(target, gast.Name) and target_names & owned:
                parameters = (target.id,)
                self.assigned |= target_names
                self.emitted |= target_names
            else:
                item = self.conversion.fresh("item")
                parameters = (item,)
                self.assign([target], nodes.name(item, span(target)), span(target), prologue)
        body = prologue + self.block(statements, mode)
        self.depth -= 1
        return self.close_frame(identifier, parameters, body, outer, at)

    def state(self, call: ast.Call, keyword: str, mask: int, at: Span) -> None:
        """The variables that a branch or loop may change for later code, as an argument of a helper."""
        scope = self.scope
        bound = scope.globals | scope.shared
        for value in [*call.args, *[item.value for item in call.keywords]]:
            if isinstance(value, ast.Name):
                bound |= self.exports.get(value.id, 0)
        mask &= bound & (self.local | scope.nonlocals | scope.globals)
        if not mask:
            return
        self.joined |= mask
        call.keywords.append(nodes.keyword(keyword, nodes.strings(self.spelled(mask), at), at))
        kept, hidden = mask & (scope.always | self.final), mask & scope.shared
        if not kept and not hidden:
            return
        given = {item.arg: item for item in call.keywords}
        if kept and keyword != "joins":
            # names that are live even after a return
            names = self.spelled(kept)
            if "keeps" in given:
                known: Any = given["keeps"].value
                known.value = tuple(dict.fromkeys((*known.value, *names)))
            else:
                call.keywords.append(nodes.keyword("keeps", nodes.strings(names, at), at))
        if hidden and "cells" not in given:
            # names that only inner functions of the user rebind may not occur in the generated functions
            values = ast.Tuple([nodes.name(name, at) for name in self.names.names(hidden)], nodes.LOAD, **at)
            call.keywords.append(nodes.keyword("cells", self.thunk(values, at), at))

    # Control flow

    def _plain_control(self, node: Any, out: list[ast.stmt]) -> None:
        """An if or loop without jumps out of it."""
        call = CONTROL[node.__class__](self, node, self.facts[node], out)
        out.append(nodes.made(ast.Expr, span(node), value=call))

    # Jumps

    def _return(self, node: Any, out: list[ast.stmt]) -> None:
        out.append(copied(ast.Return, node, value=self.visit(node.value) if node.value is not None else None))

    def _break(self, node: Any, out: list[ast.stmt]) -> None:
        self.breaks[-1] &= self.assigned
        at = span(node)
        out.append(ast.Return(self.helper("break_", at), **at))

    def _continue(self, node: Any, out: list[ast.stmt]) -> None:
        at = span(node)
        out.append(ast.Return(self.helper("continue_", at), **at))

    def _raise(self, node: Any, out: list[ast.stmt]) -> None:
        at = span(node)
        if node.exc is None:
            out.append(ast.Raise(None, None, **at))
            return
        error = self.call("raised", [self.visit(node.exc)], at)
        out.append(ast.Raise(error, self.visit(node.cause) if node.cause is not None else None, **at))

    def _assert(self, node: Any, out: list[ast.stmt]) -> None:
        at = span(node)
        arguments = [self.visit(node.test)]
        message = None
        if node.msg is not None:
            if not self.keeps_native([node.msg]):
                arguments.append(self.later(node.msg))
            self.lazy += 1
            message = self.visit(node.msg)
            self.lazy -= 1
        out.append(ast.Assert(self.call("assert_", arguments, at), message, **at))

    def inline(self, body: list[Any], mode: Mode) -> list[ast.stmt]:
        """A block inside a statement that keeps its form."""
        out: list[ast.stmt] = []
        if self.native:
            self._native_block(body, out)
        else:
            out = self.block(body, mode)
        return out or [ast.Pass(**span(body[0]))]

    # Definitions, and statements that stay

    def _function(self, node: Any, out: list[ast.stmt]) -> None:
        """An inner function, which is converted here."""
        scope = self.scope.children[node]
        if scope.untouched:
            self.store(self.names.bit(node.name))
            out.append(from_gast(node))
            return
        decorators = self.visit_all(node.decorator_list)
        arguments = self.signature(node.args)
        inner = FunctionConverter(self.conversion, scope, self.class_name)
        body = inner.function_body(node)
        returns = gast.gast_to_ast(node.returns) if node.returns is not None else None
        self.store(self.names.bit(node.name))
        kind = getattr(ast, node.__class__.__name__)
        out.append(kind(node.name, arguments, body, decorators, returns, **self._type_parameters(node), **span(node)))

    def _class(self, node: Any, out: list[ast.stmt]) -> None:
        """An inner class: its methods are converted, its body is not."""
        decorators, bases = self.visit_all(node.decorator_list), self.visit_all(node.bases)
        keywords = [ast.keyword(item.arg, self.visit(item.value), **span(item)) for item in node.keywords]
        inner = FunctionConverter(self.conversion, self.scope.children[node], node.name)
        inner.native = inner.in_class = True
        inner.hoisted = None
        body: list[ast.stmt] = []
        inner._native_block(node.body, body)
        self.store(self.names.bit(node.name))
        fields = self._type_parameters(node)
        out.append(ast.ClassDef(node.name, bases, keywords, body, decorators, **fields, **span(node)))

    def _type_parameters(self, node: Any) -> dict[str, Any]:
        """The type parameters of a function or class, if Python has them."""
        if "type_params" not in ast.FunctionDef._fields:
            return {}
        return {"type_params": [gast.gast_to_ast(parameter) for parameter in node.type_params]}

    def _import(self, node: Any, out: list[ast.stmt]) -> None:
        for alias in node.names:
            self.store(self.names.bit(alias.asname or alias.name.split(".")[0]))
        out.append(gast.gast_to_ast(node))

    def _declaration(self, node: Any, out: list[ast.stmt]) -> None:
        """global and nonlocal move to the top of the converted function."""
        if self.native:
            out.append(gast.gast_to_ast(node))

    def _kept(self, node: KeptAssign, out: list[ast.stmt]) -> None:
        """An assignment of names and numbers: it stays as it is, unless a name may be unbound."""
        facts = self.facts[node]
        if facts.reads & self.local & ~self.assigned:
            self.assignment(to_gast(node.origin), out)
        else:
            out.append(node.origin)
            self.store(facts.kills)

    def _copy(self, node: Any, out: list[ast.stmt]) -> None:
        out.append(gast.gast_to_ast(node))

    def _expression_statement(self, node: Any, out: list[ast.stmt]) -> None:
        out.append(copied(ast.Expr, node, value=self.visit(node.value)))

    # Native control flow: generators, class bodies and functions that look at their own frame

    def _native_block(self, body: list[Any], out: list[ast.stmt]) -> None:
        for statement in body:
            kind = statement.__class__
            if kind in _NATIVE_CONTROL:
                self._native_control(statement, out)
            elif kind is gast.Return or kind is gast.Break or kind is gast.Continue or kind is gast.Pass:
                out.append(self.generic(statement))
            elif self.in_class:
                _STATEMENTS.get(kind, FunctionConverter._generic_statement)(self, statement, out)
            else:
                self.statement(statement, out)

    def _generic_statement(self, node: Any, out: list[ast.stmt]) -> None:
        out.append(self.generic(node))

    def _native_control(self, node: Any, out: list[ast.stmt]) -> None:
        """An if or loop that keeps its form."""
        fields: dict[str, Any] = {}
        if hasattr(node, "test"):
            fields["test"] = self.visit(node.test)
        if hasattr(node, "iter"):
            fields["iter"] = self.items(node.iter, "for")
        stores: list[ast.stmt] = []
        if hasattr(node, "target"):
            fields["target"] = self.plain_target(node.target, stores)
        for name in ("body", "orelse"):
            fields[name] = stores if name == "body" else []
            self._native_block(getattr(node, name), fields[name])
        out.append(getattr(ast, node.__class__.__name__)(**fields, **span(node)))


_Statement = Callable[[FunctionConverter, Any, list[ast.stmt]], None]

_NATIVE_CONTROL = (gast.If, gast.While, gast.For, gast.AsyncFor)
_STATEMENTS: dict[type, _Statement] = {
    gast.Expr: FunctionConverter._expression_statement,
    gast.Assign: TargetConverter.assignment,
    gast.AugAssign: TargetConverter.augmented_assignment,
    gast.AnnAssign: TargetConverter.annotated_assignment,
    gast.Delete: TargetConverter.deletion,
    gast.If: FunctionConverter._plain_control,
    gast.While: FunctionConverter._plain_control,
    gast.For: FunctionConverter._plain_control,
    gast.Return: FunctionConverter._return,
    gast.Break: FunctionConverter._break,
    gast.Continue: FunctionConverter._continue,
    gast.Raise: FunctionConverter._raise,
    gast.Assert: FunctionConverter._assert,
    gast.FunctionDef: FunctionConverter._function,
    gast.AsyncFunctionDef: FunctionConverter._function,
    gast.ClassDef: FunctionConverter._class,
    gast.Import: FunctionConverter._import,
    gast.ImportFrom: FunctionConverter._import,
    gast.Global: FunctionConverter._declaration,
    gast.Nonlocal: FunctionConverter._declaration,
    gast.Pass: FunctionConverter._copy,
    KeptAssign: FunctionConverter._kept,
    **KEPT,
}
