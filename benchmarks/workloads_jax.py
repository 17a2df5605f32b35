"""The workloads on JAX, under `jax.jit`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import programs
import workloads
from jax import lax

Step = Callable[..., Any]
Arrays = list[Any]


def _weights(name: str) -> Arrays:
    return [jnp.asarray(array) for array in workloads.weights(name)]


def _momentum(weights: Arrays, state: Any, gradients: Arrays) -> tuple[Arrays, Any]:
    state = [workloads.MOMENTUM * moment + gradient for moment, gradient in zip(state, gradients, strict=True)]
    return [weight - workloads.MOMENTUM_RATE * moment for weight, moment in zip(weights, state, strict=True)], state


def _adam(weights: Arrays, state: Any, gradients: Arrays) -> tuple[Arrays, Any]:
    firsts, seconds, count = state
    count = count + 1
    firsts = [0.9 * m + 0.1 * g for m, g in zip(firsts, gradients, strict=True)]
    seconds = [0.999 * v + 0.001 * g * g for v, g in zip(seconds, gradients, strict=True)]
    rate = workloads.ADAM_RATE * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    weights = [w - rate * m / (jnp.sqrt(v) + 1e-8) for w, m, v in zip(weights, firsts, seconds, strict=True)]
    return weights, (firsts, seconds, count)


def training(name: str, loss_of: Callable[..., Any], optimizer: Callable[..., Any]) -> Step:
    """Forward, backward, update, as one compiled function."""
    weights = _weights(name)
    zeros = [jnp.zeros_like(weight) for weight in weights]
    held: list[Any] = [weights, (zeros, list(zeros), jnp.zeros(())) if optimizer is _adam else zeros]

    @jax.jit
    def compiled(weights: Arrays, state: Any, x: Any, y: Any) -> Any:
        loss, gradients = jax.value_and_grad(loss_of)(weights, x, y)
        return loss, *optimizer(weights, state, gradients)

    def step(x: Any, y: Any) -> Any:
        loss, held[0], held[1] = compiled(*held, x, y)
        return loss, held[0]

    return step


def _cross_entropy(scores: Any, classes: Any) -> Any:
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(scores), classes[:, None], 1))


def _layers(x: Any, weights: Arrays, activation: Callable[[Any], Any]) -> Any:
    """Dense layers with an activation between them."""
    for position in range(0, len(weights), 2):
        x = x @ weights[position].T + weights[position + 1]
        if position + 2 < len(weights):
            x = activation(x)
    return x


def _convolution(x: Any, weight: Any, bias: Any, padding: str) -> Any:
    made = lax.conv_general_dilated(x, weight, (1, 1), padding, dimension_numbers=("NCHW", "OIHW", "NCHW"))
    return made + bias[:, None, None]


def _pool(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def _normalized(x: Any, scale: Any, shift: Any, axes: tuple[int, ...]) -> Any:
    mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift


def dense_grad() -> Step:
    """Value and gradients by input, target and weight."""
    (weight,) = _weights("dense_grad")

    def function(x: Any, y: Any, weight: Any) -> Any:
        prediction = (x @ weight.T).squeeze()
        return jnp.square(prediction - y).mean(), prediction

    gradient = jax.jit(jax.value_and_grad(function, (0, 1, 2), has_aux=True))
    return lambda x, y: gradient(x, y, weight)


def mlp_tiny() -> Step:
    """A small network with tanh."""
    return training("mlp_tiny", lambda w, x, y: jnp.square(_layers(x, w, jnp.tanh) - y).mean(), _momentum)


def mlp_adam() -> Step:
    """A classifier with ReLU."""
    return training("mlp_adam", lambda w, x, y: _cross_entropy(_layers(x, w, jax.nn.relu), y), _adam)


def lenet() -> Step:
    """Two convolutions with pooling, three dense layers."""

    def loss(weights: Arrays, x: Any, y: Any) -> Any:
        x = _pool(jax.nn.relu(_convolution(x, *weights[:2], "VALID")))
        x = _pool(jax.nn.relu(_convolution(x, *weights[2:4], "VALID")))
        return _cross_entropy(_layers(x.reshape(len(x), -1), weights[4:], jax.nn.relu), y)

    return training("lenet", loss, _momentum)


def _chain() -> Step:
    def function(x: Any) -> Any:
        for _ in range(4):
            x = jnp.tanh(x) * 1.1 + jax.nn.sigmoid(x) * x - 0.3 * jnp.square(x)
        return x.mean()

    return jax.jit(jax.value_and_grad(function))  # type: ignore[no-any-return]


def transformer() -> Step:
    """A transformer block trained on a squared error."""
    batch, positions, size, heads = workloads.BATCH, workloads.POSITIONS, workloads.SIZE, workloads.HEADS

    def loss(weights: Arrays, x: Any, y: Any) -> Any:
        first = _normalized(x, *weights[:2], (-1,))
        parts = (first @ weights[2].T + weights[3]).reshape(batch, positions, 3, heads, size // heads)
        query, key, value = parts.transpose(2, 0, 3, 1, 4)
        scores = jax.nn.softmax(query @ key.swapaxes(-1, -2) / (size / heads) ** 0.5, -1)
        mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(batch, positions, size)
        x = x + mixed @ weights[4].T + weights[5]
        made = _layers(_normalized(x, *weights[6:8], (-1,)), weights[8:], lambda v: jax.nn.gelu(v, approximate=False))
        return jnp.square(x + made - y).mean()

    return training("transformer", loss, _adam)


def rnn() -> Step:
    """A recurrent layer written as a loop over its steps."""
    held = _weights("rnn")

    def function(by_input: Any, by_state: Any, x: Any) -> Any:
        state = x[0] * 0
        for step in range(workloads.STEPS):
            state = jnp.tanh(x[step] @ by_input + state @ by_state)
        return (state * state).mean()

    gradient = jax.jit(jax.value_and_grad(function, (0, 1)))
    return lambda x: gradient(*held, x)


def convnet() -> Step:
    """Three convolutions, two of them with batch norm."""

    def normalized(x: Any, scale: Any, shift: Any) -> Any:
        return _normalized(x, scale[:, None, None], shift[:, None, None], (0, 2, 3))

    def loss(weights: Arrays, x: Any, y: Any) -> Any:
        x = _pool(jax.nn.relu(normalized(_convolution(x, *weights[:2], "SAME"), *weights[2:4])))
        x = _pool(jax.nn.relu(normalized(_convolution(x, *weights[4:6], "SAME"), *weights[6:8])))
        x = _pool(jax.nn.relu(_convolution(x, *weights[8:10], "SAME")))
        return _cross_entropy(_layers(x.reshape(len(x), -1), weights[10:], jax.nn.relu), y)

    return training("convnet", loss, _momentum)


def while_50() -> Step:
    """Newton's iteration for the cube root, as a loop of the compiler."""

    def function(x: Any) -> Any:
        def body(_: Any, y: Any) -> Any:
            return y - (y * y * y - x) / (3 * y * y + 1e-3)

        return lax.fori_loop(0, workloads.ITERATIONS, body, x).sum()

    return jax.jit(jax.grad(function))  # type: ignore[no-any-return]


