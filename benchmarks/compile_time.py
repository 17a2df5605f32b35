"""How long compiling takes: against the trip count of a loop, rolled and unrolled, and against the number of layers.

    python benchmarks/compile_time.py [--repeat 5]

Each figure is the best of some first calls (trace, gradient, passes, program and the first run) of a new function, with
the cache of compiled programs switched off.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.frontend.rolling import MIN_ROUNDS

UNROLLED = (2, 4, 8, 16, 32)
ROLLED = (64, 125, 250, 500, 1000, 2000)
LAYERS = (1, 2, 4, 8, 16, 32, 64)
WIDTH = 8


def random_tensor(*shape: int) -> Tensor:
    """Normal Float32 numbers, the same in each run."""
    return Tensor(np.random.RandomState(0).randn(*shape).astype(np.float32) * np.float32(0.3))


def chain(rounds: int) -> tuple[Callable[..., Any], tuple[Tensor, ...]]:
    """`y = y * 0.9 + x`, some rounds of it."""

    def function(x: Tensor) -> Tensor:
        y = x
        for _ in range(rounds):
            y = y * 0.9 + x
        return y.sum()

    return function, (random_tensor(WIDTH),)


def recurrent(rounds: int) -> tuple[Callable[..., Any], tuple[Tensor, ...]]:
    """A recurrent net over the rows of a tensor."""

    def function(xs: Tensor, w: Tensor) -> Tensor:
        h = xs[0] * 0
        for t in range(rounds):
            h = ops.tanh(xs[t] + ops.matmul(h, w))
        return (h * h).mean()

    return function, (random_tensor(rounds, 4, WIDTH), random_tensor(WIDTH, WIDTH))


def counted(rounds: int) -> tuple[Callable[..., Any], tuple[Tensor, ...]]:
    """A while loop on a counter that is a tensor."""

    def function(x: Tensor) -> Tensor:
        i = Tensor(0)
        y = x
        while i < rounds:
            y = y - (y * y * y - x) / (3 * y * y + 1)
            i = i + 1
        return y.sum()

    return function, (random_tensor(WIDTH),)


def layers(count: int) -> tuple[Callable[..., Any], tuple[Tensor, ...]]:
    """A net of so many dense layers."""
    parts: list[nn.Cell] = []
    for _ in range(count):
        parts += [nn.Dense(WIDTH, WIDTH), nn.ReLU()]
    net = nn.SequentialCell(*parts)
    weights = net.trainable_params()

    def function(x: Tensor) -> Any:
        return ms.grad(lambda x: net(x).sum(), None, weights)(x)

    return function, (random_tensor(4, WIDTH),)


def first_call(make: Callable[[int], Any], size: int, repeat: int, gradient: bool) -> tuple[float, int]:
    """Milliseconds of the first call, the best of some, and the nodes of the program."""
    best, nodes = float("inf"), 0
    for _ in range(repeat):
        function, arguments = make(size)
        compiled = ms.jit(ms.grad(function, tuple(range(len(arguments)))) if gradient else function)
        start = time.perf_counter()
        compiled(*arguments)
        best = min(best, time.perf_counter() - start)
        nodes = compiled.explain().traces[0].nodes
    return best * 1e3, nodes


def table(title: str, head: str, make: Callable[[int], Any], sizes: tuple[int, ...], repeat: int, both: bool) -> None:
    """Print one table, with the time for each unit of size in the last column."""
    print(f"\n{title}")
    columns = ["value ms", "nodes", "gradient ms", "nodes"] if both else ["gradient ms", "nodes"]
    print(f"{head:>8}" + "".join(f"{column:>13}" for column in columns) + f"{'us each':>13}")
    for size in sizes:
        found = [first_call(make, size, repeat, gradient) for gradient in ((False, True) if both else (False,))]
        cells = "".join(f"{duration:13.1f}{nodes:13d}" for duration, nodes in found)
        print(f"{size:8d}{cells}{found[-1][0] / size * 1e3:13.1f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeat", type=int, default=5, help="first calls of which the best counts")
    repeat: int = parser.parse_args().repeat
    ms.set_context(enable_compile_cache=False)
    first_call(recurrent, 4, 2, True)  # what is imported and cached once is no part of the figures
    loops = (("y = y * 0.9 + x", chain), ("recurrent net over rows", recurrent), ("while on a counter", counted))
    for name, make in loops:
        table(f"{name}: unrolled (below {MIN_ROUNDS} rounds)", "rounds", make, UNROLLED, repeat, True)
        table(f"{name}: one loop node", "rounds", make, ROLLED, repeat, True)
    table("dense layers", "layers", layers, LAYERS, repeat, False)


if __name__ == "__main__":
    main()
