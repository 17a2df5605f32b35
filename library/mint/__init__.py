"""`mycel.mint`: functions with the arguments that `mindspore.mint` has; `mint.nn` and `mint.optim` are modules."""

from __future__ import annotations

import importlib
from typing import Any

from ...frontend.errors.spelling import missing_name as _missing_name
from ...frontend.values.dispatch import Number, cast, promote
from ...frontend.values.operands import in_single, need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..functions.table import names as _functions
from .table import table as _table

_INT64 = dtypes.int64


def _long(pair: Any) -> Any:
    """Values and their positions, these as Int64."""
    return pair[0], cast(pair[1], _INT64)


def randint_like(input: Tensor, *bounds: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Whole numbers uniform in [low, high), `low` being 0 where only one bound is given, in a tensor's shape."""
    low, high = bounds if len(bounds) == 2 else (0, *bounds)
    return cast(ops.randint_like(input, low, high, dtype=_INT64), dtypes.as_dtype(dtype or input.dtype))


def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Tensor, Tensor]:
    """The solution of triangular equations, and the matrix."""
    from ..scipy.linalg import solve_triangular

    return solve_triangular(A, b, 1 if transpose else 0, not upper, unitriangular), A


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The position, Int64, of the largest element along a dimension, or of all."""
    return cast(ops.argmax(input, dim, keepdim), _INT64)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The position, Int64, of the smallest element along a dimension, or of all."""
    return cast(ops.argmin(input, dim, keepdim), _INT64)


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The positions, Int64, that put the elements in order along a dimension."""
    return cast(ops.argsort(input, dim, descending), _INT64)


def sort(input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    """The elements in order along a dimension, and the positions, Int64, they come from."""
    return _long(ops.sort(input, dim, descending))


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest (or smallest) elements along a dimension, and their positions, Int64."""
    return _long(ops.topk(input, k, dim, largest, sorted))


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest element along a dimension, and its position, Int64."""
    return _long(ops.kthvalue(input, k, dim, keepdim))


def _extremum(best: str, combine: str) -> Any:
    def extremum(input: Tensor, *arguments: Any, **named: Any) -> Any:
        other = named.get("other", arguments[0] if arguments and isinstance(arguments[0], Tensor) else None)
        if other is not None:
            return getattr(ops, combine)(input, other)
        if not arguments and "dim" not in named:
            return getattr(ops, f"a{best}")(input)
        dim, keepdim = (*arguments, *named.values(), False)[:2]
        return _long(getattr(ops, best)(input, dim, keepdim))

    extremum.__name__ = best
    extremum.__doc__ = (
        f"`{best}(input)`: the extreme element; `{best}(input, dim, keepdim=False)`: values and positions along a "
        f"dimension; `{best}(input, other)`: as `{combine}`."
    )
    return extremum


max, min = _extremum("max", "maximum"), _extremum("min", "minimum")


def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The lower median of all elements; along a dimension also its position, Int64."""
    if dim is None:
        flat = ops.ravel(input)
        return ops.kthvalue(flat, (flat.size + 1) // 2)[0]
    return kthvalue(input, (input.shape[dim] + 1) // 2, dim, keepdim)


@in_single()
def var(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The variance over dimensions, with `count - correction` as the divisor."""
    centred = ops.sub(input, ops.mean(input, dim, True))
    total = ops.sum(ops.square(centred), dim, keepdim)
    count = input.size // (total.size or 1)
    return ops.div(total, float(count - correction) if count > correction else 0.0)


@in_single()
def std(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The standard deviation over dimensions."""
    return ops.sqrt(var(input, dim, correction=correction, keepdim=keepdim))


@in_single()
def var_mean(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The variance and the mean over dimensions."""
    return var(input, dim, correction=correction, keepdim=keepdim), ops.mean(input, dim, keepdim)


@in_single()
def std_mean(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean over dimensions."""
    return std(input, dim, correction=correction, keepdim=keepdim), ops.mean(input, dim, keepdim)


def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The mean over dimensions."""
    return ops.mean(input if dtype is None else cast(input, dtypes.as_dtype(dtype)), dim, keepdim)


def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """How many elements are not zero, Int64."""
    return cast(ops.count_nonzero(input, () if dim is None else dim), _INT64)


def unique(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """The different elements in order; optionally which of them each element is, and how often each occurs."""
    return ops.array_sort.unique_method(input, sorted, return_inverse, return_counts, dim)


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Of a vector the matrix with it on a diagonal; of a matrix the diagonal."""
    return ops.array_matrix.numpy_diag(need_tensor(input, "diag"), diagonal)


def dot(input: Tensor, other: Tensor) -> Tensor:
    """The sum of the products of two vectors."""
    if need_tensor(input, "dot").ndim != 1 or need_tensor(other, "dot", "other").ndim != 1:
        raise ValueError(f"dot: two vectors are expected, but got shapes {input.shape} and {other.shape}")
    return ops.matmul(input, other)


vdot = dot


def reshape(input: Tensor, *shape: Any) -> Tensor:
    """The tensor in another shape."""
    return ops.reshape(input, shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape)


def select(input: Any, *arguments: Any, **named: Any) -> Tensor:
    """The tensor at one position along a dimension; `select(condition, input, other)` as `where`."""
    if need_tensor(input, "select").dtype.is_bool and len(arguments) == 2 and not isinstance(arguments[0], int):
        return ops.select(input, *arguments)
    dim, index = (*arguments, *named.values())
    return ops.array_gather.axis_row(input, dim, index)


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """The tensor with the rows of `source`, times alpha, added along a dimension at `index`."""
    return ops.array_scatter.index_add_method(need_tensor(input, "index_add"), dim, index, source, alpha=alpha)


def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    """Coordinate tensors of a grid, indexed "ij" by default."""
    vectors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    return ops.meshgrid(*vectors, indexing=indexing or "ij")


def empty(*size: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of zeros (numbers are never left uninitialised)."""
    shape = size[0] if len(size) == 1 and not isinstance(size[0], int) else size
    return ops.zeros(tuple(shape), dtype)


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Whether every |input - other| <= atol + rtol * |other|."""
    return ops.all(ops.isclose(input, other, rtol, atol, equal_nan)).item()


def equal(input: Tensor, other: Tensor) -> Any:
    """Whether two tensors have one shape and equal elements."""
    shapes = need_tensor(input, "equal").shape, need_tensor(other, "equal", "other").shape
    return shapes[0] == shapes[1] and ops.all(ops.equal(input, other)).item()


def norm(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The p-norm of all elements, or of vectors along dimensions."""
    if p == "nuc":
        return ops.norm(input, p, dim, keepdim, dtype=dtype)
    return ops.vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition is True, `other` elsewhere; with the condition alone its positions."""
    return ops.nonzero(condition, as_tuple=True) if input is None else ops.where(condition, input, other)


def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None) -> Tensor:
    """`steps` numbers at equal distances from `start` to `end`."""
    values = ops.linspace(start, end, steps)
    return values if dtype is None else cast(values, dtypes.as_dtype(dtype))


def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """1 with the probability that each element gives, else 0."""
    return cast(ops.bernoulli(input, input), input.dtype)


def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Tensor:
    """Positions, Int64, drawn in proportion to the weights that stand there."""
    return cast(ops.multinomial(input, num_samples, replacement), _INT64)


def _draw(name: str) -> Any:
    def draw(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
        return getattr(ops, name)(*size, dtype=dtype)

    draw.__name__, draw.__doc__ = name, f"As `ops.{name}`."
    return draw


rand, randn = _draw("rand"), _draw("randn")


def randint(*args: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """`randint(high, size)` or `randint(low, high, size)`: whole numbers, Int64."""
    low, high, size = args if len(args) == 3 else (0, *args)
    return ops.randint(low, high, size, dtype=dtypes.as_dtype(dtype or _INT64))


def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, generator: Any = None) -> Tensor:
    """Normally distributed numbers of given means and deviations."""
    if size is None:
        parts = promote(*[part for part in (mean, std) if not isinstance(part, Number)])
        like = ops.add(*parts) if len(parts) == 2 else parts[0]
        size = like.shape
    return ops.add(ops.mul(ops.randn(*size), std), mean)


_FUNCTIONS = _table(
    {
        "add(input, other, *, alpha=1)": ops.math.add_scaled,
        "transpose(input, dim0, dim1)": "swapaxes",
        "squeeze(input, dim=None)": "squeeze",
        "any(input, dim=None, keepdim=False)": "any",
        "all(input, dim=None, keepdim=False)": "all",
        "prod(input, dim=None, keepdim=False, *, dtype=None)": lambda x, dim, keep, *, dtype: ops.prod(
            x, dim, keep, dtype
        ),
        "flatten(input, start_dim=0, end_dim=-1)": (
            lambda x, start, end: ops.flatten(x, start_dim=start, end_dim=end),
            "Tensor([[1, 2], [3, 4]]) -> [1 2 3 4]",
        ),
        "scatter(input, dim, index, src, *, reduce='none')": "scatter",
        "scatter_add(input, dim, index, src)": (
            lambda x, dim, index, src: ops.scatter(x, dim, index, src, reduce="add"),
            "Tensor([[1, 2]]), 1, Tensor([[0]]), Tensor([[5]]) -> [[6 2]]",
        ),
        "nonzero(input, *, as_tuple=False)": "nonzero",
        "arange(start=0, end=None, step=1, *, dtype=None)": "arange",
        "empty_like(input, *, dtype=None, device=None)": lambda x, *, dtype, device: ops.zeros_like(x, dtype=dtype),
        "clone(input)": "deepcopy",
        "item(input)": lambda x: need_tensor(x, "item").item(),
        "repeat_interleave(input, repeats, dim=None, *, output_size=None)": (
            lambda x, repeats, dim, *, output_size: ops.repeat_interleave(x, repeats, dim)
        ),
        "cat(tensors, dim=0)": "concat",
        "concat(tensors, dim=0)": "concat",
        "stack(tensors, dim=0)": "stack",
        "split(tensor, split_size_or_sections, dim=0)": "split",
        "chunk(input, chunks, dim=0)": "chunk",
        "unbind(input, dim=0)": "unbind",
        "narrow(input, dim, start, length)": "narrow",
        "gather(input, dim, index)": "gather_elements",
        "index_select(input, dim, index)": "index_select",
        "permute(input, dims)": "permute",
        "amax(input, dim=(), keepdim=False)": "amax",
        "amin(input, dim=(), keepdim=False)": "amin",
        "cumsum(input, dim, dtype=None)": "cumsum",
        "cumprod(input, dim, dtype=None)": "cumprod",
        "cummax(input, dim)": "cummax",
        "cummin(input, dim)": "cummin",
        "diff(input, n=1, dim=-1, prepend=None, append=None)": "diff",
        "softmax(input, dim, *, dtype=None)": ("softmax", "Tensor([0.0, 0.0]), 0 -> [0.5 0.5]"),
        "addcmul(input, tensor1, tensor2, *, value=1)": (
            lambda x, a, b, *, value: ops.addcmul(x, a, b, value),
            "Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), value=10 -> [61.]",
        ),
        "addcdiv(input, tensor1, tensor2, *, value=1)": (
            lambda x, a, b, *, value: ops.addcdiv(x, a, b, value),
            "Tensor([1.0]), Tensor([6.0]), Tensor([3.0]), value=10 -> [21.]",
        ),
        "baddbmm(input, batch1, batch2, *, beta=1, alpha=1)": "baddbmm",
        "bmm(input, mat2)": "bmm",
        "arcsin(x)": "asin",
        "frac(input)": "frac",
        "isnan(tensor)": "isnan",
        "cdist(x1, x2, p=2.0, compute_mode=None)": lambda x, y, p, mode: ops.cdist(x, y, p),
        "randperm(n, *, generator=None, dtype=None)": lambda n, *, generator, dtype: ops.randperm(
            n, dtype=dtype or _INT64
        ),
        "rand_like(input, *, dtype=None, device=None)": lambda x, *, dtype, device: ops.rand_like(x, dtype=dtype),
        "randn_like(input, *, dtype=None, device=None)": lambda x, *, dtype, device: ops.randn_like(x, dtype=dtype),
        "bitwise_not(input)": "invert",
        "fix(input)": "trunc",
        "mv(input, vec)": "mv",
        "remainder(input, other)": "floor_mod",
    },
    __name__,
)
_SAME = {name: record.run for name, record in _functions("mint").items()} | {"constexpr": ops.constexpr}
globals().update(_FUNCTIONS)


def __getattr__(name: str) -> Any:
    """The functions that are those of `ops`, and the modules `nn`, `optim`, `linalg` and `special`."""
    if name in _SAME:
        return _SAME[name]
    if name in ("nn", "optim"):
        return importlib.import_module(f"{__name__.split('.')[0]}.mint.{name}")
    if name in ("conv2d", "conv_transpose2d"):
        return getattr(importlib.import_module(f"{__package__}.functional"), name)
    if name in ("linalg", "special"):
        return importlib.import_module(f"{__package__}.{name}")
    raise _missing_name(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_SAME, "nn", "optim", "linalg", "special"})
