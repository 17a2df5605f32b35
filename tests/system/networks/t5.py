"""T5 (Raffel et al., 2019).

Encoder and decoder with buckets of relative positions, RMS norms, gated units; trained with Adafactor.
"""

import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, nn, ops
from mindspore.common.initializer import Constant, Normal, initializer


class T5LayerNorm(nn.Cell):
    def __init__(self, hidden_size, eps=1e-6):
        super().__init__()
        self.weight = Parameter(initializer(Constant(1.0), (hidden_size,), ms.float32), "weight")
        self.variance_epsilon = eps

    def construct(self, hidden_states):
        variance = hidden_states.astype(ms.float32).square().mean(-1, keep_dims=True)
        hidden_states = hidden_states * ops.rsqrt(variance + self.variance_epsilon)
        if self.weight.dtype in [ms.float16, ms.bfloat16]:
            hidden_states = hidden_states.astype(self.weight.dtype)
        return self.weight * hidden_states


class T5Attention(nn.Cell):
    def __init__(self, d_model, n_heads, has_relative_attention_bias=False, is_decoder=False):
        super().__init__()
        self.is_decoder = is_decoder
        self.has_relative_attention_bias = has_relative_attention_bias
        self.n_heads, self.d_kv = n_heads, d_model // n_heads
        self.relative_attention_num_buckets, self.relative_attention_max_distance = 8, 16
        init = Normal(d_model**-0.5)
        self.q = nn.Dense(d_model, d_model, has_bias=False, weight_init=init)
        self.k = nn.Dense(d_model, d_model, has_bias=False, weight_init=init)
        self.v = nn.Dense(d_model, d_model, has_bias=False, weight_init=init)
        self.o = nn.Dense(d_model, d_model, has_bias=False, weight_init=init)
        if has_relative_attention_bias:
            self.relative_attention_bias = nn.Embedding(self.relative_attention_num_buckets, n_heads)

    @staticmethod
    def _relative_position_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        relative_buckets = 0
        if bidirectional:
            num_buckets //= 2
            relative_buckets += (relative_position > 0).astype(ms.int32) * num_buckets
            relative_position = ops.abs(relative_position)
        else:
            relative_position = -ops.minimum(relative_position, ops.zeros_like(relative_position))
        max_exact = num_buckets // 2
        is_small = relative_position < max_exact
        large = max_exact + (
            ops.log(relative_position.astype(ms.float32) / max_exact + 1e-9)
            / math.log(max_distance / max_exact)
            * (num_buckets - max_exact)
        ).astype(ms.int32)
        large = ops.minimum(large, ops.full_like(large, num_buckets - 1))
        relative_buckets += ops.where(is_small, relative_position, large)
        return relative_buckets

    def compute_bias(self, query_length, key_length):
        context_position = ops.arange(query_length)[:, None]
        memory_position = ops.arange(key_length)[None, :]
        buckets = self._relative_position_bucket(
            (memory_position - context_position).astype(ms.int32),
            bidirectional=not self.is_decoder,
            num_buckets=self.relative_attention_num_buckets,
            max_distance=self.relative_attention_max_distance,
        )
        return self.relative_attention_bias(buckets).permute(2, 0, 1).expand_dims(0)

    def construct(self, hidden_states, mask=None, key_value_states=None, position_bias=None):
        batch_size, seq_length = hidden_states.shape[:2]
        source = hidden_states if key_value_states is None else key_value_states
        key_length = source.shape[1]

        def shape(states):
            return states.view(batch_size, -1, self.n_heads, self.d_kv).swapaxes(1, 2)

        query, key, value = shape(self.q(hidden_states)), shape(self.k(source)), shape(self.v(source))
        scores = ops.matmul(query, key.swapaxes(3, 2))
        if position_bias is None:
            if not self.has_relative_attention_bias:
                position_bias = ops.zeros((1, self.n_heads, seq_length, key_length), scores.dtype)
            else:
                position_bias = self.compute_bias(seq_length, key_length)
            if mask is not None:
                position_bias = position_bias + mask
        scores += position_bias
        weights = ops.softmax(scores.astype(ms.float32), axis=-1).astype(scores.dtype)
        out = ops.matmul(weights, value).swapaxes(1, 2).view(batch_size, -1, self.n_heads * self.d_kv)
        return self.o(out), position_bias


