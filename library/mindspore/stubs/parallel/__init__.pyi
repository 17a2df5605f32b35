# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel import (
    build_searched_strategy as build_searched_strategy, load_distributed_checkpoint as load_distributed_checkpoint,
    merge_pipeline_strategys as merge_pipeline_strategys, merge_sliced_parameter as merge_sliced_parameter,
    transform_checkpoints as transform_checkpoints, unified_safetensors as unified_safetensors,
)
from mycel.library.distributed.auto_parallel import (
    AutoParallel as AutoParallel, get_ps_context as get_ps_context, launch_blocking as launch_blocking,
    reset_ps_context as reset_ps_context, set_cpu_affinity as set_cpu_affinity, set_memory as set_memory,
    set_ps_context as set_ps_context, sync_pipeline_shared_parameters as sync_pipeline_shared_parameters,
)
from mycel.library.distributed.parallel import (
    ParallelMode as ParallelMode, auto_parallel_context as auto_parallel_context, bucket_bytes as bucket_bytes,
    get_auto_parallel_context as get_auto_parallel_context, is_data_parallel as is_data_parallel,
    reset_auto_parallel_context as reset_auto_parallel_context, set_algo_parameters as set_algo_parameters,
    set_auto_parallel_context as set_auto_parallel_context, shard as shard, share_training as share_training,
)
from mycel.library.distributed.sharding import Layout as Layout
from mycel.library.mindspore.parallel_names import (
    Backend as Backend, get_algo_parameters as get_algo_parameters, reset_algo_parameters as reset_algo_parameters,
    set_cost_model_context as set_cost_model_context,
)

DATA_PARALLEL_MODES: tuple[Any, ...]
MODES: tuple[Any, ...]
UNLIMITED: str
