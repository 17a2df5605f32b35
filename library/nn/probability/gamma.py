"""Distributions that the gamma function normalises."""

from __future__ import annotations

import math
from typing import Any

from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ... import ops
from .base import Distribution

__all__ = ["Beta", "Gamma", "StudentT"]


class StudentT(Distribution):
    """Student's t-distribution.

    Args:
        df: the degrees of freedom, positive.
        mean, sd: its centre and scale.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.StudentT([3.0], [0.0], [1.0]).log_prob(Tensor([0.0])).round(3))
        [-1.001]
    """

    parameters_of = ("df", "mean", "sd")
    positive = ("df", "sd")

    def __init__(
        self, df: Any = None, mean: Any = None, sd: Any = None, seed: Any = None, dtype: Any = dtypes.float32,
        name: str = "StudentT",
    ) -> None:  # fmt: skip
        super().__init__(seed, dtype, name, {"df": df, "mean": mean, "sd": sd})

    def _log_prob(self, value: Tensor, df: Tensor, mean: Tensor, sd: Tensor) -> Tensor:
        square = ops.square((value - mean) / sd)
        norm = ops.lgamma(0.5 * df) - ops.lgamma(0.5 * (df + 1.0)) + 0.5 * ops.log(df * math.pi) + ops.log(sd)
        return -0.5 * (df + 1.0) * ops.log1p(square / df) - norm

    def _sample(self, shape: tuple[int, ...], df: Tensor, mean: Tensor, sd: Tensor) -> Tensor:
        spread = ops.random_gamma((), ops.broadcast_to(0.5 * df, shape), seed=self.seed) * (2.0 / df)
        return mean + sd * ops.standard_normal(shape, seed=self.seed) * ops.rsqrt(spread)


class Gamma(Distribution):
    """The gamma distribution.

    Args:
        concentration, rate: its shape, and one over its scale; positive.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.Gamma([4.0], [2.0]).mean())
        [2.]
    """

    parameters_of = ("concentration", "rate")
    positive = ("concentration", "rate")

    def __init__(
        self, concentration: Any = None, rate: Any = None, seed: Any = None, dtype: Any = dtypes.float32,
        name: str = "Gamma",
    ) -> None:  # fmt: skip
        super().__init__(seed, dtype, name, {"concentration": concentration, "rate": rate})

    def _log_prob(self, value: Tensor, a: Tensor, rate: Tensor) -> Tensor:
        return (a - 1.0) * ops.log(value) - rate * value + a * ops.log(rate) - ops.lgamma(a)

    def _cdf(self, value: Tensor, a: Tensor, rate: Tensor) -> Tensor:
        return ops.igamma(a, rate * value)

    def _mean(self, a: Tensor, rate: Tensor) -> Tensor:
        return a / rate

    def _mode(self, a: Tensor, rate: Tensor) -> Tensor:
        return ops.where(ops.greater(a, 1.0), (a - 1.0) / rate, math.nan)

    def _var(self, a: Tensor, rate: Tensor) -> Tensor:
        return a / ops.square(rate)

    def _entropy(self, a: Tensor, rate: Tensor) -> Tensor:
        return a - ops.log(rate) + ops.lgamma(a) + (1.0 - a) * ops.digamma(a)

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        (a, rate), (a_b, rate_b) = own, other
        return (
            (a - a_b) * ops.digamma(a) + ops.lgamma(a_b) - ops.lgamma(a)
            + a_b * (ops.log(rate) - ops.log(rate_b)) + a * (rate_b / rate - 1.0)
        )  # fmt: skip

    def _sample(self, shape: tuple[int, ...], a: Tensor, rate: Tensor) -> Tensor:
        return ops.random_gamma((), ops.broadcast_to(a, shape), seed=self.seed) / rate


class Beta(Distribution):
    """The beta distribution, on (0, 1).

    Args:
        concentration1, concentration0: the exponents of x and of 1 - x, plus one; positive.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.Beta([1.0], [1.0]).mean())
        [0.5]
    """

    parameters_of = ("concentration1", "concentration0")
    positive = ("concentration1", "concentration0")

    def __init__(
        self, concentration1: Any = None, concentration0: Any = None, seed: Any = None, dtype: Any = dtypes.float32,
        name: str = "Beta",
    ) -> None:  # fmt: skip
        super().__init__(seed, dtype, name, {"concentration1": concentration1, "concentration0": concentration0})

    def _log_beta(self, a: Tensor, b: Tensor) -> Tensor:
        return ops.lgamma(a) + ops.lgamma(b) - ops.lgamma(a + b)

    def _log_prob(self, value: Tensor, a: Tensor, b: Tensor) -> Tensor:
        return (a - 1.0) * ops.log(value) + (b - 1.0) * ops.log1p(-value) - self._log_beta(a, b)

    def _mean(self, a: Tensor, b: Tensor) -> Tensor:
        return a / (a + b)

    def _mode(self, a: Tensor, b: Tensor) -> Tensor:
        known = ops.logical_and(ops.greater(a, 1.0), ops.greater(b, 1.0))
        return ops.where(known, (a - 1.0) / (a + b - 2.0), math.nan)

    def _var(self, a: Tensor, b: Tensor) -> Tensor:
        return a * b / (ops.square(a + b) * (a + b + 1.0))

    def _entropy(self, a: Tensor, b: Tensor) -> Tensor:
        total = a + b
        return (
            self._log_beta(a, b) - (a - 1.0) * ops.digamma(a) - (b - 1.0) * ops.digamma(b)
            + (total - 2.0) * ops.digamma(total)
        )  # fmt: skip

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        (a, b), (a_b, b_b) = own, other
        return (
            self._log_beta(a_b, b_b) - self._log_beta(a, b) + (a - a_b) * ops.digamma(a)
            + (b - b_b) * ops.digamma(b) + (a_b - a + b_b - b) * ops.digamma(a + b)
        )  # fmt: skip

    def _sample(self, shape: tuple[int, ...], a: Tensor, b: Tensor) -> Tensor:
        first, second = (ops.random_gamma((), ops.broadcast_to(each, shape), seed=self.seed) for each in (a, b))
        return first / (first + second)
