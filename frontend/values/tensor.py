"""`Tensor`, an array with MindSpore's dtypes, and the arrays that it is made of."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ...compiler.ir.types import TensorType
from ...runtime import dtypes
from ...runtime.arena import aligned_copy, borrowed_view, memory_view, quick_view, shared_view
from ...runtime.dtypes import DType
from ..errors.classes import NumbersBreak, RaggedError
from ..errors.tracebacks import leaving
from ..errors.user_files import user_level
from ..state import STATE
from .services import SERVICES

if TYPE_CHECKING:  # operators and methods are functions of the library, attached when it is imported
    from .tensor_methods import TensorMethods as _Methods  # a stub that tools/stubs.py writes
else:
    _Methods = object

_Own = TypeVar("_Own", bound="Tensor")
_new = object.__new__


UNKNOWN_BASE = object()
"""The `_base` of a tensor that is a selection of one tensor or another, which only the run knows."""


class AnySize:
    """A size that varies from call to call, in the shapes of `set_inputs`."""


def _varies(size: Any) -> bool:
    return size is None or isinstance(size, AnySize) or size == -1


class Tensor(_Methods):
    """A multi-dimensional array of one dtype.

    Args:
        input_data: a number, a (nested) sequence of numbers, a NumPy array or a Tensor. Python floats give Float32,
            ints Int64, bools Bool; NumPy arrays keep their dtype.
        dtype: the dtype to convert to, such as `mycel.float32`.
        shape, init: in place of `input_data`: a shape, and an initializer or number that fills it.

    Raises:
        TypeError: if the data is no number, sequence of numbers or array.
        ValueError: if rows differ in length.

    Examples:
        >>> import mycel as ms
        >>> x = ms.Tensor([[1, 2], [3, 4]], ms.float32)
        >>> print(x.shape, x.dtype, x.sum())
        (2, 2) Float32 10.0
    """

    __array_priority__ = 100
    _is_traced_tensor = False
    _data: np.ndarray
    _birth: Any = None  # the trace during which this tensor was made from Python values
    _base: Any = None  # (tensor, index) where this is a selection `tensor[index]` through which items can be assigned
    _shares = False  # whether the memory is that of a user's array, which sees assignments
    _const_arg = False
    _any_shape = False  # a type for `set_inputs` that leaves the number of dimensions open
    _open_axes: tuple[int, ...] = ()  # axes whose size a type, for `set_inputs` or `export`, leaves open
    _gradient_hooks: Any = None  # functions that the gradient of a Parameter goes through, by number
    __hash__ = object.__hash__

    def __new__(cls: type[_Own], input_data: Any = None, *args: Any, **kwargs: Any) -> _Own:
        """A new tensor; of a traced tensor, or a sequence that holds one, a traced tensor."""
        if STATE.trace is not None and cls is Tensor and input_data is not None and _holds_traced(input_data):
            dtype = kwargs.get("dtype", args[0] if args else None)
            return STATE.trace.convert(input_data, dtype)
        return _new(cls)

    def __init__(
        self,
        input_data: Any = None,
        dtype: Any = None,
        shape: Any = None,
        init: Any = None,
        internal: bool = False,
        const_arg: bool = False,
    ) -> None:
        if self._is_traced_tensor:
            return  # made whole by __new__
        if input_data is None:
            if shape is None:
                if dtype is None or init is not None:
                    raise TypeError("Tensor needs 'input_data', or 'shape' with 'init'")
                self._any_shape, shape = True, (None,)
            shape = (shape,) if isinstance(shape, int) else tuple(shape)
            wanted = dtypes.as_dtype(dtype or dtypes.float32)
            if init is None:
                # An argument of `set_inputs`: a type without numbers.
                self._data = np.zeros([0 if _varies(size) else size for size in shape], wanted.np)
                self._open_axes = tuple(axis for axis, size in enumerate(shape) if _varies(size))
            else:
                self._data = SERVICES.filled(init, shape, wanted)
        else:
            self._data = to_array(input_data, dtype)
        if const_arg:
            self._const_arg = True
        if STATE.trace is not None:
            self._birth = STATE.trace

    @staticmethod
    def _wrap(array: Any) -> Tensor:
        """A tensor on an array that nobody else changes."""
        tensor: Tensor = _new(Tensor)
        tensor._data = array if type(array) is np.ndarray else np.asarray(array)
        return tensor

    # Properties

    @property
    def _type(self) -> TensorType:
        return TensorType(dtypes.of_numpy(self._data.dtype), self._data.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, a tuple of ints."""
        return self._data.shape

    @property
    def dtype(self) -> DType:
        """The element type, such as `Float32`."""
        return dtypes.of_numpy(self._data.dtype)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        result = 1
        for length in self.shape:
            result *= length
        return result

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return int(self.dtype.np.itemsize)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes to step in each dimension, of a C-contiguous tensor."""
        steps, step = [], self.itemsize
        for length in reversed(self.shape):
            steps.append(step)
            step *= length
        return tuple(reversed(steps))

    @property
    def has_init(self) -> bool:
        """Whether the numbers are still to be initialised: never, because they are made at once."""
        return False

    # The numbers, which exist only outside a trace

    def _numbers(self, what: str) -> np.ndarray:
        """The array. In a trace only for tensors that the traced code itself made from Python values."""
        trace = STATE.trace
        if trace is not None and self._birth is not trace:
            raise numbers_break(what)
        return self._data

    def asnumpy(self) -> np.ndarray:
        """The numbers as a NumPy array that shares the tensor's memory: a write to one changes the other.

        A change of the array's shape, dtype or flags does not change the tensor, and the array cannot be resized.
        """
        if STATE.trace is None:
            try:
                return quick_view(self._data)
            except BufferError:
                return memory_view(self._data)
        try:  # not wrapped by a door: it is short and called often
            return shared_view(self._numbers("asnumpy()"))
        except Exception as error:
            leaving(error)
            raise

    def numpy(self) -> np.ndarray:
        """The numbers as a NumPy array."""
        return self.asnumpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self._numbers("conversion to a NumPy array")
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else shared_view(array)

    def item(self, index: Any = None) -> Any:
        """The only element, or the one at `index`, as a Python number. ValueError if there are several."""
        try:
            found = STATE.trace.item(self, index) if STATE.trace is not None else None
            if found is not None:  # a number that only the run knows
                return found
            array = self._numbers("item()")
            if index is not None:
                return array.item(index)
            if array.size != 1:
                raise ValueError(f"item() needs a tensor of one element, but the shape is {array.shape}; give an index")
            return array.item()
        except Exception as error:
            leaving(error)
            raise

    def tolist(self) -> Any:
        """The numbers as nested Python lists (of a 0-d tensor, a number)."""
        return self._numbers("tolist()").tolist()

    def _single(self, what: str) -> Any:
        array = self._numbers(what)
        if array.size != 1:
            raise ValueError(
                f"{what} needs a tensor of one element, but the shape is {array.shape}; use .all(), .any() or an index"
            )
        return array.item()

    def __bool__(self) -> bool:
        array = self._numbers("the truth value")
        if array.size > 1:
            raise ambiguous(array.shape)
        return bool(self._single("the truth value"))

    def __int__(self) -> int:
        return int(self._single("int()"))

    def __float__(self) -> float:
        return float(self._single("float()"))

    def __complex__(self) -> complex:
        return complex(self._single("complex()"))

    def __index__(self) -> int:
        value = self._single("an index")
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"only tensors of integers can be an index, but the dtype is {self.dtype}")
        return value

    def __len__(self) -> int:
        shape = self.shape
        if not shape:
            raise TypeError("a 0-d tensor has no length")
        if isinstance(shape[0], Tensor):
            raise numbers_break("len()")
        return shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("a 0-d tensor cannot be iterated over")
        return map(self.__getitem__, range(len(self)))

    def __str__(self) -> str:
        from ...runtime.formatting import tensor_str  # late, as `tensor_repr`: most programs show few tensors

        return tensor_str(self._numbers("str()"))

    def __repr__(self) -> str:
        from ...runtime.formatting import tensor_repr

        return tensor_repr(self._data, self.dtype.name)

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec and self.size == 1 else format(str(self), spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (shared_view(self._numbers("pickling")),)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if self._is_traced_tensor:
            return self
        return Tensor._wrap(self._data.copy())

    @staticmethod
    def from_numpy(array: np.ndarray[Any, Any]) -> Tensor:
        """A tensor that shares the memory of an array: a write to one changes the other.

        An array that is not contiguous, or has a dtype that no tensor has, is copied. TypeError if it is no NumPy
        array.

        Examples:
            >>> import numpy as np
            >>> import mycel as ms
            >>> array = np.zeros(2, np.float32)
            >>> x = ms.from_numpy(array)
            >>> array[0] = 1
            >>> print(x)
            [1. 0.]
        """
        if not isinstance(array, np.ndarray):
            raise TypeError(f"from_numpy needs a NumPy array, but got {type(array).__name__}")
        found = Tensor(array)
        if found._data.dtype == array.dtype and array.flags.carray:
            found._data, found._shares = borrowed_view(array), True
        return found


def tensor(
    input_data: Any = None,
    dtype: Any = None,
    shape: Any = None,
    init: Any = None,
    const_arg: bool = False,
    device: str | None = None,
) -> Tensor:
    """A new tensor; arguments and errors as for `Tensor`. `device` is accepted: everything is on the CPU.

    Examples:
        >>> import mycel as ms
        >>> print(ms.tensor([1, 2], ms.float32))
        [1. 2.]
    """
    return Tensor(input_data, dtype, shape, init, const_arg=const_arg)


def ambiguous(shape: Any, what: str = "the condition of an if or while") -> ValueError:
    """The error for a condition of several elements."""
    return ValueError(
        "The truth value of a tensor with more than one element is ambiguous: only one element can be converted to "
        f"bool, but {what} has shape {shape}; use .all() or .any()"
    )


def numbers_break(what: str) -> NumbersBreak:
    """The error for code that needs numbers which exist only when the program runs."""
    return NumbersBreak(
        f"{what} of a traced tensor needs its numbers, which exist only when the program runs",
        "Use tensor operations in its place, or move this line out of the compiled function",
    )


def to_array(data: Any, dtype: Any = None) -> np.ndarray:
    """The array of a new tensor: fresh, C-contiguous, of `dtype` or MindSpore's default for the data."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(data, Tensor):
        array = data._numbers("Tensor()")
        return aligned_copy(array, None if wanted is None else wanted.np)
    if isinstance(data, (np.ndarray, np.generic)):
        if wanted is None:
            dtypes.of_numpy(data.dtype)
        with np.errstate(invalid="ignore", over="ignore"):
            return aligned_copy(np.asarray(data), None if wanted is None else _warned(np.asarray(data), wanted).np)
    if isinstance(data, (bool, int, float, complex)):
        if wanted is None:
            large = type(data) is int and _check_64_bits(data) >= 1 << 63
            wanted = dtypes.uint64 if large else dtypes.as_dtype(bool if isinstance(data, bool) else _python_kind(data))
        elif type(data) is int and wanted.is_integer:
            _check_64_bits(data)
        with np.errstate(invalid="ignore", over="ignore"):
            return np.array(data).astype(_warned(np.array(data), wanted).np)
    if isinstance(data, (list, tuple, range)):
        return _array_of_items(data, wanted)
    if hasattr(data, "__array__"):
        return to_array(np.asarray(data), dtype)
    raise TypeError(
        f"Tensor's 'input_data' should be a number, a sequence of numbers, a NumPy array or a Tensor, but got "
        f"{type(data).__name__}"
    )


