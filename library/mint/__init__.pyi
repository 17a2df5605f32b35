# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from ...frontend.values.dispatch import cast, promote
from ...frontend.values.logic import equal as eq, logical_and, logical_not, logical_or, maximum, minimum
from ...frontend.values.operands import in_single, need_tensor
from ...frontend.values.tensor import Tensor
from ..experimental import mint_optim as optim
from ..functions import (
    abs, acos, acosh, addbmm, addmm, addmv, arccos, arccosh, arcsinh, arctan, arctan2, arctanh, asin, asinh, atan,
    atan2, atanh, bincount, bitwise_and, bitwise_or, bitwise_xor, broadcast_to, ceil, clamp, clip, constexpr, cos,
    cosh, cross, div, divide, dstack, einsum, erf, erfc, erfinv, exp, exp2, expm1, eye, flip, float_power, floor,
    floor_divide, fmod, full, full_like, gcd, ge, greater, greater_equal, gt, histc, hstack, imag, inverse, isclose,
    isfinite, isinf, isneginf, le, lerp, less, less_equal, log, log10, log1p, log2, logaddexp, logaddexp2,
    logical_xor, logsumexp, lt, masked_fill, masked_select, matmul, mm, mul, nan_to_num, nansum, ne, neg, negative,
    not_equal, numel, ones, ones_like, outer, polar, pow, ravel, real, reciprocal, roll, round, rsqrt, searchsorted,
    sigmoid, sign, sin, sinc, sinh, sqrt, square, sub, sum, swapaxes, t, take, tan, tanh, tile, trace, tril, triu,
    trunc, unique_consecutive, unsqueeze, xlogy, zeros, zeros_like,
)
from . import linalg, nn, special

__all__ = [
    "Number", "Tensor", "abs", "acos", "acosh", "add", "addbmm", "addcdiv", "addcmul", "addmm", "addmv", "all",
    "allclose", "amax", "amin", "any", "arange", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2",
    "arctanh", "argmax", "argmin", "argsort", "asin", "asinh", "atan", "atan2", "atanh", "baddbmm", "bernoulli",
    "bincount", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "bmm", "broadcast_to", "cast", "cat",
    "cdist", "ceil", "chunk", "clamp", "clip", "clone", "concat", "constexpr", "cos", "cosh", "count_nonzero", "cross",
    "cummax", "cummin", "cumprod", "cumsum", "diag", "diff", "div", "divide", "dot", "dstack", "einsum", "empty",
    "empty_like", "eq", "equal", "erf", "erfc", "erfinv", "exp", "exp2", "expm1", "eye", "fix", "flatten", "flip",
    "float_power", "floor", "floor_divide", "fmod", "frac", "full", "full_like", "gather", "gcd", "ge", "greater",
    "greater_equal", "gt", "histc", "hstack", "imag", "in_single", "index_add", "index_select", "inverse", "isclose",
    "isfinite", "isinf", "isnan", "isneginf", "item", "kthvalue", "le", "lerp", "less", "less_equal", "linalg",
    "linspace", "log", "log10", "log1p", "log2", "logaddexp", "logaddexp2", "logical_and", "logical_not", "logical_or",
    "logical_xor", "logsumexp", "lt", "masked_fill", "masked_select", "matmul", "max", "maximum", "mean", "median",
    "meshgrid", "min", "minimum", "mm", "mul", "multinomial", "mv", "nan_to_num", "nansum", "narrow", "ne",
    "need_tensor", "neg", "negative", "nn", "nonzero", "norm", "normal", "not_equal", "numel", "ones", "ones_like",
    "optim", "outer", "permute", "polar", "pow", "prod", "promote", "rand", "rand_like", "randint", "randint_like",
    "randn", "randn_like", "randperm", "ravel", "real", "reciprocal", "remainder", "repeat_interleave", "reshape",
    "roll", "round", "rsqrt", "scatter", "scatter_add", "searchsorted", "select", "sigmoid", "sign", "sin", "sinc",
    "sinh", "softmax", "sort", "special", "split", "sqrt", "square", "squeeze", "stack", "std", "std_mean", "sub",
    "sum", "swapaxes", "t", "take", "tan", "tanh", "tile", "topk", "trace", "transpose", "triangular_solve", "tril",
    "triu", "trunc", "unbind", "unique", "unique_consecutive", "unsqueeze", "var", "var_mean", "vdot", "where", "xlogy",
    "zeros", "zeros_like",
]

Number: tuple[Any, ...]

def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """As `ops.add`."""

def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """As `ops.addcdiv`."""

def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """As `ops.addcmul`."""

def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """As `ops.all`."""

def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether every |input - other| <= atol + rtol * |other|."""

def amax(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """As `ops.amax`."""

def amin(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """As `ops.amin`."""

def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """As `ops.any`."""

def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    """As `ops.arange`."""

def arcsin(x: Tensor) -> Tensor:
    """As `ops.asin`."""

def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The position, Int64, of the largest element along a dimension, or of all."""

def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The position, Int64, of the smallest element along a dimension, or of all."""

def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The positions, Int64, that put the elements in order along a dimension."""

def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """As `ops.baddbmm`."""

def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """1 with the probability that each element gives, else 0."""

def bitwise_not(input: Tensor) -> Tensor:
    """As `ops.invert`."""

