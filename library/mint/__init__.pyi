# Written by tools/stubs.py: `make stubs` writes it again.
from ...frontend.values.operands import Operand
from typing import Any
from ...frontend.values.dispatch import cast as cast
from ...frontend.values.logic import (
    logical_and as logical_and, logical_not as logical_not, logical_or as logical_or, maximum as maximum,
    minimum as minimum, equal as _eq,
)
from ...frontend.values.operands import need_tensor as need_tensor
from ...frontend.values.tensor import Tensor as Tensor
from ..experimental import mint_optim as _optim
from ..functions.array_broadcast import broadcast_to as broadcast_to, tile as tile
from ..functions.array_flip import flip as flip, roll as roll
from ..functions.array_gather import masked_select as masked_select, take as take
from ..functions.array_join import dstack as dstack, hstack as hstack
from ..functions.array_matrix import trace as trace
from ..functions.array_shape import ravel as ravel, swapaxes as swapaxes, t as t, unsqueeze as unsqueeze
from ..functions.array_size import numel as numel
from ..functions.array_sort import (
    bincount as bincount, histc as histc, searchsorted as searchsorted, unique_consecutive as unique_consecutive,
)
from ..functions.comparison import (
    clamp as clamp, isclose as isclose, logical_xor as logical_xor, masked_fill as masked_fill, clamp as _clip,
)
from ..functions.complex_parts import polar as polar
from ..functions.composite import constexpr as constexpr
from ..functions.creation import (
    full_like as full_like, ones_like as ones_like, zeros as zeros, zeros_like as zeros_like,
)
from ..functions.creation_matrix import eye as eye, tril as tril, triu as triu
from ..functions.functions import abs as abs, nan_to_num as nan_to_num, round as round
from ..functions.linalg import cross as cross, einsum as einsum, matmul as matmul, mm as mm, outer as outer
from ..functions.linalg_solve import inverse as inverse
from ..functions.linalg_weighted import addbmm as addbmm, addmm as addmm, addmv as addmv
from ..functions.math import div as div, float_power as float_power, mul as mul, sub as sub, div as _divide
from ..functions.math_binary import lerp as lerp
from ..functions.reduce import sum as sum
from ..functions.statistics import logsumexp as logsumexp, nansum as nansum
from . import linalg as linalg, nn as nn, special as special
from .draws import (
    bernoulli as bernoulli, multinomial as multinomial, normal as normal, randint as randint,
    randint_like as randint_like,
)
from .functional import sigmoid as sigmoid, tanh as tanh
from .reductions import (
    argmax as argmax, argmin as argmin, argsort as argsort, count_nonzero as count_nonzero, kthvalue as kthvalue,
    mean as mean, median as median, sort as sort, topk as topk,
)
eq = _eq
optim = _optim
clip = _clip
divide = _divide

def acos(input: Tensor) -> Tensor:
    """Inverse cosine of each element."""

def acosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element."""

def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Sum of two tensors, or of a tensor and a number, elementwise with broadcasting."""

def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """`input + value * tensor1 / tensor2`, with broadcasting."""

def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """`input + value * tensor1 * tensor2`, with broadcasting."""

def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether all elements over axes are true (numbers other than 0 are): a Bool tensor."""

def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether every |input - other| <= atol + rtol * |other|."""

