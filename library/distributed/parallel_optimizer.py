"""ZeRO stage 1: each process holds the optimizer's state of some Parameters, updates these, and gives them to all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.parameter import Parameter
from ...frontend.values.parts import whole_array
from ...frontend.values.tensor import Tensor
from ...runtime.packing import SMALL
from . import collectives
from .communication import get_group_size, get_rank, group_of
from .parallel import _get_enable_parallel_optimizer, is_data_parallel


def divides_updates() -> bool:
    """Whether several processes are to divide the update of an optimizer that is made now."""
    return _get_enable_parallel_optimizer() and is_data_parallel()


def owners_of(parameters: Sequence[Parameter]) -> tuple[int, ...]:
    """The rank that updates each Parameter: the largest ones first, each by the process that has least so far."""
    loads = [0] * get_group_size()
    owners = [0] * len(parameters)
    for position in sorted(range(len(parameters)), key=lambda i: -parameters[i].nbytes):
        owners[position] = loads.index(min(loads))
        loads[owners[position]] += parameters[position].nbytes
    return tuple(owners)


def owned(owners: Sequence[int] | None, count: int) -> tuple[bool, ...]:
    """The Parameters, of so many, that this process updates: all if the processes do not divide the update."""
    return (True,) * count if owners is None else tuple(owner == get_rank() for owner in owners)


def without_numbers(parameter: Parameter) -> Parameter:
    """In place of a state that another process holds: a Parameter of the same name without elements."""
    return Parameter(Tensor._wrap(np.empty(0, parameter.dtype.np)), parameter.name, parameter.requires_grad)


def share_updates(parameters: Iterable[Parameter], owners: Iterable[int]) -> None:
    """Give all processes the new numbers of each Parameter. Small ones of one owner share a message."""
    group = group_of(None)
    small: dict[tuple[int, object], list[Parameter]] = {}
    large: list[tuple[Parameter, int]] = []
    for parameter, owner in zip(parameters, owners, strict=True):
        if parameter.nbytes <= SMALL:
            small.setdefault((owner, parameter.dtype), []).append(parameter)
        else:
            large.append((parameter, owner))
    for (owner, _), together in small.items():
        flat = apply(prims.concatenate, *[parameter.reshape((-1,)) for parameter in together], axis=0)
        flat, start = collectives.broadcast(flat, owner), 0
        for parameter in together:
            assign_inplace(parameter, flat[start : start + parameter.size].reshape(parameter.shape))
            start += parameter.size
    for parameter, owner in large:
        attrs = {"group": group.name, "size": group.size, "root": owner}
        assign_inplace(parameter, apply(prims.broadcast_update, parameter, **attrs))


def whole_numbers(parameter: Parameter) -> np.ndarray:
    """The numbers of a Parameter of which processes hold parts, on all of them. All have to ask for it."""
    if parameter._layout is not None:
        return whole_array(parameter)
    assert parameter._divided is not None
    owner, shape = parameter._divided
    world = group_of(None)
    numbers = parameter._data if world.rank == owner else np.empty(shape, parameter.dtype.np)
    return world.broadcast(numbers, owner)


def is_elsewhere(parameter: Parameter) -> bool:
    """Whether another process holds the numbers."""
    return parameter._divided is not None and parameter._divided[0] != get_rank()
