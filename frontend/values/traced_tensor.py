"""`TracedTensor`, the traced form of a Tensor: it stands for a value of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Literal
from ...compiler.transforms.symbolic import Symbol
from ...runtime.dtypes import DType
from ..state import STATE
from .tensor import Tensor, _new, numbers_break


class TracedTensor(Tensor):
    """A tensor that stands for a value of the graph being traced. An update in place changes its `_symbol`."""

    _is_traced_tensor = True
    _symbol: Symbol
    _number: type | None = None  # int, float or bool where it stands for a Python number that only the run knows
    _present: Symbol | None = None  # of a value that may be None at run time: whether it is a tensor

    @property
    def _type(self) -> TensorType:
        return self._symbol.operand.type

    @property
    def shape(self) -> Any:
        """The shape. A dimension that only the run knows is a traced number."""
        shape = self._symbol.operand.type.shape
        if None not in shape:
            return shape
        return tuple(self._extent(axis) if size is None else size for axis, size in enumerate(shape))

    def _extent(self, axis: int) -> TracedTensor:
        """A size that only the run knows, as a traced Python int."""
        return wrap(STATE.trace.apply(prims.extent, (self,), {"axis": axis})._symbol, int)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self._symbol.operand.type.shape)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self._symbol.operand.type.dtype

    def _numbers(self, what: str) -> np.ndarray:
        known = self._known_numbers()
        if known is not None:
            return known
        raise numbers_break(what)

    def _known_numbers(self) -> np.ndarray | None:
        """The numbers, if the tensor stands for a literal of the program; else None."""
        operand = self._symbol.operand
        return np.asarray(operand.value, operand.type.dtype.np) if isinstance(operand, Literal) else None

    def __hash__(self) -> int:
        if self._number is None:
            return object.__hash__(self)
        return hash(self._single("hash()"))

    def __repr__(self) -> str:
        if STATE.trace is not None:
            STATE.trace.shown += 1
        return f"<traced {self._number.__name__ if self._number else 'tensor'} {self._type}>"

    def __str__(self) -> str:
        return self.__repr__()


TracedTensor.__name__ = TracedTensor.__qualname__ = "Tensor"  # users meet it in the messages of Python's own errors


def wrap(symbol: Symbol, number: type | None = None) -> TracedTensor:
    """The traced tensor for a symbol; with `number`, one that behaves as a Python number of that type."""
    tensor: TracedTensor = _new(TracedTensor)
    tensor._symbol = symbol
    if number is not None:
        tensor._number = number
    return tensor


def is_traced(value: Any) -> bool:
    """Whether `value` is a tensor whose numbers are unknown during the trace."""
    if not isinstance(value, Tensor):
        return False
    if value._is_traced_tensor:
        return True
    trace = STATE.trace
    return trace is not None and not trace.is_known(value)