def amax(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The largest element over axes; equal ones share the gradient."""

def amin(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The smallest element over axes; equal ones share the gradient. Arguments as for `amax`."""

def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether an element over axes is true (numbers other than 0 are): a Bool tensor."""

def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    """Numbers from start to before end, a step apart; `arange(end)` starts at 0."""

def arccos(input: Tensor) -> Tensor:
    """Inverse cosine of each element."""

def arccosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element."""

def arcsin(x: Tensor) -> Tensor:
    """Inverse sine of each element."""

def arcsinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element."""

def arctan(input: Tensor) -> Tensor:
    """Inverse tangent of each element."""

def arctan2(input: Operand, other: Operand) -> Tensor:
    """The angle of the point (other, input), elementwise with broadcasting; of integers in Float32."""

def arctanh(input: Tensor) -> Tensor:
    """Inverse hyperbolic tangent of each element."""

def asin(input: Tensor) -> Tensor:
    """Inverse sine of each element."""

def asinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element."""

def atan(input: Tensor) -> Tensor:
    """Inverse tangent of each element."""

def atan2(input: Operand, other: Operand) -> Tensor:
    """The angle of the point (other, input), elementwise with broadcasting; of integers in Float32."""

def atanh(input: Tensor) -> Tensor:
    """Inverse hyperbolic tangent of each element."""

def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * (batch1 @ batch2), for batches of matrices."""

def bitwise_and(input: Operand, other: Operand) -> Tensor:
    """The bits set in both integers; for booleans whether both hold, elementwise with broadcasting."""

def bitwise_not(input: Tensor) -> Tensor:
    """Every bit of integers turned over."""

def bitwise_or(input: Operand, other: Operand) -> Tensor:
    """The bits set in one of the integers or both; for booleans whether one holds, elementwise with broadcasting."""

def bitwise_xor(input: Operand, other: Operand) -> Tensor:
    """The bits set in exactly one of the integers; for booleans whether they differ, elementwise with broadcasting."""

def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of the matrices of two batches, of shapes (…, n, m) and (…, m, p)."""

def cat(tensors: Any, dim: int = 0) -> Tensor:
    """Tensors one after the other along an axis. Their dtypes are promoted as in arithmetic."""

def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: Any = None) -> Tensor:
    """The p-norms of the differences of each row of one batch of matrices with each of another."""

def ceil(input: Tensor) -> Tensor:
    """The smallest whole number not below each element."""

def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """The tensor split along an axis into at most `chunks` parts of equal size (the last may be smaller)."""

def clone(input: Tensor) -> Tensor:
    """The elements in a tensor of their own."""

def concat(tensors: Any, dim: int = 0) -> Tensor:
    """Tensors one after the other along an axis. Their dtypes are promoted as in arithmetic."""

def cos(input: Tensor) -> Tensor:
    """Cosine of each element, in radians."""

def cosh(input: Tensor) -> Tensor:
    """Hyperbolic cosine of each element."""

