"""Optimizers keep the arguments that they are made with."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from ....frontend.values.cell import Cell
from ....frontend.values.tensor import Tensor

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
        bound = signature.bind(self, *args, **kwargs)
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
