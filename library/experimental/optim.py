"""`mycel.experimental.optim`: optimizers whose settings live in `param_groups`, for the schedules of `lr_scheduler`."""

from __future__ import annotations

from typing import Any

from ...frontend.values.inplace import assign_inplace
from .. import functions as ops
from . import schedules as lr_scheduler
from .mint_optim import SGD, Adam, AdamW, Optimizer, _first_step, _mixed, _shared, _Stepped

__all__ = [
    "ASGD", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "Optimizer", "RAdam", "RMSprop", "Rprop",
    "lr_scheduler",
]  # fmt: skip


@_first_step("lr=1.0", "[[1.]]")
@_shared
class Adadelta(_Stepped):
    """Adadelta.

    Args:
        rho: the decay of the running means of squares.
        eps: what is added to them.
    """

    states = ("accum", "accum_update")

    def __init__(
        self, params: Any, lr: Any = 1.0, rho: float = 0.9, eps: float = 1e-6, weight_decay: float = 0.0, *,
        maximize: bool = False,
    ) -> None:  # fmt: skip
        if not 0 <= rho <= 1:
            raise ValueError(f"Adadelta: 'rho' should be in [0, 1], but got {rho}")
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize})

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        square = _mixed(states[0], ops.square(gradient), group["rho"])
        change = ops.sqrt(states[1] + group["eps"]) * ops.rsqrt(square + group["eps"]) * gradient
        _mixed(states[1], ops.square(change), group["rho"])
        return parameter - change * group["lr"]


