"""Index expressions against plain NumPy, read, written, differentiated; slices, pads, joins and their errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from case_floors import Floor
from gradcheck import check_gradients, type_of
from hypothesis import given, strategies as st
from searches import few

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.verifier import verify
from mycel.compiler.ops import index_plan, indexing, slicing
from mycel.compiler.pipeline import compile_graph
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes

Array = np.ndarray[Any, np.dtype[Any]]


class Hole:
    """Stands in an index expression for the next tensor."""

    def __init__(self, array: Array) -> None:
        self.array = array

    def __repr__(self) -> str:
        return f"Hole({self.array!r})"


def arrays_in(key: Any) -> list[Array]:
    """The tensors of an index expression, bounds of slices included, in order."""
    if isinstance(key, tuple):
        return [array for item in key for array in arrays_in(item)]
    if isinstance(key, slice):
        return arrays_in((key.start, key.stop, key.step))
    return [key.array] if isinstance(key, Hole) else []


def filled(key: Any, values: Any) -> Any:
    """The expression with its tensors replaced by the next of `values`."""
    if isinstance(key, tuple):
        return tuple(filled(item, values) for item in key)
    if isinstance(key, slice):
        return slice(*[filled(part, values) for part in (key.start, key.stop, key.step)])
    return next(values) if isinstance(key, Hole) else key


def numpy_key(key: Any, rank: int) -> Any:
    """The expression as NumPy takes it for a tensor of this rank, without dots that stand for nothing (see below)."""
    key = filled(key, iter(arrays_in(key)))
    if not isinstance(key, tuple):
        return key
    without = tuple(item for item in key if item is not Ellipsis)
    masks = [item.ndim - 1 for item in without if isinstance(item, np.ndarray) and item.dtype == bool]
    return without if sum(item is not None for item in without) + sum(masks) == rank else key


def graph_of(function: Callable[..., Any], *arrays: Array, unknown: bool = False) -> Graph:
    """The verified graph of a function on symbols of the arrays' types, or with all their sizes unknown."""
    types = [type_of(array) for array in arrays]
    if unknown:
        types = [type.with_shape((None,) * type.rank) for type in types]
    return verify(record("f", types, function))


def run(function: Callable[..., Any], *arrays: Array, unknown: bool = False) -> Array:
    """The result of a function on symbols, run on these arrays; its type is checked."""
    graph = graph_of(function, *arrays, unknown=unknown)
    (result,) = interpret(graph, arrays)
    (type,) = graph.types
    assert type.dtype is dtypes.of_numpy(result.dtype)
    assert type.rank == result.ndim
    assert all(size in (None, actual) for size, actual in zip(type.shape, result.shape, strict=True))
    return result


def read(key: Any) -> Callable[..., Any]:
    """`(x, *tensors) -> x[key]` on symbols."""
    return lambda x, *tensors: index_plan.get_item(x, filled(key, iter(tensors)))


def write(key: Any) -> Callable[..., Any]:
    """`(x, value, *tensors) -> x after x[key] = value` on symbols."""
    return lambda x, value, *tensors: index_plan.set_item(x, filled(key, iter(tensors)), value)


def accumulate(key: Any) -> Callable[..., Any]:
    """`(x, value, *tensors) -> x after x[key] += value`, repeated elements added repeatedly, on symbols."""
    return lambda x, value, *tensors: index_plan.add_item(x, filled(key, iter(tensors)), value)


def sample(*shape: int, seed: int = 0) -> Array:
    """Distinct float64 numbers."""
    return np.asarray(np.random.default_rng(seed).standard_normal(shape))


