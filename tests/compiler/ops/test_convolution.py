"""Convolution, pooling and their kin against straightforward loops over NumPy arrays; gradients in float64."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gradcheck import check_gradients, type_of
from hypothesis import given, strategies as st
from searches import few

import mycel as ms
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.verifier import verify
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes
from mycel.runtime.machine.product import has_products

Array = np.ndarray[Any, np.dtype[Any]]


def sample(*shape: int, seed: int = 0) -> Array:
    """Float64 numbers, no two equal."""
    return np.asarray(np.random.default_rng(seed).standard_normal(shape))


def graph_of(function: Callable[..., Any], *arrays: Array, unknown: bool = False) -> Graph:
    """The verified graph of a function on symbols of the arrays' types, or with all their sizes unknown."""
    types = [type_of(array) for array in arrays]
    if unknown:
        types = [type.with_shape((None,) * type.rank) for type in types]
    return verify(record("f", types, function))


def run(function: Callable[..., Any], *arrays: Array) -> Array:
    """The only result of a function on symbols, run on these arrays."""
    (result,) = interpret(graph_of(function, *arrays), arrays)
    return result


def loop_conv(
    x: Array, w: Array, stride: tuple[int, ...], padding: Any, dilation: tuple[int, ...], groups: int
) -> Array:
    """Convolution, one output number after the other."""
    x = np.pad(x, [(0, 0), (0, 0), *padding])
    kernel = w.shape[2:]
    spatial = [(n - (k - 1) * d - 1) // s + 1 for n, k, s, d in zip(x.shape[2:], kernel, stride, dilation, strict=True)]
    result = np.zeros((x.shape[0], w.shape[0], *spatial))
    for batch, channel, *place in itertools.product(*map(range, result.shape)):
        first = channel // (w.shape[0] // groups) * w.shape[1]
        window = tuple(
            slice(p * s, p * s + (k - 1) * d + 1, d) for p, s, k, d in zip(place, stride, kernel, dilation, strict=True)
        )
        image = x[(batch, slice(first, first + w.shape[1]), *window)]
        result[(batch, channel, *place)] = np.sum(image * w[channel])
    return result


@st.composite
def convolutions(draw: Any) -> tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]:
    """Shapes of an input and a weight, and attributes that fit them."""
    axes = draw(st.integers(1, 3))
    small = st.integers(1, 3 if axes < 3 else 2)
    kernel = tuple(draw(small) for _ in range(axes))
    stride = tuple(draw(small) for _ in range(axes))
    dilation = tuple(draw(st.integers(1, 2)) for _ in range(axes))
    padding = tuple((draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in range(axes))
    spatial = tuple((k - 1) * d + 1 + draw(st.integers(0, 3)) for k, d in zip(kernel, dilation, strict=True))
    groups = draw(st.integers(1, 3))
    channels, outputs = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    attrs = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    return (draw(st.integers(1, 2)), channels * groups, *spatial), (outputs * groups, channels, *kernel), attrs


@given(convolutions())
@few(30)
def test_convolution(case: tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]) -> None:
    x, w = sample(*case[0]), sample(*case[1], seed=1)
    expected = loop_conv(x, w, **case[2])
    graph = graph_of(lambda a, b: ops.conv(a, b, **case[2]), x, w)
    assert graph.types[0].shape == expected.shape
    np.testing.assert_allclose(interpret(graph, [x, w])[0], expected, rtol=1e-10, atol=1e-10)
    check_gradients(graph, [x, w], order=2)


def test_the_gradient_by_the_weight_comes_first() -> None:
    """Behind it the image is not read any more, and its gradient may be written over it."""
    attrs = {"stride": (1,), "padding": ((1, 1),), "dilation": (1,), "groups": 1}
    graph = graph_of(lambda a, b: ops.conv(a, b, **attrs), sample(2, 3, 5), sample(4, 3, 3, seed=1))
    names = [node.op.name for node in differentiate(graph, [0, 1], [0]).backward.nodes]
    assert names == ["conv_weight_grad", "conv_input_grad"]


