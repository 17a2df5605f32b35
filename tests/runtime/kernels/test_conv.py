"""Convolution and its gradients against plain loops over positions and taps."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from searches import chequered

from mycel.runtime import threads
from mycel.runtime.kernels import conv as kernels, conv_plan
from mycel.runtime.kernels.conv import conv, conv_input_grad, conv_scratch_size, conv_weight_grad
from mycel.runtime.kernels.products import matmul_in_parts
from mycel.runtime.kernels.windows import Convolution, output_spatial

Array = np.ndarray[Any, np.dtype[Any]]
Arguments = tuple[tuple[int, ...], tuple[tuple[int, int], ...], tuple[int, ...], int]


def seen(x: Array, w: Array, arguments: Arguments) -> Iterator[tuple[Any, Any, Any]]:
    """For each tap and group: the indices of output, padded input, weight."""
    stride, padding, dilation, groups = arguments
    outputs, channels = w.shape[0] // groups, w.shape[1]
    spatial = output_spatial(x.shape[2:], w.shape[2:], stride, padding, dilation)
    for tap in itertools.product(*map(range, w.shape[2:])):
        firsts = [t * d for t, d in zip(tap, dilation, strict=True)]
        place = [slice(f, f + (n - 1) * s + 1, s) for f, n, s in zip(firsts, spatial, stride, strict=True)]
        for group in range(groups):
            of_outputs = slice(group * outputs, (group + 1) * outputs)
            of_channels = slice(group * channels, (group + 1) * channels)
            yield (slice(None), of_outputs), (slice(None), of_channels, *place), (of_outputs, slice(None), *tap)


def padded(x: Array, padding: tuple[tuple[int, int], ...]) -> Array:
    """The input with zeros around it."""
    return np.pad(x, [(0, 0), (0, 0), *padding])


def reference(x: Array, w: Array, arguments: Arguments) -> Array:
    """The convolution."""
    frame = padded(x, arguments[1])
    out = np.zeros((x.shape[0], w.shape[0], *output_spatial(x.shape[2:], w.shape[2:], *arguments[:3])))
    for of_out, of_x, of_w in seen(x, w, arguments):
        out[of_out] += np.einsum("nc...,oc->no...", frame[of_x], w[of_w])
    return out


def reference_gradients(x: Array, w: Array, dout: Array, arguments: Arguments) -> tuple[Array, Array]:
    """Its gradients by input and weight."""
    frame, dw = padded(x, arguments[1]), np.zeros(w.shape)
    dframe = np.zeros(frame.shape)
    for of_out, of_x, of_w in seen(x, w, arguments):
        dframe[of_x] += np.einsum("no...,oc->nc...", dout[of_out], w[of_w])
        dw[of_w] += np.einsum(
            "nox,ncx->oc", *(part.reshape(*part.shape[:2], -1) for part in (dout[of_out], frame[of_x]))
        )
    inside = tuple(slice(low, low + size) for size, (low, _) in zip(x.shape[2:], arguments[1], strict=True))
    return dframe[(slice(None), slice(None), *inside)], dw


def check(x_shape: tuple[int, ...], w_shape: tuple[int, ...], arguments: Arguments, dtype: Any = np.float64) -> None:
    """All three kernels agree with the loops: fresh, into `out`, and in a scratch array full of nan."""
    generator = np.random.default_rng(3)
    x, w = (generator.standard_normal(shape).astype(dtype) for shape in (x_shape, w_shape))
    expected = reference(x.astype(float), w.astype(float), arguments)
    dout = generator.standard_normal(expected.shape).astype(dtype)
    dx, dw = reference_gradients(x.astype(float), w.astype(float), dout.astype(float), arguments)
    tolerance = {np.float64: 1e-10, np.float32: 1e-4, np.float16: 2e-2}[dtype]
    compute = np.float32 if dtype == np.float16 else dtype
    for purpose, kernel, inputs, want in (
        ("forward", conv, (x, w), expected),
        ("input", conv_input_grad, (dout, w, x_shape[2:]), dx),
        ("weight", conv_weight_grad, (dout, x, w_shape[2:]), dw),
    ):
        result = kernel(*inputs, *arguments)
        assert result.dtype == dtype
        assert result.flags.c_contiguous
        np.testing.assert_allclose(result, want, rtol=tolerance, atol=tolerance * max(1, abs(want).max(initial=0)))
        scratch = np.full(
            conv_scratch_size(Convolution(purpose, x_shape, w_shape, *arguments, np.dtype(dtype))), np.nan, compute
        )
        out = np.full(want.shape, 7, dtype)
        assert kernel(*inputs, *arguments, out=out, scratch=scratch) is out
        np.testing.assert_array_equal(out, result)
        spread = np.full((*want.shape, 2), 7, dtype)[..., 0]
        kernel(*inputs, *arguments, out=spread)
        np.testing.assert_array_equal(spread, result)


@pytest.fixture
def fresh_plans() -> Iterator[pytest.MonkeyPatch]:
    """Constants of the plan may be set; no plan made with them outlives the test."""
    with pytest.MonkeyPatch.context() as patch:
        conv_plan.plan_conv.cache_clear()
        yield patch
    conv_plan.plan_conv.cache_clear()


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize(
    ("x_shape", "w_shape", "arguments"),
    [
        ((2, 1, 12, 12), (6, 1, 5, 5), ((1, 1), ((0, 0), (0, 0)), (1, 1), 1)),
        ((2, 6, 9, 9), (16, 6, 5, 5), ((1, 1), ((0, 0), (0, 0)), (1, 1), 1)),
        ((2, 4, 8, 8), (6, 4, 3, 3), ((1, 1), ((1, 1), (1, 1)), (1, 1), 1)),
        ((3, 4, 8, 8), (4, 4, 3, 3), ((1, 1), ((0, 2), (2, 1)), (1, 1), 1)),
        ((2, 3, 9, 8), (8, 3, 3, 3), ((2, 2), ((1, 0), (0, 1)), (1, 1), 1)),
        ((2, 4, 11, 9), (4, 2, 3, 2), ((3, 2), ((2, 2), (1, 0)), (2, 3), 2)),
        ((2, 6, 7, 7), (6, 1, 3, 3), ((1, 1), ((1, 1), (1, 1)), (1, 1), 6)),
        ((2, 3, 7, 7), (6, 1, 3, 3), ((2, 1), ((1, 1), (1, 1)), (1, 1), 3)),
        ((2, 8, 5, 5), (4, 8, 1, 1), ((1, 1), ((0, 0), (0, 0)), (1, 1), 1)),
        ((2, 8, 5, 5), (4, 8, 1, 1), ((2, 2), ((0, 0), (1, 1)), (1, 1), 1)),
        ((2, 3, 9, 12), (6, 3, 4, 4), ((4, 4), ((0, 0), (0, 0)), (1, 1), 1)),
        ((3, 4, 11, 12), (6, 2, 3, 5), ((3, 6), ((1, 2), (2, 0)), (1, 1), 2)),
        ((2, 3, 13), (4, 3, 5), ((5,), ((0, 1),), (1,), 1)),
        ((2, 3, 13), (4, 3, 4), ((2,), ((3, 1),), (2,), 1)),
        ((2, 4, 9), (2, 2, 3), ((1,), ((1, 1),), (1,), 2)),
        ((2, 2, 5, 6, 4), (4, 2, 2, 3, 2), ((1, 2, 1), ((1, 0), (1, 1), (0, 1)), (2, 1, 1), 1)),
        ((2, 4, 4, 4, 4), (4, 2, 3, 3, 3), ((2, 1, 1), ((1, 1), (1, 1), (1, 1)), (1, 1, 1), 2)),
    ],
)
def test_agrees_with_loops(
    x_shape: tuple[int, ...], w_shape: tuple[int, ...], arguments: Arguments, dtype: Any
) -> None:
    """Forward and both gradients, for 1, 2 and 3 spatial axes."""
    check(x_shape, w_shape, arguments, dtype)


@pytest.mark.parametrize(
    ("elements", "weights", "product", "threads"), chequered([1, 300, 10**6], [0, 10**6], [50, 10**6], [1, 3])
)
def test_every_strategy_agrees(
    fresh_plans: pytest.MonkeyPatch, elements: int, weights: int, product: int, threads: int
) -> None:
    """However small the blocks, whether images share a matrix, however products are cut, on one thread or several."""
    fresh_plans.setattr(conv_plan, "PARALLEL_FLOPS", 0)
    fresh_plans.setattr(conv_plan, "thread_count", lambda: threads)
    fresh_plans.setattr(conv_plan, "BLOCK_ELEMENTS", elements)
    fresh_plans.setattr(conv_plan, "LARGE_WEIGHTS", weights)
    fresh_plans.setattr(conv_plan, "UNPACKED_PRODUCT", product)
    fresh_plans.setattr(conv_plan, "TRANSPOSING_PAYS", elements % 7)
    fresh_plans.setattr(conv_plan, "SHORTEST_ROW", 1 if weights else 4)
    for groups in (1, 2):
        for dtype in (np.float64, np.float16):
            check((5, 4, 8, 7), (4, 4 // groups, 2, 3), ((2, 3), ((1, 0), (1, 1)), (1, 1), groups), dtype)
            check((5, 4, 6, 6), (8, 4 // groups, 3, 3), ((1, 1), ((1, 1), (1, 1)), (1, 1), groups), dtype)
            check((3, 4, 7, 6), (2, 4 // groups, 3, 2), ((2, 1), ((1, 1), (0, 2)), (1, 2), groups), dtype)


@pytest.mark.parametrize("weights", [0, 10**6])
def test_threads_share_products_of_one_image(fresh_plans: pytest.MonkeyPatch, weights: int) -> None:
    """Where they cannot share images, also products that are added to the result."""
    counted = []

    def in_parts(*operands: Any, **way: Any) -> Any:
        counted.append(way["add"])
        return matmul_in_parts(*operands, **way)

    fresh_plans.setattr(conv_plan, "LARGE_WEIGHTS", weights)
    fresh_plans.setattr(kernels, "matmul_in_parts", in_parts)
    fresh_plans.setattr(kernels, "TEAM_FLOPS", 0)
    fresh_plans.setattr(threads.sharing, "threads", lambda: 3)
    for groups in (1, 2):
        for dtype in (np.float64, np.float32, np.float16):
            check((1, 4, 8, 7), (4, 4 // groups, 2, 3), ((2, 3), ((1, 0), (1, 1)), (1, 1), groups), dtype)
            check((1, 4, 6, 6), (8, 4 // groups, 3, 3), ((1, 1), ((1, 1), (1, 1)), (1, 1), groups), dtype)
            check((1, 8, 6, 6), (4, 8 // groups, 1, 1), ((1, 1), ((0, 0), (0, 0)), (1, 1), groups), dtype)
    assert True in counted or weights == 0
    assert len(counted) > 20


@st.composite
def convolutions(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...], Arguments]:
    """Shapes and arguments of a small convolution."""
    axes = draw(st.integers(1, 3))

    def one_each(low: int, high: int) -> tuple[int, ...]:
        return tuple(draw(st.integers(low, high)) for _ in range(axes))

    groups, channels, outputs = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 4))
    spatial, kernel, stride, dilation = one_each(1, 6), one_each(1, 3), one_each(1, 3), one_each(1, 3)
    padding = tuple(zip(one_each(0, 3), one_each(0, 3), strict=True))
    fits = zip(spatial, kernel, dilation, padding, strict=True)
    assume(all(size + low + high > (taps - 1) * spread for size, taps, spread, (low, high) in fits))
    batch = draw(st.integers(1, 3))
    x_shape, w_shape = (batch, groups * channels, *spatial), (groups * outputs, channels, *kernel)
    return x_shape, w_shape, (stride, padding, dilation, groups)


@pytest.mark.parametrize("shortest", [1, 4])
def test_any_small_convolution(fresh_plans: pytest.MonkeyPatch, shortest: int) -> None:
    """Whatever the shapes, strides, padding, dilation and groups."""
    fresh_plans.setattr(conv_plan, "SHORTEST_ROW", shortest)
    checked = 0

    @given(convolutions())
    def check_one(case: tuple[tuple[int, ...], tuple[int, ...], Arguments]) -> None:
        nonlocal checked
        check(*case)
        checked += 1

    check_one()
    assert checked >= 20  # so many of those drawn fit


def test_threads_leave_sums_as_they_are(fresh_plans: pytest.MonkeyPatch) -> None:
    """The same bits, whether there are threads for all parts of a plan or not."""
    fresh_plans.setattr(conv_plan, "PARALLEL_FLOPS", 0)
    fresh_plans.setattr(conv_plan, "thread_count", lambda: 4)
    generator = np.random.default_rng(0)
    x = generator.standard_normal((7, 5, 9, 9), dtype=np.float32)
    dout = generator.standard_normal((7, 6, 9, 9), dtype=np.float32)
    parallel = conv_weight_grad(dout, x, (3, 3), 1, 1)
    fresh_plans.setattr(threads, "_get_workers", lambda count: [])
    np.testing.assert_array_equal(conv_weight_grad(dout, x, (3, 3), 1, 1), parallel)


def test_transposed_convolution_places_kernels() -> None:
    """A stride as long as the kernel puts one scaled copy of it beside the other."""
    x, w = np.array([[[2.0, 3.0]]]), np.array([[[1.0, 10.0, 100.0]]])
    np.testing.assert_array_equal(conv_input_grad(x, w, (6,), 3), [[[2, 20, 200, 3, 30, 300]]])


def test_arguments_may_be_numbers() -> None:
    """An integer stands for all axes, and in padding for both sides."""
    x, w = np.arange(50.0).reshape(1, 2, 5, 5), np.arange(36.0).reshape(2, 2, 3, 3)
    expected = conv(x, w, (2, 2), ((1, 1), (1, 1)), (1, 1))
    np.testing.assert_array_equal(conv(x, w, 2, 1), expected)
    np.testing.assert_array_equal(conv(x, w, 2, (1, 1), 1), expected)


def test_inputs_need_not_be_contiguous() -> None:
    """Views with any strides give the same result."""
    generator = np.random.default_rng(0)
    x, w = generator.standard_normal((2, 6, 6, 3)), generator.standard_normal((3, 3, 3, 4))
    for padding in (0, 1):
        result = conv(x.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1), 1, padding)
        copied = conv(x.transpose(0, 3, 1, 2).copy(), w.transpose(3, 2, 0, 1).copy(), 1, padding)
        np.testing.assert_allclose(result, copied, rtol=1e-12)


def test_empty_batch() -> None:
    """No images give no results, and a zero gradient of the weight."""
    x, w = np.zeros((0, 2, 5, 5), np.float32), np.ones((3, 2, 3, 3), np.float32)
    out = conv(x, w)
    assert out.shape == (0, 3, 3, 3)
    assert conv_input_grad(out, w, (5, 5)).shape == x.shape
    np.testing.assert_array_equal(conv_weight_grad(out, x, (3, 3)), np.zeros_like(w))


def test_wrong_arguments_are_named() -> None:
    """The message says what was expected and what was found."""
    x, w = np.zeros((1, 3, 4, 4)), np.zeros((2, 3, 3, 3))
    with pytest.raises(ValueError, match=r"the input has 3 channels.*takes 6"):
        conv(x, w, groups=2)
    with pytest.raises(ValueError, match="the kernel spans 9 elements, more than the 4"):
        conv(x, w, dilation=4)
    with pytest.raises(ValueError, match="stride must be a positive integer"):
        conv(x, w, (1, 0))
    with pytest.raises(ValueError, match="padding must name 2 axes"):
        conv(x, w, 1, ((1, 1),))
    with pytest.raises(ValueError, match="padding must not be negative"):
        conv(x, w, 1, -1)
    with pytest.raises(ValueError, match="of the same rank"):
        conv(x, w[0])
    with pytest.raises(ValueError, match=r"dout has shape \(1, 2, 4, 4\), but the convolution gives \(1, 2, 2, 2\)"):
        conv_weight_grad(np.zeros((1, 2, 4, 4)), x, (3, 3))
    with pytest.raises(ValueError, match="dout has shape"):
        conv_input_grad(np.zeros((1, 2, 4, 4)), w, (4, 4))
    with pytest.raises(ValueError, match="out has shape"):
        conv(x, w, out=np.zeros((1, 2, 3, 3)))
    with pytest.raises(ValueError, match="scratch must be a vector of float64"):
        conv(x, w[:, :, :1, :1], scratch=np.zeros(2, np.float32))


def test_scratch_that_is_too_small() -> None:
    """Scratch for fewer threads than there may be now is left alone."""
    x, w, scratch = np.ones((1, 1, 4, 4)), np.ones((2, 1, 3, 3)), np.zeros(2)
    assert (conv(x, w, 1, 1, scratch=scratch) == conv(x, w, 1, 1)).all()
    assert not scratch.any()
