"""Element types: one `DType` object for each of MindSpore's dtypes, tied to the NumPy dtype that holds it."""

from __future__ import annotations

from typing import Any

import numpy as np


class DType:
    """An element type. `str()` gives MindSpore's name (`Float32`), `repr()` the name with the package that
    MindSpore shows (`mindspore.float32`), and `short` the name in the IR (`f32`).

    Attributes:
        is_float: whether values are real floating-point numbers.
        is_half: whether they are 16-bit floats. Their sums and counts are computed in float32.
        is_complex: whether they are complex numbers.
        is_integer: whether they are signed or unsigned integers. Bool is no integer.
        is_bool: whether they are booleans.

    Examples:
        >>> import mycel as ms
        >>> print(ms.float32, repr(ms.float32), ms.float32.is_float)
        Float32 mindspore.float32 True
    """

    __slots__ = (
        "bits", "is_bool", "is_complex", "is_float", "is_half", "is_integer", "kind", "name", "np", "numpy_name",
        "short",
    )  # fmt: skip

    def __init__(self, name: str, short: str, numpy_name: str, kind: str, bits: int) -> None:
        self.name = name
        self.short = short
        self.kind = kind  # b: bool, i: signed, u: unsigned, f: float, c: complex
        self.bits = bits
        self.np: np.dtype[Any] = np.dtype(numpy_name) if numpy_name else np.dtype(object)
        self.numpy_name: str = self.np.name  # NumPy makes this text again at each access
        self.is_float = kind == "f"
        self.is_half = kind == "f" and bits == 16
        self.is_complex = kind == "c"
        self.is_integer = kind in "iu"
        self.is_bool = kind == "b"

    is_floating_point = property(lambda self: self.is_float)
    is_signed = property(lambda self: self.kind in "ifc")
    itemsize = property(lambda self: self.bits // 8)

    def to_complex(self) -> DType:
        """The complex dtype whose parts are of this one. TypeError if there is none."""
        found = _COMPLEX.get(self.name)
        if found is None:
            raise TypeError(f"there is no complex dtype for {self}")
        return found

    def to_real(self) -> DType:
        """The dtype of the parts of complex numbers; of others the dtype itself."""
        return next((by_name(name) for name in ("Float32", "Float64") if _COMPLEX[name] is self), self)

    def __repr__(self) -> str:
        return f"mindspore.{self.name.lower()}"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return by_name, (self.name,)

    def __deepcopy__(self, memo: object) -> DType:
        return self


bool_ = DType("Bool", "bool", "bool", "b", 8)
int8 = DType("Int8", "i8", "int8", "i", 8)
int16 = DType("Int16", "i16", "int16", "i", 16)
int32 = DType("Int32", "i32", "int32", "i", 32)
int64 = DType("Int64", "i64", "int64", "i", 64)
uint8 = DType("UInt8", "u8", "uint8", "u", 8)
uint16 = DType("UInt16", "u16", "uint16", "u", 16)
uint32 = DType("UInt32", "u32", "uint32", "u", 32)
uint64 = DType("UInt64", "u64", "uint64", "u", 64)
float16 = DType("Float16", "f16", "float16", "f", 16)
float32 = DType("Float32", "f32", "float32", "f", 32)
float64 = DType("Float64", "f64", "float64", "f", 64)
bfloat16 = DType("BFloat16", "bf16", "", "f", 16)
complex64 = DType("Complex64", "c64", "complex64", "c", 64)
complex128 = DType("Complex128", "c128", "complex128", "c", 128)

ALL = (bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, bfloat16,
       complex64, complex128)  # fmt: skip
_COMPLEX = {"Float32": complex64, "Float64": complex128, "BFloat16": complex64} | {
    dtype.name: dtype for dtype in (complex64, complex128)
}
_BY_NAME = {dtype.name: dtype for dtype in ALL}
_BY_SHORT = {dtype.short: dtype for dtype in ALL}
_BY_NUMPY = {dtype.np: dtype for dtype in ALL if dtype.np != np.dtype(object)}


def by_name(name: str) -> DType:
    """The dtype that MindSpore prints as `name`."""
    return _BY_NAME[name]


def by_short(short: str) -> DType:
    """The dtype that the IR prints as `short`."""
    return _BY_SHORT[short]


def of_numpy(numpy_dtype: Any) -> DType:
    """The dtype of NumPy arrays of `numpy_dtype`; TypeError if MindSpore has no such type."""
    found = _BY_NUMPY.get(numpy_dtype)
    if found is None:
        found = _BY_NUMPY.get(np.dtype(numpy_dtype))
    if found is None:
        if np.dtype(numpy_dtype).name == "bfloat16":
            require_bfloat16()
            return bfloat16
        native = np.dtype(numpy_dtype).newbyteorder("=")
        hint = (
            f": write .astype(np.{native.name}), whose bytes are in this machine's order" if native in _BY_NUMPY else ""
        )
        raise TypeError(f"tensors of NumPy dtype '{np.dtype(numpy_dtype)}' are not supported{hint}")
    return found


AS_INTEGERS = ": write .astype(mycel.int32)"
"""For the end of messages about floating-point numbers in place of integers."""


def as_one(a: DType, b: DType) -> str:
    """The dtype to cast to where two dtypes meet, as the end of an error message."""
    if not (a.is_float and b.is_float):
        return ": cast one of them, with .astype"
    wide, narrow = (a, b) if a.bits > b.bits else (b, a)
    origin = ", which is what NumPy makes of floats" if wide is float64 else ""
    return f": cast the one of {wide}{origin}, with .astype(mycel.{narrow.name.lower()})"


def require_bfloat16() -> None:
    """Bind bfloat16 to its NumPy type from the package ml_dtypes. The error says how to install it."""
    if bfloat16.np != np.dtype(object):
        return
    try:
        import ml_dtypes
    except ImportError as error:
        raise ImportError("bfloat16 tensors need the package 'ml_dtypes': pip install mycel-graph[bfloat16]") from error
    bfloat16.np = np.dtype(ml_dtypes.bfloat16)
    _BY_NUMPY[bfloat16.np] = bfloat16


def limits(dtype: DType) -> Any:
    """NumPy's `finfo` of a floating-point dtype (`eps`, `tiny`, `max` …), for bfloat16 too."""
    if dtype is bfloat16:
        require_bfloat16()
        import ml_dtypes

        finfo: Any = ml_dtypes.finfo
        return finfo(ml_dtypes.bfloat16)
    return np.finfo(dtype.np)


def as_dtype(value: Any) -> DType:
    """`value` as a DType: a DType itself, a Python type (int is Int64, float is Float32), or anything NumPy names
    so."""
    if isinstance(value, DType):
        if value is bfloat16:
            require_bfloat16()
        return value
    if value is bool:
        return bool_
    if value is int:
        return int64
    if value is float:
        return float32
    if value is complex:
        return complex128
    if isinstance(value, str) and value in _BY_NAME:
        return as_dtype(_BY_NAME[value])
    if isinstance(value, str) and value.lower() == "bfloat16":
        return as_dtype(bfloat16)
    try:
        return of_numpy(value)
    except TypeError:
        raise TypeError(f"'dtype' should be a mindspore dtype such as mindspore.float32, but got {value!r}") from None
