"""Nodes of a SymbolTree: statements of `construct`, and calls to insert among them."""

from __future__ import annotations

import ast
import types
from collections.abc import Sequence
from enum import Enum
from typing import Any

from ...frontend.values.cell import Cell
from ..containers import CellDict, CellList, SequentialCell
from ..ops.primitives.primitive import Primitive
from .flatten import label
from .values import ScopedValue, as_scoped, expression_of, value_of

__all__ = ["Node", "NodeType"]

_PACKAGE = __name__.split(".")[0]


class NodeType(Enum):
    """What a node is."""

    Unknown = 0
    CallCell = 1
    CallPrimitive = 2
    CallModule = 3
    CallFunction = 4
    CallMethod = 5
    Python = 6
    Input = 7
    Output = 8
    Tree = 9
    CellContainer = 10
    MathOps = 11
    ControlFlow = 12


def is_own(cell: Cell) -> bool:
    """Whether a Cell is a layer of the library."""
    return type(cell).__module__.split(".")[0] in (_PACKAGE, "mindspore")


class Node:
    """A statement of a network's `construct`; made by `SymbolTree.create`, `create_call_cell` or
    `create_call_function`.

    Examples:
        >>> from mycel import nn
        >>> from mycel.rewrite import Node
        >>> Node.create_call_cell(nn.ReLU(), ["y"], name="relu").get_name()
        'relu'
    """

    def __init__(self, name: str, kind: NodeType, statement: ast.stmt | None = None, instance: Any = None) -> None:
        self._name, self._type, self.statement, self.instance = name, kind, statement, instance
        self.tree: Any = None  # the SymbolTree that it is in
        self.sub_tree: Any = None  # that of the Cell that it calls
        self._attributes: dict[str, Any] = {}

    @staticmethod
    def create_call_cell(
        cell: Cell, targets: Sequence[ScopedValue | str], args: Sequence[ScopedValue] | None = None,
        kwargs: dict[str, ScopedValue] | None = None, name: str = "", is_sub_net: bool = False,
    ) -> Node:  # fmt: skip
        """A call of a Cell, to be inserted: `insert` makes the Cell an attribute of the network.

        Args:
            cell: the Cell.
            targets: the variables that get its results.
            args, kwargs: its inputs.
            name: of the attribute; empty: the Cell's class.
            is_sub_net: whether `get_sub_tree` gives a tree of the Cell.

        Raises:
            TypeError: if `cell` is no Cell, or a target or input is neither a ScopedValue nor a name.
        """
        if not isinstance(cell, Cell):
            raise TypeError(f"For 'Node', the type of 'cell' should be 'Cell', but got type '{type(cell).__name__}'.")
        kind = NodeType.Tree if is_sub_net and not is_own(cell) else _kind_of(cell)
        return _call(name or type(cell).__name__, kind, cell, targets, args, kwargs)

    @staticmethod
    def create_call_function(
        function: Any, targets: Sequence[ScopedValue | str], args: Sequence[ScopedValue] | None = None,
        kwargs: dict[str, ScopedValue] | None = None,
    ) -> Node:  # fmt: skip
        """A call of a function, to be inserted; arguments and errors as for `create_call_cell`."""
        if isinstance(function, type) or not callable(function) or isinstance(function, Cell):
            kind = type(function).__name__
            raise TypeError(f"For 'Node', the type of 'function' should be 'FunctionType', but got type '{kind}'.")
        name = getattr(function, "__name__", type(function).__name__)
        return _call(
            name if name.isidentifier() else "function", NodeType.CallFunction, function, targets, args, kwargs
        )

    @property
    def call(self) -> ast.Call | None:
        """The call that the node is."""
        value = getattr(self.statement, "value", None)
        return value if isinstance(value, ast.Call) else None

    def get_name(self) -> str:
        """The name, which no other node of the tree has."""
        return self._name

    def get_node_type(self) -> NodeType:
        """What the node is."""
        return self._type

    def get_instance_type(self) -> type:
        """The class of the Cell or primitive that is called; of other nodes the function, or NoneType."""
        if self._type is NodeType.CallFunction and self.instance is not None:
            return self.instance
        return type(self.instance)

    def get_targets(self) -> list[ScopedValue]:
        """The variables that the node sets."""
        if self._type is NodeType.Input:
            return [ScopedValue.create_naming_value(self._name.removeprefix("input_"))]
        if not isinstance(self.statement, ast.Assign):
            return []
        target = self.statement.targets[0]
        return [value_of(item) for item in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])]

    def get_args(self) -> list[ScopedValue]:
        """The operands, in their order."""
        return [value_of(getattr(owner, field) if at is None else getattr(owner, field)[at])
                for owner, field, at in self._places()]  # fmt: skip

    def get_kwargs(self) -> dict[str, ScopedValue]:
        """The arguments that are given by name."""
        call = self.call
        return {} if call is None else {item.arg: value_of(item.value) for item in call.keywords if item.arg}

    def set_arg(self, index: int, arg: ScopedValue | str) -> None:
        """Put another operand in place of one. TypeError, ValueError for an index that is no int or out of range."""
        if not isinstance(index, int):
            raise TypeError(f"For 'Node', the type of 'index' should be 'int', but got type '{type(index).__name__}'.")
        places = self._places()
        if not 0 <= index < len(places):
            raise ValueError(f"The 'index' must be in range of [0, {len(places)}), but got {index} with type 'int'.")
        owner, field, at = places[index]
        new = expression_of(as_scoped(arg, "arg"))
        if at is None:
            setattr(owner, field, new)
        else:
            getattr(owner, field)[at] = new

    def set_arg_by_node(self, arg_idx: int, src_node: Node, out_idx: int | None = None) -> None:
        """Let an operand be what another node gives: its only target, or that of `out_idx`.

        Raises:
            RuntimeError: if the other node has several targets and `out_idx` is None, or none.
            ValueError: if an index is out of range.
        """
        targets = src_node.get_targets()
        if out_idx is None and len(targets) != 1:
            raise RuntimeError("node should has one output when out_idx is not provided")
        if not 0 <= (out_idx or 0) < len(targets):
            raise ValueError(f"The 'out_idx' must be in range of [0, {len(targets)}), but got {out_idx}.")
        self.set_arg(arg_idx, targets[out_idx or 0])

    def get_inputs(self) -> list[Node]:
        """The nodes whose targets are read."""
        return [] if self.tree is None else self.tree.providers(self)

    def get_users(self) -> list[Node]:
        """The nodes that read the targets."""
        return [] if self.tree is None else [node for node in self.tree.nodes() if self in node.get_inputs()]

    def get_symbol_tree(self) -> Any:
        """The tree that the node is in."""
        return self.tree

    get_belong_symbol_tree = get_symbol_tree

    def get_handler(self) -> Node:
        """The node itself: in MindSpore nodes are handles of others."""
        return self

    def get_instance(self) -> Any:
        """The Cell, primitive or function that the node calls; None for other nodes."""
        return self.instance

    def set_attribute(self, key: str, value: Any) -> None:
        """Keep something under a name of the caller's. TypeError if that is no str."""
        if not isinstance(key, str):
            raise TypeError(f"For 'Node attribute', the type of 'key' should be str, but got {type(key).__name__}")
        self._attributes[key] = value

    def get_attribute(self, key: str) -> Any:
        """What is kept under a name; None if nothing is."""
        return self._attributes.get(key)

    def get_attributes(self) -> dict[str, Any]:
        """What is kept, by its names."""
        return self._attributes

    def get_sub_tree(self) -> Any:
        """The tree of a Cell of the user's that the node calls. TypeError for other nodes."""
        if self._type is not NodeType.Tree:
            raise TypeError(f"For get_sub_tree, the type of node should be 'NodeType.Tree', but got {self._type}")
        if self.sub_tree is None:
            self.sub_tree = type(self.tree).create(self.instance)
        return self.sub_tree

    def _places(self) -> list[tuple[Any, str, int | None]]:
        """Where the operands stand: an object of the syntax tree, its field, and the place in it if that is a list."""
        statement = self.statement
        if isinstance(statement, ast.If):
            return [(statement, "test", None)]
        if isinstance(statement, ast.For):
            return [(statement, "iter", None)]
        value: Any = getattr(statement, "value", None)
        if value is None or not isinstance(statement, (ast.Assign, ast.Return)):
            return []
        for kind, fields in _OPERANDS.items():
            if isinstance(value, kind):
                found: list[tuple[Any, str, int | None]] = []
                for field in fields:
                    part = getattr(value, field)
                    found += (
                        [(value, field, at) for at in range(len(part))]
                        if isinstance(part, list)
                        else [(value, field, None)]
                    )
                return found
        return [(statement, "value", None)]


