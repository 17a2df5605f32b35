"""Gradient bucketing: sums over processes share messages, which start as soon as their inputs are computed.

    %g = matmul(%a, %b)                                         %g = matmul(%a, %b)
    %h = matmul(%c, %d)                                         %h = matmul(%c, %d)
    %p = all_reduce(%g, by='sum', bucket=1000000, …)            %v = concatenate(reshape(%g), reshape(%h))
    %q = all_reduce(%h, by='sum', bucket=1000000, …)            %s = all_reduce_start(%v, by='sum', number=0, …)
                                                                %t = all_reduce_wait(%s, number=0, …)
                                                                %p = reshape(slice(%t, …))
                                                                %q = reshape(slice(%t, …))

Gradients are computed one after another while the backward runs. Each joins the open bucket of its group and dtype when
it is computed, so the buckets and their order depend on the program alone: they are the same on all processes and in
every run. A bucket starts when it has as many bytes as its nodes say, or when something reads one of its sums. Large
gradients are buckets of their own, without a copy. 16-bit floats are added in 32 bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from ...runtime.records import dataclass
from .. import ops
from ..ir.graph import Graph, Node, make_node, walk
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Operand, Value


@dataclass
class _Bucket:
    """Sums that one message carries.

    Attributes:
        members: the `all_reduce` nodes, in the order in which their inputs are there.
        nbytes: of all of them.
        begun: the output of `all_reduce_start`, once the node is added.
    """

    members: list[Node] = field(default_factory=list)
    nbytes: int = 0
    begun: Value | None = None
    number: int = 0
    ended: bool = False


def pack_reductions(graph: Graph) -> Graph:
    """Put the sums over processes of each graph into buckets."""
    alone = all(op.kind != "collective" for op in graph.ops)  # then nobody asks for `all_reduce`, which loads its file
    if alone or ops.all_reduce not in graph.ops or not any(map(_may_share, walk(graph))):
        return graph
    return _packed(graph, [0])


def _packed(graph: Graph, count: list[int]) -> Graph:
    """The graph with buckets, numbered from `count` on."""
    nodes = [map_subgraphs(node, lambda inner: _packed(inner, count)) for node in graph.nodes]
    return _Packer(graph, nodes, count).run()


def _may_share(node: Node) -> bool:
    """Whether a node is a sum over processes that may start early and share a message."""
    return bool(node.op is ops.all_reduce and node.attrs.get("bucket")) and node.output.type.is_static


class _Packer:
    """Walks through one graph."""

    def __init__(self, graph: Graph, nodes: list[Node], count: list[int]) -> None:
        self.graph = graph
        self.nodes = nodes
        self.count = count
        self.new: list[Node] = []
        self.open: dict[tuple[Any, ...], _Bucket] = {}
        self.bucket_of: dict[Operand, _Bucket] = {}  # by the sums
        self.sums: dict[Operand, Operand] = {}
        self.wanted: dict[Operand, list[Node]] = {}  # sums, by their operands
        self.position = {node: number for number, node in enumerate(nodes)}
        for node in nodes:
            if _may_share(node):
                self.wanted.setdefault(node.inputs[0], []).append(node)

    def run(self) -> Graph:
        """The graph with buckets."""
        for node in self.nodes:
            if _may_share(node):
                self.end(node.inputs[0])  # if that is a sum itself
                if node.output not in self.bucket_of:
                    self.collect_given()
                if node.output not in self.bucket_of:
                    self.collect(node)
                continue
            for operand in node.inputs:
                self.end(operand)
            self.new.append(node.with_inputs(self.sums.get(operand, operand) for operand in node.inputs))
            for value in node.outputs:
                for reduction in self.wanted.get(value, ()):
                    self.collect(reduction)
        for bucket in list(self.open.values()):
            self.begin(bucket)
        for operand in [*self.bucket_of]:
            self.end(operand)
        outputs = tuple(self.sums.get(operand, operand) for operand in self.graph.outputs)
        return self.graph.with_nodes(tuple(self.new), outputs)

    def collect_given(self) -> None:
        """Put sums of values that no node of the graph computes, such as a branch's parameters, into buckets."""
        made = {value for node in self.nodes for value in node.outputs}
        for operand, reductions in self.wanted.items():
            if operand not in made:
                for node in reductions:
                    if node.output not in self.bucket_of:
                        self.collect(node)

    def collect(self, node: Node) -> None:
        """Put a sum into the open bucket for it. A full bucket starts."""
        dtype = ops.reduced_dtype(node.output.type.dtype)
        nbytes = node.output.type.size * dtype.np.itemsize
        limit = node.attrs["bucket"]
        key = (node.attrs["group"], node.attrs["size"], node.attrs["by"], dtype, limit)
        bucket = _Bucket() if nbytes >= limit else self.open.setdefault(key, _Bucket())
        bucket.members.append(node)
        bucket.nbytes += nbytes
        self.bucket_of[node.output] = bucket
        if bucket.nbytes >= limit:
            self.begin(bucket)

    def add(self, op: Any, *inputs: Operand, like: Node, name: str = "", **attrs: Any) -> Value:
        """The output of a new node, with the line of another."""
        self.new.append(make_node(op, inputs, attrs, like.location, name))
        return self.new[-1].output

    def begin(self, bucket: _Bucket) -> None:
        """Add the nodes that start a bucket."""
        self.open = {key: other for key, other in self.open.items() if other is not bucket}
        bucket.members.sort(key=self.position.__getitem__)  # as their readers come, which may read them as one
        first = bucket.members[0]
        bucket.number, self.count[0] = self.count[0], self.count[0] + 1
        parts = [self.part(node, len(bucket.members) > 1) for node in bucket.members]
        name = f"bucket_{bucket.number}"
        whole = parts[0]
        if len(parts) > 1:
            whole = self.add(ops.concatenate, *parts, like=first, name=name, axis=0)
        attrs = {**_group(first), "by": first.attrs["by"], "number": bucket.number}
        bucket.begun = self.add(ops.all_reduce_start, whole, like=first, name=f"{name}_sum", **attrs)

    def part(self, node: Node, flat: bool) -> Operand:
        """The operand of a sum, in the form that its bucket holds."""
        operand = node.inputs[0]
        operand = self.sums.get(operand, operand)
        dtype = ops.reduced_dtype(operand.type.dtype)
        if dtype is not operand.type.dtype:
            operand = self.add(ops.cast, operand, like=node, dtype=dtype)
        if flat and operand.type.rank != 1:
            operand = self.add(ops.reshape, operand, like=node, shape=(operand.type.size,))
        return operand

    def end(self, operand: Operand) -> None:
        """Add the nodes that wait for a sum's bucket, and that compute the sums in it, before the first reader."""
        bucket = self.bucket_of.get(operand)
        if bucket is None or bucket.ended:
            return
        if bucket.begun is None:
            self.begin(bucket)
        assert bucket.begun is not None
        bucket.ended = True
        first = bucket.members[0]
        attrs = {**_group(first), "number": bucket.number}
        total = self.add(ops.all_reduce_wait, bucket.begun, like=first, name=f"bucket_{bucket.number}_ready", **attrs)
        start = 0
        for node in bucket.members:
            type = node.output.type
            part = total
            if len(bucket.members) > 1:
                bounds: dict[str, Any] = {"start": (start,), "stop": (start + type.size,), "step": (1,)}
                part = self.add(ops.slice, total, like=node, **bounds)
                start += type.size
            if part.type.shape != type.shape:
                part = self.add(ops.reshape, part, like=node, shape=type.shape)
            if part.type.dtype is not type.dtype:
                part = self.add(ops.cast, part, like=node, dtype=type.dtype)
            part.name = node.output.name
            self.sums[node.output] = part


def _group(node: Node) -> Mapping[str, Any]:
    return {"group": node.attrs["group"], "size": node.attrs["size"]}
