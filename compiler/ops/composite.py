"""Kernels and derivatives of ops that are defined by simpler ops, and Python's operators on symbols, which they use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..ir.op import ACTIVE, Op
from ..ir.types import Shape, TensorType
from .arithmetic import add, divide, multiply, negative, subtract
from .linalg import matmul


class Operators:
    """The arithmetic of symbols."""

    __slots__ = ()
    __array_ufunc__ = None  # NumPy arrays and scalars leave mixed arithmetic to us

    def __add__(self, other: Any) -> Any:
        return add(self, other)

    def __radd__(self, other: Any) -> Any:
        return add(other, self)

    def __sub__(self, other: Any) -> Any:
        return subtract(self, other)

    def __rsub__(self, other: Any) -> Any:
        return subtract(other, self)

    def __mul__(self, other: Any) -> Any:
        return multiply(self, other)

    def __rmul__(self, other: Any) -> Any:
        return multiply(other, self)

    def __truediv__(self, other: Any) -> Any:
        return divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return divide(other, self)

    def __matmul__(self, other: Any) -> Any:
        return matmul(self, other)

    def __neg__(self) -> Any:
        return negative(self)


class _Known(Operators):
    """A symbol whose array is known."""

    __slots__ = ("array", "type")

    def __init__(self, array: Any) -> None:
        self.array = np.asarray(array)
        self.type = TensorType(dtypes.of_numpy(self.array.dtype), self.array.shape)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.type.dtype

    @property
    def shape(self) -> Shape:
        """The shape."""
        return self.type.shape

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return self.array.ndim


class _OnArrays:
    """A recorder that runs each op's kernel at once, for code over ops that runs on arrays."""

    def apply(self, op: Op, operands: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
        """The op on these operands. Numbers take the dtype of the first operand that is not boolean."""
        kinds = [operand.dtype for operand in operands if isinstance(operand, _Known)]
        dtype = next((kind for kind in kinds if not kind.is_bool), kinds[0] if kinds else None)
        np_dtype = None if dtype is None else dtype.np
        arrays = [x.array if isinstance(x, _Known) else np.asarray(x, np_dtype) for x in operands]
        result = op.kernel(*arrays, **attrs)
        return tuple(map(_Known, result)) if isinstance(result, tuple) else _Known(result)


def kernel_by(composite: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel for an op, from a `composite`: code over ops that computes the same."""

    def kernel(*arrays: np.ndarray, **attrs: Any) -> Any:
        before, ACTIVE.recorder = ACTIVE.recorder, _OnArrays()
        try:
            with np.errstate(all="ignore"):
                result = composite(*map(_Known, arrays), **attrs)
        finally:
            ACTIVE.recorder = before
        return tuple(one.array for one in result) if isinstance(result, tuple) else result.array

    return kernel


def defined_op(name: str, definition: Callable[..., Any], **record: Any) -> Op:
    """An op that its definition describes completely: its meaning, its derivative, and its lowering."""
    return Op(name, kernel=kernel_by(definition), vjp=vjp_by(definition), definition=definition, **record)


def vjp_by(composite: Callable[..., Any]) -> Callable[..., Any]:
    """A derivative rule for an op, from a `composite`: code over ops on symbols that computes the same."""

    def vjp(*values: Any, **attrs: Any) -> tuple[Any, ...]:
        *inputs, _, dout = values
        douts = list(dout) if isinstance(dout, tuple) else [dout]
        cotangents: tuple[Any, ...] = ACTIVE.recorder.pullback(
            lambda *symbols: composite(*symbols, **attrs), inputs, douts
        )
        return cotangents

    return vjp
