"""PVT v2 (Wang et al., 2021).

Attention to a reduced image, feed-forward with depthwise convolution; a Cell that scales its loss.
"""

import numpy as np
from mindspore import nn, ops
from mindspore.ops import operations as P


class DWConv(nn.Cell):
    def __init__(self, dim):
        super().__init__()
        self.dwconv = nn.Conv2d(dim, dim, 3, 1, pad_mode="pad", padding=1, has_bias=True, group=dim)

    def construct(self, x, h, w):
        b, n, c = x.shape
        x = ops.transpose(x, (0, 2, 1)).view((b, c, h, w))
        x = self.dwconv(x)
        return x.view((b, c, n)).transpose((0, 2, 1))


class Mlp(nn.Cell):
    def __init__(self, dim, hidden, linear=False):
        super().__init__()
        self.fc1 = nn.Dense(dim, hidden)
        self.dwconv = DWConv(hidden)
        self.act = nn.GELU()
        self.fc2 = nn.Dense(hidden, dim)
        self.linear = linear
        if linear:
            self.relu = nn.ReLU()

    def construct(self, x, h, w):
        x = self.fc1(x)
        if self.linear:
            x = self.relu(x)
        x = self.act(self.dwconv(x, h, w))
        return self.fc2(x)


class Attention(nn.Cell):
    def __init__(self, dim, num_heads, sr_ratio, linear):
        super().__init__()
        self.num_heads, self.sr_ratio, self.linear = num_heads, sr_ratio, linear
        self.scale = (dim // num_heads) ** -0.5
        self.q = nn.Dense(dim, dim, has_bias=False)
        self.kv = nn.Dense(dim, dim * 2)
        self.qk_batmatmul = P.BatchMatMul(transpose_b=True)
        self.batmatmul = P.BatchMatMul()
        self.softmax = P.Softmax(axis=-1)
        self.proj = nn.Dense(dim, dim)
        if not linear:
            if sr_ratio > 1:
                self.sr = nn.Conv2d(dim, dim, kernel_size=sr_ratio, stride=sr_ratio, has_bias=True)
                self.norm = nn.LayerNorm([dim])
        else:
            self.pool = nn.AdaptiveAvgPool2d(3)
            self.sr = nn.Conv2d(dim, dim, kernel_size=1, has_bias=True)
            self.norm = nn.LayerNorm([dim])
            self.act = nn.GELU()

    def construct(self, x, h, w):
        b, n, c = x.shape
        q = self.q(x)
        q = ops.reshape(q, (b, n, self.num_heads, c // self.num_heads))
        q = ops.transpose(q, (0, 2, 1, 3))
        if not self.linear:
            if self.sr_ratio > 1:
                x_ = ops.reshape(ops.transpose(x, (0, 2, 1)), (b, c, h, w))
                x_ = self.sr(x_)
                x_ = self.norm(ops.transpose(ops.reshape(x_, (b, c, -1)), (0, 2, 1)))
                kv = self.kv(x_)
            else:
                kv = self.kv(x)
        else:
            x_ = ops.reshape(ops.transpose(x, (0, 2, 1)), (b, c, h, w))
            x_ = self.sr(self.pool(x_))
            x_ = ops.reshape(x_, (b, c, -1)).transpose((0, 2, 1))
            kv = self.kv(self.act(self.norm(x_)))
        kv = ops.transpose(ops.reshape(kv, (b, -1, 2, self.num_heads, c // self.num_heads)), (2, 0, 3, 1, 4))
        k, v = kv[0], kv[1]
        attn = self.softmax(self.qk_batmatmul(q, k) * self.scale)
        x = self.batmatmul(attn, v)
        x = ops.transpose(x, (0, 2, 1, 3)).reshape((b, n, c))
        return self.proj(x)


class Block(nn.Cell):
    def __init__(self, dim, num_heads, sr_ratio, linear):
        super().__init__()
        self.norm1 = nn.LayerNorm([dim])
        self.attn = Attention(dim, num_heads, sr_ratio, linear)
        self.norm2 = nn.LayerNorm([dim])
        self.mlp = Mlp(dim, dim * 2, linear)

    def construct(self, x, h, w):
        x = x + self.attn(self.norm1(x), h, w)
        return x + self.mlp(self.norm2(x), h, w)


class OverlapPatchEmbed(nn.Cell):
    def __init__(self, patch_size, stride, in_chans, dim):
        super().__init__()
        self.proj = nn.Conv2d(in_chans, dim, patch_size, stride, pad_mode="pad", padding=patch_size // 2, has_bias=True)
        self.norm = nn.LayerNorm([dim])

    def construct(self, x):
        x = self.proj(x)
        b, c, h, w = x.shape
        x = ops.transpose(ops.reshape(x, (b, c, h * w)), (0, 2, 1))
        return self.norm(x), h, w


class PyramidVisionTransformerV2(nn.Cell):
    def __init__(self, dims=(8, 12), heads=(1, 2), srs=(4, 1), linears=(False, True), num_classes=3, num_stages=2):
        super().__init__()
        self.num_stages = num_stages
        patch_embed_list, block_list, norm_list = [], [], []
        for i in range(num_stages):
            patch_embed_list.append(
                OverlapPatchEmbed(7 if i == 0 else 3, 4 if i == 0 else 2, 3 if i == 0 else dims[i - 1], dims[i])
            )
            block_list.append(nn.CellList([Block(dims[i], heads[i], srs[i], linears[i]) for _ in range(1 + i)]))
            norm_list.append(nn.LayerNorm([dims[i]]))
        self.patch_embed_list = nn.CellList(patch_embed_list)
        self.block_list = nn.CellList(block_list)
        self.norm_list = nn.CellList(norm_list)
        self.head = nn.Dense(dims[-1], num_classes)

    def get_num_layers(self):
        return sum(len(blocks) for blocks in self.block_list)

    def construct(self, x):
        b = x.shape[0]
        for i in range(self.num_stages):
            x, h, w = self.patch_embed_list[i](x)
            for blk in self.block_list[i]:
                x = blk(x, h, w)
            x = self.norm_list[i](x)
            if i != self.num_stages - 1:
                x = ops.transpose(ops.reshape(x, (b, h, w, -1)), (0, 3, 1, 2))
        return self.head(x.mean(axis=1))


class TrainOneStepWithScale(nn.TrainOneStepWithLossScaleCell):
    """Unscales, clips and applies the gradients unless they overflow."""

    def construct(self, data, label):
        weights = self.weights
        loss = self.network(data, label)
        scaling_sens = self.scale_sense
        scaling_sens_filled = ops.ones_like(loss) * ops.cast(scaling_sens, loss.dtype)
        grads = self.grad(self.network, weights)(data, label, scaling_sens_filled)
        grads = self.hyper_map(ops.partial(unscale, scaling_sens), grads)
        finite = ops.stack([ops.isfinite(grad).all() for grad in grads]).all()
        cond = ops.logical_not(finite)
        overflow = self.process_loss_scale(cond)
        if not overflow:
            loss = ops.depend(loss, self.optimizer(grads))
        return loss, grads


_unscale = ops.composite.MultitypeFuncGraph("unscale")


@_unscale.register("Tensor", "Tensor")
def _tensor_unscale(scale, grad):
    return grad * ops.cast(ops.Reciprocal()(scale), grad.dtype)


unscale = _unscale


def make():
    net = PyramidVisionTransformerV2()
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Adam(net.trainable_params(), learning_rate=2e-3, use_nesterov=True, eps=1e-6)
    manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**10, scale_factor=2, scale_window=2)
    step = TrainOneStepWithScale(nn.WithLossCell(net, loss_fn), optimizer, scale_sense=manager)
    step.set_train()
    rng = np.random.RandomState(5)
    batches = [(rng.randn(2, 3, 32, 32).astype(np.float32), rng.randint(0, 3, 2).astype(np.int32)) for _ in range(3)]
    return net, optimizer.parameters, step, batches
