"""Primitives that processes run together: AllReduce and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ...distributed import collectives
from ...distributed.communication import HCCL_WORLD_COMM_GROUP, get_group_size
from .primitive import Row, function_named as f, make_classes, takes


def _of(function: Callable[..., Tensor], *attributes: str) -> Callable[[Any, Any], Tensor]:
    """A collective of one tensor, which takes these attributes of the primitive and its group."""

    def run(self: Any, x: Any) -> Tensor:
        return function(x, *(getattr(self, name) for name in attributes), self.group)

    return run


def _broadcast(self: Any, values: Any) -> Any:
    """Of a tuple of tensors, as MindSpore has it, a tuple."""
    if isinstance(values, (tuple, list)):
        return tuple(collectives.broadcast(x, self.root_rank, self.group) for x in values)
    return collectives.broadcast(values, self.root_rank, self.group)


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
    "AllReduce": (_of(collectives.all_reduce, "op"), {"op": "sum", **_GROUP}),
    "AllGather": (_of(collectives.all_gather), _GROUP),
    "ReduceScatter": (_of(collectives.reduce_scatter, "op"), {"op": "sum", **_GROUP}),
    "Reduce": (_of(collectives.reduce_to, "dest_rank", "op"), takes("dest_rank", op="sum", **_GROUP)),
    "Broadcast": (_broadcast, takes("root_rank", **_GROUP)),
    "AlltoAll": (_all_to_all, takes("split_count split_dim concat_dim", **_GROUP)),
    "CollectiveGather": (_of(collectives.gather_to, "dest_rank"), takes("dest_rank", **_GROUP)),
    "CollectiveScatter": (_of(collectives.scatter_from, "src_rank"), {"src_rank": 0, **_GROUP}),
    "Send": (_of(collectives.send, "dest_rank", "sr_tag"), takes("sr_tag dest_rank", **_BACK)),
    "Receive": (_receive, takes("sr_tag src_rank shape dtype", **_BACK)),
    "NeighborExchange": (
        _exchange, takes("send_rank_ids recv_rank_ids recv_shapes send_shapes recv_type", **_GROUP)
    ),
    "Barrier": (_barrier, _GROUP),
}  # fmt: skip
CLASSES = make_classes(TABLE, globals())


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


PUBLIC = ("ReduceOp",)
