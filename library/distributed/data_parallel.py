"""Data parallel training: processes start with the same Parameters, gather results, and write each file once."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...frontend.errors.user_files import user_level
from ...frontend.values.parameter import Parameter
from ...runtime.distributed.calls import digest
from ...runtime.distributed.communicator import Communicator
from ...runtime.distributed.errors import CommunicationError
from .communication import group_of, machine_name
from .parallel import get_auto_parallel_context

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
