"""Dtype names: those of MindSpore, as in `mycel.float32` and `mindspore.common.dtype`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .tensor import Tensor

half, single, double = float16, float32, float64
short, long, int_, uint, float_ = int16, int64, int64, uint32, float32
byte, ubyte, intc, uintc, intp, uintp, ushort = int8, uint8, int32, uint32, int64, uint64, uint16
cfloat, cdouble = complex64, complex128
int = int32
float = float32
bool = bool_
Type = DType
tensor_type = Tensor
number_type = tuple(dtype for dtype in dtypes.ALL if not dtype.is_bool)
int_type = (int8, int16, int32, int64)
uint_type = (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64, bfloat16)
complex_type = (complex64, complex128)
signed_type = (*int_type, float16, float32, float64, bfloat16, *complex_type)
all_types = (bool_, *number_type)


def dtype_to_nptype(type_: DType) -> type[Any]:
    """The NumPy scalar type of a dtype. TypeError if it is none.

    Examples:
        >>> import mycel as ms
        >>> ms.dtype_to_nptype(ms.float32)
        <class 'numpy.float32'>
    """
    if not isinstance(type_, DType):
        raise TypeError(f"dtype_to_nptype takes a dtype, but got {type_!r}")
    return as_dtype(type_).np.type


def dtype_to_pytype(type_: DType) -> type[Any]:
    """The Python type of a dtype's numbers: bool, int, float or complex.

    Examples:
        >>> import mycel as ms
        >>> ms.dtype_to_pytype(ms.float32)
        <class 'float'>
    """
    return {"b": np.bool_(True).item().__class__, "i": (0).__class__, "u": (0).__class__, "f": (0.0).__class__,
            "c": (0j).__class__}[type_.kind]  # fmt: skip


_PYTHON_TYPES: dict[Any, DType] = {np.bool_(0).item().__class__: bool_, (0).__class__: int64, (0.0).__class__: float64}


def pytype_to_dtype(obj: Any) -> DType:
    """The dtype for a Python or NumPy type. NotImplementedError if there is none.

    Examples:
        >>> import mycel as ms
        >>> ms.pytype_to_dtype(float)
        mindspore.float64
    """
    try:
        return _PYTHON_TYPES[obj] if obj in _PYTHON_TYPES else as_dtype(obj)
    except TypeError:
        raise NotImplementedError(f"there is no dtype for the type {obj!r}") from None


def get_py_obj_dtype(obj: Any) -> DType:
    """The dtype of a tensor, a number or a NumPy value. TypeError if it has none."""
    if isinstance(obj, (DType, Tensor)):
        return obj if isinstance(obj, DType) else obj.dtype
    return pytype_to_dtype(getattr(obj, "dtype", None) or type(obj))


def issubclass_(type_: Any, dtype: Any) -> Any:
    """Whether a dtype is `dtype`, or one of the tuple `dtype`."""
    return type_ in dtype if isinstance(dtype, tuple) else type_ is dtype


__all__ = [
    "DType", "Type", "all_types", "bfloat16", "bool", "bool_", "byte", "cdouble", "cfloat", "complex64", "complex128",
    "complex_type", "double", "dtype_to_nptype", "dtype_to_pytype", "float", "float16", "float32", "float64",
    "float_", "float_type", "get_py_obj_dtype", "half", "int", "int8", "int16", "int32", "int64", "int_", "int_type",
    "intc", "intp", "issubclass_", "long", "number_type", "pytype_to_dtype", "short", "signed_type", "single",
    "tensor_type", "ubyte", "uint", "uint8", "uint16", "uint32", "uint64", "uint_type", "uintc", "uintp", "ushort",
]  # fmt: skip
