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
from ... import functions as ops
from ..checks import check_between, check_bool, check_float
from .optimizer import Optimizer, moving_average


def check_betas(beta1: Any, beta2: Any, eps: Any, owner: str) -> None:
    """TypeError unless floats; ValueError unless the betas are inside (0, 1) and eps is positive."""
    for name, value in (("beta1", beta1), ("beta2", beta2)):
        check_between(check_float(value, name, owner), name, owner, 0.0, 1.0, open_low=True, open_high=True)
    check_between(check_float(eps, "eps", owner), "eps", owner, 0.0, open_low=True)


class Adam(Optimizer):
    r"""Adam: m = β1·m + (1 - β1)·g, v = β2·v + (1 - β2)·g², w -= lr·sqrt(1 - β2ᵗ)/(1 - β1ᵗ) · m/(sqrt(v) + eps).

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: see `Optimizer`.
        beta1, beta2: inside (0, 1).
        eps: positive.
        use_locking: accepted, without meaning.
        use_nesterov: whether m is replaced by β1·m + (1 - β1)·g in the update.
        weight_decay: a number, or a Cell of the step.
        loss_scale: what the gradients are divided by.
        use_amsgrad: whether the largest v so far takes its place.
        kwargs: `use_lazy`, `use_offload`: accepted, without meaning for dense gradients.

    Raises:
        TypeError: for arguments of wrong types.
        ValueError: for numbers out of their ranges.

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

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_amsgrad: bool = False,
        **kwargs: Any,
    ) -> None:
        unknown = sorted(set(kwargs) - {"use_lazy", "use_offload"})
        if unknown:
            hint = keyword_hint(unknown[0], inspect.signature(Adam.__init__).parameters)
            raise ValueError(f"Adam takes the options use_lazy and use_offload, but got {', '.join(unknown)}{hint}")
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_betas(beta1, beta2, eps, type(self).__name__)
        self.beta1 = beta1
        self.beta2 = beta2
        self.eps = eps
        self.use_locking = check_bool(use_locking, "use_locking", type(self).__name__)
        self.use_nesterov = check_bool(use_nesterov, "use_nesterov", type(self).__name__)
        self.use_amsgrad = check_bool(use_amsgrad, "use_amsgrad", type(self).__name__)
        self.use_lazy = check_bool(kwargs.get("use_lazy", False), "use_lazy", type(self).__name__)
        self.use_offload = check_bool(kwargs.get("use_offload", False), "use_offload", type(self).__name__)
        self.beta1_power = Parameter(Tensor(np.ones(self._power_shape, np.float32)), name="beta1_power")
        self.beta2_power = Parameter(Tensor(np.ones(self._power_shape, np.float32)), name="beta2_power")
        self.moment1 = self._moments("moment1")
        self.moment2 = self._moments("moment2")
        if use_amsgrad:
            self.vhat = self._moments("vhat")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._prepared(gradients)
        power1 = self.beta1_power * self.beta1
        power2 = self.beta2_power * self.beta2
        assign(self.beta1_power, power1)
        assign(self.beta2_power, power2)
        correction = ops.reshape(ops.sqrt(1.0 - power2) / (1.0 - power1), ())
        rates = self._rates()
        corrected = {id(rate): rate * correction for rate in rates}
        for position, (parameter, gradient, rate) in enumerate(zip(self.parameters, gradients, rates, strict=True)):
            m, v = self.moment1[position], self.moment2[position]
            new_m = moving_average(m, gradient, self.beta1)
            new_v = moving_average(v, gradient * gradient, self.beta2)
            assign(m, new_m)
            assign(v, new_v)
            if self.use_amsgrad:
                new_v = ops.maximum(self.vhat[position], new_v)
                assign(self.vhat[position], new_v)
            if self.use_nesterov:
                new_m = moving_average(new_m, gradient, self.beta1)
            assign(parameter, parameter - new_m / (ops.sqrt(new_v) + self.eps) * corrected[id(rate)])
        self._count_step()
        return (True,) * self.param_length


class LazyAdam(Adam):
    """Adam; for sparse gradients MindSpore's updates only the rows they have, dense ones are as for Adam.

    Args:
        params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale: as for `Adam`.
    """

    _power_shape = (1,)

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)


class AdamOffload(LazyAdam):
    """Adam; MindSpore's runs on the host, as everything does here.

    Args:
        params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale: as for `Adam`.
    """


class AdamWeightDecay(Optimizer):
    """Adam without bias correction, with the weight decay beside the gradient: w -= lr·(m/(sqrt(v) + eps) + wd·w).

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: see `Optimizer`.
        beta1, beta2: inside (0, 1).
        eps: positive.
        weight_decay: a number, or a Cell of the step.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> optimizer = ms.nn.AdamWeightDecay([w], learning_rate=0.1, weight_decay=0.1)
        >>> [p.name for p in optimizer.moments1]
        ['adam_m.w']
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        check_betas(beta1, beta2, eps, type(self).__name__)
        self.beta1 = beta1
        self.beta2 = beta2
        self.eps = eps
        self.moments1 = self._moments("adam_m")
        self.moments2 = self._moments("adam_v")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._checked(gradients)
        decays = self.get_weight_decay()
        decays = decays if self.is_group else (decays,) * self.param_length
        for parameter, gradient, rate, m, v, decay, flag in zip(
            self.parameters,
            gradients,
            self._rates(),
            self.moments1,
            self.moments2,
            decays,
            self.decay_flags,
            strict=True,
        ):
            new_m = moving_average(m, gradient, self.beta1)
            new_v = moving_average(v, gradient * gradient, self.beta2)
            update = new_m / (ops.sqrt(new_v) + self.eps)
            if flag and self.exec_weight_decay:
                update = update + parameter * decay
            assign(m, new_m)
            assign(v, new_v)
            assign(parameter, parameter - update * rate)
        self._count_step()
        return (True,) * self.param_length


