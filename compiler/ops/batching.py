"""Rules that give an op's results for a whole batch of rows at once, for families of ops that are batched alike.

A rule (`Op.batch`) is called as `(batch, *inputs, **attrs)`: `batch` says which inputs have the new first axis (see
`compiler/transforms/vectorize.py`), results have it too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir.rules import Batch

Rule = Callable[..., Any]


def leading(batch: Batch, *inputs: Any, **attrs: Any) -> Any:
    """For ops that take leading dimensions as they come: the op itself on stacked inputs."""
    return batch.op(*batch.stacked(inputs), **attrs)


def elementwise(batch: Batch, *inputs: Any, **attrs: Any) -> Any:
    """For ops whose inputs broadcast: the op itself, with the batch before all other dimensions."""
    return batch.op(*batch.aligned(inputs), **attrs)


def _moved(value: Any, rank: int) -> Any:
    if isinstance(value, int):
        return value % rank + 1 if rank else value + 1
    return tuple(axis % rank + 1 if rank else axis + 1 for axis in value)


def shifted(*names: str, lead: int = 0) -> Rule:
    """For ops whose attributes of these names count axes, up to `lead` beyond the first input's: one further back."""

    def rule(batch: Batch, *inputs: Any, **attrs: Any) -> Any:
        rank = batch.rank(inputs, 0) + lead
        moved = {name: _moved(attrs[name], rank) for name in names}
        return batch.op(*batch.stacked(inputs), **{**attrs, **moved})

    return rule


def folded(axis: int, *of_outputs: int) -> Rule:
    """For ops that treat the indices of an axis apart: the batch becomes part of that axis of every input, and is
    taken out of it again (of the axes `of_outputs`, where they differ)."""

    def rule(batch: Batch, *inputs: Any, **attrs: Any) -> Any:
        results = batch.op(*[batch.fold(x, min(axis, x.rank - 2)) for x in batch.stacked(inputs)], **attrs)
        if not isinstance(results, tuple):
            return batch.unfold(results, axis)
        axes = of_outputs or (axis,) * len(results)
        return tuple(batch.unfold(result, where) for result, where in zip(results, axes, strict=True))

    return rule


def row_by_row(batch: Batch, *inputs: Any, **attrs: Any) -> Any:
    """For effects whose order between rows does not matter: one row after the other."""
    return NotImplemented