def stencil() -> Step:
    """Heat flow by slices of what has zeros around it, as a loop of the compiler."""

    def flow(u: Any, _: Any) -> Any:
        p = jnp.pad(u, 1)
        return u + 0.1 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4.0 * u), None

    def function(u: Any) -> Any:
        return jnp.square(lax.scan(flow, u, None, workloads.FLOW_STEPS)[0]).mean()

    return jax.jit(jax.value_and_grad(function))  # type: ignore[no-any-return]


def ring() -> Step:
    """Upwind differences of neighbours on a ring, as a loop of the compiler."""

    def function(u: Any, speed: Any) -> Any:
        def flow(u: Any, _: Any) -> Any:
            left, right = u - jnp.roll(u, 1), jnp.roll(u, -1) - u
            return u - 0.1 * (jax.nn.relu(speed) * left - jax.nn.relu(-speed) * right), None

        return jnp.square(lax.scan(flow, u, None, workloads.FLOW_STEPS)[0]).mean()

    return jax.jit(jax.value_and_grad(function))  # type: ignore[no-any-return]


def running_sums() -> Step:
    """What has come up to each place of a row."""
    return jax.jit(jax.value_and_grad(lambda x: jnp.tanh(0.05 * jnp.cumsum(x, 1)).mean()))  # type: ignore[no-any-return]


def running_products() -> Step:
    """What has been multiplied up to each place of a row."""

    def function(x: Any) -> Any:
        return jnp.tanh(jnp.cumprod(1.0 + 0.05 * jnp.tanh(x), 1)).mean()

    return jax.jit(jax.value_and_grad(function))  # type: ignore[no-any-return]


def graph_net() -> Step:
    """Messages from node to node, added up."""

    def function(x: Any, matrix: Any, weight: Any, source: Any, target: Any) -> Any:
        for _ in range(2):
            messages = ((x @ matrix) * 0.1)[source] * weight
            x = jax.nn.relu(jax.ops.segment_sum(messages, target, workloads.NODES))
        return jnp.square(x).mean()

    return jax.jit(jax.value_and_grad(function, (0, 1, 2)))  # type: ignore[no-any-return]


