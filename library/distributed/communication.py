"""`mindspore.communication`: the processes of the job and groups of them. Outside of `mpirun` there is one process."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ...compiler.cache.disk import read_checked, write_checked
from ...compiler.cache.machine import calibration_path
from ...frontend.compilation.compile_cache import compile_cache
from ...frontend.values.arguments import need_type
from ...runtime import processors
from ...runtime.distributed.communicator import BUCKET_BYTES, Communicator
from ...runtime.distributed.group import WORLD
from ...runtime.distributed.world import JOB

__all__ = [
    "GlobalComm", "barrier", "create_group", "destroy_group", "get_comm_name", "get_group_rank_from_world_rank",
    "get_group_size", "get_local_rank", "get_local_rank_size", "get_process_group_ranks", "get_rank",
    "get_world_rank_from_group_rank", "init", "release",
]  # fmt: skip

SHARE = 50  # a bucket takes so many times as long to send as one number does
LEAST, MOST = 1 << 20, 1 << 25
_FORMAT = 1
_LARGE = 1 << 22  # bytes of the message from which the bandwidth is seen
_ROUNDS, _LARGE_ROUNDS = 20, 4


def agree_on_buckets(world: Communicator, machine: str) -> None:
    """Let all processes have the size of buckets that rank 0 knows, or measure it together.

    Buckets decide in which order numbers are added up, so the size is kept: it is the same in every run.
    """
    if world.size == 1:
        return
    cache = compile_cache()
    machines = world.gather_objects(f"{machine} {cache is not None and cache.calibrated}")
    if not machines[0].endswith("True"):  # rank 0 decides for all
        return
    path = None if cache is None else calibration_path(cache.folder, "buckets", _FORMAT, *machines)
    known = _load(path) if world.rank == 0 else None
    found = int(world.gather_objects(str(known or 0))[0])
    if not found:
        found = int(world.gather_objects(str(_measured(world)))[0])
        if world.rank == 0 and path is not None and not write_checked(path, json.dumps({"bytes": found}).encode()):
            found = BUCKET_BYTES
        found = int(world.gather_objects(str(found))[0])
    world.bucket_bytes = found


def _measured(world: Communicator) -> int:
    """The size of a message for which its latency hardly matters: a power of two."""
    latency = _seconds(world, 1, _ROUNDS)
    bandwidth = _LARGE / max(_seconds(world, _LARGE // 4, _LARGE_ROUNDS) - latency, 1e-9)
    return min(MOST, max(LEAST, 1 << round(float(np.log2(SHARE * latency * bandwidth)))))


def _seconds(world: Communicator, length: int, rounds: int) -> float:
    """The time of the fastest of several all-reduces of a vector, the same on all processes."""
    x = np.ones(length, np.float32)
    best = float("inf")
    for _ in range(rounds):
        world.barrier(checked=True)
        began = time.perf_counter()
        world.all_reduce(x, "sum", checked=True)
        best = min(best, time.perf_counter() - began)
    return best


def _load(path: Path | None) -> int | None:
    """The stored size; None if there is none that can be trusted."""
    body = None if path is None else read_checked(path)
    try:
        found = int(json.loads(body or b"")["bytes"])
    except (ValueError, KeyError, TypeError):
        return None
    return found if LEAST <= found <= MOST else None


class GlobalComm:
    """The world of processes.

    Examples:
        >>> from mycel import communication
        >>> communication.GlobalComm.WORLD_COMM_GROUP
        'mccl_world_group'
    """

    BACKEND = "mccl"
    WORLD_COMM_GROUP = "mccl_world_group"
    INITED = False
    CHECK_ENVS = True


MCCL_WORLD_COMM_GROUP = GlobalComm.WORLD_COMM_GROUP
HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
_WORLD_NAMES = (WORLD, MCCL_WORLD_COMM_GROUP, HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP)
_BACKENDS = ("hccl", "nccl", "mccl")
_machines: dict[str, list[str]] = {}  # of the ranks of groups, which asking for costs a message


def group_name(group: Any) -> str:
    """The name under which a group is known: all of MindSpore's names for the world are one. TypeError for no text."""
    if group is None:
        return WORLD
    need_type(group, str, "The group should be a string or None")
    return WORLD if group in _WORLD_NAMES else group


def group_of(group: Any) -> Communicator:
    """A group of this process by its name. ValueError if there is none."""
    return JOB.group(group_name(group))


def init(backend_name: str | None = None) -> None:
    """Begin to communicate. In a program that `mpirun` did not start there is one process, and nothing to do.

    Args:
        backend_name: 'hccl', 'nccl' or 'mccl': accepted, for MPI does the work.

    Raises:
        TypeError: if the name is no string.
        RuntimeError: for another name; if several processes are asked for, but not started by `mpirun`; if mpi4py is
            missing.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> print(communication.get_rank(), communication.get_group_size())
        0 1
    """
    need_type(backend_name, str | None, "init takes the name of a backend")
    if backend_name is not None and backend_name not in _BACKENDS:
        raise RuntimeError(f"init takes one of the backends {', '.join(_BACKENDS)}, but got {backend_name!r}")
    first = not JOB.inited
    JOB.init()
    GlobalComm.INITED = True
    if first:
        world = group_of(None)
        if world.size > 1:
            _share_processors(world)
        agree_on_buckets(world, machine_name())