_OPERANDS: dict[type, tuple[str, ...]] = {
    ast.Call: ("args",), ast.BinOp: ("left", "right"), ast.UnaryOp: ("operand",), ast.BoolOp: ("values",),
    ast.Compare: ("left", "comparators"), ast.Tuple: ("elts",), ast.List: ("elts",), ast.Subscript: ("value",),
}  # fmt: skip


_subtree_black_list: list[type] = [CellList, SequentialCell]
"""Classes of Cells that get no tree of their own. Libraries append to it."""


def _kind_of(instance: Any) -> NodeType:
    """What a call of an attribute of the network is."""
    if isinstance(instance, (SequentialCell, CellList, CellDict)):
        return NodeType.CellContainer
    if isinstance(instance, Cell):
        whole = is_own(instance) or isinstance(instance, tuple(_subtree_black_list))
        return NodeType.CallCell if whole else NodeType.Tree
    return NodeType.CallPrimitive if isinstance(instance, Primitive) else NodeType.CallFunction


def _call(
    name: str, kind: NodeType, instance: Any, targets: Sequence[Any], args: Sequence[Any] | None, kwargs: Any
) -> Node:
    """A node that calls something under a name that `insert` settles."""
    if isinstance(targets, str) or not isinstance(targets, (list, tuple)):
        raise TypeError(f"'targets' should be a list of ScopedValue or str, but got {type(targets).__name__}")
    names = [expression_of(as_scoped(target, "targets")) for target in targets]
    call = ast.Call(
        ast.Name(name, ast.Load()),
        [expression_of(as_scoped(item, "args")) for item in args or ()],
        [ast.keyword(key, expression_of(as_scoped(item, "kwargs"))) for key, item in (kwargs or {}).items()],
    )
    target: ast.expr = names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())
    statement: ast.stmt = ast.Assign([target], call) if names else ast.Expr(call)
    return Node(name, kind, statement, instance)


