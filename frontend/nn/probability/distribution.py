"""`mycel.nn.probability.distribution`: all distributions, and those that a bijector makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import ops
from ...tensor import Tensor
from .base import Distribution
from .bijector import Bijector
from .continuous import (
    Beta,
    Cauchy,
    Exponential,
    Gamma,
    Gumbel,
    HalfNormal,
    Laplace,
    Logistic,
    LogNormal,
    Normal,
    StudentT,
    Uniform,
)
from .discrete import Bernoulli, Categorical, Geometric, Poisson

__all__ = [
    "Bernoulli", "Beta", "Categorical", "Cauchy", "Distribution", "Exponential", "Gamma", "Geometric", "Gumbel",
    "HalfNormal", "Laplace", "LogNormal", "Logistic", "Normal", "Poisson", "StudentT", "TransformedDistribution",
    "Uniform",
]  # fmt: skip


class TransformedDistribution(Distribution):
    """The distribution of what a bijector makes of random numbers.

    Args:
        bijector: the transformation.
        distribution: of the numbers, with all its parameters.
        seed: of the generator that `sample` draws from; None: that of `distribution`.
        name: its name.

    Raises:
        TypeError: if `bijector` or `distribution` is none.

    Examples:
        >>> import mycel as ms
        >>> import mycel.nn.probability.bijector as msb
        >>> import mycel.nn.probability.distribution as msd
        >>> log_normal = msd.TransformedDistribution(msb.Exp(), msd.Normal(0.0, 1.0))
        >>> print(log_normal.cdf(ms.Tensor([1.0])))
        [0.5]
    """

    def __init__(
        self, bijector: Any, distribution: Any, seed: Any = None, name: str = "transformed_distribution"
    ) -> None:
        if not isinstance(bijector, Bijector):
            raise TypeError(f"TransformedDistribution takes a Bijector, but got {type(bijector).__name__}")
        if not isinstance(distribution, Distribution):
            raise TypeError(f"TransformedDistribution takes a Distribution, but got {type(distribution).__name__}")
        super().__init__(seed, distribution.dtype, name, {"bijector": bijector, "distribution": distribution})
        self._bijector = bijector
        self._distribution = distribution
        self.parameters_of = distribution.parameters_of
        self._own = distribution._own
        if seed:
            distribution.seed = seed

    @property
    def bijector(self) -> Bijector:
        """The transformation."""
        return self._bijector

    @property
    def distribution(self) -> Distribution:
        """The distribution that is transformed."""
        return self._distribution

    def _log_prob(self, value: Tensor, *parameters: Tensor) -> Tensor:
        before = self._distribution._log_prob(self._bijector._inverse(value), *parameters)
        return before + self._bijector._inverse_log_jacobian(value)

    def _cdf(self, value: Tensor, *parameters: Tensor) -> Tensor:
        return self._distribution._cdf(self._bijector._inverse(value), *parameters)

    def _mean(self, *parameters: Tensor) -> Tensor:
        if not self._bijector.is_constant_jacobian:
            raise NotImplementedError("the mean is known only of transformations that are linear")
        return self._bijector._forward(self._distribution._mean(*parameters))

    def _entropy(self, *parameters: Tensor) -> Tensor:
        if not self._bijector.is_constant_jacobian:
            raise NotImplementedError("the entropy is known only of transformations that are linear")
        before = self._distribution._entropy(*parameters)
        return before + self._bijector._forward_log_jacobian(ops.zeros_like(before))

    def _batch(self, *parameters: Tensor) -> tuple[int, ...]:
        return self._distribution._batch(*parameters)

    def _sample(self, shape: tuple[int, ...], *parameters: Tensor) -> Tensor:
        return self._bijector._forward(self._distribution._sample(shape, *parameters))

    @property
    def batch_shape(self) -> Any:
        """The shape of the parameters of the distribution."""
        return self._distribution.batch_shape

    broadcast_shape = batch_shape

    @property
    def is_scalar_batch(self) -> bool:
        """Whether the parameters are single numbers."""
        return np.prod(self.batch_shape or ()) == 1