def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """As `ops.bmm`."""

def cat(tensors: Any, dim: int = 0) -> Tensor:
    """As `ops.concat`."""

def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: Any = None) -> Tensor:
    """As `ops.cdist`."""

def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As `ops.chunk`."""

def clone(input: Tensor) -> Tensor:
    """As `ops.deepcopy`."""

def concat(tensors: Any, dim: int = 0) -> Tensor:
    """As `ops.concat`."""

def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """How many elements are not zero, Int64."""

def cummax(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """As `ops.cummax`."""

def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """As `ops.cummin`."""

def cumprod(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """As `ops.cumprod`."""

def cumsum(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """As `ops.cumsum`."""

def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Of a vector the matrix with it on a diagonal; of a matrix the diagonal."""

def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """As `ops.diff`."""

def dot(input: Tensor, other: Tensor) -> Tensor:
    """The sum of the products of two vectors."""

def empty(*size: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of zeros (numbers are never left uninitialised)."""

def empty_like(input: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """As `ops.empty_like`."""

def equal(input: Tensor, other: Tensor) -> Any:
    """Whether two tensors have one shape and equal elements."""

def fix(input: Tensor) -> Tensor:
    """As `ops.trunc`."""

def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """As `ops.flatten`."""

def frac(input: Tensor) -> Tensor:
    """As `ops.frac`."""

def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """As `ops.gather_elements`."""

def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """The tensor with the rows of `source`, times alpha, added along a dimension at `index`."""

def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """As `ops.index_select`."""

def isnan(tensor: Tensor) -> Tensor:
    """As `ops.isnan`."""

def item(input: Any) -> Any:
    """As `ops.item`."""

def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest element along a dimension, and its position, Int64."""

def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None) -> Tensor:
    """`steps` numbers at equal distances from `start` to `end`."""

def max(input: Tensor, *arguments: Any, **named: Any) -> Any:
    """`max(input)`: the extreme element; `max(input, dim, keepdim=False)`: values and positions along a dimension;
    `max(input, other)`: as `maximum`."""

def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The mean over dimensions."""

def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The lower median of all elements; along a dimension also its position, Int64."""

def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    """Coordinate tensors of a grid, indexed "ij" by default."""

def min(input: Tensor, *arguments: Any, **named: Any) -> Any:
    """`min(input)`: the extreme element; `min(input, dim, keepdim=False)`: values and positions along a dimension;
    `min(input, other)`: as `minimum`."""

def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Tensor:
    """Positions, Int64, drawn in proportion to the weights that stand there."""

def mv(input: Tensor, vec: Tensor) -> Tensor:
    """As `ops.mv`."""

def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """As `ops.narrow`."""

def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """As `ops.nonzero`."""

def norm(input: Tensor, p: Any = 'fro', dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The p-norm of all elements, or of vectors along dimensions."""

def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, generator: Any = None) -> Tensor:
    """Normally distributed numbers of given means and deviations."""

def permute(input: Tensor, dims: Any) -> Tensor:
    """As `ops.permute`."""

def prod(input: Tensor, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Tensor:
    """As `ops.prod`."""

def rand(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """As `ops.rand`."""

def rand_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """As `ops.rand_like`."""

def randint(*args: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """`randint(high, size)` or `randint(low, high, size)`: whole numbers, Int64."""

def randint_like(input: Tensor, *bounds: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Whole numbers uniform in [low, high), `low` being 0 where only one bound is given, in a tensor's shape."""

def randn(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """As `ops.randn`."""

def randn_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """As `ops.randn_like`."""

def randperm(n: Any, *, generator: Any = None, dtype: Any = None) -> Tensor:
    """As `ops.randperm`."""

def remainder(input: Any, other: Any) -> Tensor:
    """As `ops.floor_mod`."""

def repeat_interleave(input: Tensor, repeats: Any, dim: Any = None, *, output_size: Any = None) -> Tensor:
    """As `ops.repeat_interleave`."""

def reshape(input: Tensor, *shape: Any) -> Tensor:
    """The tensor in another shape."""

def scatter(input: Tensor, dim: int, index: Tensor, src: Any, *, reduce: str = 'none') -> Tensor:
    """As `ops.scatter`."""

def scatter_add(input: Any, dim: Any, index: Any, src: Any) -> Tensor:
    """As `ops.scatter_add`."""

def select(input: Any, *arguments: Any, **named: Any) -> Tensor:
    """The tensor at one position along a dimension; `select(condition, input, other)` as `where`."""

def softmax(input: Tensor, dim: Any, *, dtype: Any = None) -> Tensor:
    """As `ops.softmax`."""

def sort(input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    """The elements in order along a dimension, and the positions, Int64, they come from."""

def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """As `ops.split`."""

def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """As `ops.squeeze`."""

def stack(tensors: Any, dim: int = 0) -> Tensor:
    """As `ops.stack`."""

def std(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The standard deviation over dimensions."""

def std_mean(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean over dimensions."""

def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest (or smallest) elements along a dimension, and their positions, Int64."""

def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """As `ops.swapaxes`."""

def triangular_solve(
    b: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> tuple[Tensor, Tensor]:
    """The solution of triangular equations, and the matrix."""

def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """As `ops.unbind`."""

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
