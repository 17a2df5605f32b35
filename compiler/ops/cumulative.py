"""Ops that run along an axis: cumulative sums, products and extrema, shifts, linear recurrences."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels import recurrence
from ..ir.attributes import FLAG, INT, NUMBER
from ..ir.graph import Node
from ..ir.op import Infer, Op, Sample
from ..ir.types import TensorType
from ..ir.values import Operand, literal
from . import infer
from .along import take_along
from .arithmetic import minimum
from .batching import shifted
from .comparison import equal, greater, logical_or, select
from .conversion import cast, in_single
from .creation import constant
from .elementwise import exp, isnan, log
from .samples import Samples, integers, pair
from .windows import of_shift

Array = np.ndarray


def check_axis(x: TensorType, axis: int) -> None:
    """Raise ValueError unless x has this axis."""
    if not 0 <= axis < x.rank:
        raise ValueError(f"axis should be in [0, {x.rank}), but got {axis}")


def _infer_numeric(x: TensorType, *, axis: int, exclusive: bool, reverse: bool) -> TensorType:
    check_axis(x, axis)
    return infer.broadcast_numeric(x)


def _infer_float(x: TensorType, *, axis: int, exclusive: bool, reverse: bool) -> TensorType:
    check_axis(x, axis)
    return infer.broadcast_real(x)


def _accumulation(ufunc: np.ufunc, identity: float) -> Callable[..., Array]:
    def kernel(x: Array, *, axis: int, exclusive: bool, reverse: bool, out: Array | None = None) -> Array:
        return recurrence.accumulate(ufunc, x, axis, identity, exclusive, reverse, out)

    return kernel


def _of_one(node: Node) -> Operand | None:
    """The rewrite of a running reduction along an axis of one element to its input."""
    (x,), attrs = node.inputs, node.attrs
    return x if x.type.shape[attrs["axis"]] == 1 and not attrs["exclusive"] and x.type == node.output.type else None


def _running(name: str, ufunc: np.ufunc, identity: float, infer: Infer = _infer_numeric, **record: Any) -> Op:
    """An op that accumulates along an axis."""
    attrs = {"axis": INT, "exclusive": FLAG, "reverse": FLAG}
    kernel, batch = _accumulation(ufunc, identity), shifted("axis")
    rewrites = (_of_one,)
    return Op(name, attrs=attrs, infer=infer, kernel=kernel, single=True, batch=batch, rewrites=rewrites, **record)


def _accumulation_samples(more: Samples) -> Samples:
    return lambda: [
        *[
            Sample(pair((2, 4, 3)), {"axis": axis, "exclusive": exclusive, "reverse": reverse})
            for axis, exclusive, reverse in ((1, False, False), (0, True, False), (2, False, True), (1, True, True))
        ],
        *more(),
    ]


def _whole() -> list[Sample]:
    """Samples of integers."""
    return [Sample(integers((3, 4)), {"axis": 1, "exclusive": False, "reverse": False})]


cumsum: Op = _running(
    "cumsum",
    np.add,
    0,
    scan="add",
    vjp=lambda x, out, dout, *, axis, exclusive, reverse: cumsum(
        dout, axis=axis, exclusive=exclusive, reverse=not reverse
    ),
    samples=_accumulation_samples(_whole),
    doc="Running sums along an axis.",
)


def _step(reverse: bool) -> int:
    """The direction of an accumulation: 1 or -1."""
    return -1 if reverse else 1


def _moved_up(x: Any, axis: int, step: int) -> Any:
    """x moved by one position, and 1 in the free position. This is a sum, so that kernels read x without a copy."""
    size = x.shape[axis]
    if not size:
        return shift(x, axis=axis, offset=step, fill=1.0)
    free = np.zeros([size if place == axis else 1 for place in range(x.rank)], x.dtype.np)
    free.flat[0 if step > 0 else -1] = 1
    return shift(x, axis=axis, offset=step, fill=0.0) + constant(value=free)


@in_single
def _vjp_cumprod(x: Any, out: Any, dout: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
    # The product of all elements before, times the gradient of the products after it. No division: x may hold zeros.
    step = _step(reverse)
    before = out if exclusive else _moved_up(out, axis, step)
    later = shift(dout, axis=axis, offset=-step, fill=0.0) if exclusive else dout
    factors = shift(x, axis=axis, offset=-step, fill=0.0)
    return before * linear_recurrence(factors, later, axis=axis, reverse=not reverse)


cumprod: Op = _running(
    "cumprod",
    np.multiply,
    1,
    scan="multiply",
    vjp=_vjp_cumprod,
    samples=_accumulation_samples(
        lambda: [
            *_whole(),
            Sample((np.array([2.0, 0.0, 3.0, 0.0, 5.0]),), {"axis": 0, "exclusive": False, "reverse": False}),
            Sample((np.array([2.0, 0.0, 3.0, 4.0, 5.0]),), {"axis": 0, "exclusive": True, "reverse": True}),
        ]
    ),
    doc="Running products along an axis.",
)


@in_single
def _vjp_logcumsumexp(x: Any, out: Any, dout: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
    step = _step(reverse)
    if exclusive:
        dout = shift(dout, axis=axis, offset=-step, fill=0.0)
        out = logcumsumexp(x, axis=axis, exclusive=False, reverse=reverse)
    # Ratios of neighbouring sums, none above 1, in place of exp(-out), which may overflow. The last one meets nothing.
    ratios = exp(minimum(out - shift(out, axis=axis, offset=-step, fill=0.0), 0.0))
    return exp(x - out) * linear_recurrence(ratios, dout, axis=axis, reverse=not reverse)


@in_single
def _define_logcumsumexp(x: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
    # The sum of exponentials beside the largest so far: where that grows, the sum is scaled. Of the element and the
    # largest before it, one is the largest now, so one exponential is enough. Infinite ones are equal, not subtracted.
    most = running_maximum(x, axis=axis, exclusive=False, reverse=reverse)
    before = shift(most, axis=axis, offset=_step(reverse), fill=0.0)
    one, grows = literal(1, x.dtype), greater(x, before)
    less = select(grows, before, x)
    part = select(equal(less, most), one, exp(less - most))
    scale, term = select(grows, part, one), select(grows, one, part)
    result = most + log(linear_recurrence(scale, term, axis=axis, reverse=reverse))
    return shift(result, axis=axis, offset=_step(reverse), fill=-math.inf) if exclusive else result


logcumsumexp: Op = _running(
    "logcumsumexp",
    np.logaddexp,
    -math.inf,
    _infer_float,
    definition=_define_logcumsumexp,
    vjp=_vjp_logcumsumexp,
    samples=lambda: [
        Sample(pair((2, 4, 3)), {"axis": 1, "exclusive": False, "reverse": False}),
        Sample(pair((2, 4, 3)), {"axis": 2, "exclusive": False, "reverse": True}),
        Sample(pair((2, 3)), {"axis": 1, "exclusive": True, "reverse": False}, gradient=False),
    ],
    doc="Logarithms of running sums of exponentials along an axis.",
)


def _infer_extremum(x: TensorType, *, axis: int) -> tuple[TensorType, TensorType]:
    check_axis(x, axis)
    return x, x.with_dtype(dtypes.int64)


def _running_extremum(name: str, ufunc: np.ufunc, identity: float) -> Op:
    return _running(
        f"running_{name}",
        ufunc,
        identity,
        kind="opaque",
        scan=name,
        internal=True,
        samples=lambda: [Sample(pair((2, 4)), {"axis": 1, "exclusive": False, "reverse": False}, gradient=False)],
        doc=f"Running {name[:-2]}a along an axis.",
    )


running_maximum = _running_extremum("maximum", np.maximum, -math.inf)
running_minimum = _running_extremum("minimum", np.minimum, math.inf)


def _begins(x: Any, extremes: Any) -> Any:
    """Where a running extremum is the element itself, so that a run of its position begins there."""
    here = equal(x, extremes)
    return logical_or(here, isnan(x)) if x.dtype.is_float else here


@in_single
def _run_gradient(x: Any, extremes: Any, dout: Any, *, axis: int) -> Any:
    """The sum of each run of cotangents, where the run begins."""
    after = [shift(value, axis=axis, offset=-1, fill=0.0) for value in (x, extremes)]
    zero, one = literal(0, dout.dtype), literal(1, dout.dtype)
    sums = linear_recurrence(select(_begins(*after), zero, one), dout, axis=axis, reverse=True)
    return select(_begins(x, extremes), sums, zero)


def _extremum(name: str, ufunc: np.ufunc, running: Op, doc: str) -> Op:
    def kernel(x: Array, *, axis: int) -> tuple[Array, Array]:
        return recurrence.running_extremum(ufunc, x, axis)

    def vjp(x: Any, out: Any, dout: Any, *, axis: int) -> Any:
        return None if dout[0] is None else _run_gradient(x, out[0], dout[0], axis=axis)

    def define(x: Any, *, axis: int) -> Any:
        size = x.shape[axis]
        if x.dtype.is_bool or size is None:
            return None
        if x.dtype.bits < 32:  # which kernels do not scan, and NumPy compares one by one
            values, places = define(cast(x, dtype=dtypes.int32 if x.dtype.is_integer else dtypes.float32), axis=axis)
            return cast(values, dtype=x.dtype), places
        values = running(x, axis=axis, exclusive=False, reverse=False)
        shape = tuple(size if place == axis else 1 for place in range(x.rank))
        dtype = dtypes.int32 if size < 1 << 31 else dtypes.int64  # twice as many fit into a vector
        steps = constant(value=np.arange(size, dtype=dtype.np).reshape(shape))
        places = select(_begins(x, values), steps, literal(0, dtype))
        places = running_maximum(places, axis=axis, exclusive=False, reverse=False)
        return values, cast(places, dtype=dtypes.int64)

    return Op(
        name,
        attrs={"axis": INT},
        infer=_infer_extremum,
        kernel=kernel,
        definition=define,
        vjp=vjp,
        batch=shifted("axis"),
        samples=lambda: [
            Sample(pair((2, 5, 3)), {"axis": 1}),
            Sample((np.array([1.0, 3.0, 3.0, 2.0, np.nan, 9.0]),), {"axis": 0}, gradient=False),
            Sample(integers((3, 4)), {"axis": 1}),
            Sample(integers((3, 4), dtype=np.int8), {"axis": 0}),
            Sample((np.array([[1.0, 3.0, 3.0, np.nan, 9.0]], np.float16),), {"axis": 1}, gradient=False),
        ],
        doc=doc,
    )


def _infer_run_sums(x: TensorType, positions: TensorType, *, axis: int) -> TensorType:
    check_axis(x, axis)
    sizes = zip(x.shape, positions.shape, strict=False)
    fits = x.rank == positions.rank and all(None in pair or pair[0] == pair[1] for pair in sizes)
    if not fits or not positions.dtype.is_integer:
        raise ValueError(f"run_sums: {positions} has no position for each element of {x}")
    return x


run_sums: Op = Op(
    "run_sums",
    attrs={"axis": INT},
    infer=_infer_run_sums,
    kernel=lambda x, positions, *, axis: recurrence.run_sums(x, positions, axis),
    vjp=lambda x, positions, out, dout, *, axis: (take_along(dout, positions, axis=axis), None),
    batch=shifted("axis"),
    samples=lambda: [
        Sample((*pair((2, 4)), np.array([[0, 0, 2, 2], [0, 1, 1, 1]])), {"axis": 1}),
        Sample((*pair((3, 2)), np.array([[0, 0], [0, 1], [2, 1]])), {"axis": 0}),
    ],
    doc="The sums of runs of equal positions along an axis, each where its run begins: positions as cummax gives them.",
)
cummax = _extremum(
    "cummax", np.maximum, running_maximum, "Running maxima along an axis and, as Int64, the last positions of each."
)
cummin = _extremum(
    "cummin", np.minimum, running_minimum, "Running minima along an axis and, as Int64, the last positions of each."
)


def _infer_shift(x: TensorType, *, axis: int, offset: int, fill: float) -> TensorType:
    check_axis(x, axis)
    infer.check_number("shift: the fill", fill, x.dtype)
    return x


shift: Op = Op(
    "shift",
    attrs={"axis": INT, "offset": INT, "fill": NUMBER},
    infer=_infer_shift,
    kernel=lambda x, *, axis, offset, fill, out=None: recurrence.shift(x, axis, offset, fill, out),
    vjp=lambda x, out, dout, *, axis, offset, fill: shift(dout, axis=axis, offset=-offset, fill=0.0),
    batch=shifted("axis"),
    windows=of_shift,
    samples=lambda: [
        Sample(pair((2, 4)), {"axis": 1, "offset": 1, "fill": 0.0}),
        Sample(pair((2, 4)), {"axis": 0, "offset": -1, "fill": 2.5}),
        Sample(pair((4,)), {"axis": 0, "offset": -9, "fill": 0.0}),
    ],
    doc="x moved along an axis by `offset` places, the places left free filled with a number.",
)


def _infer_recurrence(a: TensorType, b: TensorType, *, axis: int, reverse: bool) -> TensorType:
    check_axis(b, axis)
    infer.check_like("linear_recurrence", b, a)
    return infer.broadcast_numeric(a, b)


@in_single
def _vjp_recurrence(a: Any, b: Any, out: Any, dout: Any, *, axis: int, reverse: bool) -> tuple[Any, Any]:
    step = _step(reverse)
    db = linear_recurrence(shift(a, axis=axis, offset=-step, fill=0.0), dout, axis=axis, reverse=not reverse)
    return db * shift(out, axis=axis, offset=step, fill=0.0), db


linear_recurrence: Op = Op(
    "linear_recurrence",
    attrs={"axis": INT, "reverse": FLAG},
    infer=_infer_recurrence,
    kernel=lambda a, b, *, axis, reverse, out=None: recurrence.linear_recurrence(a, b, axis, reverse, out),
    scan="recurrence",
    vjp=_vjp_recurrence,
    batch=shifted("axis"),
    samples=lambda: [
        Sample(pair((2, 4, 3), (2, 4, 3)), {"axis": 1, "reverse": False}),
        Sample(pair((4, 3), (4, 3)), {"axis": 0, "reverse": True}),
    ],
    doc="y[i] = a[i] * y[i - 1] + b[i] along an axis, from y = 0; from the end with `reverse`.",
)
