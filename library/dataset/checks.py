"""Checks of the arguments of pipelines."""

from __future__ import annotations

from typing import Any

from ...frontend.values.arguments import need_type


def check_flags(**flags: Any) -> None:
    """Raise TypeError for a flag that is no bool."""
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise TypeError(f"'{name}' should be a bool, but got {type(value).__name__} {value!r}")


def check_epochs(num_epochs: Any) -> None:
    """Raise TypeError or ValueError unless a number of passes is possible."""
    need_type(num_epochs, int, "'num_epochs' should be an int")
    if num_epochs < 1 and num_epochs != -1:
        raise ValueError(f"'num_epochs' should be positive, or -1 for any number, but got {num_epochs}")


def check_count(count: Any, name: str, least: int = 0) -> None:
    """Raise TypeError or ValueError unless a number of rows is possible."""
    need_type(count, int, f"{name}: 'count' should be an int")
    if count < least:
        wanted = "be positive, or -1 for all rows" if least else "not be negative"
        raise ValueError(f"{name}: 'count' should {wanted}, but got {count}")


def of_type(value: Any, kinds: type | tuple[type, ...], name: str) -> Any:
    """A value of one of these types; True and False are numbers only where bool is asked for."""
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        wanted = ", ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"Argument {name} with value {value!r} is not of type [{wanted}], but got {type(value)}.")
    return value


def within(value: Any, low: float, high: float, name: str, above: bool = False) -> Any:
    """A number from `low` (or above it) to `high`."""
    if not (low < value if above else low <= value) or not value <= high:
        interval = f"{'(' if above else '['}{low}, {high}]"
        raise ValueError(f"Input {name} is not within the required interval of {interval}.")
    return value
