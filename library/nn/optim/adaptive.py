"""Optimizers with a rate for each element: RMSProp, Adagrad, ProximalAdagrad, Adadelta and FTRL."""

from __future__ import annotations

from typing import Any

from ....frontend.values.inplace import assign_inplace as assign
from ... import ops
from ..checks import check_between, check_bool, check_float, check_number
from ..held import primitives
from ..sections import GRADIENTS, GRADS, GRADS_ONLY, sections
from .groups import opt_init_args_register
from .updates import Stepwise, StepwiseOfGrads, moving_average


def not_negative(value: Any, name: str, owner: str) -> float:
    """A float that is not negative. TypeError or ValueError for anything else."""
    return check_between(check_float(value, name, owner), name, owner, 0.0)


@sections(**GRADIENTS)
class RMSProp(Stepwise):
    """Root mean square propagation: s = d·s + (1 - d)·g², u = momentum·u + lr·g/sqrt(s + eps), w -= u.

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`. Default: 0.1.
        decay: a float that is not negative, d: how slowly s changes. Default: 0.9.
        momentum: a float that is not negative. Default: 0.0.
        epsilon: a positive float, against division by zero. Default: 1e-10.
        use_locking: accepted, without meaning. Default: False.
        centered: whether the square of the mean gradient is taken from s. Default: False.
        params, loss_scale, weight_decay: see `Optimizer`.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.RMSProp([w], learning_rate=0.1)((ms.Tensor([1.0]),))
        (True,)
        >>> print(w.asnumpy().round(3))
        [0.9]
    """

    _state: tuple[str, ...] = ("ms", "moment")
    _held = primitives(
        opt=lambda own: (ops.ApplyCenteredRMSProp if own.centered else ops.ApplyRMSProp)(own.use_locking)
    )

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any = 0.1, decay: float = 0.9, momentum: float = 0.0,
        epsilon: float = 1e-10, use_locking: bool = False, centered: bool = False, loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.decay = not_negative(decay, "decay", "RMSProp")
        self.momentum = not_negative(momentum, "momentum", "RMSProp")
        self.epsilon = check_between(
            check_float(epsilon, "epsilon", "RMSProp"), "epsilon", "RMSProp", 0.0, open_low=True
        )
        self.use_locking = check_bool(use_locking, "use_locking", "RMSProp")
        self.centered = check_bool(centered, "centered", "RMSProp")
        if centered:
            self.mg = self._moments("mean_grad")
            self._state = ("ms", "moment", "mg")
        self.ms = self._moments("mean_square", "ones")
        self.moment = self._moments("moment")

    def _update(self, parameter: Any, gradient: Any, rate: Any, *state: Any) -> None:
        square, moment, *mean = state
        new_square = moving_average(square, gradient * gradient, self.decay)
        spread = new_square
        if self.centered:
            new_mean = moving_average(mean[0], gradient, self.decay)
            assign(mean[0], new_mean)
            spread = new_square - new_mean * new_mean
        update = gradient * rate * ops.rsqrt(spread + self.epsilon)
        if self.momentum:
            update = moment * self.momentum + update
        assign(square, new_square)
        assign(moment, update)
        assign(parameter, parameter - update)


