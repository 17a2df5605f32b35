"""Partitioning of graphs: the dependences of each group, and how the work grows with the number of groups."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.analysis import union_find
from mycel.compiler.ir.graph import Graph, Node, make_node
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import Operand, Value
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.grouping import Group, Partition
from mycel.compiler.passes.make_kernels import Known as Divided, _Kernels, make_kernels
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable

needs_kernels = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

SQUARE = TensorType(dtypes.float32, (4, 4))


class Known(_Kernels):
    """The policy of kernels, which remembers the groups as they were merged."""

    def shared(self) -> list[tuple[Operand, bool]]:
        """Groups that read any value may become one, be it large or small."""
        return [(value, number % 2 == 0) for number, value in enumerate(self.graph.readers)]

    def sink(self, chosen: dict[Node, Group]) -> None:
        """Move nothing."""


def random_graph(seed: int, count: int) -> Graph:
    """Elementwise nodes, products of matrices and sums over the first axis, each of values before it."""
    choose = random.Random(seed)
    x = Value(SQUARE, "x")
    values: list[Operand] = [x]
    nodes: list[Node] = []
    for _ in range(count):
        a, b = (choose.choice(values[-8:] if choose.random() < 0.7 else values) for _ in range(2))
        kind = choose.random()
        if kind < 0.25:
            node = make_node(ops.matmul, (a, b))
        elif kind < 0.35:
            nodes.append(make_node(ops.sum, (a,), {"axis": (0,), "keepdims": True}))
            node = make_node(ops.add, (nodes[-1].output, b))
        elif kind < 0.6:
            node = make_node(ops.tanh, (a,))
        else:
            node = make_node(ops.add, (a, b))
        nodes.append(node)
        values.append(node.output)
    return verify(Graph("f", (x,), tuple(nodes), (values[-1],)))


def true_dependences(partition: Partition, members: dict[Group, list[Node]]) -> dict[Group, set[Group]]:
    """For each group the groups that its nodes depend on, found by walking along all edges."""
    of_node = {node: group for group, nodes in members.items() for node in nodes}
    producers = partition.graph.producers
    result: dict[Group, set[Group]] = {}
    for group, nodes in members.items():
        found: set[Group] = set()
        seen: set[Node] = set(nodes)
        pending = list(nodes)
        while pending:
            for operand in pending.pop().inputs:
                producer = producers.get(operand)
                if producer is None or producer in seen:
                    continue
                other = of_node.get(producer)
                reached = [producer] if other is None else members[other]
                found |= set() if other is None else {other}
                seen.update(reached)
                pending += reached
        result[group] = found - {group}
    return result


def mixed_graph(seed: int, count: int) -> Graph:
    """Elementwise nodes on numbers of 32 and of 64 bits, which are no group, with choices of either by the other."""
    choose = random.Random(seed)
    x, i = Value(SQUARE, "x"), Value(TensorType(dtypes.int64, SQUARE.shape), "i")
    floats, whole, nodes = [x], [i], list[Node]()
    for _ in range(count):
        own, other = (floats, whole) if choose.random() < 0.5 else (whole, floats)
        a, b, c, d = (choose.choice(values[-6:]) for values in (own, own, other, other))
        if choose.random() < 0.4:
            nodes.append(make_node(ops.less, (c, d)))
            nodes.append(make_node(ops.select, (nodes[-1].output, a, b)))
        else:
            nodes.append(make_node(ops.add, (a, b)))
        own.append(nodes[-1].output)
    return verify(Graph("f", (x, i), tuple(nodes), (floats[-1], whole[-1])))


@pytest.mark.parametrize("make", [random_graph, mixed_graph])
@pytest.mark.parametrize("seed", range(60))
def test_each_group_knows_all_that_it_depends_on(seed: int, make: Callable[[int, int], Graph]) -> None:
    """The bits of a group are those of a walk along all edges; no group depends on itself."""
    graph = make(seed, 60)
    partition = Partition(graph, Known(graph, Divided()))
    for node in graph.nodes:
        rows = partition.policy.rows(node, partition.member)
        if rows is None:
            partition.leave(node)
        else:
            partition.add(node, rows)
    partition.merge_siblings()
    members = {group: list(group.nodes) for group in partition.groups if group.parent is None}
    assert max(map(len, members.values())) > 1
    assert len(members) > 3
    for group, others in true_dependences(partition, members).items():
        assert {other for other in members if other.bits & group.predecessors} == others


def chain_and_back(count: int) -> Graph:
    """A chain of products and elementwise nodes, and one that goes back and reads all that the first computed."""
    x = Value(SQUARE, "x")
    nodes: list[Node] = []

    def node(op: Op, *inputs: Operand) -> Value:
        nodes.append(make_node(op, inputs))
        return nodes[-1].output

    y, kept = x, []
    for _ in range(count):
        y = node(ops.tanh, node(ops.matmul, y, x))
        kept.append(y)
    for value in reversed(kept):
        y = node(ops.matmul, node(ops.multiply, y, value), x)
    return Graph("f", (x,), tuple(nodes), (y,))


def test_the_work_grows_as_the_number_of_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many groups take about twice as many steps, not four or eight times as many."""
    calls = 0
    find = union_find.Mergeable.find

    def counting(self: Group) -> Group:
        nonlocal calls
        calls += 1
        return find(self)

    monkeypatch.setattr(union_find.Mergeable, "find", counting)
    steps = []
    for count in (100, 200):
        calls = 0
        graph = chain_and_back(count)
        Partition(graph, Known(graph, Divided())).run()
        steps.append(calls)
    assert steps[0] > 200
    assert steps[1] < 2.5 * steps[0]


