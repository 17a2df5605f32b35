"""`mindspore.mint.distributed` and `mindspore.ops.communication`: groups, and collectives that write into tensors.

A function with an output writes the result there, and gives a handle with `async_op=True`, else None. After
`set_comm_ops_inplace(False)` those that have a form without outputs give (result, handle) as `comm_func` does.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.tensor import Tensor
from ...runtime.distributed.communicator import WORLD as _WORLD
from ...runtime.distributed.world import JOB
from . import collectives, comm_func
from .comm_func import CommHandle, check_reduction, group_rank, handle_of, split_rows
from .communication import (
    GlobalComm,
    create_group,
    destroy_group,
    get_group_rank_from_world_rank,
    get_process_group_ranks,
    get_world_rank_from_group_rank,
    group_of,
    init,
    release,
)

__all__ = [
    "P2POp", "all_gather", "all_gather_into_tensor", "all_gather_object", "all_reduce", "all_to_all",
    "all_to_all_single", "barrier", "batch_isend_irecv", "broadcast", "broadcast_object_list",
    "destroy_process_group", "gather", "gather_into_tensor", "get_backend", "get_global_rank", "get_group_rank",
    "get_process_group_ranks", "get_rank", "get_world_size", "init_process_group", "irecv", "is_available",
    "is_initialized", "isend", "new_group", "recv", "reduce", "reduce_scatter", "reduce_scatter_tensor", "scatter",
    "scatter_tensor", "send", "set_comm_ops_inplace",
]  # fmt: skip

_NON_MEMBER = -1
_inplace = True
_made = 0


# Groups


def is_available() -> bool:
    """Whether there is communication.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.is_available()
        True
    """
    return True


def is_initialized() -> bool:
    """Whether `init_process_group` was called.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.init_process_group()
        >>> dist.is_initialized()
        True
    """
    return bool(GlobalComm.INITED)


def init_process_group(
    backend: str = "hccl", init_method: Any = None, timeout: timedelta | None = None, world_size: int = -1,
    rank: int = -1, store: Any = None, group_name: str = "", pg_options: Any = None, device_id: Any = None,
) -> None:  # fmt: skip
    """Begin to communicate.

    Args:
        backend: 'hccl', 'nccl' or 'mccl': accepted, for MPI does the work.
        timeout: how long a call may wait for other processes.
        world_size, rank: as `mpirun` has them, or -1.
        init_method, store, group_name, pg_options, device_id: accepted: `mpirun` says who takes part.

    Raises:
        RuntimeError: if `world_size` or `rank` is not what `mpirun` has started; if mpi4py is missing.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.init_process_group()
        >>> dist.get_world_size()
        1
    """
    init(backend)
    world = group_of(None)
    if world_size not in (-1, world.size) or rank not in (-1, world.rank):
        raise RuntimeError(
            f"this is the process of rank {world.rank} of {world.size}, but the program asks for rank {rank} of "
            f"{world_size}: start it with `mpirun -n {max(world_size, 1)} python SCRIPT.py`"
        )
    if timeout is not None:
        world.timeout = timeout.total_seconds()


def destroy_process_group(group: Any = None) -> None:
    """Forget a group; all communication without a name.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.destroy_process_group(dist.new_group([0]))
    """
    if group is None or group == GlobalComm.WORLD_COMM_GROUP:
        release()
    else:
        destroy_group(group)


def new_group(
    ranks: Sequence[int] | None = None, timeout: Any = None, backend: Any = None, pg_options: Any = None,
    use_local_synchronization: bool = False, group_desc: Any = None,
) -> str:  # fmt: skip
    """Make a group of these ranks, or of all; its name. For other processes it is empty.

    Args:
        ranks: in the world.
        timeout, backend, pg_options, use_local_synchronization: accepted.
        group_desc: its name.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.get_world_size(dist.new_group([0]))
        1
    """
    global _made
    if ranks is None:
        return GlobalComm.WORLD_COMM_GROUP
    _made += 1
    name = group_desc or f"group_{_made}_{'_'.join(map(str, ranks))}"
    create_group(name, ranks)
    return name if name in JOB.groups else ""


def get_backend(group: Any = None) -> str:
    """The name of the transport.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.get_backend()
        'mccl'
    """
    group_of(group)
    return GlobalComm.BACKEND


def get_rank(group: Any = None) -> int:
    """The rank of this process in a group; -1 if it is not in it.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.get_rank()
        0
    """
    return group_of(group).rank if group != "" else _NON_MEMBER


def get_world_size(group: Any = None) -> int:
    """The number of processes in a group; -1 if this one is not in it.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.get_world_size()
        1
    """
    return group_of(group).size if group != "" else _NON_MEMBER


def get_global_rank(group: Any, group_rank: int) -> int:
    """The rank in the world of a rank in a group.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.get_global_rank(dist.new_group([0]), 0)
        0
    """
    return get_world_rank_from_group_rank(_WORLD if group is None else group, group_rank)


def get_group_rank(group: Any, global_rank: int) -> int:
    """The rank in a group of a rank in the world.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.get_group_rank(dist.new_group([0]), 0)
        0
    """
    return get_group_rank_from_world_rank(global_rank, _WORLD if group is None else group)


def set_comm_ops_inplace(is_enable: bool, func_list: Any = None) -> None:
    """Say whether results are written into the tensors given (the default), or returned.

    Args:
        is_enable: whether they are written.
        func_list: accepted as None alone, for all functions.

    Raises:
        TypeError: if `is_enable` is no bool. NotImplementedError: for single functions.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.set_comm_ops_inplace(True)
    """
    global _inplace
    if not isinstance(is_enable, bool):
        raise TypeError(f"set_comm_ops_inplace takes a bool, but got {type(is_enable).__name__}")
    if func_list is not None:
        raise NotImplementedError("set_comm_ops_inplace for single functions is not implemented: leave out 'func_list'")
    _inplace = is_enable


def _written(output: Any, result: Tensor, async_op: Any, function: str) -> Any:
    """Write a result where the caller wants it."""
    handle = handle_of(async_op)
    if not _inplace:
        return result, handle
    _write(output, result, function)
    return handle


def _write(output: Any, result: Tensor, function: str) -> None:
    target = collectives.check_tensor(output, function)
    if target.shape != result.shape:
        raise ValueError(f"{function}: the output should have the shape {result.shape}, but has {target.shape}")
    if target.dtype is not result.dtype:
        raise TypeError(f"{function}: the output should be of {result.dtype}, but is of {target.dtype}")
    assign_inplace(target, result)


# Collectives


def all_reduce(tensor: Any, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Write the reduction over a group's processes into `tensor`.

    Args:
        tensor: of the same shape and dtype on all processes.
        op: 'sum', 'prod', 'min', 'max' or 'avg'.
        group: the group's name; None: all processes.
        async_op: whether a handle is given.

    Raises:
        TypeError: for what is no tensor, or an unknown reduction.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> x = Tensor([1.0])
        >>> dist.all_reduce(x)
        >>> print(x)
        [1.]
    """
    result = collectives.all_reduce(tensor, check_reduction(op, "all_reduce"), group)
    return _written(tensor, result, async_op, "all_reduce")


