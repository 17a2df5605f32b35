"""Loops in JAX: `scan` where there are rows, `fori_loop` and `while_loop` elsewhere."""

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.special import logsumexp


def row_recurrence(a: Any, x: Any) -> Any:
    """The mean of the last state's squares, and of all states."""

    def step(carried: Any, row: Any) -> Any:
        h, total = carried
        h = jnp.tanh(a * h + row)
        return (h, total + h * h), None

    zeros = jnp.zeros_like(x[0])
    return lax.scan(step, (zeros, zeros), x)[0][1].mean()


def biquad(c: Any, x: Any) -> Any:
    """The power of what the filter lets through."""

    def step(carried: Any, row: Any) -> Any:
        x1, x2, y1, y2 = carried
        y = c[0] * row + c[1] * x1 + c[2] * x2 - c[3] * y1 - c[4] * y2
        return (row, x1, y, y1), y

    zeros = jnp.zeros_like(x[0])
    return jnp.square(lax.scan(step, (zeros,) * 4, x)[1]).mean()


def moving_average(a: Any, x: Any) -> Any:
    """The error of averages as predictions."""
    rate = jax.nn.sigmoid(a)

    def step(carried: Any, row: Any) -> Any:
        average, error = carried
        return (average + rate * (row - average), error + jnp.square(row - average)), None

    return lax.scan(step, (x[0], jnp.zeros_like(x[0])), x[1:])[0][1].mean()


def advantages(rewards: Any, values: Any, going: Any) -> Any:
    """Sums of discounted errors, from the last step to the first."""

    def step(last: Any, rows: Any) -> Any:
        reward, value, following, on = rows
        last = reward + 0.99 * following * on - value + 0.99 * 0.95 * on * last
        return last, last

    zeros = jnp.zeros_like(rewards[0])
    return lax.scan(step, zeros, (rewards, values[:-1], values[1:], going), reverse=True)[1]


def binomial(price: Any, sigma: Any) -> Any:
    """The mean value of American puts."""
    steps, strike, rate = 64, 100.0, 0.05
    dt = 1.0 / steps
    up = jnp.exp(sigma * dt**0.5)
    p = (jnp.exp(rate * dt) - 1 / up) / (up - 1 / up)
    discount = jnp.exp(-rate * dt)
    exponents = 2.0 * jnp.arange(steps + 1) - steps
    ends = price[:, None] * up**exponents
    value = jax.nn.relu(strike - ends)
    for _ in range(steps):
        value = discount * (p * value[:, 1:] + (1 - p) * value[:, :-1])
        ends = ends[:, 1:] / up
        value = jnp.maximum(value, strike - ends)
    return value.mean()


def ray_marching(towards: Any) -> Any:
    """How far each ray goes to a ball above a plane."""

    def going(carried: Any) -> Any:
        depth, distance, steps = carried
        return ((distance > 1e-3) & (depth < 20.0)).any() & (steps < 64)

    def step(carried: Any) -> Any:
        depth, _, steps = carried
        x, y, z = depth * towards[:, 0], depth * towards[:, 1], depth * towards[:, 2]
        ball = jnp.sqrt(x * x + y * y + (z - 4.0) * (z - 4.0)) - 1.0
        distance = jnp.minimum(ball, y + 1.5)
        depth = jnp.where((distance > 1e-3) & (depth < 20.0), depth + distance, depth)
        return depth, distance, steps + 1

    depth = jnp.zeros_like(towards[:, 0])
    return lax.while_loop(going, step, (depth, depth + 1.0, 0))[0]


def _gru_step(w: Any, u: Any, b: Any) -> Any:
    n = u.shape[0]

    def step(h: Any, row: Any) -> Any:
        gx, gh = row @ w + b, h @ u
        r = jax.nn.sigmoid(gx[..., :n] + gh[..., :n])
        z = jax.nn.sigmoid(gx[..., n : 2 * n] + gh[..., n : 2 * n])
        candidate = jnp.tanh(gx[..., 2 * n :] + r * gh[..., 2 * n :])
        return (1 - z) * candidate + z * h, None

    return step


