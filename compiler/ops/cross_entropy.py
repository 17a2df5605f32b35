"""Softmax cross entropy with class indices as labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ...runtime.kernels import cross_entropy as kernels
from ..ir.attributes import DTYPE, INT, SIZE, or_none
from ..ir.layouts import cuts_alike
from ..ir.op import Op, Sample
from ..ir.types import TensorType, show_shape
from ..ir.values import literal
from .batching import leading, shifted
from .comparison import equal, greater_equal, not_equal, select
from .composite import vjp_by
from .conversion import cast
from .creation import iota
from .elementwise import exp
from .infer import broadcast_float, same_dtype
from .reduction import sum as sum_
from .samples import pair
from .scatter import one_hot
from .shape import insert_axes
from .softmaxes import logsumexp


def _wide(dtype: DType) -> DType:
    """The dtype for sums of exponentials. In halves the gradient would lose its digits."""
    return dtypes.float32 if dtype.bits == 16 else dtype


def _infer(logits: TensorType, labels: TensorType, *, axis: int, ignore: int | None) -> tuple[TensorType, TensorType]:
    broadcast_float(logits)
    if logits.dtype.is_complex:
        raise TypeError("softmax_cross_entropy: logits should be real numbers")
    if not labels.dtype.is_integer:
        raise TypeError(
            f"softmax_cross_entropy: labels should be integers, but their dtype is {labels.dtype}{dtypes.AS_INTEGERS}"
        )
    if not 0 <= axis < logits.rank:
        raise ValueError(f"softmax_cross_entropy: axis should be in [0, {logits.rank}), but got {axis}")
    expected = logits.shape[:axis] + logits.shape[axis + 1 :]
    if len(expected) != labels.rank or any(
        a is not None and b is not None and a != b for a, b in zip(expected, labels.shape, strict=False)
    ):
        raise ValueError(
            f"softmax_cross_entropy: logits of shape {show_shape(logits.shape)} with classes along axis {axis} need "
            f"labels of shape {show_shape(expected)}, but got {show_shape(labels.shape)}"
        )
    shape = tuple(b if a is None else a for a, b in zip(expected, labels.shape, strict=True))
    return TensorType(logits.dtype, shape), TensorType(_wide(logits.dtype), shape)


def _infer_grad(
    logits: TensorType, labels: TensorType, total: TensorType, dout: TensorType, *, axis: int, ignore: int | None
) -> TensorType:
    same_dtype(logits, dout)
    _infer(logits, labels, axis=axis, ignore=ignore)
    return logits


def _vjp(
    logits: Any, labels: Any, out: tuple[Any, Any], dout: tuple[Any, Any], *, axis: int, ignore: int | None
) -> tuple[Any, None]:
    total, (dlosses, dtotal) = out[1], dout
    result = None
    if dlosses is not None:
        result = softmax_cross_entropy_grad(logits, labels, total, dlosses, axis=axis, ignore=ignore)
    if dtotal is not None:
        wide = cast(logits, dtype=total.dtype)
        part = cast(exp(wide - insert_axes(total, (axis,))) * insert_axes(dtotal, (axis,)), dtype=logits.dtype)
        result = part if result is None else result + part
    return result, None


def _grad_composite(logits: Any, labels: Any, total: Any, dout: Any, *, axis: int, ignore: int | None) -> Any:
    if logits.shape[axis] is None:
        raise ValueError(
            f"the gradient of cross entropy's gradient needs a known number of classes, but got {logits.type}"
        )
    dtype = total.dtype
    if ignore is not None:
        dout = select(not_equal(labels, ignore), dout, 0)
    share = exp(cast(logits, dtype=dtype) - insert_axes(total, (axis,)))
    hot = one_hot(labels, literal(1, dtype), literal(0, dtype), depth=logits.shape[axis], axis=axis)
    return cast((share - hot) * insert_axes(cast(dout, dtype=dtype), (axis,)), dtype=logits.dtype)


def _by_kernels(logits: Any) -> bool:
    """Whether kernels of machine code should compute rows of classes."""
    from ...runtime.machine.executable import unavailable  # `import mycel` does not load the code generator

    return logits.type.is_static and logits.dtype.bits in (32, 64) and unavailable() is None


def _hot(logits: Any, labels: Any, ignore: int | None) -> tuple[Any, Any]:
    """A mask of the logits of the rows' labels; for each row whether its label counts."""
    dtype = dtypes.int32 if logits.dtype.bits == 32 else dtypes.int64
    indices = class_indices(labels, classes=logits.shape[-1], ignore=ignore, dtype=dtype)
    classes = iota(start=0, step=1, size=logits.shape[-1], dtype=dtype)
    return equal(insert_axes(indices, (labels.rank,)), classes), greater_equal(indices, 0)


