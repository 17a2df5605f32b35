# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.distributed.comm_func import (
    CommHandle, all_gather_into_tensor, all_reduce, barrier, broadcast, check_reduction, gather_into_tensor,
    group_rank, handle_of, irecv, isend, recv, reduce, reduce_scatter_tensor, scatter_tensor, send, split_rows,
)
from mycel.library.distributed.communication import (
    GlobalComm, create_group, destroy_group, get_comm_name, get_group_rank_from_world_rank, get_group_size,
    get_local_rank, get_local_rank_size, get_process_group_ranks, get_rank, get_world_rank_from_group_rank,
    group_name, group_of, init, machine_name, release,
)

__all__ = [
    "CommHandle", "GlobalComm", "HCCL_WORLD_COMM_GROUP", "MCCL_WORLD_COMM_GROUP", "NCCL_WORLD_COMM_GROUP", "REDUCTIONS",
    "WORLD", "all_gather_into_tensor", "all_reduce", "barrier", "broadcast", "check_reduction", "create_group",
    "destroy_group", "gather_into_tensor", "get_comm_name", "get_group_rank_from_world_rank", "get_group_size",
    "get_local_rank", "get_local_rank_size", "get_process_group_ranks", "get_rank", "get_world_rank_from_group_rank",
    "group_name", "group_of", "group_rank", "handle_of", "init", "irecv", "isend", "machine_name", "recv", "reduce",
    "reduce_scatter_tensor", "release", "scatter_tensor", "send", "split_rows",
]

HCCL_WORLD_COMM_GROUP: str
MCCL_WORLD_COMM_GROUP: str
NCCL_WORLD_COMM_GROUP: str
REDUCTIONS: tuple[Any, ...]
WORLD: str
