"""Parameters that are cut over processes: each holds its part, and compiled functions see the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...compiler.ir.layouts import Layout, count, digits, layout_of_counts, members, position, whole
from ...compiler.ir.types import TensorType
from ...runtime import dtypes
from ..state import CONTEXT
from .parameter import Parameter, replace_data
from .tensor import Tensor, to_array

if TYPE_CHECKING:
    from ...runtime.distributed.world import World


class PartOfParameter(Parameter):
    """A Parameter of which this process has a part. Type and shape are those of the whole, the numbers its own."""

    _whole: tuple[int, ...]

    @property
    def _type(self) -> TensorType:
        return TensorType(dtypes.of_numpy(self._data.dtype), self._whole)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole."""
        return self._whole

    def set_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Give the Parameter new numbers: of the whole, or of this process's part."""
        array = data._data if isinstance(data, Tensor) else to_array(data)
        if array.shape == self._whole and self._layout is not None:
            data = Tensor._wrap(part_of_array(array, self._layout))
        return super().set_data(data, slice_shape)


def _job() -> World:
    """The processes that work together; late, for few programs run in several."""
    from ...runtime.distributed.world import JOB

    return JOB


def layout_of_argument(shape: tuple[Any, ...], number: int) -> Layout:
    """How an argument is cut over processes, of which this one is given a part of this shape.

    Raises:
        ValueError: for an argument that the `dataset_strategy` does not fit.
    """
    strategy = CONTEXT.partition
    if strategy is None or strategy == "full_batch" or not shape:
        return whole(len(shape))
    if strategy == "data_parallel":
        return (digits(_job().all.size), *whole(len(shape) - 1))
    if number >= len(strategy) or len(strategy[number]) != len(shape):
        fits = f"{strategy[number]}" if number < len(strategy) else f"nothing, of {len(strategy)} strategies,"
        raise ValueError(f"'dataset_strategy' has {fits} for input {number}, which has {len(shape)} dimensions")
    return layout_of_counts(strategy[number])


def part_of_array(array: np.ndarray, layout: Layout) -> np.ndarray:
    """A copy of this process's part of an array."""
    rank = _job().all.rank
    slices = []
    for size, cut in zip(array.shape, layout, strict=True):
        part = size // count(cut)
        slices.append(slice(position(cut, rank) * part, (position(cut, rank) + 1) * part))
    return np.array(array[tuple(slices)], order="C")


def cut_parameter(parameter: Parameter, layout: Layout) -> None:
    """Let a whole Parameter hold this process's part of its numbers alone."""
    shape = parameter.shape
    parameter._layout = layout
    parameter.__class__ = PartOfParameter
    assert isinstance(parameter, PartOfParameter)
    parameter._whole = shape
    parameter.sliced = True
    replace_data(parameter, part_of_array(parameter._data, layout))


def whole_array(parameter: Parameter) -> np.ndarray:
    """The numbers of all processes' parts. All processes have to ask for them."""
    found = parameter._data
    rank = _job().all.rank
    for axis, cut in enumerate(parameter._layout or ()):
        if cut:
            group = _job().groups[group_of_ranks(members(cut, rank))]
            rows = group.all_gather(np.ascontiguousarray(np.moveaxis(found, axis, 0)))
            found = np.moveaxis(rows, 0, axis)
    return np.ascontiguousarray(found)


def group_of_ranks(ranks: tuple[int, ...]) -> str:
    """The name of the group of these ranks, which is made if there is none. All of them have to ask for it."""
    job = _job()
    if ranks == job.all.ranks:
        return job.all.name
    name = f"ranks {' '.join(map(str, ranks))}"
    job.create(name, ranks)
    return name
