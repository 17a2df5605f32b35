"""Gather and scatter in the form that kernels have; passes make these ops.

The region is the shape of the elements that are read or combined. Each axis of the tensor is indexed by a dimension of
the region, or by the next tensor of positions, which broadcasts with the region.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...runtime.dtypes import float32, int32, int64
from ...runtime.kernels.positions import checked_indices, segment_places
from ...runtime.kernels.scatter import accumulate_at
from ...runtime.native.counts import last_at, take_out
from ...runtime.native.language import SIZES as SIZES_OF_NUMBERS
from ..ir.attributes import FLAG, INTS, SIZES, TEXT, optional
from ..ir.op import Op, Sample
from ..ir.types import Shape, TensorType, broadcast_shapes
from .arithmetic import add, maximum, minimum, multiply
from .conversion import cast
from .index_batching import OPERAND, Spec
from .shape import reshape
from .slicing import start_from

__all__ = ["AT", "LAST", "combine", "gathered", "identity", "scattered", "scattered_parts", "taken"]

AT = -1
"""In place of a dimension of the region: the next tensor of positions indexes the axis."""

LAST = -2
"""The same, but negative positions, and they alone, are the last one; they are not counted from the end."""

FEW = 1024
"""Narrow elements that are cast in less time than one call of NumPy takes."""

Array = np.ndarray


def _check(x: Shape, indices: Sequence[TensorType], axes: tuple[int, ...], region: tuple[int, ...]) -> None:
    if len(axes) != len(x) or sum(axis in (AT, LAST) for axis in axes) != len(indices) or not indices:
        raise ValueError(f"{len(indices)} tensors of positions and {axes} do not fit a tensor of {len(x)} dimensions")
    for size, dimension in zip(x, axes, strict=True):
        if dimension in (AT, LAST):
            continue
        if not 0 <= dimension < len(region) or (size is not None and region[dimension] > size):
            raise ValueError(f"a region {region} does not go along a tensor of shape {x} by {axes}")
    for index in indices:
        if index.dtype not in (int32, int64) or broadcast_shapes(index.shape, region) != region:
            raise ValueError(f"positions {index} do not fit a region {region}")


def _key(
    indices: Sequence[Array], sizes: tuple[int, ...], axes: tuple[int, ...], region: tuple[int, ...]
) -> tuple[Array, ...]:
    """The key of a region in NumPy, broadcast."""
    given, key = iter(indices), []
    for axis, (size, dimension) in enumerate(zip(sizes, axes, strict=True)):
        if dimension in (AT, LAST):
            index = next(given)
            if dimension == LAST:
                index = segment_places(index, size - 1)
            key.append(checked_indices(index, size, axis, sizes))
        else:
            shape = [extent if place == dimension else 1 for place, extent in enumerate(region)]
            key.append(np.arange(region[dimension]).reshape(shape))
    return tuple(np.broadcast_to(item, region) for item in key)


def _infer_gathered(
    x: TensorType, *indices: TensorType, axes: tuple[int, ...], region: tuple[int, ...], inside: bool = False
) -> TensorType:
    _check(x.shape, indices, axes, region)
    return x.with_shape(region)


def _kernel_gathered(
    x: Array, *indices: Array, axes: tuple[int, ...], region: tuple[int, ...], inside: bool = False
) -> Array:
    return np.asarray(x[_key(indices, x.shape, axes, region)])


gathered: Op = Op(
    "gathered",
    kind="opaque",
    attrs={"axes": INTS, "region": SIZES, "inside": optional(FLAG)},
    infer=_infer_gathered,
    kernel=_kernel_gathered,
    placed="read",
    separate=True,
    internal=True,
    samples=lambda: [
        Sample((np.arange(12.0).reshape(4, 3), np.array([[3], [-1]])), {"axes": (AT, 1), "region": (2, 3)}, False),
        Sample((np.arange(4.0), np.array([2, -9], np.int32)), {"axes": (LAST,), "region": (2,)}, False),
    ],
    doc="Elements of x, each axis indexed by a dimension of the region or by a tensor of positions; with `inside` none "
    "of these can be out of range.",
)


def scattered_parts(inputs: Sequence[Any], axes: Sequence[int]) -> list[Sequence[Any]]:
    """The values that `scattered` combines, each with its positions."""
    each = 1 + sum(axis < 0 for axis in axes)
    return [inputs[first : first + each] for first in range(0, len(inputs), each)]


def _infer_scattered(
    *inputs: TensorType, axes: tuple[int, ...], region: tuple[int, ...], shape: tuple[int, ...], reduction: str
) -> TensorType:
    for value, *indices in scattered_parts(inputs, axes):
        _check(shape, indices, axes, region)
        if (
            broadcast_shapes(value.shape, region) != region
            or reduction not in REDUCTIONS
            or value.dtype is not inputs[0].dtype
        ):
            raise ValueError(f"{value} is not what is combined by {reduction} over a region {region}")
    return inputs[0].with_shape(shape)


def _kernel_scattered(
    *inputs: Array, axes: tuple[int, ...], region: tuple[int, ...], shape: tuple[int, ...], reduction: str
) -> Array:
    dtype = inputs[0].dtype
    result = np.full(shape, identity(reduction, dtype), dtype)
    for value, *indices in scattered_parts(inputs, axes):
        accumulate_at(REDUCTIONS[reduction], result, _key(indices, shape, axes, region), value)
    return result


REDUCTIONS = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
"""The reductions of `scattered`."""

COMBINATIONS = {"add": add, "multiply": multiply, "maximum": maximum, "minimum": minimum}
"""The ops that combine two tensors, by the reduction."""


def combine(reduction: str, x: Any, y: Any) -> Any:
    """Two tensors combined, element by element."""
    return COMBINATIONS[reduction](x, y)


def identity(reduction: str, dtype: np.dtype[Any]) -> Any:
    """The neutral element of a combination."""
    if reduction in ("add", "multiply"):
        return 0 if reduction == "add" else 1
    if dtype.kind not in "iu":
        return -np.inf if reduction == "maximum" else np.inf
    limits = np.iinfo(dtype)
    return limits.min if reduction == "maximum" else limits.max


scattered: Op = Op(
    "scattered",
    kind="opaque",
    attrs={"axes": INTS, "region": SIZES, "shape": SIZES, "reduction": TEXT},
    infer=_infer_scattered,
    kernel=_kernel_scattered,
    placed="combine",
    separate=True,
    internal=True,
    samples=lambda: [
        Sample(
            (np.arange(6.0).reshape(2, 3), np.array([[3], [-1]])) * (1 + (reduction == "add")),
            {"axes": (AT, 1), "region": (2, 3), "shape": (4, 3), "reduction": reduction},
            False,
        )
        for reduction in REDUCTIONS
    ],
    doc="A tensor of a shape in which the elements of a region are added up (or multiplied, …), one after the other; "
    "more values with positions of their own may follow.",
)


def _kernel_taken(
    x: Array, *indices: Array, axes: tuple[int, ...], region: tuple[int, ...], out: tuple[Array, Array] | None = None
) -> tuple[Array, Array]:
    rest, values = (None, np.empty(region, x.dtype)) if out is None else out
    rest = start_from(x, rest)
    if not take_out(rest, indices, axes, values):
        key = _key(indices, x.shape, axes, region)
        values[...] = np.where(last_at(x.shape, key, x.dtype) != 0, rest[key], 0)
        rest[key] = 0
    return rest, values


taken: Op = Op(
    "taken",
    attrs={"axes": INTS, "region": SIZES},
    infer=lambda x, *indices, **attrs: (x, _infer_gathered(x, *indices, **attrs)),
    kernel=_kernel_taken,
    inplace=True,
    internal=True,
    samples=lambda: [
        Sample((np.arange(12.0).reshape(4, 3), np.array([[3], [-1]])), {"axes": (AT, 1), "region": (2, 3)}, False)
    ],
    doc="x with zeros at positions, and what was there: the last position of an element has it, the others have zero.",
)


# Other ops in this form


def _suits(x: Any, indices: Sequence[Any]) -> bool:
    """Whether kernels can read elements of x at these positions."""
    types = [x.type, *[index.type for index in indices]]
    if not indices or not all(type.is_static and type.size for type in types) or x.rank == 0:
        return False
    return x.dtype.numpy_name in SIZES_OF_NUMBERS and all(index.dtype in (int32, int64) for index in indices)


def _behind(index: Any, ones: int) -> Any:
    """Positions with further dimensions of size one at the end."""
    return reshape(index, shape=(*index.shape, *(1,) * ones)) if ones else index


Form = tuple[list[Any], tuple[int, ...], Shape]
"""Positions, axes and region."""


def along_axis(x: Any, indices: Any, axis: int) -> Form | None:
    """Rows along an axis at some indices."""
    if not _suits(x, [indices]):
        return None
    count = indices.rank
    after = x.rank - 1 - axis
    axes = (*range(axis), AT, *range(axis + count, axis + count + after))
    return [_behind(indices, after)], axes, (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])


def elements_along(x: Any, indices: Any, axis: int) -> Form | None:
    """Elements along an axis, one for each index."""
    if not _suits(x, [indices]):
        return None
    return [indices], tuple(AT if place == axis else place for place in range(x.rank)), indices.shape


def by_spec(x: Any, operands: Sequence[Any], spec: Spec) -> Form | None:
    """The positions of an index expression of adjacent integer tensors and whole axes."""
    if not _suits(x, operands) or len(operands) != spec.count(OPERAND):
        return None
    first = spec.index(OPERAND)
    count = len(operands)
    if any(entry != OPERAND for entry in spec[first : first + count]):
        return None
    for axis, entry in enumerate(spec):
        if entry != OPERAND and not (
            isinstance(entry, tuple) and slice(*entry).indices(x.shape[axis]) == (0, x.shape[axis], 1)
        ):
            return None
    common = broadcast_shapes(*[operand.shape for operand in operands])
    after = x.rank - first - count
    axes = (*range(first), *(AT,) * count, *range(first + len(common), first + len(common) + after))
    region = (*x.shape[:first], *common, *x.shape[first + count :])
    return [_behind(operand, after) for operand in operands], axes, region


def gather_by(form: Form | None, x: Any) -> Any:
    """`gathered` of x in a form; None without one. Of narrow elements it is of all of them, cast, if they are few."""
    if form is None:
        return None
    indices, axes, region = form
    if x.dtype.bits >= 32 or math.prod(size or 0 for size in region) == 1:
        return gathered(x, *indices, axes=axes, region=region)
    if x.type.size > max(FEW, math.prod(size or 0 for size in region)):
        return None
    whole = cast(x, dtype=float32 if x.dtype.is_float else int32)
    return cast(gathered(whole, *indices, axes=axes, region=region), dtype=x.dtype)


def scatter_by(form: Form | None, x: Any, value: Any, reduction: str = "add") -> Any:
    """A value combined, element by element, into a tensor like x without anything in it; None where it cannot be."""
    if form is None or reduction not in REDUCTIONS or x.dtype.bits < 32:
        return None
    indices, axes, region = form
    if value.rank > len(region) or not value.type.is_static:
        return None
    return scattered(value, *indices, axes=axes, region=region, shape=x.shape, reduction=reduction)
