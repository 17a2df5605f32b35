"""`mycel.experimental.optim.lr_scheduler`: rates of an optimizer's `param_groups` step by step."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...frontend.values.tensor import Tensor
from .mint_optim import Optimizer
from .schedule_base import ClosedSchedule, LRScheduler, first_step, number, whole

__all__ = [
    "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR", "LRScheduler",
    "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "PolynomialLR", "ReduceLROnPlateau", "SequentialLR",
    "StepLR",
]  # fmt: skip


@first_step("1, 0.5", "0.5")
class StepLR(ClosedSchedule):
    """Times `gamma` every `step_size` steps."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size, self.gamma = whole(step_size, "step_size", self, 1), gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, step: int) -> float:
        return float(self.gamma ** (step // self.step_size))


@first_step("[1], 0.5", "0.5")
class MultiStepLR(ClosedSchedule):
    """Times `gamma` at each of the milestones."""

    def __init__(
        self, optimizer: Optimizer, milestones: Sequence[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        need_type(milestones, list | tuple, "MultiStepLR: 'milestones' should be a list")
        self.milestones, self.gamma = Counter(whole(each, "milestones", self) for each in milestones), gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, step: int) -> float:
        return float(self.gamma ** bisect_right(sorted(self.milestones.elements()), step))


@first_step("0.5, 2", "0.5")
class ConstantLR(ClosedSchedule):
    """Times `factor` until `total_iters`, then the rate itself."""

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if not 0 <= factor <= 1:
            raise ValueError(f"ConstantLR: 'factor' should be in [0, 1], but got {factor}")
        self.factor, self.total_iters = factor, whole(total_iters, "total_iters", self)
        self._first = factor
        super().__init__(optimizer, last_epoch)

    def _factor(self, step: int) -> float:
        return self.factor if step < self.total_iters else 1.0


@first_step("0.5, 1.0, 2", "0.75")
class LinearLR(ClosedSchedule):
    """Times a factor that goes evenly from `start_factor` to `end_factor` in `total_iters` steps."""

    def __init__(
        self, optimizer: Optimizer, start_factor: float = 1.0 / 3, end_factor: float = 1.0, total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:  # fmt: skip
        if not 0 < start_factor <= 1:
            raise ValueError(f"LinearLR: 'start_factor' should be in (0, 1], but got {start_factor}")
        if not 0 <= end_factor <= 1:
            raise ValueError(f"LinearLR: 'end_factor' should be in [0, 1], but got {end_factor}")
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters = whole(total_iters, "total_iters", self, 1)
        self._first = start_factor
        super().__init__(optimizer, last_epoch)

    def _factor(self, step: int) -> float:
        share = min(step, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * share


@first_step("0.5", "0.5")
class ExponentialLR(ClosedSchedule):
    """Times `gamma` every step."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, step: int) -> float:
        return float(self.gamma**step)


@first_step("2", "0.5")
class PolynomialLR(ClosedSchedule):
    """Times (1 - step / total_iters) to a power; 0 from `total_iters` on."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        if power < 0:
            raise ValueError(f"PolynomialLR: 'power' should not be negative, but got {power}")
        self.total_iters, self.power = whole(total_iters, "total_iters", self, 1), power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[Any]:
        """The rates at `last_epoch`; after `total_iters` they stay."""
        return self._rates if self.last_epoch > self.total_iters else super().get_lr()

    def _factor(self, step: int) -> float:
        return float((1.0 - min(step, self.total_iters) / self.total_iters) ** self.power)


class _ByFunctions(LRScheduler):
    """A schedule by functions of the step: one for all groups, or one each."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        count = len(getattr(optimizer, "param_groups", [None]))
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * count
        if len(self.lr_lambdas) != count:
            wanted = f"expected {count} functions, one for each group"
            raise ValueError(f"{type(self).__name__}: {wanted}, but got {len(self.lr_lambdas)}")
        super().__init__(optimizer, last_epoch)

    def _times_functions(self, rates: Sequence[float]) -> Sequence[Any]:
        pairs = zip(rates, self.lr_lambdas, strict=True)
        return [rate * number(function(self.last_epoch)) for rate, function in pairs]


@first_step("lambda step: 0.5**step", "0.5")
class LambdaLR(_ByFunctions):
    """The first rates times functions of the step: one for all groups, or one each."""

    def get_lr(self) -> Sequence[Any]:
        """The rates at `last_epoch`."""
        return self._times_functions(self.base_lrs)


@first_step("lambda step: 0.5", "0.5")
class MultiplicativeLR(_ByFunctions):
    """The rates times functions of the step, from step 1 on."""

    def get_lr(self) -> Sequence[Any]:
        """The rates at `last_epoch`."""
        return self._rates if self.last_epoch == 0 else self._times_functions(self._rates)


@first_step("2", "0.5")
class CosineAnnealingLR(LRScheduler):
    """From the first rates to `eta_min` and back along a cosine of half period `T_max`."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max, self.eta_min = whole(T_max, "T_max", self, 1), eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[Any]:
        """The rates at `last_epoch`."""
        step = self.last_epoch
        if step == 0:
            return self._rates
        if (step - 1 - self.T_max) % (2 * self.T_max) == 0:
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            pairs = zip(self._rates, self.base_lrs, strict=True)
            return [rate + (base - self.eta_min) * rise for rate, base in pairs]
        ratio = (1 + math.cos(math.pi * step / self.T_max)) / (1 + math.cos(math.pi * (step - 1) / self.T_max))
        return [ratio * (rate - self.eta_min) + self.eta_min for rate in self._rates]

    def _get_closed_form_lr(self) -> Sequence[Any]:
        share = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


@first_step("2", "0.5")
class CosineAnnealingWarmRestarts(LRScheduler):
    """From the first rates to `eta_min` along a cosine in T_0 steps, and again in T_mult times as many, and so on."""

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0, last_epoch: int = -1
    ) -> None:
        self.T_0, self.T_mult, self.eta_min = whole(T_0, "T_0", self, 1), whole(T_mult, "T_mult", self, 1), eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[Any]:
        """The rates at `last_epoch`."""
        length, step = self.T_0, self.last_epoch
        while step >= length:
            step -= length
            length *= self.T_mult
        share = (1 + math.cos(math.pi * step / length)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


@first_step("0.1, 1.0, 2", "0.55")
class CyclicLR(LRScheduler):
    """Up and down between `base_lr` and `max_lr`.

    Args:
        optimizer: the optimizer.
        base_lr, max_lr: the bounds; one for all groups, or a list.
        step_size_up, step_size_down: how many steps up, and down (None: as many).
        mode: 'triangular', 'triangular2' (half as high each time) or 'exp_range' (times gamma each step).
        gamma: see `mode`.
        scale_fn: a function in place of `mode`, of what `scale_mode` says: 'cycle' or 'iterations'.
        scale_mode: see `scale_fn`.
        last_epoch: the number of steps made so far, less one.
    """

    def __init__(
        self, optimizer: Optimizer, base_lr: Any, max_lr: Any, step_size_up: int = 2000,
        step_size_down: int | None = None, mode: str = "triangular", gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None, scale_mode: str = "cycle", last_epoch: int = -1,
    ) -> None:  # fmt: skip
        count = len(optimizer.param_groups)
        bounds = [value if isinstance(value, (list, tuple)) else [value] * count for value in (base_lr, max_lr)]
        if any(len(each) != count for each in bounds):
            raise ValueError(f"CyclicLR: one bound for each of {count} groups is expected, but got {bounds}")
        if scale_fn is None and mode not in ("triangular", "triangular2", "exp_range"):
            raise ValueError(f"CyclicLR: 'mode' should be 'triangular', 'triangular2' or 'exp_range', but got {mode!r}")
        self.low, self.high = (list(map(float, each)) for each in bounds)
        self.up = whole(step_size_up, "step_size_up", self, 1)
        self.length = self.up + (self.up if step_size_down is None else whole(step_size_down, "step_size_down", self))
        self.mode, self.gamma, self.scale_fn, self.scale_mode = mode, gamma, scale_fn, scale_mode
        if last_epoch == -1:  # "initial_lr", which other schedules begin from, stays if it is there
            self.optimizer = optimizer
            self._set(self.low)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = self.low

    def get_lr(self) -> Sequence[Any]:
        """The rates at `last_epoch`."""
        cycle, place = divmod(self.last_epoch, self.length)
        share = place / self.up if place <= self.up else (self.length - place) / (self.length - self.up)
        if self.scale_fn is not None:
            scale = number(self.scale_fn(cycle + 1 if self.scale_mode == "cycle" else self.last_epoch))
        else:
            scale = {"triangular": 1.0, "triangular2": 0.5**cycle, "exp_range": self.gamma**self.last_epoch}[self.mode]
        return [low + (high - low) * share * scale for low, high in zip(self.low, self.high, strict=True)]


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
