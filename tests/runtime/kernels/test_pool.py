"""Pooling and its gradients against plain loops over windows."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from mycel.runtime.kernels import adaptive_pool, pool
from mycel.runtime.kernels.windows import output_spatial
from mycel.runtime.machine.product import vector_bytes

Array = np.ndarray[Any, np.dtype[Any]]
Window = list[tuple[int, ...]]  # its elements' positions, those in padding too
Case = dict[str, Any]


def windows(spatial: tuple[int, ...], case: Case) -> Iterator[tuple[tuple[int, ...], Window]]:
    """Every output position, and the elements of its window; positions outside of the image may be negative or too
    large."""
    kernel, stride, dilation = case["kernel"], case["stride"], case["dilation"]
    shape = output_spatial(spatial, kernel, stride, case["padding"], dilation, case["ceil_mode"])
    for place in itertools.product(*map(range, shape)):
        starts = [p * s - low for p, s, (low, _) in zip(place, stride, case["padding"], strict=True)]
        axes = [range(b, b + k * d, d) for b, k, d in zip(starts, kernel, dilation, strict=True)]
        yield place, list(itertools.product(*axes))


def adaptive_windows(spatial: tuple[int, ...], size: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Window]]:
    """Every output position of adaptive pooling, and its window."""
    for place in itertools.product(*map(range, size)):
        axes = [range(p * i // o, -(-(p + 1) * i // o)) for p, i, o in zip(place, spatial, size, strict=True)]
        yield place, list(itertools.product(*axes))


def inside(window: Window, spatial: tuple[int, ...]) -> Window:
    """The positions of a window that lie in the image."""
    return [place for place in window if all(0 <= p < size for p, size in zip(place, spatial, strict=True))]


def reference_max(x: Array, dout: Array, found: list[tuple[tuple[int, ...], Window]]) -> tuple[Array, Array, Array]:
    """Maxima, gradient and flat positions of the first maxima."""
    spatial = x.shape[2:]
    out, positions, dx = np.full(dout.shape, -np.inf), np.zeros(dout.shape, np.int64), np.zeros(x.shape)
    for image in itertools.product(*map(range, x.shape[:2])):
        for place, window in found:
            best = None
            for element in inside(window, spatial):
                if best is None or x[image + element] > x[image + best]:
                    best = element
            if best is not None:
                out[image + place] = x[image + best]
                positions[image + place] = np.ravel_multi_index(best, spatial)
                dx[image + best] += dout[image + place]
    return out, positions, dx


def reference_mean(
    x: Array, dout: Array, found: list[tuple[tuple[int, ...], Window]], divisor: Callable[[Window], float]
) -> tuple[Array, Array]:
    """Means and gradient, with the divisor of each window."""
    out, dx = np.zeros(dout.shape), np.zeros(x.shape)
    every = (slice(None), slice(None))
    for place, window in found:
        for element in inside(window, x.shape[2:]):
            out[every + place] += x[every + element] / divisor(window)
            dx[every + element] += dout[every + place] / divisor(window)
    return out, dx


@st.composite
def cases(draw: st.DrawFn) -> tuple[tuple[int, ...], Case]:
    """An input's shape and the arguments of a pooling, padding at most half the kernel."""
    axes = draw(st.integers(1, 3))

    def one_each(low: int, high: int) -> tuple[int, ...]:
        return tuple(draw(st.integers(low, high)) for _ in range(axes))

    spatial, kernel, stride, dilation = one_each(1, 7), one_each(1, 3), one_each(1, 3), one_each(1, 2)
    padding = tuple((draw(st.integers(0, k // 2)), draw(st.integers(0, k // 2))) for k in kernel)
    fits = zip(spatial, kernel, dilation, padding, strict=True)
    assume(all(size + low + high > (taps - 1) * spread for size, taps, spread, (low, high) in fits))
    case = {"kernel": kernel, "stride": stride, "padding": padding, "dilation": dilation}
    return (draw(st.integers(1, 2)), 2, *spatial), case | {"ceil_mode": draw(st.booleans())}


def check_call(kernel: Callable[..., Array], inputs: tuple[Any, ...], arguments: Case, expected: Array) -> None:
    """A fresh result, results in `out`, and results of other dtypes agree."""
    result = kernel(*inputs, **arguments)
    assert result.flags.c_contiguous
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)
    for out in (np.full(expected.shape, 7, result.dtype), np.full((*expected.shape, 2), 7, result.dtype)[..., 0]):
        assert kernel(*inputs, **arguments, out=out) is out
        np.testing.assert_array_equal(out, result)
    for dtype, tolerance in ((np.float32, 1e-6), (np.float16, 2e-3)):
        lower = tuple(item.astype(dtype) if isinstance(item, np.ndarray) else item for item in inputs)
        result = kernel(*lower, **arguments)
        assert result.dtype == dtype or result.dtype.kind == "i"
        np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance * 8)


def numbers(shape: tuple[int, ...], kinds: int) -> Array:
    """Few different numbers, so that windows have several maxima; all exact in half precision."""
    return np.random.default_rng(2).integers(-kinds, kinds, shape) / 4.0


def test_max_pool() -> None:
    """Poolings of all kinds of windows."""
    checked = 0

    @given(cases())
    def check_one(drawn: tuple[tuple[int, ...], Case]) -> None:
        nonlocal checked
        check_max_pool(drawn)
        checked += 1

    check_one()
    assert checked >= 20  # so many of those drawn fit


def check_max_pool(drawn: tuple[tuple[int, ...], Case]) -> None:
    """Maxima, where the first ones are, and the gradient that only they get."""
    shape, case = drawn
    found = list(windows(shape[2:], case))
    x = numbers(shape, 3)
    out_shape = output_spatial(
        shape[2:], *(case[key] for key in ("kernel", "stride", "padding", "dilation", "ceil_mode"))
    )
    dout = numbers((*shape[:2], *out_shape), 9)
    out, positions, dx = reference_max(x, dout, found)
    check_call(pool.max_pool, (x,), case, out)
    check_call(pool.max_pool_grad, (x, out, dout), case, dx)
    check_call(pool.max_pool_indices, (x, out), case, positions)


def test_avg_pool() -> None:
    """Poolings of all kinds of windows, with all divisors."""
    checked = 0

    @given(cases(), st.booleans(), st.sampled_from([None, None, 3]))
    def check_one(drawn: tuple[tuple[int, ...], Case], count_include_pad: bool, divisor_override: int | None) -> None:
        nonlocal checked
        check_avg_pool(drawn, count_include_pad, divisor_override)
        checked += 1

    check_one()
    assert checked >= 20  # so many of those drawn fit


def check_avg_pool(drawn: tuple[tuple[int, ...], Case], count_include_pad: bool, divisor_override: int | None) -> None:
    """Means over all elements, over elements in the image, or with a given divisor."""
    shape, case = drawn
    case["dilation"] = (1,) * (len(shape) - 2)
    spatial, padding = shape[2:], case["padding"]
    found = list(windows(spatial, case))

    def divisor(window: Window) -> float:
        if divisor_override is not None:
            return divisor_override
        if not count_include_pad:
            return max(1, len(inside(window, spatial)))
        ends = [size + high for size, (_, high) in zip(spatial, padding, strict=True)]
        return len([place for place in window if all(p < end for p, end in zip(place, ends, strict=True))])

    x = numbers(shape, 20)
    dout = numbers((*shape[:2], *np.add(found[-1][0], 1)), 20)
    out, dx = reference_mean(x, dout, found, divisor)
    arguments = {key: value for key, value in case.items() if key != "dilation"}
    arguments |= {"count_include_pad": count_include_pad, "divisor_override": divisor_override}
    check_call(pool.avg_pool, (x,), arguments, out)
    check_call(pool.avg_pool_grad, (dout, spatial), arguments, dx)


@pytest.mark.parametrize(
    ("spatial", "size"),
    [
        ((6,), (3,)),
        ((7,), (3,)),
        ((3,), (5,)),
        ((5, 7), (3, 2)),
        ((8, 6), (4, 3)),
        ((6, 7), (1, 1)),
        ((3, 4, 5), (2, 3, 2)),
        ((18, 20), (2, 2)),
        ((9, 16), (1, 1)),
    ],
)
def test_adaptive_pooling(spatial: tuple[int, ...], size: tuple[int, ...]) -> None:
    """Windows that divide the input evenly or not, and more outputs than inputs."""
    found = list(adaptive_windows(spatial, size))
    x, dout = numbers((2, 2, *spatial), 4), numbers((2, 2, *size), 9)
    out, dx = reference_mean(x, dout, found, len)
    check_call(adaptive_pool.adaptive_avg_pool, (x, size), {}, out)
    check_call(adaptive_pool.adaptive_avg_pool_grad, (dout, spatial), {}, dx)
    out, positions, dx = reference_max(x, dout, found)
    check_call(adaptive_pool.adaptive_max_pool, (x, size), {}, out)
    check_call(adaptive_pool.adaptive_max_pool_grad, (x, out, dout), {}, dx)
    check_call(adaptive_pool.adaptive_max_pool_indices, (x, out), {}, positions)


@pytest.mark.parametrize("elements", [1, 100, 10**6])
@pytest.mark.parametrize("threads", [1, 4])
def test_blocks_of_images(monkeypatch: pytest.MonkeyPatch, elements: int, threads: int) -> None:
    """However few images make a block, on however many threads, the result is the same."""
    for module, limit in ((pool, "PARALLEL_ELEMENTS"), (pool, "PARALLEL_NANOSECONDS")):
        monkeypatch.setattr(module, limit, 0)
        monkeypatch.setattr(module, "thread_count", lambda: threads)
    x, arguments = numbers((3, 5, 8, 8), 50), (3, 2, 1)
    out = pool.max_pool(x, *arguments)
    dout = numbers(out.shape, 9)
    expected = pool.max_pool_grad(x, out, dout, *arguments), pool.avg_pool(x, *arguments)
    spread = pool.avg_pool_grad(dout, (8, 8), *arguments)
    monkeypatch.setattr(pool, "BLOCK_ELEMENTS", elements)
    np.testing.assert_array_equal(pool.max_pool(x, *arguments), out)
    np.testing.assert_array_equal(pool.max_pool_grad(x, out, dout, *arguments), expected[0])
    np.testing.assert_array_equal(pool.avg_pool(x, *arguments), expected[1])
    np.testing.assert_array_equal(pool.avg_pool_grad(dout, (8, 8), *arguments), spread)


@pytest.mark.parametrize("vector", [32, 64])
@pytest.mark.parametrize("shape", [(2, 3, 9, 40), (1, 2, 50), (3, 2, 5, 6)])
def test_machine_code_and_numpy_agree(monkeypatch: pytest.MonkeyPatch, shape: tuple[int, ...], vector: int) -> None:
    """Maxima with nan, their gradients with infinity, and means, with the vectors of AVX2 and of AVX-512."""
    if vector > vector_bytes():
        pytest.skip("the processor has no such vectors, or machine code is off")
    monkeypatch.setattr(pool, "vector_bytes", lambda: vector)
    x = np.random.default_rng(0).integers(-9, 9, shape).astype(np.float32)
    x[..., 5], x[..., 11 % shape[-1] - 1] = np.nan, -np.inf
    found: list[list[Array]] = []
    for native in (True, False):
        pool.plan_pool.cache_clear()
        if not native:
            monkeypatch.setattr(pool, "frame_sizes", lambda *sizes: {})
        for arguments in ((3, 2, 1), (2, 2, 0), (3, 3, 1, 2, True)):
            out = pool.max_pool(x, *arguments)
            dout = np.random.default_rng(1).integers(-9, 9, out.shape).astype(np.float32)
            dout[..., 0] = np.inf
            grad = pool.max_pool_grad(x, out, dout, *arguments)
            found.append([out, grad, pool.avg_pool(x, *arguments[:3])])
    pool.plan_pool.cache_clear()
    for one, other in zip(found[:3], found[3:], strict=True):
        for made, expected in zip(one, other, strict=True):
            np.testing.assert_array_equal(made, expected)


def test_stride_is_the_kernel_unless_given() -> None:
    """Windows lie side by side."""
    x = np.arange(16.0).reshape(1, 1, 4, 4)
    np.testing.assert_array_equal(pool.max_pool(x, 2), [[[[5, 7], [13, 15]]]])
    np.testing.assert_array_equal(pool.avg_pool(x, (2, 4)), [[[[3.5], [11.5]]]])


def test_infinite_gradients_stay_where_they_belong() -> None:
    """No 0 · inf: elements that are no maximum get 0."""
    x, dout = np.array([[[1.0, 2.0, 4.0, 3.0]]]), np.array([[[np.inf, np.nan]]])
    dx = pool.max_pool_grad(x, np.array([[[2.0, 4.0]]]), dout, 2)
    np.testing.assert_array_equal(dx, [[[0, np.inf, np.nan, 0]]])
    dx = pool.max_pool_grad(x, np.array([[[2.0, 4.0, 4.0]]]), np.array([[[1.0, np.inf, 1.0]]]), 2, 1)
    np.testing.assert_array_equal(dx, [[[0, 1, np.inf, 0]]])


def test_infinite_inputs_reach_their_windows_only() -> None:
    """An infinite element makes no nan of another window's mean."""
    x = np.array([[[1.0, 2.0, np.inf, 3.0, 5.0]]])
    np.testing.assert_array_equal(adaptive_pool.adaptive_avg_pool(x, (2,)), [[[np.inf, np.inf]]])
    np.testing.assert_array_equal(adaptive_pool.adaptive_avg_pool(x, (3,)), [[[1.5, np.inf, 4.0]]])


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.int64])
def test_maxima_of_integers(dtype: Any) -> None:
    """Padding is below every integer."""
    x = np.array([[[3, 1, 2, 0]]], dtype)
    result = pool.max_pool(x, 3, 1, 1)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, [[[3, 3, 2, 2]]])


def test_wrong_arguments_are_named() -> None:
    """The message says what was expected and what was found."""
    x = np.zeros((1, 1, 4, 4))
    with pytest.raises(ValueError, match="the kernel spans 5 elements, more than the 4"):
        pool.max_pool(x, 5)
    with pytest.raises(ValueError, match="kernel must be a positive integer or 2 of them"):
        pool.avg_pool(x, (2, 2, 2))
    with pytest.raises(ValueError, match="divisor_override must not be 0"):
        pool.avg_pool(x, 2, divisor_override=0)
    with pytest.raises(ValueError, match="at least one spatial axis"):
        pool.max_pool(x[0, 0], 2)
    with pytest.raises(ValueError, match="needs 1 spatial axes, but the input has 2"):
        adaptive_pool.adaptive_avg_pool(x, (2,))
    with pytest.raises(ValueError, match="must be positive, but got 0"):
        adaptive_pool.adaptive_max_pool(x, (0, 2))
