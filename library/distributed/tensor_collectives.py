"""`mindspore.mint.distributed` and `mindspore.ops.communication`: collectives that write into tensors.

A function with an output writes the result there, and gives a handle with `async_op=True`, else None. After
`set_comm_ops_inplace(False)` those that have a form without outputs give (result, handle) as `comm_func` does. With a
handle, in eager mode, the output is written when the handle's `wait` returns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import need_type
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from . import collectives
from .collectives import check_output, run, write, writing
from .comm_func import (
    as_is,
    concat,
    exchange_tensors,
    group_rank,
    in_two_parts,
    row_sizes,
    split_rows,
)
from .communication import group_of

__all__ = [
    "all_gather", "all_gather_into_tensor", "all_gather_into_tensor_uneven", "all_reduce", "all_to_all",
    "all_to_all_single", "all_to_all_v_c", "barrier", "broadcast", "gather", "gather_into_tensor", "reduce",
    "reduce_scatter", "reduce_scatter_tensor", "reduce_scatter_tensor_uneven", "scatter", "scatter_tensor",
]  # fmt: skip

Start = Callable[[], Any]
Finish = Callable[[Any], Any]


def _handle(start: Start, finish: Finish, group: Any, async_op: Any) -> Any:
    """Run a call; its handle, or None."""
    return run(start, finish, group, async_op)[1]


def _written(start: Start, finish: Finish, output: Any, function: str, group: Any, async_op: Any) -> Any:
    """Run a call whose result is written into a tensor, or is given."""
    if not writing.inplace:
        return run(start, finish, group, async_op)
    return _handle(start, lambda found: write(output, finish(found), function), group, async_op)


def _at_root(start: Start, finish: Finish, output: Any, root: int, function: str, group: Any, async_op: Any) -> Any:
    """Run a call whose result one process writes."""
    own = group_of(group).rank == root
    return _handle(start, lambda found: write(output, finish(found), function) if own else None, group, async_op)


# Collectives


def all_reduce(tensor: Any, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Write the reduction over a group's processes into `tensor`.

    Args:
        tensor: of the same shape and dtype on all processes.
        op: 'sum', 'prod', 'min', 'max' or 'avg'.
        group: the group's name; None: all processes.
        async_op: whether a handle is given.

    Raises:
        TypeError: for what is no tensor, or an unknown reduction.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> x = Tensor([1.0])
        >>> dist.all_reduce(x)
        >>> print(x)
        [1.]
    """
    by, finish = in_two_parts(tensor, op, group, "all_reduce")
    return _written(lambda: collectives.all_reduce(tensor, by, group), finish, tensor, "all_reduce", group, async_op)


def all_gather_into_tensor(output_tensor: Any, input_tensor: Any, group: Any = None, async_op: bool = False) -> Any:
    """Write the rows of all processes one after another into a tensor.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.all_gather_into_tensor(y, Tensor([1.0]))
        >>> print(y)
        [1.]
    """
    x = collectives.check_tensor(input_tensor, "all_gather_into_tensor")
    return _written(
        lambda: collectives.all_gather(x, group), as_is, output_tensor, "all_gather_into_tensor", group, async_op
    )


