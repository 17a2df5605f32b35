"""Errors of communication between processes."""

from __future__ import annotations

from ..shown import standard


@standard
class CommunicationError(RuntimeError):
    """Processes cannot communicate.

    Attributes:
        speaker: the rank in the world that reports it where several processes notice; None: each one.
    """

    def __init__(self, message: str, speaker: int | None = None) -> None:
        super().__init__(message)
        self.speaker = speaker


@standard
class CollectiveMismatchError(CommunicationError):
    """Processes of a group call different collectives, or the same ones in another order."""


@standard
class CommunicationTimeoutError(CommunicationError):
    """A process has waited for others for too long."""
