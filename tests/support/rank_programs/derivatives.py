"""Gradients of collectives against finite differences of the sum of all processes' results; batches against rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.compiler import ops as prims
from mycel.frontend.values.dispatch import apply
from mycel.runtime.distributed.group import WORLD
from mycel.runtime.distributed.world import JOB

ms.communication.init()
world = JOB.group(WORLD)
rank, size = world.rank, world.size
GROUP = {"group": WORLD, "size": size}
SHAPE = (size * 2, 3)
STEP = 1e-5


def use(op: Any, **attrs: Any) -> Callable[[Tensor], Any]:
    return lambda x: apply(op, x, **GROUP, **attrs)


def along_a_ring(x: Tensor) -> Tensor:
    """Each process sends to the next, which multiplies; the number counts only there."""
    apply(prims.send, x, to=(rank + 1) % size, tag=3, **GROUP)
    received = apply(
        prims.receive, source=(rank - 1) % size, tag=3, shape=SHAPE, dtype=ms.float64, **GROUP
    )  # fmt: skip
    return received * ops.sin(x)


def only_received(x: Tensor) -> Tensor:
    """Half of the processes only send, and the others do not read their own x."""
    if rank % 2 == 0:
        apply(prims.send, x, to=rank + 1, tag=0, **GROUP)
        return Tensor(np.zeros(1))
    return apply(prims.receive, source=rank - 1, tag=0, shape=SHAPE, dtype=ms.float64, **GROUP)


def exchanged(x: Tensor) -> Tensor:
    """Two messages, to both neighbours."""
    peers = {"to": ((rank + 1) % size, (rank - 1) % size), "sources": ((rank - 1) % size, (rank + 1) % size)}
    first, second = apply(
        prims.exchange, x, x * x, **peers, shapes=(SHAPE, SHAPE), dtype=ms.float64, **GROUP
    )  # fmt: skip
    return first * 2 + second


CASES: dict[str, Callable[[Tensor], Any]] = {
    **{f"all_reduce {by}": use(prims.all_reduce, by=by) for by in ("sum", "max", "min", "prod")},
    **{f"reduce_to {by}": use(prims.reduce_to, by=by, root=1) for by in ("sum", "max", "prod")},
    **{f"reduce_scatter {by}": use(prims.reduce_scatter, by=by) for by in ("sum", "min", "prod")},
    "all_gather": use(prims.all_gather),
    "gather_to": use(prims.gather_to, root=1),
    "scatter_from": use(prims.scatter_from, root=1),
    "broadcast": use(prims.broadcast, root=1),
    "all_to_all": use(prims.all_to_all),
}


def in_a_loop(x: Tensor) -> Tensor:
    """A message and a collective in each iteration."""
    for number in range(3):
        ops.Send(number, (rank + 1) % size)(x)
        x = ops.sin(x) * ops.Receive(number, (rank - 1) % size, list(SHAPE), ms.float64)()
        x = ops.sin(ops.AllReduce()(x))
    return x


def while_it_runs(x: Tensor) -> Tensor:
    """A loop whose length only the run knows, and a branch of the same kind."""
    count = Tensor(0)
    while count < 3:
        x = ops.sin(ops.AllReduce()(x))
        count = count + 1
    if ops.AllReduce()(x).sum() > -1e9:
        x = ops.AllReduce()(x * x)
    return x


def partly_outside(x: Tensor) -> Tensor:
    """A function that no graph can hold: it runs eagerly, and its gradient comes from the tape."""
    y = ops.AllReduce()(x * x)
    float(y.asnumpy().sum())
    return ops.sin(y) * x


class Again(nn.Cell):
    """Computed a second time for its gradient, with its collective."""

    def construct(self, x: Tensor) -> Tensor:
        return ops.sin(ops.AllReduce()(x)) * x


again = Again()
again.recompute()
CONTROL = {
    "loop": in_a_loop,
    "while": while_it_runs,
    "outside": partly_outside,
    "recompute": again,
    "rows": ms.vmap(lambda row: ops.AllReduce()(row) * row),
}
MESSAGES = {"ring": along_a_ring, "received": only_received, "exchange": exchanged}


def loss_of(function: Callable[[Tensor], Any], weights: np.ndarray) -> Callable[[Tensor], Tensor]:
    def loss(x: Tensor) -> Tensor:
        y = function(x)
        return (ops.reshape(y * y, (-1,)) * Tensor(weights[: y.size])).sum()

    return loss


def differences(loss: Callable[[Tensor], Tensor], x: np.ndarray) -> np.ndarray:
    """The derivative of the sum of all processes' losses by this process's x."""
    found = np.zeros(x.shape)
    for owner in range(size):
        for place in range(x.size):
            totals = []
            for step in (STEP, -STEP):
                moved = x.copy()
                moved.flat[place] += step * (owner == rank)
                totals.append(float(world.all_reduce(loss(Tensor(moved)).asnumpy(), "sum")))
            if owner == rank:
                found.flat[place] = (totals[0] - totals[1]) / (2 * STEP)
    return found


generator = np.random.default_rng(rank)
warnings.simplefilter("ignore", ms.FallbackWarning)
for name, function in {**CASES, **MESSAGES, **CONTROL}.items():
    x = generator.uniform(-2.0, 2.0, SHAPE)
    if "prod" in name and rank == 0:
        x[0, 0] = 0.0
    loss = loss_of(function, generator.uniform(-1.0, 1.0, size * x.size))
    gradient = ms.grad(loss)(Tensor(x)).asnumpy()
    np.testing.assert_allclose(gradient, differences(loss, x), rtol=1e-5, atol=1e-7, err_msg=name)
    compiled = ms.jit(ms.grad(loss))
    for _ in range(2):
        np.testing.assert_array_equal(compiled(Tensor(x)).asnumpy(), gradient, err_msg=name)
    if name in CASES:
        rows = [function(Tensor(row)).asnumpy() for row in (x, x + 1)]
        np.testing.assert_array_equal(ms.vmap(function)(Tensor(np.stack([x, x + 1]))).asnumpy(), rows, err_msg=name)

# The derivative of a derivative.
x = generator.uniform(0.5, 2.0, SHAPE)
twice = loss_of(lambda x: ms.grad(loss_of(CASES["all_reduce prod"], np.ones(x.size)))(x), np.ones(x.size))
np.testing.assert_allclose(ms.grad(twice)(Tensor(x)).asnumpy(), differences(twice, x), rtol=1e-5)
print(f"rank {rank} is done")
