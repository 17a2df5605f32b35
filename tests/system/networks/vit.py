"""ViT (Dosovitskiy et al., 2020).

Patches, a class token, encoder blocks; AdamWeightDecay with a warmup and a cosine.
"""

from typing import Optional

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import TruncatedNormal, initializer


class DropPath(nn.Cell):
    def __init__(self, drop_prob=0.0):
        super().__init__()
        self.keep_prob = 1 - drop_prob
        self.dropout = nn.Dropout(p=drop_prob)

    def construct(self, x):
        if not self.training or self.keep_prob == 1:
            return x
        shape = (x.shape[0],) + (1,) * (x.ndim - 1)
        return x * self.dropout(ops.ones(shape, x.dtype))


class PatchEmbed(nn.Cell):
    def __init__(self, image_size=16, patch_size=4, in_chans=3, embed_dim=16):
        super().__init__()
        self.num_patches = (image_size // patch_size) ** 2
        self.proj = nn.Conv2d(in_chans, embed_dim, patch_size, patch_size, pad_mode="valid", has_bias=True)

    def construct(self, x):
        x = self.proj(x)
        b, c, h, w = x.shape
        x = ops.reshape(x, (b, c, h * w))
        return ops.transpose(x, (0, 2, 1))


class Attention(nn.Cell):
    def __init__(self, dim: int, num_heads: int = 4, qkv_bias: bool = True, attn_drop: float = 0.0):
        super().__init__()
        assert dim % num_heads == 0, "dim should be divisible by num_heads."
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.scale = Tensor(self.head_dim**-0.5)
        self.qkv = nn.Dense(dim, dim * 3, has_bias=qkv_bias)
        self.attn_drop = nn.Dropout(p=attn_drop)
        self.out = nn.Dense(dim, dim)
        self.attn_matmul_v = ops.BatchMatMul()
        self.q_matmul_k = ops.BatchMatMul(transpose_b=True)
        self.softmax = nn.Softmax(axis=-1)
        self.unstack = ops.Unstack(axis=0)

    def construct(self, x):
        b, n, c = x.shape
        qkv = ops.reshape(self.qkv(x), (b, n, 3, self.num_heads, self.head_dim))
        qkv = ops.transpose(qkv, (2, 0, 3, 1, 4))
        q, k, v = self.unstack(qkv)
        attn = self.q_matmul_k(q, k)
        attn = ops.mul(attn, self.scale)
        attn = self.attn_drop(self.softmax(attn.astype(ms.float32)).astype(attn.dtype))
        out = self.attn_matmul_v(attn, v)
        out = ops.reshape(ops.transpose(out, (0, 2, 1, 3)), (b, n, c))
        return self.out(out)


class Mlp(nn.Cell):
    def __init__(self, in_features, hidden_features: Optional[int] = None, act_layer=nn.GELU):
        super().__init__()
        hidden_features = hidden_features or in_features
        self.fc1 = nn.Dense(in_features, hidden_features)
        self.act = act_layer(approximate=False)
        self.fc2 = nn.Dense(hidden_features, in_features)

    def construct(self, x):
        return self.fc2(self.act(self.fc1(x)))


class Block(nn.Cell):
    def __init__(self, dim, num_heads, mlp_ratio=2.0, drop_path=0.0, norm_layer=nn.LayerNorm):
        super().__init__()
        self.norm1 = norm_layer((dim,), epsilon=1e-6)
        self.attn = Attention(dim, num_heads)
        self.drop_path = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()
        self.norm2 = norm_layer((dim,), epsilon=1e-6)
        self.mlp = Mlp(dim, int(dim * mlp_ratio))

    def construct(self, x):
        x = x + self.drop_path(self.attn(self.norm1(x)))
        return x + self.drop_path(self.mlp(self.norm2(x)))


class VisionTransformer(nn.Cell):
    def __init__(self, embed_dim=16, depth=2, num_heads=4, num_classes=6):
        super().__init__()
        self.patch_embed = PatchEmbed(embed_dim=embed_dim)
        self.cls_token = Parameter(initializer(TruncatedNormal(0.02), (1, 1, embed_dim)), name="cls")
        self.pos_embed = Parameter(
            initializer(TruncatedNormal(0.02), (1, self.patch_embed.num_patches + 1, embed_dim)), name="pos"
        )
        rates = [x.item() for x in np.linspace(0, 0.0, depth)]
        self.blocks = nn.CellList([Block(embed_dim, num_heads, drop_path=rates[i]) for i in range(depth)])
        self.norm = nn.LayerNorm((embed_dim,), epsilon=1e-6)
        self.head = nn.Dense(embed_dim, num_classes)

    def construct(self, x):
        x = self.patch_embed(x)
        cls = ops.broadcast_to(self.cls_token, (x.shape[0], -1, -1))
        x = ops.concat((cls, x), axis=1) + self.pos_embed
        for blk in self.blocks:
            x = blk(x)
        return self.head(self.norm(x)[:, 0])


class WarmupCosine(nn.learning_rate_schedule.LearningRateSchedule):
    def __init__(self, min_lr, max_lr, warmup_steps, decay_steps):
        super().__init__()
        self.warmup_steps = warmup_steps
        self.warmup = nn.WarmUpLR(max_lr, warmup_steps)
        self.cosine = nn.CosineDecayLR(min_lr, max_lr, decay_steps)

    def construct(self, global_step):
        if global_step < self.warmup_steps:
            lr = self.warmup(global_step)
        else:
            lr = self.cosine(global_step - self.warmup_steps)
        return lr


def make():
    net = VisionTransformer()
    net.set_train()
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    no_decay = list(filter(lambda p: len(p.shape) == 1 or p.name in ("cls", "pos"), net.trainable_params()))
    decay = [p for p in net.trainable_params() if all(p is not q for q in no_decay)]
    groups = [{"params": decay, "weight_decay": 0.05}, {"params": no_decay, "weight_decay": 0.0}]
    optimizer = nn.AdamWeightDecay(groups, WarmupCosine(1e-5, 5e-3, 2, 5), beta2=0.99)

    def forward(x, y):
        return loss_fn(net(x), y)

    grad_fn = ops.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def train_step(x, y):
        loss, grads = grad_fn(x, y)
        loss = ops.depend(loss, optimizer(grads))
        return loss, grads

    rng = np.random.RandomState(2)
    batches = [(rng.randn(2, 3, 16, 16).astype(np.float32), rng.randint(0, 6, 2).astype(np.int32)) for _ in range(4)]
    return net, optimizer.parameters, train_step, batches
