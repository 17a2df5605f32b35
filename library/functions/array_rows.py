"""Functions that add to rows or replace them: by indices, along an axis, or as a slice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import alternative, one_axis, shape_of, whole_number, whole_numbers
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .array_gather import need_positions
from .array_scatter import in_place, written
from .array_shape import reshape
from .documentation import common
from .table import known_as, made, method

__all__ = [
    "index_add", "index_fill", "inplace_add", "inplace_index_add", "inplace_sub", "inplace_update",
    "select_scatter", "slice_scatter",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        x: a tensor of at least one dimension.
        v: rows, a tensor of the dtype of `x`.
        indices: the rows to change, an int or a tuple of ints.
    """,
    common,
)


@_shared
def index_add(
    x: Tensor, indices: Tensor, y: Tensor, axis: int, use_lock: bool = True, check_index_bound: bool = True
) -> Tensor:
    """Change a Parameter: the rows of `y` are added to its rows along an axis at `indices`. Gives its new numbers.

    A Tensor that is no Parameter is not changed; the result is a new one.

    Args:
        x: a Parameter of at least one dimension, or a tensor, which is not changed.
        indices: a vector of integers.
        y: a tensor of the dtype of `x`, of its shape but for that axis.
        use_lock, check_index_bound: accepted.

    Raises:
        ValueError: if `axis` is out of range, or the shapes do not fit.

    Examples:
        >>> from mycel import Parameter, Tensor, ops
        >>> print(ops.index_add(Parameter(Tensor([1.0, 2.0]), name="x"), Tensor([0]), Tensor([5.0]), 0))
        [6. 2.]
    """
    target = need_tensor(x, "index_add", "x")
    new = add_rows(target, axis, indices, need_tensor(y, "index_add", "y"), 1, "index_add")
    return in_place(target, new) if hasattr(target, "requires_grad") else new


def _need_vector(index: Tensor, function: str) -> None:
    """Raise ValueError if indices have more than one dimension."""
    if index.ndim > 1:
        raise ValueError(f"{function}: 'index' should be a vector of integers, but its shape is {index.shape}")


def add_rows(x: Tensor, axis: int, index: Tensor, source: Tensor, alpha: Any, function: str) -> Tensor:
    """x with the rows of `source`, times alpha, added to its rows along an axis at the indices of a vector."""
    places, place = need_positions(index, function, "index"), one_axis(axis, x.ndim, function)
    _need_vector(places, function)
    values = written(x, source, function)
    if shape_of(values)[place] != shape_of(places)[0]:
        raise ValueError(f"{function}: {places.shape} indices do not fit the rows of shape {values.shape}")
    values = values if alpha == 1 else apply(prims.multiply, values, alpha)
    return apply(prims.take_add, x, places, values, axis=place)


@method("index_add", inplace="index_add_")
def index_add_method(
    self: Tensor, dim: Any = None, index: Any = None, source: Any = None, axis: int | None = None, *, alpha: Any = 1,
    indices: Any = None, y: Any = None, use_lock: bool = True, check_index_bound: bool = True,
) -> Tensor:  # fmt: skip
    """`index_add(dim, index, source, alpha=1)`: the tensor with the rows of `source`, times alpha, added to its rows
    along a dimension at `index`; also `index_add(indices, y, axis)`.

    Args:
        dim, axis: the dimension.
        index: a vector of integers.
        source: a tensor of the dtype and, but for that dimension, the shape of this one.
        alpha: the factor of `source`.
        indices, y: `index` and `source` by their other names.
        use_lock, check_index_bound: accepted.

    Raises:
        TypeError: if `index` or `source` is no Tensor.
        ValueError: if the shapes do not fit, or the dimension is out of range.

    Examples:
        >>> print(Tensor([1.0, 2.0]).index_add(0, Tensor([0]), Tensor([5.0])))
        [6. 2.]
    """
    if indices is not None:
        return add_rows(
            self, whole_number(axis, "index_add", "axis"), indices, alternative(y, index, None), alpha, "index_add"
        )
    if isinstance(dim, Tensor):
        source = alternative(source, y, None)
        places, rows, place = dim, index, whole_number(axis if source is None else source, "index_add", "axis")
        return add_rows(self, place, places, rows, alpha, "index_add")
    return add_rows(self, dim, index, source, alpha, "index_add")


@known_as(method=True, primitive="IndexFill")
def index_fill(x: Tensor, axis: int, index: Tensor, value: Any) -> Tensor:
    """The tensor with its rows along an axis at `index` filled with a number.

    Args:
        index: a vector of integers.
        value: a number or a 0-d tensor.

    Examples:
        >>> print(ops.index_fill(Tensor([1, 2, 3]), 0, Tensor([0, 2]), 9))
        [9 2 9]
    """
    target, places = need_tensor(x, "index_fill", "x"), need_positions(index, "index_fill", "index")
    place = one_axis(axis, max(target.ndim, 1), "index_fill")
    _need_vector(places, "index_fill")
    if not target.ndim:  # it counts as a vector of one element
        return reshape(index_fill(reshape(target, (1,)), 0, places, value), ())
    filler = cast(value, target.dtype) if isinstance(value, Tensor) else Tensor(value, target.dtype)
    return _put_rows(target, place, places, filler)


def _put_rows(x: Tensor, axis: int, index: Tensor, rows: Tensor) -> Tensor:
    whole = (None, None, 1)
    spec = (*(whole,) * axis, prims.OPERAND)
    return apply(prims.index_update, x, rows, index, spec=spec)


