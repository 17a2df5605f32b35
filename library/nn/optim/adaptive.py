"""Optimizers with a rate for each element: RMSProp, Adagrad, ProximalAdagrad, Adadelta, FTRL and AdaFactor."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....frontend.values.inplace import assign_inplace as assign
from ....frontend.values.parameter import Parameter, ParameterTuple
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ... import functions as ops
from ..checks import check_between, check_bool, check_float, check_number
from .optimizer import Optimizer, moving_average


def _not_negative(value: Any, name: str, owner: str) -> float:
    return check_between(check_float(value, name, owner), name, owner, 0.0)


class RMSProp(Optimizer):
    """Root mean square propagation: s = d·s + (1 - d)·g², u = momentum·u + lr·g/sqrt(s + eps), w -= u.

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: see `Optimizer`.
        decay: of the mean of squares.
        momentum: not negative.
        epsilon: positive.
        use_locking: accepted, without meaning.
        centered: whether the square of the mean gradient is taken from s.
        loss_scale: what the gradients are divided by.
        weight_decay: a number, or a Cell of the step.

    Raises:
        TypeError: for arguments of wrong types.
        ValueError: for numbers out of their ranges.
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.decay = _not_negative(decay, "decay", "RMSProp")
        self.momentum = _not_negative(momentum, "momentum", "RMSProp")
        self.epsilon = check_between(
            check_float(epsilon, "epsilon", "RMSProp"), "epsilon", "RMSProp", 0.0, open_low=True
        )
        check_bool(use_locking, "use_locking", "RMSProp")
        self.centered = check_bool(centered, "centered", "RMSProp")
        if centered:
            self.mg = self._moments("mean_grad")
        self.ms = self._moments("mean_square", "ones")
        self.moment = self._moments("moment")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._prepared(gradients)
        for position, (parameter, gradient, rate) in enumerate(
            zip(self.parameters, gradients, self._rates(), strict=True)
        ):
            square, moment = self.ms[position], self.moment[position]
            new_square = moving_average(square, gradient * gradient, self.decay)
            spread = new_square
            if self.centered:
                mean = self.mg[position]
                new_mean = moving_average(mean, gradient, self.decay)
                assign(mean, new_mean)
                spread = new_square - new_mean * new_mean
            update = gradient * rate * ops.rsqrt(spread + self.epsilon)
            if self.momentum:
                update = moment * self.momentum + update
            assign(square, new_square)
            assign(moment, update)
            assign(parameter, parameter - update)
        self._count_step()
        return (True,) * self.param_length


class Adagrad(Optimizer):
    """Adagrad: a += g², w -= lr·g/sqrt(a).

    Args:
        params: Parameters or groups; see `Optimizer`.
        accum: what a starts with, not negative.
        learning_rate: see `Optimizer`.
        update_slots: accepted; as in MindSpore on CPU a is always updated.
        loss_scale: what the gradients are divided by.
        weight_decay: a number, or a Cell of the step.
    """

    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        update_slots: bool = True,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _not_negative(accum, "accum", "Adagrad")
        check_bool(update_slots, "update_slots", "Adagrad")
        self.accum = self._moments("accum", accum)

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._prepared(gradients)
        for parameter, gradient, rate, accum in zip(self.parameters, gradients, self._rates(), self.accum, strict=True):
            new_accum = accum + gradient * gradient
            assign(accum, new_accum)
            assign(parameter, parameter - gradient * rate * ops.rsqrt(new_accum))
        self._count_step()
        return (True,) * self.param_length


class ProximalAdagrad(Optimizer):
    """Adagrad with L1 and L2 regularisation by a proximal step.

    Args:
        params: Parameters or groups; see `Optimizer`.
        accum: what the sum of squares starts with, not negative.
        learning_rate: see `Optimizer`.
        l1, l2: strengths of the regularisation, not negative.
        use_locking: accepted, without meaning.
        loss_scale: what the gradients are divided by.
        weight_decay: a number, or a Cell of the step.
    """

    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _not_negative(accum, "accum", "ProximalAdagrad")
        self.l1 = _not_negative(l1, "l1", "ProximalAdagrad")
        self.l2 = _not_negative(l2, "l2", "ProximalAdagrad")
        check_bool(use_locking, "use_locking", "ProximalAdagrad")
        self.accum = self._moments("accum", accum)

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._prepared(gradients)
        for parameter, gradient, rate, accum in zip(self.parameters, gradients, self._rates(), self.accum, strict=True):
            new_accum = accum + gradient * gradient
            own_rate = ops.rsqrt(new_accum) * rate
            moved = parameter - gradient * own_rate
            if self.l1:
                moved = ops.sign(moved) * ops.maximum(ops.abs(moved) - own_rate * self.l1, 0.0)
            if self.l2:
                moved = moved / (own_rate * self.l2 + 1.0)
            assign(accum, new_accum)
            assign(parameter, moved)
        self._count_step()
        return (True,) * self.param_length


