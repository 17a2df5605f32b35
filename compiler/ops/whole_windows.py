"""Convolutions whose window is the whole image: products of matrices.

    out[n, o] = Σ over elements e of an image of  x[n, e] * w[o, e]

The gradient by input is a transposed convolution of images of one pixel, as the first layer of a generator.
"""

from __future__ import annotations

import math
from typing import Any

from .linalg import matmul
from .shape import reshape, transpose


def product_conv(x: Any, w: Any, *, padding: Any, groups: int, **windows: Any) -> Any:
    """The convolution; None where the window is smaller, or there is padding."""
    if not _is_whole(x.shape[2:], w.shape[2:], padding, groups, windows["dilation"]):
        return None
    made = matmul(_rows(x), transpose(_rows(w), axes=(1, 0)))
    return reshape(made, shape=(*made.shape, *[1] * len(padding)))


def product_input_grad(dout: Any, w: Any, *like: Any, spatial: Any, padding: Any, groups: int, **windows: Any) -> Any:
    """Its gradient by input; None as there."""
    if like or not _is_whole(spatial, w.shape[2:], padding, groups, windows["dilation"]):
        return None
    return reshape(matmul(_rows(dout), _rows(w)), shape=(dout.shape[0], *w.shape[1:]))


def product_weight_grad(dout: Any, x: Any, *like: Any, kernel: Any, padding: Any, groups: int, **windows: Any) -> Any:
    """Its gradient by weight; None as there."""
    if like or not _is_whole(x.shape[2:], kernel, padding, groups, windows["dilation"]):
        return None
    made = matmul(transpose(_rows(dout), axes=(1, 0)), _rows(x))
    return reshape(made, shape=(dout.shape[1], *x.shape[1:]))


def _is_whole(spatial: Any, kernel: Any, padding: Any, groups: int, dilation: Any) -> bool:
    if None in (*spatial, *kernel) or tuple(spatial) != tuple(kernel) or groups != 1 or any(map(any, padding)):
        return False
    return all(size == 1 or step == 1 for size, step in zip(kernel, dilation, strict=True))


def _rows(array: Any) -> Any:
    """One row for each image, or each output."""
    return reshape(array, shape=(array.shape[0], math.prod(array.shape[1:])))
