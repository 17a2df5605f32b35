"""Handles of asynchronous calls: they wait, in any order, and calls go on meanwhile."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import mycel as ms
from mycel import Tensor, mint, ops
from mycel.communication import comm_func

dist = mint.distributed
dist.init_process_group()
rank, size = dist.get_rank(), dist.get_world_size()


def mine(*shape: int, of: int = rank, dtype: Any = np.float32) -> np.ndarray:
    return (np.arange(np.prod(shape)).reshape(shape) + 100 * of).astype(dtype)


def every(*shape: int) -> list[np.ndarray]:
    return [mine(*shape, of=each) for each in range(size)]


def same(found: Any, expected: Any) -> None:
    np.testing.assert_array_equal(found.asnumpy(), expected)


total = sum(every(2, size))

# A call returns at once, though rank 0 comes late; until its handle has waited, the tensor is as before.
LATE = 1.0
dist.barrier()
if rank == 0:
    time.sleep(LATE)
began = time.monotonic()
x = Tensor(mine(2, size))
handle = dist.all_reduce(x, async_op=True)
if rank:
    assert time.monotonic() - began < LATE / 2
same(x, mine(2, size))
handle.wait()
same(x, total)
if rank:
    assert time.monotonic() - began > LATE / 2
handle.wait()  # a second time changes nothing
same(x, total)

# Each collective, all under way at once, and their handles in another order on each process.
whole, part, half = Tensor(mine(2, size)), Tensor(mine(2, size)), Tensor(mine(4, dtype=np.float16))
gathered, piece, scattered = ops.zeros((2 * size, size)), ops.zeros((1, 2)), ops.zeros((1, 2))
rows, collected = [ops.zeros((2,)) for _ in range(size)], [ops.zeros((2,)) for _ in range(size)]
swapped, given, single = [ops.zeros((3,)) for _ in range(size)], ops.zeros((2,)), ops.zeros((size,))
at_one, whole_at_one, own = Tensor(mine(2)), ops.zeros((2 * size,)), Tensor(mine(2))
calls: list[tuple[Any, Any, Any]] = [
    (dist.all_reduce(whole, "avg", async_op=True), whole, total / size),
    (dist.broadcast(part, 1, async_op=True), part, mine(2, size, of=1)),
    (dist.all_reduce(half, async_op=True), half, sum(every(4)).astype(np.float16)),
    (dist.all_gather_into_tensor(gathered, Tensor(mine(2, size)), async_op=True), gathered, np.vstack(every(2, size))),
    (
        dist.reduce_scatter_tensor(piece, Tensor(mine(size, 2)), async_op=True),
        piece,
        sum(every(size, 2))[rank : rank + 1],
    ),
    (
        dist.scatter_tensor(scattered, Tensor(mine(size, 2)), 1, async_op=True),
        scattered,
        mine(size, 2, of=1)[rank : rank + 1],
    ),
    (dist.all_gather(rows, Tensor(mine(2)), async_op=True), rows[1], mine(2, of=1)),
    (
        dist.gather(Tensor(mine(2)), collected, 0, async_op=True),
        collected[1],
        mine(2, of=1) if rank == 0 else np.zeros(2),
    ),
    (
        dist.all_to_all(swapped, [Tensor(mine(3) + i) for i in range(size)], async_op=True),
        swapped[0],
        mine(3, of=0) + rank,
    ),
    (dist.scatter(given, [Tensor(mine(2) + i) for i in range(size)], 0, async_op=True), given, mine(2, of=0) + rank),
    (
        dist.all_to_all_single(single, Tensor(mine(size)), async_op=True),
        single,
        [mine(size, of=each)[rank] for each in range(size)],
    ),
    (dist.reduce(at_one, 1, async_op=True), at_one, sum(every(2)) if rank == 1 else mine(2)),
    (
        dist.gather_into_tensor(whole_at_one, Tensor(mine(2)), 1, async_op=True),
        whole_at_one,
        np.concatenate(every(2)) if rank == 1 else np.zeros(2 * size),
    ),
    (
        dist.reduce_scatter(own, [Tensor(mine(2) + i) for i in range(size)], async_op=True),
        own,
        sum(every(2)) + size * rank,
    ),
    (dist.barrier(async_op=True), None, None),
]
for number in np.random.default_rng(rank).permutation(len(calls)):
    handle, found, expected = calls[number]
    handle.wait()
    if found is not None:
        same(found, expected)

# Functions that give their results: these have their numbers after the wait.
result, handle = comm_func.all_reduce(Tensor(mine(3)), "avg", async_op=True)
handle.wait()
same(result, sum(every(3)) / size)
result, handle = comm_func.all_gather_into_tensor(Tensor(mine(3)), async_op=True)
handle.wait()
same(result, np.concatenate(every(3)))

# Messages of one tag come in the order in which they were asked for, whichever handle waits first; nobody has to send
# before the other one has begun a collective.
after, before = (rank + 1) % size, (rank - 1) % size
first, second, y = ops.zeros((2,)), ops.zeros((2,)), Tensor(mine(2))
one, two = dist.irecv(first, before), dist.irecv(second, before)
under_way = dist.all_reduce(y, async_op=True) if rank == 0 else None
dist.isend(Tensor(mine(2)), after).wait()
dist.isend(Tensor(mine(2) + 1), after)
two.wait()
one.wait()
same(first, mine(2, of=before))
same(second, mine(2, of=before) + 1)
(under_way or dist.all_reduce(y, async_op=True)).wait()
same(y, sum(every(2)))


# In a graph a handle has nothing to do.
@ms.jit
def compiled(x: Tensor) -> Tensor:
    y = x * 2
    handle = dist.all_reduce(y, async_op=True)
    z = x + 1
    handle.wait()
    return y + z


same(compiled(Tensor(mine(2))), 2 * sum(every(2)) + mine(2) + 1)

# A program after calls that nobody has waited for, and the end of the process with such ones.
dist.all_reduce(Tensor(mine(300_000)), async_op=True)
same(ms.jit(lambda x: ops.AllReduce()(x))(Tensor(mine(2))), sum(every(2)))
dist.all_reduce(Tensor(mine(5)), async_op=True)
print(f"rank {rank} is done")
