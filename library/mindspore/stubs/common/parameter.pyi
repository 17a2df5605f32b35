# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.frontend.values.parameter import _Layouts
from typing import Any
from mycel.frontend.values.parameter import (
    Parameter as Parameter, ParameterTuple as ParameterTuple, as_value as as_value,
    check_assignable as check_assignable, owning as owning, replace_data as replace_data, stand_in as stand_in,
    update_data as update_data,
)
from mycel.library.functions.comparison import is_tensor as is_tensor
from mycel.library.log import get_log_config as get_log_config
from mycel.library.mindspore.common_names import (
    cell_attr_register as cell_attr_register, flops_collection as flops_collection, frombuffer as frombuffer,
    jit_begin as jit_begin, jit_end as jit_end, saved_tensors_hooks as saved_tensors_hooks,
    swap_tensors as swap_tensors,
)
from mycel.library.mindspore.parallel_names import (
    Backend as Backend, get_algo_parameters as get_algo_parameters, get_ps_context as get_ps_context,
    reset_algo_parameters as reset_algo_parameters, reset_ps_context as reset_ps_context,
    set_cost_model_context as set_cost_model_context, set_ps_context as set_ps_context,
)

Layouts: _Layouts
cells_compile_cache: dict[str, Any]
ms_compile_cache: Any
