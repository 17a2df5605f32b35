"""`mycel.nn.probability.distribution`: all distributions, including those that a bijector transforms."""

from __future__ import annotations

from .base import Distribution
from .bijector import TransformedDistribution
from .continuous import Cauchy, Exponential, Gumbel, HalfNormal, Laplace, Logistic, LogNormal, Normal, Uniform
from .discrete import Bernoulli, Categorical, Geometric, Poisson
from .gamma import Beta, Gamma, StudentT

__all__ = [
    "Bernoulli", "Beta", "Categorical", "Cauchy", "Distribution", "Exponential", "Gamma", "Geometric", "Gumbel",
    "HalfNormal", "Laplace", "LogNormal", "Logistic", "Normal", "Poisson", "StudentT", "TransformedDistribution",
    "Uniform",
]  # fmt: skip
