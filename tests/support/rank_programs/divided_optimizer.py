"""Optimizers whose update is divided among processes, against optimizers that every process runs as a whole."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn
from mycel.communication import get_group_size, get_rank, init
from mycel.library.distributed.data_parallel import gather_arrays

folder = Path(sys.argv[1])
init()
rank, size = get_rank(), get_group_size()
STEPS, WIDTH = 6, 96
generator = np.random.default_rng(rank)
x = Tensor(generator.standard_normal((STEPS, 8, WIDTH)).astype(np.float32))
y = Tensor(generator.integers(0, 4, (STEPS, 8)).astype(np.int32))
OPTIMIZERS: dict[str, Any] = {
    "adam": lambda p: nn.Adam(p, 0.01, weight_decay=1e-3),
    "lamb": lambda p: nn.Lamb(p, 0.01, weight_decay=1e-3),
    "decay": lambda p: nn.AdamWeightDecay(p, 0.01, weight_decay=1e-3),
    "momentum": lambda p: nn.Momentum(p, 0.05, 0.9),
    "groups": lambda p: nn.Adam([{"params": p[:3], "lr": 0.02}, {"params": p[3:], "weight_decay": 0.01}], 0.01),
    "sgd": lambda p: nn.SGD(p, 0.05, momentum=0.9, dampening=0.1),
    "rms": lambda p: nn.RMSProp(p, 0.01),
}


def settings(divided: bool) -> None:
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, enable_parallel_optimizer=divided)


def make(name: str, divided: bool) -> nn.TrainOneStepCell:
    ms.set_seed(7)
    settings(divided)
    net = nn.SequentialCell(*[layer for _ in range(3) for layer in (nn.Dense(WIDTH, WIDTH), nn.Tanh())])
    net.append(nn.Dense(WIDTH, 4))
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), OPTIMIZERS[name](net.trainable_params()))


def run(step: nn.TrainOneStepCell, first: int = 0, last: int = STEPS) -> list[float]:
    return [float(step(x[number], y[number])) for number in range(first, last)]


def held(step: nn.TrainOneStepCell) -> tuple[int, int]:
    """Bytes of the Parameters, and of the optimizer's states of them."""
    own = sum(p.nbytes for p in step.optimizer.parameters)
    return own, sum(p.nbytes for p in step.get_parameters()) - own


def same(one: nn.Cell, other: nn.Cell) -> None:
    for p, q in zip(one.trainable_params(), other.trainable_params(), strict=True):
        np.testing.assert_allclose(p.asnumpy(), q.asnumpy(), rtol=2e-5, atol=2e-6, err_msg=p.name)


for name in OPTIMIZERS:
    whole, divided = make(name, False), make(name, True)
    np.testing.assert_allclose(run(whole), run(divided), rtol=2e-5)
    same(whole.network, divided.network)
    everyone = gather_arrays([p.asnumpy() for p in divided.network.get_parameters()])
    for one, other in zip(everyone[0], everyone[-1], strict=True):
        np.testing.assert_array_equal(one, other)  # to the bit on all processes
    (bytes_of, state), (_, part) = held(whole), held(divided)
    total = sum(int(each[0][0]) for each in gather_arrays([np.array([part])]))
    assert abs(total - state) < 100 * size, (name, total, state)
    largest = max(p.nbytes for p in whole.optimizer.parameters)
    assert part <= state / size + 2 * largest, (name, part, state)
    if state > bytes_of / 2:
        assert part < state * 0.8, (name, part, state)
    # What is updated lies in the Parameters, and what moments become in the moments: the plan needs no more.
    before, after = (step.stages(x[0], y[0]).plan.usage for step in (whole, divided))
    small = 3 * sum(p.nbytes for p in whole.optimizer.parameters if p.nbytes <= 1 << 15)
    assert after.peak <= before.peak + 3 * small, (name, before.peak, after.peak)

# A checkpoint has the whole state, and continues in as many processes as there are, divided or not.
divided = make("adam", True)
run(divided, 0, 3)
path = folder / "state.ckpt"
saved = {p.name: p for p in divided.get_parameters()}
ms.save_checkpoint(divided, str(folder / f"state{rank}"))
found = ms.load_checkpoint(str(folder / f"state{rank}.ckpt"))
for parameter in divided.optimizer.parameters:
    assert found[f"moment1.{parameter.name}"].shape == parameter.shape
whole = make("adam", False)
run(whole, 0, 3)
for parameter in whole.get_parameters():
    np.testing.assert_allclose(found[parameter.name].asnumpy(), parameter.asnumpy(), rtol=2e-5, atol=2e-6)
expected = run(divided, 3)
for again in (make("adam", True), make("adam", False)):
    assert ms.load_param_into_net(again, found) == ([], [])
    np.testing.assert_allclose(run(again, 3), expected, rtol=2e-5)
    same(again.network, divided.network)

# The callback writes once, and the file is whole.
settings(True)
net = nn.SequentialCell(nn.Dense(WIDTH, WIDTH), nn.Dense(WIDTH, 4))
model = ms.Model(net, nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), 0.01))
config = ms.train.CheckpointConfig(save_checkpoint_steps=2)
model.train(1, [(x[0], y[0]), (x[1], y[1])], ms.train.ModelCheckpoint("net", str(folder / "saved"), config))
(file,) = (folder / "saved").glob("*.ckpt")
found = ms.load_checkpoint(str(file))
assert found["moment2.0.weight"].shape == (WIDTH, WIDTH)
assert np.abs(found["moment2.0.weight"].asnumpy()).sum() > 0
assert np.abs(found["moment2.1.weight"].asnumpy()).sum() > 0

# In eager mode, and in a loop of the user's own.
ms.set_seed(7)
settings(True)
net = nn.Dense(WIDTH, 4)
optimizer = nn.Adam(net.trainable_params(), 0.01)
reducer = nn.DistributedGradReducer(optimizer.parameters)
gradient = ms.value_and_grad(lambda x, y: nn.CrossEntropyLoss()(net(x), y), None, optimizer.parameters)
ms.set_context(mode=ms.PYNATIVE_MODE)
for number in range(3):
    optimizer(reducer(gradient(x[number], y[number])[1]))
everyone = gather_arrays([p.asnumpy() for p in net.get_parameters()])
for one, other in zip(everyone[0], everyone[-1], strict=True):
    np.testing.assert_array_equal(one, other)


class Own(nn.Momentum):
    """An optimizer of the user's, which knows nothing of parts."""

    def construct(self, gradients: Any) -> Any:
        return super().construct(gradients)


with pytest.raises(NotImplementedError, match="processes cannot divide the update of Own"):
    Own(net.trainable_params(), 0.1, 0.9)
print(f"rank {rank} is done")