_ITEM_DTYPES = {"f": dtypes.float32, "i": dtypes.int64, "b": dtypes.bool_, "c": dtypes.complex128}


def _array_of_items(items: Sequence[Any], wanted: DType | None) -> np.ndarray:
    """The array of a sequence of numbers, arrays and sequences; Python's numbers have MindSpore's default dtypes."""
    try:
        array = np.array([_plain(item) for item in items])
    except ValueError as error:
        raise RaggedError(f"Tensor needs rows of equal length: {error}") from None
    kind = array.dtype.kind
    if kind not in "biufc" and (kind != "V" or array.dtype != dtypes.bfloat16.np):
        for item in array.flat:
            _check_64_bits(item)
        held = f"the sequence holds {array.dtype}" if wanted is None else f"got {items!r}"
        raise TypeError(f"Tensor needs numbers, but {held}")
    if wanted is None:
        default = None if _has_arrays(items) else _ITEM_DTYPES.get(kind)
        wanted = dtypes.of_numpy(array.dtype) if default is None else default if array.size else dtypes.float32
    with np.errstate(invalid="ignore", over="ignore"):
        return np.ascontiguousarray(array.astype(_warned(array, wanted).np)).reshape(array.shape)


def _warned(array: np.ndarray, wanted: DType) -> DType:
    """The dtype. A warning if it has only integers, and not all numbers of the array are finite."""
    if array.dtype.kind in "fc" and wanted.is_integer and not np.isfinite(array).all():
        warnings.warn(
            f"nan and infinite numbers have no meaning in {wanted}: give a float dtype, or replace them before",
            UserWarning,
            stacklevel=user_level(),
        )
    return wanted


