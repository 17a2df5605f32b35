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
from mycel.library.mindspore.parallel_names import (
    Backend, get_algo_parameters, get_ps_context, reset_algo_parameters, reset_ps_context, set_cost_model_context,
    set_ps_context,
)
from mycel.library.train.internal_names import (
    FlopsUtilizationCollector, OnRequestExit, check_value_type, get_parameter_redundancy, remove_param_redundancy,
    set_cur_net,
)

__all__ = [
    "AMP_BLACK_LIST", "AMP_WHITE_LIST", "Backend", "DATA_PARALLEL_MODES", "FlopsUtilizationCollector", "GRAPH_MODE",
    "GlobalComm", "HCCL_WORLD_COMM_GROUP", "JitConfig", "LAX", "Layout", "MCCL_WORLD_COMM_GROUP",
    "NCCL_WORLD_COMM_GROUP", "OnRequestExit", "PYNATIVE_MODE", "ParallelMode", "STRICT", "auto_parallel_context",
    "barrier", "check_value_type", "create_group", "destroy_group", "get_algo_parameters", "get_auto_parallel_context",
    "get_context", "get_group_rank_from_world_rank", "get_group_size", "get_local_rank", "get_local_rank_size",
    "get_parameter_redundancy", "get_process_group_ranks", "get_ps_context", "get_rank",
    "get_world_rank_from_group_rank", "init", "release", "remove_param_redundancy", "reset_algo_parameters",
    "reset_auto_parallel_context", "reset_ps_context", "set_algo_parameters", "set_auto_parallel_context",
    "set_context", "set_cost_model_context", "set_cur_net", "set_deterministic", "set_device", "set_ps_context",
    "set_recursion_limit", "shard",
]

AMP_BLACK_LIST: list[Any]
AMP_WHITE_LIST: list[Any]
DATA_PARALLEL_MODES: tuple[Any, ...]
GRAPH_MODE: int
HCCL_WORLD_COMM_GROUP: str
LAX: int
MCCL_WORLD_COMM_GROUP: str
NCCL_WORLD_COMM_GROUP: str
PYNATIVE_MODE: int
STRICT: int
