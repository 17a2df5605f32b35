"""Convolutional networks in PyTorch."""

from typing import Any

import torch
from torch import nn
from torch.nn import functional
from workloads_torch import _adam, training


def normalized(x: Any, scale: Any, shift: Any) -> Any:
    """Batch norm by the statistics of the batch."""
    return functional.batch_norm(x, None, None, scale, shift, training=True)


def residual(a: Any, s1: Any, b1: Any, b: Any, s2: Any, b2: Any, x: Any) -> Any:
    """A residual block of two convolutions."""
    y = torch.relu(normalized(functional.conv2d(x, a, padding=1), s1, b1))
    y = normalized(functional.conv2d(y, b, padding=1), s2, b2)
    return torch.square(torch.relu(x + y)).mean()


def bottleneck(
    a: Any, s1: Any, b1: Any, b: Any, s2: Any, b2: Any, c: Any, s3: Any, b3: Any, d: Any, s4: Any, b4: Any, x: Any
) -> Any:
    """A bottleneck of stride 2, and a convolution of what it skips."""
    y = torch.relu(normalized(functional.conv2d(x, a), s1, b1))
    y = torch.relu(normalized(functional.conv2d(y, b, stride=2, padding=1), s2, b2))
    y = normalized(functional.conv2d(y, c), s3, b3)
    return torch.square(torch.relu(y + normalized(functional.conv2d(x, d, stride=2), s4, b4))).mean()


def grouped(a: Any, s1: Any, b1: Any, b: Any, s2: Any, b2: Any, c: Any, s3: Any, b3: Any, x: Any) -> Any:
    """A residual block whose middle convolution has groups."""
    y = torch.relu(normalized(functional.conv2d(x, a), s1, b1))
    y = torch.relu(normalized(functional.conv2d(y, b, padding=1, groups=4), s2, b2))
    return torch.square(torch.relu(x + normalized(functional.conv2d(y, c), s3, b3))).mean()


def dilated(a: Any, b: Any, c: Any, d: Any, e: Any, x: Any) -> Any:
    """Convolutions of several dilations side by side."""
    parts = [functional.conv2d(x, a)]
    parts += [functional.conv2d(x, w, padding=rate, dilation=rate) for w, rate in ((b, 2), (c, 4), (d, 8))]
    return torch.square(functional.conv2d(torch.relu(torch.cat(parts, 1)), e)).mean()


def audio(
    a: Any, s1: Any, b1: Any, b: Any, s2: Any, b2: Any, c: Any, s3: Any, b3: Any, d: Any, s4: Any, b4: Any, out: Any,
    x: Any,
) -> Any:  # fmt: skip
    """Convolutions over time."""
    x = torch.relu(normalized(functional.conv1d(x, a, stride=4, padding=4), s1, b1))
    x = torch.relu(normalized(functional.conv1d(x, b, stride=2, padding=2), s2, b2))
    x = torch.relu(normalized(functional.conv1d(x, c, stride=2, padding=2), s3, b3))
    x = torch.relu(normalized(functional.conv1d(x, d, padding=1), s4, b4))
    return -functional.log_softmax(x.mean(2) @ out.T, 1).mean()


def volume(a: Any, b: Any, x: Any) -> Any:
    """Convolutions of volumes."""
    x = functional.max_pool3d(torch.relu(functional.conv3d(x, a, padding=1)), 2)
    return torch.square(functional.conv3d(x, b, padding=1)).mean()


def decoder(a: Any, b: Any, c: Any, d: Any, z: Any, wanted: Any) -> Any:
    """Images from codes."""
    x = torch.relu(z @ a.T).reshape(-1, 64, 4, 4)
    x = torch.relu(functional.conv_transpose2d(x, b, stride=2, padding=1))
    x = torch.relu(functional.conv_transpose2d(x, c, stride=2, padding=1))
    x = torch.sigmoid(functional.conv_transpose2d(x, d, stride=2, padding=1))
    return torch.square(x - wanted).mean()


