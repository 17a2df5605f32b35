"""Sparse linear maps along one axis, with few inputs for each output. Resizing and adaptive averaging use them."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any

import numpy as np

from ..records import dataclass
from .precision import Array, compute_dtype, deliver, result_buffer, widen

# Rows in one dense block of a map's matrix. Products with blocks take a quarter of the time of gathering taps.
BAND = 64
Band = tuple[slice, slice, Array]


@dataclass(frozen=True, eq=False)
class AxisMap:
    """out[i] = Σ_t weights[t, i] · x[indices[t, i]], over the first counts[i] taps t."""

    size: int  # of the input's axis
    indices: Array  # (taps, outputs)
    weights: Array  # (taps, outputs), float64
    counts: Array  # (outputs,)
    _bands: dict[tuple[np.dtype[Any], bool], list[Band]] = field(default_factory=dict)

    @property
    def outputs(self) -> int:
        """Length of the output's axis."""
        return self.indices.shape[1]

    def apply(self, x: Array, axis: int, transposed: bool = False, out: Array | None = None) -> Array:
        """The map along an axis of x; with `transposed` the gradient by x, for an x that is the cotangent."""
        length = self.size if transposed else self.outputs
        result = np.empty((*x.shape[:axis], length, *x.shape[axis + 1 :]), x.dtype) if out is None else out
        source, target = three_axes(x, axis), three_axes(result, axis)
        # A product with the zeros of a block would make nan of an infinite element that has no part in an output.
        if np.isfinite(np.add.reduce(source, axis=None)):
            self._multiply(source, target, transposed)
        elif transposed:
            self._add_by_taps(source, target)
        else:
            self._apply_by_taps(source, target)
        return result

    def _apply_by_taps(self, source: Array, target: Array) -> None:
        weights = self.weights.astype(source.dtype)[:, :, None]
        target.fill(0)
        for tap, index in enumerate(self.indices):
            has = np.flatnonzero((self.counts > tap) & (self.weights[tap] != 0))
            target[:, has] += np.take(source, index[has], axis=1) * weights[tap, has]

    def _add_by_taps(self, source: Array, target: Array) -> None:
        weights = self.weights.astype(source.dtype)[:, :, None]
        target.fill(0)
        for tap, index in enumerate(self.indices):
            has = np.flatnonzero((self.counts > tap) & (self.weights[tap] != 0))
            columns: Any = slice(None), index[has]  # which may repeat
            np.add.at(target, columns, source[:, has] * weights[tap, has])

    def _multiply(self, source: Array, target: Array, transposed: bool) -> None:
        """The product with the matrix of the map. Its non-zero elements lie near the diagonal."""
        for rows, columns, block in self._blocks(source.dtype, transposed):
            if target.shape[2] == 1:
                np.matmul(source[:, columns, 0], block.T, out=target[:, rows, 0])
            else:
                np.matmul(block, source[:, columns], out=target[:, rows])

    def _blocks(self, dtype: np.dtype[Any], transposed: bool) -> list[Band]:
        """The matrix as dense blocks: a range of rows, the range of columns that they read, the weights."""
        if (dtype, transposed) not in self._bands:
            taps, outputs = np.nonzero(np.arange(len(self.indices))[:, None] < self.counts)
            inputs, weights = self.indices[taps, outputs], self.weights[taps, outputs]
            rows, columns = (inputs, outputs) if transposed else (outputs, inputs)
            bands: list[Band] = []
            length = self.size if transposed else self.outputs
            for first in range(0, length, BAND):
                last = min(length, first + BAND)
                here = (rows >= first) & (rows < last)
                low, high = (int(columns[here].min()), int(columns[here].max()) + 1) if here.any() else (0, 0)
                block = np.zeros((last - first, high - low))
                np.add.at(block, (rows[here] - first, columns[here] - low), weights[here])
                bands.append((slice(first, last), slice(low, high), block.astype(dtype)))
            self._bands[dtype, transposed] = bands
        return self._bands[dtype, transposed]


def apply_maps(maps: list[tuple[int, AxisMap]], x: Array, transposed: bool, out: Array) -> Array:
    """Apply one map for each axis of x. The maps that shrink most come first."""

    def growth(item: tuple[int, AxisMap]) -> float:
        ratio = item[1].outputs / item[1].size
        return 1 / ratio if transposed else ratio

    ordered = sorted(maps, key=growth)
    for number, (axis, axis_map) in enumerate(ordered, 1):
        x = axis_map.apply(x, axis, transposed, out if number == len(ordered) else None)
    if not maps:
        np.copyto(out, x)
    return out


def three_axes(array: Array, axis: int) -> Array:
    """The array reshaped to (axes before, the axis, axes after), which gives fewer and longer inner loops."""
    shape = array.shape
    return array.reshape(math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :]))


def mapped(
    maps: list[tuple[int, AxisMap]], x: Array, spatial: tuple[int, ...], transposed: bool, out: Array | None
) -> Array:
    """x (N, C, spatial…) with its maps applied, or their transposes; the result has this spatial shape."""
    result = result_buffer(out, (*x.shape[:2], *spatial), compute_dtype(x.dtype))
    return deliver(apply_maps(maps, np.ascontiguousarray(widen(x)), transposed, result), x.dtype, out)
