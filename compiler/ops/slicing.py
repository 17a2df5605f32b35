"""Ops that cut tensors and move their elements: slice, update_slice, pad, reverse, roll."""

from __future__ import annotations

from builtins import slice as slice_
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.attributes import BOUNDS, INTS, NUMBER
from ..ir.code import Code, Item
from ..ir.graph import Node
from ..ir.layouts import Cuts, labelled
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.spelling import spell
from ..ir.types import Dimension, Shape, TensorType, normalize_axis, show_shape
from ..ir.values import Operand, literal
from .batching import shifted
from .creation import zeros_as
from .infer import check_number, same_dtype
from .parts import of_each
from .samples import pair
from .shape import reshape
from .windows import of_pad, of_roll

_SHORT = 4  # elements of a column, of which the last may be cut: a copy of everything else
Bound = int | None
Bounds = tuple[Bound, Bound, int]


def normalize_slice(start: Bound, stop: Bound, step: Bound, size: Dimension) -> Bounds:
    """The normal form of a slice of a dimension of this size, for `slice()`. If the size is `?` it stays as given."""
    step = 1 if step is None else step
    if step == 0:
        raise ValueError("the step of a slice should not be zero")
    if size is None:
        return (start, stop, step)
    first, end, step = slice_(start, stop, step).indices(size)
    length = len(range(first, end, step))
    if length == 0:
        return (0, 0, 1)
    if length == 1:
        return (first, first + 1, 1)
    last = first + (length - 1) * step
    end = last + (1 if step > 0 else -1)
    return (first, None if end < 0 else end, step)


def sliced_size(start: Bound, stop: Bound, step: int, size: Dimension) -> Dimension:
    """The number of elements that a slice takes of a dimension; None if only the run knows it."""
    if size is None:
        return 0 if start is not None and start == stop else None
    return len(range(*slice_(start, stop, step).indices(size)))


def _infer_slice(
    x: TensorType, *, start: tuple[Bound, ...], stop: tuple[Bound, ...], step: tuple[int, ...]
) -> TensorType:
    if not len(start) == len(stop) == len(step) == x.rank:
        raise ValueError(f"slice: {len(start)} bounds are given for a tensor of shape {show_shape(x.shape)}")
    if 0 in step:
        raise ValueError("slice: a step should not be zero")
    return x.with_shape(tuple(map(sliced_size, start, stop, step, x.shape)))


def _region(start: tuple[Bound, ...], stop: tuple[Bound, ...], step: tuple[int, ...]) -> tuple[slice_, ...]:
    return tuple(map(slice_, start, stop, step))


def _vjp_slice(
    x: Any, out: Any, dout: Any, *, start: tuple[Bound, ...], stop: tuple[Bound, ...], step: tuple[int, ...]
) -> Any:
    if x.type.is_static and 0 not in dout.shape and min(step, default=1) < 0:  # from the end: as from the start
        ends = [range(*slice_(*each).indices(size)) for *each, size in zip(start, stop, step, x.shape, strict=True)]
        forward = [each if each.step > 0 else each[::-1] for each in ends]
        dout = reverse(dout, axes=tuple([axis for axis, by in enumerate(step) if by < 0]))
        start, step = tuple([each.start for each in forward]), tuple([each.step for each in forward])
        stop = tuple([each[-1] + 1 for each in forward])
    if x.type.is_static and all(size == 1 for size in step):
        cuts = [slice_(*bounds).indices(size)[:2] for *bounds, size in zip(start, stop, step, x.shape, strict=True)]
        cuts = [(low, max(low, high)) for low, high in cuts]
        return pad(
            dout,
            low=tuple(low for low, _ in cuts),
            high=tuple(size - high for (_, high), size in zip(cuts, x.shape, strict=True)),
            value=0,
        )
    if x.type.is_static and 0 not in dout.shape:
        bounds = [slice_(*each).indices(size) for *each, size in zip(start, stop, step, x.shape, strict=True)]
        if all(by > 0 and (size % by == 0 or by <= _SHORT) for (_, _, by), size in zip(bounds, x.shape, strict=True)):
            return _apart(x, dout, [(first, by) for first, _, by in bounds])
    return update_slice(zeros_as(x), dout, start=start, stop=stop, step=step)


