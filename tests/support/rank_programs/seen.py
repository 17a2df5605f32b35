"""Reports of communication: in the stages, in `explain()` and in `profile()`."""

from __future__ import annotations

import re

import numpy as np

import mycel as ms
from mycel import Tensor, nn
from mycel.communication import get_rank, init

init()
ms.set_seed(1)
ms.set_auto_parallel_context(
    parallel_mode="data_parallel", gradients_mean=True, comm_fusion={"allreduce": {"mode": "size", "config": 1}}
)
net = nn.SequentialCell(nn.Dense(600, 600), nn.Tanh(), nn.Dense(600, 600), nn.Tanh(), nn.Dense(600, 4))
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), nn.SGD(net.trainable_params(), 0.1))
x, y = Tensor(np.ones((8, 600), np.float32)), Tensor(np.zeros(8, np.int32))
assert step.explain().traces == ()
stages = step.stages(x, y)
gradients = sum(p.size for p in net.trainable_params()) * 4
assert f"{gradients} bytes; each process sends {gradients}" in stages.communication, stages.communication
assert stages.text("communication") == stages.communication
rows = stages.communication.splitlines()[1:-1]
assert len(rows) == 3, rows
assert "2_weight" in rows[0], rows
assert re.search(r" [1-9]\d* nodes +\d+%", rows[0]), rows  # something is computed beside it
assert re.search(r" 0 nodes +0%", rows[-1]), rows

for _ in range(10):
    step(x, y)
text = str(step.explain())
assert len(step.explain().traces) == 1, text
for part in ("3 messages of", "10 runs: 2.894 MB", "waited for"):
    assert part in text, text

profile = step.profile(x, y)
assert profile.traffic.runs > 3
assert profile.traffic.nbytes == profile.traffic.runs * gradients
assert profile.traffic.waited > 0 < profile.traffic.hidden
assert "communication: 3 messages of" in str(profile)
assert {"all_reduce_start", "all_reduce_wait"} <= {line.op for line in profile.lines}
assert all(np.isfinite(p.asnumpy()).all() for p in net.get_parameters())

alone = ms.jit(lambda x: x + 1)
alone(x)
assert alone.stages(x).communication == ""
assert "message" not in str(alone.explain())
print(f"rank {get_rank()} is done")
if get_rank() == 0:
    print(stages.communication, step.explain(), profile.table(4), sep="\n")
