"""Callbacks of `Dataset.map`, which are told when epochs and steps begin and end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

EVENTS = ("ds_begin", "ds_epoch_begin", "ds_epoch_end", "ds_step_begin", "ds_step_end")


class DSCallbackRuntimeInfo:
    """Where a pass is: numbers of the epoch and the step, from 1."""

    def __init__(self, cur_epoch_num: int, cur_step_num_in_epoch: int, cur_step_num: int) -> None:
        self.cur_epoch_num = cur_epoch_num
        self.cur_step_num_in_epoch = cur_step_num_in_epoch
        self.cur_step_num = cur_step_num


class DSCallback:
    """Base of callbacks: a subclass defines some of `ds_begin`, `ds_epoch_begin`, `ds_epoch_end`, `ds_step_begin` and
    `ds_step_end`, each with an argument `ds_run_context`.

    Args:
        step_size: how many steps lie between calls of the step methods.

    Raises:
        ValueError: if it is not positive.

    Examples:
        >>> import mycel as ms
        >>> class Steps(ms.dataset.DSCallback):
        ...     def ds_step_end(self, ds_run_context):
        ...         print("step", ds_run_context.cur_step_num)
        >>> data = ms.dataset.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
        >>> rows = list(data.map(lambda x: x, callbacks=[Steps()]).create_tuple_iterator(num_epochs=1))
        step 1
        step 2
    """

    def __init__(self, step_size: int = 1) -> None:
        if isinstance(step_size, bool) or not isinstance(step_size, int) or step_size < 1:
            raise ValueError(f"'step_size' should be a positive int, but got {step_size!r}")
        self.step_size = step_size


class WaitedDSCallback(DSCallback):
    """A callback that also is a callback of training: rows are made when training asks for them, so it never waits.

    Args:
        step_size: as of `DSCallback`.

    Examples:
        >>> from mycel import dataset as ds
        >>> ds.WaitedDSCallback(step_size=2).step_size
        2
    """

    def begin(self, run_context: Any) -> None:
        """Training begins."""

    epoch_begin = epoch_end = step_begin = step_end = end = begin
    on_train_begin = on_train_epoch_begin = on_train_epoch_end = on_train_step_begin = on_train_step_end = begin
    on_train_end = begin

    def __enter__(self) -> WaitedDSCallback:
        return self

    def __exit__(self, *error: Any) -> None:
        return None


class Told:
    """Tells callbacks of the passes over a dataset."""

    def __init__(self, callbacks: Any) -> None:
        listed = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]
        for callback in listed:
            if not any(hasattr(callback, event) for event in EVENTS) and not isinstance(callback, WaitedDSCallback):
                raise AttributeError(
                    "Inheriting Callback class without overriding any methods, check the usage of user defined "
                    "Callback."
                )
        self.callbacks = list(listed)
        self.epoch = self.steps = 0

    def over(self, rows: Iterable[Any]) -> Iterator[Any]:
        """The rows of one pass."""
        if not self.epoch:
            self._tell("ds_begin", 0)
        self.epoch += 1
        self._tell("ds_epoch_begin", 0)
        for number, row in enumerate(rows, 1):
            self.steps += 1
            self._tell("ds_step_begin", number)
            yield row
            self._tell("ds_step_end", number)
        self._tell("ds_epoch_end", 0)

    def _tell(self, event: str, step: int) -> None:
        for callback in self.callbacks:
            if hasattr(callback, event) and (not step or (step - 1) % callback.step_size == 0):
                getattr(callback, event)(DSCallbackRuntimeInfo(self.epoch, step, self.steps))
