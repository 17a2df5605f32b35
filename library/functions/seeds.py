"""Seeds of single functions and primitives: which generator a draw takes its numbers from."""

from __future__ import annotations

import functools
import inspect
import itertools
import threading
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ...compiler.ir.op import Op
from ...frontend.values.arguments import need_type
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from ...runtime import random as _random

Function = TypeVar("Function", bound=Callable[..., Any])


class _Active(threading.local):
    """The key of the generator that draws take now; None: the global one."""

    key: tuple[int, ...] | None = None


_ACTIVE = _Active()
_OWNERS = itertools.count(1)


def draw(op: Op, *operands: Any, **attrs: Any) -> Tensor:
    """Apply a random op, with the generator that a seed given to the public function asks for."""
    if _ACTIVE.key is not None:
        attrs["stream"] = _ACTIVE.key
    result: Tensor = apply(op, *operands, **attrs)
    return result


def check_seed(seed: Any, function: str, name: str = "seed") -> int:
    """A seed as an int. TypeError for other types, ValueError for a negative one."""
    need_type(seed, int | np.integer, f"{function}: '{name}' should be an int")
    if seed < 0:
        raise ValueError(f"{function}: '{name}' should not be negative, but got {seed}")
    return int(seed)


def takes_seed(function: Function) -> Function:
    """Mark a public function whose argument `seed` chooses a generator for its draws, unless it is None.

    Calls with one seed go on drawing from the generator of that seed, which begins anew with `set_seed`.
    """
    name = function.__name__
    parameters = list(inspect.signature(function).parameters.values())
    places = [place for place, each in enumerate(parameters) if each.name == "seed" and each.kind != each.KEYWORD_ONLY]
    place = places[0] if places and all(each.kind != each.VAR_POSITIONAL for each in parameters) else len(parameters)

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        seed = named.get("seed", arguments[place] if place < len(arguments) else None)
        if seed is None:
            return function(*arguments, **named)
        before, _ACTIVE.key = _ACTIVE.key, (check_seed(seed, name),)
        try:
            return function(*arguments, **named)
        finally:
            _ACTIVE.key = before

    return call  # type: ignore[return-value]


def fixed(seed: int, offset: int) -> dict[str, Any]:
    """The attribute of a draw that is the same each time; none for a seed and offset of 0."""
    return {"stream": (seed, offset, 0)} if seed or offset else {}


def owned(primitive: Any, first: Any, second: Any = 0) -> dict[str, Any]:
    """The attribute of a primitive's draws from a generator of its own; none for seeds of 0, which are no seeds."""
    first, second = max(int(first), 0), max(int(second), 0)
    if not first and not second:
        return {}
    owner = primitive.__dict__.get("_owner")
    if owner is None:
        owner = primitive.__dict__.setdefault("_owner", next(_OWNERS))
        weakref.finalize(primitive, _random.forget, (first, second, owner))
    return {"stream": (first, second, owner)}
