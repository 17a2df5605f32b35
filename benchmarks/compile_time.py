"""How long compiling takes against the size of a program: straight lines, layers, branches, loops, and their gradients.

    python benchmarks/compile_time.py [--only WORD] [--repeat 3] [--largest 10000]

Each figure is the best of some first calls (conversion, trace, gradient, passes, program and the first run) of a new
function, with the cache of compiled programs switched off. Below each table is the exponent e of the growth `time ~
nodes ** e`, fitted over the upper half of the sizes: 1 is linear. Loops that are one node take the same time for any
number of iterations, except for the run of the iterations.
"""

from __future__ import annotations

import argparse
import itertools
import linecache
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import mycel as ms
from mycel import Tensor, nn, ops

WIDTH = 8
Program = tuple[Callable[..., Any], tuple[Tensor, ...]]
_numbers = itertools.count()


def random_tensor(*shape: int) -> Tensor:
    """Normal Float32 numbers, the same in each run."""
    return Tensor(np.random.RandomState(0).randn(*shape).astype(np.float32) * np.float32(0.3))


def function_of(text: str) -> Callable[..., Any]:
    """The function `program` of a text, which gets a file of its own."""
    filename = f"<program {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names: dict[str, Any] = {"ops": ops}
    exec(compile(text, filename, "exec"), names)
    program: Callable[..., Any] = names["program"]
    return program


def straight_line(count: int) -> Program:
    """So many operations, line by line."""
    lines = itertools.cycle(("a = a * 0.9", "a = a + x", "b = ops.tanh(a)", "a = b - a", "b = a * x"))
    body = "".join(f"    {line}\n" for line in itertools.islice(lines, count))
    return function_of(f"def program(x):\n    a = b = x\n{body}    return (a + b).sum()\n"), (random_tensor(WIDTH),)


def layers(count: int) -> Program:
    """A net of dense layers, one after the other."""
    net = nn.SequentialCell(*[part for _ in range(count) for part in (nn.Dense(WIDTH, WIDTH), nn.ReLU())])
    return (lambda x: net(x).sum()), (random_tensor(4, WIDTH),)


def branches(count: int) -> Program:
    """So many run-time conditions, one after the other."""
    body = "".join(
        f"    if x.sum() > {k}:\n        y = y * 0.9 + x\n    else:\n        y = y - x\n" for k in range(count)
    )
    return function_of(f"def program(x):\n    y = x\n{body}    return y.sum()\n"), (random_tensor(WIDTH),)


def nested(count: int) -> Program:
    """So many run-time conditions, each in the branch of the one before."""
    lines = ["def program(x):", "    y = x"]
    for k in range(count):
        indent = "    " * (k + 1)
        lines += [f"{indent}y = y * 0.9 + x", f"{indent}if y.sum() < {k}:"]
    lines += ["    " * (count + 1) + "y = y - x", "    return y.sum()", ""]
    return function_of("\n".join(lines)), (random_tensor(WIDTH),)


def chain(rounds: int) -> Program:
    """`y = y * 0.9 + x`, some rounds of it."""

    def function(x: Tensor) -> Tensor:
        y = x
        for _ in range(rounds):
            y = y * 0.9 + x
        return y.sum()

    return function, (random_tensor(WIDTH),)


def recurrent(rounds: int) -> Program:
    """A recurrent net over the rows of a tensor."""

    def function(xs: Tensor, w: Tensor) -> Tensor:
        h = xs[0] * 0
        for t in range(rounds):
            h = ops.tanh(xs[t] + ops.matmul(h, w))
        return (h * h).mean()

    return function, (random_tensor(rounds, 4, WIDTH), random_tensor(WIDTH, WIDTH))


def counted(rounds: int) -> Program:
    """A while loop on a counter that is a tensor."""

    def function(x: Tensor) -> Tensor:
        i = Tensor(0)
        y = x
        while i < rounds:
            y = y - (y * y * y - x) / (3 * y * y + 1)
            i = i + 1
        return y.sum()

    return function, (random_tensor(WIDTH),)


