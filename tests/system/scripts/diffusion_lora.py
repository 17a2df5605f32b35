"""A diffusion toolkit's fine-tuning.

A small U-Net with attention and time embeddings, low-rank adapters put in place of Dense layers, a frozen base, EMA by
hand, a step by `value_and_grad`, and DDIM sampling with guidance.
"""

import math
from collections import OrderedDict

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.amp import auto_mixed_precision


def get_timestep_embedding(timesteps, embedding_dim, flip_sin_to_cos=True, shift=0.0, max_period=10000):
    half_dim = embedding_dim // 2
    exponent = -math.log(max_period) * ops.arange(0, half_dim).to(ms.float32)
    exponent = exponent / (half_dim - shift)
    emb = ops.exp(exponent)
    emb = timesteps[:, None].to(ms.float32) * emb[None, :]
    emb = ops.cat([ops.sin(emb), ops.cos(emb)], axis=-1)
    if flip_sin_to_cos:
        emb = ops.cat([emb[:, half_dim:], emb[:, :half_dim]], axis=-1)
    return emb


class Attention(nn.Cell):
    def __init__(self, query_dim, cross_dim=None, heads=2, dim_head=4):
        super().__init__()
        inner = heads * dim_head
        self.heads, self.scale = heads, dim_head**-0.5
        self.to_q = nn.Dense(query_dim, inner, has_bias=False)
        self.to_k = nn.Dense(cross_dim or query_dim, inner, has_bias=False)
        self.to_v = nn.Dense(cross_dim or query_dim, inner, has_bias=False)
        self.to_out = nn.CellList([nn.Dense(inner, query_dim), nn.Dropout(p=0.0)])

    def head_to_batch_dim(self, tensor):
        b, n, d = tensor.shape
        return tensor.reshape(b, n, self.heads, d // self.heads).permute(0, 2, 1, 3)

    def construct(self, hidden_states, encoder_hidden_states=None, attention_mask=None):
        residual = hidden_states
        context = hidden_states if encoder_hidden_states is None else encoder_hidden_states
        q, k, v = (
            self.head_to_batch_dim(t) for t in (self.to_q(hidden_states), self.to_k(context), self.to_v(context))
        )
        scores = ops.BatchMatMul(transpose_b=True)(q, k) * self.scale
        if attention_mask is not None:
            scores = scores + attention_mask
        probs = ops.softmax(scores.astype(ms.float32), axis=-1).astype(v.dtype)
        out = ops.matmul(probs, v).permute(0, 2, 1, 3).reshape(residual.shape[0], residual.shape[1], -1)
        for layer in self.to_out:
            out = layer(out)
        return out + residual


class ResnetBlock(nn.Cell):
    def __init__(self, in_channels, out_channels, temb_channels=8):
        super().__init__()
        self.norm1 = nn.GroupNorm(2, in_channels, eps=1e-6)
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, pad_mode="pad", padding=1, has_bias=True)
        self.time_emb_proj = nn.Dense(temb_channels, out_channels)
        self.norm2 = nn.GroupNorm(2, out_channels, eps=1e-6)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, pad_mode="pad", padding=1, has_bias=True)
        self.nonlinearity = nn.SiLU()
        self.conv_shortcut = None
        if in_channels != out_channels:
            self.conv_shortcut = nn.Conv2d(in_channels, out_channels, 1, pad_mode="valid", has_bias=True)

    def construct(self, x, temb):
        h = self.conv1(self.nonlinearity(self.norm1(x)))
        temb = self.time_emb_proj(self.nonlinearity(temb))[:, :, None, None]
        h = self.conv2(self.nonlinearity(self.norm2(h + temb)))
        if self.conv_shortcut is not None:
            x = self.conv_shortcut(x)
        return x + h


