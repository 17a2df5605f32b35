"""`mindspore.communication.comm_func`: collectives as functions that give their results.

Those of `mindspore.ops.communication` and `mindspore.mint.distributed` write into tensors that they are given: see
`process_groups`. With `async_op=True` a result comes with a handle; everything is done when its `wait` returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...frontend.values.tensor import Tensor
from . import collectives
from .communication import GlobalComm, get_group_rank_from_world_rank, get_group_size

__all__ = [
    "CommHandle", "all_gather_into_tensor", "all_reduce", "barrier", "broadcast", "gather_into_tensor", "irecv",
    "isend", "recv", "reduce", "reduce_scatter_tensor", "scatter_tensor", "send",
]  # fmt: skip

WORLD = GlobalComm.WORLD_COMM_GROUP
REDUCTIONS = ("sum", "prod", "min", "max", "avg")


class CommHandle:
    """The handle of an asynchronous call.

    Args:
        action: what is still to be done; None: nothing.

    Examples:
        >>> from mycel.communication import comm_func
        >>> comm_func.CommHandle().wait()
    """

    def __init__(self, action: Callable[[], None] | None = None) -> None:
        self._action = action

    def wait(self) -> None:
        """Wait until the call is complete."""
        action, self._action = self._action, None
        if action is not None:
            action()


def handle_of(async_op: Any) -> CommHandle | None:
    """The handle of a call that is complete. TypeError unless `async_op` is a bool."""
    if not isinstance(async_op, bool):
        raise TypeError(f"The argument 'async_op' must be a bool, but got {type(async_op).__name__}")
    return CommHandle() if async_op else None


def check_reduction(op: Any, function: str) -> str:
    """The name of a reduction. TypeError for anything else."""
    if not isinstance(op, str) or op not in REDUCTIONS:
        raise TypeError(f"For {function}, the input op value must be one of {', '.join(REDUCTIONS)}, but got {op!r}")
    return op


def group_rank(rank: Any, group: Any, name: str, function: str) -> int:
    """The rank in a group of a rank in the world. TypeError unless it is an int, ValueError if it is not in it."""
    if isinstance(rank, bool) or not isinstance(rank, int):
        raise TypeError(f"For {function}, the {name} must be int, but got {type(rank).__name__}")
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
    collectives.check_tensor(tensor, "all_reduce")
    return collectives.all_reduce(tensor, check_reduction(op, "all_reduce"), group), handle_of(async_op)


def all_gather_into_tensor(tensor: Any, group: Any = WORLD, async_op: bool = False) -> tuple[Tensor, Any]:
    """The rows of all processes of a group one after another, and a handle or None. Errors as `all_reduce`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> print(comm_func.all_gather_into_tensor(Tensor([1.0]))[0])
        [1.]
    """
    return collectives.all_gather(tensor, group), handle_of(async_op)


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
    collectives.check_tensor(tensor, "reduce_scatter_tensor")
    found = collectives.reduce_scatter(tensor, check_reduction(op, "reduce_scatter_tensor"), group)
    return found, handle_of(async_op)


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
        >>> try:
        ...     comm_func.send(Tensor([1.0]), dst=1)
        ... except ValueError as error:
        ...     print(error)
        group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    collectives.send(tensor, group_rank(dst, group, "dst", "send"), tag, group)


def recv(tensor: Any, src: int = 0, group: Any = WORLD, tag: int = 0) -> Tensor:
    """The tensor that the process of rank `src` in the world sends, of the shape and dtype of `tensor`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> try:
        ...     comm_func.recv(Tensor([1.0]), src=1)
        ... except ValueError as error:
        ...     print(error)
        group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    like = collectives.check_tensor(tensor, "recv")
    return collectives.receive(like.shape, like.dtype, group_rank(src, group, "src", "recv"), tag, group)


def isend(tensor: Any, dst: int = 0, group: Any = WORLD, tag: int = 0) -> CommHandle:
    """As `send`, which waits for nobody, with a handle.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> try:
        ...     comm_func.isend(Tensor([1.0]), dst=1)
        ... except ValueError as error:
        ...     print(error)
        group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    send(tensor, dst, group, tag)
    return CommHandle()


def irecv(tensor: Any, src: int = 0, group: Any = WORLD, tag: int = 0) -> tuple[Tensor, CommHandle]:
    """As `recv`, with a handle. It waits here, for a sender waits for nobody.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.communication import comm_func
        >>> try:
        ...     comm_func.irecv(Tensor([1.0]), src=1)
        ... except ValueError as error:
        ...     print(error)
        group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    return recv(tensor, src, group, tag), CommHandle()


def split_rows(tensor: Tensor, sizes: Sequence[int] | None, group: Any) -> list[Tensor]:
    """The rows of a tensor in parts, one for each process. ValueError where they do not fit."""
    count = get_group_size(WORLD if group is None else group)
    rows = tensor.shape[0]
    if not sizes:
        if rows % count:
            raise ValueError(f"dimension 0 of {tensor.shape} must be divisible by the number of processes, {count}")
        sizes = [rows // count] * count
    if len(sizes) != count or sum(sizes) != rows:
        raise ValueError(f"{list(sizes)} should be {count} sizes whose sum is {rows}, the number of rows")
    parts, start = [], 0
    for size in sizes:
        parts.append(tensor[start : start + size])
        start += size
    return parts
