"""`mycel.experimental`: parts that MindSpore may still change: optimizers with `param_groups`."""

from __future__ import annotations

from . import optim

__all__ = ["optim"]
