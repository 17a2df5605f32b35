"""Attention layers: multi-head attention, and the layers, stacks and whole of a transformer."""

from __future__ import annotations

import copy
import math
from typing import Any

from ...frontend.control_flow import calls as control
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..containers import CellList
from ..initializer import XavierNormal, XavierUniform, initializer
from .checks import check_bool, check_positive_int
from .dense import Dense
from .dropout import Dropout
from .normalization_layers import LayerNorm

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this

__all__ = [
    "MultiheadAttention",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]


class MultiheadAttention(Cell):
    """Attention by several heads: softmax(q·kᵀ / sqrt(d))·v in each, joined and projected.

    Args:
        embed_dim: size of queries and outputs.
        num_heads: how many heads; divides embed_dim.
        dropout: of the attention weights, in training.
        has_bias: whether the projections have biases.
        add_bias_kv: whether a learnt key and value are added.
        add_zero_attn: whether a zero key and value are added.
        kdim, vdim: sizes of keys and values; None: embed_dim.
        batch_first: whether the first axis is the batch, in place of the sequence.
        dtype: of the Parameters.

    Inputs:
        query: [L, N, embed_dim]. key: [S, N, kdim]. value: [S, N, vdim] (without N too).
        key_padding_mask: bool [N, S], True: left out. need_weights: whether the weights are returned.
        attn_mask: bool (True: left out) or float (added), [L, S] or [N · num_heads, L, S].
        average_attn_weights: whether weights are averaged over heads.

    Outputs:
        output of the shape of the query, weights [N, L, S] (without need_weights a tuple of the output alone).

    Raises:
        ValueError: if num_heads does not divide embed_dim, or shapes do not fit.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        has_bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        dtype: Any = dtypes.float32,
    ) -> None:
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
            self.in_proj_weight = Parameter(initializer(xavier, (3 * embed_dim, embed_dim), dtype), "in_proj_weight")
        else:
            self.q_proj_weight = Parameter(initializer(xavier, (embed_dim, embed_dim), dtype), "q_proj_weight")
            self.k_proj_weight = Parameter(initializer(xavier, (embed_dim, self.kdim), dtype), "k_proj_weight")
            self.v_proj_weight = Parameter(initializer(xavier, (embed_dim, self.vdim), dtype), "v_proj_weight")
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
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
    ) -> Any:
        """(output, attention weights)."""
        together = query is key and key is value and self._same_embed_dim
        single = query.ndim == 2
        if query.ndim not in (2, 3):
            raise ValueError(f"MultiheadAttention takes queries of 2 or 3 dimensions, but the shape is {query.shape}")
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
        """The scores with what is left out at minus infinity."""
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


def _activation(activation: Any, owner: str) -> Any:
    if isinstance(activation, str):
        if activation == "relu":
            return ops.relu
        if activation == "gelu":
            return ops.gelu
        raise ValueError(
            f"For '{owner}', the 'activation' should be 'relu', 'gelu' or a function, but got {activation!r}"
        )
    if not callable(activation):
        raise TypeError(
            f"For '{owner}', the 'activation' should be a name or a function, but got {type(activation).__name__}"
        )
    return activation


class TransformerEncoderLayer(Cell):
    """Self-attention and two dense layers, each with dropout, a shortcut and normalization.

    Args:
        d_model: size of the input.
        nhead: how many heads.
        dim_feedforward: size between the dense layers.
        dropout: in training.
        activation: 'relu', 'gelu' or a function.
        layer_norm_eps: of the normalizations.
        batch_first: whether the first axis is the batch, in place of the sequence.
        norm_first: whether normalization comes before in place of after.
        dtype: of the Parameters.

    Inputs:
        src: [S, N, d_model]. src_mask: as `attn_mask` of `MultiheadAttention`. src_key_padding_mask: bool [N, S].
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, dtype=dtype)
        self.dense1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(dim_feedforward, d_model, dtype=dtype)
        self.norm_first = check_bool(norm_first, "norm_first", "TransformerEncoderLayer")
        self.norm1 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm2 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.dropout1 = Dropout(p=dropout)
        self.dropout2 = Dropout(p=dropout)
        self.activation = _activation(activation, "TransformerEncoderLayer")

    def construct(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None) -> Tensor:
        """The output, of the shape of the input."""
        if self.norm_first:
            x = src + self._attention(self.norm1(src), src_mask, src_key_padding_mask)
            return x + self._dense(self.norm2(x))
        x = self.norm1(src + self._attention(src, src_mask, src_key_padding_mask))
        return self.norm2(x + self._dense(x))

    def _attention(self, x: Any, mask: Any, padding: Any) -> Any:
        return self.dropout1(self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False)[0])

    def _dense(self, x: Any) -> Any:
        return self.dropout2(self.dense2(self.dropout(control.call(self.activation, self.dense1(x)))))


