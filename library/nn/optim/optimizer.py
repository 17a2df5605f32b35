"""`Optimizer`: the base of optimizers, with learning rates, weight decay, parameter groups and the step counter."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np

from ....frontend.errors.spelling import no_parameters_hint
from ....frontend.values.cell import Cell
from ....frontend.values.inplace import assign_inplace as assign
from ....frontend.values.parameter import Parameter, ParameterTuple
from ....frontend.values.tensor import Tensor
from ....runtime.packing import adjoin
from ... import ops
from ...containers import CellList
from ...distributed.data_parallel import divides_updates, owned, owners_of, share_updates, without_numbers
from ..checks import check_between, check_float, need_type
from ..compiled import CompiledCell
from ..held import primitives
from .groups import (
    ConstantLearningRate,
    IteratorLearningRate,
    Setting,
    check_decay,
    is_grouped,
    make_rate,
    settings_of_groups,
)


class ScaledDecay(Cell):
    """A weight decay that changes with the step, times the loss scale.

    Args:
        weight_decay: a Cell of the step.
        loss_scale: the factor.
    """

    def __init__(self, weight_decay: Cell, loss_scale: float) -> None:
        super().__init__()
        self.weight_decay = weight_decay
        self.loss_scale = loss_scale

    def construct(self, global_step: Any) -> Any:
        """The decay at the step."""
        return self.weight_decay(global_step) * self.loss_scale


class Optimizer(CompiledCell):
    """Base of optimizers: called with the gradients of its Parameters it updates them.

    Args:
        learning_rate: a number, a 0-d tensor, a vector or iterable (one rate a step), or a LearningRateSchedule.
        parameters: a list of Parameters, or a list of groups: dicts with 'params', and, if they should differ from the
            optimizer's, 'lr', 'weight_decay' and 'grad_centralization'; a dict with 'order_params' orders them.
        weight_decay: a number, or a Cell of the step. Without groups, Parameters with 'beta' or 'gamma' in their names
            are left out. Default: 0.0.
        loss_scale: a positive number, what the gradients are divided by. Default: 1.0.

    Inputs:
        hyper_params: what the subclass takes: for the optimizers here a tuple of float tensors, one for each Parameter
            and of its shape.

    Outputs:
        What the subclass gives: for the optimizers here a tuple of bools.

    Attributes:
        parameters: a ParameterTuple. learning_rate: a Parameter, or a Cell for rates that change. global_step: count
            of steps, int32 [1].

    Raises:
        TypeError: for arguments of wrong types.
        ValueError: if there are no Parameters, two have the same name, or a number is out of its range.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> class Descent(nn.Optimizer):
        ...     def construct(self, gradients):
        ...         gradients = self.decay_weight(gradients)
        ...         rate = self.get_lr()
        ...         for parameter, gradient in zip(self.parameters, gradients):
        ...             ms.ops.assign_sub(parameter, rate * gradient)
        ...         return True
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> print(Descent(0.5, [w])((ms.Tensor([1.0]),)), w.asnumpy())
        True [0.5]
    """

    _held = primitives(
        assignadd="AssignAdd",
        map_="Map",
        map_reverse=lambda own: ops.Map(None, True),
        hyper_map="HyperMap",
        hyper_map_reverse=lambda own: ops.HyperMap(None, True),
    )

    _divides = False  # whether processes can divide the update: all states come from `_moments`

    def __init__(self, learning_rate: Any, parameters: Any, weight_decay: Any = 0.0, loss_scale: float = 1.0) -> None:
        super().__init__(auto_prefix=False)
        owner = type(self).__name__
        parameters = _listed(parameters, owner)
        self.is_group = is_grouped(parameters)
        self.loss_scale = _loss_scale(loss_scale, owner)
        rate = make_rate(learning_rate, "learning_rate", owner)
        decay = check_decay(weight_decay, owner)
        self.is_group_params_ordered = False
        if self.is_group:
            settings, self.is_group_params_ordered = settings_of_groups(parameters, rate, decay, owner)
            self.group_params = [setting.parameter for setting in settings]
            self.group_lr = [setting.rate for setting in settings]
            self.group_weight_decay = [self._preprocess_weight_decay(setting.decay) for setting in settings]
            self.group_grad_centralization = [setting.centralize for setting in settings]
        else:
            settings = [Setting(parameter, rate, decay, False) for parameter in parameters]
        _check_names([setting.parameter for setting in settings])
        rates = [setting.rate for setting in settings]
        self.is_group_lr = any(one is not rate for one in rates) or (
            self.is_group and any("lr" in g for g in parameters)
        )
        self.dynamic_lr = any(isinstance(one, Cell) for one in rates)
        self.global_step = Parameter(Tensor(np.zeros(1, np.int32)), name="global_step")
        self.learning_rate: Any = self._rate_attribute(rate, rates)
        self.parameters = ParameterTuple(setting.parameter for setting in settings)
        self._parameters = self.parameters
        self._user_parameters = [parameter.name for parameter in self.parameters]
        for parameter in self.parameters:
            parameter._optimized = True
        _lay_side_by_side(self.parameters)
        self._set_decay([setting.decay for setting in settings], decay)
        self.grad_centralization_flags = tuple(setting.centralize for setting in settings)
        self.grad_centralization = any(self.grad_centralization_flags)
        self.reciprocal_scale = 1.0 / self.loss_scale
        self.need_scale = self.loss_scale != 1.0
        self.param_length = len(settings)
        self.param_rank = self._get_parameter_group_id() if self._is_divided() else None
        self.use_parallel = self.param_rank is not None
        self.optim_filter = owned(self.param_rank, self.param_length)
        self.enable_tuple_broaden = True
        self.global_step_increase_tensor = Tensor(np.ones(1, np.int32))
        self._unique = True
        self._target = "CPU"

    def _rate_attribute(self, rate: Any, rates: list[Any]) -> Any:
        if not self.is_group_lr:
            return rate
        if not self.dynamic_lr:
            return ParameterTuple(rates)
        return CellList(
            [one if isinstance(one, Cell) else ConstantLearningRate(one) for one in rates], auto_prefix=False
        )

    def _set_decay(self, decays: list[Any], default: Any) -> None:
        self.dynamic_weight_decay = any(isinstance(decay, Cell) for decay in decays)
        self.exec_weight_decay = any(isinstance(decay, Cell) or decay > 0 for decay in decays)
        self.dynamic_decay_flags: Any = self.dynamic_weight_decay
        if self.is_group:
            self.dynamic_decay_flags = tuple(isinstance(decay, Cell) for decay in decays)
            self.decay_flags = tuple(isinstance(decay, Cell) or decay > 0 for decay in decays)
            scaled = [self._scaled(decay) for decay in decays]
            if self.dynamic_weight_decay:
                self.weight_decay: Any = CellList(
                    [one if isinstance(one, Cell) else _ConstantDecay(one) for one in scaled], auto_prefix=False
                )
            else:
                self.weight_decay = tuple(scaled)
        else:
            filtered = [parameter.name for parameter in self.parameters]
            self.decay_flags = tuple("beta" not in name and "gamma" not in name for name in filtered)
            self.weight_decay = self._scaled(default)

    def _scaled(self, decay: Any) -> Any:
        return ScaledDecay(decay, self.loss_scale) if isinstance(decay, Cell) else decay * self.loss_scale

    def construct(self, *hyper_params: Any) -> Any:
        """One step, which a subclass defines. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'construct'")

    # Rates and decays of the step

    def get_lr(self) -> Any:
        """The learning rate of this step: a tensor, or with groups that differ a tuple, one for each Parameter."""
        if not self.is_group_lr:
            rate = self.learning_rate
            return _scalar(rate(self.global_step)) if isinstance(rate, Cell) else rate
        if not self.dynamic_lr:
            return tuple(self.learning_rate)
        known: dict[int, Any] = {}
        return tuple(_once(known, rate, self.global_step) for rate in self.learning_rate)

    def get_weight_decay(self) -> Any:
        """The weight decay of this step, times the loss scale; with groups a tuple, one for each Parameter."""
        if not self.dynamic_weight_decay:
            return self.weight_decay
        if self.is_group:
            known: dict[int, Any] = {}
            return tuple(_once(known, decay, self.global_step) for decay in self.weight_decay)
        return self.weight_decay(self.global_step)

    def get_lr_parameter(self, param: Any) -> Any:
        """The Parameter or schedule that gives the learning rate of a Parameter, or a list of them for a list.

        Raises:
            TypeError: if `param` is no Parameter or list of Parameters.
        """
        if isinstance(param, (list, tuple)):
            return [self.get_lr_parameter(item) for item in param]
        need_type(param, Parameter, "get_lr_parameter takes a Parameter or a list of them")
        if not self.is_group_lr:
            rate: Any = self.learning_rate
        else:
            positions = [position for position, own in enumerate(self.parameters) if own is param]
            if not positions:
                raise ValueError(f"the Parameter '{param.name}' is not one of this optimizer's")
            rate = self.learning_rate[positions[0]]
        return rate.learning_rate if isinstance(rate, ConstantLearningRate) else rate

    @property
    def lr(self) -> Any:
        """The learning rate: a Parameter, a schedule, or a list of them."""
        return self.learning_rate

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        """One dict for each Parameter: 'params' and 'lr'."""
        return [{"params": [own], "lr": self.get_lr_parameter(own)} for own in self.parameters]

    # Gradients before the update

    def decay_weight(self, gradients: Any) -> Any:
        """The gradients plus weight decay times the Parameters."""
        if not self.exec_weight_decay:
            return gradients
        decays = self.get_weight_decay()
        if not self.is_group:
            decays = (decays,) * self.param_length
        return tuple(
            gradient + parameter * decay if flag else gradient
            for gradient, parameter, decay, flag in zip(
                gradients, self.parameters, decays, self.decay_flags, strict=True
            )
        )

    def gradients_centralization(self, gradients: Any) -> Any:
        """Gradients less their mean over all axes but the first, where the group asks for it.

        As in MindSpore only gradients of which the first two dimensions are multiples of 16 are changed.
        """
        if not self.grad_centralization:
            return gradients
        return tuple(
            _centralized(gradient) if flag else gradient
            for gradient, flag in zip(gradients, self.grad_centralization_flags, strict=True)
        )

    def scale_grad(self, gradients: Any) -> Any:
        """The gradients divided by the loss scale."""
        if not self.need_scale:
            return gradients
        return tuple(gradient * self.reciprocal_scale for gradient in gradients)

    def flatten_gradients(self, gradients: Any) -> Any:
        """The gradients: they are kept one by one."""
        return gradients

    def broadcast_params(self, optim_result: Any) -> Any:
        """The input. If processes divide the update, each gets the Parameters that the others have updated."""
        if self.param_rank is not None:
            share_updates(self.parameters, self.param_rank)
        return optim_result

    def _mine(self, *columns: Any) -> Iterable[Any]:
        """The rows of columns with an item for each Parameter; only of those that this process updates."""
        return itertools.compress(zip(*columns, strict=True), self.optim_filter)

    def _is_divided(self) -> bool:
        """Whether processes divide the update. NotImplementedError for optimizers that cannot do so."""
        if not divides_updates():
            return False
        if not self._divides or not type(self).__module__.startswith(__name__.rpartition(".")[0]):
            raise NotImplementedError(
                f"processes cannot divide the update of {type(self).__name__}, as enable_parallel_optimizer asks for: "
                "leave it out of set_auto_parallel_context, or take Adam, AdamWeightDecay, Lamb or Momentum"
            )
        return True

    def _prepared(self, gradients: Any) -> tuple[Any, ...]:
        """The gradients with decay, centralization and scale, checked against the Parameters."""
        gradients = self._checked(gradients)
        return tuple(self.scale_grad(self.gradients_centralization(self.decay_weight(gradients))))

    def _checked(self, gradients: Any) -> tuple[Any, ...]:
        need_type(gradients, tuple | list, f"{type(self).__name__} takes a tuple of gradients, one for each Parameter")
        if len(gradients) != self.param_length:
            raise ValueError(
                f"{type(self).__name__} has {self.param_length} Parameters, but got {len(gradients)} gradients"
            )
        for gradient, parameter in zip(gradients, self.parameters, strict=True):
            if not isinstance(gradient, Tensor):
                raise TypeError(
                    f"the gradient of '{parameter.name}' should be a Tensor, but got {type(gradient).__name__}"
                )
            if not (gradient.dtype.is_float or gradient.dtype.is_complex):
                raise TypeError(f"the gradient of '{parameter.name}' should be of floats, but is {gradient.dtype}")
            if gradient._type.shape != parameter._type.shape:
                raise ValueError(
                    f"the gradient of '{parameter.name}' should have shape {parameter.shape}, but has {gradient.shape}"
                )
        return tuple(gradients)

    def _rates(self) -> tuple[Any, ...]:
        """The learning rate of this step for each Parameter."""
        rates = self.get_lr()
        return rates if self.is_group_lr else (rates,) * self.param_length

    def _count_step(self) -> None:
        assign(self.global_step, self.global_step + 1)

    def _moments(self, prefix: str, init: Any = "zeros") -> ParameterTuple:
        """A Parameter for each one trained, of the same shape, named with the prefix."""
        made = []
        for position, parameter in enumerate(self.parameters):
            new = parameter.clone(init) if self.optim_filter[position] else without_numbers(parameter)
            new.name = f"{prefix}.{new.name}"
            if self.param_rank is not None:
                new._divided = self.param_rank[position], parameter.shape
            made.append(new)
        return _lay_side_by_side(ParameterTuple(made))

    # What MindSpore's optimizers have besides

    @property
    def unique(self) -> bool:
        """Whether sparse gradients would have their indices made unique; there are no sparse gradients."""
        return self._unique

    @unique.setter
    def unique(self, value: bool) -> None:
        need_type(value, bool, "'unique' should be a bool")
        self._unique = value

    @property
    def target(self) -> str:
        """Where Parameters live: 'CPU'."""
        return self._target

    @target.setter
    def target(self, value: str) -> None:
        self._set_base_target(value)

    def _set_base_target(self, value: str) -> None:
        """Store the device on which Parameters should be updated; accepted."""
        need_type(value, str, "'target' should be a string")
        if value not in ("CPU", "GPU", "Ascend"):
            raise ValueError(f"'target' should be 'CPU', 'GPU' or 'Ascend', but got {value!r}")
        self._is_device = value != "CPU"
        self._target = value

    def _is_dynamic_lr_or_weight_decay(self) -> bool:
        """Whether the learning rate or the weight decay changes with the step."""
        return bool(self.dynamic_lr or self.dynamic_weight_decay)

    def _grad_sparse_indices_deduplicate(self, gradients: Any) -> Any:
        """The gradients: there are no sparse ones, whose indices could be there twice."""
        return gradients

    def _get_parameter_group_id(self) -> tuple[int, ...]:
        """The rank of the process that updates each Parameter."""
        return owners_of(self.parameters)

    def _preprocess_single_lr(self, learning_rate: Any) -> Any:
        """A learning rate as `_build_single_lr` takes it: a float, a tensor or a schedule."""
        if isinstance(learning_rate, (int, float)) and not isinstance(learning_rate, bool):
            return check_between(float(learning_rate), "learning rate", type(self).__name__, 0.0)
        made = make_rate(learning_rate, "learning_rate", type(self).__name__)
        if isinstance(made, Cell):
            self.dynamic_lr = True
        return made.learning_rate if isinstance(made, IteratorLearningRate) else made

    def _build_single_lr(self, learning_rate: Any, name: str) -> Any:
        """A learning rate under a name: a Parameter, or a Cell of the step."""
        if isinstance(learning_rate, Parameter):
            learning_rate = Tensor(learning_rate.asnumpy())
        made = make_rate(learning_rate, name, type(self).__name__)
        mixed = self.is_group_lr and self.dynamic_lr and isinstance(made, Parameter)
        return ConstantLearningRate(made) if mixed else made

    def _preprocess_weight_decay(self, weight_decay: Any) -> Any:
        """A weight decay times the loss scale."""
        decay = check_decay(weight_decay, type(self).__name__)
        if isinstance(decay, Cell):
            self.dynamic_weight_decay = True
        return self._scaled(decay)


