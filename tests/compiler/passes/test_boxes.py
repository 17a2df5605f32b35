"""Kernels that write in a box of a larger tensor: where they do, where they must not, and that numbers stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, walk
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.boxes import write_in_boxes
from mycel.compiler.passes.make_kernels import make_kernels
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def graph(function: Callable[..., Any], *shapes: tuple[int, ...]) -> Graph:
    """The graph of a function of float32 tensors of these shapes."""

    def body(*symbols: Symbol) -> list[Symbol]:
        found = function(*symbols)
        return list(found) if isinstance(found, tuple) else [found]

    return verify(record("f", [TensorType(dtypes.float32, shape) for shape in shapes], body))


def cut(x: Symbol, *bounds: tuple[int, int]) -> Symbol:
    """A slice of a tensor."""
    start, stop = zip(*bounds, strict=True)
    return ops.slice(x, start=start, stop=stop, step=(1,) * len(bounds))


def assign(x: Symbol, value: Symbol, *bounds: tuple[int, int]) -> Symbol:
    """A tensor with a value in a box."""
    return ops.index_update(x, value, spec=tuple((first, end, 1) for first, end in bounds))


def boxes(found: Graph) -> int:
    """How many kernels write in boxes."""
    return sum(node.op is ops.in_box for outer in walk(found) for inner in outer.subgraphs for node in inner.nodes)


def check(found: Graph, expected: int, edges: int | None = None) -> None:
    """The program has so many kernels that write in boxes, assigns so many edges, and gives the interpreter's numbers
    twice, also where no value may be in the memory of another one."""
    generator = np.random.default_rng(0)
    arrays = [generator.standard_normal(one.type.static_shape).astype(np.float32) for one in found.parameters]
    for disabled in (frozenset[str](), frozenset(["in_place"])):
        program = compile_graph(found, name="f", options=Options(debug=True, disabled=disabled))
        assert boxes(program.stages["boxes"]) == expected
        if edges is not None:
            assert [node.op.name for node in program.stages["boxes"].nodes].count("update_slice") == edges
        for _ in range(2):
            for made, wanted in zip(program.run(*arrays), interpret(found, arrays), strict=True):
                np.testing.assert_allclose(made, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("seed", range(12))
def test_random_boxes(seed: int) -> None:
    """Boxes of one to three axes, whose values are read again."""
    generator = np.random.default_rng(seed)
    rank = int(generator.integers(2, 4))
    shape = tuple(int(size) for size in generator.integers(20, 30, rank) * (1 if rank == 3 else 6))
    low = [int(each) for each in generator.integers(0, 3, rank)]
    low[-1] = max(low[-1], 1)  # parts along the first axis alone are joined otherwise
    high = [int(each) for each in generator.integers(0, 3, rank)]
    box = [(first, size - last) for first, size, last in zip(low, shape, high, strict=True)]
    ends = [size - (end - first) + 1 for size, (first, end) in zip(shape, box, strict=True)]
    start = [int(generator.integers(0, end)) for end in ends]
    moved = [(first, first + end - begin) for first, (begin, end) in zip(start, box, strict=True)]

    def function(x: Symbol, y: Symbol) -> tuple[Symbol, Symbol]:
        for _ in range(2):
            x = assign(x, ops.add(cut(x, *box), ops.multiply(cut(y, *moved), ops.tanh(cut(y, *box)))), *box)
            y = ops.roll(x, shift=(2,), axis=(0,))
        return x, y

    check(graph(function, shape, shape), 2)


def test_edges_of_the_value() -> None:
    """An edge that is computed from the value cannot be assigned before it."""

    def function(x: Symbol) -> Symbol:
        value = ops.tanh(cut(x, (0, 100), (1, 100)))
        return ops.tanh(ops.concatenate(cut(value, (0, 100), (0, 1)), value, axis=1))

    found = graph(function, (100, 100))
    assert boxes(write_in_boxes(make_kernels(found))) == 0
    check(found, 0)


def test_results() -> None:
    """A value that is returned keeps its own array."""

    def function(x: Symbol) -> tuple[Symbol, Symbol]:
        value = ops.tanh(cut(x, (0, 100), (1, 100)))
        return value, assign(x, value, (0, 100), (1, 100))

    check(graph(function, (100, 100)), 0)


def test_small_tensors() -> None:
    """A kernel passes over a small tensor sooner than its edges are assigned."""
    check(graph(lambda x: assign(x, ops.tanh(cut(x, (0, 10), (1, 10))), (0, 10), (1, 10)), (10, 10)), 0)


def test_many_elements() -> None:
    """Threads may share a kernel that writes in a box."""
    box = ((2, 1500), (1, 1400))
    check(graph(lambda x: assign(x, ops.tanh(ops.tanh(cut(x, *box))), *box), (1501, 1403)), 1)


@pytest.mark.parametrize("size", [40, 100])
def test_in_memory_of_what_is_around(size: int) -> None:
    """Two fields that follow from each other, in turn: after the first step no edge is assigned."""
    box, all_ = (1, size - 1), (0, size)

    def function(e: Symbol, h: Symbol) -> tuple[Symbol, Symbol]:
        e, h = ops.tanh(e), ops.tanh(h)
        for _ in range(3):
            moved = ops.subtract(cut(h, all_, (2, size)), cut(h, all_, (0, size - 2)))
            e = assign(e, ops.add(cut(e, all_, box), moved), all_, box)
            moved = ops.subtract(cut(e, (2, size), box), cut(e, (0, size - 2), box))
            h = assign(h, ops.add(cut(h, box, box), moved), box, box)
        return e, h

    check(graph(function, (size, size), (size, size)), 6, 0)


def test_values_that_are_read_later() -> None:
    """What is read after the box is computed, or beside it, is not overwritten: the edges are assigned."""
    size, edges = 100, 2
    box, all_ = (1, size - 1), (0, size)

    def later(e: Symbol) -> tuple[Symbol, Symbol]:
        e = ops.tanh(e)
        new = assign(e, ops.exp(cut(e, all_, box)), all_, box)
        return new, ops.multiply(ops.roll(new, shift=(1,), axis=(0,)), e)

    def beside(e: Symbol) -> Symbol:
        e = ops.tanh(e)
        return assign(e, ops.subtract(cut(e, all_, (2, size)), cut(e, all_, box)), all_, box)

    check(graph(later, (size, size)), 1, edges)
    check(graph(beside, (size, size)), 1, edges)


@pytest.mark.parametrize("size", [30, 90])
def test_states_of_loops(size: int) -> None:
    """Fields that are the states of a loop are overwritten in each iteration."""

    @ms.jit
    def steps(e: Tensor, h: Tensor, k: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        e, h, k = e.copy(), h.copy(), k.copy()
        for t in range(60):
            e[0] = float(t)
            e[1:] = e[1:] - 0.5 * (h[1:] - h[:-1])
            h[:-1, 1:-1] = h[:-1, 1:-1] - 0.1 * (e[1:, 1:-1] - e[:-1, 1:-1])
            k[1:-1, 1:-1] = 0.25 * (k[2:, 1:-1] + k[:-2, 1:-1] + k[1:-1, 2:] + k[1:-1, :-2]) + 0.01 * h[1:-1, 1:-1]
        return e, h, k

    arrays = [np.random.default_rng(seed).standard_normal((size, size + 1)).astype(np.float32) for seed in range(3)]
    e, h, k = [array.astype(np.float64) for array in arrays]
    for t in range(60):
        e[0] = t
        e[1:] -= 0.5 * (h[1:] - h[:-1])
        h[:-1, 1:-1] -= 0.1 * (e[1:, 1:-1] - e[:-1, 1:-1])
        k[1:-1, 1:-1] = 0.25 * (k[2:, 1:-1] + k[:-2, 1:-1] + k[1:-1, 2:] + k[1:-1, :-2]) + 0.01 * h[1:-1, 1:-1]
    tensors = [Tensor(array) for array in arrays]
    for _ in range(2):
        for made, wanted in zip(steps(*tensors), (e, h, k), strict=True):
            np.testing.assert_allclose(made.asnumpy(), wanted, rtol=1e-3, atol=1e-3)
    assert boxes(steps.stages(*tensors).optimized) >= 2


@pytest.mark.parametrize("low", [(1, 1), (0, 3), (2, 0), (0, 0)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
def test_large_results_between_zeros(low: tuple[int, int], dtype: Any) -> None:
    """The zeros are assigned; the factor stays before the padding. Other readers, too."""
    x = Tensor((10 * np.random.default_rng(0).standard_normal((4, 150, 170))).astype(dtype))
    bottom, right = low[::-1]

    def padded(x: Any) -> Any:
        return ms.ops.pad((x[:, 1:] + x[:, :-1]) * 3, [low[1], right, low[0], bottom])

    def also(x: Any) -> Any:
        y = ms.ops.square(x) + 1
        return ms.ops.pad(y, [low[1], right, low[0], bottom]), (y * y).sum(1)

    for function in (padded, also):
        plain = ms.jit(function, passes_off=["boxes", "windows"])(x)
        found = ms.jit(function)(x)
        for one, other in zip(
            found if function is also else [found], plain if function is also else [plain], strict=True
        ):
            np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-5, 1e-5)
    program = ms.jit(padded).stages(x).program
    assert program.count("compile_kernel('''") == 1
    assert ("update_slice" in program) == any(low)


def test_padded_results_that_stay_copies() -> None:
    """Small ones, and those with many zeros around."""
    for shape, widths in (((30, 30), [1, 1, 1, 1]), ((300, 300), [9, 9, 9, 9])):
        text = str(
            ms.jit(lambda x, w=widths: ms.ops.pad(ms.ops.exp(x), w)).stages(Tensor(np.ones(shape, np.float32))).program
        )
        assert "update_slice" not in text
