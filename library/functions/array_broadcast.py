"""Array functions that repeat a tensor to fill a larger shape: broadcast_to, expand, tile, repeat; sums undo it."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.types import broadcast_shapes
from ...frontend.values.arguments import (
    alternative,
    cut,
    has_unknown,
    insert_axes,
    named_several,
    open_like,
    shape_of,
    unpack,
    whole_numbers,
)
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ..docstrings import like
from .array_shape import named_shape, reshape
from .documentation import common
from .table import known_as, method

__all__ = [
    "broadcast_tensors", "broadcast_to", "expand", "expand_as", "tile",
]  # fmt: skip


@known_as(mint=True, functional=True, primitive="BroadcastToView")
def broadcast_to(input: Tensor, shape: Any) -> Tensor:
    """The tensor repeated along dimensions of size one, and new leading ones, to fill `shape`; -1 keeps a size.

    Args:
        shape: the shape wanted, a tuple of ints.

    Raises:
        ValueError: if the shape does not fit.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.broadcast_to(ms.Tensor([1, 2]), (2, -1)))
        [[1 2]
         [1 2]]
    """
    x = need_tensor(input, "broadcast_to")
    if has_unknown(shape):
        lead = len(shape) - x.ndim
        wanted = tuple(
            x.shape[place - lead] if isinstance(item, int) and item == -1 else item for place, item in enumerate(shape)
        )
        return apply(prims.broadcast_like, x, open_like(wanted, "broadcast_to"))
    return _broadcast(x, whole_numbers(shape, "broadcast_to", "shape"), "broadcast_to")


def _broadcast(x: Tensor, shape: tuple[int, ...], function: str) -> Tensor:
    own = shape_of(x)
    lead = len(shape) - len(own)
    if lead < 0 or -1 in shape[:lead]:
        raise ValueError(f"{function}: a tensor of shape {x.shape} cannot be broadcast to {shape}")
    wanted = tuple(own[place - lead] if size == -1 else size for place, size in enumerate(shape))
    if wanted == own:
        return x
    if None in wanted:
        return _broadcast_partly(x, wanted)
    return apply(prims.broadcast_to, x, shape=wanted)


def _broadcast_partly(x: Tensor, wanted: tuple[int | None, ...]) -> Tensor:
    """Broadcast around dimensions that only the run knows, by repeating along the others."""
    lead = len(wanted) - x.ndim
    x = insert_axes(x, tuple(range(lead)))
    for axis, (size, own) in enumerate(zip(wanted, shape_of(x), strict=True)):
        if size == own or size is None:
            continue
        if own != 1:
            raise ValueError(f"broadcast_to: dimension {axis} of size {own} cannot be broadcast to {size}")
        x = cut(x, axis, 0, 0) if size == 0 else apply(prims.concatenate, *[x] * size, axis=axis)
    return x


@method("broadcast_to")
def broadcast_to_method(self: Tensor, *shape: Any, **named: Any) -> Tensor:
    """The tensor broadcast to a shape, given as a tuple or as several ints.

    Args:
        shape: the shape, a tuple or several ints.
        named: `shape` by its name.

    Raises:
        ValueError: if the tensor cannot be broadcast to the shape.

    Examples:
        >>> print(Tensor([1]).broadcast_to((3,)))
        [1 1 1]
    """
    return broadcast_to(self, named_shape(shape, named, "broadcast_to"))


@known_as(primitive="Expand")
def expand(input_x: Tensor, size: Any) -> Tensor:
    """The tensor broadcast to `size`, in which -1 keeps a size.

    Args:
        input_x: a tensor of a shape that can be broadcast to the size.
        size: the size, a tuple of ints or a vector.

    Raises:
        ValueError: if the shape cannot be broadcast to the size.

    Examples:
        >>> print(ops.expand(Tensor([[1], [2]]), (2, 2)))
        [[1 1]
         [2 2]]
    """
    return broadcast_to(input_x, size)


@method("expand")
@like(broadcast_to_method)
def expand_method(self: Tensor, *size: Any, **named: Any) -> Tensor:
    """The tensor broadcast to a size, given as a tuple or as several ints; -1 keeps a size.

    Args:
        size: the size, a tuple or several ints.
        named: `size` by its name.

    Examples:
        >>> print(Tensor([[1], [2]]).expand(2, 2))
        [[1 1]
         [2 2]]
    """
    if set(named) == {"size"} and not size:
        return broadcast_to(self, named["size"])
    return broadcast_to(self, named_shape(size, named, "expand"))


@common
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """The tensor broadcast to the shape of `other`.

    Args:
        input: a tensor that can be broadcast to the shape.
        other: a tensor of the shape wanted.

    Raises:
        ValueError: if the shape cannot be broadcast.

    Examples:
        >>> print(ops.expand_as(Tensor([1]), Tensor([2, 3])))
        [1 1]
    """
    x, like = need_tensor(input, "expand_as"), need_tensor(other, "expand_as", "other")
    if like._type.is_static:
        return _broadcast(x, like._type.static_shape, "expand_as")
    return apply(prims.broadcast_like, x, like)


@method("expand_as")
def expand_as_method(self: Tensor, other: Tensor | None = None, *, x: Tensor | None = None) -> Tensor:
    """The tensor broadcast to the shape of `other`, which may be called `x`.

    Args:
        other, x: a tensor of the shape wanted.

    Raises:
        TypeError: if `other` is no Tensor.
        ValueError: if the shape cannot be broadcast.

    Examples:
        >>> print(Tensor([1]).expand_as(Tensor([2, 3])))
        [1 1]
    """
    return expand_as(self, alternative(other, x, None))


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """The tensors, each broadcast to the shape that all of them have together.

    Args:
        tensors: tensors whose shapes can be broadcast together.

    Raises:
        TypeError: if `tensors` is no Tensor.
        ValueError: if the shapes cannot be broadcast together.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(*ops.broadcast_tensors(Tensor([1]), Tensor([2, 3])))
        [1 1] [2 3]
    """
    shape = broadcast_shapes(*[shape_of(need_tensor(item, "broadcast_tensors", "tensors")) for item in tensors])
    return tuple(broadcast_to(item, tuple(-1 if size is None else size for size in shape)) for item in tensors)


@known_as(mint=True, primitive="Tile")
def tile(input: Tensor, dims: Any) -> Tensor:
    """The tensor repeated as a whole, `dims[i]` times along dimension i; missing counts or dimensions are ones.

    Args:
        dims: how often, a tuple of ints that are not negative.

    Raises:
        ValueError: if a count is negative.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.tile(ms.Tensor([[1, 2]]), (2, 2)))
        [[1 2 1 2]
         [1 2 1 2]]
    """
    x = need_tensor(input, "tile")
    counts = whole_numbers(dims, "tile", "dims")
    if any(count < 0 for count in counts):
        raise ValueError(f"tile: 'dims' should not be negative, but got {dims}")
    counts = (1,) * (x.ndim - len(counts)) + counts
    x = insert_axes(x, tuple(range(len(counts) - x.ndim)))
    shape = shape_of(x)
    if all(count == 1 for count in counts):
        return x
    if None in shape:
        for axis, count in enumerate(counts):
            if count != 1:
                x = cut(x, axis, 0, 0) if count == 0 else apply(prims.concatenate, *[x] * count, axis=axis)
        return x
    apart: list[Any] = []
    spread: list[Any] = []
    for count, size in zip(counts, shape, strict=True):
        if count != 1:
            apart.append(1)
            spread.append(count)
        apart.append(size)
        spread.append(size)
    spread_out = apply(prims.broadcast_to, apply(prims.reshape, x, shape=tuple(apart)), shape=tuple(spread))
    full = tuple(count * size for count, size in zip(counts, shape, strict=True))  # type: ignore[operator]
    return apply(prims.reshape, spread_out, shape=full)


@method("tile")
def tile_method(self: Tensor, *reps: Any, **named: Any) -> Tensor:
    """The tensor repeated as a whole, so often along each dimension; see `ops.tile`.

    Args:
        reps: how often along each dimension, a tuple or several ints.
        named: `reps` or `dims` by name.

    Raises:
        ValueError: if a count is negative.

    Examples:
        >>> print(Tensor([1, 2]).tile((2,)))
        [1 2 1 2]
    """
    return tile(self, named_several(reps, named, ("reps", "dims"), "tile() takes the repeats"))


@method("repeat")
def repeat(self: Tensor, *repeats: Any, axis: int | None = None, **named: Any) -> Tensor:
    """The tensor repeated as a whole, `repeats[i]` times along dimension i; with `axis` instead, each element repeated.

    Args:
        repeats: how often, a tuple or several ints.
        axis: the axis; a negative one counts from the end.
        named: `repeats` by its name.

    Raises:
        RuntimeError: if there are fewer counts than dimensions.

    Examples:
        >>> print(Tensor([1, 2]).repeat(2))
        [1 2 1 2]
    """
    if named:
        if set(named) != {"repeats"} or repeats:
            raise TypeError(f"repeat() takes the repeats, but got the arguments {', '.join(named)}")
        repeats = (named["repeats"],)
    if axis is not None:
        from .array_join import repeat_interleave

        (count,) = repeats
        return repeat_interleave(self, count, axis)
    counts = whole_numbers(unpack(repeats), "repeat", "repeats")
    if len(counts) < self.ndim:
        raise RuntimeError(
            f"repeat: {len(counts)} counts are given for a tensor of shape {self.shape}; give one a dimension"
        )
    return tile(self, counts)


@method("sum_to_size")
def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """The tensor summed over the dimensions along which one of `size` would be broadcast to it.

    Args:
        size: the size, a tuple or several ints.

    Raises:
        ValueError: if the size cannot be broadcast to the shape.

    Examples:
        >>> print(Tensor([[1.0, 2.0], [3.0, 4.0]]).sum_to_size(1, 2))
        [[4. 6.]]
    """
    wanted = whole_numbers(unpack(size), "sum_to_size", "size")
    lead = self.ndim - len(wanted)
    if lead < 0 or any(new not in (1, old) for new, old in zip(wanted, self.shape[lead:], strict=True)):
        raise ValueError(f"sum_to_size: a tensor of shape {wanted} cannot be broadcast to {self.shape}")
    axes = [place + lead for place, (new, old) in enumerate(zip(wanted, self.shape[lead:], strict=True)) if new != old]
    total = apply(prims.sum, self, axis=(*range(lead), *axes), keepdims=True)
    return reshape(total, wanted)
