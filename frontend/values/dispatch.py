"""Op dispatch and type promotion: an op runs at once or is recorded; mixed operands get a common dtype."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.graph import infer_types
from ...compiler.ir.op import Op
from ...compiler.ir.types import TensorType
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..errors.out_of_memory import of_op
from ..state import CONTEXT, STATE
from .mutable import NUMBERS
from .tensor import Tensor, _new
from .traced_tensor import TracedTensor, wrap

Number = (bool, int, float, complex)


def apply(op: Op, *operands: Any, **attrs: Any) -> Any:
    """Apply an op to tensors and Python numbers, which take the dtype of the tensors. Returns a tensor, or a tuple of
    them.

    Operands must already have dtypes that the op accepts; `promote` casts them.
    """
    trace = STATE.trace
    if trace is not None:
        return trace.apply(op, operands, attrs)
    if STATE.tape is not None:
        return STATE.tape.apply(op, operands, attrs)
    return run(op, operands, attrs)


def run(op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Run an op's kernel now."""
    arrays = []
    dtype = None
    shared = False
    for item in operands:
        if isinstance(item, Tensor):
            array = item._data
            if dtype is None or dtype.kind == "b":
                dtype = array.dtype
            shared = shared or item._shares or type(item) is not Tensor
            arrays.append(array)
        else:
            arrays.append(item)
    if shared and any(getattr(item, "_layout", None) for item in operands):
        raise RuntimeError(
            f"'{op.name}' runs eagerly on a Parameter of which this process has a part: in 'semi_auto_parallel' use "
            "it in a compiled function, or a Cell in graph mode (set_context(mode=GRAPH_MODE))"
        )
    for position, array in enumerate(arrays):
        if not isinstance(array, np.ndarray):
            if not isinstance(array, (*Number, np.generic)):  # NumPy takes None for nan
                found = f"the string {array!r}" if isinstance(array, str) else repr(array)
                raise TypeError(f"{op.name}: a number is expected, but got {found}")
            arrays[position] = np.asarray(array, dtype)
    check(op, arrays, attrs)
    try:
        if op.kind == "view":  # computes nothing
            result = op.kernel(*arrays, **attrs)
        else:
            with np.errstate(all="ignore"):
                result = op.kernel(*arrays, **attrs)
    except MemoryError as error:
        raise of_op(error, op.name) from None
    if CONTEXT.debug_nans:
        from .nonfinite import check_op  # late: few programs check

        check_op(op, arrays, attrs, result)
    if shared and op.kind == "view":
        result = result.copy()  # what is updated in place shares its memory with no other tensor
    if type(result) is np.ndarray:
        tensor: Tensor = _new(Tensor)
        tensor._data = result
        return tensor
    if isinstance(result, tuple):
        return tuple(map(Tensor._wrap, result))
    return None if result is None else Tensor._wrap(result)


_CHECKED: dict[Any, None] = {}


def check(op: Op, arrays: list[np.ndarray], attrs: Mapping[str, Any]) -> None:
    """Run type inference for its errors, once for each op, types and attributes."""
    try:
        key = (op.name, *[(array.dtype, array.shape) for array in arrays], *attrs.items())
        if key in _CHECKED:
            return
    except TypeError:  # an attribute that has no hash
        key = None
    types = [TensorType(dtypes.of_numpy(array.dtype), array.shape) for array in arrays]
    infer_types(op, types, attrs)
    if key is not None:
        if len(_CHECKED) > 20_000:
            _CHECKED.clear()
        try:
            _CHECKED[key] = None
        except TypeError:
            return


def type_of(value: Any) -> TensorType:
    """The type of a tensor, traced or not."""
    return value._type


def is_weak(value: Any) -> bool:
    """Whether `value` is a Python number (also a run-time one), whose dtype adapts to tensors."""
    return isinstance(value, Number) or (isinstance(value, TracedTensor) and value._number is not None)


def promoted_dtype(a: DType, b: DType) -> DType:
    """The dtype of an operation on tensors of dtypes a and b. TypeError if MindSpore has no common type."""
    if a is b:
        return a
    found = _PROMOTED.get((a, b))
    if found is None:
        found = _PROMOTED[a, b] = _promoted(a, b)
    return found


