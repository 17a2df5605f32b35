# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.distributed.auto_parallel import (
    AutoParallel, build_searched_strategy, get_ps_context, launch_blocking, load_distributed_checkpoint,
    merge_pipeline_strategys, merge_sliced_parameter, reset_ps_context, set_cpu_affinity, set_memory,
    set_ps_context, sync_pipeline_shared_parameters, transform_checkpoints, unified_safetensors,
)
from mycel.library.distributed.parallel import (
    Layout, ParallelMode, auto_parallel_context, bucket_bytes, get_auto_parallel_context, is_data_parallel,
    reset_auto_parallel_context, set_algo_parameters, set_auto_parallel_context, shard,
)
from mycel.library.mindspore.parallel_names import (
    Backend, get_algo_parameters, reset_algo_parameters, set_cost_model_context,
)

__all__ = [
    "AutoParallel", "Backend", "DATA_PARALLEL_MODES", "Layout", "MODES", "ParallelMode", "UNLIMITED",
    "auto_parallel_context", "bucket_bytes", "build_searched_strategy", "get_algo_parameters",
    "get_auto_parallel_context", "get_ps_context", "is_data_parallel", "launch_blocking", "load_distributed_checkpoint",
    "merge_pipeline_strategys", "merge_sliced_parameter", "reset_algo_parameters", "reset_auto_parallel_context",
    "reset_ps_context", "set_algo_parameters", "set_auto_parallel_context", "set_cost_model_context",
    "set_cpu_affinity", "set_memory", "set_ps_context", "shard", "sync_pipeline_shared_parameters",
    "transform_checkpoints", "unified_safetensors",
]

DATA_PARALLEL_MODES: tuple[Any, ...]
MODES: tuple[Any, ...]
UNLIMITED: str
