"""Primitives of rarer random draws: gamma, Poisson, bounded normal numbers, and samples of classes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .....compiler import ops as prims
from .....frontend.values.dispatch import apply, as_tensor, cast
from .....frontend.values.tensor import Tensor
from .....runtime import dtypes
from ....functions.seeds import owned
from ..primitive import Row, function_named as f, make_classes, takes


def _sizes(shape: Any) -> tuple[int, ...]:
    return tuple(int(size) for size in (shape.tolist() if isinstance(shape, Tensor) else shape))


def _own(self: Any) -> dict[str, Any]:
    return owned(self, getattr(self, "seed", 0), getattr(self, "seed2", 0))


def _drawn(self: Any, op: Any, shape: Any, parameter: Any, dtype: Any) -> Tensor:
    """So many draws for each parameter, which are the last dimensions."""
    place = as_tensor(parameter, dtypes.float32)
    result: Tensor = apply(op, place, shape=(*_sizes(shape), *map(int, place.shape)), dtype=dtype, **_own(self))
    return result


def _gamma(self: Any, shape: Any, alpha: Any, beta: Any) -> Tensor:
    alpha, beta = f("broadcast_tensors")(alpha, beta) if alpha.shape != beta.shape else (alpha, beta)
    return _drawn(self, prims.random_gamma, shape, alpha, dtypes.float32) / beta


def _random_gamma(self: Any, shape: Any, alpha: Any) -> Tensor:
    return cast(_drawn(self, prims.random_gamma, shape, alpha, dtypes.float32), alpha.dtype)


def _poisson(self: Any, shape: Any, mean: Any) -> Tensor:
    return cast(_drawn(self, prims.random_poisson, shape, mean, dtypes.int64), dtypes.int32)


def _random_poisson(self: Any, shape: Any, rate: Any) -> Tensor:
    return cast(_drawn(self, prims.random_poisson, shape, rate, dtypes.int64), self.dtype)


def _uniform(self: Any, shape: tuple[int, ...]) -> Tensor:
    result: Tensor = apply(prims.random_uniform, shape=shape, dtype=dtypes.float32, low=0.0, high=1.0, **_own(self))
    return result


def _cumulative(x: Any) -> Any:
    return (f("erf")(x * math.sqrt(0.5)) + 1.0) * 0.5


def _between(self: Any, shape: tuple[int, ...], mean: Any, deviation: Any, low: Any, high: Any) -> Tensor:
    """Normal numbers within bounds: where a uniform share of the probability between them is reached."""
    first, last = _cumulative((low - mean) / deviation), _cumulative((high - mean) / deviation)
    share = first + _uniform(self, shape) * (last - first)
    unit = f("erfinv")(f("clip")(share * 2.0 - 1.0, -0.9999999, 0.9999999)) * math.sqrt(2.0)
    return f("clip")(unit * deviation + mean, low, high)


def _truncated_normal(self: Any, shape: Any) -> Tensor:
    low, high = (Tensor(bound, dtypes.float32) for bound in (-2.0, 2.0))
    return cast(_between(self, _sizes(shape), 0.0, 1.0, low, high), self.dtype)


def _bounded_normal(self: Any, shape: Any, mean: Any, deviation: Any, low: Any, high: Any) -> Tensor:
    sizes = _sizes(shape)
    rows = [f("reshape")(cast(item, dtypes.float32), (-1,) + (1,) * (len(sizes) - 1) if item.size > 1 else ())
            for item in (mean, deviation, low, high)]  # fmt: skip
    return cast(_between(self, sizes, *rows), mean.dtype)


def _log_normal(self: Any, x: Any) -> Tensor:
    drawn = apply(prims.random_normal, shape=_sizes(x.shape), dtype=dtypes.float32, mean=0.0, std=1.0)
    return cast(f("exp")(drawn * float(self.std) + float(self.mean)), x.dtype)


def _any_integers(self: Any, shape: Any) -> Tensor:
    """Integers of their dtype's whole range, others at each call."""
    bits = min(dtypes.as_dtype(self.dtype).bits, 63) - 1
    drawn = apply(prims.random_integers, shape=_sizes(shape), dtype=dtypes.int64, low=-(1 << bits), high=(1 << bits))
    return cast(drawn, self.dtype)


def _multinomial(self: Any, x: Any, seed: Any, offset: Any) -> Tensor:
    seeds = [int(item.asnumpy().item()) if isinstance(item, Tensor) else int(item) for item in (seed, offset)]
    return f("multinomial_with_replacement")(x, seeds[0], seeds[1], self.numsamples, bool(self.replacement))


def _candidates(logarithmic: bool) -> Any:
    """Sampled classes below `range_max`, and how often true and sampled classes are expected to be drawn."""

    def chance(classes: np.ndarray, most: int) -> np.ndarray:
        if logarithmic:
            return np.asarray(np.log((classes + 2) / (classes + 1)) / math.log(most + 1))
        return np.full(classes.shape, 1 / most)

    def run(self: Any, true_classes: Any) -> tuple[Tensor, Tensor, Tensor]:
        most, count = int(self.range_max), int(self.num_sampled)
        true = true_classes.asnumpy()
        free = most - (len(np.unique(true)) if getattr(self, "remove_accidental_hits", False) else 0)
        if self.unique and count > free:
            raise ValueError(f"{self.name}: there are no {count} different classes below {most}")
        found: list[int] = []
        tries = 0
        while len(found) < count:
            tries += 1
            unit = float(_uniform(self, ()).asnumpy())
            drawn = int(math.exp(unit * math.log(most + 1)) - 1) if logarithmic else int(unit * most)
            drawn = min(max(drawn, 0), most - 1)
            if self.unique and drawn in found:
                continue
            if getattr(self, "remove_accidental_hits", False) and drawn in true:
                continue
            found.append(drawn)
        sampled = np.array(found, true.dtype)

        def expected(classes: np.ndarray) -> Tensor:
            each = chance(classes.astype(np.float64), most)
            return Tensor((-np.expm1(tries * np.log1p(-each)) if self.unique else each * count).astype(np.float32))

        return Tensor(sampled), expected(true), expected(sampled)

    return run


_SEEDS = {"seed": 0, "seed2": 0}
TABLE: dict[str, Row] = {
    "Gamma": (_gamma, _SEEDS),
    "RandomGamma": (_random_gamma, _SEEDS),
    "Poisson": (_poisson, _SEEDS),
    "RandomPoisson": (_random_poisson, {**_SEEDS, "dtype": dtypes.int64}),
    "TruncatedNormal": (_truncated_normal, {"dtype": dtypes.float32, **_SEEDS}),
    "ParameterizedTruncatedNormal": (_bounded_normal, _SEEDS),
    "LogNormalReverse": (_log_normal, {"mean": 1.0, "std": 2.0}),
    "NonDeterministicInts": (_any_integers, {"dtype": dtypes.int64}),
    "MultinomialWithReplacement": (_multinomial, takes("numsamples", replacement=False)),
    "UniformCandidateSampler": (
        _candidates(False),
        takes("num_true num_sampled unique range_max", seed=0, remove_accidental_hits=False),
    ),
    "LogUniformCandidateSampler": (
        _candidates(True),
        {"num_true": 1, "num_sampled": 5, "unique": True, "range_max": 5, "seed": 0},
    ),
}  # fmt: skip
CLASSES = make_classes(TABLE, globals())
