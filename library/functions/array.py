"""Array functions that reshape, join, split, select and sort."""

from __future__ import annotations

from .array_broadcast import *  # noqa: F403
from .array_flip import *  # noqa: F403
from .array_gather import *  # noqa: F403
from .array_join import *  # noqa: F403
from .array_matrix import *  # noqa: F403
from .array_pad import *  # noqa: F403
from .array_rows import *  # noqa: F403
from .array_scatter import *  # noqa: F403
from .array_shape import *  # noqa: F403
from .array_slice import *  # noqa: F403
from .array_sort import *  # noqa: F403
from .array_split import *  # noqa: F403
