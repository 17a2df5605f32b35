"""Reverse-mode gradients: `grad`, `value_and_grad` and `GradOperation` give functions that compute gradients."""

from __future__ import annotations

import inspect
import warnings
import weakref
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any, Concatenate, Literal, ParamSpec, Protocol, TypeVar, overload

import numpy as np

from ...runtime.shown import standard
from ..compilation.blame import check_returned
from ..compilation.compiled import CompiledFunction
from ..compilation.doors import guarded
from ..compilation.inspection import Inspectable, Inspected
from ..compilation.target import Target
from ..errors.classes import GradPositionError
from ..errors.spelling import no_parameters_hint
from ..errors.tracebacks import leaving
from ..errors.user_files import user_level
from ..state import STATE
from ..values.cell import Cell
from ..values.mutable import is_mutable
from ..values.parameter import Parameter
from ..values.tensor import Tensor
from .cell_run import follows
from .linear import LEFT_OUT, linearize
from .request import Request

_P = ParamSpec("_P")
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)
_X = TypeVar("_X")
_Y = TypeVar("_Y")


@standard
class AuxiliaryError(RuntimeError, ValueError):
    """`has_aux=True` for a function with one output."""


@guarded
class GradientFunction(Inspectable):
    """The result of `grad` and the like: a function with the same arguments that computes gradients.

    It has `stages(*args)` and `explain()`, as compiled functions do.
    """

    def __init__(self, function: Callable[..., Any], request: Request) -> None:
        self.function = function
        self.request = request
        self.told_of_unused = False  # whether a warning has named the Parameters that the function does not use
        self.name = getattr(function, "__name__", type(function).__name__)
        traced, eager = weakref.WeakMethod(self._in_compiled), weakref.WeakMethod(self._eagerly)
        target = Target(
            self,
            traced=lambda *args, **kwargs: traced()(*args, **kwargs),  # type: ignore[misc]
            eager=lambda *args, **kwargs: eager()(*args, **kwargs),  # type: ignore[misc]
            name=self.__name__,
            owned=True,
        )
        self._compiled = CompiledFunction(target)

    @property
    def __name__(self) -> str:
        """Its name in stages, reports and errors: `f_grad` for the gradient of `f`."""
        return f"{self.name}_grad"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The gradients at these arguments."""
        try:
            if STATE.trace is not None:
                return self._traced(args, kwargs, outermost=False)
            if self.request.sens and "sens" in kwargs and not STATE.inside:
                raise TypeError(
                    f"the gradient of {self.name} got an unexpected keyword argument 'sens': outside a compiled "
                    "function give "
                    "the sensitivity as the last positional argument"
                )
            if STATE.undone and STATE.tape is None and not kwargs:
                log = follows(self.function, args[:-1] if self.request.sens else args)
                if log is not None:
                    return log.around(lambda: self._compiled(*args))
            return self._compiled(*args, **kwargs)
        except Exception as error:
            leaving(error)
            raise

    def __repr__(self) -> str:
        return f"<gradient of {self.name}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> GradientFunction:
        return GradientFunction(self.function, self.request)

    def _in_compiled(self, *args: Any, **kwargs: Any) -> Any:
        return self._traced(args, kwargs, outermost=True)

    def _eagerly(self, *args: Any, **kwargs: Any) -> Any:
        from .tape import gradient_on_tape  # late: graph mode needs it not

        return gradient_on_tape(self, args, kwargs)

    def split_sens(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
        """The arguments of the function, and the cotangent given with them."""
        if not self.request.sens:
            return args, kwargs, None
        if "sens" in kwargs:
            kwargs = dict(kwargs)
            return args, kwargs, kwargs.pop("sens")
        if not args:
            raise TypeError(f"the gradient of {self.name} needs the sensitivity of the output as its last argument")
        return args[:-1], kwargs, args[-1]

    def check_arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise TypeError unless the function takes these arguments."""
        function = self.function.construct if isinstance(self.function, Cell) else self.function
        if type(function) is FunctionType and not kwargs:  # the signature takes longer
            code = function.__code__
            if code.co_argcount == len(args) and not code.co_kwonlyargcount:
                return
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):  # a callable that does not tell
            return
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"the gradient of {self.name}: the number of provided arguments, {len(args) + len(kwargs)}, or "
                "their names do "
                f"not fit {self.name}{signature}: {error}"
            ) from None

    def positions(self, args: tuple[Any, ...]) -> tuple[int, ...]:
        """The positions asked for; IndexError when there is no such argument."""
        wanted = self.request.positions
        if wanted is None:
            return ()
        if isinstance(wanted, str):
            return tuple(range(len(args)))
        for position in wanted:
            if position >= len(args):
                raise GradPositionError(
                    f"grad_position {position} is out of range: {self.name} was called with {len(args)} "
                    f"positional argument{'' if len(args) == 1 else 's'}"
                )
            told = _misused(args[position])
            if told:
                what = f"the gradient of '{self.name}' by argument {position}"
                warnings.warn(f"{what} {told}", UserWarning, stacklevel=user_level())
        return wanted

    def arrange(self, positions: Sequence[int], found: Sequence[Any], weights: Sequence[Any]) -> Any:
        """The gradients in the requested form. `found`: one tree for each argument, or `LEFT_OUT`."""
        request = self.request
        parts: list[Any] = []
        if request.positions is not None:
            pairs = [(p, g) for p, g in zip(positions, found, strict=True) if g is not LEFT_OUT]
            items = tuple((p, g) if request.return_ids else g for p, g in pairs)
            alone = request.positions != "all" and len(items) == 1 < len(positions)  # the others have no gradient
            parts.append(items[0] if items and (request.bare_position or alone) else items)
        if request.weights is not None:
            named = zip(request.weights, weights, strict=True)
            items = tuple((w.name, g) if request.return_ids else g for w, g in named)
            parts.append(items[0] if request.bare_weight else items)
        return parts[0] if len(parts) == 1 else tuple(parts)

    def differentiated(self, result: Any) -> tuple[Any, Any]:
        """The outputs to differentiate, and the auxiliary ones."""
        if not self.request.has_aux:
            check_returned(self.name, self.function, result)
            return result, ()
        if not isinstance(result, tuple) or len(result) < 2:
            raise AuxiliaryError(
                f"When has_aux is True, origin fn requires more than one outputs, as a tuple, but {self.name} returned "
                f"{'a tuple of one' if isinstance(result, tuple) else 'a single value'}"
            )
        check_returned(self.name, self.function, result[0])
        return result[0], result[1:]

    def _traced(self, args: tuple[Any, ...], kwargs: dict[str, Any], outermost: bool) -> Any:
        args, kwargs, sens = self.split_sens(args, kwargs)
        linear = linearize(self, args, kwargs, outermost)
        answer = linear.back(sens, once=True)
        if self.request.value:
            return linear.value, answer
        return (answer, linear.value[1:]) if self.request.has_aux else answer


