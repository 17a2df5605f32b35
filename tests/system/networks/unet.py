"""U-Net (Ronneberger et al., 2015).

Transposed convolutions, crops and skips; Dice and cross entropy; trained with Model.train's cells.
"""

import mindspore as ms
import numpy as np
from mindspore import nn, ops


class DoubleConv(nn.Cell):
    def __init__(self, in_channels, out_channels, mid_channels=None):
        super().__init__()
        if not mid_channels:
            mid_channels = out_channels
        self.double_conv = nn.SequentialCell(
            [
                nn.Conv2d(in_channels, mid_channels, kernel_size=3, padding=1, pad_mode="pad"),
                nn.BatchNorm2d(mid_channels),
                nn.ReLU(),
                nn.Conv2d(mid_channels, out_channels, kernel_size=3, padding=1, pad_mode="pad"),
                nn.BatchNorm2d(out_channels),
                nn.LeakyReLU(0.1),
            ]
        )

    def construct(self, x):
        return self.double_conv(x)


class Down(nn.Cell):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.maxpool_conv = nn.SequentialCell([nn.MaxPool2d(2, 2), DoubleConv(in_channels, out_channels)])

    def construct(self, x):
        return self.maxpool_conv(x)


class Up(nn.Cell):
    def __init__(self, in_channels, out_channels, bilinear=True):
        super().__init__()
        self.concat = ops.Concat(axis=1)
        self.bilinear = bilinear
        if bilinear:
            self.reduce = nn.Conv2d(in_channels, in_channels // 2, 1, has_bias=True)
        else:
            self.up = nn.Conv2dTranspose(in_channels, in_channels // 2, kernel_size=2, stride=2, has_bias=True)
        self.conv = DoubleConv(in_channels, out_channels)

    def construct(self, x1, x2):
        if self.bilinear:
            x1 = ops.interpolate(self.reduce(x1), size=(x2.shape[2], x2.shape[3]), mode="bilinear", align_corners=True)
        else:
            x1 = self.up(x1)
        diff_h, diff_w = x2.shape[2] - x1.shape[2], x2.shape[3] - x1.shape[3]
        if diff_h or diff_w:
            x1 = ops.pad(x1, (diff_w // 2, diff_w - diff_w // 2, diff_h // 2, diff_h - diff_h // 2))
        return self.conv(self.concat((x2, x1)))


class UNet(nn.Cell):
    def __init__(self, n_channels=1, n_classes=2, width=4):
        super().__init__()
        self.inc = DoubleConv(n_channels, width)
        self.down1 = Down(width, width * 2)
        self.down2 = Down(width * 2, width * 4)
        self.up1 = Up(width * 4, width * 2, bilinear=False)
        self.up2 = Up(width * 2, width)
        self.outc = nn.Conv2d(width, n_classes, kernel_size=1, has_bias=True)

    def construct(self, x):
        x1 = self.inc(x)
        x2 = self.down1(x1)
        x3 = self.down2(x2)
        x = self.up2(self.up1(x3, x2), x1)
        return self.outc(x)


class DiceCrossEntropy(nn.LossBase):
    def __init__(self, smooth=1.0, reduction="mean"):
        super().__init__(reduction)
        self.smooth = smooth
        self.ce = nn.CrossEntropyLoss(weight=ms.Tensor([0.4, 0.6], ms.float32))
        self.one_hot = nn.OneHot(axis=1, depth=2)

    def construct(self, logits, base):
        target = self.one_hot(base)
        prob = ops.softmax(logits, axis=1)
        inter = ops.reduce_sum(prob * target, (2, 3)) if hasattr(ops, "reduce_sum") else (prob * target).sum((2, 3))
        total = prob.sum(axis=(2, 3)) + target.sum(axis=(2, 3))
        dice = 1 - (2 * inter + self.smooth) / (total + self.smooth)
        return self.get_loss(dice) + self.ce(logits, base)


def make():
    net = UNet()
    optimizer = nn.Adam(
        net.trainable_params(), nn.ExponentialDecayLR(0.01, 0.5, 2, is_stair=True), weight_decay=1e-4, loss_scale=4.0
    )
    network = nn.WithLossCell(net, DiceCrossEntropy())
    network.set_train()
    grad = ops.GradOperation(get_by_list=True, sens_param=True)

    class Step(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.network, self.optimizer = network, optimizer
            self.weights = optimizer.parameters
            self.grad = grad

        def construct(self, x, y):
            loss = self.network(x, y)
            grads = self.grad(self.network, self.weights)(x, y, ops.full_like(loss, 4.0))
            self.optimizer(grads)
            return loss, grads

    step = Step()
    step.set_train()
    rng = np.random.RandomState(7)
    batches = [
        (rng.randn(2, 1, 16, 20).astype(np.float32), rng.randint(0, 2, (2, 16, 20)).astype(np.int32)) for _ in range(3)
    ]
    return net, optimizer.parameters, step, batches
