"""A classification toolkit's trainer.

A registry of models, a label-smoothing loss, groups without decay, a warmed up cosine rate, EMA and accumulation in a
step that is subclassed, callbacks that validate and save, resuming from a checkpoint.
"""

import math
import os
import tempfile

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.common import RowTensor, dtype as mstype
from mindspore.ops import composite as C, functional as F
from mindspore.train import Model, Top1CategoricalAccuracy
from mindspore.train.callback import Callback, CheckpointConfig, ModelCheckpoint, RunContext
from mindspore.train.serialization import load_checkpoint, load_param_into_net

_model_entrypoints = {}


def register_model(fn):
    _model_entrypoints[fn.__name__] = fn
    return fn


def create_model(model_name, num_classes=3, checkpoint_path="", **kwargs):
    model = _model_entrypoints[model_name](
        num_classes=num_classes, **{k: v for k, v in kwargs.items() if v is not None}
    )
    if checkpoint_path:
        load_param_into_net(model, load_checkpoint(checkpoint_path))
    return model


def make_divisible(v, divisor, min_value=None):
    min_value = min_value or divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    return new_v + divisor if new_v < 0.9 * v else new_v


class SqueezeExcite(nn.Cell):
    def __init__(self, channels, rd_ratio=0.5):
        super().__init__()
        rd = make_divisible(channels * rd_ratio, 2)
        self.conv_reduce = nn.Conv2d(channels, rd, 1, has_bias=True)
        self.act = nn.ReLU()
        self.conv_expand = nn.Conv2d(rd, channels, 1, has_bias=True)
        self.gate = nn.HSigmoid()

    def construct(self, x):
        x_se = x.mean((2, 3), keep_dims=True)
        return x * self.gate(self.conv_expand(self.act(self.conv_reduce(x_se))))


class Block(nn.Cell):
    def __init__(self, c1, c2, stride, use_se):
        super().__init__()
        self.use_res_connect = stride == 1 and c1 == c2
        layers = [nn.Conv2d(c1, c1, 3, stride, pad_mode="pad", padding=1, group=c1), nn.BatchNorm2d(c1), nn.HSwish()]
        if use_se:
            layers.append(SqueezeExcite(c1))
        layers.extend([nn.Conv2d(c1, c2, 1), nn.BatchNorm2d(c2)])
        self.layers = nn.SequentialCell(layers)

    def construct(self, x):
        return ops.add(x, self.layers(x)) if self.use_res_connect else self.layers(x)


class TinyMobile(nn.Cell):
    def __init__(self, num_classes, alpha=1.0):
        super().__init__()
        c = make_divisible(4 * alpha, 4)
        features = [
            nn.SequentialCell([nn.Conv2d(3, c, 3, 2, pad_mode="pad", padding=1), nn.BatchNorm2d(c), nn.ReLU6()])
        ]
        for out, stride, se in [(c, 1, True), (2 * c, 2, False)]:
            features.append(Block(c, out, stride, se))
            c = out
        self.features = nn.SequentialCell(features)
        self.pool = ops.ReduceMean(keep_dims=False)
        self.classifier = nn.Dense(c, num_classes)
        self._initialize_weights()

    def _initialize_weights(self):
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Conv2d):
                fan_out = cell.kernel_size[0] * cell.kernel_size[1] * cell.out_channels
                cell.weight.set_data(
                    ms.common.initializer.initializer(
                        ms.common.initializer.Normal(math.sqrt(2.0 / fan_out)), cell.weight.shape, cell.weight.dtype
                    )
                )
            elif isinstance(cell, nn.BatchNorm2d):
                cell.gamma.set_data(ms.common.initializer.initializer("ones", cell.gamma.shape, cell.gamma.dtype))

    def construct(self, x):
        return self.classifier(self.pool(self.features(x), (2, 3)))


@register_model
def tiny_mobile(num_classes=3, **kwargs):
    return TinyMobile(num_classes, **kwargs)


class CrossEntropySmooth(nn.LossBase):
    def __init__(self, smoothing=0.0, aux_factor=0.0, reduction="mean"):
        super().__init__()
        self.smoothing, self.aux_factor, self.reduction = smoothing, aux_factor, reduction

    def construct(self, logits, labels):
        loss_aux = 0
        if isinstance(logits, tuple):
            main_logits = logits[0]
            for aux in logits[1:]:
                if self.aux_factor > 0:
                    loss_aux += F.cross_entropy(aux, labels, reduction=self.reduction, label_smoothing=self.smoothing)
        else:
            main_logits = logits
        loss = F.cross_entropy(main_logits, labels, reduction=self.reduction, label_smoothing=self.smoothing)
        return loss + self.aux_factor * loss_aux


def init_group_params(params, weight_decay, filter_bias_and_bn=True):
    decay_params, no_decay_params = [], []
    for param in params:
        if filter_bias_and_bn and len(param.shape) == 1:
            no_decay_params.append(param)
        else:
            decay_params.append(param)
    return [
        {"params": decay_params, "weight_decay": weight_decay},
        {"params": no_decay_params},
        {"order_params": params},
    ]


