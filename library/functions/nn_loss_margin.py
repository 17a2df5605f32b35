"""Loss functions with margins, over pairs and triplets, and connectionist temporal classification."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import choice, cut, drop_axes, insert_axes, need_flags
from ...frontend.values.dispatch import apply, cast, promote
from ...frontend.values.operands import in_single, need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_gather import need_indices
from .array_shape import reshape
from .documentation import common
from .nn_activation import floating
from .nn_loss import REDUCTIONS, every_axis, reduce_loss, same_shape
from .nn_norm import cosine_similarity
from .requirements import require_signs
from .table import known_as

__all__ = [
    "cosine_embedding_loss", "ctc_loss", "hinge_embedding_loss", "margin_ranking_loss", "multi_margin_loss",
    "multilabel_margin_loss", "multilabel_soft_margin_loss", "soft_margin_loss", "triplet_margin_loss",
]  # fmt: skip


def _pair(first: Any, second: Any, function: str, names: tuple[str, str]) -> tuple[Any, ...]:
    return promote(floating(first, function, names[0]), need_tensor(second, function, names[1]))


def _sum(x: Tensor, axis: int, keepdims: bool = False) -> Tensor:
    return apply(prims.sum, x, axis=(axis,), keepdims=keepdims)


@common
@in_single(2)
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """max(0, -target * (input1 - input2) + margin): the first ranks higher where the target is 1, lower where -1.

    Args:
        input1, input2: floating-point tensors of one shape.
        target: a tensor of 1 and -1, of the shape of the inputs.
        margin: the margin.
        reduction: "none" for one number an element, "mean" or "sum" of them.

    Raises:
        ValueError: if `reduction` is another word.

    Examples:
        >>> print(ops.margin_ranking_loss(Tensor([1.0]), Tensor([2.0]), Tensor([1.0])))
        1.0
    """
    x, y = _pair(input1, input2, "margin_ranking_loss", ("input1", "input2"))
    sign = cast(need_tensor(target, "margin_ranking_loss", "target"), x.dtype)
    product = apply(prims.multiply, apply(prims.negative, sign), apply(prims.subtract, x, y))
    return reduce_loss(
        apply(prims.maximum, apply(prims.add, product, float(margin)), 0.0), reduction, "margin_ranking_loss"
    )


@common
@in_single(2)
def hinge_embedding_loss(inputs: Tensor, targets: Tensor, margin: float = 1.0, reduction: str = "mean") -> Tensor:
    """The inputs where the target is positive, max(0, margin - input) where it is negative, 0 elsewhere.

    Args:
        inputs: a floating-point tensor of any shape.
        targets: a tensor of 1 and -1 of the shape of `inputs`.
        margin: the margin.
        reduction: "none" for one number an element, "mean" or "sum" of them.

    Raises:
        ValueError: if `reduction` is another word.

    Examples:
        >>> print(ops.hinge_embedding_loss(Tensor([0.5, 0.5]), Tensor([1.0, -1.0])))
        0.5
    """
    x, y = _pair(inputs, targets, "hinge_embedding_loss", ("inputs", "targets"))
    apart = apply(prims.maximum, apply(prims.subtract, float(margin), x), 0.0)
    near = apply(prims.select, apply(prims.greater, y, 0.0), x, 0.0)
    far = apply(prims.select, apply(prims.less, y, 0.0), apart, 0.0)
    return reduce_loss(apply(prims.add, near, far), reduction, "hinge_embedding_loss")


@known_as(functional=True, primitive="CosineEmbeddingLoss")
@in_single(2)
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """1 - cos(input1, input2) where the target is 1, max(0, cos - margin) where it is -1.

    Args:
        input1, input2: of shape (N, D), or (D).
        target: of shape (N), or ().
        margin: in [-1, 1].
        reduction: "none" for one number an element, "mean" or "sum" of them.

    Raises:
        ValueError: if the shapes do not fit, a target is neither 1 nor -1, or `reduction` is another word.

    Examples:
        >>> print(ops.cosine_embedding_loss(Tensor([[1.0, 0.0]]), Tensor([[1.0, 0.0]]), Tensor([1])))
        0.0
    """
    x, y = _pair(input1, input2, "cosine_embedding_loss", ("input1", "input2"))
    if not -1 <= margin <= 1:
        raise ValueError(f"cosine_embedding_loss: 'margin' should be in [-1, 1], but got {margin}")
    similar = cosine_similarity(x, y, 1 if x.ndim > 1 else 0)
    signs = need_tensor(target, "cosine_embedding_loss", "target")
    require_signs(signs, "cosine_embedding_loss: 'target'")
    apart = apply(prims.maximum, apply(prims.subtract, similar, float(margin)), 0.0)
    near = apply(prims.select, apply(prims.equal, signs, 1), apply(prims.subtract, 1.0, similar), 0.0)
    far = apply(prims.select, apply(prims.equal, signs, -1), apart, 0.0)
    return reduce_loss(apply(prims.add, near, far), reduction, "cosine_embedding_loss")


def _distance(x: Tensor, y: Tensor, p: float, eps: float) -> Tensor:
    if p <= 0:
        raise ValueError(f"triplet_margin_loss: the norm's 'p' should be positive, but got {p}")
    size = apply(prims.absolute, apply(prims.add, apply(prims.subtract, x, y), eps))
    axis = size.ndim - 1
    if p == 2:
        return apply(prims.sqrt, _sum(apply(prims.square, size), axis))
    if p == 1:
        return _sum(size, axis)
    return apply(prims.power, _sum(apply(prims.power, size, float(p)), axis), 1.0 / p)


@common
@in_single(3)
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """max(0, |anchor - positive| - |anchor - negative| + margin), with p-norms over the last dimension.

    Args:
        anchor, positive, negative: floating-point tensors of one shape, or of shapes that can be broadcast together.
        margin: the margin.
        p: the order of the norm.
        eps: a small number that keeps norms from 0.
        swap: whether the distance from positive to negative counts where it is the smaller one.
        reduction: "none" for one number an element, "mean" or "sum" of them.

    Raises:
        ValueError: if `reduction` is another word.

    Examples:
        >>> print(ops.triplet_margin_loss(Tensor([[0.0]]), Tensor([[0.0]]), Tensor([[2.0]])))
        0.0
    """
    need_flags("triplet_margin_loss", swap=swap)
    a, b, c = promote(
        floating(anchor, "triplet_margin_loss", "anchor"),
        floating(positive, "triplet_margin_loss", "positive"),
        floating(negative, "triplet_margin_loss", "negative"),
    )
    near, far = _distance(a, b, p, eps), _distance(a, c, p, eps)
    if swap:
        far = apply(prims.minimum, far, _distance(b, c, p, eps))
    losses = apply(prims.maximum, apply(prims.add, apply(prims.subtract, near, far), float(margin)), 0.0)
    return reduce_loss(losses, reduction, "triplet_margin_loss")


@known_as(functional=True)
@in_single(2)
def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """log(1 + exp(-target * input)) for targets 1 and -1.

    Args:
        input: a floating-point tensor of any shape.
        target: a tensor of 1 and -1 of the shape of `input`.
        reduction: "none" for one number an element, "mean" or "sum" of them.

    Raises:
        ValueError: if the shapes differ, or `reduction` is another word.

    Examples:
        >>> print(ops.soft_margin_loss(Tensor([0.0]), Tensor([1.0])))
        0.6931472
    """
    x, y = _pair(input, target, "soft_margin_loss", ("input", "target"))
    same_shape(x, y, "soft_margin_loss", ("input", "target"))
    losses = apply(prims.softplus, apply(prims.negative, apply(prims.multiply, x, y)))
    return reduce_loss(losses, reduction, "soft_margin_loss")


@common
@in_single(2)
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """The binary cross entropy of logits and labels (0 or 1), averaged over the classes of each row.

    Args:
        input: a floating-point tensor of shape (N, C).
        target: a tensor of 0 and 1 of the shape of `input`.
        weight: a vector of shape (C), or None.
        reduction: "none" for one number an element, "mean" or "sum" of them.

    Raises:
        ValueError: if `reduction` is another word.

    Examples:
        >>> print(ops.multilabel_soft_margin_loss(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]])))
        0.6931472
    """
    x, y = _pair(input, target, "multilabel_soft_margin_loss", ("input", "target"))
    yes = apply(prims.multiply, y, apply(prims.log_sigmoid, x))
    no = apply(prims.multiply, apply(prims.subtract, 1.0, y), apply(prims.log_sigmoid, apply(prims.negative, x)))
    losses = apply(prims.negative, apply(prims.add, yes, no))
    if weight is not None:
        losses = apply(prims.multiply, *promote(losses, weight))
    rows = apply(prims.mean, losses, axis=(losses.ndim - 1,), keepdims=False)
    return reduce_loss(rows, reduction, "multilabel_soft_margin_loss")


@common
@in_single()
def multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """The mean over the classes other than the target of max(0, margin - x[target] + x[class]) ** p, for each row.

    Args:
        input: a floating-point tensor of shape (N, C).
        target: integers of shape (N).
        p: the power, 1 or 2.
        margin: the margin.
        weight: a vector of shape (C), or None.
        reduction: "none" for one number an element, "mean" or "sum" of them.

    Raises:
        ValueError: if `p` or `reduction` is another, or the shapes do not fit.

    Examples:
        >>> print(ops.multi_margin_loss(Tensor([[0.1, 0.9]]), Tensor([1])))
        0.100000024
    """
    x, labels = floating(input, "multi_margin_loss"), need_indices(target, "multi_margin_loss", "target")
    if p not in (1, 2):
        raise ValueError(f"multi_margin_loss: 'p' should be 1 or 2, but got {p}")
    column = insert_axes(labels, (1,))
    best = apply(prims.gather_elements, x, column, axis=1)
    losses = apply(prims.maximum, apply(prims.add, apply(prims.subtract, x, best), float(margin)), 0.0)
    if p == 2:
        losses = apply(prims.square, losses)
    if weight is not None:
        losses = apply(
            prims.multiply, losses, insert_axes(apply(prims.take, cast(weight, x.dtype), labels, axis=0), (1,))
        )
    one, zero = Tensor(1.0, x.dtype), Tensor(0.0, x.dtype)
    classes = int(x.shape[1])
    others = apply(prims.one_hot, labels, zero, one, depth=classes, axis=1)
    rows = apply(prims.divide, _sum(apply(prims.multiply, losses, others), 1), float(classes))
    return reduce_loss(rows, reduction, "multi_margin_loss")


@common
@in_single()
def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """The sum of max(0, 1 - (x[label] - x[other])) over labels and other classes, over the number of classes.

    Args:
        input: of shape (N, C), or (C).
        target: class indices of the same shape; those of a row up to its first -1 are its labels.
        reduction: "none" for one number an element, "mean" or "sum" of them.

    Raises:
        ValueError: if the shapes do not fit, or `reduction` is another word.

    Examples:
        >>> print(ops.multilabel_margin_loss(Tensor([[0.1, 0.9]]), Tensor([[1, -1]])))
        0.100000024
    """
    x, labels = floating(input, "multilabel_margin_loss"), need_indices(target, "multilabel_margin_loss", "target")
    if x.ndim == 1:
        single = multilabel_margin_loss(insert_axes(x, (0,)), insert_axes(labels, (0,)), "sum")
        return reshape(single, (1,)) if reduction == "none" else single
    classes = int(x.shape[1])
    stopped = cast(apply(prims.less, labels, 0), dtypes.int32)
    valid = apply(prims.equal, apply(prims.cumsum, stopped, axis=1, exclusive=False, reverse=False), 0)
    safe = apply(prims.select, valid, labels, 0)
    picked = apply(prims.gather_elements, x, safe, axis=1)
    marks = apply(prims.full, shape=tuple(map(int, x.shape)), value=0, dtype=x.dtype)
    marks = apply(prims.scatter_elements, marks, safe, cast(valid, x.dtype), axis=1, reduction="maximum")
    others = apply(prims.subtract, 1.0, marks)
    gaps = apply(prims.subtract, insert_axes(x, (1,)), insert_axes(picked, (2,)))
    costs = apply(prims.maximum, apply(prims.add, gaps, 1.0), 0.0)
    counted = apply(prims.multiply, insert_axes(cast(valid, x.dtype), (2,)), insert_axes(others, (1,)))
    rows = apply(prims.sum, apply(prims.multiply, costs, counted), axis=(1, 2), keepdims=False)
    return reduce_loss(apply(prims.divide, rows, float(classes)), reduction, "multilabel_margin_loss")


def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0,
    reduction: str = "mean", zero_infinity: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Connectionist temporal classification: the negative log-likelihood of label sequences, and log alpha.

    Args:
        log_probs: log-probabilities of shape (T, N, C).
        targets: labels of shape (N, S).
        input_lengths, target_lengths: how many steps and labels each of the N sequences has.
        blank: the class that stands for no label.
        reduction: "none"; "mean" divides each loss by its target length first; or "sum".
        zero_infinity: whether infinite losses (labels that do not fit the steps) count as zero.

    Raises:
        ValueError: if the shapes do not fit, or labels are not given as a matrix.

    Examples:
        >>> from mycel import Tensor, ops
        >>> result = ops.ctc_loss(ops.log_softmax(ops.zeros((2, 1, 2))), Tensor([[1]]), Tensor([2]), Tensor([1]))[0]
        >>> print(result)
        0.2876821
    """
    x, labels = floating(log_probs, "ctc_loss", "log_probs"), need_indices(targets, "ctc_loss", "targets")
    choice(reduction, REDUCTIONS, "ctc_loss", "reduction")
    if x.ndim != 3 or labels.ndim != 2 or labels.shape[0] != x.shape[1]:
        raise ValueError(f"ctc_loss: log_probs {x.shape} should be (T, N, C), and targets {labels.shape} (N, S)")
    steps, count, _ = map(int, x.shape)
    ends = _lengths(input_lengths, count, "input_lengths")
    sizes = _lengths(target_lengths, count, "target_lengths")
    table = _alphas(x, labels, blank)
    losses = _path_losses(table, ends, sizes, 0.0 if zero_infinity else float("inf"))
    states = int(table.shape[2])
    tops, lasts = (reshape(item, (count, 1, 1)) for item in (apply(prims.multiply, sizes, 2), ends))
    beyond = apply(prims.greater, Tensor(np.arange(states).reshape(1, 1, states)), tops)
    late = apply(prims.greater_equal, Tensor(np.arange(steps).reshape(1, steps, 1)), lasts)
    unreached = apply(prims.logical_or, apply(prims.less, table, -1e29), apply(prims.logical_or, beyond, late))
    shown = apply(prims.select, unreached, float("-inf"), table)
    if reduction == "mean":
        losses = apply(prims.divide, losses, cast(apply(prims.maximum, sizes, 1), x.dtype))
    if reduction != "none":
        losses = apply(
            prims.mean if reduction == "mean" else prims.sum, losses, axis=every_axis(losses), keepdims=False
        )
    return losses, apply(prims.stop_gradient, shown)


