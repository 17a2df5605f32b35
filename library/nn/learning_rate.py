"""Learning rates that change with the step: schedules (Cells of the step) and lists of rates."""

from __future__ import annotations

import math
from typing import Any

from ...frontend.values.cell import Cell
from ...runtime import dtypes
from .. import functions as ops
from .checks import check_bool, check_float, check_positive_int

__all__ = [
    "CosineDecayLR",
    "ExponentialDecayLR",
    "InverseDecayLR",
    "LearningRateSchedule",
    "NaturalExpDecayLR",
    "PolynomialDecayLR",
    "WarmUpLR",
    "cosine_decay_lr",
    "exponential_decay_lr",
    "inverse_decay_lr",
    "natural_exp_decay_lr",
    "piecewise_constant_lr",
    "polynomial_decay_lr",
    "warmup_lr",
]


class LearningRateSchedule(Cell):
    """Base of schedules: a subclass's construct takes the count of steps done and gives the rate of the next.

    Examples:
        >>> import mycel as ms
        >>> class Halving(ms.nn.learning_rate_schedule.LearningRateSchedule):
        ...     def construct(self, global_step):
        ...         return 0.5 ** global_step.astype(ms.float32)
        >>> print(Halving()(ms.Tensor(2, ms.int32)))
        0.25
    """

    def __init__(self) -> None:
        super().__init__()

    def construct(self, global_step: Any) -> Any:
        """The rate. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'construct'")


def _step(global_step: Any) -> Any:
    """The step as a float32 tensor."""
    return ops.cast(global_step, dtypes.float32)


def _check_positive_float(value: Any, name: str, owner: str) -> float:
    number = check_float(value, name, owner)
    if number <= 0:
        raise ValueError(f"For '{owner}', the '{name}' should be positive, but got {value}")
    return number


class _Decay(LearningRateSchedule):
    """A schedule of a first rate, a decay and a period."""

    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool = False) -> None:
        super().__init__()
        owner = type(self).__name__
        self.learning_rate = _check_positive_float(learning_rate, "learning_rate", owner)
        self.decay_rate = _check_positive_float(decay_rate, "decay_rate", owner)
        self.decay_steps = check_positive_int(decay_steps, "decay_steps", owner)
        self.is_stair = check_bool(is_stair, "is_stair", owner)

    def _periods(self, global_step: Any) -> Any:
        periods = _step(global_step) / float(self.decay_steps)
        return ops.floor(periods) if self.is_stair else periods


class ExponentialDecayLR(_Decay):
    """learning_rate · decay_rate^(step / decay_steps).

    Args:
        learning_rate: the first rate.
        decay_rate: the factor of a period.
        decay_steps: steps of a period.
        is_stair: whether the rate changes only after whole periods.
    """

    def construct(self, global_step: Any) -> Any:
        """The rate of the step."""
        return self.learning_rate * ops.pow(self.decay_rate, self._periods(global_step))


class NaturalExpDecayLR(_Decay):
    """learning_rate · exp(-decay_rate · step).

    Args:
        learning_rate: the first rate.
        decay_rate: how fast it decays.
        decay_steps: steps of a period.
        is_stair: whether the rate changes only after whole periods.
    """

    def construct(self, global_step: Any) -> Any:
        """The rate of the step."""
        step = _step(global_step)
        if self.is_stair:
            step = ops.floor(step / float(self.decay_steps)) * float(self.decay_steps)
        return self.learning_rate * ops.exp(step * -self.decay_rate)


class InverseDecayLR(_Decay):
    """learning_rate / (1 + decay_rate · step / decay_steps).

    Args:
        learning_rate: the first rate.
        decay_rate: how fast it decays.
        decay_steps: steps of a period.
        is_stair: whether the rate changes only after whole periods.
    """

    def construct(self, global_step: Any) -> Any:
        """The rate of the step."""
        return self.learning_rate / (self._periods(global_step) * self.decay_rate + 1.0)


class CosineDecayLR(LearningRateSchedule):
    """From max_lr to min_lr over decay_steps, as half a cosine wave.

    Args:
        min_lr: the last rate, not negative.
        max_lr: the first rate, larger.
        decay_steps: how many steps it takes.

    Raises:
        ValueError: if min_lr is not below max_lr.
    """

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int) -> None:
        super().__init__()
        if not isinstance(min_lr, float):
            raise TypeError(f"For 'CosineDecayLR', the 'min_lr' should be a float, but got {type(min_lr).__name__}")
        if min_lr < 0:
            raise ValueError(f"For 'CosineDecayLR', the 'min_lr' should not be negative, but got {min_lr}")
        _check_positive_float(max_lr, "max_lr", "CosineDecayLR")
        if min_lr >= max_lr:
            raise ValueError(
                f"For 'CosineDecayLR', the 'min_lr' should be below 'max_lr', but got {min_lr} and {max_lr}"
            )
        self.min_lr = min_lr
        self.max_lr = max_lr
        self.decay_steps = check_positive_int(decay_steps, "decay_steps", "CosineDecayLR")

    def construct(self, global_step: Any) -> Any:
        """The rate of the step."""
        step = ops.minimum(_step(global_step), float(self.decay_steps))
        half = 0.5 * (self.max_lr - self.min_lr)
        return self.min_lr + half * (1.0 + ops.cos(step * (math.pi / self.decay_steps)))


class PolynomialDecayLR(LearningRateSchedule):
    """From learning_rate to end_learning_rate over decay_steps, by a power of what is left.

    Args:
        learning_rate: the first rate.
        end_learning_rate: the last rate.
        decay_steps: how many steps it takes.
        power: positive.
        update_decay_steps: whether decay_steps grows to the next multiple once it is reached.
    """

    def __init__(
        self,
        learning_rate: float,
        end_learning_rate: float,
        decay_steps: int,
        power: float,
        update_decay_steps: bool = False,
    ) -> None:
        super().__init__()
        owner = "PolynomialDecayLR"
        self.learning_rate = _check_positive_float(learning_rate, "learning_rate", owner)
        if check_float(end_learning_rate, "end_learning_rate", owner) < 0:
            raise ValueError(
                f"For '{owner}', the 'end_learning_rate' should not be negative, but got {end_learning_rate}"
            )
        self.end_learning_rate = end_learning_rate
        self.decay_steps = check_positive_int(decay_steps, "decay_steps", owner)
        self.power = _check_positive_float(power, "power", owner)
        self.update_decay_steps = check_bool(update_decay_steps, "update_decay_steps", owner)

    def construct(self, global_step: Any) -> Any:
        """The rate of the step."""
        step, steps = _step(global_step), float(self.decay_steps)
        if self.update_decay_steps:
            share = step / (ops.maximum(ops.ceil(step / steps), 1.0) * steps)
        else:
            share = ops.minimum(step, steps) / steps
        spread = self.learning_rate - self.end_learning_rate
        return spread * ops.pow(1.0 - share, self.power) + self.end_learning_rate


class WarmUpLR(LearningRateSchedule):
    """learning_rate · min(step, warmup_steps) / warmup_steps.

    Args:
        learning_rate: the last rate, not negative.
        warmup_steps: how many steps it takes.
    """

    def __init__(self, learning_rate: float, warmup_steps: int) -> None:
        super().__init__()
        if not isinstance(learning_rate, float):
            raise TypeError(
                f"For 'WarmUpLR', the 'learning_rate' should be a float, but got {type(learning_rate).__name__}"
            )
        if learning_rate < 0:
            raise ValueError(f"For 'WarmUpLR', the 'learning_rate' should not be negative, but got {learning_rate}")
        self.learning_rate = learning_rate
        self.warmup_steps = check_positive_int(warmup_steps, "warmup_steps", "WarmUpLR")

    def construct(self, global_step: Any) -> Any:
        """The rate of the step."""
        steps = float(self.warmup_steps)
        return ops.minimum(_step(global_step), steps) / steps * self.learning_rate


# Lists of rates, one a step


def _check_plan(learning_rate: Any, total_step: Any, step_per_epoch: Any, decay_epoch: Any, owner: str) -> None:
    _check_positive_float(learning_rate, "learning_rate", owner)
    check_positive_int(total_step, "total_step", owner)
    check_positive_int(step_per_epoch, "step_per_epoch", owner)
    check_positive_int(decay_epoch, "decay_epoch", owner)


def piecewise_constant_lr(milestone: Any, learning_rates: Any) -> list[float]:
    """A list of rates: learning_rates[k] up to milestone[k] steps.

    Args:
        milestone: rising counts of steps.
        learning_rates: as many rates.

    Raises:
        ValueError: if the lists differ in length, or the milestones do not rise.

    Examples:
        >>> import mycel as ms
        >>> ms.nn.piecewise_constant_lr([2, 5], [0.1, 0.05])
        [0.1, 0.1, 0.05, 0.05, 0.05]
    """
    for name, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        if not isinstance(value, (tuple, list)):
            raise TypeError(f"piecewise_constant_lr's '{name}' should be a list, but got {type(value).__name__}")
    if not milestone or len(milestone) != len(learning_rates):
        raise ValueError(
            "piecewise_constant_lr needs as many learning rates as milestones, but got "
            f"{len(learning_rates)} and {len(milestone)}"
        )
    rates: list[float] = []
    for end, rate in zip(milestone, learning_rates, strict=True):
        if check_positive_int(end, "milestone", "piecewise_constant_lr") < max(len(rates), 1):
            raise ValueError(f"piecewise_constant_lr's milestones should rise, but got {milestone}")
        rates += [check_float(rate, "learning_rates", "piecewise_constant_lr")] * (end - len(rates))
    return rates


def exponential_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    """A list of rates: learning_rate · decay_rate^(epoch / decay_epoch)."""
    _check_plan(learning_rate, total_step, step_per_epoch, decay_epoch, "exponential_decay_lr")
    _check_positive_float(decay_rate, "decay_rate", "exponential_decay_lr")
    periods = _epoch_periods(total_step, step_per_epoch, decay_epoch, is_stair)
    return [learning_rate * decay_rate**period for period in periods]


def natural_exp_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    """A list of rates: learning_rate · exp(-decay_rate · epoch), with `is_stair` at whole periods of decay_epoch."""
    _check_plan(learning_rate, total_step, step_per_epoch, decay_epoch, "natural_exp_decay_lr")
    _check_positive_float(decay_rate, "decay_rate", "natural_exp_decay_lr")
    epochs = [step // step_per_epoch for step in range(total_step)]
    if is_stair:
        epochs = [epoch // decay_epoch * decay_epoch for epoch in epochs]
    return [learning_rate * math.exp(-decay_rate * epoch) for epoch in epochs]


def inverse_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    """A list of rates: learning_rate / (1 + decay_rate · epoch / decay_epoch)."""
    _check_plan(learning_rate, total_step, step_per_epoch, decay_epoch, "inverse_decay_lr")
    _check_positive_float(decay_rate, "decay_rate", "inverse_decay_lr")
    periods = _epoch_periods(total_step, step_per_epoch, decay_epoch, is_stair)
    return [learning_rate / (1 + decay_rate * period) for period in periods]


def _epoch_periods(total_step: int, step_per_epoch: int, decay_epoch: int, is_stair: bool) -> list[float]:
    check_bool(is_stair, "is_stair", "a learning rate")
    periods = [step // step_per_epoch / decay_epoch for step in range(total_step)]
    return [float(math.floor(period)) for period in periods] if is_stair else periods


def cosine_decay_lr(
    min_lr: float, max_lr: float, total_step: int, step_per_epoch: int, decay_epoch: int
) -> list[float]:
    """A list of rates from max_lr to min_lr over decay_epoch epochs, as half a cosine wave.

    Raises:
        ValueError: if min_lr is not below max_lr.
    """
    if not isinstance(min_lr, float):
        raise TypeError(f"cosine_decay_lr's 'min_lr' should be a float, but got {type(min_lr).__name__}")
    _check_plan(max_lr, total_step, step_per_epoch, decay_epoch, "cosine_decay_lr")
    if min_lr < 0 or min_lr >= max_lr:
        raise ValueError(f"cosine_decay_lr's 'min_lr' should be in [0, max_lr), but got {min_lr} and {max_lr}")
    half = 0.5 * (max_lr - min_lr)
    epochs = [min(step // step_per_epoch, decay_epoch) for step in range(total_step)]
    return [min_lr + half * (1 + math.cos(math.pi * epoch / decay_epoch)) for epoch in epochs]


def polynomial_decay_lr(
    learning_rate: float,
    end_learning_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    power: float,
    update_decay_epoch: bool = False,
) -> list[float]:
    """A list of rates from learning_rate to end_learning_rate over decay_epoch epochs, by a power of what is left."""
    _check_plan(learning_rate, total_step, step_per_epoch, decay_epoch, "polynomial_decay_lr")
    check_float(end_learning_rate, "end_learning_rate", "polynomial_decay_lr")
    _check_positive_float(power, "power", "polynomial_decay_lr")
    rates = []
    for step in range(total_step):
        epoch, last = step // step_per_epoch, decay_epoch
        if check_bool(update_decay_epoch, "update_decay_epoch", "polynomial_decay_lr"):
            last = decay_epoch * max(math.ceil(epoch / decay_epoch), 1)
        else:
            epoch = min(epoch, last)
        rates.append((learning_rate - end_learning_rate) * (1 - epoch / last) ** power + end_learning_rate)
    return rates


def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int) -> list[float]:
    """A list of rates that rises to learning_rate over warmup_epoch epochs."""
    if not isinstance(learning_rate, float):
        raise TypeError(f"warmup_lr's 'learning_rate' should be a float, but got {type(learning_rate).__name__}")
    check_positive_int(total_step, "total_step", "warmup_lr")
    check_positive_int(step_per_epoch, "step_per_epoch", "warmup_lr")
    check_positive_int(warmup_epoch, "warmup_epoch", "warmup_lr")
    return [learning_rate * min(step // step_per_epoch, warmup_epoch) / warmup_epoch for step in range(total_step)]
