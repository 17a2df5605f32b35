"""Term rewriting: a walk that replaces every node by an equal, cheaper value while any rule applies.

A rule is a function `(rewriter, node) -> operand | node | None`; it returns an equal, cheaper value, or a node that
computes the same value from others. An op's own rules (`Op.rewrites`) see only the node. A rule may say which ops an
input must come from, so most nodes have none to try.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from ...runtime.records import cached_property
from ..ir.graph import Graph, Node, copy_nodes, make_node, uses
from ..ir.naming import take_name
from ..ir.op import Kind, Op
from ..ir.subgraphs import map_subgraphs
from ..ir.values import IRError, Literal, Location, Operand, Value

Rule = Callable[["Rewriter", Node], "Operand | Node | None"]
Source = Op | type[Literal] | None
"""What an input comes from: a node of an op, a literal, or from outside of the graph."""


_READS: dict[Rule, frozenset[Source]] = {}
_READS_FIRST: dict[Rule, frozenset[Source]] = {}
_READS_ONLY: dict[Rule, frozenset[Source]] = {}


def reads(*sources: Source) -> Callable[[Rule], Rule]:
    """Try a rule only on nodes of which an input comes from one of these."""

    def note(rule: Rule) -> Rule:
        _READS[rule] = frozenset(sources)
        return rule

    return note


def reads_first(*sources: Source) -> Callable[[Rule], Rule]:
    """Try a rule only on nodes whose first input comes from one of these."""

    def note(rule: Rule) -> Rule:
        _READS_FIRST[rule] = frozenset(sources)
        return rule

    return note


def reads_only(*sources: Source) -> Callable[[Rule], Rule]:
    """Try a rule only on nodes of which all inputs come from these."""

    def note(rule: Rule) -> Rule:
        _READS_ONLY[rule] = frozenset(sources)
        return rule

    return note


class Rules:
    """Rules by the nodes on which they are tried; those of one op in the order in which they are written."""

    def __init__(self) -> None:
        self.by_op: dict[Op, list[Rule]] = {}
        self.by_kind: dict[Kind, list[Rule]] = {}
        self.beginnings: list[tuple[Op, frozenset[Source]]] = []

    def for_op(self, *tried: Op, begins: bool = False) -> Callable[[Rule], Rule]:
        """Try a rule on every node of these ops, before the rules for its kind. `begins`: `begin` counts it."""

        def note(rule: Rule) -> Rule:
            for op in tried:
                self.by_op.setdefault(op, []).append(rule)
                self.beginnings += [(op, _READS.get(rule, frozenset()))] if begins else []
            return rule

        return note

    def for_kind(self, kind: Kind) -> Callable[[Rule], Rule]:
        """Try a rule on every node of a kind."""

        def note(rule: Rule) -> Rule:
            self.by_kind.setdefault(kind, []).append(rule)
            return rule

        return note

    def begin(self, given: frozenset[Op]) -> bool:
        """Whether a rule that begins may apply to a graph of these ops."""
        return any(op in given and (not read or not read.isdisjoint(given)) for op, read in self.beginnings)

    def written(self, op: Op) -> tuple[Rule, ...]:
        """The rules for nodes of an op, whatever their inputs come from."""
        return *self.by_op.get(op, ()), *self.by_kind.get(op.kind, ())

    def of(self, op: Op, sources: Sequence[Source]) -> tuple[Rule, ...]:
        """The rules to try on a node of an op whose inputs come from `sources`."""
        return tried_on(self.written(op), sources)


def tried_on(rules: Iterable[Rule], sources: Sequence[Source]) -> tuple[Rule, ...]:
    """Those of the rules for an op that are tried on a node whose inputs come from `sources`."""
    found = [rule for rule in rules if rule not in _READS or not _READS[rule].isdisjoint(sources)]
    found = [rule for rule in found if rule not in _READS_FIRST or not _READS_FIRST[rule].isdisjoint(sources[:1])]
    return tuple([rule for rule in found if rule not in _READS_ONLY or _READS_ONLY[rule].issuperset(sources)])


class _Sources(dict[Any, "Source"]):
    """What values come from, and literals: tables of rules are asked by it for each node."""

    def __missing__(self, operand: Operand) -> Source:
        found: Source = Literal if operand.__class__ is Literal else None
        self[operand] = found
        return found


class Rewriter:
    """The graph as rewritten so far. Rules read it, and add nodes to it.

    Args:
        graph: the graph to rewrite; `visit` is called with its nodes in order.
        rules: the rules to try on a node, beside the op's own.
        rewrite: the same rewriting, for graphs inside a node.
    """

    def __init__(
        self, graph: Graph, rules: Callable[[Node], Sequence[Rule]], rewrite: Callable[[Graph], Graph]
    ) -> None:
        self.graph = graph
        self.rules = rules
        self.rewrite = rewrite
        self.nodes: list[Node] = []
        self.producers: dict[Operand, Node] = {}
        self.source = _Sources()
        self.mapping: dict[Operand, Operand] = {}
        self.dead: set[Operand] = set()  # values whose readers have all been replaced
        self.made: dict[Hashable, Any] = {}  # what rules made, for others
        self.location: Location | None = None

    @cached_property
    def counts(self) -> dict[Operand, int]:
        """How many read each value; counted when the first rule is tried."""
        return uses(self.graph)

    def run(self, tried: Callable[[Op], Any] | None = None) -> Graph:
        """The graph with all nodes visited.

        `tried`: whether there are rules for nodes of an op. Most others stay as they are, and are not looked at: those
        that read what they read before, if their own rules have been tried by an earlier walk.
        """
        graph, mapping = self.graph, self.mapping
        quiet = set() if tried is None else {op for op in graph.ops if not (op.holds_graphs or tried(op))}
        unchanged = mapping.keys().isdisjoint
        for node in graph.nodes:
            op = node.op
            if op in quiet and unchanged(node.inputs) and (not op.rewrites or node.is_settled):
                self.keep(node)
            else:
                self.visit(node)
        return graph.with_nodes(tuple(self.nodes), tuple([mapping.get(value, value) for value in graph.outputs]))

    def current(self, operand: Operand) -> Operand:
        """The replacement of an operand of the original graph."""
        return self.mapping.get(operand, operand)

    def producer(self, operand: Operand, op: Op | None = None) -> Node | None:
        """The node that computes an operand, if there is one (and it is of this op)."""
        if type(operand) is not Value:
            return None
        node = self.producers.get(operand)
        return node if op is None or (node is not None and node.op is op) else None

    def sources(self, node: Node) -> tuple[Source, ...]:
        """What the inputs of a node come from."""
        return tuple(map(self.source.__getitem__, node.inputs))

    def used_once(self, operand: Operand) -> bool:
        """Whether only the current node reads the value."""
        return isinstance(operand, Value) and self.counts.get(operand, 0) == 0

    def make(self, op: Op, inputs: Iterable[Operand], **attrs: Any) -> Operand:
        """The output of a new node, which is simplified, too."""
        node = make_node(op, inputs, attrs, self.location)
        self.use(node.inputs)
        self.visit(node)
        value = node.outputs[0]
        return self.mapping.get(value, value)

    def use(self, operands: Sequence[Operand]) -> None:
        """Count a reader of values. If one had none any more, count its inputs, too."""
        counts, dead = self.counts, self.dead
        while operands:
            again: list[Operand] = []
            for value in operands:
                if value.__class__ is Value:
                    counts[value] = counts.get(value, 0) + 1
                    if value in dead:
                        dead.discard(value)
                        again += self.producers[value].inputs
            operands = again

    def visit(self, node: Node) -> None:
        """Replace a node by an equal, cheaper value, or keep it."""
        self.location = node.location
        mapping = self.mapping
        if mapping and not mapping.keys().isdisjoint(node.inputs):
            node = node.with_inputs(map(mapping.get, node.inputs, node.inputs))
        if node.op.holds_graphs:
            node = map_subgraphs(node, self.rewrite)
            if node.op.kind == "branch" and self.choose(node):
                return
        rules = self.rules(node) if len(node.outputs) == 1 else ()
        if rules or (node.op.rewrites and not node.is_settled and len(node.outputs) == 1):
            found = self.reduced(node, rules)
            while found.__class__ is Node:
                node, found = found, self.reduced(found, self.rules(found))
            if found is not None:
                self.replace(node, found)  # type: ignore[arg-type]
                return
        self.keep(node)

    def keep(self, node: Node) -> None:
        """Add a node as it is."""
        self.nodes.append(node)
        for value in node.outputs:
            self.producers[value] = node
            self.source[value] = node.op

    def reduced(self, node: Node, rules: Sequence[Rule]) -> Operand | Node | None:
        """The result of the first of the op's own and these rules that applies to a node, if one does. The node is no
        reader any more then."""
        found: Operand | Node | None = None
        for rewrite in () if node.is_settled else node.op.rewrites:
            found = rewrite(node)
            if found is not None:
                rules = ()
                break
        else:
            node.is_settled = True
            if not rules:
                return None
        counts = self.counts
        for read in node.inputs:  # while the rules look at it, the node does not count as a reader
            if read.__class__ is Value:
                counts[read] -= 1
        for rule in rules:
            found = rule(self, node)
            if found is not None:
                break
        if found is None:
            for read in node.inputs:
                if read.__class__ is Value:
                    counts[read] += 1
        elif isinstance(found, Node):
            self.use(found.inputs)
            self.release(node)
        return found

    def replace(self, node: Node, operand: Operand) -> None:
        """Replace the output of a node, which does not count as a reader, by `operand`."""
        value, operand = node.output, self.current(operand)
        if operand.type != value.type:
            raise IRError(f"simplify: a rule for {node!r} gave {operand!r}")
        self.mapping[value] = operand
        take_name(operand, value)
        if isinstance(operand, Value):
            readers = self.counts.get(value, 0)
            if readers:
                self.use((operand,))
            self.counts[operand] = self.counts.get(operand, 0) + max(readers - 1, 0)
        self.release(node)

    def release(self, node: Node) -> None:
        """Nodes that nothing reads any more, because this one does not, stop counting as readers."""
        counts, made, dead = self.counts, self.producers, self.dead
        pending = [*node.inputs]
        for read in pending:
            if read not in made or counts.get(read) or read in dead:
                continue
            dead.add(read)
            for below in made[read].inputs:
                if below.__class__ is Value:
                    counts[below] -= 1
                    pending.append(below)

    def choose(self, node: Node) -> bool:
        """Replace a cond with a known condition by the nodes of the branch that it chooses."""
        if not isinstance(node.inputs[0], Literal):
            return False
        branch: Graph = node.attrs["then" if node.inputs[0].value else "orelse"]
        if branch.types != tuple(value.type for value in node.outputs):
            return False
        nodes, outputs = copy_nodes(branch, node.inputs[1:])
        self.counts.update((value, 0) for inner in nodes for value in inner.outputs)
        for inner in nodes:
            self.use(inner.inputs)
        for inner in nodes:
            self.visit(inner)
        for value, operand in zip(node.outputs, outputs, strict=True):
            operand = self.mapping[value] = self.current(operand)
            if isinstance(operand, Value):
                self.counts[operand] = self.counts.get(operand, 0) + self.counts.get(value, 0)
        return True
