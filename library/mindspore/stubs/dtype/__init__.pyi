# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.frontend.values.dtype_names import (
    dtype_to_nptype as dtype_to_nptype, dtype_to_pytype as dtype_to_pytype, get_py_obj_dtype as get_py_obj_dtype,
    issubclass_ as issubclass_, pytype_to_dtype as pytype_to_dtype,
)
from mycel.frontend.values.tensor import Tensor as _tensor_type
from mycel.library.mindspore.kinds import (
    BFloat as BFloat, Bool as Bool, Complex as Complex, Float as Float, Int as Int, List as List, Number as Number,
    OtherType as OtherType, QuantDtype as QuantDtype, String as String, TensorType as TensorType, Tuple as Tuple,
    TypeNone as TypeNone, UInt as UInt, type_size_in_bytes as type_size_in_bytes,
)
from mycel.runtime.dtypes import DType as DType, DType as _Type
tensor_type = _tensor_type
Type = _Type

all_types: tuple[Any, ...]
bfloat16: DType
bool: DType
bool_: DType
byte: DType
cdouble: DType
cfloat: DType
complex128: DType
complex64: DType
complex_type: tuple[Any, ...]
double: DType
float: DType
float16: DType
float32: DType
float64: DType
float8_e4m3fn: OtherType
float8_e5m2: OtherType
float_: DType
float_type: tuple[Any, ...]
half: DType
hifloat8: OtherType
int: DType
int16: DType
int32: DType
int64: DType
int8: DType
int_: DType
int_type: tuple[Any, ...]
intc: DType
intp: DType
list_: OtherType
long: DType
number: OtherType
number_type: tuple[Any, ...]
qint4x2: OtherType
short: DType
signed_type: tuple[Any, ...]
single: DType
string: OtherType
tuple_: OtherType
type_none: OtherType
ubyte: DType
uint: DType
uint16: DType
uint32: DType
uint64: DType
uint8: DType
uint_type: tuple[Any, ...]
uintc: DType
uintp: DType
ushort: DType