def reduce_scatter_tensor(output: Any, input: Any, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Write this process's share of the rows of the reduction into a tensor.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.reduce_scatter_tensor(y, Tensor([1.0]))
        >>> print(y)
        [1.]
    """
    by, finish = in_two_parts(input, op, group, "reduce_scatter_tensor")
    return _written(
        lambda: collectives.reduce_scatter(input, by, group), finish, output, "reduce_scatter_tensor", group, async_op
    )


def all_gather_into_tensor_uneven(
    output: Any, input: Any, output_split_sizes: Any = None, group: Any = None, async_op: bool = False
) -> Any:
    """Write the rows of all processes one after another into a tensor. Processes may have different numbers of rows.

    Args:
        output: has all rows.
        input: this process's rows.
        output_split_sizes: how many rows each process has, the same on all processes; None: equally many.
        group: the group's name; None: all processes.
        async_op: whether a handle is given.

    Raises:
        ValueError: if the sizes are not those of the output, or this process's rows are not as many as they say.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0, 0.0])
        >>> dist.all_gather_into_tensor_uneven(y, Tensor([1.0, 2.0]), [2])
        >>> print(y)
        [1. 2.]
    """
    name = "all_gather_into_tensor_uneven"
    x, target, own = collectives.check_tensor(input, name), collectives.check_tensor(output, name), group_of(group)
    sizes = row_sizes(target.shape, output_split_sizes, group)
    if not x.ndim or x.shape[0] != sizes[own.rank]:
        raise ValueError(f"{name}: rank {own.rank} should have {sizes[own.rank]} rows by {sizes}, but has {x.shape}")
    most = max(sizes)
    rows = _padded(x, most, 0)

    def finish(found: Tensor) -> Tensor:
        return concat([found[rank * most : rank * most + size] for rank, size in enumerate(sizes)])

    return _written(lambda: collectives.all_gather(rows, group), finish, target, name, group, async_op)


def reduce_scatter_tensor_uneven(
    output: Any, input: Any, input_split_sizes: Any = None, op: str = "sum", group: Any = None, async_op: bool = False
) -> Any:
    """Write this process's rows of the reduction into a tensor. Processes may get different numbers of rows.

    Args:
        output: this process's rows.
        input: all rows, of the same shape on all processes.
        input_split_sizes: how many rows each process gets, the same on all processes; None: equally many.
        op: 'sum', 'prod', 'min', 'max' or 'avg'.
        group: the group's name; None: all processes.
        async_op: whether a handle is given.

    Raises:
        ValueError: if the sum of the sizes is not the number of rows. Other errors as `all_reduce`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0, 0.0])
        >>> dist.reduce_scatter_tensor_uneven(y, Tensor([1.0, 2.0]), [2])
        >>> print(y)
        [1. 2.]
    """
    name = "reduce_scatter_tensor_uneven"
    by, average = in_two_parts(input, op, group, name)
    sizes = row_sizes(input.shape, input_split_sizes, group)
    rows = concat([_padded(part, max(sizes), 0) for part in split_rows(input, sizes, group)])
    own = sizes[group_of(group).rank]
    return _written(
        lambda: collectives.reduce_scatter(rows, by, group), lambda found: average(found)[:own], output, name, group,
        async_op,
    )  # fmt: skip


def reduce(tensor: Any, dst: int, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Write the reduction into the tensor of the process of rank `dst` in the world. Others keep theirs.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> x = Tensor([1.0])
        >>> dist.reduce(x, 0)
        >>> print(x)
        [1.]
    """
    root = group_rank(dst, group, "dst", "reduce")
    by, finish = in_two_parts(tensor, op, group, "reduce")
    return _at_root(
        lambda: collectives.reduce_to(tensor, root, by, group), finish, tensor, root, "reduce", group, async_op
    )


def broadcast(tensor: Any, src: int, group: Any = None, async_op: bool = False) -> Any:
    """Write the tensor of the process of rank `src` in the world into the tensors of all.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> x = Tensor([1.0])
        >>> dist.broadcast(x, 0)
        >>> print(x)
        [1.]
    """
    root = group_rank(src, group, "src", "broadcast")
    collectives.check_tensor(tensor, "broadcast")
    return _handle(
        lambda: collectives.broadcast(tensor, root, group), lambda found: write(tensor, found, "broadcast"), group,
        async_op,
    )  # fmt: skip


def gather_into_tensor(
    output_tensor: Any, input_tensor: Any, dst: int = 0, group: Any = None, async_op: bool = False
) -> Any:
    """Write the rows of all processes into a tensor of the process of rank `dst` in the world.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.gather_into_tensor(y, Tensor([1.0]))
        >>> print(y)
        [1.]
    """
    root = group_rank(dst, group, "dst", "gather_into_tensor")
    x = collectives.check_tensor(input_tensor, "gather_into_tensor")
    return _at_root(
        lambda: collectives.gather_to(x, root, group), as_is, output_tensor, root, "gather_into_tensor", group, async_op
    )


