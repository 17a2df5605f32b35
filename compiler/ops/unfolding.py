"""Sliding windows as columns of a matrix (im2col), and back."""

from __future__ import annotations

import math
from typing import Any

from ...runtime.kernels import windows as kernels
from ..ir.attributes import INTS, PAIRS
from ..ir.op import Op, Sample
from ..ir.types import Dimension, TensorType, show_shape
from .batching import folded
from .convolution import Pairs, check_windows, output_size
from .samples import pair


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
        raise ValueError(f"the gradient of unfold needs an image of known size, but got {x.type}")
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