class _ConstantDecay(Cell):
    """The same weight decay at every step."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self.value = value

    def construct(self, global_step: Any) -> Any:
        """The decay."""
        return self.value


def _once(known: dict[int, Any], cell: Cell, step: Any) -> Any:
    """The value of a Cell at the step, computed once where Parameters share the Cell."""
    key = id(cell.learning_rate) if isinstance(cell, ConstantLearningRate) else id(cell)
    if key not in known:
        known[key] = _scalar(cell(step))
    return known[key]


def _scalar(rate: Any) -> Any:
    """A rate as a 0-d tensor; schedules give it the shape [1] of the step counter."""
    return ops.reshape(rate, ()) if isinstance(rate, Tensor) and rate._type.shape == (1,) else rate


def _loss_scale(value: Any, owner: str) -> float:
    if isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    scale = check_float(value, "loss_scale", owner)
    if scale <= 0:
        raise ValueError(f"For '{owner}', the 'loss_scale' should be positive, but got {value}")
    return scale


def _listed(parameters: Any, owner: str) -> list[Any]:
    """What an optimizer is made for, Parameters or groups of them, as a list that is not empty."""
    if parameters is None:
        raise ValueError(f"{owner}: the parameters must not be None")
    if isinstance(parameters, (Tensor, str, dict)) or not isinstance(parameters, Iterable):
        found = f"{type(parameters).__name__}{no_parameters_hint(parameters)}"
        raise TypeError(f"{owner} takes a list of Parameters or a list of dicts, but got {found}")
    items = list(parameters)
    if not items:
        raise ValueError(
            f"{owner}: the parameters must not be empty; layers in a plain list are not found: hold them in an "
            "nn.CellList or nn.SequentialCell"
        )
    return items


def _check_names(parameters: list[Parameter]) -> None:
    seen: set[str] = set()
    for parameter in parameters:
        if parameter.name in seen:
            raise ValueError(
                f"an optimizer's Parameters need different names, but '{parameter.name}' already exists: give each a "
                "name of its own, Parameter(…, name=…)"
            )
        seen.add(parameter.name)


def _centralized(gradient: Any) -> Any:
    shape = gradient._type.shape
    if len(shape) < 2 or shape[0] % 16 or shape[1] % 16:
        return gradient
    return gradient - ops.mean(gradient, tuple(range(1, len(shape))), True)


def _lay_side_by_side(parameters: ParameterTuple) -> ParameterTuple:
    """Let small Parameters lie one after another in memory, so that a compiled step can update them as one vector."""
    for parameter, array in zip(parameters, adjoin([parameter._data for parameter in parameters]), strict=True):
        parameter._data = array
    return parameters
