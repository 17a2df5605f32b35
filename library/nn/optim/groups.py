"""Arguments of optimizers: parameter groups with rates, decay and centralization of their own; what is kept of them."""

from __future__ import annotations

import functools
import inspect
import math
import warnings
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from ....frontend.errors.user_files import user_level
from ....frontend.values.arguments import need_type
from ....frontend.values.cell import Cell
from ....frontend.values.parameter import Parameter
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ....runtime.records import dataclass
from ... import ops
from ..learning_rate import LearningRateSchedule

_KEYS = ("params", "lr", "weight_decay", "order_params", "grad_centralization")


@dataclass
class Setting:
    """The settings of one Parameter; `rate` is a Parameter, or a Cell that gives the rate of a step."""

    parameter: Parameter
    rate: Any
    decay: Any
    centralize: bool


class IteratorLearningRate(LearningRateSchedule):
    """The learning rate of a step from a list of them.

    Args:
        learning_rate: a vector, one number for each step.
        name: of the Parameter.
    """

    def __init__(self, learning_rate: Any, name: str) -> None:
        super().__init__()
        numbers = learning_rate.asnumpy() if isinstance(learning_rate, Tensor) else np.asarray(learning_rate)
        if numbers.ndim != 1:
            raise ValueError(f"a learning rate should be a number or a vector, but has {numbers.ndim} dimensions")
        if not numbers.size:
            raise ValueError("a list of learning rates should not be empty")
        _check_rates(numbers, "the optimizer")
        if numbers.size == 1:
            warnings.warn(
                f"a list of one learning rate serves one step: for all steps give the number {numbers[0]:g}",
                UserWarning,
                stacklevel=user_level(),
            )
        self.learning_rate = Parameter(Tensor(numbers.astype(np.float32)), name=name)

    def construct(self, global_step: Any) -> Any:
        """The rate of the step, a 0-d tensor."""
        return ops.reshape(ops.gather(self.learning_rate, global_step, 0), ())


class ConstantLearningRate(LearningRateSchedule):
    """The same learning rate at every step.

    Args:
        learning_rate: a Parameter.
    """

    def __init__(self, learning_rate: Parameter) -> None:
        super().__init__()
        self.learning_rate = learning_rate

    def construct(self, global_step: Any) -> Any:
        """The rate."""
        return self.learning_rate


def _check_rates(numbers: np.ndarray, owner: str) -> None:
    """ValueError unless all are finite numbers that are not negative."""
    wrong = numbers[~((numbers >= 0) & (numbers < math.inf))]
    if wrong.size:
        what = "not be negative" if wrong[0] < 0 else "be finite"
        raise ValueError(f"{owner}'s learning rate should {what}, but got {wrong[0]}")


def make_rate(value: Any, name: str, owner: str) -> Any:
    """The form a learning rate is kept in: a Parameter for a fixed one, else a Cell of the step."""
    if isinstance(value, LearningRateSchedule):
        return value
    if isinstance(value, Cell):
        raise TypeError(f"{owner}'s learning rate should be a LearningRateSchedule, but got {type(value).__name__}")
    if isinstance(value, Tensor):
        if value.ndim > 1:
            raise ValueError(f"{owner}'s learning rate should have at most one dimension, but has {value.ndim}")
        if value.ndim == 1:
            return IteratorLearningRate(value, name)
        if isinstance(value, Parameter):
            return value
        _check_rates(value.asnumpy(), owner)
        return Parameter(Tensor(value, dtypes.float32), name=name)
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        _check_rates(np.asarray(value), owner)
        return Parameter(Tensor(np.float32(value)), name=name)
    if isinstance(value, Iterable) and not isinstance(value, (str, dict)):
        numbers = list(value) if not isinstance(value, np.ndarray) else value
        return IteratorLearningRate(np.asarray(numbers, np.float32), name)
    raise TypeError(
        f"{owner}'s learning rate should be a number, a Tensor, an iterable or a LearningRateSchedule, but got "
        f"{type(value).__name__}"
    )


def check_decay(value: Any, owner: str) -> Any:
    """A weight decay: a number that is not negative, or a Cell of the step. TypeError or ValueError else."""
    if isinstance(value, Cell):
        return value
    need_type(value, int | float | np.number, f"For '{owner}', the 'weight_decay' should be a number or a Cell")
    if not 0 <= value < math.inf:
        what = "not be negative" if value < 0 else "be finite"
        raise ValueError(f"For '{owner}', the 'weight_decay' should {what}, but got {value}")
    return float(value)