def all_gather_into_tensor(output_tensor: Any, input_tensor: Any, group: Any = None, async_op: bool = False) -> Any:
    """Write the rows of all processes one after another into a tensor.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.all_gather_into_tensor(y, Tensor([1.0]))
        >>> print(y)
        [1.]
    """
    return _written(output_tensor, collectives.all_gather(input_tensor, group), async_op, "all_gather_into_tensor")


def reduce_scatter_tensor(output: Any, input: Any, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Write this process's share of the rows of the reduction into a tensor.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.reduce_scatter_tensor(y, Tensor([1.0]))
        >>> print(y)
        [1.]
    """
    result = collectives.reduce_scatter(input, check_reduction(op, "reduce_scatter_tensor"), group)
    return _written(output, result, async_op, "reduce_scatter_tensor")


def reduce(tensor: Any, dst: int, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Write the reduction into the tensor of the process of rank `dst` in the world. Others keep theirs.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> x = Tensor([1.0])
        >>> dist.reduce(x, 0)
        >>> print(x)
        [1.]
    """
    root = group_rank(dst, group, "dst", "reduce")
    result = collectives.reduce_to(tensor, root, check_reduction(op, "reduce"), group)
    if group_of(group).rank == root:
        _write(tensor, result, "reduce")
    return handle_of(async_op)


def broadcast(tensor: Any, src: int, group: Any = None, async_op: bool = False) -> Any:
    """Write the tensor of the process of rank `src` in the world into the tensors of all.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> x = Tensor([1.0])
        >>> dist.broadcast(x, 0)
        >>> print(x)
        [1.]
    """
    result = collectives.broadcast(tensor, group_rank(src, group, "src", "broadcast"), group)
    _write(tensor, result, "broadcast")
    return handle_of(async_op)


def gather_into_tensor(
    output_tensor: Any, input_tensor: Any, dst: int = 0, group: Any = None, async_op: bool = False
) -> Any:
    """Write the rows of all processes into a tensor of the process of rank `dst` in the world.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.gather_into_tensor(y, Tensor([1.0]))
        >>> print(y)
        [1.]
    """
    root = group_rank(dst, group, "dst", "gather_into_tensor")
    result = collectives.gather_to(input_tensor, root, group)
    if group_of(group).rank == root:
        _write(output_tensor, result, "gather_into_tensor")
    return handle_of(async_op)


def scatter_tensor(
    output_tensor: Any, input_tensor: Any, src: int = 0, group: Any = None, async_op: bool = False
) -> Any:
    """Write this process's share of the rows that the process of rank `src` in the world has into a tensor.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.scatter_tensor(y, Tensor([1.0]))
        >>> print(y)
        [1.]
    """
    result = collectives.scatter_from(input_tensor, group_rank(src, group, "src", "scatter_tensor"), group)
    _write(output_tensor, result, "scatter_tensor")
    return handle_of(async_op)


def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None) -> Any:
    """Wait until all processes of a group have come here.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.barrier()
    """
    collectives.synchronize(group)
    return handle_of(async_op)


