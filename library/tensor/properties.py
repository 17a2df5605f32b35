"""Methods of tensors on memory, and MindSpore's methods for initialization."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.state import STATE
from ...frontend.values.dispatch import apply, as_tensor
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.parameter import replace_data
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops


def _storage_offset(self: Tensor) -> int:
    """0: a tensor starts where its memory starts.

    Raises:
        TypeError: if an argument is given.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0]).storage_offset())
        0
    """
    return 0


def _itemset(self: Tensor, *args: Any) -> Tensor:
    """A copy in which one element is replaced: `itemset(position, value)`, or `itemset(value)` for one element.

    Args:
        args: the position, if there are several elements, and the number.

    Raises:
        IndexError: if there are several elements and no position.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0, 2.0]).itemset(0, 9.0))
        [9. 2.]
    """
    if len(args) not in (1, 2):
        raise TypeError(f"itemset takes a value, or a position and a value, but got {len(args)} arguments")
    result: Any = apply(prims.copy, self)
    if len(args) == 1:
        if self.size != 1:
            raise IndexError(f"itemset needs a position in a tensor of shape {self.shape}")
        return ops.full_like(self, args[0])
    position = args[0]
    if isinstance(position, int):
        position = tuple(int(part) for part in np.unravel_index(position, self.shape))
    result[tuple(position)] = args[1]
    return result


def _assign_value(self: Tensor, value: Any) -> Tensor:
    """Give the tensor the numbers of another, and its shape and dtype; gives the tensor.

    Args:
        value: a tensor of any shape and dtype.

    Raises:
        TypeError: if `value` is no Tensor.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0]).assign_value(Tensor([2.0, 3.0])))
        [2. 3.]
    """
    new = as_tensor(value)
    if STATE.trace is not None:
        return assign_inplace(self, new)
    replace_data(self, np.array(new._data, order="C"))
    return self


def _set_dtype(self: Tensor, dtype: Any) -> Any:
    """Convert the tensor itself; gives the dtype.

    Args:
        dtype: the dtype.

    Raises:
        TypeError: if it is no dtype.

    Examples:
        >>> import mycel as ms
        >>> from mycel import Tensor
        >>> print(Tensor([1.7]).set_dtype(ms.int32))
        Int32
    """
    wanted = dtypes.as_dtype(dtype)
    replace_data(self, self.asnumpy().astype(wanted.np))
    return wanted


def _set_const_arg(self: Tensor, const_arg: bool = True) -> Tensor:
    """Whether compiled functions take the tensor's numbers as constants, compiling anew for others; the tensor.

    Args:
        const_arg: whether they do.

    Raises:
        TypeError: if more arguments are given.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0]).set_const_arg())
        [1.]
    """
    self._const_arg = bool(const_arg)
    return self


def _requires_grad(self: Tensor, requires_grad: bool = True) -> None:
    """Accepted: which gradients are computed is said where `grad` is called.

    Args:
        requires_grad: accepted.

    Raises:
        TypeError: if more arguments are given.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0]).requires_grad_())
        None
    """


def _data_ptr(self: Tensor) -> int:
    """The address of the first element.

    Raises:
        TypeError: if an argument is given.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0]).data_ptr() > 0)
        True
    """
    return int(self.asnumpy().ctypes.data)


def _device(self: Tensor) -> str:
    return "CPU"


def _nothing(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The tensor: there is one device, and data is always there.

    Args:
        args, kwargs: accepted.

    Raises:
        TypeError: if it is not called on a tensor.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0]).data_sync())
        [1.]
    """
    return self


def _random_uniform(self: Tensor, from_: Any = 0.0, to: Any = 1.0, generator: Any = None) -> Tensor:
    """Numbers uniform in [from_, to), in the shape and dtype of the tensor.

    Args:
        from_: the least number.
        to: the bound, which a number reaches only where the dtype has none so close to it.
        generator: accepted.

    Raises:
        TypeError: if `from_` is larger than `to`.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0, 2.0]).uniform(3.0, 3.0))
        [3. 3.]
    """
    from ..functions.random import uniform_like  # late: `import mycel` needs it not

    return uniform_like(self, from_, to)


def _random_categorical(self: Tensor, num_sample: int, seed: int = 0, dtype: Any = dtypes.int64) -> Tensor:
    """Positions drawn in proportion to the exponentials of the rows of a matrix; see `ops.random_categorical`.

    Args:
        num_sample: how many to draw from each row.
        seed: of a generator for these draws; None: the global one.
        dtype: the dtype of the positions.

    Raises:
        TypeError: if the matrix is not of a floating-point dtype.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([[-100.0, 100.0]]).random_categorical(3))
        [[1 1 1]]
    """
    return ops.random_categorical(self, num_sample, seed, dtype)


def _is_elsewhere(self: Tensor) -> bool:
    """False: no tensor is in memory of a device, of other processes, or nowhere.

    Raises:
        TypeError: if an argument is given.

    Examples:
        >>> from mycel import Tensor
        >>> Tensor([1.0]).is_pinned()
        False
    """
    return False


TENSOR_METHODS: dict[str, Any] = {
    "storage_offset": _storage_offset, "itemset": _itemset, "assign_value": _assign_value, "set_dtype": _set_dtype,
    "set_const_arg": _set_const_arg, "requires_grad_": _requires_grad, "device": property(_device), "move_to": _nothing,
    "data_ptr": _data_ptr,
    "uniform": _random_uniform, "random_categorical": _random_categorical, "is_pinned": _is_elsewhere,
    "is_shared": _is_elsewhere, "is_meta": property(_is_elsewhere),
    "pin_memory": _nothing, "offload": _nothing, "init_data": _nothing, "data_sync": _nothing,
}  # fmt: skip
