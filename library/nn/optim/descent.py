"""Gradient descent: SGD and Momentum, and their averaged and sign-based relatives ASGD and Rprop."""

from __future__ import annotations

from typing import Any

from ....frontend.values.inplace import assign_inplace as assign
from ....frontend.values.parameter import Parameter, ParameterTuple
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ... import ops
from ..checks import check_between, check_bool, check_float, check_number
from ..held import primitives
from ..sections import GRADIENTS, GRADIENTS_ONLY, sections
from .groups import opt_init_args_register
from .optimizer import Optimizer
from .updates import Stepwise, as_step


@sections(**GRADIENTS_ONLY)
class SGD(Stepwise):
    """Stochastic gradient descent: v = momentum·v + (1 - dampening)·g, w -= lr·v; at the first step v = g.

    With `nesterov`: w -= lr·(g + momentum·v).

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`. Default: 0.1.
        momentum: a number that is not negative; 0 for none. Default: 0.0.
        dampening: a number in [0, 1]. Default: 0.0.
        weight_decay: a number. Default: 0.0.
        nesterov: a bool; needs momentum and no dampening. Default: False.
        params, loss_scale: see `Optimizer`.

    Attributes:
        accum: v of each Parameter; empty without momentum.
        stat: for each Parameter ones before the first step and zeros after it; empty without momentum or dampening. A
            subclass with a `construct` of its own has both.

    Raises:
        TypeError: for arguments of wrong types, such as a weight decay that is a Cell.
        ValueError: for numbers out of their ranges, or gradients of other shapes.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optimizer = ms.nn.SGD([w], learning_rate=0.5)
        >>> optimizer((ms.Tensor([1.0, 1.0]),))
        (True,)
        >>> print(w.asnumpy())
        [0.5 1.5]
    """

    _held = primitives(opt=lambda own: (ops.SGD(own.dampening, 0.0, own.nesterov),) * own.param_length)

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any = 0.1, momentum: float = 0.0, dampening: float = 0.0,
        weight_decay: Any = 0.0, nesterov: bool = False, loss_scale: float = 1.0,
    ) -> None:  # fmt: skip
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
        # What is not used would take as much memory as the Parameters, once or twice: only a subclass may use it.
        own = type(self).construct is not SGD.construct
        self.accum = self._moments("accum") if self._uses_momentum or own else ParameterTuple()
        self.stat = self._moments("stat", "ones") if (self._uses_momentum and dampening) or own else ParameterTuple()
        if self._uses_momentum:
            self._state = ("accum", "stat") if dampening else ("accum",)

    def _update(self, parameter: Any, gradient: Any, rate: Any, *state: Any) -> None:
        step = gradient
        if self._uses_momentum:
            accum, *stats = state
            for stat in stats:  # no dampening at the first step, of which stat tells
                gradient = gradient * (1.0 - self.dampening * (1.0 - stat))
                assign(stat, ops.zeros_like(stat))
            velocity = accum * self.momentum + gradient
            step = gradient + velocity * self.momentum if self.nesterov else velocity
            assign(accum, velocity)
        assign(parameter, parameter - step * rate)


@sections(**GRADIENTS)
class Momentum(Stepwise):
    """Gradient descent with momentum: v = momentum·v + g, w -= lr·v.

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`.
        momentum: a number that is not negative.
        use_nesterov: accepted; as in MindSpore on CPU it changes nothing. `SGD(nesterov=True)` is Nesterov's method.
            Default: False.
        params, weight_decay, loss_scale: see `Optimizer`.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> optimizer = ms.nn.Momentum([w], learning_rate=0.1, momentum=0.9)
        >>> optimizer((ms.Tensor([1.0]),))
        (True,)
        >>> [p.name for p in optimizer.moments]
        ['moments.w']
    """

    _state = ("moments",)
    _held = primitives(opt=lambda own: ops.ApplyMomentum(use_nesterov=own.use_nesterov))

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any, momentum: float, weight_decay: Any = 0.0, loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_between(check_number(momentum, "momentum", "Momentum"), "momentum", "Momentum", 0.0)
        self.momentum = Parameter(Tensor(momentum, dtypes.float32), name="momentum")
        self.use_nesterov = check_bool(use_nesterov, "use_nesterov", "Momentum")
        self.moments = self._moments("moments")

    def _update(self, parameter: Any, gradient: Any, rate: Any, *state: Any) -> None:
        (moment,) = state
        velocity = moment * self.momentum + gradient
        assign(moment, velocity)
        assign(parameter, parameter - velocity * rate)


@sections(Inputs=GRADIENTS["Inputs"], Raises=GRADIENTS["Raises"])
class ASGD(Optimizer):
    """Averaged stochastic gradient descent: a decaying rate, and the mean of the Parameters in `ax`.

    w -= η·(λ·w + g) with η = lr / (1 + λ·lr·t)^α at step t; from step t0 on ax is the mean of the w.

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule; see `Optimizer`. Default: 0.1.
        lambd: a float, λ: how fast the rate decays. Default: 1e-4.
        alpha: a float, α: the power of the decay. Default: 0.75.
        t0: a float, the step from which on the mean is taken. Default: 1e6.
        params, weight_decay: see `Optimizer`.

    Outputs:
        True, a bool.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.ASGD([w], learning_rate=0.5, lambd=0.0)((ms.Tensor([1.0]),))
        True
        >>> print(w.asnumpy())
        [0.5]
    """

    _held = primitives("Pow Maximum Assign Cast Squeeze", lens=lambda own: own.param_length, assignsub="AssignSub")

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any = 0.1, lambd: float = 1e-4, alpha: float = 0.75, t0: float = 1e6,
        weight_decay: Any = 0.0,
    ) -> None:  # fmt: skip
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
        step = as_step(self.global_step)
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


@sections(Inputs=GRADIENTS["Inputs"])
class Rprop(Optimizer):
    """Resilient backpropagation: steps that grow while the gradient keeps its sign and shrink when it changes.

    Args:
        learning_rate: a number, a tensor, an iterable or a schedule: the first step. Default: 0.1.
        etas: two floats, the factors of the step after a change of sign and without one. Default: (0.5, 1.2).
        step_sizes: two floats, the smallest and the largest step. Default: (1e-6, 50.0).
        params, weight_decay: see `Optimizer`.

    Outputs:
        True, a bool.

    Raises:
        TypeError: for arguments of wrong types.
        ValueError: unless 0 < etas[0] < 1 < etas[1] and step_sizes[0] <= step_sizes[1].

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> ms.nn.Rprop([w], learning_rate=0.25)((ms.Tensor([3.0]),))
        True
        >>> print(w.asnumpy())
        [0.75]
    """

    _held = primitives("Sign Assign Cast Select OnesLike", fill="FillV2")

    @opt_init_args_register
    def __init__(
        self, params: Any, learning_rate: Any = 0.1, etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0), weight_decay: Any = 0.0,
    ) -> None:  # fmt: skip
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
