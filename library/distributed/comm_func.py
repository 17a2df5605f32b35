"""`mindspore.communication.comm_func`: collectives as functions that give their results.

Those of `mindspore.ops.communication` and `mindspore.mint.distributed` write into tensors that they are given: see
`tensor_collectives`. With `async_op=True` a result comes with a handle, and has its numbers when `wait` returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import need_type
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from . import collectives
from .collectives import CommHandle, run
from .communication import GlobalComm, get_group_rank_from_world_rank, get_group_size, group_of

__all__ = [
    "CommHandle", "P2POp", "all_gather_into_tensor", "all_reduce", "all_to_all_single_with_output_shape",
    "all_to_all_with_output_shape", "barrier", "batch_isend_irecv", "broadcast", "gather_into_tensor", "irecv",
    "isend", "recv", "reduce", "reduce_scatter_tensor", "scatter_tensor", "send",
]  # fmt: skip

WORLD = GlobalComm.WORLD_COMM_GROUP
REDUCTIONS = ("sum", "prod", "min", "max", "avg")


def check_reduction(op: Any, function: str) -> str:
    """The name of a reduction. TypeError for anything else."""
    if not isinstance(op, str) or op not in REDUCTIONS:
        raise TypeError(f"For {function}, the input op value must be one of {', '.join(REDUCTIONS)}, but got {op!r}")
    return op


def as_is(result: Any) -> Any:
    """A result that is complete when it has been sent."""
    return result


def in_two_parts(tensor: Any, op: Any, group: Any, function: str) -> tuple[str, Callable[[Any], Any]]:
    """The reduction that processes do together, and what each of them does with the result: an average is a sum.

    Raises:
        TypeError: for what is no tensor, or an unknown reduction.
    """
    collectives.check_tensor(tensor, function)
    check_reduction(op, function)
    if op != "avg":
        return op, as_is
    return "sum", lambda result: collectives.average(result, group)


def group_rank(rank: Any, group: Any, name: str, function: str) -> int:
    """The rank in a group of a rank in the world. TypeError unless it is an int, ValueError if it is not in it."""
    need_type(rank, int, f"For {function}, the {name} must be int")
    return get_group_rank_from_world_rank(rank, WORLD if group is None else group)


def all_reduce(tensor: Any, op: str = "sum", group: Any = WORLD, async_op: bool = False) -> tuple[Tensor, Any]:
    """The reduction over all processes of a group, and a handle or None.

    Args:
        tensor: of the same shape and dtype on all processes.
        op: 'sum', 'prod', 'min', 'max' or 'avg'.
        group: the group's name.
        async_op: whether a handle is given.

    Raises:
        TypeError: for what is no tensor, or an unknown reduction.

    Examples:
        >>> import mycel as ms
        >>> print(ms.communication.comm_func.all_reduce(ms.Tensor([1.0]))[0])
        [1.]
    """
    by, finish = in_two_parts(tensor, op, group, "all_reduce")
    return run(lambda: collectives.all_reduce(tensor, by, group), finish, group, async_op)


def all_gather_into_tensor(tensor: Any, group: Any = WORLD, async_op: bool = False) -> tuple[Tensor, Any]:
    """The rows of all processes of a group one after another, and a handle or None. Errors as `all_reduce`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> print(comm_func.all_gather_into_tensor(Tensor([1.0]))[0])
        [1.]
    """
    return run(lambda: collectives.all_gather(tensor, group), as_is, group, async_op)


def reduce_scatter_tensor(
    tensor: Any, op: str = "sum", group: Any = WORLD, async_op: bool = False
) -> tuple[Tensor, Any]:
    """This process's share of the rows of the reduction, and a handle or None. Errors as `all_reduce`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> print(comm_func.reduce_scatter_tensor(Tensor([1.0]))[0])
        [1.]
    """
    by, finish = in_two_parts(tensor, op, group, "reduce_scatter_tensor")
    return run(lambda: collectives.reduce_scatter(tensor, by, group), finish, group, async_op)


def reduce(tensor: Any, dst: int, op: str = "sum", group: Any = WORLD) -> Tensor:
    """The reduction, on the process of rank `dst` in the world; zeros on the others. Errors as `all_reduce`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> print(comm_func.reduce(Tensor([1.0]), 0))
        [1.]
    """
    collectives.check_tensor(tensor, "reduce")
    root = group_rank(dst, group, "dst", "reduce")
    return collectives.reduce_to(tensor, root, check_reduction(op, "reduce"), group)


def broadcast(tensor: Any, src: int = 0, group: Any = WORLD) -> Tensor:
    """The tensor of the process of rank `src` in the world, on all processes.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> print(comm_func.broadcast(Tensor([1.0])))
        [1.]
    """
    return collectives.broadcast(tensor, group_rank(src, group, "src", "broadcast"), group)


def gather_into_tensor(tensor: Any, dst: int = 0, group: Any = WORLD) -> Tensor:
    """The rows of all processes, on the process of rank `dst` in the world; zeros on the others.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> print(comm_func.gather_into_tensor(Tensor([1.0])))
        [1.]
    """
    return collectives.gather_to(tensor, group_rank(dst, group, "dst", "gather_into_tensor"), group)


def scatter_tensor(tensor: Any, src: int = 0, group: Any = WORLD) -> Tensor:
    """This process's share of the rows that the process of rank `src` in the world has.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> print(comm_func.scatter_tensor(Tensor([1.0])))
        [1.]
    """
    return collectives.scatter_from(tensor, group_rank(src, group, "src", "scatter_tensor"), group)


def barrier(group: Any = WORLD) -> None:
    """Wait until all processes of a group have come here.

    Examples:
        >>> from mycel.communication import comm_func
        >>> comm_func.barrier()
    """
    collectives.synchronize(group)


def send(tensor: Any, dst: int = 0, group: Any = WORLD, tag: int = 0) -> None:
    """Send a tensor to the process of rank `dst` in the world.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> comm_func.send(Tensor([1.0]), dst=1)
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    collectives.send(tensor, group_rank(dst, group, "dst", "send"), tag, group)


