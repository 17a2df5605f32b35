"""Primitives without arguments of their own: the functions as objects, as the function table names them."""

from __future__ import annotations

from ... import functions
from .primitive import make_classes

CLASSES = make_classes({name: record.name for name, record in functions.records("primitive").items()}, globals())