class UNet(nn.Cell):
    def __init__(self, channels=4, context=6):
        super().__init__()
        self.config = {"channels": channels, "context": context}
        self.time_embedding = nn.SequentialCell(
            OrderedDict([("linear_1", nn.Dense(channels, 8)), ("act", nn.SiLU()), ("linear_2", nn.Dense(8, 8))])
        )
        self.conv_in = nn.Conv2d(2, channels, 3, pad_mode="pad", padding=1, has_bias=True)
        self.down_blocks = nn.CellList([ResnetBlock(channels, 2 * channels)])
        self.downsample = nn.Conv2d(2 * channels, 2 * channels, 3, 2, pad_mode="pad", padding=1, has_bias=True)
        self.mid_block = ResnetBlock(2 * channels, 2 * channels)
        self.mid_attention = Attention(2 * channels, context)
        self.up_blocks = nn.CellList([])
        self.up_blocks.append(ResnetBlock(4 * channels, channels))
        self.conv_out = nn.SequentialCell(
            nn.GroupNorm(2, channels), nn.SiLU(), nn.Conv2d(channels, 2, 3, pad_mode="pad", padding=1, has_bias=True)
        )

    def construct(self, sample, timestep, encoder_hidden_states):
        temb = self.time_embedding(get_timestep_embedding(timestep, self.config["channels"]))
        x = self.conv_in(sample)
        skips = ()
        for block in self.down_blocks:
            x = block(x, temb)
            skips += (x,)
        x = self.downsample(x)
        x = self.mid_block(x, temb)
        b, c, h, w = x.shape
        tokens = x.reshape(b, c, h * w).swapaxes(1, 2)
        x = self.mid_attention(tokens, encoder_hidden_states).swapaxes(1, 2).reshape(b, c, h, w)
        x = ops.interpolate(x, size=skips[-1].shape[-2:], mode="nearest")
        for block in self.up_blocks:
            x = block(ops.cat([x, skips[-1]], 1), temb)
            skips = skips[:-1]
        return self.conv_out(x)


class LoRADense(nn.Cell):
    def __init__(self, base, rank=2, alpha=4.0):
        super().__init__()
        self.base, self.scaling = base, alpha / rank
        dtype = base.weight.dtype
        self.lora_down = Parameter(ops.ones((rank, base.in_channels), dtype) * 0.1, name="lora_down")
        self.lora_up = Parameter(ops.zeros((base.out_channels, rank), dtype), name="lora_up")

    def construct(self, x):
        down, up = self.lora_down.to(x.dtype), self.lora_up.to(x.dtype)
        delta = ops.matmul(ops.matmul(x, down.T), up.swapaxes(0, 1))
        return self.base(x) + delta * self.scaling


def inject_lora(net, names=("to_q", "to_v")):
    for param in net.get_parameters():
        param.requires_grad = False
    count = 0
    for _, cell in list(net.cells_and_names()):
        for name, child in list(cell.name_cells().items()):
            if isinstance(child, nn.Dense) and name in names:
                setattr(cell, name, LoRADense(child))
                count += 1
    net.update_parameters_name()
    for name, param in net.parameters_and_names():
        if "lora_" in name:
            param.name, param.requires_grad = name, True
    return count


class DDPM:
    def __init__(self, steps=10):
        betas = np.linspace(1e-2, 0.3, steps)
        self.alphas_cumprod = Tensor(np.cumprod(1 - betas), ms.float32)
        self.steps = steps

    def add_noise(self, x, noise, t):
        a = ops.gather(self.alphas_cumprod, t, 0).reshape(-1, 1, 1, 1)
        return ops.sqrt(a) * x + ops.sqrt(1 - a) * noise

    def get_velocity(self, x, noise, t):
        a = self.alphas_cumprod[t][:, None, None, None]
        return a.sqrt() * noise - (1 - a).sqrt() * x


