"""Rules for batches of rows (`Op.batch`), for families of ops with the same rule.

A rule is called as `(batch, *inputs, **attrs)`. `batch` says which inputs have the new first axis (see
`compiler/transforms/vectorize.py`); results have it, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir.rules import Batch

Rule = Callable[..., Any]


def leading(batch: Batch, *inputs: Any, **attrs: Any) -> Any:
    """For ops that accept any leading dimensions: the op itself on stacked inputs."""
    return batch.op(*batch.stacked(inputs), **attrs)


def elementwise(batch: Batch, *inputs: Any, **attrs: Any) -> Any:
    """For ops whose inputs broadcast: the op itself, with the batch before all other dimensions."""
    return batch.op(*batch.aligned(inputs), **attrs)


def _moved(value: Any, rank: int) -> Any:
    if isinstance(value, int):
        return value % rank + 1 if rank else value + 1
    return tuple(axis % rank + 1 if rank else axis + 1 for axis in value)


def shifted(*names: str, lead: int = 0) -> Rule:
    """For ops whose attributes of these names count axes, up to `lead` beyond the first input's: the axes shift by
    one."""

    def rule(batch: Batch, *inputs: Any, **attrs: Any) -> Any:
        rank = batch.rank(inputs, 0) + lead
        moved = {name: _moved(attrs[name], rank) for name in names}
        return batch.op(*batch.stacked(inputs), **{**attrs, **moved})

    return rule


def folded(axis: int, *of_outputs: int) -> Rule:
    """For ops that treat the indices of an axis separately: the batch is merged into that axis of every input, and
    split from it again (from the axes `of_outputs`, if they differ)."""

    def rule(batch: Batch, *inputs: Any, **attrs: Any) -> Any:
        results = batch.op(*[batch.fold(x, min(axis, x.rank - 2)) for x in batch.stacked(inputs)], **attrs)
        if not isinstance(results, tuple):
            return batch.unfold(results, axis)
        axes = of_outputs or (axis,) * len(results)
        return tuple(batch.unfold(result, where) for result, where in zip(results, axes, strict=True))

    return rule


def row_by_row(batch: Batch, *inputs: Any, **attrs: Any) -> Any:
    """For effects, whose order between rows is free: one row after the other."""
    return NotImplemented
