"""Methods of tensors that change the tensor itself; their names end in an underscore."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.operands import as_operand
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..functions import table


def _changed_by(name: str, function: Callable[..., Any]) -> Callable[..., Tensor]:
    """The method that gives the tensor what `function` makes of it."""

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return assign_inplace(self, function(self, *args, **kwargs))

    method.__name__ = method.__qualname__ = name
    method.__dict__["__wrapped__"] = function  # from which `inspect` takes the signature
    method.__doc__ = (
        f"As `{name.rstrip('_')}`, in place: the tensor changes and keeps its shape and dtype; gives the tensor."
    )
    return method


def _add(self: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    return ops.add(self, other if isinstance(alpha, int) and alpha == 1 else ops.mul(other, alpha))


def _filled(self: Tensor, value: Any) -> Tensor:
    return ops.full_like(self, value)


def _copied(self: Tensor, value: Any, non_blocking: bool = False) -> Tensor:
    other = as_operand(value, "copy_")
    if not isinstance(other, Tensor):
        return ops.full_like(self, other)
    return other if other._type.shape == self._type.shape else ops.broadcast_to(other, self.shape)


def _uniform(self: Tensor, from_: Any = 0.0, to: Any = 1.0, *, generator: Any = None, **bounds: Any) -> Tensor:
    low = bounds.get("from", from_)
    unit = apply(prims.random_uniform, shape=self._type.static_shape, dtype=dtypes.float32, low=0.0, high=1.0)
    return ops.add(ops.mul(unit, ops.sub(to, low)), low)


def _normal(self: Tensor, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
    unit = apply(prims.random_normal, shape=self._type.static_shape, dtype=dtypes.float32, mean=0.0, std=1.0)
    return ops.add(ops.mul(unit, std), mean)


def _exponential(self: Tensor, lambd: Any = 1.0, *, generator: Any = None) -> Tensor:
    unit = apply(prims.random_uniform, shape=self._type.static_shape, dtype=dtypes.float32, low=0.0, high=1.0)
    return ops.div(ops.neg(ops.log1p(ops.neg(unit))), lambd)


def _random(self: Tensor, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Tensor:
    if to is None:
        from_, to = (0, from_) if from_ else (0, 1 << (min(self.dtype.bits, 32) - 1 if self.dtype.is_integer else 24))
    return ops.randint(from_, to, self._type.static_shape)


def _put(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """The tensor with elements replaced, or added to, at places counted through all of it."""
    flat, places = ops.reshape(self, (-1,)), ops.reshape(index, (-1,))
    values = ops.cast(ops.reshape(source, (-1,)), self.dtype)
    return ops.reshape(
        ops.tensor_scatter_elements(flat, places, values, 0, "add" if accumulate else "none"), tuple(self.shape)
    )


def _index_copied(self: Tensor, dim: int, index: Tensor, tensor: Tensor) -> Tensor:
    """The tensor with the rows of another along a dimension at places."""
    first, rows = ops.moveaxis(self, dim, 0), ops.moveaxis(ops.cast(tensor, self.dtype), dim, 0)
    return ops.moveaxis(ops.tensor_scatter_update(first, ops.reshape(index, (-1, 1)), rows), 0, dim)


def _cauchy(self: Tensor, median: Any = 0.0, sigma: Any = 1.0) -> Tensor:
    unit = apply(prims.random_uniform, shape=self._type.static_shape, dtype=dtypes.float32, low=0.0, high=1.0)
    return ops.add(ops.mul(ops.tan(ops.mul(ops.sub(unit, 0.5), math.pi)), sigma), median)


def _zero(self: Tensor) -> Tensor:
    return ops.zeros_like(self)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add_": _add, "fill_": _filled, "zero_": _zero, "copy_": _copied, "uniform_": _uniform, "normal_": _normal,
    "exponential_": _exponential, "random_": _random, "put_": _put, "index_copy_": _index_copied, "cauchy": _cauchy,
}  # fmt: skip
"""Those of which there is no function."""


def methods() -> dict[str, Callable[..., Tensor]]:
    """The methods by their names: those of the function table and those of this module."""
    functions = {name: record.run for name, record in table.names("inplace").items()} | _FUNCTIONS
    return {name: _changed_by(name, function) for name, function in functions.items()}
