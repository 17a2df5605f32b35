"""Python's garbage collector rests while many objects are made that stay, and need not visit these afterwards."""

from __future__ import annotations

import gc

_SHARED: list[bool] = []
"""Not empty once someone else has frozen objects (`gc.freeze`), as servers do before they fork."""
_FEW = 1000  # objects: Python 3.12 freezes some of its own when it starts


class resting_collector:
    """A context in which the garbage collector is off.

    A graph consists of many small objects that stay alive. The collector would visit them again and again, which takes
    as long as compiling. The thread that has switched it off switches it on again, so the last of several threads may
    run without it.
    """

    def __enter__(self) -> None:
        self.was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *error: object) -> None:
        if self.was_on:
            settle()
            gc.enable()


def settle() -> None:
    """Move all objects to the oldest generation, without a visit.

    Otherwise the collector would visit the new ones at once, and often all objects of the process, for 30 ms. The new
    objects hold no cycles that are garbage, or few: those would stay until the collector looks at old objects.
    """
    if _SHARED or not hasattr(gc, "freeze"):
        return
    if gc.get_freeze_count() > _FEW:
        _SHARED.append(True)
        return
    try:
        gc.freeze()
    finally:
        gc.unfreeze()
