"""Metrics of segmented images: distances between surfaces; and of a network: what hiding a part changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ..docstrings import like
from .checks import check_bool, check_choice, check_int, need_type
from .metric import Metric, rearrange_inputs

DISTANCES = ("euclidean", "chessboard", "taxicab")


def _surface(inside: np.ndarray) -> np.ndarray:
    """The places of an object that have a neighbour outside of it; beyond the edges of the image is outside."""
    wide, core = np.pad(inside, 1), inside.copy()
    for axis in range(inside.ndim):
        for step in (-1, 1):
            core &= np.roll(wide, step, axis)[(slice(1, -1),) * inside.ndim]
    return inside ^ core


def _distances(surface: np.ndarray, other: np.ndarray, kind: str) -> np.ndarray:
    """How far each place of a surface is from the other surface."""
    places, others = np.argwhere(surface), np.argwhere(other)
    found = np.full(len(places), np.inf)
    if not len(others):
        return found
    block = max(1, 1_000_000 // others.size)
    for start in range(0, len(places), block):
        apart = np.abs(places[start : start + block, None] - others)
        if kind == "euclidean":
            found[start : start + block] = np.sqrt((apart**2).sum(-1).min(-1))
        else:
            found[start : start + block] = (apart.max(-1) if kind == "chessboard" else apart.sum(-1)).min(-1)
    return found if kind == "euclidean" else found.astype(np.int32)


class _Surfaces(Metric):
    """The surfaces of an object in the prediction and in the truth."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        need_type(kind, str, f"{type(self).__name__}: distance_metric should be a str", repr)
        self.distance_metric = check_choice(kind, DISTANCES, "distance_metric", type(self).__name__)
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._edges: tuple[Any, Any] = (None, None)

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take a predicted image, the true one, and the label of the object."""
        owner = type(self).__name__
        if len(inputs) != 3:
            raise ValueError(f"{owner}.update takes 3 inputs (prediction, truth, label), but got {len(inputs)}")
        guess, truth, label = *map(self._convert_data, inputs[:2]), inputs[2]
        if not isinstance(label, (int, float)):
            raise ValueError(f"{owner}.update: the label should be an int or float, but got {type(label).__name__}")
        if label not in guess and label not in truth:
            raise ValueError(f"{owner}.update: neither image has the label {label}")
        if guess.size == 0 or guess.shape != truth.shape:
            raise ValueError(f"{owner}.update: the images have shapes {guess.shape} and {truth.shape}")
        self._edges = _surface(guess == label), _surface(truth == label)

    def _both(self, reverse: bool = False) -> np.ndarray:
        guess, truth = self._edges
        if guess is None:
            raise RuntimeError("Please call the 'update' method before calling 'eval' method.")
        return _distances(*((truth, guess) if reverse else (guess, truth)), self.distance_metric)


class HausdorffDistance(_Surfaces):
    """The largest distance from the surface of an object to its predicted surface.

    Args:
        distance_metric: 'euclidean', 'chessboard' or 'taxicab'.
        percentile: which percentile of the distances stands for the largest, a float from 0 to 100.
        directed: whether only distances from the prediction to the truth count.
        crop: whether images are cut to the object first.

    Inputs:
        inputs: two images of one shape and any dtype, and the label of the object, a number.

    Outputs:
        `eval` gives a number.

    Raises:
        TypeError: if an argument has the wrong type.
        ValueError: for another distance or percentile, another number of inputs, a label that no image has.
        RuntimeError: if `eval` is called before `update`.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.HausdorffDistance()
        >>> metric.update(ms.Tensor([[3, 0, 1], [1, 3, 0]]), ms.Tensor([[0, 2, 1], [1, 2, 1]]), 0)
        >>> round(float(metric.eval()), 3)
        2.236
    """

    def __init__(
        self, distance_metric: str = "euclidean", percentile: float | None = None, directed: bool = False,
        crop: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(distance_metric)
        self.percentile = need_type(percentile, float | None, "HausdorffDistance: percentile should be a float", repr)
        self.directed = directed if directed is None else check_bool(directed, "directed", "HausdorffDistance")
        self.crop = crop if crop is None else check_bool(crop, "crop", "HausdorffDistance")

    def eval(self) -> Any:
        """The distance."""
        found = self._largest(self._both())
        return found if self.directed else max(found, self._largest(self._both(True)))

    def _largest(self, found: np.ndarray) -> Any:
        if not found.size:
            return math.inf
        if not self.percentile:
            return found.max()
        if not 0 <= self.percentile <= 100:
            raise ValueError(f"HausdorffDistance: percentile should be from 0 to 100, but is {self.percentile}")
        return np.percentile(found, self.percentile)


@like(HausdorffDistance)
class MeanSurfaceDistance(_Surfaces):
    """The mean distance from the predicted surface of an object to its surface.

    Args:
        symmetric: whether distances to the predicted surface count, too.
        distance_metric: 'euclidean', 'chessboard' or 'taxicab'.

    Raises:
        TypeError: if an argument has the wrong type.
        ValueError: for another distance, another number of inputs, a label that no image has.
        RuntimeError: if `eval` is called before `update`.

    Examples:
        >>> metric = ms.nn.MeanSurfaceDistance()
        >>> metric.update(ms.Tensor([[3, 0, 1], [1, 3, 0]]), ms.Tensor([[0, 2, 1], [1, 2, 1]]), 0)
        >>> round(float(metric.eval()), 3)
        1.618
    """

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean") -> None:
        super().__init__(distance_metric)
        self.symmetric = check_bool(symmetric, "symmetric", type(self).__name__)

    _power = 1

    def eval(self) -> Any:
        """The distance."""
        found = [self._both()] + [self._both(True)] * self.symmetric
        if any(not part.size for part in found):
            return math.inf
        mean = np.mean([(part**self._power).mean() for part in found])
        return np.sqrt(mean) if self.symmetric and self._power == 2 else mean


@like(MeanSurfaceDistance)
class RootMeanSquareDistance(MeanSurfaceDistance):
    """As MeanSurfaceDistance, of squared distances; with `symmetric` the root of the mean, without it the mean.

    Examples:
        >>> metric = ms.nn.RootMeanSquareDistance()
        >>> metric.update(ms.Tensor([[3, 0, 1], [1, 3, 0]]), ms.Tensor([[0, 2, 1], [1, 2, 1]]), 0)
        >>> round(float(metric.eval()), 3)
        3.0
    """

    _power = 2


class OcclusionSensitivity(Metric):
    """How much less a network gives for a class when a part of the image is hidden, for each part.

    Args:
        pad_val: a float that hides the part.
        margin: how far the part goes on each side of its middle.
        n_batch: how many images the network gets at once.
        b_box: the first and last place of the middle by each axis, in a list; None: all of the image.

    Inputs:
        inputs: the network, one image of shape [1, ...] of floats, and its class, an int.

    Outputs:
        `eval` gives an array of floats of the shape of the image.

    Raises:
        TypeError: if an argument has the wrong type.
        ValueError: for another number of inputs, and a box that does not fit.
        RuntimeError: for several images, and if `eval` is called before `update`.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.OcclusionSensitivity(margin=1)
        >>> metric.update(ms.nn.Flatten(), ms.Tensor([[[1.0, 2.0]]]), ms.Tensor([[1]]))
        >>> metric.eval().tolist()
        [0.0, 2.0]
    """

    def __init__(
        self, pad_val: float = 0.0, margin: int | list[int] = 2, n_batch: int = 128, b_box: list[int] | None = None
    ) -> None:
        super().__init__()
        for name, value, kinds in (
            ("pad_val", pad_val, float),
            ("margin", margin, (int, list)),
            ("b_box", b_box, list),
        ):
            if (value is not None and not isinstance(value, kinds)) or isinstance(value, bool):
                raise TypeError(f"OcclusionSensitivity: {name} should not be {value!r}")
        self.pad_val, self.margin, self.b_box = pad_val, margin, b_box
        self.n_batch = check_int(n_batch, "n_batch", "OcclusionSensitivity")
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._found: Any = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take a network, an image and a class."""
        if len(inputs) != 3:
            raise ValueError(f"OcclusionSensitivity.update takes 3 inputs (model, image, class), but got {len(inputs)}")
        model, image = inputs[0], self._convert_data(inputs[1])
        label = inputs[2] if isinstance(inputs[2], int) else self._convert_data(inputs[2])
        need_type(model, Cell, "OcclusionSensitivity.update: the model should be a Cell")
        if image.shape[0] > 1 or np.size(label) != image.shape[0]:
            raise RuntimeError("OcclusionSensitivity.update takes one image and one class")
        index = int(np.ravel(label)[0])
        first, last = self._box(image.shape[1:])
        shape = tuple(last - first + 1)
        hidden = []
        for place in np.ndindex(*shape):
            spots = [(int(begin) + step, size) for begin, step, size in zip(first, place, image.shape[1:], strict=True)]
            margin: Any = self.margin
            part: Any = (..., *(slice(max(0, spot - margin), min(size, spot + margin)) for spot, size in spots))
            copy = image.copy()
            copy[part] = self.pad_val
            hidden.append(copy)
        batches = range(0, len(hidden), self.n_batch)
        scores = [model(Tensor(np.vstack(hidden[at : at + self.n_batch]))).asnumpy()[:, index] for at in batches]
        self._found = model(Tensor(image)).asnumpy()[0, index] - np.squeeze(np.concatenate(scores).reshape(shape))

    def _box(self, shape: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """The first and the last middle of a hidden part."""
        sizes = np.array(shape)
        if self.b_box is None:
            return np.zeros_like(sizes), sizes - 1
        if len(self.b_box) != 2 * len(shape):
            raise ValueError(f"OcclusionSensitivity: b_box should have {2 * len(shape)} numbers, not {len(self.b_box)}")
        first, last = np.maximum(self.b_box[::2], 0), np.array(self.b_box[1::2])
        last = np.where(last < 0, sizes - 1, last)
        if (last >= sizes).any() or (first > last).any():
            raise ValueError(f"OcclusionSensitivity: the box {self.b_box} does not lie in an image of shape {shape}")
        return first, last

    def eval(self) -> Any:
        """The differences."""
        if self._found is None:
            raise RuntimeError("Please call the 'update' method before calling 'eval' method.")
        return self._found
