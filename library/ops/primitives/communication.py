"""Primitives that processes run together: AllReduce and the like."""

from __future__ import annotations

from typing import Any

from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ...distributed import collectives
from ...distributed.communication import HCCL_WORLD_COMM_GROUP, get_group_size
from .primitive import REQUIRED, Row, function_named as f, make_classes


def _all_reduce(self: Any, x: Any) -> Tensor:
    return collectives.all_reduce(x, self.op, self.group)


def _reduce(self: Any, x: Any) -> Tensor:
    return collectives.reduce_to(x, self.dest_rank, self.op, self.group)


def _reduce_scatter(self: Any, x: Any) -> Tensor:
    return collectives.reduce_scatter(x, self.op, self.group)


def _all_gather(self: Any, x: Any) -> Tensor:
    return collectives.all_gather(x, self.group)


def _broadcast(self: Any, values: Any) -> Any:
    """Of a tuple of tensors, as MindSpore has it, a tuple."""
    if isinstance(values, (tuple, list)):
        return tuple(collectives.broadcast(x, self.root_rank, self.group) for x in values)
    return collectives.broadcast(values, self.root_rank, self.group)


def _gather(self: Any, x: Any) -> Tensor:
    return collectives.gather_to(x, self.dest_rank, self.group)


def _scatter(self: Any, x: Any) -> Tensor:
    return collectives.scatter_from(x, self.src_rank, self.group)


def _all_to_all(self: Any, x: Any) -> Tensor:
    """Parts of one axis go to the processes; those that come are put together along another."""
    size = get_group_size(self.group)
    if size == 1:
        return collectives.check_tensor(x, self.name)
    if self.split_count != size:
        raise ValueError(f"{self.name}: 'split_count' should be the group's size, {size}, but got {self.split_count}")
    rank = collectives.check_tensor(x, self.name).ndim
    split, concat = (_axis(self, name, rank) for name in ("split_dim", "concat_dim"))
    shape = list(x.shape)
    if shape[split] % size:
        raise ValueError(f"{self.name}: dimension {split} of {x.shape} should be divisible by {size}")
    shape[split : split + 1] = [size, shape[split] // size]
    parts = f("transpose")(f("reshape")(x, tuple(shape)), (split, *[a for a in range(rank + 1) if a != split]))
    came = collectives.all_to_all(parts, self.group)
    order = [*range(1, concat + 1), 0, *range(concat + 1, rank + 1)]
    part = list(came.shape[1:])
    part[concat] *= size
    return f("reshape")(f("transpose")(came, tuple(order)), tuple(part))


def _axis(self: Any, name: str, rank: int) -> int:
    axis = getattr(self, name)
    if not -rank <= axis < rank:
        raise ValueError(f"{self.name}: '{name}' should be from {-rank} to {rank - 1}, but got {axis}")
    return int(axis % rank)


def _send(self: Any, x: Any) -> Tensor:
    return collectives.send(x, self.dest_rank, self.sr_tag, self.group)


def _receive(self: Any, *inputs: Any) -> Tensor:
    return collectives.receive(self.shape, dtypes.as_dtype(self.dtype), self.src_rank, self.sr_tag, self.group)


def _exchange(self: Any, tensors: Any) -> tuple[Tensor, ...]:
    return collectives.exchange(
        tensors, self.send_rank_ids, self.recv_rank_ids, self.recv_shapes, dtypes.as_dtype(self.recv_type), self.group
    )


def _barrier(self: Any) -> None:
    collectives.synchronize(self.group)


_GROUP = {"group": HCCL_WORLD_COMM_GROUP}
_BACK = {**_GROUP, "group_back": HCCL_WORLD_COMM_GROUP}
TABLE: dict[str, Row] = {
    "AllReduce": (_all_reduce, {"op": "sum", **_GROUP}),
    "AllGather": (_all_gather, _GROUP),
    "ReduceScatter": (_reduce_scatter, {"op": "sum", **_GROUP}),
    "Reduce": (_reduce, {"dest_rank": REQUIRED, "op": "sum", **_GROUP}),
    "Broadcast": (_broadcast, {"root_rank": REQUIRED, **_GROUP}),
    "AlltoAll": (_all_to_all, {"split_count": REQUIRED, "split_dim": REQUIRED, "concat_dim": REQUIRED, **_GROUP}),
    "CollectiveGather": (_gather, {"dest_rank": REQUIRED, **_GROUP}),
    "CollectiveScatter": (_scatter, {"src_rank": 0, **_GROUP}),
    "Send": (_send, {"sr_tag": REQUIRED, "dest_rank": REQUIRED, **_BACK}),
    "Receive": (
        _receive,
        {"sr_tag": REQUIRED, "src_rank": REQUIRED, "shape": REQUIRED, "dtype": REQUIRED, **_BACK},
    ),
    "NeighborExchange": (
        _exchange,
        {
            "send_rank_ids": REQUIRED, "recv_rank_ids": REQUIRED, "recv_shapes": REQUIRED, "send_shapes": REQUIRED,
            "recv_type": REQUIRED, **_GROUP,
        },
    ),
    "Barrier": (_barrier, _GROUP),
}  # fmt: skip
CLASSES = make_classes(TABLE, __name__)
globals().update(CLASSES)
__all__ = list(CLASSES)


class ReduceOp:
    """Names of what an AllReduce does.

    Raises:
        AttributeError: for other names.

    Examples:
        >>> from mycel import ops
        >>> print(ops.ReduceOp.SUM)
        sum
    """

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"


__all__.append("ReduceOp")
