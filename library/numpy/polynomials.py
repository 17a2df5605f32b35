"""`mycel.numpy`: differences, integrals, convolutions and polynomials."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...frontend.values.arguments import whole_number
from ...frontend.values.dispatch import cast, promote
from ...frontend.values.tensor import Tensor
from .. import functions as ops
from ..docstrings import Shared, like
from ..functions.reduce import axis_of
from .documentation import common
from .elementwise import array, tensor_of
from .products import _joined
from .reductions import _float

_shared = Shared(
    """
    Args:
        a1, a2: coefficients, from the highest power on.
        a, v: vectors.
        p: the coefficients, from the highest power on.
        mode: "full", "same" or "valid".

    Raises:
        TypeError: if `a1` or `a2` holds no numbers.
        TypeError: if `p` holds no numbers.
    """,
    common,
)


def _coefficients(x: Tensor, function: str) -> Tensor:
    """A vector of coefficients; a number is one of them."""
    if x.ndim > 1:
        raise ValueError(f"{function}: the coefficients should be a vector, but have shape {x.shape}")
    return x if x.ndim else ops.reshape(x, (1,))


def _need_count(value: Any, function: str, name: str) -> None:
    if whole_number(value, function, name) < 0:
        raise ValueError(f"{function}: '{name}' should not be negative, but got {value}")


@_shared
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """The differences of neighbours along an axis, n times.

    Args:
        n: how often.
        prepend, append: numbers before and after; None: none.

    Raises:
        ValueError: if `axis` is out of range.

    Examples:
        >>> print(mnp.diff([1, 3, 6]))
        [2 3]
    """
    x = tensor_of(a)
    _need_count(n, "diff", "n")
    parts = [part for part in (prepend, x, append) if part is not None]
    if len(parts) > 1:
        shape = tuple(1 if at == axis % x.ndim else length for at, length in enumerate(x.shape))
        parts = [part if tensor_of(part).ndim else ops.broadcast_to(tensor_of(part), shape) for part in parts]
        x = ops.concat(promote(*map(tensor_of, parts)), axis)
    axis = axis_of(axis, x.ndim, "diff")
    for _ in builtins.range(n):
        length = x.shape[axis]
        x = ops.sub(ops.narrow(x, axis, 1, length - 1), ops.narrow(x, axis, 0, length - 1))
    return x


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Tensor:
    """The differences of neighbours of all elements, with numbers before and after.

    Args:
        ary: a tensor or nested sequence of numbers, of any shape.
        to_end, to_begin: numbers after and before; None: none.

    Raises:
        TypeError: if `ary` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.ediff1d([1, 3, 6]))
        [2 3]
    """
    middle = diff(ops.ravel(tensor_of(ary)))
    parts = [part for part in (to_begin, middle, to_end) if part is not None]
    return (
        ops.concat([cast(ops.ravel(tensor_of(part)), middle.dtype) for part in parts], 0) if len(parts) > 1 else middle
    )


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Central differences inside, one-sided ones at the edges, along axes (all by default).

    Args:
        f: a tensor or nested sequence of numbers.
        varargs: the distances, one number or one an axis.
        axis: the axis; a negative one counts from the end.
        edge_order: 1.

    Raises:
        ValueError: for an `edge_order` other than 1, an axis out of range or of less than two elements, or a number of
            distances that is neither one nor that of the axes.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.gradient([1.0, 2.0, 4.0]))
        [1.  1.5 2. ]
    """
    x = _float(f)
    if edge_order != 1:
        raise ValueError(f"gradient: 'edge_order' should be 1, but got {edge_order}")
    axis = [*builtins.range(x.ndim)] if axis is None else axis
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    if len(varargs) not in (0, 1, len(axes)):
        raise ValueError(f"gradient: one distance is expected, or one for each of {len(axes)} axes, but got {varargs}")
    widths = varargs * len(axes) if len(varargs) == 1 else varargs or (1.0,) * len(axes)
    results = []
    for place, width in zip(axes, widths, strict=True):
        count = x.shape[axis_of(place, x.ndim, "gradient")]
        if isinstance(count, int) and count < 2:
            raise ValueError(f"gradient: axis {place} should have at least 2 elements, but has {count}")
        first, last = _difference(x, place, 0, 1, 1), _difference(x, place, count - 2, 1, 1)
        middle = ops.mul(_difference(x, place, 0, 2, count - 2), 0.5)
        results.append(ops.div(ops.concat((first, middle, last), place), float(width)))
    return results[0] if len(results) == 1 else results


