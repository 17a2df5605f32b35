"""Array functions that cut, pad and move blocks: slice, strided_slice, pad, roll, flip, rot90, space_to_depth, …"""

from __future__ import annotations

import math
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import choice, cut, has_unknown, whole_numbers
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import is_traced
from ...runtime import dtypes
from .array_join import cat
from .array_shape import reshape, transpose
from .creation import full
from .documentation import common

__all__ = ["batch_to_space_nd", "depth_to_space", "mirror_pad", "pad", "padding", "space_to_batch_nd", "space_to_depth"]


def pad(input_x: Tensor, padding: Any, mode: str = "constant", value: Any = None) -> Tensor:
    """The tensor padded.

    Args:
        input_x: a tensor of any shape and dtype.
        padding: how much, from the last dimension on: (left, right, top, bottom, …). Negative counts crop.
            In graphs with the mode "constant" the run may know them: they should not be negative then.
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
    unknown = has_unknown(padding) and mode == "constant"
    counts = padding if unknown else whole_numbers(padding, "pad", "padding")
    if not len(counts):
        return x
    if len(counts) % 2 or len(counts) > 2 * x.ndim:
        raise ValueError(f"pad: 'padding' should give two counts a dimension of shape {x.shape}, but got {counts}")
    choice(mode, ("constant", "reflect", "replicate", "circular"), "pad", "mode")
    pairs = [(counts[place], counts[place + 1]) for place in range(0, len(counts), 2)]
    widths = [(0, 0)] * (x.ndim - len(pairs)) + pairs[::-1]
    if unknown:
        return _pad_open(x, widths, 0 if value is None else value)
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


def _pad_open(x: Tensor, widths: list[tuple[Any, Any]], value: Any) -> Tensor:
    """A tensor padded by counts that only the run knows, which are not negative."""
    for axis, pair in enumerate(widths):
        sides = [
            full((*x.shape[:axis], count, *x.shape[axis + 1 :]), value, dtype=x.dtype)
            if isinstance(count, Tensor) or count
            else None
            for count in pair
        ]
        x = cat([part for part in (sides[0], x, sides[1]) if part is not None], axis)
    return x


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


@common
def mirror_pad(input_x: Tensor, paddings: Any, mode: str) -> Tensor:
    """The tensor padded by mirroring: "REFLECT" without, "SYMMETRIC" with the edge; `paddings`: a pair a dimension.

    Args:
        paddings: for each dimension, how much is added at both ends.
        mode: "REFLECT" or "SYMMETRIC".

    Raises:
        ValueError: if the mode is another, or the padding is larger than the tensor.

    Examples:
        >>> print(ops.mirror_pad(Tensor([1, 2, 3]), [[1, 1]], "REFLECT"))
        [2 1 2 3 2]
    """
    x = need_tensor(input_x, "mirror_pad", "input_x")
    choice(mode, ("REFLECT", "SYMMETRIC"), "mirror_pad", "mode")
    rows = paddings.tolist() if isinstance(paddings, Tensor) else paddings
    widths = [(int(low), int(high)) for low, high in rows]
    return pad_with_itself(x, widths, mode.lower())


@common
def padding(x: Tensor, pad_dim_size: int = 8) -> Tensor:
    """The tensor, whose last dimension is of size one, with that dimension filled up to `pad_dim_size` with zeros.

    Args:
        x: a tensor of at least two dimensions, the last of size one.
        pad_dim_size: the new size of the last dimension.

    Raises:
        ValueError: if the last dimension is of another size.

    Examples:
        >>> print(ops.padding(Tensor([[1], [2]]), 3))
        [[1 0 0]
         [2 0 0]]
    """
    x = need_tensor(x, "padding", "x")
    if x.ndim < 2 or x.shape[-1] != 1:
        raise ValueError(f"padding needs at least two dimensions, the last of size one, but got shape {x.shape}")
    return pad(x, (0, pad_dim_size - 1))


def _image_shape(x: Tensor, function: str) -> tuple[int, ...]:
    shape = tuple(map(int, need_tensor(x, function, "x").shape))
    if len(shape) != 4:
        raise ValueError(f"{function}: images of shape (N, C, H, W) are expected, but got shape {shape}")
    return shape


@common
def space_to_depth(x: Tensor, block_size: int) -> Tensor:
    """Blocks of height and width of an (N, C, H, W) tensor as channels: (N, C * b * b, H / b, W / b).

    Args:
        x: a tensor of shape (N, C, H, W).
        block_size: the size b of the blocks.

    Raises:
        ValueError: if height and width do not divide into blocks.

    Examples:
        >>> from mycel import ops
        >>> print(ops.space_to_depth(ops.ones((1, 1, 2, 2)), 2).shape)
        (1, 4, 1, 1)
    """
    count, channels, height, width = _image_shape(x, "space_to_depth")
    if height % block_size or width % block_size:
        raise ValueError(f"space_to_depth: height and width {height}, {width} should be multiples of {block_size}")
    rows, columns = height // block_size, width // block_size
    blocks = reshape(x, (count, channels, rows, block_size, columns, block_size))
    return reshape(transpose(blocks, (0, 3, 5, 1, 2, 4)), (count, channels * block_size**2, rows, columns))


@common
def depth_to_space(x: Tensor, block_size: int) -> Tensor:
    """The reverse of `space_to_depth`: (N, C, H, W) to (N, C / (b * b), H * b, W * b).

    Args:
        x: a tensor of shape (N, C, H, W).
        block_size: the size b of the blocks.

    Raises:
        ValueError: if the channels do not divide into blocks.

    Examples:
        >>> from mycel import ops
        >>> print(ops.depth_to_space(ops.ones((1, 4, 1, 1)), 2).shape)
        (1, 1, 2, 2)
    """
    count, channels, height, width = _image_shape(x, "depth_to_space")
    if channels % block_size**2:
        raise ValueError(f"depth_to_space: the channels {channels} should be a multiple of {block_size**2}")
    kept = channels // block_size**2
    blocks = reshape(x, (count, block_size, block_size, kept, height, width))
    return reshape(transpose(blocks, (0, 3, 4, 1, 5, 2)), (count, kept, height * block_size, width * block_size))


@common
def space_to_batch_nd(input_x: Tensor, block_size: Any, paddings: Any) -> Tensor:
    """Blocks of the trailing dimensions of the padded tensor as entries of the batch.

    Args:
        input_x: a tensor of shape (N, C, ...).
        block_size: the size of the blocks along each trailing dimension.
        paddings: for each trailing dimension, how much is added at both ends.

    Raises:
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


@common
def batch_to_space_nd(input_x: Tensor, block_shape: Any, crops: Any) -> Tensor:
    """Entries of the batch as blocks of the trailing dimensions, which are then cropped.

    Args:
        input_x: a tensor of shape (N, C, ...).
        block_shape: the size of the blocks along each trailing dimension.
        crops: for each trailing dimension, how much is cut off at both ends.

    Raises:
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
