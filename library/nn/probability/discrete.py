"""Distributions of whole numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ... import ops
from .base import Distribution
from .continuous import _unit

__all__ = ["Bernoulli", "Categorical", "Geometric", "Poisson"]


def _log(p: Tensor) -> Tensor:
    """The logarithm of probabilities, kept away from 0."""
    return ops.log(ops.maximum(p, 1e-30))


def _support(value: Tensor, log_prob: Tensor) -> Tensor:
    """The logarithm of the probability at whole numbers from 0 on, else that of 0."""
    inside = ops.logical_and(ops.greater_equal(value, 0.0), ops.equal(value, ops.floor(value)))
    return ops.where(inside, log_prob, -math.inf)


class Bernoulli(Distribution):
    """1 with a probability, else 0.

    Args:
        probs: the probability of 1.
        seed, dtype, name: see `Distribution`.

    Raises:
        ValueError: if a probability is not in [0, 1].

    Examples:
        >>> import mycel.nn.probability.distribution as msd
        >>> print(msd.Bernoulli(0.25).mean())
        0.25
    """

    parameters_of = ("probs",)
    discrete = True

    def __init__(self, probs: Any = None, seed: Any = None, dtype: Any = dtypes.int32, name: str = "Bernoulli") -> None:
        super().__init__(seed, dtype, name, {"probs": probs})

    def _log_prob(self, value: Tensor, p: Tensor) -> Tensor:
        return _log(p) * value + _log(1.0 - p) * (1.0 - value)

    def _cdf(self, value: Tensor, p: Tensor) -> Tensor:
        below = ops.where(ops.less(value, 1.0), 1.0 - p, 1.0)
        return ops.where(ops.less(value, 0.0), 0.0, below)

    def _mean(self, p: Tensor) -> Tensor:
        return p

    def _mode(self, p: Tensor) -> Tensor:
        return ops.cast(ops.greater(p, 0.5), self.dtype)

    def _var(self, p: Tensor) -> Tensor:
        return p * (1.0 - p)

    def _entropy(self, p: Tensor) -> Tensor:
        return -(p * _log(p) + (1.0 - p) * _log(1.0 - p))

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        (p,), (q,) = own, other
        return p * (_log(p) - _log(q)) + (1.0 - p) * (_log(1.0 - p) - _log(1.0 - q))

    def _sample(self, shape: tuple[int, ...], p: Tensor) -> Tensor:
        return ops.less(ops.uniform(shape, Tensor(0.0), Tensor(1.0), seed=self.seed), p)


class Geometric(Distribution):
    """How many trials fail before the first that succeeds.

    Args:
        probs: the probability of success.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.Geometric([0.5]).mean())
        [1.]
    """

    parameters_of = ("probs",)
    discrete = True

    def __init__(self, probs: Any = None, seed: Any = None, dtype: Any = dtypes.int32, name: str = "Geometric") -> None:
        super().__init__(seed, dtype, name, {"probs": probs})

    def _log_prob(self, value: Tensor, p: Tensor) -> Tensor:
        return _support(value, value * _log(1.0 - p) + _log(p))

    def _cdf(self, value: Tensor, p: Tensor) -> Tensor:
        reached = 1.0 - ops.pow(1.0 - p, ops.floor(value) + 1.0)
        return ops.where(ops.less(value, 0.0), 0.0, reached)

    def _mean(self, p: Tensor) -> Tensor:
        return (1.0 - p) / p

    def _mode(self, p: Tensor) -> Tensor:
        return ops.cast(ops.zeros_like(p), self.dtype)

    def _var(self, p: Tensor) -> Tensor:
        return (1.0 - p) / ops.square(p)

    def _entropy(self, p: Tensor) -> Tensor:
        return -((1.0 - p) * _log(1.0 - p) + p * _log(p)) / p

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        (p,), (q,) = own, other
        return _log(p) - _log(q) + (1.0 - p) / p * (_log(1.0 - p) - _log(1.0 - q))

    def _sample(self, shape: tuple[int, ...], p: Tensor) -> Tensor:
        return ops.floor(ops.log(_unit(shape, self.seed)) / _log(1.0 - p))


class Poisson(Distribution):
    """The Poisson distribution.

    Args:
        rate: the mean, positive.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.Poisson([2.0]).mean())
        [2.]
    """

    parameters_of = ("rate",)
    positive = ("rate",)
    discrete = True

    def __init__(self, rate: Any = None, seed: Any = None, dtype: Any = dtypes.float32, name: str = "Poisson") -> None:
        super().__init__(seed, dtype, name, {"rate": rate})

    def _log_prob(self, value: Tensor, rate: Tensor) -> Tensor:
        return _support(value, value * ops.log(rate) - rate - ops.lgamma(value + 1.0))

    def _cdf(self, value: Tensor, rate: Tensor) -> Tensor:
        whole = ops.floor(value)
        return ops.where(whole < 0, 0.0, ops.igammac(ops.maximum(whole, 0.0) + 1.0, rate))

    def _mean(self, rate: Tensor) -> Tensor:
        return rate

    def _mode(self, rate: Tensor) -> Tensor:
        return ops.floor(rate)

    def _var(self, rate: Tensor) -> Tensor:
        return rate

    def _sample(self, shape: tuple[int, ...], rate: Tensor) -> Tensor:
        return ops.random_poisson((), ops.broadcast_to(rate, shape), seed=self.seed)


class Categorical(Distribution):
    """Categories with the probabilities of the last dimension.

    Args:
        probs: the probabilities, of shape (…, categories).
        seed, dtype, name: see `Distribution`.

    Raises:
        ValueError: if a probability is not in [0, 1], or those of a row do not add up to 1.

    Examples:
        >>> import mycel as ms
        >>> import mycel.nn.probability.distribution as msd
        >>> print(msd.Categorical([0.25, 0.75]).prob(ms.Tensor([1, 0])))
        [0.75 0.25]
    """

    parameters_of = ("probs",)
    discrete = True

    def __init__(
        self, probs: Any = None, seed: Any = None, dtype: Any = dtypes.int32, name: str = "Categorical"
    ) -> None:
        super().__init__(seed, dtype, name, {"probs": probs})

    def _check(self, name: str, numbers: Any) -> None:
        super()._check(name, numbers)
        if numbers.ndim < 1 or not np.allclose(numbers.sum(-1), 1.0, atol=1e-3):
            raise ValueError(f"Categorical: the probabilities of a row should add up to 1, but are {numbers}")

    @property
    def batch_shape(self) -> Any:
        """The shape of the probabilities without the categories."""
        return None if self._own[0] is None else self._own[0].shape[:-1]

    broadcast_shape = batch_shape

    def _batch(self, *parameters: Tensor) -> tuple[int, ...]:
        return tuple(map(int, parameters[0].shape[:-1]))

    def _log_prob(self, value: Tensor, p: Tensor) -> Tensor:
        hot = ops.one_hot(ops.cast(value, dtypes.int32), int(p.shape[-1]), 1.0, 0.0)
        return ops.sum(hot * _log(p), -1)

    def _cdf(self, value: Tensor, p: Tensor) -> Tensor:
        places = ops.arange(int(p.shape[-1]))
        reached = ops.cast(ops.less_equal(places, ops.expand_dims(ops.floor(value), -1)), p.dtype)
        return ops.sum(reached * p, -1)

    def _mean(self, p: Tensor) -> Tensor:
        places = ops.cast(ops.arange(int(p.shape[-1])), p.dtype)
        return ops.sum(places * p, -1, keepdim=True)

    def _mode(self, p: Tensor) -> Tensor:
        return ops.cast(ops.argmax(p, -1), self.dtype)

    def _var(self, p: Tensor) -> Tensor:
        places = ops.cast(ops.arange(int(p.shape[-1])), p.dtype)
        return ops.sum(ops.square(places) * p, -1, keepdim=True) - ops.square(self._mean(p))

    def _entropy(self, p: Tensor) -> Tensor:
        return -ops.sum(p * _log(p), -1)

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        return ops.sum(own[0] * (_log(own[0]) - _log(other[0])), -1)

    def _sample(self, shape: tuple[int, ...], p: Tensor) -> Tensor:
        count = int(p.shape[-1])
        unit = ops.expand_dims(ops.uniform(shape, Tensor(0.0), Tensor(1.0), seed=self.seed), -1)
        passed = ops.sum(ops.cast(ops.greater_equal(unit, ops.cumsum(p, -1)), dtypes.int32), -1)
        return ops.minimum(passed, count - 1)
