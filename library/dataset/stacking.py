"""Parts of rows as arrays, and rows as batches."""

from __future__ import annotations

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
    if padding is not None:
        shape, value = padding.get(name) or (None, 0)
        arrays = padded(arrays, shape, 0 if value is None else value)
    shapes, types = {array.shape for array in arrays}, {array.dtype for array in arrays}
    if len(shapes) > 1:
        raise RuntimeError(f"batch: the rows of column '{name}' differ in shape: {sorted(shapes)}")
    if len(types) > 1 and len({array.dtype.kind for array in arrays}) > 1:
        raise RuntimeError(f"batch: the rows of column '{name}' differ in dtype: {sorted(map(str, types))}")
    return np.stack(arrays)


def padded(arrays: list[np.ndarray], shape: Any, value: Any) -> list[np.ndarray]:
    """Arrays padded to a shape, in which None is the largest of their sizes."""
    rank = arrays[0].ndim
    wanted = list(shape) if shape is not None else [None] * rank
    sizes = [max(array.shape[k] for array in arrays) if want is None else want for k, want in enumerate(wanted)]
    result = []
    for array in arrays:
        widths = [(0, size - have) for size, have in zip(sizes, array.shape, strict=True)]
        if any(width[1] < 0 for width in widths):
            raise RuntimeError(f"padded_batch: an array of shape {array.shape} does not fit into {sizes}")
        result.append(np.pad(array, widths, constant_values=value) if widths else array)
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
        raise TypeError(f"a part of a row should be an array, a number or a string, but got {type(value).__name__}")
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
