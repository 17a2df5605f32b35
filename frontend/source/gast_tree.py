"""Trees of gast, whose nodes are the same in all versions of Python.

gast's own translator asks each node for its fields and attributes one by one. Here a node's dictionary is copied, which
has all of them. Nodes that gast translates in a way of their own are left to it.
"""

from __future__ import annotations

import ast
from typing import Any, ClassVar

import gast
from gast.ast3 import Ast3ToGAst, GAstToAst3


class KeptAssign(gast.AST):  # type: ignore[misc]
    """An assignment that conversion may leave as Python has parsed it: of numbers, names and operators to names.

    So straight lines of arithmetic take little time, however many they are.
    """

    _fields = ()
    _attributes = ("lineno", "col_offset", "end_lineno", "end_col_offset")
    origin: ast.Assign
    writes: list[str]
    reads: list[str]  # in the order of evaluation


def to_gast(tree: ast.AST, keeps: bool = False) -> Any:
    """A new tree of gast for a tree that Python has parsed. Operators and contexts are shared; where it `keeps`
    assignments, these are shared, too."""
    return (_Keeping if keeps else _Translator)().visit(tree)


def from_gast(tree: Any) -> Any:
    """A tree of Python's for a tree of gast."""
    return _Back().visit(tree)


class _Back(GAstToAst3):  # type: ignore[misc]
    def visit_KeptAssign(self, node: KeptAssign) -> ast.Assign:
        return node.origin


class _Translator(Ast3ToGAst):  # type: ignore[misc]
    ways: ClassVar[dict[type, Any]] = {}

    def visit(self, node: Any) -> Any:
        kind = node.__class__
        way = self.ways.get(kind)
        if way is None:
            way = self.ways[kind] = _way(self.__class__, kind)
        if way.__class__ is not tuple:
            return way(self, node) if callable(way) else way
        return self.copied(node, *way)

    def copied(self, node: Any, kind: Any, parts: tuple[str, ...]) -> Any:
        """A node of another class with the same fields, of which these are translated."""
        fields = node.__dict__.copy()
        for name in parts:
            value = fields.get(name)
            if value.__class__ is list:
                made: list[Any] = []
                for item in value:
                    made.append(item if type(item) in _ATOMS else self.visit(item))
                fields[name] = made
            elif type(value) not in _ATOMS and isinstance(value, ast.AST):
                fields[name] = self.visit(value)
        return _node(kind, fields)

    def visit_Name(self, node: ast.Name) -> Any:
        fields = {**node.__dict__, "ctx": _CONTEXTS[node.ctx.__class__], "annotation": None, "type_comment": None}
        return _node(gast.Name, fields)

    def visit_Constant(self, node: ast.Constant) -> Any:
        return _node(gast.Constant, node.__dict__.copy())


class _Keeping(_Translator):
    ways: ClassVar[dict[type, Any]] = {}

    def visit_Assign(self, node: ast.Assign) -> Any:
        reads: list[str] = []
        writes = [target.id for target in node.targets if target.__class__ is ast.Name]
        if len(writes) < len(node.targets) or not _is_plain(node.value, reads):
            return self.copied(node, gast.Assign, node._fields)
        fields = node.__dict__
        return _node(
            KeptAssign,
            {
                "lineno": fields["lineno"],
                "col_offset": fields["col_offset"],
                "end_lineno": fields["end_lineno"],
                "end_col_offset": fields["end_col_offset"],
                "origin": node,
                "writes": writes,
                "reads": reads,
            },
        )


def _is_plain(node: Any, reads: list[str]) -> bool:
    """Whether conversion leaves an expression as it is if the names in it are bound; they are added to `reads`."""
    kind = node.__class__
    if kind is ast.Name:
        reads.append(node.id)
        return True
    if kind is ast.BinOp:  # % may be a format
        return node.op.__class__ is not ast.Mod and _is_plain(node.left, reads) and _is_plain(node.right, reads)
    if kind is ast.UnaryOp:
        return node.op.__class__ is not ast.Not and _is_plain(node.operand, reads)
    return kind is ast.Constant


def _node(kind: Any, fields: dict[str, Any]) -> Any:
    """A node of gast, without its slow `__init__`."""
    made = kind.__new__(kind)
    made.__dict__ = fields
    return made


def _way(translator: type[_Translator], kind: type[ast.AST]) -> Any:
    """How gast translates nodes of a class: by a method, to a class with these fields, or to one node for all."""
    own = getattr(translator, f"visit_{kind.__name__}", None)
    if own is not None:
        return own
    target: Any = getattr(gast, kind.__name__)
    return (target, kind._fields) if kind._fields or kind._attributes else target()


_ATOMS = frozenset((str, int, type(None)))  # in fields of nodes
_CONTEXTS = {ast.Load: gast.Load(), ast.Store: gast.Store(), ast.Del: gast.Del()}
