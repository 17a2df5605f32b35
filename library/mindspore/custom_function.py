"""Functions with gradients of the user's, as classes with `forward` and `backward` (`mindspore._Function`)."""

from __future__ import annotations

import inspect
from typing import Any

from ...frontend.transforms.backward import UserBackward
from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from .. import ops

__all__ = ["_Function"]


class _Context:
    """The values that `forward` saves for `backward`."""

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.saved_tensors: tuple[Any, ...] = ()
        self.needs_input_grad = needs_input_grad

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors as `saved_tensors`."""
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Accepted: which inputs `forward` changes."""

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Accepted: which results have no gradient."""

    def set_materialize_grads(self, value: bool) -> None:
        """Accepted: gradients that nobody gives are zeros."""


class _Applied(Cell):
    """One class of functions as a Cell with a gradient of its own."""

    def __init__(self, kind: type[_Function], fixed: dict[int, Any]) -> None:
        super().__init__(auto_prefix=False)
        self._kind, self._fixed = kind, fixed

    def construct(self, *tensors: Any) -> Any:
        """The result of `forward`."""
        return self._forward(tensors)[1]

    def _arguments(self, tensors: Any) -> list[Any]:
        given, count = iter(tensors), len(tensors) + len(self._fixed)
        return [self._fixed[place] if place in self._fixed else next(given) for place in range(count)]

    def _forward(self, tensors: Any) -> tuple[_Context, Any]:
        arguments = self._arguments(tensors)
        context = _Context(tuple(isinstance(value, Tensor) for value in arguments))
        if len(inspect.signature(self._kind.forward).parameters) == len(arguments) and self._kind._splits():
            result = self._kind.forward(*arguments)
            self._kind.setup_context(context, tuple(arguments), result)
            return context, result
        return context, self._kind.forward(context, *arguments)

    @property
    def users_bprop(self) -> UserBackward:
        """The user's `backward`."""
        return UserBackward(f"the backward of {self._kind.__name__}", self._backward)

    def _backward(self, *values: Any) -> Any:
        tensors, gradient = values[:-2], values[-1]
        context, _ = self._forward(tensors)
        found = self._kind.backward(context, *(gradient if isinstance(gradient, tuple) else (gradient,)))
        several = found if isinstance(found, tuple) else (found,)
        places = [place for place in range(len(tensors) + len(self._fixed)) if place not in self._fixed]
        several += (None,) * (len(tensors) + len(self._fixed) - len(several))
        return tuple(
            ops.zeros_like(tensor) if several[place] is None else several[place]
            for place, tensor in zip(places, tensors, strict=False)
        )

    def bprop(self, *values: Any) -> Any:
        """The gradients by the tensors: `values` are these, the result and its gradient."""
        return self.users_bprop.call(*values)


class _Function:
    """Base of functions with gradients of their own: a subclass defines the static methods `forward(ctx, ...)` and
    `backward(ctx, *gradients)`. The gradient of a call runs `forward` again for what it kept.

    Examples:
        >>> import mycel as ms
        >>> from mycel.library.mindspore.custom_function import _Function
        >>> class Double(_Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...
        ...     @staticmethod
        ...     def backward(ctx, gradient):
        ...         (x,) = ctx.saved_tensors
        ...         return 10 * x * gradient
        >>> print(ms.grad(Double.apply)(ms.Tensor(3.0)))
        30.0
    """

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """The function itself."""
        raise NotImplementedError("You must implement the forward function for custom _Function.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradients by all arguments, None for arguments without one."""
        raise NotImplementedError("You must implement the backward for custom _Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save values for `backward`, if `forward` takes no `ctx`."""
        raise NotImplementedError("setup_context is not implemented.")

    @classmethod
    def _splits(cls) -> bool:
        return cls.setup_context is not _Function.setup_context

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        if kwargs:
            first = () if cls._splits() else (None,)
            args = inspect.signature(cls.forward).bind(*first, *args, **kwargs).args[len(first) :]
        tensors = [value for value in args if isinstance(value, Tensor)]
        fixed = {place: value for place, value in enumerate(args) if not isinstance(value, Tensor)}
        return _Applied(cls, fixed)(*tensors)
