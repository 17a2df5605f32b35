# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.frontend.values.dtype_names import (
    dtype_to_nptype, dtype_to_pytype, get_py_obj_dtype, issubclass_, pytype_to_dtype,
)
from mycel.frontend.values.tensor import Tensor as tensor_type
from mycel.library.mindspore.kinds import (
    BFloat, Bool, Complex, Float, Int, List, Number, OtherType, QuantDtype, String, TensorType, Tuple, TypeNone,
    UInt, type_size_in_bytes,
)
from mycel.runtime.dtypes import DType, DType as Type

__all__ = [
    "BFloat", "Bool", "Complex", "DType", "Float", "Int", "List", "Number", "OtherType", "QuantDtype", "String",
    "TensorType", "Tuple", "Type", "TypeNone", "UInt", "all_types", "bfloat16", "bool", "bool_", "byte", "cdouble",
    "cfloat", "complex128", "complex64", "complex_type", "double", "dtype_to_nptype", "dtype_to_pytype", "float",
    "float16", "float32", "float64", "float8_e4m3fn", "float8_e5m2", "float_", "float_type", "get_py_obj_dtype", "half",
    "hifloat8", "int", "int16", "int32", "int64", "int8", "int_", "int_type", "intc", "intp", "issubclass_", "list_",
    "long", "number", "number_type", "pytype_to_dtype", "qint4x2", "short", "signed_type", "single", "string",
    "tensor_type", "tuple_", "type_none", "type_size_in_bytes", "ubyte", "uint", "uint16", "uint32", "uint64", "uint8",
    "uint_type", "uintc", "uintp", "ushort",
]

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
