"""Batches of rows of like length: each row goes to the bucket of its length, and a full bucket is a batch."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .stacking import Row, stacked


class ByLength:
    """How rows become batches by length; see `Dataset.bucket_batch_by_length`.

    Args:
        places: of the columns that the length is of.
        boundaries: lengths at which the next bucket begins.
        sizes: the batch size of each bucket.
        length_of: of the columns' arrays; None: the size of the first axis.
        options: `pad_info`, `pad_to_bucket_boundary`, `drop_remainder`.

    Raises:
        ValueError: for boundaries that do not rise, or another number of sizes.
    """

    def __init__(
        self, places: Sequence[int], boundaries: Sequence[int], sizes: Sequence[int],
        length_of: Callable[..., Any] | None, options: dict[str, Any],
    ) -> None:  # fmt: skip
        if len(sizes) != len(boundaries) + 1:
            raise ValueError("bucket_batch_sizes must contain one element more than bucket_boundaries.")
        if not boundaries or any(low >= high for low, high in itertools.pairwise(boundaries)):
            raise ValueError("bucket_boundaries must be not empty and strictly increasing.")
        if length_of is None and len(places) != 1:
            raise ValueError("If element_length_function is not specified, exactly one column name should be passed.")
        self.places, self.boundaries, self.sizes = list(places), list(boundaries), list(sizes)
        self.length_of = length_of
        self.padding = options["pad_info"]
        self.to_boundary, self.drop_remainder = options["pad_to_bucket_boundary"], options["drop_remainder"]

    def batches(self, columns: Sequence[str], rows: Iterator[Row]) -> Iterator[Row]:
        """One pass over the batches."""
        buckets: list[list[Row]] = [[] for _ in self.sizes]
        for row in rows:
            number = self._bucket(row)
            buckets[number].append(row)
            if len(buckets[number]) == self.sizes[number]:
                yield self._batch(columns, buckets[number], number)
                buckets[number] = []
        if not self.drop_remainder:
            yield from (self._batch(columns, found, number) for number, found in enumerate(buckets) if found)

    def _bucket(self, row: Row) -> int:
        parts = [row[place] for place in self.places]
        length = parts[0].shape[0] if self.length_of is None else int(np.asarray(self.length_of(*parts)))
        return int(np.searchsorted(self.boundaries, length, side="right"))

    def _batch(self, columns: Sequence[str], rows: list[Row], number: int) -> Row:
        padding = self.padding
        if padding is not None and self.to_boundary:
            if number == len(self.boundaries):
                raise RuntimeError("a row is longer than the last of bucket_boundaries, to which it cannot be padded")
            limit = self.boundaries[number] - 1
            padding = {
                name: ([limit if size is None else size for size in shape or [None]], value)
                for name, (shape, value) in padding.items()
            }
        found = zip(columns, zip(*rows, strict=True), strict=True)
        return tuple(stacked(name, list(column), padding) for name, column in found)
