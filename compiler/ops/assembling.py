"""Assignments to boxes of a tensor, `x[1:-1, 1:-1] = y`, for kernels: they read each part where it lies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.attributes import INTS, SIZES
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.types import Shape, TensorType
from ..ir.values import Literal, Operand
from .index_batching import OPERAND, Spec
from .infer import same_dtype
from .samples import pair
from .shape import broadcast_to, reshape
from .slicing import slice as slice_, start_from
from .windows import MOST_PARTS, Window

_DTYPES = ("float32", "float64", "int32", "int64")
_LARGE_PART = 4  # a box that is smaller than a fourth is better assigned in place
_FEW = 1 << 12  # elements, which kernels put together sooner

_Box = tuple[tuple[int, int], ...]
"""For each axis where it starts and ends."""


def _lows(count: int, lows: Sequence[int]) -> list[tuple[int, ...]]:
    rank = len(lows) // count
    return [tuple(lows[number * rank : (number + 1) * rank]) for number in range(count)]


def _infer(*parts: TensorType, lows: tuple[int, ...], shape: Shape) -> TensorType:
    for part in parts:
        same_dtype(parts[0], part)
    for part, low in zip(parts, _lows(len(parts), lows), strict=True):
        ends = [start + (size or 0) for start, size in zip(low, part.shape, strict=True)]
        if min(low, default=0) < 0 or any(end > (size or 0) for end, size in zip(ends, shape, strict=True)):
            raise ValueError(f"assembled: a part {part} at {low} is not within {shape}")
    return parts[0].with_shape(shape)


def _kernel(*parts: np.ndarray, lows: tuple[int, ...], shape: tuple[int, ...], out: Any = None) -> np.ndarray:
    result: np.ndarray = np.empty(shape, parts[0].dtype) if out is None else out
    if sum(part.size for part in parts) < result.size:
        result[...] = 0
    for part, low in zip(parts, _lows(len(parts), lows), strict=True):
        result[tuple(slice(start, start + size) for start, size in zip(low, part.shape, strict=True))] = part
    return result


def _windows(node: Node) -> tuple[Window, ...]:
    return tuple(Window(number, low) for number, low in enumerate(_lows(len(node.inputs), node.attrs["lows"])))


assembled: Op = Op(
    "assembled",
    attrs={"lows": INTS, "shape": SIZES},
    infer=_infer,
    kernel=_kernel,
    windows=_windows,
    internal=True,
    samples=lambda: [Sample(pair((2, 3), (1, 3)), {"lows": (0, 1, 3, 0), "shape": (4, 4)}, gradient=False)],
    doc="Tensors at places of a larger one, beside each other, and zeros where there is none.",
)


def first_part(node: Node) -> Operand:
    """The first of the interleaved parts that is no number."""
    return next(part for part in node.inputs if part.type.rank)


def _infer_interleaved(*parts: TensorType, phases: tuple[int, ...], steps: tuple[int, ...]) -> TensorType:
    found = [part.shape for part in parts if part.rank]
    places, sizes = _lows(len(parts), phases), [set(each) - {None} for each in zip(*found, strict=True)]
    if len(set(places)) < len(parts) or len(sizes) != len(steps) or any(len(each) > 1 for each in sizes):
        raise ValueError(f"interleaved: {len(parts)} parts of one shape need as many phases, not {places}")
    shape = tuple([min(each) * step if each else None for each, step in zip(sizes, steps, strict=True)])
    for part, place in zip(parts, places, strict=True):
        same_dtype(parts[0], part)
        if any(not 0 <= first < step for first, step in zip(place, steps, strict=True)):
            raise ValueError(f"interleaved: {place} is no phase of {steps}")
    return parts[0].with_shape(shape)


def _kernel_interleaved(
    *parts: np.ndarray, phases: tuple[int, ...], steps: tuple[int, ...], out: Any = None
) -> np.ndarray:
    (sizes,) = {np.shape(part) for part in parts} - {()}
    shape = [size * step for size, step in zip(sizes, steps, strict=True)]
    result: np.ndarray = np.empty(shape, parts[0].dtype) if out is None else out
    if len(parts) < math.prod(steps):
        result[...] = 0
    for part, place in zip(parts, _lows(len(parts), phases), strict=True):
        result[tuple(map(slice, place, [None] * len(steps), steps))] = part
    return result


interleaved: Op = Op(
    "interleaved",
    attrs={"phases": INTS, "steps": INTS},
    infer=_infer_interleaved,
    kernel=_kernel_interleaved,
    internal=True,
    samples=lambda: [
        Sample(pair((2, 3), (2, 3)), {"phases": (0, 1, 1, 0), "steps": (2, 2)}, gradient=False),
        Sample((np.ones((2, 3), np.float32), np.float32(2)), {"phases": (0, 1, 0, 0), "steps": (1, 2)}, gradient=False),
    ],
    doc="Tensors, and numbers, at every second element of a larger one, say, and zeros where there is none.",
)


def _infer_in_box(x: TensorType, whole: TensorType | None = None, *, low: tuple[int, ...], shape: Shape) -> TensorType:
    found = _infer(x, lows=low, shape=shape)
    if whole is not None and not found.fits(whole):
        raise ValueError(f"in_box: the whole is {whole}, not {found}")
    return found


def _kernel_in_box(
    x: np.ndarray, whole: np.ndarray | None = None, *, low: tuple[int, ...], shape: tuple[int, ...], out: Any = None
) -> np.ndarray:
    if whole is None:
        return _kernel(x, lows=low, shape=shape, out=out)
    result = start_from(whole, out)
    result[tuple(slice(start, start + size) for start, size in zip(low, x.shape, strict=True))] = x
    return result


in_box: Op = Op(
    "in_box",
    attrs={"low": INTS, "shape": SIZES},
    infer=_infer_in_box,
    kernel=_kernel_in_box,
    internal=True,
    samples=lambda: [
        Sample((np.ones((2, 3), np.float32),), {"low": (0, 1), "shape": (4, 4)}, gradient=False),
        Sample(pair((2, 3), (4, 4)), {"low": (0, 1), "shape": (4, 4)}, gradient=False),
    ],
    doc="A tensor in a box of a larger one, or of zeros. A kernel writes the box alone: without a larger one, what is "
    "around it must be assigned.",
)


def _box(shape: Shape, spec: Spec) -> _Box | None:
    """The box that an index expression takes; None if it takes none, or something else."""
    if None in shape or len(spec) > len(shape):
        return None
    found = []
    for entry, size in zip((*spec, *((None, None, 1),) * (len(shape) - len(spec))), shape, strict=True):
        if type(entry) is int:
            entry = (entry % size, entry % size + 1, 1) if size and -size <= entry < size else None
        if not isinstance(entry, tuple) or OPERAND in entry:
            return None
        first, end, step = slice(*entry).indices(size or 0)
        if step != 1 or end <= first:
            return None
        found.append((first, end))
    return tuple(found)


def _cut(x: Any, box: _Box) -> Any:
    starts, stops = zip(*box, strict=True)
    return slice_(x, start=starts, stop=stops, step=(1,) * len(box))


def write_box(x: Any, value: Any, spec: Spec) -> Any:
    """x with a value in a large box of it; None where it is better assigned in place."""
    box = _box(x.shape, spec)
    if not box or x.dtype.np.name not in _DTYPES or None in value.shape:
        return None
    region = tuple(end - first for first, end in box)
    if math.prod(region) * _LARGE_PART < math.prod(x.shape) > _FEW:
        return None
    parts: list[tuple[Any, _Box]] = []
    if isinstance(value.operand, Literal):
        if value.operand.array != 0 or np.signbit(value.operand.array):
            return None
    else:
        kept = tuple(size for axis, size in enumerate(region) if axis >= len(spec) or type(spec[axis]) is not int)
        value = value if value.shape == kept else broadcast_to(value, shape=kept)
        parts.append((value if kept == region else reshape(value, shape=region), box))
    around = [(0, size) for size in x.shape]
    for axis, (first, end) in enumerate(box):
        for side in ((0, first), (end, x.shape[axis])):
            if side[0] < side[1]:
                piece = (*around[:axis], side, *around[axis + 1 :])
                parts.append((_cut(x, piece), piece))
        around[axis] = (first, end)
    if region == x.shape:
        return parts[0][0] if parts else None
    if not 1 <= len(parts) <= MOST_PARTS:
        return None
    lows = tuple(first for _, piece in parts for first, _ in piece)
    return assembled(*[part for part, _ in parts], lows=lows, shape=x.shape)
