"""Methods of tensors whose arguments differ from those of the function of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import alternative
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import Operand
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from . import comparison, creation, functions, math, random, reduce, statistics
from .reduce import Axis
from .table import method


@method("add")
def add_method(self: Tensor, other: Operand, *, alpha: Any = 1) -> Tensor:
    """`self + alpha * other`."""
    return math.add_scaled(self, other, alpha=alpha)


@method("sub subtract")
def sub_method(self: Tensor, other: Operand = None, *, alpha: Any = 1, y: Operand = None) -> Tensor:
    """`self - alpha * other`."""
    return math.sub(self, alternative(other, y, None), alpha=alpha)


@method("div")
def div_method(
    self: Tensor, other: Operand = None, *, rounding_mode: str | None = None, value: Operand = None
) -> Tensor:
    """The quotient, rounded as `ops.div` says."""
    return math.div(self, alternative(other, value, None), rounding_mode=rounding_mode)


@method("allclose")
def allclose(self: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether all elements are close to those of another tensor: a bool (while tracing, a Bool tensor)."""
    result = reduce.all(comparison.isclose(self, other, rtol, atol, equal_nan))
    return result if result._is_traced_tensor else bool(result)


@method("isclose")
def isclose_method(
    self: Tensor,
    other: Tensor | None = None,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
    *,
    x2: Tensor | None = None,
) -> Tensor:
    """Whether two are equal within tolerances, elementwise, as `ops.isclose`; `x2` is another name of `other`."""
    return comparison.isclose(self, alternative(other, x2, None), rtol, atol, equal_nan)


@method("bitwise_not")
def bitwise_not(self: Tensor) -> Tensor:
    """Every bit of integers turned over; of booleans the opposite."""
    return comparison.logical_not(self) if self.dtype.is_bool else comparison.invert(self)


@method("sum")
def sum_method(
    self: Tensor, axis: Axis = None, dtype: Any = None, keepdims: Any = False, initial: Any = None, *,
    dim: Axis = None, keepdim: Any = False,
) -> Tensor:  # fmt: skip
    """`sum(axis, dtype, keepdims, initial)` or `sum(dim, keepdim, dtype=)`: the sum over axes (None: all).

    Args:
        axis, dim: the axes.
        dtype: the dtype to sum in.
        keepdims, keepdim: whether the axes stay as dimensions of size one.
        initial: a number to start from.
    """
    if isinstance(dtype, bool):
        dtype, keepdim = None, dtype
    result = reduce.sum(self, alternative(axis, dim, None), bool(keepdims or keepdim), dtype=dtype)
    return result if initial is None else math.add(result, initial)


@method("nansum")
def nansum_method(
    self: Tensor,
    axis: Axis = None,
    keepdims: bool = False,
    *,
    dtype: Any = None,
    dim: Axis = None,
    keepdim: bool = False,
) -> Tensor:
    """The sum over axes of the elements that are not nan."""
    return statistics.nansum(self, alternative(axis, dim, None), keepdims or keepdim, dtype=dtype)


@method("mean")
def mean_method(
    self: Tensor,
    axis: Axis = None,
    keep_dims: bool = False,
    *,
    dim: Axis = None,
    keepdim: bool = False,
    dtype: Any = None,
) -> Tensor:
    """The mean over axes (None: all); that of integers loses its fraction unless `dtype` says otherwise."""
    x = self if dtype is None else cast(self, dtypes.as_dtype(dtype))
    return reduce.mean(x, alternative(axis, dim, None), keep_dims or keepdim)


@method("prod")
def prod_method(
    self: Tensor,
    axis: Axis = None,
    keep_dims: bool = False,
    dtype: Any = None,
    *,
    dim: Axis = None,
    keepdim: bool = False,
) -> Tensor:
    """The product over axes (None: all)."""
    return reduce.prod(self, alternative(axis, dim, None), keep_dims or keepdim, dtype)


def _extreme(largest: bool, name: str) -> Callable[..., Any]:
    over_axes = reduce.amax if largest else reduce.amin
    word = "largest" if largest else "smallest"

    def extreme(self: Tensor, dim: Axis = None, keepdim: bool = False, **named: Any) -> Any:
        unknown = set(named) - {"axis", "keepdims", "initial", "where", "return_indices"}
        if unknown:
            raise TypeError(f"{name}() got an unexpected keyword argument '{unknown.pop()}'")
        axis = named.get("axis", dim)
        keepdims = named.get("keepdims", keepdim)
        initial, where = named.get("initial"), named.get("where")
        where = None if where is True else where
        both = named.get("return_indices", False) or (not named and isinstance(axis, int))
        if not both or axis is None or isinstance(axis, (tuple, list)):
            return over_axes(self, axis, keepdims, initial=initial, where=where)
        return reduce.with_position(largest, self, axis, keepdims, name, initial, where)

    extreme.__name__ = extreme.__qualname__ = name
    extreme.__doc__ = f"""The {word} elements, in three forms.

    `{name}()` is the {word} of all; `{name}(dim, keepdim=False)` a tuple of the {word} along an axis and the
    positions of the first ones; `{name}(axis=, keepdims=, *, initial=, where=, return_indices=False)` the {word}
    over axes, with the positions where `return_indices` asks for them.
    """
    return extreme


