"""Functions about programs: Parameters assigned, values printed, gradients stopped or changed on their way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...compiler import ops as prims
from ...frontend.control_flow import calls as control
from ...frontend.transforms.backward import UserBackward
from ...frontend.transforms.custom_call import insert_gradient_of, pass_through
from ...frontend.values import tree
from ...frontend.values.arguments import need_type
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.inplace import assign_parameter, updated
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .documentation import anything
from .math import add, sub
from .table import known_as, made

__all__ = [
    "HookBackward", "InsertGradientOf", "add_flags", "assign", "assign_add", "assign_sub", "core",
    "mixed_precision_cast", "print_", "stop_gradient", "tuple_len", "typeof",
]  # fmt: skip


@known_as(primitive="Assign")
def assign(variable: Parameter, value: Any) -> Any:
    """Give a Parameter new numbers.

    Reads after it see them; no gradient flows through the assignment.

    Args:
        variable: the Parameter.
        value: a tensor of its shape, or a number.

    Returns:
        A tensor of the Parameter's new numbers.

    Raises:
        TypeError: if `variable` is no Parameter, or `value` is of a kind or width that its dtype does not hold.
        ValueError: if the shapes differ.

    Examples:
        >>> import mycel as ms
        >>> weight = ms.Parameter(ms.Tensor([1.0, 2.0]), name="weight")
        >>> print(ms.ops.assign(weight, ms.Tensor([3.0, 4.0])).asnumpy())
        [3. 4.]
    """
    return updated(assign_parameter(_parameter(variable, "assign"), value))


def _parameter(variable: Any, function: str) -> Any:
    return need_type(variable, Tensor, f"{function}: 'variable' should be a Parameter")


def _assigning(name: str, word: str, compute: Callable[[Any, Any], Tensor], printed: str) -> Any:
    """The function that changes a Parameter by a value."""

    def run(variable: Parameter, value: Any) -> Tensor:
        """{word} a Parameter in place; arguments, result and errors as for `assign`.

        Args:
            variable: a Parameter.
            value: a tensor that can be broadcast to its shape, or a number.

        Raises:
            TypeError: if `variable` is no Tensor.

        Examples:
            >>> import mycel as ms
            >>> weight = ms.Parameter(ms.Tensor([1.0, 2.0]), name="weight")
            >>> print(ms.ops.{name}(weight, ms.Tensor([1.0, 1.0])).asnumpy())
            {printed}
        """
        variable = _parameter(variable, name)
        return updated(assign_parameter(variable, cast(compute(variable, value), variable.dtype)))

    return known_as(primitive=name.title().replace("_", ""))(made(run, name, word=word, printed=printed))


assign_add = _assigning("assign_add", "Add to", add, "[2. 3.]")
assign_sub = _assigning("assign_sub", "Subtract from", sub, "[0. 1.]")


@known_as(primitive="StopGradient")
def stop_gradient(value: Any) -> Any:
    """`value` (a tensor, or containers of them), through which no gradient passes.

    Args:
        value: a tensor of any shape and dtype, or containers of some.

    Raises:
        TypeError: if the argument is missing.

    Examples:
        >>> import mycel as ms
        >>> print(ms.grad(lambda x: x * ms.ops.stop_gradient(x))(ms.Tensor(3.0)))
        3.0
    """
    return tree.map_tensors(lambda tensor: apply(prims.stop_gradient, tensor), value)


class InsertGradientOf:
    """Lets the gradient that passes a place go through a function.

    Args:
        f: from the gradient at the place to the one to go on with.

    Raises:
        TypeError: if `f` is no function.

    Examples:
        >>> import mycel as ms
        >>> double = ms.ops.InsertGradientOf(lambda gradient: gradient * 2)
        >>> print(ms.grad(lambda x: double(x) * 3)(ms.Tensor(1.0)))
        6.0
    """

    def __init__(self, f: Callable[[Any], Any]) -> None:
        if not callable(f):
            raise TypeError(f"InsertGradientOf: 'f' should be a function, but got {type(f).__name__}")
        self.f = f

    def __call__(self, x: Tensor) -> Tensor:
        """x, unchanged."""
        return insert_gradient_of(x, self.f, "the function of InsertGradientOf")


class HookBackward:
    """Shows the gradient that passes a place to a function, which may change it.

    Args:
        hook_fn: called with a tuple of the gradient; what it returns is the gradient from there on, unless it is None.
        cell_id: accepted.

    Raises:
        TypeError: if `hook_fn` is no function.

    Examples:
        >>> import mycel as ms
        >>> hook = ms.ops.HookBackward(lambda gradient: gradient[0] * 2)
        >>> print(ms.grad(lambda x: hook(x) * 3)(ms.Tensor(1.0)))
        6.0
    """

    def __init__(self, hook_fn: Callable[[Any], Any], cell_id: str = "") -> None:
        if not callable(hook_fn):
            raise TypeError(f"HookBackward: 'hook_fn' should be a function, but got {type(hook_fn).__name__}")
        self.hook_fn = hook_fn
        self.cell_id = cell_id

    def __call__(self, *inputs: Tensor) -> Any:
        """The inputs, unchanged."""

        def passing(gradients: tuple[Any, ...]) -> tuple[Any, ...]:
            changed = control.call(self.hook_fn, gradients)
            return UserBackward("the hook of HookBackward", self.hook_fn).several(changed, gradients)

        results = pass_through(inputs, passing)
        return results[0] if len(results) == 1 else results


def add_flags(fn: Any = None, **flags: Any) -> Any:
    """Set flags as attributes of a function or Cell; also as a decorator with the flags alone.

    Args:
        fn: the function or Cell; None for a decorator.
        flags: the flags.

    Raises:
        TypeError: if more than one function is given.

    Examples:
        >>> from mycel import ops
        >>> @ops.add_flags(fast=True)
        ... def square(x):
        ...     return x * x
        >>> square.fast
        True
    """

    def decorate(function: Any) -> Any:
        for name, value in flags.items():
            setattr(function, name, value)
        return function

    return decorate if fn is None else decorate(fn)


def core(fn: Any = None, **flags: Any) -> Any:
    """`add_flags` with the flag `core`, as a decorator with or without further flags.

    Args:
        fn: the function; None for a decorator.
        flags: further flags.

    Raises:
        TypeError: if more than one function is given.

    Examples:
        >>> from mycel import ops
        >>> print(ops.core(lambda x: x)(1))
        1
    """
    return add_flags(fn, core=True, **flags)


def mixed_precision_cast(dst_dtype: Any, x: Any) -> Any:
    """The floating-point tensors in x (a tensor, or containers of them) in another dtype.

    Args:
        dst_dtype: the dtype.
        x: a tensor of any shape, or a tuple, list or dict of some.

    Raises:
        TypeError: if `dst_dtype` is no dtype.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.mixed_precision_cast(ms.float16, ms.Tensor([1.0])).dtype)
        Float16
    """
    dtype = dtypes.as_dtype(dst_dtype)
    return tree.map_tensors(lambda tensor: cast(tensor, dtype) if tensor.dtype.is_float else tensor, x)


def tuple_len(x: Sequence[Any]) -> int:
    """How many items a tuple has.

    Args:
        x: a tuple or list.

    Raises:
        TypeError: if it is neither.

    Examples:
        >>> from mycel import ops
        >>> ops.tuple_len((1, 2))
        2
    """
    return len(x)


@anything
def typeof(x: Any) -> Any:
    """The dtype of a tensor, or the Python type of anything else.

    Examples:
        >>> print(ops.typeof(Tensor([1.0])))
        Float32
    """
    return x.dtype if isinstance(x, Tensor) else type(x)


def print_(*inputs: Any) -> None:
    """Print, also from compiled functions, at every run.

    Args:
        inputs: tensors, numbers and strings.

    Raises:
        TypeError: if a keyword argument is given.

    Examples:
        >>> from mycel import ops
        >>> ops.print_("ready")
        ready
    """
    control.call(print, *inputs)
