"""`mycel.mint`: functions with the arguments that `mindspore.mint` has; `mint.nn` and `mint.optim` are modules."""

from __future__ import annotations

import importlib
from typing import Any

from ...frontend.errors.spelling import (
    bound as _bound,
    check_keywords as _check_keywords,
    missing_name as _missing_name,
)
from ...frontend.values.arguments import need_flags as _need_flags
from ...frontend.values.dispatch import cast
from ...frontend.values.operands import Operand, need_tensor as _need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..functions.documentation import common as _shared
from ..functions.triangular import solve_triangular as _solve_triangular
from .draws import bernoulli, multinomial, normal, rand, randint, randint_like, randn  # noqa: F401 names of this module
from .reductions import (  # noqa: F401 names of this module
    _INT64,
    argmax,
    argmin,
    argsort,
    count_nonzero,
    kthvalue,
    max,
    mean,
    median,
    min,
    sort,
    std,
    std_mean,
    topk,
    var,
    var_mean,
)
from .table import Table as _Table


@_shared
def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Tensor, Tensor]:
    """The solution of triangular equations, and the matrix.

    Args:
        b: a floating-point tensor of shape (..., n, k).
        A: triangular matrices of shape (..., n, n).
        upper: whether they are upper ones.
        transpose: whether to take the transpose.
        unitriangular: whether the diagonal counts as ones.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.triangular_solve(Tensor([[4.0]]), Tensor([[2.0]]))[0])
        [[2.]]
    """
    return _solve_triangular(A, b, 1 if transpose else 0, not upper, unitriangular), A


