"""Gradient descent: SGD and Momentum, and their averaged and sign-based relatives ASGD and Rprop."""

from __future__ import annotations

from typing import Any

from ....frontend.values.cell import Cell
from ....frontend.values.inplace import assign_inplace as assign
from ....frontend.values.parameter import Parameter, ParameterTuple
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ... import functions as ops
from ..checks import check_between, check_bool, check_float, check_number
from .optimizer import Optimizer


class SGD(Optimizer):
    """Stochastic gradient descent: v = momentum·v + (1 - dampening)·g, w -= lr·v; at the first step v = g.

    With `nesterov`: w -= lr·(g + momentum·v).

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: see `Optimizer`.
        momentum: 0 for none.
        dampening: in [0, 1].
        weight_decay: a number.
        nesterov: needs momentum and no dampening.
        loss_scale: what the gradients are divided by.

    Attributes:
        accum: v of each Parameter; empty without momentum.
        stat: for each Parameter ones before the first step and zeros after it; empty without momentum or dampening.

    Raises:
        TypeError: for arguments of wrong types, such as a weight decay that is a Cell.
        ValueError: for numbers out of their ranges.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optimizer = ms.nn.SGD([w], learning_rate=0.5)
        >>> optimizer((ms.Tensor([1.0, 1.0]),))
        (True,)
        >>> print(w.asnumpy())
        [0.5 1.5]
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: Any = 0.0,
        nesterov: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_weight_decay:
            raise TypeError("For 'SGD', the 'weight_decay' should be a number: it does not take a Cell")
        momentum = check_between(check_number(momentum, "momentum", "SGD"), "momentum", "SGD", 0.0)
        dampening = check_between(check_number(dampening, "dampening", "SGD"), "dampening", "SGD", 0.0, 1.0)
        check_bool(nesterov, "nesterov", "SGD")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(
                f"SGD with 'nesterov' needs a positive 'momentum' and a 'dampening' of 0, but "
                f"got {momentum} and {dampening}"
            )
        self.dampening = dampening
        self.nesterov = nesterov
        self._uses_momentum = momentum != 0
        self.momentum = Parameter(Tensor(momentum, dtypes.float32), name="momentum")
        # What is not used would take as much memory as the Parameters, once or twice.
        self.accum = self._moments("accum") if self._uses_momentum else ParameterTuple()
        self.stat = self._moments("stat", "ones") if self._uses_momentum and dampening else ParameterTuple()

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._prepared(gradients)
        for position, (parameter, gradient, rate) in enumerate(
            zip(self.parameters, gradients, self._rates(), strict=True)
        ):
            step = gradient
            if self._uses_momentum:
                accum = self.accum[position]
                if self.stat:  # no dampening at the first step, of which stat tells
                    stat = self.stat[position]
                    gradient = gradient * (1.0 - self.dampening * (1.0 - stat))
                    assign(stat, ops.zeros_like(stat))
                velocity = accum * self.momentum + gradient
                step = gradient + velocity * self.momentum if self.nesterov else velocity
                assign(accum, velocity)
            assign(parameter, parameter - step * rate)
        self._count_step()
        return (True,) * self.param_length


class Momentum(Optimizer):
    """Gradient descent with momentum: v = momentum·v + g, w -= lr·v.

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: see `Optimizer`.
        momentum: not negative.
        weight_decay: a number, or a Cell of the step.
        loss_scale: what the gradients are divided by.
        use_nesterov: accepted; as in MindSpore on CPU it changes nothing. `SGD(nesterov=True)` is Nesterov's method.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> optimizer = ms.nn.Momentum([w], learning_rate=0.1, momentum=0.9)
        >>> optimizer((ms.Tensor([1.0]),))
        (True,)
        >>> [p.name for p in optimizer.moments]
        ['moments.w']
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        momentum: float,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_between(check_number(momentum, "momentum", "Momentum"), "momentum", "Momentum", 0.0)
        self.momentum = Parameter(Tensor(momentum, dtypes.float32), name="momentum")
        self.use_nesterov = check_bool(use_nesterov, "use_nesterov", "Momentum")
        self.moments = self._moments("moments")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._prepared(gradients)
        for parameter, gradient, rate, moment in zip(
            self.parameters, gradients, self._rates(), self.moments, strict=True
        ):
            velocity = moment * self.momentum + gradient
            assign(moment, velocity)
            assign(parameter, parameter - velocity * rate)
        self._count_step()
        return (True,) * self.param_length


