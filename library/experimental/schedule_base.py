"""The bases of schedules: rates of an optimizer's groups that change step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ..docstrings import Documented, sections as _sections
from .mint_optim import Optimizer


def number(value: Any) -> float:
    """A number, or that of a 0-d tensor."""
    return float(value.asnumpy()) if isinstance(value, Tensor) else float(value)


def whole(value: Any, name: str, owner: Any, least: int = 0) -> int:
    """An int. TypeError for anything else, ValueError if it is less than `least`."""
    need_type(value, int, f"{type(owner).__name__}: '{name}' should be an int")
    if value < least:
        raise ValueError(f"{type(owner).__name__}: '{name}' should be at least {least}, but got {value}")
    return value


class LRScheduler:
    """Base of schedules: a subclass says in `get_lr` the rates of the groups for `last_epoch`.

    Args:
        optimizer: the optimizer.
        last_epoch: the number of steps made so far, less one.

    Raises:
        TypeError: if `optimizer` is none, or `last_epoch` no int.
        ValueError: if `last_epoch` is below -1.

    Examples:
        >>> import mycel as ms
        >>> from mycel.experimental import optim
        >>> weight = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> optimizer = optim.SGD([weight], lr=0.1)
        >>> schedule = optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
        >>> for _ in range(2):
        ...     schedule.step()
        >>> print(schedule.get_last_lr())
        [Tensor(shape=[], dtype=Float32, value= 0.05)]
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.last_epoch = whole(last_epoch, "last_epoch", self, -1)
        self.optimizer = optimizer
        for place, group in enumerate(optimizer.param_groups):
            if last_epoch >= 0 and "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{place}] when resuming")
            group.setdefault("initial_lr", number(group["lr"]))
        self.base_lrs = [number(group["initial_lr"]) for group in optimizer.param_groups]
        self.groups_num = len(self.base_lrs)
        self._last_lr = [group["lr"] for group in optimizer.param_groups]
        self.step()

    @property
    def _rates(self) -> list[float]:
        """The rates of now."""
        return [number(group["lr"]) for group in self.optimizer.param_groups]

    def get_lr(self) -> Sequence[Any]:
        """The rates of the groups at `last_epoch`."""
        raise NotImplementedError(f"{type(self).__name__} should define get_lr")

    def get_last_lr(self) -> list[Tensor]:
        """The rates that were set last."""
        return [Tensor(np.float32(rate)) for rate in self._rates]

    def _set(self, rates: Sequence[Any]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            value = Tensor(np.float32(number(rate)))
            if isinstance(group["lr"], Parameter):
                group["lr"].set_data(value)
            else:
                group["lr"] = number(rate)

    def step(self, epoch: int | None = None) -> None:
        """Go to the next step, or to `epoch`, and set the rates."""
        if epoch is None:
            self.last_epoch += 1
            self._set(self.get_lr())
        else:
            self.last_epoch = epoch
            closed = getattr(self, "_get_closed_form_lr", self.get_lr)
            self._set(closed())


class ClosedSchedule(LRScheduler):
    """A schedule that gives the rates at any step by a factor of the first ones."""

    _first = 1.0  # the factor when the schedule begins

    def _factor(self, step: int) -> float:
        raise NotImplementedError

    def get_lr(self) -> Sequence[Any]:
        """The rates of now, changed as the factors of two successive steps differ."""
        if self.last_epoch == 0:
            return [rate * self._first for rate in self._rates]
        before = self._factor(self.last_epoch - 1)
        if before == 0:
            return self._get_closed_form_lr()
        ratio = self._factor(self.last_epoch) / before
        return [rate * ratio for rate in self._rates]

    def _get_closed_form_lr(self) -> Sequence[Any]:
        return [rate * self._factor(self.last_epoch) for rate in self.base_lrs]


def first_step(arguments: str, rate: str) -> Callable[[Documented], Documented]:
    """A decorator of schedules: the example in their docstrings, a step that ends at a rate."""

    def complete(kind: Documented) -> Documented:
        return _sections(
            Examples=f"""
                >>> from mycel import nn
                >>> from mycel.experimental import optim
                >>> from mycel.experimental.optim import lr_scheduler
                >>> optimizer = optim.Adagrad(nn.Dense(1, 1).trainable_params(), lr=1.0)
                >>> schedule = lr_scheduler.{kind.__name__}(optimizer, {arguments})
                >>> schedule.step()
                >>> round(float(schedule.get_last_lr()[0]), 3)
                {rate}
            """
        )(kind)

    return complete
