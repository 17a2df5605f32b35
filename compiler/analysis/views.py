"""Alias analysis of views: whether a view shares the memory of its input, and with which strides.

Arrays without content are asked. Nothing reads or writes their memory, so that large ones take no time.
"""

from __future__ import annotations

import numpy as np

from .. import ops
from ..ir.graph import Node
from ..ir.types import TensorType

_TELLS_OF_COPIES = np.lib.NumpyVersion(np.__version__) >= "2.1.0"


def blank(type: TensorType) -> np.ndarray:
    """An array of a type, in C order and without content."""
    return np.empty(type.static_shape, type.dtype.np)


def view_of(node: Node, array: np.ndarray) -> np.ndarray | None:
    """The view that a node makes of an array without content; None if it makes a copy."""
    if node.op is ops.reshape and _TELLS_OF_COPIES:
        try:
            return np.reshape(array, node.output.type.static_shape, copy=False)
        except ValueError:
            return None
    view: np.ndarray = node.op.kernel(array, **node.attrs)
    return view if np.may_share_memory(view, array) or not view.size else None