def warmup_cosine(min_lr, max_lr, steps, warmup):
    lrs = []
    for i in range(steps):
        if i < warmup:
            lrs.append(max_lr * (i + 1) / warmup)
        else:
            lrs.append(min_lr + 0.5 * (max_lr - min_lr) * (1 + math.cos(math.pi * (i - warmup) / (steps - warmup))))
    return lrs


_ema_op = C.MultitypeFuncGraph("ema_op")


@_ema_op.register("Tensor", "Tensor", "Tensor")
def _ema_weights(factor, ema_weight, weight):
    return F.assign(ema_weight, ema_weight * factor + weight * (1 - factor))


_grad_scale = C.MultitypeFuncGraph("grad_scale")
_reciprocal = ops.Reciprocal()


@_grad_scale.register("Tensor", "Tensor")
def tensor_grad_scale(scale, grad):
    return grad * F.cast(_reciprocal(scale), F.dtype(grad))


@_grad_scale.register("Tensor", "RowTensor")
def tensor_grad_scale_row_tensor(scale, grad):
    return RowTensor(grad.indices, grad.values * F.cast(_reciprocal(scale), F.dtype(grad.values)), grad.dense_shape)


class TrainStep(nn.TrainOneStepWithLossScaleCell):
    def __init__(
        self, network, optimizer, scale_sense=1.0, ema=False, ema_decay=0.9, clip_grad=False, clip_value=15.0,
        gradient_accumulation_steps=1,
    ):  # fmt: skip
        super().__init__(network, optimizer, scale_sense)
        self.ema, self.ema_decay, self.updates = ema, ema_decay, Parameter(Tensor(0.0, ms.float32), requires_grad=False)
        self.clip_grad, self.clip_value = clip_grad, clip_value
        if self.ema:
            self.weights_all = ms.ParameterTuple(list(network.get_parameters()))
            self.ema_weight = self.weights_all.clone("ema", init="same")
        self.accumulate_grad = gradient_accumulation_steps > 1
        if self.accumulate_grad:
            self.gradient_accumulation_steps = Parameter(Tensor(gradient_accumulation_steps, ms.float32), name="steps")
            self.current_step = Parameter(Tensor(0.0, ms.float32), name="current_step", requires_grad=False)
            self.grad_acc = self.weights.clone("grad_acc", init="zeros")
            self.hyper_map = ops.HyperMap()

    def ema_update(self):
        self.updates += 1
        d = self.ema_decay * (1 - F.exp(-self.updates / 2000))
        self.hyper_map(F.partial(_ema_op, d), self.ema_weight, self.weights_all)
        return self.updates

    def construct(self, *inputs):
        weights = self.weights
        loss = self.network(*inputs)
        scaling_sens = self.scale_sense
        _, scaling_sens = self.start_overflow_check(loss, scaling_sens)
        scaling_sens_filled = C.ones_like(loss) * F.cast(scaling_sens, F.dtype(loss))
        grads = self.grad(self.network, weights)(*inputs, scaling_sens_filled)
        grads = self.hyper_map(F.partial(_grad_scale, scaling_sens), grads)
        if self.accumulate_grad:
            loss = F.depend(
                loss, self.hyper_map(F.partial(_accumulate, self.gradient_accumulation_steps), self.grad_acc, grads)
            )
            self.current_step += 1
            if self.current_step >= self.gradient_accumulation_steps:
                loss = self._update(loss, self.grad_acc)
                loss = F.depend(loss, self.hyper_map(F.partial(_clear), self.grad_acc))
                self.current_step = F.depend(Tensor(0.0, ms.float32), loss)
            if self.ema:
                loss = F.depend(loss, self.ema_update())
            return loss
        loss = self._update(loss, self.grad_reducer(grads))
        if self.ema:
            loss = F.depend(loss, self.ema_update())
        return loss

    def _update(self, loss, grads):
        if self.clip_grad:
            grads = ops.clip_by_global_norm(grads, self.clip_value)
        return F.depend(loss, self.optimizer(grads))


_accumulate_op = C.MultitypeFuncGraph("gradient_accumulation_op")


@_accumulate_op.register("Tensor", "Tensor", "Tensor")
def _accumulate_tensor(steps, total, grad):
    return F.assign_add(total, grad / steps)


_accumulate = _accumulate_op
_clear = C.MultitypeFuncGraph("gradient_clear_op")


@_clear.register("Tensor")
def _clear_tensor(total):
    return F.assign(total, F.zeros_like(total))


