"""Pipelines as data: their operations with their settings, and notes of how they were made, for `serialize`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from .samplers import BuiltinSampler

PLAIN = (bool, int, float, str)
OF_NO_ACCOUNT = ("columns", "epoch", "kind", "child_sampler")


def describe(dataset: Any) -> dict[str, Any]:
    """An operation's `op_type` and settings, and its `children`."""
    parts = getattr(dataset, "parts", None) or ([] if dataset.parent is None else [dataset.parent])
    content: dict[str, Any] = {"op_type": getattr(dataset, "kind", type(dataset).__name__)}
    content.update(_settings(dataset))
    content.update(getattr(dataset, "settings", {}))
    sampler = getattr(dataset, "sampler", None)
    if isinstance(sampler, BuiltinSampler):
        content["sampler"] = {"sampler_name": type(sampler).__name__, **_settings(sampler)}
    content["children"] = [describe(part) for part in parts]
    return content


def _settings(owner: Any) -> dict[str, Any]:
    """Attributes that are numbers, strings or lists of these."""
    found = {name: value for name, value in vars(owner).items() if name[0] != "_" and name not in OF_NO_ACCOUNT}
    return {name: value for name, value in found.items() if _is_plain(value)}


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(item, PLAIN) for item in value)
    return value is None or isinstance(value, PLAIN)


_Method = TypeVar("_Method", bound=Callable[..., Any])


def recorded(method: _Method) -> _Method:
    """A method of datasets whose result notes the dataset, the method and its arguments."""

    @functools.wraps(method)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = method(self, *args, **kwargs)
        if result is not self:
            result._made_by = (self, method.__name__, arguments_of(method, (self, *args), kwargs))
        return result

    return run  # type: ignore[return-value]


def arguments_of(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call by their names, without the first one."""
    signature = inspect.signature(function)
    bound = list(signature.bind(*args, **kwargs).arguments.items())[1:]
    found: dict[str, Any] = {}
    for name, value in bound:
        if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            found.update(value)
        else:
            found[name] = value
    return found