def factors() -> Step:
    """Products of rows of two tables."""

    def function(first: Any, second: Any, wanted: Any, rows: Any, columns: Any) -> Any:
        return jnp.square((first[rows] * second[columns]).sum(1) - wanted).mean()

    return jax.jit(jax.value_and_grad(function, (0, 1)))  # type: ignore[no-any-return]


def embedding() -> Step:
    """A table of vectors, trained on a squared error."""
    return training("embedding", lambda w, x, y: jnp.square(w[0][x] - y).mean(), _adam)


def points() -> Step:
    """Short rows: their lengths, and a softmax."""

    def function(x: Any) -> Any:
        direction = x / jnp.sqrt(jnp.square(x).sum(1, keepdims=True) + 1e-3)
        return (direction * jax.nn.softmax(x, 1)).mean()

    return jax.jit(jax.value_and_grad(function))  # type: ignore[no-any-return]


def kalman() -> Step:
    """A filter: products and inverses of small matrices, as a loop of the compiler."""

    def function(move: Any, look: Any, seen: Any) -> Any:
        move, one = 0.2 * move, jnp.eye(4)

        def step(held: Any, seen: Any) -> Any:
            state, spread = held
            state, spread = move @ state, move @ spread @ move.T + one
            error = seen - look @ state
            gain = spread @ look.T @ jnp.linalg.inv(look @ spread @ look.T + 0.5 * jnp.eye(2))
            return (state + gain @ error, (one - gain @ look) @ spread), jnp.square(error).sum()

        return lax.scan(step, (jnp.zeros((4, 1)), one), seen)[1].mean()

    return jax.jit(jax.value_and_grad(function, (0, 1)))  # type: ignore[no-any-return]


def inverted() -> Step:
    """An inverted residual trained as a classifier."""

    def convolution(x: Any, weight: Any, stride: int = 1, groups: int = 1) -> Any:
        edge = weight.shape[-1] // 2
        return lax.conv_general_dilated(
            x, weight, (stride, stride), [(edge, edge)] * 2, dimension_numbers=("NCHW", "OIHW", "NCHW"),
            feature_group_count=groups,
        )  # fmt: skip

    def normalized(x: Any, scale: Any, shift: Any) -> Any:
        return _normalized(x, scale[:, None, None], shift[:, None, None], (0, 2, 3))

    def loss(weights: Arrays, x: Any, y: Any) -> Any:
        inner = jax.nn.relu6(normalized(convolution(x, weights[0]), *weights[1:3]))
        inner = jax.nn.relu6(normalized(convolution(inner, weights[3], groups=96), *weights[4:6]))
        x = x + normalized(convolution(inner, weights[6]), *weights[7:9])
        x = jax.nn.relu(normalized(convolution(x, weights[9], stride=2), *weights[10:12]))
        return _cross_entropy(_layers(x.mean((2, 3)), weights[12:], jax.nn.relu), y)

    return training("inverted", loss, _momentum)


BUILDERS: dict[str, Callable[[], Step]] = {
    "dense_grad": dense_grad, "mlp_tiny": mlp_tiny, "mlp_adam": mlp_adam, "lenet": lenet, "chain_100": _chain,
    "chain_1m": _chain, "transformer": transformer, "rnn": rnn, "convnet": convnet, "while_50": while_50,
    "stencil": stencil, "ring": ring, "running_sums": running_sums, "running_products": running_products,
    "graph_net": graph_net, "factors": factors, "embedding": embedding, "points": points, "kalman": kalman,
    "inverted": inverted,
}  # fmt: skip


def build(name: str, mode: str) -> tuple[Step, tuple[Any, ...]]:
    """The compiled step of a workload and its inputs."""
    inputs = workloads.inputs(name)
    if any(array.dtype.itemsize == 8 for array in inputs):
        jax.config.update("jax_enable_x64", True)
    arrays = tuple(jnp.asarray(array) for array in inputs)
    if "/" not in name:
        return BUILDERS[name](), arrays
    found, count = programs.function(name, "jax"), programs.find(name).gradients
    if count is None:
        return found(), arrays
    return jax.jit(jax.value_and_grad(found, tuple(range(count))) if count else found), arrays


def wait(result: Any) -> None:
    """Wait until a result is there."""
    jax.block_until_ready(result)


def number(result: Any) -> float:
    """The sum of the first array of a result."""
    while isinstance(result, (tuple, list)):
        result = result[0]
    return float(result.sum())
