# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel import *
from typing import Any
from mycel.library.functions.comparison import is_tensor as is_tensor
from mycel.library.initializer import filled as filled, initializer as initializer
from mycel.library.initializer.kinds import (
    Constant as Constant, Dirac as Dirac, HeNormal as HeNormal, HeUniform as HeUniform, Identity as Identity,
    Initializer as Initializer, Normal as Normal, One as One, Orthogonal as Orthogonal, Sparse as Sparse,
    TruncatedNormal as TruncatedNormal, Uniform as Uniform, VarianceScaling as VarianceScaling,
    XavierNormal as XavierNormal, XavierUniform as XavierUniform, Zero as Zero,
)
from mycel.library.log import get_log_config as get_log_config
from mycel.library.mindspore.common_names import (
    cell_attr_register as cell_attr_register, flops_collection as flops_collection, frombuffer as frombuffer,
    jit_begin as jit_begin, jit_end as jit_end, saved_tensors_hooks as saved_tensors_hooks,
    swap_tensors as swap_tensors,
)
from mycel.library.mindspore.kinds import (
    BFloat as BFloat, Bool as Bool, Complex as Complex, Float as Float, Int as Int, List as List, Number as Number,
    OtherType as OtherType, QuantDtype as QuantDtype, String as String, TensorType as TensorType, Tuple as Tuple,
    TypeNone as TypeNone, UInt as UInt, get_py_obj_dtype as get_py_obj_dtype,
    type_size_in_bytes as type_size_in_bytes,
)
from mycel.runtime.dtypes import (
    DType as DType, as_dtype as as_dtype, as_one as as_one, by_name as by_name, by_short as by_short,
    limits as limits, of_numpy as of_numpy, require_bfloat16 as require_bfloat16,
)

ALL: tuple[Any, ...]
AS_INTEGERS: str
cells_compile_cache: dict[str, Any]
float8_e4m3fn: OtherType
float8_e5m2: OtherType
hifloat8: OtherType
list_: OtherType
ms_compile_cache: Any
number: OtherType
qint4x2: OtherType
string: OtherType
tuple_: OtherType
type_none: OtherType
