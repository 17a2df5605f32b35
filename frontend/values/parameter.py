"""Trainable parameters: `Parameter`, a named tensor that training changes, and `ParameterTuple`."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from ...compiler import ops as prims
from ...runtime import dtypes
from ...runtime.arena import aligned_copy
from ...runtime.watch import assigned
from ..errors.classes import ParameterError
from ..state import STATE
from .dispatch import apply, cast
from .services import SERVICES
from .tensor import Tensor, _new, to_array
from .traced_tensor import wrap

_names = threading.Lock()
_SURROGATE = "[\ud800-\udfff]"  # half a character, which no file can hold
_unnamed = [0]


class _Layouts:
    """Counts changes of the dtype or shape of concrete tensors. After a change compiled entries check their inputs
    again.

    Calls do not lock. If `version` is the same before and after arrays are read, the arrays have the types that were
    last checked, with `lock` held, at this version: `replace_data` counts before it replaces, and nobody checks in
    between.
    """

    __slots__ = ("lock", "version")

    def __init__(self) -> None:
        self.version = 0
        self.lock = threading.RLock()  # a signal handler may come to it again


Layouts = _Layouts()


_Own = TypeVar("_Own", bound="Parameter")


class Parameter(Tensor):
    """A tensor that belongs to a Cell and is trained.

    Args:
        default_input: a Tensor, a NumPy array, a number or a sequence; the Parameter has its own copy of the numbers.
        name: its name; inside a Cell the attribute path is put before it. None or blank: the attribute's name.
        requires_grad: whether `trainable_params()` lists it.
        layerwise_parallel, parallel_optimizer: accepted, without meaning in one process.

    Examples:
        >>> import mycel as ms
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> print(w.name, w.shape, w.requires_grad)
        w (2,) True
    """

    def __new__(cls: type[_Own], default_input: Any = None, *args: Any, **kwargs: Any) -> _Own:
        """A new Parameter object."""
        return _new(cls)

    _optimized = False  # whether an optimizer has it
    _divided: tuple[int, tuple[int, ...]] | None = None  # of states that one process holds for all: its rank, the shape
    _layout: Any = None  # of one that is cut over processes (`parts.py`): `compiler/ir/layouts.py:Layout`
    _agreed = False  # whether it has the same numbers on all processes that compute programs together
    _in_parts = property(lambda self: self._divided is not None or self._layout is not None)  # processes share it
    unique: Any  # a flag; of other tensors a method
    parallel_optimizer_comm_recompute = init_in_server = is_in_parallel = False

    def __init__(
        self,
        default_input: Any = None,
        name: str | None = None,
        requires_grad: bool = True,
        layerwise_parallel: bool = False,
        parallel_optimizer: bool = True,
        storage_format: str = "",
    ) -> None:
        if STATE.trace is not None:
            raise ParameterError(
                "creating a Parameter is not supported in 'construct' or @jit decorated function: create it in __init__"
            )
        if isinstance(default_input, bool):
            raise ValueError("a Parameter cannot be made of a bool: write Tensor(value)")
        if isinstance(default_input, Tensor):
            array = aligned_copy(default_input._data)
        else:  # an int is held in 32 bits, as in MindSpore
            array = to_array(default_input, dtypes.int32 if type(default_input) is int else None)
        self._data = array
        _check_flag("layerwise_parallel", layerwise_parallel)
        self.requires_grad = requires_grad
        if name is not None and not isinstance(name, str):
            raise ValueError(f"The type of the Parameter's name should be 'string' or 'None', but got {type(name)}.")
        if name is not None and not name.strip():
            name = None  # as in MindSpore
        if name is not None and re.search(_SURROGATE, name):
            raise ValueError(f"a Parameter's name should be text that can be written to a file, but is {name!r}")
        self._own_name = name is not None
        if name is None:
            with _names:
                name = f"Parameter#{_unnamed[0]}"
                _unnamed[0] += 1
        self.name = name
        self.layerwise_parallel = layerwise_parallel
        self.parallel_optimizer = parallel_optimizer
        self.is_init = True
        self.sliced = False
        self.comm_fusion = 1
        self.unique = False
        self.cache_enable = False
        self.key = -1
        self.grad: Any = None

    def __repr__(self) -> str:
        from ...runtime.formatting import parameter_repr

        return parameter_repr(self.name, self.shape, self.dtype.name, self.requires_grad)

    def __str__(self) -> str:
        return self.__repr__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self._numbers("pickling"), self.name, self.requires_grad)

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        return self.clone()

    def asnumpy(self) -> np.ndarray:
        """The numbers, as a copy: later updates of the Parameter do not show in it."""
        return self._numbers("asnumpy()").copy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self._numbers("conversion to a NumPy array")
        return array.astype(dtype or array.dtype)

    @property
    def data(self) -> Tensor:
        """The numbers as a Tensor that shares the Parameter's memory. No gradient flows through it."""
        if STATE.trace is not None:
            return apply(prims.stop_gradient, wrap(STATE.trace.read(self)))
        found = Tensor._wrap(self._data)
        found._shares = True
        found.set_data = self.set_data  # type: ignore[attr-defined]  # MindSpore's was the Parameter until 2.7
        return found

    @property
    def requires_grad(self) -> bool:
        """Whether `trainable_params()` lists it. TypeError if it is set to something that is no bool."""
        return self.__dict__["requires_grad"]  # where traces look for attributes

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        _check_flag("requires_grad", flag)
        self.__dict__["requires_grad"] = bool(flag)

    @property
    def inited_param(self) -> Parameter:
        """The Parameter itself: its numbers always exist."""
        return self

    def value(self) -> Tensor:
        """The current numbers, as a separate Tensor."""
        if STATE.trace is not None:
            return wrap(STATE.trace.read(self))
        return Tensor._wrap(self._data.copy())

    def init_data(self, *args: Any, **kwargs: Any) -> Parameter:
        """The Parameter itself: its numbers always exist."""
        return self

    def set_dtype(self, dtype: Any) -> None:
        """Convert the Parameter in place."""
        replace_data(self, self._data.astype(dtypes.as_dtype(dtype).np))

    def set_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Give the Parameter new numbers.

        Args:
            data: a tensor, array or number of the Parameter's shape (any shape with `slice_shape`). It is cast to the
                Parameter's dtype. In a graph only integers are, to a floating-point Parameter's.

        Raises:
            TypeError: if `data` is complex and the Parameter is not. In a graph: if `data` is of a floating-point
                dtype and the Parameter is not, or of a wider one.
            ValueError: if the shapes differ.
        """
        if STATE.trace is not None or (STATE.tape is not None and not slice_shape):
            recorder = STATE.tape if STATE.trace is None else STATE.trace
            return recorder.assign(self, data)
        array = data._data if isinstance(data, Tensor) else to_array(data)
        own = self._data
        same_shape = array.shape == own.shape
        if not same_shape and not slice_shape:
            if not (array.size == own.size == 1):
                raise ValueError(
                    f"Parameter '{self.name}' has shape {own.shape}, but set_data got data of shape {array.shape}"
                )
            array, same_shape = array.reshape(own.shape), True
        if STATE.undo and same_shape:
            STATE.undo.note(self)
        if array.dtype.kind == "c":
            check_assignable(self, dtypes.of_numpy(array.dtype))
        if same_shape:
            with np.errstate(all="ignore"):  # a nan, or too large a number, for an integer
                np.copyto(own, array, "unsafe")
            assigned(own)
        else:
            replace_data(self, np.array(array, dtype=own.dtype, order="C"))
        return self

    def assign_value(self, value: Any) -> Parameter:
        """As `set_data`."""
        return self.set_data(value)

    def copy(self) -> Tensor:
        """A clone; in compiled code and while a gradient is taken the current numbers, as a separate Tensor."""
        return self.clone() if STATE.trace is None and STATE.tape is None else self.value()

    def clone(self, init: Any = "same") -> Parameter:
        """A Parameter of the same name and properties; `init` fills it anew (a number or initializer; "same": a
        copy)."""
        if isinstance(init, str) and init == "same":
            new = Parameter(Tensor._wrap(self._data), self.name)
        else:
            initial = SERVICES.initial_tensor(init, self.shape, self.dtype)
            is_new = isinstance(init, (str, int, float)) and self.dtype.np.itemsize >= 4  # narrow ones are not aligned
            new = owning(initial._data, self.name) if is_new else Parameter(initial, self.name)
        new.requires_grad = self.requires_grad
        new._own_name = self._own_name
        new.layerwise_parallel = self.layerwise_parallel
        new.parallel_optimizer = self.parallel_optimizer
        return new


def _check_flag(name: str, flag: Any) -> None:
    if not isinstance(flag, (bool, np.bool_)):
        raise TypeError(f"a Parameter's '{name}' should be a bool, but got {type(flag).__name__} {flag!r}")


def owning(array: np.ndarray, name: str) -> Parameter:
    """A Parameter that takes over an array that nobody else has, without a copy."""
    parameter = Parameter(Tensor._wrap(np.empty(0, array.dtype)), name)
    parameter._data = array
    return parameter


def _rebuild(array: np.ndarray, name: str, requires_grad: bool) -> Parameter:
    return Parameter(Tensor._wrap(array), name, requires_grad)


def replace_data(tensor: Tensor, array: np.ndarray) -> None:
    """Give a concrete tensor other numbers, of any shape and dtype."""
    with Layouts.lock:
        old = tensor._data
        if old.shape != array.shape or old.dtype != array.dtype:
            Layouts.version += 1  # no call from here to the next line: a signal handler comes before or after both
        tensor._data = array


def update_data(tensor: Tensor, array: np.ndarray) -> None:
    """Give a tensor the numbers that a program has computed for it: in place where others share its memory."""
    own = tensor._data
    if tensor._shares and own.shape == array.shape and own.dtype == array.dtype:
        np.copyto(own, array)
    else:
        replace_data(tensor, array)


def stand_in(parameter: Parameter, array: np.ndarray) -> Parameter:
    """A Parameter with the same name and properties on another array, for a function that is differentiated by it."""
    new: Parameter = _new(Parameter)
    new.__dict__.update(parameter.__dict__)
    new._data = array
    return new


def check_assignable(parameter: Parameter, dtype: dtypes.DType) -> None:
    """Raise TypeError unless the Parameter can hold numbers of `dtype` without a loss of kind or width."""
    own = parameter.dtype
    if dtype is own:
        return
    order = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
    if order[dtype.kind] > order[own.kind] or (dtype.kind == own.kind and dtype.bits > own.bits):
        raise TypeError(
            f"data of dtype {dtype} cannot be assigned to Parameter '{parameter.name}' of dtype {own}: cast it first"
        )


class ParameterTuple(tuple[Parameter, ...]):
    """A tuple of Parameters, for example of `trainable_params()`, for the `weights` of `grad`.

    Raises:
        TypeError: if an item is no Parameter. ValueError: if two have the same name.

    Examples:
        >>> import mycel as ms
        >>> ms.ParameterTuple([ms.Parameter(ms.Tensor([1.0]), name="w")])[0].name
        'w'
    """

    __slots__ = ()

    def __new__(cls, iterable: Iterable[Parameter] = ()) -> ParameterTuple:
        """The tuple of these Parameters."""
        items = tuple(iterable)
        for item in items:
            if not isinstance(item, Parameter):
                raise TypeError(
                    "For ParameterTuple initialization, the input should be a collection of 'Parameter', but got "
                    f"{type(item)}"
                )
        names: dict[str, Parameter] = {}
        for item in items:
            if names.setdefault(item.name, item) is not item:
                raise ValueError(
                    f"The value {item!r}, its name '{item.name}' already exists. Please set a unique name for the "
                    "parameter."
                )
        return super().__new__(cls, items)

    def clone(self, prefix: str, init: Any = "same") -> ParameterTuple:
        """Clones of all, named with `prefix` and a dot before the name."""
        result = []
        for parameter in self:
            new = parameter.clone(init)
            new.name = f"{prefix}.{new.name}"
            result.append(new)
        return ParameterTuple(result)


def as_value(parameter: Parameter, value: Any) -> Any:
    """A tensor or number as a tensor that may be assigned to the Parameter; errors as in `set_data`."""
    tensor = value if isinstance(value, Tensor) else Tensor(value, parameter.dtype)
    check_assignable(parameter, tensor.dtype)
    return cast(tensor, parameter.dtype)
