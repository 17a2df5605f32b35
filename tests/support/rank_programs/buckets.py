"""Gradients in buckets of several sizes, against gradients that are summed one by one."""

from __future__ import annotations

import sys
import time

import numpy as np

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.communication import get_group_size, get_rank, init
from mycel.library.distributed.data_parallel import gather_arrays

init()
rank, size = get_rank(), get_group_size()
generator = np.random.default_rng(rank)
x, y = Tensor(generator.standard_normal((8, 30)).astype(np.float32)), Tensor(np.arange(8, dtype=np.int32) % 4)
SIZES = {"auto": {}, "1 MB": {"allreduce": {"mode": "size", "config": 1}}}


class Net(nn.Cell):
    """Layers in Float16 or Float32, and a normalization that communicates in the backward."""

    def __init__(self, half: bool) -> None:
        super().__init__()
        self.layers = nn.CellList([nn.Dense(30, 30) for _ in range(5)])
        self.norm = nn.SyncBatchNorm(30)
        self.head = nn.Dense(30, 4)
        self.half = half
        if half:
            self.layers.to_float(ms.float16)

    def construct(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = ops.tanh(layer(x))
        return self.head(self.norm(ops.cast(x, ms.float32)))


def train(off: list[str], half: bool, fusion: dict, accumulate: int = 1) -> list[np.ndarray]:
    """The Parameters after some steps."""
    ms.set_seed(3)
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, comm_fusion=fusion)
    net = Net(half)
    parameters = net.trainable_params()
    optimizer = nn.Momentum(parameters, 0.05, 0.9)
    reducer = nn.DistributedGradReducer(parameters)
    gradient = ms.value_and_grad(lambda x, y: nn.CrossEntropyLoss()(net(x), y), None, parameters)
    sums = [ms.Parameter(Tensor(np.zeros(p.shape, np.float32)), name=f"sum.{p.name}") for p in parameters]

    @ms.jit(passes_off=off)
    def step(x: Tensor, y: Tensor, count: Tensor) -> Tensor:
        loss, gradients = gradient(x, y)
        if accumulate == 1:
            optimizer(reducer(gradients))
            return loss
        for total, part in zip(sums, gradients, strict=True):
            ops.assign_add(total, part)
        if count % accumulate == 0:  # the buckets of a branch
            optimizer(reducer(tuple(total * 1.0 for total in sums)))
        return loss

    for number in range(4):
        step(x, y, Tensor(number))
    text = str(step.stages(x, y, Tensor(0)).optimized)
    assert ("= all_reduce_start(" in text) == (not off), (off, accumulate)
    if not off and not fusion:
        assert text.count("= all_reduce_start(") == 1, (half, accumulate)
    return [p.asnumpy() for p in net.get_parameters()]


ms.set_context(mode=ms.GRAPH_MODE)
for half in (False, True):
    for accumulate in (1, 2):
        expected = train(["buckets"], half, {}, accumulate)
        for fusion in SIZES.values():
            for one, other in zip(expected, train([], half, fusion, accumulate), strict=True):
                # With more than two processes the sums of a bucket are added up in another order.
                if size == 2:
                    np.testing.assert_array_equal(one, other)
                np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)
first, second = train([], False, {}), train([], False, {})
for one, other in zip(first, second, strict=True):
    np.testing.assert_array_equal(one, other)
everyone = gather_arrays(first)
for one, other in zip(everyone[0], everyone[-1], strict=True):
    if not np.array_equal(one, other):  # the moving mean of a rank alone may differ, nothing else
        raise AssertionError("the processes have different Parameters")

# Float16 numbers whose sum is beyond Float16 at first: 40000 + 40000 - 40000 … is exact in Float32.
reducer = nn.DistributedGradReducer([ms.Parameter(Tensor(np.zeros(3, np.float16)), name="w")], mean=True)
sums = ms.jit(lambda x: reducer((x, x * 2)))(Tensor(np.array([40000, 0.1, 3], np.float16)))
np.testing.assert_array_equal(sums[0].asnumpy(), np.array([40000, 0.1, 3], np.float16))

# What is computed while a sum is on its way does not disturb it.
weights = [ms.Parameter(Tensor(np.full((300, 300), 0.01, np.float32)), name=f"w{i}") for i in range(3)]
reducer = nn.DistributedGradReducer(weights, mean=False)


@ms.jit
def busy(x: Tensor) -> tuple:
    (a,) = reducer((x * (rank + 1.0),))
    b = x
    for w in weights:
        b = ops.tanh(b @ w)
    return a, b


big = Tensor(np.ones((300, 300), np.float32))
for _ in range(5):
    if rank == 0:
        time.sleep(0.01)
    np.testing.assert_array_equal(busy(big)[0].asnumpy(), np.full((300, 300), size * (size + 1) / 2, np.float32))
print(f"rank {rank} is done")
sys.stdout.flush()
