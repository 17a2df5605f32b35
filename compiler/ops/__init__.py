"""The table of ops: one module for each family; `OPS` maps the name of each op to its record."""

from __future__ import annotations

from types import ModuleType

from ..ir.op import Op
from . import (
    activation,
    along,
    arithmetic,
    bessel as bessel_module,
    bits,
    collectives,
    comparison,
    control,
    conversion,
    convolution,
    creation,
    cross_entropy,
    cumulative,
    custom,
    decompositions,
    diagonals,
    discrete,
    effects,
    elementwise,
    extent as extent_module,
    fourier,
    fused as fused_module,
    gathering,
    indexing,
    joining,
    linalg,
    normalization,
    packed_factors,
    packing,
    places,
    pooling,
    powers,
    random,
    reduction,
    remainders,
    resizing,
    sampling,
    scatter,
    shape,
    sharding,
    slicing,
    softmaxes,
    sorting,
    special,
    unfolding,
)
from .activation import *  # noqa: F403
from .along import *  # noqa: F403
from .arithmetic import *  # noqa: F403
from .bessel import *  # noqa: F403
from .bits import *  # noqa: F403
from .collectives import *  # noqa: F403
from .comparison import *  # noqa: F403
from .control import *  # noqa: F403
from .conversion import *  # noqa: F403
from .convolution import *  # noqa: F403
from .creation import *  # noqa: F403
from .cross_entropy import *  # noqa: F403
from .cumulative import *  # noqa: F403
from .custom import *  # noqa: F403
from .decompositions import *  # noqa: F403
from .diagonals import *  # noqa: F403
from .discrete import *  # noqa: F403
from .effects import *  # noqa: F403
from .einsum import *  # noqa: F403
from .elementwise import *  # noqa: F403
from .extent import *  # noqa: F403
from .fourier import *  # noqa: F403
from .fused import *  # noqa: F403
from .gathering import *  # noqa: F403
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
from .powers import *  # noqa: F403
from .random import *  # noqa: F403
from .reduction import *  # noqa: F403
from .remainders import *  # noqa: F403
from .resizing import *  # noqa: F403
from .sampling import *  # noqa: F403
from .scatter import *  # noqa: F403
from .shape import *  # noqa: F403
from .sharding import *  # noqa: F403
from .slicing import *  # noqa: F403
from .softmaxes import *  # noqa: F403
from .sorting import *  # noqa: F403
from .special import *  # noqa: F403
from .unfolding import *  # noqa: F403

MODULES = (
    arithmetic,
    shape,
    reduction,
    creation,
    linalg,
    control,
    custom,
    comparison,
    conversion,
    elementwise,
    powers,
    remainders,
    slicing,
    joining,
    packing,
    places,
    diagonals,
    discrete,
    indexing,
    gathering,
    along,
    cumulative,
    convolution,
    softmaxes,
    sorting,
    activation,
    pooling,
    scatter,
    effects,
    collectives,
    sharding,
    cross_entropy,
    normalization,
    special,
    random,
    decompositions,
    packed_factors,
    fused_module,
    unfolding,
    resizing,
    sampling,
    bits,
    extent_module,
    fourier,
    bessel_module,
)


def _collect() -> dict[str, Op]:
    found: dict[str, Op] = {}
    for module in MODULES:
        if not isinstance(module, ModuleType) or module.__package__ != __name__:
            raise TypeError(f"{module!r} hides the module of its name: import that as another")
        for value in vars(module).values():
            if isinstance(value, Op) and found.setdefault(value.name, value) is not value:
                raise ValueError(f"two ops are named {value.name!r}")
    return found


OPS: dict[str, Op] = _collect()
