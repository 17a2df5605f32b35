# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel import *
from typing import Any
from mycel.frontend.api.jit import compile_cell as compile_cell
from mycel.library.functions.comparison import is_tensor as is_tensor
from mycel.library.log import get_log_config as get_log_config
from mycel.library.mindspore.common_names import (
    cell_attr_register as cell_attr_register, flops_collection as flops_collection, frombuffer as frombuffer,
    jit_begin as jit_begin, jit_end as jit_end, saved_tensors_hooks as saved_tensors_hooks,
    swap_tensors as swap_tensors,
)

cells_compile_cache: dict[str, Any]
ms_compile_cache: Any
from typing import Any
def __getattr__(name: str) -> Any: ...