@needs_kernels
def test_kernels_that_read_one_large_or_small_value_are_one() -> None:
    """They are apart where one needs the other, where they sum in other ways, where the value is neither large nor
    small, and where it is small and one of them waits for more than the other."""

    def kernels(size: int, function: Callable[[Symbol], list[Symbol]]) -> int:
        graph = make_kernels(record("f", [TensorType(dtypes.float32, (size, size))], function))
        return [node.op for node in graph.nodes].count(ops.kernel)

    def between(x: Symbol) -> list[Symbol]:
        return [ops.exp(x), ops.tanh(ops.matmul(ops.tanh(x), x) + x)]

    def waiting(x: Symbol) -> list[Symbol]:
        return [ops.exp(x), ops.sin(x + ops.matmul(ops.tanh(ops.matmul(x, x)), x))]

    assert kernels(128, lambda x: [ops.exp(x), ops.tanh(x)]) == 1
    assert kernels(16, lambda x: [ops.exp(x), ops.tanh(x)]) == 1
    assert kernels(40, lambda x: [ops.exp(x), ops.tanh(x)]) == 2
    assert kernels(128, between) == kernels(16, between) == 2
    assert kernels(128, waiting) == 2
    assert kernels(16, waiting) == 3
    assert kernels(16, lambda x: [ops.multiply(x, float(k)) for k in range(20)]) == 2
    assert kernels(128, lambda x: [ops.tanh(ops.matmul(ops.tanh(x), x) + x)]) == 2


@needs_kernels
def test_small_kernels_that_read_views_of_one_value_are_one() -> None:
    """They are apart where they are larger, of other rows, or where one needs the other."""

    def kernels(rows: int, function: Callable[[Symbol, Symbol], list[Symbol]], first: int = 0) -> int:
        def columns(x: Symbol) -> list[Symbol]:
            starts = (first, 0), (0, 1)
            return function(*[ops.slice(x, start=(n, c), stop=(rows, c + 1), step=(1, 1)) for n, c in starts])

        graph = make_kernels(record("f", [TensorType(dtypes.float32, (rows, 4))], columns))
        return [node.op for node in graph.nodes].count(ops.kernel)

    assert kernels(500, lambda a, b: [ops.exp(a), ops.tanh(b)]) == 1
    assert kernels(500, lambda a, b: [ops.exp(a), ops.tanh(b)], 1) == 2
    assert kernels(2000, lambda a, b: [ops.exp(a), ops.tanh(b)]) == 2
    assert kernels(500, lambda a, b: [ops.exp(a), ops.tanh(b + ops.sum(ops.exp(a), axis=(0, 1), keepdims=False))]) == 2


EQUAL = """
graph f(%p: bool[], %x: f32[4, 4], %y: f32[4, 4]) {
  %a: f32[4, 4] = cond(%p, %x) {  # a.py:1
    then = graph then(%t: f32[4, 4]) {
      %b: f32[4, 4] = tanh(%t)  # a.py:2
      %c: f32[4, 4] = matmul(%b, %t)  # a.py:3
      %d: f32[4, 4] = exp(%c)  # a.py:4
      %e: f32[4, 4] = add(%d, %b)  # a.py:5
      return %e
    }
    orelse = graph orelse(%u: f32[4, 4]) {
      %g: f32[4, 4] = tanh(%u)  # a.py:6
      %h: f32[4, 4] = matmul(%g, %u)  # a.py:7
      %i: f32[4, 4] = exp(%h)  # a.py:8
      %j: f32[4, 4] = add(%i, %g)  # a.py:9
      return %j
    }
  }
  %k: f32[4, 4] = cond(%p, %y) {
    then = graph then(%v: f32[4, 4]) {
      %l: f32[4, 4] = tanh(%v)
      %m: f32[4, 4] = matmul(%l, %v)
      %n: f32[4, 4] = exp(%m)
      %o: f32[4, 4] = add(%n, %n)
      return %o
    }
    orelse = graph orelse(%w: f32[4, 4]) {
      return %w
    }
  }
  return %a, %k
}
"""


@needs_kernels
def test_equal_graphs_inside_are_divided_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have kernels of their own values and lines. One that reads others is divided by itself."""
    runs: list[Graph] = []
    run = Partition.run

    def counting(self: Partition) -> Graph:
        runs.append(self.graph)
        return run(self)

    monkeypatch.setattr(Partition, "run", counting)
    graph = parse(EQUAL, ops.OPS)
    made = verify(make_kernels(graph))
    assert [each.name for each in runs] == ["then", "then", "orelse", "f"]
    first, other = [node.subgraphs for node in made.nodes if node.op is ops.cond]
    assert [[node.op.name for node in each.nodes] for each in first] == [["kernel", "matmul", "kernel"]] * 2
    assert [str(node.location) for node in first[1].nodes] == ["a.py:6", "a.py:7", "a.py:8"]
    assert [value.name for node in first[1].nodes[2].attrs["body"].nodes for value in node.outputs] == ["i", "j"]
    assert len(other[0].nodes[2].inputs) == 1
    random_ = np.random.default_rng(0)
    arrays = [random_.uniform(-1, 1, (4, 4)).astype(np.float32) for _ in range(2)]
    for p in (True, False):
        for found, wanted in zip(
            interpret(made, [np.array(p), *arrays]), interpret(graph, [np.array(p), *arrays]), strict=True
        ):
            np.testing.assert_array_equal(found, wanted)
