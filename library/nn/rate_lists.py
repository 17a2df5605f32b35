"""Learning rates as lists: one rate for each step."""

from __future__ import annotations

import math
from typing import Any

from .checks import check_bool, check_float, check_positive_int, need_type
from .learning_rate import check_positive_float
from .sections import RATES, sections

__all__ = [
    "cosine_decay_lr", "exponential_decay_lr", "inverse_decay_lr", "natural_exp_decay_lr", "piecewise_constant_lr",
    "polynomial_decay_lr", "warmup_lr",
]  # fmt: skip


def _check_plan(
    learning_rate: Any, total_step: Any, step_per_epoch: Any, decay_epoch: Any, owner: str, decay_rate: Any = 1.0
) -> None:
    check_positive_float(learning_rate, "learning_rate", owner)
    check_positive_int(total_step, "total_step", owner)
    check_positive_int(step_per_epoch, "step_per_epoch", owner)
    check_positive_int(decay_epoch, "decay_epoch", owner)
    check_positive_float(decay_rate, "decay_rate", owner)


def piecewise_constant_lr(milestone: Any, learning_rates: Any) -> list[float]:
    """A list of rates: learning_rates[k] up to milestone[k] steps.

    Args:
        milestone: a list of ints, rising counts of steps.
        learning_rates: a list of as many floats.

    Returns:
        A list of milestone[-1] floats.

    Raises:
        TypeError: if an argument is no list.
        ValueError: if the lists differ in length, or the milestones do not rise.

    Examples:
        >>> import mycel as ms
        >>> ms.nn.piecewise_constant_lr([2, 5], [0.1, 0.05])
        [0.1, 0.1, 0.05, 0.05, 0.05]
    """
    for name, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        need_type(value, tuple | list, f"piecewise_constant_lr's '{name}' should be a list")
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


