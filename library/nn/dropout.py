"""Dropout of elements and of channels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...frontend.values.arguments import need_type
from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from .held import primitives
from .sections import CHANNELS, sections

_TAKES_TENSORS = True

__all__ = [
    "Dropout", "Dropout1d", "Dropout2d", "Dropout3d",
]  # fmt: skip


class Dropout(Cell):
    """In training, sets elements to zero at random and divides the others by 1 - p, so that the expected value stays.

    Out of training the output is the input.

    Args:
        keep_prob: a number in (0, 1], the share that is kept, if p is None. Deprecated. Default: 0.5.
        p: a number in [0, 1), the share that is set to zero. Default: None.
        dtype: accepted, without meaning. Default: float32.

    Inputs:
        x: a float tensor of any shape.

    Outputs:
        A tensor of the shape and dtype of x.

    Raises:
        TypeError: if keep_prob or p is no number, or x is no Tensor.
        ValueError: if p is outside [0, 1), or keep_prob outside (0, 1].

    Examples:
        >>> import mycel as ms
        >>> layer = ms.nn.Dropout(p=0.5)
        >>> print(layer(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    _held = primitives(dropout=lambda layer: ops.Dropout(layer.keep_prob if layer.p is None else 1.0 - layer.p))

    def __init__(self, keep_prob: float = 0.5, p: float | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__()
        if p is None:
            need_type(keep_prob, int | float, "For 'Dropout', the 'keep_prob' should be a number")
            if not 0 < keep_prob <= 1:
                raise ValueError(f"For 'Dropout', the 'keep_prob' should be in (0, 1], but got {keep_prob}")
        else:
            _check_share(p, "Dropout", below_one=True)
        self.keep_prob = keep_prob
        self.p = p
        self.dtype = dtype

    def construct(self, x: Any) -> Tensor:
        """x, in training with dropout."""
        share = 1.0 - self.keep_prob if self.p is None else self.p
        if not self.training or share == 0:
            return x
        return ops.dropout(x, share)

    def extend_repr(self) -> str:
        """The share."""
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


def _check_share(p: Any, owner: str, below_one: bool = False) -> None:
    need_type(p, int | float, f"For '{owner}', the 'p' should be a number")
    if not (0 <= p < 1 if below_one else 0 <= p <= 1):
        raise ValueError(f"For '{owner}', the 'p' should be in [0, 1{')' if below_one else ']'}, but got {p}")


class _DropoutChannels(Cell):
    """In training sets whole channels to zero at random."""

    function: Callable[..., Any]
    _held = primitives(keep_prob=lambda layer: 1.0 - layer.prob)

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        _check_share(p, type(self).__name__)
        self.prob = p

    def construct(self, x: Any) -> Tensor:
        """x, in training with dropout."""
        if not self.training or self.prob == 0:
            return x
        return type(self).function(x, self.prob)

    def extend_repr(self) -> str:
        """The share."""
        return f"p={self.prob}"


@sections(**CHANNELS)
class Dropout1d(_DropoutChannels):
    """In training, sets whole channels of sequences to zero at random and divides the others by 1 - p.

    Inputs:
        x: a float tensor of shape [N, C, L] or [C, L].

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Dropout1d()(Tensor([[[1.0, 2.0]]])))
        [[[1. 2.]]]
    """

    function = staticmethod(lambda x, p: ops.dropout1d(x, p))

    def extend_repr(self) -> str:
        """Nothing, as in MindSpore."""
        return ""


@sections(**CHANNELS)
class Dropout2d(_DropoutChannels):
    """In training, sets whole channels of images to zero at random and divides the others by 1 - p.

    Inputs:
        x: a float tensor of shape [N, C, H, W] or [C, H, W].

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Dropout2d(p=1.0).set_train()(Tensor([[[[1.0, 2.0]]]])))
        [[[[0. 0.]]]]
    """

    _held = primitives(dropout2d=lambda layer: ops.Dropout2D(layer.keep_prob))

    function = staticmethod(lambda x, p: ops.dropout2d(x, p))


@sections(**CHANNELS)
class Dropout3d(_DropoutChannels):
    """In training, sets whole channels of volumes to zero at random and divides the others by 1 - p.

    Inputs:
        x: a float tensor of shape [N, C, D, H, W] or [C, D, H, W].

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Dropout3d(p=1.0).set_train()(Tensor([[[[[1.0, 2.0]]]]])))
        [[[[[0. 0.]]]]]
    """

    _held = primitives(dropout3d=lambda layer: ops.Dropout3D(layer.keep_prob))

    function = staticmethod(lambda x, p: ops.dropout3d(x, p))
