"""MindSpore's functions on tensors (`mindspore.ops`) and its primitives, which are made when first asked for."""

from __future__ import annotations

import importlib
from typing import Any

from ...frontend.compilation.doors import guarded
from ...frontend.errors.spelling import missing_name as _missing_name
from ...frontend.transforms.grad import grad, value_and_grad  # noqa: F401
from ...frontend.transforms.grad_operation import GradOperation, get_grad  # noqa: F401
from ...frontend.transforms.jacobian import jacfwd, jacrev  # noqa: F401
from ...frontend.transforms.linearized import linearize  # noqa: F401
from ...frontend.transforms.products import jvp, vjp  # noqa: F401
from ...frontend.transforms.taylor import derivative, jet  # noqa: F401
from ...frontend.transforms.vmap import vmap  # noqa: F401
from ...frontend.values.tensor import Tensor

# The modules of methods enter methods of Tensor into the table.
from . import dtype_methods, math, methods, reduce_methods, shape_methods, table  # noqa: F401
from .array import *  # noqa: F403
from .attention import *  # noqa: F403
from .comparison import *  # noqa: F403
from .complex_parts import *  # noqa: F403
from .composite import *  # noqa: F403
from .creation import *  # noqa: F403
from .creation_matrix import *  # noqa: F403
from .creation_ranges import *  # noqa: F403
from .cumulative import *  # noqa: F403
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
from .primitive_functions import *  # noqa: F403
from .program import *  # noqa: F403
from .random import *  # noqa: F403
from .random_distributions import *  # noqa: F403
from .reduce import *  # noqa: F403
from .representation import *  # noqa: F403
from .special import *  # noqa: F403
from .statistics import *  # noqa: F403
from .windows import *  # noqa: F403

globals().update({name: record.run for name, record in table.names("ops").items()})


# What MindSpore's generated functions are called where mycel's have other names.
_RENAMED = {
    "nllloss": "nll_loss", "argmax_with_value": "max", "argmin_with_value": "min",
    "reduce_all": "all", "reduce_any": "any", "reduce_max": "amax", "reduce_min": "amin", "reduce_sum": "sum",
    "reduce_mean": "mean", "reverse_v2": "flip",
}  # fmt: skip


def _generated(name: str) -> Any:
    """What MindSpore's generated functions (`split_view`, `add_ext`, `inplace_mul` …) are in `mint` or as methods."""
    if name in ("add_ext", "sub_ext"):
        scaled = math.add_scaled if name == "add_ext" else math.sub
        return lambda input, other, alpha=1: scaled(input, other, alpha=alpha)
    if name.endswith("_impl"):
        found = getattr(importlib.import_module(".generated", __name__), name, None)
        if found is not None:
            return found
    base = name
    for suffix in ("_impl", "_op", "_view", "_ext", "_scalar", "_tensor"):
        base = base.removesuffix(suffix)
    base = _RENAMED.get(base, base)
    if name.startswith("inplace_"):
        return getattr(Tensor, f"{base.removeprefix('inplace_')}_", None)
    if name in ("contiguous", "clone", "copy", "detach"):
        return getattr(Tensor, name)
    if base == name:
        return None
    for module in ("mint.functional", "mint", "mint.linalg", "functions"):
        found = getattr(importlib.import_module(f"..{module}", __name__), base, None)
        if found is not None:
            return found
    return None


def __getattr__(name: str) -> Any:
    """A primitive, which is made now."""
    if not name.startswith("__"):
        found = getattr(importlib.import_module(".primitives", __name__), name, None)
        if found is not None:
            globals()[name] = guarded(found)
            return found
        found = _generated(name)
        if found is not None:
            return found
    raise _missing_name(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *importlib.import_module(".primitives", __name__).__all__})