@sections(**RATES)
def exponential_decay_lr(
    learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:  # fmt: skip
    """A list of rates: learning_rate · decay_rate^(epoch / decay_epoch).

    Args:
        learning_rate: a positive float, the first rate.
        decay_rate: a positive float, the factor of a period.
        total_step: a positive int, how many rates.
        step_per_epoch: a positive int, how many steps an epoch has.
        decay_epoch: a positive int, the epochs of a period.
        is_stair: whether the rate changes only after whole periods. Default: False.

    Examples:
        >>> from mycel import nn
        >>> [round(rate, 4) for rate in nn.exponential_decay_lr(0.1, 0.5, 4, 2, 1)]
        [0.1, 0.1, 0.05, 0.05]
    """
    _check_plan(learning_rate, total_step, step_per_epoch, decay_epoch, "exponential_decay_lr", decay_rate)
    periods = _epoch_periods(total_step, step_per_epoch, decay_epoch, is_stair)
    return [learning_rate * decay_rate**period for period in periods]


_AS_EXPONENTIAL = {
    "Args": """
        decay_rate: a positive float, how fast the rate decays.
        learning_rate, total_step, step_per_epoch, decay_epoch, is_stair: as for `exponential_decay_lr`.
    """
}


@sections(**RATES, **_AS_EXPONENTIAL)
def natural_exp_decay_lr(
    learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:  # fmt: skip
    """A list of rates: learning_rate · exp(-decay_rate · epoch), with `is_stair` at whole periods of decay_epoch.

    Examples:
        >>> from mycel import nn
        >>> [round(rate, 4) for rate in nn.natural_exp_decay_lr(0.1, 0.5, 4, 2, 1)]
        [0.1, 0.1, 0.0607, 0.0607]
    """
    _check_plan(learning_rate, total_step, step_per_epoch, decay_epoch, "natural_exp_decay_lr", decay_rate)
    epochs = [step // step_per_epoch for step in range(total_step)]
    if is_stair:
        epochs = [epoch // decay_epoch * decay_epoch for epoch in epochs]
    return [learning_rate * math.exp(-decay_rate * epoch) for epoch in epochs]


@sections(**RATES, **_AS_EXPONENTIAL)
def inverse_decay_lr(
    learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:  # fmt: skip
    """A list of rates: learning_rate / (1 + decay_rate · epoch / decay_epoch).

    Examples:
        >>> from mycel import nn
        >>> [round(rate, 4) for rate in nn.inverse_decay_lr(0.1, 0.5, 4, 2, 1)]
        [0.1, 0.1, 0.0667, 0.0667]
    """
    _check_plan(learning_rate, total_step, step_per_epoch, decay_epoch, "inverse_decay_lr", decay_rate)
    periods = _epoch_periods(total_step, step_per_epoch, decay_epoch, is_stair)
    return [learning_rate / (1 + decay_rate * period) for period in periods]


def _epoch_periods(total_step: int, step_per_epoch: int, decay_epoch: int, is_stair: bool) -> list[float]:
    check_bool(is_stair, "is_stair", "a learning rate")
    periods = [step // step_per_epoch / decay_epoch for step in range(total_step)]
    return [float(math.floor(period)) for period in periods] if is_stair else periods


@sections(Returns=RATES["Returns"])
def cosine_decay_lr(
    min_lr: float, max_lr: float, total_step: int, step_per_epoch: int, decay_epoch: int
) -> list[float]:
    """A list of rates from max_lr to min_lr over decay_epoch epochs, as half a cosine wave.

    Args:
        min_lr: a float that is not negative, the last rate.
        max_lr: a larger float, the first rate.
        decay_epoch: a positive int, how many epochs it takes.
        total_step, step_per_epoch: as for `exponential_decay_lr`.

    Raises:
        TypeError: if an argument has the wrong type.
        ValueError: if min_lr is not below max_lr, or a number is out of range.

    Examples:
        >>> from mycel import nn
        >>> [round(rate, 4) for rate in nn.cosine_decay_lr(0.0, 0.1, 4, 2, 2)]
        [0.1, 0.1, 0.05, 0.05]
    """
    need_type(min_lr, float, "cosine_decay_lr's 'min_lr' should be a float")
    _check_plan(max_lr, total_step, step_per_epoch, decay_epoch, "cosine_decay_lr")
    if min_lr < 0 or min_lr >= max_lr:
        raise ValueError(f"cosine_decay_lr's 'min_lr' should be in [0, max_lr), but got {min_lr} and {max_lr}")
    half = 0.5 * (max_lr - min_lr)
    epochs = [min(step // step_per_epoch, decay_epoch) for step in range(total_step)]
    return [min_lr + half * (1 + math.cos(math.pi * epoch / decay_epoch)) for epoch in epochs]


@sections(**RATES)
def polynomial_decay_lr(
    learning_rate: float, end_learning_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
    power: float, update_decay_epoch: bool = False,
) -> list[float]:  # fmt: skip
    """A list of rates from learning_rate to end_learning_rate over decay_epoch epochs: the difference times (1 - epoch
    / decay_epoch)^power.

    Args:
        learning_rate: a positive float, the first rate.
        end_learning_rate: a float that is not negative, the last rate.
        decay_epoch: a positive int, how many epochs it takes.
        power: a positive float.
        update_decay_epoch: whether decay_epoch grows to the next multiple once it is reached. Default: False.
        total_step, step_per_epoch: as for `exponential_decay_lr`.

    Examples:
        >>> from mycel import nn
        >>> [round(rate, 4) for rate in nn.polynomial_decay_lr(0.1, 0.0, 4, 2, 2, 1.0)]
        [0.1, 0.1, 0.05, 0.05]
    """
    _check_plan(learning_rate, total_step, step_per_epoch, decay_epoch, "polynomial_decay_lr")
    check_float(end_learning_rate, "end_learning_rate", "polynomial_decay_lr")
    check_positive_float(power, "power", "polynomial_decay_lr")
    rates = []
    for step in range(total_step):
        epoch, last = step // step_per_epoch, decay_epoch
        if check_bool(update_decay_epoch, "update_decay_epoch", "polynomial_decay_lr"):
            last = decay_epoch * max(math.ceil(epoch / decay_epoch), 1)
        else:
            epoch = min(epoch, last)
        rates.append((learning_rate - end_learning_rate) * (1 - epoch / last) ** power + end_learning_rate)
    return rates


@sections(**RATES)
def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int) -> list[float]:
    """A list of rates that rises to learning_rate over warmup_epoch epochs.

    Args:
        learning_rate: a float that is not negative, the last rate.
        warmup_epoch: a positive int, how many epochs it takes.
        total_step, step_per_epoch: as for `exponential_decay_lr`.

    Examples:
        >>> from mycel import nn
        >>> [round(rate, 4) for rate in nn.warmup_lr(0.1, 4, 2, 2)]
        [0.0, 0.0, 0.05, 0.05]
    """
    need_type(learning_rate, float, "warmup_lr's 'learning_rate' should be a float")
    check_positive_int(total_step, "total_step", "warmup_lr")
    check_positive_int(step_per_epoch, "step_per_epoch", "warmup_lr")
    check_positive_int(warmup_epoch, "warmup_epoch", "warmup_lr")
    return [learning_rate * min(step // step_per_epoch, warmup_epoch) / warmup_epoch for step in range(total_step)]
