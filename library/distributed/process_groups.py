"""`mindspore.mint.distributed` and `mindspore.ops.communication`: groups, messages and objects.

The collectives are in `tensor_collectives`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.distributed.group import WORLD as _WORLD
from ...runtime.distributed.world import JOB
from . import collectives, comm_func
from .collectives import CommHandle, run, write, writing
from .comm_func import P2POp, group_rank
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
    "P2POp", "all_gather_object", "batch_isend_irecv", "broadcast_object_list", "destroy_process_group",
    "gather_object", "get_backend", "get_global_rank", "get_group_rank", "get_process_group_ranks", "get_rank",
    "get_world_size", "init_process_group", "irecv", "is_available", "is_initialized", "isend", "new_group", "recv",
    "recv_object_list", "scatter_object_list", "send", "send_object_list", "set_comm_ops_inplace",
]  # fmt: skip

_NON_MEMBER = -1
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
    need_type(is_enable, bool, "set_comm_ops_inplace takes a bool")
    if func_list is not None:
        raise NotImplementedError("set_comm_ops_inplace for single functions is not implemented: leave out 'func_list'")
    writing.inplace = is_enable


# Messages


def send(tensor: Any, dst: int = 0, group: Any = None, tag: int = 0) -> None:
    """Send a tensor to the process of rank `dst` in the world.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> dist.send(Tensor([1.0]), 1)
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    comm_func.send(tensor, dst, group, tag)


def recv(tensor: Any, src: int = 0, group: Any = None, tag: int = 0) -> Any:
    """Receive a tensor from the process of rank `src` in the world, and write it into `tensor`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> dist.recv(Tensor([1.0]), 1)
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    found = comm_func.recv(tensor, src, group, tag)
    if not writing.inplace:
        return found
    write(tensor, found, "recv")
    return 0


def isend(tensor: Any, dst: int = 0, group: Any = None, tag: int = 0) -> CommHandle:
    """As `send`, which waits for nobody, with a handle.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> dist.isend(Tensor([1.0]), 1)
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    return comm_func.isend(tensor, dst, group, tag)


def irecv(tensor: Any, src: int = 0, group: Any = None, tag: int = 0) -> Any:
    """As `recv`, when the handle is waited for.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> dist.irecv(Tensor([1.0]), 1)
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    if not writing.inplace:
        return comm_func.irecv(tensor, src, group, tag)
    like = collectives.check_tensor(tensor, "irecv")
    source = group_rank(src, group, "src", "irecv")
    return run(
        lambda: collectives.receive(like.shape, like.dtype, source, tag, group),
        lambda found: write(tensor, found, "irecv"), group, True,
    )[1]  # fmt: skip


def batch_isend_irecv(p2p_op_list: Any) -> list[CommHandle]:
    """Send and receive several tensors; each process has the matching list. The handles.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> dist.batch_isend_irecv([dist.P2POp(dist.isend, Tensor([1.0]), 1)])
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    messages = comm_func.check_messages(p2p_op_list)
    for each in (x for x in messages if x.op == "isend"):
        isend(each.tensor, each.peer, each.group, each.tag)
    waits = [irecv(x.tensor, x.peer, x.group, x.tag) for x in messages if x.op == "irecv"]

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


def gather_object(obj: Any, object_gather_list: Any = None, dst: int = 0, group: Any = None) -> None:
    """Write the objects of all processes into the list of the process of rank `dst` in the world.

    Raises:
        TypeError: for an object that JSON cannot hold, or no list on that process.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> found = [None]
        >>> dist.gather_object("a", found)
        >>> found
        ['a']
    """
    root, own = group_rank(dst, group, "dst", "gather_object"), group_of(group)
    if own.rank == root and not isinstance(object_gather_list, list):
        raise TypeError("gather_object takes a list on the process that gathers")
    texts = own.gather_objects(json.dumps(obj))
    if own.rank == root:
        object_gather_list[:] = map(json.loads, texts)


def scatter_object_list(
    scatter_object_output_list: list[Any], scatter_object_input_list: Any = None, src: int = 0, group: Any = None
) -> None:
    """Write this process's object of the list that the process of rank `src` in the world has into another list.

    Raises:
        TypeError: for an object that JSON cannot hold. ValueError: unless there is an object for each process.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> found = [None]
        >>> dist.scatter_object_list(found, ["a"])
        >>> found
        ['a']
    """
    root, own = group_rank(src, group, "src", "scatter_object_list"), group_of(group)
    gives = own.rank == root
    if gives and (not isinstance(scatter_object_input_list, list) or len(scatter_object_input_list) != own.size):
        raise ValueError(f"scatter_object_list takes a list of {own.size} objects, one for each process")
    if not scatter_object_output_list:
        raise ValueError("scatter_object_list takes an output list with an element")
    texts = own.gather_objects(json.dumps(scatter_object_input_list) if gives else "")
    scatter_object_output_list[0] = json.loads(texts[root])[own.rank]


def send_object_list(object_list: list[Any], dst: int = 0, group: Any = None, device: Any = None) -> None:
    """Send objects to the process of rank `dst` in the world, which calls `recv_object_list`. Errors as `send`.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.send_object_list(["a"], 1)
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    text = np.frombuffer(json.dumps(object_list).encode(), np.uint8)
    for numbers in (np.array([text.size]), text):
        send(Tensor(numbers), dst, group)


def recv_object_list(object_list: list[Any], src: int = 0, group: Any = None, device: Any = None) -> None:
    """Receive objects from the process of rank `src` in the world, and write them into a list. Errors as `recv`.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.recv_object_list([None], 1)
        Traceback (most recent call last):
        ValueError: group 'mccl_world_group' has the processes of rank [0], but got rank 1
    """
    source = group_rank(src, group, "src", "recv_object_list")
    count = int(collectives.receive((1,), dtypes.int64, source, 0, group)[0])
    object_list[:] = json.loads(collectives.receive((count,), dtypes.uint8, source, 0, group).asnumpy().tobytes())