def scatter_tensor(
    output_tensor: Any, input_tensor: Any, src: int = 0, group: Any = None, async_op: bool = False
) -> Any:
    """Write this process's share of the rows that the process of rank `src` in the world has into a tensor.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.scatter_tensor(y, Tensor([1.0]))
        >>> print(y)
        [1.]
    """
    root = group_rank(src, group, "src", "scatter_tensor")
    x = collectives.check_tensor(input_tensor, "scatter_tensor")
    return _handle(
        lambda: collectives.scatter_from(x, root, group), lambda found: write(output_tensor, found, "scatter_tensor"),
        group, async_op,
    )  # fmt: skip


def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None) -> Any:
    """Wait until all processes of a group have come here.

    Examples:
        >>> from mycel.mint import distributed as dist
        >>> dist.barrier()
    """
    return _handle(lambda: collectives.synchronize(group), as_is, group, async_op)


# Lists of tensors


def _stacked(tensors: Sequence[Any], group: Any, function: str) -> Tensor:
    """The tensors of a list, one for each process, along a new first axis."""
    count = group_of(group).size
    if not isinstance(tensors, (list, tuple)) or len(tensors) != count:
        raise TypeError(f"{function} takes a list of {count} tensors, one for each process")
    shape = collectives.check_tensor(tensors[0], function).shape
    rows = [collectives.check_tensor(x, function).reshape((1, *shape)) for x in tensors]
    return concat(rows)


def _shapes(outputs: Any, x: Tensor, group: Any) -> list[tuple[int, ...]]:
    """The shapes of the outputs of `all_gather` for each process's tensor. This process's output has to fit its own."""
    _check_list(outputs, group, "all_gather")
    for output in outputs:
        check_output(output, output.shape, x.dtype, "all_gather")
    check_output(outputs[group_of(group).rank], x.shape, x.dtype, "all_gather")
    return [output.shape for output in outputs]


def _check_list(outputs: Any, group: Any, function: str) -> None:
    count = group_of(group).size
    if not isinstance(outputs, (list, tuple)) or len(outputs) != count:
        raise TypeError(f"{function} takes a list of {count} output tensors, one for each process")
    for output in outputs:
        collectives.check_tensor(output, function)


def _padded(x: Tensor, size: int, axis: int) -> Tensor:
    """x with zeros up to a size of an axis."""
    more = size - x.shape[axis]
    if not more:
        return x
    shape = [*x.shape[:axis], more, *x.shape[axis + 1 :]]
    return apply(prims.concatenate, x, Tensor(np.zeros(shape, x.dtype.np)), axis=axis)


def _outputs(outputs: Any, function: str) -> list[tuple[int, ...]]:
    """The shapes of tensors in a list."""
    need_type(outputs, list | tuple, f"{function} takes a list of outputs")
    return [collectives.check_tensor(output, function).shape for output in outputs]


def all_gather(tensor_list: Any, tensor: Any, group: Any = None, async_op: bool = False) -> Any:
    """Write the tensors of all processes into the tensors of a list.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> rows = [Tensor([0.0])]
        >>> dist.all_gather(rows, Tensor([1.0]))
        >>> print(*rows)
        [1.]
    """
    x = collectives.check_tensor(tensor, "all_gather")
    shapes = _shapes(tensor_list, x, group)
    sizes = [math.prod(shape) for shape in shapes]
    row = _padded(x.reshape((1, -1)), max(sizes), 1)

    def finish(rows: Tensor) -> None:
        for number, output in enumerate(tensor_list):
            write(output, rows[number, : sizes[number]].reshape(shapes[number]), "all_gather")

    return _handle(lambda: collectives.all_gather(row, group), finish, group, async_op)


def gather(tensor: Any, gather_list: Any, dst: int = 0, group: Any = None, async_op: bool = False) -> Any:
    """Write the tensors of all processes into the tensors of a list, on the process of rank `dst` in the world.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> rows = [Tensor([0.0])]
        >>> dist.gather(Tensor([1.0]), rows)
        >>> print(*rows)
        [1.]
    """
    root, own = group_rank(dst, group, "dst", "gather"), group_of(group)
    x = _row(tensor, "gather")
    if own.rank == root:
        _check_list(gather_list, group, "gather")
        for output in gather_list:
            check_output(output, x.shape[1:], x.dtype, "gather")

    def finish(rows: Tensor) -> None:
        for number in range(own.size if own.rank == root else 0):
            write(gather_list[number], rows[number], "gather")

    return _handle(lambda: collectives.gather_to(x, root, group), finish, group, async_op)


