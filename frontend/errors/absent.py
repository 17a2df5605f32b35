"""Hints for absent attributes: an error says what to write in place of what PyTorch and NumPy have."""

from __future__ import annotations

from typing import Any

from .tracebacks import leaving


class Hint:
    """A descriptor in place of an attribute that a class does not have: an AttributeError that says what to write."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    def __get__(self, instance: Any, owner: type) -> Any:
        try:
            raise AttributeError(
                f"'{owner.__name__}' object has no attribute '{self.name}': {self.text}", name=self.name
            )
        except AttributeError as error:
            leaving(error)
            raise
