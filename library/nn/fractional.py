"""Fractional max pooling: maxima over windows at random places, as many as the result has elements."""

from __future__ import annotations

from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from .. import ops
from ..docstrings import sections
from .checks import check_bool

_TAKES_TENSORS = True

__all__ = ["FractionalMaxPool2d", "FractionalMaxPool3d", "fractional_max_pool2d", "fractional_max_pool3d"]


def _pooled(axes: int, x: Any, size: Any, output: Any, ratio: Any, both: bool, samples: Any) -> Any:
    owner = f"fractional_max_pool{axes}d"
    check_bool(both, "return_indices", owner)
    if (output is None) == (ratio is None):
        raise ValueError(f"For '{owner}', give one of 'output_size' and 'output_ratio'")
    if x.ndim not in (axes + 1, axes + 2):
        raise ValueError(f"For '{owner}', the input should have {axes + 1} or {axes + 2} axes, but got {x.shape}")
    batched = x.ndim == axes + 2
    x = x if batched else ops.expand_dims(x, 0)
    if samples is None:
        samples = ops.rand(*x.shape[:2], axes, dtype=x.dtype if x.dtype.is_float else None)
    if output is None:
        ratios = (ratio,) * axes if isinstance(ratio, (int, float)) else tuple(ratio)
        if not all(0 < part < 1 for part in ratios):
            raise ValueError(f"For '{owner}', the 'output_ratio' should lie between 0 and 1, but got {ratio}")
        output = tuple(int(extent * part) for extent, part in zip(x.shape[2:], ratios, strict=True))
    kind = ops.FractionalMaxPoolWithFixedKsize if axes == 2 else ops.FractionalMaxPool3DWithFixedKsize
    found: Any = kind(size, output)(x, samples)
    found = found if batched else tuple(part[0] for part in found)
    return found if both else found[0]


def fractional_max_pool2d(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:  # fmt: skip
    """Maxima over windows at random places of images.

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: the size of the windows.
        output_size: the size of the result; or
        output_ratio: its size as a part of the input's.
        return_indices: whether the places of the maxima are given, too.
        _random_samples: (N, C, 2) in [0, 1): where the windows lie; None: random.

    Raises:
        ValueError: for other shapes, and without one of the two sizes.
    """
    return _pooled(2, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool3d(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:  # fmt: skip
    """Maxima over windows at random places of (N, C, D, H, W); arguments as for `fractional_max_pool2d`."""
    return _pooled(3, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


class _Fractional(Cell):
    axes = 2

    def __init__(
        self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.output_size, self.output_ratio = kernel_size, output_size, output_ratio
        self.return_indices, self._random_samples = return_indices, _random_samples

    def construct(self, input: Any) -> Any:
        """The maxima, with `return_indices` also their places."""
        sizes = (self.kernel_size, self.output_size, self.output_ratio)
        return _pooled(self.axes, input, *sizes, self.return_indices, self._random_samples)


_SIZES = {
    "Raises": """
        TypeError: if the input is no float Tensor.
        ValueError: unless one of output_size and output_ratio is given, or for sizes out of range.
    """
}


@sections(**_SIZES)
class FractionalMaxPool2d(_Fractional):
    """The maxima of windows that lie at random places, so that sizes shrink by any factor.

    Args:
        kernel_size: a positive int, or (height, width): the size of a window.
        output_size: a positive int, or two: the size of the result. Default: None.
        output_ratio: a number in (0, 1), or two: the size of the result in place of output_size. Default: None.
        return_indices: whether the positions of the maxima are returned as well. Default: False.
        _random_samples: a float tensor of shape [N, C, 2], numbers in [0, 1) that say where the windows lie. Default:
            None, for random ones.

    Inputs:
        input: a float tensor of shape [N, C, H, W] or [C, H, W].

    Outputs:
        A tensor of the dtype of the input, of shape [N, C, height, width] or [C, height, width]; with return_indices a
        pair with an int tensor of the same shape.

    Examples:
        >>> from mycel import nn, ops
        >>> pool = nn.FractionalMaxPool2d(2, output_size=(2, 3))
        >>> print(pool(ops.ones((1, 1, 5, 7))).shape)
        (1, 1, 2, 3)
    """


@sections(**_SIZES)
class FractionalMaxPool3d(_Fractional):
    """The maxima of windows of volumes that lie at random places, so that sizes shrink by any factor.

    Args:
        kernel_size: a positive int, or (depth, height, width): the size of a window.
        output_size: a positive int, or three: the size of the result. Default: None.
        output_ratio: a number in (0, 1), or three: the size of the result in place of output_size. Default: None.
        return_indices: whether the positions of the maxima are returned as well. Default: False.
        _random_samples: a float tensor of shape [N, C, 3], numbers in [0, 1) that say where the windows lie. Default:
            None, for random ones.

    Inputs:
        input: a float tensor of shape [N, C, D, H, W] or [C, D, H, W].

    Outputs:
        A tensor of the dtype of the input, of shape [N, C, depth, height, width] or without N; with return_indices a
        pair with an int tensor of the same shape.

    Examples:
        >>> from mycel import nn, ops
        >>> pool = nn.FractionalMaxPool3d(2, output_size=2)
        >>> print(pool(ops.ones((1, 1, 5, 5, 5))).shape)
        (1, 1, 2, 2, 2)
    """

    axes = 3
