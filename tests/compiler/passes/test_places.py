"""Reads and sums at positions in kernels: which nodes become which, and that programs agree with NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.ir.graph import walk
from mycel.compiler.ir.parser import parse
from mycel.compiler.memory import groups
from mycel.compiler.ops import OPS, scattered
from mycel.compiler.passes import places as pass_of_places
from mycel.compiler.pipeline import compile_graph
from mycel.runtime.kernels.positions import PositionError
from mycel.runtime.machine.executable import unavailable

needs_machine_code = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

RNG = np.random.default_rng(0)


def numbers(*shape: int) -> Tensor:
    return Tensor(RNG.standard_normal(shape).astype(np.float32))


def places(count: int, *shape: int, dtype: Any = np.int32) -> Tensor:
    return Tensor(RNG.integers(0, count, shape).astype(dtype))


def rows(x: Any, w: Any, i: Any, j: Any) -> Any:
    return ops.unsorted_segment_sum(ops.gather(x, i, 0) * w, j, 5)


def elements(x: Any, w: Any, i: Any, j: Any) -> Any:
    return ops.tanh(x[i, j] * w[:, 0])


def along(x: Any, w: Any, i: Any, j: Any) -> Any:
    return ops.exp(ops.gather_elements(x, 1, i.reshape(4, 10)) * 0.5)


def columns(x: Any, w: Any, i: Any, j: Any) -> Any:
    return ops.sin(ops.gather(x, j, 1)).sum(1)


def coordinates(x: Any, w: Any, i: Any, j: Any) -> Any:
    return ops.gather_nd(x, ops.stack((i, j), 1)) * w[:, 0]


def written(x: Any, w: Any, i: Any, j: Any) -> Any:
    return ops.tensor_scatter_add(x, i.reshape(-1, 1), ops.broadcast_to(w * 2.0, (40, 5)))


def extremes(x: Any, w: Any, i: Any, j: Any) -> Any:
    return ops.unsorted_segment_max(w * 3.0, j, 5) + ops.unsorted_segment_min(w, j, 5)


PROGRAMS = [rows, elements, along, columns, coordinates, written, extremes]


def arguments(program: Any, dtype: Any) -> list[Tensor]:
    count = 5 if program is along else 9
    return [numbers(9, 5), numbers(40, 1), places(count, 40, dtype=dtype), places(5, 40, dtype=dtype)]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("program", PROGRAMS)
def test_values_and_gradients_are_those_without_kernels(program: Any, dtype: Any) -> None:
    given = arguments(program, dtype)
    found = []
    for off in ([], ["kernels"], ["places"]):
        step = ms.jit(ms.value_and_grad(lambda *x: (program(*x) ** 2).sum(), (0, 1)), passes_off=off)
        value, gradients = step(*given)
        found.append([value, program(*given), *gradients])
    for other in found[1:]:
        for one, expected in zip(found[0], other, strict=True):
            np.testing.assert_allclose(one.asnumpy(), expected.asnumpy(), 2e-5, 1e-5)


@needs_machine_code
@pytest.mark.parametrize("program", PROGRAMS)
def test_all_of_it_is_in_kernels(program: Any) -> None:
    given = arguments(program, np.int32)
    step = ms.jit(ms.value_and_grad(lambda *x: (program(*x) ** 2).sum(), (0, 1)))
    left = [node.op.name for node in step.stages(*given).optimized.nodes]
    for name in ("take", "take_add", "index", "index_add", "gather_elements", "scatter_elements", "gather_nd"):
        assert name not in left, left
    assert "gathered" not in left
    assert "scattered" not in left
    assert "scatter_nd" not in left


@needs_machine_code
def test_what_is_gathered_is_not_written_to_memory() -> None:
    given = [numbers(50, 64), numbers(300, 1), places(50, 300), places(50, 300)]
    stages = ms.jit(lambda x, w, i, j: ops.unsorted_segment_sum(ops.gather(x, i, 0) * w, j, 50)).stages(*given)
    assert "f32[300, 64]" in str(stages.optimized)
    assert not any(value.type.shape == (300, 64) for node in stages.optimized.nodes for value in node.outputs)


def assigned(x: Any, v: Any, i: Any) -> Any:
    y = x * 2
    y[i] = v
    return y


def assigned_within(x: Any, v: Any, i: Any) -> Any:
    y = x * 2
    y[:, i] = v
    return y


PAIRS = np.stack([RNG.integers(-60, 60, 5000), RNG.integers(-70, 70, 5000)], 1)
ASSIGNMENTS = [
    (assigned, (300,), (5000,), RNG.integers(-300, 300, 5000)),
    (assigned, (300, 3), (2000, 3), RNG.integers(-300, 300, 2000)),
    (assigned_within, (60, 80), (60, 90), RNG.integers(-80, 80, 90)),
    (lambda x, v, i: ops.tensor_scatter_elements(x * 2, i, v, 1), (70, 90), (70, 80), RNG.integers(-90, 90, (70, 80))),
    (lambda x, v, i: ops.tensor_scatter_elements(x * 2, i, v, 0), (90, 70), (80, 70), RNG.integers(-90, 90, (80, 70))),
    (lambda x, v, i: ops.tensor_scatter_update(x * 2, i, v), (60, 70), (5000,), PAIRS),
]


@pytest.mark.parametrize(("program", "shape", "region", "where"), ASSIGNMENTS)
def test_both_gradients_of_assignments_are_one_node(program: Any, shape: Any, region: Any, where: Any) -> None:
    """The value assigned last has the gradient of an element, the others have zero."""
    given = numbers(*shape), numbers(*region), Tensor(where.astype(np.int32))

    def loss(*inputs: Any) -> Any:
        y = program(*inputs)
        return (y * y * y).sum()

    found = []
    for off in ([], ["places"]):
        step = ms.jit(ms.value_and_grad(loss, (0, 1)), passes_off=off)
        found += [step(*given) for _ in range(2)]
        names = [node.op.name for node in step.stages(*given).optimized.nodes]
        assert ("taken" in names) == (not off and unavailable() is None), names
    for value, gradients in found[:-1]:
        np.testing.assert_allclose(value.asnumpy(), found[-1][0].asnumpy(), 1e-5)
        for one, expected in zip(gradients, found[-1][1], strict=True):
            np.testing.assert_allclose(one.asnumpy(), expected.asnumpy(), 1e-5, 1e-6)


@needs_machine_code
def test_one_gradient_of_an_assignment_needs_no_other() -> None:
    """What is not asked for is not computed; what was there before is taken where the gradient lies."""
    program, shape, region, where = ASSIGNMENTS[0]
    given = numbers(*shape), numbers(*region), Tensor(where.astype(np.int32))
    for number in (0, 1):
        step = ms.jit(ms.grad(lambda *inputs: (program(*inputs) ** 3).sum(), number))
        assert "taken" not in [node.op.name for node in step.stages(*given).optimized.nodes]
    both = ms.jit(ms.grad(lambda *inputs: (program(*inputs) ** 3).sum(), (0, 1))).stages(*given)
    assert both.plan.nbytes < 300 * 4


def test_sums_are_added_one_after_the_other() -> None:
    values, where = numbers(200, 4), places(3, 200)
    expected = np.zeros((3, 4), np.float32)
    np.add.at(expected, where.asnumpy(), values.asnumpy())
    found = ms.jit(lambda v, i: ops.unsorted_segment_sum(v, i, 3))(values, where)
    np.testing.assert_array_equal(found.asnumpy(), expected)


def test_the_line_of_a_wrong_position_is_told_by_gather() -> None:
    def function(x: Any, i: Any, j: Any) -> Any:
        first = ops.exp(x[0]) + ops.gather(x, i, 0)
        second = ops.gather(x, j, 0)
        return first * second

    line = function.__code__.co_firstlineno
    x, good, bad = numbers(5, 8), Tensor([0, 1]), Tensor([0, 5])
    for number, given in ((1, (x, bad, good)), (2, (x, good, bad))):
        with pytest.raises(PositionError, match="index 5 is out of range for dimension 0, of size 5") as caught:
            ms.jit(function)(*given)
        assert f"test_places.py:{line + number}" in str(caught.value)


def test_integers_are_added_up_at_positions_of_other_widths() -> None:
    values, where = Tensor(RNG.integers(-9, 9, 100)), places(7, 100)
    expected = np.zeros(7, np.int64)
    np.add.at(expected, where.asnumpy(), values.asnumpy() * 3)
    found = ms.jit(lambda v, i: ops.unsorted_segment_sum(v * 3, i, 7))(values, where)
    np.testing.assert_array_equal(found.asnumpy(), expected)


def test_positions_that_the_program_computes_and_views_of_them() -> None:
    x, i = numbers(20, 3), places(5, 40)
    program = ms.jit(lambda x, i: ops.gather(x.reshape(10, 6), (i * 2 + 1)[::2], 0).sum(1))
    found = program(x, i)
    expected = x.asnumpy().reshape(10, 6)[(i.asnumpy() * 2 + 1)[::2]].sum(1)
    np.testing.assert_allclose(found.asnumpy(), expected, 1e-5, 1e-6)


def test_two_axes_may_go_along_one_dimension() -> None:
    """Then a diagonal is read, or added to."""
    text = """graph f(%x: f32[6, 4, 5], %v: f32[4], %i: i64[4]) {
      %a: f32[4] = gathered(%x, %i, axes=(-1, 0, 0), region=(4,))
      %r: f32[4] = tanh(%a)
      %s: f32[6, 4, 5] = scattered(%v, %i, axes=(-1, 0, 0), region=(4,), shape=(6, 4, 5), reduction='add')
      return %r, %s
    }"""
    x, v, i = numbers(6, 4, 5).asnumpy(), numbers(4).asnumpy(), np.array([5, 0, -6, 2])
    found, total = compile_graph(parse(text, OPS), name="f").run(x, v, i)
    each, expected = np.arange(4), np.zeros((6, 4, 5), np.float32)
    np.testing.assert_allclose(found, np.tanh(x[i, each, each]), 1e-6)
    np.add.at(expected, (i, each, each), v)
    np.testing.assert_array_equal(total, expected)


@needs_machine_code
@pytest.mark.parametrize("best", [lambda x: ops.topk(x, 5)[0], lambda x: ops.sort(x)[0], lambda x: ops.median(x, 1)[0]])
def test_gradients_of_ordered_elements_are_kernels(best: Any) -> None:
    """The gradient of the best elements is scattered to where they were found."""
    x = numbers(16, 40)
    step = ms.jit(ms.grad(lambda x: (best(x) ** 2).sum()))
    gradient, plain = step(x).asnumpy(), x.asnumpy()
    kept = gradient != 0
    np.testing.assert_allclose(gradient[kept], 2 * plain[kept], 1e-6)
    assert kept.sum() == best(x).size
    assert "take_along_add" not in step.stages(x).program


@needs_machine_code
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_an_element_or_a_row_of_a_small_tensor_is_assigned_by_a_choice(dtype: str) -> None:
    """Positions may count from the end; those that are out of range are errors as elsewhere."""

    def function(x: Any, i: Any, j: Any, row: Any) -> Any:
        x[i, j] = row[0]
        x[j - 1] = row
        y = ops.stack((x, x - 1), 1)
        y[:, 0, j] = i.astype(x.dtype)
        y[:, j % 2] = x * 3
        return y * 2

    step, x, row = ms.jit(function), np.arange(12).reshape(4, 3).astype(dtype), np.array([20, 21, 22], dtype)
    for i, j in ((1, 2), (-1, -3), (3, 0)):
        for kind in (np.int32, np.int64):
            given = [Tensor(x), Tensor(np.array(i, kind)), Tensor(np.array(j, kind)), Tensor(row)]
            expected = x.copy()
            expected[i, j] = 20
            expected[j - 1] = row
            stacked = np.stack((expected, expected - 1), 1)
            stacked[:, 0, j] = i
            stacked[:, j % 2] = expected * 3
            np.testing.assert_array_equal(step(*given).asnumpy(), stacked * 2)
    assert str(step.stages(*given).optimized).count(" = index_update(") == 1  # of y[:, 0, j]
    for i, j in ((4, 0), (0, 3), (-5, 0), (0, -4)):
        with pytest.raises(IndexError, match="is out of range"):
            step(Tensor(x), Tensor(i), Tensor(j), Tensor(row))


@needs_machine_code
@pytest.mark.parametrize("columns", [1, 3, 4, 5, 8, 12, 17])
@pytest.mark.parametrize("name", ["sum", "max", "min"])
def test_rows_of_segments_are_combined_with_those_just_written(name: str, columns: int) -> None:
    """Segments in order: a row is read right after it has been written, in loads of as many bytes."""
    random = np.random.default_rng(columns)
    x = random.integers(-9, 9, (300, columns)).astype(np.float32)
    ids = np.sort(random.integers(-1, 7, 300)).astype(np.int32)
    step = ms.jit(lambda x, i: getattr(ops, f"unsorted_segment_{name}")(x, i, 7))
    ufunc = {"sum": np.add, "max": np.maximum, "min": np.minimum}[name]
    expected = np.stack([ufunc.reduce(x[ids == number]) for number in range(7)])
    np.testing.assert_array_equal(step(Tensor(x), Tensor(ids)).asnumpy(), expected)
    assert "segment_places" not in str(step.stages(Tensor(x), Tensor(ids)).optimized)


@needs_machine_code
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_kernels_leave_out_what_has_a_negative_segment(dtype: Any) -> None:
    ids = np.array([3, -1, 0, -2, 3, -(1 << 31), 2, -5], dtype)
    given = numbers(8, 3), Tensor(ids)
    step = ms.jit(ms.value_and_grad(lambda x, i: (ops.unsorted_segment_sum(x, i, 4) ** 3).sum()))
    value, gradient = step(*given)
    x, expected = given[0].asnumpy(), np.zeros((4, 3), np.float32)
    np.add.at(expected, ids[ids >= 0], x[ids >= 0])
    np.testing.assert_allclose(value.asnumpy(), (expected**3).sum(), 1e-5)
    np.testing.assert_allclose(gradient.asnumpy(), np.where(ids[:, None] < 0, 0, 3 * expected[ids % 4] ** 2), 1e-5)
    shown = str(step.stages(*given).optimized)
    assert "segment_places" not in shown
    assert shown.count("axes=(-2, 1)") == 2
    for wrong in (4, 5, 1 << 20, *([-(1 << 31) - 1] if dtype is np.int64 else [])):
        for call in (step, lambda x, i: ops.unsorted_segment_sum(x, i, 4)):
            with pytest.raises(IndexError, match=f"index {wrong} is out of range: it should be below 4"):
                call(given[0], Tensor(np.full(8, wrong, dtype)))


@needs_machine_code
@pytest.mark.parametrize("shape", [(4096,), (30, 1000), (100, 7), (50021,)])
def test_positions_are_computed_where_sums_are(shape: tuple[int, ...]) -> None:
    """In rows that they can be kept for; none are for a prime number of elements."""

    def counted(x: Any, w: Any) -> Any:
        return ops.zeros((6,)).index_add(0, ops.floor(x.reshape(-1) * 4).astype(ms.int32), (x * w).reshape(-1))

    x, w = RNG.uniform(0, 1.49, shape).astype(np.float32), RNG.standard_normal(shape).astype(np.float32)
    step = ms.jit(counted)
    wanted = np.zeros(6)
    np.add.at(wanted, np.floor(x * np.float32(4)).astype(int), (x * w).astype(np.float64))
    np.testing.assert_allclose(step(Tensor(x), Tensor(w)).asnumpy(), wanted, 1e-3, 1e-3)
    source = step.stages(Tensor(x), Tensor(w)).program
    assert ("index " in source) == (shape == (50021,))
    _, slope = ms.jit(ms.value_and_grad(lambda x, w: (counted(x, w) ** 2).sum(), 1))(Tensor(x), Tensor(w))
    np.testing.assert_allclose(slope.asnumpy(), 2 * x * wanted[np.floor(x * np.float32(4)).astype(int)], 1e-3, 1e-2)
    x.reshape(-1)[-1] = 1.6
    with pytest.raises(IndexError, match="index 6 is out of range"):
        step(Tensor(x), Tensor(w))


@needs_machine_code
def test_a_histogram_takes_no_memory_for_positions() -> None:
    x = RNG.standard_normal(100_000).astype(np.float32)
    step = ms.jit(lambda x: ops.histc(x, 64, -3.0, 3.0))
    wanted = np.histogram(x[(x >= -3) & (x <= 3)], 64, (-3.0, 3.0))[0]
    assert np.abs(step(Tensor(x)).asnumpy() - wanted).sum() <= 20  # rounding at the bounds of bins
    assert "arena: 0 bytes" in str(step.stages(Tensor(x)).plan)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.float16, np.bool_])
def test_few_narrow_numbers_are_read_by_kernels(dtype: Any) -> None:
    """A table of bytes is looked up in a kernel if it is small, or has no more elements than are read."""
    for rows, count in ((20, 3), (400, 3), (400, 400)):
        table = Tensor((9 * RNG.standard_normal((rows, 5))).astype(np.int32).astype(dtype))
        where = places(rows, count)
        for read in (lambda t, i: t[i], lambda t, i: ops.gather(t, i, 0)):
            compiled = ms.jit(read)
            np.testing.assert_array_equal(compiled(table, where).asnumpy(), table.asnumpy()[where.asnumpy()])
            names = [node.op.name for node in compiled.stages(table, where).optimized.nodes]
            if unavailable() is None:
                assert ("kernel" in names) == (rows == 20 or count == 400), names


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int8, np.int16, np.float16])
def test_an_element_of_a_large_narrow_tensor_is_read_by_a_kernel(dtype: Any) -> None:
    """A loop that reads, by a counter or a computed position, what it changes runs as a whole."""

    @ms.jit
    def follow(state: Any, steps: Any) -> Any:
        at = steps[0]
        for k in range(40):
            at = (at + steps[k] + state[at].astype(ms.int32)) % 1500
            state = ops.where(state[k] > 0, 1 - state.astype(ms.int32), state.astype(ms.int32)).astype(state.dtype)
        return state, at

    state, steps = RNG.integers(0, 2, 1500).astype(dtype), RNG.integers(0, 1500, 40).astype(np.int32)
    found = [x.asnumpy() for x in follow(Tensor(state), Tensor(steps))]
    at = steps[0]
    for k in range(40):
        at = (at + steps[k] + int(state[at])) % 1500
        state = (1 - state.astype(np.int32) if state[k] > 0 else state).astype(dtype)
    np.testing.assert_array_equal(found[0], state)
    assert found[1] == at
    if unavailable() is None:
        assert "gathered = kernels" not in follow.stages(Tensor(state), Tensor(steps)).program


@needs_machine_code
@pytest.mark.parametrize(
    ("threads", "dtype", "shape"),
    chequered([1, 3], [np.float32, np.float64, np.int32, np.int64], [(90,), (3, 41), (2, 5, 8209)]),
)
def test_sums_at_positions_that_are_added_up_are_one_sum(
    shape: tuple[int, ...], dtype: Any, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their positions may be given or computed, the same or others, and are checked; one tensor is filled."""
    monkeypatch.setattr(groups, "thread_count", lambda: threads)
    count = shape[-1]
    values = [RNG.integers(-9, 9, shape).astype(dtype) for _ in range(3)]
    given = RNG.integers(-count, count, shape)

    def function(a: Any, b: Any, c: Any, i: Any) -> Any:
        axis, zeros = len(shape) - 1, ops.zeros_like(a)
        j = (i + count) // 2
        first = ops.tensor_scatter_elements(zeros, i, a * 2, axis, "add")
        return first + ops.tensor_scatter_elements(zeros, j, b, axis, "add") + zeros.scatter_add(axis, i, c), a + b

    program, expected = ms.jit(function), np.zeros(shape, dtype)
    arguments = [*map(Tensor, values), Tensor(given)]
    found = program(*arguments)[0].asnumpy()
    key = np.indices(shape)
    for value, index in zip((values[0] * 2, *values[1:]), (given, (given + count) // 2, given), strict=True):
        np.add.at(expected, (*key[:-1], index), value)
    np.testing.assert_array_equal(found, expected)
    placed = [node for node in walk(program.stages(*arguments).optimized) if node.op is scattered]
    assert len(placed) == 1
    given.flat[7] = count
    with pytest.raises(IndexError, match=f"{count}"):
        program(*map(Tensor, values), Tensor(given))


def test_a_sum_of_what_is_much_larger_than_its_tensor_is_a_sum_of_its_own() -> None:
    """Else all values would be kept until the last one is there."""
    x, i = numbers(50), places(50, 500)
    program = ms.jit(ms.grad(lambda x: (ops.gather(x, i, 0) ** 2).sum() + ops.exp(ops.gather(x, 49 - i, 0)).sum()))
    index, expected = i.asnumpy(), np.zeros(50, np.float32)
    np.add.at(expected, index, 2 * x.asnumpy()[index])
    np.add.at(expected, 49 - index, np.exp(x.asnumpy()[49 - index]))
    np.testing.assert_allclose(program(x).asnumpy(), expected, 1e-5, 1e-4)
    assert all(len(node.inputs) == 2 for node in walk(program.stages(x).optimized) if node.op is scattered)


@needs_machine_code
@pytest.mark.parametrize("rest", [(), (1,), (3,), (16,), (5, 4)])
@pytest.mark.parametrize("threads", [1, 2])
def test_gradients_of_rows_that_are_read_often_are_one_sum(
    rest: tuple[int, ...], threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "thread_count", lambda: threads)
    x, i, j, w = numbers(50, *rest), places(50, 300), places(50, 300), numbers(*rest[-1:], *rest[-1:])

    def function(x: Any, i: Any, j: Any, w: Any) -> Any:
        first = ops.gather(x, i, 0)
        first = ops.tanh(first @ w if rest else first)  # what is computed of a product has a kernel of its own
        return (first * ops.gather(x, j, 0) - ops.gather(x, i // 2, 0)).sum()

    program = ms.jit(ms.grad(function))
    table, one, two, weight = (t.asnumpy() for t in (x, i, j, w))
    first = np.tanh(table[one] @ weight if rest else table[one])
    product = table[two] * (1 - first**2)
    expected = np.zeros_like(table)
    np.add.at(expected, one, product @ weight.T if rest else product)
    np.add.at(expected, two, first)
    np.add.at(expected, one // 2, -1.0)
    np.testing.assert_allclose(program(x, i, j, w).asnumpy(), expected, 1e-4, 1e-4)
    assert len([node for node in walk(program.stages(x, i, j, w).optimized) if node.op is scattered]) == 1


def test_all_pairs_of_two_sums_at_positions_are_no_sum_at_positions() -> None:
    def function(x: Any, i: Any, j: Any) -> Any:
        zeros = ops.zeros((50,), ms.float32)
        return zeros.scatter_add(0, i, x).reshape(50, 1) + zeros.scatter_add(0, j, x + 1).reshape(1, 50)

    x, i, j = numbers(20), places(50, 20), places(50, 20)
    np.testing.assert_allclose(ms.jit(function)(x, i, j).asnumpy(), function(x, i, j).asnumpy(), 1e-5, 1e-5)


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_few_numbers_are_added_to_a_small_state_by_kernels() -> None:
    def visits(v: Any, p: Any) -> Any:
        for i in range(50):
            v = ops.index_add(v, p[i], ops.ones((7,), ms.float32), 0)
        return v

    random = np.random.default_rng(0)
    v = Tensor(random.standard_normal(600).astype(np.float32))
    p = Tensor(random.integers(0, 600, (50, 7)).astype(np.int32))
    compiled, expected = ms.jit(visits), v.asnumpy().copy()
    np.add.at(expected, p.asnumpy(), np.float32(1))
    np.testing.assert_allclose(compiled(v, p).asnumpy(), expected, 1e-5)
    (loop,) = [node for node in compiled.stages(v, p).optimized.nodes if node.op.kind in ("loop", "loop_kernel")]
    assert not {"take_add", "index_add"} & {node.op.name for node in loop.attrs["body"].nodes}


@needs_machine_code
@pytest.mark.parametrize("reduction", ["add", "max"])
def test_rows_of_a_large_tensor_are_combined_in_place(monkeypatch: pytest.MonkeyPatch, reduction: str) -> None:
    combine = {"add": ops.tensor_scatter_add, "max": ops.tensor_scatter_max}[reduction]

    def alone(x: Tensor, i: Tensor, y: Tensor) -> Tensor:
        return combine(x, i, y)

    def read(x: Tensor, i: Tensor, y: Tensor) -> Tensor:
        return ops.exp(combine(x, i, y))

    def made(function: Any, *given: Tensor) -> set[str]:
        return {node.op.name for node in walk(ms.jit(function).stages(*given).optimized)}

    x, i, y, short = numbers(50, 16), places(50, 40, 1), numbers(40, 16), numbers(50, 4)
    expected = alone(x, i, y).asnumpy()
    assert "scattered" in made(alone, x, i, y)
    monkeypatch.setattr(pass_of_places, "cache_bytes", lambda: 100)
    assert "scattered" not in made(alone, x, i, y)
    np.testing.assert_allclose(ms.jit(alone)(x, i, y).asnumpy(), expected, 1e-6)
    assert "scattered" in made(read, x, i, y)  # a kernel reads it
    assert "scattered" in made(alone, short, i, numbers(40, 4))  # rows of less than a cache line