def _definition(logits: Any, labels: Any, *, axis: int, ignore: int | None) -> tuple[Any, Any] | None:
    if axis != logits.rank - 1 or not _by_kernels(logits):
        return None
    total = logsumexp(logits, axis=(axis,), keepdims=False)
    hot, counts = _hot(logits, labels, ignore)
    losses = total - sum_(select(hot, logits, 0), axis=(axis,), keepdims=False)
    return losses if ignore is None else select(counts, losses, 0), total


def _grad_definition(logits: Any, labels: Any, total: Any, dout: Any, *, axis: int, ignore: int | None) -> Any:
    if axis != logits.rank - 1 or not _by_kernels(logits):
        return None
    hot, counts = _hot(logits, labels, ignore)
    scale = insert_axes(dout if ignore is None else select(counts, dout, 0), (axis,))
    return exp(logits - insert_axes(total, (axis,))) * scale - select(hot, scale, 0)


def _infer_class_indices(labels: TensorType, *, classes: int, ignore: int | None, dtype: DType) -> TensorType:
    if not labels.dtype.is_integer:
        raise TypeError(
            f"class_indices: labels should be integers, but their dtype is {labels.dtype}{dtypes.AS_INTEGERS}"
        )
    return labels.with_dtype(dtype)


def _samples() -> list[Sample]:
    labels = np.array([1, 0, 4, 2], np.int32)
    grid = np.array([[1, -1, 2], [0, 2, -1]])
    return [
        Sample((*pair((4, 5)), labels), {"axis": 1, "ignore": None}),
        Sample((*pair((2, 3, 3)), grid), {"axis": 1, "ignore": -1}),
        Sample((*pair((5,)), np.array(3)), {"axis": 0, "ignore": None}),
    ]


def _grad_samples() -> list[Sample]:
    samples = []
    for sample in _samples():
        logits, labels = sample.inputs
        _, total = kernels.cross_entropy(logits, labels, **sample.attrs)
        samples.append(Sample((logits, labels, np.asarray(total), *pair(labels.shape, seed=2)), sample.attrs))
    return samples


class_indices: Op = Op(
    "class_indices",
    attrs={"classes": SIZE, "ignore": or_none(INT), "dtype": DTYPE},
    infer=_infer_class_indices,
    cuts=cuts_alike,
    kernel=kernels.class_indices,
    batch=leading,
    samples=lambda: [
        Sample((np.array([1, 0, 4]),), {"classes": 5, "ignore": None, "dtype": dtypes.int32}, gradient=False),
        Sample((np.array([[1], [-7]], np.int8),), {"classes": 2, "ignore": -7, "dtype": dtypes.int64}, gradient=False),
    ],
    doc="Labels that are checked to be classes, -1 where they are `ignore`.",
)
softmax_cross_entropy: Op = Op(
    "softmax_cross_entropy",
    attrs={"axis": INT, "ignore": or_none(INT)},
    infer=_infer,
    kernel=kernels.cross_entropy,
    single=True,
    vjp=_vjp,
    definition=_definition,
    batch=shifted("axis"),
    samples=_samples,
    doc="The cross entropy of each label (0 where it is `ignore`), and the log of its logits' summed exponentials.",
)
softmax_cross_entropy_grad: Op = Op(
    "softmax_cross_entropy_grad",
    attrs={"axis": INT, "ignore": or_none(INT)},
    infer=_infer_grad,
    kernel=kernels.cross_entropy_grad,
    single=True,
    vjp=vjp_by(_grad_composite),
    definition=_grad_definition,
    batch=shifted("axis"),
    samples=_grad_samples,
    doc="The gradient of softmax_cross_entropy by the logits, given its second result and the losses' cotangent.",
)
