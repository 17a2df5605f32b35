# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.common.sparse_tensor import *
from typing import Any
from mycel.frontend.values.tensor import (
    AnySize as AnySize, Tensor as Tensor, ambiguous as ambiguous, is_tensor as is_tensor,
    numbers_break as numbers_break, tensor as tensor, to_array as to_array,
)
from mycel.library.log import get_log_config as get_log_config
from mycel.library.mindspore.common_names import (
    cell_attr_register as cell_attr_register, flops_collection as flops_collection, frombuffer as frombuffer,
    jit_begin as jit_begin, jit_end as jit_end, saved_tensors_hooks as saved_tensors_hooks,
    swap_tensors as swap_tensors,
)

UNKNOWN_BASE: Any
cells_compile_cache: dict[str, Any]
ms_compile_cache: Any
