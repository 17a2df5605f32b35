"""Functions that are primitives called at once: factorisations in parts, sparse rows, and decoding."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ..tensor import Tensor
from .operands import need_tensor
from .special import i0, igamma, igammac

__all__ = [
    "col2im", "ctc_greedy_decoder", "geqrf", "lu_solve", "lu_unpack", "orgqr", "ormqr", "sparse_segment_mean",
    "unique_with_pad",
]  # fmt: skip


def _primitive(name: str, *arguments: Any, **named: Any) -> Any:
    kind = getattr(importlib.import_module(f"{__package__}.primitives"), name)
    return kind(*arguments, **named)


def col2im(
    input_x: Tensor, output_size: Any, kernel_size: Any, dilation: Any, padding_value: Any, stride: Any
) -> Tensor:
    """Windows (N, C, elements of a window, windows) added up into images (N, C, H, W) of a size.

    Examples:
        >>> import mycel as ms
        >>> x = ms.ops.ones((1, 1, 4, 1))
        >>> print(ms.ops.col2im(x, ms.Tensor([2, 2], ms.int32), [2, 2], [1, 1], [0, 0], [1, 1]).shape)
        (1, 1, 2, 2)
    """
    result: Tensor = _primitive("Col2Im", kernel_size, dilation, padding_value, stride)(
        need_tensor(input_x, "col2im"), output_size
    )
    return result


def ctc_greedy_decoder(
    inputs: Tensor, sequence_length: Tensor, merge_repeated: bool = True
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The likeliest labels of scores (T, N, C), whose last class is the blank.

    Returns:
        Places (row, position) and values of the labels, the shape of the table they make, and for each row the
        negative sum of the scores.
    """
    result: tuple[Tensor, Tensor, Tensor, Tensor] = _primitive("CTCGreedyDecoder", merge_repeated)(
        inputs, sequence_length
    )
    return result


def geqrf(input: Tensor) -> tuple[Tensor, Tensor]:
    """The QR factorisation in parts: R with Householder's vectors below its diagonal, and their factors.

    Examples:
        >>> import mycel as ms
        >>> packed, factors = ms.ops.geqrf(ms.Tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> print(packed[0, 0], factors.shape)
        -5.0 (2,)
    """
    result: tuple[Tensor, Tensor] = _primitive("Geqrf")(need_tensor(input, "geqrf"))
    return result


def orgqr(input: Tensor, input2: Tensor) -> Tensor:
    """The first columns of the orthogonal matrix that `geqrf` gave in parts."""
    result: Tensor = _primitive("Orgqr")(need_tensor(input, "orgqr"), need_tensor(input2, "orgqr", "input2"))
    return result


def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
    """The product of the orthogonal matrix that `geqrf` gave in parts, or of its transpose, with another matrix."""
    result: Tensor = _primitive("Ormqr", left, transpose)(
        need_tensor(input, "ormqr"), need_tensor(tau, "ormqr", "tau"), need_tensor(other, "ormqr", "other")
    )
    return result


def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """The solution of equations whose matrix is given as a packed LU factorisation with pivots."""
    result: Tensor = _primitive("LuSolve")(need_tensor(b, "lu_solve", "b"), LU_data, LU_pivots)
    return result


def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """The order of rows (a matrix), the lower and the upper factor of a packed LU factorisation."""
    order, lower, upper = _primitive("LuUnpack", unpack_data, unpack_pivots)(
        need_tensor(LU_data, "lu_unpack", "LU_data"), LU_pivots
    )
    if unpack_data:
        return (order, lower, upper) if unpack_pivots else (lower, upper)
    return order if unpack_pivots else None


def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """The means of the rows of x at `indices` that have the same number in `segment_ids`."""
    result: Tensor = _primitive("SparseSegmentMean")(need_tensor(x, "sparse_segment_mean", "x"), indices, segment_ids)
    return result


def unique_with_pad(x: Tensor, pad_num: Any) -> tuple[Tensor, Tensor]:
    """The different elements, filled up with `pad_num` to the length of x, and which of them each element is.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.unique_with_pad(ms.Tensor([1, 1, 5], ms.int32), 8)[0])
        [1 5 8]
    """
    result: tuple[Tensor, Tensor] = _primitive("UniqueWithPad")(need_tensor(x, "unique_with_pad", "x"), pad_num)
    return result


TENSOR_METHODS: dict[str, Callable[..., Any]] = {
    "col2im": col2im, "geqrf": geqrf, "lu_solve": lu_solve, "orgqr": orgqr, "ormqr": ormqr,
    "unique_with_pad": unique_with_pad, "i0": i0, "igamma": igamma, "igammac": igammac,
}  # fmt: skip
"""Those that are methods of tensors, too, and special functions that are."""
