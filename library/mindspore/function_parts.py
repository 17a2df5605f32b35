"""Parts of MindSpore's functions and containers that libraries of models import by name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.dispatch import cast
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..functions.array_pad import pad
from ..functions.nn_conv import dense
from ..functions.nn_dropout import dropout

# ops.function.nn_func, of the attention

linear = dense


def _check_qkv_shape(query_ndim: int, key_ndim: int, value_ndim: int) -> bool:
    """Whether queries, keys and values, of so many axes, have a batch.

    Raises:
        ValueError: if they have neither two nor three axes each.
    """
    if query_ndim not in (2, 3) or key_ndim != query_ndim or value_ndim != query_ndim:
        raise ValueError(
            "`query`, `key` and `value` should have 2 axes each, or 3 each with a batch, but got "
            f"{query_ndim}, {key_ndim} and {value_ndim} axes"
        )
    return query_ndim == 3


def _check_kpm_shape(query_ndim: int, kmp_ndim: int) -> None:
    """ValueError unless the mask of keys has an axis less than the queries."""
    if query_ndim in (2, 3) and kmp_ndim != query_ndim - 1:
        raise ValueError(
            f"the `key_padding_mask` of a `query` with {query_ndim} axes should have {query_ndim - 1}, but has "
            f"{kmp_ndim}"
        )


def _check_attn_mask_shape(
    query_ndim: int, query_shape: Sequence[int], key_shape: Sequence[int], attn_mask_ndim: int,
    attn_mask_shape: Sequence[int], num_heads: int,
) -> None:  # fmt: skip
    """ValueError unless the mask of scores has the axes (and, without a batch, the shape) of the scores."""
    if query_ndim not in (2, 3):
        return
    if attn_mask_ndim not in (2, 3):
        raise ValueError(f"the `attn_mask` should have 2 or 3 axes, but has {attn_mask_ndim}")
    expected = num_heads, query_shape[0], key_shape[0]
    if query_ndim == 2 and attn_mask_ndim == 3 and tuple(attn_mask_shape) != expected:
        raise ValueError(f"the shape of the `attn_mask` should be {expected}, but is {tuple(attn_mask_shape)}")


def _in_projection(
    q: Tensor, k: Tensor, v: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, b_q: Any = None, b_k: Any = None,
    b_v: Any = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The projections of queries, keys and values, each with a weight of its own.

    Raises:
        ValueError: if a weight or bias does not have the shape for it.
    """
    size = q.shape[-1]
    for name, x, weight, bias in (("query", q, w_q, b_q), ("key", k, w_k, b_k), ("value", v, w_v, b_v)):
        expected = size, x.shape[-1]
        if weight.shape != expected:
            raise ValueError(f"the weight of the {name} should have the shape {expected}, but has {weight.shape}")
        if bias is not None and bias.shape != (size,):
            raise ValueError(f"the bias of the {name} should have the shape {(size,)}, but has {bias.shape}")
    return dense(q, w_q, b_q), dense(k, w_k, b_k), dense(v, w_v, b_v)


def _in_projection_packed(q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Any, k_is_v: bool, q_is_k: bool) -> Any:
    """The projections of queries, keys and values, with one weight that has theirs one below another."""
    size = q.shape[-1]
    if k_is_v and q_is_k:
        joint = dense(q, w, b)
        return tuple(joint[..., part * size : (part + 1) * size] for part in range(3))
    found = []
    for part, x in enumerate((q, k, v)):
        rows = slice(part * size, (part + 1) * size)
        found.append(dense(x, w[rows], None if b is None else b[rows]))
    return tuple(found)


def _inner_dropout(x: Tensor, p: float, training: bool) -> Tensor:
    """Numbers of which each is dropped with a probability, in training."""
    return dropout(x, p, True) if training and 0.0 < p <= 1.0 else x


def _inner_pad(x: Tensor, padding: Sequence[int], value: Any = None) -> Tensor:
    """A padded Tensor, which may be of bools."""
    if x.dtype is not dtypes.bool_:
        return pad(x, padding, value=value)
    return cast(pad(cast(x, dtypes.int32), padding, value=value), dtypes.bool_)


# ops.function.nn_func, of the interpolation


def _interploate_ext_make_tuple(input: Tensor, value: Any) -> Any:
    """A size or factor for each axis behind batch and channels."""
    return value if isinstance(value, (list, tuple)) else (value,) * (input.ndim - 2)


def _interpolate_ext_scale_factor_convert_size(input: Tensor, scale_factor: Sequence[float]) -> tuple[int, ...]:
    """The sizes of the axes behind batch and channels, scaled."""
    return tuple(math.floor(size * factor) for size, factor in zip(input.shape[2:], scale_factor, strict=False))


# nn.layer.container


def _valid_index(cell_num: int, index: Any, op_name: str | None = None) -> int:
    """The place in a container of so many Cells, counted from the front.

    Raises:
        TypeError: if the index is no int. IndexError: if there is no such place.
    """
    whose = f"{op_name}: " if op_name else ""
    if not isinstance(index, int):
        raise TypeError(f"{whose}the index should be an int, but is a {type(index).__name__}")
    if not -cell_num <= index < cell_num:
        raise IndexError(f"{whose}the index should be from {-cell_num} to {cell_num - 1}, but is {index}")
    return index % cell_num


def _valid_cell(cell: Any, op_name: str | None = None) -> bool:
    """True; TypeError for what is no Cell."""
    if not isinstance(cell, Cell):
        raise TypeError(f"{op_name or 'the container'} holds Cells, but got a {type(cell).__name__}")
    return True


def _get_prefix_and_index(cells: Mapping[str, Cell]) -> tuple[str, int]:
    """What the names of a container's Parameters begin with, and which word of them is the Cell's name.

    Example:
        >>> from mycel import nn
        >>> from mycel.library.mindspore.function_parts import _get_prefix_and_index
        >>> net = nn.SequentialCell(nn.Dense(1, 1), nn.Dense(1, 1))
        >>> _get_prefix_and_index(net.name_cells())
        ('', 0)
    """
    named = [(key, parameter.name) for key, cell in cells.items() for parameter in list(cell.get_parameters())[:1]]
    if not named:
        return "", 0
    (first, name), other = named[0], named[1] if len(named) > 1 else None
    words = name.split(".")
    places = [place for place, word in enumerate(words) if word == first]
    if not places:
        return "", 0
    # Where an outer Cell has the same name, the second Parameter tells the two apart.
    sure = [place for place in places if other is None or other[1].split(".")[place : place + 1] == [other[0]]]
    place = sure[0] if sure else places[-1]
    return "".join(f"{word}." for word in words[:place]), place
