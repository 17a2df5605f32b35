"""LARS, an optimizer around another one, and ParameterUpdate."""

from __future__ import annotations

from typing import Any

from ....frontend.values.cell import Cell
from ....frontend.values.inplace import assign_inplace as assign
from ....frontend.values.parameter import Parameter
from ....frontend.values.tensor import Tensor
from ... import ops
from ..checks import check_bool, check_float, need_type
from ..held import primitives
from .groups import opt_init_args_register
from .optimizer import Optimizer
from .updates import norm


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
