"""Methods of tensors that change the tensor itself; their names end in an underscore."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.errors.spelling import check_keywords
from ...frontend.values.dispatch import apply
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.operands import as_operand
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..functions import random, table
from ..functions.documentation import for_inplace
from ..functions.requirements import require_no_negative


def _changed_by(name: str, function: Callable[..., Any]) -> Callable[..., Tensor]:
    """The method that assigns the result of `function` to the tensor."""

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return assign_inplace(self, function(self, *args, **kwargs))

    method.__name__ = method.__qualname__ = name
    method.__dict__["__wrapped__"] = function  # from which `inspect` takes the signature
    method.__doc__ = for_inplace(name, function, inspect.signature(function).parameters)
    return method


def _add(self: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """Add to the tensor itself.

    Args:
        other: a tensor that can be broadcast to this one, or a number.
        alpha: the factor of `other`.

    Raises:
        ValueError: if the shape of `other` does not fit.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.add_(2.0))
        [3. 4.]
    """
    return ops.add(self, other if isinstance(alpha, int) and alpha == 1 else ops.mul(other, alpha))


def _filled(self: Tensor, value: Any) -> Tensor:
    """Fill the tensor itself with a number.

    Args:
        value: a number, or a 0-d tensor.

    Raises:
        TypeError: if `value` is neither.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.fill_(7.0))
        [7. 7.]
    """
    return ops.full_like(self, value)


def _copied(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Copy numbers into the tensor itself.

    Args:
        src: a tensor that can be broadcast to this one, or a number.
        non_blocking: accepted.

    Raises:
        ValueError: if the shape of `src` does not fit.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.copy_(Tensor([5.0, 6.0])))
        [5. 6.]
    """
    other = as_operand(src, "copy_")
    if not isinstance(other, Tensor):
        return ops.full_like(self, other)
    return other if other._type.shape == self._type.shape else ops.broadcast_to(other, self.shape)


def _uniform(self: Tensor, from_: Any = 0.0, to: Any = 1.0, *, generator: Any = None, **bounds: Any) -> Tensor:
    """Fill the tensor itself with numbers uniform in [from, to).

    Args:
        from_: the least number; also as `from`.
        to: the bound, not reached.
        generator: accepted.
        bounds: `from` by its name.

    Raises:
        TypeError: if a bound is neither number nor tensor.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.uniform_(3.0, 3.0))
        [3. 3.]
    """
    check_keywords("uniform_", bounds, ("from",))
    return random.uniform_like(self, bounds.get("from", from_), to)


def _normal(self: Tensor, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor itself with normally distributed numbers.

    Args:
        mean, std: the mean and the standard deviation.
        generator: accepted.

    Raises:
        TypeError: if one is neither number nor tensor.
        ValueError: if a deviation is negative.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.normal_(3.0, 0.0))
        [3. 3.]
    """
    require_no_negative(std, "normal_", "std")
    unit = apply(prims.random_normal, shape=self._type.static_shape, dtype=dtypes.float32, mean=0.0, std=1.0)
    return ops.add(ops.mul(unit, std), mean)


def _exponential(self: Tensor, lambd: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor itself with exponentially distributed numbers.

    Args:
        lambd: the rate.
        generator: accepted.

    Raises:
        TypeError: if the rate is neither number nor tensor.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.exponential_().shape)
        (2,)
    """
    unit = apply(prims.random_uniform, shape=self._type.static_shape, dtype=dtypes.float32, low=0.0, high=1.0)
    return ops.div(ops.neg(ops.log1p(ops.neg(unit))), lambd)


def _random(self: Tensor, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Tensor:
    """Fill the tensor itself with whole numbers uniform in [from_, to).

    Args:
        from_: the least number; alone, the bound.
        to: the bound, not reached; None: as many as the dtype holds.
        generator: accepted.

    Raises:
        ValueError: if `from_` is not below `to`.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.random_(3, 4))
        [3. 3.]
    """
    if to is None:
        from_, to = (0, from_) if from_ else (0, 1 << (min(self.dtype.bits, 32) - 1 if self.dtype.is_integer else 24))
    return ops.randint(from_, to, self._type.static_shape)


def _put(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Replace elements of the tensor itself, or add to them, at positions counted through all of it.

    Args:
        index: the positions, integers of any shape.
        source: the numbers, a tensor of the shape of `index`.
        accumulate: whether to add.

    Raises:
        TypeError: if `index` or `source` is no Tensor.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.put_(Tensor([1]), Tensor([9.0])))
        [1. 9.]
    """
    flat, places = ops.reshape(self, (-1,)), ops.reshape(index, (-1,))
    values = ops.cast(ops.reshape(source, (-1,)), self.dtype)
    return ops.reshape(
        ops.tensor_scatter_elements(flat, places, values, 0, "add" if accumulate else "none"), tuple(self.shape)
    )


def _index_copied(self: Tensor, dim: int, index: Tensor, tensor: Tensor) -> Tensor:
    """Copy the rows of another tensor along a dimension of the tensor itself.

    Args:
        dim: the dimension.
        index: the positions, a vector of integers.
        tensor: the rows, a tensor of the shape of this one but for that dimension.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.index_copy_(0, Tensor([1]), Tensor([9.0])))
        [1. 9.]
    """
    first, rows = ops.moveaxis(self, dim, 0), ops.moveaxis(ops.cast(tensor, self.dtype), dim, 0)
    return ops.moveaxis(ops.tensor_scatter_update(first, ops.reshape(index, (-1, 1)), rows), 0, dim)


def _cauchy(self: Tensor, median: Any = 0.0, sigma: Any = 1.0) -> Tensor:
    """Fill the tensor itself with numbers of a Cauchy distribution.

    Args:
        median, sigma: the median and the scale.

    Raises:
        TypeError: if one is neither number nor tensor.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.cauchy(3.0, 0.0))
        [3. 3.]
    """
    unit = apply(prims.random_uniform, shape=self._type.static_shape, dtype=dtypes.float32, low=0.0, high=1.0)
    return ops.add(ops.mul(ops.tan(ops.mul(ops.sub(unit, 0.5), math.pi)), sigma), median)


def _zero(self: Tensor) -> Tensor:
    """Fill the tensor itself with zeros.

    Raises:
        TypeError: if an argument is given.

    Examples:
        >>> from mycel import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> print(x.zero_())
        [0. 0.]
    """
    return ops.zeros_like(self)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add_": _add, "fill_": _filled, "zero_": _zero, "copy_": _copied, "uniform_": _uniform, "normal_": _normal,
    "exponential_": _exponential, "random_": _random, "put_": _put, "index_copy_": _index_copied, "cauchy": _cauchy,
}  # fmt: skip
"""Those of which there is no function."""


def method(name: str) -> Callable[..., Tensor]:
    """The method of this name, from this module or else from the function table, whose file is loaded."""
    return _changed_by(name, _FUNCTIONS[name] if name in _FUNCTIONS else table.TABLE["inplace"][name].run)
