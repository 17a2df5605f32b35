"""Solve Burgers' equation u_t + u u_x = nu u_xx with a network: its derivatives are part of the loss.

python examples/pinn.py
"""

import numpy as np

import mycel as ms
from mycel import Tensor, nn, ops

NU, STEPS, POINTS = 0.1, 600, 256


class Solution(nn.Cell):
    """u(t, x): an MLP with tanh."""

    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Dense(2, 32), nn.Tanh(), nn.Dense(32, 32), nn.Tanh(), nn.Dense(32, 32), nn.Tanh(), nn.Dense(32, 1)
        )

    def construct(self, t, x):
        # The factor (1 - x^2) makes u zero at both ends; at t = 0 the solution is -sin(pi x).
        return -ops.sin(np.pi * x) + t * (1 - x**2) * self.layers(ops.stack((t, x), -1)).squeeze(-1)


def exact(t, x):
    """The solution by Cole and Hopf, on a fine grid of numbers."""
    z, weights = np.polynomial.hermite.hermgauss(80)
    y = x[:, None] - np.sqrt(4 * NU * t) * z
    density = weights * np.exp(-np.cos(np.pi * y) / (2 * np.pi * NU))
    return -(np.sin(np.pi * y) * density).sum(1) / density.sum(1)


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(0)
    u = Solution()
    optimizer = nn.Adam(u.trainable_params(), learning_rate=5e-3)

    def total(t, x):
        return u(t, x).sum()  # points do not depend on each other: the gradient of the sum has all slopes

    first = ms.grad(total, grad_position=(0, 1))
    second = ms.grad(lambda t, x: first(t, x)[1].sum(), grad_position=1)

    def residual(t, x):
        u_t, u_x = first(t, x)
        return ((u_t + u(t, x) * u_x - NU * second(t, x)) ** 2).mean()

    gradient = ms.value_and_grad(residual, None, optimizer.parameters)

    @ms.jit
    def step(t, x):
        loss, grads = gradient(t, x)
        optimizer(grads)
        return loss

    generator = np.random.default_rng(0)
    for number in range(STEPS + 1):
        t, x = generator.random(POINTS, np.float32), generator.uniform(-1, 1, POINTS).astype(np.float32)
        loss = step(Tensor(t), Tensor(x))
        if number % 150 == 0:
            print(f"step {number:3d}  residual {float(loss):.5f}")

    x = np.linspace(-1, 1, 101)
    for t in (0.25, 0.5, 1.0):
        found = u(Tensor(np.full(101, t), ms.float32), Tensor(x, ms.float32)).asnumpy()
        print(f"t = {t:.2f}  largest error {np.abs(found - exact(t, x)).max():.4f}")


if __name__ == "__main__":
    main()
