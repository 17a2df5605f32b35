"""Collectives on tensors, from which the primitives, functions and layers for several processes are built.

In a group of one process the input is returned, and nothing is recorded. In larger groups each is an op, in eager mode
and in graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...frontend.state import STATE
from ...frontend.values.arguments import need_type
from ...frontend.values.dispatch import apply
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.parameter import replace_data
from ...frontend.values.tensor import Tensor
from ...runtime.distributed.communicator import Communicator
from .communication import group_of

writing = SimpleNamespace(inplace=True)
"""Whether results are written into the tensors given: `set_comm_ops_inplace`."""


class CommHandle:
    """The handle of an asynchronous call.

    Args:
        action: what is still to be done; None: nothing.

    Examples:
        >>> from mycel.communication import comm_func
        >>> comm_func.CommHandle().wait()
    """

    def __init__(self, action: Callable[[], None] | None = None) -> None:
        self._action = action

    def wait(self) -> None:
        """Wait until the call is complete. Its result may be read from then on."""
        action, self._action = self._action, None
        if action is not None:
            action()


def run(
    start: Callable[[], Any], finish: Callable[[Any], Any], group: Any, async_op: Any
) -> tuple[Any, CommHandle | None]:
    """Run `start`, which makes one call of a group, and then `finish` on its result. What that gives, and a handle.

    With `async_op` this does not wait in eager mode: the handle does, and calls `finish`. The result gets its numbers
    then. In a graph, and where gradients are recorded, the handle has nothing to do: passes say when to wait.

    Raises:
        TypeError: unless `async_op` is a bool.
    """
    need_type(async_op, bool, "The argument 'async_op' must be a bool")
    own = group_of(group)
    if not async_op or own.size == 1 or STATE.trace is not None or STATE.tape is not None:
        return finish(start()), CommHandle() if async_op else None
    result, wait = own.defer(start)

    def complete() -> None:
        wait()
        final = finish(result)
        if isinstance(final, Tensor) and final is not result:
            replace_data(result, final._data)

    return result, CommHandle(complete)


def write(output: Any, result: Tensor, function: str) -> None:
    """Write a result into a tensor. ValueError or TypeError if it has another shape or dtype."""
    check_output(output, result.shape, result.dtype, function)
    assign_inplace(output, result)


def check_output(output: Any, shape: tuple[int, ...], dtype: Any, function: str) -> None:
    """TypeError or ValueError unless a tensor can have a result."""
    target = check_tensor(output, function)
    if target.shape != shape:
        raise ValueError(f"{function}: the output should have the shape {shape}, but has {target.shape}")
    if target.dtype is not dtype:
        raise TypeError(f"{function}: the output should be of {dtype}, but is of {target.dtype}")


def _use(op: Any, group: Communicator, *tensors: Any, **attrs: Any) -> Any:
    return apply(op, *tensors, group=group.name, size=group.size, **attrs)


def check_tensor(x: Any, function: str) -> Tensor:
    """TypeError unless it is a tensor."""
    return need_type(x, Tensor, f"{function} takes a Tensor")


def all_reduce(x: Any, by: str = "sum", group: Any = None, bucket: int = 0) -> Tensor:
    """The sum, maximum, minimum, product or average ('avg') over a group's processes, on all of them.

    In a graph, nodes with `bucket` share messages of about this many bytes, and run while other nodes compute.

    Raises:
        TypeError: for what is no tensor, or a dtype without that reduction. ValueError: for another reduction.
    """
    return _reduced(prims.all_reduce, x, by, group, **({"bucket": bucket} if bucket and by != "avg" else {}))


def _reduced(op: Op, x: Any, by: str, group: Any, **attrs: Any) -> Tensor:
    """What an op that reduces gives for a tensor of each process; an average is a sum, divided."""
    tensor, own = check_tensor(x, op.name.removesuffix("_to")), group_of(group)
    if own.size == 1:
        return tensor
    if by == "avg":
        return average(_use(op, own, tensor, by="sum", **attrs), group)
    return _use(op, own, tensor, by=by, **attrs)


def _moved(op: Op, x: Any, group: Any, **attrs: Any) -> Tensor:
    """What an op gives that moves the tensors of a group's processes; of one process, its tensor."""
    tensor, own = check_tensor(x, op.name.removesuffix("_to").removesuffix("_from")), group_of(group)
    return tensor if own.size == 1 else _use(op, own, tensor, **attrs)


def average(total: Tensor, group: Any = None) -> Tensor:
    """The average over a group's processes, from their sum."""
    size = group_of(group).size
    return total if size == 1 else apply(prims.divide, total, size)


def reduce_to(x: Any, root: int, by: str = "sum", group: Any = None) -> Tensor:
    """As `all_reduce`, on the process of rank `root` in the group; zeros on the others."""
    return _reduced(prims.reduce_to, x, by, group, root=root)


def reduce_scatter(x: Any, by: str = "sum", group: Any = None) -> Tensor:
    """As `all_reduce`, but each process gets its share of the rows."""
    return _reduced(prims.reduce_scatter, x, by, group)


def all_gather(x: Any, group: Any = None) -> Tensor:
    """The rows of all processes one after another, on all of them."""
    return _moved(prims.all_gather, x, group)


def gather_to(x: Any, root: int, group: Any = None) -> Tensor:
    """The rows of all processes one after another, on the process of rank `root`; zeros on the others."""
    return _moved(prims.gather_to, x, group, root=root)


def scatter_from(x: Any, root: int, group: Any = None) -> Tensor:
    """Each process's share of the rows that the process of rank `root` has."""
    return _moved(prims.scatter_from, x, group, root=root)


def broadcast(x: Any, root: int, group: Any = None) -> Tensor:
    """The tensor of the process of rank `root`, on all processes."""
    return _moved(prims.broadcast, x, group, root=root)


def all_to_all(x: Any, group: Any = None) -> Tensor:
    """The rows in as many parts as there are processes: part i goes to process i."""
    return _moved(prims.all_to_all, x, group)


def send(x: Any, to: int, tag: int = 0, group: Any = None) -> Tensor:
    """Send a tensor to the process of a rank in the group. The tensor."""
    tensor, own = check_tensor(x, "send"), group_of(group)
    _check_several(own, "send")
    return _use(prims.send, own, tensor, to=to, tag=tag)


def receive(shape: Sequence[int], dtype: Any, source: int, tag: int = 0, group: Any = None) -> Tensor:
    """The tensor that the process of a rank in the group sends."""
    own = group_of(group)
    _check_several(own, "receive")
    return _use(prims.receive, own, shape=tuple(shape), dtype=dtype, source=source, tag=tag)


def exchange(
    tensors: Sequence[Any], to: Sequence[int], sources: Sequence[int], shapes: Sequence[Sequence[int]], dtype: Any,
    group: Any = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Send a tensor to each process of `to`, and receive one of each given shape from `sources`."""
    own = group_of(group)
    _check_several(own, "exchange")
    result = _use(
        prims.exchange, own, *[check_tensor(x, "exchange") for x in tensors], to=tuple(to), sources=tuple(sources),
        shapes=tuple(map(tuple, shapes)), dtype=dtype,
    )  # fmt: skip
    return result if isinstance(result, tuple) else () if result is None else (result,)


def synchronize(group: Any = None) -> None:
    """Wait until all processes of a group have come here."""
    own = group_of(group)
    if own.size > 1:
        _use(prims.synchronize, own)


def _check_several(group: Communicator, function: str) -> None:
    if group.size == 1:
        raise RuntimeError(f"{function} needs several processes, but there is one: start the program with mpirun")
