"""What the command `mycel` shows."""

from __future__ import annotations

from typing import NamedTuple


class Shown(NamedTuple):
    """The output of a command."""

    returncode: int
    stdout: str
    stderr: str