class Adadelta(Optimizer):
    """Adadelta: a = ρ·a + (1 - ρ)·g², u = sqrt(b + eps)/sqrt(a + eps)·g, b = ρ·b + (1 - ρ)·u², w -= lr·u.

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: see `Optimizer`.
        rho: in [0, 1].
        epsilon: not negative.
        loss_scale: what the gradients are divided by.
        weight_decay: a number, or a Cell of the step.
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1.0,
        rho: float = 0.9,
        epsilon: float = 1e-6,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.rho = check_between(check_float(rho, "rho", "Adadelta"), "rho", "Adadelta", 0.0, 1.0)
        self.epsilon = _not_negative(epsilon, "epsilon", "Adadelta")
        self.accum = self._moments("accum")
        self.accum_update = self._moments("accum_update")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._prepared(gradients)
        for parameter, gradient, rate, accum, accum_update in zip(
            self.parameters, gradients, self._rates(), self.accum, self.accum_update, strict=True
        ):
            new_accum = moving_average(accum, gradient * gradient, self.rho)
            update = ops.sqrt((accum_update + self.epsilon) / (new_accum + self.epsilon)) * gradient
            assign(accum, new_accum)
            assign(accum_update, moving_average(accum_update, update * update, self.rho))
            assign(parameter, parameter - update * rate)
        self._count_step()
        return (True,) * self.param_length


class FTRL(Optimizer):
    """Follow the regularised leader: z += g - (sqrt(n + g²) - sqrt(n))/lr·w, n += g², w = (l1 - z)/(sqrt(n)/lr + 2·l2).

    w is zero where |z| is at most l1. As in MindSpore on CPU l1 is not given the sign of z.

    Args:
        params: Parameters or groups; see `Optimizer`.
        initial_accum: what the sum of squares starts with, not negative.
        learning_rate: see `Optimizer`; it has to be fixed.
        lr_power: at most 0.
        l1, l2: strengths of the regularisation, not negative.
        use_locking: accepted, without meaning.
        loss_scale: what the gradients are divided by.
        weight_decay: a number, or a Cell of the step.

    Raises:
        ValueError: for numbers out of their ranges, or a learning rate that changes.
    """

    def __init__(
        self,
        params: Any,
        initial_accum: float = 0.1,
        learning_rate: Any = 0.001,
        lr_power: float = -0.5,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            raise ValueError(
                "For 'FTRL', the 'learning_rate' should be one number: it takes no rates that change or differ"
            )
        _not_negative(initial_accum, "initial_accum", "FTRL")
        self.l1 = _not_negative(l1, "l1", "FTRL")
        self.l2 = _not_negative(l2, "l2", "FTRL")
        if check_number(lr_power, "lr_power", "FTRL") > 0:
            raise ValueError(f"For 'FTRL', the 'lr_power' should be at most 0, but got {lr_power}")
        self.lr_power = float(lr_power)
        self.use_locking = check_bool(use_locking, "use_locking", "FTRL")
        self.moments = self._moments("moments", initial_accum)
        self.linear = self._moments("linear")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._prepared(gradients)
        for parameter, gradient, rate, accum, linear in zip(
            self.parameters, gradients, self._rates(), self.moments, self.linear, strict=True
        ):
            new_accum = accum + gradient * gradient
            power = self._power(new_accum) / rate
            new_linear = linear + gradient - (power - self._power(accum) / rate) * parameter
            moved = (self.l1 - new_linear) / (power + 2.0 * self.l2)
            if self.l1:
                moved = ops.where(ops.abs(new_linear) > self.l1, moved, ops.zeros_like(moved))
            assign(accum, new_accum)
            assign(linear, new_linear)
            assign(parameter, moved)
        self._count_step()
        return (True,) * self.param_length

    def _power(self, accum: Any) -> Any:
        return ops.sqrt(accum) if self.lr_power == -0.5 else ops.pow(accum, -self.lr_power)


class AdaFactor(Optimizer):
    """Adafactor: second moments of matrices kept as a row and a column, and steps relative to the Parameter's size.

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: None with `relative_step`.
        eps: added to squares; the least size of a Parameter.
        clip_threshold: the largest root mean square of an update.
        decay_rate: the power of the step in the decay of second moments.
        beta1: of the first moment; 0 for none.
        weight_decay: a number, or a Cell of the step.
        scale_parameter: whether the rate is scaled by the size of the Parameter.
        relative_step: whether the rate follows from the step.
        warmup_init: whether that rate starts small; needs `relative_step`.
        compression: whether the first moment is kept in float16.
        loss_scale: what the gradients are divided by.

    Raises:
        ValueError: for a learning rate besides `relative_step`, or `warmup_init` without it.
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = None,
        eps: tuple[float, float] = (1e-30, 1e-3),
        clip_threshold: float = 1.0,
        decay_rate: float = 0.8,
        beta1: float = 0.9,
        weight_decay: Any = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: bool = False,
        compression: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        if learning_rate is not None and relative_step:
            raise ValueError("AdaFactor takes either a 'learning_rate' or 'relative_step', not both")
        if warmup_init and not relative_step:
            raise ValueError("AdaFactor's 'warmup_init' needs 'relative_step'")
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        if not isinstance(eps, (list, tuple)) or len(eps) != 2:
            raise TypeError(f"For 'AdaFactor', the 'eps' should be two floats, but got {eps!r}")
        self.scale_lr = learning_rate is None
        self.eps = (float(eps[0]), float(eps[1]))
        self.clip_threshold = _not_negative(clip_threshold, "clip_threshold", "AdaFactor")
        self.decay_rate = check_between(
            check_float(decay_rate, "decay_rate", "AdaFactor"), "decay_rate", "AdaFactor", 0.0, 1.0
        )
        self.beta1 = _not_negative(beta1, "beta1", "AdaFactor")
        self.scale_parameter = check_bool(scale_parameter, "scale_parameter", "AdaFactor")
        self.relative_step = check_bool(relative_step, "relative_step", "AdaFactor")
        self.warmup_init = check_bool(warmup_init, "warmup_init", "AdaFactor")
        self.compression = check_bool(compression, "compression", "AdaFactor")
        self.use_first_moment = self.beta1 > 0
        moment_dtype = dtypes.float16 if compression else None
        self.exp_avg = self._own("exp_avg.", lambda own: own.shape if self.use_first_moment else (1,), moment_dtype)
        self.exp_avg_sq_row = self._own("exp_avg_sq_row_", lambda own: own.shape[:-1] if own.ndim > 1 else (1,))
        self.exp_avg_sq_col = self._own(
            "exp_avg_sq_col_", lambda own: (*own.shape[:-2], own.shape[-1]) if own.ndim > 1 else (1,)
        )
        self.exp_avg_sq = self._own("exp_avg_sq_", lambda own: own.shape if own.ndim < 2 else (1,))
        self.step = Parameter(Tensor(np.zeros(1, np.float32)), name="afactor_step")

    def _own(self, prefix: str, shape_of: Any, dtype: Any = None) -> ParameterTuple:
        return ParameterTuple(
            Parameter(Tensor(np.zeros(shape_of(own), (dtype or own.dtype).np)), name=prefix + own.name)
            for own in self.parameters
        )

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self.gradients_centralization(self.scale_grad(self._checked(gradients)))
        assign(self.step, self.step + 1.0)
        step = ops.reshape(self.step, ())
        beta2 = 1.0 - ops.pow(step, -self.decay_rate)
        decays = self.get_weight_decay()
        decays = decays if self.is_group else (decays,) * self.param_length
        for position, (parameter, gradient, rate) in enumerate(
            zip(self.parameters, gradients, self._rates(), strict=True)
        ):
            if self.relative_step:
                largest = step * 1e-6 if self.warmup_init else 1e-2
                rate = ops.minimum(ops.rsqrt(step), largest)
            if self.scale_parameter:
                rate = rate * ops.maximum(_root_mean_square(parameter), self.eps[1])
            update = gradient * self._inverse_root(position, gradient, beta2)
            update = update / ops.maximum(_root_mean_square(update) / self.clip_threshold, 1.0) * rate
            if self.use_first_moment:
                average = self.exp_avg[position]
                update = moving_average(ops.cast(average, update.dtype), update, self.beta1)
                assign(average, ops.cast(update, average.dtype))
            decay = decays[position]
            if self.exec_weight_decay and self.decay_flags[position]:
                update = update + parameter * (decay * rate)
            assign(parameter, parameter - update)
        self._count_step()
        return (True,) * self.param_length

    def _inverse_root(self, position: int, gradient: Any, beta2: Any) -> Any:
        """1 / sqrt of the second moment, which is updated."""
        square = gradient * gradient + self.eps[0]
        if gradient.ndim < 2:
            average = self.exp_avg_sq[position]
            new = average * beta2 + square * (1.0 - beta2)
            assign(average, new)
            return ops.rsqrt(new)
        row, column = self.exp_avg_sq_row[position], self.exp_avg_sq_col[position]
        new_row = row * beta2 + ops.mean(square, -1) * (1.0 - beta2)
        new_column = column * beta2 + ops.mean(square, -2) * (1.0 - beta2)
        assign(row, new_row)
        assign(column, new_column)
        factor = ops.rsqrt(new_row / ops.mean(new_row, -1, True))
        return ops.expand_dims(factor, -1) * ops.expand_dims(ops.rsqrt(new_column), -2)


def _root_mean_square(x: Any) -> Any:
    return ops.sqrt(ops.mean(ops.square(x)))
