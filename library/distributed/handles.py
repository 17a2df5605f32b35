"""Handles of asynchronous calls, and the tensors that results are written to."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ...frontend.state import STATE
from ...frontend.values.arguments import need_type
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.parameter import replace_data
from ...frontend.values.tensor import Tensor
from .collectives import check_tensor
from .communication import group_of

writing = SimpleNamespace(inplace=True)
"""Whether results are written into the tensors given: `set_comm_ops_inplace`."""


class CommHandle:
    """The handle of an asynchronous call.

    Args:
        action: what is still to be done; None: nothing.

    Examples:
        >>> from mycel.communication import comm_func
        >>> comm_func.CommHandle().wait()
    """

    def __init__(self, action: Callable[[], None] | None = None) -> None:
        self._action = action

    def wait(self) -> None:
        """Wait until the call is complete. Its result may be read from then on."""
        action, self._action = self._action, None
        if action is not None:
            action()


def run(
    start: Callable[[], Any], finish: Callable[[Any], Any], group: Any, async_op: Any
) -> tuple[Any, CommHandle | None]:
    """Run `start`, which makes one call of a group, and then `finish` on its result. What that gives, and a handle.

    With `async_op` this does not wait in eager mode: the handle does, and calls `finish`. The result gets its numbers
    then. In a graph, and where gradients are recorded, the handle has nothing to do: passes say when to wait.

    Raises:
        TypeError: unless `async_op` is a bool.
    """
    need_type(async_op, bool, "The argument 'async_op' must be a bool")
    own = group_of(group)
    if not async_op or own.size == 1 or STATE.trace is not None or STATE.tape is not None:
        return finish(start()), CommHandle() if async_op else None
    result, wait = own.defer(start)

    def complete() -> None:
        wait()
        final = finish(result)
        if isinstance(final, Tensor) and final is not result:
            replace_data(result, final._data)

    return result, CommHandle(complete)


def write(output: Any, result: Tensor, function: str) -> None:
    """Write a result into a tensor. ValueError or TypeError if it has another shape or dtype."""
    check_output(output, result.shape, result.dtype, function)
    assign_inplace(output, result)


def check_output(output: Any, shape: tuple[int, ...], dtype: Any, function: str) -> None:
    """TypeError or ValueError unless a tensor can have a result."""
    target = check_tensor(output, function)
    if target.shape != shape:
        raise ValueError(f"{function}: the output should have the shape {shape}, but has {target.shape}")
    if target.dtype is not dtype:
        raise TypeError(f"{function}: the output should be of {dtype}, but is of {target.dtype}")
