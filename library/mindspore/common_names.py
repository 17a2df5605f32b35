"""Names of `mindspore.common`'s modules that programs import: switches for gradients, buffers, caches of programs."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.errors.classes import GraphBreak
from ...frontend.state import STATE
from ...frontend.values.arguments import need_type
from ...frontend.values.parameter import replace_data
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..functions.comparison import is_tensor
from ..log import get_log_config

__all__ = [
    "_Buffer", "_no_grad", "cell_attr_register", "flops_collection", "frombuffer", "get_log_config", "is_tensor",
    "saved_tensors_hooks", "swap_tensors",
]  # fmt: skip

cells_compile_cache: dict[Any, Any] = {}
"""Names of graphs by Cells: kept empty, for each compiled Cell holds its own programs."""
ms_compile_cache: set[Any] = set()
"""Names of graphs: kept empty, for each compiled function holds its own programs."""


class _no_grad(contextlib.ContextDecorator):
    """A block, or a function, through whose operations no gradient flows."""

    def _recreate_cm(self) -> _no_grad:  # a decorated function may call itself, and run in several threads
        return type(self)()

    def __enter__(self) -> _no_grad:
        self._trace, self._tape = STATE.trace, STATE.tape
        if self._trace is not None:
            self._trace.detached += 1
        else:
            STATE.set_tape(None)
        return self

    def __exit__(self, *error: object) -> None:
        if self._trace is not None:
            self._trace.detached -= 1
        else:
            STATE.set_tape(self._tape)


def cell_attr_register(fn: Any = None, attrs: Any = None) -> Any:
    """A decorator for the `__init__` of a Cell, which stores its arguments, as text, in the attribute `cell_init_args`.

    Args:
        fn: the `__init__`; without it a decorator is made.
        attrs: the names of the attributes to keep in place of the arguments: one, or a list.

    Raises:
        ValueError: for names that are no strings, when a Cell is made.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def initialise(self: Any, *args: Any, **kwargs: Any) -> None:
            given = list(inspect.signature(function).bind(self, *args, **kwargs).arguments.values())[1:]
            function(self, *args, **kwargs)
            shown: Any
            if attrs is None:
                shown = f"dict_values({given})"
            elif isinstance(attrs, str):
                shown = getattr(self, attrs, [])
            elif isinstance(attrs, list):
                if not all(isinstance(item, str) for item in attrs):
                    raise ValueError("attr must be a string")
                shown = [getattr(self, item) for item in attrs if hasattr(self, item)]
            else:
                raise ValueError("attrs must be list or string")
            self.cell_init_args = type(self).__name__ + str(shown)

        return initialise

    return decorate if fn is None else decorate(fn)


class _BufferMeta(type):
    """Whether a Tensor is a buffer is written on the Tensor."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, Tensor) and getattr(value, "_is_buffer", False)


class _Buffer(metaclass=_BufferMeta):
    """A Tensor that belongs to a Cell's state and is not trained.

    Args:
        data: its numbers.
        persistent: whether it belongs to `state_dict`.
    """

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        found: Any = Tensor([]) if data is None else Tensor(data)
        found._is_buffer, found.persistent = True, persistent
        return found


def _function_forbid_reuse(func: Callable[..., Any]) -> Callable[..., Any]:
    """The function: MindSpore's decorator of functions whose graph depends on more than their arguments. Here each
    call is traced."""
    return func


def _get_unique_parameter_key() -> int:
    """A number for a Parameter that no other has."""
    _KEYS[0] += 1
    return _KEYS[0]


_KEYS = [0]


def flops_collection(phase: str) -> tuple[int, int, bool]:
    """The numbers of operations of a graph: they are counted on Ascend devices only."""
    return 0, 0, False


class saved_tensors_hooks:
    """A block in which tensors kept for gradients are packed and unpacked. Accepted: graphs decide themselves what they
    keep.

    Args:
        pack_hook, unpack_hook: functions of a tensor.
    """

    def __init__(self, pack_hook: Any, unpack_hook: Any) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> saved_tensors_hooks:
        return self

    def __exit__(self, *error: object) -> None:
        return None


def jit_begin(name: str, *inputs: Any) -> None:
    """Begin a piece of code that is one graph.

    Raises:
        NotImplementedError: for a graph is made of a function only.
    """
    raise NotImplementedError("a graph is made of a function: put the lines into one, and decorate it with jit")


def jit_end(*outputs: Any) -> None:
    """End a piece of code that is one graph; errors as for `jit_begin`."""
    jit_begin("")


def frombuffer(buffer: Any, dtype: Any, count: int = -1, offset: int = 0) -> Tensor:
    """A vector of a copy of a buffer's numbers.

    Args:
        buffer: an object with Python's buffer protocol, such as bytes.
        dtype: the dtype of the numbers.
        count: how many numbers; -1: all.
        offset: the number of bytes before the first.

    Raises:
        RuntimeError: if `buffer` has no such protocol, or does not hold these numbers.
    """
    try:
        return Tensor(np.frombuffer(buffer, dtypes.as_dtype(dtype).np, count, offset).copy())
    except (TypeError, ValueError) as error:
        raise RuntimeError(f"frombuffer: {error}") from None


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchange two tensors: each name has what the other had, with its dtype, shape, and name.

    Raises:
        TypeError: if they are not two Tensors or two Parameters.
    """
    need_type(t1, Tensor, "swap_tensors takes tensors")
    if type(t1) is not type(t2):
        raise TypeError(f"swap_tensors takes objects of one class, but got {type(t1).__name__}, {type(t2).__name__}")
    if STATE.trace is not None:
        raise GraphBreak("swap_tensors() exchanges Python objects")
    first, second = dict(t1.__dict__), dict(t2.__dict__)
    for tensor, held in ((t1, second), (t2, first)):
        replace_data(tensor, held["_data"])
        tensor.__dict__.clear()
        tensor.__dict__.update(held)
