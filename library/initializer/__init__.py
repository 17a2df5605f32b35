"""Initializers (`mindspore.common.initializer`), and tensors that they fill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.arena import aligned_zeros, shared_view
from .draws import Array
from .kinds import (
    Constant,
    Dirac,
    HeNormal,
    HeUniform,
    Identity,
    Initializer,
    Normal,
    One,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    Zero,
)

__all__ = [
    "Constant", "Dirac", "HeNormal", "HeUniform", "Identity", "Initializer", "Normal", "One", "Orthogonal",
    "Sparse", "TruncatedNormal", "Uniform", "VarianceScaling", "XavierNormal", "XavierUniform", "Zero", "filled",
    "initializer",
]  # fmt: skip


_INITIAL = str | Initializer | int | float | bool
_KINDS: tuple[type[Initializer], ...] = (
    Zero, One, Normal, Uniform, TruncatedNormal, XavierUniform, XavierNormal, HeUniform, HeNormal, VarianceScaling,
    Orthogonal, Identity, Dirac,
)  # fmt: skip
_BY_NAME: dict[str, Callable[[], Initializer]] = {
    **{kind.__name__.lower(): kind for kind in _KINDS}, "zeros": Zero, "ones": One, "he_uniform": HeUniform,
    "he_normal": HeNormal, "xavier_uniform": XavierUniform, "xavier_normal": XavierNormal,
}  # fmt: skip


def initializer(init: Any, shape: Any = None, dtype: Any = dtypes.float32) -> Tensor:
    """A new tensor filled by an initializer. Each call draws new numbers (the same again after `set_seed`).

    Args:
        init: the name of an initializer ('normal', 'zeros', 'he_uniform', …), an `Initializer`, a number, or a Tensor
            that already has the shape.
        shape: an int or a sequence of positive ints. Default: None, for that of the Tensor.
        dtype: the dtype of the result. Default: float32.

    Returns:
        A Tensor (MindSpore gives an unfilled one; here `init_data()` is not needed and does nothing).

    Raises:
        TypeError: if `init` is of another type.
        ValueError: if there is no initializer of that name, or the shape is not of positive ints.

    Examples:
        >>> import mycel as ms
        >>> print(ms.common.initializer.initializer("ones", [1, 2], ms.float32))
        [[1. 1.]]
    """
    if isinstance(init, Tensor):
        if shape is not None and tuple(init.shape) != _as_shape(shape):
            raise ValueError(f"initializer's 'init' has shape {init.shape}, which differs from 'shape' {shape}")
        return init
    need_type(init, _INITIAL, "initializer's 'init' should be a Tensor, a number, a name or an Initializer")
    if shape is None:
        raise ValueError("initializer needs a 'shape'")
    return Tensor._wrap(_filled(init, _as_shape(shape), dtypes.as_dtype(dtype)))


def _as_shape(shape: Any) -> tuple[int, ...]:
    items = tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)
    for item in items:
        if isinstance(item, bool) or not isinstance(item, (int, np.integer)) or item <= 0:
            raise ValueError(f"initializer's 'shape' should be of positive ints, but got {shape}")
    return tuple(map(int, items))


def _filled(init: Any, shape: tuple[int, ...], dtype: dtypes.DType) -> Array:
    """A new array filled by an initializer, the name of one, or a number."""
    if isinstance(init, str):
        make = _BY_NAME.get(init.lower())
        if make is None:
            raise ValueError(f"there is no initializer named {init!r}; the names are {', '.join(sorted(_BY_NAME))}")
        init = make()
    elif isinstance(init, (int, float)):
        init = Constant(init)
    # Drawn in float32 at least, so that narrow dtypes get the rounded numbers of wide ones.
    array = aligned_zeros(shape, np.float32 if dtype.np.itemsize < 4 else dtype.np)
    if type(init) is not Zero:  # pages of zeros take memory and time only when something else is written to them
        init(shared_view(array))  # which an initializer of the user's may keep
    return array.astype(dtype.np, copy=False)


def filled(init: Any, shape: tuple[int, ...], dtype: dtypes.DType) -> Array:
    """The numbers of `Tensor(shape=…, init=…)`.

    Args:
        init: an `Initializer`, its name, or a number.
        shape: a tuple of ints.
        dtype: the dtype of the result.

    Returns:
        A filled NumPy array.

    Raises:
        ValueError: if there is no initializer of that name.

    Examples:
        >>> import mycel as ms
        >>> print(ms.Tensor(shape=(2,), dtype=ms.float32, init="ones"))
        [1. 1.]
    """
    if isinstance(init, Tensor):
        return np.array(init.asnumpy(), dtype.np)
    need_type(init, _INITIAL, "Tensor's 'init' should be an Initializer, a number or a name")
    return _filled(init, tuple(shape), dtype)
