"""Short rows in kernels: columns become statements, in programs of all kinds, and numbers stay."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from drawn_groups import DrawnGroups, agree
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.kernels import short_rows, translation
from mycel.runtime.machine.executable import has_masked_vectors, unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def directions(x: Any, w: Any, b: Any) -> Any:
    length = ops.sqrt((x * x).sum(1, keepdims=True) + 1e-3)
    return ops.tanh(x / length * w + b).sum()


def softmax(x: Any, w: Any, b: Any) -> Any:
    return (ops.softmax(x * w, -1) * ops.log_softmax(x + b, -1)).sum()


def extremes(x: Any, w: Any, b: Any) -> Any:
    return ((x.max(1) - x.min(1)) * (x * w).sum(1)).sum() + (x.prod(1) * b.sum()).mean()


def pairs(x: Any, w: Any, b: Any) -> Any:
    """Sums over both axes beside the columns, which make accumulators with gaps."""
    d = x.expand_dims(0) * w.expand_dims(1) - x.expand_dims(1)
    return (ops.sqrt((d * d).sum(-1) + 0.1) * (d + b).max(0).mean()).mean()


def joined(x: Any, w: Any, b: Any) -> Any:
    """Parts of rows from several tensors, and rows turned."""
    y = ops.cat([x[:, 1:] * w[:, 1:], x[:, :1] + b[:1]], 1) * ops.roll(x, 1, 1)
    z = ops.stack([(x * w).sum(1), x.max(1)], -1)
    return (y * y).sum() + (z.reshape(-1) ** 2).mean()


def shifted(x: Any, w: Any, b: Any) -> Any:
    """Rows times what lies before them, which is joined from two parts."""
    first = ops.exp(x[:, 0])
    before = ops.cat([ops.ones_like(first[:1]), ops.tanh(first)[:-1]], 0)
    y = (before[:, None] * x + b) * ops.roll(first, 1, 0)[:, None]
    return (y * w).sum() + ops.square(y.sum(0)).sum()


def neighbours(x: Any, w: Any, b: Any) -> Any:
    """Rows at positions, their greatest elements among several, and positions of each column's own."""
    rows = Tensor((np.arange(60) * 7 % 77 - 77 * (np.arange(60) % 2)).reshape(20, 3).astype(np.int32))
    near = ops.tanh(x[rows] - x[rows[:, :1]])
    sums = ops.zeros_like(x).index_add(0, rows[:, 1], ops.exp(near[:, 2])) * w
    columns = Tensor(np.arange(77 * x.shape[1]).reshape(77, -1) * 5 % 77)
    each = ops.gather_elements(ops.sin(x), 0, columns) * ops.tanh(x + b)
    return (near.max(1) * sums[:20]).sum() + ops.square(each).sum()


def scanned(x: Any, w: Any, b: Any) -> Any:
    """Running sums, products, maxima and recurrences along rows, from both ends."""
    sums = ops.cumsum(x * w, 1) + ops.flip(ops.cumsum(ops.flip(x, (1,)), 1), (1,))
    return (ops.cumprod(x + b, 1) * ops.cummax(x, 1)[0]).sum() + (sums * ops.logcumsumexp(x, 1)).mean()


def moved(x: Any, w: Any, b: Any) -> Any:
    """Values that were computed, moved along their rows, in sums and scans of both directions."""
    y = ops.tanh(x + b)
    products = ops.cumprod(y * w, 1)
    ends = ops.flip(ops.cumsum(ops.flip(ops.roll(products, 1, 1) * y, (1,)), 1), (1,))
    return (ops.roll(ends * y, -2, 1) - products).max(1).sum() + ops.square(ops.roll(y, 1, 1) - x).mean()


PROGRAMS = [directions, softmax, extremes, pairs, joined, shifted, neighbours, scanned, moved]


