"""Processes that do not do the same, each in a way of its own."""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings

import numpy as np

import mycel as ms
from mycel import Tensor, nn
from mycel.compiler import ops as prims
from mycel.frontend.values.dispatch import apply
from mycel.runtime.distributed.group import WORLD
from mycel.runtime.distributed.world import JOB

ms.communication.init()
how = sys.argv[1]
world = JOB.group(WORLD)
other = world.rank == 1
GROUP = {"group": WORLD, "size": world.size}


@ms.jit
def total(x: Tensor) -> Tensor:
    return apply(prims.all_reduce, x, by="sum", **GROUP)


@ms.jit
def largest(x: Tensor) -> Tensor:
    y = apply(prims.all_reduce, x, by="sum", **GROUP)
    return y + apply(prims.all_reduce, x, by="max", **GROUP)


x = Tensor(np.ones(4, np.float32))
total(x)
if how == "raise":
    if other:
        raise KeyError("lost")
elif how == "kill":
    if other:
        os.kill(os.getpid(), signal.SIGKILL)
elif how == "branch":
    (largest if other else total)(x)
elif how == "shape":
    total(Tensor(np.ones(5 if other else 4, np.float32)))
elif how == "eager":
    if other:
        apply(prims.synchronize, **GROUP)
    else:
        total(x)
elif how == "handle":
    y = Tensor(np.ones(5 if other else 4, np.float32))
    handle = ms.mint.distributed.all_reduce(y, async_op=True)
    handle.wait()
elif how == "end":
    if other:
        sys.exit(0)
elif how == "message":
    if other:
        apply(prims.receive, source=0, tag=1, shape=(4,), dtype=ms.float32, **GROUP)
    else:
        apply(prims.send, Tensor(np.ones(3, np.float32)), to=1, tag=1, **GROUP)
elif how == "dtype":
    if other:
        apply(prims.receive, source=0, tag=1, shape=(4,), dtype=ms.int32, **GROUP)
    else:
        apply(prims.send, x, to=1, tag=1, **GROUP)
elif how == "groups":
    for _ in range(2):
        ms.communication.create_group("again", [1, 0])
        ms.communication.destroy_group("again")
    for name in "ab" if other else "ba":
        ms.communication.create_group(name, [0, 1])
elif how == "ranks":
    ms.communication.create_group("pair", [1, 0] if other else [0, 1])
elif how == "together":
    if not other:
        time.sleep(0.5)  # when it finds the error, the other one prints it already
    raise KeyError("both")
elif how == "parameters":
    net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 5 if other else 4))
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params()))
    step(Tensor(np.ones((1, 2), np.float32)))
elif how == "numbers":
    ms.set_seed(world.rank)
    net = nn.Dense(2, 3)
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params()))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        step(Tensor(np.ones((1, 2), np.float32)), Tensor(np.ones((1, 3), np.float32)))
    raise RuntimeError(f"warned: {[str(item.message) for item in caught]}")
elif how == "late" and other:
    time.sleep(60)
total(x)
total(x)
