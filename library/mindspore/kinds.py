"""MindSpore's types of types (`mindspore._c_expression.typing`), and dtypes that no mycel tensor has."""

from __future__ import annotations

import enum
from typing import Any

from ...frontend.values.dtype_names import DType, number_type, pytype_to_dtype
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes

__all__ = [
    "BFloat", "Bool", "Complex", "Float", "Int", "List", "Number", "QuantDtype", "String", "TensorType", "Tuple",
    "TypeNone", "UInt", "float8_e4m3fn", "float8_e5m2", "get_py_obj_dtype", "hifloat8",
    "list_", "number", "qint4x2", "string", "tuple_", "type_none",
]  # fmt: skip


class _Kind(type):
    """A type whose instances are the dtypes of some kinds; called with a number of bits it gives the dtype."""

    letters: str
    name: str

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, DType) and value.kind in cls.letters and (value.name == "BFloat16") == cls._brain

    def __call__(cls, bits: int | None = None) -> Any:
        if bits is None:
            return cls
        for dtype in dtypes.ALL:
            if isinstance(dtype, cls) and dtype.bits == bits:
                return dtype
        raise ValueError(f"there is no dtype {cls.name}{bits}")

    @property
    def _brain(cls) -> bool:
        return cls.name == "bfloat"

    def __repr__(cls) -> str:
        return f"mindspore.{cls.name}"


class Float(metaclass=_Kind):
    """The floating-point dtypes, without BFloat16."""

    letters, name = "f", "float"


class BFloat(metaclass=_Kind):
    """BFloat16."""

    letters, name = "f", "bfloat"


class Int(metaclass=_Kind):
    """The signed integers."""

    letters, name = "i", "int"


class UInt(metaclass=_Kind):
    """The unsigned integers."""

    letters, name = "u", "uint"


class Bool(metaclass=_Kind):
    """Bool."""

    letters, name = "b", "bool"


class Complex(metaclass=_Kind):
    """The complex dtypes."""

    letters, name = "c", "complex"


class _Numbers(_Kind):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, DType) and (value in number_type or value.is_bool)


class Number(metaclass=_Numbers):
    """All dtypes."""

    letters, name = "biufc", "number"


class _OfValues(type):
    """A type of which the classes of values, and what `typeof` gives for them, are instances."""

    values: tuple[type, ...]

    def __instancecheck__(cls, value: Any) -> bool:
        if isinstance(value, type):
            return issubclass(value, cls.values)
        return isinstance(value, cls.values) or type.__instancecheck__(cls, value)


class TensorType(metaclass=_OfValues):
    """The type of tensors. `ops.typeof` gives the dtype of a tensor, which counts as one."""

    values = (Tensor, DType)


class Tuple(metaclass=_OfValues):
    """The type of tuples."""

    values = (tuple,)


class List(metaclass=_OfValues):
    """The type of lists."""

    values = (list,)


class String(metaclass=_OfValues):
    """The type of strings."""

    values = (str,)


class TypeNone(metaclass=_OfValues):
    """The type of None."""

    values = (type(None),)


class OtherType:
    """A dtype of MindSpore's that no tensor of mycel can have: making a tensor of it raises a TypeError."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"mindspore.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return OtherType, (self.name,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OtherType) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


float8_e4m3fn, float8_e5m2, hifloat8 = OtherType("float8_e4m3fn"), OtherType("float8_e5m2"), OtherType("hifloat8")
qint4x2, number = OtherType("int4"), OtherType("number")
string, list_, tuple_, type_none = OtherType("string_"), OtherType("list_"), OtherType("tuple_"), OtherType("type_none")
_null = OtherType("Null")
_OTHERS: dict[Any, OtherType] = {str: string, list: list_, tuple: tuple_, type(None): type_none}


def get_py_obj_dtype(obj: Any) -> Any:
    """The type of a tensor, or the dtype of a Python value or type.

    Raises:
        NotImplementedError: if there is none.
    """
    kind = obj if isinstance(obj, type) else type(obj)
    return TensorType if isinstance(obj, Tensor) else _OTHERS.get(kind) or pytype_to_dtype(kind)


class QuantDtype(enum.Enum):
    """Widths of quantised numbers, `INT1` to `INT16` and `UINT1` to `UINT16`."""

    INT1, INT2, INT3, INT4, INT5, INT6, INT7, INT8, INT9, INT10, INT11, INT12, INT13, INT14, INT15, INT16 = range(16)
    UINT1, UINT2, UINT3, UINT4, UINT5, UINT6, UINT7, UINT8 = range(100, 108)
    UINT9, UINT10, UINT11, UINT12, UINT13, UINT14, UINT15, UINT16 = range(108, 116)

    def __str__(self) -> str:
        return str(self.name)

    def value(self) -> int:  # type: ignore[override]
        """The number that stands for the width in files."""
        return int(self._value_)


def type_size_in_bytes(dtype: DType) -> int:
    """The number of bytes of one element."""
    return max(1, dtype.bits // 8)
