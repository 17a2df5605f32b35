"""The functions of `mycel.numpy` that reduce, multiply and analyse: sums, statistics, products, polynomials, …"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.values.dispatch import cast, common_dtype, promoted_dtype
from ...frontend.values.operands import in_single, widened
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from .elementwise import array, in_dtype, operand, tensor_of


def _float(value: Any) -> Tensor:
    x = tensor_of(value)
    return x if x.dtype.is_float or x.dtype.is_complex else cast(x, dtypes.float32)


# Sums and statistics


def sum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
    """The sum over axes."""
    x = in_dtype(tensor_of(a), dtype)
    result = in_dtype(ops.sum(x, axis, keepdims), dtype)
    return result if initial is None else ops.add(result, initial)


def mean(a: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Tensor:
    """The mean over axes, in the tensor's dtype."""
    return ops.mean(in_dtype(tensor_of(a), dtype), axis, keepdims)


@in_single(3)
def average(x: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    """The mean over axes, weighted; with `returned` also the sum of the weights."""
    values = _float(x)
    if weights is None:
        result = ops.mean(values, axis)
        total = ops.full_like(result, values.size / builtins.max(result.size, 1))
    else:
        factors = cast(tensor_of(weights), values.dtype)
        if factors.ndim == 1 and values.ndim > 1:
            place = (axis if axis is not None else 0) % values.ndim
            factors = ops.reshape(factors, tuple(-1 if at == place else 1 for at in range(values.ndim)))
        total = ops.sum(ops.broadcast_to(factors, values.shape), axis)
        result = ops.div(ops.sum(ops.mul(values, factors), axis), total)
    return (result, total) if returned else result


@in_single()
def var(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance over axes, with `count - ddof` as the divisor."""
    values = _float(x)
    centred = ops.sub(values, ops.mean(values, axis, True))
    total = ops.sum(ops.square(centred), axis, keepdims)
    count = values.size // builtins.max(total.size, 1)
    return ops.div(total, float(builtins.max(count - ddof, 0)))


@in_single()
def std(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation over axes."""
    return ops.sqrt(var(x, axis, ddof, keepdims))


def _extremum(reduce: str, combine: str, worst: float) -> Callable[..., Tensor]:
    def extremum(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
        x = tensor_of(a)
        if where is not True:
            if initial is None:
                raise ValueError(f"{reduce}: 'where' needs 'initial'")
            x = ops.where(tensor_of(where), x, initial)
        result = getattr(ops, reduce)(x, axis, keepdims)
        return result if initial is None else getattr(ops, combine)(result, initial)

    extremum.__doc__ = f"As `ops.{reduce}` over axes; `initial` takes part, `where` says which elements do."
    return extremum


amax = max = _extremum("amax", "maximum", -math.inf)
amin = min = _extremum("amin", "minimum", math.inf)


def ptp(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The largest less the smallest element over axes."""
    return ops.sub(amax(x, axis, keepdims), amin(x, axis, keepdims))


def argmax(a: Any, axis: int | None = None) -> Tensor:
    """The position, Int64, of the largest element along an axis, or of all."""
    return cast(ops.argmax(tensor_of(a), axis), dtypes.int64)


def argmin(a: Any, axis: int | None = None) -> Tensor:
    """The position, Int32, of the smallest element along an axis, or of all."""
    return cast(ops.argmin(tensor_of(a), axis), dtypes.int32)


def count_nonzero(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """How many elements are not zero, Int32."""
    return ops.count_nonzero(tensor_of(x), () if axis is None else axis, keepdims)


def sometrue(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether any element is not zero."""
    return ops.any(tensor_of(a), axis, keepdims)


def _running(name: str) -> Callable[..., Tensor]:
    def running(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
        x = in_dtype(tensor_of(a), dtype)
        if axis is None:
            x, axis = ops.ravel(x), 0
        return in_dtype(getattr(ops, name)(x, axis), dtype)

    running.__name__, running.__doc__ = name, f"As `ops.{name}`; without an axis through all elements."
    return running


cumsum, cumprod = _running("cumsum"), _running("cumprod")


def _without_nan(name: str, filler: Any) -> Callable[..., Tensor]:
    function = globals()[name]

    def ignoring(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
        x = _float(a)
        return in_dtype(function(ops.where(ops.isnan(x), filler, x), axis, keepdims=keepdims), dtype)

    ignoring.__doc__ = f"As `{name}`, without the elements that are nan."
    return ignoring


nansum = _without_nan("sum", 0.0)
nanmax = _without_nan("amax", -math.inf)
nanmin = _without_nan("amin", math.inf)


def nancumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """As `cumsum`, with zero in place of nan."""
    x = _float(a)
    return cumsum(ops.where(ops.isnan(x), 0.0, x), axis, dtype)


def _numbers(x: Tensor, axis: Any, keepdims: bool) -> Tensor:
    return ops.sum(cast(ops.logical_not(ops.isnan(x)), x.dtype), axis, keepdims)


def nanmean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The mean of the elements that are not nan."""
    x = _float(a)
    wide = widened(x)
    average = ops.div(nansum(wide, axis, None, keepdims), _numbers(wide, axis, keepdims))
    return in_dtype(cast(average, x.dtype), dtype)


def nanvar(a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance of the elements that are not nan."""
    x = _float(a)
    wide = widened(x)
    centred = ops.sub(wide, nanmean(wide, axis, None, True))
    rest = ops.sub(_numbers(wide, axis, keepdims), float(ddof))
    return in_dtype(cast(ops.div(nansum(ops.square(centred), axis, None, keepdims), rest), x.dtype), dtype)


def nanstd(a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation of the elements that are not nan."""
    return ops.sqrt(nanvar(a, axis, dtype, ddof, keepdims))


def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    dtype: Any = None,
) -> Tensor:
    """The covariances of variables (rows, or columns)."""
    x = ops.atleast_2d(_float(m))
    x = x if rowvar or x.shape[0] == 1 else ops.swapaxes(x, 0, 1)
    if y is not None:
        other = ops.atleast_2d(_float(y))
        x = ops.concat((x, other if rowvar or other.shape[0] == 1 else ops.swapaxes(other, 0, 1)), 0)
    weights = [None if item is None else tensor_of(item) for item in (fweights, aweights)]
    correction = ddof if ddof is not None else 0 if bias else 1
    return in_dtype(ops.squeeze(ops.cov(x, correction=correction, fweights=weights[0], aweights=weights[1])), dtype)


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Tensor:
    """The correlations of variables (rows, or columns)."""
    table = cov(x, y, rowvar)
    if table.ndim == 0:
        return in_dtype(ops.div(table, table), dtype)
    sizes = ops.sqrt(ops.diagonal(table))
    result = ops.div(ops.div(table, ops.expand_dims(sizes, 1)), sizes)
    return in_dtype(ops.clip(result, -1.0, 1.0), dtype)


# Products


def matmul(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The matrix product."""
    return in_dtype(ops.matmul(tensor_of(x1), tensor_of(x2)), dtype)


def _joined(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    first, second = tensor_of(a), tensor_of(b)
    dtype = common_dtype(first, second)
    return cast(first, dtype), cast(second, dtype)


def dot(a: Any, b: Any) -> Tensor:
    """The sums of products over the last dimension of the first and the last but one of the second tensor."""
    x, y = _joined(a, b)
    if x.ndim == 0 or y.ndim == 0:
        return ops.mul(x, y)
    return ops.tensor_dot(x, y, ((x.ndim - 1,), (builtins.max(y.ndim - 2, 0),)))


def inner(a: Any, b: Any) -> Tensor:
    """The sums of products over the last dimensions."""
    return ops.inner(*_joined(a, b))


def outer(a: Any, b: Any) -> Tensor:
    """The products of all pairs of elements."""
    x, y = _joined(a, b)
    return ops.outer(ops.ravel(x), ops.ravel(y))


def tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    """The sums of products over some axes of each tensor."""
    return ops.tensor_dot(*_joined(a, b), axes)


def multi_dot(arrays: Any) -> Tensor:
    """The product of several matrices."""
    return ops.multi_dot([tensor_of(item) for item in arrays])


def kron(a: Any, b: Any) -> Tensor:
    """The Kronecker product."""
    return ops.kron(*_joined(a, b))


def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Tensor:
    """The vector products of vectors of three elements."""
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = _joined(a, b)
    x, y = ops.moveaxis(x, axisa, -1), ops.moveaxis(y, axisb, -1)
    if x.shape[-1] == y.shape[-1] == 2:
        return ops.sub(ops.mul(x[..., 0], y[..., 1]), ops.mul(x[..., 1], y[..., 0]))
    return ops.moveaxis(ops.cross(x, y, -1), -1, axisc)


def matrix_power(a: Any, n: int) -> Tensor:
    """A square matrix to a whole power."""
    return ops.matrix_power(_float(a), n)


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The norm of all elements, of vectors or of matrices."""
    return ops.norm(_float(x), ord, axis, keepdims)


# Sets, histograms, differences


def isin(element: Any, test_elements: Any, invert: bool = False) -> Tensor:
    """Whether each element is among some others."""
    x, others = _joined(element, test_elements)
    found = ops.any(ops.equal(ops.expand_dims(x, -1), ops.ravel(others)), -1)
    return ops.logical_not(found) if invert else found


def in1d(ar1: Any, ar2: Any, invert: bool = False) -> Tensor:
    """Whether each element, in one dimension, is among some others."""
    return isin(ops.ravel(tensor_of(ar1)), ar2, invert)


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Tensor:
    """The positions, Int32, at which values would be put into an ordered vector."""
    return ops.searchsorted(tensor_of(a), tensor_of(v), side=side, right=side == "right", sorter=sorter, out_int32=True)


def digitize(x: Any, bins: Any, right: bool = False) -> Tensor:
    """The number, Int32, of the interval between ascending (or descending) bounds that each element lies in."""
    values, edges = _joined(x, bins)
    bounds = edges.asnumpy()
    if bounds.size > 1 and bounds[0] > bounds[-1]:
        places = ops.searchsorted(ops.flip(edges, 0), values, right=right is not False, out_int32=True)
        return ops.sub(int(bounds.size), places)
    return ops.searchsorted(edges, values, right=not right, out_int32=True)


def bincount(x: Any, weights: Any = None, minlength: int = 0, length: int | None = None) -> Tensor:
    """How often each number occurs, Float32, or the sums of its weights; `length` fixes how many numbers count."""
    values = ops.bincount(
        tensor_of(x), None if weights is None else tensor_of(weights), builtins.max(minlength, length or 0)
    )
    return values if length is None else values[:length]


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Tensor:
    """The bounds of equal intervals over the range of the elements."""
    if not isinstance(bins, int):
        return _float(bins)
    x = ops.ravel(_float(a))
    low, high = (ops.amin(x), ops.amax(x)) if range is None else (Tensor(float(range[0])), Tensor(float(range[1])))
    same = ops.equal(low, high)
    low, high = ops.where(same, ops.sub(low, 0.5), low), ops.where(same, ops.add(high, 0.5), high)
    steps = Tensor(np.linspace(0, 1, bins + 1), x.dtype)
    return ops.add(ops.mul(steps, ops.sub(high, low)), low)


def histogram(
    a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> tuple[Tensor, Tensor]:
    """How many elements (or what weight) lie in each interval, Float32, and the intervals' bounds."""
    x = ops.ravel(_float(a))
    edges = histogram_bin_edges(a, bins, range)
    count = int(edges.shape[0]) - 1
    above = ops.less_equal(ops.expand_dims(edges[:-1], 1), x)
    below = ops.less(x, ops.expand_dims(edges[1:], 1))
    last = ops.logical_and(ops.equal(x, edges[-1]), Tensor(np.arange(count).reshape(-1, 1) == count - 1))
    inside = cast(ops.logical_or(ops.logical_and(above, below), last), dtypes.float32)
    if weights is not None:
        inside = ops.mul(inside, ops.ravel(_float(weights)))
    values = ops.sum(inside, 1)
    if density:
        values = ops.div(ops.div(values, ops.sum(values)), ops.sub(edges[1:], edges[:-1]))
    return values, edges if isinstance(bins, int) else tensor_of(bins)


def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """The differences of neighbours along an axis, n times."""
    x = tensor_of(a)
    parts = [part for part in (prepend, x, append) if part is not None]
    if len(parts) > 1:
        shape = tuple(1 if at == axis % x.ndim else length for at, length in enumerate(x.shape))
        parts = [part if tensor_of(part).ndim else ops.broadcast_to(tensor_of(part), shape) for part in parts]
        x = ops.concat([cast(tensor_of(part), x.dtype) for part in parts], axis)
    for _ in builtins.range(n):
        length = x.shape[axis]
        x = ops.sub(ops.narrow(x, axis, 1, length - 1), ops.narrow(x, axis, 0, length - 1))
    return x


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Tensor:
    """The differences of neighbours of all elements, with numbers before and after."""
    middle = diff(ops.ravel(tensor_of(ary)))
    parts = [part for part in (to_begin, middle, to_end) if part is not None]
    return (
        ops.concat([cast(ops.ravel(tensor_of(part)), middle.dtype) for part in parts], 0) if len(parts) > 1 else middle
    )


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Central differences inside, one-sided ones at the edges, along axes (all by default).

    Raises:
        ValueError: for an `edge_order` other than 1.
    """
    x = _float(f)
    if edge_order != 1:
        raise ValueError(f"gradient: 'edge_order' should be 1, but got {edge_order}")
    axes = tuple(builtins.range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    widths = varargs * len(axes) if len(varargs) == 1 else varargs or (1.0,) * len(axes)
    results = []
    for place, width in zip(axes, widths, strict=True):
        step = diff(x, 1, place)
        count = x.shape[place]
        middle = ops.mul(ops.add(ops.narrow(step, place, 1, count - 2), ops.narrow(step, place, 0, count - 2)), 0.5)
        whole = ops.concat((ops.narrow(step, place, 0, 1), middle, ops.narrow(step, place, count - 2, 1)), place)
        results.append(ops.div(whole, float(width)))
    return results[0] if len(results) == 1 else results


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Tensor:
    """Linear interpolation between points of ascending coordinates; beyond them `left` and `right`."""
    values, places, heights = _float(x), _float(xp), _float(fp)
    count = int(places.shape[0])
    high = ops.clip(ops.searchsorted(places, values, right=True), 1, count - 1)
    low = ops.sub(high, 1)
    x0, x1, y0, y1 = (ops.gather(table, at, 0) for table in (places, heights) for at in (low, high))
    share = ops.clip(ops.div(ops.sub(values, x0), ops.sub(x1, x0)), 0.0, 1.0)
    result = ops.add(y0, ops.mul(ops.sub(y1, y0), share))
    if left is not None:
        result = ops.where(ops.less(values, places[0]), left, result)
    return result if right is None else ops.where(ops.greater(values, places[-1]), right, result)


def trapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Tensor:
    """The integral along an axis by trapezoids."""
    heights = _float(y)
    count = heights.shape[axis]
    pairs = ops.mul(ops.add(ops.narrow(heights, axis, 1, count - 1), ops.narrow(heights, axis, 0, count - 1)), 0.5)
    if x is None:
        return ops.mul(ops.sum(pairs, axis), float(dx))
    widths = diff(_float(x))
    if widths.ndim == 1 and heights.ndim > 1:
        widths = ops.reshape(
            widths, tuple(-1 if at == axis % heights.ndim else 1 for at in builtins.range(heights.ndim))
        )
    return ops.sum(ops.mul(pairs, widths), axis)


def convolve(a: Any, v: Any, mode: str = "full") -> Tensor:
    """The convolution of two vectors."""
    return correlate(a, ops.flip(_float(v), 0), mode)


def correlate(a: Any, v: Any, mode: str = "valid") -> Tensor:
    """The sums of products of a vector with another moved along it: "full", "same" or "valid"."""
    x, y = _float(a), _float(v)
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"correlate: 'mode' should be 'full', 'same' or 'valid', but got {mode!r}")
    n, m = int(x.shape[0]), int(y.shape[0])
    if m > n:
        return ops.flip(correlate(y, x, mode), 0)
    low, high = {"full": (m - 1, m - 1), "valid": (0, 0), "same": (m // 2, m - 1 - m // 2)}[mode]
    padded = ops.reshape(ops.pad(x, (low, high)), (1, 1, -1))
    return ops.ravel(ops.conv1d(padded, ops.reshape(y, (1, 1, -1))))


def polyval(p: Any, x: Any) -> Tensor:
    """A polynomial, given by its coefficients from the highest power on, at x."""
    coefficients, at = _float(p), _float(x)
    result: Any = ops.zeros_like(at)
    for place in builtins.range(int(coefficients.shape[0])):
        result = ops.add(ops.mul(result, at), coefficients[place])
    return result


def _aligned(a1: Any, a2: Any) -> tuple[Tensor, Tensor]:
    x, y = _joined(array(a1), array(a2))
    count = builtins.max(int(x.shape[0]), int(y.shape[0]))
    return ops.pad(x, (count - int(x.shape[0]), 0)), ops.pad(y, (count - int(y.shape[0]), 0))


def polyadd(a1: Any, a2: Any) -> Tensor:
    """The coefficients of the sum of two polynomials."""
    return ops.add(*_aligned(a1, a2))


def polysub(a1: Any, a2: Any) -> Tensor:
    """The coefficients of the difference of two polynomials."""
    return ops.sub(*_aligned(a1, a2))


def polymul(a1: Any, a2: Any) -> Tensor:
    """The coefficients of the product of two polynomials."""
    return convolve(a1, a2)


def polyder(p: Any, m: int = 1) -> Tensor:
    """The coefficients of the m-th derivative of a polynomial."""
    x = array(p)
    for _ in builtins.range(m):
        count = int(x.shape[0])
        x = ops.mul(x[:-1], Tensor(np.arange(count - 1, 0, -1), x.dtype))
    return x


def polyint(p: Any, m: int = 1, k: Any = None) -> Tensor:
    """The coefficients of the m-th integral of a polynomial; k are the constants."""
    x = _float(p)
    constants = [0.0] * m if k is None else [float(k)] * m if isinstance(k, (int, float)) else list(k)
    for constant in constants:
        count = int(x.shape[0])
        x = ops.div(x, Tensor(np.arange(count, 0, -1), x.dtype))
        x = ops.concat((x, Tensor([constant], x.dtype)), 0)
    return x


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Tensor:
    """A function of vectors applied to each of those along an axis."""
    x = tensor_of(arr)
    place = axis % x.ndim
    moved = ops.moveaxis(x, place, -1)
    lead = moved.shape[:-1]
    rows = ops.reshape(moved, (-1, moved.shape[-1]))
    results = [tensor_of(func1d(row, *args, **kwargs)) for row in ops.unstack(rows)]
    whole = ops.reshape(ops.stack(results), (*lead, *results[0].shape))
    if not results[0].ndim:
        return whole
    return ops.moveaxis(
        whole, tuple(builtins.range(len(lead), whole.ndim)), tuple(builtins.range(place, place + results[0].ndim))
    )


def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Tensor:
    """A function of a tensor and an axis applied for one axis after the other, the dimensions kept."""
    x = tensor_of(a)
    for axis in (axes,) if isinstance(axes, int) else axes:
        result = tensor_of(func(x, axis))
        x = result if result.ndim == x.ndim else ops.expand_dims(result, axis)
    return x


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Whether two tensors have one shape and equal elements."""
    x, y = _joined(a1, a2)
    if x.shape != y.shape:
        return False
    same = ops.equal(x, y)
    return ops.all(ops.logical_or(same, ops.logical_and(ops.isnan(x), ops.isnan(y))) if equal_nan else same)


def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether two tensors, broadcast, have equal elements."""
    x, y = _joined(a1, a2)
    try:
        return ops.all(ops.equal(x, y))
    except ValueError:
        return False


def array_str(a: Any) -> str:
    """The tensor as text."""
    return str(tensor_of(a))


def promote_types(type1: Any, type2: Any) -> dtypes.DType:
    """The dtype of an operation on tensors of two dtypes."""
    return promoted_dtype(dtypes.as_dtype(type1), dtypes.as_dtype(type2))


def _dtype_of(item: Any) -> dtypes.DType:
    if isinstance(item, (dtypes.DType, str, type)):
        return dtypes.of_numpy(np.dtype(item)) if isinstance(item, str) else dtypes.as_dtype(item)
    return tensor_of(operand(item)).dtype


def result_type(*arrays_and_dtypes: Any) -> dtypes.DType:
    """The dtype of an operation on these tensors, numbers and dtypes."""
    kinds = [_dtype_of(item) for item in arrays_and_dtypes]
    result = kinds[0]
    for kind in kinds[1:]:
        result = promoted_dtype(result, kind)
    return result


# Random numbers


def rand(*shape: int, dtype: Any = dtypes.float32) -> Tensor:
    """Numbers equally likely anywhere in [0, 1)."""
    return cast(ops.rand(*shape), dtypes.as_dtype(dtype))


def randn(*shape: int, dtype: Any = dtypes.float32) -> Tensor:
    """Normally distributed numbers."""
    return cast(ops.randn(*shape), dtypes.as_dtype(dtype))


def randint(minval: int, maxval: int | None = None, shape: Any = None, dtype: Any = dtypes.int32) -> Tensor:
    """Whole numbers in [minval, maxval), or in [0, minval)."""
    low, high = (0, minval) if maxval is None else (minval, maxval)
    size = () if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    return cast(ops.randint(low, high, size or (1,)), dtypes.as_dtype(dtype))
