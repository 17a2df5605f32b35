"""Declared inputs of a Cell: the number of inputs of its construct, and the types that `set_inputs` requires."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from .mutable import is_mutable
from .tensor import Tensor

_PLACES = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _parameters(cell: Any) -> list[inspect.Parameter] | None:
    """The parameters of construct without self; None where it has no signature."""
    construct = type(cell).construct
    construct = getattr(construct, "function", construct)
    try:
        return list(inspect.signature(construct).parameters.values())[1:]
    except (TypeError, ValueError):
        return None


def _required(parameters: Sequence[inspect.Parameter]) -> tuple[int, int]:
    """How many positional arguments are required, and how many have a default."""
    places = [parameter for parameter in parameters if parameter.kind in _PLACES]
    needed = sum(parameter.default is parameter.empty for parameter in places)
    return needed, len(places) - needed


def without_self(cell: Any, given: int) -> str:
    """What to add to an error about so many arguments where `self` has been left out of construct."""
    try:
        parameters = inspect.signature(type(cell).construct).parameters
    except (TypeError, ValueError):
        return ""
    places = [name for name, parameter in parameters.items() if parameter.kind in _PLACES]
    if len(places) != given or places[0] == "self":
        return ""
    return f". Its first parameter should be 'self', but is '{places[0]}'"


def check_arguments(cell: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Raise TypeError unless construct takes these arguments, TypeError or ValueError unless `set_inputs` allows
    them."""
    parameters = _parameters(cell)
    if parameters is None or cell._forward_pre_hooks:  # a hook may give other arguments
        return
    kinds = {parameter.kind for parameter in parameters}
    needed, optional = _required(parameters)
    given = len(args) + len(kwargs)
    if inspect.Parameter.VAR_POSITIONAL not in kinds and len(args) > needed + optional:
        raise TypeError(
            f"For 'Cell', the function construct requires {needed} positional argument and {optional} default "
            "argument, "
            f"total {needed + optional}, but got {len(args)}: {type(cell).__name__}.construct() takes "
            f"{needed + optional + 1} positional arguments but {len(args) + 1} were given"
            f"{without_self(cell, len(args))}"
        )
    if given < needed:
        missing = [
            parameter.name
            for parameter in parameters[len(args) :]
            if parameter.kind in _PLACES and parameter.default is parameter.empty and parameter.name not in kwargs
        ]
        raise TypeError(
            f"For 'Cell', the function construct requires {needed} positional argument, but got {given}: "
            f"{type(cell).__name__}.construct() missing {len(missing)} required positional "
            f"argument{'s' if len(missing) > 1 else ''}: {' and '.join(map(repr, missing))}"
        )
    declared = cell.get_inputs()
    if declared is not None:
        _check_declared(declared, args, kwargs)


def declared_inputs(cell: Any, inputs: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """The declarations of `set_inputs`: a tuple, one for each input, or a dict by names."""
    if inputs and named:
        raise ValueError("For 'set_inputs', give the inputs by their places or by their names, not both")
    parameters = _parameters(cell)
    if parameters is None:
        return inputs or dict(named)
    if named:
        names = [parameter.name for parameter in parameters]
        for name in named:
            if name not in names:
                raise ValueError(f"For dict mode, valid key is {names}, but got {name}!")
        return dict(named)
    needed, optional = _required(parameters)
    several = any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters)
    if len(inputs) < needed or (len(inputs) > needed + optional and not several):
        raise TypeError(
            f"For 'Cell', the function construct requires {needed} positional argument and {optional} default "
            "argument, "
            f"total {needed + optional}, but set_inputs got {len(inputs)}."
        )
    return inputs


def _check_declared(declared: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    if isinstance(declared, dict):
        pairs = [(name, kwargs[name]) for name in declared if name in kwargs]
        expected = [(name, declared[name], value) for name, value in pairs]
    else:
        expected = [
            (f"{place}th", wanted, value) for place, (wanted, value) in enumerate(zip(declared, args, strict=False), 1)
        ]
    for place, wanted, value in expected:
        _check_input(place, wanted, value)


def _check_input(place: str, wanted: Any, value: Any) -> None:
    if isinstance(wanted, (tuple, list)) and isinstance(value, (tuple, list)):
        if len(wanted) != len(value):
            raise ValueError(
                "For set_inputs and tuple(list) in set_inputs, the length of input must be equal to expected one, "
                f"but got expected: {len(wanted)} and input: {len(value)}!"
            )
        for inner, item in zip(wanted, value, strict=True):
            _check_input(place, inner, item)
        return
    if not isinstance(wanted, Tensor):
        if wanted is None and isinstance(value, Tensor):
            raise TypeError(
                f"For set_inputs or tuple(list) in set_inputs, the {place} should be static one, but got mutable!"
            )
        return
    if not isinstance(value, Tensor):
        if is_mutable(value):
            return
        raise TypeError(
            f"For set_inputs or tuple(list) in set_inputs, the {place} should be mutable one, but got static!"
        )
    if wanted.dtype != value.dtype:
        raise TypeError(
            f"For set_inputs or tuple(list) in set_inputs, the {place} type should be Tensor[{wanted.dtype}], "
            f"but got Tensor[{value.dtype}]!"
        )
    if wanted._any_shape:
        return
    if wanted.ndim != value.ndim:
        raise ValueError(
            f"For set_inputs and tuple(list) in set_inputs, the dims of {place} input must be the same as expected, "
            f"but got expected: {wanted.ndim}, and input: {value.ndim}!"
        )
    for expected, size in zip(wanted.shape, value.shape, strict=True):
        if expected > 0 and size != expected:  # a size that varies is held as none
            raise ValueError(
                f"For set_inputs and tuple(list) in set_inputs, the shape of {place} input must be the same as "
                "expected, "
                f"but got expected: {expected}, and input: {size}!"
            )
