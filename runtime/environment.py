"""The words of environment variables that switch something on or off."""

from __future__ import annotations

import os

OFF = ("off", "0", "no", "false")
ON = ("on", "1", "yes", "true")


def is_off(variable: str) -> bool:
    """Whether an environment variable is one of the words for off, in any case."""
    return os.environ.get(variable, "").lower() in OFF


def is_on(variable: str) -> bool:
    """Whether an environment variable is one of the words for on, in any case."""
    return os.environ.get(variable, "").lower() in ON
