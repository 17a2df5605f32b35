"""Layers and stacks of transformers."""

from __future__ import annotations

import copy
from typing import Any

from ...frontend.control_flow import calls as control
from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..containers import CellList
from ..docstrings import sections
from ..initializer import XavierUniform, initializer
from .attention import MultiheadAttention
from .checks import check_bool, check_positive_int
from .dense import Dense
from .dropout import Dropout
from .normalization_layers import LayerNorm

_TAKES_TENSORS = True

__all__ = [
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
]  # fmt: skip


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


class _Layer(Cell):
    """The base of both layers.

    Attributes:
        _attentions: the names of the attentions, in the order in which they run.
    """

    _attentions: tuple[str, ...] = ("self_attn",)

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation: Any = "relu",
        layer_norm_eps: float = 1e-5, batch_first: bool = False, norm_first: bool = False,
        dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self.d_model, self.nhead, self.dim_feedforward = d_model, nhead, dim_feedforward
        self.dropout_num, self.layernorm_eps, self.batch_first, self.dtype = dropout, layer_norm_eps, batch_first, dtype
        for name in self._attentions:
            attention = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, dtype=dtype)
            setattr(self, name, attention)
        self.dense1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(dim_feedforward, d_model, dtype=dtype)
        self.norm_first = check_bool(norm_first, "norm_first", owner)
        parts = range(1, len(self._attentions) + 2)
        for part in parts:
            setattr(self, f"norm{part}", LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype))
        for part in parts:
            setattr(self, f"dropout{part}", Dropout(p=dropout))
        self.activation = _activation(activation, owner)
        self.activation1 = activation

    def _again(self) -> Cell:
        """A layer of the same arguments, with numbers of its own."""
        return type(self)(
            self.d_model, self.nhead, self.dim_feedforward, self.dropout_num, self.activation1, self.layernorm_eps,
            self.batch_first, self.norm_first, self.dtype,
        )  # fmt: skip

    def _sa_block(self, x: Any, attn_mask: Any, key_padding_mask: Any) -> Any:
        """Self-attention and dropout."""
        out = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)
        return self.dropout1(out[0])

    def _ff_block(self, x: Any) -> Any:
        """Both dense layers and dropout."""
        last = self.dropout2 if len(self._attentions) == 1 else self.dropout3
        return last(self.dense2(self.dropout(control.call(self.activation, self.dense1(x)))))


class TransformerEncoderLayer(_Layer):
    """Self-attention and two dense layers, each with dropout, a shortcut and layer normalization.

    Args:
        d_model: a positive int, the size of the input.
        nhead: a positive int that divides d_model, how many heads.
        dim_feedforward: a positive int, the size between the dense layers. Default: 2048.
        dropout: a number in [0, 1), in training. Default: 0.1.
        activation: 'relu', 'gelu', a Cell or a function. Default: 'relu'.
        layer_norm_eps: a number, the epsilon of the normalizations. Default: 1e-5.
        batch_first: whether the first axis is the batch, in place of the sequence. Default: False.
        norm_first: whether normalization comes before attention and dense layers, in place of after. Default: False.
        dtype: the dtype of the Parameters. Default: float32.

    Inputs:
        src: a float tensor of shape [S, N, d_model]; with batch_first [N, S, d_model].
        src_mask: a bool or float tensor of shape [S, S], as `attn_mask` of `MultiheadAttention`. Default: None.
        src_key_padding_mask: a bool tensor of shape [N, S]. Default: None.

    Outputs:
        A tensor of the shape and dtype of src.

    Raises:
        TypeError: if an argument has the wrong type, or src is no Tensor.
        ValueError: if nhead does not divide d_model, or shapes do not fit.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.TransformerEncoderLayer(4, 2, dim_feedforward=8)
        >>> print(layer(ops.ones((3, 1, 4))).shape)
        (3, 1, 4)
    """

    def construct(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None) -> Tensor:
        """The output, of the shape of the input."""
        if self.norm_first:
            x = src + self._sa_block(self.norm1(src), src_mask, src_key_padding_mask)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(src + self._sa_block(src, src_mask, src_key_padding_mask))
        return self.norm2(x + self._ff_block(x))


_HEADS = {
    "Outputs": "A tensor of the shape and dtype of tgt.",
    "Raises": """
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: if nhead does not divide d_model, or shapes do not fit.
    """,
}


@sections(**_HEADS)
class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to an encoder's output, and two dense layers, each with a shortcut and layer
    normalization.

    Args:
        d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype: as
            for `TransformerEncoderLayer`.

    Inputs:
        tgt: a float tensor of shape [T, N, d_model]; with batch_first [N, T, d_model].
        memory: a float tensor of shape [S, N, d_model], the encoder's output; with batch_first [N, S, d_model].
        tgt_mask, memory_mask: bool or float tensors of shapes [T, T] and [T, S], as `attn_mask` of
            `MultiheadAttention`. Default: None.
        tgt_key_padding_mask, memory_key_padding_mask: bool tensors of shapes [N, T] and [N, S]. Default: None.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.TransformerDecoderLayer(4, 2, dim_feedforward=8)
        >>> print(layer(ops.ones((3, 1, 4)), ops.ones((5, 1, 4))).shape)
        (3, 1, 4)
    """

    _attentions = ("self_attn", "multihead_attn")

    def construct(
        self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Tensor:  # fmt: skip
        """The output, of the shape of `tgt`."""
        if self.norm_first:
            x = tgt + self._sa_block(self.norm1(tgt), tgt_mask, tgt_key_padding_mask)
            x = x + self._mha_block(self.norm2(x), memory, memory_mask, memory_key_padding_mask)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(tgt + self._sa_block(tgt, tgt_mask, tgt_key_padding_mask))
        x = self.norm2(x + self._mha_block(x, memory, memory_mask, memory_key_padding_mask))
        return self.norm3(x + self._ff_block(x))

    def _mha_block(self, x: Any, mem: Any, attn_mask: Any, key_padding_mask: Any) -> Any:
        """Attention to the encoder's output and dropout."""
        out = self.multihead_attn(
            x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False
        )
        return self.dropout2(out[0])


