# Written by tools/stubs.py: `make stubs` writes it again.
from ...frontend.values.tensor import Tensor
from .more import _Grid
from ...runtime.dtypes import DType
from typing import Any
from . import fft as fft, elementwise as _numpy_elementwise, more as _numpy_more
from .arrays import (
    argwhere as argwhere, array_split as array_split, choose as choose, copy as copy, diag as diag,
    diagflat as diagflat, diagonal as diagonal, dsplit as dsplit, hsplit as hsplit,
    ravel_multi_index as ravel_multi_index, select as select, size as size, split as split, take as take,
    take_along_axis as take_along_axis, trace as trace, tril as tril, triu as triu, unique as unique,
    unravel_index as unravel_index, vsplit as vsplit,
)
from .creation import (
    arange as arange, asarray as asarray, asfarray as asfarray, empty as empty, eye as eye, full as full,
    full_like as full_like, geomspace as geomspace, identity as identity, linspace as linspace,
    logspace as logspace, ones as ones, tri as tri, vander as vander, zeros as zeros,
)
from .elementwise import (
    around as around, array as array, cbrt as cbrt, clip as clip, copysign as copysign, deg2rad as deg2rad,
    divmod as divmod, float_power as float_power, isclose as isclose, isscalar as isscalar, rad2deg as rad2deg,
    reciprocal as reciprocal, where as where, around as _round, deg2rad as _radians,
)
from .grids import (
    indices as indices, ix_ as ix_, meshgrid as meshgrid, tril_indices as tril_indices,
    triu_indices as triu_indices,
)
from .joins import (
    append as append, column_stack as column_stack, concatenate as concatenate, dstack as dstack, hstack as hstack,
    stack as stack, vstack as vstack,
)
from .mathematics import (
    apply_along_axis as apply_along_axis, apply_over_axes as apply_over_axes, array_equal as array_equal,
    array_equiv as array_equiv, array_str as array_str, bincount as bincount, digitize as digitize,
    histogram as histogram, histogram_bin_edges as histogram_bin_edges, in1d as in1d, isin as isin,
    promote_types as promote_types, rand as rand, randint as randint, randn as randn, result_type as result_type,
    searchsorted as searchsorted,
)
from .more import (
    diag_indices as diag_indices, histogram2d as histogram2d, histogramdd as histogramdd,
    intersect1d as intersect1d, piecewise as piecewise, setdiff1d as setdiff1d,
    tril_indices_from as tril_indices_from, triu_indices_from as triu_indices_from, unwrap as unwrap,
)
from .polynomials import (
    convolve as convolve, correlate as correlate, diff as diff, ediff1d as ediff1d, gradient as gradient,
    interp as interp, polyadd as polyadd, polyder as polyder, polyint as polyint, polymul as polymul,
    polysub as polysub, polyval as polyval, trapz as trapz,
)
from .products import (
    corrcoef as corrcoef, cov as cov, cross as cross, dot as dot, inner as inner, kron as kron, matmul as matmul,
    matrix_power as matrix_power, multi_dot as multi_dot, norm as norm, outer as outer, tensordot as tensordot,
)
from .reductions import (
    argmax as argmax, argmin as argmin, count_nonzero as count_nonzero, mean as mean, nancumsum as nancumsum,
    nanmean as nanmean, nanstd as nanstd, nanvar as nanvar, ptp as ptp, sometrue as sometrue, sum as sum,
)
from .shapes import (
    atleast_1d as atleast_1d, atleast_2d as atleast_2d, atleast_3d as atleast_3d,
    broadcast_arrays as broadcast_arrays, broadcast_to as broadcast_to, expand_dims as expand_dims, flip as flip,
    fliplr as fliplr, flipud as flipud, moveaxis as moveaxis, pad as pad, ravel as ravel, repeat as repeat,
    reshape as reshape, roll as roll, rollaxis as rollaxis, rot90 as rot90, squeeze as squeeze,
    swapaxes as swapaxes, tile as tile, transpose as transpose,
)
numpy_elementwise = _numpy_elementwise
numpy_more = _numpy_more
round = _round
radians = _radians

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
    """Whether each element is negative infinity."""

def isposinf(x: Any, dtype: Any = None) -> Tensor:
    """Whether each element is positive infinity."""

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
    """Whether the sign bit of each element is set (it is for -0.0)."""

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