def cummax(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """The largest of the elements up to each along an axis, and the positions (Int64) of the last such ones."""

def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """The smallest of the elements up to each along an axis, and the positions (Int32) of the last such ones."""

def cumprod(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Products of the elements up to each along an axis; of integers in Int64."""

def cumsum(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Sums of the elements up to each along an axis."""

def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Of a vector the matrix with it on a diagonal; of a matrix the diagonal."""

def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Differences of neighbours along an axis, taken n times."""

def dot(input: Tensor, other: Tensor) -> Tensor:
    """The sum of the products of two vectors."""

def empty(*sizes: Any, size: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of zeros (numbers are never left uninitialised)."""

def empty_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Zeros of the shape and dtype of a tensor: numbers are never left uninitialised."""

def equal(input: Tensor, other: Tensor) -> Any:
    """Whether two tensors have one shape and equal elements."""

def erf(input: Tensor) -> Tensor:
    """The error function of each element."""

def erfc(input: Tensor) -> Tensor:
    """One less the error function of each element, exact for large ones."""

def erfinv(input: Tensor) -> Tensor:
    """What the error function takes to each element."""

def exp(input: Tensor) -> Tensor:
    """e to the power of each element."""

def exp2(input: Tensor) -> Tensor:
    """2 to the power of each element; of integers in Float32."""

def expm1(input: Tensor) -> Tensor:
    """exp(x) - 1 of each element, exact for small ones."""

def fix(input: Tensor) -> Tensor:
    """The elements without their fractions."""

def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The tensor with the dimensions from `start_dim` to `end_dim` made one."""

def floor(input: Tensor) -> Tensor:
    """The largest whole number not above each element."""

def floor_divide(input: Operand, other: Operand) -> Tensor:
    """The quotient rounded down, as Python's `//`, elementwise with broadcasting."""

def fmod(input: Operand, other: Operand) -> Tensor:
    """The rest of the division rounded towards zero, with the sign of the dividend, as C's fmod, elementwise with
    broadcasting."""

def frac(input: Tensor) -> Tensor:
    """The fraction of each element, with its sign."""

def full(size: Any, fill_value: Any, *, dtype: Any = None) -> Tensor:
    """A tensor of one value."""

def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """For each place of `index` the element of the tensor at that position along `dim`."""

def gcd(input: Tensor, other: Tensor) -> Tensor:
    """The greatest common divisor of integers, elementwise with broadcasting."""

def ge(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at least `other`, elementwise with broadcasting."""

def greater(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is greater than `other`, elementwise with broadcasting."""

def greater_equal(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at least `other`, elementwise with broadcasting."""

def gt(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is greater than `other`, elementwise with broadcasting."""

def imag(input: Tensor) -> Tensor:
    """The imaginary parts of the elements."""

def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """The tensor with the rows of `source`, times alpha, added along a dimension at `index`."""

def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The rows of a tensor along an axis at the indices of a vector."""

def isfinite(input: Tensor) -> Tensor:
    """Whether each element is neither infinite nor nan."""

def isinf(input: Tensor) -> Tensor:
    """Whether each element is infinite."""

def isnan(tensor: Tensor) -> Tensor:
    """Whether each element is not a number."""

def isneginf(input: Tensor) -> Tensor:
    """Whether each element is negative infinity."""

def item(input: Tensor) -> Any:
    """The only element as a Python number."""

def le(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at most `other`, elementwise with broadcasting."""

def less(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is less than `other`, elementwise with broadcasting."""

def less_equal(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at most `other`, elementwise with broadcasting."""

def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None) -> Tensor:
    """`steps` numbers at equal distances from `start` to `end`."""

def log(input: Tensor) -> Tensor:
    """Natural logarithm of each element."""

def log10(input: Tensor) -> Tensor:
    """Logarithm to base 10 of each element."""

def log1p(input: Tensor) -> Tensor:
    """log(1 + x) of each element, exact for small ones."""

def log2(input: Tensor) -> Tensor:
    """Logarithm to base 2 of each element."""

def logaddexp(input: Tensor, other: Tensor) -> Tensor:
    """`log(exp(input) + exp(other))` without overflow, with broadcasting."""

def logaddexp2(input: Tensor, other: Tensor) -> Tensor:
    """`log2(2**input + 2**other)` without overflow, with broadcasting."""

def lt(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is less than `other`, elementwise with broadcasting."""

def max(input: Tensor, *arguments: Any, **named: Any) -> Any:
    """The extreme elements, in three forms."""

def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    """Coordinate tensors of a grid, indexed "ij" by default."""

def min(input: Tensor, *arguments: Any, **named: Any) -> Any:
    """The extreme elements, in three forms."""

def mv(input: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector."""

def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """The `length` elements from `start` on along an axis."""

def ne(input: Operand, other: Operand) -> Tensor:
    """Whether two differ, elementwise with broadcasting."""

def neg(input: Tensor) -> Tensor:
    """The elements negated."""

def negative(input: Tensor) -> Tensor:
    """The elements negated."""

def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The positions of the elements that are not zero, one a row; with `as_tuple` one tensor a dimension."""

def norm(input: Tensor, p: Any = 'fro', dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The p-norm of all elements, or of vectors along dimensions."""

def not_equal(input: Operand, other: Operand) -> Tensor:
    """Whether two differ, elementwise with broadcasting."""

def ones(size: Any, *, dtype: Any = None) -> Tensor:
    """Ones of a shape; arguments as for `zeros`."""

def permute(input: Tensor, dims: Any) -> Tensor:
    """The tensor with its dimensions in another order; see `transpose`."""

def pow(input: Operand, exponent: Operand) -> Tensor:
    """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""

def prod(input: Tensor, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Tensor:
    """Product over axes."""

def rand(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """Numbers drawn as `ops.rand` says."""

def rand_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Numbers uniform in [0, 1), in the shape, and without `dtype` the dtype, of a tensor."""

def randn(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """Numbers drawn as `ops.randn` says."""

def randn_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Numbers of the standard normal distribution, in the shape, and without `dtype` the dtype, of a tensor."""

def randperm(n: Any, *, generator: Any = None, dtype: Any = None) -> Tensor:
    """The numbers from 0 to n - 1 in random order."""

def real(input: Tensor) -> Tensor:
    """The real parts of the elements."""

def reciprocal(input: Tensor) -> Tensor:
    """One over each element; of integers and booleans in Float32."""

def remainder(input: Any, other: Any) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
    broadcasting."""

def repeat_interleave(input: Tensor, repeats: Any, dim: Any = None, *, output_size: Any = None) -> Tensor:
    """The tensor with every element along an axis repeated."""

def reshape(input: Tensor, *shape: Any) -> Tensor:
    """The tensor in another shape."""

def rsqrt(input: Tensor) -> Tensor:
    """One over the square root of each element."""

def scatter(input: Tensor, dim: int, index: Tensor, src: Any, *, reduce: str = 'none') -> Tensor:
    """The tensor with the elements of `src` (or a number) written where `gather_elements` would read."""

def scatter_add(input: Tensor, dim: int, index: Tensor, src: Operand) -> Tensor:
    """The tensor with the elements of `src` added at the positions that `index` gives along a dimension."""

def select(input: Any, *arguments: Any, **named: Any) -> Tensor:
    """The tensor at one position along a dimension; `select(condition, input, other)` as `where`."""

def sign(input: Tensor) -> Tensor:
    """-1, 0 or 1 as the element is negative, zero or positive."""

def sin(input: Tensor) -> Tensor:
    """Sine of each element, in radians."""

def sinc(input: Tensor) -> Tensor:
    """`sin(pi * x) / (pi * x)` of each element, and 1 at 0; of integers in Float32."""

def sinh(input: Tensor) -> Tensor:
    """Hyperbolic sine of each element."""

def softmax(input: Tensor, dim: Any, *, dtype: Any = None) -> Tensor:
    """exp(x) over its sum along an axis (or a tuple of axes), computed without overflow."""

def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """The tensor cut along an axis into parts."""

def sqrt(input: Tensor) -> Tensor:
    """Square root of each element; nan where an element is negative."""

def square(input: Tensor) -> Tensor:
    """Square of each element."""

def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """The tensor without its dimensions of size one, or without those of them that `dim` names."""

def stack(tensors: Any, dim: int = 0) -> Tensor:
    """Tensors of one shape and dtype one after the other along a new axis."""

def std(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The standard deviation over dimensions."""

def std_mean(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean over dimensions."""

def tan(input: Tensor) -> Tensor:
    """Tangent of each element, in radians."""

def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """The tensor with two dimensions exchanged."""

def triangular_solve(
    b: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> tuple[Tensor, Tensor]:
    """The solution of triangular equations, and the matrix."""

def trunc(input: Tensor) -> Tensor:
    """The elements without their fractions."""

def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The tensors that lie along a dimension, as a tuple, without that dimension."""

def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Any = None,
) -> Any:
    """The different elements in order; optionally which of them each element is, and how often each occurs."""

def var(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The variance over dimensions, with `count - correction` as the divisor."""

def var_mean(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The variance and the mean over dimensions."""

def vdot(input: Tensor, other: Tensor) -> Tensor:
    """The sum of the products of two vectors."""

def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition is True, `other` elsewhere; with the condition alone its positions."""

def xlogy(input: Operand, other: Operand) -> Tensor:
    """`input * log(other)`, and 0 where `input` is 0, with broadcasting."""
