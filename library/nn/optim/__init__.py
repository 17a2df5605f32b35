"""Optimizers."""

from __future__ import annotations

from .adafactor import AdaFactor
from .adam import Adam, AdaMax, AdamOffload, AdamWeightDecay, Lamb, LazyAdam
from .adaptive import FTRL, Adadelta, Adagrad, ProximalAdagrad, RMSProp
from .descent import ASGD, SGD, Momentum, Rprop
from .lars import LARS, ParameterUpdate
from .optimizer import Optimizer
from .registered import opt_init_args_register

__all__ = [
    "ASGD", "FTRL", "LARS", "SGD", "AdaFactor", "AdaMax", "Adadelta", "Adagrad", "Adam", "AdamOffload",
    "AdamWeightDecay", "Lamb", "LazyAdam", "Momentum", "Optimizer", "ParameterUpdate", "ProximalAdagrad", "RMSProp",
    "Rprop", "opt_init_args_register",
]  # fmt: skip
