"""Trees of gast, whose nodes are the same in all versions of Python.

gast's own translator asks each node for its fields and attributes one by one. Here a node's dictionary is copied, which
has all of them. Nodes that gast translates in a way of their own are left to it.
"""

from __future__ import annotations

import ast
from typing import Any

import gast
from gast.ast3 import Ast3ToGAst

__all__ = ["to_gast"]


def to_gast(tree: ast.AST) -> Any:
    """A new tree of gast for a tree that Python has parsed. Operators and contexts are shared."""
    return _Translator().visit(tree)


class _Translator(Ast3ToGAst):  # type: ignore[misc]
    def visit(self, node: Any) -> Any:
        kind = node.__class__
        way = _WAYS.get(kind)
        if way is None:
            way = _WAYS[kind] = _way(kind)
        if way.__class__ is not tuple:
            return way(self, node) if callable(way) else way
        fields = node.__dict__.copy()
        for name in way[1]:
            value = fields.get(name)
            if value.__class__ is list:
                fields[name] = [self._visit(item) for item in value]
            elif isinstance(value, ast.AST):
                fields[name] = self.visit(value)
        return _node(way[0], fields)

    def visit_Name(self, node: ast.Name) -> Any:
        fields = node.__dict__ | {"ctx": self.visit(node.ctx), "annotation": None, "type_comment": None}
        return _node(gast.Name, fields)


def _node(kind: Any, fields: dict[str, Any]) -> Any:
    """A node of gast, without its slow `__init__`."""
    made = kind.__new__(kind)
    made.__dict__ = fields
    return made


def _way(kind: type[ast.AST]) -> Any:
    """How gast translates nodes of a class: by a method, to a class with these fields, or to one node for all."""
    own = getattr(_Translator, f"visit_{kind.__name__}", None)
    if own is not None:
        return own
    target: Any = getattr(gast, kind.__name__)
    return (target, kind._fields) if kind._fields or kind._attributes else target()


_WAYS: dict[type, Any] = {}