def _misused(argument: Any) -> str:
    """What is amiss with the gradient by an argument; empty if nothing is."""
    if isinstance(argument, Tensor) and not (argument.dtype.is_float or argument.dtype.is_complex):
        return f"is rounded to {argument.dtype}, the dtype of that argument: cast it with .astype(mycel.float32)"
    if isinstance(argument, np.ndarray) or (isinstance(argument, (int, float)) and not is_mutable(argument)):
        return f"is left out, as that is no Tensor, but {type(argument).__name__}: write Tensor(…)"
    return ""


def check_each_position(positions: tuple[Any, ...], negative: str) -> None:
    """Raise an error unless all are ints, none is below 0 and none is given twice."""
    for position in positions:
        if isinstance(position, bool) or not isinstance(position, int):
            raise TypeError(f"each element in 'grad_position' must be int, but got {position!r}")
        if position < 0:
            raise ValueError(f"'grad_position' {negative}, but got {position}")
    if len(set(positions)) != len(positions):
        raise ValueError(f"'grad_position' has duplicate positions: {positions}")


def _check_positions(grad_position: Any) -> tuple[tuple[int, ...] | None, bool]:
    if grad_position is None:
        return None, False
    bare = False
    if isinstance(grad_position, bool) or not isinstance(grad_position, (int, tuple)):
        raise TypeError(f"'grad_position' must be int or tuple of ints, or None, but got {grad_position!r}")
    if isinstance(grad_position, int):
        grad_position, bare = (grad_position,), True
    if not grad_position:
        raise RuntimeError("grad_position should not be empty when grad by position: give None for no argument")
    check_each_position(grad_position, "must be >= 0")
    return tuple(grad_position), bare or len(grad_position) == 1


