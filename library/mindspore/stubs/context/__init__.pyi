# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.frontend.api.context import (
    JitConfig, get_context, set_context, set_deterministic, set_device, set_recursion_limit,
)
from mycel.library.distributed.parallel import (
    GlobalComm, Layout, ParallelMode, auto_parallel_context, barrier, create_group, destroy_group,
    get_auto_parallel_context, get_group_rank_from_world_rank, get_group_size, get_local_rank, get_local_rank_size,
    get_process_group_ranks, get_rank, get_world_rank_from_group_rank, init, release, reset_auto_parallel_context,
    set_algo_parameters, set_auto_parallel_context, shard,
)

__all__ = [
    "DATA_PARALLEL_MODES", "GRAPH_MODE", "GlobalComm", "HCCL_WORLD_COMM_GROUP", "JitConfig", "LAX", "Layout",
    "MCCL_WORLD_COMM_GROUP", "NCCL_WORLD_COMM_GROUP", "PYNATIVE_MODE", "ParallelMode", "STRICT",
    "auto_parallel_context", "barrier", "create_group", "destroy_group", "get_auto_parallel_context", "get_context",
    "get_group_rank_from_world_rank", "get_group_size", "get_local_rank", "get_local_rank_size",
    "get_process_group_ranks", "get_rank", "get_world_rank_from_group_rank", "init", "release",
    "reset_auto_parallel_context", "set_algo_parameters", "set_auto_parallel_context", "set_context",
    "set_deterministic", "set_device", "set_recursion_limit", "shard",
]

DATA_PARALLEL_MODES: tuple[Any, ...]
GRAPH_MODE: int
HCCL_WORLD_COMM_GROUP: str
LAX: int
MCCL_WORLD_COMM_GROUP: str
NCCL_WORLD_COMM_GROUP: str
PYNATIVE_MODE: int
STRICT: int