class TrainStep(nn.Cell):
    def __init__(self, unet, scheduler, prediction_type="epsilon", snr_gamma=None):
        super().__init__()
        self.unet, self.scheduler = unet, scheduler
        self.prediction_type, self.snr_gamma = prediction_type, snr_gamma

    def construct(self, latents, noise, t, context):
        noisy = self.scheduler.add_noise(latents, noise, t)
        target = noise if self.prediction_type == "epsilon" else self.scheduler.get_velocity(latents, noise, t)
        pred = self.unet(noisy, t, context)
        if self.snr_gamma is None:
            return ops.mse_loss(pred.float(), target.float())
        a = self.scheduler.alphas_cumprod[t]
        snr = a / (1 - a)
        weights = ops.stack([snr, self.snr_gamma * ops.ones_like(t)], axis=1).min(axis=1) / snr
        loss = ops.mse_loss(pred.float(), target.float(), reduction="none").mean(axis=list(range(1, len(pred.shape))))
        return (loss * weights).mean()


class EMA:
    def __init__(self, params, decay=0.9):
        self.params, self.decay = params, decay
        self.shadow = [Parameter(p.copy(), name=f"ema.{p.name}", requires_grad=False) for p in params]

    def step(self):
        for s, p in zip(self.shadow, self.params):
            s.set_data(s * self.decay + p * (1 - self.decay))

    def copy_to(self):
        for s, p in zip(self.shadow, self.params):
            ops.assign(p, s)


def sample(unet, scheduler, x, context, guidance=2.0, eta=0.0):
    timesteps = np.arange(0, scheduler.steps, 3)[::-1].copy()
    a_all = scheduler.alphas_cumprod.asnumpy()
    for i, t in enumerate(timesteps):
        both = ops.concat([x] * 2)
        uncond, cond = unet(both, Tensor([t] * both.shape[0], ms.int32), context).chunk(2)
        eps = uncond + guidance * (cond - uncond)
        a = float(a_all[t])
        prev = float(a_all[timesteps[i + 1]]) if i + 1 < len(timesteps) else 1.0
        x0 = ((x - math.sqrt(1 - a) * eps) / math.sqrt(a)).clip(-1.5, 1.5)
        x = math.sqrt(prev) * x0 + math.sqrt(max(1 - prev - eta**2, 0.0)) * eps
    return x


def main(initialize):
    out = []
    for mode, kind, gamma, level in (
        (ms.PYNATIVE_MODE, "epsilon", None, "O0"),
        (ms.GRAPH_MODE, "v_prediction", 5.0, "O0"),
        (ms.GRAPH_MODE, "epsilon", None, "O2"),
    ):
        ms.set_context(mode=mode)
        rng = np.random.RandomState(4)
        unet, scheduler = UNet(), DDPM()
        initialize(unet)
        adapted = inject_lora(unet)
        trainable = unet.trainable_params()
        if level != "O0":
            unet = auto_mixed_precision(unet, level, dtype=ms.float16)
        step = TrainStep(unet, scheduler, kind, gamma).set_train()
        optimizer = nn.AdamWeightDecay(trainable, learning_rate=0.05, weight_decay=1e-2)
        grad_fn = ms.value_and_grad(step, None, optimizer.parameters)
        ema = EMA(trainable)

        def train_step(*inputs, grad_fn=grad_fn, optimizer=optimizer):
            loss, grads = grad_fn(*inputs)
            grads = ops.clip_by_global_norm(grads, 1.0)
            optimizer(grads)
            return loss

        losses = []
        for _ in range(4):
            latents, noise = rng.randn(2, 2, 6, 6), rng.randn(2, 2, 6, 6)
            t = Tensor(rng.randint(0, 10, 2), ms.int32)
            context = Tensor(rng.randn(2, 3, 6), ms.float32)
            losses.append(float(train_step(Tensor(latents, ms.float32), Tensor(noise, ms.float32), t, context)))
            ema.step()
        norms = [[p.name, float(np.linalg.norm(p.asnumpy()))] for p in trainable]
        ema.copy_to()
        unet.set_train(False)
        x = Tensor(rng.randn(1, 2, 6, 6), ms.float32)
        image = sample(unet, scheduler, x, Tensor(rng.randn(2, 3, 6), ms.float32))
        if level == "O0":
            out.append([adapted, losses, norms, image.asnumpy()[0, 0, 0].tolist()])
        else:
            out.append([adapted, [round(value, 2) for value in losses], [name for name, _ in norms], str(image.dtype)])
    return out
