"""Array functions: what shapes, joins, cuts, picks and orders elements; `TENSOR_METHODS` holds the tensors' methods."""

from __future__ import annotations

from typing import Any

from . import array_broadcast, array_gather, array_join, array_matrix, array_pad, array_scatter, array_shape, array_sort
from .array_broadcast import *  # noqa: F403
from .array_gather import *  # noqa: F403
from .array_join import *  # noqa: F403
from .array_matrix import *  # noqa: F403
from .array_pad import *  # noqa: F403
from .array_scatter import *  # noqa: F403
from .array_shape import *  # noqa: F403
from .array_sort import *  # noqa: F403

MODULES = (array_shape, array_broadcast, array_join, array_pad, array_gather, array_scatter, array_sort, array_matrix)
TENSOR_METHODS: dict[str, Any] = {
    name: function for module in MODULES for name, function in module.TENSOR_METHODS.items()
}