# Lists of tensors


def _stacked(tensors: Sequence[Any], group: Any, function: str) -> Tensor:
    """The tensors of a list, one for each process, along a new first axis."""
    count = group_of(group).size
    if not isinstance(tensors, (list, tuple)) or len(tensors) != count:
        raise TypeError(f"{function} takes a list of {count} tensors, one for each process")
    shape = collectives.check_tensor(tensors[0], function).shape
    rows = [collectives.check_tensor(x, function).reshape((1, *shape)) for x in tensors]
    return rows[0] if len(rows) == 1 else concat(rows)


def concat(rows: Sequence[Tensor]) -> Tensor:
    """Tensors one after another along the first axis."""
    result: Tensor = apply(prims.concatenate, *rows, axis=0)
    return result


def _write_each(outputs: Sequence[Any], results: Any, group: Any, function: str) -> None:
    count = group_of(group).size
    if not isinstance(outputs, (list, tuple)) or len(outputs) != count:
        raise TypeError(f"{function} takes a list of {count} output tensors, one for each process")
    for output, result in zip(outputs, results, strict=True):
        _write(output, result, function)


def all_gather(tensor_list: Any, tensor: Any, group: Any = None, async_op: bool = False) -> Any:
    """Write the tensors of all processes into the tensors of a list.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> rows = [Tensor([0.0])]
        >>> dist.all_gather(rows, Tensor([1.0]))
        >>> print(*rows)
        [1.]
    """
    rows = collectives.all_gather(_row(tensor, "all_gather"), group)
    _write_each(tensor_list, [rows[i] for i in range(rows.shape[0])], group, "all_gather")
    return handle_of(async_op)


def gather(tensor: Any, gather_list: Any, dst: int = 0, group: Any = None, async_op: bool = False) -> Any:
    """Write the tensors of all processes into the tensors of a list, on the process of rank `dst` in the world.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> rows = [Tensor([0.0])]
        >>> dist.gather(Tensor([1.0]), rows)
        >>> print(*rows)
        [1.]
    """
    root = group_rank(dst, group, "dst", "gather")
    rows = collectives.gather_to(_row(tensor, "gather"), root, group)
    if group_of(group).rank == root:
        _write_each(gather_list, [rows[i] for i in range(rows.shape[0])], group, "gather")
    return handle_of(async_op)


