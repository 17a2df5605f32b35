"""Pytrees: nested containers are flattened to their leaves, and rebuilt from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

from .tensor import Tensor


def is_namedtuple(value: Any) -> bool:
    """Whether `value` is an instance of a namedtuple class."""
    return isinstance(value, tuple) and hasattr(value, "_fields")


def children(value: Any) -> tuple[list[Any], Callable[[Iterable[Any]], Any]] | None:
    """The items of a container and a function that rebuilds it from new items; None for anything else."""
    if isinstance(value, tuple):
        if is_namedtuple(value):
            return list(value), lambda items: type(value)(*items)
        if type(value) is tuple:
            return list(value), tuple
        return list(value), lambda items: type(value)(items)
    if isinstance(value, list):
        return list(value), (list if type(value) is list else lambda items: type(value)(items))
    if isinstance(value, dict):
        keys = list(value)
        return list(value.values()), lambda items: _dict_like(value, keys, items)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field.name for field in dataclasses.fields(value)]

        def build(items: Iterable[Any]) -> Any:
            result = object.__new__(type(value))
            for name, item in zip(fields, items, strict=True):
                object.__setattr__(result, name, item)
            return result

        return [getattr(value, name) for name in fields], build
    return None


def _dict_like(value: dict[Any, Any], keys: list[Any], items: Iterable[Any]) -> Any:
    pairs = zip(keys, items, strict=True)
    if type(value) is dict:
        return dict(pairs)
    result = type(value)()
    result.update(pairs)
    return result


def map_tree(function: Callable[[Any], Any], value: Any) -> Any:
    """The same containers, with `function` applied to every leaf."""
    found = children(value)
    if found is None:
        return function(value)
    items, build = found
    return build([map_tree(function, item) for item in items])


def leaves(value: Any) -> list[Any]:
    """The leaves of nested containers, in order."""
    found = children(value)
    if found is None:
        return [value]
    return [leaf for item in found[0] for leaf in leaves(item)]


def tensors(value: Any) -> list[Tensor]:
    """The tensors in the containers, in order."""
    if isinstance(value, Tensor):
        return [value]
    return [leaf for leaf in leaves(value) if isinstance(leaf, Tensor)]


def map_tensors(function: Callable[[Tensor], Any], value: Any) -> Any:
    """The same containers with `function` applied to each tensor."""
    return map_tree(lambda leaf: function(leaf) if isinstance(leaf, Tensor) else leaf, value)
