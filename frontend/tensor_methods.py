"""Operators and methods of tensors: the functions of `ops`, attached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..runtime import dtypes
from . import ops
from ..compiler import ops as prims
from .dispatch import Number, apply, cast
from .inplace import assign_inplace, assign_parameter, is_number
from .ops.indexing import getitem, setitem
from .tensor import Tensor, TracedTensor, _hooks

_METHODS = """abs absolute acos acosh add addcdiv addcmul angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atan2
atanh bitwise_and bitwise_or bitwise_xor ceil clamp clip clip_by_value conj copysign cos cosh deg2rad div divide eq equal erf erfc exp expm1 float_power
floor floor_divide floor_mod fmod frac ge gcd greater greater_equal gt heaviside hypot imag isclose isfinite isinf isnan
isneginf isposinf isreal lcm le lerp less less_equal log log10 log1p log2 logaddexp logical_and logical_not logical_or
logical_xor logit lt masked_fill maximum minimum mul multiply nan_to_num ne neg negative nextafter not_equal positive pow
rad2deg real reciprocal remainder round rsqrt sgn sign signbit sin sinc sinh sqrt square sub subtract tan tanh true_divide
trunc xdivy xlogy all amax amin aminmax any argmax argmin count_nonzero cummax cummin cumprod cumsum logcumsumexp logsumexp
max mean min prod sum std var norm median tril triu diag diagflat type_as where sigmoid relu softmax log_softmax erfinv lgamma digamma""".split()


def _reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    def reflected(self: Tensor, other: Any) -> Any:
        return function(other, self) if _operand(other) else NotImplemented

    return reflected


def _direct(function: Callable[..., Any]) -> Callable[..., Any]:
    def direct(self: Tensor, other: Any) -> Any:
        return function(self, other) if _operand(other) else NotImplemented

    return direct


def _operand(value: Any) -> bool:
    return isinstance(value, (Tensor, *Number, list, tuple)) or hasattr(value, "dtype")


def _in_place(function: Callable[..., Any]) -> Callable[..., Any]:
    def in_place(self: Tensor, other: Any) -> Any:
        new = function(self, other)
        return new if is_number(self) else assign_inplace(self, new)

    return in_place


def _set_item(self: Tensor, key: Any, value: Any) -> None:
    assign_inplace(self, setitem(self, key, value))


def _invert(self: Tensor) -> Tensor:
    return ops.logical_not(cast(self, dtypes.bool_))


def _astype(self: Tensor, dtype: Any, copy: bool = True) -> Tensor:
    """The tensor converted to `dtype`."""
    return cast(self, dtypes.as_dtype(dtype))


def _caster(dtype: dtypes.DType) -> Callable[[Tensor], Tensor]:
    return lambda self: cast(self, dtype)


def _equal(self: Tensor, other: Any) -> Any:
    return ops.equal(self, other) if _operand(other) else False


def _not_equal(self: Tensor, other: Any) -> Any:
    return ops.not_equal(self, other) if _operand(other) else True


_BINARY: dict[str, Callable[..., Any]] = {
    "add": ops.add, "sub": ops.sub, "mul": ops.mul, "truediv": ops.div, "floordiv": ops.floor_divide, "mod": ops.floor_mod,
    "pow": ops.pow, "matmul": ops.matmul, "and": ops.bitwise_and, "or": ops.bitwise_or, "xor": ops.bitwise_xor,
    "lshift": ops.bitwise_left_shift, "rshift": ops.bitwise_right_shift,
}  # fmt: skip
_COMPARISONS: dict[str, Callable[..., Any]] = {
    "lt": ops.less, "le": ops.less_equal, "gt": ops.greater, "ge": ops.greater_equal,
}  # fmt: skip


def install() -> None:
    """Attach everything."""
    for name, function in _BINARY.items():
        setattr(Tensor, f"__{name}__", _direct(function))
        setattr(Tensor, f"__r{name}__", _reflected(function))
        if name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
            setattr(Tensor, f"__i{name}__", _in_place(function))
    for name, function in _COMPARISONS.items():
        setattr(Tensor, f"__{name}__", _direct(function))
    Tensor.__eq__ = _equal  # type: ignore[method-assign, assignment]
    Tensor.__ne__ = _not_equal  # type: ignore[method-assign, assignment]
    Tensor.__hash__ = object.__hash__  # type: ignore[method-assign]
    extra: dict[str, Any] = {
        "__neg__": ops.neg, "__pos__": lambda self: self, "__abs__": ops.abs, "__invert__": _invert, "__getitem__": getitem,
        "__setitem__": _set_item, "__round__": ops.round, "astype": _astype, "to": _astype, "float": _caster(dtypes.float32),
        "int": _caster(dtypes.int32), "long": _caster(dtypes.int64), "bool": _caster(dtypes.bool_), "half": _caster(dtypes.float16),
        "double": _caster(dtypes.float64), "add_": _in_place(ops.add), "sub_": _in_place(ops.sub), "mul_": _in_place(ops.mul),
        "div_": _in_place(ops.div),
    }  # fmt: skip
    for name in _METHODS:
        function = getattr(ops, name, None)
        if function is not None and not hasattr(Tensor, name):
            setattr(Tensor, name, function)
    for table in ops.METHOD_TABLES:
        for name, function in table.items():
            setattr(Tensor, name, function)
    for name, item in extra.items():
        setattr(Tensor, name, item)


def convert(data: Any, dtype: Any = None) -> Tensor:
    """Tensor() of traced data: cast, or stacked from its items."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(data, Tensor):
        plain = cast(data, data.dtype)
        return plain if wanted is None else cast(plain, wanted)
    items = [item if isinstance(item, Tensor) else Tensor(item) for item in data]
    result = ops.stack([cast(item, item.dtype) for item in items])
    return result if wanted is None else cast(result, wanted)


def _known(tensor: TracedTensor) -> Any:
    return None


def _new_like(name: str) -> Callable[..., Any]:
    def new(self: Tensor, size: Any, dtype: Any = None) -> Tensor:
        return getattr(ops, name)(size, dtype or self.dtype)  # type: ignore[no-any-return]

    return new


def _copy(self: Tensor) -> Tensor:
    """The tensor's numbers in a tensor of their own."""
    return apply(prims.copy, self)  # type: ignore[no-any-return]


def _transposed(self: Tensor) -> Tensor:
    return apply(prims.transpose, self, axes=tuple(reversed(range(self.ndim))))  # type: ignore[no-any-return]


def install_more() -> None:
    """Attach what is no function of ops."""
    for name in ("zeros", "ones"):
        setattr(Tensor, f"new_{name}", _new_like(name))
    for name, item in {"copy": _copy, "clone": _copy, "value": lambda self: self, "type": _astype,
                       "T": property(_transposed), "bfloat16": _caster(dtypes.bfloat16),
                       "fill": lambda self, value: ops.full_like(self, value),
                       "masked_fill_": _in_place_any(ops.masked_fill), "copy_": _in_place_any(lambda self, other: other),
                       "fill_": _in_place_any(ops.full_like), "zero_": lambda self: assign_inplace(self, ops.zeros_like(self)),
                       }.items():  # fmt: skip
        if name != "value" or not hasattr(Tensor, name):
            setattr(Tensor, name, item)


def _in_place_any(function: Callable[..., Any]) -> Callable[..., Any]:
    def in_place(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return assign_inplace(self, function(self, *args, **kwargs))

    return in_place


install()
install_more()
_hooks["assign"] = assign_parameter
_hooks["convert"] = convert
_hooks["known"] = _known