def ctc_path_losses(x: Tensor, labels: Tensor, ends: Tensor, sizes: Tensor, blank: int, merge: bool) -> Tensor:
    """The losses of `ctc_loss`, one a sequence. Without `merge` a label that comes again counts again."""
    return _path_losses(_alphas(x, labels, blank, merge), ends, sizes, float("inf"))


_LOG_0 = -1e30  # stands for log 0: no nan in what is not chosen


def _alphas(x: Tensor, labels: Tensor, blank: int, merge: bool = True) -> Tensor:
    """The forward variables of labels with blanks around each, (N, T, 2 S + 1)."""
    steps, count, _ = map(int, x.shape)
    length = int(labels.shape[1])
    states = 2 * length + 1
    blanks = apply(prims.full, shape=(count, length), value=blank, dtype=labels.dtype)
    paired = reshape(
        apply(prims.concatenate, insert_axes(blanks, (2,)), insert_axes(labels, (2,)), axis=2), (count, -1)
    )
    extended = apply(prims.concatenate, paired, cut(blanks, 1, 0, 1), axis=1) if length else cut(blanks, 1, 0, 0)
    if not length:
        extended = apply(prims.full, shape=(count, 1), value=blank, dtype=labels.dtype)
    index = apply(prims.broadcast_to, insert_axes(extended, (0,)), shape=(steps, count, states))
    emitted = apply(prims.gather_elements, x, index, axis=2)
    odd = Tensor(np.arange(states) % 2 == 1)
    before = apply(
        prims.pad, cut(extended, 1, 0, max(states - 2, 0)), low=(0, 2 if states > 1 else 1), high=(0, 0), value=-1
    )
    skips = apply(prims.logical_and, apply(prims.not_equal, extended, before), odd) if merge else odd
    first = Tensor(np.arange(states) < 2)
    alpha = apply(prims.select, first, reshape(cut(emitted, 0, 0, 1), (count, states)), _LOG_0)
    alphas = [alpha]
    for step in range(1, steps):
        one = apply(prims.pad, cut(alpha, 1, 0, states - 1), low=(0, 1), high=(0, 0), value=_LOG_0)
        two = apply(prims.pad, cut(alpha, 1, 0, max(states - 2, 0)), low=(0, min(2, states)), high=(0, 0), value=_LOG_0)
        two = apply(prims.select, skips, two, _LOG_0)
        stays = alpha if merge else apply(prims.select, odd, _LOG_0, alpha)
        three = apply(prims.concatenate, *[insert_axes(item, (2,)) for item in (stays, one, two)], axis=2)
        reached = apply(prims.logsumexp, three, axis=(2,), keepdims=False)
        alpha = apply(prims.add, reached, reshape(cut(emitted, 0, step, step + 1), (count, states)))
        alphas.append(alpha)
    return apply(prims.concatenate, *[insert_axes(item, (1,)) for item in alphas], axis=1)


