"""mint.distributed, comm_func and the primitives of communication, with two processes or more, eager and compiled."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

import mycel as ms
from mycel import Tensor, mint, ops
from mycel.communication import comm_func
from mycel.runtime import processors

dist = mint.distributed
dist.init_process_group()
rank, size = dist.get_rank(), dist.get_world_size()
assert dist.is_initialized()
if os.path.exists("/proc/self/maps"):  # a killed process leaves no file behind that others have opened
    opened = {line.split(maxsplit=5)[-1].strip() for line in Path("/proc/self/maps").read_text().splitlines()}
    assert not [path for path in opened if path.startswith("/dev/shm/mpich") and os.path.exists(path)]
assert (ms.communication.get_local_rank(), ms.communication.get_local_rank_size()) == (rank, size)
assert processors.thread_count() == max(1, processors.processor_count() // size)


def mine(*shape: int, of: int = rank) -> np.ndarray:
    return (np.arange(np.prod(shape)).reshape(shape) + 100 * of).astype(np.float32)


def every(*shape: int) -> list[np.ndarray]:
    return [mine(*shape, of=each) for each in range(size)]


def same(found: Any, expected: Any) -> None:
    np.testing.assert_array_equal(found.asnumpy(), expected)


# Objects.
found: list[Any] = [None] * size
dist.gather_object({"rank": rank}, found if rank == 1 else None, dst=1)
assert rank != 1 or found == [{"rank": each} for each in range(size)]
found = [None]
dist.scatter_object_list(found, [f"for {each}" for each in range(size)] if rank == 0 else None)
assert found == [f"for {rank}"]
if rank == 0:
    dist.send_object_list(["é", 1], 1)
elif rank == 1:
    dist.recv_object_list(found, 0)
    assert found == ["é", 1]

# Tensors of given shapes from all others.
came, handle = comm_func.all_to_all_with_output_shape(
    [(each + 1,) for each in range(size)], [Tensor(np.full(rank + 1, each, np.float32)) for each in range(size)],
    async_op=True,
)  # fmt: skip
handle.wait()
for each, part in enumerate(came):
    same(part, np.full(each + 1, rank))
counts = [each % 3 for each in range(size)]  # each process has as many rows for every one
whole, handle = comm_func.all_to_all_single_with_output_shape(
    (sum(counts), 2), Tensor(mine(size * counts[rank], 2)), counts, [counts[rank]] * size
)
expected = [mine(size * count, 2, of=each)[rank * count :][:count] for each, count in enumerate(counts)]
same(whole, np.concatenate(expected))
assert handle is None
y = Tensor(np.zeros((sum(counts), 2), np.float32))
ms.ops.communication.all_to_all_v_c(y, Tensor(mine(size * counts[rank], 2)), [c for c in counts for _ in range(size)])
same(y, np.concatenate(expected))
after, before = (rank + 1) % size, (rank - 1) % size
_, taken, _ = comm_func.batch_isend_irecv([
    comm_func.P2POp("isend", Tensor(mine(2, 2)), after),
    comm_func.P2POp(comm_func.irecv, Tensor(np.zeros((2, 2), np.float32)), before),
    comm_func.P2POp(comm_func.isend, Tensor([rank]), after),
])  # fmt: skip
same(taken, mine(2, 2, of=before))
(shaped,) = comm_func.batch_isend_irecv([comm_func.P2POp("irecv", (1,), before, recv_dtype=ms.int64)])
same(shaped, [before])

# Functions with outputs.
x = Tensor(mine(2, 3))
assert dist.all_reduce(x) is None
same(x, sum(every(2, 3)))
x = Tensor(mine(2, 3))
dist.all_reduce(x, "avg", async_op=True).wait()
same(x, sum(every(2, 3)) / size)
out = ops.zeros((2 * size, 3))
dist.all_gather_into_tensor(out, Tensor(mine(2, 3)))
same(out, np.concatenate(every(2, 3)))
out = ops.zeros((2, 3))
dist.reduce_scatter_tensor(out, Tensor(mine(2 * size, 3)), "max")
same(out, mine(2 * size, 3, of=size - 1)[2 * rank : 2 * rank + 2])
x = Tensor(mine(2))
dist.reduce(x, 1)
same(x, sum(every(2)) if rank == 1 else mine(2))
x = Tensor(mine(2))
dist.broadcast(x, 1)
same(x, mine(2, of=1))
rows = [ops.zeros((2,)) for _ in range(size)]
dist.all_gather(rows, Tensor(mine(2)))
for row, expected in zip(rows, every(2), strict=True):
    same(row, expected)
rows = [ops.zeros((2,)) for _ in range(size)]
dist.gather(Tensor(mine(2)), rows if rank == 0 else None, 0)
if rank == 0:
    same(rows[1], mine(2, of=1))
x = ops.zeros((2,))
dist.scatter(x, [Tensor(each) for each in every(2)] if rank == 1 else None, 1)
same(x, mine(2))
x = ops.zeros((2,))
dist.reduce_scatter(x, [Tensor(mine(2) + i) for i in range(size)])
same(x, sum(every(2)) + size * rank)
outs = [ops.zeros((each + 1,)) for each in range(size)]
dist.all_to_all(outs, [Tensor(mine(rank + 1) + 10 * i) for i in range(size)])
for each, found in enumerate(outs):
    same(found, mine(each + 1, of=each) + 10 * rank)
out = ops.zeros((size,))
dist.all_to_all_single(out, Tensor(mine(size)))
same(out, [mine(size, of=each)[rank] for each in range(size)])
after, before = (rank + 1) % size, (rank - 1) % size
x = ops.zeros((3,))
messages = [dist.P2POp("irecv", x, before), dist.P2POp(dist.isend, Tensor(mine(3)), after)]
for handle in dist.batch_isend_irecv(messages):
    handle.wait()
same(x, mine(3, of=before))
x = ops.zeros((3,))
handle = dist.irecv(x, before, tag=7)
dist.isend(Tensor(mine(3)), after, tag=7).wait()
handle.wait()
same(x, mine(3, of=before))

# Processes with different numbers of rows.
counts = [each + 1 for each in range(size)]
out = ops.zeros((sum(counts), 2))
dist.all_gather_into_tensor_uneven(out, Tensor(mine(rank + 1, 2)), counts)
same(out, np.concatenate([mine(each + 1, 2, of=each) for each in range(size)]))
x = ops.zeros((rank + 1, 2))
dist.reduce_scatter_tensor_uneven(x, Tensor(mine(sum(counts), 2)), counts, "avg", async_op=True).wait()
same(x, (sum(every(sum(counts), 2)) / size)[sum(counts[:rank]) :][: rank + 1])
outs = [ops.zeros((each + 1, 2)) for each in range(size)]
handle = dist.all_gather(outs, Tensor(mine(rank + 1, 2)), async_op=True)
handle.wait()
for each, found_rows in enumerate(outs):
    same(found_rows, mine(each + 1, 2, of=each))
out = ops.zeros((size * (rank + 1),))
dist.all_to_all_single(out, Tensor(mine(sum(counts))), [rank + 1] * size, counts)
start = sum(counts[:rank])
same(out, np.concatenate([mine(sum(counts), of=each)[start : start + rank + 1] for each in range(size)]))

found: list[Any] = []
dist.all_gather_object(found, {"rank": rank})
assert found == [{"rank": each} for each in range(size)]
objects = [rank, "text"]
dist.broadcast_object_list(objects, 1)
assert objects == [1, "text"]
group = dist.new_group([0, 1])
if rank < 2:
    x = Tensor(mine(2))
    dist.all_reduce(x, group=group)
    same(x, mine(2, of=0) + mine(2, of=1))
    assert dist.get_group_rank(group, rank) == rank
else:
    assert dist.get_rank(group) == -1

# To end a group waits for nobody: the other processes may need a message first.
for _ in range(3):
    short = dist.new_group(list(range(size)))
    dist.all_reduce(Tensor(mine(2)), group=short)
    if rank == 1:
        dist.recv(ops.zeros((1,)), 0, tag=9)
    dist.destroy_process_group(short)
    if rank == 0:
        dist.send(Tensor(mine(1)), 1, tag=9)

# Functions that give their results.
same(comm_func.all_reduce(Tensor(mine(2)))[0], sum(every(2)))
same(comm_func.all_gather_into_tensor(Tensor(mine(2)))[0], np.concatenate(every(2)))
same(comm_func.scatter_tensor(Tensor(mine(2 * size)), src=1), mine(2 * size, of=1)[2 * rank : 2 * rank + 2])

# Primitives, eager and compiled.
peers = {
    "send_rank_ids": [after], "recv_rank_ids": [before], "recv_shapes": ((2,),), "send_shapes": ((2,),),
    "recv_type": ms.float32,
}  # fmt: skip
parts = [mine(2, size * 2, of=each)[:, 2 * rank : 2 * rank + 2] for each in range(size)]
CASES: list[tuple[Any, Any, Any]] = [
    (ops.AllReduce("min"), mine(2), mine(2, of=0)),
    (ops.AllGather(), mine(2, 2), np.concatenate(every(2, 2))),
    (ops.ReduceScatter(), mine(size, 2), sum(every(size, 2))[rank : rank + 1]),
    (ops.Reduce(1), mine(2), sum(every(2)) if rank == 1 else np.zeros(2)),
    (lambda x: ops.Broadcast(1)((x,))[0], mine(2), mine(2, of=1)),
    (ops.AlltoAll(size, 1, 0), mine(2, size * 2), np.concatenate(parts)),
    (ops.CollectiveGather(0), mine(2), np.concatenate(every(2)) if rank == 0 else np.zeros(2 * size)),
    (ops.CollectiveScatter(1), mine(size), mine(size, of=1)[rank : rank + 1]),
    (lambda x: ops.NeighborExchange(**peers)((x,))[0], mine(2), mine(2, of=before)),
]
for function, given, expected in CASES:
    same(function(Tensor(given)), expected)
    same(ms.jit(lambda x, function=function: function(x))(Tensor(given)), expected)


def ring(x: Tensor) -> Tensor:
    ops.Send(3, after)(x)
    return ops.Receive(3, before, [2], ms.float32)()


same(ring(Tensor(mine(2))), mine(2, of=before))
same(ms.jit(ring)(Tensor(mine(2))), mine(2, of=before))
ops.Barrier()()

# Halves are summed in single precision: 2048 + 1 + 1 is 2050, which halves alone would not reach.
half = ms.jit(lambda x: ops.AllReduce()(x))(Tensor(np.full(4, 2048 if rank == 0 else 1, np.float16)))
assert half.dtype == ms.float16
same(half, np.float16(2048 + (size - 1)))


# In a graph a tensor that is written into is changed for what follows.
@ms.jit
def total(x: Tensor) -> Tensor:
    y = x * 2
    dist.all_reduce(y)
    return y + 1


same(total(Tensor(mine(2))), 2 * sum(every(2)) + 1)
dist.destroy_process_group()
assert not dist.is_initialized()
print(f"rank {rank} is done")
