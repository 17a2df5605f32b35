"""Array functions that cut, pad and move blocks: slice, strided_slice, pad, roll, flip, rot90, space_to_depth, …"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import (
    alternative,
    choice,
    cut,
    many_axes,
    one_axis,
    shape_of,
    unpack,
    whole_number,
    whole_numbers,
)
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor, is_traced
from ...runtime import dtypes
from .array_shape import ravel, reshape, swapaxes, transpose
from .table import known_as, method

__all__ = [
    "batch_to_space_nd", "depth_to_space", "flip", "fliplr", "flipud", "mirror_pad", "narrow", "pad", "padding",
    "reverse", "reverse_sequence", "roll", "rot90", "slice", "space_to_batch_nd", "space_to_depth", "strided_slice",
]  # fmt: skip


@known_as(primitive="Slice")
def slice(input_x: Tensor, begin: Any, size: Any) -> Tensor:
    """The block of `size` (-1: up to the end) that begins at `begin`.

    Args:
        input_x: a tensor of any shape and dtype.
        begin: where it begins, one int a dimension.
        size: how large it is, one int a dimension.

    Raises:
        ValueError: if the block leaves the tensor.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.slice(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (2, -1)))
        [[2 3]
         [5 6]]
    """
    x = need_tensor(input_x, "slice", "input_x")
    wanted = whole_numbers(size, "slice", "size")
    if is_traced(begin) or (isinstance(begin, (tuple, list)) and any(is_traced(item) for item in begin)):
        return _slice_from(x, begin, wanted)
    starts = whole_numbers(begin, "slice", "begin")
    if not len(starts) == len(wanted) == x.ndim:
        raise ValueError(f"slice: 'begin' {starts} and 'size' {wanted} should have one number a dimension of {x.shape}")
    for axis, (start, count) in enumerate(zip(starts, wanted, strict=True)):
        length = shape_of(x)[axis]
        if length is not None and not (0 <= start <= length and -1 <= count <= length - start):
            raise ValueError(f"slice: {count} elements from {start} leave dimension {axis} of shape {x.shape}")
        x = cut(x, axis, start, None if count == -1 else start + count)
    return x


def _slice_from(x: Tensor, begin: Any, wanted: tuple[int, ...]) -> Tensor:
    """A block of a known size at a place that only the run knows."""
    items = [cut(begin, 0, axis, axis + 1) for axis in range(x.ndim)] if isinstance(begin, Tensor) else list(begin)
    if -1 in wanted or len(items) != x.ndim or len(wanted) != x.ndim:
        raise ValueError(f"slice: with 'begin' from a tensor, 'size' should give a count a dimension, but got {wanted}")
    starts = [reshape(item, ()) if isinstance(item, Tensor) else Tensor(item, dtypes.int64) for item in items]
    return apply(prims.dynamic_slice, x, *starts, sizes=wanted)


def strided_slice(
    input_x: Tensor, begin: Any, end: Any, strides: Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0,
) -> Tensor:  # fmt: skip
    """The elements from `begin` to `end` by `strides` along each dimension, as Python slices.

    Args:
        input_x: a tensor of any shape and dtype.
        begin, end, strides: tuples of ints, one a dimension.
        begin_mask, end_mask: bits of the places where `begin` or `end` is ignored.
        ellipsis_mask: the bit of the place that stands for all dimensions not named.
        new_axis_mask: bits of the places that make a new dimension of size one.
        shrink_axis_mask: bits of the places that take the element at `begin` only, without a dimension.

    Raises:
        TypeError: if `input_x` is no Tensor.
        ValueError: if a stride is 0.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.strided_slice(Tensor([1, 2, 3, 4]), (0,), (4,), (2,)))
        [1 3]
    """
    x = need_tensor(input_x, "strided_slice", "input_x")
    starts, stops = whole_numbers(begin, "strided_slice", "begin"), whole_numbers(end, "strided_slice", "end")
    steps = whole_numbers(strides, "strided_slice", "strides")
    if not len(starts) == len(stops) == len(steps):
        raise ValueError(f"strided_slice: 'begin' {starts}, 'end' {stops} and 'strides' {steps} differ in length")
    key: list[Any] = []
    for place, (start, stop, step) in enumerate(zip(starts, stops, steps, strict=True)):
        bit = 1 << place
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(start)
        else:
            key.append(_bounds(None if begin_mask & bit else start, None if end_mask & bit else stop, step))
    return x[tuple(key)]


def _bounds(start: int | None, stop: int | None, step: int) -> Any:
    import builtins

    return builtins.slice(start, stop, step)


@known_as(primitive="SliceExt")
def narrow(input: Tensor, axis: int, start: Any, length: int) -> Tensor:
    """The `length` elements from `start` on along an axis.

    Args:
        input: a tensor of any shape and dtype.
        axis: the axis; a negative one counts from the end.
        start: the first position.
        length: how many.

    Raises:
        ValueError: if they leave the tensor.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.narrow(Tensor([1, 2, 3]), 0, 1, 2))
        [2 3]
    """
    x = need_tensor(input, "narrow")
    place, count = one_axis(axis, x.ndim, "narrow"), whole_number(length, "narrow", "length")
    if is_traced(start):
        zero = Tensor(0, dtypes.int64)
        starts = [reshape(start, ()) if position == place else zero for position in range(x.ndim)]
        wanted = tuple(count if position == place else int(size) for position, size in enumerate(x.shape))
        return apply(prims.dynamic_slice, x, *starts, sizes=wanted)
    first = whole_number(start, "narrow", "start")
    whole = shape_of(x)[place]
    if whole is not None:
        first = first + whole if first < 0 else first
        if first < 0 or not 0 <= count <= whole - first:
            raise ValueError(f"narrow: {length} elements from {start} leave dimension {place} of shape {x.shape}")
    return cut(x, place, first, first + count)


@method("narrow")
def narrow_method(self: Tensor, axis: Any = None, start: Any = None, length: Any = None, *, dim: Any = None) -> Tensor:
    """The `length` elements from `start` on along an axis; see `ops.narrow`.

    Args:
        axis: the axis; a negative one counts from the end.
        start: the first position.
        length: how many.
        dim: another name of `axis`.

    Raises:
        ValueError: if `axis` is out of range, or the part does not lie inside the tensor.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1, 2, 3]).narrow(0, 1, 2))
        [2 3]
    """
    return narrow(self, alternative(axis, dim, None), start, length)


def pad(input_x: Tensor, padding: Any, mode: str = "constant", value: Any = None) -> Tensor:
    """The tensor padded.

    Args:
        input_x: a tensor of any shape and dtype.
        padding: how much, from the last dimension on: (left, right, top, bottom, …). Negative counts crop.
        mode: "constant" pads with `value` (0), "reflect" mirrors without the edge, "replicate" repeats the edge,
            "circular" goes on at the other side.
        value: the number for the mode "constant"; None: 0.

    Raises:
        ValueError: if the number of counts is odd or too large, or more is mirrored than there is.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.pad(ms.Tensor([[1, 2, 3]]), (1, 2)))
        [[0 1 2 3 0 0]]
    """
    x = need_tensor(input_x, "pad", "input_x")
    counts = whole_numbers(padding, "pad", "padding")
    if not len(counts):
        return x
    if len(counts) % 2 or len(counts) > 2 * x.ndim:
        raise ValueError(f"pad: 'padding' should give two counts a dimension of shape {x.shape}, but got {counts}")
    choice(mode, ("constant", "reflect", "replicate", "circular"), "pad", "mode")
    pairs = [(counts[place], counts[place + 1]) for place in range(0, len(counts), 2)]
    widths = [(0, 0)] * (x.ndim - len(pairs)) + pairs[::-1]
    if mode == "constant":
        return _pad_constant(x, widths, 0 if value is None else value)
    if value is not None and value != 0:
        raise ValueError(f"pad: 'value' only goes with mode 'constant', but got mode {mode!r}")
    return pad_with_itself(x, widths, mode)


def _pad_constant(x: Tensor, widths: list[tuple[int, int]], value: Any) -> Tensor:
    low, high = tuple(before for before, _ in widths), tuple(after for _, after in widths)
    if isinstance(value, Tensor):
        if is_traced(value):
            mask = apply(prims.pad, _ones(x), low=low, high=high, value=0)
            padded = apply(prims.pad, x, low=low, high=high, value=0)
            filler = reshape(value, ()).astype(x.dtype)
            return apply(prims.select, apply(prims.not_equal, mask, 0), padded, filler)
        value = value.item()
    if x.dtype.is_bool:
        value = bool(value)
    elif x.dtype.is_integer and math.isfinite(value):
        value = int(value)
    return apply(prims.pad, x, low=low, high=high, value=value)


def _ones(x: Tensor) -> Tensor:
    return apply(prims.full, shape=x._type.static_shape, value=1, dtype=dtypes.int32)


def pad_with_itself(x: Tensor, widths: list[tuple[int, int]], mode: str) -> Tensor:
    """The tensor padded with its own elements: reflect, symmetric, replicate or circular."""
    for axis, (low, high) in enumerate(widths):
        if low == high == 0:
            continue
        length = int(x.shape[axis])
        if low < 0 or high < 0:
            x = cut(x, axis, max(-low, 0), length - max(-high, 0))
            low, high, length = max(low, 0), max(high, 0), int(x.shape[axis])
        most = {"reflect": length - 1, "symmetric": length, "circular": length}.get(mode)
        if most is not None and max(low, high) > most:
            raise ValueError(
                f"pad: mode {mode!r} can pad dimension {axis} of shape {x.shape} by at most {most} elements"
            )
        before, after = _edges(x, axis, low, high, length, mode)
        parts = [part for part, count in ((before, low), (x, 1), (after, high)) if count]
        x = apply(prims.concatenate, *parts, axis=axis)
    return x


def _edges(x: Tensor, axis: int, low: int, high: int, length: int, mode: str) -> tuple[Tensor, Tensor]:
    if mode == "circular":
        return cut(x, axis, length - low, length), cut(x, axis, 0, high)
    if mode == "replicate":
        sizes = tuple(map(int, x.shape))
        first, last = cut(x, axis, 0, 1), cut(x, axis, length - 1, length)
        return (
            apply(prims.broadcast_to, first, shape=(*sizes[:axis], low, *sizes[axis + 1 :])),
            apply(prims.broadcast_to, last, shape=(*sizes[:axis], high, *sizes[axis + 1 :])),
        )
    skip = 1 if mode == "reflect" else 0
    before = cut(x, axis, skip, skip + low)
    after = cut(x, axis, length - skip - high, length - skip)
    return apply(prims.reverse, before, axes=(axis,)), apply(prims.reverse, after, axes=(axis,))


def mirror_pad(input_x: Tensor, paddings: Any, mode: str) -> Tensor:
    """The tensor padded by mirroring: "REFLECT" without, "SYMMETRIC" with the edge; `paddings`: a pair a dimension.

    Args:
        input_x: a tensor of any shape and dtype.
        paddings: for each dimension, how much is added at both ends.
        mode: "REFLECT" or "SYMMETRIC".

    Raises:
        TypeError: if `input_x` is no Tensor.
        ValueError: if the mode is another, or the padding is larger than the tensor.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.mirror_pad(Tensor([1, 2, 3]), [[1, 1]], "REFLECT"))
        [2 1 2 3 2]
    """
    x = need_tensor(input_x, "mirror_pad", "input_x")
    choice(mode, ("REFLECT", "SYMMETRIC"), "mirror_pad", "mode")
    rows = paddings.tolist() if isinstance(paddings, Tensor) else paddings
    widths = [(int(low), int(high)) for low, high in rows]
    return pad_with_itself(x, widths, mode.lower())


def padding(x: Tensor, pad_dim_size: int = 8) -> Tensor:
    """The tensor, whose last dimension is of size one, with that dimension filled up to `pad_dim_size` with zeros.

    Args:
        x: a tensor of at least two dimensions, the last of size one.
        pad_dim_size: the new size of the last dimension.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if the last dimension is of another size.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.padding(Tensor([[1], [2]]), 3))
        [[1 0 0]
         [2 0 0]]
    """
    x = need_tensor(x, "padding", "x")
    if x.ndim < 2 or x.shape[-1] != 1:
        raise ValueError(f"padding needs at least two dimensions, the last of size one, but got shape {x.shape}")
    return pad(x, (0, pad_dim_size - 1))


@known_as(mint=True, method=True)
def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """The tensor with its elements moved on; those pushed out come in at the other end.

    Args:
        input: a tensor of any shape and dtype.
        shifts: by how much, one int or one a dimension of `dims`.
        dims: along which dimensions. None: through all elements in C order.

    Raises:
        TypeError: if `input` is no Tensor.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.roll(ms.Tensor([1, 2, 3]), 1))
        [3 1 2]
    """
    x = need_tensor(input, "roll")
    steps = whole_numbers(shifts, "roll", "shifts")
    if dims is None:
        flat = apply(prims.roll, ravel(x), shift=(sum(steps),), axis=(0,))
        return apply(prims.reshape, flat, shape=tuple(-1 if size is None else size for size in shape_of(x)))
    axes = tuple(one_axis(axis, x.ndim, "roll", "dims") for axis in whole_numbers(dims, "roll", "dims"))
    if len(axes) != len(steps):
        steps = steps * len(axes) if len(steps) == 1 else steps
        if len(axes) != len(steps):
            raise ValueError(f"roll: 'shifts' {shifts} and 'dims' {dims} should be of one length")
    return apply(prims.roll, x, shift=steps, axis=axes)


@known_as(mint=True)
def flip(input: Tensor, dims: Any) -> Tensor:
    """The tensor with the order of its elements along some dimensions reversed.

    Args:
        input: a tensor of any shape and dtype.
        dims: a tuple of dimensions.

    Raises:
        TypeError: if `input` is no Tensor.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.flip(Tensor([[1, 2], [3, 4]]), (1,)))
        [[2 1]
         [4 3]]
    """
    x = need_tensor(input, "flip")
    return apply(prims.reverse, x, axes=tuple(sorted(many_axes(dims, x.ndim, "flip", "dims"))))


@method("flip")
def flip_method(self: Tensor, *dims: Any, **named: Any) -> Tensor:
    """The tensor with the order of its elements along some dimensions reversed.

    Args:
        dims: dimensions, a tuple or several ints.
        named: `dims` by its name.

    Raises:
        ValueError: if a dimension is out of range.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1, 2, 3]).flip(0))
        [3 2 1]
    """
    return flip(self, named["dims"] if set(named) == {"dims"} and not dims else unpack(dims))


@known_as(method=True)
def reverse(x: Tensor, axis: Any) -> Tensor:
    """The tensor with the order of its elements along some axes reversed.

    Args:
        x: a tensor of any shape and dtype.
        axis: a tuple of axes.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.reverse(Tensor([1, 2, 3]), (0,)))
        [3 2 1]
    """
    return flip(need_tensor(x, "reverse", "x"), axis)


@known_as(method=True)
def fliplr(input: Tensor) -> Tensor:
    """The tensor with the order of its columns reversed.

    Args:
        input: a tensor of at least two dimensions.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if there are fewer than two dimensions.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.fliplr(Tensor([[1, 2], [3, 4]])))
        [[2 1]
         [4 3]]
    """
    return flip(input, 1)


@known_as(method=True)
def flipud(input: Tensor) -> Tensor:
    """The tensor with the order of its rows reversed.

    Args:
        input: a tensor of at least one dimension.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if there is no dimension.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.flipud(Tensor([[1, 2], [3, 4]])))
        [[3 4]
         [1 2]]
    """
    return flip(input, 0)


@known_as(method=True)
def rot90(input: Tensor, k: int, dims: Any) -> Tensor:
    """The tensor turned by 90 degrees `k` times in the plane of two dimensions, from the first towards the second.

    Args:
        input: a tensor of any shape and dtype.
        k: how often.
        dims: the two dimensions of the plane.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if `dims` does not name two dimensions.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.rot90(Tensor([[1, 2], [3, 4]]), 1, (0, 1)))
        [[2 4]
         [1 3]]
    """
    x = need_tensor(input, "rot90")
    axes = many_axes(dims, x.ndim, "rot90", "dims")
    if len(axes) != 2:
        raise ValueError(f"rot90: 'dims' should name two dimensions, but got {dims}")
    turns = whole_number(k, "rot90", "k") % 4
    if turns == 0:
        return x
    if turns == 2:
        return flip(x, axes)
    return swapaxes(flip(x, axes[1]), *axes) if turns == 1 else flip(swapaxes(x, *axes), axes[1])


@known_as(method=True)
def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int = 0) -> Tensor:
    """The tensor in which, for each entry of the batch, the first `seq_lengths` elements of `seq_dim` are reversed.

    Args:
        x: a tensor of at least two dimensions.
        seq_lengths: a vector of integers, one for each entry of the batch.
        seq_dim: the dimension of the sequences.
        batch_dim: the dimension of the batch.

    Raises:
        TypeError: if `x` or `seq_lengths` is no Tensor.
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.reverse_sequence(Tensor([[1, 2, 3], [4, 5, 6]]), Tensor([2, 3]), 1))
        [[2 1 3]
         [6 5 4]]
    """
    x = need_tensor(x, "reverse_sequence", "x")
    lengths = need_tensor(seq_lengths, "reverse_sequence", "seq_lengths")
    along, batch = (
        one_axis(seq_dim, x.ndim, "reverse_sequence", "seq_dim"),
        one_axis(batch_dim, x.ndim, "reverse_sequence"),
    )
    if along == batch:
        raise ValueError(f"reverse_sequence: 'seq_dim' and 'batch_dim' should differ, but both are {seq_dim}")
    order = [batch, along, *(axis for axis in range(x.ndim) if axis not in (batch, along))]
    moved = transpose(x, tuple(order))
    count, length = int(moved.shape[0]), int(moved.shape[1])
    steps = Tensor(np.arange(length).reshape(1, length), dtypes.int64)
    ends = apply(prims.cast, reshape(lengths, (count, 1)), dtype=dtypes.int64)
    mirrored = apply(prims.subtract, apply(prims.subtract, ends, 1), steps)
    positions = apply(prims.select, apply(prims.less, steps, ends), mirrored, steps)
    rows = Tensor(np.arange(count).reshape(count, 1), dtypes.int64)
    picked = apply(prims.index, moved, rows, positions, spec=(prims.OPERAND, prims.OPERAND))
    return transpose(picked, tuple(int(place) for place in np.argsort(order)))


def space_to_depth(x: Tensor, block_size: int) -> Tensor:
    """Blocks of height and width of an (N, C, H, W) tensor as channels: (N, C * b * b, H / b, W / b).

    Args:
        x: a tensor of shape (N, C, H, W).
        block_size: the size b of the blocks.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if height and width do not divide into blocks.

    Examples:
        >>> from mycel import ops
        >>> print(ops.space_to_depth(ops.ones((1, 1, 2, 2)), 2).shape)
        (1, 4, 1, 1)
    """
    count, channels, height, width = map(int, need_tensor(x, "space_to_depth", "x").shape)
    if height % block_size or width % block_size:
        raise ValueError(f"space_to_depth: height and width {height}, {width} should be multiples of {block_size}")
    rows, columns = height // block_size, width // block_size
    blocks = reshape(x, (count, channels, rows, block_size, columns, block_size))
    return reshape(transpose(blocks, (0, 3, 5, 1, 2, 4)), (count, channels * block_size**2, rows, columns))


def depth_to_space(x: Tensor, block_size: int) -> Tensor:
    """The reverse of `space_to_depth`: (N, C, H, W) to (N, C / (b * b), H * b, W * b).

    Args:
        x: a tensor of shape (N, C, H, W).
        block_size: the size b of the blocks.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if the channels do not divide into blocks.

    Examples:
        >>> from mycel import ops
        >>> print(ops.depth_to_space(ops.ones((1, 4, 1, 1)), 2).shape)
        (1, 1, 2, 2)
    """
    count, channels, height, width = map(int, need_tensor(x, "depth_to_space", "x").shape)
    if channels % block_size**2:
        raise ValueError(f"depth_to_space: the channels {channels} should be a multiple of {block_size**2}")
    kept = channels // block_size**2
    blocks = reshape(x, (count, block_size, block_size, kept, height, width))
    return reshape(transpose(blocks, (0, 3, 4, 1, 5, 2)), (count, kept, height * block_size, width * block_size))


def space_to_batch_nd(input_x: Tensor, block_size: Any, paddings: Any) -> Tensor:
    """Blocks of the trailing dimensions of the padded tensor as entries of the batch.

    Args:
        input_x: a tensor of shape (N, C, ...).
        block_size: the size of the blocks along each trailing dimension.
        paddings: for each trailing dimension, how much is added at both ends.

    Raises:
        TypeError: if `input_x` is no Tensor.
        ValueError: if the sizes do not fit.

    Examples:
        >>> from mycel import ops
        >>> print(ops.space_to_batch_nd(ops.ones((1, 1, 2, 2)), [2, 2], [[0, 0], [0, 0]]).shape)
        (4, 1, 1, 1)
    """
    x = need_tensor(input_x, "space_to_batch_nd", "input_x")
    pairs = [(int(low), int(high)) for low, high in paddings]
    blocks = (block_size,) * len(pairs) if isinstance(block_size, int) else tuple(block_size)
    widths = [(0, 0)] * (x.ndim - len(pairs)) + pairs
    x = _pad_constant(x, widths, 0)
    lead = x.ndim - len(blocks)
    shape = tuple(map(int, x.shape))
    for size, block in zip(shape[lead:], blocks, strict=True):
        if size % block:
            raise ValueError(f"space_to_batch_nd: the padded shape {shape} should be multiples of {blocks} at its end")
    split_up = list(shape[:lead])
    for size, block in zip(shape[lead:], blocks, strict=True):
        split_up += [size // block, block]
    inner = [lead + 2 * place + 1 for place in range(len(blocks))]
    outer = [lead + 2 * place for place in range(len(blocks))]
    order = (*inner, *range(lead), *outer)
    kept = [size // block for size, block in zip(shape[lead:], blocks, strict=True)]
    moved = transpose(reshape(x, tuple(split_up)), order)
    return reshape(moved, (shape[0] * math.prod(blocks), *shape[1:lead], *kept))


def batch_to_space_nd(input_x: Tensor, block_shape: Any, crops: Any) -> Tensor:
    """Entries of the batch as blocks of the trailing dimensions, which are then cropped.

    Args:
        input_x: a tensor of shape (N, C, ...).
        block_shape: the size of the blocks along each trailing dimension.
        crops: for each trailing dimension, how much is cut off at both ends.

    Raises:
        TypeError: if `input_x` is no Tensor.
        ValueError: if the sizes do not fit.

    Examples:
        >>> from mycel import ops
        >>> print(ops.batch_to_space_nd(ops.ones((4, 1, 1, 1)), [2, 2], [[0, 0], [0, 0]]).shape)
        (1, 1, 2, 2)
    """
    x = need_tensor(input_x, "batch_to_space_nd", "input_x")
    pairs = [(int(low), int(high)) for low, high in crops]
    blocks = (block_shape,) * len(pairs) if isinstance(block_shape, int) else tuple(block_shape)
    lead, shape = x.ndim - len(blocks), tuple(map(int, x.shape))
    if shape[0] % math.prod(blocks):
        raise ValueError(f"batch_to_space_nd: the batch {shape[0]} should be a multiple of {math.prod(blocks)}")
    count = shape[0] // math.prod(blocks)
    apart = reshape(x, (*blocks, count, *shape[1:]))
    order = list(range(len(blocks), len(blocks) + lead))
    for place in range(len(blocks)):
        order += [len(blocks) + lead + place, place]
    grown = [size * block for size, block in zip(shape[lead:], blocks, strict=True)]
    joined = reshape(transpose(apart, tuple(order)), (count, *shape[1:lead], *grown))
    return _pad_constant(joined, [(0, 0)] * lead + [(-low, -high) for low, high in pairs], 0)
