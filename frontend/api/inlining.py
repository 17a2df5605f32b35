"""MindSpore's switches for inlining and dynamic shapes (`lazy_inline`, `enable_dynamic`, …)."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..values.tensor import AnySize, Tensor

__all__ = ["Symbol", "_primexpr", "deprecated", "enable_dynamic", "lazy_inline", "ms_memory_recycle", "no_inline"]


def lazy_inline(fn: Any = None, attrs: Any = None, policy: str | None = None) -> Any:
    """A decorator for the `__init__` of a Cell. It changes nothing: every Cell is inlined when its graph is traced.

    Args:
        fn: the `__init__`; without it a decorator is made.
        attrs: accepted.
        policy: None or "front".

    Raises:
        ValueError: for another policy.

    Examples:
        >>> import mycel as ms
        >>> class Block(ms.nn.Cell):
        ...     @ms.lazy_inline
        ...     def __init__(self):
        ...         super().__init__()
        ...
        ...     def construct(self, x):
        ...         return x * 2
        >>> print(Block()(ms.Tensor(2.0)))
        4.0
    """
    if policy not in (None, "front"):
        raise ValueError(f"For 'lazy_inline', the 'policy' should be None or 'front', but got {policy!r}")
    return fn if fn is not None else lambda function: function


def no_inline(fn: Any = None) -> Any:
    """A decorator for a function. It changes nothing, because inlining does not change results.

    Examples:
        >>> import mycel as ms
        >>> print(ms.no_inline(ms.ops.neg)(ms.Tensor([1.0])))
        [-1.]
    """
    if not callable(fn):
        raise ValueError(f"For 'no_inline', the first argument should be a function, but got {type(fn).__name__}")
    return fn


def enable_dynamic(**arguments: Any) -> Callable[[Any], Any]:
    """Declare arguments whose shapes may vary. It changes nothing: each new shape is compiled when it occurs.

    Args:
        arguments: for names of arguments, Tensors made with None in their shape, or tuples and lists of them.

    Raises:
        ValueError: without arguments, or for a name that the function does not take.
        TypeError: for a shape without None.

    Examples:
        >>> import mycel as ms
        >>> @ms.enable_dynamic(x=ms.Tensor(shape=[None, 2], dtype=ms.float32))
        ... @ms.jit
        ... def total(x):
        ...     return x.sum()
        >>> print(total(ms.ops.ones((3, 2))), total(ms.ops.ones((5, 2))))
        6.0 10.0
    """
    if not arguments:
        raise ValueError("When using decorator enable_dynamic, the input cannot be empty!")
    for name, value in arguments.items():
        _check_varies(name, value)

    def decorate(function: Any) -> Any:
        if not callable(function):
            raise ValueError(
                "Decorator enable_dynamic can only be used for function or method decorated by ms.jit, "
                f"but got {function}."
            )
        taken = inspect.signature(getattr(function, "function", function)).parameters
        for name in arguments:
            if name not in taken:
                raise ValueError(
                    f"For 'enable_dynamic', '{name}' is no argument of the function, which takes {list(taken)}"
                )
        return function

    return decorate


def _check_varies(name: str, value: Any) -> None:
    if isinstance(value, (tuple, list)):
        for item in value:
            _check_varies(name, item)
        return
    shape = value.shape if isinstance(value, Tensor) else None
    if shape is not None and all(size > 0 for size in shape):  # a size that varies is held as none
        raise TypeError(f"When using decorator enable_dynamic, the shape of argument '{name}' at least have one None.")


@contextmanager
def ms_memory_recycle() -> Iterator[None]:
    """A block after which memory is freed. It changes nothing: a program's intermediate values end with each call.

    Examples:
        >>> import mycel as ms
        >>> with ms.ms_memory_recycle():
        ...     print(ms.Tensor([1.0]) + 1)
        [2.]
    """
    yield


def _primexpr(fn: Any = None, get_instance: bool = True, name: str | None = None, reuse_result: bool = True) -> Any:
    """A decorator for a function of sizes and other Python values. It changes nothing: such code runs during the
    trace."""
    return fn if fn is not None else lambda function: function


class Symbol(AnySize):
    """Properties of a size that varies, for the shapes of `set_inputs`.

    Args:
        max, min, divisor, remainder: bounds, a divisor, and the remainder of the size divided by it.
        unique: whether equal symbols mean equal sizes.

    Raises:
        TypeError: for values of other types.
        ValueError: for bounds that no size can keep.

    Examples:
        >>> import mycel as ms
        >>> ms.Symbol(max=16, divisor=4).max
        16
    """

    def __init__(
        self, max: int = 0, min: int = 1, divisor: int = 1, remainder: int = 0, unique: bool = False, **kwargs: Any
    ) -> None:
        for name, value in (("max", max), ("min", min), ("divisor", divisor), ("remainder", remainder)):
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"For 'Symbol', the '{name}' must be int, but got {type(value).__name__}")
        if max and max < min:
            raise ValueError(
                f"For 'Symbol', the 'max' value must be greater than or equal to the 'min' value {min}, but got {max}"
            )
        if divisor < 1 or not 0 <= remainder < divisor:
            raise ValueError(
                f"For 'Symbol', the 'remainder' must be in [0, 'divisor'), but got {remainder} and {divisor}"
            )
        self.max, self.min, self.divisor, self.remainder, self.unique = max, min, divisor, remainder, unique

    def __repr__(self) -> str:
        names = ("max", "min", "divisor", "remainder", "unique")
        return f"Symbol({', '.join(f'{name}={getattr(self, name)}' for name in names)})"


def deprecated(version: str, substitute: str, use_substitute_name: bool = False) -> Callable[[Any], Any]:
    """A decorator: each call of the function warns that it is deprecated from `version` on, in favour of `substitute`.

    Examples:
        >>> import mycel as ms
        >>> ms.deprecated("2.0", "ops.neg")(ms.ops.neg).__name__
        'neg'
    """

    def decorate(function: Any) -> Any:
        @functools.wraps(function)
        def warned(*args: Any, **kwargs: Any) -> Any:
            name = substitute if use_substitute_name else function.__name__
            warnings.warn(
                f"'{name}' is deprecated from version {version} and will be removed in a future version, "
                f"use '{substitute}' instead.",
                DeprecationWarning,
                stacklevel=2,
            )
            return function(*args, **kwargs)

        return warned

    return decorate