@st.composite
def expressions(draw: Any) -> tuple[tuple[int, ...], Any]:
    """A shape and an index expression that fits it."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    common = tuple(draw(st.lists(st.integers(1, 3), max_size=2)))  # the shape that index tensors broadcast to
    items: list[Any] = []
    axis = 0
    dtype = draw(st.sampled_from([np.int64, np.int32, np.uint8]))
    masks = 0
    while axis < len(shape):
        kind = draw(st.sampled_from(["int", "slice", "slice", "none", "tensor", "mask", "scalar", "bound", "stop"]))
        size = shape[axis]
        if kind == "stop":
            break
        if kind == "none":
            if sum(item is None for item in items) < 2:
                items.append(None)
            continue
        if kind == "int":
            items.append(draw(st.integers(-size, size - 1)))
        elif kind == "slice":
            bound = st.none() | st.integers(-size - 1, size + 1)
            items.append(slice(draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, -1, -2]))))
        elif kind == "bound":
            low = Hole(np.array(draw(st.integers(-size, size)), np.int64))
            high = draw(st.none() | st.integers(-size, size))
            items.append(slice(low, high) if draw(st.booleans()) else slice(high, low, -1))
        elif kind == "mask" and not masks:
            masks = 1
            rank = draw(st.integers(1, min(2, len(shape) - axis)))
            count = int(np.prod(shape[axis : axis + rank]))
            wanted = 1 if common else draw(st.integers(0, count))
            # A mask broadcasts with index tensors by its number of True: one always does.
            flags = draw(st.permutations([True] * wanted + [False] * (count - wanted)))
            items.append(Hole(np.array(flags).reshape(shape[axis : axis + rank])))
            axis += rank
            continue
        else:
            given = () if kind == "scalar" or kind == "mask" else common
            count = int(np.prod(given))
            low = 0 if dtype is np.uint8 else -size
            numbers = draw(st.lists(st.integers(low, size - 1), min_size=count, max_size=count))
            items.append(Hole(np.array(numbers, dtype).reshape(given)))
        axis += 1
    if draw(st.booleans()):
        # The dots stand for what is left over, or for nothing.
        items.insert(len(items) if axis < len(shape) else draw(st.integers(0, len(items))), Ellipsis)
    return shape, tuple(items) if len(items) != 1 or draw(st.booleans()) else items[0]


@given(expressions())
@few(60)
def test_reading(case: tuple[tuple[int, ...], Any]) -> None:
    shape, key = case
    x = sample(*shape)
    expected = x[numpy_key(key, len(shape))]
    np.testing.assert_array_equal(run(read(key), x, *arrays_in(key)), expected, strict=True)
    np.testing.assert_array_equal(run(read(key), x, *arrays_in(key), unknown=True), expected, strict=True)


@given(expressions(), st.integers(0, 2))
@few(50)
def test_writing(case: tuple[tuple[int, ...], Any], fewer: int) -> None:
    shape, key = case
    x = sample(*shape)
    region = x[numpy_key(key, len(shape))].shape
    value = sample(*region[min(fewer, len(region)) :], seed=1)
    expected = x.copy()
    expected[numpy_key(key, len(shape))] = value
    added = x.copy()
    np.add.at(added, numpy_key(key, len(shape)), value)
    for unknown in (False, True):
        result = run(write(key), x, value, *arrays_in(key), unknown=unknown)
        np.testing.assert_array_equal(result, expected, strict=True)
        result = run(accumulate(key), x, value, *arrays_in(key), unknown=unknown)
        np.testing.assert_allclose(result, added, rtol=1e-12, strict=True)


def test_true_and_one_are_different_entries() -> None:
    x = np.arange(12.0).reshape(2, 3, 2)
    for entry in (1, True, 1, 0, False):
        np.testing.assert_array_equal(ops.index.kernel(x, spec=(entry,)), x[entry])


@given(expressions())
@few(30)
def test_gradients_of_reading_and_writing(case: tuple[tuple[int, ...], Any]) -> None:
    shape, key = case
    x = sample(*shape)
    value = sample(*x[numpy_key(key, len(shape))].shape, seed=1)
    tensors = arrays_in(key)
    for unknown in (False, True):
        check_gradients(graph_of(read(key), x, *tensors, unknown=unknown), [x, *tensors])
        check_gradients(graph_of(write(key), x, value, *tensors, unknown=unknown), [x, value, *tensors], order=2)
        check_gradients(graph_of(accumulate(key), x, value, *tensors, unknown=unknown), [x, value, *tensors])


def test_of_values_written_to_one_element_only_the_last_has_a_gradient() -> None:
    positions = np.array([1, 1, 0, 1])
    graph = graph_of(write(Hole(positions)), sample(3), sample(4), positions)
    check_gradients(graph, [sample(3), sample(4), positions])
    from mycel.compiler.transforms.differentiate import differentiate

    joint = differentiate(graph, [1], [0]).append([1])
    _, gradient = interpret(joint, [sample(3), sample(4), positions, np.array([10.0, 20.0, 30.0])])
    np.testing.assert_array_equal(gradient, [0.0, 0.0, 10.0, 20.0])


def test_dots_that_stand_for_nothing_change_nothing() -> None:
    """NumPy puts the dimensions of the tensor first here, as if it stood apart from the int; MindSpore does not."""
    x, positions = sample(2, 3, 4), np.array([1, 0, 1])
    result = run(read((slice(None), 0, Ellipsis, Hole(positions))), x, positions)
    np.testing.assert_array_equal(result, x[:, 0, positions], strict=True)


def test_true_among_tensors_broadcasts_with_them_and_alone_adds_a_dimension() -> None:
    x, positions = sample(2, 3), np.array([1, 0, 1])
    np.testing.assert_array_equal(run(read(True), x), x[True], strict=True)
    result = run(read((True, Hole(positions))), x, positions)
    np.testing.assert_array_equal(result, x[True, positions], strict=True)


def names(function: Callable[..., Any], *arrays: Array) -> list[str]:
    """The names of the ops that a function records."""
    return [node.op.name for node in graph_of(function, *arrays).nodes]


def test_cheap_ops_are_chosen() -> None:
    x, positions = sample(4, 5, 6), np.array([1, 2])
    assert names(read(slice(None)), x) == []
    assert names(read(1), x) == ["slice", "reshape"]
    assert names(read((slice(None), slice(1, 3))), x) == ["slice"]
    assert names(read(Ellipsis), x) == []
    assert names(read((None, Ellipsis)), x) == ["reshape"]
    assert names(read(Hole(positions)), x, positions) == ["take"]
    assert names(read((slice(1, 3), Hole(positions), None)), x, positions) == ["slice", "take", "reshape"]
    assert names(read((0, Hole(positions))), x, positions) == ["slice", "reshape", "take"]
    one = np.array(2)
    assert names(read((Hole(one), slice(None), -1)), x, one) == ["take", "slice", "reshape"]
    assert names(read((slice(None), Hole(one), 0)), x, one) == ["slice", "reshape", "take"]
    assert names(read((Hole(positions), slice(None), 0)), x, positions) == ["index"]  # the axes move to the front
    assert names(read((True, Hole(positions))), x, positions) == ["index"]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (4, "index 4 is out of range for dimension 0 of a tensor of shape (4, 5), of size 4"),
        ((0, -6), "index -6 is out of range for dimension 1"),
        ((0, 0, 0), "too many indices for a tensor of shape (4, 5)"),
        (1.0, "but got 1.0 of type float"),
        ((Ellipsis, Ellipsis), "only one Ellipsis"),
        (False, "but not by False"),
        (slice(1.5, None), "bounds of slices should be integers"),
        (Hole(np.array([0.5])), "should be of integers or Bool, but its dtype is Float64"),
        (Hole(np.array([True, False])), "dimension 0 is of size 4, that of the mask of size 2"),
        (Hole(np.zeros((4, 5, 1), bool)), "too many indices"),
        ((Hole(np.zeros(2, int)), Hole(np.zeros(3, int))), "(2,) and (3,) cannot be broadcast together"),
        (slice(Hole(np.array([1, 2])), None), "should hold one integer"),
    ],
)
def test_wrong_indices_are_refused_before_the_run(key: Any, message: str) -> None:
    with pytest.raises(IndexError) as caught:
        graph_of(read(key), sample(4, 5), *arrays_in(key))
    assert message in str(caught.value)


@pytest.mark.parametrize("key", [Hole(np.array([0, 4])), (0, Hole(np.array([-6]))), Hole(np.array(7))])
def test_wrong_numbers_are_an_index_error_of_the_run(key: Any) -> None:
    graph = graph_of(read(key), sample(4, 5), *arrays_in(key))
    with pytest.raises(IndexError, match=r"index (4|-6|7) is out of range for dimension \d, of size"):
        interpret(graph, [sample(4, 5), *arrays_in(key)])
    graph = graph_of(write(key), sample(4, 5), sample(), *arrays_in(key))
    with pytest.raises(IndexError, match=r"index (4|-6|7) is out of range for dimension \d, of size"):
        interpret(graph, [sample(4, 5), sample(), *arrays_in(key)])


def test_a_step_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="step of a slice should not be zero"):
        graph_of(read(slice(None, None, 0)), sample(4))


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(
        ValueError, match=r"a value of shape \(3,\) cannot be assigned to a selection of shape \(2, 5\)"
    ):
        graph_of(write(slice(0, 2)), sample(4, 5), sample(3))
    with pytest.raises(TypeError, match="different dtypes"):
        graph_of(write(0), sample(4, 5), np.zeros(5, np.float32))


# Slices, pads, joins


@given(
    st.integers(-4, 4) | st.none(),
    st.integers(-4, 4) | st.none(),
    st.sampled_from([1, 2, 3, -1, -2]),
    st.integers(0, 3),
)
def test_normalized_slices_mean_the_same(start: int | None, stop: int | None, step: int, size: int) -> None:
    first, last, stride = slicing.normalize_slice(start, stop, step, size)
    numbers = list(range(size))
    assert numbers[first:last:stride] == numbers[start:stop:step]


def test_pad_and_crop() -> None:
    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=3))
    def compare(dimensions: list[tuple[int, int, int]]) -> None:
        floor.case()
        if pad_and_crop(dimensions):
            floor.check()

    with Floor(0.5) as floor:
        compare()


def pad_and_crop(dimensions: list[tuple[int, int, int]]) -> bool:
    """Compare with NumPy; whether there was something to compare."""
    dimensions = [(size, max(low, -size), max(high, -size - min(low, 0))) for size, low, high in dimensions]
    dimensions = [(size, low, max(high, -size - low, -size)) for size, low, high in dimensions]
    x = sample(*[size for size, _, _ in dimensions])
    low, high = tuple(d[1] for d in dimensions), tuple(d[2] for d in dimensions)
    cut = x[tuple(slice(max(-a, 0), n - max(-b, 0)) for n, a, b in dimensions)]
    try:
        expected = np.pad(cut, [(max(a, 0), max(b, 0)) for _, a, b in dimensions], constant_values=7.0)
        assert expected.shape == tuple(n + a + b for n, a, b in dimensions)
    except AssertionError:
        return False  # cropped from both sides by more than there is
    np.testing.assert_array_equal(run(lambda s: ops.pad(s, low=low, high=high, value=7.0), x), expected, strict=True)
    check_gradients(graph_of(lambda s: ops.pad(s, low=low, high=high, value=0.0), x), [x])
    return True


@pytest.mark.parametrize("unknown", [False, True])
def test_concatenate(unknown: bool) -> None:
    x, y = sample(2, 3), sample(1, 3, seed=1)
    graph = graph_of(lambda a, b: ops.concatenate(a, b, a, axis=0), x, y, unknown=unknown)
    np.testing.assert_array_equal(interpret(graph, [x, y])[0], np.concatenate([x, y, x]), strict=True)
    check_gradients(graph, [x, y], order=2)


@pytest.mark.parametrize(
    ("function", "shapes", "message"),
    [
        (
            lambda a, b: ops.concatenate(a, b, axis=0),
            ((2, 3), (2, 4)),
            "should agree except along axis 0, but got (2, 3)",
        ),
        (lambda a, b: ops.concatenate(a, b, axis=0), ((2, 3), (3,)), "same number of dimensions"),
        (lambda a: ops.pad(a, low=(-2,), high=(-2,), value=0), ((3,),), "crops more than dimension 0 of (3,) has"),
        (lambda a: ops.squeeze(a, axes=(0,)), ((3,),), "dimension 0 of shape (3,) is not of size 1"),
        (lambda a: ops.tril(a, k=0), ((3,),), "at least two dimensions"),
        (lambda a: ops.diagonal(a, offset=0, axis1=0, axis2=0), ((3, 3),), "should be distinct"),
    ],
)
def test_shapes_that_do_not_fit(function: Callable[..., Any], shapes: Sequence[tuple[int, ...]], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        graph_of(function, *[sample(*shape) for shape in shapes])


def test_dynamic_slice_out_of_range() -> None:
    x, start = sample(4), np.array(2)
    graph = graph_of(lambda s, at: ops.dynamic_slice(s, at, sizes=(3,)), x, start)
    np.testing.assert_array_equal(interpret(graph, [x, np.array(-3)])[0], x[1:])
    with pytest.raises(IndexError, match=r"3 elements from 2 are out of range for dimension 0, of size 4"):
        interpret(graph, [x, start])


def test_rows_at_a_traced_position() -> None:
    x, at = sample(4, 3), np.array(2, np.int32)
    graph = graph_of(read(Hole(at)), x, at)
    np.testing.assert_array_equal(interpret(graph, [x, at])[0], x[2], strict=True)
    assert graph.types == (TensorType(dtypes.float64, (3,)),)
    check_gradients(graph, [x, at], order=2)


@given(st.lists(st.integers(-5, 4), max_size=8), st.integers(0, 2), st.booleans())
def test_adding_rows(numbers: list[int], axis: int, single: bool) -> None:
    x = np.zeros((5, 5, 5)) + 1.0
    positions = np.array(numbers[0] if single and numbers else numbers, np.int64)
    value = sample(*np.take(x, positions, axis).shape)
    expected = x.copy()
    np.add.at(expected, (slice(None),) * axis + (positions,), value)
    result = run(lambda s, p, v: ops.take_add(s, p, v, axis=axis), x, positions, value)
    np.testing.assert_allclose(result, expected, rtol=1e-12)


# Scatters


@given(st.data(), st.sampled_from(["update", "add", "multiply", "maximum", "minimum"]))
@few(30)
def test_scatter_elements(data: Any, reduction: str) -> None:
    axis = data.draw(st.integers(0, 1))
    shape = (3, 4)
    region = tuple(data.draw(st.integers(0, 5 if place == axis else size)) for place, size in enumerate(shape))
    low = -shape[axis]
    count = region[0] * region[1]
    numbers = data.draw(st.lists(st.integers(low, -low - 1), min_size=count, max_size=count))
    x, updates, indices = sample(*shape), sample(*region, seed=1), np.array(numbers, np.int64).reshape(region)
    combine = {"update": lambda a, b: b, "add": np.add, "multiply": np.multiply, "maximum": max, "minimum": min}[
        reduction
    ]
    expected = x.copy()
    for place in np.ndindex(*region):
        target = tuple(indices[place] if position == axis else at for position, at in enumerate(place))
        expected[target] = combine(expected[target], updates[place])  # type: ignore[operator]
    graph = graph_of(lambda a, i, u: ops.scatter_elements(a, i, u, axis=axis, reduction=reduction), x, indices, updates)
    np.testing.assert_allclose(interpret(graph, [x, indices, updates])[0], expected, rtol=1e-12)
    check_gradients(graph, [x, indices, updates], order=2)
    as_coordinates = np.stack([indices if place == axis else np.indices(region)[place] for place in range(2)], -1)
    result = run(lambda a, i, u: ops.scatter_nd(a, i, u, reduction=reduction), x, as_coordinates, updates)
    np.testing.assert_allclose(result, expected, rtol=1e-12)
    read_back = run(lambda a, i: ops.gather_elements(a, i, axis=axis), x, indices)
    np.testing.assert_array_equal(read_back, run(ops.gather_nd, x, as_coordinates), strict=True)


def test_gradient_of_products_with_zeros() -> None:
    x, indices = np.array([2.0, 0.0, 3.0, 1.0]), np.array([0, 0, 1, 2, 2, 3])
    updates = np.array([0.0, 5.0, 4.0, 0.0, 0.0, 7.0])
    graph = graph_of(lambda a, i, u: ops.scatter_elements(a, i, u, axis=0, reduction="multiply"), x, indices, updates)
    check_gradients(graph, [x, indices, updates])


def test_gradient_of_equal_extrema_is_shared() -> None:
    from mycel.compiler.transforms.differentiate import differentiate

    x, indices, updates = np.array([2.0, 0.0]), np.array([0, 0, 1]), np.array([2.0, 2.0, 0.0])
    graph = graph_of(lambda a, i, u: ops.scatter_elements(a, i, u, axis=0, reduction="maximum"), x, indices, updates)
    joint = differentiate(graph, [0, 2], [0]).append([0, 2])
    _, dx, dupdates = interpret(joint, [x, indices, updates, np.array([6.0, 8.0])])
    np.testing.assert_allclose(dx, [2.0, 4.0])
    np.testing.assert_allclose(dupdates, [2.0, 2.0, 4.0])


@pytest.mark.parametrize(
    ("function", "arrays", "error", "message"),
    [
        (
            lambda x, i: ops.gather_elements(x, i, axis=0),
            (sample(2, 3), np.zeros((1, 4), int)),
            ValueError,
            "none that is longer, except dimension 0",
        ),
        (lambda x, i: ops.gather_elements(x, i, axis=0), (sample(2), sample(2)), TypeError, "their dtype is Float64"),
        (
            ops.gather_nd,
            (sample(2), np.zeros((1, 2), int)),
            ValueError,
            "give 2 coordinates, but the tensor of shape (2,)",
        ),
        (
            lambda x, i, u: ops.scatter_nd(x, i, u, reduction="mean"),
            (sample(2), np.zeros((1, 1), int), sample(1)),
            ValueError,
            "one of update, add, multiply, maximum, minimum, but got 'mean'",
        ),
        (lambda x, i: ops.take(x, i, axis=1), (sample(2), np.zeros(1, int)), ValueError, "axis should be in [0, 1)"),
    ],
)
def test_wrong_gathers(function: Any, arrays: tuple[Array, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        graph_of(function, *arrays)


@pytest.mark.parametrize(
    ("shift", "axis"), [((1,), (0,)), ((-2, 9), (0, 1)), ((3, -1, 2), (1, 2, -2)), ((), ()), ((4,), (-3,))]
)
def test_roll(shift: tuple[int, ...], axis: tuple[int, ...]) -> None:
    """As NumPy rolls, over several axes, more than once over one, by more than its size."""
    for shape in ((4, 3, 5), (4, 0, 1), (1, 1, 1)):
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        out = np.full_like(x, -1)
        slicing.roll.kernel(x, shift=shift, axis=axis, out=out)
        np.testing.assert_array_equal(out, np.roll(x, shift, axis))
        np.testing.assert_array_equal(slicing.roll.kernel(x, shift=shift, axis=axis), out)


def test_axes_of_positions() -> None:
    """Those of a region that positions take, side by side; none for other indices, such as all of a tensor."""
    whole = (None, None, 1)
    axes = [
        indexing.axes_of_positions((3, 4, 5), spec)
        for spec in (("operand",), (whole, "operand", "operand"), (whole, (0, 4, 1), whole), (), ((1, 3, 1), "operand"))
    ]
    assert axes == [(-1, 0, 1), (0, -1, -1), None, None, None]
    assert indexing.axes_of_positions((3, 4, 5), ("operand", whole, "operand")) is None


@pytest.mark.parametrize("spec", [("operand",), ((None, None, 1), "operand"), ("operand", "operand"), ("operand", 3)])
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_assignments_at_many_positions(spec: tuple[Any, ...], dtype: str) -> None:
    """A program assigns as NumPy does, in a copy and in memory of its own, and names positions out of range."""
    random = np.random.default_rng(len(spec))
    x = random.integers(0, 99, (40, 30, 20)).astype(dtype)
    sizes = [size for size, entry in zip(x.shape, spec, strict=False) if entry == "operand"]
    positions = [random.integers(-size, size, (6, 70)).astype(np.int32) for size in sizes]
    key = indexing.index_key(spec, positions)
    y = random.integers(0, 99, x[key].shape).astype(dtype)

    def function(x: Any, y: Any, *positions: Any) -> Any:
        copied = ops.index_update(x, y, *positions, spec=spec)
        return copied, ops.index_update(ops.add(x, copied), y, *positions, spec=spec)

    program = compile_graph(graph_of(function, x, y, *positions), name="f")
    first, second = x.copy(), x.copy()
    first[key] = y
    second += first
    second[key] = y
    for found, wanted in zip(program.run(x, y, *positions), (first, second), strict=True):
        np.testing.assert_array_equal(found, wanted)
    positions[0][2, 3] = 40
    with pytest.raises(IndexError, match="40"):
        program.run(x, y, *positions)


@pytest.mark.parametrize("shape", [(), (0,), (9,), (3, 5), (2, 0, 4), (2, 3, 4, 5)])
@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.bool_, np.complex64])
def test_positions_of_elements_are_those_of_numpy(shape: tuple[int, ...], dtype: Any) -> None:
    x = np.array(np.random.default_rng(0).integers(0, 2, shape)).astype(dtype)
    if dtype == np.float32 and x.size:
        x[x != 0] = np.nan
    for placed in (x, x.T):
        found = ops.nonzero.kernel(placed)
        assert found.dtype == np.int64
        assert found.flags.c_contiguous
        assert np.array_equal(found, np.argwhere(placed))
