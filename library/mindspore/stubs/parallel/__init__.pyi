# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.distributed.auto_parallel import (
    AutoParallel, build_searched_strategy, get_ps_context, launch_blocking, load_distributed_checkpoint,
    merge_pipeline_strategys, merge_sliced_parameter, reset_ps_context, set_cpu_affinity, set_memory,
    set_ps_context, sync_pipeline_shared_parameters, transform_checkpoints, unified_safetensors,
)
from mycel.library.distributed.parallel import (
    GlobalComm, Layout, ParallelMode, auto_parallel_context, barrier, create_group, destroy_group,
    get_auto_parallel_context, get_group_rank_from_world_rank, get_group_size, get_local_rank, get_local_rank_size,
    get_process_group_ranks, get_rank, get_world_rank_from_group_rank, init, release, reset_auto_parallel_context,
    set_algo_parameters, set_auto_parallel_context, shard,
)
from mycel.library.mindspore.parallel_names import (
    Backend, get_algo_parameters, reset_algo_parameters, set_cost_model_context,
)

__all__ = [
    "AutoParallel", "Backend", "DATA_PARALLEL_MODES", "GlobalComm", "HCCL_WORLD_COMM_GROUP", "Layout",
    "MCCL_WORLD_COMM_GROUP", "MODES", "NCCL_WORLD_COMM_GROUP", "ParallelMode", "UNLIMITED", "auto_parallel_context",
    "barrier", "build_searched_strategy", "create_group", "destroy_group", "get_algo_parameters",
    "get_auto_parallel_context", "get_group_rank_from_world_rank", "get_group_size", "get_local_rank",
    "get_local_rank_size", "get_process_group_ranks", "get_ps_context", "get_rank", "get_world_rank_from_group_rank",
    "init", "launch_blocking", "load_distributed_checkpoint", "merge_pipeline_strategys", "merge_sliced_parameter",
    "release", "reset_algo_parameters", "reset_auto_parallel_context", "reset_ps_context", "set_algo_parameters",
    "set_auto_parallel_context", "set_cost_model_context", "set_cpu_affinity", "set_memory", "set_ps_context", "shard",
    "sync_pipeline_shared_parameters", "transform_checkpoints", "unified_safetensors",
]

DATA_PARALLEL_MODES: tuple[Any, ...]
HCCL_WORLD_COMM_GROUP: str
MCCL_WORLD_COMM_GROUP: str
MODES: tuple[Any, ...]
NCCL_WORLD_COMM_GROUP: str
UNLIMITED: str
