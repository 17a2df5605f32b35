# Written by tools/stubs.py: `make stubs` writes it again.
from ...frontend.values.tensor import Tensor
from .more import _Grid
from ...runtime.dtypes import DType
from typing import Any
from . import elementwise as numpy_elementwise, fft, more as numpy_more
from .arrays import (
    argwhere, array_split, choose, copy, diag, diagflat, diagonal, dsplit, hsplit, ravel_multi_index, select, size,
    split, take, take_along_axis, trace, tril, triu, unique, unravel_index, vsplit,
)
from .creation import (
    arange, asarray, asfarray, empty, eye, full, full_like, geomspace, identity, linspace, logspace, ones, tri,
    vander, zeros,
)
from .elementwise import (
    around, around as round, array, cbrt, clip, copysign, deg2rad, deg2rad as radians, divmod, float_power, isclose,
    isscalar, rad2deg, reciprocal, where,
)
from .grids import indices, ix_, meshgrid, tril_indices, triu_indices
from .joins import append, column_stack, concatenate, dstack, hstack, stack, vstack
from .mathematics import (
    apply_along_axis, apply_over_axes, array_equal, array_equiv, array_str, bincount, digitize, histogram,
    histogram_bin_edges, in1d, isin, promote_types, rand, randint, randn, result_type, searchsorted,
)
from .more import (
    diag_indices, histogram2d, histogramdd, intersect1d, piecewise, setdiff1d, tril_indices_from, triu_indices_from,
    unwrap,
)
from .polynomials import (
    convolve, correlate, diff, ediff1d, gradient, interp, polyadd, polyder, polyint, polymul, polysub, polyval,
    trapz,
)
from .products import corrcoef, cov, cross, dot, inner, kron, matmul, matrix_power, multi_dot, norm, outer, tensordot
from .reductions import argmax, argmin, count_nonzero, mean, nancumsum, nanmean, nanstd, nanvar, ptp, sometrue, sum
from .shapes import (
    atleast_1d, atleast_2d, atleast_3d, broadcast_arrays, broadcast_to, expand_dims, flip, fliplr, flipud, moveaxis,
    pad, ravel, repeat, reshape, roll, rollaxis, rot90, squeeze, swapaxes, tile, transpose,
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
    "nanvar", "negative", "norm", "not_equal", "numeric_types", "numpy_elementwise", "numpy_more", "ogrid", "ones",
    "ones_like", "outer", "pad", "pi", "piecewise", "polyadd", "polyder", "polyint", "polymul", "polysub", "polyval",
    "positive", "power", "promote_types", "ptp", "rad2deg", "radians", "rand", "randint", "randn", "ravel",
    "ravel_multi_index", "reciprocal", "remainder", "repeat", "reshape", "result_type", "rint", "roll", "rollaxis",
    "rot90", "round", "searchsorted", "select", "setdiff1d", "sign", "signbit", "sin", "sinh", "size", "sometrue",
    "split", "sqrt", "square", "squeeze", "stack", "std", "subtract", "sum", "swapaxes", "take", "take_along_axis",
    "tan", "tanh", "tensordot", "tile", "trace", "transpose", "trapz", "tri", "tril", "tril_indices",
    "tril_indices_from", "triu", "triu_indices", "triu_indices_from", "true_divide", "trunc", "uint", "uint16",
    "uint32", "uint64", "uint8", "unique", "unravel_index", "unwrap", "vander", "var", "vsplit", "vstack", "where",
    "zeros", "zeros_like",
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
    """Magnitude of each element; the derivative at 0 is 0."""

def absolute(x: Any, dtype: Any = None) -> Tensor:
    """Magnitude of each element; the derivative at 0 is 0."""

def add(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Sum of two tensors, or of a tensor and a number, elementwise with broadcasting."""

def amax(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
    """The maximum over axes."""

def amin(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
    """The minimum over axes."""

def arccos(x: Any, dtype: Any = None) -> Tensor:
    """Inverse cosine of each element."""

def arccosh(x: Any, dtype: Any = None) -> Tensor:
    """Inverse hyperbolic cosine of each element."""

def arcsin(x: Any, dtype: Any = None) -> Tensor:
    """Inverse sine of each element."""

def arcsinh(x: Any, dtype: Any = None) -> Tensor:
    """Inverse hyperbolic sine of each element."""

def arctan(x: Any, dtype: Any = None) -> Tensor:
    """Inverse tangent of each element."""

def arctan2(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The angle of the point (other, input), elementwise with broadcasting; of integers in Float32."""

def arctanh(x: Any, dtype: Any = None) -> Tensor:
    """Inverse hyperbolic tangent of each element."""

def average(x: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    """The mean over axes, weighted; with `returned` also the sum of the weights."""

def bartlett(M: int) -> Tensor:
    """The Bartlett window."""

def bitwise_and(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The bits set in both integers; for booleans whether both hold, elementwise with broadcasting."""

def bitwise_not(x: Any, dtype: Any = None) -> Tensor:
    """Every bit of integers turned over."""

def bitwise_or(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The bits set in one of the integers or both; for booleans whether one holds, elementwise with broadcasting."""

def bitwise_xor(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The bits set in exactly one of the integers; for booleans whether they differ, elementwise with broadcasting."""

def blackman(M: int) -> Tensor:
    """The Blackman window."""

def ceil(x: Any, dtype: Any = None) -> Tensor:
    """The smallest whole number not below each element."""

def cos(x: Any, dtype: Any = None) -> Tensor:
    """Cosine of each element, in radians."""

def cosh(x: Any, dtype: Any = None) -> Tensor:
    """Hyperbolic cosine of each element."""

def cumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The products of the elements up to each along an axis."""

def cumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The sums of the elements up to each along an axis."""

def divide(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Quotient, elementwise with broadcasting; of integers and booleans in Float32."""

def empty_like(a: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """The same as `empty`, with the shape and dtype of a tensor unless others are given."""

def equal(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Whether two are equal, elementwise with broadcasting: a Bool tensor. nan equals nothing."""

def exp(x: Any, dtype: Any = None) -> Tensor:
    """e to the power of each element."""

def exp2(x: Any, dtype: Any = None) -> Tensor:
    """2 to the power of each element; of integers in Float32."""

def expm1(x: Any, dtype: Any = None) -> Tensor:
    """exp(x) - 1 of each element, exact for small ones."""

def fabs(x: Any, dtype: Any = None) -> Tensor:
    """Magnitude of each element; the derivative at 0 is 0."""

def fix(x: Any, dtype: Any = None) -> Tensor:
    """The elements without their fractions."""

def floor(x: Any, dtype: Any = None) -> Tensor:
    """The largest whole number not above each element."""

def floor_divide(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The quotient rounded down, as Python's `//`, elementwise with broadcasting."""

def fmod(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The rest of the division rounded towards zero, with the sign of the dividend, as C's fmod, elementwise with
    broadcasting."""

def gcd(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The greatest common divisor of integers, elementwise with broadcasting."""

def greater(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Whether `input` is greater than `other`, elementwise with broadcasting."""

def greater_equal(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Whether `input` is at least `other`, elementwise with broadcasting."""

def hamming(M: int) -> Tensor:
    """The Hamming window."""

def hanning(M: int) -> Tensor:
    """The Hanning window."""

def heaviside(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """0 where `input` is negative, `values` where it is 0, 1 where it is positive."""

def hypot(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Length of the hypotenuse, `sqrt(input**2 + other**2)`, with broadcasting."""

def invert(x: Any, dtype: Any = None) -> Tensor:
    """Every bit of integers turned over."""

def isfinite(x: Any, dtype: Any = None) -> Tensor:
    """Whether each element is neither infinite nor nan."""

def isinf(x: Any, dtype: Any = None) -> Tensor:
    """Whether each element is infinite."""

def isnan(x: Any, dtype: Any = None) -> Tensor:
    """Whether each element is not a number."""

def isneginf(x: Any, dtype: Any = None) -> Tensor:
    """Whether each element is negative infinity: a Bool tensor."""

def isposinf(x: Any, dtype: Any = None) -> Tensor:
    """Whether each element is positive infinity: a Bool tensor."""

def lcm(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The least common multiple of integers, elementwise with broadcasting; 0 where either is 0."""

def less(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Whether `input` is less than `other`, elementwise with broadcasting."""

def less_equal(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Whether `input` is at most `other`, elementwise with broadcasting."""

def log(x: Any, dtype: Any = None) -> Tensor:
    """Natural logarithm of each element."""

def log10(x: Any, dtype: Any = None) -> Tensor:
    """Logarithm to base 10 of each element."""

def log1p(x: Any, dtype: Any = None) -> Tensor:
    """log(1 + x) of each element, exact for small ones."""

def log2(x: Any, dtype: Any = None) -> Tensor:
    """Logarithm to base 2 of each element."""

def logaddexp(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """`log(exp(input) + exp(other))` without overflow, with broadcasting."""

def logaddexp2(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """`log2(2**input + 2**other)` without overflow, with broadcasting."""

def logical_and(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Whether both are true (numbers other than 0 are), elementwise with broadcasting."""

def logical_not(x: Any, dtype: Any = None) -> Tensor:
    """Whether the elements are false (0 is), elementwise."""

def logical_or(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Whether one or both are true (numbers other than 0 are), elementwise with broadcasting."""

def logical_xor(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Whether exactly one is true (numbers other than 0 are), elementwise with broadcasting."""

def max(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
    """The maximum over axes."""

def maximum(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The larger of two, elementwise with broadcasting; nan where either is nan."""

def min(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
    """The minimum over axes."""

def minimum(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The smaller of two, elementwise with broadcasting; nan where either is nan."""

def mod(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
    broadcasting."""

def multiply(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Product of two tensors, or of a tensor and a number, elementwise with broadcasting."""

def nanmax(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The same as `amax`, of the elements that are not nan."""

def nanmin(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The same as `amin`, of the elements that are not nan."""

def nansum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The same as `sum`, of the elements that are not nan."""

def negative(x: Any, dtype: Any = None) -> Tensor:
    """The elements negated."""

def not_equal(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Whether two differ, elementwise with broadcasting."""

def ones_like(a: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """The same as `ones`, with the shape and dtype of a tensor unless others are given."""

def positive(x: Any, dtype: Any = None) -> Tensor:
    """The argument itself."""

def power(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""

def remainder(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
    broadcasting."""

def rint(x: Any, dtype: Any = None) -> Tensor:
    """Each element rounded to `decimals` places after the point, halves to the even neighbour."""

def sign(x: Any, dtype: Any = None) -> Tensor:
    """-1, 0 or 1 as the element is negative, zero or positive."""

def signbit(x: Any, dtype: Any = None) -> Tensor:
    """Whether the sign bit of each element is set (it is for -0.0): a Bool tensor."""

def sin(x: Any, dtype: Any = None) -> Tensor:
    """Sine of each element, in radians."""

def sinh(x: Any, dtype: Any = None) -> Tensor:
    """Hyperbolic sine of each element."""

def sqrt(x: Any, dtype: Any = None) -> Tensor:
    """Square root of each element; nan where an element is negative."""

def square(x: Any, dtype: Any = None) -> Tensor:
    """Square of each element."""

def std(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation over axes."""

def subtract(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """`input - alpha * other`, elementwise with broadcasting."""

def tan(x: Any, dtype: Any = None) -> Tensor:
    """Tangent of each element, in radians."""

def tanh(x: Any, dtype: Any = None) -> Tensor:
    """Hyperbolic tangent of each element."""

def true_divide(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Quotient, elementwise with broadcasting; of integers and booleans in Float32."""

def trunc(x: Any, dtype: Any = None) -> Tensor:
    """The elements without their fractions."""

def var(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance over axes, with `count - ddof` as the divisor."""

def zeros_like(a: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """The same as `zeros`, with the shape and dtype of a tensor unless others are given."""
