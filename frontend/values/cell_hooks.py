"""Hook registration: the functions that a Cell calls around its construct and its backward, and their handles."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

_HOOK_NUMBERS = itertools.count()


class Changes:
    """Counts changes of Cell attributes. While the count stays the same, no guard on a Cell is checked."""

    version = 0


class Hookable:
    """The part of `Cell` that is about its hooks."""

    if TYPE_CHECKING:
        _forward_hooks: OrderedDict[int, Any]
        _forward_pre_hooks: OrderedDict[int, Any]
        _backward_hooks: OrderedDict[int, Any]
        _backward_pre_hooks: OrderedDict[int, Any]

        def _changed(self) -> None: ...

    def register_forward_pre_hook(self, hook_fn: Callable[..., Any], with_kwargs: bool = False) -> HookHandle:
        """Call `hook_fn(cell, inputs)` before construct; what it returns, if anything, takes the inputs' place.

        `with_kwargs`: call `hook_fn(cell, inputs, kwargs)`, which may return (inputs, kwargs).
        """
        return self._add_hook(self._forward_pre_hooks, hook_fn, with_kwargs)

    def register_forward_hook(self, hook_fn: Callable[..., Any], with_kwargs: bool = False) -> HookHandle:
        """Call `hook_fn(cell, inputs, output)` after construct; what it returns, if anything, takes the output's
        place.

        `with_kwargs`: call `hook_fn(cell, inputs, kwargs, output)`.
        """
        return self._add_hook(self._forward_hooks, hook_fn, with_kwargs)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call `hook_fn(cell, grad_output)` in the backward pass before the Cell's part of it; it may return other
        gradients for the outputs."""
        return self._add_hook(self._backward_pre_hooks, hook_fn)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call `hook_fn(cell, grad_input, grad_output)` in the backward pass after the Cell's part of it; it may return
        other gradients for the inputs."""
        return self._add_hook(self._backward_hooks, hook_fn)

    def _add_hook(
        self, hooks: OrderedDict[int, Any], hook_fn: Callable[..., Any], with_kwargs: bool | None = None
    ) -> HookHandle:
        if not callable(hook_fn):
            raise TypeError(f"Expected a callable hook function, but got {type(hook_fn).__name__}.")
        number = next(_HOOK_NUMBERS)
        hooks[number] = hook_fn if with_kwargs is None else (hook_fn, with_kwargs)
        self._changed()
        return HookHandle(self, hooks, number)


class HookHandle:
    """A handle that removes a hook."""

    def __init__(self, cell: Any, hooks: OrderedDict[int, Any], number: int) -> None:
        self._cell = cell
        self._hooks = hooks
        self._number = number

    def remove(self) -> None:
        """Remove the hook. A second call is no error."""
        if self._hooks.pop(self._number, None) is not None:
            self._cell._changed()
