"""Unparsing: converted code as readable text."""

from __future__ import annotations

import ast
import io
from typing import Any

import astunparse.unparser

# these are printed inside parentheses, which an argument or a right-hand side does not need
_PARENTHESISED = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.UnaryOp)


def text_of(tree: ast.AST) -> str:
    """The source text of a tree."""
    out = io.StringIO()
    _SourcePrinter(tree, out)
    return out.getvalue().strip("\n") + "\n"


class _SourcePrinter(astunparse.unparser.Unparser):  # type: ignore[misc]
    """astunparse with fewer parentheses, and with the statements that it does not support."""

    f: io.StringIO

    def dispatch(self, tree: Any) -> None:
        """Print a node, or a list of nodes."""
        if isinstance(tree, list) or hasattr(self, "_" + tree.__class__.__name__):
            super().dispatch(tree)
        elif isinstance(tree, ast.stmt):
            for line in ast.unparse(tree).splitlines():
                self.fill(line)
        else:
            self.write(ast.unparse(tree))

    def bare(self, tree: Any) -> None:
        """Print an expression without parentheses."""
        if not isinstance(tree, _PARENTHESISED):
            self.dispatch(tree)
            return
        out = self.f
        self.f = inner = io.StringIO()
        self.dispatch(tree)
        self.f = out
        self.write(inner.getvalue()[1:-1])

    def _Return(self, node: Any) -> None:
        self.fill("return")
        if node.value is not None:
            self.write(" ")
            self.bare(node.value)

    def _Assign(self, node: Any) -> None:
        self.fill()
        for target in node.targets:
            self.dispatch(target)
            self.write(" = ")
        self.bare(node.value)

    def _Attribute(self, node: Any) -> None:
        self.dispatch(node.value)
        number = isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)
        self.write(f" .{node.attr}" if number else f".{node.attr}")  # `3.real` is a syntax error

    def _Call(self, node: Any) -> None:
        self.dispatch(node.func)
        self.write("(")
        for position, part in enumerate([*node.args, *node.keywords]):
            self.write(", " if position else "")
            self.bare(part)
        self.write(")")

    def _keyword(self, node: Any) -> None:
        self.write("**" if node.arg is None else f"{node.arg}=")
        self.bare(node.value)

    def _Lambda(self, node: Any) -> None:
        arguments = ast.unparse(node.args)
        self.write(f"(lambda {arguments}: " if arguments else "(lambda: ")
        self.bare(node.body)
        self.write(")")

    def _UnaryOp(self, node: Any) -> None:
        self.write("(")
        self.write(self.unop[node.op.__class__.__name__])
        self.write(" " if isinstance(node.op, ast.Not) else "")
        self.dispatch(node.operand)
        self.write(")")

    def _Subscript(self, node: Any) -> None:
        self.dispatch(node.value)
        self.write("[")
        several = node.slice.elts if isinstance(node.slice, ast.Tuple) else []  # `x[(1:2, 0)]` is a syntax error
        for position, part in enumerate(several or [node.slice]):
            self.write(", " if position else "")
            self.bare(part)
        self.write(",]" if several and len(several) == 1 else "]")

    def _JoinedStr(self, node: Any) -> None:
        self.write(ast.unparse(node))
