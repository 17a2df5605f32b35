"""The pass partition, for one process of several: what the program of its part is."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.layouts import digits, divides, independent, layout_of_counts, members, part_of, position, whole
from mycel.compiler.ir.op import Sample
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.partition import PartitionError, partition
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes
from mycel.runtime.dtypes import float32


def _part(function: Any, *shapes: tuple[int | None, ...], rank: int = 1) -> Graph:
    graph = record("f", [TensorType(float32, shape) for shape in shapes], function)
    assert str(parse(str(graph), ops.OPS)) == str(graph)  # layouts are attributes
    found, _ = partition(graph, rank, {}, (), lambda ranks: f"ranks {ranks}")
    verify(found)
    assert str(parse(str(found), ops.OPS)) == str(found)  # with its headings
    return found


def _cut(*counts: int) -> Any:
    return layout_of_counts(counts)


@pytest.mark.parametrize("size", [2, 4, 6, 12])
def test_digits_number_the_parts(size: int) -> None:
    cut = digits(size)
    assert [position(cut, rank) for rank in range(size)] == list(range(size))
    assert members(cut, size - 1) == tuple(range(size))
    rows, columns = layout_of_counts((2, size // 2))
    assert [position(rows, rank) for rank in range(size)] == [0] * (size // 2) + [1] * (size // 2)
    assert [position(columns, rank) for rank in range(size)] == [*range(size // 2)] * 2
    assert independent(rows + columns)
    assert not independent(rows + rows)


def test_digits_of_other_device_matrices_are_not_independent() -> None:
    (one,), (other,) = layout_of_counts((2, 3))[:1], layout_of_counts((3, 2))[1:]
    assert not independent(one + other[:1]) or one != other


def test_a_product_needs_no_message_but_for_the_inner_dimension() -> None:
    def product(a: Any, b: Any, x: Any, y: Any) -> Any:
        return ops.matmul(ops.shard(a, layout=x), ops.shard(b, layout=y))

    rows, columns = _cut(2, 2)
    text = str(_part(lambda a, b: product(a, b, (rows, ()), ((), columns)), (4, 6), (6, 8)))
    assert text.count("all_gather") == 2  # of the result, for which a message a dimension is needed
    assert "all_reduce" not in text
    assert "f32[2, 4] = matmul" in text
    text = str(_part(lambda a, b: product(a, b, ((), columns), (columns, ())), (4, 6), (6, 8)))
    assert "f32[4, 8] = matmul" in text
    assert text.count("all_reduce") == 1
    assert "all_gather" not in text


def test_a_layout_moves_from_one_dimension_to_another() -> None:
    rows, columns = _cut(4, 1), _cut(1, 4)
    text = str(_part(lambda x: ops.shard(ops.exp(ops.shard(x, layout=rows)), layout=columns), (8, 8)))
    assert "all_to_all" in text


def test_what_is_the_same_everywhere_is_computed_for_a_part() -> None:
    def f(x: Any) -> Any:
        ones = ops.exp(ops.full(shape=(8, 6), value=1.0, dtype=float32))
        return ops.sum(ops.multiply(ones, ops.shard(x, layout=_cut(4, 1))), axis=(0, 1), keepdims=False)

    assert "f32[2, 6] = full(shape=(2, 6)" in str(_part(f, (8, 6)))


def test_what_cannot_be_computed_from_parts_is_an_error() -> None:
    def running(x: Any) -> Any:
        marked = ops.shard(x, layout=_cut(4, 1), of="ops.CumSum")
        return ops.cumsum(marked, axis=0, exclusive=False, reverse=False)

    with pytest.raises(PartitionError, match=r"cumsum has no form for parts.*\(4 @ 2 1, 1\).*ops.CumSum.shard"):
        _part(running, (8, 6))
    with pytest.raises(PartitionError, match=r"all_reduce communicates by itself"):
        _part(lambda x: ops.all_reduce(x, group="world", size=4, by="sum"), (8, 6))
    conflict = lambda x, y: ops.add(  # noqa: E731
        ops.shard(x, layout=_cut(4, 1), of="ops.Add"), ops.shard(y, layout=_cut(1, 4), of="ops.Add")
    )
    with pytest.raises(PartitionError, match=r"add cannot be computed from inputs that are cut .*another strategy"):
        _part(conflict, (8, 8), (8, 8))
    with pytest.raises(PartitionError, match="only the run knows"):
        _part(lambda x: ops.shard(x, layout=_cut(4, 1)), (None, 8))
    for layout in (((digits(3), ())), (digits(2),), (digits(2), digits(2))):
        with pytest.raises(ValueError, match=r"layout|equal parts"):
            _part(lambda x, layout=layout: ops.shard(x, layout=layout), (8, 8))


def _cases() -> list[Any]:
    with_rules = [op for op in ops.OPS.values() if op.cuts is not None and op.samples is not None]
    return [
        pytest.param(op, sample, id=f"{op.name}-{number}")
        for op in with_rules
        for number, sample in enumerate(op.samples())
    ]


@pytest.mark.parametrize(("op", "sample"), _cases())
def test_rules_give_the_parts_of_the_result(op: Any, sample: Sample) -> None:
    """Each dimension of each input cut in two: what two processes compute is put together, and compared."""
    arrays = [np.asarray(x) for x in sample.inputs]
    with np.errstate(all="ignore"):
        expected = op.kernel(*arrays, **sample.attrs)
    cut = digits(2)
    layouts: list[Any] = [
        (number, axis, tuple(cut if axis == a else () for a in range(x.ndim)))
        for number, x in enumerate(arrays)
        for axis in range(x.ndim)
    ]
    for number, _, layout in layouts or [(0, 0, None)]:
        if layout is not None and not divides(arrays[number].shape, layout):
            continue
        _compare(op, sample, arrays, number, layout, expected)


def _compare(op: Any, sample: Sample, arrays: list[Any], number: int, layout: Any, expected: Any) -> None:
    types = [TensorType(dtypes.of_numpy(x.dtype), x.shape) for x in arrays]

    def f(*xs: Any) -> Any:
        given = [ops.shard(x, layout=layout) if i == number and layout else x for i, x in enumerate(xs)]
        return op(*given, **sample.attrs)

    graph = record("f", types, f)
    for found in _run_all(_programs(graph, 2), arrays):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def _programs(graph: Graph, size: int) -> list[Graph]:
    """The programs of all processes."""
    programs = [partition(graph, rank, {}, (), lambda ranks: " ".join(map(str, ranks)))[0] for rank in range(size)]
    for program in programs:
        verify(program)
    return programs


def _run_all(programs: list[Graph], arrays: list[Any]) -> list[Any]:
    """The outputs of the programs of all processes, whose messages are passed on here."""
    running = [_run(program, arrays) for program in programs]
    found: list[Any] = [None] * len(programs)
    ended: list[Any] = []
    while not ended:
        calls = []
        for process, result in zip(running, found, strict=True):
            try:
                calls.append(process.send(result))
            except StopIteration as end:
                ended.append(end.value)
        assert len(ended) in (0, len(programs))
        for ranks in {tuple(map(int, node.attrs["group"].split())) for node, _ in calls}:
            results = _message(calls[ranks[0]][0], [calls[rank][1] for rank in ranks])
            for rank, result in zip(ranks, results, strict=True):
                found[rank] = result
    return ended


def _run(program: Graph, arrays: list[Any]) -> Generator[Any, Any, Any]:
    known: dict[Any, Any] = dict(zip(program.parameters, arrays, strict=True))

    def value(operand: Any) -> Any:
        return known[operand] if operand in known else np.asarray(operand.value, operand.type.dtype.np)

    for node in program.nodes:
        inputs = [value(x) for x in node.inputs]
        if node.op.kind == "collective":
            known[node.output] = yield node, inputs[0]
        else:
            with np.errstate(all="ignore"):
                known[node.output] = node.op.kernel(*inputs, **node.attrs)
    return value(program.outputs[0])


def _message(node: Any, given: list[Any]) -> list[Any]:
    """What a collective gives to each process of its group."""
    name, size = node.op.name, len(given)
    if name == "all_gather":
        return [np.concatenate(given)] * size
    if name == "all_to_all":
        parts = [np.split(x, size) for x in given]
        return [np.concatenate([part[i] for part in parts]) for i in range(size)]
    combine = {"sum": np.add, "max": np.maximum, "min": np.minimum, "prod": np.multiply}[node.attrs["by"]]
    total = combine.reduce(given)
    return [total] * size if name == "all_reduce" else np.split(total, size)


LAYOUTS = [(4, 1), (1, 4), (2, 2), (2, 1), (1, 2), (1, 1)]


def _random_program(seed: int) -> Any:
    """A program of products, sums and shapes, in which layouts are given at random."""
    choose = np.random.default_rng(seed)

    def mark(x: Any) -> Any:
        if choose.integers(3) == 0 or x.rank != 2:
            return x
        layout = layout_of_counts(LAYOUTS[choose.integers(len(LAYOUTS))])
        if choose.integers(2):  # with the other order of devices
            layout = tuple(tuple((base, {1: 2, 2: 1}[stride]) for base, stride in cut) for cut in layout)
        return ops.shard(x, layout=layout)

    def f(x: Any, y: Any) -> Any:
        x, y = mark(x), mark(y)
        for _ in range(6):
            kind = choose.integers(8)
            if kind == 0:
                x = ops.matmul(x, mark(ops.transpose(y, axes=(1, 0))))
            elif kind == 1:
                x = ops.add(x, ops.sum(y, axis=(int(choose.integers(2)),), keepdims=True))
            elif kind == 2:
                x = ops.subtract(x, ops.max(x, axis=(int(choose.integers(2)),), keepdims=True))
            elif kind == 3:
                x = ops.reshape(ops.transpose(ops.reshape(x, shape=(2, 4, 8)), axes=(1, 0, 2)), shape=(8, 8))
            elif kind == 4:
                x = ops.concatenate(ops.slice(x, start=(4, 0), stop=(8, 8), step=(1, 1)), y, axis=0)
                x = ops.slice(x, start=(0, 0), stop=(8, 8), step=(1, 1))
            elif kind == 5:
                x, y = mark(y), ops.tanh(x)
            elif kind == 6:
                x = ops.cumsum(x, axis=int(choose.integers(2)), exclusive=False, reverse=False)
            else:
                steps = ops.cast(ops.iota(start=0, step=1, size=8, dtype=dtypes.int32), dtype=float32)
                x = ops.multiply(x, ops.broadcast_to(ops.sin(steps), shape=(8, 8)))
            x = mark(ops.multiply(x, 0.25))
        return ops.add(x, y)

    return f


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_of_four_processes(seed: int) -> None:
    arrays = list(np.random.default_rng(seed).standard_normal((2, 8, 8)).astype(np.float32))
    graph = record("f", [TensorType(float32, (8, 8))] * 2, _random_program(seed))
    (expected,) = interpret(graph, arrays)
    for found in _run_all(_programs(graph, 4), arrays):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_a_part_has_its_type() -> None:
    assert str(part_of(TensorType(float32, (8, 6)), _cut(4, 2))) == "f32[2, 3]"
    assert whole(2) == ((), ())