class T5FF(nn.Cell):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.wi_0 = nn.Dense(d_model, d_ff, has_bias=False)
        self.wi_1 = nn.Dense(d_model, d_ff, has_bias=False)
        self.wo = nn.Dense(d_ff, d_model, has_bias=False)
        self.layer_norm = T5LayerNorm(d_model)
        self.act = nn.GELU(approximate=True)

    def construct(self, x):
        y = self.layer_norm(x)
        return x + self.wo(self.act(self.wi_0(y)) * self.wi_1(y))


class T5Block(nn.Cell):
    def __init__(self, d_model, n_heads, d_ff, is_decoder, first):
        super().__init__()
        self.is_decoder = is_decoder
        self.norm = T5LayerNorm(d_model)
        self.attention = T5Attention(d_model, n_heads, first, is_decoder)
        if is_decoder:
            self.cross_norm = T5LayerNorm(d_model)
            self.cross = T5Attention(d_model, n_heads)
        self.ff = T5FF(d_model, d_ff)

    def construct(self, x, mask, position_bias=None, encoded=None, encoder_mask=None):
        attended, position_bias = self.attention(self.norm(x), mask=mask, position_bias=position_bias)
        x = x + attended
        if self.is_decoder and encoded is not None:
            x = x + self.cross(self.cross_norm(x), mask=encoder_mask, key_value_states=encoded)[0]
        return self.ff(x), position_bias


class T5Stack(nn.Cell):
    def __init__(self, embed_tokens, d_model, n_heads, d_ff, n_layers, is_decoder):
        super().__init__()
        self.embed_tokens = embed_tokens
        self.is_decoder = is_decoder
        self.block = nn.CellList([T5Block(d_model, n_heads, d_ff, is_decoder, i == 0) for i in range(n_layers)])
        self.final_layer_norm = T5LayerNorm(d_model)

    def construct(self, ids, attention_mask, encoded=None, encoder_mask=None):
        length = ids.shape[1]
        mask = attention_mask[:, None, None, :]
        if self.is_decoder:
            steps = ops.arange(length)
            causal = steps[None, None, :] <= steps[None, :, None]
            mask = causal[:, None].astype(ms.float32) * mask
        mask = (1.0 - mask) * -1e9
        if encoder_mask is not None:
            encoder_mask = (1.0 - encoder_mask[:, None, None, :]) * -1e9
        x, bias = self.embed_tokens(ids), None
        for layer in self.block:
            x, bias = layer(x, mask, bias, encoded, encoder_mask)
        return self.final_layer_norm(x)


class T5(nn.Cell):
    def __init__(self, vocab=24, d_model=16, n_heads=2, d_ff=24, n_layers=2):
        super().__init__()
        self.d_model = d_model
        self.shared = nn.Embedding(vocab, d_model, embedding_table=Normal(1.0))
        self.encoder = T5Stack(self.shared, d_model, n_heads, d_ff, n_layers, False)
        self.decoder = T5Stack(self.shared, d_model, n_heads, d_ff, n_layers, True)
        self.lm_head = nn.Dense(d_model, vocab, has_bias=False)

    def _shift_right(self, labels):
        shifted = ops.zeros_like(labels)
        shifted[..., 1:] = labels[..., :-1]
        return shifted.masked_fill(shifted == -100, 0)

    def construct(self, ids, mask, labels):
        encoded = self.encoder(ids, mask)
        decoder_ids = self._shift_right(labels)
        decoded = self.decoder(decoder_ids, ops.ones(decoder_ids.shape, ms.float32), encoded, mask)
        logits = self.lm_head(decoded * (self.d_model**-0.5))
        return ops.cross_entropy(logits.view(-1, logits.shape[-1]), labels.view(-1), ignore_index=-100)


def make():
    net = T5()
    net.set_train()
    optimizer = nn.AdaFactor(net.trainable_params(), learning_rate=0.01, scale_parameter=False, relative_step=False)
    grad_fn = ms.value_and_grad(net, None, optimizer.parameters)

    def step(*batch):
        loss, grads = grad_fn(*batch)
        optimizer(grads)
        return loss, grads

    rng = np.random.RandomState(11)
    batches = []
    for _ in range(3):
        mask = np.ones((2, 9), np.float32)
        mask[0, 6:] = 0
        labels = rng.randint(1, 24, (2, 7)).astype(np.int32)
        labels[1, 5:] = -100
        batches.append((rng.randint(1, 24, (2, 9)).astype(np.int32), mask, labels))
    return net, optimizer.parameters, step, batches
