# Written by tools/stubs.py: `make stubs` writes it again.
from ...frontend.values.tensor import Tensor
from .more import _Grid
from ...runtime.dtypes import DType
from typing import Any
from . import (
    arrays as numpy_arrays, elementwise as numpy_elementwise, fft, mathematics as numpy_math, more as numpy_more,
)
from .arrays import (
    append, arange, argwhere, array_split, asarray, asfarray, atleast_1d, atleast_2d, atleast_3d, broadcast_arrays,
    broadcast_to, choose, column_stack, concatenate, copy, diag, diagflat, diagonal, dsplit, dstack, empty,
    expand_dims, eye, flip, fliplr, flipud, full, full_like, geomspace, hsplit, hstack, identity, indices, ix_,
    linspace, logspace, meshgrid, moveaxis, ones, pad, ravel, ravel_multi_index, repeat, reshape, roll, rollaxis,
    rot90, select, size, split, squeeze, stack, swapaxes, take, take_along_axis, tile, trace, transpose, tri, tril,
    tril_indices, triu, triu_indices, unique, unravel_index, vander, vsplit, vstack, zeros,
)
from .elementwise import (
    around, around as round, array, cbrt, clip, copysign, deg2rad, deg2rad as radians, divmod, float_power, isclose,
    isscalar, rad2deg, reciprocal, where,
)
from .mathematics import (
    apply_along_axis, apply_over_axes, argmax, argmin, array_equal, array_equiv, array_str, bincount, convolve,
    corrcoef, correlate, count_nonzero, cov, cross, diff, digitize, dot, ediff1d, gradient, histogram,
    histogram_bin_edges, in1d, inner, interp, isin, kron, matmul, matrix_power, mean, multi_dot, nancumsum, nanmean,
    nanstd, nanvar, norm, outer, polyadd, polyder, polyint, polymul, polysub, polyval, promote_types, ptp, rand,
    randint, randn, result_type, searchsorted, sometrue, sum, tensordot, trapz,
)
from .more import (
    diag_indices, histogram2d, histogramdd, intersect1d, piecewise, setdiff1d, tril_indices_from, triu_indices_from,
    unwrap,
)

__all__ = [
    "NINF", "PINF", "abs", "absolute", "add", "amax", "amin", "append", "apply_along_axis", "apply_over_axes", "arange",
    "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "argmax", "argmin", "argwhere", "around",
    "array", "array_equal", "array_equiv", "array_split", "array_str", "asarray", "asfarray", "atleast_1d",
    "atleast_2d", "atleast_3d", "average", "bartlett", "bincount", "bitwise_and", "bitwise_not", "bitwise_or",
    "bitwise_xor", "blackman", "bool_", "broadcast_arrays", "broadcast_to", "cbrt", "ceil", "choose", "clip",
    "column_stack", "concatenate", "convolve", "copy", "copysign", "corrcoef", "correlate", "cos", "cosh",
    "count_nonzero", "cov", "cross", "cumprod", "cumsum", "deg2rad", "diag", "diag_indices", "diagflat", "diagonal",
    "diff", "digitize", "divide", "divmod", "dot", "dsplit", "dstack", "e", "ediff1d", "empty", "empty_like", "equal",
    "exp", "exp2", "expand_dims", "expm1", "eye", "fabs", "fft", "fix", "flip", "fliplr", "flipud", "float16",
    "float32", "float64", "float_", "float_power", "floor", "floor_divide", "fmod", "full", "full_like", "gcd",
    "geomspace", "gradient", "greater", "greater_equal", "hamming", "hanning", "heaviside", "histogram", "histogram2d",
    "histogram_bin_edges", "histogramdd", "hsplit", "hstack", "hypot", "identity", "in1d", "indices", "inf", "inner",
    "int16", "int32", "int64", "int8", "int_", "interp", "intersect1d", "invert", "isclose", "isfinite", "isin",
    "isinf", "isnan", "isneginf", "isposinf", "isscalar", "ix_", "kron", "lcm", "less", "less_equal", "linspace", "log",
    "log10", "log1p", "log2", "logaddexp", "logaddexp2", "logical_and", "logical_not", "logical_or", "logical_xor",
    "logspace", "matmul", "matrix_power", "max", "maximum", "mean", "meshgrid", "mgrid", "min", "minimum", "mod",
    "moveaxis", "multi_dot", "multiply", "nan", "nancumsum", "nanmax", "nanmean", "nanmin", "nanstd", "nansum",
    "nanvar", "negative", "norm", "not_equal", "numeric_types", "numpy_arrays", "numpy_elementwise", "numpy_math",
    "numpy_more", "ogrid", "ones", "ones_like", "outer", "pad", "pi", "piecewise", "polyadd", "polyder", "polyint",
    "polymul", "polysub", "polyval", "positive", "power", "promote_types", "ptp", "rad2deg", "radians", "rand",
    "randint", "randn", "ravel", "ravel_multi_index", "reciprocal", "remainder", "repeat", "reshape", "result_type",
    "rint", "roll", "rollaxis", "rot90", "round", "searchsorted", "select", "setdiff1d", "sign", "signbit", "sin",
    "sinh", "size", "sometrue", "split", "sqrt", "square", "squeeze", "stack", "std", "subtract", "sum", "swapaxes",
    "take", "take_along_axis", "tan", "tanh", "tensordot", "tile", "trace", "transpose", "trapz", "tri", "tril",
    "tril_indices", "tril_indices_from", "triu", "triu_indices", "triu_indices_from", "true_divide", "trunc", "uint",
    "uint16", "uint32", "uint64", "uint8", "unique", "unravel_index", "unwrap", "vander", "var", "vsplit", "vstack",
    "where", "zeros", "zeros_like",
]

