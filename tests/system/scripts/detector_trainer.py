"""A detector trainer.

Parameter groups by kind, a warmed up SGD with momentum by groups, mixed precision, accumulated gradients.
"""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.amp import DynamicLossScaler, StaticLossScaler, all_finite, auto_mixed_precision


class Conv(nn.Cell):
    default_act = nn.SiLU()

    def __init__(self, c1, c2, k=1, s=1, p=None, g=1, act=True):
        super().__init__()
        p = k // 2 if p is None else p
        self.conv = nn.Conv2d(c1, c2, k, s, pad_mode="pad", padding=p, group=g, has_bias=False)
        self.bn = nn.BatchNorm2d(c2, momentum=0.97, eps=1e-3)
        self.act = nn.SiLU() if act is True else act if isinstance(act, nn.Cell) else nn.Identity()

    def construct(self, x):
        return self.act(self.bn(self.conv(x)))


class Detector(nn.Cell):
    def __init__(self, nc=2):
        super().__init__()
        self.model = nn.SequentialCell([Conv(3, 4, 3, 2), Conv(4, 8, 3, 2), nn.Conv2d(8, 5 + nc, 1, has_bias=True)])
        self.stride = Tensor(np.array([4.0]), ms.int32)

    def construct(self, x):
        return self.model(x)


class Loss(nn.Cell):
    def __init__(self):
        super().__init__()
        self.bce = ops.SigmoidCrossEntropyWithLogits()

    def construct(self, pred, targets, imgs):
        pred = ops.cast(pred, ms.float32)
        box = ops.smooth_l1_loss(ops.sigmoid(pred[:, :4]), targets[:, :4], reduction="mean")
        obj = self.bce(pred[:, 4:], targets[:, 4:]).mean()
        loss = box * 0.5 + obj + 0.0 * imgs.sum()
        return loss, ops.stop_gradient(ops.stack((box, obj)))


def create_group_param(params, weight_decay):
    pg0, pg1, pg2 = [], [], []
    for p in params:
        if "bn" in p.name and "gamma" in p.name:
            pg0.append(p)
        elif p.name.endswith(".weight"):
            pg1.append(p)
        else:
            pg2.append(p)
    return [
        {"params": pg0, "lr": 0.02},
        {"params": pg1, "weight_decay": weight_decay, "lr": 0.02},
        {"params": pg2, "lr": [0.1, 0.06, 0.02, 0.02]},
    ]


def get_gradreducer(is_parallel=False):
    return nn.Identity() if not is_parallel else nn.DistributedGradReducer(None)


def create_train_step_fn(network, loss_fn, optimizer, loss_scaler, reducer, ema=None, clip_grad=True):
    def forward_func(x, label):
        pred = network(x)
        loss, items = loss_fn(pred, label, x)
        return loss_scaler.scale(loss), items

    grad_fn = ops.value_and_grad(forward_func, grad_position=None, weights=optimizer.parameters, has_aux=True)

    def train_step_func(x, label, optimizer_update=True):
        (loss, loss_items), grads = grad_fn(x, label)
        grads = reducer(grads)
        unscaled = loss_scaler.unscale(grads)
        finite = all_finite(unscaled)
        if optimizer_update:
            if clip_grad:
                unscaled = ops.clip_by_global_norm(unscaled, 10.0)
            loss = ops.depend(loss, optimizer(unscaled))
        return loss_scaler.unscale(loss), loss_items, unscaled, finite

    return train_step_func


def main(initialize):
    network = Detector()
    initialize(network)
    network.set_train(True)
    network = auto_mixed_precision(network, "O0")
    optimizer = nn.Momentum(create_group_param(network.trainable_params(), 5e-4), 0.02, momentum=0.9, use_nesterov=True)
    scalers = [StaticLossScaler(128.0), DynamicLossScaler(2.0**5, 2, 2)]
    rng = np.random.RandomState(3)
    out = []
    for scaler in scalers:
        step = create_train_step_fn(network, Loss(), optimizer, scaler, get_gradreducer())
        step = ms.jit(step)
        for _ in range(2):
            x = Tensor(rng.rand(2, 3, 16, 16), ms.float32)
            y = Tensor(rng.rand(2, 7, 4, 4), ms.float32)
            loss, items, grads, finite = step(x, y, True)
            if isinstance(scaler, DynamicLossScaler):
                scaler.adjust(finite)
            out.append([float(loss), items.asnumpy().tolist(), len(grads), bool(finite)])
    ema = ParameterTuple([Parameter(p.value(), name="ema." + p.name) for p in network.get_parameters()])
    names = [p.name for p in ema]
    return [out, names[:3], optimizer.is_group_lr, float(scalers[1].scale_value.asnumpy())]