def check_weights(weights: Any) -> tuple[tuple[Parameter, ...] | None, bool]:
    """Weights as a tuple, and whether a single one was given. TypeError unless they are Parameters."""
    if weights is None:
        return None, False
    if isinstance(weights, Parameter):
        return (weights,), True
    if isinstance(weights, Iterable) and not isinstance(weights, (str, dict, Tensor)):
        items = tuple(weights)
        for item in items:
            if not isinstance(item, Parameter):
                raise TypeError(f"'weights' should hold Parameters, but got {type(item).__name__}")
        return items, False
    found = f"{type(weights).__name__}{no_parameters_hint(weights)}"
    raise TypeError(f"'weights' should be a Parameter, or a list or tuple of them, but got {found}")


def check_function(function: Any, what: str) -> None:
    if not callable(function):
        raise RuntimeError(
            f"For '{what}', the first argument must be a 'Function' or 'Cell', but got {type(function).__name__}"
        )


def _request(
    what: str, fn: Any, grad_position: Any, weights: Any, has_aux: Any, return_ids: Any, value: bool, sens: bool = False
) -> GradientFunction:
    if grad_position is None and weights is None:
        raise ValueError("`grad_position` and `weight` can not be None at the same time.")
    for name, flag in (("has_aux", has_aux), ("return_ids", return_ids), ("sens_param", sens)):
        if not isinstance(flag, bool):
            fix = ": several weights go into one list" if isinstance(flag, Tensor) else ""
            raise TypeError(f"'{name}' of {what} should be a bool, but got {type(flag).__name__}{fix}")
    positions, bare_position = _check_positions(grad_position)
    parameters, bare_weight = check_weights(weights)
    check_function(fn, what)
    request = Request(positions, parameters, bare_position, bare_weight, has_aux, return_ids, value, sens)
    return GradientFunction(fn, request)


_No = Literal[False]


class Gradient(Inspected[_P], Protocol[_P, _R_co]):
    """The type of a `GradientFunction` for type checkers: its arguments and gradients."""

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...


# For type checkers: the first two positions, and weights, give gradients of known types. A Parameter at a position is
# differentiated as any tensor.
@overload
def grad(
    fn: Callable[Concatenate[_X, _P], Any], grad_position: Literal[0] = 0, weights: None = None, has_aux: _No = False,
    return_ids: _No = False, sens_param: _No = False,
) -> Gradient[Concatenate[_X, _P], _X]: ...  # fmt: skip
@overload
def grad(
    fn: Callable[Concatenate[_X, _Y, _P], Any], grad_position: Literal[1], weights: None = None, has_aux: _No = False,
    return_ids: _No = False, sens_param: _No = False,
) -> Gradient[Concatenate[_X, _Y, _P], _Y]: ...  # fmt: skip
@overload
def grad(
    fn: Callable[Concatenate[_X, _Y, _P], Any], grad_position: tuple[Literal[0], Literal[1]], weights: None = None,
    has_aux: _No = False, return_ids: _No = False, sens_param: _No = False,
) -> Gradient[Concatenate[_X, _Y, _P], tuple[_X, _Y]]: ...  # fmt: skip
@overload
def grad(
    fn: Callable[_P, Any], grad_position: None, weights: Parameter, has_aux: _No = False, return_ids: _No = False,
    sens_param: _No = False,
) -> Gradient[_P, Tensor]: ...  # fmt: skip
@overload
def grad(
    fn: Callable[_P, Any], grad_position: None, weights: Iterable[Parameter], has_aux: _No = False,
    return_ids: _No = False, sens_param: _No = False,
) -> Gradient[_P, tuple[Tensor, ...]]: ...  # fmt: skip
@overload
def grad(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] | None = 0, weights: Any = None,
    has_aux: bool = False, return_ids: bool = False, sens_param: bool = False,
) -> Gradient[..., Any]: ...  # fmt: skip
def grad(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] | None = 0, weights: Any = None,
    has_aux: bool = False, return_ids: bool = False, sens_param: bool = False,
) -> Any:  # fmt: skip
    """The function that gives the gradient of `fn`, taken on a backward graph derived from fn's graph.

    Outputs that are no scalars, or several outputs, count with a sensitivity of one each, so their gradients add up.

    Args:
        fn: a function or Cell of tensors.
        grad_position: which positional arguments to differentiate by: an index (the gradient comes bare), a tuple of
            indices (a tuple of gradients; of one, bare), or None.
        weights: Parameters to differentiate by: one (bare), or a list or tuple (a tuple of gradients), or None.
        has_aux: whether only the first output is differentiated; the others are returned too, as they are.
        return_ids: whether each gradient comes as (position or Parameter's name, gradient).
        sens_param: whether the function takes the sensitivity of the output (a tuple for several) as its last argument.

    Returns:
        A function of fn's arguments. With both positions and weights it gives (by position, by weight); with `has_aux`,
        (gradients, (other outputs...)). Gradients have the shape and dtype of what they belong to. Numbers and constant
        containers at a position have no gradient and are left out.

    Raises:
        ValueError: if `grad_position` and `weights` are both None, or a position is negative or named twice; when
            called with `has_aux` and fn has one output.
        IndexError: when called with fewer arguments than a position.
        TypeError: for positions or weights of other types; when called, if fn returns None.

    Examples:
        >>> import mycel as ms
        >>> print(ms.grad(lambda x, y: x * x * y, (0, 1))(ms.Tensor(3.0), ms.Tensor(2.0)))
        (Tensor(shape=[], dtype=Float32, value= 12), Tensor(shape=[], dtype=Float32, value= 9))
    """
    return _request("grad", fn, grad_position, weights, has_aux, return_ids, value=False, sens=sens_param)


