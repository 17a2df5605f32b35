"""Denoising diffusion (Ho et al., 2020).

A U-Net with embedded time steps, attention, group norms; a moving average of the weights.
"""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops


def extract(a, t, x_shape):
    b = t.shape[0]
    out = ops.GatherD()(a, -1, t)
    return out.reshape(b, *((1,) * (len(x_shape) - 1)))


class SinusoidalPosEmb(nn.Cell):
    def __init__(self, dim):
        super().__init__()
        half_dim = dim // 2
        self.emb = Tensor(np.exp(np.arange(half_dim) * -(math.log(10000) / (half_dim - 1))), ms.float32)

    def construct(self, x):
        emb = x[:, None] * self.emb[None, :]
        return ops.concat((ops.sin(emb), ops.cos(emb)), axis=-1)


class Residual(nn.Cell):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def construct(self, x, *args, **kwargs):
        return self.fn(x, *args, **kwargs) + x


class WeightStandardizedConv2d(nn.Conv2d):
    def construct(self, x):
        mean = self.weight.mean((1, 2, 3), keep_dims=True)
        var = self.weight.var((1, 2, 3), keepdims=True)
        weight = (self.weight - mean) * ops.rsqrt(var + 1e-5)
        return self.bias_add(self.conv2d(x, weight), self.bias) if self.has_bias else self.conv2d(x, weight)


class Block(nn.Cell):
    def __init__(self, dim, dim_out, groups=2):
        super().__init__()
        self.proj = WeightStandardizedConv2d(dim, dim_out, 3, padding=1, pad_mode="pad", has_bias=True)
        self.norm = nn.GroupNorm(groups, dim_out)
        self.act = nn.SiLU()

    def construct(self, x, scale_shift=None):
        x = self.norm(self.proj(x))
        if scale_shift is not None:
            scale, shift = scale_shift
            x = x * (scale + 1) + shift
        return self.act(x)


