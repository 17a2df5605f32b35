"""What the distribution mycel-extras adds: packages that the small wheel does not hold, and names out of them."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

DISTRIBUTION = "mycel-extras"
# Both setup scripts read this list.
PARTS = (
    "frontend.dataset.readers",
    "frontend.dataset.text",
    "frontend.dataset.vision",
    "frontend.experimental",
    "frontend.mindrecord",
    "frontend.nn.probability",
    "frontend.ops.primitives.rare",
    "frontend.reports",
)
ROOT = __name__.split(".")[0]


def explain(name: str) -> str:
    """What to say to somebody who asks for a name of it and does not have it."""
    return f"'{name}' is in the distribution {DISTRIBUTION}: pip install ./extras, in a checkout of {ROOT}"


def is_absent(path: str) -> bool:
    """Whether a module below the package is of that distribution, and that is not installed."""
    part = next((part for part in PARTS if path == part or path.startswith(f"{part}.")), None)
    return part is not None and importlib.util.find_spec(f"{ROOT}.{part}") is None


def import_part(path: str, wanted: str | None = None) -> ModuleType:
    """A module of it; `wanted` is what somebody asked for, if that is not the module.

    Raises:
        ImportError: if it is not installed; the message says how to.
    """
    if is_absent(path):
        name = f"{ROOT}.{path.removeprefix('frontend.')}"
        raise ImportError(explain(wanted or name), name=f"{ROOT}.{path}")
    return importlib.import_module(f"{ROOT}.{path}")


class Names:
    """The names of a module that are in parts, or are parts, and are loaded when they are first asked for.

    Args:
        module: the module's `__name__`.
        places: for each name the module that has it, or that it is, if that is called so.
        shown: what errors call the module; None for its name without `frontend`.
    """

    def __init__(self, module: str, places: Mapping[str, str], shown: str | None = None) -> None:
        self.module = module
        self.places = places
        self.shown = shown or module.replace(".frontend", "")

    def find(self, name: str) -> Any:
        """What the module's `__getattr__` gives.

        Raises:
            AttributeError: if it is none of the names. ImportError: if its part is not installed.
        """
        if name not in self.places:
            raise AttributeError(f"module '{self.shown}' has no attribute '{name}'")
        place = self.places[name]
        found: Any = import_part(place, f"{self.shown}.{name}")
        if place.rpartition(".")[2] != name:
            found = getattr(found, name)
        vars(sys.modules[self.module])[name] = found
        return found

    def present(self) -> list[str]:
        """The names whose parts are installed, for the module's `__all__` and `__dir__`."""
        absent = {place for place in set(self.places.values()) if is_absent(place)}
        return [name for name, place in self.places.items() if place not in absent]
