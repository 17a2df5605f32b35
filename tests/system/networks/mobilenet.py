"""MobileNet V3 (Howard et al., 2019).

Inverted residuals, squeeze and excitation, hard swish; trained by a subclass of TrainOneStepCell.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import Normal, One, Zero, initializer


def make_divisible(v, divisor, min_value=None):
    if not min_value:
        min_value = divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:
        new_v += divisor
    return new_v


class SqueezeExcite(nn.Cell):
    def __init__(self, channels, ratio=2):
        super().__init__()
        hidden = make_divisible(channels // ratio, 2)
        self.conv_reduce = nn.Conv2d(channels, hidden, 1, has_bias=True)
        self.conv_expand = nn.Conv2d(hidden, channels, 1, has_bias=True)
        self.act = nn.ReLU()
        self.gate = nn.HSigmoid()

    def construct(self, x):
        x_se = x.mean((2, 3), keep_dims=True)
        x_se = self.conv_expand(self.act(self.conv_reduce(x_se)))
        return x * self.gate(x_se)


class ConvBNAct(nn.SequentialCell):
    def __init__(self, in_ch, out_ch, kernel, stride=1, group=1, act="relu6"):
        layers = [
            nn.Conv2d(in_ch, out_ch, kernel, stride, pad_mode="pad", padding=kernel // 2, group=group),
            nn.BatchNorm2d(out_ch, eps=1e-3, momentum=0.99),
        ]
        if act:
            layers.append(nn.get_activation(act))
        super().__init__(layers)


class InvertedResidual(nn.Cell):
    def __init__(self, in_ch, out_ch, kernel, stride, expand, act, use_se):
        super().__init__()
        assert stride in (1, 2)
        hidden = in_ch * expand
        self.use_res = stride == 1 and in_ch == out_ch
        layers = []
        if expand != 1:
            layers.append(ConvBNAct(in_ch, hidden, 1, act=act))
        layers.append(ConvBNAct(hidden, hidden, kernel, stride, hidden, act))
        if use_se:
            layers += [SqueezeExcite(hidden)]
        layers.extend([ConvBNAct(hidden, out_ch, 1, act=None)])
        self.layers = nn.SequentialCell(*layers)

    def construct(self, x):
        identity = x
        x = self.layers(x)
        if self.use_res:
            x = ops.add(x, identity)
        return x


class GlobalAvgPooling(nn.Cell):
    def __init__(self):
        super().__init__()
        self.p = nn.AdaptiveAvgPool2d(1)

    def construct(self, x):
        return ops.flatten(self.p(x))


class MobileNetV3(nn.Cell):
    cfgs = (
        # kernel, expand, out, se, activation, stride
        (3, 1, 8, True, "relu", 2),
        (3, 2, 8, False, "relu6", 1),
        (5, 3, 12, True, "hswish", 2),
    )

    def __init__(self, num_classes=4):
        super().__init__()
        width = make_divisible(16 * 0.5, 8)
        features = [ConvBNAct(3, width, 3, 2, act="hswish")]
        for kernel, expand, out, se, act, stride in self.cfgs:
            features.append(InvertedResidual(width, out, kernel, stride, expand, act, se))
            width = out
        self.features = nn.SequentialCell(features)
        self.classifier = nn.SequentialCell(
            [GlobalAvgPooling(), nn.Dense(width, 16), nn.HSwish(), nn.Dropout(p=0.0), nn.Dense(16, num_classes)]
        )
        for name, m in self.cells_and_names():
            if isinstance(m, nn.BatchNorm2d):
                m.gamma.set_data(initializer(One(), m.gamma.shape, ms.float32))
                m.beta.set_data(initializer(Zero(), m.beta.shape, ms.float32))
            elif isinstance(m, nn.Dense):
                assert name.startswith("classifier")
                m.weight.set_data(initializer(Normal(0.01, 0.0), m.weight.shape, m.weight.dtype))

    def construct(self, x):
        return self.classifier(self.features(x))


class TrainStep(nn.TrainOneStepCell):
    """Gives the gradients beside the loss."""

    def construct(self, *inputs):
        loss = self.network(*inputs)
        sens = ops.fill(loss.dtype, loss.shape, self.sens)
        grads = self.grad(self.network, self.weights)(*inputs, sens)
        grads = self.grad_reducer(grads)
        loss = ops.depend(loss, self.optimizer(grads))
        return loss, grads


def make():
    net = MobileNetV3()
    loss = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = nn.RMSProp(net.trainable_params(), Tensor(0.002), decay=0.9, momentum=0.9, epsilon=0.01)
    step = TrainStep(nn.WithLossCell(net, loss), optimizer, sens=2.0)
    step.set_train()
    rng = np.random.RandomState(1)
    batches = [(rng.rand(3, 3, 16, 16).astype(np.float32), rng.randint(0, 4, 3).astype(np.int32)) for _ in range(4)]
    return net, optimizer.parameters, step, batches
