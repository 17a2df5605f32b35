"""Functions that are primitives called at once: factorisations in parts, sparse rows, and decoding."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ...frontend.values.arguments import drop_axes, insert_axes
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ..docstrings import Shared
from ..functions.documentation import common
from ..functions.random import rand
from ..functions.table import known_as, made

__all__ = [
    "col2im", "ctc_greedy_decoder", "fractional_max_pool2d", "fractional_max_pool3d", "geqrf",
    "log_uniform_candidate_sampler", "lu_solve", "lu_unpack", "orgqr", "ormqr", "sparse_segment_mean",
    "uniform_candidate_sampler", "unique_with_pad",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        true_classes: integers of shape (N, num_true).
        num_true: how many true classes each row has.
        num_sampled: how many are drawn.
        unique: whether each class is drawn at most once.
        range_max: the number of classes.
        seed: of the draws; 0: another in each call.
        LU_data: both factors in one tensor of shape (..., n, n).
        LU_pivots: integers of shape (..., n), the rows exchanged, counted from 1.

    Raises:
        TypeError: if `true_classes` is no Tensor.
        TypeError: if `LU_data` or `LU_pivots` is no Tensor.
        ValueError: if more classes are drawn than there are.
    """
)


def primitives() -> Any:
    """The module that makes the primitives, which is loaded when the first of them is asked for."""
    return importlib.import_module(".primitives", __package__)


def _primitive(name: str, *arguments: Any, **named: Any) -> Any:
    return getattr(primitives(), name)(*arguments, **named)


@known_as(method=True)
def col2im(
    input_x: Tensor, output_size: Any, kernel_size: Any, dilation: Any, padding_value: Any, stride: Any
) -> Tensor:
    """Windows (N, C, elements of a window, windows) added up into images (N, C, H, W) of a size.

    Args:
        input_x: a floating-point tensor of shape (N, C, elements of a window, windows).
        output_size: a tensor of two integers, height and width of the images.
        kernel_size, dilation, padding_value, stride: one int, or two.

    Raises:
        ValueError: if the shapes do not fit.

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


@common
def ctc_greedy_decoder(
    inputs: Tensor, sequence_length: Tensor, merge_repeated: bool = True
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The likeliest labels of scores (T, N, C), whose last class is the blank.

    Args:
        inputs: a floating-point tensor of shape (T, N, C).
        sequence_length: integers of shape (N).
        merge_repeated: whether repeated labels count once.

    Returns:
        Places (row, position) and values of the labels, the shape of the table they make, and for each row the
        negative sum of the scores.

    Raises:
        ValueError: if a length is above T.

    Examples:
        >>> print(ops.ctc_greedy_decoder(Tensor([[[2.0, 1.0]]]), Tensor([1]))[1])
        [0]
    """
    result: tuple[Tensor, Tensor, Tensor, Tensor] = _primitive("CTCGreedyDecoder", merge_repeated)(
        need_tensor(inputs, "ctc_greedy_decoder", "inputs"), sequence_length
    )
    return result


def _fractional_max_pool(
    axes: int, input: Any, kernel_size: Any, output_size: Any, output_ratio: Any, return_indices: bool, samples: Any
) -> Any:
    function = f"fractional_max_pool{axes}d"
    x = need_tensor(input, function)
    if (output_size is None) == (output_ratio is None):
        raise ValueError(f"{function}: give one of 'output_size' and 'output_ratio'")
    if x.ndim not in (axes + 1, axes + 2):
        raise ValueError(f"{function}: 'input' should have {axes + 1} or {axes + 2} dimensions, but got {x.shape}")
    images = x if x.ndim == axes + 2 else insert_axes(x, (0,))
    if output_size is None:
        ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * axes
        output_size = tuple(int(size * ratio) for size, ratio in zip(images.shape[2:], ratios, strict=True))
    if samples is None:
        samples = rand(*map(int, images.shape[:2]), axes, dtype=images.dtype)
    name = {2: "FractionalMaxPoolWithFixedKsize", 3: "FractionalMaxPool3DWithFixedKsize"}[axes]
    pooled, places = _primitive(name, kernel_size, output_size)(images, samples)
    if x.ndim == axes + 1:
        pooled, places = drop_axes(pooled, (0,)), drop_axes(places, (0,))
    return (pooled, places) if return_indices else pooled


