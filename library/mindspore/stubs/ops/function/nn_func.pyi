# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.ops import *
from typing import Any
from mycel.library.functions.attention_forward import multi_head_attention_forward as multi_head_attention_forward
from mycel.library.functions.nn_conv import dense as _linear
from mycel.library.mindspore.kernel_info import (
    AiCPURegOp as AiCPURegOp, CpuRegOp as CpuRegOp, CustomRegOp as CustomRegOp, DataType as DataType,
    RegOp as RegOp, TBERegOp as TBERegOp, custom_info_register as custom_info_register,
    op_info_register as op_info_register,
)
from mycel.library.mindspore.operations import *
from mycel.library.nn.fractional import (
    FractionalMaxPool2d as FractionalMaxPool2d, FractionalMaxPool3d as FractionalMaxPool3d,
)
linear = _linear

def in_dict(key: Any, container: Any) -> Any: ...

def move_to(input: Any, to: Any = 'CPU', blocking: Any = True) -> Any: ...

def not_in_dict(key: Any, container: Any) -> Any: ...

def tuple_reversed(items: Any) -> Any: ...