def _apart(x: Any, dout: Any, phases: Sequence[tuple[int, int]]) -> Any:
    """The gradient of every second element, say, as that of one column of two. The last column may be cut."""
    split: list[int] = []
    low: list[int] = []
    high: list[int] = []
    whole: list[int] = []
    for size, extent, (first, by) in zip(dout.shape, x.shape, phases, strict=True):
        before, phase = divmod(first, by)
        rows = -(-extent // by)
        split += [size, 1] if by > 1 else [size]
        low += [before, phase] if by > 1 else [before]
        high += [rows - before - size, by - 1 - phase] if by > 1 else [rows - before - size]
        whole.append(rows * by)
    padded = pad(reshape(dout, shape=tuple(split)), low=tuple(low), high=tuple(high), value=0)
    joined = reshape(padded, shape=tuple(whole))
    if joined.shape == x.shape:
        return joined
    return slice(joined, start=(0,) * len(whole), stop=x.shape, step=(1,) * len(whole))


def _whole(node: Node) -> Operand | None:
    """The rewrite of a slice of everything, in order, to its input."""
    x = node.inputs[0]
    whole = all(bounds == (None, None) for bounds in zip(node.attrs["start"], node.attrs["stop"], strict=True))
    same = x.type == node.output.type and x.type.is_static
    return x if all(step == 1 for step in node.attrs["step"]) and (whole or same) else None


def _emit_slice(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    def show(start: Bound, stop: Bound, step: int, size: Dimension) -> str:
        if (start, stop, step) == (0, size, 1):
            return ":"
        ends = f"{'' if start is None else spell(start)}:{'' if stop is None else spell(stop)}"
        return ends if step == 1 else f"{ends}:{spell(step)}"

    if not node.inputs[0].type.rank:
        return None
    bounds = zip(node.attrs["start"], node.attrs["stop"], node.attrs["step"], node.inputs[0].type.shape, strict=True)
    index = ", ".join(show(*item) for item in bounds)
    return Item(index) if node.op is update_slice else f"{arguments[0]}[{index}]"


def _batch_slice(batch: Batch, x: Any, *, start: Any, stop: Any, step: Any) -> Any:
    return slice(x, start=(0, *start), stop=(batch.size, *stop), step=(1, *step))


def _cuts_slice(node: Node) -> Cuts:
    """Dimensions that are taken whole can be cut."""
    shape, taken = node.inputs[0].type.shape, node.output.type.shape
    bounds = zip(node.attrs["start"], node.attrs["stop"], node.attrs["step"], shape, strict=True)
    alike = [step == 1 and (start or 0) == 0 and stop in (None, size) for start, stop, step, size in bounds]
    (found,) = labelled(shape)
    labels = tuple(label if whole else None for label, whole in zip(found, alike, strict=True))

    def attrs(part: tuple[int, ...]) -> dict[str, Any]:
        ends = zip(node.attrs["stop"], part, taken, strict=True)
        return {"stop": tuple(stop if size == before else size for stop, size, before in ends)}

    return Cuts((labels,), (labels,), attrs=attrs)


slice: Op = Op(
    "slice",
    parts=of_each,
    cuts=_cuts_slice,
    kind="view",
    attrs={"start": BOUNDS, "stop": BOUNDS, "step": INTS},
    emit=_emit_slice,
    infer=_infer_slice,
    kernel=lambda x, *, start, stop, step: x[_region(start, stop, step)],
    vjp=_vjp_slice,
    batch=_batch_slice,
    rewrites=(_whole,),
    samples=lambda: [
        Sample(pair((4, 5)), {"start": (1, 0), "stop": (3, 5), "step": (1, 1)}),
        Sample(pair((4, 5)), {"start": (3, 1), "stop": (None, 5), "step": (-2, 3)}),
        Sample(pair((4,)), {"start": (2,), "stop": (2,), "step": (1,)}),
        Sample(pair((4, 6, 7)), {"start": (None, 4, 6), "stop": (None, None, 1), "step": (-1, -2, -3)}),
    ],
    doc="The elements from start to stop by step along each dimension, as Python slices (a view).",
)


def _infer_update_slice(
    x: TensorType, value: TensorType, *, start: tuple[Bound, ...], stop: tuple[Bound, ...], step: tuple[int, ...]
) -> TensorType:
    same_dtype(x, value)
    region = _infer_slice(x, start=start, stop=stop, step=step).shape
    check_fits(value.shape, region)
    return x


def check_fits(value: Shape, region: Shape) -> None:
    """Raise ValueError if a value cannot be broadcast to the region of an assignment."""
    lead = len(region) - len(value)
    fits = lead >= 0 and all(
        size in (1, None, into) or into is None for size, into in zip(value, region[lead:], strict=True)
    )
    if not fits:
        raise ValueError(
            f"a value of shape {show_shape(value)} cannot be assigned to a selection of shape {show_shape(region)}"
        )


def start_from(x: np.ndarray, out: np.ndarray | None) -> np.ndarray:
    """An array that holds x and may be written to: `out` if it is given (x itself, or separate from x), else a copy."""
    if out is None:
        return x.copy()
    if out is not x:
        np.copyto(out, x)
    return out


def _kernel_update_slice(
    x: np.ndarray,
    value: np.ndarray,
    *,
    start: tuple[Bound, ...],
    stop: tuple[Bound, ...],
    step: tuple[int, ...],
    out: np.ndarray | None = None,
) -> np.ndarray:
    result = start_from(x, out)
    result[_region(start, stop, step)] = value
    return result


def _batch_update_slice(batch: Batch, x: Any, value: Any, *, start: Any, stop: Any, step: Any) -> Any:
    x, value = batch.stack(x, batch.mapped[0]), batch.align(value, batch.mapped[1], len(start))
    return update_slice(x, value, start=(0, *start), stop=(batch.size, *stop), step=(1, *step))


update_slice: Op = Op(
    "update_slice",
    parts=of_each,
    attrs={"start": BOUNDS, "stop": BOUNDS, "step": INTS},
    emit=lambda node, arguments, out: None if out is None else _emit_slice(node, arguments, out),
    infer=_infer_update_slice,
    kernel=_kernel_update_slice,
    vjp=lambda x, value, out, dout, **bounds: (
        update_slice(dout, literal(0, dout.dtype), **bounds),
        slice(dout, **bounds),
    ),
    batch=_batch_update_slice,
    inplace=True,
    samples=lambda: [
        Sample(pair((4, 5), (2, 5)), {"start": (1, 0), "stop": (3, 5), "step": (1, 1)}),
        Sample(pair((4, 5), (2, 1)), {"start": (3, 1), "stop": (None, 5), "step": (-2, 3)}),
        Sample(pair((4, 5), ()), {"start": (0, 1), "stop": (4, 5), "step": (1, 2)}),
    ],
    doc="x with the elements that slice would take replaced by a value (broadcast).",
)


def _infer_pad(x: TensorType, *, low: tuple[int, ...], high: tuple[int, ...], value: Any) -> TensorType:
    if not len(low) == len(high) == x.rank:
        raise ValueError(
            f"pad: paddings for {len(low)} dimensions are given for a tensor of shape {show_shape(x.shape)}"
        )
    check_number("pad: the value", value, x.dtype)
    shape: list[Dimension] = []
    for axis, (before, size, after) in enumerate(zip(low, x.shape, high, strict=True)):
        if size is None:
            shape.append(None if before or after else size)
            continue
        if before + size + after < 0 or before + size < 0 or size + after < 0:
            raise ValueError(f"pad: ({before}, {after}) crops more than dimension {axis} of {show_shape(x.shape)} has")
        shape.append(before + size + after)
    return x.with_shape(tuple(shape))


def _kernel_pad(
    x: np.ndarray, *, low: tuple[int, ...], high: tuple[int, ...], value: Any, out: np.ndarray | None = None
) -> np.ndarray:
    shape = tuple(before + size + after for before, size, after in zip(low, x.shape, high, strict=True))
    result = np.empty(shape, x.dtype) if out is None else out
    inner = tuple(
        slice_(max(before, 0), size - max(after, 0)) for before, size, after in zip(low, shape, high, strict=True)
    )
    core = result[inner]
    if core.size != result.size:
        result[...] = value
    kept = tuple(
        slice_(max(-before, 0), size - max(-after, 0)) for before, size, after in zip(low, x.shape, high, strict=True)
    )
    core[...] = x[kept]
    return result


def _vjp_pad(x: Any, out: Any, dout: Any, *, low: tuple[int, ...], high: tuple[int, ...], value: Any) -> Any:
    if None in x.shape or min((*low, *high), default=0) < 0:
        return pad(dout, low=tuple(-size for size in low), high=tuple(-size for size in high), value=0)
    stop = tuple(before + size for before, size in zip(low, x.shape, strict=True))
    return slice(dout, start=low, stop=stop, step=(1,) * x.rank)


def _no_padding(node: Node) -> Operand | None:
    return node.inputs[0] if not any(node.attrs["low"]) and not any(node.attrs["high"]) else None


def _batch_pad(batch: Batch, x: Any, *, low: tuple[int, ...], high: tuple[int, ...], value: Any) -> Any:
    return pad(x, low=(0, *low), high=(0, *high), value=value)


def _cuts_pad(node: Node) -> Cuts:
    """Dimensions without padding can be cut."""
    (found,) = labelled(node.inputs[0].type.shape)
    padded = zip(found, node.attrs["low"], node.attrs["high"], strict=True)
    labels = tuple(None if low or high else label for label, low, high in padded)
    return Cuts((labels,), (labels,))


pad: Op = Op(
    "pad",
    parts=lambda op, x, **attrs: None if attrs["value"] else of_each(op, x, **attrs),
    cuts=_cuts_pad,
    attrs={"low": INTS, "high": INTS, "value": NUMBER},
    infer=_infer_pad,
    kernel=_kernel_pad,
    vjp=_vjp_pad,
    batch=_batch_pad,
    rewrites=(_no_padding,),
    windows=of_pad,
    samples=lambda: [
        Sample(pair((2, 3)), {"low": (1, 0), "high": (0, 2), "value": 1.5}),
        Sample(pair((3, 4)), {"low": (-1, 2), "high": (0, -1), "value": 0.0}),
        Sample(pair((3,)), {"low": (-1,), "high": (-2,), "value": 0.0}),
    ],
    doc="x with `low` elements before and `high` after it along each dimension, all of one value; negative ones crop.",
)


def _infer_reverse(x: TensorType, *, axes: tuple[int, ...]) -> TensorType:
    for axis in axes:
        if not 0 <= axis < x.rank:
            raise ValueError(f"reverse: axes should be in [0, {x.rank}), but got {axes}")
    return x


def _emit_reverse(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    rank, axes = node.inputs[0].type.rank, node.attrs["axes"]
    return f"{arguments[0]}[{', '.join('::-1' if axis in axes else ':' for axis in range(rank))}]" if axes else None


reverse: Op = Op(
    "reverse",
    parts=of_each,
    kind="view",
    attrs={"axes": INTS},
    infer=_infer_reverse,
    kernel=lambda x, *, axes: np.flip(x, axes),
    emit=_emit_reverse,
    vjp=lambda x, out, dout, *, axes: reverse(dout, axes=axes),
    batch=shifted("axes"),
    rewrites=(
        lambda node: (
            node.inputs[0] if all(node.inputs[0].type.shape[axis] in (0, 1) for axis in node.attrs["axes"]) else None
        ),
    ),
    samples=lambda: [Sample(pair((3, 4)), {"axes": (1,)}), Sample(pair((2, 3)), {"axes": (0, 1)})],
    doc="x with the order of its elements along some axes reversed (a view).",
)


def _infer_roll(x: TensorType, *, shift: tuple[int, ...], axis: tuple[int, ...]) -> TensorType:
    if len(shift) != len(axis):
        raise ValueError(f"roll: {len(shift)} shifts are given for {len(axis)} axes")
    for position in axis:
        normalize_axis(position, x.rank)
    return x


def _kernel_roll(
    x: np.ndarray, *, shift: tuple[int, ...], axis: tuple[int, ...], out: np.ndarray | None = None
) -> np.ndarray:
    result = np.empty(x.shape, x.dtype) if out is None else out
    parts = [(x, result)]
    for position in {normalize_axis(each, x.ndim) for each in axis}:
        size = x.shape[position]
        total = sum(count for count, each in zip(shift, axis, strict=True) if normalize_axis(each, x.ndim) == position)
        moved = total % size if size else 0
        if moved:
            before = (slice_(None),) * position
            head, tail = (*before, slice_(None, size - moved)), (*before, slice_(size - moved, None))
            start, end = (*before, slice_(None, moved)), (*before, slice_(moved, None))
            parts = [pair for source, target in parts
                     for pair in ((source[head], target[end]), (source[tail], target[start]))]  # fmt: skip
    for source, target in parts:
        np.copyto(target, source)
    return result


roll: Op = Op(
    "roll",
    parts=of_each,
    attrs={"shift": INTS, "axis": INTS},
    infer=_infer_roll,
    kernel=_kernel_roll,
    vjp=lambda x, out, dout, *, shift, axis: roll(dout, shift=tuple(-count for count in shift), axis=axis),
    batch=shifted("axis"),
    windows=of_roll,
    samples=lambda: [
        Sample(pair((3, 4)), {"shift": (1, -2), "axis": (0, 1)}),
        Sample(pair((3, 4)), {"shift": (1, 1, 9), "axis": (1, 1, 0)}),
        Sample(pair((2, 0)), {"shift": (1, 0), "axis": (0, 1)}),
        Sample(pair((3,)), {"shift": (4,), "axis": (0,)}),
    ],
    doc="x with its elements moved on along axes; those pushed out come in at the other end.",
)


def slice_axis(x: Any, axis: int, start: Bound, stop: Bound) -> Any:
    """A slice of the symbol x along one axis."""
    bounds = [normalize_slice(None, None, 1, size) for size in x.shape]
    bounds[axis] = normalize_slice(start, stop, 1, x.shape[axis])
    starts, stops, steps = zip(*bounds, strict=True)
    return slice(x, start=starts, stop=stops, step=steps)
