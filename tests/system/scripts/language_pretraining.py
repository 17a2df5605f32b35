"""A suite of large language models, small.

Rotary attention with a cache of Parameters, RMSNorm, a gated feed-forward, weights that are tied, a fused-like AdamW
written with MultitypeFuncGraph, global-norm clipping, a warmed up polynomial rate, micro batches, a run monitor, and
generation step by step with a compiled first and next phase.
"""

import copy
import math

import mindspore as ms
import mindspore.common.dtype as mstype
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.amp import all_finite
from mindspore.common.initializer import Normal, initializer
from mindspore.nn.optim.optimizer import Optimizer
from mindspore.ops import composite as C, functional as F, operations as P
from mindspore.train.callback import Callback, RunContext


class Config:
    def __init__(self, **kwargs):
        self.vocab_size, self.hidden_size, self.num_layers, self.num_heads = 13, 8, 2, 2
        self.seq_length, self.batch_size, self.rms_norm_eps, self.use_past = 6, 2, 1e-6, False
        self.compute_dtype, self.param_init_type, self.pad_token_id = mstype.float32, mstype.float32, 0
        self.ignore_token_id = -100
        for key, value in kwargs.items():
            setattr(self, key, value)

    def to_dict(self):
        return copy.deepcopy(self.__dict__)


class RMSNorm(nn.Cell):
    def __init__(self, dim, eps=1e-6, compute_type=mstype.float32):
        super().__init__()
        self.eps, self.compute_type = Tensor(float(eps), dtype=compute_type), compute_type
        self.weight = Parameter(initializer("ones", (dim,), dtype=mstype.float32), parallel_optimizer=False)
        self.square, self.mean, self.add, self.rsqrt = P.Square(), P.ReduceMean(keep_dims=True), P.Add(), P.Rsqrt()
        self.mul, self.mul2, self.cast = P.Mul(), P.Mul(), P.Cast()

    def construct(self, x):
        original_type = x.dtype
        norm = self.mean(self.square(self.cast(x, self.compute_type)), -1)
        out = self.mul(self.cast(x, self.compute_type), self.rsqrt(self.add(norm, self.eps)))
        return self.mul2(self.cast(out, original_type), self.cast(self.weight, original_type))