def scatter(tensor: Any, scatter_list: Any, src: int = 0, group: Any = None, async_op: bool = False) -> Any:
    """Write this process's tensor, from the list of the process of rank `src` in the world, into `tensor`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.scatter(y, [Tensor([1.0])])
        >>> print(y)
        [1.]
    """
    root, own = group_rank(src, group, "src", "scatter"), group_of(group)
    like = collectives.check_tensor(tensor, "scatter")
    given = _stacked(scatter_list if own.rank == root else [like] * own.size, group, "scatter")
    return _handle(
        lambda: collectives.scatter_from(given, root, group), lambda found: write(tensor, found[0], "scatter"), group,
        async_op,
    )  # fmt: skip


def reduce_scatter(output: Any, input_list: Any, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Write into `output` the reduction of the tensors that all processes have for this one in their lists.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.reduce_scatter(y, [Tensor([1.0])])
        >>> print(y)
        [1.]
    """
    stacked = _stacked(input_list, group, "reduce_scatter")
    by, finish = in_two_parts(stacked, op, group, "reduce_scatter")
    return _handle(
        lambda: collectives.reduce_scatter(stacked, by, group),
        lambda found: write(output, finish(found)[0], "reduce_scatter"), group, async_op,
    )  # fmt: skip


def _row(tensor: Any, function: str) -> Tensor:
    x = collectives.check_tensor(tensor, function)
    return x.reshape((1, *x.shape))


def all_to_all(output_tensor_list: Any, input_tensor_list: Any, group: Any = None, async_op: bool = False) -> Any:
    """Send each process its tensor of a list, and write received tensors into those of another list; shapes may
    differ.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> received = [Tensor([0.0])]
        >>> dist.all_to_all(received, [Tensor([1.0])])
        >>> print(*received)
        [1.]
    """
    start, finish = exchange_tensors(_outputs(output_tensor_list, "all_to_all"), input_tensor_list, group, "all_to_all")

    def written(found: Any) -> None:
        for output, result in zip(output_tensor_list, finish(found), strict=True):
            write(output, result, "all_to_all")

    return _handle(start, written, group, async_op)


def all_to_all_single(
    output: Any, input: Any, output_split_sizes: Any = None, input_split_sizes: Any = None, group: Any = None,
    async_op: bool = False,
) -> Any:  # fmt: skip
    """Send each process its rows, and write received rows into a tensor; by sizes, or in equal parts.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import distributed as dist
        >>> y = Tensor([0.0])
        >>> dist.all_to_all_single(y, Tensor([1.0]))
        >>> print(y)
        [1.]
    """
    target = collectives.check_tensor(output, "all_to_all_single")
    given = split_rows(collectives.check_tensor(input, "all_to_all_single"), input_split_sizes, group)
    shapes = [(size, *target.shape[1:]) for size in row_sizes(target.shape, output_split_sizes, group)]
    start, finish = exchange_tensors(shapes, given, group, "all_to_all_single")
    return _handle(start, lambda found: write(target, concat(finish(found)), "all_to_all_single"), group, async_op)


def all_to_all_v_c(
    output: Any, input: Any, send_count_matrix: Any, group: Any = None, async_op: bool = False
) -> Any:  # fmt: skip
    """As `all_to_all_single`. Of n processes, the one of rank i sends `send_count_matrix[i * n + j]` rows to rank j.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.ops import communication as dist
        >>> y = Tensor([0.0])
        >>> dist.all_to_all_v_c(y, Tensor([1.0]), [1])
        >>> print(y)
        [1.]
    """
    size, rank = group_of(group).size, group_of(group).rank
    if not isinstance(send_count_matrix, list) or len(send_count_matrix) != size * size:
        raise ValueError(f"all_to_all_v_c takes a list of {size * size} counts, for each pair of {size} processes")
    given = send_count_matrix[rank * size : (rank + 1) * size]
    return all_to_all_single(output, input, send_count_matrix[rank::size], given, group, async_op)
