"""Assignment rewriting: writes to attributes and items become calls of helpers, in Python's order of evaluation."""

from __future__ import annotations

import ast
from typing import Any

import gast

from . import nodes
from .expressions import ExpressionConverter, is_plain_index
from .nodes import LOAD, STORE, Span, made, span

AUGMENTED: dict[type, str] = {
    gast.Add: "+=",
    gast.Sub: "-=",
    gast.Mult: "*=",
    gast.MatMult: "@=",
    gast.Div: "/=",
    gast.Mod: "%=",
    gast.Pow: "**=",
    gast.LShift: "<<=",
    gast.RShift: ">>=",
    gast.BitOr: "|=",
    gast.BitXor: "^=",
    gast.BitAnd: "&=",
    gast.FloorDiv: "//=",
}


class TargetConverter(ExpressionConverter):
    """The converter of assignments, on top of that of expressions."""

    in_class = False

    def assignment(self, node: Any, out: list[ast.stmt]) -> None:
        """`targets = value`."""
        unpacks = any(isinstance(target, (gast.Tuple, gast.List)) for target in node.targets)
        value = self.items(node.value, "an assignment") if unpacks else self.visit(node.value)
        self.assign(node.targets, value, span(node), out)

    def assign(self, targets: list[Any], value: ast.expr, at: Span, out: list[ast.stmt]) -> None:
        """Assign a converted value to several targets."""
        if all(_is_names(target) for target in targets):
            out.append(made(ast.Assign, at, targets=[self.visit(target) for target in targets], value=value))
            return
        if len(targets) > 1:
            value = self._settled(value, at, out)
        for target in targets:
            self._assign_one(target, value, at, out)

    def _assign_one(self, target: Any, value: ast.expr, at: Span, out: list[ast.stmt]) -> None:
        """Assign a value to one target."""
        if isinstance(target, gast.Attribute):
            self._assign_attribute(target, value, at, out)
        elif isinstance(target, gast.Subscript):
            self._assign_item(target, value, at, out)
        else:
            stores: list[ast.stmt] = []
            names = self.plain_target(target, stores)
            out.append(ast.Assign([names], value, **at))
            out.extend(stores)

    def plain_target(self, target: Any, stores: list[ast.stmt]) -> Any:
        """A target with names only. Attributes and items in it are replaced by new names, from which they are stored
        afterwards, from left to right as in Python."""
        return self.visit(target) if _is_names(target) else self._fresh_target(target, stores)

    def _fresh_target(self, target: Any, stores: list[ast.stmt]) -> Any:
        """A target of new names, from which its parts are stored afterwards."""
        at = span(target)
        if isinstance(target, (gast.Tuple, gast.List)):
            kind = getattr(ast, target.__class__.__name__)
            return kind([self._fresh_target(element, stores) for element in target.elts], STORE, **at)
        if isinstance(target, gast.Starred):
            return ast.Starred(self._fresh_target(target.value, stores), STORE, **at)
        taken = self.conversion.fresh("value")
        self._assign_one(target, nodes.name(taken, at), at, stores)
        return ast.Name(taken, STORE, **at)

    def _assign_attribute(self, target: Any, value: ast.expr, at: Span, out: list[ast.stmt]) -> None:
        """`owner.attr = value`."""
        if not isinstance(target.value, gast.Name) or self.scope.walrus:
            value = self._settled(value, at, out)
        owner = self.visit(target.value)
        out.append(self._setattr(owner, target.attr, value, at))

    def _setattr(self, owner: ast.expr, attribute: str, value: ast.expr, at: Span) -> ast.stmt:
        """The statement that writes an attribute."""
        call = self.call("setattr_", [owner, nodes.constant(self.mangle(attribute), at), value], at)
        return ast.Expr(call, **at)

    def _assign_item(self, target: Any, value: ast.expr, at: Span, out: list[ast.stmt]) -> None:
        """`base[index] = value`."""
        base = target.value
        if isinstance(base, gast.Attribute):
            owner: ast.expr
            if isinstance(base.value, gast.Name):
                owner = self.visit(base.value)
            else:
                value = self._settled(value, at, out)
                owner = self._settled(self.visit(base.value), at, out)
            attribute = nodes.constant(self.mangle(base.attr), at)
            into: ast.expr = self.call("getattr_", [owner, attribute], at)
            out.append(self._setitem(value, into, self.index(target.slice), at))
        else:
            out.append(self._setitem(value, self.visit(base), self.index(target.slice), at))

    def _setitem(self, value: ast.expr, into: ast.expr, index: ast.expr, at: Span) -> ast.stmt:
        """The statement that writes an item."""
        keywords = [nodes.keyword("into", into, at), nodes.keyword("at", index, at)]
        return ast.Expr(self.call("setitem", [value], at, keywords), **at)

    def index(self, node: Any) -> ast.expr:
        """A subscript as an argument of a call."""
        converted: ast.expr = self.visit(node)
        parts = node.elts if isinstance(node, gast.Tuple) else [node]
        if any(isinstance(part, gast.Slice) for part in parts):
            at = span(node)
            return ast.Subscript(self.helper("at", at), converted, LOAD, **at)
        return converted

    def augmented_assignment(self, node: Any, out: list[ast.stmt]) -> None:
        """`target += value`."""
        at = span(node)
        target = node.target
        operator = nodes.constant(AUGMENTED[node.op.__class__], at)
        if isinstance(target, gast.Name):
            read = self._name(gast.Name(target.id, gast.Load(), None, None, **span(target)))
            value = self.call("augmented", [operator, read, self.visit(node.value)], at)
            self.store(self.names.bit(target.id))
            out.append(nodes.assign(target.id, value, at))
        elif isinstance(target, gast.Attribute):
            owner = self.visit(target.value)
            if not isinstance(target.value, gast.Name):
                owner = self._settled(owner, at, out)
            attribute = nodes.constant(self.mangle(target.attr), at)
            read = self.call("getattr_", [owner, attribute], at)
            value = self.call("augmented", [operator, read, self.visit(node.value)], at)
            out.append(self._setattr(owner, target.attr, value, at))
        else:
            self._augmented_item(target, operator, node.value, at, out)

    def _augmented_item(self, target: Any, operator: ast.expr, value: Any, at: Span, out: list[ast.stmt]) -> None:
        """`base[index] += value`."""
        base = target.value
        if isinstance(base, gast.Name) and _is_simple(target.slice) and not self.scope.walrus:
            into, index = self.visit(base), self.index(target.slice)
            plain = is_plain_index(target.slice)
            read = (
                ast.Subscript(into, self.visit(target.slice), LOAD, **at)
                if plain
                else self.call("getitem", [into, index], at)
            )
            changed: ast.expr = self.call("augmented", [operator, read, self.visit(value)], at)
        else:
            # every part is evaluated once, from left to right
            if isinstance(base, gast.Attribute):
                owner = self._settled(self.visit(base.value), at, out)
                into = self.call("getattr_", [owner, nodes.constant(self.mangle(base.attr), at)], at)
            else:
                into = self.visit(base)
            into = self._settled(into, at, out)
            index = self._settled(self.index(target.slice), at, out)
            read = self.call("getitem", [into, index], at)
            changed = self.call("augmented", [operator, read, self.visit(value)], at)
        out.append(self._setitem(changed, into, index, at))

    def annotated_assignment(self, node: Any, out: list[ast.stmt]) -> None:
        """`target: annotation = value`; the annotation has no effect inside a function."""
        if self.in_class and isinstance(node.target, gast.Name):
            value = self.visit(node.value) if node.value is not None else None
            self.store(self.names.bit(node.target.id))
            target = ast.Name(node.target.id, STORE, **span(node.target))
            out.append(ast.AnnAssign(target, gast.gast_to_ast(node.annotation), value, node.simple, **span(node)))
        elif node.value is not None:
            self.assign([node.target], self.visit(node.value), span(node), out)
        else:
            parts = (
                [] if isinstance(node.target, gast.Name) else [node.target.value, getattr(node.target, "slice", None)]
            )
            for part in parts:
                if part is not None and not isinstance(part, gast.Slice):
                    out.append(ast.Expr(self.visit(part), **span(node)))
            if not parts:
                out.append(ast.Pass(**span(node)))

    def deletion(self, node: Any, out: list[ast.stmt]) -> None:
        """`del targets`, one after another."""
        for target in node.targets:
            at = span(target)
            if isinstance(target, gast.Attribute):
                attribute = nodes.constant(self.mangle(target.attr), at)
                out.append(ast.Expr(self.call("delattr_", [self.visit(target.value), attribute], at), **at))
            elif isinstance(target, gast.Subscript):
                arguments = [self.visit(target.value), self.index(target.slice)]
                out.append(ast.Expr(self.call("delitem", arguments, at), **at))
            elif isinstance(target, (gast.Tuple, gast.List)):
                self.deletion(gast.Delete(target.elts, **at), out)
            else:
                read = self._name(gast.Name(target.id, gast.Load(), None, None, **at))
                if isinstance(read, ast.Call):
                    # an unbound name is told as Python tells it
                    out.append(ast.Expr(read, **at))
                out.append(ast.Delete([self.visit(target)], **at))

    def _settled(self, value: ast.expr, at: Span, out: list[ast.stmt]) -> ast.expr:
        """An expression that can be used twice: the value itself or a new name for it."""
        if isinstance(value, ast.Constant):
            return value
        taken = self.conversion.fresh("value")
        out.append(nodes.assign(taken, value, at))
        return nodes.name(taken, at)


def _is_names(target: Any) -> bool:
    """Whether a target binds nothing but names."""
    if isinstance(target, (gast.Tuple, gast.List)):
        return all(_is_names(element) for element in target.elts)
    if isinstance(target, gast.Starred):
        return _is_names(target.value)
    return isinstance(target, gast.Name)


def _is_simple(node: Any) -> bool:
    """Whether it makes no difference to evaluate an index twice."""
    if isinstance(node, gast.Slice):
        return all(part is None or _is_simple(part) for part in (node.lower, node.upper, node.step))
    if isinstance(node, gast.Tuple):
        return all(_is_simple(element) for element in node.elts)
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.operand, gast.Constant)
    return isinstance(node, (gast.Name, gast.Constant))
