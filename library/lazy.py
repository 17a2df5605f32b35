"""Lazy attributes of modules: a name is imported when a program first asks for it, so that `import` stays quick."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ..frontend.errors.spelling import public_name

ROOT = __name__.split(".")[0]


class LazyNames:
    """The names that a module imports when they are first asked for.

    Args:
        module: the module's `__name__`.
        places: for each name the module that has it, or that it is, if that is called so.
        shown: what errors call the module; None for its public name.
        take: what gets a name from the module that has it.
    """

    def __init__(
        self, module: str, places: Mapping[str, str], shown: str | None = None,
        take: Callable[[Any, str], Any] = getattr,
    ) -> None:  # fmt: skip
        self.module = module
        self.places = places
        self.take = take
        self.shown = shown or public_name(module)

    def find(self, name: str) -> Any:
        """The value for a module's `__getattr__`.

        Raises:
            AttributeError: if it is none of the names.
        """
        if name not in self.places:
            raise AttributeError(f"module '{self.shown}' has no attribute '{name}'")
        place = self.places[name]
        found: Any = importlib.import_module(f"{ROOT}.{place}")
        found = getattr(found, name, found) if place.rpartition(".")[2] == name else self.take(found, name)
        vars(sys.modules[self.module])[name] = found
        return found
