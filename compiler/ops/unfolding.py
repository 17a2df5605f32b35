"""Sliding windows as columns of a matrix (im2col), and back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...runtime.kernels import windows as kernels
from ..ir.attributes import INT, INTS, PAIRS
from ..ir.op import Op, Sample
from ..ir.types import Dimension, TensorType, UnknownShapeError, show_shape
from .batching import folded
from .convolution import Pairs, check_windows, output_size
from .creation import constant, zeros_as
from .gathering import take_add
from .reduction import sum as sum_
from .samples import pair
from .shape import reshape, transpose
from .slicing import pad, slice_axis


def _counts(
    what: str, spatial: tuple[Dimension, ...], kernel: tuple[int, ...], stride: tuple[int, ...], padding: Pairs,
    dilation: tuple[int, ...],
) -> tuple[Dimension, ...]:  # fmt: skip
    """How many windows there are along each dimension."""
    if len(kernel) != len(spatial) or any(size < 1 for size in kernel):
        raise ValueError(f"{what}: kernel should be {len(spatial)} positive integers, but got {kernel}")
    check_windows(what, len(spatial), stride, padding, dilation)
    counts = tuple(map(output_size, spatial, kernel, stride, padding, dilation))
    if -1 in counts:
        raise ValueError(
            f"{what}: the kernel {kernel} with dilation {dilation} is larger than the input {show_shape(spatial)} with "
            f"padding {padding}"
        )
    return counts


def _infer_unfold(
    x: TensorType, *, kernel: tuple[int, ...], stride: tuple[int, ...], padding: Pairs, dilation: tuple[int, ...]
) -> TensorType:
    if x.rank < 3:
        raise ValueError(f"unfold: the input should be of shape (batch, channels, …), but got {show_shape(x.shape)}")
    counts = _counts("unfold", x.shape[2:], kernel, stride, padding, dilation)
    channels = x.shape[1]
    rows = None if channels is None else channels * math.prod(kernel)
    windows = None if None in counts else math.prod(count for count in counts if count is not None)
    return x.with_shape((x.shape[0], rows, windows))


def _infer_fold(
    x: TensorType,
    *,
    size: tuple[int, ...],
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    padding: Pairs,
    dilation: tuple[int, ...],
) -> TensorType:
    if x.rank != 3:
        raise ValueError(f"fold: the input should be of shape (batch, rows, windows), but got {show_shape(x.shape)}")
    windows = math.prod(count or 0 for count in _counts("fold", size, kernel, stride, padding, dilation))
    taps, rows = math.prod(kernel), x.shape[1]
    if rows is not None and rows % taps:
        raise ValueError(f"fold: {rows} rows cannot hold the {taps} elements of each window {kernel}")
    if x.shape[2] not in (None, windows):
        raise ValueError(f"fold: an image of size {size} has {windows} windows, but the input has {x.shape[2]}")
    return x.with_shape((x.shape[0], None if rows is None else rows // taps, *size))


def _vjp_unfold(x: Any, out: Any, dout: Any, **attrs: Any) -> Any:
    size = x.shape[2:]
    if None in size:
        raise UnknownShapeError(f"the gradient of unfold needs an image of known size, but got {x.type}")
    return fold(dout, size=size, **attrs)


def _vjp_fold(x: Any, out: Any, dout: Any, *, size: tuple[int, ...], **attrs: Any) -> Any:
    return unfold(dout, **attrs)


_CASES: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    (
        (2, 2, 4, 5),
        {"kernel": (2, 3), "stride": (1, 2), "padding": ((1, 0), (1, 1)), "dilation": (2, 1)},
    ),
    ((1, 3, 6), {"kernel": (2,), "stride": (3,), "padding": ((0, 0),), "dilation": (1,)}),
]


def _fold_samples() -> list[Sample]:
    samples = []
    for shape, attrs in _CASES:
        columns = kernels.unfold(pair(shape)[0], **attrs).shape
        samples.append(Sample(pair(columns), {**attrs, "size": shape[2:]}))
    return samples


unfold: Op = Op(
    "unfold",
    attrs={"kernel": INTS, "stride": INTS, "padding": PAIRS, "dilation": INTS},
    infer=_infer_unfold,
    kernel=kernels.unfold,
    vjp=_vjp_unfold,
    batch=folded(0),
    samples=lambda: [Sample(pair(shape), attrs) for shape, attrs in _CASES],
    doc="The sliding windows of x (batch, channels, …) as columns: (batch, channels·elements, windows).",
)
fold: Op = Op(
    "fold",
    attrs={"size": INTS, "kernel": INTS, "stride": INTS, "padding": PAIRS, "dilation": INTS},
    infer=_infer_fold,
    kernel=kernels.fold,
    vjp=_vjp_fold,
    batch=folded(0),
    samples=_fold_samples,
    doc="Columns (batch, channels·elements, windows) summed into images of a size given, where unfold would read them.",
)


def _infer_blocks(x: TensorType, *, axis: int, size: int, step: int) -> TensorType:
    if not x.is_static:
        raise UnknownShapeError(f"blocks need an input of known size, but got {x}")
    rows = x.static_shape[axis] if 0 <= axis < x.rank else 0
    if not 0 < size <= rows or step < 1:
        raise ValueError(
            f"blocks: no blocks of {size} elements that begin {step} apart are along axis {axis} of "
            f"{show_shape(x.shape)}"
        )
    return x.with_shape(((rows - size) // step + 1, *x.shape[:axis], size, *x.shape[axis + 1 :]))


def _kernel_blocks(x: np.ndarray, *, axis: int, size: int, step: int) -> np.ndarray:
    shape = ((x.shape[axis] - size) // step + 1, *x.shape[:axis], size, *x.shape[axis + 1 :])
    return np.lib.stride_tricks.as_strided(x, shape, (step * x.strides[axis], *x.strides), writeable=False)


def _vjp_blocks(x: Any, out: Any, dout: Any, *, axis: int, size: int, step: int) -> Any:
    """The sum of the blocks' gradients, each at its place.

    Blocks that begin one element apart get zeros behind them, and are read anew as rows that are one element shorter:
    then each block stands one element further right than the one before it, and the rows are added up.
    """
    count, length, before, after = out.shape[0], x.shape[axis], x.shape[:axis], x.shape[axis + 1 :]
    dout = transpose(dout, axes=(*range(1, axis + 1), 0, *range(axis + 1, len(out.shape))))
    if step < size < (count if step == 1 else x.shape[axis]):
        places = constant(value=step * np.arange(count)[:, None] + np.arange(size))
        return take_add(zeros_as(x), places, dout, axis=axis)

    def longer(value: Any, place: int, more: int) -> Any:
        high = tuple(more if each == place else 0 for each in range(value.rank))
        return pad(value, low=(0,) * value.rank, high=high, value=0)

    if step >= size:
        apart = reshape(longer(dout, axis + 1, step - size), shape=(*before, count * step, *after))
        return longer(apart, axis, length - count * step)
    wide = reshape(longer(dout, axis + 1, count), shape=(*before, count * (length + 1), *after))
    moved = reshape(slice_axis(wide, axis, 0, count * length), shape=(*before, count, length, *after))
    return sum_(moved, axis=(axis,), keepdims=False)


blocks: Op = Op(
    "blocks",
    kind="view",
    attrs={"axis": INT, "size": INT, "step": INT},
    infer=_infer_blocks,
    kernel=_kernel_blocks,
    vjp=_vjp_blocks,
    batch=lambda batch, x, *, axis, size, step: transpose(
        blocks(x, axis=axis + 1, size=size, step=step), axes=(1, 0, *range(2, x.rank + 1))
    ),
    samples=lambda: [
        Sample(pair((5,)), {"axis": 0, "size": 3, "step": 1}),
        Sample(pair((2, 7)), {"axis": 1, "size": 3, "step": 2}),
        Sample(pair((2, 8, 2)), {"axis": 1, "size": 2, "step": 3}),
        Sample(pair((2, 6)), {"axis": 1, "size": 4, "step": 1}),
    ],
    doc="The blocks of `size` elements along an axis that begin `step` apart, along a new first axis (a view).",
)