NINF: float
PINF: float
bool_: DType
e: float
float16: DType
float32: DType
float64: DType
float_: DType
inf: float
int16: DType
int32: DType
int64: DType
int8: DType
int_: DType
mgrid: _Grid
nan: float
numeric_types: tuple[Any, ...]
ogrid: _Grid
pi: float
uint: DType
uint16: DType
uint32: DType
uint64: DType
uint8: DType

def abs(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.abs`, also of sequences and numbers; `dtype` converts the result."""

def absolute(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.abs`, also of sequences and numbers; `dtype` converts the result."""

def add(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.add`, also of sequences and numbers; `dtype` converts the result."""

def amax(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
    """As `ops.amax` over axes; `initial` takes part, `where` says which elements do."""

def amin(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
    """As `ops.amin` over axes; `initial` takes part, `where` says which elements do."""

def arccos(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.acos`, also of sequences and numbers; `dtype` converts the result."""

def arccosh(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.acosh`, also of sequences and numbers; `dtype` converts the result."""

def arcsin(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.asin`, also of sequences and numbers; `dtype` converts the result."""

def arcsinh(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.asinh`, also of sequences and numbers; `dtype` converts the result."""

def arctan(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.atan`, also of sequences and numbers; `dtype` converts the result."""

def arctan2(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.atan2`, also of sequences and numbers; `dtype` converts the result."""

def arctanh(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.atanh`, also of sequences and numbers; `dtype` converts the result."""

def average(x: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    """The mean over axes, weighted; with `returned` also the sum of the weights."""

def bartlett(M: int) -> Tensor:
    """The bartlett window of M points."""

def bitwise_and(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.bitwise_and`, also of sequences and numbers; `dtype` converts the result."""

def bitwise_not(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.invert`, also of sequences and numbers; `dtype` converts the result."""

def bitwise_or(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.bitwise_or`, also of sequences and numbers; `dtype` converts the result."""

def bitwise_xor(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.bitwise_xor`, also of sequences and numbers; `dtype` converts the result."""

def blackman(M: int) -> Tensor:
    """The blackman window of M points."""

def ceil(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.ceil`, also of sequences and numbers; `dtype` converts the result."""

def cos(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.cos`, also of sequences and numbers; `dtype` converts the result."""

def cosh(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.cosh`, also of sequences and numbers; `dtype` converts the result."""

def cumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """As `ops.cumprod`; without an axis through all elements."""

def cumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """As `ops.cumsum`; without an axis through all elements."""

def divide(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.div`, also of sequences and numbers; `dtype` converts the result."""

def empty_like(a: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """As `empty`, with the shape and dtype of `a` unless others are given."""

def equal(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.equal`, also of sequences and numbers; `dtype` converts the result."""

def exp(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.exp`, also of sequences and numbers; `dtype` converts the result."""

def exp2(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.exp2`, also of sequences and numbers; `dtype` converts the result."""

def expm1(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.expm1`, also of sequences and numbers; `dtype` converts the result."""

def fabs(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.abs`, also of sequences and numbers; `dtype` converts the result."""

def fix(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.trunc`, also of sequences and numbers; `dtype` converts the result."""

def floor(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.floor`, also of sequences and numbers; `dtype` converts the result."""

def floor_divide(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.floor_divide`, also of sequences and numbers; `dtype` converts the result."""

def fmod(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.fmod`, also of sequences and numbers; `dtype` converts the result."""

def gcd(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.gcd`, also of sequences and numbers; `dtype` converts the result."""

def greater(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.greater`, also of sequences and numbers; `dtype` converts the result."""

def greater_equal(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.greater_equal`, also of sequences and numbers; `dtype` converts the result."""

def hamming(M: int) -> Tensor:
    """The hamming window of M points."""

def hanning(M: int) -> Tensor:
    """The hanning window of M points."""

def heaviside(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.heaviside`, also of sequences and numbers; `dtype` converts the result."""

def hypot(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.hypot`, also of sequences and numbers; `dtype` converts the result."""

def invert(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.invert`, also of sequences and numbers; `dtype` converts the result."""

def isfinite(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.isfinite`, also of sequences and numbers; `dtype` converts the result."""

def isinf(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.isinf`, also of sequences and numbers; `dtype` converts the result."""

def isnan(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.isnan`, also of sequences and numbers; `dtype` converts the result."""

def isneginf(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.isneginf`, also of sequences and numbers; `dtype` converts the result."""

def isposinf(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.isposinf`, also of sequences and numbers; `dtype` converts the result."""

def lcm(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.lcm`, also of sequences and numbers; `dtype` converts the result."""

def less(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.less`, also of sequences and numbers; `dtype` converts the result."""

def less_equal(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.less_equal`, also of sequences and numbers; `dtype` converts the result."""

def log(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.log`, also of sequences and numbers; `dtype` converts the result."""

def log10(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.log10`, also of sequences and numbers; `dtype` converts the result."""

def log1p(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.log1p`, also of sequences and numbers; `dtype` converts the result."""

def log2(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.log2`, also of sequences and numbers; `dtype` converts the result."""

def logaddexp(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.logaddexp`, also of sequences and numbers; `dtype` converts the result."""

def logaddexp2(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.logaddexp2`, also of sequences and numbers; `dtype` converts the result."""

def logical_and(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.logical_and`, also of sequences and numbers; `dtype` converts the result."""

def logical_not(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.logical_not`, also of sequences and numbers; `dtype` converts the result."""

def logical_or(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.logical_or`, also of sequences and numbers; `dtype` converts the result."""

def logical_xor(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.logical_xor`, also of sequences and numbers; `dtype` converts the result."""

def max(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
    """As `ops.amax` over axes; `initial` takes part, `where` says which elements do."""

def maximum(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.maximum`, also of sequences and numbers; `dtype` converts the result."""

def min(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
    """As `ops.amin` over axes; `initial` takes part, `where` says which elements do."""

def minimum(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.minimum`, also of sequences and numbers; `dtype` converts the result."""

def mod(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.remainder`, also of sequences and numbers; `dtype` converts the result."""

def multiply(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.mul`, also of sequences and numbers; `dtype` converts the result."""

def nanmax(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """As `amax`, without the elements that are nan."""

def nanmin(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """As `amin`, without the elements that are nan."""

def nansum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """As `sum`, without the elements that are nan."""

def negative(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.neg`, also of sequences and numbers; `dtype` converts the result."""

def not_equal(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.not_equal`, also of sequences and numbers; `dtype` converts the result."""

def ones_like(a: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """As `ones`, with the shape and dtype of `a` unless others are given."""

def positive(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.identity`, also of sequences and numbers; `dtype` converts the result."""

def power(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.pow`, also of sequences and numbers; `dtype` converts the result."""

def remainder(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.remainder`, also of sequences and numbers; `dtype` converts the result."""

def rint(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.round`, also of sequences and numbers; `dtype` converts the result."""

def sign(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.sign`, also of sequences and numbers; `dtype` converts the result."""

def signbit(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.signbit`, also of sequences and numbers; `dtype` converts the result."""

def sin(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.sin`, also of sequences and numbers; `dtype` converts the result."""

def sinh(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.sinh`, also of sequences and numbers; `dtype` converts the result."""

def sqrt(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.sqrt`, also of sequences and numbers; `dtype` converts the result."""

def square(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.square`, also of sequences and numbers; `dtype` converts the result."""

def std(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation over axes."""

def subtract(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.sub`, also of sequences and numbers; `dtype` converts the result."""

def tan(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.tan`, also of sequences and numbers; `dtype` converts the result."""

def tanh(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.tanh`, also of sequences and numbers; `dtype` converts the result."""

def true_divide(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """As `ops.div`, also of sequences and numbers; `dtype` converts the result."""

def trunc(x: Any, dtype: Any = None) -> Tensor:
    """As `ops.trunc`, also of sequences and numbers; `dtype` converts the result."""

def var(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance over axes, with `count - ddof` as the divisor."""

def zeros_like(a: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """As `zeros`, with the shape and dtype of `a` unless others are given."""
