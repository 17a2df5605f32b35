"""Parts of rows as arrays, and rows as batches, also of rows of like length (buckets)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...frontend.values.tensor import Tensor
from ...runtime import dtypes

Row = tuple[Any, ...]


def as_tensor(part: Any) -> Any:
    """A part of a row as a Tensor; strings stay arrays, and in a dict each value is one."""
    if isinstance(part, dict):
        return {key: as_tensor(value) for key, value in part.items()}
    return Tensor(part) if part.dtype.kind not in "SU" else part


def stacked(name: str, column: Any, padding: dict[str, Any] | None) -> Any:
    """The rows of a column as one array, padded first where `padding` says so.

    Raises:
        RuntimeError: if they differ in shape or dtype.
    """
    if isinstance(column, dict):  # from a per_batch_map
        return to_array(column)
    if len(column) and isinstance(column[0], dict):
        raise RuntimeError(f"batch: the rows of column '{name}' are dicts: put them together with 'per_batch_map'")
    arrays = [np.asarray(array) for array in column]
    if padding is not None and (not padding or name in padding):  # no columns are all columns
        shape, value = padding.get(name) or (None, 0)
        arrays = padded(arrays, shape, 0 if value is None else value)
    shapes, types = {array.shape for array in arrays}, {array.dtype for array in arrays}
    if len(shapes) > 1:
        raise RuntimeError(f"batch: the rows of column '{name}' differ in shape: {sorted(shapes)}")
    if len(types) > 1 and len({array.dtype.kind for array in arrays}) > 1:
        raise RuntimeError(f"batch: the rows of column '{name}' differ in dtype: {sorted(map(str, types))}")
    return np.stack(arrays)


def padded(arrays: list[np.ndarray], shape: Any, value: Any) -> list[np.ndarray]:
    """Arrays padded, or cut off, to a shape, in which None is the largest of their sizes."""
    wanted = list(shape) if shape is not None else [None] * arrays[0].ndim
    if any(array.ndim != len(wanted) for array in arrays):
        shapes = sorted({array.shape for array in arrays})
        raise RuntimeError(f"pad_info: arrays of shapes {shapes} cannot be padded to the shape {wanted}")
    sizes = [max(array.shape[k] for array in arrays) if want is None else want for k, want in enumerate(wanted)]
    result = []
    for array in arrays:
        kept = array[tuple(map(slice, sizes))]
        widths = [(0, size - have) for size, have in zip(sizes, kept.shape, strict=True)]
        result.append(np.pad(kept, widths, constant_values=value) if widths else kept)
    return result


def types_of(row: Row) -> list[Any]:
    """The NumPy type of each part of a row; of strings of any length."""
    return [
        dict if isinstance(part, dict) else np.dtype(part.dtype.kind) if part.dtype.kind in "SU" else part.dtype
        for part in row
    ]


def to_array(value: Any) -> Any:
    """A part of a row as an array: Python floats are float64 and ints int64, as in MindSpore; of a dict each value."""
    if isinstance(value, dict):
        return {key: to_array(item) for key, item in value.items()}
    if isinstance(value, Tensor):
        return value.asnumpy()
    array = np.asarray(value)
    if array.dtype.kind not in "SUOV":
        dtypes.of_numpy(array.dtype)
    elif array.dtype.kind in "OV":
        hint = ". A function without 'return' gives None" if value is None else ""
        kind = type(value).__name__
        raise TypeError(f"a part of a row should be an array, a number or a string, but got {kind}{hint}")
    return array


def names_of_batches(columns: list[str], inputs: list[int], outputs: list[str]) -> list[str]:
    """The columns when a function of batches gives `outputs` for those at the positions `inputs`.

    As many as it takes stand in their places. Otherwise the outputs come first.

    Raises:
        RuntimeError: if there would be two of one name.
    """
    rest = [name for position, name in enumerate(columns) if position not in inputs]
    if len({*outputs, *rest}) < len(outputs) + len(rest):
        raise RuntimeError(f"batch: there would be several columns of one name: {[*outputs, *rest]}")
    if len(outputs) != len(inputs):
        return [*outputs, *rest]
    named = dict(zip(inputs, outputs, strict=True))
    return [named.get(position, name) for position, name in enumerate(columns)]


def with_made(columns: list[Any], made: Any, inputs: list[int], outputs: list[str] | None) -> list[Any]:
    """The columns of a batch, with those that a function has made, in the order of `names_of_batches`.

    Raises:
        RuntimeError: if it has made another number of columns than it should.
    """
    parts = list(made) if isinstance(made, tuple) else [made]
    count = len(inputs) if outputs is None else len(outputs)
    if len(parts) != count:
        raise RuntimeError(
            f"per_batch_map: the function gave {len(parts)} columns, but {count} are expected: say in 'output_columns' "
            "what it gives, if these are not as many as it takes"
        )
    if count != len(inputs):
        return [*parts, *(column for position, column in enumerate(columns) if position not in inputs)]
    given = dict(zip(inputs, parts, strict=True))
    return [given.get(position, column) for position, column in enumerate(columns)]


class BatchInfo:
    """The argument of a `per_batch_map` or a batch size function: numbers of the batch and the epoch."""

    def __init__(self, batch: int) -> None:
        self.batch = batch

    def get_batch_num(self) -> int:
        """The number of the batch in this pass."""
        return self.batch

    def get_epoch_num(self) -> int:
        """0: passes are not counted."""
        return 0


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
