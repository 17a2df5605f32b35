"""Adam and its relatives: AdamWeightDecay, AdaMax, Lamb, LazyAdam, AdamOffload."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from ....frontend.errors.spelling import keyword_hint
from ....frontend.values.inplace import assign_inplace as assign
from ....frontend.values.parameter import Parameter
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ... import ops
from ..checks import check_between, check_bool, check_float
from ..held import primitives
from ..sections import GRADIENTS, sections
from .groups import opt_init_args_register
from .updates import Stepwise, as_step, decayed, moving_average, norm


class _Moments(Stepwise):
    """The base of Adam and related optimizers: the betas, and moments of first and second order."""

    def _set_betas(self, beta1: Any, beta2: Any, eps: Any) -> None:
        """TypeError unless they are floats; ValueError unless the betas are inside (0, 1) and eps is positive."""
        owner = type(self).__name__
        for name, value in (("beta1", beta1), ("beta2", beta2)):
            check_between(check_float(value, name, owner), name, owner, 0.0, 1.0, open_low=True, open_high=True)
        check_between(check_float(eps, "eps", owner), "eps", owner, 0.0, open_low=True)
        self.beta1 = beta1
        self.beta2 = beta2
        self.eps = eps

    def _moved(self, m: Any, v: Any, gradient: Any) -> tuple[Any, Any]:
        """The new moments of first and second order, which are kept."""
        new_m = moving_average(m, gradient, self.beta1)
        new_v = moving_average(v, gradient * gradient, self.beta2)
        assign(m, new_m)
        assign(v, new_v)
        return new_m, new_v

    def _decays(self) -> tuple[Any, ...]:
        """The weight decay of this step for each Parameter; 0 for Parameters without."""
        decays = self.get_weight_decay()
        decays = decays if self.is_group else (decays,) * self.param_length
        return tuple(
            decay if flag and self.exec_weight_decay else 0.0
            for decay, flag in zip(decays, self.decay_flags, strict=True)
        )


@sections(**GRADIENTS)
class Adam(_Moments):
    """Adam: m = β1·m + (1 - β1)·g, v = β2·v + (1 - β2)·g², w -= lr·sqrt(1 - β2ᵗ)/(1 - β1ᵗ) · m/(sqrt(v) + eps).

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`. Default: 1e-3.
        beta1: a float inside (0, 1), how slowly m changes. Default: 0.9.
        beta2: a float inside (0, 1), how slowly v changes. Default: 0.999.
        eps: a positive float, against division by zero. Default: 1e-8.
        use_locking: accepted, without meaning. Default: False.
        use_nesterov: whether m is replaced by β1·m + (1 - β1)·g in the update. Default: False.
        use_amsgrad: whether the largest v so far takes the place of v. Default: False.
        kwargs: `use_lazy` and `use_offload`: accepted, without meaning for dense gradients.
        params, weight_decay, loss_scale: see `Optimizer`.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0, -2.0]), name="w")
        >>> optimizer = ms.nn.Adam([w], learning_rate=0.1)
        >>> optimizer((ms.Tensor([1.0, -0.25]),))
        (True,)
        >>> print(w.asnumpy().round(3))
        [ 0.9 -1.9]
    """

    _power_shape: tuple[int, ...] = ()
    _held = primitives(
        opt=lambda own: (
            ops.ApplyAdamWithAmsgradV2(own.use_locking)
            if own.use_amsgrad
            else ops.Adam(own.use_locking, own.use_nesterov)
        ),
        sparse_opt=lambda own: ops.FusedSparseAdam(own.use_locking, own.use_nesterov),
        _is_device=lambda own: True,
    )

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-8,
        use_locking: bool = False, use_nesterov: bool = False, weight_decay: Any = 0.0, loss_scale: float = 1.0,
        use_amsgrad: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        unknown = sorted(set(kwargs) - {"use_lazy", "use_offload"})
        if unknown:
            hint = keyword_hint(unknown[0], inspect.signature(Adam.__init__).parameters)
            raise ValueError(f"Adam takes the options use_lazy and use_offload, but got {', '.join(unknown)}{hint}")
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._set_betas(beta1, beta2, eps)
        owner = type(self).__name__
        self.use_locking = check_bool(use_locking, "use_locking", owner)
        self.use_nesterov = check_bool(use_nesterov, "use_nesterov", owner)
        self.use_amsgrad = check_bool(use_amsgrad, "use_amsgrad", owner)
        self.use_lazy = check_bool(kwargs.get("use_lazy", False), "use_lazy", owner)
        self.use_offload = check_bool(kwargs.get("use_offload", False), "use_offload", owner)
        self.beta1_power = Parameter(Tensor(np.ones(self._power_shape, np.float32)), name="beta1_power")
        self.beta2_power = Parameter(Tensor(np.ones(self._power_shape, np.float32)), name="beta2_power")
        self.moment1 = self._moments("moment1")
        self.moment2 = self._moments("moment2")
        if use_amsgrad:
            self.vhat = self._moments("vhat")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._grad_sparse_indices_deduplicate(self._prepared(gradients))
        rate = self.get_lr()
        self._count_step()
        power1 = self.beta1_power * self.beta1
        power2 = self.beta2_power * self.beta2
        assign(self.beta1_power, power1)
        assign(self.beta2_power, power2)
        return self._apply_adam(self.parameters, power1, power2, self.moment1, self.moment2, rate, gradients)

    def _apply_adam(
        self, params: Any, beta1_power: Any, beta2_power: Any, moment1: Any, moment2: Any, lr: Any, gradients: Any
    ) -> Any:
        """Update Parameters and moments, given the powers of the betas and the rate; a tuple of True."""
        correction = ops.reshape(ops.sqrt(1.0 - beta2_power) / (1.0 - beta1_power), ())
        rates = lr if self.is_group_lr else (lr,) * len(params)
        corrected = {id(rate): rate * correction for rate in rates}
        for position, parameter, gradient, rate, m, v in self._mine(
            range(len(params)), params, gradients, rates, moment1, moment2
        ):
            new_m, new_v = self._moved(m, v, gradient)
            if self.use_amsgrad:
                new_v = ops.maximum(self.vhat[position], new_v)
                assign(self.vhat[position], new_v)
            if self.use_nesterov:
                new_m = moving_average(new_m, gradient, self.beta1)
            assign(parameter, parameter - new_m / (ops.sqrt(new_v) + self.eps) * corrected[id(rate)])
        return self.broadcast_params((True,) * len(params))


_AS_ADAM = {
    "Args": """
        params, weight_decay, loss_scale: see `Optimizer`.
        learning_rate, beta1, beta2, eps, use_locking, use_nesterov: as for `Adam`.
    """
}


@sections(**GRADIENTS, **_AS_ADAM)
class LazyAdam(Adam):
    """`Adam`; MindSpore's updates only the rows that sparse gradients have, and all gradients are dense here.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.LazyAdam([w], learning_rate=0.1)((ms.Tensor([1.0]),))
        (True,)
        >>> print(w.asnumpy().round(3))
        [0.9]
    """

    _power_shape = (1,)
    _held = primitives(sparse_opt=lambda own: ops.FusedSparseLazyAdam(own.use_locking, own.use_nesterov))

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-8,
        use_locking: bool = False, use_nesterov: bool = False, weight_decay: Any = 0.0, loss_scale: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)


@sections(**GRADIENTS, **_AS_ADAM)
class AdamOffload(LazyAdam):
    """`Adam`; MindSpore's runs on the host, as everything does here.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.AdamOffload([w], learning_rate=0.1)((ms.Tensor([-1.0]),))
        (True,)
        >>> print(w.asnumpy().round(3))
        [1.1]
    """

    _held = primitives(
        opt=lambda own: ops.AdamNoUpdateParam(own.use_locking, own.use_nesterov), params=lambda own: own.parameters
    )


@sections(**GRADIENTS)
class AdamWeightDecay(_Moments):
    """Adam without bias correction, with the weight decay beside the gradient: w -= lr·(m/(sqrt(v) + eps) + wd·w).

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`. Default: 1e-3.
        params, weight_decay: see `Optimizer`.
        beta1, beta2, eps: as for `Adam`; eps is 1e-6 by default.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> optimizer = ms.nn.AdamWeightDecay([w], learning_rate=0.1, weight_decay=0.1)
        >>> [p.name for p in optimizer.moments1]
        ['adam_m.w']
    """

    _held = primitives(fused_opt="AdamWeightDecay", use_fused_opt=lambda own: True)

    def __init__(
        self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay)
        self._set_betas(beta1, beta2, eps)
        self.moments1 = self._moments("adam_m")
        self.moments2 = self._moments("adam_v")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._checked(gradients)
        for parameter, gradient, rate, m, v, decay in self._mine(
            self.parameters, gradients, self._rates(), self.moments1, self.moments2, self._decays()
        ):
            new_m, new_v = self._moved(m, v, gradient)
            update = decayed(new_m / (ops.sqrt(new_v) + self.eps), parameter, decay)
            assign(parameter, parameter - update * rate)
        self._count_step()
        return self.broadcast_params((True,) * self.param_length)


@sections(**GRADIENTS)
class AdaMax(_Moments):
    """Adam with the largest gradient in place of the second moment: v = max(β2·v, |g|), w -= lr/(1 - β1ᵗ)·m/(v + eps).

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`. Default: 1e-3.
        params, weight_decay, loss_scale: see `Optimizer`.
        beta1, beta2, eps: as for `Adam`.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.AdaMax([w], learning_rate=0.5)((ms.Tensor([2.0]),))
        (True,)
        >>> print(w.asnumpy())
        [0.5]
    """

    _state = ("moment1", "moment2")
    _held = primitives(opt="ApplyAdaMax")

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-8,
        weight_decay: Any = 0.0, loss_scale: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._set_betas(beta1, beta2, eps)
        self.beta1_power = Parameter(Tensor([1.0]), name="beta1_power")
        self.moment1 = self._moments("moment1")
        self.moment2 = self._moments("moment2")

    def _rates(self) -> tuple[Any, ...]:
        """The learning rates with bias correction. The power of beta1 advances by one step."""
        power = self.beta1_power * self.beta1
        assign(self.beta1_power, power)
        correction = ops.reshape(1.0 - power, ())
        rates = super()._rates()
        corrected = {id(rate): rate / correction for rate in rates}
        return tuple(corrected[id(rate)] for rate in rates)

    def _update(self, parameter: Any, gradient: Any, rate: Any, *state: Any) -> None:
        m, v = state
        new_m = moving_average(m, gradient, self.beta1)
        new_v = ops.maximum(v * self.beta2, ops.abs(gradient))
        assign(m, new_m)
        assign(v, new_v)
        assign(parameter, parameter - new_m * rate / (new_v + self.eps))


@sections(**GRADIENTS)
class Lamb(_Moments):
    """Adam with a rate for each layer: the update u is scaled to the norm of the weights, w -= lr·‖w‖/‖u‖·u.

    Here u = m̂/(sqrt(v̂) + eps) + wd·w, with the bias-corrected moments m̂ and v̂; the ratio is 1 where a norm is zero.

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`.
        params, weight_decay: see `Optimizer`.
        beta1, beta2, eps: as for `Adam`; eps is 1e-6 by default.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([3.0, 4.0]), name="w")
        >>> ms.nn.Lamb([w], learning_rate=0.1)((ms.Tensor([1.0, 1.0]),))
        (True,)
        >>> print(w.asnumpy().round(3))
        [2.646 3.646]
    """

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay)
        self._set_betas(beta1, beta2, eps)
        self.moments1 = self._moments("lamb_m")
        self.moments2 = self._moments("lamb_v")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self.gradients_centralization(self._checked(gradients))
        decays, rates = self._decays(), self._rates()
        self._count_step()
        step = as_step(self.global_step)
        correction1 = 1.0 - ops.pow(Tensor(self.beta1, dtypes.float32), step)
        correction2 = 1.0 - ops.pow(Tensor(self.beta2, dtypes.float32), step)
        for parameter, gradient, rate, m, v, decay in self._mine(
            self.parameters, gradients, rates, self.moments1, self.moments2, decays
        ):
            new_m, new_v = self._moved(m, v, gradient)
            update = new_m / correction1 / (ops.sqrt(new_v / correction2) + self.eps)
            update = decayed(update, parameter, decay)
            norm_w, norm_u = norm(parameter), norm(update)
            both = ops.logical_and(norm_w > 0, norm_u > 0)
            ratio = ops.where(both, norm_w / ops.where(both, norm_u, ops.ones_like(norm_u)), ops.ones_like(norm_w))
            assign(parameter, parameter - update * (ratio * rate))
        return self.broadcast_params((True,) * self.param_length)