def gru(w: Any, u: Any, b: Any, x: Any) -> Any:
    """The mean of the squares of the last state."""
    return jnp.square(lax.scan(_gru_step(w, u, b), jnp.zeros((x.shape[1], u.shape[0])), x)[0]).mean()


def lstm(w: Any, u: Any, b: Any, x: Any) -> Any:
    """The mean of the squares of all states."""

    def step(carried: Any, row: Any) -> Any:
        h, c = carried
        i, f, g, o = jnp.split(row @ w + h @ u + b, 4, 1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zeros = jnp.zeros((x.shape[1], u.shape[0]))
    return jnp.square(lax.scan(step, (zeros, zeros), x)[1]).mean()


def gru_one(w: Any, u: Any, b: Any, x: Any) -> Any:
    """As `gru`, without a batch."""
    return jnp.square(lax.scan(_gru_step(w, u, b), jnp.zeros(u.shape[0]), x)[0]).mean()


def extended_kalman(logs: Any, seen: Any) -> Any:
    """The likelihood of ranges, by the logarithms of two variances."""
    marks = jnp.array([[3.0, 0.0], [0.0, 4.0]])
    q, r = jnp.exp(logs[0]) * 0.01, jnp.exp(logs[1]) * 0.1
    f = jnp.array([[1.0, 0.0, 0.1, 0.0], [0.0, 1.0, 0.0, 0.1], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    identity = jnp.eye(4)

    def step(carried: Any, row: Any) -> Any:
        m, p, total = carried
        m, p = f @ m, f @ p @ f.T + q * identity
        away = m[:2] - marks
        ranges = jnp.sqrt((away * away).sum(1))
        h = jnp.concatenate((away / ranges[:, None], jnp.zeros((2, 2))), 1)
        s = h @ p @ h.T + r * jnp.eye(2)
        inverse = jnp.linalg.inv(s)
        error = 3.0 + row - ranges
        k = p @ h.T @ inverse
        total = total + error @ inverse @ error + jnp.log(s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0])
        return (m + k @ error, (identity - k @ h) @ p, total), None

    start = jnp.array([0.5, 0.5, 0.1, 0.1]), identity, jnp.array(0.0)
    return 0.5 * lax.scan(step, start, seen)[0][2] / seen.shape[0]


def many_kalman(logs: Any, seen: Any) -> Any:
    """The likelihood of what was seen, of positions with velocities."""
    q, r = jnp.exp(logs[0]) * 0.01, jnp.exp(logs[1]) * 0.1

    def step(carried: Any, z: Any) -> Any:
        x, v, pxx, pxv, pvv, total = carried
        x = x + 0.1 * v
        pxx, pxv, pvv = pxx + 0.2 * pxv + 0.01 * pvv + q, pxv + 0.1 * pvv, pvv + q
        s, error = pxx + r, z - x
        kx, kv = pxx / s, pxv / s
        x, v = x + kx * error, v + kv * error
        total = total + error * error / s + jnp.log(s)
        return (x, v, (1 - kx) * pxx, (1 - kx) * pxv, pvv - kv * pxv, total), None

    zeros, ones = jnp.zeros_like(seen[0]), jnp.ones_like(seen[0])
    return lax.scan(step, (zeros, zeros, ones, zeros, ones, zeros), seen)[0][5].mean()


def power_iteration(a: Any, v: Any) -> Any:
    """The largest eigenvalue."""

    def step(_: Any, v: Any) -> Any:
        v = a @ v
        return v / jnp.linalg.norm(v)

    v = lax.fori_loop(0, 100, step, v)
    return (v * (a @ v)).sum()


def conjugate_gradients(a: Any, b: Any) -> Any:
    """The solution of a x = b."""

    def step(carried: Any) -> Any:
        x, r, p, rr, steps = carried
        ap = a @ p
        alpha = rr / (p * ap).sum()
        r = r - alpha * ap
        new = (r * r).sum()
        return x + alpha * p, r, r + new / rr * p, new, steps + 1

    start = jnp.zeros_like(b), b, b, (b * b).sum(), 0
    return lax.while_loop(lambda carried: (carried[3] > 1e-8) & (carried[4] < 200), step, start)[0]


def sinkhorn(cost: Any) -> Any:
    """The cost of a plan of transport."""
    k = -cost / 0.5

    def step(_: Any, carried: Any) -> Any:
        f = -logsumexp(k + carried[1][None, :], 1)
        return f, -logsumexp(k + f[:, None], 0)

    f, g = lax.fori_loop(0, 50, step, (jnp.zeros(cost.shape[0]), jnp.zeros(cost.shape[1])))
    return (jnp.exp(k + f[:, None] + g[None, :]) * cost).sum()


def newton(w: Any, b: Any) -> Any:
    """The sum of the root of x + tanh(w x) - b."""

    def step(_: Any, x: Any) -> Any:
        y = jnp.tanh(w @ x)
        jacobian = jnp.eye(b.shape[0]) + (1 - y * y)[:, None] * w
        return x - jnp.linalg.inv(jacobian) @ (x + y - b)

    return jnp.square(lax.fori_loop(0, 10, step, jnp.zeros_like(b))).sum()


def fixed_point(w: Any, b: Any) -> Any:
    """The x that is tanh(w x + b)."""

    def step(carried: Any) -> Any:
        new = jnp.tanh(w @ carried[0] + b)
        return new, jnp.abs(new - carried[0]).max()

    return lax.while_loop(lambda carried: carried[1] > 1e-5, step, (jnp.zeros_like(b), jnp.array(1.0)))[0]


def forward_backward(transitions: Any, emissions: Any, initial: Any) -> Any:
    """Posteriors of the states."""

    def forward(alpha: Any, row: Any) -> Any:
        alpha = row + logsumexp(alpha[:, None] + transitions, 0)
        return alpha, alpha

    def backward(beta: Any, row: Any) -> Any:
        return logsumexp(transitions + (row + beta)[None, :], 1), beta

    first = initial + emissions[0]
    alphas = jnp.concatenate((first[None], lax.scan(forward, first, emissions[1:])[1]))
    last, betas = lax.scan(backward, jnp.zeros_like(initial), emissions[1:], reverse=True)
    return jax.nn.softmax(alphas + jnp.concatenate((last[None], betas)), 1)


def hidden_markov(transitions: Any, emissions: Any, initial: Any) -> Any:
    """The logarithm of the likelihood."""

    def step(alpha: Any, row: Any) -> Any:
        return row + logsumexp(alpha[:, None] + transitions, 0), None

    return logsumexp(lax.scan(step, initial + emissions[0], emissions[1:])[0])


def viterbi(transitions: Any, emissions: Any, initial: Any) -> Any:
    """The likeliest states."""

    def forward(score: Any, row: Any) -> Any:
        through = score[:, None] + transitions
        return through.max(0) + row, through.argmax(0)

    def follow(state: Any, pointers: Any) -> Any:
        return pointers[state], state

    score, back = lax.scan(forward, initial + emissions[0], emissions[1:])
    first, path = lax.scan(follow, score.argmax(), back, reverse=True)
    return jnp.concatenate((first[None], path))


def time_warping(a: Any, b: Any) -> Any:
    """The mean cost of soft alignments, diagonal by diagonal."""
    n = a.shape[1]
    cost = jnp.square(a[:, :, None, :] - b[:, None, :, :]).sum(3)
    rows = [jnp.pad(cost[:, i], ((0, 0), (i, n - 1 - i)), constant_values=1e4) for i in range(n)]
    skewed = jnp.moveaxis(jnp.stack(rows, 2), 1, 0)
    last = jnp.full((a.shape[0], n + 1), 1e4)

    def step(carried: Any, row: Any) -> Any:
        before, last = carried
        options = jnp.stack((before[:, :-1], last[:, :-1], last[:, 1:]))
        new = row - logsumexp(-options, 0)
        return (last, jnp.pad(new, ((0, 0), (1, 0)), constant_values=1e4)), None

    return lax.scan(step, (last.at[:, 0].set(0.0), last), skewed)[0][1][:, -1].mean()


def edit_distance(a: Any, b: Any) -> Any:
    """How many letters differ at least."""
    places = jnp.arange(b.shape[0] + 1)

    def step(row: Any, letter: Any) -> Any:
        best = jnp.minimum(row[:-1] + (b != letter), row[1:] + 1)
        best = jnp.concatenate((row[:1] + 1, best))
        return lax.cummin(best - places) + places, None

    return lax.scan(step, places, a)[0][-1]


def greedy(table: Any, recurrent: Any, out: Any, token: Any) -> Any:
    """The best token of each step."""

    def step(carried: Any, _: Any) -> Any:
        h, token = carried
        h = jnp.tanh(table[token] + h @ recurrent)
        token = (h @ out).argmax(1)
        return (h, token), token

    start = jnp.zeros((token.shape[0], table.shape[1])), token
    return lax.scan(step, start, None, length=32)[1].T


def spiking(w: Any, x: Any) -> Any:
    """How often each neuron fires."""

    def step(carried: Any, row: Any) -> Any:
        v, fired, count = carried
        v = 0.9 * v * (1 - fired) + row + fired @ w
        fired = (v > 1.0).astype(jnp.float32)
        return (v, fired, count + fired), None

    zeros = jnp.zeros_like(x[0])
    return lax.scan(step, (zeros, zeros, zeros), x)[0][2]


def _rk4(slope: Any, state: Any, h: float, steps: int) -> Any:
    def step(_: Any, state: Any) -> Any:
        k1 = slope(state)
        k2 = slope(state + 0.5 * h * k1)
        k3 = slope(state + 0.5 * h * k2)
        k4 = slope(state + h * k3)
        return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    return lax.fori_loop(0, steps, step, state)


def lorenz(state: Any, constants: Any) -> Any:
    """The last state's squares."""

    def slope(s: Any) -> Any:
        x, y, z = s[0], s[1], s[2]
        return jnp.stack((constants[0] * (y - x), x * (constants[1] - z) - y, x * y - constants[2] * z))

    return jnp.square(_rk4(slope, state, 0.005, 200)).mean()


def prey(state: Any, constants: Any) -> Any:
    """The last states' squares."""

    def slope(s: Any) -> Any:
        x, y = s[:, 0], s[:, 1]
        dx = constants[0] * x - constants[1] * x * y
        dy = constants[2] * x * y - constants[3] * y
        return jnp.stack((dx, dy), 1)

    return jnp.square(_rk4(slope, state, 0.05, 100)).mean()


def neural_ode(w: Any, b: Any, v: Any, x: Any) -> Any:
    """The last states' squares."""
    return jnp.square(_rk4(lambda s: jnp.tanh(s @ w + b) @ v, x, 1 / 16, 16)).mean()


def forward_substitution(a: Any, b: Any) -> Any:
    """The sum of squares of what solves (1 + lower part of a) x = b."""

    def step(i: Any, x: Any) -> Any:
        return x.at[i].set(b[i] - (a[i] * x).sum())

    return jnp.square(lax.fori_loop(0, b.shape[0], step, jnp.zeros_like(b))).sum()


def jacobi(a: Any, b: Any) -> Any:
    """The solution of a x = b."""
    diagonal = jnp.diag(a)
    rest = a - jnp.diag(diagonal)
    going, step = lambda x: jnp.abs(a @ x - b).max() > 1e-5, lambda x: (b - rest @ x) / diagonal
    return lax.while_loop(going, step, jnp.zeros_like(b))


def learned_rate(log_rate: Any, x: Any, y: Any) -> Any:
    """The loss after the steps."""
    rate = jnp.exp(log_rate)

    def step(_: Any, w: Any) -> Any:
        return w - rate * (x.T @ (jax.nn.sigmoid(x @ w) - y)) / x.shape[0]

    p = jax.nn.sigmoid(x @ lax.fori_loop(0, 100, step, jnp.zeros(x.shape[1])))
    return -(y * jnp.log(p + 1e-6) + (1 - y) * jnp.log(1 - p + 1e-6)).mean()


def game_of_life(cells: Any) -> Any:
    """The cells after fifty generations."""

    def step(_: Any, cells: Any) -> Any:
        rows = jnp.roll(cells, 1, 0) + cells + jnp.roll(cells, -1, 0)
        around = jnp.roll(rows, 1, 1) + rows + jnp.roll(rows, -1, 1) - cells
        return ((around == 3) | ((around == 2) & (cells > 0))).astype(jnp.float32)

    return lax.fori_loop(0, 50, step, cells)
