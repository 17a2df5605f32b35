"""The size of gradient buckets: measured once for these machines and this number of processes, or set by the user."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np

from ...compiler.cache.disk import read_checked, write_checked
from ...compiler.cache.machine import calibration_path
from ...frontend.compilation.compile_cache import compile_cache
from ...runtime.distributed.communicator import BUCKET_BYTES, Communicator

SHARE = 50  # a bucket takes so many times as long to send as one number does
LEAST, MOST = 1 << 20, 1 << 25
_FORMAT = 1
_LARGE = 1 << 22  # bytes of the message from which the bandwidth is seen
_ROUNDS, _LARGE_ROUNDS = 20, 4


def agree_on_buckets(world: Communicator, machine: str) -> None:
    """Let all processes have the size of buckets that rank 0 knows, or measure it together.

    Buckets decide in which order numbers are added up, so the size is kept: it is the same in every run.
    """
    if world.size == 1:
        return
    cache = compile_cache()
    machines = world.gather_objects(f"{machine} {cache is not None and cache.calibrated}")
    if not machines[0].endswith("True"):  # rank 0 decides for all
        return
    path = None if cache is None else calibration_path(cache.folder, "buckets", _FORMAT, *machines)
    known = _load(path) if world.rank == 0 else None
    found = int(world.gather_objects(str(known or 0))[0])
    if not found:
        found = int(world.gather_objects(str(_measured(world)))[0])
        if world.rank == 0 and path is not None and not write_checked(path, json.dumps({"bytes": found}).encode()):
            found = BUCKET_BYTES
        found = int(world.gather_objects(str(found))[0])
    world.bucket_bytes = found


def _measured(world: Communicator) -> int:
    """The size of a message for which its latency hardly matters: a power of two."""
    latency = _seconds(world, 1, _ROUNDS)
    bandwidth = _LARGE / max(_seconds(world, _LARGE // 4, _LARGE_ROUNDS) - latency, 1e-9)
    return min(MOST, max(LEAST, 1 << round(float(np.log2(SHARE * latency * bandwidth)))))


def _seconds(world: Communicator, length: int, rounds: int) -> float:
    """The time of the fastest of several all-reduces of a vector, the same on all processes."""
    x = np.ones(length, np.float32)
    best = float("inf")
    for _ in range(rounds):
        world.barrier(checked=True)
        began = time.perf_counter()
        world.all_reduce(x, "sum", checked=True)
        best = min(best, time.perf_counter() - began)
    return best


def _load(path: Path | None) -> int | None:
    """The stored size; None if there is none that can be trusted."""
    body = None if path is None else read_checked(path)
    try:
        found = int(json.loads(body or b"")["bytes"])
    except (ValueError, KeyError, TypeError):
        return None
    return found if LEAST <= found <= MOST else None