@pytest.mark.parametrize(
    ("program", "columns", "dtype"), chequered(PROGRAMS, [2, 3, 4, 5, 7, 8], [np.float32, np.float64], every=4)
)
def test_values_and_gradients_are_those_without_kernels(program: Any, columns: int, dtype: Any) -> None:
    random = np.random.default_rng(columns)
    given = [Tensor(random.standard_normal(shape).astype(dtype)) for shape in ((77, columns), (1, columns), (columns,))]
    found = ms.jit(ms.value_and_grad(program, (0, 1, 2)))
    plain = ms.jit(ms.value_and_grad(program, (0, 1, 2)), passes_off=["kernels"])
    (value, gradients), (expected, others) = found(*given), plain(*given)
    for one, other in zip((value, *gradients), (expected, *others), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 2e-4, 2e-5)


def test_short_rows_of_scans_are_columns() -> None:
    step = ms.jit(ms.value_and_grad(lambda x: ops.square(ops.cumprod(x, 1)).mean()))
    x = np.random.default_rng(0).standard_normal((50, 5)).astype(np.float32)
    source = step.stages(Tensor(x)).program
    assert "over 50\n" in source
    assert "scan_" not in source
    whole = ms.jit(lambda x: ops.cumsum(x, 1))
    assert "scan_add" in whole.stages(Tensor(np.ones((50, 7), np.float32))).program
    x[:, 0] = 0  # the first factor of a recurrence has no influence, and zeros divide nothing
    value, gradient = step(Tensor(x))
    assert value == 0
    np.testing.assert_array_equal(gradient.asnumpy(), np.zeros_like(x))


def test_values_that_move_along_short_rows_stay_in_their_kernel() -> None:
    def products(x: Any) -> Any:
        return ops.square(ops.cumprod(x, 1)).mean()

    given = ms.value_and_grad(products)
    x = np.random.default_rng(0).standard_normal((50, 5))
    source = given.stages(Tensor(x)).program
    assert source.count("over 50\n") == 1
    slope = np.zeros_like(x)
    for column in range(5):
        running = np.cumprod(x, 1)
        slope[:, column] = (2 * running * running / x[:, column : column + 1])[:, column:].sum(1) / x.size
    np.testing.assert_allclose(given(Tensor(x))[1].asnumpy(), slope, 1e-9)
    assert given.stages(Tensor(x[:, :4].repeat(2, 1))).program.count("over 50") > 1  # longer rows


def test_rows_of_three_are_columns() -> None:
    given = [Tensor(np.ones(shape, np.float32)) for shape in ((77, 3), (1, 3), (3,))]
    source = ms.jit(directions).stages(*given).program
    assert "in x float32[77,3] 12\n" in source
    assert "in x_2 float32[77,3] 12 is x from 8\n" in source
    assert "over 77\n" in source
    few = [Tensor(np.ones(shape, np.float32)) for shape in ((9, 3), (1, 3), (3,))]
    assert "over 9 3\n" in ms.jit(directions).stages(*few).program


def test_rows_at_positions_are_columns() -> None:
    """Each column is gathered, and added, from an offset; the first target is that of all."""

    def program(x: Any, i: Any) -> Any:
        return ops.square(ops.sin(x[i])).sum()

    x, i = Tensor(np.ones((50, 3), np.float32)), Tensor(np.arange(40, dtype=np.int32))
    text = ms.jit(ms.value_and_grad(program)).stages(x, i).program
    assert "in x_2 float32[50,3] 0 is x from 8 at" in text
    assert re.search(r"add d_x_\w+ float32\[50,3\] 0 from 4 at \w+ 12 50", text)


def test_accumulators_and_bounds_are_unrolled() -> None:
    given = [Tensor(np.ones(shape, np.float32)) for shape in ((77, 5), (1, 5), (5,))]
    source = ms.jit(ms.grad(pairs)).stages(*given).program
    assert "float32[5,77] 0 4 from 616\n" in source[source.index("\nadd ") :]
    assert " within " not in ms.jit(joined).stages(*given).program


