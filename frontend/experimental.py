"""`mycel.experimental`: what MindSpore may still change: optimizers with `param_groups`."""

from __future__ import annotations

from . import experimental_optim as optim

__all__ = ["optim"]
