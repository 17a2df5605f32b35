"""Union-find: objects are merged into one another, and `find` gives the one that stands for all of them."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T", bound="Mergeable")


class Mergeable:
    """An object that may be merged into another of its kind.

    Attributes:
        parent: the object that it was merged into; None before.
    """

    __slots__ = ("parent",)

    def __init__(self) -> None:
        self.parent: Mergeable | None = None

    def find(self: T) -> T:
        """The object that this one was finally merged into, or itself."""
        root = self
        while root.parent is not None:
            root = root.parent  # type: ignore[assignment]
        return root
