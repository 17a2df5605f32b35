"""Warnings about Cells: Cells in plain lists, whose Parameters are not trained, and Parameters with one name."""

from __future__ import annotations

import inspect
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from ..errors.user_files import is_user_file, user_level

HELD = "_held"  # the attribute of a Cell that another Cell has registered
_DEEPEST = 3  # lists in lists that are looked into
_TOLD: set[tuple[type, str]] = set()


def warn_of_unregistered(root: Any, cells: list[Any], kind: Any) -> None:
    """Warn, once for each class and attribute, of Cells with trainable Parameters in a plain container.

    Cells that any Cell has registered, for example in a CellList beside the list, are fine.

    Args:
        root: the Cell whose Parameters are asked for.
        cells: this Cell and its registered sub-cells.
        kind: the class Cell.
    """
    for cell in cells:
        for name, value in cell.__dict__.items():
            owner = type(cell)
            if not isinstance(value, (list, tuple, dict)) or name in kind._OWN or (owner, name) in _TOLD:
                continue
            found = [
                item for item in _cells_in(value, kind, _DEEPEST) if HELD not in item.__dict__ and item is not root
            ]
            if any(item.trainable_params() for item in found):
                _TOLD.add((owner, name))
                place = _assignment(owner, name)
                container = "CellDict" if isinstance(value, dict) else "CellList"
                warnings.warn(
                    f"{place}the {len(found)} Cells in the {type(value).__name__} '{name}' of {owner.__name__} are not "
                    f"registered, so their Parameters are neither trained nor saved: write self.{name} = "
                    f"nn.{container}(…)",
                    UserWarning,
                    stacklevel=user_level(),
                )


def _cells_in(value: Any, kind: Any, depth: int) -> Iterator[Any]:
    """The Cells in a container and in those inside of it."""
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, kind):
            yield item
        elif depth and isinstance(item, (list, tuple, dict)):
            yield from _cells_in(item, kind, depth - 1)


def _assignment(owner: type, name: str) -> str:
    """`file:line: ` of the first statement of a user's class that sets the attribute; empty if it is not found."""
    methods = [item for kind in owner.__mro__ for item in vars(kind).values() if isinstance(item, FunctionType)]
    for method in methods:
        file = method.__code__.co_filename
        try:
            lines, first = inspect.getsourcelines(method) if is_user_file(file) else ([], 0)
        except (OSError, TypeError):  # no text
            continue
        for number, line in enumerate(lines, first):
            if re.search(rf"\bself\.{re.escape(name)}\b\s*(:[^=]*)?=(?!=)", line):
                return f"{file}:{number}: "
    return ""


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
