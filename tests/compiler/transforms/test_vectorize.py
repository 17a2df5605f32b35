"""Every op on batches: its rule agrees with single rows, in values and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from case_floors import Floor
from drawn_graphs import Case, cases
from gradcheck import type_of
from hypothesis import given, settings, strategies as st
from op_cases import CASES, as_tuple, by_op

from mycel.compiler.ir.graph import Graph, walk
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op, Sample
from mycel.compiler.ir.verifier import verify
from mycel.compiler.ops import OPS
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import record
from mycel.compiler.transforms.vectorize import UnvectorizableError, vectorize_graph

ROWS = 3
Array = np.ndarray
ROW_BY_ROW = {
    "unique",
    "unique_consecutive",
    "nonzero",
    "bincount",
    "open_full",
    "open_iota",
    "assert_",
    "raise_",
    "record",
}
"""Ops that need no rule: rows may differ in size, or nothing is computed."""


def batch_of(array: Array) -> Array:
    """Rows that are as valid as the sample: scaled numbers keep signs, order and definiteness; others change places."""
    if array.dtype.kind in "fc":
        return np.stack([(array * scale).astype(array.dtype) for scale in (1.0, 1.03125, 0.96875)])
    return np.stack([np.roll(array.reshape(-1), step).reshape(array.shape) for step in range(ROWS)])


def graph_of(op: Op, sample: Sample) -> Graph:
    """One use of an op."""
    return record(op.name, map(type_of, sample.inputs), lambda *symbols: as_tuple(op(*symbols, **sample.attrs)))


def rows_of(batches: list[Array], mapped: tuple[bool, ...], inputs: tuple[Array, ...], row: int) -> list[Array]:
    """The inputs of one row."""
    return [batch[row] if here else whole for batch, here, whole in zip(batches, mapped, inputs, strict=True)]


def choices(count: int) -> list[tuple[bool, ...]]:
    """All inputs mapped, one of them, all but one."""
    single = [tuple(position == k for position in range(count)) for k in range(count)]
    return list(dict.fromkeys([(True,) * count, *single, *[tuple(not here for here in one) for one in single]]))


USABLE = [(op, sample, name) for op, sample, name in CASES if op.kind not in ("random", "effect") and sample.inputs]


def loop(graph: Graph, batches: list[Array], mapped: tuple[bool, ...], inputs: tuple[Array, ...]) -> Any:
    """The outputs of each row."""
    return [interpret(graph, rows_of(batches, mapped, inputs, row)) for row in range(ROWS)]


def has_unknown_sizes(graph: Graph) -> bool:
    """Whether a value of the graph has a size that only the run knows."""
    return any(not value.type.is_static for node in graph.nodes for value in node.outputs)


def alike(results: Any) -> bool:
    """Whether the rows' results can be stacked."""
    return all(a.shape == b.shape for row in results[1:] for a, b in zip(results[0], row, strict=True))


@by_op(USABLE)
def test_a_batch_gives_what_its_rows_give(op: Op, sample: Sample) -> None:
    graph = graph_of(op, sample)
    batches = [batch_of(array) for array in sample.inputs]
    compared = 0
    for mapped in choices(len(sample.inputs)):
        if not any(mapped):
            continue
        try:
            expected = loop(graph, batches, mapped, sample.inputs)
        except (IndexError, ValueError) as error:
            raise AssertionError(f"the rows are no valid inputs: {error}") from error
        if not alike(expected):
            continue
        arguments = [b if here else x for b, here, x in zip(batches, mapped, sample.inputs, strict=True)]
        try:
            batched = vectorize_graph(graph, mapped, ROWS)
        except UnvectorizableError:
            assert has_unknown_sizes(graph)
            continue
        found = interpret(verify(batched), arguments)
        for result, *rows in zip(found, *expected, strict=True):
            np.testing.assert_allclose(result, np.stack(rows), rtol=1e-9, atol=1e-12, err_msg=f"{mapped=}")
        compared += 1
    assert compared or has_unknown_sizes(graph)


def has_gradient(op: Op, sample: Sample) -> bool:
    """Whether an op has a derivative by one of a sample's inputs."""
    return op.vjp is not None and sample.gradient and any(array.dtype == np.float64 for array in sample.inputs)