def _path_losses(table: Tensor, ends: Tensor, sizes: Tensor, impossible: float) -> Tensor:
    """The negative log-likelihoods of all paths; `impossible` stands for that of no path."""
    count, _, states = map(int, table.shape)
    last = reshape(apply(prims.subtract, ends, 1), (count, 1, 1))
    final = apply(prims.take_along, table, apply(prims.broadcast_to, last, shape=(count, 1, states)), axis=1)
    final = drop_axes(final, (1,))
    top = reshape(apply(prims.multiply, sizes, 2), (count, 1))
    below = apply(prims.maximum, apply(prims.subtract, top, 1), 0)
    ending = [apply(prims.take_along, final, place, axis=1) for place in (top, below)]
    ending[1] = apply(prims.select, apply(prims.greater, top, 0), ending[1], _LOG_0)
    losses = apply(
        prims.negative, apply(prims.logsumexp, apply(prims.concatenate, *ending, axis=1), axis=(1,), keepdims=False)
    )
    return apply(prims.select, apply(prims.greater, losses, 1e29), impossible, losses)


def _lengths(value: Any, count: int, name: str) -> Tensor:
    lengths = value if isinstance(value, Tensor) else Tensor(list(value), dtypes.int64)
    if lengths.shape != (count,):
        raise ValueError(
            f"ctc_loss: '{name}' should give a number for each of {count} sequences, but got {lengths.shape}"
        )
    return cast(lengths, dtypes.int64)
