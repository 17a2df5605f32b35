"""Padded, shifted and rolled reads in kernels: which rules fire, which nearly do, and that numbers stay."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
import pytest
from searches import chequered

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, Node, Operand
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes import paddings
from mycel.compiler.passes.dce import eliminate_dead_code
from mycel.compiler.passes.rewriter import Rewriter
from mycel.compiler.passes.windows import place_windows, spread_windows
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def graph(function: Callable[..., Symbol | tuple[Symbol, ...]], *sizes: int) -> Graph:
    """The graph of a function of vectors of these sizes."""

    def body(*symbols: Symbol) -> list[Symbol]:
        found = function(*symbols)
        return list(found) if isinstance(found, tuple) else [found]

    return verify(record("f", [TensorType(dtypes.float32, (size,)) for size in sizes or (6,)], body))


def pad(x: Symbol, low: int, high: int, value: float = 0) -> Symbol:
    """A vector with elements of one value around it."""
    return ops.pad(x, low=(low,), high=(high,), value=value)


def cut(x: Symbol, start: int, stop: int, step: int = 1) -> Symbol:
    """A slice of a vector."""
    return ops.slice(x, start=(start,), stop=(stop,), step=(step,))


def roll(x: Symbol, shift: int) -> Symbol:
    """A vector, rolled."""
    return ops.roll(x, shift=(shift,), axis=(0,))


def names(found: Graph) -> list[str]:
    """The ops of its nodes."""
    return [node.op.name for node in found.nodes]


def same(before: Graph, after: Graph) -> None:
    """Both give the same numbers."""
    random = np.random.default_rng(0)
    arrays = [random.standard_normal(p.type.static_shape).astype(p.type.dtype.np) for p in before.parameters]
    for a, b in zip(interpret(before, arrays), interpret(after, arrays), strict=True):
        np.testing.assert_allclose(a, b, 1e-6)
        np.testing.assert_array_equal(np.signbit(a), np.signbit(b))


FIRES: dict[str, tuple[Callable[[Symbol], Symbol], list[str]]] = {
    "a slice of a padding": (lambda x: ops.tanh(cut(pad(x, 1, 1), 0, 6)), ["pad", "tanh"]),
    "a slice that takes the padding away": (lambda x: ops.tanh(cut(pad(x, 1, 1), 1, 7)), ["tanh"]),
    "a padding of a padding": (lambda x: ops.tanh(pad(pad(x, 1, 0), 1, 2)), ["pad", "tanh"]),
    "a padding of a negative in a sum": (
        lambda x: ops.tanh(pad(-x, 1, 0) + pad(x, 0, 1)),
        ["pad", "negative", "pad", "add", "tanh"],
    ),
    "a padding of a product with a negative number in a sum": (
        lambda x: ops.tanh(pad(x * -2.0, 1, 0) + pad(x, 0, 1)),
        ["pad", "multiply", "pad", "add", "tanh"],
    ),
    "a slice of a padding of a negative": (
        lambda x: ops.tanh(cut(pad(-x, 1, 1), 0, 6)),
        ["negative", "pad", "tanh"],
    ),
    "a padding of a scaled value": (lambda x: ops.tanh(pad(x * 2.0, 1, 0)), ["pad", "multiply", "tanh"]),
    "a part added in place": (
        lambda x: ops.index_add(x, ops.tanh(cut(x, 1, 6)), spec=((0, 5, 1),)),
        ["slice", "tanh", "pad", "add"],
    ),
    "a slice of a sum of paddings": (
        lambda x: ops.tanh(cut(pad(x, 1, 1) + pad(x * 0.5, 2, 0), 1, 7)),
        ["pad", "multiply", "add", "tanh"],
    ),
    "two slices that change places": (
        lambda x: ops.tanh(ops.concatenate(cut(x, 4, 6), cut(x, 0, 4), axis=0)),
        ["roll", "tanh"],
    ),
    "a roll that two read": (
        lambda x: (lambda r: ops.tanh(r) * ops.exp(r))(roll(x, 1)),
        ["roll", "tanh", "roll", "exp", "multiply"],
    ),
}
FIRES["a negated part beside another one"] = (
    lambda x: ops.tanh(ops.concatenate(-cut(x, 3, 6), cut(x, 0, 2), axis=0)),
    ["slice", "slice", "constant", "concatenate", "multiply", "tanh"],
)
FIRES["a concatenation that two read"] = (
    lambda x: (lambda both: ops.tanh(both) * ops.exp(both))(ops.concatenate(x, x * x, axis=0)),
    ["multiply", "concatenate", "tanh", "concatenate", "exp", "multiply"],
)
FIRES["a slice of what is padded with ones"] = (
    lambda x: ops.tanh(cut(pad(x, 1, 1, 1), 0, 6)),
    ["constant", "pad", "add", "tanh"],
)
FIRES["a padding with ones that takes away"] = (
    lambda x: ops.tanh(pad(x, 1, -1, 1)),
    ["constant", "pad", "add", "tanh"],
)
FIRES["a padding with ones along two axes, and its middle"] = (
    lambda x: (
        lambda p: (
            ops.tanh(ops.slice(p, start=(0, 0), stop=(2, 3), step=(1, 1)))
            * ops.slice(p, start=(1, 1), stop=(3, 4), step=(1, 1))
        )
    )(ops.pad(ops.reshape(x, shape=(2, 3)), low=(1, 1), high=(1, 1), value=1)),
    ["reshape", "constant", "constant", "maximum", "pad", "add", "tanh", "multiply"],
)
FIRES["a factor of what is computed for one padding, and read at two places"] = (
    lambda x: (lambda p: ops.tanh(cut(p, 0, 6) + cut(p, 2, 8)))(pad((x + 1.0) * 0.5, 1, 1)),
    ["add", "multiply", "pad", "pad", "add", "tanh"],
)
FIRES["a scaled value, reversed"] = (
    lambda x: ops.tanh(ops.reverse(x * 0.5, axes=(0,)) + x),
    ["reverse", "multiply", "add", "tanh"],
)
FIRES["factors of one value, rolled"] = (
    lambda x: (lambda y: ops.tanh(roll(-y, 1) + roll(y, 2)))(x * 0.5),
    ["roll", "multiply", "negative", "roll", "multiply", "add", "tanh"],
)
FIRES["a cheap value of parameters, reversed"] = (
    lambda x: ops.tanh(ops.reverse(x * ops.maximum(x, 0.5), axes=(0,))) * x,
    ["reverse", "maximum", "multiply", "tanh", "multiply"],
)
FIRES["a cheap value of parameters, rolled twice"] = (
    lambda x: (lambda y: ops.tanh(roll(y, 1) * roll(y, 2)))(x * ops.maximum(x, 0.5)),
    [*["roll", "maximum", "roll", "multiply"] * 2, "multiply", "tanh"],
)
FIRES["a roll of a roll"] = (lambda x: ops.tanh(roll(roll(x, 2), 5)), ["roll", "tanh"])
FIRES["a cheap value of a parameter and of what is the same everywhere, rolled"] = (
    lambda x: ops.tanh(roll(x * cut(x, 0, 1), 1)),
    ["slice", "roll", "multiply", "tanh"],
)
FIRES["a vector, repeated twice"] = (
    lambda x: (
        lambda y: ops.tanh(ops.reshape(ops.broadcast_to(ops.reshape(y, shape=(12, 1)), shape=(12, 3)), shape=(36,)))
    )(ops.reshape(ops.broadcast_to(ops.reshape(x, shape=(6, 1)), shape=(6, 2)), shape=(12,))),
    ["reshape", "broadcast_to", "tanh", "reshape"],
)
FIRES["a scaled value that is stored, for only a sum reads what it scales"] = (
    lambda x: (lambda y, z: ops.tanh(pad(z, 1, -1) + pad(z, -1, 1) + z) + ops.sum(y * y, axis=(0,), keepdims=True))(
        *(lambda y: (y, y * 0.5))(x + 1.0)
    ),
    ["add", "multiply", "pad", "pad", "add", "add", "tanh", "multiply", "sum", "add"],
)
FIRES["a scaled value, where more than a sum reads what it scales"] = (
    lambda x: (lambda y, z: ops.tanh(pad(z, 1, -1) + pad(z, -1, 1) + z) * y)(*(lambda y: (y, y * 0.5))(x + 1.0)),
    ["add", "multiply", "pad", "multiply", "pad", "multiply", "add", "add", "tanh", "multiply"],
)
FIRES["a slice of what parts are added to"] = (
    lambda x: ops.tanh(
        cut(
            ops.index_add(ops.index_add(pad(x, 2, 0), x * 0.5, spec=((0, 6, 1),)), ops.exp(x), spec=((1, 7, 1),)),
            1,
            7,
        )
    ),
    ["exp", "pad", "pad", "multiply", "add", "add", "tanh"],
)
FIRES["a slice that has nothing of a part"] = (
    lambda x: ops.tanh(
        cut(
            ops.index_add(ops.index_add(x, cut(x, 0, 3), spec=((0, 3, 1),)), cut(x, 0, 3), spec=((3, 6, 1),)),
            0,
            3,
        )
    ),
    ["slice", "slice", "pad", "slice", "add", "slice", "add", "tanh"],
)
FIRES["padded parts one after the other"] = (
    lambda x: ops.concatenate(pad(x, 1, 2), pad(cut(x, 0, 4), 0, 3), axis=0),
    ["slice", "assembled"],
)
MISSES: dict[str, Callable[[Symbol], Symbol]] = {
    "padded parts of which one is cut": lambda x: ops.concatenate(pad(x, -1, 2), pad(x, 0, 3), axis=0),
    "a padding with ones along two axes that no kernel reads": lambda x: ops.argmax(
        ops.pad(ops.reshape(x, shape=(2, 3)), low=(1, 1), high=(1, 1), value=1), axis=0, dtype=dtypes.int64
    ),
    "a slice with steps": lambda x: ops.tanh(cut(pad(x, 1, 1), 0, 7, 2)),
    "a slice of nothing but padding": lambda x: ops.tanh(cut(pad(x, 4, 0), 0, 3)),
    "a slice of a sum that something else reads": lambda x: (
        lambda whole: ops.sum(whole, axis=(0,), keepdims=True) + cut(whole, 1, 7)
    )(pad(x, 1, 1) + pad(x, 2, 0)),
    "a slice of a sum without paddings": lambda x: ops.tanh(cut(x + ops.exp(x), 1, 5)),
    "a slice that no kernel reads": lambda x: ops.cumsum(
        cut(pad(x, 1, 1), 0, 6), axis=0, exclusive=False, reverse=False
    ),
    "a roll of a costly value": lambda x: ops.tanh(roll(ops.exp(x) * x, 1)),
    "a reversal of a costly value": lambda x: ops.tanh(ops.reverse(ops.exp(x) * x, axes=(0,))) * x,
    "a cheap value, rolled often": lambda x: (lambda y: ops.tanh(roll(y, 1) * roll(y, 2) * roll(y, 3)))(x * x),
    "a padding of what was cut": lambda x: ops.tanh(pad(pad(x, -1, 1), 1, 0)),
    "a padding of a negative, where zeros would be -0.0": lambda x: ops.tanh(pad(-x, 1, 0)),
    "a padding of a product with a negative number": lambda x: ops.tanh(pad(x * -2.0, 1, 0)),
    "a sum of paddings of negatives": lambda x: ops.tanh(pad(-x, 1, 2) + pad(x * -2.0, 1, 2)),
    "a padding of a negative, twice": lambda x: ops.tanh((lambda y: y + y)(pad(-x, 1, 2))),
    "a padding of a product with infinity": lambda x: ops.tanh(pad(x * math.inf, 1, 0)),
    "two slices of which one is too long": lambda x: ops.tanh(ops.concatenate(cut(x, 3, 6), cut(x, 0, 4), axis=0)),
    "slices in the order in which they were": lambda x: ops.tanh(ops.concatenate(cut(x, 0, 4), cut(x, 4, 6), axis=0)),
}


@pytest.mark.parametrize("what", FIRES)
def test_a_rule_fires(what: str) -> None:
    """The remaining nodes are the expected ones, and the numbers are the same."""
    function, expected = FIRES[what]
    before = graph(function)
    after = spread_windows(before)
    assert names(eliminate_dead_code(after)) == expected
    same(before, after)


@pytest.mark.parametrize("what", MISSES)
def test_a_near_miss_stays(what: str) -> None:
    """Nothing is rewritten."""
    before = graph(MISSES[what])
    assert names(spread_windows(before)) == names(before)


def test_a_small_part_of_a_large_sum_is_added_in_place() -> None:
    """A pass over all of the sum would take longer than to add the part."""
    for size, expected in ((6000, "add"), (1000, "index_add")):
        spec = ((0, size, 1),)
        after = spread_windows(graph(lambda x, t, spec=spec: ops.index_add(x, t, spec=spec), 8000, size))  # type: ignore[misc]
        assert names(after)[-1] == expected


def test_what_no_kernel_reads_is_added_in_place() -> None:
    """Outside of kernels x + pad(y) adds the part; not where the padding is read elsewhere, or takes away."""
    before = graph(lambda x, t: x + pad(t, 1, 0), 6, 5)
    after = place_windows(before)
    assert "index_add" in names(after)
    same(before, after)

    def read_twice(x: Symbol, t: Symbol) -> tuple[Symbol, ...]:
        padded = pad(t, 1, 0)
        return x + padded, padded

    assert names(place_windows(graph(read_twice, 6, 5))) == ["pad", "add"]
    assert names(place_windows(graph(lambda x, t: x + pad(t, -1, 0), 6, 7))) == ["pad", "add"]


@pytest.mark.parametrize(("whole", "part"), [((3, 2), (1, 1)), ((1, 3, 2), (3, 1)), ((4, 3, 5), (3, 4))])
def test_a_padding_that_is_repeated_is_not_added_in_place(whole: tuple[int, ...], part: tuple[int, ...]) -> None:
    """A row that is added to several rows, or a matrix to several, has no single place."""

    def function(x: Symbol, t: Symbol) -> Symbol:
        padded = ops.pad(ops.reshape(t, shape=part), low=(0, 1), high=(0, 0), value=0)
        return ops.reshape(x, shape=whole) + padded

    before = graph(function, math.prod(whole), math.prod(part))
    assert "index_add" not in names(place_windows(before))
    same(before, place_windows(before))


def test_a_negated_part_keeps_the_sign_of_its_zeros() -> None:
    """-0.0 stays where a part is negated, and 0.0 where not."""
    before = graph(lambda x: ops.concatenate(-cut(x, 3, 6), cut(x, 0, 3), axis=0))
    (found,) = compile_graph(before, name="f").run(np.zeros(6, np.float32))
    assert list(np.signbit(found)) == [True] * 3 + [False] * 3


@pytest.mark.parametrize("value", [-1e4, -math.inf, math.nan, -0.0, 2.5])
def test_a_padding_with_a_number_is_exact(value: float) -> None:
    """Zeros keep their sign, and numbers of any kind stand around them, also in slices of a matrix that is padded."""

    def corners(x: Symbol) -> list[Symbol]:
        wide = ops.pad(x, low=(2, 1), high=(1, 2), value=value)
        bounds = (((0, 0), (3, 5)), ((2, 0), (4, 5)), ((3, 2), (5, 6)), ((2, 1), (4, 4)), ((0, 1), (5, 3)))
        return [ops.negative(ops.slice(wide, start=start, stop=stop, step=(1, 1))) for start, stop in bounds]

    array = np.array([-0.0, 0.0, math.inf, -math.inf, math.nan, 3.0], np.float32)
    matrices = verify(record("f", [TensorType(dtypes.float32, (2, 3))], corners))
    for before, given in ((graph(lambda x: pad(x, 2, 1, value)), array), (matrices, array.reshape(2, 3))):
        for found, expected in zip(compile_graph(before, name="f").run(given), interpret(before, [given]), strict=True):
            np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


ROWS = [TensorType(dtypes.float32, shape) for shape in ((3, 4), (3, 5), (3, 1), (3, 4), ())]


def added(total: Symbol, part: Symbol) -> Symbol:
    """A total with a part added to all columns but the first."""
    return ops.index_add(total, part, spec=((0, 3, 1), (1, 5, 1)))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("factor", [2, 4], ids=["rows", "number"])
def test_a_part_of_a_product_with_numbers_of_rows(factor: int, turned: bool) -> None:
    """Both factors are padded, and zeros stay zeros beside infinite numbers."""

    def product(*given: Symbol) -> Symbol:
        part, number = given[0], given[factor]
        return added(given[1], number * part if turned else part * number)

    before = verify(record("f", ROWS, lambda *given: [product(*given)]))
    after = spread_windows(before)
    assert sorted(names(after)) == ["add", "broadcast_to", "multiply", "pad", "pad"]
    same(before, after)
    numbers = np.array([[-1], [math.inf], [math.nan]], np.float32)
    for number in (numbers[0, 0], numbers[1, 0]):
        given = [np.full(type.static_shape, -0.5, np.float32) for type in ROWS]
        given[2], given[4] = numbers, np.array(number)
        for found, expected in zip(compile_graph(before, name="f").run(*given), interpret(before, given), strict=True):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "product",
    [
        lambda a, t, r, b, n: added(t, a * b),  # of two that are no numbers of rows
        lambda a, t, r, b, n: added(t, ops.exp(a) * r),  # it would have to be stored
        lambda a, t, r, b, n: (lambda p: added(t, p) * ops.sum(p, axis=(0, 1), keepdims=False))(a * r),
    ],
)
def test_a_part_of_another_product_is_padded(product: Callable[..., Symbol]) -> None:
    """Only products of views by numbers of rows, which nothing else reads, are padded factor by factor."""
    after = spread_windows(verify(record("f", ROWS, lambda *given: [product(*given)])))
    assert names(after).count("pad") == 1


def test_a_padding_with_a_number_along_one_axis_is_a_kernel_also_as_a_result() -> None:
    """As a loop carries it, or a concatenation reads it; a result that is padded along two axes stays."""
    before = graph(lambda x: pad(x, 2, 1, 1e4), 3)
    assert sorted(names(spread_windows(before))) == ["add", "constant", "pad"]
    wide = record("f", [TensorType(dtypes.float32, (2, 3))], lambda x: ops.pad(x, low=(2, 1), high=(1, 2), value=1e4))
    assert names(spread_windows(wide)) == ["pad"]


def test_a_part_may_come_from_an_op_of_several_results() -> None:
    """What a sort gives is joined with something else."""

    def function(x: Symbol) -> Symbol:
        values, places = ops.sort(x, axis=0, descending=False, dtype=dtypes.int32)
        return ops.tanh(ops.concatenate(values, x * ops.cast(places, dtype=dtypes.float32), axis=0))

    before = graph(function)
    same(before, spread_windows(before))


def heat(u: Symbol) -> Symbol:
    """Two steps of a stencil by slices and paddings."""
    for _ in range(2):
        rows, columns = u.shape

        def at(i: int, j: int, u: Symbol = u, rows: int = rows, columns: int = columns) -> Symbol:
            return ops.slice(u, start=(1 + i, 1 + j), stop=(rows - 1 + i, columns - 1 + j), step=(1, 1))

        inner = at(0, 0) + 0.1 * (at(1, 0) + at(-1, 0) + at(0, 1) + at(0, -1) - 4.0 * at(0, 0))
        u = ops.pad(inner, low=(1, 1), high=(1, 1), value=0)
    return u


def advection(u: Symbol) -> Symbol:
    """Upwind differences on a ring, in both directions."""
    for axis in (0, 1):
        left, right = (ops.roll(u, shift=(shift,), axis=(axis,)) for shift in (1, -1))
        u = u - 0.25 * (ops.maximum(u, 0.0) * (u - left) + ops.minimum(u, 0.0) * (right - u))
    return u


def variation(u: Symbol) -> Symbol:
    """The differences of neighbours, smoothed."""
    rows, columns = u.shape
    down = ops.slice(u, start=(1, 0), stop=(rows, columns), step=(1, 1)) - ops.slice(
        u, start=(0, 0), stop=(rows - 1, columns), step=(1, 1)
    )
    return ops.sqrt(down * down + 0.01)


def rotation(u: Symbol) -> Symbol:
    """Halves that change places, one of them negated; then columns before, between and behind others."""
    rows, columns = u.shape
    left = ops.slice(u, start=(0, 0), stop=(rows, columns // 2), step=(1, 1))
    right = ops.slice(u, start=(0, columns // 2), stop=(rows, columns), step=(1, 1))
    turned = ops.concatenate(-right, left, axis=1) * u
    return ops.tanh(ops.concatenate(left, turned, left, axis=1))


def wavelet(u: Symbol) -> Symbol:
    """Sums and differences of neighbouring columns, those of every second row, and a row between others."""
    rows, columns = u.shape

    def part(first: int, stop: int) -> Symbol:
        return ops.slice(u, start=(0, first), stop=(rows, stop), step=(1, 2))

    even, odd = part(0, columns // 2 * 2 - 1), part(1, columns // 2 * 2)
    both = ops.concatenate(even + odd, ops.tanh(even - odd), axis=1)
    every = ops.slice(both, start=(0, 0), stop=(rows, both.shape[1]), step=(2, 1))
    return ops.concatenate(every * 0.5, ops.slice(both, start=(1, 0), stop=(2, both.shape[1]), step=(1, 1)), axis=0)


def recurrence(u: Symbol) -> Symbol:
    """Shifts with zeros."""
    return ops.tanh(ops.shift(u, axis=0, offset=2, fill=0.0) + ops.shift(u, axis=1, offset=-1, fill=0.0)) * u


def dilation(u: Symbol) -> Symbol:
    """The greatest of nine neighbours, twice."""
    for _ in range(2):
        wide = ops.pad(u, low=(1, 1), high=(1, 1), value=-1e9)
        ends = [(i, j, i + u.shape[0], j + u.shape[1]) for i in range(3) for j in range(3)]
        parts = [ops.slice(wide, start=end[:2], stop=end[2:], step=(1, 1)) for end in ends]
        u = functools.reduce(ops.maximum, parts)
    return ops.tanh(u)


@pytest.mark.parametrize(
    ("function", "shape", "dtype"),
    chequered(
        [heat, advection, variation, recurrence, rotation, wavelet, dilation],
        [(5, 6), (3, 3), (12, 40), (70, 131)],
        [dtypes.float32, dtypes.float64],
    ),
)
def test_stencils_and_their_gradients(
    function: Callable[[Symbol], Symbol], shape: tuple[int, int], dtype: object
) -> None:
    """Programs agree with the interpreter, and no NumPy call pads, rolls or adds into zeros."""
    forward = record("f", [TensorType(dtype, shape)], lambda u: [function(u)])  # type: ignore[arg-type]
    both = differentiate(forward, [0], [0]).append([0])
    program = compile_graph(both, name="f", options=Options(debug=True))
    random = np.random.default_rng(1)
    arrays = [random.standard_normal(p.type.static_shape).astype(p.type.dtype.np) for p in both.parameters]
    tolerance = 1e-4 if dtype is dtypes.float32 else 1e-10
    for found, expected in zip(program.run(*arrays), interpret(both, arrays), strict=True):
        np.testing.assert_allclose(found, expected, tolerance, tolerance)
    calls = ("roll", "shift", "index_add", *(["pad"] if function is dilation else []))
    called = {name for name in calls if f"{name}(" in program.source}
    assert not called, program.source


def test_sums_that_share_parts_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each value of a sum is looked at once, though many ways lead to it."""
    looks = 0
    padded = paddings.padded

    def counted(rewriter: Rewriter, operand: Operand) -> Node | None:
        nonlocal looks
        looks += 1
        return padded(rewriter, operand)

    def body(x: Symbol, y: Symbol) -> tuple[Symbol, ...]:
        total, last = x, y
        for _ in range(20):
            total, last = total + last, total
        return ops.slice(total, start=(1,), stop=(6,), step=(1,)) * 2, pad(x, 1, 1) * 2

    monkeypatch.setattr(paddings, "padded", counted)
    spread_windows(graph(body, 6, 6))
    assert 20 < looks < 60


