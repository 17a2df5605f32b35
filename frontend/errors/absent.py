"""Hints for absent attributes: the error names the replacement for an attribute of PyTorch or NumPy."""

from __future__ import annotations

from typing import Any

from .tracebacks import leaving


class Hint:
    """A descriptor for an attribute that a class does not have. It raises an AttributeError that names the
    replacement."""

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