def test_rows_that_are_reduced_twice_are_short_up_to_two_vectors() -> None:
    x = np.random.default_rng(3).standard_normal((500, 13)).astype(np.float32)
    x[5, 4] = x[5, 9] = x[7, 12] = np.nan
    x[9, 2] = x[9, 7] = 50.0
    positions, total = ms.jit(lambda x: x.argmax(1)), ms.jit(lambda x: (x * x).sum(1))
    np.testing.assert_array_equal(positions(Tensor(x)).asnumpy(), x.argmax(1))
    assert "over 500\n" in positions.stages(Tensor(x)).program
    assert "over 500 13\n" in total.stages(Tensor(x)).program


@pytest.mark.parametrize("columns", [8, 9, 12, 13, 16])
def test_rows_of_one_vector_that_are_reduced_are_short(columns: int) -> None:
    x, y = np.random.default_rng(3).standard_normal((2, 500, columns)).astype(np.float32)
    one, two = ms.jit(lambda x: ops.tanh(x).sum(1)), ms.jit(lambda x, y: (x * y).max(1))
    np.testing.assert_allclose(one(Tensor(x)).asnumpy(), np.tanh(x).sum(1), rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(two(Tensor(x), Tensor(y)).asnumpy(), (x * y).max(1))
    sources = one.stages(Tensor(x)).program, two.stages(Tensor(x), Tensor(y)).program
    short = [has_masked_vectors() and columns <= most for most in (12, 8)]
    assert ["over 500\n" in source for source in sources] == short


@pytest.mark.parametrize(
    ("dtype", "columns", "short"),
    [
        (np.float32, 17, True), (np.float32, 16, has_masked_vectors()), (np.float32, 24, False),
        (np.float64, 10, True),
    ],
)  # fmt: skip
def test_costly_rows_that_fill_no_vectors_are_short(dtype: Any, columns: int, short: bool) -> None:
    x = np.random.default_rng(4).standard_normal((500, columns)).astype(dtype)
    t = np.arange(500) % columns
    loss = ms.value_and_grad(lambda x, t: ops.cross_entropy(x, t))
    value, slope = loss(Tensor(x), Tensor(t, ms.int32))
    p = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    np.testing.assert_allclose(value.asnumpy(), -np.log(p[np.arange(500), t]).mean(), rtol=1e-5)
    p[np.arange(500), t] -= 1
    np.testing.assert_allclose(slope.asnumpy(), p / 500, rtol=1e-4, atol=1e-8)
    assert (f"over 500 {columns}\n" not in loss.stages(Tensor(x), Tensor(t, ms.int32)).program) == short


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_any_and_all_are_parts_of_kernels(axis: int | None) -> None:
    x = np.random.default_rng(4).standard_normal((40, 70)).astype(np.float32)
    x[3] = 5.0

    @ms.jit
    def both(x: Any) -> Any:
        return (x > 2.9).any(axis), (x > -3.2).all(axis)

    for found, wanted in zip(both(Tensor(x)), ((x > 2.9).any(axis), (x > -3.2).all(axis)), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), wanted)
    program = both.stages(Tensor(x)).program
    assert "kernels['any']" not in program
    assert "kernels['all']" not in program


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_determinants_of_few_rows_are_sums_of_products(size: int) -> None:
    x = np.random.default_rng(size).standard_normal((6, 5, size, size)).astype(np.float32)
    function = ms.jit(lambda x: ops.det(x))
    np.testing.assert_allclose(function(Tensor(x)).asnumpy(), np.linalg.det(x), 1e-4, 1e-5)
    assert ("kernels['determinant']" in str(function.stages(Tensor(x)).program)) == (size == 4)


def quarters(x: Any) -> Any:
    """Every second element along two axes; each of the four has a gradient of its own."""
    parts = [x[..., i::2, j::2] for i in range(2) for j in range(2)]
    return ops.tanh(parts[0] * 2 - parts[1]).sum() + (parts[2] * parts[3]).mean()


