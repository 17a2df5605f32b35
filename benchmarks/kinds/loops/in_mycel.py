"""Loops in MindSpore's names."""

from typing import Any

import mindspore as ms
from mindspore import ops


def row_recurrence(a: Any, x: Any) -> Any:
    """The mean of the last state's squares, and of all states."""
    h = ops.zeros_like(x[0])
    total = ops.zeros_like(h)
    for t in range(x.shape[0]):
        h = ops.tanh(a * h + x[t])
        total = total + h * h
    return total.mean()


def biquad(c: Any, x: Any) -> Any:
    """The power of what the filter lets through."""
    y1 = y2 = x1 = x2 = ops.zeros_like(x[0])
    out = []
    for t in range(x.shape[0]):
        y = c[0] * x[t] + c[1] * x1 + c[2] * x2 - c[3] * y1 - c[4] * y2
        x2, x1 = x1, x[t]
        y2, y1 = y1, y
        out.append(y)
    return ops.square(ops.stack(out)).mean()


def moving_average(a: Any, x: Any) -> Any:
    """The error of averages as predictions."""
    rate = ops.sigmoid(a)
    average = x[0]
    error = ops.zeros_like(x[0])
    for row in x[1:]:
        error = error + ops.square(row - average)
        average = average + rate * (row - average)
    return error.mean()


def advantages(rewards: Any, values: Any, going: Any) -> Any:
    """Sums of discounted errors, from the last step to the first."""
    last = ops.zeros_like(rewards[0])
    out = []
    for t in range(rewards.shape[0] - 1, -1, -1):
        delta = rewards[t] + 0.99 * values[t + 1] * going[t] - values[t]
        last = delta + 0.99 * 0.95 * going[t] * last
        out.append(last)
    return ops.flip(ops.stack(out), (0,))


def binomial(price: Any, sigma: Any) -> Any:
    """The mean value of American puts."""
    steps, strike, rate = 64, 100.0, 0.05
    dt = 1.0 / steps
    up = ops.exp(sigma * dt**0.5)
    p = (ops.exp(ms.Tensor(rate * dt)) - 1 / up) / (up - 1 / up)
    discount = ops.exp(ms.Tensor(-rate * dt))
    exponents = 2.0 * ops.arange(0, steps + 1).astype(ms.float32) - steps
    ends = price[:, None] * up**exponents
    value = ops.relu(strike - ends)
    for _ in range(steps):
        value = discount * (p * value[:, 1:] + (1 - p) * value[:, :-1])
        ends = ends[:, 1:] / up
        value = ops.maximum(value, strike - ends)
    return value.mean()


def ray_marching(towards: Any) -> Any:
    """How far each ray goes to a ball above a plane."""
    depth = ops.zeros_like(towards[:, 0])
    distance = depth + 1.0
    steps = 0
    while ops.logical_and(distance > 1e-3, depth < 20.0).any() and steps < 64:
        x, y, z = depth * towards[:, 0], depth * towards[:, 1], depth * towards[:, 2]
        ball = ops.sqrt(x * x + y * y + (z - 4.0) * (z - 4.0)) - 1.0
        distance = ops.minimum(ball, y + 1.5)
        depth = ops.where(ops.logical_and(distance > 1e-3, depth < 20.0), depth + distance, depth)
        steps = steps + 1
    return depth


def gru(w: Any, u: Any, b: Any, x: Any) -> Any:
    """The mean of the squares of the last state."""
    n = u.shape[0]
    h = ops.zeros((x.shape[1], n))
    for t in range(x.shape[0]):
        gx, gh = x[t] @ w + b, h @ u
        r = ops.sigmoid(gx[:, :n] + gh[:, :n])
        z = ops.sigmoid(gx[:, n : 2 * n] + gh[:, n : 2 * n])
        candidate = ops.tanh(gx[:, 2 * n :] + r * gh[:, 2 * n :])
        h = (1 - z) * candidate + z * h
    return ops.square(h).mean()


