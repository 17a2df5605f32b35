"""Where views lie in the memory of their base."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..analysis.views import blank, view_of
from ..ir.graph import Node
from .translator import Layout


def layout_through(views: Sequence[Node]) -> tuple[np.ndarray, Layout] | None:
    """The array that the last of some views is, each of the one before, and its layout in what the first one views.

    The array has no content. None where one of them makes a copy.
    """
    whole = seen = blank(views[0].inputs[0].type)
    for node in views:
        view = view_of(node, seen)
        if view is None:
            return None
        seen = view
    offset = seen.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    return seen, Layout(whole.shape, offset, seen.strides)