def thirds(x: Any) -> Any:
    return (ops.sqrt(x[..., ::3] ** 2 + 1) * x[..., 1::3] - x[..., 2::3]).sum()


def repeated(x: Any) -> Any:
    y = x.repeat_interleave(2, -2).repeat_interleave(3, -1)
    return ops.tanh(y[..., 1:, :] - y[..., :-1, :] * 2).sum() + (y * y).mean()


def tiled(x: Any) -> Any:
    ones = (1,) * (x.ndim - 2)
    return ops.tanh(ops.tile(x, (*ones, 2, 3)) * 2).sum() + ops.tile(x * x, (2, *ones, 1, 1)).mean()


@pytest.mark.parametrize(
    ("dtype", "shape", "program"),
    chequered([np.float32, np.float64], [(66, 78), (2, 3, 36, 42)], [quarters, thirds, repeated, tiled]),
)
def test_elements_apart_and_repeated(program: Any, shape: tuple[int, ...], dtype: Any) -> None:
    x = Tensor(np.random.default_rng(5).standard_normal(shape).astype(dtype))
    step = ms.value_and_grad(program)
    found = ms.jit(step)
    with ms.disable_jit():
        plain = step(x)
    for one, other in zip(found(x), plain, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 2e-4, 2e-5)
    source = found.stages(x).program
    assert " within " not in source or program is repeated
    # Threads have a sum each, which NumPy adds up.
    assert "reduce" not in re.sub(r"add_reduce(\(\w+_sums, | = np.add.reduce)", "", source)


def test_repeated_integers() -> None:
    x = np.arange(40 * 30, dtype=np.int32).reshape(40, 30)
    twice = ms.jit(lambda x: x.repeat_interleave(2, 0).repeat_interleave(2, 1))
    np.testing.assert_array_equal(twice(Tensor(x)).asnumpy(), x.repeat(2, 0).repeat(2, 1))
    assert "over 40 2 30\n" in twice.stages(Tensor(x)).program
    mask = x % 3 == 0
    np.testing.assert_array_equal(twice(Tensor(mask)).asnumpy(), mask.repeat(2, 0).repeat(2, 1))


# Every second one by default, all of them among the slow tests.
@pytest.mark.parametrize("start", [pytest.param(n, marks=[pytest.mark.slow] * (n % 80 > 0)) for n in range(0, 240, 40)])
def test_drawn_programs(monkeypatch: pytest.MonkeyPatch, start: int) -> None:
    """Few rows are unrolled, too, so that all kinds of groups are."""
    monkeypatch.setattr(short_rows, "FEWEST_ROWS", 1)
    monkeypatch.setattr(translation, "FEWEST_ROWS", 1)
    monkeypatch.setattr(short_rows, "FEWEST_BESIDE", 1)
    for seed in range(start, start + 40):
        drawn = DrawnGroups(seed + 5_000, richer=True)
        agree(drawn.graph, drawn.arrays, drawn.tolerance, debug=False)


def test_a_kernel_that_its_layouts_alone_make() -> None:
    """Whether rows lie far apart is asked of the kernel in dense layouts, which this one does not have."""
    drawn = DrawnGroups(6406, richer=True)
    agree(drawn.graph, drawn.arrays, drawn.tolerance, debug=False)


def mixture(x: Any, w: Any, b: Any) -> Any:
    """Each row is one number, with many that all rows share."""
    z = (x[:, :1] - w) * ops.exp(-b)
    return ops.logsumexp(b - 0.5 * z * z, 1).mean()


def bells(x: Any, w: Any, b: Any) -> Any:
    """A function of the distance of each row to all others."""
    d = (x * w)[:, None] - (x + b)[None]
    return ops.exp(-0.1 * (d * d).sum(-1)).mean()


