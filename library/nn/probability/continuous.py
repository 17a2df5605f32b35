"""Distributions of real numbers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ... import ops
from .base import Distribution

__all__ = ["Cauchy", "Exponential", "Gumbel", "HalfNormal", "Laplace", "LogNormal", "Logistic", "Normal", "Uniform"]

_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
_EULER = float(np.euler_gamma)


def _unit(shape: tuple[int, ...], seed: Any) -> Tensor:
    """Uniform numbers in (0, 1)."""
    return ops.clip_by_value(ops.uniform(shape, Tensor(0.0), Tensor(1.0), seed=seed), 1e-7, 1.0 - 6e-8)


class Normal(Distribution):
    """The normal distribution.

    Args:
        mean: the mean; may be left out here and given where the distribution is used.
        sd: the standard deviation, positive; likewise.
        seed, dtype, name: see `Distribution`.

    Raises:
        TypeError: if `dtype` is not floating-point.
        ValueError: if `sd` is not positive.

    Examples:
        >>> import mycel as ms
        >>> import mycel.nn.probability.distribution as msd
        >>> normal = msd.Normal(0.0, 2.0)
        >>> print(normal.var(), normal.cdf(ms.Tensor([0.0])))
        4.0 [0.5]
    """

    parameters_of = ("mean", "sd")
    positive = ("sd",)

    def __init__(
        self, mean: Any = None, sd: Any = None, seed: Any = None, dtype: Any = dtypes.float32, name: str = "Normal"
    ) -> None:
        super().__init__(seed, dtype, name, {"mean": mean, "sd": sd})

    def _log_prob(self, value: Tensor, mean: Tensor, sd: Tensor) -> Tensor:
        return -0.5 * ops.square((value - mean) / sd) - ops.log(sd) - _HALF_LOG_2PI

    def _cdf(self, value: Tensor, mean: Tensor, sd: Tensor) -> Tensor:
        return 0.5 * ops.erfc((mean - value) / (sd * math.sqrt(2)))

    def _mean(self, mean: Tensor, sd: Tensor) -> Tensor:
        return mean + ops.zeros_like(sd)

    def _mode(self, mean: Tensor, sd: Tensor) -> Tensor:
        return self._mean(mean, sd)

    def _sd(self, mean: Tensor, sd: Tensor) -> Tensor:
        return sd + ops.zeros_like(mean)

    def _entropy(self, mean: Tensor, sd: Tensor) -> Tensor:
        return ops.log(self._sd(mean, sd)) + (0.5 + _HALF_LOG_2PI)

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        (mean, sd), (mean_b, sd_b) = own, other
        ratio = sd / sd_b
        return 0.5 * (ops.square((mean - mean_b) / sd_b) + ops.square(ratio) - 1.0) - ops.log(ratio)

    def _sample(self, shape: tuple[int, ...], mean: Tensor, sd: Tensor) -> Tensor:
        return ops.standard_normal(shape, seed=self.seed) * sd + mean


class LogNormal(Distribution):
    """The distribution of the exponential of normally distributed numbers.

    Args:
        loc, scale: mean and standard deviation of the normal distribution.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.LogNormal(0.0, 1.0).mode().round(3))
        0.368
    """

    parameters_of = ("loc", "scale")
    positive = ("scale",)

    def __init__(
        self, loc: Any = None, scale: Any = None, seed: Any = 0, dtype: Any = dtypes.float32, name: str = "LogNormal"
    ) -> None:
        super().__init__(seed, dtype, name, {"loc": loc, "scale": scale})
        self._normal = Normal(seed=seed, dtype=dtype)

    def _log_prob(self, value: Tensor, loc: Tensor, scale: Tensor) -> Tensor:
        logarithm = ops.log(value)
        return self._normal._log_prob(logarithm, loc, scale) - logarithm

    def _cdf(self, value: Tensor, loc: Tensor, scale: Tensor) -> Tensor:
        return self._normal._cdf(ops.log(value), loc, scale)

    def _mean(self, loc: Tensor, scale: Tensor) -> Tensor:
        return ops.exp(loc + 0.5 * ops.square(scale))

    def _mode(self, loc: Tensor, scale: Tensor) -> Tensor:
        return ops.exp(loc - ops.square(scale))

    def _var(self, loc: Tensor, scale: Tensor) -> Tensor:
        squared = ops.square(scale)
        return ops.expm1(squared) * ops.exp(2.0 * loc + squared)

    def _entropy(self, loc: Tensor, scale: Tensor) -> Tensor:
        return loc + ops.log(scale) + (0.5 + _HALF_LOG_2PI)

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        return self._normal._kl(own, other)

    def _sample(self, shape: tuple[int, ...], loc: Tensor, scale: Tensor) -> Tensor:
        return ops.exp(self._normal._sample(shape, loc, scale))


class HalfNormal(Distribution):
    """The normal distribution, restricted to numbers above its mean.

    Args:
        mean, sd: of the normal distribution.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.HalfNormal([0.0], [1.0]).prob(Tensor([-1.0])))
        [0.]
    """

    parameters_of = ("mean", "sd")
    positive = ("sd",)

    def __init__(
        self, mean: Any = None, sd: Any = None, seed: Any = None, dtype: Any = dtypes.float32, name: str = "HalfNormal"
    ) -> None:
        super().__init__(seed, dtype, name, {"mean": mean, "sd": sd})

    def _log_prob(self, value: Tensor, mean: Tensor, sd: Tensor) -> Tensor:
        inside = -0.5 * ops.square((value - mean) / sd) - ops.log(sd) + 0.5 * math.log(2 / math.pi)
        return ops.where(ops.greater(value, mean), inside, -math.inf)

    def _sample(self, shape: tuple[int, ...], mean: Tensor, sd: Tensor) -> Tensor:
        return ops.abs(ops.standard_normal(shape, seed=self.seed)) * sd + mean


class Laplace(Distribution):
    """The two-sided exponential distribution.

    Args:
        mean, sd: its centre, and the mean distance from it.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.Laplace([0.0], [1.0]).prob(Tensor([0.0])))
        [0.5]
    """

    parameters_of = ("mean", "sd")
    positive = ("sd",)

    def __init__(
        self, mean: Any = None, sd: Any = None, seed: Any = None, dtype: Any = dtypes.float32, name: str = "Laplace"
    ) -> None:
        super().__init__(seed, dtype, name, {"mean": mean, "sd": sd})

    def _log_prob(self, value: Tensor, mean: Tensor, sd: Tensor) -> Tensor:
        return -ops.abs(value - mean) / sd - ops.log(2.0 * sd)

    def _sample(self, shape: tuple[int, ...], mean: Tensor, sd: Tensor) -> Tensor:
        return ops.standard_laplace(shape, seed=self.seed) * sd + mean


class Uniform(Distribution):
    """The distribution with equal chances in [low, high).

    Args:
        low, high: the bounds.
        seed, dtype, name: see `Distribution`.

    Raises:
        ValueError: unless `low` is below `high`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.Uniform([0.0], [2.0]).prob(Tensor([1.0])))
        [0.5]
    """

    parameters_of = ("low", "high")

    def __init__(
        self, low: Any = None, high: Any = None, seed: Any = None, dtype: Any = dtypes.float32, name: str = "Uniform"
    ) -> None:
        super().__init__(seed, dtype, name, {"low": low, "high": high})
        first, last = self._own
        known = not any(bound is None or bound._is_traced_tensor for bound in self._own)
        if known and not (first.asnumpy() < last.asnumpy()).all():
            raise ValueError(f"Uniform: 'low' {low} should be below 'high' {high}")

    def _log_prob(self, value: Tensor, low: Tensor, high: Tensor) -> Tensor:
        return ops.log(self._prob(value, low, high))

    def _prob(self, value: Tensor, low: Tensor, high: Tensor) -> Tensor:
        inside = ops.logical_and(ops.greater_equal(value, low), ops.less_equal(value, high))
        return ops.where(inside, 1.0 / (high - low), 0.0)

    def _cdf(self, value: Tensor, low: Tensor, high: Tensor) -> Tensor:
        return ops.clip_by_value((value - low) / (high - low), 0.0, 1.0)

    def _mean(self, low: Tensor, high: Tensor) -> Tensor:
        return (low + high) / 2.0

    def _var(self, low: Tensor, high: Tensor) -> Tensor:
        return ops.square(high - low) / 12.0

    def _entropy(self, low: Tensor, high: Tensor) -> Tensor:
        return ops.log(high - low)

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        (low, high), (low_b, high_b) = own, other
        inside = ops.logical_and(ops.less_equal(low_b, low), ops.less_equal(high, high_b))
        return ops.where(inside, ops.log(high_b - low_b) - ops.log(high - low), math.inf)

    def _sample(self, shape: tuple[int, ...], low: Tensor, high: Tensor) -> Tensor:
        return ops.uniform(shape, Tensor(0.0), Tensor(1.0), seed=self.seed) * (high - low) + low


class Exponential(Distribution):
    """The exponential distribution.

    Args:
        rate: one over the mean, positive.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.Exponential([2.0]).mean())
        [0.5]
    """

    parameters_of = ("rate",)
    positive = ("rate",)

    def __init__(
        self, rate: Any = None, seed: Any = None, dtype: Any = dtypes.float32, name: str = "Exponential"
    ) -> None:
        super().__init__(seed, dtype, name, {"rate": rate})

    def _log_prob(self, value: Tensor, rate: Tensor) -> Tensor:
        return ops.where(ops.greater_equal(value, 0.0), ops.log(rate) - rate * value, -math.inf)

    def _cdf(self, value: Tensor, rate: Tensor) -> Tensor:
        return ops.where(ops.greater_equal(value, 0.0), -ops.expm1(-rate * value), 0.0)

    def _mean(self, rate: Tensor) -> Tensor:
        return 1.0 / rate

    def _mode(self, rate: Tensor) -> Tensor:
        return ops.zeros_like(rate)

    def _sd(self, rate: Tensor) -> Tensor:
        return 1.0 / rate

    def _entropy(self, rate: Tensor) -> Tensor:
        return 1.0 - ops.log(rate)

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        ratio = other[0] / own[0]
        return ratio - 1.0 - ops.log(ratio)

    def _sample(self, shape: tuple[int, ...], rate: Tensor) -> Tensor:
        return -ops.log(_unit(shape, self.seed)) / rate


class Gumbel(Distribution):
    """The Gumbel distribution, of maxima.

    Args:
        loc, scale: where its mode lies, and its spread, positive.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.Gumbel(0.0, 1.0).mode())
        0.0
    """

    parameters_of = ("loc", "scale")
    positive = ("scale",)

    def __init__(self, loc: Any, scale: Any, seed: Any = 0, dtype: Any = dtypes.float32, name: str = "Gumbel") -> None:
        super().__init__(seed, dtype, name, {"loc": loc, "scale": scale})

    def _log_prob(self, value: Tensor, loc: Tensor, scale: Tensor) -> Tensor:
        z = (value - loc) / scale
        return -(z + ops.exp(-z)) - ops.log(scale)

    def _cdf(self, value: Tensor, loc: Tensor, scale: Tensor) -> Tensor:
        return ops.exp(-ops.exp(-(value - loc) / scale))

    def _mean(self, loc: Tensor, scale: Tensor) -> Tensor:
        return loc + scale * _EULER

    def _mode(self, loc: Tensor, scale: Tensor) -> Tensor:
        return loc + ops.zeros_like(scale)

    def _sd(self, loc: Tensor, scale: Tensor) -> Tensor:
        return scale * (math.pi / math.sqrt(6)) + ops.zeros_like(loc)

    def _entropy(self, loc: Tensor, scale: Tensor) -> Tensor:
        return ops.log(scale) + (1.0 + _EULER) + ops.zeros_like(loc)

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        (loc, scale), (loc_b, scale_b) = own, other
        shift = ops.exp((loc_b - loc) / scale_b + ops.lgamma(scale / scale_b + 1.0))
        return ops.log(scale_b / scale) + _EULER * (scale / scale_b - 1.0) + shift - 1.0 + (loc - loc_b) / scale_b

    def _sample(self, shape: tuple[int, ...], loc: Tensor, scale: Tensor) -> Tensor:
        return loc - scale * ops.log(-ops.log(_unit(shape, self.seed)))


class Logistic(Distribution):
    """The logistic distribution.

    Args:
        loc, scale: its mean, and its spread, positive.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.Logistic([0.0], [1.0]).cdf(Tensor([0.0])))
        [0.5]
    """

    parameters_of = ("loc", "scale")
    words: ClassVar[dict[str, str]] = {"loc": "location"}
    positive = ("scale",)

    def __init__(
        self, loc: Any = None, scale: Any = None, seed: Any = None, dtype: Any = dtypes.float32, name: str = "Logistic"
    ) -> None:
        super().__init__(seed, dtype, name, {"loc": loc, "scale": scale})

    def _log_prob(self, value: Tensor, loc: Tensor, scale: Tensor) -> Tensor:
        z = (value - loc) / scale
        return -z - 2.0 * ops.softplus(-z) - ops.log(scale)

    def _cdf(self, value: Tensor, loc: Tensor, scale: Tensor) -> Tensor:
        return ops.sigmoid((value - loc) / scale)

    def _mean(self, loc: Tensor, scale: Tensor) -> Tensor:
        return loc + ops.zeros_like(scale)

    def _mode(self, loc: Tensor, scale: Tensor) -> Tensor:
        return self._mean(loc, scale)

    def _sd(self, loc: Tensor, scale: Tensor) -> Tensor:
        return scale * (math.pi / math.sqrt(3)) + ops.zeros_like(loc)

    def _entropy(self, loc: Tensor, scale: Tensor) -> Tensor:
        return ops.log(scale) + 2.0 + ops.zeros_like(loc)

    def _sample(self, shape: tuple[int, ...], loc: Tensor, scale: Tensor) -> Tensor:
        unit = _unit(shape, self.seed)
        return loc + scale * (ops.log(unit) - ops.log1p(-unit))


class Cauchy(Distribution):
    """The Cauchy distribution, which has neither mean nor variance.

    Args:
        loc, scale: its median, and its spread, positive.
        seed, dtype, name: see `Distribution`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import distribution as msd
        >>> print(msd.Cauchy([0.0], [1.0]).cdf(Tensor([0.0])))
        [0.5]
    """

    parameters_of = ("loc", "scale")
    words: ClassVar[dict[str, str]] = {"loc": "location"}
    positive = ("scale",)

    def __init__(
        self, loc: Any = None, scale: Any = None, seed: Any = None, dtype: Any = dtypes.float32, name: str = "Cauchy"
    ) -> None:
        super().__init__(seed, dtype, name, {"loc": loc, "scale": scale})

    def _log_prob(self, value: Tensor, loc: Tensor, scale: Tensor) -> Tensor:
        z = (value - loc) / scale
        return -ops.log1p(ops.square(z)) - ops.log(scale * math.pi)

    def _cdf(self, value: Tensor, loc: Tensor, scale: Tensor) -> Tensor:
        return ops.atan((value - loc) / scale) / math.pi + 0.5

    def _mode(self, loc: Tensor, scale: Tensor) -> Tensor:
        return loc + ops.zeros_like(scale)

    def _entropy(self, loc: Tensor, scale: Tensor) -> Tensor:
        return ops.log(scale * (4 * math.pi)) + ops.zeros_like(loc)

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        (loc, scale), (loc_b, scale_b) = own, other
        total = ops.square(scale + scale_b) + ops.square(loc - loc_b)
        return ops.log(total) - ops.log(4.0 * scale * scale_b)

    def _sample(self, shape: tuple[int, ...], loc: Tensor, scale: Tensor) -> Tensor:
        return loc + scale * ops.tan(math.pi * (_unit(shape, self.seed) - 0.5))
