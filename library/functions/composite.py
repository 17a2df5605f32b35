"""Functions over functions and containers: HyperMap, Map, MultitypeFuncGraph, partial, clip_by_global_norm, …"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from ...compiler import ops as prims
from ...frontend.control_flow.conversion import mark_convertible
from ...frontend.errors.classes import MapError
from ...frontend.values.arguments import need_type
from ...frontend.values.dispatch import apply, cast, promote
from ...frontend.values.operands import to_float
from ...frontend.values.tensor import Tensor
from ...frontend.values.tree import children, is_namedtuple
from ...runtime import dtypes
from .overloads import MultitypeFuncGraph, call
from .table import known_as

__all__ = [
    "ForiLoop", "HyperMap", "Map", "Scan", "WhileLoop", "clip_by_global_norm", "clip_by_norm", "constexpr",
    "depend", "partial", "tail",
]  # fmt: skip


class Map:
    """Applies a function to the items of sequences, one from each, and gives a tuple of the results.

    Args:
        ops: the function, a MultitypeFuncGraph; None: the first argument of each call.
        reverse: whether the items are taken from the last to the first.

    Raises:
        TypeError: if `ops` is a plain function.
        RuntimeError: if the sequences differ in length.

    Examples:
        >>> import mycel as ms
        >>> ms.ops.Map()(lambda a, b: a + b, (1, 2), (10, 20))
        (11, 22)
    """

    def __init__(self, ops: Any = None, reverse: bool = False) -> None:
        if ops is not None and not isinstance(ops, (MultitypeFuncGraph, Map)):
            raise MapError(
                f"unable to cast Python instance of type {type(ops)} to the MultitypeFuncGraph that "
                f"{type(self).__name__}'s 'ops' should be: give plain functions as the first argument of the call"
            )
        self.ops = ops
        self.reverse = reverse
        self.name = type(self).__name__.lower()

    def __call__(self, *arguments: Any) -> Any:
        """Apply the function of the constructor, or the first argument, to the items of the sequences."""
        function = self.ops
        if function is None:
            if not arguments:
                raise TypeError(f"{type(self).__name__}() needs a function and sequences")
            function, *sequences = arguments
        else:
            sequences = list(arguments)
        if not sequences:
            raise TypeError(f"{type(self).__name__}() needs at least one sequence to take items from")
        return self._apply(function, sequences, top=True)

    def _apply(self, function: Callable[..., Any], sequences: list[Any], top: bool) -> Any:
        found = [children(item) for item in sequences]
        if not top or found[0] is None:
            return call(function, *sequences)
        items, build = self._items(found, sequences)
        return build([self._apply(function, list(row), top=False) for row in items])

    def _items(self, found: list[Any], sequences: list[Any]) -> tuple[Iterable[Any], Callable[..., Any]]:
        for position, entry in enumerate(found):
            if entry is None:
                raise MapError(
                    f"{type(self).__name__}: argument {position} should be a sequence as the first one, but it is "
                    f"{type(sequences[position]).__name__}"
                )
        lengths = [len(entry[0]) for entry in found]
        if len(set(lengths)) > 1:
            kinds = "lists" if isinstance(sequences[0], list) else "tuples"
            raise RuntimeError(f"The {kinds} in {type(self).__name__} should have the same length, but got {lengths}")
        rows = list(zip(*[entry[0] for entry in found], strict=True))
        build = _plain_builder(sequences[0], found[0][1])
        if not self.reverse:
            return rows, build
        return rows[::-1], lambda results: build(list(results)[::-1])

    def register(self, *types: Any) -> Callable[..., Any]:
        """Register an implementation with the function of the constructor."""
        if self.ops is None:
            raise RuntimeError(f"{type(self).__name__} was made without a MultitypeFuncGraph to register with")
        return self.ops.register(*types)


def _plain_builder(sequence: Any, build: Callable[..., Any]) -> Callable[..., Any]:
    """The function that makes the result: a plain tuple or list also for subclasses, such as a ParameterTuple or a
    CellList."""
    if isinstance(sequence, tuple) and not is_namedtuple(sequence):
        return tuple
    return list if isinstance(sequence, list) else build


class HyperMap(Map):
    """As `Map`, but going into nested containers, whose kinds (tuple, list, dict) the result keeps.

    Args:
        ops: the function; None: the first argument of the call.
        reverse: whether the containers are gone through from the end.

    Raises:
        ValueError: if the containers differ in their lengths.

    Examples:
        >>> import mycel as ms
        >>> ms.ops.HyperMap()(lambda a: a * 2, [1, (2, 3)])
        [2, (4, 6)]
    """

    def _apply(self, function: Callable[..., Any], sequences: list[Any], top: bool) -> Any:
        found = [children(item) for item in sequences]
        if found[0] is None and all(entry is None for entry in found):
            return call(function, *sequences)
        if found[0] is None:
            raise MapError(f"{type(self).__name__}: the first argument is no container, but another one is")
        items, build = self._items(found, sequences)
        return build([self._apply(function, list(row), top=False) for row in items])


def partial(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """A function with its first arguments given.

    Args:
        function: the function.
        arguments, named: the arguments that are given now.

    Raises:
        TypeError: if the function does not take them.

    Examples:
        >>> import mycel as ms
        >>> ms.ops.partial(lambda a, b: a - b, 10)(3)
        7
    """
    if not callable(function):
        raise TypeError(f"partial() takes a function first, but got {type(function).__name__}")
    return functools.partial(function, *arguments, **named)


def tail(sequence: Any) -> Any:
    """A tuple or list without its first item.

    Args:
        sequence: a tuple or list.

    Raises:
        TypeError: if it is neither.

    Examples:
        >>> from mycel import ops
        >>> print(ops.tail((1, 2, 3)))
        (2, 3)
    """
    need_type(sequence, tuple | list, "tail() takes a tuple or list")
    if not sequence:
        raise ValueError("tail() of an empty sequence")
    return sequence[1:]


def depend(value: Any, expr: Any) -> Any:
    """`value`. `expr`, and its side effects, were computed before (they always are).

    Args:
        value: anything.
        expr: anything.

    Raises:
        TypeError: if an argument is missing.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.depend(Tensor([1.0]), Tensor([2.0])))
        [1.]
    """
    return value


@known_as(mint=True)
def constexpr(
    fn: Any = None, get_instance: bool = True, name: str | None = None, reuse_result: bool = True, check: bool = True
) -> Any:
    """A function of constants, run while tracing: it sees Python values and gives Python values.

    Args:
        fn: the function.
        get_instance, name, reuse_result, check: accepted.

    Raises:
        TypeError: if the function is called with a tensor that only the run knows.

    Examples:
        >>> import mycel as ms
        >>> @ms.ops.constexpr
        ... def double(n):
        ...     return n * 2
        >>> double(4)
        8
    """

    def decorate(function: Callable[..., Any]) -> Any:
        @functools.wraps(function)
        def run(*arguments: Any, **named: Any) -> Any:
            return function(*arguments, **named)

        return run if get_instance else (lambda: run)

    return decorate if fn is None else decorate(fn)


# Norms and clipping


def _squares(tensors: Iterable[Tensor]) -> Tensor:
    """The sum of the squares of all elements, as Float32."""
    result: Tensor | None = None
    for tensor in tensors:
        wide = cast(tensor, dtypes.float32) if tensor.dtype is not dtypes.float64 else tensor
        squared = apply(prims.sum, apply(prims.square, wide), axis=tuple(range(wide.ndim)), keepdims=False)
        result = squared if result is None else apply(prims.add, *promote(result, squared))
    if result is None:
        raise ValueError("there are no tensors to take the norm of")
    return result


def _sequence(x: Any, function: str) -> list[Tensor]:
    need_type(x, tuple | list, f"{function}: 'x' should be a tuple or list of Tensors")
    return [need_type(item, Tensor, f"{function}: 'x' should hold Tensors") for item in x]


def _scaled(tensor: Tensor, factor: Tensor) -> Tensor:
    wide = cast(tensor, factor.dtype)
    return cast(apply(prims.multiply, wide, factor), tensor.dtype)


def clip_by_global_norm(x: Any, clip_norm: Any = 1.0, use_norm: Any = None) -> Any:
    """Tensors scaled by clip_norm / max(norm, clip_norm), with the norm of all elements together.

    Args:
        x: a tuple or list of Tensors; the result is of the same kind.
        clip_norm: the largest norm allowed, a positive number.
        use_norm: must be None (as in MindSpore).

    Raises:
        ValueError: if `clip_norm` is not positive, or `use_norm` is given.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.clip_by_global_norm((ms.Tensor([3.0, 4.0]),), 1.0)[0])
        [0.6 0.8]
    """
    if use_norm is not None:
        raise ValueError(f"clip_by_global_norm: 'use_norm' should be None, but got {use_norm}")
    if not isinstance(clip_norm, Tensor) and not clip_norm > 0:
        raise ValueError(f"clip_by_global_norm: 'clip_norm' should be positive, but got {clip_norm}")
    tensors = _sequence(x, "clip_by_global_norm")
    norm = apply(prims.sqrt, _squares(tensors))
    bound = cast(clip_norm, norm.dtype) if isinstance(clip_norm, Tensor) else Tensor(float(clip_norm), norm.dtype)
    factor = apply(prims.divide, bound, apply(prims.maximum, norm, bound))
    result = [_scaled(tensor, factor) for tensor in tensors]
    return result if isinstance(x, list) else tuple(result)


def clip_by_norm(x: Any, max_norm: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any:
    """Tensors scaled so that the norm of all their elements together is at most `max_norm`.

    Args:
        x: a Tensor, or a tuple or list of Tensors; the result is of the same kind. Integers count as Float32.
        max_norm: the largest norm.
        norm_type: the order of the norm; float("inf") for the largest magnitude.
        error_if_nonfinite: whether a norm that is nan or infinite raises RuntimeError.

    Raises:
        TypeError: if `x` is no Tensor, or an item is no Tensor.
        ValueError: if `max_norm` is a negative number, which would turn the tensors around.
        RuntimeError: if the norm is not finite and `error_if_nonfinite` is set.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.clip_by_norm(Tensor([3.0, 4.0]), 1.0))
        [0.5999999  0.79999983]
    """
    single = isinstance(x, Tensor)
    tensors = [to_float(tensor) for tensor in ([x] if single else _sequence(x, "clip_by_norm"))]
    if not tensors:
        return x
    if isinstance(max_norm, (int, float)) and not max_norm >= 0:
        raise ValueError(f"clip_by_norm: 'max_norm' should not be negative, but got {max_norm}")
    norm = _norm(tensors, float(norm_type))
    if error_if_nonfinite and not apply(prims.isfinite, norm):
        raise RuntimeError(f"clip_by_norm: the norm is {norm}, neither a number nor finite")
    factor = apply(prims.divide, cast(max_norm, norm.dtype) if isinstance(max_norm, Tensor) else max_norm,
                   apply(prims.add, norm, 1e-6))  # fmt: skip
    factor = apply(prims.minimum, factor, 1.0)
    result = [_scaled(tensor, factor) for tensor in tensors]
    return result[0] if single else result if isinstance(x, list) else tuple(result)


def _norm(tensors: list[Tensor], order: float) -> Tensor:
    if order == 2:
        return apply(prims.sqrt, _squares(tensors))
    parts = []
    for tensor in tensors:
        size = apply(prims.absolute, cast(tensor, dtypes.float32) if not tensor.dtype.is_float else tensor)
        axes = tuple(range(size.ndim))
        if order == float("inf"):
            parts.append(apply(prims.max, size, axis=axes, keepdims=False))
        else:
            parts.append(apply(prims.sum, apply(prims.power, size, order), axis=axes, keepdims=False))
    result = parts[0]
    for part in parts[1:]:
        result = apply(prims.maximum if order == float("inf") else prims.add, *promote(result, part))
    return result if order == float("inf") else apply(prims.power, result, 1.0 / order)


# Loops given as functions


class WhileLoop:
    """`WhileLoop()(cond_func, loop_func, init_val)`: while the condition holds, the loop function gives the next value.

    Raises:
        TypeError: if the condition gives no bool.

    Examples:
        >>> import mycel as ms
        >>> ms.ops.WhileLoop()(lambda n: n < 10, lambda n: n * 2, 1)
        16
    """

    def __call__(self, cond_func: Callable[..., Any], loop_func: Callable[..., Any], init_val: Any) -> Any:
        """Run the loop, and give its last value."""
        return call(_while_loop, cond_func, loop_func, init_val)


@mark_convertible
def _while_loop(condition: Callable[..., Any], body: Callable[..., Any], value: Any) -> Any:
    while condition(value):
        value = body(value)
    return value


class ForiLoop:
    """`ForiLoop()(lower, upper, loop_func, init_val)`: the loop function takes each index and the value so far.

    Raises:
        TypeError: if the loop function gives a value of another kind.

    Examples:
        >>> import mycel as ms
        >>> ms.ops.ForiLoop()(0, 4, lambda i, total: total + i, 0)
        6
    """

    def __call__(
        self, lower: Any, upper: Any, loop_func: Callable[..., Any], init_val: Any, unroll: bool = True
    ) -> Any:
        """Run the loop, and give its last value."""
        return call(_fori_loop, lower, upper, loop_func, init_val)


@mark_convertible
def _fori_loop(lower: Any, upper: Any, body: Callable[..., Any], value: Any) -> Any:
    for index in range(lower, upper):
        value = body(index, value)
    return value


class Scan:
    """`Scan()(loop_func, init, xs, length=None)`: the loop function takes the value so far and an item of `xs`.

    It gives the next value and an output; the last value and the list of outputs are the result.

    Raises:
        ValueError: if `xs` is empty and no length is given.

    Examples:
        >>> import mycel as ms
        >>> ms.ops.Scan()(lambda total, x: (total + x, total), 0, [1, 2, 3])
        (6, [0, 1, 3])
    """

    def __call__(
        self, loop_func: Callable[..., Any], init: Any, xs: Any, length: int | None = None, unroll: bool = True
    ) -> tuple[Any, list[Any]]:
        """Run the loop, and give its last value and the outputs."""
        if length is not None and xs is not None and len(xs) != length:
            raise ValueError(f"Scan: 'length' is {length}, but 'xs' has {len(xs)} items")
        return call(_scan, loop_func, init, range(length or 0) if xs is None else xs, xs is None)


@mark_convertible
def _scan(body: Callable[..., Any], value: Any, items: Any, nothing: bool) -> tuple[Any, list[Any]]:
    outputs = []
    for item in items:
        value, output = body(value, None if nothing else item)
        outputs.append(output)
    return value, outputs