@by_op((case for case in USABLE if has_gradient(*case[:2])), first=2)
def test_gradients_of_batches_and_batches_of_gradients(op: Op, sample: Sample) -> None:
    graph = graph_of(op, sample)
    wrt = [position for position, array in enumerate(sample.inputs) if array.dtype == np.float64]
    derivative = differentiate(graph, wrt, range(len(graph.outputs)))
    joint = derivative.append(wrt)
    batches = [batch_of(array) for array in sample.inputs]
    generator = np.random.default_rng(5)
    compared = 0
    for mapped in choices(len(sample.inputs)):
        if not any(mapped[position] for position in wrt):
            continue
        values = loop(graph, batches, mapped, sample.inputs)
        if not alike(values):
            continue
        cotangents = [generator.normal(size=(ROWS, *values[0][seed].shape)) for seed in derivative.seeds]
        rows = [
            interpret(joint, [*rows_of(batches, mapped, sample.inputs, row), *[c[row] for c in cotangents]])
            for row in range(ROWS)
        ]
        expected = [np.stack(column) for column in zip(*[row[len(graph.outputs) :] for row in rows], strict=True)]
        arguments = [b if here else x for b, here, x in zip(batches, mapped, sample.inputs, strict=True)]

        try:
            batched = verify(vectorize_graph(joint, [*mapped, *[True] * len(cotangents)], ROWS))
        except UnvectorizableError:
            assert has_unknown_sizes(joint)
            continue
        found = interpret(batched, [*arguments, *cotangents])[len(graph.outputs) :]
        for result, want in zip(found, expected, strict=True):
            np.testing.assert_allclose(
                np.broadcast_to(result, want.shape) if result.ndim < want.ndim else result, want, rtol=1e-7, atol=1e-9
            )

        after = differentiate(vectorize_graph(graph, mapped, ROWS), wrt, range(len(graph.outputs)))
        seeds = [cotangents[derivative.seeds.index(seed)] for seed in after.seeds]
        found = interpret(after.append(wrt), [*arguments, *seeds])[len(graph.outputs) :]
        for position, result, want in zip(wrt, found, expected, strict=True):
            want = want if mapped[position] else want.sum(axis=0)
            np.testing.assert_allclose(result, want, rtol=1e-7, atol=1e-9, err_msg=f"{mapped=}")
        compared += 1
    assert compared or has_unknown_sizes(graph)


@pytest.mark.parametrize("name", sorted(set(OPS) - ROW_BY_ROW))
def test_op_runs_on_batches_at_once(name: str) -> None:
    op = OPS[name]
    made = op.is_group or op.is_native or op.internal  # only passes make these, behind vectorization
    known = made or op.kind in ("elementwise", "creation", "random") or name == "print_"
    known = known or (op.kind == "collective" and op.operand_counts == (0, 0))  # of which each batch makes one call
    assert known or op.batch is not None, f"op {name} has no rule for batches: it would run row by row"


def loops_keep_stacks(graph: Graph) -> bool:
    """Whether a while_loop stacks values: rows that ran less often have stacks of other lengths."""
    return any(
        node.op.name == "while_loop" and len(node.attrs["body"].outputs) > node.attrs["carried"] for node in walk(graph)
    )


def test_random_graphs() -> None:
    @settings(max_examples=40, deadline=None)
    @given(cases(nesting=2), st.integers(0, 2**16))
    def check(case: Case, seed: int) -> None:
        floor.case()
        if not loops_keep_stacks(case.graph) and compare_rows(case, seed):
            floor.check()

    with Floor(0.25) as floor:
        check()


def compare_rows(case: Case, seed: int) -> bool:
    """A graph of a batch agrees with the graph of each row. Returns whether it exists: sizes may differ by row."""
    graph, arrays = case.graph, case.arrays
    mapped = tuple(bool(here) for here in np.random.default_rng(seed).integers(0, 2, len(arrays)))
    batches = [np.stack([a, a * 0.7 - 0.1, a * -0.9 + 0.2]) if m else a for a, m in zip(arrays, mapped, strict=True)]
    expected = [
        interpret(graph, [b[row] if m else b for b, m in zip(batches, mapped, strict=True)]) for row in range(ROWS)
    ]
    try:
        batched = vectorize_graph(graph, mapped, ROWS, [True] * len(graph.outputs))
    except UnvectorizableError:
        return False
    found = interpret(verify(batched), batches)
    for result, *rows in zip(found, *expected, strict=True):
        np.testing.assert_allclose(result, np.stack(rows), rtol=1e-6, atol=1e-8)
    return True


def test_the_first_row_that_fails_is_the_one_that_is_told() -> None:
    def fail(x: Any) -> Any:
        holds = OPS["less"](OPS["sum"](x, axis=(0,), keepdims=False), 2.0)
        OPS["assert_"](holds, x, template=("row ", 0), exception="ValueError")
        return x

    graph = record("fail", [type_of(np.zeros(2))], fail)
    batched = verify(vectorize_graph(graph, [True], 4))
    with pytest.raises(ValueError, match=r"row \[2. 2.\]"):
        interpret(batched, [np.array([[0.0, 0.0], [2.0, 2.0], [1.0, 0.0], [3.0, 3.0]])])


@pytest.mark.parametrize("mapped", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize(
    "spec",
    [((0, 3, 1), True, "operand"), (True, "operand"), ("operand", (0, 4, 1), True), (None, True, (0, 2, 1), "operand")],
)
def test_true_in_an_index_that_leaves_dimensions_out(spec: Any, mapped: tuple[bool, bool]) -> None:
    x, i = np.arange(360.0).reshape(3, 4, 5, 6), np.array([0, 2, 1])
    given = [x if mapped[0] else x[0], i if mapped[1] else i[1]]
    rows = [(x[row if mapped[0] else 0], np.asarray(i[row if mapped[1] else 1])) for row in range(ROWS)]
    graph = record("read", [type_of(array) for array in rows[0]], lambda x, i: OPS["index"](x, i, spec=spec))
    (found,) = interpret(verify(vectorize_graph(graph, mapped, ROWS)), given)
    np.testing.assert_array_equal(found, np.stack([interpret(graph, row)[0] for row in rows]))


def test_printing_needs_rows() -> None:
    graph = record("show", [type_of(np.zeros(2))], lambda x: (OPS["print_"](x, template=(0,)), x)[1])
    with pytest.raises(UnvectorizableError, match="print_"):
        vectorize_graph(graph, [True], ROWS)