def _difference(x: Tensor, axis: int, start: int, apart: int, count: int) -> Any:
    """So many differences along an axis of numbers that are some places apart."""
    return ops.sub(ops.narrow(x, axis, start + apart, count), ops.narrow(x, axis, start, count))


@_shared
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Tensor:
    """Linear interpolation between points of ascending coordinates; beyond them `left` and `right`.

    Args:
        xp: the coordinates of the points, a vector in ascending order.
        fp: their values, a vector.
        left, right: the values beyond the points; None: the first and the last.

    Raises:
        TypeError: if `xp` or `fp` holds no numbers.

    Examples:
        >>> print(mnp.interp(1.5, [1.0, 2.0], [3.0, 5.0]))
        4.0
    """
    values, places, heights = _float(x), _float(xp), _float(fp)
    count = int(places.shape[0])
    high = ops.clamp(ops.searchsorted(places, values, right=True), 1, count - 1)
    low = ops.sub(high, 1)
    x0, x1, y0, y1 = (ops.gather(table, at, 0) for table in (places, heights) for at in (low, high))
    span = ops.sub(x1, x0)
    equal = ops.equal(span, 0)  # of one point, or of two at the last place
    share = ops.clamp(ops.div(ops.sub(values, x0), ops.where(equal, 1.0, span)), 0.0, 1.0)
    share = ops.where(equal, 1.0, share)
    result = ops.add(y0, ops.mul(ops.sub(y1, y0), share))
    if left is not None:
        result = ops.where(ops.less(values, places[0]), left, result)
    return result if right is None else ops.where(ops.greater(values, places[-1]), right, result)


def trapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Tensor:
    """The integral along an axis by trapezoids.

    Args:
        y: a tensor or nested sequence of numbers, of any shape.
        x: the places of the samples; None: `dx` apart.
        dx: their distance.
        axis: the axis; a negative one counts from the end.

    Raises:
        TypeError: if `y` holds no numbers.
        ValueError: if `axis` is out of range.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.trapz([1.0, 2.0, 3.0]))
        4.0
    """
    heights = _float(y)
    axis = axis_of(axis, heights.ndim, "trapz")
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


@_shared
def convolve(a: Any, v: Any, mode: str = "full") -> Tensor:
    """The convolution of two vectors.

    Raises:
        TypeError: if `a` or `v` holds no numbers. ValueError: if it is no vector.

    Examples:
        >>> print(mnp.convolve([1.0, 2.0], [1.0, 1.0]))
        [1. 3. 2.]
    """
    x, y = _joined(a, v)
    if x.ndim > 1 or y.ndim > 1:
        raise ValueError(f"convolve: vectors are expected, but got shapes {x.shape} and {y.shape}")
    x, y = ops.reshape(x, (-1,)), ops.reshape(y, (-1,))
    result = correlate(x, ops.flip(y, 0), mode)
    return result if x.dtype.is_float or x.dtype.is_complex else cast(ops.round(result), x.dtype)


