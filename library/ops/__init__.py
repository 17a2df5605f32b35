"""`mycel.ops`: MindSpore's functions on tensors and its primitives, which are made when first asked for."""

from __future__ import annotations

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING, Any

from ...frontend.compilation.doors import guarded as _guarded
from ...frontend.errors.spelling import missing_name as _missing_name
from ...frontend.values.tensor import Tensor
from .. import functions as _functions
from ..index import CALLED as _CALLED, FUNCTIONS as _FUNCTIONS
from ..lazy import LazyNames as _LazyNames

if _TYPE_CHECKING:  # what type checkers know of these names
    from ..functions import *  # noqa: F403
    from .called import *  # noqa: F403

_NAMES = _LazyNames(__name__, _CALLED)

# What MindSpore's generated functions are called where mycel's have other names.
_RENAMED = {
    "nllloss": "nll_loss", "argmax_with_value": "max", "argmin_with_value": "min",
    "reduce_all": "all", "reduce_any": "any", "reduce_max": "amax", "reduce_min": "amin", "reduce_sum": "sum",
    "reduce_mean": "mean", "reverse_v2": "flip",
}  # fmt: skip


_METHODS = (
    "contiguous", "clone", "copy", "detach", "bernoulli_", "clamp_", "erfinv_", "exponential_", "normal_", "put_",
    "random_", "tanh_", "uniform_", "zero_",
)  # fmt: skip


def _generated(name: str) -> Any:
    """What MindSpore's generated functions (`split_view`, `add_ext`, `inplace_mul` …) are in `mint` or as methods."""
    if name in ("add_ext", "sub_ext"):
        scaled = _functions.math.add_scaled if name == "add_ext" else _functions.math.sub
        return lambda input, other, alpha=1: scaled(input, other, alpha=alpha)
    if name.endswith("_impl"):
        from ..functions import generated

        found = getattr(generated, name, None)
        if found is not None:
            return found
    base = name
    for suffix in ("_impl", "_op", "_view", "_ext", "_scalar", "_tensor"):
        base = base.removesuffix(suffix)
    base = _RENAMED.get(base, base)
    if name.startswith("inplace_"):
        return getattr(Tensor, f"{base.removeprefix('inplace_')}_", None)
    if name in _METHODS:
        return getattr(Tensor, name)
    return _in_mint(base) if base != name else None


def _in_mint(name: str) -> Any:
    """The function of `mint` with this name, or else that of `ops`."""
    from .. import functions, mint
    from ..mint import functional, linalg

    return next((getattr(place, name) for place in (functional, mint, linalg, functions) if hasattr(place, name)), None)


def _primitives() -> Any:
    """The module that makes the primitives, which is loaded when the first of them is asked for."""
    return _importlib.import_module(".primitives", __package__)


def __getattr__(name: str) -> Any:
    """A function, which is loaded now, or a primitive, which is made now."""
    if name in _FUNCTIONS or name in _NAMES.places:
        found = getattr(_functions, name) if name in _FUNCTIONS else _NAMES.find(name)
        globals()[name] = _guarded(found)
        return found
    if not name.startswith("__"):
        found = getattr(_primitives(), name, None)
        if found is not None:
            globals()[name] = _guarded(found)
            return found
        found = _generated(name)
        if found is not None:
            return found
    raise _missing_name(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_FUNCTIONS, *_CALLED, *_primitives().__all__})
