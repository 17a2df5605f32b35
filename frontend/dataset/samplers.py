"""Samplers: which rows of a random-access source a pass visits, in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from . import config


class Sampler:
    """Base of samplers: subclass it and give indices from `__iter__`.

    Args:
        num_samples: how many rows a pass visits; None for all.
    """

    def __init__(self, num_samples: int | None = None) -> None:
        if num_samples is not None and num_samples < 0:
            raise ValueError(f"'num_samples' should not be negative, but got {num_samples}")
        self.num_samples = num_samples

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError(f"{type(self).__name__} should define __iter__")

    def order(self, size: int) -> list[int]:
        """The rows to visit of a source of this size."""
        self.dataset_size = self.num_rows = size
        indices = [int(index) for index in self]
        return indices if self.num_samples is None else indices[: self.num_samples]


class SequentialSampler(Sampler):
    """Rows in order, from `start_index`."""

    def __init__(self, start_index: int | None = None, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.start_index = start_index or 0

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start_index, self.num_rows))


class RandomSampler(Sampler):
    """Rows in random order, or drawn with replacement."""

    def __init__(self, replacement: bool = False, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.replacement = replacement

    def __iter__(self) -> Iterator[int]:
        if self.replacement:
            count = self.num_rows if self.num_samples is None else self.num_samples
            return iter(config.generator().integers(0, self.num_rows, count).tolist())
        return iter(config.generator().permutation(self.num_rows).tolist())


class SubsetSampler(Sampler):
    """The rows at `indices`, in their order."""

    def __init__(self, indices: Sequence[int], num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.indices = [int(index) for index in indices]

    def __iter__(self) -> Iterator[int]:
        for index in self.indices:
            if not 0 <= index < self.num_rows:
                raise RuntimeError(f"sampler index {index} is out of range for {self.num_rows} rows")
            yield index


class SubsetRandomSampler(SubsetSampler):
    """The rows at `indices`, in random order."""

    def __iter__(self) -> Iterator[int]:
        self.indices = [self.indices[k] for k in config.generator().permutation(len(self.indices))]
        return super().__iter__()


class WeightedRandomSampler(Sampler):
    """Rows drawn in proportion to `weights`."""

    def __init__(self, weights: Sequence[float], num_samples: int | None = None, replacement: bool = True) -> None:
        super().__init__(num_samples)
        self.weights = np.asarray(weights, np.float64)
        if self.weights.ndim != 1 or (self.weights < 0).any() or not self.weights.any():
            raise ValueError("'weights' should be numbers that are not negative, and not all zero")
        self.replacement = replacement

    def __iter__(self) -> Iterator[int]:
        count = self.num_rows if self.num_samples is None else self.num_samples
        chances = self.weights / self.weights.sum()
        return iter(config.generator().choice(len(chances), count, self.replacement, chances).tolist())


def sampler_of(given: Any) -> Sampler | None:
    """A sampler from what a dataset's `sampler` argument may be: a sampler, or a sequence of indices."""
    if given is None or isinstance(given, Sampler):
        return given
    if hasattr(given, "__iter__"):
        return SubsetSampler(list(given))
    raise TypeError(f"'sampler' should be a Sampler or a sequence of indices, but got {type(given).__name__}")