@_shared
@like(convolve)
def correlate(a: Any, v: Any, mode: str = "valid") -> Tensor:
    """The sums of products of a vector with another moved along it: "full", "same" or "valid".

    Examples:
        >>> print(mnp.correlate([1.0, 2.0], [1.0, 1.0]))
        [3.]
    """
    x, y = map(_float, _joined(a, v))
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(f"correlate: vectors are expected, but got shapes {x.shape} and {y.shape}")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"correlate: 'mode' should be 'full', 'same' or 'valid', but got {mode!r}")
    n, m = int(x.shape[0]), int(y.shape[0])
    if m > n:
        return ops.flip(correlate(y, x, mode), 0)
    low, high = {"full": (m - 1, m - 1), "valid": (0, 0), "same": (m // 2, m - 1 - m // 2)}[mode]
    padded = ops.reshape(ops.pad(x, (low, high)), (1, 1, -1))
    return ops.ravel(ops.conv1d(padded, ops.reshape(y, (1, 1, -1))))


@_shared
def polyval(p: Any, x: Any) -> Tensor:
    """A polynomial, given by its coefficients from the highest power on, at x.

    Raises:
        TypeError: if `p` holds no numbers.

    Examples:
        >>> print(mnp.polyval([1, 2], 3))
        5.0
    """
    coefficients, at = _coefficients(_float(p), "polyval"), _float(x)
    result: Any = ops.zeros_like(at)
    for place in builtins.range(int(coefficients.shape[0])):
        result = ops.add(ops.mul(result, at), coefficients[place])
    return result


def _aligned(a1: Any, a2: Any, function: str) -> tuple[Tensor, Tensor]:
    x, y = (_coefficients(each, function) for each in _joined(array(a1), array(a2)))
    count = builtins.max(int(x.shape[0]), int(y.shape[0]))
    return ops.pad(x, (count - int(x.shape[0]), 0)), ops.pad(y, (count - int(y.shape[0]), 0))


@_shared
def polyadd(a1: Any, a2: Any) -> Tensor:
    """The coefficients of the sum of two polynomials.

    Examples:
        >>> print(mnp.polyadd([1, 2], [3]))
        [1 5]
    """
    return ops.add(*_aligned(a1, a2, "polyadd"))


@_shared
def polysub(a1: Any, a2: Any) -> Tensor:
    """The coefficients of the difference of two polynomials.

    Examples:
        >>> print(mnp.polysub([1, 2], [3]))
        [ 1 -1]
    """
    return ops.sub(*_aligned(a1, a2, "polysub"))


@_shared
def polymul(a1: Any, a2: Any) -> Tensor:
    """The coefficients of the product of two polynomials.

    Examples:
        >>> print(mnp.polymul([1, 2], [1, 3]))
        [1 5 6]
    """
    return convolve(a1, a2)


@_shared
def polyder(p: Any, m: int = 1) -> Tensor:
    """The coefficients of the m-th derivative of a polynomial.

    Args:
        m: which derivative.

    Raises:
        TypeError: if `p` holds no numbers.

    Examples:
        >>> print(mnp.polyder([1, 2, 3]))
        [2 2]
    """
    x = _coefficients(array(p), "polyder")
    _need_count(m, "polyder", "m")
    for _ in builtins.range(m):
        count = int(x.shape[0])
        x = ops.mul(x[:-1], Tensor(np.arange(count - 1, 0, -1), x.dtype))
    return x


@_shared
def polyint(p: Any, m: int = 1, k: Any = None) -> Tensor:
    """The coefficients of the m-th integral of a polynomial; k are the constants.

    Args:
        m: which integral.
        k: the constants; None: zeros.

    Raises:
        TypeError: if `p` holds no numbers.

    Examples:
        >>> print(mnp.polyint([2, 2]))
        [1. 2. 0.]
    """
    x = _coefficients(_float(p), "polyint")
    _need_count(m, "polyint", "m")
    constants = [0.0] * m if k is None else [float(k)] * m if isinstance(k, (int, float)) else list(k)
    for constant in constants:
        count = int(x.shape[0])
        x = ops.div(x, Tensor(np.arange(count, 0, -1), x.dtype))
        x = ops.concat((x, Tensor([constant], x.dtype)), 0)
    return x