def recv(tensor: Any, src: int = 0, group: Any = WORLD, tag: int = 0) -> Tensor:
    """The tensor that the process of rank `src` in the world sends, of the shape and dtype of `tensor`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> comm_func.recv(Tensor([1.0]), src=1)
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    like = collectives.check_tensor(tensor, "recv")
    return collectives.receive(like.shape, like.dtype, group_rank(src, group, "src", "recv"), tag, group)


def isend(tensor: Any, dst: int = 0, group: Any = WORLD, tag: int = 0) -> CommHandle:
    """As `send`, which waits for nobody, with a handle.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> comm_func.isend(Tensor([1.0]), dst=1)
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    send(tensor, dst, group, tag)
    return CommHandle()


def irecv(tensor: Any, src: int = 0, group: Any = WORLD, tag: int = 0) -> tuple[Tensor, CommHandle]:
    """As `recv`, with a handle: the tensor has its numbers when `wait` returns.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> comm_func.irecv(Tensor([1.0]), src=1)
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    like, source = collectives.check_tensor(tensor, "irecv"), group_rank(src, group, "src", "irecv")
    found, handle = run(lambda: collectives.receive(like.shape, like.dtype, source, tag, group), as_is, group, True)
    return found, handle or CommHandle()


class P2POp:
    """One message of `batch_isend_irecv`.

    Args:
        op: `isend` or `irecv`, or its name.
        tensor: what is sent, or where what comes is written; or the shape of what comes.
        peer: the other process's rank in the world.
        group: the group's name; None: all processes.
        tag: 0.
        recv_dtype: the dtype of what comes, with a shape.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> message = dist.P2POp(dist.isend, Tensor([1.0]), 0)
        >>> print(message.tensor, message.peer)
        [1.] 0
    """

    def __init__(
        self, op: Any, tensor: Any, peer: int, group: Any = None, tag: int = 0, *, recv_dtype: Any = None
    ) -> None:
        name = op if isinstance(op, str) else getattr(op, "__name__", "")
        if name not in ("isend", "irecv"):
            raise TypeError(f"Expected op to be of type isend or irecv, but got {op}")
        if isinstance(tensor, tuple):
            if name == "isend" or recv_dtype is None:
                raise TypeError("P2POp takes a shape only of what comes, with recv_dtype")
            tensor = Tensor(np.zeros(tensor, recv_dtype.np))
        self.op, self.tensor, self.peer, self.group, self.tag = name, tensor, peer, group, tag


def check_messages(messages: Any) -> list[P2POp]:
    """TypeError unless these are messages in a list."""
    if not isinstance(messages, list) or not messages or not all(isinstance(x, P2POp) for x in messages):
        raise TypeError("batch_isend_irecv takes a list of P2POp that is not empty")
    return messages


def batch_isend_irecv(p2p_op_list: Any) -> tuple[Tensor, ...]:
    """Send and receive several tensors; each process has the matching list. What comes, and 0 for what is sent.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> comm_func.batch_isend_irecv([comm_func.P2POp("isend", Tensor([1.0]), 1)])
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    messages = check_messages(p2p_op_list)
    for x in messages:
        if x.op == "isend":
            isend(x.tensor, x.peer, x.group, x.tag)
    return tuple(recv(x.tensor, x.peer, x.group, x.tag) if x.op == "irecv" else Tensor(0) for x in messages)


