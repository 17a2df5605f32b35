"""SymbolTree: the `construct` of a network as a list of nodes that can be edited, and the network made of it."""

from __future__ import annotations

import ast
import builtins
import copy
import itertools
import linecache
import os
import sys
import types
from collections.abc import Iterator
from typing import Any

from ...frontend.source.functions import source_of
from ...frontend.values.cell import Cell
from ...runtime.records import dataclass
from .conditions import known_condition
from .flatten import flattened
from .nodes import Node, NodeType, nodes_of
from .values import as_scoped

__all__ = ["Position", "SymbolTree", "take_state"]

_NUMBERS = itertools.count(1)
_OWN_STATE = "_compiled"  # what a Cell does not share with its copy


@dataclass(frozen=True)
class Position:
    """Where `insert` puts a node: before the statement of this number."""

    tree: SymbolTree
    index: int


def take_state(cell: Cell, obj: Cell) -> None:
    """Let a Cell have the attributes, Parameters and Cells of another one."""
    Cell.__init__(cell)
    for key, value in obj.__dict__.items():
        if key != _OWN_STATE:
            cell.__dict__[key] = copy.copy(value) if isinstance(value, dict) else value


class SymbolTree:
    """The statements of a network's `construct` as nodes: made by `SymbolTree.create`.

    Args:
        network: the network, whose source has to be known.

    Raises:
        TypeError: if it is no Cell.

    Examples:
        >>> from mycel import nn
        >>> from mycel.rewrite import SymbolTree
        >>> tree = SymbolTree.create(nn.GELU())
        >>> print([node.get_name() for node in tree.nodes()])
        ['input_x', 'gelu', 'return']
    """

    def __init__(self, network: Cell | SymbolTree) -> None:
        if isinstance(network, SymbolTree):  # the same tree: in MindSpore trees are handles of others
            self.__dict__ = network.__dict__
            return
        if not isinstance(network, Cell):
            raise TypeError(
                f"For 'SymbolTree', the type of 'network' should be 'Cell', but got type '{type(network).__name__}'."
            )
        self._network = network
        function = type(network).construct
        source = source_of(function)
        self._definition: Any = copy.deepcopy(source.node)
        plain: Any = getattr(function, "__wrapped__", function)
        self._globals = {**plain.__globals__}
        for name, cell in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True):
            self._globals[name] = cell.cell_contents
        self._added: dict[str, Any] = {}  # functions that inserted nodes call
        self._cells: list[str] = []  # attributes that inserted nodes call
        self._nodes: list[Node] = []
        self._file = self._class_name = ""
        names = {item.id for item in ast.walk(self._definition) if isinstance(item, ast.Name)}
        self._variables = names | {item.arg for item in ast.walk(self._definition.args) if isinstance(item, ast.arg)}
        self._node_names: set[str] = set()
        for argument in self._arguments():
            self._append(Node(f"input_{argument.arg}", NodeType.Input))
        body: Any = self._definition.body
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]  # the docstring
        for statement in flattened(body, self.unique_name):
            for node in nodes_of(statement, network, self._globals):
                self._append(node)

    @classmethod
    def create(cls, network: Cell) -> SymbolTree:
        """The tree of a network. TypeError if it is no Cell."""
        return cls(network)

    def nodes(self, all_nodes: bool = False) -> Iterator[Node]:
        """The nodes, in their order; with `all_nodes` also those of networks of the user's that are called."""
        if not isinstance(all_nodes, bool):
            raise TypeError(f"'all_nodes' should be bool, but got {type(all_nodes).__name__}")
        yield from list(self._nodes)
        for node in list(self._nodes) if all_nodes else ():
            if node.get_node_type() is NodeType.Tree:
                yield from node.get_sub_tree().nodes(True)

    all_nodes = nodes

    def get_node(self, node_name: str) -> Node | None:
        """The node of this name; None if there is none."""
        return next((node for node in self._nodes if node.get_name() == node_name), None)

    def get_inputs(self) -> list[Node]:
        """The nodes of the parameters of `construct`."""
        return [node for node in self._nodes if node.get_node_type() is NodeType.Input]

    def before(self, node: Node | str) -> Position:
        """The place before a node. RuntimeError if it is not in this tree."""
        return Position(self, self._nodes.index(self._find(node)))

    def after(self, node: Node | str) -> Position:
        """The place after a node. RuntimeError if it is not in this tree."""
        return Position(self, self._nodes.index(self._find(node)) + 1)

    def insert(self, position: Position, node: Node) -> Node:
        """Put a node, which `create_call_cell` or `create_call_function` made, into a place; gives the node.

        A Cell becomes an attribute of the network.

        Raises:
            TypeError: if position or node is of another type.
            RuntimeError: if the place is in another tree, or the node is in a tree already.
        """
        if not isinstance(position, Position):
            kind = type(position).__name__
            raise TypeError(f"For 'SymbolTree', the type of 'position' should be 'Position', but got type '{kind}'.")
        if not isinstance(node, Node):
            kind = type(node).__name__
            raise TypeError(f"For 'SymbolTree', the type of 'node' should be 'Node', but got type '{kind}'.")
        if position.tree is not self or node.tree is not None:
            raise RuntimeError("the position is in another SymbolTree, or the node is in one already")
        call = node.call
        if call is not None and isinstance(call.func, ast.Name):
            if isinstance(node.instance, Cell):
                name = _numbered(call.func.id, lambda name: hasattr(self._network, name))
                setattr(self._network, name, node.instance)
                self._cells.append(name)
                call.func = ast.Attribute(ast.Name("self", ast.Load()), name, ast.Load())
            else:
                taken, function = {**vars(builtins), **self._globals, **self._added}, node.instance
                name = _numbered(
                    call.func.id,
                    lambda name: (
                        name in self._variables
                        or (
                            taken.get(name, function) is not function
                            and not (hasattr(builtins, name) and name not in self._globals)
                        )
                    ),
                )
                self._added[name] = function
                call.func = ast.Name(name, ast.Load())
        self._variables.update(str(target) for target in node.get_targets())
        self._append(node, position.index)
        return node

    def erase(self, node: Node | str) -> Node:
        """Take a node out; gives it. RuntimeError if it is not in this tree."""
        found = self._find(node)
        at = self._nodes.index(found)
        if isinstance(found.statement, ast.If) and found.statement.orelse:
            del self._nodes[at + 1]
        self._nodes.remove(found)
        self._node_names.discard(found.get_name())
        found.tree = None
        return found

    def replace(self, old_node: Node, new_nodes: list[Node]) -> Node:
        """Put nodes in place of one; gives the last. RuntimeError if the old one is not in this tree."""
        position = self.before(old_node)
        if not new_nodes or not all(isinstance(node, Node) for node in new_nodes):
            raise TypeError("'new_nodes' should be a list of nodes")
        for offset, node in enumerate(new_nodes):
            self.insert(Position(self, position.index + offset), node)
        self.erase(old_node)
        return new_nodes[-1]

    def flatten_static_if_control_flow(self) -> None:
        """Put the side that runs in place of each `if` whose condition only reads numbers, globals, and attributes of
        the network that `construct` does not set; also in networks of the user's that are called."""
        for node in self.nodes(True):
            if node.tree is not None:
                node.tree._choose(node)

    def _choose(self, node: Node) -> None:
        """Put the side of an `if` that runs in its place, if that is known."""
        statement = node.statement
        if not isinstance(statement, ast.If):
            return
        before = [other.statement for other in self._nodes[: self._nodes.index(node)] if other.statement is not None]
        holds = known_condition(statement.test, before, self._definition, self._globals, self._network)
        if holds is None:
            return
        at = self._nodes.index(node)
        self.erase(node)
        side = statement.body if holds else statement.orelse
        nodes = [new for chosen in side for new in nodes_of(chosen, self._network, self._globals)]
        for offset, new in enumerate(nodes):
            self._append(new, at + offset)
        for new in nodes:
            self._choose(new)

    def set_output(self, index: int, return_value: str) -> Node:
        """Let the result of that number be another variable; gives the node of the return.

        Raises:
            RuntimeError: if nothing is returned.
            ValueError: if the index is out of range.
        """
        found = [node for node in self._nodes if node.get_node_type() is NodeType.Output]
        if not found:
            raise RuntimeError("Current node_graph has no output")
        found[-1].set_arg(index, as_scoped(return_value, "return_value"))
        return found[-1]

    def print_node_tabulate(self, all_nodes: bool = False) -> None:
        """Print a table of the nodes: type, name, program, and which nodes they read and are read by."""
        rows: list[tuple[str, ...]] = [("node type", "name", "codes", "arg providers", "target users")]
        for node in self.nodes(all_nodes):
            text = "" if node.statement is None else _text(node.statement).splitlines()[0]
            kind = str(node.get_node_type())
            nodes = [str([other.get_name() for other in found]) for found in (node.get_inputs(), node.get_users())]
            rows.append((kind, node.get_name(), text, *nodes))
        widths = [max(len(row[column]) for row in rows) for column in range(5)]
        rows.insert(1, tuple("-" * width for width in widths))
        for row in rows:
            print("  ".join(item.ljust(width) for item, width in zip(row, widths, strict=True)).rstrip())

    dump = print_node_tabulate

    def unique_name(self, name: str = "output") -> str:
        """A name that no variable has: this one, or with a number."""
        name = _numbered(name, lambda name: name in self._variables)
        self._variables.add(name)
        return name

    def get_code(self) -> str:
        """The program of the network as it is now: classes, whose constructors take the network that was given."""
        lines = ["import sys", f"from {_ROOT} import nn", f"from {__name__} import take_state"]
        for tree in self._named_trees():
            lines += ["", *tree._imports(), "", ast.unparse(tree._class())]
        return "\n".join(lines) + "\n"

    def get_network(self) -> Cell:
        """The network as it is now: it shares Parameters and Cells with the one that was given."""
        made: dict[str, Any] = {"take_state": take_state}
        for tree in self._named_trees():
            names = {**tree._globals, **tree._added, **made, type(tree._network).__name__: type(tree._network)}
            names["__name__"] = type(tree._network).__module__
            text = ast.unparse(tree._class())
            file = f"<rewritten {tree._class_name} {next(_NUMBERS)}>"
            linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
            exec(compile(text, file, "exec"), names)
            made[tree._class_name] = names[tree._class_name]
        return made[self._class_name](self._network)

    def set_saved_file_name(self, file_name: str) -> None:
        """Where `save_network_to_file` writes the program."""
        self._file = file_name if file_name.endswith(".py") else f"{file_name}.py"

    def get_saved_file_name(self) -> str:
        """Where `save_network_to_file` writes the program."""
        return self._file

    def save_network_to_file(self) -> None:
        """Write the program to the file that was named."""
        with open(self._file, "w", encoding="utf-8") as file:
            file.write(self.get_code())

    def get_origin_network(self) -> Cell:
        """The network that was given."""
        return self._network

    def providers(self, node: Node) -> list[Node]:
        """The nodes whose targets a node reads: for each operand the last one before it."""
        found: list[Node] = []
        before = self._nodes[: self._nodes.index(node)][::-1]
        for value in [*node.get_args(), *node.get_kwargs().values()]:
            source = next((other for other in before if value in other.get_targets()), None)
            if source is not None and source not in found:
                found.append(source)
        return found

    def _trees(self) -> list[SymbolTree]:
        """The trees of the networks that are called and were asked for, and this one."""
        found = [node.sub_tree for node in self._nodes if node.sub_tree is not None]
        return [*(tree for sub_tree in found for tree in sub_tree._trees()), self]

    def _named_trees(self) -> list[SymbolTree]:
        """The same, whose classes get names: networks of one class may have been edited in several ways."""
        trees, taken = self._trees(), set[str]()
        for tree in (self, *trees[:-1]):
            tree._class_name = _numbered(f"{type(tree._network).__name__}Opt", taken.__contains__)
            taken.add(tree._class_name)
        return trees

    def _arguments(self) -> list[ast.arg]:
        arguments = self._definition.args
        several = [item for item in (arguments.vararg, arguments.kwarg) if item is not None]
        return [*[*arguments.posonlyargs, *arguments.args][1:], *arguments.kwonlyargs, *several]

    def _append(self, node: Node, index: int | None = None) -> None:
        node._name = _numbered(node._name, lambda name: name in self._node_names)
        self._node_names.add(node._name)
        node.tree = self
        self._nodes.insert(len(self._nodes) if index is None else index, node)

    def _find(self, node: Node | str) -> Node:
        found = self.get_node(node) if isinstance(node, str) else node
        if found not in self._nodes or found is None:
            raise RuntimeError("Node is not belong to current SymbolTree: ", node)
        return found

    def _class(self) -> ast.ClassDef:
        """The definition of the network's class as it is now."""
        base = type(self._network).__name__
        subs = [node for node in self._nodes if node.sub_tree is not None]
        text = f"class {self._class_name}({base}):\n    def __init__(self, obj):\n        take_state(self, obj)\n"
        for node in subs:
            assert node.call is not None
            owner = ast.unparse(node.call.func)
            text += f"        {owner} = {node.sub_tree._class_name}({owner})\n"
        made = ast.parse(text).body[0]
        assert isinstance(made, ast.ClassDef)
        construct = copy.deepcopy(self._definition)
        construct.decorator_list = []
        construct.body = [copy.deepcopy(node.statement) for node in self._nodes if node.statement is not None]
        construct.body = construct.body or [ast.Pass()]
        for item in ast.walk(construct):  # super() of the class that was given
            if isinstance(item, ast.Call) and getattr(item.func, "id", "") == "super" and not item.args:
                item.args = [ast.Name(base, ast.Load()), ast.Name("self", ast.Load())]
        made.body.append(construct)
        return ast.fix_missing_locations(made)

    def _imports(self) -> list[str]:
        """Import statements for what the class names."""
        module = sys.modules.get(type(self._network).__module__)
        folder = os.path.dirname(os.path.abspath(getattr(module, "__file__", None) or "."))
        home = type(self._network).__module__
        lines = [f"sys.path.insert(0, {folder!r})"] if home.split(".")[0] != _ROOT else []
        lines.append(f"from {home} import {type(self._network).__name__}")
        for name in sorted({item.id for item in ast.walk(self._class()) if isinstance(item, ast.Name)}):
            value: Any = {**self._globals, **self._added}.get(name)
            if name in self._added:
                lines.append(f"from {_home_of(value)} import {value.__name__} as {name}")
            elif isinstance(value, types.ModuleType):
                lines.append(f"import {value.__name__} as {name}")
            elif name in self._globals and value is not type(self._network) and not name.startswith("__"):
                lines.append(f"from {home} import {name}")
        return lines


_ROOT = __name__.split(".")[0]


def _numbered(name: str, is_taken: Any) -> str:
    """The name, with a number if it is taken."""
    names = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(1)))
    return next(item for item in names if not is_taken(item))


def _text(statement: ast.stmt) -> str:
    """The program of a statement."""
    return ast.unparse(ast.fix_missing_locations(statement))


def _home_of(function: Any) -> str:
    """A module from which a function can be imported."""
    for home in (f"{_ROOT}.ops", f"{_ROOT}.mint"):
        if getattr(sys.modules.get(home), function.__name__, None) is function:
            return home
    return str(function.__module__)
