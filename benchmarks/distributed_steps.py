"""One process of a data parallel job, in mycel or in PyTorch, which times what `distributed.py` asks it for.

    mpiexec -n 2 python benchmarks/distributed_steps.py mycel mlp PORT

It connects to the port of this machine and says its rank. Then it reads requests, one line each: `step 10` runs ten
whole steps, `alone` the same steps of each process for itself, `sums` the sums of the gradients without any
computation. Its answer is the seconds of one. Between requests a process waits for the line, and takes no processor.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

WIDTH, LAYERS, WORDS, LENGTH = 256, 12, 2048, 64  # of the GPT of 10 million Parameters
MODELS = {"mlp": 64, "lenet": 32, "gpt": 2, "large": 16}  # and the batch of each process


def data(model: str, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """A batch of a process."""
    generator, batch = np.random.default_rng(rank), MODELS[model]
    if model == "gpt":
        tokens = generator.integers(0, WORDS, (batch, LENGTH + 1)).astype(np.int32)
        return np.ascontiguousarray(tokens[:, :-1]), np.ascontiguousarray(tokens[:, 1:]).reshape(-1)
    shape = {"mlp": (batch, 784), "lenet": (batch, 1, 28, 28), "large": (batch, 2048)}[model]
    return generator.standard_normal(shape).astype(np.float32), generator.integers(0, 10, batch).astype(np.int32)


class Job:
    """What both frameworks give: their processes, and the three things that are timed."""

    rank: int
    size: int
    step: Callable[[], Any]
    alone: Callable[[], Any]
    sums: Callable[[], Any]
    nbytes: int  # of the gradients
    sent: int  # by each process in a step, at least
    begins: Sequence[tuple[float, int]] = ()

    def largest(self, number: float) -> float:
        """The largest of all processes' numbers."""
        raise NotImplementedError(f"{type(self).__name__} should say how its processes compare numbers")


class MycelJob(Job):
    """Data parallel by TrainOneStepCell."""

    def __init__(self, model: str) -> None:
        import mycel as ms
        from mycel import Tensor, nn

        ms.communication.init()
        self.rank, self.size = ms.communication.get_rank(), ms.communication.get_group_size()
        inputs = [Tensor(array) for array in data(model, self.rank)]

        def made(mode: str) -> Any:
            ms.set_seed(1)
            ms.set_auto_parallel_context(parallel_mode=mode, gradients_mean=True)
            net = mycel_net(model)
            optimizer = nn.Momentum(net.trainable_params(), 1e-3, 0.9)
            return nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer)

        alone = made("stand_alone")
        step = made("data_parallel") if self.size > 1 else alone
        gradients = tuple(Tensor(np.zeros(p.shape, np.float32)) for p in step.optimizer.parameters)
        sums = ms.jit(nn.DistributedGradReducer(step.optimizer.parameters))
        self.step, self.alone = lambda: step(*inputs), lambda: alone(*inputs)
        self.sums = lambda: sums(gradients)
        self.nbytes = sum(p.nbytes for p in step.optimizer.parameters)
        step(*inputs)
        text = step.stages(*inputs).communication
        self.sent = int(text.split()[-1]) if text else 0
        self.begins = begins(step.profile(*inputs)) if self.size > 1 else []
        self._world = ms.runtime.distributed.world.JOB.groups["world"]

    def largest(self, number: float) -> float:
        return max(map(float, self._world.gather_objects(str(number))))


def begins(profile: Any) -> list[tuple[float, int]]:
    """For each message, the part of the step's computation that is done when it begins, and its bytes."""
    found, done = [], 0
    for run in profile.timeline:
        if run.op == "all_reduce_start":
            found.append(done)
        elif run.op not in ("all_reduce_wait", "advance", "match_collectives"):
            done += run.end - run.begin
    sizes = [message.nbytes for message in profile.communication.messages]
    return [(at / done, nbytes) for at, nbytes in zip(found, sizes, strict=True)]