class StateMonitor(Callback):
    def __init__(self, model, summary_dir, dataset_val=None, val_interval=1, metric_name=("accuracy",), ema=False):
        super().__init__()
        self.model, self.dataset_val, self.ema = model, dataset_val, ema
        self.val_interval, self.metric_name = val_interval, list(metric_name)
        self.summary_dir, self.log, self.losses, self.rates, self.best = summary_dir, [], [], [], 0.0
        if self.ema:
            self.hyper_map = ops.HyperMap()
            self.online_params = ParameterTuple(self.model.train_network.get_parameters())
            self.swap_params = self.online_params.clone("swap", "zeros")

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, *err):
        self.log.append("exit")

    def on_train_begin(self, run_context):
        cb_params = run_context.original_args()
        self.log.append(["begin", cb_params.epoch_num, cb_params.batch_num, type(cb_params.train_network).__name__])

    def on_train_step_end(self, run_context):
        cb_params = run_context.original_args()
        loss = cb_params.net_outputs
        loss = loss[0] if isinstance(loss, (tuple, list)) else loss
        self.losses.append(float(np.mean(loss.asnumpy())))
        optimizer = cb_params.train_network.optimizer
        lr = optimizer.learning_rate(optimizer.global_step - 1) if optimizer.dynamic_lr else optimizer.learning_rate
        self.rates.append(float(lr.asnumpy()))

    def on_train_epoch_end(self, run_context):
        cb_params = run_context.original_args()
        cur_epoch = cb_params.cur_epoch_num
        if self.dataset_val is not None and cur_epoch % self.val_interval == 0:
            cb_params.train_network.set_train(False)
            result = self.model.eval(self.dataset_val, dataset_sink_mode=False)
            cb_params.train_network.set_train(True)
            self.best = max(self.best, result[self.metric_name[0]])
            self.log.append([cur_epoch, cb_params.cur_step_num, result[self.metric_name[0]], result["loss"]])
        ms.save_checkpoint(
            cb_params.train_network, os.path.join(self.summary_dir, f"tiny-{cur_epoch}.ckpt"),
            append_dict={"epoch_num": cur_epoch},
        )  # fmt: skip


def create_dataset(count, batch_size, seed):
    rng = np.random.RandomState(seed)
    images = (rng.rand(count, 10, 10, 3) * 255).astype(np.uint8)
    labels = rng.randint(0, 3, count)
    dataset = ds.GeneratorDataset(list(zip(images, labels)), ["image", "label"], shuffle=False)
    mean, std = [0.485 * 255, 0.456 * 255, 0.406 * 255], [0.229 * 255, 0.224 * 255, 0.225 * 255]
    trans = [ds.vision.Resize((9, 9)), ds.vision.CenterCrop(8), ds.vision.Normalize(mean, std), ds.vision.HWC2CHW()]
    dataset = dataset.map(trans, input_columns="image", num_parallel_workers=1)
    dataset = dataset.map(ds.transforms.TypeCast(mstype.int32), input_columns="label", num_parallel_workers=1)
    return dataset.batch(batch_size, drop_remainder=True)


def train(initialize, folder, level, epochs, resume="", mode=ms.GRAPH_MODE, total=0, **options):
    ms.set_context(mode=mode)
    network = create_model("tiny_mobile", alpha=1.5)
    initialize(network)
    loss = CrossEntropySmooth(smoothing=0.1)
    lrs = warmup_cosine(1e-3, 0.05, 3 * (total or epochs), 2)
    dataset, val = create_dataset(12, 4, 1), create_dataset(8, 4, 2)
    params = init_group_params(network.trainable_params(), 1e-2)
    optimizer = nn.Momentum(params, learning_rate=lrs, momentum=0.9, weight_decay=1e-2, use_nesterov=True)
    metrics = {"accuracy": Top1CategoricalAccuracy(), "loss": nn.Loss()}
    model = Model(network, loss_fn=loss, metrics={"loss": nn.Loss(), "accuracy": nn.Accuracy()}, amp_level=level)
    del metrics
    step = TrainStep(nn.WithLossCell(network, loss), optimizer, nn.FixedLossScaleUpdateCell(64.0), **options)
    if resume:
        load_param_into_net(step, load_checkpoint(resume))
    step.set_train()
    with StateMonitor(model, folder, val) as monitor:
        model = Model(step)
        monitor.model = Model(network, loss_fn=loss, metrics={"loss": nn.Loss(), "accuracy": nn.Accuracy()})
        config = CheckpointConfig(save_checkpoint_steps=3, keep_checkpoint_max=1)
        model.train(epochs, dataset, [monitor, ModelCheckpoint("last", folder, config)], dataset_sink_mode=False)
    state = {p.name: p for p in step.get_parameters()}
    norms = {name: float(np.linalg.norm(p.asnumpy())) for name, p in list(state.items())[:8]}
    kept = [name for name in sorted(os.listdir(folder)) if name.endswith(".ckpt")]
    return [monitor.losses, monitor.rates, monitor.log, norms, len(state), kept]


def main(initialize):
    out = []
    with tempfile.TemporaryDirectory() as folder:
        out.append(train(initialize, folder, "O0", 2, ema=True, clip_grad=True, clip_value=1.0))
        saved = load_checkpoint(os.path.join(folder, "tiny-1.ckpt"))
        out.append([int(saved["epoch_num"]), int(saved["global_step"]), sorted(saved)[:6]])
        out.append(train(initialize, folder, "O0", 1, os.path.join(folder, "tiny-1.ckpt"), total=2))
    with tempfile.TemporaryDirectory() as folder:
        out.append(train(initialize, folder, "O0", 2, gradient_accumulation_steps=2, mode=ms.PYNATIVE_MODE)[:3])
    assert RunContext is not None
    return out
