"""GPT-2 (Radford et al., 2019).

Tied embeddings, a causal mask, mint's functions; gradients accumulated over two batches.
"""

import math
from dataclasses import dataclass

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops
from mindspore.common.initializer import Normal, initializer


@dataclass
class GPTConfig:
    vocab_size: int = 32
    seq_length: int = 12
    n_layer: int = 2
    n_head: int = 4
    n_embd: int = 16
    dropout: float = 0.0
    bias: bool = True


class CausalSelfAttention(nn.Cell):
    def __init__(self, config: GPTConfig):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = mint.nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = mint.nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.n_head, self.n_embd = config.n_head, config.n_embd
        self.causal = Tensor(np.tril(np.ones((1, 1, config.seq_length, config.seq_length), np.float32)))

    def construct(self, x):
        b, t, c = x.shape
        q, k, v = mint.split(self.c_attn(x), self.n_embd, dim=2)
        k = k.view(b, t, self.n_head, c // self.n_head).swapaxes(1, 2)
        q = q.view(b, t, self.n_head, c // self.n_head).swapaxes(1, 2)
        v = mint.permute(mint.reshape(v, (b, t, self.n_head, c // self.n_head)), (0, 2, 1, 3))
        att = mint.matmul(q, mint.transpose(k, -2, -1)) * (1.0 / math.sqrt(k.shape[-1]))
        att = att.masked_fill(self.causal[:, :, :t, :t] == 0, -1e9)
        y = mint.nn.functional.softmax(att, dim=-1) @ v
        return self.c_proj(y.swapaxes(1, 2).reshape(b, t, c))


class GPTBlock(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.ln_1 = nn.LayerNorm([config.n_embd])
        self.attn = CausalSelfAttention(config)
        self.ln_2 = nn.LayerNorm([config.n_embd], epsilon=1e-6)
        self.mlp = nn.CellDict(
            {
                "c_fc": mint.nn.Linear(config.n_embd, 2 * config.n_embd),
                "c_proj": mint.nn.Linear(2 * config.n_embd, config.n_embd),
            }
        )

    def construct(self, x):
        x = mint.add(x, self.attn(self.ln_1(x)))
        return x + self.mlp["c_proj"](ops.gelu(self.mlp["c_fc"](self.ln_2(x)), approximate="tanh"))


class GPT(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.wte = nn.Embedding(config.vocab_size, config.n_embd, embedding_table="normal")
        self.wpe = nn.Embedding(config.seq_length, config.n_embd, embedding_table=Normal(0.02))
        self.blocks = nn.CellList([GPTBlock(config) for _ in range(config.n_layer)])
        self.ln_f = nn.LayerNorm((config.n_embd,))
        for param in self.get_parameters():
            if param.name.endswith("c_proj.weight"):
                sigma = 0.02 / math.sqrt(2 * config.n_layer)
                param.set_data(initializer(Normal(sigma), param.shape, param.dtype))

    def construct(self, idx, targets=None):
        _, t = idx.shape
        pos = ops.arange(0, t, 1)
        x = self.wte(idx) + self.wpe(pos)
        for block in self.blocks:
            x = block(x)
        logits = mint.matmul(self.ln_f(x), self.wte.embedding_table.T)
        if targets is None:
            return logits
        return mint.nn.functional.cross_entropy(
            logits.view(-1, logits.shape[-1]), targets.view(-1), ignore_index=-1, reduction="mean"
        )


class Accumulator:
    """Adds up gradients; applies and clears them at every second step."""

    def __init__(self, optimizer, accumulate_step):
        self.optimizer = optimizer
        self.inner_grads = optimizer.parameters.clone(prefix="accumulate_", init="zeros")
        self.zeros = optimizer.parameters.clone(prefix="zeros_", init="zeros")
        self.counter = Parameter(Tensor(1, ms.int32), "counter_")
        self.accumulate_step = accumulate_step
        self.map = ops.HyperMap()

    def __call__(self, grads):
        self.map(ops.partial(ops.assign_add), self.inner_grads, grads)
        if self.counter % self.accumulate_step == 0:
            self.optimizer(self.inner_grads)
            self.map(ops.partial(ops.assign), self.inner_grads, self.zeros)
        ops.assign_add(self.counter, Tensor(1, ms.int32))
        return True


def make():
    net = GPT(GPTConfig())
    net.set_train()
    params = net.trainable_params()
    decay_params, no_decay = [x for x in params if x.ndim > 1], [x for x in params if x.ndim <= 1]
    groups = [{"params": decay_params, "weight_decay": 0.1}, {"params": no_decay, "weight_decay": 0.0}]
    optimizer = nn.AdamWeightDecay(groups + [{"order_params": params}], 3e-3, beta1=0.9, beta2=0.95)
    accumulator = Accumulator(optimizer, 2)
    grad_fn = ms.value_and_grad(net, None, optimizer.parameters)

    @ms.jit
    def step(idx, targets):
        loss, grads = grad_fn(idx, targets)
        accumulator(grads)
        return loss, grads

    rng = np.random.RandomState(9)
    batches = []
    for _ in range(5):
        text = rng.randint(0, 32, (2, 13)).astype(np.int32)
        targets = text[:, 1:].copy()
        targets[0, -2:] = -1
        batches.append((text[:, :-1], targets))
    return net, optimizer.parameters, step, batches
