"""The calibration cache: measurements of this machine, stored in the folder of the compiled programs."""

from __future__ import annotations

import platform
import threading
from functools import cache
from pathlib import Path

import numpy as np

from ...runtime import calibration
from ...runtime.calibration import LEAST_WORK, MOST_WORK, Thresholds
from ...runtime.processors import cache_bytes, thread_count
from ...runtime.threads import sharing
from .disk import CALIBRATION, read_checked, write_checked
from .structural_hash import digest

FORMAT = 1
LARGEST_TILE = 1 << 30

_lock = threading.Lock()
_known: dict[Path, Thresholds] = {}


class OwnThresholds:
    """The thresholds for one program. They are looked up at most once, so that its plan is always the same.

    `known`: the thresholds that the program was compiled with; None if it did not need any.
    """

    __slots__ = ("_folder", "known")

    def __init__(self, folder: Path, known: Thresholds | None = None) -> None:
        self._folder = folder
        self.known = known

    def __call__(self) -> Thresholds:
        """The thresholds."""
        if self.known is None:
            self.known = thresholds_in(self._folder)
        return self.known


def thresholds_in(folder: Path) -> Thresholds:
    """The thresholds of this machine: measured once, stored in the folder, and constant for the rest of the process.

    A file that is damaged, or that another user could have written, is replaced. If other processes keep the machine
    busy, or the folder cannot be written to, the fixed thresholds are used.
    """
    with _lock:
        path = _path(folder)
        if path not in _known:
            _known[path] = _load(path) or _measure(path) or calibration.fixed()
        return _known[path]


def calibrate(folder: Path) -> Thresholds | None:
    """Measure again and store the result. None if the machine is busy or the folder cannot be written to."""
    with _lock:
        path = _path(folder)
        found = _measure(path)
        if found is not None:
            _known[path] = found
        return found


def _measure(path: Path) -> Thresholds | None:
    """Measure and store; None if that is not possible."""
    found = calibration.measure()
    if found is None:
        return None
    import json  # the cache loads it when it first reads or writes

    values = {"format": FORMAT, "tile_bytes": found.tile_bytes, "thread_work": found.thread_work}
    return found if write_checked(path, json.dumps(values).encode()) else None


def _load(path: Path) -> Thresholds | None:
    """The stored thresholds; None if there are none that can be trusted."""
    body = read_checked(path)
    if body is None:
        return None
    import json

    try:
        values = json.loads(body)
        found = Thresholds(int(values["tile_bytes"]), int(values["thread_work"]))
    except (ValueError, KeyError, TypeError):
        return None
    sound = 0 < found.tile_bytes <= LARGEST_TILE and LEAST_WORK <= found.thread_work <= MOST_WORK
    return found if values.get("format") == FORMAT and sound else None


def _path(folder: Path) -> Path:
    """The file for this machine, if this process may use it."""
    return calibration_path(folder, thread_count(), sharing.threads())


def calibration_path(folder: Path, *what: int | str) -> Path:
    """The file with the measurements of this machine."""
    return folder / f"{_machine(*what)}{CALIBRATION}"


@cache
def _machine(*what: int | str) -> str:
    """A name for everything that thresholds depend on."""
    described = repr((FORMAT, np.__version__, platform.machine(), _processor(), cache_bytes(), what))
    return digest(described.encode(), 10)


def _processor() -> str:
    """The name of the processor, if the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            found = next((line for line in file if line.startswith("model name")), "")
    except OSError:
        found = ""
    return found or platform.processor()  # which starts a process
