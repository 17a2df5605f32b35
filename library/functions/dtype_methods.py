"""Methods of tensors that convert them to a dtype, or make new tensors of theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from . import creation
from .documentation import no_arguments
from .table import made, method


@method("astype")
def astype(self: Tensor, dtype: Any, copy: bool = True) -> Tensor:
    """The tensor in another dtype: floating-point numbers lose their fractions where it is an integer one.

    Args:
        dtype: a dtype such as `mycel.float32`, its name, a NumPy dtype, or bool, int (Int64) or float (Float64).
        copy: accepted.

    Raises:
        TypeError: if it is no dtype.

    Examples:
        >>> import mycel as ms
        >>> from mycel import Tensor
        >>> print(Tensor([1.7]).astype(ms.int32))
        [1]
    """
    return cast(self, dtypes.float64 if dtype is float else dtypes.as_dtype(dtype))


@method("to")
def to(
    self: Tensor, *target: Any, dtype: Any = None, device: Any = None, non_blocking: bool = False, copy: bool = False,
    other: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The tensor in another dtype, given as such or by a tensor that has it; devices are all the CPU.

    Args:
        target, dtype: a dtype, or a tensor that has it.
        device: "CPU", "GPU" or "Ascend": all are the CPU.
        non_blocking, copy: accepted.
        other: a tensor that has the dtype.

    Raises:
        TypeError: if it is neither, or a device that MindSpore does not have.

    Examples:
        >>> import mycel as ms
        >>> from mycel import Tensor
        >>> print(Tensor([1.7]).to(ms.int32))
        [1]
    """
    for item in (*target, *([] if other is None else [other])):
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
    """The dtype's name; with `dtype`, the tensor in it.

    Args:
        dtype: a dtype; None: give the name.
        non_blocking: accepted.

    Raises:
        TypeError: if `dtype` is no dtype.

    Examples:
        >>> print(Tensor([1.0]).type())
        Float32
    """
    return self.dtype.name if dtype is None else astype(self, dtype)


def _caster(name: str, dtype: DType) -> Callable[[Tensor], Tensor]:
    def converted(self: Tensor) -> Tensor:
        """The tensor in {dtype}.

        Raises:
            TypeError: if an argument is given.

        Examples:
            >>> from mycel import Tensor
            >>> print(Tensor([1, 0]).{name}().dtype)
            {dtype}
        """
        return cast(self, dtypes.as_dtype(dtype))  # which binds BFloat16 to its NumPy type

    return made(converted, name, dtype=dtype)


@method("is_signed", shared=no_arguments)
def is_signed(self: Tensor) -> bool:
    """Whether the dtype has negative numbers.

    Examples:
        >>> print(Tensor([1]).is_signed())
        True
    """
    return not self.dtype.is_bool and self.dtype.kind != "u"


def _filled(name: str, number: int, words: str) -> Callable[..., Tensor]:
    """The method that makes a tensor of one number."""

    def run(self: Tensor, *sizes: Any, size: Any = None, dtype: Any = None) -> Tensor:
        """{words} of a shape, in this tensor's dtype unless `dtype` says otherwise.

        Args:
            sizes, size: the shape, a tuple or several ints.
            dtype: the dtype of the result; None: that of this tensor.

        Raises:
            ValueError: if a size is negative.

        Examples:
            >>> from mycel import Tensor
            >>> print(Tensor([1.0]).{name}(2))
            [{number}. {number}.]
        """
        return _new(self, sizes if size is None else (*sizes, size), dtype, number, name)

    return method(name)(made(run, name, words=words, number=number))


new_zeros = _filled("new_zeros", 0, "Zeros")
new_ones = _filled("new_ones", 1, "Ones")


@method("new_full")
def new_full(self: Tensor, size: Any, fill_value: Any, *, dtype: Any = None) -> Tensor:
    """A tensor of one value, in this tensor's dtype unless `dtype` says otherwise.

    Args:
        size: the shape, a tuple of ints.
        fill_value: the number.
        dtype: the dtype of the result; None: that of this tensor.

    Raises:
        ValueError: if a size is negative.

    Examples:
        >>> print(Tensor([1.0]).new_full((2,), 7))
        [7. 7.]
    """
    return creation.full(size, fill_value, dtype=self.dtype if dtype is None else dtypes.as_dtype(dtype))


@method("new_empty")
def new_empty(self: Tensor, *sizes: Any, size: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of a shape for numbers to come, which are zeros.

    Args:
        sizes, size: the shape, a tuple or several ints.
        dtype: the dtype of the result; None: that of the input.
        device: accepted: everything runs on the CPU.

    Raises:
        ValueError: if a size is negative.

    Examples:
        >>> print(Tensor([1.0]).new_empty(2))
        [0. 0.]
    """
    return _new(self, sizes if size is None else (*sizes, size), dtype, 0, "new_empty")


def _new(self: Tensor, size: tuple[Any, ...], dtype: Any, value: int, function: str) -> Tensor:
    if len(size) == 2 and isinstance(size[-1], DType):
        size, dtype = size[:1], size[-1]
    given = size[0] if len(size) == 1 else size
    wanted = self.dtype if dtype is None else dtypes.as_dtype(dtype)
    return creation.filled(creation.shape_of(given, function), value, wanted)


@method("clone copy", shared=no_arguments)
def copy(self: Tensor) -> Tensor:
    """The numbers in a tensor of their own.

    Examples:
        >>> print(Tensor([1, 2]).clone())
        [1 2]
    """
    return apply(prims.copy, self)


@method("value", shared=no_arguments)
def value(self: Tensor) -> Tensor:
    """The tensor itself.

    Examples:
        >>> print(Tensor([1.0]).value())
        [1.]
    """
    return self


_CASTS = {
    "bool": dtypes.bool_, "byte": dtypes.uint8, "short": dtypes.int16, "int": dtypes.int32, "long": dtypes.int64,
    "half": dtypes.float16, "bfloat16": dtypes.bfloat16, "float": dtypes.float32, "double": dtypes.float64,
}  # fmt: skip


for _name, _dtype in _CASTS.items():
    method(_name)(_caster(_name, _dtype))


PROPERTIES = {"data": property(value, doc="The tensor itself.")}
"""Properties of tensors."""
