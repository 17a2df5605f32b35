"""Tree patterns: calls of Cells that are found in a SymbolTree by their classes, and replaced."""

from __future__ import annotations

import abc
from typing import Any

from ...frontend.values.cell import Cell
from ..ops.primitives.primitive import Primitive
from .nodes import Node, NodeType
from .symbol_tree import SymbolTree

__all__ = ["PatternEngine", "PatternNode", "Replacement", "VarNode"]


def _need(value: Any, kind: type, name: str) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"The type of '{name}' should be '{kind.__name__}', but got '{type(value).__name__}'.")
    return value


class PatternNode:
    """A node of a pattern: a call of a class, whose inputs are patterns as well.

    Args:
        pattern_node_name: the name under which a replacement finds the node.
        match_type: the class.
        inputs: the patterns of the inputs; none: any inputs.

    Raises:
        TypeError: if an argument has the wrong type.

    Examples:
        >>> from mycel import nn
        >>> from mycel.rewrite import PatternNode
        >>> PatternNode.create_pattern_from_list([nn.Dense, nn.ReLU]).get_inputs()[0].type().__name__
        'Dense'
    """

    def __init__(
        self, pattern_node_name: str, match_type: Any = type[None], inputs: list[PatternNode] | None = None
    ) -> None:
        self._name, self._type = _need(pattern_node_name, str, "pattern_node_name"), match_type
        self.set_inputs([] if inputs is None else inputs)

    @staticmethod
    def from_node(node: Node) -> PatternNode:
        """The pattern of a node, without its inputs."""
        found = PatternNode(str(_need(node, Node, "node").get_targets()[0]))
        if node.get_node_type() is NodeType.CallCell:
            found._type = node.get_instance_type()
        return found

    @staticmethod
    def create_pattern_from_node(node: Node) -> PatternNode:
        """The pattern of a node and all before it."""
        found = PatternNode.from_node(node)
        found._inputs = [PatternNode.create_pattern_from_node(item) for item in node.get_inputs()]
        return found

    @staticmethod
    def create_pattern_from_list(type_list: list[type]) -> PatternNode:
        """The pattern of classes that are called one after the other."""
        last: list[PatternNode] = []
        for number, kind in enumerate(_need(type_list, list, "type_list")):
            last = [PatternNode(f"{number}-{kind}", kind, last)]
        return last[0] if last else None  # type: ignore[return-value]

    def add_input(self, node: PatternNode) -> None:
        """Add an input."""
        self._inputs.append(_need(node, PatternNode, "node"))

    def set_inputs(self, inputs: list[PatternNode]) -> None:
        """Set the inputs."""
        self._inputs = [_need(item, PatternNode, "inputs") for item in inputs]

    def match(self, node: Node) -> bool:
        """Whether a node calls the class."""
        return bool(self._type == _need(node, Node, "node").get_instance_type())

    def get_inputs(self) -> list[PatternNode]:
        """The inputs."""
        return self._inputs

    def name(self) -> str:
        """The name."""
        return str(self._name)

    def type(self) -> Any:
        """The class."""
        return self._type


class VarNode(PatternNode):
    """A pattern that any node matches.

    Examples:
        >>> from mycel.rewrite import VarNode
        >>> VarNode().name()
        'placeholder'
    """

    def __init__(self) -> None:
        super().__init__("placeholder", Cell, [])

    def match(self, node: Node) -> bool:
        """Whether there is a node."""
        return node is not None


class Replacement(abc.ABC):
    """Base of what makes nodes for those that a pattern found: a subclass defines `build`.

    Examples:
        >>> from mycel.rewrite import Replacement
        >>> class Nothing(Replacement):
        ...     def build(self, pattern, is_chain_pattern, matched):
        ...         return []
        >>> Nothing()(None, True, {})
        []
    """

    @abc.abstractmethod
    def build(self, pattern: PatternNode, is_chain_pattern: bool, matched: dict[str, Node]) -> list[Node]:
        """The new nodes. `matched` has the nodes that were found by the names of the pattern."""
        raise NotImplementedError

    def __call__(self, pattern: PatternNode, is_chain_pattern: bool, matched: dict[str, Node]) -> list[Node]:
        return self.build(pattern, is_chain_pattern, matched)


