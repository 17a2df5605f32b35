"""What the distribution mycel-data adds: packages that the small wheel does not hold."""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType

DISTRIBUTION = "mycel-data"
PARTS = ("frontend.dataset.text", "frontend.dataset.vision", "frontend.mindrecord")
ROOT = __name__.split(".")[0]


def explain(name: str) -> str:
    """What to say to somebody who asks for a module of it and does not have it."""
    return f"'{name}' is in the distribution {DISTRIBUTION}: pip install ./data, in a checkout of {ROOT}"


def is_absent(path: str) -> bool:
    """Whether a module below the package is of that distribution, and that is not installed."""
    part = next((part for part in PARTS if path == part or path.startswith(f"{part}.")), None)
    return part is not None and importlib.util.find_spec(f"{ROOT}.{part}") is None


def import_part(path: str) -> ModuleType:
    """A module of it.

    Raises:
        ImportError: if it is not installed; the message says how to.
    """
    if is_absent(path):
        raise ImportError(explain(f"{ROOT}.{path.removeprefix('frontend.')}"), name=f"{ROOT}.{path}")
    return importlib.import_module(f"{ROOT}.{path}")