@pytest.mark.parametrize(
    ("dtype", "columns", "program"), chequered([np.float32, np.float64], [2, 3, 8, 11, 16, 29], [mixture, bells])
)
def test_rows_beside_each_other_are_short_up_to_four_vectors(program: Any, columns: int, dtype: Any) -> None:
    test_values_and_gradients_are_those_without_kernels(program, columns, dtype)


def test_columns_come_first_in_small_inputs_that_are_read_often() -> None:
    x, y = (Tensor(np.random.default_rng(n).standard_normal((77 + n, 9)).astype(np.float32)) for n in (0, 1))

    @ms.jit
    def kernel_matrix(x: Any, y: Any) -> Any:
        d = x[:, None, :] - y[None, :, :]
        return ops.exp(-0.1 * (d * d).sum(-1))

    source = kernel_matrix.stages(x, y).program
    assert "over 77 78\n" in source
    assert "turned(y, out=" in source
    d = x.asnumpy()[:, None].astype(np.float64) - y.asnumpy()[None]
    np.testing.assert_allclose(kernel_matrix(x, y).asnumpy(), np.exp(-0.1 * (d * d).sum(-1)), 1e-5)
    few = kernel_matrix.stages(x[:5], y).program
    assert "turned" not in few


@pytest.mark.parametrize("rows", [20000, 65521, 65536, 65600])
def test_sum_of_many_rows_is_in_one_kernel(rows: int) -> None:
    """Rows that are added side by side, in parts, are added where they are computed. Rows that cannot be divided into
    parts are added up by themselves: one after the other, in lanes of vectors, they would be inexact."""

    def f(x: Any) -> Any:
        y = x / x.sum(1, keepdims=True)
        return (y * 0.3).sum(), ops.exp(y)

    x = np.random.default_rng(rows).uniform(0.5, 1.5, (rows, 3)).astype(np.float32)
    function = ms.jit(f)
    total, y = function(Tensor(x))
    exact = 0.3 * (x / x.sum(1, keepdims=True, dtype=np.float64))
    np.testing.assert_allclose(total.asnumpy(), exact.sum(), rtol=1e-5)
    np.testing.assert_allclose(y.asnumpy(), np.exp(exact / 0.3), rtol=1e-6)
    assert (function.stages(Tensor(x)).program.count("= compile_kernel('''") == 1) == (rows != 65521)


def blocks(x: Any, y: Any) -> Any:
    """Rows that are repeated, and matrices that are turned, and combined with rows and columns."""
    z = y * 2 + x[:, None]
    turned = z.swapaxes(1, 2) * z + x[:, :, None]
    repeat = np.repeat if isinstance(x, np.ndarray) else ops.repeat_interleave
    return repeat(x, 2, 0), repeat(x, 3, 0) * 3, x[:, None] - x[:, :, None], y.swapaxes(1, 2) + y, turned + turned * z


@pytest.mark.parametrize(
    ("columns", "dtype"), chequered([2, 3, 4, 5], ["float32", "float64", "int32", "int64", "int16", "uint8", "float16"])
)
def test_blocks_of_few_elements(dtype: str, columns: int) -> None:
    rng = np.random.default_rng(columns)
    x, y = (rng.integers(0, 9, shape).astype(dtype) for shape in ((1003, columns), (1003, columns, columns)))
    compiled = ms.jit(blocks)
    for found, expected in zip(compiled(Tensor(x), Tensor(y)), blocks(x, y), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), expected)
    assert "over 1003 " not in compiled.stages(Tensor(x), Tensor(y)).program or columns > 3


def test_short_rows_of_bools_are_repeated() -> None:
    x = np.random.default_rng(0).random((1003, 3)) > 0.5
    compiled = ms.jit(lambda x: (ops.repeat_interleave(x, 2, 0), ops.tile(x, (1, 3))))
    for found, expected in zip(compiled(Tensor(x)), (x.repeat(2, 0), np.tile(x, (1, 3))), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), expected)
    assert "compile_kernel" in compiled.stages(Tensor(x)).program