class AdaMax(Optimizer):
    """Adam with the largest gradient in place of the second moment: v = max(β2·v, |g|), w -= lr/(1 - β1ᵗ)·m/(v + eps).

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: see `Optimizer`.
        beta1, beta2: inside (0, 1).
        eps: positive.
        weight_decay: a number, or a Cell of the step.
        loss_scale: what the gradients are divided by.
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_betas(beta1, beta2, eps, "AdaMax")
        self.beta1 = beta1
        self.beta2 = beta2
        self.eps = eps
        self.beta1_power = Parameter(Tensor([1.0]), name="beta1_power")
        self.moment1 = self._moments("moment1")
        self.moment2 = self._moments("moment2")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._prepared(gradients)
        power = self.beta1_power * self.beta1
        assign(self.beta1_power, power)
        correction = ops.reshape(1.0 - power, ())
        for parameter, gradient, rate, m, v in zip(
            self.parameters, gradients, self._rates(), self.moment1, self.moment2, strict=True
        ):
            new_m = moving_average(m, gradient, self.beta1)
            new_v = ops.maximum(v * self.beta2, ops.abs(gradient))
            assign(m, new_m)
            assign(v, new_v)
            assign(parameter, parameter - new_m * (rate / correction) / (new_v + self.eps))
        self._count_step()
        return (True,) * self.param_length


class Lamb(Optimizer):
    """Adam with a rate for each layer: the update is scaled to the norm of the weights, w -= lr·‖w‖/‖u‖·u.

    Here u = m̂/(sqrt(v̂) + eps) + wd·w, with the bias-corrected moments m̂ and v̂; the ratio is 1 where a norm is zero.

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: see `Optimizer`.
        beta1, beta2: inside (0, 1).
        eps: positive.
        weight_decay: a number, or a Cell of the step.
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        check_betas(beta1, beta2, eps, "Lamb")
        self.beta1 = beta1
        self.beta2 = beta2
        self.eps = eps
        self.moments1 = self._moments("lamb_m")
        self.moments2 = self._moments("lamb_v")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self.gradients_centralization(self._checked(gradients))
        decays = self.get_weight_decay()
        decays = decays if self.is_group else (decays,) * self.param_length
        rates = self._rates()
        self._count_step()
        step = ops.reshape(ops.cast(self.global_step, dtypes.float32), ())
        correction1 = 1.0 - ops.pow(Tensor(self.beta1, dtypes.float32), step)
        correction2 = 1.0 - ops.pow(Tensor(self.beta2, dtypes.float32), step)
        for parameter, gradient, rate, m, v, decay, flag in zip(
            self.parameters, gradients, rates, self.moments1, self.moments2, decays, self.decay_flags, strict=True
        ):
            new_m = moving_average(m, gradient, self.beta1)
            new_v = moving_average(v, gradient * gradient, self.beta2)
            update = new_m / correction1 / (ops.sqrt(new_v / correction2) + self.eps)
            if flag and self.exec_weight_decay:
                update = update + parameter * decay
            norm_w = ops.sqrt(ops.sum(ops.square(parameter)))
            norm_u = ops.sqrt(ops.sum(ops.square(update)))
            both = ops.logical_and(norm_w > 0, norm_u > 0)
            ratio = ops.where(both, norm_w / ops.where(both, norm_u, ops.ones_like(norm_u)), ops.ones_like(norm_w))
            assign(m, new_m)
            assign(v, new_v)
            assign(parameter, parameter - update * (ratio * rate))
        return (True,) * self.param_length
