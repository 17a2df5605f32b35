"""Primitives of elementwise functions, comparisons, reductions and creation: a table from names to functions."""

from __future__ import annotations

from typing import Any

from ....compiler import ops as prims
from ....frontend.values.dispatch import apply, cast, promote
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from .primitive import Row, function_named as f, make_classes, takes, tensor


def _fill_value(self: Any, shape: Any, value: Any) -> Tensor:
    return f("full")(shape, value, dtype=value.dtype if isinstance(value, Tensor) else None)


def _divide_no_nan(self: Any, x: Any, y: Any) -> Tensor:
    x, y = promote(x, y)
    x, y = (item if isinstance(item, Tensor) else Tensor(item) for item in (x, y))
    zero = apply(prims.equal, y, 0)
    return f("where")(zero, 0, f("div")(x, f("where")(zero, 1, y)))


def _multiply_no_nan(self: Any, x: Any, y: Any) -> Tensor:
    x, y = promote(x, y)
    return f("where")(f("equal")(y, 0), 0, f("mul")(x, y))


def _true_divide(self: Any, x: Any, y: Any) -> Tensor:
    """The quotient, of integers towards zero."""
    quotient = f("true_divide")(x, y)
    x, y = promote(x, y)
    dtype = next(item.dtype for item in (x, y) if isinstance(item, Tensor))
    return f("truncate_div")(x, y) if dtype.is_integer else quotient


def _linspace(self: Any, start: Any, stop: Any, num: Any) -> Tensor:
    """Without gradients for the ends, as in MindSpore."""
    stopped = [f("stop_gradient")(end) if isinstance(end, Tensor) else end for end in (start, stop)]
    return f("linspace")(*stopped, num)


def _product(self: Any, x: Any, axis: Any = ()) -> Tensor:
    """The product over axes in the dtype of x."""
    return cast(f("prod")(x, None if axis is None or axis == () else axis, self.keep_dims), x.dtype)


def _reduction(name: str) -> Row:
    """A reduction whose axes are given with the tensor."""

    def run(self: Any, x: Any, axis: Any = ()) -> Tensor:
        return f(name)(x, None if axis is None or axis == () else axis, self.keep_dims)

    return run, {"keep_dims": False}


def _sum(self: Any, x: Any, axis: Any = ()) -> Tensor:
    if self.skip_mode and axis in ((), None):
        return x
    total = f("sum")(x, None if axis is None or axis == () else axis, self.keep_dims)
    return cast(total, x.dtype) if x.dtype.is_integer else total


def _extremum(best: str) -> Row:
    """The position and the value of the best element along an axis."""

    def run(self: Any, x: Any) -> Any:
        value, position = f(best)(x, self.axis, self.keep_dims)
        return cast(position, dtypes.int64), value

    return run, {"axis": 0, "keep_dims": False}


def _position(name: str) -> Row:
    def run(self: Any, x: Any) -> Tensor:
        return cast(f(name)(x, self.axis, False), dtypes.as_dtype(self.output_type))

    return run, {"axis": -1, "output_type": dtypes.int32}


def _cumulative(op: Any) -> Row:
    def run(self: Any, x: Any, axis: Any) -> Tensor:
        place = int(axis) + x.ndim if int(axis) < 0 else int(axis)
        return apply(op, x, axis=place, exclusive=bool(self.exclusive), reverse=bool(self.reverse))

    return run, {"exclusive": False, "reverse": False}


def _count_nonzero(self: Any, x: Any) -> Tensor:
    return cast(f("count_nonzero")(x, () if self.dims is None else self.dims), dtypes.int64)


def _float_status(self: Any, x: Any) -> Tensor:
    """[1.0] if any element is infinite or not a number, else [0.0]."""
    finite = apply(prims.all, f("isfinite")(x), axis=tuple(range(x.ndim)), keepdims=False)
    bad = cast(apply(prims.logical_not, finite), dtypes.float32)
    return apply(prims.reshape, bad, shape=(1,))


TABLE: dict[str, Row] = {
    "FillV2": (_fill_value, {}),
    "Complex": (lambda self, real, imag: apply(prims.complex, real, imag), {}),
    "DivNoNan": (_divide_no_nan, {}),
    "MulNoNan": (_multiply_no_nan, {}),
    "Round": (lambda self, x, decimals=0: f("round")(x, decimals=decimals), {}),
    "Range": (tensor(lambda self, start, limit, delta: f("range")(start, limit, delta)), {"maxlen": 1_000_000}),
    "ApproximateEqual": ("approximate_equal", {"tolerance": 1e-5}),
    "IsClose": ("isclose", {"rtol": 1e-5, "atol": 1e-8, "equal_nan": False}),
    "Logit": (lambda self, x: f("logit")(x, None if self.eps == -1.0 else self.eps), {"eps": -1.0}),
    "NanToNum": (
        tensor(lambda self, x: f("nan_to_num")(x, self.nan, self.posinf, self.neginf)),
        {"nan": None, "posinf": None, "neginf": None},
    ),
    "ReduceSum": (_sum, {"keep_dims": False, "skip_mode": False}),
    "ReduceMean": _reduction("mean"),
    "ReduceMax": _reduction("amax"),
    "ReduceMin": _reduction("amin"),
    "ReduceProd": (_product, {"keep_dims": False}),
    "RealDiv": (_true_divide, {}),
    "LinSpace": (_linspace, {}),
    "ReduceAll": _reduction("all"),
    "ReduceAny": _reduction("any"),
    "ArgMaxWithValue": _extremum("max"),
    "ArgMinWithValue": _extremum("min"),
    "Argmax": _position("argmax"),
    "ArgMax": _position("argmax"),
    "Argmin": _position("argmin"),
    "CumSum": _cumulative(prims.cumsum),
    "CumProd": _cumulative(prims.cumprod),
    "CumulativeLogsumexp": _cumulative(prims.logcumsumexp),
    "Cummax": ("cummax", takes("axis")),
    "Cummin": ("cummin", takes("axis")),
    "CountNonZero": (_count_nonzero, {"dims": None}),
    "FloatStatus": (_float_status, {}),
    "L2Loss": (tensor(lambda self, x: f("mul")(f("sum")(f("square")(x)), 0.5)), {}),
    "LpNorm": (
        tensor(lambda self, x: f("vector_norm")(x, self.p, self.axis, self.keep_dims)),
        takes("axis", p=2, keep_dims=False, epsilon=1e-12),
    ),
    "LogSpace": (
        lambda self, start, end: f("logspace")(start, end, self.steps, self.base, dtype=self.dtype),
        {"steps": 10, "base": 10, "dtype": dtypes.float32},
    ),
}
CLASSES = make_classes(TABLE, globals())
