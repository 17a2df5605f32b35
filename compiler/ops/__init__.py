"""The table of ops: one file for each family; `OPS` maps the name of each op to its record.

A file is imported when one of its ops is first asked for, which `compiler/ops/files.py` lists.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

from ..ir.loops import INDEX as INDEX
from ..ir.op import Op
from .extent import *  # noqa: F403 its file has the name of its op, and so has the next one's
from .files import PLACES
from .fused import *  # noqa: F403

if TYPE_CHECKING:  # what type checkers know of these names
    from .activation import *  # noqa: F403
    from .along import *  # noqa: F403
    from .arithmetic import *  # noqa: F403
    from .assembling import *  # noqa: F403
    from .collectives import *  # noqa: F403
    from .comparison import *  # noqa: F403
    from .control import *  # noqa: F403
    from .conversion import *  # noqa: F403
    from .convolution import *  # noqa: F403
    from .counting import *  # noqa: F403
    from .creation import *  # noqa: F403
    from .cross_entropy import *  # noqa: F403
    from .cumulative import *  # noqa: F403
    from .custom import *  # noqa: F403
    from .decompositions import *  # noqa: F403
    from .determinants import *  # noqa: F403
    from .diagonals import *  # noqa: F403
    from .discrete import *  # noqa: F403
    from .effects import *  # noqa: F403
    from .einsum import *  # noqa: F403
    from .elementwise import *  # noqa: F403
    from .error_functions import *  # noqa: F403
    from .fourier import *  # noqa: F403
    from .gathering import *  # noqa: F403
    from .incomplete import *  # noqa: F403
    from .index_batching import *  # noqa: F403
    from .index_plan import *  # noqa: F403
    from .indexing import *  # noqa: F403
    from .joining import *  # noqa: F403
    from .linalg import *  # noqa: F403
    from .normalization import *  # noqa: F403
    from .packed_factors import *  # noqa: F403
    from .packing import *  # noqa: F403
    from .places import *  # noqa: F403
    from .pooling import *  # noqa: F403
    from .random import *  # noqa: F403
    from .reduction import *  # noqa: F403
    from .regions import *  # noqa: F403
    from .sampling import *  # noqa: F403
    from .scatter import *  # noqa: F403
    from .shape import *  # noqa: F403
    from .sharding import *  # noqa: F403
    from .slicing import *  # noqa: F403
    from .softmaxes import *  # noqa: F403
    from .solving import *  # noqa: F403
    from .sorting import *  # noqa: F403
    from .special import *  # noqa: F403
    from .turning import *  # noqa: F403
    from .unfolding import *  # noqa: F403


def __getattr__(name: str) -> Any:
    """An op, or what else a file defines, which is loaded when it is first asked for."""
    place = PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f".{place}", __name__)
    found = module if place == name else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *PLACES})


class _Ops(MutableMapping[str, Op]):
    """The record of each op by its name, which is that of the op in this package."""

    def __init__(self) -> None:
        self.found: dict[str, Op] = {}

    def __getitem__(self, name: str) -> Op:
        found = self.found.get(name)
        if found is None:
            found = (globals().get(name) or __getattr__(name)) if name in PLACES else None
            if not isinstance(found, Op):
                raise KeyError(name)
            self.found[name] = found
        return found

    def __setitem__(self, name: str, op: Op) -> None:
        self.found[name] = op

    def __delitem__(self, name: str) -> None:
        del self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter([name for name in dict.fromkeys([*PLACES, *self.found]) if name in self])

    def __len__(self) -> int:
        return len(list(iter(self)))  # `sum` is an op here


OPS = _Ops()
