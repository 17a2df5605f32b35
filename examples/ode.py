"""Fit an ordinary differential equation through its solver: a `while` on tensors, and its gradient.

Foxes and rabbits follow dr/dt = a r - b r f and df/dt = -c f + d r f. We know their numbers at some times, and look
for a, b, c and d. The solver chooses its own steps, so the number of iterations depends on the values.

python examples/ode.py
"""

import numpy as np

import mycel as ms
from mycel import Parameter, Tensor, nn, ops

TIMES, STEPS, TOLERANCE = np.linspace(0.5, 5.0, 10, dtype=np.float32), 100, 1e-3
TRUTH = np.array([1.5, 1.0, 3.0, 1.0], np.float32)


def slope(y, rates):
    """dy/dt of rabbits and foxes."""
    rabbits, foxes = y[0], y[1]
    return ops.stack((rates[0] * rabbits - rates[1] * rabbits * foxes, rates[3] * rabbits * foxes - rates[2] * foxes))


def advance(y, t, end, rates):
    """From time t to end by Heun's method, with steps as long as the estimated error allows; also their number."""
    h, count = (end - t) / 4, ops.zeros_like(t)
    while t < end:
        h = ops.minimum(h, end - t)
        k1 = slope(y, rates)
        euler = y + h * k1
        heun = y + h / 2 * (k1 + slope(euler, rates))
        error = ops.abs(ops.stop_gradient(heun - euler)).max()
        if error < TOLERANCE:
            y = heun
            t = ops.where(h < end - t, t + h, end)
        h = ops.stop_gradient(h * ops.clamp(0.9 * ops.sqrt(TOLERANCE / (error + 1e-9)), 0.3, 2.0))
        count = count + 1
    return y, count


class Model(nn.Cell):
    """The numbers of animals at each of TIMES, from given rates."""

    def __init__(self, rates):
        super().__init__()
        self.logarithms = Parameter(Tensor(np.log(rates)), name="logarithms")

    def construct(self, y, times):
        rates, t, steps = ops.exp(self.logarithms), ops.zeros_like(times[0]), ops.zeros_like(times[0])
        states = []
        for i in range(times.shape[0]):
            y, count = advance(y, t, times[i], rates)
            t, steps = times[i], steps + count
            states.append(y)
        return ops.stack(states), steps


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    start, times = Tensor(np.array([1.0, 1.0], np.float32)), Tensor(TIMES)
    observed, _ = Model(TRUTH)(start, times)

    net = Model(np.array([1.2, 0.8, 2.5, 1.2], np.float32))
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.05)

    def forward():
        states, steps = net(start, times)
        return ((states - observed) ** 2).mean(), steps

    gradient = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def step():
        (loss, steps), grads = gradient()
        optimizer(grads)
        return loss, steps

    for number in range(STEPS + 1):
        loss, steps = step()
        if number % 25 == 0:
            rates = " ".join(f"{rate:.2f}" for rate in np.exp(net.logarithms.asnumpy()))
            print(f"step {number:3d}  loss {float(loss):.5f}  {int(steps)} steps of the solver  rates {rates}")
    print("true rates", *TRUTH)


if __name__ == "__main__":
    main()