def _fractional(axes: int, **words: str) -> Callable[..., Any]:
    name = f"fractional_max_pool{axes}d"

    def pool(
        input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
        return_indices: bool = False, _random_samples: Any = None,
    ) -> Any:  # fmt: skip
        """{what} cut into windows at random distances, each its maximum.

        Args:
            input: a floating-point tensor of shape {shape}, or without N.
            kernel_size: the size of the windows, one int or {axes}.
            output_size: how many windows there are, one int or {axes}.
            output_ratio: in place of `output_size`: how many windows there are, divided by the sizes of the input.
            return_indices: whether to give the positions of the maxima, too, counted through each image.

        Returns:
            A tensor of the dtype of `input`, or a tuple of it and the positions (Int64).

        Raises:
            TypeError: if `input` is no Tensor.
            ValueError: if not just one of `output_size` and `output_ratio` is given, or the input has other dimensions.

        Examples:
            >>> from mycel import ops
            >>> print(ops.fractional_max_pool{axes}d(ops.ones({example}), 2, output_size=2).shape)
            {result}
        """
        return _fractional_max_pool(
            axes, input, kernel_size, output_size, output_ratio, return_indices, _random_samples
        )

    return made(pool, name, axes=axes, **words)


fractional_max_pool2d = _fractional(
    2, what="Images", shape="(N, C, H, W)", example="(1, 1, 5, 5)", result="(1, 1, 2, 2)"
)
fractional_max_pool3d = _fractional(
    3, what="Volumes", shape="(N, C, D, H, W)", example="(1, 1, 5, 5, 5)", result="(1, 1, 2, 2, 2)"
)


