"""Layers, losses, optimizers, schedules, wrappers and metrics (`mindspore.nn`).

A file is imported when one of its names is first asked for, which `library/index.py` lists.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ...frontend.errors.spelling import missing_name as _missing_name
from ...frontend.values.cell import Cell as Cell
from ..index import LAYERS as _LAYERS
from ..lazy import LazyNames as _LazyNames

if _TYPE_CHECKING:  # what type checkers know of these names
    from ..containers import *  # noqa: F403
    from . import learning_rate as learning_rate_schedule, optim  # noqa: F401
    from .activation import *  # noqa: F403
    from .attention import *  # noqa: F403
    from .basic import *  # noqa: F403
    from .combined import *  # noqa: F403
    from .conv import *  # noqa: F403
    from .conv_transpose import *  # noqa: F403
    from .dense import *  # noqa: F403
    from .dropout import *  # noqa: F403
    from .embedding import *  # noqa: F403
    from .fractional import FractionalMaxPool2d as FractionalMaxPool2d, FractionalMaxPool3d as FractionalMaxPool3d
    from .functions import *  # noqa: F403
    from .graph_cell import GraphCell as GraphCell
    from .image import *  # noqa: F403
    from .learning_rate import *  # noqa: F403
    from .loss import *  # noqa: F403
    from .loss_classes import *  # noqa: F403
    from .loss_elements import *  # noqa: F403
    from .loss_margins import *  # noqa: F403
    from .loss_scale import *  # noqa: F403
    from .loss_segments import *  # noqa: F403
    from .metrics import *  # noqa: F403
    from .micro_batches import *  # noqa: F403
    from .normalization import *  # noqa: F403
    from .normalization_layers import *  # noqa: F403
    from .optim import *  # noqa: F403
    from .padding import *  # noqa: F403
    from .pooling import *  # noqa: F403
    from .pooling_adaptive import *  # noqa: F403
    from .pooling_norms import *  # noqa: F403
    from .rate_lists import *  # noqa: F403
    from .recurrent import *  # noqa: F403
    from .recurrent_cells import *  # noqa: F403
    from .transformer import *  # noqa: F403
    from .wrap import *  # noqa: F403

_NAMES = _LazyNames(__name__, _LAYERS | {"probability": "library.nn.probability"})


def __getattr__(name: str) -> object:
    """A layer or file, which is loaded when it is first asked for; for others an error with the nearest name."""
    if name in _NAMES.places:
        return _NAMES.find(name)
    if name == "learning_rate_schedule":
        return __getattr__("learning_rate")
    if name.endswith("Ext") and name[:-3] in _NAMES.places:  # MindSpore's other name of a layer of `mint.nn`
        return getattr(importlib.import_module("..mint.nn", __name__), name[:-3])
    raise _missing_name(__name__, name, __dir__())


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAYERS, "learning_rate_schedule"})