def is_grouped(parameters: list[Any]) -> bool:
    """Whether the list is of dicts. TypeError unless all items are dicts, or all Parameters."""
    if all(isinstance(item, Parameter) for item in parameters):
        return False
    if all(isinstance(item, dict) for item in parameters):
        return True
    kinds = sorted({type(item).__name__ for item in parameters})
    raise TypeError(f"an optimizer takes a list of Parameters or a list of dicts, but got {', '.join(kinds)}")


def settings_of_groups(groups: list[dict[str, Any]], rate: Any, decay: Any, owner: str) -> tuple[list[Setting], bool]:
    """The settings of all Parameters in the groups, and whether an order was given.

    Raises:
        KeyError: for an unknown key, or a group without 'params'.
        ValueError: for an empty group, or an order that is not of the Parameters.
        RuntimeError: if a Parameter is in two groups.
    """
    found: list[Setting] = []
    seen: set[int] = set()
    order: list[Parameter] | None = None
    for number, group in enumerate(groups):
        unknown = [key for key in group if key not in _KEYS]
        if unknown:
            raise KeyError(f"a parameter group has the keys {', '.join(_KEYS)}, but got {', '.join(map(str, unknown))}")
        if "order_params" in group:
            order = list(group["order_params"])
            continue
        if "params" not in group:
            raise KeyError("a parameter group needs the key 'params'")
        parameters = list(group["params"])
        if not parameters:
            raise ValueError("'params' of a parameter group must not be empty")
        group_rate = make_rate(group["lr"], f"learning_rate_group_{number}", owner) if "lr" in group else rate
        group_decay = check_decay(group["weight_decay"], owner) if "weight_decay" in group else decay
        centralize = group.get("grad_centralization", False)
        need_type(centralize, bool, "'grad_centralization' should be a bool")
        for parameter in parameters:
            need_type(parameter, Parameter, "'params' of a parameter group holds Parameters")
            if id(parameter) in seen:
                raise RuntimeError(f"Parameter '{parameter.name}' is in the optimizer's groups already")
            seen.add(id(parameter))
            found.append(Setting(parameter, group_rate, group_decay, centralize))
    if order is None:
        return found, False
    if len(order) != len(found):
        raise ValueError(f"'order_params' has {len(order)} Parameters, but the groups have {len(found)}")
    by_parameter = {id(setting.parameter): setting for setting in found}
    for parameter in order:
        if id(parameter) not in by_parameter:
            name = getattr(parameter, "name", parameter)
            raise ValueError(f"'order_params' has the Parameter '{name}', which is in no group")
    return [by_parameter[id(parameter)] for parameter in order], True


Init = TypeVar("Init", bound=Callable[..., None])


def opt_init_args_register(fn: Init) -> Init:
    """A decorator for an optimizer's `__init__`, which stores its arguments.

    `init_params` is {"params": the Parameters}, `init_learning_rate` the rate (None for a Cell), `init_args` a dict of
    the other arguments.

    Args:
        fn: the `__init__`.

    Returns:
        The `__init__` that keeps its arguments.

    Raises:
        TypeError: when the optimizer is made with arguments that `fn` does not take.

    Examples:
        >>> from mycel import Parameter, Tensor, nn
        >>> optimizer = nn.SGD([Parameter(Tensor([1.0]), name="w")], learning_rate=0.5)
        >>> optimizer.init_learning_rate, optimizer.init_args["momentum"]
        (0.5, 0.0)
    """
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}: {error}") from None
        bound.apply_defaults()
        arguments = dict(list(bound.arguments.items())[1:])
        kept: dict[str, Any] = {}
        if "params" in arguments:
            kept["init_params"] = {"params": arguments.pop("params")}
        if "optimizer" in arguments:
            kept["init_params"] = {"params": arguments.pop("optimizer").init_params["params"]}
        if "learning_rate" in arguments:
            rate = arguments.pop("learning_rate")
            if isinstance(rate, Tensor):
                rate = rate.asnumpy().tolist()
            kept["init_learning_rate"] = None if isinstance(rate, Cell) else rate
        kept["init_args"] = arguments
        for name, value in kept.items():
            object.__setattr__(self, name, value)
        fn(self, *args, **kwargs)

    return init  # type: ignore[return-value]
