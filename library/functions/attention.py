"""Attention over heads in the layouts of MindSpore's flash_attention_score."""

from __future__ import annotations

import math
from typing import Any

from ...frontend.values.dispatch import cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from .array_broadcast import broadcast_to
from .array_join import repeat_interleave
from .array_shape import expand_dims, permute, reshape
from .comparison import equal, not_equal, where
from .extremes import amax
from .functions import exp
from .linalg import matmul
from .math import add, div, mul, sub
from .nn_dropout import dropout
from .reduce import sum as total

__all__ = ["flash_attention_score"]

_LAYOUTS = ("BSH", "SBH", "BNSD", "BSND")


def _heads(x: Tensor, layout: str, count: int, name: str) -> Tensor:
    """The tensor as (batch, heads, steps, size)."""
    rank = 3 if len(layout) == 3 else 4
    if x.ndim != rank:
        raise ValueError(f"flash_attention_score: '{name}' should be laid out {layout}, but its shape is {x.shape}")
    if layout == "BNSD":
        return x
    if layout == "BSND":
        return permute(x, (0, 2, 1, 3))
    if int(x.shape[2]) % count:
        raise ValueError(f"flash_attention_score: {count} heads do not divide the last dimension of {name}, {x.shape}")
    split = reshape(x, (*x.shape[:2], count, int(x.shape[2]) // count))
    return permute(split, (0, 2, 1, 3) if layout == "BSH" else (1, 2, 0, 3))


def _laid_out(x: Tensor, layout: str) -> Tensor:
    """The inverse of `_heads` for this layout."""
    if layout == "BNSD":
        return x
    if layout == "BSND":
        return permute(x, (0, 2, 1, 3))
    steps_first = permute(x, (0, 2, 1, 3) if layout == "BSH" else (2, 0, 1, 3))
    return reshape(steps_first, (*steps_first.shape[:2], int(x.shape[1]) * int(x.shape[3])))


def flash_attention(
    query: Any, key: Any, value: Any, head_num: int, keep_prob: float, scale: float, layout: str,
    real_shift: Any = None, drop_mask: Any = None, padding_mask: Any = None, attn_mask: Any = None,
    prefix: Any = None, actual_seq_qlen: Any = None, actual_seq_kvlen: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """The largest scores, their summed exponentials (both in 8 equal columns), an empty place, and the attention."""
    if layout not in _LAYOUTS:
        raise ValueError(f"flash_attention_score: 'input_layout' should be one of {_LAYOUTS}, but got {layout!r}")
    for name, given in (
        ("padding_mask", padding_mask), ("prefix", prefix), ("actual_seq_qlen", actual_seq_qlen),
        ("actual_seq_kvlen", actual_seq_kvlen),
    ):  # fmt: skip
        if given is not None:
            raise ValueError(f"flash_attention_score: '{name}' is not supported and should be None")
    q = _heads(need_tensor(query, "flash_attention_score", "query"), layout, head_num, "query")
    size = int(q.shape[3])
    own = head_num if len(layout) == 4 else int(need_tensor(key, "flash_attention_score", "key").shape[2]) // size
    k, v = _heads(key, layout, own, "key"), _heads(value, layout, own, "value")
    groups = int(q.shape[1]) // int(k.shape[1])
    if groups > 1:  # several heads of the query share one of key and value
        k, v = repeat_interleave(k, groups, 1), repeat_interleave(v, groups, 1)
    scores = mul(matmul(q, permute(k, (0, 1, 3, 2))), float(scale))
    if real_shift is not None:
        scores = add(scores, real_shift)
    if attn_mask is not None:
        hidden = attn_mask if attn_mask.dtype.is_bool else not_equal(attn_mask, 0)
        while hidden.ndim == 3:
            hidden = expand_dims(hidden, 1)
        scores = where(hidden, cast(Tensor(-10000.0 if scores.dtype.bits == 16 else -1e30), scores.dtype), scores)
    highest = amax(scores, -1, True)
    shares = exp(sub(scores, highest))
    summed = total(shares, -1, True)
    weights = div(shares, summed)
    if drop_mask is not None:
        weights = div(mul(weights, cast(not_equal(drop_mask, 0), weights.dtype)), float(keep_prob))
    elif keep_prob < 1.0:
        weights = dropout(weights, 1.0 - keep_prob)
    columns = (*highest.shape[:3], 8)
    result = _laid_out(matmul(weights, v), layout)
    return broadcast_to(highest, columns), broadcast_to(summed, columns), equal(summed, math.inf), result


def flash_attention_score(
    query: Tensor, key: Tensor, value: Tensor, head_num: int, real_shift: Tensor | None = None,
    drop_mask: Tensor | None = None, padding_mask: Tensor | None = None, attn_mask: Tensor | None = None,
    prefix: Any = None, actual_seq_qlen: Any = None, actual_seq_kvlen: Any = None, keep_prob: float = 1.0,
    scalar_value: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 2147483647, inner_precise: int = 0,
    input_layout: str = "BSH", sparse_mode: int = 0,
) -> Tensor:  # fmt: skip
    """softmax(scalar_value · Q Kᵀ + real_shift) V for each head.

    Args:
        query, key, value: floating-point tensors of the shape that `input_layout` names.
        head_num: heads of the query.
        real_shift: a tensor of numbers that are added to the scores, of shape (B, N, S, T) or one that can be broadcast
            to it, or None.
        drop_mask: a Bool or UInt8 tensor of the weights that are kept, or None.
        padding_mask: accepted, as None only; of any shape.
        attn_mask: a Bool or UInt8 tensor that is True where nothing is attended to, or None.
        padding_mask, prefix, actual_seq_qlen, actual_seq_kvlen: should be None.
        keep_prob: the share of weights that stay.
        scalar_value: the factor of the scores.
        pre_tokens, next_tokens, inner_precise, sparse_mode: accepted: the mask says all.
        input_layout: "BSH", "SBH", "BNSD" or "BSND": batch, steps, heads times size or both.

    Returns:
        The attention, laid out as the query.

    Raises:
        ValueError: for another layout, shapes that do not fit it, or an argument that should be None.

    Examples:
        >>> from mycel import ops
        >>> x = ops.ones((1, 3, 4))
        >>> print(ops.flash_attention_score(x, x, x, 2).shape)
        (1, 3, 4)
    """
    result: Tensor = flash_attention(
        query, key, value, head_num, keep_prob, scalar_value, input_layout, real_shift, drop_mask, padding_mask,
        attn_mask, prefix, actual_seq_qlen, actual_seq_kvlen,
    )[3]  # fmt: skip
    return result
