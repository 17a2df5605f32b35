"""Reductions in two levels: several machines played by one process, which take their steps in any order."""

from __future__ import annotations

from functools import reduce
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from played_processes import NUMPY, Window, check_reductions

from mycel.runtime.distributed import machines, shared

MPI = SimpleNamespace(IN_PLACE=None, SUM="sum", MAX="max", MIN="min", PROD="prod")


class Leaders:
    """Stands for the leaders' communicator, on one of them. Messages take some tests."""

    def __init__(self, calls: list[list[Any]], rank: int, rng: np.random.Generator) -> None:
        self.calls, self.rank, self.rng, self.number = calls, rank, rng, 0

    def Iallreduce(self, in_place: None, array: np.ndarray, by: str) -> Any:
        """Begin a reduction: of a copy, so that it is seen whether a process changes its array meanwhile."""
        if self.number == len(self.calls):
            self.calls.append([None] * len(self.calls[0]) if self.calls else [])
        call = self.calls[self.number]
        call[self.rank] = array.copy()
        self.number += 1

        def test() -> bool:
            if any(given is None for given in call) or self.rng.random() < 0.5:
                return False
            array[...] = reduce(NUMPY[by], call)
            return True

        return SimpleNamespace(Test=test)


def memories(size: int, capacity: int, down: int) -> list[tuple[shared.SharedMemory, shared.SharedMemory]]:
    up = [np.zeros(64 + capacity, np.uint8) for _ in range(size)]
    after = [np.zeros(64 + (0 if rank else down), np.uint8) for rank in range(size)]
    return [tuple(shared.SharedMemory(Window(), parts, rank) for parts in (up, after)) for rank in range(size)]  # type: ignore[misc]


@pytest.mark.parametrize("seed", range(60))
def test_all_processes_of_all_machines_have_the_reduction(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    monkeypatch.setattr(shared, "_PIECE", 128)
    monkeypatch.setattr(shared, "_SHORT", rng.choice([0, 300]))
    monkeypatch.setattr(machines, "_PART", int(rng.choice([64, 256, 1 << 22])))
    sizes = [int(rng.integers(1, 4)) for _ in range(rng.integers(2, 4))]
    begun: list[list[Any]] = [[None] * len(sizes)]
    group: list[machines.Machines] = []
    for number, size in enumerate(sizes):
        for rank, (up, down) in enumerate(memories(size, int(rng.choice([128, 1024])), int(rng.choice([128, 192])))):
            group.append(machines.Machines(up, down, Leaders(begun, number, rng) if rank == 0 else None, MPI))
    calls: list[tuple[str, list[np.ndarray]]] = []
    for _ in range(rng.integers(1, 7)):
        dtype, length = rng.choice([np.float64, np.int64, np.int8]), rng.integers(0, 200)
        calls.append((str(rng.choice(sorted(NUMPY))), [rng.integers(-9, 9, length).astype(dtype) for _ in group]))
    check_reductions(group, calls, rng)


@pytest.mark.parametrize(("text", "most"), [("", None), ("0", 1), ("1", 1), ("4", 4)])
def test_how_many_processes_share_memory(text: str, most: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(machines.SHARED_VARIABLE, text)
    assert machines._most_processes() == most


def test_what_is_no_number_of_processes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(machines.SHARED_VARIABLE, "yes")
    with pytest.raises(ValueError, match=r"should be the number of processes that share memory, but is 'yes'"):
        machines._most_processes()
