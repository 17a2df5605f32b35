# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.frontend.values.parameter import _Layouts
from typing import Any
from mycel.frontend.values.parameter import (
    Parameter, ParameterTuple, as_value, check_assignable, owning, replace_data, stand_in,
)
from mycel.library.mindspore.common_names import (
    cell_attr_register, flops_collection, jit_begin, jit_end, saved_tensors_hooks,
)
from mycel.library.mindspore.parallel_names import (
    Backend, get_algo_parameters, get_ps_context, reset_algo_parameters, reset_ps_context, set_cost_model_context,
    set_ps_context,
)

__all__ = [
    "Backend", "Layouts", "Parameter", "ParameterTuple", "as_value", "cell_attr_register", "cells_compile_cache",
    "check_assignable", "flops_collection", "get_algo_parameters", "get_ps_context", "jit_begin", "jit_end",
    "ms_compile_cache", "owning", "replace_data", "reset_algo_parameters", "reset_ps_context", "saved_tensors_hooks",
    "set_cost_model_context", "set_ps_context", "stand_in",
]

Layouts: _Layouts
cells_compile_cache: dict[str, Any]
ms_compile_cache: Any