@sections(**GRADS)
class Adagrad(StepwiseOfGrads):
    """Adagrad: a += g², w -= lr·g/sqrt(a).

    Args:
        accum: a float that is not negative, what a starts with. Default: 0.1.
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`. Default: 0.001.
        update_slots: accepted; as in MindSpore on CPU a is always updated. Default: True.
        params, loss_scale, weight_decay: see `Optimizer`.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.Adagrad([w], accum=0.0, learning_rate=0.5)((ms.Tensor([2.0]),))
        (True,)
        >>> print(w.asnumpy())
        [0.5]
    """

    _state = ("accum",)
    _held = primitives(opt=lambda own: ops.ApplyAdagrad(update_slots=own.update_slots))

    @opt_init_args_register
    def __init__(
        self, params: Any, accum: float = 0.1, learning_rate: Any = 0.001, update_slots: bool = True,
        loss_scale: float = 1.0, weight_decay: Any = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        not_negative(accum, "accum", "Adagrad")
        self.update_slots = check_bool(update_slots, "update_slots", "Adagrad")
        self.accum = self._moments("accum", accum)

    def _update(self, parameter: Any, gradient: Any, rate: Any, *state: Any) -> None:
        (accum,) = state
        new_accum = accum + gradient * gradient
        assign(accum, new_accum)
        assign(parameter, parameter - gradient * rate * ops.rsqrt(new_accum))


@sections(**GRADS)
class ProximalAdagrad(StepwiseOfGrads):
    """Adagrad with L1 and L2 regularisation by a proximal step.

    With r = lr/sqrt(a): w = sign(w')·max(|w'| - r·l1, 0)/(1 + r·l2), where a += g² and w' = w - r·g.

    Args:
        accum: a float that is not negative, what the sum of squares starts with. Default: 0.1.
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`. Default: 0.001.
        l1: a float that is not negative, the strength of the L1 regularisation. Default: 0.0.
        l2: a float that is not negative, the strength of the L2 regularisation. Default: 0.0.
        use_locking: accepted, without meaning. Default: False.
        params, loss_scale, weight_decay: see `Optimizer`.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.ProximalAdagrad([w], accum=0.0, learning_rate=0.5, l1=0.5)((ms.Tensor([1.0]),))
        (True,)
        >>> print(w.asnumpy())
        [0.25]
    """

    _state = ("accum",)
    _held = primitives(
        opt=lambda own: ops.ApplyProximalAdagrad(own.use_locking),
        sparse_opt=lambda own: ops.SparseApplyProximalAdagrad(own.use_locking),
    )

    @opt_init_args_register
    def __init__(
        self, params: Any, accum: float = 0.1, learning_rate: Any = 0.001, l1: float = 0.0, l2: float = 0.0,
        use_locking: bool = False, loss_scale: float = 1.0, weight_decay: Any = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        not_negative(accum, "accum", "ProximalAdagrad")
        self.l1 = not_negative(l1, "l1", "ProximalAdagrad")
        self.l2 = not_negative(l2, "l2", "ProximalAdagrad")
        self.use_locking = check_bool(use_locking, "use_locking", "ProximalAdagrad")
        self.accum = self._moments("accum", accum)

    def _update(self, parameter: Any, gradient: Any, rate: Any, *state: Any) -> None:
        (accum,) = state
        new_accum = accum + gradient * gradient
        own_rate = ops.rsqrt(new_accum) * rate
        moved = parameter - gradient * own_rate
        if self.l1:
            moved = ops.sign(moved) * ops.maximum(ops.abs(moved) - own_rate * self.l1, 0.0)
        if self.l2:
            moved = moved / (own_rate * self.l2 + 1.0)
        assign(accum, new_accum)
        assign(parameter, moved)


@sections(**GRADS)
class Adadelta(StepwiseOfGrads):
    """Adadelta: a = ρ·a + (1 - ρ)·g², u = sqrt(b + eps)/sqrt(a + eps)·g, b = ρ·b + (1 - ρ)·u², w -= lr·u.

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`. Default: 1.0.
        rho: a float in [0, 1], how slowly the means change. Default: 0.9.
        epsilon: a float that is not negative. Default: 1e-6.
        params, loss_scale, weight_decay: see `Optimizer`.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.Adadelta([w], epsilon=0.01)((ms.Tensor([1.0]),))
        (True,)
        >>> print(w.asnumpy().round(3))
        [0.698]
    """

    _state = ("accum", "accum_update")
    _held = primitives(opt="ApplyAdadelta")

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any = 1.0, rho: float = 0.9, epsilon: float = 1e-6, loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.rho = check_between(check_float(rho, "rho", "Adadelta"), "rho", "Adadelta", 0.0, 1.0)
        self.epsilon = not_negative(epsilon, "epsilon", "Adadelta")
        self.accum = self._moments("accum")
        self.accum_update = self._moments("accum_update")

    def _update(self, parameter: Any, gradient: Any, rate: Any, *state: Any) -> None:
        accum, accum_update = state
        new_accum = moving_average(accum, gradient * gradient, self.rho)
        update = ops.sqrt((accum_update + self.epsilon) / (new_accum + self.epsilon)) * gradient
        assign(accum, new_accum)
        assign(accum_update, moving_average(accum_update, update * update, self.rho))
        assign(parameter, parameter - update * rate)


@sections(**GRADS_ONLY)
class FTRL(StepwiseOfGrads):
    """Follow the regularised leader: z += g - (sqrt(n + g²) - sqrt(n))/lr·w, n += g², w = (l1 - z)/(sqrt(n)/lr + 2·l2).

    w is zero where |z| is at most l1. As in MindSpore on CPU l1 is not given the sign of z.

    Args:
        initial_accum: a float that is not negative, what n starts with. Default: 0.1.
        learning_rate: a number; it has to be fixed. Default: 0.001.
        lr_power: a number, at most 0: n^(-lr_power) takes the place of sqrt(n). Default: -0.5.
        l1: a float that is not negative, the strength of the L1 regularisation. Default: 0.0.
        l2: a float that is not negative, the strength of the L2 regularisation. Default: 0.0.
        use_locking: accepted, without meaning. Default: False.
        params, loss_scale, weight_decay: see `Optimizer`.

    Raises:
        TypeError: for arguments of wrong types.
        ValueError: for numbers out of their ranges, a learning rate that changes, or gradients of other shapes.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.FTRL([w], learning_rate=0.5)((ms.Tensor([1.0]),))
        (True,)
        >>> print(w.asnumpy().round(3))
        [0.222]
    """

    _state = ("moments", "linear")
    _held = primitives(
        opt=lambda own: ops.ApplyFtrl(own.use_locking),
        sparse_opt=lambda own: ops.SparseApplyFtrl(
            float(own.learning_rate.asnumpy()), own.l1, own.l2, own.lr_power, own.use_locking
        ),
    )

    @opt_init_args_register
    def __init__(
        self, params: Any, initial_accum: float = 0.1, learning_rate: Any = 0.001, lr_power: float = -0.5,
        l1: float = 0.0, l2: float = 0.0, use_locking: bool = False, loss_scale: float = 1.0, weight_decay: Any = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            raise ValueError(
                "For 'FTRL', the 'learning_rate' should be one number: it takes no rates that change or differ"
            )
        not_negative(initial_accum, "initial_accum", "FTRL")
        self.l1 = not_negative(l1, "l1", "FTRL")
        self.l2 = not_negative(l2, "l2", "FTRL")
        if check_number(lr_power, "lr_power", "FTRL") > 0:
            raise ValueError(f"For 'FTRL', the 'lr_power' should be at most 0, but got {lr_power}")
        self.lr_power = float(lr_power)
        self.use_locking = check_bool(use_locking, "use_locking", "FTRL")
        self.moments = self._moments("moments", initial_accum)
        self.linear = self._moments("linear")

    def _update(self, parameter: Any, gradient: Any, rate: Any, *state: Any) -> None:
        accum, linear = state
        new_accum = accum + gradient * gradient
        power = self._power(new_accum) / rate
        new_linear = linear + gradient - (power - self._power(accum) / rate) * parameter
        moved = (self.l1 - new_linear) / (power + 2.0 * self.l2)
        if self.l1:
            moved = ops.where(ops.abs(new_linear) > self.l1, moved, ops.zeros_like(moved))
        assign(accum, new_accum)
        assign(linear, new_linear)
        assign(parameter, moved)

    def _power(self, accum: Any) -> Any:
        return ops.sqrt(accum) if self.lr_power == -0.5 else ops.pow(accum, -self.lr_power)
