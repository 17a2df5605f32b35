"""Data parallel training: processes start with the same Parameters, share the optimizer's state (ZeRO stage 1), gather
results, and write each file once."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.errors.user_files import user_level
from ...frontend.values.dispatch import apply
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.parameter import Parameter
from ...frontend.values.parts import whole_array
from ...frontend.values.tensor import Tensor
from ...runtime.distributed.calls import digest
from ...runtime.distributed.communicator import Communicator
from ...runtime.distributed.errors import CommunicationError
from ...runtime.packing import SMALL
from . import collectives
from .communication import get_group_size, get_rank, group_of, machine_name
from .parallel import _get_enable_parallel_optimizer, get_auto_parallel_context, is_data_parallel

if TYPE_CHECKING:
    from pathlib import Path


def begin_alike(parameters: Iterable[Parameter], group: Any = None) -> None:
    """Check that all processes have the same Parameters. With `parameter_broadcast` they get those of rank 0.

    Raises:
        RuntimeError: on all processes, if names, shapes or dtypes differ; it names the first difference.
    """
    own = group_of(group)
    if own.size == 1:
        return
    listed = [parameter for parameter in parameters if parameter._divided is None]
    check_alike(own, [f"Parameter '{p.name}' of {p.dtype}{list(p.shape)}" for p in listed])
    if get_auto_parallel_context("parameter_broadcast"):
        for parameter in listed:
            own.broadcast(parameter._data, 0, out=parameter._data)
        return
    found = own.gather_objects(" ".join(str(digest(parameter._data.tobytes())) for parameter in listed))
    for rank, text in enumerate(found):
        if text != found[0]:
            pairs = zip(found[0].split(), text.split(), listed, strict=True)
            name = next(parameter.name for one, other, parameter in pairs if one != other)
            if own.rank == 0:
                warnings.warn(
                    f"the processes do not begin alike: Parameter '{name}' has other numbers on rank {own.ranks[rank]} "
                    "than on rank 0; mycel.set_seed before the network is made, or set_auto_parallel_context("
                    "parameter_broadcast=True), makes them equal",
                    UserWarning,
                    stacklevel=user_level(),
                )
            return


def check_alike(group: Communicator, lines: Sequence[str]) -> None:
    """Raise CommunicationError, on all processes, if their lines differ; it names the first that does."""
    found = group.gather_objects(str(digest("\n".join(lines).encode(errors="surrogatepass"))))
    if len(set(found)) == 1:
        return
    texts = [text.split("\n") for text in group.gather_objects("\n".join(lines))]
    other = next(rank for rank in range(group.size) if texts[rank] != texts[0])
    one, two = texts[0], texts[other]
    at = next((i for i in range(min(len(one), len(two))) if one[i] != two[i]), min(len(one), len(two)))
    shown = [text[at] if at < len(text) else f"nothing more after {text[-1]}" for text in (one, two)]
    first, second = group.ranks[0], group.ranks[other]
    raise CommunicationError(
        f"the processes train different networks:\n  rank {first}: {shown[0]}\n  rank {second}: {shown[1]}\n"
        "All ranks have to make the same Parameters in the same order",
        speaker=first,
    )


def gather_arrays(arrays: Sequence[np.ndarray], group: Any = None) -> list[list[np.ndarray]]:
    """The arrays of each process, whose shapes may differ, in the order of ranks."""
    own = group_of(group)
    types = own.gather_objects(" ".join(f"{a.dtype.str}:{','.join(map(str, a.shape))}" for a in arrays))
    data = np.frombuffer(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays), np.uint8)
    longest = int(own.all_reduce(np.array([data.size], np.int64), "max")[0])
    padded = np.zeros((1, max(longest, 1)), np.uint8)
    padded[0, : data.size] = data
    gathered: list[list[np.ndarray]] = []
    for text, row in zip(types, own.all_gather(padded), strict=True):
        held, offset = [], 0
        for item in text.split():
            name, _, sizes = item.rpartition(":")
            shape, dtype = tuple(map(int, filter(None, sizes.split(",")))), np.dtype(name)
            size = int(np.prod(shape)) * dtype.itemsize
            held.append(row[offset : offset + size].view(dtype).reshape(shape).copy())
            offset += size
        gathered.append(held)
    return gathered


def writes(path: Path, group: Any = None) -> bool:
    """Whether this process writes a file: the first of those that name the same one does."""
    own = group_of(group)
    if own.size == 1:
        return True
    named = own.gather_objects(f"{machine_name()} {path.resolve()}")
    return named.index(named[own.rank]) == own.rank


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
