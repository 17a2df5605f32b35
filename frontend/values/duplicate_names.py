"""Duplicate names: a warning for Parameters with one name, because a file or an optimizer would know only one of
them."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable
from typing import Any

from ..errors.user_files import user_level


def warn_of_duplicate(owner: Any, attribute: str, given: Any, others: Iterable[tuple[str, Any]]) -> None:
    """Warn if one of the other Parameters has the name of a Parameter that a Cell gets.

    Args:
        owner: the Cell.
        attribute: the path of the Parameter that it gets.
        given: that Parameter.
        others: the paths and Parameters that it may share the name with; itself by another path is no duplicate.
    """
    for path, other in others:
        if other.name == given.name and other is not given:
            warnings.warn(
                f"{type(owner).__name__}: the Parameters '{path}' and '{attribute}' have the same name '{given.name}'. "
                "At the first call they are named after their attributes; until then no optimizer takes both. Give "
                "each a name of its own, or none: Parameter(…) is named after its attribute",
                UserWarning,
                stacklevel=user_level(),
            )
            return


def duplicates(parameters: Iterable[Any]) -> list[str]:
    """The names that several Parameters have."""
    return [name for name, count in Counter(parameter.name for parameter in parameters).items() if count > 1]