def scatter(tensor: Any, scatter_list: Any, src: int = 0, group: Any = None, async_op: bool = False) -> Any:
    """Write this process's tensor, from the list of the process of rank `src` in the world, into `tensor`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.scatter(y, [Tensor([1.0])])
        >>> print(y)
        [1.]
    """
    root, own = group_rank(src, group, "src", "scatter"), group_of(group)
    like = collectives.check_tensor(tensor, "scatter")
    given = scatter_list if own.rank == root else [like] * own.size
    _write(tensor, collectives.scatter_from(_stacked(given, group, "scatter"), root, group)[0], "scatter")
    return handle_of(async_op)


def reduce_scatter(output: Any, input_list: Any, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Write into `output` the reduction of the tensors that all processes have for this one in their lists.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.reduce_scatter(y, [Tensor([1.0])])
        >>> print(y)
        [1.]
    """
    stacked = _stacked(input_list, group, "reduce_scatter")
    found = collectives.reduce_scatter(stacked, check_reduction(op, "reduce_scatter"), group)
    _write(output, found[0], "reduce_scatter")
    return handle_of(async_op)


def _row(tensor: Any, function: str) -> Tensor:
    x = collectives.check_tensor(tensor, function)
    return x.reshape((1, *x.shape))


def all_to_all(output_tensor_list: Any, input_tensor_list: Any, group: Any = None, async_op: bool = False) -> Any:
    """Send each process its tensor of a list, and write received tensors into those of another list; shapes may
    differ.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> received = [Tensor([0.0])]
        >>> dist.all_to_all(received, [Tensor([1.0])])
        >>> print(*received)
        [1.]
    """
    own = group_of(group)
    for tensors in (output_tensor_list, input_tensor_list):
        if not isinstance(tensors, (list, tuple)) or len(tensors) != own.size:
            raise TypeError(f"all_to_all takes lists of {own.size} tensors, one for each process")
    others = [rank for rank in range(own.size) if rank != own.rank]
    mine = collectives.check_tensor(input_tensor_list[own.rank], "all_to_all")
    came = {own.rank: mine}
    if others:
        shapes = [collectives.check_tensor(output_tensor_list[rank], "all_to_all").shape for rank in others]
        sent = [input_tensor_list[rank] for rank in others]
        came |= dict(zip(others, collectives.exchange(sent, others, others, shapes, mine.dtype, group), strict=True))
    _write_each(output_tensor_list, [came[rank] for rank in range(own.size)], group, "all_to_all")
    return handle_of(async_op)


def all_to_all_single(
    output: Any, input: Any, output_split_sizes: Any = None, input_split_sizes: Any = None, group: Any = None,
    async_op: bool = False,
) -> Any:  # fmt: skip
    """Send each process its rows, and write received rows into a tensor; by sizes, or in equal parts.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.all_to_all_single(y, Tensor([1.0]))
        >>> print(y)
        [1.]
    """
    target = collectives.check_tensor(output, "all_to_all_single")
    given = split_rows(collectives.check_tensor(input, "all_to_all_single"), input_split_sizes, group)
    places = split_rows(target, output_split_sizes, group)
    all_to_all(places, given, group)
    _write(target, concat(places) if len(places) > 1 else places[0], "all_to_all_single")
    return handle_of(async_op)


# Messages


def send(tensor: Any, dst: int = 0, group: Any = None, tag: int = 0) -> None:
    """Send a tensor to the process of rank `dst` in the world.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> try:
        ...     dist.send(Tensor([1.0]), 1)
        ... except ValueError as error:
        ...     print(error)
        group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    comm_func.send(tensor, dst, group, tag)


def recv(tensor: Any, src: int = 0, group: Any = None, tag: int = 0) -> Any:
    """Receive a tensor from the process of rank `src` in the world, and write it into `tensor`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> try:
        ...     dist.recv(Tensor([1.0]), 1)
        ... except ValueError as error:
        ...     print(error)
        group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    found = comm_func.recv(tensor, src, group, tag)
    if not _inplace:
        return found
    _write(tensor, found, "recv")
    return 0


def isend(tensor: Any, dst: int = 0, group: Any = None, tag: int = 0) -> CommHandle:
    """As `send`, which waits for nobody, with a handle.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> try:
        ...     dist.isend(Tensor([1.0]), 1)
        ... except ValueError as error:
        ...     print(error)
        group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    return comm_func.isend(tensor, dst, group, tag)


def irecv(tensor: Any, src: int = 0, group: Any = None, tag: int = 0) -> Any:
    """As `recv`, when the handle is waited for.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> try:
        ...     dist.irecv(Tensor([1.0]), 1)
        ... except ValueError as error:
        ...     print(error)
        group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    if not _inplace:
        return comm_func.irecv(tensor, src, group, tag)
    collectives.check_tensor(tensor, "irecv")
    group_rank(src, group, "src", "irecv")
    return CommHandle(lambda: _write(tensor, comm_func.recv(tensor, src, group, tag), "irecv"))


class P2POp:
    """One message of `batch_isend_irecv`.

    Args:
        op: `isend` or `irecv`, or its name.
        tensor: what is sent, or where what comes is written.
        peer: the other process's rank in the world.
        group: the group's name; None: all processes.
        tag: 0.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> message = dist.P2POp(dist.isend, Tensor([1.0]), 0)
        >>> print(message.tensor, message.peer)
        [1.] 0
    """

    def __init__(self, op: Any, tensor: Any, peer: int, group: Any = None, tag: int = 0) -> None:
        name = op if isinstance(op, str) else getattr(op, "__name__", "")
        if name not in ("isend", "irecv"):
            raise TypeError(f"Expected op to be of type isend or irecv, but got {op}")
        self.op, self.tensor, self.peer, self.group, self.tag = name, tensor, peer, group, tag


def batch_isend_irecv(p2p_op_list: Any) -> list[CommHandle]:
    """Send and receive several tensors; each process has the matching list. The handles.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> try:
        ...     dist.batch_isend_irecv([dist.P2POp(dist.isend, Tensor([1.0]), 1)])
        ... except ValueError as error:
        ...     print(error)
        group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    if not isinstance(p2p_op_list, list) or not p2p_op_list or not all(isinstance(x, P2POp) for x in p2p_op_list):
        raise TypeError("batch_isend_irecv takes a list of P2POp that is not empty")
    for each in (x for x in p2p_op_list if x.op == "isend"):
        isend(each.tensor, each.peer, each.group, each.tag)
    waits = [irecv(x.tensor, x.peer, x.group, x.tag) for x in p2p_op_list if x.op == "irecv"]

    def wait() -> None:
        for handle in waits:
            handle.wait()

    return [CommHandle(wait)]


# Objects, as JSON: what comes from another process is data, never code


def all_gather_object(object_list: list[Any], obj: Any, group: Any = None) -> None:
    """Write the objects of all processes into a list. Objects are sent as JSON.

    Raises:
        TypeError: for an object that JSON cannot hold.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> found = [None]
        >>> dist.all_gather_object(found, {"loss": 1.0})
        >>> found
        [{'loss': 1.0}]
    """
    object_list[:] = [json.loads(text) for text in group_of(group).gather_objects(json.dumps(obj))]


def broadcast_object_list(object_list: list[Any], src: int = 0, group: Any = None, device: Any = None) -> None:
    """Write the objects that the process of rank `src` in the world has in its list into the lists of all.

    Raises:
        TypeError: for an object that JSON cannot hold.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> found = ["a"]
        >>> dist.broadcast_object_list(found)
        >>> found
        ['a']
    """
    root, own = group_rank(src, group, "src", "broadcast_object_list"), group_of(group)
    texts = own.gather_objects(json.dumps(object_list) if own.rank == root else "")
    object_list[:] = json.loads(texts[root])