def _check_64_bits(number: Any) -> Any:
    """The number. ValueError for a whole number that no integer of a tensor is."""
    if type(number) is int and not -(1 << 63) <= number < 1 << 64:
        raise ValueError(f"{number} is beyond 64 bits, which no integer of a tensor is")
    return number


def _python_kind(value: Any) -> type:
    return complex if isinstance(value, complex) else float if isinstance(value, float) else int


def _plain(item: Any) -> Any:
    if isinstance(item, Tensor):
        return item._numbers("Tensor()")
    if isinstance(item, (list, tuple)):
        return [_plain(inner) for inner in item]
    return item


def _has_arrays(data: Any) -> bool:
    if isinstance(data, (list, tuple)):
        return any(_has_arrays(item) for item in data)
    return isinstance(data, (np.ndarray, np.generic, Tensor))


def _holds_traced(data: Any) -> bool:
    if isinstance(data, Tensor):
        return data._is_traced_tensor or data._birth is not STATE.trace
    if isinstance(data, (list, tuple)):
        return any(_holds_traced(item) for item in data)
    return False


def _rebuild(array: np.ndarray) -> Tensor:
    dtypes.of_numpy(array.dtype)
    return Tensor._wrap(shared_view(array))


def is_tensor(value: Any) -> bool:
    """Whether `value` is a Tensor (a Parameter and a traced tensor are)."""
    return isinstance(value, Tensor)
