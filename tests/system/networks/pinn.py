"""A physics-informed network (Raissi et al., 2017) for Burgers' equation.

Derivatives of the network in its loss, an unknown viscosity.
"""

import mindspore as ms
import mindspore.numpy as mnp
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


class MLP(nn.Cell):
    def __init__(self, layers, lb, ub):
        super().__init__()
        self.lb, self.ub = Tensor(lb, ms.float32), Tensor(ub, ms.float32)
        cells = []
        for i in range(len(layers) - 2):
            cells += [nn.Dense(layers[i], layers[i + 1], weight_init="xavier_uniform"), nn.Tanh()]
        cells.append(nn.Dense(layers[-2], layers[-1]))
        self.net = nn.SequentialCell(cells)
        self.lambda1 = Parameter(Tensor([0.5], ms.float32), name="lambda1")
        self.log_nu = Parameter(ms.Tensor(np.array([-4.0]), ms.float32), name="log_nu")

    def construct(self, points):
        scaled = 2.0 * (points - self.lb) / (self.ub - self.lb) - 1.0
        return self.net(scaled)


class Gradient(nn.Cell):
    """du/dx_i of the sum of a network's outputs."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        self.grad = ops.GradOperation(get_all=True, sens_param=True)

    def construct(self, x):
        gradient_function = self.grad(self.net)
        return gradient_function(x, mnp.ones((x.shape[0], 1)))[0]


class SecondGradient(nn.Cell):
    """d²u/dx_i dx_j."""

    def __init__(self, net, i, j):
        super().__init__()
        self.first = Gradient(net)
        self.i, self.j = i, j
        self.grad = ops.GradOperation(get_all=True)

    def part(self, x):
        return ops.sum(self.first(x)[:, self.i])

    def construct(self, x):
        return self.grad(self.part)(x)[0][:, self.j : self.j + 1]


class BurgersLoss(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.du = Gradient(net)
        self.uxx = SecondGradient(net, 0, 0)
        self.mse = nn.MSELoss()

    def residual(self, points):
        u = self.net(points)
        du = self.du(points)
        ux, ut = ops.split(du, 1, axis=1)
        return ut + self.net.lambda1 * u * ux - ops.exp(self.net.log_nu) * self.uxx(points)

    def construct(self, data, values, points):
        f = self.residual(points)
        return self.mse(self.net(data), values) + self.mse(f, ops.zeros_like(f))


def make():
    net = MLP([2, 10, 10, 1], [-1.0, 0.0], [1.0, 1.0])
    loss_net = BurgersLoss(net)
    optimizer = nn.Adam(net.trainable_params(), learning_rate=nn.NaturalExpDecayLR(0.01, 0.9, 2, False))
    grad_fn = ms.value_and_grad(loss_net, None, optimizer.parameters)

    @ms.jit
    def step(data, values, points):
        loss, grads = grad_fn(data, values, points)
        return ops.depend(loss, optimizer(grads)), grads

    rng = np.random.RandomState(15)
    batches = []
    for _ in range(5):
        data = np.stack([rng.uniform(-1, 1, 12), rng.uniform(0, 1, 12)], 1).astype(np.float32)
        values = -np.sin(np.pi * data[:, :1]) * (1 - data[:, 1:])
        points = np.stack([rng.uniform(-1, 1, 16), rng.uniform(0, 1, 16)], 1).astype(np.float32)
        batches.append((data, values.astype(np.float32), points))
    return net, optimizer.parameters, step, batches
