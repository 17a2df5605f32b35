"""`mycel.rewrite`: networks are edited by the statements of their `construct` (`mindspore.rewrite`)."""

from .nodes import Node, NodeType
from .patterns import PatternEngine, PatternNode, Replacement, VarNode
from .symbol_tree import SymbolTree
from .values import ScopedValue, ValueType

__all__ = [
    "Node", "NodeType", "PatternEngine", "PatternNode", "Replacement", "ScopedValue", "SymbolTree", "ValueType",
    "VarNode",
]  # fmt: skip
