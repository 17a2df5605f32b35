"""ResNet (He et al., 2015) with bottleneck and basic blocks.

Momentum, decay for weights alone, a cosine learning rate.
"""

import mindspore as ms
import mindspore.common.initializer as init
import numpy as np
from mindspore import nn, ops


def conv3x3(in_channel, out_channel, stride=1):
    return nn.Conv2d(in_channel, out_channel, kernel_size=3, stride=stride, padding=1, pad_mode="pad")


class BasicBlock(nn.Cell):
    expansion = 1

    def __init__(self, in_channels, channels, stride=1, downsample=None):
        super().__init__()
        self.conv1 = conv3x3(in_channels, channels, stride)
        self.bn1 = nn.BatchNorm2d(channels, momentum=0.9)
        self.conv2 = conv3x3(channels, channels)
        self.bn2 = nn.BatchNorm2d(channels, momentum=0.9)
        self.relu = nn.ReLU()
        self.downsample = downsample

    def construct(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class Bottleneck(nn.Cell):
    expansion = 2

    def __init__(self, in_channels, channels, stride=1, downsample=None):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, channels, kernel_size=1)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, stride, pad_mode="same")
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv3 = nn.Conv2d(channels, channels * self.expansion, kernel_size=1)
        self.bn3 = nn.BatchNorm2d(channels * self.expansion, gamma_init="zeros")
        self.relu = nn.ReLU()
        self.downsample = downsample
        self.add = ops.Add()

    def construct(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        if self.downsample is not None:
            x = self.downsample(x)
        return self.relu(self.add(out, x))


class ResNet(nn.Cell):
    def __init__(self, blocks, layers, num_classes=5, in_channels=3):
        super().__init__()
        self.input_channels = 4
        self.conv1 = nn.Conv2d(in_channels, 4, 5, 2, pad_mode="pad", padding=2, has_bias=True)
        self.bn1 = nn.BatchNorm2d(4)
        self.relu = nn.ReLU()
        self.max_pool = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
        self.layer1 = self._make_layer(blocks[0], 4, layers[0])
        self.layer2 = self._make_layer(blocks[1], 6, layers[1], stride=2)
        self.pool = ops.ReduceMean(keep_dims=False)
        self.classifier = nn.Dense(self.input_channels, num_classes)
        self._initialize_weights()

    def _initialize_weights(self):
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Conv2d):
                shape, dtype = cell.weight.shape, cell.weight.dtype
                cell.weight.set_data(init.initializer(init.HeNormal(mode="fan_out", nonlinearity="relu"), shape, dtype))
                if cell.bias is not None:
                    cell.bias.set_data(init.initializer("zeros", cell.bias.shape, cell.bias.dtype))
            elif isinstance(cell, nn.Dense):
                cell.weight.set_data(init.initializer(init.XavierUniform(), cell.weight.shape, cell.weight.dtype))

    def _make_layer(self, block, channels, block_nums, stride=1):
        downsample = None
        if stride != 1 or self.input_channels != channels * block.expansion:
            downsample = nn.SequentialCell(
                nn.Conv2d(self.input_channels, channels * block.expansion, kernel_size=1, stride=stride),
                nn.BatchNorm2d(channels * block.expansion),
            )
        layers = [block(self.input_channels, channels, stride=stride, downsample=downsample)]
        self.input_channels = channels * block.expansion
        for _ in range(1, block_nums):
            layers.append(block(self.input_channels, channels))
        return nn.SequentialCell(layers)

    def forward_features(self, x):
        x = self.max_pool(self.relu(self.bn1(self.conv1(x))))
        return self.layer2(self.layer1(x))

    def forward_head(self, x):
        return self.classifier(self.pool(x, (2, 3)))

    def construct(self, x):
        return self.forward_head(self.forward_features(x))


class LabelSmoothing(nn.LossBase):
    def __init__(self, smooth_factor=0.1, num_classes=5):
        super().__init__()
        self.one_hot = ops.OneHot()
        self.on_value = ms.Tensor(1.0 - smooth_factor, ms.float32)
        self.off_value = ms.Tensor(1.0 * smooth_factor / (num_classes - 1), ms.float32)
        self.ce = nn.SoftmaxCrossEntropyWithLogits()
        self.mean = ops.ReduceMean(False)

    def construct(self, logits, label):
        label = self.one_hot(label, ops.shape(logits)[1], self.on_value, self.off_value)
        return self.mean(self.ce(logits, label), 0)


def make():
    net = ResNet([Bottleneck, BasicBlock], [2, 2])
    net.set_train(True)
    loss_fn = LabelSmoothing()
    decayed = [p for p in net.trainable_params() if "beta" not in p.name and "gamma" not in p.name]
    rest = [p for p in net.trainable_params() if "beta" in p.name or "gamma" in p.name]
    lr = nn.cosine_decay_lr(0.01, 0.1, total_step=6, step_per_epoch=2, decay_epoch=3)
    groups = [{"params": decayed, "weight_decay": 1e-3}, {"params": rest}, {"order_params": net.trainable_params()}]
    optimizer = nn.Momentum(groups, lr, momentum=0.9, use_nesterov=True)

    def forward_fn(data, label):
        logits = net(data)
        return loss_fn(logits, label), logits

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def train_step(data, label):
        (loss, _), grads = grad_fn(data, label)
        optimizer(grads)
        return loss, grads

    rng = np.random.RandomState(0)
    batches = [(rng.randn(4, 3, 16, 16).astype(np.float32), rng.randint(0, 5, 4).astype(np.int32)) for _ in range(4)]
    return net, optimizer.parameters, train_step, batches