def test_convolution_of_a_batch_of_unknown_size() -> None:
    x, w = sample(2, 3, 5), sample(4, 3, 2, seed=1)
    attrs = {"stride": (1,), "padding": ((1, 0),), "dilation": (1,), "groups": 1}
    types = [type_of(x).with_shape((None, 3, None)), type_of(w)]
    graph = verify(record("f", types, lambda a, b: ops.conv(a, b, **attrs)))
    assert graph.types[0].shape == (None, 4, None)
    check_gradients(graph, [x, w], order=2)


@pytest.mark.parametrize(
    ("x", "w", "changes", "message"),
    [
        ((1, 4, 5), (2, 3, 3), {}, r"the input has 4 channels, but weight of shape \(2, 3, 3\) in 1 group needs 3"),
        ((1, 3, 5), (2, 3, 7), {}, r"the kernel \(7,\) with dilation \(1,\) is larger than the input \(5,\)"),
        ((1, 3, 5), (3, 3, 3), {"groups": 2}, "3 output channels cannot be split into 2 groups"),
        ((3, 5), (3, 3), {}, "equally many dimensions, at least 3"),
        ((1, 3, 5), (2, 3, 0), {}, r"the weight should have elements, but its shape is \(2, 3, 0\)"),
        ((1, 3, 5), (0, 3, 5), {}, r"the weight should have elements, but its shape is \(0, 3, 5\)"),
        ((1, 3, 5), (2, 3, 3), {"stride": (0,)}, "stride should be 1 positive integers"),
        ((1, 3, 5), (2, 3, 3), {"padding": ((-1, 0),)}, "padding should be 1 pairs of integers that are not negative"),
    ],
)
def test_wrong_convolutions(x: Any, w: Any, changes: dict[str, Any], message: str) -> None:
    attrs = {"stride": (1,), "padding": ((0, 0),), "dilation": (1,), "groups": 1, **changes}
    with pytest.raises(ValueError, match=message):
        graph_of(lambda a, b: ops.conv(a, b, **attrs), sample(*x), sample(*w))


def loop_pool(x: Array, windows: dict[str, Any], reduce: Callable[[Array], Any], fill: float) -> Array:
    """Pooling, one window after the other; `reduce` is given the elements inside, padding as `fill`."""
    kernel, stride, padding, dilation = (windows[key] for key in ("kernel", "stride", "padding", "dilation"))
    spatial, wide = [], []
    for n, k, s, (low, high), d in zip(x.shape[2:], kernel, stride, padding, dilation, strict=True):
        room = n + low + high - (k - 1) * d - 1
        count = room // s + 1
        if windows["ceil_mode"] and room % s and count * s < n + low:
            count += 1
        spatial.append(count)
        wide.append((low, max(high, (count - 1) * s + (k - 1) * d + 1 - n - low)))
    x = np.pad(x, [(0, 0), (0, 0), *wide], constant_values=fill)
    result = np.zeros((*x.shape[:2], *spatial))
    for batch, channel, *place in itertools.product(*map(range, result.shape)):
        window = tuple(
            slice(p * s, p * s + (k - 1) * d + 1, d) for p, s, k, d in zip(place, stride, kernel, dilation, strict=True)
        )
        result[(batch, channel, *place)] = reduce(x[(batch, channel, *window)])
    return result


