"""Checks of the arguments of layers and optimizers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type as need_type


def check_int(value: Any, name: str, owner: str) -> int:
    """An int. TypeError for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"For '{owner}', the '{name}' must be int, but got '{type(value).__name__}'")
    return int(value)


def check_positive_int(value: Any, name: str, owner: str) -> int:
    """An int above zero. TypeError or ValueError for anything else."""
    number = check_int(value, name, owner)
    if number <= 0:
        raise ValueError(f"For '{owner}', the '{name}' must be int and must > 0, but got '{number}' with type 'int'.")
    return number


def check_share(value: Any, name: str, owner: str) -> Any:
    """A number in [0, 1]. TypeError or ValueError for anything else."""
    if not 0 <= check_number(value, name, owner) <= 1:
        raise ValueError(f"For '{owner}', the '{name}' should be in [0, 1], but got {value}")
    return value


def check_bool(value: Any, name: str, owner: str) -> bool:
    """A bool. TypeError for anything else."""
    if not isinstance(value, bool):
        raise TypeError(f"For '{owner}', the '{name}' must be a bool, but got {type(value).__name__}.")
    return value


def check_float(value: Any, name: str, owner: str) -> float:
    """A float, not an int. TypeError for anything else."""
    need_type(value, float | np.floating, f"For '{owner}', the '{name}' should be a float")
    return float(value)


def check_number(value: Any, name: str, owner: str) -> float:
    """An int or float. TypeError for anything else."""
    need_type(value, int | float | np.number, f"For '{owner}', the '{name}' should be a number")
    return float(value)


def check_positive(value: Any, name: str, owner: str) -> Any:
    """A number above zero. TypeError or ValueError for anything else."""
    if check_number(value, name, owner) <= 0:
        raise ValueError(f"For '{owner}', the '{name}' should be positive, but got {value}")
    return value


def check_not_negative(value: Any, name: str, owner: str) -> Any:
    """A number that is not below zero. TypeError or ValueError for anything else."""
    if check_number(value, name, owner) < 0:
        raise ValueError(f"For '{owner}', the '{name}' should not be negative, but got {value}")
    return value


def check_rank(x: Any, ranks: tuple[int, ...], owner: str, what: str = "inputs") -> None:
    """ValueError unless a tensor has one of these numbers of dimensions."""
    if x.ndim not in ranks:
        wanted = " or ".join(map(str, ranks))
        raise ValueError(f"{owner} takes {what} of {wanted} dimensions, but the shape is {x.shape}")


def check_between(
    value: float, name: str, owner: str, low: float | None, high: float | None = None, *, open_low: bool = False,
    open_high: bool = False,
) -> float:  # fmt: skip
    """A number within bounds. ValueError for one outside."""
    too_low = low is not None and (value <= low if open_low else value < low)
    too_high = high is not None and (value >= high if open_high else value > high)
    if too_low or too_high or value != value:
        left = f"{'(' if open_low else '['}{low if low is not None else '-inf'}"
        right = f"{high if high is not None else 'inf'}{')' if open_high else ']'}"
        raise ValueError(f"For '{owner}', the '{name}' must be in range of {left}, {right}, but got {value}")
    return value


def check_choice(value: Any, choices: tuple[Any, ...], name: str, owner: str) -> Any:
    """One of the choices. ValueError for anything else."""
    if value not in choices:
        allowed = ", ".join(map(repr, choices))
        raise ValueError(f"For '{owner}', the '{name}' should be one of {allowed}, but got {value!r}")
    return value


def check_pair(value: Any, count: int, name: str, owner: str, minimum: int = 1) -> tuple[int, ...]:
    """An int, or a tuple of `count` ints, as a tuple. TypeError or ValueError for anything else."""
    if isinstance(value, (tuple, list)):
        items = tuple(check_int(item, name, owner) for item in value)
        if len(items) == 1:
            items *= count
    else:
        items = (check_int(value, name, owner),) * count
    if len(items) != count:
        raise ValueError(f"For '{owner}', the '{name}' should be an int or {count} ints, but got {value}")
    if min(items) < minimum:
        raise ValueError(f"For '{owner}', the '{name}' should be at least {minimum}, but got {value}")
    return items