@dataclass(frozen=True)
class Family:
    """Programs of one kind and growing size."""

    title: str
    unit: str
    make: Callable[[int], Program]
    sizes: tuple[int, ...]
    grows: bool = True  # the program with its size


FAMILIES = (
    Family("straight line", "operations", straight_line, (100, 300, 1000, 3000, 10_000)),
    Family("dense layers", "layers", layers, (3, 10, 30, 100, 300)),
    Family("conditions, one after the other", "conditions", branches, (3, 10, 30, 100, 300)),
    Family("conditions, one in the other", "conditions", nested, (2, 4, 8, 12, 16)),
    Family("loop y = y * 0.9 + x, unrolled", "rounds", chain, (4, 8, 16, 32)),
    Family("loop y = y * 0.9 + x, one node", "rounds", chain, (40, 100, 1000, 10_000), grows=False),
    Family("recurrent net over rows, one node", "rounds", recurrent, (40, 100, 1000, 10_000), grows=False),
    Family("while on a counter, one node", "rounds", counted, (40, 100, 1000, 10_000), grows=False),
)


def first_call(make: Callable[[int], Program], size: int, repeat: int, gradient: bool) -> tuple[float, float, int]:
    """Milliseconds of a first call and of a later one, each the best of some; the nodes of the program."""
    first = later = float("inf")
    nodes = 0
    for _ in range(repeat):
        function, arguments = make(size)
        compiled = ms.jit(ms.grad(function, tuple(range(len(arguments)))) if gradient else function)
        times = []
        for _ in range(3):
            start = time.perf_counter()
            compiled(*arguments)
            times.append((time.perf_counter() - start) * 1e3)
        first, later = min(first, times[0]), min(later, *times[1:])
        nodes = compiled.explain().traces[0].nodes
    return first, later, nodes


def exponent(points: list[tuple[int, float]]) -> float:
    """The slope of a straight line through the logarithms of the upper half of some (nodes, time)."""
    upper = points[-max(2, (len(points) + 1) // 2) :]
    x, y = ([math.log(point[axis]) for point in upper] for axis in (0, 1))
    return float(np.polyfit(x, y, 1)[0])


def table(family: Family, repeat: int, largest: int) -> None:
    """Measure the programs of one family and print them."""
    print(f"\n{family.title}")
    columns = [f"{kind}{column}" for kind in ("value: ", "grad: ") for column in ("nodes", "run ms", "compile ms")]
    each = "us a node" if family.grows else "us a round"
    print(f"{family.unit:>10}" + "".join(f"{column:>18}" for column in columns) + f"{each:>12}")
    found: dict[bool, list[tuple[int, float]]] = {False: [], True: []}
    for size in family.sizes:
        if size > largest:
            continue
        cells = ""
        for gradient in (False, True):
            first, later, nodes = first_call(family.make, size, repeat, gradient)
            compiling = max(first - later, 1e-3)
            found[gradient].append((nodes, compiling))
            cells += f"{nodes:18d}{later:18.2f}{compiling:18.1f}"
        print(f"{size:10d}{cells}{compiling * 1e3 / (nodes if family.grows else size):12.1f}")
    if family.grows:
        print(f"compile time ~ nodes ** {exponent(found[False]):.2f}, of the gradient ** {exponent(found[True]):.2f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", default="", help="families whose title has this word")
    parser.add_argument("--repeat", type=int, default=3, help="first calls of which the best counts")
    parser.add_argument("--largest", type=int, default=10_000, help="leave out larger programs")
    options = parser.parse_args()
    ms.set_context(enable_compile_cache=False)
    first_call(recurrent, 4, 2, True)  # what is imported and cached once is no part of the figures
    for family in FAMILIES:
        if options.only in family.title:
            table(family, options.repeat, options.largest)


if __name__ == "__main__":
    main()
