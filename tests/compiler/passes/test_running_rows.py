"""Running reductions along other axes than the last: loops over rows, with the numbers of NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from searches import chequered

from mycel.compiler import ops
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op
from mycel.compiler.ir.types import TensorType
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

RUNNING = (ops.cumsum, ops.cumprod, ops.logcumsumexp, ops.running_maximum, ops.running_minimum)


@pytest.mark.parametrize(
    ("op", "case", "reverse", "dtype"),
    chequered(
        RUNNING,
        [((9, 40), 0), ((3, 7, 8), 1), ((2, 5, 3, 6), 2), ((40, 17), 0)],
        [False, True],
        [dtypes.float32, dtypes.float64],
    ),
)
def test_rows_are_carried(op: Op, case: tuple[tuple[int, ...], int], reverse: bool, dtype: dtypes.DType) -> None:
    """No kernel of NumPy runs along the axis; values and gradients are those of the interpreter."""
    shape, axis = case

    def function(x: Symbol) -> list[Symbol]:
        return [ops.tanh(op(x * 0.5, axis=axis, exclusive=False, reverse=reverse))]

    both = record("f", [TensorType(dtype, shape)], function)
    if op not in (ops.running_maximum, ops.running_minimum):
        both = differentiate(both, [0], [0]).append([0])
    program = compile_graph(both, name="f", options=Options(debug=True))
    random = np.random.default_rng(0)
    arrays = [random.standard_normal(p.type.static_shape).astype(dtype.np) for p in both.parameters]
    tolerance = 1e-4 if dtype is dtypes.float32 else 1e-10
    for found, expected in zip(program.run(*arrays), interpret(both, arrays), strict=True):
        np.testing.assert_allclose(found, expected, tolerance, tolerance)
    names = {node.op.name for node in program.stages["lower_for_kernels"].nodes}
    assert "scan" in names
    assert not names & {op.name, "linear_recurrence"}


@pytest.mark.parametrize("op", RUNNING[3:], ids=lambda op: op.name)
def test_integers_and_nan(op: Op) -> None:
    """The smallest integer is an element as others; a nan stays."""
    whole = np.random.default_rng(0).integers(-9, 9, (6, 20)).astype(np.int32)
    whole[0, :2] = np.iinfo(np.int32).min, np.iinfo(np.int32).max
    floats = np.where(whole == 3, np.nan, whole).astype(np.float32)
    for array in (whole, floats):
        kind = TensorType(dtypes.int32 if array is whole else dtypes.float32, array.shape)
        graph = record("f", [kind], lambda x: [op(x, axis=0, exclusive=False, reverse=True)])
        (found,) = compile_graph(graph, name="f").run(array)
        np.testing.assert_array_equal(found, interpret(graph, [array])[0])


def test_first_rows() -> None:
    """Running sums of -0.0 keep the sign; the first factors of a recurrence have no influence."""
    zeros = np.full((3, 20), -0.0, np.float32)
    kind = TensorType(dtypes.float32, zeros.shape)
    graph = record("f", [kind], lambda x: [ops.cumsum(x, axis=0, exclusive=False, reverse=False)])
    (found,) = compile_graph(graph, name="f").run(zeros)
    assert np.signbit(found).all()
    factors = zeros.copy()
    factors[:2] = np.array([[np.inf], [2.0]])
    for reverse in (False, True):
        given = factors[::-1] if reverse else factors
        graph = record("f", [kind, kind], lambda a, b, r=reverse: [ops.linear_recurrence(a, b, axis=0, reverse=r)])  # type: ignore[misc]
        for terms in (zeros, np.arange(60, dtype=np.float32).reshape(3, 20)):
            arrays = [np.ascontiguousarray(given), terms]
            (found,) = compile_graph(graph, name="f").run(*arrays)
            (expected,) = interpret(graph, arrays)
            np.testing.assert_array_equal(found, expected)
            first = -1 if reverse else 0
            np.testing.assert_array_equal(np.signbit(found[first]), np.signbit(terms[first]))


def test_what_no_loop_suits_stays() -> None:
    """The last axis has scans."""
    attrs = {"axis": 1, "exclusive": False, "reverse": False}
    graph = record("f", [TensorType(dtypes.float32, (9, 40))], lambda x: [ops.cumsum(x, **attrs)])
    program = compile_graph(graph, name="f")
    assert [node.op.name for node in program.stages["lower_for_kernels"].nodes] == ["cumsum"]


@pytest.mark.parametrize("op", RUNNING, ids=lambda op: op.name)
@pytest.mark.parametrize(("shape", "axis"), [((40, 30, 1), 1), ((70, 1), 0), ((2, 33, 1, 1), 1)])
@pytest.mark.parametrize("reverse", [False, True])
def test_axes_of_one_behind_are_left_out(op: Op, shape: tuple[int, ...], axis: int, reverse: bool) -> None:
    """The last axis that is longer has a scan, in a kernel."""

    def function(x: Symbol) -> list[Symbol]:
        return [ops.tanh(op(x * 0.5, axis=axis, exclusive=False, reverse=reverse))]

    graph = record("f", [TensorType(dtypes.float32, shape)], function)
    program = compile_graph(graph, name="f", options=Options(debug=True))
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    np.testing.assert_allclose(program.run(x)[0], interpret(graph, [x])[0], 1e-5, 1e-5)
    assert {node.op.name for node in program.stages["lower_for_kernels"].nodes}.isdisjoint({"scan"})
    final = list(program.stages.values())[-1]
    assert {node.op.name for node in final.nodes if node.op.kind != "view"} == {"kernel"}


@pytest.mark.parametrize("op", [ops.cumsum, ops.cumprod])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("shape", "axis"), [((9, 40), 0), ((9, 40), 1), ((7, 2), 0), ((5, 9, 3), 1), ((300,), 0)])
def test_exclusive_ones_are_shifted(op: Op, shape: tuple[int, ...], axis: int, reverse: bool) -> None:
    """They leave out each element's own value, whatever it is."""
    numbers = np.random.default_rng(0).uniform(0.5, 1.5, shape).astype(np.float32)
    numbers.reshape(-1)[-1] = np.nan if reverse else np.inf
    graph = record("f", [TensorType(dtypes.float32, shape)],
                   lambda x: [op(ops.absolute(x), axis=axis, exclusive=True, reverse=reverse)])  # fmt: skip
    program = compile_graph(graph, name="f")
    (found,) = program.run(numbers)
    expected = op.kernel(np.abs(numbers), axis=axis, exclusive=True, reverse=reverse)
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    assert not any(node.attrs.get("exclusive") for node in program.stages["lower_for_kernels"].nodes)


@pytest.mark.parametrize("op", RUNNING[:2] + RUNNING[3:], ids=lambda op: op.name)
@pytest.mark.parametrize("exclusive", [False, True])
def test_an_axis_of_one_element(op: Op, exclusive: bool) -> None:
    """What runs along it is the element itself, or where it is left out, the identity."""
    x = np.random.default_rng(0).standard_normal((3, 1, 5)).astype(np.float32)

    def function(x: Symbol) -> list[Symbol]:
        return [op(x, axis=1, exclusive=exclusive, reverse=False) + 0.5]

    both = record("f", [TensorType(dtypes.float32, x.shape)], function)
    program = compile_graph(both, name="f")
    np.testing.assert_array_equal(program.run(x)[0], interpret(both, [x])[0])
    assert (op.name in program.source) == exclusive
