"""Every op, by family. `OPS` maps the names to the records; nothing else lists ops."""

from __future__ import annotations

from ..op import Op
from . import arithmetic, control, creation, linalg, reduction, shape
from .arithmetic import *  # noqa: F403
from .control import *  # noqa: F403
from .creation import *  # noqa: F403
from .linalg import *  # noqa: F403
from .reduction import *  # noqa: F403
from .shape import *  # noqa: F403

MODULES = (arithmetic, shape, reduction, creation, linalg, control)


def _collect() -> dict[str, Op]:
    found: dict[str, Op] = {}
    for module in MODULES:
        for value in vars(module).values():
            if isinstance(value, Op) and found.setdefault(value.name, value) is not value:
                raise ValueError(f"two ops are named {value.name!r}")
    return found


OPS: dict[str, Op] = _collect()