def casts(function: Callable[[Symbol], Symbol | tuple[Symbol, ...]], dtype: dtypes.DType = dtypes.int16) -> Graph:
    """The graph of a function of bytes that were cast, after the pass; it gives the same numbers."""

    def body(x: Symbol) -> list[Symbol]:
        found = function(ops.cast(x, dtype=dtype))
        return list(found) if isinstance(found, tuple) else [found]

    before = verify(record("f", [TensorType(dtypes.uint8, (6, 7))], body))
    after = verify(eliminate_dead_code(spread_windows(before)))
    x = np.random.default_rng(0).integers(0, 256, (6, 7)).astype(np.uint8)
    for found, wanted in zip(interpret(after, [x]), interpret(before, [x]), strict=True):
        np.testing.assert_array_equal(found, wanted)
    return after


def part(x: Symbol, row: int, column: int, step: int = 1) -> Symbol:
    """A slice of 6 by 7 elements without its first row, or last one."""
    rows = ops.slice(x, start=(row, 0), stop=(row + 5, 7), step=(1, 1))
    return ops.slice(rows, start=(0, column), stop=(5, column + 6), step=(1, step))


def test_slices_of_bytes_are_cast_where_kernels_read_them() -> None:
    after = casts(lambda x: part(x, 0, 0) * 2 + part(x, 1, 1))
    assert names(after).count("cast") == 2
    assert all(node.inputs[0].type.shape == (5, 6) for node in after.nodes if node.op is ops.cast)


