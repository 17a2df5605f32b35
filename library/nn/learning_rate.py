"""Learning rates that change with the step: schedules (Cells of the step) and lists of rates."""

from __future__ import annotations

import math
from typing import Any

from ...frontend.values.cell import Cell
from ...runtime import dtypes
from .. import ops
from .checks import check_bool, check_float, check_positive_int, need_type
from .held import primitives
from .sections import STEP, sections

__all__ = [
    "CosineDecayLR", "ExponentialDecayLR", "InverseDecayLR", "LearningRateSchedule", "NaturalExpDecayLR",
    "PolynomialDecayLR", "WarmUpLR",
]  # fmt: skip


class LearningRateSchedule(Cell):
    """Base of schedules: a subclass's `construct` takes the count of steps done and gives the rate of the next.

    Inputs:
        global_step: an int tensor, 0-d or of shape [1], the count of steps done.

    Outputs:
        A float32 tensor of the shape of global_step, the learning rate.

    Raises:
        NotImplementedError: if a subclass has no `construct`.

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


def check_positive_float(value: Any, name: str, owner: str) -> float:
    """A float above zero. TypeError or ValueError for anything else."""
    number = check_float(value, name, owner)
    if number <= 0:
        raise ValueError(f"For '{owner}', the '{name}' should be positive, but got {value}")
    return number


class _Decay(LearningRateSchedule):
    """A schedule of a first rate, a decay and a period."""

    _held = primitives("Pow Cast")

    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool = False) -> None:
        super().__init__()
        owner = type(self).__name__
        self.learning_rate = check_positive_float(learning_rate, "learning_rate", owner)
        self.decay_rate = check_positive_float(decay_rate, "decay_rate", owner)
        self.decay_steps = check_positive_int(decay_steps, "decay_steps", owner)
        self.is_stair = check_bool(is_stair, "is_stair", owner)

    def _periods(self, global_step: Any) -> Any:
        periods = _step(global_step) / float(self.decay_steps)
        return ops.floor(periods) if self.is_stair else periods


@sections(**STEP)
class ExponentialDecayLR(_Decay):
    """learning_rate · decay_rate^(step / decay_steps).

    Args:
        learning_rate: a positive float, the first rate.
        decay_rate: a positive float, the factor of a period.
        decay_steps: a positive int, the steps of a period.
        is_stair: whether the rate changes only after whole periods. Default: False.

    Examples:
        >>> import mycel as ms
        >>> schedule = ms.nn.ExponentialDecayLR(0.1, 0.5, 2)
        >>> print(schedule(ms.Tensor(2, ms.int32)))
        0.05
    """

    def construct(self, global_step: Any) -> Any:
        """The rate of the step."""
        return self.learning_rate * ops.pow(self.decay_rate, self._periods(global_step))


_AS_EXPONENTIAL = {
    "Args": """
        decay_rate: a positive float, how fast the rate decays.
        learning_rate, decay_steps, is_stair: as for `ExponentialDecayLR`.
    """
}


@sections(**STEP, **_AS_EXPONENTIAL)
class NaturalExpDecayLR(_Decay):
    """learning_rate · exp(-decay_rate · step).

    Examples:
        >>> import mycel as ms
        >>> schedule = ms.nn.NaturalExpDecayLR(0.1, 0.5, 2)
        >>> print(schedule(ms.Tensor(2, ms.int32)))
        0.036787942
    """

    def construct(self, global_step: Any) -> Any:
        """The rate of the step."""
        step = _step(global_step)
        if self.is_stair:
            step = ops.floor(step / float(self.decay_steps)) * float(self.decay_steps)
        return self.learning_rate * ops.exp(step * -self.decay_rate)


@sections(**STEP, **_AS_EXPONENTIAL)
class InverseDecayLR(_Decay):
    """learning_rate / (1 + decay_rate · step / decay_steps).

    Examples:
        >>> import mycel as ms
        >>> schedule = ms.nn.InverseDecayLR(0.1, 0.5, 2)
        >>> print(schedule(ms.Tensor(2, ms.int32)))
        0.06666667
    """

    def construct(self, global_step: Any) -> Any:
        """The rate of the step."""
        return self.learning_rate / (self._periods(global_step) * self.decay_rate + 1.0)


@sections(Inputs=STEP["Inputs"], Outputs=STEP["Outputs"])
class CosineDecayLR(LearningRateSchedule):
    """From max_lr to min_lr as half a cosine wave: min_lr + (max_lr - min_lr) · (1 + cos(π · step / decay_steps)) / 2.

    Args:
        min_lr: a float that is not negative, the last rate.
        max_lr: a larger float, the first rate.
        decay_steps: a positive int, how many steps it takes.

    Raises:
        TypeError: if an argument has the wrong type, or global_step is no Tensor.
        ValueError: if min_lr is not below max_lr, or a number is out of range.

    Examples:
        >>> import mycel as ms
        >>> schedule = ms.nn.CosineDecayLR(0.0, 0.1, 4)
        >>> print(schedule(ms.Tensor(2, ms.int32)))
        0.049999997
    """

    _held = primitives(
        "Cos Sin Cast", min="Minimum", math_pi=lambda own: math.pi, delta=lambda own: 0.5 * (own.max_lr - own.min_lr)
    )

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int) -> None:
        super().__init__()
        need_type(min_lr, float, "For 'CosineDecayLR', the 'min_lr' should be a float")
        if min_lr < 0:
            raise ValueError(f"For 'CosineDecayLR', the 'min_lr' should not be negative, but got {min_lr}")
        check_positive_float(max_lr, "max_lr", "CosineDecayLR")
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


@sections(**STEP)
class PolynomialDecayLR(LearningRateSchedule):
    """From learning_rate to end_learning_rate: (learning_rate - end_learning_rate) · (1 - step / decay_steps)^power +
    end_learning_rate.

    Args:
        learning_rate: a positive float, the first rate.
        end_learning_rate: a float that is not negative, the last rate.
        decay_steps: a positive int, how many steps it takes.
        power: a positive float.
        update_decay_steps: whether decay_steps grows to the next multiple once it is reached. Default: False.

    Examples:
        >>> import mycel as ms
        >>> schedule = ms.nn.PolynomialDecayLR(0.1, 0.0, 4, 1.0)
        >>> print(schedule(ms.Tensor(2, ms.int32)))
        0.05
    """

    _held = primitives(
        "Pow Ceil",
        min="Minimum",
        max="Maximum",
        start_learning_rate=lambda own: own.learning_rate,
        diff_learning_rate=lambda own: own.learning_rate - own.end_learning_rate,
    )

    def __init__(
        self, learning_rate: float, end_learning_rate: float, decay_steps: int, power: float,
        update_decay_steps: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        owner = "PolynomialDecayLR"
        self.learning_rate = check_positive_float(learning_rate, "learning_rate", owner)
        if check_float(end_learning_rate, "end_learning_rate", owner) < 0:
            raise ValueError(
                f"For '{owner}', the 'end_learning_rate' should not be negative, but got {end_learning_rate}"
            )
        self.end_learning_rate = end_learning_rate
        self.decay_steps = check_positive_int(decay_steps, "decay_steps", owner)
        self.power = check_positive_float(power, "power", owner)
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


@sections(**STEP)
class WarmUpLR(LearningRateSchedule):
    """learning_rate · min(step, warmup_steps) / warmup_steps.

    Args:
        learning_rate: a float that is not negative, the last rate.
        warmup_steps: a positive int, how many steps it takes.

    Examples:
        >>> import mycel as ms
        >>> schedule = ms.nn.WarmUpLR(0.1, 4)
        >>> print(schedule(ms.Tensor(2, ms.int32)))
        0.05
    """

    _held = primitives("Cast", min="Minimum")

    def __init__(self, learning_rate: float, warmup_steps: int) -> None:
        super().__init__()
        need_type(learning_rate, float, "For 'WarmUpLR', the 'learning_rate' should be a float")
        if learning_rate < 0:
            raise ValueError(f"For 'WarmUpLR', the 'learning_rate' should not be negative, but got {learning_rate}")
        self.learning_rate = learning_rate
        self.warmup_steps = check_positive_int(warmup_steps, "warmup_steps", "WarmUpLR")

    def construct(self, global_step: Any) -> Any:
        """The rate of the step."""
        steps = float(self.warmup_steps)
        return ops.minimum(_step(global_step), steps) / steps * self.learning_rate
