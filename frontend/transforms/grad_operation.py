"""Gradients under MindSpore's older names: GradOperation and get_grad."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..values.cell import Cell
from ..values.parameter import Parameter
from .grad import GradientFunction, check_function, check_weights
from .request import Request

if TYPE_CHECKING:
    pass

__all__ = ["GradOperation", "get_grad"]


class GradOperation:
    """A higher-order function that gives gradient functions.

    Args:
        get_all: whether to differentiate by all inputs (a tuple of gradients) in place of the first (bare).
        get_by_list: whether to differentiate by the Parameters given when it is called; with `get_all`, by both.
        sens_param: whether the gradient function takes the sensitivity of the output as its last argument.

    Raises:
        TypeError: if a flag is no bool.

    Examples:
        >>> import mycel as ms
        >>> from mycel import ops
        >>> print(ops.GradOperation()(lambda x: x ** 3)(ms.Tensor(2.0)))
        12.0
    """

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False) -> None:
        for name, flag in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(flag, bool):
                raise TypeError(f"'{name}' of GradOperation should be a bool, but got {type(flag).__name__}")
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param
        self._made: dict[Any, GradientFunction] = {}

    def __call__(self, fn: Callable[..., Any], weights: Any = None, grad_position: int = 0) -> GradientFunction:
        """The gradient function of `fn`; `weights` are needed with `get_by_list`. The same call gives the same
        function."""
        check_function(fn, "GradOperation")
        if self.get_by_list and weights is None:
            if not isinstance(fn, Cell):
                raise TypeError("GradOperation(get_by_list=True) needs the Parameters, unless it differentiates a Cell")
            weights = fn.trainable_params()
        parameters, bare_weight = check_weights(weights) if self.get_by_list else (None, False)
        ids = None if parameters is None else tuple([id(parameter) for parameter in parameters])
        key = (id(fn), ids, bare_weight)
        found = self._made.get(key)
        if found is None or found.function is not fn:
            positions: Any = "all" if self.get_all else None if self.get_by_list else (0,)
            request = Request(positions, parameters, positions == (0,), bare_weight, sens=self.sens_param)
            found = self._made[key] = GradientFunction(fn, request)
        return found

    def __deepcopy__(self, memo: dict[int, Any]) -> GradOperation:
        return GradOperation(self.get_all, self.get_by_list, self.sens_param)


def get_grad(gradients: Any, identifier: Any) -> Any:
    """The gradient for a position or Parameter in what a gradient function with `return_ids=True` gave.

    Args:
        gradients: the gradients with their ids.
        identifier: the position of an argument, or a Parameter.

    Raises:
        TypeError: if the identifier is neither an int nor a Parameter. RuntimeError: if there is no such gradient.

    Examples:
        >>> import mycel as ms
        >>> g = ms.grad(lambda x, y: x * y, (0, 1), return_ids=True)(ms.Tensor(2.0), ms.Tensor(5.0))
        >>> print(ms.get_grad(g, 1))
        2.0
    """
    if isinstance(identifier, Parameter):
        wanted: Any = identifier.name
    elif isinstance(identifier, int) and not isinstance(identifier, bool):
        wanted = identifier
    else:
        raise TypeError(f"get_grad takes a position or a Parameter, but got {type(identifier).__name__}")
    found = _search(gradients, wanted)
    if found is None:
        raise RuntimeError(f"Can not find the gradient for position or Parameter {wanted!r}")
    return found


def _search(gradients: Any, wanted: Any) -> Any:
    if not isinstance(gradients, tuple):
        return None
    if len(gradients) == 2 and isinstance(gradients[0], (int, str)) and not isinstance(gradients[0], bool):
        return gradients[1] if gradients[0] == wanted else None
    for item in gradients:
        found = _search(item, wanted)
        if found is not None:
            return found
    return None
