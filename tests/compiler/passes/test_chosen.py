"""Reads and sums at few places: losses on log-probabilities in one kernel, with the numbers and errors of the ops."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, walk
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.types import TensorType
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

Loss = Callable[[Symbol, Symbol], Symbol]


def behind(x: Symbol) -> Symbol:
    """x with a last axis of size 1."""
    return ops.reshape(x, shape=(*x.shape, 1))


def along(x: Symbol, ids: Symbol) -> Symbol:
    """The mean of -log p of each row's class, taken along the last axis."""
    chosen = ops.take_along(ops.log_softmax(x, axis=x.rank - 1), behind(ids), axis=x.rank - 1)
    return -ops.sum(chosen * chosen, axis=tuple(range(x.rank)), keepdims=False)


def by_rows(x: Symbol, ids: Symbol) -> Symbol:
    """The same with the numbers of the rows, as x[range, ids]."""
    rows = ops.iota(start=0, step=1, size=ids.shape[0], dtype=dtypes.int64)
    if ids.dtype is not dtypes.int64:
        ids = ops.cast(ids, dtype=dtypes.int64)
    places = ops.concatenate(behind(rows), behind(ids), axis=1)
    return ops.sum(ops.tanh(ops.gather_nd(ops.log_softmax(x, axis=1), places)), axis=(0,), keepdims=False)


def some_columns(x: Symbol, ids: Symbol) -> Symbol:
    """A few columns of what is computed, each of them from a scaled and a moved one."""
    scale = ops.max(ops.exp(x), axis=(0,), keepdims=True)
    return ops.sum(ops.tanh(ops.take(ops.exp(x) * 0.5 / scale - 0.1, ids, axis=1)), axis=(0, 1), keepdims=False)


def gradient(
    loss: Loss, shape: tuple[int, ...], ids: tuple[int, ...], dtype: dtypes.DType, kind: dtypes.DType
) -> Graph:
    """The graph of a loss and of its gradient."""
    forward = record("f", [TensorType(dtype, shape), TensorType(kind, ids)], lambda x, i: [loss(x, i)])
    return differentiate(forward, [0], [0]).append([0])


def agrees(graph: Graph, shape: tuple[int, ...], ids: tuple[int, ...], classes: int) -> Graph:
    """Compare with the interpreter; the compiled graph."""
    program = compile_graph(graph, name="f", options=Options(debug=True))
    random = np.random.default_rng(0)
    types = [value.type.dtype.np for value in graph.parameters]
    x = (3 * random.standard_normal(shape)).astype(types[0])
    places = random.integers(-classes, classes, ids).astype(types[1])
    tolerance = 1e-4 if types[0] == np.float32 else 1e-10
    arrays = [x, places, *[np.ones(value.type.static_shape, value.type.dtype.np) for value in graph.parameters[2:]]]
    for found, expected in zip(program.run(*arrays), interpret(graph, arrays), strict=True):
        np.testing.assert_allclose(found, expected, tolerance, tolerance)
    return program.stages["placed"]


@pytest.mark.parametrize("shape", [(7, 9), (33, 101), (2, 5, 8), (4, 3)])
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64])
@pytest.mark.parametrize("kind", [dtypes.int32, dtypes.int64])
def test_a_loss_on_log_probabilities(shape: tuple[int, ...], dtype: dtypes.DType, kind: dtypes.DType) -> None:
    """The gradient is not scattered: the log-probabilities of all classes are not even written."""
    graph = gradient(along, shape, shape[:-1], dtype, kind)
    found = agrees(graph, shape, shape[:-1], shape[-1])
    assert not [node for node in walk(found) if node.op is ops.scattered]


@pytest.mark.parametrize("shape", [(7, 9), (33, 101)])
@pytest.mark.parametrize("kind", [dtypes.int32, dtypes.int64])
def test_numbers_of_rows_are_a_dimension(shape: tuple[int, int], kind: dtypes.DType) -> None:
    """x[range, ids] is read as x along an axis is."""
    graph = gradient(by_rows, shape, shape[:1], dtypes.float32, kind)
    agrees(graph, shape, shape[:1], shape[1])


@pytest.mark.parametrize(("shape", "count"), [((6, 40), 5), ((6, 40), 39), ((12, 9), 2)])
def test_few_columns_are_read_first(shape: tuple[int, int], count: int) -> None:
    """Repeated columns, and columns that others are computed with."""
    agrees(gradient(some_columns, shape, (count,), dtypes.float32, dtypes.int32), shape, (count,), shape[1])


@pytest.mark.parametrize("loss", [along, by_rows, some_columns])
def test_positions_outside_are_errors(loss: Loss) -> None:
    """Whatever becomes of the reads, a class that is not there is an error."""
    shape = (5, 9)
    graph = gradient(loss, shape, (5,), dtypes.float32, dtypes.int64)
    program = compile_graph(graph, name="f")
    rest = [np.ones(value.type.static_shape, np.float32) for value in graph.parameters[2:]]
    for wrong in (9, -10, 2**40):
        with pytest.raises((IndexError, ValueError)):
            program.run(np.ones(shape, np.float32), np.array([0, 1, wrong, 2, 3]), *rest)
