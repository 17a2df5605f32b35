"""The persistent compilation cache: whether and in which folder programs are stored for later processes."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from ...runtime.environment import OFF, ON, is_off
from ..state import CONTEXT

if TYPE_CHECKING:
    from pathlib import Path

    from ...compiler.cache.disk import DiskCache

VARIABLE = "MYCEL_CACHE"
"""The environment variable: "off" (or "0", "no", "false") for no cache, otherwise the folder to use."""

CALIBRATION = "MYCEL_CALIBRATION"
"""The environment variable: "off" (or "0", "no", "false") for the same thresholds on every machine."""


def compile_cache() -> DiskCache | None:
    """The cache of compiled programs; None if it is switched off."""
    if is_off(VARIABLE) or not CONTEXT.settings.get("enable_compile_cache", True):
        return None
    return _cache_in(cache_folder(), not is_off(CALIBRATION))


def cache_folder() -> Path:
    """The folder of the cache: `set_context(compile_cache_path=…)`, `MYCEL_CACHE`, or the user's folder for caches."""
    from pathlib import Path  # `import mycel` does not load it

    chosen = CONTEXT.settings.get("compile_cache_path")
    if chosen:
        return Path(chosen)
    variable = os.environ.get(VARIABLE, "")
    if variable.lower() not in ("", *OFF, *ON):
        return Path(variable)
    return user_cache_folder() / "mycel"


def user_cache_folder() -> Path:
    """The user's folder for caches, by the convention of the system."""
    from pathlib import Path

    given = os.environ.get("XDG_CACHE_HOME")
    if given and os.path.isabs(given):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local"))
    if sys.platform == "darwin":
        return Path(os.path.expanduser("~/Library/Caches"))
    return Path(os.path.expanduser("~/.cache"))


@cache
def _cache_in(folder: Path, calibrated: bool) -> DiskCache:
    from ...compiler.cache.disk import DiskCache  # `import mycel` does not load the compiler's end

    return DiskCache(folder, calibrated=calibrated)
