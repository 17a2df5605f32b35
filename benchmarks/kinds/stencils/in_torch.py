"""Stencils in PyTorch."""

from typing import Any

import torch
from torch.nn import functional


def blur(x: Any) -> Any:
    """The square of a box filter."""
    p = functional.pad(x, (1, 1, 1, 1))
    n, m = x.shape
    total = x * 0
    for i in range(3):
        for j in range(3):
            total = total + p[i : i + n, j : j + m]
    return torch.square(total / 9).mean()


def string(u: Any) -> Any:
    """Both ends are held."""
    before = u
    for _ in range(30):
        bend = functional.pad(u[2:] - 2 * u[1:-1] + u[:-2], (1, 1))
        u, before = 2 * u - before + 0.2 * bend, u
    return torch.square(u).mean()


def waves(u: Any, speed: Any) -> Any:
    """Leapfrog with a speed for each point."""
    before, factor = u, 0.1 * torch.sigmoid(speed)
    for _ in range(8):
        around = torch.roll(u, 1, 0) + torch.roll(u, -1, 0) + torch.roll(u, 1, 1) + torch.roll(u, -1, 1)
        u, before = 2 * u - before + factor * (around - 4 * u), u
    return torch.square(u).mean()


def upwind(u: Any, speed: Any) -> Any:
    """Differences to the side from which the wind blows."""
    for _ in range(3):
        change = 0
        for axis in range(3):
            back, ahead = u - torch.roll(u, 1, axis), torch.roll(u, -1, axis) - u
            change = change + torch.where(speed[axis] > 0, back, ahead) * speed[axis]
        u = u - 0.05 * change
    return torch.square(u).mean()


def life(x: Any) -> Any:
    """Conway's rules on a ring."""
    x = x.int()
    for _ in range(8):
        count = -x
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                count = count + torch.roll(x, (i, j), (0, 1))
        x = torch.logical_or(count == 3, torch.logical_and(count == 2, x == 1)).int()
    return x


def variation(x: Any) -> Any:
    """Lengths of image gradients."""
    down = x[:, :, 1:, :-1] - x[:, :, :-1, :-1]
    right = x[:, :, :-1, 1:] - x[:, :, :-1, :-1]
    return torch.sqrt(down * down + right * right + 1e-6).sum((1, 2, 3)).mean()


def median(x: Any) -> Any:
    """By minima and maxima of neighbours."""
    n, m = x.shape
    p = functional.pad(x.reshape(1, n, m), (1, 1, 1, 1), mode="replicate")[0]
    v = [p[i : i + n, j : j + m] for i in range(3) for j in range(3)]
    low, middle, high = [], [], []
    for k in range(3):
        a, b, c = v[3 * k], v[3 * k + 1], v[3 * k + 2]
        a, b = torch.minimum(a, b), torch.maximum(a, b)
        b, c = torch.minimum(b, c), torch.maximum(b, c)
        a, b = torch.minimum(a, b), torch.maximum(a, b)
        low.append(a)
        middle.append(b)
        high.append(c)
    first = torch.maximum(torch.maximum(low[0], low[1]), low[2])
    last = torch.minimum(torch.minimum(high[0], high[1]), high[2])
    a, b = torch.minimum(middle[0], middle[1]), torch.maximum(middle[0], middle[1])
    between = torch.maximum(a, torch.minimum(b, middle[2]))
    a, b = torch.minimum(first, between), torch.maximum(first, between)
    return torch.maximum(a, torch.minimum(b, last))


def dilation(x: Any) -> Any:
    """The square of what is between least and greatest neighbours."""
    n, m = x.shape
    p = functional.pad(x.reshape(1, n, m), (1, 1, 1, 1), mode="reflect")[0]
    greatest = least = p[:n, :m]
    for i in range(3):
        for j in range(3):
            part = p[i : i + n, j : j + m]
            greatest, least = torch.maximum(greatest, part), torch.minimum(least, part)
    return torch.square(greatest - least).mean()


def jacobi(u: Any, source: Any) -> Any:
    """Poisson's equation with zeros around."""
    for _ in range(5):
        p = functional.pad(u, (1, 1, 1, 1, 1, 1))
        u = (
            p[2:, 1:-1, 1:-1] + p[:-2, 1:-1, 1:-1] + p[1:-1, 2:, 1:-1]
            + p[1:-1, :-2, 1:-1] + p[1:-1, 1:-1, 2:] + p[1:-1, 1:-1, :-2] - source
        ) / 6  # fmt: skip
    return torch.square(u).mean()


def _apart(x: Any) -> Any:
    a, b, c, d = x[::2, ::2], x[::2, 1::2], x[1::2, ::2], x[1::2, 1::2]
    return (a + b + c + d) / 2, (a - b + c - d) / 2, (a + b - c - d) / 2, (a - b - c + d) / 2


def _joined(parts: Any) -> Any:
    s, h, v, d = parts
    n, m = s.shape
    top = torch.stack(((s + h + v + d) / 2, (s - h + v - d) / 2), 2).reshape(n, 2 * m)
    bottom = torch.stack(((s + h - v - d) / 2, (s - h - v + d) / 2), 2).reshape(n, 2 * m)
    return torch.stack((top, bottom), 1).reshape(2 * n, 2 * m)


