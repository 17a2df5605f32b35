"""Attention layers: multi-head attention, and the layers, stacks and whole of a transformer."""

from __future__ import annotations

import math
from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..initializer import XavierNormal, XavierUniform, initializer
from .checks import check_bool, check_positive_int, check_rank
from .dense import Dense
from .initial_parameter import initial_parameter

_TAKES_TENSORS = True

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Cell):
    """Attention by several heads: softmax(q · kᵀ / sqrt(d)) · v in each, joined and projected.

    Args:
        embed_dim: a positive int, the size of queries and outputs.
        num_heads: a positive int that divides embed_dim.
        dropout: a number in [0, 1), the dropout of the attention weights in training. Default: 0.0.
        has_bias: whether the projections have biases. Default: True.
        add_bias_kv: whether a learnt key and value are added to the sequences. Default: False.
        add_zero_attn: whether a key and value of zeros are added to the sequences. Default: False.
        kdim: an int, the size of keys. Default: None, for embed_dim.
        vdim: an int, the size of values. Default: None, for embed_dim.
        batch_first: whether the first axis is the batch, in place of the sequence. Default: False.
        dtype: the dtype of the Parameters. Default: float32.

    Inputs:
        query: a float tensor of shape [L, embed_dim] or [L, N, embed_dim]; with batch_first [N, L, embed_dim].
        key: a float tensor of shape [S, kdim] or [S, N, kdim]; with batch_first [N, S, kdim].
        value: a float tensor of shape [S, vdim] or [S, N, vdim]; with batch_first [N, S, vdim].
        key_padding_mask: a bool or float tensor of shape [S] or [N, S]: True where a key does not count. Default: None.
        need_weights: whether the attention weights are returned. Default: True.
        attn_mask: a bool or float tensor of shape [L, S] or [N · num_heads, L, S]: True where no attention is allowed,
            or what is added to the scores. Default: None.
        average_attn_weights: whether the weights are the mean over the heads. Default: True.

    Outputs:
        A pair: a tensor of the shape and dtype of the query, and the weights, a float tensor of shape [N, L, S], or
        [N, num_heads, L, S] without the mean. Without need_weights a tuple of the output alone.

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: if num_heads does not divide embed_dim, or shapes do not fit.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.MultiheadAttention(4, 2)
        >>> x = ops.ones((3, 1, 4))
        >>> out, weights = layer(x, x, x)
        >>> print(out.shape, weights.shape)
        (3, 1, 4) (1, 3, 3)
    """

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, has_bias: bool = True, add_bias_kv: bool = False,
        add_zero_attn: bool = False, kdim: int | None = None, vdim: int | None = None, batch_first: bool = False,
        dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__()
        owner = "MultiheadAttention"
        self.embed_dim = check_positive_int(embed_dim, "embed_dim", owner)
        self.num_heads = check_positive_int(num_heads, "num_heads", owner)
        self.kdim = embed_dim if kdim is None else check_positive_int(kdim, "kdim", owner)
        self.vdim = embed_dim if vdim is None else check_positive_int(vdim, "vdim", owner)
        if embed_dim % num_heads:
            raise ValueError(
                f"For '{owner}', the 'embed_dim' should be divisible by 'num_heads', but got {embed_dim} and "
                f"{num_heads}"
            )
        self.head_dim = embed_dim // num_heads
        self.dropout = dropout
        self.batch_first = check_bool(batch_first, "batch_first", owner)
        self.add_zero_attn = check_bool(add_zero_attn, "add_zero_attn", owner)
        self._same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        xavier = XavierUniform()
        if self._same_embed_dim:
            self.in_proj_weight = initial_parameter(xavier, (3 * embed_dim, embed_dim), dtype, "in_proj_weight")
        else:
            self.q_proj_weight = initial_parameter(xavier, (embed_dim, embed_dim), dtype, "q_proj_weight")
            self.k_proj_weight = initial_parameter(xavier, (embed_dim, self.kdim), dtype, "k_proj_weight")
            self.v_proj_weight = initial_parameter(xavier, (embed_dim, self.vdim), dtype, "v_proj_weight")
        self.in_proj_bias: Any = None
        if check_bool(has_bias, "has_bias", owner):
            self.in_proj_bias = Parameter(initializer("zeros", (3 * embed_dim,), dtype), "in_proj_bias")
        self.out_proj = Dense(embed_dim, embed_dim, has_bias=has_bias, dtype=dtype)
        self.bias_k: Any = None
        self.bias_v: Any = None
        if check_bool(add_bias_kv, "add_bias_kv", owner):
            self.bias_k = Parameter(initializer(XavierNormal(), (1, 1, embed_dim), dtype), "bias_k")
            self.bias_v = Parameter(initializer(XavierNormal(), (1, 1, embed_dim), dtype), "bias_v")

    def _projected(self, inputs: tuple[Any, Any, Any]) -> list[Any]:
        """Queries, keys and values, projected."""
        size = self.embed_dim
        results = []
        for number, x in enumerate(inputs):
            part = slice(number * size, (number + 1) * size)
            if self._same_embed_dim:
                weight = self.in_proj_weight[part]
            else:
                weight = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)[number]
            out = ops.matmul(x, ops.transpose(weight, (1, 0)))
            results.append(out if self.in_proj_bias is None else out + self.in_proj_bias[part])
        return results

    def _projected_together(self, x: Any) -> list[Any]:
        """The same for one input in all places: one product."""
        out = ops.matmul(x, ops.transpose(self.in_proj_weight, (1, 0)))
        if self.in_proj_bias is not None:
            out = out + self.in_proj_bias
        size = self.embed_dim
        return [out[..., number * size : (number + 1) * size] for number in range(3)]

    def construct(
        self, query: Any, key: Any, value: Any, key_padding_mask: Any = None, need_weights: bool = True,
        attn_mask: Any = None, average_attn_weights: bool = True,
    ) -> Any:  # fmt: skip
        """(output, attention weights)."""
        together = query is key and key is value and self._same_embed_dim
        single = query.ndim == 2
        check_rank(query, (2, 3), "MultiheadAttention", "queries")
        inputs = [query, key, value]
        if single:  # one sequence
            inputs = [ops.expand_dims(x, 0) for x in inputs]
            if key_padding_mask is not None:
                key_padding_mask = ops.expand_dims(key_padding_mask, 0)
        elif not self.batch_first:
            inputs = [ops.swapaxes(x, 0, 1) for x in inputs]
        for x, size, name in zip(
            inputs, (self.embed_dim, self.kdim, self.vdim), ("query", "key", "value"), strict=True
        ):
            if x._type.shape[-1] != size:
                raise ValueError(f"MultiheadAttention: the last axis of {name} should be {size}, but is {x.shape[-1]}")
        q, k, v = (
            self._projected_together(inputs[0]) if together else self._projected((inputs[0], inputs[1], inputs[2]))
        )
        batch, length = q.shape[0], q.shape[1]
        extra = 0
        if self.bias_k is not None:
            k = ops.cat((k, ops.tile(self.bias_k, (batch, 1, 1))), 1)
            v = ops.cat((v, ops.tile(self.bias_v, (batch, 1, 1))), 1)
            extra += 1
        if self.add_zero_attn:
            zeros = ops.zeros((batch, 1, self.embed_dim), k.dtype)
            k, v = ops.cat((k, zeros), 1), ops.cat((v, zeros), 1)
            extra += 1
        q, k, v = (ops.swapaxes(ops.reshape(x, (batch, -1, self.num_heads, self.head_dim)), 1, 2) for x in (q, k, v))
        scores = ops.matmul(q * (1 / math.sqrt(self.head_dim)), ops.swapaxes(k, 2, 3))  # [N, heads, L, S]
        scores = self._masked(scores, key_padding_mask, attn_mask, extra)
        weights = ops.softmax(scores, -1)
        dropped = ops.dropout(weights, self.dropout) if self.dropout and self.training else weights
        out = ops.reshape(ops.swapaxes(ops.matmul(dropped, v), 1, 2), (batch, length, self.embed_dim))
        out = self.out_proj(out)
        if single:
            out = ops.squeeze(out, 0)
        elif not self.batch_first:
            out = ops.swapaxes(out, 0, 1)
        if not need_weights:
            return (out,)
        shown = ops.mean(dropped, 1) if average_attn_weights else dropped
        return out, (ops.squeeze(shown, 0) if single else shown)

    def _masked(self, scores: Any, key_padding_mask: Any, attn_mask: Any, extra: int) -> Any:
        """The scores with -inf for masked positions."""
        if attn_mask is not None:
            mask = _additive(attn_mask, scores.dtype, extra)
            if mask.ndim == 3 and mask._type.shape[0] != 1:
                mask = ops.reshape(mask, (-1, self.num_heads, *mask.shape[1:]))
            scores = scores + mask
        if key_padding_mask is not None:
            mask = _additive(key_padding_mask, scores.dtype, extra)
            scores = scores + ops.expand_dims(ops.expand_dims(mask, 1), 1)
        return scores


def _additive(mask: Any, dtype: Any, extra: int) -> Any:
    """A mask as numbers to add, with `extra` columns that leave nothing out."""
    if mask.dtype is dtypes.bool_:
        mask = ops.where(mask, Tensor(float("-inf"), dtype), Tensor(0.0, dtype))
    elif not mask.dtype.is_float:
        raise TypeError(f"an attention mask should be of bools or floats, but is of {mask.dtype}")
    mask = ops.cast(mask, dtype)
    if extra:
        mask = ops.cat((mask, ops.zeros((*mask.shape[:-1], extra), dtype)), -1)
    return mask
