"""Linear maps along one axis that take few inputs for each output: what resizing and adaptive averaging are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .precision import Array

# Inputs (of the transposed map, outputs) in one dense block of the banded matrix.
BAND = 64


@dataclass(frozen=True, eq=False)
class AxisMap:
    """out[i] = Σ_t weights[t, i] · x[indices[t, i]], over the first counts[i] taps t."""

    size: int  # of the input's axis
    indices: Array  # (taps, outputs)
    weights: Array  # (taps, outputs), float64
    counts: Array  # (outputs,)
    _bands: dict[np.dtype[Any], list[tuple[slice, slice, Array]]] = field(default_factory=dict)

    @property
    def outputs(self) -> int:
        """Length of the output's axis."""
        return self.indices.shape[1]

    def apply(self, x: Array, axis: int, out: Array | None = None) -> Array:
        """The map along an axis of x."""
        shape = (*x.shape[:axis], self.outputs, *x.shape[axis + 1 :])
        result = np.empty(shape, x.dtype) if out is None else out
        source, target = three_axes(x, axis), three_axes(result, axis)
        weights = self.weights.astype(x.dtype)[:, :, None]
        for tap, index in enumerate(self.indices):
            # Taps an output lacks are left out, not weighted by 0, which would make nan of an infinite input.
            has = np.flatnonzero(self.counts > tap)
            if len(has) == self.outputs:
                part = np.take(source, index, axis=1)
                np.multiply(part, weights[tap], out=target if tap == 0 else part)
                if tap:
                    np.add(target, part, out=target)
            else:
                target[:, has] += np.take(source, index[has], axis=1) * weights[tap, has]
        return result

    def apply_transposed(self, dout: Array, axis: int, out: Array | None = None) -> Array:
        """The gradient of `apply` by x, along an axis of dout."""
        shape = (*dout.shape[:axis], self.size, *dout.shape[axis + 1 :])
        result = np.empty(shape, dout.dtype) if out is None else out
        source, target = three_axes(dout, axis), three_axes(result, axis)
        for inputs, outputs, block in self._transposed_bands(dout.dtype):
            if target.shape[2] == 1:
                np.matmul(source[:, outputs, 0], block.T, out=target[:, inputs, 0])
            else:
                np.matmul(block, source[:, outputs], out=target[:, inputs])
        return result

    def _transposed_bands(self, dtype: np.dtype[Any]) -> list[tuple[slice, slice, Array]]:
        """The transposed matrix as dense blocks: a range of inputs, all outputs that read them, the weights."""
        if dtype not in self._bands:
            bands = []
            valid = np.arange(len(self.indices))[:, None] < self.counts
            for first in range(0, self.size, BAND):
                last = min(self.size, first + BAND)
                taps, outputs = np.nonzero(valid & (self.indices >= first) & (self.indices < last))
                low, high = (int(outputs.min()), int(outputs.max()) + 1) if len(outputs) else (0, 0)
                block = np.zeros((last - first, high - low))
                np.add.at(block, (self.indices[taps, outputs] - first, outputs - low), self.weights[taps, outputs])
                bands.append((slice(first, last), slice(low, high), block.astype(dtype)))
            self._bands[dtype] = bands
        return self._bands[dtype]


def apply_maps(maps: list[tuple[int, AxisMap]], x: Array, transposed: bool, out: Array) -> Array:
    """Several maps, each along its axis of x; those that shrink most go first."""

    def growth(item: tuple[int, AxisMap]) -> float:
        ratio = item[1].outputs / item[1].size
        return 1 / ratio if transposed else ratio

    ordered = sorted(maps, key=growth)
    for number, (axis, axis_map) in enumerate(ordered, 1):
        target = out if number == len(ordered) else None
        x = axis_map.apply_transposed(x, axis, target) if transposed else axis_map.apply(x, axis, target)
    if not maps:
        np.copyto(out, x)
    return out


def three_axes(array: Array, axis: int) -> Array:
    """The array as (all axes before, the axis, all axes after): fewer and longer inner loops."""
    shape = array.shape
    return array.reshape(math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :]))