def mycel_net(model: str) -> Any:
    """The network, in mycel."""
    from mycel import Tensor, nn, ops

    if model == "mlp":
        return nn.SequentialCell(nn.Dense(784, 512), nn.ReLU(), nn.Dense(512, 256), nn.ReLU(), nn.Dense(256, 10))
    if model == "large":
        hidden = [layer for _ in range(6) for layer in (nn.Dense(2048, 2048), nn.ReLU())]
        return nn.SequentialCell(*hidden, nn.Dense(2048, 10))
    if model == "lenet":
        return nn.SequentialCell(
            nn.Conv2d(1, 6, 5, pad_mode="valid", has_bias=True), nn.ReLU(), nn.MaxPool2d(2, 2),
            nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(),
            nn.Dense(256, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(), nn.Dense(84, 10),
        )  # fmt: skip

    class Block(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm((WIDTH,)), nn.LayerNorm((WIDTH,))
            self.inner, self.outer = nn.Dense(WIDTH, 3 * WIDTH), nn.Dense(WIDTH, WIDTH)
            self.up, self.down = nn.Dense(WIDTH, 4 * WIDTH), nn.Dense(4 * WIDTH, WIDTH)

        def construct(self, x: Tensor) -> Tensor:
            q, k, v = ops.split(self.inner(self.norm1(x)), WIDTH, axis=2)
            x = x + self.outer(ops.bmm(ops.softmax(ops.bmm(q, k.swapaxes(1, 2)) / WIDTH**0.5), v))
            return x + self.down(ops.relu(self.up(self.norm2(x))))

    class Gpt(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(WORDS, WIDTH)
            self.blocks = nn.SequentialCell(*[Block() for _ in range(LAYERS)])
            self.head = nn.Dense(WIDTH, WORDS)

        def construct(self, x: Tensor) -> Tensor:
            return self.head(self.blocks(self.table(x))).reshape(-1, WORDS)

    return Gpt()


class TorchJob(Job):
    """DistributedDataParallel on gloo."""

    def __init__(self, model: str) -> None:
        import torch
        from torch import distributed
        from torch.nn.parallel import DistributedDataParallel

        torch.set_num_threads(1)
        self.rank, self.size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        distributed.init_process_group("gloo")
        x, y = (torch.from_numpy(array) for array in data(model, self.rank))
        y = y.long()

        def made(parallel: bool) -> tuple[Any, Callable[[], Any]]:
            torch.manual_seed(1)
            net = torch_net(model)
            wrapped = DistributedDataParallel(net, gradient_as_bucket_view=True) if parallel else net
            optimizer = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9)
            loss_of = torch.nn.CrossEntropyLoss()

            def step() -> float:
                optimizer.zero_grad()
                loss = loss_of(wrapped(x), y)
                loss.backward()
                optimizer.step()
                return float(loss.detach())

            return net, step

        _, self.alone = made(False)
        net, self.step = made(self.size > 1)
        self.nbytes = sum(p.numel() * 4 for p in net.parameters())
        self.sent = 2 * (self.size - 1) * self.nbytes // self.size
        sizes, left = [], self.nbytes // 4
        while left:
            sizes.append(min(left, (25 << 20) // 4))
            left -= sizes[-1]
        buckets = [torch.zeros(size) for size in sizes]

        def sums() -> None:
            for work in [distributed.all_reduce(bucket, async_op=True) for bucket in buckets]:
                work.wait()

        self.sums = sums
        self._torch, self._distributed = torch, distributed

    def largest(self, number: float) -> float:
        tensor = self._torch.tensor([number], dtype=self._torch.float64)
        self._distributed.all_reduce(tensor, op=self._distributed.ReduceOp.MAX)
        return float(tensor)


def torch_net(model: str) -> Any:
    """The network, in PyTorch."""
    import torch
    from torch import nn

    if model == "mlp":
        return nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10))
    if model == "large":
        hidden = [layer for _ in range(6) for layer in (nn.Linear(2048, 2048), nn.ReLU())]
        return nn.Sequential(*hidden, nn.Linear(2048, 10))
    if model == "lenet":
        return nn.Sequential(
            nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2, 2),
            nn.Flatten(), nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
        )  # fmt: skip

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
            self.inner, self.outer = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
            self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

        def forward(self, x: Any) -> Any:
            q, k, v = self.inner(self.norm1(x)).split(WIDTH, 2)
            x = x + self.outer(torch.bmm(torch.softmax(torch.bmm(q, k.mT) / WIDTH**0.5, -1), v))
            return x + self.down(torch.relu(self.up(self.norm2(x))))

    class Gpt(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(WORDS, WIDTH)
            self.blocks = nn.Sequential(*[Block() for _ in range(LAYERS)])
            self.head = nn.Linear(WIDTH, WORDS)

        def forward(self, x: Any) -> Any:
            return self.head(self.blocks(self.table(x.long()))).reshape(-1, WORDS)

    return Gpt()


def serve(job: Job, port: int) -> None:
    """Answer the requests of the benchmark until it closes the connection."""
    calls = {"step": job.step, "alone": job.alone, "sums": job.sums}
    for call in calls.values():
        call()
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rw") as stream:
        about = {"rank": job.rank, "nbytes": job.nbytes, "sent": job.sent, "begins": job.begins}
        print(json.dumps(about), file=stream, flush=True)
        for line in stream:
            name, count = line.split()
            call = calls[name]
            job.largest(0.0)  # all begin at once
            began = time.perf_counter()
            for _ in range(int(count)):
                call()
            print((time.perf_counter() - began) / int(count), file=stream, flush=True)
    job.largest(0.0)  # and end at once


def main() -> None:
    framework, model, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
    serve(MycelJob(model) if framework != "torch" else TorchJob(model), port)


if __name__ == "__main__":
    main()