class TransformerDecoderLayer(Cell):
    """Self-attention, attention to an encoder's output, and two dense layers.

    Args:
        d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype: as for
            `TransformerEncoderLayer`.

    Inputs:
        tgt: [T, N, d_model]. memory: [S, N, d_model]. tgt_mask, memory_mask, tgt_key_padding_mask,
            memory_key_padding_mask: masks of both attentions.
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, dtype=dtype)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, dtype=dtype)
        self.dense1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(dim_feedforward, d_model, dtype=dtype)
        self.norm_first = check_bool(norm_first, "norm_first", "TransformerDecoderLayer")
        self.norm1 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm2 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm3 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.dropout1 = Dropout(p=dropout)
        self.dropout2 = Dropout(p=dropout)
        self.dropout3 = Dropout(p=dropout)
        self.activation = _activation(activation, "TransformerDecoderLayer")

    def construct(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Tensor:
        """The output, of the shape of `tgt`."""
        if self.norm_first:
            x = tgt + self._attention(self.norm1(tgt), tgt_mask, tgt_key_padding_mask)
            x = x + self._look_up(self.norm2(x), memory, memory_mask, memory_key_padding_mask)
            return x + self._dense(self.norm3(x))
        x = self.norm1(tgt + self._attention(tgt, tgt_mask, tgt_key_padding_mask))
        x = self.norm2(x + self._look_up(x, memory, memory_mask, memory_key_padding_mask))
        return self.norm3(x + self._dense(x))

    def _attention(self, x: Any, mask: Any, padding: Any) -> Any:
        return self.dropout1(self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False)[0])

    def _look_up(self, x: Any, memory: Any, mask: Any, padding: Any) -> Any:
        out = self.multihead_attn(x, memory, memory, attn_mask=mask, key_padding_mask=padding, need_weights=False)
        return self.dropout2(out[0])

    def _dense(self, x: Any) -> Any:
        return self.dropout3(self.dense2(self.dropout(control.call(self.activation, self.dense1(x)))))


def _copies(layer: Cell, count: int) -> CellList:
    """Independent copies of a layer, which start with the same numbers."""
    return CellList([copy.deepcopy(layer) for _ in range(count)])


class TransformerEncoder(Cell):
    """Encoder layers one on top of the other.

    Args:
        encoder_layer: the layer, which is copied.
        num_layers: how often.
        norm: a Cell for the output, or None.

    Inputs:
        src, src_mask, src_key_padding_mask: as for `TransformerEncoderLayer`.
    """

    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Any = None) -> None:
        super().__init__()
        self.num_layers = check_positive_int(num_layers, "num_layers", "TransformerEncoder")
        self.layers = _copies(encoder_layer, num_layers)
        self.norm = norm

    def construct(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None) -> Tensor:
        """The output of the last layer."""
        output = src
        for layer in self.layers:
            output = layer(output, src_mask, src_key_padding_mask)
        return output if self.norm is None else self.norm(output)


class TransformerDecoder(Cell):
    """Decoder layers one on top of the other.

    Args:
        decoder_layer: the layer, which is copied.
        num_layers: how often.
        norm: a Cell for the output, or None.

    Inputs:
        tgt, memory and masks: as for `TransformerDecoderLayer`.
    """

    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Any = None) -> None:
        super().__init__()
        self.num_layers = check_positive_int(num_layers, "num_layers", "TransformerDecoder")
        self.layers = _copies(decoder_layer, num_layers)
        self.norm = norm

    def construct(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Tensor:
        """The output of the last layer."""
        output = tgt
        for layer in self.layers:
            output = layer(output, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return output if self.norm is None else self.norm(output)


class Transformer(Cell):
    """An encoder and a decoder.

    Args:
        d_model, nhead: size of the input, and how many heads.
        num_encoder_layers, num_decoder_layers: how many layers.
        dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype: as for
            `TransformerEncoderLayer`.
        custom_encoder, custom_decoder: Cells in place of the usual ones.

    Inputs:
        src: [S, N, d_model]. tgt: [T, N, d_model]. Masks: src_mask, tgt_mask, memory_mask, src_key_padding_mask,
            tgt_key_padding_mask, memory_key_padding_mask.
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-05,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        options = (dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            layer: Cell = TransformerEncoderLayer(d_model, nhead, *options)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            layer = TransformerDecoderLayer(d_model, nhead, *options)
            self.decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                parameter.set_data(initializer(XavierUniform(), parameter.shape, parameter.dtype))
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def construct(
        self,
        src: Any,
        tgt: Any,
        src_mask: Any = None,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        src_key_padding_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Tensor:
        """The output of the decoder."""
        axis = 0 if self.batch_first else 1
        if src.ndim == 3 and src._type.shape[axis] != tgt._type.shape[axis]:
            raise ValueError(
                f"Transformer: src and tgt should have one batch size, but have {src.shape} and {tgt.shape}"
            )
        if src._type.shape[-1] != self.d_model or tgt._type.shape[-1] != self.d_model:
            raise ValueError(
                f"Transformer: the last axis of src and tgt should be {self.d_model}, but "
                f"got {src.shape} and {tgt.shape}"
            )
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
