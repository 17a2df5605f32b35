"""Union-find: things that are merged into one another, and which one stands for all of them."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T", bound="Mergeable")


class Mergeable:
    """Something that may be merged into another of its kind.

    Attributes:
        parent: what it was merged into, if it was.
    """

    __slots__ = ("parent",)

    def __init__(self) -> None:
        self.parent: Mergeable | None = None

    def find(self: T) -> T:
        """What this was merged into in the end, or itself."""
        root = self
        while root.parent is not None:
            root = root.parent  # type: ignore[assignment]
        return root
