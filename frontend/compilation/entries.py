"""The cache of entries: it finds the entry for a call, and evicts the oldest when there are too many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..tracing.signature import describe, overlapping, signature
from .entry import Entry

MAX_ENTRIES = 64  # graphs kept for one function; the least recently made goes first


class OtherArguments(Exception):
    """Another thread has changed the shape or dtype of an argument."""


class Entries:
    """The entries of one function: several for each signature, with different guards, the newest first."""

    def __init__(self) -> None:
        self._of: dict[Any, list[Entry]] = {}

    def __iter__(self) -> Iterator[Entry]:
        return (entry for entries in list(self._of.values()) for entry in entries)

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def find(self, key: Any, leaves: Sequence[Any]) -> Entry | None:
        """The entry for arguments of this signature with these leaves."""
        for entry in self._of.get(key, ()):
            if entry.holds() and (entry.sharing is None or entry.shares(leaves)):
                return entry
        return None

    def rebound(self, key: Any, leaves: Sequence[Any]) -> Entry | None:
        """An entry that can run once its captured tensors are replaced by others."""
        entries = [entry for entry in self._of.get(key, ()) if not entry.eager]
        return next((entry for entry in entries if entry.rebinds() and entry.shares(leaves)), None)

    def add(self, key: Any, entry: Entry) -> None:
        """Add an entry. The oldest is evicted if there are too many."""
        self._of.setdefault(key, []).insert(0, entry)
        while len(self) > MAX_ENTRIES:
            oldest = next(iter(self._of))
            if oldest == key and len(self._of) > 1:
                self._of[oldest] = self._of.pop(oldest)  # keep it, as the last
                continue
            self._of[oldest].pop()
            if not self._of[oldest]:
                del self._of[oldest]

    def clear(self) -> None:
        """Delete all entries."""
        self._of.clear()

    def reason(self, key: Any, leaves: Sequence[Any]) -> str:
        """The reason why no entry fits these arguments."""
        if not self._of:
            return "first call"
        if key in self._of:
            newest = self._of[key][0]
            if not newest.shares(leaves):
                return "other arguments are one tensor, which the function updates in place"
            changed = newest.guards.differences()
            return "; ".join(changed) if changed else "a captured tensor has another shape or dtype"
        nearest = max(self._of, key=lambda other: sum(a == b for a, b in zip(other, key, strict=False)))
        return f"other arguments than ({show_key(nearest)})"


def key_of(args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]) -> Any:
    """The signature of arguments: calls with equal keys share entries. Run-time inputs are appended to `leaves`."""
    key: Any = tuple([signature(value, leaves) for value in args])
    if kwargs:
        key = (*key, "**", *[(name, signature(value, leaves)) for name, value in kwargs.items()])
    pairs = overlapping(leaves, args, kwargs)
    return (*key, ("overlapping", *pairs)) if pairs else key


def show_key(key: Any) -> str:
    """A signature as text for people."""
    return ", ".join(map(describe, key)) if isinstance(key, tuple) else describe(key)
