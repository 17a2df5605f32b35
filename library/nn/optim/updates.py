"""Optimizers that update one Parameter after the other by one rule, and the arithmetic that they share."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ....runtime import dtypes
from ... import ops
from .optimizer import Optimizer


class Stepwise(Optimizer):
    """The base of optimizers that define `_update` for one Parameter.

    Attributes:
        _state: the names of the attributes that hold one Parameter for each one trained; `_update` gets these.
    """

    _divides = True
    _state: tuple[str, ...] = ()

    def construct(self, gradients: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        gradients = self._prepared(gradients)
        states = (getattr(self, name) for name in self._state)
        rows: Any = zip(*states, strict=True) if self._state else itertools.repeat((), self.param_length)
        for parameter, gradient, rate, state in self._mine(self.parameters, gradients, self._rates(), rows):
            self._update(parameter, gradient, rate, *state)
        self._count_step()
        return self.broadcast_params((True,) * self.param_length)

    def _update(self, parameter: Any, gradient: Any, rate: Any, *state: Any) -> None:
        raise NotImplementedError


class StepwiseOfGrads(Stepwise):
    """The same, where MindSpore's name of the gradients is `grads`."""

    def construct(self, grads: Any) -> Any:
        """Update the Parameters; a tuple of True."""
        return super().construct(grads)


def norm(x: Any) -> Any:
    """The Euclidean norm of all elements."""
    return ops.sqrt(ops.sum(ops.square(x)))


def decayed(update: Any, parameter: Any, decay: Any) -> Any:
    """The update plus weight decay times the Parameter."""
    return update if isinstance(decay, float) and decay == 0.0 else update + parameter * decay


def as_step(global_step: Any) -> Any:
    """The count of steps as a float32 number, a 0-d tensor."""
    return ops.reshape(ops.cast(global_step, dtypes.float32), ())


def complement(beta: float) -> float:
    """1 - beta in single precision."""
    return float(np.float32(1) - np.float32(beta))


def moving_average(average: Any, value: Any, beta: float) -> Any:
    """beta·average + (1 - beta)·value, the average's part first: that one can be computed where the average lives."""
    return average * beta + value * complement(beta)
