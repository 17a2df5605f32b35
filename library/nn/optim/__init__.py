"""Optimizers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...index import LAYERS
from ...lazy import LazyNames

if TYPE_CHECKING:
    from .adam import Adam, AdaMax, AdamOffload, AdamWeightDecay, Lamb, LazyAdam
    from .adaptive import FTRL, Adadelta, Adagrad, ProximalAdagrad, RMSProp
    from .descent import ASGD, SGD, Momentum, Rprop
    from .groups import opt_init_args_register
    from .optimizer import Optimizer
    from .scaled import LARS, AdaFactor, ParameterUpdate

__all__ = [
    "ASGD", "FTRL", "LARS", "SGD", "AdaFactor", "AdaMax", "Adadelta", "Adagrad", "Adam", "AdamOffload",
    "AdamWeightDecay", "Lamb", "LazyAdam", "Momentum", "Optimizer", "ParameterUpdate", "ProximalAdagrad", "RMSProp",
    "Rprop", "opt_init_args_register",
]  # fmt: skip

_NAMES = LazyNames(__name__, {name: LAYERS[name] for name in __all__})


def __getattr__(name: str) -> Any:
    """An optimizer, whose file is loaded when it is first asked for."""
    return _NAMES.find(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
