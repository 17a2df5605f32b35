# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.frontend.api.context import (
    JitConfig as JitConfig, get_context as get_context, set_context as set_context,
    set_deterministic as set_deterministic, set_device as set_device, set_recursion_limit as set_recursion_limit,
)
from mycel.library.distributed.parallel import (
    ParallelMode as ParallelMode, auto_parallel_context as auto_parallel_context, bucket_bytes as bucket_bytes,
    get_auto_parallel_context as get_auto_parallel_context, is_data_parallel as is_data_parallel,
    reset_auto_parallel_context as reset_auto_parallel_context, set_algo_parameters as set_algo_parameters,
    set_auto_parallel_context as set_auto_parallel_context, shard as shard, share_training as share_training,
)
from mycel.library.distributed.sharding import Layout as Layout
from mycel.library.mindspore.parallel_names import (
    Backend as Backend, get_algo_parameters as get_algo_parameters, get_ps_context as get_ps_context,
    reset_algo_parameters as reset_algo_parameters, reset_ps_context as reset_ps_context,
    set_cost_model_context as set_cost_model_context, set_ps_context as set_ps_context,
)
from mycel.library.mindspore.switches import (
    disable_multi_thread as disable_multi_thread, is_reboot_node as is_reboot_node,
    np_dtype_valid as np_dtype_valid, tensor_to_np_type as tensor_to_np_type,
    update_pijit_default_config as update_pijit_default_config,
)
from mycel.library.train.internal_names import (
    AmpLevel as AmpLevel, FlopsUtilizationCollector as FlopsUtilizationCollector, OnRequestExit as OnRequestExit,
    check_value_type as check_value_type, get_parameter_redundancy as get_parameter_redundancy,
    remove_param_redundancy as remove_param_redundancy, set_cur_net as set_cur_net,
)

AMP_BLACK_LIST: list[Any]
AMP_WHITE_LIST: list[Any]
DATA_PARALLEL_MODES: tuple[Any, ...]
GRAPH_MODE: int
LAX: int
PYNATIVE_MODE: int
STRICT: int
tensor_to_ms_type: dict[str, Any]