class RotaryEmbedding(nn.Cell):
    def __init__(self, head_dim, max_len, theta=10000.0):
        super().__init__(auto_prefix=False)
        freqs = 1.0 / (theta ** (np.arange(0, head_dim, 2)[: head_dim // 2].astype(np.float32) / head_dim))
        emb = np.concatenate([np.outer(np.arange(max_len), freqs)] * 2, axis=-1)
        self.cos, self.sin = Tensor(np.cos(emb), ms.float32), Tensor(np.sin(emb), ms.float32)
        self.neg, self.slice, self.concat = P.Neg(), P.StridedSlice(), P.Concat(axis=-1)
        self.head_dim = head_dim

    def rotate_half(self, x):
        bs, n, s, _ = P.Shape()(x)
        x1 = self.slice(x, (0, 0, 0, 0), (bs, n, s, self.head_dim // 2), (1, 1, 1, 1))
        x2 = self.slice(x, (0, 0, 0, self.head_dim // 2), (bs, n, s, self.head_dim), (1, 1, 1, 1))
        return self.concat((self.neg(x2), x1))

    def construct(self, xq, xk, start=0):
        length = xq.shape[2]
        if isinstance(start, int):
            cos, sin = self.cos[start : start + length], self.sin[start : start + length]
        else:
            cos, sin = ops.gather(self.cos, start, 0), ops.gather(self.sin, start, 0)
        return xq * cos + self.rotate_half(xq) * sin, xk * cos + self.rotate_half(xk) * sin


class Attention(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.n_head, self.head_dim = config.num_heads, config.hidden_size // config.num_heads
        self.use_past, self.norm_factor = config.use_past, math.sqrt(self.head_dim)
        self.w = nn.Dense(config.hidden_size, 3 * config.hidden_size, has_bias=False, weight_init=Normal(0.02))
        self.wo = nn.Dense(config.hidden_size, config.hidden_size, has_bias=False)
        self.rotary = RotaryEmbedding(self.head_dim, config.seq_length)
        self.batch_matmul, self.batch_matmul_q_k = P.BatchMatMul(), P.BatchMatMul(transpose_b=True)
        self.softmax, self.transpose, self.split = P.Softmax(), P.Transpose(), P.Split(axis=-1, output_num=3)
        if self.use_past:
            shape = (1, self.n_head, config.seq_length, self.head_dim)
            self.key_past = Parameter(Tensor(np.zeros(shape), ms.float32), name="key_past", requires_grad=False)
            self.value_past = Parameter(Tensor(np.zeros(shape), ms.float32), name="value_past", requires_grad=False)
            self.range = Tensor(np.arange(config.seq_length).reshape(1, 1, -1, 1), mstype.int32)
            self.assign, self.is_first_iteration = P.Assign(), True
            self.add_flags(is_first_iteration=True)

    def construct(self, x, mask, position):
        bs, seq, hidden = self.shape_of(x)
        q, k, v = self.split(self.w(x))
        q, k, v = (self.transpose(t.reshape(bs, seq, self.n_head, self.head_dim), (0, 2, 1, 3)) for t in (q, k, v))
        if self.use_past and not self.is_first_iteration:
            q, k = self.rotary(q, k, position)
            valid = (self.range == position.reshape(1, 1, -1, 1)).astype(k.dtype)
            k = self.key_past * (1 - valid) + k * valid
            v = self.value_past * (1 - valid) + v * valid
            self.assign(self.key_past, k)
            self.assign(self.value_past, v)
        else:
            q, k = self.rotary(q, k)
            if self.use_past:
                self.assign(self.key_past, k)
                self.assign(self.value_past, v)
        scores = self.batch_matmul_q_k(q, k) / self.norm_factor
        scores = P.Add()(scores, mask * -10000.0)
        context = self.batch_matmul(self.softmax(scores.astype(mstype.float32)).astype(v.dtype), v)
        return self.wo(self.transpose(context, (0, 2, 1, 3)).reshape((bs, seq, hidden)))

    def shape_of(self, x):
        return P.Shape()(x)


class Block(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.attention_norm, self.ffn_norm = RMSNorm(config.hidden_size), RMSNorm(config.hidden_size)
        self.attention = Attention(config)
        self.w1 = nn.Dense(config.hidden_size, 12, has_bias=False, activation=nn.SiLU())
        self.w2, self.w3 = (
            nn.Dense(12, config.hidden_size, has_bias=False),
            nn.Dense(config.hidden_size, 12, has_bias=False),
        )

    def construct(self, x, mask, position):
        x = x + self.attention(self.attention_norm(x), mask, position)
        h = self.ffn_norm(x)
        return x + self.w2(self.w1(h) * self.w3(h))


class Model(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.tok_embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.CellList()
        for index in range(config.num_layers):
            layer = Block(config)
            layer.pipeline_stage = index
            self.layers.append(layer)
        self.norm_out = RMSNorm(config.hidden_size)
        self.mask = Tensor(np.triu(np.ones((config.seq_length, config.seq_length)), 1), ms.float32)
        self.num_layers, self.config = config.num_layers, config

    def construct(self, tokens, position=None):
        _, seq = tokens.shape
        if position is None:
            mask = self.mask[:seq, :seq] if seq > 1 else self.mask
        else:
            mask = ops.gather(self.mask, position, 0).reshape(1, 1, seq, -1)
        h = self.tok_embeddings(tokens)
        for i in range(self.num_layers):
            h = self.layers[i](h, mask, position)
        return self.norm_out(h)


class ForCausalLM(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.model, self.config = Model(config), config
        self.lm_head = nn.Dense(config.hidden_size, config.vocab_size, has_bias=False)
        self.lm_head.weight = self.model.tok_embeddings.embedding_table
        self.loss = nn.CrossEntropyLoss(ignore_index=config.ignore_token_id, reduction="none")
        self.not_equal = P.NotEqual()

    def construct(self, input_ids, labels=None, position=None):
        if self.training:
            tokens = input_ids[:, :-1]
            labels = input_ids[:, 1:] if labels is None else labels[:, 1:]
        else:
            tokens = input_ids
        logits = self.lm_head(self.model(tokens, position))
        if not self.training:
            return logits
        weights = self.not_equal(labels, self.config.pad_token_id).astype(mstype.float32).reshape(-1)
        loss = self.loss(logits.reshape(-1, logits.shape[-1]).astype(mstype.float32), labels.reshape(-1))
        return (loss * weights).sum() / (weights.sum() + 1e-8)


_adamw_opt = C.MultitypeFuncGraph("adamw_opt")


@_adamw_opt.register(
    "Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Number", "Tensor", "Tensor", "Tensor", "Tensor", "Bool"
)
def _update(beta1, beta2, eps, lr, power, weight_decay, param, m, v, gradient, decay_flag):
    gradient = F.cast(gradient, mstype.float32)
    next_m = beta1 * m + (1 - beta1) * gradient
    next_v = beta2 * v + (1 - beta2) * F.square(gradient)
    update = next_m / (1 - F.pow(beta1, power)) / (eps + F.sqrt(next_v / (1 - F.pow(beta2, power))))
    if decay_flag:
        update = update + weight_decay * param
    next_param = param - lr * update
    next_param = F.depend(next_param, F.assign(param, F.cast(next_param, F.dtype(param))))
    next_param = F.depend(next_param, F.assign(m, next_m))
    return F.depend(next_param, F.assign(v, next_v))


class AdamW(Optimizer):
    def __init__(self, params, learning_rate=1e-3, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.1):
        super().__init__(learning_rate, params, weight_decay)
        self.beta1, self.beta2 = (
            Tensor(np.array([betas[0]]).astype(np.float32)),
            Tensor(np.array([betas[1]]).astype(np.float32)),
        )
        self.eps = Tensor(np.array([eps]).astype(np.float32))
        self.moments1 = self.clone_state("adam_m", "zeros")
        self.moments2 = self.clone_state("adam_v", "zeros")
        self.hyper_map = C.HyperMap()

    def clone_state(self, prefix, init):
        return ParameterTuple(
            [
                Parameter(initializer(init, p.shape, mstype.float32), name=prefix + "." + p.name, requires_grad=False)
                for p in self.parameters
            ]
        )  # fmt: skip

    def construct(self, gradients):
        gradients = self.flatten_gradients(gradients)
        weight_decay = self.get_weight_decay()
        lr = self.get_lr()
        power = F.cast(self.global_step, mstype.float32)
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        power = power + 1.0
        if self.is_group:
            if self.is_group_lr:
                return self.hyper_map(
                    F.partial(_adamw_opt, self.beta1, self.beta2, self.eps), lr, self.spread(power), weight_decay,
                    self._parameters, self.moments1, self.moments2, gradients, self.decay_flags,
                )  # fmt: skip
            return self.hyper_map(
                F.partial(_adamw_opt, self.beta1, self.beta2, self.eps, lr, power), weight_decay,
                self._parameters, self.moments1, self.moments2, gradients, self.decay_flags,
            )  # fmt: skip
        return self.hyper_map(
            F.partial(_adamw_opt, self.beta1, self.beta2, self.eps, lr, power, weight_decay),
            self._parameters, self.moments1, self.moments2, gradients, self.decay_flags,
        )  # fmt: skip

    def spread(self, value):
        return (value,) * len(self.moments1)


class WarmUpPolynomial(nn.learning_rate_schedule.LearningRateSchedule):
    def __init__(self, learning_rate, warmup_steps, total_steps, lr_end=1e-4, power=1.0):
        super().__init__()
        self.kwargs = {"lr_end": lr_end, "power": power}
        self.learning_rate, self.warmup_steps, self.decay_steps = (
            learning_rate,
            warmup_steps,
            total_steps - warmup_steps,
        )
        self.greater, self.cast = P.Greater(), P.Cast()

    def construct(self, global_step):
        global_step = self.cast(global_step, mstype.float32)
        if self.greater(self.warmup_steps, global_step):
            return self.learning_rate * (global_step + 1) / self.warmup_steps
        left = ops.clip_by_value(1 - (global_step - self.warmup_steps) / self.decay_steps, 0.0, 1.0)
        lr_end, power = self.kwargs["lr_end"], self.kwargs["power"]
        return (self.learning_rate - lr_end) * (left**power) + lr_end


get_square_sum = C.MultitypeFuncGraph("get_square_sum")


@get_square_sum.register("Tensor")
def _get_square_sum(grad):
    return F.expand_dims(F.reduce_sum(F.square(F.cast(grad, mstype.float32)), ()), 0)


apply_global_norm = C.MultitypeFuncGraph("apply_global_norm")


@apply_global_norm.register("Tensor", "Tensor", "Tensor")
def _apply_global_norm(clip_norm, global_norm, grad):
    return F.cast(grad * clip_norm / global_norm, F.dtype(grad))


class GlobalNorm(nn.Cell):
    def __init__(self, clip_norm=1.0):
        super().__init__()
        self.clip_norm, self.hyper_map = Tensor([clip_norm], mstype.float32), C.HyperMap()

    def construct(self, grads):
        norm = F.sqrt(F.addn(self.hyper_map(get_square_sum, grads)))
        if P.ReduceAll()(norm > self.clip_norm):
            grads = self.hyper_map(F.partial(apply_global_norm, self.clip_norm, norm), grads)
        return grads, norm


class MFTrainOneStepCell(nn.TrainOneStepWithLossScaleCell):
    def __init__(self, network, optimizer, scale_sense, max_grad_norm=1.0, micro_batch_num=1):
        super().__init__(network, optimizer, scale_sense)
        self.clip_grad_norm, self.micro_batch_num = GlobalNorm(max_grad_norm), micro_batch_num
        self.learning_rate = copy.deepcopy(self.optimizer.learning_rate)

    def construct(self, *inputs):
        weights = self.weights
        loss = self.network(*inputs)
        scaling_sens = self.scale_sense
        filled = C.ones_like(loss) * F.cast(scaling_sens, F.dtype(loss))
        grads = self.grad(self.network, weights)(*inputs, filled)
        grads = self.hyper_map(F.partial(_scale, scaling_sens * self.micro_batch_num), grads)
        grads = self.grad_reducer(grads)
        grads, norm = self.clip_grad_norm(grads)
        overflow = self.process_loss_scale(ops.logical_not(all_finite(grads)))
        learning_rate = self.learning_rate
        if self.optimizer.dynamic_lr:
            if self.optimizer.is_group_lr:
                learning_rate = self.learning_rate[-1](self.optimizer.global_step).reshape(())
            else:
                learning_rate = self.learning_rate(self.optimizer.global_step).reshape(())
        loss = F.depend(loss, self.optimizer(grads))
        return loss, overflow, scaling_sens, learning_rate, norm


_scale = C.MultitypeFuncGraph("scale")


@_scale.register("Tensor", "Tensor")
def _tensor_scale(scale, grad):
    return F.cast(grad, mstype.float32) * P.Reciprocal()(scale)


class MFLossMonitor(Callback):
    def __init__(self):
        super().__init__()
        self.steps, self.infos = [], {}

    def on_train_begin(self, run_context: RunContext):
        params = run_context.original_args()
        self.infos["network"] = type(params.network).__name__
        self.infos["begin"] = [
            params.epoch_num,
            params.batch_num,
            params.dataset_sink_mode,
            len(params.list_callback) > 0,
        ]

    def step_end(self, run_context):
        loss, overflow, scale, lr, norm = run_context.original_args().net_outputs[:5]
        self.steps.append([float(loss), bool(overflow), float(scale), float(lr), float(norm.asnumpy().sum())])


def generate(net, prompt, steps, config):
    tokens = np.zeros((1, config.seq_length), np.int32)
    tokens[0, : len(prompt)] = prompt
    net.set_train(False)
    net.add_flags_recursive(is_first_iteration=True)
    for layer in net.model.layers:
        layer.attention.is_first_iteration = True
    logits = net(Tensor(tokens))
    index, out = len(prompt) - 1, []
    for layer in net.model.layers:
        layer.attention.is_first_iteration = False
    for _ in range(steps):
        row = logits[0, index if logits.shape[1] > 1 else 0]
        token = int(row.argmax())
        index += 1
        out.append([token, float(row.max())])
        logits = net(Tensor([[token]], ms.int32), None, Tensor([index], ms.int32))
    return out


def main(initialize):
    out = []
    for mode, grouped in ((ms.PYNATIVE_MODE, False), (ms.PYNATIVE_MODE, True)):
        ms.set_context(mode=mode)
        config = Config(seq_length=6)
        net = ForCausalLM(config)
        initialize(net)
        params = net.trainable_params()
        schedule = WarmUpPolynomial(0.05, 2, 8)
        if grouped:
            params = [
                {"params": [p for p in params if p.ndim > 1], "weight_decay": 0.1},
                {"params": [p for p in params if p.ndim == 1], "weight_decay": 0.0},
            ]
        optimizer = AdamW(params, schedule)
        step = MFTrainOneStepCell(net, optimizer, nn.DynamicLossScaleUpdateCell(2**10, 2, 3), max_grad_norm=0.5)
        rng = np.random.RandomState(8)
        dataset = ds.GeneratorDataset(
            [(rng.randint(0, 13, 7).astype(np.int32),) for _ in range(8)], ["ids"], shuffle=False
        )
        dataset = dataset.batch(2, drop_remainder=True, output_columns=["ids"])
        monitor = MFLossMonitor()
        ms.Model(step).train(2, dataset, callbacks=[monitor], dataset_sink_mode=False)
        names = [p.name for p in optimizer.get_parameters()][:6]
        past = ForCausalLM(Config(seq_length=6, use_past=True))
        left, _ = ms.load_param_into_net(past, net.parameters_dict())
        ms.set_context(mode=mode)
        out.append([monitor.steps, monitor.infos, names, len(left), generate(past, [3, 5], 3, config)])
    return out