def wavelets(x: Any) -> Any:
    """The distance to an image of softened details."""
    first = _apart(x)
    second = _apart(first[0])
    first, second = ([part / (1 + torch.abs(part)) for part in parts[1:]] for parts in (first, second))
    rough = _apart(_apart(x)[0])[0]
    return torch.square(_joined((_joined((rough, *second)), *first)) - x).mean()


def doubled(x: Any) -> Any:
    """Each pixel four times, then a mean of neighbours."""
    y = x.repeat_interleave(2, 2).repeat_interleave(2, 3)
    y = (y[:, :, 1:, :] + y[:, :, :-1, :]) / 2
    y = (y[:, :, :, 1:] + y[:, :, :, :-1]) / 2
    return torch.tanh(y).mean()


def far(u: Any) -> Any:
    """Differences of six neighbours, squared."""
    slope = 0
    for distance, factor in ((1, 0.75), (2, -0.15), (3, 1 / 60)):
        slope = slope + factor * (torch.roll(u, -distance, 0) - torch.roll(u, distance, 0))
    return torch.square(slope).mean()


def edges(x: Any) -> Any:
    """How steep an image is."""
    n, m = x.shape
    p = functional.pad(x.reshape(1, n, m), (1, 1, 1, 1), mode="reflect")[0]
    across = p[:, 2:] - p[:, :-2]
    down = p[2:, :] - p[:-2, :]
    across = across[2:] + 2 * across[1:-1] + across[:-2]
    down = down[:, 2:] + 2 * down[:, 1:-1] + down[:, :-2]
    return torch.sqrt(across * across + down * down + 1e-6).mean()


def whirls(p: Any, z: Any) -> Any:
    """The square of how a flow carries its whirls."""

    def at(x: Any, i: int, j: int) -> Any:
        return torch.roll(x, (-i, -j), (0, 1))

    first = (at(p, 1, 0) - at(p, -1, 0)) * (at(z, 0, 1) - at(z, 0, -1))
    first = first - (at(p, 0, 1) - at(p, 0, -1)) * (at(z, 1, 0) - at(z, -1, 0))
    second = at(p, 1, 0) * (at(z, 1, 1) - at(z, 1, -1)) - at(p, -1, 0) * (at(z, -1, 1) - at(z, -1, -1))
    second = second - at(p, 0, 1) * (at(z, 1, 1) - at(z, -1, 1)) + at(p, 0, -1) * (at(z, 1, -1) - at(z, -1, -1))
    third = at(z, 0, 1) * (at(p, 1, 1) - at(p, -1, 1)) - at(z, 0, -1) * (at(p, 1, -1) - at(p, -1, -1))
    third = third - at(z, 1, 0) * (at(p, 1, 1) - at(p, 1, -1)) + at(z, -1, 0) * (at(p, -1, 1) - at(p, -1, -1))
    return torch.square((first + second + third) / 12).mean()


def checkers(u: Any, source: Any) -> Any:
    """Gauss and Seidel's method, half of the cells after the other."""
    n, m = u.shape
    black = (torch.arange(n).reshape(n, 1) + torch.arange(m)) % 2 == 0
    for _ in range(4):
        for colour in (0, 1):
            p = functional.pad(u, (1, 1, 1, 1))
            new = (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - source) / 4
            u = torch.where(black, new, u) if colour == 0 else torch.where(black, u, new)
    return torch.square(u).mean()


def pieces(x: Any, y: Any) -> Any:
    """Parts in another order, and one of them backwards."""
    z = torch.cat((x[:, 48:], torch.tanh(y), torch.flip(x[:, :48], (1,)), x[:, ::3] * 2), 1)
    return (z[:, 1:] * z[:, :-1]).sum(1).mean()


def gas(u: Any) -> Any:
    """Density, momentum and energy between closed ends."""
    density, momentum, energy = 1 + 0.1 * torch.tanh(u[0]), 0.1 * u[1], 2.5 + 0.1 * torch.tanh(u[2])
    for _ in range(4):
        speed = momentum / density
        pressure = 0.4 * (energy - 0.5 * momentum * speed)
        flows = (momentum, momentum * speed + pressure, (energy + pressure) * speed)
        new = []
        for state, flow in zip((density, momentum, energy), flows, strict=True):
            inner = 0.5 * (state[2:] + state[:-2]) - 0.1 * (flow[2:] - flow[:-2])
            new.append(torch.cat((state[:1], inner, state[-1:])))
        density, momentum, energy = new
    return torch.square(density).mean() + torch.square(energy).mean()


def burgers(u: Any) -> Any:
    """Central differences, with viscosity."""
    for _ in range(60):
        left, right = torch.roll(u, 1, 0), torch.roll(u, -1, 0)
        u = u - 0.02 * u * (right - left) + 0.2 * (right - 2 * u + left)
    return torch.square(u).mean()


def heat(u: Any) -> Any:
    """The borders are cold."""
    for _ in range(50):
        p = functional.pad(u, (1, 1, 1, 1))
        u = u + 0.2 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * u)
    return torch.square(u).mean()