def _shape(of: Any) -> tuple[int, ...]:
    """The shape that a tuple or a tensor says."""
    return of.shape if isinstance(of, Tensor) else tuple(of)


def all_to_all_with_output_shape(
    output_shape_list: Any, input_tensor_list: Any, group: Any = None, async_op: bool = False
) -> tuple[tuple[Tensor, ...], Any]:
    """Send each process its tensor of a list. The tensors that come, of these shapes, and a handle.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> came, _ = comm_func.all_to_all_with_output_shape([(1,)], [Tensor([1.0])])
        >>> print(*came)
        [1.]
    """
    shapes = list(map(_shape, output_shape_list))
    start, finish = exchange_tensors(shapes, input_tensor_list, group, "all_to_all_with_output_shape")
    came, handle = run(start, as_is, group, async_op)
    return tuple(finish(came)), handle


def all_to_all_single_with_output_shape(
    output_shape: Any, tensor: Any, output_split_sizes: Any = None, input_split_sizes: Any = None, group: Any = None,
    async_op: bool = False,
) -> tuple[Tensor, Any]:  # fmt: skip
    """Send each process its rows, by sizes or in equal parts. The rows that come, and a handle with nothing to do.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> print(comm_func.all_to_all_single_with_output_shape((1,), Tensor([1.0]))[0])
        [1.]
    """
    function, shape = "all_to_all_single_with_output_shape", _shape(output_shape)
    given = split_rows(collectives.check_tensor(tensor, function), input_split_sizes, group)
    shapes = [(size, *shape[1:]) for size in row_sizes(shape, output_split_sizes, group)]
    start, finish = exchange_tensors(shapes, given, group, function)
    came, _ = run(start, as_is, group, False)
    return concat(finish(came)), CommHandle() if async_op else None


def concat(rows: Sequence[Tensor]) -> Tensor:
    """Tensors one after another along the first axis."""
    return rows[0] if len(rows) == 1 else apply(prims.concatenate, *rows, axis=0)


def exchange_tensors(
    shapes: Sequence[tuple[int, ...]], inputs: Any, group: Any, function: str
) -> tuple[Callable[[], Any], Callable[[Any], list[Tensor]]]:
    """Two functions: one sends each process its tensor, the other gives what came, of these shapes, in rank order."""
    own = group_of(group)
    for tensors in (shapes, inputs):
        if not isinstance(tensors, (list, tuple)) or len(tensors) != own.size:
            raise TypeError(f"{function} takes lists of {own.size} tensors, one for each process")
    others = [rank for rank in range(own.size) if rank != own.rank]
    mine = collectives.check_tensor(inputs[own.rank], function)
    if not others:
        return lambda: (), lambda came: [mine]
    wanted = [shapes[rank] for rank in others]
    sent = [inputs[rank] for rank in others]

    def finish(came: Any) -> list[Tensor]:
        found = {own.rank: mine, **dict(zip(others, came, strict=True))}
        return [found[rank] for rank in range(own.size)]

    return lambda: collectives.exchange(sent, others, others, wanted, mine.dtype, group), finish


def row_sizes(shape: tuple[int, ...], sizes: Sequence[int] | None, group: Any) -> list[int]:
    """How many rows of a tensor belong to each process. ValueError where the sizes do not fit its shape."""
    count, rows = get_group_size(WORLD if group is None else group), shape[0] if shape else 0
    if not sizes:
        if rows % count:
            raise ValueError(f"dimension 0 of {shape} must be divisible by the number of processes, {count}")
        return [rows // count] * count
    if len(sizes) != count or sum(sizes) != rows or min(sizes) < 0:
        raise ValueError(f"{list(sizes)} should be {count} sizes whose sum is {rows}, the number of rows")
    return list(sizes)


def split_rows(tensor: Tensor, sizes: Sequence[int] | None, group: Any) -> list[Tensor]:
    """The rows of a tensor in parts, one for each process. ValueError where they do not fit."""
    parts, start = [], 0
    for size in row_sizes(tensor.shape, sizes, group):
        parts.append(tensor[start : start + size])
        start += size
    return parts