@pytest.mark.parametrize(
    ("function", "dtype"),
    [
        (lambda x: (part(x, 0, 0) * 2, part(x, 1, 1)), dtypes.int16),  # one is a result
        (lambda x: part(x, 0, 0, 2) + 1, dtypes.int16),
        (lambda x: part(x, 0, 0) + 1, dtypes.float32),
        (lambda x: part(x, 0, 0) + 1, dtypes.int64),
    ],
)
def test_other_slices_are_of_what_is_cast(function: Callable[[Symbol], Symbol], dtype: dtypes.DType) -> None:
    after = casts(function, dtype)
    assert any(node.op is ops.cast and node.inputs[0].type.shape == (6, 7) for node in after.nodes)


@pytest.mark.parametrize("columns", [5, 43])
def test_bools_that_are_rolled_and_padded_are_read_by_the_kernel(columns: int) -> None:
    """An automaton of true and false is one kernel."""

    def rule(x: Symbol) -> list[Symbol]:
        left, right = ops.roll(x, shift=(1,), axis=(1,)), ops.roll(x, shift=(-1,), axis=(1,))
        above = ops.pad(ops.slice(x, start=(1, 0), stop=(6, columns), step=(1, 1)), low=(0, 0), high=(1, 0), value=0)
        return [ops.bitwise_xor(ops.bitwise_and(left, right), ops.bitwise_or(x, above))]

    compiled = compile_graph(verify(record("f", [TensorType(dtypes.bool_, (6, columns))], rule)), name="f")
    assert "roll = kernels" not in compiled.source
    assert "pad = kernels" not in compiled.source
    x = np.random.default_rng(columns).integers(0, 2, (6, columns)).astype(bool)
    above = np.concatenate([x[1:], np.zeros((1, columns), bool)])
    (found,) = compiled.run(x)
    np.testing.assert_array_equal(found, (np.roll(x, 1, 1) & np.roll(x, -1, 1)) ^ (x | above))