@st.composite
def pools(draw: Any) -> tuple[tuple[int, ...], dict[str, Any]]:
    """A shape and windows that fit it."""
    axes = draw(st.integers(1, 3))
    kernel = tuple(draw(st.integers(1, 3)) for _ in range(axes))
    dilation = tuple(draw(st.integers(1, 2)) for _ in range(axes))
    spatial = tuple((k - 1) * d + 1 + draw(st.integers(0, 3)) for k, d in zip(kernel, dilation, strict=True))
    windows = {
        "kernel": kernel,
        "stride": tuple(draw(st.integers(1, 3)) for _ in range(axes)),
        "padding": tuple((draw(st.integers(0, k // 2)), draw(st.integers(0, k // 2))) for k in kernel),
        "dilation": dilation,
        "ceil_mode": draw(st.booleans()),
    }
    return (draw(st.integers(1, 2)), draw(st.integers(1, 2)), *spatial), windows


@given(pools())
@few(30)
def test_max_pool(case: tuple[tuple[int, ...], dict[str, Any]]) -> None:
    shape, windows = case
    x = np.random.default_rng(0).permutation(np.arange(float(np.prod(shape)))).reshape(shape)
    graph = graph_of(lambda a: ops.max_pool(a, **windows), x)
    expected = loop_pool(x, windows, np.max, -np.inf)
    assert graph.types[0].shape == expected.shape
    np.testing.assert_array_equal(interpret(graph, [x])[0], expected)
    check_gradients(graph, [x], order=2)
    positions = run(lambda a: ops.max_pool_indices(a, ops.max_pool(a, **windows), **windows), x)
    flat = x.reshape(*shape[:2], -1)
    found = np.take_along_axis(flat, positions.reshape(*shape[:2], -1), 2).reshape(expected.shape)
    np.testing.assert_array_equal(found, expected)


def test_of_equal_maxima_the_first_has_the_gradient() -> None:
    from mycel.compiler.transforms.differentiate import differentiate

    x = np.array([[[[1.0, 1.0], [0.0, 1.0]]]])
    windows: dict[str, Any] = {
        "kernel": (2, 2), "stride": (1, 1), "padding": ((0, 0), (0, 0)), "dilation": (1, 1), "ceil_mode": False,
    }  # fmt: skip
    graph = graph_of(lambda a: ops.max_pool(a, **windows), x)
    _, gradient = interpret(differentiate(graph, [0], [0]).append([0]), [x, np.full((1, 1, 1, 1), 5.0)])
    np.testing.assert_array_equal(gradient, [[[[5.0, 0.0], [0.0, 0.0]]]])


@given(pools(), st.booleans(), st.sampled_from([None, 3]))
@few(20)
def test_avg_pool(case: tuple[tuple[int, ...], dict[str, Any]], include: bool, divisor: int | None) -> None:
    shape, windows = case
    windows = {**windows, "dilation": (1,) * len(windows["kernel"]), "ceil_mode": False}
    x = sample(*shape)
    attrs = {key: value for key, value in windows.items() if key != "dilation"}
    graph = graph_of(lambda a: ops.avg_pool(a, count_include_pad=include, divisor=divisor, **attrs), x)

    def mean(window: Array) -> float:
        inside = window[np.isfinite(window)]
        return float(inside.sum() / (divisor or (window.size if include else max(inside.size, 1))))

    np.testing.assert_allclose(interpret(graph, [x])[0], loop_pool(x, windows, mean, np.nan), rtol=1e-12, atol=1e-12)
    check_gradients(graph, [x], order=2)


@pytest.mark.parametrize(
    ("shape", "sizes"), [((1, 2, 6, 4), (3, 2)), ((2, 1, 7, 5), (3, 4)), ((1, 1, 5, 4, 3), (2, 4, 1))]
)
def test_adaptive_pooling(shape: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    x = sample(*shape)
    maxima, means = (np.zeros((*shape[:2], *sizes)) for _ in range(2))
    for place in itertools.product(*map(range, maxima.shape)):
        window = tuple(
            slice(p * n // parts, -(-(p + 1) * n // parts))
            for p, n, parts in zip(place[2:], shape[2:], sizes, strict=True)
        )
        maxima[place] = x[(*place[:2], *window)].max()
        means[place] = x[(*place[:2], *window)].mean()
    graph = graph_of(lambda a: ops.adaptive_avg_pool(a, size=sizes), x)
    np.testing.assert_allclose(interpret(graph, [x])[0], means, rtol=1e-12)
    check_gradients(graph, [x], order=2)
    graph = graph_of(lambda a: ops.adaptive_max_pool(a, size=sizes), x)
    np.testing.assert_array_equal(interpret(graph, [x])[0], maxima)
    check_gradients(graph, [x], order=2)
    positions = run(lambda a: ops.adaptive_max_pool_indices(a, ops.adaptive_max_pool(a, size=sizes)), x)
    flat = x.reshape(*shape[:2], -1)
    found = np.take_along_axis(flat, positions.reshape(*shape[:2], -1), 2).reshape(maxima.shape)
    np.testing.assert_array_equal(found, maxima)


def test_pooling_windows_that_do_not_fit() -> None:
    windows = {"kernel": (4,), "stride": (1,), "padding": ((0, 0),), "dilation": (1,), "ceil_mode": False}
    with pytest.raises(ValueError, match=r"max_pool: the kernel \(4,\) is larger than the input \(3,\)"):
        graph_of(lambda a: ops.max_pool(a, **windows), sample(1, 1, 3))
    with pytest.raises(ValueError, match=r"should have a shape \(batch, channels, …\), but got \(3, 3\)"):
        graph_of(lambda a: ops.max_pool(a, **windows), sample(3, 3))


@given(st.integers(1, 3), st.lists(st.integers(1, 3), max_size=2), st.integers(0, 2), st.booleans())
@few(20)
def test_softmax_cross_entropy(classes: int, others: list[int], axis: int, ignoring: bool) -> None:
    axis = min(axis, len(others))
    shape = (*others[:axis], classes, *others[axis:])
    logits = sample(*shape) * 3
    labels = np.random.default_rng(1).integers(0, classes, others)
    if ignoring and labels.size:
        labels[(0,) * labels.ndim] = -5
    attrs = {"axis": axis, "ignore": -5 if ignoring else None}
    shifted = logits - np.log(np.exp(logits).sum(axis, keepdims=True))
    safe = np.expand_dims(np.where(labels == -5, 0, labels), axis)
    expected = np.where(labels == -5, 0.0, -np.squeeze(np.take_along_axis(shifted, safe, axis), axis))
    graph = graph_of(lambda a, b: ops.softmax_cross_entropy(a, b, **attrs)[0], logits, labels)
    np.testing.assert_allclose(interpret(graph, [logits, labels])[0], expected, rtol=1e-10, atol=1e-10)
    check_gradients(graph, [logits, labels], order=2)


def test_cross_entropy_of_large_and_of_infinite_logits() -> None:
    logits = np.array([[1e4, -1e4, 0.0], [-np.inf, 0.0, 0.0], [-1e4, -1e4, -1e4]], np.float32)
    labels = np.array([0, 1, 2])
    losses, total = interpret(
        graph_of(lambda a, b: ops.softmax_cross_entropy(a, b, axis=1, ignore=None), logits, labels), [logits, labels]
    )
    np.testing.assert_allclose(losses, [0.0, np.log(2), np.log(3)], rtol=2e-3)
    gradient = run(
        lambda a, b, t, d: ops.softmax_cross_entropy_grad(a, b, t, d, axis=1, ignore=None),
        logits, labels, total, np.ones(3, np.float32),
    )  # fmt: skip
    np.testing.assert_allclose(gradient[:2], [[0, 0, 0], [0, -0.5, 0.5]], atol=1e-6)


def test_cross_entropy_in_blocks_and_in_halves() -> None:
    logits = sample(300, 700).astype(np.float16)
    labels = np.random.default_rng(1).integers(0, 700, 300)
    graph = graph_of(lambda a, b: ops.softmax_cross_entropy(a, b, axis=1, ignore=None), logits, labels)
    assert [str(type.dtype) for type in graph.types] == ["Float16", "Float32"]
    losses, total = interpret(graph, [logits, labels])
    precise = logits.astype(np.float64)
    np.testing.assert_allclose(total, np.log(np.exp(precise).sum(1)), rtol=1e-6)
    np.testing.assert_allclose(losses, total - precise[np.arange(300), labels], rtol=2e-3)


@pytest.mark.parametrize("wrong", [3, -1])
def test_labels_out_of_range(wrong: int) -> None:
    logits, labels = sample(2, 3), np.array([0, wrong])
    graph = graph_of(lambda a, b: ops.softmax_cross_entropy(a, b, axis=1, ignore=None), logits, labels)
    with pytest.raises(ValueError, match=f"class {wrong} among the labels is out of range: there are 3 classes"):
        interpret(graph, [logits, labels])


@pytest.mark.parametrize("count", [3, 256, 257])
@pytest.mark.parametrize(("last", "expected"), [(4, 4), (-7, -1), (5, None), (-1, None)])
def test_class_indices_of_few_and_of_many_labels(count: int, last: int, expected: int | None) -> None:
    labels = np.arange(count) % 5
    labels[-1] = last
    graph = graph_of(lambda a: ops.class_indices(a, classes=5, ignore=-7, dtype=dtypes.int32), labels)
    if expected is None:
        with pytest.raises(ValueError, match=f"class {last} among the labels is out of range: there are 5 classes"):
            interpret(graph, [labels])
        return
    np.testing.assert_array_equal(interpret(graph, [labels])[0], [*labels[:-1], expected])


def test_labels_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match=r"need labels of shape \(2,\), but got \(3,\)"):
        graph_of(lambda a, b: ops.softmax_cross_entropy(a, b, axis=1, ignore=None)[0], sample(2, 3), np.zeros(3, int))
    with pytest.raises(TypeError, match="labels should be integers"):
        graph_of(lambda a, b: ops.softmax_cross_entropy(a, b, axis=1, ignore=None)[0], sample(2, 3), sample(2))


@pytest.mark.parametrize("shape", [(6, 2), (3, 2, 4), (70, 30, 5, 7)])
def test_batch_norm(shape: tuple[int, ...]) -> None:
    x, gamma, beta = sample(*shape) * 2 + 5, sample(shape[1], seed=1), sample(shape[1], seed=2)
    graph = graph_of(lambda *s: ops.batch_norm(*s, epsilon=1e-3), x, gamma, beta)
    result, mean, variance = interpret(graph, [x, gamma, beta])
    axes = (0, *range(2, x.ndim))
    np.testing.assert_allclose(mean, x.mean(axes))
    np.testing.assert_allclose(variance, x.var(axes))
    turn = (slice(None), *[None] * (x.ndim - 2))
    normal = (x - mean[turn]) / np.sqrt(variance + 1e-3)[turn]
    np.testing.assert_allclose(result, normal * gamma[turn] + beta[turn], rtol=1e-9, atol=1e-9)
    check_gradients(graph, [x, gamma, beta], order=2)


def test_batch_norm_keeps_digits_far_from_zero() -> None:
    x = (sample(64, 2, 9) + 1e3).astype(np.float32)
    arrays = [x, np.ones(2, np.float32), np.zeros(2, np.float32)]
    result, _, _ = interpret(graph_of(lambda *s: ops.batch_norm(*s, epsilon=0.0), *arrays), arrays)
    precise = x.astype(np.float64)
    expected = (precise - precise.mean((0, 2), keepdims=True)) / precise.std((0, 2), keepdims=True)
    np.testing.assert_allclose(result, expected, atol=2e-3)


def test_batch_norm_of_wrong_sizes() -> None:
    with pytest.raises(ValueError, match=r"gamma should have one number for each of the 3 channels"):
        graph_of(lambda *s: ops.batch_norm(*s, epsilon=0.0), sample(2, 3), sample(2), sample(2))


@given(convolutions())
@few(20)
def test_unfolded_windows_multiply_as_a_convolution(case: tuple[Any, tuple[int, ...], dict[str, Any]]) -> None:
    attrs = {key: value for key, value in case[2].items() if key != "groups"}
    x, w = sample(*case[0]), sample(case[1][0], case[0][1], *case[1][2:], seed=1)
    expected = loop_conv(x, w, **attrs, groups=1)
    graph = graph_of(lambda a: ops.unfold(a, kernel=w.shape[2:], **attrs), x)
    (columns,) = interpret(graph, [x])
    np.testing.assert_allclose(
        (w.reshape(len(w), -1) @ columns).reshape(expected.shape), expected, rtol=1e-10, atol=1e-10
    )
    check_gradients(graph, [x], order=2)


def test_folding_counts_how_often_an_element_is_seen() -> None:
    x = np.ones((1, 1, 4))
    attrs: dict[str, Any] = {"kernel": (2,), "stride": (1,), "padding": ((0, 0),), "dilation": (1,)}
    folded = run(lambda a: ops.fold(ops.unfold(a, **attrs), size=(4,), **attrs), x)
    np.testing.assert_array_equal(folded, [[[1.0, 2.0, 2.0, 1.0]]])
    with pytest.raises(ValueError, match=r"an image of size \(5,\) has 4 windows, but the input has 3"):
        graph_of(lambda a: ops.fold(a, size=(5,), **attrs), sample(1, 2, 3))


def test_resize() -> None:
    x = np.array([[[1.0, 2.0, 4.0]]])

    def resized(size: int, mode: str, coordinates: str) -> Any:
        attrs: dict[str, Any] = {"mode": mode, "coordinates": coordinates, "scales": None}
        return run(lambda a: ops.resize(a, size=(size,), **attrs), x)[0, 0].tolist()

    assert resized(6, "nearest", "asymmetric") == [1.0, 1.0, 2.0, 2.0, 4.0, 4.0]
    assert resized(5, "linear", "align_corners") == [1.0, 1.5, 2.0, 3.0, 4.0]
    np.testing.assert_allclose(resized(6, "linear", "half_pixel"), [1.0, 1.25, 1.75, 2.5, 3.5, 4.0])
    np.testing.assert_allclose(resized(3, "cubic", "half_pixel"), [1.0, 2.0, 4.0])
    with pytest.raises(ValueError, match="mode should be one of nearest, linear, cubic, coordinates one of"):
        resized(3, "lanczos", "half_pixel")
    with pytest.raises(ValueError, match=r"needs 1 sizes from 1, but got \(0,\)"):
        resized(0, "linear", "half_pixel")


@pytest.mark.parametrize("align", [True, False])
def test_grid_sample_at_the_pixels_gives_the_image(align: bool) -> None:
    x = sample(2, 3, 4, 5)
    ends = [1.0 if align else 1 - 1 / size for size in (4, 5)]
    rows, columns = np.meshgrid(
        *[np.linspace(-end, end, size) for end, size in zip(ends, (4, 5), strict=True)], indexing="ij"
    )
    grid = np.broadcast_to(np.stack([columns, rows], -1), (2, 4, 5, 2)).copy()
    for mode in ("linear", "nearest"):
        attrs = {"mode": mode, "padding": "zeros", "align_corners": align}
        np.testing.assert_allclose(run(lambda a, g: ops.grid_sample(a, g, **attrs), x, grid), x, atol=1e-12)  # noqa: B023


@pytest.mark.parametrize(
    ("padding", "expected"), [("zeros", [0.0, 0.0, 0.5]), ("border", [1.0, 3.0, 1.0]), ("reflection", [2.0, 2.0, 1.5])]
)
def test_grid_sample_outside_of_the_image(padding: str, expected: list[float]) -> None:
    x = np.array([[[1.0, 2.0, 3.0]]])
    grid = np.array([-2.0, 2.0, -1.5]).reshape(1, 3, 1)
    attrs = {"mode": "linear", "padding": padding, "align_corners": True}
    result = run(lambda a, g: ops.grid_sample(a, g, **attrs), x, grid)
    np.testing.assert_allclose(result[0, 0], expected)


@pytest.mark.skipif(not has_products(), reason="machine code is off, or the processor has no AVX2")
@pytest.mark.parametrize("axes", [1, 2, 3])
def test_programs_call_direct_sums(axes: int) -> None:
    """Over one to three axes, also in a loop that is machine code as a whole."""
    apply: Any = (ms.ops.conv1d, ms.ops.conv2d, ms.ops.conv3d)[axes - 1]
    rng = np.random.default_rng(axes)
    x, w = (ms.Tensor(rng.standard_normal((3, 3, *[n] * axes)).astype(np.float32)) for n in (5, 3))
    w = w * 0.2  # gradients of larger ones grow from layer to layer, with their errors

    def loss(x: Any, w: Any) -> Any:
        for _ in range(17):
            x = ms.ops.tanh(apply(x, w, pad_mode="pad", padding=1))
        return ms.ops.square(x).sum()

    gradient = ms.jit(ms.grad(loss, (0, 1)))
    text = gradient.stages(x, w).program
    assert all(f"{name}_directly(" in text for name in ("conv", "conv_input_grad", "conv_weight_grad"))
    assert text.count("@compile_loop") == 2  # forward and backward
    plain = ms.jit(passes_off=["kernels", "whole_loops"])(ms.grad(loss, (0, 1)))
    for found, wanted in zip(gradient(x, w), plain(x, w), strict=True):
        np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), rtol=1e-3, atol=1e-4)
