"""Programs whose loops carry a state, with ends that may depend on the data, and most with their gradients."""

from collections.abc import Callable

import numpy as np
from programs import Program, normal

Arrays = list[np.ndarray]


def scaled(*parts: tuple[float, tuple[int, ...]]) -> Callable[[np.random.Generator], Arrays]:
    """Makes normal float32 numbers, each array with a scale and a shape of its own."""
    return lambda generator: [(scale * generator.standard_normal(shape)).astype(np.float32) for scale, shape in parts]


def _tokens(generator: np.random.Generator) -> Arrays:
    table, recurrent, out = scaled((0.5, (100, 64)), (0.15, (64, 64)), (0.3, (64, 100)))(generator)
    return [table, recurrent, out, generator.integers(0, 100, 16).astype(np.int32)]


def _options(generator: np.random.Generator) -> Arrays:
    return [generator.uniform(80, 120, 32).astype(np.float32), np.float32([0.3])]


def _definite(generator: np.random.Generator) -> Arrays:
    root = generator.standard_normal((48, 48))
    matrix = root @ root.T / 48 + 0.5 * np.eye(48)
    return [matrix.astype(np.float32), generator.standard_normal(48).astype(np.float32)]


def _definite_rows(generator: np.random.Generator) -> Arrays:
    matrix, right = normal((40, 40), (40,))(generator)
    return [matrix + np.float32(60.0) * np.eye(40, dtype=np.float32), right]


def _classes(generator: np.random.Generator) -> Arrays:
    x, true = normal((64, 10), (10,))(generator)
    return [np.float32([-1.0]), x, (x @ true > 0).astype(np.float32)]


def _symmetric(generator: np.random.Generator) -> Arrays:
    root = generator.standard_normal((64, 64)).astype(np.float32)
    return [root + root.T + np.float32(3.0), generator.uniform(0.5, 1.0, 64).astype(np.float32)]


def _chain(states: int, length: int) -> Callable[[np.random.Generator], Arrays]:
    def make(generator: np.random.Generator) -> Arrays:
        arrays = [generator.standard_normal(shape) for shape in ((states, states), (length, states), (states,))]
        return [(array - np.log(np.exp(array).sum(-1, keepdims=True))).astype(np.float32) for array in arrays]

    return make


def _rays(generator: np.random.Generator) -> Arrays:
    towards = generator.standard_normal((1024, 3)) * [0.25, 0.25, 0.0] + [0.0, 0.0, 1.0]
    return [(towards / np.linalg.norm(towards, axis=1, keepdims=True)).astype(np.float32)]


def _prey(generator: np.random.Generator) -> Arrays:
    return [generator.uniform(0.5, 2.0, (64, 2)).astype(np.float32), np.float32([1.1, 0.4, 0.1, 0.4])]


def _lorenz(generator: np.random.Generator) -> Arrays:
    return [np.float32([1.0, 2.0, 20.0]) + generator.uniform(0, 1, 3).astype(np.float32), np.float32([10, 28, 2.6])]


def _rewards(generator: np.random.Generator) -> Arrays:
    rewards, values = normal((256, 16), (257, 16))(generator)
    return [rewards, values, (generator.uniform(size=(256, 16)) > 0.05).astype(np.float32)]


def _filtered(generator: np.random.Generator) -> Arrays:
    return [np.float32([0.2, 0.3, 0.2, -0.5, 0.25]), *normal((300, 16))(generator)]


PROGRAMS = {
    "row_recurrence": Program("h = tanh(a h + x[t]) over 200 rows of 64", scaled((0.5, (64,)), (1.0, (200, 64)))),
    "biquad": Program("second-order filter of 16 channels, 300 samples", _filtered, 2),
    "moving_average": Program("exponential moving average, 1000 rows of 8", scaled((0.5, (8,)), (1.0, (1000, 8))), 2),
    "advantages": Program("generalised advantages, 256 steps backwards, 16 actors", _rewards, 0),
    "binomial": Program("American option on a binomial tree of 64 steps, 32 prices", _options, 2),
    "ray_marching": Program("1024 rays to a distance field, until all have met it", _rays, 0),
    "gru": Program(
        "GRU of 32, batch of 16, 40 steps",
        scaled((0.2, (24, 96)), (0.2, (32, 96)), (0.1, (96,)), (1.0, (40, 16, 24))), 3,
    ),
    "lstm": Program(
        "LSTM of 64, batch of 32, 24 steps",
        scaled((0.2, (64, 256)), (0.1, (64, 256)), (0.1, (256,)), (1.0, (24, 32, 64))), 3,
    ),
    "gru_one": Program(
        "GRU of 16, one sequence of 100",
        scaled((0.2, (8, 48)), (0.2, (16, 48)), (0.1, (48,)), (1.0, (100, 8))), 3,
    ),
    "extended_kalman": Program("pose from ranges to two marks, 60 steps", scaled((0.1, (2,)), (0.1, (60, 2))), 1),
    "many_kalman": Program("32 filters of 2, 50 steps", scaled((0.1, (2,)), (1.0, (50, 32))), 1),
    "power_iteration": Program("100 iterations with 64 x 64", _symmetric, 1),
    "conjugate_gradients": Program("48 x 48, until converged", _definite, 0),
    "sinkhorn": Program("48 x 64, 50 iterations on logarithms", normal((48, 64)), 1),
    "newton": Program("6 unknowns, 10 iterations with a Jacobian", scaled((0.3, (6, 6)), (1.0, (6,))), 2),
    "fixed_point": Program("32 numbers until they stay", scaled((0.1, (32, 32)), (1.0, (32,))), 0),
    "forward_backward": Program("posteriors of 16 states, 100 observations", _chain(16, 100), 0),
    "hidden_markov": Program("likelihood of 100 observations, 16 states", _chain(16, 100), 3),
    "viterbi": Program("best path through 12 states, 60 observations", _chain(12, 60), 0),
    "time_warping": Program("soft alignment of two sequences of 24, batch of 8", normal((8, 24, 4), (8, 24, 4)), 1),
    "edit_distance": Program("edit distance of two strings of 32", lambda generator: [
        generator.integers(0, 4, 32).astype(np.int32), generator.integers(0, 4, 32).astype(np.int32)
    ], 0),
    "greedy": Program("best tokens of 100, batch of 16, 32 steps", _tokens, 0),
    "spiking": Program("64 leaky neurons, batch of 32, 100 steps", scaled((0.3, (64, 64)), (1.0, (100, 32, 64))), 0),
    "lorenz": Program("RK4 of 3 numbers, 200 steps", _lorenz, 2),
    "prey": Program("RK4 of 64 systems of 2, 100 steps", _prey, 2),
    "neural_ode": Program(
        "RK4 with a network of 8, 32, 8 on a batch of 32, 16 steps",
        scaled((0.3, (8, 32)), (0.1, (32,)), (0.3, (32, 8)), (1.0, (32, 8))), 3,
    ),
    "forward_substitution": Program("triangular equations of 32, row by row", scaled((0.1, (32, 32)), (1.0, (32,))), 2),
    "jacobi": Program("equations of 40, until they hold", _definite_rows, 0),
    "learned_rate": Program("100 steps of logistic regression on 64 x 10, by the rate", _classes, 1),
    "game_of_life": Program("32 x 32 cells, 50 generations", lambda generator: [
        (generator.uniform(size=(32, 32)) > 0.6).astype(np.float32)
    ], 0),
}  # fmt: skip
