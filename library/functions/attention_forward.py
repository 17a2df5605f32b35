"""Attention over heads with the projections' weights as arguments (`multi_head_attention_forward`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...frontend.values.dispatch import cast
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_join import cat
from .array_shape import reshape, swapaxes
from .comparison import where
from .creation import zeros
from .linalg import matmul
from .math import add
from .nn_activation import softmax
from .nn_dropout import dropout

__all__ = ["multi_head_attention_forward"]


def multi_head_attention_forward(
    query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int, in_proj_weight: Any,
    in_proj_bias: Any, bias_k: Any, bias_v: Any, add_zero_attn: bool, dropout_p: float, out_proj_weight: Tensor,
    out_proj_bias: Any, training: bool = True, key_padding_mask: Any = None, attn_mask: Any = None,
    use_separate_proj_weight: bool = False, q_proj_weight: Any = None, k_proj_weight: Any = None,
    v_proj_weight: Any = None, static_k: Any = None, static_v: Any = None, average_attn_weights: bool = True,
    is_causal: bool = False, k_is_v: bool = False, q_is_k: bool = False, dtype: Any = dtypes.float32,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The function of `nn.MultiheadAttention`.

    Args:
        query, key, value: (steps, batch, size), or without the batch.
        embed_dim_to_check: the size.
        num_heads: a divisor of it.
        in_proj_weight, in_proj_bias: of the three projections one below another; the bias may be None.
        bias_k, bias_v: one more key and value, (1, 1, size), or None.
        add_zero_attn: whether a key and value of zeros are put behind.
        dropout_p: the probability to drop a weight, in training.
        out_proj_weight, out_proj_bias: of the projection of the result.
        training: whether to drop.
        key_padding_mask: (batch, keys): true, or what is added, where a key does not count.
        attn_mask: (queries, keys) or (batch · heads, queries, keys): likewise.
        use_separate_proj_weight: whether `q_proj_weight`, `k_proj_weight` and `v_proj_weight` stand for
            `in_proj_weight`.
        static_k, static_v: keys and values (batch · heads, keys, size of a head) in place of the projected ones.
        average_attn_weights: whether the mean of the weights over the heads is given.
        is_causal: whether a query sees only the keys up to its own place, without `attn_mask`.
        k_is_v, q_is_k, dtype: accepted.

    Returns:
        The result as the query is laid out, and the weights (batch, queries, keys).

    Raises:
        ValueError: for sizes that do not go together.
    """
    batched = query.ndim == 3
    if not batched:
        query, key, value = (reshape(x, (x.shape[0], 1, x.shape[1])) for x in (query, key, value))
        key_padding_mask = None if key_padding_mask is None else reshape(key_padding_mask, (1, -1))
    steps, batch, size = query.shape
    _check_sizes(size, embed_dim_to_check, num_heads, bias_k, bias_v)
    separate = [q_proj_weight, k_proj_weight, v_proj_weight] if use_separate_proj_weight else None
    q, k, v = _projections((query, key, value), separate, in_proj_weight, in_proj_bias)
    if bias_k is not None:
        k, v = (cat([x, x[:1] * 0 + extra]) for x, extra in ((k, bias_k), (v, bias_v)))
    q = _heads(q, num_heads)
    k = _heads(k, num_heads) if static_k is None else static_k
    v = _heads(v, num_heads) if static_v is None else static_v
    if add_zero_attn:
        k, v = (cat([x, zeros((x.shape[0], 1, x.shape[2]), x.dtype)], axis=1) for x in (k, v))
    scores = reshape(matmul(q, swapaxes(k, 1, 2)) / math.sqrt(size // num_heads), (batch, num_heads, steps, k.shape[1]))
    attn_mask = _later(steps, k.shape[1]) if is_causal and attn_mask is None else attn_mask
    for mask in (_of_queries(attn_mask, batch), _of_keys(key_padding_mask)):
        scores = scores if mask is None else _masked(scores, mask)
    shares = softmax(scores, -1)
    kept = dropout(shares, dropout_p, True) if training and dropout_p else shares
    mixed = matmul(reshape(kept, (batch * num_heads, steps, -1)), v)
    result = _projected(reshape(swapaxes(mixed, 0, 1), (steps, batch, size)), out_proj_weight, out_proj_bias)
    shares = shares.mean(1) if average_attn_weights else shares
    return (result, shares) if batched else (result[:, 0], shares[0])


def _check_sizes(size: int, expected: int, heads: int, bias_k: Any, bias_v: Any) -> None:
    if size != expected:
        raise ValueError(f"The `embed_dim` should be {expected}, but got {size}.")
    if size % heads:
        raise ValueError(f"The `embed_dim` {size} can not be divisible by `num_heads` {heads}.")
    if (bias_k is None) != (bias_v is None):
        raise ValueError("The bias_k and bias_v should be ``None`` at the same time.")


def _projections(inputs: Sequence[Tensor], separate: list[Any] | None, joint: Any, bias: Any) -> list[Tensor]:
    """The projections of query, key and value, with weights that are separate, or one below another."""
    size = inputs[0].shape[-1]
    weights = separate or ([None] * 3 if joint is None else _thirds(joint, size))
    if any(weight is None for weight in weights):
        raise ValueError("a weight of a projection is None: give `in_proj_weight`, or all of the separate ones")
    biases = [None] * 3 if bias is None else _thirds(bias, size)
    return [_projected(x, w, b) for x, w, b in zip(inputs, weights, biases, strict=True)]


def _thirds(x: Tensor, size: int) -> list[Any]:
    return [x[part * size : (part + 1) * size] for part in range(3)]


def _projected(x: Tensor, weight: Tensor, bias: Any) -> Tensor:
    found = matmul(x, swapaxes(weight, 0, 1))
    return found if bias is None else add(found, bias)


def _heads(x: Tensor, count: int) -> Tensor:
    """(steps, batch, size) as (batch · heads, steps, size of a head)."""
    steps, batch, size = x.shape
    return swapaxes(reshape(x, (steps, batch * count, size // count)), 0, 1)


def _later(steps: int, keys: int) -> Tensor:
    """True where a key comes after a query."""
    return Tensor([[number > step for number in range(keys)] for step in range(steps)])


def _of_queries(mask: Any, batch: int) -> Any:
    if mask is None or mask.ndim == 2:
        return mask
    return reshape(mask, (batch, -1, *mask.shape[1:]))


def _of_keys(mask: Any) -> Any:
    return None if mask is None else reshape(mask, (mask.shape[0], 1, 1, mask.shape[1]))


def _masked(scores: Tensor, mask: Tensor) -> Tensor:
    """The scores with masks applied; keys that were appended are not masked."""
    extra = scores.shape[-1] - mask.shape[-1]
    if extra:
        mask = cat([mask, zeros((*mask.shape[:-1], extra), mask.dtype)], axis=-1)
    if mask.dtype.is_float:
        return add(scores, mask)
    return where(cast(mask, dtypes.bool_), float("-inf"), scores)