class PatternEngine:
    """Replaces in a SymbolTree what a pattern finds.

    Args:
        pattern: a PatternNode, or a list of classes that are called one after the other.
        replacement: what makes the new nodes.

    Raises:
        TypeError: if an argument has the wrong type.

    Examples:
        >>> from mycel import nn
        >>> from mycel.rewrite import Node, PatternEngine, Replacement, SymbolTree
        >>> class Smooth(Replacement):
        ...     def build(self, pattern, is_chain_pattern, matched):
        ...         node = matched[pattern.name()]
        ...         return [Node.create_call_cell(nn.Tanh(), node.get_targets(), node.get_args())]
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.act = nn.ReLU()
        ...     def construct(self, x):
        ...         x = self.act(x)
        ...         return x
        >>> tree = SymbolTree.create(Net())
        >>> PatternEngine([nn.ReLU], Smooth()).apply(tree)
        True
    """

    def __init__(self, pattern: PatternNode | list[type], replacement: Replacement) -> None:
        self._replacement = _need(replacement, Replacement, "replacement")
        self._is_chain = isinstance(pattern, list)
        for kind in pattern if isinstance(pattern, list) else ():
            if not issubclass(kind, (Cell, Primitive)):
                raise TypeError(f"The type of 'pattern' should be one of [Cell, Primitive], but got '{kind}'.")
        self._pattern: PatternNode = (
            PatternNode.create_pattern_from_list(pattern)
            if isinstance(pattern, list)
            else _need(pattern, PatternNode, "pattern")
        )

    def pattern(self) -> PatternNode:
        """The pattern."""
        return self._pattern

    def apply(self, stree: SymbolTree) -> bool:
        """Replace all that is found; gives whether there was anything.

        Raises:
            TypeError: if it is no SymbolTree.
        """
        changed, queue = False, _need(stree, SymbolTree, "stree").get_inputs()
        visited: list[Node] = []
        while queue:
            node = queue.pop(0)
            if node is None or any(node is other for other in visited):
                continue
            visited.append(node)
            matched = None
            if node.get_node_type() is NodeType.Tree:
                self.apply(node.get_sub_tree())
            else:
                matched = self._match(self._pattern, node)
            users = node.get_users()
            new = self._replacement(self._pattern, self._is_chain, matched) if self._alone(matched) else []
            if new:
                changed = True
                queue.append(stree.replace(node, new))
                for other in reversed(list((matched or {}).values())):
                    if other is not node:
                        stree.erase(other)
            else:
                queue.extend(users)
        return changed

    def _match(self, pattern: PatternNode, node: Node) -> dict[str, Node] | None:
        """The nodes that match a pattern with its inputs, by its names."""
        kinds = NodeType.CallCell, NodeType.CallPrimitive, NodeType.Input
        if node.get_node_type() not in kinds or not pattern.match(node):
            return None
        if isinstance(pattern, VarNode):
            return {}
        wanted, found = pattern.get_inputs(), node.get_inputs()
        result: dict[str, Node] = {}
        if wanted and len(wanted) != len(found):
            return None
        for part, item in zip(wanted, found, strict=False):
            matched = self._match(part, item)
            if matched is None:
                return None
            result.update(matched)
        return {**result, pattern.name(): node}

    def _alone(self, matched: dict[str, Node] | None) -> bool:
        """Whether no other node reads what is replaced, but for the last result."""
        if matched is None:
            return False
        inner = [node for name, node in matched.items() if name != self._pattern.name()]
        return all(user in matched.values() for node in inner for user in node.get_users())
