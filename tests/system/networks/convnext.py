"""ConvNeXt (Liu et al., 2022).

Depthwise convolutions, layer norm over channels, scaled residuals; trained with AMSGrad.
"""

import mindspore as ms
import mindspore.common.initializer as init
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


class ConvNextLayerNorm(nn.LayerNorm):
    """LayerNorm over the channels of (N, C, H, W)."""

    def __init__(self, normalized_shape, epsilon, norm_axis=-1):
        super().__init__(normalized_shape=normalized_shape, epsilon=epsilon)
        assert norm_axis in (-1, 1), "norm_axis must be 1 or -1"
        self.norm_axis = norm_axis

    def construct(self, input_x):
        if self.norm_axis == -1:
            y, _, _ = self.layer_norm(input_x, self.gamma, self.beta)
        else:
            input_x = ops.transpose(input_x, (0, 2, 3, 1))
            y, _, _ = self.layer_norm(input_x, self.gamma, self.beta)
            y = ops.transpose(y, (0, 3, 1, 2))
        return y


class Block(nn.Cell):
    def __init__(self, dim, layer_scale_init_value=1e-1):
        super().__init__()
        self.dwconv = nn.Conv2d(dim, dim, kernel_size=7, group=dim, has_bias=True)
        self.norm = ConvNextLayerNorm((dim,), epsilon=1e-6)
        self.pwconv1 = nn.Dense(dim, 4 * dim)
        self.act = nn.GELU()
        self.pwconv2 = nn.Dense(4 * dim, dim)
        self.gamma_ = Parameter(Tensor(layer_scale_init_value * np.ones(dim), ms.float32), requires_grad=True)

    def construct(self, x):
        downsample = x
        x = self.dwconv(x)
        x = ops.transpose(x, (0, 2, 3, 1))
        x = self.pwconv2(self.act(self.pwconv1(self.norm(x))))
        if self.gamma_ is not None:
            x = self.gamma_ * x
        x = ops.transpose(x, (0, 3, 1, 2))
        return downsample + x


class ConvNeXt(nn.Cell):
    def __init__(self, depths, dims, num_classes=4):
        super().__init__()
        start_cell = nn.SequentialCell(
            [
                nn.Conv2d(3, dims[0], 4, 4, pad_mode="valid", has_bias=True),
                ConvNextLayerNorm((dims[0],), 1e-6, norm_axis=1),
            ]
        )
        downsample_layers = [start_cell]
        for i in range(len(dims) - 1):
            downsample_layers.append(
                nn.SequentialCell(
                    [
                        ConvNextLayerNorm((dims[i],), epsilon=1e-6, norm_axis=1),
                        nn.Conv2d(dims[i], dims[i + 1], 2, 2, pad_mode="valid", has_bias=True),
                    ]
                )
            )
        stages = []
        for i, depth in enumerate(depths):
            blocks = nn.SequentialCell()
            for _ in range(depth):
                blocks.append(Block(dims[i]))
            stages.append(blocks)
        self.feature = nn.SequentialCell([*sum(([d, s] for d, s in zip(downsample_layers, stages)), [])])
        self.norm = ConvNextLayerNorm((dims[-1],), epsilon=1e-6)
        self.classifier = nn.Dense(dims[-1], num_classes)
        for _, cell in self.cells_and_names():
            if isinstance(cell, (nn.Dense, nn.Conv2d)):
                cell.weight.set_data(init.initializer(init.TruncatedNormal(0.2), cell.weight.shape, cell.weight.dtype))
                if cell.bias is not None:
                    cell.bias.set_data(init.initializer(init.Zero(), cell.bias.shape, cell.bias.dtype))

    def construct(self, x):
        x = self.feature(x)
        return self.classifier(self.norm(x.mean([-2, -1])))


def make():
    net = ConvNeXt([1, 1], [8, 12])
    net.set_train()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=2e-3, weight_decay=0.01, use_amsgrad=True)
    loss_fn = nn.BCEWithLogitsLoss(reduction="mean")
    forward = lambda x, y: loss_fn(net(x), y)  # noqa: E731
    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)

    def train_step(x, y):
        loss, grads = grad_fn(x, y)
        optimizer(grads)
        return loss, grads

    rng = np.random.RandomState(4)
    batches = [
        (rng.randn(2, 3, 16, 16).astype(np.float32), rng.randint(0, 2, (2, 4)).astype(np.float32)) for _ in range(4)
    ]
    return net, optimizer.parameters, train_step, batches
