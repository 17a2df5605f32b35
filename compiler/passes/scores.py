"""Selective recomputation: the backward pass computes scores of attention again, in place of reading stored ones.

    %s: f32[8, 512, 512] = matmul(%q, %k)       %s: f32[8, 512, 512] = matmul(%q, %k)
    … a softmax of %s, which is %p              …
    %y: f32[8, 512, 64] = matmul(%p, %v)        %y: f32[8, 512, 64] = matmul(%p, %v)
    … what reads %y …                           …
    %t: f32[8, 512, 64] = matmul(%p, %d_y)      %q_1: f32[8, 64, 512] = barrier(%q, %d_y)
                                                %s_1: f32[8, 512, 512] = matmul(%q_1, %k)
                                                … a softmax of %s_1, which is %p_1
                                                %t: f32[8, 512, 64] = matmul(%p_1, %d_y)

Both uses of the product can then run some matrices at a time (`batch_tiles`). A step takes 2 to 4 % longer, and up to a
third less memory, so this is for large networks. The same nodes run on the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.values import Operand, Value

LEAST = 1 << 21  # bytes of scores that are not kept
ENOUGH = 1 << 26  # bytes of all of them, from which on they count
MOST_TERMS = 128  # of a score
SMALL = 4  # times that what only the scores read must be smaller than these, to be kept for them


def recompute_scores(graph: Graph) -> Graph:
    """Compute large products of batches, and what follows element by element or row by row, again for late readers."""
    if ops.matmul not in graph.ops or not any(type.is_static and type.nbytes >= LEAST for type in graph.value_types):
        return graph
    seeds = [node for node in graph.nodes if node.op is ops.matmul and _is_seed(node)]
    if sum(node.output.type.nbytes for node in seeds) < ENOUGH:
        return graph
    chosen = [found for found in (_Scores(graph, seed) for seed in seeds) if found.late and found.lasts()]
    if sum(found.size for found in chosen) < ENOUGH:
        return graph
    before: dict[Node, list[Node]] = {}  # what is computed again before a node
    mapping: dict[Node, dict[Operand, Operand]] = {}  # for a late reader
    for found in chosen:
        copies, again = found.copies()
        before.setdefault(found.late[0], []).extend(again)
        for node in found.late:
            mapping.setdefault(node, {}).update(copies)
    nodes: list[Node] = []
    for node in graph.nodes:
        nodes += before.get(node, ())
        copied = mapping.get(node, {})
        nodes.append(node.with_inputs(copied.get(x, x) for x in node.inputs) if copied else node)
    return graph.with_nodes(tuple(nodes))


def _is_seed(node: Node) -> bool:
    out, (a, b) = node.output.type, [x.type for x in node.inputs]
    if not (out.is_static and a.is_static and b.is_static) or min(a.rank, b.rank) < 3:
        return False
    return a.shape[-1] <= MOST_TERMS and LEAST <= out.nbytes >= a.nbytes + b.nbytes  # type: ignore[operator]


class _Scores:
    """A product, what follows from it element by element or row by row, and who reads that.

    Attributes:
        chain: the product and these nodes, in order.
        late: the nodes that read the chain and, in another way, what was computed from it.
        after: of the latter, what the first of them reads.
    """

    def __init__(self, graph: Graph, seed: Node) -> None:
        self.graph, self.seed, self.size = graph, seed, seed.output.type.nbytes
        self.chain = {seed: None}
        self.late: list[Node] = []
        self.made: set[Operand] = {seed.output}
        behind: set[Operand] = set()
        for node in graph.nodes[graph.order[seed] + 1 :]:
            reads = not self.made.isdisjoint(node.inputs)
            if not behind.isdisjoint(node.inputs):
                behind.update(node.outputs)
                if reads:
                    self.late.append(node)
            elif reads and node.op.kind in ("elementwise", "reduction", "view"):
                self.chain[node] = None
                self.made.update(node.outputs)
            elif reads:
                behind.update(node.outputs)
        needed = {operand for node in self.late for operand in node.inputs}
        self.after = next((x for node in self.late[:1] for x in node.inputs if x in behind), None)
        for node in reversed(list(self.chain)):
            if needed.isdisjoint(node.outputs):
                del self.chain[node]
            else:
                needed.update(node.inputs)

    def _outside(self) -> Iterator[Operand]:
        """What the chain reads of other nodes, or what that is a view of."""
        producers = self.graph.producers
        for operand in [x for node in self.chain for x in node.inputs]:
            while operand in producers and operand not in self.made and producers[operand].op.kind == "view":
                operand = producers[operand].inputs[0]
            if operand in producers and operand not in self.made:
                yield operand

    def lasts(self) -> bool:
        """Whether what the chain reads lives until the late readers anyway, or is small; and its values do not."""
        order = self.graph.order
        first = order[self.late[0]]
        if self.seed not in self.chain or order[next(reversed(self.chain))] > first:
            return False
        if any(None in self.graph.readers.get(x, ()) for x in self.made):
            return False
        return all(SMALL * x.type.nbytes <= self.size or self._last_read(x) >= first for x in self._outside())

    def _last_read(self, value: Operand) -> int:
        """The position of the last node that reads a value, or a view of it; behind all for a result."""
        last = 0
        for reader in self.graph.readers.get(value, ()):
            if reader is None:
                return len(self.graph.nodes)
            seen = reader.op.kind == "view" and reader not in self.chain
            last = max(last, self._last_read(reader.output) if seen else self.graph.order[reader])
        return last

    def copies(self) -> tuple[dict[Operand, Operand], list[Node]]:
        """The values of the chain with their copies, and the nodes that compute these."""
        first, seed = self.seed.inputs[0], self.seed
        assert self.after is not None
        barrier = make_node(ops.barrier, (first, self.after), {}, seed.location)
        nodes: list[Node] = [barrier]
        copies: dict[Operand, Operand] = {first: barrier.output}
        for node in self.chain:
            outputs = tuple(Value(x.type, x.name) for x in node.outputs)
            nodes.append(replace(node, inputs=tuple(copies.get(x, x) for x in node.inputs), outputs=outputs))
            copies.update(zip(node.outputs, outputs, strict=True))
        del copies[first]
        return copies, nodes