@method("index_put", inplace="index_put_")
def index_put(self: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """The tensor after `x[indices] = values`, or with `accumulate` after adding the values there.

    Args:
        indices: a tuple of tensors of integers or Bool.
        values: a tensor of a shape that can be broadcast to the elements.
        accumulate: whether to add the values.

    Raises:
        TypeError: if `values` is no Tensor, or `indices` is no tuple or list of tensors.

    Examples:
        >>> print(Tensor([1, 2, 3]).index_put((Tensor([0]),), Tensor([9])))
        [9 2 3]
    """
    keys = [need_tensor(item, "index_put", "indices") for item in indices]
    rows = values if isinstance(values, Tensor) else Tensor(values, self.dtype)
    op = prims.index_add if accumulate else prims.index_update
    return apply(op, self, cast(rows, self.dtype), *keys, spec=(prims.OPERAND,) * len(keys))


@known_as(method=True, shared=_shared)
def select_scatter(input: Tensor, src: Tensor, axis: int, index: int) -> Tensor:
    """The tensor with the part at one position along an axis replaced by `src`.

    Args:
        src: a tensor of the shape of that part.
        index: the position.

    Raises:
        ValueError: if `axis` is out of range, or the shape of `src` does not fit.

    Examples:
        >>> print(ops.select_scatter(ops.zeros((2, 2)), Tensor([1.0, 2.0]), 0, 1))
        [[0. 0.]
         [1. 2.]]
    """
    x, part = need_tensor(input, "select_scatter"), need_tensor(src, "select_scatter", "src")
    place = one_axis(axis, x.ndim, "select_scatter")
    position = whole_number(index, "select_scatter", "index")
    row = reshape(part, (*part.shape[:place], 1, *part.shape[place:]))
    return slice_scatter(x, row, place, position, position + 1 if position != -1 else None)


@known_as(method=True, shared=_shared)
def slice_scatter(
    input: Tensor, src: Tensor, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    """The tensor with the elements from `start` to `end` by `step` along an axis replaced by `src`.

    Args:
        src: a tensor of the shape of those elements.
        start, end, step: as in Python's slices.

    Raises:
        ValueError: if `axis` is out of range, or the shape of `src` does not fit.

    Examples:
        >>> print(ops.slice_scatter(Tensor([0, 0, 0]), Tensor([1, 2]), 0, 1))
        [0 1 2]
    """
    x, values = need_tensor(input, "slice_scatter"), need_tensor(src, "slice_scatter", "src")
    place = one_axis(axis, x.ndim, "slice_scatter")
    bounds = [prims.normalize_slice(None, None, 1, size) for size in shape_of(x)]
    bounds[place] = prims.normalize_slice(start, end, step, shape_of(x)[place])
    starts, stops, steps = zip(*bounds, strict=True)
    return apply(prims.update_slice, x, cast(values, x.dtype), start=starts, stop=stops, step=steps)


def _replace_rows(x: Tensor, v: Any, indices: Any, function: str, reduction: str) -> Tensor:
    values = written(x, need_tensor(v, function, "v"), function)
    places = Tensor(list(whole_numbers(indices, function, "indices")), dtypes.int64)
    if reduction == "update":
        return _put_rows(x, 0, places, values)
    values = apply(prims.negative, values) if reduction == "subtract" else values
    return apply(prims.take_add, x, places, values, axis=0)


def _rows_replaced(name: str, reduction: str, summary: str, printed: str) -> Callable[[Tensor, Tensor, Any], Tensor]:
    """The function that gives a tensor with other rows."""

    def run(x: Tensor, v: Tensor, indices: Any) -> Tensor:
        """The tensor with {summary}.

        Raises:
            ValueError: if the shapes do not fit.

        Examples:
            >>> from mycel import Tensor, ops
            >>> print(ops.{name}(Tensor([1.0, 2.0]), Tensor([5.0]), 0))
            {printed}
        """
        return _replace_rows(need_tensor(x, name, "x"), v, indices, name, reduction)

    return _shared(made(run, name, summary=summary, printed=printed))


inplace_update = known_as(method=True)(
    _rows_replaced("inplace_update", "update", "its rows at `indices` replaced by those of `v`", "[5. 2.]")
)
inplace_add = _rows_replaced("inplace_add", "add", "the rows of `v` added to its rows at `indices`", "[6. 2.]")
inplace_sub = _rows_replaced(
    "inplace_sub", "subtract", "the rows of `v` subtracted from its rows at `indices`", "[-4.  2.]"
)


@_shared
def inplace_index_add(var: Tensor, indices: Tensor, updates: Tensor, axis: int) -> Tensor:
    """Change a Parameter: updates are added to its rows along an axis at `indices`. Gives its new numbers.

    Args:
        var: a Parameter of at least one dimension.
        indices: a vector of integers.
        updates: a tensor of the dtype of `var`, of its shape but for that axis.

    Raises:
        ValueError: if `axis` is out of range, or the shapes do not fit.

    Examples:
        >>> from mycel import Parameter, Tensor, ops
        >>> print(ops.inplace_index_add(Parameter(Tensor([1.0, 2.0]), name="x"), Tensor([0]), Tensor([5.0]), 0))
        [6. 2.]
    """
    return in_place(
        var, add_rows(need_tensor(var, "inplace_index_add", "var"), axis, indices, updates, 1, "inplace_index_add")
    )