def _share_processors(world: Communicator) -> None:
    """Let the processes of each machine share its processors."""
    texts = world.gather_objects(f"{machine_name()} {' '.join(map(str, processors.processor_numbers()))}")
    rows = [text.split() for text in texts]
    processors.share_processors([list(map(int, row[1:])) for row in rows if row[0] == rows[world.rank][0]])


def release() -> None:
    """End communication. All processes have to do so; groups are forgotten.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.release()
    """
    JOB.release()
    _machines.clear()
    GlobalComm.INITED = False


def barrier(group: str = GlobalComm.WORLD_COMM_GROUP) -> None:
    """Wait until all processes of a group have come here.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.barrier()
    """
    group_of(group).barrier()


def get_comm_name(group: str = GlobalComm.WORLD_COMM_GROUP) -> str:
    """The name under which the library of communication knows a group.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.get_comm_name()
        'world'
    """
    return group_name(group)


def get_rank(group: str = GlobalComm.WORLD_COMM_GROUP) -> int:
    """The rank of this process in a group, from 0.

    Raises:
        RuntimeError: if `mpirun` started several processes and `init` was not called.
        ValueError: if the process is not in the group.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.get_rank()
        0
    """
    return group_of(group).rank


def get_group_size(group: str = GlobalComm.WORLD_COMM_GROUP) -> int:
    """The number of processes in a group. Errors as `get_rank`.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.get_group_size()
        1
    """
    return group_of(group).size


def machine_name() -> str:
    """The name of this machine."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")


def _machines_of(group: Any) -> list[str]:
    """The machine of each rank of a group. The first time all processes of the group have to ask."""
    found = _machines.get(group_name(group))
    if found is None:
        found = _machines[group_name(group)] = group_of(group).gather_objects(machine_name())
    return found


def get_local_rank(group: str = GlobalComm.WORLD_COMM_GROUP) -> int:
    """The rank of this process among the group's processes on its machine. Errors as `get_rank`.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.get_local_rank()
        0
    """
    names = ("MPI_LOCALRANKID", "OMPI_COMM_WORLD_LOCAL_RANK")
    return _local(group, names, lambda machines, rank: machines[:rank].count(machines[rank]))


def get_local_rank_size(group: str = GlobalComm.WORLD_COMM_GROUP) -> int:
    """The number of processes of the group on this machine. Errors as `get_rank`.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.get_local_rank_size()
        1
    """
    names = ("MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE")
    return _local(group, names, lambda machines, rank: machines.count(machines[rank]))


def _local(group: Any, names: tuple[str, str], count: Callable[[list[str], int], int]) -> int:
    """What the launcher says of this machine, without a message; else what the machines of all ranks give."""
    rank = get_rank(group)
    if group_name(group) == WORLD:
        for name in names:
            if os.environ.get(name, "").isdigit():
                return int(os.environ[name])
    return count(_machines_of(group), rank)


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """The rank in the world of a rank in a group. ValueError if there is no such rank.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.create_group("two", [0])
        >>> communication.get_world_rank_from_group_rank("two", 0)
        0
    """
    ranks = group_of(group).ranks
    need_type(group_rank_id, int, "the rank should be an int")
    if not 0 <= group_rank_id < len(ranks):
        raise ValueError(f"group '{group}' has the ranks 0 to {len(ranks) - 1}, but got rank {group_rank_id}")
    return ranks[group_rank_id]


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """The rank in a group of a rank in the world. ValueError if it is not in the group.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.create_group("one", [0])
        >>> communication.get_group_rank_from_world_rank(0, "one")
        0
    """
    ranks = group_of(group).ranks
    need_type(world_rank_id, int, "the rank should be an int")
    if world_rank_id not in ranks:
        raise ValueError(f"group '{group}' has the processes of rank {list(ranks)}, but got rank {world_rank_id}")
    return ranks.index(world_rank_id)


def get_process_group_ranks(group: str = GlobalComm.WORLD_COMM_GROUP) -> list[int]:
    """The ranks in the world of a group's processes.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.get_process_group_ranks()
        [0]
    """
    return list(group_of(group).ranks)


def create_group(group: str, rank_ids: Iterable[int], options: Any = None) -> None:
    """Make a group of processes. All its processes must call this; for others nothing happens.

    Args:
        group: its name.
        rank_ids: the ranks of its processes in the world.
        options: accepted: of one library of communication.

    Raises:
        TypeError: for a name that is no string, or ranks that are no ints.
        ValueError: for ranks that there are not, or twice, or a name that another group has.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.create_group("mine", [0])
        >>> communication.get_group_size("mine")
        1
    """
    ranks = list(rank_ids)
    if not isinstance(group, str) or not all(type(rank) is int for rank in ranks):
        raise TypeError(f"create_group takes a name and a list of ranks, but got {group!r} and {ranks}")
    if group_name(group) == WORLD:
        raise ValueError(f"'{group}' is the name of the group of all processes")
    JOB.create(group, ranks)


def destroy_group(group: str) -> None:
    """Forget a group. ValueError for the world, or where there is no such group.

    Examples:
        >>> from mycel import communication
        >>> communication.init()
        >>> communication.create_group("short", [0])
        >>> communication.destroy_group("short")
    """
    JOB.destroy(group_name(group))
    _machines.pop(group_name(group), None)
