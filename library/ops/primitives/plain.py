"""Primitives without arguments of their own: the functions as objects, as the function table names them."""

from __future__ import annotations

from ...functions import table
from .primitive import make_classes

CLASSES = make_classes({name: record.name for name, record in table.names("primitive").items()}, globals())