@overload
def value_and_grad(
    fn: Callable[Concatenate[_X, _P], _R], grad_position: Literal[0] = 0, weights: None = None, has_aux: bool = False,
    return_ids: _No = False, sens_param: _No = False,
) -> Gradient[Concatenate[_X, _P], tuple[_R, _X]]: ...  # fmt: skip
@overload
def value_and_grad(  # type: ignore[overload-overlap]
    fn: Callable[Concatenate[_X, _Y, _P], _R], grad_position: Literal[1], weights: None = None, has_aux: bool = False,
    return_ids: _No = False, sens_param: _No = False,
) -> Gradient[Concatenate[_X, _Y, _P], tuple[_R, _Y]]: ...  # fmt: skip
@overload
def value_and_grad(  # type: ignore[overload-overlap]
    fn: Callable[Concatenate[_X, _Y, _P], _R], grad_position: tuple[Literal[0], Literal[1]], weights: None = None,
    has_aux: bool = False, return_ids: _No = False, sens_param: _No = False,
) -> Gradient[Concatenate[_X, _Y, _P], tuple[_R, tuple[_X, _Y]]]: ...  # fmt: skip
@overload
def value_and_grad(
    fn: Callable[_P, _R], grad_position: None, weights: Parameter, has_aux: bool = False, return_ids: _No = False,
    sens_param: _No = False,
) -> Gradient[_P, tuple[_R, Tensor]]: ...  # fmt: skip
@overload
def value_and_grad(
    fn: Callable[_P, _R], grad_position: None, weights: Iterable[Parameter], has_aux: bool = False,
    return_ids: _No = False, sens_param: _No = False,
) -> Gradient[_P, tuple[_R, tuple[Tensor, ...]]]: ...  # fmt: skip
@overload
def value_and_grad(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] | None = 0, weights: Any = None,
    has_aux: bool = False, return_ids: bool = False, sens_param: bool = False,
) -> Gradient[..., Any]: ...  # fmt: skip
def value_and_grad(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] | None = 0, weights: Any = None,
    has_aux: bool = False, return_ids: bool = False, sens_param: bool = False,
) -> Any:  # fmt: skip
    """As `grad`, but the function gives (result of fn, gradients); fn runs once.

    With `has_aux` the result holds all of fn's outputs, the first of which is differentiated.

    Examples:
        >>> import mycel as ms
        >>> print(ms.value_and_grad(lambda x: x * x)(ms.Tensor(3.0)))
        (Tensor(shape=[], dtype=Float32, value= 9), Tensor(shape=[], dtype=Float32, value= 6))
    """
    return _request("value_and_grad", fn, grad_position, weights, has_aux, return_ids, value=True, sens=sens_param)


__all__ = ["GradientFunction", "Request", "grad", "value_and_grad"]
