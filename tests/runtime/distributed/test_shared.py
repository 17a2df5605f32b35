"""Reductions in shared memory: several processes played by one, which take their steps in any order."""

from __future__ import annotations

import numpy as np
import pytest
from played_processes import NUMPY, Window, check_reductions

from mycel.runtime.distributed import shared


def memories(size: int, capacity: int) -> list[shared.SharedMemory]:
    parts = [np.zeros(64 + capacity, np.uint8) for _ in range(size)]
    return [shared.SharedMemory(Window(), parts, rank) for rank in range(size)]


@pytest.mark.parametrize("seed", range(60))
def test_all_processes_have_the_reduction_in_the_order_of_ranks(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is ahead: pieces that go around the ring overwrite nothing that is still to be read."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 6))
    monkeypatch.setattr(shared, "_PIECE", 128)
    monkeypatch.setattr(shared, "_SHORT", rng.choice([0, 300, 10_000]))
    group = memories(size, int(rng.choice([128, 192, 1024])))
    calls: list[tuple[str, list[np.ndarray]]] = []
    for _ in range(rng.integers(1, 7)):
        dtype, length = rng.choice([np.float32, np.int64, np.float64, np.int8]), rng.integers(0, 200)
        calls.append((str(rng.choice(sorted(NUMPY))), [(rng.standard_normal(length) * 9).astype(dtype) for _ in group]))
    check_reductions(group, calls, rng)


def test_who_is_ahead_waits_for_a_free_place() -> None:
    first, second = memories(2, 1 << 16)
    held, other = np.ones(1 << 14, np.float32), np.full(1 << 14, 2, np.float32)
    one, two = first.start(held, held, "sum"), first.start(other, other, "sum")
    assert not one.Test()
    assert not two.Test()
    request = second.start(held.copy(), np.empty_like(held), "sum")
    assert request.Test()
    assert one.Test()
    assert not two.Test()
    assert held.tolist() == [2.0] * held.size


def test_where_there_is_no_shared_memory_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "_FOLDER", "/no/such/folder")
    assert shared.ring_bytes(2) == 0
    monkeypatch.setattr(shared, "_FOLDER", "/")
    monkeypatch.setattr(shared, "_free_bytes", lambda: 5 << 20)
    assert shared.ring_bytes(2) == 5 << 19
    assert shared.ring_bytes(6) == 0
