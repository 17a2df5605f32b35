"""`get_activation`, which finds an activation layer by its name, and all activation layers."""

from __future__ import annotations

from typing import Any

from ...frontend.values.cell import Cell
from .activation_pieces import (
    Hardtanh,
    HShrink,
    HSigmoid,
    HSwish,
    LeakyReLU,
    PReLU,
    ReLU,
    ReLU6,
    RReLU,
    SoftShrink,
    Threshold,
)
from .activation_smooth import (
    CELU,
    ELU,
    GELU,
    GLU,
    FastGelu,
    LogSigmoid,
    LogSoftmax,
    Mish,
    SeLU,
    Sigmoid,
    SiLU,
    Softmax,
    Softmax2d,
    Softmin,
    Softsign,
    Tanh,
    Tanhshrink,
)

_TAKES_TENSORS = True

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "FastGelu", "HShrink", "HSigmoid", "HSwish", "Hardtanh", "LeakyReLU", "LogSigmoid",
    "LogSoftmax", "Mish", "PReLU", "RReLU", "ReLU", "ReLU6", "SeLU", "SiLU", "Sigmoid", "SoftShrink", "Softmax",
    "Softmax2d", "Softmin", "Softsign", "Tanh", "Tanhshrink", "Threshold", "get_activation",
]  # fmt: skip

_LAYERS = (
    Softmin, Softmax, Softmax2d, LogSoftmax, ReLU, ReLU6, RReLU, SiLU, Tanh, Tanhshrink, GELU, FastGelu, ELU, SeLU,
    CELU, Sigmoid, Softsign, PReLU, LeakyReLU, HSwish, HSigmoid, Mish, LogSigmoid, SoftShrink, HShrink, Threshold,
)  # fmt: skip
_ACTIVATIONS: dict[str, type[Cell]] = {
    "fast_gelu" if layer is FastGelu else layer.__name__.lower(): layer for layer in _LAYERS
}


def get_activation(name: Any, prim_name: str | None = None) -> Any:
    """Make the activation layer of a name, with its default options.

    Args:
        name: such as 'relu', 'sigmoid' or 'softmax'. None and '' stand for no activation.
        prim_name: put before the error message. Default: None.

    Returns:
        The layer, a Cell; None for no activation.

    Raises:
        KeyError: if no activation has this name.

    Examples:
        >>> from mycel import nn
        >>> nn.get_activation("relu")
        ReLU()
    """
    if not name:
        return None
    if name not in _ACTIVATIONS:
        where = f"{prim_name}: " if prim_name else ""
        raise KeyError(f"{where}there is no activation named {name!r}; the names are {', '.join(_ACTIVATIONS)}")
    return _ACTIVATIONS[name]()