@_shared
def uniform_candidate_sampler(
    true_classes: Tensor, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0,
    remove_accidental_hits: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Classes below `range_max` drawn evenly, and how often the true and the drawn ones are expected; not in graphs.

    Args:
        remove_accidental_hits: whether true classes are left out of the draws.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.uniform_candidate_sampler(Tensor([[0]]), 1, 2, True, 5)[0].shape)
        (2,)
    """
    kind = _primitive("UniformCandidateSampler", num_true, num_sampled, unique, range_max, seed, remove_accidental_hits)
    result: tuple[Tensor, Tensor, Tensor] = kind(need_tensor(true_classes, "uniform_candidate_sampler", "true_classes"))
    return result


@_shared
def log_uniform_candidate_sampler(
    true_classes: Tensor, num_true: int = 1, num_sampled: int = 5, unique: bool = True, range_max: int = 5,
    seed: int = 0,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """As `uniform_candidate_sampler`, with low classes more likely: evenly by their logarithms.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.log_uniform_candidate_sampler(Tensor([[0]]), 1, 2, True, 5)[0].shape)
        (2,)
    """
    kind = _primitive("LogUniformCandidateSampler", num_true, num_sampled, unique, range_max, seed)
    given = need_tensor(true_classes, "log_uniform_candidate_sampler", "true_classes")
    result: tuple[Tensor, Tensor, Tensor] = kind(given)
    return result


@known_as(method=True)
def geqrf(input: Tensor) -> tuple[Tensor, Tensor]:
    """The QR factorisation in parts: R with Householder's vectors below its diagonal, and their factors.

    Args:
        input: a floating-point tensor of shape (..., n, m).

    Raises:
        ValueError: if there are fewer than two dimensions.

    Examples:
        >>> import mycel as ms
        >>> packed, factors = ms.ops.geqrf(ms.Tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> print(packed[0, 0], factors.shape)
        -5.0 (2,)
    """
    result: tuple[Tensor, Tensor] = _primitive("Geqrf")(need_tensor(input, "geqrf"))
    return result


@known_as(method=True)
def orgqr(input: Tensor, input2: Tensor) -> Tensor:
    """The first columns of the orthogonal matrix that `geqrf` gave in parts.

    Args:
        input: what `geqrf` gave, of shape (..., n, m).
        input2: its factors, of shape (..., k).

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.orgqr(Tensor([[1.0]]), Tensor([0.0])))
        [[1.]]
    """
    result: Tensor = _primitive("Orgqr")(need_tensor(input, "orgqr"), need_tensor(input2, "orgqr", "input2"))
    return result


@known_as(method=True)
def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
    """The product of the orthogonal matrix that `geqrf` gave in parts, or of its transpose, with another matrix.

    Args:
        input: what `geqrf` gave, of shape (..., n, m).
        tau: its factors, of shape (..., k).
        other: a matrix whose sizes fit.
        left: whether the orthogonal matrix stands on the left.
        transpose: whether it is transposed.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.ormqr(Tensor([[1.0]]), Tensor([0.0]), Tensor([[3.0]])))
        [[3.]]
    """
    result: Tensor = _primitive("Ormqr", left, transpose)(
        need_tensor(input, "ormqr"), need_tensor(tau, "ormqr", "tau"), need_tensor(other, "ormqr", "other")
    )
    return result


@known_as(method=True, shared=_shared)
def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """The solution of equations whose matrix is given as a packed LU factorisation with pivots.

    Args:
        b: a floating-point tensor of shape (..., n, k).

    Raises:
        TypeError: if `b` or `LU_pivots` is no Tensor.
        ValueError: if the shapes do not fit.

    Examples:
        >>> import mycel as ms
        >>> from mycel import Tensor, ops
        >>> print(ops.lu_solve(Tensor([[4.0]]), Tensor([[2.0]]), Tensor([1], ms.int32)))
        [[2.]]
    """
    operands = (need_tensor(b, "lu_solve", "b"), need_tensor(LU_data, "lu_solve", "LU_data"))
    result: Tensor = _primitive("LuSolve")(*operands, need_tensor(LU_pivots, "lu_solve", "LU_pivots"))
    return result


@_shared
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """The order of rows (a matrix), the lower and the upper factor of a packed LU factorisation.

    Args:
        unpack_data: whether to give the factors.
        unpack_pivots: whether to give the order of rows.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> import mycel as ms
        >>> from mycel import Tensor, ops
        >>> print(ops.lu_unpack(Tensor([[2.0]]), Tensor([1], ms.int32))[2])
        [[2.]]
    """
    order, lower, upper = _primitive("LuUnpack", unpack_data, unpack_pivots)(
        need_tensor(LU_data, "lu_unpack", "LU_data"), LU_pivots
    )
    if unpack_data:
        return (order, lower, upper) if unpack_pivots else (lower, upper)
    return order if unpack_pivots else None


@common
def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """The means of the rows of x at `indices` that have the same number in `segment_ids`.

    Args:
        x: a floating-point tensor of at least one dimension.
        indices: a vector of integers.
        segment_ids: a vector of integers in ascending order, as long as `indices`.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.sparse_segment_mean(Tensor([[1.0], [3.0]]), Tensor([0, 1]), Tensor([0, 0])))
        [[2.]]
    """
    name = "sparse_segment_mean"
    rows, places = need_tensor(x, name, "x"), need_tensor(indices, name, "indices")
    result: Tensor = _primitive("SparseSegmentMean")(rows, places, need_tensor(segment_ids, name, "segment_ids"))
    return result


@known_as(method=True)
def unique_with_pad(x: Tensor, pad_num: Any) -> tuple[Tensor, Tensor]:
    """The different elements, filled up with `pad_num` to the length of x, and which of them each element is.

    Args:
        x: a vector.
        pad_num: the number.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.unique_with_pad(ms.Tensor([1, 1, 5], ms.int32), 8)[0])
        [1 5 8]
    """
    result: tuple[Tensor, Tensor] = _primitive("UniqueWithPad")(need_tensor(x, "unique_with_pad", "x"), pad_num)
    return result