_PROMOTED: dict[tuple[DType, DType], DType] = {}


def _promoted(a: DType, b: DType) -> DType:
    if a.is_bool:
        return b
    if b.is_bool:
        return a
    if a.is_complex or b.is_complex:
        wide = {dtypes.complex128, dtypes.float64}
        return dtypes.complex128 if a in wide or b in wide else dtypes.complex64
    if a.is_float and b.is_float:
        if a.bits == b.bits:
            return dtypes.float32  # float16 with bfloat16
        return a if a.bits > b.bits else b
    if a.is_float or b.is_float:
        return a if a.is_float else b
    if a.kind == b.kind == "i":
        return a if a.bits > b.bits else b
    small, other = (a, b) if a.kind == "u" else (b, a)
    if small is dtypes.uint8 and other.kind == "i":
        return dtypes.int16 if other is dtypes.int8 else other
    raise TypeError(f"there is no implicit conversion between {a} and {b}: cast one of the tensors")


def number_dtype(dtype: DType, number: Any) -> DType:
    """The dtype of an operation on a tensor of `dtype` and a Python number."""
    kind = _kind_of(number)
    if kind is bool:
        return dtype
    if kind is int:
        return dtypes.int64 if dtype.is_bool else dtype
    if kind is complex:
        return dtype if dtype.is_complex else dtypes.complex128 if dtype is dtypes.float64 else dtypes.complex64
    return dtype if dtype.is_float or dtype.is_complex else dtypes.float32


def natural_dtype(number: Any) -> DType:
    """The dtype of a Python number without a tensor."""
    return dtypes.as_dtype(_kind_of(number))


def _kind_of(number: Any) -> Any:
    """The Python number type of a traced, mutable or NumPy number, or of a number of a user's class."""
    if isinstance(number, TracedTensor):
        return number._number
    kind = type(number)
    if kind in Number:
        return kind
    return NUMBERS.get(kind) or next((base for base in Number if isinstance(number, base)), kind)


def common_dtype(*values: Any) -> DType:
    """The dtype in which an operation on these tensors and numbers is computed."""
    result: DType | None = None
    for value in values:
        if isinstance(value, Tensor) and not is_weak(value):
            result = value.dtype if result is None else promoted_dtype(result, value.dtype)
    numbers = [value for value in values if is_weak(value)]
    if result is None:
        result = natural_dtype(numbers[0])
        numbers = numbers[1:]
    for number in numbers:
        result = number_dtype(result, number)
    return result


def promote(*values: Any) -> tuple[Any, ...]:
    """The operands in their common dtype: tensors are cast if needed, numbers stay (or are cast, if traced).

    Raises:
        TypeError: for operands that are neither tensors nor numbers, or have no common dtype.
    """
    for value in values:
        if not isinstance(value, (Tensor, *Number)):
            raise TypeError(f"operands should be tensors or numbers, but got {type(value).__name__}")
    dtype = common_dtype(*values)
    return tuple(cast_operand(value, dtype) for value in values)


def cast_operand(value: Any, dtype: DType) -> Any:
    """A tensor in `dtype`; a number stays."""
    if not isinstance(value, Tensor):
        return value
    return value if value.dtype is dtype and not is_weak(value) else cast(value, dtype)


def cast(value: Tensor, dtype: DType) -> Tensor:
    """The tensor with its numbers in `dtype`; the same tensor, or its plain form, if it has this dtype."""
    if value.dtype is dtype:
        if isinstance(value, TracedTensor) and value._number is not None:
            return wrap(value._symbol)
        return value
    return apply(prims.cast, value, dtype=dtype)


def as_tensor(value: Any, dtype: DType | None = None) -> Tensor:
    """A tensor of anything that `Tensor` takes. A tensor is returned itself, or cast to `dtype`."""
    if isinstance(value, Tensor):
        return value if dtype is None or value.dtype is dtype else cast(value, dtype)
    return Tensor(value, dtype)
