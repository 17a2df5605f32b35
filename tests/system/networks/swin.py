"""Swin (Liu et al., 2021).

Attention in shifted windows with relative positions, merged patches; gradients clipped by their global norm.
"""

import mindspore as ms
import mindspore.numpy as mnp
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common import initializer as weight_init


def window_partition(x, window_size):
    b, h, w, c = x.shape
    x = ops.reshape(x, (b, h // window_size, window_size, w // window_size, window_size, c))
    return ops.transpose(x, (0, 1, 3, 2, 4, 5)).view(-1, window_size * window_size, c)


def window_reverse(windows, window_size, h, w):
    b = windows.shape[0] // (h * w // window_size // window_size)
    x = windows.view(b, h // window_size, w // window_size, window_size, window_size, -1)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, -1)


class Roll(nn.Cell):
    def __init__(self, shift_size, shift_axis=(1, 2)):
        super().__init__()
        self.shift_size = (shift_size,) * len(shift_axis)
        self.shift_axis = shift_axis

    def construct(self, x):
        return mnp.roll(x, self.shift_size, self.shift_axis)


class WindowAttention(nn.Cell):
    def __init__(self, dim, window_size, num_heads):
        super().__init__()
        self.window_size = window_size
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.relative_position_bias_table = Parameter(
            Tensor(np.random.randn((2 * window_size - 1) ** 2, num_heads).astype(np.float32) * 0.02)
        )
        coords = np.stack(np.meshgrid(np.arange(window_size), np.arange(window_size), indexing="ij")).reshape(2, -1)
        relative = (coords[:, :, None] - coords[:, None, :]).transpose(1, 2, 0) + window_size - 1
        relative[..., 0] *= 2 * window_size - 1
        self.relative_position_index = Tensor(relative.sum(-1).reshape(-1), ms.int32)
        self.qkv = nn.Dense(dim, dim * 3)
        self.proj = nn.Dense(dim, dim)
        self.softmax = nn.Softmax(axis=-1)

    def construct(self, x, mask=None):
        b, n, c = x.shape
        qkv = self.qkv(x).reshape(b, n, 3, self.num_heads, c // self.num_heads).transpose(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = ops.matmul(q * self.scale, k.swapaxes(-2, -1))
        bias = ops.gather(self.relative_position_bias_table, self.relative_position_index, 0)
        bias = ops.transpose(bias.reshape(n, n, -1), (2, 0, 1))
        attn = attn + ops.expand_dims(bias, 0)
        if mask is not None:
            nw = mask.shape[0]
            attn = attn.view(b // nw, nw, self.num_heads, n, n) + mask.expand_dims(1).expand_dims(0)
            attn = attn.view(-1, self.num_heads, n, n)
        attn = self.softmax(attn)
        x = ops.matmul(attn, v).swapaxes(1, 2).reshape(b, n, c)
        return self.proj(x)


class SwinBlock(nn.Cell):
    def __init__(self, dim, resolution, num_heads, window_size=4, shift_size=0, mlp_ratio=2.0):
        super().__init__()
        self.input_resolution = resolution
        self.window_size = window_size
        self.shift_size = shift_size
        if min(resolution) <= window_size:
            self.shift_size = 0
            self.window_size = min(resolution)
        self.norm1 = nn.LayerNorm((dim,), epsilon=1e-5)
        self.attn = WindowAttention(dim, self.window_size, num_heads)
        self.norm2 = nn.LayerNorm((dim,), epsilon=1e-5)
        self.mlp = nn.SequentialCell(
            [nn.Dense(dim, int(dim * mlp_ratio)), nn.GELU(False), nn.Dense(int(dim * mlp_ratio), dim)]
        )
        if self.shift_size > 0:
            self.roll_pos, self.roll_neg = Roll(self.shift_size), Roll(-self.shift_size)
            self.attn_mask = Tensor(self._mask(*resolution), ms.float32)
        else:
            self.attn_mask = None

    def _mask(self, h, w):
        picture = np.zeros((1, h, w, 1))
        slices = (
            slice(0, -self.window_size),
            slice(-self.window_size, -self.shift_size),
            slice(-self.shift_size, None),
        )
        count = 0
        for rows in slices:
            for columns in slices:
                picture[:, rows, columns, :] = count
                count += 1
        s = self.window_size
        windows = picture.reshape(1, h // s, s, w // s, s, 1).transpose(0, 1, 3, 2, 4, 5).reshape(-1, s * s)
        difference = windows[:, None, :] - windows[:, :, None]
        return np.where(difference != 0, -100.0, 0.0)

    def construct(self, x):
        h, w = self.input_resolution
        b, _, c = x.shape
        shortcut = x
        x = self.norm1(x).view(b, h, w, c)
        if self.shift_size > 0:
            x = self.roll_neg(x)
        windows = self.attn(window_partition(x, self.window_size), mask=self.attn_mask)
        x = window_reverse(windows, self.window_size, h, w)
        if self.shift_size > 0:
            x = self.roll_pos(x)
        x = shortcut + x.view(b, h * w, c)
        return x + self.mlp(self.norm2(x))


class PatchMerging(nn.Cell):
    def __init__(self, resolution, dim):
        super().__init__()
        self.h, self.w = resolution
        self.reduction = nn.Dense(in_channels=4 * dim, out_channels=2 * dim, has_bias=False)
        self.norm = nn.LayerNorm([dim * 4])

    def construct(self, x):
        b, c = x.shape[0], x.shape[-1]
        x = ops.reshape(x, (b, self.h // 2, 2, self.w // 2, 2, c))
        x = ops.transpose(x, (0, 1, 3, 4, 2, 5))
        return self.reduction(self.norm(x.view(b, -1, 4 * c)))


class Swin(nn.Cell):
    def __init__(self, embed_dim=8, depths=(2, 2), num_heads=(2, 4), num_classes=3, window_size=4):
        super().__init__()
        self.proj = nn.Conv2d(3, embed_dim, 2, 2, has_bias=True, pad_mode="pad", weight_init="XavierUniform")
        layers = []
        resolution, dim = (8, 8), embed_dim
        for stage, depth in enumerate(depths):
            for i in range(depth):
                shift = 0 if i % 2 == 0 else window_size // 2
                layers.append(SwinBlock(dim, resolution, num_heads[stage], window_size, shift))
            if stage < len(depths) - 1:
                layers.append(PatchMerging(resolution, dim))
                resolution, dim = (resolution[0] // 2, resolution[1] // 2), dim * 2
        self.layers = nn.CellList(layers)
        self.norm = nn.LayerNorm([dim])
        self.head = nn.Dense(dim, num_classes)
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Dense):
                cell.weight.set_data(weight_init.initializer(weight_init.TruncatedNormal(sigma=0.1), cell.weight.shape))
                if isinstance(cell, nn.Dense) and cell.bias is not None:
                    cell.bias.set_data(weight_init.initializer(weight_init.Zero(), cell.bias.shape))

    def construct(self, x):
        x = self.proj(x)
        x = x.flatten(start_dim=2).transpose((0, 2, 1))
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x)
        return self.head(ops.mean(x, axis=1))


def make():
    net = Swin()
    net.set_train(True)
    loss_fn = nn.CrossEntropyLoss()
    optimizer = nn.AdamWeightDecay(net.trainable_params(), learning_rate=3e-3, weight_decay=0.01)

    def forward(x, y):
        return loss_fn(net(x), y)

    grad_fn = ms.value_and_grad(forward, grad_position=None, weights=optimizer.parameters)

    @ms.jit
    def train_step(x, y):
        loss, grads = grad_fn(x, y)
        clipped = ops.clip_by_global_norm(grads, 0.5)
        optimizer(clipped)
        return loss, grads

    rng = np.random.RandomState(3)
    batches = [(rng.randn(2, 3, 16, 16).astype(np.float32), rng.randint(0, 3, 2).astype(np.int32)) for _ in range(3)]
    return net, optimizer.parameters, train_step, batches