def lstm(w: Any, u: Any, b: Any, x: Any) -> Any:
    """The mean of the squares of all states."""
    n = u.shape[0]
    h = c = ops.zeros((x.shape[1], n))
    out = []
    for t in range(x.shape[0]):
        gates = x[t] @ w + h @ u + b
        i, f, g, o = ops.split(gates, n, 1)
        c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
        h = ops.sigmoid(o) * ops.tanh(c)
        out.append(h)
    return ops.square(ops.stack(out)).mean()


def gru_one(w: Any, u: Any, b: Any, x: Any) -> Any:
    """As `gru`, without a batch."""
    n = u.shape[0]
    h = ops.zeros((n,))
    for row in x:
        gx, gh = row @ w + b, h @ u
        r = ops.sigmoid(gx[:n] + gh[:n])
        z = ops.sigmoid(gx[n : 2 * n] + gh[n : 2 * n])
        candidate = ops.tanh(gx[2 * n :] + r * gh[2 * n :])
        h = (1 - z) * candidate + z * h
    return ops.square(h).mean()


def extended_kalman(logs: Any, seen: Any) -> Any:
    """The likelihood of ranges, by the logarithms of two variances."""
    marks = ms.Tensor([[3.0, 0.0], [0.0, 4.0]])
    q, r = ops.exp(logs[0]) * 0.01, ops.exp(logs[1]) * 0.1
    f = ms.Tensor([[1.0, 0.0, 0.1, 0.0], [0.0, 1.0, 0.0, 0.1], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    identity = ops.eye(4)
    m, p = ms.Tensor([0.5, 0.5, 0.1, 0.1]), identity
    total = ms.Tensor(0.0)
    for t in range(seen.shape[0]):
        m, p = f @ m, f @ p @ f.T + q * identity
        away = m[:2] - marks
        ranges = ops.sqrt((away * away).sum(1))
        h = ops.cat((away / ranges[:, None], ops.zeros((2, 2))), 1)
        s = h @ p @ h.T + r * ops.eye(2)
        inverse = ops.inverse(s)
        error = 3.0 + seen[t] - ranges
        k = p @ h.T @ inverse
        m = m + k @ error
        p = (identity - k @ h) @ p
        total = total + error @ inverse @ error + ops.log(s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0])
    return 0.5 * total / seen.shape[0]


def many_kalman(logs: Any, seen: Any) -> Any:
    """The likelihood of what was seen, of positions with velocities."""
    q, r = ops.exp(logs[0]) * 0.01, ops.exp(logs[1]) * 0.1
    x = v = ops.zeros_like(seen[0])
    pxx = pvv = ops.ones_like(x)
    pxv = ops.zeros_like(x)
    total = ops.zeros_like(x)
    for z in seen:
        x = x + 0.1 * v
        pxx, pxv, pvv = pxx + 0.2 * pxv + 0.01 * pvv + q, pxv + 0.1 * pvv, pvv + q
        s, error = pxx + r, z - x
        kx, kv = pxx / s, pxv / s
        x, v = x + kx * error, v + kv * error
        pxx, pxv, pvv = (1 - kx) * pxx, (1 - kx) * pxv, pvv - kv * pxv
        total = total + error * error / s + ops.log(s)
    return total.mean()


def power_iteration(a: Any, v: Any) -> Any:
    """The largest eigenvalue."""
    for _ in range(100):
        v = a @ v
        v = v / ops.norm(v)
    return (v * (a @ v)).sum()


def conjugate_gradients(a: Any, b: Any) -> Any:
    """The solution of a x = b."""
    x = ops.zeros_like(b)
    r = p = b
    rr = (r * r).sum()
    steps = 0
    while rr > 1e-8 and steps < 200:
        ap = a @ p
        alpha = rr / (p * ap).sum()
        x = x + alpha * p
        r = r - alpha * ap
        new = (r * r).sum()
        p = r + new / rr * p
        rr = new
        steps = steps + 1
    return x


def sinkhorn(cost: Any) -> Any:
    """The cost of a plan of transport."""
    k = -cost / 0.5
    f, g = ops.zeros((cost.shape[0],)), ops.zeros((cost.shape[1],))
    for _ in range(50):
        f = -ops.logsumexp(k + g[None, :], 1)
        g = -ops.logsumexp(k + f[:, None], 0)
    return (ops.exp(k + f[:, None] + g[None, :]) * cost).sum()


def newton(w: Any, b: Any) -> Any:
    """The sum of the root of x + tanh(w x) - b."""
    x = ops.zeros_like(b)
    identity = ops.eye(b.shape[0])
    for _ in range(10):
        y = ops.tanh(w @ x)
        jacobian = identity + (1 - y * y)[:, None] * w
        x = x - ops.inverse(jacobian) @ (x + y - b)
    return ops.square(x).sum()


def fixed_point(w: Any, b: Any) -> Any:
    """The x that is tanh(w x + b)."""
    x, change = ops.zeros_like(b), ms.Tensor(1.0)
    while change > 1e-5:
        new = ops.tanh(w @ x + b)
        change = ops.abs(new - x).max()
        x = new
    return x


def forward_backward(transitions: Any, emissions: Any, initial: Any) -> Any:
    """Posteriors of the states."""
    length = emissions.shape[0]
    alpha = initial + emissions[0]
    alphas = [alpha]
    for t in range(1, length):
        alpha = emissions[t] + ops.logsumexp(alpha[:, None] + transitions, 0)
        alphas.append(alpha)
    beta = ops.zeros_like(initial)
    betas = [beta]
    for t in range(length - 1, 0, -1):
        beta = ops.logsumexp(transitions + (emissions[t] + beta)[None, :], 1)
        betas.append(beta)
    return ops.softmax(ops.stack(alphas) + ops.flip(ops.stack(betas), (0,)), 1)


def hidden_markov(transitions: Any, emissions: Any, initial: Any) -> Any:
    """The logarithm of the likelihood."""
    alpha = initial + emissions[0]
    for t in range(1, emissions.shape[0]):
        alpha = emissions[t] + ops.logsumexp(alpha[:, None] + transitions, 0)
    return ops.logsumexp(alpha, 0)


def viterbi(transitions: Any, emissions: Any, initial: Any) -> Any:
    """The likeliest states."""
    score = initial + emissions[0]
    back = []
    for t in range(1, emissions.shape[0]):
        through = score[:, None] + transitions
        back.append(through.argmax(0))
        score = through.max(axis=0) + emissions[t]
    state = score.argmax(0)
    path = [state]
    for pointers in back[::-1]:
        state = pointers[state]
        path.append(state)
    return ops.stack(path[::-1])


def time_warping(a: Any, b: Any) -> Any:
    """The mean cost of soft alignments, diagonal by diagonal."""
    n = a.shape[1]
    cost = ops.square(a[:, :, None, :] - b[:, None, :, :]).sum(3)
    skewed = ops.stack([ops.pad(cost[:, i], (i, n - 1 - i), value=1e4) for i in range(n)], 2)
    before = last = ops.full((a.shape[0], n + 1), 1e4, dtype=ms.float32)
    before = ops.cat((ops.zeros((a.shape[0], 1)), before[:, 1:]), 1)
    for t in range(2 * n - 1):
        options = ops.stack((before[:, :-1], last[:, :-1], last[:, 1:]))
        new = skewed[:, t] - ops.logsumexp(-options, 0)
        before, last = last, ops.pad(new, (1, 0), value=1e4)
    return last[:, -1].mean()


def edit_distance(a: Any, b: Any) -> Any:
    """How many letters differ at least."""
    n, m = a.shape[0], b.shape[0]
    places = ops.arange(0, m + 1).astype(ms.int32)
    row = places
    for i in range(n):
        swapped = row[:-1] + (b != a[i]).astype(ms.int32)
        best = ops.minimum(swapped, row[1:] + 1)
        best = ops.cat((row[:1] + 1, best))
        row = ops.cummin(best - places, 0)[0] + places
    return row[-1]


def greedy(table: Any, recurrent: Any, out: Any, token: Any) -> Any:
    """The best token of each step."""
    h = ops.zeros((token.shape[0], table.shape[1]))
    tokens = []
    for _ in range(32):
        h = ops.tanh(table[token] + h @ recurrent)
        token = (h @ out).argmax(1)
        tokens.append(token)
    return ops.stack(tokens, 1)


def spiking(w: Any, x: Any) -> Any:
    """How often each neuron fires."""
    v = ops.zeros_like(x[0])
    fired = count = ops.zeros_like(v)
    for t in range(x.shape[0]):
        v = 0.9 * v * (1 - fired) + x[t] + fired @ w
        fired = (v > 1.0).astype(ms.float32)
        count = count + fired
    return count


def lorenz(state: Any, constants: Any) -> Any:
    """The last state's squares."""

    def slope(s: Any) -> Any:
        x, y, z = s[0], s[1], s[2]
        return ops.stack((constants[0] * (y - x), x * (constants[1] - z) - y, x * y - constants[2] * z))

    h = 0.005
    for _ in range(200):
        k1 = slope(state)
        k2 = slope(state + 0.5 * h * k1)
        k3 = slope(state + 0.5 * h * k2)
        k4 = slope(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return ops.square(state).mean()


def prey(state: Any, constants: Any) -> Any:
    """The last states' squares."""

    def slope(s: Any) -> Any:
        x, y = s[:, 0], s[:, 1]
        dx = constants[0] * x - constants[1] * x * y
        dy = constants[2] * x * y - constants[3] * y
        return ops.stack((dx, dy), 1)

    h = 0.05
    for _ in range(100):
        k1 = slope(state)
        k2 = slope(state + 0.5 * h * k1)
        k3 = slope(state + 0.5 * h * k2)
        k4 = slope(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return ops.square(state).mean()


def neural_ode(w: Any, b: Any, v: Any, x: Any) -> Any:
    """The last states' squares."""

    def slope(s: Any) -> Any:
        return ops.tanh(s @ w + b) @ v

    h = 1 / 16
    for _ in range(16):
        k1 = slope(x)
        k2 = slope(x + 0.5 * h * k1)
        k3 = slope(x + 0.5 * h * k2)
        k4 = slope(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return ops.square(x).mean()


def forward_substitution(a: Any, b: Any) -> Any:
    """The sum of squares of what solves (1 + lower part of a) x = b."""
    x = ops.zeros_like(b)
    for i in range(b.shape[0]):
        x[i] = b[i] - (a[i] * x).sum()
    return ops.square(x).sum()


def jacobi(a: Any, b: Any) -> Any:
    """The solution of a x = b."""
    diagonal = a.diagonal()
    rest = a - ops.diag(diagonal)
    x = ops.zeros_like(b)
    while ops.abs(a @ x - b).max() > 1e-5:
        x = (b - rest @ x) / diagonal
    return x


def learned_rate(log_rate: Any, x: Any, y: Any) -> Any:
    """The loss after the steps."""
    rate = ops.exp(log_rate)
    w = ops.zeros((x.shape[1],))
    for _ in range(100):
        w = w - rate * (x.T @ (ops.sigmoid(x @ w) - y)) / x.shape[0]
    p = ops.sigmoid(x @ w)
    return -(y * ops.log(p + 1e-6) + (1 - y) * ops.log(1 - p + 1e-6)).mean()


def game_of_life(cells: Any) -> Any:
    """The cells after fifty generations."""
    for _ in range(50):
        rows = ops.roll(cells, 1, 0) + cells + ops.roll(cells, -1, 0)
        around = ops.roll(rows, 1, 1) + rows + ops.roll(rows, -1, 1) - cells
        born = ops.logical_or(around == 3, ops.logical_and(around == 2, cells > 0))
        cells = born.astype(ms.float32)
    return cells
