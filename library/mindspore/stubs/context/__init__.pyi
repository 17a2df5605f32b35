# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.frontend.api.context import (
    JitConfig, get_context, set_context, set_deterministic, set_device, set_recursion_limit,
)
from mycel.library.distributed.parallel import (
    Layout, ParallelMode, auto_parallel_context, bucket_bytes, get_auto_parallel_context, is_data_parallel,
    reset_auto_parallel_context, set_algo_parameters, set_auto_parallel_context, shard,
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
    "JitConfig", "LAX", "Layout", "OnRequestExit", "PYNATIVE_MODE", "ParallelMode", "STRICT", "auto_parallel_context",
    "bucket_bytes", "check_value_type", "get_algo_parameters", "get_auto_parallel_context", "get_context",
    "get_parameter_redundancy", "get_ps_context", "is_data_parallel", "remove_param_redundancy",
    "reset_algo_parameters", "reset_auto_parallel_context", "reset_ps_context", "set_algo_parameters",
    "set_auto_parallel_context", "set_context", "set_cost_model_context", "set_cur_net", "set_deterministic",
    "set_device", "set_ps_context", "set_recursion_limit", "shard",
]

AMP_BLACK_LIST: list[Any]
AMP_WHITE_LIST: list[Any]
DATA_PARALLEL_MODES: tuple[Any, ...]
GRAPH_MODE: int
LAX: int
PYNATIVE_MODE: int
STRICT: int
