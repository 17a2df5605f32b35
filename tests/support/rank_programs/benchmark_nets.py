"""20 steps of a net of the benchmarks in its full size, by n processes with batches of B / n."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import mycel as ms
from mycel import Tensor, nn
from mycel.communication import get_group_size, get_rank, init
from mycel.library.distributed.data_parallel import gather_arrays

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
import distributed_steps

STEPS, AGAIN, PARTS = 20, 5, 4  # a whole batch is that of so many processes of the benchmark
name, file = sys.argv[1], sys.argv[2]
init()
rank, size = get_rank(), get_group_size()
parts = [distributed_steps.data(name, part) for part in range(PARTS)]
if sys.argv[3:] == ["reversed"]:  # the same batch: what differs is rounding
    parts = parts[::-1]
own = parts[rank * PARTS // size : (rank + 1) * PARTS // size]
inputs = [Tensor(np.concatenate(arrays)) for arrays in zip(*own, strict=True)]
ms.set_auto_parallel_context(parallel_mode="data_parallel" if size > 1 else "stand_alone", gradients_mean=True)


def train(steps: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """The losses and the Parameters."""
    ms.set_seed(1)
    net = distributed_steps.mycel_net(name)
    optimizer = nn.Momentum(net.trainable_params(), 1e-3, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer)
    losses = np.array([float(step(*inputs)) for _ in range(steps)])
    return losses, [parameter.asnumpy() for parameter in net.get_parameters()]


losses, parameters = train(STEPS)
np.testing.assert_array_equal(train(AGAIN)[0], losses[:AGAIN])  # equal to the bit from run to run
sums = [np.array([array.astype(np.float64).sum(), abs(array).astype(np.float64).sum()]) for array in parameters]
for one in zip(*gather_arrays(sums), strict=True):
    np.testing.assert_array_equal(one[0], one[-1])  # and on all processes
mean = np.mean(gather_arrays([losses]), axis=0)[0]
if rank == 0:
    np.savez(file, mean, *parameters)
print(f"rank {rank} is done")
