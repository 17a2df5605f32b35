"""The functions on tensors; `mycel.ops` has them and the primitives (`library/ops/`).

A file is imported when one of its names is first asked for, which `library/index.py` lists.
"""

from __future__ import annotations

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING, Any as _Any

from ..index import FUNCTIONS as _FUNCTIONS
from ..lazy import LazyNames as _LazyNames
from . import table

if _TYPE_CHECKING:  # what type checkers know of these names
    from ...frontend.transforms.grad import grad, value_and_grad  # noqa: F401
    from ...frontend.transforms.grad_operation import GradOperation, get_grad  # noqa: F401
    from ...frontend.transforms.jacobian import jacfwd, jacrev  # noqa: F401
    from ...frontend.transforms.products import (  # noqa: F401
        jvp,
        linearize,
        vjp,
    )
    from ...frontend.transforms.taylor import derivative, jet  # noqa: F401
    from ...frontend.transforms.vmap import vmap  # noqa: F401
    from .array import *  # noqa: F403
    from .attention import *  # noqa: F403
    from .comparison import *  # noqa: F403
    from .composite import *  # noqa: F403
    from .creation import *  # noqa: F403
    from .creation_ranges import *  # noqa: F403
    from .cumulative import *  # noqa: F403
    from .error_functions import *  # noqa: F403
    from .extremes import *  # noqa: F403
    from .fourier import *  # noqa: F403
    from .functions import *  # noqa: F403
    from .linalg import *  # noqa: F403
    from .linalg_norm import *  # noqa: F403
    from .linalg_solve import *  # noqa: F403
    from .linalg_weighted import *  # noqa: F403
    from .math import *  # noqa: F403
    from .math_binary import *  # noqa: F403
    from .nn_functional import *  # noqa: F403
    from .overloads import *  # noqa: F403
    from .program import *  # noqa: F403
    from .random import *  # noqa: F403
    from .random_distributions import *  # noqa: F403
    from .reduce import *  # noqa: F403
    from .representation import *  # noqa: F403
    from .special import *  # noqa: F403
    from .statistics import *  # noqa: F403
    from .windows import *  # noqa: F403


def _recorded(module: _Any, name: str) -> _Any:
    """A function by one of its names, of which its file may have another only."""
    record = table.TABLE["ops"].get(name)
    return getattr(module, name) if record is None else record.run


_NAMES = _LazyNames(__name__, _FUNCTIONS, take=_recorded)


def records(place: str) -> dict[str, table.Function]:
    """All functions of a place, such as "mint", by their names there; the files that have them are loaded."""
    for home in sorted(set(_FUNCTIONS.values())):
        if home.startswith("library.functions."):
            _importlib.import_module(f"...{home}", __name__)
    return table.TABLE[place]


def known(place: str, name: str) -> table.Function | None:
    """The function with this name in a place: most are in the file that has the function of `ops` with that name."""
    home = _FUNCTIONS.get(name, "")
    if home.startswith("library.functions."):
        _importlib.import_module(f"...{home}", __name__)
        if name in table.TABLE[place]:
            return table.TABLE[place][name]
    return None if name.startswith("__") else records(place).get(name)


def record(place: str, name: str, home: str) -> table.Function:
    """The function with this name in a place, such as "primitive"; its file, which the index names, is loaded."""
    _importlib.import_module(f"...{home}", __name__)
    return table.TABLE[place][name]


def __getattr__(name: str) -> _Any:
    """A function or file, which is loaded when it is first asked for."""
    return _NAMES.find(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_FUNCTIONS})