def nodes_of(statement: ast.stmt, network: Cell, names: dict[str, Any]) -> list[Node]:
    """The nodes of a statement: two for an `if` with `else`, one for others. `names` are the globals."""
    if isinstance(statement, ast.If):
        found = [Node("if_node", NodeType.ControlFlow, statement)]
        return [*found, Node("else_node", NodeType.ControlFlow)] if statement.orelse else found
    if isinstance(statement, (ast.For, ast.While)):
        return [Node(f"{label_of(statement)}_node", NodeType.ControlFlow, statement)]
    if isinstance(statement, ast.Return):
        return [Node("return", NodeType.Output, statement)]
    value = statement.value if isinstance(statement, ast.Assign) else None
    if value is None:
        return [Node(type(statement).__name__, NodeType.Python, statement)]
    if isinstance(value, ast.Call):
        return [_called(statement, value, network, names)]
    for kind, prefix in ((ast.BinOp, "binop_"), (ast.UnaryOp, "unaryop_"), (ast.BoolOp, "boolop_")):
        if isinstance(value, kind):
            return [Node(prefix + label(value), NodeType.MathOps, statement)]
    if isinstance(value, ast.Compare):
        return [Node(f"compare_{type(value.ops[0]).__name__.lower()}", NodeType.MathOps, statement)]
    name = _ASSIGNED.get(type(value), label(value))
    return [Node(name, NodeType.CallMethod if type(value) in _ASSIGNED else NodeType.Python, statement)]


_ASSIGNED = {
    ast.Name: "name_assign", ast.Attribute: "attribute_assign", ast.Subscript: "subscript_var", ast.Tuple: "tuple",
    ast.List: "list",
}  # fmt: skip


def label_of(statement: ast.stmt) -> str:
    """`for` or `while`."""
    return type(statement).__name__.lower()


def _called(statement: ast.stmt, call: ast.Call, network: Cell, names: dict[str, Any]) -> Node:
    """The node of a call."""
    function, name = call.func, label(call)
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        owner = network if function.value.id == "self" else names.get(function.value.id)
        instance = getattr(owner, function.attr, None)
        if owner is network and not isinstance(instance, types.MethodType):
            return Node(name, _kind_of(instance), statement, instance)
        return Node(name, NodeType.CallFunction, statement, instance)
    instance = names.get(function.id) if isinstance(function, ast.Name) else None
    return Node(name, NodeType.CallFunction, statement, instance)
