"""Interleaved stores: which programs have them, that numbers stay, and what kernels cannot write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops as library
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.interleaving import interleave, write_interleaved
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
ONE = (1, 1)


def part(x: Symbol, *bounds: tuple[int, int]) -> Symbol:
    """The elements from a first one on, with a step, along each axis."""
    start, step = zip(*bounds, strict=True)
    return ops.slice(x, start=start, stop=x.type.shape, step=step)


def joined(parts: Sequence[Symbol], axis: int) -> Symbol:
    """Parts that are stacked behind an axis, which is joined with theirs."""
    shape = list(parts[0].type.shape)
    rows = [*shape[: axis + 1], 1, *shape[axis + 1 :]]
    stacked = ops.concatenate(*[ops.reshape(each, shape=tuple(rows)) for each in parts], axis=axis + 1)
    shape[axis] *= len(parts)
    return ops.reshape(stacked, shape=tuple(shape))


def tried(function: Callable[..., Any], *shapes: tuple[int, ...]) -> Any:
    """The program of a function of float32 tensors of these shapes, which gives what the interpreter gives."""
    graph = verify(record("f", [TensorType(dtypes.float32, shape) for shape in shapes], lambda *x: [function(*x)]))
    compiled = compile_graph(graph, name="tried", options=Options(debug=True))
    random = np.random.default_rng(0)
    for _ in range(2):
        arrays = [random.normal(size=shape).astype(np.float32) for shape in shapes]
        np.testing.assert_allclose(compiled.run(*arrays)[0], interpret(graph, arrays)[0], rtol=1e-5, atol=1e-6)
    return compiled


def kernels(graph: Graph) -> list[int]:
    """The outputs of kernels."""
    assert not any(node.op is ops.interleaved for node in graph.nodes)
    return [len(node.outputs) for node in graph.nodes if node.op is ops.kernel]


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_one_kernel_writes_joined_rows(axis: int, count: int) -> None:
    def function(x: Symbol) -> Symbol:
        return joined([ops.tanh(x), *[ops.multiply(x, float(number)) for number in range(1, count)]], axis)

    assert kernels(tried(function, (20, 24)).stages["interleaved"]) == [1]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_one_kernel_writes_columns_that_are_joined(count: int) -> None:
    """Coordinates that are computed and stacked, and the gradients of channels that are taken apart."""

    def turned(x: Tensor) -> Tensor:
        return library.stack([library.tanh(x[..., k]) * x[..., k - 1] for k in range(count)], -1)

    x = Tensor(np.random.default_rng(0).normal(size=(50, 7, count)).astype(np.float32))
    with ms.disable_jit():
        wanted = turned(x).asnumpy(), ms.grad(lambda x: (turned(x) ** 2).sum())(x).asnumpy()
    for function, expected in zip((ms.jit(turned), ms.grad(lambda x: (turned(x) ** 2).sum())), wanted, strict=True):
        np.testing.assert_allclose(function(x).asnumpy(), expected, 1e-5, 1e-5)
        stages = function.stages(x)  # type: ignore[attr-defined]
        assert stages.program.count("compile_kernel(") == 1
        assert " concatenate(" not in str(stages.passes["interleave"])


@pytest.mark.parametrize(("shape", "axis"), [((6, 5, 64), 1), ((6, 64), 1), ((3, 2, 4, 16), 1), ((2, 3, 4, 32), 2)])
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.complex64])
def test_one_kernel_writes_long_parts_that_are_joined(
    shape: tuple[int, ...], axis: int, count: int, dtype: type
) -> None:
    function = ms.jit(lambda x: library.cat([x - number * x for number in range(count)], axis))
    x = np.random.default_rng(0).integers(-9, 9, shape).astype(dtype)
    found, text = function(Tensor(x)), str(function.stages(Tensor(x)).optimized)
    np.testing.assert_array_equal(found.asnumpy(), np.concatenate([x - number * x for number in range(count)], axis))
    if dtype in (np.float32, np.float16):
        assert text.count("kernel(") == 1
        assert "interleaved(" in text


def test_long_parts_that_are_given_or_read_by_elements_are_joined_by_their_reader() -> None:
    x, y = (np.random.default_rng(seed).normal(size=(4, 64)).astype(np.float32) for seed in (1, 2))
    for function, expected in (
        (lambda x, y: library.cat([library.tanh(x), y], 1), np.concatenate([np.tanh(x), y], 1)),
        (lambda x, y: library.exp(library.cat([-x, y * 2], 1)), np.exp(np.concatenate([-x, y * 2], 1))),
    ):
        compiled = ms.jit(function)
        np.testing.assert_allclose(compiled(Tensor(x), Tensor(y)).asnumpy(), expected, 1e-5)
        assert "interleaved" not in str(compiled.stages(Tensor(x), Tensor(y)).optimized)


def test_numbers_and_what_is_read_from_memory_are_written_too() -> None:
    def function(x: Symbol, y: Symbol) -> Symbol:
        zeros = ops.full(shape=(20, 24), value=3.0, dtype=dtypes.float32)
        return joined([ops.tanh(x), y, zeros], 0)

    assert kernels(tried(function, (20, 24), (20, 24)).stages["interleaved"]) == [1]


def test_what_others_read_is_stored_too() -> None:
    def function(x: Symbol) -> Symbol:
        y = ops.tanh(x)
        whole = joined([y, ops.exp(x)], 0)
        return ops.add(ops.matmul(y, ops.transpose(y, axes=(1, 0))), ops.sum(whole, axis=(0, 1), keepdims=False))

    assert 2 in kernels(tried(function, (20, 24)).stages["interleaved"])


def test_parts_of_products_are_read_by_a_kernel() -> None:
    def function(x: Symbol) -> Symbol:
        y = ops.matmul(x, x)
        return joined([ops.tanh(y), y], 0)

    assert kernels(tried(function, (24, 24)).stages["interleaved"]) == [1]


def test_parts_of_sums_over_all_rows_are_no_part_of_their_kernel() -> None:
    def function(x: Symbol) -> Symbol:
        return joined([ops.sum(ops.tanh(x), axis=(0,), keepdims=False), ops.sum(x, axis=(0,), keepdims=False)], 0)

    tried(function, (24, 40))


@pytest.mark.parametrize("steps", [(2, 1), (1, 2), (3, 1), (2, 2), (4, 2)])
@pytest.mark.parametrize("shape", [(24, 32), (25, 33), (27, 30)])
def test_gradients_of_strided_slices_are_one_kernel_or_two(steps: tuple[int, int], shape: tuple[int, int]) -> None:
    x = Tensor(np.random.default_rng(0).normal(size=shape))

    def function(x: Any) -> Any:
        return (x[:: steps[0], :: steps[1]] ** 3).sum() + (x * x).sum()

    gradient = ms.grad(function)
    expected = 2 * x.asnumpy()
    expected[:: steps[0], :: steps[1]] += 3 * x.asnumpy()[:: steps[0], :: steps[1]] ** 2
    np.testing.assert_allclose(gradient(x).asnumpy(), expected, rtol=1e-12)
    is_whole = not any(size % step for size, step in zip(shape, steps, strict=True))
    assert str(gradient.stages(x).optimized).count("kernel(") == (1 if is_whole else 2)


@pytest.mark.parametrize("size", [3, 6, 8])
def test_gradients_of_elements_of_small_matrices_are_one_kernel(size: int) -> None:
    m = Tensor(np.random.default_rng(0).normal(size=(20, size, size)))

    def determinant(m: Any) -> Any:
        first = m[:, 1, 1] * m[:, 2, 2] - m[:, 1, 2] * m[:, 2, 1]
        second = m[:, 1, 0] * m[:, 2, 2] - m[:, 1, 2] * m[:, 2, 0]
        third = m[:, 1, 0] * m[:, 2, 1] - m[:, 1, 1] * m[:, 2, 0]
        return (m[:, 0, 0] * first - m[:, 0, 1] * second + m[:, 0, 2] * third).sum()

    gradient = ms.grad(determinant)
    corner = m.asnumpy()[:, :3, :3]
    expected = np.zeros(m.shape)
    expected[:, :3, :3] = np.linalg.inv(corner).transpose(0, 2, 1) * np.linalg.det(corner)[:, None, None]
    np.testing.assert_allclose(gradient(m).asnumpy(), expected, rtol=1e-8, atol=1e-12)
    assert str(gradient.stages(m).optimized).count("kernel(") == 1


def test_kernels_read_no_parts_that_they_write() -> None:
    def function(x: Any) -> Any:
        u = (library.exp(0.1 * x[::2, 1:3]) + x[::2, :2] ** 2) * -x[::2, 1:3]
        rows = [library.maximum(u[1::4, 1:], 0.1), -u[1::4, :1], library.exp(0.1 * u[:10:4, 1:])]
        return (library.stack(rows, 1).reshape((9, 1)) ** 3).sum()

    random = np.random.default_rng(0)
    x, moved = random.normal(size=(20, 3)), 1e-6 * random.normal(size=(20, 3))
    expected = function(Tensor(x + moved)).asnumpy() - function(Tensor(x - moved)).asnumpy()
    np.testing.assert_allclose((ms.grad(function)(Tensor(x)).asnumpy() * moved).sum() * 2, expected, rtol=1e-5)


def test_parts_of_one_box_are_added_first() -> None:
    x = Tensor(np.random.default_rng(0).normal(size=(20, 7, 6)))

    def function(x: Any) -> Any:
        return (x[:, 0, 0] * x[:, 5, 5] + x[:, 5, 5] ** 2 * x[:, 0, 0] + x[:, 2, 1] ** 3 + x[:, 0, 0] ** 2).sum()

    gradient = ms.grad(function)
    a = x.asnumpy()
    expected = np.zeros_like(a)
    expected[:, 0, 0] = a[:, 5, 5] + a[:, 5, 5] ** 2 + 2 * a[:, 0, 0]
    expected[:, 5, 5] = a[:, 0, 0] + 2 * a[:, 5, 5] * a[:, 0, 0]
    expected[:, 2, 1] = 3 * a[:, 2, 1] ** 2
    np.testing.assert_allclose(gradient(x).asnumpy(), expected, rtol=1e-12)
    assert str(gradient.stages(x).optimized).count("index_add(") <= 2


def test_additions_to_tensors_of_unknown_sizes_stay() -> None:
    types = [TensorType(dtypes.float32, shape) for shape in [(20, 3), (20, 1), (None, 3), (None, 1)]]
    column = ((0, 20, 1), (0, 1, 1))

    def function(x: Symbol, v: Symbol, y: Symbol, w: Symbol) -> list[Symbol]:
        total = ops.index_add(ops.index_add(x, v, spec=column), v, spec=column)
        return [total, ops.index_add(y, w, spec=((None, None, 1), (0, 1, 1)))]

    changed = interleave(verify(record("f", types, function)))
    assert [node.op.name for node in changed.nodes] == ["add", "index_add", "index_add"]


def test_sums_of_parts_with_unlike_steps_and_ends() -> None:
    x = Tensor(np.random.default_rng(0).normal(size=(31, 18)))

    def function(x: Any) -> Any:
        rows = (x[:-2:2] + x[1:-1:2] + x[2::2]) ** 2
        return rows.sum() + (x[1::3] ** 3).sum() + (x[5:9] ** 2).sum() + (library.exp(x[:, ::2]) * 2).sum()

    value, gradient = ms.value_and_grad(function)(x)
    direction = np.random.default_rng(1).normal(size=x.shape)
    ends = [function(Tensor(x.asnumpy() + step * direction)).asnumpy() for step in (1e-6, -1e-6)]
    assert (gradient.asnumpy() * direction).sum() == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)
    assert value.asnumpy() == pytest.approx(function(x).asnumpy())


def test_loops_write_interleaved_states() -> None:
    x = Tensor(np.random.default_rng(0).normal(size=(32, 16)))

    @ms.jit
    def haar(x: Any) -> Any:
        for _ in range(20):
            even, odd = x[::2], x[1::2]
            x = library.stack((even + 0.5 * odd, odd - 0.25 * even), 1).reshape(32, 16)
        return x

    expected = x.asnumpy()
    for _ in range(20):
        even, odd = expected[::2], expected[1::2]
        expected = np.stack((even + 0.5 * odd, odd - 0.25 * even), 1).reshape(32, 16)
    np.testing.assert_allclose(haar(x).asnumpy(), expected, rtol=1e-12)


def test_a_column_may_be_a_part_of_several_results() -> None:
    """The kernel that writes one of them keeps what the others read."""
    x = np.random.default_rng(0).normal(size=(372, 3)).astype(np.float32)

    @ms.jit
    def pairs(x: Any) -> Any:
        grey = x[:, 0] + 2 * x[:, 1] + 3 * x[:, 2]
        return library.stack((grey, -grey), 1), library.stack((grey, grey + 1), 1), library.stack((grey,) * 3, 1)

    grey = x @ np.array([1, 2, 3], np.float32)
    for found, parts in zip(pairs(Tensor(x)), [(grey, -grey), (grey, grey + 1), (grey,) * 3], strict=True):
        np.testing.assert_allclose(found.asnumpy(), np.stack(parts, 1), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.float16])
@pytest.mark.parametrize("number", [0, 3])
def test_narrow_columns_beside_constant_ones(dtype: type, number: int) -> None:
    """Instructions that move bytes have no form that reads one constant for all of them: the processor stopped."""
    x = np.arange(128).reshape(64, 2, 1).astype(dtype)

    @ms.jit
    def framed(x: Any) -> Any:
        return library.transpose(ms.mint.nn.functional.pad(x + x, (1, 1), value=number), (0, 2, 1)) + 0

    expected = np.pad(x + x, ((0, 0), (0, 0), (1, 1)), constant_values=number).transpose(0, 2, 1)
    np.testing.assert_array_equal(framed(Tensor(x)).asnumpy(), expected)


def test_columns_are_added_to_more_rows() -> None:
    random = np.random.default_rng(1)
    x, y = random.integers(9, size=(64, 129, 4)), random.integers(9, size=(129, 4))

    @ms.jit
    def total(x: Any, y: Any) -> Any:
        return x + library.stack((y[:, 0] * 3 + y[:, 1], y[:, 1], y[:, 2], y[:, 3]), 1)

    y_0 = y * 1
    y_0[:, 0] = y[:, 0] * 3 + y[:, 1]
    np.testing.assert_array_equal(total(Tensor(x), Tensor(y)).asnumpy(), x + y_0)


@pytest.mark.parametrize("channels", [2, 3, 4])
def test_rows_of_bools_are_true_or_false(channels: int) -> None:
    """They are all bits of a lane, as those that are read as columns are, not the byte in memory."""
    x = np.random.default_rng(2).random((17, 31, channels)) < 0.5
    found = ms.jit(lambda x: x[..., 1:2] ^ x)(Tensor(x))
    np.testing.assert_array_equal(found.asnumpy(), x[..., 1:2] ^ x)


def test_passes_leave_other_graphs_alone() -> None:
    type = TensorType(dtypes.float32, (6, 8))
    graph = verify(
        record("f", [type], lambda x: [ops.reshape(ops.pad(x, low=(1, 0), high=(1, 0), value=0), shape=(4, 16))])
    )
    assert str(write_interleaved(interleave(graph))) == str(graph)


def test_phases_must_be_within_steps() -> None:
    type = TensorType(dtypes.float32, (6, 8))
    with pytest.raises(ValueError, match="no phase"):
        record("f", [type], lambda x: [ops.interleaved(x, phases=(2, 0), steps=(2, 1))])
    with pytest.raises(ValueError, match="as many phases"):
        record("f", [type], lambda x: [ops.interleaved(x, x, phases=(1, 0, 1, 0), steps=(2, 1))])


def test_parts_of_sizes_that_only_the_run_knows_are_joined_beside_columns() -> None:
    @ms.jit(fullgraph=True)
    def both(x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        some = x[:4][library.nonzero(mask).flatten()]
        return library.cat([some, some.exp()]), library.stack([library.tanh(x), library.exp(x)], -1)

    joined, columns = both(library.ones(100_000), Tensor([1, 0, 1, 1]))
    assert (joined.shape, columns.shape) == ((6,), (100_000, 2))
