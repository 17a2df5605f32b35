"""Optimizers."""

from __future__ import annotations

from .adam import Adam, AdaMax, AdamOffload, AdamWeightDecay, Lamb, LazyAdam
from .adaptive import FTRL, Adadelta, AdaFactor, Adagrad, ProximalAdagrad, RMSProp
from .descent import ASGD, LARS, SGD, Momentum, ParameterUpdate, Rprop
from .optimizer import Optimizer, opt_init_args_register

__all__ = [
    "ASGD",
    "FTRL",
    "LARS",
    "SGD",
    "AdaFactor",
    "AdaMax",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamOffload",
    "AdamWeightDecay",
    "Lamb",
    "LazyAdam",
    "Momentum",
    "Optimizer",
    "ParameterUpdate",
    "ProximalAdagrad",
    "RMSProp",
    "Rprop",
    "opt_init_args_register",
]
