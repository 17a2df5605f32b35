"""Processes (`mindspore.multiprocessing`): those of Python. Tensors are sent as pickles."""

from __future__ import annotations

import multiprocessing
from multiprocessing import *  # noqa: F403

__all__ = [*multiprocessing.__all__, "multiprocessing"]