def unet(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, x: Any) -> Any:
    """Two levels of a network that goes down and up."""
    top = torch.relu(functional.conv2d(torch.relu(functional.conv2d(x, a, padding=1)), b, padding=1))
    middle = torch.relu(functional.conv2d(functional.max_pool2d(top, 2), c, padding=1))
    middle = torch.relu(functional.conv2d(middle, d, padding=1))
    low = torch.relu(functional.conv2d(functional.max_pool2d(middle, 2), e, padding=1))
    low = torch.cat([functional.interpolate(low, scale_factor=2, mode="nearest"), middle], 1)
    low = torch.relu(functional.conv2d(low, f, padding=1))
    low = torch.cat([functional.interpolate(low, scale_factor=2, mode="nearest"), top], 1)
    return torch.square(functional.conv2d(torch.relu(functional.conv2d(low, g, padding=1)), h)).mean()


def mobile(
    a: Any, b: Any, b1: Any, c: Any, d: Any, d1: Any, e: Any, f: Any, f1: Any, g: Any, h: Any, h1: Any, out: Any, x: Any
) -> Any:
    """Depthwise and pointwise convolutions."""
    for depth, point, bias, stride in ((a, b, b1, 1), (c, d, d1, 2), (e, f, f1, 1), (g, h, h1, 2)):
        x = functional.relu6(functional.conv2d(x, depth, stride=stride, padding=1, groups=x.shape[1]))
        x = functional.relu6(functional.conv2d(x, point, bias))
    return x.mean((2, 3)) @ out.T


def classifier(
    a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, d: Any, d1: Any, e: Any, e1: Any, f: Any, f1: Any, out: Any,
    x: Any,
) -> Any:  # fmt: skip
    """Pairs of convolutions and a maximum."""
    for w, w1, v, v1 in ((a, a1, b, b1), (c, c1, d, d1), (e, e1, f, f1)):
        x = torch.relu(functional.conv2d(x, w, w1, padding=1))
        x = functional.max_pool2d(torch.relu(functional.conv2d(x, v, v1, padding=1)), 2)
    return x.mean((2, 3)) @ out.T


def excited(
    a: Any, s1: Any, b1: Any, b: Any, s2: Any, b2: Any, down: Any, up: Any, c: Any, s3: Any, b3: Any, x: Any
) -> Any:
    """An inverted residual with squeeze and excitation."""
    y = functional.silu(normalized(functional.conv2d(x, a), s1, b1))
    y = functional.silu(normalized(functional.conv2d(y, b, padding=2, groups=96), s2, b2))
    gate = torch.sigmoid(functional.silu(y.mean((2, 3)) @ down.T) @ up.T)
    y = normalized(functional.conv2d(y * gate[:, :, None, None], c), s3, b3)
    return torch.square(x + y).mean()


def pools(a: Any, b: Any, c: Any, x: Any) -> Any:
    """Maxima of 3 x 3 with stride 2, means of 3 x 3, means of 2 x 2."""
    x = functional.max_pool2d(torch.relu(functional.conv2d(x, a)), 3, 2, 1)
    x = functional.avg_pool2d(torch.relu(functional.conv2d(x, b)), 3, 1, 1)
    x = functional.avg_pool2d(torch.relu(functional.conv2d(x, c)), 2)
    return torch.square(x).mean()


class Trained(nn.Module):  # type: ignore[misc]
    """A stem, a residual block, a residual block of stride 2, a dense layer."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.norm0 = nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16)
        self.conv1, self.norm1 = nn.Conv2d(16, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16)
        self.conv2, self.norm2 = nn.Conv2d(16, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16)
        self.conv3, self.norm3 = nn.Conv2d(16, 32, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(32)
        self.conv4, self.norm4 = nn.Conv2d(32, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32)
        self.skip, self.norm5 = nn.Conv2d(16, 32, 1, stride=2, bias=False), nn.BatchNorm2d(32)
        self.dense = nn.Linear(32, 10)

    def forward(self, x: Any) -> Any:
        """Scores of images."""
        x = torch.relu(self.norm0(self.stem(x)))
        y = self.norm2(self.conv2(torch.relu(self.norm1(self.conv1(x)))))
        x = torch.relu(x + y)
        y = self.norm4(self.conv4(torch.relu(self.norm3(self.conv3(x)))))
        x = torch.relu(self.norm5(self.skip(x)) + y)
        return self.dense(x.mean((2, 3)))


def trained(compiled: Any) -> Any:
    """A training step with Adam."""
    return training("convolutions/trained", Trained(), functional.cross_entropy, _adam, compiled)
