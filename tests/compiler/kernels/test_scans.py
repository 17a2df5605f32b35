"""Running sums and products along the last axis in kernels: which go there, and that numbers and gradients stay."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op
from mycel.compiler.ir.types import TensorType
from mycel.compiler.passes.make_kernels import make_kernels
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def running(op: Op, x: Symbol, axis: int = 1, exclusive: bool = False, reverse: bool = False) -> Symbol:
    """A running reduction."""
    return op(x, axis=axis, exclusive=exclusive, reverse=reverse)


def graph(function: Callable[[Symbol], Symbol | tuple[Symbol, ...]], shape: tuple[int, ...] = (6, 37)) -> Graph:
    """A function of one matrix as a graph."""

    def body(x: Symbol) -> list[Symbol]:
        found = function(x)
        return list(found) if isinstance(found, tuple) else [found]

    return record("f", [TensorType(dtypes.float32, shape)], body)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("op", [ops.cumsum, ops.cumprod])
@pytest.mark.parametrize("shape", [(6, 37), (2, 3, 40), (300, 100), (4, 2)])
def test_a_scan_is_one_kernel_with_what_is_around_it(op: Op, shape: tuple[int, ...], reverse: bool) -> None:
    """Elementwise nodes before and after, and the gradient where it is a scan, too, leave nothing to NumPy."""

    def function(x: Symbol) -> Symbol:
        return ops.tanh(running(op, x * 0.5, len(shape) - 1, reverse=reverse)) * 2.0

    forward = graph(function, shape)
    assert [node.op.name for node in make_kernels(forward).nodes] == ["kernel"]
    both = differentiate(forward, [0], [0]).append([0])
    program = compile_graph(both, name="f", options=Options(debug=True))
    assert not any(f"{name}(" in program.source for name in ("cumsum", "cumprod", "linear_recurrence"))
    random = np.random.default_rng(1)
    arrays = [random.standard_normal(p.type.static_shape).astype(np.float32) for p in both.parameters]
    for found, expected in zip(program.run(*arrays), interpret(both, arrays), strict=True):
        np.testing.assert_allclose(found, expected, 2e-4, 2e-4)


MISSES: dict[str, Callable[[Symbol], Symbol]] = {
    "exclusive": lambda x: running(ops.cumsum, x, exclusive=True),
    "along another axis": lambda x: running(ops.cumsum, x, axis=0),
    "of one column": lambda x: running(ops.cumsum, ops.slice(x, start=(0, 0), stop=(6, 1), step=(1, 1))),
}


@pytest.mark.parametrize("what", MISSES)
def test_other_running_reductions_are_left_to_numpy(what: str) -> None:
    """Kernels have no form for them."""
    assert "cumsum" in [node.op.name for node in make_kernels(graph(MISSES[what])).nodes]


def test_two_directions_are_two_kernels() -> None:
    """A kernel goes through its columns in one direction."""
    forward = graph(lambda x: running(ops.cumsum, x) + running(ops.cumsum, x, reverse=True))
    after = make_kernels(forward)
    assert {node.op.name for node in after.nodes} == {"kernel"}
    assert len(after.nodes) == 2
    x = np.random.default_rng(0).standard_normal((6, 37)).astype(np.float32)
    program = compile_graph(forward, name="f", options=Options(debug=True))
    np.testing.assert_allclose(program.run(x)[0], interpret(forward, [x])[0], 1e-4, 1e-4)


EXTREMES = [-np.inf, -np.inf, -1.0, 3.0, 3.0, np.nan, 2.0, np.inf]


@pytest.mark.parametrize("op", [ops.logcumsumexp, ops.cummax, ops.cummin])
@pytest.mark.parametrize("columns", [5, 37])
def test_running_extremes_and_logarithms_are_kernels(op: Op, columns: int) -> None:
    """With their gradients, and for infinities and nan, too."""
    options = {"exclusive": False, "reverse": False} if op is ops.logcumsumexp else {}

    def function(x: Symbol) -> Symbol:
        found = op(ops.tanh(x), axis=1, **options)
        return ops.exp(found[0] if isinstance(found, tuple) else found)

    forward = graph(function, (6, columns))
    both = differentiate(forward, [0], [0]).append([0])
    program = compile_graph(both, name="f", options=Options(debug=True))
    assert not any(f"{name}(" in program.source for name in ("cummax", "run_sums", "linear_recurrence", "logcumsumexp"))
    random = np.random.default_rng(1)
    arrays = [random.standard_normal(p.type.static_shape).astype(np.float32) for p in both.parameters]
    for found, expected in zip(program.run(*arrays), interpret(both, arrays), strict=True):
        np.testing.assert_allclose(found, expected, 2e-4, 2e-4)
    plain = graph(lambda x: op(x, axis=1, **options), (6, columns))
    for size in range(len(EXTREMES) + 1):
        x = random.standard_normal((6, columns)).astype(np.float32)
        x[:, : min(size, columns)] = EXTREMES[: min(size, columns)]
        for found, expected in zip(compile_graph(plain, name="f").run(x), interpret(plain, [x]), strict=True):
            np.testing.assert_allclose(found, expected, 1e-5, 1e-5)