class ASGD(Optimizer):
    """Averaged stochastic gradient descent: a decaying rate, and the mean of the Parameters in `ax`.

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: see `Optimizer`.
        lambd: how fast the rate decays.
        alpha: the power of the decay.
        t0: the step from which on the mean is taken.
        weight_decay: a number, or a Cell of the step.
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        self.lambd = check_float(lambd, "lambd", "ASGD")
        self.alpha = check_float(alpha, "alpha", "ASGD")
        self.t0 = check_float(t0, "t0", "ASGD")
        self.mu = ParameterTuple(Parameter(Tensor(1.0), name="mu_" + own.name) for own in self.parameters)
        self.eta = ParameterTuple(Parameter(Tensor(0.0), name="eta_" + own.name) for own in self.parameters)
        self.ax = self._moments("ax_")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; True."""
        gradients = self._prepared(gradients)
        rates = self._rates()
        self._count_step()
        step = ops.reshape(ops.cast(self.global_step, dtypes.float32), ())
        for parameter, gradient, rate, mu, eta, ax in zip(
            self.parameters, gradients, rates, self.mu, self.eta, self.ax, strict=True
        ):
            current = ops.where(ops.equal(step, 1.0), rate, eta)
            new = parameter * (1.0 - current * self.lambd) - gradient * current
            share = mu + 0.0
            assign(ax, ax + (new - ax) * share)
            assign(parameter, new)
            assign(eta, rate / ops.pow(1.0 + rate * step * self.lambd, self.alpha))
            assign(mu, 1.0 / ops.maximum(step - self.t0, 1.0))
        return True


class Rprop(Optimizer):
    """Resilient backpropagation: steps that grow while the gradient keeps its sign and shrink when it changes.

    Args:
        params: Parameters or groups; see `Optimizer`.
        learning_rate: the first step.
        etas: factors of the step after a change of sign, and without one.
        step_sizes: the smallest and the largest step.
        weight_decay: a number, or a Cell of the step.

    Raises:
        ValueError: unless 0 < etas[0] < 1 < etas[1] and step_sizes[0] <= step_sizes[1].
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        for name, pair in (("etas", etas), ("step_sizes", step_sizes)):
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise TypeError(f"For 'Rprop', the '{name}' should be a tuple of two floats, but got {pair!r}")
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"For 'Rprop', the 'etas' should be (less than 1, more than 1), but got {etas}")
        if step_sizes[0] > step_sizes[1]:
            raise ValueError(f"For 'Rprop', the 'step_sizes' should be (smallest, largest), but got {step_sizes}")
        self.etaminus, self.etaplus = etas
        self.step_size_min, self.step_size_max = step_sizes
        self.prev = self._moments("prev")
        self.step_size = self._moments("step_size")

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; True."""
        gradients = self._prepared(gradients)
        first = ops.equal(ops.reshape(self.global_step, ()), 0)
        for parameter, gradient, rate, prev, step_size in zip(
            self.parameters, gradients, self._rates(), self.prev, self.step_size, strict=True
        ):
            agreement = gradient * prev
            factor = ops.where(agreement > 0, self.etaplus, ops.where(agreement < 0, self.etaminus, 1.0))
            size = ops.where(first, ops.zeros_like(step_size) + rate, step_size) * factor
            size = ops.minimum(ops.maximum(size, self.step_size_min), self.step_size_max)
            turned = ops.where(agreement < 0, ops.zeros_like(gradient), gradient)
            assign(parameter, parameter - ops.sign(turned) * size)
            assign(prev, turned)
            assign(step_size, size)
        self._count_step()
        return True


class LARS(Optimizer):
    """Layer-wise adaptive rate scaling around another optimizer.

    The gradient of each Parameter becomes (g + wd·w) · coefficient·‖w‖ / (‖g‖ + wd·‖w‖ + epsilon) before the optimizer
    gets it; Parameters for which `lars_filter` is false keep theirs (with weight decay).

    Args:
        optimizer: without group-wise weight decay.
        epsilon: against division by zero.
        coefficient: the trust in a layer.
        use_clip: whether the scale is held at most 1, in units of the learning rate.
        lars_filter: which Parameters; the default leaves out those with 'LayerNorm' or 'bias' in their names.

    Raises:
        TypeError: if `optimizer` is none, or its weight decay is a Cell.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        epsilon: float = 1e-05,
        coefficient: float = 0.001,
        use_clip: bool = False,
        lars_filter: Any = lambda x: "LayerNorm" not in x.name and "bias" not in x.name,
    ) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"LARS wraps an Optimizer, but got {type(optimizer).__name__}")
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
                norm_w = ops.sqrt(ops.sum(ops.square(parameter)))
                norm_g = ops.sqrt(ops.sum(ops.square(gradient)))
                trust = norm_w * self.coefficient / (norm_g + norm_w * decay + self.epsilon)
                trust = ops.where(ops.logical_and(norm_w > 0, norm_g > 0), trust, ops.ones_like(trust))
                if self.use_clip:
                    trust = ops.minimum(trust / rate, 1.0)
                decayed = decayed * trust
            scaled.append(decayed)
        return self.opt(tuple(scaled))


def as_step(global_step: Any) -> Any:
    """The count of steps as a float32 number, a 0-d tensor."""
    return ops.reshape(ops.cast(global_step, dtypes.float32), ())


class ParameterUpdate(Cell):
    """Gives a Parameter the numbers of its input.

    Args:
        param: the Parameter.
    """

    def __init__(self, param: Parameter) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(param, Parameter):
            raise TypeError(f"ParameterUpdate takes a Parameter, but got {type(param).__name__}")
        self._param = param

    def construct(self, x: Any) -> Any:
        """Update the Parameter; its new value."""
        assign(self._param, x)
        return x
