"""Names of values: a value has one name in every stage, from the trace to the program.

A name comes from the user's variable, argument or Parameter, and is made unique once, where the value is recorded. A
value without a name of the user's is named by its op and a number (`matmul_2`). A gradient is named `d_` and the name
of its value. If a pass replaces a value, the new value takes over the name. A value that a pass adds is named by the
value that it serves and by its op (`loss_exp`). Lines are no part of names: a program on disk stays valid if only lines
have moved.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, filterfalse
from operator import attrgetter

from .graph import Graph, Node, walk
from .spelling import name_like
from .values import Operand, Value

RESERVED = frozenset(keyword.kwlist) | {
    "arena", "bind", "complex", "constants", "float", "int", "kernels", "more", "np", "range", "start", "stop", "zip"
}  # fmt: skip
"""Names that emitted programs use themselves."""

LONGEST = 60  # characters of a name that is derived from another

_name_of = attrgetter("name")


class ValueNames:
    """The names in use in one trace or one compilation."""

    def __init__(self) -> None:
        self._owners: dict[str, Value | None] = dict.fromkeys(RESERVED)
        self._counts: dict[str, int] = {}
        self._automatic: set[str] = set()
        self._filled: set[Node] = set()  # nodes whose values have names

    @staticmethod
    def of(*graphs: Graph) -> ValueNames:
        """The names in graphs."""
        names = ValueNames()
        owners = names._owners
        for graph in graphs:
            owners.update([(value.name, value) for value in graph.parameters])
            values = [*chain(*[node.outputs for node in graph.all_nodes])]
            owners.update(zip(map(_name_of, values), values, strict=True))
            if "" not in owners:
                names._filled.update(graph.all_nodes)
        return names

    def give(self, value: Value, hint: str) -> None:
        """Name a value by a hint: the hint itself, or with a number behind it."""
        if not (hint.isascii() and hint.isidentifier()) or hint[0] == "_" or hint[-1] == "_":
            hint = plain_name(hint)
        value.name = name = self._numbered(hint) if hint in self._owners or not hint else hint
        self._owners[name] = value

    def number(self, value: Value, op: str) -> None:
        """Name a value by its op and a number."""
        value.name = name = self._numbered(op)
        self._owners[name] = value
        self._automatic.add(name)

    def _numbered(self, hint: str) -> str:
        hint = hint or "v"
        count, owners = self._counts.get(hint, 0), self._owners
        while True:
            count += 1
            name = f"{hint}_{count}"
            if name not in owners:
                self._counts[hint] = count
                return name

    def take_over(self, value: Value, old: Value, op: str) -> None:
        """Give a value the name of another one, which is from then on named by its op."""
        value.name = old.name
        self._owners[old.name] = value
        self.number(old, op)

    def improve(self, operand: Operand, hint: str) -> None:
        """Give a better name to a value that is so far named by its op."""
        if isinstance(operand, Value) and operand.name in self._automatic and self._owners[operand.name] is operand:
            self._automatic.discard(operand.name)
            del self._owners[operand.name]
            self.give(operand, hint)

    def marks(self) -> dict[str, int]:
        """How far numbering has come, for `release`."""
        return dict(self._counts)

    def release(self, values: Iterable[Value], marks: dict[str, int]) -> None:
        """Free the names of values that are thrown away; numbering goes on from `marks`."""
        self._counts = dict(marks)
        for value in values:
            if self._owners.get(value.name) is value:
                del self._owners[value.name]
                self._automatic.discard(value.name)

    def adopt(self, graph: Graph) -> None:
        """The values of this graph, which takes the place of another one, keep the names that they have."""
        for node in walk(graph):
            for value in node.outputs:
                if value.name:
                    self._owners[value.name] = value

    def copied(self, value: Value, source: Value) -> None:
        """Name a copy of a value: as the original, unless another copy has that name."""
        name = source.name
        owner = self._owners.get(name)
        if name and (owner is source or (owner is None and name not in self._owners)):
            value.name = name
            self._owners[name] = value
        else:
            self.give(value, name)

    def fill(self, graph: Graph) -> None:
        """Name values without a name, each by the next named value of the same line.

        Nodes that were in a graph before have their names.
        """
        if self._filled.issuperset(graph.nodes):
            return
        fresh = list(filterfalse(self._filled.__contains__, graph.nodes))
        self._filled.update(fresh)
        for node in [node for node in fresh if node.op.holds_graphs]:
            for inner in node.subgraphs:
                self.fill(inner)
        if "" in map(_name_of, chain(*[node.outputs for node in fresh])):
            self._fill(graph.nodes)

    def _fill(self, nodes: tuple[Node, ...]) -> None:
        base, place, owners = "", None, self._owners
        for node in reversed(nodes):
            outputs = node.outputs
            if outputs and (name := outputs[0].name) and len(outputs) == 1:
                base, place = name, node.location
                continue
            own = next((value.name for value in outputs if value.name), "") if len(outputs) > 1 else ""
            if own:
                base, place = own, node.location
            for value in outputs:
                if value.name:
                    continue
                derived = f"{base}_{node.op.name}"
                if base and node.location is place and len(derived) <= LONGEST:
                    value.name = derived = self._numbered(derived) if derived in owners else derived
                    owners[derived] = value
                else:
                    self.number(value, node.op.name)


@lru_cache(maxsize=4096)
def plain_name(text: str) -> str:
    """A text as an identifier; it may be empty."""
    name = name_like(text)
    return f"v{name}" if name and name[0].isdigit() else name


def take_name(operand: Operand, value: Value) -> None:
    """Let a value that replaces another one take its name."""
    if isinstance(operand, Value) and not operand.name:
        operand.name = value.name