class _Stack(Cell):
    """Independent copies of a layer one on top of the other, which start with the same numbers."""

    def _set_up(self, layer: Cell, count: Any, norm: Any) -> None:
        self.num_layers = check_positive_int(count, "num_layers", type(self).__name__)
        if isinstance(layer, _Layer) and type(layer) in (TransformerEncoderLayer, TransformerDecoderLayer):
            layer = layer._again()  # MindSpore draws the numbers anew, too
        self.layers = CellList([copy.deepcopy(layer) for _ in range(self.num_layers)])
        self.norm = norm

    def _output(self, x: Any, *others: Any) -> Tensor:
        for layer in self.layers:
            x = layer(x, *others)
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    """Encoder layers one on top of the other.

    Args:
        encoder_layer: a Cell, which is copied. A `TransformerEncoderLayer` gives its arguments; the layers get new
            numbers, as in MindSpore.
        num_layers: a positive int, how many.
        norm: a Cell for the output. Default: None.

    Inputs:
        src: a float tensor of shape [S, N, d_model].
        src_mask: a bool or float tensor of shape [S, S]. Default: None.
        src_key_padding_mask: a bool tensor of shape [N, S]. Default: None.

    Outputs:
        A tensor of the shape and dtype of src.

    Raises:
        TypeError: if src is no Tensor.
        ValueError: if shapes do not fit.

    Examples:
        >>> from mycel import nn, ops
        >>> encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, dim_feedforward=8), 2)
        >>> print(encoder(ops.ones((3, 1, 4))).shape)
        (3, 1, 4)
    """

    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Any = None) -> None:
        super().__init__()
        self._set_up(encoder_layer, num_layers, norm)

    def construct(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None) -> Tensor:
        """The output of the last layer."""
        return self._output(src, src_mask, src_key_padding_mask)


class TransformerDecoder(_Stack):
    """Decoder layers one on top of the other.

    Args:
        decoder_layer: a Cell, which is copied. A `TransformerDecoderLayer` gives its arguments; the layers get new
            numbers, as in MindSpore.
        num_layers: a positive int, how many.
        norm: a Cell for the output. Default: None.

    Inputs:
        tgt: a float tensor of shape [T, N, d_model].
        memory: a float tensor of shape [S, N, d_model], the encoder's output.
        tgt_mask, memory_mask: bool or float tensors of shapes [T, T] and [T, S]. Default: None.
        tgt_key_padding_mask, memory_key_padding_mask: bool tensors of shapes [N, T] and [N, S]. Default: None.

    Outputs:
        A tensor of the shape and dtype of tgt.

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: if shapes do not fit.

    Examples:
        >>> from mycel import nn, ops
        >>> decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, dim_feedforward=8), 2)
        >>> print(decoder(ops.ones((3, 1, 4)), ops.ones((5, 1, 4))).shape)
        (3, 1, 4)
    """

    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Any = None) -> None:
        super().__init__()
        self._set_up(decoder_layer, num_layers, norm)

    def construct(
        self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Tensor:  # fmt: skip
        """The output of the last layer."""
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self._output(tgt, memory, *masks)


@sections(**_HEADS)
class Transformer(Cell):
    """An encoder and a decoder, which reads the encoder's output.

    Args:
        d_model: a positive int, the size of the inputs. Default: 512.
        nhead: a positive int that divides d_model, how many heads. Default: 8.
        num_encoder_layers: a positive int. Default: 6.
        num_decoder_layers: a positive int. Default: 6.
        dim_feedforward: a positive int, the size between the dense layers. Default: 2048.
        custom_encoder: a Cell in place of the encoder. Default: None.
        custom_decoder: a Cell in place of the decoder. Default: None.
        dropout, activation, layer_norm_eps, batch_first, norm_first, dtype: as for `TransformerEncoderLayer`.

    Inputs:
        src: a float tensor of shape [S, N, d_model]; with batch_first [N, S, d_model].
        tgt: a float tensor of shape [T, N, d_model]; with batch_first [N, T, d_model].
        src_mask, tgt_mask, memory_mask: bool or float tensors of shapes [S, S], [T, T] and [T, S]. Default: None.
        src_key_padding_mask, tgt_key_padding_mask, memory_key_padding_mask: bool tensors of shapes [N, S], [N, T] and
            [N, S]. Default: None.

    Examples:
        >>> from mycel import nn, ops
        >>> net = nn.Transformer(4, 2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=8)
        >>> print(net(ops.ones((5, 1, 4)), ops.ones((3, 1, 4))).shape)
        (3, 1, 4)
    """

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
        dim_feedforward: int = 2048, dropout: float = 0.1, activation: Any = "relu", custom_encoder: Any = None,
        custom_decoder: Any = None, layer_norm_eps: float = 1e-05, batch_first: bool = False,
        norm_first: bool = False, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
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
        self, src: Any, tgt: Any, src_mask: Any = None, tgt_mask: Any = None, memory_mask: Any = None,
        src_key_padding_mask: Any = None, tgt_key_padding_mask: Any = None, memory_key_padding_mask: Any = None,
    ) -> Tensor:  # fmt: skip
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
