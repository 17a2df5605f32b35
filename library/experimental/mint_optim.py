"""`mycel.mint.optim`: Adam, AdamW and SGD with the arguments that `mindspore.mint` has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.parameter import Parameter, ParameterTuple
from ...frontend.values.tensor import Tensor
from .. import functions as ops
from ..docstrings import Documented, Shared, sections as _sections
from ..nn.compiled import CompiledCell

__all__ = ["SGD", "Adam", "AdamW", "Optimizer"]


class Optimizer(CompiledCell):
    """Base of the optimizers: called with the gradients of its Parameters it updates them.

    Args:
        params: Parameters, or groups: dicts with 'params' and settings that differ from the defaults.
        defaults: the settings of all groups.

    Attributes:
        param_groups: the groups, each a dict of its Parameters and settings; `lr` is a Parameter that may be set.

    Examples:
        >>> from mycel import nn
        >>> from mycel.mint import optim
        >>> optimizer = optim.SGD(nn.Dense(1, 1).trainable_params(), lr=0.5)
        >>> print(isinstance(optimizer, optim.Optimizer), len(optimizer.parameters))
        True 2
    """

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        super().__init__(auto_prefix=False)
        items = list(params)
        if not items:
            raise ValueError(f"{type(self).__name__} got an empty list of Parameters")
        groups = items if isinstance(items[0], dict) else [{"params": items}]
        self.defaults = defaults
        self.param_groups: list[dict[str, Any]] = []
        for place, group in enumerate(groups):
            unknown = set(group) - {"params", *defaults}
            if unknown:
                raise ValueError(
                    f"{type(self).__name__} groups have no setting {', '.join(sorted(map(repr, unknown)))}"
                )
            settings = {**defaults, **group}
            settings["params"] = list(group["params"])
            rate = settings["lr"]
            if isinstance(rate, bool) or not isinstance(rate, (int, float, np.number, Tensor)):
                raise TypeError(
                    f"{type(self).__name__}: 'lr' should be a number, but got {type(rate).__name__} {rate!r}"
                )
            if not isinstance(rate, Tensor) and rate < 0:
                raise ValueError(f"{type(self).__name__}: 'lr' should not be negative, but got {rate}")
            settings["lr"] = Parameter(
                Tensor(np.float32(rate)) if not isinstance(rate, Tensor) else rate, f"learning_rate_group_{place}"
            )
            settings["initial_lr"] = rate
            self.param_groups.append(settings)
        everything = [parameter for group in self.param_groups for parameter in group["params"]]
        for parameter in everything:
            need_type(parameter, Parameter, f"{type(self).__name__} takes Parameters")
        self.parameters = ParameterTuple(everything)
        for parameter in self.parameters:
            parameter._optimized = True
        self.lrs = [group["lr"] for group in self.param_groups]
        self.state_step = Parameter(Tensor(np.zeros(1, np.float32)), "state_step", False)

    def __repr__(self) -> str:
        shown = ""
        for number, group in enumerate(self.param_groups):
            shown += f"\nParameter Group {number}\n"
            for name in sorted(set(group) - {"params", "initial_lr"}):
                value = group[name]
                shown += f"    {name}: {value.asnumpy() if isinstance(value, Tensor) else value!s}\n"
        return f"{type(self).__name__} ({shown})"

    def _each(self, gradients: tuple[Any, ...]) -> Iterable[tuple[int, dict[str, Any], Parameter, Any]]:
        if len(gradients) != len(self.parameters):
            raise ValueError(f"{len(gradients)} gradients were given for {len(self.parameters)} Parameters")
        place = 0
        for group in self.param_groups:
            for parameter in group["params"]:
                gradient = gradients[place]
                yield place, group, parameter, ops.neg(gradient) if group["maximize"] else gradient
                place += 1


_shared = Shared(
    """
    Args:
        params: Parameters or groups of them.
        lr: the learning rate.
        weight_decay: what Parameters times it is added to the gradients.
        maximize: whether to go uphill.
        betas: the decays of the running means of gradients and of their squares.
        eps: what is added to the root of the latter.
    """
)


class _Stepped(Optimizer):
    """An optimizer that updates one Parameter after the other, knowing the number of the step.

    A subclass defines `_update`, and in `states` the names of its state for each Parameter.
    """

    states: tuple[str, ...] = ()
    not_negative: tuple[str, ...] = ("weight_decay", "eps")

    def __init__(self, params: Any, defaults: dict[str, Any], start: Any = "zeros") -> None:
        for name in self.not_negative:
            if defaults.get(name, 0.0) < 0:
                raise ValueError(f"{type(self).__name__}: '{name}' should not be negative, but got {defaults[name]}")
        for value in defaults.get("betas", ()):
            if not 0 <= value < 1:
                raise ValueError(f"{type(self).__name__}: 'betas' should be in [0, 1), but got {defaults['betas']}")
        defaults.setdefault("maximize", False)
        super().__init__(params, defaults)
        for name in self.states:
            setattr(self, name, self.parameters.clone(name, start))

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        raise NotImplementedError

    def _decayed(self, group: dict[str, Any], parameter: Any, gradient: Any) -> Any:
        """The gradient with the weight decay."""
        decay = group.get("weight_decay", 0.0)
        return ops.add(gradient, ops.mul(parameter, decay)) if decay else gradient

    def construct(self, gradients: tuple[Any, ...]) -> bool:
        """One step."""
        step = ops.reshape(ops.add(self.state_step, 1.0), ())
        for place, group, parameter, gradient in self._each(gradients):
            gradient = self._decayed(group, parameter, gradient)
            states = [getattr(self, name)[place] for name in self.states]
            assign_inplace(parameter, self._update(group, parameter, gradient, step, states))
        assign_inplace(self.state_step, ops.add(self.state_step, 1.0))
        return True


def _mixed(running: Any, new: Any, share: Any) -> Any:
    """The running mean with a new number, which is kept."""
    result = running * share + new * (1.0 - share)
    assign_inplace(running, result)
    return result


def _first_step(arguments: str, weight: str, module: str = "experimental") -> Callable[[Documented], Documented]:
    """A decorator of optimizers: the example in their docstrings, a step with `arguments` that ends at a weight."""

    def complete(kind: Documented) -> Documented:
        return _sections(
            Examples=f"""
                >>> from mycel import Tensor, nn
                >>> from mycel.{module} import optim
                >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
                >>> optim.{kind.__name__}(net.trainable_params(), {arguments})((Tensor([[1.0]]),))
                True
                >>> print(net.weight.value().round(2))
                {weight}
            """
        )(kind)

    return complete


@_first_step("lr=0.5", "[[0.5]]", "mint")
@_shared
class SGD(_Stepped):
    """Gradient descent with momentum.

    Args:
        momentum, dampening, nesterov: how the running sum of gradients grows and is used.
    """

    states = ("accum",)
    not_negative = ()

    def __init__(
        self, params: Any, lr: Any, momentum: float = 0, dampening: float = 0, weight_decay: float = 0,
        nesterov: bool = False, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("SGD: 'nesterov' needs a positive momentum and no dampening")
        settings = {"momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov}
        super().__init__(params, {"lr": lr, **settings, "maximize": maximize})

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        if group["momentum"]:
            fresh = ops.mul(gradient, 1.0 - group["dampening"])
            moved = ops.add(ops.mul(states[0], group["momentum"]), fresh)
            moved = ops.where(ops.equal(step, 1.0), gradient, moved)
            assign_inplace(states[0], moved)
            gradient = ops.add(gradient, ops.mul(moved, group["momentum"])) if group["nesterov"] else moved
        return ops.sub(parameter, ops.mul(gradient, group["lr"]))


@_first_step("lr=0.5, weight_decay=0.0", "[[0.5]]", "mint")
@_shared
class AdamW(_Stepped):
    """Adam whose weight decay shrinks the Parameters themselves.

    Args:
        weight_decay: by how much, times `lr`, the Parameters shrink.
        amsgrad: whether the largest mean of squares so far counts.
    """

    states = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
    not_negative = ()
    decoupled = True

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 1e-2, amsgrad: bool = False, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        settings = {"betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize}
        super().__init__(params, {"lr": lr, **settings})

    def _decayed(self, group: dict[str, Any], parameter: Any, gradient: Any) -> Any:
        """The gradient; the Parameter has shrunk."""
        if not self.decoupled:
            return super()._decayed(group, parameter, gradient)
        if group["weight_decay"]:
            kept = ops.sub(1.0, ops.mul(group["lr"], group["weight_decay"]))
            assign_inplace(parameter, ops.mul(parameter, kept))
        return gradient

    def _update(self, group: dict[str, Any], parameter: Any, gradient: Any, step: Any, states: list[Any]) -> Any:
        one, two = group["betas"]
        mean = _mixed(states[0], gradient, one)
        square = _mixed(states[1], ops.square(gradient), two)
        if group["amsgrad"]:
            square = ops.maximum(states[2], square)
            assign_inplace(states[2], square)
        corrected = ops.div(group["lr"], ops.sub(1.0, ops.pow(one, step)))
        root = ops.div(ops.sqrt(square), ops.sqrt(ops.sub(1.0, ops.pow(two, step))))
        return ops.sub(parameter, ops.div(ops.mul(mean, corrected), ops.add(root, group["eps"])))


@_first_step("lr=0.5", "[[0.5]]", "mint")
class Adam(AdamW):
    """Adam; weight decay is added to the gradients. Arguments as in `AdamW`."""

    decoupled = False

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0.0, amsgrad: bool = False, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)
