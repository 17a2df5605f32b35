"""Normalising flows (RealNVP, Dinh et al., 2016.

Glow, Kingma and Dhariwal, 2018): couplings, activation norms, an invertible mixing.
"""

import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops


class ActNorm(nn.Cell):
    def __init__(self, features):
        super().__init__()
        self.log_scale = Parameter(Tensor(np.zeros(features), ms.float32))
        self.shift = Parameter(Tensor(np.zeros(features), ms.float32))

    def construct(self, x):
        return x * ops.exp(self.log_scale) + self.shift, self.log_scale.sum()


class InvertibleMixing(nn.Cell):
    """A matrix as P L (U + diag(s)); P is fixed."""

    def __init__(self, features, seed):
        super().__init__()
        rng = np.random.RandomState(seed)
        self.p = Tensor(np.eye(features)[rng.permutation(features)], ms.float32)
        self.lower = Parameter(Tensor(np.tril(rng.randn(features, features), -1) * 0.1, ms.float32))
        self.upper = Parameter(Tensor(np.triu(rng.randn(features, features), 1) * 0.1, ms.float32))
        self.s = Parameter(Tensor(rng.uniform(0.5, 1.5, features), ms.float32))
        self.mask = Tensor(np.tril(np.ones((features, features)), -1), ms.float32)
        self.eye = ops.eye(features, features, ms.float32)

    def construct(self, x):
        lower = self.lower * self.mask + self.eye
        upper = self.upper * self.mask.T + ops.diag(self.s)
        weight = ops.matmul(self.p, ops.matmul(lower, upper))
        return ops.matmul(x, weight), ops.log(ops.abs(self.s)).sum()


class AffineCoupling(nn.Cell):
    def __init__(self, features, hidden, flip):
        super().__init__()
        self.flip = flip
        half = features // 2
        self.s_net = nn.SequentialCell(nn.Dense(half, hidden), nn.Tanh(), nn.Dense(hidden, features - half))
        self.t_net = nn.SequentialCell(nn.Dense(half, hidden), nn.SiLU(), nn.Dense(hidden, features - half))

    def construct(self, x):
        x1, x2 = ops.chunk(x, 2, axis=1)
        if self.flip:
            x1, x2 = x2, x1
        s = 2 * ops.tanh(self.s_net(x1) / 2)
        y2 = x2 * ops.exp(s) + self.t_net(x1)
        y = ops.cat((y2, x1) if self.flip else (x1, y2), axis=1)
        return y, s.sum(axis=1)


class Flow(nn.Cell):
    def __init__(self, features=4, hidden=6, steps=3):
        super().__init__()
        self.features = features
        layers = []
        for k in range(steps):
            layers += [ActNorm(features), InvertibleMixing(features, k), AffineCoupling(features, hidden, k % 2 == 1)]
        self.transforms = nn.CellList(layers)
        self.cov_raw = Parameter(Tensor(np.eye(features), ms.float32), name="cov_raw")

    def base_log_prob(self, z):
        factor = ops.tril(self.cov_raw, -1) + ops.diag(ops.softplus(self.cov_raw.diagonal()))
        solved = ops.matmul(ops.inverse(factor), z.T)
        half_log_det = 0.5 * ops.log(ops.det(ops.matmul(factor, factor.T)))
        return -0.5 * ops.square(solved).sum(0) - half_log_det - 0.5 * self.features * math.log(2 * math.pi)

    def construct(self, x):
        total = ops.zeros(x.shape[0], ms.float32)
        for transform in self.transforms:
            x, log_det = transform(x)
            total = total + log_det
        return self.base_log_prob(x) + total


class NegativeLogLikelihood(nn.Cell):
    def __init__(self, flow):
        super().__init__(auto_prefix=False)
        self.flow = flow

    def construct(self, x):
        return -ops.mean(self.flow(x))


def make():
    flow = Flow()
    loss_net = NegativeLogLikelihood(flow)
    weights = ParameterTuple(flow.trainable_params())
    optimizer = nn.AdaMax(weights, learning_rate=0.01)
    grad = ops.grad(loss_net, grad_position=None, weights=weights)

    @ms.jit
    def step(x):
        loss = loss_net(x)
        grads = grad(x)
        optimizer(grads)
        return loss, grads

    rng = np.random.RandomState(17)
    batches = [((rng.randn(12, 4) * [1, 2, 0.5, 1] + 0.3).astype(np.float32),) for _ in range(4)]
    return flow, optimizer.parameters, step, batches