@_shared
def unique(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """The different elements in order; optionally which of them each element is, and how often each occurs.

    Args:
        sorted: accepted: they always come in order.
        return_inverse: whether to give which of them each element is.
        return_counts: whether to give how often each occurs.
        dim: the dimension along which slices are compared; None: all elements.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.unique(Tensor([2, 1, 2])))
        [1 2]
    """
    _need_flags("unique", sorted=sorted, return_inverse=return_inverse, return_counts=return_counts)
    return ops.array_sort.unique_method(input, sorted, return_inverse, return_counts, dim)


@_shared
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Of a vector the matrix with it on a diagonal; of a matrix the diagonal.

    Args:
        input: a vector or matrix.
        diagonal: which diagonal, counted upwards from the main one.

    Raises:
        ValueError: if there are more dimensions.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.diag(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    return ops.array_matrix.numpy_diag(_need_tensor(input, "diag"), diagonal)


@_shared
def dot(input: Tensor, other: Tensor) -> Tensor:
    """The sum of the products of two vectors.

    Args:
        input, other: vectors of one length and dtype.

    Raises:
        ValueError: if one is no vector, or the lengths differ.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.dot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        11.0
    """
    x, y = _need_tensor(input, "dot"), _need_tensor(other, "dot", "other")
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(f"dot: two vectors are expected, but got shapes {x.shape} and {y.shape}")
    return ops.matmul(x, y)


vdot = dot


@_shared
def reshape(input: Tensor, *shape: Any) -> Tensor:
    """The tensor in another shape.

    Args:
        shape: the shape, as ints or one tuple; one size may be -1.

    Raises:
        ValueError: if the numbers of elements differ.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.reshape(Tensor([1, 2]), (2, 1)))
        [[1]
         [2]]
    """
    return ops.reshape(input, shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape)


def select(input: Any, *arguments: Any, **named: Any) -> Tensor:
    """The tensor at one position along a dimension; `select(condition, input, other)` as `where`.

    Args:
        input: a tensor of any shape, or a condition.
        arguments, named: the dimension and the index, or both choices.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the dimension is out of range.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.select(Tensor([[1, 2], [3, 4]]), 0, 1))
        [3 4]
    """
    if _need_tensor(input, "select").dtype.is_bool and len(arguments) == 2 and not isinstance(arguments[0], int):
        _check_keywords("select", named, ())
        return ops.select(input, *arguments)
    dim, index = _bound("select", ("dim", "index"), arguments, named)
    return ops.array_gather.axis_row(input, dim, index)


@_shared
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """The tensor with the rows of `source`, times alpha, added along a dimension at `index`.

    Args:
        dim: the dimension; a negative one counts from the end.
        index: a vector of integers.
        source: a tensor of the dtype of `input`, of its shape but for that dimension.
        alpha: the factor of `source`.

    Raises:
        ValueError: if `dim` is out of range, or the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.index_add(Tensor([1.0, 2.0]), 0, Tensor([0]), Tensor([5.0])))
        [6. 2.]
    """
    return ops.array_rows.index_add_method(_need_tensor(input, "index_add"), dim, index, source, alpha=alpha)


def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    """Coordinate tensors of a grid, indexed "ij" by default.

    Args:
        tensors: vectors, or one tuple of them.
        indexing: "ij" or "xy"; None: "ij".

    Raises:
        TypeError: if one of `tensors` is no Tensor.
        ValueError: if `indexing` is another word.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.meshgrid(Tensor([1, 2]), Tensor([3]))[0])
        [[1]
         [2]]
    """
    vectors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    return ops.meshgrid(*vectors, indexing=indexing or "ij")


def empty(*sizes: Any, size: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of zeros (numbers are never left uninitialised).

    Args:
        sizes, size: the shape, as ints or one tuple.
        dtype: the dtype; None: Float32.
        device: accepted: everything runs on the CPU.

    Raises:
        ValueError: if a size is negative.

    Examples:
        >>> from mycel import mint
        >>> print(mint.empty(2))
        [0. 0.]
    """
    given = sizes if size is None else (*sizes, size)
    return ops.zeros(given[0] if len(given) == 1 else given, dtype)


@_shared
def empty_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Zeros of the shape and dtype of a tensor: numbers are never left uninitialised.

    Args:
        dtype: another dtype; None: that of `input`.
        device: accepted.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.empty_like(Tensor([1, 2])))
        [0 0]
    """
    return ops.zeros_like(input, dtype=dtype)


@_shared
def item(input: Tensor) -> Any:
    """The only element as a Python number.

    Args:
        input: a tensor of one element, of any dtype.

    Raises:
        ValueError: if there are several elements.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.item(Tensor([2.0])))
        2.0
    """
    return _need_tensor(input, "item").item()


@_shared
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Whether every |input - other| <= atol + rtol * |other|.

    Args:
        other: a tensor of a shape that can be broadcast with that of `input`.
        rtol: the relative tolerance.
        atol: the absolute tolerance.
        equal_nan: whether nan is close to nan.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.allclose(Tensor([1.0]), Tensor([1.0])))
        True
    """
    return ops.all(ops.isclose(input, other, rtol, atol, equal_nan)).item()


@_shared
def equal(input: Tensor, other: Tensor) -> Any:
    """Whether two tensors have one shape and equal elements.

    Args:
        other: a tensor of any shape and dtype.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.equal(Tensor([1, 2]), Tensor([1, 2])))
        True
    """
    shapes = _need_tensor(input, "equal").shape, _need_tensor(other, "equal", "other").shape
    return shapes[0] == shapes[1] and ops.all(ops.equal(input, other)).item()


@_shared
def norm(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The p-norm of all elements, or of vectors along dimensions.

    Args:
        input: a floating-point tensor of any shape.
        p: the order.
        dim: the dimension, or a tuple of them; None: all elements.
        keepdim: whether the reduced dimensions stay as dimensions of size one.
        dtype: the dtype to convert to first.

    Raises:
        ValueError: if `dim` is out of range.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.norm(Tensor([3.0, 4.0])))
        5.0
    """
    if p == "nuc":
        return ops.norm(input, p, dim, keepdim, dtype=dtype)
    return ops.vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition is True, `other` elsewhere; with the condition alone its positions.

    Args:
        condition: a Bool tensor of any shape.
        input, other: tensors or numbers that can be broadcast with it.

    Raises:
        TypeError: if `condition` is no Tensor, or `input` or `other` is neither tensor nor number.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.where(Tensor([True, False]), 1, Tensor([2, 3])))
        [1 3]
    """
    return ops.nonzero(condition, as_tuple=True) if input is None else ops.where(condition, input, other)


def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None) -> Tensor:
    """`steps` numbers at equal distances from `start` to `end`.

    Args:
        start, end: numbers, or 0-d tensors.
        steps: how many.
        dtype: the dtype; None: Float32.

    Raises:
        ValueError: if `steps` is negative.

    Examples:
        >>> from mycel import mint
        >>> print(mint.linspace(0, 1, 3))
        [0.  0.5 1. ]
    """
    values = ops.linspace(start, end, steps)
    return values if dtype is None else cast(values, dtypes.as_dtype(dtype))


@_shared
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Operand) -> Tensor:
    """The tensor with the elements of `src` added at the positions that `index` gives along a dimension.

    Args:
        dim: the dimension; a negative one counts from the end.
        index: integers, of as many dimensions as `input`.
        src: a tensor of the shape of `index`, or a number.

    Raises:
        ValueError: if `dim` is out of range, or the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.scatter_add(Tensor([[1, 2]]), 1, Tensor([[0]]), Tensor([[5]])))
        [[6 2]]
    """
    return ops.scatter(input, dim, index, src, reduce="add")


_TABLE = _Table(
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
        "nonzero(input, *, as_tuple=False)": "nonzero",
        "arange(start=0, end=None, step=1, *, dtype=None)": "arange",
        "clone(input)": "deepcopy",
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
        "full(size, fill_value, *, dtype=None)": (
            lambda size, value, *, dtype: ops.full(size, value, dtype=dtype or Tensor(value).dtype),
            "(2,), 2.5 -> [2.5 2.5]",
        ),
        "ones(size, *, dtype=None)": (lambda size, *, dtype: ops.ones(size, dtype), "2 -> [1. 1.]"),
        "sqrt(input)": "sqrt",
    },
    __name__,
)


def __getattr__(name: str) -> Any:
    """The functions of the table and those of `ops`, and the modules `nn`, `optim`, `linalg` and `special`."""
    if name in _TABLE.rows:
        return _TABLE.find(name)
    if name in ("nn", "optim"):
        return importlib.import_module(f"{__name__.split('.')[0]}.mint.{name}")
    if name in ("conv2d", "conv_transpose2d"):
        return getattr(importlib.import_module(".functional", __package__), name)
    if name in ("functional", "linalg", "special"):
        return importlib.import_module(f"{__package__}.{name}")
    if name == "constexpr":
        return ops.constexpr
    same = ops.known("mint", name)
    if same is None:
        raise _missing_name(__name__, name)
    return same.run


def __dir__() -> list[str]:
    others = ("constexpr", "nn", "optim", "linalg", "special")
    return sorted({*globals(), *_TABLE.rows, *ops.records("mint"), *others})
