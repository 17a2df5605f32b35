"""Loss functions for classes and for numbers: cross_entropy, nll_loss, mse_loss, binary_cross_entropy, kl_div, …"""

from __future__ import annotations

import math
import warnings
from typing import Any

from ...compiler import ops as prims
from ...frontend.errors.user_files import user_level
from ...frontend.values.arguments import choice, drop_axes, insert_axes, need_flags, shape_of, whole_number
from ...frontend.values.dispatch import apply, cast, promote
from ...frontend.values.indexing import note_range
from ...frontend.values.operands import in_single, need_tensor, to_float
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .array_shape import reshape
from .documentation import common
from .nn_activation import floating
from .requirements import require_range
from .table import known_as

__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cross_entropy", "gaussian_nll_loss", "huber_loss",
    "kl_div", "l1_loss", "mse_loss", "nll_loss", "smooth_l1_loss", "softmax_cross_entropy_with_logits",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        reduction: "none" for one number an element, "mean" or "sum" of them.
        input: a floating-point tensor of any shape.
        target: a tensor of the shape of `input`.
        labels: probabilities of the shape of `logits`.

    Raises:
        ValueError: if the shapes differ, or `reduction` is another word.
    """,
    common,
)


REDUCTIONS = ("none", "mean", "sum")
LOG_FLOOR = 1e-12  # what MindSpore's binary cross entropy adds before it takes a logarithm


def every_axis(x: Tensor) -> tuple[int, ...]:
    """All axes of a tensor."""
    return tuple(range(x.ndim))


def total(x: Tensor) -> Tensor:
    """The sum of all elements."""
    return apply(prims.sum, x, axis=every_axis(x), keepdims=False)


def reduce_loss(x: Tensor, reduction: str, function: str) -> Tensor:
    """The losses unchanged, averaged or summed. ValueError for another reduction."""
    choice(reduction, REDUCTIONS, function, "reduction")
    if reduction == "none":
        return x
    return apply(prims.mean if reduction == "mean" else prims.sum, x, axis=every_axis(x), keepdims=False)


@known_as(functional=True)
@in_single()
def cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    """The cross entropy between logits and targets.

    Args:
        input: logits of shape (C), (N, C) or (N, C, d1, …).
        target: class indices, integers of shape (), (N) or (N, d1, …); or probabilities of the shape of `input`.
        weight: a vector of weights, one for each of the C classes, or None.
        ignore_index: a class index that counts for nothing.
        reduction: "none", "mean" (weighted by `weight`) or "sum".
        label_smoothing: the share of each target that is spread over all classes, in [0, 1].

    Raises:
        ValueError: if the shapes do not fit, or an argument is out of range.

    Examples:
        >>> import mycel as ms
        >>> logits = ms.Tensor([[1.0, 1.0], [0.0, 0.0]])
        >>> print(ms.ops.cross_entropy(logits, ms.Tensor([0, 1])))
        0.6931472
    """
    x, labels = floating(input, "cross_entropy"), need_tensor(target, "cross_entropy", "target")
    if x.ndim == 0:
        raise ValueError("cross_entropy: 'input' should have a dimension of classes, but it is 0-d")
    axis = 0 if x.ndim == 1 else 1
    ignore_index = whole_number(ignore_index, "cross_entropy", "ignore_index")
    if labels.dtype.is_integer and not label_smoothing:
        return _class_entropy(x, labels, axis, weight, ignore_index, reduction)
    logits = apply(prims.log_softmax, x, axis=axis)
    if labels.dtype.is_integer:
        return nll_loss(logits, labels, weight, ignore_index, reduction, label_smoothing)
    if shape_of(labels) != shape_of(x):
        text = f"cross_entropy: probabilities of shape {labels.shape} do not fit logits of shape {x.shape}"
        if labels.ndim == x.ndim - 1:
            text += f". If they are class indices they should be integers{dtypes.AS_INTEGERS}"
        raise ValueError(text)
    return _soft_entropy(logits, cast(labels, x.dtype), axis, weight, reduction, label_smoothing)


def _class_entropy(x: Tensor, labels: Tensor, axis: int, weight: Any, ignore_index: int, reduction: str) -> Tensor:
    """The cross entropy of class indices by the op that never makes the log-probabilities of all classes."""
    choice(reduction, REDUCTIONS, "cross_entropy", "reduction")
    _check_classes(x, labels, axis)
    note_range(labels, "cross_entropy() with a class", ValueError)
    losses, _ = apply(prims.softmax_cross_entropy, x, labels, axis=axis, ignore=ignore_index)
    kept = apply(prims.not_equal, labels, ignore_index)
    scale = cast(kept, x.dtype)
    if weight is not None:
        _by_class(weight, x, axis)
        safe = apply(prims.select, kept, labels, 0)
        scale = apply(prims.multiply, scale, apply(prims.take, cast(weight, x.dtype), safe, axis=0))
        losses = apply(prims.multiply, losses, scale)
    return _reduced(losses, scale, reduction)


def _reduced(losses: Tensor, scale: Tensor, reduction: str) -> Tensor:
    """The losses unchanged, summed, or divided by the sum of their weights."""
    if reduction == "none":
        return losses
    return total(losses) if reduction == "sum" else apply(prims.divide, total(losses), total(scale))


def _check_classes(x: Tensor, labels: Tensor, axis: int) -> None:
    expected, found = shape_of(x)[:axis] + shape_of(x)[axis + 1 :], shape_of(labels)
    if len(found) != len(expected) or any(
        a != b for a, b in zip(expected, found, strict=True) if a is not None and b is not None
    ):
        raise ValueError(
            f"class indices of shape {labels.shape} do not fit logits of shape {x.shape}: they should have {expected}"
        )


def _soft_entropy(
    logits: Tensor, labels: Tensor, axis: int, weight: Tensor | None, reduction: str, label_smoothing: float
) -> Tensor:
    choice(reduction, REDUCTIONS, "cross_entropy", "reduction")
    classes = int(logits.shape[axis])
    if label_smoothing:
        _check_smoothing(label_smoothing)
        labels = apply(prims.multiply, labels, 1.0 - label_smoothing)
        labels = apply(prims.add, labels, label_smoothing / classes)
    product = apply(prims.multiply, logits, labels)
    if weight is not None:
        product = apply(prims.multiply, product, _by_class(weight, logits, axis))
    if reduction == "none":
        return apply(prims.negative, apply(prims.sum, product, axis=(axis,), keepdims=False))
    summed = apply(prims.negative, total(product))
    if reduction == "sum":
        return summed
    return apply(prims.divide, summed, float(logits.size // max(classes, 1)))


def _check_smoothing(label_smoothing: float) -> None:
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"'label_smoothing' should be in [0, 1], but got {label_smoothing}")


def _class_weights(weight: Any, x: Tensor, axis: int, function: str) -> Tensor:
    weights = need_tensor(weight, function, "weight")
    if weights.ndim != 1 or weights.shape[0] != x.shape[axis]:
        raise ValueError(f"'weight' of shape {weights.shape} should give a number for each of {x.shape[axis]} classes")
    return weights


def _by_class(weight: Any, x: Tensor, axis: int) -> Tensor:
    """The weights of the classes as a tensor that broadcasts along the axis of classes."""
    weights = _class_weights(weight, x, axis, "cross_entropy")
    return reshape(cast(weights, x.dtype), (weights.shape[0], *(1,) * (x.ndim - axis - 1)))


@in_single()
def nll_loss(
    inputs: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    """The negative of the log-probability of each target class.

    Args:
        inputs: log-probabilities of shape (C), (N, C) or (N, C, d1, …).
        target: class indices, integers of shape (), (N) or (N, d1, …).
        weight: a vector of weights, one for each of the C classes, or None.
        ignore_index, reduction, label_smoothing: as in `cross_entropy`.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.nll_loss(ops.log(Tensor([[0.5, 0.5]])), Tensor([0])))
        0.6931472
    """
    x, labels = floating(inputs, "nll_loss", "inputs"), need_tensor(target, "nll_loss", "target")
    choice(reduction, REDUCTIONS, "nll_loss", "reduction")
    _check_smoothing(label_smoothing)
    if not labels.dtype.is_integer:
        raise TypeError(
            f"nll_loss: 'target' should hold class indices, integers, but its dtype is {labels.dtype}"
            f"{dtypes.AS_INTEGERS}"
        )
    axis = 0 if x.ndim == 1 else 1
    _check_classes(x, labels, axis)
    note_range(labels, "nll_loss() with a class")
    kept = apply(prims.not_equal, labels, whole_number(ignore_index, "nll_loss", "ignore_index"))
    safe = apply(prims.select, kept, labels, 0)  # -100, and whatever is ignored, is no position
    picked = apply(prims.take_along, x, insert_axes(safe, (axis,)), axis=axis)
    losses = apply(prims.negative, drop_axes(picked, (axis,)))
    scale: Tensor | None = None
    if weight is not None:
        weights = _class_weights(weight, x, axis, "nll_loss")
        scale = apply(prims.take, cast(weights, x.dtype), safe, axis=0)
    mask = cast(kept, x.dtype)
    scale = mask if scale is None else apply(prims.multiply, scale, mask)
    losses = apply(prims.multiply, losses, scale)
    if label_smoothing:
        losses = _smooth(x, losses, kept, weight, axis, label_smoothing)
    return _reduced(losses, scale, reduction)


def _smooth(x: Tensor, losses: Tensor, kept: Tensor, weight: Any, axis: int, label_smoothing: float) -> Tensor:
    spread = x if weight is None else apply(prims.multiply, x, _by_class(weight, x, axis))
    spread = apply(prims.negative, apply(prims.sum, spread, axis=(axis,), keepdims=False))
    spread = apply(prims.multiply, spread, cast(kept, x.dtype))
    spread = apply(prims.multiply, spread, label_smoothing / int(x.shape[axis]))
    return apply(prims.add, apply(prims.multiply, losses, 1.0 - label_smoothing), spread)


def _pair(input: Any, target: Any, function: str, names: tuple[str, str] = ("input", "target")) -> tuple[Any, ...]:
    """Two tensors in their common dtype."""
    return promote(need_tensor(input, function, names[0]), need_tensor(target, function, names[1]))


def same_shape(x: Tensor, y: Tensor, function: str, names: tuple[str, str] = ("input", "target")) -> None:
    """ValueError unless two tensors have one shape; sizes that only the run knows fit."""
    if x._type.is_static and y._type.is_static and x.shape != y.shape:
        raise ValueError(f"{function}: {names[0]} {x.shape} and {names[1]} {y.shape} should have the same shape")


def _difference(x: Tensor, y: Tensor, function: str) -> Tensor:
    """x - y. Warns where a loss compares each element with several: (4, 1) and (4,), say, give 16 differences."""
    result = apply(prims.subtract, x, y)
    types = (x._type, y._type)
    if x.shape != y.shape and all(type.is_static and type.size > 1 for type in types):
        warnings.warn(
            f"{function}: shapes {x.shape} and {y.shape} are broadcast, so that the loss compares elements that may "
            "not belong together: reshape one of them to the shape of the other",
            UserWarning,
            stacklevel=user_level(),
        )
    return result


@known_as(functional=True, primitive="MSELossExt", shared=_shared)
@in_single(2)
def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """The squared differences of two tensors (broadcast), averaged, summed, or one an element.

    Args:
        target: a tensor of a shape that can be broadcast with that of `input`.

    Raises:
        ValueError: if `reduction` is another word.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.mse_loss(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
        2.0
    """
    x, y = map(to_float, _pair(input, target, "mse_loss"))
    return reduce_loss(apply(prims.square, _difference(x, y, "mse_loss")), reduction, "mse_loss")


@known_as(functional=True, primitive="L1LossExt", shared=_shared)
@in_single(2)
def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """The absolute differences of two tensors, averaged, summed, or one an element.

    Raises:
        ValueError: if `reduction` is another word.

    Examples:
        >>> print(ops.l1_loss(Tensor([1.0, 5.0]), Tensor([2.0, 2.0])))
        2.0
    """
    x, y = _pair(input, target, "l1_loss")
    return reduce_loss(apply(prims.absolute, _difference(x, y, "l1_loss")), reduction, "l1_loss")


def _bent(difference: Tensor, width: float, scale: float) -> Tensor:
    """scale * d² / 2 within `width` of 0, scale * width * (|d| - width / 2) further out."""
    distance = apply(prims.absolute, difference)
    near = apply(prims.multiply, apply(prims.square, difference), 0.5 * scale)
    far = apply(prims.multiply, apply(prims.subtract, distance, 0.5 * width), scale * width)
    return apply(prims.select, apply(prims.less, distance, width), near, far)


@_shared
@in_single(2)
def smooth_l1_loss(input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = "none") -> Tensor:
    """d² / (2 beta) for differences d nearer to 0 than `beta`, |d| - beta / 2 for the others.

    Args:
        beta: where the loss goes over from squares to magnitudes.

    Raises:
        ValueError: if the shapes differ, `beta` is not positive, or `reduction` is another word.

    Examples:
        >>> print(ops.smooth_l1_loss(Tensor([1.0, 5.0]), Tensor([1.5, 1.0])))
        [0.125 3.5  ]
    """
    x, y = _pair(input, target, "smooth_l1_loss")
    same_shape(x, y, "smooth_l1_loss")
    if beta <= 0:
        raise ValueError(f"smooth_l1_loss: 'beta' should be positive, but got {beta}")
    return reduce_loss(_bent(apply(prims.subtract, x, y), beta, 1.0 / beta), reduction, "smooth_l1_loss")


@_shared
@in_single(2)
def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    """d² / 2 for differences d nearer to 0 than `delta`, delta * (|d| - delta / 2) for the others.

    Args:
        delta: where the loss goes over from squares to magnitudes.

    Raises:
        ValueError: if `delta` is not positive, or `reduction` is another word.

    Examples:
        >>> print(ops.huber_loss(Tensor([1.0, 5.0]), Tensor([1.5, 1.0])))
        1.8125
    """
    x, y = map(to_float, _pair(input, target, "huber_loss"))
    if delta <= 0:
        raise ValueError(f"huber_loss: 'delta' should be positive, but got {delta}")
    return reduce_loss(_bent(_difference(x, y, "huber_loss"), delta, 1.0), reduction, "huber_loss")


@_shared
@in_single(2)
def binary_cross_entropy(
    logits: Tensor, labels: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """The binary cross entropy between probabilities and labels: -w * (y log p + (1 - y) log(1 - p)).

    Args:
        logits: probabilities from 0 to 1, of any shape; others are a ValueError.
        labels: the labels, of the same shape.
        weight: a tensor of weights of a shape that can be broadcast to that of `logits`, or None.

    Examples:
        >>> print(ops.binary_cross_entropy(Tensor([0.5]), Tensor([1.0])))
        0.6931472
    """
    p, y = _pair(logits, labels, "binary_cross_entropy", ("logits", "labels"))
    if shape_of(p) != shape_of(y):
        raise ValueError(f"binary_cross_entropy: shapes {p.shape} and {y.shape} differ")
    what = "binary_cross_entropy: 'logits' should be probabilities, from 0 to 1"
    require_range(p, 0.0, 1.0, what, ": take their sigmoid before, or use binary_cross_entropy_with_logits")
    yes = apply(prims.multiply, y, apply(prims.log, apply(prims.add, p, LOG_FLOOR)))
    left = apply(prims.add, apply(prims.subtract, 1.0, p), LOG_FLOOR)
    no = apply(prims.multiply, apply(prims.subtract, 1.0, y), apply(prims.log, left))
    losses = apply(prims.negative, apply(prims.add, yes, no))
    if weight is not None:
        losses = apply(prims.multiply, *promote(losses, need_tensor(weight, "binary_cross_entropy", "weight")))
    return reduce_loss(losses, reduction, "binary_cross_entropy")


@_shared
@in_single(2)
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """The binary cross entropy between sigmoid(input) and targets, computed without overflow.

    Args:
        input: logits, floating-point numbers of any shape.
        target: labels of the same shape.
        weight: a tensor of weights that can be broadcast to the shape of `input`, or None.
        pos_weight: a tensor of weights of positive targets, of a shape that can be broadcast to that of `input`, or
            None.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.binary_cross_entropy_with_logits(ms.Tensor([0.0]), ms.Tensor([1.0])))
        0.6931472
    """
    x, y = _pair(input, target, "binary_cross_entropy_with_logits")
    if shape_of(x) != shape_of(y):
        raise ValueError(f"binary_cross_entropy_with_logits: shapes {x.shape} and {y.shape} differ")
    missed = apply(prims.softplus, apply(prims.negative, x))  # -log(sigmoid(x))
    if pos_weight is not None:
        extra = need_tensor(pos_weight, "binary_cross_entropy_with_logits", "pos_weight")
        factor = apply(prims.add, apply(prims.multiply, apply(prims.subtract, cast(extra, x.dtype), 1.0), y), 1.0)
        missed = apply(prims.multiply, missed, factor)
    losses = apply(prims.add, apply(prims.multiply, apply(prims.subtract, 1.0, y), x), missed)
    if weight is not None:
        scale = need_tensor(weight, "binary_cross_entropy_with_logits", "weight")
        losses = apply(prims.multiply, losses, cast(scale, x.dtype))
    return reduce_loss(losses, reduction, "binary_cross_entropy_with_logits")


@_shared
@in_single(2)
def kl_div(logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    """y * (log(y) - x) for log-probabilities x and probabilities y (0 where y is 0); also averaged over the batch.

    No gradient flows to the labels.

    Args:
        logits: log-probabilities of any shape.
        reduction: "none", "mean", "sum" or "batchmean".

    Examples:
        >>> print(ops.kl_div(ops.log(Tensor([0.5, 0.5])), Tensor([0.5, 0.5]), "sum"))
        0.0
    """
    x, y = _pair(logits, labels, "kl_div", ("logits", "labels"))
    same_shape(x, y, "kl_div", ("logits", "labels"))
    y = apply(prims.stop_gradient, y)
    positive = apply(prims.greater, y, 0.0)
    logarithm = apply(prims.log, apply(prims.select, positive, y, 1.0))
    losses = apply(prims.select, positive, apply(prims.multiply, y, apply(prims.subtract, logarithm, x)), 0.0)
    if reduction == "batchmean":
        return apply(prims.divide, total(losses), float(x.shape[0]))
    return reduce_loss(losses, reduction, "kl_div")


@_shared
@in_single(2)
def gaussian_nll_loss(
    x: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """The negative log-likelihood of targets under normal distributions of mean x and variance `var`.

    Args:
        x: a floating-point tensor of any shape.
        target: a tensor of the shape of `x`.
        var: the variances, of the shape of `x` or with a last dimension of size one.
        full: whether to add the constant term.
        eps: the least variance.

    Raises:
        ValueError: if the shapes do not fit, or a variance is negative.

    Examples:
        >>> print(ops.gaussian_nll_loss(Tensor([1.0]), Tensor([1.0]), Tensor([1.0])))
        0.0
    """
    need_flags("gaussian_nll_loss", full=full)
    if isinstance(eps, bool) or not isinstance(eps, (int, float)) or not eps > 0:
        raise ValueError(f"gaussian_nll_loss: 'eps' should be a positive number, but got {eps!r}")
    mean, y = _pair(x, target, "gaussian_nll_loss", ("x", "target"))
    variance = var if isinstance(var, Tensor) else Tensor(float(var), mean.dtype)
    if variance.ndim == mean.ndim - 1 and variance.ndim and variance.shape == mean.shape[:-1]:
        variance = insert_axes(variance, (variance.ndim,))
    variance = apply(prims.maximum, cast(variance, mean.dtype), eps)
    error = apply(prims.divide, apply(prims.square, apply(prims.subtract, mean, y)), variance)
    losses = apply(prims.multiply, apply(prims.add, apply(prims.log, variance), error), 0.5)
    if full:
        losses = apply(prims.add, losses, 0.5 * math.log(2 * math.pi))
    return reduce_loss(losses, reduction, "gaussian_nll_loss")


@_shared
@in_single(2)
def softmax_cross_entropy_with_logits(logits: Tensor, labels: Tensor, axis: int = -1) -> Tensor:
    """The cross entropy between logits and probabilities along an axis, one number a row.

    The gradient by the logits is `softmax(logits) - labels`, also for labels that do not sum to 1; labels have none.

    Args:
        logits: a floating-point tensor of shape (N, C).

    Raises:
        ValueError: if `axis` is out of range, or the shapes differ.

    Examples:
        >>> print(ops.softmax_cross_entropy_with_logits(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]])))
        [0.6931472]
    """
    x, y = _pair(logits, labels, "softmax_cross_entropy_with_logits", ("logits", "labels"))
    place = axis + x.ndim if axis < 0 else axis
    y = apply(prims.stop_gradient, y)
    highest = apply(prims.max, apply(prims.stop_gradient, x), axis=(place,), keepdims=True)
    shifted = apply(prims.subtract, x, highest)
    partition = apply(prims.log, apply(prims.sum, apply(prims.exp, shifted), axis=(place,), keepdims=False))
    picked = apply(prims.sum, apply(prims.multiply, shifted, y), axis=(place,), keepdims=False)
    beyond = apply(prims.subtract, apply(prims.sum, y, axis=(place,), keepdims=False), 1.0)
    surplus = apply(prims.stop_gradient, apply(prims.multiply, beyond, partition))
    return apply(prims.add, apply(prims.subtract, partition, picked), surplus)
