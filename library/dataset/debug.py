"""Hooks that see what goes into and out of the operations of `map` (`config.set_debug_mode`)."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence, Sized
from typing import Any

import numpy as np

__all__ = ["DebugHook", "PrintDataHook", "PrintMetaDataHook", "with_hooks"]


class DebugHook(ABC):
    """Base of hooks: a subclass defines `compute`, which gets the tuple of a row's arrays.

    A hook stands among the operations of `map`, or is given to `config.set_debug_mode`.

    Args:
        prev_op_name: the operation before it, which is printed; None prints nothing.

    Examples:
        >>> from mycel import dataset as ds
        >>> class Show(ds.debug.DebugHook):
        ...     def compute(self, *args):
        ...         print("row", args)
        >>> for row in ds.NumpySlicesDataset([5], shuffle=False).map([lambda x: [int(x) + 1], Show()]):
        ...     pass
        row (([6],),)
    """

    def __init__(self, prev_op_name: str | None = None) -> None:
        self.prev_op_name = prev_op_name
        self.is_first_op: bool | None = None

    def __call__(self, *args: Any) -> Any:
        if self.prev_op_name:
            side = "INPUT" if self.is_first_op else "OUTPUT"
            print(f"[Dataset debugger] Print the [{side}] of the operation [{self.prev_op_name}].", flush=True)
        self.compute(args)
        return args

    @abstractmethod
    def compute(self, *args: Any) -> Any:
        """What is done with a row; its result is not used."""
        raise RuntimeError("compute() is not overridden in subclass of class DebugHook.")


def _is_image(column: Any) -> bool:
    return type(column).__module__.startswith("PIL.")


class PrintMetaDataHook(DebugHook):
    """Prints the dtype and shape of each column."""

    def compute(self, *args: Any) -> Any:
        """Print a line for each array."""
        for place, column in enumerate(args[0]):
            text = f"Column {place}. "
            if isinstance(column, (np.ndarray, np.generic)):
                text += f"The dtype is [{column.dtype}]. The shape is [{column.shape}]."
            elif _is_image(column):
                text += f"The type is [{type(column)}]. The shape is [{column.size}]."
            elif isinstance(column, Sized):
                text += f"The type is [{type(column)}]. The size is [{len(column)}]."
            print(text, flush=True)
        return args


class PrintDataHook(DebugHook):
    """Prints the numbers of each column."""

    def compute(self, *args: Any) -> Any:
        """Print a line for each array."""
        for place, column in enumerate(args[0]):
            print(f"Column {place}. The data is [{np.asarray(column) if _is_image(column) else column}].", flush=True)
        return args


def with_hooks(operations: Sequence[Callable[..., Any]], hooks: Sequence[DebugHook]) -> list[Callable[..., Any]]:
    """Operations with hooks before the first and after each of them."""
    if not hooks or not operations:
        return list(operations)

    def named(operation: Any, is_first: bool) -> list[Callable[..., Any]]:
        name = getattr(operation, "__name__", type(operation).__name__)
        own = [copy.copy(hook) for hook in hooks]
        for hook in own:
            hook.prev_op_name, hook.is_first_op = name, is_first
        return list(own)

    found = named(operations[0], True)
    for operation in operations:
        found += [operation, *named(operation, False)]
    return found
