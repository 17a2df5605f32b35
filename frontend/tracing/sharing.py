"""Aliases among inputs: a graph that updates a tensor is valid only for calls with the same aliases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...compiler.transforms.symbolic import Symbol
from ..values.parameter import Parameter
from ..values.tensor import Tensor, TracedTensor
from .trace import Trace

__all__ = ["link_names", "sharing_of", "updates_tensors"]


def sharing_of(leaves: Sequence[Any], captured: Sequence[Tensor]) -> list[tuple[int, bool]]:
    """For each argument and captured tensor: the earlier position of the same tensor (0 if there is none), and whether
    it is a selection of another tensor, to which an item assignment goes through."""
    first: dict[int, int] = {}
    found: list[tuple[int, bool]] = []
    for position, value in enumerate((*leaves, *captured), start=1):
        again = first.setdefault(id(value), position) if isinstance(value, Tensor) else position
        found.append((0 if again == position else again, getattr(value, "_base", None) is not None))
    return found


def updates_tensors(trace: Trace, values: list[TracedTensor], before: list[Symbol]) -> bool:
    """Whether the traced function updates an argument, or a captured tensor that is no Parameter."""
    if any(value._symbol is not symbol for value, symbol in zip(values, before, strict=True)):
        return True
    states = [state for state in trace.states.values() if state.commits and not isinstance(state.tensor, Parameter)]
    return any(state.symbol is not state.initial for state in states)


def link_names(trace: Trace, leaves: list[Any], values: list[TracedTensor], captured: Sequence[Tensor]) -> None:
    """Link arguments and captured tensors that are the same tensor, so that an update reaches all of them."""
    first: dict[int, Tensor] = {id(tensor): tensor for tensor in captured}
    for leaf, value in zip(leaves, values, strict=True):
        if isinstance(leaf, Tensor):
            other = first.setdefault(id(leaf), value)
            if other is not value:
                trace.builder.flow.aliases.link(value, other, True)
