"""Optimizers whose steps are relative to the size of each Parameter: AdaFactor, and LARS, around another optimizer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....frontend.values.cell import Cell
from ....frontend.values.inplace import assign_inplace as assign
from ....frontend.values.parameter import Parameter, ParameterTuple
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ... import ops
from ..checks import check_between, check_bool, check_float, need_type
from ..held import primitives
from ..sections import GRADIENTS_ONLY, sections
from .adaptive import not_negative
from .groups import opt_init_args_register
from .optimizer import Optimizer
from .updates import moving_average, norm


@sections(**GRADIENTS_ONLY)
class AdaFactor(Optimizer):
    """Adafactor: second moments of matrices kept as a row and a column, and steps relative to the Parameter's size.

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule; None with `relative_step`. Default: None.
        eps: two floats: what is added to squares, and the least size of a Parameter. Default: (1e-30, 1e-3).
        clip_threshold: a float, the largest root mean square of an update. Default: 1.0.
        decay_rate: a float in [0, 1], the power of the step in the decay of second moments. Default: 0.8.
        beta1: a float that is not negative, how slowly the first moment changes; None and 0: there is none. Default:
            0.9.
        scale_parameter: whether the rate is scaled by the size of the Parameter. Default: True.
        relative_step: whether the rate follows from the step. Default: True.
        warmup_init: whether that rate starts small; needs `relative_step`. Default: False.
        compression: whether the first moment is kept in float16. Default: False.
        params, weight_decay, loss_scale: see `Optimizer`.

    Raises:
        TypeError: for arguments of wrong types.
        ValueError: for a learning rate besides `relative_step`, none of both, `warmup_init` without it, or numbers out
            of their ranges.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.AdaFactor([w])((ms.Tensor([1.0]),))
        (True,)
        >>> print(w.asnumpy().round(3))
        [0.999]
    """

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any = None, eps: tuple[float, float] = (1e-30, 1e-3),
        clip_threshold: float = 1.0, decay_rate: float = 0.8, beta1: float | None = 0.9, weight_decay: Any = 0.0,
        scale_parameter: bool = True, relative_step: bool = True, warmup_init: bool = False,
        compression: bool = False, loss_scale: float = 1.0,
    ) -> None:  # fmt: skip
        if learning_rate is not None and relative_step:
            raise ValueError("AdaFactor takes either a 'learning_rate' or 'relative_step', not both")
        if learning_rate is None and not relative_step:
            raise ValueError("AdaFactor needs a 'learning_rate' without 'relative_step'")
        if warmup_init and not relative_step:
            raise ValueError("AdaFactor's 'warmup_init' needs 'relative_step'")
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        if not isinstance(eps, (list, tuple)) or len(eps) != 2:
            raise TypeError(f"For 'AdaFactor', the 'eps' should be two floats, but got {eps!r}")
        self.scale_lr = learning_rate is None
        self.eps = (float(eps[0]), float(eps[1]))
        self.clip_threshold = not_negative(clip_threshold, "clip_threshold", "AdaFactor")
        self.decay_rate = check_between(
            check_float(decay_rate, "decay_rate", "AdaFactor"), "decay_rate", "AdaFactor", 0.0, 1.0
        )
        self.beta1 = not_negative(0.0 if beta1 is None else float(beta1), "beta1", "AdaFactor")
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


class LARS(Optimizer):
    """Layer-wise adaptive rate scaling around another optimizer.

    The gradient of each Parameter becomes (g + wd·w) · coefficient·‖w‖ / (‖g‖ + wd·‖w‖ + epsilon) before the optimizer
    gets it; Parameters for which `lars_filter` is false keep theirs (with weight decay).

    Args:
        optimizer: an Optimizer with a fixed weight decay.
        epsilon: a float, against division by zero. Default: 1e-5.
        coefficient: a float, the trust in a layer. Default: 0.001.
        use_clip: whether the scale is held at most 1, in units of the learning rate. Default: False.
        lars_filter: a function of a Parameter, which says whether its gradient is scaled; the default leaves out those
            with 'LayerNorm' or 'bias' in their names.

    Inputs:
        gradients: a tuple of float tensors, one for each Parameter, of its shape.

    Outputs:
        What the optimizer gives: a tuple of bools.

    Raises:
        TypeError: if `optimizer` is none, or its weight decay is a Cell.
        ValueError: for gradients of other shapes.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([3.0, 4.0]), name="w")
        >>> optimizer = ms.nn.LARS(ms.nn.SGD([w], learning_rate=1.0), coefficient=0.2)
        >>> optimizer((ms.Tensor([0.0, 2.0]),))
        (True,)
        >>> print(w.asnumpy().round(3))
        [3. 3.]
    """

    _held = primitives("Cast", lars=lambda own: ops.LARSUpdate(own.epsilon, own.coefficient, own.use_clip))

    @opt_init_args_register
    def __init__(
        self, optimizer: Optimizer, epsilon: float = 1e-05, coefficient: float = 0.001, use_clip: bool = False,
        lars_filter: Any = lambda x: "LayerNorm" not in x.name and "bias" not in x.name,
    ) -> None:  # fmt: skip
        need_type(optimizer, Optimizer, "LARS wraps an Optimizer")
        super().__init__(0.0, [Parameter(Tensor(0.0), name="fake_param")])
        if optimizer.dynamic_weight_decay:
            raise TypeError("LARS takes optimizers with a fixed weight decay, not one that is a Cell")
        self.opt = optimizer
        self.epsilon = check_float(epsilon, "epsilon", "LARS")
        self.coefficient = check_float(coefficient, "coefficient", "LARS")
        self.use_clip = check_bool(use_clip, "use_clip", "LARS")
        self.parameters = optimizer.parameters
        self.param_length = optimizer.param_length
        self.lars_flag = tuple(bool(lars_filter(parameter)) for parameter in self.parameters)
        self.learning_rate = optimizer.learning_rate
        decays = optimizer.get_weight_decay()
        self._decays = decays if optimizer.is_group else (decays,) * self.param_length
        self._decay_flags = optimizer.decay_flags
        # From here on this optimizer does the decaying and scaling.
        optimizer.exec_weight_decay = False
        self.need_scale = optimizer.need_scale
        self.loss_scale = optimizer.loss_scale
        self.reciprocal_scale = optimizer.reciprocal_scale
        optimizer.need_scale = False

    def _get_lr(self) -> Any:
        """The learning rate of the optimizer within, for the next step."""
        return self.opt.get_lr()

    def construct(self, gradients: Any) -> Any:
        """Scale the gradients and hand them to the optimizer."""
        gradients = self.scale_grad(self._checked(gradients))
        scaled = []
        for parameter, gradient, rate, decay, decays, flag in zip(
            self.parameters, gradients, self.opt._rates(), self._decays, self._decay_flags, self.lars_flag, strict=True
        ):
            decay = decay / self.loss_scale if decays else 0.0
            decayed = gradient + parameter * decay if decay else gradient
            if flag:
                norm_w, norm_g = norm(parameter), norm(gradient)
                trust = norm_w * self.coefficient / (norm_g + norm_w * decay + self.epsilon)
                trust = ops.where(ops.logical_and(norm_w > 0, norm_g > 0), trust, ops.ones_like(trust))
                if self.use_clip:
                    trust = ops.minimum(trust / rate, 1.0)
                decayed = decayed * trust
            scaled.append(decayed)
        return self.opt(tuple(scaled))


class ParameterUpdate(Cell):
    """Gives a Parameter the numbers of its input.

    Args:
        param: the Parameter.

    Inputs:
        x: a tensor of the shape and dtype of the Parameter.

    Outputs:
        The input, of the same shape and dtype.

    Raises:
        TypeError: if `param` is no Parameter.
        ValueError: if x has another shape.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.ParameterUpdate(w)(ms.Tensor([5.0]))
        Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e+00])
        >>> print(w.asnumpy())
        [5.]
    """

    def __init__(self, param: Parameter) -> None:
        super().__init__(auto_prefix=False)
        need_type(param, Parameter, "ParameterUpdate takes a Parameter")
        self._param = param

    def construct(self, x: Any) -> Any:
        """Update the Parameter; its new value."""
        assign(self._param, x)
        return x
