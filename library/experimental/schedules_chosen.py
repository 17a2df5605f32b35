"""Schedules that other schedules or a number choose: `SequentialLR` and `ReduceLROnPlateau`."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...frontend.values.tensor import Tensor
from .mint_optim import Optimizer
from .schedule_base import number

__all__ = ["ReduceLROnPlateau", "SequentialLR"]


class SequentialLR:
    """Several schedules one after the other, each from its milestone on, where it begins at step 0.

    Args:
        optimizer: the optimizer, which all the schedules set.
        schedulers: the schedules.
        milestones: the steps at which the second and later ones begin.
        last_epoch: the number of steps made so far, less one.

    Raises:
        ValueError: if a schedule is for another optimizer, or the numbers of schedules and milestones do not fit.

    Examples:
        >>> from mycel import nn
        >>> from mycel.experimental import optim
        >>> from mycel.experimental.optim import lr_scheduler
        >>> optimizer = optim.Adagrad(nn.Dense(1, 1).trainable_params(), lr=1.0)
        >>> parts = [lr_scheduler.ConstantLR(optimizer, 0.5, 1), lr_scheduler.ExponentialLR(optimizer, 0.5)]
        >>> schedule = lr_scheduler.SequentialLR(optimizer, parts, [2])
        >>> schedule.step()
        >>> round(float(schedule.get_last_lr()[0]), 3)
        1.0
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: Sequence[Any], milestones: Sequence[int], last_epoch: int = -1
    ) -> None:
        if any(schedule.optimizer is not optimizer for schedule in schedulers):
            raise ValueError("SequentialLR: all schedules should be for the optimizer that is given")
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                f"SequentialLR: {len(schedulers)} schedules need {len(schedulers) - 1} milestones, but got {milestones}"
            )
        self.optimizer, self._schedulers, self._milestones = optimizer, list(schedulers), list(milestones)
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            group["lr"].set_data(Tensor(np.float32(number(group["initial_lr"]))))
        for schedule in self._schedulers:
            schedule.last_epoch -= 1
        self._schedulers[0].step()

    def step(self) -> None:
        """Go to the next step and set the rates."""
        self.last_epoch += 1
        place = bisect_right(self._milestones, self.last_epoch)
        if place and self._milestones[place - 1] == self.last_epoch:
            self._schedulers[place].step(0)
        else:
            self._schedulers[place].step()

    def get_last_lr(self) -> list[Tensor]:
        """The rates that were set last."""
        place = bisect_right(self._milestones, self.last_epoch)
        return self._schedulers[place].get_last_lr()


class ReduceLROnPlateau:
    """Times `factor` when a number has not become better for `patience` steps.

    Args:
        optimizer: the optimizer.
        mode: 'min' if less is better, or 'max'.
        factor: less than 1.
        patience: how many steps without betterment are borne.
        threshold, threshold_mode: by how much better counts: 'rel', a share of the best, or 'abs'.
        cooldown: how many steps after a change do not count.
        min_lr: the least rate; one for all groups, or a list.
        eps: a change of the rate that is smaller than this is not made.

    Raises:
        ValueError: if `factor` is not below 1, or a mode is another word.

    Examples:
        >>> from mycel import nn
        >>> from mycel.experimental import optim
        >>> from mycel.experimental.optim import lr_scheduler
        >>> optimizer = optim.Adagrad(nn.Dense(1, 1).trainable_params(), lr=1.0)
        >>> schedule = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
        >>> for loss in (1.0, 2.0):
        ...     schedule.step(loss)
        >>> round(float(optimizer.param_groups[0]["lr"]), 3)
        0.5
    """

    def __init__(
        self, optimizer: Optimizer, mode: str = "min", factor: float = 0.1, patience: int = 10, threshold: float = 1e-4,
        threshold_mode: str = "rel", cooldown: int = 0, min_lr: Any = 0, eps: float = 1e-8,
    ) -> None:  # fmt: skip
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau: 'factor' should be below 1, but got {factor}")
        if mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
            raise ValueError(f"ReduceLROnPlateau: no mode {mode!r} with {threshold_mode!r}")
        count = len(optimizer.param_groups)
        self.min_lrs = list(min_lr) if isinstance(min_lr, (list, tuple)) else [min_lr] * count
        if len(self.min_lrs) != count:
            raise ValueError(f"ReduceLROnPlateau: expected {count} values of 'min_lr', but got {len(self.min_lrs)}")
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        self.best = math.inf if mode == "min" else -math.inf
        self.bad_epochs = self.cooldown_counter = self.last_epoch = 0

    @property
    def in_cooldown(self) -> bool:
        """Whether steps do not count now."""
        return self.cooldown_counter > 0

    def _is_better(self, value: float) -> bool:
        sign = -1.0 if self.mode == "min" else 1.0
        margin = abs(self.best) * self.threshold if self.threshold_mode == "rel" else self.threshold
        return math.isinf(self.best) or (value - self.best) * sign > margin

    def step(self, metrics: Any) -> None:
        """Count the number of this step, and change the rates if need be."""
        value = number(metrics)
        self.last_epoch += 1
        if self._is_better(value):
            self.best, self.bad_epochs = value, 0
        else:
            self.bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.bad_epochs = 0
        if self.bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                old = number(group["lr"])
                new = max(old * self.factor, least)
                if old - new > self.eps:
                    group["lr"].set_data(Tensor(np.float32(new)))
            self.cooldown_counter, self.bad_epochs = self.cooldown, 0

    def get_last_lr(self) -> list[Tensor]:
        """The rates that were set last."""
        return [Tensor(np.float32(number(group["lr"]))) for group in self.optimizer.param_groups]