class ResnetBlock(nn.Cell):
    def __init__(self, dim, dim_out, *, time_emb_dim=None, groups=2):
        super().__init__()
        self.mlp = (
            nn.SequentialCell(nn.SiLU(), nn.Dense(time_emb_dim, dim_out * 2)) if time_emb_dim is not None else None
        )
        self.block1 = Block(dim, dim_out, groups=groups)
        self.block2 = Block(dim_out, dim_out, groups=groups)
        self.res_conv = nn.Conv2d(dim, dim_out, 1, has_bias=True) if dim != dim_out else nn.Identity()

    def construct(self, x, time_emb=None):
        scale_shift = None
        if self.mlp is not None and time_emb is not None:
            time_emb = self.mlp(time_emb).expand_dims(-1).expand_dims(-1)
            scale_shift = time_emb.split(time_emb.shape[1] // 2, axis=1)
        h = self.block1(x, scale_shift=scale_shift)
        return self.block2(h) + self.res_conv(x)


class LinearAttention(nn.Cell):
    def __init__(self, dim, heads=2, dim_head=4):
        super().__init__()
        self.scale, self.heads = dim_head**-0.5, heads
        self.norm = nn.GroupNorm(1, dim)
        self.to_qkv = nn.Conv2d(dim, heads * dim_head * 3, 1, has_bias=False)
        self.to_out = nn.Conv2d(heads * dim_head, dim, 1, has_bias=True)
        self.map = ops.Map()
        self.partial = ops.Partial()

    def construct(self, x):
        b, _, h, w = x.shape
        qkv = self.to_qkv(self.norm(x)).chunk(3, 1)
        q, k, v = [t.reshape(b, self.heads, -1, h * w) for t in qkv]
        q = ops.softmax(q, -2) * self.scale
        k = ops.softmax(k, -1)
        v = v / (h * w)
        context = ops.bmm(k, v.swapaxes(2, 3))
        out = ops.bmm(context.swapaxes(2, 3), q)
        return self.to_out(out.reshape((b, -1, h, w)))


class Unet(nn.Cell):
    def __init__(self, dim=4, channels=1):
        super().__init__()
        time_dim = dim * 4
        self.init_conv = nn.Conv2d(channels, dim, 3, padding=1, pad_mode="pad", has_bias=True)
        self.time_mlp = nn.SequentialCell(
            SinusoidalPosEmb(dim), nn.Dense(dim, time_dim), nn.GELU(), nn.Dense(time_dim, time_dim)
        )
        self.down1 = ResnetBlock(dim, dim, time_emb_dim=time_dim)
        self.downsample = nn.Conv2d(dim, dim * 2, 4, 2, padding=1, pad_mode="pad", has_bias=True)
        self.mid = nn.CellList(
            [ResnetBlock(dim * 2, dim * 2, time_emb_dim=time_dim), Residual(LinearAttention(dim * 2))]
        )
        self.upsample = nn.Conv2dTranspose(dim * 2, dim, 4, 2, pad_mode="pad", padding=1, has_bias=True)
        self.up1 = ResnetBlock(dim * 2, dim, time_emb_dim=time_dim)
        self.final_conv = nn.Conv2d(dim, channels, 1, has_bias=True)

    def construct(self, x, time):
        x = self.init_conv(x)
        t = self.time_mlp(time)
        skip = x = self.down1(x, t)
        x = self.downsample(x)
        for index, layer in enumerate(self.mid):
            x = layer(x, t) if index == 0 else layer(x)
        x = ops.concat((self.upsample(x), skip), 1)
        return self.final_conv(self.up1(x, t))


class GaussianDiffusion(nn.Cell):
    def __init__(self, model, timesteps=20, loss_type="huber"):
        super().__init__()
        self.model = model
        self.loss_type = loss_type
        betas = np.linspace(1e-3, 0.1, timesteps)
        alphas_cumprod = np.cumprod(1.0 - betas)
        self.sqrt_alphas_cumprod = Tensor(np.sqrt(alphas_cumprod), ms.float32)
        self.sqrt_one_minus = Tensor(np.sqrt(1.0 - alphas_cumprod), ms.float32)
        self.p2_loss_weight = Tensor((1 + alphas_cumprod / (1 - alphas_cumprod)) ** -0.5, ms.float32)

    def q_sample(self, x_start, t, noise):
        return (
            extract(self.sqrt_alphas_cumprod, t, x_start.shape) * x_start
            + extract(self.sqrt_one_minus, t, x_start.shape) * noise
        )

    def construct(self, x_start, t, noise):
        x_noisy = self.q_sample(x_start=x_start, t=t, noise=noise)
        predicted = self.model(x_noisy, t)
        if self.loss_type == "l1":
            loss = ops.l1_loss(predicted, noise, "none")
        elif self.loss_type == "l2":
            loss = ops.mse_loss(predicted, noise, "none")
        elif self.loss_type == "huber":
            loss = ops.smooth_l1_loss(predicted, noise, reduction="none")
        else:
            raise NotImplementedError()
        loss = loss.reshape(loss.shape[0], -1).mean(axis=1)
        return (loss * extract(self.p2_loss_weight, t, loss.shape)).mean()


class EMA(nn.Cell):
    def __init__(self, model, decay=0.9):
        super().__init__(auto_prefix=False)
        self.online = ms.ParameterTuple(model.trainable_params())
        self.averaged = self.online.clone("ema", init="zeros")
        self.decay = decay
        self.hyper_map = ops.HyperMap()

    def construct(self):
        return self.hyper_map(ops.partial(average, self.decay), self.averaged, self.online)


average = ops.MultitypeFuncGraph("average")


@average.register("Number", "Tensor", "Tensor")
def _average(decay, averaged, online):
    return ops.assign(averaged, averaged * decay + online * (1 - decay))


def make():
    net = GaussianDiffusion(Unet())
    net.set_train()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=2e-3, beta1=0.9, beta2=0.99)
    ema = EMA(net)
    grad_fn = ms.value_and_grad(net, None, optimizer.parameters, has_aux=False)

    @ms.jit
    def train_step(x, t, noise):
        loss, grads = grad_fn(x, t, noise)
        clipped = ops.clip_by_global_norm(grads, 1.0)
        loss = ops.depend(loss, optimizer(clipped))
        ema()
        distance = (ema.averaged[0] - ema.online[0]).abs().sum()
        return (loss, distance), grads

    rng = np.random.RandomState(18)
    batches = []
    for _ in range(3):
        x, noise = rng.rand(2, 1, 8, 8).astype(np.float32), rng.randn(2, 1, 8, 8).astype(np.float32)
        batches.append((x, rng.randint(0, 20, 2).astype(np.int32), noise))
    return net, optimizer.parameters, train_step, batches
