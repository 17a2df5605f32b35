"""A floor under tests that may pass a case over: enough of the cases have to be compared."""

from __future__ import annotations

from types import TracebackType


class Floor:
    """Counts cases, and the compared ones among them. To leave the `with` with too few of these is a failure.

    Args:
        share: the least share of the cases that is compared.
    """

    def __init__(self, share: float) -> None:
        self.share = share
        self.seen = 0
        self.compared = 0

    def case(self) -> None:
        """A case begins."""
        self.seen += 1

    def check(self) -> None:
        """It is one to compare."""
        self.compared += 1

    def __enter__(self) -> Floor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            assert self.compared > 0, f"none of {self.seen} cases was compared"
            assert self.compared >= self.share * self.seen, f"only {self.compared} of {self.seen} cases were compared"