@method("argmax")
def argmax_method(
    self: Tensor, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> Tensor:
    """The positions (Int64) of the first largest elements along an axis (None: of all in order)."""
    return reduce.argmax(self, alternative(axis, dim, None), keepdims or keepdim)


@method("argmin")
def argmin_method(
    self: Tensor, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> Tensor:
    """The positions (Int32) of the first smallest elements along an axis (None: of all in order)."""
    return reduce.argmin(self, alternative(axis, dim, None), keepdims or keepdim)


@method("argmax_with_value")
def argmax_with_value(self: Tensor, axis: int | None = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """The largest elements along an axis, and the positions of the first ones."""
    if axis is None:  # MindSpore's position is 0 here, and there are no dimensions to keep
        return reduce.amax(self), creation.zeros((), dtypes.int64)
    return reduce.with_position(True, self, axis, keep_dims, "argmax_with_value")


@method("argmin_with_value")
def argmin_with_value(self: Tensor, axis: int | None = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """The smallest elements along an axis, and the positions of the first ones."""
    if axis is None:  # MindSpore's position is 0 here, and there are no dimensions to keep
        return reduce.amin(self), creation.zeros((), dtypes.int64)
    return reduce.with_position(False, self, axis, keep_dims, "argmin_with_value")


@method("std")
def std_method(
    self: Tensor, axis: Axis = None, ddof: Any = 0, keepdims: bool = False, *,
    dim: Axis = None, correction: int | None = None, keepdim: bool = False,
) -> Tensor:  # fmt: skip
    """`std(axis, ddof, keepdims)` or `std(dim, correction=, keepdim=)`: the standard deviation over axes."""
    return statistics.std(self, alternative(axis, dim, None), alternative(correction, None, ddof), keepdims or keepdim)


@method("var")
def var_method(
    self: Tensor, axis: Axis = None, ddof: Any = 0, keepdims: bool = False, *,
    dim: Axis = None, correction: int | None = None, keepdim: bool = False,
) -> Tensor:  # fmt: skip
    """`var(axis, ddof, keepdims)` or `var(dim, correction=, keepdim=)`: the variance over axes."""
    return statistics.var(self, alternative(axis, dim, None), alternative(correction, None, ddof), keepdims or keepdim)


@method("median")
def median_method(
    self: Tensor, axis: int = -1, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    """The middle values along an axis, and their positions."""
    return statistics.median(self, axis if dim is None else dim, keepdims or keepdim)


@method("all")
def all_method(
    self: Tensor, axis: Axis = None, keep_dims: bool = False, *, dim: Axis = None, keepdim: bool = False
) -> Tensor:
    """Whether all elements over axes are true."""
    return reduce.all(self, alternative(axis, dim, None), keep_dims or keepdim)


@method("any")
def any_method(
    self: Tensor, axis: Axis = None, keep_dims: bool = False, *, dim: Axis = None, keepdim: bool = False
) -> Tensor:
    """Whether an element over axes is true."""
    return reduce.any(self, alternative(axis, dim, None), keep_dims or keepdim)


@method("cumsum")
def cumsum_method(self: Tensor, axis: int | None = None, dtype: Any = None, *, dim: int | None = None) -> Tensor:
    """Sums of the elements up to each along an axis (None: of all in order)."""
    position = alternative(axis, dim, None)
    if position is None:
        return reduce.cumsum(apply(prims.reshape, self, shape=(-1,)), 0, dtype)
    return reduce.cumsum(self, position, dtype)


@method("count_nonzero")
def count_nonzero_method(
    self: Tensor, axis: Axis = (), keep_dims: bool = False, dtype: DType | None = None, *, dim: Axis = None
) -> Tensor:
    """How many elements over axes are not zero."""
    return reduce.count_nonzero(self, axis if dim is None else dim, keep_dims, dtype or dtypes.int32)


@method("round")
def round_method(self: Tensor, decimals: int = 0) -> Tensor:
    """The elements rounded to so many decimals, halves to the even neighbour."""
    return functions.round(self, decimals=decimals)


@method("bernoulli")
def bernoulli_method(self: Tensor, *, generator: Any = None) -> Tensor:
    """1 with the probability that each element says, else 0."""
    return random.bernoulli(self, self)


# Dtypes


@method("astype")
def astype(self: Tensor, dtype: Any, copy: bool = True) -> Tensor:
    """The tensor in another dtype: floating-point numbers lose their fractions where it is an integer one.

    Args:
        dtype: a dtype such as `mycel.float32`, its name, a NumPy dtype, or bool, int (Int64) or float (Float64).
        copy: accepted.

    Raises:
        TypeError: if it is no dtype.
    """
    return cast(self, dtypes.float64 if dtype is float else dtypes.as_dtype(dtype))


@method("to")
def to(
    self: Tensor, *target: Any, dtype: Any = None, device: Any = None, non_blocking: bool = False, copy: bool = False
) -> Tensor:
    """The tensor in another dtype, given as such or by a tensor that has it; devices are all the CPU.

    Raises:
        TypeError: if it is neither, or a device that MindSpore does not have.
    """
    for item in target:
        if isinstance(item, Tensor):
            dtype = item.dtype
        elif not isinstance(item, bool) and not (isinstance(item, str) and item.lower() in _DEVICES):
            if isinstance(item, str) and item.split(":")[0].lower() in _FOREIGN_DEVICES:
                raise TypeError(f"to: there is no device {item!r}: everything runs on the CPU, leave it out")
            dtype = item
    return self if dtype is None else astype(self, dtype)


_DEVICES = ("cpu", "gpu", "ascend")
_FOREIGN_DEVICES = ("cuda", "mps", "npu", "xpu", "tpu")


@method("type")
def type_method(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """The dtype's name; with `dtype`, the tensor in it."""
    return self.dtype.name if dtype is None else astype(self, dtype)


def _caster(name: str, dtype: DType) -> Callable[[Tensor], Tensor]:
    def converted(self: Tensor) -> Tensor:
        return cast(self, dtype)

    converted.__name__ = converted.__qualname__ = name
    converted.__doc__ = f"The tensor in {dtype}."
    return converted


@method("is_signed")
def is_signed(self: Tensor) -> bool:
    """Whether the dtype has negative numbers."""
    return not self.dtype.is_bool and self.dtype.kind != "u"


# New tensors


@method("new_zeros")
def new_zeros(self: Tensor, *size: Any, dtype: Any = None) -> Tensor:
    """Zeros of a shape, in this tensor's dtype unless `dtype` says otherwise."""
    return _new(self, size, dtype, 0, "new_zeros")


@method("new_ones")
def new_ones(self: Tensor, *size: Any, dtype: Any = None) -> Tensor:
    """Ones of a shape, in this tensor's dtype unless `dtype` says otherwise."""
    return _new(self, size, dtype, 1, "new_ones")


@method("new_full")
def new_full(self: Tensor, size: Any, fill_value: Any, *, dtype: Any = None) -> Tensor:
    """A tensor of one value, in this tensor's dtype unless `dtype` says otherwise."""
    return creation.full(size, fill_value, dtype=self.dtype if dtype is None else dtypes.as_dtype(dtype))


@method("new_empty")
def new_empty(self: Tensor, *size: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of a shape for numbers to come, which are zeros."""
    return _new(self, size, dtype, 0, "new_empty")


def _new(self: Tensor, size: tuple[Any, ...], dtype: Any, value: int, function: str) -> Tensor:
    if len(size) == 2 and isinstance(size[-1], DType):
        size, dtype = size[:1], size[-1]
    given = size[0] if len(size) == 1 else size
    wanted = self.dtype if dtype is None else dtypes.as_dtype(dtype)
    return creation.filled(creation.shape_of(given, function), value, wanted)


@method("clone copy")
def copy(self: Tensor) -> Tensor:
    """The numbers in a tensor of their own."""
    return apply(prims.copy, self)


@method("value")
def value(self: Tensor) -> Tensor:
    """The tensor itself."""
    return self


_CASTS = {
    "bool": dtypes.bool_, "byte": dtypes.uint8, "short": dtypes.int16, "int": dtypes.int32, "long": dtypes.int64,
    "half": dtypes.float16, "bfloat16": dtypes.bfloat16, "float": dtypes.float32, "double": dtypes.float64,
}  # fmt: skip

for _name, _dtype in _CASTS.items():
    method(_name)(_caster(_name, _dtype))
for _name in ("max", "min"):
    method(_name)(_extreme(_name == "max", _name))

PROPERTIES = {"data": property(value, doc="The tensor itself.")}
"""Properties of tensors."""