@_first_step("lr=0.5", "[[0.5]]")
@_shared
class Adagrad(_Stepped):
    """Adagrad.

    Args:
        lr_decay: by how much times the number of the step the rate is divided, plus 1.
        initial_accumulator_value: what the sums of squares start from.
        eps: what is added to their roots.
    """

    states = ("accum",)

    def __init__(
        self, params: Any, lr: Any = 1e-2, lr_decay: float = 0.0, weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0, eps: float = 1e-10, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        if lr_decay < 0 or initial_accumulator_value < 0:
            raise ValueError("Adagrad: 'lr_decay' and 'initial_accumulator_value' should not be negative")
        settings = {"lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, {"lr": lr, **settings}, initial_accumulator_value)

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        total = states[0] + ops.square(gradient)
        assign_inplace(states[0], total)
        rate = group["lr"] / (1.0 + (step - 1.0) * group["lr_decay"])
        return parameter - rate * gradient / (ops.sqrt(total) + group["eps"])


@_first_step("lr=0.5", "[[0.5]]")
@_shared
class Adamax(_Stepped):
    """Adam with the largest gradient, decaying, in place of the mean of squares.

    Args:
        betas: the decays of the running mean of gradients and of the largest one.
        eps: what is added to the latter.
    """

    states = ("exp_avg", "exp_inf")

    def __init__(
        self, params: Any, lr: Any = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0.0, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        settings = {"betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, {"lr": lr, **settings})

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        one, two = group["betas"]
        mean = _mixed(states[0], gradient, one)
        largest = ops.maximum(states[1] * two, ops.abs(gradient) + group["eps"])
        assign_inplace(states[1], largest)
        return parameter - group["lr"] / (1.0 - ops.pow(one, step)) * mean / largest


@_first_step("lr=0.5", "[[0.5]]")
@_shared
class ASGD(_Stepped):
    """Averaged gradient descent.

    Args:
        lambd: by how much, times the rate, the Parameters shrink.
        alpha: the power with which the rate falls.
        t0: the step at which averaging starts.
    """

    states = ("eta", "ax")

    def __init__(
        self, params: Any, lr: Any = 1e-2, lambd: float = 1e-4, alpha: float = 0.75, t0: float = 1e6,
        weight_decay: float = 0.0, maximize: bool = False,
    ) -> None:  # fmt: skip
        settings = {"lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, {"lr": lr, **settings})

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        eta, average = states
        current = ops.where(ops.equal(step, 1.0), group["lr"], eta)
        new = parameter * (1.0 - group["lambd"] * current) - current * gradient
        share = 1.0 / ops.maximum(1.0, step - 1.0 - group["t0"])
        assign_inplace(average, average + (new - average) * share)
        rate = group["lr"] / ops.pow(1.0 + group["lambd"] * group["lr"] * step, group["alpha"])
        assign_inplace(eta, ops.zeros_like(eta) + rate)
        return new


@_first_step("lr=0.5", "[[0.47]]")
@_shared
class NAdam(_Stepped):
    """Adam with Nesterov's momentum.

    Args:
        momentum_decay: how fast the momentum nears its bound.
    """

    states = ("exp_avg", "exp_avg_sq", "mu_product")

    def __init__(
        self, params: Any, lr: Any = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0.0, momentum_decay: float = 4e-3,
    ) -> None:  # fmt: skip
        settings = {"betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay}
        super().__init__(params, {"lr": lr, **settings})

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        (one, two), decay = group["betas"], group["momentum_decay"]
        now = one * (1.0 - 0.5 * ops.pow(0.96, step * decay))
        later = one * (1.0 - 0.5 * ops.pow(0.96, (step + 1.0) * decay))
        product = ops.where(ops.equal(step, 1.0), 1.0, states[2]) * now
        assign_inplace(states[2], product)
        mean = _mixed(states[0], gradient, one)
        square = _mixed(states[1], ops.square(gradient), two)
        root = ops.sqrt(square / (1.0 - ops.pow(two, step))) + group["eps"]
        fresh = (1.0 - now) / (1.0 - product) * gradient
        return parameter - group["lr"] * (fresh + later / (1.0 - product * later) * mean) / root


@_first_step("lr=0.5", "[[0.5]]")
@_shared
class RAdam(_Stepped):
    """Adam that is rectified: without the mean of squares as long as that says little."""

    states = ("exp_avg", "exp_avg_sq")

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        one, two = group["betas"]
        mean = _mixed(states[0], gradient, one) / (1.0 - ops.pow(one, step))
        square = _mixed(states[1], ops.square(gradient), two)
        faded = ops.pow(two, step)
        most = 2.0 / (1.0 - two) - 1.0
        length = most - 2.0 * step * faded / (1.0 - faded)
        safe = ops.maximum(length, 5.0)
        rectified = ops.sqrt((safe - 4.0) * (safe - 2.0) * most / ((most - 4.0) * (most - 2.0) * safe))
        adapted = rectified * ops.sqrt(1.0 - faded) / (ops.sqrt(square) + group["eps"])
        return parameter - mean * group["lr"] * ops.where(ops.greater(length, 5.0), adapted, 1.0)


@_first_step("lr=0.5", "[[-4.]]")
@_shared
class RMSprop(_Stepped):
    """RMSprop.

    Args:
        alpha: the decay of the running mean of squares.
        eps: what is added to its root.
        momentum: the decay of the running sum of steps; 0: there is none.
        centered: whether the square of the gradients' mean is subtracted.
    """

    states = ("mean_square", "mean_grad", "mom")

    def __init__(
        self, params: Any, lr: Any = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0.0,
        momentum: float = 0.0, centered: bool = False, maximize: bool = False,
    ) -> None:  # fmt: skip
        if momentum < 0 or alpha < 0:
            raise ValueError(f"RMSprop: 'momentum' and 'alpha' should not be negative, but are {momentum} and {alpha}")
        settings = {"alpha": alpha, "eps": eps, "weight_decay": weight_decay, "momentum": momentum}
        super().__init__(params, {"lr": lr, **settings, "centered": centered, "maximize": maximize})

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        square = _mixed(states[0], ops.square(gradient), group["alpha"])
        if group["centered"]:
            square = square - ops.square(_mixed(states[1], gradient, group["alpha"]))
        change = gradient / (ops.sqrt(square) + group["eps"])
        if group["momentum"] > 0:
            change = states[2] * group["momentum"] + change
            assign_inplace(states[2], change)
        return parameter - change * group["lr"]


@_first_step("lr=0.5", "[[0.5]]")
@_shared
class Rprop(_Stepped):
    """Resilient backpropagation: steps that grow while the gradient keeps its sign and shrink when it changes.

    Args:
        lr: the first step.
        etas: factors of the step after a change of sign, and without one.
        step_sizes: the smallest and the largest step.
    """

    states = ("prev", "step_size")

    def __init__(
        self, params: Any, lr: Any = 1e-2, etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50), *, maximize: bool = False,
    ) -> None:  # fmt: skip
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"Rprop: 'etas' should be (less than 1, more than 1), but got {etas}")
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize})

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        (less, more), (low, high) = group["etas"], group["step_sizes"]
        agreement = gradient * states[0]
        turned = ops.less(agreement, 0)
        factor = ops.where(ops.greater(agreement, 0), more, ops.where(turned, less, 1.0))
        size = ops.where(ops.equal(step, 1.0), group["lr"], states[1])
        size = ops.clip_by_value(size * factor, low, high)
        gradient = ops.where(turned, 0.0, gradient)
        assign_inplace(states[0], gradient)
        assign_inplace(states[1], size)
        return parameter - ops.sign(gradient) * size
